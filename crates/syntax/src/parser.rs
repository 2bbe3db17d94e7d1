//! The parser of a thread, with a bound on its work.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use tree_sitter::{LogType, ParseOptions, Parser, Tree};

use crate::Language;
use crate::comment_runs::without_long_runs;
use crate::parse_host::{self, ParseRequest};
use crate::scanner_bounds;

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
    parse_whole(language, text, old, None)
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
    parse_parts(language, text, ranges, old, None)
}

/// Is told of each of the parser's steps: the lines of its log.
pub(crate) type Listener = Box<dyn FnMut(&str) + Send>;

/// [`parse_unambiguous`] with somebody listening.
pub(crate) fn parse_whole(
    language: Language,
    text: &str,
    old: Option<&Tree>,
    hear: Option<Listener>,
) -> Option<Tree> {
    let shorter = without_long_runs(language, text);
    let bytes = shorter.as_deref().unwrap_or(text).as_bytes();
    let request = ParseRequest {
        language,
        bytes,
        ranges: &[],
        old,
    };
    parse_bytes(request, hear)
}

/// [`parse_ranges`] with somebody listening.
pub(crate) fn parse_parts(
    language: Language,
    text: &str,
    ranges: &[tree_sitter::Range],
    old: &Tree,
    hear: Option<Listener>,
) -> Option<Tree> {
    let request = ParseRequest {
        language,
        bytes: text.as_bytes(),
        ranges,
        old: Some(old),
    };
    parse_bytes(request, hear)
}

/// What a parse took of the parser.
#[derive(Clone, Copy, Default)]
struct ParseEffort {
    reports: u64,
    reads: u64,
}

fn parse_bytes(request: ParseRequest<'_>, hear: Option<Listener>) -> Option<Tree> {
    let (tree, work) = parse_host::run(request, |request| bounded(request, hear))?;
    REPORTS.set(REPORTS.get() + work.reports);
    READS.set(READS.get() + work.reads);
    tree
}

/// Parses on this thread, within the bounds.
fn bounded(request: ParseRequest<'_>, hear: Option<Listener>) -> (Option<Tree>, ParseEffort) {
    let mut work = ParseEffort::default();
    let Some(grammar) = scanner_bounds::grammar(request.language) else {
        return (None, work);
    };
    let tree = PARSER.with_borrow_mut(|slot| {
        let parser = slot.get_or_insert_with(Parser::new);
        parser.set_language(&grammar).ok()?;
        parser.set_included_ranges(request.ranges).ok()?;
        if let Some(mut hear) = hear {
            parser.set_logger(Some(Box::new(move |kind, step| {
                if kind == LogType::Parse {
                    hear(step);
                }
            })));
        }
        scanner_bounds::allow(request.bytes.len());
        let tree = bounded_bytes(parser, &request, &mut work);
        parser.set_logger(None);
        if scanner_bounds::has_overrun() {
            // What its scanner remembers may be half written.
            *slot = None;
            return None;
        }
        tree
    });
    (tree, work)
}

fn bounded_bytes(
    parser: &mut Parser,
    request: &ParseRequest<'_>,
    work: &mut ParseEffort,
) -> Option<Tree> {
    let bytes = request.bytes;
    let mut left = REPORTS_AT_LEAST + bytes.len() / BYTES_PER_REPORT;
    let reads = Cell::new(READS_AT_LEAST + bytes.len() / BYTES_PER_READ);
    let read_count = Cell::new(0);
    let mut progress = |_: &tree_sitter::ParseState| {
        work.reports += 1;
        left = left.saturating_sub(1);
        if left == 0 || reads.get() == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |offset: usize, _| {
        read_count.set(read_count.get() + 1);
        reads.set(reads.get().saturating_sub(1));
        let end = bytes.len().min(offset + PIECE);
        bytes.get(offset..end).unwrap_or(&[])
    };
    let tree = parser.parse_with_options(&mut read, request.old, Some(options));
    work.reads = read_count.get();
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
