//! From a declaration to those that are related to it: what calls need, what stands above and below it.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, ExprId, NONE, ScopeKind};

use crate::family::push;
use crate::references::RoleOf;
use crate::resolver::Resolver;
use crate::workspace::{DefRef, FileNo};

impl Resolver<'_> {
    /// What a definition defines.
    #[must_use]
    pub fn kind(&self, def: DefRef) -> Option<DefKind> {
        Some(self.def(def)?.kind)
    }

    /// All that is known of a definition.
    #[must_use]
    pub fn definition(&self, def: DefRef) -> Option<&Def> {
        self.def(def)
    }

    /// What kind of scope a definition is a name in.
    #[must_use]
    pub fn scope_kind(&self, def: DefRef) -> Option<ScopeKind> {
        let scope = self.def(def)?.scope;
        Some(self.file(def.file)?.scope(scope).kind)
    }

    /// The language of a file; nothing where its names are not resolved.
    #[must_use]
    pub fn dialect(&self, file: FileNo) -> Option<Dialect> {
        let dialect = self.workspace.dialect(file);
        dialect.filter(|dialect| dialect.is_resolved())
    }

    /// Whether names of a file are found by their text alone: its language is of the second rank (SPEC D2).
    #[must_use]
    pub fn is_by_name(&self, file: FileNo) -> bool {
        self.rules(file).is_by_name()
    }

    /// Every definition of a file that has a place.
    #[must_use]
    pub fn definitions_in(&self, file: FileNo) -> Vec<DefRef> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let defs = (0..).zip(bound.defs()).filter(|(_, def)| def.at != NONE);
        defs.map(|(def, _)| DefRef { file, def }).collect()
    }

    /// Whether it is a type with members of its own.
    #[must_use]
    pub fn is_type(&self, def: DefRef) -> bool {
        self.kind(def).is_some_and(DefKind::is_type)
    }

    /// Whether it is used by being called or constructed, rather than by being read.
    #[must_use]
    pub fn takes_calls(&self, def: DefRef) -> bool {
        let kind = self.kind(def);
        kind.is_some_and(|kind| kind.is_callable() || kind.is_type())
    }

    /// First byte and end of a whole declaration.
    #[must_use]
    pub fn extent(&self, def: DefRef) -> Option<(u32, u32)> {
        let found = self.def(def)?;
        Some((found.start, found.end))
    }

    /// Every use between two bytes of a file, in source order: its expression, first byte, length and role.
    #[must_use]
    pub fn uses_between(
        &self,
        file: FileNo,
        start: u32,
        end: u32,
    ) -> Vec<(ExprId, u32, u32, RoleOf)> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let inside = bound
            .uses()
            .filter(|(_, _, at, _)| (start..end).contains(at));
        let mut uses: Vec<_> = inside
            .map(|(expr, name, at, role)| {
                let len = self.workspace.text(bound.name(name)).len() as u32;
                (expr, at, len, RoleOf::from(role))
            })
            .collect();
        uses.sort_unstable_by_key(|(expr, at, ..)| (*at, *expr));
        uses
    }

    /// What implements, overrides or derives from a declaration: of a type what names it as a base, of a
    /// member those that replace it anywhere below.
    #[must_use]
    pub fn implementations(&self, of: DefRef) -> Vec<DefRef> {
        self.reset_budget();
        if self.is_type(of) {
            return self.subtypes(of);
        }
        self.of_symbol(of, Resolver::overriding)
    }

    /// What a declaration implements, overrides or derives from: of a type its bases, of a member those that
    /// it replaces.
    #[must_use]
    pub fn implemented(&self, of: DefRef) -> Vec<DefRef> {
        self.reset_budget();
        if self.is_type(of) {
            return self.supertypes(of).0;
        }
        self.of_symbol(of, Resolver::overridden)
    }

    /// What a question finds for any declaration of a symbol, without the symbol's own.
    fn of_symbol<'q>(
        &'q self,
        of: DefRef,
        question: impl Fn(&'q Self, DefRef) -> Vec<DefRef>,
    ) -> Vec<DefRef> {
        let symbol = self.symbol(of);
        let mut found = Vec::new();
        for def in &symbol {
            for other in question(self, *def) {
                if !symbol.contains(&other) {
                    push(&mut found, other);
                }
            }
        }
        found
    }
}
