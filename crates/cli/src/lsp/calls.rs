//! Calls of tools for a request, which the editor may give up.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::rc::Rc;

use codecortex_engine::protocol::{Answer, Caller, CallerKind};
use codecortex_host::CallHandle;
use codecortex_lsp::{ToolFailure, Tools};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::workspace::Workspace;

/// A person's editor: nothing is booked, and ranges are exact.
const CALLER: Caller = Caller {
    kind: CallerKind::Editor,
    max_bytes: None,
    max_tokens: None,
    providers: false,
};
/// Longer files are not read for the sake of a position (bytes).
const MAX_READ: u64 = 16 << 20;

/// Whether a request was given up, and the call that it waits for. Clones are of the same request.
#[derive(Clone, Default)]
pub(super) struct Cancellation(Rc<Waiting>);

#[derive(Default)]
struct Waiting {
    is_given_up: Cell<bool>,
    call: RefCell<Option<CallHandle>>,
}

impl Cancellation {
    /// Gives the request up.
    pub(super) fn cancel(&self) {
        self.0.is_given_up.set(true);
        if let Some(call) = &*self.0.call.borrow() {
            call.cancel();
        }
    }
}

/// Calls of tools for one request.
pub(super) struct Calls {
    pub(super) workspace: Workspace,
    pub(super) cancellation: Cancellation,
}

impl Tools for Calls {
    async fn call(&self, tool: &str, mut args: Value) -> Result<Value, ToolFailure> {
        let waiting = &self.cancellation.0;
        if waiting.is_given_up.get() {
            return Err(ToolFailure::Cancelled);
        }
        args["format"] = "json".into();
        let (sender, answer) = oneshot::channel();
        let handle = (self.workspace.service).call(tool, args, CALLER, move |answer: Answer| {
            // The request may have been given up.
            let _ = sender.send(answer);
        });
        waiting.call.replace(Some(handle));
        let answer = answer.await;
        waiting.call.replace(None);
        match answer {
            Ok(answer) => read(answer.json.as_deref().unwrap_or_default()),
            Err(_) if waiting.is_given_up.get() => Err(ToolFailure::Cancelled),
            Err(_) => Err(internal("The engine has ended.")),
        }
    }

    fn text(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let is_short = std::fs::metadata(path).ok()?.len() <= MAX_READ;
        let bytes = is_short.then(|| std::fs::read(path).ok()).flatten()?;
        let decoded = codecortex_text::decode(&bytes).ok()?;
        Some(decoded.text.into_owned())
    }
}

/// The data of an envelope, or its error.
fn read(envelope: &str) -> Result<Value, ToolFailure> {
    let Ok(mut envelope) = serde_json::from_str::<Value>(envelope) else {
        return Err(internal("The engine gave no answer that can be read."));
    };
    if envelope["ok"] == true {
        return Ok(envelope["data"].take());
    }
    let error = envelope["error"].take();
    Err(match error["code"] == "Cancelled" {
        true => ToolFailure::Cancelled,
        false => ToolFailure::Error(error),
    })
}

fn internal(message: &str) -> ToolFailure {
    ToolFailure::Error(json!({ "code": "InternalError", "message": message }))
}
