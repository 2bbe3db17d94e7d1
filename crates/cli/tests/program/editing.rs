//! Edits of files on the disk by the real program (SPEC LC4).

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::{Place, Talk};

fn call(place: &Place, tool: &str, args: &Value) -> Value {
    place
        .run(&["call", tool, "--args", &args.to_string(), "--apply"])
        .json()
}

/// A version is the same in the next process, and an edit that is based on it is on the disk.
#[test]
fn a_version_outlives_the_process_that_gave_it() {
    let place = Place::new();
    let path = place.write("a.py", "x = 1\r\ny = 2\r\n");
    let live = call(
        &place,
        "codecortex_getLiveContext",
        &json!({ "filePath": "a.py" }),
    );
    let base = &live["data"]["current_document"]["versionId"];
    let edits = json!({ "edits": [{
        "filePath": "a.py", "baseVersion": base, "changes": [{ "oldText": "y = 2", "newText": "y = 3\nz = 4" }],
    }] });
    let done = call(&place, "codecortex_applyEdit", &edits);
    assert_eq!(done["ok"], true, "{done}");
    assert_eq!(
        std::fs::read_to_string(&path).unwrap(),
        "x = 1\r\ny = 3\r\nz = 4\r\n"
    );
    let again = call(&place, "codecortex_applyEdit", &edits);
    assert_eq!(again["error"]["code"], "VersionConflict");
    let found = call(
        &place,
        "codecortex_searchApi",
        &json!({ "labelQuery": "z" }),
    );
    assert_eq!(found["data"]["total"], 1, "{found}");
}

