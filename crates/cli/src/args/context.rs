//! What a person types for what a model is told: the payload, the prompt window and packs (SPEC CP2, D33).

use clap::{Args, Subcommand, ValueEnum};

use crate::args::{AnswerArgs, ShowArgs, WorkspaceArgs};

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Prints one JSON object, `context_payload.v2`, or with --format text the same as a model would read it.

  codecortex context --mode map --query 'keep the port in url_for' --budget 4000

The prompt window is `codecortex window`."
)]
pub(crate) struct ContextArgs {
    /// Contents of the payload [default: `mixed` with a query, else `index`]
    #[arg(long, value_enum, env = "CODECORTEX_MODE")]
    pub(crate) mode: Option<ModeArg>,
    /// The task or question in words
    #[arg(long, value_name = "TEXT", env = "CODECORTEX_QUERY")]
    pub(crate) query: Option<String>,
    /// The file that is being worked on
    #[arg(long, value_name = "FILE")]
    pub(crate) focus: Option<String>,
    /// The task that it is for
    #[arg(long, value_name = "ID", env = "CODECORTEX_TASK_ID")]
    pub(crate) task_id: Option<String>,
    /// Observations to return in full
    #[arg(
        long,
        value_name = "ID,…",
        value_delimiter = ',',
        env = "CODECORTEX_IDS"
    )]
    pub(crate) ids: Vec<u64>,
    /// The file that the task is written in, as JSON
    #[arg(long, value_name = "FILE", env = "CODECORTEX_TASK_JSON_PATH")]
    pub(crate) task_json_path: Option<String>,
    /// Scope: `progress`, `summary`, `task`, `codebase` and folders
    #[arg(
        long,
        value_name = "WORD,…",
        value_delimiter = ',',
        env = "CODECORTEX_SCOPE"
    )]
    pub(crate) scope: Vec<String>,
    /// Give for each declaration what speaks for it
    #[arg(long, env = "CODECORTEX_WHY")]
    pub(crate) why: bool,
    /// The model that reads it, for the rules in `.context/config.json`
    #[arg(long, value_name = "NAME", env = "CODECORTEX_MODEL")]
    pub(crate) model: Option<String>,
    /// The reader of the payload
    #[arg(long, value_enum, env = "CODECORTEX_SUBAGENT_TYPE")]
    pub(crate) subagent_type: Option<SubagentArg>,
    /// `small`, `default`, `large`, or a profile of `.context/config.json`
    #[arg(long, value_name = "NAME", env = "CODECORTEX_PROFILE")]
    pub(crate) profile: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    #[command(subcommand)]
    pub(crate) action: Option<ContextAction>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Summaries of observations
    Index,
    /// Observations of a task, in their order
    Timeline,
    /// Observations whole
    Detail,
    /// The code that the query is about
    Map,
    /// The code, and summaries of observations
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SubagentArg {
    Orchestrator,
    Planner,
    Implementers,
    Verifier,
    Consultant,
}

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Pins and focus are kept in `.context/state.json`; the folder is made for them."
)]
pub(crate) struct WindowCommand {
    #[command(flatten)]
    pub(crate) window: WindowArgs,
    #[command(subcommand)]
    pub(crate) action: Option<WindowAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WindowAction {
    /// Keep symbols or files in the window
    Pin(NamedArgs),
    /// Do not keep them any more
    Unpin(NamedArgs),
    /// Put symbols or files into focus for half an hour
    Add(NamedArgs),
    /// Leave symbols or files out until they are used again
    Dismiss(NamedArgs),
    /// Take everything out of focus that was added
    Clear(ClearArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ContextAction {
    /// Now `codecortex window`
    #[command(hide = true)]
    Window(WindowArgs),
    #[command(flatten)]
    Change(WindowAction),
}

#[derive(Debug, Args)]
pub(crate) struct WindowArgs {
    /// Only the pieces and their reasons
    #[arg(long)]
    pub(crate) list: bool,
    /// `small`, `default`, `large`, or a profile of `.context/config.json`
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct NamedArgs {
    /// Symbols or files
    #[arg(value_name = "SYMBOL|FILE", required = true)]
    pub(crate) symbols: Vec<String>,
    /// The workspace folder that they are in, where several have them
    #[arg(long, value_name = "NAME")]
    pub(crate) folder: Option<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ClearArgs {
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A filter: conditions namespace: type: access: tag: depends: with * and ?, joined by AND, OR, ! and \
brackets. Conditions side by side are joined by AND.

  codecortex pack build core 'namespace:App.Core AND access:public'"
)]
pub(crate) struct PackArgs {
    #[command(subcommand)]
    pub(crate) action: PackAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PackAction {
    /// Choose the types and write `.context/packs/NAME.md`
    Build(PackBuildArgs),
    /// List the packs
    List(PackPlaceArgs),
    /// Print a pack as it would be now
    Show(PackNameArgs),
    /// Let its types weigh more in the prompt window
    Activate(PackNameArgs),
    /// Do not
    Deactivate(PackNameArgs),
    /// Delete a pack
    Delete(PackNameArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PackBuildArgs {
    /// Letters, digits, `-` and `_`
    pub(crate) name: String,
    /// Filter for types [default: the last filter of this pack]
    pub(crate) filter: Option<String>,
    /// The most tokens of the pack [default: 8000]
    #[arg(long, value_name = "N")]
    pub(crate) tokens: Option<u32>,
    #[command(flatten)]
    pub(crate) place: PackPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackNameArgs {
    /// Its name
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) place: PackPlaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackPlaceArgs {
    /// Name of the workspace folder, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) of: Option<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
