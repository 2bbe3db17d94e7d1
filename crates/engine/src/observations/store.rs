//! Asks the store of a root, by an effect (SPEC OB1).

use codecortex_memory::{Found, InMemory, MemoryError, RecallRequest, Sealed, Source, find};
use codecortex_protocol::{ErrorCode, Failure, MemoryReply, MemoryRequest, Need, ToolError};

use crate::artifacts::due::is_context_unread;
use crate::invocation::Invocation;
use crate::observations::settings::Settings;

/// Where work happens: the branch, and the worktree where it is a linked one.
pub(crate) fn place(
    cx: &Invocation<'_>,
    settings: &Settings,
) -> Result<(Option<String>, Option<String>), Failure> {
    match ask(cx, settings.root, MemoryRequest::Place)? {
        MemoryReply::Place { branch, worktree } => Ok((branch.clone(), worktree.clone())),
        _ => Ok((None, None)),
    }
}

/// Records observations; their ids, and what did not work beside it.
pub(crate) fn append(
    cx: &Invocation<'_>,
    settings: &Settings,
    records: &[Sealed],
) -> Result<(Vec<u64>, Vec<String>), Failure> {
    let request = MemoryRequest::Append {
        backend: backend(settings),
        records: records.iter().map(Sealed::to_json).collect(),
    };
    recorded(ask(cx, settings.root, request)?)
}

/// Takes observations out of all files; the id of what says so.
pub(crate) fn purge(
    cx: &Invocation<'_>,
    settings: &Settings,
    ids: &[u64],
    ts: &str,
) -> Result<(Vec<u64>, Vec<String>), Failure> {
    let tombstone = Sealed::tombstone(ids, true, ts).map_err(|error| tool_error(&error))?;
    let request = MemoryRequest::Purge {
        backend: backend(settings),
        ids: ids.to_vec(),
        tombstone: tombstone.to_json(),
        ts: ts.to_owned(),
    };
    recorded(ask(cx, settings.root, request)?)
}

/// What a question finds.
pub(crate) fn recall(
    cx: &Invocation<'_>,
    settings: &Settings,
    question: &RecallRequest,
) -> Result<Found, Failure> {
    // Aliases lead from what a symbol was called to what it is called now.
    if is_context_unread(cx.session, settings.root) {
        return Err(Failure::NeedsInput(Need::Context(settings.root)));
    }
    let request = MemoryRequest::Recall {
        backend: backend(settings),
        question: serde_json::to_value(question).unwrap_or_default(),
    };
    match ask(cx, settings.root, request)? {
        MemoryReply::Found { found } => serde_json::from_value(found.clone())
            .map_err(|error| strange(&error.to_string()).into()),
        // This host does not look into it.
        MemoryReply::Log { bytes, backend } => {
            let source = Source::parse(backend).map_err(|error| tool_error(&error))?;
            let found = match bytes {
                Some(bytes) => find(&mut InMemory::of(source, bytes.0.clone()), question),
                None => Found::nothing(source, question),
            };
            found.map_err(|error| tool_error(&error).into())
        }
        _ => Err(strange("it is about something else").into()),
    }
}

fn ask<'a>(
    cx: &Invocation<'a>,
    root: u32,
    request: MemoryRequest,
) -> Result<&'a MemoryReply, Failure> {
    let call = cx.call.id;
    match cx.session.observations.reply(call, root, &request) {
        None => Err(Failure::NeedsInput(Need::Memory(
            call,
            root,
            Box::new(request),
        ))),
        Some(MemoryReply::Failed {
            code,
            message,
            hint,
            retryable,
        }) => Err(error(code, message, hint, *retryable).into()),
        Some(reply) => Ok(reply),
    }
}

fn recorded(reply: &MemoryReply) -> Result<(Vec<u64>, Vec<String>), Failure> {
    match reply {
        MemoryReply::Recorded { ids, warnings } => Ok((ids.clone(), warnings.clone())),
        _ => Err(strange("it is about something else").into()),
    }
}

fn backend(settings: &Settings) -> Option<String> {
    settings.backend.map(|backend| backend.as_str().to_owned())
}

/// A failure of the crate as the envelope has it.
pub(crate) fn tool_error(failure: &MemoryError) -> ToolError {
    error(
        failure.code(),
        &failure.to_string(),
        failure.hint(),
        failure.is_retryable(),
    )
}

fn error(code: &str, message: &str, hint: &str, retryable: bool) -> ToolError {
    let code = match code {
        "InvalidParams" => ErrorCode::InvalidParams,
        "NotFound" => ErrorCode::NotFound,
        "AccessDenied" => ErrorCode::AccessDenied,
        "Busy" => ErrorCode::Busy,
        "Unavailable" => ErrorCode::Unavailable,
        _ => ErrorCode::InternalError,
    };
    let error = ToolError::new(code, message).hint(hint);
    if retryable { error.retryable() } else { error }
}

fn strange(why: &str) -> ToolError {
    ToolError::new(
        ErrorCode::InternalError,
        format!("The store's answer cannot be read: {why}."),
    )
}
