//! The folder `.context/` of each root, kept up to date while files change (SPEC D3, D17, P3, I5;
//! docs/context-folder.md).
//!
//! `advance` does the next possible step, and the reply to that step calls it again: projects are loaded,
//! the folder's files are read, types are compared, outlines with a new header are fetched, everything is
//! written. Nothing happens before a host sends a `tick`, so a single call pays for none of it.

pub(crate) mod external_writes;
pub(crate) mod packs;
pub(crate) mod pending_writes;
pub(crate) mod persisted_effects;
pub(crate) mod replay;
pub(crate) mod schedule;
pub(crate) mod window;
pub(crate) mod window_version;

use std::collections::BTreeSet;
use std::sync::Arc;

use codecortex_analysis::artefacts::dependents::names_changed;
use codecortex_analysis::artefacts::outline::type_outline;
use codecortex_analysis::artefacts::types::{find_type, find_type_unit, types, types_now};
use codecortex_analysis::asks::Asker;
use codecortex_analysis::folder_config::FolderConfig;
use codecortex_analysis::module_hints::name_crates;
use codecortex_analysis::module_hints::take_module_hints;
use codecortex_artifacts::{
    ContextFailure, ContextReport, ContextState, FOLDER, FolderPhase, PendingRequest, Purpose,
};
use codecortex_index::{FileId, HashRules, IndexUnit, UnitLocation};
use codecortex_ledger::files::outline::{Outline, render_outline, with_header};
use codecortex_ledger::{
    Batch, Identity, Millis, OutlineEffect, Project, StaleReason, TextState, TypeFate, TypeNow,
    UpdateReport,
};
use codecortex_protocol::{CommitOutcome, FetchedFile, FileRef, Phase};
use codecortex_resolve::AffectedNames;
use codecortex_syntax::{ItemKind, dialect, language_of_path};

use crate::artifacts::pending_writes::NotWritten;
use crate::artifacts::replay::replay_unwritten;
use crate::artifacts::schedule::{ask_tick, has_context, has_new_config, is_dirty, keeps_context};
use crate::artifacts::window::{load_window, missing_texts, texts_of_types, write_window};
use crate::dismissals::{load_dismissals, write_dismissals};
use crate::semantics::jobs::{begin_jobs, update_jobs};
use crate::semantics::models::change_usage;
use crate::session::Session;
use crate::signals::Signal;

/// Another process writes for a few ms.
const BUSY_MS: u32 = 250;
/// A disk that is full or may not be written is tried again after this many ms, or when something else
/// changes.
const RETRY_MS: u64 = 60_000;
/// Another process writes and is done. Files that are others more often in a row will be so the next time: on a disk
/// that gives them another time whenever it is asked, say.
const MAX_CONFLICTS: u32 = 40;

/// What the last update of a root's folder found. Nothing is left of it afterwards.
pub(crate) fn take_context_report(session: &mut Session, root: u32) -> Option<ContextReport> {
    let folder = session.contexts.folders.get_mut(root as usize)?;
    let failure = folder.failure.clone();
    folder.ledger.as_ref()?;
    Some(ContextReport {
        failure,
        ..std::mem::take(&mut folder.account)
    })
}

/// Why what is new in a root's folder is not on the disk.
#[must_use]
pub(crate) fn context_failure(session: &Session, root: u32) -> Option<&ContextFailure> {
    session
        .contexts
        .folders
        .get(root as usize)?
        .failure
        .as_ref()
}

/// Does what it takes to write what answers wait for: nobody has to send a tick for that.
pub(crate) fn write_awaited(session: &mut Session) {
    let now = session.code.clock.host();
    for root in session.unwritten.expire(now) {
        reload(session, root);
    }
    for root in session.unwritten.awaited_roots() {
        match why_never(session, root) {
            Some(why) => {
                session.unwritten.take(root);
                fail_unwritten(session, root, NotWritten::Disk(why));
            }
            // Another process is given the time that it takes.
            None if is_busy(session, root, now) => {}
            None => advance(session, root, now),
        }
    }
}

/// Whether another process was at a root's folder a moment ago.
fn is_busy(session: &Session, root: u32, now: Millis) -> bool {
    let folder = &session.contexts.folders[root as usize];
    folder.failure == Some(ContextFailure::Busy) && now < folder.retry_at
}

