//! Python: decorators say what a function is, assignments declare, and `self.x` in a method
//! declares a field of the class.

use codecortex_bind::{FunctionalKind, FunctionalType, functional_type};
use tree_sitter::Node;

use crate::facts::{Flags, ItemIndex, ItemKind, Relation};
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

/// Classes; what a base is made with where it is named has fields, too: `class P(namedtuple("P", "x y"))`.
pub(crate) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let made = bases_made(walk, node);
    // A change in the call is one of the whole class.
    if walk.is_replay() && !made.is_empty() {
        return Visit::Skip;
    }
    let Some(draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
        for made in &made {
            fields(walk, item, made);
        }
    }
    Visit::Descend
}

/// The bases of a class that calls make.
fn bases_made<'t>(walk: &Walk<'t>, class: Node<'t>) -> Vec<FunctionalType<'t>> {
    let (Some(name), Some(bases)) = (
        class.child_by_field_name("name"),
        class.child_by_field_name("superclasses"),
    ) else {
        return Vec::new();
    };
    let mut cursor = bases.walk();
    bases
        .named_children(&mut cursor)
        .filter_map(|base| functional_type(base, walk.source(name), walk.text))
        .collect()
}

/// The fields of a type that a call makes.
fn fields<'t>(walk: &mut Walk<'t>, of: ItemIndex, made: &FunctionalType<'t>) {
    for field in &made.fields {
        let name = walk.text.get(field.name.clone()).unwrap_or("");
        let said = field.said.map(|said| collapse(walk.source(said)));
        let said = said.filter(|said| said.len() <= 60);
        let mut draft = Draft::new(kind_of(name), field.name.clone(), field.span.clone());
        draft.signature = match (made.kind, said) {
            (FunctionalKind::Record, Some(ty)) => format!("{name}: {ty}"),
            (FunctionalKind::Enum, Some(value)) => format!("{name} = {value}"),
            (_, None) => name.to_owned(),
        };
        walk.declare_in(of, draft);
    }
}

/// What a name is that is only assigned: capitals alone make a constant.
fn kind_of(name: &str) -> ItemKind {
    let constant = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    if constant {
        ItemKind::Constant
    } else {
        ItemKind::Variable
    }
}

/// Functions: properties, static and abstract methods and overloads by their decorators.
pub(crate) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    let in_class = walk.parent().is_some_and(|parent| parent.kind.is_type());
    for name in decorators(walk) {
        match name.rsplit('.').next().unwrap_or(name) {
            "property" | "cached_property" | "setter" | "getter" | "deleter" if in_class => {
                draft.kind = ItemKind::Property;
            }
            "abstractproperty" if in_class => {
                draft.kind = ItemKind::Property;
                draft.flags.insert(Flags::ABSTRACT);
            }
            "staticmethod" | "classmethod" => draft.flags.insert(Flags::STATIC),
            "abstractmethod" => draft.flags.insert(Flags::ABSTRACT),
            "override" => draft.flags.insert(Flags::OVERRIDE),
            "overload" => draft.flags.insert(Flags::DECLARATION),
            _ => {}
        }
    }
    if in_class {
        drop_receiver(walk, node, &mut draft);
    }
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// The names behind the `@`s above the current definition.
fn decorators<'t>(walk: &Walk<'t>) -> Vec<&'t str> {
    let Some(wrapper) = walk.wrappers_of().pop() else {
        return Vec::new();
    };
    let mut cursor = wrapper.walk();
    wrapper
        .named_children(&mut cursor)
        .filter(|child| child.kind() == "decorator")
        .map(|decorator| {
            let written = walk.source(decorator).trim_start_matches('@').trim();
            written.split('(').next().unwrap_or(written).trim()
        })
        .collect()
}

/// The object or class that a method is called on is no argument.
fn drop_receiver<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut Draft) {
    let first = node
        .child_by_field_name("parameters")
        .and_then(|list| list.named_child(0));
    let receiver = first.map_or("", |first| walk.source(first));
    if matches!(receiver, "self" | "cls" | "mcs" | "metacls") {
        let rest = draft.params.get(receiver.len()..).unwrap_or("");
        draft.params = rest.trim_start_matches(',').to_owned();
    }
}

