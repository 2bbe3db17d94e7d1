//! Predicts for truth files: `truth LANGUAGE CORPUS_FOLDER TRUTH.jsonl [TIERS] > predictions.jsonl`.
//!
//! LANGUAGE is an id as in `LANGUAGES`; TIERS is `exact`, `inferred` (the default: exact, inferred and related),
//! `own` (the same without related ones, which most servers keep apart) or `name` (all, and the name tier). Truth
//! files of hierarchies and enclosing symbols are told apart by their lines. Of manifests only the names of crates
//! are read. Uses under the name that an import gives are left out where the language's own services list none.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool"
)]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Instant;

use codecortex_bind::facts::NONE;
use codecortex_bind::{Dialect, bind_masked};
use codecortex_resolve::{
    ConfidenceTier, DefRef, ExprRef, FileNo, Hints, Mapping, Resolver, Workspace,
};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Language, as_parsed, language_of_path, parse};
use serde_json::{Value, json};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, language, corpus, truth, rest @ ..] = args.as_slice() else {
        eprintln!("truth LANGUAGE CORPUS_FOLDER TRUTH.jsonl [exact|inferred|name]");
        return;
    };
    let kept: &[ConfidenceTier] = match rest.first().map(String::as_str) {
        Some("exact") => &[ConfidenceTier::Exact],
        Some("own") => &[ConfidenceTier::Exact, ConfidenceTier::Inferred],
        Some("name") => &[
            ConfidenceTier::Exact,
            ConfidenceTier::Inferred,
            ConfidenceTier::Related,
            ConfidenceTier::Name,
        ],
        _ => &[
            ConfidenceTier::Exact,
            ConfidenceTier::Inferred,
            ConfidenceTier::Related,
        ],
    };
    let corpus = Corpus::read(Path::new(corpus), language);
    let lines = std::fs::read_to_string(truth).unwrap();
    let mut queries = HashSet::new();
    for line in lines.lines() {
        let symbol: Value = serde_json::from_str(line).unwrap();
        corpus.predict(&symbol, kept, &mut queries);
    }
}

struct Corpus {
    workspace: Workspace,
    texts: BTreeMap<String, (FileNo, String)>,
    paths: Vec<String>,
}

