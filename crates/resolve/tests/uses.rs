//! What is told of a name besides its uses: which stand under another name, and what provably leads outside.

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Dialect, bind_masked};
use codecortex_resolve::{DefRef, FileNo, Resolver, Tier, Uses, Workspace};
use codecortex_syntax::language::detect;
use codecortex_syntax::{as_parsed, parse};

/// The uses of what is declared at the first `«` of these files, and where all marks are.
fn uses(dialect: Dialect, files: &[(&str, &str)]) -> (Uses, Vec<(FileNo, u32)>) {
    let mut workspace = Workspace::default();
    let mut marks = Vec::new();
    for (file, (path, marked)) in (0..).zip(files) {
        let (mut text, mut is_first) = (String::new(), true);
        for part in marked.split('«') {
            if !is_first {
                marks.push((file, text.len() as u32));
            }
            is_first = false;
            text.push_str(part);
        }
        let language = detect(path, &text).unwrap();
        let readable = as_parsed(language, &text).into_owned();
        let tree = parse(language, &readable, None).unwrap();
        let bindings = bind_masked(dialect, &text, &readable, &tree);
        workspace.insert(file, path, dialect, &bindings);
    }
    let resolver = Resolver::new(&workspace);
    let (file, at) = marks.remove(0);
    let of: DefRef = resolver.definition_at(file, at).unwrap();
    (resolver.counted_references_of(&[of], true), marks)
}

/// SPEC D34: what is used under the name that an import gives is related, and is told apart.
#[test]
fn uses_under_a_new_name_are_related() {
    let (uses, _) = uses(
        Dialect::Python,
        &[
            ("pkg/impl.py", "def «run(): ...\n"),
            ("pkg/__init__.py", "from .impl import run as start\n"),
            (
                "app.py",
                "from pkg import start\ndef main():\n    start()\n",
            ),
        ],
    );
    assert!(uses.renamed.contains(&(2, 38)), "{uses:?}");
    let tier_at = |place| {
        let mut all = uses.references.iter();
        all.find(|of| (of.file, of.at) == place).map(|of| of.tier)
    };
    assert_eq!(tier_at((2, 38)), Some(Tier::Related));
}

/// SPEC X3: an occurrence is a use, another symbol's, or counted as one that leads outside.
#[test]
fn what_leads_outside_is_counted() {
    let text = "import { thing } from 'lib';\nclass A { «go() {} }\nfunction f(d: Date, x: any, a: A) { d.go(); x.go(); thing().go(); a.go(); }\n";
    let (uses, _) = uses(Dialect::TypeScript, &[("a.ts", text)]);
    let tiers: Vec<Tier> = uses.references.iter().map(|of| of.tier).collect();
    assert_eq!(tiers, [Tier::Name, Tier::Name, Tier::Exact]);
    assert_eq!(uses.outside, 1);
}

/// SPEC X3: what is imported of a module that can be no package may be anything of that name; a package's is not.
#[test]
fn what_a_module_that_is_no_package_has_counts_by_name() {
    let files = |module: &str| {
        let text = format!(
            "import {{ «load, Store }} from '{module}';\nimport * as all from '{module}';\n«load();\nall.«load();\nnew Store().«load();\n"
        );
        [
            ("lib/db.ts", "export function «load() {}\n".to_owned()),
            ("a.ts", text),
        ]
    };
    for module in ["$lib/db", "#db", "@/db", "~/db"] {
        let files = files(module);
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        let (uses, marks) = uses(Dialect::TypeScript, &files);
        let found: Vec<(FileNo, u32)> = uses.references.iter().map(|of| (of.file, of.at)).collect();
        assert_eq!(found, marks, "{module}");
        let is_by_name = uses.references.iter().all(|of| of.tier == Tier::Name);
        assert!(is_by_name && uses.outside == 0, "{module}: {uses:?}");
    }
    let files = files("db");
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let (uses, _) = uses(Dialect::TypeScript, &files);
    assert!(uses.outside >= 2, "{uses:?}");
}

/// SPEC X3: what a package's type points to nobody knows; what the standard library's does is known.
#[test]
fn what_a_package_may_point_to_stands_under_its_name() {
    let text = "pub struct Item;\nimpl Item { pub fn «poke(&self) {} }\nfn f(a: Item, guard: &pkg::Guard, path: &std::path::Path) {\n    let x = pkg::Wrapper::new(a);\n    x.«poke();\n    x.load().«poke();\n    guard.«poke();\n    path.«poke();\n}\n";
    let (uses, marks) = uses(Dialect::Rust, &[("src/lib.rs", text)]);
    let found: Vec<_> = uses.references.iter().map(|of| (of.file, of.at)).collect();
    assert_eq!(found, marks[..3]);
    assert!(
        uses.references.iter().all(|of| of.tier == Tier::Name),
        "{uses:?}"
    );
    assert_eq!(uses.outside, 1);
}
