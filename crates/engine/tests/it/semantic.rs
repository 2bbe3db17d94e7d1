//! Texts about types: prompts, answers, tickets, and the model that is asked (SPEC SE1–SE3, X12, D19).

use crate::support::Host;
use codecortex_engine::protocol::{Event, ModelFailure, ModelOutcome, ModelSettings};
use serde_json::{Value, json};

const FILES: &str = "
//- /app/Base.cs
namespace N;
/// <summary>Keeps what all have.</summary>
public class Base { public int Size() { return 1; } }
//- /app/Store.cs
namespace N;
/// <summary>Keeps nodes.</summary>
public class Store : Base {
    public int Add(int key) {
        var found = key + 1;
        return found;
    }
    public void Close() { opened = 0; }
    private int opened;
}
//- /app/Ring.cs
namespace N;
public class Left { public Right Other; }
public class Right { public Left Other; }
";
const TEXT: &str = "ROLE:\nKeeps nodes by key.\nLIFECYCLE:\nMade once.\nEDGE_CASES:\nNone.\n\
    LIMITATIONS:\nNo threads.\nRECOMMENDATIONS:\nClose it.\n";

pub(crate) fn workspace() -> Host {
    let mut host = Host::new(FILES);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host
}

fn get(host: &mut Host, symbol: &str) -> Value {
    host.ok("getSemantic", json!({ "symbol": symbol }))
}

fn submit(host: &mut Host, ticket: &Value, text: &str) -> Value {
    let data = host.ok("submitSemantic", json!({ "ticket": ticket, "text": text }));
    host.settle();
    data
}

fn file(host: &Host, id: &str) -> String {
    let path = format!("/w/app/.context/types/{id}.semantic.md");
    host.text(&path).unwrap()
}

fn change(host: &mut Host, path: &str, from: &str, to: &str) {
    let path = format!("/w/app/{path}");
    let text = host.text(&path).unwrap();
    assert!(text.contains(from), "{text}");
    host.write(&path, &text.replace(from, to));
    host.touched(&[&path]);
    host.settle();
}

/// A text of `N.Store`, handed in by an agent.
fn described() -> (Host, String) {
    let mut host = workspace();
    let found = get(&mut host, "N.Store");
    let id = found["resolved"]["typeId"].as_str().unwrap().to_owned();
    submit(&mut host, &found["ticket"], TEXT);
    (host, id)
}

pub(crate) fn ask_model(host: &mut Host, slots: u32) {
    let name = Some("scripted".to_owned());
    host.send(Event::Model { name, slots });
    host.settle();
}

fn question(host: &Host, at: usize) -> (u32, String) {
    let (id, request) = &host.jobs[at];
    (*id, request.text())
}

#[test]
fn an_agent_describes_a_type_without_a_model() {
    let mut host = workspace();
    let found = get(&mut host, "N.Store");
    assert_eq!(found["semanticState"], "none");
    let prompt = found["prompt"].as_str().unwrap();
    assert!(prompt.contains("=== CHANGE CLASS ===\nNew\n"), "{prompt}");
    assert!(prompt.contains("var found = key + 1;"));
    assert!(prompt.contains("public class Store : Base"));
    let data = submit(&mut host, &found["ticket"], TEXT);
    assert_eq!(data["semanticState"], "cached");
    let id = found["resolved"]["typeId"].as_str().unwrap();
    let text = file(&host, id);
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some(format!("# Semantic: N.Store {id}").as_str())
    );
    let heads: Vec<&str> = lines
        .map_while(|line| line.split_once(':').map(|(name, _)| name))
        .collect();
    assert_eq!(heads, ["StructureHash", "ImplHash", "Dependencies"]);
    assert!(text.ends_with("RECOMMENDATIONS:\nClose it.\n"));
    let found = get(&mut host, "N.Store.Add");
    assert_eq!(found["semanticState"], "cached");
    assert_eq!(found["sections"][0]["text"], "Keeps nodes by key.");
    assert!(found["prompt"].is_null());
    let index = host.text("/w/app/.context/index.json").unwrap();
    assert!(index.contains("\"semanticState\": \"cached\""));
}

