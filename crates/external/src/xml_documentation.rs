//! XML documentation that a C# compiler writes beside an assembly, as the types and members that it documents.
//!
//! It says of a member its name, the types of its parameters and what it is for; not what it gives, and of a type not
//! what kind it is: all are written as classes, and types that are not said as `var`.

use std::collections::BTreeMap;

use codecortex_syntax::Language;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::documentation_id::{DocIdKind, DocumentationId, parse, segments, type_parameters};
use crate::type_description::{DescribedDeclaration, DescribedMember, DescribedShape};

/// Elements within each other: more is no documentation.
const MAX_DEPTH: usize = 64;

/// What a file documents.
#[derive(Debug, Default)]
pub(crate) struct Documented {
    pub(crate) types: Vec<DescribedDeclaration>,
    /// What could not be read: no capital, no full stop.
    pub(crate) problems: Vec<String>,
}

/// Reads a file; what stands before a place that is no XML counts.
pub(crate) fn read(text: &str) -> Documented {
    let mut scan = DocumentationScan::new(text);
    let failure = scan.run();
    let mut documented = Documented::default();
    documented.problems.extend(failure);
    let mut types: BTreeMap<&str, Documents<'_>> = BTreeMap::new();
    let mut unread = 0;
    for entry in &scan.entries {
        match parse(&entry.id) {
            Ok(Some(id)) => types.entry(id.owner).or_default().take(id, entry),
            Ok(None) => {}
            Err(()) => unread += 1,
        }
    }
    documented.types = nested(&types, &mut unread);
    if unread > 0 {
        let problem =
            format!("{unread} of its ids have an unknown form: those members are skipped");
        documented.problems.push(problem);
    }
    if scan.entries.is_empty() && documented.problems.is_empty() {
        documented.problems.push("it documents nothing".to_owned());
    }
    documented
}

/// What is said of one type and its members.
#[derive(Debug, Default)]
struct Documents<'e> {
    own: Option<&'e DocumentedId>,
    members: Vec<(DocumentationId<'e>, &'e DocumentedId)>,
}

impl<'e> Documents<'e> {
    fn take(&mut self, id: DocumentationId<'e>, entry: &'e DocumentedId) {
        match id.kind {
            DocIdKind::Type => self.own = Some(entry),
            _ => self.members.push((id, entry)),
        }
    }
}

/// Puts types into the types that they are declared in.
fn nested(types: &BTreeMap<&str, Documents<'_>>, unread: &mut usize) -> Vec<DescribedDeclaration> {
    let mut made: BTreeMap<&str, DescribedDeclaration> = BTreeMap::new();
    for (path, documents) in types {
        if let Some(described) = described(types, path, documents, unread) {
            made.insert(path, described);
        }
    }
    let mut outer = Vec::new();
    // A type stands behind the one around it: the last one has no more to come.
    while let Some((path, described)) = made.pop_last() {
        match around(types, path).and_then(|around| made.get_mut(around)) {
            Some(around) => around.inner.push(described),
            None => outer.push(described),
        }
    }
    outer.reverse();
    outer
}

/// The type that a type is declared in.
fn around<'t>(types: &BTreeMap<&'t str, Documents<'_>>, path: &str) -> Option<&'t str> {
    let mut path = path;
    while let Some((above, _)) = path.rsplit_once('.') {
        if let Some((known, _)) = types.get_key_value(above) {
            return Some(known);
        }
        path = above;
    }
    None
}

