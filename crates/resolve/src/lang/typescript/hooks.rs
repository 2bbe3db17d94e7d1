//! What React's hooks give of what they are given: they are written in every component, and React is hardly ever in
//! the workspace.

use codecortex_bind::facts::{Expr, NONE};

use super::{components, support};
use crate::call;
use crate::ids::{ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, none};

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
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let (plain, types) = match resolver.expr(callee) {
        Expr::Apply { of, args } => {
            let types = resolver.each(file, args, |at| resolver.lower_type(at).ty);
            (ExprRef { file, expr: of }, types)
        }
        _ => (callee, Vec::new()),
    };
    let (Expr::Name { name, .. } | Expr::Member { name, .. }) = resolver.expr(plain) else {
        return None;
    };
    let name = resolver.workspace.text(resolver.file(file)?.name(name));
    if !HOOKS.contains(&name) || !support::is_outside(resolver, plain) {
        return None;
    }
    let given = types.first().cloned();
    let arguments = resolver.each(file, args, |at| at);
    let argument = |index: usize| arguments.get(index).map(|at| resolver.type_of(*at).ty);
    let of_first = || argument(0);
    let named = |name: &str, of| Ty::External(resolver.workspace.name(name), of);
    let ty = match name {
        "useRef" => named("RefObject", [given.or_else(of_first)?].into()),
        "useState" => {
            let made = || of_first().map(|first| made_by(resolver, file, first));
            Ty::Tuple([given.or_else(made)?, named("Dispatch", none())].into())
        }
        "useMemo" => given.or_else(|| library_types::returned(resolver, file, args))?,
        "createContext" => named("Context", [given.or_else(of_first)?].into()),
        "useContext" => held(resolver, of_first()?)?,
        "useReducer" => {
            let state = call::result_of(resolver, file, &of_first()?, NONE).ty;
            Ty::Tuple([state, named("Dispatch", none())].into())
        }
        "useSyncExternalStore" => {
            let read = argument(1)?;
            given.unwrap_or_else(|| call::result_of(resolver, file, &read, NONE).ty)
        }
        _ => match components::made(resolver, name, &types) {
            Some(component) => component,
            None => of_first()?,
        },
    };
    Some(Typed::inferred(ty))
}

/// What a context holds.
fn held(resolver: &Resolver<'_>, context: Ty) -> Option<Ty> {
    match context {
        Ty::External(Some(name), held) if resolver.workspace.text(name) == "Context" => {
            held.first().cloned()
        }
        Ty::Union(parts) => {
            let parts = parts.iter().filter_map(|part| held(resolver, part.clone()));
            let parts: Vec<Ty> = parts.collect();
            (!parts.is_empty()).then(|| Ty::union(parts))
        }
        _ => None,
    }
}

/// The first value of a state: what a function makes that is given for it, or what is given.
fn made_by(resolver: &Resolver<'_>, file: FileNo, first: Ty) -> Ty {
    match first {
        Ty::Function(..) => call::result_of(resolver, file, &first, NONE).ty,
        Ty::Union(parts) => {
            let parts = parts.iter().cloned();
            Ty::union(parts.map(|part| made_by(resolver, file, part)).collect())
        }
        first => first,
    }
}
