//! C#: fields with several names, accessors in signatures, members without a name field, what a
//! primary constructor declares.

use tree_sitter::Node;

use crate::facts::{ItemFlags, ItemIndex, ItemKind, Visibility};
use crate::signature::collapse;
use crate::spec::NodeRule;
use crate::walk::{ItemDraft, Visit, Walk};

/// Namespaces: everybody sees them; one without a block holds for the rest of the file.
pub(crate) fn namespace<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some((rule, mut draft)) = rule.and_then(|rule| Some((rule, walk.draft(node, rule)?)))
    else {
        return Visit::Descend;
    };
    draft.visibility = Some(Visibility::Public);
    if rule.rest_of_parent {
        draft.span.end = walk.text.trim_end().len();
    }
    if let Some(item) = walk.declare(draft) {
        if rule.rest_of_parent {
            walk.open_in_parent(item);
        } else {
            walk.open(item);
        }
    }
    Visit::Descend
}

/// Classes. An extension block is one to the grammar: its members are those of the class around.
pub(crate) fn class<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let rest = walk.source(node).strip_prefix("extension");
    let is_block = rest.is_some_and(|rest| rest.trim_start().starts_with(['(', '<']));
    let Some(rule) = rule.filter(|_| !is_block) else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    if is_behind_union(walk.text, draft.name_range.start) {
        draft.bases.clear();
        let count = |sign: char| draft.signature.matches(sign).count();
        if count('(') > count(')') {
            draft.signature.push(')');
        }
    }
    say_closed(walk, node, &mut draft);
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

/// Puts `closed` back into a signature behind other modifiers: the grammar is not shown it.
fn say_closed<'t>(walk: &Walk<'t>, node: Node<'t>, draft: &mut ItemDraft) {
    let mut cursor = node.walk();
    let mut end = None;
    for child in node.children(&mut cursor) {
        let start = child.start_byte();
        let gap = end.and_then(|end: usize| walk.text.get(end..start));
        if gap.is_some_and(|gap| gap.trim() == "closed") {
            let next = walk.source(child);
            draft.signature = draft.signature.replacen(next, &format!("closed {next}"), 1);
            return;
        }
        end = Some(child.end_byte());
        if start >= draft.name_range.start {
            return;
        }
    }
}

/// Whether a name is a union's, of which the grammar is shown a class that has the cases as its bases.
fn is_behind_union(text: &str, name: usize) -> bool {
    let before = text
        .get(..name)
        .unwrap_or("")
        .trim_end_matches('@')
        .trim_end();
    before.ends_with("union")
}

/// Methods: in an interface, those without a body are for others to implement.
pub(crate) fn method<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    if in_interface(walk) && node.child_by_field_name("body").is_none() {
        draft.flags.insert(ItemFlags::ABSTRACT);
    }
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

fn in_interface(walk: &Walk<'_>) -> bool {
    walk.parent()
        .is_some_and(|parent| parent.kind == ItemKind::Interface)
}

/// Records: what stands in the parentheses behind the name are properties, too.
pub(crate) fn record<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(mut draft) = rule.and_then(|rule| walk.draft(node, rule)) else {
        return Visit::Descend;
    };
    say_closed(walk, node, &mut draft);
    let Some(item) = walk.declare(draft) else {
        return Visit::Descend;
    };
    let mut cursor = node.walk();
    let parameters = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "parameter_list");
    if let Some(list) = parameters {
        let mut cursor = list.walk();
        let parameters: Vec<_> = list
            .named_children(&mut cursor)
            .filter(|child| child.kind() == "parameter")
            .collect();
        for parameter in parameters {
            positional(walk, item, parameter);
        }
    }
    walk.open(item);
    Visit::Descend
}

fn positional<'t>(walk: &mut Walk<'t>, record: ItemIndex, parameter: Node<'t>) {
    let Some(name) = parameter.child_by_field_name("name") else {
        return;
    };
    let written = parameter.child_by_field_name("type");
    let mut draft = ItemDraft::new(
        ItemKind::Property,
        name.byte_range(),
        parameter.byte_range(),
    );
    let start = written.unwrap_or(name).start_byte();
    draft.signature = collapse(&walk.text[start..name.end_byte()]);
    draft.visibility = Some(Visibility::Public);
    walk.declare_in(record, draft);
}

