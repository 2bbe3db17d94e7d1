//! The words that spec files use for kinds, visibilities, relations and flags.

use std::collections::BTreeMap;

use crate::facts::{Flags, ItemKind, Relation, Visibility};

/// What a word before a name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Visibility(Visibility),
    Flag(Flags),
    /// An own kind: C#'s `record struct`, Kotlin's `enum class`.
    Kind(ItemKind),
}

pub(super) fn words(file: &BTreeMap<String, String>) -> Result<BTreeMap<String, Word>, String> {
    let meaning = |name: &str| -> Result<Word, String> {
        if let Ok(visibility) = visibility(name) {
            return Ok(Word::Visibility(visibility));
        }
        if let Ok(kind) = kind(name) {
            return Ok(Word::Kind(kind));
        }
        flags(name).map(Word::Flag)
    };
    file.iter()
        .map(|(word, name)| Ok((word.clone(), meaning(name)?)))
        .collect()
}

pub(super) fn optional(name: Option<&str>, default: &str) -> Result<Visibility, String> {
    visibility(name.unwrap_or(default))
}

pub(super) fn visibility(name: &str) -> Result<Visibility, String> {
    [
        Visibility::Public,
        Visibility::Protected,
        Visibility::Internal,
        Visibility::Private,
    ]
    .into_iter()
    .find(|visibility| visibility.as_str() == name)
    .ok_or_else(|| format!("no visibility '{name}'"))
}

pub(super) fn kind(name: &str) -> Result<ItemKind, String> {
    ItemKind::from_word(name).ok_or_else(|| format!("no item kind '{name}'"))
}

/// A table of kinds by something else.
pub(super) fn kinds(file: &BTreeMap<String, String>) -> Result<Vec<(String, ItemKind)>, String> {
    file.iter()
        .map(|(name, word)| Ok((name.clone(), kind(word)?)))
        .collect()
}

pub(super) fn relation(name: &str) -> Result<Relation, String> {
    match name {
        "extends" => Ok(Relation::Extends),
        "implements" => Ok(Relation::Implements),
        "embeds" => Ok(Relation::Embeds),
        "mixin" => Ok(Relation::Mixin),
        _ => Err(format!("no relation '{name}'")),
    }
}

pub(super) fn flags(name: &str) -> Result<Flags, String> {
    Ok(match name {
        "static" => Flags::STATIC,
        "abstract" => Flags::ABSTRACT,
        "override" => Flags::OVERRIDE,
        "partial" => Flags::PARTIAL,
        "async" => Flags::ASYNC,
        "readonly" => Flags::READONLY,
        "virtual" => Flags::VIRTUAL,
        "exported" => Flags::EXPORTED,
        "default" => Flags::DEFAULT,
        "declaration" => Flags::DECLARATION,
        _ => return Err(format!("no flag '{name}'")),
    })
}

/// The flags of several words.
pub(super) fn flags_of(names: &[String]) -> Result<Flags, String> {
    let mut all = Flags::default();
    for name in names {
        all.insert(flags(name)?);
    }
    Ok(all)
}
