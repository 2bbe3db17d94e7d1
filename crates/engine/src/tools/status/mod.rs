//! `codecortex_status`: the state of the index and what it leaves out (SPEC P2, T1, X2).

mod external;
pub(crate) mod list;
mod telemetry;
mod texts;

use codecortex_protocol::counts::counted;
use std::collections::BTreeMap;

use codecortex_analysis::memory_limit::ceiling_bytes;
use codecortex_analysis::standard_library::used_libraries;
use codecortex_answer::args::{check_range, parse};
use codecortex_answer::cursor::{MAX_LIMIT, Paging, read_cursor};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_artifacts::ContextFailure;
use codecortex_ledger::TextState;
use codecortex_protocol::{Disagreement, Failure, Missing, Phase, ToolError, Unwatched};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::artifacts::folders::is_context_unread;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_artifacts::is_context_trusted;

const DEFAULT_LIMIT: u64 = 50;
/// Kinds of disagreement with language providers that are listed.
const MAX_DISAGREEMENTS: usize = 10;

/// Arguments of `codecortex_status`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusArgs {
    /// Also returns this list.
    list: Option<StatusListing>,
    /// For `skipped`: only this reason; for `texts`: only this state.
    reason: Option<String>,
    /// Only entries below this folder, as `rootName/relative/path`.
    folder: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// Entries a page; 50 by default.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u64>,
    /// Also returns call counts, times, tokens and alarms of the last 30 days.
    telemetry: Option<bool>,
    /// With `telemetry`: also lists each answer of the newest task, its cost and the files that it replaced.
    receipts: Option<bool>,
}

/// What can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum StatusListing {
    Skipped,
    SyntaxErrors,
    Pending,
    Projects,
    ProjectProblems,
    Texts,
}

/// Answer of `codecortex_status`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StatusData {
    /// State of the engine: `empty`, `scanning`, `indexing`, `ready` or `cancelled`.
    phase: Phase,
    /// Version of the product.
    version: &'static str,
    /// The workspace's folders.
    folders: Vec<StatusFolder>,
    /// Files in the index.
    files: u32,
    /// Lines of these files.
    lines: u64,
    /// Declarations in the index.
    symbols: u32,
    /// Files that are not read yet.
    pending: u32,
    /// Files, lines and symbols by language.
    languages: BTreeMap<&'static str, LanguageData>,
    /// Skipped files and folders, by reason.
    skipped: BTreeMap<&'static str, u32>,
    /// Files with syntax errors.
    files_with_syntax_errors: u32,
    /// Open documents with unsaved text.
    unsaved_documents: u32,
    /// Approximate memory of the index in bytes.
    memory_bytes: u64,
    /// Why every answer lists all folders, if file watching is unreliable.
    #[serde(skip_serializing_if = "Option::is_none")]
    unwatched: Option<&'static str>,
    /// Memory limit of the index in bytes, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_ceiling_bytes: Option<u64>,
    /// Data dropped to stay below the limit: `trees`, `caches`, `bodies`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    given_up: Vec<&'static str>,
    /// The `.context/` of each folder that has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    context: Vec<ContextFolderData>,
    /// Files that declare types from outside the workspace, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    external: Option<external::ExternalData>,
    /// Results of VS Code's language providers, after their first use.
    #[serde(skip_serializing_if = "Option::is_none")]
    providers: Option<ProvidersData>,
    /// Files and calls that are excluded because the engine failed on them twice.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    /// The requested list.
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<Vec<ListEntry>>,
    /// Exact length of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    list_total: Option<u32>,
    /// Figures of the last 30 days, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    telemetry: Option<telemetry::TelemetryData>,
    #[serde(flatten)]
    common: Common,
}

/// A workspace folder.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct StatusFolder {
    /// The name that paths begin with.
    name: String,
    /// Where it is.
    path: String,
}

/// What is kept in a folder's `.context/`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ContextFolderData {
    root_name: String,
    /// Types in `index.json`.
    types: u32,
    /// Semantic texts that are out of date.
    stale: u32,
    /// Semantic texts that wait to be made.
    waiting: u32,
    /// Semantic texts, the model that makes them, and what it cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    texts: Option<texts::TextsData>,
    /// What was wrong with its files; they were made anew.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<String>,
    /// Why it cannot be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<String>,
}

