//! Rust: the public items of `std`, as rustdoc sees them: macros expanded, conditions decided, re-exports followed.

mod items;
mod module_tree;
mod names;
mod types;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use rustdoc_types::{Crate, FORMAT_VERSION};

use super::{Description, files_below};
use module_tree::ModuleTree;

/// The crates of the library, each after those that it is made of.
const CRATES: [&str; 3] = ["core", "alloc", "std"];

/// Describes the library of the toolchain in a folder that has the component `rust-src`.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let output = tempfile::tempdir()?;
    let mut crates = Vec::new();
    for name in CRATES {
        let root = documented_root(folder, name, output.path())?;
        run_rustdoc(folder, name, &root, output.path())?;
        let path = output.path().join(name).with_extension("json");
        let text =
            fs::read_to_string(&path).with_context(|| format!("{} is not read", path.display()))?;
        let described: Crate = serde_json::from_str(&text).with_context(|| {
            format!("rustdoc describes {name} in another format than {FORMAT_VERSION}")
        })?;
        crates.push((name, described));
    }
    let tree = ModuleTree::build(&crates)?;
    Ok(Description {
        language: "rust",
        version: version(folder)?,
        files: items::files(&tree),
    })
}

fn version(folder: &Path) -> Result<String> {
    let output = Command::new(folder.join("bin/rustc"))
        .arg("--version")
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let version = text
        .split(' ')
        .nth(1)
        .context("`rustc --version` states no version")?;
    Ok(format!("Rust {version}"))
}

/// The root file of a crate. rustdoc describes methods of primitive types only where these types are documented; for a crate that
/// has methods of them and not their documentation, this is a copy of its sources with a few words for each type.
fn documented_root(folder: &Path, name: &str, output: &Path) -> Result<PathBuf> {
    let library = folder.join("lib/rustlib/src/rust/library");
    let sources = library.join(name).join("src");
    let root = fs::read_to_string(sources.join("lib.rs"))?;
    if root.contains("primitive_docs.rs") {
        return Ok(sources.join("lib.rs"));
    }
    let copy = output.join(format!("{name}-sources"));
    for (path, text) in files_below(&sources, "")? {
        let file = copy.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, text)?;
    }
    let documentation = fs::read_to_string(library.join("core/src/primitive_docs.rs"))?;
    let attribute = "#[rustc_doc_primitive = \"";
    let mut root = root;
    for (number, line) in documentation
        .lines()
        .filter(|line| line.starts_with(attribute))
        .enumerate()
    {
        writeln!(
            root,
            "{line}\n/// A primitive type.\nmod primitive_type_{number} {{}}"
        )?;
    }
    fs::write(copy.join("lib.rs"), root)?;
    Ok(copy.join("lib.rs"))
}

/// Writes `<crate>.json`. What a crate of the library is made of is read from the toolchain's compiled libraries.
fn run_rustdoc(folder: &Path, name: &str, root: &Path, output: &Path) -> Result<()> {
    let mut command = Command::new(folder.join("bin/rustdoc"));
    command
        .arg(root)
        .args([
            "--crate-name",
            name,
            "--edition",
            "2024",
            "--cap-lints",
            "allow",
        ])
        .args([
            "-Z",
            "unstable-options",
            "-Z",
            "force-unstable-if-unmarked",
            "--output-format",
            "json",
        ])
        .args([
            "--cfg",
            "feature=\"backtrace\"",
            "--cfg",
            "backtrace_in_libstd",
            "-o",
        ])
        .arg(output)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_PKG_VERSION", "0")
        .env("STD_ENV_ARCH", std::env::consts::ARCH);
    // the language's own crates are found without being named; the others are private to the library
    if name == "std" {
        for (dependency, path) in dependencies(folder)? {
            if !matches!(dependency.as_str(), "core" | "std") {
                command
                    .arg("--extern")
                    .arg(format!("{dependency}={}", path.display()));
            }
        }
    }
    let run = command.output().context("rustdoc does not run")?;
    if !run.status.success() {
        bail!(
            "rustdoc does not describe {name}: {}",
            String::from_utf8_lossy(&run.stderr)
        );
    }
    Ok(())
}

/// The compiled libraries of the toolchain: name and metadata.
fn dependencies(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let targets = folder.join("lib/rustlib");
    let mut found = Vec::new();
    for target in fs::read_dir(&targets)? {
        let libraries = target?.path().join("lib");
        let is_host = libraries.to_string_lossy().contains(std::env::consts::ARCH);
        for entry in fs::read_dir(&libraries)
            .into_iter()
            .flatten()
            .filter(|_| is_host)
        {
            let path = entry?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            let stem = name
                .strip_prefix("lib")
                .and_then(|name| name.strip_suffix(".rmeta"));
            if let Some((name, _)) = stem.and_then(|stem| stem.rsplit_once('-')) {
                found.push((name.to_owned(), path));
            }
        }
    }
    found.sort();
    Ok(found)
}
