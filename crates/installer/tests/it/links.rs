//! Dotfiles: files behind links, their rights, and folders that cannot be written.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use codecortex_installer::{ApplyError, Outcome, Scope, apply};

use crate::support::Home;

#[test]
fn links_stay_and_what_they_lead_to_is_written() {
    let home = Home::new();
    home.write("dotfiles/mcp.json", "{}\n");
    fs::create_dir_all(home.path().join(".cursor")).unwrap();
    symlink("../dotfiles/mcp.json", home.path().join(".cursor/mcp.json")).unwrap();
    // A whole folder may be a link, and one that leads to nothing yet.
    symlink("dotfiles/codex", home.path().join(".codex")).unwrap();
    let before = home.tree();
    home.install(&["cursor", "codex"]);
    assert!(home.read("dotfiles/mcp.json").contains("/opt/codecortex"));
    assert!(
        home.read("dotfiles/codex/config.toml")
            .contains("[mcp_servers.codecortex]")
    );
    let after = home.tree();
    for link in [".cursor/mcp.json", ".codex"] {
        assert_eq!(after[link], before[link]);
    }
    home.uninstall(&["cursor", "codex"]);
    assert_eq!(home.tree(), before);
}

#[test]
fn a_circle_of_links_is_left_alone() {
    let home = Home::new();
    fs::create_dir_all(home.path().join(".cursor")).unwrap();
    symlink("mcp.json", home.path().join(".cursor/mcp.json")).unwrap();
    let plan = home.plan(&["cursor"], "/opt/codecortex").remove(0);
    assert!(plan.is_blocked(), "{:?}", plan.steps);
}

#[test]
fn links_out_of_a_project_are_not_followed() {
    let mut home = Home::new();
    home.scope = Scope::Project;
    home.write(".bashrc", "{}");
    fs::create_dir(home.path().join("project")).unwrap();
    symlink("../.bashrc", home.path().join("project/.mcp.json")).unwrap();
    let before = home.tree();
    let plan = home.plan(&["claude-code"], "/opt/codecortex").remove(0);
    let told = &plan.steps[0].outcome;
    assert!(matches!(told, Outcome::LeftAlone(why) if why.contains("out of the project")));
    apply(&plan, &home.records()).unwrap();
    assert_eq!(home.tree(), before);
}

#[test]
fn rights_stay() {
    let home = Home::new();
    let path = home.write(".cursor/mcp.json", "{}\n");
    for mode in [0o600, 0o664, 0o755] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        home.install(&["cursor"]);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
        home.uninstall(&["cursor"]);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
    }
}

#[test]
fn new_files_with_servers_are_private() {
    let home = Home::new();
    home.install(&["droid"]);
    let mode = |path: &str| fs::metadata(home.path().join(path)).unwrap().mode() & 0o777;
    assert_eq!(mode(".factory/mcp.json"), 0o600);
    assert_ne!(mode(".factory/AGENTS.md") & 0o400, 0);
}

#[test]
fn a_file_that_is_read_only_is_not_replaced_and_nothing_is_written() {
    let home = Home::new();
    let path = home.write(".codex/AGENTS.md", "mine\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let before = home.tree();
    let plan = home.plan(&["codex"], "/opt/codecortex").remove(0);
    let error = apply(&plan, &home.records()).unwrap_err();
    assert!(matches!(error, ApplyError::Unwritable { .. }), "{error}");
    assert_eq!(home.tree(), before);
    assert!(home.is_forgotten());
}

#[test]
fn what_is_done_is_taken_back_where_the_next_file_fails() {
    let home = Home::new();
    let path = home.write(".codex/config.toml", "model = \"a\"\n");
    let plan = home.plan(&["codex"], "/opt/codecortex").remove(0);
    // A folder where the skill is to be: the file before it is written by then.
    let skill = home.path().join(".codex/skills/codecortex/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    symlink("/nowhere/x", &skill).unwrap();
    fs::create_dir_all(home.path().join(".codex/x")).unwrap();
    let before = home.tree();
    let mut plan = plan;
    // The removal of a file that is not there fails while files are put in place.
    let change = plan.steps.iter_mut().find_map(|step| {
        let change = step.change.as_mut()?;
        change.path.ends_with("SKILL.md").then_some(change)
    });
    let change = change.unwrap();
    change.path = home.path().join(".codex/gone");
    change.after = None;
    let error = apply(&plan, &home.records()).unwrap_err();
    assert!(matches!(error, ApplyError::Unwritable { .. }), "{error}");
    assert_eq!(fs::read_to_string(path).unwrap(), "model = \"a\"\n");
    assert_eq!(home.tree(), before);
    assert!(home.is_forgotten());
}
