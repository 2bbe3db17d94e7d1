//! Bad input (SPEC P5): whatever the bytes, `analyse` ends, and what it says is consistent.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test, and its fixtures are files"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use codecortex_syntax::{
    Facts, LANGUAGES, Language, Limits, Outcome, SkipReason, analyse, as_parsed, comparisons,
    encode_outcome, hundred_operations, language_of_path,
};
use codecortex_text::{LineIndex, decode};
use proptest::prelude::*;

const LIMITS: Limits = Limits {
    max_file_size: 16 << 20,
    exclude_generated: true,
};

/// A path that makes [`analyse`] take a text as that language.
fn path_of(language: Language) -> String {
    format!("src/file.{}", language.info().extensions[0])
}

fn facts(path: &str, bytes: &[u8]) -> Facts {
    match analyse(path, bytes, LIMITS) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{path} was skipped: {outcome:?}"),
    }
}

fn fixtures() -> &'static [(PathBuf, String)] {
    static FIXTURES: OnceLock<Vec<(PathBuf, String)>> = OnceLock::new();
    FIXTURES.get_or_init(read_fixtures)
}

fn read_fixtures() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if language_of_path(&path.to_string_lossy()).is_some() {
                let text = fs::read_to_string(&path).unwrap();
                files.push((path, text));
            }
        }
    }
    files.sort();
    files
}

/// What must hold for the facts of any text.
fn check(facts: &Facts, bytes: &[u8]) {
    let decoded = decode(bytes).unwrap();
    let text: &str = &decoded.text;
    let lines = LineIndex::new(text);
    assert_eq!(facts.bytes as usize, text.len());
    assert_eq!(facts.lines, lines.line_count());
    for (index, item) in facts.items.iter().enumerate() {
        let name = facts.str(item.name);
        assert!(!name.is_empty());
        assert!(item.start_byte <= item.end_byte, "{name}");
        assert!(
            text.get(item.start_byte as usize..item.end_byte as usize)
                .is_some(),
            "{name}"
        );
        assert!(text.is_char_boundary(item.name_byte as usize), "{name}");
        assert_eq!(item.start, lines.position(item.start_byte, text), "{name}");
        assert_eq!(item.end, lines.position(item.end_byte, text), "{name}");
        assert_eq!(
            item.name_start,
            lines.position(item.name_byte, text),
            "{name}"
        );
        assert!(item.name_start <= item.name_end, "{name}");
        let Some(parent) = item.parent else { continue };
        assert!((parent as usize) < index, "{name} comes before its parent");
        let parent = &facts.items[parent as usize];
        let inside = parent.start_byte <= item.start_byte && item.end_byte <= parent.end_byte;
        // JavaScript adds members to what stands further up: `Route.prototype.all = …`.
        let inside = inside || is_script(facts.language);
        assert!(
            inside || !item.container.is_empty(),
            "{name} is outside of {}",
            facts.str(parent.name)
        );
    }
    for base in &facts.bases {
        assert!((base.item as usize) < facts.items.len());
        assert!(!facts.str(base.name).is_empty());
    }
}

fn is_script(language: Language) -> bool {
    use Language::{JavaScript, Tsx, TypeScript};
    matches!(language, JavaScript | TypeScript | Tsx)
}

fn check_outcome(path: &str, bytes: &[u8]) {
    if let Outcome::Facts(facts) = analyse(path, bytes, LIMITS) {
        check(&facts, bytes);
    }
}

/// Items as a person would compare them.
fn names(facts: &Facts) -> Vec<String> {
    facts
        .items
        .iter()
        .map(|item| {
            format!(
                "{} {} {} {}",
                item.kind.as_str(),
                facts.str(item.name),
                facts.str(item.signature),
                facts.str(item.doc)
            )
        })
        .collect()
}

fn any_language() -> impl Strategy<Value = Language> {
    (0..LANGUAGES.len()).prop_map(|row| LANGUAGES[row].language)
}

