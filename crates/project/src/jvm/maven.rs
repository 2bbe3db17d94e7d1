//! Maven: `pom.xml` with its parent and its modules.

use std::collections::BTreeMap;

use super::{joined, own_roots};
use crate::build::{Builder, Draft, DraftWorkspace, Member, reference};
use crate::manifest::{Facts, Format, Manifest};
use crate::model::{Detail, Jvm, Kind, SourceRoot};
use crate::path::{self, Place};
use crate::read::Element;
use crate::source::{ProblemKind, Source, Word};

/// A `pom.xml`; texts are not expanded yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pom {
    group: Option<Word>,
    artifact: Option<Word>,
    version: Option<Word>,
    parent: Option<Parent>,
    modules: Vec<Word>,
    properties: Vec<(String, String)>,
    sources: Vec<(Word, bool)>,
    dependencies: Vec<Dependency>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Parent {
    group: Option<Word>,
    artifact: Option<Word>,
    version: Option<Word>,
    /// The empty text means: not from a folder.
    path: String,
}

#[derive(Clone, Debug, PartialEq)]
struct Dependency {
    group: Word,
    artifact: Word,
    test: bool,
}

/// Parents above parents and properties in properties end here.
const MAX_DEPTH: usize = 16;

/// Longer values are left as they are.
const MAX_LENGTH: usize = 16 * 1024;

pub(crate) fn read_pom(source: &mut Source<'_>, root: &Element) -> Pom {
    let parent = root.child("parent").map(|parent| Parent {
        group: parent.text_at(&["groupId"]),
        artifact: parent.text_at(&["artifactId"]),
        version: parent.text_at(&["version"]),
        path: match parent.child("relativePath") {
            Some(path) => path.text.trim().to_owned(),
            None => "../pom.xml".to_owned(),
        },
    });
    let mut pom = Pom {
        group: root.text_at(&["groupId"]),
        artifact: root.text_at(&["artifactId"]),
        version: root.text_at(&["version"]),
        parent,
        ..Pom::default()
    };
    if pom.artifact.is_none() {
        let message = "The project has no artifactId.";
        source.problem_at(root.at, ProblemKind::Value, message);
    }
    if let Some(properties) = root.child("properties") {
        let entries = properties.children.iter();
        pom.properties = entries
            .map(|entry| (entry.name.clone(), entry.text.trim().to_owned()))
            .collect();
    }
    pom.section(root);
    for profiles in root.children("profiles") {
        for profile in &profiles.children {
            pom.section(profile);
        }
    }
    pom
}

impl Pom {
    /// What a project and its profiles may both have.
    fn section(&mut self, element: &Element) {
        for modules in element.children("modules") {
            let modules = modules.children("module");
            self.modules
                .extend(modules.filter_map(|module| module.text_at(&[])));
        }
        for dependencies in element.children("dependencies") {
            for dependency in dependencies.children("dependency") {
                let text = |name: &str| dependency.text_at(&[name]);
                if let (Some(group), Some(artifact)) = (text("groupId"), text("artifactId")) {
                    let scope = text("scope");
                    self.dependencies.push(Dependency {
                        group,
                        artifact,
                        test: scope.is_some_and(|scope| scope.text == "test"),
                    });
                }
            }
        }
        if let Some(build) = element.child("build") {
            let source = build.text_at(&["sourceDirectory"]);
            self.sources.extend(source.map(|word| (word, false)));
            let test = build.text_at(&["testSourceDirectory"]);
            self.sources.extend(test.map(|word| (word, true)));
            self.plugins(build);
        }
    }

    /// Folders that plugins add: `sources`/`source` and `sourceDirs`/`sourceDir`.
    fn plugins(&mut self, build: &Element) {
        let Some(plugins) = build.child("plugins") else {
            return;
        };
        for plugin in plugins.children("plugin") {
            let mut open: Vec<(&Element, bool)> = vec![(plugin, false)];
            while let Some((element, test)) = open.pop() {
                let goals = element.child("goals");
                let test = test
                    || goals.is_some_and(|goals| {
                        goals
                            .children("goal")
                            .any(|goal| goal.text.contains("test"))
                    });
                if matches!(element.name.as_str(), "source" | "sourceDir")
                    && element.children.is_empty()
                {
                    let plausible = |word: &Word| word.text.contains('/');
                    let word = element.text_at(&[]).filter(plausible);
                    self.sources.extend(word.map(|word| (word, test)));
                }
                open.extend(element.children.iter().rev().map(|child| (child, test)));
            }
        }
    }
}

/// Projects by their folder's `pom.xml`.
type Poms<'a> = BTreeMap<&'a str, &'a Pom>;

/// Adds Maven's projects and multi-module builds.
pub(super) fn build(builder: &mut Builder<'_>) {
    let mut poms = Poms::new();
    let mut unread = Vec::new();
    for manifest in builder.of(&[Format::Pom]) {
        match &manifest.facts {
            Facts::Pom(pom) => {
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

fn unreadable(builder: &Builder<'_>, manifest: &Manifest) -> Draft {
    let detail = Detail::Jvm(Jvm::default());
    let mut draft = Draft::new(Kind::Maven, "", manifest.path(), detail);
    draft.project.source_roots = own_roots(builder.files, manifest.folder());
    draft
}

fn coordinates_of(path: &str, pom: &Pom, poms: &Poms<'_>) -> (String, String) {
    let text =
        |word: Option<&Word>| word.map_or(String::new(), |w| expand(path, pom, poms, &w.text));
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
    let text = |word: Option<&Word>| word.map(|word| word.text.clone());
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
    builder: &Builder<'_>,
    path: &str,
    pom: &Pom,
    poms: &Poms<'_>,
    coordinates: &BTreeMap<(String, String), &str>,
) -> Draft {
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
    let mut draft = Draft::new(Kind::Maven, &artifact, path, detail);
    let mut declared = Vec::new();
    for (word, test) in &pom.sources {
        let text = expand(path, pom, poms, &word.text);
        if let Place::Inside(path) = path::resolve(folder, &text) {
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
        let expanded = |word: &Word| expand(path, pom, poms, &word.text);
        let key = (expanded(&dependency.group), expanded(&dependency.artifact));
        if let Some(target) = coordinates.get(&key) {
            let target = Place::Inside((*target).to_owned());
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

fn workspace(builder: &Builder<'_>, path: &str, pom: &Pom, poms: &Poms<'_>) -> DraftWorkspace {
    let members = pom.modules.iter().map(|word| {
        let text = expand(path, pom, poms, &word.text);
        let manifest = match path::resolve(path::folder(path), &text) {
            Place::Inside(at) if at.ends_with(".xml") && builder.files.contains(&at) => {
                Place::Inside(at)
            }
            Place::Inside(at) => Place::Inside(path::join(&at, "pom.xml")),
            external => external,
        };
        Member {
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
