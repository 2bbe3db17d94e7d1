//! What functions of the language's own objects give that look into what they are given: `Object.values`,
//! `Array.from`, `Promise.all`.

use codecortex_bind::facts::{Expr, space};

use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, Typed, none};
use crate::workspace::{ExprRef, FileNo};

/// What calling such a function gives; nothing where it is another one.
pub(super) fn call(query: &Query<'_>, file: FileNo, callee: ExprRef, args: u32) -> Option<Typed> {
    let (head, name) = called(query, callee)?;
    let given = query.each(file, args, |at| at);
    let first = *given.first()?;
    let of_first = || query.type_of(first).ty;
    let promise = |of: Ty| Ty::External(query.workspace.sym("Promise"), [of].into());
    let text = || Ty::External(query.workspace.sym("string"), none());
    let ty = match (head, name) {
        ("Object", "values") => Ty::array(value_of(query, file, &of_first())?),
        ("Object", "entries") => {
            let value = value_of(query, file, &of_first())?;
            Ty::array(Ty::Tuple([text(), value].into()))
        }
        ("Object", "keys" | "getOwnPropertyNames") => Ty::array(text()),
        ("Object", "freeze" | "seal" | "preventExtensions") => of_first(),
        ("Object", "assign") => Ty::union(given.iter().map(|at| query.type_of(*at).ty).collect()),
        ("Array", "from" | "fromAsync") if given.len() == 1 => {
            Ty::array(containers::unwrap(query, file, &of_first(), "iter")?)
        }
        ("Array", "from" | "fromAsync") => Ty::array(containers::returned(query, file, args)?),
        ("Promise", "resolve") => promise(settled(query, file, of_first())),
        ("Promise", "all") => promise(all_settled(query, first)?),
        ("Promise", "race" | "any") => {
            let one = containers::unwrap(query, file, &of_first(), "iter")?;
            promise(settled(query, file, one))
        }
        _ => return None,
    };
    Some(Typed::guess(ty))
}

/// What such a function expects: `Array.from(list, x => …)` hands over one element after the other.
pub(super) fn expected(query: &Query<'_>, callee: ExprRef, args: u32, index: u32) -> Option<Ty> {
    let ("Array", "from" | "fromAsync") = called(query, callee)? else {
        return None;
    };
    let first = query.each(callee.file, args, |at| at).first().copied()?;
    let element = containers::unwrap(query, callee.file, &query.type_of(first).ty, "iter")?;
    let place = Ty::External(query.workspace.sym("number"), none());
    (index == 1).then(|| Ty::External(None, [element, place].into()))
}

/// The object of the language and the function of it that are called.
fn called<'q>(query: &Query<'q>, callee: ExprRef) -> Option<(&'q str, &'q str)> {
    let Expr::Member { of, name, .. } = query.expr(callee) else {
        return None;
    };
    let Expr::Name { name: head, .. } = query.expr(ExprRef { expr: of, ..callee }) else {
        return None;
    };
    let bound = query.file(callee.file)?;
    let text = |name| query.workspace.text(bound.sym(name));
    let (head, name) = (text(head), text(name));
    let is_known = matches!(head, "Object" | "Array" | "Promise") && query.find(callee).is_empty();
    is_known.then_some((head, name))
}

/// What a collection that is made of others holds: `new Set(list)`, `new Map(pairs)`.
pub(super) fn collected(query: &Query<'_>, file: FileNo, of: &Ty, args: u32) -> Option<Ty> {
    let Ty::External(Some(name), arguments) = of else {
        return None;
    };
    let is_pairs = match query.workspace.text(*name) {
        "Map" | "WeakMap" => true,
        "Set" | "WeakSet" => false,
        _ => return None,
    };
    let first = query.each(file, args, |at| at).first().copied()?;
    if !arguments.is_empty() {
        return None;
    }
    let written = match is_pairs {
        true => written_pair(query, first),
        false => None,
    };
    let entry = || containers::unwrap(query, file, &query.type_of(first).ty, "iter");
    match written.or_else(entry)? {
        Ty::Tuple(pair) if is_pairs => Some(Ty::External(Some(*name), pair)),
        entry if !is_pairs => Some(Ty::External(Some(*name), [entry].into())),
        _ => None,
    }
}

/// The first of the pairs that are written side by side.
fn written_pair(query: &Query<'_>, pairs: ExprRef) -> Option<Ty> {
    let pair = *elements(query, pairs)?.first()?;
    let parts = elements(query, pair).filter(|parts| parts.len() == 2)?;
    Some(Ty::Tuple(
        parts.iter().map(|part| query.type_of(*part).ty).collect(),
    ))
}

/// The elements of an array that is written.
fn elements(query: &Query<'_>, at: ExprRef) -> Option<Vec<ExprRef>> {
    let file = at.file;
    let Expr::Array { of } = query.expr(at) else {
        return None;
    };
    let of = ExprRef { file, expr: of };
    Some(match query.expr(of) {
        Expr::Union { of: list } => query.each(file, list, |at| at),
        _ => vec![of],
    })
}

/// What the keys of an object are given, each of them or one that is not known.
fn value_of(query: &Query<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    match of {
        Ty::Object(object, scope, env) => {
            let ty = query.indexed(*object, *scope)?;
            Some(ty.with(env))
        }
        Ty::Instance(def, args) => {
            let inner = query.def(*def)?.inner;
            let ty = query.indexed(def.file, inner)?;
            Some(ty.with(&query.env_of(*def, args)))
        }
        _ => containers::unwrap(query, file, of, "iter"),
    }
}

/// What promises give once all of them are kept: of those that are written side by side each by itself.
fn all_settled(query: &Query<'_>, promises: ExprRef) -> Option<Ty> {
    let file = promises.file;
    if let Some(all) = elements(query, promises).filter(|all| all.len() > 1) {
        let each = |at: &ExprRef| settled(query, file, query.type_of(*at).ty);
        return Some(Ty::Tuple(all.iter().map(each).collect()));
    }
    match query.type_of(promises).ty {
        Ty::Tuple(parts) => {
            let parts = parts.iter().map(|part| settled(query, file, part.clone()));
            Some(Ty::Tuple(parts.collect()))
        }
        of => {
            let one = containers::unwrap(query, file, &of, "iter")?;
            Some(Ty::array(settled(query, file, one)))
        }
    }
}

/// What awaiting a value gives: itself if it is no promise.
pub(super) fn settled(query: &Query<'_>, file: FileNo, of: Ty) -> Ty {
    if let Some(held) = containers::unwrap(query, file, &of, "await") {
        return held;
    }
    let is_kept_later = |name| !query.member(&of, name, space::ANY, file).is_empty();
    match of {
        // What can be waited for in its own way gives what nobody knows.
        Ty::Instance(..) | Ty::Object(..)
            if query.workspace.sym("then").is_some_and(is_kept_later) =>
        {
            Ty::Unknown
        }
        of => of,
    }
}
