//! What becomes of the names around an edit of a declaration: those that mean nothing any more, or something else.

use std::collections::{BTreeMap, BTreeSet};

use codecortex_bind::facts::Role;
use codecortex_resolve::{ExprRef, FileNo, Resolver, Workspace};
use tree_sitter::Node;

use crate::source_change::{FileChange, SourceChange};
use crate::structure::syntax_tree::tree_of;

/// The most uses of a file that are resolved.
const MAX_USES: usize = 20_000;

/// A use that means something else after an edit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UseProblem {
    /// Which file.
    pub file: FileNo,
    /// The byte, in the text afterwards.
    pub at: u32,
    /// What is written there.
    pub name: String,
    /// Whether it means nothing; something else otherwise.
    pub is_unresolved: bool,
}

/// What a use means: places of declarations in terms of the text afterwards. A declaration that is replaced counts as one
/// that may stand anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct UseMeaning {
    places: BTreeSet<(FileNo, u32)>,
    is_replaced: bool,
    is_known: bool,
}

/// What uses mean before an edit.
#[derive(Debug)]
pub struct ResolvedUses {
    meanings: BTreeMap<(FileNo, u32), UseMeaning>,
    /// Code that the edit writes, in terms of the text afterwards.
    written: Vec<(FileNo, std::ops::Range<u32>)>,
    /// Whether nothing is written: what is replaced stands nowhere afterwards.
    is_deletion: bool,
}

impl ResolvedUses {
    /// Resolves the uses of the changed files, and those in other files that are spelled like what is replaced.
    #[must_use]
    pub fn new(resolver: &Resolver<'_>, change: &SourceChange) -> Self {
        let workspace = resolver.workspace();
        let mut meanings = BTreeMap::new();
        for file in files_of(workspace, change) {
            let Some(bound) = workspace.file(file) else {
                continue;
            };
            let uses = bound.uses().filter(|(.., role)| *role != Role::Doc);
            for (expr, _, at, _) in uses.take(MAX_USES) {
                let Some(after) = shifted(change, file, at) else {
                    continue; // it is replaced
                };
                let meaning = meaning_of(resolver, change, ExprRef { file, expr });
                let known: &mut UseMeaning = meanings.entry((file, after)).or_default();
                known.places.extend(meaning.places);
                known.is_replaced |= meaning.is_replaced;
                known.is_known |= meaning.is_known;
            }
        }
        let written = change.files.iter().flat_map(|changed| {
            let mut shift = 0;
            changed.edits.iter().map(move |edit| {
                let start = (i64::from(edit.start) + shift) as u32;
                let len = edit.text.len() as u32;
                shift += i64::from(len) - i64::from(edit.end - edit.start);
                (changed.file, start..start + len)
            })
        });
        let is_empty = |changed: &FileChange| changed.edits.iter().all(|edit| edit.text.is_empty());
        Self {
            meanings,
            written: written.collect(),
            is_deletion: change.files.iter().all(is_empty),
        }
    }

