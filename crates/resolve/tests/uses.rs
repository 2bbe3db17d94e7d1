//! What is told of a name besides its uses: which stand under another name, and what provably leads outside.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::Arc;

use codecortex_bind::{Dialect, bind_masked, encode};
use codecortex_external::standard_library::StandardLibrary;
use codecortex_resolve::{
    ConfidenceTier, DefRef, FileNo, LibrarySource, Resolver, SymbolUses, Workspace,
};
use codecortex_syntax::language::detect;
use codecortex_syntax::{Language, as_parsed, bindings_of_text, parse};

/// The declarations of Rust's library.
#[derive(Debug)]
struct Declarations;

impl LibrarySource for Declarations {
    fn paths(&self) -> Vec<String> {
        let library = StandardLibrary::of(Language::Rust).unwrap();
        library.paths().map(str::to_owned).collect()
    }

    fn bindings(&self, path: &str) -> Option<Arc<[u8]>> {
        let text = StandardLibrary::of(Language::Rust)?.text(path)?;
        Some(encode(bindings_of_text(path, &text)?).into())
    }
}

/// The uses of what is declared at the first `«` of these files, and where all marks are.
fn uses(dialect: Dialect, files: &[(&str, &str)]) -> (SymbolUses, Vec<(FileNo, u32)>) {
    let mut workspace = Workspace::default();
    if dialect == Dialect::Rust {
        // Its rules know no type of the library by themselves.
        workspace.set_library(dialect, Arc::new(Declarations));
    }
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
    assert_eq!(tier_at((2, 38)), Some(ConfidenceTier::Related));
}

/// SPEC X3: an occurrence is a use, another symbol's, or counted as one that leads outside.
#[test]
fn what_leads_outside_is_counted() {
    let text = "import { thing } from 'lib';\nclass A { «go() {} }\nfunction f(d: Date, x: any, a: A) { d.go(); x.go(); thing().go(); a.go(); }\n";
    let (uses, _) = uses(Dialect::TypeScript, &[("a.ts", text)]);
    let tiers: Vec<ConfidenceTier> = uses.references.iter().map(|of| of.tier).collect();
    assert_eq!(
        tiers,
        [
            ConfidenceTier::Name,
            ConfidenceTier::Name,
            ConfidenceTier::Exact
        ]
    );
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
        let is_by_name = uses
            .references
            .iter()
            .all(|of| of.tier == ConfidenceTier::Name);
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
        uses.references
            .iter()
            .all(|of| of.tier == ConfidenceTier::Name),
        "{uses:?}"
    );
    assert_eq!(uses.outside, 1);
}

/// SPEC X3: what no `impl` of a trait has takes the place of nothing; what one has takes that of its trait alone.
#[test]
fn a_member_of_no_outside_trait_replaces_nothing_outside() {
    let text = "use std::cell::Cell;\nuse std::io::Read;\npub struct Once;\nimpl Clone for Once { fn clone(&self) -> Self { Once } }\nimpl Read for Once { fn read(&mut self, b: &mut [u8]) -> std::io::Result<usize> { Ok(0) } }\nimpl Once { pub fn «get(&self) {} }\nfn f(cell: &Cell<u8>, all: &mut Vec<Once>, once: &Once) { cell.get(); all.get(0); once.«get(); }\n";
    let (own, marks) = uses(Dialect::Rust, &[("src/lib.rs", text)]);
    let found: Vec<_> = own.references.iter().map(|of| (of.file, of.at)).collect();
    assert_eq!(found, marks);
    assert_eq!(own.outside, 2);

    let text = "use std::io::Read;\npub struct Once;\nimpl Read for Once { fn «read(&mut self, b: &mut [u8]) -> std::io::Result<usize> { Ok(0) } }\nfn f(file: &mut std::fs::File, any: &mut dyn Read, once: &mut Once) { file.read(&mut []); any.«read(&mut []); once.«read(&mut []); }\n";
    let (own, marks) = uses(Dialect::Rust, &[("src/lib.rs", text)]);
    let found: Vec<_> = own.references.iter().map(|of| (of.file, of.at)).collect();
    assert_eq!(found, marks);
    assert_eq!(own.outside, 1);
}