/// What came of asking language providers since the engine started.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ProvidersData {
    /// Questions.
    asked: u32,
    /// Questions without an answer in time.
    timed_out: u32,
    /// Questions that could not be asked.
    failed: u32,
    /// Places that both have.
    both: u32,
    /// Places that only they have.
    provider_only: u32,
    /// Places that only the index has.
    ours_only: u32,
    /// Where they disagree most often: language, kind of symbol, what stands before the name, our tier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disagreements: Vec<Disagreement>,
}

/// What is indexed in one language.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct LanguageData {
    files: u32,
    lines: u64,
    symbols: u32,
    /// The version of the language's own library whose declarations answers use: `JDK 25`.
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<&'static str>,
}

impl LanguageData {
    /// The library as the end of a line.
    fn library_text(&self) -> String {
        let version = self.library.map(|version| format!(", library {version}"));
        version.unwrap_or_default()
    }
}

/// One entry of the list.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListEntry {
    /// `rootName/relative/path`; folders end with `/`. Of a type, its workspace folder.
    file_path: String,
    /// Of `texts`: the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    resolved: Option<ResolvedType>,
    /// Why it is left out; of `texts`, where the text stands: `failed`, `generating`, `pending`, `stale`, `cached`, `none`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// More about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
}

/// A type that a text is about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResolvedType {
    /// Its path.
    path: String,
    /// Its id.
    type_id: String,
    /// What it is, such as `class`.
    kind: String,
}

impl ListEntry {
    fn line(&self) -> String {
        match &self.resolved {
            Some(ResolvedType { path, type_id, .. }) => {
                let state = self.reason.unwrap_or_default();
                let error = self.detail.as_ref();
                let error = error.map_or_else(String::new, |error| format!(": {error}"));
                format!("{path} {type_id} {state}{error}\n")
            }
            None => {
                let detail = self.detail.as_deref().or(self.reason).unwrap_or("");
                format!("{} {detail}\n", self.file_path)
            }
        }
    }
}

struct StatusReport {
    phase: Phase,
    folders: Vec<StatusFolder>,
    files: u32,
    lines: u64,
    symbols: u32,
    pending: u32,
    languages: BTreeMap<&'static str, LanguageData>,
    skipped: BTreeMap<&'static str, u32>,
    files_with_syntax_errors: u32,
    unsaved_documents: u32,
    memory_bytes: u64,
    unwatched: Option<&'static str>,
    memory_ceiling_bytes: Option<u64>,
    given_up: Vec<&'static str>,
    context: Vec<ContextFolderData>,
    external: Option<external::ExternalData>,
    providers: Option<ProvidersData>,
    faults: Vec<String>,
    list: Option<Vec<ListEntry>>,
    telemetry: Option<telemetry::TelemetryData>,
    /// Of the list.
    paging: Paging,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: StatusArgs = parse(args)?;
    let has_receipts = args.receipts == Some(true);
    if args.telemetry != Some(true) && !has_receipts {
        return cx.look(|cx| status(cx, &args, None)).await;
    }
    let log = telemetry::read_log(&cx).await;
    cx.look(|cx| {
        let figures = telemetry::telemetry(cx, &log, has_receipts)?;
        status(cx, &args, Some(figures))
    })
    .await
}

fn status(
    cx: &Invocation<'_>,
    args: &StatusArgs,
    telemetry: Option<telemetry::TelemetryData>,
) -> ToolResult {
    let limit = check_range("limit", args.limit.unwrap_or(DEFAULT_LIMIT), 1, MAX_LIMIT)?;
    let start = read_cursor(args.cursor.as_deref())?;
    // Asking for a reason is asking for the list.
    let which = args
        .list
        .or(args.reason.as_ref().map(|_| StatusListing::Skipped));
    read_contexts(cx)?;
    let mut report = report(cx);
    report.telemetry = telemetry;
    if let Some(which) = which {
        let all = list::list(cx, which, args.reason.as_deref(), args.folder.as_deref())?;
        report.paging.total = all.len();
        report.paging.start = start.min(all.len());
        report.list = Some(all.into_iter().skip(start).take(limit).collect());
    }
    Ok(Box::new(report))
}

/// What is said of `.context/` is in its files.
fn read_contexts(cx: &Invocation<'_>) -> Result<(), Failure> {
    let mut roots = 0..cx.workspace.roots.len() as u32;
    let unread = roots.find(|root| is_context_unread(cx.session, *root));
    match unread.filter(|_| cx.phase() == Phase::Ready) {
        Some(root) => Err(Failure::Missing(Missing::Context(root))),
        None => Ok(()),
    }
}

