//! What an MSBuild file says: properties, items and imports in order, each with its conditions.

use std::sync::Arc;

use super::condition::MsbuildCondition;
use crate::read::Element;
use crate::source::{ManifestSource, SourcePosition};

/// An MSBuild file: what it says, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MsBuild {
    /// The SDK that the file names; several are separated by `;`.
    pub(crate) sdk: Option<String>,
    pub(crate) statements: Vec<Statement>,
}

/// A property, an item or an import with all conditions around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Statement {
    pub(crate) conditions: Vec<Arc<MsbuildCondition>>,
    pub(crate) at: SourcePosition,
    pub(crate) what: MsbuildElement,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MsbuildElement {
    Property { name: String, value: String },
    Import { project: String },
    Item(MsbuildItem),
}

/// Items that decide about files, references and names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Compile,
    ProjectReference,
    /// An assembly, or a package with some.
    Assembly,
    Using,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MsbuildItem {
    pub(crate) kind: ItemKind,
    pub(crate) include: String,
    pub(crate) exclude: String,
    pub(crate) remove: String,
    /// `HintPath` of an assembly.
    pub(crate) hint: Option<String>,
    /// `Alias` of a using.
    pub(crate) alias: Option<String>,
    /// `Static` of a using.
    pub(crate) is_static: bool,
}

/// Reads a project, properties, targets or shared items file.
pub(crate) fn read_msbuild(source: &mut ManifestSource<'_>, root: &Element) -> MsBuild {
    let _ = &source;
    let mut reader = MsbuildReader::default();
    let mut sdk = root.attribute("Sdk").map(str::to_owned);
    reader.container(root, &[]);
    sdk = sdk.or(reader.sdk.take());
    MsBuild {
        sdk,
        statements: reader.statements,
    }
}

#[derive(Default)]
struct MsbuildReader {
    statements: Vec<Statement>,
    sdk: Option<String>,
}

impl MsbuildReader {
    fn container(&mut self, element: &Element, outer: &[Arc<MsbuildCondition>]) {
        for child in &element.children {
            let conditions = with_condition(outer, child);
            match child.name.as_str() {
                "PropertyGroup" => self.properties(child, &conditions),
                "ItemGroup" => self.items(child, &conditions),
                "Import" => self.import(child, conditions),
                // A group of imports may have a condition of its own.
                "ImportGroup" => self.container(child, &conditions),
                "Sdk" => self.sdk = child.attribute("Name").map(str::to_owned),
                "Choose" => self.choose(child, &conditions),
                _ => {}
            }
        }
    }

    /// The first `When` that holds, else `Otherwise`: each branch also needs that none before holds.
    fn choose(&mut self, element: &Element, outer: &[Arc<MsbuildCondition>]) {
        let mut before = outer.to_vec();
        for branch in &element.children {
            match branch.name.as_str() {
                "When" => {
                    let condition =
                        MsbuildCondition::parse(branch.attribute("Condition").unwrap_or(""));
                    let mut own = before.clone();
                    own.push(Arc::new(condition.clone()));
                    self.container(branch, &own);
                    before.push(Arc::new(MsbuildCondition::Not(Box::new(condition))));
                }
                "Otherwise" => self.container(branch, &before),
                _ => {}
            }
        }
    }

    fn import(&mut self, element: &Element, conditions: Vec<Arc<MsbuildCondition>>) {
        if let Some(name) = element.attribute("Sdk") {
            self.sdk.get_or_insert_with(|| name.to_owned());
            return;
        }
        if let Some(project) = element.attribute("Project") {
            self.statements.push(Statement {
                conditions,
                at: element.at,
                what: MsbuildElement::Import {
                    project: project.to_owned(),
                },
            });
        }
    }

    fn properties(&mut self, group: &Element, outer: &[Arc<MsbuildCondition>]) {
        for property in &group.children {
            self.statements.push(Statement {
                conditions: with_condition(outer, property),
                at: property.at,
                what: MsbuildElement::Property {
                    name: property.name.clone(),
                    value: property.text.trim().to_owned(),
                },
            });
        }
    }

    fn items(&mut self, group: &Element, outer: &[Arc<MsbuildCondition>]) {
        for element in &group.children {
            let kind = match element.name.as_str() {
                "Compile" => ItemKind::Compile,
                "ProjectReference" => ItemKind::ProjectReference,
                "Reference" | "PackageReference" => ItemKind::Assembly,
                "Using" => ItemKind::Using,
                _ => continue,
            };
            let text = |name: &str| element.attribute(name).unwrap_or("").to_owned();
            // Metadata is an attribute or a child.
            let metadata = |name: &str| {
                let child = || element.child(name).map(|child| child.text.trim());
                element.attribute(name).or_else(child).map(str::to_owned)
            };
            self.statements.push(Statement {
                conditions: with_condition(outer, element),
                at: element.at,
                what: MsbuildElement::Item(MsbuildItem {
                    kind,
                    include: text("Include"),
                    exclude: text("Exclude"),
                    remove: text("Remove"),
                    hint: metadata("HintPath").filter(|hint| !hint.is_empty()),
                    alias: metadata("Alias").filter(|alias| !alias.is_empty()),
                    is_static: metadata("Static").is_some_and(|v| v.eq_ignore_ascii_case("true")),
                }),
            });
        }
    }
}

fn with_condition(
    outer: &[Arc<MsbuildCondition>],
    element: &Element,
) -> Vec<Arc<MsbuildCondition>> {
    let mut conditions = outer.to_vec();
    if let Some(text) = element.attribute("Condition")
        && !text.trim().is_empty()
    {
        conditions.push(Arc::new(MsbuildCondition::parse(text)));
    }
    conditions
}
