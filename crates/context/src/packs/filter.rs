//! The filters of packs (SPEC PK1, D24, `000` §10.1).
//!
//! ```text
//! expr    = term { ("OR" | "or" | "||") term } ;
//! term    = factor { ["AND" | "and" | "&&"] factor } ;
//! factor  = { "!" } ( primary | "(" expr ")" ) ;
//! primary = ( "namespace:" | "type:" | "access:" | "tag:" | "depends:" ) token ;
//! ```
//!
//! `*` and `?` stand for any letters and any letter; upper and lower case are the same.

use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_text::wildcard_matches;

/// The most bytes of a filter.
pub const MAX_BYTES: usize = 64 << 10;
/// The most conditions.
const MAX_TERMS: usize = 2_000;
/// Brackets within brackets.
const MAX_DEPTH: usize = 64;

/// What a condition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// `ns:`
    Namespace,
    /// `type:`
    Type,
    /// `access:`
    Access,
    /// `tag:`
    Tag,
    /// `depends:`
    Depends,
}

const FIELDS: [(&str, Field); 5] = [
    ("namespace", Field::Namespace),
    ("type", Field::Type),
    ("access", Field::Access),
    ("tag", Field::Tag),
    ("depends", Field::Depends),
];

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackFilter {
    /// One of them.
    Any(Vec<PackFilter>),
    /// All of them.
    All(Vec<PackFilter>),
    /// Not this.
    Not(Box<PackFilter>),
    /// A condition.
    Is(Field, NamePattern),
}

/// A name with wildcards, in lower case, its separators dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern(pub String);

impl NamePattern {
    /// Whether a text fits as a whole.
    pub fn fits(&self, text: &str) -> bool {
        wildcard_matches(&self.0, &plain(text))
    }

    /// Whether the end of a path fits, name by name: a wildcard stands for letters of one name, never for a separator.
    pub fn fits_path(&self, path: &str) -> bool {
        let path = plain(path);
        let (mut names, mut patterns) = (path.rsplit('.'), self.0.rsplit('.'));
        patterns.all(|pattern| {
            names
                .next()
                .is_some_and(|name| wildcard_matches(pattern, name))
        })
    }

    /// Whether a namespace fits, or is below one that does.
    pub fn fits_namespace(&self, path: &str) -> bool {
        let path = plain(path);
        let ends = path.match_indices('.').map(|(at, _)| at);
        ends.chain([path.len()])
            .any(|end| wildcard_matches(&self.0, &path[..end]))
    }
}

/// In lower case, every language's separators as dots.
fn plain(text: &str) -> String {
    let text = text.to_lowercase().replace("::", ".");
    text.replace(['+', '/', '\\', '#'], ".")
}

impl PackFilter {
    /// Whether what `is` says of single conditions makes the filter true.
    pub fn holds(&self, is: &mut dyn FnMut(Field, &NamePattern) -> bool) -> bool {
        match self {
            Self::Any(parts) => parts.iter().any(|part| part.holds(is)),
            Self::All(parts) => parts.iter().all(|part| part.holds(is)),
            Self::Not(part) => !part.holds(is),
            Self::Is(field, pattern) => is(*field, pattern),
        }
    }
}