fn report(cx: &Invocation<'_>) -> StatusReport {
    let mut languages: BTreeMap<&'static str, LanguageData> = BTreeMap::new();
    let mut files_with_syntax_errors = 0;
    for (_, file) in cx.shown_files() {
        let brief = file.facts.summary();
        let language = languages.entry(brief.language.info().id).or_default();
        language.files += 1;
        language.lines += u64::from(brief.lines);
        language.symbols += brief.items;
        files_with_syntax_errors += u32::from(brief.syntax_errors > 0);
    }
    for (language, version) in used_libraries(cx.index) {
        if let Some(data) = languages.get_mut(language.info().id) {
            data.library = Some(version);
        }
    }
    let mut skipped = BTreeMap::new();
    for left in cx.workspace.left_out() {
        *skipped.entry(left.reason.as_str()).or_insert(0) += 1;
    }
    let folder = |root: &codecortex_protocol::Root| StatusFolder {
        name: root.name.clone(),
        path: root.path.clone(),
    };
    StatusReport {
        phase: cx.phase(),
        folders: cx.workspace.roots.iter().map(folder).collect(),
        files: cx.file_count() as u32,
        lines: cx.index.line_count(),
        symbols: cx.index.symbol_count() as u32,
        pending: cx.workspace.pending() as u32,
        languages,
        skipped,
        files_with_syntax_errors,
        unsaved_documents: cx
            .documents
            .values()
            .filter(|document| document.dirty)
            .count() as u32,
        memory_bytes: cx.session.held_bytes() as u64,
        unwatched: cx.unwatched().map(reason_unwatched),
        memory_ceiling_bytes: ceiling_bytes(cx.config).map(|bytes| bytes as u64),
        given_up: cx
            .memory()
            .given_up
            .iter()
            .map(|step| step.as_str())
            .collect(),
        context: contexts(cx),
        external: external::external(cx),
        providers: providers(cx),
        faults: cx.session.faults.clone(),
        list: None,
        telemetry: None,
        paging: Paging {
            total: 0,
            start: 0,
            revision: cx.revision,
        },
    }
}

fn reason_unwatched(why: Unwatched) -> &'static str {
    match why {
        Unwatched::Unavailable => "The system gives no watcher.",
        Unwatched::LimitReached => {
            "The system does not watch every folder; on Linux, raise fs.inotify.max_user_watches."
        }
        Unwatched::Silent => "This disk did not report a change.",
    }
}

fn providers(cx: &Invocation<'_>) -> Option<ProvidersData> {
    let sums = cx.providers.sums.borrow();
    (sums.asked > 0).then(|| ProvidersData {
        asked: sums.asked,
        timed_out: sums.timed_out,
        failed: sums.failed,
        both: sums.both,
        provider_only: sums.provider_only,
        ours_only: sums.ours_only,
        disagreements: sums.disagreements(MAX_DISAGREEMENTS),
    })
}

fn contexts(cx: &Invocation<'_>) -> Vec<ContextFolderData> {
    let folders = cx.workspace.roots.iter().zip(&cx.session.contexts.folders);
    let data = folders.enumerate().filter_map(|(at, (root, folder))| {
        let ledger = folder.ledger.as_ref()?;
        Some(ContextFolderData {
            root_name: root.name.clone(),
            types: ledger.len() as u32,
            stale: ledger.in_state(TextState::Stale).count() as u32,
            waiting: ledger.waiting_count() as u32,
            texts: texts::texts(cx, at),
            problems: folder.account.problems.clone(),
            failure: match (&folder.failure, is_context_trusted(cx.code, at as u32)) {
                (Some(ContextFailure::Busy), _) => Some("Another process is writing it.".to_owned()),
                (Some(ContextFailure::Disk(reason)), _) => Some(reason.clone()),
                (None, false) => Some(
                    "It came with the repository: nothing is written into it. `codecortex init` takes it over."
                        .to_owned(),
                ),
                (None, true) => None,
            },
        })
    });
    data.collect()
}

