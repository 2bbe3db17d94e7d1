//! Go: what the packages of the standard library export, a file a package.

mod package;

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Description;
use package::{PackageSource, description};

/// Describes the library of the Go installation in a folder, for Linux on x86-64.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let version =
        fs::read_to_string(folder.join("VERSION")).context("the file `VERSION` is not read")?;
    let version = version.lines().next().unwrap_or_default();
    let version = version
        .strip_prefix("go")
        .context("the file `VERSION` states no version")?;
    let mut files = Vec::new();
    for (path, names) in packages(folder)? {
        let sources = folder.join("src").join(&path);
        let mut texts = Vec::new();
        for name in names {
            let text = fs::read_to_string(sources.join(&name));
            texts.push((name, text.with_context(|| format!("{path} is not read"))?));
        }
        let text = description(&PackageSource {
            path: &path,
            files: &texts,
        })?;
        let name = path.rsplit('/').next().unwrap_or(&path);
        files.push((format!("{path}/{name}.go"), text));
    }
    Ok(Description {
        language: "go",
        version: format!("Go {version}"),
        files,
    })
}

/// The packages that a program can import, with the files that the installation's own `go list` says are compiled.
fn packages(folder: &Path) -> Result<Vec<(String, Vec<String>)>> {
    let listed = Command::new(folder.join("bin/go"))
        .args([
            "list",
            "-f",
            "{{.ImportPath}} {{join .GoFiles \" \"}} {{join .CgoFiles \" \"}}",
            "std",
        ])
        .envs([
            ("GOOS", "linux"),
            ("GOARCH", "amd64"),
            ("CGO_ENABLED", "1"),
            ("GO111MODULE", "off"),
        ])
        .env("GOROOT", folder)
        .output()
        .context("`go list` does not run")?;
    if !listed.status.success() {
        bail!(
            "`go list` fails: {}",
            String::from_utf8_lossy(&listed.stderr)
        );
    }
    let mut packages = Vec::new();
    for line in String::from_utf8(listed.stdout)?.lines() {
        let mut words = line.split_whitespace().map(str::to_owned);
        let path = words.next().context("`go list` prints an empty line")?;
        if !path
            .split('/')
            .any(|part| matches!(part, "internal" | "vendor"))
        {
            packages.push((path, words.collect()));
        }
    }
    // what the language itself declares is written there for readers, and compiled nowhere
    packages.push(("builtin".to_owned(), vec!["builtin.go".to_owned()]));
    Ok(packages)
}
