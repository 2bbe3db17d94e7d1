//! Features and labels of candidates, for the script that finds the weights.

use std::io::Write;

use codecortex_retrieval::{Index, Query};
use serde_json::Value;

use crate::Options;
use crate::repository::Repository;

/// Writes a row of little-endian f32 for each candidate: group, declaration, features, symbol edited, edits inside.
pub(crate) fn write(options: &Options) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(&options.out).unwrap());
    let mut groups = std::fs::File::create(format!("{}.groups", options.out)).unwrap();
    let mut group = 0u32;
    for (key, tasks) in &options.tasks {
        let started = std::time::Instant::now();
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
                    focus: focus.clone(),
                    ..Query::default()
                };
                let gold = gold_of(&repository.index, &repository, task);
                let found = repository
                    .index
                    .features(&query, Some(&history), &options.params[0].1);
                for (path, declaration, values) in &found {
                    let labels = gold
                        .iter()
                        .find(|(of, at, ..)| of == path && at == declaration);
                    let (symbol, edits) =
                        labels.map_or((0.0, 0.0), |(_, _, symbol, edits)| (*symbol, *edits));
                    let row = [group as f32, *declaration as f32]
                        .into_iter()
                        .chain(*values)
                        .chain([symbol, edits]);
                    row.for_each(|value| out.write_all(&value.to_le_bytes()).unwrap());
                }
                let wanted = gold
                    .iter()
                    .filter(|(path, ..)| focus.as_ref() != Some(path))
                    .count();
                let have = gold
                    .iter()
                    .filter(|(path, at, ..)| {
                        found
                            .iter()
                            .any(|(of, number, _)| of == path && number == at)
                    })
                    .count();
                writeln!(
                    groups,
                    "{}\t{}\t{key}\t{wanted}\t{have}\t{}",
                    task["id"].as_str().unwrap(),
                    focus.is_some(),
                    found.len()
                )
                .unwrap();
                group += 1;
            }
        }
        eprintln!(
            "{key} {} tasks {:.1} s, index {} files {} MB",
            tasks.len(),
            started.elapsed().as_secs_f32(),
            repository.index.len(),
            repository.index.memory() >> 20
        );
    }
}

/// No focus, then the focus of the task, if it has one.
pub(crate) fn scenarios(task: &Value) -> Vec<Option<String>> {
    let focus = task["focus"].as_str().map(|focus| Some(focus.to_owned()));
    std::iter::once(None).chain(focus).collect()
}

/// Path, declaration, whether it is a gold symbol, number of edits in its own text.
fn gold_of(index: &Index, repository: &Repository, task: &Value) -> Vec<(String, u32, f32, f32)> {
    let mut gold: Vec<(String, u32, f32, f32)> = Vec::new();
    for file in task["gold"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let Some(text) = repository.texts.get(path) else {
            continue;
        };
        let starts: Vec<u32> = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|(_, byte)| *byte == b'\n')
                    .map(|(at, _)| at as u32 + 1),
            )
            .collect();
        let mut add = |declaration: u32, symbol: f32, edit: f32| match gold
            .iter_mut()
            .find(|(of, at, ..)| of == path && *at == declaration)
        {
            Some(known) => {
                known.2 = known.2.max(symbol);
                known.3 += edit;
            }
            None => gold.push((path.to_owned(), declaration, symbol, edit)),
        };
        for symbol in file["symbols"].as_array().unwrap() {
            let first = starts[symbol["start"].as_u64().unwrap() as usize - 1];
            let last = starts
                .get(symbol["end"].as_u64().unwrap() as usize)
                .copied()
                .unwrap_or(text.len() as u32);
            if let Some(declaration) =
                index.declaration_named(path, symbol["name"].as_str().unwrap(), first..last)
            {
                add(declaration, 1.0, 0.0);
            }
        }
        for range in file["ranges"].as_array().unwrap() {
            let line = range[0].as_u64().unwrap().max(1) as usize;
            let line_start = starts.get(line - 1).copied().unwrap_or(0);
            let line_text = text[line_start as usize..].lines().next().unwrap_or("");
            let at = line_start + (line_text.len() - line_text.trim_start().len()) as u32;
            add(index.declaration_around(path, at), 0.0, 1.0);
        }
    }
    gold
}
