//! Java: fields with several names, components of records, defaults that depend on the type around.

use tree_sitter::Node;

use crate::facts::{ItemFlags, ItemKind, Visibility};
use crate::signature::{Signature, collapse};
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Longer initial values are not part of a signature.
const MAX_VALUE: usize = 60;

/// The package; in a `package-info.java` the comment before it documents the package.
pub(crate) fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let mut cursor = node.walk();
    let name = node
        .named_children(&mut cursor)
        .find(|child| matches!(child.kind(), "identifier" | "scoped_identifier"));
    if let Some(name) = name {
        walk.set_package(&collapse(walk.source(name)));
    }
    let doc = walk.take_doc(node.start_byte());
    if let Some(doc) = doc.filter(|_| declares_nothing(node)) {
        walk.set_file_doc(&doc);
    }
    Visit::Skip
}

/// Whether nothing but imports and comments follows.
fn declares_nothing(package: Node<'_>) -> bool {
    let mut next = package.next_named_sibling();
    while let Some(node) = next {
        if !matches!(
            node.kind(),
            "import_declaration" | "line_comment" | "block_comment"
        ) {
            return false;
        }
        next = node.next_named_sibling();
    }
    true
}

/// Initialisers run when the class is loaded.
pub(crate) fn initializer<'t>(walk: &mut Walk<'t>, _: Node<'t>, _: Option<&NodeRule>) -> Visit {
    walk.open_code();
    Visit::Descend
}

/// `private int a = 1, b[];`: an item for each declarator. An anonymous class in an initial value
/// is inside the last of them.
pub(crate) fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule.filter(|_| !walk.in_code()) else {
        return Visit::Descend;
    };
    let Some(mut template) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    complete(walk, node, &mut template);
    let mut cursor = node.walk();
    let before: Vec<_> = node
        .children(&mut cursor)
        .take_while(|child| child.kind() != "variable_declarator")
        .collect();
    let prefix = Signature::of_parts(walk, node, before.into_iter());
    let is_final = prefix.split(' ').any(|word| word == "final");
    if rule.kind == ItemKind::Constant {
        template.flags.insert(ItemFlags::STATIC);
    }
    if is_final || rule.kind == ItemKind::Constant {
        template.flags.insert(ItemFlags::READONLY);
        if template.flags.contains(ItemFlags::STATIC) {
            template.kind = ItemKind::Constant;
        }
    }
    let mut last = None;
    let mut declarators = node.walk();
    for declarator in node.children_by_field_name("declarator", &mut declarators) {
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let mut draft = template.clone();
        draft.name_range = name.byte_range();
        draft.signature = format!("{prefix} {}", declarator_text(walk, declarator));
        last = walk.declare(draft);
    }
    if let Some(item) = last {
        walk.open(item);
    }
    Visit::Descend
}

/// A variable: outside of all types a field of the type that a compact source file declares (JEP 512).
pub(crate) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    match node
        .parent()
        .is_some_and(|parent| parent.kind() == "program")
    {
        true => fields(walk, node, rule),
        false => walk.statement(node),
    }
}

fn declarator_text<'t>(walk: &Walk<'t>, declarator: Node<'t>) -> String {
    let Some(value) = declarator.child_by_field_name("value") else {
        return collapse(walk.source(declarator));
    };
    let head = walk.text.get(declarator.start_byte()..value.start_byte());
    let written = walk.source(value);
    let short = written.len() <= MAX_VALUE && !written.contains('\n');
    let shown = if short { written } else { "…" };
    format!("{} {shown}", collapse(head.unwrap_or("")))
}

/// Methods, and elements of annotation types.
pub(crate) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    complete(walk, node, &mut draft);
    let in_interface = walk
        .parent()
        .is_some_and(|parent| parent.kind == ItemKind::Interface);
    let is_static = draft.flags.contains(ItemFlags::STATIC);
    if in_interface && !is_static && node.child_by_field_name("body").is_none() {
        draft.flags.insert(ItemFlags::ABSTRACT);
    }
    open(walk, draft)
}

/// Constructors; a compact one takes what its record takes.
pub(crate) fn constructor<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    complete(walk, node, &mut draft);
    if let Some(parent) = walk.parent() {
        if parent.kind == ItemKind::Enum {
            draft.visibility = Some(Visibility::Private);
        }
        if node.kind() == "compact_constructor_declaration" {
            draft.params = walk.facts.str(parent.params).to_owned();
        }
    }
    open(walk, draft)
}

fn open(walk: &mut Walk<'_>, draft: ItemDraft) -> Visit {
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// What the place and the annotations say about a member.
fn complete<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut ItemDraft) {
    let in_enum = walk
        .parent()
        .is_some_and(|parent| parent.kind == ItemKind::Enum);
    if in_enum && draft.visibility.is_none() {
        draft.visibility = Some(Visibility::Internal); // only the constants are public by themselves
    }
    let modifiers = node.child(0).filter(|child| child.kind() == "modifiers");
    if modifiers.is_some_and(|modifiers| walk.source(modifiers).contains("@Override")) {
        draft.flags.insert(ItemFlags::OVERRIDE);
    }
}

/// A record and its components, each a property that everybody may read.
pub(crate) fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    let Some(record) = walk.declare(draft) else {
        return Visit::Descend;
    };
    walk.open(record);
    if let Some(list) = node.child_by_field_name("parameters") {
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if walk.spec.is_parameter(parameter.kind_id()) {
                component(walk, parameter);
            }
        }
    }
    Visit::Descend
}

fn component<'t>(walk: &mut Walk<'t>, parameter: Node<'t>) {
    let mut cursor = parameter.walk();
    let named = parameter.child_by_field_name("name").or_else(|| {
        parameter
            .named_children(&mut cursor)
            .find(|child| child.kind() == "variable_declarator")
            .and_then(|declarator| declarator.child_by_field_name("name"))
    });
    let Some(name) = named else {
        return;
    };
    let mut flags = ItemFlags::READONLY;
    if walk.in_code() {
        flags.insert(ItemFlags::LOCAL);
    }
    let mut children = parameter.walk();
    let parts: Vec<_> = parameter.children(&mut children).collect();
    let signature = Signature::of_parts(walk, parameter, parts.into_iter());
    let mut draft = ItemDraft::new(
        ItemKind::Property,
        name.byte_range(),
        parameter.byte_range(),
    );
    draft.signature = signature;
    draft.flags = flags;
    draft.visibility = Some(Visibility::Public);
    walk.declare(draft);
}
