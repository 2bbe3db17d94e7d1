//! Members that are not simply there: of variants, through `Deref`, of types from outside, by blanket
//! implementations.

use codecortex_bind::facts::{Base, DefKind, Expr, NONE, ScopeKind, flag, space};

use super::{arguments, blanket, called_name, is_rust, matched, modules};
use crate::containers;
use crate::file::File;
use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, Tys, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// A written member, where the receiver's type alone does not say what it is.
pub(super) fn find(query: &Query<'_>, at: ExprRef, receiver: &Ty) -> Option<Found> {
    let bound = query.file(at.file)?;
    let Expr::Member {
        of, name, spaces, ..
    } = bound.expr(at.expr)
    else {
        return None;
    };
    let name = bound.sym(name);
    match bound.expr(of) {
        // A field of a variant or struct that is written before it.
        Expr::Value { of: path } if spaces == space::FIELD => match bound.expr(path) {
            Expr::Index { of: path, by } => matched::field(query, at.file, path, by, name),
            _ => of_variant(query, at.file, path, name),
        },
        // `<T as Trait>::x`: of the type, else of the trait.
        Expr::Union { .. } => {
            let Ty::Union(parts) = receiver else {
                return None;
            };
            let mut found = parts.iter().map(|part| {
                let found = query.member(part, name, spaces, at.file);
                let found = arguments::of_written_trait(query, parts.get(1), found);
                arguments::meant(query, at, part, found)
            });
            let found = found.find(|found| !found.is_empty());
            Some(found.unwrap_or_else(Found::external))
        }
        _ => {
            if is_of_pin(query, ExprRef { expr: of, ..at }, name) {
                return Some(Found::external());
            }
            if let Some(found) = of_block(query, at.file, bound.expr(of), name, spaces) {
                return Some(found);
            }
            let found = query.member(receiver, name, spaces, at.file);
            let found = inherent_first(query, at.file, found);
            if (found.defs.is_empty() || is_trait(query, receiver))
                && let Some(of_argument) = by_argument(query, at, receiver, name)
            {
                return Some(of_argument);
            }
            Some(arguments::meant(query, at, receiver, found))
        }
    }
}

/// Whether a method is one of `Pin` itself: of a parameter that is pinned these come before those of what it holds.
fn is_of_pin(query: &Query<'_>, of: ExprRef, name: Sym) -> bool {
    const OWN: [&str; 7] = [
        "as_mut",
        "as_ref",
        "get_mut",
        "get_ref",
        "get_unchecked_mut",
        "into_ref",
        "set",
    ];
    OWN.contains(&query.workspace.text(name)) && is_pinned(query, of, 8)
}

/// Whether an expression is a parameter that is pinned, or what its pin gives again.
fn is_pinned(query: &Query<'_>, of: ExprRef, depth: u32) -> bool {
    match query.expr(of) {
        Expr::Name { .. } => {}
        Expr::Call { of: callee, .. } if depth > 0 => {
            let callee = ExprRef { expr: callee, ..of };
            let Expr::Member { of: inner, .. } = query.expr(callee) else {
                return false;
            };
            let again = ["as_mut", "as_ref"].map(Some);
            let is_again = again.contains(&called_name(query, callee));
            return is_again && is_pinned(query, ExprRef { expr: inner, ..of }, depth - 1);
        }
        _ => return false,
    }
    let found = query.find(of);
    let [def] = found.defs.as_slice() else {
        return false;
    };
    let Some((bound, ty)) = query.file(def.file).zip(query.def(*def).map(|def| def.ty)) else {
        return false;
    };
    let name = bound.head_name(ty).map(|name| query.workspace.text(name));
    name == Some("Pin")
}

