//! A home folder of a test, and what is in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use codecortex_installer::{
    Agent, AgentPlan, Disk, Goal, Invocation, Platform, RecordStore, Scope, Surroundings, agents,
    apply, install, uninstall,
};

/// A home folder and a state folder, both empty.
pub(crate) struct Home {
    folder: tempfile::TempDir,
    state: tempfile::TempDir,
    pub(crate) variables: BTreeMap<String, String>,
    pub(crate) scope: Scope,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            state: tempfile::tempdir().unwrap(),
            variables: BTreeMap::new(),
            scope: Scope::User,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap()
    }

    pub(crate) fn records(&self) -> RecordStore {
        RecordStore::new(self.state.path().join("state/codecortex/installed"))
    }

    pub(crate) fn surroundings(&self) -> Surroundings {
        Surroundings {
            home: self.path().to_path_buf(),
            platform: Platform::Linux,
            variables: self.variables.clone(),
            project: Some(self.path().join("project")),
        }
    }

    pub(crate) fn goal(&self, command: &str) -> Goal {
        Goal {
            scope: self.scope,
            invocation: Invocation {
                command: command.to_owned(),
                args: vec!["mcp".to_owned()],
                env: BTreeMap::new(),
            },
            with_texts: true,
            with_hooks: true,
        }
    }

    pub(crate) fn plan(&self, ids: &[&str], command: &str) -> Vec<AgentPlan> {
        let named: Vec<_> = ids.iter().map(|id| (agent(id), true)).collect();
        let surroundings = self.surroundings();
        install(
            &named,
            &self.goal(command),
            &surroundings,
            &Disk,
            &self.records(),
        )
    }

    pub(crate) fn plan_removal(&self, ids: &[&str]) -> Vec<AgentPlan> {
        let agents: Vec<_> = ids.iter().map(|id| agent(id)).collect();
        let goal = self.goal("/opt/codecortex");
        uninstall(&agents, &goal, &self.surroundings(), &Disk, &self.records())
    }

    pub(crate) fn install(&self, ids: &[&str]) {
        for plan in self.plan(ids, "/opt/codecortex") {
            apply(&plan, &self.records()).unwrap();
        }
    }

    pub(crate) fn uninstall(&self, ids: &[&str]) {
        for plan in self.plan_removal(ids) {
            apply(&plan, &self.records()).unwrap();
        }
    }

    /// Every folder, file and link with what it holds.
    pub(crate) fn tree(&self) -> BTreeMap<String, String> {
        tree(self.path())
    }

    /// Whether nothing is recorded.
    pub(crate) fn is_forgotten(&self) -> bool {
        fs::read_dir(self.state.path()).unwrap().count() == 0
    }
}

pub(crate) fn agent(id: &str) -> &'static Agent {
    agents().iter().find(|agent| agent.id == id).unwrap()
}

pub(crate) fn tree(root: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap();
            let name = name.to_str().unwrap().replace('\\', "/");
            let kind = fs::symlink_metadata(&path).unwrap();
            if kind.is_symlink() {
                let target = fs::read_link(&path).unwrap();
                out.insert(name, format!("-> {}", target.display()));
            } else if kind.is_dir() {
                out.insert(format!("{name}/"), String::new());
                open.push(path);
            } else {
                out.insert(
                    name,
                    String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned(),
                );
            }
        }
    }
    out
}
