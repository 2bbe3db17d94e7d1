//! Go: modules and workspaces.

mod facts;

pub(crate) use facts::{GoFile, read_go};

use std::collections::BTreeMap;

use facts::Replace;

use crate::build::{Builder, Draft, DraftWorkspace, Member, reference};
use crate::manifest::{Facts, Format, Manifest};
use crate::model::{Detail, Go, GoReplace, Kind, Reference};
use crate::path::{self, Place};

/// A workspace with the folders that it uses.
struct Work<'a> {
    manifest: &'a Manifest,
    file: &'a GoFile,
    folders: Vec<String>,
}

/// Modules by folder.
type Modules<'a> = BTreeMap<&'a str, (&'a Manifest, &'a GoFile)>;

/// Adds modules and workspaces of Go.
pub(crate) fn build(builder: &mut Builder<'_>) {
    let mut modules = Modules::new();
    let mut works = Vec::new();
    for manifest in builder.of(&[Format::GoMod, Format::GoWork]) {
        let Facts::Go(file) = &manifest.facts else {
            continue;
        };
        if manifest.format() == Format::GoWork {
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

fn work<'a>(builder: &mut Builder<'_>, manifest: &'a Manifest, file: &'a GoFile) -> Work<'a> {
    let mut folders = Vec::new();
    let mut members = Vec::new();
    for word in &file.uses {
        let place = match path::resolve(manifest.folder(), &word.text) {
            Place::Inside(folder) => {
                folders.push(folder.clone());
                Place::Inside(path::join(&folder, "go.mod"))
            }
            external => external,
        };
        members.push(Member {
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
    Work {
        manifest,
        file,
        folders,
    }
}

fn draft(
    manifest: &Manifest,
    file: &GoFile,
    work: Option<&Work<'_>>,
    modules: &Modules<'_>,
) -> Draft {
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
            Place::external(&replace.with)
        },
    });
    let detail = Detail::Go(Go {
        module: module.clone(),
        version: file.version.clone(),
        replace: replace.collect(),
    });
    let mut draft = Draft::new(Kind::Go, &module, manifest.path(), detail);
    draft.project.references = references(file, work, modules, &all);
    draft
}

fn references(
    file: &GoFile,
    work: Option<&Work<'_>>,
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
                    Place::Inside(path) => Place::Inside(path::join(&path, "go.mod")),
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
fn in_work(work: Option<&Work<'_>>, modules: &Modules<'_>, module: &str) -> Option<Place> {
    let found = work?.folders.iter().find_map(|folder| {
        let (manifest, file) = modules.get(folder.as_str())?;
        (file.module.as_deref() == Some(module)).then(|| manifest.path())
    });
    found.map(|path| Place::Inside(path.to_owned()))
}
