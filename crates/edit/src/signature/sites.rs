//! What a place does with a function that it names: a call with its arguments, an import, or something else.

use tree_sitter::{Node, Tree};

use crate::tree::{children, leaf_at, text_of};

/// What a place does with a function.
pub(crate) enum UseSite<'t> {
    /// Calls it.
    Call {
        arguments: Node<'t>,
        /// What is called, as far as it is written before the arguments.
        callee: Node<'t>,
    },
    /// Calls it in the tokens of a macro.
    MacroCall {
        arguments: Node<'t>,
        /// Whether the name is looked up in a type: `Type::name`.
        is_path: bool,
    },
    /// Names it where its parameters do not matter.
    Named,
    /// Passes it on as a value.
    Value,
}

/// Nodes that write what is before a name or behind it, with the fields that may hold the name.
const NAME_AROUND: &[&str] = &[
    "member_expression",
    "attribute",
    "selector_expression",
    "field_expression",
    "member_access_expression",
    "member_binding_expression",
    "conditional_access_expression",
    "scoped_identifier",
    "qualified_identifier",
    "generic_function",
    "instantiation_expression",
    "generic_name",
    "qualified_name",
    "template_function",
    "template_method",
    "dependent_name",
    "scoped_type_identifier",
    "generic_type",
    "template_type",
    "type_instantiation_expression",
    "non_null_expression",
    "parenthesized_expression",
];

/// Calls, with the field of what is called and, where there is one, of the arguments.
const CALLS: &[(&str, &str)] = &[
    ("call_expression", "function"),
    ("call", "function"),
    ("invocation_expression", "function"),
    ("method_invocation", "name"),
    ("new_expression", "constructor"),
    ("object_creation_expression", "type"),
    ("explicit_constructor_invocation", "constructor"),
    ("implicit_object_creation_expression", ""),
    ("constructor_initializer", ""),
];

/// Nodes in which a name is only named.
const NAMING: &[&str] = &[
    "import_specifier",
    "export_specifier",
    "import_clause",
    "import_statement",
    "import_from_statement",
    "future_import_statement",
    "use_declaration",
    "use_list",
    "import_declaration",
    "import_spec",
    "using_directive",
    "using_declaration",
    "export_statement",
    "visibility_modifier",
];

/// What stands at a place.
pub(crate) fn site_at<'t>(tree: &'t Tree, text: &str, at: u32) -> Option<UseSite<'t>> {
    let leaf = leaf_at(tree, at)?;
    let mut node = leaf;
    // Bounded by the depth of what is written around one name.
    for _ in 0..64 {
        let Some(parent) = node.parent() else {
            return Some(UseSite::Value);
        };
        let kind = parent.kind();
        if kind == "token_tree" {
            return Some(in_macro(node, text));
        }
        if NAMING.contains(&kind) {
            return Some(UseSite::Named);
        }
        if let Some(arguments) = arguments_of(parent, node) {
            return Some(UseSite::Call {
                arguments,
                callee: node,
            });
        }
        if is_in_name_of(parent, text) {
            return Some(UseSite::Named);
        }
        let is_last = parent.end_byte() == node.end_byte();
        let is_first = parent.start_byte() == node.start_byte();
        let is_wrapped = kind == "parenthesized_expression";
        let is_generic = is_first && (kind.contains("generic") || kind.contains("template"))
            || kind == "non_null_expression"
            || kind.contains("instantiation");
        if !NAME_AROUND.contains(&kind) || !(is_last || is_wrapped || is_generic) {
            return Some(UseSite::Value);
        }
        // The first part of `a.b` is not what `a.b` names.
        if is_last && is_first && !is_wrapped && !is_generic && parent.child_count() > 1 {
            return Some(UseSite::Value);
        }
        node = parent;
    }
    Some(UseSite::Value)
}

/// The arguments of a call whose callee is a node.
fn arguments_of<'t>(call: Node<'t>, callee: Node<'t>) -> Option<Node<'t>> {
    let (_, field) = CALLS.iter().find(|(kind, _)| *kind == call.kind())?;
    let is_callee = match *field {
        "" => true,
        field => call
            .child_by_field_name(field)
            .is_some_and(|node| node.id() == callee.id()),
    };
    if !is_callee {
        return None;
    }
    let list = call.child_by_field_name("arguments");
    list.or_else(|| {
        let mut all = children(call).into_iter();
        all.find(|node| node.kind().contains("argument_list"))
    })
}

/// Whether a node is the argument of an operator that takes names: `nameof(a)`.
fn is_in_name_of(node: Node<'_>, text: &str) -> bool {
    if node.kind() != "argument" {
        return false;
    }
    let call = node.parent().and_then(|list| list.parent());
    let callee = call.and_then(|call| call.child_by_field_name("function"));
    callee.is_some_and(|callee| text_of(callee, text) == "nameof")
}

/// A name among the tokens of a macro.
fn in_macro<'t>(name: Node<'t>, text: &str) -> UseSite<'t> {
    let before = name.prev_sibling();
    let is_path = before.is_some_and(|node| text_of(node, text) == "::");
    let mut next = name.next_sibling();
    // `::<T>` in front of the arguments.
    if next.is_some_and(|node| text_of(node, text) == "::") {
        return UseSite::Value;
    }
    match next.take_if(|node| node.kind() == "token_tree" && text_of(*node, text).starts_with('('))
    {
        Some(arguments) => UseSite::MacroCall { arguments, is_path },
        None => UseSite::Value,
    }
}
