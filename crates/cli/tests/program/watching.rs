//! A running server and what others write beside it: the command line, `git pull`, editors (SPEC I1, D17).

use std::fs;

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

fn data(session: &mut Session, tool: &str, args: &Value) -> Value {
    let result = session.call(tool, args);
    assert_eq!(result["isError"], false, "{result}");
    result["structuredContent"]["data"].clone()
}

fn pinned(session: &mut Session) -> Vec<String> {
    let data = data(session, "codecortex_getContext", &json!({}));
    let pieces = data["pieces"].as_array().unwrap().iter();
    let pinned = pieces.filter(|piece| piece["tier"] == "pinned");
    let name = |piece: &Value| piece["symbol"].as_str().unwrap().to_owned();
    pinned.map(name).collect()
}

fn succeed(place: &Place, args: &[&str]) {
    let run = place.run(args);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_server_sees_what_the_command_line_writes_to_the_folder() {
    let place = Place::new();
    place.write("store.py", "class Store:\n    def add(self): ...\n");
    place.write("user.py", "class User:\n    def use(self): ...\n");
    succeed(&place, &["init"]);
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    assert_eq!(pinned(&mut session), [""; 0]);
    succeed(&place, &["context", "pin", "Store"]);
    assert_eq!(pinned(&mut session), ["store.Store"]);
    succeed(&place, &["context", "pin", "User"]);
    succeed(&place, &["context", "unpin", "Store"]);
    assert_eq!(pinned(&mut session), ["user.User"]);

    succeed(&place, &["pack", "build", "core", "type:Store"]);
    let packs = data(
        &mut session,
        "codecortex_pack",
        &json!({ "action": "list" }),
    );
    assert!(packs.to_string().contains("core"), "{packs}");
    succeed(&place, &["pack", "delete", "core"]);
    let packs = data(
        &mut session,
        "codecortex_pack",
        &json!({ "action": "list" }),
    );
    assert!(!packs.to_string().contains("core"), "{packs}");

    let total = |session: &mut Session| {
        let args = json!({ "labelQuery": "Store" });
        data(session, "codecortex_searchApi", &args)["total"].clone()
    };
    assert_eq!(total(&mut session), 1);
    place.write(".context/config.json", "{ \"exclude\": [\"store.py\"] }\n");
    assert_eq!(total(&mut session), 0);
    place.write(".context/config.json", "{}\n");
    assert_eq!(total(&mut session), 1);
    let remember = json!({ "text": "it works" });
    let refused = session.call("codecortex_remember", &remember);
    assert_eq!(refused["isError"], true, "{refused}");
    // What a repository says does not count, what the person says does at once.
    let opted_in = json!({ "flags": { "use_observations_store": true } });
    place.write(".context/config.json", opted_in.to_string());
    let refused = session.call("codecortex_remember", &remember);
    assert_eq!(refused["isError"], true, "{refused}");
    place.person_sets(&json!({ "observations": true }));
    data(&mut session, "codecortex_remember", &remember);
    let status = data(&mut session, "codecortex_status", &json!({}));
    assert_eq!(status["unwatched"], Value::Null, "{status}");
}

/// A folder that comes while a server runs, as with a change of branches.
#[test]
fn a_server_sees_a_folder_that_others_make_and_remove() {
    let place = Place::new();
    place.write("store.py", "class Store:\n    def add(self): ...\n");
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    assert_eq!(pinned(&mut session), [""; 0]);
    for _ in 0..2 {
        succeed(&place, &["context", "pin", "Store"]);
        assert_eq!(pinned(&mut session), ["store.Store"]);
        succeed(&place, &["context", "unpin", "Store"]);
        assert_eq!(pinned(&mut session), [""; 0]);
        // At once: the server may be writing there.
        let aside = tempfile::tempdir().unwrap();
        fs::rename(place.path().join(".context"), aside.path().join("old")).unwrap();
        assert_eq!(pinned(&mut session), [""; 0]);
    }
}
