//! The folder `.context/` of a root beside the code: when it is read and kept, and what an update finds (SPEC D3, D17).
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_artifacts::{
    ContextFailure, ContextState, Contexts, FolderPhase, Purpose, check_keeps, has_context,
    is_context_trusted,
};
use codecortex_fixture::Workspace;
use codecortex_ledger::{TypeFate, UpdateReport};
use codecortex_protocol::{Bytes, Config, ErrorCode, FetchedFile, Outbox, Request};

const NOW: u64 = 1_700_000_000_000;

const SHOP: &str = "
//- /app/src/Order.cs
namespace Shop;
public class Order {
    public int Total() { return 3; }
}
//- /app/src/Cart.cs
namespace Shop;
public class Cart : Order { }
";

fn config() -> Config {
    Config {
        keep_context: true,
        ..Config::default()
    }
}

fn shop() -> (Workspace, Contexts) {
    with(SHOP, config())
}

fn with(fixture: &str, config: Config) -> (Workspace, Contexts) {
    let workspace = Workspace::with_config(fixture, config);
    let mut contexts = Contexts::default();
    contexts.begin(1);
    (workspace, contexts)
}

fn absent(count: usize) -> Vec<FetchedFile> {
    let file = || FetchedFile {
        bytes: None,
        stamp: None,
        error: None,
    };
    std::iter::repeat_with(file).take(count).collect()
}

/// The folder was read, and there is nothing in it.
fn read(contexts: &mut Contexts) {
    let files = absent(ContextState::paths().len());
    contexts.folders[0].load(&files, NOW);
}

/// Projects of the root are known: it has no manifests.
fn update(workspace: &mut Workspace, contexts: &mut Contexts) -> UpdateReport {
    let mut outbox = Outbox::default();
    assert!(contexts.has_projects(&mut workspace.code, &mut outbox, 0));
    for (root, path) in workspace.code.take_touched() {
        contexts.touch(root, &path);
    }
    contexts.update_ledger(&mut workspace.code, 0, NOW).unwrap()
}

fn fates(report: &UpdateReport) -> Vec<(&str, TypeFate)> {
    let changes = report.changes.iter();
    let mut fates: Vec<_> = changes
        .map(|change| (change.fqn.as_str(), change.what))
        .collect();
    fates.sort_by_key(|(path, _)| *path);
    fates
}

#[test]
fn a_folder_is_kept_where_a_person_wants_it() {
    let (workspace, mut contexts) = shop();
    let code = &workspace.code;
    assert!(!has_context(code, 0) && !contexts.is_kept(code, 0));
    assert!(is_context_trusted(code, 0));
    contexts.want(code, 0);
    assert!(contexts.is_kept(code, 0));
    assert_eq!(contexts.take_tick(), Some(0));
    assert!(!contexts.is_kept(code, 5), "no such root");
}

#[test]
fn a_folder_that_came_with_the_repository_is_read_and_not_written() {
    let fixture = format!("{SHOP}//- /app/.context/index.json\n{{}}\n");
    let untrusted = Config {
        untrusted_contexts: vec!["/w/app".to_owned()],
        ..config()
    };
    let (workspace, mut contexts) = with(&fixture, untrusted);
    let code = &workspace.code;
    assert!(has_context(code, 0) && contexts.is_unread(code, 0));
    assert!(!contexts.is_kept(code, 0));
    contexts.keep(code, 0);
    assert!(!contexts.is_kept(code, 0));
    assert_eq!(
        check_keeps(code, 0).unwrap_err().code,
        ErrorCode::AccessDenied
    );
    assert!(!contexts.wants_recording(code, 0));
}

#[test]
fn settings_that_keep_nothing_refuse_to_write() {
    let (workspace, mut contexts) = with(
        SHOP,
        Config {
            keep_context: false,
            ..Config::default()
        },
    );
    let code = &workspace.code;
    assert_eq!(
        check_keeps(code, 0).unwrap_err().code,
        ErrorCode::Unavailable
    );
    contexts.want(code, 0);
    assert!(contexts.why_never(code, 0).is_some());
    let (workspace, mut contexts) = shop();
    assert!(check_keeps(&workspace.code, 0).is_ok());
    contexts.want(&workspace.code, 0);
    assert_eq!(contexts.why_never(&workspace.code, 0), None);
}

