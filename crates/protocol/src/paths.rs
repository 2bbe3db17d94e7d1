//! Paths as callers write and read them (SPEC TC2, D12).
//!
//! Inside, a file is a folder's index and a path relative to it. Callers may give absolute paths,
//! paths relative to a folder, or `folderName/relative/path`, which is also what they get.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::{ErrorCode, ToolError};
use crate::events::Root;

/// A path inside the workspace, cleaned, without saying that it exists.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkspacePath {
    /// Index of the root.
    pub root: u32,
    /// Relative to it, with `/`.
    pub path: String,
}

impl WorkspacePath {
    /// Whether a file of a root is this one, or is in this folder.
    pub fn holds(&self, root: u32, path: &str) -> bool {
        let is_below = || {
            let rest = path.strip_prefix(self.path.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        root == self.root && (self.path.is_empty() || is_below())
    }
}

/// What tells a path outside every root from any other, however it is written; nothing where it is not absolute.
pub fn outside_path(input: &str) -> Option<String> {
    let slashed = from_uri(input.trim()).ok()?.replace('\\', "/");
    clean(&absolute(&slashed)?)
}

/// The ways a caller's path can be read.
pub fn places(input: &str, roots: &[Root]) -> Result<Vec<WorkspacePath>, ToolError> {
    let written = input.trim();
    if written.is_empty() || written.contains('\0') || written.len() > 4096 {
        return Err(ToolError::invalid("`filePath` is not a path.")
            .hint("Give a path such as `rootName/src/file.ts`."));
    }
    let slashed = from_uri(written)?.replace('\\', "/");
    if let Some(absolute) = absolute(&slashed) {
        let clean = clean(&absolute).ok_or_else(|| outside(input))?;
        let inside = roots.iter().enumerate().filter_map(|(index, root)| {
            Some(WorkspacePath {
                root: index as u32,
                path: inside(&clean, root)?.to_owned(),
            })
        });
        // Of nested folders the innermost one owns the file.
        return inside
            .max_by_key(|place| roots[place.root as usize].path.len())
            .map(|place| vec![place])
            .ok_or_else(|| outside(input));
    }
    let clean = clean(&slashed).ok_or_else(|| outside(input))?;
    let mut places = Vec::new();
    for (index, root) in roots.iter().enumerate() {
        let root_index = index as u32;
        places.push(WorkspacePath {
            root: root_index,
            path: clean.clone(),
        });
        if let Some(rest) = clean.strip_prefix(root.name.as_str())
            && (rest.is_empty() || rest.starts_with('/'))
        {
            places.push(WorkspacePath {
                root: root_index,
                path: rest.trim_start_matches('/').to_owned(),
            });
        }
    }
    Ok(places)
}

/// The path that a URI means, or what was written where it is none. Editors and MCP clients hand out
/// URIs, in which a space is `%20` and a drive's colon often `%3A`.
fn from_uri(written: &str) -> Result<Cow<'_, str>, ToolError> {
    let Some((scheme, rest)) = scheme_of(written) else {
        return Ok(Cow::Borrowed(written));
    };
    let decoded = percent_decode_str(rest).decode_utf8().map_err(|_| {
        ToolError::invalid("`filePath` is a URI whose escapes are not UTF-8.")
            .hint("Give the path itself.")
    })?;
    if decoded.contains('\0') {
        return Err(ToolError::invalid("`filePath` is not a path."));
    }
    if scheme != "file" {
        return Ok(Cow::Owned(virtual_path(scheme, rest, &decoded)));
    }
    // An authority other than the machine itself is the server of a share.
    Ok(match decoded.strip_prefix("localhost/") {
        Some(path) => Cow::Owned(format!("/{path}")),
        None if decoded.starts_with('/') => decoded,
        None => Cow::Owned(format!("//{decoded}")),
    })
}

/// Scheme and rest of a URI with an authority. A scheme has two letters or more: `c:` is a drive.
fn scheme_of(written: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = written.split_once("://")?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_lowercase())
        && scheme.bytes().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+.-".contains(&byte)
        });
    is_scheme.then_some((scheme, rest))
}

/// The path of what only an editor can read, as its roots have it: `/scheme:/authority/path`, the authority
/// with its escapes, `-` for none (`extension/core/paths.ts`).
fn virtual_path(scheme: &str, rest: &str, decoded: &str) -> String {
    let authority = rest.split('/').next().unwrap_or_default();
    let length = percent_decode_str(authority).count();
    let path = decoded.get(length..).unwrap_or_default();
    let plain = decoded.get(..length).unwrap_or_default();
    let authority = match plain {
        "" => "-".to_owned(),
        "-" => "%2D".to_owned(),
        plain => utf8_percent_encode(plain, ESCAPED).to_string(),
    };
    format!("/{scheme}:/{authority}{path}")
}

