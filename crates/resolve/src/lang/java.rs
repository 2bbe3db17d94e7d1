//! Java: packages are open namespaces, members are seen in their types, overloads are symbols of their own.

use codecortex_bind::facts::{Def, DefKind, Literal, ScopeKind, flag, space};

use super::{ClassScope, InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules};
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types;
use crate::library_types::table::LibraryTypes;
use crate::lookup::result::LookupResult;
use crate::overloads::arity;
use crate::overloads::conversion::{Conversion, Variance};
use crate::paths::split_path;
use crate::resolver::Resolver;
use crate::standard_library::{results, tables};
use crate::ty::{Substitution, Ty, Typed, none};

mod collectors;
mod conversions;
mod functional_interfaces;
mod generic_factories;
mod library;
mod support;

/// The rules of Java.
#[derive(Debug)]
pub(crate) struct Java;

impl LanguageRules for Java {
    fn family(&self) -> u8 {
        23
    }

    fn words(&self) -> &'static [&'static str] {
        &library::WORDS
    }
}

impl ModuleRules for Java {
    fn class_scope(&self) -> ClassScope {
        ClassScope::Members
    }

    fn module(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: &str,
        _level: u8,
    ) -> LookupResult {
        let Some(name) = resolver.workspace.name(name) else {
            return LookupResult::external();
        };
        let found = self.globals(resolver, file, name, space::NAMESPACE);
        if found.is_empty() {
            return LookupResult::external();
        }
        found
    }

    /// Types of the unnamed package, then the outermost packages.
    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let unnamed = resolver.file(file).filter(|file| is_unnamed(file));
        if let Some(from) = unnamed {
            let (folder, _) = split_path(from.path());
            let defs = resolver.workspace.globals(name).iter().copied();
            let defs = defs.filter(|def| {
                resolver.file(def.file).is_some_and(|file| {
                    let def = file.def(def.def);
                    let is_seen = def.kind.is_type() && def.spaces & spaces != 0;
                    is_seen && is_unnamed(file) && split_path(file.path()).0 == folder
                })
            });
            let defs: Vec<DefRef> = defs.collect();
            if !defs.is_empty() {
                return LookupResult::defs(defs);
            }
        }
        if spaces & space::NAMESPACE != 0 && resolver.is_namespace(self.family(), name) {
            return LookupResult::typed(Ty::Namespace(name));
        }
        // Every file imports this package.
        let implicit = resolver
            .workspace
            .library_members(self.family(), "java.lang", name);
        let defs = implicit.iter().copied();
        let is_meant = |of: &DefRef| {
            resolver
                .def(*of)
                .is_some_and(|def| def.spaces & spaces != 0)
        };
        LookupResult::defs(defs.filter(is_meant).collect())
    }
}

impl MemberRules for Java {
    fn wrappers_forward(&self) -> bool {
        false
    }

    fn uses_constructors(&self) -> bool {
        true
    }

    fn private_is_of_type(&self) -> bool {
        true
    }

    fn overrides(&self, resolver: &Resolver<'_>, derived: DefRef, base: DefRef) -> bool {
        // Static methods are called by their own type; one of the same name hides them.
        let is_static = |of: DefRef| {
            resolver
                .def(of)
                .is_some_and(|def| def.flags & flag::STATIC != 0)
        };
        !is_static(base) && !is_static(derived)
    }

    /// What every object has.
    fn member_of_param(
        &self,
        resolver: &Resolver<'_>,
        param: DefRef,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        let _ = from;
        let mut roots = tables::implied_bases(resolver, param).into_iter();
        roots.next().map_or_else(LookupResult::nothing, |root| {
            resolver.member_of_type(root, &none(), name, spaces)
        })
    }

    fn implied_bases(&self, kind: DefKind) -> &'static [&'static str] {
        match kind {
            DefKind::Enum => &["Enum", "Comparable", "Serializable"],
            DefKind::Record => &["Record"],
            _ => &[],
        }
    }
}

impl OverloadRules for Java {
    fn checks_arity(&self) -> bool {
        true
    }

    fn overloads_are_separate(&self) -> bool {
        true
    }

    fn resolves_by_conversion(&self) -> bool {
        true
    }

    fn is_top_type(&self, name: &str) -> bool {
        name == "Object"
    }

    fn is_value_type(&self, name: &str) -> bool {
        conversions::is_primitive(name)
    }

    fn variance(&self, of: &str, is_last: bool) -> Variance {
        functional_interfaces::variance(of, is_last)
    }

