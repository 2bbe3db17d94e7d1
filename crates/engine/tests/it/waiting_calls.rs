//! Calls that wait: what they pay, record and change happens once whatever happens meanwhile, and they can be given up
//! wherever they wait.

use codecortex_engine::protocol::{Answer, Caller, MemoryRequest, ModelOutcome, Response};
use serde_json::{Value, json};

use crate::review::shop;
use crate::semantic::ask_model;
use crate::support::Host;

/// Somebody saves a file: the index is another one.
fn save(host: &mut Host, number: usize) {
    let path = "/w/app/shop/other.py";
    host.write(
        path,
        &format!("def other_{number}():\n    return {number}\n"),
    );
    host.touched(&[path]);
    host.settle();
}

fn envelope(answer: Answer) -> Value {
    let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
    assert_eq!(envelope["ok"], answer.ok);
    envelope
}

fn begin(host: &mut Host, tool: &str, args: Value) -> u32 {
    let id = host.begin_call(&format!("codecortex_{tool}"), args, Caller::default());
    assert!(host.take_answer().is_none(), "it waits");
    id
}

/// The call is answered now, by an envelope of success.
fn answered(host: &mut Host) -> Value {
    let envelope = envelope(host.take_answer().unwrap());
    assert_eq!(envelope["ok"], true, "{envelope}");
    envelope["data"].clone()
}

#[test]
fn a_review_by_a_model_is_paid_once_though_files_are_saved_meanwhile() {
    let mut host = shop();
    ask_model(&mut host, 4);
    let args = json!({ "base": "main", "head": "HEAD", "step": "review" });
    begin(&mut host, "reviewChanges", args);
    for (at, said) in ["{\"plan\": []}", "{\"findings\": []}"].iter().enumerate() {
        assert_eq!(
            host.jobs.len(),
            at + 1,
            "the model is asked once for each step"
        );
        save(&mut host, at);
        assert_eq!(
            host.jobs.len(),
            at + 1,
            "nor is it asked again after a change"
        );
        let (id, _) = host.jobs[at];
        host.model_says(id, said);
    }
    let data = answered(&mut host);
    assert!(data["findings"].is_array(), "{data}");
    let notes = data["notes"].to_string();
    assert!(
        notes.contains("changed while the model reviewed"),
        "{notes}"
    );
    assert_eq!((host.jobs.len(), host.withdrawn.len()), (2, 0));
}

#[test]
fn a_review_in_a_quiet_workspace_says_nothing_of_changes() {
    let mut host = shop();
    ask_model(&mut host, 4);
    let args = json!({ "base": "main", "head": "HEAD", "step": "review" });
    begin(&mut host, "reviewChanges", args);
    for (at, said) in ["{\"plan\": []}", "{\"findings\": []}"].iter().enumerate() {
        let (id, _) = host.jobs[at];
        host.model_says(id, said);
    }
    let data = answered(&mut host);
    assert!(
        !data["notes"].to_string().contains("changed while"),
        "{data}"
    );
}

#[test]
fn a_step_of_an_investigation_is_paid_once_though_a_file_is_saved_meanwhile() {
    let mut host = crate::semantic::workspace();
    ask_model(&mut host, 1);
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    let id = begun["operation"]["opId"].clone();
    let said = [
        "{\"tool\": \"codecortex_getOutline\", \"args\": {\"symbol\": \"N.Store\"}}",
        "{\"conclusion\": \"By key.\", \"evidence\": [\"app/Store.cs:5\"], \"open\": []}",
    ];
    for (at, said) in said.iter().enumerate() {
        assert_eq!(host.jobs.len(), at + 1);
        save(&mut host, at);
        assert_eq!(host.jobs.len(), at + 1, "a saved file costs nothing");
        let (asked, _) = host.jobs[at];
        host.model_says(asked, said);
    }
    let done = host.ok("op", json!({ "opId": id }))["operation"].clone();
    assert_eq!(
        (&done["state"], host.jobs.len()),
        (&json!("done"), 2),
        "{done}"
    );
}

