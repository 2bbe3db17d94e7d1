//! Go: groups of constants and variables, receivers, embedding, comments at the end of a line.

use tree_sitter::Node;

use crate::doc::clean_comments;
use crate::facts::{ItemFlags, ItemKind, Relation};
use crate::signature::collapse;
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Longer values and types are not part of a signature.
const MAX_SHORT: usize = 60;

/// The package's name and documentation.
pub(crate) fn package<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    if let Some(name) = node.named_child(0) {
        walk.set_package(walk.source(name));
    }
    if let Some(doc) = walk.take_doc(node.start_byte()) {
        walk.set_file_doc(&doc);
    }
    Visit::Skip
}

/// Functions, and methods with the type of their receiver.
pub(crate) fn function<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    draft.arity = arity(walk, node);
    if let Some(receiver) = node.child_by_field_name("receiver") {
        let mut cursor = receiver.walk();
        let declared = receiver
            .named_children(&mut cursor)
            .find_map(|parameter| parameter.child_by_field_name("type"));
        if let Some(name) = declared.and_then(type_name) {
            draft.container = walk.source(name).to_owned();
        }
    }
    declare_open(walk, draft)
}

/// A method of an interface; those of anonymous interfaces belong to nothing.
pub(crate) fn method_element<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    if in_interface(walk)
        && let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule))
    {
        draft.doc = draft.doc.or_else(|| doc_after(walk, node));
        draft.flags.insert(ItemFlags::ABSTRACT);
        walk.declare(draft);
    }
    Visit::Skip
}

/// An embedded interface. A union of types constrains, it is nobody's base.
pub(crate) fn type_element<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    if in_interface(walk)
        && node.child_count() == 1
        && let (Some(base), Some(parent)) = (node.named_child(0), walk.parent_index())
        && type_name(base).is_some()
    {
        let base = collapse(walk.source(base));
        walk.add_base(parent, Relation::Embeds, &base);
    }
    Visit::Skip
}

/// Whether the current node is an element of the named interface that the walk is inside of.
fn in_interface(walk: &Walk<'_>) -> bool {
    walk.levels_below_frame() == Some(2)
        && walk
            .parent()
            .is_some_and(|parent| parent.kind == ItemKind::Interface)
}

/// `type Name …`: a struct, an interface or a type of another type's shape.
pub(crate) fn definition<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    rule: Option<&NodeRule>,
) -> Visit {
    let (Some(rule), Some(shape)) = (rule, node.child_by_field_name("type")) else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    draft.arity = arity(walk, node);
    let written = walk.source(shape);
    let short = written.len() <= MAX_SHORT && !written.contains('\n');
    draft.signature.push(' ');
    match shape.kind() {
        "struct_type" => {
            draft.kind = ItemKind::Struct;
            draft.signature.push_str("struct");
        }
        "interface_type" => {
            draft.kind = ItemKind::Interface;
            let constrains = short && written.contains(['|', '~']);
            draft
                .signature
                .push_str(if constrains { written } else { "interface" });
        }
        _ if short => draft.signature.push_str(written),
        _ => {
            let written = collapse(written);
            let cut = written.floor_char_boundary(MAX_SHORT);
            draft.signature.push_str(&written[..cut]);
            draft.signature.push('…');
        }
    }
    draft.doc = draft.doc.or_else(|| doc_after(walk, node));
    declare_open(walk, draft)
}

fn declare_open(walk: &mut Walk<'_>, draft: ItemDraft) -> Visit {
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// `const` and `var`, single or in a group. The comment before a group documents its first name,
/// unless that has its own.
pub(crate) fn values<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    if walk.in_code() {
        return Visit::Skip;
    }
    let constant = node.kind() == "const_declaration";
    let mut group_doc = walk.take_doc(node.start_byte());
    let mut cursor = node.walk();
    let list = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "var_spec_list")
        .unwrap_or(node);
    let group = list.id() != node.id() || node.child(1).is_some_and(|child| child.kind() == "(");
    let mut specs = list.walk();
    for spec in list.named_children(&mut specs) {
        if walk.spec.is_comment(spec.kind_id()) {
            walk.comment(spec);
            continue;
        }
        let own = walk.take_doc(spec.start_byte());
        let doc = own
            .or_else(|| group_doc.take())
            .or_else(|| doc_after(walk, spec));
        group_doc = None;
        let whole = if group { spec } else { node };
        value_spec(walk, whole, spec, constant, doc);
    }
    Visit::Skip
}

