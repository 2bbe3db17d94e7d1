//! What a person types about uses of names.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use super::{ShowArgs, WorkspaceArgs};

/// Which symbol, for the commands about its uses and relations.
#[derive(Debug, Args)]
#[command(
    after_help = "A place is a file with a line and a character, as an editor shows them.

  codecortex callers NodeStore.Add --depth 2
  codecortex references src/app.ts:12:9
  codecortex references src/app.ts:12       the declaration on the line; also app.ts#L12 and app.ts(12,9)"
)]
pub(crate) struct NameArgs {
    /// A symbol such as `NodeStore.Add` or several, or a place where one is named
    #[arg(value_name = "SYMBOL|FILE:LINE[:CHARACTER]", required = true, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) what: Vec<String>,
    /// Steps from one declaration to the next [default: 1 for calls, 10 for the others]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Only uses of this tier; repeatable [default: all but `name`]
    #[arg(long = "tier", value_enum, value_name = "TIER")]
    pub(crate) tiers: Vec<TierArg>,
    /// Only uses of this kind; repeatable
    #[arg(long = "role", value_enum, value_name = "ROLE")]
    pub(crate) roles: Vec<RoleArg>,
    /// Leave source lines out
    #[arg(long)]
    pub(crate) no_preview: bool,
    /// Only results below this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) folder: Option<String>,
    /// Results on a page
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u32>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}

/// How a use is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TierArg {
    /// Confirmed by a language provider
    Provider,
    /// Every step is declared, with one target
    Exact,
    /// By the type that its receiver must have
    Inferred,
    /// Of something that overrides it, or that it overrides
    Related,
    /// It is called so
    Name,
}

/// What a use does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RoleArg {
    /// Takes the value
    Read,
    /// Sets it
    Write,
    /// Calls it
    Call,
    /// Names a type
    Type,
    /// Imports it
    Import,
    /// In an attribute
    Attribute,
    /// In documentation
    Doc,
}

#[derive(Debug, Args)]
#[command(
    after_help = "A file that code search and code review tools read: every symbol with documentation and signature, \
and every place where it is named. See docs/scip.md."
)]
pub(crate) struct ScipArgs {
    /// The file to write; `-` is stdout
    #[arg(long, short, value_name = "FILE", default_value = "index.scip")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
