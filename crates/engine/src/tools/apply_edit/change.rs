//! From what a model writes to ranges of a text.

use std::ops::Range;

use codecortex_protocol::{Position, TextChange, ToolError};
use codecortex_text::{BadPosition, TextDocument, Utf16Position};
use schemars::JsonSchema;
use serde::Deserialize;

// One change. The schema's words say it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RequestedEdit {
    new_text: String,
    old_text: Option<String>,
    start_line: Option<u32>,
    end_line: Option<u32>,
    start_character: Option<u32>,
    end_character: Option<u32>,
}

impl RequestedEdit {
    /// Bytes of text.
    pub(super) fn len(&self) -> usize {
        self.new_text.len() + self.old_text.as_ref().map_or(0, String::len)
    }
}

/// What was wanted, as far as it can be said without a text it fits to.
pub(super) fn wanted(changes: &[RequestedEdit]) -> String {
    let mut out = String::new();
    for change in changes.iter().take(10) {
        if let Some(line) = change.start_line {
            out += &format!("@@ line {line} @@\n");
        }
        for (sign, text) in [
            ("-", change.old_text.as_deref()),
            ("+", Some(&*change.new_text)),
        ] {
            let lines = text.unwrap_or_default().lines().take(20);
            lines.for_each(|line| out += &format!("{sign}{line}\n"));
        }
    }
    out
}

/// The changes as ranges of the text, in its order, and the text with all of them.
pub(super) fn apply(
    text: &TextDocument,
    changes: &[RequestedEdit],
) -> Result<(Vec<TextChange>, TextDocument), ToolError> {
    if changes.is_empty() {
        return Err(ToolError::invalid("`changes` is empty."));
    }
    let line_end = line_end(text);
    let mut ranges = Vec::new();
    for (number, change) in changes.iter().enumerate() {
        let found = resolve(text, change, line_end);
        let (range, new) = found.map_err(|error| error.detail("change", number as u32))?;
        ranges.push((range, new));
    }
    ranges.sort_by_key(|(range, _)| (range.start, range.end));
    let is_apart = |pair: &[(Range<usize>, String)]| pair[0].0.end <= pair[1].0.start;
    if !ranges.windows(2).all(is_apart) {
        return Err(ToolError::invalid("Two changes overlap.").hint(
            "All changes are in terms of the base text; join those that touch the same lines.",
        ));
    }
    let mut after = text.clone();
    for (range, new) in ranges.iter().rev() {
        after.replace(range.clone(), new);
    }
    let position = |byte: usize| {
        let at = text.position(byte);
        Position {
            line: at.line,
            character: at.character,
        }
    };
    let changes = ranges.into_iter().map(|(range, text)| TextChange {
        start: position(range.start),
        end: position(range.end),
        text,
    });
    Ok((changes.collect(), after))
}

fn resolve(
    text: &TextDocument,
    change: &RequestedEdit,
    line_end: &str,
) -> Result<(Range<usize>, String), ToolError> {
    let new = with_line_ends(&change.new_text, line_end);
    match (&change.old_text, change.start_line) {
        (Some(old), None) => Ok((find(text, old, line_end)?, new)),
        (None, Some(line)) => match (change.start_character, change.end_character) {
            (None, None) => whole_lines(text, line, change.end_line, new, line_end),
            (Some(start), Some(end)) => {
                let from = place(text, line, start)?;
                let to = place(text, change.end_line.unwrap_or(line), end)?;
                if to < from {
                    return Err(ToolError::invalid("A change ends before it starts."));
                }
                Ok((from..to, new))
            }
            _ => Err(ToolError::invalid("Only one of `startCharacter` and `endCharacter` is given.")),
        },
        (None, None) if text.is_empty() => Ok((0..0, new)),
        _ => Err(
            ToolError::invalid("A change needs either `oldText` or `startLine`.")
                .hint("`{\"oldText\":\"a\",\"newText\":\"b\"}` or `{\"startLine\":3,\"endLine\":4,\"newText\":\"…\"}`."),
        ),
    }
}

