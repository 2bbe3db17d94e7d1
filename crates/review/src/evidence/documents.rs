//! Documentation beside the code that names what a change takes away: Markdown and the like (SPEC RV3, `004` §5).
//!
//! A name of one word counts only where it is written as code: alone between backticks, called, or behind what it is in. So does
//! a name that other declarations have too, behind the name of its type alone. What tells the past, such as a list of changes,
//! is right to name what is gone.

use codecortex_analysis::prose::is_prose;
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{Failure, Located, Missing};

use super::facts::Evidence;
use super::search::EvidenceSearch;

/// Beginnings of names of files that tell the past.
const HISTORIES: [&str; 6] = ["change", "history", "release", "news", "migrat", "upgrad"];
/// Documents that are read, the nearest to the change first.
const MAX_READ: usize = 300;
/// Longer ones are not.
const LONGEST: usize = 1 << 20;
/// Lines that are told of one name.
const MAX_LINES: usize = 20;

/// A name that is looked for in documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SearchedName {
    /// The unit that takes it away.
    pub(super) unit: usize,
    /// The name.
    pub(super) name: String,
    /// Where a name is meant.
    pub(super) form: Form,
}

/// Where a name is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Wherever it stands: no prose has it.
    Anywhere,
    /// Where it is code, alone or behind one of these: the names of its module.
    Code(Vec<String>),
    /// Behind the name of its type alone.
    Behind(String),
}

impl Form {
    /// That of a name in a file, which is a member of `container` unless that is empty.
    pub(super) fn documents_naming(
        name: &str,
        container: &str,
        path: &str,
        is_alone: bool,
    ) -> Self {
        match (is_alone, container.is_empty()) {
            (true, _) if !is_one_word(name) => Self::Anywhere,
            (true, true) => {
                let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
                let modules = stem.rsplit('/').take(2).map(str::to_owned);
                Self::Code(modules.collect())
            }
            _ => Self::Behind(container.to_owned()),
        }
    }
}

/// What documentation names.
#[derive(Debug, Default)]
pub(super) struct DocumentedName {
    /// Path and line, from 1, by unit and name.
    places: Vec<(SearchedName, Vec<(String, u32)>)>,
    /// The texts of these documents.
    texts: Vec<(String, String)>,
    note: Option<String>,
}

impl DocumentedName {
    /// Adds what a reader should know and the lines that findings are about.
    pub(super) fn add(&mut self, found: &mut Evidence) {
        found.notes.extend(self.note.take());
        for (path, text) in self.texts.drain(..) {
            found.lines.put(path, text);
        }
    }

    /// What names something that a unit takes away.
    pub(super) fn mentions(&self, unit: usize, name: &str) -> impl Iterator<Item = &(String, u32)> {
        let all = self.places.iter();
        let of = all.filter(move |(sought, _)| sought.unit == unit && sought.name == name);
        of.flat_map(|(_, places)| places)
    }
}

/// Looks for names in documentation. The call waits for the texts of files.
///
/// # Errors
/// `Failure::Missing` for texts.
pub(super) fn find(
    search: &EvidenceSearch<'_>,
    sought: &[SearchedName],
) -> Result<DocumentedName, Failure> {
    let mut named = DocumentedName::default();
    if sought.is_empty() {
        return Ok(named);
    }
    let mut paths = documents(search);
    if paths.len() > MAX_READ {
        named.note = Some(format!(
            "Of {} documents the nearest {MAX_READ} are read for names that are gone.",
            paths.len()
        ));
        paths.truncate(MAX_READ);
    }
    let all = sought.iter().map(|sought| (sought.clone(), Vec::new()));
    named.places = all.collect();
    for (path, text) in texts(search, &paths)? {
        let mut is_named = false;
        for (sought, places) in &mut named.places {
            let left = MAX_LINES.saturating_sub(places.len());
            let lines = lines_with(&text, sought).into_iter().take(left);
            places.extend(lines.map(|line| (path.clone(), line)));
            is_named |= places.last().is_some_and(|(of, _)| *of == path);
        }
        if is_named {
            named.texts.push((path, text));
        }
    }
    Ok(named)
}

/// Paths of documentation, the nearest to the change first.
fn documents(search: &EvidenceSearch<'_>) -> Vec<String> {
    let is_gone = |path: &str| {
        let mut files = search.change.files.iter();
        files.any(|file| file.path == path && file.diff.kind == crate::diff::PatchType::Delete)
    };
    let paths = search.view.workspace.paths(search.root);
    let paths = paths.filter(|path| is_document(path) && !is_gone(path));
    let mut paths: Vec<String> = paths.map(str::to_owned).collect();
    paths.sort_by_cached_key(|path| {
        let depth = path.matches('/').count();
        (
            std::cmp::Reverse(search.nearness(path)),
            depth,
            path.clone(),
        )
    });
    paths
}

fn is_document(path: &str) -> bool {
    let lower = path.to_lowercase();
    let name = lower.rsplit('/').next().unwrap_or(&lower);
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    let is_readme = stem == "readme" && matches!(ending, "" | "txt");
    (is_prose(name) || is_readme) && !HISTORIES.iter().any(|word| stem.starts_with(word))
}

