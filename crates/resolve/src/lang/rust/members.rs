//! Members that are not simply there: of variants, through `Deref`, of types from outside, by blanket
//! implementations.

use super::block_heads;
use codecortex_bind::facts::{Base, DefId, DefKind, Expr, NONE, ScopeKind, flag, space};

use super::support::{self, called_name, is_rust};
use super::{
    associated_types, blanket, impl_selection, library, library_results, library_traits, modules,
    pattern_fields, trait_scope, variants,
};
use crate::call;
use crate::contextual;
use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{is_library, tables};
use crate::this;
use crate::ty::{Ty, Typed, Tys};

/// A written member, where the receiver's type alone does not say what it is.
pub(super) fn find(resolver: &Resolver<'_>, at: ExprRef, receiver: &Ty) -> Option<LookupResult> {
    let bound = resolver.file(at.file)?;
    let Expr::Member {
        of, name, spaces, ..
    } = bound.expr(at.expr)
    else {
        return None;
    };
    let name = bound.name(name);
    match bound.expr(of) {
        // A field of a variant or struct that is written before it.
        Expr::Value { of: path } if spaces == space::FIELD => match bound.expr(path) {
            Expr::Index { of: path, by } => {
                pattern_fields::field(resolver, at.file, path, by, name)
            }
            _ => variants::of_variant(resolver, at.file, path, name),
        },
        // `<T as Trait>::x`: of the type, else of the trait.
        Expr::Union { .. } => {
            let Ty::Union(parts) = receiver else {
                return None;
            };
            let mut found = parts.iter().map(|part| {
                let found = resolver.member(part, name, spaces, at.file);
                let found = impl_selection::of_written_trait(resolver, parts.get(1), found);
                impl_selection::meant(resolver, at, part, found)
            });
            let found = found.find(|found| !found.is_empty());
            Some(found.unwrap_or_else(LookupResult::external))
        }
        _ => {
            if is_of_pin(resolver, ExprRef { expr: of, ..at }, name) {
                return Some(LookupResult::external());
            }
            if let Some(found) = of_block(resolver, at.file, bound.expr(of), name, spaces) {
                return Some(found);
            }
            let found = resolver.member(receiver, name, spaces, at.file);
            // `Default::default()` is bound as a member of the value that is expected.
            let found = if resolver.workspace.text(name) == "default" {
                found
            } else {
                with_receiver(resolver, receiver, name, found)
            };
            let found = seen(resolver, at, receiver, found);
            let found = inherent_first(resolver, at.file, found);
            if (found.defs.is_empty() || is_trait(resolver, receiver))
                && let Some(of_argument) = by_argument(resolver, at, receiver, name)
            {
                return Some(of_argument);
            }
            let found = impl_selection::meant(resolver, at, receiver, found);
            Some(library_results::with_associated(resolver, receiver, found))
        }
    }
}

/// Without methods of the library's traits that are not in scope; in their place what is behind the type. What is of a
/// parameter or of a trait itself needs no import.
fn seen(resolver: &Resolver<'_>, at: ExprRef, receiver: &Ty, found: LookupResult) -> LookupResult {
    let of = match receiver {
        Ty::Instance(of, _) if !support::is_trait(resolver, *of) => *of,
        _ => return found,
    };
    let Some(name) = found.defs.first().and_then(|def| resolver.name_of(*def)) else {
        return found;
    };
    let seen = library::seen(resolver, at.file, found.clone());
    if !seen.defs.is_empty() || found.defs.iter().any(|def| !is_library(def.file)) {
        return seen;
    }
    let behind = behind(resolver, receiver, name, space::VALUE, at.file);
    match behind.is_empty() && !is_library(of.file) {
        true => LookupResult::external(),
        false => behind,
    }
}

