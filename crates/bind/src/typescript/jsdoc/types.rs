//! Types as comments of JavaScript write them: TypeScript's own, and Closure's (`?A`, `Array.<A>`, `function(A): B`).

use super::reader::{JsdocReader, JsdocSpan};
use crate::facts::{
    DefId, DefKind, Expr, ExprId, Literal, NONE, Role, ScopeId, ScopeKind, flag, space,
};
use crate::typescript::walk::TypeScriptWalk;

/// Types in one another are read so deep.
const DEEPEST: u32 = 16;
/// Types without a declaration.
const PLAIN: [&str; 14] = [
    "function",
    "string",
    "number",
    "boolean",
    "object",
    "any",
    "void",
    "null",
    "undefined",
    "symbol",
    "bigint",
    "never",
    "unknown",
    "this",
];

impl<'t> TypeScriptWalk<'t> {
    pub(super) fn documented_type(&mut self, ty: JsdocSpan<'t>, scope: ScopeId) -> ExprId {
        self.jsdoc_type(&mut JsdocReader { rest: ty }, scope, 0)
    }

    /// What a function gives: a type, or a boolean that narrowed one (`x is A`).
    pub(super) fn documented_result(&mut self, ty: JsdocSpan<'t>, inner: ScopeId) -> ExprId {
        let mut reader = JsdocReader { rest: ty };
        let asserts = reader.takes_word("asserts");
        let Some(subject) = reader.word() else {
            return self.documented_type(ty, inner);
        };
        if !reader.takes_word("is") {
            return self.documented_type(ty, inner);
        }
        let told = self.jsdoc_type(&mut reader, inner, 0);
        let at = subject.at as u32;
        let subject = self
            .b
            .name_use(subject.text, inner, at, Role::Doc, space::VALUE);
        let gives = if asserts {
            Literal::Null
        } else {
            Literal::Boolean
        };
        let of = self.b.expr(Expr::Literal { of: gives });
        if told == NONE {
            return of;
        }
        let args = self.b.list(&[told, subject]);
        self.b.expr(Expr::Apply { of, args })
    }

    /// One type, several (`A | B`), all of several (`A & B`), or one of two by a condition.
    pub(super) fn jsdoc_type(
        &mut self,
        reader: &mut JsdocReader<'t>,
        scope: ScopeId,
        depth: u32,
    ) -> ExprId {
        let mut parts = Vec::new();
        reader.takes("|");
        loop {
            let part = self.one_type(reader, scope, depth);
            if part != NONE {
                parts.push(part);
            }
            if !reader.takes("|") && !reader.takes("&") {
                break;
            }
        }
        let ty = self.b.union(&parts);
        if depth >= DEEPEST || !reader.takes_word("extends") {
            return ty;
        }
        self.jsdoc_type(reader, scope, depth + 1);
        reader.takes("?");
        let holds = self.jsdoc_type(reader, scope, depth + 1);
        reader.takes(":");
        let fails = self.jsdoc_type(reader, scope, depth + 1);
        let either: Vec<ExprId> = [holds, fails]
            .into_iter()
            .filter(|ty| *ty != NONE)
            .collect();
        self.b.union(&either)
    }

    fn one_type(&mut self, reader: &mut JsdocReader<'t>, scope: ScopeId, depth: u32) -> ExprId {
        while ["?", "!", "..."].iter().any(|sign| reader.takes(sign)) {}
        if depth >= DEEPEST {
            return NONE;
        }
        let ty = self.first_of_type(reader, scope, depth);
        let ty = self.applied_type(reader, ty, scope, depth);
        self.indexed_type(reader, ty, scope, depth)
    }