/// Reads a filter.
///
/// # Errors
/// `InvalidFilter` with `details.position`, the letter from 1 at which it is wrong, and a hint.
pub fn parse(text: &str) -> Result<PackFilter, ToolError> {
    let mut parser = Parser {
        text,
        at: 0,
        terms: 0,
        depth: 0,
    };
    if text.len() > MAX_BYTES {
        parser.at = text.floor_char_boundary(MAX_BYTES);
        let problem = format!("The filter has {} bytes.", text.len());
        return Err(parser.error(&problem, &format!("{MAX_BYTES} are the most.")));
    }
    let filter = parser.any()?;
    parser.skip_space();
    match parser.rest().chars().next() {
        None => Ok(filter),
        Some(')') => Err(parser.error("This `)` closes nothing.", "Remove it.")),
        Some(_) => Err(parser.no_condition()),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    terms: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes one of some words. A word of letters ends where other letters do not follow.
    fn take(&mut self, words: &[&str]) -> bool {
        self.skip_space();
        let rest = self.rest();
        let found = words.iter().find(|word| {
            let is_word = word.starts_with(char::is_alphabetic);
            rest.strip_prefix(**word).is_some_and(|after| {
                let goes_on = |c: char| c.is_alphanumeric() || c == ':' || c == '_';
                !is_word || !after.starts_with(goes_on)
            })
        });
        if let Some(word) = found {
            self.at += word.len();
        }
        found.is_some()
    }

    fn any(&mut self) -> Result<PackFilter, ToolError> {
        let mut parts = vec![self.all()?];
        while self.take(&["OR", "or", "||"]) {
            parts.push(self.all()?);
        }
        Ok(single(parts, PackFilter::Any))
    }

    fn all(&mut self) -> Result<PackFilter, ToolError> {
        let mut parts = vec![self.factor()?];
        loop {
            let said = self.take(&["AND", "and", "&&"]);
            self.skip_space();
            let rest = self.rest();
            let ends = rest.is_empty() || rest.starts_with([')', '|']) || self.is_or();
            if ends && !said {
                return Ok(single(parts, PackFilter::All));
            }
            parts.push(self.factor()?);
        }
    }

    fn is_or(&mut self) -> bool {
        let before = self.at;
        let is_or = self.take(&["OR", "or", "||"]);
        self.at = before;
        is_or
    }

    fn factor(&mut self) -> Result<PackFilter, ToolError> {
        let mut is_not = false;
        while self.take(&["!"]) {
            is_not = !is_not;
        }
        let inner = if self.take(&["("]) {
            let opened = self.at;
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                let hint = format!("{MAX_DEPTH} brackets within brackets are the most.");
                return Err(self.error("The filter is too deep.", &hint));
            }
            let inner = self.any()?;
            if !self.take(&[")"]) {
                let problem = format!("The `(` at {} is not closed.", self.letters(opened - 1));
                return Err(self.error(&problem, "Add `)`."));
            }
            self.depth -= 1;
            inner
        } else {
            self.condition()?
        };
        Ok(match is_not {
            true => PackFilter::Not(Box::new(inner)),
            false => inner,
        })
    }

    fn condition(&mut self) -> Result<PackFilter, ToolError> {
        self.skip_space();
        let rest = self.rest();
        let word = rest.find(':').map(|end| rest[..end].to_lowercase());
        let field = word.and_then(|word| FIELDS.iter().find(|(name, _)| *name == word));
        let Some((name, field)) = field else {
            return Err(self.no_condition());
        };
        self.at += name.len() + 1;
        let token = self.token();
        if token.is_empty() {
            let hint = format!("Write a name right after it, such as `{name}:Node*`.");
            return Err(self.error(&format!("`{name}:` has no name."), &hint));
        }
        self.terms += 1;
        if self.terms > MAX_TERMS {
            let hint = format!("{MAX_TERMS} conditions are the most; use wildcards.");
            return Err(self.error("The filter has too many conditions.", &hint));
        }
        if *field == Field::Access {
            self.check_access(token)?;
        }
        Ok(PackFilter::Is(*field, NamePattern(plain(token))))
    }

    fn token(&mut self) -> &'a str {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || "_.*+?-:/\\#$<>,@".contains(c);
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn check_access(&self, token: &str) -> Result<(), ToolError> {
        let words = ["public", "protected", "internal", "private"];
        let token = token.to_lowercase();
        match token.contains(['*', '?']) || words.contains(&token.as_str()) {
            true => Ok(()),
            false => Err(self.error(
                &format!("There is no access `{token}`."),
                &format!("Write one of {}.", words.join(", ")),
            )),
        }
    }

    fn no_condition(&self) -> ToolError {
        let found: String = self.rest().chars().take(20).collect();
        let problem = match found.is_empty() {
            true => "A condition is missing at the end.".to_owned(),
            false => format!("`{found}` is not a condition."),
        };
        self.error(
            &problem,
            "A condition is namespace:, type:, access:, tag: or depends: and a name, such as `type:Node*`.",
        )
    }

    fn letters(&self, at: usize) -> usize {
        self.text[..at].chars().count() + 1
    }

    fn error(&self, problem: &str, hint: &str) -> ToolError {
        let position = self.letters(self.at);
        ToolError::new(
            ErrorCode::InvalidFilter,
            format!("{problem} (at letter {position})"),
        )
        .hint(hint)
        .detail("position", position as u32)
    }
}

