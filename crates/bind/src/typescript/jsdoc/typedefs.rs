//! Types that comments of JavaScript define (`@typedef`, `@property`, `@callback`) and import (`@import`).

use super::reader::{JsdocReader, JsdocSpan, in_braces, tags};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, space};
use crate::typescript::walk::TypeScriptWalk;

impl<'t> TypeScriptWalk<'t> {
    /// The types that a comment defines: `@typedef {T} Name`, objects with what `@property {T} name` says of them, and
    /// functions (`@callback Name`) with what `@param` and `@returns` say.
    pub(in crate::typescript) fn defined_types(
        &mut self,
        start: usize,
        text: &'t str,
        scope: ScopeId,
    ) {
        let inside = text
            .strip_prefix("/**")
            .and_then(|text| text.strip_suffix("*/"));
        let signs = ["@typedef", "@import", "@callback"];
        let has_any = |text: &&str| signs.iter().any(|sign| text.contains(sign));
        let Some(text) = inside.filter(|text| !self.lang.is_typed && has_any(text)) else {
            return;
        };
        let (mut object, mut function) = (NONE, NONE);
        let at = start + 3;
        let comment = JsdocSpan { text, at };
        for (tag, rest) in tags(comment) {
            match tag {
                "import" => {
                    self.imported_types(rest, scope);
                }
                "callback" => function = self.defined_function(rest, comment, scope),
                "returns" | "return" if function != NONE => {
                    let inner = self.b.facts.defs[function as usize].inner;
                    let ty = in_braces(rest).map(|(ty, _)| self.documented_result(ty, inner));
                    self.b.edit(function).ty = ty.unwrap_or(NONE);
                }
                _ => {}
            }
            let Some((ty, behind)) = in_braces(rest) else {
                continue;
            };
            let named = behind.trim_start_matches(['[', ' ', '\t']);
            let at = rest.at + rest.text.len() - named.len();
            let Some(name) = (JsdocReader {
                rest: JsdocSpan { text: named, at },
            })
            .word() else {
                continue;
            };
            match tag {
                "typedef" => object = self.defined_type(name, ty, comment, scope),
                "property" | "prop" if object != NONE => self.defined_property(name, ty, object),
                "param" | "arg" | "argument" if function != NONE => {
                    let inner = self.b.facts.defs[function as usize].inner;
                    let ty = self.documented_type(ty, inner);
                    self.jsdoc_parameter_of(Some(name), 0, ty, inner);
                }
                _ => {}
            }
        }
    }

    /// `@import A, { B as C } from "./a"`, `@import * as a from "./a"`.
    fn imported_types(&mut self, rest: JsdocSpan<'t>, scope: ScopeId) -> Option<()> {
        let quote = rest.text.find(['"', '\''])?;
        let (clause, path) = rest.text.split_at(quote);
        let path = path[1..].split(['"', '\'']).next()?;
        let text = clause.trim_end().strip_suffix("from")?;
        let name = self.b.name(path);
        let module = self.b.expr(Expr::Module {
            name,
            at: NONE,
            level: 0,
        });
        let mut reader = JsdocReader {
            rest: JsdocSpan { text, at: rest.at },
        };
        if let Some(name) = reader.word() {
            self.imported_type(name, module, ("default", NONE), scope);
            reader.takes(",");
        }
        if reader.takes("*") && reader.word()?.text == "as" {
            let name = reader.word()?;
            self.jsdoc_alias(name, module, scope);
        }
        if reader.takes("{") {
            while let Some(first) = reader.word() {
                let is_renamed = reader.rest.text.trim_start().starts_with("as ");
                let name = match is_renamed {
                    true => reader.word().and_then(|_| reader.word())?,
                    false => first,
                };
                self.imported_type(name, module, (first.text, first.at as u32), scope);
                reader.takes(",");
            }
        }
        Some(())
    }

    fn imported_type(
        &mut self,
        name: JsdocSpan<'t>,
        module: ExprId,
        (of, at): (&str, u32),
        scope: ScopeId,
    ) {
        let value = self.b.member_use(module, of, at, Role::Import, space::ANY);
        self.jsdoc_alias(name, value, scope);
    }

    fn jsdoc_alias(&mut self, name: JsdocSpan<'t>, value: ExprId, scope: ScopeId) {
        let range = name.at..name.at + name.text.len();
        let at = name.at as u32;
        let def = self.b.define(name.text, DefKind::Alias, scope, at, range);
        let alias = self.b.edit(def);
        alias.spaces = space::TYPE | space::NAMESPACE;
        alias.value = value;
    }

    /// A type that a comment defines; the scope of its properties if it is an object.
    fn defined_type(
        &mut self,
        name: JsdocSpan<'t>,
        ty: JsdocSpan<'t>,
        comment: JsdocSpan<'t>,
        scope: ScopeId,
    ) -> ScopeId {
        let is_object = matches!(ty.text.trim(), "Object" | "object");
        let kind = if is_object {
            DefKind::Interface
        } else {
            DefKind::TypeAlias
        };
        let (def, around) = self.jsdoc_name(name, kind, comment, scope);
        if !is_object {
            let ty = self.documented_type(ty, around);
            self.b.edit(def).ty = ty;
            return NONE;
        }
        let range = name.at..name.at + name.text.len();
        let inner = self.b.scope(ScopeKind::Class, around, def, range);
        self.b.edit(def).inner = inner;
        inner
    }

    /// The definition of a type that a comment names, and the scope in which what it is stands: that of its type
    /// parameters, or the one around.
    fn jsdoc_name(
        &mut self,
        name: JsdocSpan<'t>,
        kind: DefKind,
        comment: JsdocSpan<'t>,
        scope: ScopeId,
    ) -> (DefId, ScopeId) {
        let range = name.at..name.at + name.text.len();
        let at = name.at as u32;
        let def = self.b.define(name.text, kind, scope, at, range);
        self.b.edit(def).spaces = space::TYPE;
        if !comment.text.contains("@template") {
            return (def, scope);
        }
        let header = self.templates(comment, scope, def);
        self.b.edit(def).inner = header;
        (def, header)
    }

    /// `@callback Name`: the function that it names.
    fn defined_function(
        &mut self,
        rest: JsdocSpan<'t>,
        comment: JsdocSpan<'t>,
        scope: ScopeId,
    ) -> DefId {
        let Some(name) = (JsdocReader { rest }).word() else {
            return NONE;
        };
        let (def, around) = self.jsdoc_name(name, DefKind::TypeAlias, comment, scope);
        let range = name.at..name.at + name.text.len();
        let function = self
            .b
            .define("", DefKind::Lambda, around, NONE, range.clone());
        let inner = self.b.scope(ScopeKind::Function, around, function, range);
        self.b.edit(function).inner = inner;
        let ty = self.b.expr(Expr::Function { def: function });
        self.b.edit(def).ty = ty;
        function
    }

    fn defined_property(&mut self, name: JsdocSpan<'t>, ty: JsdocSpan<'t>, object: ScopeId) {
        let range = name.at..name.at + name.text.len();
        let at = name.at as u32;
        let def = self.b.define(name.text, DefKind::Field, object, at, range);
        let ty = self.documented_type(ty, object);
        self.b.edit(def).ty = ty;
    }
}
