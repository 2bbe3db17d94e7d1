//! The folder `.context/` of each root, kept up to date while files change (SPEC D3, D17, P3, I5;
//! docs/context-folder.md): how the rooms of folders, of semantic texts, of the window and of unwritten effects work together.
//!
//! `advance` does the next possible step, and the reply to that step calls it again: projects are loaded,
//! the folder's files are read, types are compared, outlines with a new header are fetched, everything is
//! written. Nothing happens before a host sends a `tick`, so a single call pays for none of it.

pub(crate) mod awaited;
pub(crate) mod external_writes;
pub(crate) mod folders;
pub(crate) mod packs;
pub(crate) mod persisted_effects;
pub(crate) mod replay;
pub(crate) mod window;
pub(crate) mod write_awaited;

use codecortex_analysis::asks::Asker;
use codecortex_analysis::manifests::manifest_fetched;
use codecortex_artifacts::{
    ContextFailure, ContextState, FOLDER, FolderPhase, NotWritten, Purpose, has_context,
};
use codecortex_context::window::on_disk::{
    expire_focus, missing_file_texts, missing_texts, window_text,
};
use codecortex_ledger::Millis;
use codecortex_protocol::{CommitOutcome, FetchedFile, Outbox, Phase, Request};

use crate::artifacts::awaited::{
    begin_update, is_awaited, update_conflicted, update_failed, update_written,
};
use crate::artifacts::replay::replay_unwritten;
use crate::artifacts::window::{texts_of_files, texts_of_types, window_is_other};
use crate::semantics::jobs::{begin_jobs, update_jobs};
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

/// What waits for a root cannot be written.
pub(crate) fn fail_unwritten(
    session: &mut Session,
    outbox: &mut Outbox,
    root: u32,
    why: NotWritten,
) {
    if update_failed(session, root, why) {
        session.contexts.reload(&mut session.code, outbox, root);
    }
}

/// The time that was asked for has passed.
pub(crate) fn tick(session: &mut Session, outbox: &mut Outbox, now: Millis) {
    for root in 0..session.contexts.folders.len() as u32 {
        advance(session, outbox, root, now);
        session.contexts.wait_for_deadline(root, now);
    }
}

/// What was asked for is here.
pub(crate) fn fetched(
    session: &mut Session,
    outbox: &mut Outbox,
    id: u32,
    files: &[FetchedFile],
    now: Millis,
) {
    let Some(request) = session.contexts.take_request(id) else {
        return; // of a workspace that is no more
    };
    let (root, paths) = (request.root, &request.paths);
    match request.purpose {
        Purpose::Manifests => {
            for (path, file) in paths.iter().zip(files) {
                manifest_fetched(&mut session.code, root, path, file);
            }
        }
        Purpose::Files => folder_read(session, outbox, root, files, now),
        Purpose::Semantics => texts_of_types(session, root, paths, files),
        Purpose::Lines => texts_of_files(session, root, paths, files),
        Purpose::Written => external_writes::written(session, root, paths, files),
        Purpose::Outlines => {
            session
                .contexts
                .renew_read_outlines(&session.code, root, paths, files);
            commit(session, outbox, root, now);
        }
    }
    if request.purpose == Purpose::Files && !is_awaited(session, root) {
        // Somebody may only have wanted to look; what else there is to do waits for a tick.
        session.contexts.ask_tick(0);
    } else {
        advance(session, outbox, root, now);
    }
    session
        .contexts
        .fetch_noticed(&mut session.code, outbox, root);
    session.signals.raise(Signal::Root(root));
}

/// The files of a folder are here. Effects that the disk does not have are put in again.
fn folder_read(
    session: &mut Session,
    outbox: &mut Outbox,
    root: u32,
    files: &[FetchedFile],
    now: Millis,
) {
    let known = session.contexts.problem_count(root);
    if session.contexts.read_config(&session.code, root) {
        // Another budget is another window.
        window_is_other(session);
    }
    let is_there = files
        .iter()
        .any(|file| file.bytes.is_some() || file.error.is_some());
    let folder = &mut session.contexts.folders[root as usize];
    if let Some(text) = folder.load(files, now) {
        let problem = session.code.load_access(root, &text);
        folder.account.problems.extend(problem);
    }
    session.load_parts(root);
    replay_unwritten(session, root);
    if !is_there && is_awaited(session, root) {
        // It was deleted, and somebody wants something kept in it.
        session.contexts.folders[root as usize].is_wanted = true;
    }
    session
        .contexts
        .notify_problems(&mut session.code, outbox, root, known);
}

/// What was to be written is written, or not.
pub(crate) fn committed(
    session: &mut Session,
    outbox: &mut Outbox,
    id: u32,
    outcome: CommitOutcome,
    now: Millis,
) {
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
            session.code.note_made(root, FOLDER);
            update_written(session, root);
            begin_jobs(session, root);
            session.contexts.wait_for_deadline(root, now);
        }
        CommitOutcome::Conflict if folder.conflicts >= MAX_CONFLICTS => {
            let reason = "Its files are others whenever they are looked at.";
            not_written(session, outbox, root, reason.to_owned(), now);
        }
        CommitOutcome::Conflict => {
            folder.conflicts += 1;
            folder.unload();
            update_conflicted(session, root);
            // It may be that the folder is gone, of which a watcher tells in a moment.
            session.contexts.ask_tick(BUSY_MS);
        }
        CommitOutcome::Busy => {
            folder.failed(ContextFailure::Busy, now + u64::from(BUSY_MS));
            session.contexts.ask_tick(BUSY_MS);
        }
        CommitOutcome::Failed { reason } => not_written(session, outbox, root, reason, now),
    }
    session
        .contexts
        .fetch_noticed(&mut session.code, outbox, root);
}

