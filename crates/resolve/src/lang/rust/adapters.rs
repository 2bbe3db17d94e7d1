//! Iterators of the standard library that are made of another one, written as types: `Enumerate<Iter<'_, T>>`.

use crate::ids::FileNo;
use crate::library_types;
use crate::resolver::Resolver;
use crate::ty::{Ty, none};

/// Those that give what the first one gives.
const SAME: [&str; 13] = [
    "Chain",
    "Cloned",
    "Copied",
    "Cycle",
    "Filter",
    "Fuse",
    "Inspect",
    "Peekable",
    "Rev",
    "Skip",
    "SkipWhile",
    "StepBy",
    "Take",
];

/// A list of what an adapter of this name gives, if it is one of something that can be iterated.
pub(super) fn lowered(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: &str,
    args: &[Ty],
) -> Option<Ty> {
    let gives = |index: usize| given_by(resolver, file, args.get(index)?);
    let element = match name {
        _ if SAME.contains(&name) => gives(0)?,
        "Enumerate" => {
            let number = Ty::External(resolver.workspace.name("usize"), none());
            Ty::Tuple([number, gives(0)?].into())
        }
        "Zip" => Ty::Tuple([gives(0)?, gives(1)?].into()),
        "Flatten" => given_by(resolver, file, &gives(0)?)?,
        _ => return None,
    };
    Some(Ty::array(element))
}

/// What iterating gives, if anything is known of it.
fn given_by(resolver: &Resolver<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let step = || library_types::unwrap(resolver, file, of, "iter");
    let given = resolver.with_depth(step).flatten()?;
    let is_known = !given.is_unknown() && !matches!(given, Ty::External(None, _));
    is_known.then_some(given)
}
