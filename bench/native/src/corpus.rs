//! The files of a tree in memory: disks are not what is measured.

use std::fs;
use std::io;
use std::path::Path;

use codecortex_syntax::{Language, Limits, language_of_path};
use codecortex_text::decode;

/// What the engine lets in unless told otherwise.
pub(crate) const LIMITS: Limits = Limits {
    max_file_size: 4 * 1024 * 1024,
    exclude_generated: true,
};

/// A source file.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Relative to the tree, with `/`.
    pub(crate) path: String,
    pub(crate) language: Language,
    pub(crate) bytes: Vec<u8>,
}

impl SourceFile {
    /// The text as it is parsed; `None` for what is no text.
    pub(crate) fn text(&self) -> Option<String> {
        Some(decode(&self.bytes).ok()?.text.into_owned())
    }
}

/// Every source file below a folder, in the order of their paths.
pub(crate) fn load(root: &Path) -> io::Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    collect(root, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, files: &mut Vec<SourceFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && name != ".git" {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file()
            && let Some(language) = language_of_path(&path)
        {
            files.push(SourceFile {
                bytes: fs::read(entry.path())?,
                path,
                language,
            });
        }
    }
    Ok(())
}
