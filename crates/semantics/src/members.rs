//! The members of a type as they were when its text was made, and what became of them since (`000` §7).

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use similar::{Algorithm, DiffTag, capture_diff_slices};

/// Lines of a member's difference that a prompt shows.
const MAX_LINES: usize = 24;
/// Letters of one such line.
const MAX_LETTERS: usize = 200;
/// The first line of a snapshot.
const VERSION: &str = "codecortex members 1";
/// The most bytes that a snapshot may unpack to.
const MAX_UNPACKED: usize = 16 << 20;

/// A member with all of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberText {
    /// Its simple name.
    pub name: String,
    /// Its signature, as the language writes it.
    pub head: String,
    /// Digest of everything in it but comments and white space.
    pub code: String,
    /// Its text.
    pub text: String,
}

/// What became of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affected {
    /// Its signature as it is now, or as it was.
    pub head: String,
    /// What happened, in some words: `+3 −1 lines`.
    pub summary: String,
    /// Lines that came and went, each with `+ ` or `- ` before it.
    pub diff: String,
}

/// Writes members as text for a file that is kept beside the sources.
#[must_use]
pub fn write_snapshot(members: &[MemberText]) -> String {
    // Plain strings can always be written.
    let body = serde_json::to_vec(members).unwrap_or_default();
    let packed = lz4_flex::compress_prepend_size(&body);
    format!(
        "{VERSION}\n{}\n{}\n",
        checksum(&packed),
        BASE64.encode(&packed)
    )
}

/// Reads such a file. None where it is not whole or of another version: it is disposable.
#[must_use]
pub fn read_snapshot(file: &str) -> Option<Vec<MemberText>> {
    let mut lines = file.lines();
    let sum = (lines.next()? == VERSION).then(|| lines.next())??;
    let packed = BASE64.decode(lines.next()?.as_bytes()).ok()?;
    let size = u32::from_le_bytes(*packed.first_chunk()?) as usize;
    if checksum(&packed) != sum || size > MAX_UNPACKED {
        return None;
    }
    let body = lz4_flex::decompress_size_prepended(&packed).ok()?;
    serde_json::from_slice(&body).ok()
}

fn checksum(bytes: &[u8]) -> String {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    BASE64.encode(&digest[..9])
}

/// The members whose code is other than it was, in the order in which they stand, what is gone last. Comments and
/// white space make no difference.
#[must_use]
pub fn affected(before: &[MemberText], now: &[MemberText]) -> Vec<Affected> {
    let mut gone: Vec<&MemberText> = before.iter().collect();
    let mut open: Vec<&MemberText> = Vec::new();
    // What is as it was, however often it is there and wherever it went.
    for member in now {
        let is_same = |old: &&MemberText| old.head == member.head && old.code == member.code;
        match gone.iter().position(is_same) {
            Some(place) => drop(gone.remove(place)),
            None => open.push(member),
        }
    }
    let mut pairs: Vec<(Option<&MemberText>, &MemberText)> = Vec::new();
    for member in &open {
        let mut by = |is_it: &dyn Fn(&MemberText) -> bool| {
            let place = gone.iter().position(|old| is_it(old))?;
            Some(gone.remove(place))
        };
        // An overload is itself before it is another one.
        let old = by(&|old| old.head == member.head).or_else(|| {
            by(&|old| old.name == member.name && !open.iter().any(|other| other.head == old.head))
        });
        pairs.push((old, member));
    }
    let changed = pairs
        .into_iter()
        .map(|(old, new)| difference(old, Some(new)));
    let removed = gone.into_iter().map(|old| difference(Some(old), None));
    changed.chain(removed).collect()
}

fn difference(old: Option<&MemberText>, new: Option<&MemberText>) -> Affected {
    let lines = |member: Option<&MemberText>| -> Vec<String> {
        let text = member.map_or("", |member| member.text.as_str());
        text.lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    let (before, after) = (lines(old), lines(new));
    let (mut added, mut removed) = (0, 0);
    let mut shown: Vec<String> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        let (tag, from, to) = op.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        removed += from.len();
        added += to.len();
        let gone = before[from].iter().map(|line| cut("- ", line));
        shown.extend(gone.chain(after[to].iter().map(|line| cut("+ ", line))));
    }
    let total = shown.len();
    if total > MAX_LINES {
        shown.truncate(MAX_LINES);
        shown.push(format!("… {} more lines", total - MAX_LINES));
    }
    let summary = match (old, new) {
        (None, _) => format!("new, {added} lines"),
        (_, None) => format!("removed, {removed} lines"),
        (Some(old), Some(new)) if old.head != new.head => {
            format!("other signature, +{added} −{removed} lines")
        }
        _ => format!("+{added} −{removed} lines"),
    };
    let head = new.or(old).map(|member| one_line(&member.head));
    Affected {
        head: head.unwrap_or_default(),
        summary,
        diff: shown.join("\n"),
    }
}

