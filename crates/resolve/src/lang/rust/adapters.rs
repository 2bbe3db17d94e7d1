//! Iterators of the standard library that are made of another one, written as types: `Enumerate<Iter<'_, T>>`.

use crate::containers;
use crate::query::Query;
use crate::ty::{Ty, none};
use crate::workspace::FileNo;

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
pub(super) fn denoted(query: &Query<'_>, file: FileNo, name: &str, args: &[Ty]) -> Option<Ty> {
    let gives = |index: usize| given_by(query, file, args.get(index)?);
    let element = match name {
        _ if SAME.contains(&name) => gives(0)?,
        "Enumerate" => {
            let number = Ty::External(query.workspace.sym("usize"), none());
            Ty::Tuple([number, gives(0)?].into())
        }
        "Zip" => Ty::Tuple([gives(0)?, gives(1)?].into()),
        "Flatten" => given_by(query, file, &gives(0)?)?,
        _ => return None,
    };
    Some(Ty::array(element))
}

/// What iterating gives, if anything is known of it.
fn given_by(query: &Query<'_>, file: FileNo, of: &Ty) -> Option<Ty> {
    let step = || containers::unwrap(query, file, of, "iter");
    let given = query.deeper(step).flatten()?;
    let is_known = !given.is_unknown() && given != Ty::external();
    is_known.then_some(given)
}
