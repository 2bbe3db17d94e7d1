//! `codecortex_changes`: which types and modules changed, and how gravely (SPEC H4, `000` §3.6).

use std::collections::BTreeMap;

use codecortex_analysis::changes::ChangedUnit;
use codecortex_answer::args::{check_range, entries, parse};
use codecortex_answer::cursor::{DEFAULT_LIMIT, MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_index::ChangeClass;
use codecortex_ledger::TextState;
use codecortex_protocol::ToolError;
use codecortex_protocol::paths::display;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::folder::Below;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};

/// Arguments of `codecortex_changes`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangesArgs {
    /// Only changes after this revision of the index; answers report it as `index.revision`.
    since: Option<u32>,
    /// Only these classes: `Structure`, `PublicBehavior`, `Internal`, `Docs`, `Cosmetic`, `added`, `removed`.
    #[schemars(with = "Option<Vec<String>>")]
    classes: Option<Value>,
    /// Only entries below this folder, as `rootName/relative/path`.
    folder: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// Entries a page; 30 by default.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
}

/// Answer of `codecortex_changes`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChangesData {
    /// Revision of the index before the first reported change.
    since: u32,
    /// Exact number of entries on all pages.
    total: u32,
    /// Entries by class of change.
    total_by_class: BTreeMap<&'static str, u32>,
    /// The page, the latest first.
    changes: Vec<ChangeData>,
    /// Types with a stale semantic text, by path, at most a hundred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stale: Vec<StaleData>,
    /// Number of such types.
    #[serde(skip_serializing_if = "is_zero")]
    stale_total: u32,
    #[serde(flatten)]
    common: Common,
}

/// What became of a type or module.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ChangeData {
    /// Full path.
    path: String,
    /// `class`, `module` …
    kind: &'static str,
    /// Its id.
    type_id: String,
    /// `added`, `removed` or the gravest class of its changes.
    change_class: &'static str,
    /// Every class of them, the gravest first, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<&'static str>,
    /// A file that it is or was in.
    file_path: String,
    /// Revision of the index at which it was seen to have changed last.
    revision: u32,
}

/// A type whose semantic text is out of date.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StaleData {
    /// Full path.
    symbol: String,
    /// Its id.
    type_id: String,
    /// `stale`, or `pending` where it is about to be made anew.
    semantic_state: &'static str,
    /// Every class of the last change, the gravest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    classes: Vec<&'static str>,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The most stale types that an answer names.
const MAX_STALE: usize = 100;

struct ChangesReply {
    stale: Vec<StaleData>,
    stale_total: usize,
    since: u32,
    by_class: BTreeMap<&'static str, u32>,
    page: Vec<ChangeData>,
    paging: Paging,
    unsaved: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: ChangesArgs = parse(args)?;
    cx.look(|cx| changes(cx, &args)).await
}

fn changes(cx: &Invocation<'_>, args: &ChangesArgs) -> ToolResult {
    cx.memory().need_bodies()?;
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = read_cursor(args.cursor.as_deref())?;
    let classes = classes(args.classes.as_ref())?;
    let folder = Below::new(cx, args.folder.as_deref())?;
    let since = args.since.unwrap_or(0);
    let mut recent = cx.recent();
    recent.settle(cx.index);
    let mut all: Vec<ChangeData> = recent
        .changes()
        .into_iter()
        .filter(|change| change.revision > since)
        .filter_map(|change| data_of(cx, &change))
        .collect();
    if let Some(folder) = &folder {
        all.retain(|change| folder.holds(&change.file_path));
        folder.check(cx, all.is_empty())?;
    }
    all.retain(|change| classes.is_empty() || classes.contains(&change.change_class));
    let mut by_class = BTreeMap::new();
    for change in &all {
        *by_class.entry(change.change_class).or_insert(0) += 1;
    }
    let paging = Paging {
        total: all.len(),
        start: start.min(all.len()),
        revision: cx.revision,
    };
    let (stale, stale_total) = stale(cx);
    Ok(Box::new(ChangesReply {
        stale,
        stale_total,
        since: since.max(recent.since),
        by_class,
        page: all.into_iter().skip(start).take(limit).collect(),
        paging,
        unsaved: cx.documents.values().any(|document| document.dirty),
    }))
}

