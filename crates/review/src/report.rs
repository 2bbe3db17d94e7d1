//! A review for people and for other tools: Markdown, and findings as SARIF (SPEC RV3).

use std::fmt::Write;

use serde_json::{Value, json};

use crate::bundle::{BundleUnit, Snippet};
use crate::finding::{Finding, Severity};
use crate::index::UnitEntry;

/// The bundle as a model or a person reads it.
#[must_use]
pub fn bundle_text(items: &[BundleUnit]) -> String {
    let mut out = String::new();
    for item in items {
        let place = item.meta.location.as_ref().unwrap_or(&item.meta.file_path);
        let tags = item.meta.tags.join(", ");
        let tags = if tags.is_empty() {
            tags
        } else {
            format!(" [{tags}]")
        };
        // Writing into a string does not fail.
        let _ = writeln!(out, "## {place} {}{tags}", item.unit_id);
        out.push_str(&item.diff);
        end_line(&mut out);
        let own = [&item.function_context, &item.file_context, &item.full_file];
        for text in own.into_iter().flatten() {
            let _ = writeln!(out, "=== {}", item.meta.file_path);
            out.push_str(text);
            end_line(&mut out);
        }
        if let Some(text) = &item.previous_version {
            let _ = writeln!(out, "=== before: {}", item.meta.file_path);
            out.push_str(text);
            end_line(&mut out);
        }
        let lists = [
            ("callers", &item.callers),
            ("definitions", &item.definitions),
            ("tests", &item.tests),
            ("implementations", &item.implementations),
            ("search", &item.search),
            ("similar, unchanged", &item.similar),
        ];
        lists
            .into_iter()
            .for_each(|(title, list)| snippets(&mut out, title, list));
        for note in item.scanner_issues.iter().chain(&item.notes) {
            let _ = writeln!(out, "// {note}");
        }
    }
    out
}

fn snippets(out: &mut String, title: &str, list: &[Snippet]) {
    for snippet in list {
        let _ = writeln!(out, "=== {title}: {}", snippet.file_path);
        out.push_str(&snippet.snippet);
        end_line(out);
    }
}

fn end_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

/// The index as a table.
#[must_use]
pub fn index_markdown(units: &[UnitEntry]) -> String {
    let mut out = String::from(
        "| unit | where | change | lines | risk | shown | tags |\n|---|---|---|---|---|---|---|\n",
    );
    for unit in units {
        let lines = if unit.line_numbers.new_compact.is_empty() {
            &unit.line_numbers.old_compact
        } else {
            &unit.line_numbers.new_compact
        };
        let what = match &unit.submodule {
            Some(commits) => format!("submodule {commits}"),
            None => unit.change_class.unwrap_or("").to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} | {} {} | {} {} | +{} -{} | {} | {} | {} |",
            unit.unit_id,
            cell(&unit.file_path),
            cell(lines),
            unit.patch_type,
            cell(&what),
            unit.metrics.added_lines,
            unit.metrics.removed_lines,
            unit.risk.as_str(),
            unit.agent_decision.context_level.as_str(),
            cell(&unit.tags.join(", ")),
        );
    }
    out
}

/// Text that cannot end its cell: paths come from the change.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// Findings as a list.
#[must_use]
pub fn findings_markdown(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let line = if finding.line > 0 {
            format!(":{}", finding.line)
        } else {
            String::new()
        };
        let _ = writeln!(
            out,
            "- **{}** `{}{line}` {} ({}, {})",
            finding.severity.as_str(),
            finding.file.replace('`', "'"),
            cell(&finding.message),
            cell(&finding.category),
            finding.id,
        );
        for evidence in finding.evidence.iter().chain(&finding.checked) {
            let _ = writeln!(out, "  - {}", cell(evidence));
        }
        if let Some(suggestion) = &finding.suggestion {
            let _ = writeln!(out, "  - {}", cell(suggestion));
        }
    }
    out
}

