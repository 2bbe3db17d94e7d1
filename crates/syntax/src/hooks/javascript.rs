//! JavaScript and TypeScript: classes, values that declare, accessors, exports.

use tree_sitter::Node;

use super::ecmascript::{
    assigned, bind, default_draft, heritage, in_class, is_element, is_function, is_require, open,
    unquote, with,
};
use super::typescript;
use crate::facts::{ItemFlags, ItemIndex, ItemKind, Visibility};
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Blocks, loops and switches: what is declared in them is local. A namespace's body is not code,
/// nor is anything in an ambient one (`declare module "x" { global { … } }`).
pub(crate) fn code<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let parent = walk.parent().filter(|_| !walk.in_code());
    let declares = parent.is_some_and(|parent| {
        let is_body = walk.levels_below_frame() == Some(1);
        parent.kind.is_namespace() && (is_body || parent.flags.contains(ItemFlags::DECLARATION))
    });
    if declares {
        return Visit::Descend;
    }
    // The assignments of a constructor declare fields.
    let constructs = walk
        .parent()
        .is_some_and(|parent| parent.kind == ItemKind::Constructor);
    if !constructs && walk.code(node) == Visit::Skip {
        return Visit::Skip;
    }
    walk.open_code();
    Visit::Descend
}

/// Classes by declaration.
pub(crate) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    draft.bases = heritage(walk, node);
    open(walk, draft)
}

/// Class expressions: what binds one has declared it already; others count if they have a name.
pub(crate) fn class_expression<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    if in_class(walk) {
        return Visit::Descend;
    }
    class(walk, node, rule)
}

/// Methods, accessors and constructors of classes and object literals.
pub(crate) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let literal = walk.at_member_depth();
    if !literal && !is_element(walk) {
        return Visit::Descend;
    }
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    if literal {
        as_literal_member(walk, &mut draft);
    }
    if in_class(walk) && node.kind() == "method_signature" {
        draft.flags.insert(ItemFlags::DECLARATION);
    }
    if is_accessor(node) {
        draft.kind = ItemKind::Property;
        if let Some(item) = merge_accessor(walk, &draft) {
            walk.open(item);
            return Visit::Descend;
        }
    }
    let name = walk.text.get(draft.name_range.clone()).unwrap_or("");
    let constructs = !literal && name == "constructor" && in_class(walk);
    if constructs {
        draft.kind = ItemKind::Constructor;
    }
    unquote(walk, &mut draft);
    let class = walk.parent_index();
    if let Some(item) = walk.declare(draft) {
        if let (true, Some(class)) = (constructs, class) {
            typescript::parameter_properties(walk, node, class);
        }
        walk.open(item);
    }
    Visit::Descend
}

fn is_accessor(method: Node<'_>) -> bool {
    let mut cursor = method.walk();
    method
        .children(&mut cursor)
        .take_while(|child| !matches!(child.kind(), "property_identifier" | "formal_parameters"))
        .any(|child| matches!(child.kind(), "get" | "set"))
}

/// A setter right after its getter, or the other way round, is the same property.
fn merge_accessor(walk: &mut Walk<'_>, draft: &ItemDraft) -> Option<ItemIndex> {
    walk.looks_up(draft.name_range.clone());
    let parent = walk.parent_index();
    let index = walk
        .facts
        .items
        .iter()
        .rposition(|item| item.parent == parent)?;
    let item = &walk.facts.items[index];
    let same = item.kind == ItemKind::Property
        && walk.text.get(draft.name_range.clone()) == Some(walk.facts.str(item.name))
        && item.flags.contains(ItemFlags::STATIC) == draft.flags.contains(ItemFlags::STATIC);
    if !same {
        return None;
    }
    walk.extend_item(index as ItemIndex, draft);
    Some(index as ItemIndex)
}

/// Fields of classes; one that holds a function is a method.
pub(crate) fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule.filter(|_| in_class(walk)) else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    unquote(walk, &mut draft);
    if let Some(value) = node.child_by_field_name("value") {
        bind(walk, node, value, rule, &mut draft);
        if draft.kind == ItemKind::Class {
            draft.kind = ItemKind::Field;
        }
    }
    open(walk, draft)
}

/// `const`, `let` and `var`: variables of the module, and functions and classes anywhere.
pub(crate) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let (Some(rule), Some(name)) = (rule, node.child_by_field_name("name")) else {
        return Visit::Descend;
    };
    let value = node.child_by_field_name("value").map(|value| {
        // `var app = module.exports = …`
        let (value, exports) = assigned(walk, value);
        if exports {
            let flags = with(ItemFlags::EXPORTED, ItemFlags::DEFAULT);
            walk.export(walk.source(name), flags);
        }
        value
    });
    let binds = value.is_some_and(|value| is_function(value) || value.kind() == "class");
    let local = walk.in_code() && !binds;
    if local || value.is_some_and(|value| is_require(walk, value)) {
        return Visit::Descend;
    }
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    if is_const(walk) {
        draft.kind = ItemKind::Constant;
        if !binds {
            draft.flags.insert(ItemFlags::READONLY);
        }
    }
    if name.kind() != "identifier" {
        destructured(walk, name, &draft);
        return Visit::Descend;
    }
    if let Some(value) = value {
        bind(walk, node, value, rule, &mut draft);
        return declare_value(walk, draft, value);
    }
    walk.declare(draft);
    Visit::Descend
}

