//! Warm start: an engine that reads an earlier export, against one that reads every file.

use std::io;
use std::path::Path;

use codecortex_engine::Engine;
use serde_json::{Value, json};

use crate::clock::timed;
use crate::corpus::load;
use crate::samples::Samples;
use crate::workspace::Workspace;

/// After the files' time, so that the export trusts them.
const EXPORT_MS: f64 = 2e12;

pub(crate) fn run(root: &Path, rounds: u32) -> io::Result<Value> {
    let files = load(root)?;
    let (mut cold, mut warm, mut export) = <(Samples, Samples, Samples)>::default();
    let (mut import, mut bytes, mut analysed) = (Samples::default(), 0, 0);
    for _ in 0..rounds {
        let (mut first, spent) = timed(|| Workspace::open(&files));
        cold.push(spent.cpu);
        let (cache, spent) = timed(|| first.engine.export_cache(EXPORT_MS));
        export.push(spent.cpu);
        bytes = cache.len();
        drop(first);
        let mut importing = crate::clock::Spent::default();
        let (second, spent) = timed(|| {
            let mut engine = Engine::new();
            let (_, spent) = timed(|| engine.import_cache(cache));
            importing = spent;
            Workspace::open_with(engine, &files)
        });
        import.push(importing.cpu);
        warm.push(spent.cpu);
        analysed = second.analysed;
    }
    Ok(json!({
        "coldMs": cold.to_json(),
        "warmMs": warm.to_json(),
        "importMs": import.to_json(),
        "exportMs": export.to_json(),
        "cacheBytes": bytes,
        "readAgain": analysed,
    }))
}
