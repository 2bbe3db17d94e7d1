//! The prompt window: tiers, budget, time, what is kept on the disk (SPEC PW1, PW2, D17, D23, BU1).

use crate::support::{Host, MIXED};
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::CallerKind;
use codecortex_engine::protocol::Event;
use codecortex_engine::protocol::Position;
use codecortex_engine::protocol::TextChange;
use codecortex_engine::tokens_approx;
use proptest::prelude::*;
use serde_json::{Value, json};

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().unwrap().iter();
    list.map(|one| {
        format!(
            "{} {}",
            one["tier"].as_str().unwrap(),
            one["symbol"].as_str().unwrap()
        )
    })
    .collect()
}

fn change(host: &mut Host, action: &str, symbols: &[&str]) -> Value {
    host.ok("context", json!({ "action": action, "symbols": symbols }))
}

fn minutes(host: &mut Host, minutes: f64) {
    let now_ms = 1.7e12 + minutes * 60_000.0;
    host.clock = now_ms;
    host.send(Event::Time { now_ms });
}

/// Calls as an editor does that shows something to a person.
fn look(host: &mut Host, tool: &str, args: Value) -> Value {
    let caller = Caller {
        kind: CallerKind::Editor,
        ..Caller::default()
    };
    let answer = host.call_at(&format!("codecortex_{tool}"), args, caller);
    assert!(answer.ok, "{answer:?}");
    serde_json::from_str::<Value>(&answer.json.unwrap()).unwrap()["data"].take()
}

/// `count` classes, each of which uses the one before it.
fn many(count: usize) -> Host {
    let mut host = Host::empty(&[("app", "/w/app")]);
    for n in 0..count {
        let before = n.saturating_sub(1);
        let text = format!(
            "namespace Many;\n/// <summary>Number {n}.</summary>\npublic class Type{n} {{\n  public void \
             Take(Type{before} other) {{ }}\n  public int First(int a) => a;\n  public int Second(int a) => a;\n}}\n"
        );
        host.write(&format!("/w/app/t{n}.cs"), &text);
    }
    host.configure();
    minutes(&mut host, 0.0);
    host
}

#[test]
fn pinned_before_focus_before_recent_and_dependencies_first() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    for symbol in ["Server", "HttpClient", "NodeStore"] {
        host.ok("getOutline", json!({ "symbol": symbol }));
    }
    change(&mut host, "pin", &["Server.Listen", "pkg/tools.py"]);
    change(&mut host, "add", &["HttpClient"]);
    let data = host.ok("getContext", json!({}));
    assert_eq!(
        names(&data["pieces"]),
        [
            "pinned lib.Server.Listen",
            "pinned pkg/tools.py",
            "focus pkg.tools.HttpClient",
            "recent lib.Server",
            "recent Memo.Core.NodeStore",
        ]
    );
    // Who asks for a type sees what it is made of before it.
    host.ok("getOutline", json!({ "symbol": "NodeStore" }));
    let data = host.ok("getContext", json!({}));
    assert_eq!(
        names(&data["pieces"])[2..],
        [
            "focus pkg.tools.HttpClient",
            "focus Memo.Core.Base",
            "focus Memo.Core.IStore",
            "focus Memo.Core.NodeStore",
            "recent lib.Server",
        ]
    );
    let base = &data["pieces"][3];
    assert_eq!(base["reason"], "base of Memo.Core.NodeStore");
    assert_eq!(base["form"], "outline");
    assert_eq!(data["cutTotal"], Value::Null);
    let used: u64 = data["bySource"]
        .as_object()
        .unwrap()
        .values()
        .map(|v| v.as_u64().unwrap())
        .sum();
    assert!(
        used > 0 && data["usedTokens"].as_u64().unwrap() <= data["budgetTokens"].as_u64().unwrap()
    );
    assert!(
        data["spent"]["byTool"]["codecortex_getOutline"]
            .as_u64()
            .unwrap()
            > 0
    );
    let spent = &host.ok("getContext", json!({ "list": true }))["spent"];
    let dearest = &spent["bySymbol"][0];
    assert_eq!(dearest["symbol"], "Memo.Core.NodeStore");
    assert!(dearest["calls"].as_u64().unwrap() >= 1 && dearest["tokens"].as_u64().unwrap() > 0);
    assert_eq!(
        data["spent"]["bySymbol"],
        Value::Null,
        "texts have no account"
    );
    // The same state is the same window, to the letter.
    let text = |host: &mut Host| {
        let args = json!({ "format": "text" });
        host.call_at("codecortex_getContext", args, Caller::default())
            .text
            .unwrap()
    };
    assert_eq!(text(&mut host), text(&mut host));
    let text = text(&mut host);
    assert!(
        text.starts_with(
            "# Prompt Window\n## Pinned\n### lib.Server.Listen [method] app/lib/main.go:"
        ),
        "{text}"
    );
    assert!(text.contains("## Focus\n") && text.contains("## Recent\n"));
    let list = host.ok("getContext", json!({ "list": true }));
    assert!(list["pieces"][0]["text"].is_null());
}

