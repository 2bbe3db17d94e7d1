//! Asks the client's person whether a planned edit is to be made: `elicitation/create` (SPEC D28).

use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientResult, ElicitRequest, ElicitRequestParams, ElicitationAction, ElicitationSchema,
    ServerRequest,
};
use rmcp::service::Peer;

/// A person may take their time to read a plan.
const PATIENCE: Duration = Duration::from_secs(600);
/// Characters of a plan that a person is shown; the rest is in the answer.
const MAX_SHOWN: usize = 6_000;

/// What a person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    Given,
    Refused,
    /// Nobody answered.
    Unknown,
}

/// Whether a client can ask its person by a form.
pub(super) fn can_ask(peer: &Peer<RoleServer>) -> bool {
    let client = peer.peer_info();
    let offers = client.and_then(|client| client.capabilities.elicitation.clone());
    // A client that names neither form nor address has forms.
    offers.is_some_and(|offers| offers.form.is_some() || offers.url.is_none())
}

/// Shows a plan and asks whether it is to be applied.
pub(super) async fn ask(peer: &Peer<RoleServer>, plan: &str) -> Agreement {
    let shown: String = plan.chars().take(MAX_SHOWN).collect();
    let cut = if shown.len() < plan.len() {
        "\n…"
    } else {
        ""
    };
    let Ok(schema) = ElicitationSchema::builder().build() else {
        return Agreement::Unknown;
    };
    let params = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: format!("Apply this edit?\n\n{shown}{cut}"),
        requested_schema: schema,
    };
    let request = ServerRequest::ElicitRequest(ElicitRequest::new(params));
    match tokio::time::timeout(PATIENCE, peer.send_request(request)).await {
        Ok(Ok(ClientResult::ElicitResult(result))) => match result.action {
            ElicitationAction::Accept => Agreement::Given,
            // It was declined or the question was closed.
            _ => Agreement::Refused,
        },
        _ => Agreement::Unknown,
    }
}
