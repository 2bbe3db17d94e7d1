//! Runs the rules in `tests/rules/*.md`: each section with a table is a scenario, each row a step.
//!
//! Every scenario runs six times: with news of single types and with complete lists; and each of these
//! without a break, with a restart after every step, and with a restart that has lost its cache.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads its documents"
)]

mod support;

use std::path::Path;
use support::runner::{Restart, Runner};

/// A row: place, time, steps, expected facts.
struct Row {
    line: usize,
    time: String,
    steps: String,
    facts: String,
}

struct Scenario {
    title: String,
    rows: Vec<Row>,
}

fn scenarios(text: &str) -> Vec<Scenario> {
    let mut found: Vec<Scenario> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            found.push(Scenario {
                title: title.to_owned(),
                rows: Vec::new(),
            });
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let is_row = line.starts_with('|') && cells.len() == 5;
        let is_head = is_row && (cells[1] == "time" || cells[1].starts_with('-'));
        assert!(
            !line.starts_with('|') || is_row,
            "line {}: three columns are needed",
            at + 1
        );
        if is_row && !is_head {
            let scenario = found.last_mut().expect("a table below a title");
            scenario.rows.push(Row {
                line: at + 1,
                time: cells[1].to_owned(),
                steps: cells[2].to_owned(),
                facts: cells[3].to_owned(),
            });
        }
    }
    found.retain(|scenario| !scenario.rows.is_empty());
    found
}

fn run(file: &str, scenario: &Scenario, complete: bool, restart: Restart, wrong: &mut Vec<String>) {
    let mut runner = Runner::new(complete, restart);
    for row in &scenario.rows {
        if !row.time.is_empty() {
            runner.set_time(&row.time);
        }
        for step in split(&row.steps) {
            runner.step(&step);
        }
        runner.send();
        for fact in split(&row.facts) {
            if let Err(seen) = runner.check(&fact) {
                wrong.push(format!(
                    "{file}:{} ({}; complete: {complete}, restart: {restart:?})\n    {fact}\n    but {seen}",
                    row.line, scenario.title
                ));
            }
        }
        runner.restart();
    }
}

fn split(cell: &str) -> Vec<String> {
    let parts = cell
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts.map(str::to_owned).collect()
}

#[test]
fn rules_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for path in paths {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        for scenario in scenarios(&std::fs::read_to_string(&path).unwrap()) {
            count += 1;
            for complete in [false, true] {
                for restart in [Restart::Never, Restart::WithCache, Restart::WithoutCache] {
                    run(&file, &scenario, complete, restart, &mut wrong);
                }
            }
        }
    }
    assert!(count > 30, "only {count} scenarios were found");
    assert!(
        wrong.is_empty(),
        "{} facts do not hold:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