/// What JavaScript's `encodeURIComponent` escapes.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// `rootName/relative/path`.
pub fn display(root: &Root, path: &str) -> String {
    if path.is_empty() {
        root.name.clone()
    } else {
        format!("{}/{path}", root.name)
    }
}

/// The absolute path of a place.
pub fn absolute_path(root: &Root, path: &str) -> String {
    if path.is_empty() {
        root.path.clone()
    } else {
        format!("{}/{path}", root.path)
    }
}

/// The root and relative path of an absolute path that an editor or watcher names.
pub fn place_of(absolute: &str, roots: &[Root]) -> Option<WorkspacePath> {
    let normal = self::absolute(&absolute.replace('\\', "/"))?;
    let clean = clean(&normal)?;
    roots
        .iter()
        .enumerate()
        .filter_map(|(index, root)| {
            Some(WorkspacePath {
                root: index as u32,
                path: inside(&clean, root)?.to_owned(),
            })
        })
        .max_by_key(|place| roots[place.root as usize].path.len())
}

/// A path within a folder, by the folder's own path or by that of a link to it.
fn inside<'p>(path: &'p str, root: &Root) -> Option<&'p str> {
    let by_link = || relative_to(path, root.link.as_deref()?);
    relative_to(path, &root.path).or_else(by_link)
}

fn outside(input: &str) -> ToolError {
    ToolError::new(ErrorCode::AccessDenied, format!("`{input}` is outside the workspace."))
        .hint("Only files inside the workspace's folders are served; `codecortex_status` names the folders.")
}

/// The path, if it is absolute: `/…`, `C:/…` with the drive in upper case, `//server/share/…`. Windows writes
/// long ones as `//?/C:/…` and `//?/UNC/server/share/…`.
fn absolute(path: &str) -> Option<String> {
    if let Some(long) = path.strip_prefix("//?/") {
        return match long.strip_prefix("UNC/") {
            Some(share) => Some(format!("//{share}")),
            None => absolute(long),
        };
    }
    let bytes = path.as_bytes();
    let drive_at = usize::from(bytes.first() == Some(&b'/') && bytes.get(2) == Some(&b':'));
    if bytes.get(drive_at).is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(drive_at + 1) == Some(&b':')
    {
        let rest = &path[drive_at + 2..];
        return Some(format!(
            "{}:{}",
            (bytes[drive_at] as char).to_ascii_uppercase(),
            rest
        ));
    }
    path.starts_with('/').then(|| path.to_owned())
}

/// Without `.`, `..` and doubled separators; `None` where `..` leads above the start.
fn clean(path: &str) -> Option<String> {
    let unc = path.starts_with("//");
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    Some(match (unc, rooted) {
        (true, _) => format!("//{joined}"),
        (false, true) => format!("/{joined}"),
        (false, false) => joined,
    })
}

/// The rest of `path` below `folder`, by whole segments. Folders of drives and shares compare in any case.
fn relative_to<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let folder = folder.trim_end_matches('/');
    let is_windows = folder.as_bytes().get(1) == Some(&b':') || folder.starts_with("//");
    let head = path.get(..folder.len())?;
    let same = head == folder || is_windows && head.eq_ignore_ascii_case(folder);
    let rest = path.get(folder.len()..).filter(|_| same)?;
    if rest.is_empty() {
        Some("")
    } else {
        rest.strip_prefix('/')
    }
}

