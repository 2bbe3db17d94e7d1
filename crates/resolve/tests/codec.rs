//! Bindings as bytes: what comes back is what was written, and damaged bytes do no harm.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests read files"
)]

use std::path::Path;

use codecortex_bind::{Bindings, Dialect, bind, decode, decode_head, encode};
use codecortex_resolve::{ExprRef, Resolver, Workspace};
use codecortex_syntax::{Language, as_parsed, parse};
use proptest::prelude::*;

/// Bindings of every fixture file, marks and all: text that half parses is text, too.
fn fixtures() -> Vec<(Dialect, Bindings)> {
    const LANGUAGES: [(&str, Language, Dialect); 9] = [
        ("csharp", Language::CSharp, Dialect::CSharp),
        ("typescript", Language::TypeScript, Dialect::TypeScript),
        ("javascript", Language::JavaScript, Dialect::JavaScript),
        ("python", Language::Python, Dialect::Python),
        ("rust", Language::Rust, Dialect::Rust),
        ("go", Language::Go, Dialect::Go),
        ("java", Language::Java, Dialect::Java),
        ("c", Language::C, Dialect::C),
        ("cpp", Language::Cpp, Dialect::Cpp),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut all = Vec::new();
    for (folder, language, dialect) in LANGUAGES {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let readable = as_parsed(language, &text).into_owned();
            let tree = parse(language, &readable, None).unwrap();
            all.push((dialect, bind(dialect, &readable, &tree)));
        }
    }
    all
}

#[test]
fn what_is_written_comes_back() {
    for (dialect, bindings) in fixtures() {
        assert!(bindings.is_sound(), "{dialect:?}");
        let bytes = encode(bindings.clone());
        assert_eq!(decode(&bytes).as_ref(), Some(&bindings), "{dialect:?}");
        let head = decode_head(&bytes).unwrap();
        assert_eq!(head.names.len(), bindings.names.len());
    }
}

#[test]
fn half_of_it_is_nothing() {
    for (_, bindings) in fixtures() {
        let bytes = encode(bindings.clone());
        for length in (0..bytes.len()).step_by(bytes.len() / 50 + 1) {
            assert_eq!(decode(&bytes[..length]), None);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever a damaged cache holds, decoding ends and every question about it does.
    #[test]
    fn damage_does_no_harm(which in 0usize..9, flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let text = "class A { m(x) { return x.m(this) } }\nimport b from './b'\n";
        let language = [Language::JavaScript, Language::TypeScript][which % 2];
        let dialect = [Dialect::JavaScript, Dialect::TypeScript][which % 2];
        let tree = parse(language, text, None).unwrap();
        let mut bytes = encode(bind(dialect, text, &tree));
        for (at, value) in flips {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = decode(&bytes);
        let mut workspace = Workspace::default();
        workspace.insert_encoded(0, "a.js", dialect, bytes.into());
        let resolver = Resolver::new(&workspace);
        if let Some(file) = workspace.file(0) {
            for (expr, ..) in file.uses() {
                let _ = resolver.target(ExprRef { file: 0, expr });
            }
            for def in file.named_defs() {
                let _ = resolver.references(codecortex_resolve::DefRef { file: 0, def });
            }
        }
    }

    /// Bytes that nobody wrote are nothing.
    #[test]
    fn foreign_bytes_are_nothing(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert_eq!(decode(&bytes), None);
    }
}