impl Corpus {
    fn read(folder: &Path, _language: &str) -> Self {
        let mut files = Vec::new();
        list(folder, folder, &mut files);
        files.sort();
        let start = Instant::now();
        let mut parsing = std::time::Duration::ZERO;
        let mut corpus = Self {
            workspace: Workspace::default(),
            texts: BTreeMap::new(),
            paths: Vec::new(),
        };
        corpus.workspace.set_hints(crates(folder, &files));
        for path in files {
            if language_of_path(&path).is_none() {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(folder.join(&path)) else {
                continue;
            };
            let Some(language) = detect(&path, &text) else {
                continue;
            };
            let Some(dialect) = dialect(language) else {
                continue;
            };
            let parsed = Instant::now();
            let readable = as_parsed(language, &text).into_owned();
            let Some(tree) = parse(language, &readable, None) else {
                continue;
            };
            parsing += parsed.elapsed();
            let bindings = bind_masked(dialect, &text, &readable, &tree);
            let file = corpus.paths.len() as FileNo;
            corpus.workspace.insert(file, &path, dialect, &bindings);
            corpus.paths.push(path.clone());
            corpus.texts.insert(path, (file, text));
        }
        eprintln!(
            "{} files, parsed in {:?}, bound and joined in {:?}",
            corpus.paths.len(),
            parsing,
            start.elapsed().saturating_sub(parsing)
        );
        corpus
    }

    fn byte(&self, path: &str, line: u64, character: u64) -> Option<(FileNo, u32)> {
        let (file, text) = self.texts.get(path)?;
        let mut start = 0;
        for (number, content) in text.split('\n').enumerate() {
            if number as u64 == line {
                let mut units = 0;
                for (at, letter) in content.char_indices() {
                    if units >= character {
                        return Some((*file, (start + at) as u32));
                    }
                    units += letter.len_utf16() as u64;
                }
                return Some((*file, (start + content.len()) as u32));
            }
            start += content.len() + 1;
        }
        None
    }

    fn place(&self, file: FileNo, byte: u32) -> Value {
        let path = &self.paths[file as usize];
        let text = &self.texts[path].1;
        let before = &text[..(byte as usize).min(text.len())];
        let line = before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let character: usize = before[start..].chars().map(char::len_utf16).sum();
        json!({"file": path, "line": line, "character": character})
    }

    fn at(&self, place: &Value) -> Option<(FileNo, u32)> {
        self.byte(
            place["file"].as_str()?,
            place["line"].as_u64()?,
            place["character"].as_u64()?,
        )
    }

    fn predict(&self, symbol: &Value, tiers: &[ConfidenceTier], queries: &mut HashSet<String>) {
        if symbol.get("query").is_some() {
            self.predict_enclosing(symbol);
            return;
        }
        let Some((file, byte)) = self.at(&symbol["definition"]) else {
            return;
        };
        let resolver = Resolver::new(&self.workspace);
        let (used, def) = resolver.at(file, byte);
        let def = def.or_else(|| {
            let target = resolver.target(ExprRef { file, expr: used? });
            target.defs.first().copied()
        });
        if symbol.get("supertypes").is_some() || symbol.get("subtypes").is_some() {
            self.predict_hierarchy(symbol, &resolver, def);
            return;
        }
        let start = Instant::now();
        let found = def.map(|def| resolver.counted_references_of(&[def], false));
        let found = found.unwrap_or_default();
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        // Uses under a new name are none to the services whose answers are the truth.
        let kept = found.references.iter().filter(|of| {
            tiers.contains(&of.tier) && found.renamed.binary_search(&(of.file, of.at)).is_err()
        });
        let references: Vec<Value> = kept.map(|found| self.place(found.file, found.at)).collect();
        println!(
            "{}",
            json!({"definition": symbol["definition"], "references": references, "ms": ms})
        );
        for reference in symbol["references"].as_array().into_iter().flatten() {
            let key = format!(
                "{} {} {}",
                reference["file"], reference["line"], reference["character"]
            );
            if queries.insert(key) {
                self.predict_definition(reference, &resolver);
            }
        }
    }

    fn predict_definition(&self, place: &Value, resolver: &Resolver<'_>) {
        let Some((file, byte)) = self.at(place) else {
            return;
        };
        let start = Instant::now();
        let mut places = Vec::new();
        for (file, at) in resolver.definitions_at(file, byte) {
            places.push(self.place(file, at));
        }
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        println!(
            "{}",
            json!({"query": place, "definitions": places, "ms": ms})
        );
    }

    fn predict_hierarchy(&self, symbol: &Value, resolver: &Resolver<'_>, def: Option<DefRef>) {
        let place = |def: &DefRef| {
            let at = self.workspace.file(def.file).unwrap().def(def.def).at;
            self.place(def.file, at)
        };
        let supers = def
            .map(|def| resolver.supertypes(def).0)
            .unwrap_or_default();
        let mut subs = def.map(|def| resolver.subtypes(def)).unwrap_or_default();
        // Types without a name have no place to show.
        subs.retain(|def| self.workspace.file(def.file).unwrap().def(def.def).at != NONE);
        let supers: Vec<Value> = supers.iter().map(place).collect();
        let subs: Vec<Value> = subs.iter().map(place).collect();
        println!(
            "{}",
            json!({"definition": symbol["definition"], "supertypes": supers, "subtypes": subs})
        );
    }

    /// The innermost class or function around a place.
    fn predict_enclosing(&self, symbol: &Value) {
        let Some((file, byte)) = self.at(&symbol["query"]) else {
            return;
        };
        let bound = self.workspace.file(file).unwrap();
        let around = bound.named_defs().filter(|def| {
            let def = bound.def(*def);
            (def.kind.is_type() || def.kind.is_callable()) && def.start <= byte && byte < def.end
        });
        let inner = around.max_by_key(|def| bound.def(*def).start);
        let symbol_at = inner.map(|def| {
            let place = self.place(file, bound.def(def).at);
            let name = self.workspace.text(bound.name(bound.def(def).name));
            json!({"name": name, "line": place["line"], "character": place["character"]})
        });
        println!("{}", json!({"query": symbol["query"], "symbol": symbol_at}));
        let resolver = Resolver::new(&self.workspace);
        let (used, _) = resolver.at(file, byte);
        let _ = used.map(|expr| ExprRef { file, expr });
    }
}

/// The libraries of a folder's crates by their names.
fn crates(folder: &Path, files: &[String]) -> Hints {
    let manifests = files
        .iter()
        .filter_map(|path| path.strip_suffix("Cargo.toml"));
    let mappings = manifests.filter_map(|package| {
        let text = std::fs::read_to_string(folder.join(package).join("Cargo.toml")).ok()?;
        let rest = text.split("[package]").nth(1)?;
        let name = rest.lines().find_map(|line| line.strip_prefix("name"))?;
        Some(Mapping {
            folder: String::new(),
            written: name.split('"').nth(1)?.replace('-', "_"),
            paths: vec![format!("{package}src/lib.rs")],
            is_own: false,
        })
    });
    Hints::new(mappings.collect(), Vec::new())
}

fn dialect(language: Language) -> Option<Dialect> {
    Some(match language {
        Language::CSharp => Dialect::CSharp,
        Language::TypeScript | Language::Tsx => Dialect::TypeScript,
        Language::JavaScript => Dialect::JavaScript,
        Language::Python => Dialect::Python,
        Language::Rust => Dialect::Rust,
        Language::Go => Dialect::Go,
        Language::Java => Dialect::Java,
        Language::C => Dialect::C,
        Language::Cpp => Dialect::Cpp,
        Language::AngelScript => Dialect::AngelScript,
        _ => return None,
    })
}

fn list(root: &Path, folder: &Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(root, &path, files);
        } else {
            let relative = path.strip_prefix(root).unwrap();
            files.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
}
