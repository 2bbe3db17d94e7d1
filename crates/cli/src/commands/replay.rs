//! `codecortex replay`: what a model was told, step by step, and whether this core would tell it the same
//! (SPEC D27, LC6; docs/live-context.md).

use std::fmt::Write;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use clap::Args;
use codecortex_confined::ConfinedFolder;
use codecortex_engine::protocol::Event;
use codecortex_engine::{Recorded, RecordedLine, Replay, Replayed};
use codecortex_host::resolve_roots;
use serde_json::json;

use crate::failure::Failure;
use crate::output::{print, warn};

/// Where recordings are, relative to a root.
const FOLDER: &str = ".context/replay";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  codecortex replay
  codecortex replay 20260314T092653Z --verify
  codecortex replay 20260314T092653Z --payload 3")]
pub(crate) struct ReplayArgs {
    /// A recording, by name or path; without one the recordings are listed
    pub(crate) recording: Option<String>,
    /// Workspace folder [default: the current folder]
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    pub(crate) root: PathBuf,
    /// Print this payload whole, counted from 1, instead of every step in a line
    #[arg(long, value_name = "N")]
    pub(crate) payload: Option<usize>,
    /// Only say whether every payload is what it was
    #[arg(long)]
    pub(crate) verify: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(args: &ReplayArgs) -> Result<i32, Failure> {
    let root = resolve_roots(std::slice::from_ref(&args.root))?.remove(0);
    match &args.recording {
        None => list(Path::new(&root.path), args.json),
        Some(name) => {
            let (path, file) = find(Path::new(&root.path), name);
            play(&path, file, args)
        }
    }
}

/// A path as it is, for a person names it; a name below the folder, where no link is followed.
fn find(root: &Path, name: &str) -> (PathBuf, io::Result<File>) {
    let path = PathBuf::from(name);
    if path.is_file() {
        let file = File::open(&path);
        return (path, file);
    }
    let name = format!("{FOLDER}/{}.jsonl", name.trim_end_matches(".jsonl"));
    let file = ConfinedFolder::open(root).and_then(|root| root.open_file(&name));
    (root.join(name), file)
}

/// The folder of recordings; none where there is none.
fn recordings(root: &Path) -> Result<Option<ConfinedFolder>, Failure> {
    match ConfinedFolder::open(root).and_then(|root| root.below(FOLDER)) {
        Ok(folder) => Ok(Some(folder)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(&root.join(FOLDER), &error)),
    }
}

fn refused(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    Failure::Recording {
        path: path.display().to_string(),
        reason: reason.to_string(),
    }
}

fn list(root: &Path, as_json: bool) -> Result<i32, Failure> {
    let folder = recordings(root)?;
    let names = folder.as_ref().map(ConfinedFolder::entries).transpose();
    let names = names.map_err(|error| refused(&root.join(FOLDER), &error))?;
    let mut names = names.unwrap_or_default();
    names.retain(|name| {
        Path::new(name)
            .extension()
            .is_some_and(|ending| ending == "jsonl")
    });
    names.sort();
    let mut all = Vec::new();
    for (name, folder) in names
        .iter()
        .filter_map(|name| Some((name, folder.as_ref()?)))
    {
        let file = match folder.open_file(name) {
            Ok(file) => file,
            Err(error) => {
                warn(&refused(&folder.path().join(name), &error).to_string());
                continue;
            }
        };
        let bytes = file.metadata().map_or(0, |about| about.len());
        let lines = read(Path::new(name), Ok(file)).unwrap_or_default();
        let name = name.trim_end_matches(".jsonl");
        let is_payload = |line: &&RecordedLine| matches!(line.what, Recorded::Payload { .. });
        let payloads = lines.iter().filter(is_payload).count();
        let seconds = match (lines.first(), lines.last()) {
            (Some(first), Some(last)) => last.at.saturating_sub(first.at) / 1000,
            _ => 0,
        };
        all.push((name.to_owned(), bytes, lines.len(), payloads, seconds));
    }
    if as_json {
        let entries = all.iter().map(|(name, bytes, lines, payloads, seconds)| {
            json!({ "name": name, "bytes": bytes, "lines": lines, "payloads": payloads, "seconds": seconds })
        });
        print(&json!({ "recordings": entries.collect::<Vec<_>>() }).to_string())?;
        return Ok(0);
    }
    let mut out = String::new();
    for (name, bytes, lines, payloads, seconds) in &all {
        let _ = writeln!(
            out,
            "{name}  {lines} lines, {payloads} payloads, {seconds} s, {} kB",
            bytes.div_ceil(1024)
        );
    }
    if all.is_empty() {
        out.push_str(
            "No recordings. The setting codecortex.live.record of VS Code, or `codecortex settings record true`, \
             makes them.\n",
        );
    }
    print(&out)?;
    Ok(0)
}

/// The lines of a recording; the last one may be half written.
fn read(path: &Path, file: io::Result<File>) -> Result<Vec<RecordedLine>, Failure> {
    let text = file.and_then(io::read_to_string);
    let text = text.map_err(|error| refused(path, &error))?;
    let count = text.lines().count();
    let mut lines = Vec::with_capacity(count);
    for (number, line) in text.lines().enumerate() {
        match serde_json::from_str(line) {
            Ok(line) => lines.push(line),
            Err(_) if number + 1 == count => {}
            Err(error) => {
                return Err(Failure::Recording {
                    path: path.display().to_string(),
                    reason: format!("line {}: {error}", number + 1),
                });
            }
        }
    }
    Ok(lines)
}

fn play(path: &Path, file: io::Result<File>, args: &ReplayArgs) -> Result<i32, Failure> {
    let lines = read(path, file)?;
    let refused = |reason: String| refused(path, &reason);
    let mut replay = Replay::begin(&lines).map_err(refused)?;
    let core = replay.core().to_owned();
    let (mut payloads, mut others, mut hidden) = (0, Vec::new(), 0);
    let mut out = String::new();
    for line in &lines {
        let step = replay.step(line);
        let is_told = args.payload.is_none() && !args.verify && !args.json;
        if is_told {
            let _ = writeln!(out, "{} {}", seconds(&lines, line), told(&line.what));
        }
        let (text, is_same) = match step {
            Replayed::Happened => continue,
            Replayed::Hidden => {
                hidden += 1;
                continue;
            }
            Replayed::Same(text) => (text, true),
            Replayed::Other(text) => (text, false),
        };
        payloads += 1;
        if !is_same {
            others.push(payloads);
        }
        if is_told {
            let _ = writeln!(
                out,
                "         payload {payloads}: {}",
                if is_same { "the same" } else { "ANOTHER" }
            );
        }
        if args.payload == Some(payloads) {
            print(&text)?;
        }
    }
    if let Some(wanted) = args.payload {
        return match wanted >= 1 && wanted <= payloads {
            true => Ok(i32::from(others.contains(&wanted))),
            false => Err(refused(format!("it has {payloads} payloads"))),
        };
    }
    if args.json {
        print(&json!({ "core": core, "lines": lines.len(), "payloads": payloads, "hidden": hidden, "others": others }).to_string())?;
    } else {
        let _ = writeln!(
            out,
            "{} of {payloads} payloads are the same; {hidden} of documents that are not recorded; recorded by {core}",
            payloads - others.len()
        );
        print(&out)?;
    }
    Ok(i32::from(!others.is_empty()))
}

/// Seconds since the recording began.
fn seconds(lines: &[RecordedLine], line: &RecordedLine) -> String {
    let begin = lines.first().map_or(line.at, |first| first.at);
    let past = line.at.saturating_sub(begin);
    format!("{:>5}.{:03}", past / 1000, past % 1000)
}

/// What happened, in a line.
fn told(what: &Recorded) -> String {
    match what {
        Recorded::Begin { roots, .. } => {
            let names: Vec<&str> = roots.iter().map(|root| root.name.as_str()).collect();
            format!("begin {}", names.join(", "))
        }
        Recorded::Event { event } => match event {
            Event::Opened { path, text, .. } => format!("opened {path}, {} bytes", text.len()),
            Event::Edited { path, changes, .. } => {
                format!("edited {path}, {} changes", changes.len())
            }
            Event::Saved { path } => format!("saved {path}"),
            Event::Closed { path } => format!("closed {path}"),
            Event::Editor { active, .. } => {
                format!("editor shows {}", active.as_deref().unwrap_or("nothing"))
            }
            Event::Selected { path, .. } => format!("cursor moved in {path}"),
            Event::Diagnosed { path, diagnostics } => {
                format!("{} problems in {path}", diagnostics.len())
            }
            Event::Call { tool, .. } => format!("call {tool}"),
            _ => "event".to_owned(),
        },
        Recorded::Texts { files } => format!("read {} files", files.len()),
        Recorded::Applied { outcome } => {
            let outcome = serde_json::to_value(outcome).unwrap_or_default();
            format!("edit {}", outcome["type"].as_str().unwrap_or_default())
        }
        Recorded::Payload { tokens, .. } => format!("live context given out, {tokens} tokens"),
        Recorded::Hidden => "live context of a document that is not recorded".to_owned(),
    }
}
