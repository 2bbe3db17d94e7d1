//! What names mean, case by case: `fixtures/<language>/*.txt`.
//!
//! A case starts with `--- title`, its files with `=== path` (without one: `main.<ending>`). `«a=name»` declares
//! label `a` at a name, `«a:name»` uses it, `«a,b:name»` uses any of several, `«-:name»` leads nowhere in the
//! workspace. `«a~name»` and `«a!name»` are uses of which it is said that they are `inferred` or `exact`. Every use must
//! lead to its label, and the references of a label must be its uses. The cases of languages with a library of
//! declarations hold with and without it, Java's and Rust's with it; with it, what is said to be `inferred` may be `exact`.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use codecortex_bind::facts::{ScopeKind, flag};
use codecortex_bind::{Dialect, bind_masked, encode};
use codecortex_external::standard_library::StandardLibrary;
use codecortex_resolve::{
    ConfidenceTier, DefRef, ExprRef, FileNo, LibrarySource, Resolver, Workspace,
};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Language, as_parsed, bindings_of_text, parse};

/// A marked name: its file, first byte, labels, whether it declares.
struct Mark {
    file: FileNo,
    at: u32,
    labels: Vec<String>,
    declares: bool,
    tier: Option<ConfidenceTier>,
}

struct Case {
    title: String,
    files: Vec<(String, String)>,
    marks: Vec<Mark>,
}

#[test]
fn csharp() {
    run("csharp", "cs", 150);
}

#[test]
fn typescript() {
    run("typescript", "ts", 150);
}

#[test]
fn javascript() {
    run("javascript", "js", 100);
}

#[test]
fn python() {
    run("python", "py", 150);
}

#[test]
fn rust() {
    run("rust", "rs", 150);
}

#[test]
fn go() {
    run("go", "go", 100);
}

#[test]
fn java() {
    run("java", "java", 150);
}

#[test]
fn c() {
    run("c", "c", 70);
}

#[test]
fn cpp() {
    run("cpp", "cpp", 150);
}

#[test]
fn angelscript() {
    run("angelscript", "as", 200);
}

/// How many of the references that cases mark were found, over a language.
#[derive(Default)]
struct Score {
    right: usize,
    missed: usize,
    wrong: usize,
}

impl Score {
    fn f1(&self) -> f64 {
        let found = 2 * self.right;
        let all = found + self.missed + self.wrong;
        if all == 0 {
            1.0
        } else {
            found as f64 / all as f64
        }
    }
}

/// Checks the cases of a language, of which there are `least` or more.
fn run(language: &str, ending: &str, least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(language);
    let mut files: Vec<_> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => return,
    };
    files.sort();
    let only = std::env::var("CASE").unwrap_or_default();
    let (mut count, mut failures) = (0, String::new());
    let mut score = Score::default();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        for case in cases(&text, ending) {
            if !case.title.contains(&only) {
                continue;
            }
            count += 1;
            // Rules of these know no type of their libraries by themselves.
            let mut wrong = match language {
                "java" | "rust" | "typescript" | "javascript" => Vec::new(),
                _ => check(&case, None, &mut score),
            };
            if let Some(library) = library_of(language) {
                let with_it = check(&case, Some(&library), &mut score).into_iter();
                wrong.extend(with_it.map(|line| format!("with the library: {line}")));
            }
            if !wrong.is_empty() {
                let name = path.file_name().unwrap().to_string_lossy();
                writeln!(failures, "{name}: {}", case.title).unwrap();
                for line in wrong {
                    writeln!(failures, "    {line}").unwrap();
                }
            }
        }
    }
    println!(
        "{language}: {count} cases, {} references, F1 {:.3}",
        score.right + score.missed,
        score.f1()
    );
    assert!(failures.is_empty(), "of {count} cases:\n{failures}");
    assert!(count >= least || !only.is_empty(), "{count} cases");
}

