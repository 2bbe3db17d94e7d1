//! Languages in which declarations are calls: Ruby's `attr_reader :name`, Elixir's `def f(x)`.

use std::collections::HashMap;

use tree_sitter::Node;

use super::compile::Compiler;
use super::meanings::{relation, visibility};
use super::{Rule, Selector, Spec};
use crate::{Relation, Visibility};

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
    callees: HashMap<u16, Selector>,
    roles: HashMap<String, CallRole>,
    /// For names that start with that byte.
    by_start: Vec<(u8, CallRole)>,
    pub(crate) arguments: Option<Selector>,
    /// Kinds of arguments that name members.
    pub(crate) names: Vec<u16>,
}

/// Longer texts are expressions, and no names.
const LONGEST: usize = 64;

impl Calls {
    /// What a call means.
    pub(crate) fn role(&self, spec: &Spec, node: Node<'_>, text: &str) -> Option<CallRole> {
        let callee = spec.select(node, *self.callees.get(&node.kind_id())?)?;
        let name = text.get(node.start_byte()..callee.end_byte())?;
        self.role_of(name)
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
}

impl Compiler<'_> {
    pub(super) fn calls(&self, rules: &mut Vec<Rule>) -> Result<Calls, String> {
        let file = &self.file.calls;
        let mut calls = Calls {
            arguments: file
                .arguments
                .as_deref()
                .map(|name| self.selector(name))
                .transpose()?,
            ..Calls::default()
        };
        for (kind, callee) in &file.nodes {
            let selector = self.selector(callee)?;
            calls
                .callees
                .extend(self.ids(kind)?.into_iter().map(|id| (id, selector)));
        }
        for name in &file.names {
            calls.names.extend(self.ids(name)?);
        }
        for (name, rule) in &file.items {
            rules.push(self.rule(rule)?);
            calls.add(name, CallRole::Item((rules.len() - 1) as u16));
        }
        for (name, text) in &file.docs {
            calls.add(name, CallRole::Doc(self.selector(text)?));
        }
        for (name, text) in &file.inner_docs {
            calls.add(name, CallRole::InnerDoc(self.selector(text)?));
        }
        for (name, word) in &file.bases {
            calls.add(name, CallRole::Bases(relation(word)?));
        }
        for name in &file.attributes {
            calls.add(name, CallRole::Attribute);
        }
        for (name, word) in &file.access {
            calls.add(name, CallRole::Access(visibility(word)?));
        }
        Ok(calls)
    }
}

impl Calls {
    fn add(&mut self, name: &str, role: CallRole) {
        match name
            .strip_suffix('*')
            .and_then(|start| start.bytes().next())
        {
            Some(start) => self.by_start.push((start, role)),
            None => drop(self.roles.insert(name.to_owned(), role)),
        }
    }
}
