//! Disambiguation of what one name may mean: types that differ in the number of their parameters, a
//! property and its type, types of projects beside each other.

use codecortex_bind::facts::{DefKind, Expr, flag, space};

use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::request::LookupRequest;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::symbol_identity;
use crate::ty::{Ty, none};

/// Of what was found the types of so many parameters, and what is no type.
pub(crate) fn with_arity(
    resolver: &Resolver<'_>,
    mut found: LookupResult,
    arity: Option<usize>,
) -> LookupResult {
    let Some(arity) = arity else {
        return found;
    };
    found.defs.retain(|of| {
        let (Some(file), Some(def)) = (resolver.file(of.file), resolver.def(*of)) else {
            return false;
        };
        match def.kind {
            DefKind::Alias | DefKind::TypeParam => arity == 0,
            kind if kind.is_type() => file.type_params(of.def).len() == arity,
            _ => true,
        }
    });
    if arity > 0 && matches!(found.ty, Some(Ty::Namespace(_))) {
        found.ty = None;
    }
    found
}

/// Of types that differ in the number of their parameters those that the arguments fit.
pub(crate) fn by_arity(resolver: &Resolver<'_>, at: ExprRef, found: LookupResult) -> LookupResult {
    if found.defs.len() < 2 {
        return found;
    }
    let rules = resolver.rules(at.file);
    let found = rules.by_form(resolver, at, found);
    if !rules.types_differ_by_arity() {
        if !rules.resolves_by_conversion() {
            return found;
        }
        return LookupResult {
            defs: nearest_types(resolver, at.file, found.defs),
            ..found
        };
    }
    let given = resolver.applied_to(at);
    let fits = |of: &DefRef| {
        let (Some(file), Some(def)) = (resolver.file(of.file), resolver.def(*of)) else {
            return false;
        };
        let count = file.type_params(of.def).len();
        match given {
            Some(given) => count == given,
            None => count == 0 || !def.kind.is_type(),
        }
    };
    let defs: Vec<DefRef> = found.defs.iter().copied().filter(fits).collect();
    if defs.is_empty() {
        return found;
    }
    LookupResult {
        defs: nearest_types(resolver, at.file, defs),
        ..found
    }
}

/// Of different types with one name, which projects beside each other have, those of the nearest folder.
fn nearest_types(resolver: &Resolver<'_>, from: FileNo, defs: Vec<DefRef>) -> Vec<DefRef> {
    let is_type = |def: &DefRef| resolver.def(*def).is_some_and(|def| def.kind.is_type());
    let Some(first) = defs.first().copied().filter(|_| defs.iter().all(is_type)) else {
        return defs;
    };
    let are_one = defs
        .iter()
        .all(|def| symbol_identity::is_same_symbol(resolver, first, *def));
    let Some(from) = resolver.file(from).filter(|_| !are_one) else {
        return defs;
    };
    let shared = |def: &DefRef| {
        let path = resolver.file(def.file).map_or("", BoundFile::path);
        let parts = path.split('/').zip(from.path().split('/'));
        parts.take_while(|(a, b)| a == b).count()
    };
    let most = defs.iter().map(shared).max();
    let near = defs.into_iter().filter(|def| Some(shared(def)) == most);
    near.collect()
}

/// How many parameters the types have that a name can mean, where types differ by it. Nothing
/// for `A<,>`: its arguments are left out.
pub(crate) fn requested_arity(resolver: &Resolver<'_>, at: ExprRef) -> Option<usize> {
    if !resolver.rules(at.file).types_differ_by_arity() {
        return None;
    }
    match resolver.applied_to(at) {
        Some(0) => None,
        Some(given) => Some(given),
        None => Some(0),
    }
}

/// `Color.Red` where `Color` is a property of type `Color` means the property or the type, by which of
/// them `Red` belongs to (§12.8.7.2 of the C# standard).
pub(crate) fn type_by_member(
    resolver: &Resolver<'_>,
    at: ExprRef,
    name: Name,
    found: LookupResult,
) -> LookupResult {
    let [of] = found.defs[..] else {
        return found;
    };
    let (
        Some(bound),
        Some(def),
        Expr::Name {
            scope,
            at: place,
            spaces,
            ..
        },
    ) = (resolver.file(of.file), resolver.def(of), resolver.expr(at))
    else {
        return found;
    };
    let is_named_so = resolver.rules(at.file).tells_types_by_members()
        && spaces & space::TYPE != 0
        && def.spaces & space::TYPE == 0
        && !def.kind.is_callable()
        && bound.head_name(def.ty) == Some(name);
    let Some(used_in) = resolver.file(at.file).filter(|_| is_named_so) else {
        return found;
    };
    let Some(member) = used_in.member_of(at.expr) else {
        return found;
    };
    let request = LookupRequest {
        arity: Some(0),
        ..LookupRequest::any(name, place, space::TYPE)
    };
    let types = resolver.lookup(at.file, scope, request);
    let member = used_in.name(member);
    let Some(ty) = types.defs.first() else {
        let (of, member) = (
            resolver.workspace.text(name),
            resolver.workspace.text(member),
        );
        // Of most types from outside nobody knows which members are static.
        return match resolver.rules(at.file).is_static_outside(of, member) {
            true => LookupResult::external(),
            false => found.inferred(),
        };
    };
    let members = resolver
        .member_of_type(*ty, &none(), member, space::ANY)
        .defs;
    let is_of_type = |def: &DefRef| {
        resolver.def(*def).is_some_and(|def| {
            def.kind.is_type()
                || matches!(def.kind, DefKind::EnumMember | DefKind::Constant)
                || def.flags & flag::STATIC != 0
        })
    };
    if !members.is_empty() && members.iter().all(is_of_type) {
        return types;
    }
    found
}
