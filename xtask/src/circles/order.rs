//! Which crate of the workspace may depend on which.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use toml::{Table, Value};

/// The crates by their folders, lowest level first: a crate depends on crates of lower levels only. Those that are not
/// there (yet) are passed over; one that is not here is a mistake.
const LEVELS: &[&[&str]] = &[
    &["text", "bind", "protocol", "secrets", "confined"],
    &[
        "syntax",
        "project",
        "answer",
        "live",
        "memory",
        "retrieval",
        "telemetry",
        "resolve",
        "hashes",
    ],
    &["index", "external", "ledger"],
    &["analysis", "semantics"],
    &[
        "ide",
        "scip",
        "edit",
        "artifacts",
        "review",
        "context",
        "grounding",
        "observations",
        "fixture",
    ],
    &["engine"],
    &["host", "wasm", "rpc", "lsp", "installer"],
    &["cli"],
];

/// Crates that may stand one on the other: a change at the bottom compiles all that are above it, one after the other.
const MAX_CHAIN: usize = 8;

/// What is wrong with the dependencies of the crates in `crates/` and of `wasm/`, a line each.
pub(super) fn problems(root: &Path) -> Result<Vec<String>> {
    let mut manifests = BTreeMap::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        let manifest = entry.path().join("Cargo.toml");
        if manifest.is_file() {
            let folder = entry.file_name().to_string_lossy().into_owned();
            manifests.insert(folder, read(&manifest)?);
        }
    }
    let wasm = root.join("wasm/Cargo.toml");
    if wasm.is_file() {
        manifests.insert("wasm".to_owned(), read(&wasm)?);
    }
    let mut problems = check(&manifests, LEVELS);
    let chain = longest_chain(&manifests);
    if chain.len() > MAX_CHAIN {
        problems.push(format!(
            "a chain of {} crates; at most {MAX_CHAIN} may stand one on the other: {}",
            chain.len(),
            chain.join(" → ")
        ));
    }
    Ok(problems)
}

fn read(manifest: &Path) -> Result<Table> {
    let text = fs::read_to_string(manifest)?;
    text.parse().with_context(|| manifest.display().to_string())
}

/// Checks manifests by their folders.
fn check(manifests: &BTreeMap<String, Table>, levels: &[&[&str]]) -> Vec<String> {
    let level_of = |folder: &str| levels.iter().position(|level| level.contains(&folder));
    let folders = folders_by_package(manifests);
    let mut problems = Vec::new();
    for (folder, manifest) in manifests {
        let Some(level) = level_of(folder) else {
            problems.push(format!(
                "{folder} has no place in the order of crates (xtask/src/circles/order.rs)"
            ));
            continue;
        };
        for package in dependencies(manifest) {
            let Some(other) = folders.get(package.as_str()) else {
                continue; // of a registry
            };
            if level_of(other).is_some_and(|other| other >= level) {
                problems.push(format!(
                    "{folder} depends on {other}, which is not below it"
                ));
            }
        }
    }
    problems
}

/// The folders of crates by the names of their packages.
fn folders_by_package(manifests: &BTreeMap<String, Table>) -> BTreeMap<&str, &str> {
    let named = manifests.iter().filter_map(|(folder, manifest)| {
        let name = manifest.get("package")?.get("name")?.as_str()?;
        Some((name, folder.as_str()))
    });
    named.collect()
}

/// The most crates of which each depends on the next, from the top down. Of a circle, which Cargo rejects, a part.
fn longest_chain(manifests: &BTreeMap<String, Table>) -> Vec<String> {
    let folders = folders_by_package(manifests);
    let below: BTreeMap<&str, Vec<&str>> = manifests
        .iter()
        .map(|(folder, manifest)| {
            let packages = dependencies(manifest);
            let own = packages
                .iter()
                .filter_map(|package| folders.get(package.as_str()).copied());
            (folder.as_str(), own.collect())
        })
        .collect();
    // Each round adds what stands on the chains of the round before; no chain has more crates than there are.
    let mut chains: BTreeMap<&str, Vec<&str>> = below
        .keys()
        .map(|folder| (*folder, vec![*folder]))
        .collect();
    for _ in 0..below.len() {
        let mut is_longer = false;
        for (folder, others) in &below {
            let best = others.iter().map(|other| &chains[other]);
            let Some(best) = best.max_by_key(|chain| chain.len()).cloned() else {
                continue;
            };
            if best.len() >= chains[folder].len() && !best.contains(folder) {
                chains.insert(folder, [vec![*folder], best].concat());
                is_longer = true;
            }
        }
        if !is_longer {
            break;
        }
    }
    let longest = chains
        .into_values()
        .max_by_key(Vec::len)
        .unwrap_or_default();
    longest.into_iter().map(str::to_owned).collect()
}

/// The packages that a crate needs to be built, for any target.
fn dependencies(manifest: &Table) -> Vec<String> {
    let targets = manifest.get("target").and_then(Value::as_table);
    let of_targets = targets
        .into_iter()
        .flat_map(Table::values)
        .filter_map(Value::as_table);
    let mut packages = Vec::new();
    for table in std::iter::once(manifest).chain(of_targets) {
        for key in ["dependencies", "build-dependencies"] {
            for (name, value) in table
                .get(key)
                .and_then(Value::as_table)
                .into_iter()
                .flatten()
            {
                let renamed = value.get("package").and_then(Value::as_str);
                packages.push(renamed.unwrap_or(name).to_owned());
            }
        }
    }
    packages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crates(all: &[(&str, &str)]) -> BTreeMap<String, Table> {
        let manifest = |(folder, rest): &(&str, &str)| {
            let text = format!("package.name = \"x-{folder}\"\n{rest}");
            ((*folder).to_owned(), text.parse().unwrap())
        };
        all.iter().map(manifest).collect()
    }

    #[test]
    fn a_crate_depends_on_lower_levels_only() {
        let all = crates(&[
            (
                "low",
                "[dependencies]\nserde = \"1\"\nx-beside = {}\n[dev-dependencies]\nx-high = {}",
            ),
            ("beside", ""),
            (
                "high",
                "[target.'cfg(unix)'.dependencies]\nother = { package = \"x-low\" }",
            ),
            ("new", ""),
        ]);
        let levels: &[&[&str]] = &[&["low", "beside", "absent"], &["high"]];
        let found = check(&all, levels);
        assert_eq!(
            found,
            [
                "low depends on beside, which is not below it",
                "new has no place in the order of crates (xtask/src/circles/order.rs)",
            ]
        );
        assert_eq!(
            check(&all, &[&["high"], &["low", "beside", "new"]])[0],
            "high depends on low, which is not below it"
        );
    }

    #[test]
    fn the_longest_chain_follows_what_crates_depend_on() {
        let all = crates(&[
            ("low", ""),
            ("middle", "[dependencies]\nx-low = {}"),
            ("beside", "[dependencies]\nx-low = {}\nx-middle = {}"),
            (
                "high",
                "[dependencies]\nx-low = {}\nx-beside = {}\n[dev-dependencies]\nx-top = {}",
            ),
            ("top", "[dependencies]\nx-middle = {}"),
        ]);
        assert_eq!(longest_chain(&all), ["high", "beside", "middle", "low"]);
        let circle = crates(&[
            ("a", "[dependencies]\nx-b = {}"),
            ("b", "[dependencies]\nx-a = {}"),
        ]);
        assert_eq!(longest_chain(&circle).len(), 2);
    }
}
