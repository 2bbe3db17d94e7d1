//! Whether two texts differ in layout alone.
//!
//! Line breaks and indentation are syntax in some languages, and blanks between operators or in strings are in all of
//! them. What says so is the grammar: two texts have the same meaning for every layout if their trees have the same
//! shape and the same tokens.

use std::borrow::Cow;

use tree_sitter::{Tree, TreeCursor};

use crate::Language;
use crate::layers::{Brackets, jsx_text};
use crate::parse::parse;
use crate::spec::Spec;
use crate::specs;

/// What two texts of one language have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Tokens and nesting are the same; white space, line breaks and comments may be others.
    SameTokens,
    /// A token or the nesting is another.
    OtherTokens,
    /// One of them cannot be told: it does not parse without errors, or there is no grammar for it.
    Unknown,
}

/// Compares two texts by their tokens and how these are nested. White space in strings, templates and the like is part
/// of a token, how lines end is not. Comments are left out.
#[must_use]
pub fn same_tokens(language: Language, before: &str, after: &str) -> Layout {
    let Some(spec) = specs::spec(language) else {
        return Layout::Unknown;
    };
    let (Some(old), Some(new)) = (parse(language, before, None), parse(language, after, None))
    else {
        return Layout::Unknown;
    };
    let same = LayoutTokens::new(spec, before, &old).eq(LayoutTokens::new(spec, after, &new));
    match same {
        false => Layout::OtherTokens,
        // The parser's guess at what is wrong hides what it left out.
        true if old.root_node().has_error() || new.root_node().has_error() => Layout::Unknown,
        true => Layout::SameTokens,
    }
}

/// A node of a tree, and what it says if nothing in it is told apart.
#[derive(Debug, PartialEq, Eq)]
struct LayoutToken<'t> {
    depth: u32,
    kind: u16,
    text: Cow<'t, str>,
    /// Whether it is an operator that begins another statement, since it begins a line.
    is_line_operator: bool,
    /// What stands before it that the tree does not have.
    between: Vec<&'t str>,
}

/// The nodes of a tree from the top, as they begin.
struct LayoutTokens<'t> {
    spec: &'static Spec,
    text: &'t str,
    cursor: TreeCursor<'t>,
    is_done: bool,
    /// The kinds of the nodes around.
    around: Vec<u16>,
    brackets: Brackets,
    /// Where the last token or comment ended.
    last: usize,
}

impl<'t> LayoutTokens<'t> {
    fn new(spec: &'static Spec, text: &'t str, tree: &'t Tree) -> Self {
        Self {
            spec,
            text,
            cursor: tree.walk(),
            is_done: false,
            around: Vec::new(),
            brackets: Brackets::default(),
            last: 0,
        }
    }

    /// Goes to what follows the current node; its children do only where they are told apart.
    fn advance(&mut self, into: bool) {
        if into && self.cursor.goto_first_child() {
            return;
        }
        while !self.cursor.goto_next_sibling() {
            if !self.cursor.goto_parent() {
                self.is_done = true;
                return;
            }
        }
    }

    /// What a node without children of interest says.
    fn said(&self, kind: u16, text: &'t str) -> Cow<'t, str> {
        if self.spec.layers.is_jsx_text(kind) {
            jsx_text(text)
        } else if text.contains('\r') {
            Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
        } else {
            Cow::Borrowed(text)
        }
    }
}

impl<'t> Iterator for LayoutTokens<'t> {
    type Item = LayoutToken<'t>;

    fn next(&mut self) -> Option<LayoutToken<'t>> {
        while !self.is_done {
            let node = self.cursor.node();
            let (kind, depth) = (node.kind_id(), self.cursor.depth());
            let (start, end) = (node.start_byte(), node.end_byte());
            let between = self.text.get(self.last..start).unwrap_or("");
            if self.spec.is_comment(kind) || node.kind() == "line_continuation" {
                self.advance(false);
                self.last = end.max(self.last);
                continue;
            }
            let is_whole = self.spec.layers.is_text(kind) || node.child_count() == 0;
            let text = match is_whole {
                true => self.text.get(start..end).unwrap_or(""),
                false => "",
            };
            // In some trees the end of a line is a token, with or without the lines behind it.
            let text = match !node.is_named() && text.trim().is_empty() {
                true => "",
                false => text,
            };
            let said = self.said(kind, text);
            if said.is_empty() && self.spec.layers.is_jsx_text(kind) {
                self.advance(false);
                self.last = end.max(self.last);
                continue; // a line break between tags
            }
            self.around.truncate(depth as usize);
            self.brackets.token(text);
            let layers = &self.spec.layers;
            let is_line_operator = between.contains(['\n', '\r'])
                && !self.brackets.is_inside()
                && self
                    .around
                    .last()
                    .is_some_and(|around| layers.is_line_operator(*around, text));
            self.around.push(kind);
            self.advance(!is_whole);
            if is_whole {
                self.last = end.max(self.last);
            } else {
                self.last = start.max(self.last);
            }
            return Some(LayoutToken {
                depth,
                kind,
                text: said,
                is_line_operator,
                between: between.split_whitespace().collect(),
            });
        }
        None
    }
}
