//! Ends scanners of grammars that do not end by themselves.
//!
//! The parser counts its own operations, and a token is one of them however long it takes: a scanner written by hand
//! that waits at the end of the text for a character that does not come never gives the parser the turn in which it
//! could be stopped. (Kotlin's does so behind an `@` that ends a file.) So a grammar's scanner is called through
//! [`scan`], which counts what it asks of the lexer:
//!
//! - one that goes on and on at the end of the text is shown, after a while, all the characters that tokens end with,
//!   one after the other. The token that it waits for ends there, as at the end of a file that has one more line;
//! - one that has asked so often that it cannot be reading forward any more is left, by unwinding its frames, and the
//!   text has no tree: [`has_overrun`]. A module of WebAssembly has no unwinding; it ends there, as at a panic, and
//!   who runs it starts another one without that file.
//!
//! Both are counts, so the same bytes end at the same place everywhere. A scanner that loops without asking the lexer
//! anything is ended by who runs the thread: [`crate::parse_host`].

#![allow(
    unsafe_code,
    reason = "a grammar is a table of C, and this replaces one of its functions"
)]

use std::cell::Cell;
use std::ffi::c_void;
use std::sync::OnceLock;

use crate::Language;
use crate::language::LANGUAGES;
use crate::scanner::GrammarTable;

/// A scanner's requests for one token: a forward pass asks for each character whether it is the last, whether a token
/// may end there, in which column it is, and for the next.
const REQUESTS_AT_LEAST: u64 = 10_000;
const REQUESTS_PER_BYTE: u64 = 8;

/// A scanner that asks for another character so often at the end of the text does not look whether it is there.
const ASKS_AT_THE_END: u32 = 256;

/// How often each character is shown then: there are quotes of three.
const IN_A_ROW: u32 = 3;

/// `TSLexer` of the parser's header.
#[repr(C)]
pub(crate) struct Lexer {
    lookahead: i32,
    result_symbol: u16,
    advance: Option<Advance>,
    mark_end: Option<MarkEnd>,
    get_column: Option<GetColumn>,
    is_at_included_range_start: *const c_void,
    eof: Option<Eof>,
    log: *const c_void,
}

impl Lexer {
    /// Whether a character stands next: then a token without a width ends before it.
    ///
    /// # Safety
    /// `lexer` is the parser's, and nothing else uses it meanwhile.
    pub(crate) unsafe fn ends_at(lexer: *mut Self, next: char, token: u16) -> bool {
        // SAFETY: as the caller promises.
        let (lookahead, mark_end) = unsafe { ((*lexer).lookahead, (*lexer).mark_end) };
        let Some(mark_end) = mark_end.filter(|_| lookahead == next as i32) else {
            return false;
        };
        // SAFETY: it is the lexer's own function, and the lexer is not used otherwise.
        unsafe {
            mark_end(lexer);
            (*lexer).result_symbol = token;
        }
        true
    }
}

type Advance = unsafe extern "C-unwind" fn(*mut Lexer, bool);
type MarkEnd = unsafe extern "C-unwind" fn(*mut Lexer);
type GetColumn = unsafe extern "C-unwind" fn(*mut Lexer) -> u32;
type Eof = unsafe extern "C-unwind" fn(*const Lexer) -> bool;

/// A grammar's function that looks for a token of its own.
pub(crate) type Scan = unsafe extern "C-unwind" fn(*mut c_void, *mut Lexer, *const bool) -> bool;

/// The lexer's own functions.
#[derive(Clone, Copy)]
struct Callbacks {
    advance: Option<Advance>,
    mark_end: Option<MarkEnd>,
    get_column: Option<GetColumn>,
    eof: Option<Eof>,
}

/// What a thread's parser is at.
struct Scanning {
    /// The scanner of the parser's grammar.
    scan: Cell<Option<Scan>>,
    callbacks: Cell<Option<Callbacks>>,
    /// Requests for each token.
    allowed: Cell<u64>,
    /// Of those, what is left to the token that is looked for.
    left: Cell<u64>,
    /// How often another character was asked for at the end of the text.
    asked_at_the_end: Cell<u32>,
    has_overrun: Cell<bool>,
}

thread_local! {
    static SCANNING: Scanning = const {
        Scanning {
            scan: Cell::new(None),
            callbacks: Cell::new(None),
            allowed: Cell::new(0),
            left: Cell::new(0),
            asked_at_the_end: Cell::new(0),
            has_overrun: Cell::new(false),
        }
    };
}

/// Says that a scanner is left in the middle; nobody sees it but [`scan`].
struct Overrun;

/// A grammar whose scanner is counted.
struct Counted {
    table: GrammarTable,
    scan: Scan,
}

static COUNTED: [OnceLock<Option<Counted>>; LANGUAGES.len()] =
    [const { OnceLock::new() }; LANGUAGES.len()];

