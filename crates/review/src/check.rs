//! A model's findings, read and checked: places have to be there, and what the index knows better is not said (SPEC RV3,
//! D29).
//!
//! Reviewers report one thing wrongly more than any other: that something is undefined, unused or not tested, because it
//! stood outside of what they were shown. Such a claim about a name is compared with the index.

use codecortex_analysis::View;
use codecortex_bind::facts::Role;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::change::Change;
use crate::finding::{Finding, Place, Severity, arrange};
use crate::source::{is_test_path, name_line};

/// Findings of one answer.
const MOST: usize = 200;
/// Characters of a sentence.
const MOST_TEXT: usize = 600;
/// Sentences about what is wrong with an answer.
const MOST_DROPPED: usize = 50;

/// What became of a model's findings.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Those that stand.
    pub findings: Vec<Finding>,
    /// Those that do not.
    pub dropped: Vec<Dropped>,
}

/// A finding that does not stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Dropped {
    /// What it said.
    pub message: String,
    /// Why not.
    pub reason: String,
}

/// What a finding claims of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// Nothing declares it.
    Undefined,
    /// Nothing uses it.
    Unused,
    /// No test names it.
    Untested,
}

/// What the index knows of a name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownName {
    /// Where it is declared, `path:line`.
    pub declared: Option<String>,
    /// Uses outside of tests.
    pub uses: usize,
    /// Uses in tests.
    pub tests: usize,
}

/// Reads `{findings: […]}` or the list alone and checks it against the change and what is known of names.
#[must_use]
pub fn check(written: &Value, change: &Change, known: &dyn Fn(&str) -> KnownName) -> Checked {
    let mut checked = Checked::default();
    let list = written.get("findings").unwrap_or(written).as_array();
    let Some(list) = list else {
        checked.drop("", "The answer has no list `findings`.");
        return checked;
    };
    for written in list.iter().take(MOST) {
        one(written, change, known, &mut checked);
    }
    arrange(&mut checked.findings);
    checked
}

impl Checked {
    fn drop(&mut self, message: &str, reason: impl Into<String>) {
        if self.dropped.len() < MOST_DROPPED {
            self.dropped.push(Dropped {
                message: message.to_owned(),
                reason: reason.into(),
            });
        }
    }
}

fn one(written: &Value, change: &Change, known: &dyn Fn(&str) -> KnownName, checked: &mut Checked) {
    let text = |key: &str| written.get(key).and_then(Value::as_str).map(sentence);
    let Some(message) = text("message").filter(|message| !message.is_empty()) else {
        checked.drop("", "A finding says nothing.");
        return;
    };
    let path = text("file").unwrap_or_default();
    let Some(file) = change.files.iter().find(|file| file.path == path) else {
        checked.drop(&message, format!("`{path}` is no file of the change."));
        return;
    };
    let line = written.get("line").and_then(Value::as_u64).unwrap_or(0);
    let lines = file
        .new
        .as_ref()
        .map_or(u32::MAX, crate::source::Source::lines);
    let Some(line) = u32::try_from(line).ok().filter(|line| *line <= lines) else {
        checked.drop(&message, format!("`{path}` has no line {line}."));
        return;
    };
    let Some(severity) = text("severity").as_deref().and_then(Severity::from_word) else {
        checked.drop(&message, "It has no severity `error`, `warning` or `info`.");
        return;
    };
    let contradicted = contradiction(&message, known);
    if let Some((Claim::Undefined, reason)) = &contradicted {
        checked.drop(&message, reason.as_str());
        return;
    }
    let category = text("category").unwrap_or_default();
    let category: String = category
        .chars()
        .filter(|c| c.is_alphanumeric() || "_-".contains(*c))
        .take(40)
        .collect();
    let category = if category.is_empty() {
        "review".to_owned()
    } else {
        category
    };
    let mut finding = Finding::new(Place::of(file, line), severity, &category, message);
    finding.evidence = match written.get("evidence") {
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(Value::as_str)
            .take(5)
            .map(sentence)
            .collect(),
        Some(Value::String(one)) => vec![sentence(one)],
        _ => Vec::new(),
    };
    finding.suggestion = text("suggestion").filter(|text| !text.is_empty());
    if let Some((_, reason)) = contradicted {
        // A use that is there may not be the one that is meant: it is said, and the reader decides.
        finding.severity = Severity::Info;
        finding.checked = Some(reason);
    }
    checked.findings.push(finding);
}