/// Whether a method is one of `Pin` itself: of a parameter that is pinned these come before those of what it holds.
fn is_of_pin(resolver: &Resolver<'_>, of: ExprRef, name: Name) -> bool {
    const OWN: [&str; 7] = [
        "as_mut",
        "as_ref",
        "get_mut",
        "get_ref",
        "get_unchecked_mut",
        "into_ref",
        "set",
    ];
    OWN.contains(&resolver.workspace.text(name)) && is_pinned(resolver, of, 8)
}

/// Whether an expression is a parameter that is pinned, or what its pin gives again.
fn is_pinned(resolver: &Resolver<'_>, of: ExprRef, depth: u32) -> bool {
    match resolver.expr(of) {
        Expr::Name { .. } => {}
        Expr::Call { of: callee, .. } if depth > 0 => {
            let callee = ExprRef { expr: callee, ..of };
            let Expr::Member { of: inner, .. } = resolver.expr(callee) else {
                return false;
            };
            let again = ["as_mut", "as_ref"].map(Some);
            let is_again = again.contains(&called_name(resolver, callee));
            return is_again && is_pinned(resolver, ExprRef { expr: inner, ..of }, depth - 1);
        }
        _ => return false,
    }
    let found = resolver.find(of);
    let [def] = found.defs.as_slice() else {
        return false;
    };
    let Some((bound, ty)) = resolver
        .file(def.file)
        .zip(resolver.def(*def).map(|def| def.ty))
    else {
        return false;
    };
    let name = bound
        .head_name(ty)
        .map(|name| resolver.workspace.text(name));
    name == Some("Pin")
}

/// Of functions those that a call on a value means: what takes no `self` is called by its path alone. Where the type has
/// no other, one of its traits may.
fn with_receiver(
    resolver: &Resolver<'_>,
    receiver: &Ty,
    name: Name,
    found: LookupResult,
) -> LookupResult {
    let Ty::Instance(of, args) = receiver else {
        return found;
    };
    let takes_none = |def: &DefRef| {
        let def = resolver.def(*def);
        def.is_some_and(|def| def.kind == DefKind::Method && def.flags & flag::STATIC != 0)
    };
    if !found.defs.iter().any(takes_none) {
        return found;
    }
    let mut defs = found.defs.clone();
    defs.retain(|def| !takes_none(def));
    if !defs.is_empty() {
        return LookupResult { defs, ..found };
    }
    let subst = resolver.substitution_of(*of, args);
    let bases = resolver.bases(&resolver.parts(*of), &subst);
    let of_traits = bases.into_iter().find_map(|(base, _)| {
        let Ty::Instance(base, args) = base else {
            return None;
        };
        let mut found = resolver.member_of_type(base, &args, name, space::VALUE);
        found.defs.retain(|def| !takes_none(def));
        (!found.defs.is_empty()).then_some(found)
    });
    of_traits.unwrap_or_else(LookupResult::external)
}

/// A type's own function hides those that it has by traits where it is seen.
fn inherent_first(resolver: &Resolver<'_>, from: FileNo, found: LookupResult) -> LookupResult {
    if found.defs.len() < 2 {
        return found;
    }
    let defs = found.defs.iter().copied();
    let (of_traits, own): (Vec<DefRef>, Vec<DefRef>) =
        defs.partition(|def| support::is_of_trait(resolver, *def));
    let is_seen = |of: &DefRef| modules::is_seen(resolver, from, *of);
    match (of_traits.is_empty(), own.is_empty()) {
        (false, false) if own.iter().any(is_seen) => LookupResult { defs: own, ..found },
        (false, false) => LookupResult {
            defs: of_traits,
            ..found
        },
        _ => found,
    }
}

