//! Maven: projects with their parents and their modules.

use std::collections::BTreeMap;

use super::pom::Pom;
use super::roots::{joined, own_roots};
use crate::build::{DraftWorkspace, ProjectBuilder, ProjectDraft, WorkspaceMember, reference};
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{Detail, Jvm, ManifestKind, SourceRoot};
use crate::path::{self, ManifestTarget};
use crate::source::SpannedText;

/// Parents above parents and properties in properties end here.
const MAX_DEPTH: usize = 16;

/// Longer values are left as they are.
const MAX_LENGTH: usize = 16 * 1024;

/// Projects by their folder's `pom.xml`.
type Poms<'a> = BTreeMap<&'a str, &'a Pom>;

/// Adds Maven's projects and multi-module builds.
pub(super) fn build(builder: &mut ProjectBuilder<'_>) {
    let mut poms = Poms::new();
    let mut unread = Vec::new();
    for manifest in builder.manifests_of(&[ManifestFormat::Pom]) {
        match &manifest.facts {
            ManifestFacts::Pom(pom) => {
                poms.insert(manifest.path(), pom);
            }
            _ => unread.push(manifest),
        }
    }
    let mut coordinates: BTreeMap<(String, String), &str> = BTreeMap::new();
    for (path, pom) in &poms {
        let key = coordinates_of(path, pom, &poms);
        coordinates.entry(key).or_insert(path);
    }
    for (path, pom) in &poms {
        let draft = draft(builder, path, pom, &poms, &coordinates);
        builder.drafts.push(draft);
        if !pom.modules.is_empty() {
            let workspace = workspace(builder, path, pom, &poms);
            builder.workspaces.push(workspace);
        }
    }
    for manifest in unread {
        builder.drafts.push(unreadable(builder, manifest));
    }
}

fn unreadable(builder: &ProjectBuilder<'_>, manifest: &Manifest) -> ProjectDraft {
    let detail = Detail::Jvm(Jvm::default());
    let mut draft = ProjectDraft::new(ManifestKind::Maven, "", manifest.path(), detail);
    draft.project.source_roots = own_roots(builder.files, manifest.folder());
    draft
}

fn coordinates_of(path: &str, pom: &Pom, poms: &Poms<'_>) -> (String, String) {
    let text = |word: Option<&SpannedText>| {
        word.map_or(String::new(), |w| expand(path, pom, poms, &w.text))
    };
    let parent = pom.parent.as_ref();
    let group = pom.group.as_ref().or(parent.and_then(|p| p.group.as_ref()));
    (text(group), text(pom.artifact.as_ref()))
}

/// The parent's `pom.xml` when it is in the root and is the one that is meant.
fn parent_of<'a>(path: &str, pom: &Pom, poms: &Poms<'a>) -> Option<(&'a str, &'a Pom)> {
    let parent = pom.parent.as_ref()?;
    if parent.path.is_empty() {
        return None;
    }
    let place = path::resolve(path::folder(path), &parent.path);
    let direct = place.inside()?;
    let inside = path::join(direct, "pom.xml");
    let found = poms
        .get_key_value(direct)
        .or_else(|| poms.get_key_value(inside.as_str()));
    let (path, pom) = found.map(|(path, pom)| (*path, *pom))?;
    let same = pom.artifact.as_ref().map(|w| &w.text) == parent.artifact.as_ref().map(|w| &w.text);
    same.then_some((path, pom))
}

/// Replaces `${…}` by what the project, its parents or its properties say; unknown ones stay.
fn expand(path: &str, pom: &Pom, poms: &Poms<'_>, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_DEPTH {
        let Some(next) = expand_once(path, pom, poms, &text) else {
            break;
        };
        text = next;
    }
    text
}

/// None when nothing is left to replace.
fn expand_once(path: &str, pom: &Pom, poms: &Poms<'_>, text: &str) -> Option<String> {
    let mut result = String::new();
    let mut rest = text;
    let mut changed = false;
    while let Some(start) = rest.find("${") {
        let Some(end) = rest[start..].find('}').map(|end| start + end) else {
            break;
        };
        result.push_str(&rest[..start]);
        match property(path, pom, poms, &rest[start + 2..end]) {
            Some(value) => {
                result.push_str(&value);
                changed = true;
            }
            None => result.push_str(&rest[start..=end]),
        }
        rest = &rest[end + 1..];
    }
    result.push_str(rest);
    (changed && result.len() <= MAX_LENGTH).then_some(result)
}

