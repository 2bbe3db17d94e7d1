//! The agents as data: where each keeps its configuration, and in which form (`data/agents.json`).

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::document::Form;
use crate::paths::Platform;

/// The data, which a test loads and holds against its schema.
const DATA: &str = include_str!("../data/agents.json");

/// All agents, in the order of the data.
#[must_use]
pub fn agents() -> &'static [Agent] {
    static AGENTS: OnceLock<Vec<Agent>> = OnceLock::new();
    AGENTS.get_or_init(|| {
        let table: AgentTable = serde_json::from_str(DATA).unwrap_or_default(); // a test loads it
        table.agents
    })
}

#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct AgentTable {
    #[serde(rename = "$schema")]
    #[allow(dead_code, reason = "for editors")]
    schema: Option<String>,
    /// One object an agent.
    agents: Vec<Agent>,
}

/// A program that uses MCP servers. Paths are templates of [`Surroundings`](crate::Surroundings): alternatives separated
/// by ` | `, of which the first counts whose variables are set; each begins with `~`, `$VARIABLE`, `{folder}`,
/// `{config}` or `{appdata}`. Paths of a project are relative to its folder.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Agent {
    /// What a person types.
    pub id: String,
    /// What the product is called.
    pub name: String,
    /// The program's name on the PATH: a hint only, for another program may have it.
    pub program: String,
    /// The agent's own folder, `{folder}` in its other paths.
    pub(crate) folder: FolderSpec,
    /// The agent is installed where one of these exists.
    pub(crate) detect: Vec<String>,
    /// How an MCP server is written.
    pub(crate) mcp: McpShape,
    /// Files of the person.
    pub(crate) user: ScopeFiles,
    /// Files of a project.
    pub(crate) project: ScopeFiles,
    /// What a person should know, as a sentence.
    pub note: Option<String>,
    /// The agent's documentation, to check the data by.
    pub sources: Vec<String>,
}

impl Agent {
    /// The files of a scope.
    #[must_use]
    pub fn files(&self, scope: Scope) -> &ScopeFiles {
        match scope {
            Scope::User => &self.user,
            Scope::Project => &self.project,
        }
    }
}

/// Whose configuration is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The person's, for every project.
    User,
    /// That of one project.
    Project,
}

/// The agent's own folder, one for all systems or one a system.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum FolderSpec {
    /// The same on every system.
    Everywhere(String),
    /// Another one by system.
    BySystem {
        windows: Option<String>,
        macos: Option<String>,
        other: String,
    },
}

impl FolderSpec {
    pub(crate) fn template(&self, platform: Platform) -> &str {
        match (self, platform) {
            (Self::Everywhere(all), _) => all,
            (Self::BySystem { windows, other, .. }, Platform::Windows) => {
                windows.as_ref().unwrap_or(other)
            }
            (Self::BySystem { macos, other, .. }, Platform::MacOs) => {
                macos.as_ref().unwrap_or(other)
            }
            (Self::BySystem { other, .. }, Platform::Linux) => other,
        }
    }
}

/// How an MCP server is written.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct McpShape {
    /// The key that servers are below, one literal key even where it has a dot.
    pub(crate) key: String,
    /// The form of the file.
    pub(crate) form: Form,
    /// The server: `"$command"` stands for the program, `"$args"` for the list of its arguments, `"$invocation"` for
    /// the list of both.
    pub(crate) entry: Map<String, Value>,
}

/// The files of one scope; an agent need not have each.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ScopeFiles {
    /// Files with MCP servers: the server is written into each.
    #[serde(default)]
    pub(crate) mcp: Vec<McpPlace>,
    /// The text that the agent reads with every task.
    pub(crate) instructions: Option<InstructionPlace>,
    /// The folder that skills are in.
    pub(crate) skills: Option<SkillPlace>,
    /// The list of commands that the agent runs after a search; written only where somebody asks for it.
    pub(crate) hook: Option<HookPlace>,
}

impl ScopeFiles {
    /// Whether the agent can be given a server here.
    #[must_use]
    pub fn has_server(&self) -> bool {
        !self.mcp.is_empty()
    }
}

