//! Where a symbol is used: candidates by name, each confirmed by resolving it.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, ExprId, NONE, Role, ScopeKind, flag};
use rustc_hash::FxHashSet;

use crate::family::push;
use crate::file::File;
use crate::overloads::arity::MOST_COMPARED;
use crate::parallel::in_parallel;
use crate::resolver::{LookupResult, Resolver};
use crate::workspace::{DefRef, ExprRef, FileNo, Name};

/// To ask each of many overloads for what belongs to it takes the square of their number: not more than this. Of
/// three hundred each is asked, of five thousand twenty.
pub const MOST_ASKED_OF_EACH: usize = 100_000;

/// How sure an answer is (SPEC R2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// Every step to it is declared and there is one target.
    Exact,
    /// Some step was inferred, or there are several targets.
    Inferred,
    /// An override, implementation or interface member of the symbol.
    Related,
    /// Same name, receiver not known.
    Name,
}

/// A use of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// Which file.
    pub file: FileNo,
    /// First byte of the name.
    pub at: u32,
    /// Length of the name in bytes.
    pub len: u32,
    /// How sure it is.
    pub tier: Tier,
    /// What is done with it.
    pub role: RoleOf,
}

/// A role that can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleOf(pub u8);

impl From<Role> for RoleOf {
    fn from(role: Role) -> Self {
        Self(role as u8)
    }
}

