//! What of this program itself can fail: the folder of caches, and the index of the current folder.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use codecortex_engine::protocol::counts::counted;
use codecortex_host::cache_folder;
use serde_json::Value;

use super::{Finding, VERSION};

/// Between two looks at whether the index is there.
const LOOK: Duration = Duration::from_millis(10);

pub(super) fn findings(wait: Duration) -> Vec<Finding> {
    vec![program(), cache(), index(wait)]
}

fn program() -> Finding {
    let path = std::env::current_exe().map(|path| path.display().to_string());
    Finding::passed(
        "codecortex",
        format!("version {VERSION}, {}", path.unwrap_or_default()),
    )
}

/// Whether the cache can be written: without one every start reads everything.
fn cache() -> Finding {
    let Some(folder) = cache_folder() else {
        return Finding::failed("cache", "this system has no folder for caches")
            .mend("set HOME or XDG_CACHE_HOME".to_owned());
    };
    let made = std::fs::create_dir_all(&folder);
    let written = made.and_then(|()| tempfile::tempfile_in(&folder));
    match written {
        Ok(_) => Finding::passed("cache", format!("{} can be written", folder.display())),
        Err(error) => {
            let what = format!("{} cannot be written: {error}", folder.display());
            Finding::failed("cache", what)
                .mend("make it writable, or name another by XDG_CACHE_HOME".to_owned())
        }
    }
}

/// The index of the current folder, by a process of its own: it has a time limit, and what it does cannot end this one.
fn index(wait: Duration) -> Finding {
    let what = "index of the current folder";
    let failed = |told: String| Finding::failed(what, told);
    let by_hand = || "run `codecortex status` in this folder".to_owned();
    let Ok(program) = std::env::current_exe() else {
        return failed("the path of this program is not known".to_owned()).mend(by_hand());
    };
    let mut command = Command::new(program);
    command.args([
        "call",
        "codecortex_status",
        "--format",
        "json",
        "--no-telemetry",
    ]);
    let answer = match tempfile::tempfile() {
        Ok(file) => file,
        Err(error) => return failed(format!("no temporary file can be written: {error}")),
    };
    let stdout = match answer.try_clone() {
        Ok(file) => file,
        Err(error) => return failed(error.to_string()),
    };
    let mut child = match command
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::null())
        .spawn()
    {
        Ok(child) => child,
        Err(error) => return failed(format!("it cannot be asked: {error}")).mend(by_hand()),
    };
    let until = Instant::now() + wait;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(Some(_)) => return of_answer(what, answer),
            Ok(None) => std::thread::sleep(LOOK),
            Err(error) => return failed(error.to_string()),
        }
    }
    // By its own id. What it has read is read again by the next one.
    let _ = child.kill();
    let _ = child.wait();
    Finding::passed(what, format!("not read in {} s", wait.as_secs()))
        .mend("give it longer by --wait; `codecortex index` shows how far it is".to_owned())
}

fn of_answer(what: &str, mut file: std::fs::File) -> Finding {
    use std::io::{Read, Seek};
    let mut text = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    let answer: Value = serde_json::from_str(text.trim()).unwrap_or_default();
    if answer["ok"] == Value::Bool(true) {
        let count = |key: &str| answer["data"][key].as_u64().unwrap_or_default();
        let (files, symbols) = (count("files"), count("symbols"));
        let told = format!("{}, {}", counted(files, "file"), counted(symbols, "symbol"));
        return Finding::passed(what, told);
    }
    let told = answer["error"]["message"]
        .as_str()
        .unwrap_or("it does not answer");
    let hint = answer["error"]["hint"]
        .as_str()
        .unwrap_or("run `codecortex status` in this folder");
    Finding::failed(what, told.trim_end_matches('.')).mend(hint.trim_end_matches('.').to_owned())
}
