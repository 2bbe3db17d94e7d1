//! Requests that are not answered yet. The server knows each by a number of ours, so that two of one id get an answer each,
//! and an id may be a number that the protocol's library cannot hold; answers to a batch are kept until all are there.

use std::collections::HashMap;

use rmcp::model::{ErrorCode, ErrorData, RequestId, ServerResult};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::judge::Refusal;
use super::scan::Id;

/// The number of a batch.
pub(super) type BatchNo = u64;

/// Requests and batches on their way.
#[derive(Default)]
pub(super) struct InFlight {
    last: i64,
    last_batch: BatchNo,
    requests: HashMap<i64, RequestOrigin>,
    batches: HashMap<BatchNo, Batch>,
}

/// Where a request comes from.
struct RequestOrigin {
    id: Id,
    batch: Option<BatchNo>,
    is_initialize: bool,
}

/// A batch whose answers are not all there.
struct Batch {
    /// How many are missing.
    missing: usize,
    answers: Vec<String>,
}

/// What an answer says.
#[derive(Clone, Copy)]
pub(super) enum ResponseOutcome<'a> {
    Result(&'a ServerResult),
    Error(&'a ErrorData),
}

/// An answer, and what it was to.
pub(super) struct Answered {
    /// What can be written now: the answer, or all of its batch.
    pub(super) line: Option<String>,
    /// Whether it is the answer to `initialize`.
    pub(super) is_initialize: bool,
}

impl InFlight {
    /// Takes note of a request; the number by which the server knows it.
    pub(super) fn add(&mut self, id: Id, batch: Option<BatchNo>, is_initialize: bool) -> RequestId {
        self.last += 1;
        let origin = RequestOrigin {
            id,
            batch,
            is_initialize,
        };
        self.requests.insert(self.last, origin);
        RequestId::Number(self.last)
    }

    /// Takes note of a batch that so many answers are owed to.
    pub(super) fn add_batch(&mut self, missing: usize) -> BatchNo {
        self.last_batch += 1;
        let answers = Vec::new();
        self.batches
            .insert(self.last_batch, Batch { missing, answers });
        self.last_batch
    }

    /// Whether every request has its answer.
    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// The answer to a request under the id that the client gave; none where no call waits for it any more.
    pub(super) fn answer(
        &mut self,
        number: &RequestId,
        outcome: ResponseOutcome<'_>,
    ) -> Option<Answered> {
        let RequestId::Number(number) = number else {
            return None;
        };
        let origin = self.requests.remove(number)?;
        let line = written(Some(&origin.id), outcome);
        Some(Answered {
            line: self.deliver(origin.batch, Some(line)),
            is_initialize: origin.is_initialize,
        })
    }

    /// A refusal; what can be written now.
    pub(super) fn refuse(&mut self, batch: Option<BatchNo>, refusal: &Refusal) -> Option<String> {
        let error = ErrorData::new(ErrorCode(refusal.code), refusal.message.clone(), None);
        let line = written(refusal.id.as_ref(), ResponseOutcome::Error(&error));
        self.deliver(batch, Some(line))
    }

    /// Forgets the requests of an id that the client has given up: the numbers by which the server knows them, and what
    /// can be written now.
    pub(super) fn cancel(&mut self, id: &Value) -> (Vec<RequestId>, Vec<String>) {
        let is_meant = |origin: &RequestOrigin| {
            serde_json::from_str::<Value>(origin.id.get()).is_ok_and(|given| given == *id)
        };
        let mut numbers: Vec<i64> = self
            .requests
            .iter()
            .filter(|(_, origin)| is_meant(origin) && !origin.is_initialize)
            .map(|(number, _)| *number)
            .collect();
        numbers.sort_unstable();
        let mut lines = Vec::new();
        for number in &numbers {
            if let Some(origin) = self.requests.remove(number) {
                lines.extend(
                    origin
                        .batch
                        .and_then(|batch| self.deliver(Some(batch), None)),
                );
            }
        }
        (numbers.into_iter().map(RequestId::Number).collect(), lines)
    }

    /// Answers every request that is left with one refusal.
    pub(super) fn abandon(&mut self, code: i32, why: &str) -> Vec<String> {
        let mut left: Vec<(i64, RequestOrigin)> = self.requests.drain().collect();
        left.sort_unstable_by_key(|(number, _)| *number);
        let refused = left.into_iter().filter_map(|(_, origin)| {
            self.refuse(origin.batch, &Refusal::new(Some(origin.id), code, why))
        });
        refused.collect()
    }

    /// Puts an answer into its batch; what can be written now.
    fn deliver(&mut self, batch: Option<BatchNo>, answer: Option<String>) -> Option<String> {
        let Some(number) = batch else {
            return answer;
        };
        let batch = self.batches.get_mut(&number)?;
        batch.answers.extend(answer);
        batch.missing = batch.missing.saturating_sub(1);
        if batch.missing > 0 {
            return None;
        }
        let answers = self.batches.remove(&number)?.answers;
        // A batch whose requests were all given up gets no answer.
        (!answers.is_empty()).then(|| format!("[{}]", answers.join(",")))
    }
}

/// A response as it is written.
#[derive(Serialize)]
struct RpcResponse<'a> {
    jsonrpc: &'static str,
    id: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a ServerResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorData>,
}

