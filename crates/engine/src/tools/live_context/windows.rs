//! Of a long text, the lines around cursors and changes, and an index of the rest (SPEC LC5).

use codecortex_protocol::Located;
use codecortex_syntax::Facts;
use codecortex_text::TextDocument;

use crate::invocation::Invocation;
use crate::tools::live_context::data::{DiffSummary, Window, facts_of};

/// Lines are shown and left out by blocks of so many.
const BLOCK: usize = 8;
/// The most blocks: lines further away are in the outline.
const MAX_BLOCKS: usize = 50;
/// The most declarations of the outline.
const MAX_OUTLINED: usize = 400;

/// What of a text is shown, the nearest to where somebody works first.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// Numbers of blocks.
    order: Vec<usize>,
    /// What is declared, with lines.
    pub(super) outline: Vec<String>,
}

impl Windows {
    /// How many blocks there are to show.
    pub(super) fn blocks(&self) -> usize {
        self.order.len()
    }

    /// The first blocks, neighbours put together, in the order of the text.
    pub(super) fn first(&self, blocks: usize, text: &TextDocument) -> Vec<Window> {
        let mut shown = self.order[..blocks].to_vec();
        shown.sort_unstable();
        let total = text.line_count();
        let mut windows: Vec<(usize, usize)> = Vec::new();
        for block in shown {
            let (start, end) = (block * BLOCK, ((block + 1) * BLOCK).min(total));
            match windows.last_mut() {
                Some((_, last)) if *last == start => *last = end,
                _ => windows.push((start, end)),
            }
        }
        let windows = windows.into_iter();
        windows
            .map(|(start, end)| Window {
                start_line: start as u32 + 1,
                end_line: end as u32,
                text: text.lines(start..end),
            })
            .collect()
    }
}

/// What of a text is worth showing.
pub(super) fn windows_reply(
    cx: &Invocation<'_>,
    file: &Located,
    text: &TextDocument,
    diffs: &[DiffSummary],
) -> Windows {
    let facts = facts_of(cx, file);
    Windows {
        order: order(&places(cx, file, diffs), text.line_count()),
        outline: facts.map_or_else(Vec::new, outline),
    }
}

/// Lines, from 0, at which somebody works: cursors, what changed, what is on the screen.
fn places(cx: &Invocation<'_>, file: &Located, diffs: &[DiffSummary]) -> Vec<usize> {
    let editor = &cx.session.live.editor;
    let mut places = Vec::new();
    if editor.active.as_ref() == Some(&file.path) {
        let cursors = editor.selections.iter();
        places.extend(cursors.map(|span| span.end.line as usize));
    }
    let changed = diffs.iter().filter_map(|diff| diff.affected_line_start);
    places.extend(changed.map(|line| line as usize - 1));
    if editor.active.as_ref() == Some(&file.path) {
        let visible = editor.visible.iter();
        places.extend(visible.map(|span| (span.start.line / 2 + span.end.line / 2) as usize));
    }
    places
}

/// Blocks by how near they are to one of the places; of one distance, in the order of the places.
fn order(places: &[usize], lines: usize) -> Vec<usize> {
    let last = lines.saturating_sub(1) / BLOCK;
    let mut order = Vec::new();
    let places = if places.is_empty() { &[0][..] } else { places };
    for distance in 0..=last {
        for place in places {
            let block = (place / BLOCK).min(last);
            let near = [Some(block + distance), block.checked_sub(distance)];
            for block in near.into_iter().flatten().filter(|block| *block <= last) {
                if !order.contains(&block) {
                    order.push(block);
                }
            }
        }
        if order.len() >= MAX_BLOCKS {
            break;
        }
    }
    order.truncate(MAX_BLOCKS);
    order
}

/// A line for each declaration that is not local: `12-40 class NodeStore`.
fn outline(facts: &Facts) -> Vec<String> {
    let items = facts.items.iter().filter(|item| {
        let is_local = item.flags.contains(codecortex_syntax::ItemFlags::LOCAL);
        !is_local && !facts.str(item.name).is_empty()
    });
    items
        .take(MAX_OUTLINED)
        .map(|item| {
            let (start, end) = (item.start.line + 1, item.end.line + 1);
            let name = facts.str(item.name);
            match end > start {
                true => format!("{start}-{end} {} {name}", item.kind.as_str()),
                false => format!("{start} {} {name}", item.kind.as_str()),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_come_first_and_neighbours_join() {
        let text = TextDocument::new(&(1..=200).map(|n| format!("{n}\n")).collect::<String>());
        let windows = Windows {
            order: order(&[100, 3], text.line_count()),
            outline: Vec::new(),
        };
        assert_eq!(windows.order[..4], [12, 0, 13, 11]);
        let shown = windows.first(4, &text);
        let lines: Vec<(u32, u32)> = shown.iter().map(|w| (w.start_line, w.end_line)).collect();
        assert_eq!(lines, [(1, 8), (89, 112)]);
        assert!(shown[1].text.starts_with("89\n90\n") && shown[1].text.ends_with("112\n"));
        assert_eq!(windows.blocks(), 26);
        assert_eq!(order(&[], 3), [0]);
        assert_eq!(order(&[9999], 0), [0]);
    }
}
