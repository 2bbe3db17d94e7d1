//! Files that are cut anywhere, of every grammar's language: each comes back from being read whole, from being sampled,
//! and from an edit, whose excerpt is read (SPEC P5). `CODECORTEX_CUT_SECONDS` has it go on for so long, with other cuts
//! each time.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stderr,
    reason = "a test that watches a clock and says what it found, and its fixtures are files"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use codecortex_syntax::{
    IncrementalReader, LANGUAGES, Language, Limits, Outcome, SkipReason, analyse, comparisons,
    language_of_path,
};
use codecortex_text::{LineIndex, TextDocument};

const LIMITS: Limits = Limits {
    max_file_size: 1 << 20,
    exclude_generated: false,
};

/// Texts of each language in a short run.
const TEXTS: usize = 40;

/// No text here takes this long on the slowest machine: what does, hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Longer texts are cut from.
const LONGEST: usize = 6_000;

/// What scanners by hand look for: what begins, divides or ends a token that is more than a word.
const TOKENS: &[&str] = &[
    "@",
    "$",
    "${",
    "\"",
    "'",
    "`",
    "\"\"\"",
    "'''",
    "r#\"",
    "\"#",
    "<<X\n",
    "<<~\"",
    "<<<X\n",
    "<<-'",
    "%w(",
    "%q{",
    "#{",
    "@(",
    "@[",
    "/*",
    "*/",
    "/**",
    "//",
    "--[[",
    "[==[",
    "]]",
    "]==]",
    "{-",
    "=begin\n",
    "=end\n",
    "__END__\n",
    "\\",
    "\\\n",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "  ",
    "\u{feff}",
    "\0",
    "é",
    "\u{2028}",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "</",
    "/>",
    "=>",
    "->",
    "|",
    "||",
    "&&",
    "!",
    "!is",
    "?",
    "?.",
    ";",
    ":",
    "::",
    ",",
    ".",
    "..",
    "#",
    "#if X\n",
    "#endif\n",
    "~",
    "^",
    "set(",
    "get",
    "in ",
    "else",
    "constructor",
    "import ",
    "do\n",
    "end\n",
    "case x",
    "~S\"",
    "s\"",
    "f\"{",
    "R\"a(",
    ")a\"",
    "<script>",
    "<?php ",
    "?>",
    "$((",
    "$(",
    "esac\n",
    "let x = /",
    "template<",
    "async",
    "await ",
    "yield",
];

/// Numbers that look like chance and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A stretch of a text, which may be all of it.
    fn stretch<'t>(&mut self, text: &'t str) -> &'t str {
        let ends = [self.below(text.len() + 1), self.below(text.len() + 1)];
        let (from, to) = match self.below(4) {
            0 => (0, text.len()),
            1 => (0, ends[0]),
            _ => (ends[0].min(ends[1]), ends[0].max(ends[1])),
        };
        let to = to.min(from + LONGEST);
        &text[text.floor_char_boundary(from)..text.floor_char_boundary(to)]
    }

    /// A text of parts of others, with tokens where none belong.
    fn text(&mut self, files: &[&str]) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(2) {
            let file = self.of(files);
            text.push_str(self.stretch(file));
        }
        for _ in 0..self.below(4) {
            let at = match self.below(3) {
                0 => text.len(),
                _ => text.floor_char_boundary(self.below(text.len() + 1)),
            };
            text.insert_str(at, self.of(TOKENS));
        }
        text
    }
}

/// The fixtures of this crate and of the one that resolves names, by language.
fn files() -> BTreeMap<Language, Vec<String>> {
    let mut files: BTreeMap<Language, Vec<String>> = BTreeMap::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folders in ["tests/fixtures", "../resolve/tests/fixtures"] {
        for folder in fs::read_dir(here.join(folders)).unwrap() {
            let folder = folder.unwrap().path();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let of_folder = LANGUAGES.iter().find(|row| row.id == name);
            let mut paths: Vec<_> = (fs::read_dir(&folder).unwrap())
                .map(|file| file.unwrap().path())
                .collect();
            paths.sort();
            for path in paths {
                let own = language_of_path(&path.to_string_lossy());
                let of_text = path
                    .extension()
                    .is_some_and(|end| end == "txt")
                    .then_some(of_folder);
                let language = own.or(of_text.flatten().map(|row| row.language));
                if let Some(language) = language {
                    let text = fs::read_to_string(&path).unwrap();
                    files.entry(language).or_default().push(text);
                }
            }
        }
    }
    files
}

/// Reads a text in every way. Whether it was too much for the parser.
fn read(language: Language, text: &str, edit: (usize, &str)) -> bool {
    let path = format!("src/file.{}", language.info().extensions[0]);
    let outcome = analyse(&path, text.as_bytes(), LIMITS);
    std::hint::black_box(comparisons(language, text));
    let (_, reader) = IncrementalReader::open(&path, text, LIMITS);
    if let (Outcome::Facts(facts), Some(mut reader)) = (&outcome, reader) {
        let mut document = TextDocument::new(text);
        let at = LineIndex::new(text).position(text.floor_char_boundary(edit.0) as u32, text);
        reader.edit(&document.apply(at, at, edit.1));
        reader.read(&document.text(), Some(facts));
    }
    matches!(outcome, Outcome::Skipped(SkipReason::TooComplex))
}

/// What a thread does that may hang: a language, a text and an edit in, whether it was too much out.
struct Watched {
    work: Sender<(Language, String, usize, &'static str)>,
    done: Receiver<bool>,
}

impl Watched {
    fn start() -> Self {
        let (work, texts) = channel::<(Language, String, usize, &'static str)>();
        let (send, done) = channel();
        std::thread::Builder::new()
            .stack_size(16 << 20)
            .spawn(move || {
                for (language, text, at, new) in texts {
                    let _ = send.send(read(language, &text, (at, new)));
                }
            })
            .unwrap();
        Self { work, done }
    }

    fn read(&self, language: Language, text: &str, at: usize, new: &'static str) -> bool {
        let work = (language, text.to_owned(), at, new);
        self.work.send(work).unwrap();
        let done = self.done.recv_timeout(PATIENCE);
        done.unwrap_or_else(|error| panic!("{language:?}: {error} at {at} + {new:?} of {text:?}"))
    }
}

#[test]
fn every_cut_file_comes_back() {
    let files = files();
    let seconds = std::env::var("CODECORTEX_CUT_SECONDS").ok();
    let seconds: Option<u64> = seconds.and_then(|seconds| seconds.parse().ok());
    let watched = Watched::start();
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    if seconds.is_some() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        chance.0 ^= now.as_nanos() as u64;
    }
    for row in &LANGUAGES {
        let language = row.language;
        let files: Vec<&str> = files[&language].iter().map(String::as_str).collect();
        let share = seconds.map(|all| Duration::from_secs(all) / LANGUAGES.len() as u32);
        let (begun, mut count, mut too_much) = (Instant::now(), 0, 0);
        while share.map_or(count < TEXTS, |share| begun.elapsed() < share) {
            let text = chance.text(&files);
            let at = chance.below(text.len() + 1);
            let is_too_much = watched.read(language, &text, at, chance.of(TOKENS));
            if is_too_much && seconds.is_some() {
                eprintln!("{language:?} is too much: {text:?}");
            }
            too_much += usize::from(is_too_much);
            count += 1;
        }
        if seconds.is_some() {
            eprintln!("{language:?}: {count} texts, {too_much} too much for the parser");
        }
    }
}
