//! Modules that questions met and that no file has, and what is not known for that reason (SPEC D30).

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Bindings, Dialect, bind};
use codecortex_resolve::{ExprRef, Hints, Mapping, MissingModule, Resolver, SearchPath, Workspace};
use codecortex_syntax::language::detect;
use codecortex_syntax::parse;

fn bound(dialect: Dialect, path: &str, text: &str) -> Bindings {
    let tree = parse(detect(path, text).unwrap(), text, None).unwrap();
    bind(dialect, text, &tree)
}

/// A workspace of these files, numbered in their order.
fn workspace(dialect: Dialect, files: &[(&str, &str)]) -> Workspace {
    let mut workspace = Workspace::default();
    for (file, (path, text)) in (0..).zip(files) {
        workspace.insert(file, path, dialect, &bound(dialect, path, text));
    }
    workspace
}

/// Looks up the last occurrence of a name in a file.
fn look_up(workspace: &Workspace, file: u32, text: &str, name: &str) -> usize {
    let resolver = Resolver::new(workspace);
    let at = text.rfind(name).unwrap() as u32;
    let (used, _) = resolver.at(file, at);
    let expr = used.unwrap();
    resolver.target(ExprRef { file, expr }).defs.len()
}

fn missing(workspace: &Workspace) -> Vec<(Option<String>, String)> {
    let modules = workspace.missing_modules().into_iter();
    modules.map(|module| (module.folder, module.path)).collect()
}

const APP: &str = "import os\nimport wire.shapes\nfrom wire import Client\nfrom near import own\n\ndef run(client: Client):\n    client.send()\n    own()\n";

#[test]
fn a_look_up_notes_the_modules_that_it_meets() {
    let files = [("app.py", APP), ("near.py", "def own(): ...\n")];
    let workspace = workspace(Dialect::Python, &files);
    // Nobody asked yet; what the workspace has is not missing.
    assert_eq!(missing(&workspace), []);
    assert_eq!(look_up(&workspace, 0, APP, "own"), 1);
    assert_eq!(missing(&workspace), []);
    let met = workspace.missing_met();
    look_up(&workspace, 0, APP, "send");
    assert!(workspace.missing_met() > met);
    assert_eq!(missing(&workspace), [(None, "wire".to_owned())]);
    // What an import leads to by way of the package.
    let mut inside = workspace.imported_paths(0, "wire");
    inside.sort();
    assert_eq!(inside, ["wire/Client", "wire/shapes"]);
}

#[test]
fn what_was_looked_for_is_not_reported_again_until_files_change() {
    let mut workspace = workspace(Dialect::Python, &[("app.py", APP)]);
    look_up(&workspace, 0, APP, "send");
    workspace.settle_missing(workspace.missing_modules());
    let met = workspace.missing_met();
    look_up(&workspace, 0, APP, "send");
    assert_eq!(
        (missing(&workspace), workspace.missing_met()),
        (vec![], met)
    );
    // A file of a package changes nothing of that, one of the workspace does.
    let encoded = codecortex_bind::encode(bound(Dialect::Python, "site/a.py", "A = 1\n"));
    workspace.insert_external(7, "site/a.py", Dialect::Python, encoded.into());
    look_up(&workspace, 0, APP, "send");
    assert_eq!(missing(&workspace), []);
    workspace.insert(
        1,
        "b.py",
        Dialect::Python,
        &bound(Dialect::Python, "b.py", "B = 1\n"),
    );
    look_up(&workspace, 0, APP, "send");
    assert_eq!(missing(&workspace), [(None, "wire".to_owned())]);
}

#[test]
fn installed_packages_are_found_and_what_they_lack_is_noted_with_its_folder() {
    let package = "from .client import Client\n";
    let files = [("app.py", APP), ("site/wire/__init__.py", package)];
    let mut workspace = workspace(Dialect::Python, &files);
    let site = SearchPath {
        folder: String::new(),
        path: "site".to_owned(),
    };
    workspace.set_hints(Hints::default().with_search_paths(vec![site]));
    look_up(&workspace, 0, APP, "send");
    let beside = (Some("site/wire".to_owned()), "client".to_owned());
    assert_eq!(missing(&workspace), [beside]);
}

const SCRIPT: &str =
    "import { open } from 'wire';\nimport { near } from './near';\nopen().send();\nnear();\n";

#[test]
fn modules_of_scripts_are_noted_as_they_are_written() {
    let files = [
        ("src/a.ts", SCRIPT),
        ("src/near.ts", "export function near() {}\n"),
    ];
    let mut workspace = workspace(Dialect::TypeScript, &files);
    look_up(&workspace, 0, SCRIPT, "near");
    assert_eq!(missing(&workspace), []);
    look_up(&workspace, 0, SCRIPT, "send");
    let wire = MissingModule {
        from: 0,
        folder: None,
        path: "wire".to_owned(),
    };
    assert_eq!(workspace.missing_modules(), [wire]);
    // Where it is installed, the nearest folder's counts.
    let installed = |folder: &str, path: &str| Mapping {
        folder: folder.to_owned(),
        written: "wire".to_owned(),
        paths: vec![path.to_owned()],
        is_own: false,
    };
    let types =
        "export declare class Client { send(): void; }\nexport declare function open(): Client;\n";
    let modules = [installed("", "far.d.ts"), installed("src/", "types.d.ts")];
    workspace.set_hints(Hints::default().with_installed(&modules));
    let encoded = codecortex_bind::encode(bound(Dialect::TypeScript, "types.d.ts", types));
    workspace.insert_external(2, "types.d.ts", Dialect::TypeScript, encoded.into());
    assert_eq!(look_up(&workspace, 0, SCRIPT, "send"), 1);
}

#[test]
fn the_module_is_known_that_hides_the_type_of_a_receiver() {
    let text = "import wire\nfrom wire import Client\nfrom near import Near\n\nclass Own(Near):\n    client: Client\n    def use(self, near: Near, other):\n        self.client.get().a()\n        wire.open().b()\n        near.c()\n        other.d()\n        later = wire.later()\n        later.e()\n";
    let files = [("app.py", text), ("near.py", "class Near: ...\n")];
    let workspace = workspace(Dialect::Python, &files);
    let resolver = Resolver::new(&workspace);
    let of = |name: &str| {
        let at = text.find(&format!(".{name}()")).unwrap() + 1;
        resolver.missing_module_of_receiver(0, at as u32)
    };
    for name in ["a", "b", "e"] {
        assert_eq!(of(name).as_deref(), Some("wire"), "{name}");
    }
    for name in ["c", "d"] {
        assert_eq!(of(name), None, "{name}");
    }
}
