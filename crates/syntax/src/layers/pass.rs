//! The walk over the tree: what is opened and closed, and what stands between tokens.

use std::collections::HashMap;
use std::ops::Range;

use tree_sitter::{Node, Tree, TreeCursor};

use super::brackets::Brackets;
use super::closer::closer;
use super::docs::{self, DocPlace};
use super::file_statements::layers_of_file;
use super::layer_digest::{FILE, Layer, Own, SEPARATOR};
use super::member_trivia::MemberTrivia;
use super::open::{OpenDeclaration, identity};
use super::region::{Mark, Region, RegionFrame};
use super::stream::Stream;
use super::tokens::Comma;
use super::{LayeredMember, Noted};
use crate::comment_runs::hidden;
use crate::digest::digest;
use crate::facts::{Facts, Item, ItemFlags, ItemIndex, ItemKind};
use crate::spec::{LayerRole, Spec};

pub(super) struct LayerPass<'t> {
    pub(super) spec: &'static Spec,
    pub(super) text: &'t str,
    pub(super) facts: &'t Facts,
    /// Declarations that count, by where they start; the outer ones first.
    pub(super) items: Vec<ItemIndex>,
    pub(super) next: usize,
    pub(super) docs: Vec<DocPlace>,
    pub(super) next_doc: usize,
    /// What is documented by what was read.
    pub(super) documented: HashMap<ItemIndex, Vec<u8>>,
    pub(super) frames: Vec<RegionFrame>,
    pub(super) opens: Vec<OpenDeclaration>,
    /// For each of `opens`: which of them takes what is cosmetic.
    pub(super) owners: Vec<usize>,
    /// Ends and kinds of the nodes around.
    pub(super) around: Vec<(usize, u16)>,
    /// How many of them are lists of statements that layout parts.
    pub(super) lists: usize,
    /// The brackets around the place, and whether a line ended since the last token.
    pub(super) brackets: Brackets,
    pub(super) is_new_line: bool,
    /// How deep the statement is nested that begins with the next token.
    pub(super) statement: Option<usize>,
    pub(super) marks: Vec<Mark>,
    pub(super) import: Stream,
    pub(super) comma: Option<Comma>,
    /// Whether anything stands between the last token and the place.
    pub(super) gap: bool,
    /// What the last token went to: the number of declarations around it, and the layer.
    pub(super) target: (usize, Layer),
    /// Places where the text has to be looked at token by token: quotes, comments, declarations.
    pub(super) closer: Vec<u32>,
    pub(super) last: usize,
    /// Where the last comment ended that documents nothing.
    pub(super) comment_end: usize,
    pub(super) out: Vec<Own>,
    /// White space, comments and separators between members, until it is known what follows them.
    pub(super) trivia: Vec<u8>,
    pub(super) member_trivia: MemberTrivia,
    /// Declarations with what they are members of, in the order of the text.
    pub(super) members: Vec<LayeredMember>,
    /// Nodes that were read.
    pub(super) visited: usize,
    /// Declarations that were begun.
    pub(super) opened: usize,
    /// Whether the text has macros that say something of a declaration and that the tree does not have.
    pub(super) has_specifiers: bool,
    /// Those that are the next declaration's.
    pub(super) specifiers: Range<usize>,
}

/// The layers of a file's declarations, by declaration.
pub(crate) fn layers(
    spec: &'static Spec,
    text: &str,
    tree: &Tree,
    facts: &Facts,
    docs: Vec<DocPlace>,
) -> Noted {
    let items = (0..facts.items.len() as ItemIndex).collect();
    let mut pass = LayerPass::new(spec, text, facts, items, docs);
    pass.closer = closer(spec, text, 0, &facts.items);
    pass.run(tree.walk());
    pass.finish()
}