#[test]
fn a_folder_is_requested_once() {
    let (mut workspace, mut contexts) = shop();
    let mut outbox = Outbox::default();
    contexts.request_folder(&mut workspace.code, &mut outbox, 0);
    contexts.request_folder(&mut workspace.code, &mut outbox, 0);
    contexts.request_folder(&mut workspace.code, &mut outbox, 9);
    workspace.perform(outbox);
    let [(id, Request::Texts { files, .. })] = &workspace.asked[..] else {
        panic!("{:?}", workspace.asked);
    };
    assert_eq!(files.len(), ContextState::paths().len());
    assert!(contexts.is_waiting(0));
    let request = contexts.take_request(*id).unwrap();
    assert_eq!(request.purpose, Purpose::Files);
    assert!(contexts.take_request(*id).is_none() && !contexts.is_waiting(0));
}

#[test]
fn going_back_to_the_disk_drops_what_was_handed_in() {
    let (mut workspace, mut contexts) = shop();
    read(&mut contexts);
    let mut outbox = Outbox::default();
    contexts.reload(&mut workspace.code, &mut outbox, 0);
    assert!(contexts.folders[0].ledger.is_none());
    assert_eq!(contexts.folders[0].step, FolderPhase::Reading);
}

#[test]
fn the_first_update_has_all_types_and_the_next_what_changed() {
    let (mut workspace, mut contexts) = shop();
    read(&mut contexts);
    let all = update(&mut workspace, &mut contexts);
    let new = [("Shop.Cart", TypeFate::New), ("Shop.Order", TypeFate::New)];
    assert_eq!(fates(&all), new);
    assert_eq!(fates(&update(&mut workspace, &mut contexts)), []);
    workspace.write(
        "src/Order.cs",
        "namespace Shop;\npublic class Order {\n    public int Total() { return 4; }\n}\n",
    );
    let changed = update(&mut workspace, &mut contexts);
    assert!(
        fates(&changed).contains(&("Shop.Order", TypeFate::Changed)),
        "{:?}",
        fates(&changed)
    );
    workspace.remove("src/Cart.cs");
    let gone = update(&mut workspace, &mut contexts);
    assert!(
        fates(&gone).contains(&("Shop.Cart", TypeFate::Removed)),
        "{:?}",
        fates(&gone)
    );
}

#[test]
fn a_file_with_unsaved_text_waits() {
    let (mut workspace, mut contexts) = shop();
    read(&mut contexts);
    update(&mut workspace, &mut contexts);
    let text = "namespace Shop;\npublic class Order { public int Total() { return 9; } }\n";
    workspace.open("src/Order.cs", text);
    assert_eq!(fates(&update(&mut workspace, &mut contexts)), []);
    workspace.write("src/Order.cs", text);
    workspace.code.take_document("/w/app/src/Order.cs");
    let saved = update(&mut workspace, &mut contexts);
    assert!(
        fates(&saved).contains(&("Shop.Order", TypeFate::Changed)),
        "{:?}",
        fates(&saved)
    );
}

#[test]
fn an_outline_that_was_asked_for_is_written() {
    let fixture = format!("{SHOP}//- /app/.context/index.json\n{{}}\n");
    let (mut workspace, mut contexts) = with(&fixture, config());
    read(&mut contexts);
    let report = update(&mut workspace, &mut contexts);
    let of_order = report
        .changes
        .iter()
        .find(|change| change.fqn == "Shop.Order");
    let id = of_order.unwrap().id.clone();
    contexts.keep_outline(&workspace.code, 0, id.clone());
    let paths = contexts.renew_new_outlines(&workspace.code, 0, report);
    assert_eq!(paths, Vec::<String>::new(), "nothing has to be read before");
    let (_, changes) = contexts.folders[0].commit("access", NOW).unwrap();
    let written = format!("{changes:?}");
    assert!(
        written.contains(&format!("types/{id}.outline")),
        "{written:.2000}"
    );
}

