//! JavaScript and TypeScript: classes, values that declare, accessors, exports.

use tree_sitter::Node;

use super::{commonjs, typescript};
use crate::facts::{Flags, ItemIndex, ItemKind, Relation, Visibility};
use crate::signature::{Signature, collapse};
use crate::spec::Rule;
use crate::walk::{Draft, Visit, Walk};

/// Blocks, loops and switches: what is declared in them is local. A namespace's body is not code,
/// nor is anything in an ambient one (`declare module "x" { global { … } }`).
pub(crate) fn code<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&Rule>) -> Visit {
    let parent = walk.parent().filter(|_| !walk.in_code());
    let declares = parent.is_some_and(|parent| {
        let is_body = walk.levels_below_frame() == Some(1);
        parent.kind.is_namespace() && (is_body || parent.flags.contains(Flags::DECLARATION))
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
pub(crate) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
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
    rule: Option<&Rule>,
) -> Visit {
    if in_class(walk) {
        return Visit::Descend;
    }
    class(walk, node, rule)
}

/// The bases of a class: JavaScript has one clause, TypeScript two.
fn heritage<'t>(walk: &Walk<'t>, class: Node<'t>) -> Vec<(Relation, String)> {
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

fn in_class(walk: &Walk<'_>) -> bool {
    in_type(walk)
        && walk
            .parent()
            .is_some_and(|parent| parent.kind == ItemKind::Class)
}

/// Whether the current node is an element of the interface or object type that the walk is in,
/// not of a type nested in it.
pub(crate) fn is_element(walk: &Walk<'_>) -> bool {
    in_class(walk) || in_type(walk) && walk.levels_below_frame() == Some(2)
}

/// Methods, accessors and constructors of classes and object literals.
pub(crate) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
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
        draft.flags.insert(Flags::DECLARATION);
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
fn merge_accessor(walk: &mut Walk<'_>, draft: &Draft) -> Option<ItemIndex> {
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
        && item.flags.contains(Flags::STATIC) == draft.flags.contains(Flags::STATIC);
    if !same {
        return None;
    }
    walk.extend_item(index as ItemIndex, draft);
    Some(index as ItemIndex)
}

/// Fields of classes; one that holds a function is a method.
pub(crate) fn field<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
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
pub(crate) fn variable<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let (Some(rule), Some(name)) = (rule, node.child_by_field_name("name")) else {
        return Visit::Descend;
    };
    let value = node.child_by_field_name("value").map(|value| {
        // `var app = module.exports = …`
        let (value, exports) = commonjs::assigned(walk, value);
        if exports {
            let flags = with(Flags::EXPORTED, Flags::DEFAULT);
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
            draft.flags.insert(Flags::READONLY);
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

/// `require("x")`, or a property of it, imports; it does not declare.
pub(crate) fn is_require(walk: &Walk<'_>, mut value: Node<'_>) -> bool {
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

/// `const { a, b: { c }, ...d } = value`: an item for each name.
fn destructured<'t>(walk: &mut Walk<'t>, pattern: Node<'t>, draft: &Draft) {
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

fn is_function(value: Node<'_>) -> bool {
    matches!(
        value.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

/// Makes the draft of a name what its value is: a function or class with that one's signature.
pub(crate) fn bind<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    value: Node<'t>,
    rule: &Rule,
    draft: &mut Draft,
) {
    if is_function(value) {
        draft.kind = ItemKind::Function;
        draft.params = walk.params(value, rule);
        if let Some(only) = value.child_by_field_name("parameter") {
            draft.params = walk.source(only).to_owned();
        }
        if value.child(0).is_some_and(|first| first.kind() == "async") {
            draft.flags.insert(Flags::ASYNC);
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

/// `key: function () { … }` in an object literal whose functions are members.
pub(crate) fn pair<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
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
fn as_literal_member(walk: &Walk<'_>, draft: &mut Draft) {
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
            draft.flags.insert(Flags::EXPORTED);
        }
    }
}

/// Export lists, default exports and what else `export` stands before.
pub(crate) fn export<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
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
                let flags = Flags::EXPORTED;
                walk.export(walk.source(child), with(flags, Flags::DEFAULT));
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

fn with(mut flags: Flags, more: Flags) -> Flags {
    flags.insert(more);
    flags
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
            with(Flags::EXPORTED, Flags::DEFAULT)
        } else {
            Flags::EXPORTED
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
    rule: &Rule,
) -> Visit {
    if value.kind() == "identifier" {
        walk.export(walk.source(value), with(Flags::EXPORTED, Flags::DEFAULT));
        return Visit::Skip;
    }
    let is_named = is_function(value) || value.kind() == "class";
    let name = value.child_by_field_name("name").filter(|_| is_named);
    let mut draft = default_draft(walk, node, name, keyword);
    draft.signature = "export default".to_owned();
    bind(walk, node, value, rule, &mut draft);
    declare_value(walk, draft, value)
}

/// The draft of a module's default export: called `default` where it has no name, at `keyword`.
pub(crate) fn default_draft<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    name: Option<Node<'t>>,
    keyword: Node<'t>,
) -> Draft {
    let mut draft = plain_draft(node, ItemKind::Constant);
    draft.flags = with(Flags::EXPORTED, Flags::DEFAULT);
    draft.doc = walk.take_doc(node.start_byte());
    draft.name_range = name.unwrap_or(keyword).byte_range();
    if name.is_none() {
        draft.name = Some("default".to_owned());
    }
    draft
}

/// Declares what is bound to `value`; the functions of an object are its members.
fn declare_value<'t>(walk: &mut Walk<'t>, draft: Draft, value: Node<'t>) -> Visit {
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

/// Takes the quotes off a name: `"a-b"` declares `a-b`. Whether it had any.
pub(crate) fn unquote(walk: &Walk<'_>, draft: &mut Draft) -> bool {
    let name = walk.text.get(draft.name_range.clone()).unwrap_or("");
    let quoted = name.len() > 2 && name.starts_with(['"', '\'']);
    if quoted {
        draft.name_range = draft.name_range.start + 1..draft.name_range.end - 1;
    }
    quoted
}

pub(crate) fn open(walk: &mut Walk<'_>, draft: Draft) -> Visit {
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// A draft of `node` with nothing but a kind.
pub(crate) fn plain_draft(node: Node<'_>, kind: ItemKind) -> Draft {
    Draft::new(kind, node.byte_range(), node.byte_range())
}
