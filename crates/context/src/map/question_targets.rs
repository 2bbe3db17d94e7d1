//! What a question points at, beside its words: lines of files, one name, a message that stands in the code.

use codecortex_analysis::AnalysisView;
use codecortex_index::{FileId, IndexedFile};
use codecortex_retrieval::{NamedPlace, Role};
use codecortex_syntax::{Item, ItemFlags};
use rustc_hash::FxHashMap;

use super::frames::{StackFrame, frames};
use super::named_in_question::{files, of_one_name, of_short_names};
use super::path_of;

/// Declarations that a question points at.
const MAX: usize = 12;
/// A message that stands in more places points at none of them.
const MAX_OF_A_MESSAGE: usize = 3;
/// Words of a message that have to stand in the code in a row.
const LEAST_WORDS: usize = 3;
/// Characters of them.
const LEAST_LENGTH: usize = 14;
/// Places of a text that are looked at for the words that begin a message.
const MAX_PLACES_OF_A_RUN: usize = 8;
/// Words in a row that are a message wherever they stand, if they are most of a line.
const MANY_WORDS: usize = 6;
/// Words that are looked for.
const MAX_WORDS: usize = 64;

/// What a question points at.
#[derive(Debug, Default)]
pub(super) struct QuestionTargets {
    /// Declarations, the most telling first.
    pub(super) places: Vec<NamedPlace>,
    /// Paths of files.
    pub(super) files: Vec<String>,
    /// Whether the declarations are those of frames of a stack.
    is_of_frames: bool,
}

impl QuestionTargets {
    /// Whether tests are wanted: a frame of the stack is in one, or what is named is declared in one first.
    pub(super) fn are_tests(&self) -> bool {
        let is_test = |place: &NamedPlace| Role::of_path(&place.path) == Role::Test;
        match self.is_of_frames {
            true => self.places.iter().any(is_test),
            false => self.places.first().is_some_and(is_test),
        }
    }
}

/// The declarations that the question's places are in, else those that it names, and the files that it names.
pub(super) fn pointed_at(view: &AnalysisView<'_>, text: &str) -> QuestionTargets {
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
    if !places.is_empty() {
        return QuestionTargets {
            places,
            is_of_frames: true,
            ..QuestionTargets::default()
        };
    }
    places = of_one_name(view, text);
    if places.is_empty() {
        places = of_short_names(view, text);
    }
    places.truncate(MAX);
    QuestionTargets {
        places,
        files: files(view, text),
        is_of_frames: false,
    }
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
    let begins = match words.as_slice() {
        [first, second, ..] => {
            TESTS.contains(&first.as_str()) && ["of", "for", "that"].contains(&second.as_str())
        }
        _ => false,
    };
    words.len() <= 12 && (begins || has(&TESTS) && has(&ASKS))
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
    if best.len() > MAX_OF_A_MESSAGE {
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

/// The longest run of neighbouring words that a text has as a message, in characters, and where: between quotation marks,
/// or of nearly all of the words. A few words that a comment has too are no message.
fn longest_run(words: &[&str], text: &str) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut from = 0;
    while from + LEAST_WORDS <= words.len() {
        let least = words[from..from + LEAST_WORDS].join(" ");
        let mut longest = LEAST_WORDS;
        let found = memchr::memmem::find_iter(text.as_bytes(), least.as_bytes());
        for at in found.take(MAX_PLACES_OF_A_RUN) {
            let (count, length) = run_at(&words[from..], &text[at..]);
            longest = longest.max(count);
            let is_line = count == words.len();
            let is_most = count >= MANY_WORDS && 10 * count >= 7 * words.len();
            let is_message = is_line || is_most || is_in_string(text, at);
            let is_longer = best.is_none_or(|(known, _)| length > known);
            if length >= LEAST_LENGTH && is_message && is_longer {
                best = Some((length, at));
            }
        }
        from += longest - LEAST_WORDS + 1;
    }
    best
}

/// How many words a text begins with, a blank between two, and how many bytes these are.
fn run_at(words: &[&str], text: &str) -> (usize, usize) {
    let (mut count, mut length) = (0, 0);
    for word in words {
        let blank = usize::from(count > 0);
        let rest = text.get(length..).unwrap_or("");
        let rest = match blank {
            0 => Some(rest),
            _ => rest.strip_prefix(' '),
        };
        if rest.is_none_or(|rest| !rest.starts_with(word)) {
            break;
        }
        count += 1;
        length += blank + word.len();
    }
    (count, length)
}

/// Whether a place is behind a quotation mark that its line has opened, and in no comment of lines.
fn is_in_string(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = text[start..at].trim_start();
    let is_comment = ["//", "/*", "*", "# ", "--"]
        .iter()
        .any(|mark| before.starts_with(mark));
    let is_open = |mark: char| before.matches(mark).count() % 2 == 1;
    !is_comment && ['"', '\'', '`'].into_iter().any(is_open)
}

/// The place of a declaration.
pub(super) fn place_of(view: &AnalysisView<'_>, file: &IndexedFile, item: &Item) -> NamedPlace {
    NamedPlace {
        path: path_of(view, file.root, &file.path),
        name_at: item.name_byte,
    }
}

/// The innermost declaration that is none of running code.
pub(super) fn innermost(file: &IndexedFile, is_around: impl Fn(&Item) -> bool) -> Option<&Item> {
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

    /// The declaration around a place: the function that the frame names, else the innermost one around the line.
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
        let text = "// the cart was never opened before\nlet message = \"the cart was never opened before\";";
        let asked = "why is the cart was never opened before reported for all the others";
        let asked: Vec<&str> = asked.split(' ').collect();
        let (_, at) = longest_run(&asked, text).unwrap();
        assert!(at > 40, "a comment is no message");
        let words: Vec<&str> = "how the cart was never opened again by whom"
            .split(' ')
            .collect();
        assert_eq!(longest_run(&words, &text[..36]), None);
    }

    #[test]
    fn who_asks_for_tests_is_known() {
        for text in [
            "which tests cover teardown",
            "what specs exercise the cart",
            "Test coverage of url_for",
            "tests for the cart",
        ] {
            assert!(asks_for_tests(text), "{text}");
        }
        for text in [
            "the tests fail since the last release",
            "which function opens a cart",
            "latest cover",
            "test client of the shop",
        ] {
            assert!(!asks_for_tests(text), "{text}");
        }
    }
}
