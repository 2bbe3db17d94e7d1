//! Arguments of `codecortex review`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{ModelArgs, WorkspaceArgs};

#[derive(Debug, Args)]
#[command(
    after_help = "Without --staged, --working, --base and --patch: all uncommitted changes.

  codecortex review --base main
  codecortex review --base main --format sarif --fail-on warning > review.sarif
  codecortex review --patch change.diff --budget 4000

--base and --head are compared as they are; --base alone compares with the merge base."
)]
pub(crate) struct ReviewArgs {
    /// Only changes in git's index
    #[arg(long, conflicts_with_all = ["working", "base", "patch"])]
    pub(crate) staged: bool,
    /// Only changes outside git's index
    #[arg(long, conflicts_with_all = ["base", "patch"])]
    pub(crate) working: bool,
    /// Commit, branch or tag to compare with
    #[arg(long, value_name = "COMMIT", conflicts_with = "patch")]
    pub(crate) base: Option<String>,
    /// Commit, branch or tag that is reviewed [default: the present one]
    #[arg(long, value_name = "COMMIT", requires = "base")]
    pub(crate) head: Option<String>,
    /// A unified diff; `-` reads it from stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) patch: Option<PathBuf>,
    /// The most tokens that are printed, as characters / 4
    #[arg(long, alias = "max-tokens", value_name = "N")]
    pub(crate) budget: Option<u32>,
    /// Print the units for a planner
    #[arg(long, conflicts_with_all = ["plan", "findings"])]
    pub(crate) index: bool,
    /// A plan for them as JSON; `-` reads it from stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Print the findings, which need no model, instead of the context
    #[arg(long)]
    pub(crate) findings: bool,
    /// Print the prompt for a reviewing model; its answer goes to --check
    #[arg(long, conflicts_with_all = ["index", "findings"])]
    pub(crate) prompt: bool,
    /// A reviewer's findings as JSON, to be checked and printed; `-` reads it from stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["index", "prompt"])]
    pub(crate) check: Option<PathBuf>,
    /// A finding that is wrong or wanted so: it is not shown again
    #[arg(long, value_name = "ID", conflicts_with_all = ["index", "prompt"])]
    pub(crate) dismiss: Vec<String>,
    /// A dismissed finding that is to be shown again
    #[arg(long, value_name = "ID", conflicts_with_all = ["index", "prompt"])]
    pub(crate) restore: Vec<String>,
    /// Focus of the review
    #[arg(long, value_name = "TEXT")]
    pub(crate) ask: Option<String>,
    /// A SARIF report of other tools, whose findings belong to the lines they are about
    #[arg(long, value_name = "FILE")]
    pub(crate) sarif: Option<PathBuf>,
    /// Only the unit of this id; repeatable
    #[arg(long = "unit", value_name = "ID")]
    pub(crate) units: Vec<String>,
    /// Name of the workspace folder, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) folder: Option<String>,
    /// `nextCursor` of the previous answer
    #[arg(long, value_name = "CURSOR")]
    pub(crate) cursor: Option<String>,
    /// Print the JSON envelope
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Output format
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReviewForm>,
    /// Exit with 3 where a finding is at least as grave
    #[arg(long, value_enum, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<FailOn>,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReviewForm {
    /// Text for people and models
    Markdown,
    /// Findings for other tools
    Sarif,
    /// The envelope
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum FailOn {
    /// It does not work
    Error,
    /// It may not work
    Warning,
    /// Something to know
    Info,
}
