//! The other version of a text, of one version and a diff.

use crate::diff::{Hunk, LineKind};

/// Which version a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchSide {
    /// The one before the change.
    Old,
    /// The one after it.
    New,
}

/// The other version of a text; none where a hunk does not stand where it says it does.
pub(crate) fn other_side(text: &str, hunks: &[Hunk], is: PatchSide) -> Option<String> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0usize);
    for hunk in hunks {
        let (start, count) = match is {
            PatchSide::Old => (hunk.old_start, hunk.old_count),
            PatchSide::New => (hunk.new_start, hunk.new_count),
        };
        // A hunk without lines names the line before it.
        let start = (start as usize).saturating_sub(usize::from(count > 0));
        if start < at || start > lines.len() {
            return None;
        }
        out.extend(lines[at..start].iter().copied());
        at = start;
        for line in &hunk.lines {
            let (is_here, is_there) = match (line.kind, is) {
                (LineKind::Context, _) => (true, true),
                (LineKind::Removed, PatchSide::Old) | (LineKind::Added, PatchSide::New) => {
                    (true, false)
                }
                _ => (false, true),
            };
            if is_here {
                let found = lines.get(at)?;
                if found.trim_end() != line.text.trim_end() {
                    return None;
                }
                at += 1;
                if is_there {
                    out.push_str(found);
                }
            } else if is_there {
                out.push_str(&line.text);
                out.push('\n');
            }
        }
    }
    out.extend(lines[at..].iter().copied());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Patch;
    use proptest::prelude::*;

    /// A diff of two lists of lines that removes all and adds all but what they share at their ends.
    fn patch_of(old: &[String], new: &[String]) -> Vec<Hunk> {
        let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let (old_rest, new_rest) = (&old[common..], &new[common..]);
        if old_rest.is_empty() && new_rest.is_empty() {
            return Vec::new();
        }
        let start = |rest: &[String]| common + usize::from(!rest.is_empty());
        let mut text = format!(
            "--- a/x\n+++ b/x\n@@ -{},{} +{},{} @@\n",
            start(old_rest),
            old_rest.len(),
            start(new_rest),
            new_rest.len()
        );
        old_rest
            .iter()
            .for_each(|line| text.push_str(&format!("-{line}\n")));
        new_rest
            .iter()
            .for_each(|line| text.push_str(&format!("+{line}\n")));
        Patch::parse(&text).files.remove(0).hunks
    }

    proptest! {
        #[test]
        fn both_ways_lead_to_the_other_version(
            old in prop::collection::vec("[ab ]{0,3}x", 0..8),
            new in prop::collection::vec("[ab ]{0,3}x", 0..8),
        ) {
            let join = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
            let hunks = patch_of(&old, &new);
            prop_assert_eq!(other_side(&join(&old), &hunks, PatchSide::Old), Some(join(&new)));
            prop_assert_eq!(other_side(&join(&new), &hunks, PatchSide::New), Some(join(&old)));
        }
    }

    #[test]
    fn a_hunk_beyond_the_text_does_not_apply() {
        let hunks = Patch::parse("--- a/x\n+++ b/x\n@@ -9 +9 @@\n-a\n+b\n")
            .files
            .remove(0)
            .hunks;
        assert_eq!(other_side("a\n", &hunks, PatchSide::Old), None);
    }
}
