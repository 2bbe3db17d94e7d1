//! Collects what the prompt for a type or group is made of (SPEC SE1, `000` §7).

use std::collections::BTreeSet;

use codecortex_analysis::artefacts::outline::bare_outline;
use codecortex_analysis::artefacts::types::{files_of_type, find_type};
use codecortex_analysis::disk_text::DiskText;
use codecortex_analysis::view::AnalysisView;
use codecortex_index::{HashRules, Symbol};
use codecortex_ledger::{Ledger, TextState, UnitView};
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{Failure, Located, Missing, ToolError};
use codecortex_semantics::{
    DescribedType, FrontMatter, Gathered, Material, MemberText, Operation, PromptDependency,
    SemanticJobs, SemanticText, TextSections, affected, concluded_about, op_path, read_snapshot,
    snapshot_path,
};
use codecortex_syntax::{Item, Layer};

use crate::findings::findings;
use crate::operation_paths::from_file;

/// Dependencies whose texts go into a prompt.
const MAX_DEPENDENCIES: usize = 12;

/// A unit of a root, with what is looked at.
pub struct Gatherer<'a> {
    view: &'a AnalysisView<'a>,
    root: u32,
    ledger: Option<&'a Ledger>,
    semantic_jobs: Option<&'a SemanticJobs>,
    rules: HashRules,
    missing: Vec<Located>,
    is_unsaved: bool,
}

impl<'a> Gatherer<'a> {
    /// What is on its way to the disk is known from those who describe the types of the root.
    pub fn new(
        view: &'a AnalysisView<'a>,
        root: u32,
        semantic_jobs: Option<&'a SemanticJobs>,
        rules: HashRules,
    ) -> Self {
        let ledger = view.ledgers.get(root as usize).copied().flatten();
        Self {
            view,
            root,
            ledger,
            semantic_jobs,
            rules,
            missing: Vec::new(),
            is_unsaved: false,
        }
    }

    /// Everything about a unit whose types are these.
    ///
    /// # Errors
    /// Waits for texts that were not read; fails where a type is not there any more.
    pub fn gather(
        mut self,
        unit: &UnitView,
        types: &[(String, Symbol)],
    ) -> Result<Gathered, Failure> {
        let written = self.file(&unit.path());
        let is_absent = written.is_none();
        let text = SemanticText::read(&written.unwrap_or_default());
        let mut subjects = Vec::new();
        let mut members = Vec::new();
        for (id, symbol) in types {
            let own = self.members(*symbol)?;
            let before = self.file(&snapshot_path(id));
            let before = before.as_deref().and_then(read_snapshot);
            let subject = self.subject(id, *symbol, &own, before.as_deref());
            subjects.extend(subject);
            members.push((id.clone(), own));
        }
        let ids: BTreeSet<&str> = types.iter().map(|(id, _)| id.as_str()).collect();
        let needed = self.needed(&ids);
        let dependencies = needed.iter().take(MAX_DEPENDENCIES);
        let dependencies: Vec<PromptDependency> =
            dependencies.filter_map(|id| self.dependency(id)).collect();
        let operations = self.operations(&subjects);
        if !self.missing.is_empty() {
            return Err(Failure::Missing(Missing::Texts(self.missing)));
        }
        let classes = unit.classes.iter().map(|class| class.as_str().to_owned());
        let symbols: Vec<Symbol> = types.iter().map(|(_, symbol)| *symbol).collect();
        Ok(Gathered {
            head: head(unit, &subjects, needed),
            material: Material {
                group: unit.group.clone(),
                previous: text.said(),
                classes: classes.collect(),
                findings: findings(self.view, self.root, &symbols, &operations),
                subjects,
                dependencies,
            },
            is_absent,
            text,
            members,
            is_unsaved: self.is_unsaved,
        })
    }