/// Says that a root's folder could not be written, and tries it again later.
fn not_written(session: &mut Session, outbox: &mut Outbox, root: u32, reason: String, now: Millis) {
    let name = session.code.workspace().roots[root as usize].name.clone();
    session.code.notice(outbox, format!(
        "{name}/.context could not be written: {reason} Answers do not need it; CodeCortex will retry."
    ));
    let folder = &mut session.contexts.folders[root as usize];
    folder.failed(ContextFailure::Disk(reason.clone()), now + RETRY_MS);
    fail_unwritten(session, outbox, root, NotWritten::Disk(reason));
    session.contexts.ask_tick(RETRY_MS as u32);
}

/// Does what can be done now for the folder of a root.
pub(crate) fn advance(session: &mut Session, outbox: &mut Outbox, root: u32, now: Millis) {
    let is_wanted = session.contexts.projects_wanted.contains(&root);
    let cannot_hash = session.code.memory().is_without_bodies();
    if session.code.phase() != Phase::Ready || session.contexts.is_waiting(root) || cannot_hash {
        return; // whoever ends that comes back here
    }
    let keeps = session.contexts.is_kept(&session.code, root);
    if !keeps && !has_context(&session.code, root) {
        // It was deleted; what was in it is made anew when it is there again.
        session.contexts.folders[root as usize] = ContextState::default();
    }
    let needs_projects = keeps || is_wanted;
    if !needs_projects
        || !session
            .contexts
            .has_projects(&mut session.code, outbox, root)
        || !keeps
        || !session.code.is_cache_whole(outbox)
    {
        return;
    }
    let folder = &mut session.contexts.folders[root as usize];
    if folder.step == FolderPhase::Idle && folder.is_mended_perhaps(now) {
        folder.unload();
        folder.retry_at = now + RETRY_MS;
    }
    match folder.step {
        FolderPhase::Unread => session
            .contexts
            .request_folder(&mut session.code, outbox, root),
        FolderPhase::Idle => update_if_due(session, outbox, root, now),
        _ => {}
    }
}

fn update_if_due(session: &mut Session, outbox: &mut Outbox, root: u32, now: Millis) {
    if session.contexts.has_new_config(&session.code, root)
        && session
            .contexts
            .apply_config(&mut session.code, outbox, root)
    {
        window_is_other(session);
    }
    let is_awaited = is_awaited(session, root);
    if !is_awaited && !session.contexts.folders[root as usize].is_due(now) {
        return;
    }
    let missing = missing_texts(&session.sources(), root);
    let (purpose, paths) = match missing.is_empty() {
        true => (Purpose::Lines, missing_lines(session, root)),
        false => {
            let paths = missing.into_iter().map(|(path, _)| path);
            (Purpose::Semantics, paths.collect())
        }
    };
    if paths.is_empty() {
        return update(session, outbox, root, now);
    }
    let code = &mut session.code;
    session.contexts.fetch(code, outbox, root, purpose, paths);
}

/// The files of which `prompt_window.md` shows lines and whose texts are to be read first.
fn missing_lines(session: &Session, root: u32) -> Vec<String> {
    expire_focus(&session.sources());
    let folder = session.contexts.folders.get(root as usize);
    let is_wanted = folder.is_some_and(|folder| folder.wants_window);
    missing_file_texts(&session.sources(), root, is_wanted)
}

/// Tells the ledger what is new, and writes what follows.
fn update(session: &mut Session, outbox: &mut Outbox, root: u32, now: Millis) {
    begin_update(session, root);
    let code = &mut session.code;
    let Some(report) = session.contexts.update_ledger(code, root, now) else {
        return;
    };
    update_jobs(session, outbox, root, now);
    let code = &mut session.code;
    let paths = session.contexts.renew_new_outlines(code, root, report);
    if paths.is_empty() {
        commit(session, outbox, root, now);
    } else {
        session.contexts.folders[root as usize].step = FolderPhase::Outlines;
        session
            .contexts
            .fetch(code, outbox, root, Purpose::Outlines, paths);
    }
}

fn commit(session: &mut Session, outbox: &mut Outbox, root: u32, now: Millis) {
    let folder = &mut session.contexts.folders[root as usize];
    folder.step = FolderPhase::Idle;
    write_window(session, root);
    let folder = &mut session.contexts.folders[root as usize];
    if let Some(reason) = &folder.unreadable {
        let reason = format!("{reason}.");
        return not_written(session, outbox, root, reason, now);
    }
    let access = session.code.access().render(root);
    let Some((expect, changes)) = folder.commit(&access, now) else {
        update_written(session, root);
        return;
    };
    let request = Request::Commit {
        root,
        expect,
        changes,
    };
    let id = session.code.ask(outbox, Asker::Folder, request);
    session.contexts.commits.push((id, root));
}

/// Puts what a root's window is, and what else rooms keep, into what is written next.
fn write_window(session: &mut Session, root: u32) {
    expire_focus(&session.sources());
    session.save_parts(root);
    let folder = &mut session.contexts.folders[root as usize];
    folder.window_changed = false;
    if folder.ledger.is_none() {
        return;
    }
    let is_wanted = folder.wants_window;
    if let Some(text) = window_text(&session.sources(), root, is_wanted) {
        session.contexts.folders[root as usize].write_window(text);
    }
}