impl<'t> LayerPass<'t> {
    /// A pass that has read nothing yet and knows of these declarations.
    pub(super) fn new(
        spec: &'static Spec,
        text: &'t str,
        facts: &'t Facts,
        mut items: Vec<ItemIndex>,
        mut docs: Vec<DocPlace>,
    ) -> Self {
        items.retain(|index| {
            !facts.items[*index as usize]
                .flags
                .contains(ItemFlags::LOCAL)
        });
        items.sort_by_key(|index| {
            let item = &facts.items[*index as usize];
            (item.start_byte, u32::MAX - item.end_byte, *index)
        });
        docs.sort_by_key(|doc| doc.range.start);
        Self {
            spec,
            text,
            facts,
            items,
            next: 0,
            docs,
            next_doc: 0,
            documented: HashMap::new(),
            frames: vec![RegionFrame {
                end: usize::MAX,
                region: Region::File,
                closes: false,
                closing: &[],
                depth: 0,
                opened: None,
            }],
            opens: vec![OpenDeclaration::new(FILE, false)],
            owners: vec![0],
            around: Vec::new(),
            lists: 0,
            brackets: Brackets::default(),
            is_new_line: false,
            statement: None,
            marks: Vec::new(),
            import: Stream::default(),
            comma: None,
            gap: false,
            target: (0, Layer::Cosmetic),
            closer: Vec::new(),
            last: 0,
            comment_end: 0,
            out: Vec::new(),
            trivia: Vec::new(),
            member_trivia: MemberTrivia::default(),
            members: Vec::new(),
            visited: 0,
            opened: 0,
            has_specifiers: spec.has_specifiers(text),
            specifiers: 0..0,
        }
    }

    /// Reads what is below the node at which the cursor was made, and that.
    pub(super) fn run(&mut self, mut cursor: TreeCursor<'t>) {
        loop {
            let node = cursor.node();
            let kind = node.kind_id();
            if self.enter(node, kind) && cursor.goto_first_child() {
                self.go_in(node.end_byte(), kind);
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.go_out();
            }
        }
    }

    fn finish(mut self) -> Noted {
        while self.frames.len() > 1 {
            self.pop();
        }
        self.next_statement(self.text.len(), true);
        self.gap_to(self.text.len());
        self.settle_comma(true);
        self.flush();
        let statements = self.opens.first_mut().map(OpenDeclaration::take_statements);
        let statements = statements.unwrap_or_default();
        self.out.extend(layers_of_file(&statements));
        for open in std::mem::take(&mut self.opens) {
            open.close(&mut self.out);
        }
        let mut out = std::mem::take(&mut self.out);
        self.documented_into(&mut out);
        self.out = out;
        self.out.sort_unstable();
        self.out.shrink_to_fit();
        Noted {
            layers: self.out,
            member_trivia: self.member_trivia.places,
            statements,
            members: self.members,
        }
    }

    /// Adds the digests of what was documented.
    pub(super) fn documented_into(&mut self, out: &mut Vec<Own>) {
        for (item, words) in std::mem::take(&mut self.documented) {
            out.push(Own {
                item,
                layer: Layer::Doc,
                digest: digest(&words),
            });
        }
    }

    /// Reads a node of a kind. Whether its children are to be read. The kind is asked for once: that takes as long
    /// as half of what is done with most nodes.
    pub(super) fn enter(&mut self, node: Node<'t>, kind: u16) -> bool {
        self.visited += 1;
        let (start, end) = (node.start_byte(), node.end_byte());
        if end <= self.last || start == end {
            return false; // part of documentation that was read whole, or not there at all
        }
        if self.spec.is_comment(kind) {
            for comment in hidden(self.spec.language, self.text, self.last..start) {
                self.comment(comment, None);
            }
            self.comment(start..end, Some(node));
            return false;
        }
        self.pop_ended(start);
        if self.is_listed() {
            if self.spec.is_namespace(kind) {
                self.end_comment();
            }
            self.next_statement(start, node.is_named());
        }
        let opened = self.opened;
        let marked = self.approach(start..end, Some(node));
        if opened == self.opened && node.is_named() {
            self.begin_statement();
        }
        if self.documentation(start, end) {
            return false;
        }
        self.mark(node, kind);
        self.begin(node, kind, marked);
        // An expression body is read for what it stands for.
        let is_arrow = self.spec.layers.role(kind) == LayerRole::Arrow;
        let layers = &self.spec.layers;
        let is_whole = is_arrow || layers.by_tokens || layers.is_statement_list(kind);
        self.line_operator(start, end);
        if self.spec.layers.is_jsx_text(kind) {
            self.jsx(start..end);
        } else if !is_whole && self.is_plain(start, end) {
            self.plain(start, end);
        } else if self.spec.layers.is_text(kind) {
            let text = self.slice(start..end);
            self.literal(text);
        } else if node.child_count() == 0 {
            self.token(self.slice(start..end), start, node.is_named());
        } else {
            return true;
        }
        self.last = end;
        false
    }

