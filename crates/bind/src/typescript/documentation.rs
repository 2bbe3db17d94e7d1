//! What documentation says: types of untyped code (`@param {A} x`, `@returns {A}`, `@type {A}`) and links.

use super::Walk;
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, space};

/// A comment that is longer is not looked through for its start.
const LONGEST: usize = 32 * 1024;
/// How far behind the start of its line something is that has documentation.
const FARTHEST: usize = 512;
/// Types in one another are read so deep.
const DEEPEST: u32 = 16;
/// Types without a declaration.
const PLAIN: [&str; 14] = [
    "string",
    "number",
    "boolean",
    "object",
    "any",
    "void",
    "null",
    "undefined",
    "function",
    "symbol",
    "bigint",
    "never",
    "unknown",
    "this",
];

/// A part of the text, and where it begins.
#[derive(Clone, Copy)]
pub(super) struct Span<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Walk<'t> {
    /// The documentation right before what begins at a byte; what assigns or exports it may stand between.
    ///
    /// Of untyped files alone: in typed ones types are written as code, and links there would be uses of imports
    /// that language servers do not count.
    fn comment_before(&self, start: usize) -> Option<Span<'t>> {
        if self.is_typed {
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
        Some(Span { text, at: at + 3 })
    }

    /// Takes the types of a function from its documentation, where nothing else says them.
    pub(super) fn documented_function(&mut self, def: DefId, start: usize, inner: ScopeId) {
        let Some(comment) = self.comment_before(start) else {
            return;
        };
        let scope = self.builder.facts.scopes[inner as usize].parent;
        self.links(comment, scope);
        for (tag, rest) in tags(comment) {
            let Some((braces, behind)) = in_braces(rest) else {
                continue;
            };
            match tag {
                "returns" | "return" => {
                    let ty = self.documented_type(braces, scope);
                    self.builder.edit(def).ty = ty;
                }
                "param" | "arg" | "argument" => {
                    let name = behind.trim_start().trim_start_matches('[');
                    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
                    let end = name.find(|c| !is_part(c)).unwrap_or(name.len());
                    match name[end..].strip_prefix('.') {
                        Some(key) => {
                            let end = key.find(|c| !is_part(c)).unwrap_or(key.len());
                            self.documented_key(def, &key[..end], braces, scope);
                        }
                        None => self.documented_parameter(def, &name[..end], braces, scope),
                    }
                }
                _ => {}
            }
        }
    }

    fn documented_parameter(&mut self, of: DefId, name: &str, ty: Span<'t>, scope: ScopeId) {
        let facts = &self.builder.facts;
        let inner = facts.defs[of as usize].inner;
        // They were declared after their function.
        let found = (of as usize..facts.defs.len()).find(|index| {
            let def = &facts.defs[*index];
            def.scope == inner
                && def.kind == DefKind::Parameter
                && def.ty == NONE
                && facts.name(def.name) == name
        });
        let Some(parameter) = found else { return };
        let ty = self.documented_type(ty, scope);
        self.builder.edit(parameter as DefId).ty = ty;
    }

    /// `@param {T} options.key`, where the key is taken out of the parameter right away: `f({ key })`.
    fn documented_key(&mut self, of: DefId, key: &str, ty: Span<'t>, scope: ScopeId) {
        let facts = &self.builder.facts;
        let inner = facts.defs[of as usize].inner;
        let found = (of as usize..facts.defs.len()).find(|index| {
            let def = &facts.defs[*index];
            let is_taken = def.scope == inner && def.kind == DefKind::Variable;
            is_taken && def.ty == NONE && facts.name(def.name) == key
        });
        let Some(variable) = found else { return };
        let ty = self.documented_type(ty, scope);
        self.builder.edit(variable as DefId).ty = ty;
    }

    /// The type that documentation gives to a variable; its links are noted.
    pub(super) fn documented_variable(&mut self, start: usize, scope: ScopeId) -> ExprId {
        let Some(comment) = self.comment_before(start) else {
            return NONE;
        };
        self.links(comment, scope);
        let mut types = tags(comment).filter(|(tag, _)| *tag == "type");
        let braces = types.next().and_then(|(_, rest)| in_braces(rest));
        braces.map_or(NONE, |(braces, _)| self.documented_type(braces, scope))
    }

    /// The type that a comment right before a value gives it. The language's service does not count names in it.
    pub(super) fn said_before(&mut self, start: usize, scope: ScopeId) -> ExprId {
        let before = self.text.get(..start).filter(|_| !self.is_typed);
        if before.is_none_or(|before| !before.trim_end().ends_with("*/")) {
            return NONE;
        }
        let first = self.builder.facts.exprs.len();
        let said = self.documented_variable(start, scope);
        for expr in &mut self.builder.facts.exprs[first..] {
            if let Expr::Name { at, .. } | Expr::Member { at, .. } = expr {
                *at = NONE;
            }
        }
        said
    }

    /// Notes the links before a declaration.
    pub(super) fn documented_links(&mut self, start: usize, scope: ScopeId) {
        if let Some(comment) = self.comment_before(start) {
            self.links(comment, scope);
        }
    }

    /// `{@link A.b}`, once for each comment.
    fn links(&mut self, comment: Span<'t>, scope: ScopeId) {
        if !comment.text.contains("{@link") || !self.linked.insert(comment.at) {
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
            let rest = Span {
                text: name,
                at: comment.at + comment.text.len() - name.len(),
            };
            self.path(&mut Reader { rest }, scope);
        }
    }

    pub(super) fn documented_type(&mut self, ty: Span<'t>, scope: ScopeId) -> ExprId {
        self.union(&mut Reader { rest: ty }, scope, 0)
    }

    fn union(&mut self, reader: &mut Reader<'t>, scope: ScopeId, depth: u32) -> ExprId {
        let mut parts = Vec::new();
        loop {
            let part = self.one_type(reader, scope, depth);
            if part != NONE {
                parts.push(part);
            }
            if !reader.takes("|") {
                break;
            }
        }
        match parts[..] {
            [] => NONE,
            [one] => one,
            _ => {
                let of = self.builder.list(&parts);
                self.builder.expr(Expr::Union { of })
            }
        }
    }

    fn one_type(&mut self, reader: &mut Reader<'t>, scope: ScopeId, depth: u32) -> ExprId {
        while ["?", "!", "..."].iter().any(|sign| reader.takes(sign)) {}
        let mut ty = if reader.takes("(") && depth < DEEPEST {
            let inner = self.union(reader, scope, depth + 1);
            reader.takes(")");
            inner
        } else {
            self.path(reader, scope)
        };
        if (reader.takes(".<") || reader.takes("<")) && depth < DEEPEST {
            let mut args = Vec::new();
            loop {
                let argument = self.union(reader, scope, depth + 1);
                args.push(match argument {
                    NONE => self.builder.expr(Expr::Opaque),
                    argument => argument,
                });
                if !reader.takes(",") {
                    break;
                }
            }
            reader.takes(">");
            if ty != NONE {
                let args = self.builder.list(&args);
                ty = self.builder.expr(Expr::Apply { of: ty, args });
            }
        }
        while reader.takes("[]") {
            ty = self.builder.expr(Expr::Array { of: ty });
        }
        ty
    }

    /// `a.b.C`, `import("./a").C`, or `C#m` in links.
    fn path(&mut self, reader: &mut Reader<'t>, scope: ScopeId) -> ExprId {
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
            of = self
                .builder
                .member_use(of, next.text, at, Role::Doc, space::ANY);
        }
        if module == Some(of) {
            of = self
                .builder
                .member_use(of, "export=", NONE, Role::Doc, space::ANY);
        }
        of
    }
}

