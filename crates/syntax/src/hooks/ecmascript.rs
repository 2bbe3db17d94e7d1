//! What the hooks of JavaScript, CommonJS and TypeScript share.

use tree_sitter::Node;

use crate::facts::{ItemFlags, ItemKind, Relation};
use crate::signature::{Signature, collapse};
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// The bases of a class: JavaScript has one clause, TypeScript two.
pub(super) fn heritage<'t>(walk: &Walk<'t>, class: Node<'t>) -> Vec<(Relation, String)> {
    let mut out = Vec::new();
    let mut cursor = class.walk();
    let Some(heritage) = class
        .named_children(&mut cursor)
        .find(|child| child.kind() == "class_heritage")
    else {
        return out;
    };
    let mut clauses = heritage.walk();
    for clause in heritage.named_children(&mut clauses) {
        match clause.kind() {
            "extends_clause" => {
                let Some(value) = clause.child_by_field_name("value") else {
                    continue;
                };
                let end = clause
                    .child_by_field_name("type_arguments")
                    .map_or(value.end_byte(), |arguments| arguments.end_byte());
                let written = walk.text.get(value.start_byte()..end).unwrap_or("");
                out.push((Relation::Extends, collapse(written)));
            }
            "implements_clause" => walk.collect_bases(clause, Relation::Implements, &mut out),
            _ => out.push((Relation::Extends, collapse(walk.source(clause)))),
        }
    }
    out
}

/// Whether the walk is directly in a class, interface or other type.
fn in_type(walk: &Walk<'_>) -> bool {
    !walk.in_code() && walk.parent().is_some_and(|parent| parent.kind.is_type())
}

pub(super) fn in_class(walk: &Walk<'_>) -> bool {
    in_type(walk)
        && walk
            .parent()
            .is_some_and(|parent| parent.kind == ItemKind::Class)
}

/// Whether the current node is an element of the interface or object type that the walk is in,
/// not of a type nested in it.
pub(super) fn is_element(walk: &Walk<'_>) -> bool {
    in_class(walk) || in_type(walk) && walk.levels_below_frame() == Some(2)
}

/// `require("x")`, or a property of it, imports; it does not declare.
pub(super) fn is_require(walk: &Walk<'_>, mut value: Node<'_>) -> bool {
    while value.kind() == "member_expression" {
        match value.child_by_field_name("object") {
            Some(object) => value = object,
            None => return false,
        }
    }
    value.kind() == "call_expression"
        && value
            .child_by_field_name("function")
            .and_then(|function| walk.text.get(function.byte_range()))
            == Some("require")
}

pub(super) fn is_function(value: Node<'_>) -> bool {
    matches!(
        value.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

/// Makes the draft of a name what its value is: a function or class with that one's signature.
pub(super) fn bind<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    value: Node<'t>,
    rule: &NodeRule,
    draft: &mut ItemDraft,
) {
    if is_function(value) {
        draft.kind = ItemKind::Function;
        draft.params = walk.params(value, rule);
        if let Some(only) = value.child_by_field_name("parameter") {
            draft.params = walk.source(only).to_owned();
        }
        if value.child(0).is_some_and(|first| first.kind() == "async") {
            draft.flags.insert(ItemFlags::ASYNC);
        }
    } else if value.kind() == "class" {
        draft.kind = ItemKind::Class;
        draft.bases = heritage(walk, value);
    } else {
        return;
    }
    let mut cursor = value.walk();
    draft.arity = value
        .named_children(&mut cursor)
        .find(|child| walk.spec.is_type_parameters(child.kind_id()))
        .map_or(0, |list| list.named_child_count().min(255) as u8);
    let mut children = node.walk();
    let mut parts: Vec<_> = node
        .children(&mut children)
        .take_while(|child| child.end_byte() < value.end_byte())
        .collect();
    let body = value.child_by_field_name("body").map(|body| body.id());
    parts.extend(
        value
            .children(&mut children)
            .take_while(|child| Some(child.id()) != body && child.kind() != "=>"),
    );
    draft.signature = Signature::of_parts(walk, node, parts.into_iter());
}

/// The draft of a module's default export: called `default` where it has no name, at `keyword`.
pub(super) fn default_draft<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Option<Node<'t>>,
    keyword: Node<'t>,
) -> ItemDraft {
    let mut draft = plain_draft(node, ItemKind::Constant);
    draft.flags = with(ItemFlags::EXPORTED, ItemFlags::DEFAULT);
    draft.doc = walk.take_doc(node.start_byte());
    draft.name_range = name.unwrap_or(keyword).byte_range();
    if name.is_none() {
        draft.name = Some("default".to_owned());
    }
    draft
}

/// Takes the quotes off a name: `"a-b"` declares `a-b`. Whether it had any.
pub(super) fn unquote(walk: &Walk<'_>, draft: &mut ItemDraft) -> bool {
    let name = walk.text.get(draft.name_range.clone()).unwrap_or("");
    let quoted = name.len() > 2 && name.starts_with(['"', '\'']);
    if quoted {
        draft.name_range = draft.name_range.start + 1..draft.name_range.end - 1;
    }
    quoted
}

pub(super) fn open(walk: &mut Walk<'_>, draft: ItemDraft) -> Visit {
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// A draft of `node` with nothing but a kind.
pub(super) fn plain_draft(node: Node<'_>, kind: ItemKind) -> ItemDraft {
    ItemDraft::new(kind, node.byte_range(), node.byte_range())
}

pub(super) fn with(mut flags: ItemFlags, more: ItemFlags) -> ItemFlags {
    flags.insert(more);
    flags
}

/// What `a = b = value` assigns in the end, and whether to `module.exports`, too.
pub(super) fn assigned<'t>(walk: &Walk<'t>, mut value: Node<'t>) -> (Node<'t>, bool) {
    let mut exports = false;
    while value.kind() == "assignment_expression" {
        let left = value.child_by_field_name("left");
        exports |= left.is_some_and(|left| walk.source(left) == "module.exports");
        match value.child_by_field_name("right") {
            Some(right) => value = right,
            None => break,
        }
    }
    (value, exports)
}
