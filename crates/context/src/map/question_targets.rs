//! What a question points at, beside its words: lines of files, one name, a message that stands in the code.

use codecortex_analysis::AnalysisView;
use codecortex_index::{FileId, IndexedFile};
use codecortex_retrieval::NamedPlace;
use codecortex_syntax::{Item, ItemFlags};
use rustc_hash::FxHashMap;

use super::frames::{StackFrame, frames};
use super::path_of;

/// Declarations that a question points at.
const MAX: usize = 12;
/// A name that more declarations have points at none of them.
const MAX_OF_A_NAME: usize = 3;
/// Words of a message that have to stand in the code in a row.
const LEAST_WORDS: usize = 3;
/// Characters of them.
const LEAST_LENGTH: usize = 14;
/// Words that are looked for.
const MAX_WORDS: usize = 64;

/// The declarations that the question's places are in, or the only ones that have the one name that it is.
pub(super) fn pointed_at(view: &AnalysisView<'_>, text: &str) -> Vec<NamedPlace> {
    let frames = frames(text);
    let mut places: Vec<NamedPlace> = Vec::new();
    if !frames.is_empty() {
        let files = FilesByName::new(view);
        for frame in &frames {
            let found = files.declaration_at(frame);
            let new = found.filter(|place| !places.contains(place));
            places.extend(new);
            if places.len() == MAX {
                break;
            }
        }
    }
    if places.is_empty() {
        places = of_one_name(view, text.trim());
    }
    places
}

/// Whether a question asks for tests: it is short, and says so.
pub(super) fn asks_for_tests(text: &str) -> bool {
    const TESTS: [&str; 4] = ["test", "tests", "spec", "specs"];
    const ASKS: [&str; 9] = [
        "which",
        "what",
        "where",
        "cover",
        "covers",
        "covering",
        "coverage",
        "exercise",
        "exercises",
    ];
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .take(13)
        .collect();
    let has = |of: &[&str]| words.iter().any(|word| of.contains(&word.as_str()));
    words.len() <= 12 && has(&TESTS) && has(&ASKS)
}

/// The declarations whose text has a part of the question as it is written: a message, a line of code.
pub(super) fn quoted<'t>(
    view: &AnalysisView<'_>,
    text: &str,
    files: impl Iterator<Item = (FileId, &'t str)>,
) -> Vec<NamedPlace> {
    let runs: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().take(MAX_WORDS).collect::<Vec<_>>())
        .filter(|words| words.len() >= LEAST_WORDS)
        .collect();
    let mut best: Vec<(usize, FileId, usize)> = Vec::new();
    for (id, text) in files {
        for words in &runs {
            best.extend(longest_run(words, text).map(|(length, at)| (length, id, at)));
        }
    }
    let Some(longest) = best.iter().map(|(length, ..)| *length).max() else {
        return Vec::new();
    };
    best.retain(|(length, ..)| *length == longest);
    best.sort_unstable();
    if best.len() > MAX_OF_A_NAME {
        return Vec::new();
    }
    let places = best.into_iter().filter_map(|(_, id, at)| {
        let file = view.index.file(id)?;
        let item = innermost(file, |item| {
            item.start_byte as usize <= at && at < item.end_byte as usize
        })?;
        Some(place_of(view, file, item))
    });
    let mut places: Vec<NamedPlace> = places.collect();
    places.dedup();
    places
}

/// The longest run of neighbouring words that a text has, in characters, and where.
fn longest_run(words: &[&str], text: &str) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut from = 0;
    while from + LEAST_WORDS <= words.len() {
        let least = words[from..from + LEAST_WORDS].join(" ");
        let mut count = LEAST_WORDS;
        if let Some(first) = memchr::memmem::find(text.as_bytes(), least.as_bytes()) {
            let (mut run, mut at) = (least, first);
            while let Some(next) = words.get(from + count) {
                let longer = format!("{run} {next}");
                let Some(found) = memchr::memmem::find(text.as_bytes(), longer.as_bytes()) else {
                    break;
                };
                (run, at) = (longer, found);
                count += 1;
            }
            let is_long = run.len() >= LEAST_LENGTH;
            if is_long && best.is_none_or(|(length, _)| run.len() > length) {
                best = Some((run.len(), at));
            }
            from += count - LEAST_WORDS;
        }
        from += 1;
    }
    best
}

