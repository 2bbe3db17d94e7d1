//! Which folders a session is about.

use std::path::{Path, PathBuf};

use codecortex_engine::protocol::Root;
use codecortex_host::resolve_roots;
use percent_encoding::percent_decode_str;

/// The folders that a client offers, those that are none left out.
pub(crate) fn of_client<'a>(uris: impl Iterator<Item = &'a str>) -> Vec<Root> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for uri in uris {
        let Some(path) = path_of(uri) else {
            tracing::warn!(uri, "a root of the client is not a local folder");
            continue;
        };
        match resolve_roots(std::slice::from_ref(&path)) {
            Ok(_) => paths.push(path),
            Err(error) => tracing::warn!(uri, %error, "a root of the client is of no use"),
        }
    }
    resolve_roots(&paths).unwrap_or_default()
}

/// The folder that the client started us in. Not the whole disk and not a whole home folder: a
/// client that starts its servers there did not mean that.
pub(super) fn of_process() -> Vec<Root> {
    let Ok(here) = std::env::current_dir() else {
        return Vec::new();
    };
    let is_home = etcetera::home_dir().is_ok_and(|home| home == here);
    if is_home || here.parent().is_none() {
        tracing::error!(
            folder = %here.display(),
            "no workspace: give --root DIR, or a client that offers roots"
        );
        return Vec::new();
    }
    resolve_roots(&[here]).unwrap_or_default()
}

/// The path of a `file:` URI.
fn path_of(uri: &str) -> Option<PathBuf> {
    let path = uri.strip_prefix("file://")?;
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let decoded = percent_decode_str(path).decode_utf8().ok()?;
    let drive = decoded
        .strip_prefix('/')
        .filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    let path = drive.unwrap_or(&decoded);
    (Path::new(path).is_absolute()).then(|| PathBuf::from(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_are_paths() {
        let path = |uri: &str| path_of(uri).map(|path| path.to_string_lossy().into_owned());
        assert_eq!(path("file:///a%20b/%C3%A9").as_deref(), Some("/a b/é"));
        assert_eq!(path("file://localhost/a").as_deref(), Some("/a"));
        // A percent sign that escapes nothing stands for itself.
        assert_eq!(path("file:///a%zz").as_deref(), Some("/a%zz"));
        for none in [
            "http://x/a",
            "file://host/a",
            "file:///a%ff",
            "a",
            "file://",
        ] {
            assert_eq!(path(none), None, "{none}");
        }
    }

    #[test]
    fn roots_that_are_none_are_left_out() {
        let place = tempfile::tempdir().unwrap();
        let uri = format!("file://{}", place.path().display());
        let roots = of_client([uri.as_str(), "file:///no/such/folder", "x:y"].into_iter());
        assert_eq!(roots.len(), 1);
    }
}
