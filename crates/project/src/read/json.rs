//! JSON with comments and trailing commas, as TypeScript and the package managers take it.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{ManifestKey, ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind};

/// Reads a document; an empty node and a problem when it does not parse. The parser bounds the
/// nesting to 512.
pub(crate) fn read_json(source: &mut ManifestSource<'_>) -> Option<ManifestNode> {
    let options = ParseOptions::default();
    match parse_to_ast(source.text, &CollectOptions::default(), &options) {
        Ok(result) => match result.value {
            Some(value) => Some(convert(&value)),
            None => {
                source.problem(0, ProblemKind::Syntax, "The file is empty.");
                None
            }
        },
        Err(error) => {
            let message = format!("This is not JSON: {}.", error.kind());
            source.problem(error.range().start as u32, ProblemKind::Syntax, message);
            None
        }
    }
}

fn convert(value: &ast::Value<'_>) -> ManifestNode {
    let converted = match value {
        ast::Value::StringLit(text) => ManifestValue::Text(text.value.to_string()),
        ast::Value::NumberLit(number) => ManifestValue::Other(number.value.to_string()),
        ast::Value::BooleanLit(flag) => ManifestValue::Bool(flag.value),
        ast::Value::NullKeyword(_) => ManifestValue::Null,
        ast::Value::Array(array) => {
            ManifestValue::List(array.elements.iter().map(convert).collect())
        }
        ast::Value::Object(object) => ManifestValue::Map(
            object
                .properties
                .iter()
                .map(|property| {
                    let key = ManifestKey {
                        name: property.name.as_str().to_owned(),
                        offset: property.range.start as u32,
                    };
                    (key, convert(&property.value))
                })
                .collect(),
        ),
    };
    ManifestNode {
        offset: value.start() as u32,
        value: converted,
    }
}
