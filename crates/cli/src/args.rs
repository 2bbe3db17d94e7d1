//! What a person types: names, help, defaults.

mod context;
mod install;
mod memory;
mod names;
#[cfg(test)]
mod reach;
mod refactor;
mod review;
mod semantic;
mod settings;

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::commands::replay::ReplayArgs;

pub(crate) use context::{
    ContextAction, ContextArgs, NamedArgs, PackAction, PackArgs, PackPlaceArgs, WindowAction,
    WindowArgs, WindowCommand,
};
pub(crate) use install::{AgentArgs, ApplyArgs, DoctorArgs, InstallArgs, UninstallArgs};
pub(crate) use memory::{
    BackendArg, BenchArgs, ExportArgs, ForgetArgs, MapAction, MapArgs, MapBuildArgs, MapLoadArgs,
    MemoryAction, MemoryArgs, MigrateArgs, RecallArgs, RememberArgs,
};
pub(crate) use names::{NameArgs, ScipArgs};
pub(crate) use refactor::{
    BatchEditArgs, ChangeSignatureArgs, CodeArgs, DeclarationArgs, ExtractArgs, InlineArgs,
    InsertArgs, MoveArgs, OrganiseImportsArgs, RefactorOptions, RenameArgs, ReplaceArgs,
    SafeDeleteArgs, TextArgs, UndoArgs,
};
pub(crate) use review::{FailOn, ReviewArgs, ReviewForm};
pub(crate) use semantic::{
    DescribeArgs, InvestigateArgs, ModelArgs, OpArgs, SemanticAction, SemanticArgs,
    SemanticCommand, SubmitArgs,
};
pub(crate) use settings::SettingsArgs;

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
    /// Log more on stderr; twice for details
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Build or refresh the index of a workspace and print its contents
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
    /// Find implementations, overrides and subtypes of a symbol
    Implementations(NameArgs),
    /// Find declarations that a symbol implements, overrides or derives from
    Overrides(NameArgs),
    /// Rename a symbol everywhere it is meant; prints the plan, --apply changes the files
    Rename(RenameArgs),
    /// Take the last applied edit back; prints the plan, --apply changes the files
    Undo(UndoArgs),
    /// Replace the body of a declaration; prints the plan, --apply changes the file
    ReplaceBody(ReplaceArgs),
    /// Replace a declaration; prints the plan, --apply changes the file
    ReplaceSymbol(ReplaceArgs),
    /// Insert code before or after a declaration; prints the plan, --apply changes the file
    Insert(InsertArgs),
    /// Delete a declaration that nothing uses; prints the plan, --apply changes the files
    SafeDelete(SafeDeleteArgs),
    /// Add, remove or move a parameter, with every call; prints the plan, --apply changes the files
    ChangeSignature(ChangeSignatureArgs),
    /// Move a declaration to another file, with its imports and importers; prints the plan, --apply changes the files
    #[command(name = "move", alias = "move-type")]
    Move(MoveArgs),
    /// Give the selected expression a name before its statement; prints the plan, --apply changes the file
    ExtractVariable(ExtractArgs),
    /// Make a function of the selected statements or expression; prints the plan, --apply changes the file
    ExtractMethod(ExtractArgs),
    /// Put what a variable or function stands for in the place of its uses; prints the plan, --apply changes the file
    Inline(InlineArgs),
    /// Remove unused imports of a file, join doubled ones, and sort them; prints the plan, --apply changes the file
    #[command(alias = "organize-imports")]
    OrganiseImports(OrganiseImportsArgs),
    /// Make several edits as one, each on top of those before it; prints the plan, --apply changes the files
    BatchEdit(BatchEditArgs),
    /// Write the index as SCIP, for code search
    Scip(ScipArgs),
    /// Draw which types depend on which
    Graph(GraphArgs),
    /// Create the folder `.context/` with the data of every type
    Init(InitArgs),
    /// Give the code that a task is about, as one JSON object within a budget
    Context(ContextArgs),
    /// Review a change: its risks, and the code it cannot be understood without
    Review(ReviewArgs),
    /// Record, find and forget observations about the workspace
    Memory(MemoryArgs),
    /// Write the map of a workspace's declarations to a file, or read one
    Map(MapArgs),
    /// Measure how well questions are answered, on the workspace's own history
    Bench(BenchArgs),
    /// Show and change the prompt window, the code that a model would receive now
    Window(WindowCommand),
    /// Build texts of types that belong together
    Pack(PackArgs),
    /// List the classes of change of each type since `.context/` was last written, and write it
    Changes(ChangesArgs),
    /// Show and make settings of your own, which no repository can change
    Settings(SettingsArgs),
    /// Show the index, skipped files, and the state of `.context/`
    Status(StatusArgs),
    /// Show the layered hashes of a type
    Hashes(HashesArgs),
    /// Show former names of renamed and moved types
    Alias(AliasArgs),
    /// Read a symbol's files, a file, a folder or everything again
    Invalidate(InvalidateArgs),
    /// Have a model describe the purpose of types, or print the cost
    Describe(DescribeArgs),
    /// Find out how something works: a question that ends in a conclusion with evidence
    Investigate(InvestigateArgs),
    /// Show the progress and result of an investigation; submit a conclusion
    Op(OpArgs),
    /// Show the purpose of a type, or a prompt for it; submit an answer
    Semantic(SemanticCommand),
    /// Play a recording of live context back and verify it
    Replay(ReplayArgs),
    /// Serve the tools to an MCP client over stdin and stdout
    Mcp(McpArgs),
    /// Serve programs by JSON-RPC 2.0
    Serve(ServeArgs),
    /// Serve an editor by the Language Server Protocol over stdin and stdout
    Lsp(LspArgs),
    /// Have agents use the server: shows what is written into their configuration, and writes it
    Install(InstallArgs),
    /// Take back what install wrote
    Uninstall(UninstallArgs),
    /// Start the server of each agent as the agent would, and say what fails
    Doctor(DoctorArgs),
    /// Add what the index knows to a search of an agent; its hook runs this with the event on stdin
    Hook,
    /// Print the table of tools as JSON
    Tools(ToolsArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page of a command, as `man` reads it
    Man(ManArgs),
}

