//! Whether the parts of the core stay apart: no large circles of files that import each other, no type whose methods
//! are all over a crate, no crate that depends on one above it, and no file but the session's that knows two rooms.

mod crate_graph;
mod order;
mod rooms;
mod source;

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use clap::Args;

use crate_graph::CrateGraph;

/// Files of a crate that may import each other in a circle: more of them cannot be read one by one.
const MAX_IN_CIRCLE: usize = 8;

/// Crates with a bar of their own: in the engine everything meets.
const MAX_IN_CIRCLE_OF: &[(&str, usize)] = &[("engine", 4)];

/// Files that may have inherent `impl` blocks of one type: the methods of more can only be searched for.
const MAX_IMPL_FILES: usize = 6;

/// Types whose methods may be in more files: crate, name (`*` for any start), how many files, reason.
const SPREAD: &[(&str, &str, usize, &str)] = &[
    (
        "bind",
        "*Walk",
        usize::MAX,
        "a walker of a language: a file a construct of its grammar",
    ),
    (
        "bind",
        "Walker",
        usize::MAX,
        "a walker of a language: a file a construct of its grammar",
    ),
    (
        "bind",
        "Cpp",
        usize::MAX,
        "a walker of a language: a file a construct of its grammar",
    ),
    (
        "syntax",
        "Walk",
        usize::MAX,
        "the walk over any tree: a file a kind of fact",
    ),
];

/// How the crates are looked at.
#[derive(Args)]
pub(crate) struct Options {
    /// Folders below crates/; all of them when none is named.
    crates: Vec<String>,
    /// Show every circle with the names that tie it, whether it is too large or not.
    #[arg(long, short)]
    verbose: bool,
}

/// Looks at the crates; an error where a bar is passed.
pub(crate) fn check(root: &Path, options: &Options) -> Result<()> {
    let mut problems = order::problems(root)?;
    problems.extend(rooms::problems(root)?);
    let crates = match options.crates.is_empty() {
        true => folders(&root.join("crates"))?,
        false => options.crates.clone(),
    };
    for name in &crates {
        let graph = CrateGraph::read(&root.join("crates").join(name).join("src"))?;
        let circles = graph.circles();
        if options.verbose {
            let sizes: Vec<String> = circles
                .iter()
                .map(|circle| circle.len().to_string())
                .collect();
            let files = graph.files.len();
            println!("{name}: {files} files, circles: {}", sizes.join(" "));
        }
        let most = most_in_circle(name);
        for circle in circles
            .iter()
            .filter(|circle| options.verbose || circle.len() > most)
        {
            show(&graph, circle);
        }
        problems.extend(problems_of(name, &graph, &circles));
    }
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// The bar for circles of a crate.
fn most_in_circle(name: &str) -> usize {
    let own = MAX_IN_CIRCLE_OF.iter().find(|(of, _)| *of == name);
    own.map_or(MAX_IN_CIRCLE, |(_, most)| *most)
}

/// The bars that a crate passes, a line each.
fn problems_of(name: &str, graph: &CrateGraph, circles: &[Vec<usize>]) -> Vec<String> {
    let most = most_in_circle(name);
    let circles = circles.iter().map(Vec::len).filter(|files| *files > most);
    let mut problems: Vec<String> = circles
        .map(|files| {
            format!("{name}: a circle of {files} files; at most {most} may import each other")
        })
        .collect();
    for ((module, ty), files) in &graph.impls {
        let own = SPREAD
            .iter()
            .find(|(of, exempt, ..)| *of == name && is_exempt(exempt, ty));
        let most = own.map_or(MAX_IMPL_FILES, |(_, _, most, _)| *most);
        if files.len() > most {
            let path = [module.as_slice(), std::slice::from_ref(ty)].concat();
            problems.push(format!(
                "{name}: inherent impl blocks of {} in {} files; at most {most} may have some",
                path.join("::"),
                files.len()
            ));
        }
    }
    problems
}

/// Whether a row of [`SPREAD`] is about a type.
fn is_exempt(row: &str, ty: &str) -> bool {
    match row.strip_prefix('*') {
        Some(end) => ty.ends_with(end),
        None => row == ty,
    }
}

pub(in crate::circles) fn folders(parent: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        if entry.path().join("src").is_dir() {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// Prints what ties the files of a circle.
fn show(graph: &CrateGraph, circle: &[usize]) {
    println!("--- {} files", circle.len());
    for ((from, to), names) in &graph.imports {
        if circle.contains(from) && circle.contains(to) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            println!(
                "    {} -> {}: {}",
                graph.files[*from],
                graph.files[*to],
                names.join(", ")
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of files that import each other in a ring and each have methods of one type.
    fn ring(files: usize) -> CrateGraph {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: String, text: String| fs::write(folder.path().join(name), text).unwrap();
        let modules = (0..files).map(|file| format!("mod m{file}; "));
        write(
            "lib.rs".to_owned(),
            modules.collect::<String>() + "pub struct Walk;",
        );
        for file in 0..files {
            let next = (file + 1) % files;
            let text = format!(
                "use crate::{{Walk, m{next}::f{next}}}; pub fn f{file}() {{}} impl Walk {{}}"
            );
            write(format!("m{file}.rs"), text);
        }
        CrateGraph::read(folder.path()).unwrap()
    }

    #[test]
    fn bars() {
        let of = |name: &str, files: usize| {
            let graph = ring(files);
            problems_of(name, &graph, &graph.circles())
        };
        assert!(of("host", 6).is_empty());
        let engine = most_in_circle("engine");
        assert_ne!(engine, MAX_IN_CIRCLE);
        let bar = format!(
            "engine: a circle of {} files; at most {engine} may import each other",
            engine + 1
        );
        assert!(of("engine", engine + 1).contains(&bar));
        assert!(!of("engine", engine).iter().any(|it| it.contains("circle")));
        assert_eq!(
            of("host", 9),
            [
                "host: a circle of 9 files; at most 8 may import each other",
                "host: inherent impl blocks of Walk in 9 files; at most 6 may have some",
            ]
        );
        // The walkers of a grammar may be spread.
        assert_eq!(
            of("bind", 9),
            ["bind: a circle of 9 files; at most 8 may import each other"]
        );
    }
}
