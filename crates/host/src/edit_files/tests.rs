//! Edits in temporary folders: all or none, whatever is saved or killed meanwhile.

use std::fs;
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{AppliedEdit, ApplyOutcome, Bytes, FileEdit, Root};

use super::folder::{EditsFolder, OVER, UNDO};
use super::journal::{EditLabel, Journal, JournalStep};
use super::{EditRecord, applied_edits, apply, recover};
use crate::context_folder::stamp;

/// A root, and the folder of state that its edits are journalled in.
struct Desk {
    place: tempfile::TempDir,
    state: tempfile::TempDir,
    roots: [Root; 1],
}

impl Desk {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().unwrap();
        let root = Root {
            name: "r".to_owned(),
            path: place
                .path()
                .canonicalize()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned(),
            link: None,
        };
        for (name, text) in files {
            fs::write(place.path().join(name), text).unwrap();
        }
        Self {
            place,
            state: tempfile::tempdir().unwrap(),
            roots: [root],
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.roots[0].path).join(name)
    }

    fn edit(&self, name: &str, text: &str) -> FileEdit {
        let path = format!("{}/{name}", self.roots[0].path);
        FileEdit {
            stamp: fs::symlink_metadata(&path).ok().as_ref().map(stamp),
            path,
            root: Some(0),
            version: None,
            changes: Vec::new(),
            bytes: Some(Bytes(text.into())),
            diff: String::new(),
            deleted: false,
            moved_to: None,
            makes_folder: false,
            mode: None,
        }
    }

    fn apply(&self, edits: &[FileEdit]) -> ApplyOutcome {
        let record = EditRecord::default();
        apply(Some(self.state.path()), &self.roots, record, edits)
    }

    fn delete(&self, name: &str) -> FileEdit {
        FileEdit {
            bytes: None,
            deleted: true,
            ..self.edit(name, "")
        }
    }

    fn rename(&self, name: &str, to: &str, text: &str) -> FileEdit {
        FileEdit {
            moved_to: Some(format!("{}/{to}", self.roots[0].path)),
            makes_folder: true,
            ..self.edit(name, text)
        }
    }

    /// Names of the journals that are kept.
    fn kept(&self) -> Vec<String> {
        names(&self.state.path().join("undo"))
    }

    fn applied(&self) -> Vec<AppliedEdit> {
        applied_edits(Some(self.state.path()), &self.roots, false).unwrap()
    }

    fn recover(&self) {
        recover(Some(self.state.path()), &self.roots);
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names of what is there, sorted.
    fn names(&self) -> Vec<String> {
        names(self.place.path())
    }

    fn journals(&self) -> Vec<String> {
        names(&self.state.path().join("edits"))
    }

    /// What a process leaves that is killed once its journal counts: the journal and the steps with their halves' names.
    fn killed(&self, files: &[(&str, Option<&str>, &str)]) -> (Journal, Vec<JournalStep>) {
        let folder = EditsFolder::below(self.state.path());
        folder.make().unwrap();
        let locks = folder.lock(&[&self.roots[0].path]).unwrap().unwrap();
        let mut steps: Vec<JournalStep> = files
            .iter()
            .map(|(name, old, new)| JournalStep {
                root: PathBuf::from(&self.roots[0].path),
                path: self.path(name),
                half: PathBuf::new(),
                old: old.map(|old| old.as_bytes().to_vec()),
                new: Some(new.as_bytes().to_vec()),
                mode: None,
                moved_from: None,
            })
            .collect();
        let journal =
            Journal::write(&folder, &locks[0], &EditLabel::default(), &mut steps).unwrap();
        (journal, steps)
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn is_failed(outcome: &ApplyOutcome) -> bool {
    matches!(outcome, ApplyOutcome::Failed { not_restored, .. } if not_restored.is_empty())
}

#[test]
fn all_files_or_none() {
    let desk = Desk::new(&[("a", "old"), ("b", "old")]);
    let edits = ["a", "b", "c"].map(|name| desk.edit(name, "new"));
    fs::write(desk.path("b"), "somebody else's").unwrap();
    let conflict = ApplyOutcome::Conflict {
        path: edits[1].path.clone(),
        not_restored: Vec::new(),
    };
    assert_eq!(desk.apply(&edits), conflict);
    assert_eq!(
        (desk.read("a"), desk.read("b")),
        ("old".into(), "somebody else's".into())
    );
    let edits = ["a", "b", "c"].map(|name| desk.edit(name, "new"));
    assert_eq!(desk.apply(&edits), ApplyOutcome::Done);
    assert_eq!(
        (desk.read("a"), desk.read("c")),
        ("new".into(), "new".into())
    );
    assert_eq!(desk.names(), ["a", "b", "c"]);
    assert_eq!(desk.journals(), [""; 0]);
}

#[test]
fn files_are_made_moved_and_deleted_with_changes_of_others() {
    let desk = Desk::new(&[("a", "old"), ("b", "gone"), ("c", "moves")]);
    fs::create_dir(desk.path("d")).unwrap();
    let edits = [
        desk.edit("a", "new"),
        desk.delete("b"),
        desk.rename("c", "e/f/c", "moved"),
        desk.edit("d/made", "made"),
    ];
    assert_eq!(desk.apply(&edits), ApplyOutcome::Done);
    assert_eq!(desk.names(), ["a", "d", "e"]);
    assert_eq!(
        (desk.read("a"), desk.read("e/f/c")),
        ("new".into(), "moved".into())
    );
    assert_eq!(desk.journals(), [""; 0]);
    let files = desk.applied().remove(0).files;
    let moved = files.iter().find(|file| file.moved_from.is_some()).unwrap();
    assert!(moved.path.ends_with("/e/f/c"), "{moved:?}");
    assert_eq!(files.len(), 4);
}

#[test]
fn where_one_file_cannot_be_made_none_is_moved_or_deleted() {
    let desk = Desk::new(&[("a", "old"), ("b", "stays"), ("c", "there")]);
    let edits = [
        desk.edit("a", "new"),
        desk.delete("b"),
        desk.rename("a2", "x/y", ""),
    ];
    assert!(
        is_failed(&desk.apply(&edits)),
        "a file that is not there cannot be moved"
    );
    let edits = [
        desk.edit("a", "new"),
        desk.delete("b"),
        desk.rename("b", "c", "b"),
    ];
    // `c` is there.
    assert!(matches!(
        desk.apply(&edits),
        ApplyOutcome::Conflict { .. } | ApplyOutcome::Failed { .. }
    ));
    let edits = [
        desk.edit("a", "new"),
        desk.rename("b", "n/b", "b"),
        desk.edit("gone/x", "x"),
    ];
    fs::write(desk.path("gone"), "a file where the folder should be").unwrap();
    assert!(is_failed(&desk.apply(&edits)));
    assert_eq!(desk.names(), ["a", "b", "c", "gone"]);
    assert_eq!(
        (desk.read("a"), desk.read("b")),
        ("old".into(), "stays".into())
    );
    assert_eq!((desk.journals(), desk.kept()), (vec![], vec![]));
}

#[cfg(unix)]
#[test]
fn a_moved_file_keeps_its_rights() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new(&[("run.sh", "old")]);
    fs::set_permissions(desk.path("run.sh"), PermissionsExt::from_mode(0o750)).unwrap();
    let outcome = desk.apply(&[desk.rename("run.sh", "Run.sh", "new")]);
    assert_eq!(outcome, ApplyOutcome::Done);
    let mode = fs::metadata(desk.path("Run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
    assert_eq!(desk.names(), ["Run.sh"]);
}

#[test]
fn the_last_ten_edits_are_kept_and_one_that_is_undone_goes() {
    let desk = Desk::new(&[("a", "0")]);
    for round in 1..=12 {
        let record = EditRecord {
            summary: Some(format!("{round}")),
            now_ms: 5.0, // a clock that stands still
            ..EditRecord::default()
        };
        let edits = [desk.edit("a", &round.to_string())];
        let outcome = apply(Some(desk.state.path()), &desk.roots, record, &edits);
        assert_eq!(outcome, ApplyOutcome::Done);
    }
    let summaries = |desk: &Desk| -> Vec<String> {
        let edits = desk.applied();
        edits.into_iter().filter_map(|edit| edit.summary).collect()
    };
    let expected: Vec<String> = (3..=12).rev().map(|round: u32| round.to_string()).collect();
    assert_eq!(summaries(&desk), expected);
    let last = applied_edits(Some(desk.state.path()), &desk.roots, true).unwrap();
    assert_eq!(last.len(), 1);
    assert_eq!(last[0].files[0].before, Some(Bytes(b"11".to_vec())));
    assert_eq!(last[0].files[0].after, Some(Bytes(b"12".to_vec())));
    let record = EditRecord {
        undoes: Some(last[0].id.clone()),
        ..EditRecord::default()
    };
    let outcome = apply(
        Some(desk.state.path()),
        &desk.roots,
        record,
        &[desk.edit("a", "11")],
    );
    assert_eq!(outcome, ApplyOutcome::Done);
    assert_eq!(summaries(&desk), expected[1..]);
    let other = Desk::new(&[]);
    let found = applied_edits(Some(desk.state.path()), &other.roots, false).unwrap();
    assert_eq!(found, [], "nobody sees edits of other folders");
}

/// A process is killed at any moment of an edit that moves, deletes and makes: the next one ends it, and keeps it.
#[test]
fn a_killed_edit_of_file_names_is_done_by_the_next_start() {
    for placed in 0..=4 {
        let desk = Desk::new(&[("a", "old a"), ("b", "old b"), ("m", "moves")]);
        let folder = EditsFolder::below(desk.state.path());
        folder.make().unwrap();
        let step = |name: &str, old: Option<&str>, new: Option<&str>| JournalStep {
            root: PathBuf::from(&desk.roots[0].path),
            path: desk.path(name),
            half: PathBuf::new(),
            old: old.map(|old| old.as_bytes().to_vec()),
            new: new.map(|new| new.as_bytes().to_vec()),
            mode: None,
            moved_from: None,
        };
        let mut steps = vec![
            step("b", Some("old b"), None),
            step("m", Some("moves"), None),
            step("d/m", None, Some("moved")),
            step("a", Some("old a"), Some("new a")),
        ];
        let locks = folder.lock(&[&desk.roots[0].path]).unwrap().unwrap();
        let label = EditLabel {
            folders: vec![desk.path("d")],
            ..EditLabel::default()
        };
        Journal::write(&folder, &locks[0], &label, &mut steps).unwrap();
        drop(locks);
        for step in &steps[..placed] {
            match (&step.old, &step.new) {
                (Some(_), None) => fs::rename(&step.path, &step.half).unwrap(),
                (old, Some(new)) => {
                    fs::create_dir_all(step.path.parent().unwrap()).unwrap();
                    fs::write(&step.path, new).unwrap();
                    if let Some(old) = old {
                        fs::write(&step.half, old).unwrap();
                    }
                }
                (None, None) => unreachable!(),
            }
        }
        desk.recover();
        assert_eq!(desk.names(), ["a", "d"], "{placed}");
        assert_eq!(
            (desk.read("a"), desk.read("d/m")),
            ("new a".into(), "moved".into())
        );
        assert_eq!(desk.journals(), [""; 0]);
        assert_eq!(desk.kept().len(), 1, "{placed}");
    }
}

#[test]
fn what_cannot_be_put_in_place_takes_the_rest_back() {
    let desk = Desk::new(&[("a", "old")]);
    fs::create_dir(desk.path("gone")).unwrap();
    let edits = ["a", "b", "gone/x"].map(|name| desk.edit(name, "new"));
    fs::remove_dir(desk.path("gone")).unwrap();
    assert!(is_failed(&desk.apply(&edits)));
    assert_eq!(desk.read("a"), "old");
    assert_eq!(desk.names(), ["a"]);
    assert_eq!(desk.journals(), [""; 0]);
    desk.recover();
    assert_eq!(desk.names(), ["a"], "an edit that failed is not done later");
}

#[test]
fn nothing_outside_is_written() {
    let desk = Desk::new(&[]);
    for name in [
        "../x",
        ".git/config",
        ".GIT/config",
        "git~1/config",
        ".context/state.json",
        "a/../../x",
        "a:b",
        "NUL",
        "",
    ] {
        let outcome = desk.apply(&[desk.edit(name, "x")]);
        assert!(is_failed(&outcome), "{name}: {outcome:?}");
    }
    let mut strange = desk.edit("a", "x");
    strange.path = "/etc/x".to_owned();
    assert!(is_failed(&desk.apply(&[strange])));
    assert_eq!(desk.names(), [""; 0]);
}

#[test]
fn an_edit_without_a_place_for_its_journal_fails_with_a_reason() {
    let desk = Desk::new(&[("a", "old")]);
    let edits = [desk.edit("a", "new")];
    let told = |state: Option<&Path>| match apply(state, &desk.roots, EditRecord::default(), &edits)
    {
        ApplyOutcome::Failed { reason, .. } => reason,
        other => panic!("{other:?}"),
    };
    assert!(told(None).contains("XDG_STATE_HOME"));
    let file = desk.state.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(told(Some(&file)).contains("it is not a folder"));
    assert_eq!(desk.read("a"), "old");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_rights_are_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = Desk::new(&[("run.sh", "old")]);
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), desk.path("out")).unwrap();
    assert!(is_failed(&desk.apply(&[desk.edit("out/x", "x")])));
    fs::set_permissions(desk.path("run.sh"), PermissionsExt::from_mode(0o750)).unwrap();
    assert_eq!(
        desk.apply(&[desk.edit("run.sh", "new")]),
        ApplyOutcome::Done
    );
    let mode = fs::metadata(desk.path("run.sh"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o750);
}

#[cfg(unix)]
#[test]
fn the_folder_of_edits_is_private_and_no_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let desk = Desk::new(&[("a", "old")]);
    let edits = desk.state.path().join("edits");
    fs::create_dir(&edits).unwrap();
    fs::set_permissions(&edits, PermissionsExt::from_mode(0o777)).unwrap();
    assert_eq!(desk.apply(&[desk.edit("a", "new")]), ApplyOutcome::Done);
    assert_eq!(
        fs::metadata(&edits).unwrap().permissions().mode() & 0o777,
        0o700
    );
    fs::remove_dir(&edits).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), &edits).unwrap();
    assert!(is_failed(&desk.apply(&[desk.edit("a", "newer")])));
    assert_eq!(names(elsewhere.path()), [""; 0]);
    fs::remove_file(&edits).unwrap();
    fs::create_dir(&edits).unwrap();
    // A link in place of the lock makes no file where it leads.
    let made = elsewhere.path().join("made");
    let lock = edits.join(format!("{}.lock", super::folder::key(&desk.roots[0].path)));
    symlink(&made, lock).unwrap();
    assert!(is_failed(&desk.apply(&[desk.edit("a", "newer")])));
    assert!(!made.exists());
}

