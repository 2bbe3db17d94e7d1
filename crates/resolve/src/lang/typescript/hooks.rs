//! What React's hooks give of what they are given: they are written in every component, and React is hardly ever in
//! the workspace.

use codecortex_bind::facts::{Expr, NONE};

use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, Typed, none};
use crate::workspace::{ExprRef, FileNo};

/// What calling a hook from outside gives, if it is known by its name.
pub(super) fn call(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let (plain, given) = match query.expr(callee) {
        Expr::Apply { of, args } => {
            let given = query.each(file, args, |at| query.denotes(at).ty);
            (ExprRef { file, expr: of }, given.into_iter().next())
        }
        _ => (callee, None),
    };
    let (Expr::Name { name, .. } | Expr::Member { name, .. }) = query.expr(plain) else {
        return None;
    };
    let name = query.workspace.text(query.file(file)?.sym(name));
    if !matches!(name, "useRef" | "useState" | "useMemo" | "useCallback")
        || !is_outside(query, plain)
    {
        return None;
    }
    let first = query.each(file, args, |at| at).first().copied();
    let of_first = || first.map(|first| query.type_of(first).ty);
    let named = |name: &str, of| Ty::External(query.workspace.sym(name), of);
    let ty = match name {
        "useRef" => named("RefObject", [given.or_else(of_first)?].into()),
        "useState" => {
            let made = || of_first().map(|first| made_by(query, file, first));
            Ty::Tuple([given.or_else(made)?, named("Dispatch", none())].into())
        }
        "useMemo" => given.or_else(|| containers::returned(query, file, args))?,
        _ => of_first()?,
    };
    Some(Typed::guess(ty))
}

/// The first value of a state: what a function makes that is given for it, or what is given.
fn made_by(query: &Query<'_>, file: FileNo, first: Ty) -> Ty {
    match first {
        Ty::Function(..) => query.result_of(file, &first, NONE).ty,
        Ty::Union(parts) => {
            let parts = parts.iter().cloned();
            Ty::union(parts.map(|part| made_by(query, file, part)).collect())
        }
        first => first,
    }
}

/// Whether a name leads out of the workspace.
fn is_outside(query: &Query<'_>, name: ExprRef) -> bool {
    let found = query.find(name);
    let leaves = found.defs.iter().all(|def| {
        let followed = query.follow(*def);
        followed.ends.is_empty() && followed.external
    });
    leaves && (found.external || !found.defs.is_empty())
}
