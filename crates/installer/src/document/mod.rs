//! Changes of documents in place. Each form finds the bytes to change; here a change is held against the parsed document
//! before and after, so that nothing else has another meaning afterwards.

mod block;
mod json;
mod list;
mod render;
mod toml;
mod yaml;

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Map, Value};

pub use block::{MARK_BEGIN, MARK_END};
pub(crate) use block::{block_of, insert_block, remove_block, wrapped};
pub(crate) use list::ListSlot;

/// The form of a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// JSON; comments and trailing commas are kept where a file has them.
    Json,
    /// TOML.
    Toml,
    /// YAML.
    Yaml,
}

/// Where an entry is: below which key, by which name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'a> {
    pub(crate) key: &'a str,
    pub(crate) name: &'a str,
}

/// Why a document is left alone, as a part of a sentence: "it …".
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum DocumentError {
    /// It is not of its form.
    #[error("it does not parse: {0}")]
    Broken(String),
    /// It is of its form, and something in it is where an entry could not be put.
    #[error("its shape is not understood: {0}")]
    Shape(String),
}

impl DocumentError {
    fn shape(what: impl Into<String>) -> Self {
        Self::Shape(what.into())
    }
}

/// One replacement of bytes.
pub(crate) type Splice = (Range<usize>, String);

/// What a form can do. Every function sees a text without a byte order mark.
trait Syntax {
    /// The document as a value; an empty one is an empty object.
    fn value(&self, text: &str) -> Result<Value, DocumentError>;
    /// The replacements that put an entry where none is.
    fn insert(
        &self,
        text: &str,
        slot: Slot<'_>,
        entry: &Value,
    ) -> Result<Vec<Splice>, DocumentError>;
    /// The replacements that take an entry out, with the key where nothing else is below it and `with_key`.
    fn remove(
        &self,
        text: &str,
        slot: Slot<'_>,
        with_key: bool,
    ) -> Result<Vec<Splice>, DocumentError>;
}

impl Form {
    fn syntax(self) -> &'static dyn Syntax {
        match self {
            Self::Json => &json::Json,
            Self::Toml => &toml::Toml,
            Self::Yaml => &yaml::Yaml,
        }
    }

    /// The entry of a document; none where there is none.
    pub(crate) fn read(self, text: &str, slot: Slot<'_>) -> Result<Option<Value>, DocumentError> {
        let value = self.syntax().value(without_bom(text))?;
        let below = servers(&value, slot)?;
        Ok(below.and_then(|servers| servers.get(slot.name)).cloned())
    }

    /// Whether the document has the key that entries are below.
    pub(crate) fn has_key(self, text: &str, slot: Slot<'_>) -> bool {
        let value = self.syntax().value(without_bom(text));
        value.is_ok_and(|value| value.get(slot.key).is_some())
    }

    /// Whether nothing is said in the document.
    pub(crate) fn is_empty(self, text: &str) -> bool {
        let text = without_bom(text);
        let is_bare = match self {
            Self::Json => text
                .chars()
                .all(|letter| letter.is_whitespace() || "{}".contains(letter)),
            Self::Toml | Self::Yaml => text.trim().is_empty(),
        };
        is_bare && self.syntax().value(text).is_ok()
    }

    /// The document with an entry where none is.
    pub(crate) fn insert(
        self,
        text: &str,
        slot: Slot<'_>,
        entry: &Value,
    ) -> Result<String, DocumentError> {
        let body = without_bom(text);
        let before = self.syntax().value(body)?;
        servers(&before, slot)?;
        let splices = self.syntax().insert(body, slot, entry)?;
        let after = spliced(body, splices);
        let mut expected = before;
        set(&mut expected, slot, entry);
        self.confirm(&after, &expected)?;
        Ok(with_bom(text, after))
    }

    /// The document without an entry that is there.
    pub(crate) fn remove(
        self,
        text: &str,
        slot: Slot<'_>,
        with_key: bool,
    ) -> Result<String, DocumentError> {
        let body = without_bom(text);
        let mut expected = self.syntax().value(body)?;
        servers(&expected, slot)?;
        let splices = self.syntax().remove(body, slot, with_key)?;
        let after = spliced(body, splices);
        unset(&mut expected, slot);
        self.confirm(&after, &expected)?;
        Ok(with_bom(text, after))
    }

    /// A change that would change anything else is not made.
    fn confirm(self, after: &str, expected: &Value) -> Result<(), DocumentError> {
        let found = self.syntax().value(after);
        let found = found.map_err(|_| DocumentError::shape("a change would break it"))?;
        match bare(&found) == bare(expected) {
            true => Ok(()),
            false => Err(DocumentError::shape("a change would change other settings")),
        }
    }
}

/// A document but for keys with nothing below them at the top, which come and go with an entry.
fn bare(value: &Value) -> Map<String, Value> {
    let says_something = |value: &Value| match value {
        Value::Null => false,
        Value::Object(object) => !object.is_empty(),
        _ => true,
    };
    let object = value.as_object().cloned().unwrap_or_default();
    object
        .into_iter()
        .filter(|(_, value)| says_something(value))
        .collect()
}

/// What is below the key; none where there is no key, or nothing below it.
fn servers<'v>(
    value: &'v Value,
    slot: Slot<'_>,
) -> Result<Option<&'v Map<String, Value>>, DocumentError> {
    let Some(object) = value.as_object() else {
        return Err(DocumentError::shape("it is not a map at the top"));
    };
    match object.get(slot.key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(servers)) => Ok(Some(servers)),
        Some(_) => {
            let what = format!("`{}` is not a map", slot.key);
            Err(DocumentError::Shape(what))
        }
    }
}

fn set(value: &mut Value, slot: Slot<'_>, entry: &Value) {
    let Some(object) = value.as_object_mut() else {
        return; // `servers` has looked at it
    };
    let servers = object.entry(slot.key).or_insert(Value::Null);
    if servers.is_null() {
        *servers = Value::Object(Map::new());
    }
    if let Some(servers) = servers.as_object_mut() {
        servers.insert(slot.name.to_owned(), entry.clone());
    }
}

fn unset(value: &mut Value, slot: Slot<'_>) {
    let servers = value.get_mut(slot.key).and_then(Value::as_object_mut);
    if let Some(servers) = servers {
        servers.shift_remove(slot.name);
    }
}

/// What some editors put before a text.
const BOM: char = '\u{feff}';

fn without_bom(text: &str) -> &str {
    text.strip_prefix(BOM).unwrap_or(text)
}

fn with_bom(before: &str, after: String) -> String {
    match before.starts_with(BOM) {
        true => format!("{BOM}{after}"),
        false => after,
    }
}

/// The text with replacements made, which do not overlap.
fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len() + 256);
    let mut end = 0;
    for (range, with) in &splices {
        out.push_str(text.get(end..range.start).unwrap_or_default());
        out.push_str(with);
        end = range.end;
    }
    out.push_str(text.get(end..).unwrap_or_default());
    out
}

/// The line end that a text uses first; LF where it has none.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// The white space that the line of a byte begins with.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..at];
    let length = line.len() - line.trim_start_matches([' ', '\t']).len();
    &line[..length]
}

/// Whether only white space is between the line's begin and a byte.
fn begins_line(text: &str, at: usize) -> bool {
    indent_at(text, at).len() == at - text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

#[cfg(test)]
mod tests;
