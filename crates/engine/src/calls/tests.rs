//! Handlers of tests' own, on a session without files.

use std::cell::RefCell;
use std::rc::Rc;

use codecortex_protocol::{
    Answer, Caller, Effect, MemoryReply, MemoryRequest, Request, Response, ToolError,
};
use serde_json::{Value, json};

use crate::called::Called;
use crate::calls::CallContext;
use crate::calls::attempt::attempt;
use crate::calls::context::ToolCalls;
use crate::calls::executor::{Answered, Executor};
use crate::calls::join;
use crate::session::Session;

const NO_TOOLS: ToolCalls = ToolCalls {
    call: |_, _, _| Box::pin(async { unreachable!("no handler here calls a tool") }),
    describe: |_| Vec::new(),
    with_use: |_| Vec::new(),
};

/// A session with an executor that runs one handler, whose reply is a number.
struct Bench {
    session: Rc<RefCell<Session>>,
    executor: Executor,
    number: u32,
    /// What it came to.
    ended: Option<String>,
    effects: Vec<Effect>,
}

impl Bench {
    fn begin<F>(handler: impl Fn(CallContext) -> F + 'static) -> Self
    where
        F: Future<Output = Result<Value, ToolError>>,
    {
        let session = Rc::<RefCell<Session>>::default();
        let mut executor = Executor::default();
        let called = Called {
            id: 7,
            tool: "test".to_owned(),
            args: Value::Null,
            caller: Caller::default(),
        };
        let number = executor.spawn(Rc::new(called), false, |task| {
            let cx = CallContext::new(&session, task, Caller::default(), NO_TOOLS);
            Box::pin(async move {
                let ended = attempt(&cx, || handler(cx.clone())).await;
                let json = match ended {
                    Ok(value) => value.to_string(),
                    Err(error) => error.message,
                };
                let answer = Answer {
                    ok: true,
                    json: Some(json),
                    text: None,
                };
                let subject = None;
                Answered { answer, subject }
            })
        });
        let mut bench = Self {
            session,
            executor,
            number,
            ended: None,
            effects: Vec::new(),
        };
        bench.poll();
        bench
    }

    fn poll(&mut self) {
        let polled = self.executor.poll(self.number).unwrap();
        self.effects.extend(polled.effects);
        self.ended = polled.answered.and_then(|answered| answered.answer.json);
    }

    /// Questions since this was called last.
    fn asked(&mut self) -> Vec<(u32, Request)> {
        let effects = std::mem::take(&mut self.effects);
        let asked = effects.into_iter().filter_map(|effect| match effect {
            Effect::Ask { id, request, call } => {
                assert_eq!(call, Some(7));
                Some((id, request))
            }
            _ => None,
        });
        asked.collect()
    }

    fn reply(&mut self, id: u32, response: Response) {
        let known = self.session.borrow_mut().code.take_asker(id);
        assert!(known.is_some(), "nobody asked {id}");
        assert!(self.executor.deliver(self.number, id, response).is_some());
        assert_eq!(self.executor.ready(&[]), [self.number]);
        self.poll();
    }

    fn file_is_saved(&self) {
        self.session.borrow_mut().code.replace(0, "saved.rs", None);
    }
}

fn append() -> MemoryRequest {
    MemoryRequest::Append {
        backend: None,
        records: vec![json!({ "summary": "the same" })],
    }
}

fn recorded(id: u64) -> Response {
    Response::Memory {
        reply: MemoryReply::Recorded {
            ids: vec![id],
            warnings: Vec::new(),
        },
    }
}

async fn append_twice(cx: CallContext) -> Result<Value, ToolError> {
    let mut ids = Vec::new();
    for _ in 0..2 {
        if let MemoryReply::Recorded { ids: new, .. } = cx.memory(0, append()).await? {
            ids.extend(new);
        }
    }
    Ok(json!({ "ids": ids, "isMoved": cx.is_moved() }))
}

#[test]
fn two_appends_of_one_call_are_two_and_each_is_recorded_once() {
    let mut bench = Bench::begin(append_twice);
    for number in 1..3 {
        let asked = bench.asked();
        assert_eq!(asked.len(), 1, "one at a time, and none again");
        bench.file_is_saved();
        bench.poll();
        assert!(bench.asked().is_empty(), "a saved file records nothing");
        bench.reply(asked[0].0, recorded(number));
    }
    assert!(bench.asked().is_empty());
    let ended: Value = serde_json::from_str(bench.ended.as_ref().unwrap()).unwrap();
    assert_eq!(ended, json!({ "ids": [1, 2], "isMoved": true }));
}

#[test]
fn a_call_that_only_asks_begins_again_with_the_replies_it_has() {
    let mut bench = Bench::begin(async |cx| {
        let begun = cx.session().code.revision();
        for root in 0..2 {
            cx.ask(Request::Log { root, most: 1 }).await;
        }
        Ok(json!([begun, cx.is_moved()]))
    });
    let first = bench.asked();
    bench.file_is_saved();
    bench.reply(first[0].0, Response::Log { log: None });
    let second = bench.asked();
    assert_eq!(second.len(), 1, "only what was not asked yet: {second:?}");
    bench.file_is_saved();
    bench.reply(second[0].0, Response::Log { log: None });
    assert!(bench.asked().is_empty());
    let now = bench.session.borrow().code.revision();
    assert_eq!(bench.ended, Some(json!([now, false]).to_string()));
}

#[test]
fn what_is_joined_is_asked_at_once_and_comes_in_any_order() {
    let mut bench = Bench::begin(async |cx| {
        let log = |root| cx.ask(Request::Log { root, most: 1 });
        let (one, other) = join(log(0), log(1)).await;
        Ok(json!(format!("{one:?} {other:?}")))
    });
    let asked = bench.asked();
    assert_eq!(asked.len(), 2);
    let log = |text: &str| Response::Log {
        log: Some(text.to_owned()),
    };
    bench.reply(asked[1].0, log("other"));
    assert!(bench.ended.is_none());
    bench.reply(asked[0].0, log("one"));
    let ended = bench.ended.unwrap();
    assert!(
        ended.find("one").unwrap() < ended.find("other").unwrap(),
        "{ended}"
    );
}

#[test]
fn a_call_that_is_dropped_leaves_its_questions_to_be_taken_back() {
    let mut bench = Bench::begin(append_twice);
    let asked = bench.asked();
    let removed = bench.executor.remove(|called| called.id == 7);
    assert_eq!(removed.len(), 1);
    assert_eq!(removed[0].questions, [asked[0].0]);
    assert!(bench.executor.is_empty());
    let late = bench
        .executor
        .deliver(bench.number, asked[0].0, recorded(1));
    assert!(late.is_none(), "nobody hears a late reply");
}
