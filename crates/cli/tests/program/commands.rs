//! The subcommands' forms, their exit codes, and that stdout carries results only.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Place, read_some};

fn shop() -> Place {
    let place = Place::new();
    place.write(
        "src/store.py",
        "class Store:\n    \"\"\"Keeps things.\"\"\"\n\n    def add(self, thing):\n        return thing\n",
    );
    place.write("src/cart.ts", "export class Cart {\n  add(): void {}\n}\n");
    place
}

#[test]
fn index_says_what_is_in_the_workspace() {
    let place = shop();
    let run = place.run(&["index", "--root", "."]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(
        run.stdout.starts_with("2 files, 10 lines, 4 symbols"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("python: 1 file"), "{}", run.stdout);
}

#[test]
fn index_statistics_are_one_object() {
    let place = shop();
    let first = place.run(&["index", "--stats", "json"]).json();
    assert_eq!(first["files"], 2);
    assert_eq!(first["lines"], 10);
    assert_eq!(first["symbols"], 4);
    assert_eq!(first["filesRead"], 2);
    assert_eq!(first["bytes"], first["bytesRead"]);
    for (group, part) in [
        ("ms", "scan"),
        ("ms", "readParseWalk"),
        ("ms", "total"),
        ("cpuMs", "index"),
    ] {
        assert!(first[group][part].is_number(), "{group}.{part}");
    }
    if cfg!(target_os = "linux") {
        assert!(first["peakRssBytes"].as_u64().unwrap() > 1_000_000);
    }
    assert!(first["cacheBytes"].as_u64().unwrap() > 0);
}

#[test]
fn the_second_run_reads_only_what_changed() {
    let place = shop();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for file in ["src/store.py", "src/cart.ts"] {
        let file = std::fs::File::options()
            .write(true)
            .open(place.path().join(file));
        file.unwrap().set_modified(long_ago).unwrap();
    }
    let read = |args: &[&str]| {
        let args: Vec<&str> = ["index", "--stats", "json"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        place.run(&args).json()["filesRead"].as_u64().unwrap()
    };
    assert_eq!(read(&[]), 2);
    assert_eq!(read(&[]), 0);
    place.write("src/store.py", "class Other:\n    pass\n");
    assert_eq!(read(&[]), 1);
    assert_eq!(read(&["--no-cache"]), 2);
    let (envelope, _) = place.call("codecortex_searchApi", &json!({ "labelQuery": "Store" }));
    assert_eq!(envelope["data"]["total"], 0);
}

#[test]
fn a_damaged_cache_is_no_harm() {
    let place = shop();
    place.run(&["index"]);
    let caches: Vec<_> = std::fs::read_dir(place.cache())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    let [cache] = caches.as_slice() else {
        panic!("one cache, not {caches:?}");
    };
    let whole = std::fs::read(cache).unwrap();
    for damaged in [
        &whole[..whole.len() / 2],
        b"",
        b"CCORTEX\n\xff\xff\xff\xff\xff\xff",
    ] {
        std::fs::write(cache, damaged).unwrap();
        let account = place.run(&["index", "--stats", "json"]).json();
        assert_eq!(
            (&account["files"], &account["filesRead"]),
            (&json!(2), &json!(2))
        );
    }
}

#[test]
fn one_thread_and_many_give_the_same() {
    let place = shop();
    let status = |threads: &str| {
        let run = place.run(&[
            "call",
            "codecortex_getOutline",
            "--no-cache",
            "--threads",
            threads,
            "--args",
            r#"{"symbol":"Store"}"#,
        ]);
        run.json()["data"]["declarations"].clone()
    };
    assert_eq!(status("1"), status("4"));
    assert_eq!(status("1").as_array().unwrap().len(), 2);
}

#[test]
fn call_prints_the_envelope_and_exits_by_it() {
    let place = shop();
    let (envelope, code) = place.call("codecortex_searchApi", &json!({ "labelQuery": "Store" }));
    assert_eq!((&envelope["ok"], code), (&json!(true), Some(0)));
    assert_eq!(
        envelope["data"]["items"][0]["filePath"],
        format!("{}/src/store.py", place.name())
    );
    let (envelope, code) = place.call("codecortex_resolveSymbol", &json!({ "symbol": "Nope" }));
    assert_eq!(
        (&envelope["error"]["code"], code),
        (&json!("SymbolNotFound"), Some(1))
    );
    let (envelope, code) = place.call("no_such_tool", &json!({}));
    assert_eq!(
        (&envelope["error"]["code"], code),
        (&json!("InvalidParams"), Some(1))
    );
}

#[test]
fn call_takes_its_arguments_from_stdin_and_refuses_what_is_no_json() {
    let place = shop();
    let args = ["call", "codecortex_searchApi", "--args", "-"];
    let run = place.run_with(&args, br#"{"labelQuery":"Cart"}"#);
    assert_eq!(run.json()["data"]["total"], 1);
    for garbage in [&b"{"[..], b"", b"\xff\xfe", b"{} {}"] {
        let run = place.run_with(&args, garbage);
        assert_eq!(run.code, Some(1));
        assert_eq!(run.json()["error"]["code"], "InvalidParams");
    }
}

#[test]
fn the_forms_of_an_answer() {
    let place = shop();
    let call = |format: &str| {
        place.run(&[
            "call",
            "codecortex_getOutline",
            "--args",
            r#"{"symbol":"Cart"}"#,
            "--format",
            format,
        ])
    };
    assert_eq!(call("json").json()["ok"], true);
    let text = call("text").stdout;
    assert!(
        text.contains("1-3: export class Cart") && !text.contains("\"ok\""),
        "{text}"
    );
    let both = call("both").stdout;
    let (envelope, rest) = both.split_once('\n').unwrap();
    assert_eq!(serde_json::from_str::<Value>(envelope).unwrap()["ok"], true);
    // Both forms give the text form its own account.
    assert_eq!(rest.lines().next(), text.lines().next());
    assert_eq!(call("xml").code, Some(2));
}

#[test]
fn a_budget_is_kept_on_the_command_line() {
    let place = shop();
    for flag in ["--max-tokens", "--budget"] {
        let run = place.run(&["search", "a", flag, "60"]);
        assert!(
            run.stdout.trim_end().chars().count() <= 240,
            "{}",
            run.stdout
        );
        assert_eq!(run.code, Some(0));
    }
    let run = place.run(&["call", "codecortex_status", "--max-tokens", "3"]);
    assert_eq!(run.json()["error"]["code"], "BudgetExceeded");
}

#[test]
fn the_commands_for_people_print_text() {
    let place = shop();
    let outline = place.run(&["outline", "src/store.py"]);
    assert!(outline.stdout.contains("class Store"), "{}", outline.stdout);
    let symbol = place.run(&["outline", "Store.add"]);
    assert!(
        symbol.stdout.contains("def add(self, thing)"),
        "{}",
        symbol.stdout
    );
    let search = place.run(&["search", "Cart", "--kind", "class"]);
    assert!(
        search.stdout.contains("export class Cart"),
        "{}",
        search.stdout
    );
    assert_eq!(
        place.run(&["search", "Cart", "--json"]).json()["data"]["total"],
        1
    );
    let none = place.run(&["outline", "Nope"]);
    assert_eq!(none.code, Some(1));
    assert!(none.stdout.contains("hint:"), "{}", none.stdout);
}

#[test]
fn several_folders_have_names_of_their_own() {
    let (one, two) = (shop(), shop());
    let inner = |place: &Place| place.path().join("src").to_str().unwrap().to_owned();
    let run = one.run(&[
        "call",
        "codecortex_status",
        "--root",
        &inner(&one),
        "--root",
        &inner(&two),
    ]);
    let folders = run.json()["data"]["folders"].clone();
    assert_eq!(
        (&folders[0]["name"], &folders[1]["name"]),
        (&json!("src"), &json!("src-2"))
    );
}

#[test]
fn tools_is_the_table() {
    let place = Place::new();
    let table = place.run(&["tools"]);
    let tools: Value = serde_json::from_str(&table.stdout).unwrap();
    for tool in tools.as_array().unwrap() {
        assert!(tool["name"].as_str().unwrap().starts_with("codecortex_"));
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert!(tool["inputSchema"]["properties"]["maxTokens"].is_object());
        assert!(tool["description"].as_str().unwrap().len() > 40);
    }
    assert_eq!(place.run(&["tools", "--json"]).json(), tools);
    let default = place
        .run(&["tools", "--profile", "default", "--json"])
        .json();
    assert!(
        default
            .as_array()
            .unwrap()
            .iter()
            .all(|tool| tool["profile"] == "default")
    );
}

#[test]
fn a_wrong_command_line_says_what_to_do() {
    let place = Place::new();
    let file = place.write("file.py", "x = 1\n");
    for (args, said) in [
        (
            &["call", "codecortex_status", "--root", "no/such/folder"][..],
            "does not exist",
        ),
        (
            &["index", "--root", file.to_str().unwrap()],
            "is not a folder",
        ),
        (&["index", "--threads", "0"], "0 is not in 1..=256"),
        (&["frobnicate"], "unrecognized subcommand"),
        (&["outline"], "SYMBOL|FILE"),
        (&["call"], "<TOOL>"),
    ] {
        let run = place.run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert!(run.stderr.contains(said), "{args:?}: {}", run.stderr);
        // What programs read is an envelope whatever happens.
        match args[0] {
            "call" => assert_eq!(run.json()["ok"], false, "{args:?}"),
            _ => assert_eq!(run.stdout, "", "{args:?}"),
        }
    }
}

#[test]
fn help_version_and_completions_are_there() {
    let place = Place::new();
    let version = place.run(&["--version"]);
    assert_eq!(
        version.stdout,
        format!("codecortex {}\n", env!("CARGO_PKG_VERSION"))
    );
    for command in [
        "index", "call", "batch", "outline", "search", "tools", "mcp",
    ] {
        let help = place.run(&[command, "--help"]);
        assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""));
        assert!(help.stdout.contains("Usage:"), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(
            place
                .run(&["completions", shell])
                .stdout
                .contains("codecortex")
        );
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let place = Place::new();
    let pages = place.run(&["man", "--list"]).stdout;
    assert!(pages.lines().any(|page| page == "memory recall"), "{pages}");
    for page in ["", "call", "memory recall"] {
        let words = ["man"].into_iter().chain(page.split_whitespace());
        let shown = place.run(&words.collect::<Vec<_>>());
        assert_eq!((shown.code, shown.stderr.as_str()), (Some(0), ""), "{page}");
        assert!(shown.stdout.contains(".SH SYNOPSIS"), "{}", shown.stdout);
        let name = format!("codecortex {page}").trim().replace(' ', "-");
        assert!(
            shown.stdout.contains(&name.replace('-', "\\-")),
            "{}",
            shown.stdout
        );
    }
    let none = place.run(&["man", "nothing"]);
    assert_eq!(none.code, Some(2));
    assert!(
        none.stderr.contains("`codecortex man --list`"),
        "{}",
        none.stderr
    );
}

/// The long options that a text names.
fn options(text: &str) -> std::collections::BTreeSet<String> {
    text.split("--")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-');
            rest[..end.unwrap_or(rest.len())].to_owned()
        })
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn a_manual_page_has_what_the_help_has() {
    let place = Place::new();
    let listed = place.run(&["man", "--list"]).stdout;
    let commands: Vec<&str> = listed.lines().collect();
    assert!(commands.len() > 50, "{listed}");
    for command in commands.into_iter().step_by(7) {
        let words: Vec<&str> = command.split(' ').collect();
        let help = place.run(&[words.as_slice(), &["--help"]].concat());
        assert_eq!(help.code, Some(0), "{command}: {}", help.stderr);
        let page = place.run(&[&["man"], words.as_slice()].concat());
        // roff writes a minus as `\\-`
        let named = options(&page.stdout.replace("\\-", "-"));
        for option in options(&help.stdout) {
            assert!(named.contains(&option), "{command} --{option}: {named:?}");
        }
    }
}

#[test]
fn completions_and_pages_need_no_workspace() {
    let place = Place::new();
    for words in [["man", "call"], ["completions", "fish"], ["man", "--list"]] {
        let shown = place.run(&words);
        assert_eq!(
            (shown.code, shown.stderr.as_str()),
            (Some(0), ""),
            "{words:?}"
        );
        assert!(shown.stdout.ends_with('\n'), "{words:?}");
    }
    let both = place.run(&["man", "--list", "call"]);
    assert_eq!((both.code, both.stdout.as_str()), (Some(2), ""));
}

#[test]
fn logs_go_to_stderr_only() {
    let place = shop();
    let run = place.run(&["-vv", "call", "codecortex_status"]);
    assert_eq!(run.json()["ok"], true);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = Place::new();
    let body: String = (0..3000)
        .map(|n| format!("def function_{n}(): pass\n"))
        .collect();
    place.write("a.py", body);
    let mut child = place
        .command(&["outline", "a.py"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    read_some(&mut stdout, 100);
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn uses_and_relations_have_commands() {
    let place = Place::new();
    place.write(
        "src/a.ts",
        "interface Store { load(): void }\nclass Disk implements Store { load(): void { read(); } }\n\
         function read(): void {}\nnew Disk().load();\n",
    );
    let run = |args: &[&str]| {
        let run = place.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{args:?}");
        run.stdout
    };
    let uses = run(&["references", "Disk.load"]);
    assert!(uses.contains("4: new Disk().load(); // call"), "{uses}");
    let callers = run(&["callers", "src/a.ts:3:10"]);
    assert!(
        callers.contains("method src/a.Disk.load // at 2"),
        "{callers}"
    );
    let callees = run(&["callees", "Disk.load"]);
    assert!(callees.contains("function src/a.read // at 2"), "{callees}");
    let below = run(&["implementations", "Store.load"]);
    assert!(below.contains("method src/a.Disk.load"), "{below}");
    let above = run(&["overrides", "Disk", "--json"]);
    let above: Value = serde_json::from_str(&above).unwrap();
    assert_eq!(above["data"]["declarations"][0]["path"], "src/a.Store");
    assert_eq!(place.run(&["callers", "Nobody"]).code, Some(1));
}

/// What a command says of size and generated code goes before what the folder says (SPEC P2).
#[test]
fn limits_of_what_is_read_are_flags() {
    let place = shop();
    place.write("src/made.cs", "// <auto-generated/>\nclass Made { }\n");
    let lines = "# x\n".repeat(500);
    place.write("src/long.py", format!("class Long:\n    pass\n{lines}"));
    let left_out = |flags: &[&str]| {
        let mut args = vec!["status", "--list", "skipped", "--json"];
        args.extend(flags);
        let data = place.run(&args).json()["data"].clone();
        let list = data["list"].as_array().unwrap();
        let mut files: Vec<String> = list
            .iter()
            .map(|of| of["filePath"].as_str().unwrap().to_owned())
            .filter_map(|path| path.rsplit_once("/src/").map(|(_, file)| file.to_owned()))
            .collect();
        files.sort();
        files.join(" ")
    };
    assert_eq!(left_out(&[]), "made.cs");
    assert_eq!(left_out(&["--max-file-size", "1000"]), "long.py made.cs");
    assert_eq!(left_out(&["--include-generated"]), "");
    place.write(
        ".context/config.json",
        r#"{ "maxFileSize": 1000, "includeGenerated": false }"#,
    );
    assert_eq!(left_out(&[]), "long.py made.cs");
    let both = ["--max-file-size", "100000", "--include-generated"];
    assert_eq!(left_out(&both), "");
    assert_eq!(left_out(&both[..2]), "made.cs");
    // The index of one command is not taken for that of another.
    let found = place.run(&["search", "Long", "--max-file-size", "100000"]);
    assert!(found.stdout.contains("class Long"), "{}", found.stdout);
    assert!(!place.run(&["search", "Long"]).stdout.contains("class Long"));
    let wrong = place.run(&["status", "--max-file-size", "0"]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
}
