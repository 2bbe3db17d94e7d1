//! Promises that nobody writes: what asynchronous functions give, and `import("./a").then(module => …)`.

use codecortex_bind::facts::{Def, Expr, NONE, flag};

use super::{globals, library};
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// What such a call gives.
pub(super) fn call(
    resolver: &Resolver<'_>,
    file: FileNo,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let (name, held) = asked(resolver, callee)?;
    let returned = || {
        let given = library_types::returned(resolver, file, args)?;
        Some(library::settled(resolver, file, given))
    };
    let kept = match name {
        "then" => returned().unwrap_or(Ty::Unknown),
        "catch" => Ty::union(std::iter::once(held).chain(returned()).collect()),
        _ => held,
    };
    Some(Typed::inferred(globals::instance(
        resolver,
        file,
        "Promise",
        vec![kept],
    )))
}

/// What a function gives that does not say it: an asynchronous one a promise, a generator an iterator.
pub(super) fn implied_result(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let form = match (
        def.flags & flag::ASYNC != 0,
        def.flags & flag::GENERATOR != 0,
    ) {
        _ if def.ty != NONE => return None,
        (true, true) => "AsyncGenerator",
        (false, true) => "Generator",
        (true, false) => "Promise",
        (false, false) => return None,
    };
    globals::library_type(resolver, at.file, form)?;
    let value = resolver.type_of(ExprRef {
        file: at.file,
        expr: def.value,
    });
    let held = match def.flags & flag::ASYNC {
        0 => value.ty,
        _ => library::settled(resolver, at.file, value.ty),
    };
    Some(Typed::inferred(globals::instance(
        resolver,
        at.file,
        form,
        vec![held],
    )))
}

/// What a function is given that such a call is handed.
pub(super) fn contextual_type(resolver: &Resolver<'_>, callee: ExprRef, index: u32) -> Option<Ty> {
    let (name, held) = asked(resolver, callee)?;
    (name == "then" && index == 0).then(|| Ty::External(None, [held].into()))
}

/// The method that is called on a promise that no library declares, and what that holds.
fn asked<'q>(resolver: &Resolver<'q>, callee: ExprRef) -> Option<(&'q str, Ty)> {
    let Expr::Member { of, name, .. } = resolver.expr(callee) else {
        return None;
    };
    let file = callee.file;
    let name = resolver.file(file)?.name(name);
    let text = resolver.workspace.text(name);
    if !matches!(text, "then" | "catch" | "finally") {
        return None;
    }
    let receiver = resolver.type_of(ExprRef { file, expr: of }).ty;
    let is_promise = match &receiver {
        Ty::External(Some(name), held) => {
            let name = resolver.workspace.text(*name);
            matches!(name, "Promise" | "PromiseLike") && !held.is_empty()
        }
        // A module that is imported when it is needed.
        Ty::Module(..) => true,
        _ => false,
    };
    is_promise.then(|| (text, library::settled(resolver, file, receiver)))
}