impl Resolver<'_> {
    /// Names under which a symbol may be used: its own and those that imports give it.
    pub(crate) fn names_of(&self, of: DefRef) -> Vec<Name> {
        let Some(name) = self.name_of(of) else {
            return Vec::new();
        };
        let mut names = vec![name];
        // Attributes may leave out the end of their type's name.
        let ending = self.rules(of.file).attribute_ending();
        let short = self.workspace.text(name).strip_suffix(ending);
        if let Some(short) = short.filter(|_| !ending.is_empty()) {
            names.extend(self.workspace.name(short));
        }
        let hints = self.workspace.hints();
        let given = hints.aliases_of(self.workspace.text(name));
        names.extend(given.filter_map(|alias| self.workspace.name(alias)));
        let mut next = 0;
        let mut asked = names.clone();
        asked.extend(self.unwritten_names(of));
        while next < asked.len() && names.len() < 64 {
            let name = asked[next];
            next += 1;
            for alias in self.workspace.renamings(name) {
                if let Some(other) = self.name_of(*alias)
                    && !names.contains(&other)
                    && self.leads_to(*alias, of)
                {
                    names.push(other);
                    asked.push(other);
                }
            }
        }
        names
    }

    /// Names under which a symbol leaves its file without anybody writing them: `default`.
    fn unwritten_names(&self, of: DefRef) -> Vec<Name> {
        let Some(bound) = self.file(of.file) else {
            return Vec::new();
        };
        let is_default = bound.def(of.def).flags & flag::DEFAULT != 0;
        let mut names: Vec<Name> = self
            .workspace
            .name("default")
            .into_iter()
            .filter(|_| is_default)
            .collect();
        for def in bound.all_in(0) {
            let found = bound.def(def);
            if found.flags & flag::UNWRITTEN != 0
                && found.kind == DefKind::Alias
                && self.leads_to(DefRef { file: of.file, def }, of)
            {
                push(&mut names, bound.name(found.name));
            }
        }
        names
    }

    fn leads_to(&self, alias: DefRef, of: DefRef) -> bool {
        let followed = self.follow(alias);
        followed
            .ends
            .iter()
            .any(|end| self.is_same_symbol(*end, of))
            || followed.via_aliases.contains(&of)
    }

    /// Every use of a symbol, and of what is related to it, in the order of files and places.
    #[must_use]
    pub fn references(&self, of: DefRef) -> Vec<Reference> {
        self.references_of(&[of])
    }

    /// The same of several symbols that are asked for together, such as all overloads of a name: a use that may
    /// mean several of them is there once. Candidates are looked through once, however many symbols there are.
    #[must_use]
    pub fn references_of(&self, all: &[DefRef]) -> Vec<Reference> {
        self.uses_of(all, Self::listed_with)
    }

    /// The same with the uses of what overrides and implements it, or is overridden, in every language: also
    /// where language servers keep these apart.
    #[must_use]
    pub fn references_and_related(&self, of: DefRef) -> Vec<Reference> {
        self.references_and_related_of(&[of])
    }

    /// The same of several symbols that are asked for together.
    #[must_use]
    pub fn references_and_related_of(&self, all: &[DefRef]) -> Vec<Reference> {
        self.uses_of(all, Self::related)
    }

    fn uses_of(
        &self,
        all: &[DefRef],
        related: impl Fn(&Self, DefRef) -> Vec<DefRef>,
    ) -> Vec<Reference> {
        let heads = self.heads(all);
        let mut found = Vec::new();
        for of in &heads {
            if self.rules(of.file).lists_overridden() {
                self.list_overridden(*of, &mut found);
            }
        }
        let wanted = self.wanted(all, &heads, related);
        let places = self.places_to_search(&heads, &wanted);
        let uses = in_parallel(self, &places, |resolver, (file, name), found| {
            resolver.references_in(*file, *name, &wanted, found);
        });
        found.extend(uses);
        found.sort_unstable();
        found.dedup_by_key(|reference| (reference.file, reference.at));
        found
    }

    /// What uses are looked for of these symbols.
    fn wanted(
        &self,
        all: &[DefRef],
        heads: &[DefRef],
        related: impl Fn(&Self, DefRef) -> Vec<DefRef>,
    ) -> Wanted {
        let place = |def: &DefRef| Some((def.file, self.def(*def)?.at));
        // A type that is declared but not defined there is used there as well.
        let is_forward = |def: &DefRef| {
            let found = self.def(*def);
            all != [*def]
                && found.is_some_and(|def| def.kind.is_type() && def.flags & flag::DECLARATION != 0)
        };
        let is_a = |of: &DefRef, kind| self.def(*of).is_some_and(|def| def.kind == kind);
        let has_no_links =
            |of: &DefRef| is_a(of, DefKind::Alias) && !self.rules(of.file).links_use_imports();
        let mut wanted = Wanted {
            is_constructor: all.iter().any(|of| is_a(of, DefKind::Constructor)),
            has_no_links: all.iter().all(has_no_links),
            ..Wanted::default()
        };
        wanted.symbol.extend(all);
        for of in heads {
            self.reset_budget();
            wanted.related.extend(related(self, *of));
            self.reset_budget();
            wanted.symbol.extend(self.symbol(*of));
        }
        let symbol = wanted.symbol.iter();
        wanted.sites = symbol.clone().filter_map(place).collect();
        // A key in `{ a }` is where the variable is used.
        wanted.own = symbol
            .filter(|def| !is_forward(def) && !self.is_shorthand(**def))
            .filter_map(place)
            .collect();
        wanted
    }

    /// One declaration of each symbol among these. Of thousands of overloads the first have to do: the others have
    /// their name and place.
    fn heads(&self, all: &[DefRef]) -> Vec<DefRef> {
        let most = (MOST_ASKED_OF_EACH / all.len().max(1)).max(1);
        let mut heads = Vec::new();
        let mut known = FxHashSet::default();
        for of in all {
            if heads.len() == most {
                break;
            }
            if !known.contains(of) {
                heads.push(*of);
                // Of few, each is asked by itself.
                if all.len() > MOST_COMPARED {
                    known.extend(self.symbol(*of));
                }
            }
        }
        heads
    }

    /// Where these symbols can be used, and under which name: each file once for each name.
    fn places_to_search(&self, heads: &[DefRef], wanted: &Wanted) -> Vec<(FileNo, Name)> {
        let homes = wanted.homes();
        let mut places = Vec::new();
        let (mut known, mut searched) = (FxHashSet::default(), FxHashSet::default());
        for of in heads.iter().copied() {
            self.reset_budget();
            let mut names = self.names_of(of);
            if !self.rules(of.file).renamed_uses_count() {
                names.truncate(1);
            }
            if self
                .def(of)
                .is_some_and(|def| def.kind == DefKind::Constructor)
            {
                let words = self.rules(of.file).constructor_words().iter();
                names.extend(words.filter_map(|word| self.workspace.name(word)));
            }
            let own = self.files_of_own(of);
            for name in names {
                let files = match &own {
                    Some(files) => files.clone(),
                    // What is seen everywhere under one name is looked for in the same files.
                    None if !searched.insert((self.rules(of.file).family(), name)) => continue,
                    None => self.files_to_search(of, name, &homes),
                };
                let files = files.into_iter().map(|file| (file, name));
                places.extend(files.filter(|place| known.insert(*place)));
            }
        }
        places
    }

    /// Where the members are declared that a member replaces.
    fn list_overridden(&self, of: DefRef, found: &mut Vec<Reference>) {
        const MOST: usize = 64;
        let mut open = self.overridden(of);
        let mut next = 0;
        while next < open.len() && open.len() < MOST {
            let base = open[next];
            next += 1;
            for more in self.overridden(base) {
                push(&mut open, more);
            }
        }
        for base in open {
            let Some(def) = self.def(base).filter(|def| def.at != NONE) else {
                continue;
            };
            let name = self
                .name_of(base)
                .map_or("", |name| self.workspace.text(name));
            found.push(Reference {
                file: base.file,
                at: def.at,
                len: name.len() as u32,
                tier: Tier::Related,
                role: Role::Read.into(),
            });
        }
    }

    /// The files to which what is seen nowhere else is confined.
    fn files_of_own(&self, of: DefRef) -> Option<Vec<FileNo>> {
        match self.is_local(of) {
            true => Some(vec![of.file]),
            false => self.files_of_private(of),
        }
    }

    /// Files in which a symbol that is seen everywhere can be used under a name: those where it is declared, and
    /// of the others those where the name is not that of locals alone.
    fn files_to_search(&self, of: DefRef, name: Name, homes: &FxHashSet<FileNo>) -> Vec<FileNo> {
        let family = self.rules(of.file).family();
        let files = self.workspace.files_with(name).iter().copied();
        files
            .filter(|file| self.rules(*file).family() == family)
            .filter(|file| homes.contains(file) || self.workspace.leads_outwards(*file, name))
            .collect()
    }

    /// The files of a type, for what is seen in its type alone.
    fn files_of_private(&self, of: DefRef) -> Option<Vec<FileNo>> {
        let def = self.def(of)?;
        let is_private = def.flags & flag::PRIVATE != 0 && !def.kind.is_type();
        if !is_private || !self.rules(of.file).private_is_of_type() {
            return None;
        }
        let parts = self.parts(self.owner(of)?);
        let mut files = vec![of.file];
        for file in parts.types.iter().chain(&parts.loose).map(|part| part.file) {
            push(&mut files, file);
        }
        Some(files)
    }

    /// Whether a definition can be used in its own file alone.
    #[must_use]
    pub fn is_local(&self, of: DefRef) -> bool {
        let (Some(bound), Some(def)) = (self.file(of.file), self.def(of)) else {
            return false;
        };
        let is_named_param = def.kind == DefKind::Parameter;
        let scope = bound.scope(def.scope);
        let in_code = matches!(
            scope.kind,
            ScopeKind::Function | ScopeKind::Block | ScopeKind::Header
        );
        // Named arguments are in other files; members of local types are not.
        in_code
            && !is_named_param
            && def.flags & (flag::MEMBER | flag::DEFAULT) == 0
            && scope.parent != NONE
            && !def.kind.is_type()
    }

    fn references_in(&self, file: FileNo, name: Name, wanted: &Wanted, found: &mut Vec<Reference>) {
        let Some(bound) = self.file(file) else {
            return;
        };
        let Some(local) = bound.local(name) else {
            return;
        };
        let len = self.workspace.text(name).len() as u32;
        for (expr, at, role) in bound.uses_of(local) {
            let is_passed = wanted.has_no_links && role == Role::Doc;
            if is_passed || wanted.own.contains(&(file, at)) {
                continue;
            }
            if let Some(tier) = self.tier_of(ExprRef { file, expr }, wanted)
                && !self.is_member_initialised(bound, file, expr)
            {
                found.push(Reference {
                    file,
                    at,
                    len,
                    tier,
                    role: role.into(),
                });
            }
        }
        // A key of an object literal uses the member that is expected there.
        for def in bound.defs_of(local) {
            let at = bound.def(def).at;
            self.unwritten_import(DefRef { file, def }, len, wanted, found);
            let key = self.contextual_property(DefRef { file, def });
            if key.iter().any(|def| wanted.symbol.contains(def))
                && !wanted.sites.contains(&(file, at))
            {
                found.push(Reference {
                    file,
                    at,
                    len,
                    tier: Tier::Inferred,
                    role: Role::Write.into(),
                });
            }
        }
    }

    /// Whether a name in front of a constructor's body is that of a member, although a base may have it as well.
    fn is_member_initialised(&self, bound: &File, file: FileNo, base: ExprId) -> bool {
        let is_cpp = bound.dialect() == Dialect::Cpp;
        let Some(member) = base.checked_sub(1).filter(|_| is_cpp) else {
            return false;
        };
        let place = |expr| bound.expr(expr).written().map(|(_, place, _)| place);
        matches!(bound.expr(member), Expr::Member { .. })
            && matches!(bound.expr(base), Expr::Name { .. })
            && place(member) == place(base)
            && !self.target(ExprRef { file, expr: member }).defs.is_empty()
    }

    /// An import that does not write what it names uses it by its own name: `import x from "./x"`; so does the second
    /// name of `from .x import y as y`.
    fn unwritten_import(&self, def: DefRef, len: u32, wanted: &Wanted, found: &mut Vec<Reference>) {
        let (Some(bound), Some(alias)) = (self.file(def.file), self.def(def)) else {
            return;
        };
        let target = match bound.expr(alias.value) {
            Expr::Apply { of, .. } => bound.expr(of),
            target => target,
        };
        // What is imported by its own name (`import x as x`) has no other name either, nor has what is a module's
        // default (`export { default as x } from "./x"`).
        let is_own_name = target.written().is_none_or(|(name, ..)| {
            let is_default = || self.workspace.text(bound.name(name)) == "default";
            name == alias.name || is_default()
        });
        let is_import = alias.kind == DefKind::Alias
            && alias.flags & flag::UNWRITTEN == 0
            && is_own_name
            && !self.rules(def.file).aliases_write_both();
        if !is_import || wanted.sites.contains(&(def.file, alias.at)) {
            return;
        }
        let followed = self.follow(def);
        let is_wanted = |end: &DefRef| wanted.symbol.contains(end);
        if followed.ends.iter().any(is_wanted) {
            // It may name several functions.
            let is_one = followed.is_declared && followed.ends.iter().all(is_wanted);
            found.push(Reference {
                file: def.file,
                at: alias.at,
                len,
                tier: if is_one { Tier::Exact } else { Tier::Inferred },
                role: Role::Import.into(),
            });
        }
    }

    fn tier_of(&self, at: ExprRef, wanted: &Wanted) -> Option<Tier> {
        let constructed = match wanted.is_constructor {
            true => self.constructed_by(at),
            false => Vec::new(),
        };
        if constructed.iter().any(|def| wanted.symbol.contains(def)) {
            let is_one = constructed.len() == 1;
            return Some(if is_one { Tier::Exact } else { Tier::Inferred });
        }
        if self.rules(at.file).is_by_name() {
            return Some(Tier::Name);
        }
        self.reset_budget();
        let found = self.find(at);
        if !self.may_lead_to(&found, wanted) {
            return None;
        }
        let target = self.target_of(at, &found);
        let is_direct = |def: &DefRef| self.is_wanted(*def, wanted);
        let hit = target.defs.iter().any(is_direct) || target.via_aliases.iter().any(is_direct);
        if hit {
            return Some(if self.is_sure(at, &found, &target) {
                Tier::Exact
            } else {
                Tier::Inferred
            });
        }
        if target.defs.iter().any(|def| wanted.related.contains(def)) {
            return Some(Tier::Related);
        }
        let is_open = target.defs.is_empty()
            && target.via_aliases.is_empty()
            && target.module.is_none()
            && target.namespace.is_none()
            && !target.external;
        is_open.then_some(Tier::Name)
    }

    fn is_wanted(&self, def: DefRef, wanted: &Wanted) -> bool {
        let is_site = |found: &Def| wanted.sites.contains(&(def.file, found.at));
        wanted.symbol.contains(&def) || self.def(def).is_some_and(is_site)
    }

    /// Whether what a lookup found leaves it open that the symbol or what is related to it is meant. Which of a
    /// type's overloads is, costs many times that; where all of them are of other types, it does not matter.
    fn may_lead_to(&self, found: &LookupResult, wanted: &Wanted) -> bool {
        let is_alias = |def| self.def(def).is_some_and(|def| def.kind == DefKind::Alias);
        let may_be = |def: &DefRef| {
            is_alias(*def) || wanted.related.contains(def) || self.is_wanted(*def, wanted)
        };
        found.defs.is_empty() || found.defs.iter().any(may_be)
    }
}

/// What references are wanted of.
#[derive(Default)]
struct Wanted {
    /// Whether what is constructed may mean it.
    is_constructor: bool,
    /// Whether it is an import that links in documentation do not use.
    has_no_links: bool,
    symbol: FxHashSet<DefRef>,
    related: FxHashSet<DefRef>,
    /// Those places where the symbol is declared that are no uses.
    own: FxHashSet<(FileNo, u32)>,
    /// Where the symbol is declared.
    sites: FxHashSet<(FileNo, u32)>,
}

impl Wanted {
    /// Files in which the symbol or what is related to it is declared.
    fn homes(&self) -> FxHashSet<FileNo> {
        let declared = self.symbol.iter().chain(&self.related).map(|def| def.file);
        declared
            .chain(self.sites.iter().map(|site| site.0))
            .collect()
    }
}
