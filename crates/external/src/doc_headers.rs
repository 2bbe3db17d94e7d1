//! Headers of a documentation dump: one for each class, struct, enumeration or namespace, in what looks like C++ with
//! types as scripts write them.
//!
//! No C++ grammar is needed: a comment, then the declaration that it is of, up to `;` or `{`.

use crate::script::{is_identifier, is_path, parameters, type_text};
use crate::type_description::{DescribedDeclaration, DescribedMember, DescribedShape};

/// What is global has a header, too.
const GLOBAL: &str = "Global";

/// Reads a header; nothing where it declares no type.
pub(crate) fn read(text: &str) -> Vec<DescribedDeclaration> {
    let mut header = DocHeader::default();
    let mut rest = HeaderTokens { text, line: 0 };
    while let Some(piece) = rest.next() {
        match piece {
            HeaderToken::Comment(comment) => header.comment(comment),
            HeaderToken::Code(code, line) => header.code(code, line),
        }
    }
    header.finish()
}

enum HeaderToken<'t> {
    /// Inside of `/*` and `*/`.
    Comment(&'t str),
    /// Up to `;`, `{` or `}`, with the line it begins on.
    Code(&'t str, u32),
}

struct HeaderTokens<'t> {
    text: &'t str,
    line: u32,
}

impl<'t> HeaderTokens<'t> {
    fn next(&mut self) -> Option<HeaderToken<'t>> {
        loop {
            let trimmed = self.text.trim_start();
            self.pass(self.text.len() - trimmed.len());
            if self.text.is_empty() {
                return None;
            }
            if let Some(comment) = self.text.strip_prefix("/*") {
                let end = comment.find("*/").unwrap_or(comment.len());
                let inside = &comment[..end];
                self.pass((end + 4).min(self.text.len()));
                return Some(HeaderToken::Comment(inside));
            }
            if self.text.starts_with("//") || self.text.starts_with('#') {
                let end = self.text.find('\n').unwrap_or(self.text.len());
                self.pass(end);
                continue;
            }
            let line = self.line;
            let end = end_of_code(self.text);
            let code = &self.text[..end];
            // The bracket or semicolon that ends it is a part of it for who reads it.
            // A comment that ends it is read by itself.
            let behind = self.text[end..].chars().next();
            let behind = behind.filter(|c| *c != '/').map_or(0, char::len_utf8);
            let code = match &self.text[end..end + behind] {
                "{" => &self.text[..end + behind],
                _ => code,
            };
            self.pass(end + behind);
            return Some(HeaderToken::Code(code, line));
        }
    }

    fn pass(&mut self, bytes: usize) {
        let (passed, rest) = self.text.split_at(bytes);
        self.line += passed.bytes().filter(|byte| *byte == b'\n').count() as u32;
        self.text = rest;
    }
}

/// Where a declaration ends: brackets inside of parentheses and quotes do not end it.
fn end_of_code(text: &str) -> usize {
    let mut depth = 0_u32;
    let mut in_string = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => in_string = !in_string,
            _ if in_string && c != '\n' => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ';' | '{' | '}' if depth == 0 => return at,
            '/' if text[at..].starts_with("/*") => return at,
            _ => in_string = false,
        }
    }
    text.len()
}

#[derive(Default)]
struct DocHeader {
    of: Option<DescribedDeclaration>,
    /// What is static stands in a namespace of the type's name.
    statics: Vec<DescribedMember>,
    doc: String,
}

impl DocHeader {
    fn comment(&mut self, comment: &str) {
        // The first line names what is documented.
        let mut lines = comment.trim().lines();
        let first = lines.next().unwrap_or("").trim();
        let is_title = [
            "Class:",
            "Struct:",
            "Namespace:",
            "Enum:",
            "Variable:",
            "Function:",
        ]
        .iter()
        .any(|title| first.starts_with(title));
        let own = (!is_title).then_some(first).into_iter();
        let rest: Vec<&str> = own.chain(lines.map(str::trim)).collect();
        self.doc = rest.join("\n").trim().to_owned();
    }

    fn code(&mut self, code: &str, line: u32) {
        let doc = std::mem::take(&mut self.doc);
        let code = code.trim();
        let opens = code.ends_with('{');
        let head = code.trim_end_matches('{').trim();
        let head = ["public:", "protected:", "private:"]
            .iter()
            .fold(head, |head, word| head.trim_start_matches(word).trim());
        if head.is_empty() {
            self.doc = doc;
            return;
        }
        if let Some(of) = self
            .of
            .as_mut()
            .filter(|of| of.shape == DescribedShape::Enum)
        {
            let names = head
                .split(',')
                .map(|part| part.split('=').next().unwrap_or(part).trim());
            let names: Vec<&str> = names.filter(|name| is_identifier(name)).collect();
            let only = names.len() == 1;
            of.members
                .extend(names.into_iter().map(|name| DescribedMember {
                    doc: if only { doc.clone() } else { String::new() },
                    text: name.to_owned(),
                    line,
                }));
            return;
        }
        match type_head(head).filter(|_| opens && self.of.is_none()) {
            Some((name, shape, base)) => {
                self.of = Some(DescribedDeclaration {
                    base: base.to_owned(),
                    doc,
                    line,
                    ..DescribedDeclaration::new(name, shape)
                });
            }
            None => self.member(head, doc, line),
        }
    }