/// A door that calls tools, and what it answers to an edit.
fn answers(place: &Place, options: &[&str], edits: &Value) -> Vec<Value> {
    let with = |command: &[&str]| {
        [command, options]
            .concat()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    let args = edits.to_string();
    let call = with(&["call", "codecortex_applyEdit", "--apply", "--args", &args]);
    let call: Vec<&str> = call.iter().map(String::as_str).collect();
    let batch = with(&["batch", "--apply"]);
    let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
    let line = json!({ "id": 1, "tool": "codecortex_applyEdit", "args": edits }).to_string();
    let batch: Value =
        serde_json::from_str(&place.run_with(&batch, line.as_bytes()).stdout).unwrap();
    let mcp = [&["--root", "."], options].concat();
    let mut session = Session::start(place, &mcp);
    let mcp = session.call_twice("codecortex_applyEdit", edits)["structuredContent"].clone();
    vec![place.run(&call).json(), batch["result"].clone(), mcp]
}

/// What other programs run because of its name is not written without a person's yes, through any door (S7).
#[test]
fn hidden_files_take_a_persons_yes() {
    let place = Place::new();
    place.write("a.py", "x = 1\n");
    place.write(".vscode/settings.json", "{}\n");
    let make = |path: &str| {
        json!({ "edits": [{
            "filePath": path, "baseVersion": "new", "changes": [{ "newText": "touch pwned\n" }],
        }] })
    };
    for path in [
        ".envrc",
        ".gitmodules",
        ".vscode/tasks.json",
        "\u{200b}.envrc",
    ] {
        for answer in answers(&place, &[], &make(path)) {
            assert_eq!(answer["error"]["code"], "AccessDenied", "{path}: {answer}");
            let hint = answer["error"]["hint"].as_str().unwrap();
            assert!(hint.contains("--edit-hidden"), "{hint}");
        }
        assert!(!place.path().join(path).exists(), "{path}");
    }
    let made = answers(&place, &["--edit-hidden"], &make(".envrc"));
    let count = |is: fn(&&Value) -> bool| made.iter().filter(is).count();
    // One of them made it, and the others see that.
    assert_eq!(count(|answer| answer["ok"] == true), 1, "{made:?}");
    assert_eq!(
        count(|answer| answer["error"]["code"] == "VersionConflict"),
        2,
        "{made:?}"
    );
    // No yes opens what git and the tool itself keep.
    for path in [
        ".git/config",
        ".GIT/config",
        "git~1/config",
        ".context/config.json",
    ] {
        std::fs::create_dir_all(place.path().join(path).parent().unwrap()).unwrap();
        for answer in answers(&place, &["--edit-hidden"], &make(path)) {
            assert_eq!(answer["ok"], false, "{path}: {answer}");
        }
        assert!(!place.path().join(path).exists(), "{path}");
    }
}

/// The lock and the journal lie in a folder that is the user's alone; nothing goes to the shared temporary folder (S7).
#[test]
fn an_edit_leaves_nothing_but_the_edited_file() {
    let place = Place::new();
    let path = place.write("a.py", "x = 1\n");
    let temporary = tempfile::tempdir().unwrap();
    let live = call(
        &place,
        "codecortex_getLiveContext",
        &json!({ "filePath": "a.py" }),
    );
    let edits = json!({ "edits": [{
        "filePath": "a.py", "baseVersion": live["data"]["current_document"]["versionId"],
        "changes": [{ "oldText": "1", "newText": "2" }],
    }] });
    let output = place
        .command(&[
            "call",
            "codecortex_applyEdit",
            "--apply",
            "--args",
            &edits.to_string(),
        ])
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(std::fs::read_to_string(path).unwrap(), "x = 2\n");
    let count = |folder: &std::path::Path| std::fs::read_dir(folder).unwrap().count();
    assert_eq!((count(temporary.path()), count(&place.edits())), (0, 0));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(place.edits())
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

/// A place for the journal that cannot be written is a reason, not a silent edit without one (K1).
#[test]
fn an_edit_without_its_journal_fails() {
    let place = Place::new();
    let path = place.write("a.py", "x = 1\n");
    std::fs::create_dir_all(place.edits().parent().unwrap()).unwrap();
    std::fs::write(place.edits(), "no folder").unwrap();
    let live = call(
        &place,
        "codecortex_getLiveContext",
        &json!({ "filePath": "a.py" }),
    );
    let edits = json!({ "edits": [{
        "filePath": "a.py", "baseVersion": live["data"]["current_document"]["versionId"],
        "changes": [{ "oldText": "1", "newText": "2" }],
    }] });
    let answer = call(&place, "codecortex_applyEdit", &edits);
    assert_eq!(answer["error"]["code"], "Unavailable", "{answer}");
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.contains("edits: it is not a folder"), "{message}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "x = 1\n");
}

mod killed {
    //! The real program is killed at any moment of an edit of 12 files, through every door that edits: after the next
    //! start all files are as before or as after, and nothing is left behind (K1).

    use std::path::Path;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::killing::{Moments, kill_at, kills};

    const FILES: usize = 12;
    const KILLS: usize = 30;

    fn name(file: usize) -> String {
        format!("f{file:02}.py")
    }

    fn text(round: usize, file: usize) -> String {
        format!("value_{file} = {round}\n")
    }

    /// Names in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != ".context")
            .collect();
        names.sort_unstable();
        names
    }

    /// The edit of all files that leads from what is there to a round's text.
    fn edits(place: &Place, round: usize) -> Value {
        let ask = |file| {
            json!({ "tool": "codecortex_getLiveContext", "args": { "filePath": name(file) } })
                .to_string()
        };
        let asked: Vec<String> = (0..FILES).map(ask).collect();
        let answers = place.batch(&asked.join("\n"));
        let edits = answers.iter().enumerate().map(|(file, answer)| {
            let now = &answer["result"]["data"]["current_document"];
            json!({
                "filePath": name(file),
                "baseVersion": now["versionId"],
                "changes": [{ "oldText": now["text"], "newText": text(round, file) }],
            })
        });
        json!({ "edits": edits.collect::<Vec<Value>>() })
    }

    /// Has the program begin an edit in its own way, and gives it to kill.
    trait Door {
        fn begin(&self, place: &Place, edits: &Value) -> Running;
    }

    enum Running {
        Child(std::process::Child),
        Talk(Box<Talk>),
    }

    impl Running {
        fn child(&mut self) -> &mut std::process::Child {
            match self {
                Self::Child(child) => child,
                Self::Talk(talk) => talk.child(),
            }
        }
    }

    struct Call;
    impl Door for Call {
        fn begin(&self, place: &Place, edits: &Value) -> Running {
            let args = edits.to_string();
            let mut command =
                place.command(&["call", "codecortex_applyEdit", "--apply", "--args", &args]);
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            Running::Child(command.spawn().unwrap())
        }
    }

    struct Batch;
    impl Door for Batch {
        fn begin(&self, place: &Place, edits: &Value) -> Running {
            let mut talk = place.talk(&["batch", "--apply"]);
            let line = json!({ "id": 1, "tool": "codecortex_applyEdit", "args": edits });
            talk.say(&line.to_string());
            Running::Talk(Box::new(talk))
        }
    }

    struct Mcp;
    impl Door for Mcp {
        fn begin(&self, place: &Place, edits: &Value) -> Running {
            let mut session = Session::start(place, &["--root", "."]);
            let plan = session.call("codecortex_applyEdit", edits);
            let mut edits = edits.clone();
            edits["planId"] = plan["structuredContent"]["data"]["planId"].clone();
            let call = json!({ "name": "codecortex_applyEdit", "arguments": edits });
            session.ask("tools/call", &call);
            Running::Talk(Box::new(session.into_talk()))
        }
    }

    /// Kills processes at work.
    #[allow(
        clippy::print_stdout,
        reason = "how many kills struck is for who raised their number"
    )]
    fn kill_through(door: &impl Door) {
        let place = Place::new();
        let files = (0..FILES).map(|file| place.write(&name(file), text(0, file)));
        let files: Vec<_> = files.collect();
        let is_at_work = || !names(&place.edits()).is_empty();
        // How long an edit takes here.
        let mut running = door.begin(&place, &edits(&place, 1));
        let wait = Instant::now();
        let is_done = || std::fs::read_to_string(&files[0]).is_ok_and(|now| now != text(0, 0));
        while !is_at_work() && !is_done() {
            assert!(
                wait.elapsed() < Duration::from_secs(60),
                "the edit does not begin"
            );
        }
        let begun = Instant::now();
        while is_at_work() && begun.elapsed() < Duration::from_secs(60) {}
        let mut moments =
            Moments::up_to(begun.elapsed().mul_f64(1.2).max(Duration::from_millis(20)));
        let _ = running.child().kill();
        running.child().wait().unwrap();
        let (mut left, mut done) = (0, 0);
        for round in 2..kills(KILLS) + 2 {
            let before: Vec<String> = files
                .iter()
                .map(|path| std::fs::read_to_string(path).unwrap())
                .collect();
            let mut running = door.begin(&place, &edits(&place, round));
            // It may be at work for less than one look takes.
            let is_done = || std::fs::read_to_string(&files[0]).is_ok_and(|text| text != before[0]);
            kill_at(
                running.child(),
                || is_at_work() || is_done(),
                moments.next(),
            );
            left += usize::from(is_at_work());
            let status = place.run(&["status"]);
            assert_eq!(status.code, Some(0), "{}", status.stderr);
            let after: Vec<String> = files
                .iter()
                .map(|path| std::fs::read_to_string(path).unwrap())
                .collect();
            let wanted: Vec<String> = (0..FILES).map(|file| text(round, file)).collect();
            assert!(after == before || after == wanted, "{round}: {after:?}");
            done += usize::from(after == wanted);
            assert_eq!(
                names(place.path()),
                (0..FILES).map(name).collect::<Vec<_>>()
            );
            assert_eq!(names(&place.edits()), [""; 0], "{round}");
        }
        println!("{left} kills left something to end; {done} edits were done in the end");
    }

    #[test]
    fn a_killed_call_edits_all_files_or_none() {
        kill_through(&Call);
    }

    #[test]
    fn a_killed_batch_edits_all_files_or_none() {
        kill_through(&Batch);
    }

    #[test]
    fn a_killed_mcp_server_edits_all_files_or_none() {
        kill_through(&Mcp);
    }
}

