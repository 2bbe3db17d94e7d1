//! Asks the client's person whether a planned edit is to be made (SPEC D28): by `elicitation/create` in protocols with a
//! handshake, by an `input_required` result in the newest one.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, RequestMetaObject, ServerRequest,
};
use rmcp::service::Peer;
use serde_json::Value;

/// A person may take their time to read a plan.
const PATIENCE: Duration = Duration::from_secs(600);
/// Characters of a plan that a person is shown; the rest is in the answer.
const MAX_SHOWN: usize = 6_000;
/// Plans that wait for a person at a time; the oldest is forgotten.
const MAX_WAITING: usize = 32;
/// The name of the question in an `input_required` result.
const QUESTION: &str = "apply";

/// What a person said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    Given,
    Refused,
    /// Nobody answered.
    Unknown,
}

/// How a client's person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayToAsk {
    /// By a request of ours, while the call waits.
    Request,
    /// By the call's result: the client makes the call again with the answer.
    Result,
}

/// Whether a request is of a protocol without a handshake: it says itself what its client can do.
pub(super) fn is_newest(meta: &RequestMetaObject) -> bool {
    let version = meta.protocol_version();
    version.is_some_and(|version| !version.has_initialize())
}

/// How a client's person can be asked by a form; `None` where nobody can.
pub(super) fn way_to_ask(peer: &Peer<RoleServer>, meta: &RequestMetaObject) -> Option<WayToAsk> {
    if is_newest(meta) {
        let client = meta.client_capabilities();
        return client
            .is_some_and(|client| has_forms(&client))
            .then_some(WayToAsk::Result);
    }
    let client = peer.peer_info();
    let has_forms = client.is_some_and(|client| has_forms(&client.capabilities));
    has_forms.then_some(WayToAsk::Request)
}

fn has_forms(client: &ClientCapabilities) -> bool {
    // A client that names neither form nor address has forms.
    let offers = client.elicitation.as_ref();
    offers.is_some_and(|offers| offers.form.is_some() || offers.url.is_none())
}

/// Shows a plan and asks whether it is to be applied.
pub(super) async fn ask(peer: &Peer<RoleServer>, plan: &str) -> Agreement {
    let Some(question) = question(plan) else {
        return Agreement::Unknown;
    };
    let request = ServerRequest::ElicitRequest(question);
    match tokio::time::timeout(PATIENCE, peer.send_request(request)).await {
        Ok(Ok(ClientResult::ElicitResult(result))) => said(&result),
        _ => Agreement::Unknown,
    }
}

fn said(result: &ElicitResult) -> Agreement {
    match result.action {
        ElicitationAction::Accept => Agreement::Given,
        // It was declined or the question was closed.
        _ => Agreement::Refused,
    }
}

fn question(plan: &str) -> Option<ElicitRequest> {
    let shown: String = plan.chars().take(MAX_SHOWN).collect();
    let cut = if shown.len() < plan.len() {
        "\n…"
    } else {
        ""
    };
    Some(ElicitRequest::new(
        ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: format!("Apply this edit?\n\n{shown}{cut}"),
            requested_schema: ElicitationSchema::builder().build().ok()?,
        },
    ))
}

/// A plan that waits for a person: what applies it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WaitingPlan {
    /// The tool that is called.
    pub(super) tool: String,
    /// The arguments that apply the plan.
    pub(super) args: Value,
}

/// Plans that wait for a person between two calls of a client. A client gets a handle, never what it stands for.
#[derive(Clone, Debug, Default)]
pub(super) struct WaitingPlans(Arc<Mutex<WaitingList>>);

#[derive(Debug, Default)]
struct WaitingList {
    given: u64,
    plans: VecDeque<(String, WaitingPlan)>,
}

impl WaitingPlans {
    /// The result that asks a person about a plan; `None` where the question cannot be put.
    pub(super) fn ask(&self, shown: &str, plan: WaitingPlan) -> Option<InputRequiredResult> {
        let question = question(shown)?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.given += 1;
        let handle = format!("plan-{}", waiting.given);
        waiting.plans.push_back((handle.clone(), plan));
        if waiting.plans.len() > MAX_WAITING {
            waiting.plans.pop_front();
        }
        let requests =
            InputRequests::from([(QUESTION.to_owned(), InputRequest::Elicitation(question))]);
        Some(InputRequiredResult::new(Some(requests), Some(handle)))
    }

    /// The plan of a handle and what the person said; once. `None` for a handle that was not given, or was used.
    pub(super) fn take(
        &self,
        handle: &str,
        responses: Option<&InputResponses>,
    ) -> Option<(WaitingPlan, Agreement)> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = waiting
            .plans
            .iter()
            .position(|(known, _)| known == handle)?;
        let (_, plan) = waiting.plans.remove(at)?;
        let response = responses.and_then(|responses| responses.get(QUESTION));
        let result = response.and_then(|response| serde_json::from_value(response.clone()).ok());
        Some((plan, result.as_ref().map_or(Agreement::Unknown, said)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(id: u32) -> WaitingPlan {
        WaitingPlan {
            tool: "codecortex_refactor".to_owned(),
            args: json!({ "planId": id }),
        }
    }

    fn handle(plans: &WaitingPlans, id: u32) -> String {
        plans.ask("diff", plan(id)).unwrap().request_state.unwrap()
    }

    #[test]
    fn a_plan_is_taken_once_with_what_a_person_said() {
        let plans = WaitingPlans::default();
        for (action, agreement) in [
            (
                json!({ "action": "accept", "content": {} }),
                Agreement::Given,
            ),
            (json!({ "action": "decline" }), Agreement::Refused),
            (json!({ "action": "cancel" }), Agreement::Refused),
            (json!("yes"), Agreement::Unknown),
        ] {
            let given = handle(&plans, 1);
            let responses = InputResponses::from([(QUESTION.to_owned(), action)]);
            assert_eq!(
                plans.take(&given, Some(&responses)),
                Some((plan(1), agreement))
            );
            assert_eq!(plans.take(&given, Some(&responses)), None);
        }
        let given = handle(&plans, 2);
        assert_eq!(plans.take("plan-99", None), None);
        assert_eq!(
            plans.take(&given, None),
            Some((plan(2), Agreement::Unknown))
        );
    }

    #[test]
    fn old_plans_are_forgotten() {
        let plans = WaitingPlans::default();
        let first = handle(&plans, 0);
        let later: Vec<String> = (1..=MAX_WAITING as u32)
            .map(|id| handle(&plans, id))
            .collect();
        assert_eq!(plans.take(&first, None), None);
        assert!(plans.take(&later[MAX_WAITING - 1], None).is_some());
    }
}
