//! What a person types to see and make settings of their own (SPEC D17, D25).

use clap::Args;

use super::WorkspaceArgs;

#[derive(Debug, Args)]
#[command(
    after_help = "Settings that a repository cannot make: what is recorded, which model is asked and how often, files outside.

  codecortex settings                          what counts here, and where it is kept
  codecortex settings observations true        for the folder here; --everywhere for all
  codecortex settings model.callsPerHour 20
  codecortex settings observations --unset"
)]
pub(crate) struct SettingsArgs {
    /// record, observations, externalTypes, model.mode, model.callsPerHour, model.callsPerDay, model.tokensPerHour or
    /// model.tokensPerDay
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// What it is from now on: a word, a number, true, false, or a JSON list
    #[arg(value_name = "VALUE", requires = "key")]
    pub(crate) value: Option<String>,
    /// Say nothing by the key any more
    #[arg(long, requires = "key", conflicts_with = "value")]
    pub(crate) unset: bool,
    /// For every folder instead of the one here
    #[arg(long)]
    pub(crate) everywhere: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
