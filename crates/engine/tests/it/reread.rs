//! What other processes write into a folder `.context/` that this one has read (SPEC D17).

use crate::support::{Host, MIXED, Node};
use codecortex_engine::protocol::Event;
use serde_json::{Value, json};

const FOLDER: &str = "/w/app/.context/";

fn kept() -> Host {
    let mut host = Host::new(MIXED);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    host.touched(&["/w/app/.context"]);
    host.settle();
    host.ok("getContext", json!({}));
    host.settle();
    host.committed.clear();
    host
}

/// Another process on the same disk.
fn other(host: &Host) -> Host {
    let mut other = Host::empty(&[("app", "/w/app")]);
    other.disk = host.disk.clone();
    other.mtimes = host.mtimes.clone();
    other.clock = host.clock;
    other.configure();
    other.settle();
    other
}

/// Puts the one's folder in place of the other's, and has it told as a watcher would.
fn hand_over(from: &Host, to: &mut Host) {
    let paths = copy(from, to);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    to.touched(&paths);
}

/// The same before a watcher has told of it. The files that are others.
fn copy(from: &Host, to: &mut Host) -> Vec<String> {
    let mut paths = Vec::new();
    for (path, time) in &from.mtimes {
        if path.starts_with(FOLDER) && to.mtimes.get(path) != Some(time) {
            to.disk.insert(path.clone(), from.disk[path].clone());
            to.mtimes.insert(path.clone(), *time);
            paths.push(path.clone());
        }
    }
    let gone: Vec<String> = to.mtimes.keys().cloned().collect();
    for path in gone {
        if path.starts_with(FOLDER) && !from.mtimes.contains_key(&path) {
            to.disk.remove(&path);
            to.mtimes.remove(&path);
        }
    }
    assert!(!paths.is_empty());
    to.clock = to.clock.max(from.clock);
    paths
}

fn change(host: &mut Host, action: &str, symbol: &str) {
    host.ok("context", json!({ "action": action, "symbols": [symbol] }));
}

fn pinned(host: &mut Host) -> Vec<String> {
    let data = host.ok("getContext", json!({}));
    let pieces = data["pieces"].as_array().unwrap().iter();
    let pinned = pieces.filter(|piece| piece["tier"] == "pinned");
    let name = |piece: &Value| piece["symbol"].as_str().unwrap().to_owned();
    let mut names: Vec<String> = pinned.map(name).collect();
    names.sort();
    names
}

/// The ledger's files that were written since this was asked last.
fn written(host: &mut Host) -> Vec<String> {
    let committed = std::mem::take(&mut host.committed);
    let ours = [".context/index.json", ".context/state.json"];
    let is_ours = |path: &String| ours.contains(&path.as_str());
    committed.into_iter().filter(is_ours).collect()
}

#[test]
fn what_another_process_puts_into_the_window_and_takes_out_is_seen() {
    let mut host = kept();
    let mut other = other(&host);
    change(&mut other, "pin", "HttpClient");
    other.settle();
    hand_over(&other, &mut host);
    // Whoever asks at once is answered from it.
    assert_eq!(pinned(&mut host), ["pkg.tools.HttpClient"]);
    host.settle();
    assert_eq!(pinned(&mut host), ["pkg.tools.HttpClient"]);
    assert_eq!(written(&mut host), [""; 0], "it has nothing to add");

    change(&mut other, "pin", "Server");
    change(&mut other, "unpin", "HttpClient");
    other.settle();
    hand_over(&other, &mut host);
    host.settle();
    assert_eq!(pinned(&mut host), ["lib.Server"]);
    assert_eq!(written(&mut host), [""; 0]);
}

/// Two processes that are told of each other's files come to rest.
#[test]
fn what_is_read_anew_is_not_written_again() {
    let mut one = kept();
    let mut two = other(&one);
    two.committed.clear();
    change(&mut one, "pin", "HttpClient");
    one.settle();
    assert!(!written(&mut one).is_empty());
    for _ in 0..3 {
        if one.mtimes != two.mtimes {
            hand_over(&one, &mut two);
            two.settle();
        }
        if one.mtimes != two.mtimes {
            hand_over(&two, &mut one);
            one.settle();
        }
    }
    assert_eq!(written(&mut one), [""; 0]);
    assert_eq!(written(&mut two), [""; 0]);
    assert_eq!(pinned(&mut two), ["pkg.tools.HttpClient"]);
}

#[test]
fn what_we_wrote_is_not_read_anew() {
    let mut host = kept();
    change(&mut host, "pin", "HttpClient");
    host.settle();
    written(&mut host);
    // It would be gone from the window if the folder were read from here.
    let state = format!("{FOLDER}state.json");
    let Some(Node::File(bytes)) = host.disk.get_mut(&state) else {
        panic!("there is no {state}");
    };
    *bytes = b"{}".to_vec();
    let own: Vec<String> = host.mtimes.keys().cloned().collect();
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let own: Vec<&str> = own
        .into_iter()
        .filter(|it| it.starts_with(FOLDER))
        .collect();
    host.touched(&own);
    host.settle();
    assert_eq!(pinned(&mut host), ["pkg.tools.HttpClient"]);
    assert_eq!(written(&mut host), [""; 0]);
}

#[test]
fn what_is_new_here_is_kept_beside_what_others_wrote() {
    let mut host = kept();
    let mut other = other(&host);
    change(&mut other, "pin", "HttpClient");
    other.settle();
    // No notice has come yet: the disk is another than was read.
    copy(&other, &mut host);
    let now_ms = host.clock;
    host.send(Event::Time { now_ms });
    change(&mut host, "pin", "Server");
    host.settle();
    assert_eq!(pinned(&mut host), ["lib.Server", "pkg.tools.HttpClient"]);
    let state = host.text(&format!("{FOLDER}state.json")).unwrap();
    assert!(state.contains("lib.Server") && state.contains("pkg.tools.HttpClient"));
}

#[test]
fn a_text_that_another_process_made_or_changed_is_shown() {
    let mut host = kept();
    change(&mut host, "pin", "NodeStore");
    host.settle();
    let data = host.ok("resolveSymbol", json!({ "symbol": "NodeStore" }));
    let id = data["resolved"]["typeId"].as_str().unwrap().to_owned();
    let path = format!("{FOLDER}types/{id}.semantic.md");
    let index_path = format!("{FOLDER}index.json");
    let index = host.text(&index_path).unwrap();
    let (head, tail) = index.split_at(index.find(&id).unwrap());
    let (none, cached) = (
        "\"semanticState\": \"none\"",
        "\"semanticState\": \"cached\"",
    );
    let index = format!("{head}{}", tail.replacen(none, cached, 1));
    host.write(&path, "# Semantic: NodeStore\n\nROLE: Keeps nodes.\n");
    host.write(&index_path, &index);
    host.touched(&[&path, &index_path]);
    host.settle();
    let shown = |host: &mut Host| {
        let data = host.ok("getContext", json!({}));
        data["pieces"][0]["text"].as_str().unwrap().to_owned()
    };
    assert!(shown(&mut host).contains("ROLE: Keeps nodes."));
    host.write(&path, "# Semantic: NodeStore\n\nROLE: Loses nodes.\n");
    host.touched(&[&path]);
    host.settle();
    assert!(shown(&mut host).contains("ROLE: Loses nodes."));
}
