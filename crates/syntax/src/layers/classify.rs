//! Classifies tokens: which layer each goes to.

use std::borrow::Cow;
use std::ops::Range;

use super::jsx::jsx_text;
use super::layer_digest::Layer;
use super::pass::LayerPass;
use super::region::Region;
use super::tokens::{self, Comma, is_punctuation};
use crate::facts::{ItemFlags, ItemKind};
use crate::spec::{KeywordMeaning, LayerRole};

impl<'t> LayerPass<'t> {
    /// Whether a node is implementation that can be read as it stands.
    pub(super) fn is_plain(&self, start: usize, end: usize) -> bool {
        matches!(self.region(), Region::Body | Region::Inner) && {
            let next = self.closer.partition_point(|at| (*at as usize) < start);
            self.closer.get(next).is_none_or(|at| *at as usize >= end)
        }
    }

    /// Implementation without strings, comments and declarations.
    pub(super) fn plain(&mut self, start: usize, end: usize) {
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
        self.note_trivia();
        let drops = self.spec.layers.optional_semicolons;
        let owner = self.owners.last().copied().unwrap_or(0);
        let open = self.opens.len() - 1;
        let mut stream = std::mem::take(self.opens[open].stream(layer));
        let owned = &mut self.opens[owner];
        stream.text(text, gap, drops, |space| owned.cosmetic(space));
        *self.opens[open].stream(layer) = stream;
    }

    /// What comes next goes to a layer. Whether it stands apart from what the layer has.
    pub(super) fn aim(&mut self, layer: Layer) -> bool {
        self.flush();
        self.note_trivia();
        let target = (self.opens.len(), layer);
        if self.target != target {
            self.target = target;
            if let Some(open) = self.opens.last_mut() {
                open.stream(layer).break_off();
            }
        }
        let gap = std::mem::take(&mut self.gap);
        let statement = self.statement.take();
        if let Some(depth) = statement.filter(|_| matches!(layer, Layer::Body | Layer::Inner))
            && let Some(open) = self.opens.last_mut()
        {
            open.stream(layer).statement(depth);
            return false;
        }
        gap
    }

    /// A token, in the layer that its region says.
    pub(super) fn token(&mut self, token: &str, start: usize, is_named: bool) {
        self.settle_comma(matches!(token, "}" | "]" | ")" | ">"));
        let is_end = self.spec.layers.optional_semicolons && token == ";" && !self.in_for();
        // Some grammars have the end of a line as a token.
        if is_end || !is_named && token.bytes().all(|byte| byte.is_ascii_whitespace()) {
            self.gap = true;
            return self.space(token);
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

    /// Text between tags, of which line breaks are layout.
    pub(super) fn jsx(&mut self, bytes: Range<usize>) {
        let text = self.slice(bytes);
        let said = jsx_text(text);
        if said != text {
            self.gap = true;
            self.cosmetic(text);
        }
        if !said.is_empty() {
            self.literal(&said);
        }
    }

    /// A string: one token, white space and all.
    pub(super) fn literal(&mut self, text: &str) {
        self.settle_comma(false);
        if text.contains('\r') {
            // How lines end is cosmetic, in a string of several lines too.
            self.cosmetic("\r");
        }
        let mut text = Cow::Borrowed(text);
        if text.contains('\r') {
            text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
        }
        if self.spec.layers.either_quote
            && let Some(literal) = tokens::unquoted(&text)
        {
            if literal.is_single {
                self.cosmetic("'");
            }
            text = Cow::Owned(literal.text);
        }
        let layer = match self.region() {
            Region::File | Region::TypeBody | Region::Body => Layer::Body,
            Region::Inner => Layer::Inner,
            Region::Head | Region::Fixed | Region::Accessor | Region::Unnamed => Layer::Header,
            region => return self.put(&text, self.last, false, region),
        };
        self.aim(layer);
        self.part_tokens(layer);
        if let Some(open) = self.opens.last_mut() {
            open.stream(layer).literal(text.as_bytes());
        }
    }

    pub(super) fn put(&mut self, token: &str, start: usize, is_named: bool, region: Region) {
        let bytes = token.as_bytes();
        match region {
            Region::File | Region::TypeBody if matches!(token, ";" | ",") => self.space(token),
            Region::File | Region::TypeBody if is_punctuation(token) && self.is_of_list() => {
                self.cosmetic(token);
            }
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
                self.flush();
                self.note_trivia();
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
                    // Reordering what a layout attribute has fixed is not cosmetic.
                    open.is_ordered |= region == Region::Attribute && token == "Sequential";
                }
            }
            Region::Fixed | Region::Unnamed | Region::Accessors | Region::Accessor => {
                self.push(Layer::Header, bytes);
            }
        }
    }

    /// Whether the current place is directly in what holds members: brackets there are around members.
    fn is_of_list(&self) -> bool {
        let depth = self.around.len();
        self.frames
            .last()
            .is_some_and(|frame| depth <= frame.depth + 1)
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
        self.part_tokens(layer);
        if let Some(open) = self.opens.last_mut() {
            open.stream(layer).token(token, gap);
        }
    }

    /// Where a text is read token by token, its tokens are told apart without the white space between them. Where that
    /// decides what belongs together, the layer has how deep each is nested in its declaration.
    fn part_tokens(&mut self, layer: Layer) {
        if !self.spec.layers.by_tokens {
            return;
        }
        let depth = self.around.len();
        let is_nested = self.spec.layers.spaces;
        if let Some(open) = self.opens.last_mut() {
            let first = *open.depth.get_or_insert(depth);
            let depth = is_nested.then(|| depth as i32 - first as i32);
            open.stream(layer).part(depth);
        }
    }

    /// Only who sees a namespace is not told by the paths of what is in it.
    pub(super) fn path_token(&mut self, token: &str) {
        if matches!(self.spec.word(token), Some(KeywordMeaning::Visibility(_))) {
            self.push(Layer::Header, token.as_bytes());
        } else {
            self.cosmetic(token);
        }
    }

    pub(super) fn head_token(&mut self, token: &str, start: usize) {
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
            Some(KeywordMeaning::Flag(ItemFlags::PARTIAL)) if before_name => self.cosmetic(token),
            Some(KeywordMeaning::Flag(_) | KeywordMeaning::Visibility(_)) if before_name => {
                if let Some(open) = self.opens.last_mut() {
                    open.word(token.as_bytes());
                }
            }
            _ => self.push(Layer::Header, token.as_bytes()),
        }
    }

    /// Whether the current place is directly in a region that is closed by tokens of ours.
    pub(super) fn begins_expression_body(&self) -> bool {
        let depth = self.around.len();
        let frame = self.frames.last();
        frame.is_some_and(|frame| !frame.closing.is_empty() && depth == frame.depth + 1)
    }

    pub(super) fn in_for(&self) -> bool {
        let parent = self.around.last().map(|(_, kind)| *kind);
        parent.is_some_and(|kind| self.spec.layers.role(kind) == LayerRole::For)
    }

    /// A base ends at a comma of the list itself, not of its type arguments.
    pub(super) fn end_base(&mut self) {
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
    pub(super) fn settle_comma(&mut self, is_last: bool) {
        let Some(comma) = self.comma.take() else {
            return;
        };
        let is_list = matches!(
            comma.region,
            Region::File | Region::TypeBody | Region::Bases
        );
        if is_last || is_list || self.frames.len() < comma.frames {
            return self.space(",");
        }
        self.put(",", 0, false, comma.region);
    }
}