fn written(id: Option<&Id>, outcome: ResponseOutcome<'_>) -> String {
    let (result, error) = match outcome {
        ResponseOutcome::Result(result) => (Some(result), None),
        ResponseOutcome::Error(error) => (None, Some(error)),
    };
    let response = RpcResponse {
        jsonrpc: "2.0",
        id: id.map(|id| &**id),
        result,
        error,
    };
    // Writing values of our own into memory does not fail.
    serde_json::to_string(&response).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(text: &str) -> Id {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    fn answer(flight: &mut InFlight, number: &RequestId) -> Option<Answered> {
        flight.answer(number, ResponseOutcome::Result(&ServerResult::empty(())))
    }

    fn line(flight: &mut InFlight, number: &RequestId) -> Option<String> {
        answer(flight, number).and_then(|given| given.line)
    }

    #[test]
    fn two_requests_of_one_id_get_an_answer_each() {
        let mut flight = InFlight::default();
        let (first, second) = (
            flight.add(id("18446744073709551616"), None, false),
            flight.add(id("18446744073709551616"), None, true),
        );
        let expected = r#"{"jsonrpc":"2.0","id":18446744073709551616,"result":{}}"#;
        assert_eq!(line(&mut flight, &first).as_deref(), Some(expected));
        let answered = answer(&mut flight, &second).unwrap();
        assert_eq!(answered.line.as_deref(), Some(expected));
        assert!(answered.is_initialize);
        assert!(answer(&mut flight, &second).is_none() && flight.is_empty());
    }

    #[test]
    fn a_batch_is_answered_when_all_of_it_is() {
        let mut flight = InFlight::default();
        let batch = flight.add_batch(3);
        let first = flight.add(id("1"), Some(batch), false);
        let second = flight.add(id("\"b\""), Some(batch), false);
        assert_eq!(
            flight.refuse(Some(batch), &Refusal::new(None, -32600, "No.")),
            None
        );
        assert_eq!(line(&mut flight, &second), None);
        let all: Value = serde_json::from_str(&line(&mut flight, &first).unwrap()).unwrap();
        let ids: Vec<&Value> = all.as_array().unwrap().iter().map(|of| &of["id"]).collect();
        assert_eq!(ids, [&Value::Null, &json!("b"), &json!(1)]);
    }

    #[test]
    fn what_was_given_up_is_not_waited_for() {
        let mut flight = InFlight::default();
        let batch = flight.add_batch(2);
        let first = flight.add(id("1"), Some(batch), false);
        let second = flight.add(id("2"), Some(batch), false);
        assert_eq!(flight.cancel(&json!(9)), (vec![], vec![]));
        assert_eq!(line(&mut flight, &second), None);
        let (numbers, lines) = flight.cancel(&json!(1));
        assert_eq!(numbers, [first]);
        assert_eq!(lines, [r#"[{"jsonrpc":"2.0","id":2,"result":{}}]"#]);
        let alone = flight.add_batch(1);
        flight.add(id("3"), Some(alone), false);
        assert_eq!(flight.cancel(&json!(3)).1, Vec::<String>::new());
        assert!(flight.is_empty());
    }

    #[test]
    fn who_is_left_is_told_so() {
        let mut flight = InFlight::default();
        flight.add(id("1"), None, false);
        let batch = flight.add_batch(1);
        flight.add(id("2"), Some(batch), false);
        let lines = flight.abandon(-32603, "Over.");
        assert_eq!(lines.len(), 2);
        assert!(lines[0].contains("\"id\":1,\"error\"") && lines[1].starts_with("[{"));
        assert!(flight.is_empty());
    }
}
