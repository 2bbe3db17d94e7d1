//! Go: a package is a folder and the name in its files' package clauses.

mod core_types;
mod given_outside;
mod interfaces;
mod packages;
mod promoted;
mod std_interfaces;
mod support;
mod tables;

use codecortex_bind::facts::{Def, DefKind, Expr, Literal, NONE, Role, ScopeId, ScopeKind, flag};

use self::support::is_member;
use super::{InferRules, LanguageRules, MemberRules, ModuleRules, OverloadRules, Relates};
use crate::call;
use crate::contextual;
use crate::file::BoundFile;
use crate::given_outside::GivenOutside;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_functions::{self, LibraryFunctions};
use crate::library_types::table::LibraryTypes;
use crate::lookup::request::LookupRequest;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The rules of Go.
#[derive(Debug)]
pub(crate) struct GoRules;

impl LanguageRules for GoRules {
    fn words(&self) -> &'static [&'static str] {
        &["Handle", "Pointer", "Seq", "Seq2", "func"]
    }

    fn family(&self) -> u8 {
        7
    }
}

impl ModuleRules for GoRules {
    fn is_builtin(&self, name: &str) -> bool {
        tables::PREDECLARED.contains(&name)
    }

    fn module(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: &str,
        _level: u8,
    ) -> LookupResult {
        match packages::imported(resolver, file, name) {
            Some(file) => LookupResult::typed(Ty::Module(file, 0)),
            None => LookupResult::external(),
        }
    }

    fn globals(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        let found = packages::members(resolver, file, name, spaces);
        if !found.is_empty() {
            return LookupResult::defs(found);
        }
        // An import whose package calls itself otherwise than its path says.
        packages::renamed_import(resolver, file, name).map_or_else(LookupResult::nothing, |def| {
            LookupResult::defs(vec![DefRef { file, def }])
        })
    }

    fn is_exported(&self, _file: &BoundFile, def: &Def, spaces: u8) -> bool {
        is_member(def, spaces) && (def.flags & flag::EXPORTED != 0 || def.scope != 0)
    }

    fn other_module_member(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        scope: ScopeId,
        name: Name,
        spaces: u8,
    ) -> LookupResult {
        if scope != 0 {
            return LookupResult::nothing();
        }
        let mut found = packages::members(resolver, file, name, spaces);
        found.retain(|def| {
            let of = resolver.def(*def);
            of.is_some_and(|def| def.flags & flag::EXPORTED != 0)
        });
        LookupResult::defs(found)
    }

    fn redeclarations(&self, resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
        packages::redeclarations(resolver, of)
    }
}

impl MemberRules for GoRules {
    fn wrappers_forward(&self) -> bool {
        false
    }

    fn is_of_library_interface(&self, resolver: &Resolver<'_>, method: DefRef) -> bool {
        std_interfaces::is_asked_for(resolver, method)
    }

    fn given_outside(&self, resolver: &Resolver<'_>, method: DefRef) -> Vec<GivenOutside> {
        given_outside::places(resolver, method)
    }

    fn members_of_alias(&self, resolver: &Resolver<'_>, alias: DefRef) -> Vec<DefRef> {
        promoted::members_by_others(resolver, alias)
    }

    fn relates_uses(&self) -> Relates {
        // What has the methods of an interface has them by chance, often.
        Relates::None
    }

    fn find_member(
        &self,
        resolver: &Resolver<'_>,
        at: ExprRef,
        receiver: &Ty,
    ) -> Option<LookupResult> {
        key_of_literal(resolver, at, receiver)
    }

    fn other_member(
        &self,
        resolver: &Resolver<'_>,
        of: &Ty,
        name: Name,
        spaces: u8,
        from: FileNo,
    ) -> LookupResult {
        // `type A B` has the fields of B, and the methods if B is an interface.
        let (Some(under), Ty::Instance(..)) = (underlying(resolver, of), of) else {
            return LookupResult::nothing();
        };
        let is_interface = |ty: &Ty| match ty {
            Ty::Instance(def, _) => resolver
                .def(*def)
                .is_some_and(|def| def.kind == DefKind::Interface),
            _ => true,
        };
        let mut found = resolver.member(&under, name, spaces, from);
        if !is_interface(&under) {
            found.defs.retain(|def| {
                let of = resolver.def(*def);
                of.is_some_and(|def| def.kind == DefKind::Field)
            });
        }
        found
    }

