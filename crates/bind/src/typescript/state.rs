//! What a walk through TypeScript keeps of functions, chains, patterns and instances.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{DefId, ExprId, NONE, NameId, ScopeId};

/// What `this` is where the walk is: arrows have that of what is around them.
#[derive(Clone, Copy)]
pub(super) struct This {
    /// Where the outermost of the arrows stands that have no other function or class around them in between.
    pub(super) arrows: ScopeId,
    /// Whether the function around declares it: `function f(this: T)`.
    pub(super) is_declared: bool,
}

impl Default for This {
    fn default() -> Self {
        Self {
            arrows: NONE,
            is_declared: false,
        }
    }
}

/// What a function gives back.
#[derive(Default)]
pub(super) struct Returns {
    pub(super) values: Vec<ExprId>,
    pub(super) yields: Vec<ExprId>,
    /// What is expected of a returned value.
    pub(super) expected: ExprId,
}

/// What stands before a chain of calls whose first node begins at a byte.
#[derive(Default)]
pub(super) struct Prefixes {
    pub(super) at: u32,
    /// From the outermost on.
    pub(super) of: Vec<Prefix>,
}

pub(super) enum Prefix {
    Await,
    Operator(NameId),
}

/// A name that a pattern binds.
#[derive(Clone, Copy)]
pub(super) struct DestructuredPart<'t> {
    /// The name.
    pub(super) name: &'t str,
    /// What the member is called that it is.
    pub(super) member: &'t str,
    /// That member.
    pub(super) value: ExprId,
}

/// The patterns that take several members of a value.
#[derive(Default)]
pub(super) struct DestructuredSiblings<'t> {
    pub(super) patterns: Vec<Vec<DestructuredPart<'t>>>,
    /// By name: the scope that it is bound in and the pattern, the last one last.
    pub(super) by_name: FxHashMap<&'t str, Vec<(ScopeId, usize)>>,
}

impl DestructuredSiblings<'_> {
    /// Whether some pattern binds this name.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }
}

/// What is assigned to instances of classes and in functions that are values, and whose these are.
#[derive(Default)]
pub(super) struct ThisAssignments {
    pub(super) fields: Vec<(ScopeId, AssignedMember)>,
    pub(super) members: Vec<AssignedMember>,
    /// The functions that give their instances these members.
    pub(super) makers: FxHashSet<DefId>,
    /// What functions are given to; of several places the last, which has the shortest name:
    /// `var f = exports.f = function () {}`.
    pub(super) owners: FxHashMap<DefId, ExprId>,
}

/// `this.x = …` in a function that is a value.
pub(super) struct AssignedMember {
    pub(super) function: DefId,
    pub(super) name: String,
    pub(super) at: u32,
    pub(super) value: ExprId,
    pub(super) range: Range<usize>,
}