#[test]
fn writes_of_others_are_told_from_own_ones() {
    let (workspace, mut contexts) = shop();
    let roots = &workspace.code.workspace().roots;
    let index = "/w/app/.context/index.json".to_owned();
    let text = "/w/app/.context/types/T_1.semantic.md".to_owned();
    let reported = [index, text, "/w/app/src/Order.cs".to_owned()];
    let unread = contexts.reported_writes(roots, &reported);
    assert_eq!(unread, Default::default(), "the folder was not read");
    read(&mut contexts);
    let writes = contexts.reported_writes(roots, &reported);
    assert_eq!(writes.texts, [(0, "T_1".to_owned())]);
    let files: Vec<String> = writes.files[&0].iter().cloned().collect();
    assert_eq!(files, [".context/index.json"]);
    let file = |stamp: Option<&str>| FetchedFile {
        bytes: stamp.map(|_| Bytes(Vec::new())),
        stamp: stamp.map(str::to_owned),
        error: None,
    };
    assert!(
        !contexts.is_written_by_others(0, &files, &[file(None)]),
        "as it was read"
    );
    assert!(contexts.is_written_by_others(0, &files, &[file(Some("other"))]));
    contexts.folders[0].window_changed = true;
    assert!(contexts.read_anew(0), "the window is new to the disk");
    assert_eq!(contexts.folders[0].step, FolderPhase::Unread);
}

#[test]
fn a_report_that_comes_while_the_folder_is_written_waits() {
    let (mut workspace, mut contexts) = shop();
    read(&mut contexts);
    contexts.commits.push((5, 0));
    let files = [".context/index.json".to_owned()];
    assert!(!contexts.is_written_by_others(0, &files, &absent(1)));
    let mut outbox = Outbox::default();
    contexts.fetch_noticed(&mut workspace.code, &mut outbox, 0);
    assert!(contexts.requests.is_empty());
    contexts.commits.clear();
    contexts.fetch_noticed(&mut workspace.code, &mut outbox, 0);
    assert_eq!(contexts.requests[0].purpose, Purpose::Written);
    assert_eq!(contexts.requests[0].paths, files);
}

#[test]
fn a_folder_that_was_removed_is_left_to_its_listing() {
    let (workspace, mut contexts) = shop();
    read(&mut contexts);
    let roots = &workspace.code.workspace().roots;
    let writes = contexts.reported_writes(roots, &["/w/app/.context".to_owned()]);
    let files: Vec<String> = writes.files[&0].iter().cloned().collect();
    assert!(ContextState::watched().all(|path| files.contains(&path)));
    assert!(!contexts.is_written_by_others(0, &files, &absent(files.len())));
}

#[test]
fn damaged_settings_are_reported_and_defaults_hold() {
    let fixture = format!("{SHOP}//- /app/.context/config.json\n{{ \"window\": \n");
    let (mut workspace, mut contexts) = with(&fixture, config());
    read(&mut contexts);
    assert!(contexts.has_new_config(&workspace.code, 0));
    let before = contexts.problem_count(0);
    let mut outbox = Outbox::default();
    assert!(contexts.apply_config(&mut workspace.code, &mut outbox, 0));
    assert!(contexts.problem_count(0) > before);
    assert!(!contexts.has_new_config(&workspace.code, 0));
    assert!(
        !contexts.apply_config(&mut workspace.code, &mut outbox, 0),
        "as before"
    );
    let notices = format!("{:?}", outbox.into_effects());
    assert!(notices.contains("its defaults hold"), "{notices}");
}

#[test]
fn the_report_of_an_update_is_taken_once() {
    let (_, mut contexts) = shop();
    assert!(contexts.take_report(0).is_none(), "the folder was not read");
    read(&mut contexts);
    contexts.folders[0]
        .account
        .problems
        .push("broken".to_owned());
    contexts.folders[0].failed(ContextFailure::Busy, NOW + 250);
    let report = contexts.take_report(0).unwrap();
    assert_eq!(report.problems, ["broken"]);
    assert_eq!(contexts.failure(0), Some(&ContextFailure::Busy));
    assert!(contexts.take_report(0).unwrap().problems.is_empty());
    assert!(contexts.is_busy(0, NOW) && !contexts.is_busy(0, NOW + 250));
}

#[test]
fn a_folder_with_news_asks_for_a_tick() {
    let (workspace, mut contexts) = shop();
    contexts.want(&workspace.code, 0);
    contexts.take_tick();
    read(&mut contexts);
    contexts.look_for_tick(&workspace.code);
    assert!(contexts.take_tick().is_some(), "all types are new");
    let (workspace, mut contexts) = shop();
    contexts.look_for_tick(&workspace.code);
    assert_eq!(contexts.take_tick(), None, "nobody wants the folder");
}

