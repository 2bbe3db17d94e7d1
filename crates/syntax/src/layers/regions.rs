//! Which nodes are which region.

use tree_sitter::Node;

use super::pass::LayerPass;
use super::region::{Mark, Region, RegionFrame};
use crate::facts::ItemKind;
use crate::spec::{LONGEST_PATH, LayerRole, Selector};

impl<'t> LayerPass<'t> {
    /// Notes what the children of a node of a kind are going to be.
    pub(super) fn mark(&mut self, node: Node<'t>, kind: u16) {
        if let Some(condition) = self.spec.layers.condition(kind) {
            self.mark_child(node, Selector::Field(condition), Region::Inner);
        }
        let region = self.region();
        if matches!(region, Region::Body | Region::Inner) {
            return; // nothing in it is told apart by a rule
        }
        let in_head = matches!(region, Region::Head | Region::Path | Region::File);
        if in_head && let Some(rule) = self.spec.rule_of(node, self.text) {
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
            if let Some(extras) = rule.extras.as_ref().filter(|_| is_type) {
                self.mark_values(node, &extras.values);
            }
            if is_type {
                for (selector, _) in &rule.bases {
                    for child in self.spec.select_all(node, *selector) {
                        let levels = selector.levels(node, child);
                        self.mark_node(child, levels, Region::Bases);
                    }
                }
            }
        }
        if region == Region::Head
            && !self.opens.last().is_some_and(|open| open.is_type)
            && let Some((field, whole)) = self.spec.layers.parameter_name(kind)
        {
            let region = if whole {
                Region::Dropped
            } else {
                Region::Unnamed
            };
            self.mark_child(node, Selector::Field(field), region);
        }
    }

    /// A value that makes a declaration a type holds its members.
    fn mark_values(&mut self, node: Node<'t>, values: &[(u16, ItemKind)]) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if values.iter().any(|(kind, _)| *kind == child.kind_id()) {
                self.mark_node(child, 1, Region::TypeBody);
            }
        }
    }

    pub(super) fn mark_child(&mut self, node: Node<'t>, selector: Selector, region: Region) {
        if let Some(child) = self.spec.select(node, selector) {
            let levels = selector.levels(node, child);
            self.mark_node(child, levels, region);
        }
    }

    /// Marks a node that many levels below the current one.
    fn mark_node(&mut self, node: Node<'t>, levels: usize, region: Region) {
        let from = self.around.len();
        self.marks.push(Mark {
            from,
            depth: from + levels,
            node: node.id(),
            region,
        });
    }

    /// What a declaration's rule has said that a node is.
    pub(super) fn marked(&self, node: Node<'t>) -> Option<Region> {
        let depth = self.around.len();
        let marks = self.marks.iter().rev();
        marks
            .take_while(|mark| mark.from + LONGEST_PATH >= depth)
            .find(|mark| mark.depth == depth && mark.node == node.id())
            .map(|mark| mark.region)
    }

    /// Begins the region that a node of a kind is, if it is one.
    pub(super) fn begin(&mut self, node: Node<'t>, kind: u16, marked: Option<Region>) {
        let end = node.end_byte();
        let region = self.region();
        let role = self.spec.layers.role(kind);
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
            _ if self.spec.is_attribute(kind)
                && matches!(region, Region::Head | Region::File | Region::Path) =>
            {
                Region::Attribute
            }
            _ => return,
        };
        self.frame(end, begun, &[]);
    }

    /// Whether an import is for others too: Rust's `pub use`.
    pub(super) fn is_public(&self, node: Node<'t>) -> bool {
        let text = self.slice(node.byte_range());
        text.split_whitespace().next() == Some("pub")
    }

    /// Begins a region, which ends with these tokens where they are not written.
    pub(super) fn frame(&mut self, end: usize, region: Region, closing: &'static [&'static str]) {
        let depth = self.around.len();
        self.frames.push(RegionFrame {
            end,
            region,
            closes: false,
            closing,
            depth,
            opened: None,
        });
    }

    pub(super) fn pop(&mut self) {
        let closing = self.frames.last().map_or(&[][..], |frame| frame.closing);
        closing.iter().for_each(|token| self.body_token(token));
        // Where a namespace has no bracket at its end, no other statement ends the last one in it.
        self.end_statement();
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
                self.flush();
                self.note_trivia_at(frame.end.saturating_sub(1));
                let import = self.import.take();
                if let Some(open) = self.opens.last_mut() {
                    open.import(import);
                }
            }
            _ => {}
        }
        if frame.closes {
            self.flush();
        }
        if frame.closes
            && let Some(open) = self.opens.pop()
        {
            self.member_trivia.part();
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
}