/// Why nothing of a root can be written, however long one waits.
fn why_never(session: &Session, root: u32) -> Option<String> {
    if session.code.memory.is_without_bodies() {
        return Some("the memory limit leaves no room for its contents".to_owned());
    }
    let is_kept = keeps_context(session, root);
    (!is_kept).then(|| "it is not kept up to date any more".to_owned())
}

/// What waits for a root cannot be written: it is as if it had not been asked for.
fn fail_unwritten(session: &mut Session, root: u32, why: NotWritten) {
    if session.unwritten.is_awaited(root) {
        session.unwritten.failed(root, why);
        reload(session, root);
    }
}

/// Goes back to what the disk has.
fn reload(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    folder.unload();
    folder.semantic_jobs.accepted.clear();
    request_context(session, root);
}

/// Reads a root's folder, for a call that waits for it. Nothing is compared or written for that.
pub(crate) fn request_context(session: &mut Session, root: u32) {
    let Some(folder) = session.contexts.folders.get_mut(root as usize) else {
        return;
    };
    if folder.step == FolderPhase::Unread {
        folder.step = FolderPhase::Reading;
        fetch(session, root, Purpose::Files, ContextState::paths());
    }
}

/// The time that was asked for has passed.
pub(crate) fn tick(session: &mut Session, now: Millis) {
    session.contexts.tick_asked = None;
    for root in 0..session.contexts.folders.len() as u32 {
        advance(session, root, now);
        wait_for_deadline(session, root, now);
    }
}

/// What was asked for is here.
pub(crate) fn fetched(session: &mut Session, id: u32, files: &[FetchedFile], now: Millis) {
    let requests = &mut session.contexts.requests;
    let Some(at) = requests.iter().position(|request| request.id == id) else {
        return; // of a workspace that is no more
    };
    let request = requests.swap_remove(at);
    match request.purpose {
        Purpose::Manifests => {
            let projects = &mut session.code.projects[request.root as usize];
            for (path, file) in request.paths.iter().zip(files) {
                projects.fetched(path, file);
            }
        }
        Purpose::Files => {
            let folder = &session.contexts.folders[request.root as usize];
            let known = folder.account.problems.len();
            read_folder_config(session, request.root);
            let folder = &mut session.contexts.folders[request.root as usize];
            let is_there = files
                .iter()
                .any(|file| file.bytes.is_some() || file.error.is_some());
            if let Some(text) = folder.load(files, now) {
                let problem = session.code.access.get_mut().load(request.root, &text);
                let folder = &mut session.contexts.folders[request.root as usize];
                folder.account.problems.extend(problem);
            }
            load_window(session, request.root);
            load_dismissals(session, request.root);
            replay_unwritten(session, request.root);
            if !is_there && session.unwritten.is_awaited(request.root) {
                // It was deleted, and somebody wants something kept in it.
                session.contexts.folders[request.root as usize].is_wanted = true;
            }
            notify_problems(session, request.root, known);
        }
        Purpose::Semantics => texts_of_types(session, request.root, &request.paths, files),
        Purpose::Written => external_writes::written(session, request.root, &request.paths, files),
        Purpose::Outlines => renew_outlines(session, request.root, &request.paths, files, now),
    }
    if request.purpose == Purpose::Files && !session.unwritten.is_awaited(request.root) {
        // Somebody may only have wanted to look; what else there is to do waits for a tick.
        ask_tick(session, 0);
    } else {
        advance(session, request.root, now);
    }
    session.signals.raise(Signal::Root(request.root));
}

/// Takes the folder's settings in.
fn read_folder_config(session: &mut Session, root: u32) {
    let text = session
        .code
        .workspace
        .folder_config(root)
        .map(str::to_owned);
    let personal = session.code.personal_of(root);
    let folder = &mut session.contexts.folders[root as usize];
    let read = match text.as_deref().map(FolderConfig::read) {
        Some(Ok((config, wrong))) => {
            let wrong = wrong.iter();
            let problems = wrong.map(|why| format!("config.json: {why}; the rest of it holds"));
            folder.account.problems.extend(problems);
            config
        }
        Some(Err(why)) => {
            let problem = format!("config.json: {why}; its defaults hold");
            folder.account.problems.push(problem);
            FolderConfig::default()
        }
        None => FolderConfig::default(),
    };
    let (config, ignored) = read.for_person(&personal);
    folder.config = config;
    folder.account.problems.extend(ignored.iter().map(|key| {
        format!("config.json: `{key}` counts only in your own settings (`codecortex settings`)")
    }));
    // Another budget is another window.
    session.context.window.get_mut().revision += u32::from(folder.config_text != text);
    folder.config_text = text;
}

