//! TypeScript: ambient declarations, namespaces, signatures, enums, parameter properties.

use tree_sitter::Node;

use super::ecmascript::{is_element, open, plain_draft, unquote};
use crate::facts::{ItemFlags, ItemIndex, ItemKind, Visibility};
use crate::signature::{Signature, collapse};
use crate::spec::NodeRule;
use crate::walk::{Visit, Walk};

/// `declare …` wraps a declaration; `declare global { … }` is one.
pub(crate) fn ambient<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let Some(global) = node.child(1).filter(|child| child.kind() == "global") else {
        walk.wrap(node);
        return Visit::Descend;
    };
    let mut draft = plain_draft(node, ItemKind::Module);
    draft.name_range = global.byte_range();
    draft.signature = "declare global".to_owned();
    draft.flags = ItemFlags::DECLARATION;
    draft.visibility = Some(Visibility::Public);
    draft.doc = walk.take_doc(node.start_byte());
    open(walk, draft)
}

/// `namespace A.B { … }`, `module "name" { … }`.
pub(crate) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    if unquote(walk, &mut draft) {
        draft.kind = ItemKind::Module;
        draft.visibility = Some(Visibility::Public);
    }
    // A namespace inside an ambient one is ambient too.
    if walk.parent().is_some_and(|parent| {
        parent.kind.is_namespace() && parent.flags.contains(ItemFlags::DECLARATION)
    }) {
        draft.flags.insert(ItemFlags::DECLARATION);
    }
    open(walk, draft)
}

/// `function f(): void;`: an overload, or a declaration of what is elsewhere.
pub(crate) fn signature<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    if let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) {
        draft.flags.insert(ItemFlags::DECLARATION);
        walk.declare(draft);
    }
    Visit::Skip
}

/// Properties, call, construct and index signatures of interfaces and object types.
pub(crate) fn element<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    if is_element(walk)
        && let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule))
    {
        draft.name = match node.kind() {
            "call_signature" => Some("()".to_owned()),
            "construct_signature" => Some("new()".to_owned()),
            "index_signature" => Some("[]".to_owned()),
            _ => None,
        };
        unquote(walk, &mut draft);
        walk.declare(draft);
    }
    Visit::Skip
}

/// `constructor(private readonly x: number)` declares a field.
pub(crate) fn parameter_properties<'t>(
    walk: &mut Walk<'t>,
    constructor: Node<'t>,
    class: ItemIndex,
) {
    let Some(list) = constructor.child_by_field_name("parameters") else {
        return;
    };
    let mut cursor = list.walk();
    for parameter in list.named_children(&mut cursor) {
        let Some(name) = parameter.child_by_field_name("pattern") else {
            continue;
        };
        let mut flags = ItemFlags::default();
        let mut visibility = None;
        let mut modified = false;
        let mut children = parameter.walk();
        for child in parameter.children(&mut children) {
            if child.start_byte() >= name.start_byte() {
                break;
            }
            let word = walk.source(child);
            match word {
                "public" => visibility = Some(Visibility::Public),
                "protected" => visibility = Some(Visibility::Protected),
                "private" => visibility = Some(Visibility::Private),
                "readonly" => flags.insert(ItemFlags::READONLY),
                "override" => flags.insert(ItemFlags::OVERRIDE),
                _ => continue,
            }
            modified = true;
        }
        if !modified {
            continue;
        }
        let mut draft = plain_draft(parameter, ItemKind::Field);
        draft.name_range = name.byte_range();
        let mut parts = parameter.walk();
        let parts: Vec<_> = parameter.children(&mut parts).collect();
        draft.signature = Signature::of_children(walk, parts);
        draft.flags = flags;
        draft.visibility = visibility;
        walk.declare_in(class, draft);
    }
}

/// Members of an enum, with or without a value.
pub(crate) fn enum_members<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let mut cursor = node.walk();
    for member in node.named_children(&mut cursor) {
        if walk.spec.is_comment(member.kind_id()) {
            walk.comment(member);
            continue;
        }
        let mut draft = plain_draft(member, ItemKind::EnumMember);
        draft.signature = collapse(walk.source(member));
        if let Some(name) = member.child_by_field_name("name") {
            draft.name_range = name.byte_range();
            let long = draft.signature.len() > MAX_VALUE || walk.source(member).contains('\n');
            if long {
                draft.signature = format!("{} = …", walk.source(name));
            }
        } else if member.is_error() {
            continue;
        }
        draft.doc = walk.take_doc(member.start_byte());
        unquote(walk, &mut draft);
        walk.declare(draft);
    }
    Visit::Skip
}

/// Longer initial values are not part of a signature.
const MAX_VALUE: usize = 80;
