//! What manifests say about modules: path mappings, packages of the workspace.

/// Manifests' word on where modules are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    mappings: Vec<Mapping>,
}

/// A module name, or names with one `*`, and the paths it may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The folder in which it holds, with `/` at its end unless it is the workspace.
    pub folder: String,
    /// What is written in an import; at most one `*`.
    pub written: String,
    /// Paths, a `*` in them replaced by what the one in `written` stands for.
    pub paths: Vec<String>,
}

impl Hints {
    /// These mappings, the nearest folder first.
    #[must_use]
    pub fn new(mut mappings: Vec<Mapping>) -> Self {
        mappings.sort_by_key(|mapping| {
            std::cmp::Reverse((mapping.folder.len(), mapping.written.len()))
        });
        Self { mappings }
    }

    /// What a module's name may stand for in a file, best first.
    #[must_use]
    pub fn mapped(&self, from: &str, written: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for mapping in &self.mappings {
            if !from.starts_with(&mapping.folder) {
                continue;
            }
            let Some(rest) = matched(&mapping.written, written) else {
                continue;
            };
            paths.extend(mapping.paths.iter().map(|path| path.replacen('*', rest, 1)));
        }
        paths
    }
}

fn matched<'a>(pattern: &str, written: &'a str) -> Option<&'a str> {
    match pattern.split_once('*') {
        Some((before, after)) => written.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == written).then_some(""),
    }
}
