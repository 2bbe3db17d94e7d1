//! What a declaration's head says besides its name: parameters, bases, type parameters, wrappers.

use std::ops::Range;

use tree_sitter::Node;

use super::Walk;
use crate::facts::{ItemKind, Relation};
use crate::spec::NodeRule;

/// Longer types are structures written in place, which are no name of anything.
const MAX_RESULT: usize = 200;

impl<'t> Walk<'t> {
    /// Parameter types of a declaration, separated by `,`.
    pub(crate) fn params(&self, node: Node<'t>, rule: &NodeRule) -> String {
        let Some(list) = rule
            .parameters
            .and_then(|selector| self.select(node, selector))
        else {
            return String::new();
        };
        let mut out = String::new();
        let shown = crate::hooks::go::shown_type_params(self.source(list));
        let from = list.start_byte() + shown.unwrap_or(0);
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if parameter.start_byte() < from {
                continue;
            }
            if self.spec.is_parameter_list(parameter.kind_id()) {
                let mut cursor = parameter.walk();
                let inner = parameter.named_children(&mut cursor);
                inner.for_each(|inner| self.add_param(inner, &mut out));
            } else {
                self.add_param(parameter, &mut out);
            }
        }
        // C# has the parts of a `params` array in the list itself.
        let rest = self
            .spec
            .field_type
            .filter(|_| !self.spec.parameter_words.is_empty());
        if let Some(rest) = rest.and_then(|id| list.child_by_field_id(id.get())) {
            if !out.is_empty() {
                out.push(',');
            }
            out.push_str(&crate::signature::collapse(self.source(rest)));
        }
        out
    }

    fn add_param(&self, parameter: Node<'t>, out: &mut String) {
        if !self.spec.is_parameter(parameter.kind_id()) {
            return;
        }
        if !out.is_empty() {
            out.push(',');
        }
        self.push_param(parameter, out);
    }

    /// The type that a declaration gives or is, as written.
    pub(super) fn result(
        &self,
        node: Node<'t>,
        wrappers: &[Node<'t>],
        rule: &NodeRule,
        name_end: usize,
    ) -> String {
        let is_container = rule.kind.is_type() || rule.kind.is_namespace();
        if is_container || rule.kind == ItemKind::Extension {
            return String::new();
        }
        let written = |node: Node<'t>| {
            let fields = self.spec.field_results.iter();
            fields
                .filter_map(|field| node.child_by_field_id(field.get()))
                .next()
        };
        // Of a declaration of several names, it is in the list of them.
        let mut cursor = node.walk();
        let found = written(node).or_else(|| {
            let mut children = node.named_children(&mut cursor).take(4);
            let is_list = |child: &Node<'t>| child.kind() == "variable_declaration";
            children.find(is_list).and_then(written)
        });
        let found = found.or_else(|| self.type_of(node, wrappers, name_end));
        let Some(found) = found else {
            return String::new();
        };
        let text = crate::signature::collapse(self.source(found));
        let text = text.trim_start_matches(':').trim_start();
        if text.len() > MAX_RESULT || text.contains('{') {
            return String::new();
        }
        text.to_owned()
    }

    /// The type behind a name, or else before it in a wrapper, where kinds tell what is a type.
    fn type_of(&self, node: Node<'t>, wrappers: &[Node<'t>], name_end: usize) -> Option<Node<'t>> {
        if !self.spec.has_types() {
            return None;
        }
        let is_type = |node: &Node<'t>| self.spec.is_type(node.kind_id());
        let behind = |node: Node<'t>| {
            let mut cursor = node.walk();
            let mut children = node.named_children(&mut cursor);
            children.find(|child| child.start_byte() >= name_end && is_type(child))
        };
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        let around_name =
            children.find(|child| child.start_byte() < name_end && name_end <= child.end_byte());
        around_name
            .and_then(behind)
            .or_else(|| behind(node))
            .or_else(|| {
                wrappers.iter().rev().find_map(|wrapper| {
                    let mut cursor = wrapper.walk();
                    let mut children = wrapper.named_children(&mut cursor);
                    children.find(is_type)
                })
            })
    }

    /// Adds what tells a parameter from others: its type, or its name where it has none.
    pub(super) fn push_param(&self, parameter: Node<'t>, out: &mut String) {
        let field = |id: Option<std::num::NonZeroU16>| {
            id.and_then(|id| parameter.child_by_field_id(id.get()))
        };
        let start = out.len();
        let declared = field(self.spec.field_type).or_else(|| {
            let mut cursor = parameter.walk();
            let mut children = parameter.named_children(&mut cursor);
            let is_type = |child: &Node<'t>| self.spec.is_type(child.kind_id());
            children.find(is_type).filter(|_| self.spec.has_types())
        });
        let typed = declared
            .or_else(|| field(self.spec.field_name))
            .or_else(|| field(self.spec.field_pattern))
            .or_else(|| field(self.spec.field_left))
            .unwrap_or(parameter);
        let rest = self.spec.is_rest_parameter(parameter.kind_id());
        let typed = if rest && declared.is_none() {
            self.rest_type(parameter).unwrap_or(typed)
        } else {
            typed
        };
        if rest && self.spec.rest_before_type {
            out.push_str("...");
        }
        for word in &self.spec.parameter_words {
            let mut cursor = parameter.walk();
            let has_word = parameter
                .named_children(&mut cursor)
                .any(|child| self.source(child) == word);
            if has_word {
                out.push_str(word);
                out.push(' ');
            }
        }
        let written = self.source(typed).trim_start_matches(':');
        out.extend(written.split_whitespace().flat_map(|part| [part, " "]));
        out.truncate(out.trim_end().len());
        if rest && !self.spec.rest_before_type {
            out.push_str("...");
        }
        // Go declares several parameters of one type at once.
        if declared.is_some() && !self.spec.has_types() && parameter.named_child_count() > 2 {
            let names = self.spec.field_name.map_or(1, |id| {
                let mut cursor = parameter.walk();
                parameter
                    .children_by_field_id(id, &mut cursor)
                    .filter(Node::is_named)
                    .count()
            });
            let one = out[start..].to_owned();
            for _ in 1..names {
                out.push(',');
                out.push_str(&one);
            }
        }
    }

    /// The type of a parameter like Java's `@Nullable String... names`, which no field names.
    pub(super) fn rest_type(&self, parameter: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = parameter.walk();
        let mut parts: Vec<_> = parameter.named_children(&mut cursor).collect();
        parts.pop(); // the declarator
        parts.pop()
    }

    pub(super) fn bases(&self, node: Node<'t>, rule: &NodeRule) -> Vec<(Relation, String)> {
        let mut out = Vec::new();
        let mut clauses: Vec<_> = Vec::new();
        for (selector, relation) in &rule.bases {
            let found = self.spec.select_all(node, *selector).into_iter();
            clauses.extend(found.map(|clause| (clause, *relation)));
        }
        clauses.sort_by_key(|(clause, _)| clause.start_byte());
        for (clause, relation) in clauses {
            self.collect_bases(clause, relation, &mut out);
        }
        out
    }

    /// The types named in a base clause; a clause that is itself a type counts as one.
    pub(crate) fn collect_bases(
        &self,
        clause: Node<'t>,
        relation: Relation,
        out: &mut Vec<(Relation, String)>,
    ) {
        let mut pending = vec![clause];
        while let Some(node) = pending.pop() {
            if self.spec.is_not_base(node.kind_id()) || self.spec.is_comment(node.kind_id()) {
                continue;
            }
            if !self.spec.is_base_list(node.kind_id()) {
                let name = crate::signature::collapse(self.source(node));
                if !name.is_empty() {
                    out.push((relation, name));
                }
                continue;
            }
            let mut cursor = node.walk();
            let children: Vec<_> = node.named_children(&mut cursor).collect();
            pending.extend(children.into_iter().rev());
        }
    }

    pub(super) fn arity(&self, wrappers: &[Node<'t>], node: Node<'t>) -> u8 {
        if !self.spec.has_type_parameters() {
            return 0;
        }
        let count = |node: &Node<'t>| {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .find(|child| self.spec.is_type_parameters(child.kind_id()))
                .map(|list| self.count_type_parameters(list))
        };
        count(&node)
            .or_else(|| wrappers.iter().find_map(count))
            .unwrap_or(0)
    }

    pub(super) fn count_type_parameters(&self, list: Node<'t>) -> u8 {
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .filter(|child| {
                let kind = child.kind_id();
                !self.spec.is_not_type_parameter(kind)
                    && !self.spec.is_comment(kind)
                    && !self.spec.is_attribute(kind)
            })
            .count()
            .min(255) as u8
    }

    /// The wrappers directly around the current node, outermost first.
    pub(crate) fn wrappers_of(&self) -> Vec<Node<'t>> {
        let mut expected = self.depth;
        let mut chain = Vec::new();
        for (depth, wrapper) in self.wrappers.iter().rev() {
            if *depth + 1 != expected {
                break;
            }
            chain.push(*wrapper);
            expected = *depth;
        }
        chain.reverse();
        chain
    }

    /// A whole declaration: attributes beside it and wrappers around it included.
    pub(super) fn span(&self, wrappers: &[Node<'t>], node: Node<'t>) -> Range<usize> {
        let start = self.outer_start(wrappers, node);
        let start = self.attributes_before(start).map_or(start, |run| run.start);
        start..node.end_byte()
    }

    /// Where a wrapped item starts: the first item of a wrapper takes the wrapper's start.
    pub(super) fn outer_start(&self, wrappers: &[Node<'t>], node: Node<'t>) -> usize {
        let mut start = node;
        for wrapper in wrappers.iter().rev() {
            let mut cursor = wrapper.walk();
            // Not the items of a group in parentheses, and of several only the first.
            let first = wrapper
                .children(&mut cursor)
                .find(|child| child.kind_id() == start.kind_id() || self.source(*child) == "(");
            if first.is_some_and(|first| first.id() != start.id()) {
                break;
            }
            start = *wrapper;
        }
        start.start_byte()
    }
}
