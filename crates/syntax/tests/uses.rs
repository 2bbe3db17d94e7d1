//! Names where they are used, in languages of the second rank (SPEC D2).
//!
//! Beside each fixture of such a language, `<case>.<ext>.uses` lists by line which names count and what is done
//! with them. `UPDATE_EXPECT=1 cargo test` rewrites the lists; read the difference before committing it.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test, and its fixtures are files"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use codecortex_bind::decode;
use codecortex_syntax::{
    Facts, Limits, Outcome, analyse, bindings_of_text, dialect, language_of_path,
};

/// Fixtures of languages whose names are not resolved.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let folders = fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let is_named = |path: &PathBuf| {
        let language = language_of_path(&path.to_string_lossy());
        language.is_some_and(|language| !dialect(language).is_resolved())
    };
    let mut files: Vec<PathBuf> = files
        .map(|file| file.unwrap().path())
        .filter(is_named)
        .collect();
    files.sort();
    files
}

fn facts(path: &Path) -> Facts {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: true,
    };
    match analyse(&path.to_string_lossy(), &fs::read(path).unwrap(), limits) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{} was skipped: {outcome:?}", path.display()),
    }
}

#[test]
fn lists_are_as_expected() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 20, "two for each of ten languages");
    for path in fixtures {
        let text = fs::read_to_string(&path).unwrap();
        let bindings = decode(&facts(&path).bindings.0).unwrap();
        let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (_, name, at, role) in bindings.uses() {
            let name = bindings.name(name);
            assert!(
                text[at as usize..].starts_with(name),
                "{}: {name} at {at}",
                path.display()
            );
            let line = text[..at as usize].matches('\n').count() + 1;
            let role = format!("{role:?}").to_lowercase();
            let shown = if role == "read" {
                name.to_owned()
            } else {
                format!("{name} ({role})")
            };
            lines.entry(line).or_default().push(shown);
        }
        let list: String = lines
            .iter()
            .map(|(line, names)| format!("{line}: {}\n", names.join(", ")))
            .collect();
        expect_test::expect_file![path.with_added_extension("uses")].assert_eq(&list);
    }
}

#[test]
fn everything_that_is_written_as_a_name_can_be_found() {
    for path in fixtures() {
        let text = fs::read_to_string(&path).unwrap();
        let facts = facts(&path);
        let bindings = decode(&facts.bindings.0).unwrap();
        let declared: Vec<(&str, u32)> = bindings
            .defs
            .iter()
            .map(|def| (bindings.name(def.name), def.at))
            .collect();
        for item in &facts.items {
            let name = facts.str(item.name);
            let is_written = !name.is_empty() && text[item.name_byte as usize..].starts_with(name);
            assert_eq!(
                declared.contains(&(name, item.name_byte)),
                is_written,
                "{}: {name}",
                path.display()
            );
        }
        let is_declared = |at: u32| declared.iter().any(|(_, declared)| *declared == at);
        assert!(
            bindings.uses().all(|(_, _, at, _)| !is_declared(at)),
            "{}",
            path.display()
        );
    }
}

#[test]
fn what_an_editor_holds_gives_the_same() {
    for path in fixtures() {
        let text = fs::read_to_string(&path).unwrap();
        let held = bindings_of_text(&path.to_string_lossy(), &text).unwrap();
        assert_eq!(
            decode(&facts(&path).bindings.0).unwrap(),
            held,
            "{}",
            path.display()
        );
    }
}