/// The declarations of a name, where the question is that name and few have it.
fn of_one_name(view: &AnalysisView<'_>, name: &str) -> Vec<NamedPlace> {
    let is_name = name.contains(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name {
        return Vec::new();
    }
    let symbols = view.index.named(name).iter().copied();
    let found = symbols.filter_map(|symbol| {
        let (file, item) = view.index.get(symbol)?;
        let is_it = file.facts.str(item.name) == name
            && !item.flags.contains(ItemFlags::LOCAL)
            && !view.index.is_external(symbol.file);
        is_it.then(|| place_of(view, file, item))
    });
    let found: Vec<NamedPlace> = found.take(MAX_OF_A_NAME + 1).collect();
    match found.len() {
        1..=MAX_OF_A_NAME => found,
        _ => Vec::new(),
    }
}

fn place_of(view: &AnalysisView<'_>, file: &IndexedFile, item: &Item) -> NamedPlace {
    NamedPlace {
        path: path_of(view, file.root, &file.path),
        name_at: item.name_byte,
    }
}

/// The innermost declaration that is none of running code.
fn innermost(file: &IndexedFile, is_around: impl Fn(&Item) -> bool) -> Option<&Item> {
    let items = file.facts.items.iter().rev();
    let mut items = items.filter(|item| !item.flags.contains(ItemFlags::LOCAL));
    items.find(|item| is_around(item) && !item.name.is_empty())
}

/// Files by their names without folders.
struct FilesByName<'a> {
    view: &'a AnalysisView<'a>,
    by_name: FxHashMap<&'a str, Vec<FileId>>,
}

impl<'a> FilesByName<'a> {
    fn new(view: &'a AnalysisView<'a>) -> Self {
        let mut by_name: FxHashMap<&str, Vec<FileId>> = FxHashMap::default();
        for (id, file) in view.shown_files() {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            by_name.entry(name).or_default().push(id);
        }
        Self { view, by_name }
    }

    /// The declaration that a place is in: the one that is said to run there, else the innermost around the line.
    fn declaration_at(&self, frame: &StackFrame<'_>) -> Option<NamedPlace> {
        let name = frame.path.rsplit('/').next()?;
        let files = self.by_name.get(name)?.iter();
        let known = files.filter_map(|id| self.view.index.file(*id));
        let best =
            known.max_by_key(|file| (nearness(frame, file), std::cmp::Reverse(&file.path)))?;
        let line = frame.line - 1;
        let is_around = |item: &Item| item.start.line <= line && line <= item.end.line;
        let around = innermost(best, |item| is_around(item) && item.kind.is_callable())
            .or_else(|| innermost(best, is_around));
        let called = frame.function.and_then(|function| {
            let is_called = |item: &&Item| best.facts.str(item.name) == function;
            let named = best.facts.items.iter().filter(is_called);
            named.min_by_key(|item| (!is_around(item), item.start.line.abs_diff(line)))
        });
        // A file of that name alone may be anybody's: what runs there has to be in it.
        let folders = frame.path.matches('/').count();
        let is_elsewhere = nearness(frame, best).0 < 2 && folders > 1 && best.path.contains('/');
        let found = match called {
            Some(called) => Some(called),
            None => around.filter(|_| !is_elsewhere),
        };
        found.map(|item| place_of(self.view, best, item))
    }
}

/// How many names at the end of a file's path a place has too, and how many of the names around the function.
fn nearness(frame: &StackFrame<'_>, file: &IndexedFile) -> (usize, usize) {
    let ends = frame.path.rsplit('/').zip(file.path.rsplit('/'));
    let same = ends.take_while(|(a, b)| a == b).count();
    let named = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part);
        frame.around.contains(&stem)
    };
    (
        same,
        file.path.split('/').filter(|part| named(part)).count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_of_words_is_found() {
        let text = "raise Error(f\"no such cart: {cart} is gone\")";
        let words: Vec<&str> = "Error: no such cart: 17 is gone".split(' ').collect();
        assert_eq!(
            longest_run(&words, text),
            None,
            "twelve characters say little"
        );
        let text = "throw new Error('the cart was never opened before ' + id)";
        let words: Vec<&str> = "Error: the cart was never opened before 17"
            .split(' ')
            .collect();
        let (length, at) = longest_run(&words, text).unwrap();
        assert_eq!(&text[at..at + length], "the cart was never opened before");
    }

    #[test]
    fn who_asks_for_tests_is_known() {
        for text in [
            "which tests cover teardown",
            "what specs exercise the cart",
            "Test coverage of url_for",
        ] {
            assert!(asks_for_tests(text), "{text}");
        }
        for text in [
            "the tests fail since the last release",
            "which function opens a cart",
            "latest cover",
        ] {
            assert!(!asks_for_tests(text), "{text}");
        }
    }
}
