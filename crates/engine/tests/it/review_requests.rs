//! What rules ask to be looked up is looked up as what plans ask for is, and what is not there is said (SPEC RV2, `004` §1, §4).

use codecortex_engine::protocol::GitDiff;
use serde_json::{Value, json};

use crate::review::{REPORT, REQUESTS, ask, bytes, shop, shows};
use crate::support::Host;

/// A host whose people have one rule for the shop, with these requests.
fn ruled(requests: &Value) -> Host {
    let mut host = shop();
    let rule = json!({
        "id": "asks",
        "when": { "path": ["shop/**"] },
        "level": "function",
        "confidence": 0.9,
        "risk": "low",
        "requests": requests,
    });
    // Built-in rules would ask for their own.
    let rules = json!({ "rules": [rule] });
    host.write("/w/app/.context/review-rules.json", &rules.to_string());
    host.write("/w/app/shop/report.py", REPORT);
    host.touched(&["/w/app/.context", "/w/app/shop/report.py"]);
    host
}

fn item(host: &mut Host) -> Value {
    ask(host, json!({ "base": "main", "head": "HEAD" }))["bundle"][0].clone()
}

fn notes(item: &Value) -> Vec<&str> {
    let notes = item["notes"].as_array().into_iter().flatten();
    notes.filter_map(Value::as_str).collect()
}

#[test]
fn every_request_of_a_rule_is_looked_up() {
    for (kind, details, list, text) in REQUESTS {
        let request = json!({ "type": kind, "details": details });
        let item = item(&mut ruled(&json!([request])));
        assert!(
            item["extra_requests"]
                .as_array()
                .unwrap()
                .contains(&request),
            "{item:#}"
        );
        assert!(shows(&item, list, text), "{kind}: {item:#}");
    }
}

#[test]
fn what_a_rule_asks_for_and_is_not_there_is_said() {
    for kind in [
        "search",
        "search_config_usage",
        "search_callers",
        "search_model_usage",
        "search_implementations",
        "search_class_methods",
    ] {
        let request = json!({ "type": kind, "details": "Short" });
        let item = item(&mut ruled(&json!([request])));
        if matches!(kind, "search" | "search_config_usage") {
            // Nothing uses `Short`: its declaration is no use.
            assert!(item.get("search").is_none(), "{item:#}");
        }
        let what = match kind {
            "search" => "no use by this name outside of the diff",
            "search_config_usage" => {
                "no name and no string outside of the diff, in the files that were looked at"
            }
            _ => "nothing outside of the diff",
        };
        let note = format!("{kind} `Short`: {what}");
        assert!(notes(&item).contains(&note.as_str()), "{kind}: {item:#}");
    }
}

#[test]
fn the_version_before_is_shown_or_it_is_said_why_not() {
    let item_of = |host: &mut Host| item(host);
    let shown = item_of(&mut ruled(&json!([{ "type": "previous_version" }])));
    let before = shown["previous_version"].as_str().unwrap();
    assert!(before.contains("def total(self, prices):"), "{shown:#}");
    // A new file has none.
    let mut host = ruled(&json!([{ "type": "previous_version" }]));
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: "diff --git a/shop/new.py b/shop/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/shop/new.py\n@@ -0,0 +1 @@\n+x = 1\n".into(),
        versions: vec![codecortex_engine::protocol::FileVersions {
            path: "shop/new.py".into(),
            old: None,
            new: bytes("x = 1\n"),
        }],
        ..GitDiff::default()
    });
    let item = item_of(&mut host);
    assert!(
        notes(&item).contains(&"previous_version: the file is new"),
        "{item:#}"
    );
}

#[test]
fn what_tools_report_of_the_file_is_shown_where_a_rule_asks_or_nothing_is_said() {
    let mut host = ruled(&json!([{ "type": "scanner_issues" }]));
    let without = item(&mut host);
    let none = "scanner_issues: no tool reported any of this file";
    assert!(notes(&without).contains(&none), "{without:#}");
    // Line 11 is no line of the diff.
    let result = json!({
        "message": { "text": "too long" },
        "ruleId": "E501",
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": "shop/cart.py" },
            "region": { "startLine": 400 },
        }}],
    });
    let sarif = json!({ "version": "2.1.0", "runs": [{ "tool": { "driver": { "name": "ruff" } }, "results": [result] }] });
    let data = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "sarif": sarif.to_string() }),
    );
    let item = &data["bundle"][0];
    let issues = item["scanner_issues"].as_array().unwrap();
    assert!(issues[0].as_str().unwrap().contains("too long"), "{item:#}");
    assert!(!notes(item).contains(&none));
}

/// Keys of a configuration and routes are what its changed lines name.
#[test]
fn the_keys_of_a_configuration_are_looked_for_in_code() {
    let mut host = shop();
    host.write(
        "/w/app/shop/pool.py",
        "def size(settings):\n    return settings.pool_size\n",
    );
    host.touched(&["/w/app/shop/pool.py"]);
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: "diff --git a/settings.toml b/settings.toml\n--- a/settings.toml\n+++ b/settings.toml\n@@ -1,2 +1,2 @@\n-pool-size = 4\n+pool-size = 8\n debug = false\n".into(),
        versions: vec![codecortex_engine::protocol::FileVersions {
            path: "settings.toml".into(),
            old: bytes("pool-size = 4\ndebug = false\n"),
            new: bytes("pool-size = 8\ndebug = false\n"),
        }],
        ..GitDiff::default()
    });
    let item = item(&mut host);
    let asked = json!({ "type": "search_config_usage", "details": "pool-size" });
    assert!(
        item["extra_requests"].as_array().unwrap().contains(&asked),
        "{item:#}"
    );
    assert_eq!(item["search"][0]["file_path"], "shop/pool.py", "{item:#}");
}

#[test]
fn a_key_of_a_configuration_is_found_in_strings() {
    let patch = "--- a/app.yml\n+++ b/app.yml\n@@ -1,2 +1,2 @@\n-max_retries: 3\n-REQUEST_TIMEOUT: 5\n+max_retries: 4\n+REQUEST_TIMEOUT: 6\n";
    let files = [
        ("/w/app/app.yml", "max_retries: 4\nREQUEST_TIMEOUT: 6\n"),
        (
            "/w/app/load.py",
            "import os\n\n\ndef load(cfg):\n    limit = os.environ[\"REQUEST_TIMEOUT\"]\n    return cfg.get(\"server.max_retries\", limit)\n",
        ),
        ("/w/app/said.py", "TEXT = \"all max_retries are used\"\n"),
    ];
    let mut host = Host::new("//- /app/empty.py\n");
    for (path, text) in files {
        host.write(path, text);
    }
    host.touched(&files.map(|(path, _)| path));
    host.diff = Some(GitDiff {
        base: Some("1111".into()),
        patch: patch.into(),
        ..GitDiff::default()
    });
    let item = item(&mut host);
    assert!(shows_in(&item, "load.py", "os.environ"), "{item:#}");
    assert!(shows_in(&item, "load.py", "cfg.get"), "{item:#}");
    assert!(!shows_in(&item, "said.py", "TEXT"), "{item:#}");
}

/// Whether what was searched for is shown with a text of a file.
fn shows_in(item: &Value, file: &str, text: &str) -> bool {
    let found = item["search"].as_array().into_iter().flatten();
    let mut of_file = found.filter(|entry| entry["file_path"] == file);
    of_file.any(|entry| {
        entry["snippet"]
            .as_str()
            .is_some_and(|shown| shown.contains(text))
    })
}
