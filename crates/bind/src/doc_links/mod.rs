//! Names in documentation: Java's `{@link A#m(int)}` and `@see`, C#'s `cref="A.M(int)"`, names of parameters.
//!
//! Only of languages whose compilers resolve them and count them among the uses of a name: `rust-analyzer`, `gopls`,
//! `clangd` and `pyright` do not. Read when everything is declared: documentation stands before what it is about, but
//! sees what is in it.

mod comments;
mod csharp;
mod java;
mod typescript;

use std::ops::Range;

use rustc_hash::FxHashSet;

use comments::{comment_before, comment_before_modifiers};

use crate::builder::BindingsBuilder;
use crate::facts::{Def, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space};

/// A language in whose documentation names are looked for.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    Java,
    CSharp,
    TypeScript,
}

/// Adds the uses that are in documentation.
pub(crate) fn add(builder: &mut BindingsBuilder, text: &str, style: Style) {
    let mut read = FxHashSet::default();
    for def in 0..builder.facts.defs.len() {
        let def = builder.facts.defs[def];
        if def.at == NONE || !style.documents(def.kind) {
            continue;
        }
        let start = def.start as usize;
        let comment = match style {
            Style::TypeScript => comment_before_modifiers(text, start),
            Style::Java | Style::CSharp => comment_before(text, start),
        };
        let Some(comment) = comment else { continue };
        // `int a, b;` declares two, and a record's parameter a property.
        if !read.insert(comment.start) {
            continue;
        }
        let mut links = Links {
            builder,
            text,
            scope: names_seen_by(&def),
            inner: def.inner,
        };
        match style {
            Style::Java => links.java(comment),
            Style::CSharp => links.csharp(comment),
            Style::TypeScript => links.typescript(comment),
        }
    }
}

impl Style {
    /// Whether such a declaration has documentation of its own.
    fn documents(self, kind: DefKind) -> bool {
        use DefKind::{
            Constant, Constructor, EnumMember, Event, Field, Function, Method, Namespace, Property,
            TypeAlias, Variable,
        };
        match kind {
            Constructor | EnumMember | Event | Field | Method | Property => true,
            Constant | Function | Namespace | TypeAlias | Variable => {
                matches!(self, Self::TypeScript)
            }
            _ => kind.is_type(),
        }
    }
}

/// Whether nothing but decoration stands before this place on its line.
fn starts_line(before: &str) -> bool {
    let line = before.rfind('\n').map_or(before, |at| &before[at..]);
    line.chars()
        .all(|c| c.is_whitespace() || matches!(c, '*' | '/'))
}

/// The documentation of a type sees its members.
fn names_seen_by(def: &Def) -> ScopeId {
    let has_members = def.kind.is_type() && def.kind != DefKind::Delegate && def.inner != NONE;
    if has_members { def.inner } else { def.scope }
}

/// A tag of a comment: `{@link`, `@see`, `<see`.
struct Tag<'t> {
    name: &'t str,
    /// Whether it stands in braces.
    is_inline: bool,
    /// Whether nothing but decoration stands before it on its line.
    starts_line: bool,
    /// What follows it.
    rest: DocLinkReader<'t>,
}

/// The tags of a comment that begin with a sign.
fn tags(text: &str, comment: Range<usize>, sign: char) -> impl Iterator<Item = Tag<'_>> {
    let inside = &text[comment.clone()];
    inside.match_indices(sign).filter_map(move |(found, _)| {
        let mut rest = DocLinkReader {
            text,
            at: comment.start + found + 1,
            end: comment.end,
        };
        let name = rest.word()?.text;
        rest.skip_blanks();
        let before = &inside[..found];
        Some(Tag {
            name,
            is_inline: before.ends_with('{'),
            starts_line: starts_line(before),
            rest,
        })
    })
}

/// Takes the names out of one comment.
struct Links<'t, 'b> {
    builder: &'b mut BindingsBuilder,
    text: &'t str,
    /// Where names are looked up.
    scope: ScopeId,
    /// The parameters of what is documented, or the members; [`NONE`] where it has neither.
    inner: ScopeId,
}

