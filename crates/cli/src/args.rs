//! What a person types: names, help, defaults.

mod memory;
mod names;
#[cfg(test)]
mod reach;
mod review;

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::replay::ReplayArgs;

pub(crate) use memory::{
    BackendArg, BenchArgs, ExportArgs, ForgetArgs, MapAction, MapArgs, MapBuildArgs, MapLoadArgs,
    MemoryAction, MemoryArgs, MigrateArgs, RecallArgs, RememberArgs,
};
pub(crate) use names::{NameArgs, ScipArgs};
pub(crate) use review::{FailOn, ReviewArgs, ReviewForm};

/// A semantic IDE for LLM coders: outlines, symbols and context of a workspace, within a budget of
/// tokens.
#[derive(Debug, Parser)]
#[command(
    name = "codecortex",
    version,
    propagate_version = true,
    after_help = "Examples:
  codecortex search NodeStore
  codecortex outline src/app.ts
  codecortex call codecortex_getOutline --root ~/code/app --args '{\"symbol\":\"App\"}'
  codecortex mcp --root ~/code/app

Results go to stdout, everything else to stderr. Exit codes: 0 success, 1 a tool failed, 2 usage."
)]
pub(crate) struct Cli {
    /// Say more on stderr; twice for details
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build or refresh the index of a workspace and say what is in it
    Index(IndexArgs),
    /// Call one tool and print its answer
    Call(CallArgs),
    /// Answer calls from stdin, one JSON object a line, from an index that stays warm
    Batch(BatchArgs),
    /// Show the structure of a file, type or function
    Outline(OutlineArgs),
    /// Find declarations by name or documentation
    Search(SearchArgs),
    /// Find every use of a symbol
    References(NameArgs),
    /// Find the declarations that call a symbol
    Callers(NameArgs),
    /// Find the declarations that a symbol calls
    Callees(NameArgs),
    /// Find what implements, overrides or derives from a symbol
    Implementations(NameArgs),
    /// Find what a symbol implements, overrides or derives from
    Overrides(NameArgs),
    /// Write the index as SCIP, for code search
    Scip(ScipArgs),
    /// Draw which types depend on which
    Graph(GraphArgs),
    /// Make the folder `.context/` and write what is known of every type into it
    Init(InitArgs),
    /// Give the code that a task is about, as one JSON object within a budget
    Context(ContextArgs),
    /// Review a change: its risks, and the code it cannot be understood without
    Review(ReviewArgs),
    /// Record, find and forget what was found out about the workspace
    Memory(MemoryArgs),
    /// Write the map of a workspace's declarations to a file, or read one
    Map(MapArgs),
    /// Measure how well questions are answered, on the workspace's own history
    Bench(BenchArgs),
    /// Show what a model would be told of the code now; keep things in it, or out
    Window(WindowCommand),
    /// Build texts of types that belong together
    Pack(PackArgs),
    /// Say what kind of change each type has seen since `.context/` was last written, and write it
    Changes(ChangesArgs),
    /// Say what is indexed, what is left out, and how `.context/` is
    Status(StatusArgs),
    /// Show the layered hashes of a type
    Hashes(HashesArgs),
    /// Show what renamed and moved types were called before
    Alias(AliasArgs),
    /// Read a symbol's files, a file, a folder or everything again
    Invalidate(InvalidateArgs),
    /// Have a model describe what types are for, or say what that would cost
    Describe(DescribeArgs),
    /// Find out how something works: a question that ends in a conclusion with evidence
    Investigate(InvestigateArgs),
    /// Show how far an investigation is and what it found; hand a conclusion in
    Op(OpArgs),
    /// Show what a type is for, and the prompt where nobody has said so yet; hand an answer in
    Semantic(SemanticCommand),
    /// Play a recording of live context back and verify it
    Replay(ReplayArgs),
    /// Serve the tools to an MCP client over stdin and stdout
    Mcp(McpArgs),
    /// Print the table of tools as JSON
    Tools(ToolsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
}

/// Which workspace.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceArgs {
    /// Workspace folder; may be given several times [default: the current folder]
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,
    /// Threads that read files [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The most megabytes that the index may hold; beyond that, hashes and fast searches are given up
    #[arg(
        long,
        value_name = "MB",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) memory_ceiling: u32,
    /// Files above this many bytes are left out [default: 4194304, or what `.context/config.json` says]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_file_size: Option<u32>,
    /// Read generated code as any other
    #[arg(long)]
    pub(crate) include_generated: bool,
    /// How tokens are counted; exactly beside characters / 4
    #[arg(long, value_enum, default_value = "approx", hide_default_value = true)]
    pub(crate) tokenizer: TokenizerArg,
    /// Read everything anew and write no cache
    #[arg(long)]
    pub(crate) no_cache: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TokenizerArg {
    /// Characters / 4
    Approx,
    /// As the models of that vocabulary count
    #[value(name = "o200k_base")]
    O200kBase,
}

/// What every call takes.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// The most tokens an answer may cost, as characters / 4
    #[arg(long, alias = "budget", value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    /// Form of an answer
    #[arg(long, value_enum)]
    pub(crate) format: Option<FormatArg>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// The envelope
    Json,
    /// Code and short comments
    Text,
    /// Both, one after the other
    Both,
}

