//! Hooks of agents: one element of a list that a person may have elements in, too (SPEC X6).

use std::fs;

use codecortex_installer::{AgentPart, AgentPlan, Disk, Outcome, Scope, apply, install};
use serde_json::{Value, json};

use crate::support::{Home, agent};

const SETTINGS: &str = ".claude/settings.json";

/// What becomes of the hook in a plan of one agent.
fn outcome(plans: &[AgentPlan]) -> Option<&Outcome> {
    let steps = plans.iter().flat_map(|plan| &plan.steps);
    let mut hooks = steps.filter(|step| step.part == AgentPart::Hook);
    hooks.next().map(|step| &step.outcome)
}

fn commands(home: &Home, file: &str, event: &str) -> Vec<String> {
    let settings: Value = serde_json::from_str(&home.read(file)).unwrap();
    let groups = settings["hooks"][event]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let hooks = groups
        .iter()
        .flat_map(|group| group["hooks"].as_array().cloned().unwrap_or_default());
    hooks
        .map(|hook| hook["command"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_hook_is_written_only_where_it_is_asked_for() {
    let home = Home::new();
    fs::create_dir(home.path().join(".claude")).unwrap();
    let mut goal = home.goal("/opt/codecortex");
    goal.with_hooks = false;
    let agents = [(agent("claude-code"), true)];
    let plans = install(&agents, &goal, &home.surroundings(), &Disk, &home.records());
    assert_eq!(outcome(&plans), None);
    // Instructions and hooks are asked for apart.
    goal.with_hooks = true;
    goal.with_texts = false;
    let plans = install(&agents, &goal, &home.surroundings(), &Disk, &home.records());
    let parts: Vec<AgentPart> = plans[0].steps.iter().map(|step| step.part).collect();
    assert_eq!(parts, [AgentPart::Server, AgentPart::Hook]);
    // Nobody else's hooks can add to a result.
    assert_eq!(
        outcome(&home.plan(&["codex", "cursor"], "/opt/codecortex")),
        None
    );
}

#[test]
fn hooks_of_a_person_stay_before_it_and_after_it() {
    let home = Home::new();
    let own = json!({ "hooks": { "PostToolUse": [
        { "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier" }] },
    ], "Stop": [] }, "model": "x" });
    let text = format!("{own:#}\n");
    home.write(SETTINGS, &text);
    home.install(&["claude-code"]);
    assert_eq!(
        commands(&home, SETTINGS, "PostToolUse"),
        ["prettier", "/opt/codecortex hook"]
    );
    assert_eq!(
        outcome(&home.plan(&["claude-code"], "/opt/codecortex")),
        Some(&Outcome::AlreadyThere)
    );
    // A person adds one behind ours: it is theirs, whatever is taken out.
    let added = home
        .read(SETTINGS)
        .replace("\"Stop\": []", "\"Stop\": [{ \"hooks\": [] }]");
    home.write(SETTINGS, &added);
    home.uninstall(&["claude-code"]);
    let left: Value = serde_json::from_str(&home.read(SETTINGS)).unwrap();
    assert_eq!(left["hooks"]["PostToolUse"], own["hooks"]["PostToolUse"]);
    assert_eq!(left["hooks"]["Stop"], json!([{ "hooks": [] }]));
    assert!(home.is_forgotten());
}

#[test]
fn a_changed_hook_is_the_persons_and_another_command_is_written_anew() {
    let home = Home::new();
    home.install(&["claude-code"]);
    let plans = home.plan(&["claude-code"], "/usr/bin/codecortex");
    assert_eq!(outcome(&plans), Some(&Outcome::Updated));
    plans
        .iter()
        .for_each(|plan| apply(plan, &home.records()).unwrap());
    assert_eq!(
        commands(&home, SETTINGS, "PostToolUse"),
        ["/usr/bin/codecortex hook"]
    );
    let changed = home.read(SETTINGS).replace("Grep|Glob|Bash", "Grep");
    home.write(SETTINGS, &changed);
    let plans = home.plan(&["claude-code"], "/usr/bin/codecortex");
    assert!(
        matches!(outcome(&plans), Some(Outcome::Kept(_))),
        "{plans:?}"
    );
    // It runs our program all the same.
    home.uninstall(&["claude-code"]);
    assert!(!home.path().join(SETTINGS).exists());
}

#[test]
fn a_server_and_a_hook_in_one_file_come_and_go_together() {
    for text in [
        "",
        "{}\n",
        "{\n  // mine\n  \"theme\": \"x\",\n  \"mcpServers\": { \"other\": { \"command\": \"y\" } }\n}\n",
    ] {
        let home = Home::new();
        home.write(".gemini/settings.json", text);
        let before = home.tree();
        home.install(&["gemini-cli"]);
        let settings = home.read(".gemini/settings.json");
        assert!(
            settings.contains("/opt/codecortex hook") && settings.contains("\"mcp\""),
            "{settings}"
        );
        home.uninstall(&["gemini-cli"]);
        assert_eq!(home.tree(), before, "{text}");
    }
}

#[test]
fn a_file_that_is_not_understood_blocks_its_agent() {
    for text in [
        "{ \"hooks\": ",
        "{ \"hooks\": [] }",
        "{ \"hooks\": { \"PostToolUse\": 1 } }",
    ] {
        let home = Home::new();
        home.write(SETTINGS, text);
        let plans = home.plan(&["claude-code"], "/opt/codecortex");
        assert!(
            matches!(outcome(&plans), Some(Outcome::LeftAlone(_))),
            "{plans:?}"
        );
        home.install(&["claude-code"]);
        assert_eq!(home.read(SETTINGS), text);
        assert!(!home.path().join(".claude.json").exists());
    }
}

#[test]
fn a_project_has_a_hook_of_its_own() {
    let mut home = Home::new();
    home.scope = Scope::Project;
    fs::create_dir(home.path().join("project")).unwrap();
    home.install(&["claude-code"]);
    let file = "project/.claude/settings.json";
    assert_eq!(
        commands(&home, file, "PostToolUse"),
        ["/opt/codecortex hook"]
    );
    assert!(!home.path().join(SETTINGS).exists());
}
