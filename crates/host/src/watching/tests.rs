use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::time::SystemTime;

use codecortex_engine::protocol::{Answer, Caller};
use serde_json::{Value, json};

use super::*;
use crate::{HostWorkspace, Options, resolve_roots};

#[test]
fn a_path_says_something_of_its_folder_and_of_what_is_below_it() {
    assert!(concerns("/r/a/b.py", "/r/a"));
    assert!(concerns("/r/a", "/r/a"));
    assert!(concerns("/r/a", "/r/a/b/c"));
    assert!(!concerns("/r/a/b/c.py", "/r/a"));
    assert!(!concerns("/r/ab", "/r/a/c"));
    assert!(!concerns("/r/a-b/c.py", "/r/a"));
}

struct WatchFixture {
    root: tempfile::TempDir,
    cache: tempfile::TempDir,
}

impl WatchFixture {
    fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            cache: tempfile::tempdir().unwrap(),
        }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn write(&self, path: &str, class: &str) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("class {class}:\n    pass\n")).unwrap();
        path
    }

    fn open(&self, watch: bool) -> HostWorkspace {
        let mut workspace = HostWorkspace::open(Options {
            roots: resolve_roots(&[self.root.path().to_owned()]).unwrap(),
            cache_folder: Some(self.cache.path().to_owned()),
            watch,
            ..Options::default()
        });
        workspace.run_until_ready();
        workspace
    }
}

fn data(answer: &Answer) -> Value {
    let envelope: Value = serde_json::from_str(answer.json.as_ref().unwrap()).unwrap();
    envelope["data"].clone()
}

fn find(workspace: &mut HostWorkspace, name: &str) -> u64 {
    let args = json!({ "labelQuery": name });
    let answer = workspace.call("codecortex_searchApi", args, Caller::default());
    data(&answer)["total"].as_u64().unwrap()
}

/// What `codecortex_status` says of why folders are listed to find changes.
fn unwatched(workspace: &mut HostWorkspace) -> Option<String> {
    let answer = workspace.call("codecortex_status", json!({}), Caller::default());
    data(&answer)["unwatched"].as_str().map(str::to_owned)
}

/// What is asked after a change knows of it though nothing is listed: the watcher tells.
fn is_followed(place: &WatchFixture, workspace: &mut HostWorkspace, number: usize) -> bool {
    let name = format!("Fresh{number}x");
    let path = place.write("fresh.py", &name);
    let Settled::Paths(paths) = workspace.watching.settled_changes() else {
        return false;
    };
    workspace.changed(paths);
    workspace.run_until_ready();
    let is_there = find(workspace, &name) == 1;
    fs::remove_file(path).unwrap();
    workspace.refresh();
    is_there && find(workspace, &name) == 0
}

/// Folders that come and go are told of by those above them; a check finds nothing that nobody told of.
#[test]
fn folders_that_come_and_go_do_not_cost_the_watcher() {
    let place = WatchFixture::new();
    let at = |path: &str| place.at(path);
    let rename = |from: &str, to: &str| fs::rename(at(from), at(to)).unwrap();
    place.write("one.py", "Alpha");
    place.write("deep/a/b/c/d/two.py", "Beta");
    let mut workspace = place.open(true);
    let steps: [(&str, &dyn Fn()); 13] = [
        ("made", &|| fs::create_dir(at("x")).unwrap()),
        ("removed", &|| fs::remove_dir(at("x")).unwrap()),
        ("made and removed", &|| {
            fs::create_dir(at("y")).unwrap();
            fs::remove_dir(at("y")).unwrap();
        }),
        ("renamed", &|| rename("deep/a", "deep/z")),
        ("renamed back", &|| rename("deep/z", "deep/a")),
        ("a tree moved", &|| rename("deep", "other")),
        ("another in its place", &|| {
            place.write("deep/a/b/c/d/two.py", "Gamma");
        }),
        ("a tree removed", &|| {
            fs::remove_dir_all(at("other")).unwrap()
        }),
        ("a tree made and removed", &|| {
            fs::create_dir_all(at("q/w/e/r")).unwrap();
            fs::remove_dir_all(at("q")).unwrap();
        }),
        ("removed and made", &|| {
            fs::remove_dir_all(at("deep")).unwrap();
            place.write("deep/a/b/c/d/two.py", "Delta");
        }),
        ("a file in a folder's place", &|| {
            fs::remove_dir_all(at("deep/a/b/c")).unwrap();
            fs::write(at("deep/a/b/c"), "no folder\n").unwrap();
        }),
        ("a folder in a file's place", &|| {
            fs::remove_file(at("deep/a/b/c")).unwrap();
            place.write("deep/a/b/c/d/two.py", "Beta");
        }),
        ("a link to a file", &|| {
            fs::hard_link(at("one.py"), at("same.txt")).unwrap();
        }),
    ];
    for (number, (what, step)) in steps.into_iter().enumerate() {
        step();
        workspace.refresh();
        workspace.check_watcher();
        workspace.run_until_ready();
        workspace.refresh();
        assert_eq!(unwatched(&mut workspace), None, "{what}");
        assert!(is_followed(&place, &mut workspace, number), "{what}");
    }
    let found = ["Alpha", "Beta", "Gamma", "Delta"].map(|name| find(&mut workspace, name));
    assert_eq!(found, [1, 1, 0, 0]);
}