/// An item for each name of a specification.
fn value_spec<'t>(
    walk: &mut Walk<'t>,
    whole: Node<'t>,
    spec: Node<'t>,
    constant: bool,
    doc: Option<String>,
) {
    let mut signature = String::from(if constant { "const " } else { "var " });
    let value = spec.child_by_field_name("value");
    let head = value.map_or(spec.end_byte(), |value| value.start_byte());
    signature.push_str(&collapse(
        walk.text.get(spec.start_byte()..head).unwrap_or(""),
    ));
    if let Some(value) = value {
        let written = walk.source(value);
        let short = written.len() <= MAX_SHORT && !written.contains('\n');
        signature.push(' ');
        signature.push_str(if short { written } else { "…" });
    }
    let mut draft = ItemDraft::new(ItemKind::Variable, spec.byte_range(), whole.byte_range());
    draft.signature = signature;
    draft.doc = doc;
    if constant {
        draft.kind = ItemKind::Constant;
        draft.flags.insert(ItemFlags::READONLY);
    }
    declare_names(walk, spec, &draft, |_, _| {});
}

/// Declares `draft` for each name of a node but `_`.
fn declare_names<'t>(
    walk: &mut Walk<'t>,
    node: Node<'t>,
    draft: &ItemDraft,
    finish: impl Fn(&mut ItemDraft, &str),
) -> bool {
    let mut any = false;
    let mut cursor = node.walk();
    for name in node.children_by_field_name("name", &mut cursor) {
        if !name.is_named() {
            continue; // a comma
        }
        any = true;
        let text = walk.source(name);
        if text == "_" {
            continue;
        }
        let mut draft = draft.clone();
        draft.name_range = name.byte_range();
        finish(&mut draft, text);
        walk.declare(draft);
    }
    any
}

/// Fields of a named struct. An embedded type is a base, and a field by its own name.
pub(crate) fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, _: Option<&NodeRule>) -> Visit {
    let in_struct = walk.levels_below_frame() == Some(3)
        && walk
            .parent()
            .is_some_and(|parent| parent.kind == ItemKind::Struct);
    let (true, Some(shape)) = (in_struct, node.child_by_field_name("type")) else {
        return Visit::Skip;
    };
    let doc = walk
        .take_doc(node.start_byte())
        .or_else(|| doc_after(walk, node));
    let mut draft = ItemDraft::new(ItemKind::Field, node.byte_range(), node.byte_range());
    draft.doc = doc;
    let written = collapse(walk.source(shape));
    let written = match written.char_indices().nth(MAX_SHORT) {
        Some((cut, _)) => format!("{}…", &written[..cut]),
        None => written,
    };
    let named = declare_names(walk, node, &draft, |draft, name| {
        draft.signature = format!("{name} {written}");
    });
    if !named && let (Some(name), Some(parent)) = (type_name(shape), walk.parent_index()) {
        draft.name_range = name.byte_range();
        let whole = walk.text.get(node.start_byte()..shape.end_byte());
        draft.signature = collapse(whole.unwrap_or(""));
        walk.declare(draft);
        let base = collapse(walk.source(shape));
        walk.add_base(parent, Relation::Embeds, &base);
    }
    Visit::Skip
}

/// The identifier in a type's name: `Node` in `*pkg.Node[T]`. `None` for types without a name.
fn type_name(mut node: Node<'_>) -> Option<Node<'_>> {
    loop {
        node = match node.kind() {
            "type_identifier" => return Some(node),
            "qualified_type" => return node.child_by_field_name("name"),
            "generic_type" => node.child_by_field_name("type")?,
            "pointer_type" | "parenthesized_type" => node.named_child(0)?,
            _ => return None,
        };
    }
}

/// Where the type parameters end that the grammar is shown as a method's first parameters
/// (`preprocess/go.rs`), counted from the list's start; none where the list has none.
pub(crate) fn shown_type_params(written: &str) -> Option<usize> {
    let is_shown = written.starts_with('[');
    is_shown.then(|| written.find("](")).flatten()
}

/// Number of type parameters; `[K, V any]` declares two at once.
fn arity(walk: &Walk<'_>, node: Node<'_>) -> u8 {
    let shown = || {
        let list = node.child_by_field_name("parameters")?;
        let end = shown_type_params(walk.source(list))?;
        Some((list, list.start_byte() + end))
    };
    let own = node.child_by_field_name("type_parameters");
    let own = own.map(|list| (list, list.end_byte()));
    let Some((list, end)) = own.or_else(shown) else {
        return 0;
    };
    let mut cursor = list.walk();
    let count: usize = list
        .named_children(&mut cursor)
        .filter(|declaration| declaration.start_byte() < end)
        .map(|declaration| {
            let mut names = declaration.walk();
            declaration
                .children_by_field_name("name", &mut names)
                .filter(Node::is_named)
                .count()
        })
        .sum();
    count.min(255) as u8
}

/// The comment that ends a declaration's line documents it where nothing else does.
fn doc_after(walk: &Walk<'_>, node: Node<'_>) -> Option<String> {
    let line = walk.text.get(node.end_byte()..)?.lines().next()?;
    let comment = line.trim_start();
    if !comment.starts_with("//") {
        return None;
    }
    let doc = clean_comments(std::iter::once(comment));
    (!doc.is_empty()).then_some(doc)
}
