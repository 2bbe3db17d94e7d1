//! Descriptors and generic signatures of class files (JVM specification, 4.3 and 4.7.9.1) as Java writes types.

use super::type_names::{TypeNames, is_identifier};

/// Types deeper than this are made to hurt.
const MAX_DEPTH: usize = 64;
/// What every type and bound is without being said.
const OBJECT: &str = "java/lang/Object";

/// The types of a class's head.
pub(super) struct ClassHead {
    /// With the brackets; empty if there are none.
    pub(super) type_parameters: String,
    pub(super) superclass: String,
    pub(super) interfaces: Vec<String>,
}

/// The types of a method.
pub(super) struct MethodTypes {
    /// With the brackets; empty if there are none.
    pub(super) type_parameters: String,
    pub(super) parameters: Vec<String>,
    pub(super) result: String,
}

/// Reads the signature of a class.
pub(super) fn class_head(signature: &str, names: &mut TypeNames<'_>) -> Option<ClassHead> {
    let mut reader = SignatureReader {
        rest: signature,
        names,
    };
    let type_parameters = reader.type_parameters()?;
    let superclass = reader.one_type()?;
    let mut interfaces = Vec::new();
    while !reader.rest.is_empty() {
        interfaces.push(reader.one_type()?);
    }
    Some(ClassHead {
        type_parameters,
        superclass,
        interfaces,
    })
}

/// Reads the signature or the descriptor of a method.
pub(super) fn method_types(signature: &str, names: &mut TypeNames<'_>) -> Option<MethodTypes> {
    let mut reader = SignatureReader {
        rest: signature,
        names,
    };
    let type_parameters = reader.type_parameters()?;
    reader.expect('(')?;
    let mut parameters = Vec::new();
    while !reader.accept(')') {
        parameters.push(reader.one_type()?);
    }
    let result = reader.one_type()?;
    Some(MethodTypes {
        type_parameters,
        parameters,
        result,
    })
}

/// Reads the signature or the descriptor of a field.
pub(super) fn field_type(signature: &str, names: &mut TypeNames<'_>) -> Option<String> {
    SignatureReader {
        rest: signature,
        names,
    }
    .one_type()
}

struct SignatureReader<'a, 'n, 's> {
    rest: &'a str,
    names: &'n mut TypeNames<'s>,
}

impl<'a> SignatureReader<'a, '_, '_> {
    fn accept(&mut self, character: char) -> bool {
        let rest = self.rest.strip_prefix(character);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn expect(&mut self, character: char) -> Option<()> {
        self.accept(character).then_some(())
    }

    /// The text up to the next of some characters, which stay.
    fn up_to(&mut self, ends: &[char]) -> Option<&'a str> {
        let (text, rest) = self.rest.split_at(self.rest.find(ends)?);
        self.rest = rest;
        Some(text)
    }

    fn identifier(&mut self, ends: &[char]) -> Option<&'a str> {
        self.up_to(ends).filter(|name| is_identifier(name))
    }

    fn type_parameters(&mut self) -> Option<String> {
        if !self.accept('<') {
            return Some(String::new());
        }
        let mut parameters = Vec::new();
        while !self.accept('>') {
            let name = self.identifier(&[':'])?;
            let mut bounds = Vec::new();
            while self.accept(':') {
                // a parameter that only interfaces bound has no class between the colons
                if self.rest.starts_with(':') {
                    continue;
                }
                if self.rest.starts_with("Ljava/lang/Object;") {
                    self.up_to(&[';'])?;
                    self.expect(';')?;
                    continue;
                }
                bounds.push(self.one_type()?);
            }
            parameters.push(match bounds.as_slice() {
                [] => name.to_owned(),
                bounds => format!("{name} extends {}", bounds.join(" & ")),
            });
        }
        Some(format!("<{}>", parameters.join(", ")))
    }

    fn one_type(&mut self) -> Option<String> {
        let mut text = String::new();
        self.append_type(&mut text, 0)?;
        Some(text)
    }

    fn append_type(&mut self, text: &mut String, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut dimensions = 0;
        while self.accept('[') {
            dimensions += 1;
        }
        if dimensions > 255 {
            return None;
        }
        let kind = self.rest.chars().next()?;
        self.expect(kind)?;
        match kind {
            'B' => text.push_str("byte"),
            'C' => text.push_str("char"),
            'D' => text.push_str("double"),
            'F' => text.push_str("float"),
            'I' => text.push_str("int"),
            'J' => text.push_str("long"),
            'S' => text.push_str("short"),
            'Z' => text.push_str("boolean"),
            'V' => text.push_str("void"),
            'T' => {
                text.push_str(self.identifier(&[';'])?);
                self.expect(';')?;
            }
            'L' => self.append_class(text, depth)?,
            _ => return None,
        }
        for _ in 0..dimensions {
            text.push_str("[]");
        }
        Some(())
    }

    fn append_class(&mut self, text: &mut String, depth: usize) -> Option<()> {
        let name = self.up_to(&['<', ';', '.'])?;
        text.push_str(&self.names.text(name)?);
        self.append_arguments(text, depth)?;
        while self.accept('.') {
            text.push('.');
            text.push_str(self.identifier(&['<', ';', '.'])?);
            self.append_arguments(text, depth)?;
        }
        self.expect(';')
    }

    fn append_arguments(&mut self, text: &mut String, depth: usize) -> Option<()> {
        if !self.accept('<') {
            return Some(());
        }
        text.push('<');
        while !self.accept('>') {
            if !text.ends_with('<') {
                text.push_str(", ");
            }
            if self.accept('*') {
                text.push('?');
                continue;
            }
            if self.accept('+') {
                text.push_str("? extends ");
            } else if self.accept('-') {
                text.push_str("? super ");
            }
            self.append_type(text, depth + 1)?;
        }
        text.push('>');
        Some(())
    }
}

/// Whether a class has no other base than the one that every class has.
pub(super) fn is_object(name: &str) -> bool {
    name == OBJECT
}
