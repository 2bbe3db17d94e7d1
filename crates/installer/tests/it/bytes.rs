//! Files at random: installed, installed again, and taken back through the disk, they hold the same bytes.

use std::fs;

use proptest::prelude::*;

use crate::support::Home;

/// A comment on a line of its own, or none.
fn comment(mark: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        Just(String::new()),
        "[a-z{}\\[\\]:,é ]{0,10}".prop_map(move |words| format!("{mark} {words}\n")),
    ]
}

fn jsonc() -> impl Strategy<Value = String> {
    let member = (comment("//"), "[a-c]", prop::bool::ANY);
    let servers = prop::option::of(prop::collection::btree_map("[d-f]", any::<u8>(), 0..3));
    (
        prop::collection::vec(member, 0..3),
        servers,
        prop::bool::ANY,
        "\n?",
    )
        .prop_map(|(members, servers, has_comma, end)| {
            let mut lines = Vec::new();
            for (at, (comment, name, is_inline)) in members.into_iter().enumerate() {
                let beside = if is_inline { " /* x */" } else { "" };
                lines.push(format!("{comment}  \"{name}{at}\": [1]{beside}"));
            }
            if let Some(servers) = servers {
                let servers = serde_json::to_string(&servers).unwrap();
                lines.push(format!("  \"servers\": {servers}"));
            }
            let comma = if has_comma && !lines.is_empty() {
                ","
            } else {
                ""
            };
            format!("{{\n{}{comma} // last\n}}{end}", lines.join(",\n"))
        })
}

fn toml() -> impl Strategy<Value = String> {
    let table = (comment("#"), "mcp_servers\\.[a-c]|[x-z]", "\n{0,2}");
    (comment("#"), prop::collection::vec(table, 0..3), "\n{0,2}").prop_map(|(top, tables, end)| {
        let mut out = format!("{top}model = \"x\" # y\n");
        for (at, (comment, name, gap)) in tables.into_iter().enumerate() {
            out.push_str(&format!(
                "{gap}{comment}[{name}{at}] # t\na = [\n  1, # one\n]\n"
            ));
        }
        out.trim_end().to_owned() + &end
    })
}

fn yaml() -> impl Strategy<Value = String> {
    let server = (comment("  #"), "[a-c]", "\n?");
    let servers = prop::option::of(prop::collection::vec(server, 0..3));
    let last = prop::sample::select(vec!["", "z: 1 # z\n", "z: |\n  text\n"]);
    (comment("#"), servers, last, "\n{0,2}").prop_map(|(top, servers, last, end)| {
        let mut out = format!("{top}GOOSE_MODE: auto\n");
        if let Some(servers) = servers {
            out.push_str("extensions: # mine\n");
            for (at, (comment, name, gap)) in servers.into_iter().enumerate() {
                out.push_str(&format!(
                    "{comment}{gap}  {name}{at}:\n    enabled: false\n"
                ));
            }
        }
        out.push_str(last);
        out.trim_end().to_owned() + &end
    })
}

fn markdown() -> impl Strategy<Value = String> {
    "([a-z# é]{0,8}(\n|\r\n)?){0,5}"
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn bytes_come_back(json in jsonc(), toml in toml(), yaml in yaml(), text in markdown(), crlf in any::<bool>()) {
        let home = Home::new();
        let ends = |text: &str| match crlf {
            true => text.replace('\n', "\r\n"),
            false => text.to_owned(),
        };
        home.write(".config/Code/User/mcp.json", ends(&json));
        home.write(".codex/config.toml", ends(&toml));
        home.write(".codex/AGENTS.md", &text);
        home.write(".config/goose/config.yaml", ends(&yaml));
        let before = home.tree();
        let ids = ["vscode", "codex", "goose"];
        home.install(&ids);
        for plan in home.plan(&ids, "/opt/codecortex") {
            prop_assert!(!plan.is_blocked(), "{:?}", plan.steps);
            prop_assert!(!plan.has_work(), "{:?}", plan.steps);
        }
        prop_assert!(fs::read_to_string(home.path().join(".codex/AGENTS.md")).unwrap().starts_with(&text));
        home.uninstall(&ids);
        prop_assert_eq!(home.tree(), before);
        prop_assert!(home.is_forgotten());
    }
}