    fn member(&mut self, head: &str, doc: String, line: u32) {
        let Some(of) = &mut self.of else {
            return;
        };
        let (is_static, head) = match head.strip_prefix("static ") {
            Some(head) => (true, head.trim()),
            None => (false, head),
        };
        // `T Name::Var` is `T Var` of that type.
        let qualified = format!("{}::", of.name);
        let head = head.replacen(&qualified, "", 1);
        let Some(text) = declaration(&head) else {
            return;
        };
        let member = DescribedMember { doc, text, line };
        match is_static {
            true => self.statics.push(member),
            false => of.members.push(member),
        }
    }

    fn finish(self) -> Vec<DescribedDeclaration> {
        let Some(of) = self.of else {
            return Vec::new();
        };
        let mut all = Vec::new();
        let is_global = of.name == GLOBAL;
        if !self.statics.is_empty() || is_global {
            let name = if is_global { "" } else { &of.name };
            let loose = if is_global {
                of.members.clone()
            } else {
                Vec::new()
            };
            all.push(DescribedDeclaration {
                members: self.statics.into_iter().chain(loose).collect(),
                line: of.line,
                ..DescribedDeclaration::new(name, DescribedShape::Namespace)
            });
        }
        // What has nothing but statics is no type.
        let is_type = !of.members.is_empty() || !of.base.is_empty() || all.is_empty();
        if is_type && !is_global {
            all.push(of);
        }
        all
    }
}

/// `class ALamp : public AActor`, `struct FTip`, `enum class EMode : uint8`.
fn type_head(head: &str) -> Option<(&str, DescribedShape, &str)> {
    let (word, rest) = head.split_once(char::is_whitespace)?;
    let shape = match word {
        "class" => DescribedShape::Class,
        "struct" => DescribedShape::Struct,
        "enum" => DescribedShape::Enum,
        "namespace" => DescribedShape::Namespace,
        _ => return None,
    };
    let rest = rest.trim().trim_start_matches("class ").trim();
    let (name, base) = match rest.find(':').filter(|at| !rest[*at..].starts_with("::")) {
        Some(at) => (&rest[..at], &rest[at + 1..]),
        None => (rest, ""),
    };
    let name = name.trim();
    let base = base.trim().trim_start_matches("public").trim();
    let base = if is_path(base) && shape == DescribedShape::Class {
        base
    } else {
        ""
    };
    is_path(name).then_some((name, shape, base))
}

/// A member as AngelScript; `None` where it is none.
fn declaration(head: &str) -> Option<String> {
    let head = head.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((before, rest)) = head.split_once('(') else {
        let before = head.split('=').next().unwrap_or(&head).trim();
        let (of, name) = before.rsplit_once(' ')?;
        return is_identifier(name).then(|| format!("{} {name}", type_text(of)));
    };
    let (inside, behind) = rest.rsplit_once(')')?;
    let (of, name) = before
        .trim()
        .rsplit_once(' ')
        .unwrap_or(("", before.trim()));
    if !is_identifier(name) {
        return None;
    }
    let all: Vec<(&str, &str, Option<&str>)> = parts(inside).map(parameter).collect();
    let list = parameters(all.into_iter());
    let is_const = behind.split_whitespace().any(|word| word == "const");
    let gives = match of {
        "" => String::new(),
        of => format!("{} ", type_text(of)),
    };
    let behind = if is_const { " const" } else { "" };
    Some(format!("{gives}{name}{list}{behind} {{}}"))
}

/// The parts between the commas of a parameter list.
fn parts(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    let mut in_string = false;
    let all = list.split(move |c: char| {
        match c {
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0 && !in_string
    });
    all.map(str::trim).filter(|part| !part.is_empty())
}

fn parameter(part: &str) -> (&str, &str, Option<&str>) {
    let (head, value) = match part.split_once('=') {
        Some((head, value)) => (head.trim(), Some(value.trim())),
        None => (part, None),
    };
    match head.rsplit_once([' ', '&']) {
        Some((_, name)) if is_identifier(name) && !matches!(name, "in" | "out" | "inout") => {
            (head[..head.len() - name.len()].trim(), name, value)
        }
        _ => (head, "", value),
    }
}
