//! C#: `<see cref="A.M(int)"/>`, `<paramref name="x"/>`, `<typeparam name="T">`.

use std::ops::Range;

use crate::facts::{Expr, ExprId, NONE, space};

use super::{DocLinkReader, Links, tags};

/// Types in one another are read so deep.
const DEEPEST: u32 = 16;

const VALUE: u8 = space::VALUE;
const TYPE: u8 = space::TYPE;
/// What may stand before a dot in a type.
const OUTER: u8 = space::TYPE | space::NAMESPACE;
/// What may stand before a dot.
const AMBIGUOUS: u8 = space::VALUE | space::TYPE | space::NAMESPACE;

const PREDEFINED: [&str; 17] = [
    "bool", "byte", "char", "decimal", "double", "dynamic", "float", "int", "long", "nint",
    "nuint", "object", "sbyte", "short", "string", "uint", "ulong",
];
/// What may stand before the type of a parameter.
const MODIFIERS: [&str; 4] = ["ref", "out", "in", "params"];

impl<'t> Links<'t, '_> {
    pub(super) fn csharp(&mut self, comment: Range<usize>) {
        for tag in tags(self.text, comment, '<') {
            let value = |attribute| attribute_value(&tag.rest, attribute);
            match tag.name {
                "param" | "paramref" => {
                    if let Some(name) = value("name").and_then(|mut value| value.word()) {
                        self.parameter(name);
                    }
                }
                "typeparam" | "typeparamref" => {
                    if let Some(name) = value("name").and_then(|mut value| value.word()) {
                        self.type_parameter(name);
                    }
                }
                _ => {
                    if let Some(mut value) = value("cref") {
                        self.cref(&mut value);
                    }
                }
            }
        }
    }

    /// `A.B{T}.M(int)`; `M:A.M` is an id, which is no use.
    fn cref(&mut self, reader: &mut DocLinkReader<'t>) {
        let is_id = reader.rest().as_bytes().get(1) == Some(&b':');
        if is_id && !reader.rest()[1..].starts_with("::") {
            return;
        }
        let last = if reader.rest().contains('(') {
            VALUE | TYPE
        } else {
            AMBIGUOUS
        };
        let mut parameters = Vec::new();
        let callee = self.cref_path(reader, OUTER, last, |_, reader| {
            let names = names_in_braces(reader);
            let args = vec![NONE; names.len()];
            parameters.extend(names);
            args
        });
        if callee != NONE && reader.takes("(") {
            let types = self.cref_parameters(reader, &parameters);
            self.called(callee, &types);
        }
    }

    /// Names with dots between them. `arguments` reads what is in the braces that follow one.
    fn cref_path(
        &mut self,
        reader: &mut DocLinkReader<'t>,
        outer: u8,
        last: u8,
        mut arguments: impl FnMut(&mut Self, &mut DocLinkReader<'t>) -> Vec<ExprId>,
    ) -> ExprId {
        let mut of = NONE;
        while let Some(word) = reader.word() {
            if word.text == "global" && reader.takes("::") {
                continue;
            }
            if matches!(word.text, "this" | "operator" | "implicit" | "explicit") {
                return NONE;
            }
            let mut behind = reader.clone();
            behind.passes('{', '}');
            let is_last = !behind.takes(".") && !behind.takes("::");
            of = self.name(of, word, if is_last { last } else { outer });
            if reader.rest().starts_with('{') {
                let args = arguments(self, reader);
                let args: Vec<ExprId> = args.into_iter().map(|ty| self.known(ty)).collect();
                let args = self.builder.list(&args);
                of = self.builder.expr(Expr::Apply { of, args });
            }
            if is_last {
                break;
            }
            *reader = behind;
        }
        of
    }

    fn known(&mut self, ty: ExprId) -> ExprId {
        match ty {
            NONE => self.builder.expr(Expr::Opaque),
            ty => ty,
        }
    }

    /// `int, ref A{B}[]`: the types. `parameters` are type parameters of what is referred to.
    fn cref_parameters(
        &mut self,
        reader: &mut DocLinkReader<'t>,
        parameters: &[&'t str],
    ) -> Vec<ExprId> {
        let mut types = Vec::new();
        loop {
            reader.skip_blanks();
            let mut look = reader.clone();
            if look
                .word()
                .is_some_and(|word| MODIFIERS.contains(&word.text))
            {
                *reader = look;
                reader.skip_blanks();
            }
            if reader.clone().word().is_none() {
                return types;
            }
            types.push(self.cref_type(reader, parameters, 0));
            reader.skip_blanks();
            if !reader.takes(",") {
                return types;
            }
        }
    }

    fn cref_type(
        &mut self,
        reader: &mut DocLinkReader<'t>,
        parameters: &[&'t str],
        depth: u32,
    ) -> ExprId {
        let mut look = reader.clone();
        let ty = match look.word() {
            Some(word) if PREDEFINED.contains(&word.text) => {
                *reader = look;
                self.plain_type(word.text)
            }
            Some(word) if parameters.contains(&word.text) => {
                *reader = look;
                NONE
            }
            _ => self.cref_path(reader, OUTER, TYPE, |links, reader| {
                if depth > DEEPEST || !reader.takes("{") {
                    reader.passes('{', '}');
                    return Vec::new();
                }
                let mut args = Vec::new();
                loop {
                    reader.skip_blanks();
                    args.push(links.cref_type(reader, parameters, depth + 1));
                    reader.skip_blanks();
                    if !reader.takes(",") {
                        break;
                    }
                }
                reader.takes("}");
                args
            }),
        };
        while reader.takes("?") || reader.takes("*") {}
        self.arrays(ty, reader)
    }
}

/// The value of an attribute of the tag that a reader is in.
fn attribute_value<'t>(tag: &DocLinkReader<'t>, name: &str) -> Option<DocLinkReader<'t>> {
    let mut reader = tag.clone();
    loop {
        reader.skip_blanks();
        let word = reader.word()?;
        if !reader.takes("=") {
            return None;
        }
        let quote = reader.rest().chars().next()?;
        if !matches!(quote, '"' | '\'') {
            return None;
        }
        reader.at += 1;
        let length = reader.rest().find(quote)?;
        let end = reader.at + length;
        if word.text == name {
            return Some(DocLinkReader { end, ..reader });
        }
        reader.at = end + 1;
    }
}

/// `{TKey, TValue}`: the names.
fn names_in_braces<'t>(reader: &mut DocLinkReader<'t>) -> Vec<&'t str> {
    let mut inside = reader.clone();
    reader.passes('{', '}');
    inside.end = reader.at;
    let mut names = Vec::new();
    while inside.takes("{") || inside.takes(",") {
        inside.skip_blanks();
        names.extend(inside.word().map(|word| word.text));
        inside.skip_blanks();
    }
    names
}
