//! The folder `.context/` of each root, kept up to date while files change (SPEC D3, D17, P3, I5;
//! docs/context-folder.md).
//!
//! [`Engine::advance`] does the next step that is possible and is called again by whatever that step
//! waits for: projects have to be known, the folder's files are read, types are compared, outlines that
//! get another header are fetched, everything is written. Nothing happens before a host sends a `tick`:
//! a single call pays for none of it.

pub(crate) mod folder;

use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_analysis::artefacts::outline::type_outline;
use codecortex_analysis::artefacts::types::{find_type, find_type_unit, types, types_now};
use codecortex_analysis::folder_config::FolderConfig;
use codecortex_analysis::module_hints::take_module_hints;
use codecortex_index::{FileId, HashRules, Place, Unit};
use codecortex_ledger::files::outline::{Outline, render_outline, with_header};
use codecortex_ledger::{Batch, Identity, Millis, OutlineEffect, Project, TypeNow};
use codecortex_protocol::paths::absolute_path;
use codecortex_protocol::{CommitOutcome, Effect, FetchedFile, FileRef, Phase};
use codecortex_resolve::AffectedNames;
use codecortex_syntax::{ItemKind, dialect, language_of_path};

use crate::context::folder::{ContextFailure, ContextReport, FOLDER, Folder, Step};
use crate::engine::Engine;

/// Changes are taken in when this many ms have passed. Watchers have waited for more of them already.
const SETTLE_MS: u32 = 50;
/// Another process writes for a few ms.
const BUSY_MS: u32 = 250;
/// A disk that is full or may not be written is tried again after this many ms, or when something else
/// changes.
const RETRY_MS: u64 = 60_000;

/// What a fetch was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Manifests,
    Files,
    Outlines,
    Semantics,
}

/// A request on its way.
#[derive(Debug)]
struct Request {
    id: u32,
    root: u32,
    purpose: Purpose,
    paths: Vec<String>,
}

/// Every root's folder, and the requests on their way.
#[derive(Default)]
pub(crate) struct Contexts {
    pub(crate) folders: Vec<Folder>,
    requests: Vec<Request>,
    /// Commits on their way, by number, with their root.
    commits: Vec<(u32, u32)>,
    /// The earliest tick that was asked for, in ms from then.
    tick_asked: Option<u32>,
    /// Roots of which projects are needed, besides those with a folder.
    projects_wanted: BTreeSet<u32>,
}

impl std::fmt::Debug for Contexts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Contexts").finish_non_exhaustive()
    }
}

impl Contexts {
    /// A workspace of this many roots begins. Answers to what was asked before mean nothing any more.
    pub(crate) fn begin(&mut self, roots: usize) {
        self.folders.clear();
        self.folders.resize_with(roots, Folder::default);
        self.requests.clear();
        self.commits.clear();
        self.projects_wanted.clear();
        self.tick_asked = None;
    }

    /// A file's facts are others now.
    pub(crate) fn touch(&mut self, root: u32, path: &str) {
        if let Some(folder) = self.folders.get_mut(root as usize)
            && folder.ledger.is_some()
            && !folder.touched.contains(path)
        {
            folder.touched.insert(path.into());
        }
    }

    fn is_waiting(&self, root: u32) -> bool {
        self.requests.iter().any(|request| request.root == root)
            || self.commits.iter().any(|(_, of)| *of == root)
    }
}

impl Engine {
    /// A person wants the folder of a root.
    pub(crate) fn keep_context(&mut self, root: u32) {
        let exists = self.has_context(root);
        if let Some(folder) = self.contexts.folders.get_mut(root as usize) {
            folder.is_wanted |= !exists;
            folder.needs_all |= folder.ledger.is_some();
        }
        self.ask_tick(0);
    }

    /// What the last update of a root's folder found. Nothing is left of it afterwards.
    pub fn take_context_report(&mut self, root: u32) -> Option<ContextReport> {
        let folder = self.contexts.folders.get_mut(root as usize)?;
        let failure = folder.failure.clone();
        folder.ledger.as_ref()?;
        Some(ContextReport {
            failure,
            ..std::mem::take(&mut folder.account)
        })
    }

