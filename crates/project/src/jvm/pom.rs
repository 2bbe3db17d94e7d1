//! What a `pom.xml` says.

use crate::read::Element;
use crate::source::{ManifestSource, ProblemKind, SpannedText};

/// A `pom.xml`; texts are not expanded yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pom {
    pub(super) group: Option<SpannedText>,
    pub(super) artifact: Option<SpannedText>,
    pub(super) version: Option<SpannedText>,
    pub(super) parent: Option<Parent>,
    pub(super) modules: Vec<SpannedText>,
    pub(super) properties: Vec<(String, String)>,
    pub(super) sources: Vec<(SpannedText, bool)>,
    pub(super) dependencies: Vec<PomDependency>,
}

/// The project that a project inherits from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parent {
    pub(super) group: Option<SpannedText>,
    pub(super) artifact: Option<SpannedText>,
    pub(super) version: Option<SpannedText>,
    /// The empty text means: not from a folder.
    pub(super) path: String,
}

/// A dependency by its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PomDependency {
    pub(super) group: SpannedText,
    pub(super) artifact: SpannedText,
    pub(super) test: bool,
}

/// Reads a `pom.xml`.
pub(crate) fn read_pom(source: &mut ManifestSource<'_>, root: &Element) -> Pom {
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
                    self.dependencies.push(PomDependency {
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
                    let plausible = |word: &SpannedText| word.text.contains('/');
                    let word = element.text_at(&[]).filter(plausible);
                    self.sources.extend(word.map(|word| (word, test)));
                }
                open.extend(element.children.iter().rev().map(|child| (child, test)));
            }
        }
    }
}
