//! Every language's walk on fixture files (SPEC D2, H1).
//!
//! `tests/fixtures/<language>/<case>.<ext>` is source with markers: a comment whose carets stand
//! under a name, followed by the kind and name expected there (`//    ^^^ class Foo`). Beside it,
//! `<case>.<ext>.outline` is the listing of everything found. `UPDATE_EXPECT=1 cargo test` rewrites
//! the listings; read the difference before committing it.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test, and its fixtures are files"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use codecortex_syntax::{
    Facts, ItemFlags, ItemIndex, LANGUAGES, Limits, Outcome, analyse, decode_outcome,
    encode_outcome, language_of_path,
};

const LIMITS: Limits = Limits {
    max_file_size: 1 << 20,
    exclude_generated: true,
};

fn fixtures() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")).unwrap()
    {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if language_of_path(&path.to_string_lossy()).is_some() {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn facts(path: &Path) -> Facts {
    match analyse(&path.to_string_lossy(), &fs::read(path).unwrap(), LIMITS) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{} was skipped: {outcome:?}", path.display()),
    }
}

#[test]
fn listings_are_as_expected() {
    for path in fixtures() {
        let expected = path.with_added_extension("outline");
        expect_test::expect_file![expected].assert_eq(&listing(&facts(&path)));
    }
}

#[test]
fn names_are_where_the_markers_say() {
    for path in fixtures() {
        let text = fs::read_to_string(&path).unwrap();
        let facts = facts(&path);
        let mut markers = 0;
        let mut marked_line = 0;
        for (index, line) in text.lines().enumerate() {
            let Some(marker) = Marker::of(line) else {
                marked_line = index as u32;
                continue;
            };
            markers += 1;
            let found = facts.items.iter().any(|item| {
                item.kind.as_str() == marker.kind
                    && facts.str(item.name) == marker.name
                    && (item.name_start.line, item.name_start.character)
                        == (marked_line, marker.from)
                    && (item.name_end.line, item.name_end.character) == (marked_line, marker.to)
            });
            assert!(
                found,
                "{}:{}: no {} {} above this marker\n{}",
                path.display(),
                index + 1,
                marker.kind,
                marker.name,
                listing(&facts)
            );
        }
        assert!(
            markers >= 5,
            "{} has only {markers} markers",
            path.display()
        );
    }
}

/// `//  ^^^ class Foo`: columns in UTF-16 units.
struct Marker<'a> {
    from: u32,
    to: u32,
    kind: &'a str,
    name: &'a str,
}

impl<'a> Marker<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let comment = line.trim_start();
        if !["//", "#", "--"]
            .iter()
            .any(|start| comment.starts_with(start))
        {
            return None;
        }
        let start = line.find('^')?;
        let carets = line[start..]
            .bytes()
            .take_while(|byte| *byte == b'^')
            .count();
        let (kind, name) = line[start + carets..].trim().split_once(' ')?;
        let from = line[..start].encode_utf16().count() as u32;
        Some(Self {
            from,
            to: from + carets as u32,
            kind,
            name,
        })
    }
}

/// Every language of the first rank has a fixture, so that a new row cannot go untested.
#[test]
fn every_language_has_a_fixture() {
    let covered: Vec<_> = fixtures().iter().map(|path| facts(path).language).collect();
    for row in &LANGUAGES {
        assert!(covered.contains(&row.language), "no fixture for {}", row.id);
    }
}

#[test]
fn outcomes_survive_encoding() {
    for path in fixtures() {
        let outcome = Outcome::Facts(facts(&path));
        assert_eq!(decode_outcome(&encode_outcome(&outcome)), Some(outcome));
    }
}

/// A person's view of the facts: one line a declaration, details below it.
fn listing(facts: &Facts) -> String {
    let mut out = format!(
        "{} · {} lines · {} syntax errors\n",
        facts.language.info().id,
        facts.lines,
        facts.syntax_errors
    );
    for (label, value) in [("package", facts.package), ("doc", facts.doc)] {
        if !value.is_empty() {
            writeln!(out, "{label}: {}", facts.str(value).replace('\n', " ⏎ ")).unwrap();
        }
    }
    for index in 0..facts.items.len() as ItemIndex {
        list_item(facts, index, &mut out);
    }
    out
}

fn list_item(facts: &Facts, index: ItemIndex, out: &mut String) {
    let item = &facts.items[index as usize];
    let mut depth = 0;
    let mut parent = item.parent;
    while let Some(up) = parent {
        depth += 1;
        parent = facts.items[up as usize].parent;
    }
    let indent = "  ".repeat(depth);
    write!(
        out,
        "{indent}{} {}",
        item.kind.as_str(),
        facts.str(item.name)
    )
    .unwrap();
    if !item.container.is_empty() {
        write!(out, " in {}", facts.str(item.container)).unwrap();
    }
    write!(out, " · {}", item.visibility.as_str()).unwrap();
    for (flag, word) in FLAGS {
        if item.flags.contains(flag) {
            write!(out, " {word}").unwrap();
        }
    }
    if item.arity > 0 {
        write!(out, " arity {}", item.arity).unwrap();
    }
    writeln!(
        out,
        " · {}:{}-{}:{}",
        item.start.line + 1,
        item.start.character + 1,
        item.end.line + 1,
        item.end.character + 1
    )
    .unwrap();
    writeln!(out, "{indent}    {}", facts.str(item.signature)).unwrap();
    if !item.result.is_empty() {
        writeln!(out, "{indent}    = {}", facts.str(item.result)).unwrap();
    }
    if !item.params.is_empty() {
        writeln!(out, "{indent}    ({})", facts.str(item.params)).unwrap();
    }
    for (relation, base) in facts.bases_of(index) {
        writeln!(out, "{indent}    {relation:?} {base}").unwrap();
    }
    if !item.doc.is_empty() {
        writeln!(
            out,
            "{indent}    \"{}\"",
            facts.str(item.doc).replace('\n', " ⏎ ")
        )
        .unwrap();
    }
}

const FLAGS: [(ItemFlags, &str); 11] = [
    (ItemFlags::STATIC, "static"),
    (ItemFlags::ABSTRACT, "abstract"),
    (ItemFlags::OVERRIDE, "override"),
    (ItemFlags::PARTIAL, "partial"),
    (ItemFlags::ASYNC, "async"),
    (ItemFlags::READONLY, "readonly"),
    (ItemFlags::LOCAL, "local"),
    (ItemFlags::DECLARATION, "declaration"),
    (ItemFlags::VIRTUAL, "virtual"),
    (ItemFlags::EXPORTED, "exported"),
    (ItemFlags::DEFAULT, "default"),
];
