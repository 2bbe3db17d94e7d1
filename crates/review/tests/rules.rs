//! Every built-in rule has a case that fires it and one that does not; what rules say together.
#![allow(
    clippy::disallowed_methods,
    reason = "a test compares the schema that docs/ has"
)]

use std::collections::BTreeMap;

use codecortex_review::level::{EvidenceLevel, Risk};
use codecortex_review::rules::{Rules, Traits};
use codecortex_syntax::language_of_path;
use serde::Deserialize;

/// A unit as a case writes it: Python that was modified, unless said.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Case {
    path: String,
    language: Option<String>,
    patch_type: Option<String>,
    change_class: Option<String>,
    added: Vec<String>,
    /// The text of the file, of which the added lines are the first, where that matters.
    text: Option<String>,
    /// So many added lines, whatever they say.
    added_lines: usize,
    removed: Vec<String>,
    tokens: Option<String>,
    moved_ratio: Option<f64>,
    is_rename: bool,
    is_all_tests: bool,
    is_generated: bool,
    is_binary: bool,
    is_submodule: bool,
    symbol_changes: Vec<String>,
    symbol_kinds: Vec<String>,
    callers: u32,
    tests: Option<u32>,
    similarity: f64,
    recent_fixes: u32,
    scanner_issues: u32,
}

#[derive(Deserialize)]
struct Pair {
    fires: Case,
    silent: Case,
}

impl Case {
    fn traits(&self) -> Traits<'_> {
        let mut added: Vec<(u32, &str)> = self
            .added
            .iter()
            .map(String::as_str)
            .zip(1..)
            .map(|(text, at)| (at, text))
            .collect();
        added.extend((1..=self.added_lines as u32).map(|at| (at, "a = 1")));
        Traits {
            path: &self.path,
            language: self.language.as_deref().unwrap_or("python"),
            code: self.text.as_deref().zip(language_of_path(&self.path)),
            patch_type: self.patch_type.as_deref().unwrap_or("modify"),
            change_class: self.change_class.as_deref(),
            added,
            removed: self
                .removed
                .iter()
                .map(String::as_str)
                .zip(1..)
                .map(|(text, at)| (at, text))
                .collect(),
            tokens: self.tokens.as_deref(),
            moved_ratio: self.moved_ratio,
            is_rename: self.is_rename,
            is_all_tests: self.is_all_tests,
            is_generated: self.is_generated,
            is_binary: self.is_binary,
            is_submodule: self.is_submodule,
            symbol_changes: self.symbol_changes.iter().map(String::as_str).collect(),
            symbol_kinds: self.symbol_kinds.iter().map(String::as_str).collect(),
            callers: self.callers,
            tests: self.tests,
            similarity: self.similarity,
            recent_fixes: self.recent_fixes,
            scanner_issues: self.scanner_issues,
        }
    }
}

fn built_in() -> Rules {
    let (rules, notes) = Rules::with_user(None);
    assert_eq!(notes, Vec::<String>::new());
    rules
}

#[test]
fn every_rule_fires_where_it_should_and_is_silent_elsewhere() {
    let rules = built_in();
    let cases: BTreeMap<String, Pair> = serde_json::from_str(include_str!("rules.json")).unwrap();
    for id in rules.ids() {
        let pair = cases.get(id).unwrap_or_else(|| panic!("{id} has no case"));
        let fires = |case: &Case| {
            rules
                .judge(&case.traits())
                .notes
                .iter()
                .any(|note| note == id)
        };
        assert!(fires(&pair.fires), "{id} does not fire: {:?}", pair.fires);
        assert!(!fires(&pair.silent), "{id} fires: {:?}", pair.silent);
    }
}

/// What is left in is code: an example in a comment or a text that tells of it is not.
#[test]
fn output_in_a_comment_or_a_text_is_none() {
    let lines = |text: &str| {
        let case = Case {
            path: "src/a.ts".into(),
            language: Some("typescript".into()),
            text: Some(text.into()),
            added: text.lines().map(str::to_owned).collect(),
            ..Case::default()
        };
        let found = built_in().judge(&case.traits()).findings;
        let lines = found.into_iter().map(|(_, line, _)| line);
        lines.collect::<Vec<u32>>()
    };
    let none = Vec::<u32>::new();
    assert_eq!(lines("/**\nAs in\n\tconsole.log(cart);\n*/\nf();\n"), none);
    assert_eq!(lines("f(); // console.log(cart)\n"), none);
    assert_eq!(lines("const help = `\nconsole.log(cart)\n`;\n"), none);
    assert_eq!(lines("/**\nconsole.log(a);\n*/\nconsole.log(cart);\n"), [4]);
}

#[test]
fn the_highest_level_wins_with_the_doubt_of_its_voters_multiplied() {
    let case = Case {
        path: "src/shop.py".into(),
        added: vec!["except ValueError:".into(), "# TODO".into()],
        ..Case::default()
    };
    let verdict = built_in().judge(&case.traits());
    // `error-handling` 0.65 and `code` 0.5 vote for functions; a leftover makes it a tenth less worth.
    let sure = (1.0 - 0.35 * 0.5) * 0.9;
    assert_eq!(
        (verdict.level, verdict.risk),
        (EvidenceLevel::Function, Risk::Medium)
    );
    assert!((verdict.confidence - sure).abs() < 0.001, "{verdict:?}");
}

