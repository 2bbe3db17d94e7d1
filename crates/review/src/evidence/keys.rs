//! Keys of a configuration in the strings of code: `cfg.get("max_retries")`, `os.environ["REQUEST_TIMEOUT"]`.
//!
//! No index has what stands in strings, so the texts of the nearest files are looked through.

use std::collections::BTreeSet;

use codecortex_index::FileId;
use codecortex_resolve::FileNo;

use super::search::EvidenceSearch;

/// Files that are looked through, the nearest to the change first.
const MAX_FILES: usize = 1_000;
/// Longer lines are of no person.
const LONGEST: usize = 2_000;
/// Places that are told of one key.
const MAX_PLACES: usize = 50;

/// The files that are looked through, and whether there are more.
pub(super) fn files(search: &EvidenceSearch<'_>) -> (Vec<FileNo>, bool) {
    let mut files: Vec<(&str, FileNo)> = search
        .view
        .code
        .shown_files()
        .filter(|(_, file)| file.root == search.root)
        .map(|(id, file)| (&*file.path, id.0))
        .collect();
    files.sort_by_cached_key(|(path, _)| {
        let depth = path.matches('/').count();
        (std::cmp::Reverse(search.nearness(path)), depth, *path)
    });
    let are_all = files.len() <= MAX_FILES;
    let files = files.into_iter().take(MAX_FILES).map(|(_, file)| file);
    (files.collect(), !are_all)
}

/// Where strings of these files are one of some spellings of a key, or a path that ends with one: file and line, from 1.
/// Texts that were not read are passed over.
pub(super) fn in_strings(
    search: &EvidenceSearch<'_>,
    files: &[FileNo],
    spellings: &BTreeSet<String>,
) -> Vec<(FileNo, u32)> {
    let mut found = Vec::new();
    for file in files {
        let changed = search.changed.get(file);
        let new = changed.and_then(|at| search.change.files[*at].new.as_ref());
        let text = match new {
            Some(new) => new.text.clone(),
            None => match search.view.text_of_file(FileId(*file)) {
                Ok(text) => text.snapshot.text.text(),
                Err(_) => continue,
            },
        };
        if !spellings.iter().any(|key| text.contains(key.as_str())) {
            continue;
        }
        for (line, number) in text.lines().zip(1..) {
            if line.len() <= LONGEST && spellings.iter().any(|key| has_string(line, key)) {
                found.push((*file, number));
            }
        }
        if found.len() >= MAX_PLACES {
            break;
        }
    }
    found.truncate(MAX_PLACES);
    found
}

/// Whether a string of a line is a key, or a path of keys with it.
fn has_string(line: &str, key: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    line.match_indices(key).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + key.len()..]);
        let stands_alone = !before.ends_with(is_part) && !behind.starts_with(is_part);
        // What is in quotes has no white space: else a word of a sentence would be a key.
        let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
        let opened = before
            .rfind(is_end)
            .and_then(|at| before[at..].chars().next());
        let closed = behind
            .find(is_end)
            .and_then(|at| behind[at..].chars().next());
        stands_alone && opened == closed && opened.is_some_and(|c| !c.is_whitespace())
    })
}

#[cfg(test)]
mod tests {
    use super::has_string;

    #[test]
    fn a_key_is_a_whole_string_or_a_part_of_a_path() {
        for line in [
            "cfg.get(\"max_retries\")",
            "x = env['max_retries']",
            "@Value(\"${app.max_retries:3}\")",
            "load(`server/max_retries`)",
        ] {
            assert!(has_string(line, "max_retries"), "{line}");
        }
        for line in [
            "log(\"all max_retries are used\")",
            "get(\"max_retries_left\")",
            "// don't read max_retries, it's old",
            "max_retries = \"x\"",
        ] {
            assert!(!has_string(line, "max_retries"), "{line}");
        }
    }
}
