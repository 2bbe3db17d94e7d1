//! The update of a root's ledger, and what follows from it for the folder's files (SPEC D3, D31).

use codecortex_analysis::Analysis;
use codecortex_analysis::artefacts::dependents::names_changed;
use codecortex_analysis::artefacts::types::find_type;
use codecortex_ledger::files::outline::{render_outline, with_header};
use codecortex_ledger::{Millis, OutlineEffect, StaleReason, TextState, TypeFate, UpdateReport};
use codecortex_protocol::FetchedFile;
use codecortex_semantics::change_usage;

use crate::batch::{batch, outline_of_id, projects_of_index};
use crate::contexts::Contexts;
use crate::folder::ContextState;

impl Contexts {
    /// Updates the ledger of a root with the code as it is; none where the folder was not read.
    pub fn update_ledger(
        &mut self,
        code: &mut Analysis,
        root: u32,
        now: Millis,
    ) -> Option<UpdateReport> {
        let projects = projects_of_index(code, root);
        let batch = batch(self, code, root);
        let folder = self.folders.get_mut(root as usize)?;
        let ledger = folder.ledger.as_mut()?;
        ledger.set_projects(projects);
        let is_complete = batch.complete;
        let mut report = ledger.update(batch, now);
        self.mark_dependents(code, root, &mut report, now);
        let folder = self.folders.get_mut(root as usize)?;
        note_spared(folder, &report);
        if is_complete {
            folder.share_identities();
        }
        self.invalidate(root, now);
        Some(report)
    }

    /// Puts the outlines of new types into what is written next. Returns the paths of the files that have to be read
    /// before: outlines that get another header, and texts.
    pub fn renew_new_outlines(
        &mut self,
        code: &Analysis,
        root: u32,
        report: UpdateReport,
    ) -> Vec<String> {
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return Vec::new();
        };
        let (new, written) = folder.note(report);
        for id in new {
            let outline = outline_of_id(self, code, root, &id);
            let folder = &mut self.folders[root as usize];
            match outline {
                Some(outline) => folder.write_outline(&id, render_outline(&outline)),
                None => folder.drop_outline(&id),
            }
        }
        let folder = &mut self.folders[root as usize];
        let mut paths = folder.expected_texts();
        paths.extend(folder.expect_outlines(written));
        paths
    }

    /// Puts outlines that were read with their new header into what is written next, and texts to where they belong now.
    pub fn renew_read_outlines(
        &mut self,
        code: &Analysis,
        root: u32,
        paths: &[String],
        files: &[FetchedFile],
    ) {
        if root as usize >= self.folders.len() {
            return;
        }
        let text = |file: &FetchedFile| {
            let bytes = file.bytes.as_ref()?;
            Some(String::from_utf8_lossy(&bytes.0).into_owned())
        };
        let found = paths.iter().zip(files);
        let found = found.filter_map(|(path, file)| Some((path.as_str(), text(file)?)));
        self.folders[root as usize].regroup_texts(&found.collect());
        for (path, file) in paths.iter().zip(files) {
            let Some((id, body)) = self.folders[root as usize].take_outline(path) else {
                continue;
            };
            let outline = outline_of_id(self, code, root, &id);
            let folder = &mut self.folders[root as usize];
            match (text(file), outline) {
                (Some(_), Some(outline)) if body == OutlineEffect::Body => {
                    folder.write_outline(&id, render_outline(&outline));
                }
                (Some(written), Some(outline)) => {
                    folder.write_outline(&id, with_header(&written, &outline));
                }
                _ => folder.drop_outline(&id),
            }
        }
    }

    /// Marks types that were invalidated by hand as stale. A removed type is left out.
    pub fn invalidate(&mut self, root: u32, now: Millis) {
        let Some(folder) = self.folders.get_mut(root as usize) else {
            return;
        };
        if let Some(ledger) = &mut folder.ledger {
            for id in std::mem::take(&mut folder.invalid) {
                let _ = ledger.invalidate(&id, now);
            }
        }
    }

    /// Marks texts of dependents as stale where they name what changed of a type (SPEC D31).
    fn mark_dependents(
        &mut self,
        code: &Analysis,
        root: u32,
        report: &mut UpdateReport,
        now: Millis,
    ) {
        let Some(ledger) = self.folders.get_mut(root as usize) else {
            return;
        };
        let Some(ledger) = &mut ledger.ledger else {
            return;
        };
        for dependent in std::mem::take(&mut report.dependents) {
            let reason = match dependent.on.iter().any(|(_, changed)| changed.bases) {
                true => Some(StaleReason::Bases),
                false => {
                    let known = ledger.get(&dependent.id);
                    let symbol = known.and_then(|known| find_type(code, root, &known.identity));
                    let names =
                        symbol.is_none_or(|symbol| names_changed(code, symbol, &dependent.on));
                    names.then_some(StaleReason::Named)
                }
            };
            if let Some(reason) = reason {
                ledger.depend(&dependent.id, reason, report, now);
            }
        }
    }

    /// Asks for a tick at the end of drift or of a merge window.
    pub fn wait_for_deadline(&mut self, root: u32, now: Millis) {
        let folder = self.folders.get(root as usize);
        let due = folder.and_then(|folder| {
            let ledger = folder.ledger.as_ref()?;
            let times = ledger.due().into_iter();
            times.chain(folder.semantic_jobs.due(ledger)).min()
        });
        if let Some(due) = due {
            let wait = due.saturating_sub(now).clamp(1_000, 3_600_000);
            self.ask_tick(u32::try_from(wait).unwrap_or(u32::MAX));
        }
    }
}

/// Counts the texts that stay true after a change: no model is asked for them.
fn note_spared(folder: &mut ContextState, report: &UpdateReport) {
    let changes = report.changes.iter();
    let spared = changes.filter(|change| {
        let was_cached = change.before == TextState::Cached && change.state == TextState::Cached;
        change.what == TypeFate::Changed && was_cached
    });
    let spared = spared.count() as u32;
    if let Some(ledger) = folder.ledger.as_mut().filter(|_| spared > 0) {
        change_usage(ledger, |usage| {
            usage.spared_calls = usage.spared_calls.saturating_add(spared);
        });
    }
}
