//! The one place where paths are put together: `/` between names, relative to the root, no `.` and
//! no `..`. A path that leaves the root is said to be external, with its text kept.

use serde::{Deserialize, Serialize};

/// Where a manifest points to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ManifestTarget {
    /// A path inside the root, relative to it; the root itself is the empty string.
    Inside(String),
    /// Something outside the root, or something that cannot be located from a manifest alone.
    External {
        /// The path as the manifest has it.
        external: String,
    },
}

impl ManifestTarget {
    pub(crate) fn external(text: &str) -> Self {
        Self::External {
            external: text.replace(ROOT, "."),
        }
    }

    /// The path when it is inside the root.
    #[must_use]
    pub fn inside(&self) -> Option<&str> {
        match self {
            Self::Inside(path) => Some(path),
            Self::External { .. } => None,
        }
    }
}

/// Begins a path that is meant from the root. No manifest writes it: MSBuild's texts lose it before
/// they get here, and elsewhere it would do no harm.
pub(crate) const ROOT: char = '\u{1}';

/// Brings a path relative to the root into its normal form; none when it leaves the root.
#[must_use]
pub fn normalise(path: &str) -> Option<String> {
    match resolve("", path) {
        ManifestTarget::Inside(path) => Some(path),
        ManifestTarget::External { .. } => None,
    }
}

/// What `text`, written in a manifest of folder `folder`, points to.
#[must_use]
pub fn resolve(folder: &str, text: &str) -> ManifestTarget {
    let trimmed = text.trim();
    let (base, rest) = match trimmed.strip_prefix(ROOT) {
        Some(rest) => ("", rest),
        None if is_absolute(trimmed) => return ManifestTarget::external(trimmed),
        None => (folder, trimmed),
    };
    let mut parts: Vec<&str> = base.split('/').filter(|part| !part.is_empty()).collect();
    for part in rest.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return ManifestTarget::external(trimmed);
                }
            }
            _ => parts.push(part),
        }
    }
    ManifestTarget::Inside(parts.join("/"))
}

fn is_absolute(text: &str) -> bool {
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    drive || matches!(bytes.first(), Some(b'/' | b'\\')) || text.contains("://")
}

/// The folder of a normal path; the root's is the empty string.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last name of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The last name without its last ending.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// What follows the last dot of the last name.
pub(crate) fn extension(path: &str) -> &str {
    file_name(path).rsplit_once('.').map_or("", |(_, e)| e)
}

/// A name inside a folder.
pub(crate) fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        _ => format!("{folder}/{name}"),
    }
}

/// The rest of `path` below `folder`, if it is below it or is it.
pub(crate) fn below<'a>(folder: &str, path: &'a str) -> Option<&'a str> {
    if folder.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// The folder itself and every folder above it, the root last.
pub(crate) fn upward(start: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(start), |at| (!at.is_empty()).then(|| folder(at)))
}

/// How many names a folder's path has.
pub(crate) fn depth(path: &str) -> usize {
    if path.is_empty() {
        0
    } else {
        path.split('/').count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_normal_or_external() {
        let inside = |folder: &str, text: &str| resolve(folder, text).inside().map(str::to_owned);
        for (folder, text, expected) in [
            ("src/a", "..\\b\\B.csproj", Some("src/b/B.csproj")),
            ("src/a", "./x//y/.", Some("src/a/x/y")),
            ("src/a", "../..", Some("")),
            ("src/a", "../../..", None),
            ("", "../out", None),
            ("a", "C:\\b", None),
            ("a", "/usr/include", None),
            ("a", "\\\\server\\share", None),
            ("a", "https://example.org/x", None),
            ("a", "\u{1}/b/../c", Some("c")),
            ("a", "\u{1}/..", None),
            ("a", "", Some("a")),
        ] {
            assert_eq!(inside(folder, text).as_deref(), expected, "{folder} {text}");
        }
    }

    #[test]
    fn parts_of_paths() {
        assert_eq!(upward("a/b").collect::<Vec<_>>(), ["a/b", "a", ""]);
        assert_eq!(below("a", "ab/c"), None);
        assert_eq!(below("a", "a/c"), Some("c"));
        assert_eq!((stem("x/.env"), stem("x/a.b.c")), (".env", "a.b"));
    }
}