/// SPEC X3: a call with more arguments than a function takes is none of it, whoever its receiver is.
#[test]
fn a_call_of_another_arity_is_none_of_a_function() {
    for (dialect, path, text) in [
        (
            Dialect::Java,
            "A.java",
            "class A { void «put(int a, String... b) {}\n void f(Lib x) { x.make().«put(1); x.make().put(); x.make().«put(1, b, c); } }\n",
        ),
        (
            Dialect::CSharp,
            "a.cs",
            "class A { public void «Put(int a, int b = 1) {}\n void F(Lib x) { x.Make().«Put(1); x.Make().Put(); x.Make().«Put(1, 2); x.Make().Put(1, 2, 3); } }\n",
        ),
        (
            Dialect::Rust,
            "src/lib.rs",
            "pub struct A;\nimpl A { pub fn «put(&self, x: u8) {} }\nfn f(x: lib::Lib) { x.make().«put(1); x.make().put(1, 2, 3); x.make().put(); }\n",
        ),
    ] {
        let (uses, marks) = uses(dialect, &[(path, text)]);
        let found: Vec<_> = uses.references.iter().map(|of| (of.file, of.at)).collect();
        assert_eq!(found, marks, "{path}: {uses:?}");
        assert!(uses.outside > 0, "{path}");
    }
}

/// A trait that is implemented for every type has no call with another number of arguments.
#[test]
fn a_trait_for_all_types_has_no_call_of_another_arity() {
    let text = "pub trait Source {}\npub trait SourceExt: Source { fn «take(self, limit: u64) -> u8; }\nimpl<S: Source> SourceExt for S { fn take(self, limit: u64) -> u8 { 0 } }\nfn f(mut one: Option<u8>, other: lib::File) { one.take(); other.make().take(); other.make().«take(3); }\n";
    let (uses, marks) = uses(Dialect::Rust, &[("src/lib.rs", text)]);
    let found = uses.references.iter().map(|of| (of.file, of.at));
    let found: Vec<_> = found.filter(|place| place.1 > marks[0].1 - 60).collect();
    assert_eq!(found, marks, "{uses:?}");
}

/// SPEC X3: no type derives from a text or a number.
#[test]
fn a_member_of_a_text_is_none_of_a_type_with_outside_bases() {
    let text = "class Part implements CharSequence {\n  public int «length() { return 1; }\n  static int f(String text, CharSequence any, Part part) { return text.length() + any.«length() + part.«length(); }\n}\n";
    let (uses, marks) = uses(Dialect::Java, &[("Part.java", text)]);
    let found: Vec<_> = uses.references.iter().map(|of| (of.file, of.at)).collect();
    assert_eq!(found, marks, "{uses:?}");
    assert_eq!(uses.outside, 1);
}

/// Contextual keywords of C#: each is a name wherever one may stand.
const CONTEXTUAL: [&str; 53] = [
    "add",
    "alias",
    "allows",
    "and",
    "args",
    "ascending",
    "async",
    "await",
    "by",
    "closed",
    "descending",
    "dynamic",
    "equals",
    "extension",
    "field",
    "file",
    "from",
    "get",
    "global",
    "group",
    "init",
    "into",
    "join",
    "let",
    "managed",
    "method",
    "nameof",
    "nint",
    "not",
    "notnull",
    "nuint",
    "on",
    "or",
    "orderby",
    "param",
    "partial",
    "property",
    "record",
    "remove",
    "required",
    "scoped",
    "select",
    "set",
    "type",
    "typevar",
    "union",
    "unmanaged",
    "value",
    "var",
    "when",
    "where",
    "with",
    "yield",
];

