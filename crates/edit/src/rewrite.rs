//! Replacements that may nest: a call within an argument of a call, both of which get other arguments.
//!
//! A replacement is made of written text and of stretches of the text before. A stretch is copied with the replacements
//! inside it, so the order in which places are found does not matter.

use std::ops::Range;

use codecortex_resolve::FileNo;

use crate::refusal::{Refusal, RefusalKind};
use crate::source_change::{FileChange, KeptPiece, TextEdit};

/// The deepest nesting of replacements that is rendered.
const MAX_NESTING: usize = 100;

/// A part of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextPart {
    /// Text between others: separators, line ends.
    Text(String),
    /// Code that the caller gave, whose names are looked at afterwards.
    Code(String),
    /// These bytes of the text before.
    Source(Range<u32>),
}

/// A stretch of a text and what stands there afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextReplacement {
    pub(crate) range: Range<u32>,
    pub(crate) parts: Vec<TextPart>,
}

/// The replacements of a text, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct TextRewrite {
    replacements: Vec<TextReplacement>,
}

/// A text that is put together from parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct RenderedText {
    pub(crate) text: String,
    /// Stretches of the text before, and the bytes where they begin in `text`.
    pub(crate) pieces: Vec<(Range<u32>, u32)>,
    /// The bytes of `text` that are code of the caller.
    pub(crate) code: Vec<Range<u32>>,
}

/// The change of a file, its kept pieces, and code of the caller by its bytes in the text afterwards.
pub(crate) struct RewrittenFile {
    pub(crate) change: FileChange,
    pub(crate) kept: Vec<KeptPiece>,
    pub(crate) written: Vec<Range<u32>>,
}

impl RewrittenFile {
    /// Adds a deletion that touches no other replacement. Whether it was added.
    pub(crate) fn add_deletion(&mut self, edit: TextEdit) -> bool {
        let edits = &mut self.change.edits;
        let is_apart = |other: &TextEdit| other.end <= edit.start || edit.end <= other.start;
        if !edits.iter().all(is_apart) {
            return false;
        }
        let place = edits.partition_point(|other| other.start < edit.start);
        let added = |of: &TextEdit| of.text.len() as i64 - i64::from(of.end - of.start);
        let before: i64 = edits.iter().take(place).map(added).sum();
        let (start, shift) = (i64::from(edit.start) + before, added(&edit));
        let behind = self
            .written
            .iter_mut()
            .filter(|code| i64::from(code.start) >= start);
        for code in behind {
            let moved = |at: u32| u32::try_from(i64::from(at) + shift).unwrap_or(at);
            *code = moved(code.start)..moved(code.end);
        }
        let later = self.kept.iter_mut().filter(|piece| piece.edit >= place);
        later.for_each(|piece| piece.edit += 1);
        edits.insert(place, edit);
        true
    }
}

impl TextRewrite {
    pub(crate) fn replace(&mut self, range: Range<u32>, parts: Vec<TextPart>) {
        let replacement = TextReplacement { range, parts };
        // One place may be found on several ways.
        if !self.replacements.contains(&replacement) {
            self.replacements.push(replacement);
        }
    }

    pub(crate) fn insert(&mut self, at: u32, parts: Vec<TextPart>) {
        self.replace(at..at, parts);
    }

    pub(crate) fn remove(&mut self, range: Range<u32>) {
        self.replace(range, Vec::new());
    }

    /// Whether there is nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.replacements.is_empty()
    }

    /// The change of a file.
    pub(crate) fn finish(&self, file: FileNo, text: &str) -> Result<RewrittenFile, Refusal> {
        let nested = NestedReplacements::new(file, &self.replacements)?;
        let mut edits = Vec::new();
        let (mut kept, mut written) = (Vec::new(), Vec::new());
        let mut shift = 0i64;
        for top in &nested.top {
            let replacement = nested.all[*top];
            let mut out = RenderedText::default();
            nested.render(*top, text, 0, &mut out)?;
            let Range { start, end } = replacement.range;
            let edit = edits.len();
            kept.extend(out.pieces.into_iter().map(|(from, offset)| KeptPiece {
                file,
                from,
                into: file,
                edit,
                offset,
            }));
            let first = u32::try_from(i64::from(start) + shift).unwrap_or(start);
            written.extend(
                out.code
                    .into_iter()
                    .map(|code| first + code.start..first + code.end),
            );
            shift += out.text.len() as i64 - i64::from(end - start);
            let text = out.text;
            edits.push(TextEdit { start, end, text });
        }
        let change = FileChange { file, edits };
        Ok(RewrittenFile {
            change,
            kept,
            written,
        })
    }

    /// A stretch of a text with the replacements inside it.
    pub(crate) fn stretch(
        &self,
        file: FileNo,
        text: &str,
        range: Range<u32>,
    ) -> Result<RenderedText, Refusal> {
        let inside = |replacement: &&TextReplacement| is_inside(&replacement.range, &range);
        let all: Vec<TextReplacement> = self.replacements.iter().filter(inside).cloned().collect();
        let nested = NestedReplacements::new(file, &all)?;
        let mut out = RenderedText::default();
        nested.copy(&nested.top, range, text, 0, &mut out)?;
        Ok(out)
    }
}