impl FormatArg {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Both => "both",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
    /// Form of the account
    #[arg(long, value_enum, default_value = "human")]
    pub(crate) stats: StatsForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatsForm {
    /// A few sentences
    Human,
    /// One JSON object
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct CallArgs {
    /// Name of the tool; `codecortex tools` lists them
    pub(crate) tool: String,
    /// The tool's arguments as a JSON object; `-` reads it from stdin
    #[arg(
        long,
        value_name = "JSON",
        default_value = "{}",
        allow_hyphen_values = true
    )]
    pub(crate) args: String,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A line in:  {\"id\":1,\"tool\":\"codecortex_searchApi\",\"args\":{\"labelQuery\":\"Store\"}}
A line out: {\"id\":1,\"ms\":0.42,\"result\":{\"ok\":true,\"data\":{…}}}

Answers come in the order of the calls. With the text form, `data` is `{\"text\":…}`; with both,
`text` stands beside `result`."
)]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OutlineArgs {
    /// A file, a place in it, or a symbol such as `NodeStore` or `Core.NodeStore.Add`; with `--form source` several symbols
    #[arg(value_name = "SYMBOL|FILE[:LINE:CHARACTER]", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: Vec<String>,
    /// Leave out what cannot be used from outside
    #[arg(long)]
    pub(crate) public: bool,
    /// How much of it is shown
    #[arg(long, value_enum, default_value = "tree")]
    pub(crate) form: OutlineForm,
    /// How much documentation the tree shows
    #[arg(long, value_enum, default_value = "summary")]
    pub(crate) docs: OutlineDocs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutlineForm {
    /// Every declaration with its lines and documentation
    Tree,
    /// The code itself, numbered, with what it needs of its container
    Source,
    /// The public interface of a type or member with hashes and dependencies, as in `.context/types/`
    Outline,
    /// Names, kinds and signatures in the fewest tokens
    Compact,
}

impl OutlineForm {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Source => "source",
            Self::Outline => "outline",
            Self::Compact => "compact",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutlineDocs {
    /// The first line of each comment
    Summary,
    /// Comments whole
    Full,
    /// Nothing
    None,
}

impl OutlineDocs {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Full => "full",
            Self::None => "none",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// A name, a part of it, its initials, or words of its documentation
    #[arg(value_name = "QUERY", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) query: String,
    /// Only this kind of declaration, such as `class`; may be given several times
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Also what is declared inside function bodies
    #[arg(long)]
    pub(crate) locals: bool,
    /// Also engine types, which files outside of the code describe
    #[arg(long)]
    pub(crate) external: bool,
    /// Results on a page
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without SYMBOL, --folder and --project: all types. Cycles have frames of their own.

  codecortex graph OrderService --format dot | dot -Tsvg > orders.svg"
)]
pub(crate) struct GraphArgs {
    /// Begin at this type, or at the types of this namespace
    #[arg(value_name = "SYMBOL", value_parser = NonEmptyStringValueParser::new(), conflicts_with_all = ["folder", "project"])]
    pub(crate) symbol: Option<String>,
    /// Begin at the types in this folder or file
    #[arg(long, value_name = "PATH", conflicts_with = "project")]
    pub(crate) folder: Option<String>,
    /// Begin at the types of this project
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
    /// Steps away from where it begins [default: 2 from a symbol, else 0]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Which way dependencies are followed
    #[arg(long, value_enum)]
    pub(crate) direction: Option<DirectionArg>,
    /// Most types to show [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// How the graph is written
    #[arg(long, value_enum, default_value = "mermaid")]
    pub(crate) format: GraphNotation,
    /// The most tokens the answer may cost, as characters / 4
    #[arg(long, alias = "budget", value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionArg {
    /// What is needed
    Out,
    /// What needs it
    In,
    /// Both
    Both,
}

impl DirectionArg {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::In => "in",
            Self::Both => "both",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphNotation {
    /// A Mermaid flow chart
    Mermaid,
    /// Graphviz
    Dot,
    /// Types and dependencies as data, in the envelope
    Json,
}

impl GraphNotation {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Mermaid => "mermaid",
            Self::Dot => "dot",
            Self::Json => "json",
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Prints one JSON object, `context_payload.v2`, or with --format text the same as a model would read it.

  codecortex context --mode map --query 'keep the port in url_for' --budget 4000

The prompt window is `codecortex window`."
)]
pub(crate) struct ContextArgs {
    /// What is told; `mixed` where there is a query, else `index`
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
    /// Observations to tell whole
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
    /// What to tell of: `progress`, `summary`, `task`, `codebase` and folders
    #[arg(
        long,
        value_name = "WORD,…",
        value_delimiter = ',',
        env = "CODECORTEX_SCOPE"
    )]
    pub(crate) scope: Vec<String>,
    /// The model that reads it, for the rules in `.context/config.json`
    #[arg(long, value_name = "NAME", env = "CODECORTEX_MODEL")]
    pub(crate) model: Option<String>,
    /// Who it is for
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
    /// Only what is in it and why
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
    /// Say which packs there are
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
    /// Which types; the last filter of this pack unless said
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

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    /// One JSON object instead of lines
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Also list these
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) list: Option<StatusList>,
    /// Of what is skipped: only what is for this reason; of texts: only those in this state
    #[arg(long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
    /// Entries on a page
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// Only what is below this folder, as `rootName/relative/path`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusList {
    /// What is left out, and why
    Skipped,
    /// Files with places that do not parse
    SyntaxErrors,
    /// Files still to be read
    Pending,
    /// Projects that manifests make
    Projects,
    /// What is wrong with manifests
    ProjectProblems,
    /// Types by where the text about them stands
    Texts,
}

