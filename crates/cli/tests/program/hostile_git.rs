//! Repositories that name programs wherever git takes one: no command runs any (SPEC RV1, RM1). Each program leaves a trace
//! by its name; git itself, without what is turned off here, shows that they are no blanks.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::Place;

/// Settings of the repository's own configuration that name a program: the section, the variable.
const PROGRAMS: &[(&str, &str)] = &[
    ("core", "fsmonitor"),
    ("core", "pager"),
    ("core", "editor"),
    ("core", "sshCommand"),
    ("core", "askPass"),
    ("core", "gitProxy"),
    ("core", "alternateRefsCommand"),
    ("sequence", "editor"),
    ("pager", "config"),
    ("pager", "diff"),
    ("pager", "log"),
    ("pager", "status"),
    ("credential", "helper"),
    ("credential \"https://example.com\"", "helper"),
    ("gpg", "program"),
    ("gpg \"ssh\"", "program"),
    ("gpg \"ssh\"", "defaultKeyCommand"),
    ("gpg \"x509\"", "program"),
    ("diff", "external"),
    ("diff \"evil\"", "textconv"),
    ("diff \"driver\"", "command"),
    ("merge \"evil\"", "driver"),
    ("filter \"evil\"", "clean"),
    ("filter \"evil\"", "smudge"),
    ("filter \"process\"", "process"),
    ("filter \"a=b\"", "clean"),
    ("filter \"\"", "clean"),
    ("filter \"a.b.c\"", "clean"),
    ("filter \"ü\"", "clean"),
    ("trailer \"one\"", "command"),
    ("trailer \"two\"", "cmd"),
    ("remote \"origin\"", "uploadpack"),
    ("remote \"origin\"", "receivepack"),
    ("uploadpack", "packObjectsHook"),
    ("interactive", "diffFilter"),
    ("difftool \"x\"", "cmd"),
    ("mergetool \"x\"", "cmd"),
    ("browser \"x\"", "cmd"),
    ("hook \"evil\"", "command"),
    ("!alias", "diff"),
    ("!alias", "log"),
    ("!alias", "rev-parse"),
    ("!alias", "evil"),
    ("!submodule \"sub\"", "update"),
];

/// Settings that make git look for programs. `TRAP` stands for one.
const SWITCHES: &str = r#"
[core]
	repositoryformatversion = 1
[extensions]
	worktreeConfig = true
	partialClone = origin
[log]
	showSignature = true
[filter "evil"]
	required = true
[hook "evil"]
	event = post-index-change
	event = pre-commit
[protocol]
	allow = always
[protocol "ext"]
	allow = always
[remote "origin"]
	url = ext::TRAP
	promisor = true
	partialclonefilter = blob:none
[remote "helped"]
	url = x
	vcs = evil
[submodule]
	recurse = true
[submodule "sub"]
	ignore = none
[diff]
	ignoreSubmodules = none
[trailer "one"]
	key = One
	ifmissing = add
[include]
	path = ../included
[includeIf "gitdir:**"]
	path = ../included-by-folder
"#;

/// Other files that hold a filter each: the file, the filter.
const ELSEWHERE: &[(&str, &str)] = &[
    (".git/config.worktree", "worktree"),
    ("included", "included"),
    ("included-by-folder", "byfolder"),
];

/// Attributes of the files that are changed, in `.gitattributes`, which is committed.
const ATTRIBUTES: &str = "evil.py filter=evil diff=evil merge=evil\n\
     driver.py diff=driver\nprocess.py filter=process\nequals.py filter=a=b\n\
     empty.py filter=\ndots.py filter=a.b.c\nletters.py filter=ü\n\
     worktree.py filter=worktree\nincluded.py filter=included\nbyfolder.py filter=byfolder\nperson.py filter=person\n";

