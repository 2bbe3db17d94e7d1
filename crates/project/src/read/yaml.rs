//! YAML by its events: aliases are not followed, so no document grows while it is read.

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::{ManifestKey, ManifestNode, ManifestValue};
use crate::source::{ManifestSource, ProblemKind};

/// Deeper documents end here.
const MAX_DEPTH: usize = 64;

/// Reads the first document, up to where it stops to parse.
pub(crate) fn read_yaml(source: &mut ManifestSource<'_>) -> ManifestNode {
    let mut builder = YamlBuilder::default();
    let mut offsets = Offsets::new(source.text);
    let mut problem = None;
    for event in Parser::new_from_str(source.text) {
        match event {
            Ok((Event::DocumentEnd | Event::StreamEnd, _)) => break,
            Ok((event, span)) => {
                let offset = offsets.node_at(span);
                if !builder.take(event, offset) {
                    problem = Some((offset, "It is nested too deeply".to_owned()));
                    break;
                }
            }
            Err(error) => {
                let offset = offsets.node_at(Span::new(*error.marker(), *error.marker()));
                problem = Some((offset, format!("This is not YAML: {}", error.info())));
                break;
            }
        }
    }
    if let Some((offset, message)) = problem {
        source.problem(offset, ProblemKind::Syntax, format!("{message}."));
    }
    builder.finish()
}

/// Markers count characters, everything else here counts bytes; they come in order.
struct Offsets<'a> {
    text: &'a str,
    characters: usize,
    bytes: usize,
}

impl<'a> Offsets<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            characters: 0,
            bytes: 0,
        }
    }

    fn node_at(&mut self, span: Span) -> u32 {
        let wanted = span.start.index();
        if wanted > self.characters {
            let ahead = wanted - self.characters;
            let rest = &self.text[self.bytes..];
            let step = rest
                .char_indices()
                .nth(ahead)
                .map_or(rest.len(), |(at, _)| at);
            self.bytes += step;
            self.characters = wanted;
        }
        self.bytes as u32
    }
}

/// Open lists and maps, outermost first.
#[derive(Default)]
struct YamlBuilder {
    open: Vec<(ManifestNode, Option<ManifestKey>)>,
    result: ManifestNode,
}

impl YamlBuilder {
    /// False when the document is too deep.
    fn take(&mut self, event: Event<'_>, offset: u32) -> bool {
        let value = match event {
            Event::Scalar(text, style, _, _) => scalar(&text, style),
            Event::Alias(_) => ManifestValue::Null,
            Event::SequenceStart(..) => return self.open(ManifestValue::List(Vec::new()), offset),
            Event::MappingStart(..) => return self.open(ManifestValue::Map(Vec::new()), offset),
            Event::SequenceEnd | Event::MappingEnd => {
                self.close();
                return true;
            }
            _ => return true,
        };
        self.put(ManifestNode { offset, value });
        true
    }

    fn open(&mut self, value: ManifestValue, offset: u32) -> bool {
        self.open.push((ManifestNode { offset, value }, None));
        self.open.len() <= MAX_DEPTH
    }

    fn close(&mut self) {
        if let Some((node, _)) = self.open.pop() {
            self.put(node);
        }
    }

    fn put(&mut self, node: ManifestNode) {
        let Some((parent, key)) = self.open.last_mut() else {
            self.result = node;
            return;
        };
        match (&mut parent.value, key.take()) {
            (ManifestValue::List(items), _) => items.push(node),
            (ManifestValue::Map(entries), Some(name)) => entries.push((name, node)),
            (ManifestValue::Map(_), None) => {
                let (ManifestValue::Text(name) | ManifestValue::Other(name)) = node.value else {
                    // A list as a name: nothing looks for it, but its value must not become one.
                    *key = Some(ManifestKey {
                        name: String::new(),
                        offset: node.offset,
                    });
                    return;
                };
                *key = Some(ManifestKey {
                    name,
                    offset: node.offset,
                });
            }
            _ => {}
        }
    }

    fn finish(mut self) -> ManifestNode {
        while !self.open.is_empty() {
            self.close();
        }
        self.result
    }
}

fn scalar(text: &str, style: ScalarStyle) -> ManifestValue {
    match (style, text) {
        (ScalarStyle::Plain, "" | "~" | "null") => ManifestValue::Null,
        (ScalarStyle::Plain, "true") => ManifestValue::Bool(true),
        (ScalarStyle::Plain, "false") => ManifestValue::Bool(false),
        _ => ManifestValue::Text(text.to_owned()),
    }
}
