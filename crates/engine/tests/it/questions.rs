//! What a question names outright, and what it says in words that mean nothing for ranking (SPEC RM1).

use serde_json::json;

use crate::support::Host;

/// The files of the map for a question, the best first.
fn files(host: &mut Host, query: &str) -> Vec<String> {
    let args = json!({ "query": query, "mode": "map", "maxTokens": 4000 });
    let data = host.ok("getContext", args);
    let items = data["repo_map"]["items"].as_array().unwrap().iter();
    items
        .map(|item| item["path"].as_str().unwrap().to_owned())
        .collect()
}

/// The names that a search finds, the best first.
fn found(host: &mut Host, query: &str) -> Vec<String> {
    Host::names(&host.ok("searchApi", json!({ "labelQuery": query })))
}

const SHOP: &str = "
//- /app/shop/filters.py
class Q:
    \"\"\"Narrows a list of carts.\"\"\"
    def __or__(self, other): return self
//- /app/shop/lists.py
def combine_lists(first, second):
    \"\"\"Combines lists of carts and narrows conditions of lists.\"\"\"
    return first + second
//- /app/shop/vector.cpp
struct Vector { int x; Vector operator+(const Vector& other) const { return other; } };
//- /app/shop/settings.py
# server.port and keep-alive are settings of the server
def read(source):
    return source.get(\"server.port\"), source.get(\"keep-alive\")
//- /app/shop/server.py
class Server:
    \"\"\"A server with a port and settings: what server port settings mean.\"\"\"
    def port(self): return 1
    def settings(self): return 2
//- /app/shop/errors.py
def fail(): raise ValueError(\"the lists of carts differ in length\")
";

#[test]
fn short_names_operators_files_and_settings_are_found() {
    let mut host = Host::new(SHOP);
    for (query, file) in [
        ("how does Q combine lists", "shop/filters.py"),
        ("what does `operator+` combine", "shop/vector.cpp"),
        ("operator +", "shop/vector.cpp"),
        (
            "what does server.port mean for the server",
            "shop/settings.py",
        ),
        ("which carts are combined in vector.cpp", "shop/vector.cpp"),
        (
            "ValueError: the lists of carts differ in length",
            "shop/errors.py",
        ),
    ] {
        assert_eq!(
            files(&mut host, query).first().map(String::as_str),
            Some(file),
            "{query}"
        );
    }
    // Words that a comment has too, and words with hyphens, are neither messages nor settings.
    for (query, file) in [
        ("how conditions of lists are narrowed", "shop/lists.py"),
        (
            "a server that is keep-alive, its port and settings",
            "shop/server.py",
        ),
    ] {
        assert_eq!(
            files(&mut host, query).first().map(String::as_str),
            Some(file),
            "{query}"
        );
    }
}

#[test]
fn operators_are_searched_for_by_their_signs() {
    let mut host = Host::new(
        "
//- /app/a.cpp
struct V { V operator+(const V& o) const { return o; } bool operator==(const V& o) const { return true; } };
//- /app/b.cs
public struct M { public static M operator +(M a, M b) => a; }
//- /app/c.swift
struct W { static func == (a: W, b: W) -> Bool { true } }
",
    );
    for (query, names) in [
        ("+", &["operator+", "operator +"][..]),
        ("operator +", &["operator+", "operator +"]),
        ("operator==", &["operator==", "=="]),
        ("==", &["operator==", "=="]),
    ] {
        let mut found = found(&mut host, query);
        found.sort();
        let mut names = names.to_vec();
        names.sort_unstable();
        assert_eq!(found, names, "{query}");
    }
}

#[test]
fn the_small_words_of_other_languages_lead_nowhere() {
    let mut host = Host::new(
        "
//- /app/game/unit.py
def die(unit):
    return unit.die()
def par(unit): ...
//- /app/net/connection.py
class Connection:
    def close(self):
        return self.server.close()
",
    );
    for query in [
        "wo wird die Connection zum Server mit close beendet und die alte nicht",
        "comment est fermée la connection par le server, et par qui est close appelé",
    ] {
        assert_eq!(
            files(&mut host, query).first().map(String::as_str),
            Some("net/connection.py"),
            "{query}"
        );
    }
    assert_eq!(files(&mut host, "where does a unit die")[0], "game/unit.py");
}

#[test]
fn a_search_in_words_has_the_order_of_a_question() {
    let mut host = Host::new(SHOP);
    for query in [
        "narrow a list of carts by conditions",
        "port of the server settings",
    ] {
        let data = host.ok("searchApi", json!({ "labelQuery": query }));
        let items = data["items"].as_array().unwrap().iter();
        let mut listed: Vec<&str> = items
            .map(|item| item["filePath"].as_str().unwrap())
            .collect();
        listed.dedup();
        let listed: Vec<&str> = listed
            .iter()
            .map(|path| path.strip_prefix("app/").unwrap_or(path))
            .collect();
        let first = files(&mut host, query)[0].clone();
        assert_eq!(listed.first(), Some(&first.as_str()), "{query}");
    }
}

/// In a framework for tests nobody's files are tests by their names.
#[test]
fn the_word_test_says_nothing_in_a_framework_for_tests() {
    let mut code = String::new();
    for name in ["case", "suite", "runner"] {
        let title = format!("Test{}", name[..1].to_uppercase() + &name[1..]);
        code.push_str(&format!(
            "//- /app/kit/testing/test_{name}.py\nclass {title}:\n    \"\"\"A {name} that reports how it went.\"\"\"\n    def report(self): ...\n"
        ));
    }
    for number in 0..4 {
        code.push_str(&format!(
            "//- /app/kit/core{number}.py\nfrom kit.testing import TestCase, TestSuite, TestRunner\n\ndef go{number}():\n    return TestCase(), TestSuite(), TestRunner()\n"
        ));
    }
    code.push_str("//- /app/kit/report.py\ndef report(): ...\n");
    code.push_str("//- /app/tests/test_all.py\ndef test_runner_reports_how_it_went():\n    \"\"\"A runner reports how it went.\"\"\"\n    assert runner.report()\n");
    let mut host = Host::new(&code);
    let found = files(&mut host, "the runner that reports how it went");
    assert_eq!(found[0], "kit/testing/test_runner.py", "{found:?}");
}

const DESK: &str = "
//- /app/desk/calls.py
def open_case(number):
    return fail_case(number)

def fail_case(number):
    raise ValueError(number)
//- /app/desk/words.py
def traceback(last):
    \"\"\"A traceback has the last call, the file, the line and the module.\"\"\"
    return last

def link(file, line, blob):
    \"\"\"A link to a line of a file of the main blob.\"\"\"
    return file + line + blob
//- /app/tests/test_desk.py
def test_open_case_fails():
    assert open_case(1) is None

def test_closes():
    assert fail_case(2) is None
";

/// The shown functions of the first file of a map, in one text.
fn first_text(host: &mut Host, query: &str) -> String {
    let args = json!({ "query": query, "mode": "map", "maxTokens": 2000 });
    let data = host.ok("getContext", args);
    data["repo_map"]["items"][0].to_string()
}

/// Faults 286 and 289.
#[test]
fn frames_of_a_trace_and_links_lead_to_their_functions() {
    let mut host = Host::new(DESK);
    let trace = "Traceback (most recent call last):\n  File \"/srv/app/desk/calls.py\", line 2, in open_case\n    \
                 return fail_case(number)\n  File \"/srv/app/desk/calls.py\", line 5, in fail_case\n    \
                 raise ValueError(number)\nValueError: 7";
    assert_eq!(files(&mut host, trace).first().unwrap(), "desk/calls.py");
    let text = first_text(&mut host, trace);
    assert!(text.contains("return fail_case(number)"), "{text}");
    assert!(text.contains("raise ValueError(number)"), "{text}");

    let link = "https://example.com/owner/desk/blob/main/desk/calls.py#L5";
    assert_eq!(files(&mut host, link).first().unwrap(), "desk/calls.py");
    let text = first_text(&mut host, link);
    assert!(text.contains("raise ValueError(number)"), "{text}");
}

/// Fault 287.
#[test]
fn a_test_is_first_where_a_question_names_it_or_asks_for_tests() {
    let mut host = Host::new(DESK);
    for query in ["test_open_case_fails", "which tests cover open_case"] {
        let found = files(&mut host, query);
        assert_eq!(found.first().unwrap(), "tests/test_desk.py", "{query}");
        let text = first_text(&mut host, query);
        assert!(text.contains("assert open_case(1) is None"), "{text}");
    }
}