/// A file with MCP servers.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct McpPlace {
    /// The first that exists, or the first.
    pub(crate) files: Vec<String>,
    /// Only where this exists. Where that holds for no place of an agent, its first place is meant.
    pub(crate) r#where: Option<String>,
    /// Whether public sources agree on it. What is not sure is written only for an agent that was named.
    #[serde(default = "yes")]
    pub(crate) is_sure: bool,
}

/// A text that the agent reads with every task.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct InstructionPlace {
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) kind: InstructionKind,
    /// What a file of our own begins with.
    #[serde(default)]
    pub(crate) head: String,
    /// See [`McpPlace::is_sure`].
    #[serde(default = "yes")]
    pub(crate) is_sure: bool,
}

/// Whether an instruction file is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InstructionKind {
    /// A block between marks, in a file that a person writes too.
    #[default]
    Block,
    /// A file of our own.
    File,
}

/// The folder that skills are in.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct SkillPlace {
    pub(crate) folder: String,
    /// See [`McpPlace::is_sure`].
    #[serde(default = "yes")]
    pub(crate) is_sure: bool,
}

/// A list of hooks in a JSON file.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct HookPlace {
    pub(crate) file: String,
    /// The keys that lead to the list, the outermost first.
    pub(crate) keys: Vec<String>,
    /// The hook: `"$hook"` stands for the command line.
    pub(crate) entry: Map<String, Value>,
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_data_loads_and_has_its_schema() {
        let table: AgentTable = serde_json::from_str(DATA).unwrap();
        let schema = serde_json::to_string_pretty(&schemars::schema_for!(AgentTable)).unwrap();
        expect_test::expect_file!["../data/agents.schema.json"].assert_eq(&format!("{schema}\n"));
        let ids: BTreeSet<&str> = table.agents.iter().map(|agent| agent.id.as_str()).collect();
        assert_eq!(ids.len(), table.agents.len());
        assert_eq!(ids.len(), 18);
    }

    #[test]
    fn every_entry_says_how_the_server_is_started() {
        for agent in agents() {
            let text = Value::Object(agent.mcp.entry.clone()).to_string();
            let is_whole = text.contains("\"$invocation\"");
            let is_split = text.contains("\"$command\"") && text.contains("\"$args\"");
            assert!(is_whole != is_split, "{}", agent.id);
            assert!(agent.user.has_server(), "{}", agent.id);
            assert!(!agent.sources.is_empty(), "{}", agent.id);
        }
    }

    #[test]
    fn the_documentation_has_every_path() {
        let page = include_str!("../../../docs/agents.md");
        let surroundings = crate::Surroundings {
            home: "~".into(),
            platform: Platform::Linux,
            variables: std::collections::BTreeMap::new(),
            project: Some("".into()),
        };
        for agent in agents() {
            let begin = format!("| `{}` ", agent.id);
            let row = page.lines().find(|line| line.starts_with(&begin)).unwrap();
            assert!(row.contains(&format!("`{}`", agent.mcp.key)), "{row}");
            for scope in [Scope::User, Scope::Project] {
                let places = crate::plan::places(agent, scope, &surroundings, &crate::Disk);
                for place in places {
                    let path = place.candidates[0].display().to_string();
                    let path = path
                        .trim_end_matches("/codecortex/SKILL.md")
                        .replace('\\', "/");
                    let mark = if place.is_sure { "" } else { " ?" };
                    assert!(
                        row.contains(&format!("`{path}`{mark}")),
                        "{path}{mark}: {row}"
                    );
                }
            }
        }
    }

    #[test]
    fn paths_of_projects_stay_in_the_project() {
        for agent in agents() {
            let files = &agent.project;
            let servers = files.mcp.iter().flat_map(|place| &place.files);
            let text = files.instructions.iter().map(|place| &place.file);
            let skills = files.skills.iter().map(|place| &place.folder);
            for path in servers.chain(text).chain(skills) {
                let is_plain = !path.starts_with(['/', '~', '$', '{']) && !path.contains("..");
                assert!(is_plain, "{}: {path}", agent.id);
            }
        }
    }

    #[test]
    fn the_skill_is_that_of_the_extension() {
        let ours = include_str!("../data/SKILL.md");
        let theirs = include_str!("../../../media/chat/skills/codecortex/SKILL.md");
        assert_eq!(ours, theirs);
    }
}