/// Every moment at which a process can be killed, by what it leaves: the first `placed` files are in place; of the next
/// one there is a half, whole or in part.
#[test]
fn a_killed_edit_is_done_by_the_next_start() {
    let files = [
        ("a", Some("old a"), "new a"),
        ("b", None, "made"),
        ("c", Some("old c"), ""),
    ];
    for placed in 0..=files.len() {
        for half in [None, Some(""), Some("ne"), Some("whole")] {
            let desk = Desk::new(&[("a", "old a"), ("c", "old c"), (".writing-others", "x")]);
            let (_, steps) = desk.killed(&files);
            for step in &steps[..placed] {
                fs::write(&step.path, step.new.as_ref().unwrap()).unwrap();
                if let Some(old) = &step.old {
                    fs::write(&step.half, old).unwrap();
                }
            }
            if let (Some(step), Some(half)) = (steps.get(placed), half) {
                let new = step.new.clone().unwrap();
                let bytes = match half {
                    "whole" => new,
                    part => new[..part.len().min(new.len())].to_vec(),
                };
                fs::write(&step.half, bytes).unwrap();
            }
            desk.recover();
            let found = ["a", "b", "c"].map(|name| desk.read(name));
            assert_eq!(found, ["new a", "made", ""], "{placed} {half:?}");
            // A half that no journal names is somebody else's.
            assert_eq!(desk.names(), [".writing-others", "a", "b", "c"]);
            assert_eq!(desk.journals(), [""; 0]);
        }
    }
}