fn property(path: &str, pom: &Pom, poms: &Poms<'_>, name: &str) -> Option<String> {
    let parent = pom.parent.as_ref();
    let text = |word: Option<&SpannedText>| word.map(|word| word.text.clone());
    let plain = name
        .strip_prefix("project.")
        .or(name.strip_prefix("pom."))
        .unwrap_or(name);
    match plain {
        "basedir" => return Some(format!("{}/{}", path::ROOT, path::folder(path))),
        "groupId" => return text(pom.group.as_ref().or_else(|| parent?.group.as_ref())),
        "version" => return text(pom.version.as_ref().or_else(|| parent?.version.as_ref())),
        "artifactId" => return text(pom.artifact.as_ref()),
        "parent.groupId" => return text(parent?.group.as_ref()),
        "parent.artifactId" => return text(parent?.artifact.as_ref()),
        "parent.version" => return text(parent?.version.as_ref()),
        "build.sourceDirectory" => return Some("src/main/java".to_owned()),
        _ => {}
    }
    let (mut path, mut pom) = (path, pom);
    for _ in 0..MAX_DEPTH {
        let found = pom.properties.iter().find(|(key, _)| key == name);
        if let Some((_, value)) = found {
            return Some(value.clone());
        }
        (path, pom) = parent_of(path, pom, poms)?;
    }
    None
}

fn draft(
    builder: &ProjectBuilder<'_>,
    path: &str,
    pom: &Pom,
    poms: &Poms<'_>,
    coordinates: &BTreeMap<(String, String), &str>,
) -> ProjectDraft {
    let (group, artifact) = coordinates_of(path, pom, poms);
    let folder = path::folder(path);
    let version = property(path, pom, poms, "version");
    let version = version.map(|version| expand(path, pom, poms, &version));
    let detail = Detail::Jvm(Jvm {
        group: (!group.is_empty()).then_some(group),
        // What the command line gives is not known.
        version: version.filter(|version| !version.contains("${")),
        artifact: artifact.clone(),
    });
    let mut draft = ProjectDraft::new(ManifestKind::Maven, &artifact, path, detail);
    let mut declared = Vec::new();
    for (word, test) in &pom.sources {
        let text = expand(path, pom, poms, &word.text);
        if let ManifestTarget::Inside(path) = path::resolve(folder, &text) {
            declared.push(SourceRoot {
                path,
                prefix: String::new(),
                test: *test,
                declared: true,
            });
        }
    }
    draft.project.source_roots = joined(declared, own_roots(builder.files, folder));
    for dependency in &pom.dependencies {
        let expanded = |word: &SpannedText| expand(path, pom, poms, &word.text);
        let key = (expanded(&dependency.group), expanded(&dependency.artifact));
        if let Some(target) = coordinates.get(&key) {
            let target = ManifestTarget::Inside((*target).to_owned());
            let name = &key.1;
            let known = draft
                .project
                .references
                .iter_mut()
                .find(|r| r.name == *name);
            match known {
                Some(known) => known.dev &= dependency.test,
                None => {
                    let found = reference(name, target, dependency.artifact.at, dependency.test);
                    draft.project.references.push(found);
                }
            }
        }
    }
    draft
}

fn workspace(
    builder: &ProjectBuilder<'_>,
    path: &str,
    pom: &Pom,
    poms: &Poms<'_>,
) -> DraftWorkspace {
    let members = pom.modules.iter().map(|word| {
        let text = expand(path, pom, poms, &word.text);
        let manifest = match path::resolve(path::folder(path), &text) {
            ManifestTarget::Inside(at) if at.ends_with(".xml") && builder.files.contains(&at) => {
                ManifestTarget::Inside(at)
            }
            ManifestTarget::Inside(at) => ManifestTarget::Inside(path::join(&at, "pom.xml")),
            external => external,
        };
        WorkspaceMember {
            manifest,
            at: word.at,
            required: true,
        }
    });
    let (_, artifact) = coordinates_of(path, pom, poms);
    DraftWorkspace {
        path: path.to_owned(),
        name: artifact,
        members: members.collect(),
    }
}
