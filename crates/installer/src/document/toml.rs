//! TOML: an entry is a table with a header of its own.

use serde_json::{Map, Value};
use toml_parser::decoder::Encoding;
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, Source, Span};

use super::{DocumentError, Slot, Splice, Syntax, line_end};

pub(super) struct Toml;

impl Syntax for Toml {
    fn value(&self, text: &str) -> Result<Value, DocumentError> {
        let broken = |error: &toml::de::Error| DocumentError::Broken(error.message().to_owned());
        let table: Map<String, Value> = toml::from_str(text).map_err(|error| broken(&error))?;
        Ok(Value::Object(table))
    }

    /// Behind everything: tables may stand in any order, and the last one ends with the file.
    fn insert(
        &self,
        text: &str,
        slot: Slot<'_>,
        entry: &Value,
    ) -> Result<Vec<Splice>, DocumentError> {
        let end = line_end(text);
        let body = toml::to_string(entry);
        let body = body.map_err(|error| DocumentError::Shape(error.to_string()))?;
        let header = format!("[{}.{}]\n", key(slot.key), key(slot.name));
        let table = format!("{header}{body}").replace('\n', end);
        let gap = match text {
            "" => String::new(),
            _ if text.ends_with('\n') => end.to_owned(),
            _ => end.repeat(2),
        };
        Ok(vec![(text.len()..text.len(), format!("{gap}{table}"))])
    }

    fn remove(
        &self,
        text: &str,
        slot: Slot<'_>,
        _with_key: bool,
    ) -> Result<Vec<Splice>, DocumentError> {
        let tables = tables(text);
        let wanted = [slot.key, slot.name];
        let is_ours = |table: &TomlTable| table.path.iter().take(2).eq(wanted.iter());
        let mut splices = Vec::new();
        for (at, table) in tables
            .iter()
            .enumerate()
            .filter(|(_, table)| is_ours(table))
        {
            let next = tables.get(at + 1).map_or(text.len(), |next| next.start);
            let body = text.get(table.content_end..next).unwrap_or_default();
            // The rest of its last line; what follows belongs to the next table.
            let line = body.find('\n').map_or(body.len(), |newline| newline + 1);
            let mut start = table.start;
            let before = text.get(..start).unwrap_or_default();
            // The empty line before it went in with it.
            for gap in ["\n\r\n", "\n\n"] {
                if before.ends_with(gap) {
                    start -= gap.len() - 1;
                    break;
                }
            }
            splices.push((start..table.content_end + line, String::new()));
        }
        Ok(splices)
    }
}

/// A key as it is written: bare where it can be.
fn key(name: &str) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    match !name.is_empty() && name.chars().all(is_bare) {
        true => name.to_owned(),
        false => Value::from(name).to_string(), // a JSON string is a basic string
    }
}

/// A table with a header.
#[derive(Debug, Default)]
struct TomlTable {
    path: Vec<String>,
    /// Where the header begins.
    start: usize,
    /// Where its last value ends, or its header.
    content_end: usize,
}

fn tables(text: &str) -> Vec<TomlTable> {
    let source = Source::new(text);
    let tokens = source.lex().into_vec();
    let mut headers = Headers {
        source,
        tables: Vec::new(),
        is_open: false,
    };
    parse_document(&tokens, &mut headers, &mut ());
    headers.tables
}

/// Takes the headers out of the events of a document.
struct Headers<'t> {
    source: Source<'t>,
    tables: Vec<TomlTable>,
    /// Whether keys belong to a header.
    is_open: bool,
}

impl Headers<'_> {
    fn open(&mut self, span: Span) {
        self.is_open = true;
        self.tables.push(TomlTable {
            path: Vec::new(),
            start: span.start(),
            content_end: span.end(),
        });
    }

    fn extend(&mut self, span: Span) {
        if let Some(table) = self.tables.last_mut() {
            table.content_end = table.content_end.max(span.end());
        }
    }
}

impl EventReceiver for Headers<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.open(span);
    }

    fn std_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.is_open = false;
        self.extend(span);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.open(span);
    }

    fn array_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.is_open = false;
        self.extend(span);
    }

    fn simple_key(&mut self, span: Span, _: Option<Encoding>, error: &mut dyn ErrorSink) {
        self.extend(span);
        if !self.is_open {
            return;
        }
        let mut name = std::borrow::Cow::Borrowed("");
        if let Some(raw) = self.source.get(span) {
            raw.decode_key(&mut name, error);
        }
        if let Some(table) = self.tables.last_mut() {
            table.path.push(name.into_owned());
        }
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.extend(span);
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.extend(span);
    }

    fn scalar(&mut self, span: Span, _: Option<Encoding>, _: &mut dyn ErrorSink) {
        self.extend(span);
    }
}