/// Where a text is that occurs once, its line ends those of the document.
fn find(text: &TextDocument, old: &str, line_end: &str) -> Result<Range<usize>, ToolError> {
    if old.is_empty() {
        return Err(ToolError::invalid("`oldText` is empty.")
            .hint("Give `startLine` and `endLine` to insert lines."));
    }
    let fitted = with_line_ends(old, line_end);
    let found = [old, fitted.as_str()]
        .into_iter()
        .find_map(|old| Some((text.find(old)?, old.len())));
    match found {
        Some(((_, true), _)) => Err(ToolError::invalid("`oldText` occurs several times.")
            .hint("Give more of the lines around it, or `startLine`.")),
        Some(((at, false), length)) => Ok(at..at + length),
        None => {
            Err(ToolError::invalid("`oldText` does not occur.").hint("Copy it letter by letter."))
        }
    }
}

/// Lines from one to another; where the last is before the first, the place before the first.
fn whole_lines(
    text: &TextDocument,
    start: u32,
    end: Option<u32>,
    mut new: String,
    line_end: &str,
) -> Result<(Range<usize>, String), ToolError> {
    let total = text.line_count();
    let end = end.unwrap_or(start) as usize;
    let start = start as usize;
    if start == 0 || start > total + 1 || end > total || end + 1 < start {
        return Err(ToolError::invalid(format!(
            "Lines {start} to {end} are not in a text of {total} lines."
        ))
        .hint("Lines count from 1; `endLine` one less than `startLine` inserts."));
    }
    let range = text.line_start(start - 1)..text.line_start(end.max(start - 1));
    let is_inside = range.end < text.len() || text.slice(range.clone()).ends_with(['\n', '\r']);
    if is_inside && !new.is_empty() && !new.ends_with(['\n', '\r']) {
        new.push_str(line_end);
    }
    // A line behind one that nothing ends.
    let needs_end = range.start == text.len() && !text.is_empty();
    if needs_end && !text.line(total - 1).is_empty() {
        new.insert_str(0, line_end);
    }
    Ok((range, new))
}

fn place(text: &TextDocument, line: u32, character: u32) -> Result<usize, ToolError> {
    if line == 0 || character == 0 {
        return Err(ToolError::invalid("Lines and characters count from 1."));
    }
    let at = Utf16Position {
        line: line - 1,
        character: character - 1,
    };
    text.offset(at).map_err(|bad| {
        let what = match bad {
            BadPosition::Line => "The text has no such line",
            BadPosition::Character => "The line has no such character",
            BadPosition::InsideCharacter => "This is between the two halves of a character",
        };
        ToolError::invalid(format!("{what}: line {line}, character {character}."))
    })
}

/// What ends the first line.
fn line_end(text: &TextDocument) -> &'static str {
    let line = text.line(0);
    match () {
        () if line.ends_with("\r\n") => "\r\n",
        () if line.ends_with('\r') => "\r",
        () => "\n",
    }
}

