//! YAML: block maps at the top and below the key. What is written otherwise is left alone.

use std::ops::Range;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle};
use serde_json::{Map, Value};

use super::render;
use super::{DocumentError, Slot, Splice, Syntax, indent_at, line_end};

pub(super) struct Yaml;

/// Deeper documents are left alone.
const MAX_DEPTH: usize = 64;

/// A node of the one document.
#[derive(Debug)]
enum Node {
    /// What it means, and its bytes.
    Leaf(Value, Range<usize>),
    /// Its members, and the byte that it begins at.
    Map(Vec<(Node, Node)>, usize),
    /// Its items, and the byte that it begins at.
    List(Vec<Node>, usize),
}

impl Node {
    fn start(&self) -> usize {
        match self {
            Self::Leaf(_, range) => range.start,
            Self::Map(_, start) | Self::List(_, start) => *start,
        }
    }

    /// Where the last word of it ends.
    fn end(&self) -> usize {
        match self {
            Self::Leaf(_, range) => range.end,
            Self::Map(members, start) => members.last().map_or(*start, |(_, value)| value.end()),
            Self::List(items, start) => items.last().map_or(*start, Self::end),
        }
    }

    fn value(&self) -> Value {
        match self {
            Self::Leaf(value, _) => value.clone(),
            Self::List(items, _) => items.iter().map(Self::value).collect(),
            Self::Map(members, _) => {
                let name = |key: &Node| match key.value() {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                let members = members.iter();
                Value::Object(
                    members
                        .map(|(key, value)| (name(key), value.value()))
                        .collect(),
                )
            }
        }
    }
}

impl Syntax for Yaml {
    fn value(&self, text: &str) -> Result<Value, DocumentError> {
        let root = parse(text)?;
        match root {
            None | Some(Node::Leaf(Value::Null, _)) => Ok(Value::Object(Map::new())),
            Some(root) => {
                has_no_double(&root)?;
                Ok(root.value())
            }
        }
    }

    fn insert(
        &self,
        text: &str,
        slot: Slot<'_>,
        entry: &Value,
    ) -> Result<Vec<Splice>, DocumentError> {
        let end = line_end(text);
        let members = match parse(text)? {
            None | Some(Node::Leaf(Value::Null, _)) => Vec::new(),
            Some(Node::Map(members, start)) if !text[start..].starts_with('{') => members,
            Some(_) => return Err(DocumentError::shape("it is not a block map at the top")),
        };
        let Some((key, value)) = members.iter().find(|(key, _)| is_named(key, slot.key)) else {
            if text.lines().any(|line| line.trim_end() == "...") {
                return Err(DocumentError::shape("it says where it ends"));
            }
            let gap = if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                end
            };
            let lines = lines(slot.name, entry, "  ", "  ", end);
            let whole = format!("{gap}{}:{end}{lines}", render::yaml(&slot.key.into()));
            return Ok(vec![(text.len()..text.len(), whole)]);
        };
        let outer = indent_at(text, key.start());
        match value {
            Node::Map(members, _) if !members.is_empty() => {
                let first = members.first().map_or(0, |(key, _)| key.start());
                let indent = indent_at(text, first);
                let line = key_line(text, key);
                if first < line.end || text[value.start()..].starts_with('{') {
                    let what = format!("`{}` is not a block map", slot.key);
                    return Err(DocumentError::Shape(what));
                }
                let unit = indent.strip_prefix(outer).filter(|unit| !unit.is_empty());
                let lines = lines(slot.name, entry, indent, unit.unwrap_or("  "), end);
                Ok(vec![(line.end..line.end, lines)])
            }
            // Nothing below it: `{}`, `null` or nothing at all.
            Node::Map(_, _) | Node::Leaf(Value::Null, _) => {
                let line = key_line(text, key);
                let said = text.get(key.end()..line.end).unwrap_or_default();
                let (before, comment) = match said.find(" #") {
                    Some(at) => said.split_at(at),
                    None => (said.trim_end(), ""),
                };
                let colon = before.find(':').map_or(before.len(), |at| at + 1);
                let unit = "  ";
                let indent = format!("{outer}{unit}");
                let lines = lines(slot.name, entry, &indent, unit, end);
                let comment = comment.trim_end();
                let from = key.end() + colon;
                Ok(vec![(from..line.end, format!("{comment}{end}{lines}"))])
            }
            _ => Err(DocumentError::Shape(format!("`{}` is not a map", slot.key))),
        }
    }

    fn remove(
        &self,
        text: &str,
        slot: Slot<'_>,
        with_key: bool,
    ) -> Result<Vec<Splice>, DocumentError> {
        let Some(Node::Map(members, _)) = parse(text)? else {
            return Ok(Vec::new());
        };
        let Some((key, value)) = members.iter().find(|(key, _)| is_named(key, slot.key)) else {
            return Ok(Vec::new());
        };
        let Node::Map(servers, _) = value else {
            return Ok(Vec::new());
        };
        let Some((name, entry)) = servers.iter().find(|(key, _)| is_named(key, slot.name)) else {
            return Ok(Vec::new());
        };
        let is_alone = servers.len() == 1 && with_key;
        let from = if is_alone { key } else { name };
        let start = text[..from.start()].rfind('\n').map_or(0, |at| at + 1);
        if !text[start..from.start()].trim().is_empty() {
            return Err(DocumentError::shape("the entry has no line of its own"));
        }
        let last = entry.end().max(name.end());
        // A block of text ends where the next line begins.
        let last = last - usize::from(text[..last].ends_with('\n'));
        let rest = text.get(last..).unwrap_or_default();
        let end = rest.find('\n').map_or(text.len(), |at| last + at + 1);
        Ok(vec![(start..end, String::new())])
    }
}