/// One line without signs that a terminal obeys.
fn sentence(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars()
        .filter(|c| !c.is_control())
        .take(MOST_TEXT)
        .collect()
}

/// What the index says against a claim; none where it does not know better.
fn contradiction(message: &str, known: &dyn Fn(&str) -> KnownName) -> Option<(Claim, String)> {
    let claim = claim_of(message)?;
    names_in(message).into_iter().find_map(|name| {
        let found = known(&name);
        let reason = match (claim, found) {
            (
                Claim::Undefined,
                KnownName {
                    declared: Some(place),
                    ..
                },
            ) => format!("`{name}` is declared at {place}."),
            (Claim::Unused, KnownName { uses, .. }) if uses > 0 => {
                format!("`{name}` is used in {uses} places.")
            }
            (Claim::Untested, KnownName { tests, .. }) if tests > 0 => {
                format!("`{name}` is named in {tests} places of tests.")
            }
            _ => return None,
        };
        Some((claim, reason))
    })
}

fn claim_of(message: &str) -> Option<Claim> {
    const WORDS: [(Claim, &[&str]); 3] = [
        (
            Claim::Undefined,
            &[
                "not defined",
                "isn't defined",
                "never defined",
                "undeclared",
                "not declared",
                "not imported",
                "missing import",
                "undefined name",
                "undefined variable",
                "undefined function",
                "undefined symbol",
                "undefined identifier",
                "undefined reference",
                "undefined type",
                "undefined method",
                "no definition of",
                "unresolved name",
            ],
        ),
        (
            Claim::Unused,
            &[
                "unused",
                "never used",
                "not used",
                "isn't used",
                "never called",
                "not called",
                "no callers",
                "dead code",
            ],
        ),
        (
            Claim::Untested,
            &[
                "untested",
                "not tested",
                "no test",
                "lacks tests",
                "missing test",
                "without test",
            ],
        ),
    ];
    let lower = message.to_lowercase();
    let found = WORDS
        .iter()
        .find(|(_, words)| words.iter().any(|word| lower.contains(word)));
    found.map(|(claim, _)| *claim)
}

/// Names in quotes of code; of a path its last name.
fn names_in(message: &str) -> Vec<String> {
    let quoted = message.split('`').skip(1).step_by(2);
    let name = |text: &str| -> Option<String> {
        let text = text.trim().split('(').next().unwrap_or("");
        let last = text.rsplit(['.', ':', '#', '>']).next().unwrap_or("");
        let is_name = !last.is_empty() && last.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && last.len() > 1).then(|| last.to_owned())
    };
    quoted.filter_map(name).collect()
}

