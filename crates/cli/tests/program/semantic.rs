//! Texts about types and investigations with a model that answers by rule, and without one (SPEC SE1–SE3, X12, IN1).

use serde_json::{Value, json};

use crate::scripted_model::{FULL, Reply, ScriptedModel};
use crate::support::{Place, Run};

const BASE: &str = "namespace N; public class Base { public int Size() { return 1; } }\n";
const STORE: &str =
    "namespace N; public class Store : Base { public int Add(int key) { return key + 1; } }\n";

fn place() -> Place {
    let place = Place::new();
    place.write("Base.cs", BASE);
    place.write("Store.cs", STORE);
    place
}

fn with_model(place: &Place, model: &ScriptedModel, args: &[&str]) -> Run {
    let mut all = args.to_vec();
    all.extend(["--model-url", &model.url, "--model", "scripted"]);
    place.run(&all)
}

fn semantic(place: &Place, symbol: &str) -> Value {
    let run = place.run(&["semantic", symbol, "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.json()["data"].clone()
}

#[test]
fn an_agent_hands_a_text_in_across_processes() {
    let place = place();
    let found = semantic(&place, "Store");
    assert_eq!(found["semanticState"], "none");
    assert!(
        !place.path().join(".context").exists(),
        "looking makes nothing"
    );
    let ticket = found["ticket"].as_str().unwrap();
    let run = place.run_with(&["semantic", "submit", ticket], FULL.as_bytes());
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let found = semantic(&place, "Store");
    assert_eq!(found["semanticState"], "cached");
    assert_eq!(found["sections"].as_array().unwrap().len(), 5);
    place.write("Store.cs", STORE.replace("key + 1", "key + 2"));
    let found = semantic(&place, "Store");
    assert_eq!(found["semanticState"], "stale");
    let prompt = found["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("AffectedMembers:\n  - public int Add(int key)"),
        "{prompt}"
    );
    let ticket = found["ticket"].as_str().unwrap();
    let run = place.run(&["semantic", "submit", ticket, "--text", "OPINION:\nx"]);
    assert_eq!(run.code, Some(1));
    let run = place.run(&[
        "semantic",
        "submit",
        ticket,
        "--text",
        "NO SEMANTIC CHANGE",
        "--json",
    ]);
    assert_eq!(run.json()["data"]["isUnchanged"], true);
    assert_eq!(semantic(&place, "Store")["semanticState"], "cached");
}

#[test]
fn a_model_describes_everything_and_then_what_changed() {
    let place = place();
    let model = ScriptedModel::start(vec![Reply::Says(FULL)]);
    let run = with_model(&place, &model, &["describe", "--all"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(model.asked().len(), 2);
    assert!(
        model.prompt(0).contains("N.Base"),
        "what most need comes first"
    );
    assert!(
        model
            .prompt(1)
            .contains("=== DEPENDENCIES ===\nN.Base\n  ROLE: Keeps nodes.")
    );
    for symbol in ["Base", "Store"] {
        assert_eq!(semantic(&place, symbol)["semanticState"], "cached");
    }
    let run = with_model(&place, &model, &["describe", "--all"]);
    assert_eq!(
        (run.code, model.asked().len()),
        (Some(0), 2),
        "nothing is asked twice"
    );
    place.write("Store.cs", STORE.replace("key + 1", "key + 1 /* one */"));
    with_model(&place, &model, &["describe", "--all"]);
    assert_eq!(model.asked().len(), 2, "looks cost nothing");
    place.write("Store.cs", STORE.replace("key + 1", "key + 2"));
    let run = place.run(&["describe", "--all", "--dry-run", "--json"]);
    let data = run.json()["data"].clone();
    assert_eq!(
        (&data["total"], &data["units"][0]["isFull"]),
        (&json!(1), &json!(false))
    );
    with_model(&place, &model, &["describe", "--all"]);
    assert_eq!(model.asked().len(), 3);
    assert!(
        model
            .prompt(2)
            .contains("=== CHANGE CLASS ===\nPublicBehavior")
    );
}

#[test]
fn without_a_model_what_is_wanted_waits() {
    let place = place();
    let run = place.run(&["describe", "Store", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let first: Value = serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap();
    assert!(first["data"]["why"].as_str().unwrap().contains("No model"));
    assert_eq!(semantic(&place, "Store")["semanticState"], "pending");
    // Who has a model later goes on with it.
    let model = ScriptedModel::start(vec![Reply::Says(FULL)]);
    with_model(&place, &model, &["describe", "Base"]);
    assert_eq!(model.asked().len(), 2);
    assert_eq!(semantic(&place, "Store")["semanticState"], "cached");
}

#[test]
fn bad_answers_are_attempts_and_leave_nothing_behind() {
    for reply in [
        Reply::Says("I think this class is nice."),
        Reply::Says(""),
        Reply::Says("ROLE:\nonly\n"),
        Reply::Huge(200_000),
        Reply::Cut,
        Reply::Status(500),
    ] {
        let place = place();
        // The second attempt succeeds.
        let model = ScriptedModel::start(vec![reply.clone(), Reply::Says(FULL)]);
        let run = with_model(&place, &model, &["describe", "Store"]);
        assert_eq!(run.code, Some(0), "{reply:?}: {}", run.stderr);
        assert_eq!(model.asked().len(), 2, "{reply:?}");
        assert_eq!(semantic(&place, "Store")["semanticState"], "cached");
    }
}

#[test]
fn a_refused_key_is_not_tried_again() {
    let place = place();
    let model = ScriptedModel::start(vec![Reply::Status(401)]);
    let run = with_model(&place, &model, &["describe", "--all"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("401"), "{}", run.stderr);
    assert!(model.asked().len() <= 2, "as many as were open at a time");
    assert_eq!(semantic(&place, "Base")["semanticState"], "pending");
}

#[test]
fn a_model_investigates_with_tools() {
    let place = place();
    let conclusion = "{\"conclusion\": \"By adding one.\", \"evidence\": [\"Store.cs:1\", \"Store.cs:9\"], \"open\": []}";
    let model = ScriptedModel::start(vec![
        Reply::Calls("codecortex_getOutline", json!({ "symbol": "N.Store" })),
        Reply::Says(conclusion),
    ]);
    let args = ["investigate", "How are keys made?", "--json"];
    let run = with_model(&place, &model, &args);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let operation = run.json()["data"]["operation"].clone();
    assert_eq!(operation["state"], "done", "{operation}");
    let verified = |at: usize| operation["result"]["evidence"][at]["verified"].clone();
    assert_eq!((verified(0), verified(1)), (json!(true), json!(false)));
    assert!(
        model.prompt(1).contains("Add"),
        "the tool's answer went back"
    );
    assert_eq!(model.asked()[1]["messages"][3]["role"], "tool");
    let again = with_model(&place, &model, &args);
    assert_eq!(again.code, Some(0));
    assert_eq!(
        model.asked().len(),
        2,
        "a conclusion that holds costs nothing"
    );
    let id = operation["opId"].as_str().unwrap();
    let shown = place.run(&["op", id]);
    assert!(shown.stdout.contains("By adding one.") && shown.stdout.contains("(unverified)"));
}

#[test]
fn changes_say_which_texts_go_stale_and_why() {
    let place = place();
    assert_eq!(place.run(&["init"]).code, Some(0));
    let stale = |place: &Place| -> Vec<(String, Value)> {
        let run = place.run(&["changes", "--json"]);
        let changes = run.json()["data"]["roots"][0]["changes"].clone();
        let all = changes.as_array().unwrap().iter();
        all.map(|of| (of["fqn"].as_str().unwrap().to_owned(), of["stale"].clone()))
            .collect()
    };
    place.write("Base.cs", BASE.replace("Size", "Length"));
    let mut found = stale(&place);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        found,
        [
            ("N.Base".to_owned(), json!("own")),
            ("N.Store".to_owned(), Value::Null)
        ]
    );
    place.write(
        "Store.cs",
        STORE.replace("return key + 1", "return Length()"),
    );
    assert_eq!(stale(&place), [("N.Store".to_owned(), json!("own"))]);
    place.write("Base.cs", BASE.replace("int Size", "long Length"));
    let found = stale(&place);
    assert!(
        found.contains(&("N.Store".to_owned(), json!("named"))),
        "{found:?}"
    );
}

#[test]
fn an_operation_is_as_its_schema_says() {
    let place = place();
    let conclusion = "{\"conclusion\": \"By adding one.\", \"evidence\": [\"Store.cs:1\", {\"path\": \"Base.cs\", \
        \"line\": 1, \"quote\": \"Size\", \"why\": \"it is there\"}], \"open\": [\"why?\"]}";
    let model = ScriptedModel::start(vec![
        Reply::Calls("codecortex_getOutline", json!({ "symbol": "N.Store" })),
        Reply::Says(conclusion),
    ]);
    with_model(&place, &model, &["investigate", "How are keys made?"]);
    place.run(&["investigate", "And what else?", "--scope", "Base.cs"]);
    let folder = std::fs::read_dir(place.path().join(".context/ops")).unwrap();
    let operations: Vec<Value> = folder
        .map(|entry| {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            serde_json::from_str(&text).unwrap()
        })
        .collect();
    let states: Vec<&str> = operations
        .iter()
        .map(|operation| operation["state"].as_str().unwrap())
        .collect();
    assert!(
        states.contains(&"done") && states.contains(&"waiting"),
        "{states:?}"
    );
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let schema = std::fs::read_to_string(format!("{root}/docs/op.v1.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let script = "const [schema, operations] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
        const Ajv = require('ajv'); const check = new (Ajv.default ?? Ajv)({ strict: false, validateFormats: false }).compile(schema);
        for (const operation of operations) { if (!check(operation)) { console.log(JSON.stringify([operation, check.errors])); } }
        for (const field of ['opId', 'question', 'scopePaths', 'state', 'steps', 'tokens', 'result', 'read']) {
            const { [field]: left, ...rest } = operations[0];
            if (check(rest)) { console.log('an operation without ' + field + ' passes'); } }
        if (check({ ...operations[0], state: 'sleeping' })) { console.log('another state passes'); }";
    let Some((said, problem)) = node(root, script, &json!([schema, operations])) else {
        return; // there is no Node, or its packages are not installed
    };
    assert_eq!((said.as_str(), problem.as_str()), ("", ""));
}

/// What a script of Node says to a value on its stdin, and what went wrong.
fn node(folder: &str, script: &str, input: &Value) -> Option<(String, String)> {
    use std::process::{Command, Stdio};
    let child = Command::new("node")
        .args(["-e", script])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.ok()?;
    serde_json::to_writer(child.stdin.take().unwrap(), input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let problem = text(&output.stderr);
    (!problem.contains("Cannot find module")).then(|| (text(&output.stdout), problem))
}

/// A text goes where its types are described when they need one another, and back again; nothing of it is lost (505).
#[test]
fn texts_follow_the_types_that_they_are_about() {
    let place = Place::new();
    let class = |name: &str, needs: &str| {
        format!("namespace N; public class {name} {{ public {needs} Next {{ get; set; }} }}\n")
    };
    let open = "namespace N; public class C { public int Next { get; set; } }\n";
    place.write("A.cs", class("A", "B"));
    place.write("B.cs", class("B", "C"));
    place.write("C.cs", open);
    for (name, role) in [("A", "Begins."), ("B", "Goes on.")] {
        let ticket = semantic(&place, name)["ticket"].clone();
        let text = FULL.replace("Keeps nodes.", role);
        let args = [
            "semantic",
            "submit",
            ticket.as_str().unwrap(),
            "--text",
            &text,
        ];
        assert_eq!(place.run(&args).code, Some(0));
    }
    let files = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(place.path().join(".context").join(folder));
        let names = entries.into_iter().flatten().flatten();
        let mut names: Vec<String> = names
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .filter(|name| name.ends_with(".md") && !name.ends_with(".outline.md"))
            .collect();
        names.sort();
        names
    };
    let role = |name: &str| {
        let found = semantic(&place, name);
        (
            found["semanticState"].as_str().unwrap().to_owned(),
            found["sections"][0]["text"]
                .as_str()
                .unwrap_or("")
                .to_owned(),
        )
    };
    // The circle is closed: the group has what its members said.
    place.write("C.cs", class("C", "A"));
    assert_eq!(place.run(&["changes"]).code, Some(0));
    let all = ("stale".to_owned(), "Begins.\n\nGoes on.".to_owned());
    assert_eq!(
        ["A", "B", "C"].map(role),
        [all.clone(), all.clone(), all.clone()]
    );
    assert_eq!((files("types").len(), files("semantic").len()), (0, 1));
    // Somebody adds to it by hand, and the circle is opened: each has it as its past.
    let group = place
        .path()
        .join(".context/semantic")
        .join(&files("semantic")[0]);
    let text = std::fs::read_to_string(&group).unwrap();
    std::fs::write(&group, text.replace("Goes on.", "Goes on, by hand.")).unwrap();
    place.write("C.cs", open);
    assert_eq!(place.run(&["changes"]).code, Some(0));
    let all = (
        "stale".to_owned(),
        "Begins.\n\nGoes on, by hand.".to_owned(),
    );
    assert_eq!(["A", "B", "C"].map(role), [all.clone(), all.clone(), all]);
    assert_eq!((files("types").len(), files("semantic").len()), (3, 0));
    // A type that is gone for a while finds its text again.
    std::fs::remove_file(place.path().join("A.cs")).unwrap();
    assert_eq!(place.run(&["changes"]).code, Some(0));
    assert_eq!(files("types").len(), 3);
}

/// A text that somebody deletes is one that nobody has written (294).
#[test]
fn a_deleted_text_is_none() {
    let place = place();
    let ticket = semantic(&place, "Store")["ticket"].clone();
    let args = [
        "semantic",
        "submit",
        ticket.as_str().unwrap(),
        "--text",
        FULL,
    ];
    let run = place.run(&[&args[..], &["--json"]].concat());
    let file = run.json()["data"]["file"].as_str().unwrap().to_owned();
    std::fs::remove_file(place.path().join(file)).unwrap();
    let found = semantic(&place, "Store");
    assert_eq!(found["semanticState"], "none", "{found}");
    assert!(found["prompt"].is_string() && found["sections"].is_null());
}

/// A conclusion outlives another name of its folder, and a question takes none away (506).
#[test]
fn a_conclusion_outlives_the_name_of_its_folder() {
    let place = place();
    let ask = |place: &Place| -> Value {
        let run = place.run(&["investigate", "How are keys made?", "--by-hand", "--json"]);
        assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
        run.json()["data"].clone()
    };
    let id = ask(&place)["operation"]["opId"]
        .as_str()
        .unwrap()
        .to_owned();
    let conclusion = json!({ "conclusion": "By adding one.", "evidence": ["Store.cs:1"] });
    let said = conclusion.to_string();
    let run = place.run(&["op", &id, "--conclusion", &said]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let kept = place.path().join(format!(".context/ops/{id}.json"));
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(
        text.contains("\"Store.cs\"") && !text.contains(&place.name()),
        "{text}"
    );
    let other = Place::new();
    assert_ne!(other.name(), place.name());
    other.write("Base.cs", BASE);
    other.write("Store.cs", STORE);
    other.write(&format!(".context/ops/{id}.json"), &text);
    let found = ask(&other);
    assert_eq!(found["operation"]["state"], "done", "{found}");
    assert!(found["isOutdated"].is_null(), "{found}");
    let path = found["operation"]["result"]["evidence"][0]["path"].clone();
    assert_eq!(path, format!("{}/Store.cs", other.name()));
    // The code has changed: the question is open again, and what was concluded is still there.
    place.write("Store.cs", STORE.replace("key + 1", "key + 2"));
    let found = ask(&place);
    assert_eq!(found["operation"]["state"], "waiting");
    assert_eq!(found["isOutdated"], true);
    let text = std::fs::read_to_string(&kept).unwrap();
    assert!(text.contains("By adding one."), "{text}");
}

/// What a quota holds up is said before anything is sent, and at the end (513).
#[test]
fn a_quota_says_what_it_holds_up() {
    let place = place();
    place.person_sets(&json!({ "model": { "callsPerHour": 1 } }));
    let model = ScriptedModel::start(vec![Reply::Says(FULL), Reply::Says(FULL)]);
    let run = with_model(&place, &model, &["describe", "--all"]);
    assert!(
        run.stdout.contains("2 texts are requested"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("1 requests an hour"), "{}", run.stdout);
    assert!(run.stderr.contains("1 texts wait"), "{}", run.stderr);
    assert_eq!(run.code, Some(1));
}

/// A ticket of other code takes no true text away (513).
#[test]
fn a_ticket_that_nobody_was_given_changes_nothing() {
    let place = place();
    let ticket = semantic(&place, "Store")["ticket"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        place
            .run(&["semantic", "submit", &ticket, "--text", FULL])
            .code,
        Some(0)
    );
    let id = ticket.split('-').next().unwrap();
    let forged = format!("{id}-AAAAAAAA-BBBBBBBB-CCCCCCCC");
    let other = FULL.replace("Keeps nodes.", "Does nothing.");
    let run = place.run(&["semantic", "submit", &forged, "--text", &other]);
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    let found = semantic(&place, "Store");
    assert_eq!(found["semanticState"], "cached");
    assert_eq!(found["sections"][0]["text"], "Keeps nodes.");
}
