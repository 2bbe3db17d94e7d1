//! Rust: visibility with a scope, `impl` blocks, exported macros, `#[doc = "…"]`.

use std::ops::Range;

use tree_sitter::Node;

use crate::facts::{ItemFlags, ItemKind, Visibility};
use crate::signature::collapse;
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Everything that a rule describes, with what depends on modifiers and place.
pub(crate) fn item<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let is_flag = is_flag(walk, node);
    if is_flag {
        let before = walk.text[..node.start_byte()].trim_end();
        if before.ends_with("const") {
            walk.pass_over(before.len() - "const".len()..before.len());
        }
    }
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    if walk.text.get(draft.name_range.clone()) == Some("_") {
        return Visit::Descend; // `const _: () = …` declares nothing
    }
    draft.visibility = visibility(walk, node);
    add_flags(walk, node, &mut draft);
    if is_flag {
        draft.kind = ItemKind::Constant;
        draft.visibility = Some(Visibility::Public);
        draft.signature = format!("const {}", draft.signature);
    } else if is_flags(walk, node) {
        draft.kind = ItemKind::Struct;
        draft.signature = draft.signature.replacen("stru", "struct", 1);
    }
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// Whether a variant is a constant of `bitflags! { struct Name: u32 { const A = 1; } }`, which is read
/// as an enum.
fn is_flag<'t>(walk: &Walk<'t>, node: Node<'t>) -> bool {
    let parent = walk.parent().map(|parent| parent.kind);
    node.kind() == "enum_variant" && parent == Some(ItemKind::Struct)
}

/// Whether an enum is such a struct: the parser saw `enum` where the text has more.
fn is_flags<'t>(walk: &Walk<'t>, node: Node<'t>) -> bool {
    let mut cursor = node.walk();
    let keyword = node
        .children(&mut cursor)
        .find(|child| child.kind() == "enum");
    keyword.is_some_and(|keyword| walk.text[keyword.start_byte()..].starts_with("struct"))
}

/// `pub`, `pub(crate)`, `pub(in path)`; `None` without any of them.
fn visibility<'t>(walk: &Walk<'t>, node: Node<'t>) -> Option<Visibility> {
    let mut cursor = node.walk();
    let modifier = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "visibility_modifier")?;
    Some(match walk.source(modifier) {
        "pub" => Visibility::Public,
        "pub(self)" => Visibility::Private,
        _ => Visibility::Internal,
    })
}

fn add_flags<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut ItemDraft) {
    let parent = walk.parent().map(|parent| parent.kind);
    let in_trait = parent == Some(ItemKind::Trait);
    let in_type = in_trait || parent == Some(ItemKind::Extension);
    match node.kind() {
        "function_signature_item" if in_trait => draft.flags.insert(ItemFlags::ABSTRACT),
        "function_signature_item" => draft.flags.insert(ItemFlags::DECLARATION),
        "associated_type" => draft.flags.insert(ItemFlags::ABSTRACT),
        "const_item" if in_trait && node.child_by_field_name("value").is_none() => {
            draft.flags.insert(ItemFlags::ABSTRACT);
        }
        "mod_item" if node.child_by_field_name("body").is_none() => {
            draft.flags.insert(ItemFlags::DECLARATION);
        }
        "static_item" => {
            draft.flags.insert(ItemFlags::STATIC);
            if node.child_by_field_name("value").is_none() {
                draft.flags.insert(ItemFlags::DECLARATION);
            }
            let mut cursor = node.walk();
            if !node
                .children(&mut cursor)
                .any(|child| child.kind() == "mutable_specifier")
            {
                draft.flags.insert(ItemFlags::READONLY);
            }
        }
        _ => {}
    }
    if in_type && matches!(draft.kind, ItemKind::Function) && !takes_self(node, draft) {
        draft.flags.insert(ItemFlags::STATIC);
    }
}

/// Whether a function has a receiver; one with a written type leaves the parameter types.
fn takes_self(node: Node<'_>, draft: &mut ItemDraft) -> bool {
    let Some(first) = node
        .child_by_field_name("parameters")
        .and_then(|list| list.named_child(0))
    else {
        return false;
    };
    let typed_self = first
        .child_by_field_name("pattern")
        .is_some_and(|pattern| pattern.kind() == "self");
    if typed_self {
        let written = first.child_by_field_name("type");
        let length = written.map_or(0, |kind| kind.byte_range().len());
        let rest = draft.params.get(length..).unwrap_or("");
        draft.params = rest.trim_start_matches(',').to_owned();
    }
    typed_self || first.kind() == "self_parameter"
}

/// `impl Trait for Type`: named after the type; what it holds are the type's members.
pub(crate) fn implementation<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let (Some(rule), Some(target)) = (rule, node.child_by_field_name("type")) else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft_named(node, rule, name_of_type(target)) else {
        return Visit::Descend;
    };
    draft.container = collapse(walk.source(target));
    draft.visibility = Some(Visibility::Public);
    let of_trait = !draft.bases.is_empty();
    // `impl !Send for T` says that it does not implement.
    let mut cursor = node.walk();
    if node.children(&mut cursor).any(|child| child.kind() == "!") {
        draft.bases.clear();
    }
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
        if of_trait {
            walk.set_access(Visibility::Public);
        }
    }
    Visit::Descend
}

/// Where a type's simple name is: `Foo` in `&'a mut path::Foo<T>`, or the whole type.
fn name_of_type(target: Node<'_>) -> Range<usize> {
    let mut node = target;
    loop {
        let inner = match node.kind() {
            "reference_type" | "generic_type" | "pointer_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            "dynamic_type" | "abstract_type" => node.child_by_field_name("trait"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => return node.byte_range(),
        }
    }
}

/// `macro_rules! name { … }`: public where `#[macro_export]` stands above.
pub(crate) fn macro_rules<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let exported = walk
        .attributes_before(node.start_byte())
        .is_some_and(|run| walk.text[run].contains("macro_export"));
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Skip;
    };
    draft.signature = format!("macro_rules! {}", &walk.text[draft.name_range.clone()]);
    draft.visibility = Some(if exported {
        Visibility::Public
    } else {
        Visibility::Private
    });
    walk.declare(draft);
    Visit::Skip
}

/// An attribute above an item; `#[doc = "…"]` is documentation.
pub(crate) fn attribute<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    walk.attribute(node);
    let doc = node.named_child(0).filter(|attribute| {
        let path = attribute.named_child(0);
        path.is_some_and(|path| walk.source(path) == "doc")
    });
    let text = doc
        .and_then(|attribute| attribute.child_by_field_name("value"))
        .and_then(|literal| {
            let mut cursor = literal.walk();
            literal
                .named_children(&mut cursor)
                .find(|child| child.kind() == "string_content")
        });
    if let Some(text) = text {
        walk.add_doc(text.byte_range());
    }
    Visit::Skip
}
