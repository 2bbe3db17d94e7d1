//! The index as SCIP has it: a symbol's name everywhere the same, and every place where it is named
//! (SPEC X11, R5; docs/scip.md).
//!
//! Two passes. The first gives every declaration that other files can name its symbol, in the order of
//! files and places, so that the same files give the same names. The second goes file by file: what it
//! says of one is handed out before the next is begun. How the format is written down is the host's part.

use codecortex_analysis::Analysis;
use codecortex_analysis::module_hints::take_module_hints;
use codecortex_index::FileId;
use codecortex_resolve::Resolver;
use codecortex_text::decode;

use crate::document::{ScipDocument, ScipWriter};
use crate::symbols::ScipSymbols;

/// Files that share one memory of answers. It grows with what is asked; a fresh one costs what is found out
/// again, such as what files include.
const FILES_AT_ONCE: usize = 100;

/// A file of the index, for whoever reads its bytes.
#[derive(Clone, Copy, Debug)]
pub struct ExportedFile<'e> {
    /// The root it is in, by its index.
    pub root: u32,
    /// Its path in the root.
    pub path: &'e str,
}

/// What an export left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportAccount {
    /// Documents that were handed out.
    pub documents: usize,
    /// Occurrences in them.
    pub occurrences: usize,
    /// Symbols that they define.
    pub symbols: usize,
    /// Files that could not be read or are others by now than those that were indexed.
    pub changed: Vec<String>,
}

/// Hands out every file of a root as a document, in the order of paths.
///
/// `read` gives a file's bytes as they are now: ranges need the text, and the engine keeps none. A file
/// that is another one by now is left out and said to be. Manifests must have been read before, or
/// imports that need them lead nowhere and symbols have no package.
///
/// # Errors
/// What `write` fails with; nothing else fails.
pub fn export_scip<E>(
    code: &Analysis,
    root: u32,
    mut read: impl FnMut(ExportedFile<'_>) -> Option<Vec<u8>>,
    mut write: impl FnMut(ScipDocument) -> Result<(), E>,
) -> Result<ExportAccount, E> {
    take_module_hints(code);
    let names = code.names();
    let workspace = names.workspace();
    let mut files: Vec<(FileId, &str)> = code
        .shown_files()
        .filter(|(_, file)| file.root == root)
        .map(|(id, file)| (id, &*file.path))
        .collect();
    files.sort_unstable_by_key(|(_, path)| *path);
    let mut symbols = ScipSymbols::default();
    for some in files.chunks(FILES_AT_ONCE) {
        let query = Resolver::new(workspace);
        for (id, _) in some {
            symbols.add_file(code, &query, *id);
        }
    }
    let symbols = symbols.finish();
    let mut account = ExportAccount::default();
    for some in files.chunks(FILES_AT_ONCE) {
        let query = Resolver::new(workspace);
        for (id, path) in some {
            let Some(file) = code.index().file(*id) else {
                continue;
            };
            let bytes = read(ExportedFile { root, path });
            let is_it = |bytes: &Vec<u8>| {
                codecortex_syntax::content_hash(bytes) == file.facts.summary().hash
            };
            let bytes = bytes.filter(is_it);
            let Some(Ok(decoded)) = bytes.as_deref().map(decode) else {
                account.changed.push((*path).to_owned());
                continue;
            };
            let writer = ScipWriter::new(code, &query, &symbols, *id, &decoded.text);
            let Some(document) = writer.map(ScipWriter::write) else {
                continue;
            };
            account.documents += 1;
            account.occurrences += document.occurrences.len();
            account.symbols += document.symbols.len();
            write(document)?;
        }
    }
    Ok(account)
}
