//! The stretch of a text that moves: a declaration with its documentation, decorators and attributes.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_resolve::{FileNo, Resolver};
use tree_sitter::{Node, Tree};

use crate::refusal::{Refusal, RefusalKind};
use crate::tree::{children, is_comment, leaf_at, range_of, text_of};

/// A declaration at the top of a file.
#[derive(Clone, Debug)]
pub(crate) struct DeclarationCut<'t> {
    /// The whole statement.
    pub(crate) statement: Node<'t>,
    /// The declaration in it: without `export`, decorators or `template<…>` around.
    pub(crate) declaration: Node<'t>,
    /// What moves: the statement with what belongs to it before and behind.
    pub(crate) range: Range<u32>,
}

/// Nodes that hold the declarations at the top of a file.
fn is_holder(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "program"
            | "module"
            | "source_file"
            | "compilation_unit"
            | "translation_unit"
            | "file_scoped_namespace_declaration"
    ) || node.kind() == "declaration_list"
        && node
            .parent()
            .is_some_and(|parent| parent.kind() == "namespace_declaration")
}

impl<'t> DeclarationCut<'t> {
    /// Of the declaration whose name is at a byte.
    pub(crate) fn new(
        resolver: &Resolver<'_>,
        tree: &'t Tree,
        text: &str,
        (file, at): (FileNo, u32),
    ) -> Result<Self, Refusal> {
        let refuse =
            |message: &str| Err(Refusal::new(RefusalKind::Unsupported, message).at([(file, at)]));
        let dialect = resolver.dialect(file);
        let Some(leaf) = leaf_at(tree, at) else {
            return refuse("The declaration is not in the text.");
        };
        let mut statement = leaf;
        let mut declaration = leaf;
        loop {
            let Some(parent) = statement.parent() else {
                return refuse("It is no declaration at the top of a file.");
            };
            if is_holder(parent) {
                break;
            }
            let is_wrapper = matches!(
                parent.kind(),
                "export_statement" | "decorated_definition" | "template_declaration"
            );
            if !is_wrapper {
                declaration = parent;
            }
            statement = parent;
        }
        if is_comment(statement) || statement.has_error() {
            return refuse("The declaration does not parse.");
        }
        if let Some(message) = shared_statement(declaration, dialect) {
            return refuse(message);
        }
        let start = first_byte(statement, text);
        let end = end_byte(statement, text);
        Ok(Self {
            statement,
            declaration,
            range: start..end,
        })
    }
}