#[test]
fn a_killed_edit_is_taken_back_where_a_person_changed_a_file() {
    let files = [
        ("a", Some("old a"), "new a"),
        ("b", None, "made"),
        ("c", Some("old c"), "new c"),
    ];
    let desk = Desk::new(&[("a", "new a"), ("b", "made"), ("c", "a person's")]);
    let (_, steps) = desk.killed(&files);
    fs::write(&steps[0].half, "old a").unwrap();
    desk.recover();
    assert_eq!(
        (desk.read("a"), desk.read("c")),
        ("old a".into(), "a person's".into())
    );
    assert_eq!(desk.names(), ["a", "c"], "what was made is gone");
    assert_eq!(desk.journals(), [""; 0]);
}

/// The kill came between the exchange and the look at what came out.
#[test]
fn a_save_that_was_taken_out_at_the_kill_is_put_back() {
    for saved in ["a person's", "old a and more"] {
        let files = [("a", Some("old a"), "new a"), ("b", Some("old b"), "new b")];
        let desk = Desk::new(&[("a", "new a"), ("b", "old b")]);
        let (_, steps) = desk.killed(&files);
        fs::write(&steps[0].half, saved).unwrap();
        fs::write(&steps[1].half, "new b").unwrap();
        desk.recover();
        assert_eq!(
            (desk.read("a"), desk.read("b")),
            (saved.into(), "old b".into())
        );
        assert_eq!(desk.names(), ["a", "b"]);
        assert_eq!(desk.journals(), [""; 0]);
    }
}

