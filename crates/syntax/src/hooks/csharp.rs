//! C#: fields with several names, accessors in signatures, members without a name field.

use tree_sitter::Node;

use crate::ItemKind;
use crate::signature::collapse;
use crate::spec::Rule;
use crate::walk::{Visit, Walk};

/// `public int a = 1, b;` and `event Handler A, B;`: an item for each declarator.
pub(crate) fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let mut cursor = node.walk();
    let Some(declaration) = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "variable_declaration")
    else {
        return Visit::Descend;
    };
    // The rule's name selects the declaration; the draft is then made to fit each declarator.
    let Some(template) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    let mut declarators = declaration.walk();
    let prefix = prefix(walk, node, declaration);
    for declarator in declaration.named_children(&mut declarators) {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let mut draft = template.clone();
        draft.name_range = name.byte_range();
        let source = walk.source(declarator);
        let written = if source.len() <= 80 && !source.contains('\n') {
            source
        } else {
            walk.source(name)
        };
        draft.signature = format!("{prefix} {}", collapse(written));
        if prefix.split(' ').any(|word| word == "const") {
            draft.kind = ItemKind::Constant;
        }
        walk.declare(draft);
    }
    Visit::Skip
}

/// Modifiers and type, without attributes.
fn prefix<'t>(walk: &Walk<'t>, node: Node<'t>, declaration: Node<'t>) -> String {
    let mut out = String::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if child.id() == declaration.id() {
            break;
        }
        if !walk.spec.is_attribute(child.kind_id()) && !walk.spec.is_comment(child.kind_id()) {
            out.push_str(walk.source(child));
            out.push(' ');
        }
    }
    if let Some(kind) = declaration.child_by_field_name("type") {
        out.push_str(&collapse(walk.source(kind)));
    }
    out
}

/// Properties and indexers: `{ get; private set; }` belongs to the signature, bodies do not.
pub(crate) fn accessors<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    if node.kind() == "indexer_declaration" {
        draft.name = Some("this[]".to_owned());
        draft.params = walk.params(node, rule);
    }
    draft.signature.push(' ');
    draft.signature.push_str(&accessor_text(walk, node));
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

fn accessor_text<'t>(walk: &Walk<'t>, node: Node<'t>) -> String {
    let Some(list) = node.child_by_field_name("accessors") else {
        return "{ get; }".to_owned(); // an expression body
    };
    let mut out = String::from("{ ");
    let mut cursor = list.walk();
    for accessor in list.named_children(&mut cursor) {
        if accessor.kind() != "accessor_declaration" {
            continue;
        }
        let mut parts = accessor.walk();
        for part in accessor.children(&mut parts) {
            let is_name = accessor
                .child_by_field_name("name")
                .is_some_and(|name| name.id() == part.id());
            if is_name || part.kind() == "modifier" {
                out.push_str(walk.source(part));
                out.push(if is_name { ';' } else { ' ' });
            }
        }
        out.push(' ');
    }
    out.push('}');
    out
}

/// Operators and conversions: named as C# documentation names them.
pub(crate) fn unnamed<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    let written = collapse(&walk.text[draft.name_range.clone()]);
    draft.name = Some(format!("operator {written}"));
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}
