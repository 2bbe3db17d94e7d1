//! Measures questions over a store of many observations: `measure <folder> <back end> <count>`. The folder is
//! filled once; every question of JSONL is asked of a store that has read nothing yet.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a program has a clock and arguments"
)]

use std::path::Path;
use std::time::Instant;

use codecortex_memory::native::MemoryFolder;
use codecortex_memory::{
    Actor, BackEnd, ObservationDraft, ObservationFilter, Phase, Redactor, Select,
};

const WORDS: usize = 5000;
const BATCH: u64 = 5000;
const QUESTIONS: u64 = 200;

/// Words of a text as frequent as words are: the n-th one 1/n times.
fn word(state: &mut u64) -> String {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    let share = (*state >> 33) as f64 / (1_u64 << 31) as f64;
    let rank = (WORDS as f64).powf(share) as usize;
    let syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu"];
    let mut name = String::new();
    let mut rest = rank + 11;
    while rest > 0 {
        name.push_str(syllables[rest % 10]);
        rest /= 10;
    }
    name
}

fn text(state: &mut u64, words: usize) -> String {
    (0..words)
        .map(|_| word(state))
        .collect::<Vec<_>>()
        .join(" ")
}

fn draft(state: &mut u64, number: u64) -> ObservationDraft {
    let mut draft = ObservationDraft::new("2026-01-01 00:00:00", text(state, 8));
    draft.detail = Some(text(state, 16));
    draft.actor = Actor::from(Actor::KNOWN[number as usize % 6]);
    draft.phase = Phase::from(Phase::KNOWN[number as usize % 5]);
    draft.task_id = Some(format!("task-{}", number / 50));
    draft.refs.files = vec![format!(
        "src/module{}/file{}.rs",
        number % 97,
        number % 1009
    )];
    draft
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, root, source, count] = args.as_slice() else {
        return Err("measure <folder> <back end> <count>".into());
    };
    let source = BackEnd::parse(source)?;
    let folder = MemoryFolder::at_root(Path::new(root), true)?.ok_or("no folder")?;
    let mut state = 42;
    let start = Instant::now();
    let mut store = folder.open(source)?;
    let mut number = store.health()?.observations;
    while number < count.parse()? {
        let drafts = (number..number + BATCH)
            .map(|number| draft(&mut state, number).seal(&Redactor::default()));
        store.append(drafts.collect::<Result<_, _>>()?)?;
        number += BATCH;
    }
    let mut out = format!(
        "{number} observations, filled in {:.1} s\n",
        start.elapsed().as_secs_f64()
    );
    let mut state = 7;
    for (what, words) in [
        ("nothing", 0),
        ("one word", 1),
        ("two words", 2),
        ("a task", 9),
    ] {
        let asked = if source == BackEnd::Jsonl {
            10
        } else {
            QUESTIONS
        };
        let mut times = Vec::new();
        for question in 0..asked {
            let filter = match words {
                0 => ObservationFilter::default(),
                9 => ObservationFilter {
                    task_id: Some(format!("task-{}", question * 37)),
                    ..ObservationFilter::default()
                },
                words => ObservationFilter::of_query(&text(&mut state, words))?,
            };
            let select = Select {
                filter,
                limit: 20,
                ..Select::default()
            };
            if source == BackEnd::Jsonl {
                store = folder.open(source)?;
            }
            let start = Instant::now();
            store.select(&select)?;
            times.push(start.elapsed().as_micros());
        }
        times.sort_unstable();
        let at =
            |share: usize| times[(times.len() * share / 100).min(times.len() - 1)] as f64 / 1000.0;
        out += &format!(
            "{what}: p50 {:.2} ms, p95 {:.2} ms, max {:.2} ms\n",
            at(50),
            at(95),
            at(100)
        );
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