#[test]
fn focus_ends_after_half_an_hour_and_dismissed_comes_back_when_it_is_used() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    for symbol in ["Server", "HttpClient"] {
        host.ok("getOutline", json!({ "symbol": symbol }));
    }
    change(&mut host, "add", &["Base"]);
    // To name it was to query it; another one is queried last now.
    host.ok("getOutline", json!({ "symbol": "HttpClient" }));
    let has = |host: &mut Host, name: &str| {
        let data = host.ok("getContext", json!({ "list": true }));
        names(&data["pieces"]).contains(&name.to_owned())
    };
    minutes(&mut host, 29.0);
    assert!(has(&mut host, "focus Memo.Core.Base"));
    // A clock that is set back makes nothing immortal.
    minutes(&mut host, -600.0);
    assert!(has(&mut host, "focus Memo.Core.Base"));
    minutes(&mut host, -569.0);
    assert!(!has(&mut host, "focus Memo.Core.Base"));
    assert!(has(&mut host, "recent lib.Server"));
    change(&mut host, "dismiss", &["lib.Server"]);
    // To name it was to use it; it was dismissed after that.
    assert!(!has(&mut host, "recent lib.Server") && !has(&mut host, "focus lib.Server"));
    host.ok("getOutline", json!({ "symbol": "Server" }));
    assert!(has(&mut host, "focus lib.Server"));
    change(&mut host, "add", &["Base", "IStore"]);
    assert_eq!(
        host.ok("context", json!({ "action": "clear" }))["changed"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    change(&mut host, "pin", &["Base"]);
    assert_eq!(
        change(&mut host, "pin", &["Base"])["unchanged"],
        json!(["Memo.Core.Base"])
    );
    // A pin is no focus: it stays, and that is said.
    let dismissed = change(&mut host, "dismiss", &["Base"]);
    assert_eq!(dismissed["changed"], json!([]));
    assert_eq!(dismissed["unchanged"], json!(["Memo.Core.Base"]));
    assert!(dismissed["notices"][0].as_str().unwrap().contains("unpin"));
    assert!(has(&mut host, "pinned Memo.Core.Base"));
    assert_eq!(change(&mut host, "unpin", &["Base"])["pinned"], 0);
    for (args, code) in [
        (json!({ "action": "pin" }), "InvalidParams"),
        (
            json!({ "action": "eat", "symbols": ["Base"] }),
            "InvalidParams",
        ),
        (json!({ "action": "pin", "symbols": [1] }), "InvalidParams"),
        (
            json!({ "action": "clear", "symbols": ["Base"] }),
            "InvalidParams",
        ),
        (
            json!({ "action": "pin", "symbols": ["Nowhere"] }),
            "SymbolNotFound",
        ),
        (
            json!({ "action": "unpin", "symbols": ["Nowhere"] }),
            "SymbolNotFound",
        ),
    ] {
        assert_eq!(host.fail("context", args.clone())["code"], code, "{args}");
    }
    assert_eq!(
        host.fail("getContext", json!({ "profile": "huge" }))["code"],
        "InvalidParams"
    );
}

#[test]
fn looking_is_no_use_costs_nothing_and_writes_nothing() {
    let mut host = Host::new(MIXED);
    host.write("/w/app/.context/config.json", "{}");
    host.configure();
    minutes(&mut host, 0.0);
    host.ok("getOutline", json!({ "symbol": "HttpClient" }));
    let before = look(&mut host, "getContext", json!({ "list": true }));
    assert_eq!(before["spent"]["byTool"].as_object().unwrap().len(), 1);
    look(
        &mut host,
        "getOutline",
        json!({ "symbol": "Server", "form": "outline" }),
    );
    host.settle();
    let after = look(&mut host, "getContext", json!({ "list": true }));
    assert_eq!(
        (&before["spent"], names(&before["pieces"])),
        (&after["spent"], names(&after["pieces"]))
    );
    assert_eq!(host.text("/w/app/.context/prompt_window.md"), None);
    let outlines = |host: &Host| {
        let all = host.disk.keys();
        all.filter(|path| path.ends_with(".outline.md")).count()
    };
    let before = outlines(&host);
    host.ok(
        "getOutline",
        json!({ "symbol": "Server", "form": "outline" }),
    );
    host.ok("getContext", json!({ "list": true }));
    host.settle();
    assert_eq!(outlines(&host), before + 1);
    assert!(host.text("/w/app/.context/prompt_window.md").is_some());
}

#[test]
fn who_shows_the_window_is_told_of_every_edit_once() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    change(&mut host, "pin", &["app/pkg/tools.py"]);
    host.send(Event::Opened {
        path: "/w/app/pkg/tools.py".into(),
        version: 1,
        text: host.text("/w/app/pkg/tools.py").unwrap(),
        dirty: false,
    });
    let whole = look(&mut host, "getContext", json!({ "list": true }));
    let told = host.window_changes;
    let again = look(&mut host, "getContext", json!({ "list": true }));
    assert_eq!((&whole, host.window_changes), (&again, told));
    let start = Position {
        line: 0,
        character: 0,
    };
    host.send(Event::Edited {
        path: "/w/app/pkg/tools.py".into(),
        version: 2,
        changes: vec![TextChange {
            start,
            end: start,
            text: "class Fresh:\n    pass\n".into(),
        }],
        dirty: true,
    });
    assert_eq!(host.window_changes, told + 1);
    let edited = look(&mut host, "getContext", json!({ "list": true }));
    assert_ne!(whole["usedTokens"], edited["usedTokens"]);
    assert_eq!(host.window_changes, told + 1, "it has just been asked for");
}