/// Puts changed settings into force: everything is hashed anew by them.
fn apply_config(session: &mut Session, root: u32) {
    let known = session.contexts.folders[root as usize]
        .account
        .problems
        .len();
    read_folder_config(session, root);
    let folder = &mut session.contexts.folders[root as usize];
    let switches = folder.config.switches();
    if let Some(ledger) = folder
        .ledger
        .as_mut()
        .filter(|ledger| *ledger.config() != switches)
    {
        ledger.configure(switches);
    }
    folder.needs_all = true;
    notify_problems(session, root, known);
}

/// Tells people of the problems with a folder's files from this one on.
fn notify_problems(session: &mut Session, root: u32, from: usize) {
    let problems = session.contexts.folders[root as usize].account.problems[from..].to_vec();
    for problem in problems {
        session.code.notice(format!(".context/{problem}."));
    }
}

/// What was to be written is written, or not.
pub(crate) fn committed(session: &mut Session, id: u32, outcome: CommitOutcome, now: Millis) {
    let commits = &mut session.contexts.commits;
    let Some(at) = commits.iter().position(|(commit, _)| *commit == id) else {
        return;
    };
    let (_, root) = commits.swap_remove(at);
    let folder = &mut session.contexts.folders[root as usize];
    match outcome {
        CommitOutcome::Done { stamps } => {
            folder.committed(stamps);
            // It may be new, and no listing shows it yet.
            session.code.workspace.note_made(root, FOLDER);
            session.unwritten.written(root);
            begin_jobs(session, root);
            wait_for_deadline(session, root, now);
        }
        CommitOutcome::Conflict if folder.conflicts >= MAX_CONFLICTS => {
            let reason = "Its files are others whenever they are looked at.";
            not_written(session, root, reason.to_owned(), now);
        }
        CommitOutcome::Conflict => {
            folder.conflicts += 1;
            folder.unload();
            session.unwritten.conflicted(root);
            // It may be that the folder is gone, of which a watcher tells in a moment.
            ask_tick(session, BUSY_MS);
        }
        CommitOutcome::Busy => {
            folder.failed(ContextFailure::Busy, now + u64::from(BUSY_MS));
            ask_tick(session, BUSY_MS);
        }
        CommitOutcome::Failed { reason } => not_written(session, root, reason, now),
    }
}

/// Says that a root's folder could not be written, and tries it again later.
fn not_written(session: &mut Session, root: u32, reason: String, now: Millis) {
    let name = session.code.workspace.roots[root as usize].name.clone();
    session.code.notice(format!(
        "{name}/.context could not be written: {reason} Answers do not need it; CodeCortex will retry."
    ));
    let folder = &mut session.contexts.folders[root as usize];
    folder.failed(ContextFailure::Disk(reason.clone()), now + RETRY_MS);
    fail_unwritten(session, root, NotWritten::Disk(reason));
    ask_tick(session, RETRY_MS as u32);
}

