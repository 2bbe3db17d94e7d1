//! Declarations that were moved, renamed and deleted, names of any length, and other kinds of declarations.

use crate::review_breaks::Case;

pub(super) const MOVED: &[Case] = &[
    // Moved, renamed, deleted.
    Case {
        about: "a function that moved to another file (TypeScript)",
        before: &[(
            "sum.ts",
            "export function total(n: number) { return n; }\nexport function keep() {}\n",
        )],
        after: &[
            ("sum.ts", "export function keep() {}\n"),
            (
                "other.ts",
                "export function total(n: number) { return n; }\n",
            ),
        ],
        rest: &[("use.ts", "import { total } from './sum';\ntotal(1);\n")],
        broken: &["use.ts:1", "use.ts:2"],
    },
    Case {
        about: "a function that moved to another module (Python)",
        before: &[(
            "sums.py",
            "def total(n):\n    return n\n\ndef keep():\n    pass\n",
        )],
        after: &[
            ("sums.py", "def keep():\n    pass\n"),
            ("other.py", "def total(n):\n    return n\n"),
        ],
        rest: &[("use.py", "from sums import total\n\ntotal(1)\n")],
        broken: &["use.py:1", "use.py:3"],
    },
    Case {
        about: "a function that moved to another module (Rust)",
        before: &[
            ("src/sum.rs", "pub fn total() {}\npub fn keep() {}\n"),
            ("src/other.rs", "pub fn more() {}\n"),
        ],
        after: &[
            ("src/sum.rs", "pub fn keep() {}\n"),
            ("src/other.rs", "pub fn more() {}\npub fn total() {}\n"),
        ],
        rest: &[(
            "src/lib.rs",
            "pub mod sum;\npub mod other;\npub fn f() {\n    sum::total();\n}\n",
        )],
        broken: &["src/lib.rs:4"],
    },
    Case {
        about: "a class that moved to another package (Java)",
        before: &[("a/Shelf.java", "package a;\npublic class Shelf { }\n")],
        after: &[("b/Shelf.java", "package b;\npublic class Shelf { }\n")],
        rest: &[("c/Use.java", "package c;\nimport a.Shelf;\nclass Use { }\n")],
        broken: &["c/Use.java:2"],
    },
    Case {
        about: "a file that is renamed (TypeScript)",
        before: &[("sum.ts", "export function total() {}\n")],
        after: &[("sums.ts", "export function total() {}\n")],
        rest: &[("use.ts", "import { total } from './sum';\ntotal();\n")],
        broken: &["use.ts:1"],
    },
    Case {
        about: "a module that is renamed (Python)",
        before: &[("sums.py", "def total():\n    pass\n")],
        after: &[("totals.py", "def total():\n    pass\n")],
        rest: &[("use.py", "import sums\n\nsums.total()\n")],
        broken: &["use.py:1"],
    },
    Case {
        about: "a file that is deleted and imported for its effects (TypeScript)",
        before: &[("start.ts", "console.log(1);\n")],
        after: &[],
        rest: &[("use.ts", "import './start';\n")],
        broken: &["use.ts:1"],
    },
    Case {
        about: "a file that is deleted and exported again (TypeScript)",
        before: &[("sum.ts", "export function total() {}\n")],
        after: &[],
        rest: &[("index.ts", "export * from './sum';\n")],
        broken: &["index.ts:1"],
    },
    Case {
        about: "a module of a package that is deleted (Python)",
        before: &[("shop/sums.py", "def total():\n    pass\n")],
        after: &[],
        rest: &[
            ("shop/__init__.py", ""),
            (
                "shop/use.py",
                "from . import sums\nfrom .sums import total\n",
            ),
        ],
        broken: &["shop/use.py:1", "shop/use.py:2"],
    },
    Case {
        about: "a header that is deleted (C++)",
        before: &[("size.h", "struct Size { int wide; };\n")],
        after: &[],
        rest: &[(
            "use.cpp",
            "#include \"size.h\"\nint f(Size s) { return 1; }\n",
        )],
        broken: &["use.cpp:1"],
    },
    Case {
        about: "a module that is deleted (Rust)",
        before: &[("src/sum.rs", "pub fn total() {}\n")],
        after: &[],
        rest: &[("src/lib.rs", "pub mod sum;\n")],
        broken: &["src/lib.rs:1"],
    },
    // Names of any length, and other kinds of declarations.
    Case {
        about: "a function of a short name (TypeScript)",
        before: &[(
            "a.ts",
            "export function go() {}\nexport function keep() {}\n",
        )],
        after: &[("a.ts", "export function keep() {}\n")],
        rest: &[("use.ts", "import { go } from './a';\ngo();\n")],
        broken: &["use.ts:1", "use.ts:2"],
    },
    Case {
        about: "a function of a short name (Go)",
        before: &[("a.go", "package a\n\nfunc F() {}\n\nfunc Keep() {}\n")],
        after: &[("a.go", "package a\n\nfunc Keep() {}\n")],
        rest: &[
            ("go.mod", "module a\n"),
            ("use.go", "package a\n\nfunc G() { F() }\n"),
        ],
        broken: &["use.go:3"],
    },
    Case {
        about: "a function in whose place the language has its own (Go)",
        before: &[(
            "a.go",
            "package a\n\nfunc max(a, b int) int { return a }\n\nfunc Keep() {}\n",
        )],
        after: &[("a.go", "package a\n\nfunc Keep() {}\n")],
        rest: &[
            ("go.mod", "module a\n"),
            ("use.go", "package a\n\nfunc G() int { return max(1, 2) }\n"),
        ],
        broken: &[],
    },
    Case {
        about: "a constant (Python)",
        before: &[("limits.py", "MOST = 4\nLEAST = 1\n")],
        after: &[("limits.py", "LEAST = 1\n")],
        rest: &[("use.py", "from limits import MOST\n\nprint(MOST)\n")],
        broken: &["use.py:1", "use.py:3"],
    },
    Case {
        about: "an alias of a type (TypeScript)",
        before: &[(
            "kinds.ts",
            "export type Kind = 'a' | 'b';\nexport type Other = 1;\n",
        )],
        after: &[("kinds.ts", "export type Other = 1;\n")],
        rest: &[(
            "use.ts",
            "import type { Kind } from './kinds';\nexport const k: Kind = 'a';\n",
        )],
        broken: &["use.ts:1", "use.ts:2"],
    },
    Case {
        about: "a function that has another name (C++)",
        before: &[("sum.h", "int total_of(int first, int second, int third);\n")],
        after: &[("sum.h", "int sum_of(int first, int second, int third);\n")],
        rest: &[(
            "use.cpp",
            "#include \"sum.h\"\nint f() { return total_of(1, 2, 3); }\n",
        )],
        broken: &["use.cpp:2"],
    },
    Case {
        about: "a method of a base, used by way of what is derived (C#)",
        before: &[(
            "Base.cs",
            "public class Base {\n    public int Take() => 1;\n    public int Keep() => 2;\n}\n",
        )],
        after: &[(
            "Base.cs",
            "public class Base {\n    public int Keep() => 2;\n}\n",
        )],
        rest: &[(
            "Use.cs",
            "class Derived : Base { }\nclass Use {\n    int F(Derived d) => d.Take();\n}\n",
        )],
        broken: &["Use.cs:3"],
    },
    Case {
        about: "a use on a line beside what changed, in the same file (Python)",
        before: &[(
            "a.py",
            "def part():\n    return 1\n\n\ndef whole():\n    return part()\n",
        )],
        after: &[("a.py", "def whole():\n    return part()\n")],
        rest: &[],
        broken: &["a.py:2"],
    },
];
