//! `codecortex graph`: `codecortex_exportGraph` for people and pipes.

use codecortex_engine::protocol::Caller;
use serde_json::{Value, json};

use super::names::written;
use crate::args::{GraphArgs, GraphNotation};
use crate::failure::Failure;
use crate::output;

/// Prints the drawing and nothing else, so that it can be piped; of data, the envelope.
pub(crate) fn run(command: &GraphArgs) -> Result<i32, Failure> {
    let symbol = command.symbol.as_deref();
    let symbol = symbol.map(|symbol| written(symbol).unwrap_or_else(|| symbol.to_owned()));
    let args = json!({
        "symbol": symbol,
        "folder": command.folder,
        "project": command.project,
        "depth": command.depth,
        "direction": command.direction.map(|direction| direction.as_str()),
        "limit": command.limit,
        "level": command.level.map(|level| level.as_str()),
        "notation": command.format.as_str(),
        "maxTokens": command.max_tokens,
        "format": "json",
    });
    let mut workspace = command.workspace.open()?;
    let answer = workspace.call("codecortex_exportGraph", args, Caller::default());
    let envelope: Option<Value> = answer
        .json
        .as_deref()
        .and_then(|json| serde_json::from_str(json).ok());
    let drawing = envelope
        .as_ref()
        .and_then(|envelope| envelope["data"]["graph"].as_str())
        .filter(|_| command.format != GraphNotation::Json);
    let Some(drawing) = drawing else {
        return super::finish(workspace, &answer);
    };
    output::print(drawing.trim_end())?;
    workspace.save_if_worthwhile();
    workspace.leave();
    Ok(0)
}
