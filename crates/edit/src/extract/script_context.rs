//! Expressions of TypeScript that get their type from the place where they stand: named apart, they would have another.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, Role};
use codecortex_resolve::{DefRef, ExprRef};
use tree_sitter::Node;

use crate::extract::selection::SelectedCode;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{children, descendants, range_of};

/// Refuses an expression that means something else, or has another type, apart from its place.
pub(super) fn check(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let at = expression.start_byte();
    check_chain(of, expression)?;
    if of.dialect == Dialect::JavaScript {
        return Ok(());
    }
    if has_expected_type(expression) && needs_expected_type(of, expression) {
        let message = "The type of the expression comes from the place where it stands.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    if narrows(of, expression) {
        let message = "The expression is a test that tells the type of what it tests.";
        return of.refuse(RefusalKind::Unsure, message, at);
    }
    Ok(())
}

/// Refuses the begin of a chain that ends where nothing is before `?.`.
fn check_chain(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> Result<(), Refusal> {
    let goes_on = expression.parent().is_some_and(|parent| {
        ["object", "function"]
            .iter()
            .any(|field| crate::extract::forms::is_in_field(parent, expression, field))
    });
    let mut next = Some(expression).filter(|_| goes_on);
    while let Some(link) = next {
        if children(link)
            .iter()
            .any(|of| of.kind() == "optional_chain")
        {
            let message = "What follows it is not evaluated where `?.` has nothing.";
            return of.refuse(RefusalKind::Unsupported, message, expression.start_byte());
        }
        next = link
            .child_by_field_name("object")
            .or_else(|| link.child_by_field_name("function"));
    }
    Ok(())
}

/// Whether the place of an expression expects a type.
fn has_expected_type(expression: Node<'_>) -> bool {
    let mut node = expression;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression"
            | "ternary_expression"
            | "await_expression"
            | "spread_element"
            | "non_null_expression" => node = parent,
            "binary_expression" => {
                let operator = parent.child_by_field_name("operator");
                if !operator.is_some_and(|of| matches!(of.kind(), "||" | "&&" | "??")) {
                    return false;
                }
                node = parent;
            }
            "variable_declarator" => return parent.child_by_field_name("type").is_some(),
            "arguments"
            | "pair"
            | "array"
            | "return_statement"
            | "arrow_function"
            | "yield_expression"
            | "jsx_expression"
            | "satisfies_expression"
            | "as_expression" => return true,
            "assignment_expression" | "augmented_assignment_expression" => return true,
            _ => return false,
        }
    }
    false
}

/// Kinds of expressions that have the type of a part of theirs.
const TRANSPARENT: [&str; 5] = [
    "parenthesized_expression",
    "ternary_expression",
    "binary_expression",
    "await_expression",
    "non_null_expression",
];

/// Whether the type of an expression depends on what is expected.
fn needs_expected_type(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    descendants(expression, |node| TRANSPARENT.contains(&node.kind()))
        .into_iter()
        .any(|part| match part.kind() {
            "arrow_function" | "function_expression" | "generator_function" => {
                has_untyped_parameter(part)
            }
            "array" => true,
            "object" => has_open_part(part),
            "call_expression" | "new_expression" => infers_from_outside(of, part),
            _ => false,
        })
}

/// Whether an object has a value that gets its type from what is expected.
fn has_open_part(object: Node<'_>) -> bool {
    descendants(object, |node| !node.kind().contains("function"))
        .into_iter()
        .any(|node| {
            let is_key = node
                .parent()
                .and_then(|of| of.child_by_field_name("key"))
                .is_some_and(|key| key.id() == node.id());
            node.kind() == "string" && !is_key
                || node.kind() == "array"
                || is_untyped_function(node)
        })
}

fn is_untyped_function(node: Node<'_>) -> bool {
    let is_function = matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function" | "method_definition"
    );
    is_function && has_untyped_parameter(node)
}

fn has_untyped_parameter(function: Node<'_>) -> bool {
    if function.child_by_field_name("parameter").is_some() {
        return true;
    }
    let list = function.child_by_field_name("parameters");
    list.is_some_and(|list| {
        let parameters = children(list)
            .into_iter()
            .filter(|of| of.kind().ends_with("parameter"));
        parameters
            .filter(|of| of.child_by_field_name("value").is_none())
            .any(|of| of.child_by_field_name("type").is_none())
    })
}

