//! A file's bytes to facts, or the reason why there are none (SPEC P2, P5).

use std::borrow::Cow;

use codecortex_bind::encode;
use codecortex_text::{Decoded, Encoding, decode};
use serde::{Deserialize, Serialize};
use tree_sitter::Tree;
use xxhash_rust::xxh3::xxh3_128;

use crate::bindings::{bindings_of_text, dialect};
use crate::ending::{ended, is_aligned};
use crate::facts::Bound;
use crate::language::detect;
use crate::macro_items::with_macro_items;
use crate::parse::parse_untangled;
use crate::repair::{Errors, Repaired, repaired, repaired_macros};
use crate::spec::Spec;
use crate::tangle::knots;
use crate::walk::{Trace, walk};
use crate::{FACTS_VERSION, Facts, Language, mask, parse, spec};

/// What a host lets in.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Larger files are left out; bytes.
    pub max_file_size: u32,
    /// Whether generated code is left out.
    pub exclude_generated: bool,
}

/// Why a file or folder is not in the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SkipReason {
    /// A `.gitignore`, `.ignore` or `.git/info/exclude` says so.
    Ignored,
    /// The user's settings say so.
    Excluded,
    /// A folder of dependencies, build output or version control.
    Tooling,
    /// No language of ours.
    UnknownLanguage,
    /// The grammar is not in this build.
    GrammarLeftOut,
    /// Not text.
    Binary,
    /// Written by a program.
    Generated,
    /// Written by a minifier: lines of thousands of characters.
    Minified,
    /// Above the size limit.
    Oversized,
    /// A link; what it leads to is indexed where it is.
    Symlink,
    /// A pipe, socket or device.
    NotAFile,
    /// Too ambiguous for its grammar to parse in bounded time.
    TooComplex,
    /// The host could not read it; what it said.
    Unreadable(String),
}

