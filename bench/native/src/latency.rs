//! Calls on a big index: what each kind of call takes, without any pipe.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::corpus::load;
use crate::samples::Samples;
use crate::workspace::Workspace;

#[derive(Default)]
struct Class {
    cpu: Samples,
    wall: Samples,
    failed: usize,
    bytes: usize,
    slowest: (f64, Value),
}

pub(crate) fn run(root: &Path, queries: &Path) -> io::Result<Value> {
    let files = load(root)?;
    let mut workspace = Workspace::open(&files);
    let state = workspace.engine.state();
    let mut classes: BTreeMap<String, Class> = BTreeMap::new();
    for line in fs::read_to_string(queries)?.lines() {
        let query: Value = serde_json::from_str(line).map_err(io::Error::other)?;
        let tool = query["tool"].as_str().unwrap_or_default();
        let (answer, spent) = workspace.call(tool, &query["args"]);
        let name = query["class"].as_str().unwrap_or_default();
        let class = classes.entry(name.to_owned()).or_default();
        class.cpu.push(spent.cpu);
        class.wall.push(spent.wall);
        if spent.cpu > class.slowest.0 {
            class.slowest = (spent.cpu, query["args"].clone());
        }
        class.failed += usize::from(!answer.as_ref().is_some_and(|answer| answer.ok));
        class.bytes += answer
            .and_then(|answer| answer.json)
            .map_or(0, |json| json.len());
    }
    let classes: serde_json::Map<String, Value> = classes
        .into_iter()
        .map(|(name, class)| (name, class.to_json()))
        .collect();
    Ok(json!({
        "files": state.files,
        "lines": state.lines,
        "symbols": state.symbols,
        "classes": classes,
    }))
}

impl Class {
    fn to_json(&self) -> Value {
        json!({
            "cpuMs": self.cpu.to_json(),
            "wallMs": self.wall.to_json(),
            "failed": self.failed,
            "bytes": self.bytes,
            "slowest": { "cpuMs": self.slowest.0, "args": self.slowest.1 },
        })
    }
}