#[test]
fn pins_take_their_part_and_are_said_in_fewer_words_before_they_are_cut() {
    let mut host = many(60);
    host.write(
        "/w/app/.context/config.json",
        "{ \"promptWindow\": { \"maxChars\": 4000 } }",
    );
    host.configure();
    host.settle();
    let all: Vec<String> = (0..60).map(|n| format!("Type{n}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    change(&mut host, "pin", &all[..40]);
    let data = host.ok("getContext", json!({}));
    assert_eq!(data["budgetTokens"], 1000);
    let pinned = data["bySource"]["pinned"].as_u64().unwrap();
    assert!((400..=600).contains(&pinned), "{pinned}");
    assert_eq!(
        data["pieces"].as_array().unwrap().len(),
        40,
        "all of them, in fewer words"
    );
    assert_eq!(data["pieces"][0]["form"], "outline");
    assert_eq!(data["pieces"][39]["form"], "name");
    assert!(
        data["downgrades"]
            .as_array()
            .unwrap()
            .contains(&json!("Many.Type39: outline→name"))
    );
    for one in &all[50..] {
        host.ok("getOutline", json!({ "symbol": one }));
    }
    let data = host.ok("getContext", json!({}));
    assert!(
        data["bySource"]["recent"].as_u64().unwrap() + data["bySource"]["focus"].as_u64().unwrap()
            > 200
    );
    assert!(data["usedTokens"].as_u64().unwrap() <= 1000);
    // With more than fit even by name, some are cut, and it is said why.
    host.write(
        "/w/app/.context/config.json",
        "{ \"promptWindow\": { \"maxChars\": 800 } }",
    );
    host.touched(&["/w/app/.context/config.json"]);
    host.settle();
    let data = host.ok("getContext", json!({}));
    assert_eq!(data["cut"][0]["tier"], "pinned");
    assert_eq!(data["cut"][0]["reason"], "pins have taken their part");
    assert!(data["notices"][0].as_str().unwrap().contains("60 %"));
}

#[test]
fn it_is_kept_on_the_disk_and_there_after_a_restart() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    host.settle();
    assert!(
        host.text("/w/app/.context/state.json").is_none(),
        "nobody asked for files"
    );
    change(&mut host, "pin", &["NodeStore"]);
    assert!(
        host.text("/w/app/.context/state.json").is_some(),
        "it is on the disk when the call is answered"
    );
    let window = host.text("/w/app/.context/prompt_window.md").unwrap();
    assert!(
        window.contains("### Memo.Core.NodeStore [class] app/src/"),
        "{window}"
    );
    host.touched(&["/w/app/.context"]);
    change(&mut host, "add", &["HttpClient"]);
    host.settle();
    let state: Value =
        serde_json::from_str(&host.text("/w/app/.context/state.json").unwrap()).unwrap();
    assert_eq!(
        state["promptWindow"]["pins"][0]["path"],
        "Memo.Core.NodeStore"
    );
    assert_eq!(
        state["promptWindow"]["focus"][0]["path"],
        "pkg.tools.HttpClient"
    );
    // Nothing new is nothing written.
    host.committed.clear();
    host.settle();
    assert!(host.committed.is_empty(), "{:?}", host.committed);
    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    minutes(&mut host, 5.0);
    let data = host.ok("getContext", json!({}));
    let shown = names(&data["pieces"]);
    assert!(
        shown.contains(&"pinned Memo.Core.NodeStore".to_owned()),
        "{shown:?}"
    );
    assert!(
        shown.contains(&"focus pkg.tools.HttpClient".to_owned()),
        "{shown:?}"
    );
    assert_eq!(data["pieces"][0]["ageMinutes"], 5);
    // A pinned type that is renamed away is said to be gone, and can be unpinned.
    host.write(
        "/w/app/src/Store.cs",
        "namespace Memo.Core; public class Other { }\n",
    );
    host.write("/w/app/src/Store.Part.cs", "");
    host.touched(&["/w/app/src/Store.cs", "/w/app/src/Store.Part.cs"]);
    let data = host.ok("getContext", json!({}));
    let gone = data["cut"]
        .as_array()
        .unwrap()
        .iter()
        .find(|cut| cut["symbol"] == "Memo.Core.NodeStore");
    assert_eq!(gone.unwrap()["reason"], "it is not there any more");
    assert_eq!(
        change(&mut host, "unpin", &["Memo.Core.NodeStore"])["pinned"],
        0
    );
}

/// Lines of a text that have a number, which must stand in a file as they are; how many there are.
fn lines_as_in_file(host: &Host, text: &str, path: &str) -> usize {
    let file = host.text(path).unwrap();
    let file: Vec<&str> = file.lines().collect();
    let numbered = text.lines().filter_map(|line| {
        let (number, rest) = line.split_once(':')?;
        Some((
            number.parse::<usize>().ok()?,
            rest.strip_prefix(' ').unwrap_or(rest),
        ))
    });
    let shown: Vec<(usize, &str)> = numbered.collect();
    for (number, line) in &shown {
        assert_eq!(file[number - 1], *line, "{path}:{number} in {text}");
    }
    shown.len()
}

#[test]
fn code_is_shown_line_by_line_to_calls_and_in_the_file() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    let told = change(&mut host, "pin", &["HttpClient.get_page", "Server"]);
    let data = host.ok("getContext", json!({}));
    let [method, server] = [0, 1].map(|at| data["pieces"][at].clone());
    assert_eq!(
        (&method["form"], &server["form"]),
        (&json!("source"), &json!("outline"))
    );
    let text = |piece: &Value| piece["text"].as_str().unwrap().to_owned();
    assert_eq!(
        lines_as_in_file(&host, &text(&method), "/w/app/pkg/tools.py"),
        2
    );
    assert_eq!(
        lines_as_in_file(&host, &text(&server), "/w/app/lib/main.go"),
        2
    );
    // What a pin was said to cost is what it costs, and the window is the same for the call that pinned.
    assert_eq!(told["changed"][0]["tokens"], method["tokens"]);
    assert_eq!(told["usedTokens"], data["usedTokens"]);
    let window = |host: &Host| host.text("/w/app/.context/prompt_window.md").unwrap();
    assert!(window(&host).contains(&text(&method)) && window(&host).contains(&text(&server)));
    // Unsaved lines are for calls alone.
    let saved = host.text("/w/app/pkg/tools.py").unwrap();
    let unsaved = saved.replace("return url", "return url + self.draft");
    host.send(Event::Opened {
        path: "/w/app/pkg/tools.py".to_owned(),
        version: 1,
        text: unsaved.clone(),
        dirty: true,
    });
    let data = host.ok("getContext", json!({}));
    assert!(
        text(&data["pieces"][0]).contains("\n4:         return url + self.draft\n"),
        "{data}"
    );
    change(&mut host, "pin", &["Base"]);
    host.settle();
    assert!(!window(&host).contains("draft"), "{}", window(&host));
    // A saved body is in the file again, without a call.
    host.send(Event::Closed {
        path: "/w/app/pkg/tools.py".to_owned(),
    });
    host.write("/w/app/pkg/tools.py", &unsaved);
    host.touched(&["/w/app/pkg/tools.py"]);
    host.settle();
    assert!(
        window(&host).contains("4:         return url + self.draft\n"),
        "{}",
        window(&host)
    );
}