impl SkipReason {
    /// The word in answers.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Ignored => "ignored",
            Self::Excluded => "excluded",
            Self::Tooling => "tooling",
            Self::UnknownLanguage => "unknownLanguage",
            Self::GrammarLeftOut => "grammarLeftOut",
            Self::Binary => "binary",
            Self::Generated => "generated",
            Self::Minified => "minified",
            Self::Oversized => "oversized",
            Self::Symlink => "symlink",
            Self::NotAFile => "notAFile",
            Self::TooComplex => "tooComplex",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

/// What analysing a file gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "nearly every outcome is facts")]
pub enum Outcome {
    /// Its facts.
    Facts(Facts),
    /// It is generated and left out: nothing of it is shown. What its names are, for who follows them into it.
    Names(Facts),
    /// Why it has none.
    Skipped(SkipReason),
}

/// Analyses a file. `path` serves for its ending alone.
#[must_use]
pub fn analyse(path: &str, bytes: &[u8], limits: Limits) -> Outcome {
    if bytes.len() > limits.max_file_size as usize {
        return Outcome::Skipped(SkipReason::Oversized);
    }
    let Ok(decoded) = decode(bytes) else {
        return Outcome::Skipped(SkipReason::Binary);
    };
    let hash = content_hash(bytes);
    let mut outcome = analyse_decoded(path, &decoded.text, hash, limits, bound_names);
    if let Outcome::Facts(facts) | Outcome::Names(facts) = &mut outcome {
        facts.looks = looks(&decoded, bytes);
    }
    outcome
}

/// What the bytes of a file say besides its text; zeros for plain UTF-8.
fn looks(decoded: &Decoded<'_>, bytes: &[u8]) -> [u8; 16] {
    match decoded.encoding {
        Encoding::Utf8 if decoded.text.len() == bytes.len() => [0; 16],
        Encoding::Utf8 => content_hash(b"byte order mark"),
        Encoding::Utf16Le if bytes.starts_with(b"\xff\xfe") => content_hash(b"utf-16le, marked"),
        Encoding::Utf16Le => content_hash(b"utf-16le"),
        Encoding::Utf16Be if bytes.starts_with(b"\xfe\xff") => content_hash(b"utf-16be, marked"),
        Encoding::Utf16Be => content_hash(b"utf-16be"),
        // What cannot be read is not in the text.
        Encoding::Utf8Lossy => content_hash(bytes),
    }
}

/// Analyses text that an editor holds.
#[must_use]
pub fn analyse_text(path: &str, text: &str, limits: Limits) -> Outcome {
    if text.len() > limits.max_file_size as usize {
        return Outcome::Skipped(SkipReason::Oversized);
    }
    // Of generated code the names are bound when somebody asks: it is read whole for them, and this is asked after
    // each burst of typing.
    let later = |_: &str, _: &str| Some(Vec::new());
    analyse_decoded(path, text, content_hash(text.as_bytes()), limits, later)
}

/// Bindings of generated code, as they are kept.
fn bound_names(path: &str, text: &str) -> Option<Vec<u8>> {
    bindings_of_text(path, text).map(encode)
}

fn analyse_decoded(
    path: &str,
    text: &str,
    hash: [u8; 16],
    limits: Limits,
    bound_names: impl Fn(&str, &str) -> Option<Vec<u8>>,
) -> Outcome {
    let Some(language) = detect(path, text) else {
        return Outcome::Skipped(SkipReason::UnknownLanguage);
    };
    match left_out(path, text, limits) {
        Some(SkipReason::Generated) => {
            // People write against it, and without its names theirs lead nowhere.
            let is_followed = dialect(language).is_resolved() && !is_minified(text);
            let names = is_followed.then(|| bound_names(path, text)).flatten();
            return names.map_or(Outcome::Skipped(SkipReason::Generated), |names| {
                Outcome::Names(Facts::of_names(language, hash, names))
            });
        }
        Some(reason) => return Outcome::Skipped(reason),
        None => {}
    }
    if language.grammar().is_none() {
        return Outcome::Skipped(SkipReason::GrammarLeftOut);
    }
    let (readable, knots) = untangled(language, text);
    match parse_untangled(language, &readable, None).and_then(|tree| {
        let with = With {
            hash,
            bindings: true,
        };
        facts_with(language, text, &readable, &tree, with)
    }) {
        Some(mut facts) => {
            facts.syntax_errors = facts.syntax_errors.saturating_add(knots);
            Outcome::Facts(facts)
        }
        None => Outcome::Skipped(SkipReason::TooComplex),
    }
}

/// `text` as its parser sees it, with blanks for what the grammar cannot know or not decide: same
/// length, same offsets.
#[must_use]
pub fn as_parsed(language: Language, text: &str) -> Cow<'_, str> {
    untangled(language, text).0
}

/// [`as_parsed`], and how many stretches of it the grammar could not decide about.
fn untangled(language: Language, text: &str) -> (Cow<'_, str>, u16) {
    let readable = mask::readable(language, text);
    let knots = knots(language, &readable);
    if knots.is_empty() {
        return (readable, 0);
    }
    let blanked = mask::blank(&readable, &knots).into_owned();
    (Cow::Owned(blanked), knots.len().min(u16::MAX.into()) as u16)
}

/// The facts of a text whose tree is at hand. `None` where this build lacks the grammar.
#[must_use]
pub fn facts_of_tree(language: Language, text: &str, tree: &Tree) -> Option<Facts> {
    let with = With {
        hash: content_hash(text.as_bytes()),
        bindings: false,
    };
    match mask::readable(language, text) {
        Cow::Borrowed(_) => facts_with(language, text, text, tree, with),
        // The tree is of the text as it is; what the facts need is one without its macros.
        Cow::Owned(readable) => {
            let tree = parse(language, &readable, None)?;
            facts_with(language, text, &readable, &tree, with)
        }
    }
}

