//! What a person types to have agents use the server.

use std::num::NonZeroU32;

use clap::Args;
use clap::builder::PossibleValuesParser;
use codecortex_installer::agents;

fn agent_ids() -> PossibleValuesParser {
    PossibleValuesParser::new(agents().iter().map(|agent| agent.id.as_str()))
}

/// Which agents, and whose configuration.
#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    /// Agents by name [default: all that are found]
    #[arg(value_name = "AGENT", value_parser = agent_ids(), hide_possible_values = true)]
    pub(crate) agents: Vec<String>,
    /// The configuration of the project in the current folder instead of your own
    #[arg(long)]
    pub(crate) project: bool,
    /// Print an object for programs
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whether a plan is applied.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// Write without asking
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Print the plan and write nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = AGENTS_HELP)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    pub(crate) which: AgentArgs,
    #[command(flatten)]
    pub(crate) apply: ApplyArgs,
    /// How agents start the server, such as `npx codecortex`; `mcp` is appended [default: this program]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write the MCP server alone, without instructions and the skill
    #[arg(long)]
    pub(crate) server_only: bool,
    /// Also write a hook that adds what the index knows of the names to the agent's own searches (Claude Code, Gemini CLI)
    #[arg(long)]
    pub(crate) hooks: bool,
}

#[derive(Debug, Args)]
#[command(after_help = AGENTS_HELP)]
pub(crate) struct UninstallArgs {
    #[command(flatten)]
    pub(crate) which: AgentArgs,
    #[command(flatten)]
    pub(crate) apply: ApplyArgs,
}

#[derive(Debug, Args)]
#[command(after_help = AGENTS_HELP)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) which: AgentArgs,
    /// How long to wait for a server
    #[arg(long, value_name = "SECONDS", default_value = "20")]
    pub(crate) wait: NonZeroU32,
}

/// The names of agents; a test holds it against the data.
const AGENTS_HELP: &str = "Agents: claude-code codex cursor vscode copilot-cli gemini-cli antigravity opencode zed windsurf \
cline goose kiro qwen-code crush droid junie amp";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_agent() {
        let names: Vec<&str> = agents().iter().map(|agent| agent.id.as_str()).collect();
        assert_eq!(AGENTS_HELP, format!("Agents: {}", names.join(" ")));
    }
}
