//! What a name means where it stands: scopes outwards, imports, modules, globals; aliases followed.

use codecortex_bind::facts::{
    Def, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space,
};

use crate::file::File;
use crate::lang::{ClassScope, Policy};
use crate::memo::Outwards;
use crate::query::{Found, Query};
use crate::ty::Ty;
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// A file whose scopes are looked through.
type Within<'a> = (FileNo, &'a File, &'a dyn Policy);

/// So many stars of one scope may lead to one another.
const MOST_BESIDE: usize = 3;

/// What is looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought {
    pub(crate) name: Sym,
    /// Where it stands, for names that are seen only from some place on.
    pub(crate) at: u32,
    /// The spaces of names to look in, see [`space`].
    pub(crate) spaces: u8,
    /// How many parameters a type must have, where types differ by it.
    pub(crate) arity: Option<usize>,
    /// A scope of which it does not see what is brought in wholesale: directives do not see one another.
    pub(crate) beside: ScopeId,
    /// Whether it sees what types have from their bases.
    pub(crate) inherits: bool,
}

impl Sought {
    /// A name in some spaces, of types of any number of parameters.
    pub(crate) fn any(name: Sym, at: u32, spaces: u8) -> Self {
        Self {
            name,
            at,
            spaces,
            arity: None,
            beside: NONE,
            inherits: true,
        }
    }
}

/// Whether a definition is an import whose path begins with a name.
fn is_import_from(bound: &File, def: &Def, name: ExprId) -> bool {
    def.kind == DefKind::Alias && bound.begins_with(def.value, name)
}

/// Whether all that was found in the body of a type is written below a place in it, or gets its value there:
/// `A = A`.
fn is_below(bound: &File, body: ScopeId, found: &Found, at: u32) -> bool {
    let is_below = |of: &DefRef| {
        let def = bound.def(of.def);
        let value = bound.expr(def.value).written();
        def.scope == body && (def.end > at || value.is_some_and(|(_, place, _)| place == at))
    };
    !found.defs.is_empty() && found.defs.iter().all(is_below)
}

