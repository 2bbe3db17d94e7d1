//! Whether uses lead somewhere in the state after a change.

use codecortex_analysis::AnalysisView;
use codecortex_analysis::other_states::names_in_state;
use codecortex_bind::Dialect;
use codecortex_resolve::{ConfidenceTier, DefRef, ExprRef, FileNo, Resolver, Workspace};
use codecortex_syntax::{Item, Visibility};
use rustc_hash::FxHashMap;

use super::states::States;
use super::{Cause, FormerUse, Holder, Suspect, UseLocation};
use crate::change::ReviewedChange;
use crate::changed_lines::is_import;
use crate::diff::LineKind;

/// The state after a change, before it is looked at.
pub(super) struct Present<'s> {
    view: &'s AnalysisView<'s>,
    states: &'s States<'s>,
    change: &'s ReviewedChange,
}

impl<'s> Present<'s> {
    pub(super) fn new(
        view: &'s AnalysisView<'s>,
        states: &'s States<'s>,
        change: &'s ReviewedChange,
    ) -> Self {
        Self {
            view,
            states,
            change,
        }
    }

    /// Asks something of the state.
    pub(super) fn ask<R: Default>(&self, ask: impl FnOnce(&After<'_>) -> R) -> R {
        let asked = |workspace: &Workspace| {
            let query = Resolver::new(workspace);
            let numbers = self.states.numbers(self.view, workspace, false);
            ask(&After {
                change: self.change,
                units_files: numbers.iter().map(|(number, at)| (*at, *number)).collect(),
                query: &query,
            })
        };
        if self.states.is_current {
            return asked(self.view.names().workspace());
        }
        let files = self.states.after();
        let answer = names_in_state(self.view, self.states.root, &files, asked);
        answer.unwrap_or_default()
    }
}

/// The state after a change.
pub(super) struct After<'s> {
    change: &'s ReviewedChange,
    /// Numbers of the files of the change, by their places in it.
    units_files: FxHashMap<usize, FileNo>,
    pub(super) query: &'s Resolver<'s>,
}

