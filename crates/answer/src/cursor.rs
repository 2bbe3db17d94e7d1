//! Cursors: where a page starts, and of which question it is one (SPEC X1, X4).
//!
//! `offset@revision.question`: the number of entries before the page, the revision of the index that the page
//! before was made from, and letters that tell the question from others. A list by another question has other
//! entries; a cursor into it would skip some of them and nobody would notice.

use codecortex_protocol::ToolError;
use codecortex_text::base32;
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_64;

/// Entries on a page that a tool shows unless asked, and the most that can be asked for (SPEC TC7).
pub const DEFAULT_LIMIT: u64 = 30;
/// The most entries on a page.
pub const MAX_LIMIT: u64 = 200;

/// Arguments that change how much of each entry is shown, or how many, not which there are.
const OF_A_PAGE: [&str; 6] = [
    "cursor",
    "limit",
    "searchIndex",
    "includePreview",
    "includeDocs",
    "includeDocumentation",
];

/// Letters of a question: two of them are taken for one another once in a million times.
const LETTERS: usize = 4;

/// What tells a question from others: the tool and what it is asked.
#[derive(Clone, Debug)]
pub struct Question(String);

impl Question {
    /// Of a call; `args` without those that every tool takes.
    pub fn for_call(tool: &str, args: &Map<String, Value>) -> Self {
        let asked = args
            .iter()
            .filter(|(name, _)| !OF_A_PAGE.contains(&name.as_str()));
        let mut asked: Map<String, Value> = asked
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        asked.insert(String::new(), tool.into());
        let mut asked = Value::Object(asked);
        asked.sort_all_objects();
        let digest = xxh3_64(asked.to_string().as_bytes()).to_be_bytes();
        Self(base32(&digest, LETTERS).to_ascii_lowercase())
    }

    /// A handler's cursor, as a caller gets it.
    pub fn seal(&self, cursor: &str) -> String {
        format!("{cursor}.{}", self.0)
    }

    /// A caller's cursor, as the handler made it; refused where it is of another question.
    pub fn open(&self, cursor: &str) -> Result<String, ToolError> {
        match cursor.rsplit_once('.') {
            Some((cursor, question)) if question == self.0 => Ok(cursor.to_owned()),
            Some((cursor, _)) if parse(cursor).is_some() => {
                Err(ToolError::invalid("`cursor` is of another question.")
                    .hint("Repeat the other arguments as they were, or leave it out."))
            }
            _ => Err(not_ours()),
        }
    }
}

fn not_ours() -> ToolError {
    ToolError::invalid("`cursor` is not one of ours.")
        .hint("Give `nextCursor` of the page before, or leave it out.")
}

/// Where a page is in the list it is of.
#[derive(Clone, Copy, Debug)]
pub struct Paging {
    /// Entries of the whole list.
    pub total: usize,
    /// Entries before the page.
    pub start: usize,
    /// Revision of the index the list was made from.
    pub revision: u32,
}

impl Paging {
    /// A cursor for what follows the first `shown` entries of the page.
    pub fn next_cursor(self, shown: usize) -> Option<String> {
        let next = self.start + shown;
        (next < self.total).then(|| write_cursor(next, self.revision))
    }
}

/// Where a page starts.
pub fn read_cursor(cursor: Option<&str>) -> Result<usize, ToolError> {
    match cursor {
        None => Ok(0),
        Some(cursor) => parse(cursor).ok_or_else(not_ours),
    }
}

/// A cursor for the page that starts after `offset` entries.
pub fn write_cursor(offset: usize, revision: u32) -> String {
    format!("{offset}@{revision}")
}

fn parse(cursor: &str) -> Option<usize> {
    let (offset, revision) = cursor.split_once('@')?;
    revision.parse::<u32>().ok()?;
    offset.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn question(tool: &str, args: Value) -> Question {
        Question::for_call(tool, args.as_object().unwrap())
    }

    #[test]
    fn a_cursor_is_of_its_question() {
        let asked = question(
            "find",
            json!({ "symbol": "A.b", "tiers": ["exact"], "limit": 5 }),
        );
        let cursor = asked.seal(&write_cursor(30, 7));
        let again = question(
            "find",
            json!({ "tiers": ["exact"], "symbol": "A.b", "cursor": cursor, "includePreview": false }),
        );
        assert_eq!(again.open(&cursor).unwrap(), "30@7");
        for (tool, args) in [
            ("find", json!({ "symbol": "A.c", "tiers": ["exact"] })),
            ("find", json!({ "symbol": "A.b" })),
            ("members", json!({ "symbol": "A.b", "tiers": ["exact"] })),
        ] {
            let error = question(tool, args).open(&cursor).unwrap_err();
            assert!(error.message.contains("another question"), "{error:?}");
        }
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        let asked = question("find", json!({}));
        for cursor in ["", ".", "x", "30@7", "30@7x.y", "@.abcd", "-1@7.abcd"] {
            let error = asked.open(cursor).unwrap_err();
            assert!(
                error.message.contains("not one of ours"),
                "{cursor}: {error:?}"
            );
        }
    }

    #[test]
    fn the_order_of_nested_arguments_does_not_matter() {
        let one = question("at", json!({ "position": { "line": 1, "character": 2 } }));
        let other = question("at", json!({ "position": { "character": 2, "line": 1 } }));
        assert_eq!(one.0, other.0);
    }
}
