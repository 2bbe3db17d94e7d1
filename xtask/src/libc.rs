//! The C library helps of the WASM build, made ready in the target folder; wasm/libc/README.md says why.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

/// What the C compiler and cargo are told.
pub(crate) struct Libc {
    /// For `CFLAGS`.
    pub(crate) flags: String,
    /// A cargo configuration that replaces what tree-sitter-language's build script says.
    pub(crate) config: PathBuf,
}

/// Copies the headers to `target`/libc and writes the configuration. Files that are right are not touched:
/// cargo would build everything again.
pub(crate) fn prepare(root: &Path, target: &Path, cargo: &mut Command) -> Result<Libc> {
    let ours = root.join("wasm/libc");
    let include = target.join("libc/include");
    copy_headers(&headers(root, cargo)?, &include)?;

    let config = target.join("libc/config.toml");
    let mut links = serde_json::Map::new();
    links.insert("wasm-src".into(), text(&ours.join("stub"))?.into());
    links.insert("wasm-headers".into(), text(&include)?.into());
    let mut lines = format!(
        "[target.{}.tree-sitter-language]\n",
        crate::toolchain::TARGET
    );
    for (key, value) in links {
        lines.push_str(&format!("{key} = {value}\n"));
    }
    write_if_changed(&config, lines.as_bytes())?;

    // NDEBUG: the grammars' assertions would pull in printing
    let flags = format!(
        "-idirafter {} -include {} -DNDEBUG",
        text(&include)?,
        text(&ours.join("wasm_shim.h"))?
    );
    Ok(Libc { flags, config })
}

/// The headers' folder in cargo's registry.
fn headers(root: &Path, cargo: &mut Command) -> Result<PathBuf> {
    let output = cargo
        .current_dir(root)
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .context("cargo metadata")?;
    anyhow::ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .find(|package| package["name"] == "tree-sitter-language")
        .and_then(|package| package["manifest_path"].as_str())
        .and_then(|manifest| Path::new(manifest).parent())
        .map(|folder| folder.join("wasm/include"))
        .context("Cargo.lock has no tree-sitter-language")
}

fn copy_headers(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        // clang's own is complete, this one is not
        if entry.file_name() != "stdint.h" {
            write_if_changed(&to.join(entry.file_name()), &fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

fn write_if_changed(path: &Path, content: &[u8]) -> Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    fs::write(path, content).with_context(|| path.display().to_string())
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{}: not a Unicode path", path.display()))
}
