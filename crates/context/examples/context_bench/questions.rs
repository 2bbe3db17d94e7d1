//! Features of candidates for questions that files answer, for the script that finds the weights.

use std::io::Write;
use std::path::Path;

use codecortex_context::map::document;
use codecortex_retrieval::{Index, Query};
use codecortex_syntax::{Limits, Outcome, analyse_text, language_of_path};
use serde_json::Value;

use crate::Options;

/// Writes a row of little-endian f32 for each candidate: group, file, whether the file answers, declaration, features. A
/// task has `folder`, `query` and `goal`, the ends of paths of the files that answer it.
pub(crate) fn write(options: &Options) {
    let mut out = std::io::BufWriter::new(std::fs::File::create(&options.out).unwrap());
    let mut groups = std::fs::File::create(format!("{}.groups", options.out)).unwrap();
    let mut group = 0u32;
    for (key, tasks) in &options.tasks {
        let index = index_of(Path::new(tasks[0]["folder"].as_str().unwrap()));
        for task in tasks {
            let query = Query {
                text: task["query"].as_str().unwrap().to_owned(),
                ..Query::default()
            };
            let goal: Vec<&str> = task["goal"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(Value::as_str)
                .collect();
            let found = index.features(&query, None, &options.params[0].1);
            let (mut files, mut last) = (0u32, "");
            for (path, declaration, values) in &found {
                files += u32::from(*path != last);
                last = path;
                let is_goal = goal.iter().any(|goal| is_same(path, goal));
                let row = [
                    group as f32,
                    files as f32,
                    f32::from(u8::from(is_goal)),
                    *declaration as f32,
                ];
                let row = row.into_iter().chain(*values);
                row.for_each(|value| out.write_all(&value.to_le_bytes()).unwrap());
            }
            writeln!(groups, "{key}\t{}\t{}", goal.len(), query.text).unwrap();
            group += 1;
        }
        eprintln!("{key} {} questions, {} files", tasks.len(), index.len());
    }
}

fn is_same(a: &str, b: &str) -> bool {
    let ends = |a: &str, b: &str| {
        a.strip_suffix(b)
            .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    ends(a, b) || ends(b, a)
}

fn index_of(root: &Path) -> Index {
    let mut index = Index::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            let limits = Limits {
                max_file_size: 1 << 20,
                exclude_generated: true,
            };
            if language_of_path(&name).is_some()
                && let Ok(text) = std::fs::read_to_string(&path)
                && let Outcome::Facts(facts) = analyse_text(&name, &text, limits)
            {
                index.replace(&document::retrieval_document(&name, &text, &facts));
            }
        }
    }
    index
}
