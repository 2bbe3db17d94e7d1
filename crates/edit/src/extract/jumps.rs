//! Statements that leave the code around them: `return`, `break`, `yield`, and what else ties statements to their
//! function.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{children, text_of};

/// What selected statements do beside going on behind their end.
#[derive(Clone, Debug, Default)]
pub(super) struct Jumps<'t> {
    /// `return`, outside of functions within.
    pub(super) returns: Vec<Node<'t>>,
    /// Rust's `?`.
    pub(super) tries: Vec<Node<'t>>,
    /// Whether something is awaited.
    pub(super) awaits: bool,
    /// Whether the object itself or its base is used, also in functions that have no other.
    pub(super) uses_this: bool,
}

const LOOPS: &str = "while_statement do_statement for_statement for_in_statement enhanced_for_statement \
    foreach_statement for_range_loop range_for_statement loop_expression while_expression for_expression";
const SWITCHES: &str = "switch_statement switch_expression expression_switch_statement type_switch_statement \
    select_statement";

fn has(kinds: &str, kind: &str) -> bool {
    kinds.split_ascii_whitespace().any(|one| one == kind)
}

/// A node with what is around it within the selection.
#[derive(Clone, Copy)]
struct Visited<'t> {
    node: Node<'t>,
    in_loop: bool,
    in_switch: bool,
    in_function: bool,
    /// In a function that has an object of its own.
    has_own_this: bool,
}

/// Reads the jumps of statements.
pub(super) fn jumps_of<'t>(
    of: &SelectedCode<'t, '_>,
    statements: &[Node<'t>],
) -> Result<Jumps<'t>, Refusal> {
    let mut jumps = Jumps::default();
    let mut labels: Vec<&str> = Vec::new();
    let start = |node: &Node<'t>| Visited {
        node: *node,
        in_loop: false,
        in_switch: false,
        in_function: false,
        has_own_this: false,
    };
    let mut next: Vec<Visited<'t>> = statements.iter().rev().map(start).collect();
    while let Some(visited) = next.pop() {
        let node = visited.node;
        let refuse =
            |message: &str| of.refuse(RefusalKind::Unsupported, message, node.start_byte());
        let kind = node.kind();
        if node.has_error() && (node.is_error() || node.is_missing()) {
            return refuse("The selection has a place that does not parse.");
        }
        match kind {
            "labeled_statement" | "label" if node.is_named() => {
                let label = node
                    .child_by_field_name("label")
                    .or_else(|| node.named_child(0));
                labels.extend(label.map(|label| text_of(label, of.text)));
            }
            "return_statement" | "return_expression" if !visited.in_function => {
                jumps.returns.push(node)
            }
            "try_expression" if !visited.in_function && of.dialect == Dialect::Rust => {
                jumps.tries.push(node)
            }
            "yield"
            | "yield_expression"
            | "yield_statement"
            | "co_yield_statement"
            | "co_return_statement"
            | "co_await_expression"
                if node.is_named() && !visited.in_function =>
            {
                return refuse("`yield` belongs to the function around.");
            }
            "await" | "await_expression" if node.is_named() && !visited.in_function => {
                jumps.awaits = true
            }
            "for_statement" | "for_in_statement" | "with_statement" | "for_in_clause"
            | "foreach_statement"
                if !visited.in_function
                    && children(node)
                        .iter()
                        .any(|of| matches!(of.kind(), "async" | "await")) =>
            {
                jumps.awaits = true;
            }
            "goto_statement" | "defer_statement" | "fallthrough_statement"
                if !visited.in_function =>
            {
                return refuse("The statement belongs to the function around.");
            }
            "global_statement" | "nonlocal_statement"
                if of.dialect == Dialect::Python && !visited.in_function =>
            {
                return refuse("The statement is about names of the function around.");
            }
            "break_statement"
            | "continue_statement"
            | "break_expression"
            | "continue_expression"
                if !visited.in_function =>
            {
                let label = node
                    .named_child(0)
                    .filter(|of| of.kind().contains("label") || of.kind().contains("identifier"));
                let is_inside = match label {
                    Some(label) => labels.contains(&text_of(label, of.text)),
                    None => visited.in_loop || visited.in_switch && kind.starts_with("break"),
                };
                if !is_inside {
                    return refuse("It leads out of the selection.");
                }
            }
            "this" | "super" | "self" | "base" if !visited.has_own_this => {
                // `self` is a word of Rust; of Python it is a parameter.
                let is_word = kind != "self" || of.dialect == Dialect::Rust;
                jumps.uses_this |= is_word;
            }
            "identifier"
                if text_of(node, of.text) == "arguments"
                    && is_script(of.dialect)
                    && !visited.has_own_this =>
            {
                return refuse("`arguments` are those of the function around.");
            }
            "meta_property" => return refuse("It is about the function around."),
            "using_statement" | "local_declaration_statement" | "lexical_declaration"
                if statements.iter().any(|of| of.id() == node.id())
                    && children(node).iter().any(|of| of.kind() == "using")
                    && node.child_by_field_name("body").is_none() =>
            {
                return refuse("What it declares ends with the block around.");
            }
            _ => {}
        }
        let is_function = of.forms.is_function(node);
        let has_own_this = is_script(of.dialect) && is_function && kind != "arrow_function"
            || kind == "class_body";
        let inside = Visited {
            node,
            in_loop: visited.in_loop && !is_function || has(LOOPS, kind),
            in_switch: visited.in_switch && !is_function || has(SWITCHES, kind),
            in_function: visited.in_function || is_function || kind == "async_block",
            has_own_this: visited.has_own_this || has_own_this,
        };
        next.extend(
            children(node)
                .into_iter()
                .rev()
                .map(|node| Visited { node, ..inside }),
        );
    }
    Ok(jumps)
}