#[test]
fn what_was_handed_in_is_known_at_once_and_so_is_the_folder() {
    for mut host in [Host::new(FILES), workspace()] {
        for (text, role) in [
            (TEXT.to_owned(), "Keeps nodes by key."),
            ("ROLE:\nKeeps them twice.".to_owned(), "Keeps them twice."),
        ] {
            let call = json!({ "symbol": "N.Store", "prompt": "always" });
            let ticket = host.ok("getSemantic", call)["ticket"].clone();
            host.ok("submitSemantic", json!({ "ticket": ticket, "text": text }));
            let found = get(&mut host, "N.Store");
            assert_eq!(found["semanticState"], "cached");
            assert_eq!(found["sections"][0]["text"], role);
            assert!(found["prompt"].is_null());
        }
        // Nobody tells of the folder that was made.
        host.settle();
        assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
        let id = get(&mut host, "N.Store")["resolved"]["typeId"].clone();
        let file = file(&host, id.as_str().unwrap());
        assert!(file.contains("Keeps them twice.") && file.contains("No threads."));
        change(&mut host, "Store.cs", "key + 1", "key + 2");
        let found = get(&mut host, "N.Store");
        assert_eq!(found["semanticState"], "stale");
        assert_eq!(found["classes"], json!(["PublicBehavior"]));
    }
}

#[test]
fn a_change_asks_about_its_members_alone() {
    let (mut host, id) = described();
    change(&mut host, "Store.cs", "key + 1", "key + 2");
    let found = get(&mut host, "N.Store");
    assert_eq!(found["semanticState"], "stale");
    assert_eq!(found["classes"], json!(["PublicBehavior"]));
    let prompt = found["prompt"].as_str().unwrap();
    assert!(prompt.contains("=== PREVIOUS SEMANTIC (TRIMMED) ===\nROLE:\nKeeps nodes by key."));
    assert!(
        prompt.contains("  - public int Add(int key) (+1 −1 lines)"),
        "{prompt}"
    );
    assert!(prompt.contains("-         var found = key + 1;\n+         var found = key + 2;"));
    assert!(
        !prompt.contains("opened = 0"),
        "bodies of other members are not in it"
    );
    let before = file(&host, &id);
    let data = submit(
        &mut host,
        &found["ticket"],
        "EDGE_CASES:\nKeys move by two.",
    );
    assert_eq!(data["isUnchanged"], false);
    let body = |text: &str| text.split_once("\n\n").unwrap().1.to_owned();
    let after = body(&file(&host, &id));
    assert_eq!(after, body(&before).replace("None.", "Keys move by two."));
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
}

#[test]
fn what_others_cannot_see_waits_and_looks_cost_nothing() {
    let (mut host, _) = described();
    change(
        &mut host,
        "Store.cs",
        "private int opened;",
        "private int opened = 3;",
    );
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
    change(
        &mut host,
        "Store.cs",
        "        return found;",
        "        // the key\n        return found;",
    );
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
    change(&mut host, "Store.cs", "Keeps nodes.", "Keeps all nodes.");
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
}

#[test]
fn no_semantic_change_renews_the_head_alone() {
    let (mut host, id) = described();
    change(&mut host, "Store.cs", "opened = 0", "opened = 7");
    let before = file(&host, &id);
    let found = get(&mut host, "N.Store");
    let data = submit(&mut host, &found["ticket"], "NO SEMANTIC CHANGE");
    assert_eq!(data["isUnchanged"], true);
    let after = file(&host, &id);
    let split = |text: &str| {
        let (head, body) = text.split_once("\n\n").unwrap();
        (head.to_owned(), body.to_owned())
    };
    assert_ne!(split(&after).0, split(&before).0);
    assert_eq!(split(&after).1, split(&before).1);
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "cached");
}

#[test]
fn a_ticket_holds_in_another_process_and_says_what_was_seen() {
    let (mut host, id) = described();
    change(&mut host, "Store.cs", "key + 1", "key + 2");
    let ticket = get(&mut host, "N.Store")["ticket"].clone();
    change(&mut host, "Store.cs", "key + 2", "key + 3");
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk.clone_from(&host.disk);
    other.mtimes.clone_from(&host.mtimes);
    other.clock = host.clock;
    other.configure();
    other.touched(&["/w/app/.context"]);
    other.settle();
    let data = submit(&mut other, &ticket, "LIMITATIONS:\nOf key + 2.");
    assert_eq!(data["semanticState"], "stale");
    assert!(file(&other, &id).contains("Of key + 2."));
    assert_eq!(get(&mut other, "N.Store")["semanticState"], "stale");
}

