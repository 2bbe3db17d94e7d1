//! Which share of each crate's lines is tests: lines of code beside lines of tests in its own folder, with a floor for each
//! crate that only rises. Tests of another crate do not count: a room's tests run without the engine.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::tokens::{Lexeme, lexemes};

/// The floors, by the crate's folder.
const FLOORS: &str = "xtask/src/test_share.toml";
/// Crates of at most so many lines of code have no floor.
const SMALL: usize = 400;

/// What the command does beside checking.
#[derive(Args)]
pub(crate) struct Options {
    /// Print the table of all crates.
    #[arg(long, short)]
    verbose: bool,
    /// Write the floors that the crates have reached; a floor never falls.
    #[arg(long)]
    raise: bool,
}

/// The lines of a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CrateLines {
    code: usize,
    /// Lines of `#[cfg(test)]` modules and of Rust below `tests/`.
    tests: usize,
    /// Lines of text below `tests/` that is no Rust.
    fixtures: usize,
}

impl CrateLines {
    fn add(&mut self, other: Self) {
        self.code += other.code;
        self.tests += other.tests;
        self.fixtures += other.fixtures;
    }

    /// Lines of tests and fixtures for each line of code, in hundredths, rounded down.
    fn share(self) -> usize {
        (self.tests + self.fixtures) * 100 / self.code.max(1)
    }
}

/// Checks the crates; an error where the share of one is below its floor.
pub(crate) fn check(root: &Path, options: &Options) -> Result<()> {
    let path = root.join(FLOORS);
    let written = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut floors: BTreeMap<String, usize> = toml::from_str(&written)?;
    let crates = crates(root)?;
    if options.verbose {
        print(&crates);
    }
    if options.raise {
        floors = raised(&crates, &floors);
        fs::write(&path, render(&written, &floors)).with_context(|| path.display().to_string())?;
    }
    let problems = problems(&crates, &floors);
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

fn print(crates: &BTreeMap<String, CrateLines>) {
    println!(
        "{:<14}{:>8}{:>8}{:>10}{:>8}",
        "crate", "code", "tests", "fixtures", "share"
    );
    let mut sum = CrateLines::default();
    for (name, lines) in crates {
        sum.add(*lines);
        row(name, *lines);
    }
    row("all", sum);
}

fn row(name: &str, lines: CrateLines) {
    let CrateLines {
        code,
        tests,
        fixtures,
    } = lines;
    let share = lines.share() as f64 / 100.0;
    println!("{name:<14}{code:>8}{tests:>8}{fixtures:>10}{share:>8.2}");
}

/// The shares below their floors, a line each.
fn problems(
    crates: &BTreeMap<String, CrateLines>,
    floors: &BTreeMap<String, usize>,
) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, lines) in crates.iter().filter(|(_, lines)| lines.code > SMALL) {
        let share = lines.share();
        match floors.get(name) {
            Some(floor) if share < *floor => problems.push(format!(
                "{name}: {share} lines of tests for 100 lines of code; at least {floor} (cargo xtask tests --verbose)"
            )),
            Some(_) => {}
            None => problems.push(format!(
                "{name} has no floor in {FLOORS}; `cargo xtask tests --raise` writes it"
            )),
        }
    }
    let unknown = floors.keys().filter(|name| !crates.contains_key(*name));
    problems.extend(unknown.map(|name| format!("{FLOORS}: there is no crate {name}")));
    problems
}

/// The floors that the crates have reached.
fn raised(
    crates: &BTreeMap<String, CrateLines>,
    floors: &BTreeMap<String, usize>,
) -> BTreeMap<String, usize> {
    let large = crates.iter().filter(|(_, lines)| lines.code > SMALL);
    let large = large.map(|(name, lines)| {
        let floor = floors.get(name).copied().unwrap_or(0);
        (name.clone(), floor.max(lines.share()))
    });
    large.collect()
}

/// The file of floors: its comments, and a line for each crate.
fn render(written: &str, floors: &BTreeMap<String, usize>) -> String {
    let comments = written.lines().take_while(|line| line.starts_with('#'));
    let mut text: String = comments.map(|line| format!("{line}\n")).collect();
    for (name, floor) in floors {
        text += &format!("{name} = {floor}\n");
    }
    text
}

/// The lines of all crates below `crates/`, by folder.
fn crates(root: &Path) -> Result<BTreeMap<String, CrateLines>> {
    let mut crates = BTreeMap::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.join("Cargo.toml").is_file() {
            let mut lines = CrateLines::default();
            count(&path.join("src"), false, &mut lines)?;
            count(&path.join("tests"), true, &mut lines)?;
            crates.insert(name.into_owned(), lines);
        }
    }
    Ok(crates)
}

