//! Name lookup: scopes outwards, imports and glob imports, modules, globals; alias resolution.

pub(crate) mod request;
pub(crate) mod result;

use codecortex_bind::facts::{
    Def, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space,
};

use crate::contextual;
use crate::disambiguate;
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lang::{ClassScope, LanguageRules};
use crate::lookup::request::{LookupRequest, OuterLookupKey};
use crate::lookup::result::{AliasTarget, LookupResult};
use crate::missing_modules;
use crate::paths::split_path;
use crate::resolver::Resolver;
use crate::standard_library::{self, results};
use crate::this;
use crate::ty::Ty;

/// A file whose scopes are looked through.
type Within<'a> = (FileNo, &'a BoundFile, &'a dyn LanguageRules);

/// So many glob imports of one scope may lead to one another.
const MAX_BESIDE: usize = 3;

/// Whether a definition is an import whose path begins with a name.
fn is_import_from(bound: &BoundFile, def: &Def, name: ExprId) -> bool {
    def.kind == DefKind::Alias && bound.begins_with(def.value, name)
}

/// Whether all that was found in the body of a type is written below a place in it, or gets its value there:
/// `A = A`.
fn is_below(bound: &BoundFile, body: ScopeId, found: &LookupResult, at: u32) -> bool {
    let is_below = |of: &DefRef| {
        let def = bound.def(of.def);
        let value = bound.expr(def.value).written();
        def.scope == body && (def.end > at || value.is_some_and(|(_, place, _)| place == at))
    };
    !found.defs.is_empty() && found.defs.iter().all(is_below)
}