#[test]
fn what_is_no_answer_changes_nothing() {
    let (mut host, id) = described();
    let before = file(&host, &id);
    let ticket = host.ok(
        "getSemantic",
        json!({ "symbol": "N.Store", "prompt": "always" }),
    )["ticket"]
        .clone();
    for text in [
        "",
        "nice class",
        "ROLE:\nx\nOPINION:\ny",
        "# Semantic: N.Base T_00000000\nROLE: x",
    ] {
        let error = host.fail("submitSemantic", json!({ "ticket": ticket, "text": text }));
        assert_eq!(error["code"], "InvalidParams", "{text}");
        host.settle();
    }
    let error = host.fail("submitSemantic", json!({ "ticket": "T_1", "text": TEXT }));
    assert_eq!(error["code"], "InvalidParams");
    assert_eq!(file(&host, &id), before);
}

#[test]
fn what_a_dependency_is_for_goes_into_the_prompt() {
    let mut host = workspace();
    let base = get(&mut host, "N.Base");
    submit(
        &mut host,
        &base["ticket"],
        &TEXT.replace("Keeps nodes by key.", "Is what all share."),
    );
    let prompt = get(&mut host, "N.Store")["prompt"].clone();
    let prompt = prompt.as_str().unwrap();
    assert!(prompt.contains(
        "=== DEPENDENCIES ===\nN.Base\n  ROLE: Is what all share.\n  LIFECYCLE: Made once."
    ));
}

#[test]
fn types_that_need_one_another_have_one_text() {
    let mut host = workspace();
    let found = get(&mut host, "N.Left");
    let group = found["groupId"].as_str().unwrap().to_owned();
    assert_eq!(found["typeIds"].as_array().unwrap().len(), 2);
    let prompt = found["prompt"].as_str().unwrap();
    assert!(prompt.contains("class N.Left") && prompt.contains("class N.Right"));
    submit(&mut host, &found["ticket"], TEXT);
    let text = host
        .text(&format!("/w/app/.context/semantic/{group}.md"))
        .unwrap();
    assert!(text.contains("\nTypes: T_"));
    assert_eq!(get(&mut host, "N.Right")["semanticState"], "cached");
}

#[test]
fn a_text_edited_by_hand_is_the_one_that_is_merged() {
    let (mut host, id) = described();
    let by_hand = file(&host, &id).replace("No threads.", "One thread, I am sure.");
    host.write(&format!("/w/app/.context/types/{id}.semantic.md"), &by_hand);
    let found = host.ok(
        "getSemantic",
        json!({ "symbol": "N.Store", "prompt": "always" }),
    );
    submit(&mut host, &found["ticket"], "ROLE:\nAnother one.");
    let text = file(&host, &id);
    assert!(text.contains("One thread, I am sure.") && text.contains("Another one."));
}

#[test]
fn the_model_is_asked_only_for_what_somebody_wants() {
    let mut host = workspace();
    ask_model(&mut host, 2);
    get(&mut host, "N.Store");
    host.settle();
    assert!(host.jobs.is_empty(), "nothing is sent until asked");
    let data = host.ok("describe", json!({ "symbol": "N.Store" }));
    assert_eq!(
        (&data["total"], &data["model"]),
        (&json!(1), &json!("scripted"))
    );
    host.settle();
    let (id, prompt) = question(&host, 0);
    assert!(prompt.contains("var found = key + 1;"));
    host.model_says(id, TEXT);
    let found = get(&mut host, "N.Store");
    assert_eq!(found["semanticState"], "cached");
    // By hand also where it is up to date.
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.settle();
    assert_eq!(host.jobs.len(), 2);
}

#[test]
fn a_refused_key_ends_the_asking_and_a_bad_answer_is_an_attempt() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    host.ok("describe", json!({ "all": true }));
    host.settle();
    let (id, _) = question(&host, 0);
    host.model_says(id, "I think this class is nice.");
    let state = host.text("/w/app/.context/state.json").unwrap();
    assert!(state.contains("none of the sections"), "{state}");
    let asked = host.jobs.len();
    let (id, _) = question(&host, asked - 1);
    let outcome = ModelOutcome::failed(ModelFailure::Refused, "the key is refused");
    host.model_ends(id, outcome);
    assert_eq!(host.jobs.len(), asked, "nothing is sent after that");
    let data = host.ok("describe", json!({ "symbol": "N.Base", "dryRun": true }));
    assert_eq!(data["why"], "the key is refused");
    ask_model(&mut host, 1);
    assert!(host.jobs.len() > asked);
}

