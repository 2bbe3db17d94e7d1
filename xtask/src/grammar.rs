//! `cargo xtask grammar`: a parser from its grammar.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};

/// The version of the parser's tables.
const ABI: usize = 15;

/// Writes `src/parser.c` and what belongs to it beside a `grammar.js`.
pub(crate) fn generate(folder: &Path) -> Result<()> {
    let mut diagnostics = Vec::new();
    let nowhere = None::<PathBuf>;
    let made = generate_parser_in_directory(
        folder,
        nowhere.clone(),
        nowhere,
        ABI,
        None,
        Some("node"),
        true,
        OptLevel::default(),
        &mut diagnostics,
    );
    for diagnostic in diagnostics {
        eprintln!("{diagnostic}");
    }
    if let Err(error) = made {
        bail!("{error}");
    }
    println!("{} written", folder.join("src/parser.c").display());
    Ok(())
}