#[test]
fn what_was_being_taken_back_is_not_done_and_what_is_over_is_left_alone() {
    let files = [("a", Some("old a"), "new a"), ("b", Some("old b"), "new b")];
    let desk = Desk::new(&[("a", "new a"), ("b", "old b")]);
    let (mut journal, _) = desk.killed(&files);
    journal.undo().unwrap();
    assert!(journal.says(UNDO));
    desk.recover();
    assert_eq!(
        (desk.read("a"), desk.read("b")),
        ("old a".into(), "old b".into())
    );

    let desk = Desk::new(&[("a", "edited later"), ("b", "new b")]);
    let (mut journal, steps) = desk.killed(&files);
    fs::write(&steps[1].half, "old b").unwrap();
    journal.close().unwrap();
    assert!(journal.says(OVER));
    desk.recover();
    assert_eq!(
        (desk.read("a"), desk.read("b")),
        ("edited later".into(), "new b".into())
    );
    assert_eq!(desk.names(), ["a", "b"]);
    assert_eq!(desk.journals(), [""; 0]);
}

#[test]
fn an_edit_that_goes_on_or_is_of_other_folders_is_left_alone() {
    let desk = Desk::new(&[("a", "old a"), ("b", "new b")]);
    let _killed = desk.killed(&[("a", Some("old a"), "new a"), ("b", Some("old b"), "new b")]);
    let folder = EditsFolder::below(desk.state.path());
    let locks = folder.lock(&[&desk.roots[0].path]).unwrap();
    desk.recover();
    assert_eq!(desk.read("a"), "old a", "its process is at work");
    drop(locks);
    let other = Desk::new(&[]);
    recover(Some(desk.state.path()), &other.roots);
    assert_eq!(desk.read("a"), "old a", "nobody opened the folder");
    // The next edit comes first to what a killed one left, and then to its own work.
    fs::write(desk.path("c"), "old c").unwrap();
    assert_eq!(desk.apply(&[desk.edit("c", "new c")]), ApplyOutcome::Done);
    let found = ["a", "b", "c"].map(|name| desk.read(name));
    assert_eq!(found, ["new a", "new b", "new c"]);
    assert_eq!(desk.journals(), [""; 0]);
}

