//! Paths between files, as imports write them.

/// The folder of a path, without a `/` at its end.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A path without the ending of its file name.
pub(crate) fn without_ending(path: &str) -> &str {
    let name = file_name(path);
    match name.rfind('.') {
        Some(dot) if dot > 0 => &path[..path.len() - name.len() + dot],
        _ => path,
    }
}

/// A path below a folder with `.` and `..` taken away; nothing where it leads out of the root.
pub(crate) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// A path as seen from a folder: `./a`, `../b/c`.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let from: Vec<&str> = from.split('/').filter(|part| !part.is_empty()).collect();
    let to: Vec<&str> = to.split('/').filter(|part| !part.is_empty()).collect();
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut out = match from.len() - same {
        0 => "./".to_owned(),
        up => "../".repeat(up),
    };
    out += &to.get(same..).unwrap_or_default().join("/");
    out
}

/// The parts of the path of a module, without `__init__`.
pub(super) fn module_parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = without_ending(path).split('/').collect();
    if parts.last() == Some(&"__init__") {
        parts.pop();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_between_files() {
        assert_eq!(relative("a/b", "a/b/c"), "./c");
        assert_eq!(relative("a/b", "a/c/d"), "../c/d");
        assert_eq!(relative("", "c"), "./c");
        assert_eq!(joined("a/b", "../c").as_deref(), Some("a/c"));
        assert_eq!(joined("", "../c"), None);
        assert_eq!(without_ending("a.b/c.d.ts"), "a.b/c.d");
        assert_eq!(without_ending("a.b/c"), "a.b/c");
        assert_eq!(folder("a/b/c.ts"), "a/b");
    }
}
