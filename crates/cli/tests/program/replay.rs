//! Recordings on the disk, listed, played back and verified (SPEC D27, LC6).

use std::fs;

use serde_json::json;

use crate::mcp::Session;
use crate::support::Place;

/// A recording that a session over MCP made: two looks and an edit between them.
fn recorded(place: &Place) -> String {
    place.write(".context/config.json", "{}");
    place.person_sets(&json!({ "record": true }));
    place.write("src/a.ts", "export const a = 1\n");
    let mut session = Session::start(place, &["--root", "."]);
    let mut call = |tool: &str, args: serde_json::Value| {
        let params = json!({ "name": tool, "arguments": args });
        session.request("tools/call", &params)["result"]["structuredContent"].clone()
    };
    let look = json!({ "filePath": "src/a.ts" });
    // The folder's settings are read with the first tick.
    call("codecortex_status", json!({}));
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let live = call("codecortex_getLiveContext", look.clone());
    let base = live["data"]["current_document"]["versionId"].clone();
    let change = json!({ "oldText": "a = 1", "newText": "a = 2" });
    let edit = json!({ "filePath": "src/a.ts", "baseVersion": base, "changes": [change] });
    let plan = call("codecortex_applyEdit", json!({ "edits": [edit] }));
    let id = &plan["data"]["planId"];
    let done = call(
        "codecortex_applyEdit",
        json!({ "edits": [edit], "planId": id }),
    );
    assert_eq!(done["data"]["applied"], true, "{done}");
    call("codecortex_getLiveContext", look);
    let folder = place.path().join(".context/replay");
    for _ in 0..100 {
        std::thread::sleep(std::time::Duration::from_millis(100));
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap();
            if text.matches("\"kind\":\"payload\"").count() == 2 {
                return entry
                    .path()
                    .file_stem()
                    .unwrap()
                    .to_string_lossy()
                    .into_owned();
            }
        }
    }
    panic!("nothing was recorded in {}", folder.display());
}

#[test]
fn a_recording_is_listed_played_and_verified() {
    let place = Place::new();
    assert!(place.run(&["replay"]).stdout.contains("No recordings"));
    let name = recorded(&place);
    assert!(place.run(&["replay"]).stdout.contains(&format!("{name}  ")));

    let steps = place.run(&["replay", &name]);
    assert_eq!(steps.code, Some(0), "{}", steps.stdout);
    assert!(
        steps.stdout.contains("payload 2: the same"),
        "{}",
        steps.stdout
    );
    assert!(steps.stdout.contains("edit done"));
    let payload = place.run(&["replay", &name, "--payload", "2"]);
    assert!(
        payload.stdout.contains("export const a = 2"),
        "{}",
        payload.stdout
    );
    let verified = place.run(&["replay", &name, "--verify", "--json"]).json();
    assert_eq!(
        (&verified["payloads"], &verified["others"]),
        (&json!(2), &json!([]))
    );

    // What was changed afterwards is noticed.
    let path = place.path().join(format!(".context/replay/{name}.jsonl"));
    let text = fs::read_to_string(&path).unwrap();
    let forged = text.replace("export const a = 1", "export const a = 7");
    assert_ne!(forged, text);
    fs::write(&path, forged).unwrap();
    let other = place.run(&["replay", &name, "--verify"]);
    assert_eq!(other.code, Some(1));

    assert_eq!(place.run(&["replay", "none"]).code, Some(1));
    assert_eq!(
        place.run(&["replay", &name, "--payload", "9"]).code,
        Some(1)
    );
}
