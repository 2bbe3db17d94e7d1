//! Edits of files on the disk by the real program (SPEC LC4).

use serde_json::{Value, json};

use crate::support::Place;

fn call(place: &Place, tool: &str, args: &Value) -> Value {
    place
        .run(&["call", tool, "--args", &args.to_string()])
        .json()
}

/// A version is the same in the next process, and an edit that is based on it is on the disk.
#[test]
fn a_version_outlives_the_process_that_gave_it() {
    let place = Place::new();
    let path = place.write("a.py", "x = 1\r\ny = 2\r\n");
    let live = call(
        &place,
        "codecortex_getLiveContext",
        &json!({ "filePath": "a.py" }),
    );
    let base = &live["data"]["current_document"]["versionId"];
    let edits = json!({ "edits": [{
        "filePath": "a.py", "baseVersion": base, "changes": [{ "oldText": "y = 2", "newText": "y = 3\nz = 4" }],
    }] });
    let done = call(&place, "codecortex_applyEdit", &edits);
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "x = 1\r\ny = 3\r\nz = 4\r\n"
    );
    let again = call(&place, "codecortex_applyEdit", &edits);
    assert_eq!(again["error"]["code"], "VersionConflict");
    let found = call(
        &place,
        "codecortex_searchApi",
        &json!({ "labelQuery": "z" }),
    );
    assert_eq!(found["data"]["total"], 1, "{found}");
}
