//! `codecortex_invalidate`: read something again, whatever the cache says (SPEC D30).

use std::collections::BTreeSet;

use codecortex_answer::args::parse;
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_index::{Symbol, UnitLocation as UnitPlace};
use codecortex_ledger::TextState;
use codecortex_protocol::paths::{WorkspacePath, display};
use codecortex_protocol::{Failure, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_invalidate`. Give one of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvalidateArgs {
    /// A type or member, whose files are read again.
    symbol: Option<String>,
    /// A file or folder, best as `rootName/relative/path`.
    file_path: Option<String>,
    /// Reads all files again.
    all: Option<bool>,
}

/// Answer of `codecortex_invalidate`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvalidateData {
    /// Exact number of files to read again.
    total: u32,
    /// The first of them.
    files: Vec<String>,
    /// Number of types whose semantic text became stale.
    types: u32,
    #[serde(flatten)]
    common: Common,
}

struct Invalidated {
    files: Vec<String>,
    total: usize,
    types: usize,
}

/// Files that the answer names.
const MAX_NAMED: usize = 200;

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: InvalidateArgs = parse(args)?;
    cx.look(|cx| invalidated(cx, &args)).await
}

fn invalidated(cx: &Invocation<'_>, args: &InvalidateArgs) -> ToolResult {
    let files = match (&args.symbol, &args.file_path, args.all) {
        (Some(symbol), None, None | Some(false)) => files_of_symbol(cx, symbol)?,
        (None, Some(path), None | Some(false)) => files_below(cx, path)?,
        (None, None, Some(true)) => all_files(cx),
        _ => {
            return Err(Failure::Error(
                ToolError::invalid("Give one of `symbol`, `filePath` and `all: true`.")
                    .hint("`{\"all\":true}` reads the whole workspace again."),
            ));
        }
    };
    let types = types_in(cx, &files);
    let named = files.iter().take(MAX_NAMED).filter_map(|place| {
        let root = cx.workspace.roots.get(place.root as usize)?;
        Some(display(root, &place.path))
    });
    let reply = Invalidated {
        files: named.collect(),
        total: files.len(),
        types: types.iter().filter(|of| has_text(cx, of)).count(),
    };
    cx.enqueue(Action::Invalidate { files, types });
    Ok(Box::new(reply))
}

fn place_of(cx: &Invocation<'_>, symbol: Symbol) -> Option<WorkspacePath> {
    let file = cx.index.file(symbol.file)?;
    Some(WorkspacePath {
        root: file.root,
        path: file.path.to_string(),
    })
}

fn files_of_symbol(cx: &Invocation<'_>, symbol: &str) -> Result<Vec<WorkspacePath>, Failure> {
    let found = cx.find_symbol(symbol)?;
    let mut places: BTreeSet<WorkspacePath> = BTreeSet::new();
    for symbol in found.symbols {
        let parts = cx.index.parts(symbol).into_iter();
        let symbols = parts.map(|part| part.symbol).chain([symbol]);
        places.extend(symbols.filter_map(|symbol| place_of(cx, symbol)));
    }
    Ok(places.into_iter().collect())
}

fn all_files(cx: &Invocation<'_>) -> Vec<WorkspacePath> {
    let files = cx.shown_files().map(|(_, file)| WorkspacePath {
        root: file.root,
        path: file.path.to_string(),
    });
    files.collect()
}

fn files_below(cx: &Invocation<'_>, path: &str) -> Result<Vec<WorkspacePath>, Failure> {
    let places = codecortex_protocol::paths::places(path, &cx.workspace.roots)?;
    let is_meant = |file: &WorkspacePath| {
        places.iter().any(|place| {
            place.root == file.root
                && match file.path.strip_prefix(place.path.as_str()) {
                    Some(rest) => place.path.is_empty() || rest.is_empty() || rest.starts_with('/'),
                    None => false,
                }
        })
    };
    let files: Vec<WorkspacePath> = all_files(cx).into_iter().filter(is_meant).collect();
    match files.is_empty() {
        // Says why there is nothing: not there, left out, outside of the workspace.
        true => cx.find_file(path).map(|_| Vec::new()),
        false => Ok(files),
    }
}

/// Whether somebody has described a type.
fn has_text(cx: &Invocation<'_>, (root, id): &(u32, String)) -> bool {
    let folder = cx.session.contexts.folders.get(*root as usize);
    let ledger = folder.and_then(|folder| folder.ledger.as_ref());
    let state = ledger.and_then(|ledger| ledger.get(id)).map(|of| of.state);
    state.is_some_and(|state| matches!(state, TextState::Cached | TextState::Stale))
}

/// Root and id of the types with a part in these files.
fn types_in(cx: &Invocation<'_>, files: &[WorkspacePath]) -> Vec<(u32, String)> {
    let mut types = BTreeSet::new();
    for place in files {
        let Some(file) = cx.index.file_id(place.root, &place.path) else {
            continue;
        };
        for (unit, at) in cx.index.units_of(file) {
            if matches!(at, UnitPlace::Type(_)) {
                types.insert((place.root, unit.id()));
            }
        }
    }
    types.into_iter().collect()
}

impl Reply for Invalidated {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.files.len()
    }

    fn data(&self, _level: usize, pieces: usize, common: Common) -> Value {
        let data = InvalidateData {
            total: self.total as u32,
            files: self.files[..pieces].to_vec(),
            types: self.types as u32,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _level: usize, pieces: usize) -> String {
        let mut out = format!(
            "// files read again: {}, texts that count as stale: {}\n",
            self.total, self.types
        );
        for file in &self.files[..pieces] {
            out.push_str(file);
            out.push('\n');
        }
        out
    }

    fn next_cursor(&self, _shown: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_invalidate`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_invalidate",
    reference_name: "invalidate",
    title: "Read again",
    description: "Read a symbol's files, a file, a folder or everything again, regardless of the cache, and mark the \
        texts about their types as stale. Files are not changed.",
    icon: "$(refresh)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[
        ("path", "filePath"),
        ("folder", "filePath"),
        ("typeId", "symbol"),
    ],
    schema: schema_of::<InvalidateArgs>,
    output: schema_of::<InvalidateData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
