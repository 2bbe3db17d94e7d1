//! `cargo xtask grammar-report`: how well a grammar reads the files of a folder (SPEC AS1).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use codecortex_syntax::language::language_of_path;
use codecortex_syntax::{Facts, LANGUAGES, Language, Limits, Outcome, analyse_text};
use serde_json::{Value, json};
use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

/// Parsing for less time than this says little about speed.
const LEAST_TIME: Duration = Duration::from_millis(300);
/// Lines of the text in which single characters are edited.
const EDITED_LINES: usize = 3000;
/// How many of those edits.
const EDITS: usize = 400;

/// What to report of.
#[derive(Args)]
pub(crate) struct Options {
    /// The folder.
    folder: PathBuf,
    /// VS Code's id of the language.
    #[arg(long)]
    lang: String,
    /// Write JSON.
    #[arg(long)]
    json: bool,
    /// At how many places a token is taken out.
    #[arg(long, default_value_t = 2000)]
    removals: usize,
    /// Files of C# whose grammar's speed stands beside.
    #[arg(long, default_value = "crates/syntax/tests/fixtures/csharp")]
    beside: PathBuf,
}

/// Prints the report.
pub(crate) fn report(root: &Path, options: &Options) -> Result<()> {
    let language = LANGUAGES.iter().find(|row| row.id == options.lang);
    let language = language.context("no such language")?.language;
    let texts = texts(&options.folder, language)?;
    if texts.is_empty() {
        bail!("{} has no such files", options.folder.display());
    }
    let mut report = errors(language, &texts)?;
    report["leavesPerSecond"] = json!(leaves_per_second(language, &texts)?);
    let beside = self::texts(&root.join(&options.beside), Language::CSharp)?;
    if !beside.is_empty() {
        report["leavesPerSecondOfCSharp"] = json!(leaves_per_second(Language::CSharp, &beside)?);
    }
    report["edits"] = edits(language, &texts)?;
    report["removals"] = removals(language, &texts, options.removals)?;
    match options.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => {
            for (name, value) in report.as_object().into_iter().flatten() {
                println!("{name}: {value}");
            }
        }
    }
    Ok(())
}

struct Text {
    path: String,
    text: String,
}

fn texts(folder: &Path, language: Language) -> Result<Vec<Text>> {
    let mut open = vec![folder.to_owned()];
    let mut texts = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).with_context(|| path.display().to_string())?;
            for entry in entries {
                open.push(entry?.path());
            }
        } else if language_of_path(&path.to_string_lossy()) == Some(language) {
            let bytes = fs::read(&path)?;
            if let Ok(decoded) = codecortex_text::decode(&bytes) {
                texts.push(Text {
                    path: path.to_string_lossy().into_owned(),
                    text: decoded.text.into_owned(),
                });
            }
        }
    }
    texts.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(texts)
}

fn parser(language: Language) -> Result<Parser> {
    let mut parser = Parser::new();
    let grammar = language
        .grammar()
        .context("this build has not its grammar")?;
    parser.set_language(&grammar)?;
    Ok(parser)
}

/// Files and bytes with and without errors, and each kind of error with an example.
fn errors(language: Language, texts: &[Text]) -> Result<Value> {
    let mut parser = parser(language)?;
    let (mut whole, mut bytes, mut wrong) = (0, 0, 0);
    let mut kinds: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for text in texts {
        let tree = parser.parse(&text.text, None).context("no tree")?;
        bytes += text.text.len();
        if !tree.root_node().has_error() {
            whole += 1;
            continue;
        }
        walk(&tree, |node| {
            if !node.is_error() && !node.is_missing() {
                return;
            }
            wrong += node.byte_range().len();
            let around = node.parent().map_or("", |around| around.kind());
            let word = if node.is_missing() {
                "MISSING"
            } else {
                "ERROR"
            };
            let first = node.child(0).map_or(node.kind(), |first| first.kind());
            let line = text.text.lines().nth(node.start_position().row);
            let place = format!("{}:{}", text.path, node.start_position().row + 1);
            let example = format!("{place}: {}", line.unwrap_or("").trim());
            let kind = kinds.entry(format!("{word} {first} in {around}"));
            kind.or_insert((0, example)).0 += 1;
        });
    }
    let kinds: Value = kinds
        .into_iter()
        .map(|(kind, (count, example))| json!({ "kind": kind, "count": count, "example": example }))
        .collect();
    Ok(json!({
        "files": texts.len(),
        "filesWithoutErrors": whole,
        "bytes": bytes,
        "bytesInErrors": wrong,
        "kinds": kinds,
    }))
}