    fn refers_to_methods(&self) -> bool {
        true
    }

    fn boxes_type_args(&self) -> bool {
        true
    }

    fn external_conversion(&self, takes: &str, actual: &str) -> Conversion {
        conversions::conversion(takes, actual)
    }

    fn functional_arity(
        &self,
        resolver: &Resolver<'_>,
        from: FileNo,
        of: &Ty,
    ) -> Option<Option<usize>> {
        if let Ty::Instance(..) = of {
            let (method, _) = functional_method(resolver, of)?;
            return Some(Some(arity::arity(resolver, method)));
        }
        functional_interfaces::functional_arity(resolver, of, from)
    }
}

impl InferRules for Java {
    /// What makes an instance says `new`.
    fn call_constructs(&self, _name: &str) -> bool {
        false
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text | Literal::Regex => "String",
            Literal::Character => "char",
            Literal::Integer | Literal::Bytes => "int",
            Literal::Float => "double",
            Literal::Boolean => "boolean",
            Literal::Null => "null",
        }
    }

    fn operator(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        operator: &str,
        left: u32,
        right: u32,
    ) -> Typed {
        let of = |expr| resolver.type_of(ExprRef { file, expr });
        let (left, right) = (of(left), of(right));
        if operator == "+"
            && (is_named(resolver, &left.ty, "String") || is_named(resolver, &right.ty, "String"))
        {
            return outside(resolver, "String");
        }
        let wider = ["double", "float", "long"]
            .into_iter()
            .find(|wide| is_named(resolver, &left.ty, wide) || is_named(resolver, &right.ty, wide));
        match wider {
            Some(wide) => outside(resolver, wide),
            None if left.ty.is_external() => widened(resolver, left),
            None => Typed::unknown(),
        }
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        callee: ExprRef,
        args: u32,
    ) -> Option<Typed> {
        let found = resolver.find(callee);
        let component = |def: &DefRef| {
            let def = resolver.def(*def);
            def.is_some_and(|def| def.flags & flag::MEMBER != 0)
        };
        let leads_out = |def: &DefRef| {
            let followed = resolver.resolve_alias(*def);
            followed.ends.is_empty() && followed.external
        };
        if found.ty.is_none()
            && let Some(giver) = generic_factories::giver(resolver, callee)
            && found.defs.iter().all(leads_out)
            && let Some(typed) = generic_factories::call(resolver, (callee, giver), args)
        {
            return Some(typed);
        }
        if results::is_of_library(&found) {
            return library::declared(resolver, (at, callee), &found, args);
        }
        if !found.defs.is_empty() {
            // A record's component is read by a call.
            let all = found.defs.iter().all(component);
            return all.then(|| resolver.type_of_found(&found));
        }
        library::call(resolver, at, callee, args)
    }

    fn constructed_external(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        args: u32,
    ) -> Option<Ty> {
        library::constructed(resolver, file, of, args)
    }

    fn contextual_argument_by_call(
        &self,
        resolver: &Resolver<'_>,
        callee: ExprRef,
        args: u32,
        index: u32,
    ) -> Option<Ty> {
        collectors::contextual_type(resolver, callee, args, index)
    }

    fn method_reference_result(
        &self,
        resolver: &Resolver<'_>,
        method: ExprRef,
        of: &Ty,
    ) -> Option<Ty> {
        collectors::method_reference_result(resolver, method, of)
    }

    fn entry(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
        let Ty::Instance(def, args) = of else {
            return None;
        };
        let _ = file;
        let bound = resolver.file(def.file)?;
        let inner = bound.def(def.def).inner;
        let mut components: Vec<u32> = bound
            .all_in(inner)
            .filter(|def| bound.def(*def).flags & flag::MEMBER != 0)
            .collect();
        components.sort_unstable();
        let component = DefRef {
            file: def.file,
            def: *components.get(index as usize)?,
        };
        let subst = resolver.substitution_of(*def, args);
        Some(resolver.type_of_def(component).ty.with(&subst))
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        if how != "iter" {
            return None;
        }
        if let Ty::Param(param) = of {
            let bound = resolver.def(*param)?.ty;
            let bound = resolver.lower_type(ExprRef {
                file: param.file,
                expr: bound,
            });
            return library_types::unwrap(resolver, file, &bound.ty, how);
        }
        if let Some(name) = resolver.workspace.name("iterator") {
            let found = resolver.member(of, name, space::ANY, file);
            if let Some(def) = found.defs.first() {
                let iterator = resolver.declared_result(*def).ty.with(&found.subst);
                return element_of_iterator(resolver, file, &iterator);
            }
        }
        let bases = resolver.external_bases(of);
        bases
            .iter()
            .find_map(|base| library_types::unwrap(resolver, file, base, how))
    }

    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        if let Some((method, subst)) = functional_method(resolver, of) {
            let bound = resolver.file(method.file)?;
            let param = bound.params(method.def).nth(index as usize)?;
            let typed = resolver.type_of_def(DefRef {
                file: method.file,
                def: param,
            });
            return Some(typed.ty.with(&subst));
        }
        let _ = file;
        functional_interfaces::functional_param(resolver, of, index)
    }

    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        if let Some((method, subst)) = functional_method(resolver, of) {
            return Some(resolver.declared_result(method).ty.with(&subst));
        }
        functional_interfaces::functional_result(resolver, of)
    }

    fn library_ending(&self) -> &'static str {
        ".java"
    }

    fn root_type(&self) -> Option<&'static &'static str> {
        Some(&"Object")
    }

    fn library_namespaces(&self) -> &'static [&'static str] {
        &library::NAMESPACES
    }

    fn nested_library_types(&self) -> &'static [(&'static str, &'static str)] {
        &library::NESTED
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&library::ROWS);
        &TABLE
    }
}

