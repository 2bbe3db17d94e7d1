//! Member lookup: in types with all their parts and bases, in modules, namespaces, objects, unions.

use std::rc::Rc;

use codecortex_bind::facts::{DefKind, NONE, Relation, ScopeId, ScopeKind, flag, space};
use rustc_hash::FxHashSet;

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::infer_type_args;
use crate::lookup::result::LookupResult;
use crate::mapped_types;
use crate::outside;
use crate::overloads::assignability;
use crate::overloads::conversion::Conversion;
use crate::overloads::type_comparison::conversion;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::ty::{Substitution, Ty, Tys, no_substitution, none};
use crate::type_parts::Parts;

/// Bases of bases are looked at this deep.
const DEEPEST: u32 = 48;

/// A search through a type and its bases.
struct MemberSearch {
    name: Name,
    spaces: u8,
    /// Whether methods of bases join those of the type itself.
    gathers: bool,
    seen: FxHashSet<DefRef>,
    found: LookupResult,
    /// Whether a base is not known, so that it might be there.
    is_open: bool,
    /// Whether it is a class, whose lookups pass over the library's interfaces.
    hides_interfaces: bool,
}

/// What type parameters stand for of which each of two values of one type says its own.
fn either_of(a: &Substitution, b: &Substitution) -> Substitution {
    let other = |param| {
        b.iter()
            .find(|(of, _)| of == param)
            .map(|(_, ty)| ty.clone())
    };
    let joined = a.iter().map(|(param, ty)| match other(param) {
        Some(other) => (*param, Ty::union(vec![ty.clone(), other])),
        None => (*param, ty.clone()),
    });
    joined.collect()
}

