//! Workspaces on a real disk: what is read when, what is kept, what is noticed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant, SystemTime};

use codecortex_engine::protocol::Answer;
use codecortex_engine::protocol::Caller;
use codecortex_engine::protocol::Phase;
use codecortex_host::{HostWorkspace, Options, Service, resolve_roots};
use serde_json::{Value, json};

struct Place {
    root: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            cache: tempfile::tempdir().unwrap(),
        }
    }

    /// Writes a file that is old enough to be believed.
    fn write(&self, path: &str, content: &str) -> PathBuf {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        let minute = Duration::from_secs(60);
        file.set_modified(SystemTime::now() - minute).unwrap();
        path
    }

    fn options(&self) -> Options {
        Options {
            roots: resolve_roots(&[self.root.path().to_owned()]).unwrap(),
            cache_folder: Some(self.cache.path().to_owned()),
            state_folder: Some(self.cache.path().join("state")),
            trust_contexts: true,
            ..Options::default()
        }
    }

    fn open_with(&self, watch: bool) -> HostWorkspace {
        let options = self.options();
        let mut workspace = HostWorkspace::open(Options { watch, ..options });
        workspace.run_until_ready();
        workspace
    }

    fn open(&self) -> HostWorkspace {
        let mut workspace = HostWorkspace::open(self.options());
        workspace.run_until_ready();
        workspace
    }

    fn caches(&self) -> usize {
        let is_file = |path: &Path| path.is_file();
        let entries = std::fs::read_dir(self.cache.path()).unwrap();
        entries
            .filter(|entry| is_file(&entry.as_ref().unwrap().path()))
            .count()
    }
}

fn total(answer: &Answer) -> u64 {
    let envelope: Value = serde_json::from_str(answer.json.as_ref().unwrap()).unwrap();
    envelope["data"]["total"].as_u64().unwrap()
}

fn find(workspace: &mut HostWorkspace, name: &str) -> u64 {
    let args = json!({ "labelQuery": name });
    total(&workspace.call("codecortex_searchApi", args, Caller::default()))
}

#[test]
fn without_a_watcher_a_refresh_looks_anew() {
    let place = Place::new();
    let file = place.write("a/b/one.py", "class Alpha:\n    pass\n");
    let mut workspace = place.open();
    assert_eq!(find(&mut workspace, "Alpha"), 1);
    place.write("a/new/two.py", "class Beta:\n    pass\n");
    assert_eq!(find(&mut workspace, "Beta"), 0);
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Beta"), 1);
    std::fs::write(&file, "class Gamma:\n    pass\n").unwrap();
    workspace.refresh();
    assert_eq!(
        (find(&mut workspace, "Alpha"), find(&mut workspace, "Gamma")),
        (0, 1)
    );
    std::fs::remove_dir_all(place.root.path().join("a/b")).unwrap();
    workspace.refresh();
    assert_eq!(
        (find(&mut workspace, "Gamma"), find(&mut workspace, "Beta")),
        (0, 1)
    );
    let revision = workspace.state().revision;
    workspace.refresh();
    assert_eq!(workspace.state().revision, revision);
}

#[test]
fn a_file_that_becomes_a_folder_and_back_leaves_nothing_behind() {
    let place = Place::new();
    let path = place.write("same.py", "class Alpha:\n    pass\n");
    let mut workspace = place.open();
    assert_eq!(find(&mut workspace, "Alpha"), 1);
    std::fs::remove_file(&path).unwrap();
    let inner = place.write("same.py/inner.py", "class Beta:\n    pass\n");
    workspace.refresh();
    let both = |workspace: &mut HostWorkspace| (find(workspace, "Alpha"), find(workspace, "Beta"));
    assert_eq!(both(&mut workspace), (0, 1));
    std::fs::remove_dir_all(inner.parent().unwrap()).unwrap();
    place.write("same.py", "class Alpha:\n    pass\n");
    workspace.refresh();
    assert_eq!(both(&mut workspace), (1, 0));
}

#[test]
fn a_root_that_is_gone_is_told_of_and_found_again() {
    for watch in [false, true] {
        let place = Place::new();
        place.write("a/one.py", "class Alpha:\n    pass\n");
        let mut workspace = place.open_with(watch);
        let lost = |workspace: &mut HostWorkspace, tool: &str, args: Value| {
            let answer = workspace.call(tool, args, Caller::default());
            let envelope: Value = serde_json::from_str(&answer.json.unwrap()).unwrap();
            let index = &envelope["data"]["index"]["unreadableRoots"];
            let details = &envelope["error"]["details"]["unreadableRoots"];
            let named = [index, details].into_iter().filter_map(Value::as_array);
            named.map(Vec::len).sum::<usize>()
        };
        let search = || json!({ "labelQuery": "Alpha" });
        assert_eq!(find(&mut workspace, "Alpha"), 1);
        assert_eq!(lost(&mut workspace, "codecortex_searchApi", search()), 0);
        let (root, aside) = (place.root.path(), place.root.path().with_extension("aside"));
        std::fs::rename(root, &aside).unwrap();
        std::fs::remove_dir_all(&aside).unwrap();
        workspace.refresh();
        assert_eq!(find(&mut workspace, "Alpha"), 0);
        assert_eq!(lost(&mut workspace, "codecortex_searchApi", search()), 1);
        let outline = || json!({ "symbol": "Alpha" });
        assert_eq!(lost(&mut workspace, "codecortex_getOutline", outline()), 1);
        place.write("a/one.py", "class Alpha:\n    pass\n");
        workspace.refresh();
        assert_eq!(find(&mut workspace, "Alpha"), 1);
        assert_eq!(lost(&mut workspace, "codecortex_searchApi", search()), 0);
        // And is followed again.
        place.write("a/two.py", "class Beta:\n    pass\n");
        workspace.refresh();
        assert_eq!(find(&mut workspace, "Beta"), 1);
    }
}