/// A root with a folder that was read, and its first update done.
fn kept() -> (Workspace, Contexts, UpdateReport) {
    let fixture = format!("{SHOP}//- /app/.context/index.json\n{{}}\n");
    let (mut workspace, mut contexts) = with(&fixture, config());
    read(&mut contexts);
    let report = update(&mut workspace, &mut contexts);
    (workspace, contexts, report)
}

fn id_of(report: &UpdateReport, path: &str) -> String {
    let change = report.changes.iter().find(|change| change.fqn == path);
    change.unwrap().id.clone()
}

/// What the next commit writes, as text.
fn written(contexts: &mut Contexts) -> String {
    let commit = contexts.folders[0].commit("access", NOW);
    commit.map_or_else(String::new, |(_, changes)| format!("{changes:?}"))
}

#[test]
fn outlines_are_kept_where_there_is_a_folder() {
    let (workspace, mut contexts) = shop();
    read(&mut contexts);
    contexts.keep_outline(&workspace.code, 0, "T_1".to_owned());
    assert!(contexts.folders[0].asked.is_empty(), "no folder");
    let (workspace, mut contexts, _) = kept();
    contexts.keep_outline(&workspace.code, 0, "T_1".to_owned());
    contexts.keep_outline(&workspace.code, 4, "T_1".to_owned());
    assert_eq!(contexts.folders[0].asked.len(), 1);
}

#[test]
fn types_that_are_invalidated_by_hand_wait_for_the_update() {
    let (mut workspace, mut contexts, report) = kept();
    let id = id_of(&report, "Shop.Order");
    contexts.note_invalid(0, vec![id, "T_none".to_owned()]);
    contexts.note_invalid(3, vec!["T_none".to_owned()]);
    contexts.look_for_tick(&workspace.code);
    assert!(contexts.take_tick().is_some());
    update(&mut workspace, &mut contexts);
    assert!(contexts.folders[0].invalid.is_empty());
}

#[test]
fn a_window_file_is_wanted_of_roots_that_were_read() {
    let (_, mut contexts) = shop();
    contexts.want_window_file();
    assert!(contexts.folders[0].wants_window && !contexts.folders[0].window_changed);
    let (_, mut contexts, _) = kept();
    contexts.folders[0].window_changed = false;
    contexts.want_window_file();
    assert!(contexts.folders[0].window_changed);
    contexts.folders[0].window_changed = false;
    contexts.want_window_file();
    assert!(!contexts.folders[0].window_changed, "it is wanted already");
}

#[test]
fn packs_are_written_and_deleted_by_their_names() {
    let (_, mut contexts, _) = kept();
    contexts.write_pack(0, "api", Some("# api\n".to_owned()));
    contexts.write_pack(5, "api", Some("no such root".to_owned()));
    let text = written(&mut contexts);
    assert!(text.contains("packs/api"), "{text:.400}");
    contexts.folders[0].committed(vec![Some("new".to_owned()); 4]);
    contexts.write_pack(0, "api", None);
    assert!(written(&mut contexts).contains("Delete"));
}

#[test]
fn live_context_is_recorded_where_the_settings_ask_for_it() {
    let fixture = format!("{SHOP}//- /app/.context/index.json\n{{}}\n");
    let record = Config {
        record: true,
        ..config()
    };
    let (workspace, contexts) = with(&fixture, record.clone());
    assert!(contexts.wants_recording(&workspace.code, 0));
    assert!(!contexts.wants_recording(&workspace.code, 1));
    let (workspace, contexts) = with(SHOP, record);
    assert!(!contexts.wants_recording(&workspace.code, 0), "no folder");
    let (workspace, contexts, _) = kept();
    assert!(
        !contexts.wants_recording(&workspace.code, 0),
        "not asked for"
    );
}

#[test]
fn without_bodies_nothing_is_written() {
    let (mut workspace, mut contexts, _) = kept();
    assert_eq!(contexts.why_never(&workspace.code, 0), None);
    let mut outbox = Outbox::default();
    workspace
        .code
        .shed(&mut outbox, codecortex_protocol::GivenUp::Bodies);
    assert!(
        contexts
            .why_never(&workspace.code, 0)
            .unwrap()
            .contains("memory limit")
    );
    contexts.folders[0].needs_all = true;
    contexts.look_for_tick(&workspace.code);
    assert_eq!(contexts.take_tick(), None);
}
