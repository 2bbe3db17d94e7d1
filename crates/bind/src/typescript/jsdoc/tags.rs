//! What documentation says: types of untyped code (`@param {A} x`, `@returns {A}`, `@type {A}`), their type parameters
//! (`@template T`), and links.

use super::reader::{JsdocReader, JsdocSpan, in_braces, tags};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, ScopeId, ScopeKind, flag, space};
use crate::typescript::walk::TypeScriptWalk;

/// A comment that is longer is not looked through for its start.
const LONGEST: usize = 32 * 1024;
/// How far behind the start of its line something is that has documentation.
const FARTHEST: usize = 512;

impl<'t> TypeScriptWalk<'t> {
    /// The documentation right before what begins at a byte; what assigns or exports it may stand between.
    ///
    /// Of untyped files alone: in typed ones types are written as code, and links there would be uses of imports
    /// that language servers do not count.
    fn comment_before(&self, start: usize) -> Option<JsdocSpan<'t>> {
        if self.lang.is_typed {
            return None;
        }
        let before = self.text.get(..start)?;
        // Nobody documents in the middle of a long line.
        let floor = before.floor_char_boundary(start.saturating_sub(FARTHEST));
        let line = match before[floor..].rfind('\n') {
            Some(at) => floor + at + 1,
            None if floor == 0 => 0,
            None => return None,
        };
        let beginning = before[line..].trim_end();
        let end = if beginning.ends_with("*/") {
            line + beginning.len()
        } else if beginning.contains([';', '{', '}', '(', ')', ',']) {
            return None;
        } else {
            before[..line].trim_end().len()
        };
        let text = before[..end].strip_suffix("*/")?;
        let floor = text.floor_char_boundary(text.len().saturating_sub(LONGEST));
        let at = floor + text[floor..].rfind("/*")?;
        let text = text[at..].strip_prefix("/**")?;
        Some(JsdocSpan { text, at: at + 3 })
    }

    /// Takes the types of a function from its documentation, where nothing else says them.
    pub(in crate::typescript) fn documented_function(
        &mut self,
        def: DefId,
        start: usize,
        inner: ScopeId,
    ) {
        let Some(comment) = self.comment_before(start) else {
            return;
        };
        let scope = self.b.facts.scopes[inner as usize].parent;
        self.links(comment, scope);
        let mut place = 0;
        for (tag, rest) in tags(comment) {
            let Some((braces, behind)) = in_braces(rest) else {
                continue;
            };
            match tag {
                "returns" | "return" => {
                    let ty = self.documented_result(braces, inner);
                    self.b.edit(def).ty = ty;
                }
                "this" => self.documented_this(braces, inner),
                "param" | "arg" | "argument" => {
                    let name = behind.trim_start().trim_start_matches('[');
                    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
                    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
                    match name[end..].strip_prefix('.') {
                        Some(key) => {
                            let end = key.find(|c| !is_part(c)).unwrap_or(key.len());
                            self.documented_key(def, &key[..end], braces, scope);
                        }
                        None => {
                            self.documented_parameter(def, (&name[..end], place), braces, scope);
                            place += 1;
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// `@this {A}`: a parameter, named by the tag itself.
    fn documented_this(&mut self, ty: JsdocSpan<'t>, inner: ScopeId) {
        let before = &self.text[..ty.at];
        let Some(at) = before.rfind("this") else {
            return;
        };
        let ty = self.documented_type(ty, inner);
        let def = self
            .b
            .define("this", DefKind::Parameter, inner, at as u32, at..at + 4);
        let parameter = self.b.edit(def);
        parameter.spaces = space::VALUE;
        parameter.flags |= flag::RECEIVER;
        parameter.ty = ty;
        self.lang.this.is_declared = true;
    }

    /// The scope of the type parameters that a comment declares: `@template T`, `@template {A} T, U`. The one around
    /// where it declares none.
    pub(in crate::typescript) fn documented_type_parameters(
        &mut self,
        start: usize,
        scope: ScopeId,
        owner: DefId,
    ) -> ScopeId {
        let comment = self
            .lang
            .has_templates
            .then(|| self.comment_before(start))
            .flatten();
        match comment.filter(|comment| comment.text.contains("@template")) {
            Some(comment) => self.templates(comment, scope, owner),
            None => scope,
        }
    }

    pub(super) fn templates(
        &mut self,
        comment: JsdocSpan<'t>,
        scope: ScopeId,
        owner: DefId,
    ) -> ScopeId {
        let range = comment.at..comment.at + comment.text.len();
        let header = self.b.scope(ScopeKind::Header, scope, owner, range);
        for (_, rest) in tags(comment).filter(|(tag, _)| *tag == "template") {
            let bound = in_braces(rest);
            let names = bound.map_or(rest.text, |(_, behind)| behind);
            let at = rest.at + rest.text.len() - names.len();
            let rest = JsdocSpan { text: names, at };
            self.template(
                &mut JsdocReader { rest },
                bound.map(|(bound, _)| bound),
                header,
            );
        }
        header
    }

    /// The type parameters that one tag declares, all with its bound.
    fn template(
        &mut self,
        reader: &mut JsdocReader<'t>,
        bound: Option<JsdocSpan<'t>>,
        header: ScopeId,
    ) {
        let bound = bound.map_or(NONE, |bound| self.documented_type(bound, header));
        reader.takes("const ");
        loop {
            let has_default = reader.takes("[");
            let Some(name) = reader.word() else {
                return;
            };
            let range = name.at..name.at + name.text.len();
            let at = name.at as u32;
            let def = self
                .b
                .define(name.text, DefKind::TypeParam, header, at, range);
            let param = self.b.edit(def);
            param.spaces = space::TYPE;
            param.ty = bound;
            if has_default && reader.takes("=") {
                let default = self.jsdoc_type(reader, header, 0);
                self.b.edit(def).value = default;
                reader.takes("]");
            }
            if !reader.takes(",") {
                return;
            }
        }
    }

    /// A base with the arguments that documentation gives it: `@extends {A<B>}`.
    pub(in crate::typescript) fn documented_base(
        &mut self,
        start: usize,
        base: ExprId,
        scope: ScopeId,
    ) -> ExprId {
        let comment = self.lang.has_templates.then(|| self.comment_before(start));
        let Some(comment) = comment.flatten() else {
            return base;
        };
        let mut said = tags(comment).filter(|(tag, _)| matches!(*tag, "extends" | "augments"));
        let Some((braces, _)) = said.next().and_then(|(_, rest)| in_braces(rest)) else {
            return base;
        };
        let said = self.documented_type(braces, scope);
        match self.b.facts.expr(said) {
            Expr::Apply { args, .. } => self.b.expr(Expr::Apply { of: base, args }),
            _ => base,
        }
    }

    /// By its name, or by its place where a pattern stands for it.
    fn documented_parameter(
        &mut self,
        of: DefId,
        (name, place): (&str, usize),
        ty: JsdocSpan<'t>,
        scope: ScopeId,
    ) {
        let facts = &self.b.facts;
        let inner = facts.defs[of as usize].inner;
        // They were declared after their function.
        let all = (of as usize..facts.defs.len()).filter(|index| {
            let def = &facts.defs[*index];
            def.scope == inner && def.kind == DefKind::Parameter
        });
        let name_of = |index: &usize| facts.name(facts.defs[*index].name);
        let named = all.clone().find(|index| name_of(index) == name);
        let pattern = || {
            all.clone()
                .nth(place)
                .filter(|index| name_of(index).is_empty())
        };
        let found = named.or_else(pattern);
        let Some(parameter) = found.filter(|index| facts.defs[*index].ty == NONE) else {
            return;
        };
        let ty = self.documented_type(ty, scope);
        let def = self.b.edit(parameter as DefId);
        def.ty = ty;
        let taken = def.value;
        if matches!(self.b.facts.expr(taken), Expr::Opaque) && taken != NONE {
            self.b.fill(taken, Expr::Value { of: ty });
        }
    }

    /// `@param {T} options.key`, where the key is taken out of the parameter right away: `f({ key })`.
    fn documented_key(&mut self, of: DefId, key: &str, ty: JsdocSpan<'t>, scope: ScopeId) {
        let facts = &self.b.facts;
        let inner = facts.defs[of as usize].inner;
        let found = (of as usize..facts.defs.len()).find(|index| {
            let def = &facts.defs[*index];
            let is_taken = def.scope == inner && def.kind == DefKind::Variable;
            is_taken && def.ty == NONE && facts.name(def.name) == key
        });
        let Some(variable) = found else { return };
        let ty = self.documented_type(ty, scope);
        self.b.edit(variable as DefId).ty = ty;
    }

    /// The type that documentation gives to a variable; its links are noted.
    pub(in crate::typescript) fn documented_variable(
        &mut self,
        start: usize,
        scope: ScopeId,
    ) -> ExprId {
        let Some(comment) = self.comment_before(start) else {
            return NONE;
        };
        self.links(comment, scope);
        let mut types = tags(comment).filter(|(tag, _)| *tag == "type");
        let braces = types.next().and_then(|(_, rest)| in_braces(rest));
        // `@type {const}` says that it does not change.
        let braces = braces.filter(|(braces, _)| braces.text.trim() != "const");
        braces.map_or(NONE, |(braces, _)| self.documented_type(braces, scope))
    }

    /// The type that a comment right before a value gives it. The language's service does not count names in it.
    pub(in crate::typescript) fn jsdoc_before(&mut self, start: usize, scope: ScopeId) -> ExprId {
        let before = self.text.get(..start).filter(|_| !self.lang.is_typed);
        if before.is_none_or(|before| !before.trim_end().ends_with("*/")) {
            return NONE;
        }
        let first = self.b.facts.exprs.len();
        let said = self.documented_variable(start, scope);
        for expr in &mut self.b.facts.exprs[first..] {
            if let Expr::Name { at, .. } | Expr::Member { at, .. } = expr {
                *at = NONE;
            }
        }
        said
    }

    /// Notes the links before a declaration.
    pub(in crate::typescript) fn documented_links(&mut self, start: usize, scope: ScopeId) {
        if let Some(comment) = self.comment_before(start) {
            self.links(comment, scope);
        }
    }

    /// `{@link A.b}`, once for each comment.
    fn links(&mut self, comment: JsdocSpan<'t>, scope: ScopeId) {
        if !comment.text.contains("{@link") || !self.lang.linked.insert(comment.at) {
            return;
        }
        for (found, sign) in comment.text.match_indices("{@link") {
            let rest = &comment.text[found + sign.len()..];
            let kinds = ["code", "plain"].iter();
            let rest = kinds.fold(rest, |rest, kind| rest.strip_prefix(kind).unwrap_or(rest));
            let name = rest.trim_start();
            if name.len() == rest.len() {
                continue;
            }
            let rest = JsdocSpan {
                text: name,
                at: comment.at + comment.text.len() - name.len(),
            };
            self.path(&mut JsdocReader { rest }, scope);
        }
    }
}
