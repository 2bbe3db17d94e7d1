//! Where a value comes from whose type nobody knows: the module that an import names.

use codecortex_bind::facts::{DefKind, Expr, NONE};

use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;

/// Values are followed over so many steps.
const MAX_STEPS: usize = 24;

/// The module, as an import names it, from which the receiver of a member comes that is written at a byte; nothing where
/// no import brings it, or the module is known.
pub(crate) fn module_of_receiver(
    resolver: &Resolver<'_>,
    file: FileNo,
    byte: u32,
) -> Option<String> {
    let bound = resolver.file(file)?;
    let (member, ..) = bound.uses().find(|(_, _, at, _)| *at == byte)?;
    let Expr::Member { of, .. } = bound.expr(member) else {
        return None;
    };
    let mut at = ExprRef { file, expr: of };
    for _ in 0..MAX_STEPS {
        let bound = resolver.file(at.file)?;
        if let Expr::Module { name, level: 0, .. } = bound.expr(at.expr) {
            let found = resolver.find(at);
            let is_unknown = found.ty.is_none() && found.defs.is_empty();
            let written = resolver.workspace.text(bound.name(name));
            return is_unknown.then(|| written.to_owned());
        }
        at = source(resolver, at, bound)?;
    }
    None
}

/// What gives an expression its value: a definition's declared type or its value, or what a call or a member is of.
fn source(resolver: &Resolver<'_>, at: ExprRef, bound: &BoundFile) -> Option<ExprRef> {
    let found = match bound.expr(at.expr) {
        Expr::Name { .. } | Expr::Member { .. } => resolver.find(at).defs.first().copied(),
        _ => None,
    };
    if let Some(next) = found.and_then(|def| behind(resolver, def))
        && next != at
    {
        return Some(next);
    }
    let of = match bound.expr(at.expr) {
        Expr::Member { of, .. }
        | Expr::Call { of, .. }
        | Expr::New { of, .. }
        | Expr::Index { of, .. }
        | Expr::Apply { of, .. }
        | Expr::Await { of }
        | Expr::Iter { of, .. }
        | Expr::Entry { of, .. }
        | Expr::Unwrap { of } => of,
        _ => return None,
    };
    Some(ExprRef { expr: of, ..at })
}

/// The declared type of a definition, else its value.
fn behind(resolver: &Resolver<'_>, def: DefRef) -> Option<ExprRef> {
    let of = resolver.def(def)?;
    let exprs = match of.kind {
        DefKind::Alias => [of.value, NONE],
        _ => [of.ty, of.value],
    };
    let expr = exprs.into_iter().find(|expr| *expr != NONE)?;
    Some(ExprRef {
        file: def.file,
        expr,
    })
}
