//! The kept journals of edits that were applied: what takes them back (SPEC ED1).
//!
//! A journal that is done moves to a folder beside that of edits under the next number, so that a killed process leaves
//! either both, the edit and its inverse, or an edit that the next process ends and keeps. The last ones are kept.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{AppliedEdit, AppliedFile, Bytes, Root};

use super::folder::{DONE, EditsFolder, key, parts};
use super::journal::{EditLabel, Journal, JournalStep, JournalText, from_bytes, sync_folder};

/// The most edits of a set of folders that can be taken back.
const MAX_KEPT: usize = 10;

/// Keeps the journal of an edit that is done. One that took another back is removed with that of the other.
pub(super) fn keep(
    edits: &EditsFolder,
    owner: &str,
    journal: Journal,
    label: &EditLabel,
) -> io::Result<()> {
    let folder = edits.kept();
    if let Some(undone) = &label.undoes {
        forget(&folder, undone)?;
        return journal.remove();
    }
    folder.make()?;
    let mut names = names_of(&folder, owner)?;
    let next = names.last().and_then(|name| number(name)).unwrap_or(0) + 1;
    let name = format!("{owner}-{next:012}{DONE}");
    journal.move_to(&folder.path().join(&name))?;
    names.push(name);
    let surplus = names.len().saturating_sub(MAX_KEPT);
    for name in &names[..surplus] {
        remove(&folder.path().join(name))?;
    }
    sync_folder(folder.path())
}

/// The edits of these roots that can be taken back, the newest first.
pub(super) fn list(
    edits: &EditsFolder,
    roots: &[Root],
    last_with_contents: bool,
) -> io::Result<Vec<AppliedEdit>> {
    let folder = edits.kept();
    let mut owners: Vec<String> = roots.iter().map(|root| key(&root.path)).collect();
    owners.sort_unstable();
    owners.dedup();
    let mut found = Vec::new();
    for owner in owners {
        for name in names_of(&folder, &owner)? {
            let Some(text) = read(&folder.path().join(&name)) else {
                continue;
            };
            let is_ours = |step: &JournalStep| {
                let mut roots = roots.iter();
                roots.any(|root| step.root == Path::new(&root.path))
            };
            if text.steps.iter().all(is_ours) {
                found.push((text.label.at_ms, name, text));
            }
        }
    }
    // Several folders have numbers of their own.
    found.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
    if last_with_contents {
        found.truncate(1);
    }
    let edits = found.into_iter();
    Ok(edits
        .map(|(_, name, text)| applied_edit(name, text, last_with_contents))
        .collect())
}

fn applied_edit(id: String, text: JournalText, with_contents: bool) -> AppliedEdit {
    let JournalText { label, steps } = text;
    let moved: Vec<&PathBuf> = steps.iter().filter_map(|s| s.moved_from.as_ref()).collect();
    let held = |bytes: &Option<Vec<u8>>| bytes.clone().filter(|_| with_contents).map(Bytes);
    let files = steps.iter().filter(|step| !moved.contains(&&step.path));
    let files = files.map(|step| {
        let before = step.moved_from.as_ref().and_then(|from| {
            let mut steps = steps.iter();
            steps.find(|step| step.path == *from)
        });
        AppliedFile {
            path: shown(&step.path),
            moved_from: step.moved_from.as_deref().map(shown),
            before: held(&before.unwrap_or(step).old),
            after: held(&step.new),
            mode: step.mode.filter(|_| step.new.is_none()),
        }
    });
    AppliedEdit {
        files: files.collect(),
        id,
        summary: label.summary,
        at_ms: label.at_ms as f64,
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// What a kept journal says; none where it is gone, damaged or of another version.
fn read(path: &Path) -> Option<JournalText> {
    let text = fs::read(path).ok().and_then(|bytes| from_bytes(&bytes))?;
    if text.is_none() {
        tracing::warn!(journal = %path.display(), "a kept journal is of another version");
    }
    text
}

/// Removes a kept journal, and the folders that its edit made and that are empty by now.
fn forget(folder: &EditsFolder, id: &str) -> io::Result<()> {
    if !is_kept_name(id) {
        return Ok(());
    }
    let path = folder.path().join(id);
    if let Some(text) = read(&path) {
        remove_empty(&text.label.folders);
    }
    remove(&path)?;
    sync_folder(folder.path())
}

/// Removes folders that an edit made, where nothing is in them.
pub(super) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // Whoever put something there keeps it.
        let _ = fs::remove_dir(folder);
    }
}

/// Names of the kept journals of a root, the oldest first.
fn names_of(folder: &EditsFolder, owner: &str) -> io::Result<Vec<String>> {
    let mut names = folder.names()?;
    names.retain(|name| is_kept_name(name) && name.starts_with(owner));
    names.sort_by_key(|name| number(name));
    Ok(names)
}

fn is_kept_name(name: &str) -> bool {
    parts(name).is_some_and(|(_, ending)| ending == DONE) && number(name).is_some()
}

fn number(name: &str) -> Option<u64> {
    let number = name.strip_suffix(DONE)?.rsplit_once('-')?.1;
    number.parse().ok()
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