#[test]
fn a_journal_that_never_counted_and_an_empty_lock_are_removed() {
    let desk = Desk::new(&[("a", "old")]);
    let folder = EditsFolder::below(desk.state.path());
    folder.make().unwrap();
    let key = super::folder::key("/elsewhere");
    for name in [
        format!("{key}-abc.part"),
        format!("{key}.lock"),
        "notes.txt".to_owned(),
    ] {
        fs::write(folder.path().join(name), "half a jour").unwrap();
    }
    desk.recover();
    assert_eq!(desk.journals(), ["notes.txt"]);
}

/// A person's editor and other programs save while an edit is made. Linux alone can say whether somebody is about to
/// write.
#[cfg(target_os = "linux")]
mod saves {
    use std::io::Write;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    const FILES: usize = 12;
    const ROUNDS: usize = 200;
    const APPENDS: usize = 4;

    /// What is written to the file, in which way.
    #[derive(Clone, Copy, PartialEq)]
    enum WriteKind {
        Append,
        Whole,
        ByRename,
    }

    fn save(path: &Path, way: WriteKind, begun: &AtomicBool, wait: usize) {
        while !begun.load(Ordering::Acquire) {
            std::hint::spin_loop();
        }
        for _ in 0..wait {
            std::hint::spin_loop();
        }
        match way {
            WriteKind::Append => {
                for line in 0..APPENDS {
                    let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
                    file.write_all(format!("line {line}\n").as_bytes()).unwrap();
                }
            }
            WriteKind::Whole => fs::write(path, "saved\n").unwrap(),
            WriteKind::ByRename => {
                let beside = path.with_extension("tmp");
                fs::write(&beside, "saved\n").unwrap();
                fs::rename(beside, path).unwrap();
            }
        }
    }

