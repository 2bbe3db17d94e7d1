//! What each kind of edit changes in languages that are described by data alone (SPEC H3, H4, D18).
#![allow(clippy::unwrap_used, reason = "a test")]

use codecortex_index::{ChangeKinds, HashRules, Hashes, Index, Resolution, SymbolPath};
use codecortex_syntax::{Limits, Outcome, analyse};

/// The hashes of a type, or of a file's module where `symbol` is empty.
fn hashes(path: &str, text: &str, symbol: &str) -> Hashes {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    let Outcome::Facts(facts) = analyse(path, text.as_bytes(), limits) else {
        panic!("{path} was skipped");
    };
    assert_eq!(facts.syntax_errors, 0, "{path}: {text}");
    let mut index = Index::new();
    index.insert(0, path, facts);
    if symbol.is_empty() {
        let files = index.files().map(|(_, file)| file);
        return index.module_hashes("m", files, HashRules::default());
    }
    match index.resolve(&SymbolPath::parse(symbol).unwrap()) {
        Resolution::One(found) => index.type_hashes(found.symbols[0], HashRules::default()),
        other => panic!("{symbol}: {other:?}"),
    }
}

/// The gravest class of change between the two sides of `«before|after»`.
fn changed(path: &str, symbol: &str, text: &str) -> &'static str {
    let side = |take: usize| -> String {
        let parts = text.split(['«', '»']).enumerate();
        let pick = |(index, part): (usize, &str)| match index % 2 {
            0 => part.to_owned(),
            _ => part.split('|').nth(take).unwrap().to_owned(),
        };
        parts.map(pick).collect()
    };
    let hash = |text: &str| hashes(path, text, symbol);
    let changes = ChangeKinds::between(&hash(&side(0)), &hash(&side(1)));
    changes.class().map_or("nothing", |class| class.as_str())
}

