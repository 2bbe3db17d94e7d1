//! Pairs that get one name for key and value: `{ a: b }` becomes `{ b }`, so that renaming back gives the same bytes.

use std::ops::Range;

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Expr, ScopeKind};
use codecortex_resolve::{FileNo, Resolver};

use crate::words::{is_word_letter, word_at};

/// A pair whose key and value are spelled alike afterwards.
pub(super) struct JoinedPair {
    /// First byte of the key.
    pub(super) key: u32,
    /// The bytes of the value.
    pub(super) value: Range<u32>,
}

/// The pair that a word is part of, where its other part is spelled like the new name.
pub(super) fn joined_pair(
    resolver: &Resolver<'_>,
    file: FileNo,
    text: &str,
    word: Range<u32>,
    new: &str,
) -> Option<JoinedPair> {
    let dialect = resolver.workspace().dialect(file)?;
    let has_shorthand = matches!(
        dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Rust
    );
    if !has_shorthand {
        return None;
    }
    let pair = value_of(text, &word, new).or_else(|| key_of(text, &word, new))?;
    let behind = text.get(pair.value.end as usize..)?.trim_start();
    let is_end = behind.starts_with([',', '}']);
    (is_end && is_pair(resolver, file, &pair, dialect)).then_some(pair)
}

/// The word as a key, with the value behind it.
fn value_of(text: &str, word: &Range<u32>, new: &str) -> Option<JoinedPair> {
    let behind = text.get(word.end as usize..)?;
    let value = behind.trim_start().strip_prefix(':')?;
    let value = value.trim_start_matches([' ', '\t']);
    let start = (text.len() - value.len()) as u32;
    (word_at(text, start) == new).then(|| JoinedPair {
        key: word.start,
        value: start..start + new.len() as u32,
    })
}

/// The word as a value, with the key before it.
fn key_of(text: &str, word: &Range<u32>, new: &str) -> Option<JoinedPair> {
    let before = text.get(..word.start as usize)?;
    let before = before.trim_end_matches([' ', '\t']).strip_suffix(':')?;
    let rest = before.trim_end().strip_suffix(new)?;
    (!rest.ends_with(is_word_letter)).then(|| JoinedPair {
        key: rest.len() as u32,
        value: word.clone(),
    })
}

/// Whether the bindings have a pair there: a literal's key with its value, or a pattern's with its variable.
fn is_pair(resolver: &Resolver<'_>, file: FileNo, pair: &JoinedPair, dialect: Dialect) -> bool {
    let Some(bound) = resolver.workspace().file(file) else {
        return false;
    };
    let written = |expr| bound.expr(expr).written().map(|(_, at, _)| at);
    let is_literal = bound.defs_at(pair.key).any(|def| {
        let def = bound.def(def);
        let is_key = bound.scope(def.scope).kind == ScopeKind::Object;
        is_key && written(def.value) == Some(pair.value.start)
    });
    let is_pattern = bound
        .defs_at(pair.value.start)
        .any(|def| written(bound.def(def).value) == Some(pair.key));
    if is_literal || is_pattern {
        return true;
    }
    let has = |at: u32, is_wanted: fn(Expr) -> bool| {
        let mut uses = bound.uses().filter(|(_, _, place, _)| *place == at);
        uses.any(|(expr, ..)| is_wanted(bound.expr(expr)))
    };
    dialect == Dialect::Rust
        && has(pair.key, |expr| matches!(expr, Expr::Member { .. }))
        && (has(pair.value.start, |expr| matches!(expr, Expr::Name { .. }))
            || bound.defs_at(pair.value.start).next().is_some())
}