#[test]
fn the_cache_is_written_when_it_is_worth_it() {
    let place = Place::new();
    for file in 0..100 {
        let body = "def f(x):\n    return x\n".repeat(50);
        place.write(&format!("f{file}.py"), &body);
    }
    let mut workspace = place.open();
    assert_eq!((workspace.stats().files_read, place.caches()), (100, 0));
    workspace.save_if_worthwhile();
    assert_eq!(place.caches(), 1);

    // One small file is sooner read again than the whole cache is written.
    place.write("f0.py", "class Alpha:\n    pass\n");
    let mut second = place.open();
    assert_eq!(
        (second.stats().files_read, find(&mut second, "Alpha")),
        (1, 1)
    );
    second.save_if_worthwhile();
    assert_eq!(place.open().stats().files_read, 1);
    second.save();
    assert_eq!(place.open().stats().files_read, 0);
}

#[test]
fn a_service_waits_for_the_index_and_follows_the_disk() {
    let place = Place::new();
    for file in 0..200 {
        place.write(
            &format!("f{file}.py"),
            &"def f(x):\n    return x\n".repeat(200),
        );
    }
    place.write("z.py", "class Alpha:\n    pass\n");
    let (phases, seen) = channel();
    let options = Options {
        watch: true,
        ..place.options()
    };
    let service = Service::start(
        options,
        move |state| drop(phases.send(state.clone())),
        || {},
    )
    .unwrap();
    let find = |name: &str| {
        let (sender, answer) = channel();
        let args = json!({ "labelQuery": name });
        service.call(
            "codecortex_searchApi",
            args,
            Caller::default(),
            move |answer| {
                drop(sender.send(answer));
            },
        );
        total(&answer.recv_timeout(Duration::from_secs(60)).unwrap())
    };
    assert_eq!(find("Alpha"), 1);
    assert!(seen.try_iter().any(|state| state.phase == Phase::Indexing));

    // Nobody asks, and it is taken in nevertheless.
    place.write("y.py", "class Beta:\n    pass\n");
    let deadline = Instant::now() + Duration::from_secs(20);
    let is_in = || {
        seen.try_iter()
            .any(|state| state.files == 202 && state.phase == Phase::Ready)
    };
    while !is_in() {
        assert!(Instant::now() < deadline, "the new file was not noticed");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(find("Beta"), 1);
    assert!(service.stop(Instant::now() + Duration::from_secs(10)));
}

#[test]
fn a_call_that_is_given_up_is_not_answered() {
    let place = Place::new();
    for file in 0..100 {
        place.write(
            &format!("f{file}.py"),
            &"def f(x):\n    return x\n".repeat(400),
        );
    }
    let service = Service::start(place.options(), |_| {}, || {}).unwrap();
    let (sender, answers) = channel();
    let call = |label: &'static str| {
        let sender = sender.clone();
        service.call(
            "codecortex_status",
            json!({}),
            Caller::default(),
            move |_| {
                let _ = sender.send(label);
            },
        )
    };
    call("first").cancel();
    call("second");
    assert_eq!(answers.recv_timeout(Duration::from_secs(60)), Ok("second"));
    drop(service);
    assert!(answers.try_recv().is_err());
}

#[test]
fn a_service_rests_once_after_each_work() {
    let place = Place::new();
    place.write("a.py", "def f(): pass\n");
    let (rests, rested) = channel();
    // Those who read files are told as well.
    let on_rest = move || {
        if std::thread::current().name() == Some("engine") {
            rests.send(()).unwrap();
        }
    };
    let service = Service::start(place.options(), |_| {}, on_rest).unwrap();
    let patience = Duration::from_secs(60);
    rested.recv_timeout(patience).unwrap();
    let (sender, answers) = channel();
    service.call(
        "codecortex_status",
        json!({}),
        Caller::default(),
        move |_| {
            let _ = sender.send(());
        },
    );
    answers.recv_timeout(patience).unwrap();
    rested.recv_timeout(patience).unwrap();
    // Nothing more is done, so nobody rests again before the service ends.
    drop(service);
    assert!(rested.try_recv().is_err());
}
