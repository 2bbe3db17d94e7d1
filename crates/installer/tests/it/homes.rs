//! What a person has in the home folder stays as it is.

use std::fs;

use codecortex_installer::{AgentPart, AgentPlan, Outcome, apply};

use crate::support::Home;

fn outcome(plan: &AgentPlan, part: AgentPart) -> &Outcome {
    &plan
        .steps
        .iter()
        .find(|step| step.part == part)
        .unwrap()
        .outcome
}

#[test]
fn an_entry_that_a_person_changed_stays_and_is_said() {
    let home = Home::new();
    home.install(&["cursor"]);
    let changed = home.read(".cursor/mcp.json").replace(
        "\"args\": [\"mcp\"]",
        "\"args\": [\"mcp\", \"--profile\", \"full\"]",
    );
    home.write(".cursor/mcp.json", &changed);
    let plan = home.plan(&["cursor"], "/opt/codecortex").remove(0);
    assert!(matches!(
        outcome(&plan, AgentPart::Server),
        Outcome::Kept(_)
    ));
    apply(&plan, &home.records()).unwrap();
    assert_eq!(home.read(".cursor/mcp.json"), changed);
    // Taken out it is all the same: install wrote it.
    home.uninstall(&["cursor"]);
    assert!(!home.path().join(".cursor").exists());
}

#[test]
fn an_entry_that_install_did_not_write_survives_both() {
    let home = Home::new();
    let own = "{ \"mcpServers\": { \"codecortex\": { \"command\": \"docker\", \"args\": [\"run\", \"x\"] } } }\n";
    home.write(".cursor/mcp.json", own);
    home.install(&["cursor"]);
    assert_eq!(home.read(".cursor/mcp.json"), own);
    let plan = home.plan_removal(&["cursor"]).remove(0);
    assert!(matches!(
        outcome(&plan, AgentPart::Server),
        Outcome::Kept(_)
    ));
    home.uninstall(&["cursor"]);
    assert_eq!(home.read(".cursor/mcp.json"), own);
}

#[test]
fn what_was_there_before_install_is_there_after_uninstall() {
    let home = Home::new();
    // The same entry, one of another profile, and a block that somebody copied.
    home.install(&["cursor", "codex"]);
    let same = home.read(".cursor/mcp.json");
    let block = home.read(".codex/AGENTS.md");
    home.uninstall(&["cursor", "codex"]);
    home.write(".cursor/mcp.json", &same);
    home.write(".codex/AGENTS.md", &block);
    let own = "{ \"mcpServers\": { \"codecortex\": { \"command\": \"codecortex\", \"args\": [\"mcp\", \"--profile\", \"full\"] } } }";
    home.write(".factory/mcp.json", own);
    let before = home.tree();
    let ids = ["cursor", "codex", "droid"];
    home.install(&ids);
    for plan in home.plan(&ids, "/new/codecortex") {
        let is_written = |step: &&codecortex_installer::Step| step.change.is_some();
        let written = plan.steps.iter().filter(is_written).count();
        // Codex has a server of ours beside the block.
        assert_eq!(
            written,
            usize::from(plan.agent.id == "codex"),
            "{:?}",
            plan.steps
        );
    }
    let plans = home.plan_removal(&ids);
    let kept = Outcome::Kept("it was there before install".to_owned());
    assert_eq!(*outcome(&plans[0], AgentPart::Server), kept);
    home.uninstall(&ids);
    assert_eq!(home.tree(), before);
    assert!(home.is_forgotten());
}

#[test]
fn another_command_is_written_in_the_place_of_ours_and_undone_exactly() {
    let home = Home::new();
    let before = "{\"mcpServers\":{}}";
    home.write(".cursor/mcp.json", before);
    home.install(&["cursor"]);
    let plan = home.plan(&["cursor"], "/new/codecortex").remove(0);
    assert_eq!(*outcome(&plan, AgentPart::Server), Outcome::Updated);
    apply(&plan, &home.records()).unwrap();
    assert!(home.read(".cursor/mcp.json").contains("/new/codecortex"));
    assert!(!home.read(".cursor/mcp.json").contains("/opt/codecortex"));
    home.uninstall(&["cursor"]);
    assert_eq!(home.read(".cursor/mcp.json"), before);
}

#[test]
fn changes_beside_ours_stay_when_it_is_taken_out() {
    let home = Home::new();
    home.write(".codex/config.toml", "model = \"a\"");
    home.write(".codex/AGENTS.md", "First.\n");
    home.install(&["codex"]);
    let text = home.read(".codex/config.toml").replace("\"a\"", "\"b\"");
    home.write(
        ".codex/config.toml",
        text + "\n# the end\n[tools]\nweb = true\n",
    );
    let text = home.read(".codex/AGENTS.md") + "Last.\n";
    home.write(".codex/AGENTS.md", text);
    home.uninstall(&["codex"]);
    let text = home.read(".codex/config.toml");
    assert_eq!(text, "model = \"b\"\n\n# the end\n[tools]\nweb = true\n");
    assert_eq!(home.read(".codex/AGENTS.md"), "First.\nLast.\n");
}