/// `Self::x` in a block for a type from outside or for all types: what the block or its trait has.
fn of_block(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: Expr,
    name: Name,
    spaces: u8,
) -> Option<LookupResult> {
    let (Expr::SelfType { scope } | Expr::This { scope }) = of else {
        return None;
    };
    let block = resolver.type_around(file, scope)?;
    let bound = resolver.file(file)?;
    let def = bound.def(block.def);
    if def.kind != DefKind::Impl {
        return None;
    }
    if resolver.type_of_block(block).is_some() {
        // Of several traits' types of one name that of the trait that the block implements.
        let is_of_trait = bound.bases().iter().any(|base| base.def == block.def);
        let types = spaces & space::TYPE;
        let own = match is_of_trait && types != 0 {
            true => resolver.own(file, bound, def.inner, name, u32::MAX, types),
            false => Vec::new(),
        };
        return (!own.is_empty()).then(|| LookupResult::defs(own));
    }
    let own = resolver.own(file, bound, def.inner, name, u32::MAX, spaces);
    if let [only] = own[..]
        && resolver.function_around(file, scope) == Some(only.def)
        && takes_itself_alone(bound, only.def)
    {
        // A function that did nothing but call itself would not end: the type has one of its own.
        return Some(LookupResult::external());
    }
    if !own.is_empty() {
        return Some(LookupResult::defs(own));
    }
    let bases = bound.bases().iter().filter(|base| base.def == block.def);
    bases.into_iter().find_map(|base| {
        let base = resolver.lower_type(ExprRef {
            file,
            expr: base.of,
        });
        let Ty::Instance(base, args) = base.ty else {
            return None;
        };
        let found = resolver.member_of_type(base, &args, name, spaces);
        (!found.is_empty()).then_some(found)
    })
}

/// Whether a function has no parameter but its receiver.
fn takes_itself_alone(bound: &BoundFile, function: DefId) -> bool {
    let mut params = bound.params(function).map(|param| bound.def(param));
    params
        .next()
        .is_some_and(|first| first.flags & flag::RECEIVER != 0)
        && params.next().is_none()
}

/// Whether a path leads to a trait of the workspace.
fn is_trait(resolver: &Resolver<'_>, of: &Ty) -> bool {
    let Ty::Type(of, _) = of else {
        return false;
    };
    resolver
        .def(*of)
        .is_some_and(|def| def.kind == DefKind::Trait)
}