    /// Why what is new in a root's folder is not on the disk.
    #[must_use]
    pub fn context_failure(&self, root: u32) -> Option<&ContextFailure> {
        self.contexts.folders.get(root as usize)?.failure.as_ref()
    }

    /// Reads a root's folder, for a call that waits for it. Nothing is compared or written for that.
    pub(crate) fn want_context(&mut self, root: u32) {
        let Some(folder) = self.contexts.folders.get_mut(root as usize) else {
            return;
        };
        if folder.step == Step::Unread {
            folder.step = Step::Reading;
            self.fetch(root, Purpose::Files, Folder::paths());
        }
    }

    /// Whether the folder of a root is there and was not read yet.
    pub(crate) fn is_context_unread(&self, root: u32) -> bool {
        let folder = self.contexts.folders.get(root as usize);
        self.has_context(root) && folder.is_some_and(|folder| folder.ledger.is_none())
    }

    /// Whether a root has the folder, and it is to be used.
    pub(crate) fn has_context(&self, root: u32) -> bool {
        self.code.config.keep_context && self.code.workspace.has_dir(root, FOLDER)
    }

    fn keeps_context(&self, root: u32) -> bool {
        let folder = self.contexts.folders.get(root as usize);
        folder.is_some_and(|folder| folder.is_wanted) || self.has_context(root)
    }

    /// Asks for a tick, unless an earlier one is on its way.
    pub(crate) fn ask_tick(&mut self, after_ms: u32) {
        if self
            .contexts
            .tick_asked
            .is_none_or(|asked| after_ms < asked)
        {
            self.contexts.tick_asked = Some(after_ms);
            self.code.effects.push(Effect::Tick { after_ms });
        }
    }

    /// Asks for a tick where a folder has something to do.
    pub(crate) fn ask_tick_if_due(&mut self) {
        if self.code.phase() != Phase::Ready || self.code.memory.is_without_bodies() {
            return;
        }
        let is_due = (0..self.contexts.folders.len() as u32).any(|root| {
            let folder = &self.contexts.folders[root as usize];
            let waits = !folder.is_unwritten() || !folder.touched.is_empty();
            self.keeps_context(root)
                && match folder.step {
                    Step::Unread => waits,
                    Step::Idle => {
                        folder.needs_all
                            || !folder.concerned.is_empty()
                            || folder.describers.has_news
                            || folder.window_changed
                            || self.has_new_config(root)
                            || !folder.asked.is_empty()
                            || !folder.invalid.is_empty()
                            || folder.touched.iter().any(|path| !self.is_dirty(root, path))
                    }
                    _ => false,
                }
        });
        if is_due {
            self.ask_tick(SETTLE_MS);
        }
    }

    fn is_dirty(&self, root: u32, path: &str) -> bool {
        let root = self.code.workspace.roots.get(root as usize);
        root.and_then(|root| self.code.documents.get(&absolute_path(root, path)))
            .is_some_and(|document| document.dirty)
    }

    /// The time that was asked for has passed.
    pub(crate) fn tick(&mut self, now: Millis) {
        self.contexts.tick_asked = None;
        for root in 0..self.contexts.folders.len() as u32 {
            self.advance(root, now);
            self.wait_for_deadline(root, now);
        }
    }

    /// What was asked for is here.
    pub(crate) fn fetched(&mut self, id: u32, files: &[FetchedFile], now: Millis) {
        let requests = &mut self.contexts.requests;
        let Some(at) = requests.iter().position(|request| request.id == id) else {
            return; // of a workspace that is no more
        };
        let request = requests.swap_remove(at);
        match request.purpose {
            Purpose::Manifests => {
                let projects = &mut self.code.projects[request.root as usize];
                for (path, file) in request.paths.iter().zip(files) {
                    projects.fetched(path, file);
                }
            }
            Purpose::Files => {
                let folder = &self.contexts.folders[request.root as usize];
                let known = folder.account.problems.len();
                self.read_folder_config(request.root);
                let folder = &mut self.contexts.folders[request.root as usize];
                if let Some(text) = folder.load(files, now) {
                    let problem = self.code.access.get_mut().load(request.root, &text);
                    let folder = &mut self.contexts.folders[request.root as usize];
                    folder.account.problems.extend(problem);
                    self.load_window(request.root);
                }
                self.tell_problems(request.root, known);
            }
            Purpose::Semantics => self.texts_of_types(request.root, &request.paths, files),
            Purpose::Outlines => self.renew_outlines(request.root, &request.paths, files, now),
        }
        if request.purpose == Purpose::Files {
            // Somebody may only have wanted to look; what else there is to do waits for a tick.
            self.ask_tick(0);
        } else {
            self.advance(request.root, now);
        }
        self.answer_those_who_wait_for(request.root);
    }

