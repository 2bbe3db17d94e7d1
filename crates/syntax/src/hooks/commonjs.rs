//! JavaScript before modules and classes: exports, prototypes and fields made by assignment.

use tree_sitter::Node;

use super::ecmascript::{assigned, bind, default_draft, is_require};
use crate::Language;
use crate::facts::{ItemFlags, ItemIndex, ItemKind};
use crate::signature::collapse;
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Objects whose properties are the program's globals.
const GLOBALS: [&str; 4] = ["window", "global", "globalThis", "self"];

/// What an assignment's left side means.
enum AssignmentTarget<'a> {
    /// `module.exports`
    Module,
    /// `exports.name`
    Export,
    /// `Type.prototype`
    Prototype(&'a str),
    /// `Type.prototype.name`, `object.name`
    Member(&'a str),
}

/// `module.exports = …`, `exports.x = …`, `Foo.prototype.bar = …`, `this.x = …`.
pub(crate) fn assignment<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let left = node.child_by_field_name("left");
    let right = node.child_by_field_name("right");
    let (Some(rule), Some(left), Some(right)) = (rule, left, right) else {
        return Visit::Descend;
    };
    if left.kind() != "member_expression" {
        return Visit::Descend;
    }
    let (Some(object), Some(name)) = (
        left.child_by_field_name("object"),
        left.child_by_field_name("property"),
    ) else {
        return Visit::Descend;
    };
    if object.kind() == "this" {
        field(walk, node, name, rule);
        return Visit::Descend;
    }
    walk.looks_up(object.byte_range());
    // A function around the whole module does not make it less of a module.
    if walk.in_code() && walk.parent_index().is_some() || !is_path(object) {
        return Visit::Descend;
    }
    let (value, _) = assigned(walk, right);
    match target(walk.source(object), walk.source(name)) {
        AssignmentTarget::Module => module(walk, node, left, value, rule),
        AssignmentTarget::Export => property(walk, node, name, value, rule),
        AssignmentTarget::Prototype(owner) => {
            if let Some(owner) = top_level(walk, owner).filter(|_| value.id() == right.id()) {
                walk.open_members(Some(owner), walk.depth + 2);
            }
            Visit::Descend
        }
        AssignmentTarget::Member(owner) => member(walk, node, name, value, (owner, rule)),
    }
}

fn target<'a>(object: &'a str, name: &str) -> AssignmentTarget<'a> {
    match object {
        "module" if name == "exports" => AssignmentTarget::Module,
        "exports" | "module.exports" => AssignmentTarget::Export,
        _ if name == "prototype" => AssignmentTarget::Prototype(object),
        _ => AssignmentTarget::Member(object.strip_suffix(".prototype").unwrap_or(object)),
    }
}

/// Whether an expression is names with dots between them.
fn is_path(mut node: Node<'_>) -> bool {
    while node.kind() == "member_expression" {
        match node.child_by_field_name("object") {
            Some(object) => node = object,
            None => return false,
        }
    }
    node.kind() == "identifier"
}

/// The latest declaration of that name outside everything else.
fn top_level(walk: &Walk<'_>, name: &str) -> Option<ItemIndex> {
    let found = walk
        .facts
        .items
        .iter()
        .rposition(|item| item.parent.is_none() && walk.facts.str(item.name) == name);
    found.map(|index| index as ItemIndex)
}

/// `module.exports = value`.
fn module<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    left: Node<'t>,
    value: Node<'t>,
    rule: &NodeRule,
) -> Visit {
    let mut flags = ItemFlags::EXPORTED;
    flags.insert(ItemFlags::DEFAULT);
    match value.kind() {
        "identifier" => walk.export(walk.source(value), flags),
        "object" => {
            export_entries(walk, value);
            walk.open_members(None, walk.depth + 2);
        }
        _ if is_require(walk, value) => {}
        _ => {
            let mut draft = default_draft(walk, node, value.child_by_field_name("name"), left);
            draft.signature = "module.exports = …".to_owned();
            bind(walk, node, value, rule, &mut draft);
            return declare(walk, draft);
        }
    }
    Visit::Descend
}

/// `{ a, b: c }` exports `a` and `c`, which are declared elsewhere.
fn export_entries<'t>(walk: &mut Walk<'t>, object: Node<'t>) {
    let mut cursor = object.walk();
    for entry in object.named_children(&mut cursor) {
        let name = match entry.kind() {
            "shorthand_property_identifier" => Some(entry),
            "pair" => entry
                .child_by_field_name("value")
                .filter(|value| value.kind() == "identifier"),
            _ => None,
        };
        if let Some(name) = name {
            walk.export(walk.source(name), ItemFlags::EXPORTED);
        }
    }
}

/// `exports.name = value`.
fn property<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    value: Node<'t>,
    rule: &NodeRule,
) -> Visit {
    let is_void = value.kind() == "unary_expression"; // what compilers write before the real value
    if is_void || is_require(walk, value) {
        return Visit::Descend;
    }
    if value.kind() == "identifier" {
        walk.export(walk.source(value), ItemFlags::EXPORTED);
        if walk.source(value) == walk.source(name) {
            return Visit::Skip;
        }
    }
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    draft.name_range = name.byte_range();
    draft.flags.insert(ItemFlags::EXPORTED);
    bind(walk, node, value, rule, &mut draft);
    declare(walk, draft)
}

/// `Owner.prototype.name = function …` and `owner.name = function …`.
fn member<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Node<'t>,
    value: Node<'t>,
    (owner, rule): (&str, &NodeRule),
) -> Visit {
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    bind(walk, node, value, rule, &mut draft);
    if draft.kind == ItemKind::Constant {
        return Visit::Descend; // not a function
    }
    draft.name_range = name.byte_range();
    draft.visibility = Some(crate::Visibility::Public);
    if !GLOBALS.contains(&owner) {
        draft.container = owner.to_owned();
        if draft.kind == ItemKind::Function {
            draft.kind = ItemKind::Method;
        }
    }
    declare(walk, draft)
}

fn declare(walk: &mut Walk<'_>, draft: ItemDraft) -> Visit {
    if let Some(item) = walk.declare_top(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// `this.name = value` in a constructor declares a field; TypeScript wants it declared.
fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, name: Node<'t>, rule: &NodeRule) {
    let in_constructor = walk
        .parent()
        .is_some_and(|parent| parent.kind == ItemKind::Constructor);
    let class = walk.enclosing_type();
    let (true, true, Some(class)) = (
        in_constructor,
        walk.spec.language == Language::JavaScript,
        class,
    ) else {
        return;
    };
    walk.looks_up(name.byte_range());
    let known = walk.facts.items[class as usize..]
        .iter()
        .any(|item| item.parent == Some(class) && walk.facts.str(item.name) == walk.source(name));
    if known {
        return;
    }
    let Some(mut draft) = walk.draft(node, rule) else {
        return;
    };
    draft.kind = ItemKind::Field;
    draft.name_range = name.byte_range();
    draft.signature = collapse(draft.signature.trim_start_matches("this."));
    walk.declare_in(class, draft);
}