impl Resolver<'_> {
    /// Looks a name up from a scope outwards.
    pub(crate) fn lookup(
        &self,
        file: FileNo,
        scope: ScopeId,
        request: LookupRequest,
    ) -> LookupResult {
        let Some(bound) = self.file(file) else {
            return LookupResult::nothing();
        };
        let rules = self.rules(file);
        if rules.is_by_name() {
            return self.declared_as(file, request.name);
        }
        // Names of a type or file are looked for from each of its functions.
        let is_shared = |scope: ScopeId| match bound.scope(scope).kind {
            ScopeKind::File | ScopeKind::Namespace | ScopeKind::Module => true,
            ScopeKind::Class => !rules.class_bodies_execute(),
            _ => false,
        };
        let mut steps = self.scopes_up(bound, scope).enumerate();
        let mut late = None;
        let outer = steps.find_map(|(step, id)| {
            if is_shared(id) {
                return Some(self.lookup_outer((file, bound, rules), (step, id), request));
            }
            self.lookup_at((file, bound, rules), (step, id), request, &mut late)
        });
        let found = outer.unwrap_or_else(|| self.outside((file, rules), request));
        let is_builtin = || rules.is_builtin(self.workspace.text(request.name));
        match late {
            Some(late) if found.is_empty() && !is_builtin() => late,
            _ => found,
        }
    }

    /// The same from a scope in which it hardly ever matters where the name stands.
    fn lookup_outer(
        &self,
        of: Within<'_>,
        (step, scope): (usize, ScopeId),
        request: LookupRequest,
    ) -> LookupResult {
        let (file, bound, rules) = of;
        let look = || {
            let mut steps = self.scopes_up(bound, scope).zip(step..);
            let found = steps.find_map(|(id, step)| {
                let is_last =
                    rules.modules_are_closed() && bound.scope(id).kind == ScopeKind::Module;
                let found = self.lookup_at(of, (step, id), request, &mut None);
                found.or_else(|| is_last.then(|| self.outside((file, rules), request)))
            });
            found.unwrap_or_else(|| self.outside((file, rules), request))
        };
        let key = OuterLookupKey::new(file, scope, step == 0, request);
        let placed = self.placed.get();
        self.memoize_if(&self.outer_lookups, key, look, || {
            self.placed.get() == placed
        })
    }

    /// Looks a name up in a scope on the way outwards, if names in it are seen from there.
    fn lookup_at(
        &self,
        (file, bound, rules): Within<'_>,
        (step, id): (usize, ScopeId),
        request: LookupRequest,
        late: &mut Option<LookupResult>,
    ) -> Option<LookupResult> {
        let is_class = bound.scope(id).kind == ScopeKind::Class;
        // Keys of an object are names in it only where members of types are.
        let is_object = bound.scope(id).kind == ScopeKind::Object;
        let sees_members = |scope: ScopeId| {
            let owner = bound.scope(scope).owner;
            owner == NONE || rules.names_members(bound.def(owner).kind)
        };
        let is_seen = match rules.class_scope() {
            ClassScope::Members => true,
            ClassScope::Direct if is_class => step == 0 && sees_members(id),
            ClassScope::Direct => !is_object,
            ClassScope::Hidden => !is_object && !is_class,
        };
        if !is_seen {
            return None;
        }
        let found = self.lookup_in(file, bound, id, request);
        if is_class && rules.class_bodies_execute() && is_below(bound, id, &found, request.at) {
            *late = Some(found);
            return None;
        }
        Some(found).filter(|found| !found.is_empty())
    }

    /// Looks a name up outside of a file's scopes.
    fn outside(
        &self,
        (file, rules): (FileNo, &dyn LanguageRules),
        request: LookupRequest,
    ) -> LookupResult {
        let found = rules.globals(self, file, request.name, request.spaces);
        let found = disambiguate::with_arity(self, found, request.arity);
        if found.is_empty() {
            return LookupResult::external();
        }
        found
    }

    /// Looks a name up in one scope.
    fn lookup_in(
        &self,
        file: FileNo,
        bound: &BoundFile,
        id: ScopeId,
        request: LookupRequest,
    ) -> LookupResult {
        let LookupRequest {
            name,
            at,
            spaces,
            arity,
            beside,
            inherits,
        } = request;
        let scope = bound.scope(id);
        let mut own = self.own(file, bound, id, name, at, spaces);
        let rules = self.rules(file);
        own.retain(|def| rules.can_mean(self, file, *def, spaces));
        let is_class = scope.kind == ScopeKind::Class;
        if !is_class && let Some(open) = rules.in_open_scope(self, file, id, name, spaces, &own) {
            let open = disambiguate::with_arity(self, open, arity);
            if !open.is_empty() {
                return open;
            }
        }
        let mut found = disambiguate::with_arity(self, LookupResult::defs(own), arity);
        if !is_class && !found.is_empty() {
            return found;
        }
        let names_itself =
            is_class && spaces & space::TYPE != 0 && rules.has_injected_class_name(self, file);
        if names_itself && found.is_empty() && scope.owner != NONE {
            let owner = bound.def(scope.owner);
            if owner.at != NONE && owner.kind.is_type() && bound.name(owner.name) == name {
                let def = scope.owner;
                return LookupResult::defs(vec![DefRef { file, def }]);
            }
        }
        if is_class
            && scope.owner != NONE
            && rules.class_scope() == ClassScope::Members
            && (standard_library::is_library(file) || self.may_be_nested(name, spaces))
        {
            let owner = DefRef {
                file,
                def: scope.owner,
            };
            let mut inherited = if inherits {
                self.member_of_own_type(owner, name, spaces)
            } else {
                let parts = self.parts(self.type_of_block(owner).unwrap_or(owner));
                LookupResult::defs(self.own_members(&parts, name, spaces))
            };
            if rules.private_is_of_type() {
                self.drop_private_of_bases(owner, &mut inherited.defs);
            }
            let inherited = disambiguate::with_arity(self, inherited, arity);
            if !inherited.is_empty() {
                return inherited;
            }
        }
        if scope.kind == ScopeKind::Namespace && scope.owner != NONE && found.is_empty() {
            let path = bound.name(bound.def(scope.owner).name);
            found = self.in_open_namespace(file, path, request);
        }
        let is_outside = matches!(scope.kind, ScopeKind::Function | ScopeKind::Class)
            && scope.owner != NONE
            && bound.def(scope.owner).container != NONE;
        if is_outside && found.is_empty() {
            found = rules.in_container(self, file, scope.owner, name, spaces);
        }
        if found.is_empty() && id != beside {
            found = disambiguate::with_arity(
                self,
                self.in_glob_imports(file, bound, id, name, spaces),
                arity,
            );
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
        bound: &BoundFile,
        scope: ScopeId,
        name: Name,
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
        if defs.len() < 2 || !self.rules(file).imports_by_space() {
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
    fn in_open_namespace(&self, file: FileNo, path: Name, request: LookupRequest) -> LookupResult {
        let LookupRequest {
            name,
            spaces,
            arity,
            ..
        } = request;
        let workspace = self.workspace;
        let rules = self.rules(file);
        let walks_out = rules.looks_in_enclosing_namespaces();
        let mut path_text = workspace.text(path);
        loop {
            if let Some(path) = workspace.name(path_text) {
                let found = self.namespace_member(rules.family(), path, name, spaces);
                let found = disambiguate::with_arity(self, found, arity);
                if !found.is_empty() || !walks_out {
                    return found;
                }
            }
            match path_text.rsplit_once('.') {
                Some((outer, _)) => path_text = outer,
                None => return LookupResult::nothing(),
            }
        }
    }

    /// What a namespace holds under a name in languages of a family: definitions, or a namespace in it.
    pub(crate) fn namespace_member(
        &self,
        family: u8,
        path: Name,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let workspace = self.workspace;
        let is_meant = |def: &DefRef| {
            let is_ours = self.rules(def.file).family() == family;
            self.def(*def).filter(|_| is_ours).is_some_and(|def| {
                def.spaces & spaces != 0 && !matches!(def.kind, DefKind::Namespace | DefKind::Alias)
            })
        };
        let own = workspace.in_namespace(path, name).iter().copied();
        let mut defs: Vec<DefRef> = own.filter(is_meant).collect();
        if defs.is_empty() {
            let library = workspace.library_members(family, workspace.text(path), name);
            defs.extend(library.iter().copied().filter(is_meant));
        }
        if !defs.is_empty() {
            return LookupResult::defs(defs);
        }
        if spaces & space::NAMESPACE != 0 {
            let whole = format!("{}.{}", workspace.text(path), workspace.text(name));
            let own = workspace.name(&whole);
            let own = own.filter(|path| self.is_namespace(family, *path));
            let inner = own.or_else(|| match workspace.is_library_namespace(family, &whole) {
                true => workspace.shared_name(&whole),
                false => None,
            });
            if let Some(inner) = inner {
                return LookupResult::typed(Ty::Namespace(inner));
            }
        }
        LookupResult::nothing()
    }

    /// Whether languages of a family have an open namespace of this path, or one below it.
    pub(crate) fn is_namespace(&self, family: u8, path: Name) -> bool {
        let parts = self.workspace.parts_of_namespace(path);
        parts
            .iter()
            .any(|(file, _)| self.rules(*file).family() == family)
            || self
                .workspace
                .is_library_namespace(family, self.workspace.text(path))
    }

    /// Names that were brought into a scope wholesale.
    pub(crate) fn in_glob_imports(
        &self,
        file: FileNo,
        bound: &BoundFile,
        scope: ScopeId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let rules = self.rules(file);
        let mut all = LookupResult::nothing();
        for (index, glob) in bound.glob_imports().iter().enumerate() {
            let is_local = glob.flags & flag::EXPORTED == 0 || rules.reexports_are_local();
            if glob.scope != scope || !is_local {
                continue;
            }
            let found = self.in_glob_import(file, index as u32, name, spaces);
            all.defs.extend(found.defs);
            all.ty = all.ty.or(found.ty);
        }
        all.defs.dedup();
        all
    }

    /// A name in what one glob import brings.
    pub(crate) fn in_glob_import(
        &self,
        file: FileNo,
        index: u32,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let Some(glob) = self
            .file(file)
            .and_then(|bound| bound.glob_imports().get(index as usize))
        else {
            return LookupResult::nothing();
        };
        // What brings names may itself be brought by what stands beside it, but not through many of these: each
        // asked all others, and from some ten on nothing was found within the depth of a question.
        let are_too_many = self.open_beside(file, glob.scope) >= MAX_BESIDE;
        if are_too_many || !self.open_globs.borrow_mut().insert((file, index)) {
            self.cut();
            return LookupResult::nothing();
        }
        let found = self.with_depth(|| {
            let of = self.type_of(ExprRef {
                file,
                expr: glob.of,
            });
            let found = self
                .rules(file)
                .glob_member(self, &of.ty, name, spaces, glob.flags);
            found.unwrap_or_else(|| self.member(&of.ty, name, spaces, file))
        });
        self.open_globs.borrow_mut().remove(&(file, index));
        found.unwrap_or_else(LookupResult::nothing)
    }

    /// How many of the glob imports of a scope are being looked into.
    fn open_beside(&self, file: FileNo, scope: ScopeId) -> usize {
        let globs = self.file(file).map_or(&[][..], BoundFile::glob_imports);
        let open = self.open_globs.borrow();
        let is_beside = |index: &u32| {
            globs
                .get(*index as usize)
                .is_some_and(|glob| glob.scope == scope)
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
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let Some(bound) = self.file(file) else {
            return LookupResult::nothing();
        };
        let rules = self.rules(file);
        let mut own: Vec<DefRef> = Vec::new();
        if let Some(local) = bound.local(name) {
            own = bound
                .defs_in(scope, local)
                .filter(|def| rules.is_exported(bound, bound.def(*def), spaces))
                .map(|def| DefRef { file, def })
                // An import does not bring itself: `from . import a` in a package brings the module.
                .filter(|def| !self.open_aliases.borrow().contains(def))
                .collect();
        }
        self.drop_other_builds(file, &mut own);
        let spaces = match rules.beside_own(self, &own, spaces) {
            0 => return LookupResult::defs(own),
            rest => rest,
        };
        let owned = own.len();
        let mut all = LookupResult::defs(own);
        for (index, glob) in bound.glob_imports().iter().enumerate() {
            if glob.scope != scope || !rules.reexports_glob(glob.flags) {
                continue;
            }
            let found = self.in_glob_import(file, index as u32, name, spaces);
            all.defs.extend(found.defs);
            all.ty = all.ty.or(found.ty);
        }
        if all.is_empty() {
            return rules.other_module_member(self, file, scope, name, spaces);
        }
        if all.defs.len() == owned {
            let beside = rules.other_module_member(self, file, scope, name, spaces);
            all.defs.extend(beside.defs);
        }
        self.workspace.sort(&mut all.defs);
        all
    }

    /// What an alias resolves to, followed to the end, with every step on the way. A definition that is
    /// no alias is its own end.
    pub(crate) fn resolve_alias(&self, def: DefRef) -> AliasTarget {
        if self.def(def).is_none_or(|def| def.kind != DefKind::Alias) {
            return self.resolve_alias_now(def);
        }
        self.memoize(&self.alias_targets, def, || self.resolve_alias_now(def))
    }

    fn resolve_alias_now(&self, def: DefRef) -> AliasTarget {
        let mut followed = AliasTarget {
            via_aliases: Vec::new(),
            ends: Vec::new(),
            ty: None,
            external: false,
            is_declared: true,
        };
        self.collect_alias_targets(def, &mut followed, 0);
        followed
    }

    fn collect_alias_targets(&self, def: DefRef, followed: &mut AliasTarget, depth: u32) {
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
        if depth > LONGEST || followed.via_aliases.contains(&def) {
            return;
        }
        followed.via_aliases.push(def);
        if !self.open_aliases.borrow_mut().insert(def) {
            self.cut();
            return;
        }
        let target = self.find(ExprRef {
            file: def.file,
            expr: found.value,
        });
        self.open_aliases.borrow_mut().remove(&def);
        followed.is_declared &= target.is_declared;
        if target.is_empty() {
            followed.external |= target.external;
        }
        if followed.ty.is_none() {
            followed.ty = target.ty;
        }
        for next in target.defs {
            if next != def {
                self.collect_alias_targets(next, followed, depth + 1);
            }
        }
    }

    /// What imports bring into spaces: not what is in others alone. `use a::Err` of a type leaves the value `Err` what
    /// it is everywhere, `use a::a` of a macro leaves `a::` the crate. In a path of an import the crate of the
    /// workspace is meant even where nobody knows what was brought in: a module would be one too many.
    fn brought_in(&self, at: ExprRef, name: Name, found: LookupResult, spaces: u8) -> LookupResult {
        const PREFIX: u8 = space::TYPE | space::NAMESPACE;
        let file = at.file;
        let is_one_space = matches!(spaces, space::VALUE | PREFIX);
        if !is_one_space || !self.rules(file).imports_by_space() {
            return found;
        }
        let is_import = |of: &DefRef| self.def(*of).is_some_and(|def| def.kind == DefKind::Alias);
        if found.defs.is_empty() || !found.defs.iter().all(is_import) {
            return found;
        }
        let is_no_value = |of: &DefRef| self.def(*of).is_some_and(|def| def.spaces & spaces == 0);
        let leads_elsewhere = |of: &DefRef| {
            let followed = self.resolve_alias(*of);
            !followed.ends.is_empty() && followed.ends.iter().all(is_no_value)
        };
        let is_elsewhere = found.defs.iter().all(leads_elsewhere);
        let leads_outside = |of: &DefRef| self.resolve_alias(*of).ends.is_empty();
        if !is_elsewhere && (spaces != PREFIX || !found.defs.iter().all(leads_outside)) {
            return found;
        }
        let everywhere = self.rules(file).globals(self, file, name, spaces);
        match everywhere.is_empty() {
            false if is_elsewhere => everywhere,
            false if self.begins_import(at) => everywhere.inferred(),
            true if is_elsewhere => LookupResult::external(),
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

    /// The first name of an import's path without the imports that begin at it: in `use a::{a, B}` the first `a` is
    /// what it would be without this line. It is found out for all of them at once, so none of them may be asked.
    fn beyond_own(
        &self,
        at: ExprRef,
        found: LookupResult,
        look: impl Fn() -> LookupResult,
    ) -> LookupResult {
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
    pub(crate) fn find(&self, at: ExprRef) -> LookupResult {
        let found = self.with_depth(|| self.find_now(at));
        let found = found.unwrap_or_else(LookupResult::nothing);
        self.rules(at.file).compiled_together(self, at, found)
    }

    fn find_now(&self, at: ExprRef) -> LookupResult {
        let Some(bound) = self.file(at.file) else {
            return LookupResult::nothing();
        };
        match bound.expr(at.expr) {
            Expr::Name {
                name,
                scope,
                at: place,
                spaces,
                role,
            } => {
                let name = bound.name(name);
                if let Some(found) = self.rules(at.file).find_elsewhere(self, at, name) {
                    return found;
                }
                let request = LookupRequest {
                    arity: disambiguate::requested_arity(self, at),
                    beside: match role {
                        Role::Import if self.rules(at.file).hides_directives() => scope,
                        _ => NONE,
                    },
                    inherits: role != Role::Doc || self.rules(at.file).documentation_inherits(),
                    ..LookupRequest::any(name, place, spaces)
                };
                let look = |name| self.lookup(at.file, scope, LookupRequest { name, ..request });
                let mut found = self.of_attribute(at.file, name, role, look);
                if self.rules(at.file).imports_by_space() {
                    found = self.beyond_own(at, found, || look(name));
                    found = self.rules(at.file).of_token(self, at, found);
                }
                // A type without its arguments is none, but `nameof` and the like may leave them out.
                if found.is_empty() && request.arity == Some(0) && spaces & space::VALUE != 0 {
                    let any = LookupRequest {
                        arity: None,
                        ..request
                    };
                    found = self.lookup(at.file, scope, any);
                }
                let found = disambiguate::by_arity(self, at, found);
                let found = disambiguate::type_by_member(self, at, name, found);
                let found = self.brought_in(at, name, found, spaces);
                if !found.is_empty() {
                    return found;
                }
                let more = self.rules(at.file).find_name(self, at, name);
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
                    Ty::Union(bases) if this::is_super(self, of) => {
                        self.first_member(bases, name, spaces, at.file)
                    }
                    ty => self.member(ty, name, spaces, at.file),
                };
                let own = self.rules(at.file).find_member(self, at, &receiver.ty);
                let found =
                    own.unwrap_or_else(|| self.of_attribute(at.file, bound.name(name), role, look));
                let applied = disambiguate::requested_arity(self, at).filter(|arity| *arity > 0);
                let found = disambiguate::with_arity(self, found, applied);
                let found = disambiguate::by_arity(self, at, found);
                let found = results::callable_or_extension(self, at, &receiver.ty, found);
                LookupResult {
                    is_declared: found.is_declared && receiver.is_declared,
                    ..found
                }
            }
            Expr::Module { name, level, .. } => {
                let name = self.workspace.text(bound.name(name));
                let found = self.rules(at.file).module(self, at.file, name, level);
                missing_modules::noted(self, at.file, name, found)
            }
            Expr::Keyword { call, name, .. } => {
                contextual::named_parameter(self, at.file, call, bound.name(name))
            }
            Expr::Apply { of, .. } => self.find(ExprRef {
                file: at.file,
                expr: of,
            }),
            _ => LookupResult::nothing(),
        }
    }

    /// A member of the first of several types that has it.
    fn first_member(&self, types: &[Ty], name: Name, spaces: u8, from: FileNo) -> LookupResult {
        let found = types
            .iter()
            .map(|ty| self.member(ty, name, spaces, from))
            .find(|found| !found.is_empty());
        found.unwrap_or_else(|| self.member(&Ty::Union(types.into()), name, spaces, from))
    }

    /// An attribute may leave out the ending of its type's name.
    fn of_attribute(
        &self,
        file: FileNo,
        name: Name,
        role: Role,
        look: impl Fn(Name) -> LookupResult,
    ) -> LookupResult {
        let ending = self.rules(file).attribute_ending();
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
        let whole = self.workspace.name(&whole);
        let mut found = LookupResult::external();
        for name in whole.into_iter().chain([name]) {
            found = look(name);
            found.defs.retain(may_be_one);
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    /// Everything that is declared by a name, the nearest first: in the file, in its folder, elsewhere. It is
    /// never certain.
    pub(crate) fn declared_as(&self, file: FileNo, name: Name) -> LookupResult {
        let folder = |file| self.workspace.path(file).map(|path| split_path(path).0);
        let mut defs: Vec<DefRef> = self.globals(file, name).collect();
        let is_far = |of: &DefRef| (of.file != file, folder(of.file) != folder(file), *of);
        defs.sort_by_key(is_far);
        LookupResult::defs(defs).inferred()
    }
}
