//! Stores of observations on the disk (SPEC OB1, X7; docs/memory.md).

use std::fs;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{MemoryReply, MemoryRequest};
use codecortex_memory::native::MemoryFolder;
use codecortex_memory::{
    BackEnd, MemoryError, RecallRequest, Result, Sealed, Store, StoreMatches, find,
};
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::git_ignores::small_text;

/// The stores that were asked, by their roots: a log is read once, and then what is new of it.
#[derive(Default)]
pub(crate) struct Stores {
    open: FxHashMap<PathBuf, (MemoryFolder, Box<dyn Store + Send>)>,
}

impl Stores {
    /// Does what is asked of the store of a root.
    pub(crate) fn answer(&mut self, root: &Path, request: MemoryRequest) -> MemoryReply {
        let done = match request {
            MemoryRequest::Place => Ok(place(root)),
            MemoryRequest::Append { backend, records } => {
                self.append(root, backend.as_deref(), records)
            }
            MemoryRequest::Recall { backend, question } => {
                self.recall(root, backend.as_deref(), question)
            }
            MemoryRequest::Purge {
                backend, ids, ts, ..
            } => self.purge(root, backend.as_deref(), &ids, &ts),
        };
        done.unwrap_or_else(|error| {
            self.open.remove(root);
            failed(&error)
        })
    }

    fn append(
        &mut self,
        root: &Path,
        backend: Option<&str>,
        records: Vec<Value>,
    ) -> Result<MemoryReply> {
        let sealed: Result<Vec<Sealed>> = records.into_iter().map(Sealed::from_json).collect();
        let store = self
            .store(root, backend, true)?
            .ok_or(MemoryError::LockLost)?;
        let appended = store.append(sealed?)?;
        Ok(MemoryReply::Recorded {
            ids: appended.ids,
            warnings: appended.warnings,
        })
    }

    fn recall(
        &mut self,
        root: &Path,
        backend: Option<&str>,
        question: Value,
    ) -> Result<MemoryReply> {
        let request: RecallRequest =
            serde_json::from_value(question).map_err(|error| MemoryError::Invalid {
                field: "question",
                reason: error.to_string(),
            })?;
        let found = match self.store(root, backend, false)? {
            Some(store) => find(store.as_mut(), &request)?,
            None => StoreMatches::nothing(
                backend.map_or(Ok(BackEnd::Jsonl), BackEnd::parse)?,
                &request,
            )?,
        };
        Ok(MemoryReply::Found {
            found: serde_json::to_value(found).unwrap_or_default(),
        })
    }

    fn purge(
        &mut self,
        root: &Path,
        backend: Option<&str>,
        ids: &[u64],
        ts: &str,
    ) -> Result<MemoryReply> {
        let Some(store) = self.store(root, backend, false)? else {
            return Err(MemoryError::UnknownIds { ids: ids.to_vec() });
        };
        let tombstone = store.purge(ids, ts)?;
        Ok(MemoryReply::Recorded {
            ids: vec![tombstone],
            warnings: Vec::new(),
        })
    }

    /// The store of a root; none where there is no folder and none may be made.
    fn store(
        &mut self,
        root: &Path,
        backend: Option<&str>,
        may_make: bool,
    ) -> Result<Option<&mut Box<dyn Store + Send>>> {
        let asked = backend.map(BackEnd::parse).transpose()?;
        let Some(folder) = MemoryFolder::at_root(root, may_make)? else {
            return Ok(None);
        };
        let source = asked.or(folder.holder()).unwrap_or(BackEnd::Jsonl);
        let is_it = |(known, store): &(MemoryFolder, Box<dyn Store + Send>)| {
            *known == folder
                && store.source() == source
                && folder.holder().is_none_or(|holder| holder == source)
        };
        if !self.open.get(root).is_some_and(is_it) {
            let store = folder.open(source)?;
            self.open.insert(root.to_path_buf(), (folder, store));
        }
        Ok(self.open.get_mut(root).map(|(_, store)| store))
    }
}

