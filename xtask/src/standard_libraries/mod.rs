//! `cargo xtask stdlib`: writes `crates/external/data`, the descriptions of the languages' own libraries.
//!
//! Each language has a file that makes declarations without bodies out of what the language's makers publish. The sources are
//! given as arguments and are never committed; the same sources give the same bytes.

mod archive_writer;
mod comments;
mod csharp;
mod go;
mod java;
mod python;
mod rust;
mod syntax_reduction;
mod typescript;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use codecortex_syntax::language_of_path;

use crate::wasm::STANDARD_LIBRARIES;

/// Where the libraries' sources lie. What is not given keeps its description.
#[derive(Args)]
pub(crate) struct Options {
    /// A JDK's folder, with `lib/modules` and `release`.
    #[arg(long)]
    java: Option<PathBuf>,
    /// Typeshed's folder `stdlib`, with `commit.txt` beside it.
    #[arg(long)]
    python: Option<PathBuf>,
    /// A checkout of dotnet/runtime.
    #[arg(long)]
    csharp: Option<PathBuf>,
    /// A Go installation's folder, with `bin/go` and `src`.
    #[arg(long)]
    go: Option<PathBuf>,
    /// A Rust toolchain's folder, with the component `rust-src`.
    #[arg(long)]
    rust: Option<PathBuf>,
    /// The npm package `typescript`.
    #[arg(long)]
    typescript: Option<PathBuf>,
    /// Also write the texts below this folder, one folder a language, to be looked at.
    #[arg(long)]
    unpacked: Option<PathBuf>,
}

/// A library as it is described.
struct Description {
    /// The language's id.
    language: &'static str,
    /// What it was made from: `JDK 25.0.3`.
    version: String,
    /// Paths with their texts.
    files: Vec<(String, String)>,
}

/// Writes the descriptions of the languages whose sources are given.
pub(crate) fn run(root: &Path, options: &Options) -> Result<()> {
    let mut descriptions = Vec::new();
    if let Some(folder) = &options.java {
        descriptions.push(java::describe(folder)?);
    }
    if let Some(folder) = &options.python {
        descriptions.push(python::describe(folder)?);
    }
    if let Some(folder) = &options.csharp {
        descriptions.push(csharp::describe(folder)?);
    }
    if let Some(folder) = &options.go {
        descriptions.push(go::describe(folder)?);
    }
    if let Some(folder) = &options.rust {
        descriptions.push(rust::describe(folder)?);
    }
    if let Some(folder) = &options.typescript {
        descriptions.push(typescript::describe(folder)?);
    }
    for mut description in descriptions {
        description.files.sort();
        check_syntax(&description)?;
        if let Some(folder) = &options.unpacked {
            unpack(&folder.join(description.language), &description)?;
        }
        let archive = archive_writer::archive(&description.version, &description.files)?;
        let path = root
            .join(STANDARD_LIBRARIES)
            .join(description.language)
            .with_extension("stdlib");
        fs::write(&path, &archive).with_context(|| format!("{} is not written", path.display()))?;
        println!(
            "{}: {} files, {} bytes, {} compressed, of {}",
            description.language,
            description.files.len(),
            description
                .files
                .iter()
                .map(|(_, text)| text.len())
                .sum::<usize>(),
            archive.len(),
            description.version
        );
    }
    Ok(())
}

/// The files below a folder of which the names have an ending, with their paths from there, and their texts.
fn files_below(folder: &Path, ending: &str) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), String::new())];
    while let Some((folder, path)) = folders.pop() {
        let entries =
            fs::read_dir(&folder).with_context(|| format!("{} is not read", folder.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{path}{name}");
            if entry.file_type()?.is_dir() {
                folders.push((entry.path(), format!("{path}/")));
            } else if name.ends_with(ending) {
                let text = fs::read_to_string(entry.path());
                let text =
                    text.with_context(|| format!("{} is not read", entry.path().display()))?;
                files.push((path, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Fails with the lines that the core's parsers do not read.
fn check_syntax(description: &Description) -> Result<()> {
    for (path, text) in &description.files {
        let language =
            language_of_path(path).with_context(|| format!("{path} is of no language"))?;
        let tree = syntax_reduction::parsed(language, path, text)?;
        let broken = syntax_reduction::broken_lines(&tree, text);
        if !broken.is_empty() {
            bail!("{path}: syntax errors: {broken:#?}");
        }
    }
    Ok(())
}

fn unpack(folder: &Path, description: &Description) -> Result<()> {
    for (path, text) in &description.files {
        let file = folder.join(path);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&file, text).with_context(|| format!("{} is not written", file.display()))?;
    }
    Ok(())
}