/// The types whose semantic text is out of date, and how many there are.
fn stale(cx: &Invocation<'_>) -> (Vec<StaleData>, usize) {
    let mut stale = Vec::new();
    let ledgers = cx.session.contexts.folders.iter();
    for ledger in ledgers.filter_map(|folder| folder.ledger.as_ref()) {
        for state in [TextState::Stale, TextState::Pending] {
            stale.extend(ledger.in_state(state).map(|(id, path)| StaleData {
                symbol: path.to_owned(),
                type_id: id.to_owned(),
                semantic_state: state.as_str(),
                classes: Vec::new(),
            }));
        }
    }
    let total = stale.len();
    stale.sort();
    stale.truncate(MAX_STALE);
    for data in &mut stale {
        let ledgers = cx.session.contexts.folders.iter();
        let mut ledgers = ledgers.filter_map(|folder| folder.ledger.as_ref());
        let known = ledgers.find_map(|ledger| ledger.get(&data.type_id));
        let classes = known.into_iter().flat_map(|known| known.classes);
        data.classes = classes.map(ChangeClass::as_str).collect();
    }
    (stale, total)
}

fn data_of(cx: &Invocation<'_>, change: &ChangedUnit) -> Option<ChangeData> {
    let root = cx.workspace.roots.get(change.unit.root as usize)?;
    let classes: Vec<&str> = change.changes.classes().map(ChangeClass::as_str).collect();
    Some(ChangeData {
        path: change.unit.path.clone(),
        kind: change.unit.kind,
        type_id: change.unit.id(),
        change_class: classes.first().copied().unwrap_or(change.fate.as_str()),
        classes: if classes.len() > 1 {
            classes
        } else {
            Vec::new()
        },
        file_path: display(root, &change.file),
        revision: change.revision,
    })
}

fn classes(value: Option<&Value>) -> Result<Vec<&'static str>, ToolError> {
    let known: Vec<&'static str> = ChangeClass::ALL
        .into_iter()
        .map(ChangeClass::as_str)
        .chain(["added", "removed"])
        .collect();
    entries(value)
        .iter()
        .map(|name| {
            let word = name.as_str().unwrap_or("");
            let same = known.iter().find(|known| known.eq_ignore_ascii_case(word));
            same.copied().ok_or_else(|| {
                ToolError::invalid(format!(
                    "`classes` has {name}, which is not a class of change."
                ))
                .hint(format!("The classes are {}.", known.join(", ")))
            })
        })
        .collect()
}

impl Reply for ChangesReply {
    fn levels(&self) -> &'static [&'static str] {
        &["full", "stale:count"]
    }

    fn pieces(&self) -> usize {
        self.page.len()
    }

    fn data(&self, level: usize, pieces: usize, common: Common) -> Value {
        let data = ChangesData {
            since: self.since,
            total: self.paging.total as u32,
            total_by_class: self.by_class.clone(),
            changes: self.page[..pieces].to_vec(),
            stale: match level {
                0 => self.stale.clone(),
                _ => Vec::new(),
            },
            stale_total: self.stale_total as u32,
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, level: usize, pieces: usize) -> String {
        let mut out = format!(
            "// {} changed since rev {}\n",
            self.paging.total, self.since
        );
        for change in &self.page[..pieces] {
            let classes = match change.classes.is_empty() {
                true => change.change_class.to_owned(),
                false => change.classes.join("+"),
            };
            out.push_str(&format!(
                "{classes}: {} {} // {}\n",
                change.kind, change.path, change.file_path
            ));
        }
        if self.stale_total > 0 {
            out.push_str(&format!("// {} texts out of date\n", self.stale_total));
        }
        for stale in self.stale.iter().filter(|_| level == 0) {
            out.push_str(&format!("{}: {}\n", stale.semantic_state, stale.symbol));
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        self.unsaved
    }
}

/// The row of `codecortex_changes`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_changes",
    reference_name: "changes",
    title: "Recent changes",
    description: "List the types and modules that changed since the index was complete, with the class of change: \
        structure, public behaviour, internals, documentation or only looks.",
    icon: "$(diff)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[("class", "classes"), ("filePath", "folder")],
    schema: schema_of::<ChangesArgs>,
    output: schema_of::<ChangesData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
