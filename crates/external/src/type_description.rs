//! A type, enumeration or namespace as some format describes it, and the same as source of its language.

use std::fmt::Write;

use codecortex_syntax::Language;

use crate::script::{documentation, is_identifier, is_path};

/// What is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DescribedShape {
    /// A class.
    Class,
    /// A struct.
    Struct,
    /// An enumeration.
    Enum,
    /// A delegate with one target.
    Delegate,
    /// A delegate with many targets.
    Event,
    /// A namespace; of an empty name what is global.
    Namespace,
}

/// A member, or an enumerator.
#[derive(Clone, Debug, Default)]
pub(crate) struct DescribedMember {
    /// Its documentation.
    pub(crate) doc: String,
    /// The declaration on one line, such as `void SetHeat(float NewHeat) {}` or `Dim`; of a delegate its parameters.
    pub(crate) text: String,
    /// Where it is described, from 0.
    pub(crate) line: u32,
}

/// Something described.
#[derive(Clone, Debug)]
pub(crate) struct DescribedDeclaration {
    /// Its path, joined by `::`.
    pub(crate) name: String,
    /// What it is.
    pub(crate) shape: DescribedShape,
    /// The base, or nothing.
    pub(crate) base: String,
    /// Its documentation.
    pub(crate) doc: String,
    /// Its members.
    pub(crate) members: Vec<DescribedMember>,
    /// Where it is described, from 0.
    pub(crate) line: u32,
    /// Names of its type parameters.
    pub(crate) parameters: Vec<String>,
    /// The language that it is written in.
    pub(crate) language: Language,
    /// Types that are declared in it.
    pub(crate) inner: Vec<DescribedDeclaration>,
}

impl DescribedDeclaration {
    /// Something of which no more is known.
    pub(crate) fn new(name: &str, shape: DescribedShape) -> Self {
        Self {
            name: name.to_owned(),
            shape,
            base: String::new(),
            doc: String::new(),
            members: Vec::new(),
            line: 0,
            parameters: Vec::new(),
            language: Language::AngelScript,
            inner: Vec::new(),
        }
    }

    /// What tells it from others: a later description takes the place of one with the same key.
    pub(crate) fn key(&self) -> (String, bool) {
        let name = match self.language {
            // There types of one name differ by the number of their parameters.
            Language::CSharp => format!("{}`{}", self.name, self.parameters.len()),
            _ => self.name.clone(),
        };
        (name, self.shape == DescribedShape::Namespace)
    }

    /// Whether it can be written at all.
    pub(crate) fn is_writable(&self) -> bool {
        let is_global = self.name.is_empty() && self.shape == DescribedShape::Namespace;
        // Readers of other languages make sure of names themselves.
        is_global || self.language != Language::AngelScript || is_path(&self.name)
    }

    /// Writes it as source; `lines` gets the number of each line that begins a declaration, with where that is
    /// described. Both count from 0.
    pub(crate) fn write(
        &self,
        out: &mut String,
        count: &mut LineCount,
        lines: &mut Vec<(u32, u32)>,
    ) {
        let (around, name) = match self.name.rsplit_once("::") {
            Some((around, name)) if self.shape != DescribedShape::Namespace => (Some(around), name),
            _ => (None, self.name.as_str()),
        };
        lines.push((count.up_to(out), self.line));
        if let Some(around) = around {
            let around = match self.language {
                Language::CSharp => around.replace("::", "."),
                _ => around.to_owned(),
            };
            let _ = writeln!(out, "namespace {around} {{");
        }
        documentation(out, &self.doc, "");
        match self.shape {
            DescribedShape::Delegate | DescribedShape::Event => {
                let word = if self.shape == DescribedShape::Event {
                    "event"
                } else {
                    "delegate"
                };
                let signature = self.members.first().map_or("()", |first| &first.text);
                let (gives, params) = signature.split_once('(').unwrap_or(("void", ")"));
                let gives = if gives.is_empty() { "void" } else { gives };
                let _ = writeln!(out, "{word} {gives} {name}({params};");
            }
            DescribedShape::Namespace if self.name.is_empty() => {
                self.members_to(out, count, lines, ";")
            }
            shape => {
                let word = match shape {
                    DescribedShape::Struct => "struct",
                    DescribedShape::Enum => "enum",
                    DescribedShape::Namespace => "namespace",
                    _ => "class",
                };
                if self.language == Language::CSharp {
                    let _ = write!(out, "public {word} {name}");
                    if !self.parameters.is_empty() {
                        let _ = write!(out, "<{}>", self.parameters.join(", "));
                    }
                } else {
                    let _ = write!(out, "{word} {name}");
                }
                if shape == DescribedShape::Class && is_path(&self.base) && self.base != self.name {
                    let _ = write!(out, " : {}", self.base);
                }
                out.push_str(" {\n");
                let end = if shape == DescribedShape::Enum {
                    ","
                } else {
                    ";"
                };
                self.members_to(out, count, lines, end);
                for inner in &self.inner {
                    inner.write(out, count, lines);
                }
                out.push_str("}\n");
            }
        }
        if around.is_some() {
            out.push_str("}\n");
        }
    }

    fn members_to(
        &self,
        out: &mut String,
        count: &mut LineCount,
        lines: &mut Vec<(u32, u32)>,
        end: &str,
    ) {
        for member in &self.members {
            lines.push((count.up_to(out), member.line));
            documentation(out, &member.doc, "    ");
            let is_enumerator = end == ",";
            if is_enumerator && !is_identifier(&member.text) {
                continue;
            }
            let end = match member.text.ends_with(['}', ';']) {
                true => "",
                false => end,
            };
            let _ = writeln!(out, "    {}{end}", member.text);
        }
    }
}

/// How many lines a text has that grows at its end: each is counted once.
#[derive(Debug, Default)]
pub(crate) struct LineCount {
    bytes: usize,
    lines: u32,
}

impl LineCount {
    /// The lines that end in a text, of which what was counted before is still there.
    fn up_to(&mut self, text: &str) -> u32 {
        let more = text.as_bytes().get(self.bytes..).unwrap_or(&[]);
        self.lines += more.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.bytes = text.len();
        self.lines
    }
}
