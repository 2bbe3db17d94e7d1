//! Languages whose names are found but not resolved: every name that is written is a use of whatever is
//! declared by that name (SPEC D2, second rank).

use std::ops::Range;

use crate::builder::BindingsBuilder;
use crate::facts::{Bindings, DefKind, Role, space};

/// A declaration of a file.
#[derive(Clone, Debug)]
pub struct NamedDeclaration<'a> {
    /// Its name as it is written.
    pub name: &'a str,
    /// What it declares.
    pub kind: DefKind,
    /// First byte of the name.
    pub at: u32,
    /// The whole declaration, bytes.
    pub range: Range<usize>,
}

/// The bindings of a file by its declarations and the names that are written in it, in bytes. All are in the
/// file's own scope. What stands where something is declared is no use of it.
#[must_use]
pub fn bind_named<'a>(
    text: &str,
    declared: impl Iterator<Item = NamedDeclaration<'a>>,
    written: impl Iterator<Item = (Range<usize>, Role)>,
) -> Bindings {
    let mut builder = BindingsBuilder::new(text.len() as u32);
    let mut names: Vec<u32> = Vec::new();
    for NamedDeclaration {
        name,
        kind,
        at,
        range,
    } in declared
    {
        builder.define(name, kind, 0, at, range);
        names.push(at);
    }
    names.sort_unstable();
    for (range, role) in written {
        let at = range.start as u32;
        if let Some(name) = text.get(range)
            && names.binary_search(&at).is_err()
        {
            builder.name_use(name, 0, at, role, space::ANY);
        }
    }
    builder.facts
}
