//! Type narrowing: what type guards and other tests leave of a union.
//!
//! They are taken one after the other, in the order in which they stand. One that names a type keeps the parts of
//! a union that are of it, or leaves them out where it does not hold; one that compares a member keeps the parts of
//! which the member can have that value (`discriminant.rs`). What was assigned since says more than they do.

pub(crate) mod alternatives;
mod discriminant;
pub(crate) mod guards;

use codecortex_bind::facts::{Expr, NameId, Narrowing, space};

use crate::ids::ExprRef;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The type of a name or member: what it is declared or assigned, as far as the tests around leave it.
pub(crate) fn narrowed_by_guards(resolver: &Resolver<'_>, at: ExprRef) -> Typed {
    let mut typed = resolver.declared_at(at);
    let tests = guards::guards_of(resolver, at);
    let Some(oldest) = tests.first() else {
        return typed;
    };
    let assigned = last_assigned(resolver, at, oldest.start);
    for test in tests.iter().filter(|test| test.start >= assigned) {
        typed = apply_guard(resolver, at, test, typed);
    }
    typed
}

fn apply_guard(resolver: &Resolver<'_>, at: ExprRef, test: &Narrowing, typed: Typed) -> Typed {
    let told = ExprRef {
        expr: test.ty,
        ..at
    };
    if let Expr::Indirect { of, narrowed } = resolver.expr(told) {
        let test = Narrowing {
            ty: narrowed,
            ..*test
        };
        return through(resolver, ExprRef { expr: of, ..at }, &test, typed);
    }
    if let Expr::Discriminant { member, value } = resolver.expr(told) {
        let value = ExprRef { expr: value, ..at };
        return discriminant::keep(resolver, typed, member, value, test.not);
    }
    let is_choice = matches!(typed.ty, Ty::Union(_));
    if test.not && !is_choice {
        return typed;
    }
    match guards::narrowed_to(resolver, told) {
        Some(told) if told.ty.is_unknown() => typed,
        Some(denied) if test.not => without(resolver, typed, &denied.ty),
        Some(told) => to(resolver, &typed, told),
        None => typed,
    }
}

/// The parts of a type that can have a value as a member.
pub(crate) fn having(
    resolver: &Resolver<'_>,
    typed: Typed,
    member: NameId,
    value: ExprRef,
) -> Typed {
    discriminant::keep(resolver, typed, member, value, false)
}

/// What a test says by way of a call that asserts, or of a member of what it is about.
fn through(resolver: &Resolver<'_>, by: ExprRef, test: &Narrowing, typed: Typed) -> Typed {
    match resolver.expr(by) {
        Expr::Call { of, .. } if guards::asserts(resolver, ExprRef { expr: of, ..by }) => {
            apply_guard(resolver, by, test, typed)
        }
        Expr::Member { of, name, .. } => {
            let whole = resolver.type_of(ExprRef { expr: of, ..by });
            let (Ty::Union(_), Some(bound)) = (&whole.ty, resolver.file(by.file)) else {
                return typed;
            };
            let left = apply_guard(resolver, by, test, whole);
            let found = resolver.member(&left.ty, bound.name(name), space::VALUE, by.file);
            let told = resolver.type_of_found(&found);
            match told.ty.is_unknown() {
                true => typed,
                false => to(resolver, &typed, told),
            }
        }
        _ => typed,
    }
}

/// Where something got its last value between a place and its use; 0 where it did not.
fn last_assigned(resolver: &Resolver<'_>, at: ExprRef, from: u32) -> u32 {
    let Some(bound) = resolver.file(at.file) else {
        return 0;
    };
    let (Some((_, place, _)), Some(head)) =
        (bound.expr(at.expr).written(), bound.head_name(at.expr))
    else {
        return 0;
    };
    let all = resolver.assignments_to(at.file, head).into_iter();
    let to = all.filter_map(|index| bound.assignments().get(index as usize));
    let to = to.filter_map(|assignment| {
        let (_, written, _) = bound.expr(assignment.to).written()?;
        let is_between = from <= written && written < place;
        (is_between && guards::is_same(resolver, at.file, assignment.to, at.expr, 8))
            .then_some(written)
    });
    to.max().unwrap_or(0)
}

/// What a value is of which a test says that it is something: of several types those that are it, else what is said.
fn to(resolver: &Resolver<'_>, declared: &Typed, told: Typed) -> Typed {
    let kept: Vec<Ty> = declared
        .ty
        .alternatives()
        .into_iter()
        .filter(|part| is_it(resolver, part, &told.ty))
        .collect();
    if kept.is_empty() {
        return told;
    }
    Typed {
        ty: Ty::choice(kept),
        is_declared: declared.is_declared && told.is_declared,
    }
}

/// What a value is of which a test says that it is not something.
fn without(resolver: &Resolver<'_>, declared: Typed, denied: &Ty) -> Typed {
    let kept: Vec<Ty> = declared
        .ty
        .alternatives()
        .into_iter()
        .filter(|part| !is_it(resolver, part, denied))
        .collect();
    if kept.is_empty() {
        return declared;
    }
    Typed {
        ty: Ty::choice(kept),
        ..declared
    }
}

/// Whether every value of a type is one of what a test names.
fn is_it(resolver: &Resolver<'_>, of: &Ty, named: &Ty) -> bool {
    let name = |of: &Ty| match of {
        Ty::External(Some(name), _) => Some(*name),
        _ => None,
    };
    // What is no plain value is an object.
    let is_any_object = name(named).is_some_and(|name| resolver.workspace.text(name) == "Object");
    match (of, named) {
        (
            Ty::Instance(..)
            | Ty::Object(..)
            | Ty::Array(_)
            | Ty::Tuple(_)
            | Ty::Function(..)
            | Ty::Type(..),
            _,
        ) if is_any_object => true,
        (Ty::Instance(of, _), Ty::Instance(named, _)) => resolver.is_subtype(*of, *named),
        (Ty::Function(..) | Ty::Type(..), _) => {
            let name = name(named).map(|name| resolver.workspace.text(name));
            name == Some("Function")
        }
        (Ty::External(..), Ty::External(..)) => name(of).is_some() && name(of) == name(named),
        _ => false,
    }
}
