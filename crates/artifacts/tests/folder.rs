//! A folder `.context/` from what a host read to what a host is to write, without a disk.

use std::collections::BTreeMap;

use codecortex_analysis::folder_facts::FolderLookup;
use codecortex_artifacts::{
    ContextFailure, ContextState, Contexts, FolderPhase, PendingRequest, Purpose,
};
use codecortex_ledger::{
    Move, OutlineEffect, Regrouped, TextState, TypeChange, TypeFate, UpdateReport,
};
use codecortex_protocol::{Bytes, DiskChange, FetchedFile};

const NOW: u64 = 1_700_000_000_000;

/// What a host gives for each of these texts; none is a file that is not there.
fn fetched(texts: &[Option<&str>]) -> Vec<FetchedFile> {
    let files = texts.iter().map(|text| FetchedFile {
        bytes: text.map(|text| Bytes(text.as_bytes().to_vec())),
        stamp: text.map(|text| format!("stamp of {text}")),
        error: None,
    });
    files.collect()
}

/// A folder that was read and has nothing in it.
fn empty() -> ContextState {
    let mut folder = ContextState::default();
    assert_eq!(folder.load(&fetched(&[None; 5]), NOW), None);
    folder.needs_all = false;
    folder
}

/// What is to be written, by path; a deletion has no text.
fn written(folder: &mut ContextState) -> BTreeMap<String, Option<String>> {
    let Some((_, changes)) = folder.commit("access", NOW) else {
        return BTreeMap::new();
    };
    let changes = changes.into_iter().filter_map(|change| match change {
        DiskChange::Write { path, bytes } => {
            Some((path, Some(String::from_utf8_lossy(&bytes.0).into_owned())))
        }
        DiskChange::Delete { path } => Some((path, None)),
        DiskChange::Append { .. } | DiskChange::Move { .. } => None,
    });
    changes.collect()
}

/// It is on the disk.
fn settle(folder: &mut ContextState) {
    if folder.commit("access", NOW).is_some() {
        folder.committed(vec![Some("new".to_owned()); 4]);
    }
}

fn change(id: &str, what: TypeFate, outline: OutlineEffect) -> TypeChange {
    TypeChange {
        id: id.to_owned(),
        fqn: format!("N.{id}"),
        what,
        classes: Vec::new(),
        outline,
        before: TextState::None,
        state: TextState::None,
        stale: None,
    }
}

fn report(changes: Vec<TypeChange>) -> UpdateReport {
    UpdateReport {
        changes,
        ..UpdateReport::default()
    }
}

/// The folder with outlines of these types on the disk.
fn with_outlines(ids: &[&str]) -> ContextState {
    let mut folder = empty();
    folder.asked.extend(ids.iter().map(|id| (*id).to_owned()));
    let (new, _) = folder.note(report(Vec::new()));
    assert_eq!(new.len(), ids.len());
    settle(&mut folder);
    folder
}

#[test]
fn what_was_read_is_not_written_again() {
    let mut folder = empty();
    let first = written(&mut folder);
    assert!(first.contains_key(&ContextState::paths()[0]), "{first:?}");
    folder.committed(vec![Some("new".to_owned()); 4]);
    assert!(folder.commit("access", NOW).is_none());
    // A later time alone is no news.
    assert!(folder.commit("access", NOW + 60_000).is_none());
}

#[test]
fn the_commit_expects_what_was_read() {
    let mut folder = ContextState::default();
    let files = fetched(&[Some("{}"), None, None, None, None]);
    folder.load(&files, NOW);
    let (expected, _) = folder
        .commit("", NOW)
        .expect("an index that is none is made anew");
    let index = &expected[0];
    assert_eq!(index.path, ContextState::paths()[0]);
    assert_eq!(index.stamp, files[0].stamp);
    assert!(expected[1..].iter().all(|file| file.stamp.is_none()));
    assert_eq!(folder.step, FolderPhase::Writing);
}

