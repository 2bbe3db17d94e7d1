//! Gradle: one build for each settings file, its projects, and scripts that stand alone.

use std::collections::{BTreeMap, BTreeSet};

use super::roots::{joined, own_roots};
use super::script::{Script, ScriptDependency, Settings};
use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Detail, Jvm, ManifestKind, SourceRoot};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition, SpannedText};

/// A build's projects: Gradle path to folder.
#[derive(Debug, Default)]
struct Build {
    folders: BTreeMap<String, String>,
}

const SCRIPTS: &[&str] = &["build.gradle.kts", "build.gradle"];

/// Adds Gradle's builds and scripts without settings.
pub(super) fn build(builder: &mut ProjectBuilder<'_>) {
    let mut done: BTreeSet<String> = BTreeSet::new();
    let settings: Vec<&Manifest> = builder
        .manifests_of(&[ManifestFormat::GradleSettings])
        .collect();
    for manifest in settings {
        if let ManifestFacts::GradleSettings(facts) = &manifest.facts {
            whole_build(builder, manifest, facts, &mut done);
        }
    }
    let scripts: Vec<&Manifest> = builder
        .manifests_of(&[ManifestFormat::GradleBuild])
        .collect();
    for manifest in scripts {
        let folder = manifest.folder();
        if done.insert(folder.to_owned()) {
            let single = Build {
                folders: BTreeMap::from([(":".to_owned(), folder.to_owned())]),
            };
            let draft = draft(builder, ":", folder, "", &single, manifest.path());
            builder.drafts.push(draft);
        }
    }
}

fn whole_build(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    settings: &Settings,
    done: &mut BTreeSet<String>,
) {
    let build = Build {
        folders: folders(builder, manifest, settings),
    };
    let mut members = Vec::new();
    for (path, folder) in &build.folders {
        let script = script_of(builder, folder).map(|(path, _)| path);
        let at = match script {
            Some(script) => script,
            None if path == ":" => manifest.path().to_owned(),
            None => folder.clone(),
        };
        members.push(WorkspaceMember {
            manifest: ManifestTarget::Inside(at.clone()),
            at: SourcePosition::default(),
            required: false,
        });
        if done.insert(folder.clone()) {
            let name = match path.as_str() {
                ":" => settings.name.as_deref().unwrap_or(""),
                path => path.rsplit(':').next().unwrap_or(path),
            };
            let draft = draft(builder, path, folder, name, &build, &at);
            builder.drafts.push(draft);
        }
    }
    members.extend(
        settings
            .builds
            .iter()
            .map(|word| other_build(builder, manifest, word)),
    );
    let name = settings
        .name
        .clone()
        .unwrap_or_else(|| match path::file_name(manifest.folder()) {
            "" => "root".to_owned(),
            name => name.to_owned(),
        });
    builder.workspaces.push(DraftWorkspace {
        path: manifest.path().to_owned(),
        name,
        members,
    });
}

/// A build that takes part is known by its root project.
fn other_build(
    builder: &ProjectBuilder<'_>,
    manifest: &Manifest,
    word: &SpannedText,
) -> WorkspaceMember {
    let place = match path::resolve(manifest.folder(), &word.text) {
        ManifestTarget::Inside(folder) => {
            let script = script_of(builder, &folder).map(|(path, _)| path);
            let names = ["settings.gradle.kts", "settings.gradle"];
            let settings = || {
                let mut paths = names.iter().map(|name| path::join(&folder, name));
                paths.find(|path| builder.manifests.get(path).is_some())
            };
            ManifestTarget::Inside(
                script
                    .or_else(settings)
                    .unwrap_or(path::join(&folder, names[1])),
            )
        }
        external => external,
    };
    WorkspaceMember {
        manifest: place,
        at: word.at,
        required: true,
    }
}

