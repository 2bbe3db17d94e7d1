//! Assemblies that a project of .NET refers to: the XML documentation beside them says what they declare.
//!
//! Restoring a project's packages leaves a file that says which assemblies it compiles against, with their places
//! (`obj/project.assets.json`); the project file may hint at others. What is not in the workspace itself, builds may have
//! copied to the project's `bin`. Nothing says which of them declares a name: all are read together, once.

use codecortex_index::FileId;
use codecortex_project::{Detail, Dotnet};
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{Failure, Located, Missing};
use codecortex_resolve::FileNo;
use codecortex_syntax::Language;

use crate::analysis::Analysis;
use crate::external::libraries::MOST_FILES;
use crate::external::libraries::assemblies::{ASSETS, ENDING};
use crate::external::paths::joined;
use crate::module_hints::old_projects;

/// Where builds put what they copy, below a project's folder: the folder of a framework is in one of these.
const OUTPUTS: [&str; 2] = ["bin/Debug", "bin/Release"];

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
        return Err(Failure::Missing(Missing::Projects(old)));
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
        let outputs = outputs(&project.root, dotnet).into_iter();
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
fn outputs(root: &str, dotnet: &Dotnet) -> Vec<String> {
    let folder = root.trim_end_matches('/');
    let mut outputs = Vec::new();
    for output in OUTPUTS {
        let output = joined(folder, output);
        for target in &dotnet.targets {
            outputs.push(match dotnet.sdk {
                Some(_) => joined(&output, &target.framework),
                None => output.clone(),
            });
        }
    }
    outputs
}