#[test]
fn a_watcher_is_believed_by_the_stamp() {
    let mut folder = empty();
    let index = ContextState::paths().swap_remove(0);
    assert!(folder.is_known(&index, None));
    assert!(!folder.is_known(&index, Some("other")));
    settle(&mut folder);
    assert!(folder.is_known(&index, Some("new")));
    assert!(folder.is_known("src/a.rs", Some("any")));
}

#[test]
fn a_file_that_cannot_be_read_is_told_and_kept() {
    let mut folder = ContextState::default();
    let mut files = fetched(&[None; 5]);
    files[1].error = Some("Access is denied.".to_owned());
    folder.load(&files, NOW);
    let told = folder.unreadable.as_deref().unwrap_or_default();
    assert!(
        told.ends_with("could not be read: Access is denied"),
        "{told}"
    );
    assert_eq!(
        folder.account.problems.last().map(String::as_str),
        Some(told)
    );
    assert!(!folder.is_mended_perhaps(NOW));
    folder.failed(ContextFailure::Disk(told.to_owned()), NOW + 10);
    assert!(!folder.is_mended_perhaps(NOW));
    assert!(folder.is_mended_perhaps(NOW + 10));
}

#[test]
fn a_failure_is_tried_again_when_its_time_has_come() {
    let mut folder = empty();
    settle(&mut folder);
    assert!(!folder.is_due(NOW));
    folder.failed(ContextFailure::Busy, NOW + 250);
    assert!(folder.is_unwritten());
    assert!(!folder.is_due(NOW));
    assert!(folder.is_due(NOW + 250));
    folder.committed(vec![None; 4]);
    assert!(!folder.is_unwritten());
}

#[test]
fn outlines_follow_their_types() {
    let mut folder = with_outlines(&["T_a", "T_b", "T_c"]);
    let (new, kept) = folder.note(report(vec![
        change("T_a", TypeFate::Changed, OutlineEffect::Header),
        change("T_b", TypeFate::Removed, OutlineEffect::Keep),
        change("T_c", TypeFate::Changed, OutlineEffect::Keep),
        change("T_d", TypeFate::Changed, OutlineEffect::Body),
    ]));
    assert!(new.is_empty(), "{new:?}");
    let expected = BTreeMap::from([("T_a".to_owned(), OutlineEffect::Header)]);
    assert_eq!(kept, expected);
    assert_eq!(
        written(&mut folder).get(".context/types/T_b.outline.md"),
        Some(&None)
    );
    let paths = folder.expect_outlines(kept);
    assert_eq!(paths, [".context/types/T_a.outline.md"]);
    let taken = folder.take_outline(&paths[0]);
    assert_eq!(taken, Some(("T_a".to_owned(), OutlineEffect::Header)));
    assert_eq!(folder.take_outline(&paths[0]), None);
    folder.drop_outline("T_a");
    assert_eq!(folder.outlines().into_iter().collect::<Vec<_>>(), ["T_c"]);
}

#[test]
fn an_outline_moves_with_the_id_of_its_type() {
    let mut folder = with_outlines(&["T_old"]);
    let mut moved = report(Vec::new());
    moved.moves.push(Move {
        from: "types/T_old.outline.md".to_owned(),
        to: "types/T_new.outline.md".to_owned(),
    });
    let (new, _) = folder.note(moved);
    // It names itself, so it is written too.
    assert_eq!(new.into_iter().collect::<Vec<_>>(), ["T_new"]);
    let (_, changes) = folder.commit("", NOW).expect("a move is news");
    assert!(changes.contains(&DiskChange::Move {
        from: ".context/types/T_old.outline.md".to_owned(),
        to: ".context/types/T_new.outline.md".to_owned(),
    }));
}

#[test]
fn of_a_file_that_is_written_again_the_last_text_counts() {
    let mut folder = empty();
    settle(&mut folder);
    folder.keep_text("ops/a.json", "first".to_owned());
    folder.keep_text("ops/a.json", "second".to_owned());
    folder.keep_text("ops/b.json", "gone".to_owned());
    folder.drop_text("ops/b.json");
    folder.write_pack("mine", Some("pack".to_owned()));
    folder.write_pack("old", None);
    let all = written(&mut folder);
    assert_eq!(all[".context/ops/a.json"].as_deref(), Some("second"));
    assert_eq!(all[".context/ops/b.json"], None);
    assert_eq!(all[".context/packs/mine.md"].as_deref(), Some("pack"));
    assert_eq!(all[".context/packs/old.md"], None);
    // Until it is on the disk it is still to be written.
    assert_eq!(written(&mut folder), all);
}