impl After<'_> {
    /// Of the former uses of something those that are broken.
    pub(super) fn broken(&self, suspect: &Suspect) -> Vec<UseLocation> {
        let uses = suspect.uses.iter();
        let broken = uses.filter(|used| self.is_broken(suspect, used));
        broken.map(|used| used.place).collect()
    }

    /// A place as the resolver knows it, and what is written there.
    pub(super) fn expr_at(&self, place: UseLocation) -> Option<ExprRef> {
        let file = match place.file {
            Holder::Other(file) => file,
            Holder::Changed(at) => *self.units_files.get(&at)?,
        };
        let (expr, _) = self.query.at(file, place.at);
        Some(ExprRef { file, expr: expr? })
    }

    /// The number of a file of the change.
    pub(super) fn number_of(&self, file: usize) -> Option<FileNo> {
        self.units_files.get(&file).copied()
    }

    fn is_broken(&self, suspect: &Suspect, used: &FormerUse) -> bool {
        if let Cause::File { .. } = suspect.cause {
            return self.is_dead_import(used.place);
        }
        let Some(at) = self.expr_at(used.place) else {
            return false;
        };
        let target = self.query.target_of_written(at);
        if !target.defs.is_empty() {
            return match suspect.cause {
                Cause::Hidden => {
                    let is_hidden = |def: &DefRef| self.is_out_of_sight(suspect, used.place, *def);
                    target.defs.iter().all(is_hidden)
                }
                _ => used.is_accepted_call && self.accepts_none(at, &target.defs),
            };
        }
        if used.is_import {
            // It stands as it was, and what it brought is nowhere in the workspace.
            return target.module.is_none() && target.namespace.is_none();
        }
        if used.tier == ConfidenceTier::Name {
            // Of what nobody knows nobody can say what it has; no declaration has this name any more.
            return target.via_aliases.is_empty() && target.module.is_none();
        }
        self.query
            .is_dangling(at, used.had_import || self.imports_anew(used.place))
    }

    /// Whether the change brings names into the file of a place.
    fn imports_anew(&self, place: UseLocation) -> bool {
        let Holder::Changed(at) = place.file else {
            return false;
        };
        let hunks = self.change.files.get(at).map(|file| &file.diff.hunks);
        let lines = hunks.into_iter().flatten().flat_map(|hunk| &hunk.lines);
        let mut added = lines.filter(|line| line.kind == LineKind::Added);
        added.any(|line| is_import(line.text.trim()))
    }

    /// Whether none of these takes the call at a place.
    fn accepts_none(&self, at: ExprRef, defs: &[DefRef]) -> bool {
        let is_refused = |def: &DefRef| {
            let is_function = self.query.kind(*def).is_some_and(|kind| kind.is_callable());
            is_function && self.query.accepts_call(at, *def) == Some(false)
        };
        defs.iter().all(is_refused)
    }

    /// Whether an import, by the place of its path or module, leads to no file.
    fn is_dead_import(&self, place: UseLocation) -> bool {
        let file = match place.file {
            Holder::Other(file) => Some(file),
            Holder::Changed(at) => self.units_files.get(&at).copied(),
        };
        let Some(file) = file else { return false };
        let leads = |expr| {
            let target = self.query.target(ExprRef { file, expr });
            target.module.is_some() || target.namespace.is_some() || !target.defs.is_empty()
        };
        match self.query.at(file, place.at) {
            (Some(expr), _) => !leads(expr),
            (None, Some(def)) => {
                let value = self.query.definition(def).map(|def| def.value);
                value.is_some_and(|value| !leads(value))
            }
            (None, None) => false,
        }
    }

    /// Whether a use cannot see the declaration that a change hid.
    fn is_out_of_sight(&self, suspect: &Suspect, place: UseLocation, def: DefRef) -> bool {
        let Some((file, item)) = self.hidden(suspect, def) else {
            return false;
        };
        let number = match place.file {
            Holder::Other(number) => Some(number),
            Holder::Changed(at) => self.units_files.get(&at).copied(),
        };
        let workspace = self.query.workspace();
        let path = number.and_then(|number| workspace.path(number));
        let own = workspace.path(def.file);
        let (Some(path), Some(own)) = (path, own) else {
            return false;
        };
        let is_same_file = place.file == Holder::Changed(file);
        let is_within = |(start, end): (u32, u32)| is_same_file && (start..end).contains(&place.at);
        match (workspace.dialect(def.file), item.visibility) {
            (Some(Dialect::Rust), Visibility::Private) => {
                !is_same_file && !path.starts_with(&folder_of_module(own))
            }
            (Some(Dialect::Java), Visibility::Internal) => folder(path) != folder(own),
            (
                Some(Dialect::Java | Dialect::CSharp | Dialect::TypeScript | Dialect::JavaScript),
                Visibility::Private,
            ) => match item.parent.is_some() {
                // Of the outermost type, for what is nested in it sees it, too.
                true => !self.outer_extent(file, item).is_some_and(is_within),
                false => !is_same_file,
            },
            (Some(Dialect::Cpp), Visibility::Private) => {
                // A friend may be anywhere; free functions of its files are the likeliest.
                item.parent.is_some() && !is_same_file && stem(path) != stem(own)
            }
            _ => false,
        }
    }

    /// The file of the change and the item that is hidden, where a definition is that.
    fn hidden(&self, suspect: &Suspect, def: DefRef) -> Option<(usize, &Item)> {
        let mut files = self.units_files.iter();
        let (file, _) = files.find(|(_, number)| **number == def.file)?;
        let facts = self.change.files.get(*file)?.new.as_ref()?.facts.as_ref()?;
        let place = self.query.place(def)?;
        let item = facts
            .items
            .iter()
            .find(|item| item.name_byte == place && facts.str(item.name) == suspect.name)?;
        Some((*file, item))
    }

    /// The bytes of the outermost type around a declaration.
    fn outer_extent(&self, file: usize, item: &Item) -> Option<(u32, u32)> {
        let facts = self.change.files.get(file)?.new.as_ref()?.facts.as_ref()?;
        let mut outer = None;
        let mut at = item.parent;
        while let Some(around) = at.and_then(|at| facts.items.get(at as usize)) {
            if around.kind.is_type() {
                outer = Some((around.start_byte, around.end_byte));
            }
            at = around.parent;
        }
        outer
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn stem(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The folder of the modules below a module of Rust.
fn folder_of_module(path: &str) -> String {
    let stem = stem(path);
    let is_root = ["mod", "lib", "main"].contains(&stem.rsplit('/').next().unwrap_or(stem));
    match is_root {
        true if folder(path).is_empty() => String::new(),
        true => format!("{}/", folder(path)),
        false => format!("{stem}/"),
    }
}
