//! Iteration, `await` and deconstruction.

use codecortex_bind::facts::{DefKind, Expr, NONE, flag, space};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The type of a member, or what it gives if it is a method.
pub(super) fn member_type(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    name: &str,
) -> Option<Ty> {
    let name = resolver.workspace.name(name)?;
    let found = resolver.member(of, name, space::VALUE, file);
    let def = *found.defs.first()?;
    let typed = if resolver.def(def)?.kind.is_callable() {
        resolver.declared_result(def)
    } else {
        resolver.type_of_def(def)
    };
    Some(typed.ty.with(&found.subst))
}

/// What `foreach` gets of an instance of a type that says so itself.
pub(super) fn element(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    if let Ty::Param(param) = of {
        let bound = resolver.def(*param)?.ty;
        let bound = resolver.lower_type(ExprRef {
            file: param.file,
            expr: bound,
        });
        return library_types::unwrap(resolver, file, &bound.ty, "iter");
    }
    let enumerator = member_type(resolver, file, of, "GetEnumerator")?;
    match &enumerator {
        Ty::External(_, args) => args.first().cloned(),
        Ty::Instance(..) => member_type(resolver, file, &enumerator, "Current"),
        _ => None,
    }
}

/// The type of `await` of a value of a type.
pub(super) fn awaited(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let awaiter = member_type(resolver, file, of, "GetAwaiter")?;
    match &awaiter {
        Ty::External(_, args) => args.first().cloned(),
        Ty::Instance(..) => member_type(resolver, file, &awaiter, "GetResult"),
        _ => None,
    }
}

/// Whether a value is what a task without a result gives that is awaited.
pub(super) fn gives_nothing(resolver: &Resolver<'_>, value: ExprRef) -> bool {
    let Expr::Await { of } = resolver.expr(value) else {
        return false;
    };
    let of = resolver.type_of(ExprRef { expr: of, ..value }).ty;
    let is_task = matches!(super::support::named(resolver, &of), "Task" | "ValueTask");
    is_task && matches!(of, Ty::External(_, args) if args.is_empty())
}

/// What an instance gives when it is deconstructed: by its `Deconstruct`, or as a record by its parameters.
pub(super) fn taken_apart(
    resolver: &Resolver<'_>,
    file: FileNo,
    of: &Ty,
    def: DefRef,
    args: &[Ty],
    index: u32,
) -> Option<Ty> {
    if let Some(name) = resolver.workspace.name("Deconstruct") {
        let found = resolver.member(of, name, space::VALUE, file);
        for method in &found.defs {
            let bound = resolver.file(method.file)?;
            let is_extension = bound.def(method.def).flags & flag::EXTENSION != 0;
            let shift = usize::from(is_extension);
            if let Some(param) = bound.params(method.def).nth(index as usize + shift) {
                let param = DefRef {
                    file: method.file,
                    def: param,
                };
                return Some(resolver.type_of_def(param).ty.with(&found.subst));
            }
        }
    }
    let bound = resolver.file(def.file)?;
    let at = bound.def(def.def).at;
    let primary = bound.all_in(bound.def(def.def).inner).find(|other| {
        bound.def(*other).kind == DefKind::Constructor && bound.def(*other).at == at
    })?;
    let param = bound.params(primary).nth(index as usize)?;
    let subst = resolver.substitution_of(def, args);
    let param = DefRef {
        file: def.file,
        def: param,
    };
    Some(resolver.type_of_def(param).ty.with(&subst))
}

/// What a range of an instance gives that has no `Slice`: what its indexer does.
pub(super) fn sliced_by_indexer(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, at: NONE, .. } = resolver.expr(callee) else {
        return None;
    };
    let of = resolver.type_of(ExprRef { expr: of, ..callee }).ty;
    let given = match of {
        Ty::Instance(..) => member_type(resolver, callee.file, &of, "this")?,
        _ => return None,
    };
    Some(Typed::inferred(given))
}