fn is_script(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::TypeScript | Dialect::JavaScript)
}

/// Whether a statement never goes on behind its end.
pub(super) fn ends_here(node: Node<'_>) -> bool {
    let mut node = node;
    loop {
        match node.kind() {
            "return_statement" | "throw_statement" | "raise_statement" | "return_expression" => {
                return true;
            }
            "expression_statement"
            | "statement_block"
            | "block"
            | "compound_statement"
            | "statement_list"
            | "else_clause" => match last_statement(node) {
                Some(last) => node = last,
                None => return false,
            },
            "if_statement" | "if_expression" => {
                let both = (
                    node.child_by_field_name("consequence"),
                    node.child_by_field_name("alternative"),
                );
                let (Some(first), Some(second)) = both else {
                    return false;
                };
                // Python has one `alternative` for each `elif`.
                let mut cursor = node.walk();
                let others = node
                    .children_by_field_name("alternative", &mut cursor)
                    .count();
                if others > 1 || first.kind() == "elif_clause" || !ends_shallow(first) {
                    return false;
                }
                node = match second.kind() == "else_clause" {
                    true => match second
                        .named_child(second.named_child_count().saturating_sub(1) as u32)
                    {
                        Some(last) => last,
                        None => return false,
                    },
                    false => second,
                };
            }
            _ => return false,
        }
    }
}

/// Whether a block ends with a jump, without looking into conditions.
fn ends_shallow(node: Node<'_>) -> bool {
    let mut node = node;
    loop {
        match node.kind() {
            "return_statement" | "throw_statement" | "raise_statement" | "return_expression" => {
                return true;
            }
            "expression_statement"
            | "statement_block"
            | "block"
            | "compound_statement"
            | "statement_list" => match last_statement(node) {
                Some(last) => node = last,
                None => return false,
            },
            _ => return false,
        }
    }
}

/// The last statement of a block; comments are none.
fn last_statement(block: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = block.walk();
    let all: Vec<Node<'_>> = block.named_children(&mut cursor).collect();
    all.into_iter().rfind(|of| !crate::tree::is_comment(*of))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{descendants, need_tree};

    #[test]
    fn a_comment_behind_a_jump_does_not_hide_it() {
        for (arms, expected) in [
            ("{ return 1; // one\n} else { return 2; }", true),
            ("{ return 1; } else { return 2; /* two */ }", true),
            ("{ return 1; // one\n} else { g(); }", false),
        ] {
            let text = format!("function f(a) {{\n  if (a) {arms}\n}}\n");
            let tree = need_tree("a.ts", &text).unwrap();
            let all = descendants(tree.root_node(), |_| true);
            let condition = all.into_iter().find(|of| of.kind() == "if_statement");
            assert_eq!(ends_here(condition.unwrap()), expected, "{arms}");
        }
    }
}
