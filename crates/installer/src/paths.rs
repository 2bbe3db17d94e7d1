//! Paths of the data in the surroundings of a person: the home folder, the system, the environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agents::Agent;

/// The systems whose folders differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux and other systems with XDG's folders.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

impl Platform {
    /// The one that this program was built for.
    #[must_use]
    pub fn current() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::MacOs
        } else {
            Self::Linux
        }
    }
}

/// Where a person's files are. Nothing here reads the environment: a host passes it in.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The home folder.
    pub home: PathBuf,
    /// The system.
    pub platform: Platform,
    /// The environment's variables.
    pub variables: BTreeMap<String, String>,
    /// The folder of the project, for `--project`.
    pub project: Option<PathBuf>,
}

impl Surroundings {
    /// The path that a template of an agent means; none where no alternative can be resolved.
    pub(crate) fn resolve(&self, agent: &Agent, template: &str) -> Option<PathBuf> {
        self.first_of(template, &|name| match name {
            "folder" => self.first_of(agent.folder.template(self.platform), &|name| {
                self.base(name)
            }),
            other => self.base(other),
        })
    }

    /// The path of a template of a project.
    pub(crate) fn in_project(&self, relative: &str) -> Option<PathBuf> {
        Some(joined(self.project.as_deref()?, relative))
    }

    fn first_of(&self, template: &str, base: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
        template
            .split(" | ")
            .find_map(|alternative| self.one(alternative.trim(), base))
    }

    fn one(&self, template: &str, base: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
        let (first, rest) = template.split_once('/').unwrap_or((template, ""));
        let start = match first {
            "~" => self.home.clone(),
            _ => match (first.strip_prefix('$'), first.strip_prefix('{')) {
                (Some(variable), _) => self.folder_of(variable)?,
                (_, Some(name)) => base(name.strip_suffix('}')?)?,
                _ => return None,
            },
        };
        Some(joined(&start, rest))
    }

    fn base(&self, name: &str) -> Option<PathBuf> {
        let xdg = || {
            let folder = self.folder_of("XDG_CONFIG_HOME");
            folder.unwrap_or_else(|| self.home.join(".config"))
        };
        match (name, self.platform) {
            ("config", _) | ("appdata", Platform::Linux) => Some(xdg()),
            ("appdata", Platform::MacOs) => Some(self.home.join("Library/Application Support")),
            ("appdata", Platform::Windows) => {
                let folder = self.folder_of("APPDATA");
                Some(folder.unwrap_or_else(|| self.home.join("AppData").join("Roaming")))
            }
            _ => None,
        }
    }

    /// The folder that a variable names. A relative one would mean another folder in every place, and is passed over.
    fn folder_of(&self, variable: &str) -> Option<PathBuf> {
        let value = self.variables.get(variable)?;
        let is_absolute = match self.platform {
            // Also while a test of another system looks at it.
            Platform::Windows => value
                .get(1..3)
                .is_some_and(|drive| drive == ":\\" || drive == ":/"),
            _ => value.starts_with('/'),
        };
        (is_absolute || Path::new(value).is_absolute()).then(|| PathBuf::from(value))
    }
}

fn joined(start: &Path, rest: &str) -> PathBuf {
    let mut path = start.to_path_buf();
    path.extend(rest.split('/').filter(|part| !part.is_empty()));
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::agents;

    fn paths(platform: Platform, home: &str, variables: &[(&str, &str)]) -> Vec<String> {
        let surroundings = Surroundings {
            home: PathBuf::from(home),
            platform,
            variables: variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            project: None,
        };
        let first = |agent: &Agent| {
            let template = agent.user.mcp.first()?.files.first()?;
            let path = surroundings.resolve(agent, template)?;
            Some(format!("{} {}", agent.id, path.display()))
        };
        let agents = agents().iter();
        agents
            .map(|agent| first(agent).unwrap().replace('\\', "/"))
            .collect()
    }

    #[test]
    fn every_agent_has_a_file_on_every_system() {
        let home = if cfg!(windows) {
            "C:/Users/a"
        } else {
            "/persons/a"
        };
        let linux = paths(Platform::Linux, home, &[]);
        assert!(linux.contains(&format!("claude-code {home}/.claude.json")));
        assert!(linux.contains(&format!("vscode {home}/.config/Code/User/mcp.json")));
        assert!(linux.contains(&format!("goose {home}/.config/goose/config.yaml")));
        let mac = paths(Platform::MacOs, home, &[]);
        let support = format!("{home}/Library/Application Support");
        assert!(mac.contains(&format!("vscode {support}/Code/User/mcp.json")));
        assert!(mac.contains(&format!("zed {home}/.config/zed/settings.json")));
        let roaming = r"C:\Users\a\AppData\Roaming";
        let windows = paths(Platform::Windows, home, &[("APPDATA", roaming)]);
        let told = |id: &str| windows.iter().find(|path| path.starts_with(id)).unwrap();
        assert!(told("goose").ends_with("AppData/Roaming/Block/goose/config/config.yaml"));
        assert!(told("zed").ends_with("AppData/Roaming/Zed/settings.json"));
    }

    #[test]
    fn variables_move_folders_and_relative_ones_do_not() {
        let home = "/persons/a";
        let moved = [
            ("CODEX_HOME", "/x/codex"),
            ("CLAUDE_CONFIG_DIR", "/x/claude"),
            ("XDG_CONFIG_HOME", "/x/config"),
            ("KIRO_HOME", "x/kiro"),
            ("COPILOT_HOME", ""),
        ];
        let paths = paths(Platform::Linux, home, &moved);
        for path in [
            "codex /x/codex/config.toml",
            "claude-code /x/claude/.claude.json",
            "opencode /x/config/opencode/opencode.json",
            "vscode /x/config/Code/User/mcp.json",
            "kiro /persons/a/.kiro/settings/mcp.json",
            "copilot-cli /persons/a/.copilot/mcp-config.json",
        ] {
            assert!(paths.contains(&path.to_owned()), "{path}: {paths:?}");
        }
    }
}
