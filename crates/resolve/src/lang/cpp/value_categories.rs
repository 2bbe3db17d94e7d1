//! Value categories of arguments: rvalues bind to `T&&`, lvalues do not.

use codecortex_bind::facts::{DefKind, Expr, Literal, flag};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// What is known of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ArgumentValue {
    /// It has a name or an address.
    Left,
    /// It is moved or just made.
    Right,
    Unknown,
}

/// Of equally good overloads those whose references take the arguments, `T&&` before others.
pub(super) fn chosen(resolver: &Resolver<'_>, defs: Vec<DefRef>, given: &[ExprRef]) -> Vec<DefRef> {
    let any_moves = defs.iter().any(|def| moves(resolver, *def));
    if defs.len() < 2 || !any_moves {
        return defs;
    }
    let values: Vec<ArgumentValue> = given.iter().map(|at| value_of(resolver, *at)).collect();
    let scored: Vec<(i32, DefRef)> = defs
        .into_iter()
        .map(|def| (score(resolver, def, &values), def))
        .collect();
    let best = scored.iter().map(|(score, _)| *score).max();
    let best = scored.into_iter().filter(|(score, _)| Some(*score) == best);
    best.map(|(_, def)| def).collect()
}

/// Of methods those with `&&` behind them if the receiver is moved or just made, the others if it has a name.
pub(super) fn by_receiver(resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
    let is_for_moved = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.kind == DefKind::Method && def.flags & flag::RVALUE_METHOD != 0)
    };
    let moved = defs.iter().filter(|def| is_for_moved(def)).count();
    if moved == 0 || moved == defs.len() {
        return defs;
    }
    let value = match resolver.expr(at) {
        Expr::Member { of, .. } => value_of(resolver, ExprRef { expr: of, ..at }),
        _ => ArgumentValue::Left,
    };
    if value == ArgumentValue::Unknown {
        return defs;
    }
    let is_meant = |of: &DefRef| is_for_moved(of) == (value == ArgumentValue::Right);
    defs.into_iter().filter(is_meant).collect()
}

/// Whether a function takes something by `T&&`.
fn moves(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let Some(bound) = resolver.file(def.file) else {
        return false;
    };
    let mut params = bound.params(def.def);
    params.any(|param| bound.def(param).flags & flag::RVALUE_REFERENCE != 0)
}

/// How well references take values of these kinds.
fn score(resolver: &Resolver<'_>, def: DefRef, values: &[ArgumentValue]) -> i32 {
    let Some(bound) = resolver.file(def.file) else {
        return 0;
    };
    let params = bound.params(def.def).zip(values);
    let scores = params.map(|(param, value)| {
        let is_moved = bound.def(param).flags & flag::RVALUE_REFERENCE != 0;
        // `T&&` of a template's own parameter takes everything.
        let declared = resolver.type_of_def(DefRef { def: param, ..def });
        let takes_all = matches!(declared.ty, Ty::Param(_) | Ty::Unknown);
        match (value, is_moved) {
            (ArgumentValue::Left, true) if !takes_all => -4,
            (ArgumentValue::Right, true) => 1,
            _ => 0,
        }
    });
    scores.sum()
}

fn value_of(resolver: &Resolver<'_>, at: ExprRef) -> ArgumentValue {
    match resolver.expr(at) {
        Expr::Name { .. } | Expr::Member { .. } | Expr::Index { .. } | Expr::Deref { .. } => {
            ArgumentValue::Left
        }
        Expr::Literal { of: Literal::Text } => ArgumentValue::Left,
        Expr::Literal { .. } | Expr::Function { .. } | Expr::New { .. } => ArgumentValue::Right,
        Expr::Call { of, .. } => value_of_call(resolver, ExprRef { expr: of, ..at }),
        _ => ArgumentValue::Unknown,
    }
}

/// `std::move(x)` and `T(…)` are right values; what else is called may give a reference.
fn value_of_call(resolver: &Resolver<'_>, callee: ExprRef) -> ArgumentValue {
    let plain = match resolver.expr(callee) {
        Expr::Apply { of, .. } => ExprRef { expr: of, ..callee },
        _ => callee,
    };
    let name = resolver
        .file(plain.file)
        .and_then(|bound| bound.head_name(plain.expr));
    let name = name.map_or("", |name| resolver.workspace.text(name));
    let is_outside = || resolver.find(plain).defs.is_empty();
    match name {
        "move" | "make_unique" | "make_shared" | "make_pair" | "make_tuple" if is_outside() => {
            ArgumentValue::Right
        }
        _ if matches!(resolver.type_of(callee).ty, Ty::Type(..)) => ArgumentValue::Right,
        _ => ArgumentValue::Unknown,
    }
}
