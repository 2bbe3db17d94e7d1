//! Secrets are neither written nor sent, whatever brings them (SPEC X7). All of them are made up.

use crate::semantic::ask_model;
use crate::support::Host;
use codecortex_engine::protocol::Event;
use serde_json::{Value, json};

const PART: &str = "a1B2c3D4";

fn token() -> String {
    format!("ghp_{}", PART.repeat(5))
}

/// A workspace whose code has a token in it.
fn workspace() -> Host {
    let files = format!(
        "//- /app/Store.cs\nnamespace N;\npublic class Store {{\n    public string Key() {{ return \"{}\"; }}\n    \
         public int Add(int key) {{ return key + 1; }}\n}}\n",
        token()
    );
    let mut host = Host::new(&files);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host
}

/// Every file of `.context/` whose text has a part of a secret.
fn leaks(host: &Host) -> Vec<String> {
    let paths = host.disk.keys();
    let own = paths.filter(|path| path.starts_with("/w/app/.context/"));
    own.filter(|path| host.text(path).is_some_and(|text| text.contains(PART)))
        .cloned()
        .collect()
}

/// What the model was asked last.
fn asked(host: &Host) -> (u32, String) {
    match host.jobs.last() {
        Some((id, request)) => (*id, request.text()),
        other => panic!("{other:?}"),
    }
}

fn semantic_text() -> String {
    format!(
        "ROLE:\nKeeps nodes; the password is `{PART}`.\nLIFECYCLE:\nMade with {}.\nEDGE_CASES:\nNone.\n\
         LIMITATIONS:\nNo threads.\nRECOMMENDATIONS:\nClose it.\n",
        token()
    )
}

#[test]
fn texts_that_are_handed_in_lose_their_secrets() {
    let mut host = workspace();
    let found = host.ok("getSemantic", json!({ "symbol": "N.Store" }));
    let args = json!({ "ticket": found["ticket"], "text": semantic_text() });
    let data = host.ok("submitSemantic", args);
    host.settle();
    assert_eq!(data["redacted"], 2);
    let id = found["resolved"]["typeId"].as_str().unwrap();
    let path = format!("/w/app/.context/types/{id}.semantic.md");
    let text = host.text(&path).unwrap();
    assert!(text.contains("Made with [secret:github-token]."), "{text}");
    assert!(!text.contains(PART), "{text}");
}

#[test]
fn a_model_that_describes_is_sent_none_and_its_text_keeps_none() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    host.ok("describe", json!({ "symbol": "N.Store" }));
    host.settle();
    let (id, prompt) = asked(&host);
    assert!(
        prompt.contains("return \\\"[secret:") || prompt.contains("return \"[secret:"),
        "{prompt}"
    );
    assert!(!prompt.contains(PART), "{prompt}");
    host.model_says(id, &semantic_text());
    host.settle();
    let status = host.ok("status", json!({}));
    assert!(status.to_string().contains("\"redacted\":3"), "{status}");
    let written = host.disk.keys().any(|path| path.ends_with(".semantic.md"));
    assert!(written, "the text is there");
    let semantic = leaks(&host);
    assert!(
        !semantic.iter().any(|path| path.ends_with(".semantic.md")),
        "{semantic:?}"
    );
}

fn conclusion() -> Value {
    json!({
        "conclusion": format!("The key is {}.", token()),
        "evidence": [{ "path": "app/Store.cs", "startLine": 3, "endLine": 3, "quote": format!("return \"{}\"", token()), "why": token() }],
        "open": [format!("who made {}?", token())],
    })
}

#[test]
fn investigations_keep_no_secret_and_say_how_many_there_were() {
    let mut host = workspace();
    let question = format!("What is {} for?", token());
    let begun = host.ok("investigate", json!({ "question": question }));
    assert_eq!(
        begun["operation"]["question"],
        "What is [secret:github-token] for?"
    );
    assert_eq!(begun["operation"]["redacted"], 1);
    let args = json!({ "opId": begun["operation"]["opId"], "conclusion": conclusion() });
    let done = host.ok("op", args);
    host.settle();
    let operation = &done["operation"];
    assert_eq!(operation["redacted"], 5);
    assert_eq!(operation["result"]["evidence"][0]["verified"], true);
    assert!(!done.to_string().contains(PART), "{done}");
    let ops = leaks(&host);
    assert!(!ops.iter().any(|path| path.contains("/ops/")), "{ops:?}");
}

#[test]
fn a_model_that_investigates_is_sent_none_and_its_quotes_hold() {
    let mut host = workspace();
    ask_model(&mut host, 1);
    let begun = host.ok("investigate", json!({ "question": "What is the key?" }));
    let (id, _) = asked(&host);
    let call = "{\"tool\": \"codecortex_getOutline\", \"args\": {\"symbol\": \"N.Store\", \"bodies\": true}}";
    host.model_says(id, call);
    let (id, prompt) = asked(&host);
    assert!(!prompt.contains(PART), "{prompt}");
    let mut said = conclusion();
    said["evidence"][0]["quote"] = json!("return \"[secret:github-token]\"");
    host.model_says(id, &said.to_string());
    host.settle();
    let done = host.ok("op", json!({ "opId": begun["operation"]["opId"] }));
    assert_eq!(done["operation"]["state"], "done");
    assert_eq!(done["operation"]["result"]["evidence"][0]["verified"], true);
    let ops = leaks(&host);
    assert!(!ops.iter().any(|path| path.contains("/ops/")), "{ops:?}");
}

fn open(host: &mut Host, path: &str, text: &str) {
    host.send(Event::Opened {
        path: path.into(),
        version: 1,
        text: text.into(),
        dirty: true,
    });
}

#[test]
fn live_context_tells_no_text_of_files_of_secrets() {
    let mut host = Host::new("//- /app/a.py\nx = 1\n//- /app/secrets.py\nTTL = 7\n");
    host.configure();
    let key = format!(
        "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
        PART.repeat(8)
    );
    let plain = format!("PIN={PART}\n");
    for (path, text) in [
        (".env", &plain),
        ("deploy/kubeconfig", &plain),
        ("notes.txt", &key),
    ] {
        open(&mut host, &format!("/w/app/{path}"), text);
        let data = host.ok("getLiveContext", json!({ "filePath": path }));
        let document = &data["current_document"];
        assert!(
            document["withheld"].as_str().unwrap().contains("secrets"),
            "{data}"
        );
        assert!(!data.to_string().contains(PART), "{data}");
        let version = document["versionId"].clone();
        for more in [json!({ "startLine": 1 }), json!({ "versionId": version })] {
            let mut args = more;
            args["filePath"] = json!(path);
            assert_eq!(host.fail("getLiveContext", args)["code"], "Unavailable");
        }
    }
    // Code about secrets is code.
    let data = host.ok("getLiveContext", json!({ "filePath": "secrets.py" }));
    assert_eq!(data["current_document"]["text"], "TTL = 7\n");
}
