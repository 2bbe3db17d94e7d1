//! XML into a tree of elements. A document that breaks off gives what was read up to there.
//! Entities that a document type declares are not expanded: they stay out.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::source::{ManifestSource, ProblemKind, SourcePosition, SpannedText};

/// Deeper documents end here.
const MAX_DEPTH: usize = 64;

/// An element with its attributes, children and text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Element {
    /// The name without its namespace's prefix.
    pub(crate) name: String,
    pub(crate) at: SourcePosition,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Element>,
    /// All character data directly in it.
    pub(crate) text: String,
}

impl Element {
    /// An attribute's value; names of other case count, as MSBuild takes them.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
        self.attributes
            .iter()
            .find(found)
            .map(|(_, value)| value.as_str())
    }

    /// The first child of that name.
    pub(crate) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Children of that name.
    pub(crate) fn children<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The trimmed text at the end of several names.
    pub(crate) fn text_at(&self, names: &[&str]) -> Option<SpannedText> {
        let element = names.iter().try_fold(self, |at, name| at.child(name))?;
        let text = element.text.trim();
        (!text.is_empty()).then(|| SpannedText {
            text: text.to_owned(),
            at: element.at,
        })
    }
}

/// Reads a document; none when it has no element at all.
pub(crate) fn read_xml(source: &mut ManifestSource<'_>) -> Option<Element> {
    let mut reader = Reader::from_str(source.text);
    let mut tree = XmlTree::default();
    let mut failure: Option<(u64, String)> = None;
    loop {
        let before = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                failure = Some((reader.error_position(), error.to_string()));
                break;
            }
        };
        if matches!(event, Event::Eof) {
            break;
        }
        if let Err(message) = tree.take(event, source.at(before as u32)) {
            failure = Some((before, message));
            break;
        }
    }
    if failure.is_none() && !tree.open.is_empty() {
        let message = "the document ends inside an element".to_owned();
        failure = Some((source.text.len() as u64, message));
    }
    if let Some((offset, message)) = failure {
        let message = format!("This is not XML: {}.", message.trim_end_matches('.'));
        source.problem(offset as u32, ProblemKind::Syntax, message);
    }
    let root = tree.finish();
    if root.is_none() && source.problems.is_empty() {
        source.problem(0, ProblemKind::Syntax, "The file has no XML element.");
    }
    root
}

#[derive(Default)]
struct XmlTree {
    open: Vec<Element>,
    root: Option<Element>,
}

impl XmlTree {
    fn take(&mut self, event: Event<'_>, at: SourcePosition) -> Result<(), String> {
        match event {
            Event::Start(start) => {
                if self.open.len() >= MAX_DEPTH {
                    return Err("it is nested too deeply".to_owned());
                }
                self.open.push(element(&start, at)?);
            }
            Event::Empty(start) => {
                let element = element(&start, at)?;
                self.put(element);
            }
            Event::End(_) => {
                if let Some(element) = self.open.pop() {
                    self.put(element);
                }
            }
            Event::Text(text) => self.text(&text.xml10_content()),
            Event::CData(text) => self.text(&text.xml10_content()),
            Event::GeneralRef(reference) => self.text(&character(&reference)),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        }
    }

    fn put(&mut self, element: Element) {
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => {
                self.root.get_or_insert(element);
            }
        }
    }

    fn finish(mut self) -> Option<Element> {
        while let Some(element) = self.open.pop() {
            self.put(element);
        }
        self.root
    }
}

fn character(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    let name = reference.xml10_content();
    resolve_predefined_entity(&name)
        .unwrap_or_default()
        .to_owned()
}

fn element(start: &BytesStart<'_>, at: SourcePosition) -> Result<Element, String> {
    let mut attributes = Vec::new();
    let mut iterator = start.attributes();
    for attribute in iterator.with_checks(false) {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = match attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0) {
            Ok(value) => value.into_owned(),
            Err(_) => attribute.value.into_owned(),
        };
        let key = attribute.key.local_name();
        attributes.push((key.as_ref().to_owned(), value));
    }
    Ok(Element {
        name: start.local_name().as_ref().to_owned(),
        at,
        attributes,
        ..Element::default()
    })
}
