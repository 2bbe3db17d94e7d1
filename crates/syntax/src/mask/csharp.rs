//! Conditional directives where C#'s grammar knows none: within arguments, initialisers, bases, labels of a
//! `switch`, modifiers, or around half a statement.
//!
//! Between whole statements and declarations the grammar takes `#if`, and both arms stay as they are.
//! Elsewhere the directives are blanked. What is in a group with one arm stays, since it has to fit where its
//! condition holds; so do arms that are elements of a list. Of others a text is made that has all of them, where
//! one is known (`csharp_arms.rs`); else the first stays.

use std::borrow::Cow;
use std::ops::Range;

use super::csharp_arms::{self, Join, is_value};
use super::csharp_tokens::{Token, Word, tokens};
use super::{blank, csharp_pointers, csharp_spelling, lines_around};
use crate::change::Change;
use crate::reparse::{is_word, word_around};

/// A text with what its grammar cannot read of directives, pointers and texts blanked, and arms joined.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    csharp_spelling::without(csharp_pointers::without(without_directives(text)))
}

fn without_directives(text: &str) -> Cow<'_, str> {
    let mut mended = directives(text);
    let joints: Vec<Blank> = mended
        .extract_if(.., |blank| !blank.put.is_empty())
        .collect();
    let ranges: Vec<Range<usize>> = mended.into_iter().map(|blank| blank.range).collect();
    if joints.is_empty() {
        return blank(text, &ranges);
    }
    let mut readable = blank(text, &ranges).into_owned();
    for Blank { range, put } in joints {
        let width = range.len();
        readable.replace_range(range, &format!("{put:<width$}"));
    }
    Cow::Owned(readable)
}

/// What is blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blank {
    /// Where, in one line if something is put there.
    pub(super) range: Range<usize>,
    /// What is put at its beginning.
    pub(super) put: &'static str,
}

impl Blank {
    fn nothing(range: Range<usize>) -> Self {
        Self { range, put: "" }
    }
}

/// Deeper than this nobody writes.
const DEEPEST: usize = 64;

/// What to blank of a text's directives.
pub(super) fn directives(text: &str) -> Vec<Blank> {
    if !has_directives(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let mut scan = Scan {
        text,
        tokens: &tokens,
        out: Vec::new(),
    };
    let mut state = State::default();
    let mut at = 0;
    while at < tokens.len() {
        // A directive that closes nothing is left to the parser.
        at = scan.run(at, &mut state, 0) + 1;
    }
    let mut out = scan.out;
    out.sort_by_key(|blank| blank.range.start);
    out
}

/// Words by which [`Scan`] tells what a bracket or a token stands for.
const WORDS: [&str; 25] = [
    "new",
    "enum",
    "stackalloc",
    "class",
    "struct",
    "interface",
    "record",
    "switch",
    "with",
    "is",
    "case",
    "not",
    "and",
    "or",
    "default",
    "else",
    "catch",
    "finally",
    "get",
    "set",
    "init",
    "add",
    "remove",
    "public",
    "if",
];

/// Whether what a text has to blank is what the text before had, at most moved: where letters of a word came or
/// went that is in no directive and none of [`WORDS`], before or now.
pub(super) fn keeps(before: &str, text: &str, change: Change) -> bool {
    let is_plain = |text: &str, bytes: Range<usize>| -> Option<bool> {
        let around = word_around(text, bytes.clone())?;
        let line = memchr::memrchr(b'\n', &text.as_bytes()[..bytes.start]);
        let line = line.map_or(0, |end| end + 1);
        let is_inside = around.start < bytes.start && bytes.end < around.end;
        let is_code = !text.get(line..bytes.start)?.trim_start().starts_with('#');
        let word = text.get(around)?;
        let is_known = WORDS.contains(&word)
            || csharp_arms::decides(word)
            || csharp_pointers::decides(word)
            || csharp_spelling::decides(word);
        Some(is_inside && is_code && is_word(word) && !is_known)
    };
    is_plain(before, change.replaced()) == Some(true)
        && is_plain(text, change.inserted()) == Some(true)
}

/// Whether a text may have something to blank.
pub(super) fn may_blank(text: &str) -> bool {
    has_directives(text) || csharp_pointers::may_have(text) || csharp_spelling::may_have(text)
}

/// Whether a text may have a directive to blank: a condition, or a line that the grammar cannot read.
/// Regions and the like it can, and they are in most files with directives.
fn has_directives(text: &str) -> bool {
    memchr::memchr_iter(b'#', text.as_bytes()).any(|at| {
        let rest = text[at + 1..].trim_start();
        let is_last_line = memchr::memchr(b'\n', &text.as_bytes()[at..]).is_none();
        is_last_line
            || ["if", "pragma", ":"]
                .iter()
                .any(|word| rest.starts_with(word))
    })
}

/// Whether a text has nothing of what [`may_blank`] looks for, as it had before an edit brought some bytes.
pub(super) fn stays_readable(text: &str, new: Range<usize>) -> bool {
    let lines = lines_around(text, new);
    let before = text[..lines.start].trim_end(); // a directive's word may be in another line
    !before.ends_with('#')
        && memchr::memchr(b'#', &text.as_bytes()[lines.clone()]).is_none()
        && !csharp_pointers::may_have(&text[lines.clone()])
        && !csharp_spelling::may_bring(&text[lines])
}

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// Statements or declarations.
    Block,
    /// Arguments, what an index is.
    List,
    /// Elements in braces: of an initialiser, a `switch` that is an expression, an enumeration.
    Elements,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) open: Vec<Bracket>,
    /// The token before; nothing at the start.
    pub(super) before: Option<usize>,
    /// Whether something is being made since the last statement or bracket began, so that a brace opens a list.
    makes: bool,
    /// The same outside of each open bracket.
    made: Vec<bool>,
}

