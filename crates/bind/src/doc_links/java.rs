//! Java: `{@link a.B#m(int) text}`, `@see`, `@throws`, `@param`.
//!
//! As for the compiler a link is a use of the type and of its member, and none of the packages and types around.

use std::ops::Range;

use crate::facts::{ExprId, NONE, space};

use super::{DocLinkReader, DocWord, Links, tags};

/// Variables and methods, in the spaces that the walker of the language keeps them in.
const VALUE: u8 = space::VALUE;
const METHOD: u8 = space::MACRO;
const TYPE: u8 = space::TYPE;
/// What may stand before a dot in a type.
const OUTER: u8 = space::TYPE | space::NAMESPACE;

const PRIMITIVES: [&str; 8] = [
    "boolean", "byte", "char", "double", "float", "int", "long", "short",
];

/// What a type written in documentation is, and what its name is looked up in: `a` of `a.B`.
struct JavaDocName<'t> {
    expr: ExprId,
    around: ExprId,
    name: DocWord<'t>,
}

impl<'t> Links<'t, '_> {
    pub(super) fn java(&mut self, comment: Range<usize>) {
        for mut tag in tags(self.text, comment, '@') {
            let rest = &mut tag.rest;
            match tag.name {
                "link" | "linkplain" | "value" if tag.is_inline => self.java_reference(rest),
                "see" | "throws" | "exception" if tag.starts_line => self.java_reference(rest),
                "param" if tag.starts_line => self.java_parameter(rest),
                _ => {}
            }
        }
    }

    fn java_parameter(&mut self, reader: &mut DocLinkReader<'t>) {
        let is_type = reader.takes("<");
        match reader.word() {
            Some(name) if is_type => self.type_parameter(name),
            Some(name) => self.parameter(name),
            None => {}
        }
    }

    /// `a.B`, `a.B#m`, `#m(int, String)`.
    fn java_reference(&mut self, reader: &mut DocLinkReader<'t>) {
        let of = if reader.rest().starts_with('#') {
            None
        } else {
            let Some(named) = self.java_type(reader) else {
                return;
            };
            reader.passes('<', '>');
            Some(named)
        };
        if !reader.takes("#") {
            return;
        }
        if let Some(name) = reader.word() {
            self.java_member(of.as_ref(), name, reader);
        }
    }

    fn java_type(&mut self, reader: &mut DocLinkReader<'t>) -> Option<JavaDocName<'t>> {
        let mut named: Option<JavaDocName<'t>> = None;
        reader.path(|name, is_last| {
            let around = named.as_ref().map_or(NONE, |named| named.expr);
            let spaces = if is_last { TYPE } else { OUTER };
            let expr = match is_last {
                true => self.name(around, name, spaces),
                false => self.passed(around, name, spaces),
            };
            named = Some(JavaDocName { expr, around, name });
        });
        named
    }

    fn java_member(
        &mut self,
        of: Option<&JavaDocName<'t>>,
        name: DocWord<'t>,
        reader: &mut DocLinkReader<'t>,
    ) {
        // A constructor is a use of its type, as after `new`.
        if let Some(of) = of.filter(|of| of.name.text == name.text) {
            self.name(of.around, name, TYPE);
            self.java_parameters(reader);
            return;
        }
        if of.is_none() && self.is_own_type(name) {
            self.name(NONE, name, TYPE);
            self.java_parameters(reader);
            return;
        }
        let of = of.map_or(NONE, |of| of.expr);
        if reader.rest().starts_with('(') {
            let callee = self.name(of, name, METHOD);
            let types = self.java_parameters(reader);
            self.called(callee, &types);
        } else {
            // A field goes before a method of its name.
            let is_field = of == NONE && self.is_own_field(name);
            self.name(of, name, if is_field { VALUE } else { VALUE | METHOD });
        }
    }

    /// Whether it is the name of the type whose documentation this is, or whose member's.
    fn is_own_type(&self, name: DocWord<'t>) -> bool {
        let owner = self.owner(self.scope);
        owner.is_some_and(|owner| self.builder.facts.name(owner.name) == name.text)
    }

    /// Whether the first that the type around declares of this name is a field: fields stand before methods.
    fn is_own_field(&mut self, name: DocWord<'t>) -> bool {
        let first = self.builder.declared(self.scope, name.text);
        first.is_some_and(|def| self.builder.edit(def).spaces & VALUE != 0)
    }

    /// `(int, String...)`: the types.
    fn java_parameters(&mut self, reader: &mut DocLinkReader<'t>) -> Vec<ExprId> {
        let mut types = Vec::new();
        if !reader.takes("(") {
            return types;
        }
        loop {
            reader.skip_blanks();
            let mut look = reader.clone();
            let ty = match look.word() {
                Some(word) if PRIMITIVES.contains(&word.text) => {
                    *reader = look;
                    self.plain_type(word.text)
                }
                Some(_) => self.java_type(reader).map_or(NONE, |named| named.expr),
                None => return types,
            };
            reader.passes('<', '>');
            types.push(self.arrays(ty, reader));
            // A name may follow.
            reader.skip_blanks();
            reader.word();
            reader.skip_blanks();
            if !reader.takes(",") {
                return types;
            }
        }
    }
}
