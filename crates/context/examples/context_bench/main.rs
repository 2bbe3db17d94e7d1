//! Measures the ranker on tasks that commits made: what a change edited, asked for by its message.
//!
//! `context_bench features --tasks TASKS --checkouts FOLDER --out FILE` writes the features of every candidate.
//! `context_bench contexts …` prints the texts for every task, scenario and budget, one JSON a line.
//! `context_bench questions …` writes the features of every candidate for questions that whole files answer.
//! `context_bench tokens --folder FOLDER` prints what indentation and line numbers cost.
//! `context_bench latency --folder FOLDER …` indexes a folder and prints how long questions take.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::disallowed_types,
    clippy::disallowed_methods,
    missing_docs,
    reason = "a tool for measuring"
)]

mod contexts;
mod features;
mod latency;
mod questions;
mod repository;
mod tokens;

use std::collections::BTreeMap;

use codecortex_retrieval::Params;
use serde_json::Value;

pub(crate) struct Options {
    pub(crate) tasks: BTreeMap<String, Vec<Value>>,
    pub(crate) checkouts: String,
    pub(crate) out: String,
    pub(crate) params: Vec<(String, Params)>,
    pub(crate) rest: BTreeMap<String, String>,
}

fn main() {
    // The first is the program itself.
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let mut given = BTreeMap::new();
    while let (Some(name), Some(value)) = (arguments.next(), arguments.next()) {
        given.insert(name.trim_start_matches("--").to_owned(), value);
    }
    let mut tasks: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    // What costs are counted of needs no tasks.
    let listed = given.get("tasks");
    let listed = listed.map(|path| std::fs::read_to_string(path).unwrap());
    for line in listed.iter().flat_map(|text| text.lines()) {
        let task: Value = serde_json::from_str(line).unwrap();
        let key = task["key"].as_str().unwrap().to_owned();
        if given
            .get("only")
            .is_none_or(|only| only.split(',').any(|only| only == key))
        {
            tasks.entry(key).or_default().push(task);
        }
    }
    let read = |path: &str| {
        (
            path.to_owned(),
            Params::parse(&std::fs::read_to_string(path).unwrap()).unwrap(),
        )
    };
    let params = given.get("params").map_or_else(
        || vec![("tuned".to_owned(), Params::tuned())],
        |paths| paths.split(',').map(read).collect(),
    );
    let options = Options {
        tasks,
        checkouts: given.get("checkouts").cloned().unwrap_or_default(),
        out: given.get("out").cloned().unwrap_or_default(),
        params,
        rest: given,
    };
    match mode.as_str() {
        "features" => features::write(&options),
        "contexts" => contexts::write(&options),
        "latency" => latency::print(&options),
        "questions" => questions::write(&options),
        "tokens" => tokens::print(&options),
        _ => eprintln!("features, contexts, questions, latency or tokens"),
    }
}