/// Why a statement cannot move whole: it declares more than one name.
fn shared_statement(declaration: Node<'_>, dialect: Option<Dialect>) -> Option<&'static str> {
    let count = |kinds: &[&str]| {
        let all = children(declaration).into_iter();
        all.filter(|node| kinds.contains(&node.kind())).count()
    };
    let is_group = match dialect {
        Some(Dialect::TypeScript | Dialect::JavaScript) => count(&["variable_declarator"]) > 1,
        Some(Dialect::Python) => {
            declaration.kind() == "if_statement" || declaration.kind() == "try_statement"
        }
        _ => false,
    };
    is_group.then_some("It is declared together with others.")
}

/// The first byte of what belongs to a statement: comments and attributes right before it.
fn first_byte(statement: Node<'_>, text: &str) -> u32 {
    let mut first = statement;
    while let Some(before) = first.prev_sibling() {
        let is_attribute = before.kind() == "attribute_item";
        let gap = text
            .get(before.end_byte()..first.start_byte())
            .unwrap_or_default();
        // A line comment of Rust has its line end.
        let ends_line = text_of(before, text).ends_with('\n');
        let lines = gap.matches('\n').count() + usize::from(ends_line);
        let is_own_line = before.prev_sibling().is_none_or(|other| {
            let between = text.get(other.end_byte()..before.start_byte());
            between.is_some_and(|between| between.contains('\n'))
                || text_of(other, text).ends_with('\n')
        });
        let is_joined =
            is_comment(before) && lines == 1 && is_own_line && !is_of_file(before, text);
        if !(is_joined || is_attribute) {
            break;
        }
        first = before;
    }
    line_start(text, first.start_byte() as u32)
}

/// Whether a comment is about the file: a licence, a sign of a tool at its top, Rust's `//!`.
fn is_of_file(comment: Node<'_>, text: &str) -> bool {
    let written = text_of(comment, text);
    let has_word = |word: &str| {
        let lower = written.to_ascii_lowercase();
        lower.contains(word)
    };
    written.starts_with("//!")
        || written.starts_with("#!")
        || written.starts_with("//go:build")
        || comment.start_byte() == 0
            && [
                "copyright",
                "license",
                "licence",
                "eslint",
                "@file",
                "@module",
                "coding:",
            ]
            .iter()
            .any(|word| has_word(word))
}

/// The end of what belongs to a statement: a sign and a comment behind it on its line.
fn end_byte(statement: Node<'_>, text: &str) -> u32 {
    let mut end = statement.end_byte();
    let mut next = statement.next_sibling();
    while let Some(node) = next {
        let gap = text.get(end..node.start_byte()).unwrap_or("\n");
        let belongs = is_comment(node) || text_of(node, text) == ";";
        if gap.contains('\n')
            || !belongs
            || text.get(..end).is_some_and(|text| text.ends_with('\n'))
        {
            break;
        }
        end = node.end_byte();
        next = node.next_sibling();
    }
    let written = text.get(..end).unwrap_or(text);
    written.trim_end_matches(['\n', '\r']).len() as u32
}

/// Where the line of a byte begins, where nothing else stands before it on the line.
fn line_start(text: &str, at: u32) -> u32 {
    let before = text.get(..at as usize).unwrap_or_default();
    let start = before.trim_end_matches([' ', '\t']);
    match start.is_empty() || start.ends_with('\n') {
        true => start.len() as u32,
        false => at,
    }
}

/// A stretch with the line end behind it, and with the empty lines on one side where there are some on both: on the side
/// that has fewer.
pub(crate) fn with_empty_lines(text: &str, range: Range<u32>) -> Range<u32> {
    let before = text.get(..range.start as usize).unwrap_or_default();
    let behind = text.get(range.end as usize..).unwrap_or_default();
    let signs = [' ', '\t', '\r', '\n'];
    let kept = before.trim_end_matches(signs);
    let rest = behind.trim_start_matches(signs);
    let blank = &behind[..behind.len() - rest.len()];
    // Behind the last line that stays.
    let first_line = match kept.is_empty() {
        true => 0,
        false => before[kept.len()..]
            .find('\n')
            .map_or(range.start as usize, |at| kept.len() + at + 1),
    };
    let first_line = (first_line as u32).min(range.start);
    if rest.is_empty() {
        return first_line..text.len() as u32;
    }
    let lines = |text: &str| text.matches('\n').count();
    let own_line = blank.find('\n').map_or(0, |at| at + 1);
    let is_last_of_block = rest.starts_with('}');
    let is_before = !kept.is_empty() && lines(&before[kept.len()..]) < lines(blank);
    if is_last_of_block || is_before {
        return first_line..range.end + own_line as u32;
    }
    let end = range.end + blank.rfind('\n').map_or(0, |at| at + 1) as u32;
    range.start..end
}

/// The bytes of a node with the line end behind it, where it has whole lines.
pub(crate) fn whole_lines(node: Node<'_>, text: &str) -> Range<u32> {
    let range = range_of(node);
    let start = line_start(text, range.start);
    let behind = text.get(range.end as usize..).unwrap_or_default();
    let blank = behind.len() - behind.trim_start_matches([' ', '\t', ';']).len();
    let rest = &behind[blank..];
    let line_end = match rest {
        rest if rest.starts_with("\r\n") => 2,
        rest if rest.starts_with('\n') => 1,
        _ => return range,
    };
    start..range.end + (blank + line_end) as u32
}
