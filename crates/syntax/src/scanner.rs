//! Keeps what a grammar's scanner remembers between two tokens within what the parser can hold.
//!
//! The scanners of some grammars are C by hand. Before and behind each of its tokens a scanner writes its state into
//! a buffer of the parser's, of [`ROOM`] bytes, and reads it from there. Two of them do that wrong: Python's writes a
//! byte more where blocks are nested five hundred deep, Ruby's too, and Ruby's keeps the length of a here-document's
//! closing word in one byte though the word may have any (`<<"` with no other quote in the file: the rest of it). What
//! follows is an assertion that ends the process, or, in builds without those, somebody else's memory.
//!
//! So these two write into a larger buffer here, and a state that is too long or cannot be read again is none: to the
//! scanner that is the state at the start of a file, and the parser goes on from there.

#![allow(
    unsafe_code,
    reason = "a grammar is a table of C, and this replaces one of its functions"
)]

use std::ffi::{c_char, c_uint, c_void};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

use tree_sitter_language::LanguageFn;

use crate::scanner_bounds::Scan;

/// Bytes of a state: `TREE_SITTER_SERIALIZATION_BUFFER_SIZE` of the parser's header.
const ROOM: usize = 1024;

/// Room for what the two write too much, with some to spare: they look at the length every few bytes.
const LARGER: usize = 2 * ROOM;

type Serialize = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_uint;

/// `TSLanguage` of the parser's header, up to what its version 14 has; an address that is not looked at is one of
/// nothing.
#[repr(C)]
#[derive(Clone, Copy)]
struct Version14 {
    version: u32,
    counts: [u32; 8],
    max_alias_sequence_length: u16,
    tables: [*const c_void; 13],
    lexers: [*const c_void; 2],
    keyword_capture_token: u16,
    scanner: [*const c_void; 4],
    scan: Option<Scan>,
    serialize: Option<Serialize>,
    deserialize: *const c_void,
    primary_states: *const c_void,
}

/// `TSLanguage` of version 15.
#[repr(C)]
#[derive(Clone, Copy)]
struct Version15 {
    first: Version14,
    name: *const c_char,
    reserved_words: *const c_void,
    max_reserved_words: u16,
    supertypes: u32,
    supertype_tables: [*const c_void; 3],
    metadata: [u8; 3],
}

/// A copy of a grammar's table.
pub(crate) struct GrammarTable(Version15);

// SAFETY: as the table that it is a copy of, it is never written once it is shared, and what it points to is static.
unsafe impl Send for GrammarTable {}
// SAFETY: as above.
unsafe impl Sync for GrammarTable {}

impl GrammarTable {
    /// The table of a grammar; `None` where it is of a version that is not known here.
    pub(crate) fn of(grammar: &tree_sitter::Language) -> Option<Self> {
        let first = grammar.clone().into_raw().cast::<Version14>();
        // SAFETY: the address is that of a grammar's table, which is static and begins with what all versions begin
        // with; the tables of versions 14 and 15 are at least as long as what is read of them.
        let table = unsafe {
            match (*first).version {
                14 => Version15 {
                    first: *first,
                    name: std::ptr::null(),
                    reserved_words: std::ptr::null(),
                    max_reserved_words: 0,
                    supertypes: 0,
                    supertype_tables: [std::ptr::null(); 3],
                    metadata: [0; 3],
                },
                15 => *first.cast::<Version15>(),
                _ => return None,
            }
        };
        Some(Self(table))
    }

    /// Says where each table of numbers is now.
    #[cfg(target_family = "wasm")]
    pub(crate) fn move_tables(&mut self, moved: impl Fn(*const c_void) -> *const c_void) {
        let first = &mut self.0.first;
        for table in first.tables.iter_mut().chain([&mut first.primary_states]) {
            *table = moved(*table);
        }
    }

    /// The function that looks for a token; `None` where the grammar has no scanner.
    pub(crate) fn scan(&self) -> Option<Scan> {
        self.0.first.scan
    }

    /// Replaces that function.
    pub(crate) fn set_scan(&mut self, scan: Scan) {
        self.0.first.scan = Some(scan);
    }

    /// The grammar of this table.
    pub(crate) fn language(&'static self) -> tree_sitter::Language {
        // SAFETY: the table is a grammar's, whole and static.
        unsafe { tree_sitter::Language::from_raw((&raw const self.0).cast()) }
    }
}

/// A grammar whose scanner is watched.
struct Watched {
    table: GrammarTable,
    serialize: Serialize,
}

impl Watched {
    /// The grammar with `watch` for its scanner's function; `None` where the grammar is of a version that is not
    /// known here, or has no such function.
    fn new(grammar: LanguageFn, watch: Serialize) -> Option<Self> {
        let mut table = GrammarTable::of(&grammar.into())?;
        let serialize = table.0.first.serialize?;
        table.0.first.serialize = Some(watch);
        Some(Self { table, serialize })
    }
}

