//! Uses of Python that need no import when a module is loaded: annotations that nobody evaluates, and bodies of functions.
//!
//! Two modules that need each other can be loaded where one of them imports the other one late.

use codecortex_resolve::FileNo;
use tree_sitter::Node;

use crate::moving::plan::MovePlan;
use crate::refusal::Refusal;
use crate::tree::{children, leaf_at, text_of};

/// When a name is looked up.
pub(crate) enum UseTime<'t> {
    /// Never: in a quoted annotation, or in any where the file says that annotations are not evaluated.
    Never,
    /// When this block runs: the body of the outermost function around, or what only a file that is run does.
    Block(Node<'t>),
    /// When the module is loaded.
    Load,
}

/// When a use of a file is looked up.
pub(crate) fn use_time<'p>(
    plan: &MovePlan<'p, '_>,
    file: FileNo,
    at: u32,
) -> Result<UseTime<'p>, Refusal> {
    let (tree, text) = (plan.tree(file)?, plan.text(file)?);
    let keeps_annotations = text.contains("from __future__ import annotations");
    let mut block = None;
    let mut is_in_value = false;
    let mut next = leaf_at(tree, at);
    while let Some(node) = next {
        let Some(parent) = node.parent() else {
            break;
        };
        match node.kind() {
            "interpolation" => is_in_value = true,
            "string" if !is_in_value => return Ok(UseTime::Never),
            "type" if keeps_annotations => return Ok(UseTime::Never),
            "block" => {
                let condition = parent.child_by_field_name("condition");
                let is_script = parent.kind() == "if_statement"
                    && condition.is_some_and(|node| text_of(node, text).starts_with("__name__"));
                if parent.kind() == "function_definition" || is_script {
                    block = Some(node);
                }
            }
            _ => {}
        }
        next = Some(parent);
    }
    Ok(block.map_or(UseTime::Load, UseTime::Block))
}

/// Where a block begins behind its documentation, and the white space before its lines; nothing where it has no lines.
pub(crate) fn block_start<'s>(block: Node<'_>, text: &'s str) -> Option<(u32, &'s str)> {
    let statements = children(block).into_iter().filter(|node| node.is_named());
    let mut statements = statements.filter(|node| !crate::tree::is_comment(*node));
    let first = statements.next()?;
    let is_documentation = first.kind() == "expression_statement"
        && first.child(0).is_some_and(|node| node.kind() == "string");
    let first = match is_documentation {
        true => statements.next()?,
        false => first,
    };
    let before = text.get(..first.start_byte())?;
    let indent = before.rsplit('\n').next()?;
    let is_line = !indent.is_empty() && indent.chars().all(char::is_whitespace);
    is_line.then_some((first.start_byte() as u32, indent))
}