/// `Trait::method(value)`: what the value's type has by the trait. A function without `self` says nothing about its
/// argument. Of a trait that a macro makes only the name is known.
fn by_argument(
    resolver: &Resolver<'_>,
    at: ExprRef,
    receiver: &Ty,
    name: Name,
) -> Option<LookupResult> {
    let call = resolver.call_of(at)?;
    let Expr::Call { args, .. } = resolver.expr(call) else {
        return None;
    };
    let first = resolver.each(at.file, args, |at| at).first().copied()?;
    let value = resolver.type_of(first);
    let Ty::Instance(def, _) = value.ty else {
        return None;
    };
    let written = match resolver.expr(at) {
        Expr::Member { of, .. } => resolver.file(at.file)?.head_name(of),
        _ => None,
    };
    let is_of = |bound: &BoundFile, base: ExprRef| match receiver {
        Ty::ExternalType(Some(of), _) => bound.head_name(base.expr) == Some(*of),
        Ty::Type(of, _) => {
            matches!(resolver.lower_type(base).ty, Ty::Instance(base, _) if base == *of)
        }
        Ty::Unknown => written.is_some() && bound.head_name(base.expr) == written,
        _ => false,
    };
    let parts = resolver.parts(def);
    let mut defs = resolver.own_members(&parts, name, space::VALUE);
    defs.retain(|def| {
        let (Some(bound), Some(found)) = (resolver.file(def.file), resolver.def(*def)) else {
            return false;
        };
        let block = bound.scope(found.scope).owner;
        let mut bases = bound.bases().iter().filter(|base| base.def == block);
        let expr = |base: &Base| ExprRef {
            file: def.file,
            expr: base.of,
        };
        takes_self(bound, *def)
            && bases.any(|base| is_of(bound, expr(base)))
            && is_block_for(
                resolver,
                DefRef {
                    file: def.file,
                    def: block,
                },
                &value.ty,
            )
    });
    let found = LookupResult {
        is_declared: value.is_declared && !receiver.is_unknown(),
        ..LookupResult::defs(defs)
    };
    if found.defs.len() < 2 {
        return (!found.is_empty()).then_some(found);
    }
    let found = impl_selection::meant(resolver, at, receiver, found);
    // Of several blocks that still can be meant nobody knows which is.
    if found.defs.len() > 1 && !receiver.is_unknown() {
        return Some(LookupResult::nothing());
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a block is for a type with such arguments, as far as they are known.
fn is_block_for(resolver: &Resolver<'_>, block: DefRef, of: &Ty) -> bool {
    let expr = resolver.def(block).map_or(NONE, |def| def.ty);
    let written = resolver.lower_type(ExprRef {
        file: block.file,
        expr,
    });
    let (Ty::Instance(_, takes), Ty::Instance(_, given)) = (&written.ty, of) else {
        return true;
    };
    let mut pairs = takes.iter().zip(given.iter());
    pairs.all(|(takes, given)| {
        impl_selection::agreement(resolver, takes, given, 3)
            .is_some_and(|conversion| conversion >= 0)
    })
}

fn takes_self(bound: &BoundFile, def: DefRef) -> bool {
    let first = bound.params(def.def).next();
    first.is_some_and(|param| bound.def(param).flags & flag::RECEIVER != 0)
}

/// A name that is given to a macro among the items of an `impl` and that nothing else has: what the type has of that
/// name, because the macro makes members of it. Among fields and variants the language has no macros, only attributes;
/// and what an attribute, or a macro, is called is no member.
pub(super) fn of_macro(resolver: &Resolver<'_>, at: ExprRef, name: Name) -> LookupResult {
    let Some(bound) = resolver.file(at.file) else {
        return LookupResult::nothing();
    };
    let Expr::Name { scope, spaces, .. } = resolver.expr(at) else {
        return LookupResult::nothing();
    };
    let around = bound.scope(scope);
    let is_of_items = around.owner != NONE
        && matches!(bound.def(around.owner).kind, DefKind::Impl | DefKind::Trait);
    if around.kind != ScopeKind::Class || !is_of_items || spaces == space::MACRO {
        return LookupResult::nothing();
    }
    let Ty::Instance(def, args) = this::instance(resolver, at.file, scope).ty else {
        return LookupResult::nothing();
    };
    let members = [space::FIELD, space::VALUE]
        .map(|spaces| resolver.member_of_type(def, &args, name, spaces));
    let found = members.into_iter().find(|found| !found.defs.is_empty());
    found.map_or_else(LookupResult::nothing, LookupResult::inferred)
}

/// What a type has that neither it nor its traits say: behind `Deref`, by blanket implementations.
pub(super) fn behind(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> LookupResult {
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = of else {
        return LookupResult::nothing();
    };
    if is_library(def.file) {
        if let Some(target) = pointed_to(resolver, of) {
            let found = resolver.member(&target, name, spaces, from);
            if !found.is_empty() {
                return found.inferred();
            }
        }
        let found = of_external(resolver, of, name, spaces, from);
        return found.unwrap_or_else(LookupResult::external);
    }
    if spaces == space::FIELD
        && resolver
            .workspace
            .text(name)
            .starts_with(|first: char| first.is_ascii_digit())
    {
        let found = variants::tuple_field(resolver, *def, name);
        let subst = resolver.substitution_of(*def, args);
        return found.map_or_else(LookupResult::nothing, |found| LookupResult {
            subst,
            ..found
        });
    }
    if let Some(target) = associated_types::associated(resolver, *def, args, "Target")
        && target != *of
    {
        let found = resolver.member(&target, name, spaces, from);
        if !found.is_empty() {
            return found;
        }
    }
    let found = blanket::member(resolver, of, name, spaces, from);
    if found.is_empty() && spaces & space::VALUE != 0 {
        // It is derived, or of a trait from outside: a type has nothing else.
        let derived = library_traits::derived(resolver, name, from);
        return match derived.is_empty() {
            true => LookupResult::external(),
            false => derived,
        };
    }
    found
}

/// What a value points to of which only that is known: `impl Deref<Target = Item>`.
pub(super) fn pointed_to(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let named = tables::as_named(resolver, of);
    let Ty::External(Some(name), args) = &named else {
        return None;
    };
    let is_pointer = matches!(resolver.workspace.text(*name), "Deref" | "DerefMut");
    args.first().filter(|_| is_pointer).cloned()
}

/// What the workspace's `impl`s add to a type from outside.
pub(super) fn of_external(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> Option<LookupResult> {
    let of_library = library::member(resolver, of, name, spaces, from);
    if library::is_inherent(resolver, &of_library) {
        return Some(of_library);
    }
    let given = of;
    let named = tables::as_named(resolver, of);
    let of = &named;
    let mut heads = block_heads::heads_of_blocks(resolver, of);
    if matches!(of, Ty::External(..)) && is_known(resolver, name) {
        heads[1] = None;
    }
    let mut defs = Vec::new();
    let mut bases = Vec::new();
    let blocks = heads.into_iter().flatten();
    for block in blocks.flat_map(|head| resolver.workspace.outside_of(head)) {
        let (Some(bound), Some(def)) = (resolver.file(block.file), resolver.def(*block)) else {
            continue;
        };
        let written = resolver.lower_type(ExprRef {
            file: block.file,
            expr: def.ty,
        });
        let written = tables::as_named(resolver, &written.ty);
        let is_outside = matches!(written, Ty::Array(_) | Ty::Tuple(_)) || written.is_external();
        let can_be = || impl_selection::agreement(resolver, &written, of, 4).is_some();
        if def.kind != DefKind::Impl || !is_rust(resolver, block.file) || !is_outside || !can_be() {
            continue;
        }
        if !trait_scope::can_call(resolver, from, *block) {
            continue;
        }
        defs.extend(resolver.own(block.file, bound, def.inner, name, u32::MAX, spaces));
        for base in bound.bases().iter().filter(|base| base.def == block.def) {
            bases.push(ExprRef {
                file: block.file,
                expr: base.of,
            });
        }
    }
    if defs.is_empty() {
        for base in bases {
            if let Ty::Instance(base, args) = resolver.lower_type(base).ty
                && !is_library(base.file)
            {
                defs.extend(resolver.member_of_type(base, &args, name, spaces).defs);
            }
        }
    }
    if !defs.is_empty() {
        resolver.workspace.sort(&mut defs);
        let found = LookupResult::defs(defs);
        // A method of the type itself comes first; where the library does not say what it has, there may be one.
        let has_none = of_library.defs.iter().all(|def| !is_library(def.file));
        let is_sure = has_none && library::declares(resolver, given, from);
        return Some(if is_sure && !is_list(of) {
            found
        } else {
            found.inferred()
        });
    }
    if !of_library.defs.is_empty() {
        return Some(of_library);
    }
    let found = blanket::member(resolver, given, name, spaces, from);
    (!found.is_empty() && !is_known(resolver, name)).then_some(found)
}

/// Whether something is a list to the rules, which may stand for an iterator or the like as well.
fn is_list(of: &Ty) -> bool {
    matches!(of, Ty::Array(_))
}

fn is_known(resolver: &Resolver<'_>, name: Name) -> bool {
    KNOWN.contains(&resolver.workspace.text(name))
}

/// Methods that everybody's types have: no trait of the workspace is meant.
const KNOWN: [&str; 12] = [
    "clone",
    "into",
    "from",
    "to_string",
    "to_owned",
    "iter",
    "map",
    "next",
    "len",
    "get",
    "fmt",
    "eq",
];

/// What an instance of the workspace is to the tables: an iterator is a list of what it gives.
pub(super) fn as_library_type(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    match of {
        Ty::Instance(def, args) | Ty::Type(def, args) => {
            if let Some(item) = associated_types::associated(resolver, *def, args, "Item") {
                return Some(Ty::array(item));
            }
            let target = associated_types::associated(resolver, *def, args, "Target")?;
            (target != *of).then_some(target)
        }
        Ty::Param(param) => {
            let bound = resolver.def(*param)?.ty;
            if bound == NONE {
                return None;
            }
            let bound = resolver.lower_type(ExprRef {
                file: param.file,
                expr: bound,
            });
            match bound.ty {
                Ty::Union(parts) => parts
                    .iter()
                    .find(|part| is_iterator(resolver, part))
                    .cloned(),
                ty => is_iterator(resolver, &ty).then_some(ty),
            }
        }
        Ty::Union(parts) => parts
            .iter()
            .find_map(|part| as_library_type(resolver, part)),
        _ => None,
    }
}

fn is_iterator(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    let ty = tables::as_named(resolver, ty);
    matches!(ty, Ty::External(Some(name), args) if !args.is_empty() && matches!(
        resolver.workspace.text(name),
        "Iterator" | "IntoIterator" | "ExactSizeIterator" | "DoubleEndedIterator"
    ))
}

/// What iterating, indexing or unwrapping an instance gives.
pub(super) fn unwrapped(resolver: &Resolver<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    let (def, args) = match of {
        _ if how == "deref" => {
            let Ty::Instance(def, args) = of else {
                return Some(of.clone());
            };
            return associated_types::associated(resolver, *def, args, "Target")
                .or_else(|| Some(of.clone()));
        }
        Ty::Instance(def, args) => (*def, args.clone()),
        Ty::Param(_) => {
            let container = as_library_type(resolver, of)?;
            return library_types::unwrap(resolver, file, &container, how);
        }
        _ => return None,
    };
    match how {
        "iter" => {
            let item = associated_types::associated(resolver, def, &args, "Item");
            item.or_else(|| {
                let iterator = called(resolver, file, (def, &args), "into_iter")?;
                (iterator != *of)
                    .then(|| library_types::unwrap(resolver, file, &iterator, "iter"))?
            })
            .or_else(|| {
                let target = associated_types::associated(resolver, def, &args, "Target")?;
                library_types::unwrap(resolver, file, &target, "iter")
            })
        }
        "index" if is_library(def.file) => {
            associated_types::associated(resolver, def, &args, "Output")
        }
        "index" => called(resolver, file, (def, &args), "index").or_else(|| {
            let target = associated_types::associated(resolver, def, &args, "Target")?;
            library_types::unwrap(resolver, file, &target, "index")
        }),
        "await" => associated_types::associated(resolver, def, &args, "Output"),
        _ => None,
    }
}

/// What a method without arguments gives.
fn called(
    resolver: &Resolver<'_>,
    file: FileNo,
    (def, args): (DefRef, &Tys),
    method: &str,
) -> Option<Ty> {
    let name = resolver.workspace.name(method)?;
    let found = resolver.member_of_type(def, args, name, space::VALUE);
    if found.defs.is_empty() {
        return None;
    }
    let function = resolver.type_of_found(&found);
    Some(call::result_of(resolver, file, &function.ty, NONE).ty)
}

/// What a function is given that a type parameter's bound says: `F: Fn(A)`.
pub(super) fn contextual_param(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    index: u32,
) -> Option<Ty> {
    if !matches!(of, Ty::Param(_)) {
        return of.contextual_param(index);
    }
    let function = callable_bound(resolver, of)?;
    let given = contextual::contextual_param(resolver, file, &Typed::inferred(function), index);
    let given = library_results::without_open(&given.ty, 8);
    (!given.is_unknown()).then_some(given)
}

/// The function that a type parameter is said to be: `F: Fn(A) -> B`.
pub(super) fn callable_bound(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let Ty::Param(param) = of else {
        return None;
    };
    let parts = match support::bound_of(resolver, *param) {
        Ty::Union(parts) => parts.to_vec(),
        ty => vec![ty],
    };
    let is_function = |part: &Ty| matches!(part, Ty::Function(..));
    parts.into_iter().find(is_function)
}