impl Query<'_> {
    /// Looks a name up from a scope outwards.
    pub(crate) fn lookup(&self, file: FileNo, scope: ScopeId, sought: Sought) -> Found {
        let Some(bound) = self.file(file) else {
            return Found::nothing();
        };
        let policy = self.policy(file);
        if policy.is_by_name() {
            return self.declared_as(file, sought.name);
        }
        // Names of a type or file are looked for from each of its functions.
        let is_shared = |scope: ScopeId| match bound.scope(scope).kind {
            ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module => true,
            ScopeKind::Class => !policy.class_bodies_run(),
            _ => false,
        };
        let mut steps = self.scopes_up(bound, scope).enumerate();
        let mut late = None;
        let outer = steps.find_map(|(step, id)| {
            if is_shared(id) {
                return Some(self.outwards((file, bound, policy), (step, id), sought));
            }
            self.lookup_at((file, bound, policy), (step, id), sought, &mut late)
        });
        let found = outer.unwrap_or_else(|| self.outside((file, policy), sought));
        let is_builtin = || policy.is_builtin(self.workspace.text(sought.name));
        match late {
            Some(late) if found.is_empty() && !is_builtin() => late,
            _ => found,
        }
    }

    /// The same from a scope in which it hardly ever matters where the name stands.
    fn outwards(&self, of: Within<'_>, (step, scope): (usize, ScopeId), sought: Sought) -> Found {
        let (file, bound, policy) = of;
        let look = || {
            let mut steps = self.scopes_up(bound, scope).zip(step..);
            let found = steps.find_map(|(id, step)| {
                let is_last =
                    policy.modules_are_closed() && bound.scope(id).kind == ScopeKind::Module;
                let found = self.lookup_at(of, (step, id), sought, &mut None);
                found.or_else(|| is_last.then(|| self.outside((file, policy), sought)))
            });
            found.unwrap_or_else(|| self.outside((file, policy), sought))
        };
        let key = Outwards::new(file, scope, step == 0, sought);
        let placed = self.placed.get();
        self.kept_if(&self.outwards, key, look, || self.placed.get() == placed)
    }

    /// Looks a name up in a scope on the way outwards, if names in it are seen from there.
    fn lookup_at(
        &self,
        (file, bound, policy): Within<'_>,
        (step, id): (usize, ScopeId),
        sought: Sought,
        late: &mut Option<Found>,
    ) -> Option<Found> {
        let is_class = bound.scope(id).kind == ScopeKind::Class;
        // Keys of an object are names in it only where members of types are.
        let is_object = bound.scope(id).kind == ScopeKind::Object;
        let sees_members = |scope: ScopeId| {
            let owner = bound.scope(scope).owner;
            owner == NONE || policy.names_members(bound.def(owner).kind)
        };
        let is_seen = match policy.class_scope() {
            ClassScope::Members => true,
            ClassScope::Direct if is_class => step == 0 && sees_members(id),
            ClassScope::Direct => !is_object,
            ClassScope::Hidden => !is_object && !is_class,
        };
        if !is_seen {
            return None;
        }
        let found = self.lookup_in(file, bound, id, sought);
        if is_class && policy.class_bodies_run() && is_below(bound, id, &found, sought.at) {
            *late = Some(found);
            return None;
        }
        Some(found).filter(|found| !found.is_empty())
    }

    /// Looks a name up outside of a file's scopes.
    fn outside(&self, (file, policy): (FileNo, &dyn Policy), sought: Sought) -> Found {
        let found = policy.globals(self, file, sought.name, sought.spaces);
        let found = self.of_so_many(found, sought.arity);
        if found.is_empty() {
            return Found::external();
        }
        found
    }

    /// Looks a name up in one scope.
    fn lookup_in(&self, file: FileNo, bound: &File, id: ScopeId, sought: Sought) -> Found {
        let Sought {
            name,
            at,
            spaces,
            arity,
            beside,
            inherits,
        } = sought;
        let scope = bound.scope(id);
        let mut own = self.own(file, bound, id, name, at, spaces);
        let policy = self.policy(file);
        own.retain(|def| policy.can_mean(self, file, *def, spaces));
        let is_class = scope.kind == ScopeKind::Class;
        if !is_class && let Some(open) = policy.in_open_scope(self, file, id, name, spaces, &own) {
            let open = self.of_so_many(open, arity);
            if !open.is_empty() {
                return open;
            }
        }
        let mut found = self.of_so_many(Found::defs(own), arity);
        if !is_class && !found.is_empty() {
            return found;
        }
        let names_itself =
            is_class && spaces & space::TYPE != 0 && policy.class_names_itself(self, file);
        if names_itself && found.is_empty() && scope.owner != NONE {
            let owner = bound.def(scope.owner);
            if owner.at != NONE && owner.kind.is_type() && bound.sym(owner.name) == name {
                let def = scope.owner;
                return Found::defs(vec![DefRef { file, def }]);
            }
        }
        if is_class
            && scope.owner != NONE
            && policy.class_scope() == ClassScope::Members
            && self.may_be_nested(name, spaces)
        {
            let owner = DefRef {
                file,
                def: scope.owner,
            };
            let mut inherited = if inherits {
                self.member_of_own_type(owner, name, spaces)
            } else {
                let parts = self.parts(self.type_of_block(owner).unwrap_or(owner));
                Found::defs(self.own_members(&parts, name, spaces))
            };
            if policy.private_is_of_type() {
                self.drop_private_of_bases(owner, &mut inherited.defs);
            }
            let inherited = self.of_so_many(inherited, arity);
            if !inherited.is_empty() {
                return inherited;
            }
        }
        if scope.kind == ScopeKind::Namespace && scope.owner != NONE && found.is_empty() {
            let path = bound.sym(bound.def(scope.owner).name);
            found = self.in_open_namespace(file, path, sought);
        }
        let is_outside = matches!(scope.kind, ScopeKind::Function | ScopeKind::Class)
            && scope.owner != NONE
            && bound.def(scope.owner).container != NONE;
        if is_outside && found.is_empty() {
            found = policy.in_container(self, file, scope.owner, name, spaces);
        }
        if found.is_empty() && id != beside {
            found = self.of_so_many(self.in_stars(file, bound, id, name, spaces), arity);
        }
        found
    }

    /// Leaves what bases have for themselves: code in a derived type does not see it, and its name means what is
    /// further out.
    fn drop_private_of_bases(&self, owner: DefRef, members: &mut Vec<DefRef>) {
        let is_private = |def: &DefRef| {
            self.def(*def)
                .is_some_and(|def| def.flags & flag::PRIVATE != 0)
        };
        if !members.iter().any(is_private) {
            return;
        }
        let own = self.parts(owner);
        members.retain(|def| {
            let is_of = |of| own.types.contains(&of) || own.blocks.contains(&of);
            !is_private(def) || self.owner(*def).is_none_or(is_of)
        });
    }

    /// Definitions in the scope itself that can be seen from a place.
    pub(crate) fn own(
        &self,
        file: FileNo,
        bound: &File,
        scope: ScopeId,
        name: Sym,
        at: u32,
        spaces: u8,
    ) -> Vec<DefRef> {
        // Most scopes on the way outwards declare nothing.
        let is_empty = bound.all_in(scope).next().is_none();
        let Some(local) = (!is_empty).then(|| bound.local(name)).flatten() else {
            return Vec::new();
        };
        let seen =
            |def: &Def| def.spaces & spaces != 0 && def.flags & flag::HIDDEN == 0 && def.from <= at;
        let open = self.open_aliases.borrow();
        let mut defs: Vec<DefRef> = bound
            .defs_in(scope, local)
            .inspect(|def| {
                if bound.def(*def).from > 0 {
                    self.placed.set(self.placed.get().wrapping_add(1));
                }
            })
            .filter(|def| seen(bound.def(*def)))
            .map(|def| DefRef { file, def })
            // The path of an import does not begin at the import itself.
            .filter(|def| open.is_empty() || !open.contains(def))
            .collect();
        self.drop_other_builds(file, &mut defs);
        // What is seen only from some place on hides what was before, unless most builds leave it out.
        let from = |of: &DefRef| bound.def(of.def).from;
        let is_awake = |of: &DefRef| bound.def(of.def).flags & flag::INACTIVE == 0;
        let last = defs.iter().copied();
        let last = last.max_by_key(|of| (is_awake(of), from(of), of.def));
        if let Some(last) = last.filter(|last| from(last) > 0) {
            defs.clear();
            defs.push(last);
        }
        defs
    }

    /// Leaves out what most builds leave out, where an import stands in its place or it is one itself: other than
    /// two declarations in one place, these are no one symbol.
    fn drop_other_builds(&self, file: FileNo, defs: &mut Vec<DefRef>) {
        if defs.len() < 2 || !self.policy(file).imports_by_space() {
            return;
        }
        let is = |of: &DefRef, test: fn(&Def) -> bool| self.def(*of).is_some_and(test);
        let is_import = |of: &DefRef| is(of, |def| def.kind == DefKind::Alias);
        let is_awake = |of: &DefRef| is(of, |def| def.flags & flag::INACTIVE == 0);
        let imports = defs.iter().filter(|of| is_import(of)).count();
        let is_mixed = imports > 0 && imports < defs.len();
        if is_mixed && defs.iter().any(is_awake) {
            defs.retain(is_awake);
        }
    }

    /// A name in an open namespace, and in those around it if the language looks there.
    fn in_open_namespace(&self, file: FileNo, path: Sym, sought: Sought) -> Found {
        let Sought {
            name,
            spaces,
            arity,
            ..
        } = sought;
        let workspace = self.workspace;
        let policy = self.policy(file);
        let walks_out = policy.walks_out_of_namespaces();
        let mut path_text = workspace.text(path);
        loop {
            if let Some(path) = workspace.sym(path_text) {
                let found = self.namespace_member(policy.family(), path, name, spaces);
                let found = self.of_so_many(found, arity);
                if !found.is_empty() || !walks_out {
                    return found;
                }
            }
            match path_text.rsplit_once('.') {
                Some((outer, _)) => path_text = outer,
                None => return Found::nothing(),
            }
        }
    }

    /// What a namespace holds under a name in languages of a family: definitions, or a namespace in it.
    pub(crate) fn namespace_member(&self, family: u8, path: Sym, name: Sym, spaces: u8) -> Found {
        let workspace = self.workspace;
        let defs: Vec<DefRef> = workspace
            .in_namespace(path, name)
            .iter()
            .copied()
            .filter(|def| {
                let is_ours = self.policy(def.file).family() == family;
                self.def(*def).filter(|_| is_ours).is_some_and(|def| {
                    def.spaces & spaces != 0
                        && !matches!(def.kind, DefKind::Namespace | DefKind::Alias)
                })
            })
            .collect();
        if !defs.is_empty() {
            return Found::defs(defs);
        }
        if spaces & space::NAMESPACE != 0 {
            let whole = format!("{}.{}", workspace.text(path), workspace.text(name));
            if let Some(inner) = workspace
                .sym(&whole)
                .filter(|path| self.is_namespace(family, *path))
            {
                return Found::typed(Ty::Namespace(inner));
            }
        }
        Found::nothing()
    }

    /// Whether languages of a family have an open namespace of this path, or one below it.
    pub(crate) fn is_namespace(&self, family: u8, path: Sym) -> bool {
        let parts = self.workspace.parts_of_namespace(path);
        parts
            .iter()
            .any(|(file, _)| self.policy(*file).family() == family)
    }

    /// Names that were brought into a scope wholesale.
    pub(crate) fn in_stars(
        &self,
        file: FileNo,
        bound: &File,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
    ) -> Found {
        let policy = self.policy(file);
        let mut all = Found::nothing();
        for (index, star) in bound.glob_imports().iter().enumerate() {
            let is_local = star.flags & flag::EXPORTED == 0 || policy.reexports_are_local();
            if star.scope != scope || !is_local {
                continue;
            }
            let found = self.in_star(file, index as u32, name, spaces);
            all.defs.extend(found.defs);
            all.ty = all.ty.or(found.ty);
        }
        all.defs.dedup();
        all
    }

    /// A name in what one star brings.
    pub(crate) fn in_star(&self, file: FileNo, index: u32, name: Sym, spaces: u8) -> Found {
        let Some(star) = self
            .file(file)
            .and_then(|bound| bound.glob_imports().get(index as usize))
        else {
            return Found::nothing();
        };
        // What brings names may itself be brought by what stands beside it, but not through many of these: each
        // asked all others, and from some ten on nothing was found within the depth of a question.
        let are_too_many = self.open_beside(file, star.scope) >= MOST_BESIDE;
        if are_too_many || !self.open_stars.borrow_mut().insert((file, index)) {
            self.cut();
            return Found::nothing();
        }
        let found = self.deeper(|| {
            let of = self.type_of(ExprRef {
                file,
                expr: star.of,
            });
            let found = self
                .policy(file)
                .star_member(self, &of.ty, name, spaces, star.flags);
            found.unwrap_or_else(|| self.member(&of.ty, name, spaces, file))
        });
        self.open_stars.borrow_mut().remove(&(file, index));
        found.unwrap_or_else(Found::nothing)
    }

    /// How many of the stars of a scope are being looked into.
    fn open_beside(&self, file: FileNo, scope: ScopeId) -> usize {
        let stars = self.file(file).map_or(&[][..], File::glob_imports);
        let open = self.open_stars.borrow();
        let is_beside = |index: &u32| {
            stars
                .get(*index as usize)
                .is_some_and(|star| star.scope == scope)
        };
        let here = open
            .iter()
            .filter(|(of, index)| *of == file && is_beside(index));
        here.count()
    }

    /// What leaves a file or a module in it under a name.
    pub(crate) fn module_member(
        &self,
        file: FileNo,
        scope: ScopeId,
        name: Sym,
        spaces: u8,
    ) -> Found {
        let Some(bound) = self.file(file) else {
            return Found::nothing();
        };
        let policy = self.policy(file);
        let mut own: Vec<DefRef> = Vec::new();
        if let Some(local) = bound.local(name) {
            own = bound
                .defs_in(scope, local)
                .filter(|def| policy.leaves_module(bound, bound.def(*def), spaces))
                .map(|def| DefRef { file, def })
                // An import does not bring itself: `from . import a` in a package brings the module.
                .filter(|def| !self.open_aliases.borrow().contains(def))
                .collect();
        }
        self.drop_other_builds(file, &mut own);
        let spaces = match policy.beside_own(self, &own, spaces) {
            0 => return Found::defs(own),
            rest => rest,
        };
        let owned = own.len();
        let mut all = Found::defs(own);
        for (index, star) in bound.glob_imports().iter().enumerate() {
            if star.scope != scope || !policy.star_leaves_module(star.flags) {
                continue;
            }
            let found = self.in_star(file, index as u32, name, spaces);
            all.defs.extend(found.defs);
            all.ty = all.ty.or(found.ty);
        }
        if all.is_empty() {
            return policy.other_module_member(self, file, scope, name, spaces);
        }
        if all.defs.len() == owned {
            let beside = policy.other_module_member(self, file, scope, name, spaces);
            all.defs.extend(beside.defs);
        }
        self.workspace.sort(&mut all.defs);
        all
    }

    /// What an alias stands for, followed to the end, with every step on the way. A definition that is
    /// no alias is its own end.
    pub(crate) fn follow(&self, def: DefRef) -> Followed {
        if self.def(def).is_none_or(|def| def.kind != DefKind::Alias) {
            return self.follow_now(def);
        }
        self.kept(&self.followed, def, || self.follow_now(def))
    }

    fn follow_now(&self, def: DefRef) -> Followed {
        let mut followed = Followed {
            steps: Vec::new(),
            ends: Vec::new(),
            ty: None,
            external: false,
            sure: true,
        };
        self.follow_into(def, &mut followed, 0);
        followed
    }

    fn follow_into(&self, def: DefRef, followed: &mut Followed, depth: u32) {
        const LONGEST: u32 = 24;
        let Some(found) = self.def(def) else {
            return;
        };
        if found.kind != DefKind::Alias || found.value == NONE {
            if !followed.ends.contains(&def) {
                followed.ends.push(def);
            }
            return;
        }
        if depth > LONGEST || followed.steps.contains(&def) {
            return;
        }
        followed.steps.push(def);
        if !self.open_aliases.borrow_mut().insert(def) {
            self.cut();
            return;
        }
        let target = self.find(ExprRef {
            file: def.file,
            expr: found.value,
        });
        self.open_aliases.borrow_mut().remove(&def);
        followed.sure &= target.sure;
        if target.is_empty() {
            followed.external |= target.external;
        }
        if followed.ty.is_none() {
            followed.ty = target.ty;
        }
        for next in target.defs {
            if next != def {
                self.follow_into(next, followed, depth + 1);
            }
        }
    }

    /// What imports bring into spaces: not what is in others alone. `use a::Err` of a type leaves the value `Err` what it
    /// is everywhere, `use a::a` of a macro leaves `a::` the crate. In a path of an import the crate of the workspace is
    /// meant even where nobody knows what was brought in: a module would be one too many.
    fn brought_in(&self, at: ExprRef, name: Sym, found: Found, spaces: u8) -> Found {
        const PREFIX: u8 = space::TYPE | space::NAMESPACE;
        let file = at.file;
        let is_one_space = matches!(spaces, space::VALUE | PREFIX);
        if !is_one_space || !self.policy(file).imports_by_space() {
            return found;
        }
        let is_import = |of: &DefRef| self.def(*of).is_some_and(|def| def.kind == DefKind::Alias);
        if found.defs.is_empty() || !found.defs.iter().all(is_import) {
            return found;
        }
        let is_no_value = |of: &DefRef| self.def(*of).is_some_and(|def| def.spaces & spaces == 0);
        let leads_elsewhere = |of: &DefRef| {
            let followed = self.follow(*of);
            !followed.ends.is_empty() && followed.ends.iter().all(is_no_value)
        };
        let is_elsewhere = found.defs.iter().all(leads_elsewhere);
        let leads_outside = |of: &DefRef| self.follow(*of).ends.is_empty();
        if !is_elsewhere && (spaces != PREFIX || !found.defs.iter().all(leads_outside)) {
            return found;
        }
        let everywhere = self.policy(file).globals(self, file, name, spaces);
        match everywhere.is_empty() {
            false if is_elsewhere => everywhere,
            false if self.begins_import(at) => everywhere.guessed(),
            true if is_elsewhere => Found::external(),
            _ => found,
        }
    }

    /// Whether a name begins the path of an import.
    fn begins_import(&self, at: ExprRef) -> bool {
        self.file(at.file).is_some_and(|bound| {
            let mut defs = bound.defs().iter();
            defs.any(|def| is_import_from(bound, def, at.expr))
        })
    }

    /// The first name of an import's path without the imports that begin at it: in `use a::{a, B}` the first `a` is what
    /// it would be without this line. It is found out for all of them at once, so none of them may be asked.
    fn beyond_own(&self, at: ExprRef, found: Found, look: impl Fn() -> Found) -> Found {
        let Some(bound) = self.file(at.file) else {
            return found;
        };
        let is_own = |of: &&DefRef| {
            let def = self.def(**of).filter(|_| of.file == at.file);
            def.is_some_and(|def| is_import_from(bound, def, at.expr))
        };
        let own: Vec<DefRef> = found.defs.iter().filter(is_own).copied().collect();
        let own: Vec<DefRef> = {
            let mut open = self.open_aliases.borrow_mut();
            own.into_iter().filter(|def| open.insert(*def)).collect()
        };
        if own.is_empty() {
            return found;
        }
        let beyond = look();
        let mut open = self.open_aliases.borrow_mut();
        for def in own {
            open.remove(&def);
        }
        beyond
    }

    /// Where a written name or member leads, aliases not followed, overloads not chosen.
    pub(crate) fn find(&self, at: ExprRef) -> Found {
        self.deeper(|| self.find_now(at))
            .unwrap_or_else(Found::nothing)
    }

    fn find_now(&self, at: ExprRef) -> Found {
        let Some(bound) = self.file(at.file) else {
            return Found::nothing();
        };
        match bound.expr(at.expr) {
            Expr::Name {
                name,
                scope,
                at: place,
                spaces,
                role,
            } => {
                let name = bound.sym(name);
                let sought = Sought {
                    arity: self.arity_sought(at),
                    beside: match role {
                        Role::Import if self.policy(at.file).hides_directives() => scope,
                        _ => NONE,
                    },
                    inherits: role != Role::Doc || self.policy(at.file).documentation_inherits(),
                    ..Sought::any(name, place, spaces)
                };
                let look = |name| self.lookup(at.file, scope, Sought { name, ..sought });
                let mut found = self.of_attribute(at.file, name, role, look);
                if self.policy(at.file).imports_by_space() {
                    found = self.beyond_own(at, found, || look(name));
                    found = self.policy(at.file).of_token(self, at, found);
                }
                // A type without its arguments is none, but `nameof` and the like may leave them out.
                if found.is_empty() && sought.arity == Some(0) && spaces & space::VALUE != 0 {
                    let any = Sought {
                        arity: None,
                        ..sought
                    };
                    found = self.lookup(at.file, scope, any);
                }
                let found = self.of_arity(at, found);
                let found = self.type_by_member(at, name, found);
                let found = self.brought_in(at, name, found, spaces);
                if !found.is_empty() {
                    return found;
                }
                let more = self.policy(at.file).find_name(self, at, name);
                if more.is_empty() { found } else { more }
            }
            Expr::Member {
                of,
                name,
                spaces,
                role,
                ..
            } => {
                let of = ExprRef {
                    file: at.file,
                    expr: of,
                };
                let receiver = self.type_of(of);
                let look = |name| match &receiver.ty {
                    // Of several bases the first that has it.
                    Ty::Union(bases) if self.is_super(of) => {
                        self.first_member(bases, name, spaces, at.file)
                    }
                    ty => self.member(ty, name, spaces, at.file),
                };
                let own = self.policy(at.file).find_member(self, at, &receiver.ty);
                let found =
                    own.unwrap_or_else(|| self.of_attribute(at.file, bound.sym(name), role, look));
                let applied = self.arity_sought(at).filter(|arity| *arity > 0);
                let found = self.of_so_many(found, applied);
                let found = self.of_arity(at, found);
                Found {
                    sure: found.sure && receiver.sure,
                    ..found
                }
            }
            Expr::Module { name, level, .. } => {
                let name = bound.sym(name);
                self.policy(at.file)
                    .module(self, at.file, self.workspace.text(name), level)
            }
            Expr::Keyword { call, name, .. } => {
                self.named_parameter(at.file, call, bound.sym(name))
            }
            Expr::Apply { of, .. } => self.find(ExprRef {
                file: at.file,
                expr: of,
            }),
            _ => Found::nothing(),
        }
    }
}