/// A path with `/` alone.
pub fn normal(path: &str) -> String {
    path.replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Vec<Root> {
        [
            ("app", "/code/app"),
            ("lib", "/code/lib"),
            ("win", "C:/Code/Win"),
            ("share", "//server/share/x"),
            ("far", "/vscode-vfs:/github%2Bfe/owner/repo"),
            ("memory", "/memfs:/-/web"),
        ]
        .map(|(name, path)| Root {
            name: name.into(),
            path: path.into(),
            link: None,
        })
        .to_vec()
    }

    fn read(path: &str) -> Vec<(u32, String)> {
        places(path, &roots())
            .unwrap()
            .into_iter()
            .map(|place| (place.root, place.path))
            .collect()
    }

    #[test]
    fn absolute_paths_have_one_reading() {
        assert_eq!(read("/code/app/src/../a.ts"), [(0, "a.ts".to_owned())]);
        assert_eq!(read("c:\\Code\\Win\\b.cs"), [(2, "b.cs".to_owned())]);
        assert_eq!(read("/C:/Code/Win/b.cs"), [(2, "b.cs".to_owned())]);
        assert_eq!(read("\\\\server\\share\\x\\c.cs"), [(3, "c.cs".to_owned())]);
    }

    #[test]
    fn a_folder_is_known_by_the_link_to_it_too() {
        let mut roots = roots();
        roots[0].link = Some("/vfs/link".to_owned());
        let place = WorkspacePath {
            root: 0,
            path: "a.ts".to_owned(),
        };
        for path in ["/vfs/link/a.ts", "/code/app/a.ts"] {
            assert_eq!(places(path, &roots).unwrap(), std::slice::from_ref(&place));
            assert_eq!(place_of(path, &roots), Some(place.clone()));
        }
        assert!(places("/vfs/linked/a.ts", &roots).is_err());
    }

    #[test]
    fn uris_are_read_as_paths() {
        assert_eq!(read("file:///code/lib/d.rs"), [(1, "d.rs".to_owned())]);
        assert_eq!(
            read("file:///code/app/a%20b%25/%C3%A4.rs"),
            [(0, "a b%/ä.rs".to_owned())]
        );
        assert_eq!(read("file:///c%3A/Code/Win/b.cs"), [(2, "b.cs".to_owned())]);
        assert_eq!(
            read("file://localhost/code/lib/d.rs"),
            [(1, "d.rs".to_owned())]
        );
        assert_eq!(read("file://server/share/x/c.cs"), [(3, "c.cs".to_owned())]);
        // Only a URI is decoded: a file may be called so.
        assert_eq!(read("/code/lib/a%20b.rs"), [(1, "a%20b.rs".to_owned())]);
        for bad in ["file:///code/lib/%ff", "file:///code/lib/%00"] {
            assert_eq!(
                places(bad, &roots()).unwrap_err().code,
                ErrorCode::InvalidParams
            );
        }
        assert_eq!(
            places("file:///code/lib/%2e%2e/%2e%2e/x", &roots())
                .unwrap_err()
                .code,
            ErrorCode::AccessDenied
        );
    }

    /// SPEC TC2: as Windows writes long paths, and shares in any case.
    #[test]
    fn shares_and_long_paths_are_read() {
        assert_eq!(read("\\\\SERVER\\Share\\x\\c.cs"), [(3, "c.cs".to_owned())]);
        assert_eq!(read("\\\\?\\C:\\Code\\Win\\b.cs"), [(2, "b.cs".to_owned())]);
        assert_eq!(
            read("\\\\?\\UNC\\server\\share\\x\\c.cs"),
            [(3, "c.cs".to_owned())]
        );
        for outside in [
            "\\\\server\\share\\y\\c.cs",
            "\\\\?\\D:\\x",
            "\\\\?\\UNC\\server\\share\\x\\..\\c",
        ] {
            let error = places(outside, &roots()).unwrap_err();
            assert_eq!(error.code, ErrorCode::AccessDenied, "{outside}");
        }
    }

    /// SPEC TC2: addresses of virtual workspaces, as the editor writes them.
    #[test]
    fn addresses_that_only_an_editor_reads_are_paths() {
        assert_eq!(
            read("vscode-vfs://github%2Bfe/owner/repo/src/a%20b.ts"),
            [(4, "src/a b.ts".to_owned())]
        );
        assert_eq!(read("memfs:///web/a.ts"), [(5, "a.ts".to_owned())]);
        for outside in [
            "vscode-vfs://github/owner/repo/a.ts",
            "https://x.org/a.ts",
            "memfs:///web/../a.ts",
        ] {
            let error = places(outside, &roots()).unwrap_err();
            assert_eq!(error.code, ErrorCode::AccessDenied, "{outside}");
        }
    }

    #[test]
    fn relative_paths_are_read_in_every_folder_and_by_folder_name() {
        let readings = read("app/a.ts");
        assert!(
            readings.contains(&(0, "a.ts".to_owned()))
                && readings.contains(&(1, "app/a.ts".to_owned()))
        );
    }

    #[test]
    fn outside_is_denied() {
        for path in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "/code/application/a.ts",
            "/code/app/../../x",
            "C:/Other/x",
        ] {
            assert_eq!(
                places(path, &roots()).unwrap_err().code,
                ErrorCode::AccessDenied,
                "{path}"
            );
        }
        for path in ["", " ", "a\0b"] {
            assert_eq!(
                places(path, &roots()).unwrap_err().code,
                ErrorCode::InvalidParams,
                "{path:?}"
            );
        }
    }
}