impl<'t> Walk<'t> {
    /// The name that a path begins with.
    fn first(&mut self, reader: &mut Reader<'t>, scope: ScopeId) -> Option<ExprId> {
        let first = reader.word()?;
        if PLAIN.contains(&first.text) {
            return None;
        }
        let at = first.at as u32;
        let name = self
            .builder
            .name_use(first.text, scope, at, Role::Doc, space::ANY);
        Some(name)
    }

    /// The module that a path begins with.
    fn imported(&mut self, reader: &mut Reader<'t>) -> Option<ExprId> {
        let whole = reader.rest.text;
        let (path, behind) = whole
            .trim_start()
            .strip_prefix("import(")?
            .split_once(')')?;
        reader.advance(whole.len() - behind.len());
        let name = self.builder.name(path.trim().trim_matches(['"', '\'']));
        Some(self.builder.expr(Expr::Module {
            name,
            at: NONE,
            level: 0,
        }))
    }
}

/// What is still to be read of a type.
pub(super) struct Reader<'t> {
    pub(super) rest: Span<'t>,
}

impl<'t> Reader<'t> {
    fn advance(&mut self, bytes: usize) {
        self.rest = Span {
            text: &self.rest.text[bytes..],
            at: self.rest.at + bytes,
        };
    }

    pub(super) fn takes(&mut self, sign: &str) -> bool {
        let blank = self.rest.text.len() - self.rest.text.trim_start().len();
        let is_next = self.rest.text[blank..].starts_with(sign);
        if is_next {
            self.advance(blank + sign.len());
        }
        is_next
    }

    /// Takes what stands between the names of a path.
    fn continues(&mut self) -> bool {
        let mut letters = self.rest.text.chars();
        let is_path = matches!(letters.next(), Some('.' | '#'))
            && letters
                .next()
                .is_some_and(|c| c.is_alphabetic() || c == '_');
        if is_path {
            self.advance(1);
        }
        is_path
    }

    pub(super) fn word(&mut self) -> Option<Span<'t>> {
        let blank = self.rest.text.len() - self.rest.text.trim_start().len();
        let text = &self.rest.text[blank..];
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
        let starts = text.starts_with(|c: char| !c.is_ascii_digit());
        if end == 0 || !starts {
            return None;
        }
        let word = Span {
            text: &text[..end],
            at: self.rest.at + blank,
        };
        self.advance(blank + end);
        Some(word)
    }
}

/// The tags of a comment, each with what follows it.
pub(super) fn tags(comment: Span<'_>) -> impl Iterator<Item = (&str, Span<'_>)> {
    comment.text.match_indices('@').map(move |(at, _)| {
        let rest = &comment.text[at + 1..];
        let end = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        let behind = Span {
            text: &rest[end..],
            at: comment.at + at + 1 + end,
        };
        (&rest[..end], behind)
    })
}

/// What stands in the braces that a text begins with, and what follows them.
pub(super) fn in_braces(of: Span<'_>) -> Option<(Span<'_>, &str)> {
    let inside = of.text.trim_start().strip_prefix('{')?;
    let start = of.text.len() - inside.len();
    let mut depth = 1;
    for (at, letter) in inside.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            let braces = Span {
                text: &inside[..at],
                at: of.at + start,
            };
            return Some((braces, &inside[at + 1..]));
        }
    }
    None
}
