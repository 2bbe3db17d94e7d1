//! Python: assignments declare, and `self.x` in a method declares a field of the class.

use tree_sitter::Node;

use crate::facts::{Flags, ItemKind};
use crate::signature::collapse;
use crate::spec::Rule;
use crate::walk::{Draft, Visit, Walk};

/// The module's docstring.
pub(crate) fn module<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&Rule>) -> Visit {
    if let Some(doc) = walk.docstring_of(node) {
        walk.set_file_doc(&doc);
    }
    Visit::Descend
}

/// `x = 1`, `x: int`, `a, b = …` at module or class level; `self.x = …` in a method.
pub(crate) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&Rule>) -> Visit {
    let Some(left) = node.child_by_field_name("left") else {
        return Visit::Descend;
    };
    match left.kind() {
        "identifier" if !walk.in_code() => variable(walk, node, left),
        "pattern_list" | "tuple_pattern" if !walk.in_code() => {
            let mut cursor = left.walk();
            let names: Vec<_> = left.named_children(&mut cursor).collect();
            for name in names.into_iter().filter(|name| name.kind() == "identifier") {
                variable(walk, node, name);
            }
        }
        "attribute" if walk.in_code() => attribute(walk, node, left),
        _ => {}
    }
    Visit::Descend
}

fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>) {
    let source = walk.source(name);
    if is_declared(walk, walk.facts.items.len(), source) {
        return; // assigned again
    }
    let constant =
        source.chars().any(char::is_uppercase) && !source.chars().any(char::is_lowercase);
    let kind = if constant {
        ItemKind::Constant
    } else {
        ItemKind::Variable
    };
    let doc = walk.take_doc(node.start_byte());
    let draft = draft(walk, node, name, kind, doc);
    walk.declare(draft);
}

/// A field of the class around the method whose first parameter is the receiver.
fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, left: Node<'t>) {
    let (Some(object), Some(name)) = (
        left.child_by_field_name("object"),
        left.child_by_field_name("attribute"),
    ) else {
        return;
    };
    if object.kind() != "identifier" || walk.source(object) != "self" {
        return;
    }
    let Some(class) = walk.enclosing_type() else {
        return;
    };
    let field = walk.source(name);
    let known = walk
        .facts
        .items
        .iter()
        .any(|item| item.parent == Some(class) && walk.facts.str(item.name) == field);
    if known {
        return;
    }
    let mut draft = draft(walk, node, name, ItemKind::Field, None);
    draft.signature = draft.signature.trim_start_matches("self.").to_owned();
    walk.declare_in(class, draft);
}

fn is_declared(walk: &Walk<'_>, before: usize, name: &str) -> bool {
    let parent = walk.parent_index();
    walk.facts.items[..before]
        .iter()
        .rev()
        .take(256) // assignments to one name stand close; a table of thousands must stay linear
        .any(|item| item.parent == parent && walk.facts.str(item.name) == name)
}

fn draft<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    kind: ItemKind,
    doc: Option<String>,
) -> Draft {
    let left = node
        .child_by_field_name("left")
        .map_or("", |left| walk.source(left));
    let mut signature = collapse(left);
    if let Some(annotation) = node.child_by_field_name("type") {
        signature.push_str(": ");
        signature.push_str(&collapse(walk.source(annotation)));
    }
    if let Some(value) = node.child_by_field_name("right") {
        let value = walk.source(value);
        let short = value.len() <= 60 && !value.contains('\n');
        signature.push_str(" = ");
        signature.push_str(if short { value } else { "…" });
    }
    Draft {
        kind,
        name_range: name.byte_range(),
        name: None,
        span: node.byte_range(),
        container: String::new(),
        signature,
        params: String::new(),
        bases: Vec::new(),
        doc,
        arity: 0,
        flags: Flags::default(),
        visibility: None,
    }
}
