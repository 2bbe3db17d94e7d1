//! Long runs of comments and of empty lines: no grammar's scanner reads them again for each of their lines.

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    reason = "what it measures is shown with the time that it takes"
)]

use std::time::Instant;

use codecortex_syntax::{Limits, Outcome, analyse_text, hundred_operations, pieces_read};

const LIMITS: Limits = Limits {
    max_file_size: 64 << 20,
    exclude_generated: false,
};

/// A file's name, what is in front of a run, a line of it, and what is behind it.
const PLACES: [(&str, &str, &str, &str); 39] = [
    (
        "a.py",
        "def f():\n    return 1\n",
        "# pad\n",
        "def g():\n    return 2\n",
    ),
    (
        "a.py",
        "def f():\n    a = 1\n",
        "    # pad\n",
        "    return 1\n",
    ),
    ("a.py", "def f():\n    a = 1\n", "    # pad\n", ""),
    (
        "a.py",
        "def f():\n    a = 1\n",
        "    #: pad\n",
        "    b = 2\n",
    ),
    (
        "a.py",
        "def f():\n    if a:\n        b = 1\n",
        "    # pad\n",
        "    else:\n        b = 2\n",
    ),
    ("a.py", "a = 1\n", "# pad\n", "b = 2\n"),
    ("a.py", "a = [\n", "# pad\n", "]\n"),
    ("a.py", "def f():\n    a = '''\n", "    # pad\n", "   '''\n"),
    ("a.rb", "def f\n  a = 1\n", "  # pad\n", "  b\nend\n"),
    ("a.rb", "def f\n  a\n", "  # pad\n", "  .b\nend\n"),
    ("a.rb", "a = 1\n", "# pad\n", "b = 1\n"),
    (
        "a.kt",
        "fun f() {\n  val a = 1\n",
        "  // pad\n",
        "  g()\n}\n",
    ),
    ("a.kt", "fun f() {\n  a\n", "  // pad\n", "  .b()\n}\n"),
    (
        "a.kt",
        "class A {\n  val a = 1\n",
        "  // pad\n",
        "  val b = 1\n}\n",
    ),
    (
        "a.kt",
        "class A {\n  val a = 1\n",
        "  /* pad */\n",
        "  val b = 1\n}\n",
    ),
    (
        "a.swift",
        "func f() {\n  let a = 1\n",
        "  // pad\n",
        "  g()\n}\n",
    ),
    (
        "a.swift",
        "func f() {\n  let a = b\n",
        "  // pad\n",
        "  .g()\n}\n",
    ),
    (
        "a.swift",
        "func f() {\n  let a = b\n",
        "  /// pad\n",
        "  let c = 1\n}\n",
    ),
    (
        "a.swift",
        "func f() {\n  let a = b\n",
        "  /* pad */\n",
        "  let c = 1\n}\n",
    ),
    (
        "a.scala",
        "def f() = {\n  val a = 1\n",
        "  // pad\n",
        "  g()\n}\n",
    ),
    (
        "a.scala",
        "def f() =\n  val a = 1\n",
        "  // pad\n",
        "  g()\n",
    ),
    (
        "a.scala",
        "def f() =\n  val a = 1\n",
        "// pad\n",
        "def g() =\n  1\n",
    ),
    (
        "a.scala",
        "def f() =\n  val a = 1\n",
        "  /* pad */\n",
        "  g()\n",
    ),
    (
        "a.ex",
        "defmodule A do\n  def f do\n    a = 1\n",
        "    # pad\n",
        "    b\n  end\nend\n",
    ),
    (
        "a.ex",
        "defmodule A do\n  def f do\n    a\n",
        "    # pad\n",
        "    |> b\n  end\nend\n",
    ),
    ("a.sh", "f() {\n  a=1\n", "  # pad\n", "  b\n}\n"),
    (
        "a.lua",
        "function f()\n  a = 1\n",
        "  -- pad\n",
        "  b()\nend\n",
    ),
    (
        "a.dart",
        "f() {\n  var a = 1;\n",
        "  // pad\n",
        "  b();\n}\n",
    ),
    (
        "a.php",
        "<?php\nfunction f() {\n  $a = 1;\n",
        "  // pad\n",
        "  b();\n}\n",
    ),
    (
        "a.js",
        "function f() {\n  let a = 1\n",
        "  // pad\n",
        "  b()\n}\n",
    ),
    (
        "a.js",
        "function f() {\n  let a = 1\n",
        "  /* pad */\n",
        "  b()\n}\n",
    ),
    (
        "a.ts",
        "function f() {\n  let a = 1\n",
        "  // pad\n",
        "  b()\n}\n",
    ),
    ("a.ts", "class A {\n  a = 1\n", "  // pad\n", "  b = 2\n}\n"),
    (
        "a.go",
        "package a\nfunc f() {\n  a := 1\n",
        "  // pad\n",
        "  b()\n}\n",
    ),
    (
        "a.rs",
        "fn f() {\n  let a = 1;\n",
        "  // pad\n",
        "  b()\n}\n",
    ),
    (
        "a.cs",
        "class A {\n  int a = 1;\n",
        "  // pad\n",
        "  int b;\n}\n",
    ),
    (
        "a.cpp",
        "class A {\n  int a = 1;\n",
        "  // pad\n",
        "  int b;\n};\n",
    ),
    (
        "a.java",
        "class A {\n  int a = 1;\n",
        "  // pad\n",
        "  int b;\n}\n",
    ),
    (
        "a.zig",
        "fn f() void {\n  a = 1;\n",
        "  // pad\n",
        "  b();\n}\n",
    ),
];

/// How much of a text is read, in pieces, and how many hundred operations and seconds that takes.
fn cost(path: &str, text: &str) -> (u64, u64, f64) {
    let (pieces, operations, clock) = (pieces_read(), hundred_operations(), Instant::now());
    let outcome = analyse_text(path, text, LIMITS);
    assert!(matches!(outcome, Outcome::Facts(_)), "{path}: {outcome:?}");
    let seconds = clock.elapsed().as_secs_f64();
    (
        pieces_read() - pieces,
        hundred_operations() - operations,
        seconds,
    )
}

#[test]
fn runs_are_read_in_linear_time() {
    for (path, head, line, tail) in PLACES {
        for line in [line, "\n"] {
            let [few, many] = [2_000, 20_000].map(|count| {
                let text = [head, &line.repeat(count), tail].concat();
                cost(path, &text)
            });
            println!("{path} {head:?} {line:?}: {few:.4?} {many:.4?}");
            // What grows with the square is read a hundred times as often; a short text is in one piece.
            assert!(
                many.0 <= 25 * few.0,
                "{path} {head:?} {line:?}: {few:?} {many:?}"
            );
            assert!(
                many.1 <= 12 * few.1 + 10,
                "{path} {head:?} {line:?}: {few:?} {many:?}"
            );
        }
    }
}

/// What a run takes, by its length: figures for people. `runs_are_read_in_linear_time` asserts the growth by counts.
#[test]
#[ignore = "prints times, which decide no test"]
fn measure() {
    for (path, head, line, tail) in PLACES.into_iter().take(6) {
        for count in [2_500, 5_000, 10_000, 20_000, 40_000] {
            let text = [head, &line.repeat(count), tail].concat();
            println!("{head:?} {line:?} {count}: {:.4?}", cost(path, &text));
        }
    }
}