#[derive(Debug, Args)]
pub(crate) struct HashesArgs {
    /// A type, such as `NodeStore`
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) symbol: String,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AliasArgs {
    /// Only what leads from or to this id
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,
    /// Entries on a page
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct InvalidateArgs {
    /// A symbol, a file or folder, or `all`
    #[arg(value_name = "SYMBOL|PATH|all", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: String,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is sent without a model. Its key is read from the environment variable that --model-key names.

  codecortex describe src/core --dry-run
  codecortex describe NodeStore --model-url http://localhost:8080/v1 --model my-model"
)]
pub(crate) struct DescribeArgs {
    /// A type, or a file or folder: its types whose texts are missing or stale
    #[arg(value_name = "SYMBOL|PATH", required_unless_present = "all", conflicts_with = "all", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: Option<String>,
    /// All types whose texts are missing or stale
    #[arg(long)]
    pub(crate) all: bool,
    /// Only say how many tokens the prompts have; nothing is sent
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Take what waits out of the queue
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) cancel: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without a model it prints a prompt; hand the conclusion in with `codecortex op ID --conclusion`.

  codecortex investigate 'How are large batches processed?' --scope src/core"
)]
pub(crate) struct InvestigateArgs {
    /// What is to be found out
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) question: String,
    /// A file or folder that it is about; may be given several times
    #[arg(long = "scope", value_name = "PATH")]
    pub(crate) scopes: Vec<String>,
    /// Look into it again although there is a conclusion that still holds
    #[arg(long)]
    pub(crate) again: bool,
    /// Give a prompt and wait for the conclusion, also where there is a model
    #[arg(long)]
    pub(crate) by_hand: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OpArgs {
    /// The id that `investigate` gave
    #[arg(value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) id: String,
    /// What was concluded, as JSON
    #[arg(long, value_name = "JSON", conflicts_with = "cancel")]
    pub(crate) conclusion: Option<String>,
    /// Give it up
    #[arg(long)]
    pub(crate) cancel: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

/// A model by its address.
#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    /// Address of a server that speaks the chat completions protocol, up to and with its version
    #[arg(
        long,
        value_name = "URL",
        env = "CODECORTEX_MODEL_URL",
        requires = "model"
    )]
    pub(crate) model_url: Option<String>,
    /// The model's name there
    #[arg(
        long,
        value_name = "NAME",
        env = "CODECORTEX_MODEL",
        requires = "model_url"
    )]
    pub(crate) model: Option<String>,
    /// The environment variable that holds the key
    #[arg(long, value_name = "VARIABLE", default_value = "CODECORTEX_MODEL_KEY")]
    pub(crate) model_key: String,
    /// Seconds that one answer may take
    #[arg(long, value_name = "S", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub(crate) model_timeout: u64,
}

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "  codecortex semantic NodeStore
  codecortex semantic submit T_9xx14grs-… < answer.txt"
)]
pub(crate) struct SemanticCommand {
    #[command(flatten)]
    pub(crate) get: SemanticArgs,
    #[command(subcommand)]
    pub(crate) action: Option<SemanticAction>,
}

#[derive(Debug, Args)]
pub(crate) struct SemanticArgs {
    /// A type, such as `NodeStore`
    #[arg(required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) symbol: Option<String>,
    /// Give the prompt also where the text is up to date
    #[arg(long)]
    pub(crate) prompt: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SemanticAction {
    /// Hand an answer in
    Submit(SubmitArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SubmitArgs {
    /// The ticket that came with the prompt
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) ticket: String,
    /// The answer [default: from stdin]
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

/// How the commands for people show an answer.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Print the envelope instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// Where to go on, as the answer before says
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// The most tokens the answer may cost, as characters / 4
    #[arg(long, alias = "budget", value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileArg {
    /// The few that an agent needs most
    Default,
    /// All
    Full,
}

#[derive(Debug, Args)]
#[command(after_help = "Without --root, the client's roots are served, or the current folder.")]
pub(crate) struct McpArgs {
    /// Which tools are listed; every tool can be called
    #[arg(long, value_enum, default_value = "default")]
    pub(crate) profile: ProfileArg,
    /// List each tool's `outputSchema` too, for clients that check answers; a model that is shown it pays for it
    #[arg(long)]
    pub(crate) output_schemas: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ToolsArgs {
    /// Only the tools of this profile
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) profile: ProfileArg,
    /// One line of JSON instead of an indented form
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
