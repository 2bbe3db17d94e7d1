//! Files that are not in the index and may be read all the same (SPEC D12, TC2): what an editor holds open,
//! and what an earlier answer named, such as the declaration in a library that a language provider found.
//!
//! Such a file is read when somebody asks, and kept only until that call is answered.

use codecortex_protocol::paths::{outside_path, place_of};
use codecortex_protocol::{ErrorCode, Failure, Located, ToolError};
use codecortex_syntax::{Facts, IncrementalReader, Outcome, SkipReason};

use crate::analysis::Analysis;
use crate::disk_text::{DiskText, TextRef};
use crate::found_file::explain;

/// The file outside of the index that a caller means, if it may be read.
pub fn locate_outside(code: &Analysis, input: &str) -> Option<Located> {
    let written = input.trim().replace('\\', "/");
    let wanted = outside_path(input);
    let is_it =
        |path: &&String| **path == written || wanted.is_some() && outside_path(path) == wanted;
    let open = code.documents.keys().filter(|path| is_beyond(code, path));
    if let Some(path) = open.into_iter().find(is_it) {
        return Some(named(code, path));
    }
    let named = code.outside.named.borrow();
    let path = named.iter().find(is_it)?;
    Some(code.located(path))
}

/// A document that an answer names; where it is outside, it may be read when it is closed, too.
pub fn named(code: &Analysis, path: &str) -> Located {
    let file = code.located(path);
    if file.place.is_none() {
        code.outside.name(path);
    }
    file
}

/// Whether no root has this path.
fn is_beyond(code: &Analysis, path: &str) -> bool {
    place_of(path, &code.workspace.roots).is_none()
}

/// What a file says that is not in the index; the call waits where it has to be read first.
pub fn facts_outside<'a>(code: &'a Analysis, file: &Located) -> Result<&'a Facts, Failure> {
    if let Some(facts) = code.outside.open.get(&file.path) {
        return Ok(facts);
    }
    let unread = |why: String| {
        ToolError::new(
            ErrorCode::Unavailable,
            format!("`{}` has no outline: {why}.", file.display),
        )
    };
    if code.documents.contains_key(&file.path) {
        return Err(unread(explain(&SkipReason::UnknownLanguage)).into());
    }
    code.text_of(file)?;
    let DiskText::Text {
        snapshot, facts, ..
    } = code.disk_text(file)?
    else {
        return Err(unread("it could not be read".to_owned()).into());
    };
    let read = || {
        let (outcome, _) =
            IncrementalReader::open(&file.path, &snapshot.text.text(), code.limits());
        Box::new(outcome)
    };
    match facts.get_or_init(read).as_ref() {
        Outcome::Facts(facts) => Ok(facts),
        Outcome::Names(_) => Err(unread(explain(&SkipReason::Generated)).into()),
        Outcome::Skipped(reason) => Err(unread(explain(reason)).into()),
    }
}

/// The text of a file that is not in the index, for an answer that names it; nothing where it cannot be
/// read, or is left out on purpose. The call waits where it has to be read first.
pub fn text_outside<'a>(code: &'a Analysis, path: &str) -> Result<Option<TextRef<'a>>, Failure> {
    let Some(file) = name_outside(code, path) else {
        return Ok(None);
    };
    match code.text_of(&file) {
        Ok(text) => Ok(Some(text)),
        Err(Failure::Error(_)) => Ok(None),
        Err(waits) => Err(waits),
    }
}

/// Notes that an answer names a file that is not in the index: it may be read from now on, if it may at all.
pub fn name_outside(code: &Analysis, path: &str) -> Option<Located> {
    let file = code.located(path);
    let may_be = may_be_named(code, &file);
    if may_be {
        code.outside.name(path);
    }
    may_be.then_some(file)
}

/// Whether naming a file lets it be read: what a person or an ignore file leaves out stays unread, the
/// sources of dependencies do not.
pub fn may_be_named(code: &Analysis, file: &Located) -> bool {
    let Some(place) = &file.place else {
        return true;
    };
    let is_listed = code.workspace.file(place.root, &place.path).is_some();
    match code.workspace.left_out_around(place.root, &place.path) {
        Some((_, reason)) => *reason == SkipReason::Tooling,
        None => is_listed && code.readable(&file.display, place).is_ok(),
    }
}