    /// Compares with bindings that have the changed texts.
    #[must_use]
    pub fn problems(&self, after: &Workspace) -> Vec<UseProblem> {
        let resolver = Resolver::new(after);
        let nothing = SourceChange::default();
        let mut found = BTreeSet::new();
        let files: BTreeSet<FileNo> = self.meanings.keys().map(|(file, _)| *file).collect();
        let written = self.written.iter().map(|(file, _)| *file);
        for file in files.into_iter().chain(written).collect::<BTreeSet<_>>() {
            let Some(bound) = after.file(file) else {
                continue;
            };
            let uses = bound.uses().filter(|(.., role)| *role != Role::Doc);
            let mut now: BTreeMap<u32, (UseMeaning, u32, String)> = BTreeMap::new();
            for (expr, name, at, _) in uses.take(MAX_USES) {
                let meaning = meaning_of(&resolver, &nothing, ExprRef { file, expr });
                let name = after.text(bound.name(name)).to_owned();
                let here = now.entry(at).or_insert((UseMeaning::default(), expr, name));
                here.0.places.extend(meaning.places);
                here.0.is_known |= meaning.is_known;
            }
            for (at, (meaning, expr, name)) in now {
                let problem = |is_unresolved| UseProblem {
                    file,
                    at,
                    name: name.clone(),
                    is_unresolved,
                };
                let is_written = |(of, range): &(FileNo, std::ops::Range<u32>)| {
                    *of == file && range.contains(&at)
                };
                match self.meanings.get(&(file, at)) {
                    Some(before) if before.is_known && !meaning.is_known => {
                        found.insert(problem(true));
                    }
                    Some(before) if before.is_replaced && self.is_deletion => {
                        found.insert(problem(!meaning.is_known));
                    }
                    Some(before) if !before.is_replaced && before.places != meaning.places => {
                        found.insert(problem(false));
                    }
                    None if self.written.iter().any(is_written)
                        && resolver.is_dangling(ExprRef { file, expr }, false) =>
                    {
                        found.insert(problem(true));
                    }
                    _ => {}
                }
            }
        }
        found.into_iter().collect()
    }
}

/// The changed files, and those that have a name that is declared in what is replaced.
fn files_of(workspace: &Workspace, change: &SourceChange) -> BTreeSet<FileNo> {
    let mut files: BTreeSet<FileNo> = change.files.iter().map(|file| file.file).collect();
    for changed in &change.files {
        let Some(bound) = workspace.file(changed.file) else {
            continue;
        };
        for def in bound.named_defs() {
            let def = bound.def(def);
            if shifted(change, changed.file, def.at).is_none() {
                files.extend(workspace.files_with(bound.name(def.name)));
            }
        }
    }
    files
}

fn meaning_of(resolver: &Resolver<'_>, change: &SourceChange, at: ExprRef) -> UseMeaning {
    let target = resolver.target(at);
    let mut meaning = UseMeaning {
        is_known: target.module.is_some() || target.namespace.is_some(),
        ..UseMeaning::default()
    };
    for def in target.defs.iter().chain(&target.via_aliases) {
        meaning.is_known = true;
        let Some(place) = resolver.place(*def) else {
            continue;
        };
        match shifted(change, def.file, place) {
            Some(place) => drop(meaning.places.insert((def.file, place))),
            None => meaning.is_replaced = true,
        }
    }
    meaning
}

/// Where a place is after a change; nothing where it is replaced.
fn shifted(change: &SourceChange, file: FileNo, at: u32) -> Option<u32> {
    let Some(FileChange { edits, .. }) = change.file(file) else {
        return Some(at);
    };
    let done = edits.partition_point(|edit| edit.end <= at);
    if edits.get(done).is_some_and(|edit| edit.start <= at) {
        return None;
    }
    let added = edits[..done]
        .iter()
        .map(|edit| edit.text.len() as i64 - i64::from(edit.end - edit.start));
    u32::try_from(i64::from(at) + added.sum::<i64>()).ok()
}

/// The places of a text that its grammar does not read, of which there are more than in the text before; none otherwise.
#[must_use]
pub fn new_syntax_errors(path: &str, before: &str, after: &str) -> Vec<u32> {
    let (old, new) = (syntax_errors(path, before), syntax_errors(path, after));
    match new.len() > old.len() {
        true => new,
        false => Vec::new(),
    }
}

fn syntax_errors(path: &str, text: &str) -> Vec<u32> {
    let Some(tree) = tree_of(path, text) else {
        return vec![0];
    };
    let mut found = Vec::new();
    let mut next = vec![tree.root_node()];
    while let Some(node) = next.pop() {
        if node.is_error() || node.is_missing() {
            found.push(node.start_byte() as u32);
        }
        let mut cursor = node.walk();
        next.extend(node.children(&mut cursor).filter(Node::has_error));
    }
    found.sort_unstable();
    found
}
