//! JSON, with comments and trailing commas.

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::{Range as TextRange, Ranged};
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast, parse_to_serde_value,
};
use serde_json::{Map, Value};

use super::render;
use super::{DocumentError, Slot, Splice, Syntax, begins_line, indent_at, line_end};

pub(super) struct Json;

/// What editors of such files accept; not what only JSON5 has.
pub(super) const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A parsed text.
struct Parsed<'t> {
    text: &'t str,
    root: Option<Node<'t>>,
    /// Comments among them.
    tokens: Vec<TokenAndRange<'t>>,
}

impl<'t> Parsed<'t> {
    fn read(text: &'t str) -> Result<Self, DocumentError> {
        let collect = CollectOptions {
            comments: CommentCollectionStrategy::AsTokens,
            tokens: true,
        };
        let parsed = parse_to_ast(text, &collect, &OPTIONS);
        let parsed = parsed.map_err(|error| DocumentError::Broken(error.to_string()))?;
        Ok(Self {
            text,
            root: parsed.value,
            tokens: parsed.tokens.unwrap_or_default(),
        })
    }

    /// Tokens from a byte on.
    fn tokens_from(&self, at: usize) -> impl Iterator<Item = &TokenAndRange<'t>> {
        let first = self.tokens.partition_point(|token| token.start() < at);
        self.tokens.iter().skip(first)
    }

    /// The comma after a byte, with nothing but comments before it.
    fn comma_after(&self, at: usize) -> Option<TextRange> {
        let token = self.tokens_from(at).find(|token| !is_comment(token))?;
        matches!(token.token, Token::Comma).then_some(token.range)
    }

    /// The comma before a byte, with nothing but comments after it.
    fn comma_before(&self, at: usize) -> Option<TextRange> {
        let count = self.tokens.partition_point(|token| token.start() < at);
        let before = self.tokens.get(..count)?.iter().rev();
        let token = before.into_iter().find(|token| !is_comment(token))?;
        matches!(token.token, Token::Comma).then_some(token.range)
    }

    /// The end of the comments that follow a byte on its line.
    fn end_of_comments(&self, at: usize) -> usize {
        let mut end = at;
        for token in self.tokens_from(at) {
            let between = self.text.get(end..token.start()).unwrap_or("\n");
            if !is_comment(token) || between.contains('\n') {
                break;
            }
            end = token.end();
        }
        end
    }

    /// One level of indentation, as the text has it.
    fn unit(&self) -> &'t str {
        let Some(Node::Object(root)) = &self.root else {
            return "  ";
        };
        let first = root.properties.first().map(|property| property.start());
        let Some(first) = first.filter(|first| begins_line(self.text, *first)) else {
            return "  ";
        };
        let outer = indent_at(self.text, root.start());
        let inner = indent_at(self.text, first);
        match inner.strip_prefix(outer) {
            Some(unit) if !unit.is_empty() => unit,
            _ => "  ",
        }
    }
}

fn is_comment(token: &TokenAndRange<'_>) -> bool {
    matches!(token.token, Token::CommentLine(_) | Token::CommentBlock(_))
}

/// The property of a name; one that stands twice is not understood, for readers differ in which one counts.
fn property<'o, 't>(
    object: &'o Object<'t>,
    name: &str,
) -> Result<Option<&'o ObjectProp<'t>>, DocumentError> {
    let mut found = object
        .properties
        .iter()
        .filter(|property| property.name.as_str() == name);
    let first = found.next();
    match found.next() {
        None => Ok(first),
        Some(_) => Err(DocumentError::Shape(format!("`{name}` stands twice"))),
    }
}

/// A name with its value, as one object holds it.
fn one(name: &str, value: &Value) -> Value {
    let mut object = Map::new();
    object.insert(name.to_owned(), value.clone());
    Value::Object(object)
}

impl Syntax for Json {
    fn value(&self, text: &str) -> Result<Value, DocumentError> {
        let value: Option<Value> = parse_to_serde_value(text, &OPTIONS)
            .map_err(|error| DocumentError::Broken(error.to_string()))?;
        Ok(value.unwrap_or_else(|| Value::Object(Map::new())))
    }

    fn insert(
        &self,
        text: &str,
        slot: Slot<'_>,
        entry: &Value,
    ) -> Result<Vec<Splice>, DocumentError> {
        let parsed = Parsed::read(text)?;
        let root = match &parsed.root {
            Some(Node::Object(root)) => root,
            Some(_) => return Err(DocumentError::shape("it is not a map at the top")),
            None => return Ok(vec![whole(text, &one(slot.key, &one(slot.name, entry)))]),
        };
        match property(root, slot.key)?.map(|found| (found, &found.value)) {
            None => Ok(add(&parsed, root, slot.key, &one(slot.name, entry))),
            Some((_, Node::Object(servers))) => {
                property(servers, slot.name)?;
                Ok(add(&parsed, servers, slot.name, entry))
            }
            Some((found, Node::NullKeyword(null))) => {
                let indent = indent_at(text, found.start());
                let value = one(slot.name, entry);
                let value = render::json(&value, indent, parsed.unit(), line_end(text));
                Ok(vec![(null.range.start..null.range.end, value)])
            }
            Some(_) => Err(DocumentError::Shape(format!("`{}` is not a map", slot.key))),
        }
    }

