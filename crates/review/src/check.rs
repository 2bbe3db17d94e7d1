//! A model's findings, read and checked: places have to be there, and what the index knows better is not said (SPEC RV3,
//! D29).
//!
//! Reviewers report one thing wrongly more than any other: that something is undefined, unused or not tested, because it
//! stood outside of what they were shown. Such a claim about a name is compared with the index.

use codecortex_analysis::AnalysisView;
use codecortex_bind::facts::Role;
use codecortex_protocol::counts::counted;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::change::{ChangedFile, ReviewedChange};
use crate::changed_lines::is_import;
use crate::claims::{Claim, claims};
use crate::finding::{Finding, FindingLocation, Severity, arrange};
use crate::source::{is_test_path, name_line};

/// Findings of one answer.
const MAX: usize = 200;
/// Characters of a sentence.
const MAX_TEXT: usize = 600;
/// Sentences about what is wrong with an answer.
const MAX_DROPPED: usize = 50;

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
pub fn check(
    written: &Value,
    change: &ReviewedChange,
    known: &dyn Fn(&str) -> KnownName,
) -> Checked {
    let mut checked = Checked::default();
    let list = written.get("findings").unwrap_or(written).as_array();
    let Some(list) = list else {
        checked.drop("", "The answer has no list `findings`.");
        return checked;
    };
    for written in list.iter().take(MAX) {
        one(written, change, known, &mut checked);
    }
    arrange(&mut checked.findings);
    checked
}

impl Checked {
    fn drop(&mut self, message: &str, reason: impl Into<String>) {
        if self.dropped.len() < MAX_DROPPED {
            self.dropped.push(Dropped {
                message: message.to_owned(),
                reason: reason.into(),
            });
        }
    }
}

fn one(
    written: &Value,
    change: &ReviewedChange,
    known: &dyn Fn(&str) -> KnownName,
    checked: &mut Checked,
) {
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
    let Some(line) = line_of(written).filter(|line| (1..=lines_of(file)).contains(line)) else {
        let line = written.get("line").map_or("0".to_owned(), Value::to_string);
        checked.drop(
            &message,
            format!("`{path}` has no line {}.", sentence(&line)),
        );
        return;
    };
    let Some(severity) = text("severity").as_deref().and_then(Severity::from_word) else {
        checked.drop(&message, "It has no severity `error`, `warning` or `info`.");
        return;
    };
    let contradicted = contradiction(&message, file, known);
    if let Some((Claim::Undefined | Claim::NotImported, reason)) = &contradicted {
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
    let mut finding = Finding::new(
        FindingLocation::from_file(file, line),
        severity,
        &category,
        message,
    );
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
        .take(MAX_TEXT)
        .collect()
}

/// The line that a finding names; models write numbers as words, too.
fn line_of(written: &Value) -> Option<u32> {
    let line = match written.get("line")? {
        Value::String(text) => text.trim().parse().ok()?,
        number => number.as_u64()?,
    };
    u32::try_from(line).ok()
}

/// How many lines a file has: as it is now, else as it was, else as far as its diff tells.
fn lines_of(file: &ChangedFile) -> u32 {
    let source = file.new.as_ref().or(file.old.as_ref());
    let told = file.diff.hunks.iter();
    let told = told.map(|hunk| {
        hunk.new_start
            .saturating_add(hunk.new_count)
            .max(hunk.old_start.saturating_add(hunk.old_count))
    });
    source.map_or_else(
        || told.max().map_or(1, |end| end.saturating_sub(1).max(1)),
        |source| source.lines().max(1),
    )
}

/// What the index says against a claim; none where it does not know better.
fn contradiction(
    message: &str,
    file: &ChangedFile,
    known: &dyn Fn(&str) -> KnownName,
) -> Option<(Claim, String)> {
    claims(message).into_iter().find_map(|(claim, name)| {
        let found = known(&name);
        let declared = || {
            found
                .declared
                .as_ref()
                .map(|place| format!("`{name}` is declared at {place}."))
        };
        let reason = match claim {
            Claim::Undefined | Claim::Valueless => declared()?,
            Claim::NotImported => {
                let place = declared()?;
                is_brought(file, &name).then_some(place)?
            }
            Claim::Unused if found.uses > 0 => {
                format!("`{name}` is used in {}.", counted(found.uses, "place"))
            }
            Claim::Untested if found.tests > 0 => {
                let places = counted(found.tests, "place");
                format!("`{name}` is named in {places} of tests.")
            }
            Claim::Unused | Claim::Untested => return None,
        };
        // In languages that have such a value, nobody can tell which of the two is meant.
        let has_value = file.language.is_some_and(|language| {
            matches!(
                language.info().id,
                "typescript"
                    | "typescriptreact"
                    | "javascript"
                    | "javascriptreact"
                    | "vue"
                    | "svelte"
            )
        });
        let claim = match claim {
            Claim::Valueless if !has_value => Claim::Undefined,
            claim => claim,
        };
        Some((claim, reason))
    })
}

/// Whether a file has a name by an import or a declaration of its own, or its language needs none for what is near.
fn is_brought(file: &ChangedFile, name: &str) -> bool {
    let needs_import = file.language.is_some_and(|language| {
        matches!(
            language.info().id,
            "typescript" | "typescriptreact" | "javascript" | "javascriptreact" | "python" | "rust"
        )
    });
    let Some(new) = file.new.as_ref().filter(|_| needs_import) else {
        return !needs_import;
    };
    let facts = new.facts.as_ref();
    let is_own =
        facts.is_some_and(|facts| facts.items.iter().any(|item| facts.str(item.name) == name));
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // An import may go over several lines: up to its end, which is a `;`, a bracket or an empty line.
    let mut is_open = false;
    is_own
        || new.text.lines().any(|line| {
            is_open = is_import(line.trim()) || is_open && !line.trim().is_empty();
            let has_it = is_open && line.split(|c: char| !is_part(c)).any(|word| word == name);
            is_open &= !line.contains([';', ')', '}']);
            has_it
        })
}

/// What the index knows of a name in a root.
#[must_use]
pub fn known_name(view: &AnalysisView<'_>, root: u32, name: &str) -> KnownName {
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
    use crate::change::ChangeOrigin;
    use codecortex_protocol::{Bytes, FileVersions, GitDiff};
    use codecortex_syntax::Limits;
    use proptest::prelude::*;
    use serde_json::json;

    fn change() -> ReviewedChange {
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
        ReviewedChange::of_git(ChangeOrigin::Pr, &diff, limits)
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
            Ok("`total` is named in 1 place of tests.".into())
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
            (1, 0, 0, 0, 0)
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
