//! A folder an agent (`tests/fixtures`): its files as the client documents them, and after an install.

use std::fs;
use std::path::Path;

use codecortex_installer::agents;

use crate::support::{Home, tree};

#[test]
fn every_agent_is_installed_and_taken_back() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    for agent in agents() {
        let folder = fixtures.join(&agent.id);
        let home = Home::new();
        for (name, text) in tree(&folder.join("before")) {
            match name.ends_with('/') {
                true => fs::create_dir_all(home.path().join(name)).unwrap(),
                false => drop(home.write(&name, text)),
            }
        }
        let before = home.tree();
        home.install(&[&agent.id]);
        let mut after = home.tree();
        after.retain(|name, text| !name.ends_with('/') && before.get(name) != Some(text));
        // The skill is the same everywhere; a test holds it against the extension's.
        after.retain(|name, _| !name.ends_with("codecortex/SKILL.md"));
        assert!(!after.is_empty(), "{}", agent.id);
        for (name, text) in &after {
            let expected = folder.join("after").join(name);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::create_dir_all(expected.parent().unwrap()).unwrap();
            }
            expect_test::expect_file![expected].assert_eq(&text.replace('\r', "␍"));
        }
        if folder.join("after").exists() {
            let known = tree(&folder.join("after"));
            let known = known.keys().filter(|name| !name.ends_with('/'));
            assert!(known.eq(after.keys()), "{}", agent.id);
        }
        for plan in home.plan(&[&agent.id], "/opt/codecortex") {
            assert!(!plan.has_work(), "{}: {:?}", agent.id, plan.steps);
        }
        home.uninstall(&[&agent.id]);
        assert_eq!(home.tree(), before, "{}", agent.id);
        assert!(home.is_forgotten(), "{}", agent.id);
    }
}

#[test]
fn every_agent_is_installed_from_nothing_and_leaves_nothing() {
    let ids: Vec<&str> = agents().iter().map(|agent| agent.id.as_str()).collect();
    for scope in [
        codecortex_installer::Scope::User,
        codecortex_installer::Scope::Project,
    ] {
        let mut home = Home::new();
        home.scope = scope;
        fs::create_dir(home.path().join("project")).unwrap();
        let before = home.tree();
        home.install(&ids);
        let installed = home.tree();
        assert!(installed.len() > 30, "{installed:?}");
        for plan in home.plan(&ids, "/opt/codecortex") {
            assert!(!plan.has_work(), "{}: {:?}", plan.agent.id, plan.steps);
        }
        // In another order, one by one: what agents share stays until the last of them.
        for id in ids.iter().rev() {
            home.uninstall(&[id]);
        }
        assert_eq!(home.tree(), before);
        assert!(home.is_forgotten());
    }
}
