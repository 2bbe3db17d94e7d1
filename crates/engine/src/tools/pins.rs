//! `codecortex_pin`: what is put into the prompt window and taken out of it (SPEC PW2, D16, D23).

use std::sync::Arc;

use codecortex_analysis::found_file::FoundFile;
use codecortex_analysis::symbols::ids::resolved_symbol;
use codecortex_answer::args::{entries, parse};
use codecortex_answer::reply::{Common, Reply, ToolResult};
use codecortex_context::window::change::WindowChange;
use codecortex_context::window::settings::{focus_ttl, window_grant};
use codecortex_context::window::state::{MAX_PINS, PinEntry};
use codecortex_context::window::{build_window, levels_of};
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::paths::{display, places};
use codecortex_protocol::{ErrorCode, Failure, ToolError, tokens_approx};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::actions::Action;
use crate::artifacts::folders::check_keeps;
use crate::calls::{CallContext, boxed_reply};
use crate::invocation::Invocation;
use crate::tools::get_context::{need_lines, wait_for_folders};
use crate::tools::schema::schema_of;
use crate::tools::tool::{Profile, Tool};
use codecortex_context::window::on_disk::expire_focus;

/// The most symbols of one call.
const MAX_NAMED: usize = 200;

/// Arguments of `codecortex_pin`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinArgs {
    action: PinAction,
    /// Symbols, ids, `file:line` or files; none to clear.
    #[schemars(with = "Option<Vec<String>>")]
    symbols: Option<Value>,
    /// Workspace folder of the symbols, if several folders have them.
    folder: Option<String>,
}

/// The action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum PinAction {
    /// Keep it in the window.
    Pin,
    /// Do not.
    Unpin,
    /// Into focus for half an hour.
    Add,
    /// Out of focus and of what was used lately, until it is used again.
    Dismiss,
    /// Everything out of focus that was added.
    Clear,
}

/// Answer of `codecortex_pin`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PinData {
    /// The changed symbols or files.
    changed: Vec<Changed>,
    /// Symbols or files that needed no change.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchanged: Vec<String>,
    /// Number of pinned symbols and files.
    pinned: u32,
    /// Number of explicit additions to the focus.
    in_focus: u32,
    /// Tokens of the window after the call.
    used_tokens: u32,
    /// Token limit of the window.
    budget_tokens: u32,
    /// Notices for a person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notices: Vec<String>,
    #[serde(flatten)]
    common: Common,
}

/// The changed symbols or files.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Changed {
    /// Its path.
    symbol: String,
    /// Its id, or `file:` and a path.
    id: String,
    /// Tokens that it takes with all there is to say.
    tokens: u32,
}