fn described(
    types: &BTreeMap<&str, Documents<'_>>,
    path: &str,
    documents: &Documents<'_>,
    unread: &mut usize,
) -> Option<DescribedDeclaration> {
    let around = around(types, path);
    let inside = match around {
        Some(around) => path.get(around.len() + 1..)?,
        None => path,
    };
    let names = segments(inside)?;
    let count = names.last()?.1;
    let line = documents.members.first().map_or(0, |(_, entry)| entry.line);
    let named = documents
        .own
        .map_or(&[] as &[String], |own| &own.type_parameters);
    let parameters = type_parameters(count, named, "T");
    let mut all = around.map_or_else(Vec::new, |around| parameters_of(types, around));
    all.extend(parameters.iter().cloned());
    let names: Vec<String> = names.into_iter().map(|(name, _)| name).collect();
    let name = names.last()?.clone();
    let mut described = DescribedDeclaration {
        language: Language::CSharp,
        doc: documents.own.map_or_else(String::new, DocumentedId::doc),
        line: documents.own.map_or(line, |own| own.line),
        parameters,
        ..DescribedDeclaration::new(&names.join("::"), DescribedShape::Class)
    };
    for (id, entry) in &documents.members {
        let said = (
            entry.parameters.as_slice(),
            entry.type_parameters.as_slice(),
        );
        match id.declaration(&name, &all, said) {
            Some(text) => described.members.push(DescribedMember {
                doc: entry.doc(),
                text,
                line: entry.line,
            }),
            None => *unread += 1,
        }
    }
    Some(described)
}

/// The type parameters that are seen in a type: those of the types around it, then its own.
fn parameters_of(types: &BTreeMap<&str, Documents<'_>>, path: &str) -> Vec<String> {
    let mut parameters = around(types, path).map_or_else(Vec::new, |of| parameters_of(types, of));
    let own = types.get(path).and_then(|documents| documents.own);
    let named = own.map_or(&[] as &[String], |own| &own.type_parameters);
    let count = path
        .rsplit_once('`')
        .and_then(|(_, count)| count.parse().ok());
    parameters.extend(type_parameters(count.unwrap_or(0), named, "T"));
    parameters
}

/// What is said of one id.
#[derive(Debug, Default)]
struct DocumentedId {
    id: String,
    /// From 0.
    line: u32,
    summary: String,
    returns: String,
    parameters: Vec<String>,
    type_parameters: Vec<String>,
}

impl DocumentedId {
    fn doc(&self) -> String {
        let mut doc = on_lines(&self.summary);
        let returns = on_lines(&self.returns);
        if !returns.is_empty() {
            let between = if doc.is_empty() { "" } else { "\n" };
            doc.push_str(&format!("{between}Returns: {returns}"));
        }
        doc
    }
}

/// Text without the white space that stands in it for the sake of the file alone.
fn on_lines(text: &str) -> String {
    let lines = text.split(PARAGRAPH);
    let lines = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Where a paragraph begins, in text that is being read: no document has this letter.
const PARAGRAPH: char = '\u{1}';

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DocSection {
    Summary,
    Returns,
}

/// Goes through a document.
struct DocumentationScan<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    depth: usize,
    /// The section that is open, and how deep its element is.
    section: Option<(DocSection, usize)>,
    /// Up to where lines were counted, and how many there were.
    counted: (usize, u32),
    entries: Vec<DocumentedId>,
}

