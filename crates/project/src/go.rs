//! Go: modules and workspaces.

mod facts;

pub(crate) use facts::{GoFile, read_go};

use std::collections::BTreeMap;

use facts::Replace;

use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Detail, GoModule, GoReplace, ManifestKind, Reference};
use crate::path::{self, ManifestTarget};

/// A workspace with the folders that it uses.
struct GoWork<'a> {
    manifest: &'a Manifest,
    file: &'a GoFile,
    folders: Vec<String>,
}

/// Modules by folder.
type Modules<'a> = BTreeMap<&'a str, (&'a Manifest, &'a GoFile)>;

/// Adds modules and workspaces of Go.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let mut modules = Modules::new();
    let mut works = Vec::new();
    for manifest in builder.manifests_of(&[ManifestFormat::GoMod, ManifestFormat::GoWork]) {
        let ManifestFacts::Go(file) = &manifest.facts else {
            continue;
        };
        if manifest.format() == ManifestFormat::GoWork {
            works.push(work(builder, manifest, file));
        } else {
            modules.insert(manifest.folder(), (manifest, file));
        }
    }
    for (folder, (manifest, file)) in &modules {
        let work = works
            .iter()
            .find(|work| work.folders.iter().any(|used| used == folder));
        let draft = draft(manifest, file, work, &modules);
        builder.drafts.push(draft);
    }
}

fn work<'a>(
    builder: &mut ProjectBuilder<'_>,
    manifest: &'a Manifest,
    file: &'a GoFile,
) -> GoWork<'a> {
    let mut folders = Vec::new();
    let mut members = Vec::new();
    for word in &file.uses {
        let place = match path::resolve(manifest.folder(), &word.text) {
            ManifestTarget::Inside(folder) => {
                folders.push(folder.clone());
                ManifestTarget::Inside(path::join(&folder, "go.mod"))
            }
            external => external,
        };
        members.push(WorkspaceMember {
            manifest: place,
            at: word.at,
            required: true,
        });
    }
    let name = match path::file_name(manifest.folder()) {
        "" => "root",
        name => name,
    };
    builder.workspaces.push(DraftWorkspace {
        path: manifest.path().to_owned(),
        name: name.to_owned(),
        members,
    });
    GoWork {
        manifest,
        file,
        folders,
    }
}

fn draft(
    manifest: &Manifest,
    file: &GoFile,
    work: Option<&GoWork<'_>>,
    modules: &Modules<'_>,
) -> ProjectDraft {
    let module = file.module.clone().unwrap_or_default();
    // The workspace's replacements win over the module's.
    let shared = work.map_or(&[][..], |work| &work.file.replace);
    let folder_of_work = work.map_or("", |work| work.manifest.folder());
    let all: Vec<(&str, bool, &Replace)> = shared
        .iter()
        .map(|replace| (folder_of_work, false, replace))
        .chain(
            file.replace
                .iter()
                .map(|replace| (manifest.folder(), true, replace)),
        )
        .collect();
    let replace = all.iter().map(|(folder, _, replace)| GoReplace {
        module: replace.module.clone(),
        version: replace.version.clone(),
        with: if replace.is_local() {
            path::resolve(folder, &replace.with)
        } else {
            ManifestTarget::external(&replace.with)
        },
    });
    let detail = Detail::Go(GoModule {
        module: module.clone(),
        version: file.version.clone(),
        replace: replace.collect(),
    });
    let mut draft = ProjectDraft::new(ManifestKind::Go, &module, manifest.path(), detail);
    draft.project.references = references(file, work, modules, &all);
    draft
}

fn references(
    file: &GoFile,
    work: Option<&GoWork<'_>>,
    modules: &Modules<'_>,
    replaced: &[(&str, bool, &Replace)],
) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    for word in &file.require {
        let local = replaced
            .iter()
            .find(|(_, _, replace)| replace.module == word.text && replace.is_local());
        let target = match local {
            Some((folder, own, replace)) => {
                let place = match path::resolve(folder, &replace.with) {
                    ManifestTarget::Inside(path) => {
                        ManifestTarget::Inside(path::join(&path, "go.mod"))
                    }
                    external => external,
                };
                Some((place, if *own { replace.at } else { word.at }))
            }
            None => in_work(work, modules, &word.text).map(|place| (place, word.at)),
        };
        if let Some((place, at)) = target
            && !found.iter().any(|known| known.name == word.text)
        {
            found.push(reference(&word.text, place, at, false));
        }
    }
    found
}

/// The module of that path in the same workspace.
fn in_work(
    work: Option<&GoWork<'_>>,
    modules: &Modules<'_>,
    module: &str,
) -> Option<ManifestTarget> {
    let found = work?.folders.iter().find_map(|folder| {
        let (manifest, file) = modules.get(folder.as_str())?;
        (file.module.as_deref() == Some(module)).then(|| manifest.path())
    });
    found.map(|path| ManifestTarget::Inside(path.to_owned()))
}