/// A type's own function hides those that it has by traits where it is seen.
fn inherent_first(query: &Query<'_>, from: FileNo, found: Found) -> Found {
    if found.defs.len() < 2 {
        return found;
    }
    let defs = found.defs.iter().copied();
    let (of_traits, own): (Vec<DefRef>, Vec<DefRef>) =
        defs.partition(|def| is_of_trait(query, *def));
    let is_seen = |of: &DefRef| modules::is_seen(query, from, *of);
    match (of_traits.is_empty(), own.is_empty()) {
        (false, false) if own.iter().any(is_seen) => Found { defs: own, ..found },
        (false, false) => Found {
            defs: of_traits,
            ..found
        },
        _ => found,
    }
}

/// `Self::x` in a block for a type from outside or for all types: what the block or its trait has.
fn of_block(query: &Query<'_>, file: FileNo, of: Expr, name: Sym, spaces: u8) -> Option<Found> {
    let (Expr::SelfType { scope } | Expr::This { scope }) = of else {
        return None;
    };
    let block = query.type_around(file, scope)?;
    let bound = query.file(file)?;
    let def = bound.def(block.def);
    if def.kind != DefKind::Impl || query.type_of_block(block).is_some() {
        return None;
    }
    let own = query.own(file, bound, def.inner, name, u32::MAX, spaces);
    if !own.is_empty() {
        return Some(Found::defs(own));
    }
    let bases = bound.bases().iter().filter(|base| base.def == block.def);
    bases.into_iter().find_map(|base| {
        let base = query.denotes(ExprRef {
            file,
            expr: base.of,
        });
        let Ty::Instance(base, args) = base.ty else {
            return None;
        };
        let found = query.member_of_type(base, &args, name, spaces);
        (!found.is_empty()).then_some(found)
    })
}

/// Whether a path leads to a trait of the workspace.
fn is_trait(query: &Query<'_>, of: &Ty) -> bool {
    let Ty::Type(of, _) = of else {
        return false;
    };
    query.def(*of).is_some_and(|def| def.kind == DefKind::Trait)
}

/// `Trait::method(value)`: what the value's type has by the trait. A function without `self` says nothing about its
/// argument. Of a trait that a macro makes only the name is known.
fn by_argument(query: &Query<'_>, at: ExprRef, receiver: &Ty, name: Sym) -> Option<Found> {
    let call = query.call_of(at)?;
    let Expr::Call { args, .. } = query.expr(call) else {
        return None;
    };
    let first = query.each(at.file, args, |at| at).first().copied()?;
    let value = query.type_of(first);
    let Ty::Instance(def, _) = value.ty else {
        return None;
    };
    let written = match query.expr(at) {
        Expr::Member { of, .. } => query.file(at.file)?.head_name(of),
        _ => None,
    };
    let is_of = |bound: &File, base: ExprRef| match receiver {
        Ty::ExternalType(Some(of), _) => bound.head_name(base.expr) == Some(*of),
        Ty::Type(of, _) => matches!(query.denotes(base).ty, Ty::Instance(base, _) if base == *of),
        Ty::Unknown => written.is_some() && bound.head_name(base.expr) == written,
        _ => false,
    };
    let parts = query.parts(def);
    let mut defs = query.own_members(&parts, name, space::VALUE);
    defs.retain(|def| {
        let (Some(bound), Some(found)) = (query.file(def.file), query.def(*def)) else {
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
                query,
                DefRef {
                    file: def.file,
                    def: block,
                },
                &value.ty,
            )
    });
    let found = Found {
        sure: value.sure && !receiver.is_unknown(),
        ..Found::defs(defs)
    };
    if found.defs.len() < 2 {
        return (!found.is_empty()).then_some(found);
    }
    let found = arguments::meant(query, at, receiver, found);
    // Of several blocks that still can be meant nobody knows which is.
    if found.defs.len() > 1 && !receiver.is_unknown() {
        return Some(Found::nothing());
    }
    (!found.is_empty()).then_some(found)
}