#[test]
fn a_quota_holds() {
    let mut host = Host::new(FILES);
    // A repository's quota is none: it would have asked a hundred times.
    host.write(
        "/w/app/.context/config.json",
        "{\"model\": {\"callsPerHour\": 100}}",
    );
    host.touched(&["/w/app/.context"]);
    host.person_sets(|own| {
        own.model = Some(ModelSettings {
            calls_per_hour: Some(1),
            ..ModelSettings::default()
        });
    });
    ask_model(&mut host, 4);
    host.ok("describe", json!({ "symbol": "N.Base" }));
    host.settle();
    let (id, _) = question(&host, 0);
    host.model_says(id, TEXT);
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.send(Event::Tick { now_ms: host.clock });
    assert_eq!(host.jobs.len(), 1);
    let data = host.ok("describe", json!({ "symbol": "N.Store", "dryRun": true }));
    assert!(
        data["why"].as_str().unwrap().contains("1 requests an hour"),
        "{data}"
    );
}

#[test]
fn a_text_that_was_written_before_the_end_is_not_asked_for_again() {
    let mut host = workspace();
    let before = host.text("/w/app/.context/index.json").unwrap();
    let state = host.text("/w/app/.context/state.json").unwrap();
    ask_model(&mut host, 1);
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.settle();
    let (id, _) = question(&host, 0);
    host.model_says(id, TEXT);
    // The process ended after the text and before the rest was in place.
    host.write("/w/app/.context/index.json", &before);
    host.write("/w/app/.context/state.json", &state);
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk.clone_from(&host.disk);
    other.mtimes.clone_from(&host.mtimes);
    other.clock = host.clock;
    other.configure();
    other.touched(&["/w/app/.context"]);
    other.settle();
    ask_model(&mut other, 1);
    other.ok("describe", json!({ "symbol": "N.Store" }));
    other.settle();
    assert!(other.jobs.is_empty());
    assert_eq!(get(&mut other, "N.Store")["semanticState"], "cached");
}

#[test]
fn a_dry_run_says_what_it_would_cost() {
    let mut host = workspace();
    let data = host.ok("describe", json!({ "all": true, "dryRun": true }));
    assert_eq!(data["total"], 3);
    let sum: u64 = data["units"]
        .as_array()
        .unwrap()
        .iter()
        .map(|unit| unit["promptTokens"].as_u64().unwrap())
        .sum();
    assert_eq!(data["promptTokens"].as_u64(), Some(sum));
    host.settle();
    assert!(
        !host
            .text("/w/app/.context/index.json")
            .unwrap()
            .contains("pending")
    );
}

#[test]
fn a_dependent_is_stale_when_it_names_what_changed() {
    const USERS: &str = "
//- /app/Store.cs
namespace N;
public class Store { public int Add(int key) { return key; } public void Close() { } }
//- /app/Users.cs
namespace N;
public class Adds { public Store Of; public int Run() { return Of.Add(1); } }
public class Closes { public Store Of; public void Run() { Of.Close(); } }
public class Shadows { public Store Of; public int Add() { return 1; } public int Run() { return Add(); } }
";
    let mut host = Host::new(USERS);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    let states = |host: &mut Host| {
        ["Adds", "Closes", "Shadows"].map(|name| {
            let found = get(host, &format!("N.{name}"));
            found["semanticState"].as_str().unwrap().to_owned()
        })
    };
    for name in ["Adds", "Closes", "Shadows"] {
        let found = get(&mut host, &format!("N.{name}"));
        submit(&mut host, &found["ticket"], TEXT);
    }
    change(
        &mut host,
        "Store.cs",
        "public void Close",
        "public int Size() { return 0; } public void Close",
    );
    assert_eq!(
        states(&mut host),
        ["cached", "cached", "cached"],
        "what came is named by nobody"
    );
    change(
        &mut host,
        "Store.cs",
        "public int Add(int key)",
        "public int Add(long key)",
    );
    assert_eq!(states(&mut host), ["stale", "cached", "cached"]);
    change(&mut host, "Store.cs", "public void Close() { }", "");
    assert_eq!(states(&mut host), ["stale", "stale", "cached"]);
    change(
        &mut host,
        "Store.cs",
        "class Store {",
        "class Store : System.IDisposable {",
    );
    assert_eq!(
        states(&mut host),
        ["stale", "stale", "stale"],
        "its bases changed"
    );
}

