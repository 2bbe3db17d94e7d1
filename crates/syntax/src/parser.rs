//! The parser of a thread, with a bound on its work.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{LogType, ParseOptions, Parser, Tree};

use crate::Language;
use crate::comment_runs::without_long_runs;

/// The parser reports progress every hundred of its operations. Real code needs one report for
/// every 50 bytes or more (the densest of 12,000 files of six languages: 53); text of a thousand
/// ambiguities needs unbounded many. A limit on reports stops those, and unlike a clock it stops
/// them at the same place every time. What no operation ends is found before: see [`ambiguous_spans`](crate::ambiguity::ambiguous_spans).
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
    static READS: Cell<u64> = const { Cell::new(0) };
}

/// Parses a text without [`ambiguous_spans`](crate::ambiguity::ambiguous_spans).
pub(crate) fn parse_unambiguous(
    language: Language,
    text: &str,
    old: Option<&Tree>,
) -> Option<Tree> {
    with_parser(language, |parser| bounded(parser, language, text, old))
}

/// Parses parts of a text without [`ambiguous_spans`](crate::ambiguity::ambiguous_spans) as if they followed on one another, each at its own place. `old` is
/// of the whole text, edited to fit: what it has in one piece within a part is reused. The parts have no
/// [long runs](crate::comment_runs) of comments.
pub(crate) fn parse_ranges(
    language: Language,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> Option<Tree> {
    with_parser(language, |parser| bounded_ranges(parser, text, ranges, old))
}

/// Parses with somebody told of each of the parser's steps: the lines of its log.
pub(crate) fn listening(
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

pub(crate) fn bounded_ranges(
    parser: &mut Parser,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
) -> Option<Tree> {
    parser.set_included_ranges(ranges).ok()?;
    let tree = bounded_bytes(parser, text.as_bytes(), Some(old));
    // None is what the parser takes for the whole text; that cannot be out of order.
    let _ = parser.set_included_ranges(&[]);
    tree
}

pub(crate) fn bounded(
    parser: &mut Parser,
    language: Language,
    text: &str,
    old: Option<&Tree>,
) -> Option<Tree> {
    let shorter = without_long_runs(language, text);
    bounded_bytes(parser, shorter.as_deref().unwrap_or(text).as_bytes(), old)
}

fn bounded_bytes(parser: &mut Parser, bytes: &[u8], old: Option<&Tree>) -> Option<Tree> {
    let mut left = REPORTS_AT_LEAST + bytes.len() / BYTES_PER_REPORT;
    let reads = Cell::new(READS_AT_LEAST + bytes.len() / BYTES_PER_READ);
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
    let mut read = |offset: usize, _| {
        READS.set(READS.get() + 1);
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

/// How many pieces of texts of up to 4 KiB the lexer has been given on this thread: a measure of how far it reads
/// ahead, the same on every machine.
#[must_use]
pub fn pieces_read() -> u64 {
    READS.get()
}