/// Findings as SARIF 2.1.0.
#[must_use]
pub fn sarif(findings: &[Finding], version: &str) -> Value {
    let mut rules: Vec<&str> = findings
        .iter()
        .map(|finding| finding.category.as_str())
        .collect();
    rules.sort_unstable();
    rules.dedup();
    let rules: Vec<Value> = rules.into_iter().map(|id| json!({ "id": id })).collect();
    let results: Vec<Value> = findings.iter().map(sarif_result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "codecortex", "version": version, "rules": rules } },
            "results": results,
        }],
    })
}

fn sarif_result(finding: &Finding) -> Value {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let mut location = json!({ "artifactLocation": { "uri": uri(&finding.file) } });
    if finding.line > 0 {
        location["region"] = json!({ "startLine": finding.line });
    }
    json!({
        "ruleId": finding.category,
        "level": level,
        "message": { "text": finding.message },
        "locations": [{ "physicalLocation": location }],
        "partialFingerprints": { "codecortex/v1": finding.id },
    })
}

/// A path as a URI has it.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let mut out = String::new();
    for byte in path.bytes() {
        match is_plain(byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// What tools report, from a SARIF file: path, line from 1, and what is said. What is not understood is left out.
#[must_use]
pub fn issues_of_sarif(text: &str) -> Vec<crate::pipeline::Issue> {
    const MAX: usize = 5_000;
    let written: Value = serde_json::from_str(text).unwrap_or_default();
    let mut issues = Vec::new();
    for run in written["runs"].as_array().into_iter().flatten() {
        let tool = run["tool"]["driver"]["name"].as_str().unwrap_or("tool");
        for result in run["results"].as_array().into_iter().flatten() {
            let message = result["message"]["text"].as_str().unwrap_or("");
            let rule = result["ruleId"].as_str().unwrap_or("");
            for location in result["locations"].as_array().into_iter().flatten() {
                let place = &location["physicalLocation"];
                let path = place["artifactLocation"]["uri"].as_str().unwrap_or("");
                let line = place["region"]["startLine"].as_u64().unwrap_or(1);
                if !path.is_empty() && issues.len() < MAX {
                    let said: String = message
                        .chars()
                        .filter(|c| !c.is_control())
                        .take(200)
                        .collect();
                    issues.push(crate::pipeline::Issue {
                        path: decoded(path.trim_start_matches("./")),
                        line: u32::try_from(line).unwrap_or(u32::MAX),
                        message: format!("{tool} {rule}: {said}"),
                    });
                }
            }
        }
    }
    issues
}

fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        let ahead = rest.clone();
        let digits: Vec<u8> = ahead.take(2).collect();
        let value = std::str::from_utf8(&digits)
            .ok()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, value) {
            (b'%', Some(value)) if digits.len() == 2 => {
                bytes.push(value);
                rest.next();
                rest.next();
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::FindingLocation;

    fn place(file: &str, line: u32) -> FindingLocation<'_> {
        let text = "";
        FindingLocation { file, line, text }
    }

    #[test]
    fn sarif_comes_back_as_what_tools_report() {
        let finding = Finding::new(
            place("src/a b.py", 7),
            Severity::Warning,
            "rule",
            "It is wrong.",
        );
        let written = sarif(std::slice::from_ref(&finding), "1").to_string();
        let issues = issues_of_sarif(&written);
        assert_eq!((issues[0].path.as_str(), issues[0].line), ("src/a b.py", 7));
        assert_eq!(issues[0].message, "codecortex rule: It is wrong.");
        assert!(
            issues_of_sarif("no JSON").is_empty() && issues_of_sarif("{\"runs\":3}").is_empty()
        );
    }

    #[test]
    fn a_path_cannot_leave_its_cell() {
        let finding = Finding::new(
            place("a`|b", 0),
            Severity::Info,
            "x",
            "one\n- **error** two",
        );
        let text = findings_markdown(&[finding]);
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