/// Whether a block is for a type with such arguments, as far as they are known.
fn is_block_for(query: &Query<'_>, block: DefRef, of: &Ty) -> bool {
    let expr = query.def(block).map_or(NONE, |def| def.ty);
    let written = query.denotes(ExprRef {
        file: block.file,
        expr,
    });
    let (Ty::Instance(_, takes), Ty::Instance(_, given)) = (&written.ty, of) else {
        return true;
    };
    let mut pairs = takes.iter().zip(given.iter());
    pairs.all(|(takes, given)| {
        arguments::agreement(query, takes, given, 3).is_some_and(|fit| fit >= 0)
    })
}

fn takes_self(bound: &File, def: DefRef) -> bool {
    let first = bound.params(def.def).next();
    first.is_some_and(|param| bound.def(param).flags & flag::RECEIVER != 0)
}

/// A name that is given to a macro among the items of an `impl` and that nothing else has: what the type has of that
/// name, because the macro makes members of it.
pub(super) fn of_macro(query: &Query<'_>, at: ExprRef, name: Sym) -> Found {
    let (Some(bound), Expr::Name { scope, .. }) = (query.file(at.file), query.expr(at)) else {
        return Found::nothing();
    };
    if bound.scope(scope).kind != ScopeKind::Class {
        return Found::nothing();
    }
    let Ty::Instance(def, args) = query.this(at.file, scope).ty else {
        return Found::nothing();
    };
    let members =
        [space::FIELD, space::VALUE].map(|spaces| query.member_of_type(def, &args, name, spaces));
    let found = members.into_iter().find(|found| !found.defs.is_empty());
    found.map_or_else(Found::nothing, Found::guessed)
}

/// Whether a definition is in an `impl` of a trait.
pub(super) fn is_of_trait(query: &Query<'_>, def: DefRef) -> bool {
    let (Some(bound), Some(found)) = (query.file(def.file), query.def(def)) else {
        return false;
    };
    let scope = bound.scope(found.scope);
    scope.kind == ScopeKind::Class
        && scope.owner != NONE
        && bound.bases().iter().any(|base| base.def == scope.owner)
}

/// A field of the variant that a path leads to.
pub(super) fn of_variant(query: &Query<'_>, file: FileNo, path: u32, name: Sym) -> Option<Found> {
    let found = query.find(ExprRef { file, expr: path });
    let ends = found.defs.iter().flat_map(|def| query.follow(*def).ends);
    let variant = ends.into_iter().find(|def| {
        query
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::EnumMember)
    })?;
    let bound = query.file(variant.file)?;
    let inner = bound.def(variant.def).inner;
    if inner == NONE {
        return None;
    }
    let own = query.own(variant.file, bound, inner, name, u32::MAX, space::FIELD);
    if own.is_empty() {
        return tuple_field(query, variant, name);
    }
    Some(Found::defs(own))
}

/// `0` of a variant: such fields have no name in the text.
pub(super) fn tuple_field(query: &Query<'_>, of: DefRef, name: Sym) -> Option<Found> {
    let bound = query.file(of.file)?;
    let inner = bound.def(of.def).inner;
    let local = bound.local(name)?;
    let field = bound
        .defs()
        .iter()
        .position(|def| def.scope == inner && def.name == local && def.kind == DefKind::Field)?;
    Some(Found::defs(vec![DefRef {
        file: of.file,
        def: field as u32,
    }]))
}

/// What a type has that neither it nor its traits say: behind `Deref`, by blanket implementations.
pub(super) fn behind(query: &Query<'_>, of: &Ty, name: Sym, spaces: u8, from: FileNo) -> Found {
    let (Ty::Instance(def, args) | Ty::Type(def, args)) = of else {
        return Found::nothing();
    };
    if spaces == space::FIELD
        && query
            .workspace
            .text(name)
            .starts_with(|first: char| first.is_ascii_digit())
    {
        let found = tuple_field(query, *def, name);
        let env = query.env_of(*def, args);
        return found.map_or_else(Found::nothing, |found| Found { env, ..found });
    }
    if let Some(target) = associated(query, *def, args, "Target")
        && target != *of
    {
        let found = query.member(&target, name, spaces, from);
        if !found.is_empty() {
            return found;
        }
    }
    let found = blanket::member(query, of, name, spaces);
    if found.is_empty() && spaces & space::VALUE != 0 {
        // It is derived, or of a trait from outside: a type has nothing else.
        return Found::external();
    }
    found
}