/// The texts of documents: as the change leaves them, else as they are now.
fn texts(search: &EvidenceSearch<'_>, paths: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let Some(root) = search.view.workspace.roots.get(search.root as usize) else {
        return Ok(Vec::new());
    };
    let (mut texts, mut missing): (Vec<(String, String)>, Vec<Located>) = Default::default();
    for path in paths {
        let changed = search.change.files.iter().find(|file| file.path == *path);
        if let Some(new) = changed.and_then(|file| file.new.as_ref()) {
            texts.push((path.clone(), new.text.clone()));
            continue;
        }
        let file = search.view.located(&absolute_path(root, path));
        match search.view.text_of(&file) {
            Ok(text) => texts.push((path.clone(), text.snapshot.text.text())),
            Err(Failure::Missing(Missing::Texts(files))) => missing.extend(files),
            Err(_) => {} // it went meanwhile, or is no text
        }
    }
    match missing.is_empty() {
        true => Ok(texts),
        false => Err(Failure::Missing(Missing::Texts(missing))),
    }
}

/// Lines that name something, from 1.
fn lines_with(text: &str, sought: &SearchedName) -> Vec<u32> {
    if text.len() > LONGEST || !text.contains(&sought.name) {
        return Vec::new();
    }
    let lines = text.lines().zip(1..);
    let found = lines.filter(|(line, _)| names(line, &sought.name, &sought.form));
    found.map(|(_, number)| number).collect()
}

/// Whether a line names something.
pub(super) fn names(line: &str, name: &str, form: &Form) -> bool {
    let is_meant = |at: usize| match form {
        Form::Anywhere => true,
        Form::Behind(container) => is_behind(line, at, container),
        Form::Code(modules) => {
            let is_qualified = line[..at].ends_with(['.', ':', '#', '>', '/', '$']);
            match is_qualified {
                true => modules.iter().any(|module| is_behind(line, at, module)),
                false => is_in_code(line, at, name.len()),
            }
        }
    };
    let mut places = line.match_indices(name).map(|(at, _)| at);
    places.any(|at| stands_alone(line, at, name) && is_meant(at))
}

/// Whether a name is one word, which prose may have too: `total`, `Find`.
fn is_one_word(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_lowercase)
}

fn stands_alone(line: &str, at: usize, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = line[..at].chars().next_back();
    let after = line[at + name.len()..].chars().next();
    !before.is_some_and(is_part) && !after.is_some_and(is_part)
}

/// Whether a name stands behind another and a sign between them: `Cart.total`, `Cart::total`, `Cart#total`, `cart->total`.
fn is_behind(line: &str, at: usize, container: &str) -> bool {
    let before = line[..at].trim_end_matches(['.', ':', '#', '-', '>']);
    let is_signed = before.len() < at;
    let before = before.trim_end_matches("()").to_lowercase();
    let Some(head) = before.strip_suffix(&container.to_lowercase()) else {
        return false;
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    is_signed && !container.is_empty() && !head.chars().next_back().is_some_and(is_part)
}

/// Whether a part of a line is called, or is alone between backticks.
fn is_in_code(line: &str, at: usize, length: usize) -> bool {
    let rest = &line[at + length..];
    let is_alone = line[..at].ends_with('`') && rest.starts_with('`');
    is_alone || rest.starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sought(name: &str, form: Form) -> SearchedName {
        SearchedName {
            unit: 0,
            name: name.to_owned(),
            form,
        }
    }

    #[test]
    fn a_word_of_prose_counts_only_as_code() {
        let text = "The total is shown.\nCall `total` or total().\n```py\ntotal(1)\n```\nAll `in` total `here`.\nsubtotal `totals`\n`a total b`\n";
        let total = || {
            sought(
                "total",
                Form::documents_naming("total", "", "src/sums.py", true),
            )
        };
        assert_eq!(lines_with(text, &total()), [2, 4]);
        let text = "other.total(1)\nsums.total(1)\n// total of all\nsubsums.total(1)\n";
        assert_eq!(lines_with(text, &total()), [2]);
    }

    #[test]
    fn a_name_that_no_prose_has_counts_everywhere() {
        let text = "sumOf adds up.\nSee sum_of and mysumOf.\n";
        let of = |name| sought(name, Form::documents_naming(name, "", "a.py", true));
        assert_eq!(lines_with(text, &of("sumOf")), [1]);
        assert_eq!(lines_with(text, &of("sum_of")), [2]);
    }

    #[test]
    fn a_member_of_one_word_and_what_others_are_called_too_count_behind_their_types() {
        let text = "`Bill.total` and `total`\n`Cart.total`\nCart::total, cart->total\nCart total\n";
        for is_alone in [false, true] {
            let total = sought(
                "total",
                Form::documents_naming("total", "Cart", "a.py", is_alone),
            );
            assert_eq!(lines_with(text, &total), [2, 3]);
        }
        let text = "sumOf and Cart.sumOf\nsumOf\n";
        let sum = sought(
            "sumOf",
            Form::documents_naming("sumOf", "Cart", "a.py", false),
        );
        assert_eq!(lines_with(text, &sum), [1]);
    }

    #[test]
    fn documents_are_told_by_their_names() {
        for path in [
            "README",
            "docs/a.md",
            "README.txt",
            "x/guide.de.rst",
            "ReadMe.MD",
        ] {
            assert!(is_document(path), "{path}");
        }
        for path in [
            "a.txt",
            "CHANGELOG.md",
            "docs/History.rst",
            "a.py",
            "RELEASES.md",
        ] {
            assert!(!is_document(path), "{path}");
        }
    }
}