impl std::fmt::Debug for Stores {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.open.keys()).finish()
    }
}

/// What is said of a root that is no more.
pub(crate) fn no_such_root() -> MemoryReply {
    MemoryReply::Failed {
        code: "Unavailable".to_owned(),
        message: "The folder is no longer in the workspace.".to_owned(),
        hint: "Call again.".to_owned(),
        retryable: true,
    }
}

fn failed(error: &MemoryError) -> MemoryReply {
    MemoryReply::Failed {
        code: error.code().to_owned(),
        message: error.to_string(),
        hint: error.hint().to_owned(),
        retryable: error.is_retryable(),
    }
}

/// The branch that is checked out, and the name of the worktree where it is a linked one. Git itself is not run: the two
/// files say it.
fn place(root: &Path) -> MemoryReply {
    let found = root.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        match fs::symlink_metadata(&git) {
            Ok(found) if found.is_dir() => Some((git, None)),
            Ok(_) => {
                let linked = linked(folder, &git)?;
                let name = linked.file_name()?.to_string_lossy().into_owned();
                let is_worktree = linked.parent().is_some_and(|of| of.ends_with("worktrees"));
                Some((linked, is_worktree.then_some(name)))
            }
            Err(_) => None,
        }
    });
    let branch = found.as_ref().and_then(|(folder, _)| {
        let head = small_text(&folder.join("HEAD"))?;
        let branch = head.trim().strip_prefix("ref: refs/heads/")?;
        Some(branch.to_owned())
    });
    MemoryReply::Place {
        branch,
        worktree: found.and_then(|(_, worktree)| worktree),
    }
}

/// Where the file `.git` of a worktree or submodule leads.
fn linked(folder: &Path, git: &Path) -> Option<PathBuf> {
    let text = small_text(git)?;
    Some(folder.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn place_of(root: &Path) -> (Option<String>, Option<String>) {
        match place(root) {
            MemoryReply::Place { branch, worktree } => (branch, worktree),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_branch_and_a_linked_worktree_are_told() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join("repo/app");
        let git = place.path().join("repo/.git");
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(git.join("worktrees/fix")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/feature/x\n").unwrap();
        fs::write(git.join("worktrees/fix/HEAD"), "ref: refs/heads/fix\n").unwrap();
        assert_eq!(place_of(&root), (Some("feature/x".to_owned()), None));
        let linked = place.path().join("fix");
        fs::create_dir(&linked).unwrap();
        let text = format!("gitdir: {}\n", git.join("worktrees/fix").display());
        fs::write(linked.join(".git"), text).unwrap();
        assert_eq!(
            place_of(&linked),
            (Some("fix".to_owned()), Some("fix".to_owned()))
        );
        fs::write(
            git.join("HEAD"),
            "0123456789012345678901234567890123456789\n",
        )
        .unwrap();
        assert_eq!(place_of(&root), (None, None));
    }

    #[test]
    fn a_store_that_is_not_there_has_nothing_and_is_not_made() {
        let place = tempfile::tempdir().unwrap();
        let mut stores = Stores::default();
        let question = json!({ "ids": [3] });
        let request = MemoryRequest::Recall {
            backend: None,
            question,
        };
        let MemoryReply::Found { found } = stores.answer(place.path(), request) else {
            panic!("it answers");
        };
        assert_eq!(
            (&found["records"], &found["unknown"]),
            (&json!([]), &json!([3]))
        );
        assert!(!place.path().join(".context").exists());
    }

    #[test]
    fn a_back_end_that_there_is_not_is_told_with_the_list() {
        let place = tempfile::tempdir().unwrap();
        let request = MemoryRequest::Append {
            backend: Some("postgres".to_owned()),
            records: Vec::new(),
        };
        match Stores::default().answer(place.path(), request) {
            MemoryReply::Failed { code, message, .. } => {
                assert_eq!(code, "InvalidParams");
                assert!(message.contains("markdown, jsonl, sqlite"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
}