/// The declarations of a language's own library.
#[derive(Clone, Debug)]
struct Declarations(&'static StandardLibrary);

impl LibrarySource for Declarations {
    fn paths(&self) -> Vec<String> {
        self.0.paths().map(str::to_owned).collect()
    }

    fn bindings(&self, path: &str) -> Option<Arc<[u8]>> {
        let text = self.0.text(path)?;
        Some(encode(bindings_of_text(path, &text)?).into())
    }
}

/// The library of a language whose rules look into it.
fn library_of(language: &str) -> Option<(Dialect, Declarations)> {
    let (language, dialect) = match language {
        "java" => (Language::Java, Dialect::Java),
        "csharp" => (Language::CSharp, Dialect::CSharp),
        "go" => (Language::Go, Dialect::Go),
        "python" => (Language::Python, Dialect::Python),
        "rust" => (Language::Rust, Dialect::Rust),
        "typescript" | "javascript" => (Language::TypeScript, Dialect::TypeScript),
        _ => return None,
    };
    let library = StandardLibrary::of(language).expect("a library in the program");
    Some((dialect, Declarations(library)))
}

fn cases(text: &str, ending: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(title) = line.strip_prefix("--- ") {
            cases.push(Case {
                title: title.trim().to_owned(),
                files: Vec::new(),
                marks: Vec::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        if let Some(path) = line.strip_prefix("=== ") {
            case.files.push((path.trim().to_owned(), String::new()));
            continue;
        }
        if case.files.is_empty() {
            case.files.push((format!("main.{ending}"), String::new()));
        }
        case.files.last_mut().unwrap().1.push_str(line);
    }
    for case in &mut cases {
        for (index, (_, text)) in case.files.iter_mut().enumerate() {
            let (plain, marks) = unmarked(text, index as FileNo);
            *text = plain;
            case.marks.extend(marks);
        }
    }
    cases
}

fn unmarked(text: &str, file: FileNo) -> (String, Vec<Mark>) {
    let mut plain = String::new();
    let mut marks = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('«') {
        plain.push_str(&rest[..start]);
        let inside = &rest[start + '«'.len_utf8()..];
        let end = inside.find('»').expect("a mark ends");
        let mark = &inside[..end];
        let split = mark.find([':', '=', '~', '!']).expect("a mark has a label");
        marks.push(Mark {
            file,
            at: plain.len() as u32,
            labels: mark[..split].split(',').map(str::to_owned).collect(),
            declares: mark.as_bytes()[split] == b'=',
            tier: match mark.as_bytes()[split] {
                b'~' => Some(ConfidenceTier::Inferred),
                b'!' => Some(ConfidenceTier::Exact),
                _ => None,
            },
        });
        plain.push_str(&mark[split + 1..]);
        rest = &inside[end + '»'.len_utf8()..];
    }
    plain.push_str(rest);
    (plain, marks)
}

fn dialect(path: &str, language: Language) -> Dialect {
    match path.rsplit('.').next().unwrap() {
        "cs" => Dialect::CSharp,
        "ts" | "tsx" | "mts" | "cts" => Dialect::TypeScript,
        "js" | "jsx" | "mjs" | "cjs" => Dialect::JavaScript,
        "py" | "pyi" => Dialect::Python,
        "rs" => Dialect::Rust,
        "go" => Dialect::Go,
        "java" => Dialect::Java,
        "as" => Dialect::AngelScript,
        _ if language == Language::C => Dialect::C,
        _ => Dialect::Cpp,
    }
}

/// Uses that lead to another file though their name is said to be that of locals.
fn leaving(workspace: &Workspace, resolver: &Resolver<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (file, path, _) in workspace.paths() {
        let Some(bound) = workspace.file(file) else {
            continue;
        };
        for (expr, name, at, _) in bound.uses() {
            if workspace.leads_outwards(file, bound.name(name)) {
                continue;
            }
            let target = resolver.target(ExprRef { file, expr });
            let stays = target.defs.iter().all(|def| def.file == file);
            if !stays || target.defs.is_empty() || !target.via_aliases.is_empty() {
                wrong.push(format!("{path}: the name at {at} is no local"));
            }
        }
    }
    wrong
}

/// Uses of a member's name that are in no tier, lead nowhere, and are not counted as leading out of the workspace.
fn nowhere(workspace: &Workspace, resolver: &Resolver<'_>) -> Vec<String> {
    let mut wrong = Vec::new();
    for (home, path, _) in workspace.paths() {
        for def in resolver.definitions_in(home) {
            let is_seen = resolver.scope_kind(def) == Some(ScopeKind::Class)
                && resolver
                    .definition(def)
                    .is_some_and(|def| def.flags & flag::PRIVATE == 0);
            if !is_seen {
                continue;
            }
            let found = resolver.counted_references_of(&[def], true);
            let places: BTreeSet<_> = found.references.iter().map(|of| (of.file, of.at)).collect();
            let is_lost = |(file, expr, at): &(FileNo, u32, u32)| {
                let target = resolver.target(ExprRef {
                    file: *file,
                    expr: *expr,
                });
                let leads = !target.defs.is_empty() || !target.via_aliases.is_empty();
                let is_place = target.module.is_some() || target.namespace.is_some();
                !places.contains(&(*file, *at)) && !leads && !is_place
            };
            let lost = uses_of_name(workspace, resolver, def)
                .into_iter()
                .filter(is_lost)
                .count();
            if lost > found.outside {
                let name = resolver.name(def);
                wrong.push(format!(
                    "{path}: {lost} uses of {name} are nowhere, {} outside",
                    found.outside
                ));
            }
        }
    }
    wrong
}

/// Every use that writes the name of a definition, in languages that see it.
fn uses_of_name(
    workspace: &Workspace,
    resolver: &Resolver<'_>,
    def: DefRef,
) -> Vec<(FileNo, u32, u32)> {
    let mut uses = Vec::new();
    for (file, ..) in workspace.paths() {
        let Some(bound) = workspace.file(file) else {
            continue;
        };
        let of_name = bound
            .uses()
            .filter(|(_, name, ..)| resolver.text(bound.name(*name)) == resolver.name(def));
        uses.extend(of_name.map(|(expr, _, at, _)| (file, expr, at)));
    }
    uses
}

fn check(case: &Case, library: Option<&(Dialect, Declarations)>, score: &mut Score) -> Vec<String> {
    let mut workspace = Workspace::default();
    if let Some((dialect, library)) = library {
        workspace.set_library(*dialect, Arc::new(library.clone()));
    }
    for (file, (path, text)) in case.files.iter().enumerate() {
        let language = detect(path, text).expect("a known ending");
        let readable = as_parsed(language, text).into_owned();
        let tree = parse(language, &readable, None).expect("a tree");
        let bindings = bind_masked(dialect(path, language), text, &readable, &tree);
        workspace.insert(file as FileNo, path, dialect(path, language), &bindings);
    }
    let resolver = Resolver::new(&workspace);
    let mut wrong = leaving(&workspace, &resolver);
    wrong.extend(nowhere(&workspace, &resolver));
    let mut declared: BTreeMap<&str, BTreeSet<(FileNo, u32)>> = BTreeMap::new();
    for mark in case.marks.iter().filter(|mark| mark.declares) {
        for label in &mark.labels {
            declared
                .entry(label)
                .or_default()
                .insert((mark.file, mark.at));
        }
    }
    for mark in case.marks.iter().filter(|mark| !mark.declares) {
        let found = resolver.definitions_at(mark.file, mark.at);
        let leads = if mark.labels[0] == "-" {
            found.is_empty() || found == [(mark.file, mark.at)]
        } else {
            let wanted: BTreeSet<_> = mark
                .labels
                .iter()
                .flat_map(|label| declared[label.as_str()].iter().copied())
                .collect();
            found.first().is_some_and(|first| wanted.contains(first))
                && found.iter().all(|found| wanted.contains(found))
        };
        if !leads {
            let found: Vec<String> = found.iter().map(|at| place(case, *at)).collect();
            wrong.push(format!(
                "{} should lead to {}, leads to [{}]",
                place(case, (mark.file, mark.at)),
                mark.labels.join(","),
                found.join(", ")
            ));
        }
    }
    for (label, places) in &declared {
        let mut found = BTreeSet::new();
        for (file, at) in places {
            let (_, def) = resolver.at(*file, *at);
            let Some(def) = def else {
                wrong.push(format!(
                    "nothing is declared at {}",
                    place(case, (*file, *at))
                ));
                continue;
            };
            for (place_of, tier) in references(&resolver, def) {
                found.insert(place_of);
                let of_place = |mark: &&Mark| (mark.file, mark.at) == place_of;
                let said = case.marks.iter().find(of_place);
                let may_be_better = library.is_some() && tier == ConfidenceTier::Exact;
                if said.and_then(|mark| mark.tier).is_some_and(|of| of != tier) && !may_be_better {
                    wrong.push(format!("{} is {tier:?}", place(case, place_of)));
                }
            }
        }
        let wanted: BTreeSet<(FileNo, u32)> = case
            .marks
            .iter()
            .filter(|mark| !mark.declares && mark.labels.iter().any(|known| known == label))
            .map(|mark| (mark.file, mark.at))
            .collect();
        score.right += wanted.intersection(&found).count();
        for place_of in wanted.difference(&found) {
            score.missed += 1;
            wrong.push(format!(
                "{label} misses the reference {}",
                place(case, *place_of)
            ));
        }
        for place_of in found.difference(&wanted) {
            if !places.contains(place_of) {
                score.wrong += 1;
                wrong.push(format!(
                    "{label} has the wrong reference {}",
                    place(case, *place_of)
                ));
            }
        }
    }
    wrong
}

fn references(resolver: &Resolver<'_>, def: DefRef) -> Vec<((FileNo, u32), ConfidenceTier)> {
    let found = resolver.references(def).into_iter();
    found
        .filter(|found| found.tier <= ConfidenceTier::Inferred)
        .map(|found| ((found.file, found.at), found.tier))
        .collect()
}

fn place(case: &Case, (file, at): (FileNo, u32)) -> String {
    let Some((path, text)) = case.files.get(file as usize) else {
        return format!("a file of the library, byte {at}");
    };
    let before = &text[..(at as usize).min(text.len())];
    let line = before.matches('\n').count() + 1;
    let name: String = text[(at as usize).min(text.len())..]
        .chars()
        .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
        .collect();
    let column = at as usize - before.rfind('\n').map_or(0, |at| at + 1);
    format!("{path}:{line}:{column} {name}")
}
