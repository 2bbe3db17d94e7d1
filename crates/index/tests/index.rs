//! The index as a whole: what files say together, and that files can be taken out again.
#![allow(clippy::unwrap_used, reason = "a test")]

use codecortex_index::{Index, Resolution, SearchQuery, SymbolPath};
use codecortex_syntax::{Facts, ItemIndex, Limits, Outcome, Rest, Reuse, analyse};
use proptest::prelude::*;

fn facts(path: &str, text: &str) -> Facts {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse(path, text.as_bytes(), limits) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{path}: {outcome:?}"),
    }
}

fn index(files: &[(&str, &str)]) -> Index {
    let mut index = Index::new();
    for (path, text) in files {
        index.insert(0, path, facts(path, text));
    }
    index
}

fn resolve(index: &Index, path: &str) -> Result<String, Vec<String>> {
    match index.resolve(&SymbolPath::parse(path).unwrap()) {
        Resolution::One(found) => Ok(found.path),
        Resolution::Many(found) => Err(found.into_iter().map(|found| found.path).collect()),
        Resolution::None(suggestions) => Err(suggestions),
    }
}

fn members(index: &Index, path: &str) -> Vec<String> {
    let Resolution::One(found) = index.resolve(&SymbolPath::parse(path).unwrap()) else {
        panic!("{path} is not one symbol");
    };
    index
        .members(found.symbols[0])
        .into_iter()
        .map(|member| index.path_of(member))
        .collect()
}

#[test]
fn paths_are_written_as_each_language_writes_them() {
    let index = index(&[
        (
            "a.cs",
            "namespace A.B { class Outer { class Inner { void M() {} } } }",
        ),
        (
            "crates/x/src/net/http.rs",
            "pub struct Client; impl Client { pub fn get(&self) {} }",
        ),
        ("src/ui/view.ts", "export class View { render(): void {} }"),
        ("pkg/__init__.py", ""),
        ("pkg/mod.py", "class K:\n    def f(self): ...\n"),
        ("pkg/space/app.py", "class App: ...\n"),
        (
            "srv/main.go",
            "package srv\ntype T struct{}\nfunc (t *T) Run() {}\n",
        ),
        (
            "p/Q.java",
            "package com.acme; public class Q { void go() {} }",
        ),
        (
            "n.cpp",
            "namespace n { class C { void m(); }; }\nvoid n::C::m() {}\n",
        ),
    ]);
    for (query, path) in [
        ("Inner.M", "A.B.Outer+Inner.M"),
        ("Client.get", "x::net::http::Client::get"),
        ("View.render", "src/ui/view.View.render"),
        ("K.f", "pkg.mod.K.f"),
        ("App", "pkg.space.app.App"),
        ("T.Run", "srv.T.Run"),
        ("Q.go", "com.acme.Q.go"),
        ("C::m", "n::C::m"),
    ] {
        assert_eq!(resolve(&index, query).as_deref(), Ok(path), "{query}");
        assert_eq!(
            resolve(&index, path).as_deref(),
            Ok(path),
            "the path resolves to itself"
        );
    }
}

#[test]
fn members_meet_from_everywhere() {
    let index = index(&[
        ("a.cs", "namespace N; partial class P { void A() {} }"),
        ("b.cs", "namespace N; partial class P { void B() {} }"),
        ("c.cs", "namespace Other; partial class P { void C() {} }"),
        (
            "src/lib.rs",
            "pub struct S { x: u8 } impl S { fn new() {} } impl Clone for S { fn clone(&self) -> S { S{x:0} } }",
        ),
        ("g/a.go", "package g\ntype T struct{ F int }\n"),
        ("g/b.go", "package g\nfunc (t T) M() {}\n"),
        ("h/b.go", "package g\nfunc (t T) Elsewhere() {}\n"),
        (
            "w.h",
            "namespace w { class W { public: void m(int); int f; }; }",
        ),
        (
            "w.cc",
            "namespace w { void W::m(int) {} void W::extra() {} }",
        ),
    ]);
    assert_eq!(members(&index, "N.P"), ["N.P.A", "N.P.B"]);
    let rust = members(&index, "S");
    assert_eq!(rust.len(), 3, "{rust:?}");
    assert_eq!(members(&index, "g.T"), ["g.T.F", "g.T.M"]);
    assert_eq!(
        members(&index, "w::W"),
        ["w::W::m", "w::W::f", "w::W::extra"]
    );
}

#[test]
fn case_arity_and_overloads_decide() {
    let index = index(&[
        (
            "a.cs",
            "class Map<K, V> { void Add(int a) {} void Add(string a, int b) {} } class Map { } class map { }",
        ),
        ("b.py", "class Store:\n    def __init__(self): ...\n"),
        ("c.cs", "class Thing { Thing() {} }"),
        (
            "d.cs",
            "namespace n { class Pair<A, B> { } class Pair { } }",
        ),
    ]);
    assert!(resolve(&index, "Map<K,V>").is_ok());
    assert_eq!(resolve(&index, "map").as_deref(), Ok("map"));
    assert_eq!(
        resolve(&index, "Map").as_deref(),
        Ok("Map"),
        "a whole path without type arguments is the type without parameters"
    );
    assert_eq!(resolve(&index, "Map<K, V>"), resolve(&index, "Map`2"));
    assert_eq!(
        resolve(&index, "Pair").unwrap_err(),
        ["n.Pair", "n.Pair<A, B>"],
        "two arities are two types, shown so that each can be asked for"
    );
    assert_eq!(resolve(&index, "n.Pair").as_deref(), Ok("n.Pair"));
    assert!(resolve(&index, "n.Pair<A, B>").is_ok());
    assert_eq!(
        resolve(&index, "Thing").as_deref(),
        Ok("Thing"),
        "the class, not its constructor"
    );
    let overload = index.resolve(&SymbolPath::parse("Map.Add(string,int)").unwrap());
    let Resolution::One(found) = overload else {
        panic!("{overload:?}")
    };
    assert_eq!(found.symbols.len(), 1);
}