fn cut(sign: &str, line: &str) -> String {
    let short: String = line.chars().take(MAX_LETTERS).collect();
    let more = if short.len() < line.len() { "…" } else { "" };
    format!("{sign}{short}{more}")
}

/// A text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn member(name: &str, head: &str, text: &str) -> MemberText {
        MemberText {
            name: name.to_owned(),
            head: head.to_owned(),
            code: text.split_whitespace().collect(),
            text: text.to_owned(),
        }
    }

    fn heads(all: &[Affected]) -> Vec<(&str, &str)> {
        all.iter()
            .map(|member| (member.head.as_str(), member.summary.as_str()))
            .collect()
    }

    #[test]
    fn what_changed_and_nothing_else() {
        let before = [
            member("add", "void add(int)", "void add(int a) {\n  one();\n}"),
            member("add", "void add(long)", "void add(long a) { }"),
            member("close", "void close()", "void close() { }"),
            member("old", "int old()", "int old() { return 1; }"),
        ];
        let now = [
            member("close", "void close()", "void close() {\n}"),
            member("add", "void add(int)", "void add(int a) {\n  two();\n}"),
            member("add", "void add(byte)", "void add(byte a) { }"),
            member("fresh", "int fresh()", "int fresh() { return 2; }"),
        ];
        let found = affected(&before, &now);
        assert_eq!(
            heads(&found),
            [
                ("void add(int)", "+1 −1 lines"),
                ("void add(byte)", "other signature, +1 −1 lines"),
                ("int fresh()", "new, 1 lines"),
                ("int old()", "removed, 1 lines"),
            ]
        );
        assert_eq!(found[0].diff, "-   one();\n+   two();");
        assert!(affected(&now, &now).is_empty());
    }

    #[test]
    fn long_differences_are_cut() {
        let lines = |word: &str| -> String { (0..100).map(|at| format!("{word}{at}\n")).collect() };
        let found = affected(
            &[member("f", "f()", &lines("a"))],
            &[member("f", "f()", &lines("b"))],
        );
        assert_eq!(found[0].diff.lines().count(), MAX_LINES + 1);
        assert!(found[0].diff.ends_with("176 more lines"));
    }

    #[test]
    fn a_damaged_snapshot_is_none() {
        let whole = write_snapshot(&[member("f", "f()", "text")]);
        assert!(read_snapshot(&whole).is_some());
        for damaged in [
            &whole[..whole.len() / 2],
            "",
            "codecortex members 1\nx\ny\n",
        ] {
            assert_eq!(read_snapshot(damaged), None);
        }
        assert_eq!(
            read_snapshot(&whole.replacen("members 1", "members 2", 1)),
            None
        );
    }

    proptest! {
        #[test]
        fn snapshots_hold(texts in prop::collection::vec(("\\PC{0,8}", "\\PC{0,40}"), 0..8)) {
            let members: Vec<MemberText> =
                texts.iter().map(|(name, text)| member(name, name, text)).collect();
            let file = write_snapshot(&members);
            prop_assert_eq!(read_snapshot(&file), Some(members.clone()));
            prop_assert!(affected(&members, &members).is_empty());
        }

        #[test]
        fn every_change_is_affected(count in 1usize..20, at in 0usize..20) {
            let at = at % count;
            let before: Vec<MemberText> = (0..count)
                .map(|n| member(&format!("m{n}"), &format!("void m{n}()"), "{ old(); }"))
                .collect();
            let mut now = before.clone();
            now[at] = member(&format!("m{at}"), &format!("void m{at}()"), "{ new(); }");
            let found = affected(&before, &now);
            let expected = format!("void m{at}()");
            prop_assert_eq!(heads(&found), [(expected.as_str(), "+1 −1 lines")]);
        }
    }
}
