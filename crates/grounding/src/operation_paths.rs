//! Paths of an operation in its file and in answers (SPEC IN1).
//!
//! Answers name files with the folder that they are in. The file of an operation names them relative to its root, so
//! that a conclusion outlives another name of the folder, a copy and a clone. Files of earlier versions have the folder's
//! name of then: where nothing is found under it, what follows it is looked for.

use codecortex_analysis::analysis::Analysis;
use codecortex_protocol::paths::{display, places};
use codecortex_semantics::Operation;

/// The operation as its file has it.
pub fn for_file(code: &Analysis, root: u32, operation: &Operation) -> Operation {
    let mut kept = operation.clone();
    let Some(folder) = code.workspace().roots.get(root as usize) else {
        return kept;
    };
    let own = display(folder, "") + "/";
    each_path(&mut kept, |path| {
        // A file of another root keeps that one's name, and so does what could be taken for something else.
        let rest = path.strip_prefix(&own)?;
        (is_file(code, root, rest) || !is_file(code, root, path)).then(|| rest.to_owned())
    });
    kept
}

/// The operation of a file as answers have it.
pub fn from_file(code: &Analysis, root: u32, mut operation: Operation) -> Operation {
    let Some(folder) = code.workspace().roots.get(root as usize) else {
        return operation;
    };
    each_path(&mut operation, |path| {
        if is_file(code, root, path) {
            return Some(display(folder, path));
        }
        let found = places(path, &code.workspace().roots).ok()?;
        if found
            .iter()
            .any(|place| is_file(code, place.root, &place.path))
        {
            return None;
        }
        let (_, rest) = path.split_once('/')?;
        is_file(code, root, rest).then(|| display(folder, rest))
    });
    operation
}

/// Paths that a question is about, relative to the root: the same question has the same id whatever its folder is called.
pub fn scope_in_file(code: &Analysis, root: u32, mut scope: Vec<String>) -> Vec<String> {
    let Some(folder) = code.workspace().roots.get(root as usize) else {
        return scope;
    };
    let own = display(folder, "") + "/";
    for path in &mut scope {
        if let Some(rest) = path.strip_prefix(&own)
            && !is_file(code, root, path)
        {
            *path = rest.to_owned();
        }
    }
    scope
}

fn is_file(code: &Analysis, root: u32, path: &str) -> bool {
    code.index().file_id(root, path).is_some()
}

/// Puts others in the place of the paths of an operation.
fn each_path(operation: &mut Operation, change: impl Fn(&str) -> Option<String>) {
    let put = |path: &mut String| {
        if let Some(changed) = change(path) {
            *path = changed;
        }
    };
    operation
        .read
        .iter_mut()
        .for_each(|file| put(&mut file.path));
    let evidence = operation.result.iter_mut().flat_map(|of| &mut of.evidence);
    evidence.for_each(|of| put(&mut of.path));
}