#[test]
fn noise_wins_alone_but_over_a_secret() {
    let lock = |line: &str| Case {
        path: "pnpm-lock.yaml".into(),
        language: Some(String::new()),
        added: vec![line.into()],
        ..Case::default()
    };
    let rules = built_in();
    let verdict = rules.judge(&lock("integrity: sha256").traits());
    assert!(
        verdict.is_skipped && verdict.is_exclusive && verdict.requests.is_empty(),
        "{verdict:?}"
    );
    let verdict = rules.judge(&lock("token: 'abcdefghijklmnop'").traits());
    assert!(
        !verdict.is_skipped && verdict.risk == Risk::High,
        "{verdict:?}"
    );
    assert_eq!(verdict.findings[0].1, 1);
}

#[test]
fn secrets_are_found_in_every_kind_of_file() {
    let token = format!("glpat-{}7", "x9Qz".repeat(5));
    let rules = built_in();
    let finds = |path: &str, patch_type: &str, added: &[&str]| {
        let case = Case {
            path: path.into(),
            language: Some(String::new()),
            patch_type: Some(patch_type.into()),
            added: added.iter().map(|line| (*line).to_owned()).collect(),
            ..Case::default()
        };
        let found = rules.judge(&case.traits()).findings;
        found
            .into_iter()
            .find(|(rule, ..)| rule == "secret-literal")
            .map(|(_, line, _)| line)
    };
    for path in ["a.md", "a.yml", "a.lock", "Makefile", "a.ipynb", "a.py"] {
        let line = format!("see {token}");
        assert_eq!(finds(path, "modify", &["a", &line, "b"]), Some(2), "{path}");
        assert_eq!(
            finds(
                path,
                "modify",
                &["a", "curl -u me:swordfish https://a.example"]
            ),
            Some(2),
            "{path}"
        );
        assert_eq!(
            finds(
                path,
                "modify",
                &["commit 3f786850e387550fdab836ed7e6dc881de23001b"]
            ),
            None,
            "{path}"
        );
    }
    for path in [".env", "deploy/id_ed25519", "infra/prod.tfvars"] {
        assert_eq!(finds(path, "add", &["plain"]), Some(1), "{path}");
        assert_eq!(finds(path, "modify", &["plain"]), None, "{path}");
    }
    assert_eq!(finds(".env.example", "add", &["TOKEN="]), None);
}

#[test]
fn rules_of_people_replace_add_and_take_away() {
    let file = r#"{ "rules": [
        { "id": "todo", "off": true },
        { "id": "money", "when": { "changed": "\\bprice\\b" }, "tags": ["money"], "level": "file_context", "confidence": 0.9, "risk": "high", "finding": "money is touched" },
        { "id": "broken", "when": { "changed": "(" } } ] }"#;
    let (rules, notes) = Rules::with_user(Some(file));
    assert_eq!(notes.len(), 1, "{notes:?}");
    let case = Case {
        path: "src/shop.py".into(),
        added: vec!["a = 1".into(), "price = 2 # TODO".into()],
        ..Case::default()
    };
    let verdict = rules.judge(&case.traits());
    assert_eq!(
        (verdict.tags.as_slice(), verdict.level),
        (&["money".to_owned()][..], EvidenceLevel::FileContext)
    );
    assert_eq!(
        verdict.findings,
        [("money".to_owned(), 2, "money is touched".to_owned())]
    );
    let (_, notes) = Rules::with_user(Some("{ \"rules\": [{ \"id\": 1 }] }"));
    assert!(
        notes[0].contains("review-rules.json is not used"),
        "{notes:?}"
    );
}

/// The schema that is published is the one of what is read.
#[allow(clippy::disallowed_methods)] // A test may write what it compares with.
#[test]
fn rules_beyond_the_most_are_not_used_and_it_is_said() {
    let rule = |n: usize| format!("{{ \"id\": \"r{n}\", \"when\": {{ \"path\": [\"x/**\"] }} }}");
    let of = |count: usize| {
        let rules: Vec<String> = (0..count).map(rule).collect();
        let file = format!("{{ \"rules\": [{}] }}", rules.join(", "));
        let (rules, notes) = Rules::with_user(Some(&file));
        let own = rules.ids().filter(|id| id[1..].parse::<usize>().is_ok());
        (own.count(), notes)
    };
    assert_eq!(of(1_000), (1_000, Vec::new()));
    let (used, notes) = of(1_500);
    assert_eq!(used, 1_000);
    assert!(notes[0].contains("1500 rules"), "{notes:?}");
}

#[test]
fn the_schema_is_the_one_of_the_rules() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/review-rules.schema.json"
    );
    let schema = schemars::schema_for!(codecortex_review::rules::RuleFile);
    let written = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &written).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap_or_default() == written,
        "UPDATE_EXPECT=1 writes docs/review-rules.schema.json anew"
    );
}