/// Files that are changed on the disk.
const FILES: &[&str] = &[
    "evil.py",
    "driver.py",
    "process.py",
    "equals.py",
    "empty.py",
    "dots.py",
    "letters.py",
    "worktree.py",
    "included.py",
    "byfolder.py",
    "person.py",
    "private.py",
];

/// All hooks that git knows.
const HOOKS: &[&str] = &[
    "applypatch-msg",
    "commit-msg",
    "fsmonitor-watchman",
    "p4-changelist",
    "p4-post-changelist",
    "p4-pre-submit",
    "p4-prepare-changelist",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-index-change",
    "post-merge",
    "post-receive",
    "post-rewrite",
    "post-update",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "pre-receive",
    "prepare-commit-msg",
    "proc-receive",
    "push-to-checkout",
    "reference-transaction",
    "sendemail-validate",
    "update",
];

/// Variables of the caller's environment that name a program.
const VARIABLES: &[&str] = &[
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
];

/// Variables that name a file which git writes.
const TRACES: &[&str] = &[
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
];

/// What git runs of all this where nothing is turned off, by name.
const SPRUNG: &[&str] = &[
    "core-fsmonitor",
    "diff-evil-textconv",
    "diff-external",
    "diff-driver-command",
    "gpg-program",
    "filter-evil-clean",
    "filter-evil-smudge",
    "filter-process-process",
    "filter-a-b-clean",
    "filter--clean",
    "filter-a-b-c-clean",
    "filter---clean",
    "filter-worktree-clean",
    "filter-included-clean",
    "filter-byfolder-clean",
    "filter-person-clean",
    "filter-private-clean",
    "filter-sub-clean",
    "filter-nested-clean",
    "filter-bare-clean",
    "sub-fsmonitor",
    "bare-fsmonitor",
    "trailer-one-command",
    "remote-url",
    "alias-evil",
    "core-editor",
    "hook-pre-commit",
    "hook-commit-msg",
    "hook-post-index-change",
    "hook-reference-transaction",
    "hook-template-post-checkout",
    "remote-helper",
    "GIT_EXTERNAL_DIFF",
    "GIT_EDITOR",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
];

struct Hostile {
    place: Place,
    /// `programs/`, `traces/`, `bin/`, `template/`, and a person's configuration.
    beside: tempfile::TempDir,
}