impl Query<'_> {
    /// A member of the first of several types that has it.
    fn first_member(&self, types: &[Ty], name: Sym, spaces: u8, from: FileNo) -> Found {
        let found = types
            .iter()
            .map(|ty| self.member(ty, name, spaces, from))
            .find(|found| !found.is_empty());
        found.unwrap_or_else(|| self.member(&Ty::Union(types.into()), name, spaces, from))
    }
}

impl Query<'_> {
    /// An attribute may leave out the ending of its type's name.
    fn of_attribute(
        &self,
        file: FileNo,
        name: Sym,
        role: Role,
        look: impl Fn(Sym) -> Found,
    ) -> Found {
        let ending = self.policy(file).attribute_ending();
        if role != Role::Attribute || ending.is_empty() {
            return look(name);
        }
        // Only a class is an attribute: `[Flags] enum Flags` uses one from outside.
        let may_be_one = |def: &DefRef| {
            let kind = self.def(*def).map(|def| def.kind);
            !matches!(
                kind,
                Some(DefKind::Enum | DefKind::Struct | DefKind::Interface | DefKind::Delegate)
            )
        };
        let whole = format!("{}{ending}", self.workspace.text(name));
        let whole = self.workspace.sym(&whole);
        let mut found = Found::external();
        for name in whole.into_iter().chain([name]) {
            found = look(name);
            found.defs.retain(may_be_one);
            if !found.is_empty() {
                break;
            }
        }
        found
    }
}

/// Where aliases lead.
#[derive(Clone, Debug)]
pub(crate) struct Followed {
    /// The aliases themselves.
    pub(crate) steps: Vec<DefRef>,
    /// What they end at.
    pub(crate) ends: Vec<DefRef>,
    /// A module or namespace that they end at.
    pub(crate) ty: Option<Ty>,
    /// Whether they leave the workspace.
    pub(crate) external: bool,
    /// Whether every step was declared.
    pub(crate) sure: bool,
}
