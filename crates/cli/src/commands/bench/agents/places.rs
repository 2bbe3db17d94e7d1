//! The places that a commit edited, as they were before it.

use super::shown_lines::ShownLines;
use super::sources::{SourceFile, Sources};
use crate::commands::bench::tasks::{Clone, Task, old_range};

/// A place in the state before a commit: the lines that it changed or removed, or those beside an insertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EditedPlace {
    /// The number of its file.
    pub(super) file: usize,
    /// Lines that an agent has to have seen to edit it, blank ones left out; never empty.
    pub(super) lines: Vec<u32>,
}

impl EditedPlace {
    /// Whether all of its lines were shown.
    pub(super) fn is_shown(&self, shown: &ShownLines) -> bool {
        self.lines.iter().all(|line| shown.has(self.file, *line))
    }

    /// `path:12-14`.
    pub(super) fn location(&self, sources: &Sources) -> String {
        let path = sources.files().get(self.file).map_or("", |file| &file.path);
        match (self.lines.first(), self.lines.last()) {
            (Some(first), Some(last)) if first < last => format!("{path}:{first}-{last}"),
            (Some(first), _) => format!("{path}:{first}"),
            _ => path.to_owned(),
        }
    }
}

/// The places that a task's commit edited, in files that are read.
pub(super) fn edited(clone: &Clone, task: &Task, sources: &Sources) -> Vec<EditedPlace> {
    let mut places = Vec::new();
    for path in &task.files {
        let Some(at) = sources.at(path) else { continue };
        let Some(diff) = clone.diff(task, path) else {
            continue;
        };
        let hunks = diff.lines().filter_map(old_range);
        places.extend(hunks.filter_map(|hunk| place(&sources.files()[at], at, hunk)));
    }
    places
}

/// The place of a hunk, by its first old line and the number of old lines.
fn place(source: &SourceFile, file: usize, (start, count): (usize, usize)) -> Option<EditedPlace> {
    let start = u32::try_from(start).ok()?;
    let count = u32::try_from(count).ok()?;
    let is_code = |line: &u32| !source.is_blank(*line);
    let mut lines: Vec<u32> = match count {
        0 => {
            let above = (1..=start).rev().find(is_code);
            let below = (start + 1..=source.len()).find(is_code);
            above.into_iter().chain(below).collect()
        }
        _ => (start..start.saturating_add(count))
            .filter(is_code)
            .collect(),
    };
    lines.dedup();
    (!lines.is_empty()).then_some(EditedPlace { file, lines })
}

#[cfg(test)]
mod tests {
    use super::super::tests::sources;
    use super::*;

    #[test]
    fn an_insertion_needs_the_lines_beside_it_and_a_change_its_own() {
        let sources = sources(&[("a.py", "a\n\n\nb\nc\n")]);
        let of = |hunk| place(&sources.files()[0], 0, hunk).map(|place| place.lines);
        assert_eq!(of((2, 0)), Some(vec![1, 4]));
        assert_eq!(of((0, 0)), Some(vec![1]));
        assert_eq!(of((2, 3)), Some(vec![4]));
        assert_eq!(of((2, 2)), None, "only blank lines went");
        let place = place(&sources.files()[0], 0, (4, 2)).unwrap();
        assert_eq!(place.location(&sources), "a.py:4-5");
    }
}
