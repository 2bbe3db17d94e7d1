//! What React's hooks give of what they are given: they are written in every component, and React is hardly ever in
//! the workspace.

use codecortex_bind::facts::{Expr, NONE};

use super::components;
use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, Typed, none};
use crate::workspace::{ExprRef, FileNo};

/// Those that are known, and what makes contexts and components.
const HOOKS: [&str; 11] = [
    "useRef",
    "useState",
    "useMemo",
    "useCallback",
    "useContext",
    "createContext",
    "useReducer",
    "useSyncExternalStore",
    "useDeferredValue",
    "forwardRef",
    "memo",
];

/// What calling a hook from outside gives, if it is known by its name.
pub(super) fn call(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let (plain, types) = match query.expr(callee) {
        Expr::Apply { of, args } => {
            let types = query.each(file, args, |at| query.denotes(at).ty);
            (ExprRef { file, expr: of }, types)
        }
        _ => (callee, Vec::new()),
    };
    let (Expr::Name { name, .. } | Expr::Member { name, .. }) = query.expr(plain) else {
        return None;
    };
    let name = query.workspace.text(query.file(file)?.sym(name));
    if !HOOKS.contains(&name) || !is_outside(query, plain) {
        return None;
    }
    let given = types.first().cloned();
    let arguments = query.each(file, args, |at| at);
    let argument = |index: usize| arguments.get(index).map(|at| query.type_of(*at).ty);
    let of_first = || argument(0);
    let named = |name: &str, of| Ty::External(query.workspace.sym(name), of);
    let ty = match name {
        "useRef" => named("RefObject", [given.or_else(of_first)?].into()),
        "useState" => {
            let made = || of_first().map(|first| made_by(query, file, first));
            Ty::Tuple([given.or_else(made)?, named("Dispatch", none())].into())
        }
        "useMemo" => given.or_else(|| containers::returned(query, file, args))?,
        "createContext" => named("Context", [given.or_else(of_first)?].into()),
        "useContext" => held(query, of_first()?)?,
        "useReducer" => {
            let state = query.result_of(file, &of_first()?, NONE).ty;
            Ty::Tuple([state, named("Dispatch", none())].into())
        }
        "useSyncExternalStore" => {
            let read = argument(1)?;
            given.unwrap_or_else(|| query.result_of(file, &read, NONE).ty)
        }
        _ => match components::made(query, name, &types) {
            Some(component) => component,
            None => of_first()?,
        },
    };
    Some(Typed::guess(ty))
}

/// What a context holds.
fn held(query: &Query<'_>, context: Ty) -> Option<Ty> {
    match context {
        Ty::External(Some(name), held) if query.workspace.text(name) == "Context" => {
            held.first().cloned()
        }
        Ty::Union(parts) => {
            let parts = parts.iter().filter_map(|part| held(query, part.clone()));
            let parts: Vec<Ty> = parts.collect();
            (!parts.is_empty()).then(|| Ty::union(parts))
        }
        _ => None,
    }
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
pub(super) fn is_outside(query: &Query<'_>, name: ExprRef) -> bool {
    let found = query.find(name);
    let leaves = found.defs.iter().all(|def| {
        let followed = query.follow(*def);
        followed.ends.is_empty() && followed.external
    });
    leaves && (found.external || !found.defs.is_empty())
}
