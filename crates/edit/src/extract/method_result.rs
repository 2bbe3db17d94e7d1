//! What an extracted function gives: values of variables, the value of an expression, or what the function around returns.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::extract::extracted_function::ExtractedResult;
use crate::extract::flow::SharedVariable;
use crate::extract::host::FunctionHost;
use crate::extract::jumps::{Jumps, ends_here};
use crate::extract::method_parameters::typed;
use crate::extract::selection::SelectedCode;
use crate::extract::statements::SelectedPart;
use crate::extract::types::MAX_STEPS;
use crate::refusal::{Refusal, RefusalKind};
use crate::tree::text_of;

/// What the function gives.
pub(super) fn result_of(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
    jumps: &Jumps<'_>,
    variables: &[SharedVariable],
) -> Result<ExtractedResult, Refusal> {
    let at = part.range.start as usize;
    let outputs: Vec<SharedVariable> = variables
        .iter()
        .filter(|of| of.is_output)
        .cloned()
        .collect();
    let outputs: Vec<SharedVariable> = match of.dialect {
        // What is outside is given by reference.
        Dialect::Cpp => outputs
            .into_iter()
            .filter(|of| of.is_bound_inside)
            .collect(),
        _ => outputs,
    };
    if part.is_expression {
        return match outputs.is_empty() && jumps.returns.is_empty() && jumps.tries.is_empty() {
            true => Ok(ExtractedResult::Expression),
            false => of.refuse(
                RefusalKind::Unsupported,
                "The expression gives variables other values, or returns.",
                at,
            ),
        };
    }
    let last = part.nodes.iter().rfind(|of| !crate::tree::is_comment(**of));
    let is_value = of.dialect == Dialect::Rust && last.is_some_and(|last| is_block_value(*last));
    let value = last.filter(|_| is_value).map(|last| value_of_block(*last));
    let is_returned = match value {
        Some(BlockValue::Unknown) => {
            let message = "The type of the value of the block is not known.";
            return of.refuse(RefusalKind::Unsure, message, at);
        }
        Some(BlockValue::OfFunction) => true,
        Some(BlockValue::Nothing) | None => false,
    };
    let leaves = last.is_some_and(|last| ends_here(*last));
    if is_returned || leaves && !jumps.returns.is_empty() {
        return Ok(ExtractedResult::Returned);
    }
    let body = host.function.child_by_field_name("body");
    let is_end = last.is_some_and(|last| is_last_of(*last, body));
    let place = jumps.returns.first().or(jumps.tries.first());
    if let Some(place) = place {
        let are_bare = jumps.returns.iter().all(|of| of.named_child_count() == 0);
        let may_return_value = matches!(
            of.dialect,
            Dialect::TypeScript | Dialect::JavaScript | Dialect::Python
        );
        if is_end && jumps.tries.is_empty() && (are_bare || may_return_value) {
            return Ok(match are_bare {
                true => ExtractedResult::Nothing,
                false => ExtractedResult::Returned,
            });
        }
        let message = "The selection may return, or go on behind it.";
        return of.refuse(RefusalKind::Unsupported, message, place.start_byte());
    }
    if leaves {
        // It throws on all ways, which the compiler must know at the call.
        let message = "Nothing behind the selection is reached.";
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    let has_several = matches!(
        of.dialect,
        Dialect::TypeScript
            | Dialect::JavaScript
            | Dialect::Python
            | Dialect::Go
            | Dialect::Rust
            | Dialect::CSharp
    );
    let are_alike = outputs.iter().all(|of| of.is_bound_inside)
        || outputs.iter().all(|of| !of.is_bound_inside)
        || matches!(of.dialect, Dialect::Python);
    if outputs.len() > 1 && !(has_several && are_alike) {
        let names: Vec<String> = outputs.iter().map(|of| format!("`{}`", of.name)).collect();
        let message = format!(
            "Several values are used behind the selection: {}.",
            names.join(", ")
        );
        return of.refuse(RefusalKind::Unsupported, message, at);
    }
    Ok(match outputs.is_empty() {
        true => ExtractedResult::Nothing,
        false => ExtractedResult::Values(outputs),
    })
}

/// Whether a node is the last statement of a body.
fn is_last_of(node: Node<'_>, body: Option<Node<'_>>) -> bool {
    let Some(body) = body else { return false };
    let mut next = node.next_named_sibling();
    while let Some(of) = next.filter(|of| crate::tree::is_comment(*of)) {
        next = of.next_named_sibling();
    }
    let parent = node.parent();
    let is_in = |of: Node<'_>| {
        of.id() == body.id()
            || of.kind() == "statement_list" && of.parent().is_some_and(|of| of.id() == body.id())
    };
    next.is_none() && parent.is_some_and(is_in)
}

/// What the value of a block of Rust is.
enum BlockValue {
    Nothing,
    OfFunction,
    Unknown,
}