impl Reply for StatusReport {
    fn levels(&self) -> &'static [&'static str] {
        &["full"]
    }

    fn pieces(&self) -> usize {
        self.list.as_ref().map_or(0, Vec::len)
    }

    fn data(&self, _: usize, pieces: usize, common: Common) -> Value {
        let data = StatusData {
            phase: self.phase,
            version: env!("CARGO_PKG_VERSION"),
            folders: self.folders.clone(),
            files: self.files,
            lines: self.lines,
            symbols: self.symbols,
            pending: self.pending,
            languages: self.languages.clone(),
            skipped: self.skipped.clone(),
            files_with_syntax_errors: self.files_with_syntax_errors,
            unsaved_documents: self.unsaved_documents,
            memory_bytes: self.memory_bytes,
            unwatched: self.unwatched,
            memory_ceiling_bytes: self.memory_ceiling_bytes,
            given_up: self.given_up.clone(),
            context: self.context.clone(),
            external: self.external.clone(),
            providers: self.providers.clone(),
            faults: self.faults.clone(),
            list: self.list.as_ref().map(|list| list[..pieces].to_vec()),
            list_total: self.list.as_ref().map(|_| self.paging.total as u32),
            telemetry: self.telemetry.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _: usize, pieces: usize) -> String {
        let phase = format!("{:?}", self.phase).to_lowercase();
        let mut out = format!(
            "// {phase}: {}, {}, {}, {} pending, {:.1} MB\n",
            counted(self.files, "file"),
            counted(self.lines, "line"),
            counted(self.symbols, "symbol"),
            self.pending,
            self.memory_bytes as f64 / 1e6
        );
        for folder in &self.folders {
            out.push_str(&format!("// folder {}: {}\n", folder.name, folder.path));
        }
        for (language, data) in &self.languages {
            out.push_str(&format!(
                "{language}: {}, {}, {}{}\n",
                counted(data.files, "file"),
                counted(data.lines, "line"),
                counted(data.symbols, "symbol"),
                data.library_text()
            ));
        }
        if !self.skipped.is_empty() {
            let reasons: Vec<String> = self
                .skipped
                .iter()
                .map(|(reason, count)| format!("{reason} {count}"))
                .collect();
            out.push_str(&format!("// left out: {}\n", reasons.join(", ")));
        }
        if self.files_with_syntax_errors > 0 {
            let verb = match self.files_with_syntax_errors {
                1 => "has",
                _ => "have",
            };
            let files = counted(self.files_with_syntax_errors, "file");
            out.push_str(&format!("// {files} {verb} places that do not parse\n"));
        }
        if let Some(why) = self.unwatched {
            out.push_str(&format!("// changes are found by listing folders: {why}\n"));
        }
        for fault in &self.faults {
            out.push_str(&format!("// fault: {fault}\n"));
        }
        if !self.given_up.is_empty() {
            let given_up = self.given_up.join(", ");
            out.push_str(&format!(
                "// given up to stay below the memory ceiling: {given_up}\n"
            ));
        }
        for context in &self.context {
            out.push_str(&format!(
                "// {}/.context: {}, {} stale, {} waiting\n",
                context.root_name,
                counted(context.types, "type"),
                context.stale,
                context.waiting
            ));
            if let Some(texts) = &context.texts {
                out.push_str(&texts.line(context.waiting));
            }
            for problem in context.problems.iter().chain(&context.failure) {
                out.push_str(&format!("// {problem}\n"));
            }
        }
        if let Some(external) = &self.external {
            out.push_str(&external.text());
        }
        if let Some(all) = &self.providers {
            out.push_str(&format!(
                "// language providers: {} asked, {} too late, {} failed; {} agreed, {} only theirs, {} only ours\n",
                all.asked, all.timed_out, all.failed, counted(all.both, "place"), all.provider_only, all.ours_only
            ));
            for one in &all.disagreements {
                out.push_str(&format!(
                    "// {} {} behind {}: ours {}, {} times\n",
                    one.language, one.kind, one.shape, one.tier, one.count
                ));
            }
        }
        if let Some(telemetry) = &self.telemetry {
            out.push_str(&telemetry.text());
        }
        if let Some(list) = &self.list {
            out.push_str(&format!("// list of {}\n", self.paging.total));
            for entry in &list[..pieces] {
                out.push_str(&entry.line());
            }
        }
        out
    }

    fn next_cursor(&self, shown: usize) -> Option<String> {
        self.paging.next_cursor(shown)
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_status`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_status",
    reference_name: "indexStatus",
    title: "Index status",
    description: "Show the state of the code index: folders, files, lines and symbols by language, pending files, and \
        skipped files with reasons. `telemetry` adds what answers cost and how long they took.",
    icon: "$(info)",
    profile: Profile::Full,
    is_read_only: true,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: None,
    uses: &[],
    aliases: &[],
    schema: schema_of::<StatusArgs>,
    output: schema_of::<StatusData>,
    needs: &[RequiredInput::External],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
