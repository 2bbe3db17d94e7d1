//! Several imports of one module become one, and what is imported twice is imported once.

use codecortex_bind::Dialect;
use tree_sitter::Node;

use crate::imports::blocks::ImportStatement;
use crate::tree::{children, descendants, text_of, tree_of};

/// Joins the statements of a block.
pub(super) fn join(dialect: Dialect, path: &str, statements: &mut Vec<ImportStatement>) {
    let mut joined: Vec<ImportStatement> = Vec::new();
    for statement in statements.drain(..) {
        let is_known = joined.iter().any(|of| of.text == statement.text);
        if is_known {
            continue;
        }
        let same = joined
            .iter_mut()
            .filter(|of| of.module == statement.module)
            .find_map(|of| {
                let both = both(dialect, path, &of.text, &statement.text)?;
                Some((of, both))
            });
        match same {
            Some((of, both)) => of.text = both,
            None => joined.push(statement),
        }
    }
    *statements = joined;
}

/// One statement in the place of two that import names of one module.
fn both(dialect: Dialect, path: &str, first: &str, second: &str) -> Option<String> {
    let names: Vec<String> = match dialect {
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Python => names_of(path, second)?
            .into_iter()
            .map(|(name, _)| name)
            .collect(),
        _ => return None,
    };
    let own = names_of(path, first)?;
    if head(path, first)? != head(path, second)? {
        return None;
    }
    let end = own.last()?.1;
    let mut text = first.to_owned();
    let known: Vec<&str> = own.iter().map(|(name, _)| name.as_str()).collect();
    let new = names.iter().filter(|name| !known.contains(&name.as_str()));
    let is_sorted = |names: &[&str]| names.windows(2).all(|pair| pair[0] <= pair[1]);
    let new: Vec<&str> = new.map(String::as_str).collect();
    if new.is_empty() {
        return Some(text);
    }
    // One line stays one line; a list by lines gets its names behind the last.
    if is_sorted(&known) && is_sorted(&new) && !first.contains('\n') {
        let mut all: Vec<&str> = known.iter().copied().chain(new).collect();
        all.sort_unstable();
        let start = end - own.last()?.0.len();
        let from = first.find(known.first()?)?.min(start);
        let from = first_name(path, first).unwrap_or(from);
        text.replace_range(from..end, &all.join(", "));
        return Some(text);
    }
    text.insert_str(end, &format!(", {}", new.join(", ")));
    Some(text)
}

/// The names that a statement has in its list, with the end of each; nothing where it imports something else too.
fn names_of(path: &str, statement: &str) -> Option<Vec<(String, usize)>> {
    let tree = tree_of(path, statement)?;
    let names = name_nodes(tree.root_node())?;
    let named = names
        .iter()
        .map(|node| (text_of(*node, statement).to_owned(), node.end_byte()));
    Some(named.collect())
}

fn first_name(path: &str, statement: &str) -> Option<usize> {
    let tree = tree_of(path, statement)?;
    let names = name_nodes(tree.root_node())?;
    names.first().map(Node::start_byte)
}

fn name_nodes(root: Node<'_>) -> Option<Vec<Node<'_>>> {
    let statement = children(root).into_iter().next()?;
    if statement.kind() == "import_from_statement" {
        let mut cursor = statement.walk();
        let names: Vec<Node<'_>> = statement
            .children_by_field_name("name", &mut cursor)
            .collect();
        return (!names.is_empty()).then_some(names);
    }
    let mut all = descendants(statement, |_| true).into_iter();
    let clause = all.find(|node| node.kind() == "import_clause")?;
    match children(clause).as_slice() {
        [only] if only.kind() == "named_imports" => {
            let names = children(*only).into_iter();
            let names: Vec<Node<'_>> = names.filter(Node::is_named).collect();
            (!names.is_empty()).then_some(names)
        }
        _ => None,
    }
}

/// What a statement has before and behind its names, without brackets: two of the same head can be one.
fn head(path: &str, statement: &str) -> Option<String> {
    let tree = tree_of(path, statement)?;
    let names = name_nodes(tree.root_node())?;
    let (first, last) = (names.first()?, names.last()?);
    let before = statement.get(..first.start_byte())?;
    let behind = statement.get(last.end_byte()..)?;
    let plain = |text: &str| -> String {
        let is_mark = |letter: &char| {
            letter.is_whitespace()
                || matches!(letter, '(' | ')' | '{' | '}' | ',' | ';' | '"' | '\'')
        };
        text.chars().filter(|letter| !is_mark(letter)).collect()
    };
    Some(format!("{} {}", plain(before), plain(behind)))
}
