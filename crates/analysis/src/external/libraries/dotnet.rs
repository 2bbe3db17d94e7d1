//! Assemblies that a project of .NET refers to: the XML documentation beside them says what they declare.
//!
//! Restoring a project's packages leaves a file that says which assemblies it compiles against, with their places
//! (`obj/project.assets.json`); the project file may hint at others. What is not in the workspace itself, builds may have
//! copied to the project's `bin`. Nothing says which of them declares a name: all are read together, once.

use codecortex_index::FileId;
use codecortex_project::{Detail, Dotnet, Project};
use codecortex_protocol::paths::{absolute_path, normal};
use codecortex_protocol::{Failure, Located, Need};
use codecortex_resolve::FileNo;
use codecortex_syntax::Language;
use rustc_hash::FxHashMap;
use serde_json::Value;

use crate::analysis::Analysis;
use crate::external::joined;
use crate::external::libraries::MOST_FILES;
use crate::module_hints::old_projects;

/// What restoring packages leaves, below a project's folder.
const ASSETS: &str = "obj/project.assets.json";
/// Where builds put what they copy, below a project's folder: the folder of a framework is in one of these.
const OUTPUTS: [&str; 2] = ["bin/Debug", "bin/Release"];
/// What documentation is called behind the name of its assembly.
const ENDING: &str = ".xml";

/// What is known of restored packages.
#[derive(Debug, Default)]
pub(super) struct Assemblies {
    /// Absolute paths of the documentation of assemblies that a project compiles against, by the absolute path of what
    /// restoring its packages left.
    restored: FxHashMap<String, Vec<String>>,
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

/// What has to be read for the assemblies that a file's project refers to.
///
/// # Errors
/// Projects, where it is not known which there are.
pub(super) fn wanted(code: &Analysis, file: FileNo) -> Result<Vec<Located>, Failure> {
    let Some(found) = code.index.file(FileId(file)) else {
        return Ok(Vec::new());
    };
    if found.facts.summary().language != Language::CSharp || code.index.is_outside(found.root) {
        return Ok(Vec::new());
    }
    if let Some(old) = old_projects(code).next() {
        return Err(Failure::NeedsInput(Need::Projects(old)));
    }
    let root = found.root;
    let model = code.projects.get(root as usize).and_then(|of| of.model());
    let project = model.and_then(|model| model.get(model.of(&found.path)?));
    let (Some(project), Some(folder)) = (project, code.workspace.roots.get(root as usize)) else {
        return Ok(Vec::new());
    };
    let Detail::Dotnet(dotnet) = &project.detail else {
        return Ok(Vec::new());
    };
    let inside = |path: &str| code.located(&absolute_path(folder, path));
    let assets = inside(&joined(project.root.trim_end_matches('/'), ASSETS));
    let libraries = &code.external.libraries;
    let Some(restored) = libraries.assemblies.restored.get(&assets.path) else {
        return Ok(vec![assets]);
    };
    let restored = restored.iter().map(|path| code.located(path));
    let (mut files, outside): (Vec<Located>, Vec<Located>) =
        restored.partition(|file| file.place.is_some());
    let copied = outside.iter().filter_map(|file| {
        let name = file.path.rsplit('/').next()?;
        name.strip_suffix(ENDING)
    });
    let referred = dotnet.assemblies.iter();
    let (hinted, named): (Vec<_>, Vec<_>) = referred.partition(|of| {
        let inside = of.place.as_ref().and_then(|place| place.inside());
        inside.is_some()
    });
    let hinted = hinted.iter().filter_map(|of| of.place.as_ref()?.inside());
    files.extend(hinted.filter_map(|path| {
        let (stem, _) = path.rsplit_once('.')?;
        Some(inside(&format!("{stem}{ENDING}")))
    }));
    let named = named.iter().map(|of| of.name.as_str()).chain(copied);
    for name in named.filter(|name| !name.contains(['/', '\\', '*', '$'])) {
        let outputs = outputs(project, dotnet).into_iter();
        files.extend(outputs.map(|folder| inside(&format!("{folder}/{name}{ENDING}"))));
    }
    let mut new: Vec<Located> = Vec::new();
    for file in files {
        if new.len() < MOST_FILES && !libraries.is_known(&file.path) && !new.contains(&file) {
            new.push(file);
        }
    }
    Ok(new)
}

/// Where builds of a project put what they copy: a folder for each framework, or none.
fn outputs(project: &Project, dotnet: &Dotnet) -> Vec<String> {
    let folder = project.root.trim_end_matches('/');
    let mut outputs = Vec::new();
    for output in OUTPUTS {
        let output = joined(folder, output);
        for target in &dotnet.targets {
            outputs.push(match project.detail {
                Detail::Dotnet(ref of) if of.sdk.is_some() => joined(&output, &target.framework),
                _ => output.clone(),
            });
        }
    }
    outputs
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