/// What an associated type of a type stands for.
pub(super) fn associated(query: &Query<'_>, def: DefRef, args: &[Ty], name: &str) -> Option<Ty> {
    let name = query.workspace.sym(name)?;
    let parts = query.parts(def);
    let own = query.own_members(&parts, name, space::TYPE);
    let own = own.first()?;
    let ty = query.def(*own)?.ty;
    if ty == NONE {
        return None;
    }
    let denoted = query.denotes(ExprRef {
        file: own.file,
        expr: ty,
    });
    let found = query.member_of_type(def, &args.into(), name, space::TYPE);
    let env = if found.defs.contains(own) {
        found.env
    } else {
        no_env()
    };
    Some(denoted.ty.with(&env))
}

/// What the workspace's `impl`s add to a type from outside.
pub(super) fn of_external(query: &Query<'_>, of: &Ty, name: Sym, spaces: u8) -> Option<Found> {
    let heads = match of {
        Ty::External(Some(head), _) => {
            let reached = reached_by(query, *head);
            [Some(*head), reached.filter(|_| !is_known(query, name))]
        }
        Ty::ExternalType(head, _) => [*head, None],
        Ty::Array(_) => ["Vec", "[]"].map(|name| query.workspace.sym(name)),
        Ty::Tuple(_) => [query.workspace.sym("()"), None],
        _ => [None; 2],
    };
    let mut defs = Vec::new();
    let mut bases = Vec::new();
    let blocks = heads.into_iter().flatten();
    for block in blocks.flat_map(|head| query.workspace.outside_of(head)) {
        let (Some(bound), Some(def)) = (query.file(block.file), query.def(*block)) else {
            continue;
        };
        let written = query.denotes(ExprRef {
            file: block.file,
            expr: def.ty,
        });
        let is_outside =
            matches!(written.ty, Ty::Array(_) | Ty::Tuple(_)) || written.ty.is_external();
        let can_be = || arguments::agreement(query, &written.ty, of, 4).is_some();
        if def.kind != DefKind::Impl || !is_rust(query, block.file) || !is_outside || !can_be() {
            continue;
        }
        defs.extend(query.own(block.file, bound, def.inner, name, u32::MAX, spaces));
        for base in bound.bases().iter().filter(|base| base.def == block.def) {
            bases.push(ExprRef {
                file: block.file,
                expr: base.of,
            });
        }
    }
    if defs.is_empty() {
        for base in bases {
            if let Ty::Instance(base, args) = query.denotes(base).ty {
                defs.extend(query.member_of_type(base, &args, name, spaces).defs);
            }
        }
    }
    if !defs.is_empty() {
        query.workspace.sort(&mut defs);
        // A method of the type itself comes first, and which it has outside nobody knows here.
        return Some(Found::defs(defs).guessed());
    }
    let found = blanket::member(query, of, name, spaces);
    (!found.is_empty() && !is_known(query, name)).then_some(found)
}

fn is_known(query: &Query<'_>, name: Sym) -> bool {
    KNOWN.contains(&query.workspace.text(name))
}

