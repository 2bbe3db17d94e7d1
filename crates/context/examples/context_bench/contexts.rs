//! The texts for every task, scenario and budget.

use std::borrow::Cow;
use std::io::Write;
use std::time::Instant;

use codecortex_context::payload::entry_costs;
use codecortex_retrieval::{
    AnswerForm, Params, Query, Ranking, SelectionRequest, Selector, SharesByBudget, prepare,
};
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
    // `--form json` chooses for the payload, whose entries cost more than rows; what is written is the text all the same.
    let form = match options.rest.get("form").map(String::as_str) {
        Some("json") => AnswerForm::Json(entry_costs()),
        _ => AnswerForm::Text,
    };
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
            for focus in scenarios(task) {
                let query = Query {
                    text: task["query"].as_str().unwrap().to_owned(),
                    focus,
                    ..Query::default()
                };
                // Shares do not change what a question is about.
                let mut ranked: Option<(Params, Ranking)> = None;
                for (name, params) in &options.params {
                    let weights = Params {
                        shares: SharesByBudget::default(),
                        ..params.clone()
                    };
                    let started = Instant::now();
                    let ranking = match ranked {
                        Some((known, ranking)) if known == weights => ranking,
                        _ => repository.index.rank(&query, Some(&history), params),
                    };
                    let (ranking, seconds) = (ranking, started.elapsed().as_secs_f64());
                    let asked = Asked {
                        query: &query,
                        task,
                        ranking: &ranking,
                        seconds,
                    };
                    answer(
                        &repository,
                        &asked,
                        (&budgets, form),
                        (name, params),
                        &mut out,
                    );
                    ranked = Some((weights, ranking));
                }
            }
        }
    }
}

/// A task's question and what it is about.
struct Asked<'a> {
    query: &'a Query,
    task: &'a Value,
    ranking: &'a Ranking,
    /// How long ranking took.
    seconds: f64,
}

fn answer(
    repository: &Repository,
    asked: &Asked<'_>,
    (budgets, form): (&[usize], AnswerForm),
    (name, params): (&str, &Params),
    out: &mut impl Write,
) {
    let text = |path: &str| {
        let text = repository.texts.get(path);
        text.map(|text| Cow::Borrowed(text.as_str()))
    };
    let (index, ranking) = (&repository.index, asked.ranking);
    let prepared = prepare(index, ranking, params, text);
    for budget in budgets {
        let started = Instant::now();
        let request = SelectionRequest {
            tokens: *budget,
            form,
            selector: Selector::Ranked,
        };
        let selection = prepared.select(index, ranking, request, params, text);
        let scenario = match asked.query.focus {
            Some(_) => "focus",
            None => "query",
        };
        let row = json!({
            "id": asked.task["id"], "scenario": scenario, "budget": budget, "params": name,
            "text": selection.text, "confident": ranking.is_confident,
            "rank_s": asked.seconds, "select_s": started.elapsed().as_secs_f64(),
        });
        writeln!(out, "{row}").unwrap();
    }
}
