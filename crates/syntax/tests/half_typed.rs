//! Half-typed code (SPEC D2): a file cut off anywhere still lists what was complete before.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that says what it measured, and its fixtures are files"
)]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use codecortex_syntax::{
    Facts, ItemFlags, ItemIndex, Language, Limits, Outcome, analyse, language_of_path,
};

const LIMITS: Limits = Limits {
    max_file_size: 1 << 20,
    exclude_generated: false,
};

fn facts(path: &Path, text: &str) -> Facts {
    match analyse(&path.to_string_lossy(), text.as_bytes(), LIMITS) {
        Outcome::Facts(facts) => facts,
        outcome => panic!("{} was skipped: {outcome:?}", path.display()),
    }
}

/// Fixtures of whole code.
fn fixtures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().to_lowercase();
            let is_source = language_of_path(&path.to_string_lossy()).is_some();
            if is_source && name != "broken" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A declaration by the names of what it is in and its own, with its line.
fn path_of(facts: &Facts, index: ItemIndex) -> (u32, String) {
    let item = &facts.items[index as usize];
    let mut path = facts.str(item.name).to_owned();
    let mut parent = item.parent;
    while let Some(up) = parent {
        let around = &facts.items[up as usize];
        path = format!("{}/{path}", facts.str(around.name));
        parent = around.parent;
    }
    (item.name_start.line, path)
}

#[derive(Debug, Default)]
struct Kept {
    all: usize,
    kept: usize,
    lost: BTreeMap<String, usize>,
}

/// Counts what is complete before a cut, and what of it is still listed.
fn cut(path: &Path, kept: &mut Kept) {
    let text = fs::read_to_string(path).unwrap();
    let whole = facts(path, &text);
    for end in (0..text.len()).step_by(50) {
        let end = text.floor_char_boundary(end);
        let part = &text[..end];
        let line = part.matches('\n').count() as u32;
        let found = facts(path, part);
        let listed: HashSet<_> = (0..found.items.len() as ItemIndex)
            .map(|index| path_of(&found, index))
            .collect();
        for index in 0..whole.items.len() as ItemIndex {
            let item = &whole.items[index as usize];
            if item.end.line >= line || item.flags.contains(ItemFlags::LOCAL) {
                continue;
            }
            kept.all += 1;
            let path_of = path_of(&whole, index);
            if listed.contains(&path_of) {
                kept.kept += 1;
            } else {
                let case = format!("{} cut at {end}, line {}", path.display(), line + 1);
                *kept.lost.entry(case).or_default() += 1;
            }
        }
    }
}

/// What is kept at least, in thousandths: a declaration may look complete only as part of what
/// follows, as the first of Go's `a, b = 1, 2` or a struct that C's declarator behind it names.
fn least(language: Language) -> usize {
    match language {
        Language::Go => 985,
        Language::C | Language::Rust => 990,
        _ => 995,
    }
}

/// How a language writes a function of this name with a line in it, and what stands around functions.
type Written = (&'static str, fn(&str, &str) -> String, [&'static str; 2]);

const WRITTEN: [Written; 7] = [
    ("a.cs", braced, ["class A\n{\n", "}\n"]),
    ("A.java", braced, ["class A {\n", "}\n"]),
    ("a.ts", of_typescript, ["export class A {\n", "}\n"]),
    ("a.cpp", braced, ["class A {\n", "};\n"]),
    ("a.py", of_python, ["class A:\n", ""]),
    ("a.go", of_go, ["package a\n\n", ""]),
    ("a.rs", of_rust, ["cfg_io! {\n", "}\n"]),
];

fn braced(name: &str, line: &str) -> String {
    format!(
        "    int {name}(int a)\n    {{\n        {line}\n        if (a > 1) {{\n            return {name}(a);\n        }}\n        return Call(a, \"x\", new List(a));\n    }}\n\n"
    )
}

fn of_typescript(name: &str, line: &str) -> String {
    format!(
        "  {name}(a: number): number {{\n    {line}\n    const b = [a].map((x) => {{\n      return x;\n    }});\n    return call({{ a, b }}, \"x\");\n  }}\n\n"
    )
}

fn of_python(name: &str, line: &str) -> String {
    format!(
        "    def {name}(self, a):\n        {line}\n        if a > 1:\n            return [x for x in self.{name}(a)]\n        return call(a, \"x\", key={{\"a\": a}})\n\n"
    )
}

