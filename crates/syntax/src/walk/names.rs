//! Where names are, and what they say.

use std::ops::Range;

use tree_sitter::Node;

use super::Walk;
use crate::facts::{ItemIndex, ItemKind, Str};
use crate::spec::{Extras, NodeRule};

/// Deeper names are parts of expressions.
const DEPTH: usize = 8;

/// A name, and what it says that it is in.
pub(super) struct QualifiedName<'t> {
    pub(super) range: Range<usize>,
    pub(super) container: &'t str,
}

impl<'t> Walk<'t> {
    /// The names that a declaration declares.
    pub(super) fn names(
        &self,
        node: Node<'t>,
        rule: &NodeRule,
        extras: &Extras,
    ) -> Vec<QualifiedName<'t>> {
        let found = if extras.names.is_empty() {
            self.select(node, rule.name)
                .and_then(|start| self.name_inside(start))
                .into_iter()
                .collect()
        } else {
            self.listed(self.spec.select_all(node, rule.name), &extras.names)
        };
        found
            .into_iter()
            .filter_map(|node| self.read_name(node))
            .collect()
    }

    /// The name in what stands around it.
    fn name_inside(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        for _ in 0..DEPTH {
            node = match self.spec.names.inside.get(&node.kind_id()) {
                Some(Some(selector)) => self.select(node, *selector)?,
                Some(None) => node.named_child(0)?,
                None => return Some(node),
            };
        }
        None
    }

    /// Names of some kinds, in lists of them.
    fn listed(&self, starts: Vec<Node<'t>>, kinds: &[u16]) -> Vec<Node<'t>> {
        let mut found = Vec::new();
        let mut pending: Vec<_> = starts.into_iter().rev().map(|node| (node, 0)).collect();
        while let Some((node, depth)) = pending.pop() {
            let Some(node) = self.name_inside(node) else {
                continue;
            };
            if kinds.contains(&node.kind_id()) {
                found.push(node);
            } else if depth < DEPTH && self.spec.names.lists.contains(&node.kind_id()) {
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).collect();
                pending.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
            }
        }
        found
    }

    fn read_name(&self, node: Node<'t>) -> Option<QualifiedName<'t>> {
        let rules = &self.spec.names;
        let source = self.source(node);
        let text = source.trim_matches(rules.trim.as_slice());
        let text = if text.is_empty() { source } else { text };
        let mut start = node.start_byte() + (text.as_ptr() as usize - source.as_ptr() as usize);
        let end = start + text.len();
        let mut container = "";
        if let Some(at) = text.rfind(rules.separators.as_slice())
            && at + 1 < text.len()
        {
            container = text[..at].trim_end_matches(rules.separators.as_slice());
            start += at + 1;
        }
        let name = self.text.get(start..end)?;
        if name.is_empty() || rules.none.iter().any(|none| none == name) {
            return None;
        }
        Some(QualifiedName {
            range: start..end,
            container,
        })
    }

    /// What members are written outside of becomes a type where it is declared as something else; what
    /// is not declared in the file is said by their signatures alone.
    pub(super) fn apply_owners(&mut self) {
        let Some(kind) = self.spec.names.owners else {
            return;
        };
        let paths = self.top_level_paths();
        for index in 0..self.facts.items.len() {
            let item = &self.facts.items[index];
            if item.container.is_empty() || item.kind == ItemKind::Extension {
                continue;
            }
            let container = self.facts.str(item.container).replace(':', ".");
            let Some(owner) = paths.get(&container).copied() else {
                self.facts.items[index].container = Str::default();
                continue;
            };
            let item = &mut self.facts.items[index];
            item.kind = match item.kind {
                ItemKind::Function => ItemKind::Method,
                ItemKind::Variable => ItemKind::Field,
                kind => kind,
            };
            let owner = &mut self.facts.items[owner as usize];
            if !owner.kind.is_type() && !owner.kind.is_callable() {
                owner.kind = kind;
            }
        }
    }

    /// The declarations outside of others by their paths, the first of each.
    fn top_level_paths(&self) -> std::collections::HashMap<String, ItemIndex> {
        let mut paths = std::collections::HashMap::new();
        for (index, item) in self.facts.items.iter().enumerate() {
            if item.parent.is_some() {
                continue;
            }
            let (container, name) = (self.facts.str(item.container), self.facts.str(item.name));
            let path = if container.is_empty() {
                name.to_owned()
            } else {
                format!("{}.{name}", container.replace(':', "."))
            };
            paths.entry(path).or_insert(index as ItemIndex);
        }
        paths
    }
}