#[test]
fn with_the_setting_all_every_dependent_is_stale() {
    let mut host = Host::new(FILES);
    host.write(
        "/w/app/.context/config.json",
        "{\"dependencyStaleness\": \"all\"}",
    );
    host.touched(&["/w/app/.context"]);
    host.settle();
    let found = get(&mut host, "N.Store");
    submit(&mut host, &found["ticket"], TEXT);
    change(
        &mut host,
        "Base.cs",
        "public int Size()",
        "public int More() { return 2; } public int Size()",
    );
    assert_eq!(get(&mut host, "N.Store")["semanticState"], "stale");
    let index = host.text("/w/app/.context/index.json").unwrap();
    assert!(index.contains("\"dependencyStaleness\": \"all\""));
}

const CONCLUSION: &str = "{\"conclusion\": \"By key.\", \"evidence\": [{\"path\": \"app/Store.cs\", \"startLine\": 5, \
    \"endLine\": 5, \"quote\": \"var found = key + 1;\", \"why\": \"adds\"}, \"app/Store.cs:99\"], \"open\": [\"why one?\"]}";

fn operation(host: &mut Host, id: &Value) -> Value {
    host.ok("op", json!({ "opId": id }))["operation"].clone()
}

#[test]
fn a_model_investigates_with_our_tools() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    let begun = host.ok(
        "investigate",
        json!({ "question": "How are keys made?", "scopePaths": ["app"] }),
    );
    let id = begun["operation"]["opId"].clone();
    assert_eq!(begun["operation"]["state"], "running");
    let (asked, prompt) = question(&host, 0);
    assert!(
        prompt.contains("How are keys made?") && prompt.contains("=== CODE THAT MAY MATTER ==="),
        "{prompt}"
    );
    host.model_says(
        asked,
        "{\"tool\": \"codecortex_getOutline\", \"args\": {\"symbol\": \"N.Store\"}}",
    );
    let (asked, prompt) = question(&host, 1);
    assert!(prompt.contains("\"filePath\":\"app/Store.cs\""), "{prompt}");
    host.model_says(asked, "I know.");
    let (asked, prompt) = question(&host, 2);
    assert!(prompt.contains("not a JSON object"));
    host.model_says(asked, CONCLUSION);
    let done = operation(&mut host, &id);
    assert_eq!(done["state"], "done", "{done}");
    let verified: Vec<bool> = done["result"]["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["verified"].as_bool().unwrap())
        .collect();
    assert_eq!(verified, [true, false]);
    assert_eq!(done["steps"][0]["tool"], "codecortex_getOutline");
    let kept = host
        .text(&format!(
            "/w/app/.context/ops/{}.json",
            id.as_str().unwrap()
        ))
        .unwrap();
    assert!(kept.contains("By key."));
    // The same question costs nothing while the code is the same, whatever its comments say.
    let again = |host: &mut Host| {
        let data = host.ok(
            "investigate",
            json!({ "question": "how are keys made?", "scopePaths": ["app"] }),
        );
        data["isCached"] == true
    };
    assert!(again(&mut host));
    change(
        &mut host,
        "Store.cs",
        "        return found;",
        "        // here\n        return found;",
    );
    assert!(again(&mut host));
    change(&mut host, "Store.cs", "key + 1", "key + 2");
    assert!(!again(&mut host));
}

#[test]
fn an_agent_investigates_without_a_model() {
    let mut host = workspace();
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    assert_eq!(begun["operation"]["state"], "waiting");
    assert!(begun["prompt"].as_str().unwrap().contains("codecortex_op"));
    let id = begun["operation"]["opId"].clone();
    host.fail(
        "op",
        json!({ "opId": id, "conclusion": { "evidence": [] } }),
    );
    let conclusion: Value = serde_json::from_str(CONCLUSION).unwrap();
    host.ok("op", json!({ "opId": id, "conclusion": conclusion }));
    host.settle();
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk.clone_from(&host.disk);
    other.mtimes.clone_from(&host.mtimes);
    other.configure();
    let known = other.ok("investigate", json!({ "question": "How are keys made?" }));
    assert_eq!(known["isCached"], true);
    assert_eq!(known["operation"]["result"]["open"], json!(["why one?"]));
    let error = other.fail("op", json!({ "opId": "O_../x" }));
    assert_eq!(error["code"], "InvalidParams");
}