#[test]
fn a_new_file_that_a_person_added_to_stays_without_ours() {
    let home = Home::new();
    home.install(&["droid"]);
    let text = home.read(".factory/mcp.json");
    let text = text.replacen(
        "\"codecortex\"",
        "\"mine\": { \"command\": \"x\" },\n    \"codecortex\"",
        1,
    );
    home.write(".factory/mcp.json", text);
    home.uninstall(&["droid"]);
    let text = home.read(".factory/mcp.json");
    assert_eq!(
        text,
        "{\n  \"mcpServers\": {\n    \"mine\": { \"command\": \"x\" }\n  }\n}\n"
    );
}

#[test]
fn a_skill_that_a_person_changed_is_kept() {
    let home = Home::new();
    home.install(&["droid"]);
    let path = ".factory/skills/codecortex/SKILL.md";
    home.write(path, "mine");
    for plan in [
        home.plan(&["droid"], "/opt/codecortex").remove(0),
        home.plan_removal(&["droid"]).remove(0),
    ] {
        assert!(matches!(outcome(&plan, AgentPart::Skill), Outcome::Kept(_)));
    }
    home.uninstall(&["droid"]);
    assert_eq!(home.read(path), "mine");
}

#[test]
fn a_broken_file_blocks_its_agent_and_no_other() {
    let home = Home::new();
    for (text, why) in [
        ("{ \"mcpServers\": {", "it does not parse"),
        ("[1]", "its shape is not understood"),
        ("{ \"mcpServers\": [] }", "its shape is not understood"),
        (
            "{ \"mcpServers\": {}, \"mcpServers\": {} }",
            "its shape is not understood",
        ),
    ] {
        home.write(".cursor/mcp.json", text);
        let before = home.tree();
        let plans = home.plan(&["cursor", "droid"], "/opt/codecortex");
        let Outcome::LeftAlone(told) = outcome(&plans[0], AgentPart::Server) else {
            panic!("{text}: {:?}", plans[0].steps);
        };
        assert!(told.starts_with(why), "{told}");
        assert!(plans[0].is_blocked() && !plans[0].has_work());
        apply(&plans[0], &home.records()).unwrap();
        assert_eq!(home.tree(), before);
        assert!(plans[1].has_work());
    }
    home.write(".cursor/mcp.json", b"\xff\xfe{}");
    assert!(home.plan(&["cursor"], "x")[0].is_blocked());
    fs::remove_file(home.path().join(".cursor/mcp.json")).unwrap();
    fs::create_dir(home.path().join(".cursor/mcp.json")).unwrap();
    assert!(home.plan(&["cursor"], "x")[0].is_blocked());
}

#[test]
fn damaged_marks_are_left_alone() {
    let home = Home::new();
    home.write(".codex/AGENTS.md", "<!-- codecortex:begin -->\nmine\n");
    let plan = home.plan(&["codex"], "/opt/codecortex").remove(0);
    let told = outcome(&plan, AgentPart::Instructions);
    assert!(matches!(told, Outcome::LeftAlone(_)), "{told:?}");
}

#[test]
fn what_was_changed_after_the_plan_is_not_overwritten() {
    let home = Home::new();
    home.write(".cursor/mcp.json", "{}");
    let plan = home.plan(&["cursor"], "/opt/codecortex").remove(0);
    home.write(".cursor/mcp.json", "{ \"a\": 1 }");
    let before = home.tree();
    let error = apply(&plan, &home.records()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("was changed since the plan was made")
    );
    assert_eq!(home.tree(), before);
    assert!(home.is_forgotten());
}

#[test]
fn what_is_not_sure_is_written_only_for_a_named_agent() {
    let home = Home::new();
    let found = [(crate::support::agent("antigravity"), false)];
    let plan = |found: &[_]| {
        let goal = home.goal("/opt/codecortex");
        let surroundings = home.surroundings();
        let disk = codecortex_installer::Disk;
        codecortex_installer::install(found, &goal, &surroundings, &disk, &home.records()).remove(0)
    };
    let plan = plan(&found);
    let is_unsure = |step: &codecortex_installer::Step| step.outcome == Outcome::NotSure;
    assert!(plan.steps.iter().all(is_unsure), "{:?}", plan.steps);
    assert!(!plan.has_work());
    assert!(home.plan(&["antigravity"], "/opt/codecortex")[0].has_work());
}

#[test]
fn what_was_written_under_a_variable_is_found_without_it() {
    let mut home = Home::new();
    let before = home.tree();
    let moved = home.path().join("moved").display().to_string();
    home.variables.insert("CODEX_HOME".to_owned(), moved);
    home.install(&["codex"]);
    assert!(home.path().join("moved/config.toml").exists());
    home.variables.clear();
    home.uninstall(&["codex"]);
    assert_eq!(home.tree(), before);
}

#[test]
fn without_a_record_our_entry_is_known_by_what_it_starts() {
    let home = Home::new();
    home.install(&["goose"]);
    let records = home.records();
    for record in records.all() {
        records.forget(&record.key()).unwrap();
    }
    home.uninstall(&["goose"]);
    assert_eq!(home.read(".config/goose/config.yaml"), "extensions:\n");
    assert_eq!(home.read(".config/goose/.goosehints"), "");
}

#[test]
fn an_agent_without_servers_of_projects_is_given_no_text_either() {
    let mut home = Home::new();
    home.scope = codecortex_installer::Scope::Project;
    for id in ["windsurf", "goose"] {
        let plan = home.plan(&[id], "/opt/codecortex").remove(0);
        assert!(plan.steps.is_empty() && plan.agent.note.is_some(), "{id}");
    }
}
