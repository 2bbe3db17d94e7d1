//! What indentation and line numbers cost in tokens.

use std::collections::BTreeMap;
use std::path::Path;

use codecortex_protocol::{Tokenizer, tokens_approx};
use codecortex_syntax::language_of_path;
use codecortex_text::numbered_whole;

use crate::Options;

/// Lines that are counted together, as an answer shows them.
const RUN: usize = 20;

/// Tokens by form.
#[derive(Default)]
struct Spent {
    lines: usize,
    /// Of lines without indentation, of lines as they stand, of numbered ones; exact ones, then a quarter of the characters.
    exact: [u64; 3],
    approx: [u64; 3],
}

/// Prints for each language of `--folder` what a line costs in `o200k_base` and by a quarter of its characters.
pub(crate) fn print(options: &Options) {
    let mut by_language: BTreeMap<String, Spent> = BTreeMap::new();
    let mut open = vec![Path::new(&options.rest["folder"]).to_path_buf()];
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if let Some(language) = language_of_path(&name)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                let spent = by_language.entry(format!("{language:?}")).or_default();
                count(&text, spent);
            }
        }
    }
    println!(
        "language: lines; tokens a line bare, indented, numbered: o200k_base; a quarter of the characters"
    );
    for (
        language,
        Spent {
            lines,
            exact,
            approx,
        },
    ) in by_language
    {
        let a_line = |tokens: [u64; 3]| {
            tokens
                .map(|of| format!("{:.2}", of as f64 / lines as f64))
                .join(" ")
        };
        println!("{language}: {lines}; {}; {}", a_line(exact), a_line(approx));
    }
}

fn count(text: &str, spent: &mut Spent) {
    let lines: Vec<(u32, &str)> = (1..).zip(text.lines()).collect();
    for run in lines.chunks(RUN) {
        let bare: String = run
            .iter()
            .map(|(_, line)| format!("{}\n", line.trim_start()))
            .collect();
        let indented: String = run.iter().map(|(_, line)| format!("{line}\n")).collect();
        let numbered = numbered_whole(run.iter().copied());
        for (at, text) in [bare, indented, numbered].iter().enumerate() {
            spent.exact[at] += u64::from(Tokenizer::O200kBase.exact(text).unwrap_or(0));
            spent.approx[at] += u64::from(tokens_approx(text));
        }
        spent.lines += run.len();
    }
}
