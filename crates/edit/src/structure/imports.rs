//! Deletes the import of a name.

use tree_sitter::Node;

use crate::source_change::TextEdit;
use crate::structure::delete::{whole_lines, with_separator};
use crate::structure::edited;
use crate::structure::syntax_tree::{range_of, tree_of};

/// The replacement that takes the import of the name at a byte out of its text. Nothing where no import names it there,
/// or others can import it from this one.
#[must_use]
pub fn import_deletion((path, text): (&str, &str), at: u32) -> Option<TextEdit> {
    if path.rsplit('/').next() == Some("__init__.py") {
        return None; // a package's names
    }
    let tree = tree_of(path, text)?;
    let at = at as usize;
    let mut node = tree.root_node().descendant_for_byte_range(at, at + 1)?;
    loop {
        let parent = node.parent()?;
        if is_import(parent) {
            return has_only(parent, node)
                .then(|| {
                    let range = range_of(parent);
                    edited(&whole_lines(text, range), String::new())
                })
                .or_else(|| element(text, parent, node));
        }
        let is_list = is_list(parent);
        if is_list && names(parent) > 1 {
            return is_reexport_free(parent)
                .then(|| element(text, parent, node))
                .flatten();
        }
        node = parent;
    }
}

/// Whether the children of a node are the names of an import.
fn is_list(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "named_imports" | "use_list" | "import_clause" | "import_spec_list"
    )
}

/// Whether a node is an import that no other file can import from.
fn is_import(node: Node<'_>) -> bool {
    let is_one = matches!(
        node.kind(),
        "import_statement" | "import_from_statement" | "use_declaration" | "import_declaration"
    );
    is_one && is_reexport_free(node)
}

/// Whether nothing around a node makes its names visible elsewhere.
fn is_reexport_free(mut node: Node<'_>) -> bool {
    loop {
        let mut cursor = node.walk();
        let is_public = node
            .children(&mut cursor)
            .any(|child| child.kind() == "visibility_modifier");
        if is_public || node.kind() == "export_statement" {
            return false;
        }
        match node.parent() {
            Some(parent) => node = parent,
            None => return true,
        }
    }
}

/// Whether an import names nothing else than one of its children.
fn has_only(import: Node<'_>, child: Node<'_>) -> bool {
    match import.kind() {
        // `from a import b, c`: the module is a name, too.
        "import_from_statement" => {
            let mut cursor = import.walk();
            let count = import.children_by_field_name("name", &mut cursor).count();
            count == 1
                && import
                    .child_by_field_name("name")
                    .is_some_and(|name| name.id() == child.id())
        }
        // `import a, { b } from "c"`.
        "import_statement" if child.kind() == "import_clause" => names(child) == 1,
        _ => true,
    }
}

/// The deletion of one of several names of an import.
fn element(text: &str, list: Node<'_>, node: Node<'_>) -> Option<TextEdit> {
    let is_name = match list.kind() {
        "import_from_statement" => {
            let mut cursor = list.walk();
            let mut all = list.children_by_field_name("name", &mut cursor);
            all.any(|name| name.id() == node.id())
        }
        _ => is_list(list),
    };
    if !is_name {
        return None;
    }
    let mut range = range_of(node);
    with_separator(node, node, &mut range);
    // The blank behind a sign goes with it.
    let rest = text.get(range.end as usize..).unwrap_or_default();
    let is_sign_last = text
        .get(..range.end as usize)
        .is_some_and(|text| text.ends_with(','));
    if is_sign_last {
        range.end += (rest.len() - rest.trim_start_matches(' ').len()) as u32;
    }
    Some(edited(&whole_lines(text, range), String::new()))
}

fn names(node: Node<'_>) -> usize {
    let mut cursor = node.walk();
    node.named_children(&mut cursor)
        .filter(|child| !child.kind().contains("comment"))
        .count()
}