struct Pinned {
    changed: Vec<Changed>,
    unchanged: Vec<String>,
    pinned: usize,
    in_focus: usize,
    used: u32,
    budget: u32,
    notices: Vec<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<Box<dyn Reply>, ToolError> {
    let args: PinArgs = parse(args)?;
    cx.look(|cx| pinned(cx, &args)).await
}

fn pinned(cx: &Invocation<'_>, args: &PinArgs) -> ToolResult {
    wait_for_folders(cx)?;
    let named = names(args.symbols.as_ref(), args.action)?;
    expire_focus(&cx.session.sources());
    let mut found = Vec::new();
    let folder = workspace_folder(cx, args.folder.as_deref())?;
    for name in &named {
        found.push(named_entry(cx, name, folder, args.action)?);
    }
    need_lines(cx, &missing_after(cx, &found, args.action)?)?;
    // To name it was to use it; what is dismissed now is dismissed after that.
    cx.note_uses();
    let (mut changed, mut unchanged) = (Vec::new(), Vec::new());
    let mut notices = Vec::new();
    for (root, _) in &found {
        check_lasts(cx, *root)?;
    }
    for (root, entry) in found {
        check_room(cx, root, args.action)?;
        if args.action == PinAction::Dismiss && is_pinned(cx, root, &entry) {
            let path = &entry.path;
            notices.push(format!("{path} is pinned and stays; `unpin` takes it out."));
        }
        let change = change_of(cx, &entry, args.action);
        match apply(cx, root, change) {
            true => {
                let tokens = whole_tokens(cx, root, &entry);
                changed.push(Changed {
                    symbol: entry.path.clone(),
                    id: entry.id.clone(),
                    tokens,
                });
            }
            false => unchanged.push(entry.path.clone()),
        }
    }
    if args.action == PinAction::Clear {
        changed.extend(clear(cx)?);
    }
    let granted = window_grant(&cx.session.sources(), None, None)?;
    let window = build_window(&cx.session.sources(), None, &granted);
    notices.extend(window.notices.iter().cloned());
    if !cx.session.code.config().keep_context {
        notices
            .push("Nothing is written to `.context/` here: this lasts for the session.".to_owned());
    }
    let state = cx.session.context.window.borrow();
    let sum = |count: fn(&codecortex_context::window::state::RootWindow) -> usize| {
        state.roots.iter().map(count).sum()
    };
    Ok(Box::new(Pinned {
        changed,
        unchanged,
        pinned: sum(|root| root.pins.len()),
        in_focus: sum(|root| root.focus.len()),
        used: window.used_tokens(),
        budget: window.budget_tokens,
        notices,
    }))
}

fn names(symbols: Option<&Value>, action: PinAction) -> Result<Vec<String>, ToolError> {
    let named: Option<Vec<String>> = entries(symbols)
        .iter()
        .map(|name| name.as_str().map(str::to_owned))
        .collect();
    let named = named.ok_or_else(|| {
        ToolError::invalid("`symbols` has something else than names.").hint("Give a list of texts.")
    })?;
    match (named.len(), action) {
        (0, PinAction::Clear) => Ok(named),
        (0, _) => Err(ToolError::invalid("`symbols` is empty.").hint("Name a symbol or file.")),
        (_, PinAction::Clear) => Err(ToolError::invalid("`clear` takes no symbols.")
            .hint("`dismiss` takes a single symbol out of focus.")),
        (count, _) if count > MAX_NAMED => Err(ToolError::invalid(format!(
            "`symbols` has {count} names; {MAX_NAMED} are the most."
        ))),
        _ => Ok(named),
    }
}

/// The folder of the workspace that is meant.
fn workspace_folder(cx: &Invocation<'_>, named: Option<&str>) -> Result<Option<u32>, ToolError> {
    let Some(named) = named.map(str::trim).filter(|named| !named.is_empty()) else {
        return Ok(None);
    };
    let roots = &cx.workspace.roots;
    let whole = places(named, roots)?
        .into_iter()
        .find(|place| place.path.is_empty());
    whole.map(|place| Some(place.root)).ok_or_else(|| {
        let names: Vec<&str> = roots.iter().map(|root| &*root.name).collect();
        ToolError::invalid(format!("`{named}` is not a folder of the workspace."))
            .hint(format!("Its folders: {}.", names.join(", ")))
    })
}

/// What a name means. What is taken out may be gone from the code.
fn named_entry(
    cx: &Invocation<'_>,
    name: &str,
    folder: Option<u32>,
    action: PinAction,
) -> Result<(u32, Arc<PinEntry>), Failure> {
    if matches!(action, PinAction::Unpin | PinAction::Dismiss)
        && let Some(known) = known_entry(cx, name, folder)?
    {
        return Ok(known);
    }
    let in_folder = folder.and_then(|folder| cx.workspace.roots.get(folder as usize));
    let looks_like_path = name.contains('/') || codecortex_syntax::language_of_path(name).is_some();
    if looks_like_path
        && let Ok(FoundFile::Indexed(id)) = match in_folder {
            // A path with the folder's name before it says the same without `folder`.
            Some(root) => cx
                .find_file(&display(root, name))
                .or_else(|_| cx.find_file(name)),
            None => cx.find_file(name),
        }
        && let Some(file) = cx.index.file(id)
        && folder.is_none_or(|folder| folder == file.root)
    {
        let entry = PinEntry {
            id: format!("file:{}", file.path),
            path: file.path.to_string(),
            since: cx.clock().host(),
        };
        return Ok((file.root, Arc::new(entry)));
    }
    let symbol = match folder {
        Some(folder) => Some(cx.find_symbol_in(name, folder)?),
        None => cx.find_symbol(name)?.symbols.first().copied(),
    };
    let entry = symbol.and_then(|symbol| entry_of(cx, symbol));
    entry.ok_or_else(|| ToolError::new(ErrorCode::InternalError, "The symbol has no id.").into())
}

fn entry_of(cx: &Invocation<'_>, symbol: Symbol) -> Option<(u32, Arc<PinEntry>)> {
    let resolved = resolved_symbol(cx, symbol)?;
    let root = cx.index.file(symbol.file)?.root;
    let entry = PinEntry {
        id: resolved.member_id.unwrap_or(resolved.type_id),
        path: resolved.path,
        since: cx.clock().host(),
    };
    Some((root, Arc::new(entry)))
}

/// What is in the window by this name: of the folder, or of the only one that has it there.
fn known_entry(
    cx: &Invocation<'_>,
    name: &str,
    folder: Option<u32>,
) -> Result<Option<(u32, Arc<PinEntry>)>, ToolError> {
    let window = cx.session.context.window.borrow();
    let name = name.trim();
    let roots = &cx.workspace.roots;
    let mut found: Vec<(u32, &Arc<PinEntry>)> = Vec::new();
    for (root, window) in (0..).zip(&window.roots) {
        if folder.is_some_and(|folder| folder != root) {
            continue;
        }
        let in_root = name.strip_prefix(&*roots[root as usize].name);
        let in_root = in_root.and_then(|rest| rest.strip_prefix('/'));
        let is_it = |entry: &&Arc<PinEntry>| {
            let is_file = || entry.id.starts_with("file:");
            entry.id == name
                || entry.path == name
                || in_root.is_some_and(|path| entry.path == path && is_file())
        };
        let focus = window.focus.iter().map(|focus| &focus.entry);
        let known = window.pins.iter().chain(focus).find(is_it);
        found.extend(known.map(|entry| (root, entry)));
    }
    if found.len() > 1 {
        let names = found.iter().map(|(root, _)| &*roots[*root as usize].name);
        let names: Vec<&str> = names.collect();
        return Err(ToolError::invalid(format!(
            "`{name}` is in the window from {} workspace folders.",
            names.len()
        ))
        .hint(format!("Give `folder`: {}.", names.join(" or "))));
    }
    Ok(found.pop().map(|(root, entry)| (root, Arc::clone(entry))))
}

fn check_room(cx: &Invocation<'_>, root: u32, action: PinAction) -> Result<(), ToolError> {
    let window = cx.session.context.window.borrow();
    let pins = window
        .roots
        .get(root as usize)
        .map_or(0, |window| window.pins.len());
    match action {
        PinAction::Pin if pins >= MAX_PINS => Err(ToolError::invalid(format!(
            "{MAX_PINS} are pinned already, which is the most."
        ))
        .hint("Unpin symbols that are not needed.")),
        _ => Ok(()),
    }
}

/// Where nothing is to be written the window is of this session alone; what came with a repository stays as it is.
fn check_lasts(cx: &Invocation<'_>, root: u32) -> Result<(), ToolError> {
    match cx.session.code.config().keep_context {
        true => check_keeps(cx.session, root),
        false => Ok(()),
    }
}

/// What an action does to an entry.
fn change_of(cx: &Invocation<'_>, entry: &Arc<PinEntry>, action: PinAction) -> WindowChange {
    let ttl = focus_ttl(&cx.session.sources());
    match action {
        PinAction::Pin => WindowChange::Pin(Arc::clone(entry)),
        PinAction::Unpin => WindowChange::Unpin(entry.id.clone()),
        PinAction::Add => {
            WindowChange::Focus(Arc::clone(entry), cx.clock().host().saturating_add(ttl))
        }
        PinAction::Dismiss => WindowChange::Dismiss(entry.id.clone()),
        PinAction::Clear => WindowChange::Clear,
    }
}

/// Does it, and has it kept. Whether anything is other than it was.
fn apply(cx: &Invocation<'_>, root: u32, change: WindowChange) -> bool {
    let mut window = cx.session.context.window.borrow_mut();
    let own = window.roots.get_mut(root as usize);
    let is_changed = own.is_some_and(|own| change.apply(own));
    if is_changed {
        cx.enqueue(Action::KeepWindow(root, change));
    }
    is_changed
}

fn is_pinned(cx: &Invocation<'_>, root: u32, entry: &PinEntry) -> bool {
    let window = cx.session.context.window.borrow();
    let root = window.roots.get(root as usize);
    root.is_some_and(|root| root.pins.has(&entry.id))
}

/// Takes everything out of focus that was put there.
fn clear(cx: &Invocation<'_>) -> Result<Vec<Changed>, ToolError> {
    let mut cleared = Vec::new();
    let windows = cx.session.context.window.borrow().roots.clone();
    for (root, window) in (0..).zip(windows) {
        if window.focus.is_empty() {
            continue;
        }
        check_lasts(cx, root)?;
        apply(cx, root, WindowChange::Clear);
        cleared.extend(window.focus.into_iter().map(|focus| Changed {
            symbol: focus.entry.path.clone(),
            id: focus.entry.id.clone(),
            tokens: 0,
        }));
    }
    Ok(cleared)
}

/// Tokens of a piece with all there is to say.
fn whole_tokens(cx: &Invocation<'_>, root: u32, entry: &Arc<PinEntry>) -> u32 {
    let levels = levels_of(&cx.session.sources(), root, entry);
    levels.map_or(0, |levels| tokens_approx(levels.form(0).1))
}

/// The files whose texts are missing for the account of a change: of what it names, and of the window after it. A look
/// that lacks a text is made again, so nothing is changed before all are here.
fn missing_after(
    cx: &Invocation<'_>,
    found: &[(u32, Arc<PinEntry>)],
    action: PinAction,
) -> Result<Vec<FileId>, ToolError> {
    let sources = cx.session.sources();
    let named = found
        .iter()
        .filter_map(|(root, entry)| levels_of(&sources, *root, entry));
    let mut missing: Vec<FileId> = named.flat_map(|levels| levels.missing).collect();
    let granted = window_grant(&sources, None, None)?;
    let before = cx.session.context.window.borrow().roots.clone();
    for (root, window) in (0..).zip(&mut cx.session.context.window.borrow_mut().roots) {
        if action == PinAction::Clear {
            WindowChange::Clear.apply(window);
        }
        for (_, entry) in found.iter().filter(|(own, _)| *own == root) {
            change_of(cx, entry, action).apply(window);
        }
    }
    let window = build_window(&sources, None, &granted);
    cx.session.context.window.borrow_mut().roots = before;
    missing.extend(window.missing);
    Ok(missing)
}

impl Reply for Pinned {
    fn levels(&self) -> &'static [&'static str] {
        &["whole"]
    }