/// The grammar of a language with its scanner counted, for the parser of this thread. `None` where this build left it
/// out.
pub(crate) fn grammar(language: Language) -> Option<tree_sitter::Language> {
    let grammar = language.grammar()?;
    let counted = COUNTED[language as usize].get_or_init(|| counted(&grammar));
    let Some(counted) = counted else {
        // It has no scanner.
        SCANNING.with(|scanning| scanning.scan.set(None));
        return Some(grammar);
    };
    SCANNING.with(|scanning| scanning.scan.set(Some(counted.scan)));
    Some(counted.table.language())
}

fn counted(grammar: &tree_sitter::Language) -> Option<Counted> {
    let mut table = GrammarTable::of(grammar)?;
    let own = table.scan()?;
    table.set_scan(scan);
    Some(Counted { table, scan: own })
}

/// Allows the parser of this thread what it needs for a text of so many bytes.
pub(crate) fn allow(bytes: usize) {
    let allowed = REQUESTS_AT_LEAST + REQUESTS_PER_BYTE * bytes as u64;
    SCANNING.with(|scanning| {
        scanning.allowed.set(allowed);
        scanning.has_overrun.set(false);
    });
}

/// Whether a scanner was left in the middle since [`allow`]: what the parser made of the rest is worth nothing, and the
/// scanner's memory may be half written.
pub(crate) fn has_overrun() -> bool {
    SCANNING.with(|scanning| scanning.has_overrun.get())
}

/// Stands in a grammar's table for its scanner.
///
/// # Safety
/// The parser calls it as the grammar's own: with a scanner of the grammar that [`grammar`] was asked for last on this
/// thread, and its lexer.
unsafe extern "C-unwind" fn scan(
    scanner: *mut c_void,
    lexer: *mut Lexer,
    valid: *const bool,
) -> bool {
    SCANNING.with(|scanning| {
        let Some(own) = scanning.scan.get().filter(|_| !scanning.has_overrun.get()) else {
            return false;
        };
        scanning.left.set(scanning.allowed.get());
        scanning.asked_at_the_end.set(0);
        // SAFETY: the parser's lexer is there as long as the call lasts, and nobody else has it meanwhile.
        let callbacks = unsafe { counting(&mut *lexer) };
        scanning.callbacks.set(Some(callbacks));
        // SAFETY: all are as the parser gave them. A scanner is C without destructors, so its frames may be unwound.
        let found = left_by_unwinding(|| unsafe { own(scanner, lexer, valid) });
        // SAFETY: as above; the scanner has returned or is gone.
        unsafe { restored(&mut *lexer, callbacks) };
        if scanning.asked_at_the_end.get() > ASKS_AT_THE_END {
            // SAFETY: as above. The end of the text is shown as 0.
            unsafe { (*lexer).lookahead = 0 };
        }
        found.unwrap_or_else(|| {
            scanning.has_overrun.set(true);
            false
        })
    })
}

/// What a scanner found; none where it was left in the middle.
fn left_by_unwinding(scan: impl FnOnce() -> bool) -> Option<bool> {
    // Nothing else in there unwinds: what the parser calls aborts at a panic.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(scan)).ok()
}

/// Has a lexer count what it is asked for; its own functions.
fn counting(lexer: &mut Lexer) -> Callbacks {
    Callbacks {
        advance: lexer.advance.replace(advance),
        mark_end: lexer.mark_end.replace(mark_end),
        get_column: lexer.get_column.replace(get_column),
        eof: lexer.eof.replace(eof),
    }
}

fn restored(lexer: &mut Lexer, callbacks: Callbacks) {
    lexer.advance = callbacks.advance;
    lexer.mark_end = callbacks.mark_end;
    lexer.get_column = callbacks.get_column;
    lexer.eof = callbacks.eof;
}

impl Scanning {
    /// Counts a request; the last one does not return.
    fn count(&self) {
        match self.left.get() {
            0 => leave(),
            left => self.left.set(left - 1),
        }
    }

    fn own<T>(&self, callback: impl Fn(Callbacks) -> Option<T>) -> Option<T> {
        self.callbacks.get().and_then(callback)
    }
}

#[cfg(not(target_family = "wasm"))]
fn leave() -> ! {
    // No panic: nothing is printed, and nobody is told but `left_by_unwinding`.
    std::panic::resume_unwind(Box::new(Overrun))
}

#[cfg(target_family = "wasm")]
#[allow(
    clippy::panic,
    reason = "there is no unwinding, and the host starts another module"
)]
fn leave() -> ! {
    let _ = Overrun;
    panic!("the scanner of a grammar does not come to an end");
}