impl<'t> Links<'t, '_> {
    /// What a scope is the inside of.
    fn owner(&self, scope: ScopeId) -> Option<&Def> {
        let facts = &self.builder.facts;
        let owner = facts.scopes.get(scope as usize)?.owner;
        facts.defs.get(owner as usize)
    }

    /// A name by itself, or of what is before it.
    fn name(&mut self, of: ExprId, word: DocWord<'t>, spaces: u8) -> ExprId {
        let DocWord { text, at } = word;
        let at = at as u32;
        match of {
            NONE => self
                .builder
                .name_use(text, self.scope, at, Role::Doc, spaces),
            of => self.builder.member_use(of, text, at, Role::Doc, spaces),
        }
    }

    /// A name that something else is looked up in, which is no use.
    fn passed(&mut self, of: ExprId, word: DocWord<'t>, spaces: u8) -> ExprId {
        let DocWord { text, .. } = word;
        match of {
            NONE => self
                .builder
                .name_use(text, self.scope, NONE, Role::Doc, spaces),
            of => self.builder.member_use(of, text, NONE, Role::Doc, spaces),
        }
    }

    /// A parameter of what is documented.
    fn parameter(&mut self, word: DocWord<'t>) {
        let DocWord { text, at } = word;
        if self.inner == NONE {
            return;
        }
        let Some(def) = self.builder.declared(self.inner, text) else {
            return;
        };
        // A variable of the function is none, a record's component is one.
        let def = self.builder.edit(def);
        if def.kind == DefKind::Parameter || def.flags & flag::MEMBER != 0 {
            self.builder
                .name_use(text, self.inner, at as u32, Role::Doc, space::VALUE);
        }
    }

    /// A type parameter of what is documented.
    fn type_parameter(&mut self, word: DocWord<'t>) {
        let scopes = &self.builder.facts.scopes;
        let around = scopes.get(self.inner as usize).map(|scope| scope.parent);
        let Some(header) = around.filter(|scope| {
            let scope = scopes.get(*scope as usize);
            scope.is_some_and(|scope| scope.kind == ScopeKind::Header)
        }) else {
            return;
        };
        if self.builder.declared(header, word.text).is_some() {
            let DocWord { text, at } = word;
            self.builder
                .name_use(text, header, at as u32, Role::Doc, space::TYPE);
        }
    }

    /// A type without a declaration.
    fn plain_type(&mut self, name: &str) -> ExprId {
        self.builder
            .name_use(name, self.scope, NONE, Role::Type, space::TYPE)
    }

    /// `[]` and what stands for more arguments, behind a type.
    fn arrays(&mut self, of: ExprId, reader: &mut DocLinkReader<'t>) -> ExprId {
        let mut of = of;
        while reader.rest().starts_with('[') {
            reader.passes('[', ']');
            of = match of {
                NONE => NONE,
                of => self.builder.expr(Expr::Array { of }),
            };
        }
        reader.takes("...");
        of
    }

    /// Chooses among functions by the types of their parameters.
    fn called(&mut self, of: ExprId, types: &[ExprId]) {
        let values: Vec<ExprId> = types
            .iter()
            .map(|of| match *of {
                NONE => self.builder.expr(Expr::Opaque),
                of => self.builder.expr(Expr::Value { of }),
            })
            .collect();
        let args = self.builder.list(&values);
        self.builder.expr(Expr::Call { of, args });
    }
}

/// A name and its first byte.
#[derive(Clone, Copy)]
struct DocWord<'t> {
    text: &'t str,
    at: usize,
}

/// What is still to be read of a link. Ends of lines and the `*` and `///` of the next are blanks.
#[derive(Clone)]
struct DocLinkReader<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

impl<'t> DocLinkReader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..self.end).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        let mut is_new_line = false;
        for (at, letter) in self.rest().char_indices() {
            let is_blank = letter.is_whitespace() || is_new_line && matches!(letter, '*' | '/');
            if !is_blank {
                self.at += at;
                return;
            }
            is_new_line |= letter == '\n';
        }
        self.at = self.end;
    }

    /// Takes a sign that stands right here.
    fn takes(&mut self, sign: &str) -> bool {
        let is_next = self.rest().starts_with(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    /// Takes a name that stands right here.
    fn word(&mut self) -> Option<DocWord<'t>> {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let text = &rest[..end];
        if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let at = self.at;
        self.at += end;
        Some(DocWord { text, at })
    }

    /// Takes names with dots between them; `each` is told every name and whether it is the last.
    fn path(&mut self, mut each: impl FnMut(DocWord<'t>, bool)) {
        let mut next = self.word();
        while let Some(word) = next {
            let here = self.at;
            next = self.takes(".").then(|| self.word()).flatten();
            if next.is_none() {
                self.at = here;
            }
            each(word, next.is_none());
        }
    }

    /// Passes what is in brackets, if one opens right here.
    fn passes(&mut self, open: char, close: char) {
        if !self.rest().starts_with(open) {
            return;
        }
        let mut depth = 0;
        for (at, letter) in self.rest().char_indices() {
            depth += i32::from(letter == open) - i32::from(letter == close);
            if depth == 0 {
                self.at += at + letter.len_utf8();
                return;
            }
        }
        self.at = self.end;
    }
}