/// What happens between two listings of a check is told of, and nothing else is held against the watcher.
#[test]
fn a_change_during_a_check_does_not_cost_the_watcher() {
    let place = WatchFixture::new();
    place.write("a/one.py", "Alpha");
    place.write("b/two.py", "Beta");
    let mut workspace = place.open(true);
    place.write("a/one.py", "Gamma");
    fs::remove_dir_all(place.at("b")).unwrap();
    // Nobody took the notices yet.
    workspace.check_watcher();
    workspace.run_until_ready();
    workspace.refresh();
    assert_eq!(unwatched(&mut workspace), None);
    let found = ["Alpha", "Beta", "Gamma"].map(|name| find(&mut workspace, name));
    assert_eq!(found, [0, 0, 1]);
}

#[test]
fn a_root_that_goes_and_comes_back_does_not_cost_the_watcher() {
    let place = WatchFixture::new();
    let root = place.at("project");
    place.write("project/a/b/one.py", "Alpha");
    let mut workspace = HostWorkspace::open(Options {
        roots: resolve_roots(std::slice::from_ref(&root)).unwrap(),
        cache_folder: Some(place.cache.path().to_owned()),
        watch: true,
        ..Options::default()
    });
    workspace.run_until_ready();
    for _ in 0..2 {
        fs::rename(&root, place.at("aside")).unwrap();
        workspace.refresh();
        workspace.check_watcher();
        assert_eq!(find(&mut workspace, "Alpha"), 0);
        fs::rename(place.at("aside"), &root).unwrap();
        workspace.refresh();
        workspace.check_watcher();
        workspace.run_until_ready();
        workspace.refresh();
        assert_eq!(
            (find(&mut workspace, "Alpha"), unwatched(&mut workspace)),
            (1, None)
        );
        // Below it too.
        place.write("project/a/b/two.py", "Beta");
        let Settled::Paths(paths) = workspace.watching.settled_changes() else {
            panic!("the watcher is gone");
        };
        workspace.changed(paths);
        workspace.run_until_ready();
        assert_eq!(find(&mut workspace, "Beta"), 1);
        fs::remove_file(place.at("project/a/b/two.py")).unwrap();
        workspace.refresh();
    }
}

/// A watcher that is deaf is given up, status says so, answers are right without it, and another one is tried.
#[test]
fn a_disk_that_does_not_tell_is_listed_until_it_does() {
    let place = WatchFixture::new();
    place.write("a/one.py", "Alpha");
    let mut workspace = place.open(true);
    let (sender, told) = channel();
    workspace.on_disk_change(Arc::new(move || {
        let _ = sender.send(());
    }));
    let folder = place.at("a").canonicalize().unwrap();
    let watcher = workspace.watching.watcher.as_mut().unwrap();
    watcher.forget(&folder);
    place.write("a/two.py", "Beta");
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Beta"), 0, "nobody told");
    workspace.check_watcher();
    workspace.run_until_ready();
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Beta"), 1);
    let why = unwatched(&mut workspace);
    assert_eq!(why.as_deref(), Some("This disk did not report a change."));
    place.write("a/three.py", "Gamma");
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Gamma"), 1);
    // What nobody asks for is looked at now and then.
    let (quiet, most) = (Duration::ZERO, Duration::ZERO);
    let wait = workspace.quiet_changes(quiet, most);
    assert!(matches!(wait, QuietChanges::In(_)), "{wait:?}");
    workspace.watching.checked -= LOOK_EVERY;
    assert_eq!(workspace.quiet_changes(quiet, most), QuietChanges::Unknown);
    place.write("a/four.py", "Delta");
    workspace.look_anew();
    workspace.run_until_ready();
    assert_eq!(find(&mut workspace, "Delta"), 1);
    // It is time for another.
    assert_eq!(workspace.watching.retry.0, FIRST_RETRY);
    workspace.watching.retry.1 -= FIRST_RETRY;
    while told.try_recv().is_ok() {}
    workspace.refresh();
    assert_eq!(unwatched(&mut workspace), None);
    assert_eq!(workspace.watching.retry.0, FIRST_RETRY * 2);
    assert!(is_followed(&place, &mut workspace, 0));
    told.recv_timeout(Duration::from_secs(30)).unwrap();
}

