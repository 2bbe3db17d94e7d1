//! What can be used from outside in the place of what cannot (SPEC S5, `000` §6.1, §16).

use std::collections::BTreeSet;

use codecortex_index::{Symbol, SymbolPath};
use codecortex_protocol::{ErrorCode, ToolError};
use codecortex_syntax::{Facts, ItemFlags, ItemIndex, ItemKind, Visibility};

use crate::artefacts::needs::{needs, type_named};
use crate::view::AnalysisView;

/// The most alternatives that an error names.
const MAX_ALTERNATIVES: usize = 8;

/// Names that differ in more letters are other names.
const MAX_DISTANCE: usize = 2;

/// Whether a declaration can be used from outside: it and all that it is in are public or protected.
pub fn is_accessible(facts: &Facts, index: ItemIndex) -> bool {
    let mut next = Some(index);
    while let Some(item) = next.and_then(|index| facts.items.get(index as usize)) {
        let hidden = matches!(item.visibility, Visibility::Private | Visibility::Internal)
            && !item.kind.is_namespace()
            && item.kind != ItemKind::Extension;
        if hidden || item.flags.contains(ItemFlags::LOCAL) {
            return false;
        }
        next = item.parent;
    }
    true
}

/// The error for a caller who wants only what others can use, where one of `symbols` is none of
/// that: all overloads have to be hidden.
pub fn check_accessible(view: &AnalysisView<'_>, symbols: &[Symbol]) -> Result<(), ToolError> {
    let accessible = |symbol: &&Symbol| {
        let file = view.index.file(symbol.file);
        file.is_some_and(|file| is_accessible(&file.facts, symbol.item))
    };
    let Some(hidden) = symbols
        .first()
        .filter(|_| !symbols.iter().any(|symbol| accessible(&symbol)))
    else {
        return Ok(());
    };
    let path = view.index.path_of(*hidden);
    let visibility = view
        .index
        .get(*hidden)
        .map_or("", |(_, item)| item.visibility.as_str());
    let alternatives = public_alternatives(view, *hidden);
    let hint = match alternatives.first() {
        Some(first) => format!("`{first}` can be; leave out `visibility` to see everything."),
        None => "Leave out `visibility` to see everything.".to_owned(),
    };
    Err(ToolError::new(
        ErrorCode::AccessDenied,
        format!("'{path}' or its container is {visibility}, so it cannot be used from outside."),
    )
    .hint(hint)
    .detail("publicAlternatives", alternatives))
}

/// What is declared beside a hidden symbol, can be used and has nearly its name; of a type, its bases
/// come before that. Overloads are told apart by their parameters.
fn public_alternatives(view: &AnalysisView<'_>, hidden: Symbol) -> Vec<String> {
    let Some((file, item)) = view.index.get(hidden) else {
        return Vec::new();
    };
    let wanted = words(file.facts.str(item.name));
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut add = |symbol: Symbol, distance: usize| {
        if let Some((file, item)) = view.index.get(symbol)
            && symbol != hidden
            && is_accessible(&file.facts, symbol.item)
        {
            let path = view.index.path_of(symbol);
            let path = match item.kind.is_callable() && !item.params.is_empty() {
                true => format!("{path}({})", file.facts.str(item.params)),
                false => path,
            };
            found.push((distance, path));
        }
    };
    if item.kind.is_type() {
        let bases = needs(view, hidden).into_iter().filter(|need| need.is_base);
        bases.for_each(|base| add(base.symbol, 0));
    }
    for sibling in siblings(view, hidden) {
        let name = view
            .index
            .get(sibling)
            .map(|(file, item)| file.facts.str(item.name));
        if let Some(distance) = name.and_then(|name| distance(&wanted, &words(name))) {
            add(sibling, distance);
        }
    }
    found.sort();
    let mut seen = BTreeSet::new();
    found.retain(|(_, path)| seen.insert(path.clone()));
    found.truncate(MAX_ALTERNATIVES);
    found.into_iter().map(|(_, path)| path).collect()
}

/// What is declared in the same type, or in the same file outside of types.
fn siblings(view: &AnalysisView<'_>, symbol: Symbol) -> Vec<Symbol> {
    let Some((file, item)) = view.index.get(symbol) else {
        return Vec::new();
    };
    let parent = item
        .parent
        .and_then(|parent| Some((parent, file.facts.items.get(parent as usize)?)));
    let owner = match parent {
        Some((index, parent)) if parent.kind.is_type() => Some(Symbol {
            item: index,
            ..symbol
        }),
        Some((_, parent)) if parent.kind == ItemKind::Extension => {
            owner_named(view, file.facts.str(parent.name), symbol)
        }
        _ if !item.container.is_empty() => {
            owner_named(view, file.facts.str(item.container), symbol)
        }
        _ => None,
    };
    if let Some(owner) = owner {
        return view.index.members_in(owner, view.overlay());
    }
    let items = file.facts.items.iter().enumerate();
    let beside = items.filter(|(_, other)| other.parent == item.parent);
    let symbols = beside.map(|(index, _)| Symbol {
        item: index as ItemIndex,
        ..symbol
    });
    symbols.collect()
}

fn owner_named(view: &AnalysisView<'_>, written: &str, around: Symbol) -> Option<Symbol> {
    let path = SymbolPath::parse(written)?;
    type_named(view, path.name(), around).map(|(symbol, _)| symbol)
}

/// How far two names are from each other; `None` where they are different names. A name in other case or
/// with other marks is the same; one that has all the words of the other is near.
fn distance(wanted: &[String], name: &[String]) -> Option<usize> {
    if wanted.is_empty() || name.is_empty() {
        return None;
    }
    let (a, b) = (wanted.concat(), name.concat());
    if a == b {
        return Some(0);
    }
    let holds = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
    if holds(wanted, name) || holds(name, wanted) {
        return Some(1);
    }
    let letters = strsim::levenshtein(&a, &b);
    let is_near = letters <= MAX_DISTANCE && letters * 2 < a.chars().count();
    is_near.then_some(1 + letters)
}

/// The words of a name in lower case: `_saveAll`, `SaveAll` and `save_all` have the same.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (was_lower && letter.is_uppercase()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_near_by_their_words_and_letters() {
        for (a, b, expected) in [
            ("_count", "Count", Some(0)),
            ("save_all", "SaveAll", Some(0)),
            ("AddCore", "Add", Some(1)),
            ("SaveInternalAsync", "SaveAsync", Some(1)),
            ("colour", "Color", Some(2)),
            ("Add", "Sub", None),
            ("a", "b", None),
            ("Größe", "größe", Some(0)),
            ("", "x", None),
        ] {
            assert_eq!(distance(&words(a), &words(b)), expected, "{a} {b}");
        }
    }
}
