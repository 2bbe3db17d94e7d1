//! The selected statements, or the selected expression, that become a function.

use std::ops::Range;

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::forms::Crossing;
use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{is_comment, range_of};

/// What becomes a function.
pub(super) struct SelectedPart<'t> {
    /// The statements, or the one expression.
    pub(super) nodes: Vec<Node<'t>>,
    pub(super) range: Range<u32>,
    /// Whether it is an expression whose value is used.
    pub(super) is_expression: bool,
}

impl<'t> SelectedCode<'t, '_> {
    /// The statements of one block that are selected as a whole, else the expression.
    pub(super) fn selected_part(&self) -> Result<SelectedPart<'t>, Refusal> {
        let range = self.with_semicolon();
        if let Some(nodes) = self.selected_statements(&range) {
            let before = nodes.first().and_then(|first| first.prev_named_sibling());
            if before.is_some_and(|of| of.kind() == "attribute_item") {
                let message = "An attribute before the selection belongs to it.";
                return self.refuse(RefusalKind::Unsupported, message, range.start as usize);
            }
            return Ok(SelectedPart {
                nodes,
                range,
                is_expression: false,
            });
        }
        let expression = self.selected_expression()?;
        let parent = expression.parent();
        let crossing = parent.and_then(|parent| self.forms.crossing(parent, expression, self.text));
        if let Some(Crossing::Fixed(reason) | Crossing::FixedItself(reason)) = crossing {
            let message = format!("The expression cannot be given by a function: {reason}.");
            return self.refuse(RefusalKind::Unsupported, message, expression.start_byte());
        }
        Ok(SelectedPart {
            nodes: vec![expression],
            range: range_of(expression),
            is_expression: true,
        })
    }

    /// The selection with the semicolon behind it.
    fn with_semicolon(&self) -> Range<u32> {
        let Range { start, end } = self.range;
        let rest = self.text.get(end as usize..).unwrap_or_default();
        let ends = self
            .text
            .get(..end as usize)
            .is_some_and(|of| of.ends_with([';', '}']));
        match rest.starts_with(';') && !ends {
            true => start..end + 1,
            false => start..end,
        }
    }

    fn selected_statements(&self, range: &Range<u32>) -> Option<Vec<Node<'t>>> {
        let root = self.tree.root_node();
        let mut node =
            root.named_descendant_for_byte_range(range.start as usize, range.end as usize)?;
        // A statement alone has the bytes of what is in it, and a block those of its only statement.
        while let Some(parent) = node.parent().filter(|of| range_of(*of) == *range) {
            node = parent;
        }
        let is_one = |node: Node<'t>| {
            let parent = node.parent()?;
            self.forms.is_statement_in(parent, node).then_some(node)
        };
        let mut inner = node;
        loop {
            if range_of(inner) == *range
                && let Some(statement) = is_one(inner)
            {
                return self.is_statement(statement).then(|| vec![statement]);
            }
            match inner.named_child(0).filter(|of| range_of(*of) == *range) {
                Some(child) => inner = child,
                None => break,
            }
        }
        let mut cursor = node.walk();
        let all: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        let within = |of: &Node<'t>| {
            range.start <= of.start_byte() as u32 && of.end_byte() as u32 <= range.end
        };
        let run: Vec<Node<'t>> = all.into_iter().filter(within).collect();
        let (first, last) = (run.first()?, run.last()?);
        let is_whole =
            first.start_byte() as u32 == range.start && last.end_byte() as u32 == range.end;
        let are_statements = run
            .iter()
            .filter(|of| !is_comment(**of))
            .all(|of| self.forms.is_statement_in(node, *of));
        (is_whole && are_statements && run.iter().any(|of| !is_comment(*of))).then_some(run)
    }

    /// Whether a child of a block is a statement: in Rust an expression may be its value.
    fn is_statement(&self, node: Node<'t>) -> bool {
        let kind = node.kind();
        let is_value = self.dialect == Dialect::Rust && self.forms.is_expression(node);
        !is_value
            || matches!(
                kind,
                "if_expression" | "match_expression" | "block" | "unsafe_block" | "loop_expression"
            )
    }
}