/// Whether a node is the value of its block.
fn is_block_value(node: Node<'_>) -> bool {
    let kind = node.kind();
    let is_statement =
        kind.ends_with("_statement") || kind.ends_with("_declaration") || kind.ends_with("_item");
    !is_statement && node.next_named_sibling().is_none()
}

/// What becomes of the value of the block that a node is in.
fn value_of_block(node: Node<'_>) -> BlockValue {
    let mut node = node;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "function_item" => {
                return match parent.child_by_field_name("return_type") {
                    Some(_) => BlockValue::OfFunction,
                    None => BlockValue::Nothing,
                };
            }
            "for_expression" | "while_expression" | "loop_expression" => {
                return BlockValue::Nothing;
            }
            "expression_statement" => {
                let text_end = parent.child(parent.child_count().saturating_sub(1));
                return match text_end.is_some_and(|of| of.kind() == ";") {
                    true => BlockValue::Unknown,
                    false => BlockValue::Nothing,
                };
            }
            "block" if node.next_named_sibling().is_some() => return BlockValue::Nothing,
            "block" | "if_expression" | "else_clause" | "match_arm" | "match_block"
            | "match_expression" => {}
            _ => return BlockValue::Unknown,
        }
        node = parent;
    }
    BlockValue::Unknown
}

/// The type of values of TypeScript that have one of their own, or get others later: what they are at the end of the
/// function may say less.
fn script_result(
    of: &SelectedCode<'_, '_>,
    values: &[SharedVariable],
    is_async: bool,
) -> Result<String, Refusal> {
    let types: Vec<Option<String>> = values
        .iter()
        .map(|value| of.type_of_variable(value.def))
        .collect();
    let needed = values
        .iter()
        .find(|value| value.is_written_behind || of.has_annotation(value.def));
    let Some(needed) = needed else {
        return Ok(String::new());
    };
    let Some(types) = types.into_iter().collect::<Option<Vec<String>>>() else {
        return typed(of, needed).and(of.refuse(
            RefusalKind::Unsure,
            "The types of the values that are used behind the selection are not written.",
            of.range.start as usize,
        ));
    };
    let joined = match &types[..] {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    };
    Ok(match is_async {
        true => format!("Promise<{joined}>"),
        false => joined,
    })
}

/// The type of the result, where the language needs it.
pub(super) fn result_type(
    of: &SelectedCode<'_, '_>,
    host: &FunctionHost<'_>,
    part: &SelectedPart<'_>,
    result: &ExtractedResult,
    is_async: bool,
) -> Result<String, Refusal> {
    if matches!(
        of.dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Python
    ) {
        if let ExtractedResult::Values(values) = result
            && of.dialect == Dialect::TypeScript
        {
            return script_result(of, values, is_async);
        }
        let declared = host.function.child_by_field_name("return_type");
        let declared = declared.filter(|_| {
            of.dialect == Dialect::TypeScript && matches!(result, ExtractedResult::Returned)
        });
        let written = declared.map_or("", |ty| text_of(ty, of.text));
        return match written.contains(" is ") || written.contains("asserts ") {
            true => Ok(String::new()),
            false => Ok(written.trim_start_matches(':').trim().to_owned()),
        };
    }
    match result {
        ExtractedResult::Nothing => Ok(String::new()),
        ExtractedResult::Values(values) => {
            let types = values.iter().map(|value| typed(of, value));
            let types: Vec<String> = types.collect::<Result<_, _>>()?;
            let joined = types.join(", ");
            Ok(match types.len() {
                1 => joined,
                _ => format!("({joined})"),
            })
        }
        ExtractedResult::Expression => {
            let ty = part
                .nodes
                .first()
                .and_then(|node| of.type_of_value(*node, MAX_STEPS));
            match ty {
                Some(ty) => Ok(ty),
                None => of.refuse(
                    RefusalKind::Unsure,
                    "The type of the expression is not written.",
                    part.range.start as usize,
                ),
            }
        }
        ExtractedResult::Returned => {
            let function = host.function;
            let result = ["return_type", "result", "returns", "type"]
                .iter()
                .find_map(|field| function.child_by_field_name(field));
            let is_named = of.dialect == Dialect::Go
                && result.is_some_and(|of| {
                    let mut cursor = of.walk();
                    of.named_children(&mut cursor)
                        .any(|of| of.child_by_field_name("name").is_some())
                });
            let is_pointer = matches!(of.dialect, Dialect::Cpp | Dialect::C)
                && function
                    .child_by_field_name("declarator")
                    .is_none_or(|of| of.kind() != "function_declarator");
            let is_lambda =
                function.kind().contains("lambda") || function.kind() == "closure_expression";
            match result.filter(|_| !is_named && !is_pointer && !is_lambda) {
                Some(result) if text_of(result, of.text) == "void" => Ok(String::new()),
                Some(result) => Ok(text_of(result, of.text).to_owned()),
                None if of.dialect == Dialect::Go && !is_named && !is_lambda => Ok(String::new()),
                None => of.refuse(
                    RefusalKind::Unsure,
                    "The type of what the function around returns is not written.",
                    function.start_byte(),
                ),
            }
        }
    }
}
