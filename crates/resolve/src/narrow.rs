//! What tests leave of a value that may be one of several.
//!
//! They are taken one after the other, in the order in which they stand. One that names a type keeps the parts of
//! a union that are of it, or leaves them out where it does not hold; one that compares a member keeps the parts of
//! which the member can have that value (`discriminant.rs`). What was assigned since says more than they do.

mod discriminant;

use codecortex_bind::facts::{Expr, NameId, Narrowing, space};

use crate::query::Query;
use crate::ty::{Ty, Typed};
use crate::workspace::ExprRef;

/// The type of a name or member: what it is declared or assigned, as far as the tests around leave it.
pub(crate) fn tested(query: &Query<'_>, at: ExprRef) -> Typed {
    let mut typed = query.declared_at(at);
    let tests = query.tests_of(at);
    let Some(oldest) = tests.first() else {
        return typed;
    };
    let assigned = last_assigned(query, at, oldest.start);
    for test in tests.iter().filter(|test| test.start >= assigned) {
        typed = by_one(query, at, test, typed);
    }
    typed
}

fn by_one(query: &Query<'_>, at: ExprRef, test: &Narrowing, typed: Typed) -> Typed {
    let told = ExprRef {
        expr: test.ty,
        ..at
    };
    if let Expr::Indirect { of, narrowed } = query.expr(told) {
        let test = Narrowing {
            ty: narrowed,
            ..*test
        };
        return through(query, ExprRef { expr: of, ..at }, &test, typed);
    }
    if let Expr::Discriminant { member, value } = query.expr(told) {
        let value = ExprRef { expr: value, ..at };
        return discriminant::keep(query, typed, member, value, test.not);
    }
    let is_choice = matches!(typed.ty, Ty::Union(_));
    if test.not && !is_choice {
        return typed;
    }
    match query.told_by(told) {
        Some(told) if told.ty.is_unknown() => typed,
        Some(denied) if test.not => without(query, typed, &denied.ty),
        Some(told) => to(query, &typed, told),
        None => typed,
    }
}

/// The parts of a type that can have a value as a member.
pub(crate) fn having(query: &Query<'_>, typed: Typed, member: NameId, value: ExprRef) -> Typed {
    discriminant::keep(query, typed, member, value, false)
}

/// What a test says by way of a call that asserts, or of a member of what it is about.
fn through(query: &Query<'_>, by: ExprRef, test: &Narrowing, typed: Typed) -> Typed {
    match query.expr(by) {
        Expr::Call { of, .. } if query.asserts(ExprRef { expr: of, ..by }) => {
            by_one(query, by, test, typed)
        }
        Expr::Member { of, name, .. } => {
            let whole = query.type_of(ExprRef { expr: of, ..by });
            let (Ty::Union(_), Some(bound)) = (&whole.ty, query.file(by.file)) else {
                return typed;
            };
            let left = by_one(query, by, test, whole);
            let found = query.member(&left.ty, bound.sym(name), space::VALUE, by.file);
            let told = query.type_of_found(&found);
            match told.ty.is_unknown() {
                true => typed,
                false => to(query, &typed, told),
            }
        }
        _ => typed,
    }
}

/// Where something got its last value between a place and its use; 0 where it did not.
fn last_assigned(query: &Query<'_>, at: ExprRef, from: u32) -> u32 {
    let Some(bound) = query.file(at.file) else {
        return 0;
    };
    let (Some((_, place, _)), Some(head)) =
        (bound.expr(at.expr).written(), bound.head_name(at.expr))
    else {
        return 0;
    };
    let all = query.assignments_to(at.file, head).into_iter();
    let to = all.filter_map(|index| bound.assignments().get(index as usize));
    let to = to.filter_map(|assignment| {
        let (_, written, _) = bound.expr(assignment.to).written()?;
        let is_between = from <= written && written < place;
        (is_between && query.is_same(at.file, assignment.to, at.expr, 8)).then_some(written)
    });
    to.max().unwrap_or(0)
}

/// What a value is of which a test says that it is something: of several types those that are it, else what is said.
fn to(query: &Query<'_>, declared: &Typed, told: Typed) -> Typed {
    let kept: Vec<Ty> = parts(&declared.ty)
        .into_iter()
        .filter(|part| is_it(query, part, &told.ty))
        .collect();
    if kept.is_empty() {
        return told;
    }
    Typed {
        ty: Ty::choice(kept),
        sure: declared.sure && told.sure,
    }
}

/// What a value is of which a test says that it is not something.
fn without(query: &Query<'_>, declared: Typed, denied: &Ty) -> Typed {
    let kept: Vec<Ty> = parts(&declared.ty)
        .into_iter()
        .filter(|part| !is_it(query, part, denied))
        .collect();
    if kept.is_empty() {
        return declared;
    }
    Typed {
        ty: Ty::choice(kept),
        ..declared
    }
}

fn parts(of: &Ty) -> Vec<Ty> {
    match of {
        Ty::Union(parts) => parts.to_vec(),
        of => vec![of.clone()],
    }
}

/// Whether every value of a type is one of what a test names.
fn is_it(query: &Query<'_>, of: &Ty, named: &Ty) -> bool {
    let name = |of: &Ty| match of {
        Ty::External(Some(name), _) => Some(*name),
        _ => None,
    };
    // What is no plain value is an object.
    let is_any_object = name(named).is_some_and(|name| query.workspace.text(name) == "Object");
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
        (Ty::Instance(of, _), Ty::Instance(named, _)) => query.is_subtype(*of, *named),
        (Ty::Function(..) | Ty::Type(..), _) => {
            let name = name(named).map(|name| query.workspace.text(name));
            name == Some("Function")
        }
        (Ty::External(..), Ty::External(..)) => name(of).is_some() && name(of) == name(named),
        _ => false,
    }
}
