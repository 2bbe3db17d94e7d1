//! What calls of a library's members give by their signatures.

use codecortex_bind::facts::{Expr, ListId};

use crate::call;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::lookup::result::LookupResult;
use crate::overloads::by_conversion;
use crate::overrides;
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::{Ty, Typed};

/// Whether a lookup led to what the language's own library declares, and to nothing else.
pub(crate) fn is_of_library(found: &LookupResult) -> bool {
    leads_into_library(&found.defs)
}

/// The same of definitions.
pub(crate) fn leads_into_library(defs: &[DefRef]) -> bool {
    !defs.is_empty() && defs.iter().all(|def| is_library(def.file))
}

/// What calling what was found gives; nothing where its signature and the arguments do not say all of it.
pub(crate) fn whole_result(
    resolver: &Resolver<'_>,
    file: FileNo,
    found: &LookupResult,
    args: ListId,
) -> Option<Typed> {
    // What a base declares of a member that a nearer type declares again says less.
    let found = LookupResult {
        defs: overrides::without_overridden(resolver, found.defs.clone()),
        ..found.clone()
    };
    let function = resolver.type_of_found(&found);
    let result = call::result_of(resolver, file, &function.ty, args);
    is_whole(&result.ty).then(|| result.and(found.is_declared))
}

/// What a call means that was found in a library's type: an extension method of the workspace where none of the type's
/// own members can be called so.
pub(crate) fn callable_or_extension(
    resolver: &Resolver<'_>,
    at: ExprRef,
    receiver: &Ty,
    found: LookupResult,
) -> LookupResult {
    let has_rule = resolver.rules(at.file).prefers_members_to_extensions();
    if !has_rule || !is_of_library(&found) {
        return found;
    }
    let name = found.defs.first().and_then(|def| resolver.name_of(*def));
    let Some(name) = name.filter(|name| !resolver.workspace.extensions(*name).is_empty()) else {
        return found;
    };
    let call = resolver.call_of(at).map(|call| resolver.expr(call));
    let is_callable = |def: &DefRef| {
        let def = resolver.def(*def);
        def.is_some_and(|def| def.kind.is_callable())
    };
    let is_meant = |def: &DefRef| match call {
        Some(Expr::Call { args, .. }) => {
            is_callable(def) && by_conversion::can_take(resolver, *def, &found.subst, at, args)
        }
        _ => !is_callable(def),
    };
    if found.defs.iter().any(is_meant) {
        return found;
    }
    match resolver.extension(receiver, name, at.file) {
        extension if extension.is_empty() => found,
        extension => extension,
    }
}

/// The same with what tables say of it, who know better than a signature where both differ.
pub(crate) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    found: &LookupResult,
    args: ListId,
    by_tables: impl FnOnce() -> Option<Typed>,
) -> Option<Typed> {
    let declared = whole_result(resolver, file, found, args);
    either(declared, by_tables())
}

/// What is declared of a member that tables know, too.
pub(crate) fn either(declared: Option<Typed>, told: Option<Typed>) -> Option<Typed> {
    match (declared, told) {
        (Some(declared), Some(told)) if declared.ty != told.ty => Some(told),
        (declared, told) => declared.or(told),
    }
}

/// Whether a type says all of what it is: no part of it is unknown or stands for what a call did not say.
pub(crate) fn is_whole(of: &Ty) -> bool {
    match of {
        Ty::Unknown | Ty::External(None, _) | Ty::ExternalType(None, _) => false,
        Ty::Param(param) => !is_library(param.file),
        Ty::External(_, args)
        | Ty::ExternalType(_, args)
        | Ty::Instance(_, args)
        | Ty::Type(_, args)
        | Ty::Tuple(args)
        | Ty::Union(args) => args.iter().all(is_whole),
        Ty::Array(of) | Ty::Pointer(of) => is_whole(of),
        Ty::Map(of) => is_whole(&of.0) && is_whole(&of.1),
        Ty::Function(..) | Ty::Module(..) | Ty::Namespace(_) | Ty::Object(..) => true,
    }
}
