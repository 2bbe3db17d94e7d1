//! Whether each figure of README and CHANGELOG is in the row of `docs/benchmarks.md` that it names.
//!
//! A line with a measurement has a link whose title names the rows by their first cells:
//! `[memory](docs/benchmarks.md#speed-and-memory "peak resident memory, 1.2 M lines")`, several apart by ` · `.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use regex::Regex;

/// Where people read figures.
const PAGES: [&str; 2] = ["README.md", "CHANGELOG.md"];

/// Where they are measured.
const BENCHMARKS: &str = "docs/benchmarks.md";

/// What is between the names of rows.
const SEPARATOR: &str = " · ";

/// A row of a table: the anchor of its section, its first cell, all of it.
struct Row {
    section: String,
    label: String,
    text: String,
}

/// Fails with every figure that names no row, a row that is not there, or one without the figure.
pub(crate) fn check(root: &Path) -> Result<()> {
    let read = |path: &str| fs::read_to_string(root.join(path)).with_context(|| path.to_owned());
    let rows = rows(&read(BENCHMARKS)?);
    let mut faults = Vec::new();
    for page in PAGES {
        let text = read(page)?;
        faults.extend(
            faults_of(&text, &rows)?
                .into_iter()
                .map(|fault| format!("{page}:{fault}")),
        );
    }
    if faults.is_empty() {
        return Ok(());
    }
    bail!("{}", faults.join("\n"))
}

fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut section = String::new();
    for line in text.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            section = anchor(heading.trim_start_matches('#'));
        } else if let Some(cells) = line.strip_prefix('|') {
            let label = cells.split('|').next().unwrap_or_default().trim();
            rows.push(Row {
                section: section.clone(),
                label: label.to_owned(),
                text: line.replace("**", ""),
            });
        }
    }
    rows
}

/// The anchor that a heading has on the web: lower case, hyphens for blanks, no other signs.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn faults_of(text: &str, rows: &[Row]) -> Result<Vec<String>> {
    let link = Regex::new(r#"\(docs/benchmarks\.md#([\w-]+) "([^"]+)"\)"#)?;
    let mut faults = Vec::new();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        is_code ^= line.trim_start().starts_with("```");
        let figures = if is_code { Vec::new() } else { figures(line)? };
        if figures.is_empty() {
            continue;
        }
        let number = index + 1;
        let Some(named) = link.captures(line) else {
            faults.push(format!(
                "{number}: no row is named for {}",
                figures.join(", ")
            ));
            continue;
        };
        let mut texts = Vec::new();
        for label in named[2].split(SEPARATOR) {
            let mut found = rows
                .iter()
                .filter(|row| row.section == named[1] && row.label == label)
                .peekable();
            if found.peek().is_none() {
                faults.push(format!("{number}: no row `{label}` below #{}", &named[1]));
            }
            texts.extend(found.map(|row| row.text.as_str()));
        }
        for figure in figures {
            let is_there = texts.iter().any(|text| has_number(text, &figure));
            if !is_there {
                faults.push(format!(
                    "{number}: {figure} is in none of the rows that are named"
                ));
            }
        }
    }
    Ok(faults)
}

/// The numbers of measurements in a line: those before a unit of time, memory or share, and shares in lines about F1. Sizes
/// of what was measured on (lines, uses, kB) are conditions.
fn figures(line: &str) -> Result<Vec<String>> {
    const NUMBER: &str = r"\d[\d,]*(?:\.\d+)?";
    let measured = Regex::new(&format!(
        r"(?:^|[^\w.,])({NUMBER}(?:(?:–|, | / ){NUMBER})*) ?(?:MB / M lines|MB|GB|ms|s|×|%)(?:\W|$)"
    ))?;
    let share = Regex::new(r"(?:^|[^\w.])([01]\.\d{2,3})\b")?;
    let number = Regex::new(NUMBER)?;
    let mut found: Vec<String> = measured
        .captures_iter(line)
        .flat_map(|run| {
            let run = run.get(1).map_or("", |run| run.as_str());
            number
                .find_iter(run)
                .map(|number| number.as_str().trim_end_matches(',').to_owned())
        })
        .collect();
    if line.contains("F1") {
        found.extend(share.captures_iter(line).map(|share| share[1].to_owned()));
        let ranges = Regex::new(r"–([01]\.\d{2,3})\b")?;
        found.extend(ranges.captures_iter(line).map(|share| share[1].to_owned()));
    }
    Ok(found)
}

/// Whether a row has a number, and not as a part of another one.
fn has_number(row: &str, number: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    row.match_indices(number).any(|(at, _)| {
        let before = row[..at].chars().next_back();
        let mut behind = row[at + number.len()..].chars();
        let is_longer = match behind.next() {
            Some('.' | ',') => behind.next().is_some_and(is_digit),
            next => next.is_some_and(char::is_alphanumeric),
        };
        !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | ',')) && !is_longer
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLES: &str = "## Speed, and memory\n\n| what | measured |\n| --- | --- |\n| save | 2.4 ms |\n| call | 34–42, 46–**56** ms |\n| C++ | 0.986 |\n";

    fn faults(line: &str) -> Vec<String> {
        faults_of(line, &rows(TABLES)).unwrap()
    }

    #[test]
    fn a_figure_is_in_the_row_that_it_names() {
        let link = |row: &str| format!("(docs/benchmarks.md#speed-and-memory \"{row}\")");
        assert!(faults(&format!("[a call]{} takes 34–42, 46–56 ms", link("call"))).is_empty());
        assert!(faults(&format!("[both]{} 2.4 ms, F1 0.986", link("save · C++"))).is_empty());
        assert_eq!(
            faults(&format!("[a call]{} takes 2.4 ms", link("call"))),
            ["1: 2.4 is in none of the rows that are named"]
        );
        assert_eq!(
            faults(&format!("[a call]{} takes 34 ms", link("none"))),
            [
                "1: no row `none` below #speed-and-memory",
                "1: 34 is in none of the rows that are named"
            ]
        );
    }

    #[test]
    fn a_figure_names_a_row() {
        assert_eq!(faults("It takes 7–8 ms."), ["1: no row is named for 7, 8"]);
        assert!(faults("20,000 uses in 2,000 files of 1.2 M lines, version 0.1.0").is_empty());
        assert!(faults("```\nsleep 5 s\n```").is_empty());
    }

    #[test]
    fn a_part_of_a_number_is_none() {
        for (row, number) in [
            ("12.4 ms", "2.4"),
            ("2.45", "2.4"),
            ("1,275 k", "275"),
            ("2.4.1", "2.4"),
        ] {
            assert!(!has_number(row, number), "{row}");
        }
        assert!(
            has_number("2.4, 3", "2.4") && has_number("(2.4)", "2.4") && has_number("34–42", "42")
        );
    }
}