    /// A type up to its arguments.
    fn first_of_type(
        &mut self,
        reader: &mut JsdocReader<'t>,
        scope: ScopeId,
        depth: u32,
    ) -> ExprId {
        if reader.begins_function() {
            reader.takes("(");
            return self.jsdoc_function(reader, "=>", scope, depth);
        }
        if reader.takes("(") {
            let inner = self.jsdoc_type(reader, scope, depth + 1);
            reader.takes(")");
            return inner;
        }
        if reader.takes("{") {
            return self.jsdoc_object(reader, scope, depth);
        }
        if reader.takes("[") {
            return self.jsdoc_tuple(reader, scope, depth);
        }
        if let Some(text) = reader.quoted() {
            let value = self.b.name(text.text);
            let of = Literal::Text;
            return self.b.expr(Expr::Constant { of, value });
        }
        if reader.takes_word("typeof") {
            let of = self.path(reader, scope);
            return match of {
                NONE => NONE,
                of => self.b.expr(Expr::TypeOf { of }),
            };
        }
        if reader.takes_word("keyof") {
            self.one_type(reader, scope, depth + 1);
            return self.b.expr(Expr::Opaque);
        }
        if reader.takes_word("readonly") || reader.takes_word("new") {
            return self.first_of_type(reader, scope, depth + 1);
        }
        let mut ahead = JsdocReader { ..*reader };
        if ahead.takes_word("function") && ahead.takes("(") {
            *reader = ahead;
            return self.jsdoc_function(reader, ":", scope, depth);
        }
        let named = self.path(reader, scope);
        if matches!(self.b.facts.expr(named), Expr::Name { .. }) {
            self.lang.jsdoc_names.push(named);
        }
        named
    }

    /// Of names that stand for types, once everything is declared: one that a comment declares comes before a value
    /// of its name, and what is plainly a value is no type.
    pub(in crate::typescript) fn settle_jsdoc_names(&mut self) {
        let names = std::mem::take(&mut self.lang.jsdoc_names);
        let has_enums = !names.is_empty() && self.text.contains("@enum");
        for named in names {
            let Expr::Name { name, .. } = self.b.facts.expr(named) else {
                continue;
            };
            let name = self.b.facts.name(name).to_owned();
            let Some(known) = self.b.declared(0, &name) else {
                continue;
            };
            let known = self.b.facts.defs[known as usize];
            let value = self.b.facts.expr(known.value);
            let is_value = matches!(
                value,
                Expr::Object { .. } | Expr::Array { .. } | Expr::Literal { .. }
            );
            let found = &mut self.b.facts.exprs[named as usize];
            if known.spaces & space::VALUE == 0 {
                if let Expr::Name { spaces, .. } = found {
                    *spaces = space::TYPE | space::NAMESPACE;
                }
            } else if known.kind == DefKind::Variable && is_value && !has_enums {
                *found = Expr::Opaque;
            }
        }
    }

