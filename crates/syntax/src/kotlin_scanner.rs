//! Kotlin's grammar, which wants a semicolon or a line's end behind each member of a type, the last included, as the language
//! does not: `class A{val a=1}`. Its scanner is asked by [`scan`], which gives an empty one before the brace.
//!
//! Where there is a blank before the brace the text has a semicolon there already (`preprocess/kotlin/bodies.rs`): that is
//! one whose place other tools see as well.

#![allow(
    unsafe_code,
    reason = "a grammar is a table of C, and this replaces one of its functions"
)]

use std::ffi::c_void;
use std::sync::OnceLock;

use crate::scanner::GrammarTable;
use crate::scanner_bounds::{Lexer, Scan};

/// Places of tokens among those that the grammar's scanner looks for: `_semi` and `_class_member_semi`.
const SEMICOLON: usize = 0;
const MEMBERS_SEMICOLON: u16 = 1;

/// The grammar with its scanner asked by [`scan`].
struct Patched {
    table: GrammarTable,
    scan: Scan,
}

static PATCHED: OnceLock<Option<Patched>> = OnceLock::new();

/// Kotlin's grammar.
pub(crate) fn grammar() -> tree_sitter::Language {
    let own = tree_sitter::Language::from(tree_sitter_kotlin_ng::LANGUAGE);
    match PATCHED.get_or_init(|| patched(&own)) {
        Some(patched) => patched.table.language(),
        None => own,
    }
}

fn patched(own: &tree_sitter::Language) -> Option<Patched> {
    let mut table = GrammarTable::of(own)?;
    let own_scan = table.scan()?;
    table.set_scan(scan);
    Some(Patched {
        table,
        scan: own_scan,
    })
}

/// A semicolon of no width before the brace that ends a type's members, else what the grammar's own function finds.
///
/// # Safety
/// The parser calls it as it calls the function in whose place it stands: with a scanner of this grammar, its own lexer and
/// as many booleans as the grammar has tokens for its scanner.
unsafe extern "C-unwind" fn scan(
    scanner: *mut c_void,
    lexer: *mut Lexer,
    valid: *const bool,
) -> bool {
    let Some(Some(patched)) = PATCHED.get() else {
        return false;
    };
    // SAFETY: both tokens are among those of the grammar. While the parser recovers from an error all are valid.
    let is_behind_member =
        unsafe { *valid.add(usize::from(MEMBERS_SEMICOLON)) && !*valid.add(SEMICOLON) };
    // SAFETY: the lexer is the parser's, which nothing else uses meanwhile.
    if is_behind_member && unsafe { Lexer::ends_at(lexer, '}', MEMBERS_SEMICOLON) } {
        return true;
    }
    // SAFETY: what this is given is what that function would be given.
    unsafe { (patched.scan)(scanner, lexer, valid) }
}
