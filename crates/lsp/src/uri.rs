//! URIs of an editor and paths of the engine.
//!
//! A file keeps its path. Any other scheme becomes a path that cannot be mistaken for one, as in
//! `extension/core/paths.ts`: `/scheme:/authority/path`.

use codecortex_protocol::paths::outside_path;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// What the path of a URI has as it is.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b'=')
    .remove(b'@');

/// The engine's path of a URI; `None` where it is none.
#[must_use]
pub fn path_of_uri(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && (scheme.bytes()).all(|byte| byte.is_ascii_alphanumeric() || b"+.-".contains(&byte));
    if !is_scheme || uri.contains('\0') {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    match rest.strip_prefix("//") {
        Some(rest) => outside_path(&format!("{scheme}://{rest}")),
        // `untitled:Untitled-1` has no authority.
        None => outside_path(&format!("{scheme}:///{}", rest.trim_start_matches('/'))),
    }
}

/// The path of a `file:` URI.
#[must_use]
pub fn file_path_of(uri: &str) -> Option<String> {
    uri.starts_with("file:").then(|| path_of_uri(uri)).flatten()
}

/// Whether only the editor has the text of a path.
pub(crate) fn is_virtual(path: &str) -> bool {
    let first = path
        .strip_prefix('/')
        .and_then(|rest| rest.split('/').next());
    first.is_some_and(|first| first.len() > 2 && first.ends_with(':'))
}

/// The URI of a file by the engine's path.
pub(crate) fn uri_of_path(path: &str) -> String {
    let encoded = utf8_percent_encode(path, PLAIN);
    match path.strip_prefix("//") {
        Some(share) => format!("file://{}", utf8_percent_encode(share, PLAIN)),
        None if path.starts_with('/') => format!("file://{encoded}"),
        None => format!("file:///{encoded}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_is_a_path_and_back() {
        for (uri, path) in [
            ("file:///a%20b/%C3%A9.py", "/a b/é.py"),
            ("file:///c%23/x%25.cs", "/c#/x%.cs"),
            ("file:///D%3A/a.ts", "D:/a.ts"),
        ] {
            assert_eq!(path_of_uri(uri).as_deref(), Some(path));
            assert_eq!(uri_of_path(path), uri);
        }
        assert_eq!(path_of_uri("file:///a/../b").as_deref(), Some("/b"));
        let untitled = path_of_uri("untitled:Untitled-1").unwrap();
        assert!(is_virtual(&untitled), "{untitled}");
        assert!(!is_virtual("/home/a") && !is_virtual("/c:/a"));
        for none in ["", "a", "/a", "c:/a", "file:///%ff", "1x:///a"] {
            assert_eq!(path_of_uri(none), None, "{none}");
        }
    }
}