    fn is_structural(&self) -> bool {
        true
    }

    fn supertypes(&self, resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<DefRef>> {
        Some(interfaces::satisfied(resolver, of))
    }

    fn subtypes(&self, resolver: &Resolver<'_>, of: DefRef) -> Option<Vec<DefRef>> {
        Some(interfaces::satisfying(resolver, of))
    }

    fn best_of(&self, resolver: &Resolver<'_>, defs: Vec<DefRef>) -> Vec<DefRef> {
        packages::built(resolver, defs)
    }
}

impl OverloadRules for GoRules {}

impl InferRules for GoRules {
    fn library_functions(&self) -> Option<&'static LibraryFunctions> {
        Some(&tables::FUNCTIONS)
    }

    fn library_types(&self) -> &'static LibraryTypes {
        static TABLE: LibraryTypes = LibraryTypes::new(&tables::LIBRARY);
        &TABLE
    }

    fn functional_result(&self, resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
        library_functions::returned(resolver, of)
    }

    fn lower_value(&self, resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
        // `new(f())`: what is pointed to is what the value is.
        matches!(resolver.expr(at), Expr::Call { .. } | Expr::Operator { .. })
            .then(|| resolver.type_of(at))
    }

    fn variable_as_type(&self, resolver: &Resolver<'_>, at: DefRef) -> Option<Typed> {
        // `new(x)` alone has a variable where a type may stand.
        Some(resolver.type_of_def(at))
    }

    fn call_of_instance(&self, resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: u32) -> Typed {
        match underlying(resolver, of) {
            Some(under) => call::result_of(resolver, file, &under, args),
            None => Typed::unknown(),
        }
    }

    fn unwrapped_instance(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        how: &str,
    ) -> Option<Ty> {
        match of {
            // Type arguments on a function.
            Ty::Function(..) if how == "index" => Some(of.clone()),
            Ty::Function(..) => yielded(resolver, file, of, how),
            Ty::Instance(..) => {
                let under = underlying(resolver, of)?;
                let ty = resolver.unwrapped(file, &Typed::declared(under), how).ty;
                (!ty.is_unknown()).then_some(ty)
            }
            _ => None,
        }
    }

    fn result(&self, resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
        if def.container == NONE || def.ty == NONE {
            return None;
        }
        let typed = resolver.lower_type(ExprRef {
            file: at.file,
            expr: def.ty,
        });
        let subst = receiver_params(resolver, at, def)?;
        Some(Typed {
            ty: typed.ty.with(&subst),
            is_declared: typed.is_declared,
        })
    }

    fn infer_from_bounds(
        &self,
        resolver: &Resolver<'_>,
        params: &[DefRef],
        bindings: &mut Vec<(DefRef, Ty)>,
    ) {
        core_types::infer(resolver, params, bindings);
    }

    fn type_of_call(
        &self,
        resolver: &Resolver<'_>,
        _at: ExprRef,
        callee: ExprRef,
        _args: u32,
    ) -> Option<Typed> {
        // `PT(&value)` with a type parameter converts to it.
        if !matches!(resolver.expr(callee), Expr::Name { .. }) {
            return None;
        }
        let [of] = resolver.find(callee).defs[..] else {
            return None;
        };
        let is_param = resolver.def(of)?.kind == DefKind::TypeParam;
        is_param.then(|| Typed::declared(Ty::Param(of)))
    }

    fn iterated_map(&self, of: &(Ty, Ty)) -> Ty {
        of.1.clone()
    }

    fn literal(&self, of: Literal) -> &'static str {
        match of {
            Literal::Text => "string",
            Literal::Character => "rune",
            Literal::Integer => "int",
            Literal::Float => "float64",
            Literal::Boolean => "bool",
            Literal::Null => "nil",
            Literal::Regex | Literal::Bytes => "",
        }
    }

    fn functional_param(
        &self,
        resolver: &Resolver<'_>,
        file: FileNo,
        of: &Ty,
        index: u32,
    ) -> Option<Ty> {
        // What is no defined type is what it is made of: asking it again has no end.
        let under = underlying(resolver, of).filter(|under| under != of)?;
        let given = contextual::contextual_param(resolver, file, &Typed::declared(under), index);
        (!given.ty.is_unknown()).then_some(given.ty)
    }
}