/// What is alone needs nothing around it.
fn single(mut parts: Vec<PackFilter>, of: fn(Vec<PackFilter>) -> PackFilter) -> PackFilter {
    match parts.len() {
        1 => parts.remove(0),
        _ => of(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether a filter holds where these conditions do.
    fn holds(filter: &str, true_ones: &[&str]) -> bool {
        let filter = parse(filter).unwrap_or_else(|error| panic!("{filter}: {error:?}"));
        filter.holds(&mut |_, pattern| true_ones.contains(&pattern.0.as_str()))
    }

    #[test]
    fn and_binds_closer_than_or_and_is_the_default() {
        for (filter, on, result) in [
            ("type:a", &["a"][..], true),
            ("type:a type:b", &["a"], false),
            ("type:a AND type:b", &["a", "b"], true),
            ("type:a OR type:b type:c", &["a"], true),
            ("type:a OR type:b type:c", &["b"], false),
            ("(type:a or type:b) && type:c", &["a"], false),
            ("(type:a || type:b) and type:c", &["b", "c"], true),
            ("!type:a", &["a"], false),
            ("!!type:a", &["a"], true),
            ("!(type:a OR type:b)", &[], true),
            ("TYPE:A", &["a"], true),
            ("type:order", &["order"], true),
            ("type:a(type:b)", &["a", "b"], true),
        ] {
            assert_eq!(holds(filter, on), result, "{filter} with {on:?}");
        }
    }

    #[test]
    fn mistakes_have_their_place_and_a_hint() {
        for (filter, position, told) in [
            ("", 1, "missing"),
            ("   ", 4, "missing"),
            ("type:", 6, "no name"),
            ("name:a", 1, "not a condition"),
            ("type:a OR", 10, "missing"),
            ("type:ä AND )", 12, "not a condition"),
            ("(type:a", 8, "not closed"),
            ("type:a)", 7, "closes nothing"),
            ("type:a ; type:b", 8, "not a condition"),
            ("access:secret", 14, "no access"),
            ("type:a && || type:b", 11, "not a condition"),
        ] {
            let error = parse(filter).unwrap_err();
            assert_eq!(error.code, ErrorCode::InvalidFilter, "{filter}");
            assert_eq!(
                error.details["position"], position,
                "{filter}: {}",
                error.message
            );
            assert!(error.message.contains(told), "{filter}: {}", error.message);
            assert!(error.hint.is_some());
        }
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_told() {
        let long = "type:a ".repeat(200_000);
        assert_eq!(
            parse(&long).unwrap_err().details["position"],
            MAX_BYTES as u32 + 1
        );
        assert!(parse(&"type:a ".repeat(1_999)).is_ok());
        assert!(
            parse(&"type:a ".repeat(2_001))
                .unwrap_err()
                .message
                .contains("too many")
        );
        assert!(
            parse(&"(".repeat(60_000))
                .unwrap_err()
                .message
                .contains("too deep")
        );
        assert!(parse(&format!("{}type:a", "!".repeat(60_001))).is_ok());
        let deep = format!("{}type:a{}", "(".repeat(64), ")".repeat(64));
        assert!(parse(&deep).is_ok());
    }

    #[test]
    fn wildcards_paths_and_namespaces() {
        let pattern = |text: &str| NamePattern(plain(text));
        for (wanted, text, result) in [
            ("Node*", "NodeStore", true),
            ("n?de", "Node", true),
            ("*store", "NodeStore", true),
            ("*a*b*c*", "xxaxxbxxc", true),
            ("node", "NodeStore", false),
            ("", "", true),
            ("?", "", false),
        ] {
            assert_eq!(pattern(wanted).fits(text), result, "{wanted} {text}");
        }
        assert!(pattern("Core.NodeStore").fits_path("Memo.Core.NodeStore"));
        assert!(pattern("Inner").fits_path("Memo.Outer+Inner"));
        assert!(pattern("core::Store").fits_path("memo::core::Store"));
        assert!(!pattern("Store").fits_path("Memo.NodeStore"));
        // `*` does not cross separators.
        assert!(pattern("Node*").fits_path("nodes.NodeStore"));
        assert!(!pattern("Node*").fits_path("nodes.Store"));
        assert!(!pattern("*.Store").fits_path("Store"));
        assert!(pattern("Core.*").fits_path("Memo.Core.Store"));
        assert!(!pattern("Memo.*").fits_path("Memo.Core.Store"));
        assert!(pattern("Memo").fits_namespace("Memo.Core"));
        assert!(pattern("memo.*").fits_namespace("Memo.Core.Deep"));
        assert!(!pattern("Memo.Core").fits_namespace("Memo.CoreX"));
    }

    proptest! {
        /// Whatever is written, there is a filter or a place at which it is wrong.
        #[test]
        fn nothing_breaks_it(text in "([a-z:()!&| ]|type:|OR |AND |\\PC){0,60}") {
            if let Err(error) = parse(&text) {
                prop_assert_eq!(error.code, ErrorCode::InvalidFilter);
                let position = error.details["position"].as_u64().unwrap() as usize;
                prop_assert!(position >= 1 && position <= text.chars().count() + 1);
            }
        }
    }
}