/// What is known of a text before it is walked, and what is wanted of it.
#[derive(Clone, Copy)]
struct With {
    /// Of its bytes.
    hash: [u8; 16],
    /// Whether its bindings are made.
    bindings: bool,
}

/// `readable` is `text` as it was parsed.
fn facts_with(
    language: Language,
    text: &str,
    readable: &str,
    tree: &Tree,
    with: With,
) -> Option<Facts> {
    let spec = spec::spec(language)?;
    let unwrapped = with_macro_items(language, readable, tree);
    let (unwrapped, last) = match &unwrapped {
        Some((readable, tree)) => (readable.as_str(), tree),
        None => (readable, tree),
    };
    let read = AsRead {
        readable: unwrapped,
        tree: last,
        syntax_errors: Errors::of(readable, tree).count,
        hash: with.hash,
    };
    let mended = read.mended(language, text, None);
    let last = mended.as_ref().map_or(last, |(_, tree)| tree);
    let (mut facts, _) = read.facts(spec, text, mended.as_ref());
    if with.bindings {
        let bindings = crate::bindings::bound(spec, text, unwrapped, last, &facts);
        facts.bindings = Bound(encode(bindings).into());
    }
    Some(facts)
}

/// A text as it was parsed last, with its tree.
pub(crate) struct AsRead<'a> {
    pub(crate) readable: &'a str,
    pub(crate) tree: &'a Tree,
    /// Places that the grammar could not make sense of at first.
    pub(crate) syntax_errors: u16,
    /// Of the bytes of the text as it is.
    pub(crate) hash: [u8; 16],
}

impl AsRead<'_> {
    /// The same with what was left open closed, if that helps.
    fn mended(&self, language: Language, text: &str, known: Option<Repaired>) -> Repaired {
        let mended = known.unwrap_or_else(|| {
            let errors = Errors::of(self.readable, self.tree);
            repaired(language, self.readable, self.tree, errors)
        });
        repaired_macros(language, mended).filter(|(_, tree)| is_aligned(tree, text))
    }

    fn facts(
        &self,
        spec: &'static Spec,
        text: &str,
        mended: Option<&(String, Tree)>,
    ) -> (Facts, Option<Trace>) {
        let (readable, tree) = match mended {
            Some((readable, tree)) => (readable.as_str(), tree),
            None => (self.readable, self.tree),
        };
        let (mut facts, trace) = walk(spec, text, tree, self.hash);
        let mut trace = Some(trace).filter(|_| mended.is_none());
        if let Some(ended) = ended(spec, text, readable, tree, &facts) {
            facts = ended;
            trace = None;
        }
        facts.syntax_errors = self.syntax_errors;
        (facts, trace)
    }
}

/// The facts of a text that was parsed, and what reading parts of it again needs: nothing where it is
/// mended before it is read. `known` is what [`repaired`] gave of it, where it was asked.
pub(crate) fn facts_as_read(
    spec: &'static Spec,
    text: &str,
    read: &AsRead<'_>,
    known: Option<Repaired>,
) -> (Facts, Option<Trace>) {
    let mended = read.mended(spec.language, text, known);
    read.facts(spec, text, mended.as_ref())
}

/// What [`Facts::hash`] is of a file's bytes. It tells texts apart and proves nothing, so it is the fast
/// kind: a keystroke hashes all of its text.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> [u8; 16] {
    xxh3_128(bytes).to_be_bytes()
}

/// File name endings of generated code. Go has none: its tools say so in the file, and `state_string.go` is as often
/// written by a person.
const GENERATED_NAMES: [&str; 14] = [
    ".g.cs",
    ".g.i.cs",
    ".designer.cs",
    ".generated.cs",
    ".assemblyinfo.cs",
    ".assemblyattributes.cs",
    ".generated.ts",
    ".gen.ts",
    "_pb2.py",
    "_pb2_grpc.py",
    "_pb2.pyi",
    ".pb.cc",
    ".pb.h",
    ".generated.h",
];