#[test]
fn an_observation_is_recorded_once_though_files_are_saved_meanwhile() {
    let mut host = Host::new("//- /app/a.py\nx = 1\n//- /app/.context/config.json\n{}\n");
    host.person_sets(|own| own.observations = Some(true));
    host.hold_memory = true;
    begin(
        &mut host,
        "remember",
        json!({ "text": "It stays.", "symbols": ["a.x"] }),
    );
    assert!(matches!(host.held_memory[..], [(_, MemoryRequest::Place)]));
    save(&mut host, 0);
    // It begins again, and has asked for the place already.
    host.release_memory();
    assert!(host.take_answer().is_some());
    let appends = host.asked_of_memory.iter();
    let appends = appends.filter(|asked| matches!(asked, MemoryRequest::Append { .. }));
    assert_eq!((appends.count(), host.asked_of_memory.len()), (1, 2));

    // While it is being recorded, the call does not begin again at all.
    host.hold_memory = true;
    begin(
        &mut host,
        "remember",
        json!({ "text": "It stays.", "symbols": ["a.x"] }),
    );
    let (place, _) = host.held_memory.remove(0);
    let reply = codecortex_engine::protocol::MemoryReply::Place {
        branch: None,
        worktree: None,
    };
    host.send_reply(place, Response::Memory { reply });
    assert!(matches!(
        host.held_memory[..],
        [(_, MemoryRequest::Append { .. })]
    ));
    save(&mut host, 1);
    assert_eq!(host.held_memory.len(), 1);
    host.release_memory();
    assert!(host.take_answer().is_some());
    assert_eq!(host.asked_of_memory.len(), 3);
}

#[test]
fn an_edit_is_made_once_though_a_file_is_saved_meanwhile() {
    let mut host = Host::new("//- /app/a.py\nx = 1\n");
    host.hold_edits = true;
    let edit = json!({ "edits": [
        { "filePath": "app/b.py", "baseVersion": "new", "changes": [{ "newText": "y = 2\n" }] },
    ] });
    begin(&mut host, "applyEdit", edit);
    save(&mut host, 0);
    assert_eq!(host.held_edits.len(), 1);
    host.release_edits();
    assert_eq!(answered(&mut host)["applied"], true);
    assert_eq!(host.text("/w/app/b.py").unwrap(), "y = 2\n");
}

#[test]
fn what_was_asked_for_is_not_asked_again_where_a_call_begins_again() {
    let mut host = shop();
    host.hold_diffs = true;
    begin(
        &mut host,
        "reviewChanges",
        json!({ "base": "main", "step": "index" }),
    );
    assert_eq!(host.held_diffs.len(), 1);
    save(&mut host, 0);
    save(&mut host, 1);
    assert_eq!(host.held_diffs.len(), 1);
    let revision = host.last_state.as_ref().unwrap().revision;
    host.release_diffs();
    let data = answered(&mut host);
    assert_eq!(data["index"]["revision"], revision, "the view is of now");
    assert!(host.held_diffs.is_empty());
}

#[test]
fn rules_and_the_change_are_asked_for_at_once() {
    let mut host = shop();
    host.hold_diffs = true;
    // A host that thinks about the change has replied to what else there is.
    begin(
        &mut host,
        "reviewChanges",
        json!({ "base": "main", "step": "findings" }),
    );
    assert_eq!(host.held_diffs.len(), 1);
    host.release_diffs();
    answered(&mut host);
}

/// Calls a tool, gives the call up where it waits, and lets the host reply all the same.
fn cancelled(host: &mut Host, tool: &str, args: Value, release: impl Fn(&mut Host)) {
    let id = begin(host, tool, args);
    let error = envelope(host.cancel(id).expect("it is answered at once"))["error"].clone();
    assert_eq!(error["code"], "Cancelled", "{tool}: {error}");
    assert!(host.cancel(id).is_none(), "a call ends once");
    release(host);
    assert!(
        host.take_answer().is_none(),
        "{tool}: nobody waits any more"
    );
    host.ok("status", json!({}));
}

