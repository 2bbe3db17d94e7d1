//! `install`, `uninstall` and `doctor` in a home folder of a test: every variable that names a folder is set to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

struct Home {
    folder: tempfile::TempDir,
    project: tempfile::TempDir,
    elsewhere: tempfile::TempDir,
}

struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn json(&self) -> Value {
        assert_eq!(self.stdout.lines().count(), 1, "{}", self.stdout);
        serde_json::from_str(&self.stdout).unwrap()
    }
}

impl Home {
    fn new() -> Self {
        let home = Self {
            folder: tempfile::tempdir().unwrap(),
            project: tempfile::tempdir().unwrap(),
            elsewhere: tempfile::tempdir().unwrap(),
        };
        fs::write(home.project.path().join("a.ts"), "export class A {}\n").unwrap();
        home
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).unwrap()
    }

    fn run(&self, args: &[&str]) -> Run {
        let home = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_codecortex"));
        command.args(args).current_dir(self.project.path());
        command.env_clear();
        for kept in ["SystemRoot", "TEMP", "TMP"] {
            command.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        command
            .env("PATH", self.elsewhere.path().join("bin"))
            .env("HOME", home)
            .env("USERPROFILE", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("APPDATA", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            // What is made anew is no change of somebody's files.
            .env("XDG_CACHE_HOME", self.elsewhere.path())
            .env("LOCALAPPDATA", self.elsewhere.path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Every folder and file of the home folder and the project, with what it holds.
    fn tree(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut out = BTreeMap::new();
        let mut open = vec![
            self.folder.path().to_path_buf(),
            self.project.path().to_path_buf(),
        ];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let kind = fs::symlink_metadata(&path).unwrap();
                if kind.is_dir() {
                    open.push(path.clone());
                    out.insert(path, Vec::new());
                } else {
                    let bytes = fs::read(&path).unwrap_or_default();
                    out.insert(path, bytes);
                }
            }
        }
        out
    }
}

#[test]
fn without_consent_the_plan_is_printed_and_nothing_is_written() {
    let home = Home::new();
    home.write(".cursor/mcp.json", "{}\n");
    let before = home.tree();
    for args in [
        &["install"][..],
        &["install", "--dry-run"],
        &["install", "cursor"],
    ] {
        let run = home.run(args);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("Nothing was written"), "{}", run.stdout);
        let diff = "\n-{}\n+{\n+  \"mcpServers\": {\n+    \"codecortex\": {\n";
        assert!(run.stdout.contains(diff), "{}", run.stdout);
    }
    let told = home.run(&["install", "--json"]).json();
    assert_eq!(
        (&told["ok"], &told["applied"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(told["agents"][0]["id"], "cursor");
    assert_eq!(told["agents"][0]["files"][0]["outcome"], "added");
    assert_eq!(home.tree(), before);
}

#[test]
fn what_is_installed_serves_and_is_taken_back() {
    let home = Home::new();
    home.write(".claude.json", "{\n  \"projects\": {}\n}");
    home.write(".codex/config.toml", "model = \"x\" # mine");
    home.write("config/opencode/opencode.jsonc", "{\n  // mine\n}\n");
    let before = home.tree();
    let run = home.run(&["install", "--yes"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(
        run.stdout.contains("Written for 3 agents."),
        "{}",
        run.stdout
    );
    let entry: Value = serde_json::from_str(&home.read(".claude.json")).unwrap();
    let entry = &entry["mcpServers"]["codecortex"];
    let program = Path::new(entry["command"].as_str().unwrap());
    assert!(program.is_absolute() && program.is_file(), "{entry}");

    let run = home.run(&["doctor", "--json", "--wait", "60"]);
    let told = run.json();
    assert_eq!((run.code, &told["ok"]), (Some(0), &json!(true)), "{told}");
    let findings = told["findings"].as_array().unwrap();
    let served = findings.iter().filter(|finding| {
        let told = finding["told"].as_str().unwrap();
        told.contains(env!("CARGO_PKG_VERSION")) && told.contains("tools")
    });
    assert_eq!(served.count(), 3, "{told}");
    assert!(
        findings
            .iter()
            .any(|finding| finding["told"] == "1 file, 1 symbol"),
        "{told}"
    );

    let installed = home.tree();
    let again = home.run(&["install", "--yes"]);
    assert_eq!(again.code, Some(0));
    assert!(
        again.stdout.contains("Nothing is to be written."),
        "{}",
        again.stdout
    );
    assert_eq!(home.tree(), installed);
    let shown = home.run(&["uninstall"]);
    assert!(
        shown.stdout.contains("Nothing was written"),
        "{}",
        shown.stdout
    );
    assert_eq!(home.tree(), installed);
    let run = home.run(&["uninstall", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(home.tree(), before);
}

#[test]
fn a_broken_file_is_said_and_other_agents_go_on() {
    let home = Home::new();
    home.write(".cursor/mcp.json", "{ \"mcpServers\": ");
    home.write(".factory/mcp.json", "{}");
    let run = home.run(&["install", "--yes", "--json"]);
    let told = run.json();
    assert_eq!((run.code, &told["ok"]), (Some(1), &json!(false)));
    let message = told["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("Cursor: ") && message.contains("does not parse"),
        "{message}"
    );
    assert!(
        told["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("Mend the file")
    );
    assert_eq!(home.read(".cursor/mcp.json"), "{ \"mcpServers\": ");
    assert!(!home.path(".cursor/skills").exists());
    assert!(home.read(".factory/mcp.json").contains("codecortex"));
    let run = home.run(&["doctor", "cursor"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("fails Cursor: "), "{}", run.stdout);
}

#[test]
fn the_command_of_agents_can_be_chosen() {
    let home = Home::new();
    let run = home.run(&[
        "install",
        "codex",
        "-y",
        "--server-only",
        "--command",
        "npx -y 'codecortex'",
    ]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = home.read(".codex/config.toml");
    assert!(
        text.contains("command = \"npx\"\nargs = [\"-y\", \"codecortex\", \"mcp\"]\n"),
        "{text}"
    );
    assert!(!home.path(".codex/AGENTS.md").exists());
    // Nobody has npx here.
    let run = home.run(&["doctor", "codex"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stdout.contains("the program npx is not there"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("hint: put the program there, or `codecortex install codex`")
    );
    // This program takes the place of what install wrote.
    assert_eq!(
        home.run(&["install", "codex", "-y", "--server-only"]).code,
        Some(0)
    );
    assert_eq!(home.run(&["doctor", "codex", "--wait", "60"]).code, Some(0));
}

#[test]
fn wrong_words_are_refused() {
    let home = Home::new();
    for args in [
        &["install", "nobody", "--json"][..],
        &["install", "codex", "--command", "'", "--json"],
        &["install", "--yes", "--dry-run", "--json"],
    ] {
        let run = home.run(args);
        assert_eq!(run.code, Some(2), "{args:?}");
        assert_eq!(run.json()["error"]["code"], "InvalidParams", "{args:?}");
    }
    let run = home.run(&["doctor", "codex", "--json"]);
    assert_eq!(run.code, Some(1));
    let told = run.json();
    assert_eq!(
        told["error"]["hint"], "`codecortex install codex`.",
        "{told}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_home_that_cannot_be_written_is_an_error_with_a_hint() {
    let home = Home::new();
    // A folder in which nobody, not even root, can make anything.
    std::os::unix::fs::symlink("/proc/codecortex", home.path(".codex")).unwrap();
    let before = home.tree();
    let run = home.run(&["install", "codex", "--yes", "--json"]);
    let told = run.json();
    assert_eq!(
        (run.code, &told["applied"]),
        (Some(1), &json!(true)),
        "{told}"
    );
    let message = told["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("/proc/codecortex cannot be written"),
        "{message}"
    );
    assert!(told["error"]["hint"].as_str().unwrap().contains("writable"));
    let run = home.run(&["install", "codex", "--yes"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("\nhint: make the folder"),
        "{}",
        run.stderr
    );
    assert_eq!(home.tree(), before);
}

#[cfg(unix)]
#[test]
fn a_doctor_says_why_a_server_does_not_answer() {
    let home = Home::new();
    let server = |command: &str, args: &[&str]| {
        let entry = json!({ "mcpServers": { "codecortex": { "command": command, "args": args } } });
        home.write(".cursor/mcp.json", &entry.to_string());
        let run = home.run(&["doctor", "cursor", "--wait", "1"]);
        assert_eq!(run.code, Some(1), "{}", run.stdout);
        run.stdout
    };
    let told = server("/bin/sh", &["-c", "echo broken >&2; exit 3"]);
    assert!(told.contains("ends without an answer: broken"), "{told}");
    let told = server("/bin/sh", &["-c", "echo hello; while read x; do :; done"]);
    assert!(
        told.contains("writes to stdout what is no message"),
        "{told}"
    );
    let told = server("/bin/sh", &["-c", "while read x; do :; done"]);
    assert!(told.contains("does not answer in 1 s"), "{told}");
    let old = r#"{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"codecortex","version":"0.0.1"}}}"#;
    let tools = r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{}]}}"#;
    let told = server(
        "/bin/sh",
        &[
            "-c",
            &format!("echo '{old}'; echo '{tools}'; while read x; do :; done"),
        ],
    );
    assert!(
        told.contains("version 0.0.1 answers with 1 tools, and this program is"),
        "{told}"
    );
}

#[cfg(unix)]
#[test]
fn what_a_project_names_is_not_started() {
    let home = Home::new();
    let mark = home.path("started");
    let script = format!("echo > {}", mark.display());
    let entry =
        json!({ "mcpServers": { "codecortex": { "command": "/bin/sh", "args": ["-c", script] } } });
    fs::write(home.project.path().join(".mcp.json"), entry.to_string()).unwrap();
    let run = home.run(&["doctor", "claude-code", "--project"]);
    assert!(run.stdout.contains("not started"), "{}", run.stdout);
    assert!(!mark.exists());
    // Neither is it changed; what install wrote itself is started.
    let run = home.run(&["install", "cursor", "claude-code", "--project", "--yes"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("kept: MCP server"), "{}", run.stdout);
    home.run(&["doctor", "claude-code", "--project"]);
    assert!(!mark.exists());
    let run = home.run(&["doctor", "cursor", "--project", "--wait", "60"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(run.stdout.contains("tools"), "{}", run.stdout);
}
