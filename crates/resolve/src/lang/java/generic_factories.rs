//! Generic factory methods of libraries, which return an instance of the class that they are passed: `mock(A.class)`,
//! `context.getBean(A.class)`, `verify(a)`. Tests and applications get many of their objects so, and the libraries are
//! hardly ever in the workspace.

use super::support::receiver;
use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Methods that give an instance of the class that they are handed.
const OF_CLASSES: [&str; 14] = [
    "mock",
    "spy",
    "getBean",
    "getInstance",
    "getAnnotation",
    "getDeclaredAnnotation",
    "findAnnotation",
    "findMergedAnnotation",
    "readValue",
    "convertValue",
    "treeToValue",
    "fromJson",
    "unwrap",
    "queryForObject",
];
/// Methods that give back what they are handed first.
const BACK: [&str; 2] = ["verify", "spy"];
/// The same of those that are called on something that another call gave: `doReturn(1).when(a)`.
const BACK_BEHIND: &str = "when";

/// What a method gives.
#[derive(Clone, Copy)]
pub(super) struct Giver {
    makes: bool,
    gives_back: bool,
}

/// What the method that is called gives, by its name; nothing where it is none of these.
pub(super) fn giver(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Giver> {
    let called_on = receiver(resolver, callee);
    let name = match called_on {
        Some((_, name)) => name,
        None => resolver.file(callee.file)?.head_name(callee.expr)?,
    };
    let name = resolver.workspace.text(name);
    let is_behind = || {
        let of = called_on.map(|(of, _)| resolver.type_of(of).ty);
        matches!(of, Some(Ty::External(..)))
    };
    let makes = OF_CLASSES.contains(&name);
    let gives_back = BACK.contains(&name) || name == BACK_BEHIND && is_behind();
    (makes || gives_back).then_some(Giver { makes, gives_back })
}

/// What such a call gives, of a method that is not in the workspace.
pub(super) fn call(
    resolver: &Resolver<'_>,
    (callee, giver): (ExprRef, Giver),
    args: u32,
) -> Option<Typed> {
    let given = resolver.each(callee.file, args, |at| resolver.type_of(at).ty);
    let made = given.iter().find_map(|ty| held_by_class(resolver, ty));
    let is_ours = |ty: &&Ty| matches!(ty, Ty::Instance(..));
    let back = given.first().filter(is_ours).cloned();
    let ty = made
        .filter(|_| giver.makes)
        .or(back.filter(|_| giver.gives_back));
    ty.map(Typed::inferred)
}

/// `A` of `Class<A>`.
fn held_by_class(resolver: &Resolver<'_>, ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::External(Some(name), of) if resolver.workspace.text(*name) == "Class" => {
            of.first().cloned()
        }
        _ => None,
    }
}
