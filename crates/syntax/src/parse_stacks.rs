//! The parse stacks that a GLR parser has of a text, by what its log says of them.
//!
//! At an error, and where a text is ambiguous, the parser goes on with several stacks at once, each with what it
//! costs. Others are given up when they cost too much more for how much was read since, or at the end of the text.
//! Two that are in the same state may still differ in what is around that.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tree_sitter::{Point, Tree};

use crate::Language;
use crate::parser::{parse_parts, parse_whole};

/// Whether it is decided at a place what the text before it is: whether the parser, when it has read that and nothing
/// more, has one stack, and that is at no error. What follows cannot make anything else of it.
#[derive(Debug)]
pub(crate) struct ParseStacks {
    place: Point,
    decided: Option<bool>,
}

impl ParseStacks {
    /// Of what is before a place.
    pub(crate) fn before(place: Point) -> Self {
        let decided = None;
        Self { place, decided }
    }

    /// Whether what is before the place is decided; not if the parser did not get there.
    pub(crate) fn are_decided(&self) -> bool {
        self.decided.unwrap_or(false)
    }

    /// Takes a line of the log.
    pub(crate) fn hear(&mut self, message: &str) {
        if self.decided.is_none()
            && let Some(step) = StackStep::from_message(message)
            && step.place >= self.place
        {
            self.decided = Some(step.stacks == 1 && step.state != ERROR);
        }
    }
}

/// The parser's state at an error.
const ERROR: usize = 0;

/// A stack before the next token is taken to it.
struct StackStep {
    /// How many stacks there are.
    stacks: usize,
    /// The parser's state.
    state: usize,
    /// Up to where it was read.
    place: Point,
}

impl StackStep {
    /// Of `process version:0, version_count:1, state:42, row:3, col:7`.
    fn from_message(message: &str) -> Option<Self> {
        let mut numbers = message
            .strip_prefix("process ")?
            .split(", ")
            .map(|part| part.split_once(':')?.1.parse::<usize>().ok());
        let mut next = || numbers.next().flatten();
        let (_, stacks, state) = (next()?, next()?, next()?);
        let place = Point::new(next()?, next()?);
        Some(Self {
            stacks,
            state,
            place,
        })
    }
}

/// Whether what is before a place is decided there ([`ParseStacks`]) when parts of a text are parsed as
/// [`parse_ranges`](crate::parser::parse_ranges) does. Takes up to twice as long as that, for writing the log.
pub(crate) fn is_decided(
    place: Point,
    language: Language,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> bool {
    let stacks = Arc::new(Mutex::new(ParseStacks::before(place)));
    let heard = Arc::clone(&stacks);
    let hear = move |step: &str| lock(&heard).hear(step);
    parse_parts(language, text, ranges, old, Some(Box::new(hear)));
    lock(&stacks).are_decided()
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How often the parser compares what two of its stacks of `text` have on top: the only work that grows without bound
/// within one operation. Takes several times as long as parsing `text`, for writing the log.
#[must_use]
pub fn comparisons(language: Language, text: &str) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&count);
    let hear = move |step: &str| {
        if step.starts_with("select_") {
            seen.fetch_add(1, Ordering::Relaxed);
        }
    };
    parse_whole(language, text, None, Some(Box::new(hear)));
    count.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;
    use crate::parser::parse_ranges;

    /// Whether what is before `|` is decided when the parser gets there.
    fn is_marked_decided(language: Language, marked: &str) -> bool {
        let place = marked.find('|').unwrap();
        let text = marked.replace('|', "");
        let row = text[..place].matches('\n').count();
        let column = place - text[..place].rfind('\n').map_or(0, |at| at + 1);
        let old = parse(language, &text, None).unwrap();
        let place = Point::new(row, column);
        let decided = is_decided(place, language, &text, &[], &old);
        // Nobody listens any more, and all of the text is parsed.
        let tree = parse_ranges(language, &text, &[], &old).unwrap();
        assert_eq!(tree.root_node().to_sexp(), old.root_node().to_sexp());
        decided
    }

    #[test]
    fn what_is_behind_an_error_is_decided_some_tokens_later() {
        let rest = "void n() { a(b, c); d(e, f); } ".repeat(30);
        for (head, expected) in [
            ("class A { void m() { if (a) { b(); }| } ", true),
            ("class A { void m() { ixf (a) {| b(); } } ", false),
            ("class A { pxublic int B { get { return 1; } }| ", true),
        ] {
            let text = format!("{head}{rest}}}\n");
            assert_eq!(
                is_marked_decided(Language::CSharp, &text),
                expected,
                "{head}"
            );
            let later = format!("{}{rest}|{rest}}}\n", head.replace('|', ""));
            assert!(is_marked_decided(Language::CSharp, &later), "{head}");
        }
    }
}
