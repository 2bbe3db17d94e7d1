//! Type guards: the tests that say something of a name where it stands, and what functions say of their arguments.

use codecortex_bind::facts::{Expr, ListId, Literal, NONE, NameId, Narrowing, flag};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::infer_type_args;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, union};

/// The tests that say something of a name or member where it stands, the last one last. Of several at one
/// place the last counts.
pub(super) fn guards_of(resolver: &Resolver<'_>, at: ExprRef) -> Vec<Narrowing> {
    let Some(bound) = resolver.file(at.file) else {
        return Vec::new();
    };
    let Some((name, place, _)) = bound.expr(at.expr).written() else {
        return Vec::new();
    };
    let covers = |test: &&Narrowing| {
        let is_around = test.start <= place && place < test.end;
        is_around && test.of != at.expr && is_same(resolver, at.file, test.of, at.expr, 8)
    };
    let tests = bound.narrowings_of(name).filter(covers);
    let mut tests: Vec<Narrowing> = tests.copied().collect();
    tests.sort_by_key(|test| test.start);
    tests
}

/// What is known of a name or member here by a test around it: what the last one says, but for calls that say
/// nothing.
pub(crate) fn narrowed(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    let tests = guards_of(resolver, at);
    let tests = tests.iter().rev();
    let tests = tests.filter(|test| !test.not && !is_of_other_object(resolver, at, test));
    let mut told = tests.filter_map(|test| {
        let by = ExprRef {
            expr: test.ty,
            ..at
        };
        Some((by, narrowed_to(resolver, by)?))
    });
    let (by, told) = told.next().filter(|(_, told)| !told.ty.is_unknown())?;
    // What is assigned from outside says less than a declaration, unless its type has a name.
    let is_assigned = matches!(resolver.expr(by), Expr::TypeOf { .. });
    let is_nameless = matches!(told.ty, Ty::External(None, _) | Ty::ExternalType(..));
    let says_less = is_assigned && is_nameless && is_declared(resolver, at);
    (!says_less).then_some(told)
}

/// Whether what a member of an object was assigned says nothing any more, because its name has another object since.
fn is_of_other_object(resolver: &Resolver<'_>, at: ExprRef, test: &Narrowing) -> bool {
    let by = ExprRef {
        expr: test.ty,
        ..at
    };
    let (Expr::TypeOf { .. }, Expr::Member { .. }) = (resolver.expr(by), resolver.expr(at)) else {
        return false;
    };
    let Some(bound) = resolver.file(at.file) else {
        return false;
    };
    let (Some((_, place, _)), Some(root)) = (
        bound.expr(at.expr).written(),
        root_name(resolver, at).map(|name| bound.name(name)),
    ) else {
        return false;
    };
    let all = resolver.assignments_to(at.file, root).into_iter();
    let mut to = all.filter_map(|index| bound.assignments().get(index as usize));
    to.any(|assignment| {
        let target = bound.expr(assignment.to);
        let written = target.written().map(|(_, written, _)| written);
        matches!(target, Expr::Name { .. })
            && written.is_some_and(|written| test.start < written && written < place)
    })
}

/// The name that a path of members begins with: `a` of `a.b.c`.
fn root_name(resolver: &Resolver<'_>, at: ExprRef) -> Option<NameId> {
    const LONGEST: usize = 16;
    let mut at = at;
    for _ in 0..LONGEST {
        match resolver.expr(at) {
            Expr::Member { of, .. } => at.expr = of,
            Expr::Name { name, .. } => return Some(name),
            _ => return None,
        }
    }
    None
}

/// Whether a name leads to something with a declared type.
fn is_declared(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let mut defs = resolver.find(at).defs.into_iter();
    defs.any(|def| resolver.def(def).is_some_and(|def| def.ty != NONE))
}

/// The type that a test names or that the function says which it calls; none where that says nothing.
pub(super) fn narrowed_to(resolver: &Resolver<'_>, test: ExprRef) -> Option<Typed> {
    let (of, gives) = match resolver.expr(test) {
        Expr::Unwrap { of } => (of, Literal::Boolean),
        Expr::Deref { of } => (of, Literal::Null),
        Expr::Union { of } if has_calls(resolver, test.file, of) => {
            let told = resolver.each(test.file, of, |part| narrowed_to(resolver, part));
            return Some(union(told.into_iter().collect::<Option<_>>()?));
        }
        _ => return Some(resolver.lower_type(test)),
    };
    let call = ExprRef { expr: of, ..test };
    match resolver.expr(call) {
        Expr::Call { of, args } => {
            let function = resolver.type_of(ExprRef { expr: of, ..test }).ty;
            guarded(resolver, (test.file, args), &function, gives)
        }
        _ => Some(resolver.lower_type(test)),
    }
}

