//! The joined names with some files as they are in another state than the index's: before a change, or after it.
//!
//! The files are exchanged in the joined names themselves, which are too large to be copied, and marked as unknown. The
//! next question finds them marked and joins them again as the index has them, also where this one ended early.

use std::borrow::Cow;
use std::sync::Arc;

use codecortex_protocol::paths::display;
use codecortex_resolve::Workspace;
use codecortex_syntax::{Language, dialect};

use crate::analysis::Analysis;

/// A file in another state.
#[derive(Clone, Debug)]
pub struct OtherFileState<'f> {
    /// Its path in its root.
    pub path: &'f str,
    /// Its language and its encoded bindings; absent where the state has no such file.
    pub bindings: Option<(Language, Arc<[u8]>)>,
}

/// Asks something of the names of all files, of which these are in another state. Nothing where the joined names
/// are in use.
pub fn names_in_state<R>(
    analysis: &Analysis,
    root: u32,
    files: &[OtherFileState<'_>],
    ask: impl FnOnce(&Workspace) -> R,
) -> Option<R> {
    drop(analysis.names());
    let mut names = analysis.names.try_borrow_mut().ok()?;
    for file in files {
        let number = analysis.index.file_id(root, file.path).map(|id| id.0);
        let path = path_in_names(analysis, root, file.path);
        let Some((language, bytes)) = &file.bindings else {
            if let Some(number) = number {
                names.distrust(number);
                names.workspace.remove(number);
            }
            continue;
        };
        // A file that the index has not gets the next number: what has a number that the index knows nothing of is
        // taken out when the names are joined again.
        let number = number.unwrap_or(names.known.len() as u32);
        if names.known.len() <= number as usize {
            names.known.resize(number as usize + 1, None);
        }
        names.known[number as usize] = Some(UNKNOWN);
        names.revision = None;
        let bytes = Arc::clone(bytes);
        names
            .workspace
            .insert_encoded(number, &path, dialect(*language), bytes);
    }
    Some(ask(&names.workspace))
}

/// The path of a file as the joined names have it: with the folder's name only where there are several.
#[must_use]
pub fn path_in_names<'p>(analysis: &Analysis, root: u32, path: &'p str) -> Cow<'p, str> {
    match analysis.workspace.roots.as_slice() {
        [_] => Cow::Borrowed(path),
        roots => match roots.get(root as usize) {
            Some(root) => Cow::Owned(display(root, path)),
            None => Cow::Borrowed(path),
        },
    }
}

/// The content of a file that is exchanged, which no file has.
const UNKNOWN: [u8; 16] = [0xff; 16];
