//! What a person types for texts about types, and investigations (SPEC SE3, IN1).

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};

use crate::args::{ShowArgs, WorkspaceArgs};

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
    /// Only print the tokens of the prompts, without sending them
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Remove waiting texts from the queue
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
    after_help = "Without a model it prints a prompt; submit the conclusion with `codecortex op ID --conclusion`.

  codecortex investigate 'How are large batches processed?' --scope src/core"
)]
pub(crate) struct InvestigateArgs {
    /// The question
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    pub(crate) question: String,
    /// A file or folder of the question; repeatable
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
    /// The conclusion, as JSON
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
