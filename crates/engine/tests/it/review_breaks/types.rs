//! Members of other kinds of types; what still leads somewhere.

use crate::review_breaks::Case;

pub(super) const TYPES: &[Case] = &[
    // Members of other kinds of types.
    Case {
        about: "a method of a trait, called on what implements it (Rust)",
        before: &[(
            "src/shape.rs",
            "pub trait Shape {\n    fn area(&self) -> u8;\n    fn edge(&self) -> u8 { 1 }\n}\n",
        )],
        after: &[(
            "src/shape.rs",
            "pub trait Shape {\n    fn area(&self) -> u8;\n}\n",
        )],
        rest: &[(
            "src/lib.rs",
            "pub mod shape;\nuse shape::Shape;\npub fn f(s: &dyn Shape) -> u8 {\n    s.edge()\n}\n",
        )],
        broken: &["src/lib.rs:4"],
    },
    Case {
        about: "a method of an interface (Go)",
        before: &[(
            "shape.go",
            "package a\n\ntype Shape interface {\n\tArea() int\n\tEdge() int\n}\n",
        )],
        after: &[(
            "shape.go",
            "package a\n\ntype Shape interface {\n\tArea() int\n}\n",
        )],
        rest: &[
            ("go.mod", "module a\n"),
            (
                "use.go",
                "package a\n\nfunc F(s Shape) int { return s.Edge() }\n",
            ),
        ],
        broken: &["use.go:3"],
    },
    Case {
        about: "a static method that is imported (Java)",
        before: &[(
            "a/Sum.java",
            "package a;\npublic class Sum {\n    public static int of(int n) { return n; }\n    public static int keep() { return 1; }\n}\n",
        )],
        after: &[(
            "a/Sum.java",
            "package a;\npublic class Sum {\n    public static int keep() { return 1; }\n}\n",
        )],
        rest: &[(
            "b/Use.java",
            "package b;\nimport static a.Sum.of;\nclass Use {\n    int f() { return of(1); }\n}\n",
        )],
        broken: &["b/Use.java:2", "b/Use.java:4"],
    },
    Case {
        about: "an extension method (C#)",
        before: &[(
            "Words.cs",
            "public static class Words {\n    public static int Vowels(this string s) => 1;\n    public static int Keep(this string s) => 2;\n}\n",
        )],
        after: &[(
            "Words.cs",
            "public static class Words {\n    public static int Keep(this string s) => 2;\n}\n",
        )],
        rest: &[(
            "Use.cs",
            "class Use {\n    int F() => Words.Vowels(\"a\");\n}\n",
        )],
        broken: &["Use.cs:2"],
    },
    // What still leads somewhere.
    Case {
        about: "exported again under its name (TypeScript)",
        before: &[("sum.ts", "export function total() {}\n")],
        after: &[(
            "sum.ts",
            "function reckon() {}\nexport { reckon as total };\n",
        )],
        rest: &[("use.ts", "import { total } from './sum';\ntotal();\n")],
        broken: &[],
    },
    Case {
        about: "imported again under its name (Python)",
        before: &[("sums.py", "def total():\n    pass\n")],
        after: &[
            ("sums.py", "from other import reckon as total\n"),
            ("other.py", "def reckon():\n    pass\n"),
        ],
        rest: &[("use.py", "from sums import total\n\ntotal()\n")],
        broken: &[],
    },
    Case {
        about: "used again under its name (Rust)",
        before: &[("src/sum.rs", "pub fn total() {}\n")],
        after: &[
            ("src/sum.rs", "pub use crate::other::reckon as total;\n"),
            ("src/other.rs", "pub fn reckon() {}\n"),
        ],
        rest: &[(
            "src/lib.rs",
            "pub mod sum;\npub mod other;\npub fn f() {\n    sum::total();\n}\n",
        )],
        broken: &[],
    },
    Case {
        about: "a library's function, a parameter and a key of the same name (TypeScript)",
        before: &[(
            "sum.ts",
            "export function totalOf() {}\nexport function keep() {}\n",
        )],
        after: &[("sum.ts", "export function keep() {}\n")],
        rest: &[
            ("use.ts", "import { totalOf } from 'library';\ntotalOf();\n"),
            (
                "other.ts",
                "export function f(totalOf: number) { return { totalOf: 1, x: totalOf }; }\n",
            ),
        ],
        broken: &[],
    },
    Case {
        about: "a method that its base has as well (Python)",
        before: &[(
            "a.py",
            "class Base:\n    def take(self):\n        pass\n\n\nclass Part(Base):\n    def take(self):\n        pass\n",
        )],
        after: &[(
            "a.py",
            "class Base:\n    def take(self):\n        pass\n\n\nclass Part(Base):\n    pass\n",
        )],
        rest: &[("use.py", "from a import Part\n\nPart().take()\n")],
        broken: &[],
    },
    Case {
        about: "a class in another file of its namespace (C#)",
        before: &[(
            "A.cs",
            "namespace N;\npublic class Shelf { }\npublic class Other { }\n",
        )],
        after: &[
            ("A.cs", "namespace N;\npublic class Other { }\n"),
            ("B.cs", "namespace N;\npublic class Shelf { }\n"),
        ],
        rest: &[("Use.cs", "namespace N;\nclass Use {\n    Shelf s;\n}\n")],
        broken: &[],
    },
    Case {
        about: "a file with all that uses it renamed along (TypeScript)",
        before: &[
            ("sum.ts", "export function total() {}\n"),
            ("use.ts", "import { total } from './sum';\ntotal();\n"),
        ],
        after: &[
            ("sums.ts", "export function total() {}\n"),
            ("use.ts", "import { total } from './sums';\ntotal();\n"),
        ],
        rest: &[],
        broken: &[],
    },
    Case {
        about: "a module that becomes a package (Python)",
        before: &[("sums.py", "def total():\n    pass\n")],
        after: &[("sums/__init__.py", "def total():\n    pass\n")],
        rest: &[("use.py", "from sums import total\n\ntotal()\n")],
        broken: &[],
    },
    Case {
        about: "a private helper that nobody else uses (Java)",
        before: &[(
            "A.java",
            "class A {\n    private int part() { return 1; }\n    int whole() { return part(); }\n}\n",
        )],
        after: &[("A.java", "class A {\n    int whole() { return 1; }\n}\n")],
        rest: &[(
            "B.java",
            "class B {\n    int part() { return 2; }\n    int f() { return part(); }\n}\n",
        )],
        broken: &[],
    },
];
