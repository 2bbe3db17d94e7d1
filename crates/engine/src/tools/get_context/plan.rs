//! What a payload is to tell, and what it may cost (SPEC BU1, CP2, FL1).

use std::collections::BTreeMap;

use codecortex_answer::budget::{BudgetMode, BudgetProfile, grant, profile};
use codecortex_context::payload::{PayloadMode, SubagentType};
use codecortex_memory as memory;
use codecortex_protocol::ToolError;

use crate::invocation::Invocation;
use crate::tools::get_context::ContextArgs;
use codecortex_observations::Settings;

/// Words of a scope that are no folders.
const SCOPES: [&str; 4] = ["progress", "summary", "task", "codebase"];
/// Tokens around what is told.
const AROUND: u32 = 24;

/// What a payload is to tell.
#[derive(Clone, Debug)]
pub(super) struct PayloadPlan {
    pub(super) mode: PayloadMode,
    /// How observations are told, and how many at most; none where they are not.
    pub(super) observations: Option<(memory::RecallMode, usize)>,
    /// Whether the code is told.
    pub(super) has_map: bool,
    /// The folders that it is told of; all where there are none.
    pub(super) folders: Vec<String>,
    /// Whether the task's file is told.
    pub(super) has_task: bool,
    /// Tokens of the whole payload.
    pub(super) budget: u32,
    /// Tokens that everything in it may have.
    pub(super) room: u32,
    /// Tokens of one source.
    pub(super) caps: Caps,
    /// What observations fall back to, the nearest first.
    pub(super) chain: Vec<memory::RecallMode>,
    /// What the settings exchanged for less.
    pub(super) forced: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// The most tokens of each source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caps {
    pub(super) observations: u32,
    pub(super) repo_map: u32,
    pub(super) task_json: u32,
}

impl PayloadPlan {
    /// # Errors
    /// `InvalidParams` for a scope or a profile that there is not.
    pub(super) fn new(
        cx: &Invocation<'_>,
        args: &ContextArgs,
        settings: &Settings,
    ) -> Result<Self, ToolError> {
        let asked = asked_mode(args);
        let scope = ContextScope::new(cx, args.scope.as_deref().unwrap_or_default())?;
        let (mode, forced, notes) = by_flags(asked, settings);
        let profile = chosen_profile(args, asked, settings)?;
        let granted = grant(&profile, budget_mode(mode), None);
        let limit = cx.call.limit;
        let allowed = [limit.tokens, limit.bytes.map(|bytes| bytes / 4)];
        let allowed = allowed.into_iter().flatten().min();
        let of_profile = match mode {
            PayloadMode::Mixed => {
                granted.budget_tokens + grant(&profile, BudgetMode::Index, None).budget_tokens
            }
            _ => granted.budget_tokens,
        };
        // Who says what it may cost and names no profile gets that; the sources have shares of it.
        let is_free = allowed.is_some() && args.profile.is_none();
        let total = match allowed {
            Some(allowed) if is_free => allowed,
            Some(allowed) => allowed.min(of_profile),
            None => of_profile,
        };
        let room = total.saturating_sub(AROUND);
        let caps = match is_free {
            true => Caps::shares(room, mode),
            false => Caps {
                observations: granted.cap("observations").min(room),
                repo_map: granted.cap("repo_map").min(room),
                task_json: granted.cap("task_json").min(room),
            },
        };
        let observations = observation_mode(mode)
            .filter(|_| scope.has_observations)
            .map(|mode| (mode, granted.top_k.max(1)));
        Ok(Self {
            mode,
            observations,
            has_map: mode.has_map() && settings.config.flags.use_repo_map && scope.has_code,
            folders: scope.folders,
            has_task: scope.has_task,
            budget: total,
            room,
            caps,
            chain: granted
                .ladder
                .iter()
                .skip(1)
                .filter_map(chain_mode)
                .collect(),
            forced,
            notes,
        })
    }
}

impl Caps {
    /// Of a budget that the caller gave: the code has most of it where both are told.
    fn shares(room: u32, mode: PayloadMode) -> Self {
        Self {
            observations: if mode == PayloadMode::Mixed {
                room / 3
            } else {
                room
            },
            repo_map: room,
            task_json: room / 5,
        }
    }
}

/// What the caller wants to be told.
fn asked_mode(args: &ContextArgs) -> PayloadMode {
    let has_ids = args.ids.as_ref().is_some_and(|ids| !ids.is_empty());
    let has_question = args.query.is_some() || args.focus.is_some();
    args.mode.unwrap_or(match (has_ids, has_question) {
        (true, _) => PayloadMode::Detail,
        (false, true) => PayloadMode::Mixed,
        (false, false) => PayloadMode::Index,
    })
}