/// Whether what a function says is among the types that a test names.
fn has_calls(resolver: &Resolver<'_>, file: FileNo, types: ListId) -> bool {
    let is_call = |at| matches!(resolver.expr(at), Expr::Unwrap { .. });
    resolver.each(file, types, is_call).contains(&true)
}

/// Whether a function comes back only where its first argument holds (`asserts x`).
pub(super) fn asserts(resolver: &Resolver<'_>, function: ExprRef) -> bool {
    let Ty::Function(defs, _) = resolver.type_of(function).ty else {
        return false;
    };
    let asserts = |def: &DefRef| {
        let bound = resolver.file(def.file)?;
        let Expr::Apply { of, args } = bound.expr(bound.def(def.def).ty) else {
            return None;
        };
        let [subject] = *bound.list(args) else {
            return None;
        };
        let first = bound.params(def.def).next()?;
        let (name, ..) = bound.expr(subject).written()?;
        let gives = Expr::Literal { of: Literal::Null };
        Some(bound.expr(of) == gives && name == bound.def(first).name)
    };
    defs.iter().any(|def| asserts(def) == Some(true))
}

/// What a function that is handed to another one says of what that hands over to it: `list.filter(isRow)`.
pub(crate) fn guarded_by_function(
    resolver: &Resolver<'_>,
    file: FileNo,
    function: &Ty,
) -> Option<Typed> {
    guarded(resolver, (file, NONE), function, Literal::Boolean)
}

/// What a function that is called says of its first argument where it gives true (`x is T`, `TypeGuard[T]`), or
/// where it comes back if it gives nothing (`asserts x is T`).
fn guarded(
    resolver: &Resolver<'_>,
    (from, given): (FileNo, ListId),
    function: &Ty,
    gives: Literal,
) -> Option<Typed> {
    let Ty::Function(defs, subst) = function else {
        return None;
    };
    defs.iter().find_map(|def| {
        let file = def.file;
        let bound = resolver.file(file)?;
        let Expr::Apply { of, args } = bound.expr(bound.def(def.def).ty) else {
            return None;
        };
        let is_guard = resolver.expr(ExprRef { file, expr: of }) == Expr::Literal { of: gives };
        let (told, subject) = match *bound.list(args) {
            [told, subject] if is_guard => (told, subject),
            // `asserts x` tells nothing by itself.
            [told] if is_guard && gives == Literal::Boolean => (told, NONE),
            _ => return None,
        };
        let is_receiver = |param: &u32| bound.def(*param).flags & flag::RECEIVER != 0;
        let first = bound.params(def.def).find(|param| !is_receiver(param))?;
        let is_first = match bound.expr(subject).written() {
            Some((name, ..)) => name == bound.def(first).name,
            None => true,
        };
        let expr = is_first.then_some(told)?;
        let told = resolver.lower_type(ExprRef { file, expr });
        let known = infer_type_args::type_args_of_call(resolver, from, *def, subst, given, false);
        let ty = told.ty.with(subst).with(&known);
        // A type parameter that no argument tells says nothing.
        let is_open = matches!(&ty, Ty::Param(param) if resolver.params_of(*def).contains(param));
        (!is_open).then_some(Typed {
            ty,
            is_declared: told.is_declared,
        })
    })
}

/// Whether two expressions are the same chain of names.
pub(super) fn is_same(resolver: &Resolver<'_>, file: FileNo, a: u32, b: u32, depth: u32) -> bool {
    let expr = |expr| resolver.expr(ExprRef { file, expr });
    match (expr(a), expr(b)) {
        (Expr::Name { name: a, .. }, Expr::Name { name: b, .. }) => a == b,
        (
            Expr::Member {
                of: a_of, name: a, ..
            },
            Expr::Member {
                of: b_of, name: b, ..
            },
        ) => a == b && depth > 0 && is_same(resolver, file, a_of, b_of, depth - 1),
        (Expr::This { .. }, Expr::This { .. }) => true,
        _ => false,
    }
}
