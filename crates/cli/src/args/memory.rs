//! Arguments of `memory`, `map` and `bench`.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand, ValueEnum};

use super::{ShowArgs, WorkspaceArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "Nothing is recorded before a person opts in: `codecortex settings observations true`."
)]
pub(crate) struct MemoryArgs {
    #[command(subcommand)]
    pub(crate) action: MemoryAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryAction {
    /// Record an observation
    Remember(RememberArgs),
    /// Find observations: one line each, or those of --ids whole
    Recall(RecallArgs),
    /// Hide observations from all answers
    Forget(ForgetArgs),
    /// Write all records as JSON lines, forgotten ones too
    Export(ExportArgs),
    /// Move all records to another back end
    Migrate(MigrateArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RememberArgs {
    /// The observation; its first line is the summary
    #[arg(value_name = "TEXT", value_parser = NonEmptyStringValueParser::new(), allow_hyphen_values = true)]
    pub(crate) text: String,
    /// A symbol that it concerns; repeatable
    #[arg(long = "symbol", value_name = "SYMBOL")]
    pub(crate) symbols: Vec<String>,
    /// The task that it belongs to
    #[arg(long, value_name = "ID", env = "CODECORTEX_TASK_ID")]
    pub(crate) task_id: Option<String>,
    /// The observer
    #[arg(long, value_name = "WORD")]
    pub(crate) actor: Option<String>,
    /// In which phase of the work
    #[arg(long, value_name = "WORD")]
    pub(crate) phase: Option<String>,
    /// Kind of observation, such as `decision`
    #[arg(long = "type", value_name = "WORD")]
    pub(crate) kind: Option<String>,
    /// A file that it refers to; repeatable
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<String>,
    /// A command that it refers to; repeatable
    #[arg(long = "ran", value_name = "COMMAND")]
    pub(crate) commands: Vec<String>,
    /// An address that it refers to; repeatable
    #[arg(long = "url", value_name = "URL")]
    pub(crate) urls: Vec<String>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// Words that it has, all of them
    #[arg(value_name = "QUERY")]
    pub(crate) query: Option<String>,
    /// Return these in full
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub(crate) ids: Vec<u64>,
    /// Those of a task, in their order
    #[arg(long, value_name = "ID")]
    pub(crate) task_id: Option<String>,
    /// Those about a symbol
    #[arg(long, value_name = "SYMBOL")]
    pub(crate) symbol: Option<String>,
    /// Those around this one
    #[arg(long, value_name = "ID")]
    pub(crate) around: Option<u64>,
    /// Those about a file, or with `/` at its end a folder
    #[arg(long, value_name = "PATH")]
    pub(crate) file: Option<String>,
    /// Only those of this branch
    #[arg(long, value_name = "NAME")]
    pub(crate) branch: Option<String>,
    /// Only this kind; repeatable
    #[arg(long = "type", value_name = "WORD")]
    pub(crate) kinds: Vec<String>,
    /// Only those of this observer; repeatable
    #[arg(long = "actor", value_name = "WORD")]
    pub(crate) actors: Vec<String>,
    /// Only those of this phase of the work; repeatable
    #[arg(long = "phase", value_name = "WORD")]
    pub(crate) phases: Vec<String>,
    /// With --around: so many before and after it
    #[arg(long, value_name = "N", requires = "around")]
    pub(crate) window: Option<u32>,
    /// Only those of this time or later, UTC: `YYYY-MM-DD HH:mm:ss`
    #[arg(long, value_name = "TIME")]
    pub(crate) since: Option<String>,
    /// Only those of this time or earlier
    #[arg(long, value_name = "TIME")]
    pub(crate) until: Option<String>,
    /// The most on a page [default: 20]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ForgetArgs {
    /// Their ids
    #[arg(value_name = "ID", required = true)]
    pub(crate) ids: Vec<u64>,
    /// Take them out of the files too; that cannot be undone
    #[arg(long)]
    pub(crate) purge: bool,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The file to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MigrateArgs {
    /// The back end that holds the records from then on
    #[arg(long, value_enum)]
    pub(crate) to: BackendArg,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendArg {
    /// One line of JSON each
    Jsonl,
    /// A database with a full-text index
    Sqlite,
}

#[derive(Debug, Args)]
pub(crate) struct MapArgs {
    #[command(subcommand)]
    pub(crate) action: MapAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MapAction {
    /// Write every file's declarations with signatures and lines
    Build(MapBuildArgs),
    /// Read such a file and list the files that have changed since
    Load(MapLoadArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MapBuildArgs {
    /// Only files that match, as in `.gitignore`; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,
    /// Exclude these files; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// The file to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Token limit, as characters / 4; files are added in their order until it is reached
    #[arg(long, alias = "max-tokens", value_name = "N")]
    pub(crate) budget: Option<u32>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MapLoadArgs {
    /// Output file of `map build`
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The most tokens of it, as characters / 4
    #[arg(long, alias = "max-tokens", value_name = "N")]
    pub(crate) budget: Option<u32>,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A task is one of the workspace's own commits: its message is the question, its changed files and declarations are the answer, and its parent is searched. The repository is not changed."
)]
pub(crate) struct BenchArgs {
    /// The most tasks, the newest commits that make one
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) tasks: usize,
    /// What two scripted agents need, turn by turn, until the edited places are shown: one has a word search and reading
    /// of lines, the other has these tools as well
    #[arg(long = "loop")]
    pub(crate) agents: bool,
    /// One JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
