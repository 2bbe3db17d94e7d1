//! Metaclasses: members of classes as objects.

use codecortex_bind::METACLASS;
use codecortex_bind::facts::{NONE, space};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::results;
use crate::ty::{Ty, Typed, none};

/// What a class is an instance of, if it or an ancestor says so.
pub(super) fn instance(resolver: &Resolver<'_>, class: DefRef) -> Option<Ty> {
    let name = resolver.workspace.name(METACLASS)?;
    let found = resolver.member_of_type(class, &none(), name, space::ANY);
    let said = *found.defs.first()?;
    let expr = resolver.def(said)?.ty;
    let of = resolver.lower_type(ExprRef {
        file: said.file,
        expr,
    });
    (!of.ty.is_unknown()).then_some(of.ty)
}

/// What a class has by its metaclass under a name.
pub(super) fn member(
    resolver: &Resolver<'_>,
    of: &Ty,
    name: Name,
    spaces: u8,
    from: FileNo,
) -> LookupResult {
    let class = match of {
        Ty::Type(class, _) => *class,
        _ => return LookupResult::nothing(),
    };
    instance(resolver, class).map_or_else(LookupResult::nothing, |of| {
        resolver.member(&of, name, spaces, from)
    })
}

/// What a class gives that is called, if the `__call__` of its metaclass declares it.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    // Hardly any workspace has a metaclass.
    resolver.workspace.name(METACLASS)?;
    let name = resolver.workspace.name("__call__")?;
    let of = resolver.type_of(callee).ty;
    let found = member(resolver, &of, name, space::ANY, callee.file);
    // What `type` itself gives is an instance of the class.
    if results::is_of_library(&found) {
        return None;
    }
    let def = resolver.def(*found.defs.first()?)?;
    let result = resolver.declared_result(*found.defs.first()?);
    let is_told = def.ty != NONE && matches!(result.ty, Ty::Instance(..) | Ty::External(..));
    is_told.then_some(Typed::inferred(result.ty))
}
