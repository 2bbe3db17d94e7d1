//! `codecortex index`: builds or refreshes the index and says what it took.

use codecortex_engine::protocol::Caller;
use codecortex_host::{HostWorkspace, peak_memory};
use serde_json::{Value, json};

use crate::args::{IndexArgs, StatsForm};
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(args: &IndexArgs) -> Result<i32, Failure> {
    let mut workspace = args.workspace.open()?;
    workspace.save();
    let account = account(&mut workspace);
    match args.stats {
        StatsForm::Json => output::print_exact(&account.to_string())?,
        StatsForm::Human => output::print(&summary(&account))?,
    }
    workspace.leave();
    Ok(0)
}

fn account(workspace: &mut HostWorkspace) -> Value {
    let stats = workspace.stats();
    let answer = workspace.call("codecortex_status", json!({}), Caller::default());
    let envelope: Value = answer
        .json
        .and_then(|json| serde_json::from_str(&json).ok())
        .unwrap_or_default();
    let status = &envelope["data"];
    json!({
        "roots": workspace.roots().iter().map(|root| root.path.as_str()).collect::<Vec<_>>(),
        "files": status["files"],
        "lines": status["lines"],
        "symbols": status["symbols"],
        "bytes": workspace.indexed_bytes(),
        "languages": status["languages"],
        "skipped": status["skipped"],
        "filesWithSyntaxErrors": status["filesWithSyntaxErrors"],
        "filesRead": stats.files_read,
        "bytesRead": stats.bytes_read,
        "threads": stats.threads,
        "ms": stats.ms(),
        "cpuMs": stats.cpu_ms(),
        "peakRssBytes": peak_memory(),
        "indexBytes": status["memoryBytes"],
        "cacheBytes": stats.cache_bytes,
    })
}

fn summary(account: &Value) -> String {
    let some = |value: &Value, what: &str| {
        let number = value[what].as_u64().unwrap_or(0);
        let what = what
            .strip_suffix('s')
            .filter(|_| number == 1)
            .unwrap_or(what);
        format!("{} {what}", grouped(number))
    };
    let whole = |value: &Value| {
        ["files", "lines", "symbols"]
            .map(|what| some(value, what))
            .join(", ")
    };
    let read = account["filesRead"].as_u64().unwrap_or(0);
    let total = account["ms"]["total"].as_f64().unwrap_or(0.0);
    let mut out = format!(
        "{} in {:.2} s ({} read, the others unchanged)\n",
        whole(account),
        total / 1e3,
        grouped(read),
    );
    let table = |name: &str| account[name].as_object().into_iter().flatten();
    for (language, data) in table("languages") {
        out.push_str(&format!("  {language}: {}\n", whole(data)));
    }
    let skipped: Vec<String> = table("skipped")
        .map(|(reason, count)| format!("{reason} {}", grouped(count.as_u64().unwrap_or(0))))
        .collect();
    if !skipped.is_empty() {
        out.push_str(&format!("left out: {}\n", skipped.join(", ")));
    }
    out
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
