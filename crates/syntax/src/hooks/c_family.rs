//! C and C++: one declaration declares several names, and the name hides inside its declarator.

use std::ops::Range;

use tree_sitter::Node;

use super::c_declarator::{Declarator, parameter_types};
use super::c_signature::signature_of;
use crate::facts::{ItemFlags, ItemKind, Visibility};
use crate::signature::collapse;
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Function definitions.
pub(crate) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let declarator = node.child_by_field_name("declarator");
    let found = declarator.and_then(Declarator::read);
    let (Some(rule), Some(declarator), Some(found)) = (rule, declarator, found) else {
        return Visit::Descend;
    };
    if !found.is_function() || is_keyword(walk.text, &found.name_range) {
        return Visit::Descend; // damaged by a macro; what is inside may still be whole
    }
    let mut drafted = draft(walk, node, rule, declarator, &found);
    if let (Some(draft), Some((suite, case))) = (&mut drafted, test_names(walk, node, &found)) {
        draft.name = None;
        draft.name_range = case.byte_range();
        draft.container = walk.source(suite).to_owned();
        draft.params = String::new();
    }
    if let Some(item) = drafted.and_then(|draft| walk.declare(draft)) {
        walk.open(item);
    }
    Visit::Descend
}

/// A body, or what a macro opens: that of a function behind `CASE("name")`, where what is declared is a local, or of a
/// namespace.
pub(crate) fn block<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    if walk.code(node) == Visit::Skip {
        return Visit::Skip;
    }
    if !walk.in_code() && is_body_of_macro(walk, node) {
        walk.open_code();
    }
    Visit::Descend
}

/// Whether a call stands right before a block outside of functions, and the block holds no function, template or
/// namespace.
fn is_body_of_macro<'t>(walk: &Walk<'t>, block: Node<'t>) -> bool {
    let call = block.prev_sibling().filter(|before| {
        let inside = before.named_child(0);
        before.kind() == "expression_statement"
            && inside.is_some_and(|inside| inside.kind() == "call_expression")
            && !walk.source(*before).ends_with(';')
    });
    let declares = |part: Node<'_>| match part.kind() {
        "template_declaration" | "namespace_definition" | "linkage_specification" => true,
        "function_definition" => part.child_by_field_name("type").is_some(),
        _ => false,
    };
    let mut cursor = block.walk();
    call.is_some() && !block.named_children(&mut cursor).any(declares)
}

/// `TEST_F(Suite, Case) { … }`: what the parser takes for a function is a test of that name.
fn test_names<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    found: &Declarator<'t>,
) -> Option<(Node<'t>, Node<'t>)> {
    const MACROS: [&str; 6] = [
        "TEST",
        "TEST_F",
        "TEST_P",
        "TYPED_TEST",
        "TYPED_TEST_P",
        "BENCHMARK_F",
    ];
    let list = found.parameters?;
    let is_test = node.child_by_field_name("type").is_none()
        && MACROS.contains(&walk.source(found.name))
        && list.named_child_count() == 2;
    let (suite, case) = (list.named_child(0)?, list.named_child(1)?);
    let plain = [suite, case].iter().all(|name| {
        name.named_child(0)
            .is_some_and(|inner| inner.byte_range() == name.byte_range())
    });
    (is_test && plain).then_some((suite, case))
}

/// Variables, fields and prototypes: an item for each declarator.
pub(crate) fn declaration<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    if walk.in_code() {
        return Visit::Descend;
    }
    let declarators = declarators(node);
    let mut only = None;
    for declarator in &declarators {
        let Some(found) = Declarator::read(*declarator) else {
            continue;
        };
        if is_keyword(walk.text, &found.name_range) {
            continue;
        }
        let drafted = draft(walk, node, rule, *declarator, &found);
        only = drafted.and_then(|draft| walk.declare(draft));
    }
    // `struct { int x; } position;`: x is a member of position.
    let nameless = node
        .child_by_field_name("type")
        .is_some_and(|kind| has_body(kind) && kind.child_by_field_name("name").is_none());
    if let (true, Some(item)) = (nameless && declarators.len() == 1, only) {
        walk.open(item);
        walk.set_access(Visibility::Public);
    }
    Visit::Descend
}

/// `typedef`: an alias for each declarator, or the name of the type defined in it.
pub(crate) fn typedef<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let (Some(rule), Some(kind)) = (rule, node.child_by_field_name("type")) else {
        return Visit::Descend;
    };
    let tag = kind.child_by_field_name("name");
    let mut named = None;
    for declarator in declarators(node) {
        let Some(found) = Declarator::read(declarator) else {
            continue;
        };
        let plain = declarator.id() == found.name.id();
        let same_as_tag = tag.is_some_and(|tag| walk.source(tag) == walk.source(found.name));
        if same_as_tag && has_body(kind) {
            continue; // `typedef struct Node { … } Node;` declares one thing
        }
        let names_the_type = tag.is_none() && has_body(kind) && plain && named.is_none();
        let Some(mut draft) = draft(walk, node, rule, declarator, &found) else {
            continue;
        };
        draft.params = String::new();
        draft.visibility = None;
        draft.kind = match kind.kind() {
            _ if !names_the_type => ItemKind::TypeAlias,
            "union_specifier" => ItemKind::Union,
            "enum_specifier" => ItemKind::Enum,
            "class_specifier" => ItemKind::Class,
            _ => ItemKind::Struct,
        };
        draft.flags = ItemFlags::default();
        if same_as_tag {
            draft.flags.insert(ItemFlags::DECLARATION); // `typedef struct Node Node;`
        }
        let item = walk.declare(draft);
        if names_the_type {
            named = item;
        }
    }
    if let Some(item) = named {
        walk.open(item);
    }
    Visit::Descend
}

