//! `[calls]` against the grammar.

use super::Compiler;
use crate::spec::calls::{CallRole, Calls};
use crate::spec::meanings::{relation, visibility};
use crate::spec::rule::NodeRule;

impl Compiler<'_> {
    pub(super) fn calls(&self, rules: &mut Vec<NodeRule>) -> Result<Calls, String> {
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
