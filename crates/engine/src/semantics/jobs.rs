//! Gives jobs to the model and takes in what became of them (SPEC I3, I4, SE3).
//!
//! A job is a call of the engine's own: it waits for the texts that its prompt is made of like any other, then the
//! model is asked, and the answer is validated and written with the next update of the folder.

use codecortex_analysis::asks::Asker;
use codecortex_ledger::{Ledger, Millis, TextState};
use codecortex_protocol::{ModelFailure, ModelOutcome, Outbox};
use codecortex_semantics::{
    Accepted, JobOutcome, Prepared, TextFile, Usage, Worker, change_usage, quota, usage_of,
};
use serde_json::json;

use crate::artifacts::awaited::refuse_text;
use crate::artifacts::folders::want_folder;
use crate::artifacts::window::forget_texts;
use crate::semantics::models::{self, ask, no_model};
use crate::semantics::operations::{keep_prepared, resume_ops, take_prepared};
use crate::session::{InternalCall, Session};

/// What a call of a job is called. It is no tool: nobody outside can call it.
pub(crate) const JOB: &str = "(describe)";

/// The key of `state.json` with the process that describes types.
const WORKER: &str = "describing";

/// A model is there, or is no longer.
pub(crate) fn set_model(session: &mut Session, name: Option<String>, slots: u32) {
    models::choose(session, name, slots);
    for folder in &mut session.contexts.folders {
        folder.semantic_jobs.refused = None;
        folder.semantic_jobs.has_news = true;
    }
}

/// Somebody wants types described, or no longer. By hand, what was refused is tried again.
pub(crate) fn request_descriptions(
    session: &mut Session,
    root: u32,
    types: Vec<String>,
    is_wanted: bool,
) {
    if is_wanted {
        want_folder(session, root);
    }
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        let wishes = types.into_iter().map(|id| (id, is_wanted));
        folder.semantic_jobs.wishes.extend(wishes);
        folder.semantic_jobs.refused = None;
        folder.semantic_jobs.has_news = true;
    }
}

/// The file with the text about a type is gone: the ledger hears of it with the next update.
pub(crate) fn lose_text(session: &mut Session, root: u32, id: String) {
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.semantic_jobs.lost.push(id);
        folder.semantic_jobs.has_news = true;
    }
}

/// Somebody brought a text.
pub(crate) fn accept_text(session: &mut Session, root: u32, accepted: Accepted) {
    want_folder(session, root);
    if let Some(folder) = session.contexts.folders.get_mut(root as usize) {
        folder.semantic_jobs.accepted.push(accepted);
        folder.semantic_jobs.has_news = true;
    }
}

/// With an update of a root's ledger: tells it what became of jobs, and takes new ones from it.
pub(crate) fn update_jobs(session: &mut Session, outbox: &mut Outbox, root: u32, now: Millis) {
    let slots = models::slots(session);
    let folder = &mut session.contexts.folders[root as usize];
    let Some(ledger) = &mut folder.ledger else {
        return;
    };
    let told = folder.semantic_jobs.tell(ledger, now);
    folder.semantic_jobs.slots = slots;
    let (used, quota) = (usage_of(ledger), quota(&folder.config.model));
    let refusal = |open: u32| used.refusal(&quota, open, 1, now);
    let noted = ledger.foreign_state().get(WORKER).cloned();
    // What is none of that form is of nobody.
    let noted: Option<Worker> = noted.and_then(|noted| serde_json::from_value(noted).ok());
    let is_elsewhere = folder.semantic_jobs.is_elsewhere(ledger, noted, now);
    folder
        .semantic_jobs
        .take(ledger, now, is_elsewhere, refusal, || {
            session.code.next_request()
        });
    if !is_elsewhere {
        note_worker(ledger, noted, folder.semantic_jobs.note_worker(now));
    }
    for TextFile { path, text } in &told.files {
        folder.write_text(path, text.clone());
    }
    for (id, why) in &told.refused {
        if !refuse_text(session, root, id, why) {
            let problem = format!("a text that was handed in is not taken: {why}");
            let folder = &mut session.contexts.folders[root as usize];
            folder.account.problems.push(problem);
        }
    }
    resume_ops(session, root);
    if !told.files.is_empty() {
        forget_texts(session, root);
    }
    for job in told.void {
        drop(take_prepared(session, job));
        models::withdraw(session, outbox, job);
    }
}

/// Notes which process describes types of a root, where that is another thing than what is noted.
fn note_worker(ledger: &mut Ledger, noted: Option<Worker>, own: Option<Worker>) {
    if own == noted {
        return;
    }
    let state = ledger.foreign_state_mut();
    match own {
        Some(own) => drop(state.insert(WORKER.to_owned(), json!(own))),
        None => drop(state.remove(WORKER)),
    }
}

/// What was taken from the ledger is on the disk: the jobs begin.
pub(crate) fn begin_jobs(session: &mut Session, root: u32) {
    let folder = &mut session.contexts.folders[root as usize];
    for job in folder.semantic_jobs.written() {
        session.internal.push_back(InternalCall {
            id: job,
            name: JOB,
            args: json!({ "root": root, "job": job }),
        });
    }
}

