//! Bytes to a syntax tree, with a bound on the work.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tree_sitter::{LogType, ParseOptions, Parser, Point, Tree};

use crate::Language;
use crate::readings::Readings;
use crate::tangle::knots;

/// The parser reports progress every hundred of its operations. Real code needs one report for
/// every 50 bytes or more (the densest of 12,000 files of six languages: 53); text of a thousand
/// ambiguities needs unbounded many. A limit on reports stops those, and unlike a clock it stops
/// them at the same place every time. What no operation ends is found before: see `tangle`.
const REPORTS_AT_LEAST: usize = 3_000;
const BYTES_PER_REPORT: usize = 20;

/// The lexer gets the text in pieces. Real code has it read each a few times; a thousand comments
/// that never end have it read the rest of the file for each of them.
const PIECE: usize = 4096;
const READS_AT_LEAST: usize = 20_000;
const BYTES_PER_READ: usize = 16;

thread_local! {
    /// A parser keeps buffers worth reusing; one a thread.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
    static REPORTS: Cell<u64> = const { Cell::new(0) };
}

/// Parses `text`, reusing `old` where it was edited to fit. `None` where this build has no grammar
/// for the language or the text is too ambiguous to parse in bounded time.
#[must_use]
pub fn parse(language: Language, text: &str, old: Option<&Tree>) -> Option<Tree> {
    if knots(language, text).is_empty() {
        parse_untangled(language, text, old)
    } else {
        None
    }
}

/// Parses a text without [`knots`].
pub(crate) fn parse_untangled(language: Language, text: &str, old: Option<&Tree>) -> Option<Tree> {
    with_parser(language, |parser| bounded(parser, text, old))
}

/// Parses parts of a text without [`knots`] as if they followed on one another, each at its own place. `old` is
/// of the whole text, edited to fit: what it has in one piece within a part is reused.
pub(crate) fn parse_ranges(
    language: Language,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> Option<Tree> {
    with_parser(language, |parser| bounded_ranges(parser, text, ranges, old))
}

/// Whether what is before a place is decided there ([`Readings`]) when parts of a text are parsed as [`parse_ranges`]
/// does. Takes up to twice as long as that, for writing the log.
pub(crate) fn is_decided(
    place: Point,
    language: Language,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> bool {
    let readings = Arc::new(Mutex::new(Readings::before(place)));
    let heard = Arc::clone(&readings);
    let hear = move |step: &str| lock(&heard).hear(step);
    listening(hear, language, |parser| {
        bounded_ranges(parser, text, ranges, old)
    });
    lock(&readings).are_decided()
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parses with somebody told of each of the parser's steps.
fn listening(
    mut hear: impl FnMut(&str) + Send + 'static,
    language: Language,
    work: impl FnOnce(&mut Parser) -> Option<Tree>,
) -> Option<Tree> {
    with_parser(language, |parser| {
        parser.set_logger(Some(Box::new(move |kind, step| {
            if kind == LogType::Parse {
                hear(step);
            }
        })));
        let tree = work(parser);
        parser.set_logger(None);
        tree
    })
}

fn with_parser<T>(language: Language, work: impl FnOnce(&mut Parser) -> Option<T>) -> Option<T> {
    let grammar = language.grammar()?;
    PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(Parser::new);
        parser.set_language(&grammar).ok()?;
        work(parser)
    })
}

fn bounded_ranges(
    parser: &mut Parser,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> Option<Tree> {
    parser.set_included_ranges(ranges).ok()?;
    let tree = bounded(parser, text, Some(old));
    // None is what the parser takes for the whole text; that cannot be out of order.
    let _ = parser.set_included_ranges(&[]);
    tree
}

fn bounded(parser: &mut Parser, text: &str, old: Option<&Tree>) -> Option<Tree> {
    let mut left = REPORTS_AT_LEAST + text.len() / BYTES_PER_REPORT;
    let reads = Cell::new(READS_AT_LEAST + text.len() / BYTES_PER_READ);
    let mut progress = |_: &tree_sitter::ParseState| {
        REPORTS.set(REPORTS.get() + 1);
        left = left.saturating_sub(1);
        if left == 0 || reads.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let mut read = |offset: usize, _| {
        reads.set(reads.get().saturating_sub(1));
        let end = bytes.len().min(offset + PIECE);
        bytes.get(offset..end).unwrap_or(&[])
    };
    let tree = parser.parse_with_options(&mut read, old, Some(options));
    if tree.is_none() {
        parser.reset();
    }
    tree
}

/// How many operations the parser has done on this thread, in hundreds: a measure of its work that
/// is the same on every machine.
#[must_use]
pub fn hundred_operations() -> u64 {
    REPORTS.get()
}

/// How often the parser compares two readings of `text`: the only work that grows without bound
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
    listening(hear, language, |parser| bounded(parser, text, None));
    count.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

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
