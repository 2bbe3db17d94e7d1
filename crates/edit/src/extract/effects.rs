//! What evaluating an expression does: nothing that anybody sees, reading what may have changed, or something.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::forms::SyntaxForms;
use crate::tree::{descendants, text_of};

/// What evaluating does, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// It cannot fail, and reads names and literals alone.
    Nothing,
    /// It reads members or elements, or may fail.
    Reads,
    /// It calls, assigns, waits, or makes something.
    Acts,
}

/// Kinds of nodes that do something, in all grammars.
const ACTS: &str = "call_expression call invocation_expression method_invocation new_expression \
    object_creation_expression implicit_object_creation_expression await_expression await yield_expression yield \
    assignment_expression compound_assignment_expr augmented_assignment_expression update_expression \
    macro_invocation delete_expression co_await_expression named_expression try_expression assignment \
    augmented_assignment inc_statement dec_statement send_statement throw_expression return_expression \
    break_expression continue_expression array_creation_expression switch_expression query_expression \
    explicit_constructor_invocation list_comprehension set_comprehension dictionary_comprehension";

/// Kinds of nodes that read members or elements, or may fail.
const READS: &str = "member_expression subscript_expression attribute subscript field_expression index_expression \
    selector_expression slice_expression field_access array_access member_access_expression \
    element_access_expression conditional_access_expression pointer_expression type_assertion_expression \
    cast_expression non_null_expression template_substitution interpolation unsafe_block block";

fn is_one_of(kinds: &str, kind: &str) -> bool {
    kinds.split_ascii_whitespace().any(|one| one == kind)
}

/// What a node itself does, without those below it.
fn own_effect(node: Node<'_>, text: &str, dialect: Dialect) -> Effect {
    if !node.is_named() {
        return Effect::Nothing;
    }
    let kind = node.kind();
    if is_one_of(ACTS, kind) {
        return Effect::Acts;
    }
    let operator = node.child_by_field_name("operator").or_else(|| match kind {
        "unary_expression" | "prefix_unary_expression" | "postfix_unary_expression" => node
            .child(0)
            .filter(|of| !of.is_named())
            .or_else(|| node.child(1)),
        _ => None,
    });
    let operator = operator.map_or("", |of| text_of(of, text));
    if matches!(operator, "++" | "--" | "<-" | "delete") {
        return Effect::Acts;
    }
    if is_one_of(READS, kind) {
        let head = node
            .child_by_field_name("object")
            .or_else(|| node.child_by_field_name("value"))
            .or_else(|| node.child_by_field_name("argument"));
        let is_own = head.is_some_and(|of| matches!(text_of(of, text), "this" | "self"));
        // A field of the object itself is there; a call may have changed it all the same.
        return match is_own && kind != "subscript_expression" {
            true => Effect::Nothing,
            false => Effect::Reads,
        };
    }
    let is_operator =
        kind.contains("binary") || kind.contains("unary") || kind.contains("operator");
    let may_fail = match dialect {
        Dialect::TypeScript | Dialect::JavaScript => false,
        // Operators are methods, and arithmetic of Rust checks for overflow.
        Dialect::Python | Dialect::Rust => {
            is_operator && !matches!(operator, "" | "&&" | "||" | "!" | "and" | "or" | "not")
        }
        _ => matches!(operator, "/" | "%" | "*") && is_operator,
    };
    if may_fail {
        Effect::Reads
    } else {
        Effect::Nothing
    }
}

/// What evaluating a node does. Functions in it are made, not called.
pub(crate) fn effect_of(
    forms: &SyntaxForms,
    node: Node<'_>,
    text: &str,
    dialect: Dialect,
) -> Effect {
    let all = descendants(node, |of| !forms.is_function(of));
    let effects = all.into_iter().map(|of| own_effect(of, text, dialect));
    effects.max().unwrap_or(Effect::Nothing)
}

/// Whether a node reads a member of the object itself or of something else, which a call may change.
pub(crate) fn reads_members(forms: &SyntaxForms, node: Node<'_>) -> bool {
    let all = descendants(node, |of| !forms.is_function(of));
    all.into_iter()
        .any(|of| of.is_named() && is_one_of(READS, of.kind()))
}

/// Nodes that do something and are evaluated before a node of the same statement.
pub(crate) fn acts_before<'t>(
    forms: &SyntaxForms,
    statement: Node<'t>,
    node: Node<'t>,
    text: &str,
    dialect: Dialect,
) -> Vec<Node<'t>> {
    let all = descendants(statement, |of| {
        !forms.is_function(of) && of.start_byte() < node.start_byte()
    });
    all.into_iter()
        .filter(|of| of.end_byte() <= node.start_byte())
        .filter(|of| own_effect(*of, text, dialect) == Effect::Acts)
        .collect()
}