fn with_line_ends(text: &str, line_end: &str) -> String {
    match line_end {
        "\n" => text.to_owned(),
        line_end => text.replace("\r\n", "\n").replace('\n', line_end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn after(text: &str, changes: Value) -> Result<String, String> {
        let changes: Vec<RequestedEdit> = serde_json::from_value(changes).unwrap();
        let (ranges, after) = apply(&TextDocument::new(text), &changes).map_err(|e| e.message)?;
        // An editor that applies the ranges from the end has the same text.
        let mut editor = TextDocument::new(text);
        let at = |p: Position| Utf16Position {
            line: p.line,
            character: p.character,
        };
        for range in ranges.iter().rev() {
            editor.apply(at(range.start), at(range.end), &range.text);
        }
        assert_eq!(editor.text(), after.text());
        Ok(after.text())
    }

    #[test]
    fn texts_lines_and_ranges() {
        let text = "one\ntwo\nthree\n";
        for (change, wanted) in [
            (
                json!({ "oldText": "two", "newText": "2" }),
                "one\n2\nthree\n",
            ),
            (json!({ "startLine": 2, "newText": "2" }), "one\n2\nthree\n"),
            (
                json!({ "startLine": 1, "endLine": 2, "newText": "" }),
                "three\n",
            ),
            (
                json!({ "startLine": 2, "endLine": 1, "newText": "new" }),
                "one\nnew\ntwo\nthree\n",
            ),
            (
                json!({ "startLine": 4, "endLine": 3, "newText": "end\n" }),
                "one\ntwo\nthree\nend\n",
            ),
            (
                json!({ "startLine": 1, "startCharacter": 2, "endLine": 2, "endCharacter": 2, "newText": "-" }),
                "o-wo\nthree\n",
            ),
        ] {
            assert_eq!(
                after(text, json!([change])).as_deref(),
                Ok(wanted),
                "{change}"
            );
        }
        let both = json!([
            { "oldText": "three", "newText": "3" }, { "startLine": 1, "newText": "1" }
        ]);
        assert_eq!(after(text, both).as_deref(), Ok("1\ntwo\n3\n"));
        assert_eq!(
            after(
                "a",
                json!([{ "startLine": 2, "endLine": 1, "newText": "b" }])
            )
            .as_deref(),
            Ok("a\nb")
        );
        assert_eq!(
            after("", json!([{ "newText": "b\n" }])).as_deref(),
            Ok("b\n")
        );
    }

    #[test]
    fn line_ends_are_those_of_the_document() {
        let text = "one\r\ntwo\r\n";
        let change = json!([{ "oldText": "one\ntwo", "newText": "1\n2\n3" }]);
        assert_eq!(after(text, change).as_deref(), Ok("1\r\n2\r\n3\r\n"));
        let change = json!([{ "startLine": 2, "newText": "x\ny" }]);
        assert_eq!(after(text, change).as_deref(), Ok("one\r\nx\r\ny\r\n"));
    }

    #[test]
    fn what_fits_nowhere_is_told() {
        let text = "a😀b\na\n";
        for (change, told) in [
            (json!({ "oldText": "a", "newText": "" }), "several times"),
            (json!({ "oldText": "zzz", "newText": "" }), "does not occur"),
            (json!({ "oldText": "", "newText": "" }), "empty"),
            (json!({ "newText": "x" }), "either"),
            (json!({ "startLine": 9, "newText": "x" }), "not in a text"),
            (json!({ "startLine": 0, "newText": "x" }), "not in a text"),
            (
                json!({ "startLine": 1, "endLine": 99, "newText": "x" }),
                "not in a text",
            ),
            (
                json!({ "startLine": 1, "startCharacter": 3, "endCharacter": 4, "newText": "" }),
                "two halves",
            ),
            (
                json!({ "startLine": 1, "startCharacter": 3, "newText": "" }),
                "Only one",
            ),
            (
                json!({ "startLine": 2, "startCharacter": 9, "endCharacter": 9, "newText": "" }),
                "no such character",
            ),
            (
                json!({ "startLine": 8, "startCharacter": 1, "endCharacter": 1, "newText": "" }),
                "no such line",
            ),
            (
                json!({ "startLine": 1, "startCharacter": 2, "endCharacter": 1, "newText": "" }),
                "ends before",
            ),
        ] {
            let error = after(text, json!([change])).unwrap_err();
            assert!(error.contains(told), "{change}: {error}");
        }
        let overlap =
            json!([{ "startLine": 1, "newText": "x" }, { "oldText": "b\na", "newText": "y" }]);
        assert!(after(text, overlap).unwrap_err().contains("overlap"));
    }
}