/// Does what can be done now for the folder of a root.
fn advance(session: &mut Session, root: u32, now: Millis) {
    let is_wanted = session.contexts.projects_wanted.contains(&root);
    let cannot_hash = session.code.memory.is_without_bodies();
    if session.code.phase() != Phase::Ready || session.contexts.is_waiting(root) || cannot_hash {
        return; // whoever ends that comes back here
    }
    let keeps = keeps_context(session, root);
    if !keeps && !has_context(session, root) {
        // It was deleted; what was in it is made anew when it is there again.
        session.contexts.folders[root as usize] = ContextState::default();
    }
    let needs_projects = keeps || is_wanted;
    if !needs_projects || !has_projects(session, root) || !keeps || !session.code.is_cache_whole() {
        return;
    }
    let folder = &mut session.contexts.folders[root as usize];
    if folder.step == FolderPhase::Idle && folder.is_mended_perhaps(now) {
        folder.unload();
        folder.retry_at = now + RETRY_MS;
    }
    match folder.step {
        FolderPhase::Unread => {
            folder.step = FolderPhase::Reading;
            fetch(session, root, Purpose::Files, ContextState::paths());
        }
        FolderPhase::Idle => {
            if has_new_config(session, root) {
                apply_config(session, root);
            }
            let is_awaited = session.unwritten.is_awaited(root);
            if is_awaited || session.contexts.folders[root as usize].is_due(now) {
                let missing = missing_texts(session, root);
                if !missing.is_empty() {
                    let paths = missing.into_iter().map(|(path, _)| path);
                    return fetch(session, root, Purpose::Semantics, paths.collect());
                }
                update(session, root, now);
            }
        }
        _ => {}
    }
}

/// Whether the projects of a root are known; asks for what is missing.
fn has_projects(session: &mut Session, root: u32) -> bool {
    loop {
        let projects = &mut session.code.projects[root as usize];
        let missing = projects.take_missing();
        if !missing.is_empty() {
            fetch(session, root, Purpose::Manifests, missing);
            return false;
        }
        let files = session.code.workspace.paths(root);
        if projects.build(files) {
            name_crates(&mut session.code, root);
            return true;
        }
    }
}

/// Asks for the projects of a root. Whether they are known already.
pub(crate) fn request_projects(session: &mut Session, root: u32) -> bool {
    session.contexts.projects_wanted.insert(root);
    !session.contexts.is_waiting(root)
        && session.code.phase() == Phase::Ready
        && has_projects(session, root)
}

fn fetch(session: &mut Session, root: u32, purpose: Purpose, paths: Vec<String>) {
    let files = paths.iter().map(|path| FileRef {
        root,
        path: path.clone(),
    });
    let request = codecortex_protocol::Request::Texts {
        files: files.collect(),
        confined: false,
    };
    let id = session.code.ask(Asker::Folder, request);
    session.contexts.requests.push(PendingRequest {
        id,
        root,
        purpose,
        paths,
    });
}

/// Tells the ledger what is new, and writes what follows.
fn update(session: &mut Session, root: u32, now: Millis) {
    session.unwritten.take(root);
    let projects = projects_of_index(session, root);
    let batch = batch(session, root);
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    ledger.set_projects(projects);
    let is_complete = batch.complete;
    let mut report = ledger.update(batch, now);
    see_dependents(session, root, &mut report, now);
    let folder = &mut session.contexts.folders[root as usize];
    note_spared(folder, &report);
    if is_complete {
        folder.share_identities();
    }
    invalidate_in_ledger(session, root, now);
    update_jobs(session, root, now);
    let folder = &mut session.contexts.folders[root as usize];
    let (new, written) = folder.note(report);
    for id in new {
        match outline_of_id(session, root, &id) {
            Some(outline) => {
                session.contexts.folders[root as usize].write_outline(&id, render_outline(&outline))
            }
            None => session.contexts.folders[root as usize].drop_outline(&id),
        }
    }
    let folder = &mut session.contexts.folders[root as usize];
    let mut paths = folder.expected_texts();
    paths.extend(folder.expect_outlines(written));
    if paths.is_empty() {
        commit(session, root, now);
    } else {
        folder.step = FolderPhase::Outlines;
        fetch(session, root, Purpose::Outlines, paths);
    }
}

/// A text that a change leaves true is one that nobody has to be asked for again.
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

/// Tells the ledger which dependents name what changed of a type they depend on: their texts are stale (SPEC D31).
fn see_dependents(session: &mut Session, root: u32, report: &mut UpdateReport, now: Millis) {
    for dependent in std::mem::take(&mut report.dependents) {
        let reason = match dependent.on.iter().any(|(_, changed)| changed.bases) {
            true => Some(StaleReason::Bases),
            false => {
                let folder = &session.contexts.folders[root as usize];
                let ledger = folder.ledger.as_ref();
                let known = ledger.and_then(|ledger| ledger.get(&dependent.id));
                let symbol =
                    known.and_then(|known| find_type(&session.code, root, &known.identity));
                let names =
                    symbol.is_none_or(|symbol| names_changed(&session.code, symbol, &dependent.on));
                names.then_some(StaleReason::Named)
            }
        };
        let folder = &mut session.contexts.folders[root as usize];
        if let (Some(reason), Some(ledger)) = (reason, &mut folder.ledger) {
            ledger.depend(&dependent.id, reason, report, now);
        }
    }
}

