//! What is known of assemblies of restored packages, without a word of how it came to be known.

use codecortex_protocol::paths::normal;
use rustc_hash::FxHashMap;
use serde_json::Value;

/// What restoring packages leaves, below a project's folder.
pub(super) const ASSETS: &str = "obj/project.assets.json";
/// What documentation is called behind the name of its assembly.
pub(super) const ENDING: &str = ".xml";

/// What is known of restored packages.
#[derive(Clone, Debug, Default)]
pub(super) struct Assemblies {
    /// Absolute paths of the documentation of assemblies that a project compiles against, by the absolute path of what
    /// restoring its packages left.
    pub(super) restored: FxHashMap<String, Vec<String>>,
}

impl Assemblies {
    /// Whether it is known what restoring packages left there.
    pub(super) fn knows(&self, path: &str) -> bool {
        self.restored.contains_key(path)
    }

    /// Takes in what restoring packages left. False where the file is something else.
    pub(super) fn take(&mut self, path: &str, bytes: Option<&[u8]>) -> bool {
        let is_assets = path.ends_with(ASSETS);
        if is_assets {
            let read = bytes.and_then(|bytes| serde_json::from_slice(bytes).ok());
            let documents = read.map(|assets: Value| documents(&assets));
            self.restored
                .insert(path.to_owned(), documents.unwrap_or_default());
        }
        is_assets
    }
}

/// Absolute paths of documentation beside the assemblies of restored packages: each package in each of the folders that
/// packages may be in.
fn documents(assets: &Value) -> Vec<String> {
    let objects = |value: &'_ Value| value.as_object().cloned().unwrap_or_default();
    let folders: Vec<String> = objects(&assets["packageFolders"])
        .keys()
        .map(|folder| normal(folder).trim_end_matches('/').to_owned())
        .collect();
    let mut documents = Vec::new();
    for (_, packages) in objects(&assets["targets"]) {
        for (package, parts) in objects(&packages) {
            let Some(path) = assets["libraries"][&package]["path"].as_str() else {
                continue;
            };
            for assembly in objects(&parts["compile"]).keys() {
                let Some(stem) = assembly.strip_suffix(".dll") else {
                    continue;
                };
                for folder in &folders {
                    let document = format!("{folder}/{path}/{stem}{ENDING}");
                    if !documents.contains(&document) && !is_upwards(&document) {
                        documents.push(document);
                    }
                }
            }
        }
    }
    documents
}

fn is_upwards(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_restoring_leaves_says_where_documentation_is() {
        let assets = json!({
            "packageFolders": { "C:\\packages\\": {}, "/more": {} },
            "targets": { "net8.0": {
                "Paging/1.2.0": { "compile": { "lib/net8.0/Paging.dll": { "related": ".xml" }, "lib/_._": {} } },
                "Odd/1.0.0": { "compile": { "../../Odd.dll": {} } },
                "Own/1.0.0": { "type": "project", "compile": { "bin/Own.dll": {} } },
            } },
            "libraries": { "Paging/1.2.0": { "path": "paging/1.2.0" }, "Odd/1.0.0": { "path": "odd/1.0.0" }, "Own/1.0.0": {} },
        });
        let found = documents(&assets);
        let file = "paging/1.2.0/lib/net8.0/Paging.xml";
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found.contains(&format!("/more/{file}")), "{found:?}");
        for odd in [
            json!(null),
            json!([]),
            json!({ "targets": { "net8.0": [] } }),
        ] {
            assert!(documents(&odd).is_empty(), "{odd}");
        }
    }
}