fn is_named(key: &Node, name: &str) -> bool {
    matches!(key, Node::Leaf(Value::String(text), _) if text == name)
}

/// The rest of a key's line, with its end.
fn key_line(text: &str, key: &Node) -> Range<usize> {
    let start = key.start();
    let length = text[start..]
        .find('\n')
        .map_or(text.len() - start, |at| at + 1);
    start..start + length
}

/// An entry as lines below its key.
fn lines(name: &str, entry: &Value, indent: &str, unit: &str, end: &str) -> String {
    let mut out = format!("{indent}{}:{end}", render::yaml(&name.into()));
    for (key, value) in entry.as_object().into_iter().flatten() {
        let (key, value) = (render::yaml(&key.as_str().into()), render::yaml(value));
        out.push_str(&format!("{indent}{unit}{key}: {value}{end}"));
    }
    out
}

/// A key that stands twice is refused by some readers and counts once for others.
fn has_no_double(root: &Node) -> Result<(), DocumentError> {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        match node {
            Node::Leaf(..) => {}
            Node::List(items, _) => open.extend(items),
            Node::Map(members, _) => {
                let mut names = std::collections::HashSet::new();
                for (key, value) in members {
                    let name = key.value().to_string();
                    if !names.insert(name.clone()) {
                        return Err(DocumentError::Broken(format!("{name} stands twice")));
                    }
                    open.push(value);
                }
            }
        }
    }
    Ok(())
}

/// Markers count characters, everything else here counts bytes; they come nearly in order.
struct Offsets<'t> {
    text: &'t str,
    characters: usize,
    bytes: usize,
}

impl Offsets<'_> {
    fn of(&mut self, marker: Marker) -> usize {
        let wanted = marker.index();
        if wanted < self.characters {
            // A node's start, after the end of the one before it was asked for.
            let back = self.characters - wanted;
            let before = self.text.get(..self.bytes).unwrap_or_default();
            let at = before.char_indices().rev().nth(back - 1);
            return at.map_or(0, |(at, _)| at);
        }
        let rest = self.text.get(self.bytes..).unwrap_or_default();
        let ahead = rest.char_indices().nth(wanted - self.characters);
        self.bytes += ahead.map_or(rest.len(), |(at, _)| at);
        self.characters = wanted;
        self.bytes
    }
}

/// An open list or map, with the key that waits for its value.
struct Open {
    node: Node,
    key: Option<Node>,
}

/// The one document of a text; none where it has none.
fn parse(text: &str) -> Result<Option<Node>, DocumentError> {
    let broken = |error: &dyn std::fmt::Display| DocumentError::Broken(error.to_string());
    let mut offsets = Offsets {
        text,
        characters: 0,
        bytes: 0,
    };
    let mut open: Vec<Open> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| broken(&error))?;
        let start = offsets.of(span.start);
        let done = match event {
            Event::DocumentStart(_) if root.is_some() => {
                return Err(DocumentError::shape("it has more than one document"));
            }
            Event::Scalar(word, style, _, tag) => {
                let value = match style {
                    ScalarStyle::Plain if tag.is_none() => plain(&word),
                    _ => Value::from(word.as_ref()),
                };
                Some(Node::Leaf(value, start..offsets.of(span.end)))
            }
            Event::Alias(id) => {
                let value = Value::from(format!("*{id}"));
                Some(Node::Leaf(value, start..offsets.of(span.end)))
            }
            Event::MappingStart(..) | Event::SequenceStart(..) if open.len() >= MAX_DEPTH => {
                return Err(DocumentError::shape("it is nested too deeply"));
            }
            Event::MappingStart(..) => {
                let node = Node::Map(Vec::new(), start);
                open.push(Open { node, key: None });
                None
            }
            Event::SequenceStart(..) => {
                let node = Node::List(Vec::new(), start);
                open.push(Open { node, key: None });
                None
            }
            Event::MappingEnd | Event::SequenceEnd => open.pop().map(|open| open.node),
            _ => None,
        };
        let Some(done) = done else {
            continue;
        };
        match open.last_mut() {
            None => root = Some(done),
            Some(Open { node, key }) => match (node, key.take()) {
                (Node::Map(members, _), Some(name)) => members.push((name, done)),
                (Node::Map(..), None) => *key = Some(done),
                (Node::List(items, _), _) => items.push(done),
                (Node::Leaf(..), _) => {}
            },
        }
    }
    Ok(root)
}

/// What a word without quotes means.
fn plain(word: &str) -> Value {
    match word {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match word.parse::<i64>() {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(word),
        },
    }
}
