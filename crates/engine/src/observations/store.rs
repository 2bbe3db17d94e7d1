//! Asks the store of a root (SPEC OB1).

use codecortex_memory::{
    BackEnd, InMemory, MemoryError, RecallRequest, Sealed, StoreMatches, find,
};
use codecortex_protocol::{ErrorCode, Failure, MemoryReply, MemoryRequest, Missing, ToolError};

use crate::artifacts::folders::is_context_unread;
use crate::calls::CallContext;
use codecortex_observations::Settings;

/// Where work happens: the branch, and the worktree where it is a linked one.
pub(crate) async fn place(
    cx: &CallContext,
    settings: &Settings,
) -> Result<(Option<String>, Option<String>), ToolError> {
    match ask(cx, settings.root, MemoryRequest::Place).await? {
        MemoryReply::Place { branch, worktree } => Ok((branch, worktree)),
        _ => Ok((None, None)),
    }
}

/// Records observations; their ids, and what did not work beside it.
pub(crate) async fn append(
    cx: &CallContext,
    settings: &Settings,
    records: &[Sealed],
) -> Result<(Vec<u64>, Vec<String>), ToolError> {
    let request = MemoryRequest::Append {
        backend: backend(settings),
        records: records.iter().map(Sealed::to_json).collect(),
    };
    recorded(ask(cx, settings.root, request).await?)
}

/// Takes observations out of all files; the id of what says so.
pub(crate) async fn purge(
    cx: &CallContext,
    settings: &Settings,
    ids: &[u64],
    ts: &str,
) -> Result<(Vec<u64>, Vec<String>), ToolError> {
    let tombstone = Sealed::tombstone(ids, true, ts).map_err(|error| tool_error(&error))?;
    let request = MemoryRequest::Purge {
        backend: backend(settings),
        ids: ids.to_vec(),
        tombstone: tombstone.to_json(),
        ts: ts.to_owned(),
    };
    recorded(ask(cx, settings.root, request).await?)
}

/// What a question finds. Aliases lead from what a symbol was called to what it is called now: [`known_names`] comes
/// before.
pub(crate) async fn recall(
    cx: &CallContext,
    settings: &Settings,
    question: &RecallRequest,
) -> Result<StoreMatches, ToolError> {
    known_names(cx, settings).await?;
    let request = MemoryRequest::Recall {
        backend: backend(settings),
        question: serde_json::to_value(question).unwrap_or_default(),
    };
    match ask(cx, settings.root, request).await? {
        MemoryReply::Found { found } => {
            serde_json::from_value(found).map_err(|error| strange(&error.to_string()))
        }
        // This host does not look into it.
        MemoryReply::Log { bytes, backend } => {
            let source = BackEnd::parse(&backend).map_err(|error| tool_error(&error))?;
            let found = match bytes {
                Some(bytes) => find(&mut InMemory::from_source(source, bytes.0), question),
                None => StoreMatches::nothing(source, question),
            };
            found.map_err(|error| tool_error(&error))
        }
        _ => Err(strange("it is about something else")),
    }
}

/// Waits until it is known what symbols were called before.
pub(crate) async fn known_names(cx: &CallContext, settings: &Settings) -> Result<(), ToolError> {
    let root = settings.root;
    cx.look(|cx| match is_context_unread(cx.session, root) {
        true => Err(Failure::Missing(Missing::Context(root))),
        false => Ok(()),
    })
    .await
}

async fn ask(
    cx: &CallContext,
    root: u32,
    request: MemoryRequest,
) -> Result<MemoryReply, ToolError> {
    match cx.memory(root, request).await? {
        MemoryReply::Failed {
            code,
            message,
            hint,
            retryable,
        } => Err(error(&code, &message, &hint, retryable)),
        reply => Ok(reply),
    }
}

fn recorded(reply: MemoryReply) -> Result<(Vec<u64>, Vec<String>), ToolError> {
    match reply {
        MemoryReply::Recorded { ids, warnings } => Ok((ids, warnings)),
        _ => Err(strange("it is about something else")),
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
