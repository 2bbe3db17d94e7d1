//! `codecortex memory`: observations for people (SPEC OB1, X7, D26).

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use codecortex_confined as confined;
use codecortex_memory::native::{MemoryFolder, migrate as move_records};
use codecortex_memory::{BackEnd, MemoryError, Observation};
use serde_json::{Map, Value, json};

use super::show;
use crate::args::{
    BackendArg, ExportArgs, ForgetArgs, MemoryAction, MemoryArgs, MigrateArgs, RecallArgs,
    RememberArgs, WorkspaceArgs,
};
use crate::failure::Failure;
use crate::out_file::write_whole;
use crate::output;

/// Where the back end is set, below a root.
const CONFIG: &str = ".context/config.json";

pub(crate) fn run(command: &MemoryArgs) -> Result<i32, Failure> {
    match &command.action {
        MemoryAction::Remember(args) => remember(args),
        MemoryAction::Recall(args) => recall(args),
        MemoryAction::Forget(args) => forget(args),
        MemoryAction::Export(args) => export(args),
        MemoryAction::Migrate(args) => migrate(args),
    }
}

fn remember(args: &RememberArgs) -> Result<i32, Failure> {
    let more = object(json!({
        "actor": args.actor,
        "phase": args.phase,
        "type": args.kind,
        "files": args.files,
        "commands": args.commands,
        "urls": args.urls,
    }));
    let given = object(json!({
        "text": args.text,
        "symbols": args.symbols,
        "taskId": args.task_id,
        "more": more,
    }));
    show(&args.workspace, &args.show, "codecortex_remember", given)
}

fn recall(args: &RecallArgs) -> Result<i32, Failure> {
    let filter = object(json!({
        "actors": args.actors,
        "phases": args.phases,
        "around": args.around,
        "window": args.window,
        "file": args.file,
        "branch": args.branch,
        "types": args.kinds,
        "since": args.since,
        "until": args.until,
        "limit": args.limit,
    }));
    let given = object(json!({
        "query": args.query,
        "ids": args.ids,
        "taskId": args.task_id,
        "symbol": args.symbol,
        "filter": filter,
    }));
    show(&args.workspace, &args.show, "codecortex_recall", given)
}

fn forget(args: &ForgetArgs) -> Result<i32, Failure> {
    let given = object(json!({ "ids": args.ids, "purge": args.purge.then_some(true) }));
    show(&args.workspace, &args.show, "codecortex_forget", given)
}

/// What is said of it; what is not said is not in it.
fn object(value: Value) -> Map<String, Value> {
    let Value::Object(mut object) = value else {
        return Map::new();
    };
    object.retain(|_, value| !value.is_null() && *value != json!([]) && *value != json!({}));
    object
}

/// Writes every record of every root.
fn export(args: &ExportArgs) -> Result<i32, Failure> {
    let stores = roots(&args.workspace)?;
    let count = match &args.out {
        Some(path) => write_whole(path, CANNOT_WRITE, |out| export_to(&stores, out))?,
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            let count = export_to(&stores, &mut out)?;
            out.flush().map_err(cannot_write)?;
            count
        }
    };
    output::warn(&format!("{count} records"));
    Ok(0)
}