/// What is new to the ledger of a root. Files with unsaved text wait until they are saved.
fn batch(session: &mut Session, root: u32) -> Batch {
    spread_changed_names(session);
    let folder = &mut session.contexts.folders[root as usize];
    let complete = std::mem::take(&mut folder.needs_all);
    let touched = std::mem::take(&mut folder.touched);
    let rules = folder.config.switches().hash_rules();
    let (unsaved, touched): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = touched
        .into_iter()
        .partition(|path| is_dirty(session, root, path));
    let folder = &mut session.contexts.folders[root as usize];
    folder.touched = unsaved;
    let concerned = std::mem::take(&mut folder.concerned);
    let (unsaved, concerned): (BTreeSet<Box<str>>, BTreeSet<Box<str>>) = concerned
        .into_iter()
        .partition(|path| is_dirty(session, root, path));
    session.contexts.folders[root as usize]
        .touched
        .extend(unsaved);
    let mut changed = if complete {
        types(&session.code, root, rules)
    } else {
        let paths = touched.union(&concerned);
        types_in(session, root, paths.map(|path| &**path), rules)
    };
    let removed = if complete {
        session.contexts.folders[root as usize].types_of.clear();
        Vec::new()
    } else {
        let (elsewhere, gone) = not_here_any_more(session, root, &touched, &changed, rules);
        changed.extend(elsewhere);
        gone
    };
    for now in &mut changed {
        now.project_id = project_of(session, root, now);
    }
    let folder = &mut session.contexts.folders[root as usize];
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
        let folder = &mut session.contexts.folders[root as usize];
        folder.needs_all = true;
        folder.touched.extend(touched);
        return batch(session, root);
    }
    Batch {
        changed,
        removed,
        complete,
        rehashed: false,
    }
}