/// Whether a file is in no package.
fn is_unnamed(file: &BoundFile) -> bool {
    let mut scopes = file.scopes().iter();
    !scopes.any(|scope| scope.kind == ScopeKind::Namespace)
}

fn is_named(resolver: &Resolver<'_>, ty: &Ty, name: &str) -> bool {
    matches!(ty, Ty::External(Some(sym), _) if resolver.workspace.text(*sym) == name)
}

fn outside(resolver: &Resolver<'_>, name: &str) -> Typed {
    Typed::declared(Ty::External(resolver.workspace.name(name), none()))
}

/// Arithmetic on small integers gives an `int`.
fn widened(resolver: &Resolver<'_>, of: Typed) -> Typed {
    let is_small = ["char", "byte", "short"]
        .iter()
        .any(|small| is_named(resolver, &of.ty, small));
    if is_small {
        outside(resolver, "int")
    } else {
        of
    }
}

/// What an iterator gives, of the workspace or not.
fn element_of_iterator(resolver: &Resolver<'_>, file: FileNo, iterator: &Ty) -> Option<Ty> {
    if let Ty::Instance(..) = iterator {
        let next = resolver.workspace.name("next")?;
        let found = resolver.member(iterator, next, space::ANY, file);
        if let Some(def) = found.defs.first() {
            return Some(resolver.declared_result(*def).ty.with(&found.subst));
        }
        let bases = resolver.external_bases(iterator);
        return bases
            .iter()
            .find_map(|base| library_types::unwrap(resolver, file, base, "iter"));
    }
    library_types::unwrap(resolver, file, iterator, "iter")
}

/// The one abstract method of an interface, and what type parameters stand for in it.
fn functional_method(resolver: &Resolver<'_>, of: &Ty) -> Option<(DefRef, Substitution)> {
    const MAX: usize = 32;
    let mut open = vec![of.clone()];
    let mut seen = 0;
    while let Some(ty) = open.pop() {
        seen += 1;
        let Ty::Instance(def, args) = &ty else {
            continue;
        };
        let found = resolver.def(*def)?;
        if seen > MAX || found.kind != DefKind::Interface {
            continue;
        }
        let subst = resolver.substitution_of(*def, args);
        let bound = resolver.file(def.file)?;
        let mut own = bound
            .all_in(found.inner)
            .filter(|def| is_abstract(resolver, bound, bound.def(*def)));
        if let Some(method) = own.next() {
            let method = DefRef {
                file: def.file,
                def: method,
            };
            return Some((method, subst));
        }
        let bases = resolver.bases(&resolver.parts(*def), &subst);
        open.extend(bases.into_iter().map(|(ty, _)| ty));
    }
    None
}

/// Whether a method has to be implemented; what every object has has been.
fn is_abstract(resolver: &Resolver<'_>, file: &BoundFile, def: &Def) -> bool {
    let name = resolver.workspace.text(file.name(def.name));
    def.kind == DefKind::Method
        && def.flags & flag::ABSTRACT != 0
        && !matches!(name, "equals" | "hashCode" | "toString")
}
