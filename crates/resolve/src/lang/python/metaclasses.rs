//! What classes themselves have: the members of their metaclasses.

use codecortex_bind::METACLASS;
use codecortex_bind::facts::{NONE, space};

use crate::query::{Found, Query};
use crate::ty::{Ty, Typed, none};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// What a class is an instance of, if it or an ancestor says so.
pub(super) fn instance(query: &Query<'_>, class: DefRef) -> Option<Ty> {
    let name = query.workspace.sym(METACLASS)?;
    let found = query.member_of_type(class, &none(), name, space::ANY);
    let said = *found.defs.first()?;
    let expr = query.def(said)?.ty;
    let of = query.denotes(ExprRef {
        file: said.file,
        expr,
    });
    (!of.ty.is_unknown()).then_some(of.ty)
}

/// What a class has by its metaclass under a name.
pub(super) fn member(query: &Query<'_>, of: &Ty, name: Sym, spaces: u8, from: FileNo) -> Found {
    let class = match of {
        Ty::Type(class, _) => *class,
        _ => return Found::nothing(),
    };
    instance(query, class).map_or_else(Found::nothing, |of| query.member(&of, name, spaces, from))
}

/// What a class gives that is called, if the `__call__` of its metaclass declares it.
pub(super) fn called(query: &Query<'_>, callee: ExprRef) -> Option<Typed> {
    // Hardly any workspace has a metaclass.
    query.workspace.sym(METACLASS)?;
    let name = query.workspace.sym("__call__")?;
    let of = query.type_of(callee).ty;
    let found = member(query, &of, name, space::ANY, callee.file);
    let def = query.def(*found.defs.first()?)?;
    let result = query.declared_result(*found.defs.first()?);
    let is_told = def.ty != NONE && matches!(result.ty, Ty::Instance(..) | Ty::External(..));
    is_told.then_some(Typed::guess(result.ty))
}