#[test]
fn watches_that_run_out_are_told_of_and_tried_again() {
    let place = WatchFixture::new();
    place.write("a/one.py", "Alpha");
    let mut workspace = place.open(true);
    workspace.watching.watcher.as_mut().unwrap().run_out();
    place.write("b/two.py", "Beta");
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Beta"), 1);
    let why = unwatched(&mut workspace).unwrap();
    assert!(why.contains("fs.inotify.max_user_watches"), "{why}");
    workspace.watching.retry.1 -= FIRST_RETRY;
    workspace.refresh();
    assert_eq!(unwatched(&mut workspace), None);
    assert!(is_followed(&place, &mut workspace, 0));
}

/// A file in another's place with its size and time, of which nobody told: in memory and in the cache.
#[cfg(unix)]
#[test]
fn a_file_replaced_at_equal_size_and_time_is_read() {
    let place = WatchFixture::new();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
    let write = |path: &str, class: &str| {
        let path = place.write(path, class);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        path
    };
    let changed = |path: &Path| {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(path).unwrap();
        (found.ctime(), found.ctime_nsec())
    };
    let replace = |class: &str| {
        let before = changed(&place.at("a.py"));
        let mut other = write("other.txt", class);
        // Times on a disk go on in steps.
        while changed(&other) == before {
            other = write("other.txt", class);
        }
        fs::rename(other, place.at("a.py")).unwrap();
    };
    write("a.py", "Alpha");
    write("b.py", "Other");
    let mut workspace = place.open(false);
    replace("Gamma");
    workspace.refresh();
    let both = |workspace: &mut HostWorkspace| ["Alpha", "Gamma"].map(|name| find(workspace, name));
    assert_eq!(both(&mut workspace), [0, 1]);
    workspace.save();
    assert_eq!(place.open(false).stats().files_read, 0);
    // Between two runs.
    replace("Alpha");
    let mut workspace = place.open(false);
    assert_eq!(workspace.stats().files_read, 1);
    assert_eq!(both(&mut workspace), [1, 0]);
    // In place, and its time set back.
    let before = changed(&place.at("b.py"));
    while changed(&write("b.py", "Outer")) == before {}
    workspace.refresh();
    assert_eq!(find(&mut workspace, "Outer"), 1);
}

/// What others write into `.context/` is told of, also in folders that are new; what is disposable is not.
#[test]
fn a_folder_context_is_watched_though_it_is_never_listed() {
    let place = WatchFixture::new();
    place.write("a.py", "Alpha");
    let root = place.root.path().canonicalize().unwrap();
    let root = root.to_str().unwrap().to_owned();
    let mut workspace = place.open(true);
    let mut told = |paths: &[&str]| {
        let Settled::Paths(changed) = workspace.watching.settled_changes() else {
            panic!("the watcher is gone");
        };
        let is_told = |path: &&str| changed.contains(&format!("{root}/{path}"));
        let found = paths.iter().map(is_told).collect::<Vec<_>>();
        workspace.changed(changed);
        workspace.run_until_ready();
        found
    };
    let write = |path: &str| {
        fs::create_dir_all(place.at(path).parent().unwrap()).unwrap();
        fs::write(place.at(path), "{}").unwrap();
    };
    fs::create_dir(place.at(".context")).unwrap();
    told(&[]);
    write(".context/state.json");
    write(".context/types/x.txt");
    assert_eq!(
        told(&[".context/state.json", ".context/types"]),
        [true, true]
    );
    for folder in ["types", "packs", "ops", "memory"] {
        write(&format!(".context/{folder}/first.md"));
        told(&[]);
        let path = format!(".context/{folder}/second.md");
        write(&path);
        assert_eq!(told(&[&path]), [true], "{folder}");
    }
    #[cfg(target_os = "linux")]
    for folder in ["cache", "replay"] {
        write(&format!(".context/{folder}/first"));
        told(&[]);
        let path = format!(".context/{folder}/second");
        write(&path);
        assert_eq!(told(&[&path]), [false], "{folder}");
    }
}