/// `public int a = 1, b;` and `event Handler A, B;`: an item for each declarator.
pub(crate) fn fields<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let mut cursor = node.walk();
    let Some(declaration) = node
        .named_children(&mut cursor)
        .find(|child| child.kind() == "variable_declaration")
    else {
        return Visit::Descend;
    };
    // The rule's name selects the declaration; the draft is then made to fit each declarator.
    let Some(template) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    let mut declarators = declaration.walk();
    let prefix = prefix(walk, node, declaration);
    for declarator in declaration.named_children(&mut declarators) {
        // The type has a name as well.
        if declarator.kind() != "variable_declarator" {
            continue;
        }
        let Some(name) = declarator.child_by_field_name("name") else {
            continue;
        };
        let mut draft = template.clone();
        draft.name_range = name.byte_range();
        let source = walk.source(declarator);
        let written = if source.len() <= 80 && !source.contains('\n') {
            source
        } else {
            walk.source(name)
        };
        draft.signature = format!("{prefix} {}", collapse(written));
        if prefix.split(' ').any(|word| word == "const") {
            draft.kind = ItemKind::Constant;
        }
        walk.declare(draft);
    }
    Visit::Skip
}

/// Modifiers and type, without attributes.
fn prefix<'t>(walk: &Walk<'t>, node: Node<'t>, declaration: Node<'t>) -> String {
    let mut out = String::new();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if child.id() == declaration.id() {
            break;
        }
        if !walk.spec.is_attribute(child.kind_id()) && !walk.spec.is_comment(child.kind_id()) {
            out.push_str(walk.source(child));
            out.push(' ');
        }
    }
    if let Some(kind) = declaration.child_by_field_name("type") {
        out.push_str(&collapse(walk.source(kind)));
    }
    out
}

/// Properties and indexers: `{ get; private set; }` belongs to the signature, bodies do not.
pub(crate) fn accessors<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    if node.kind() == "indexer_declaration" {
        draft.name = Some("this[]".to_owned());
        draft.params = walk.params(node, rule);
    }
    let accessors = accessor_text(walk, node);
    if in_interface(walk) && !accessors.has_body {
        draft.flags.insert(ItemFlags::ABSTRACT);
    }
    draft.signature.push(' ');
    draft.signature.push_str(&accessors.text);
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}

struct Accessors {
    text: String,
    has_body: bool,
}

fn accessor_text<'t>(walk: &Walk<'t>, node: Node<'t>) -> Accessors {
    let Some(list) = node.child_by_field_name("accessors") else {
        return Accessors {
            text: "{ get; }".to_owned(), // an expression body
            has_body: true,
        };
    };
    let mut has_body = false;
    let mut out = String::from("{ ");
    let mut cursor = list.walk();
    let mut names = Vec::new();
    for accessor in list.named_children(&mut cursor) {
        if accessor.kind() != "accessor_declaration" {
            continue;
        }
        has_body |= accessor.child_by_field_name("body").is_some();
        // Each branch of a condition may have one.
        let name = accessor.child_by_field_name("name");
        let name = name.map_or("", |name| walk.source(name));
        if names.contains(&name) {
            continue;
        }
        names.push(name);
        let mut parts = accessor.walk();
        for part in accessor.children(&mut parts) {
            let is_name = accessor
                .child_by_field_name("name")
                .is_some_and(|name| name.id() == part.id());
            if is_name || part.kind() == "modifier" {
                out.push_str(walk.source(part));
                out.push(if is_name { ';' } else { ' ' });
            }
        }
        out.push(' ');
    }
    out.push('}');
    Accessors {
        text: out,
        has_body,
    }
}

/// Operators and conversions: named as C# documentation names them.
pub(crate) fn unnamed<'t>(walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
    let Some(rule) = rule else {
        return Visit::Descend;
    };
    let Some(mut draft) = walk.draft(node, rule) else {
        return Visit::Descend;
    };
    let mut written = collapse(&walk.text[draft.name_range.clone()]);
    // A compound assignment, of which the grammar is not shown the sign.
    if node.kind() == "operator_declaration" && walk.text[draft.name_range.end..].starts_with("=") {
        draft.name_range.end += 1;
        let read = format!("{written} (");
        written.push('=');
        draft.signature = draft.signature.replacen(&read, &format!("{written}("), 1);
    }
    let mut cursor = node.walk();
    let checked = node
        .children(&mut cursor)
        .any(|child| child.kind() == "checked");
    let word = if checked {
        "operator checked"
    } else {
        "operator"
    };
    draft.name = Some(format!("{word} {written}"));
    if let Some(item) = walk.declare(draft) {
        walk.open(item);
    }
    Visit::Descend
}
