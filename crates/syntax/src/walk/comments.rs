//! Doc comments, attributes and docstrings: which of them document which item.

use std::ops::Range;

use tree_sitter::Node;

use super::Walk;
use crate::Language;
use crate::comment_runs::hidden;
use crate::doc::{clean_comments, clean_docstring};
use crate::facts::ItemIndex;
use crate::layers::{DocPlace, FILE};
use crate::preprocess::macro_with_arguments;
use crate::spec::NodeRule;

impl<'t> Walk<'t> {
    /// An attribute written before the item it belongs to.
    pub(crate) fn attribute(&mut self, node: Node<'t>) {
        let in_wrapper = self.wrappers.last().map(|(depth, _)| depth + 1) == Some(self.depth);
        if in_wrapper {
            return; // part of the item that is to come, which starts where the wrapper does
        }
        let range = node.byte_range();
        if !self.follows_run(range.start) {
            self.comments.clear();
            self.attributes = None;
        }
        self.run_end = range.end;
        let first = self.attributes.take().map_or(range.start, |run| run.start);
        self.attributes = Some(first..range.end);
    }

    /// A word that was blanked out does not part a comment from what it documents.
    pub(crate) fn pass_over(&mut self, word: Range<usize>) {
        if self.follows_run(word.start) {
            self.run_end = word.end;
        }
    }

    /// Documentation that an attribute right before the current place carries.
    pub(crate) fn add_doc(&mut self, range: Range<usize>) {
        self.comments.push(range);
    }

    /// Text that documents the next item, in a statement that ends at `end`.
    pub(super) fn document_next(&mut self, text: Range<usize>, end: usize) {
        self.comments = vec![text];
        self.attributes = None;
        self.run_end = end;
    }

    /// Text that documents what the walk is inside of.
    pub(super) fn document_around(&mut self, text: Range<usize>) {
        self.inner_docs.push((self.parent_index(), text));
    }

    /// The attributes right before a place, documentation between them included.
    pub(crate) fn attributes_before(&self, start: usize) -> Option<Range<usize>> {
        let run = self.attributes.clone()?;
        (run.end <= start && self.follows_run(start)).then_some(run)
    }

    /// The documentation right before a place, once.
    pub(crate) fn take_doc(&mut self, start: usize) -> Option<String> {
        let documents = !self.comments.is_empty() && self.follows_run(start);
        let comments = std::mem::take(&mut self.comments);
        self.attributes = None;
        if !documents {
            return None;
        }
        let text = self.text;
        let doc = clean_comments(comments.iter().map(|range| &text[range.clone()]));
        // The head of a file often stands right above its first declaration.
        if self.facts.items.is_empty() && doc.contains("opyright") {
            return None;
        }
        self.pending_docs = comments;
        (!doc.is_empty()).then_some(doc)
    }

    /// Documentation of the whole file, if none was found yet.
    pub(crate) fn set_file_doc(&mut self, doc: &str) {
        if self.effects.is_replay() {
            // Said again: it must be what it was.
            self.effects.is_doubtful |= self.facts.str(self.facts.doc) != doc;
            self.pending_docs.clear();
            return;
        }
        self.affects(self.at);
        let places = std::mem::take(&mut self.pending_docs);
        self.document(FILE, places);
        if self.facts.doc.is_empty() {
            self.facts.doc = self.facts.intern(doc);
        }
    }

    /// Notes which places of the text document an item, or the file.
    pub(super) fn document(&mut self, item: ItemIndex, places: Vec<Range<usize>>) {
        self.effects.touches(item);
        let places = places.into_iter().map(|range| DocPlace { range, item });
        self.docs.extend(places);
    }

    pub(super) fn docstring(&mut self, node: Node<'t>, rule: &NodeRule) -> Option<String> {
        let body = rule
            .body
            .iter()
            .find_map(|selector| self.select(node, *selector))?;
        let doc = self.docstring_of(body);
        if doc.is_some()
            && rule.kind.is_type()
            && let Some(literal) = self.pending_docs.last()
        {
            // It stands among the members.
            let start = literal.start;
            self.effects.note(start, Some(node.start_byte() as u32));
        }
        doc
    }

    /// The documentation that a block's first statement is (Python).
    pub(crate) fn docstring_of(&mut self, block: Node<'t>) -> Option<String> {
        let mut cursor = block.walk();
        let first = block
            .named_children(&mut cursor)
            .find(|child| !self.spec.is_comment(child.kind_id()))?;
        let literal = if first.kind() == "expression_statement" {
            first.named_child(0)?
        } else {
            first
        };
        let is_text = literal.kind() == "string" || literal.kind() == "concatenated_string";
        let doc = is_text.then(|| clean_docstring(self.source(literal)))?;
        self.pending_docs.push(literal.byte_range());
        (!doc.is_empty()).then_some(doc)
    }

    /// A comment, and those before it that the tree does not have.
    pub(crate) fn comment(&mut self, node: Node<'t>) {
        let range = node.byte_range();
        for hidden in hidden(self.spec.language, self.text, self.comment_end..range.start) {
            self.at = hidden.start;
            self.comment_at(hidden);
        }
        self.at = range.start;
        self.comment_end = range.end;
        self.comment_at(range);
    }