/// What the settings make of a mode, what they exchanged, and what the reader is told of it.
fn by_flags(asked: PayloadMode, settings: &Settings) -> (PayloadMode, Vec<String>, Vec<String>) {
    let flags = &settings.config.flags;
    let (mode, flag) = match asked {
        PayloadMode::Index => return (asked, Vec::new(), Vec::new()),
        _ if !flags.use_context_payload_v2 => (PayloadMode::Index, "use_context_payload_v2"),
        PayloadMode::Map | PayloadMode::Mixed if !flags.use_repo_map => {
            (PayloadMode::Index, "use_repo_map")
        }
        PayloadMode::Timeline | PayloadMode::Detail if !flags.use_progressive_disclosure => {
            (PayloadMode::Index, "use_progressive_disclosure")
        }
        _ => return (asked, Vec::new(), Vec::new()),
    };
    let step = codecortex_answer::budget::step(asked.as_str(), mode.as_str());
    let note = format!("`flags.{flag}` is off, so there is only an index.");
    (mode, vec![step], vec![note])
}

/// The profile that the caller names, or that a rule of the folder gives it.
fn chosen_profile(
    args: &ContextArgs,
    mode: PayloadMode,
    settings: &Settings,
) -> Result<BudgetProfile, ToolError> {
    let subagent = args.subagent_type.unwrap_or_default();
    let scope = args.scope.as_deref().unwrap_or_default();
    let model = args.model.as_deref().unwrap_or_default();
    let fits = |rule: &&codecortex_analysis::folder_config::BudgetRule| {
        rule.fits(SubagentType::as_str(subagent), mode.as_str(), scope, model)
    };
    let ruled = settings.config.budget_rules.iter().find(fits);
    let named = args.profile.as_deref();
    let name = named.or(ruled.map(|rule| rule.profile.as_str()));
    let configured: &BTreeMap<String, BudgetProfile> = &settings.config.profiles;
    profile(configured, name.unwrap_or("default"))
}

fn budget_mode(mode: PayloadMode) -> BudgetMode {
    match mode {
        PayloadMode::Index => BudgetMode::Index,
        PayloadMode::Timeline => BudgetMode::Timeline,
        PayloadMode::Detail => BudgetMode::Detail,
        PayloadMode::Map | PayloadMode::Mixed => BudgetMode::Map,
    }
}

fn observation_mode(mode: PayloadMode) -> Option<memory::RecallMode> {
    match mode {
        PayloadMode::Index | PayloadMode::Mixed => Some(memory::RecallMode::Index),
        PayloadMode::Timeline => Some(memory::RecallMode::Timeline),
        PayloadMode::Detail => Some(memory::RecallMode::Detail),
        PayloadMode::Map => None,
    }
}

fn chain_mode(mode: &BudgetMode) -> Option<memory::RecallMode> {
    match mode {
        BudgetMode::Index => Some(memory::RecallMode::Index),
        BudgetMode::Timeline => Some(memory::RecallMode::Timeline),
        BudgetMode::Detail | BudgetMode::Map => None,
    }
}

/// What a scope takes in.
struct ContextScope {
    has_observations: bool,
    has_code: bool,
    has_task: bool,
    folders: Vec<String>,
}

impl ContextScope {
    /// An empty one takes in everything. Words may stand in one text with commas between them.
    fn new(cx: &Invocation<'_>, words: &[String]) -> Result<Self, ToolError> {
        let words: Vec<&str> = words
            .iter()
            .flat_map(|word| word.split(','))
            .map(|word| word.trim().trim_end_matches('/'))
            .filter(|word| !word.is_empty())
            .collect();
        let has = |word: &str| words.is_empty() || words.contains(&word);
        let mut folders = Vec::new();
        for word in words.iter().filter(|word| !SCOPES.contains(*word)) {
            folders.push(folder(cx, word)?);
        }
        Ok(Self {
            has_observations: has("progress") || has("summary") || has("task"),
            has_code: has("codebase") || !folders.is_empty(),
            has_task: has("task"),
            folders,
        })
    }
}

/// A folder of the workspace as the map's paths begin.
fn folder(cx: &Invocation<'_>, word: &str) -> Result<String, ToolError> {
    let roots = &cx.workspace.roots;
    let is_there = match roots.as_slice() {
        [_] => cx.workspace.has_dir(0, word),
        roots => roots.iter().zip(0..).any(|(root, at)| {
            let rest = word.strip_prefix(root.name.as_str());
            let rest = rest.and_then(|rest| rest.strip_prefix('/'));
            word == root.name || rest.is_some_and(|rest| cx.workspace.has_dir(at, rest))
        }),
    };
    if is_there {
        return Ok(word.to_owned());
    }
    let shown: String = word.chars().take(60).collect();
    let words = SCOPES.join(", ");
    Err(ToolError::invalid(format!(
        "`scope` has `{shown}`, which is not a folder of the workspace."
    ))
    .hint(format!("Give some of {words} and folders."))
    .detail("scopes", SCOPES.to_vec()))
}