/// Classes, structures, unions and enumerations that are defined here.
pub(crate) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let (Some(rule), Some(name), true) = (rule, node.child_by_field_name("name"), has_body(node))
    else {
        return Visit::Descend;
    };
    let Some(found) = Declarator::read(name) else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft_named(node, rule, found.name_range.clone()) else {
        return Visit::Descend;
    };
    draft.container = container(walk.text, &found);
    // Of `template <>` and `template <class T> class Map<T*>` the arguments are not parameters.
    draft.params = String::new();
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
        walk.set_access(match node.kind() {
            "class_specifier" => Visibility::Private,
            _ => Visibility::Public,
        });
    }
    Visit::Descend
}

/// `public:`, `protected:`, `private:`.
pub(crate) fn access<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let word = walk.source(node);
    walk.set_access(if word.starts_with("public") {
        Visibility::Public
    } else if word.starts_with("protected") {
        Visibility::Protected
    } else {
        Visibility::Private
    });
    Visit::Skip
}

/// `namespace a::b { … }`; what is in one without a name is private to the file.
pub(crate) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let hidden = walk.access() == Some(Visibility::Private);
    let (Some(rule), Some(_)) = (rule, node.child_by_field_name("name")) else {
        walk.open_scope(Visibility::Private);
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    draft.params = String::new();
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
        if hidden {
            walk.set_access(Visibility::Private);
        }
    }
    Visit::Descend
}

/// `#define NAME value` and `#define NAME(a, b) value`.
pub(crate) fn define<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let (Some(rule), Some(name)) = (rule, node.child_by_field_name("name")) else {
        return Visit::Skip;
    };
    let value = node.child_by_field_name("value");
    if value.is_none() && is_include_guard(walk.text, node.start_byte(), walk.source(name)) {
        return Visit::Skip;
    }
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Skip;
    };
    let mut head = format!("#define {}", walk.source(name));
    if let Some(parameters) = node.child_by_field_name("parameters") {
        let list = collapse(walk.source(parameters));
        head.push_str(&list);
        draft.params = list.trim_matches(['(', ')']).replace(' ', "");
    }
    match value.map(|value| walk.source(value).trim()) {
        Some(value) if value.len() <= 60 && !value.contains('\n') => {
            head.push(' ');
            head.push_str(value);
        }
        Some(_) => head.push_str(" …"),
        None => {}
    }
    draft.signature = head;
    let end = walk.text[..draft.span.end].trim_end().len();
    draft.span.end = end.max(draft.span.start);
    walk.declare(draft);
    Visit::Skip
}

/// `#ifndef STORE_H` stands right above.
fn is_include_guard(text: &str, start: usize, name: &str) -> bool {
    let above = text[..start].trim_end();
    let line = above.rsplit('\n').next().unwrap_or("").trim();
    line.starts_with("#if") && line.contains(name)
}

/// The nodes of all declarators of a declaration.
fn declarators(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor)
        .collect()
}

fn has_body(kind: Node<'_>) -> bool {
    kind.child_by_field_name("body").is_some()
}

/// In code that macros damaged, the parser takes keywords for names.
fn is_keyword(text: &str, name: &Range<usize>) -> bool {
    const KEYWORDS: [&str; 22] = [
        "class",
        "struct",
        "union",
        "enum",
        "public",
        "private",
        "protected",
        "virtual",
        "if",
        "for",
        "while",
        "switch",
        "return",
        "else",
        "do",
        "case",
        "namespace",
        "template",
        "typename",
        "using",
        "static",
        "const",
    ];
    text.get(name.clone())
        .is_some_and(|name| KEYWORDS.contains(&name))
}

fn container(text: &str, found: &Declarator<'_>) -> String {
    let scope = found.scope.clone().and_then(|range| text.get(range));
    let scope = scope.unwrap_or("").trim().trim_end_matches(':');
    collapse(scope.trim_start_matches("::"))
}

/// One declarator of a declaration or definition.
fn draft<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: &NodeRule,
    declarator: Node<'t>,
    found: &Declarator<'t>,
) -> Option<ItemDraft> {
    let mut draft = walk.draft_named(node, rule, found.name_range.clone())?;
    draft.name = Some(name_of(walk.text, found));
    draft.container = container(walk.text, found);
    draft.signature = signature_of(walk, node, declarator, found);
    draft.params = found
        .parameters
        .map(|list| parameter_types(list, walk.text))
        .unwrap_or_default();
    draft.kind = kind_of(walk, node, found, &draft);
    if !found.is_function() {
        draft.arity = 0;
    } else if draft.container.contains('<') {
        draft.arity = own_arity(walk);
    }
    draft.visibility = None;
    draft.flags = flags_of(walk, node, found, &mut draft);
    Some(draft)
}

