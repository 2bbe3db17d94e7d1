//! The chosen lines and names as declarations of files.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::choose::DetailChoice;
use super::cost::OpenFile;
use super::pieces::own_lines;
use super::selection::{
    CHARACTERS_A_TOKEN, DetailTier, SelectedFile, SelectedSymbol, SourceSelection,
};
use crate::document::DeclarationClass;
use crate::index::{FileEntry, FileNo};
use crate::lines::LineRange;

impl DetailChoice<'_> {
    pub(super) fn finish(self) -> SourceSelection {
        let best_first = self.files_in_order();
        let files: Vec<SelectedFile> = best_first
            .iter()
            .filter_map(|file| self.selected(*file))
            .collect();
        let text = crate::render::text_of(&files);
        let shown: usize = files.iter().map(|file| file.symbols.len()).sum();
        SourceSelection {
            tokens: text.chars().count().div_ceil(CHARACTERS_A_TOKEN),
            left_out: self.ranking.items.len().saturating_sub(shown),
            text,
            files,
        }
    }

    /// Files that are shown by the best that they have, those that agree with themselves before others.
    fn files_in_order(&self) -> Vec<FileNo> {
        let shares = &self.prepared.file_order;
        let mut order = self.order.clone();
        order.sort_by(|a, b| shares[b].total_cmp(&shares[a]));
        order
    }

    fn selected(&self, file: FileNo) -> Option<SelectedFile> {
        let (open, entry) = (self.files.get(&file)?, self.index.file(file)?);
        let mut owners: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
        let owner_of = match open.shown.is_empty() {
            true => Vec::new(),
            false => owners_of_lines(entry, open.lines),
        };
        let items: FxHashMap<u32, usize> = open
            .named
            .iter()
            .map(|item| (self.ranking.items[*item].declaration, *item))
            .collect();
        let shown: Vec<u32> = open.filled().into_iter().collect();
        let chosen = |declaration| items.contains_key(&declaration);
        let holders = holders_of_lines(&shown, &owner_of, chosen);
        for (line, holder) in shown.into_iter().zip(holders) {
            let text = open.lines[line as usize].text(open.text).to_owned();
            owners.entry(holder).or_default().push((line + 1, text));
        }
        for declaration in items.keys() {
            owners.entry(*declaration).or_default();
        }
        let symbols = owners.into_iter().map(|(declaration, lines)| {
            self.symbol(
                entry,
                open,
                declaration,
                (lines, &owner_of),
                items.get(&declaration).copied(),
            )
        });
        Some(SelectedFile {
            path: entry.path.to_string(),
            symbols: symbols.collect(),
        })
    }

    fn symbol(
        &self,
        entry: &FileEntry,
        open: &OpenFile<'_>,
        declaration: u32,
        (lines, owner_of): (Vec<(u32, String)>, &[u32]),
        item: Option<usize>,
    ) -> SelectedSymbol {
        let declared = &entry.declared[declaration as usize];
        let said = || {
            let own = own_lines(entry, declaration, open.lines).into_iter();
            own.filter(|line| !open.lines[*line as usize].is_empty)
                .count()
        };
        // Lines around it say nothing about how much of it is shown.
        let is_own = |number: u32| owner_of.get(number as usize - 1) == Some(&declaration);
        let written = lines
            .iter()
            .filter(|(number, line)| is_own(*number) && !line.trim().is_empty());
        let tier = match written.count() {
            0 => DetailTier::Name,
            shown if shown >= said() => DetailTier::Body,
            1 if declared.kind != DeclarationClass::File => DetailTier::Signature,
            _ => DetailTier::Lines,
        };
        let line_at = |at: u32| open.lines.partition_point(|line| line.start <= at).max(1) as u32;
        SelectedSymbol {
            name: entry.name(declaration).to_owned(),
            container: entry.container(declaration).to_owned(),
            kind: declared.kind_word,
            line_start: line_at(declared.start),
            line_end: line_at(declared.end.saturating_sub(1).max(declared.start)),
            tier,
            in_row: item.is_some_and(|item| self.rows.contains(&item)),
            lines,
            share: item.map_or(0.0, |item| self.ranking.items[item].share),
            why: item.map_or_else(Vec::new, |item| self.ranking.items[item].why.clone()),
        }
    }
}

/// The declaration that tells each shown line: its own where that was chosen; else the chosen one whose lines it
/// continues or leads to, as code has lines of its neighbours around it. An entry for each neighbour would cost more than
/// the lines.
fn holders_of_lines(shown: &[u32], owner_of: &[u32], is_chosen: impl Fn(u32) -> bool) -> Vec<u32> {
    let owners: Vec<u32> = shown.iter().map(|line| owner_of[*line as usize]).collect();
    let follows = |at: usize| at > 0 && shown[at - 1] + 1 == shown[at];
    let mut holders: Vec<Option<u32>> = Vec::with_capacity(shown.len());
    for (at, owner) in owners.iter().enumerate() {
        let before = || holders.last().copied().flatten().filter(|_| follows(at));
        let holder = is_chosen(*owner).then_some(*owner).or_else(before);
        holders.push(holder);
    }
    for at in (1..shown.len()).rev() {
        if holders[at - 1].is_none() && follows(at) {
            holders[at - 1] = holders[at];
        }
    }
    let holders = holders.into_iter().zip(owners);
    holders
        .map(|(holder, owner)| holder.unwrap_or(owner))
        .collect()
}

/// The innermost declaration of each line.
fn owners_of_lines(entry: &FileEntry, lines: &[LineRange]) -> Vec<u32> {
    let mut owners = vec![0; lines.len()];
    for (at, of) in entry.declared.iter().enumerate().skip(1) {
        let first = lines
            .partition_point(|line| line.start <= of.doc_start)
            .saturating_sub(1);
        let end = lines.partition_point(|line| line.start < of.end);
        // Inner ones come later and take over; a line that two share is the outer one's.
        let first = if owners
            .get(first)
            .is_some_and(|owner| *owner != 0 && *owner != of.parent)
        {
            first + 1
        } else {
            first
        };
        owners
            .iter_mut()
            .take(end)
            .skip(first)
            .for_each(|owner| *owner = at as u32);
    }
    owners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_around_belong_to_the_chosen_declaration() {
        // Lines 0–2 are of declaration 1, 3–5 of 2, 6–8 of 3; only 2 was chosen, and line 8 stands alone.
        let owner_of = [1, 1, 1, 2, 2, 2, 3, 3, 3];
        let holders = holders_of_lines(&[2, 3, 4, 5, 6, 8], &owner_of, |of| of == 2);
        assert_eq!(holders, [2, 2, 2, 2, 2, 3]);
    }
}
