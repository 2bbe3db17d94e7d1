//! Paths of folders, as text.

/// The folder that a path is in.
pub(super) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path below a folder. Either may be empty: the workspace folder itself, and the folder itself.
pub(super) fn joined(folder: &str, rest: &str) -> String {
    match (folder, rest) {
        ("", path) | (path, "") => path.to_owned(),
        (folder, rest) => format!("{folder}/{rest}"),
    }
}
