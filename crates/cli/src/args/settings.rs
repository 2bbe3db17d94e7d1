//! What a person types to see and make settings of their own (SPEC D17, D25).

use clap::Args;

use super::WorkspaceArgs;

#[derive(Debug, Args)]
#[command(
    after_help = "Settings that a repository cannot set: recording, models and their quotas, files outside the folder.

  codecortex settings                          current values, and the settings file
  codecortex settings observations true        for this folder; --everywhere for all
  codecortex settings model.callsPerHour 20
  codecortex settings observations --unset"
)]
pub(crate) struct SettingsArgs {
    /// record, observations, externalTypes, model.mode, model.callsPerHour, model.callsPerDay, model.tokensPerHour or
    /// model.tokensPerDay
    #[arg(value_name = "KEY")]
    pub(crate) key: Option<String>,
    /// The new value: a word, a number, true, false, or a JSON list
    #[arg(value_name = "VALUE", requires = "key")]
    pub(crate) value: Option<String>,
    /// Remove the key
    #[arg(long, requires = "key", conflicts_with = "value")]
    pub(crate) unset: bool,
    /// For every folder instead of the one here
    #[arg(long)]
    pub(crate) everywhere: bool,
    #[command(flatten)]
    pub(crate) workspace: WorkspaceArgs,
}
