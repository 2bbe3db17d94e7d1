//! The words that spec files use for kinds, visibilities, relations and flags.

use std::collections::BTreeMap;

use crate::facts::{ItemFlags, ItemKind, Relation, Visibility};

/// What a word before a name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeywordMeaning {
    Visibility(Visibility),
    Flag(ItemFlags),
    /// An own kind: C#'s `record struct`, Kotlin's `enum class`.
    Kind(ItemKind),
}

pub(super) fn words(
    file: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, KeywordMeaning>, String> {
    let meaning = |name: &str| -> Result<KeywordMeaning, String> {
        if let Ok(visibility) = visibility(name) {
            return Ok(KeywordMeaning::Visibility(visibility));
        }
        if let Ok(kind) = kind(name) {
            return Ok(KeywordMeaning::Kind(kind));
        }
        flags(name).map(KeywordMeaning::Flag)
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

pub(super) fn flags(name: &str) -> Result<ItemFlags, String> {
    Ok(match name {
        "static" => ItemFlags::STATIC,
        "abstract" => ItemFlags::ABSTRACT,
        "override" => ItemFlags::OVERRIDE,
        "partial" => ItemFlags::PARTIAL,
        "async" => ItemFlags::ASYNC,
        "readonly" => ItemFlags::READONLY,
        "virtual" => ItemFlags::VIRTUAL,
        "exported" => ItemFlags::EXPORTED,
        "default" => ItemFlags::DEFAULT,
        "declaration" => ItemFlags::DECLARATION,
        _ => return Err(format!("no flag '{name}'")),
    })
}

/// The flags of several words.
pub(super) fn flags_of(names: &[String]) -> Result<ItemFlags, String> {
    let mut all = ItemFlags::default();
    for name in names {
        all.insert(flags(name)?);
    }
    Ok(all)
}
