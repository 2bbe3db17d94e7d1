//! TypeScript: `{@link A.b}`, `@see A`, `@param x`, `@throws {A}`. JavaScript's documentation says types as well, which
//! its walker reads.

use std::ops::Range;

use crate::facts::{Expr, ExprId, NONE, space};

use super::{DocLinkReader, DocWord, Links, tags};

impl<'t> Links<'t, '_> {
    pub(super) fn typescript(&mut self, comment: Range<usize>) {
        for mut tag in tags(self.text, comment, '@') {
            let rest = &mut tag.rest;
            match tag.name {
                "link" | "linkcode" | "linkplain" if tag.is_inline => self.script_name(rest),
                _ if tag.is_inline || !tag.starts_line => {}
                "see" => self.script_name(rest),
                "throws" | "exception" | "returns" | "return" | "type" => self.script_type(rest),
                "param" | "arg" | "argument" => {
                    self.script_type(rest);
                    rest.takes("[");
                    if let Some(name) = rest.word() {
                        self.parameter(name);
                    }
                }
                _ => {}
            }
        }
    }

    /// `{A.B}`, if that stands here.
    fn script_type(&mut self, reader: &mut DocLinkReader<'t>) {
        let mut inside = reader.clone();
        reader.passes('{', '}');
        reader.skip_blanks();
        if inside.takes("{") {
            self.script_type_name(&mut inside);
        }
    }

    /// The name of a type: in `A.b`, `A` is a namespace, not a type that has a `b`.
    fn script_type_name(&mut self, reader: &mut DocLinkReader<'t>) {
        let mut ahead = reader.clone();
        let first = ahead.word().filter(|_| ahead.takes("."));
        let Some(first) = first else {
            self.script_name(reader);
            return;
        };
        let mut of = self.name(NONE, first, space::NAMESPACE);
        while let Some(next) = ahead.word() {
            of = self.name(of, next, space::ANY);
            if !ahead.takes(".") {
                return;
            }
        }
    }

    /// `A`, `a.b`, `A#b`.
    fn script_name(&mut self, reader: &mut DocLinkReader<'t>) {
        let Some(first) = reader.word() else { return };
        let mut of = self.seen_from_inside(first);
        loop {
            if reader.takes("#") {
                of = self.builder.expr(Expr::Value { of });
            } else if !reader.takes(".") {
                return;
            }
            let Some(next) = reader.word() else { return };
            of = self.name(of, next, space::ANY);
        }
    }

    /// A name that a declaration sees, or one of its own members or its type's.
    fn seen_from_inside(&mut self, name: DocWord<'t>) -> ExprId {
        let types = [self.inner, self.scope];
        let own = types.into_iter().find(|scope| {
            self.owner(*scope).is_some_and(|owner| owner.kind.is_type())
                && self.builder.declared(*scope, name.text).is_some()
        });
        match own {
            Some(scope) => {
                let this = self.builder.expr(Expr::This { scope });
                self.name(this, name, space::ANY)
            }
            None => self.name(NONE, name, space::ANY),
        }
    }
}