/// How many records there were.
fn export_to(roots: &[PathBuf], out: &mut dyn Write) -> Result<u64, Failure> {
    let mut count = 0;
    for root in roots {
        let Some((folder, source)) = records_of(root)? else {
            continue;
        };
        let mut written = Ok(());
        folder.open(source)?.each(&mut |record: &Observation| {
            count += 1;
            if written.is_ok() {
                written = writeln!(out, "{}", record.to_line());
            }
            Ok(())
        })?;
        written.map_err(cannot_write)?;
    }
    Ok(count)
}
/// Moves the records of every root that has some, and says so in its settings.
fn migrate(args: &MigrateArgs) -> Result<i32, Failure> {
    let to = match args.to {
        BackendArg::Jsonl => BackEnd::Jsonl,
        BackendArg::Sqlite => BackEnd::Sqlite,
    };
    for root in roots(&args.workspace)? {
        let Some((folder, from)) = records_of(&root)? else {
            output::print(&format!("{}: no observations", root.display()))?;
            continue;
        };
        let moved = move_records(&folder, from, to)?;
        let config = set_backend(&root, from, to).map_err(|source| Failure::Io {
            what: ".context/config.json, where the back end is set, cannot be written",
            source,
        })?;
        let (path, names) = (root.display(), (from.as_str(), to.as_str()));
        output::print(&format!(
            "{path}: {} records from {} to {}",
            moved.records, names.0, names.1
        ))?;
        if !config {
            output::warn(&format!(
                "set \"observations_backend\": \"{}\" in {CONFIG}",
                names.1
            ));
        }
        for note in moved.health.notes() {
            output::warn(&note);
        }
    }
    Ok(0)
}

/// Where a root's records are; the log for people counts where there is nothing else.
fn records_of(root: &Path) -> Result<Option<(MemoryFolder, BackEnd)>, MemoryError> {
    let Some(folder) = MemoryFolder::at_root(root, false)? else {
        return Ok(None);
    };
    let fallback = || folder.has_log().then_some(BackEnd::Markdown);
    let source = folder.holder().or_else(fallback);
    Ok(source.map(|source| (folder.clone(), source)))
}

fn roots(workspace: &WorkspaceArgs) -> Result<Vec<PathBuf>, Failure> {
    let roots = workspace.options()?.roots;
    Ok(roots
        .into_iter()
        .map(|root| PathBuf::from(root.path))
        .collect())
}

/// Has the settings name the new back end; comments and everything else stay. Whether they are right afterwards.
fn set_backend(root: &Path, from: BackEnd, to: BackEnd) -> io::Result<bool> {
    let root = confined::ConfinedFolder::open(root)?;
    let text = match root.read(CONFIG) {
        Ok(text) => text,
        // Without a word, they are where they are.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    let Ok(text) = String::from_utf8(text) else {
        return Ok(false);
    };
    let Some(at) = text.find("\"observations_backend\"") else {
        return Ok(true);
    };
    let (head, tail) = text.split_at(at);
    let word = format!("\"{}\"", from.as_str());
    let is_next = |found: &usize| tail[..*found].matches('"').count() == 2;
    let Some(value) = tail.find(&word).filter(is_next) else {
        return Ok(false);
    };
    let rest = &tail[value + word.len()..];
    let changed = format!("{head}{}\"{}\"{rest}", &tail[..value], to.as_str());
    root.replace(CONFIG, true, |file| file.write_all(changed.as_bytes()))?;
    Ok(true)
}

/// What is said where a file or stdout refuses.
const CANNOT_WRITE: &str = "it cannot be written";

fn cannot_write(source: io::Error) -> Failure {
    Failure::Io {
        what: CANNOT_WRITE,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_settings_follow_a_migration() {
        let place = tempfile::tempdir().unwrap();
        let config = place.path().join(CONFIG);
        fs::create_dir(place.path().join(".context")).unwrap();
        let set = |text: &str| {
            fs::write(&config, text).unwrap();
            let done = set_backend(place.path(), BackEnd::Jsonl, BackEnd::Sqlite).unwrap();
            (done, fs::read_to_string(&config).unwrap())
        };
        let text = "{ // ours\n \"flags\": { \"observations_backend\" : \"jsonl\" } }";
        assert_eq!(set(text), (true, text.replace("jsonl", "sqlite")));
        assert_eq!(set("{}"), (true, "{}".to_owned()));
        let other = "{\"observations_backend\": \"markdown\", \"x\": \"jsonl\"}";
        assert_eq!(set(other), (false, other.to_owned()));
    }
}
