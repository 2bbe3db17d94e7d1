//! The walk over the leaves: where each token, gap and comment goes.

use std::borrow::Cow;
use std::collections::HashMap;

use tree_sitter::{Node, Tree};

use super::open::Open;
use super::stream::Stream;
use super::tokens::{Comma, is_punctuation};
use super::{DocPlace, FILE, Layer, Own, digest, docs};
use crate::Flags;
use crate::facts::{Facts, Item, ItemIndex, ItemKind};
use crate::spec::{Action, LayerRole, Selector, Spec, Word};

/// What a stretch of text is, as far as layers go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Region {
    /// Outside of every declaration.
    File,
    /// The head of a namespace, which is told by the paths of what is in it.
    Path,
    /// In a type, outside of its members.
    TypeBody,
    /// A declaration's head.
    Head,
    /// A part of a head in which `=` gives no initial value.
    Fixed,
    /// An attribute.
    Attribute,
    /// A list of bases.
    Bases,
    /// Implementation.
    Body,
    /// Implementation that only the type itself can see.
    Inner,
    /// An import.
    Import,
    /// What does not count.
    Dropped,
    /// In which identifiers do not count: the declarator of a parameter.
    Unnamed,
    /// Between the accessors of a property.
    Accessors,
    /// An accessor's head.
    Accessor,
}

/// A stretch of text with a region of its own.
struct Frame {
    end: usize,
    region: Region,
    /// Whether a declaration ends with it.
    closes: bool,
    /// Tokens that it ends with, though they are not written.
    closing: &'static [&'static str],
    /// Number of nodes around it.
    depth: usize,
}

/// What a child that is still to come will be.
struct Mark {
    depth: usize,
    node: usize,
    region: Region,
}

pub(super) struct Pass<'t> {
    pub(super) spec: &'static Spec,
    pub(super) text: &'t str,
    facts: &'t Facts,
    /// Declarations that count, by where they start; the outer ones first.
    items: Vec<ItemIndex>,
    next: usize,
    docs: Vec<DocPlace>,
    next_doc: usize,
    /// What is documented by what was read.
    documented: HashMap<ItemIndex, Vec<u8>>,
    frames: Vec<Frame>,
    opens: Vec<Open>,
    /// For each of `opens`: which of them takes what is cosmetic.
    owners: Vec<usize>,
    /// Ends and kinds of the nodes around.
    around: Vec<(usize, u16)>,
    marks: Vec<Mark>,
    import: Stream,
    comma: Option<Comma>,
    /// Whether anything stands between the last token and the place.
    gap: bool,
    /// What the last token went to: the number of declarations around it, and the layer.
    target: (usize, Layer),
    /// Places where the text has to be looked at token by token: quotes, comments, declarations.
    closer: Vec<u32>,
    last: usize,
    out: Vec<Own>,
}

/// The layers of a file's declarations, by declaration.
pub(crate) fn layers(
    spec: &'static Spec,
    text: &str,
    tree: &Tree,
    facts: &Facts,
    mut docs: Vec<DocPlace>,
) -> Vec<Own> {
    let counts = |item: &Item| !item.flags.contains(Flags::LOCAL);
    let mut items: Vec<ItemIndex> = (0..facts.items.len() as ItemIndex)
        .filter(|index| counts(&facts.items[*index as usize]))
        .collect();
    items.sort_by_key(|index| {
        let item = &facts.items[*index as usize];
        (item.start_byte, u32::MAX - item.end_byte, *index)
    });
    docs.sort_by_key(|doc| doc.range.start);
    let mut pass = Pass {
        spec,
        text,
        facts,
        items,
        next: 0,
        docs,
        next_doc: 0,
        documented: HashMap::new(),
        frames: vec![Frame {
            end: usize::MAX,
            region: Region::File,
            closes: false,
            closing: &[],
            depth: 0,
        }],
        opens: vec![Open::new(FILE, false)],
        owners: vec![0],
        around: Vec::new(),
        marks: Vec::new(),
        import: Stream::default(),
        comma: None,
        gap: false,
        target: (0, Layer::Cosmetic),
        closer: closer(text, facts),
        last: 0,
        out: Vec::new(),
    };
    pass.run(tree);
    pass.finish()
}