/// The folder of every project; a project's parents are projects too.
fn folders(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    settings: &Settings,
) -> BTreeMap<String, String> {
    let root = manifest.folder();
    let mut folders = BTreeMap::from([(":".to_owned(), root.to_owned())]);
    let same = |a: &str, b: &str| a.trim_start_matches(':') == b.trim_start_matches(':');
    for word in &settings.include {
        let mut path = String::new();
        let mut folder = root.to_owned();
        // Settings know a project by the path that it was included with.
        let mut included = String::new();
        for name in word.text.split([':', '/']).filter(|name| !name.is_empty()) {
            included = format!("{included}:{name}");
            let renamed = settings
                .names
                .iter()
                .rev()
                .find(|(of, _)| same(of, &included));
            path = format!("{path}:{}", renamed.map_or(name, |(_, new)| new));
            let said = settings
                .folders
                .iter()
                .rev()
                .find(|(of, _)| same(of, &included));
            folder = match said {
                Some((_, text)) => match path::resolve(root, text) {
                    ManifestTarget::Inside(folder) => folder,
                    ManifestTarget::External { .. } => break,
                },
                None => path::join(&folder, name),
            };
            folders
                .entry(path.clone())
                .or_insert_with(|| folder.clone());
        }
        if folders.get(&path) == Some(&folder) && !builder.files.has_folder(&folder) {
            let message = format!("The folder “{folder}” of project “{path}” does not exist.");
            builder.problem(manifest.path(), word.at, ProblemKind::Missing, message);
        }
    }
    folders
}

/// The build script of a folder.
fn script_of<'a>(
    builder: &ProjectBuilder<'a>,
    folder: &str,
) -> Option<(String, Option<&'a Script>)> {
    SCRIPTS.iter().find_map(|name| {
        let path = path::join(folder, name);
        let manifest = builder.manifests.get(&path)?;
        let script = match &manifest.facts {
            ManifestFacts::GradleBuild(script) => Some(script),
            _ => None,
        };
        Some((path, script))
    })
}

fn draft(
    builder: &mut ProjectBuilder<'_>,
    path: &str,
    folder: &str,
    name: &str,
    build: &Build,
    manifest: &str,
) -> ProjectDraft {
    let script = script_of(builder, folder).and_then(|(_, script)| script);
    let detail = Detail::Jvm(Jvm {
        group: script.and_then(|script| script.group.clone()),
        version: script.and_then(|script| script.version.clone()),
        artifact: path.to_owned(),
    });
    let name = if name.is_empty() {
        path::file_name(folder)
    } else {
        name
    };
    let mut draft = ProjectDraft::new(ManifestKind::Gradle, name, manifest, detail);
    draft.project.root = folder.to_owned();
    let mut declared = Vec::new();
    if let Some(script) = script {
        for (text, test) in &script.sources {
            if let ManifestTarget::Inside(path) = path::resolve(folder, text) {
                declared.push(SourceRoot {
                    path,
                    prefix: String::new(),
                    test: *test,
                    declared: true,
                });
            }
        }
        for depend in &script.depends {
            depends(builder, &mut draft, depend, path, build);
        }
    }
    draft.project.source_roots = joined(declared, own_roots(builder.files, folder));
    draft
}

fn depends(
    builder: &mut ProjectBuilder<'_>,
    draft: &mut ProjectDraft,
    depend: &ScriptDependency,
    own: &str,
    build: &Build,
) {
    let text = depend.project.text.as_str();
    let found = if depend.accessor {
        build.folders.keys().find(|path| accessor(path) == text)
    } else {
        let absolute = format!(":{}", text.trim_start_matches(':'));
        let relative = format!("{}:{}", own.trim_end_matches(':'), text);
        let known = |path: &str| build.folders.get_key_value(path).map(|(path, _)| path);
        known(&absolute).or_else(|| known(&relative))
    };
    let Some(found) = found else {
        // `projects` may be any name; a path cannot be anything else.
        if !depend.accessor {
            let message = format!("The build has no project “{text}”.");
            let manifest = draft.project.path.clone();
            builder.problem(&manifest, depend.project.at, ProblemKind::Missing, message);
        }
        return;
    };
    let folder = build.folders.get(found).cloned().unwrap_or_default();
    let script = script_of(builder, &folder).map(|(path, _)| path);
    let target = ManifestTarget::Inside(script.unwrap_or(folder));
    let references = &mut draft.project.references;
    match references
        .iter_mut()
        .find(|known| known.target.as_ref() == Some(&target))
    {
        Some(known) => known.dev &= depend.test,
        None => references.push(reference(found, target, depend.project.at, depend.test)),
    }
}

/// `:app:data-store` as Gradle's accessors write it: `app.dataStore`.
fn accessor(path: &str) -> String {
    let names = path.split(':').filter(|name| !name.is_empty());
    let camel = |name: &str| {
        let mut parts = name.split(['-', '_', '.']);
        let mut result = parts.next().unwrap_or("").to_owned();
        for part in parts {
            let mut characters = part.chars();
            result.extend(characters.next().map(|c| c.to_ascii_uppercase()));
            result.extend(characters);
        }
        result
    };
    names.map(camel).collect::<Vec<_>>().join(".")
}