/// A type with a semantic text says its parts as far as there is room, the role before all others.
#[test]
fn semantic_texts_are_shown_as_far_as_there_is_room() {
    let mut host = Host::new(MIXED);
    minutes(&mut host, 0.0);
    host.send(Event::KeepContext { root: 0 });
    change(&mut host, "pin", &["NodeStore"]);
    host.settle();
    let data = host.ok("resolveSymbol", json!({ "symbol": "NodeStore" }));
    let id = data["resolved"]["typeId"].as_str().unwrap().to_owned();
    let text = format!(
        "# Semantic: NodeStore {id}\n\nROLE: Keeps nodes.\nLIFECYCLE: {}\n",
        "long ".repeat(400)
    );
    host.write(&format!("/w/app/.context/types/{id}.semantic.md"), &text);
    // As another process leaves it that has made the text.
    let index = host.text("/w/app/.context/index.json").unwrap();
    let at = index.find(&id).unwrap();
    let (head, tail) = index.split_at(at);
    let tail = tail.replacen(
        "\"semanticState\": \"none\"",
        "\"semanticState\": \"cached\"",
        1,
    );
    host.write("/w/app/.context/index.json", &format!("{head}{tail}"));
    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    minutes(&mut host, 1.0);
    host.settle();
    let data = host.ok("getContext", json!({}));
    let piece = &data["pieces"][0];
    assert_eq!(piece["form"], "outline+LIFECYCLE", "{data}");
    assert!(
        piece["text"]
            .as_str()
            .unwrap()
            .contains("ROLE: Keeps nodes.\nLIFECYCLE: long")
    );
    let data = host.ok("getContext", json!({ "maxTokens": 900 }));
    assert_eq!(data["pieces"][0]["form"], "outline+ROLE");
    let downgrades = data["downgrades"].to_string();
    assert!(
        downgrades.contains("outline+LIFECYCLE→outline+ROLE"),
        "{downgrades}"
    );
}