fn is_inside(inner: &Range<u32>, outer: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Replacements with those inside of each.
struct NestedReplacements<'r> {
    file: FileNo,
    all: Vec<&'r TextReplacement>,
    /// Those right inside of each, in the order of the text.
    inside: Vec<Vec<usize>>,
    /// Those inside of no other.
    top: Vec<usize>,
}

impl<'r> NestedReplacements<'r> {
    fn new(file: FileNo, replacements: &'r [TextReplacement]) -> Result<Self, Refusal> {
        let mut all: Vec<&TextReplacement> = replacements.iter().collect();
        // An insertion comes before what begins there; of others the outer one comes first.
        all.sort_by_key(|replacement| {
            let Range { start, end } = replacement.range;
            (start, end != start, u32::MAX - end)
        });
        let mut nested = Self {
            file,
            inside: vec![Vec::new(); all.len()],
            top: Vec::new(),
            all,
        };
        let mut around: Vec<usize> = Vec::new();
        for (index, replacement) in nested.all.iter().enumerate() {
            let range = &replacement.range;
            let is_over = |outer: &Range<u32>| outer.end <= range.start;
            while around
                .last()
                .is_some_and(|outer| is_over(&nested.all[*outer].range))
            {
                around.pop();
            }
            match around.last() {
                None => nested.top.push(index),
                Some(outer) => {
                    let outer_range = &nested.all[*outer].range;
                    if !is_inside(range, outer_range) || range == outer_range {
                        return Err(overlap(file, range.start));
                    }
                    nested.inside[*outer].push(index);
                }
            }
            around.push(index);
        }
        Ok(nested)
    }

    fn render(
        &self,
        index: usize,
        text: &str,
        depth: usize,
        out: &mut RenderedText,
    ) -> Result<(), Refusal> {
        let replacement = self.all[index];
        if depth > MAX_NESTING {
            let message = "The places that would change are nested too deeply.";
            let refusal = Refusal::new(RefusalKind::Unsupported, message);
            return Err(refusal.at([(self.file, replacement.range.start)]));
        }
        for part in &replacement.parts {
            match part {
                TextPart::Text(text) => out.text.push_str(text),
                TextPart::Code(code) => {
                    let start = out.text.len() as u32;
                    out.text.push_str(code);
                    out.code.push(start..start + code.len() as u32);
                }
                TextPart::Source(range) => {
                    self.copy(&self.inside[index], range.clone(), text, depth, out)?;
                }
            }
        }
        Ok(())
    }

    /// Copies a stretch with those of the replacements that are inside it.
    fn copy(
        &self,
        replacements: &[usize],
        range: Range<u32>,
        text: &str,
        depth: usize,
        out: &mut RenderedText,
    ) -> Result<(), Refusal> {
        let mut done = range.start;
        for index in replacements {
            let inner = &self.all[*index].range;
            if !is_inside(inner, &range) {
                continue;
            }
            copy_plain(text, done..inner.start, out);
            self.render(*index, text, depth + 1, out)?;
            done = inner.end;
        }
        copy_plain(text, done..range.end, out);
        Ok(())
    }
}

fn copy_plain(text: &str, range: Range<u32>, out: &mut RenderedText) {
    let Some(stretch) = text.get(range.start as usize..range.end as usize) else {
        return;
    };
    if !stretch.is_empty() {
        let offset = out.text.len() as u32;
        out.pieces.push((range, offset));
        out.text.push_str(stretch);
    }
}

fn overlap(file: FileNo, at: u32) -> Refusal {
    let message = "Two places that would change overlap.";
    Refusal::new(RefusalKind::Unsupported, message).at([(file, at)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(range: Range<u32>) -> TextPart {
        TextPart::Source(range)
    }

    fn text(text: &str) -> TextPart {
        TextPart::Text(text.to_owned())
    }

    #[test]
    fn nested_replacements_are_rendered_in_moved_stretches() {
        //             0123456789
        let before = "f(f(1,2),3)";
        let mut rewrite = TextRewrite::default();
        let swap =
            |first: Range<u32>, second: Range<u32>| vec![source(second), text(","), source(first)];
        rewrite.replace(2..10, swap(2..8, 9..10));
        rewrite.replace(4..7, swap(4..5, 6..7));
        rewrite.insert(4, vec![TextPart::Code("0".to_owned()), text(",")]);
        rewrite.insert(10, vec![text("!")]);
        let done = rewrite.finish(0, before).unwrap();
        assert_eq!(done.change.apply(before), "f(3,f(0,2,1)!)");
        assert_eq!(done.written.first(), Some(&(6..7)));
        let stretch = rewrite.stretch(0, before, 2..8).unwrap();
        assert_eq!(stretch.text, "f(0,2,1)");
    }

    #[test]
    fn overlapping_replacements_are_refused() {
        let mut rewrite = TextRewrite::default();
        rewrite.remove(0..3);
        rewrite.remove(2..5);
        assert!(rewrite.finish(0, "abcdef").is_err());
    }
}
