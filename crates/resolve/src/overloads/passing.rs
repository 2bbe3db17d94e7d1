//! How arguments are passed where a language says it at both ends: `ref x` to `ref T y`.

use codecortex_bind::facts::{Expr, Role, flag};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;

/// Arguments that are passed otherwise than their parameters take them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passing {
    /// Values for what takes variables.
    pub(super) misfits: usize,
    /// What is written, perhaps because it is passed as a variable, for what takes values.
    pub(super) doubtful: usize,
}

/// How the arguments of a call go with the parameters that get them.
pub(super) fn of(resolver: &Resolver<'_>, params: &[Option<DefRef>], given: &[ExprRef]) -> Passing {
    let mut passing = Passing::default();
    for (param, at) in params.iter().zip(given) {
        let Some(param) = param.filter(|of| resolver.rules(of.file).passes_variables()) else {
            continue;
        };
        let flags = resolver.def(param).map_or(0, |def| def.flags);
        match (flags & flag::BY_REFERENCE != 0, written(resolver, *at)) {
            (true, Some(false)) => passing.misfits += 1,
            (false, Some(true)) => passing.doubtful += 1,
            _ => {}
        }
    }
    passing
}

/// Whether an argument is written to; nothing where that is not known of it.
fn written(resolver: &Resolver<'_>, at: ExprRef) -> Option<bool> {
    let value = match resolver.expr(at) {
        Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
        _ => at,
    };
    match resolver.expr(value) {
        Expr::Name { role, .. } | Expr::Member { role, .. } => {
            Some(matches!(role, Role::Write | Role::ReadWrite))
        }
        Expr::Literal { .. } | Expr::Function { .. } | Expr::New { .. } | Expr::Operator { .. } => {
            Some(false)
        }
        Expr::Union { of } => match resolver.each(at.file, of, |at| at.expr)[..] {
            // A value that is read of a variable: `x++`, `a[0]`.
            [_] => Some(false),
            // `ref a[0]`
            [one, other] if one == other => Some(true),
            _ => None,
        },
        _ => None,
    }
}