    /// Takes the folder's settings in.
    fn read_folder_config(&mut self, root: u32) {
        let text = self.code.workspace.folder_config(root).map(str::to_owned);
        let folder = &mut self.contexts.folders[root as usize];
        folder.config = FolderConfig::default();
        match text.as_deref().map(FolderConfig::read) {
            Some(Ok(config)) => folder.config = config,
            Some(Err(why)) => {
                let problem = format!("config.json: {why}; its defaults hold");
                folder.account.problems.push(problem);
            }
            None => {}
        }
        // Another budget is another window.
        self.window.get_mut().revision += u32::from(folder.config_text != text);
        folder.config_text = text;
    }

    /// Whether the folder's settings are others than those in force.
    fn has_new_config(&self, root: u32) -> bool {
        let folder = &self.contexts.folders[root as usize];
        folder.ledger.is_some()
            && folder.config_text.as_deref() != self.code.workspace.folder_config(root)
    }

    /// Puts changed settings into force: everything is hashed anew by them.
    fn apply_config(&mut self, root: u32) {
        let known = self.contexts.folders[root as usize].account.problems.len();
        self.read_folder_config(root);
        let folder = &mut self.contexts.folders[root as usize];
        let switches = folder.config.switches();
        if let Some(ledger) = folder
            .ledger
            .as_mut()
            .filter(|ledger| *ledger.config() != switches)
        {
            ledger.configure(switches);
        }
        folder.needs_all = true;
        self.tell_problems(root, known);
    }

    /// Tells people of the problems with a folder's files from this one on.
    fn tell_problems(&mut self, root: u32, from: usize) {
        let problems = self.contexts.folders[root as usize].account.problems[from..].to_vec();
        for problem in problems {
            self.code.notice(format!(".context/{problem}."));
        }
    }

    /// What was to be written is written, or not.
    pub(crate) fn committed(&mut self, id: u32, outcome: CommitOutcome, now: Millis) {
        let commits = &mut self.contexts.commits;
        let Some(at) = commits.iter().position(|(commit, _)| *commit == id) else {
            return;
        };
        let (_, root) = commits.swap_remove(at);
        let folder = &mut self.contexts.folders[root as usize];
        match outcome {
            CommitOutcome::Done { stamps } => {
                folder.committed(stamps);
                self.begin_jobs(root);
                self.wait_for_deadline(root, now);
            }
            CommitOutcome::Conflict => {
                folder.unload();
                // It may be that the folder is gone, of which a watcher tells in a moment.
                self.ask_tick(BUSY_MS);
            }
            CommitOutcome::Busy => {
                folder.failed(ContextFailure::Busy, now + u64::from(BUSY_MS));
                self.ask_tick(BUSY_MS);
            }
            CommitOutcome::Failed { reason } => {
                folder.failed(ContextFailure::Disk(reason.clone()), now + RETRY_MS);
                let name = self.code.workspace.roots[root as usize].name.clone();
                self.code.notice(format!(
                    "{name}/.context could not be written: {reason} Answers are as good without it; it is tried \
                     again."
                ));
                self.ask_tick(RETRY_MS as u32);
            }
        }
    }

