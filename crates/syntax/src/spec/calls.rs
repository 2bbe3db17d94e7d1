//! Languages in which declarations are calls: Ruby's `attr_reader :name`, Elixir's `def f(x)`.

use std::collections::HashMap;

use super::select::Selector;
use crate::facts::{Relation, Visibility};

/// What a call means by what it calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CallRole {
    /// It declares: index of the rule.
    Item(u16),
    /// Where in it is the documentation of the next item.
    Doc(Selector),
    /// Where in it is the documentation of what it stands in.
    InnerDoc(Selector),
    /// Its arguments are bases of what it stands in.
    Bases(Relation),
    /// It belongs to the next item.
    Attribute,
    /// Who sees the members that follow it, or that are its arguments.
    Access(Visibility),
}

/// `[calls]`, compiled.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// By kind of node: where what is called is.
    pub(super) callees: HashMap<u16, Selector>,
    pub(super) roles: HashMap<String, CallRole>,
    /// For names that start with that byte.
    pub(super) by_start: Vec<(u8, CallRole)>,
    pub(crate) arguments: Option<Selector>,
    /// Kinds of arguments that name members.
    pub(crate) names: Vec<u16>,
}

/// Longer texts are expressions, and no names.
const LONGEST: usize = 64;

impl Calls {
    /// Where in a call of a kind is what it calls.
    pub(crate) fn callee(&self, kind: u16) -> Option<Selector> {
        self.callees.get(&kind).copied()
    }

    /// What a name means that stands by itself or is called.
    pub(crate) fn role_of(&self, name: &str) -> Option<CallRole> {
        if name.len() > LONGEST {
            return None;
        }
        let exact = self.roles.get(name).copied();
        exact.or_else(|| {
            let first = name.bytes().next()?;
            let rest = self.by_start.iter().find(|(start, _)| *start == first);
            rest.map(|(_, role)| *role)
        })
    }

    /// Adds what a name means; one that ends with `*` is all that start so.
    pub(super) fn add(&mut self, name: &str, role: CallRole) {
        match name
            .strip_suffix('*')
            .and_then(|start| start.bytes().next())
        {
            Some(start) => self.by_start.push((start, role)),
            None => drop(self.roles.insert(name.to_owned(), role)),
        }
    }
}
