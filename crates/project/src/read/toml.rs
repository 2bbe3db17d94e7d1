//! TOML; what stands before and after a mistake is read all the same.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ManifestKey, ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind};

/// Reads a document with its mistakes as problems. The parser bounds the nesting to 80.
pub(crate) fn read_toml(source: &mut ManifestSource<'_>) -> ManifestNode {
    let (table, errors) = DeTable::parse_recoverable(source.text);
    for error in errors {
        let offset = error.span().map_or(0, |span| span.start) as u32;
        let message = format!("This is not TOML: {}.", error.message());
        source.problem(offset, ProblemKind::Syntax, message);
    }
    ManifestNode {
        offset: 0,
        value: convert_table(table.get_ref()),
    }
}

fn convert_table(table: &DeTable<'_>) -> ManifestValue {
    let mut entries: Vec<(ManifestKey, ManifestNode)> = table
        .iter()
        .map(|(name, value)| {
            let key = ManifestKey {
                name: name.get_ref().to_string(),
                offset: name.span().start as u32,
            };
            (key, convert(value))
        })
        .collect();
    // The library sorts by name; the order of the file is what people see.
    entries.sort_by_key(|(key, _)| key.offset);
    ManifestValue::Map(entries)
}

fn convert(value: &Spanned<DeValue<'_>>) -> ManifestNode {
    let converted = match value.get_ref() {
        DeValue::String(text) => ManifestValue::Text(text.to_string()),
        DeValue::Integer(number) => ManifestValue::Other(number.as_str().to_owned()),
        DeValue::Float(number) => ManifestValue::Other(number.as_str().to_owned()),
        DeValue::Boolean(flag) => ManifestValue::Bool(*flag),
        DeValue::Datetime(date) => ManifestValue::Other(date.to_string()),
        DeValue::Array(items) => ManifestValue::List(items.iter().map(convert).collect()),
        DeValue::Table(table) => convert_table(table),
    };
    ManifestNode {
        offset: value.span().start as u32,
        value: converted,
    }
}