#[test]
fn each_kind_of_edit_is_what_it_is() {
    let cases: &[(&str, &str, &str, &str)] = &[
        ("a.rb", "C", "class C\n  def «f|g»; end\nend\n", "Structure"),
        (
            "a.rb",
            "C",
            "class C\n  def f(«a|a, b»); end\nend\n",
            "Structure",
        ),
        (
            "a.rb",
            "C",
            "class C\n  def f\n    «1|2»\n  end\nend\n",
            "PublicBehavior",
        ),
        (
            "a.rb",
            "C",
            "class C\n  private\n  def f\n    «1|2»\n  end\nend\n",
            "Internal",
        ),
        (
            "a.rb",
            "C",
            "class C\n  # «A|B»\n  def f; end\nend\n",
            "Docs",
        ),
        (
            "a.rb",
            "C",
            "class C\n  def f\n    1«|  »\n  end\nend\n",
            "Cosmetic",
        ),
        (
            "a.rb",
            "C",
            "class C\n  def f\n    puts« |»[1]\n  end\nend\n",
            "PublicBehavior",
        ),
        (
            "a.php",
            "C",
            "<?php\nclass C { public function «f|g»() {} }\n",
            "Structure",
        ),
        (
            "a.php",
            "C",
            "<?php\nclass C { public function f(«int|string» $a) {} }\n",
            "Structure",
        ),
        (
            "a.php",
            "C",
            "<?php\nclass C { public function f() { return «1|2»; } }\n",
            "PublicBehavior",
        ),
        (
            "a.php",
            "C",
            "<?php\nclass C { private function f() { return «1|2»; } }\n",
            "Internal",
        ),
        ("a.php", "C", "<?php\n/** «A|B» */\nclass C { }\n", "Docs"),
        (
            "a.kt",
            "C",
            "class C {\n    fun «f|g»() {}\n}\n",
            "Structure",
        ),
        (
            "a.kt",
            "C",
            "class C { fun f(): «Int|Long» = 1 }\n",
            "Structure",
        ),
        (
            "a.kt",
            "C",
            "class C {\n    fun f() { g(«1|2») }\n}\n",
            "PublicBehavior",
        ),
        (
            "a.kt",
            "C",
            "class C {\n    private fun f() { g(«1|2») }\n}\n",
            "Internal",
        ),
        (
            "a.kt",
            "C",
            "class C {\n    /** «A|B» */\n    fun f() {}\n}\n",
            "Docs",
        ),
        (
            "a.kt",
            "C",
            "class C {\n    fun f() { g(«| »1) }\n}\n",
            "Cosmetic",
        ),
        (
            "a.swift",
            "C",
            "public class C { public func «f|g»() {} }\n",
            "Structure",
        ),
        (
            "a.swift",
            "C",
            "public class C { public func f(a: «Int|String») {} }\n",
            "Structure",
        ),
        (
            "a.swift",
            "C",
            "public class C { public func f() { g(«1|2») } }\n",
            "PublicBehavior",
        ),
        (
            "a.swift",
            "C",
            "public class C { private func f() { g(«1|2») } }\n",
            "Internal",
        ),
        ("a.swift", "C", "/// «A|B»\npublic class C { }\n", "Docs"),
        (
            "a.scala",
            "C",
            "class C { def «f|g»(): Int = 1 }\n",
            "Structure",
        ),
        (
            "a.scala",
            "C",
            "class C { def f(): Int = «1|2» }\n",
            "PublicBehavior",
        ),
        (
            "a.scala",
            "C",
            "class C { private def f(): Int = «1|2» }\n",
            "Internal",
        ),
        ("a.scala", "C", "/** «A|B» */\nclass C { }\n", "Docs"),
        (
            "a.lua",
            "C",
            "local C = {}\nfunction C.«f|g»() end\nreturn C\n",
            "Structure",
        ),
        (
            "a.lua",
            "C",
            "local C = {}\nfunction C.f() return «1|2» end\nreturn C\n",
            "PublicBehavior",
        ),
        (
            "a.lua",
            "C",
            "local C = {}\n--- «A|B»\nfunction C.f() end\nreturn C\n",
            "Docs",
        ),
        ("a.lua", "", "function «f|g»() end\n", "Structure"),
        (
            "a.lua",
            "",
            "local function f() return [[«a|b»]] end\n",
            "Internal",
        ),
        (
            "a.lua",
            "",
            "function f()\n  -- «a|b»\n  return 1\nend\n",
            "Cosmetic",
        ),
        ("a.sh", "", "«f|g»() { :; }\n", "Structure"),
        ("a.sh", "", "f() { echo «a|b»; }\n", "PublicBehavior"),
        ("a.sh", "", "f() { echo a« -|-»b; }\n", "PublicBehavior"),
        ("a.sh", "", "# «A|B»\nf() { :; }\n", "Docs"),
        ("a.dart", "C", "class C { void «f|g»() {} }\n", "Structure"),
        (
            "a.dart",
            "C",
            "class C { int f() { return «1|2»; } }\n",
            "PublicBehavior",
        ),
        (
            "a.dart",
            "C",
            "class C { int _f() { return «1|2»; } }\n",
            "Internal",
        ),
        ("a.dart", "C", "/// «A|B»\nclass C { }\n", "Docs"),
        (
            "a.dart",
            "C",
            "class C { int f() {« |  »return 1; } }\n",
            "Cosmetic",
        ),
        (
            "a.ex",
            "",
            "defmodule M do\n  def «f|g»(a), do: a\nend\n",
            "Structure",
        ),
        (
            "a.ex",
            "",
            "defmodule M do\n  def f(a) do\n    «1|2»\n  end\nend\n",
            "PublicBehavior",
        ),
        (
            "a.ex",
            "",
            "defmodule M do\n  defp f(a) do\n    «1|2»\n  end\nend\n",
            "Internal",
        ),
        (
            "a.ex",
            "",
            "defmodule M do\n  @doc \"«A|B»\"\n  def f(a), do: a\nend\n",
            "Docs",
        ),
        (
            "a.zig",
            "C",
            "pub const C = struct { pub fn «f|g»() void {} };\n",
            "Structure",
        ),
        (
            "a.zig",
            "C",
            "pub const C = struct { pub fn f() u8 { return «1|2»; } };\n",
            "PublicBehavior",
        ),
        (
            "a.zig",
            "C",
            "pub const C = struct { fn f() u8 { return «1|2»; } };\n",
            "Internal",
        ),
        (
            "a.zig",
            "C",
            "pub const C = struct {\n    /// «A|B»\n    a: u8,\n};\n",
            "Docs",
        ),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(path, symbol, text, expected)| {
            let found = changed(path, symbol, text);
            (found != *expected).then(|| format!("{path} {text:?}: {expected}, not {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Paths are written as the language writes them, and read with anybody's separators.
#[test]
fn paths_have_the_separators_of_their_language() {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    for (path, text, asked, written) in [
        (
            "a.rb",
            "module A\n  class B\n    def f; end\n  end\nend\n",
            "A::B#f",
            "A::B#f",
        ),
        (
            "a.php",
            "<?php\nnamespace A\\B;\nclass C { function f() {} }\n",
            "A\\B\\C::f",
            "A\\B\\C::f",
        ),
        (
            "a.php",
            "<?php\nnamespace A\\B;\nclass C { function f() {} }\n",
            "B.C.f",
            "A\\B\\C::f",
        ),
        (
            "a.kt",
            "package a.b\nclass C {\n    fun f() {}\n}\n",
            "a.b.C.f",
            "a.b.C.f",
        ),
        ("a.swift", "class C { func f() {} }\n", "C.f", "C.f"),
        (
            "a.scala",
            "package a.b\nclass C { def f = 1 }\n",
            "C.f",
            "a.b.C.f",
        ),
        (
            "lib/a.lua",
            "local M = {}\nfunction M.f() end\nreturn M\n",
            "M.f",
            "lib.a.M.f",
        ),
        ("bin/a.sh", "f() { :; }\n", "f", "bin/a.f"),
        (
            "lib/a.dart",
            "class C { void f() {} }\n",
            "C.f",
            "lib/a.C.f",
        ),
        (
            "a.ex",
            "defmodule A.B do\n  def f(a), do: a\nend\n",
            "A.B.f",
            "A.B.f",
        ),
        (
            "src/a.zig",
            "const C = struct { fn f() void {} };\n",
            "C.f",
            "src.a.C.f",
        ),
    ] {
        let Outcome::Facts(facts) = analyse(path, text.as_bytes(), limits) else {
            panic!("{path} was skipped");
        };
        let mut index = Index::new();
        index.insert(0, path, facts);
        match index.resolve(&SymbolPath::parse(asked).unwrap()) {
            Resolution::One(found) => assert_eq!(index.path_of(found.symbols[0]), written),
            other => panic!("{asked}: {other:?}"),
        }
    }
}