impl<'t> Pass<'t> {
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if self.enter(node) && cursor.goto_first_child() {
                self.around.push((node.end_byte(), node.kind_id()));
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.around.pop();
            }
        }
    }

    fn finish(mut self) -> Vec<Own> {
        self.gap_to(self.text.len());
        self.settle_comma(true);
        while self.frames.len() > 1 {
            self.pop();
        }
        for open in std::mem::take(&mut self.opens) {
            open.close(&mut self.out);
        }
        for (item, words) in std::mem::take(&mut self.documented) {
            self.out.push(Own {
                item,
                layer: Layer::Doc,
                digest: digest(&words),
            });
        }
        self.out.sort_unstable();
        self.out.shrink_to_fit();
        self.out
    }

    /// Reads a node. Whether its children are to be read.
    fn enter(&mut self, node: Node<'t>) -> bool {
        let (start, end) = (node.start_byte(), node.end_byte());
        if end <= self.last || start == end {
            return false; // part of documentation that was read whole, or not there at all
        }
        self.gap_to(start);
        let depth = self.around.len();
        while self.marks.last().is_some_and(|mark| mark.depth > depth) {
            self.marks.pop();
        }
        let marked = self.marked(node);
        self.open_items(start, end, marked.is_some());
        if self.documentation(start, end) {
            return false;
        }
        let kind = node.kind_id();
        if self.spec.is_comment(kind) {
            self.gap = true;
            self.cosmetic(self.slice(start..end));
            self.last = end;
            return false;
        }
        self.begin_marked(node, marked);
        // An expression body is read for what it stands for.
        let is_arrow = self.spec.layers.role(kind) == LayerRole::Arrow;
        if !is_arrow && self.is_plain(start, end) {
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

    /// Whether a node is implementation that can be read as it stands.
    fn is_plain(&self, start: usize, end: usize) -> bool {
        matches!(self.region(), Region::Body | Region::Inner) && {
            let next = self.closer.partition_point(|at| (*at as usize) < start);
            self.closer.get(next).is_none_or(|at| *at as usize >= end)
        }
    }

    /// Implementation without strings, comments and declarations.
    fn plain(&mut self, start: usize, end: usize) {
        let text = self.slice(start..end).as_bytes();
        let first = text.first().copied().unwrap_or(b' ');
        self.settle_comma(matches!(first, b'}' | b']' | b')' | b'>'));
        if text == b"," || text == b";" || text == b"=>" {
            // It depends on what is around.
            return self.token(self.slice(start..end), start, false);
        }
        let layer = match self.region() {
            Region::Inner => Layer::Inner,
            _ => Layer::Body,
        };
        let gap = self.aim(layer);
        let drops = self.spec.layers.optional_semicolons;
        let owner = self.owners.last().copied().unwrap_or(0);
        let open = self.opens.len() - 1;
        let mut stream = std::mem::take(self.opens[open].stream(layer));
        let owned = &mut self.opens[owner];
        stream.text(text, gap, drops, |at, space| {
            owned.cosmetic_at(at as u32, space)
        });
        owned.saw(text.len());
        *self.opens[open].stream(layer) = stream;
    }

    /// What comes next goes to a layer. Whether it stands apart from what the layer has.
    fn aim(&mut self, layer: Layer) -> bool {
        let target = (self.opens.len(), layer);
        if self.target != target {
            self.target = target;
            if let Some(open) = self.opens.last_mut() {
                open.stream(layer).break_off();
            }
        }
        std::mem::take(&mut self.gap)
    }

    /// A part of the text; nothing where a damaged tree does not fit it.
    fn slice(&self, range: std::ops::Range<usize>) -> &'t str {
        self.text.get(range).unwrap_or("")
    }

    /// Everything before a place has been read.
    fn gap_to(&mut self, start: usize) {
        while self.frames.last().is_some_and(|frame| frame.end <= start) {
            self.pop();
        }
        if start <= self.last {
            return;
        }
        let gap = self.slice(self.last..start);
        self.last = start;
        self.gap = true;
        if gap.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.cosmetic(gap);
            return;
        }
        // What the tree does not have: macros taken out before parsing, characters of no token.
        for part in gap.split_inclusive(char::is_whitespace) {
            let word = part.trim_end();
            if !word.is_empty() {
                self.token(word, start, false);
            }
            if word.len() < part.len() {
                self.cosmetic(&part[word.len()..]);
            }
        }
    }

    /// Opens the declarations that start at a node. One that is of another declaration's making, as a
    /// body is, starts none: what is as long as it is a child of it.
    fn open_items(&mut self, start: usize, end: usize, is_marked: bool) {
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

    fn open(&mut self, index: ItemIndex, item: &Item, end: usize) {
        if item.kind.is_namespace() {
            return self.frame(end, Region::Path, &[]);
        }
        let facts = self.facts;
        let is_type = item.kind.is_type() || item.kind == ItemKind::Extension;
        let is_outer = self.opens.len() == 1;
        if let Some(parent) = self
            .opens
            .last_mut()
            .filter(|parent| parent.is_type || is_outer)
        {
            let name = facts.str(item.name);
            parent.member([item.kind.as_str(), name, facts.str(item.params)]);
        }
        let owner = if is_type || is_outer {
            self.opens.len()
        } else {
            self.owners.last().copied().unwrap_or(0)
        };
        let mut open = Open::new(index, is_type);
        open.is_ordered = self.spec.layers.is_ordered(item.kind);
        self.opens.push(open);
        self.owners.push(owner);
        self.frame(end, Region::Head, &[]);
        if let Some(frame) = self.frames.last_mut() {
            frame.closes = true;
        }
    }

    fn documentation(&mut self, start: usize, end: usize) -> bool {
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
            self.last = range.end;
            let text = self.slice(range);
            let mut words = std::mem::take(self.documented.entry(item).or_default());
            let mut rest = Vec::new();
            docs::split(
                text,
                |word| {
                    words.extend_from_slice(word.as_bytes());
                    words.push(super::SEPARATOR);
                },
                |between| rest.push(between),
            );
            self.documented.insert(item, words);
            self.gap = true;
            for between in rest.into_iter().filter(|between| !between.is_empty()) {
                self.saw(1);
                self.cosmetic(between);
            }
            return true;
        }
        false
    }

    /// Begins the region that a node is, and notes what its children are going to be.
    fn begin_marked(&mut self, node: Node<'t>, marked: Option<Region>) {
        self.mark(node);
        self.begin(node, marked);
    }

    /// Notes what a node's children are going to be.
    fn mark(&mut self, node: Node<'t>) {
        if let Some(condition) = self.spec.layers.condition(node.kind_id()) {
            self.mark_child(node, Selector::Field(condition), Region::Inner);
        }
        let region = self.region();
        if matches!(region, Region::Body | Region::Inner) {
            return; // nothing in it is told apart by a rule
        }
        let in_head = matches!(region, Region::Head | Region::Path | Region::File);
        if let Action::Item(rule) = self.spec.action(node.kind_id())
            && let Some(rule) = self.spec.rule(rule)
            && in_head
        {
            let open = self.opens.last();
            let is_type = open.is_some_and(|open| open.is_type);
            let is_alias = open
                .and_then(|open| self.facts.items.get(open.item as usize))
                .is_some_and(|item| item.kind == ItemKind::TypeAlias);
            let inside = match region {
                Region::Path | Region::File if rule.kind.is_namespace() => Region::File,
                Region::Head if is_alias => Region::Fixed,
                Region::Head if is_type => Region::TypeBody,
                _ => Region::Body,
            };
            for selector in rule.body.iter().chain(&rule.value) {
                self.mark_child(node, *selector, inside);
            }
            if is_type {
                for (selector, _) in &rule.bases {
                    self.mark_child(node, *selector, Region::Bases);
                }
            }
        }
        if region == Region::Head
            && !self.opens.last().is_some_and(|open| open.is_type)
            && let Some((field, whole)) = self.spec.layers.parameter_name(node.kind_id())
        {
            let region = if whole {
                Region::Dropped
            } else {
                Region::Unnamed
            };
            self.mark_child(node, Selector::Field(field), region);
        }
    }

    fn mark_child(&mut self, node: Node<'t>, selector: Selector, region: Region) {
        let mut cursor = node.walk();
        let child = match selector {
            Selector::Field(field) => node.child_by_field_id(field.get()),
            Selector::Kind(kind) => node
                .children(&mut cursor)
                .find(|child| child.kind_id() == kind),
        };
        if let Some(child) = child {
            self.marks.push(Mark {
                depth: self.around.len() + 1,
                node: child.id(),
                region,
            });
        }
    }

    /// What a declaration's rule has said that a node is.
    fn marked(&self, node: Node<'t>) -> Option<Region> {
        let depth = self.around.len();
        let marks = self.marks.iter().rev();
        marks
            .take_while(|mark| mark.depth >= depth)
            .find(|mark| mark.depth == depth && mark.node == node.id())
            .map(|mark| mark.region)
    }

    /// Begins the region that a node is, if it is one.
    fn begin(&mut self, node: Node<'t>, marked: Option<Region>) {
        let end = node.end_byte();
        let region = self.region();
        let role = self.spec.layers.role(node.kind_id());
        if self.begin_csharp(node, region, role) {
            return;
        }
        if let Some(marked) = marked {
            return self.frame(end, marked, &[]);
        }
        let in_file = matches!(region, Region::File | Region::Path);
        let begun = match role {
            LayerRole::Import if in_file && self.is_public(node) => Region::Attribute,
            LayerRole::Import if in_file => Region::Import,
            LayerRole::Export if in_file => Region::Attribute,
            LayerRole::Head if region == Region::Head => Region::Fixed,
            LayerRole::Cosmetic => Region::Dropped,
            LayerRole::Directive => Region::Inner,
            LayerRole::Inner if region == Region::Body => Region::Inner,
            LayerRole::Body if region == Region::Head => {
                if self.opens.last().is_some_and(|open| open.is_type) {
                    Region::TypeBody
                } else {
                    Region::Body
                }
            }
            _ if self.spec.is_attribute(node.kind_id())
                && matches!(region, Region::Head | Region::File | Region::Path) =>
            {
                Region::Attribute
            }
            _ => return,
        };
        self.frame(end, begun, &[]);
    }

    /// Whether an import is for others too: Rust's `pub use`.
    fn is_public(&self, node: Node<'t>) -> bool {
        let text = self.slice(node.byte_range());
        text.split_whitespace().next() == Some("pub")
    }

    /// Begins a region, which ends with these tokens where they are not written.
    pub(super) fn frame(&mut self, end: usize, region: Region, closing: &'static [&'static str]) {
        let depth = self.around.len();
        self.frames.push(Frame {
            end,
            region,
            closes: false,
            closing,
            depth,
        });
    }

    fn pop(&mut self) {
        let closing = self.frames.last().map_or(&[][..], |frame| frame.closing);
        closing.iter().for_each(|token| self.body_token(token));
        let Some(frame) = self.frames.pop() else {
            return;
        };
        match frame.region {
            Region::Attribute | Region::Bases => {
                if let Some(open) = self.opens.last_mut() {
                    open.end_piece();
                }
            }
            Region::Import => {
                let import = self.import.take();
                if let Some(open) = self.opens.last_mut() {
                    open.import(import);
                }
            }
            _ => {}
        }
        if frame.closes
            && let Some(open) = self.opens.pop()
        {
            self.owners.pop();
            if let Some(parent) = self.opens.last_mut() {
                parent.closed(&open, self.facts);
            }
            open.close(&mut self.out);
        }
    }

    pub(super) fn region(&self) -> Region {
        self.frames
            .last()
            .map_or(Region::File, |frame| frame.region)
    }

    /// The declaration that the current one is.
    pub(super) fn item(&self) -> Option<&'t Item> {
        let open = self.opens.last()?;
        self.facts.items.get(open.item as usize)
    }

    fn saw(&mut self, bytes: usize) {
        if let Some(owner) = self.owner() {
            owner.saw(bytes);
        }
    }

    fn owner(&mut self) -> Option<&mut Open> {
        let owner = self.owners.last().copied()?;
        self.opens.get_mut(owner)
    }

    pub(super) fn cosmetic(&mut self, text: &str) {
        if let Some(owner) = self.owner() {
            owner.cosmetic(text.as_bytes());
        }
    }

    /// A token, in the layer that its region says.
    pub(super) fn token(&mut self, token: &str, start: usize, is_named: bool) {
        self.settle_comma(matches!(token, "}" | "]" | ")" | ">"));
        self.saw(token.len());
        if self.spec.layers.optional_semicolons && token == ";" && !self.in_for() {
            self.gap = true;
            return self.cosmetic(token);
        }
        if token == "," {
            let comma = Comma {
                frames: self.frames.len(),
                region: self.region(),
            };
            if comma.region == Region::Bases {
                self.end_base();
            }
            self.comma = Some(comma);
            return;
        }
        let is_directive = self.spec.layers.internal_directives && token.starts_with('#');
        if is_directive && self.region() != Region::Dropped {
            return self.push(Layer::Inner, token.as_bytes());
        }
        if token == "=>" && self.begins_expression_body() {
            return self.cosmetic(token);
        }
        let token = match token.strip_prefix('@') {
            // An escaped identifier is the identifier.
            Some(name) if is_named && !name.is_empty() && self.spec.layers.escapes => {
                self.cosmetic("@");
                name
            }
            _ => token,
        };
        self.put(token, start, is_named, self.region());
    }

    /// A string: one token, white space and all.
    fn literal(&mut self, text: &str) {
        self.settle_comma(false);
        self.saw(text.len());
        if text.contains('\r') {
            // How lines end is a matter of looks, in a string of several lines too.
            self.cosmetic("\r");
        }
        let mut text = Cow::Borrowed(text);
        if text.contains('\r') {
            text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
        if self.spec.layers.either_quote
            && let Some(literal) = super::tokens::unquoted(&text)
        {
            if literal.is_single {
                self.cosmetic("'");
            }
            text = Cow::Owned(literal.text.into_owned());
        }
        let layer = match self.region() {
            Region::File | Region::TypeBody | Region::Body => Layer::Body,
            Region::Inner => Layer::Inner,
            Region::Head | Region::Fixed | Region::Accessor | Region::Unnamed => Layer::Header,
            region => return self.put(&text, self.last, false, region),
        };
        self.aim(layer);
        if let Some(open) = self.opens.last_mut() {
            open.stream(layer).literal(text.as_bytes());
        }
    }

    fn put(&mut self, token: &str, start: usize, is_named: bool, region: Region) {
        let bytes = token.as_bytes();
        match region {
            Region::File | Region::TypeBody if is_punctuation(token) => self.cosmetic(token),
            Region::Head | Region::Accessors | Region::Accessor if token == ";" => {
                self.cosmetic(token);
            }
            Region::Accessors if is_punctuation(token) => self.cosmetic(token),
            Region::Bases if token == ":" => self.cosmetic(token),
            Region::Unnamed if is_named => self.cosmetic(token),
            Region::Dropped => self.cosmetic(token),
            Region::Path => self.path_token(token),
            Region::Head => self.head_token(token, start),
            Region::Import => {
                let gap = std::mem::take(&mut self.gap);
                self.import.token(bytes, gap);
            }
            Region::File | Region::TypeBody | Region::Body => self.push(Layer::Body, bytes),
            Region::Inner => self.push(Layer::Inner, bytes),
            Region::Attribute | Region::Bases => {
                let is_type = self.opens.last().is_some_and(|open| open.is_type);
                if !is_type {
                    self.push(Layer::Header, bytes);
                }
                let gap = std::mem::take(&mut self.gap);
                if let Some(open) = self.opens.last_mut() {
                    if is_type {
                        open.piece.token(bytes, gap);
                    }
                    // Reordering what a layout attribute has fixed is no matter of looks.
                    open.is_ordered |= region == Region::Attribute && token == "Sequential";
                }
            }
            Region::Fixed | Region::Unnamed | Region::Accessors | Region::Accessor => {
                self.push(Layer::Header, bytes);
            }
        }
    }

    /// A token of the implementation that is not written.
    pub(super) fn body_token(&mut self, token: &str) {
        let layer = match self.region() {
            Region::Inner => Layer::Inner,
            _ => Layer::Body,
        };
        self.gap = true;
        self.push(layer, token.as_bytes());
        self.gap = true;
    }

    pub(super) fn push(&mut self, layer: Layer, token: &[u8]) {
        let gap = self.aim(layer);
        if let Some(open) = self.opens.last_mut() {
            open.stream(layer).token(token, gap);
        }
    }

    /// Only who sees a namespace is not told by the paths of what is in it.
    fn path_token(&mut self, token: &str) {
        if matches!(self.spec.word(token), Some(Word::Visibility(_))) {
            self.push(Layer::Header, token.as_bytes());
        } else {
            self.cosmetic(token);
        }
    }

    fn head_token(&mut self, token: &str, start: usize) {
        let item = self.item();
        let is_alias = item.is_some_and(|item| item.kind == ItemKind::TypeAlias);
        if token == "=" && !is_alias {
            let end = self.around.last().map_or(self.text.len(), |(end, _)| *end);
            let value = self.slice(start + 1..end).trim_start();
            if self.spec.layers.is_head_value(value) {
                self.frame(end, Region::Fixed, &[]);
                return self.push(Layer::Header, token.as_bytes());
            }
            self.frame(end, Region::Body, &[]);
            return self.push(Layer::Body, token.as_bytes());
        }
        let before_name = item.is_some_and(|item| start < item.name_byte as usize);
        match self.spec.word(token) {
            // Being one of several parts is no property of the whole.
            Some(Word::Flag(Flags::PARTIAL)) if before_name => self.cosmetic(token),
            Some(Word::Flag(_) | Word::Visibility(_)) if before_name => {
                if let Some(open) = self.opens.last_mut() {
                    open.word(token.as_bytes());
                }
            }
            _ => self.push(Layer::Header, token.as_bytes()),
        }
    }

    /// Whether the current place is directly in a region that is closed by tokens of ours.
    fn begins_expression_body(&self) -> bool {
        let depth = self.around.len();
        let frame = self.frames.last();
        frame.is_some_and(|frame| !frame.closing.is_empty() && depth == frame.depth + 1)
    }

    fn in_for(&self) -> bool {
        let parent = self.around.last().map(|(_, kind)| *kind);
        parent.is_some_and(|kind| self.spec.layers.role(kind) == LayerRole::For)
    }

    /// A base ends at a comma of the list itself, not of its type arguments.
    fn end_base(&mut self) {
        let depth = self.around.len();
        let in_list = self
            .frames
            .last()
            .is_some_and(|frame| depth <= frame.depth + 1);
        if in_list && let Some(open) = self.opens.last_mut() {
            open.end_piece();
        }
    }

    /// A comma counts when something follows it in its list.
    fn settle_comma(&mut self, is_last: bool) {
        let Some(comma) = self.comma.take() else {
            return;
        };
        let is_list = matches!(
            comma.region,
            Region::File | Region::TypeBody | Region::Bases
        );
        if is_last || is_list || self.frames.len() < comma.frames {
            return self.cosmetic(",");
        }
        self.put(",", 0, false, comma.region);
    }
}

/// Places at which a text cannot be read as it stands: what may begin a literal, a comment, a directive
/// or an escape, and where something is declared.
fn closer(text: &str, facts: &Facts) -> Vec<u32> {
    let bytes = text.as_bytes();
    let mut places: Vec<u32> = memchr::memchr3_iter(b'"', b'\'', b'/', bytes)
        .chain(memchr::memchr3_iter(b'`', b'#', b'@', bytes))
        .map(|at| at as u32)
        .collect();
    places.extend(facts.items.iter().map(|item| item.start_byte));
    places.sort_unstable();
    places
}