unsafe extern "C-unwind" fn advance(lexer: *mut Lexer, skip: bool) {
    SCANNING.with(|scanning| {
        scanning.count();
        if scanning.asked_at_the_end.get() == 0 {
            if let Some(own) = scanning.own(|own| own.advance) {
                // SAFETY: the lexer is the one that the function is of.
                unsafe { own(lexer, skip) };
            }
            // SAFETY: the scanner gave its lexer.
            let is_over = unsafe { (*lexer).lookahead == 0 && is_at_end(scanning, lexer) };
            if !is_over {
                return;
            }
        }
        let asked = scanning.asked_at_the_end.get().saturating_add(1);
        scanning.asked_at_the_end.set(asked);
        if let Some(more) = asked.checked_sub(ASKS_AT_THE_END + 1) {
            // SAFETY: as above.
            unsafe { (*lexer).lookahead = character_behind_the_end(more) };
        }
    });
}

/// What a scanner that waits behind the end is shown: the end of a line, then all others that one can see.
fn character_behind_the_end(asked: u32) -> i32 {
    const FIRST: u32 = b' ' as u32;
    const LAST: u32 = b'~' as u32;
    match (asked / IN_A_ROW) % (LAST - FIRST + 2) {
        0 => i32::from(b'\n'),
        nth => (FIRST + nth - 1) as i32,
    }
}

/// # Safety
/// The lexer is the one that the scanner was given.
unsafe fn is_at_end(scanning: &Scanning, lexer: *const Lexer) -> bool {
    let own = scanning.own(|own| own.eof);
    // SAFETY: as promised.
    own.is_some_and(|own| unsafe { own(lexer) })
}

unsafe extern "C-unwind" fn eof(lexer: *const Lexer) -> bool {
    SCANNING.with(|scanning| {
        scanning.count();
        // SAFETY: the scanner gave its lexer.
        unsafe { is_at_end(scanning, lexer) }
    })
}

unsafe extern "C-unwind" fn mark_end(lexer: *mut Lexer) {
    SCANNING.with(|scanning| {
        scanning.count();
        if let Some(own) = scanning.own(|own| own.mark_end) {
            // SAFETY: the lexer is the one that the function is of.
            unsafe { own(lexer) };
        }
    });
}

unsafe extern "C-unwind" fn get_column(lexer: *mut Lexer) -> u32 {
    SCANNING.with(|scanning| {
        scanning.count();
        let own = scanning.own(|own| own.get_column);
        // SAFETY: the lexer is the one that the function is of.
        own.map_or(0, |own| unsafe { own(lexer) })
    })
}

#[cfg(test)]
mod tests {
    use tree_sitter::Parser;

    use super::*;
    use crate::parse;

    /// Parses with a number of requests allowed for each token. Whether a scanner was left.
    fn overruns(language: Language, text: &str, allowed: u64) -> bool {
        let mut parser = Parser::new();
        parser.set_language(&grammar(language).unwrap()).unwrap();
        allow(text.len());
        SCANNING.with(|scanning| scanning.allowed.set(allowed));
        parser.parse(text, None);
        has_overrun()
    }

    #[test]
    fn a_scanner_of_c_is_left_in_the_middle_and_the_next_one_works() {
        let long = "word ".repeat(100);
        for (language, text) in [
            (Language::Python, format!("a = '''{long}'''\n")),
            (Language::Ruby, format!("a = \"{long}\"\n")),
            (Language::Kotlin, format!("val a = \"\"\"{long}\"\"\"\n")),
            (Language::Rust, format!("const A: &str = r#\"{long}\"#;\n")),
            (Language::Php, format!("<?php\n$a = <<<X\n{long}\nX;\n")),
            (Language::Bash, format!("cat <<X\n{long}\nX\n")),
            (Language::Swift, format!("let a = 1 /* {long} */\n")),
            (Language::Lua, format!("a = [[{long}]]\n")),
        ] {
            assert!(overruns(language, &text, 40), "{language:?}");
            assert!(!overruns(language, &text, 4_000), "{language:?}");
            let tree = parse(language, &text, None).unwrap();
            assert!(!tree.root_node().has_error(), "{language:?}");
        }
    }

    #[test]
    fn a_scanner_that_waits_behind_the_end_is_shown_what_ends_it() {
        let class = "class A {\n    val x = 1\n";
        for end in ["    @", "    @a", "    @a(", "    val y\n        @"] {
            let tree = parse(Language::Kotlin, &format!("{class}{end}"), None).unwrap();
            let root = tree.root_node();
            assert!(root.to_sexp().contains("property_declaration"), "{end}");
        }
    }

    #[test]
    fn all_that_can_be_seen_is_shown() {
        let shown: Vec<i32> = (0..96 * IN_A_ROW).map(character_behind_the_end).collect();
        assert_eq!(&shown[..4], [10, 10, 10, 32]);
        assert!((32..=126).all(|wanted| shown.iter().filter(|c| **c == wanted).count() == 3));
        assert_eq!(character_behind_the_end(96 * IN_A_ROW), 10);
    }
}
