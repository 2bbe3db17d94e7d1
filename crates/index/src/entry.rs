//! What a declaration is called in the table of names.

use codecortex_syntax::{Facts, Item, ItemIndex, ItemKind};

use crate::fold::{lower, word_starts};
use crate::names::{NameSymbols, NameTable};
use crate::symbol::{FileId, Symbol};

/// Adds a symbol in its place: which of two files was read or edited last is nothing that answers tell.
pub(crate) fn put(symbols: &mut NameSymbols, symbol: Symbol) {
    if symbols.last().is_none_or(|last| *last < symbol) {
        symbols.push(symbol);
    } else if let Err(place) = symbols.binary_search(&symbol) {
        symbols.insert(place, symbol);
    }
}

fn take_out(symbols: &mut NameSymbols, symbol: Symbol) {
    if let Ok(place) = symbols.binary_search(&symbol) {
        symbols.remove(place);
    }
}

/// Gives a symbol its new number, which is beyond none of those that it stands between.
fn renumber(symbols: &mut [Symbol], symbol: Symbol, item: ItemIndex) {
    if let Ok(place) = symbols.binary_search(&symbol) {
        symbols[place].item = item;
    }
}

/// What an item is called in the table of names, and the type it is written outside of.
#[derive(Clone, Copy)]
pub(crate) struct NameEntry<'a> {
    pub(crate) name: &'a str,
    pub(crate) container: Option<&'a str>,
}

impl<'a> NameEntry<'a> {
    pub(crate) fn from_facts(facts: &'a Facts, item: ItemIndex) -> Self {
        let item = facts.items.get(item as usize);
        Self {
            name: item.map_or("", |item| simple_name(facts.str(item.name))),
            container: item.and_then(|item| outside_container(facts, item)),
        }
    }

    pub(crate) fn put(self, names: &mut NameTable, file: FileId, item: ItemIndex) {
        let symbol = Symbol { file, item };
        let place = names.place_of(self.name);
        let entry = &mut names[place];
        entry.word_starts |= word_starts(self.name);
        put(&mut entry.symbols, symbol);
        if let Some(container) = self.container {
            let place = names.place_of(container);
            put(&mut names[place].outside_members, symbol);
        }
    }

    pub(crate) fn take_out(self, names: &mut NameTable, file: FileId, item: ItemIndex) {
        let symbol = Symbol { file, item };
        if let Some(name) = names.get_mut(lower(self.name).as_str()) {
            take_out(&mut name.symbols, symbol);
        }
        if let Some(container) = self.container
            && let Some(name) = names.get_mut(lower(container).as_str())
        {
            take_out(&mut name.outside_members, symbol);
        }
    }

    pub(crate) fn renumber(
        self,
        names: &mut NameTable,
        file: FileId,
        item: ItemIndex,
        now: ItemIndex,
    ) {
        let symbol = Symbol { file, item };
        if let Some(name) = names.get_mut(lower(self.name).as_str()) {
            renumber(&mut name.symbols, symbol, now);
        }
        if let Some(container) = self.container
            && let Some(name) = names.get_mut(lower(container).as_str())
        {
            renumber(&mut name.outside_members, symbol, now);
        }
    }
}

/// The simple name of the type that a member written outside of it belongs to.
fn outside_container<'a>(facts: &'a Facts, item: &Item) -> Option<&'a str> {
    let container = facts.str(item.container);
    (!container.is_empty() && item.kind != ItemKind::Extension)
        .then(|| container_parts(container).pop().unwrap_or(container))
}

/// The last segment of a name that is itself a path (`namespace A.B`).
pub(crate) fn simple_name(name: &str) -> &str {
    if name.starts_with("operator") {
        return name;
    }
    name.rsplit(['.', ':', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or(name)
}

/// The names in `A::B<C::D>`, outermost first, type arguments left out: a type is called by its
/// name wherever its members are written.
pub(crate) fn container_parts(container: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let ends = container.char_indices().chain([(container.len(), ':')]);
    for (at, letter) in ends {
        match letter {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' | ')' => depth = depth.saturating_sub(1),
            ':' | '.' | '\\' if depth == 0 || at == container.len() => {
                let part = container[start..at].trim();
                let name = part.split(['<', '[']).next().unwrap_or(part).trim_end();
                parts.push(if name.is_empty() { part } else { name });
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::container_parts;

    #[test]
    fn a_container_is_named_without_type_arguments() {
        for (container, parts) in [
            ("Queue<T>", &["Queue"][..]),
            ("a::Map<std::string, V<x::Y>>::Iter", &["a", "Map", "Iter"]),
            ("Stack[T]", &["Stack"]),
            ("A.B", &["A", "B"]),
            ("crate::A", &["crate", "A"]),
            ("[u8]", &["[u8]"]),
            ("", &[]),
            ("::A<", &["A"]),
            ("Ünter<é>", &["Ünter"]),
        ] {
            assert_eq!(container_parts(container), parts, "{container}");
        }
    }
}