    /// Does what can be done now for the folder of a root.
    fn advance(&mut self, root: u32, now: Millis) {
        let is_wanted = self.contexts.projects_wanted.contains(&root);
        let cannot_hash = self.code.memory.is_without_bodies();
        if self.code.phase() != Phase::Ready || self.contexts.is_waiting(root) || cannot_hash {
            return; // whoever ends that comes back here
        }
        let keeps = self.keeps_context(root);
        if !keeps {
            // It was deleted; what was in it is made anew when it is there again.
            self.contexts.folders[root as usize] = Folder::default();
        }
        let needs_projects = keeps || is_wanted;
        if !needs_projects || !self.has_projects(root) || !keeps || !self.code.is_shelf_whole() {
            return;
        }
        let folder = &mut self.contexts.folders[root as usize];
        match folder.step {
            Step::Unread => {
                folder.step = Step::Reading;
                self.fetch(root, Purpose::Files, Folder::paths());
            }
            Step::Idle => {
                if self.has_new_config(root) {
                    self.apply_config(root);
                }
                if self.contexts.folders[root as usize].is_due(now) {
                    let missing = self.missing_texts(root);
                    if !missing.is_empty() {
                        let paths = missing.into_iter().map(|(path, _)| path);
                        return self.fetch(root, Purpose::Semantics, paths.collect());
                    }
                    self.update(root, now);
                }
            }
            _ => {}
        }
    }

    /// Whether the projects of a root are known; asks for what is missing.
    fn has_projects(&mut self, root: u32) -> bool {
        loop {
            let projects = &mut self.code.projects[root as usize];
            let missing = projects.take_missing();
            if !missing.is_empty() {
                self.fetch(root, Purpose::Manifests, missing);
                return false;
            }
            let files = self.code.workspace.paths(root);
            if projects.build(files) {
                return true;
            }
        }
    }

    /// Asks for the projects of a root. Whether they are known already.
    pub(crate) fn want_projects(&mut self, root: u32) -> bool {
        self.contexts.projects_wanted.insert(root);
        !self.contexts.is_waiting(root)
            && self.code.phase() == Phase::Ready
            && self.has_projects(root)
    }

    fn fetch(&mut self, root: u32, purpose: Purpose, paths: Vec<String>) {
        let id = self.code.next_request();
        let files = paths.iter().map(|path| FileRef {
            root,
            path: path.clone(),
        });
        let files = files.collect();
        self.code.effects.push(Effect::Fetch { id, files });
        self.contexts.requests.push(Request {
            id,
            root,
            purpose,
            paths,
        });
    }

    /// Tells the ledger what is new, and writes what follows.
    fn update(&mut self, root: u32, now: Millis) {
        let projects = self.projects_of_index(root);
        let batch = self.batch(root);
        let folder = &mut self.contexts.folders[root as usize];
        let Some(ledger) = &mut folder.ledger else {
            return;
        };
        ledger.set_projects(projects);
        let is_complete = batch.complete;
        let report = ledger.update(batch, now);
        if is_complete {
            folder.share_identities();
        }
        self.invalidate_in_ledger(root, now);
        self.update_jobs(root, now);
        let folder = &mut self.contexts.folders[root as usize];
        let (new, written) = folder.note(report);
        for id in new {
            match self.outline_of_id(root, &id) {
                Some(outline) => self.contexts.folders[root as usize]
                    .write_outline(&id, render_outline(&outline)),
                None => self.contexts.folders[root as usize].drop_outline(&id),
            }
        }
        if written.is_empty() {
            self.commit(root, now);
        } else {
            let folder = &mut self.contexts.folders[root as usize];
            folder.step = Step::Outlines;
            let paths = folder.expect_outlines(written);
            self.fetch(root, Purpose::Outlines, paths);
        }
    }