/// What generators write at the head of a file.
const GENERATED_MARKS: [&str; 6] = [
    "<auto-generated",
    "<autogenerated",
    "@generated",
    "code generated by",
    "do not edit!",
    "this file was automatically generated",
];

fn is_generated(path: &str, text: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    if GENERATED_NAMES.iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    head_comments(text).any(|line| {
        let line = line.to_ascii_lowercase();
        GENERATED_MARKS.iter().any(|mark| line.contains(mark))
    })
}

/// The comment lines before a file's first code: what is said further down, or in a string, is not
/// about the file.
fn head_comments(text: &str) -> impl Iterator<Item = &str> {
    let head = &text[..text.floor_char_boundary(4096)];
    let mut in_block = false;
    head.lines()
        .take(40)
        .map(str::trim)
        .take_while(move |line| {
            let starts_block = line.starts_with("/*");
            let is_comment = ["//", "#", "--", "<!--"]
                .iter()
                .any(|marker| line.starts_with(marker));
            let belongs = in_block || starts_block || is_comment || line.is_empty();
            in_block = (in_block || starts_block) && !line.contains("*/");
            belongs
        })
}

/// Whether a text is too large, or not written by a person.
#[must_use]
pub fn is_left_out(path: &str, text: &str, limits: Limits) -> bool {
    text.len() > limits.max_file_size as usize || left_out(path, text, limits).is_some()
}

fn left_out(path: &str, text: &str, limits: Limits) -> Option<SkipReason> {
    if limits.exclude_generated && is_generated(path, text) {
        Some(SkipReason::Generated)
    } else {
        is_minified(text).then_some(SkipReason::Minified)
    }
}

/// Lines that nobody writes: a mean above 400 bytes in anything of some size.
fn is_minified(text: &str) -> bool {
    const SMALLEST: usize = 16 * 1024;
    const MEAN_LINE: usize = 400;
    // Lines are counted up to where they are enough: this is asked after each keystroke.
    let enough = text.len() / (MEAN_LINE + 1);
    let lines = || {
        memchr::memchr_iter(b'\n', text.as_bytes())
            .take(enough)
            .count()
            + 1
    };
    text.len() >= SMALLEST && lines() <= enough
}

/// An outcome as bytes, for workers and caches.
#[must_use]
pub fn encode_outcome(outcome: &Outcome) -> Vec<u8> {
    // Postcard fails on nothing that these types can hold; an empty answer decodes as unreadable.
    postcard::to_allocvec(&(FACTS_VERSION, outcome)).unwrap_or_default()
}

/// The outcome of [`encode_outcome`]'s bytes; `None` for bytes of another version and for damaged ones.
#[must_use]
pub fn decode_outcome(bytes: &[u8]) -> Option<Outcome> {
    let (version, rest): (u32, &[u8]) = postcard::take_from_bytes(bytes).ok()?;
    if version != FACTS_VERSION {
        return None;
    }
    let outcome = postcard::from_bytes(rest).ok()?;
    match &outcome {
        Outcome::Facts(facts) | Outcome::Names(facts) if !facts.is_sound() => None,
        _ => Some(outcome),
    }
}

/// Facts as bytes without their bindings, for caches that keep these by themselves.
#[must_use]
pub fn encode_facts(facts: &Facts) -> Vec<u8> {
    let facts = Facts {
        bindings: Bound::default(),
        ..facts.clone()
    };
    // Postcard fails on nothing that these types can hold; an empty answer decodes as no facts.
    postcard::to_allocvec(&facts).unwrap_or_default()
}

/// The facts of [`encode_facts`]'s bytes; `None` for damaged ones. They must be of this [`FACTS_VERSION`].
#[must_use]
pub fn decode_facts(bytes: &[u8]) -> Option<Facts> {
    let facts: Facts = postcard::from_bytes(bytes).ok()?;
    facts.is_sound().then_some(facts)
}
