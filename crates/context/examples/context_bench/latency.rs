//! How long a warm question takes on a folder of files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::time::Instant;

use codecortex_retrieval::{Index, Query, SelectionRequest, select};
use codecortex_syntax::{Limits, Outcome, analyse_text, language_of_path};

use crate::Options;
use codecortex_context::map::document;

/// Indexes `--folder` up to `--lines` lines and asks the tasks' questions; prints times and memory.
pub(crate) fn print(options: &Options) {
    let wanted: usize = options
        .rest
        .get("lines")
        .and_then(|lines| lines.parse().ok())
        .unwrap_or(1_000_000);
    let (mut index, mut texts, mut lines, mut indexing) = (Index::new(), HashMap::new(), 0, 0.0);
    let mut open = vec![Path::new(&options.rest["folder"]).to_path_buf()];
    while let (Some(folder), true) = (open.pop(), lines < wanted) {
        let mut entries: Vec<_> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        entries.sort();
        for path in entries {
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if language_of_path(&name).is_some()
                && let Ok(text) = std::fs::read_to_string(&path)
                && let Outcome::Facts(facts) = analyse_text(
                    &name,
                    &text,
                    Limits {
                        max_file_size: 1 << 20,
                        exclude_generated: true,
                    },
                )
            {
                let started = Instant::now();
                index.replace(&document::retrieval_document(&name, &text, &facts));
                indexing += started.elapsed().as_secs_f64();
                lines += text.lines().count();
                texts.insert(name, text);
            }
        }
    }
    let (name, params) = &options.params[0];
    println!(
        "{name}: {} files, {lines} lines, indexed in {indexing:.2} s, {} MB",
        index.len(),
        index.memory() >> 20,
    );
    let rounds: usize = options
        .rest
        .get("rounds")
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(1);
    let (mut ranked, mut chosen): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
    let tasks = || options.tasks.values().flatten();
    for task in std::iter::repeat_n((), rounds).flat_map(|()| tasks()) {
        let query = Query {
            text: task["query"].as_str().unwrap().to_owned(),
            focus: None,
            ..Query::default()
        };
        let started = Instant::now();
        let ranking = index.rank(&query, None, params);
        ranked.push(started.elapsed().as_secs_f64() * 1e3);
        let started = Instant::now();
        let request = SelectionRequest {
            tokens: 4000,
            ..SelectionRequest::default()
        };
        let selection = select(&index, &ranking, request, params, |path| {
            texts.get(path).map(|text| Cow::Borrowed(text.as_str()))
        });
        assert!(selection.tokens <= 4000);
        chosen.push(started.elapsed().as_secs_f64() * 1e3);
    }
    let whole = ranked
        .iter()
        .zip(&chosen)
        .map(|(rank, choose)| rank + choose);
    let whole: Vec<f64> = whole.collect();
    for (what, mut times) in [("rank", ranked), ("select", chosen), ("query", whole)] {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!(
            "{what}: p50 {:.1} ms, p95 {:.1} ms, max {:.1} ms",
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
}
