//! Semantic texts and the model as rooms of the session: what is being described, and the requests to the model.

use std::collections::{BTreeMap, BTreeSet};

use codecortex_ledger::Millis;
use codecortex_protocol::{ModelRequest, Room};
use rustc_hash::FxHashMap;

use crate::investigation::Investigation;
use crate::operation::OpState;
use crate::prepared::Prepared;

/// What is being described. Jobs and operations are those of the folders `.context/`, which begin with these.
#[derive(Debug, Default)]
pub struct Semantics {
    /// Jobs whose prompt is with a model, by their numbers.
    pub prepared: FxHashMap<u32, Prepared>,
    /// Investigations of this session, by id.
    pub ops: BTreeMap<String, Investigation>,
    /// Ids of those that ran when a process ended, and are resumed.
    pub resumed: BTreeSet<String>,
    /// Ids of those that are noted as running and are not.
    pub gone_ops: BTreeSet<String>,
}

impl Semantics {
    /// Whether an investigation was cancelled before this step of it.
    pub fn is_cancelled(&self, next: &Investigation) -> bool {
        let known = self.ops.get(&next.operation.op_id);
        known.is_some_and(|known| known.operation.state == OpState::Cancelled)
            && next.operation.state == OpState::Running
            && !next.messages.is_empty()
    }

    /// The number of running investigations.
    pub fn running(&self) -> usize {
        let ops = self.ops.values();
        ops.filter(|op| op.operation.state == OpState::Running)
            .count()
    }

    /// Ids of a root's operations that run now, where `noted` are those that its `state.json` names; and those of them
    /// that another process began.
    pub fn running_of(
        &self,
        root: u32,
        noted: &BTreeSet<String>,
    ) -> (BTreeSet<String>, Vec<String>) {
        let mut now = noted.clone();
        now.retain(|id| !self.ops.contains_key(id) && !self.gone_ops.contains(id));
        let foreign = now.iter().cloned().collect();
        let running = self.ops.iter();
        let running =
            running.filter(|(_, op)| op.root == root && op.operation.state == OpState::Running);
        now.extend(running.map(|(id, _)| id.clone()));
        (now, foreign)
    }
}

impl<Code> Room<Code> for Semantics {}

/// The model, and the requests to it. A request counts on in a new workspace: it is paid.
#[derive(Debug, Default)]
pub struct Models {
    name: Option<String>,
    slots: u32,
    asked: FxHashMap<u32, PendingModelRequest>,
}

/// A request that a model has.
#[derive(Debug)]
pub struct PendingModelRequest {
    /// The job that it belongs to; none for a request of a call.
    pub job: Option<u32>,
    /// The request with its secrets, for the account.
    pub request: ModelRequest,
    /// The time when it was sent, in ms since 1970.
    pub since: Millis,
}

impl Models {
    /// The name of the model; none where there is no model.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The number of types of a root that may be described at a time.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Sets the model; none where there is none any more. It describes at least one type at a time.
    pub fn choose(&mut self, name: Option<String>, slots: u32) {
        self.slots = name.as_ref().map_or(0, |_| slots.max(1));
        self.name = name;
    }

    /// Sends for no more texts, because the model is gone.
    pub fn close(&mut self) {
        self.slots = 0;
    }

    /// Notes a request under the number of its question.
    pub fn note(&mut self, question: u32, pending: PendingModelRequest) {
        self.asked.insert(question, pending);
    }

    /// Takes a request that was answered.
    pub fn take(&mut self, question: u32) -> Option<PendingModelRequest> {
        self.asked.remove(&question)
    }

    /// The question of a job that the model has.
    pub fn question_of(&self, job: u32) -> Option<u32> {
        let mut asked = self.asked.iter();
        asked.find_map(|(id, pending)| (pending.job == Some(job)).then_some(*id))
    }
}

impl<Code> Room<Code> for Models {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;

    fn op(root: u32, question: &str, state: OpState) -> Investigation {
        let mut operation = Operation::new(question, Vec::new());
        operation.state = state;
        Investigation::new(root, operation)
    }

    fn keep(semantics: &mut Semantics, op: Investigation) -> String {
        let id = op.operation.op_id.clone();
        semantics.ops.insert(id.clone(), op);
        id
    }

    #[test]
    fn a_model_describes_one_type_at_a_time_at_least() {
        let mut models = Models::default();
        models.choose(Some("small".to_owned()), 0);
        assert_eq!((models.name(), models.slots()), (Some("small"), 1));
        models.close();
        assert_eq!((models.name(), models.slots()), (Some("small"), 0));
        models.choose(None, 4);
        assert_eq!((models.name(), models.slots()), (None, 0));
    }

    #[test]
    fn a_question_is_found_by_its_job_until_it_is_answered() {
        let mut models = Models::default();
        for (question, job) in [(3, None), (4, Some(9))] {
            let request = ModelRequest {
                purpose: "describe".to_owned(),
                subject: String::new(),
                messages: Vec::new(),
                tools: Vec::new(),
                max_output_tokens: 1,
                attempts: 1,
            };
            models.note(
                question,
                PendingModelRequest {
                    job,
                    request,
                    since: 0,
                },
            );
        }
        assert_eq!(models.question_of(9), Some(4));
        assert!(models.take(4).is_some() && models.take(4).is_none());
        assert_eq!(models.question_of(9), None);
    }

    #[test]
    fn running_operations_are_own_and_noted_ones() {
        let mut semantics = Semantics::default();
        let own = keep(&mut semantics, op(0, "a?", OpState::Running));
        let done = keep(&mut semantics, op(0, "b?", OpState::Done));
        keep(&mut semantics, op(1, "c?", OpState::Running));
        semantics.gone_ops.insert("gone".to_owned());
        let noted = ["gone", "foreign", &done].map(str::to_owned).into();
        let (now, foreign) = semantics.running_of(0, &noted);
        assert_eq!(now, [own, "foreign".to_owned()].into());
        assert_eq!(foreign, ["foreign"]);
        assert_eq!(semantics.running(), 2);
    }

    #[test]
    fn a_step_of_a_cancelled_investigation_is_not_kept_but_a_new_beginning_is() {
        let mut semantics = Semantics::default();
        keep(&mut semantics, op(0, "a?", OpState::Cancelled));
        let mut next = op(0, "a?", OpState::Running);
        assert!(!semantics.is_cancelled(&next), "begun again");
        next.messages.push(codecortex_protocol::ModelMessage::new(
            codecortex_protocol::ModelRole::User,
            "text",
        ));
        assert!(semantics.is_cancelled(&next));
        next.operation.state = OpState::Done;
        assert!(!semantics.is_cancelled(&next));
    }
}
