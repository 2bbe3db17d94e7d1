//! `codecortex serve`: JSON-RPC 2.0 over stdin and stdout and over a socket (SPEC RPC1, `000` §6).

use std::io::{BufRead, BufReader, Read, Write};

use serde_json::{Value, json};

use crate::support::{Place, Talk};

const STORE: &str = "namespace MemoTree.Core;\npublic class NodeStore {\n    public int Add(int n) { return n; }\n    void Go() { Add(1); }\n}\n";

fn place() -> Place {
    let place = Place::new();
    place.write("src/NodeStore.cs", STORE);
    place
}

/// The reply to a request, behind notices of progress.
fn ask(talk: &mut Talk, id: u32, method: &str, params: &Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    talk.say(&request.to_string());
    loop {
        let heard = talk.hear();
        if heard["id"] == id {
            return heard;
        }
        assert!(
            heard.get("id").is_none() && heard["method"].is_string(),
            "{heard}"
        );
    }
}

#[test]
fn the_methods_of_the_contract_are_answered() {
    let place = place();
    let mut talk = place.talk(&["serve", "--stdio", "--root", "."]);
    let path = "MemoTree.Core.NodeStore";
    for (id, (method, params, field)) in [
        (
            "ResolveSymbol",
            json!({ "path": "NodeStore" }),
            "candidates",
        ),
        ("GetOutline", json!([path]), "outlineText"),
        (
            "GetMemberOutline",
            json!({ "memberPath": "MemoTree.Core.NodeStore.Add" }),
            "text",
        ),
        ("SearchSymbols", json!(["node", 10]), "symbols"),
        (
            "FindUsages",
            json!({ "path": "NodeStore.Add", "maxResults": 5 }),
            "usages",
        ),
        ("GetSemantic", json!({ "path": path }), "semanticState"),
        ("Pin", json!({ "path": path }), "success"),
        ("GetPromptWindow", json!({}), "windowText"),
        ("Dismiss", json!({ "path": path }), "success"),
        ("Unpin", json!({ "path": path }), "success"),
        (
            "BuildPack",
            json!({ "name": "core", "filterSpec": "namespace:MemoTree.*" }),
            "types",
        ),
        ("ListPacks", json!([]), "packs"),
        ("Status", json!({}), "files"),
        (
            "codecortex_hashes",
            json!({ "symbol": path }),
            "structureHash",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let reply = ask(&mut talk, id as u32, method, &params);
        assert!(!reply["result"][field].is_null(), "{method} {reply}");
    }
    let reply = ask(&mut talk, 90, "GetOutline", &json!(["NodeStroe"]));
    let data = &reply["error"]["data"];
    assert_eq!(data["code"], "SymbolNotFound", "{reply}");
    assert!(
        data["suggestions"]
            .as_array()
            .unwrap()
            .contains(&json!("NodeStore")),
        "{reply}"
    );
    assert_eq!(
        ask(&mut talk, 91, "Nothing", &json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(talk.end().0, Some(0));
}

#[test]
fn what_is_broken_is_answered_and_a_batch_is_answered_together() {
    let place = place();
    let mut talk = place.talk(&["serve", "--stdio", "--root", "."]);
    talk.say("{");
    assert_eq!(talk.hear()["error"]["code"], -32700);
    talk.say("[1]");
    assert_eq!(talk.hear()[0]["error"]["code"], -32600);
    let status = json!({ "jsonrpc": "2.0", "id": 1, "method": "Status" });
    let silent = json!({ "jsonrpc": "2.0", "method": "Status" });
    let none = json!({ "jsonrpc": "2.0", "id": 2, "method": "Nothing" });
    talk.say(&json!([status, silent, none]).to_string());
    let replies = loop {
        let heard = talk.hear();
        if heard.is_array() {
            break heard;
        }
    };
    let mut ids: Vec<u64> = replies
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| reply["id"].as_u64().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2]);
    assert_eq!(talk.end().0, Some(0));
}

#[test]
fn messages_behind_headers_are_answered_behind_headers() {
    let place = place();
    let request =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ResolveSymbol", "params": ["NodeStore"] });
    let request = request.to_string();
    let message = format!("Content-Length: {}\r\n\r\n{request}", request.len());
    let run = place.run_with(&["serve", "--stdio", "--root", "."], message.as_bytes());
    let last = run.stdout.rsplit("Content-Length: ").next().unwrap();
    let (length, body) = last.split_once("\r\n\r\n").unwrap();
    assert_eq!(length.parse::<usize>().unwrap(), body.len());
    let reply: Value = serde_json::from_str(body).unwrap();
    assert_eq!(
        reply["result"]["resolved"]["path"],
        "MemoTree.Core.NodeStore"
    );
}

#[test]
fn edits_are_planned_unless_the_command_line_lets_them_be_made() {
    for (args, expected) in [
        (&["serve", "--stdio", "--root", "."][..], STORE.to_owned()),
        (
            &["serve", "--stdio", "--apply", "--root", "."],
            STORE.replace("return n", "return 2"),
        ),
    ] {
        let place = place();
        let mut talk = place.talk(args);
        let file = json!({ "filePath": "src/NodeStore.cs" });
        let live = ask(&mut talk, 7, "codecortex_getLiveContext", &file);
        let base = &live["result"]["current_document"]["versionId"];
        let changes = json!([{ "oldText": "return n", "newText": "return 2" }]);
        let edit =
            json!({ "filePath": "src/NodeStore.cs", "baseVersion": base, "changes": changes });
        let edit = json!({ "edits": [edit] });
        let reply = ask(&mut talk, 1, "codecortex_applyEdit", &edit);
        assert!(reply["result"].is_object(), "{reply}");
        let text = std::fs::read_to_string(place.path().join("src/NodeStore.cs")).unwrap();
        assert_eq!(text, expected);
        assert_eq!(talk.end().0, Some(0));
    }
}

#[test]
fn a_peer_hears_of_types_that_change() {
    let place = place();
    let mut talk = place.talk(&["serve", "--stdio", "--root", "."]);
    ask(&mut talk, 1, "ResolveSymbol", &json!(["NodeStore"]));
    // What happens before the peer's first look at the index is no change, so somebody goes on editing.
    let told = (2..).find_map(|id| {
        place.write(
            "src/NodeStore.cs",
            STORE.replace("return n", &format!("return n + {id}")),
        );
        let params = json!({ "symbol": "NodeStore" });
        let request =
            json!({ "jsonrpc": "2.0", "id": id, "method": "codecortex_hashes", "params": params });
        talk.say(&request.to_string());
        let mut heard = std::iter::repeat_with(|| talk.hear());
        let until = heard.find(|heard| heard["id"] == id || heard["method"] == "TypesChanged");
        until.filter(|heard| heard["method"] == "TypesChanged")
    });
    let told = told.unwrap();
    assert_eq!(
        told["params"]["changes"][0]["path"], "MemoTree.Core.NodeStore",
        "{told}"
    );
    assert_eq!(talk.end().0, Some(0));
}

#[cfg(unix)]
#[test]
fn peers_share_a_socket_that_is_gone_afterwards() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::net::UnixStream;

    let place = place();
    let socket = place.path().join("cortex.sock");
    // Left by a process that was killed.
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let name = socket.to_str().unwrap();
    let mut server = place
        .command(&["serve", "--pipe", name, "--root", "."])
        .spawn()
        .unwrap();
    let connect = || loop {
        match UnixStream::connect(&socket) {
            Ok(stream) => return stream,
            Err(_) => std::thread::yield_now(),
        }
    };
    let (mut first, mut second) = (connect(), connect());
    for peer in [&mut first, &mut second] {
        writeln!(
            peer,
            r#"{{"jsonrpc":"2.0","id":1,"method":"ResolveSymbol","params":["NodeStore"]}}"#
        )
        .unwrap();
    }
    for peer in [&first, &second] {
        let mut lines = BufReader::new(peer).lines();
        let reply = lines.find_map(|line| {
            let heard: Value = serde_json::from_str(&line.unwrap()).unwrap();
            (heard["id"] == 1 && heard["method"].is_null()).then_some(heard)
        });
        let reply = reply.unwrap();
        assert_eq!(
            reply["result"]["resolved"]["path"],
            "MemoTree.Core.NodeStore"
        );
    }
    let mode = std::fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let taken = place.run(&["serve", "--pipe", name, "--root", "."]);
    assert_eq!(taken.code, Some(1), "{}", taken.stderr);
    assert!(socket.exists(), "it is the first one's");
    let id = server.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-s", "TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(!socket.exists());
    let mut rest = Vec::new();
    first.read_to_end(&mut rest).unwrap();
}