#[test]
fn ten_thousand_pins_do_no_harm() {
    let mut host = many(200);
    let mut state = Vec::new();
    for n in 0..10_000 {
        state.push(
            json!({ "id": format!("T_{n:08}"), "path": format!("Many.Type{n}"), "since": 1 }),
        );
    }
    host.send(Event::KeepContext { root: 0 });
    host.settle();
    let text = host.text("/w/app/.context/state.json").unwrap();
    let mut file: Value = serde_json::from_str(&text).unwrap();
    file["promptWindow"] = json!({ "pins": state });
    host.write("/w/app/.context/state.json", &file.to_string());
    let cache = host.engine.export_cache(1.0);
    host.restart(cache);
    let data = host.ok("getContext", json!({}));
    assert!(data["usedTokens"].as_u64().unwrap() <= data["budgetTokens"].as_u64().unwrap());
    assert!(data["cutTotal"].as_u64().unwrap() > 9_000);
    assert!(data["cut"].as_array().unwrap().len() <= 50);
    let error = host.fail(
        "context",
        json!({ "action": "pin", "symbols": ["Type7.First"] }),
    );
    assert_eq!(error["code"], "InvalidParams", "{error}");
}

fn any_step() -> impl Strategy<Value = (&'static str, usize)> {
    let action = prop::sample::select(vec!["pin", "unpin", "add", "dismiss", "look"]);
    (action, 0usize..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever was put in, no window and no answer is above its budget, and the same state gives the same
    /// bytes (SPEC BU1, X1, D14).
    #[test]
    fn no_window_is_above_its_budget(
        steps in prop::collection::vec(any_step(), 0..40),
        budgets in prop::collection::vec(prop_oneof![Just(0u32), Just(1), 0u32..3000], 30),
    ) {
        let mut host = many(30);
        for (action, number) in steps {
            let symbol = format!("Type{number}");
            match action {
                "look" => drop(host.ok("getOutline", json!({ "symbol": symbol }))),
                action => drop(change(&mut host, action, &[&symbol])),
            }
        }
        for budget in budgets {
            for format in ["json", "text"] {
                let args = json!({ "maxTokens": budget, "format": format });
                let answer = host.call_at("codecortex_getContext", args.clone(), Caller::default());
                let text = answer.json.or(answer.text).unwrap();
                if answer.ok {
                    prop_assert!(tokens_approx(&text) <= budget, "{budget}: {text}");
                } else {
                    prop_assert!(text.contains("BudgetExceeded"), "{text}");
                    prop_assert!(budget < 40 || tokens_approx(&text) <= budget, "{text}");
                }
                if format == "text" {
                    let again = host.call_at("codecortex_getContext", args, Caller::default());
                    prop_assert_eq!(again.text.unwrap(), text);
                }
            }
        }
    }
}

#[test]
fn the_same_path_in_two_folders_is_two_things() {
    let mut host = Host::empty(&[("app", "/w/app"), ("lib", "/w/lib")]);
    for root in ["app", "lib"] {
        let text = format!("namespace Core;\npublic class Node {{ public int Of{root}; }}\n");
        host.write(&format!("/w/{root}/src/node.cs"), &text);
    }
    host.configure();
    minutes(&mut host, 0.0);
    let act = |action: &str, symbol: &str, folder: &str| {
        let folder = Some(folder).filter(|folder| !folder.is_empty());
        json!({ "action": action, "symbols": [symbol], "folder": folder })
    };
    for root in ["app", "lib"] {
        let done = host.ok("context", act("pin", "Core.Node", root));
        assert_eq!(done["changed"][0]["symbol"], "Core.Node", "{done}");
        let done = host.ok("context", act("pin", "src/node.cs", root));
        assert_eq!(done["changed"][0]["id"], "file:src/node.cs", "{done}");
    }
    let window = host.ok("getContext", json!({}));
    let pieces = window["pieces"].as_array().unwrap();
    let of = |folder: &str, symbol: &str| {
        let is_it = |piece: &&Value| piece["folder"] == folder && piece["symbol"] == symbol;
        let found = pieces.iter().find(is_it);
        found.map(|piece| piece["text"].as_str().unwrap().to_owned())
    };
    for root in ["app", "lib"] {
        let text = of(root, "Core.Node").unwrap();
        assert!(text.contains(&format!("Of{root}")), "{text}");
        let text = of(root, "src/node.cs").unwrap();
        assert!(text.contains(&format!("{root}/src/node.cs")), "{text}");
    }
    // By the name alone nobody knows which one is meant.
    for name in ["src/node.cs", "Core.Node"] {
        let error = host.fail("context", act("unpin", name, ""));
        assert_eq!(error["code"], "InvalidParams", "{error}");
        assert_eq!(error["hint"], "Give `folder`: app or lib.");
    }
    let id = pieces[0]["id"].as_str().unwrap();
    assert_eq!(host.ok("context", act("unpin", id, "lib"))["pinned"], 3);
    assert_eq!(
        host.ok("context", act("unpin", "lib/src/node.cs", ""))["pinned"],
        2
    );
    let list = json!({ "list": true, "format": "text" });
    let text = host
        .call_at("codecortex_getContext", list, Caller::default())
        .text
        .unwrap();
    assert!(
        text.starts_with("pinned Core.Node (app): outline, "),
        "{text}"
    );
    let left = host.ok("getContext", json!({ "list": true }));
    let pieces = left["pieces"].as_array().unwrap().iter();
    let mut pinned = pieces.filter(|piece| piece["tier"] == "pinned");
    assert!(pinned.all(|piece| piece["folder"] == "app"), "{left}");
    let error = host.fail("context", act("pin", "Core.Node", "elsewhere"));
    assert_eq!(error["hint"], "Its folders: app, lib.");
}

#[test]
fn what_is_said_of_text_that_nobody_saved_says_so() {
    let mut host = many(2);
    change(&mut host, "pin", &["t1.cs"]);
    assert_eq!(
        host.ok("getContext", json!({}))["index"]["unsaved"],
        Value::Null
    );
    let path = "/w/app/t1.cs".to_owned();
    let text = "namespace Many;\npublic class Unsaved { }\n".to_owned();
    host.send(Event::Opened {
        path,
        version: 1,
        text,
        dirty: true,
    });
    let window = host.ok("getContext", json!({}));
    assert_eq!(window["index"]["unsaved"], true, "{window}");
    assert!(
        window["pieces"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Unsaved")
    );
}