fn is_const(walk: &Walk<'_>) -> bool {
    let declaration = walk.wrappers_of().pop();
    declaration
        .and_then(|declaration| declaration.child_by_field_name("kind"))
        .is_some_and(|kind| walk.source(kind) == "const")
}

/// `const { a, b: { c }, ...d } = value`: an item for each name.
fn destructured<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, draft: &ItemDraft) {
    let mut pending = vec![pattern];
    while let Some(node) = pending.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                let mut draft = draft.clone();
                draft.name_range = node.byte_range();
                walk.declare(draft);
            }
            "pair_pattern" => pending.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                pending.extend(node.child_by_field_name("left"));
            }
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut cursor = node.walk();
                let children: Vec<_> = node.named_children(&mut cursor).collect();
                pending.extend(children.into_iter().rev());
            }
            _ => {}
        }
    }
}

/// A value without the parentheses and type assertions around it, and how many those are.
fn peel(mut value: Node<'_>) -> (Node<'_>, usize) {
    let mut levels = 0;
    while matches!(
        value.kind(),
        "parenthesized_expression" | "as_expression" | "satisfies_expression"
    ) {
        let Some(inner) = value.named_child(0) else {
            break;
        };
        value = inner;
        levels += 1;
    }
    (value, levels)
}

/// `key: function () { … }` in an object literal whose functions are members.
pub(crate) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let value = node.child_by_field_name("value");
    let (true, Some(rule), Some(value)) = (walk.at_member_depth(), rule, value) else {
        return Visit::Descend;
    };
    if !is_function(value) {
        return Visit::Descend;
    }
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    bind(walk, node, value, rule, &mut draft);
    as_literal_member(walk, &mut draft);
    unquote(walk, &mut draft);
    open(walk, draft)
}

/// A function of an object literal: a method of the constant that holds the object, or an export
/// where the object is what the module exports.
fn as_literal_member(walk: &Walk<'_>, draft: &mut ItemDraft) {
    match walk.parent() {
        Some(parent) => {
            draft.kind = ItemKind::Method;
            let of_object = matches!(parent.kind, ItemKind::Constant | ItemKind::Variable);
            draft.visibility = Some(if of_object {
                parent.visibility
            } else {
                Visibility::Public
            });
        }
        None => {
            draft.kind = ItemKind::Function;
            draft.flags.insert(ItemFlags::EXPORTED);
        }
    }
}

/// Export lists, default exports and what else `export` stands before.
pub(crate) fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    if node.child_by_field_name("source").is_some() {
        return Visit::Skip; // exports what another module declares
    }
    walk.wrap(node);
    let mut keyword = None;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind() {
            "export_clause" => {
                export_names(walk, child);
                return Visit::Skip;
            }
            "default" | "=" => keyword = Some(child),
            "identifier" if keyword.is_some() => {
                let flags = ItemFlags::EXPORTED;
                walk.export(walk.source(child), with(flags, ItemFlags::DEFAULT));
                return Visit::Skip;
            }
            _ => {}
        }
    }
    let value = node.child_by_field_name("value");
    match (rule, keyword, value) {
        (Some(rule), Some(keyword), Some(value)) => default(walk, node, keyword, value, rule),
        _ => Visit::Descend,
    }
}

fn export_names<'t>(walk: &mut Walk<'t>, clause: Node<'t>) {
    let mut cursor = clause.walk();
    for specifier in clause.named_children(&mut cursor) {
        let Some(name) = specifier.child_by_field_name("name") else {
            continue;
        };
        let alias = specifier.child_by_field_name("alias");
        let is_default = alias.is_some_and(|alias| walk.source(alias) == "default");
        let flags = if is_default {
            with(ItemFlags::EXPORTED, ItemFlags::DEFAULT)
        } else {
            ItemFlags::EXPORTED
        };
        walk.export(walk.source(name), flags);
    }
}

/// `export default <value>`: named by the value where that has a name, else `default`.
fn default<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    keyword: Node<'t>,
    value: Node<'t>,
    rule: &NodeRule,
) -> Visit {
    if value.kind() == "identifier" {
        walk.export(
            walk.source(value),
            with(ItemFlags::EXPORTED, ItemFlags::DEFAULT),
        );
        return Visit::Skip;
    }
    let is_named = is_function(value) || value.kind() == "class";
    let name = value.child_by_field_name("name").filter(|_| is_named);
    let mut draft = default_draft(walk, node, name, keyword);
    draft.signature = "export default".to_owned();
    bind(walk, node, value, rule, &mut draft);
    declare_value(walk, draft, value)
}

/// Declares what is bound to `value`; the functions of an object are its members.
fn declare_value<'t>(walk: &mut Walk<'t>, draft: ItemDraft, value: Node<'t>) -> Visit {
    let (inner, levels) = peel(value);
    if let Some(item) = walk.declare(draft) {
        if inner.kind() == "object" {
            walk.open_members(Some(item), walk.depth + 2 + levels);
        } else {
            walk.open(item);
        }
    }
    Visit::Descend
}
