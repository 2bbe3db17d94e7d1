//! Fields of variants of enums, those of tuples included.

use codecortex_bind::facts::{DefKind, NONE, space};

use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;

/// A field of the variant that a path leads to.
pub(super) fn of_variant(
    resolver: &Resolver<'_>,
    file: FileNo,
    path: u32,
    name: Name,
) -> Option<LookupResult> {
    let found = resolver.find(ExprRef { file, expr: path });
    let ends = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    let variant = ends.into_iter().find(|def| {
        resolver
            .def(*def)
            .is_some_and(|def| def.kind == DefKind::EnumMember)
    })?;
    let bound = resolver.file(variant.file)?;
    let inner = bound.def(variant.def).inner;
    if inner == NONE {
        return None;
    }
    let own = resolver.own(variant.file, bound, inner, name, u32::MAX, space::FIELD);
    if own.is_empty() {
        return tuple_field(resolver, variant, name);
    }
    Some(LookupResult::defs(own))
}

/// `0` of a variant: such fields have no name in the text.
pub(super) fn tuple_field(resolver: &Resolver<'_>, of: DefRef, name: Name) -> Option<LookupResult> {
    let bound = resolver.file(of.file)?;
    let inner = bound.def(of.def).inner;
    let local = bound.local(name)?;
    let field = bound
        .defs()
        .iter()
        .position(|def| def.scope == inner && def.name == local && def.kind == DefKind::Field)?;
    Some(LookupResult::defs(vec![DefRef {
        file: of.file,
        def: field as u32,
    }]))
}