/// Fragments that open, close and confuse.
const FRAGMENTS: [&str; 32] = [
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "\\",
    "\n",
    "\r",
    "\t",
    "\u{feff}",
    "\u{2028}",
    "é",
    "😀",
    "class X {",
    "fn f(",
    "def f(",
    "#if A\n",
    "#else\n",
    "namespace ",
    "=> ",
    "::",
    "template <",
];

/// One change of a text.
#[derive(Clone, Debug)]
enum Mutation {
    Delete(prop::sample::Index, usize),
    Insert(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), 1_usize..40).prop_map(|(at, length)| Mutation::Delete(at, length)),
        (place(), 0..FRAGMENTS.len()).prop_map(|(at, which)| Mutation::Insert(at, which)),
        (place(), 1_usize..200).prop_map(|(at, length)| Mutation::Repeat(at, length)),
    ]
}

fn mutate(mut bytes: Vec<u8>, mutations: &[Mutation]) -> Vec<u8> {
    for mutation in mutations {
        let length = bytes.len();
        match mutation {
            Mutation::Delete(at, count) => {
                let start = at.index(length + 1);
                bytes.drain(start..(start + count).min(length));
            }
            Mutation::Insert(at, which) => {
                let start = at.index(length + 1);
                bytes.splice(start..start, FRAGMENTS[*which].bytes());
            }
            Mutation::Repeat(at, count) => {
                let start = at.index(length + 1);
                let part = bytes[start..(start + count).min(length)].to_vec();
                bytes.splice(start..start, part);
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(language in any_language(), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check_outcome(&path_of(language), &bytes);
    }

    #[test]
    fn any_text(language in any_language(), text in any::<String>()) {
        check_outcome(&path_of(language), text.as_bytes());
    }

    #[test]
    fn any_fragments(
        language in any_language(),
        parts in prop::collection::vec(prop::sample::select(FRAGMENTS.to_vec()), 0..60),
    ) {
        check_outcome(&path_of(language), parts.concat().as_bytes());
    }

    #[test]
    fn damaged_code(
        which in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 1..8),
    ) {
        let fixtures = fixtures();
        let (path, text) = which.get(fixtures);
        let bytes = mutate(text.clone().into_bytes(), &mutations);
        let path = path.to_string_lossy();
        check_outcome(&path, &bytes);
        let again = || encode_outcome(&analyse(&path, &bytes, LIMITS));
        prop_assert_eq!(again(), again());
    }
}

#[test]
fn fixtures_are_consistent_and_repeatable() {
    for (path, text) in fixtures() {
        let path = path.to_string_lossy();
        check(&facts(&path, text.as_bytes()), text.as_bytes());
        let first = encode_outcome(&analyse(&path, text.as_bytes(), LIMITS));
        let elsewhere = std::thread::scope(|scope| {
            let other = scope.spawn(|| encode_outcome(&analyse(&path, text.as_bytes(), LIMITS)));
            other.join().unwrap()
        });
        assert_eq!(first, elsewhere, "{path}");
    }
}

#[test]
fn a_file_cut_off_anywhere_is_read() {
    for (path, text) in fixtures() {
        let path = path.to_string_lossy();
        for end in (0..text.len()).step_by(97) {
            check_outcome(&path, &text.as_bytes()[..end]);
        }
    }
}

#[test]
fn the_encoding_does_not_matter() {
    for (path, text) in fixtures() {
        let path = path.to_string_lossy();
        let expected = facts(&path, text.as_bytes());
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let encodings = [
            [b"\xEF\xBB\xBF", text.as_bytes()].concat(),
            [b"\xFF\xFE", little.as_slice()].concat(),
            [b"\xFE\xFF", big.as_slice()].concat(),
            little,
            big,
        ];
        for bytes in encodings {
            let mut found = facts(&path, &bytes);
            found.hash = expected.hash;
            assert_ne!(found.cosmetic, expected.cosmetic, "{path}");
            found.cosmetic = expected.cosmetic;
            assert_eq!(found, expected, "{path}");
        }
    }
}

#[test]
fn invalid_utf8_costs_only_itself() {
    let source =
        b"// \xFF\xC3 broken\npub fn found() {}\nconst TEXT: &str = \"\xF0\x9F\";\nfn last() {}\n";
    let found = facts("a.rs", source);
    check(&found, source);
    assert_eq!(found.items.len(), 3);
}

#[test]
fn nul_bytes_make_a_file_binary_and_nothing_worse() {
    let outcome = analyse("a.rs", b"fn a() {}\0fn b() {}", LIMITS);
    assert_eq!(outcome, Outcome::Skipped(SkipReason::Binary));
    // Beyond what is looked at, a NUL is a character like another.
    let mut late = "// filler\n".repeat(1_000).into_bytes();
    late.extend(b"fn a() {}\n\0\nfn b() {}\n");
    let found = facts("a.rs", &late);
    check(&found, &late);
    assert!(
        names(&found)
            .iter()
            .any(|name| name.starts_with("function b"))
    );
}

#[test]
fn line_breaks_do_not_matter() {
    for (path, text) in fixtures() {
        let path = path.to_string_lossy();
        let expected = facts(&path, text.as_bytes());
        let windows = text.replace('\n', "\r\n");
        let found = facts(&path, windows.as_bytes());
        check(&found, windows.as_bytes());
        let places = |facts: &Facts| -> Vec<_> {
            let place = |item: &codecortex_syntax::Item| (item.kind, item.start, item.name_start);
            facts.items.iter().map(place).collect()
        };
        assert_eq!(places(&found), places(&expected), "{path}");
        // Grammars do not know a lone carriage return; it must only do no harm.
        check_outcome(&path, text.replace('\n', "\r").as_bytes());
    }
}

/// A text nested ten thousand deep, by a piece that opens and one that closes.
fn nested(head: &str, open: &str, close: &str, tail: &str) -> String {
    const DEPTH: usize = 10_000;
    [head, &open.repeat(DEPTH), &close.repeat(DEPTH), tail].concat()
}

fn nestings(language: Language) -> Vec<String> {
    let (head, open, close, tail) = match language {
        Language::CSharp => ("", "class A { ", "}", "class Last {}"),
        Language::Java => ("", "class A { ", "}", "class Last {}"),
        Language::Cpp => ("", "struct A { ", "};", "struct Last {};"),
        Language::C => ("void f() ", "{", "}", "\nstruct last { int a; };"),
        Language::Python => ("def f():\n  return ", "(", ")", "\ndef last(): pass\n"),
        Language::Rust => ("", "mod a { ", "}", "fn last() {}"),
        Language::Go => ("package a\nfunc f() ", "{", "}", "\nfunc last() {}\n"),
        Language::Ruby => ("", "module A\n", "end\n", "def last; end\n"),
        Language::Php => ("<?php ", "function f() { ", "}", "\nfunction last() {}\n"),
        Language::Kotlin | Language::Swift => ("", "class A { ", "}", "\nclass Last {}\n"),
        Language::Scala => ("", "object A { ", "}", "\nobject Last {}\n"),
        Language::Lua => ("", "function f() ", "end\n", "function last() end\n"),
        Language::Bash => ("", "f() { ", "}\n", "last() { :; }\n"),
        Language::Dart => ("f() ", "{", "}", "\nlast() {}\n"),
        Language::AngelScript => ("void f() ", "{", "}", "\nclass Last {}"),
        Language::Zig => ("fn f() void ", "{", "}", "\nfn last() void {}\n"),
        Language::Elixir => ("", "defmodule A do\n", "end\n", "def last, do: 1\n"),
        _ => ("", "function f() { ", "}", "\nfunction last() {}"),
    };
    let mut texts = vec![nested(head, open, close, tail)];
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        texts.push(nested("x = ", open, close, "\n"));
        texts.push(nested("x = ", open, "", "\n"));
        texts.push(nested("", "", close, "\n"));
    }
    texts
}

#[test]
fn deep_nesting_needs_no_stack() {
    for row in &LANGUAGES {
        let language = row.language;
        let worker = std::thread::Builder::new().stack_size(2 << 20);
        let check_all = move || {
            for text in nestings(language) {
                check_outcome(&path_of(language), text.as_bytes());
            }
        };
        worker.spawn(check_all).unwrap().join().unwrap();
    }
}

#[test]
fn indentation_may_be_deep_too() {
    let text: String = (0..300)
        .map(|depth| format!("{}class A:\n", " ".repeat(depth)))
        .collect();
    let found = facts("a.py", text.as_bytes());
    check(&found, text.as_bytes());
}

/// Found by `damaged_code`: the next namespace ends what is in the one before it.
#[test]
fn a_namespace_in_a_method_ends_with_what_is_around_it() {
    let text = "<?php\nnamespace A;\ntrait B {\n  function c() {namespace \n    echo \"x\";\n  }\n}\n\nnamespace E;\nclass F {}\n";
    let found = facts("a.php", text.as_bytes());
    check(&found, text.as_bytes());
    let name = |name: &str| found.items.iter().any(|item| found.str(item.name) == name);
    assert!(["A", "B", "c", "echo", "E", "F"].into_iter().all(name));
}

/// What scanners remember between tokens has to fit into a kilobyte, and into the fields it is written in: see
/// `scanner.rs`. Each of these texts ended the process.
#[test]
fn what_a_scanner_remembers_may_be_long() {
    let last = "\ndef last\nend\n";
    for length in [
        254, 255, 256, 257, 300, 600, 1010, 1015, 1016, 1017, 1018, 1019, 1020, 5000,
    ] {
        let word = "a".repeat(length);
        for open in [
            format!("<<{word}"),
            format!("<<~'{word}'"),
            format!("<<\"{word}"),
        ] {
            for before in ["", "p <<~B, ", "p %w(a #{"] {
                let text = format!("class A\n{before}{open}, <<C\n b\n{word}\nC\nend{last}");
                check_outcome("a.rb", text.as_bytes());
            }
        }
    }
    let many = |count: usize, last: usize| -> String {
        let words = (0..count).map(|at| format!("<<A{at:03}, "));
        format!("p {}<<{}\n", words.collect::<String>(), "b".repeat(last))
    };
    for count in [125, 126, 127, 128, 300] {
        for last in 1..12 {
            check_outcome("a.rb", many(count, last).as_bytes());
        }
    }
    for deepest in ["'a'", "f'{f\"{1}\"}'", "1"] {
        let blocks: String = (0..600)
            .map(|depth| format!("{}if {deepest}:\n", " ".repeat(depth)))
            .collect();
        let text = format!("{blocks}{}x = {deepest}\n", " ".repeat(600));
        check_outcome("a.py", text.as_bytes());
    }
}

/// A scanner that asks about a character which its C library has no answer for: see `preprocess/bash.rs`. This ended the
/// process.
#[test]
fn any_character_may_follow_a_brace() {
    for last in ["\u{e01da}", "1\u{10ffff}", "1..\u{e01da}", "1..2\u{10ffff}"] {
        let text = format!("f() {{ :; }}\necho {{{last}}}\n");
        check_outcome("a.sh", text.as_bytes());
    }
}

#[test]
fn a_line_of_megabytes_is_told_apart() {
    let line = "var a = 1; ".repeat(5 << 17);
    let outcome = analyse("a.js", line.as_bytes(), LIMITS);
    assert_eq!(outcome, Outcome::Skipped(SkipReason::Minified));
    let small = Limits {
        max_file_size: 1 << 20,
        ..LIMITS
    };
    let outcome = analyse("a.js", line.as_bytes(), small);
    assert_eq!(outcome, Outcome::Skipped(SkipReason::Oversized));
}

#[test]
fn a_long_line_among_short_ones_keeps_its_declarations() {
    // Not ASCII, so columns must be counted, and every declaration is on the one long line.
    let mut text = "// größe\n".repeat(2_000);
    text.push_str(&"static int ä = 1; ".repeat(20_000));
    let found = facts("a.c", text.as_bytes());
    assert_eq!(found.items.len(), 20_000);
}

/// `piece` over and over: in lines, and as one long line among empty ones, so that neither is taken
/// for the work of a minifier.
fn hostile(piece: &str, size: usize) -> [String; 2] {
    let line = piece.repeat(120_usize.div_ceil(piece.len())) + "\n";
    let lines = line.repeat(size / line.len());
    let blank = "\n".repeat(size / 300);
    [lines, blank + &piece.repeat(size / piece.len())]
}

const HOSTILE: [&str; 32] = [
    "a<",
    "(a)",
    "a*",
    "<a>",
    "a(b)*",
    "async (",
    "f(a<b,",
    "[a]",
    "a?",
    "\"${",
    "(",
    "[",
    "{",
    "<",
    "a?b:",
    "x=>",
    "\"",
    "`${",
    "<a",
    "#if a\n",
    "if(a)",
    "f\"{",
    "class A{",
    "A<B<",
    "a::<",
    "|x|",
    "new ",
    "/*",
    "template<",
    "-",
    "case ",
    "(x)=>(",
];

/// Texts that keep a parser of ambiguous languages undecided: its operations are bounded by their
/// length.
#[test]
fn ambiguity_is_bounded() {
    let check_language = |language: Language| {
        let path = path_of(language);
        // The bound does not depend on the language; one that is described by data alone adds a table.
        let size = if language <= Language::Cpp {
            60_000
        } else {
            20_000
        };
        for piece in HOSTILE {
            let [lines, _] = hostile(piece, size);
            let before = hundred_operations();
            check_outcome(&path, lines.as_bytes());
            let work = hundred_operations() - before;
            assert!(work < 12_000, "{path}: {work} for {piece}");
        }
    };
    std::thread::scope(|scope| {
        for row in &LANGUAGES {
            scope.spawn(move || check_language(row.language));
        }
    });
}

/// Where the parser's operations grow without bound, what is left to parse has none of them.
#[test]
fn ambiguous_text_is_cut() {
    for (language, piece) in [
        (Language::CSharp, "a<"),
        (Language::CSharp, "<a"),
        (Language::CSharp, "A<B<"),
        (Language::C, "x=>"),
        (Language::Java, "x=>"),
        (Language::Java, "a<"),
        (Language::Python, "/*"),
        (Language::TypeScript, "a<b,"),
        (Language::Tsx, "a<b,"),
    ] {
        for text in hostile(piece, 60_000) {
            let parsed = as_parsed(language, &text);
            assert_eq!(parsed.len(), text.len());
            let work = comparisons(language, &parsed);
            assert!(work < 2_000, "{language:?} {piece}: {work}");
            assert!(facts(&path_of(language), text.as_bytes()).syntax_errors > 0);
        }
    }
}

#[test]
fn code_around_ambiguous_text_is_listed() {
    for (path, before, after) in [
        (
            "a.cs",
            "class First { void A() { } }\n",
            "\nclass Last { }\n",
        ),
        (
            "A.java",
            "class First { void a() { } }\n",
            "\nclass Last { }\n",
        ),
    ] {
        let [ambiguous, _] = hostile("a<b<", 20_000);
        let head = before.repeat(60);
        let text = [&head, ambiguous.as_str(), after].concat();
        let found = facts(path, text.as_bytes());
        check(&found, text.as_bytes());
        let count = |name: &str| {
            found
                .items
                .iter()
                .filter(|item| found.str(item.name) == name)
                .count()
        };
        assert!(count("First") >= 50, "{path}: {:?}", names(&found));
        assert!(found.syntax_errors > 0);
    }
}

#[test]
fn empty_files_and_comments_are_files() {
    for row in &LANGUAGES {
        let path = path_of(row.language);
        let comment = match row.language {
            Language::Python | Language::Ruby | Language::Bash | Language::Elixir => "# note",
            Language::Lua => "-- note",
            _ => "// note",
        };
        for text in ["", "\n", "\u{feff}", comment, "   \t\r\n"] {
            let found = facts(&path, text.as_bytes());
            check(&found, text.as_bytes());
            assert!(found.items.is_empty(), "{path} {text:?}");
        }
    }
}

#[test]
fn generated_code_says_so_at_its_head() {
    let generated = |path: &str, text: &str| {
        let outcome = analyse(path, text.as_bytes(), LIMITS);
        let names = match &outcome {
            Outcome::Names(facts) => facts,
            _ => return false,
        };
        // Nothing that anybody is shown or that counts, but the names.
        names.items.is_empty()
            && (names.lines, names.bytes) == (0, 0)
            && !names.bindings.0.is_empty()
            && codecortex_syntax::decode_outcome(&codecortex_syntax::encode_outcome(&outcome))
                == Some(outcome.clone())
    };
    for (path, text) in [
        (
            "a.go",
            "// Code generated by stringer. DO NOT EDIT.\n\npackage a\n",
        ),
        (
            "a.go",
            "//go:build linux\n\n// Code generated by mockgen. DO NOT EDIT.\npackage a\n",
        ),
        (
            "a.cs",
            "// <auto-generated>\n//     tool\n// </auto-generated>\nclass A {}\n",
        ),
        (
            "a.py",
            "# -*- coding: utf-8 -*-\n# Generated by the compiler.  DO NOT EDIT!\nx = 1\n",
        ),
        (
            "a.rs",
            "/*\n  This file was automatically generated.\n*/\nfn a() {}\n",
        ),
        ("a.ts", "/**\n * @generated\n */\nexport const a = 1;\n"),
        ("Form.Designer.cs", "class Form {}\n"),
    ] {
        assert!(generated(path, text), "{path} {text}");
    }
    for (path, text) in [
        (
            "a.rs",
            "fn a() {\n    println!(\"Code generated by hand. DO NOT EDIT!\");\n}\n",
        ),
        (
            "a.rs",
            "use x;\n// do not edit! the order matters\nfn a() {}\n",
        ),
        (
            "a.py",
            "import x\n\n\n# @generated files are skipped below\ndef a(): pass\n",
        ),
        (
            "a.go",
            "package a\n\n// Code generated by others is read by this.\nfunc B() {}\n",
        ),
        ("Designer.cs", "class Designer {}\n"),
        ("state_string.go", "package a\n"),
    ] {
        assert!(!generated(path, text), "{path} {text}");
    }
}

/// Whose names are not followed, and what nobody can read, is left out whole.
#[test]
fn of_some_generated_code_nothing_is_known() {
    let minified = format!("// @generated\n{}", "function a(){return 1};".repeat(2_000));
    for (path, text) in [
        ("a.rb", "# @generated\nclass A; end\n"),
        ("a.js", minified.as_str()),
    ] {
        let outcome = analyse(path, text.as_bytes(), LIMITS);
        assert_eq!(outcome, Outcome::Skipped(SkipReason::Generated), "{path}");
    }
}

#[test]
fn minified_is_what_nobody_writes() {
    let minified = |text: &str| {
        analyse("a.js", text.as_bytes(), LIMITS) == Outcome::Skipped(SkipReason::Minified)
    };
    assert!(minified(&"function a(){return 1};".repeat(2_000)));
    assert!(
        !minified(&"function a(){return 1};".repeat(100)),
        "too small to matter"
    );
    assert!(!minified(&"function a() {\n  return 1;\n}\n".repeat(2_000)));
    let table = format!("const data = \"{}\";\n", "x".repeat(8_000));
    assert!(!minified(&format!("{table}{}", "// short\n".repeat(2_000))));
}