#[test]
fn the_window_is_written_where_it_is_another() {
    let mut folder = empty();
    settle(&mut folder);
    folder.write_window("one".to_owned());
    folder.write_window("two".to_owned());
    let window = ".context/prompt_window.md";
    assert_eq!(written(&mut folder)[window].as_deref(), Some("two"));
    folder.committed(vec![None; 4]);
    folder.write_window("two".to_owned());
    assert!(!written(&mut folder).contains_key(window));
    // Somebody else wrote the folder: what is on the disk is not known.
    folder.unload();
    assert!(folder.window_changed);
    assert_eq!(folder.step, FolderPhase::Unread);
    folder.load(&fetched(&[None; 5]), NOW);
    folder.write_window("two".to_owned());
    assert!(written(&mut folder).contains_key(window));
}

#[test]
fn texts_of_types_that_are_described_together_are_joined() {
    let mut folder = empty();
    settle(&mut folder);
    let mut regrouped = report(Vec::new());
    regrouped.regrouped.push(Regrouped {
        from: vec!["types/T_a.semantic.md".to_owned()],
        to: "groups/G.semantic.md".to_owned(),
    });
    folder.note(regrouped);
    let expected = folder.expected_texts();
    assert_eq!(
        expected,
        [
            ".context/groups/G.semantic.md",
            ".context/types/T_a.semantic.md"
        ]
    );
    let text = "# A\n\nIt keeps things.\n".to_owned();
    folder.regroup_texts(&BTreeMap::from([(expected[1].as_str(), text)]));
    let all = written(&mut folder);
    let joined = all[".context/groups/G.semantic.md"].as_deref();
    assert!(joined.is_some_and(|text| text.contains("It keeps things.")));
    assert_eq!(all[".context/types/T_a.semantic.md"], None);
    assert!(folder.expected_texts().is_empty());
}

#[test]
fn a_folder_that_is_wanted_is_set_up() {
    let mut folder = empty();
    folder.is_wanted = true;
    let all = written(&mut folder);
    assert!(all.contains_key(".context/.gitignore"));
    assert!(all.contains_key(".context/config.json"));
    folder.committed(vec![None; 4]);
    assert!(!folder.is_wanted);
}

#[test]
fn roots_are_told_apart() {
    let mut contexts = Contexts::default();
    contexts.begin(2);
    assert_eq!(contexts.root_count(), 2);
    assert!(
        contexts
            .folder(1)
            .is_some_and(|of| of.ledger.is_none() && !of.has_config_file)
    );
    assert!(contexts.folder(2).is_none());
    // What nobody read has nothing that could be out of date.
    contexts.touch(0, "a.rs");
    assert!(contexts.folders[0].touched.is_empty());
    contexts.folders[0].load(&fetched(&[None; 5]), NOW);
    contexts.touch(0, "a.rs");
    assert_eq!(contexts.folders[0].touched.len(), 1);
    contexts.requests.push(PendingRequest {
        id: 7,
        root: 1,
        purpose: Purpose::Files,
        paths: Vec::new(),
    });
    contexts.commits.push((8, 0));
    assert!(contexts.is_waiting(0) && contexts.is_waiting(1));
    contexts.begin(1);
    assert!(!contexts.is_waiting(0) && !contexts.is_waiting(1));
}

#[test]
fn of_ticks_the_earliest_counts() {
    let mut contexts = Contexts::default();
    contexts.ask_tick(250);
    contexts.ask_tick(50);
    contexts.ask_tick(900);
    assert_eq!(contexts.take_tick(), Some(50));
    assert_eq!(contexts.take_tick(), None);
    contexts.ask_tick(250);
    contexts.begin(1);
    assert_eq!(contexts.take_tick(), None);
}