/// What was concluded about a type is evidence for who describes it, while the code is as it was (516).
#[test]
fn conclusions_are_offered_to_texts_of_the_types_they_are_about() {
    let mut host = workspace();
    let prompt = |host: &mut Host, symbol: &str| {
        let found = host.ok(
            "getSemantic",
            json!({ "symbol": symbol, "prompt": "always" }),
        );
        found["prompt"].as_str().unwrap().to_owned()
    };
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    let id = begun["operation"]["opId"].clone();
    host.settle();
    assert!(
        !prompt(&mut host, "N.Store").contains("FINDINGS"),
        "nothing is concluded"
    );
    let conclusion: Value = serde_json::from_str(CONCLUSION).unwrap();
    host.ok("op", json!({ "opId": id, "conclusion": conclusion }));
    host.settle();
    let told = "=== FINDINGS OF INVESTIGATIONS ===";
    let offered = |text: &str| {
        text.contains(told)
            && text.contains("Q: How are keys made?\nBy key.\n  - app/Store.cs:5-5 adds\n")
    };
    let text = prompt(&mut host, "N.Store");
    assert!(offered(&text), "{text}");
    // What could not be checked is no evidence, and other types are not concerned.
    assert!(!text.contains("Store.cs:99"), "{text}");
    assert!(!prompt(&mut host, "N.Left").contains(told));
    // Another process knows it from the disk.
    let mut other = next_process(&host);
    assert!(offered(&prompt(&mut other, "N.Store")));
    // A comment changes nothing; other code does.
    change(
        &mut host,
        "Store.cs",
        "return found;",
        "return found; // so",
    );
    assert!(prompt(&mut host, "N.Store").contains(told));
    change(&mut host, "Store.cs", "key + 1", "key + 2");
    assert!(!prompt(&mut host, "N.Store").contains(told));
}

#[test]
fn answers_that_are_not_taken_count_as_failures() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.settle();
    let (id, _) = question(&host, 0);
    host.model_says(id, "I think this class is nice.");
    let texts = &host.ok("status", json!({}))["context"][0]["texts"];
    assert_eq!(
        (&texts["calls"], &texts["failures"]),
        (&json!(1), &json!(1)),
        "{texts}"
    );
}

#[test]
fn an_investigation_that_nobody_wants_asks_nothing_more() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    let begun = host.ok("investigate", json!({ "question": "How?" }));
    let id = begun["operation"]["opId"].clone();
    let (asked, _) = question(&host, 0);
    host.ok("op", json!({ "opId": id, "cancel": true }));
    assert_eq!(host.withdrawn, [asked], "the request is given up");
    host.model_says(asked, CONCLUSION);
    assert_eq!(operation(&mut host, &id)["state"], "cancelled");
    assert_eq!(host.jobs.len(), 1);
    // Who asks again begins anew.
    host.ok("investigate", json!({ "question": "How?" }));
    let (asked, _) = question(&host, 1);
    host.model_says(asked, CONCLUSION);
    assert_eq!(operation(&mut host, &id)["state"], "done");
}

/// What is on a disk, seen by another process.
fn next_process(host: &Host) -> Host {
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk.clone_from(&host.disk);
    other.mtimes.clone_from(&host.mtimes);
    other.clock = host.clock;
    other.configure();
    other.touched(&["/w/app/.context"]);
    other.settle();
    other
}