fn of_go(name: &str, line: &str) -> String {
    format!(
        "func {name}(a int) int {{\n\t{line}\n\tif a > 1 {{\n\t\treturn {name}(a)\n\t}}\n\treturn call(a, []string{{\"x\"}})\n}}\n\n"
    )
}

fn of_rust(name: &str, line: &str) -> String {
    format!(
        "    pub fn {name}(a: u8) -> u8 {{\n        {line}\n        if a > 1 {{\n            return {name}(a);\n        }}\n        call(a, \"x\", &[a])\n    }}\n\n"
    )
}

/// Of a line that is being typed in one of many functions nothing is lost but that line, however much the
/// parser complains about what follows.
#[test]
fn a_half_typed_line_hides_no_declaration() {
    for (path, function, [head, tail]) in WRITTEN {
        let names: Vec<String> = (0..40).map(|number| format!("method{number:02}")).collect();
        for typed in [
            "foo(",
            "foo(a, ",
            "foo(a, {bar",
            "if (a",
            "x = foo[a",
            "while (foo(a",
        ] {
            for half in [3, 20] {
                let line = |number| if number == half { typed } else { "" };
                let functions = names
                    .iter()
                    .zip(0..)
                    .map(|(name, at)| function(name, line(at)));
                let text = [head, &functions.collect::<String>(), tail].concat();
                let found = facts(Path::new(path), &text);
                let is_there = |name: &&String| {
                    found
                        .items
                        .iter()
                        .any(|item| found.str(item.name) == **name)
                };
                let lost: Vec<&String> = names.iter().filter(|name| !is_there(name)).collect();
                assert!(lost.is_empty(), "{path} {typed:?} in {half}: {lost:?}");
            }
        }
    }
}

/// A type with a whole member and one that is being typed: wherever in the last one it stops, the
/// type and both members are listed.
#[test]
fn a_member_that_is_being_typed_is_listed() {
    for (path, text) in [
        ("a.ts", "export class A { done() {} method() { if (x"),
        ("a.tsx", "export class A { done() {} method() { if (x"),
        ("a.js", "export class A { done() {} method() { if (x"),
        ("a.cs", "class A { void done() {} void method() { if (x"),
        ("A.java", "class A { void done() {} void method() { if (x"),
        ("a.cpp", "class A { void done() {} void method() { if (x"),
        ("a.rs", "mod A { fn done() {} fn method() { if (x"),
        (
            "a.py",
            "class A:\n  def done(self): pass\n  def method(self):\n    if (x",
        ),
        (
            "a.rb",
            "class A\n  def done\n  end\n  def method(a)\n    if (x",
        ),
        (
            "a.php",
            "<?php class A { function done() {} function method() { if (x",
        ),
        ("a.dart", "class A { done() {} method() { if (x"),
    ] {
        let typed = text.find("method").unwrap() + "method(".len();
        for end in typed..=text.len() {
            let found = facts(Path::new(path), &text[..end]);
            let names: Vec<_> = (0..found.items.len() as ItemIndex)
                .map(|index| path_of(&found, index).1)
                .collect();
            assert_eq!(
                names,
                ["A", "A/done", "A/method"],
                "{path}: {}",
                &text[..end]
            );
        }
    }
}

#[test]
fn a_cut_keeps_what_is_complete() {
    let mut by_language: BTreeMap<Language, Kept> = BTreeMap::new();
    for path in fixtures() {
        let language = facts(&path, &fs::read_to_string(&path).unwrap()).language;
        cut(&path, by_language.entry(language).or_default());
    }
    let mut failed = Vec::new();
    for (language, kept) in &by_language {
        let ratio = kept.kept * 1000 / kept.all;
        println!("{language:?}: {} of {} ({ratio} ‰)", kept.kept, kept.all);
        let mut worst: Vec<_> = kept.lost.iter().collect();
        worst.sort_by_key(|(_, lost)| std::cmp::Reverse(**lost));
        for (case, lost) in worst.iter().take(6) {
            println!("    {lost} lost: {case}");
        }
        if ratio < least(*language) {
            failed.push(*language);
        }
    }
    assert!(failed.is_empty(), "too little is kept: {failed:?}");
}