    /// What is new to the ledger of a root. Files with unsaved text wait until they are saved.
    fn batch(&mut self, root: u32) -> Batch {
        self.spread_changed_names();
        let folder = &mut self.contexts.folders[root as usize];
        let complete = std::mem::take(&mut folder.needs_all);
        let touched = std::mem::take(&mut folder.touched);
        let rules = folder.config.switches().hash_rules();
        let (unsaved, touched): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = touched
            .into_iter()
            .partition(|path| self.is_dirty(root, path));
        let folder = &mut self.contexts.folders[root as usize];
        folder.touched = unsaved;
        let concerned = std::mem::take(&mut folder.concerned);
        let (unsaved, concerned): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = concerned
            .into_iter()
            .partition(|path| self.is_dirty(root, path));
        self.contexts.folders[root as usize].touched.extend(unsaved);
        let mut changed = if complete {
            types(&self.code, root, rules)
        } else {
            let paths = touched.union(&concerned);
            self.types_in(root, paths.map(|path| &**path), rules)
        };
        let removed = if complete {
            self.contexts.folders[root as usize].types_of.clear();
            Vec::new()
        } else {
            let (elsewhere, gone) = self.not_here_any_more(root, &touched, &changed, rules);
            changed.extend(elsewhere);
            gone
        };
        for now in &mut changed {
            now.project_id = self.project_of(root, now);
        }
        let folder = &mut self.contexts.folders[root as usize];
        for path in &touched {
            folder.types_of.remove(path);
        }
        for now in &changed {
            let known = folder.ledger.as_ref();
            let known = known.and_then(|ledger| ledger.shared_identity(&now.identity));
            let identity = known.unwrap_or_else(|| Arc::new(now.identity.clone()));
            for file in &now.files {
                let types = folder.types_of.entry(file.as_str().into()).or_default();
                if !types.iter().any(|known| **known == now.identity) {
                    types.push(identity.clone());
                }
            }
        }
        // Names that mean another type now, or none: whoever has them depends on something else. Where
        // names are resolved, it is known who that is.
        let is_by_name = |path: &str| {
            language_of_path(path).is_some_and(|language| !dialect(language).is_resolved())
        };
        let names_change = !removed.is_empty()
            || folder.ledger.as_ref().is_some_and(|ledger| {
                let is_new = |now: &TypeNow| ledger.id_of(&now.identity).is_none();
                changed.iter().any(is_new)
            });
        if names_change && !complete && touched.iter().any(|path| is_by_name(path)) {
            let folder = &mut self.contexts.folders[root as usize];
            folder.needs_all = true;
            folder.touched.extend(touched);
            return self.batch(root);
        }
        Batch {
            changed,
            removed,
            complete,
            rehashed: false,
        }
    }

    /// Notes in which files names may mean other types than they did.
    fn spread_changed_names(&mut self) {
        take_module_hints(&self.code);
        match self.code.take_changed_names() {
            AffectedNames::All => {
                let known = self.contexts.folders.iter_mut();
                known.for_each(|folder| folder.needs_all |= folder.ledger.is_some());
            }
            AffectedNames::In(files) => {
                for file in files {
                    let Some(file) = self.code.index.file(FileId(file)) else {
                        continue;
                    };
                    let folder = self.contexts.folders.get_mut(file.root as usize);
                    if let Some(folder) = folder.filter(|folder| folder.ledger.is_some()) {
                        folder.concerned.insert(file.path.clone());
                    }
                }
            }
        }
    }

    /// Types that had a part in these files and have none: those that are written elsewhere too, and the
    /// ids of those that are nowhere.
    fn not_here_any_more(
        &self,
        root: u32,
        touched: &BTreeSet<Box<str>>,
        now: &[TypeNow],
        rules: HashRules,
    ) -> (Vec<TypeNow>, Vec<String>) {
        let folder = &self.contexts.folders[root as usize];
        let before = touched.iter().filter_map(|path| folder.types_of.get(path));
        let before: BTreeSet<&Identity> = before.flatten().map(|known| &**known).collect();
        let now: BTreeSet<&Identity> = now.iter().map(|now| &now.identity).collect();
        let (mut elsewhere, mut gone) = (Vec::new(), Vec::new());
        for identity in before.difference(&now) {
            let unit = ItemKind::from_word(&identity.kind).map(|kind| Unit {
                root,
                path: identity.fqn.clone(),
                kind: kind.as_str(),
                arity: identity.arity,
            });
            match unit.and_then(|unit| Some((find_type_unit(&self.code, &unit)?, unit))) {
                Some((symbol, unit)) => elsewhere.push((unit, symbol)),
                None => {
                    let ledger = folder.ledger.as_ref();
                    gone.extend(ledger.and_then(|ledger| ledger.id_of(identity)));
                }
            }
        }
        let elsewhere = types_now(&self.code, elsewhere, rules);
        (elsewhere, gone.into_iter().map(str::to_owned).collect())
    }

