//! What an excerpt leaves out.

use tree_sitter::{Node, Point};

/// Less than this, in bytes, is not worth a cut.
pub(super) const LEAST: usize = 128;

/// A place in a text.
pub(super) type CutPosition = (usize, Point);

/// What is left out.
pub(super) struct ExcerptCut {
    pub(super) start: CutPosition,
    pub(super) end: CutPosition,
}

impl ExcerptCut {
    /// From the start of a node to that of a later one.
    pub(super) fn between(first: Node<'_>, last: Node<'_>) -> Option<Self> {
        let cut = Self {
            start: (first.start_byte(), first.start_position()),
            end: (last.start_byte(), last.start_position()),
        };
        (cut.start.0 + LEAST <= cut.end.0).then_some(cut)
    }

    pub(super) fn len(&self) -> usize {
        self.end.0 - self.start.0
    }
}

/// What is between cuts.
pub(super) fn kept(cuts: &[&ExcerptCut]) -> Vec<tree_sitter::Range> {
    const END: usize = u32::MAX as usize; // as the parser has it where nothing is left out
    let starts = std::iter::once((0, Point::new(0, 0))).chain(cuts.iter().map(|cut| cut.end));
    let ends = cuts.iter().map(|cut| cut.start);
    let ends = ends.chain(std::iter::once((END, Point::new(END, END))));
    let ranges = starts.zip(ends);
    ranges
        .map(|(start, end)| tree_sitter::Range {
            start_byte: start.0,
            end_byte: end.0,
            start_point: start.1,
            end_point: end.1,
        })
        .collect()
}

/// Where what stands before a place ends.
pub(super) fn end_before(text: &str, (byte, point): CutPosition) -> Point {
    let before = text[..byte].trim_end();
    let space = &text.as_bytes()[before.len()..byte];
    let rows = space.iter().filter(|byte| **byte == b'\n').count();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    Point::new(point.row - rows, before.len() - line)
}

/// What is kept of a list, and what is not.
#[derive(Default)]
pub(super) struct CutList<'t> {
    pub(super) kept: Vec<Node<'t>>,
    pub(super) cuts: Vec<ExcerptCut>,
}

impl<'t> CutList<'t> {
    /// Leaves out what is from one node up to another one, or keeps it where that is next to nothing.
    pub(super) fn leave_out(&mut self, first: Node<'t>, last: Node<'t>) {
        if let Some(cut) = ExcerptCut::between(first, last) {
            self.cuts.push(cut);
            return;
        }
        let mut node = Some(first);
        while let Some(next) = node.filter(|node| node.start_byte() < last.start_byte()) {
            self.kept.push(next);
            node = next.next_sibling();
        }
    }
}

/// Bytes of a node.
pub(super) fn length(node: &Node<'_>) -> usize {
    node.end_byte() - node.start_byte()
}
