//! The command line as programs and people use it: failures as JSON, places in place of symbols, folders of repositories.

use serde_json::{Value, json};

use crate::support::Place;

fn shop() -> Place {
    let place = Place::new();
    place.write(
        "src/shop.ts",
        "export class Shop {\n  open(): number { return 1; }\n}\nexport function visit() { return new Shop().open(); }\n",
    );
    place
}

fn tokens(text: &str) -> u64 {
    text.trim_end_matches('\n').chars().count().div_ceil(4) as u64
}

/// SPEC D13: one JSON object either way, also where the command line itself is wrong.
#[test]
fn a_wrong_command_line_is_an_envelope_too() {
    let place = shop();
    for (args, code) in [
        (&["context", "--mode", "bogus"][..], "InvalidParams"),
        (&["context", "--nonsense"], "InvalidParams"),
        (&["context", "--ids", "x"], "InvalidParams"),
        (&["call"], "InvalidParams"),
        (&["search", "--json"], "InvalidParams"),
        (&["context", "--root", "nowhere"], "NotFound"),
        (
            &["call", "codecortex_status", "--root", "nowhere"],
            "NotFound",
        ),
    ] {
        let run = place.run(args);
        let told = run.json();
        assert_eq!(
            (run.code, told["ok"].as_bool()),
            (Some(2), Some(false)),
            "{args:?}"
        );
        assert_eq!(told["error"]["code"], code, "{args:?}: {told}");
        assert!(
            told["error"]["message"].is_string() && !run.stderr.is_empty(),
            "{args:?}"
        );
        assert_eq!(
            told["budget"]["tokens_approx"],
            tokens(&run.stdout),
            "{args:?}"
        );
    }
    let modes = place.run(&["context", "--mode", "bogus"]).json();
    assert!(
        modes["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("timeline"),
        "{modes}"
    );
    let help = place.run(&["context", "--help"]);
    assert!(help.code == Some(0) && !help.stdout.contains("\"ok\""));
    assert!(
        place.run(&["search"]).stdout.is_empty(),
        "a person reads stderr"
    );
}

#[test]
fn the_payload_says_what_it_costs_as_it_is_printed() {
    let place = shop();
    for args in [
        &["context", "--query", "open a shop"][..],
        &["context", "--mode", "map"],
        &["context", "--mode", "index"],
        &["context", "--query", "shop", "--budget", "300"],
        &["context", "--query", "shop", "--tokenizer", "o200k_base"],
    ] {
        let run = place.run(args);
        let told = run.json();
        assert_eq!(
            told["budget"]["tokens_approx"],
            tokens(&run.stdout),
            "{args:?}: {told}"
        );
        assert_eq!(told["version"], "context_payload.v2", "{args:?}");
    }
}

#[test]
fn the_budget_may_come_from_the_environment() {
    let place = shop();
    let run = |args: &[&str]| -> Value {
        let mut command = place.command(args);
        let output = command.env("CODECORTEX_BUDGET", "250").output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let told = run(&["context", "--query", "shop"]);
    assert_eq!(told["budget"]["budget_tokens"], 250);
    assert!(told["budget"]["tokens_approx"].as_u64().unwrap() <= 250);
    let told = run(&["context", "--query", "shop", "--budget", "400"]);
    assert_eq!(
        told["budget"]["budget_tokens"], 400,
        "the command line wins"
    );
}

#[test]
fn every_command_that_takes_a_symbol_takes_a_line() {
    let place = shop();
    for what in [
        "src/shop.ts:1",
        "src/shop.ts#L1",
        "src/shop.ts(1,14)",
        "src/shop.ts:1:14",
    ] {
        for command in [
            "references",
            "outline",
            "hashes",
            "graph",
            "semantic",
            "invalidate",
        ] {
            let run = place.run(&[command, what]);
            assert_eq!(
                run.code,
                Some(0),
                "{command} {what}: {} {}",
                run.stdout,
                run.stderr
            );
            assert!(
                run.stdout.contains("hop"),
                "{command} {what}: {}",
                run.stdout
            );
        }
        let callers = place.run(&["callers", "src/shop.ts:2"]);
        assert!(callers.stdout.contains("visit"), "{}", callers.stdout);
        let pinned = place.run(&["window", "pin", what]);
        assert!(pinned.stdout.contains("Shop"), "{what}: {}", pinned.stdout);
    }
    let below = place.path().join("src");
    let mut command = place.command(&["hashes", "shop.ts:1", "--root", ".."]);
    let output = command.current_dir(&below).output().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(
        told.contains("Shop"),
        "a path is seen from the current folder: {told}"
    );
    let none = place.run(&["references", "src/shop.ts:3"]);
    assert_eq!(none.code, Some(1));
    assert!(
        none.stdout.contains("src/shop.ts:3:CHARACTER"),
        "{}",
        none.stdout
    );
}

#[test]
fn a_part_of_a_repository_is_said_to_be_one() {
    let place = shop();
    std::fs::create_dir(place.path().join(".git")).unwrap();
    let run = |folder: &str, args: &[&str]| {
        let mut command = place.command(args);
        let output = command
            .current_dir(place.path().join(folder))
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let said = run("src", &["search", "Shop"]);
    assert!(
        said.contains("only the current folder") && said.contains("--root"),
        "{said}"
    );
    assert_eq!(run("", &["search", "Shop"]), "");
    assert_eq!(run("src", &["search", "Shop", "--root", "."]), "");
}

/// What a name is called in code matters to no search.
#[test]
fn forms_of_names_and_of_words_are_found() {
    let place = Place::new();
    place.write(
        "app.py",
        "class Api:\n    \"\"\"Prüft die Sitzung. Проверяет сессию. 计算最短路径。\"\"\"\n    def getProfileInfoV2(self): ...\n\
         def url_for(name): ...\ndef rmTmpDir(): ...\ndef initDb(): ...\ndef basicAuth(): ...\n",
    );
    place.write(
        "tests/test_app.py",
        "class TestUrlFor:\n    def test_it(self): ...\n",
    );
    let first = |query: &str| {
        let data = place.run(&["search", query, "--json"]).json()["data"].clone();
        data["items"][0]["name"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    for (query, name) in [
        ("get_profile_info", "getProfileInfoV2"),
        ("GET_PROFILE_INFO", "getProfileInfoV2"),
        ("get-profile-info", "getProfileInfoV2"),
        ("Api.get_profile_info", "getProfileInfoV2"),
        ("urlFor", "url_for"),
        ("URL_FOR", "url_for"),
        ("url for", "url_for"),
        ("PRÜFT", "Api"),
        ("СЕССИЮ", "Api"),
        ("最短路径怎么计算", "Api"),
        ("remove temporary directory", "rmTmpDir"),
        ("initialize database", "initDb"),
        ("authentication", "basicAuth"),
    ] {
        assert_eq!(first(query), name, "{query}");
    }
    let data = place.run(&["search", "authentication", "--json"]).json()["data"].clone();
    assert_eq!(data["items"][0]["match"], json!("form"));
}
