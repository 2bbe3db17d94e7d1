//! Whether the names of the core are the field's: no type named by a bare word, few names of types that are defined
//! twice and none within a crate, few functions named `of`, limits named `MAX_…`, and files named by what they hold.

mod file_stems;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::tokens::{Token, tokens};

/// Words that say nothing about a type: a reader cannot search for them.
const BARE_WORDS: &[&str] = &[
    "Asked", "Chosen", "Declared", "Found", "Held", "Kept", "Known", "More", "Named", "Of", "Part",
    "Piece", "Place", "Said", "Shown", "Sought", "Taken", "Told", "Used", "Wanted",
];

/// How many of a hundred names of types may be defined in more than one crate.
const MAX_REPEATED_PERCENT: usize = 10;

/// How many functions may be named `of`.
const MAX_FUNCTIONS_OF: usize = 20;

/// The start of a constant's name that says less than `MAX_`.
const UNUSUAL_LIMIT: &str = "MOST_";

/// The names that the sources define.
#[derive(Debug, Default, PartialEq)]
struct Names {
    /// Each type's name with the files that define it, `crate/path`.
    types: BTreeMap<String, BTreeSet<String>>,
    functions_of: usize,
    /// Constants of which the name begins with [`UNUSUAL_LIMIT`], with their file.
    unusual_limits: Vec<String>,
    /// A sentence for each file whose name says nothing.
    bare_stems: Vec<String>,
}

/// Checks the names of all crates. Fails with every name that breaks a rule.
pub(crate) fn check(root: &Path) -> Result<()> {
    let crates = root.join("crates");
    let mut names = Names::default();
    for file in sources(&crates)? {
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let path = file.strip_prefix(&crates).unwrap_or(&file);
        names.add(&path.to_string_lossy().replace('\\', "/"), &text);
    }
    let problems = names.problems();
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// All `.rs` files below the `src` folders of the crates.
fn sources(crates: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = entries(crates)?
        .into_iter()
        .map(|path| path.join("src"))
        .collect();
    while let Some(folder) = folders.pop() {
        if !folder.is_dir() {
            continue;
        }
        for path in entries(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    list.map(|entry| Ok(entry?.path())).collect()
}

impl Names {
    /// Adds the names that a file defines. `path` begins with the crate's folder.
    fn add(&mut self, path: &str, text: &str) {
        if let Some(stem) = file_stems::bare_stem(path) {
            self.bare_stems
                .push(format!("{path}: `{stem}` does not say what the file holds"));
        }
        let tokens = tokens(text);
        // Whether each open brace holds the items of an `impl` or a trait: their types are associated ones.
        let mut blocks: Vec<bool> = Vec::new();
        let mut opens_associated = false;
        for pair in tokens.windows(2) {
            match pair {
                [Token::Word("impl"), _] => opens_associated = true,
                [
                    Token::Word(keyword @ ("struct" | "enum" | "trait" | "union" | "type")),
                    Token::Word(name),
                ] => {
                    opens_associated |= *keyword == "trait";
                    if !blocks.last().is_some_and(|associated| *associated) {
                        self.types
                            .entry((*name).to_owned())
                            .or_default()
                            .insert(path.to_owned());
                    }
                }
                [Token::Word("fn"), Token::Word("of")] => self.functions_of += 1,
                [Token::Word("const"), Token::Word(name)] if name.starts_with(UNUSUAL_LIMIT) => {
                    self.unusual_limits.push(format!("{path}: {name}"));
                }
                [Token::Sign('{'), _] => blocks.push(std::mem::take(&mut opens_associated)),
                [Token::Sign('}'), _] => {
                    blocks.pop();
                }
                _ => {}
            }
        }
    }

    /// A sentence for each rule that is broken.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut repeated = 0;
        for (name, files) in &self.types {
            let listed = files
                .iter()
                .map(String::as_str)
                .collect::<Vec<_>>()
                .join(", ");
            if BARE_WORDS.contains(&name.as_str()) {
                problems.push(format!("type `{name}` is named by a bare word: {listed}"));
            }
            let crates: BTreeSet<&str> = files
                .iter()
                .filter_map(|file| file.split('/').next())
                .collect();
            if crates.len() < files.len() {
                problems.push(format!(
                    "type `{name}` is defined twice in a crate: {listed}"
                ));
            }
            repeated += usize::from(files.len() > 1);
        }
        if repeated * 100 > self.types.len() * MAX_REPEATED_PERCENT {
            let all = self.types.len();
            problems.push(format!("{repeated} of {all} names of types are defined more than once: more than {MAX_REPEATED_PERCENT} %"));
        }
        if self.functions_of > MAX_FUNCTIONS_OF {
            let many = self.functions_of;
            problems.push(format!(
                "{many} functions are named `of`: more than {MAX_FUNCTIONS_OF}"
            ));
        }
        problems.extend(
            self.unusual_limits
                .iter()
                .map(|limit| format!("{limit}: limits are named `MAX_…`")),
        );
        problems.extend(self.bare_stems.iter().cloned());
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let mut names = Names::default();
        for (path, text) in files {
            names.add(path, text);
        }
        // Names enough that one that is repeated is within the share.
        for number in 0..40 {
            names.add(
                "other/src/lib.rs",
                &format!("struct Other{number} {{ a: u8 }}"),
            );
        }
        names.problems()
    }

    #[test]
    fn each_rule_is_held() {
        let broken = problems(&[
            (
                "a/src/lib.rs",
                "pub(crate) struct Found;\nconst MOST_FILES: u8 = 1;",
            ),
            ("a/src/one.rs", "enum Twice { A }"),
            ("a/src/two.rs", "type Twice = u8;"),
            ("a/src/taken_up.rs", "struct Operation;"),
        ]);
        assert_eq!(
            broken,
            [
                "type `Found` is named by a bare word: a/src/lib.rs",
                "type `Twice` is defined twice in a crate: a/src/one.rs, a/src/two.rs",
                "a/src/lib.rs: MOST_FILES: limits are named `MAX_…`",
                "a/src/taken_up.rs: `taken_up` does not say what the file holds",
            ]
        );
        let many = "fn of() {}".repeat(MAX_FUNCTIONS_OF + 1);
        assert_eq!(
            problems(&[("a/src/lib.rs", &many)]),
            ["21 functions are named `of`: more than 20"]
        );
    }

    #[test]
    fn a_share_of_names_may_be_defined_in_several_crates() {
        let one = "struct A; struct B; struct C; struct D; struct E; struct F;";
        let broken = problems(&[("a/src/lib.rs", one), ("b/src/lib.rs", one)]);
        assert_eq!(
            broken,
            ["6 of 46 names of types are defined more than once: more than 10 %"]
        );
        assert!(
            problems(&[("a/src/lib.rs", "struct A;"), ("b/src/lib.rs", "struct A;")]).is_empty()
        );
    }

    #[test]
    fn associated_types_and_twins_of_a_platform_are_no_second_definition() {
        let iterators =
            "impl Iterator for A { type Item = u8; fn next(&mut self) -> Option<u8> { None } }";
        let twins = "#[cfg(unix)] struct Handle; #[cfg(not(unix))] struct Handle;";
        let broken = problems(&[
            ("a/src/one.rs", iterators),
            ("a/src/two.rs", iterators),
            ("a/src/three.rs", twins),
        ]);
        assert_eq!(broken, Vec::<String>::new());
    }
}
