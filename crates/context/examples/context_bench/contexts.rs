//! The texts for every task, scenario and budget.

use std::borrow::Cow;
use std::io::Write;
use std::time::Instant;

use codecortex_retrieval::{Params, Query, Selector, select};
use serde_json::{Value, json};

use crate::Options;
use crate::features::scenarios;
use crate::repository::Repository;

/// Writes one JSON a line: task, scenario, budget, name of the parameters, text, seconds.
pub(crate) fn write(options: &Options) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(&options.out).unwrap());
    let budgets: Vec<usize> = options
        .rest
        .get("budgets")
        .map_or("1000,2000,4000,8000", String::as_str)
        .split(',')
        .filter_map(|budget| budget.parse().ok())
        .collect();
    for (key, tasks) in &options.tasks {
        let bases: Vec<String> = tasks
            .iter()
            .map(|task| task["base"].as_str().unwrap().to_owned())
            .collect();
        let mut repository =
            Repository::open(&format!("{}/{key}", options.checkouts), &bases).unwrap();
        for task in tasks {
            let base = task["base"].as_str().unwrap();
            repository.go_to(base).unwrap();
            let history = repository.history(base);
            for (name, params) in &options.params {
                for focus in scenarios(task) {
                    let query = Query {
                        text: task["query"].as_str().unwrap().to_owned(),
                        focus,
                        ..Query::default()
                    };
                    answer(
                        &repository,
                        &history,
                        &query,
                        task,
                        &budgets,
                        (name, params),
                        &mut out,
                    );
                }
            }
        }
    }
}

fn answer(
    repository: &Repository,
    history: &codecortex_retrieval::History,
    query: &Query,
    task: &Value,
    budgets: &[usize],
    (name, params): (&str, &Params),
    out: &mut impl Write,
) {
    let started = Instant::now();
    let ranking = repository.index.rank(query, Some(history), params);
    let rank_seconds = started.elapsed().as_secs_f64();
    for budget in budgets {
        let started = Instant::now();
        let text = |path: &str| {
            repository
                .texts
                .get(path)
                .map(|text| Cow::Borrowed(text.as_str()))
        };
        let selection = select(
            &repository.index,
            &ranking,
            *budget,
            Selector::Ranked,
            params,
            text,
        );
        let row = json!({
            "id": task["id"], "scenario": if query.focus.is_some() { "focus" } else { "query" }, "budget": budget, "params": name,
            "text": selection.text, "confident": ranking.is_confident,
            "rank_s": rank_seconds, "select_s": started.elapsed().as_secs_f64(),
        });
        writeln!(out, "{row}").unwrap();
    }
}
