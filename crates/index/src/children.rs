//! What is declared directly in what bears a name: candidates for a pattern behind a container (SPEC S2). The cost
//! follows what is in the containers, not how many names there are.

use codecortex_syntax::{Item, ItemKind};
use codecortex_text::wildcard_matches;

use crate::entry::simple_name;
use crate::fold::lower;
use crate::modules;
use crate::overlay::Overlay;
use crate::{FileId, Index, IndexedFile, Symbol};

/// Where more bear the name of a container and the pattern begins with letters, names are sooner looked at.
const MAX_CONTAINERS: usize = 512;

/// Declarations that may be meant by a pattern behind a container: all that do, and some more. None where there is no
/// container, or names are sooner looked at. Everything is in lower case.
pub(crate) fn in_containers(
    index: &Index,
    wanted: &[String],
    overlay: Overlay,
) -> Option<Vec<Symbol>> {
    let [.., container, pattern] = wanted else {
        return None;
    };
    let has_letters = |pattern: &str| !pattern.starts_with(['*', '?']);
    let mut found = Vec::new();
    if !container.contains(['*', '?']) {
        let named = index.named_in(container, overlay).count();
        if named > MAX_CONTAINERS && has_letters(pattern) {
            return None;
        }
        in_container(index, container, overlay, &mut found);
    } else if has_letters(container) && !has_letters(pattern) {
        for name in names_like(index, container) {
            in_container(index, &name, overlay, &mut found);
        }
    } else {
        return None;
    }
    found.retain(|symbol| {
        let item = index.file_in(symbol.file, index.overlay_at(*symbol, overlay));
        let item = item.and_then(|file| Some((file, file.facts.items.get(symbol.item as usize)?)));
        item.is_some_and(|(file, item)| wildcard_matches(pattern, &last_name(file, item)))
    });
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// Names, in lower case, that a pattern covers which begins with letters.
fn names_like(index: &Index, pattern: &str) -> Vec<String> {
    let prefix = pattern.split(['*', '?']).next().unwrap_or("");
    let mut sorted = index.sorted_names.borrow_mut();
    let (places, new) = sorted.starting_with(&index.names, prefix);
    let places = places.iter().map(|place| *place as usize).chain(new);
    let names = places.map(|place| index.names.text(place));
    let fits = names.filter(|name| wildcard_matches(pattern, name));
    let mut names: Vec<String> = fits.map(str::to_owned).collect();
    modules::update(index);
    let modules = index.modules.borrow();
    names.extend(
        modules
            .names()
            .filter(|name| wildcard_matches(pattern, name))
            .map(str::to_owned),
    );
    names.sort_unstable();
    names.dedup();
    names
}

/// Everything directly in what is called so.
fn in_container(index: &Index, container: &str, overlay: Overlay, found: &mut Vec<Symbol>) {
    let mut names_type = false;
    for symbol in index.named_in(container, overlay) {
        let at = index.overlay_at(symbol, overlay);
        if let Some(file) = index.file_in(symbol.file, at) {
            let item = file.facts.items.get(symbol.item as usize);
            names_type |= item.is_some_and(|item| item.kind.is_type());
            children(file, symbol.file, Some(symbol.item), found);
        }
    }
    found.extend(index.outside_members_named(container, overlay));
    for id in files_of_module(index, container, names_type, found) {
        for at in [Overlay::Hidden, overlay] {
            if let Some(file) = index.file_in(id, at) {
                children(file, id, None, found);
            }
        }
    }
}

/// The files of modules, packages and crates that are called so; adds namespaces that are written behind that name.
/// Who names a type means no package: that of a file may be known to nobody who has not read it, and all files are
/// not read for a type.
fn files_of_module(
    index: &Index,
    name: &str,
    is_type: bool,
    found: &mut Vec<Symbol>,
) -> Vec<FileId> {
    let by_path = index.files_with_part(name);
    if is_type && by_path.len() <= MAX_CONTAINERS {
        return by_path.to_vec();
    }
    modules::update(index);
    let modules = index.modules.borrow();
    found.extend(modules.namespaces_in(name));
    match name {
        "crate" => modules.all_of_crates().collect(),
        _ => modules.files_of(name).collect(),
    }
}

/// What is directly in a declaration, or at the top level of a file. What has no name of its own is no part of a path:
/// what is in it is in what is around it.
fn children(file: &IndexedFile, id: FileId, of: Option<u32>, found: &mut Vec<Symbol>) {
    let items = &file.facts.items;
    let end = match of {
        Some(of) => match items.get(of as usize) {
            Some(item) => item.end_byte,
            None => return,
        },
        None => u32::MAX,
    };
    let mut owners = vec![of];
    let first = of.map_or(0, |of| of as usize + 1);
    for (at, item) in items.iter().enumerate().skip(first) {
        if owners.contains(&item.parent) {
            found.push(Symbol {
                file: id,
                item: at as u32,
            });
            if is_nameless(file, item) {
                owners.push(Some(at as u32));
            }
        } else if item.start_byte >= end {
            break;
        }
    }
}

/// Whether a declaration adds nothing to the paths of what is in it.
fn is_nameless(file: &IndexedFile, item: &Item) -> bool {
    let is_sign = |c: char| matches!(c, '.' | ':' | '\\');
    item.kind != ItemKind::Extension
        && file.facts.str(item.name).chars().all(is_sign)
        && item.container.is_empty()
}

/// The last name of a declaration's path, in lower case.
fn last_name(file: &IndexedFile, item: &Item) -> String {
    let name = file.facts.str(item.name);
    lower(match item.kind.is_namespace() {
        true => simple_name(name),
        false => name,
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use codecortex_syntax::{Limits, Outcome, analyse};

    use super::*;
    use crate::SymbolPath;

    const FILES: [(&str, &str); 15] = [
        (
            "a.cs",
            "namespace Memo.Core { partial class Store { int GetA() => 1; int Get; class In { int GetC; } } }",
        ),
        (
            "b.cs",
            "namespace Memo.Core; partial class Store { int GetB() => 1; }\nenum Kind { GetOne }",
        ),
        (
            "m/a.cpp",
            "namespace one::two { struct Store { int getD(); struct { int getAnon; }; }; }",
        ),
        (
            "m/b.cpp",
            "namespace { int getHidden() { return 1; } }\nint one::two::Store::getD() { return 1; }",
        ),
        (
            "store.ts",
            "export function getE() { function getLocal() {} }\nexport namespace Out.In { export const getX = 1; }",
        ),
        ("lib/store.test.ts", "export const getT = 1;"),
        (
            "go/s.go",
            "package s\ntype Store struct { GetF int }\nfunc (s *Store) GetG() {}\nfunc GetTop() {}",
        ),
        (
            "src/store/mod.rs",
            "pub fn get_h() {}\npub mod inner { pub fn get_k() {} }",
        ),
        (
            "src/e.rs",
            "impl crate::d::Store { fn get_i(&self) {} }\nmod deep { impl Store { fn get_j() {} } }",
        ),
        (
            "src/lib.rs",
            "pub fn get_root() {}\npub struct Store { pub get_field: u8 }",
        ),
        ("p/__init__.py", "def get_package(): ..."),
        (
            "p/store.py",
            "class Store:\n    def __init__(self):\n        self.get_made = 1\n    def get_m(self): ...\n",
        ),
        (
            "A.java",
            "package com.acme.shop;\nrecord Store(int getR) { int getS() { return 1; } }\nclass Getter {}",
        ),
        (
            "r.rb",
            "module Shop\n  module Deep; end\nend\nmodule Shop::Deep\n  class Store\n    def get_q; end\n  end\nend\n",
        ),
        (
            "k.kt",
            "package com.acme.shop\nclass Store(val getU: Int) { companion object { fun getV() = 1 } }\nfun Store.getW() = 1",
        ),
    ];

    fn index() -> Index {
        let mut index = Index::new();
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        for (path, text) in FILES {
            if let Outcome::Facts(facts) = analyse(path, text.as_bytes(), limits) {
                index.insert(0, path, facts);
            }
        }
        index.set_crate_names(0, [(String::new(), "my_app".to_owned())]);
        index
    }

    /// What a pattern means, and what it would mean if every declaration was looked at.
    fn both(index: &Index, text: &str) -> [Vec<Symbol>; 2] {
        let path = SymbolPath::parse(text).unwrap();
        let wanted: Vec<String> = path.segments.iter().map(|segment| lower(segment)).collect();
        let all = index.all_files().flat_map(|(file, of)| {
            let items = 0..of.facts.items.len() as u32;
            items.map(move |item| Symbol { file, item })
        });
        let pattern = wanted.last().unwrap().clone();
        let fits = |symbol: &Symbol| {
            let (file, item) = index.get(*symbol).unwrap();
            wildcard_matches(&pattern, &last_name(file, item))
        };
        let few = in_containers(index, &wanted, Overlay::Hidden).unwrap();
        let candidates: [Vec<Symbol>; 2] = [few, all.filter(fits).collect()];
        candidates.map(|candidates| {
            let groups = index.group(&path, &wanted, candidates.into_iter());
            let mut found: Vec<Symbol> = groups
                .into_iter()
                .flat_map(|group| group.resolved.symbols)
                .collect();
            found.sort_unstable();
            found
        })
    }

    #[test]
    fn what_is_in_a_container_is_found_as_if_everything_was_looked_at() {
        let index = index();
        let found = Cell::new(0);
        for pattern in [
            "Store.Get*",
            "store.*",
            "Memo.*",
            "Core.*",
            "Memo.Core.*",
            "Memo.Core.Store.*",
            "In.*",
            "one.*",
            "two.*",
            "Out.*",
            "Out.In.*",
            "test.*",
            "s.*",
            "inner.*",
            "deep.*",
            "crate.*",
            "crate::store::*",
            "my_app.*",
            "p.*",
            "shop.*",
            "acme.*",
            "com.acme.shop.Store.*",
            "Shop.*",
            "Deep.*",
            "Kind.*",
            "Sto*.*",
            "s*.*",
            "getE.*",
            "Store.?et*",
            "nothing.*",
        ] {
            let [few, all] = both(&index, pattern);
            assert_eq!(few, all, "{pattern}");
            found.set(found.get() + few.len());
        }
        assert!(found.get() > 60, "{}", found.get());
    }

    /// SPEC S2: who asks for what is in one type is not made to wait for all others.
    #[test]
    fn only_what_is_in_the_container_is_looked_at() {
        let mut index = index();
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        for at in 0..500 {
            let text = format!("namespace Other {{ class O{at} {{ int Get{at}; int Set{at}; }} }}");
            if let Outcome::Facts(facts) = analyse("o.cs", text.as_bytes(), limits) {
                index.insert(0, &format!("o/{at}.cs"), facts);
            }
        }
        for (pattern, most) in [("core.*", 8), ("o7.*", 2), ("o7.get*", 1)] {
            let wanted: Vec<String> = pattern.split('.').map(str::to_owned).collect();
            let found = in_containers(&index, &wanted, Overlay::Hidden).unwrap();
            assert!(
                !found.is_empty() && found.len() <= most,
                "{pattern}: {}",
                found.len()
            );
        }
    }

    #[test]
    fn the_table_of_modules_takes_in_what_changes() {
        let mut index = index();
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: false,
        };
        let count = |index: &Index, pattern: &str| both(index, pattern)[0].len();
        assert_eq!(count(&index, "other.*"), 0);
        let before = count(&index, "shop.*");
        if let Outcome::Facts(facts) =
            analyse("A.java", b"package com.acme.other; class Getter {}", limits)
        {
            index.insert(0, "A.java", facts);
        }
        assert_eq!(count(&index, "other.*"), 1);
        assert_eq!(count(&index, "shop.*"), before - 2);
        index.remove(0, "A.java");
        assert_eq!(count(&index, "other.*"), 0);
        index.remove(0, "p/__init__.py");
        assert_eq!(count(&index, "p.*"), 0);
    }
}
