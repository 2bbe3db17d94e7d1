//! The client's model, where the client has one: `sampling/createMessage` (SPEC SE2).
#![expect(
    deprecated,
    reason = "the newest protocol drops sampling; today's clients have no other way"
)]

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::{ModelFailure, ModelOutcome, ModelRequest, ModelRole};
use codecortex_host::ModelClient;
use rmcp::RoleServer;
use rmcp::model::{CreateMessageRequestParams, CreateMessageResult, SamplingMessage};
use rmcp::service::{Peer, ServiceError};
use tokio::runtime::Handle;

/// A person may have to allow each request.
const PATIENCE: Duration = Duration::from_secs(600);
/// How often a wait looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// A client that can be asked.
pub(super) struct Sampling {
    peer: Peer<RoleServer>,
    /// The session's own: messages are sent from there.
    runtime: Handle,
}

impl Sampling {
    /// The model of a client; none where it offers none.
    pub(super) fn from_peer(peer: &Peer<RoleServer>) -> Option<Self> {
        let client = peer.peer_info()?;
        client.capabilities.sampling.as_ref()?;
        Some(Self {
            peer: peer.clone(),
            runtime: Handle::try_current().ok()?,
        })
    }
}

impl ModelClient for Sampling {
    fn name(&self) -> String {
        let client = self.peer.peer_info();
        let name = client.map(|client| client.client_info.name.clone());
        format!("the model of {}", name.as_deref().unwrap_or("the client"))
    }

    fn ask(&self, request: &ModelRequest, is_wanted: &dyn Fn() -> bool) -> ModelOutcome {
        let (sender, inbox) = channel();
        let (peer, params) = (self.peer.clone(), params(request));
        let asking = self.runtime.spawn(async move {
            // Whoever asked may be gone.
            let _ = sender.send(peer.create_message(params).await);
        });
        let until = Instant::now() + PATIENCE;
        loop {
            match inbox.recv_timeout(LOOK) {
                Ok(answer) => return outcome(answer),
                Err(RecvTimeoutError::Timeout) if !is_wanted() => {
                    asking.abort();
                    return ModelOutcome::failed(ModelFailure::Cancelled, "Nobody waits for it.");
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() < until => {}
                Err(RecvTimeoutError::Timeout) => {
                    asking.abort();
                    let message = "The client's model did not answer in time.";
                    return ModelOutcome::failed(ModelFailure::TimedOut, message);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return ModelOutcome::failed(ModelFailure::Absent, "The client has gone.");
                }
            }
        }
    }
}

/// A request as MCP has it. Not every client's model can call tools: what is to be called is asked for in words, as the
/// request itself says.
fn params(request: &ModelRequest) -> CreateMessageRequestParams {
    let (mut system, mut messages): (Vec<&str>, Vec<SamplingMessage>) = (Vec::new(), Vec::new());
    for message in &request.messages {
        match message.role {
            ModelRole::System => system.push(&message.content),
            ModelRole::User | ModelRole::Tool => {
                messages.push(SamplingMessage::user_text(message.content.as_str()));
            }
            ModelRole::Assistant => {
                messages.push(SamplingMessage::assistant_text(message.content.as_str()));
            }
        }
    }
    let tools = request.tools.iter();
    let tools: Vec<String> = tools
        .map(|tool| format!("{}: {} {}", tool.name, tool.description, tool.input_schema))
        .collect();
    let mut system = system.join("\n\n");
    if !tools.is_empty() {
        system.push_str(&format!("\n\nTools:\n{}", tools.join("\n")));
    }
    let mut params = CreateMessageRequestParams::new(messages, request.max_output_tokens);
    params.system_prompt = (!system.is_empty()).then_some(system);
    params.temperature = Some(0.0);
    params
}

fn outcome(answer: Result<CreateMessageResult, ServiceError>) -> ModelOutcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(ServiceError::McpError(error)) => {
            // It is the person there who says no, or a client that cannot after all.
            let message = format!("The client refused: {}", error.message);
            return ModelOutcome::failed(ModelFailure::Refused, message);
        }
        Err(error) => {
            let message = format!("The client's model cannot be asked: {error}.");
            return ModelOutcome::failed(ModelFailure::Unreachable, message);
        }
    };
    let parts = answer.message.content.into_vec();
    let texts = parts.iter().filter_map(|part| part.as_text());
    let texts: Vec<&str> = texts.map(|text| text.text.as_str()).collect();
    match texts.is_empty() {
        true => {
            let message = "The client's model answered without text.";
            ModelOutcome::failed(ModelFailure::Malformed, message)
        }
        false => ModelOutcome::Answered {
            text: texts.join("\n"),
            calls: Vec::new(),
            usage: None,
        },
    }
}