    /// `A<B, C>`, `A.<B>`.
    fn applied_type(
        &mut self,
        reader: &mut JsdocReader<'t>,
        ty: ExprId,
        scope: ScopeId,
        depth: u32,
    ) -> ExprId {
        if !reader.takes(".<") && !reader.takes("<") {
            return ty;
        }
        let args = self.jsdoc_types(reader, ">", scope, depth);
        if ty == NONE {
            return NONE;
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of: ty, args })
    }

    /// Types up to a closing sign; those that are not known are something all the same.
    fn jsdoc_types(
        &mut self,
        reader: &mut JsdocReader<'t>,
        end: &str,
        scope: ScopeId,
        depth: u32,
    ) -> Vec<ExprId> {
        let mut types = Vec::new();
        while !reader.takes(end) {
            let ty = self.jsdoc_type(reader, scope, depth + 1);
            types.push(match ty {
                NONE => self.b.expr(Expr::Opaque),
                ty => ty,
            });
            if !reader.takes(",") {
                reader.takes(end);
                break;
            }
        }
        types
    }

    /// `A[]`, `A["key"]`.
    fn indexed_type(
        &mut self,
        reader: &mut JsdocReader<'t>,
        mut ty: ExprId,
        scope: ScopeId,
        depth: u32,
    ) -> ExprId {
        while reader.takes("[") {
            if reader.takes("]") {
                ty = self.b.expr(Expr::Array { of: ty });
                continue;
            }
            let key = reader.quoted();
            if key.is_none() {
                self.jsdoc_type(reader, scope, depth + 1);
            }
            reader.takes("]");
            ty = match (key, ty) {
                (Some(key), of) if of != NONE => {
                    let of = self.b.expr(Expr::Value { of });
                    let at = key.at as u32;
                    let of = self.b.member_use(of, key.text, at, Role::Doc, space::ANY);
                    self.b.expr(Expr::TypeOf { of })
                }
                _ => self.b.expr(Expr::Opaque),
            };
        }
        ty
    }

    /// `[A, name: B, ...C[]]`, behind its bracket.
    fn jsdoc_tuple(&mut self, reader: &mut JsdocReader<'t>, scope: ScopeId, depth: u32) -> ExprId {
        let mut parts = Vec::new();
        while !reader.takes("]") {
            let mut ahead = JsdocReader { ..*reader };
            if ahead.word().is_some() && (ahead.takes(":") || ahead.takes("?") && ahead.takes(":"))
            {
                *reader = ahead;
            }
            let ty = self.jsdoc_type(reader, scope, depth + 1);
            parts.push(match ty {
                NONE => self.b.expr(Expr::Opaque),
                ty => ty,
            });
            reader.takes("?");
            if !reader.takes(",") {
                reader.takes("]");
                break;
            }
        }
        let of = self.b.list(&parts);
        self.b.expr(Expr::Tuple { of })
    }

    /// `{ a: A, b?(x: B): C; [key: string]: D }`, behind its brace.
    fn jsdoc_object(&mut self, reader: &mut JsdocReader<'t>, scope: ScopeId, depth: u32) -> ExprId {
        let start = reader.rest.at;
        let inner = self.b.scope(ScopeKind::Object, scope, NONE, start..start);
        while !reader.takes("}") && self.jsdoc_key(reader, inner, depth) {
            let _ = reader.takes(",") || reader.takes(";");
        }
        self.b.facts.scopes[inner as usize].end = reader.rest.at as u32;
        self.b.expr(Expr::Object {
            scope: inner,
            of: NONE,
        })
    }

    /// A key of an object and its type; whether it was read.
    fn jsdoc_key(&mut self, reader: &mut JsdocReader<'t>, object: ScopeId, depth: u32) -> bool {
        reader.takes("readonly ");
        if reader.takes("[") {
            return self.jsdoc_index(reader, object, depth);
        }
        let Some(name) = reader.quoted().or_else(|| reader.word()) else {
            return false;
        };
        let at = name.at as u32;
        let range = name.at..name.at + name.text.len();
        let def = self.b.define(name.text, DefKind::Field, object, at, range);
        if reader.takes("?") {
            self.b.edit(def).flags |= flag::OPTIONAL;
        }
        let ty = if reader.takes("(") {
            self.jsdoc_function(reader, ":", object, depth)
        } else if reader.takes(":") {
            self.jsdoc_type(reader, object, depth + 1)
        } else {
            NONE
        };
        self.b.edit(def).ty = ty;
        true
    }

    /// `key: string]: A`: what every key has.
    fn jsdoc_index(&mut self, reader: &mut JsdocReader<'t>, object: ScopeId, depth: u32) -> bool {
        let at = reader.rest.at;
        let is_named = reader.word().is_some() && reader.takes(":");
        if !is_named {
            return false;
        }
        self.jsdoc_type(reader, object, depth + 1);
        if !reader.takes("]") || !reader.takes(":") {
            return false;
        }
        let ty = self.jsdoc_type(reader, object, depth + 1);
        let def = self
            .b
            .define("(index)", DefKind::Field, object, at as u32, at..at);
        let index = self.b.edit(def);
        index.flags |= flag::UNWRITTEN;
        index.ty = ty;
        true
    }

    /// `(a: A, ...b: B[]) => C`, `function(A, B): C`, behind its bracket; what stands before the result narrowed them apart.
    fn jsdoc_function(
        &mut self,
        reader: &mut JsdocReader<'t>,
        result: &str,
        scope: ScopeId,
        depth: u32,
    ) -> ExprId {
        let start = reader.rest.at;
        let def = self
            .b
            .define("", DefKind::Lambda, scope, NONE, start..start);
        let inner = self.b.scope(ScopeKind::Function, scope, def, start..start);
        self.b.edit(def).inner = inner;
        while !reader.takes(")") {
            self.jsdoc_parameter(reader, inner, depth);
            if !reader.takes(",") {
                reader.takes(")");
                break;
            }
        }
        if reader.takes(result) {
            let ty = self.jsdoc_type(reader, inner, depth + 1);
            self.b.edit(def).ty = ty;
        }
        self.b.facts.scopes[inner as usize].end = reader.rest.at as u32;
        self.b.expr(Expr::Function { def })
    }

    /// `...name?: A`, or a type alone.
    fn jsdoc_parameter(&mut self, reader: &mut JsdocReader<'t>, inner: ScopeId, depth: u32) {
        let mut flags = if reader.takes("...") {
            flag::VARIADIC
        } else {
            0
        };
        let mut ahead = JsdocReader { ..*reader };
        let mut name = ahead.word();
        flags |= if ahead.takes("?") { flag::OPTIONAL } else { 0 };
        if ahead.takes(":") {
            *reader = ahead;
        } else {
            name = None;
        }
        let ty = self.jsdoc_type(reader, inner, depth + 1);
        let ty = match self.b.facts.expr(ty) {
            Expr::Array { of } if flags & flag::VARIADIC != 0 => of,
            _ => ty,
        };
        self.jsdoc_parameter_of(name, flags, ty, inner);
    }

    pub(super) fn jsdoc_parameter_of(
        &mut self,
        name: Option<JsdocSpan<'t>>,
        flags: u32,
        ty: ExprId,
        inner: ScopeId,
    ) -> DefId {
        let (text, at) = name.map_or(("", NONE), |name| (name.text, name.at as u32));
        let start = name.map_or(0, |name| name.at);
        let range = start..start + text.len();
        let def = self.b.define(text, DefKind::Parameter, inner, at, range);
        let parameter = self.b.edit(def);
        parameter.spaces = space::VALUE;
        parameter.ty = ty;
        parameter.flags |= flags;
        if text == "this" {
            parameter.flags |= flag::RECEIVER;
        }
        def
    }

    /// `a.b.C`, `import("./a").C`, or `C#m` in links.
    pub(super) fn path(&mut self, reader: &mut JsdocReader<'t>, scope: ScopeId) -> ExprId {
        let module = self.imported(reader);
        let Some(mut of) = module.or_else(|| self.first(reader, scope)) else {
            return NONE;
        };
        while reader.continues() {
            let Some(next) = reader.word() else { break };
            // A module's default is no name.
            let at = match module == Some(of) && next.text == "default" {
                true => NONE,
                false => next.at as u32,
            };
            of = self.b.member_use(of, next.text, at, Role::Doc, space::ANY);
        }
        if module == Some(of) {
            of = self
                .b
                .member_use(of, "export=", NONE, Role::Doc, space::ANY);
        }
        of
    }

    /// The name that a path begins with.
    fn first(&mut self, reader: &mut JsdocReader<'t>, scope: ScopeId) -> Option<ExprId> {
        let first = reader.word()?;
        if PLAIN.contains(&first.text) {
            return None;
        }
        let at = first.at as u32;
        let name = self
            .b
            .name_use(first.text, scope, at, Role::Doc, space::ANY);
        Some(name)
    }

    /// The module that a path begins with.
    fn imported(&mut self, reader: &mut JsdocReader<'t>) -> Option<ExprId> {
        let whole = reader.rest.text;
        let (path, behind) = whole[reader.blank()..]
            .strip_prefix("import(")?
            .split_once(')')?;
        reader.advance(whole.len() - behind.len());
        let name = self.b.name(path.trim().trim_matches(['"', '\'']));
        Some(self.b.expr(Expr::Module {
            name,
            at: NONE,
            level: 0,
        }))
    }
}