/// Notes in which files names may mean other types than they did.
fn spread_changed_names(session: &mut Session) {
    take_module_hints(&session.code);
    match session.code.take_changed_names() {
        AffectedNames::All => {
            let known = session.contexts.folders.iter_mut();
            known.for_each(|folder| folder.needs_all |= folder.ledger.is_some());
        }
        AffectedNames::In(files) => {
            for file in files {
                let Some(file) = session.code.index.file(FileId(file)) else {
                    continue;
                };
                let folder = session.contexts.folders.get_mut(file.root as usize);
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
    session: &Session,
    root: u32,
    touched: &BTreeSet<Box<str>>,
    now: &[TypeNow],
    rules: HashRules,
) -> (Vec<TypeNow>, Vec<String>) {
    let folder = &session.contexts.folders[root as usize];
    let before = touched.iter().filter_map(|path| folder.types_of.get(path));
    let before: BTreeSet<&Identity> = before.flatten().map(|known| &**known).collect();
    let now: BTreeSet<&Identity> = now.iter().map(|now| &now.identity).collect();
    let (mut elsewhere, mut gone) = (Vec::new(), Vec::new());
    for identity in before.difference(&now) {
        let unit = ItemKind::from_word(&identity.kind).map(|kind| IndexUnit {
            root,
            path: identity.fqn.clone(),
            kind: kind.as_str(),
            arity: identity.arity,
        });
        match unit.and_then(|unit| Some((find_type_unit(&session.code, &unit)?, unit))) {
            Some((symbol, unit)) => elsewhere.push((unit, symbol)),
            None => {
                let ledger = folder.ledger.as_ref();
                gone.extend(ledger.and_then(|ledger| ledger.id_of(identity)));
            }
        }
    }
    let elsewhere = types_now(&session.code, elsewhere, rules);
    (elsewhere, gone.into_iter().map(str::to_owned).collect())
}

fn commit(session: &mut Session, root: u32, now: Millis) {
    let folder = &mut session.contexts.folders[root as usize];
    folder.step = FolderPhase::Idle;
    write_window(session, root);
    write_dismissals(session, root);
    let folder = &mut session.contexts.folders[root as usize];
    if let Some(reason) = &folder.unreadable {
        let reason = format!("{reason}.");
        return not_written(session, root, reason, now);
    }
    let access = session.code.access.borrow().render(root);
    let Some((expect, changes)) = folder.commit(&access, now) else {
        session.unwritten.written(root);
        return;
    };
    let request = codecortex_protocol::Request::Commit {
        root,
        expect,
        changes,
    };
    let id = session.code.ask(Asker::Folder, request);
    session.contexts.commits.push((id, root));
}

/// Outlines that are written and are to say something new, and texts that belong elsewhere now.
fn renew_outlines(
    session: &mut Session,
    root: u32,
    paths: &[String],
    files: &[FetchedFile],
    now: Millis,
) {
    let text = |file: &FetchedFile| {
        let bytes = file.bytes.as_ref()?;
        Some(String::from_utf8_lossy(&bytes.0).into_owned())
    };
    let found = paths.iter().zip(files);
    let found = found.filter_map(|(path, file)| Some((path.as_str(), text(file)?)));
    session.contexts.folders[root as usize].regroup_texts(&found.collect());
    for (path, file) in paths.iter().zip(files) {
        let folder = &mut session.contexts.folders[root as usize];
        let Some((id, body)) = folder.take_outline(path) else {
            continue;
        };
        let written = text(file);
        let outline = outline_of_id(session, root, &id);
        let folder = &mut session.contexts.folders[root as usize];
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
    commit(session, root, now);
}

/// The types that have a part in one of these files, as they are now.
fn types_in<'a>(
    session: &Session,
    root: u32,
    paths: impl Iterator<Item = &'a str>,
    rules: HashRules,
) -> Vec<TypeNow> {
    let mut units: BTreeSet<IndexUnit> = BTreeSet::new();
    for file in paths.filter_map(|path| session.code.index.file_id(root, path)) {
        let here = session.code.index.units_of(file).into_iter();
        units.extend(
            here.filter(|(_, place)| matches!(place, UnitLocation::Type(_)))
                .map(|(unit, _)| unit),
        );
    }
    let found = units.into_iter().filter_map(|unit| {
        // What stands for it may be in another file.
        let symbol = find_type_unit(&session.code, &unit)?;
        Some((unit, symbol))
    });
    types_now(&session.code, found.collect(), rules)
}

fn outline_of_id(session: &Session, root: u32, id: &str) -> Option<Outline> {
    let folder = &session.contexts.folders[root as usize];
    let known = folder.ledger.as_ref()?.get(id)?;
    let symbol = find_type(&session.code, root, &known.identity)?;
    let rules = folder.config.switches().hash_rules();
    let mut outline = type_outline(&session.code, symbol, rules)?;
    // The ledger's may be longer: another type begins with the same letters.
    outline.id = known.id;
    Some(outline)
}

/// The projects of a root as `index.json` has them.
fn projects_of_index(session: &Session, root: u32) -> Vec<Project> {
    let model = session.code.projects[root as usize].model();
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
fn project_of(session: &Session, root: u32, now: &TypeNow) -> String {
    let model = session.code.projects[root as usize].model();
    let file = now.files.first();
    let project = model.zip(file).and_then(|(model, file)| {
        let id = model.project_of(file)?;
        model.get(id)
    });
    project.map_or_else(String::new, |project| project.id.clone())
}

/// Ticks when drift or a merge window ends.
fn wait_for_deadline(session: &mut Session, root: u32, now: Millis) {
    let folder = &session.contexts.folders[root as usize];
    let due = folder.ledger.as_ref().and_then(|ledger| {
        let times = ledger.due().into_iter();
        times.chain(folder.semantic_jobs.due(ledger)).min()
    });
    if let Some(due) = due {
        let wait = due.saturating_sub(now).clamp(1_000, 3_600_000);
        ask_tick(session, u32::try_from(wait).unwrap_or(u32::MAX));
    }
}

/// Tells the ledger of a root which types were invalidated by hand.
pub(crate) fn invalidate_in_ledger(session: &mut Session, root: u32, now: Millis) {
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    for id in std::mem::take(&mut folder.invalid) {
        // A type that is gone has nothing that could be stale.
        let _ = ledger.invalidate(&id, now);
    }
}