    /// A file below `.context/`; none where it is not there, or has to be read first.
    fn file(&mut self, path: &str) -> Option<String> {
        let on_its_way = self.semantic_jobs.and_then(|own| own.text_on_its_way(path));
        if let Some(text) = on_its_way {
            return Some(text.to_owned());
        }
        let root = self.view.workspace.roots.get(self.root as usize)?;
        let located = self
            .view
            .located(&absolute_path(root, &format!(".context/{path}")));
        match self.view.disk().get(&located.path) {
            Some(DiskText::Text { snapshot, .. }) => Some(snapshot.text.text()),
            Some(_) => None,
            None => {
                self.missing.push(located);
                None
            }
        }
    }

    /// The members of a type with their texts, its declaration first; of a type in it the signature alone.
    fn members(&mut self, symbol: Symbol) -> Result<Vec<MemberText>, Failure> {
        let mut members = vec![self.declaration(symbol)];
        for member in self.view.index.member_declarations(symbol) {
            let Some((file, item)) = self.view.index.get(member) else {
                continue;
            };
            let head = file.facts.str(item.signature);
            let name = file.facts.str(item.name);
            let text = match item.kind.is_type() {
                true => Some(head.to_owned()),
                false => self.slice(member, item)?,
            };
            if let Some(text) = text {
                members.push(MemberText {
                    name: name.to_owned(),
                    head: if head.is_empty() { name } else { head }.to_owned(),
                    code: self.code(&[member], item.kind.is_type()),
                    text,
                });
            }
        }
        Ok(members)
    }

    /// What a type says of itself: its heads with their bases.
    fn declaration(&self, symbol: Symbol) -> MemberText {
        let index = &self.view.index;
        let parts: Vec<Symbol> = index.parts(symbol).iter().map(|part| part.symbol).collect();
        let mut lines: Vec<String> = Vec::new();
        for part in &parts {
            if let Some((file, item)) = index.get(*part) {
                let written = file.facts.str(item.signature);
                let bases: Vec<&str> = file
                    .facts
                    .bases_of(part.item)
                    .map(|(_, base)| base)
                    .collect();
                let is_said = bases.iter().all(|base| written.contains(base));
                lines.push(match is_said {
                    true => written.to_owned(),
                    false => format!("{written} : {}", bases.join(", ")),
                });
            }
        }
        lines.retain(|line| !line.is_empty());
        MemberText {
            name: String::new(),
            head: lines.first().cloned().unwrap_or_default(),
            code: self.code(&parts, true),
            text: lines.join("\n"),
        }
    }

    /// Digests of what is code in declarations, in an order of their own.
    fn code(&self, symbols: &[Symbol], head_alone: bool) -> String {
        let mut digests: Vec<[u8; 16]> = Vec::new();
        for symbol in symbols {
            if let Some((file, _)) = self.view.index.get(*symbol) {
                let layers = file.facts.layers_of(symbol.item).iter();
                let counts = |layer: Layer| match head_alone {
                    true => layer == Layer::Header,
                    false => matches!(layer, Layer::Header | Layer::Body | Layer::Inner),
                };
                digests.extend(layers.filter(|own| counts(own.layer)).map(|own| own.digest));
            }
        }
        digests.sort_unstable();
        let letters = digests
            .iter()
            .map(|digest| codecortex_text::base32(&digest[..8], 12));
        letters.collect::<Vec<_>>().join(" ")
    }