/// `type Pairs[T] = list[tuple[T, T]]`.
pub(crate) fn type_alias<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
    let (Some(rule), Some(left)) = (rule, node.child_by_field_name("left")) else {
        return Visit::Skip;
    };
    let mut name = left;
    let mut arity = 0;
    while let Some(inner) = name.named_child(0) {
        if name.kind() == "generic_type" {
            let list = name.named_child(1);
            arity = list.map_or(0, |list| list.named_child_count().min(255) as u8);
        }
        name = inner;
    }
    if let Some(mut draft) = walk.draft_named(node, rule, name.byte_range()) {
        draft.arity = arity;
        walk.declare(draft);
    }
    Visit::Skip
}

/// `__all__ = ["name", …]`: what is public, if it is that simple.
fn exports<'t>(walk: &mut Walk<'t>, node: Node<'t>) {
    let Some(list) = node.child_by_field_name("right") else {
        return;
    };
    if !matches!(list.kind(), "list" | "tuple" | "expression_list") {
        return;
    }
    let mut cursor = list.walk();
    let names: Option<Vec<_>> = list
        .named_children(&mut cursor)
        .filter(|child| child.kind() != "comment")
        .map(|child| plain_string(walk, child))
        .collect();
    for name in names.iter().flatten() {
        walk.export(name, Flags::EXPORTED);
    }
    if names.is_some() {
        walk.close_exports();
    }
}

fn plain_string<'t>(walk: &Walk<'t>, literal: Node<'t>) -> Option<&'t str> {
    let content = literal.named_child(1)?;
    (literal.kind() == "string" && content.kind() == "string_content").then(|| walk.source(content))
}

/// `x = 1`, `x: int`, `a, b = …` at module or class level; `self.x = …` in a method.
pub(crate) fn assignment<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&Rule>) -> Visit {
    let Some(left) = node.child_by_field_name("left") else {
        return Visit::Descend;
    };
    match left.kind() {
        // A change in the call is one of the whole type.
        "identifier" if walk.is_replay() && made_by(walk, node, left).is_some() => {
            return Visit::Skip;
        }
        "identifier" if !walk.in_code() => {
            if walk.parent_index().is_none() && walk.source(left) == "__all__" {
                exports(walk, node);
            }
            variable(walk, node, left);
        }
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
    if walk.is_declared_in(walk.parent_index(), name.byte_range()) {
        return; // assigned again
    }
    let annotation = node.child_by_field_name("type");
    let is_alias = match annotation {
        Some(annotation) => walk.source(annotation).ends_with("TypeAlias"),
        None => makes_alias(walk, node),
    };
    let made = made_by(walk, node, name);
    let kind = match made {
        Some(_) => ItemKind::Class,
        None if is_alias => ItemKind::TypeAlias,
        None => kind_of(source),
    };
    let doc = walk.take_doc(node.start_byte());
    let mut draft = draft(walk, node, name, kind, doc);
    let Some(made) = made else {
        walk.declare(draft);
        return;
    };
    let base = collapse(walk.source(made.callee));
    draft.bases = vec![(Relation::Extends, base)];
    if let Some(item) = walk.declare(draft) {
        fields(walk, item, &made);
    }
}

/// The type that the value of an assignment to one name makes.
fn made_by<'t>(
    walk: &Walk<'t>,
    assignment: Node<'t>,
    name: Node<'t>,
) -> Option<FunctionalType<'t>> {
    let is_alone = assignment.child_by_field_name("left") == Some(name)
        && assignment.child_by_field_name("type").is_none();
    let value = assignment
        .child_by_field_name("right")
        .filter(|_| is_alone)?;
    functional_type(value, walk.source(name), walk.text)
}

/// `NewType("U", P)` and `TypeAliasType("U", P)` give a type another name.
fn makes_alias<'t>(walk: &Walk<'t>, assignment: Node<'t>) -> bool {
    let call = assignment.child_by_field_name("right");
    let callee = call
        .filter(|call| call.kind() == "call")
        .and_then(|call| call.child_by_field_name("function"));
    let name = callee.map_or("", |callee| walk.source(callee));
    matches!(name.rsplit('.').next(), Some("NewType" | "TypeAliasType"))
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
    if walk.is_declared_in(Some(class), name.byte_range()) {
        return;
    }
    let mut draft = draft(walk, node, name, ItemKind::Field, None);
    draft.signature = draft.signature.trim_start_matches("self.").to_owned();
    walk.declare_in(class, draft);
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
    let mut draft = Draft::new(kind, name.byte_range(), node.byte_range());
    draft.signature = signature;
    draft.doc = doc;
    draft
}
