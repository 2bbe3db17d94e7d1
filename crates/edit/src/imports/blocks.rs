//! Import statements at the top of a file in blocks: nothing but a line end is between two of one block.

use std::ops::Range;

use codecortex_bind::Dialect;
use tree_sitter::{Node, Tree};

use crate::source_change::TextEdit;
use crate::tree::{children, is_comment, range_of, text_of};

/// A statement that imports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportStatement {
    /// Its bytes in the text before.
    pub(super) range: Range<u32>,
    /// What stands there afterwards.
    pub(super) text: String,
    /// What it imports from, as written without quotes.
    pub(super) module: String,
    /// Whether it names single things of the module: `from a import b`.
    pub(super) has_names: bool,
    /// Whether it stays as it is: a comment or an attribute belongs to it, or it runs code.
    pub(super) is_pinned: bool,
}

/// Statements of which only a line end is between two.
#[derive(Clone, Debug, Default)]
pub(super) struct ImportBlock {
    pub(super) statements: Vec<ImportStatement>,
    /// The bytes of all of them before.
    range: Range<u32>,
    /// What is between two.
    between: String,
}

/// The nodes that are imports of a language; none where its imports are not organised.
pub(super) fn kinds(dialect: Dialect) -> Option<&'static [&'static str]> {
    Some(match dialect {
        Dialect::TypeScript | Dialect::JavaScript => &["import_statement"],
        Dialect::Python => &["import_statement", "import_from_statement"],
        Dialect::Java => &["import_declaration"],
        Dialect::CSharp => &["using_directive"],
        Dialect::Go => &["import_spec"],
        Dialect::Rust => &["use_declaration"],
        _ => return None,
    })
}

/// The blocks of a file. A statement that stays as it is ends a block: none moves over it.
pub(super) fn blocks_of(dialect: Dialect, tree: &Tree, text: &str) -> Vec<ImportBlock> {
    let Some(kinds) = kinds(dialect) else {
        return Vec::new();
    };
    let root = tree.root_node();
    let lists = match dialect {
        Dialect::Go => children(root)
            .into_iter()
            .filter(|node| node.kind() == "import_declaration")
            .flat_map(children)
            .filter(|node| node.kind() == "import_spec_list")
            .collect(),
        _ => vec![root],
    };
    let mut blocks = Vec::new();
    for list in lists {
        blocks_in(list, kinds, text, &mut blocks);
    }
    blocks
}

fn blocks_in(list: Node<'_>, kinds: &[&str], text: &str, blocks: &mut Vec<ImportBlock>) {
    let all: Vec<Node<'_>> = children(list);
    let mut open: Option<ImportBlock> = None;
    for (index, node) in all.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| all.get(before));
        if !kinds.contains(&node.kind()) {
            blocks.extend(open.take());
            continue;
        }
        let statement = statement(*node, before, all.get(index + 1), text);
        if statement.is_pinned {
            blocks.extend(open.take());
            continue;
        }
        let range = statement.range.clone();
        let gap = |block: &ImportBlock| between(text, block.range.end, range.start);
        match open.as_mut().filter(|block| is_line_end(gap(block))) {
            Some(block) => {
                block.between = gap(block).to_owned();
                block.range.end = range.end;
                block.statements.push(statement);
            }
            None => blocks.extend(open.replace(ImportBlock {
                statements: vec![statement],
                range,
                between: String::new(),
            })),
        }
    }
    blocks.extend(open);
}

fn statement(
    node: Node<'_>,
    before: Option<&Node<'_>>,
    behind: Option<&Node<'_>>,
    text: &str,
) -> ImportStatement {
    let range = statement_range(node, text);
    let is_near =
        |from: u32, to: u32, most: usize| between(text, from, to).matches('\n').count() <= most;
    // A comment above it, an attribute, a comment behind it on its line.
    let is_marked_above = before.is_some_and(|before| {
        let is_mark = is_comment(*before) || before.kind().contains("attribute");
        is_mark
            && begins_line(text, before.start_byte())
            && is_near(before.end_byte() as u32, range.start, 1)
    });
    let is_marked_behind = behind
        .is_some_and(|node| is_comment(*node) && is_near(range.end, node.start_byte() as u32, 0));
    let module = module(node, text);
    ImportStatement {
        text: between(text, range.start, range.end).to_owned(),
        has_names: node.kind() == "import_from_statement",
        is_pinned: is_marked_above || is_marked_behind || runs_code(node) || has_comment(node),
        module,
        range,
    }
}

/// The bytes of a statement with the sign behind it.
pub(super) fn statement_range(node: Node<'_>, text: &str) -> Range<u32> {
    let mut range = range_of(node);
    let rest = text.get(range.end as usize..).unwrap_or_default();
    range.end += u32::from(rest.starts_with(';'));
    // Some grammars count the line end in.
    let own = between(text, range.start, range.end);
    range.end -= (own.len() - own.trim_end().len()) as u32;
    range
}

/// What a statement imports from.
fn module(node: Node<'_>, text: &str) -> String {
    let fields = ["source", "module_name", "path", "argument", "name"];
    let mut found = fields
        .iter()
        .filter_map(|field| node.child_by_field_name(field));
    let written = match found.next() {
        Some(module) => text_of(module, text),
        // `import a.b.C;`, `using A.B;`: the last of its nodes that have a name.
        None => {
            let mut named = children(node).into_iter().filter(Node::is_named);
            named.next_back().map_or("", |module| text_of(module, text))
        }
    };
    written.trim_matches(['"', '\'', '`', ' ']).to_owned()
}

/// Whether a statement is there for what the module does: `import "a"`, `import _ "a"`.
fn runs_code(node: Node<'_>) -> bool {
    let is_script =
        node.kind() == "import_statement" && node.child_by_field_name("source").is_some();
    let has_clause = children(node)
        .iter()
        .any(|child| matches!(child.kind(), "import_clause" | "import_require_clause"));
    is_script && !has_clause
}

fn has_comment(node: Node<'_>) -> bool {
    crate::tree::descendants(node, |_| true)
        .into_iter()
        .any(is_comment)
}

fn between(text: &str, from: u32, to: u32) -> &str {
    text.get(from as usize..to as usize).unwrap_or_default()
}

/// Whether nothing but blanks is before a byte on its line.
fn begins_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.trim().is_empty()
}

fn is_line_end(gap: &str) -> bool {
    gap.trim().is_empty() && gap.matches('\n').count() == 1
}

impl ImportBlock {
    /// The replacement of the block; none where it stays.
    pub(super) fn edit(&self, text: &str) -> Option<TextEdit> {
        let texts: Vec<&str> = self.statements.iter().map(|of| of.text.as_str()).collect();
        let after = texts.join(&self.between);
        let mut range = self.range.clone();
        if after == between(text, range.start, range.end) {
            return None;
        }
        if after.is_empty() {
            // Its lines go, and a blank line that would be doubled.
            let (before, rest) = (
                text.get(..range.start as usize).unwrap_or_default(),
                text.get(range.end as usize..).unwrap_or_default(),
            );
            let blank = |rest: &str| {
                let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
                rest[..line].trim().is_empty().then_some(line)
            };
            let line = blank(rest).unwrap_or_default();
            range.end += line as u32;
            let is_doubled = before.trim().is_empty() || before.ends_with("\n\n");
            if is_doubled && let Some(line) = blank(&rest[line..]) {
                range.end += line as u32;
            }
        }
        Some(TextEdit {
            start: range.start,
            end: range.end,
            text: after,
        })
    }
}