    fn comment_at(&mut self, range: Range<usize>) {
        let source = self.text.get(range.clone()).unwrap_or("");
        if self
            .spec
            .file_doc
            .iter()
            .any(|marker| source.starts_with(marker.as_str()))
        {
            self.affects(range.start);
            self.inner_docs.push((self.parent_index(), range));
            return;
        }
        if self
            .spec
            .not_doc
            .iter()
            .any(|marker| source.starts_with(marker.as_str()))
        {
            if self.follows_run(range.start) {
                self.run_end = range.end;
            }
            return;
        }
        if self.facts.items.is_empty() && self.is_file_doc(source) {
            self.pending_docs = vec![range];
            self.set_file_doc(&clean_comments(std::iter::once(source)));
            return;
        }
        let documents = self.spec.doc.is_empty()
            || self
                .spec
                .doc
                .iter()
                .any(|marker| source.starts_with(marker.as_str()));
        let trails_code = (self.spec.doc.is_empty() || self.spec.trailing_doc)
            && !self.starts_its_line(range.start);
        if trails_code && self.spec.trailing_doc {
            self.trailing_doc(range);
            return;
        }
        // A fourth slash makes it an ornament.
        if !documents || trails_code || source.starts_with("////") {
            return;
        }
        // A block is complete in itself, so of several only the last counts; lines add up.
        if !self.follows_run(range.start) {
            self.comments.clear();
            self.attributes = None;
        } else if source.starts_with("/**") {
            self.comments.clear();
        }
        self.run_end = range.end;
        self.comments.push(range);
    }

    /// `int size; // in bytes`: documentation of what stands before it on the line.
    pub(super) fn trailing_doc(&mut self, range: Range<usize>) {
        let text = self.text;
        let Some(item) = self.facts.items.last() else {
            return;
        };
        let gap = text.get(item.end_byte as usize..range.start);
        let follows = gap.is_some_and(|gap| {
            gap.len() < 80
                && gap
                    .bytes()
                    .all(|byte| matches!(byte, b' ' | b'\t' | b';' | b','))
        });
        if !follows || !item.doc.is_empty() {
            return;
        }
        let index = self.facts.items.len() - 1;
        let doc = clean_comments(std::iter::once(&text[range.clone()]));
        self.document(index as ItemIndex, vec![range]);
        self.facts.items[index].doc = self.facts.intern(&doc);
    }

    /// Comments that document what they stand in (`//!`): the file, or a module in it.
    pub(super) fn apply_inner_docs(&mut self) {
        let text = self.text;
        let mut docs = std::mem::take(&mut self.inner_docs);
        docs.sort_by_key(|(owner, range)| (*owner, range.start));
        for run in docs.chunk_by(|a, b| a.0 == b.0) {
            let doc = clean_comments(run.iter().map(|(_, range)| &text[range.clone()]));
            let places = run.iter().map(|(_, range)| range.clone()).collect();
            self.document(run[0].0.unwrap_or(FILE), places);
            match run[0].0 {
                None => self.set_file_doc(&doc),
                Some(owner) => self.append_doc(owner, &doc),
            }
        }
    }

    pub(super) fn append_doc(&mut self, item: ItemIndex, doc: &str) {
        let outer = self.facts.str(self.facts.items[item as usize].doc);
        let joined = if outer.is_empty() {
            doc.to_owned()
        } else {
            format!("{outer}\n\n{doc}")
        };
        self.facts.items[item as usize].doc = self.facts.intern(&joined);
    }

    /// Whether a comment at the head of a file says that it is about the file.
    pub(super) fn is_file_doc(&self, source: &str) -> bool {
        source.starts_with("/**")
            && self
                .spec
                .file_doc_tags
                .iter()
                .any(|tag| source.contains(tag.as_str()))
    }

    /// Whether nothing but white space stands between the last comment or attribute and a place;
    /// where any comment counts as documentation, not even an empty line.
    pub(super) fn follows_run(&self, start: usize) -> bool {
        let Some(gap) = self.text.get(self.run_end..start) else {
            return false;
        };
        let gap = match self.facts.language {
            Language::C | Language::Cpp => behind_macros(gap),
            _ => gap,
        };
        // Stops at the first code: a place far from the last comment costs nothing.
        let blank = gap.bytes().all(|byte| byte.is_ascii_whitespace());
        if !blank {
            return false;
        }
        let breaks = gap.bytes().filter(|byte| *byte == b'\n').count();
        // Grammars differ in whether a line comment includes its line break.
        let most = if self.text[..self.run_end].ends_with('\n') {
            0
        } else {
            1
        };
        !self.spec.doc.is_empty() || breaks <= most
    }

    pub(super) fn starts_its_line(&self, byte: usize) -> bool {
        let before = self.text.get(..byte).unwrap_or("");
        before
            .bytes()
            .rev()
            .take_while(|byte| *byte != b'\n' && *byte != b'\r')
            .all(|byte| byte.is_ascii_whitespace())
    }
}

/// What stands between a comment and a declaration behind the macros there that the parser does not see:
/// `/** Metres a second. */ UPROPERTY(EditAnywhere) float Speed;` has its comment above the macro. White space behind a
/// macro parts nothing, since the macro belongs to what follows.
fn behind_macros(gap: &str) -> &str {
    let mut rest = gap.trim_ascii_start();
    let breaks = gap[..gap.len() - rest.len()].matches('\n').count();
    if breaks > 1 || macro_with_arguments(rest).is_none() {
        return gap;
    }
    while let Some(end) = macro_with_arguments(rest) {
        rest = rest[end..].trim_ascii_start();
    }
    rest
}