/// The prompt of a job is there, or cannot be made.
pub(crate) fn prepared(
    session: &mut Session,
    outbox: &mut Outbox,
    job: u32,
    prepared: Result<Box<Prepared>, String>,
) {
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(why) => return end(session, job, JobOutcome::Failed(why, 0)),
    };
    if prepared.is_current {
        return end(session, job, JobOutcome::Done(Vec::new()));
    }
    if session.model_name().is_none() {
        return answered(session, job, no_model());
    }
    let request = prepared.request.clone();
    keep_prepared(session, job, *prepared);
    let _ = ask(session, outbox, Asker::Job(job), request);
}

/// The model answered to a job, or failed.
pub(crate) fn answered(session: &mut Session, job: u32, outcome: ModelOutcome) {
    let Some(prepared) = take_prepared(session, job) else {
        let failed = failed_with(session, job, outcome);
        return end(session, job, failed);
    };
    let outcome = match outcome {
        ModelOutcome::Answered { text, .. } => match prepared.take(&text, true) {
            Ok(taken) => {
                let (is_unchanged, spared) = (taken.is_unchanged, prepared.prompt.spared_tokens);
                let redacted = taken.redacted;
                note(session, prepared.root, |usage| {
                    usage.unchanged = usage.unchanged.saturating_add(u32::from(is_unchanged));
                    usage.spared_tokens = usage.spared_tokens.saturating_add(spared);
                    usage.redacted = usage.redacted.saturating_add(redacted);
                });
                JobOutcome::Done(taken.files)
            }
            Err(problem) => {
                note(session, prepared.root, |usage| {
                    usage.failures = usage.failures.saturating_add(1);
                });
                JobOutcome::Failed(problem.to_string(), 0)
            }
        },
        failed @ ModelOutcome::Failed { .. } => failed_with(session, job, failed),
    };
    end(session, job, outcome);
}

/// A failure that does not pass by itself ends the giving out of jobs until somebody does something.
fn failed_with(session: &mut Session, job: u32, outcome: ModelOutcome) -> JobOutcome {
    let ModelOutcome::Failed {
        failure,
        message,
        retry_after_ms,
    } = outcome
    else {
        return JobOutcome::Failed("no call waits for this answer".to_owned(), 0);
    };
    if !failure.may_pass() {
        for folder in &mut session.contexts.folders {
            if folder.semantic_jobs.running(job).is_some() {
                folder.semantic_jobs.refused = Some(message.clone());
            }
        }
        if failure == ModelFailure::Absent {
            models::close(session);
        }
    }
    JobOutcome::Failed(message, Millis::from(retry_after_ms.unwrap_or(0)))
}

/// Writes something into the account of a root.
fn note(session: &mut Session, root: u32, change: impl FnOnce(&mut Usage)) {
    let folder = session.contexts.folders.get_mut(root as usize);
    if let Some(ledger) = folder.and_then(|folder| folder.ledger.as_mut()) {
        change_usage(ledger, change);
    }
}

fn end(session: &mut Session, job: u32, outcome: JobOutcome) {
    for folder in &mut session.contexts.folders {
        if folder.semantic_jobs.running(job).is_some() {
            folder.semantic_jobs.end(job, outcome);
            break;
        }
    }
    // What was paid for is on the disk as soon as may be.
    session.contexts.ask_tick(0);
}

/// How many texts are being made, or wait for it and nothing speaks against it.
pub(crate) fn in_the_making(session: &Session) -> usize {
    let folders = session.contexts.folders.iter();
    let counts = folders.map(|folder| {
        let semantic_jobs = &folder.semantic_jobs;
        let waiting = folder.ledger.as_ref().map_or(0, Ledger::waiting_count);
        let could = match (semantic_jobs.held(), session.model_name()) {
            (None, Some(_)) => waiting + semantic_jobs.wishes.len(),
            _ => 0,
        };
        semantic_jobs.given.len() + could
    });
    counts.sum()
}

/// How many texts wait that no more are given out for, with why: a quota, or a key that was refused.
pub(crate) fn held(session: &Session) -> Option<(usize, String)> {
    let mut folders = session.contexts.folders.iter();
    folders.find_map(|folder| {
        let why = folder.semantic_jobs.held()?;
        let waiting = folder.ledger.as_ref().map_or(0, Ledger::waiting_count);
        (waiting > 0).then(|| (waiting, why.clone()))
    })
}

/// How many types another process is at, or was when it ended: what it was at is given out again when its time is over.
pub(crate) fn elsewhere(session: &Session) -> usize {
    let folders = session.contexts.folders.iter();
    let counts = folders.map(|folder| {
        let own = folder.semantic_jobs.given.iter();
        let own: usize = own.map(|given| given.job.types.len()).sum();
        let all = folder.ledger.as_ref();
        let all = all.map_or(0, |ledger| ledger.in_state(TextState::Generating).count());
        all.saturating_sub(own)
    });
    counts.sum()
}

/// Types whose texts wait after an attempt that failed, with why it did.
pub(crate) fn failed(session: &Session) -> Vec<(String, String)> {
    let ledgers = session.contexts.folders.iter();
    let ledgers = ledgers.filter_map(|folder| folder.ledger.as_ref());
    let waiting = ledgers.flat_map(|ledger| {
        let waiting = ledger.in_state(TextState::Pending);
        waiting.filter_map(|(id, path)| Some((path.to_owned(), ledger.get(id)?.last_error?)))
    });
    let mut failed: Vec<(String, String)> = waiting.collect();
    failed.sort_unstable();
    failed
}
