//! The native side of the module's smoke test: reads lines `<language id>\t<path>`, writes one node count a line.
#![allow(clippy::print_stdout, reason = "the counts are this program's result")]

use std::io::{BufRead, Error, Result, stdin};

use codecortex_wasm::smoke::count_nodes;

fn main() -> Result<()> {
    for line in stdin().lock().lines() {
        let line = line?;
        let (language, path) = line
            .split_once('\t')
            .ok_or_else(|| Error::other(format!("no tab in: {line}")))?;
        let count = count_nodes(language, &std::fs::read(path)?)
            .ok_or_else(|| Error::other(format!("no grammar for {language}")))?;
        println!("{count}");
    }
    Ok(())
}
