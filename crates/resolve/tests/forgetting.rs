//! What was read for questions is given back, and read again when somebody asks.

#![allow(clippy::unwrap_used, reason = "a test")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{DefRef, Reference, Resolver, Workspace};
use codecortex_syntax::{Language, parse};

const FILES: u32 = 40;

fn workspace() -> Workspace {
    workspace_of(FILES)
}

/// A file that declares `Hub`, and files that use it.
fn workspace_of(files: u32) -> Workspace {
    let mut workspace = Workspace::default();
    let mut insert = |file, path: &str, text: &str| {
        let tree = parse(Language::TypeScript, text, None).unwrap();
        workspace.insert(
            file,
            path,
            Dialect::TypeScript,
            &bind(Dialect::TypeScript, text, &tree),
        );
    };
    insert(0, "hub.ts", "export class Hub { run() {} }\n");
    for file in 1..files {
        let text = "import { Hub } from './hub';\nnew Hub().run();\n";
        insert(file, &format!("user{file}.ts"), text);
    }
    list_files(&workspace);
    workspace
}

/// Makes what tells in which files a name is: it is made once, whatever is forgotten.
fn list_files(workspace: &Workspace) {
    assert!(
        !workspace
            .files_with(workspace.name("Hub").unwrap())
            .is_empty()
    );
}

fn uses_of_hub(workspace: &Workspace) -> Vec<Reference> {
    let hub = workspace.globals(workspace.name("Hub").unwrap());
    let of = hub.iter().find(|def| def.file == 0).unwrap();
    Resolver::new(workspace).references(DefRef { ..*of })
}

#[test]
fn answers_are_the_same_after_everything_was_forgotten() {
    let mut workspace = workspace();
    let unread = workspace.memory();
    let before = uses_of_hub(&workspace);
    assert_eq!(before.len(), 2 * (FILES as usize - 1));
    let read = workspace.memory();
    assert!(read > unread);
    workspace.forget_beyond(read);
    assert_eq!(workspace.memory(), read, "below the limit nothing goes");
    workspace.forget_beyond(0);
    assert_eq!(workspace.memory(), unread);
    assert_eq!(uses_of_hub(&workspace), before);
    assert_eq!(workspace.memory(), read);
}

#[test]
fn what_was_used_last_stays() {
    let mut workspace = workspace();
    uses_of_hub(&workspace);
    let all = workspace.memory();
    workspace.forget_beyond(usize::MAX);
    let kept = workspace.file(3).unwrap().memory();
    let unread = {
        let mut other = self::workspace();
        uses_of_hub(&other);
        other.forget_beyond(0);
        other.memory()
    };
    // What is kept of the limit has room for that one file, not for two.
    workspace.forget_beyond(2 * kept);
    assert!(workspace.memory() < all);
    assert_eq!(workspace.memory(), unread + kept);
}

#[test]
fn a_file_that_is_taken_out_does_not_count() {
    let mut workspace = workspace();
    uses_of_hub(&workspace);
    for file in 0..FILES {
        workspace.remove(file);
    }
    workspace.forget_beyond(0);
    let mut again = Workspace::default();
    again.forget_beyond(0);
    assert!(workspace.file(3).is_none());
    assert!(workspace.memory() < self::workspace().memory());
}

/// Many files are looked through by several threads; a page of an answer begins where the one before ended.
#[test]
fn uses_in_many_files_come_in_order() {
    const MANY: u32 = 700;
    let workspace = workspace_of(MANY);
    let uses = uses_of_hub(&workspace);
    assert_eq!(uses.len(), 2 * (MANY as usize - 1));
    assert!(uses.is_sorted());
    let mut again = workspace_of(MANY);
    again.forget_beyond(0);
    assert_eq!(uses_of_hub(&again), uses);
}

/// A file in which a name is that of locals alone is no place to look for a declaration's uses.
#[test]
fn a_file_with_locals_of_the_name_is_not_read() {
    let mut workspace = workspace_of(1);
    for file in 1..10 {
        let text = "export function f(Hub: number) { const g = () => Hub; return g() + Hub; }\n";
        let tree = parse(Language::TypeScript, text, None).unwrap();
        let bindings = bind(Dialect::TypeScript, text, &tree);
        let path = format!("local{file}.ts");
        workspace.insert(file, &path, Dialect::TypeScript, &bindings);
    }
    list_files(&workspace);
    let unread = workspace.memory();
    assert!(uses_of_hub(&workspace).is_empty());
    let hub = workspace.file(0).unwrap().memory();
    assert_eq!(workspace.memory(), unread + hub);
    let used = "import { Hub } from './hub';\nexport function f(Hub2: number) { return Hub; }\n";
    let tree = parse(Language::TypeScript, used, None).unwrap();
    let bindings = bind(Dialect::TypeScript, used, &tree);
    workspace.insert(10, "user.ts", Dialect::TypeScript, &bindings);
    assert_eq!(uses_of_hub(&workspace).len(), 2);
}