/// One arm of a group.
pub(super) struct Arm {
    /// The directive that begins it.
    directive: usize,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// Brackets are as they were before it.
    pub(super) is_balanced: bool,
    /// What was found in it, in the list of what is blanked.
    out: Range<usize>,
    pub(super) after: State,
}

pub(super) struct Scan<'t> {
    text: &'t str,
    pub(super) tokens: &'t [Token],
    out: Vec<Blank>,
}

impl Scan<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        &self.text[self.tokens[at].range.clone()]
    }

    /// Reads on until a directive ends what this began in; says where that stands.
    fn run(&mut self, from: usize, state: &mut State, depth: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token.word {
                Word::If if depth < DEEPEST => at = self.group(at, state, depth),
                Word::Elif | Word::Else | Word::Endif => return at,
                Word::Unreadable => self.out.push(Blank::nothing(token.range.clone())),
                Word::If | Word::Directive => {}
                Word::Code => self.code(at, state),
            }
            at += 1;
        }
        at
    }

    fn code(&self, at: usize, state: &mut State) {
        match self.word(at) {
            "(" | "[" => {
                state.open.push(Bracket::List);
                state.made.push(std::mem::take(&mut state.makes));
            }
            "{" => {
                state.open.push(self.brace(state));
                state.made.push(false);
                state.makes = false;
            }
            ")" | "]" | "}" => {
                state.open.pop();
                state.makes = state.made.pop().unwrap_or_default();
            }
            ";" => state.makes = false,
            "new" | "enum" | "stackalloc" => state.makes = true,
            "=>" | "class" | "struct" | "interface" | "record" => state.makes = false,
            // `new T Name`: what is declared is new, not what follows.
            word if state.makes && is_value(word) && self.is_name_behind_type(state) => {
                state.makes = false;
            }
            _ => {}
        }
        state.before = Some(at);
    }

    /// What a brace opens.
    fn brace(&self, state: &State) -> Bracket {
        let before = state.before.map_or("", |at| self.word(at));
        match before {
            "=" | "," | "(" | "[" | "switch" | "with" | "is" | "case" | "??" | "not" | "and"
            | "or" => Bracket::Elements,
            "{" if is_list(state) => Bracket::Elements,
            _ if state.makes && !self.is_constraint(state) => Bracket::Elements,
            _ => Bracket::Block,
        }
    }

    /// Whether a name here is one that is declared: a type stands before it.
    fn is_name_behind_type(&self, state: &State) -> bool {
        let before = state.before.map_or("", |at| self.word(at));
        !matches!(before, "new" | "stackalloc" | "enum") && (is_value(before) || before == ">")
    }

    /// Whether `new()` before a brace says what a type parameter stands for.
    fn is_constraint(&self, state: &State) -> bool {
        let word = |back: usize| {
            let at = state.before.and_then(|at| at.checked_sub(back));
            at.map_or("", |at| self.word(at))
        };
        let is_new = word(2) == "new" && word(1) == "(" && word(0) == ")";
        is_new && matches!(word(3), ":" | ",") && !is_list(state)
    }

    /// A whole group from its `#if` on; says where its `#endif` stands.
    fn group(&mut self, from: usize, state: &mut State, depth: usize) -> usize {
        let mut arms: Vec<Arm> = Vec::new();
        let mut directive = from;
        let end = loop {
            let mut inner = state.clone();
            let found = self.out.len();
            let end = self.run(directive + 1, &mut inner, depth + 1);
            arms.push(Arm {
                directive,
                tokens: directive + 1..end.min(self.tokens.len()),
                is_balanced: inner.open == state.open,
                out: found..self.out.len(),
                after: inner,
            });
            match self.tokens.get(end).map(|token| token.word) {
                Some(Word::Elif | Word::Else) => directive = end,
                _ => break end,
            }
        };
        if !self.is_of_the_grammar(&arms, state) {
            self.mend(&arms, end, state);
        }
        if let Some(first) = arms.into_iter().next() {
            *state = first.after;
        }
        end.min(self.tokens.len().saturating_sub(1))
    }

    /// First and last word of an arm.
    pub(super) fn ends(&self, arm: &Arm) -> Option<(&str, &str)> {
        let code = |at: &usize| self.tokens[*at].word == Word::Code;
        let first = arm.tokens.clone().find(code)?;
        let last = arm.tokens.clone().rev().find(code)?;
        Some((self.word(first), self.word(last)))
    }

    /// Whether the grammar takes a group as it stands: between statements or declarations, whole ones in each arm.
    fn is_of_the_grammar(&self, arms: &[Arm], state: &State) -> bool {
        let before = state.before.map_or(";", |at| self.word(at));
        if is_list(state) || !matches!(before, ";" | "}" | "{" | "]" | ":") {
            return false;
        }
        arms.iter().all(|arm| {
            let Some((first, last)) = self.ends(arm) else {
                return true;
            };
            let is_part = matches!(
                first,
                "case"
                    | "default"
                    | "else"
                    | "catch"
                    | "finally"
                    | "get"
                    | "set"
                    | "init"
                    | "add"
                    | "remove"
                    | ","
                    | "."
                    | "?"
                    | ":"
            );
            let is_whole = match last {
                ";" | "}" => true,
                "]" => first == "[" && self.lists_of_attributes(arm) == 1,
                _ => false,
            };
            arm.is_balanced && is_whole && !is_part
        })
    }

    fn lists_of_attributes(&self, arm: &Arm) -> usize {
        let mut depth = 0_i32;
        let mut lists = 0;
        for at in arm.tokens.clone() {
            match self.word(at) {
                "[" => {
                    lists += usize::from(depth == 0);
                    depth += 1;
                }
                "]" => depth -= 1,
                _ => {}
            }
        }
        lists
    }

    fn mend(&mut self, arms: &[Arm], end: usize, state: &State) {
        let join = match arms.len() > 1 && !self.are_elements(arms) {
            true => csharp_arms::join(self, arms, end, state),
            false => Some(Join::default()),
        };
        let Some(join) = join else {
            self.drop_others(arms, end);
            return;
        };
        let range_of = |at: usize| self.tokens.get(at).map(|token| token.range.clone());
        let dropped = join.dropped.iter().filter_map(|at| range_of(*at));
        let mut blanked: Vec<Blank> = dropped.map(Blank::nothing).collect();
        for (at, put) in &join.replaced {
            blanked.extend(range_of(*at).map(|range| Blank { range, put }));
        }
        for (index, arm) in arms.iter().enumerate() {
            let put = if index == 0 { "" } else { join.put };
            let range = range_of(arm.directive);
            blanked.extend(range.map(|range| Blank { range, put }));
        }
        blanked.extend(range_of(end).map(Blank::nothing));
        self.out.extend(blanked);
    }

    /// Blanks the directives and all arms but the first.
    fn drop_others(&mut self, arms: &[Arm], end: usize) {
        let Some((first, others)) = arms.split_first() else {
            return;
        };
        // What was found in the others is gone with them.
        self.out.truncate(first.out.end);
        let directives = arms.iter().map(|arm| arm.directive..arm.directive + 1);
        let others = others.iter().map(|arm| arm.tokens.clone());
        for range in directives
            .chain(others)
            .chain(std::iter::once(end..end + 1))
        {
            let tokens = self.tokens.get(range).unwrap_or_default();
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                let range = first.range.start..last.range.end;
                self.out.push(Blank::nothing(range));
            }
        }
    }

    /// Whether arms can stand one behind another.
    fn are_elements(&self, arms: &[Arm]) -> bool {
        let all = |is: fn(&str, &str) -> bool| {
            arms.iter().all(|arm| {
                arm.is_balanced && self.ends(arm).is_none_or(|(first, last)| is(first, last))
            })
        };
        all(|_, last| last == ",")
            || all(|first, _| first == ",")
            || all(|first, last| matches!(first, "case" | "default") && matches!(last, ";" | "}"))
            || all(|first, last| first == "[" && last == "]")
            || all(|first, last| is_accessor(first) && matches!(last, ";" | "}"))
            || all(|first, last| first == "catch" && last == "}")
    }
}

fn is_accessor(word: &str) -> bool {
    matches!(word, "get" | "set" | "init" | "add" | "remove")
}

/// Whether what comes next is one of several between brackets.
pub(super) fn is_list(state: &State) -> bool {
    matches!(state.open.last(), Some(Bracket::List | Bracket::Elements))
}