    fn pieces(&self) -> usize {
        self.changed.len()
    }

    fn data(&self, _: usize, pieces: usize, common: Common) -> Value {
        let data = PinData {
            changed: self.changed[..pieces].to_vec(),
            unchanged: self.unchanged.clone(),
            pinned: self.pinned as u32,
            in_focus: self.in_focus as u32,
            used_tokens: self.used,
            budget_tokens: self.budget,
            notices: self.notices.clone(),
            common,
        };
        serde_json::to_value(data).unwrap_or_default()
    }

    fn text(&self, _: usize, pieces: usize) -> String {
        let mut out = String::new();
        for Changed { symbol, tokens, .. } in &self.changed[..pieces] {
            out += &format!("{symbol} // {tokens} tokens\n");
        }
        for path in &self.unchanged {
            out += &format!("{path} // as it was\n");
        }
        let Self {
            pinned,
            in_focus,
            used,
            budget,
            ..
        } = self;
        out += &format!("// {pinned} pinned, {in_focus} in focus, window {used}/{budget} tokens\n");
        for notice in &self.notices {
            out += &format!("// {notice}\n");
        }
        out
    }

    fn next_cursor(&self, _: usize) -> Option<String> {
        None
    }

    fn is_unsaved(&self) -> bool {
        false
    }
}

/// The row of `codecortex_pin`.
pub(crate) const TOOL: Tool = Tool {
    name: "codecortex_pin",
    reference_name: "pin",
    title: "Pin and focus",
    description: "Change the prompt window: pin or unpin a symbol or file, add it to focus for half an \
        hour, dismiss it until it is used again, or clear the focus.",
    icon: "$(pin)",
    profile: Profile::Full,
    is_read_only: false,
    is_destructive: false,
    is_idempotent: true,
    needs_confirmation: false,
    sees_generated: false,
    former_name: Some("codecortex_context"),
    uses: &[],
    aliases: &[
        ("symbol", "symbols"),
        ("path", "symbols"),
        ("id", "symbols"),
    ],
    schema: schema_of::<PinArgs>,
    output: schema_of::<PinData>,
    needs: &[],
    handler: |cx, args| boxed_reply(handle(cx, args)),
};