/// What a value of a type from outside is to calls that it has no method for.
fn reached_by(query: &Query<'_>, head: Sym) -> Option<Sym> {
    let name = match query.workspace.text(head) {
        "Vec" => "[]",
        "String" => "str",
        _ => return None,
    };
    query.workspace.sym(name)
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
pub(super) fn as_container(query: &Query<'_>, of: &Ty) -> Option<Ty> {
    match of {
        Ty::Instance(def, args) | Ty::Type(def, args) => {
            if let Some(item) = associated(query, *def, args, "Item") {
                return Some(Ty::array(item));
            }
            let target = associated(query, *def, args, "Target")?;
            (target != *of).then_some(target)
        }
        Ty::Param(param) => {
            let bound = query.def(*param)?.ty;
            if bound == NONE {
                return None;
            }
            let bound = query.denotes(ExprRef {
                file: param.file,
                expr: bound,
            });
            match bound.ty {
                Ty::Union(parts) => parts.iter().find(|part| is_iterator(query, part)).cloned(),
                ty => is_iterator(query, &ty).then_some(ty),
            }
        }
        Ty::Union(parts) => parts.iter().find_map(|part| as_container(query, part)),
        _ => None,
    }
}

fn is_iterator(query: &Query<'_>, ty: &Ty) -> bool {
    matches!(ty, Ty::External(Some(name), args) if !args.is_empty() && matches!(
        query.workspace.text(*name),
        "Iterator" | "IntoIterator" | "ExactSizeIterator" | "DoubleEndedIterator"
    ))
}

/// What iterating, indexing or unwrapping an instance gives.
pub(super) fn unwrapped(query: &Query<'_>, file: FileNo, of: &Ty, how: &str) -> Option<Ty> {
    let (def, args) = match of {
        _ if how == "deref" => {
            let Ty::Instance(def, args) = of else {
                return Some(of.clone());
            };
            return associated(query, *def, args, "Target").or_else(|| Some(of.clone()));
        }
        Ty::Instance(def, args) => (*def, args.clone()),
        Ty::Param(_) => {
            let container = as_container(query, of)?;
            return containers::unwrap(query, file, &container, how);
        }
        _ => return None,
    };
    match how {
        "iter" => {
            let item = associated(query, def, &args, "Item");
            item.or_else(|| {
                let iterator = called(query, file, (def, &args), "into_iter")?;
                (iterator != *of).then(|| containers::unwrap(query, file, &iterator, "iter"))?
            })
            .or_else(|| {
                let target = associated(query, def, &args, "Target")?;
                containers::unwrap(query, file, &target, "iter")
            })
        }
        "index" => called(query, file, (def, &args), "index").or_else(|| {
            let target = associated(query, def, &args, "Target")?;
            containers::unwrap(query, file, &target, "index")
        }),
        "await" => associated(query, def, &args, "Output"),
        _ => None,
    }
}

/// What a method without arguments gives.
fn called(
    query: &Query<'_>,
    file: FileNo,
    (def, args): (DefRef, &Tys),
    method: &str,
) -> Option<Ty> {
    let name = query.workspace.sym(method)?;
    let found = query.member_of_type(def, args, name, space::VALUE);
    if found.defs.is_empty() {
        return None;
    }
    let function = query.type_of_found(&found);
    Some(query.result_of(file, &function.ty, NONE).ty)
}

/// What a function is given that a type parameter's bound says: `F: Fn(A)`.
pub(super) fn given(query: &Query<'_>, file: FileNo, of: &Ty, index: u32) -> Option<Ty> {
    if !matches!(of, Ty::Param(_)) {
        return containers::given_param(of, index);
    }
    let function = bounding_function(query, of)?;
    let given = query.given(file, &Typed::guess(function), index);
    (!given.ty.is_unknown()).then_some(given.ty)
}

/// The function that a type parameter is said to be: `F: Fn(A) -> B`.
pub(super) fn bounding_function(query: &Query<'_>, of: &Ty) -> Option<Ty> {
    let Ty::Param(param) = of else {
        return None;
    };
    let parts = match blanket::bound_of(query, *param) {
        Ty::Union(parts) => parts.to_vec(),
        ty => vec![ty],
    };
    let is_function = |part: &Ty| matches!(part, Ty::Function(..));
    parts.into_iter().find(is_function)
}