impl Resolver<'_> {
    /// Looks a member up in what a type says.
    pub(crate) fn member(&self, ty: &Ty, name: Name, spaces: u8, from: FileNo) -> LookupResult {
        self.with_depth(|| self.member_now(ty, name, spaces, from))
            .unwrap_or_else(LookupResult::nothing)
    }

    fn member_now(&self, ty: &Ty, name: Name, spaces: u8, from: FileNo) -> LookupResult {
        match ty {
            Ty::Unknown => LookupResult::nothing().inferred(),
            Ty::External(..) | Ty::ExternalType(..) | Ty::Array(_) | Ty::Map(_) | Ty::Tuple(_) => {
                let rules = self.rules(from);
                let found = rules.member_of_external(self, ty, name, spaces, from);
                let declared = || tables::member(self, ty, (name, spaces), from);
                if let Some(found) = found.or_else(declared) {
                    return found;
                }
                let found = self.extension_or(ty, name, from, LookupResult::external());
                let by_evidence = || outside::member(self, ty, name, spaces, from);
                let is_outside = found.is_empty() && found.external;
                is_outside.then(by_evidence).flatten().unwrap_or(found)
            }
            Ty::Pointer(of) => self.member(of, name, spaces, from),
            Ty::Instance(def, args) | Ty::Type(def, args) => {
                let found = self.member_of_type(*def, args, name, spaces);
                let found = self.rules(def.file).accessible_on(self, ty, found);
                if !found.defs.is_empty() || found.ty.is_some() {
                    return found;
                }
                let more = self.rules(from).other_member(self, ty, name, spaces, from);
                let found = if more.is_empty() {
                    LookupResult {
                        external: found.external || more.external,
                        ..found
                    }
                } else {
                    more
                };
                self.extension_or(ty, name, from, found)
            }
            Ty::Module(file, scope) => {
                let found = self.module_member(*file, *scope, name, spaces);
                // Nothing of the workspace is in a module of the library.
                match found.is_empty() && is_library(*file) {
                    true => LookupResult::external(),
                    false => found,
                }
            }
            Ty::Namespace(path) => {
                let rules = self.rules(from);
                let found = rules.in_namespace(self, from, *path, name, spaces);
                let found = found
                    .unwrap_or_else(|| self.namespace_member(rules.family(), *path, name, spaces));
                // What the workspace does not have of a namespace, others may have.
                let external = found.is_empty();
                LookupResult { external, ..found }
            }
            Ty::Object(file, scope, subst) => self.member_of_object(*file, *scope, subst, name),
            Ty::Param(param) => {
                let found = self.member_of_param(*param, name, spaces, from);
                self.extension_or(ty, name, from, found)
            }
            Ty::Union(parts) => self.member_of_union(parts, name, spaces, from),
            Ty::Function(defs, _) => {
                let first = defs.first().copied();
                let rules = self.rules(from);
                let found =
                    first.map(|def| rules.member_of_function(self, def, name, spaces, from));
                found.unwrap_or_else(LookupResult::external)
            }
        }
    }

    fn extension_or(
        &self,
        ty: &Ty,
        name: Name,
        from: FileNo,
        otherwise: LookupResult,
    ) -> LookupResult {
        if !otherwise.is_empty() || self.workspace.extensions(name).is_empty() {
            return otherwise;
        }
        let found = self.extension(ty, name, from);
        if found.is_empty() { otherwise } else { found }
    }

    /// Functions that add themselves to this type.
    pub(crate) fn extension(&self, ty: &Ty, name: Name, from: FileNo) -> LookupResult {
        let rules = self.rules(from);
        let (mut defs, mut subst) = (Vec::new(), Vec::new());
        // Whose members the library declares has none of that name.
        let mut are_sure = tables::as_declared(self, ty.clone(), from) != *ty;
        for def in self.workspace.extensions(name) {
            let Some(bound) = self.file(def.file) else {
                continue;
            };
            let Some(param) = bound.params(def.def).next() else {
                continue;
            };
            if rules.extension_distance(self, *def, from).is_none() {
                continue;
            }
            let of = self.type_of_def(DefRef {
                file: def.file,
                def: param,
            });
            // What is static in an extension block is a member of the type itself, all else one of its instances.
            let is_of_type = bound.def(def.def).flags & flag::CLASS_METHOD != 0;
            let instance = match ty {
                Ty::Type(of, args) => Some(Ty::Instance(*of, args.clone())),
                Ty::ExternalType(name, args) => Some(Ty::External(*name, args.clone())),
                _ => None,
            };
            if is_of_type != instance.is_some() && (is_of_type || rules.resolves_by_conversion()) {
                continue;
            }
            let ty = instance.as_ref().filter(|_| is_of_type).unwrap_or(ty);
            let goes = if rules.resolves_by_conversion() {
                let converts = conversion(self, &of.ty, ty, from, 6) <= Conversion::Derived;
                are_sure &= converts;
                converts || outside::may_derive(self, &of.ty, ty, from)
            } else {
                assignability::accepts(self, &of.ty, ty)
            };
            if goes {
                let wanted = self.params_of(*def);
                infer_type_args::infer_type_args(self, &of.ty, ty, &wanted, &mut subst, 6);
                defs.push(*def);
            }
        }
        let found = LookupResult {
            subst: subst.into(),
            ..LookupResult::defs(defs)
        };
        // A type from outside may have a method of that name itself, and that one is called.
        if rules.prefers_members_to_extensions() && ty.is_external() && !are_sure {
            return found.inferred();
        }
        found
    }

    pub(crate) fn member_of_object(
        &self,
        file: FileNo,
        scope: ScopeId,
        subst: &Substitution,
        name: Name,
    ) -> LookupResult {
        let Some(bound) = self.file(file) else {
            return LookupResult::nothing();
        };
        let defs = self.own(file, bound, scope, name, u32::MAX, space::ANY);
        if defs.is_empty() {
            if let Some(found) = mapped_types::mapped_member(self, file, scope, subst, name) {
                return found;
            }
            // `{ ...other }` has what the other has, an index signature gives every name the same.
            let spread = self.in_glob_imports(file, bound, scope, name, space::ANY);
            return match self.indexed(file, scope) {
                Some(ty) if spread.is_empty() => LookupResult::typed(ty.with(subst)).inferred(),
                _ => spread,
            };
        }
        LookupResult {
            subst: subst.clone(),
            ..LookupResult::defs(defs)
        }
    }

    /// What an index signature (`[key: string]: T`) among the keys of an object type gives.
    pub(crate) fn indexed(&self, file: FileNo, scope: ScopeId) -> Option<Ty> {
        let bound = self.file(file)?;
        let signature = bound.local(self.workspace.name("(index)")?)?;
        let def = bound.defs_in(scope, signature).next()?;
        let typed = self.type_of_def(DefRef { file, def });
        (!typed.ty.is_unknown()).then_some(typed.ty)
    }

    fn member_of_param(&self, param: DefRef, name: Name, spaces: u8, from: FileNo) -> LookupResult {
        let Some(def) = self.def(param) else {
            return LookupResult::nothing();
        };
        if def.ty == NONE {
            let found = self
                .rules(from)
                .member_of_param(self, param, name, spaces, from);
            return if found.is_empty() {
                LookupResult::nothing().inferred()
            } else {
                found
            };
        }
        let bound = self.lower_type(ExprRef {
            file: param.file,
            expr: def.ty,
        });
        let found = if self.rules(from).bounds_are_traits() {
            self.member_of_traits(&bound.ty, name, spaces, from)
        } else {
            self.member(&bound.ty, name, spaces, from)
        };
        if found.is_empty() {
            let more = self
                .rules(from)
                .member_of_param(self, param, name, spaces, from);
            if !more.is_empty() {
                return more;
            }
        }
        found
    }

    /// A member of one of several traits. Those from outside are no types that the workspace may add members to.
    fn member_of_traits(&self, bound: &Ty, name: Name, spaces: u8, from: FileNo) -> LookupResult {
        match bound {
            Ty::External(..) => tables::member(self, bound, (name, spaces), from)
                .unwrap_or_else(LookupResult::external),
            Ty::Union(parts) => {
                let declared = parts
                    .iter()
                    .map(|part| tables::as_declared(self, part.clone(), from));
                let ours: Vec<Ty> = declared
                    .filter(|part| !matches!(part, Ty::External(..)))
                    .collect();
                let is_open = ours.len() < parts.len();
                let found = self.member_of_union(&ours.into(), name, spaces, from);
                let external = found.external || found.is_empty() && is_open;
                LookupResult { external, ..found }
            }
            bound => self.member(bound, name, spaces, from),
        }
    }

    fn member_of_union(&self, parts: &Tys, name: Name, spaces: u8, from: FileNo) -> LookupResult {
        let mut all = LookupResult::nothing();
        let mut external = true;
        for part in parts.iter() {
            let found = self.member(part, name, spaces, from);
            external &= found.external && found.is_empty();
            let is_again =
                !all.defs.is_empty() && found.defs.iter().all(|def| all.defs.contains(def));
            for def in found.defs {
                if !all.defs.contains(&def) {
                    all.defs.push(def);
                }
            }
            if all.subst.is_empty() {
                all.subst = found.subst;
            } else if is_again && self.rules(from).narrows_unions() {
                all.subst = either_of(&all.subst, &found.subst);
            }
            all.ty = all.ty.or(found.ty);
            all.is_declared &= found.is_declared && !outside::is_made_over(part);
        }
        all.is_declared &= all.defs.len() < 2;
        all.external = external && all.is_empty();
        all
    }

    /// A member as the code inside of its type sees it.
    pub(crate) fn member_of_own_type(&self, owner: DefRef, name: Name, spaces: u8) -> LookupResult {
        let owner = self.type_of_block(owner).unwrap_or(owner);
        self.member_of_type(owner, &none(), name, spaces)
    }

    /// The type that a block adds members to; nothing for a type itself.
    pub(crate) fn type_of_block(&self, def: DefRef) -> Option<DefRef> {
        let block = self.def(def)?;
        if block.kind != DefKind::Impl {
            return None;
        }
        let of = self.lower_type(ExprRef {
            file: def.file,
            expr: block.ty,
        });
        let of = match is_library(def.file) {
            true => tables::as_declared(self, of.ty, def.file),
            false => of.ty,
        };
        match of {
            Ty::Instance(def, _) => Some(def),
            _ => None,
        }
    }

    /// A member of a type or one of its bases.
    pub(crate) fn member_of_type(
        &self,
        of: DefRef,
        args: &Tys,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let look = || self.searched(of, args, name, spaces);
        if !args.is_empty() {
            return look();
        }
        self.memoize(&self.members, (of, name, spaces), look)
    }

    fn searched(&self, of: DefRef, args: &Tys, name: Name, spaces: u8) -> LookupResult {
        let mut search = MemberSearch {
            name,
            spaces,
            gathers: self.rules(of.file).overloads_are_separate(),
            seen: FxHashSet::default(),
            found: LookupResult::nothing(),
            is_open: false,
            hides_interfaces: self.rules(of.file).classes_hide_interfaces()
                && !self.is_interface(of),
        };
        let is_done = self.search(of, args, &mut search, 0);
        if !is_done {
            // What every type has, though nobody writes that it derives from it.
            for implied in tables::implied_bases(self, of) {
                self.search(implied, &none(), &mut search, 1);
            }
        }
        let mut found = search.found;
        if found.is_empty() {
            found.external = search.is_open;
        }
        found
    }

    fn search(&self, of: DefRef, args: &Tys, search: &mut MemberSearch, depth: u32) -> bool {
        let specialised = match args.is_empty() {
            true => None,
            false => self.rules(of.file).specialised(self, of, args),
        };
        let (of, args) = match &specialised {
            Some((of, args)) => (*of, args),
            None => (of, args),
        };
        if depth > DEEPEST || !search.seen.insert(of) {
            return false;
        }
        let parts = self.parts(of);
        let subst = self.substitution_of_parts(of, &parts, args);
        let own = self.own_members(&parts, search.name, search.spaces);
        let is_found = !own.is_empty();
        if is_found {
            if search.found.is_empty() {
                search.found.subst = subst.clone();
            }
            let ends = !search.gathers || !own.iter().all(|def| self.is_method(*def));
            search.found.defs.extend(own);
            if ends {
                return true;
            }
        }
        // The line of a class's ancestors has those of its bases.
        let is_line = depth > 0 && self.rules(of.file).linearises();
        let bases = if is_line {
            Vec::new()
        } else {
            self.linear_bases(of, &parts, &subst)
        };
        for (base, _) in bases {
            if self.search_base(base, search, depth) {
                return true;
            }
        }
        is_found && !search.gathers
    }

    /// Looks in a base of a type, or in all that one stands for (`interface A extends B`, where `B` is `C & typeof d`).
    fn search_base(&self, base: Ty, search: &mut MemberSearch, depth: u32) -> bool {
        match base {
            Ty::Instance(def, _) | Ty::Type(def, _)
                if search.hides_interfaces && is_library(def.file) && self.is_interface(def) => {}
            Ty::Instance(def, args) | Ty::Type(def, args) => {
                return self.search(def, &args, search, depth + 1);
            }
            Ty::External(..) | Ty::ExternalType(..) | Ty::Unknown => search.is_open = true,
            Ty::Object(file, scope, subst) if search.found.is_empty() => {
                search.found = self.member_of_object(file, scope, &subst, search.name);
            }
            Ty::Module(file, scope) if search.found.is_empty() => {
                search.found = self.module_member(file, scope, search.name, search.spaces);
            }
            Ty::Union(parts) => {
                let mut parts = parts.iter().cloned();
                return parts.any(|part| self.search_base(part, search, depth));
            }
            Ty::Param(param) => {
                if let Some(bound) = self.rules(param.file).base_by_bound(self, param) {
                    return depth < DEEPEST && self.search_base(bound, search, depth + 1);
                }
            }
            _ => {}
        }
        false
    }

    fn is_interface(&self, def: DefRef) -> bool {
        self.def(def)
            .is_some_and(|def| def.kind == DefKind::Interface)
    }

    /// The bases of a type in the order in which members are looked up in them.
    fn linear_bases(&self, of: DefRef, parts: &Parts, subst: &Substitution) -> Vec<(Ty, bool)> {
        let rules = self.rules(of.file);
        let mut bases = self.bases(parts, subst);
        rules.order_bases(self, of, &mut bases);
        bases
    }

    /// The direct bases of a type.
    pub(crate) fn bases(&self, parts: &Parts, subst: &Substitution) -> Vec<(Ty, bool)> {
        self.bases_by(parts, subst, |_| true)
    }

    /// Those of which it has what it does not say itself: not the interfaces that it says it implements.
    pub(crate) fn extended_bases(&self, parts: &Parts, subst: &Substitution) -> Vec<(Ty, bool)> {
        self.bases_by(parts, subst, |relation| relation != Relation::Implements)
    }

    fn bases_by(
        &self,
        parts: &Parts,
        subst: &Substitution,
        is_meant: impl Fn(Relation) -> bool,
    ) -> Vec<(Ty, bool)> {
        let mut bases = Vec::new();
        for (file, index) in &parts.bases {
            let base = self
                .file(*file)
                .and_then(|bound| bound.bases().get(*index as usize));
            let Some(base) = base.filter(|base| is_meant(base.relation)) else {
                continue;
            };
            let of = ExprRef {
                file: *file,
                expr: base.of,
            };
            let typed = self.lower_type(of);
            let ty = tables::as_declared(self, typed.ty, *file);
            bases.push((ty.with(subst), typed.is_declared));
        }
        bases
    }

    /// The types from outside that a type derives from.
    pub(crate) fn external_bases(&self, of: &Ty) -> Vec<Ty> {
        const MAX: usize = 64;
        let mut open = vec![of.clone()];
        let mut outside = Vec::new();
        for _ in 0..MAX {
            let Some(ty) = open.pop() else {
                break;
            };
            let (Ty::Instance(def, args) | Ty::Type(def, args)) = &ty else {
                if ty.is_external() {
                    outside.push(ty);
                }
                continue;
            };
            if ty != *of && tables::is_told(self, *def) {
                outside.push(tables::as_named(self, &ty));
                continue;
            }
            let subst = self.substitution_of(*def, args);
            let bases = self.bases(&self.parts(*def), &subst);
            open.extend(bases.into_iter().map(|(ty, _)| ty));
        }
        outside
    }

    fn is_method(&self, def: DefRef) -> bool {
        self.def(def).is_some_and(|def| def.kind.is_callable())
    }

    /// What is written in the type itself.
    pub(crate) fn own_members(&self, parts: &Parts, name: Name, spaces: u8) -> Vec<DefRef> {
        let mut defs = Vec::new();
        for (file, scope) in &parts.scopes {
            if let Some(bound) = self.file(*file) {
                defs.extend(self.own(*file, bound, *scope, name, u32::MAX, spaces));
            }
        }
        for def in &parts.loose {
            // A constructor's name means its type.
            let counts = |def: DefRef| {
                let found = self.def(def);
                found
                    .is_some_and(|def| def.spaces & spaces != 0 && def.kind != DefKind::Constructor)
            };
            if self.name_of(*def) == Some(name) && counts(*def) && !defs.contains(def) {
                defs.push(*def);
            }
        }
        match defs.first() {
            Some(first) if defs.len() > 1 => self.rules(first.file).best_of(self, defs),
            _ => defs,
        }
    }

    /// The substitution of a type's parameters by its arguments.
    pub(crate) fn substitution_of(&self, of: DefRef, args: &[Ty]) -> Substitution {
        if args.is_empty() {
            return no_substitution();
        }
        let Some(bound) = self.file(of.file) else {
            return no_substitution();
        };
        let params = bound.type_params(of.def).into_iter();
        params
            .map(|def| DefRef { file: of.file, def })
            .chain(self.rules(of.file).outer_params(self, of))
            .chain(self.rules(of.file).undeclared_params(self, of))
            .zip(args.iter().cloned())
            .collect()
    }

    /// The substitution of the parameters of a type and of the blocks that add to it.
    fn substitution_of_parts(&self, of: DefRef, parts: &Parts, args: &[Ty]) -> Substitution {
        let subst = self.substitution_of(of, args);
        let has_one_part = parts.block_args.is_empty() && parts.types.len() < 2;
        if has_one_part || args.is_empty() {
            return subst;
        }
        let mut all = subst.to_vec();
        // Each declaration of a type has parameters of its own.
        for part in parts.types.iter().filter(|part| **part != of) {
            let Some(bound) = self.file(part.file) else {
                continue;
            };
            let params = bound.type_params(part.def).into_iter();
            let params = params.map(|def| DefRef { def, ..*part });
            all.extend(params.zip(args.iter().cloned()));
        }
        for written in &parts.block_args {
            for (param, arg) in written.iter().zip(args) {
                if let Ty::Param(param) = param {
                    all.push((*param, arg.clone()));
                }
            }
        }
        all.into()
    }

    /// Everything that a type consists of.
    pub(crate) fn parts(&self, of: DefRef) -> Rc<Parts> {
        if let Some(parts) = self.parts.borrow().get(&of) {
            if parts.are_looked_for {
                self.cut();
            }
            return parts.clone();
        }
        // Whoever asks while they are looked for sees the type's own part.
        let mut parts = Parts {
            types: self.merged_declarations(of),
            ..Parts::default()
        };
        // What a function declares inside is no member of what it makes, nor of what it is one with.
        let is_function = |of: &DefRef| self.def(*of).is_some_and(|def| def.kind.is_callable());
        for def in &parts.types {
            if !is_function(def) {
                self.add_scope(*def, &mut parts.scopes);
            }
        }
        self.parts.borrow_mut().insert(
            of,
            Rc::new(Parts {
                types: parts.types.clone(),
                scopes: parts.scopes.clone(),
                are_looked_for: true,
                ..Parts::default()
            }),
        );
        self.open_parts.set(self.open_parts.get() + 1);
        self.add_outside(of, &mut parts);
        self.add_bases(&mut parts);
        self.open_parts.set(self.open_parts.get() - 1);
        let parts = Rc::new(parts);
        self.parts.borrow_mut().insert(of, parts.clone());
        parts
    }

    fn add_scope(&self, def: DefRef, scopes: &mut Vec<(FileNo, ScopeId)>) {
        let inner = self.def(def).map_or(NONE, |def| def.inner);
        if inner != NONE {
            scopes.push((def.file, inner));
        }
    }

    fn add_outside(&self, of: DefRef, parts: &mut Parts) {
        let Some(name) = self.name_of(of) else {
            return;
        };
        // Imports may give the type another name.
        let mut names = vec![name];
        for alias in self.workspace.renamings(name) {
            names.extend(self.name_of(*alias).filter(|other| !names.contains(other)));
        }
        let all = names.iter();
        let written = all.flat_map(|name| match is_library(of.file) {
            true => self.workspace.written_outside(of.file, *name),
            false => self.workspace.outside_of(*name),
        });
        for outside in written {
            let Some(def) = self.def(*outside) else {
                continue;
            };
            let is_block = def.kind == DefKind::Impl;
            let written = if is_block { def.ty } else { def.container };
            let is_explicit = def.flags & flag::EXPLICIT != 0;
            if is_explicit || self.rules(outside.file).family() != self.rules(of.file).family() {
                continue;
            }
            let to = self.lower_type(ExprRef {
                file: outside.file,
                expr: written,
            });
            let to = match is_library(outside.file) {
                true => tables::as_declared(self, to.ty, outside.file),
                false => to.ty,
            };
            let (Ty::Instance(to, args) | Ty::Type(to, args)) = to else {
                continue;
            };
            if !parts.types.contains(&to) {
                continue;
            }
            if is_block {
                parts.blocks.push(*outside);
                if !args.is_empty() {
                    parts.block_args.push(args);
                }
                self.add_scope(*outside, &mut parts.scopes);
            } else {
                parts.loose.push(*outside);
            }
        }
    }

    fn add_bases(&self, parts: &mut Parts) {
        for def in parts.types.iter().chain(&parts.blocks) {
            let Some(bound) = self.file(def.file) else {
                continue;
            };
            for (index, base) in bound.bases().iter().enumerate() {
                if base.def == def.def {
                    parts.bases.push((def.file, index as u32));
                }
            }
        }
    }

    /// Of the declarations of a type the one that defines it.
    pub(crate) fn defined(&self, of: DefRef) -> DefRef {
        let is_declared = |of: DefRef| {
            let def = self.def(of);
            def.is_some_and(|def| def.flags & flag::DECLARATION != 0)
        };
        if !is_declared(of) {
            return of;
        }
        let parts = self.parts(of);
        let types = parts.types.iter().copied();
        let defined: Vec<DefRef> = types.filter(|part| !is_declared(*part)).collect();
        match defined[..] {
            [] => of,
            [one] => one,
            _ => self.rules(of.file).meant(self, of, &defined),
        }
    }

    /// The definitions that are one type with this one.
    pub(crate) fn merged_declarations(&self, of: DefRef) -> Vec<DefRef> {
        let (Some(bound), Some(def)) = (self.file(of.file), self.def(of)) else {
            return vec![of];
        };
        let rules = self.rules(of.file);
        if def.at == NONE {
            return vec![of];
        }
        let scope = bound.scope(def.scope);
        let name = bound.name(def.name);
        let candidates: Vec<DefRef> = if scope.kind == ScopeKind::Namespace && scope.owner != NONE {
            let path = bound.name(bound.def(scope.owner).name);
            self.workspace.in_namespace(path, name).to_vec()
        } else if def.scope == 0 && rules.file_scope_is_global(bound) {
            self.workspace.globals(name).to_vec()
        } else {
            let defs = bound.defs_in(def.scope, def.name);
            let defs: Vec<DefRef> = defs.map(|def| DefRef { file: of.file, def }).collect();
            let more = rules.augmentations(self, of);
            defs.into_iter().chain(more).collect()
        };
        let mut same = vec![of];
        for other in candidates {
            let is_part = other != of
                && self.rules(other.file).family() == rules.family()
                && self.def(other).is_some_and(|other_def| {
                    rules.declarations_merge(bound, of, def, other, other_def, self)
                });
            if is_part && !same.contains(&other) {
                same.push(other);
            }
        }
        same
    }

    /// What makes instances of a type.
    pub(crate) fn constructors(&self, of: DefRef) -> Vec<DefRef> {
        self.rules(of.file).constructors(self, of)
    }

    /// The type parameters of a function or type, those that it does not declare itself included.
    pub(crate) fn params_of(&self, of: DefRef) -> Vec<DefRef> {
        let params = self.file(of.file).map(|bound| bound.type_params(of.def));
        let params = params.unwrap_or_default().into_iter();
        params
            .map(|def| DefRef { file: of.file, def })
            .chain(self.rules(of.file).undeclared_params(self, of))
            .collect()
    }

    /// The type that a member belongs to.
    pub(crate) fn owner(&self, def: DefRef) -> Option<DefRef> {
        let found = self.def(def)?;
        if found.container != NONE && found.flags & flag::EXPLICIT == 0 {
            let container = self.lower_type(ExprRef {
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

    /// Whether a type is another or derives from it.
    pub(crate) fn is_subtype(&self, of: DefRef, base: DefRef) -> bool {
        let target = self.parts(base);
        let mut open = vec![of];
        let mut seen = Vec::new();
        while let Some(def) = open.pop() {
            if target.types.contains(&def) {
                return true;
            }
            if seen.contains(&def) || seen.len() > 256 {
                continue;
            }
            seen.push(def);
            for (ty, _) in self.bases(&self.parts(def), &no_substitution()) {
                if let Ty::Instance(def, _) | Ty::Type(def, _) = ty {
                    open.push(def);
                }
            }
            open.extend(tables::implied_bases(self, def));
        }
        false
    }

    /// The bound of a type parameter; none where it has none.
    pub(crate) fn bound_of(&self, param: DefRef) -> Option<Ty> {
        let bound = self.def(param)?.ty;
        (bound != NONE).then(|| {
            self.lower_type(ExprRef {
                file: param.file,
                expr: bound,
            })
            .ty
        })
    }
}