#[test]
fn an_investigation_goes_on_after_a_restart_and_repeats_nothing() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    let begun = host.ok("investigate", json!({ "question": "How are keys made?" }));
    let id = begun["operation"]["opId"].clone();
    let (asked, _) = question(&host, 0);
    host.model_says(
        asked,
        "{\"tool\": \"codecortex_getOutline\", \"args\": {\"symbol\": \"N.Store\"}}",
    );
    host.settle();
    let (_, second) = question(&host, 1);
    // The process ends here. Without a model nothing happens in the next one, and the operation waits for somebody.
    let mut idle = next_process(&host);
    assert!(idle.jobs.is_empty());
    assert_eq!(operation(&mut idle, &id)["state"], "waiting");
    let mut other = next_process(&host);
    ask_model(&mut other, 1);
    assert_eq!(other.jobs.len(), 1);
    let (asked, prompt) = question(&other, 0);
    assert_eq!(prompt, second, "what was answered is not asked again");
    assert_eq!(operation(&mut other, &id)["state"], "running");
    other.model_says(asked, CONCLUSION);
    other.settle();
    let done = operation(&mut other, &id);
    assert_eq!(
        (&done["state"], &done["steps"][0]["tool"]),
        (&json!("done"), &json!("codecortex_getOutline"))
    );
    // It is at work nowhere any more, and what was said is gone.
    let state = other.text("/w/app/.context/state.json").unwrap();
    let state: Value = serde_json::from_str(&state).unwrap();
    assert!(state["operations"].is_null(), "{state}");
    let said = format!("/w/app/.context/cache/ops/{}.json", id.as_str().unwrap());
    assert!(host.text(&said).is_some() && other.text(&said).is_none());
    let mut third = next_process(&other);
    ask_model(&mut third, 1);
    assert!(third.jobs.is_empty());
}

#[test]
fn invalidating_counts_the_texts_that_are_stale_by_it() {
    let (mut host, _) = described();
    host.settle();
    let of = |host: &mut Host, symbol: &str| {
        let data = host.ok("invalidate", json!({ "symbol": symbol }));
        data["types"].clone()
    };
    assert_eq!(of(&mut host, "N.Store"), 1);
    assert_eq!(of(&mut host, "N.Base"), 0, "nobody has described it");
}

#[test]
fn status_tells_what_texts_cost_and_what_was_saved() {
    let (mut host, _) = described();
    ask_model(&mut host, 1);
    host.ok("describe", json!({ "symbol": "N.Base" }));
    let texts = |host: &mut Host| host.ok("status", json!({}))["context"][0]["texts"].clone();
    let listed = |host: &mut Host, state: &str| {
        let data = host.ok("status", json!({ "list": "texts", "reason": state }));
        let list = data["list"].as_array().unwrap().clone();
        assert_eq!(data["listTotal"], list.len());
        let paths = list.iter().map(|of| of["resolved"]["path"].to_string());
        paths.collect::<Vec<_>>()
    };
    assert_eq!(listed(&mut host, "generating"), ["\"N.Base\""]);
    let (id, _) = question(&host, 0);
    host.clock += 1_500.0;
    host.model_says(id, TEXT);
    host.settle();
    assert!(listed(&mut host, "generating").is_empty());
    assert!(listed(&mut host, "cached").contains(&"\"N.Base\"".to_owned()));
    let all = host.ok("status", json!({ "list": "texts" }));
    let all = all["list"].as_array().unwrap();
    assert!(all.iter().all(|of| of["resolved"]["typeId"].is_string()));
    let now = texts(&mut host);
    assert_eq!((&now["calls"], &now["callsSaved"]), (&json!(1), &json!(0)));
    assert_eq!(
        (&now["tookP50Ms"], &now["tookP95Ms"]),
        (&json!(1_500), &json!(1_500))
    );
    // Looks of a described type: nobody has to be asked.
    change(
        &mut host,
        "Store.cs",
        "        return found;",
        "        // the key\n        return found;",
    );
    let now = texts(&mut host);
    assert_eq!(now["callsSaved"], 1);
    assert_eq!(
        now["tokensSaved"], now["tokens"],
        "what one call costs on the average"
    );
    change(&mut host, "Store.cs", "key + 1", "key + 2");
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.settle();
    let (id, _) = question(&host, 1);
    host.model_ends(id, ModelOutcome::failed(ModelFailure::TimedOut, "slow"));
    let now = texts(&mut host);
    assert_eq!((&now["calls"], &now["failures"]), (&json!(2), &json!(1)));
    assert!(now["isQueueLong"].is_null());
}

#[test]
fn a_long_queue_of_texts_is_said() {
    for (count, is_long) in [(52, json!(true)), (51, Value::Null)] {
        let classes: String = (0..count)
            .map(|number| {
                format!("export class Kind{number} {{ get{number}() {{ return {number}; }} }}\n")
            })
            .collect();
        let mut host = Host::new(&format!("\n//- /app/kinds.ts\n{classes}"));
        ask_model(&mut host, 1);
        // One is being written, the others wait.
        host.ok("describe", json!({ "all": true }));
        let texts = host.ok("status", json!({}))["context"][0]["texts"].clone();
        assert_eq!(texts["isQueueLong"], is_long, "{texts}");
    }
}
