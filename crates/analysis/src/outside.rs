//! Files that are not in the index and may be read all the same (SPEC D12, TC2): what an editor holds open,
//! and what an earlier answer named, such as the declaration in a library that a language provider found.
//!
//! Such a file is read when somebody asks, and kept only until that call is answered.

use std::cell::RefCell;
use std::collections::VecDeque;

use codecortex_protocol::paths::{outside_path, place_of};
use codecortex_protocol::{ErrorCode, Failure, Located, ToolError};
use codecortex_syntax::{Facts, Outcome, Reader, SkipReason};
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::symbols::files::explain;
use crate::texts::{DiskText, TextRef};

/// So many files are remembered, those that were named last.
const MOST_NAMED: usize = 1_024;

/// What is known of files that are not in the index.
#[derive(Debug, Default)]
pub struct OutsideFiles {
    /// Facts of open documents outside every folder, by the host's path.
    pub open: FxHashMap<String, Facts>,
    /// Paths that answers named, as the host has them, the latest last.
    named: RefCell<VecDeque<String>>,
}

impl OutsideFiles {
    /// Notes that an answer names this file.
    fn name(&self, path: &str) {
        let mut named = self.named.borrow_mut();
        if let Some(at) = named.iter().position(|known| known == path) {
            named.remove(at);
        } else if named.len() == MOST_NAMED {
            named.pop_front();
        }
        named.push_back(path.to_owned());
    }

    /// Whether an answer named this file.
    pub fn is_named(&self, path: &str) -> bool {
        self.named.borrow().iter().any(|known| known == path)
    }
}

impl Analysis {
    /// The file outside of the index that a caller means, if it may be read.
    pub fn locate_outside(&self, input: &str) -> Option<Located> {
        let written = input.trim().replace('\\', "/");
        let wanted = outside_path(input);
        let is_it =
            |path: &&String| **path == written || wanted.is_some() && outside_path(path) == wanted;
        let open = self.documents.keys().filter(|path| self.is_beyond(path));
        if let Some(path) = open.into_iter().find(is_it) {
            return Some(self.named(path));
        }
        let named = self.outside.named.borrow();
        let path = named.iter().find(is_it)?;
        Some(self.located(path))
    }

    /// A document that an answer names; where it is outside, it may be read when it is closed, too.
    pub fn named(&self, path: &str) -> Located {
        let file = self.located(path);
        if file.place.is_none() {
            self.outside.name(path);
        }
        file
    }

    /// Whether no root has this path.
    fn is_beyond(&self, path: &str) -> bool {
        place_of(path, &self.workspace.roots).is_none()
    }

    /// What a file says that is not in the index; the call waits where it has to be read first.
    pub fn facts_outside(&self, file: &Located) -> Result<&Facts, Failure> {
        if let Some(facts) = self.outside.open.get(&file.path) {
            return Ok(facts);
        }
        let unread = |why: String| {
            ToolError::new(
                ErrorCode::Unavailable,
                format!("`{}` has no outline: {why}.", file.display),
            )
        };
        if self.documents.contains_key(&file.path) {
            return Err(unread(explain(&SkipReason::UnknownLanguage)).into());
        }
        self.text_of(file)?;
        let DiskText::Text {
            snapshot, facts, ..
        } = self.disk_text(file)?
        else {
            return Err(unread("it could not be read".to_owned()).into());
        };
        let read = || {
            let (outcome, _) = Reader::open(&file.path, &snapshot.text.text(), self.limits());
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
    pub fn text_outside(&self, path: &str) -> Result<Option<TextRef<'_>>, Failure> {
        let Some(file) = self.name_outside(path) else {
            return Ok(None);
        };
        match self.text_of(&file) {
            Ok(text) => Ok(Some(text)),
            Err(Failure::Error(_)) => Ok(None),
            Err(waits) => Err(waits),
        }
    }

    /// Notes that an answer names a file that is not in the index: it may be read from now on, if it may at all.
    pub fn name_outside(&self, path: &str) -> Option<Located> {
        let file = self.located(path);
        let may_be = self.may_be_named(&file);
        if may_be {
            self.outside.name(path);
        }
        may_be.then_some(file)
    }

    /// Whether naming a file lets it be read: what a person or an ignore file leaves out stays unread, the
    /// sources of dependencies do not.
    pub fn may_be_named(&self, file: &Located) -> bool {
        let Some(place) = &file.place else {
            return true;
        };
        let is_listed = self.workspace.file(place.root, &place.path).is_some();
        match self.workspace.left_out_around(place.root, &place.path) {
            Some((_, reason)) => *reason == SkipReason::Tooling,
            None => is_listed && self.readable(&file.display, place).is_ok(),
        }
    }
}