    /// The text of a declaration; none where its file has to be read first.
    fn slice(&mut self, symbol: Symbol, item: &Item) -> Result<Option<String>, Failure> {
        match self.view.text_of_file(symbol.file) {
            Ok(text) => {
                self.is_unsaved |= text.is_dirty;
                let document = &text.snapshot.text;
                // The file may be another than the one that the index read.
                let end = (item.end_byte as usize).min(document.len());
                let start = (item.start_byte as usize).min(end);
                Ok(Some(document.slice(start..end)))
            }
            Err(Failure::Missing(Missing::Texts(files))) => {
                for file in files {
                    if !self.missing.contains(&file) {
                        self.missing.push(file);
                    }
                }
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    fn subject(
        &self,
        id: &str,
        symbol: Symbol,
        members: &[MemberText],
        before: Option<&[MemberText]>,
    ) -> Option<DescribedType> {
        let outline = bare_outline(self.view, symbol, self.rules)?;
        Some(DescribedType {
            path: outline.fqn,
            id: id.to_owned(),
            kind: outline.kind,
            files: files_of_type(self.view, symbol),
            doc: outline.doc,
            declaration: members
                .first()
                .map_or_else(String::new, |own| own.text.clone()),
            api: outline.api,
            source: members.iter().map(|member| member.text.clone()).collect(),
            affected: before.map(|before| affected(before, members)),
        })
    }

    /// Operations that are done with evidence in the files of types.
    fn operations(&mut self, subjects: &[DescribedType]) -> Vec<Operation> {
        let Some(ledger) = self.ledger else {
            return Vec::new();
        };
        let files = subjects
            .iter()
            .flat_map(|subject| &subject.files)
            .cloned()
            .collect();
        let mut operations = Vec::new();
        for id in concluded_about(ledger, &files) {
            let read = self.file(&op_path(&id));
            let read = read.and_then(|text| Operation::read_file(&text));
            operations.extend(read.map(|operation| from_file(self.view, self.root, operation)));
        }
        operations
    }

    /// Ids of the types that these depend on and that are not among them, in their order.
    fn needed(&self, ids: &BTreeSet<&str>) -> Vec<String> {
        let Some(ledger) = self.ledger else {
            return Vec::new();
        };
        let known = ids.iter().filter_map(|id| ledger.get(id));
        let mut all: Vec<String> = known.flat_map(|known| known.depends_on).collect();
        all.retain(|id| !ids.contains(id.as_str()));
        all.sort_unstable();
        all.dedup();
        all
    }

    /// What a dependency says of itself; a text that is out of date says it too.
    fn dependency(&mut self, id: &str) -> Option<PromptDependency> {
        let known = self.ledger?.get(id)?;
        let unit = self.ledger?.unit(id)?;
        let said = match known.state {
            TextState::Cached | TextState::Stale => self.file(&unit.path()).unwrap_or_default(),
            _ => String::new(),
        };
        let said = SemanticText::read(&said);
        let has_changed = known.classes.first().map(|class| class.as_str()) == Some("Structure");
        Some(PromptDependency {
            path: known.identity.fqn,
            role: said.get(TextSections::Role).unwrap_or_default(),
            lifecycle: said.get(TextSections::Lifecycle).unwrap_or_default(),
            has_changed,
        })
    }
}

fn head(unit: &UnitView, subjects: &[DescribedType], dependencies: Vec<String>) -> FrontMatter {
    let structures: Vec<&str> = unit.types.iter().map(|of| of.hashes[0].as_str()).collect();
    let paths = subjects.iter().map(|subject| subject.path.clone());
    FrontMatter {
        paths: paths.collect(),
        id: unit.id().to_owned(),
        types: match unit.group {
            Some(_) => unit.types.iter().map(|of| of.id.clone()).collect(),
            None => Vec::new(),
        },
        structure: structures.join(","),
        implementation: unit.implementations.join(","),
        dependencies,
    }
}

/// A unit of a root with the declarations of its types.
///
/// # Errors
/// When one of its types is not in the index.
pub fn declarations(
    view: &AnalysisView<'_>,
    root: u32,
    unit: &UnitView,
) -> Result<Vec<(String, Symbol)>, ToolError> {
    let ledger = view.ledgers.get(root as usize).copied().flatten();
    let found = unit.types.iter().map(|of| {
        let known = ledger.and_then(|ledger| ledger.get(&of.id));
        let symbol = known.and_then(|known| find_type(view, root, &known.identity));
        symbol
            .map(|symbol| (of.id.clone(), symbol))
            .ok_or_else(|| view.symbol_not_found(&of.id, Vec::new()))
    });
    found.collect()
}