    fn remove(
        &self,
        text: &str,
        slot: Slot<'_>,
        with_key: bool,
    ) -> Result<Vec<Splice>, DocumentError> {
        let parsed = Parsed::read(text)?;
        let Some(Node::Object(root)) = &parsed.root else {
            return Ok(Vec::new());
        };
        let Some(key) = property(root, slot.key)? else {
            return Ok(Vec::new());
        };
        let Node::Object(servers) = &key.value else {
            return Ok(Vec::new());
        };
        let Some(entry) = property(servers, slot.name)? else {
            return Ok(Vec::new());
        };
        let is_alone = servers.properties.len() == 1;
        Ok(take_out(
            &parsed,
            if is_alone && with_key { key } else { entry },
        ))
    }
}

/// A document with nothing but white space and comments gets an object behind them.
fn whole(text: &str, value: &Value) -> Splice {
    let end = line_end(text);
    let value = render::json(value, "", "  ", end);
    if text.trim().is_empty() {
        return (0..text.len(), format!("{value}{end}"));
    }
    let gap = if text.ends_with('\n') { "" } else { end };
    (text.len()..text.len(), format!("{gap}{value}{end}"))
}

/// Puts a property behind the last one of an object, in the object's own manner.
fn add(parsed: &Parsed<'_>, object: &Object<'_>, name: &str, value: &Value) -> Vec<Splice> {
    let text = parsed.text;
    let (unit, end) = (parsed.unit(), line_end(text));
    let close = object.end() - 1;
    let inline = format!("{}: {}", Value::from(name), render::on_one_line(value));
    let lines = |indent: &str| {
        let value = render::json(value, indent, unit, end);
        format!("{}: {value}", Value::from(name))
    };
    let Some(last) = object.properties.last() else {
        let inner = text.get(object.start() + 1..close).unwrap_or_default();
        let is_compact = inner.is_empty() && !text.trim_end().contains('\n') && text.trim() != "{}";
        if is_compact {
            return vec![(close..close, inline)];
        }
        let outer = indent_at(text, object.start());
        let indent = format!("{outer}{unit}");
        let from = object.start() + 1 + inner.trim_end().len();
        let property = lines(&indent);
        return vec![(from..close, format!("{end}{indent}{property}{end}{outer}"))];
    };
    let comma = parsed.comma_after(last.end());
    let behind = comma.map_or(last.end(), |comma| comma.end);
    let mut splices = Vec::new();
    if comma.is_none() {
        splices.push((last.end()..last.end(), ",".to_owned()));
    }
    let trailing = if comma.is_some() { "," } else { "" };
    if begins_line(text, last.start()) {
        let indent = indent_at(text, last.start());
        let at = parsed.end_of_comments(behind);
        splices.push((at..at, format!("{end}{indent}{}{trailing}", lines(indent))));
        return splices;
    }
    // On one line with what is before it. A comment to the line's end would swallow what is put behind it.
    splices.push((behind..behind, format!(" {inline}{trailing}")));
    splices
}

/// Takes a property out with its comma, and with its line where nothing else is on it.
fn take_out(parsed: &Parsed<'_>, property: &ObjectProp<'_>) -> Vec<Splice> {
    let text = parsed.text;
    let comma = parsed.comma_after(property.end());
    let mut end = comma.map_or(property.end(), |comma| comma.end);
    let mut start = property.start();
    let mut splices = Vec::new();
    let before = text.get(..start).unwrap_or_default();
    let rest = text.get(end..).unwrap_or_default();
    let ends_line = rest
        .trim_start_matches([' ', '\t', '\r'])
        .starts_with(['\n', '}']);
    if begins_line(text, start) && ends_line {
        let kept = before.trim_end_matches([' ', '\t']);
        let kept = kept.strip_suffix('\n').unwrap_or(kept);
        start = kept.strip_suffix('\r').unwrap_or(kept).len();
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        end += if rest.trim_start_matches([' ', '\t']).starts_with('}') {
            0
        } else {
            spaces
        };
    } else if comma.is_some() && !before.trim_end_matches([' ', '\t']).ends_with(',') {
        end += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    } else {
        start = before.trim_end_matches([' ', '\t']).len();
    }
    if comma.is_none()
        && let Some(comma) = parsed.comma_before(property.start())
    {
        let joined = comma.end >= start;
        match joined {
            true => start = start.min(comma.start),
            false => splices.push((comma.start..comma.end, String::new())),
        }
    }
    splices.push((start..end, String::new()));
    splices
}
