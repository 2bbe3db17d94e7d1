//! AngelScript: methods and functions, variables with several names, members that an `access` list guards.

use tree_sitter::Node;

use crate::facts::{ItemFlags, ItemKind, Visibility};
use crate::signature::{Signature, collapse};
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Longer initial values are not part of a signature.
const MAX_VALUE: usize = 60;

/// The specifier of a `UFUNCTION` that takes the place of an event of a base, in lower case as the engine compares it.
const BLUEPRINT_OVERRIDE: &str = "blueprintoverride";

/// A function, or a method where a type is around.
pub(crate) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    let in_type = walk.parent().is_some_and(|parent| parent.kind.is_type());
    if in_type && draft.kind == ItemKind::Function {
        draft.kind = ItemKind::Method;
    }
    if in_type && node.child_by_field_name("body").is_none() {
        draft.flags.insert(ItemFlags::ABSTRACT);
    }
    complete(walk, node, &mut draft);
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// `UPROPERTY() private int Low = 0, High = 1;`: an item for each name. Outside of types it is a constant: the
/// language has no other global variables.
pub(crate) fn variables<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule.filter(|_| !walk.in_code()) else {
        return Visit::Skip;
    };
    let Some(mut template) = walk.draft(node, rule) else {
        return Visit::Skip;
    };
    complete(walk, node, &mut template);
    let written = node.child_by_field_name("type").map(|of| walk.source(of));
    if written.is_some_and(|of| of.starts_with("const")) {
        template.flags.insert(ItemFlags::READONLY);
    }
    let in_type = walk.parent().is_some_and(|parent| parent.kind.is_type());
    template.kind = match (in_type, template.flags.contains(ItemFlags::READONLY)) {
        (true, _) => ItemKind::Field,
        (false, true) => ItemKind::Constant,
        (false, false) => ItemKind::Variable,
    };
    let mut cursor = node.walk();
    let before = node
        .children(&mut cursor)
        .take_while(|child| child.kind() != "member_declarator");
    let prefix = Signature::of_parts(walk, node, before);
    let mut declarators = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut declarators) {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let mut draft = template.clone();
        draft.name_range = name.byte_range();
        draft.signature = format!("{prefix} {}", declarator_text(walk, declarator));
        walk.declare(draft);
    }
    Visit::Skip
}

fn declarator_text<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> String {
    let Some(value) = declarator.child_by_field_name("value") else {
        return collapse(walk.source(declarator));
    };
    let head = walk.text.get(declarator.start_byte()..value.start_byte());
    let written = walk.source(value);
    let is_short = written.len() <= MAX_VALUE && !written.contains('\n');
    let shown = if is_short { written } else { "…" };
    format!("{} {shown}", collapse(head.unwrap_or("")))
}

/// What qualifiers, macros and `access:List` say of a member.
fn complete<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut ItemDraft) {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "qualifier" if walk.source(child) == "override" => {
                draft.flags.insert(ItemFlags::OVERRIDE);
            }
            "macro" if overrides_an_event(walk, child) => draft.flags.insert(ItemFlags::OVERRIDE),
            "access_specifier" => {
                // who that is, the list says that is declared elsewhere in the type
                draft.visibility.get_or_insert(Visibility::Internal);
            }
            "block" => break,
            _ => {}
        }
    }
}

fn overrides_an_event<'t>(walk: &Walk<'t>, of_function: Node<'t>) -> bool {
    let text = walk.source(of_function).to_ascii_lowercase();
    text.contains(BLUEPRINT_OVERRIDE)
}