    fn commit(&mut self, root: u32, now: Millis) {
        let folder = &mut self.contexts.folders[root as usize];
        folder.step = Step::Idle;
        self.write_window(root);
        let folder = &mut self.contexts.folders[root as usize];
        let access = self.code.access.borrow().render(root);
        let Some((expect, changes)) = folder.commit(&access, now) else {
            return;
        };
        let id = self.code.next_request();
        self.contexts.commits.push((id, root));
        self.code.effects.push(Effect::Commit {
            id,
            root,
            expect,
            changes,
        });
    }

    /// Outlines that are written and are to say something new.
    fn renew_outlines(&mut self, root: u32, paths: &[String], files: &[FetchedFile], now: Millis) {
        for (path, file) in paths.iter().zip(files) {
            let folder = &mut self.contexts.folders[root as usize];
            let Some((id, body)) = folder.take_outline(path) else {
                continue;
            };
            let written = file.bytes.as_ref();
            let written = written.map(|bytes| String::from_utf8_lossy(&bytes.0).into_owned());
            let outline = self.outline_of_id(root, &id);
            let folder = &mut self.contexts.folders[root as usize];
            match (written, outline) {
                (Some(_), Some(outline)) if body == OutlineEffect::Body => {
                    folder.write_outline(&id, render_outline(&outline));
                }
                (Some(written), Some(outline)) => {
                    folder.write_outline(&id, with_header(&written, &outline));
                }
                _ => folder.drop_outline(&id),
            }
        }
        self.commit(root, now);
    }

    /// The types that have a part in one of these files, as they are now.
    fn types_in<'a>(
        &self,
        root: u32,
        paths: impl Iterator<Item = &'a str>,
        rules: HashRules,
    ) -> Vec<TypeNow> {
        let mut units: BTreeSet<Unit> = BTreeSet::new();
        for file in paths.filter_map(|path| self.code.index.file_id(root, path)) {
            let here = self.code.index.units_of(file).into_iter();
            units.extend(
                here.filter(|(_, place)| matches!(place, Place::Type(_)))
                    .map(|(unit, _)| unit),
            );
        }
        let found = units.into_iter().filter_map(|unit| {
            // What stands for it may be in another file.
            let symbol = find_type_unit(&self.code, &unit)?;
            Some((unit, symbol))
        });
        types_now(&self.code, found.collect(), rules)
    }

    fn outline_of_id(&self, root: u32, id: &str) -> Option<Outline> {
        let folder = &self.contexts.folders[root as usize];
        let known = folder.ledger.as_ref()?.get(id)?;
        let symbol = find_type(&self.code, root, &known.identity)?;
        let rules = folder.config.switches().hash_rules();
        let mut outline = type_outline(&self.code, symbol, rules)?;
        // The ledger's may be longer: another type begins with the same letters.
        outline.id = known.id;
        Some(outline)
    }

    /// The projects of a root as `index.json` has them.
    fn projects_of_index(&self, root: u32) -> Vec<Project> {
        let model = self.code.projects[root as usize].model();
        let all = model.map_or(&[][..], |model| model.all());
        let of_index = |project: &codecortex_project::Project| Project {
            id: project.id.clone(),
            name: project.name.clone(),
            path: project.path.clone(),
            tfm: project.tfm.clone(),
            hash: project.hash.clone(),
            ..Project::default()
        };
        all.iter().map(of_index).collect()
    }

    /// The project of a type: that of its first file.
    fn project_of(&self, root: u32, now: &TypeNow) -> String {
        let model = self.code.projects[root as usize].model();
        let file = now.files.first();
        let project = model.zip(file).and_then(|(model, file)| {
            let id = model.of(file)?;
            model.get(id)
        });
        project.map_or_else(String::new, |project| project.id.clone())
    }

    /// Ticks when drift or a merge window ends.
    fn wait_for_deadline(&mut self, root: u32, now: Millis) {
        let folder = &self.contexts.folders[root as usize];
        let due = folder.ledger.as_ref().and_then(|ledger| {
            let times = ledger.due().into_iter();
            times.chain(folder.describers.due(ledger)).min()
        });
        if let Some(due) = due {
            let wait = due.saturating_sub(now).clamp(1_000, 3_600_000);
            self.ask_tick(u32::try_from(wait).unwrap_or(u32::MAX));
        }
    }
}
