//! Plans over files in memory: nothing but the plan's paths is ever read.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::*;
use crate::agents::agents;
use crate::paths::Platform;

#[derive(Default)]
struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
    seen: RefCell<BTreeSet<PathBuf>>,
}

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.seen.borrow_mut().insert(path.to_path_buf());
        Ok(self.files.get(path).cloned())
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_path_buf())
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.keys().any(|file| file.starts_with(path))
    }
}

fn goal() -> Goal {
    Goal {
        scope: Scope::User,
        invocation: Invocation {
            command: r"C:\Users\a\codecortex.exe".to_owned(),
            args: vec!["mcp".to_owned()],
            env: BTreeMap::new(),
        },
        with_texts: true,
        with_hooks: false,
    }
}

#[test]
fn on_windows_paths_are_data() {
    let surroundings = Surroundings {
        home: PathBuf::from("/users/a"),
        platform: Platform::Windows,
        variables: BTreeMap::from([("APPDATA".to_owned(), "/users/a/Roaming".to_owned())]),
        project: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let records = RecordStore::new(folder.path().join("none"));
    let mut files = Memory::default();
    let code = PathBuf::from("/users/a/Roaming/Code/User/settings.json");
    files.files.insert(code, b"{}".to_vec());
    let found: Vec<_> = agents()
        .iter()
        .filter(|agent| detected(agent, &surroundings, &files))
        .collect();
    let ids: Vec<&str> = found.iter().map(|agent| agent.id.as_str()).collect();
    assert_eq!(ids, ["vscode"]);
    let named: Vec<_> = agents().iter().map(|agent| (agent, true)).collect();
    let plans = install(&named, &goal(), &surroundings, &files, &records);
    let written: BTreeSet<PathBuf> = plans
        .iter()
        .flat_map(|plan| &plan.steps)
        .filter_map(|step| Some(step.change.as_ref()?.path.clone()))
        .collect();
    for path in [
        "Code/User/mcp.json",
        "Block/goose/config/config.yaml",
        "Zed/settings.json",
    ] {
        assert!(
            written.contains(&Path::new("/users/a/Roaming").join(path)),
            "{path}"
        );
    }
    for plan in &plans {
        for change in plan.steps.iter().filter_map(|step| step.change.as_ref()) {
            let text = change.after.as_deref().unwrap();
            assert!(change.before.is_none());
            if text.contains("codecortex.exe") {
                let escaped = r"C:\\Users\\a\\codecortex.exe";
                let literal = r"'C:\Users\a\codecortex.exe'";
                assert!(text.contains(escaped) || text.contains(literal), "{text}");
            }
        }
    }
    assert!(files.seen.borrow().is_subset(&written));
}