/// Has the grammar's own function write, and gives the parser what it can hold.
///
/// # Safety
/// `scanner` is the grammar's and `buffer` has [`ROOM`] bytes, as the parser promises to its scanners.
unsafe fn write(
    serialize: Serialize,
    scanner: *mut c_void,
    buffer: *mut c_char,
    is_whole: fn(&[u8]) -> bool,
) -> c_uint {
    let mut larger = MaybeUninit::<[u8; LARGER]>::uninit();
    let state = larger.as_mut_ptr().cast::<u8>();
    // SAFETY: the scanner is the one that the function is of, and writes less than `LARGER` bytes.
    let length = unsafe { serialize(scanner, state.cast()) };
    let size = length as usize;
    if size > ROOM {
        return 0;
    }
    // SAFETY: the function wrote so many bytes.
    let written = unsafe { std::slice::from_raw_parts(state, size) };
    if !is_whole(written) {
        return 0;
    }
    // SAFETY: the buffer has `ROOM` bytes, and is not on this stack.
    unsafe { std::ptr::copy_nonoverlapping(state, buffer.cast(), size) };
    length
}

/// Python's grammar.
pub(crate) fn python() -> tree_sitter::Language {
    static WATCHED: OnceLock<Option<Watched>> = OnceLock::new();
    unsafe extern "C" fn watch(scanner: *mut c_void, buffer: *mut c_char) -> c_uint {
        let Some(Some(watched)) = WATCHED.get() else {
            return 0;
        };
        // SAFETY: the parser calls it with a scanner of this grammar and its own buffer.
        unsafe { write(watched.serialize, scanner, buffer, |_| true) }
    }
    let grammar = tree_sitter_python::LANGUAGE;
    language(
        grammar,
        WATCHED
            .get_or_init(|| Watched::new(grammar, watch))
            .as_ref(),
    )
}

/// Ruby's grammar.
#[cfg(feature = "ruby")]
pub(crate) fn ruby() -> tree_sitter::Language {
    static WATCHED: OnceLock<Option<Watched>> = OnceLock::new();
    unsafe extern "C" fn watch(scanner: *mut c_void, buffer: *mut c_char) -> c_uint {
        let Some(Some(watched)) = WATCHED.get() else {
            return 0;
        };
        // SAFETY: the parser calls it with a scanner of this grammar and its own buffer.
        unsafe { write(watched.serialize, scanner, buffer, is_whole_ruby) }
    }
    let grammar = tree_sitter_ruby::LANGUAGE;
    language(
        grammar,
        WATCHED
            .get_or_init(|| Watched::new(grammar, watch))
            .as_ref(),
    )
}

fn language(grammar: LanguageFn, watched: Option<&'static Watched>) -> tree_sitter::Language {
    match watched {
        Some(watched) => watched.table.language(),
        None => grammar.into(),
    }
}

/// Whether Ruby's scanner reads all of what it wrote: a count of literals of five bytes each, a count of
/// here-documents, and of each three bytes, its closing word's length, and the word.
#[cfg(feature = "ruby")]
fn is_whole_ruby(state: &[u8]) -> bool {
    fn walk(state: &[u8]) -> Option<&[u8]> {
        let (&literals, rest) = state.split_first()?;
        let (&documents, mut rest) = rest.get(usize::from(literals) * 5..)?.split_first()?;
        for _ in 0..documents {
            let length = *rest.get(3)?;
            rest = rest.get(4 + usize::from(length)..)?;
        }
        Some(rest)
    }
    state.is_empty() || walk(state).is_some_and(<[u8]>::is_empty)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;

    unsafe extern "C" {
        fn tree_sitter_python_external_scanner_serialize(_: *mut c_void, _: *mut c_char) -> c_uint;
        fn tree_sitter_ruby_external_scanner_serialize(_: *mut c_void, _: *mut c_char) -> c_uint;
    }

    /// What is replaced is the very function, so that the tables are as they are written down here.
    #[test]
    fn both_grammars_are_watched() {
        let python = Watched::new(
            tree_sitter_python::LANGUAGE,
            tree_sitter_ruby_external_scanner_serialize,
        );
        let ruby = Watched::new(
            tree_sitter_ruby::LANGUAGE,
            tree_sitter_python_external_scanner_serialize,
        );
        let expected: [Serialize; 2] = [
            tree_sitter_python_external_scanner_serialize,
            tree_sitter_ruby_external_scanner_serialize,
        ];
        let found = [python.unwrap().serialize, ruby.unwrap().serialize];
        assert_eq!(found.map(|at| at as usize), expected.map(|at| at as usize));
        assert_ne!(super::python(), tree_sitter_python::LANGUAGE.into());
        assert_ne!(super::ruby(), tree_sitter_ruby::LANGUAGE.into());
    }

    #[test]
    fn a_state_of_ruby_is_read_to_its_end() {
        assert!(is_whole_ruby(&[]));
        assert!(is_whole_ruby(&[0, 0]));
        assert!(is_whole_ruby(&[
            1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, b'a', b'b'
        ]));
        assert!(!is_whole_ruby(&[0, 1, 0, 0, 0, 2, b'a', b'b', b'c']));
        assert!(!is_whole_ruby(&[0, 1, 0, 0, 0, 2, b'a']));
        assert!(!is_whole_ruby(&[2, 0]));
    }
}