impl Hostile {
    fn new() -> Self {
        let this = Self {
            place: Place::new(),
            beside: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(this.traces()).unwrap();
        fs::write(
            this.person(),
            "[user]\n\tname = a\n\temail = a@example.com\n",
        )
        .unwrap();
        this.history();
        this.plant();
        this
    }

    fn root(&self) -> &Path {
        self.place.path()
    }

    fn traces(&self) -> PathBuf {
        self.beside.path().join("traces")
    }

    /// A person's own configuration.
    fn person(&self) -> PathBuf {
        self.beside.path().join("person")
    }

    /// A program that leaves a trace: its path, which is a command line too.
    fn trap(&self, name: &str) -> String {
        let path = self.beside.path().join("programs").join(name);
        let trace = self.traces().join(name);
        let rest = match name {
            _ if name.starts_with("filter") => "cat",
            _ if name.ends_with("textconv") => "cat \"$1\"",
            _ => ":",
        };
        self.program(
            &path,
            &format!("#!/bin/sh\n: > '{}'\n{rest}\n", trace.display()),
        );
        path.to_str().unwrap().to_owned()
    }

    fn program(&self, path: &Path, script: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, script).unwrap();
        fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// A program by its path that leaves a trace.
    fn hook(&self, path: &Path, name: &str) {
        self.program(path, &format!("#!/bin/sh\n{}\n", self.trap(name)));
    }

    /// git as anybody runs it, with none of what is turned off; it may fail.
    fn plain(&self, folder: &str, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        let path = std::env::var("PATH").unwrap();
        let bin = self.beside.path().join("bin");
        command
            .arg("-C")
            .arg(self.root().join(folder))
            .args(args)
            .env("GIT_CONFIG_GLOBAL", self.person())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("PATH", format!("{}:{path}", bin.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn git(&self, folder: &str, args: &[&str]) -> String {
        let output = self
            .plain(folder, args)
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        assert!(output.status.success(), "{folder} {args:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Three commits, a submodule, a repository within, and a bare one as files of this.
    fn history(&self) {
        let first = "def total(x):\n    return x + 1\n";
        for folder in ["", "sub", "nested"] {
            fs::create_dir_all(self.root().join(folder)).unwrap();
            self.git(folder, &["init", "-q", "-b", "main"]);
            self.place
                .write(format!("{folder}/part.py").trim_start_matches('/'), first);
            self.git(folder, &["add", "part.py"]);
            self.git(folder, &["commit", "-qm", "Begin a part"]);
        }
        self.git("", &["init", "-q", "--bare", "inner"]);
        let _ = fs::remove_dir_all(self.root().join("inner/hooks"));
        self.git("inner", &["config", "core.bare", "false"]);
        self.git("inner", &["config", "core.worktree", "."]);
        self.place.write("inner/deep.py", first);
        self.git("inner", &["--git-dir=.", "add", "deep.py"]);
        self.git("inner", &["--git-dir=.", "commit", "-qm", "Begin deep"]);
        let lost = "def lost(x):\n    return x\n";
        self.place.write("lost.py", lost);
        self.place.write(".gitattributes", ATTRIBUTES);
        let module = "[submodule \"sub\"]\n\tpath = sub\n\turl = ./nowhere\n\tignore = none\n";
        self.place.write(".gitmodules", module);
        for file in FILES {
            self.place.write(file, first);
        }
        self.git(
            "",
            &["add", "sub", "lost.py", ".gitattributes", ".gitmodules"],
        );
        self.git("", &[&["add"][..], FILES].concat());
        self.git("", &["commit", "-qm", "Begin the shop"]);
        self.place.write("lost.py", lost.replace("x\n", "x + 2\n"));
        self.git("", &["commit", "-qam", "Let the total of a cart add two"]);
        self.sign();
        self.place.write("part.py", first.replace("+ 1", "+ 3"));
        self.git("", &["commit", "-qam", "Let the total of a part add three"]);
        // A partial clone has not fetched it.
        let lost = self.git("", &["rev-parse", "HEAD~2:lost.py"]);
        let (folder, file) = lost.split_at(2);
        fs::remove_file(self.root().join(".git/objects").join(folder).join(file)).unwrap();
    }

    /// Gives the last commit a signature, which nobody made.
    fn sign(&self) {
        let commit = self.git("", &["cat-file", "commit", "HEAD"]);
        let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
        let signed = commit.replacen("\n\n", &format!("\n{signature}\n\n"), 1);
        self.place.write(".git/signed", signed);
        let id = self.git("", &["hash-object", "-t", "commit", "-w", ".git/signed"]);
        self.git("", &["update-ref", "HEAD", &id]);
    }

    /// Puts programs wherever one can be named, and changes files so that git has a reason to run them.
    fn plant(&self) {
        let mut config = SWITCHES.replace("TRAP", &self.trap("remote-url"));
        for (section, variable) in PROGRAMS {
            let (mark, section) = match section.strip_prefix('!') {
                Some(section) => ("!", section),
                None => ("", *section),
            };
            let trap = self.trap(&name(&format!("{section}.{variable}")));
            config.push_str(&format!("[{section}]\n\t{variable} = \"{mark}{trap}\"\n"));
        }
        self.add(".git/config", &config);
        let filter = |name: &str| {
            let trap = self.trap(&format!("filter-{name}-clean"));
            format!("[filter \"{name}\"]\n\tclean = {trap}\n")
        };
        for (file, name) in ELSEWHERE {
            self.add(file, &filter(name));
        }
        self.add(".git/config", &filter("private"));
        self.add(".git/info/attributes", "private.py filter=private\n");
        for (folder, name) in [
            ("sub/.git", "sub"),
            ("nested/.git", "nested"),
            ("inner", "bare"),
        ] {
            let watch = format!(
                "[core]\n\tfsmonitor = {}\n",
                self.trap(&format!("{name}-fsmonitor"))
            );
            self.add(&format!("{folder}/config"), &(filter(name) + &watch));
            self.add(
                &format!("{folder}/info/attributes"),
                &format!("*.py filter={name}\n"),
            );
            self.hook(
                &self.root().join(folder).join("hooks/post-index-change"),
                &format!("{name}-hook"),
            );
        }
        for hook in HOOKS {
            self.hook(
                &self.root().join(".git/hooks").join(hook),
                &format!("hook-{hook}"),
            );
            let template = self.beside.path().join("template/hooks").join(hook);
            self.hook(&template, &format!("hook-template-{hook}"));
        }
        self.hook(
            &self.beside.path().join("bin/git-remote-evil"),
            "remote-helper",
        );
        let template = self.beside.path().join("template");
        let person =
            filter("person") + &format!("[init]\n\ttemplateDir = {}\n", template.display());
        fs::write(
            self.person(),
            fs::read_to_string(self.person()).unwrap() + &person,
        )
        .unwrap();
        let last = "def total(x):\n    return x + 12345\n";
        for file in [FILES, &["sub/part.py", "nested/part.py", "inner/deep.py"]].concat() {
            self.place.write(file, last);
        }
        // Of the same length, so that git has to look into it.
        self.place.write("sub/part.py", last.replace("12345", "4"));
    }

    fn add(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, before + text).unwrap();
    }

    /// Gives a program an environment that names others.
    fn surround(&self, command: &mut Command) {
        let path = std::env::var("PATH").unwrap();
        let bin = self.beside.path().join("bin");
        command
            .env("GIT_CONFIG_GLOBAL", self.person())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("GIT_TEMPLATE_DIR", self.beside.path().join("template"))
            .env("GIT_CONFIG_COUNT", "1")
            .env("GIT_CONFIG_KEY_0", "core.fsmonitor")
            .env("GIT_CONFIG_VALUE_0", self.trap("GIT_CONFIG_COUNT"))
            .env(
                "GIT_CONFIG_PARAMETERS",
                format!("'filter.evil.clean={}'", self.trap("GIT_CONFIG_PARAMETERS")),
            )
            .env("GIT_ALLOW_PROTOCOL", "ext:file");
        for name in VARIABLES {
            command.env(name, self.trap(name));
        }
        for name in TRACES {
            command.env(name, self.traces().join(name));
        }
    }

    /// The names of programs that ran, which are forgotten then.
    fn ran(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for entry in fs::read_dir(self.traces()).unwrap() {
            let entry = entry.unwrap();
            fs::remove_file(entry.path()).unwrap();
            found.insert(entry.file_name().into_string().unwrap());
        }
        found
    }

    /// Runs a command of ours; what it printed.
    fn door(&self, args: &[&str], stdin: &str) -> String {
        let mut command = self.place.command(args);
        self.surround(&mut command);
        self.place.write(".git/stdin", stdin);
        let stdin = fs::File::open(self.root().join(".git/stdin")).unwrap();
        let output = command.stdin(stdin).output().unwrap();
        let printed =
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
        let ran = self.ran();
        assert!(ran.is_empty(), "{args:?} ran {ran:?}");
        printed
    }

    /// The same by MCP.
    fn review_by_mcp(&self, mode: &str) -> String {
        use std::io::{BufRead, BufReader, Write};
        let mut command = self.place.command(&["mcp"]);
        self.surround(&mut command);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" } });
        let call = json!({ "name": "codecortex_reviewChanges", "arguments": { "mode": mode } });
        let lines = [
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call }),
        ];
        for line in lines {
            writeln!(stdin, "{line}").unwrap();
        }
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let answer = lines
            .map(Result::unwrap)
            .find(|line| line.contains("\"id\":2"));
        drop(stdin);
        child.wait().unwrap();
        let ran = self.ran();
        assert!(ran.is_empty(), "mcp, {mode}, ran {ran:?}");
        answer.unwrap()
    }
}

/// A setting's name as a file's.
fn name(setting: &str) -> String {
    let plain = setting.replace(" \"", "-").replace("\".", "-");
    let letters = plain
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    letters.collect()
}

#[test]
fn no_command_runs_a_program_that_a_repository_names() {
    let hostile = Hostile::new();
    let index = fs::read(hostile.root().join(".git/index")).unwrap();
    let call = |mode: &str| json!({ "mode": mode }).to_string();
    let review = "codecortex_reviewChanges";
    let changed: &[&[&str]] = &[
        &["review"],
        &["review", "--working"],
        &["review", "--index"],
        &["call", review, "--args", &call("working")],
        &["call", review, "--args", &call("uncommitted")],
    ];
    for args in changed {
        let printed = hostile.door(args, "");
        for file in FILES {
            assert!(printed.contains(file), "{args:?} lacks {file}: {printed}");
        }
    }
    let part = ["review", "--base", "HEAD~1", "--head", "HEAD"];
    assert!(hostile.door(&part, "").contains("part.py"));
    assert!(
        hostile
            .door(&["review", "--base", "HEAD~1"], "")
            .contains("part.py")
    );
    // A version that was not fetched stays away.
    hostile.door(&["review", "--base", "HEAD~2"], "");
    assert!(
        hostile
            .door(&["bench", "--tasks", "1", "--json"], "")
            .contains("\"tasks\":1")
    );
    let others: &[&[&str]] = &[
        &["review", "--staged"],
        &["call", review, "--args", &call("staged")],
        &["call", review, "--args", r#"{"base":"HEAD~1"}"#],
        &["status"],
        &["index"],
        &["search", "total"],
        &["map", "build", "--out", "../map.json"],
        &["changes"],
        &["init"],
        &["changes"],
        &["status"],
        &["context", "--query", "who adds to the total"],
        &["memory", "status"],
    ];
    for args in others {
        hostile.door(args, "");
    }
    let batch = json!({ "id": 1, "tool": review, "args": { "mode": "working" } }).to_string();
    assert!(
        hostile
            .door(&["batch"], &(batch + "\n"))
            .contains("evil.py")
    );
    for mode in ["working", "uncommitted", "staged"] {
        assert!(!hostile.review_by_mcp(mode).is_empty());
    }
    for (folder, is_open) in [("sub", true), ("nested", true), ("inner", false)] {
        for how in [
            &["review", "--working"][..],
            &["review"],
            &["review", "--base", "HEAD"],
        ] {
            let printed = hostile.door(&[how, &["--root", folder]].concat(), "");
            assert_eq!(
                printed.contains("not opened"),
                !is_open,
                "{folder} {how:?}: {printed}"
            );
        }
    }
    assert_eq!(fs::read(hostile.root().join(".git/index")).unwrap(), index);

    let sprung = spring(&hostile);
    let blanks: Vec<&&str> = SPRUNG
        .iter()
        .filter(|name| !sprung.contains(**name))
        .collect();
    assert!(
        blanks.is_empty(),
        "these did not run: {blanks:?}; these did: {sprung:?}"
    );
}

/// Runs git as anybody does; what ran.
fn spring(hostile: &Hostile) -> BTreeSet<String> {
    let mut ran = BTreeSet::new();
    let mut run = |mut command: Command| {
        let _ = command.status().unwrap();
        ran.extend(hostile.ran());
    };
    let surrounded = |args: &[&str]| {
        let mut command = hostile.plain("", args);
        hostile.surround(&mut command);
        command
    };
    run(surrounded(&["diff"]));
    run(surrounded(&["status"]));
    run(surrounded(&["commit", "--amend", "--allow-empty"]));
    let plain: &[(&str, &[&str])] = &[
        ("", &["diff"]),
        ("", &["diff", "--no-ext-diff"]),
        ("", &["-c", "diff.external=", "diff", "driver.py"]),
        ("", &["status"]),
        ("inner", &["diff"]),
        ("nested", &["diff"]),
        ("", &["log", "-2"]),
        ("", &["evil"]),
        ("", &["interpret-trailers", "included"]),
        ("", &["cat-file", "-p", "HEAD~2:lost.py"]),
        ("", &["fetch", "helped"]),
        ("", &["add", "evil.py"]),
        ("", &["commit", "-m", "Change"]),
        ("", &["commit", "--amend"]),
        ("", &["checkout", "HEAD~1", "--", "evil.py"]),
        ("", &["clone", "-q", "nested", "cloned"]),
    ];
    for (folder, args) in plain {
        run(hostile.plain(folder, args));
    }
    ran
}

/// S7: `GIT_DIR` and its like do not lead to another repository.
#[test]
fn variables_lead_to_no_other_repository() {
    let (this, other) = (Place::new(), Place::new());
    for (place, file) in [(&this, "ours.py"), (&other, "theirs.py")] {
        let git = |args: &[&str]| {
            let settings = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
            let mut command = Command::new("git");
            command
                .args(settings)
                .arg("-C")
                .arg(place.path())
                .args(args);
            assert!(command.status().unwrap().success());
        };
        git(&["init", "-q"]);
        place.write(file, "def one(x):\n    return x\n");
        git(&["add", "."]);
        git(&["commit", "-qm", "Begin"]);
        place.write(file, "def one(x):\n    return x + 1\n");
    }
    let repository = other.path().join(".git");
    let variables: &[(&str, PathBuf)] = &[
        ("GIT_DIR", repository.clone()),
        ("GIT_COMMON_DIR", repository.clone()),
        ("GIT_WORK_TREE", other.path().to_owned()),
        ("GIT_INDEX_FILE", repository.join("index")),
        ("GIT_OBJECT_DIRECTORY", repository.join("objects")),
        ("GIT_NAMESPACE", "x".into()),
        ("GIT_PREFIX", "x".into()),
        ("GIT_LITERAL_PATHSPECS", "1".into()),
        ("GIT_SHALLOW_FILE", repository.join("index")),
    ];
    for (name, value) in variables {
        let output = this
            .command(&["review", "--working"])
            .env(name, value)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            printed.contains("ours.py") && !printed.contains("theirs.py"),
            "{name}: {printed}"
        );
    }
}

/// Files that git reads and that are pipes, of which nobody writes, are not waited for.
#[test]
fn pipes_that_a_configuration_names_are_not_waited_for() {
    let place = Place::new();
    let git = |args: &[&str]| {
        let settings = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        let mut command = Command::new("git");
        command
            .args(settings)
            .arg("-C")
            .arg(place.path())
            .args(args);
        assert!(command.status().unwrap().success());
    };
    git(&["init", "-q"]);
    place.write("part.py", "def one(x):\n    return x\n");
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin"]);
    place.write("part.py", "def one(x):\n    return x + 1\n");
    let pipe = place.path().join(".git/pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (key, spelling) in [
        ("core.attributesFile", pipe.to_str().unwrap()),
        ("core.excludesFile", ".git/pipe"),
        ("diff.orderFile", ".git/pipe"),
        ("mailmap.file", ".git/pipe"),
    ] {
        git(&["config", key, spelling]);
    }
    for args in [
        &["review"][..],
        &["review", "--working"],
        &["review", "--base", "HEAD"],
        &["status"],
    ] {
        let run = place.run(args);
        let is_told = run.stdout.contains("did not end") || run.stderr.contains("did not end");
        assert!(!is_told, "{args:?}: {}{}", run.stdout, run.stderr);
    }
    assert!(place.run(&["review"]).stdout.contains("part.py"));
}
