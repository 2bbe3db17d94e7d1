//! What is known of the receivers of calls by the library's declarations: whether a type has nothing else, whether a call
//! may mean an implementation of the workspace, what is lent to a closure.

use super::associated_types;
use codecortex_bind::facts::{Expr, space};

use super::{library, support};
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::Ty;

/// Whether a value of a type has no members but those that are found: of a type that points to nothing unknown.
pub(super) fn says_all(resolver: &Resolver<'_>, of: &Ty) -> bool {
    let Ty::Instance(def, args) = of else {
        return false;
    };
    if support::is_trait(resolver, *def) {
        return false;
    }
    let look = || match associated_types::associated(resolver, *def, args, "Target") {
        None => true,
        Some(target @ Ty::Instance(..)) => target != *of && says_all(resolver, &target),
        Some(Ty::Array(_) | Ty::Tuple(_)) => true,
        Some(target) => library::is_declared(resolver, &target),
    };
    resolver.with_depth(look).unwrap_or(false)
}

/// Whether a use of a method of one of the library's traits may mean an implementation of the workspace: not where the
/// receiver is a type of the library, which has its own.
pub(super) fn may_dispatch(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let Expr::Member { of, .. } = resolver.expr(at) else {
        return true;
    };
    match resolver.type_of(ExprRef { expr: of, ..at }).ty {
        Ty::Array(_) | Ty::Tuple(_) => false,
        ty @ (Ty::Instance(..) | Ty::Type(..) | Ty::External(..) | Ty::ExternalType(..)) => {
            match tables::as_declared(resolver, ty, at.file) {
                Ty::Instance(def, _) | Ty::Type(def, _) => support::is_trait(resolver, def),
                ty => !library::declares(resolver, &ty, at.file),
            }
        }
        _ => true,
    }
}

/// What a static of a thread lends to a closure: to the rules it is of the type that is written in the macro, which has
/// no such member itself.
pub(super) fn lent(resolver: &Resolver<'_>, receiver: &Ty, member: &str) -> Option<Ty> {
    if !LENDING.contains(&member) {
        return None;
    }
    let name = resolver.workspace.name(member)?;
    let is_there = match receiver {
        Ty::Instance(def, args) => {
            let found = resolver.member_of_type(*def, args, name, space::VALUE);
            !found.defs.is_empty()
        }
        Ty::External(Some(_), _) | Ty::Array(_) if library::is_declared(resolver, receiver) => {
            false
        }
        _ => return None,
    };
    let lent = match receiver {
        Ty::Instance(_, args) | Ty::External(_, args) if member.starts_with("with_borrow") => {
            args.first()?.clone()
        }
        receiver => receiver.clone(),
    };
    (!is_there).then(|| Ty::External(None, [lent].into()))
}

/// Members of what lends a value to a closure.
pub(super) const LENDING: [&str; 5] = [
    "with",
    "try_with",
    "with_borrow",
    "with_borrow_mut",
    "with_mut",
];