const SOURCES: [(&str, &str); 6] = [
    (
        "a.cs",
        "namespace N; /** <summary>Quick words.</summary> */ public partial class Alpha { public void Beta() {} }",
    ),
    (
        "b.cs",
        "namespace N; public partial class Alpha { int gamma; }",
    ),
    (
        "c.py",
        "class Alpha:\n    \"\"\"Other words.\"\"\"\n    def beta(self): ...\n",
    ),
    (
        "d/e.go",
        "package d\ntype Alpha struct{}\nfunc (a *Alpha) Beta() {}\n",
    ),
    (
        "src/f.rs",
        "pub struct Alpha; impl Alpha { pub fn beta(&self) {} }",
    ),
    (
        "g.ts",
        "export class Alpha { beta(): void {} }\nexport interface Beta {}",
    ),
];

/// Everything that can be asked of an index, without file ids.
fn answers(index: &Index) -> String {
    let mut out = format!(
        "{} {} {}\n",
        index.file_count(),
        index.symbol_count(),
        index.line_count()
    );
    for text in ["Alpha", "bet", "words", "gma", "A"] {
        let query = SearchQuery {
            text: text.into(),
            ..SearchQuery::default()
        };
        for hit in index.search(&query) {
            out.push_str(&format!("{:?} {}\n", hit.kind, index.path_of(hit.symbol)));
        }
    }
    for path in ["Alpha", "N.Alpha", "beta", "*a", "Alhpa"] {
        match index.resolve(&SymbolPath::parse(path).unwrap()) {
            Resolution::One(found) => {
                let members = index.members(found.symbols[0]);
                out.push_str(&format!(
                    "{} {:?}\n",
                    found.path,
                    members
                        .iter()
                        .map(|m| index.path_of(*m))
                        .collect::<Vec<_>>()
                ));
            }
            Resolution::Many(found) => out.push_str(&format!(
                "{:?}\n",
                found.iter().map(|f| &f.path).collect::<Vec<_>>()
            )),
            Resolution::None(suggestions) => out.push_str(&format!("{suggestions:?}\n")),
        }
    }
    out
}

proptest! {
    /// Any order of additions, replacements and removals gives what indexing the result anew gives.
    #[test]
    fn incremental_equals_full(steps in prop::collection::vec((0usize..6, 0usize..6, any::<bool>()), 0..24)) {
        let mut incremental = Index::new();
        let mut present = std::collections::BTreeMap::new();
        for (place, source, add) in steps {
            let path = SOURCES[place].0;
            // The same file with another file's text, where the language fits: a rewrite.
            let text = if SOURCES[source].0.rsplit('.').next() == path.rsplit('.').next() { SOURCES[source].1 } else { SOURCES[place].1 };
            if add {
                incremental.insert(0, path, facts(path, text));
                present.insert(path, text);
            } else {
                prop_assert_eq!(incremental.remove(0, path), present.remove(path).is_some());
            }
        }
        let files: Vec<(&str, &str)> = present.into_iter().collect();
        prop_assert_eq!(answers(&incremental), answers(&index(&files)));
    }
}

/// Go functions and methods, some called alike and some written outside of the same type.
fn declarations(names: &[usize]) -> String {
    const FORMS: [&str; 5] = [
        "func Run() {}",
        "func run() {}",
        "func (s *Store) Run() {}",
        "func (s *Store) Get() {}",
        "type Store struct{}",
    ];
    let lines: Vec<&str> = names.iter().map(|name| FORMS[*name]).collect();
    format!("package p\n{}\n", lines.join("\n"))
}

proptest! {
    /// Declarations exchanged for more or fewer others: every later one has a new number, and is found by it.
    #[test]
    fn exchanging_items_equals_indexing_anew(
        before in prop::collection::vec(0usize..5, 1..24),
        new in prop::collection::vec(0usize..5, 0..8),
        (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let (from, to) = (from.index(before.len()), to.index(before.len()));
        let removed = from.min(to)..from.max(to);
        let mut after = before.clone();
        after.splice(removed.clone(), new.clone());
        let rest = ("pkg/other.go", "package p\nfunc (s *Store) Run() {}\nfunc run() {}\n");
        let path = "pkg/store.go";
        let mut edited = index(&[(path, &declarations(&before)), rest]);
        let reuse = Reuse {
            first: removed.start as ItemIndex,
            removed: removed.len() as ItemIndex,
            added: new.len() as ItemIndex,
            same_names: before[removed] == new[..],
            same_docs: false,
            rest: Rest::Cosmetic,
            visited: 0,
            parsed: 0,
        };
        let file = edited.file_id(0, path).unwrap();
        edited.exchange(file, facts(path, &declarations(&after)), &reuse);
        let anew = index(&[(path, &declarations(&after)), rest]);
        let found = |index: &Index, query: &str| -> Vec<String> {
            let hits = index.search(&SearchQuery {
                text: query.into(),
                ..SearchQuery::default()
            });
            let place = |symbol| {
                let (file, item) = index.get(symbol).unwrap();
                format!("{} {} {}", file.path, item.start_byte, index.path_of(symbol))
            };
            hits.into_iter().map(|hit| place(hit.symbol)).collect()
        };
        for query in ["run", "get", "store"] {
            prop_assert_eq!(found(&edited, query), found(&anew, query));
        }
        prop_assert_eq!(edited.symbol_count(), anew.symbol_count());
        prop_assert_eq!(answers(&edited), answers(&anew));
    }
}