    /// Everything before a node has been read, and it opens the declarations that start at it. What it is marked as.
    fn approach(&mut self, bytes: Range<usize>, node: Option<Node<'t>>) -> Option<Region> {
        self.gap_to(bytes.start);
        let depth = self.around.len();
        while self.marks.last().is_some_and(|mark| mark.from >= depth) {
            self.marks.pop();
        }
        let marked = node.and_then(|node| self.marked(node));
        self.open_items(bytes.start, bytes.end, marked.is_some());
        marked
    }

    /// Reads a comment, which may be one that the tree does not have.
    fn comment(&mut self, bytes: Range<usize>, node: Option<Node<'t>>) {
        let (start, end) = (bytes.start, bytes.end);
        self.pop_ended(start);
        if self.is_listed() {
            self.next_statement(start, false);
        }
        self.approach(bytes.clone(), node);
        if self.documentation(start, end) {
            return;
        }
        let comment = self.slice(bytes);
        self.gap = true;
        self.space(comment);
        self.last = end;
        if self.spec.is_plain_comment(comment) {
            self.comment_end = end;
        }
    }

    /// A part of the text; nothing where a damaged tree does not fit it.
    pub(super) fn slice(&self, range: Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    /// What ends before a place has ended.
    fn pop_ended(&mut self, start: usize) {
        while self.frames.last().is_some_and(|frame| frame.end <= start) {
            self.pop();
        }
    }

    /// Everything before a place has been read.
    pub(super) fn gap_to(&mut self, start: usize) {
        self.pop_ended(start);
        if start <= self.last {
            return;
        }
        let gap = self.slice(self.last..start);
        self.is_new_line |= gap.contains(['\n', '\r']);
        self.last = start;
        self.gap = true;
        if gap.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.space(gap);
            return;
        }
        // What the tree does not have: macros taken out before parsing, characters of no token.
        let own = self.set_specifiers_apart(start - gap.len(), start);
        for part in gap[..gap.len() - own].split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                self.token(word, start, false);
            }
            if word.len() < part.len() {
                self.space(&part[word.len()..]);
            }
        }
    }

    /// Opens the declarations that start at a node. One that is of another declaration's making, as a
    /// body is, starts none: what is as long as it is a child of it.
    pub(super) fn open_items(&mut self, start: usize, end: usize, is_marked: bool) {
        while let Some(index) = self.items.get(self.next).copied() {
            let item = &self.facts.items[index as usize];
            let (first, last) = (item.start_byte as usize, item.end_byte as usize);
            // A node that reaches further is around it.
            let is_around = is_marked || end > last;
            if first > start || first == start && is_around && last > start {
                return;
            }
            self.next += 1;
            if last > start {
                self.open(index, item, last);
            }
        }
    }

    pub(super) fn open(&mut self, index: ItemIndex, item: &Item, end: usize) {
        self.opened += 1;
        if item.kind.is_namespace() {
            self.flush();
            return self.frame(end, Region::Path, &[]);
        }
        let facts = self.facts;
        let is_type = item.kind.is_type() || item.kind == ItemKind::Extension;
        let parent = self.opens.last_mut();
        let parent = parent.filter(|parent| parent.holds_members());
        let is_member = parent.is_some();
        if let Some(parent) = parent {
            let (name, params) = (facts.str(item.name), facts.str(item.params));
            parent.member(identity(item.kind, name, params));
            self.members.push(LayeredMember {
                item: index,
                holder: parent.item,
            });
        }
        let owner = if is_type || is_member {
            self.opens.len()
        } else {
            self.owners.last().copied().unwrap_or(0)
        };
        self.statement = None;
        let mut open = OpenDeclaration::new(index, is_type);
        open.lists = self.lists;
        open.is_ordered = self.spec.layers.is_ordered(item.kind);
        self.opens.push(open);
        self.owners.push(owner);
        self.member_trivia.part();
        // What stands before a member is its own.
        let trivia = std::mem::take(&mut self.trivia);
        if let Some(owner) = self.owner() {
            owner.cosmetic(&trivia);
        }
        self.frame(end, Region::Head, &[]);
        if let Some(frame) = self.frames.last_mut() {
            frame.closes = true;
        }
        self.read_specifiers(end);
    }

    pub(super) fn documentation(&mut self, start: usize, end: usize) -> bool {
        while let Some(doc) = self.docs.get(self.next_doc) {
            if doc.range.end <= start {
                self.next_doc += 1;
                continue;
            }
            if doc.range.start > start || end > doc.range.end {
                return false;
            }
            let (range, item) = (doc.range.clone(), doc.item);
            self.next_doc += 1;
            let end = range.end;
            let text = self.slice(range);
            let mut words = std::mem::take(self.documented.entry(item).or_default());
            let mut rest = Vec::new();
            docs::split(
                text,
                |word| {
                    words.extend_from_slice(word.as_bytes());
                    words.push(SEPARATOR);
                },
                |between| rest.push(between),
            );
            self.documented.insert(item, words);
            self.gap = true;
            let documented = self.facts.items.get(item as usize);
            let is_before = documented.is_some_and(|item| item.start_byte as usize >= end);
            for between in rest.into_iter().filter(|between| !between.is_empty()) {
                if is_before {
                    self.space(between);
                } else {
                    self.cosmetic(between);
                }
            }
            // What was noted there stands before its end.
            self.last = end;
            return true;
        }
        false
    }

    /// The declaration that the current one is.
    pub(super) fn item(&self) -> Option<&'t Item> {
        let open = self.opens.last()?;
        self.facts.items.get(open.item as usize)
    }

    pub(super) fn owner(&mut self) -> Option<&mut OpenDeclaration> {
        let owner = self.owners.last().copied()?;
        self.opens.get_mut(owner)
    }

    /// What is cosmetic and belongs to the current declaration.
    pub(super) fn cosmetic(&mut self, text: &str) {
        self.flush();
        self.note_trivia();
        if let Some(owner) = self.owner() {
            owner.cosmetic(text.as_bytes());
        }
    }

    /// What parts tokens: between members, that of the next one if there is one.
    pub(super) fn space(&mut self, text: &str) {
        let is_between = match self.region() {
            Region::File | Region::Path | Region::TypeBody => true,
            // Exports: what ends one with a declaration in it stands behind that.
            Region::Attribute => self.opens.len() == 1,
            _ => false,
        };
        if is_between {
            self.trivia.extend_from_slice(text.as_bytes());
        } else {
            self.cosmetic(text);
        }
    }

    /// No member follows what stands between: it belongs to what it stands in.
    pub(super) fn flush(&mut self) {
        self.flush_at(self.last);
    }

    /// The same, noted at a place.
    pub(super) fn flush_at(&mut self, at: usize) {
        if self.trivia.is_empty() {
            return;
        }
        let trivia = std::mem::take(&mut self.trivia);
        self.note_trivia_at(at);
        if let Some(owner) = self.owner() {
            owner.cosmetic(&trivia);
        }
    }

    /// Something goes to the current declaration itself.
    pub(super) fn note_trivia(&mut self) {
        self.note_trivia_at(self.last);
    }

    /// Something at a place goes to the current declaration itself.
    pub(super) fn note_trivia_at(&mut self, at: usize) {
        match self.opens.last() {
            Some(open) if open.item == FILE => self.member_trivia.note_file(at as u32),
            Some(open) if open.holds_members() => {
                let item = self.facts.items.get(open.item as usize);
                let whole = item.map_or(0, |item| item.start_byte);
                self.member_trivia.note(at as u32, whole, self.opens.len());
            }
            _ => {}
        }
    }
}
