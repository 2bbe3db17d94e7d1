//! Property: in C++ no occurrence of a name in code is nowhere. Each is where something of that name is declared, or a use
//! in some tier, or provably another symbol's, or counted as one that leads out of the workspace (SPEC X3).

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::facts::ScopeKind;
use codecortex_bind::{Dialect, bind_masked};
use codecortex_resolve::{ExprRef, FileNo, Resolver, Workspace};
use codecortex_syntax::{Language, as_parsed, parse};
use proptest::prelude::*;

/// What a header declares, with a name in every role.
const DECLARED: [&str; 15] = [
    "struct A0 { int go(); int other; };",
    "class A1 { int go; public: int get() const { return go; } };",
    "int go(int n);",
    "template <class T> struct A2 { T go; };",
    "template <> struct A2<int> { int go; };",
    "enum class A3 { go, stop [[deprecated]] = 1 };",
    "namespace a4 { inline int go = 1; }",
    "#define A5(of) ((of)->go)",
    "#define A6(of, member) ((of)->member)",
    "#define A7 go(1)",
    "union A8 { int go; char c; };",
    "using A9 = decltype(go(1));",
    "struct B0 : A0 { int go() pre(go() > 0); };",
    "class B1 { int size GUARDED_BY(go); A0 go; };",
    "extern int B2(int go, ...);",
];

/// What a source does with it.
const USED: [&str; 22] = [
    "int f0(A0* a) { return a->go(); }",
    "int f1() { return go(2); }",
    "int f2(A2<int> a) { return a.go; }",
    "template <class T> int f3(T t) { return t.go() + T::go; }",
    "int f4(A3 a) { return a == A3::go; }",
    "int f5() { using namespace a4; return a4::go; }",
    "int f6(A0* a) { return A5(a) + A6(a, go) + A7; }",
    "int f7() { extern int go(int); auto l = [go = 1] { return go; }; return l(); }",
    "int f8() { return offsetof(A8, go) + __builtin_offsetof(struct A8, go); }",
    "CASE(\"one\") { int go = 1; CHECK(go == 1); }",
    "CASE_TEMPLATE(\"two\", T, int, A2<int>) { go(3); }",
    "TEST(Go, go) { go(4); }",
    "void f9(B0 b) { go: b.go(); goto go; }",
    "int g0(int go) pre(go > 1) { return go; }",
    "#ifdef GO\nint g1() { return go(5); }\n#else\nint g1() { return outside.go(); }\n#endif",
    "auto g2 = ^^go;",
    "int g3(std::vector<A0> v) { for (auto& a : v | std::views::reverse) a.go(); return 0; }",
    "int g4() { std::pair p{1, A0{}}; return p.second.go(); }",
    "void g5() { switch (1) { case 0 ... 2: go(6); } }",
    "int g6() { return unknown(1).go + unknown::go + \"go\"[0]; /* go */ }",
    "struct G7 { friend A0, B0; int go = go_(1); };",
    "int A0::go() { return this->other + other; }",
];

const NAME: &str = "go";

/// First bytes of a name in code: not in comments and texts.
fn occurrences(text: &str) -> Vec<u32> {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let bytes = text.as_bytes();
    let mut quoted = false;
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if text[at..].starts_with("/*") {
            at += text[at..].find("*/").map_or(2, |end| end + 2);
            continue;
        }
        quoted ^= bytes[at] == b'"';
        let end = at + NAME.len();
        let is_whole = (at == 0 || !is_of_name(bytes[at - 1]))
            && bytes.get(end).is_none_or(|next| !is_of_name(*next));
        if !quoted && text[at..].starts_with(NAME) && is_whole {
            found.push(at as u32);
        }
        at += 1;
    }
    found
}

fn check(files: &[(&str, String)]) -> Result<(), TestCaseError> {
    let mut workspace = Workspace::default();
    for (file, (path, text)) in (0..).zip(files) {
        let readable = as_parsed(Language::Cpp, text).into_owned();
        let tree = parse(Language::Cpp, &readable, None).unwrap();
        let bindings = bind_masked(Dialect::Cpp, text, &readable, &tree);
        workspace.insert(file, path, Dialect::Cpp, &bindings);
    }
    let resolver = Resolver::new(&workspace);
    let all: Vec<_> = (0..files.len() as FileNo)
        .flat_map(|file| resolver.definitions_in(file))
        // What is in a function has no uses elsewhere.
        .filter(|def| {
            let around = resolver.scope_kind(*def);
            let is_local = matches!(
                around,
                Some(ScopeKind::Function | ScopeKind::Block | ScopeKind::Header)
            );
            resolver.name(*def) == NAME && !is_local
        })
        .collect();
    let Some(first) = all.first() else {
        return Ok(());
    };
    let uses = resolver.counted_references_of(&[*first], true);
    let mut outside = 0;
    for (file, (path, text)) in (0..).zip(files) {
        let bound = workspace.file(file).unwrap();
        for at in occurrences(text) {
            let is_declared = bound.defs().iter().any(|def| def.at == at);
            let is_use = uses
                .references
                .iter()
                .any(|of| (of.file, of.at) == (file, at));
            if is_declared || is_use {
                continue;
            }
            let targets = bound.uses().filter(|(_, _, place, _)| *place == at);
            let targets: Vec<_> = targets
                .map(|(expr, ..)| resolver.target(ExprRef { file, expr }))
                .collect();
            let line = text[..at as usize].matches('\n').count() + 1;
            prop_assert!(
                !targets.is_empty(),
                "{path}:{line} byte {at} is nowhere:\n{text}"
            );
            let is_others = targets
                .iter()
                .any(|target| !target.defs.is_empty() || !target.via_aliases.is_empty());
            outside += usize::from(!is_others);
        }
    }
    prop_assert!(
        outside <= uses.outside,
        "{outside} uses are in no tier, {} are counted as outside:\n{files:?}",
        uses.outside
    );
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_occurrence_of_a_name_is_nowhere(
        declared in prop::sample::subsequence(DECLARED.to_vec(), 1..=DECLARED.len()),
        used in prop::sample::subsequence(USED.to_vec(), 1..=USED.len()),
    ) {
        let header = declared.join("\n");
        let source = format!("#include \"a.h\"\n{}\n", used.join("\n"));
        check(&[("a.h", header), ("b.cpp", source)])?;
    }
}

/// The same of all of it at once.
#[test]
fn no_occurrence_is_nowhere_in_everything() {
    let source = format!("#include \"a.h\"\n{}\n", USED.join("\n"));
    check(&[("a.h", DECLARED.join("\n")), ("b.cpp", source)]).unwrap();
}