/// Without `--apply` no tool changes a file: the plan is the answer, and its form is that of a dry run (SPEC D28).
#[test]
fn a_call_changes_nothing_without_a_persons_yes() {
    let place = Place::new();
    let edits = json!({ "dryRun": false, "edits": [
        { "filePath": "a.py", "baseVersion": "new", "changes": [{ "newText": "x = 1\n" }] },
    ] })
    .to_string();
    let plan = place.run(&["call", "codecortex_applyEdit", "--args", &edits]);
    assert_eq!(plan.code, Some(0), "{}", plan.stdout);
    let answer = plan.json();
    assert_eq!(answer["data"]["applied"], false, "{answer}");
    assert!(
        answer["data"]["files"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+x = 1")
    );
    assert!(plan.stderr.contains("--apply"), "{}", plan.stderr);
    assert!(!place.path().join("a.py").exists());
    let done = place.run(&["call", "codecortex_applyEdit", "--apply", "--args", &edits]);
    assert_eq!(done.json()["data"]["applied"], true, "{}", done.stdout);

    // A tool that plans first needs one call, too.
    let rename = json!({ "action": "rename", "symbol": "x", "newName": "y" }).to_string();
    let plan = place.run(&["call", "codecortex_refactor", "--args", &rename]);
    assert_eq!(plan.json()["data"]["applied"], false, "{}", plan.stdout);
    let done = place.run(&["call", "codecortex_refactor", "--apply", "--args", &rename]);
    assert_eq!(done.json()["data"]["applied"], true, "{}", done.stdout);
    let text = std::fs::read_to_string(place.path().join("a.py")).unwrap();
    assert_eq!(text, "y = 1\n");
}