#[test]
fn contextual_keywords_have_the_uses_of_other_names() {
    let declarations = [
        "class A { void F(bool «W) { if («W) G(W: «W, 1); G(«W, 2); H(!«W && «W); var x = $\"{«W}\"; } void G(bool W, int x) { } }",
        "class A { void G(bool «W, int x) { } void F(bool b) { G(«W: b, 1); G(b, 2); G(x: 1, «W: false); } }",
        "class A { void F() { var «W = new B(); «W.Go(); F(«W); «W.At = 1; x = [«W, 1]; } } class B { int At; void Go() { } }",
        "class A { int «W = 1; void F(A a) { «W = 2; this.«W++; a.«W = a.«W + «W; if (a is { «W: 1 }) return; var b = new A { «W = 1 }; } }",
        "class A { int «W(int a) => 1; void F(A a) { a.«W(1); this.«W(2); a?.«W(3); F(a.«W); } }",
        "class A { int «W { get; set; } int F(A a) => a.«W + this.«W + (a.«W > 1 ? a.«W : 2); }",
    ];
    let mut wrong = Vec::new();
    for declared in declarations {
        for word in CONTEXTUAL {
            let text = declared.replace('W', word);
            let (uses, mut marks) = uses(Dialect::CSharp, &[("a.cs", &text)]);
            let mut found: Vec<(FileNo, u32)> = uses
                .references
                .iter()
                .filter(|of| of.tier == ConfidenceTier::Exact)
                .map(|of| (of.file, of.at))
                .collect();
            found.sort_unstable();
            marks.sort_unstable();
            if found != marks {
                wrong.push(format!("{text}\n  {found:?}\n  {marks:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// SPEC X3: whatever a name of C# stands behind, each occurrence in code is a use in some tier, another symbol's, or counted
/// as one that leads outside.
#[test]
fn no_occurrence_in_csharp_is_lost() {
    const RECEIVERS: [&str; 19] = [
        "d",
        "p",
        "a",
        "all",
        "s",
        "repo",
        "all[0]",
        "Make()",
        "Pkg.Make()",
        "new Thing()",
        "this",
        "s.Length",
        "d.x.y",
        "(d)",
        "(await p.Get())",
        "all.First()",
        "Unknown",
        "default(A)",
        "a.Next",
    ];
    const FORMS: [&str; 38] = [
        "R.go();",
        "_ = R.go;",
        "R?.go();",
        "R.go = null;",
        "F(R.go);",
        "_ = $\"{R.go}\";",
        "if (R is { go: null }) { }",
        "_ = nameof(R.go);",
        "F(x => R.go());",
        "_ = from q in R.go() select q;",
        "_ = R.go ?? R.go;",
        "_ = R[0].go;",
        "R.go += null;",
        "_ = R switch { { go: null } => 1, _ => 2 };",
        "await R.go();",
        "var v = R; v.go();",
        "foreach (var e in R) e.go();",
        "_ = R.Where(e => e.go() != null);",
        "_ = R.Pick(e => e.go);",
        "R.Try(out var o); o.go();",
        "using var u = R.Open(); u.go();",
        "(R as A)?.go();",
        "((A)R).go();",
        "_ = R with { go = null };",
        "_ = new { R.go };",
        "var (m, n) = R; m.go(n);",
        "lock (R.go) { }",
        "go(R);",
        "_ = new A { go = R };",
        "_ = new Pkg.Q { go = R };",
        "R.Set(go: 1);",
        "R.go<int>();",
        "_ = R.go.go;",
        "R.go[0] = 1;",
        "_ = R.go!.Next;",
        "R.Next.go();",
        "_ = R.go is null ? R.go : null;",
        "throw R.go();",
    ];
    let mut lost = Vec::new();
    for receiver in RECEIVERS {
        for form in FORMS {
            let statement = form.replace('R', receiver);
            let text = format!(
                "using Pkg; class A {{ public System.Func<A> «go; public A Next; A Make() => this; void F(object o) {{ }} \
                 async System.Threading.Tasks.Task M(dynamic d, Thing p, A a, System.Collections.Generic.List<A> all, \
                 string s, Repo<A> repo) {{ {statement} }} }}"
            );
            let (uses, _) = uses(Dialect::CSharp, &[("a.cs", &text)]);
            let words = statement.split(|sign: char| !sign.is_alphanumeric());
            let occurrences = words.filter(|word| *word == "go").count();
            let told = uses.references.len() + uses.outside;
            if told != occurrences {
                lost.push(format!("{statement}  {told} of {occurrences}: {uses:?}"));
            }
        }
    }
    assert!(
        lost.is_empty(),
        "{} of them:\n{}",
        lost.len(),
        lost.join("\n")
    );
}