fn walk(tree: &Tree, mut see: impl FnMut(Node<'_>)) {
    let mut cursor = tree.walk();
    loop {
        see(cursor.node());
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}

fn leaves(tree: &Tree) -> Vec<(usize, usize)> {
    let mut leaves = Vec::new();
    walk(tree, |node| {
        if node.child_count() == 0 && !node.is_extra() && !node.byte_range().is_empty() {
            leaves.push((node.start_byte(), node.end_byte()));
        }
    });
    leaves
}

fn leaves_per_second(language: Language, texts: &[Text]) -> Result<u64> {
    let mut parser = parser(language)?;
    let (mut count, mut spent) = (0, Duration::ZERO);
    while spent < LEAST_TIME {
        for text in texts {
            let started = Instant::now();
            let tree = parser.parse(&text.text, None).context("no tree")?;
            spent += started.elapsed();
            count += leaves(&tree).len();
        }
    }
    Ok((count as f64 / spent.as_secs_f64()) as u64)
}

/// What one letter more costs in a text of three thousand lines, in milliseconds.
fn edits(language: Language, texts: &[Text]) -> Result<Value> {
    let mut text = String::new();
    for part in texts.iter().cycle().take(texts.len() * 64) {
        text.push_str(&part.text);
        text.push('\n');
        if text.lines().count() >= EDITED_LINES {
            break;
        }
    }
    let mut parser = parser(language)?;
    let tree = parser.parse(&text, None).context("no tree")?;
    let places = leaves(&tree);
    let mut random = Random(7);
    let mut spent = Vec::with_capacity(EDITS);
    for _ in 0..EDITS {
        let at = places[random.below(places.len())].1;
        let mut edited = text.clone();
        edited.insert(at, 'x');
        let mut old = tree.clone();
        let start = point(&text, at);
        old.edit(&InputEdit {
            start_byte: at,
            old_end_byte: at,
            new_end_byte: at + 1,
            start_position: start,
            old_end_position: start,
            new_end_position: Point::new(start.row, start.column + 1),
        });
        let started = Instant::now();
        parser.parse(&edited, Some(&old)).context("no tree")?;
        spent.push(started.elapsed().as_secs_f64() * 1e3);
    }
    spent.sort_by(f64::total_cmp);
    let at = |share: f64| spent[((spent.len() - 1) as f64 * share) as usize];
    Ok(json!({ "lines": text.lines().count(), "p50Ms": at(0.5), "p95Ms": at(0.95) }))
}

fn point(text: &str, at: usize) -> Point {
    let before = &text[..at];
    let row = before.matches('\n').count();
    Point::new(row, at - before.rfind('\n').map_or(0, |at| at + 1))
}

/// Of the members of a file, how many keep their declaration when a token of another one is lost.
fn removals(language: Language, texts: &[Text], count: usize) -> Result<Value> {
    let mut parser = parser(language)?;
    let mut random = Random(11);
    let (mut kept, mut all) = (0, 0);
    let mut worst = (0, String::new());
    for _ in 0..count {
        let text = &texts[random.below(texts.len())];
        let tree = parser.parse(&text.text, None).context("no tree")?;
        let tokens = leaves(&tree);
        if tokens.is_empty() {
            continue;
        }
        let (start, end) = tokens[random.below(tokens.len())];
        let mut cut = text.text.clone();
        cut.replace_range(start..end, "");
        let before = members(&text.path, &text.text, Some(start..end));
        let after = members(&text.path, &cut, None);
        let lost: usize = before
            .iter()
            .map(|(member, count)| count.saturating_sub(*after.get(member).unwrap_or(&0)))
            .sum();
        let here: usize = before.values().sum();
        all += here;
        kept += here - lost;
        if lost > worst.0 {
            let line = point(&text.text, start).row + 1;
            worst = (
                lost,
                format!("{}:{line}: {:?}", text.path, &text.text[start..end]),
            );
        }
    }
    Ok(
        json!({ "places": count, "members": all, "kept": kept, "worst": { "lost": worst.0, "at": worst.1 } }),
    )
}

/// Declarations by kind and name, without those around a place.
fn members(
    path: &str,
    text: &str,
    without: Option<std::ops::Range<usize>>,
) -> BTreeMap<String, usize> {
    let limits = Limits {
        max_file_size: u32::MAX,
        exclude_generated: false,
    };
    let Outcome::Facts(facts) = analyse_text(path, text, limits) else {
        return BTreeMap::new();
    };
    let mut found = BTreeMap::new();
    for item in &facts.items {
        let holds = |place: &std::ops::Range<usize>| {
            item.start_byte as usize <= place.start && place.end <= item.end_byte as usize
        };
        if !without.as_ref().is_some_and(holds) {
            *found.entry(declared(&facts, item)).or_insert(0) += 1;
        }
    }
    found
}

fn declared(facts: &Facts, item: &codecortex_syntax::Item) -> String {
    format!("{} {}", item.kind.as_str(), facts.str(item.name))
}

/// The same numbers each time, so that reports can be compared.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end.max(1) as u64) as usize
    }
}