/// What the index knows of a name in a root.
#[must_use]
pub fn known_name(view: &View<'_>, root: u32, name: &str) -> KnownName {
    let mut known = KnownName::default();
    let declared = view.index.named(name).iter().filter_map(|symbol| {
        let (file, item) = view.index.get(*symbol)?;
        let is_it = file.root == root && file.facts.str(item.name) == name;
        is_it.then(|| (&*file.path, name_line(item)))
    });
    // The index has them in the order in which files were read.
    let first = declared.min();
    known.declared = first.map(|(path, line)| format!("{path}:{line}"));
    let names = view.names();
    let workspace = names.workspace();
    let Some(of) = workspace.name(name) else {
        return known;
    };
    for file in workspace.files_with(of) {
        let Some(bound) = workspace.file(*file) else {
            continue;
        };
        let uses = bound.uses().filter(|(_, used, _, role)| {
            bound.name(*used) == of && !matches!(role, Role::Import | Role::Doc)
        });
        match is_test_path(bound.path()) {
            true => known.tests += uses.count(),
            false => known.uses += uses.count(),
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Mode;
    use codecortex_protocol::{Bytes, FileVersions, GitDiff};
    use codecortex_syntax::Limits;
    use proptest::prelude::*;
    use serde_json::json;

    fn change() -> Change {
        let bytes = |text: &str| Some(Bytes(text.as_bytes().to_vec()));
        let diff = GitDiff {
            patch: "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 1\n+x = total()\n".into(),
            versions: vec![FileVersions {
                path: "a.py".into(),
                old: bytes("x = 1\n"),
                new: bytes("x = total()\n"),
            }],
            ..GitDiff::default()
        };
        let limits = Limits {
            max_file_size: 1 << 20,
            exclude_generated: true,
        };
        Change::of_git(Mode::Pr, &diff, limits)
    }

    fn known(name: &str) -> KnownName {
        match name {
            "total" => KnownName {
                declared: Some("b.py:3".into()),
                uses: 2,
                tests: 1,
            },
            _ => KnownName::default(),
        }
    }

    fn said(message: &str) -> Result<String, String> {
        let written = json!({ "findings": [{ "file": "a.py", "line": 1, "severity": "high", "category": "bug!", "message": message }] });
        let checked = check(&written, &change(), &known);
        match checked.findings.first() {
            Some(finding) => Ok(finding.checked.clone().unwrap_or_default()),
            None => Err(checked.dropped[0].reason.clone()),
        }
    }

    #[test]
    fn what_the_index_knows_better_is_dropped() {
        assert_eq!(
            said("`total` is not defined anywhere"),
            Err("`total` is declared at b.py:3.".into())
        );
        assert_eq!(
            said("The function `shop.total()` is never called"),
            Ok("`total` is used in 2 places.".into())
        );
        assert_eq!(
            said("`total` is untested"),
            Ok("`total` is named in 1 places of tests.".into())
        );
        assert_eq!(said("`missing` is not defined"), Ok(String::new()));
        assert_eq!(
            said("`total` returns undefined for an empty cart"),
            Ok(String::new())
        );
    }

    #[test]
    fn places_have_to_be_there() {
        let of = |file: &str, line: i64| {
            let written = json!([{ "file": file, "line": line, "severity": "info", "message": "It is wrong." }]);
            check(&written, &change(), &known).findings.len()
        };
        assert_eq!(
            (
                of("a.py", 1),
                of("a.py", 0),
                of("a.py", 99),
                of("b.py", 1),
                of("../a.py", 1)
            ),
            (1, 1, 0, 0, 0)
        );
    }

    fn anything() -> impl Strategy<Value = Value> {
        let words = prop::sample::select(vec![
            "findings",
            "file",
            "a.py",
            "line",
            "severity",
            "error",
            "message",
            "`total` unused\u{1b}[2J",
            "evidence",
            "\n- x",
        ]);
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i64>().prop_map(Value::from),
            words.clone().prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 40, 6, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::vec((words.clone(), inner), 0..8).prop_map(
                    |pairs| Value::Object(
                        pairs
                            .into_iter()
                            .map(|(key, value)| (key.to_owned(), value))
                            .collect()
                    )
                ),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

        /// Whatever a model answers, what is shown of it is of a file of the change, and one plain line.
        #[test]
        fn nothing_unchecked_is_shown(written in anything()) {
            let checked = check(&written, &change(), &known);
            for finding in &checked.findings {
                prop_assert_eq!(finding.file.as_str(), "a.py");
                prop_assert!(!finding.message.chars().any(char::is_control));
                prop_assert!(finding.line <= 1);
            }
        }
    }
}