#[test]
fn a_call_is_given_up_wherever_it_waits() {
    let mut host = shop();
    host.hold_diffs = true;
    let review = json!({ "base": "main", "step": "index" });
    cancelled(&mut host, "reviewChanges", review, Host::release_diffs);
    assert_eq!(host.withdrawn.len(), 1, "the host hears of it");

    ask_model(&mut host, 4);
    let review = json!({ "base": "main", "step": "review" });
    cancelled(&mut host, "reviewChanges", review, |host| {
        let (id, _) = host.jobs[0];
        assert_eq!(host.withdrawn.last(), Some(&id));
        host.model_says(id, "{\"plan\": []}");
        assert_eq!(host.jobs.len(), 1, "the reviewer is not asked");
    });

    host.hold_reads = true;
    host.write("/w/app/shop/late.py", "def late():\n    return 1\n");
    host.touched(&["/w/app/shop/late.py"]);
    let outline = json!({ "filePath": "app/shop/late.py" });
    cancelled(&mut host, "getOutline", outline, Host::release);
    assert!(host.is_ready());

    let mut host = Host::new("//- /app/a.py\nx = 1\n//- /app/.context/config.json\n{}\n");
    host.person_sets(|own| own.observations = Some(true));
    host.hold_memory = true;
    let note = json!({ "text": "It stays." });
    cancelled(&mut host, "remember", note, Host::release_memory);
    let is_append = |asked: &MemoryRequest| matches!(asked, MemoryRequest::Append { .. });
    assert!(!host.asked_of_memory.iter().any(is_append));
}

#[test]
fn what_became_of_an_edit_is_known_though_its_call_was_given_up() {
    let mut host = Host::new("//- /app/a.py\nx = 1\n");
    host.hold_edits = true;
    let edit = json!({ "summary": "make b", "edits": [
        { "filePath": "app/b.py", "baseVersion": "new", "changes": [{ "newText": "y = 2\n" }] },
    ] });
    cancelled(&mut host, "applyEdit", edit, Host::release_edits);
    let told = host.ok("getLiveContext", json!({ "filePath": "app/b.py" }));
    assert!(told["plan_hints"].to_string().contains("make b"), "{told}");
    // The file is nobody's any more.
    let version = told["current_document"]["versionId"].clone();
    let edit = json!({ "edits": [
        { "filePath": "app/b.py", "baseVersion": version, "changes": [{ "oldText": "2", "newText": "3" }] },
    ] });
    assert_eq!(host.ok("applyEdit", edit)["applied"], true);
}

#[test]
fn an_investigation_that_is_given_up_takes_its_question_back() {
    let mut host = crate::semantic::workspace();
    ask_model(&mut host, 1);
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    let (asked, _) = host.jobs[0];
    let id = begun["operation"]["opId"].clone();
    let ended = host.ok("op", json!({ "opId": id, "cancel": true }));
    assert_eq!(ended["operation"]["state"], "cancelled");
    assert_eq!(host.withdrawn, [asked]);
    let text = "late".to_owned();
    let outcome = ModelOutcome::Answered {
        text,
        calls: Vec::new(),
        usage: None,
    };
    host.send_reply(asked, Response::Model { outcome });
    let still = host.ok("op", json!({ "opId": id }));
    assert_eq!(still["operation"]["state"], "cancelled");
    assert_eq!(host.jobs.len(), 1);
}

#[test]
fn a_reply_to_another_question_is_an_error_and_no_panic() {
    let mut host = shop();
    host.hold_diffs = true;
    begin(
        &mut host,
        "reviewChanges",
        json!({ "base": "main", "step": "index" }),
    );
    let id = host.held_diffs.remove(0);
    host.send_reply(id, Response::Log { log: None });
    let error = envelope(host.take_answer().unwrap())["error"].clone();
    assert_eq!(error["code"], "InternalError", "{error}");
}
