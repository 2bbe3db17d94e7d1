//! TypeScript and JavaScript: the `lib.*.d.ts` of the compiler.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::comments::{CommentStyle, without_comments};
use super::{Description, files_below};

/// Describes the libraries of the npm package in a folder.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let package = fs::read_to_string(folder.join("package.json"))?;
    let package: serde_json::Value = serde_json::from_str(&package)?;
    let version = package["version"]
        .as_str()
        .context("package.json states no version")?;
    let mut files = files_below(&folder.join("lib"), ".d.ts")?;
    files.retain(|(path, _)| path.starts_with("lib.") && !path.contains('/'));
    for (_, text) in &mut files {
        // the grammar does not know the form without brackets, which says the same
        *text = without_comments(text, CommentStyle::Slashes)
            .replace("keyof readonly any[]", "keyof (readonly any[])");
    }
    Ok(Description {
        language: "typescript",
        version: format!("TypeScript {version}"),
        files,
    })
}