    /// A program that had opened the file when it was taken out, and writes later.
    #[test]
    fn what_somebody_has_open_for_writing_stays_in_its_place() {
        let desk = Desk::new(&[("a", "old"), ("b", "old")]);
        let edits = ["a", "b"].map(|name| desk.edit(name, "new"));
        let mut writer = fs::OpenOptions::new()
            .append(true)
            .open(desk.path("b"))
            .unwrap();
        let outcome = desk.apply(&edits);
        assert!(
            matches!(&outcome, ApplyOutcome::Conflict { path, .. } if path.ends_with("/b")),
            "{outcome:?}"
        );
        writer.write_all(b" and more").unwrap();
        assert_eq!(
            (desk.read("a"), desk.read("b")),
            ("old".into(), "old and more".into())
        );
        assert_eq!(desk.names(), ["a", "b"]);
        drop(writer);
        let edits = ["a", "b"].map(|name| desk.edit(name, "new"));
        assert_eq!(desk.apply(&edits), ApplyOutcome::Done);
    }

    #[test]
    fn no_save_at_any_moment_is_lost_and_no_file_is_between() {
        let desk = Desk::new(&[]);
        let name = |file: usize| format!("f{file:02}");
        let ways = [WriteKind::Append, WriteKind::Whole, WriteKind::ByRename];
        let mut wait = 1usize;
        for round in 0..ROUNDS {
            let (old, new) = ("old\n", "new\n");
            for file in 0..FILES {
                fs::write(desk.path(&name(file)), old).unwrap();
            }
            let edits: Vec<FileEdit> = (0..FILES).map(|file| desk.edit(&name(file), new)).collect();
            let (way, saved) = (ways[round % 3], round * 7 % FILES);
            // The moments are spread over the whole edit, and fall on its quickest part as often as on its slowest.
            wait = (wait * 1_103_515_245 + 12_345) % (1 << 31);
            let wait = wait % (1 << (4 + round % 18));
            let begun = AtomicBool::new(false);
            let path = desk.path(&name(saved));
            let outcome = std::thread::scope(|scope| {
                scope.spawn(|| save(&path, way, &begun, wait));
                begun.store(true, Ordering::Release);
                desk.apply(&edits)
            });
            let text = desk.read(&name(saved));
            match way {
                WriteKind::Append => {
                    for line in 0..APPENDS {
                        let line = format!("line {line}\n");
                        assert_eq!(
                            text.matches(&line).count(),
                            1,
                            "{round}: {outcome:?} {text:?}"
                        );
                    }
                    let lines = APPENDS * "line 0\n".len();
                    assert_eq!(
                        text.len(),
                        old.len() + lines,
                        "{round}: {outcome:?} {text:?}"
                    );
                }
                WriteKind::Whole | WriteKind::ByRename => {
                    assert_eq!(text, "saved\n", "{round}: {outcome:?}")
                }
            }
            let expected = match outcome {
                ApplyOutcome::Done => new,
                ApplyOutcome::Conflict { .. } => old,
                other => panic!("{round}: {other:?}"),
            };
            for file in (0..FILES).filter(|&file| file != saved) {
                assert_eq!(desk.read(&name(file)), expected, "{round}");
            }
            if way == WriteKind::Append {
                assert!(text.starts_with(expected), "{round}: {outcome:?} {text:?}");
            }
            assert_eq!(
                desk.names().len(),
                FILES,
                "{round}: nothing stays beside the files"
            );
            assert_eq!(desk.journals(), [""; 0]);
        }
    }
}
