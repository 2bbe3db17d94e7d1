//! Workspace folders: paths of answers, of the disk and of the client.

use codecortex_protocol::Root;
use codecortex_protocol::paths::absolute_path;

/// The folders that are open.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    roots: Vec<Root>,
}

impl Folders {
    /// These folders.
    #[must_use]
    pub fn new(roots: Vec<Root>) -> Self {
        Self { roots }
    }

    /// The folders, in the client's order.
    #[must_use]
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The engine's path of a client's path, which may go through a link to a folder.
    pub(crate) fn engine_path(&self, path: &str) -> String {
        let through = |root: &Root| moved(path, root.link.as_deref()?, &root.path);
        let mut roots = self.roots.iter();
        roots.find_map(through).unwrap_or_else(|| path.to_owned())
    }

    /// The same in the other direction.
    pub(crate) fn client_path(&self, path: &str) -> String {
        let through = |root: &Root| moved(path, &root.path, root.link.as_deref()?);
        let mut roots = self.roots.iter();
        roots.find_map(through).unwrap_or_else(|| path.to_owned())
    }

    /// The absolute path of a file as answers name it.
    pub(crate) fn absolute(&self, shown: &str) -> String {
        let below = |root: &Root| {
            let rest = shown.strip_prefix(root.name.as_str())?.strip_prefix('/')?;
            Some(absolute_path(root, rest))
        };
        let mut roots = self.roots.iter();
        roots.find_map(below).unwrap_or_else(|| shown.to_owned())
    }

    /// The innermost folder that a file is in.
    pub(crate) fn folder_of(&self, path: &str) -> Option<&Root> {
        let roots = self.roots.iter();
        roots
            .filter(|root| moved(path, &root.path, "").is_some())
            .max_by_key(|root| root.path.len())
    }
}

/// A path below one folder as it is below another.
fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    let rest = path.strip_prefix(from)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{to}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_go_through_links_and_names() {
        let root = |name: &str, path: &str, link: Option<&str>| Root {
            name: name.to_owned(),
            path: path.to_owned(),
            link: link.map(str::to_owned),
        };
        let folders = Folders::new(vec![
            root("app", "/real/app", Some("/link/app")),
            root("lib", "/real/app/lib", None),
        ]);
        assert_eq!(folders.engine_path("/link/app/a.py"), "/real/app/a.py");
        assert_eq!(folders.engine_path("/link/apple/a.py"), "/link/apple/a.py");
        assert_eq!(folders.client_path("/real/app/a.py"), "/link/app/a.py");
        assert_eq!(folders.absolute("app/src/a.py"), "/real/app/src/a.py");
        assert_eq!(folders.absolute("/out/a.py"), "/out/a.py");
        let folder = |path: &str| folders.folder_of(path).map(|root| root.name.as_str());
        assert_eq!(folder("/real/app/lib/b.py"), Some("lib"));
        assert_eq!(folder("/other"), None);
    }
}
