//! Names that a file system may take for other ones: another case, an invisible letter, a short name, a device
//! (SPEC D28). A path is judged alike on every system, because the folder may lie on a disk of any of them.
//!
//! `extension/core/fileNames.ts` is its twin; both hold the cases of `test/contract/edit-names`.

/// Folders that programs keep for themselves.
const OWNED: [&str; 2] = [".git", ".context"];

/// What Windows opens a device for, whatever ending follows.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];
/// The same with a digit behind it.
const NUMBERED_DEVICES: [&str; 2] = ["com", "lpt"];
/// The digits of such names.
const DEVICE_DIGITS: &str = "0123456789¹²³";

/// Code points that are not seen (Unicode's Default_Ignorable_Code_Point), which HFS+ skips when it compares.
const IGNORABLE: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fff8}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0000}', '\u{e0fff}'),
];

/// Why a path may lead elsewhere than it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// A part is `.git` or `.context` on some file system, or no name at all, such as `..`.
    Owned,
    /// A part is another name on some system, or none that can be had there: a device of Windows, a colon, a backslash,
    /// a blank or dot at the end.
    Unportable,
}

/// What is wrong with the parts of a path below a root; the worst of it.
#[must_use]
pub fn name_problem(path: &str) -> Option<NameProblem> {
    // To Windows a backslash is a separator.
    if path.split(['/', '\\']).any(is_owned) {
        return Some(NameProblem::Owned);
    }
    path.split('/')
        .any(is_unportable)
        .then_some(NameProblem::Unportable)
}

/// Whether a part of a path below a root begins with a dot: what other programs read without being told to, such as
/// `.envrc` and `.vscode/tasks.json`.
#[must_use]
pub fn is_hidden(path: &str) -> bool {
    path.split(['/', '\\'])
        .any(|part| folded(part).starts_with('.'))
}

fn is_owned(part: &str) -> bool {
    let folded = folded(part);
    // What follows a colon names a stream of the file before it.
    let name = folded.split(':').next().unwrap_or_default();
    let name = name.trim_end_matches(['.', ' ']);
    name.is_empty() || OWNED.contains(&name) || OWNED.iter().any(|owned| is_short(name, owned))
}

/// Whether a name is one that Windows may have given to `long` for old programs: its first letters or two of them with
/// a checksum, and a number.
fn is_short(name: &str, long: &str) -> bool {
    let Some((stem, number)) = name.rsplit_once('~') else {
        return false;
    };
    if number.is_empty() || !number.bytes().all(|digit| digit.is_ascii_digit()) {
        return false;
    }
    let long = long.trim_start_matches('.');
    let is_beginning = stem.len() >= 2 && long.starts_with(stem);
    let has_checksum = stem.len() == 6
        && stem.get(..2).is_some_and(|start| long.starts_with(start))
        && stem.bytes().skip(2).all(|digit| digit.is_ascii_hexdigit());
    is_beginning || has_checksum
}

fn is_unportable(part: &str) -> bool {
    let folded = folded(part);
    let stem = folded.split(['.', ':']).next().unwrap_or_default();
    let stem = stem.trim_end_matches(' ');
    let is_numbered = NUMBERED_DEVICES.iter().any(|device| {
        let number = stem.strip_prefix(device);
        number.is_some_and(|digit| digit.chars().count() == 1 && DEVICE_DIGITS.contains(digit))
    });
    is_numbered
        || DEVICES.contains(&stem)
        || part.contains([':', '\\'])
        || part.ends_with(['.', ' '])
}

/// A name without regard to case and to what is not seen. Upper case comes first: `ı` and `ſ` are letters of ASCII
/// there. The dot that `İ` leaves is dropped.
fn folded(part: &str) -> String {
    part.chars()
        .filter(|&letter| {
            !IGNORABLE
                .iter()
                .any(|&(first, last)| (first..=last).contains(&letter))
        })
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .filter(|&letter| letter != '\u{307}')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The extension's twin holds the same table (`test/unit/core/fileNames.test.ts`).
    #[test]
    fn names_are_judged_as_the_cases_say() {
        let cases = include_str!("../../../test/contract/edit-names/cases.json");
        let cases: Vec<Value> = serde_json::from_str(cases).unwrap();
        assert!(cases.len() > 60);
        for case in cases {
            let path = case["path"].as_str().unwrap();
            let problem = match name_problem(path) {
                Some(NameProblem::Owned) => "owned",
                Some(NameProblem::Unportable) => "unportable",
                None => "none",
            };
            assert_eq!(problem, case["problem"], "{path:?}");
            assert_eq!(is_hidden(path), case["hidden"], "{path:?}");
        }
    }
}