fn name_of(text: &str, found: &Declarator<'_>) -> String {
    let written = text.get(found.name_range.clone()).unwrap_or("");
    if !found.is_operator() {
        return written.to_owned();
    }
    // One spelling: `operator==`, `operator bool`, `operator new`.
    let symbol = written.trim_start_matches("operator").trim();
    if symbol.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
        format!("operator {}", collapse(symbol))
    } else {
        format!("operator{}", symbol.replace(char::is_whitespace, ""))
    }
}

fn kind_of<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    found: &Declarator<'t>,
    draft: &ItemDraft,
) -> ItemKind {
    if !found.is_function() {
        return if is_constant(walk, node, found) {
            ItemKind::Constant
        } else if node.kind() == "field_declaration"
            || walk.parent().is_some_and(|parent| parent.kind.is_type())
        {
            ItemKind::Field
        } else {
            ItemKind::Variable
        };
    }
    match found.name.kind() {
        "destructor_name" => return ItemKind::Destructor,
        "operator_name" | "operator_cast" => return ItemKind::Operator,
        _ => {}
    }
    let class = if draft.container.is_empty() {
        let parent = walk.parent().filter(|parent| parent.kind.is_type());
        parent.map(|parent| walk.facts.str(parent.name))
    } else {
        let path = draft.container.split('<').next().unwrap_or("");
        path.rsplit("::").next()
    };
    let untyped = node.child_by_field_name("type").is_none();
    match class {
        Some(class) if untyped && class == walk.source(found.name) => ItemKind::Constructor,
        Some(_) => ItemKind::Method,
        None => ItemKind::Function,
    }
}

/// `constexpr`, or `const` as far as the name itself goes.
fn is_constant<'t>(walk: &Walk<'t>, node: Node<'t>, found: &Declarator<'t>) -> bool {
    let in_type = walk.parent().is_some_and(|parent| parent.kind.is_type());
    let mut constant = false;
    let mut is_static = !in_type;
    let mut cursor = node.walk();
    for child in node.named_children(&mut cursor) {
        match (child.kind(), walk.source(child)) {
            ("type_qualifier", "constexpr" | "constinit") => return true,
            ("type_qualifier", "const") => constant = true,
            ("storage_class_specifier", "static") => is_static = true,
            _ => {}
        }
    }
    constant && is_static && !found.points
}

/// Of the template lists around a definition outside its class, the class's own do not count.
fn own_arity(walk: &Walk<'_>) -> u8 {
    let lists: Vec<_> = walk
        .wrappers_of()
        .into_iter()
        .filter(|wrapper| wrapper.kind() == "template_declaration")
        .collect();
    match lists.as_slice() {
        [_, .., own] => own
            .child_by_field_name("parameters")
            .map_or(0, |list| list.named_child_count().min(255) as u8),
        _ => 0,
    }
}

fn flags_of<'t>(
    walk: &Walk<'t>,
    node: Node<'t>,
    found: &Declarator<'t>,
    draft: &mut ItemDraft,
) -> ItemFlags {
    let mut flags = ItemFlags::default();
    let in_type = walk.parent().is_some_and(|parent| parent.kind.is_type());
    let mut is_extern = false;
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match (child.kind(), walk.source(child)) {
            ("storage_class_specifier", "static") if in_type => flags.insert(ItemFlags::STATIC),
            ("storage_class_specifier", "static") => draft.visibility = Some(Visibility::Private),
            ("storage_class_specifier", "extern") => is_extern = true,
            ("virtual" | "virtual_function_specifier", _) | (_, "virtual") => {
                flags.insert(ItemFlags::VIRTUAL);
            }
            ("pure_virtual_clause", _) => flags.insert(ItemFlags::ABSTRACT),
            ("type_qualifier", "const" | "constexpr") if !found.is_function() && !found.points => {
                flags.insert(ItemFlags::READONLY);
            }
            _ => {}
        }
    }
    if !found.is_function() {
        if is_extern && found.value.is_none() {
            flags.insert(ItemFlags::DECLARATION);
        }
        return flags;
    }
    if let Some(function) = found.function
        && has_virtual_specifier(walk, function, "override")
    {
        flags.insert(ItemFlags::OVERRIDE);
    }
    if node.kind() != "function_definition" {
        let value = node.child_by_field_name("default_value").or(found.value);
        if value.is_some_and(|value| walk.source(value) == "0") {
            flags.insert(ItemFlags::ABSTRACT);
        } else {
            flags.insert(ItemFlags::DECLARATION);
        }
    }
    flags
}

fn has_virtual_specifier<'t>(walk: &Walk<'t>, function: Node<'t>, word: &str) -> bool {
    let mut cursor = function.walk();
    function
        .named_children(&mut cursor)
        .any(|child| child.kind() == "virtual_specifier" && walk.source(child) == word)
}
