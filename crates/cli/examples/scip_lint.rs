//! Says what is wrong with an index in SCIP's form: `scip_lint INDEX.scip FOLDER`.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a developer's tool"
)]

#[path = "../tests/program/scip_rules.rs"]
#[allow(unreachable_pub, reason = "shared with the tests")]
mod scip_rules;

use std::path::Path;

use protobuf::Message;
use scip::types::Index;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, index, folder] = args.as_slice() else {
        eprintln!("scip_lint INDEX.scip FOLDER");
        return;
    };
    let index = Index::parse_from_bytes(&std::fs::read(index).unwrap()).unwrap();
    let text = |path: &str| std::fs::read_to_string(Path::new(folder).join(path)).ok();
    let problems = scip_rules::problems(&index, text);
    let occurrences: usize = index
        .documents
        .iter()
        .map(|document| document.occurrences.len())
        .sum();
    for problem in problems.iter().take(40) {
        println!("{problem}");
    }
    println!(
        "{} documents, {occurrences} occurrences, {} problems",
        index.documents.len(),
        problems.len()
    );
}