/// What a defined type (`type A B`) is made of; nothing for structs and interfaces, which are themselves.
fn underlying(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let mut ty = of.clone();
    for _ in 0..8 {
        let Ty::Instance(at, args) = &ty else {
            return Some(ty);
        };
        let def = resolver.def(*at)?;
        if def.kind != DefKind::Class || def.ty == NONE {
            return (ty != *of).then_some(ty);
        }
        let under = resolver.lower_type(ExprRef {
            file: at.file,
            expr: def.ty,
        });
        let subst = resolver.substitution_of(*at, args);
        ty = under.ty.with(&subst);
    }
    None
}

/// What ranging over a function gives: what it hands to the function that it takes.
fn yielded(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    let taken = contextual::contextual_param(resolver, file, &Typed::declared(of.clone()), 0);
    let index = u32::from(how == "iter");
    let given = contextual::contextual_param(resolver, file, &taken, index);
    (!given.ty.is_unknown()).then_some(given.ty)
}

/// The names that a method gives to its type's parameters, as the type's own.
fn receiver_params(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Vec<(DefRef, Ty)>> {
    let bound = resolver.file(at.file)?;
    let Expr::Apply { args, .. } = bound.expr(def.container) else {
        return None;
    };
    let owner = resolver.owner(at)?;
    let own = resolver.file(owner.file)?.type_params(owner.def);
    let given = resolver.each(at.file, args, |at| resolver.lower_type(at).ty);
    let pairs = given.into_iter().zip(own);
    let pairs = pairs.filter_map(|(given, own)| match given {
        Ty::Param(param) => {
            let own = DefRef {
                file: owner.file,
                def: own,
            };
            Some((param, Ty::Param(own)))
        }
        _ => None,
    });
    Some(pairs.collect())
}

/// A key in braces is a field if the type is a struct, else an expression of its own.
fn key_of_literal(resolver: &Resolver<'_>, at: ExprRef, receiver: &Ty) -> Option<LookupResult> {
    let bound = resolver.file(at.file)?;
    let Expr::Member {
        of,
        name,
        at: place,
        role: Role::Write,
        spaces,
    } = bound.expr(at.expr)
    else {
        return None;
    };
    if !matches!(bound.expr(of), Expr::Value { .. } | Expr::Iter { .. }) {
        return None;
    }
    let name = bound.name(name);
    let is_field = match underlying(resolver, receiver).as_ref().unwrap_or(receiver) {
        Ty::Instance(..) | Ty::Object(..) | Ty::Param(_) | Ty::Pointer(_) => true,
        // Fields of types from outside have capitals.
        Ty::External(..) | Ty::ExternalType(..) | Ty::Unknown => {
            let text = resolver.workspace.text(name);
            text.chars().next().is_some_and(char::is_uppercase)
        }
        _ => false,
    };
    if is_field {
        return None;
    }
    let scope = innermost(bound, place);
    Some(resolver.lookup(at.file, scope, LookupRequest::any(name, place, spaces)))
}

/// The innermost scope around a byte that code stands in.
fn innermost(bound: &BoundFile, byte: u32) -> ScopeId {
    let scopes = bound.scopes().iter().enumerate();
    let around = scopes.filter(|(_, scope)| {
        scope.start <= byte && byte < scope.end && scope.kind != ScopeKind::Object
    });
    let inner = around.max_by_key(|(index, scope)| (scope.start, *index));
    inner.map_or(0, |(index, _)| index as ScopeId)
}