impl<'t> DocumentationScan<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            reader: Reader::from_str(text),
            depth: 0,
            section: None,
            counted: (0, 0),
            entries: Vec::new(),
        }
    }

    /// Reads to the end; gives why it stopped before that.
    fn run(&mut self) -> Option<String> {
        loop {
            let before = self.reader.buffer_position() as usize;
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(_) => {
                    let line = self.line_of(self.reader.error_position() as usize) + 1;
                    return Some(format!("it is not XML from line {line} on"));
                }
            };
            let taken = match event {
                Event::Eof if self.depth > 0 => Err("it ends in the middle of an element"),
                Event::Eof => return None,
                Event::Start(start) => self.begin(&start, before, false),
                Event::Empty(start) => self.begin(&start, before, true),
                Event::End(_) => {
                    self.end();
                    Ok(())
                }
                Event::Text(text) => {
                    self.push(&text.xml10_content());
                    Ok(())
                }
                Event::CData(text) => {
                    self.push(&text.xml10_content());
                    Ok(())
                }
                Event::GeneralRef(reference) => {
                    self.push(&character(&reference));
                    Ok(())
                }
                _ => Ok(()),
            };
            if let Err(why) = taken {
                return Some(why.to_owned());
            }
        }
    }

    fn line_of(&mut self, offset: usize) -> u32 {
        let (from, lines) = self.counted;
        let between = self.text.as_bytes().get(from..offset).unwrap_or(&[]);
        let more = between.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.counted = (offset.max(from), lines + more);
        self.counted.1
    }

    fn begin(
        &mut self,
        start: &BytesStart<'_>,
        at: usize,
        is_empty: bool,
    ) -> Result<(), &'static str> {
        let name = start.local_name();
        let name = name.as_ref();
        match self.depth {
            0 if name != "doc" => return Err("it is not XML documentation: its root is not `doc`"),
            MAX_DEPTH.. => return Err("its elements are nested too deeply"),
            2 if name == "member" => {
                let line = self.line_of(at);
                self.entries.push(DocumentedId {
                    id: attribute(start, "name").unwrap_or_default(),
                    line,
                    ..DocumentedId::default()
                });
            }
            3 => self.part(name, start, is_empty),
            4.. => self.inside(name, start),
            _ => {}
        }
        self.depth += usize::from(!is_empty);
        Ok(())
    }

    /// A part of what is said of a member.
    fn part(&mut self, name: &str, start: &BytesStart<'_>, is_empty: bool) {
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        let named = || attribute(start, "name").unwrap_or_default();
        let section = match name {
            "param" => return entry.parameters.push(named()),
            "typeparam" => return entry.type_parameters.push(named()),
            "summary" => DocSection::Summary,
            "returns" => DocSection::Returns,
            _ => return,
        };
        if !is_empty {
            self.section = Some((section, self.depth));
        }
    }

    /// An element in a text: what it refers to stands for it.
    fn inside(&mut self, name: &str, start: &BytesStart<'_>) {
        match name {
            "see" | "seealso" => {
                let cref = attribute(start, "cref");
                let word = cref.or_else(|| attribute(start, "langword"));
                let word = word.as_deref().map(name_of_reference).map(str::to_owned);
                let word = word.or_else(|| attribute(start, "href"));
                self.push(&word.unwrap_or_default());
            }
            "paramref" | "typeparamref" => {
                let word = attribute(start, "name").unwrap_or_default();
                self.push(&word);
            }
            "para" | "item" | "br" => self.push(&PARAGRAPH.to_string()),
            _ => {}
        }
    }

    fn end(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        if self.section.is_some_and(|(_, depth)| depth == self.depth) {
            self.section = None;
        }
    }

    fn push(&mut self, text: &str) {
        let Some(entry) = self.entries.last_mut() else {
            return;
        };
        match self.section {
            Some((DocSection::Summary, _)) => entry.summary.push_str(text),
            Some((DocSection::Returns, _)) => entry.returns.push_str(text),
            None => {}
        }
    }
}

/// What a reference names: `A.List` of ``M:A.List`1.Add(`0)`` is `A.List.Add`.
fn name_of_reference(id: &str) -> &str {
    let name = id.split_once(':').map_or(id, |(_, name)| name);
    name.split(['(', '`', '~']).next().unwrap_or(name)
}

fn attribute(start: &BytesStart<'_>, wanted: &str) -> Option<String> {
    let mut attributes = start.attributes();
    let mut known = attributes.with_checks(false).flatten();
    let found = known.find(|attribute| attribute.key.local_name().as_ref() == wanted)?;
    let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0);
    Some(value.map_or_else(
        |_| found.value.clone().into_owned(),
        |value| value.into_owned(),
    ))
}

/// What a reference to a character or an entity of XML stands for.
fn character(reference: &BytesRef<'_>) -> String {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => character.to_string(),
        _ => {
            let name = reference.xml10_content();
            resolve_predefined_entity(&name)
                .unwrap_or_default()
                .to_owned()
        }
    }
}
