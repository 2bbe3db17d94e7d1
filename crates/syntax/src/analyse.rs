//! A file's bytes to facts, or the reason why there are none (SPEC P2, P5).

use codecortex_bind::encode;
use codecortex_text::{Decoded, Encoding, decode};
use serde::{Deserialize, Serialize};

use crate::bindings::dialect;
use crate::digest::content_hash;
use crate::facts::Facts;
use crate::generated::{is_generated, is_minified};
use crate::language::{Language, detect, is_action_script};
use crate::parser::parse_unambiguous;
use crate::parser_input::without_ambiguities;
use crate::text_bindings::bindings_of_text;
use crate::tree_facts::{With, facts_with};

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
    /// Its grammar does not parse it in bounded time: it is too ambiguous, or the grammar does not come to an end.
    TooComplex,
    /// ActionScript, of which files end as those of AngelScript do.
    ActionScript,
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
            Self::ActionScript => "actionScript",
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
        facts.cosmetic = encoding_digest(&decoded, bytes);
    }
    outcome
}

const MARKED_UTF_8: &[u8] = b"byte order mark";
const MARKED_UTF_16LE: &[u8] = b"utf-16le, marked";
const UTF_16LE: &[u8] = b"utf-16le";
const MARKED_UTF_16BE: &[u8] = b"utf-16be, marked";
const UTF_16BE: &[u8] = b"utf-16be";
const WINDOWS_1252: &[u8] = b"windows-1252";

/// What the bytes of a file say besides its text; zeros for plain UTF-8.
fn encoding_digest(decoded: &Decoded<'_>, bytes: &[u8]) -> [u8; 16] {
    match decoded.encoding {
        Encoding::Utf8 if decoded.text.len() == bytes.len() => [0; 16],
        Encoding::Utf8 => content_hash(MARKED_UTF_8),
        Encoding::Utf16Le if bytes.starts_with(b"\xff\xfe") => content_hash(MARKED_UTF_16LE),
        Encoding::Utf16Le => content_hash(UTF_16LE),
        Encoding::Utf16Be if bytes.starts_with(b"\xfe\xff") => content_hash(MARKED_UTF_16BE),
        Encoding::Utf16Be => content_hash(UTF_16BE),
        // What cannot be read is not in the text.
        Encoding::Utf8Lossy => content_hash(bytes),
        Encoding::Windows1252 => content_hash(WINDOWS_1252),
    }
}

impl Facts {
    /// What the file is encoded in, where that is not UTF-8.
    #[must_use]
    pub fn encoding(&self) -> Option<&'static str> {
        let of = |encoding: Encoding, marks: &[&[u8]]| {
            let is_it = marks.iter().any(|mark| content_hash(mark) == self.cosmetic);
            is_it.then(|| encoding.as_str())
        };
        if self.cosmetic == [0; 16] || of(Encoding::Utf8, &[MARKED_UTF_8]).is_some() {
            return None;
        }
        of(Encoding::Utf16Le, &[MARKED_UTF_16LE, UTF_16LE])
            .or_else(|| of(Encoding::Utf16Be, &[MARKED_UTF_16BE, UTF_16BE]))
            .or_else(|| of(Encoding::Windows1252, &[WINDOWS_1252]))
            .or(Some(Encoding::Utf8Lossy.as_str()))
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
    if language == Language::AngelScript && is_action_script(text) {
        return Outcome::Skipped(SkipReason::ActionScript);
    }
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
    let (readable, ambiguities) = without_ambiguities(language, text);
    match parse_unambiguous(language, &readable, None).and_then(|tree| {
        let with = With {
            hash,
            bindings: true,
        };
        facts_with(language, text, &readable, &tree, with)
    }) {
        Some(mut facts) => {
            facts.syntax_errors = facts.syntax_errors.saturating_add(ambiguities);
            Outcome::Facts(facts)
        }
        None => Outcome::Skipped(SkipReason::TooComplex),
    }
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
