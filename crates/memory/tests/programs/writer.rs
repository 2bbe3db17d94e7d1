//! Appends observations to a store as fast as it can, for tests with many processes:
//! `writer <root> <back end> <count> <name>`. Each acknowledged id is printed with the microseconds it took.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "a program has a clock and arguments"
)]

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use codecortex_memory::native::MemoryFolder;
use codecortex_memory::{BackEnd, ObservationDraft, Redactor};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, root, source, count, name] = args.as_slice() else {
        return Err("writer <root> <back end> <count> <name>".into());
    };
    let folder = MemoryFolder::at_root(Path::new(root), true)?.ok_or("no folder")?;
    let mut store = folder.open(BackEnd::parse(source)?)?;
    let mut out = std::io::stdout();
    for number in 0..count.parse::<u64>()? {
        let mut draft = ObservationDraft::new("2026-01-01 00:00:00", format!("{name} {number}"));
        draft.detail = Some(format!("what {name} saw in step {number}: ") + &"words ".repeat(20));
        let sealed = draft.seal(&Redactor::default())?;
        let start = Instant::now();
        let appended = store.append(vec![sealed])?;
        let micros = start.elapsed().as_micros();
        for id in appended.ids {
            writeln!(out, "{id} {micros}")?;
        }
        out.flush()?;
    }
    Ok(())
}
