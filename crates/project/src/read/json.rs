//! JSON with comments and trailing commas, as TypeScript and the package managers take it.

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::{Key, Node, Value};
use crate::source::{ProblemKind, Source};

/// Reads a document; an empty node and a problem when it does not parse. The parser bounds the
/// nesting to 512.
pub(crate) fn read_json(source: &mut Source<'_>) -> Option<Node> {
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

fn convert(value: &ast::Value<'_>) -> Node {
    let converted = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::NumberLit(number) => Value::Other(number.value.to_string()),
        ast::Value::BooleanLit(flag) => Value::Bool(flag.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => Value::List(array.elements.iter().map(convert).collect()),
        ast::Value::Object(object) => Value::Map(
            object
                .properties
                .iter()
                .map(|property| {
                    let key = Key {
                        name: property.name.as_str().to_owned(),
                        offset: property.range.start as u32,
                    };
                    (key, convert(&property.value))
                })
                .collect(),
        ),
    };
    Node {
        offset: value.start() as u32,
        value: converted,
    }
}