/// Adds the lines of a folder; a folder that is not there has none.
fn count(folder: &Path, is_test: bool, lines: &mut CrateLines) -> Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            let is_test = is_test || path.file_name().is_some_and(|name| name == "tests");
            count(&path, is_test, lines)?;
            continue;
        }
        let is_rust = path.extension().is_some_and(|ending| ending == "rs");
        // What is no text, such as an archive, has no lines.
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        let is_test_file = path
            .file_stem()
            .is_some_and(|stem| stem == "tests" || stem.to_string_lossy().ends_with("_tests"));
        match (is_test, is_rust) {
            (true, true) => lines.tests += text.lines().count(),
            (true, false) => lines.fixtures += text.lines().count(),
            (false, true) if is_test_file => lines.tests += text.lines().count(),
            (false, true) => {
                let tests = test_lines(&text);
                lines.code += text.lines().count() - tests;
                lines.tests += tests;
            }
            (false, false) => {}
        }
    }
    Ok(())
}

/// The lines of items under `#[cfg(test)]`, in a file as rustfmt writes it: an item ends at a line with its indentation that
/// closes it, or before its first line ends with `;` or `,`.
fn test_lines(text: &str) -> usize {
    let text = without_literals(text);
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if !line[indent.len()..].starts_with("#[cfg(test)]") {
            continue;
        }
        count += 1;
        let mut is_first = true;
        for line in lines.by_ref() {
            count += 1;
            let rest = line.strip_prefix(indent).unwrap_or_default();
            if rest.starts_with("#[") {
                continue;
            }
            let is_whole = is_first && line.ends_with([';', ',', '}']);
            if is_whole || rest.starts_with('}') {
                break;
            }
            is_first = false;
        }
    }
    count
}

/// The text with blanks in place of what literals hold; its lines stay.
fn without_literals(text: &str) -> String {
    let mut blanked = String::with_capacity(text.len());
    let mut from = 0;
    for lexeme in lexemes(text) {
        let Lexeme::Text(literal) = lexeme else {
            continue;
        };
        // A literal is a part of the text.
        let start = literal.as_ptr() as usize - text.as_ptr() as usize;
        blanked += &text[from..start];
        let lines = literal.chars().filter(|letter| *letter == '\n');
        blanked.extend(lines);
        from = start + literal.len();
    }
    blanked += &text[from..];
    blanked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_test_items_are_counted_whatever_their_literals_hold() {
        let text = "use a;\n#[cfg(test)]\nuse b;\n\nfn c() {}\n\n#[cfg(test)]\nmod tests {\n    fn d() {\n        e(\"\n}\n\");\n    }\n}\n\nfn f() {}\n";
        assert_eq!(text.lines().count(), 16);
        assert_eq!(test_lines(text), 2 + 8);
        let inner = "impl A {\n    #[cfg(test)]\n    #[must_use]\n    fn b(\n        c: D,\n    ) -> E {\n        f\n    }\n\n    fn g() {}\n}\n";
        assert_eq!(test_lines(inner), 7);
        assert_eq!(test_lines("fn a() {\n    b(\"#[cfg(test)]\");\n}\n"), 0);
    }

    fn lines(code: usize, tests: usize) -> CrateLines {
        CrateLines {
            code,
            tests,
            fixtures: 0,
        }
    }

    fn named<T: Copy>(all: &[(&str, T)]) -> BTreeMap<String, T> {
        let all = all.iter();
        all.map(|(name, it)| ((*name).to_owned(), *it)).collect()
    }

    #[test]
    fn a_share_below_its_floor_is_a_problem() {
        let crates = named(&[("a", lines(1_000, 499)), ("b", lines(1_000, 500))]);
        let found = problems(&crates, &named(&[("a", 50), ("b", 50)]));
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a: 49 lines"), "{found:?}");
    }

    #[test]
    fn large_crates_have_a_floor_and_small_ones_need_none() {
        let crates = named(&[("large", lines(401, 9)), ("small", lines(400, 0))]);
        let found = problems(&crates, &BTreeMap::new());
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("large has no floor"), "{found:?}");
        assert_eq!(
            problems(&crates, &named(&[("large", 2), ("gone", 1)])).len(),
            1
        );
    }

    #[test]
    fn floors_rise_and_never_fall() {
        let crates = named(&[("a", lines(1_000, 700)), ("b", lines(1_000, 100))]);
        let floors = named(&[("a", 50), ("b", 50)]);
        assert_eq!(raised(&crates, &floors), named(&[("a", 70), ("b", 50)]));
        let text = render("# why\na = 50\n", &named(&[("a", 70)]));
        assert_eq!(text, "# why\na = 70\n");
    }
}
