//! What classes themselves have: the members of their metaclasses.

use codecortex_bind::METACLASS;
use codecortex_bind::facts::space;

use crate::query::{Found, Query};
use crate::ty::{Ty, none};
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