/// Which workspace.
#[derive(Debug, Args)]
pub(crate) struct WorkspaceArgs {
    /// Workspace folder; repeatable [default: the current folder]
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,
    /// Threads that read files [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// Memory limit of the index in megabytes; beyond it, hashes and fast searches are disabled
    #[arg(
        long,
        value_name = "MB",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub(crate) memory_ceiling: u32,
    /// Skip files above this number of bytes [default: 4194304, or the value in `.context/config.json`]
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
    /// Trust a `.context/` that came with the repository: use it and write to it
    #[arg(long, env = "CODECORTEX_TRUST_CONTEXT", hide_env = true)]
    pub(crate) trust_context: bool,
    /// Keep no log of calls, times and tokens
    #[arg(long, env = "CODECORTEX_NO_TELEMETRY", hide_env = true)]
    pub(crate) no_telemetry: bool,
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
    #[arg(long, alias = "budget", value_name = "N", env = "CODECORTEX_BUDGET")]
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

/// What edits by tools may touch.
#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// Let edits change files and folders whose names begin with a dot, which other programs run
    #[arg(long)]
    pub(crate) edit_hidden: bool,
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
    /// Let a tool that edits change the files; its plan is the answer otherwise
    #[arg(long)]
    pub(crate) apply: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) edits: EditArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A line in:  {\"id\":1,\"tool\":\"codecortex_searchApi\",\"args\":{\"labelQuery\":\"Store\"}}
A line out: {\"id\":1,\"ms\":0.42,\"result\":{\"ok\":true,\"data\":{…}}}

Answers come in the order of the calls; one that waits for git or a model for more than 2 s comes later, and has its `id`.
A line {\"cancel\":1} gives up a call with that id, which is answered by an error `Cancelled`.
With the text form, `data` is `{\"text\":…}`; with both, `text` stands beside `result`."
)]
pub(crate) struct BatchArgs {
    /// Let codecortex_applyEdit change files at once; without it a call answers its plan, and one with `planId` applies it
    #[arg(long)]
    pub(crate) apply: bool,
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
    #[command(flatten)]
    pub(crate) edits: EditArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OutlineArgs {
    /// A file, a place in it, or a symbol such as `NodeStore` or `Core.NodeStore.Add`; or several symbols
    #[arg(value_name = "SYMBOL|FILE[:LINE[:CHARACTER]]", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: Vec<String>,
    /// Exclude declarations that are not visible from outside
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
    /// Numbered code, with the fields of its container that it uses
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
    /// Only this kind of declaration, such as `class`; repeatable
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Also declarations inside function bodies
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
    /// Most types or modules to show [default: 50]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// What a node stands for [default: type]
    #[arg(long, value_enum)]
    pub(crate) level: Option<LevelArg>,
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
pub(crate) enum LevelArg {
    /// A type
    Type,
    /// The types of a folder
    Module,
}

impl LevelArg {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Module => "module",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionArg {
    /// Dependencies
    Out,
    /// Dependents
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
    /// For skipped files: only this reason; for texts: only this state
    #[arg(long, value_name = "REASON")]
    pub(crate) reason: Option<String>,
    /// Entries on a page
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// Only entries below this folder, as `rootName/relative/path`
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
    /// Also show what answers of the last 30 days cost and how long they took
    #[arg(long)]
    pub(crate) telemetry: bool,
    /// Also list each answer of the newest task, its cost and the files that it replaced
    #[arg(long)]
    pub(crate) receipts: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusList {
    /// Skipped files, with reasons
    Skipped,
    /// Files with places that do not parse
    SyntaxErrors,
    /// Files still to be read
    Pending,
    /// Projects that manifests make
    Projects,
    /// Problems of manifests
    ProjectProblems,
    /// Types by the state of their texts
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
    /// Only entries from or to this id
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

/// How the commands for people show an answer.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Print the envelope instead of text
    #[arg(long)]
    pub(crate) json: bool,
    /// `nextCursor` of the previous answer
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
    pub(crate) edits: EditArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("peer").required(true))]
pub(crate) struct ServeArgs {
    /// Serve one peer over stdin and stdout
    #[arg(long, group = "peer")]
    pub(crate) stdio: bool,
    /// Serve peers that connect to this socket (on Windows a pipe such as `\\.\pipe\codecortex`)
    #[arg(long, value_name = "PATH", group = "peer")]
    pub(crate) pipe: Option<PathBuf>,
    /// Let `codecortex_applyEdit` edit files; without it, it returns what it would do
    #[arg(long)]
    pub(crate) apply: bool,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) edits: EditArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Without --root, the editor's folders are served. Where another server serves a language, name the others by --languages."
)]
pub(crate) struct LspArgs {
    /// Serve over stdin and stdout: as always, so that editors which give it are served
    #[arg(long)]
    pub(crate) stdio: bool,
    /// Serve these languages alone, by their ids, such as `rust,angelscript` [default: all, or what the editor asks for]
    #[arg(long, value_name = "IDS", value_delimiter = ',', value_parser = language_id)]
    pub(crate) languages: Vec<String>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

/// The id of a language that is known.
fn language_id(id: &str) -> Result<String, String> {
    match codecortex_lsp::Languages::only([id]) {
        Ok(_) => Ok(id.to_owned()),
        Err(unknown) => Err(format!("{unknown} {}", unknown.hint())),
    }
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

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// A command and its subcommand, such as `memory recall`; without one, the program
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// List the commands that have a page, one a line
    #[arg(long, conflicts_with = "command")]
    pub(crate) list: bool,
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
