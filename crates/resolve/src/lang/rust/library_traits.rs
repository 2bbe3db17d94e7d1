//! Methods of the library's traits that a type has by no block of its own: of implementations for all types of some kind,
//! and of those that attributes make.

use std::rc::Rc;

use codecortex_bind::facts::{NONE, space};

use super::blanket;
use super::library::declares;
use super::library_modules::{FAMILY, PRELUDE, prelude};
use super::memo::RustMemo;
use super::support::is_trait;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// A member of a trait of the prelude that the library implements for all types of some kind: `into`, `to_string`.
pub(super) fn of_all(
    resolver: &Resolver<'_>,
    of: &Ty,
    (name, spaces): (Name, u8),
    from: FileNo,
) -> LookupResult {
    if spaces & space::VALUE == 0 || !declares(resolver, of, from) {
        return LookupResult::nothing();
    }
    let traits = traits_for_all(resolver);
    let found = traits.iter().map(|of| {
        let own = resolver.own_members(&resolver.parts(*of), name, spaces);
        LookupResult::defs(own)
    });
    let mut found = found.filter(|found| !found.defs.is_empty());
    found.next().unwrap_or_else(LookupResult::nothing)
}

/// Traits that attributes implement.
const DERIVABLE: [&str; 8] = [
    "Clone",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// A method of a trait that a type has by an attribute: `#[derive(Clone)]`.
pub(super) fn derived(resolver: &Resolver<'_>, name: Name, from: FileNo) -> LookupResult {
    let traits = DERIVABLE.iter().filter_map(|name| {
        let name = resolver.workspace.shared_name(name)?;
        let found = prelude(resolver, from, name, space::TYPE);
        found.defs.first().copied()
    });
    let mut found = traits.map(|of| {
        let own = resolver.own_members(&resolver.parts(of), name, space::VALUE);
        LookupResult::defs(own)
    });
    let found = found.find(|found| !found.defs.is_empty());
    found.unwrap_or_else(LookupResult::nothing)
}

/// The traits of the prelude with an implementation for a type parameter.
fn traits_for_all(resolver: &Resolver<'_>) -> Rc<[DefRef]> {
    let memo = resolver.languages.get::<RustMemo>();
    if let Some(known) = &*memo.library_traits_for_all.borrow() {
        return known.clone();
    }
    *memo.library_traits_for_all.borrow_mut() = Some([].into());
    let mut found = Vec::new();
    let file = resolver.workspace.library_file_at(FAMILY, PRELUDE);
    if let Some((file, bound)) = file.and_then(|file| Some((file, resolver.file(file)?))) {
        let aliases = (0..bound.defs().len() as u32).map(|def| DefRef { file, def });
        let ends = aliases.flat_map(|alias| resolver.resolve_alias(alias).ends);
        found.extend(ends.filter(|end| is_trait(resolver, *end) && is_for_all(resolver, *end)));
    }
    let found: Rc<[DefRef]> = found.into();
    *memo.library_traits_for_all.borrow_mut() = Some(found.clone());
    found
}

fn is_for_all(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let (Some(bound), Some(name)) = (resolver.file(of.file), resolver.name_of(of)) else {
        return false;
    };
    let of_file = |param: Name| resolver.workspace.written_outside(of.file, param);
    let mut blocks = blanket::parameter_names(resolver).flat_map(of_file);
    blocks.any(|block| {
        let mut bases = bound.bases().iter().filter(|base| base.def == block.def);
        let expr = resolver.def(*block).map_or(NONE, |def| def.ty);
        let file = block.file;
        let is_param = || matches!(resolver.lower_type(ExprRef { file, expr }).ty, Ty::Param(_));
        bases.any(|base| bound.head_name(base.of) == Some(name)) && is_param()
    })
}
