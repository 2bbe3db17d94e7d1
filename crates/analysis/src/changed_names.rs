//! The joined names as they would be with other texts and files, for the check of an edit that is not made yet (SPEC ED1).

use std::sync::Arc;

use codecortex_bind::{Dialect, encode};
use codecortex_index::FileId;
use codecortex_resolve::{FileNo, Workspace};
use codecortex_syntax::{Limits, Outcome, analyse, bindings_of_text, dialect};

use crate::analysis::Analysis;
use crate::other_states::path_in_names;

/// A file as an edit would leave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedText {
    /// Its number; of a file that the edit makes, [`Analysis::first_free_file`] or a later one.
    pub file: FileNo,
    /// The workspace folder and the path of a file that is made or moved; none where it stays.
    pub place: Option<(u32, String)>,
    /// Its text; none where it is deleted.
    pub text: Option<String>,
}

impl EditedText {
    /// A file that stays where it is.
    #[must_use]
    pub fn changed(file: FileNo, text: String) -> Self {
        Self {
            file,
            place: None,
            text: Some(text),
        }
    }
}

/// Looks at the joined names as they would be if files were so. Afterwards they are as they were. A text that does not
/// parse leaves its file out. Nobody may hold [`Analysis::names`] meanwhile.
pub fn with_edited_files<T>(
    code: &Analysis,
    edited: &[EditedText],
    look: impl FnOnce(&Workspace) -> T,
) -> T {
    drop(code.names());
    let mut names = code.names.borrow_mut();
    for edit in edited {
        let bound = bound_as_indexed(code, edit);
        match bound {
            Some(BoundText {
                path,
                dialect,
                bytes,
            }) => names
                .workspace
                .insert_encoded(edit.file, &path, dialect, bytes),
            None => names.workspace.remove(edit.file),
        }
    }
    let seen = look(&names.workspace);
    for edit in edited {
        match code.index.file(FileId(edit.file)) {
            Some(_) => names.distrust(edit.file),
            None => names.workspace.remove(edit.file),
        }
    }
    drop(names);
    drop(code.names());
    seen
}

/// What the joined names take of a text.
struct BoundText {
    /// As the joined names have it.
    path: String,
    dialect: Dialect,
    bytes: Arc<[u8]>,
}

/// The bindings of a text as the index makes them of a file on the disk.
fn bound_as_indexed(code: &Analysis, edit: &EditedText) -> Option<BoundText> {
    let indexed = code.index.file(FileId(edit.file));
    let (root, path) = match (&edit.place, indexed) {
        (Some((root, path)), _) => (*root, path.as_str()),
        (None, Some(file)) => (file.root, &*file.path),
        (None, None) => return None,
    };
    let text = edit.text.as_deref()?;
    let (language, bytes) = bindings_as_indexed(path, text, code.limits_of(root))?;
    Some(BoundText {
        path: path_in_names(code, root, path).into_owned(),
        dialect: language,
        bytes,
    })
}

fn bindings_as_indexed(path: &str, text: &str, limits: Limits) -> Option<(Dialect, Arc<[u8]>)> {
    let (Outcome::Facts(facts) | Outcome::Names(facts)) = analyse(path, text.as_bytes(), limits)
    else {
        return None;
    };
    let language = dialect(facts.language);
    let bound = facts.bindings.0;
    match bound.is_empty() {
        true => Some((language, encode(bindings_of_text(path, text)?).into())),
        false => Some((language, bound)),
    }
}
