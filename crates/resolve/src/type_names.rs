//! The names of all types of a workspace, for questions about so many declarations that it pays to know them.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::ids::Name;
use crate::workspace::Workspace;

/// The names of all types, for questions about so many declarations that it pays to know them first: most
/// names in heads are of types from outside, and looking for these is what takes the time.
#[derive(Clone, Debug, Default)]
pub struct AllTypes {
    pub(crate) names: Rc<FxHashSet<Name>>,
    /// Of those, what is declared in another type.
    pub(crate) nested: Rc<FxHashSet<Name>>,
}

impl AllTypes {
    /// Of every type that is declared anywhere: its name, and whether it is in another type.
    pub fn new<'a>(workspace: &Workspace, types: impl Iterator<Item = (&'a str, bool)>) -> Self {
        let (mut names, mut nested) = (FxHashSet::default(), FxHashSet::default());
        for (name, is_nested) in types {
            if let Some(sym) = workspace.name(name) {
                names.insert(sym);
                nested.extend(is_nested.then_some(sym));
            }
        }
        Self {
            names: names.into(),
            nested: nested.into(),
        }
    }
}