/// Whether a call has type parameters that its own arguments may not tell.
fn infers_from_outside(of: &SelectedCode<'_, '_>, call: Node<'_>) -> bool {
    let has_types = call.child_by_field_name("type_arguments").is_some()
        || children(call)
            .iter()
            .any(|of| of.kind() == "type_arguments");
    if has_types {
        return false;
    }
    let arguments = call
        .child_by_field_name("arguments")
        .map(children)
        .unwrap_or_default();
    let arguments: Vec<Node<'_>> = arguments.into_iter().filter(|of| of.is_named()).collect();
    let has_open =
        arguments.is_empty() || arguments.iter().any(|of| needs_expected_type_shallow(*of));
    if !has_open {
        return false;
    }
    let callee = call
        .child_by_field_name("function")
        .or_else(|| call.child_by_field_name("constructor"));
    let Some(callee) = callee else { return false };
    if callee.kind() == "member_expression" && !arguments.is_empty() {
        return false;
    }
    let name = callee.child_by_field_name("property").unwrap_or(callee);
    let (used, _) = of.resolver.at(of.file, name.start_byte() as u32);
    let target = used.map(|expr| {
        of.resolver.target(ExprRef {
            file: of.file,
            expr,
        })
    });
    let defs = target.map(|target| target.defs).unwrap_or_default();
    let is_generic = |def: &DefRef| {
        let bound = of.resolver.workspace().file(def.file);
        bound.is_some_and(|bound| !bound.type_params(def.def).is_empty())
    };
    match defs.is_empty() {
        // What is not in the workspace may have type parameters, where it is made without any argument.
        true => callee.kind() != "member_expression",
        false => defs.iter().any(is_generic),
    }
}

/// Whether an argument tells no type by itself.
fn needs_expected_type_shallow(argument: Node<'_>) -> bool {
    match argument.kind() {
        "array" | "null" | "undefined" => true,
        _ => is_untyped_function(argument),
    }
}

/// Whether names have another type behind a test because of it, and would not by way of a constant: TypeScript follows
/// constants that test constants and parameters that are never assigned.
fn narrows(of: &SelectedCode<'_, '_>, expression: Node<'_>) -> bool {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return false;
    };
    let Some(statement) = tested_in(expression) else {
        return false;
    };
    let (start, end) = (expression.end_byte() as u32, statement.end_byte() as u32);
    let range = range_of(expression);
    let uses = of.resolver.uses_between(of.file, range.start, range.end);
    uses.into_iter().any(|(expr, ..)| {
        let Some((name, ..)) = bound.expr(expr).written() else {
            return false;
        };
        let narrowed = bound.narrowings_of(name);
        let mut narrowed = narrowed.filter(|of| (start..=end).contains(&of.start));
        narrowed.any(|narrowing| {
            let is_name = matches!(bound.expr(narrowing.of), Expr::Name { .. });
            !is_name
                || !of
                    .local_targets(narrowing.of)
                    .into_iter()
                    .all(|def| is_constant(of, def))
        })
    })
}

/// The statement that an expression is a condition in, or a part of one.
fn tested_in(expression: Node<'_>) -> Option<Node<'_>> {
    let mut node = expression;
    let mut is_test = false;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression" | "unary_expression" => {}
            "binary_expression" => {
                let operator = parent.child_by_field_name("operator");
                if !operator.is_some_and(|of| matches!(of.kind(), "&&" | "||")) {
                    break;
                }
                is_test |= parent
                    .child_by_field_name("left")
                    .is_some_and(|of| of.id() == node.id());
            }
            _ => {
                let condition = parent.child_by_field_name("condition");
                is_test |= condition.is_some_and(|of| of.id() == node.id());
                node = parent;
                break;
            }
        }
        node = parent;
    }
    is_test.then_some(node)
}

/// Whether nothing gives a variable another value.
pub(super) fn is_constant(of: &SelectedCode<'_, '_>, def: u32) -> bool {
    let Some(bound) = of.resolver.workspace().file(of.file) else {
        return false;
    };
    let name = bound.def(def).name;
    let mut uses = bound.uses();
    !uses.any(|(expr, used, _, role)| {
        used == name
            && matches!(role, Role::Write | Role::ReadWrite)
            && of.local_targets(expr).contains(&def)
    })
}
