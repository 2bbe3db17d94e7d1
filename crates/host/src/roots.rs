//! Folders as a person names them to workspace folders.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::Root;
use sha2::{Digest, Sha256};

/// Why a folder cannot be a workspace folder.
#[derive(Debug, thiserror::Error)]
#[error("{} {problem}", path.display())]
pub struct RootError {
    /// The folder as it was given.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: RootProblem,
}

/// What is wrong with a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RootProblem {
    /// Nothing is there.
    #[error("does not exist")]
    Missing,
    /// It is a file.
    #[error("is not a folder")]
    NotAFolder,
    /// The system refuses to look at it.
    #[error("cannot be opened: permission denied")]
    Denied,
    /// Anything else, such as a loop of links.
    #[error("cannot be opened")]
    Unusable,
    /// Its path is no text that an answer could name.
    #[error("has a path that is not valid Unicode")]
    NotUnicode,
}

/// The workspace folders of these paths, links resolved, each once, in the order given. A folder is
/// named by the last segment of its path as it was given; where two would have the same name, by it and a number.
///
/// # Errors
/// The first path that is no folder.
pub fn resolve_roots(paths: &[PathBuf]) -> Result<Vec<Root>, RootError> {
    let mut roots: Vec<Root> = Vec::new();
    let mut names = BTreeSet::new();
    for path in paths {
        let absolute = resolve(path).map_err(|problem| RootError {
            path: path.clone(),
            problem,
        })?;
        if roots.iter().any(|root| root.path == absolute) {
            continue;
        }
        let given = path.file_name().and_then(|name| name.to_str());
        let name = unique(given.unwrap_or(last_segment(&absolute)), &names);
        names.insert(name.clone());
        let link = std::path::absolute(path)
            .ok()
            .and_then(|given| slashed(&given));
        roots.push(Root {
            name,
            link: link.filter(|link| *link != absolute),
            path: absolute,
        });
    }
    Ok(roots)
}

fn resolve(path: &Path) -> Result<String, RootProblem> {
    let absolute = path.canonicalize().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => RootProblem::Missing,
        io::ErrorKind::NotADirectory => RootProblem::NotAFolder,
        io::ErrorKind::PermissionDenied => RootProblem::Denied,
        _ => RootProblem::Unusable,
    })?;
    if !absolute.is_dir() {
        return Err(RootProblem::NotAFolder);
    }
    slashed(&absolute).ok_or(RootProblem::NotUnicode)
}

/// A path as the engine writes it: `/` between segments, none at the end, no `\\?\` in front.
/// `None` for what is no Unicode.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    let text = path.to_str()?;
    if !cfg!(windows) {
        return Some(text.to_owned());
    }
    let plain = match text.strip_prefix(r"\\?\UNC\") {
        Some(share) => format!(r"\\{share}"),
        None => text.strip_prefix(r"\\?\").unwrap_or(text).to_owned(),
    };
    Some(plain.trim_end_matches('\\').replace('\\', "/"))
}

fn last_segment(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit('/').next() {
        Some(name) if !name.is_empty() => name,
        _ => "root",
    }
}

fn unique(name: &str, taken: &BTreeSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 2;
    while taken.contains(&candidate) {
        candidate = format!("{name}-{number}");
        number += 1;
    }
    candidate
}

/// The bytes of a hash that tell workspaces apart.
const KEY_BYTES: usize = 12;

/// The name that a workspace's own files have in a folder of many: 24 hexadecimal digits of its roots' paths.
pub(crate) fn roots_key(roots: &[Root]) -> String {
    let mut hash = Sha256::new();
    for root in roots {
        hash.update(root.path.as_bytes());
        hash.update([0]);
    }
    let hash = hash.finalize();
    let digits = hash.iter().take(KEY_BYTES);
    digits.map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_folders_taken_once() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let path = place.path().join(name);
            std::fs::create_dir_all(&path).unwrap();
            path
        };
        let (one, two) = (make("a/src"), make("b/src"));
        let again = one.join("../src/.");
        let roots = resolve_roots(&[one, two, again]).unwrap();
        let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
        assert_eq!(names, ["src", "src-2"]);
        assert!(roots[0].path.ends_with("/a/src"));
    }

    #[test]
    fn what_is_no_folder_is_named() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let problem = |path: PathBuf| resolve_roots(&[path]).unwrap_err().problem;
        assert_eq!(problem(file.clone()), RootProblem::NotAFolder);
        assert_eq!(problem(file.join("below")), RootProblem::NotAFolder);
        assert_eq!(problem(place.path().join("none")), RootProblem::Missing);
    }

    #[test]
    fn the_file_systems_root_has_a_name() {
        assert_eq!(last_segment("/"), "root");
        assert_eq!(last_segment("/x/y"), "y");
    }

    /// A folder that a link leads to is called as the link is, and its files by both paths (SPEC TC2).
    #[cfg(unix)]
    #[test]
    fn a_link_gives_the_folder_its_name() {
        let place = tempfile::tempdir().unwrap();
        let top = place.path().canonicalize().unwrap();
        std::fs::create_dir(top.join("real")).unwrap();
        std::os::unix::fs::symlink("real", top.join("link")).unwrap();
        let roots = resolve_roots(&[top.join("link")]).unwrap();
        assert_eq!(roots[0].name, "link");
        assert_eq!(roots[0].path, slashed(&top.join("real")).unwrap());
        assert_eq!(roots[0].link, slashed(&top.join("link")));
        assert_eq!(resolve_roots(&[top.join("real")]).unwrap()[0].link, None);
    }
}
