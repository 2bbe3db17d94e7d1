//! Where a symbol is used: candidates by name, each confirmed by resolving it.

use codecortex_bind::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeKind, flag, space};
use rustc_hash::FxHashSet;

use crate::lookup::Followed;
use crate::query::{Found, Query};
use crate::ty::{Ty, no_env, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

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

/// Where a use leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Definitions, best first. Of an import both what it names and its own alias are steps, only the ends are here.
    pub defs: Vec<DefRef>,
    /// Aliases on the way.
    pub steps: Vec<DefRef>,
    /// A file that a module path stands for.
    pub module: Option<FileNo>,
    /// The first part of an open namespace.
    pub namespace: Option<Sym>,
    /// Whether every step was declared and there is one target.
    pub sure: bool,
    /// Whether it is known to be outside of the workspace.
    pub external: bool,
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

impl Query<'_> {
    /// Where a written use leads.
    #[must_use]
    pub fn target(&self, at: ExprRef) -> Target {
        self.refuel();
        self.target_now(at)
    }

    fn target_now(&self, at: ExprRef) -> Target {
        let found = self.find(at);
        let mut target = Target {
            defs: Vec::new(),
            steps: Vec::new(),
            module: None,
            namespace: None,
            sure: found.sure,
            external: found.external && found.is_empty(),
        };
        let chosen = self.chosen(at, &found);
        let mut ty = found.ty.clone();
        let mut ends = Vec::new();
        for followed in self.followed_of_spaces(at, chosen) {
            target.steps.extend(followed.steps);
            target.sure &= followed.sure;
            target.external |= followed.external && followed.ends.is_empty();
            ty = ty.or(followed.ty);
            for end in followed.ends {
                push(&mut ends, end);
            }
        }
        // Several imports may bring overloads of one name.
        target.defs = self.chosen_ends(at, ends);
        match ty {
            Some(Ty::Module(file, 0)) => target.module = Some(file),
            Some(Ty::Namespace(path)) => target.namespace = Some(path),
            _ => {}
        }
        self.prefer_own(at, &mut target);
        target
    }

    /// A key in an object literal means the member of what is expected there, as well as itself.
    fn prefer_own(&self, at: ExprRef, target: &mut Target) {
        let _ = at;
        if target.defs.len() > 1 {
            let first = target.defs[0];
            let same = target
                .defs
                .iter()
                .all(|def| self.is_same_symbol(*def, first));
            target.sure &= same;
        }
    }

    /// The overloads that a call means.
    fn chosen(&self, at: ExprRef, found: &Found) -> Vec<DefRef> {
        if found.defs.len() < 2 || !self.policy(at.file).overloads_are_separate() {
            return found.defs.clone();
        }
        let Some(call) = self.call_of(at) else {
            return found.defs.clone();
        };
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(call) else {
            return found.defs.clone();
        };
        let are_functions = found
            .defs
            .iter()
            .all(|def| self.def(*def).is_some_and(|def| def.kind.is_callable()));
        if !are_functions {
            return found.defs.clone();
        }
        let chosen = self.choose(at.file, &found.defs, &found.env, args);
        // Of equally good ones the most derived: a method before the one it replaces.
        self.without_overridden(chosen)
    }

    fn chosen_ends(&self, at: ExprRef, ends: Vec<DefRef>) -> Vec<DefRef> {
        if ends.len() < 2 {
            return ends;
        }
        let found = Found {
            env: no_env(),
            ..Found::defs(ends)
        };
        self.chosen(at, &found)
    }

    /// Where definitions lead, without what is in other spaces than the name is looked up in: an import
    /// brings all of its name.
    fn followed_of_spaces(&self, at: ExprRef, defs: Vec<DefRef>) -> Vec<Followed> {
        let mut all: Vec<Followed> = defs.into_iter().map(|def| self.follow(def)).collect();
        let (Expr::Name { spaces, .. } | Expr::Member { spaces, .. }) = self.expr(at) else {
            return all;
        };
        let fits = |def: &DefRef| self.def(*def).is_some_and(|def| def.spaces & spaces != 0);
        // An import of what is defined right there is no other name of it.
        let own: Vec<DefRef> = all
            .iter()
            .filter(|followed| followed.steps.is_empty())
            .flat_map(|followed| followed.ends.iter().copied())
            .collect();
        if !own.is_empty() {
            all.retain(|followed| {
                let is_own = followed.ends.iter().all(|end| own.contains(end));
                followed.steps.is_empty() || followed.ends.is_empty() || !is_own
            });
        }
        if all.iter().any(|followed| followed.ends.iter().any(fits)) {
            for followed in &mut all {
                followed.ends.retain(fits);
            }
            all.retain(|followed| !followed.ends.is_empty());
        }
        all
    }

    /// Without methods that another one among them overrides.
    fn without_overridden(&self, defs: Vec<DefRef>) -> Vec<DefRef> {
        let mut kept: Vec<DefRef> = Vec::new();
        for def in defs {
            let overridden = kept
                .iter()
                .any(|other| self.owner(*other) != self.owner(def) && self.same_shape(*other, def));
            if !overridden {
                kept.push(def);
            }
        }
        kept
    }

    /// The type that a member belongs to.
    pub(crate) fn owner(&self, def: DefRef) -> Option<DefRef> {
        let found = self.def(def)?;
        if found.container != NONE && found.flags & flag::EXPLICIT == 0 {
            let container = self.denotes(ExprRef {
                file: def.file,
                expr: found.container,
            });
            if let Ty::Instance(owner, _) | Ty::Type(owner, _) = container.ty {
                return Some(owner);
            }
        }
        let bound = self.file(def.file)?;
        let scope = bound.scope(found.scope);
        if scope.kind != ScopeKind::Class || scope.owner == NONE {
            return None;
        }
        let owner = DefRef {
            file: def.file,
            def: scope.owner,
        };
        Some(self.type_of_block(owner).unwrap_or(owner))
    }

    /// Whether two functions take the same number of parameters.
    fn same_shape(&self, a: DefRef, b: DefRef) -> bool {
        let shape = |def: DefRef| {
            let bound = self.file(def.file)?;
            let params = bound.params(def.def);
            let params = params.filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            Some((bound.def(def.def).kind.is_callable(), params.count()))
        };
        shape(a) == shape(b)
    }

    /// Whether two functions take parameters of the same types, as far as these are written.
    pub(crate) fn same_params(&self, a: DefRef, b: DefRef) -> bool {
        if !self.same_shape(a, b) {
            return false;
        }
        let heads = |def: DefRef| {
            let bound = self.file(def.file)?;
            let params = bound.params(def.def);
            let params = params.filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            let names = params.map(|param| bound.head_name(bound.def(param).ty));
            Some(names.collect::<Vec<_>>())
        };
        let (Some(a_heads), Some(b_heads)) = (heads(a), heads(b)) else {
            return true;
        };
        // A type parameter of the base is anything in the derived type.
        a_heads.iter().zip(&b_heads).all(|(x, y)| {
            x == y
                || x.is_none()
                || y.is_none()
                || self.is_type_param(a, *x)
                || self.is_type_param(b, *y)
        })
    }

    fn is_type_param(&self, near: DefRef, name: Option<Sym>) -> bool {
        let (Some(name), Some(bound), Some(def)) = (name, self.file(near.file), self.def(near))
        else {
            return false;
        };
        let scope = if def.inner == NONE {
            def.scope
        } else {
            def.inner
        };
        let found = self.lookup(near.file, scope, name, u32::MAX, space::TYPE);
        let _ = bound;
        found.defs.iter().any(|def| {
            self.def(*def)
                .is_some_and(|def| def.kind == DefKind::TypeParam)
        })
    }

    /// Whether two definitions are one symbol: the same place in the text, or twins.
    pub(crate) fn is_same_symbol(&self, a: DefRef, b: DefRef) -> bool {
        if a == b {
            return true;
        }
        let (Some(a_def), Some(b_def)) = (self.def(a), self.def(b)) else {
            return false;
        };
        if a.file == b.file && a_def.at == b_def.at && a_def.at != NONE {
            return true;
        }
        self.symbol(a).contains(&b)
    }

    /// Every declaration of the symbol that a definition declares.
    #[must_use]
    pub fn symbol(&self, of: DefRef) -> Vec<DefRef> {
        let mut all = vec![of];
        let (Some(bound), Some(def)) = (self.file(of.file), self.def(of)) else {
            return all;
        };
        let name = def.name;
        // At one place of the text: a parameter that is a field too, a key that is a variable.
        let here = bound.defs().iter().enumerate();
        let here = here.filter(|(_, other)| other.at == def.at && other.name == name);
        for (index, _) in here {
            push(
                &mut all,
                DefRef {
                    file: of.file,
                    def: index as u32,
                },
            );
        }
        if def.kind.is_type() {
            self.parts(of)
                .types
                .iter()
                .for_each(|part| push(&mut all, *part));
        }
        let policy = self.policy(of.file);
        for twin in policy.twins(self, of) {
            push(&mut all, twin);
        }
        all
    }

    /// What overrides, implements or is overridden by a member, not itself.
    #[must_use]
    pub fn related(&self, of: DefRef) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let symbol = self.symbol(of);
        let mut family = symbol.clone();
        // What has the methods of an interface by chance does not replace them.
        let is_structural = self.policy(of.file).is_structural();
        let mut next = if is_structural { family.len() } else { 0 };
        if self.policy(of.file).lists_overridden() {
            family.extend(self.above_and_below(&symbol));
            next = family.len();
        }
        while next < family.len() && family.len() < MOST {
            let member = family[next];
            next += 1;
            for other in self
                .overridden(member)
                .into_iter()
                .chain(self.overriding(member))
            {
                for twin in self.symbol(other) {
                    push(&mut family, twin);
                }
            }
        }
        family.retain(|def| !symbol.contains(def));
        family
    }

    /// What a member replaces and what replaces it, but not what replaces the same besides it.
    fn above_and_below(&self, symbol: &[DefRef]) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let mut all: Vec<DefRef> = Vec::new();
        type Step<'a, 'w> = fn(&Query<'w>, DefRef) -> Vec<DefRef>;
        let steps: [Step<'_, '_>; 2] = [Query::overridden, Query::overriding];
        for step in steps {
            let mut family = symbol.to_vec();
            let mut next = 0;
            while next < family.len() && family.len() < MOST {
                for other in step(self, family[next]) {
                    for twin in self.symbol(other) {
                        push(&mut family, twin);
                    }
                }
                next += 1;
            }
            all.extend(family);
        }
        all
    }

    /// Members of bases that a member replaces or implements.
    pub(crate) fn overridden(&self, of: DefRef) -> Vec<DefRef> {
        let (Some(owner), Some(name)) = (self.owner(of), self.name_of(of)) else {
            return Vec::new();
        };
        if self
            .def(of)
            .is_some_and(|def| def.kind == DefKind::Constructor)
        {
            return Vec::new();
        }
        let mut found = Vec::new();
        if let Some(bases) = self.policy(of.file).supertypes(self, owner) {
            for base in bases {
                found.extend(self.member_of_type(base, &none(), name, space::ANY).defs);
            }
            found.retain(|other| self.may_override(of, *other));
            return found;
        }
        for (ty, _) in self.bases(&self.parts(owner), &no_env()) {
            if let Ty::Instance(base, args) | Ty::Type(base, args) = ty {
                let members = self.member_of_type(base, &args, name, space::ANY);
                found.extend(members.defs);
            }
        }
        found.retain(|other| self.may_override(of, *other));
        found
    }

    fn may_override(&self, a: DefRef, b: DefRef) -> bool {
        let is_hidden = |def: DefRef| {
            self.def(def).is_none_or(|def| {
                def.flags & flag::PRIVATE != 0
                    || def.kind == DefKind::Constructor
                    || def.kind.is_type()
            })
        };
        let separate = self.policy(a.file).overloads_are_separate();
        !is_hidden(a)
            && !is_hidden(b)
            && (!separate || self.same_params(a, b))
            && self.policy(a.file).overrides(self, a, b)
    }

    /// Members of derived types that replace or implement a member.
    pub(crate) fn overriding(&self, of: DefRef) -> Vec<DefRef> {
        let (Some(owner), Some(name)) = (self.owner(of), self.name_of(of)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(derived) = self.policy(of.file).subtypes(self, owner) {
            for derived in derived {
                found.extend(self.member_of_type(derived, &none(), name, space::ANY).defs);
            }
            found.retain(|other| *other != of && self.may_override(*other, of));
            return found;
        }
        for derived in self.derived(owner) {
            let own = self.own_members(&self.parts(derived), name, space::ANY);
            let own = own
                .into_iter()
                .filter(|other| self.may_override(*other, of));
            found.extend(own);
        }
        found.extend(self.explicit_implementations(owner, name));
        found
    }

    /// Members that say that they implement this one of an interface.
    fn explicit_implementations(&self, owner: DefRef, name: Sym) -> Vec<DefRef> {
        let Some(of) = self.name_of(owner) else {
            return Vec::new();
        };
        let outside = self.workspace.outside_of(of).iter().copied();
        let implements = |other: &DefRef| {
            let Some(def) = self.def(*other) else {
                return false;
            };
            let is_named = def.flags & flag::EXPLICIT != 0 && self.name_of(*other) == Some(name);
            is_named
                && matches!(
                    self.denotes(ExprRef { file: other.file, expr: def.container }).ty,
                    Ty::Instance(to, _) if to == owner || self.parts(owner).types.contains(&to)
                )
        };
        outside.filter(implements).collect()
    }

    /// Types that derive from a type, directly or not.
    #[must_use]
    pub fn derived(&self, of: DefRef) -> Vec<DefRef> {
        const MOST: usize = 2000;
        let mut all: Vec<DefRef> = Vec::new();
        let mut open = vec![of];
        while let Some(base) = open.pop() {
            for derived in self.subtypes(base) {
                if !all.contains(&derived) && derived != of && all.len() < MOST {
                    all.push(derived);
                    open.push(derived);
                }
            }
        }
        all
    }

    /// Types that name a type as a base.
    #[must_use]
    pub fn subtypes(&self, of: DefRef) -> Vec<DefRef> {
        if let Some(found) = self.policy(of.file).subtypes(self, of) {
            return found;
        }
        let mut found = Vec::new();
        let parts = self.parts(of);
        for name in self.names_of(of) {
            for (file, index) in self.workspace.derived_from(name) {
                let Some(base) = self
                    .file(*file)
                    .and_then(|bound| bound.bases().get(*index as usize))
                else {
                    continue;
                };
                let denoted = self.denotes(ExprRef {
                    file: *file,
                    expr: base.of,
                });
                let is_it = |ty: &Ty| matches!(ty, Ty::Instance(def, _) | Ty::Type(def, _) if parts.types.contains(def));
                let matches = match &denoted.ty {
                    Ty::Union(types) => types.iter().any(is_it),
                    ty => is_it(ty),
                };
                if !matches {
                    continue;
                }
                let derived = DefRef {
                    file: *file,
                    def: base.def,
                };
                let of = self.type_of_block(derived).unwrap_or(derived);
                // A block for a type from outside, or for all types, has no name to show.
                if self.def(of).is_some_and(|def| def.kind != DefKind::Impl) {
                    push(&mut found, of);
                }
            }
        }
        found
    }

    /// The types that a type names as bases, with names of those that are outside.
    #[must_use]
    pub fn supertypes(&self, of: DefRef) -> (Vec<DefRef>, Vec<Sym>) {
        if let Some(found) = self.policy(of.file).supertypes(self, of) {
            return (found, Vec::new());
        }
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for (ty, _) in self.bases(&self.parts(of), &no_env()) {
            match ty {
                Ty::Instance(def, _) | Ty::Type(def, _) => push(&mut inside, def),
                Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
                    push(&mut outside, name);
                }
                _ => {}
            }
        }
        (inside, outside)
    }

    /// Names under which a symbol may be used: its own and those that imports give it.
    fn names_of(&self, of: DefRef) -> Vec<Sym> {
        let Some(name) = self.name_of(of) else {
            return Vec::new();
        };
        let mut names = vec![name];
        // Attributes may leave out the end of their type's name.
        let ending = self.policy(of.file).attribute_ending();
        let short = self.workspace.text(name).strip_suffix(ending);
        if let Some(short) = short.filter(|_| !ending.is_empty()) {
            names.extend(self.workspace.sym(short));
        }
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
    fn unwritten_names(&self, of: DefRef) -> Vec<Sym> {
        let Some(bound) = self.file(of.file) else {
            return Vec::new();
        };
        let is_default = bound.def(of.def).flags & flag::DEFAULT != 0;
        let mut names: Vec<Sym> = self
            .workspace
            .sym("default")
            .into_iter()
            .filter(|_| is_default)
            .collect();
        for def in bound.all_in(0) {
            let found = bound.def(def);
            if found.flags & flag::UNWRITTEN != 0
                && found.kind == DefKind::Alias
                && self.leads_to(DefRef { file: of.file, def }, of)
            {
                push(&mut names, bound.sym(found.name));
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
            || followed.steps.contains(&of)
    }

    /// Every use of a symbol, and of what is related to it, in the order of files and places.
    #[must_use]
    pub fn references(&self, of: DefRef) -> Vec<Reference> {
        self.refuel();
        let symbol = self.symbol(of);
        let related: FxHashSet<DefRef> = match self.policy(of.file).relates_uses() {
            true => self.related(of).into_iter().collect(),
            false => FxHashSet::default(),
        };
        let place = |def: &DefRef| Some((def.file, self.def(*def)?.at));
        let sites: FxHashSet<(FileNo, u32)> = symbol.iter().filter_map(place).collect();
        // A type that is declared but not defined there is used there as well.
        let is_forward = |def: &DefRef| {
            let found = self.def(*def);
            *def != of
                && found.is_some_and(|def| def.kind.is_type() && def.flags & flag::DECLARATION != 0)
        };
        let own = symbol.iter().filter(|def| !is_forward(def));
        let mut found = Vec::new();
        if self.policy(of.file).lists_overridden() {
            self.list_overridden(of, &mut found);
        }
        let wanted = Wanted {
            symbol: symbol.iter().copied().collect(),
            related,
            own: own.filter_map(place).collect(),
            sites,
        };
        let mut names = self.names_of(of);
        if !self.policy(of.file).renamed_uses_count() {
            names.truncate(1);
        }
        for name in names {
            for file in self.files_to_search(of, name) {
                self.references_in(file, name, &wanted, &mut found);
            }
        }
        found.sort_unstable();
        found.dedup_by_key(|reference| (reference.file, reference.at));
        found
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

    /// Files in which a symbol can be used under a name.
    fn files_to_search(&self, of: DefRef, name: Sym) -> Vec<FileNo> {
        if self.is_local(of) {
            return vec![of.file];
        }
        if let Some(files) = self.files_of_private(of) {
            return files;
        }
        let family = self.policy(of.file).family();
        let files = self.workspace.files_with(name).iter().copied();
        files
            .filter(|file| self.policy(*file).family() == family)
            .collect()
    }

    /// The files of a type, for what is seen in its type alone.
    fn files_of_private(&self, of: DefRef) -> Option<Vec<FileNo>> {
        let def = self.def(of)?;
        let is_private = def.flags & flag::PRIVATE != 0 && !def.kind.is_type();
        if !is_private || !self.policy(of.file).private_is_of_type() {
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
            && def.flags & flag::MEMBER == 0
            && scope.parent != NONE
            && !def.kind.is_type()
    }

    fn references_in(&self, file: FileNo, name: Sym, wanted: &Wanted, found: &mut Vec<Reference>) {
        let Some(bound) = self.file(file) else {
            return;
        };
        let Some(local) = bound.local(name) else {
            return;
        };
        let len = self.workspace.text(name).len() as u32;
        for (expr, used, at, role) in bound.uses() {
            if used != local || wanted.own.contains(&(file, at)) {
                continue;
            }
            if let Some(tier) = self.tier_of(ExprRef { file, expr }, wanted) {
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
        for def in bound.named_defs() {
            if bound.def(def).name != local {
                continue;
            }
            let at = bound.def(def).at;
            self.unwritten_import(DefRef { file, def }, len, wanted, found);
            let key = self.expected_member(DefRef { file, def });
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

    /// An import that does not write what it names uses it by its own name: `import x from "./x"`.
    fn unwritten_import(&self, def: DefRef, len: u32, wanted: &Wanted, found: &mut Vec<Reference>) {
        let (Some(bound), Some(alias)) = (self.file(def.file), self.def(def)) else {
            return;
        };
        let target = match bound.expr(alias.value) {
            Expr::Apply { of, .. } => bound.expr(of),
            target => target,
        };
        let is_import = alias.kind == DefKind::Alias
            && alias.flags & flag::UNWRITTEN == 0
            && target.written().is_none();
        if !is_import || wanted.sites.contains(&(def.file, alias.at)) {
            return;
        }
        let followed = self.follow(def);
        if followed.ends.iter().any(|end| wanted.symbol.contains(end)) {
            found.push(Reference {
                file: def.file,
                at: alias.at,
                len,
                tier: Tier::Exact,
                role: Role::Import.into(),
            });
        }
    }

    /// The members that a key of an object literal stands for by what is expected there.
    pub(crate) fn expected_member(&self, key: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (self.file(key.file), self.def(key)) else {
            return Vec::new();
        };
        let scope = bound.scope(def.scope);
        if scope.kind != ScopeKind::Object {
            return Vec::new();
        }
        let Some(expected) = self.object_expected(key.file, def.scope) else {
            return Vec::new();
        };
        self.refuel();
        let ty = self.denotes(expected);
        let ty = if ty.ty.is_unknown() {
            self.type_of(expected)
        } else {
            ty
        };
        let found = self.member(&ty.ty, bound.sym(def.name), space::ANY, key.file);
        found.defs
    }

    /// Where an object literal's expected type is said.
    fn object_expected(&self, file: FileNo, scope: u32) -> Option<ExprRef> {
        let bound = self.file(file)?;
        bound.exprs().iter().find_map(|expr| match expr {
            Expr::Object { scope: own, of } if *own == scope && *of != NONE => {
                Some(ExprRef { file, expr: *of })
            }
            _ => None,
        })
    }

    fn tier_of(&self, at: ExprRef, wanted: &Wanted) -> Option<Tier> {
        let target = self.target(at);
        let is_direct = |def: &DefRef| {
            wanted.symbol.contains(def)
                || self
                    .def(*def)
                    .is_some_and(|found| wanted.sites.contains(&(def.file, found.at)))
        };
        let hit = target.defs.iter().any(is_direct) || target.steps.iter().any(is_direct);
        if hit {
            return Some(if target.sure {
                Tier::Exact
            } else {
                Tier::Inferred
            });
        }
        if target.defs.iter().any(|def| wanted.related.contains(def)) {
            return Some(Tier::Related);
        }
        let is_open = target.defs.is_empty()
            && target.steps.is_empty()
            && target.module.is_none()
            && target.namespace.is_none()
            && !target.external;
        is_open.then_some(Tier::Name)
    }

    /// The first byte of a definition's name; nothing where it has none.
    #[must_use]
    pub fn place(&self, def: DefRef) -> Option<u32> {
        let at = self.def(def)?.at;
        (at != NONE).then_some(at)
    }

    /// A definition's name.
    #[must_use]
    pub fn name(&self, def: DefRef) -> &str {
        self.name_of(def)
            .map_or("", |name| self.workspace.text(name))
    }

    /// The text of a name.
    #[must_use]
    pub fn text(&self, name: Sym) -> &str {
        self.workspace.text(name)
    }

    /// Where the name at a byte is declared, best first: a definition's own place if nothing is used there.
    #[must_use]
    pub fn definitions_at(&self, file: FileNo, byte: u32) -> Vec<(FileNo, u32)> {
        let (used, defined) = self.at(file, byte);
        let mut places = Vec::new();
        if let Some(first) = used {
            let mut target = self.target(ExprRef { file, expr: first });
            // One name may be used in two ways, of which one holds.
            let is_found = |target: &Target| !target.defs.is_empty() || !target.steps.is_empty();
            if !is_found(&target) {
                let others = self.uses_besides(file, first).into_iter();
                let mut others = others.map(|expr| self.target(ExprRef { file, expr }));
                target = others.find(is_found).unwrap_or(target);
            }
            let mut defs: Vec<DefRef> = Vec::new();
            for def in &target.defs {
                self.symbol(*def)
                    .into_iter()
                    .for_each(|def| push(&mut defs, def));
            }
            self.put_definitions_first(&mut defs);
            defs.into_iter()
                .for_each(|def| self.add_place(def, &mut places));
            if places.is_empty() {
                // What leaves the workspace was last named by the last import on the way.
                target
                    .steps
                    .last()
                    .into_iter()
                    .for_each(|def| self.add_place(*def, &mut places));
            }
            if places.is_empty() {
                places.extend(target.module.map(|file| (file, 0)));
            }
        }
        if let Some(def) = defined {
            let meant = self.expected_member(def);
            let meant = if meant.is_empty() && places.is_empty() {
                self.without_aliases(vec![def])
            } else {
                meant
            };
            meant
                .into_iter()
                .for_each(|def| self.add_place(def, &mut places));
        }
        places
    }

    /// Other uses at the place of a use.
    fn uses_besides(&self, file: FileNo, of: ExprId) -> Vec<ExprId> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let Some((_, place, _)) = bound.expr(of).written() else {
            return Vec::new();
        };
        let others = bound
            .uses()
            .filter(|(expr, _, at, _)| *at == place && *expr != of);
        others.map(|(expr, ..)| expr).collect()
    }

    /// What only declares comes behind what defines; types that only declare are left out then.
    fn put_definitions_first(&self, defs: &mut Vec<DefRef>) {
        let is_declaration = |of: &DefRef| {
            let def = self.def(*of);
            def.is_some_and(|def| def.flags & flag::DECLARATION != 0)
        };
        let is_type = |of: &DefRef| self.def(*of).is_some_and(|def| def.kind.is_type());
        if defs.iter().any(|def| is_type(def) && !is_declaration(def)) {
            defs.retain(|def| !is_type(def) || !is_declaration(def));
        }
        defs.sort_by_key(is_declaration);
    }

    /// What a definition means to a reader: of a key in an object literal the member that is expected
    /// there, of everything else itself.
    #[must_use]
    pub fn meant_by(&self, def: DefRef) -> Vec<DefRef> {
        let expected = self.expected_member(def);
        if expected.is_empty() {
            vec![def]
        } else {
            expected
        }
    }

    /// The same with what aliases stand for in their place, where that is in the workspace.
    #[must_use]
    pub fn without_aliases(&self, defs: Vec<DefRef>) -> Vec<DefRef> {
        let mut ends = Vec::new();
        for def in defs {
            let followed = self.follow(def).ends;
            if followed.is_empty() {
                push(&mut ends, def);
            }
            followed.into_iter().for_each(|end| push(&mut ends, end));
        }
        ends
    }

    /// Whether a definition only announces a type that is defined elsewhere.
    #[must_use]
    pub fn is_announcement(&self, def: DefRef) -> bool {
        self.def(def)
            .is_some_and(|def| def.kind.is_type() && def.flags & flag::DECLARATION != 0)
    }

    fn add_place(&self, def: DefRef, places: &mut Vec<(FileNo, u32)>) {
        if let Some(found) = self.def(def).filter(|found| found.at != NONE) {
            push(places, (def.file, found.at));
        }
    }

    /// The use that is written at a byte, and the definition that is named there.
    #[must_use]
    pub fn at(&self, file: FileNo, byte: u32) -> (Option<ExprId>, Option<DefRef>) {
        let Some(bound) = self.file(file) else {
            return (None, None);
        };
        let covers = |at: u32, name: Sym| {
            let len = self.workspace.text(name).len() as u32;
            at <= byte && byte < at.saturating_add(len)
        };
        let used = bound
            .uses()
            .find(|(_, name, at, _)| covers(*at, bound.sym(*name)))
            .map(|(expr, ..)| expr);
        let defined = bound.named_defs().find(|def| {
            let def = bound.def(*def);
            def.flags & flag::UNWRITTEN == 0 && covers(def.at, bound.sym(def.name))
        });
        (used, defined.map(|def| DefRef { file, def }))
    }
}

/// What references are wanted of.
struct Wanted {
    symbol: FxHashSet<DefRef>,
    related: FxHashSet<DefRef>,
    /// Those places where the symbol is declared that are no uses.
    own: FxHashSet<(FileNo, u32)>,
    /// Where the symbol is declared.
    sites: FxHashSet<(FileNo, u32)>,
}

fn push<T: PartialEq>(list: &mut Vec<T>, entry: T) {
    if !list.contains(&entry) {
        list.push(entry);
    }
}
