//! What a change breaks is found in the state before it and after it, in each language and of each kind; what still leads
//! somewhere is not told (SPEC RV3). Each case is a small repository of its own.

use codecortex_engine::protocol::{FileVersions, GitDiff};
use serde_json::{Value, json};

use crate::review::{ask, bytes};
use crate::support::Host;

type Files = &'static [(&'static str, &'static str)];

/// A change: files that differ, files that do not, and where something is broken, `path:line`.
struct Case {
    about: &'static str,
    before: Files,
    after: Files,
    rest: Files,
    broken: &'static [&'static str],
}

const CASES: &[Case] = &[
    // Members of one line.
    Case {
        about: "a method of a class on one line (TypeScript)",
        before: &[(
            "shelf.ts",
            "export class Shelf { first() { return 1; } second() { return 2; } last() { return 3; } }\n",
        )],
        after: &[(
            "shelf.ts",
            "export class Shelf { second() { return 2; } last() { return 3; } }\n",
        )],
        rest: &[(
            "use.ts",
            "import { Shelf } from './shelf';\nconst n = new Shelf().first();\n",
        )],
        broken: &["use.ts:2"],
    },
    Case {
        about: "a member of an interface on one line (TypeScript)",
        before: &[(
            "size.ts",
            "export interface Size { wide: number; high: number }\n",
        )],
        after: &[("size.ts", "export interface Size { high: number }\n")],
        rest: &[(
            "use.ts",
            "import { Size } from './size';\nexport const f = (s: Size) => s.wide;\n",
        )],
        broken: &["use.ts:2"],
    },
    Case {
        about: "a property of a class on one line (C#)",
        before: &[(
            "Size.cs",
            "public class Size { public int Wide { get; set; } public int High { get; set; } }\n",
        )],
        after: &[(
            "Size.cs",
            "public class Size { public int High { get; set; } }\n",
        )],
        rest: &[("Use.cs", "class Use {\n    int F(Size s) => s.Wide;\n}\n")],
        broken: &["Use.cs:2"],
    },
    Case {
        about: "a constant of an enum on one line (Java)",
        before: &[("Tone.java", "public enum Tone { LOW, MIDDLE, HIGH }\n")],
        after: &[("Tone.java", "public enum Tone { LOW, HIGH }\n")],
        rest: &[(
            "Use.java",
            "class Use {\n    Tone f() { return Tone.MIDDLE; }\n}\n",
        )],
        broken: &["Use.java:2"],
    },
    Case {
        about: "a component of a record (Java)",
        before: &[("Spot.java", "public record Spot(int left, int upper) {}\n")],
        after: &[("Spot.java", "public record Spot(int upper) {}\n")],
        rest: &[(
            "Use.java",
            "class Use {\n    int f(Spot s) { return s.left(); }\n}\n",
        )],
        broken: &["Use.java:2"],
    },
    Case {
        about: "a field of a struct on one line (Go)",
        before: &[(
            "size.go",
            "package a\n\ntype Size struct { Wide int; High int }\n",
        )],
        after: &[("size.go", "package a\n\ntype Size struct { High int }\n")],
        rest: &[
            ("go.mod", "module a\n"),
            (
                "use.go",
                "package a\n\nfunc F(s Size) int { return s.Wide }\n",
            ),
        ],
        broken: &["use.go:3"],
    },
    Case {
        about: "a field of a struct on one line (Rust)",
        before: &[(
            "src/size.rs",
            "pub struct Size { pub wide: u8, pub high: u8 }\n",
        )],
        after: &[("src/size.rs", "pub struct Size { pub high: u8 }\n")],
        rest: &[(
            "src/lib.rs",
            "pub mod size;\nuse size::Size;\npub fn f(s: &Size) -> u8 {\n    s.wide\n}\n",
        )],
        broken: &["src/lib.rs:4"],
    },
    Case {
        about: "a field of a struct on one line (C++)",
        before: &[("size.h", "struct Size { int wide; int high; };\n")],
        after: &[("size.h", "struct Size { int high; };\n")],
        rest: &[(
            "use.cpp",
            "#include \"size.h\"\nint f(Size s) { return s.wide; }\n",
        )],
        broken: &["use.cpp:2"],
    },
    Case {
        about: "a function of a class on one line (Kotlin)",
        before: &[(
            "Shelf.kt",
            "class Shelf { fun firstOne() = 1; fun lastOne() = 2 }\n",
        )],
        after: &[("Shelf.kt", "class Shelf { fun lastOne() = 2 }\n")],
        rest: &[("Use.kt", "fun use(s: Shelf) = s.firstOne()\n")],
        broken: &["Use.kt:1"],
    },
    // Types of one line.
    Case {
        about: "a type of one line (TypeScript)",
        before: &[(
            "shelf.ts",
            "export class Shelf { first() { return 1; } }\nexport const n = 1;\n",
        )],
        after: &[("shelf.ts", "export const n = 1;\n")],
        rest: &[(
            "use.ts",
            "import { n } from './shelf';\nimport { Shelf } from './shelf';\nnew Shelf().first();\n",
        )],
        broken: &["use.ts:2", "use.ts:3"],
    },
    Case {
        about: "a record of one line (C#)",
        before: &[(
            "Spot.cs",
            "public record Spot(int Left, int Upper);\npublic class Other { }\n",
        )],
        after: &[("Spot.cs", "public class Other { }\n")],
        rest: &[("Use.cs", "class Use {\n    int F(Spot s) => 1;\n}\n")],
        broken: &["Use.cs:2"],
    },
    Case {
        about: "a class of one line (Java)",
        before: &[(
            "All.java",
            "class Shelf { int first() { return 1; } }\nclass Other { }\n",
        )],
        after: &[("All.java", "class Other { }\n")],
        rest: &[(
            "Use.java",
            "class Use {\n    int f(Shelf s) { return s.first(); }\n}\n",
        )],
        broken: &["Use.java:2"],
    },
    Case {
        about: "a struct of one line (Rust)",
        before: &[(
            "src/size.rs",
            "pub struct Size { pub wide: u8 }\npub fn other() {}\n",
        )],
        after: &[("src/size.rs", "pub fn other() {}\n")],
        rest: &[(
            "src/lib.rs",
            "pub mod size;\nuse size::Size;\npub fn f(_: &Size) {}\n",
        )],
        broken: &["src/lib.rs:2", "src/lib.rs:3"],
    },
    Case {
        about: "a struct of one line (C++)",
        before: &[("size.h", "struct Size { int wide; };\nint other();\n")],
        after: &[("size.h", "int other();\n")],
        rest: &[(
            "use.cpp",
            "#include \"size.h\"\nint f(Size s) { return 1; }\n",
        )],
        broken: &["use.cpp:2"],
    },
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
    // Overloads, visibility.
    Case {
        about: "an overload (Java)",
        before: &[(
            "Sum.java",
            "class Sum {\n    static int of(int a) { return a; }\n    static int of(int a, int b) { return a; }\n}\n",
        )],
        after: &[(
            "Sum.java",
            "class Sum {\n    static int of(int a) { return a; }\n}\n",
        )],
        rest: &[(
            "Use.java",
            "class Use {\n    int f() { return Sum.of(1); }\n    int g() { return Sum.of(1, 2); }\n}\n",
        )],
        broken: &["Use.java:3"],
    },
    Case {
        about: "an overload (C#)",
        before: &[(
            "Sum.cs",
            "class Sum {\n    public static int Of(int a) => a;\n    public static int Of(int a, int b) => a;\n}\n",
        )],
        after: &[(
            "Sum.cs",
            "class Sum {\n    public static int Of(int a) => a;\n}\n",
        )],
        rest: &[(
            "Use.cs",
            "class Use {\n    int F() => Sum.Of(1);\n    int G() => Sum.Of(1, 2);\n}\n",
        )],
        broken: &["Use.cs:3"],
    },
    Case {
        about: "a function that is exported no more (TypeScript)",
        before: &[(
            "sum.ts",
            "export function total() {}\nexport function keep() {}\n",
        )],
        after: &[("sum.ts", "function total() {}\nexport function keep() {}\n")],
        rest: &[("use.ts", "import { total } from './sum';\ntotal();\n")],
        broken: &["use.ts:1", "use.ts:2"],
    },
    Case {
        about: "a function that is public no more (Rust)",
        before: &[("src/sum.rs", "pub fn total() {}\n")],
        after: &[("src/sum.rs", "fn total() {}\n")],
        rest: &[(
            "src/lib.rs",
            "pub mod sum;\npub fn f() {\n    sum::total();\n}\n",
        )],
        broken: &["src/lib.rs:3"],
    },
    Case {
        about: "a method that is public no more (Java)",
        before: &[(
            "Shelf.java",
            "class Shelf {\n    public int first() { return 1; }\n    int g() { return first(); }\n}\n",
        )],
        after: &[(
            "Shelf.java",
            "class Shelf {\n    private int first() { return 1; }\n    int g() { return first(); }\n}\n",
        )],
        rest: &[(
            "Use.java",
            "class Use {\n    int f(Shelf s) { return s.first(); }\n}\n",
        )],
        broken: &["Use.java:2"],
    },
    Case {
        about: "a method that is public no more (C#)",
        before: &[(
            "Shelf.cs",
            "class Shelf {\n    public int First() => 1;\n}\n",
        )],
        after: &[(
            "Shelf.cs",
            "class Shelf {\n    private int First() => 1;\n}\n",
        )],
        rest: &[(
            "Use.cs",
            "class Use {\n    int F(Shelf s) => s.First();\n}\n",
        )],
        broken: &["Use.cs:2"],
    },
    // What leads on to it.
    Case {
        about: "a name that is passed on no more (TypeScript)",
        before: &[(
            "index.ts",
            "export { total } from './sum';\nexport { keep } from './sum';\n",
        )],
        after: &[("index.ts", "export { keep } from './sum';\n")],
        rest: &[
            (
                "sum.ts",
                "export function total() {}\nexport function keep() {}\n",
            ),
            ("use.ts", "import { total } from './index';\ntotal();\n"),
        ],
        broken: &["use.ts:1", "use.ts:2"],
    },
    Case {
        about: "a name that a package brings no more (Python)",
        before: &[(
            "shop/__init__.py",
            "from .sums import total\nfrom .sums import keep\n",
        )],
        after: &[("shop/__init__.py", "from .sums import keep\n")],
        rest: &[
            (
                "shop/sums.py",
                "def total():\n    pass\n\n\ndef keep():\n    pass\n",
            ),
            ("use.py", "from shop import total\n\ntotal()\n"),
        ],
        broken: &["use.py:1", "use.py:3"],
    },
    Case {
        about: "a name that a module passes on no more (Rust)",
        before: &[(
            "src/lib.rs",
            "mod sum;\npub use sum::total;\npub use sum::keep;\npub mod user;\n",
        )],
        after: &[(
            "src/lib.rs",
            "mod sum;\npub use sum::keep;\npub mod user;\n",
        )],
        rest: &[
            ("src/sum.rs", "pub fn total() {}\npub fn keep() {}\n"),
            (
                "src/user.rs",
                "use crate::total;\npub fn f() {\n    total();\n}\n",
            ),
        ],
        broken: &["src/user.rs:1", "src/user.rs:3"],
    },
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

/// A unified diff of two texts with three lines around: one hunk, from the first line that differs to the last.
fn hunk(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let common = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let left = old.len().min(new.len()) - common;
    let pairs = old.iter().rev().zip(new.iter().rev());
    let behind = pairs.take(left).take_while(|(a, b)| a == b).count();
    let first = common.saturating_sub(3);
    let last = |lines: &[&str]| (lines.len() - behind + 3).min(lines.len());
    let head = |lines: &[&str]| {
        let count = last(lines) - first;
        format!("{},{count}", if count == 0 { first } else { first + 1 })
    };
    let mut text = format!("@@ -{} +{} @@\n", head(&old), head(&new));
    let mut put = |sign: char, lines: &[&str]| {
        lines
            .iter()
            .for_each(|line| text.push_str(&format!("{sign}{line}\n")));
    };
    put(' ', &old[first..common]);
    put('-', &old[common..old.len() - behind]);
    put('+', &new[common..new.len() - behind]);
    put(' ', &old[old.len() - behind..last(&old)]);
    text
}

fn text_of(files: Files, path: &str) -> Option<&'static str> {
    let found = files.iter().find(|(of, _)| *of == path);
    found.map(|(_, text)| *text)
}

/// The diff of two sets of files, with files that moved.
pub(crate) fn diff(before: Files, after: Files) -> GitDiff {
    let mut diff = GitDiff {
        base: Some("1111".into()),
        ..GitDiff::default()
    };
    let is_gone = |path: &str| text_of(after, path).is_none();
    let moved = |text: &str| {
        let mut gone = before.iter().filter(|(path, _)| is_gone(path));
        gone.find(|(_, old)| *old == text).map(|(path, _)| *path)
    };
    let mut was_moved = Vec::new();
    for (path, new) in after {
        let old = text_of(before, path);
        let from = old.is_none().then(|| moved(new)).flatten();
        was_moved.extend(from);
        let old_path = from.unwrap_or(path);
        let old = old.or_else(|| text_of(before, old_path));
        diff.patch += &format!("diff --git a/{old_path} b/{path}\n");
        match old {
            Some(_) if from.is_some() => {
                diff.patch +=
                    &format!("similarity index 100%\nrename from {old_path}\nrename to {path}\n");
            }
            Some(old) => diff.patch += &format!("--- a/{path}\n+++ b/{path}\n{}", hunk(old, new)),
            None => {
                diff.patch += &format!(
                    "new file mode 100644\n--- /dev/null\n+++ b/{path}\n{}",
                    hunk("", new)
                );
            }
        }
        diff.versions.push(FileVersions {
            path: (*path).into(),
            old: old.and_then(bytes),
            new: bytes(new),
        });
    }
    for (path, old) in before
        .iter()
        .filter(|(path, _)| is_gone(path) && !was_moved.contains(path))
    {
        diff.patch += &format!(
            "diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n{}",
            hunk(old, "")
        );
        diff.versions.push(FileVersions {
            path: (*path).into(),
            old: bytes(old),
            new: None,
        });
    }
    diff
}

/// The findings of a change.
pub(crate) fn findings(before: Files, after: Files, rest: Files) -> Vec<Value> {
    let files = after.iter().chain(rest);
    let fixture: String = files
        .map(|(path, text)| format!("//- /app/{path}\n{text}\n"))
        .collect();
    let mut host = Host::new(&fixture);
    for (path, text) in after.iter().chain(rest) {
        host.write(&format!("/w/app/{path}"), text);
    }
    let paths: Vec<String> = after
        .iter()
        .chain(rest)
        .map(|(path, _)| format!("/w/app/{path}"))
        .collect();
    host.touched(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    host.diff = Some(diff(before, after));
    let data = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "findings" }),
    );
    data["findings"].as_array().unwrap().clone()
}

/// The places of a category, `path:line`, as evidence has them.
fn places(findings: &[Value], category: &str) -> Vec<String> {
    let of = findings
        .iter()
        .filter(|found| found["category"] == category);
    let places = of.flat_map(|found| found["evidence"].as_array().cloned().unwrap_or_default());
    let mut places: Vec<String> = places
        .filter_map(|place| place.as_str().map(str::to_owned))
        .collect();
    places.sort();
    places.dedup();
    places
}

#[test]
fn what_a_change_breaks_is_found_and_nothing_else() {
    let mut wrong = Vec::new();
    for case in CASES {
        let findings = findings(case.before, case.after, case.rest);
        let found = places(&findings, "removed_but_used");
        if found != case.broken {
            wrong.push(format!("{}: {found:?}, not {:?}", case.about, case.broken));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        CASES.len(),
        wrong.join("\n")
    );
}

#[test]
fn calls_that_still_fit_are_not_told() {
    let sum = "export function total(a: number) { return a; }\n";
    let rest: Files = &[("use.ts", "import { total } from './sum';\ntotal(1);\n")];
    for after in [
        "export function total(a: number, b?: string) { return a; }\n",
        "export function total(a: number, b = 1) { return a; }\n",
        "export function total(a: number, ...rest: string[]) { return a; }\n",
        "export function total(a: number | string) { return a; }\n",
    ] {
        let after: Files = Box::leak(Box::new([("sum.ts", after)]));
        let before: Files = Box::leak(Box::new([("sum.ts", sum)]));
        let found = findings(before, after, rest);
        assert_eq!(
            places(&found, "callers_not_adapted"),
            Vec::<String>::new(),
            "{after:?}"
        );
    }
}

#[test]
fn calls_that_do_not_fit_are_told() {
    for (path, before, after, use_path, used) in [
        (
            "cart.py",
            "class Cart:\n    def __init__(self, a):\n        pass\n",
            "class Cart:\n    def __init__(self, a, b):\n        pass\n",
            "use.py",
            "from cart import Cart\nCart(1)\n",
        ),
        (
            "cart.ts",
            "export class Cart {\n  constructor(a: number) {}\n}\n",
            "export class Cart {\n  constructor(a: number, b: string) {}\n}\n",
            "use.ts",
            "import { Cart } from './cart';\nnew Cart(1);\n",
        ),
        (
            "Cart.java",
            "class Cart {\n    Cart(int a) { }\n}\n",
            "class Cart {\n    Cart(int a, int b) { }\n}\n",
            "Use.java",
            "class Use {\n    Cart f() { return new Cart(1); }\n}\n",
        ),
        (
            "Sum.cs",
            "class Sum {\n    public static int Of(int a) => a;\n}\n",
            "class Sum {\n    public static int Of(int a, int b) => a;\n}\n",
            "Use.cs",
            "class Use {\n    int F() => Sum.Of(1);\n}\n",
        ),
        (
            "sum.ts",
            "export function total(a: number) {}\n",
            "export function total(a: number, b: string) {}\n",
            "use.ts",
            "import { total } from './sum';\ntotal(1);\n",
        ),
        (
            "sums.py",
            "def total(a):\n    pass\n",
            "def total(a, b):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(1)\n",
        ),
        (
            "sums.py",
            "def total(a, b=1):\n    pass\n",
            "def total(a, b):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(1)\n",
        ),
        (
            "sums.py",
            "def total(a, b):\n    pass\n",
            "def total(a, c):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(1, b=2)\n",
        ),
    ] {
        let before: Files = Box::leak(Box::new([(path, before)]));
        let after: Files = Box::leak(Box::new([(path, after)]));
        let rest: Files = Box::leak(Box::new([(use_path, used)]));
        let found = findings(before, after, rest);
        assert_eq!(
            places(&found, "callers_not_adapted"),
            [format!("{use_path}:2")],
            "{after:?}: {found:?}"
        );
        let warning = found
            .iter()
            .find(|found| found["category"] == "callers_not_adapted");
        assert_eq!(warning.unwrap()["severity"], "warning");
    }
}

/// What is new of a function, and whether a call that stands surely fits it no more: `warning`, `info`, or nothing.
#[test]
fn a_call_is_a_warning_only_where_it_surely_fits_no_more() {
    let go_mod = ("go.mod", "module a\n");
    let cases: &[(&str, &str, &str, &str, &str, &str)] = &[
        // Another type, of which nobody knows whether the argument is of it.
        (
            "sum.ts",
            "export const total = <T>(a: Promise<T>): T => a as T;\n",
            "export const total = <T>(a: Wish<T>): T => a as T;\n",
            "use.ts",
            "import { total } from './sum';\ntotal(give());\n",
            "",
        ),
        // The language's own types, of which none is taken as another.
        (
            "sum.ts",
            "export function total(a: number) {}\n",
            "export function total(a: string) {}\n",
            "use.ts",
            "import { total } from './sum';\ntotal(give());\n",
            "info",
        ),
        (
            "Sum.java",
            "class Sum {\n    static void of(int a) { }\n}\n",
            "class Sum {\n    static void of(long a) { }\n}\n",
            "Use.java",
            "class Use {\n    void f(int n) { Sum.of(n); }\n}\n",
            "",
        ),
        // Two parameters that stand the other way round.
        (
            "sum.go",
            "package a\n\nfunc Total(from, to string) {}\n",
            "package a\n\nfunc Total(to, from string) {}\n",
            "use.go",
            "package a\nfunc F(x, y string) { Total(x, y) }\n",
            "info",
        ),
        // A function that is handed on needs more than it did, or another type alone.
        (
            "sum.ts",
            "export function total(a: Shelf) {}\n",
            "export function total(a: Shelf, b: Shelf) {}\n",
            "use.ts",
            "import { total } from './sum';\neach(total);\n",
            "info",
        ),
        (
            "sum.ts",
            "export function total(a: Shelf) {}\n",
            "export function total(a: Board) {}\n",
            "use.ts",
            "import { total } from './sum';\neach(total);\n",
            "",
        ),
        // A result of another type.
        (
            "sum.rs",
            "pub fn total() -> Shelf { Shelf }\n",
            "pub fn total() -> Board { Board }\n",
            "use.rs",
            "use crate::sum::total;\nfn f() { give(total()) }\n",
            "",
        ),
        // A type that has more type arguments.
        (
            "Shelf.java",
            "class Shelf<A> { }\n",
            "class Shelf<A, B> { }\n",
            "Use.java",
            "class Use {\n    Shelf<String> f;\n}\n",
            "info",
        ),
        (
            "Shelf.java",
            "class Shelf<A> { }\n",
            "class Shelf<A, B> { }\n",
            "Use.java",
            "class Use {\n    Shelf f;\n}\n",
            "",
        ),
        (
            "sum.go",
            "package a\n\nfunc Total(a int) {}\n",
            "package a\n\nfunc Total(a int64) {}\n",
            "use.go",
            "package a\nfunc F(n int) { Total(n) }\n",
            "info",
        ),
        // A literal that is none of its type.
        (
            "sum.ts",
            "export function total(a: number) {}\n",
            "export function total(a: string) {}\n",
            "use.ts",
            "import { total } from './sum';\ntotal(1);\n",
            "warning",
        ),
        (
            "sum.go",
            "package a\n\nfunc Total(a int) {}\n",
            "package a\n\nfunc Total(a string) {}\n",
            "use.go",
            "package a\nfunc F() { Total(1) }\n",
            "warning",
        ),
        (
            "Sum.java",
            "class Sum {\n    static void of(String a) { }\n}\n",
            "class Sum {\n    static void of(int a) { }\n}\n",
            "Use.java",
            "class Use {\n    void f() { Sum.of(\"a\"); }\n}\n",
            "warning",
        ),
        // A list that is spread into the call may hold as many as are needed.
        (
            "sums.py",
            "def total(a):\n    pass\n",
            "def total(a, b):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(*given)\n",
            "info",
        ),
        (
            "sum.ts",
            "export function total(a: number) {}\n",
            "export function total(a: number, b: number) {}\n",
            "use.ts",
            "import { total } from './sum';\ntotal(...given);\n",
            "info",
        ),
        // Several values where one is taken.
        (
            "sum.go",
            "package a\n\nfunc Total() int { return 1 }\n",
            "package a\n\nfunc Total() (int, error) { return 1, nil }\n",
            "use.go",
            "package a\nfunc F() { n := Total(); use(n) }\n",
            "warning",
        ),
        (
            "Sum.java",
            "class Sum {\n    static int of() { return 1; }\n}\n",
            "class Sum {\n    static void of() { }\n}\n",
            "Use.java",
            "class Use {\n    void f() { int n = Sum.of(); }\n}\n",
            "warning",
        ),
        // A new one in the midst: given by name it is no matter.
        (
            "sums.py",
            "def total(a, b=1):\n    pass\n",
            "def total(a, c=0, b=1):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(1, b=2)\n",
            "",
        ),
        (
            "sums.py",
            "def total(a, b=1):\n    pass\n",
            "def total(a, c=0, b=1):\n    pass\n",
            "use.py",
            "from sums import total\ntotal(1, 2)\n",
            "info",
        ),
        // One type under two names.
        (
            "sum.go",
            "package a\n\nfunc Total(a map[string]interface{}) {}\n",
            "package a\n\nfunc Total(a map[string]any) {}\n",
            "use.go",
            "package a\nfunc F() { Total(nil) }\n",
            "",
        ),
        // A type that has another name now.
        (
            "sum.ts",
            "export interface Wish { n: number }\nexport function total(a: Wish) {}\n",
            "export interface Hope { n: number }\nexport function total(a: Hope) {}\n",
            "use.ts",
            "import { total } from './sum';\ntotal(give());\n",
            "",
        ),
        // One declaration says what may be left out.
        (
            "sum.cpp",
            "#include \"sum.h\"\nint total(int a) { return a; }\n",
            "#include \"sum.h\"\nint total(int a, int b) { return a; }\n",
            "use.cpp",
            "#include \"sum.h\"\nint f() { return total(1); }\n",
            "",
        ),
    ];
    let mut wrong = Vec::new();
    for (path, before, after, use_path, used, severity) in cases {
        let before: Files = Box::leak(Box::new([(*path, *before)]));
        let after: Files = Box::leak(Box::new([(*path, *after)]));
        let header = ("sum.h", "int total(int a, int b = 1);\n");
        let rest: Files = Box::leak(Box::new([(*use_path, *used), go_mod, header]));
        let found = findings(before, after, rest);
        let mut of = found
            .iter()
            .filter(|found| found["category"] == "callers_not_adapted");
        let first = of
            .next()
            .map_or("", |found| found["severity"].as_str().unwrap());
        if first != *severity {
            wrong.push(format!("{after:?}, {used:?}: {first:?}, not {severity:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Who says that no test changed looks for tests under all names that they may have.
#[test]
fn tests_that_are_part_of_the_change_are_seen() {
    let before: Files = &[("cart.py", "def total(a):\n    return a\n")];
    let test = (
        "test_old.py",
        "from cart import total\n\ndef test_one():\n    total(1)\n",
    );
    let shop = (
        "shop.py",
        "from cart import total\n\ndef whole_price(a):\n    return total(a)\n",
    );
    let body = ("cart.py", "def total(a):\n    return a + 1\n");
    let remark = ("cart.py", "def total(a: int) -> int:\n    return a\n");
    for (after, is_told) in [
        (vec![body], true),
        // Named after it, or by what it names.
        (
            vec![body, ("test_cart.py", "def test_two():\n    pass\n")],
            false,
        ),
        (
            vec![body, ("test_new.py", "def test_two():\n    total(2)\n")],
            false,
        ),
        (
            vec![body, ("test_new.py", "def test_two():\n    totals(2)\n")],
            true,
        ),
        // Nobody does another thing for that.
        (vec![remark], false),
        (
            vec![(
                "cart.py",
                "def total(\n    a: int,\n) -> int:\n    \"\"\"Gives it.\"\"\"\n    # As it is.\n    return a\n",
            )],
            false,
        ),
        // Overloads that are remarks.
        (
            vec![(
                "cart.py",
                "@overload\ndef total(a: int) -> int: ...\n@overload\ndef total(a: str) -> str: ...\ndef total(a: int | str) -> int | str:\n    return a\n",
            )],
            false,
        ),
        // A test of what calls it.
        (
            vec![
                body,
                (
                    "test_new.py",
                    "from shop import whole_price\n\ndef test_two():\n    whole_price(2)\n",
                ),
            ],
            false,
        ),
        (
            vec![(
                "cart.py",
                "def total(a):\n    kept: int = a\n    return kept\n",
            )],
            true,
        ),
    ] {
        let after: Files = after.leak();
        let rest: Files = Box::leak(Box::new([test, shop]));
        let found = findings(before, after, rest);
        let mut all = found.iter();
        let is_any = all.any(|found| found["category"] == "tests_untouched");
        assert_eq!(is_any, is_told, "{after:?}: {found:#?}");
    }
}

#[test]
fn a_changed_body_on_a_line_with_others_is_behaviour() {
    let mut host =
        Host::new("//- /app/a.ts\nexport class A { one() { return 2; } two() { return 2; } }\n");
    let before: Files = &[(
        "a.ts",
        "export class A { one() { return 1; } two() { return 2; } }\n",
    )];
    let after: Files = &[(
        "a.ts",
        "export class A { one() { return 2; } two() { return 2; } }\n",
    )];
    host.write("/w/app/a.ts", after[0].1);
    host.touched(&["/w/app/a.ts"]);
    host.diff = Some(diff(before, after));
    let data = ask(
        &mut host,
        json!({ "base": "main", "head": "HEAD", "step": "index" }),
    );
    let unit = &data["review_index"][0];
    assert_eq!(unit["change_class"], "PublicBehavior", "{unit:#}");
    let paths: Vec<&Value> = unit["symbols"]
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| &symbol["path"])
        .collect();
    assert_eq!(paths, ["A.one"]);
}

#[test]
fn secrets_of_every_kind_of_file_are_told_line_by_line() {
    let token = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5");
    let cases: [(&str, String, usize); 7] = [
        (".env", "API_KEY=sk-proj-Qw8eR7tY6uI5oP4aS3dF2gH1jK0lZx\nDB=postgres://shop:Hx7Lq9Vb2Nm@host/x\n".into(), 2),
        ("c.yml", "aws_secret_access_key: wJalrXUtnFEMI/K7MDENG/bPxRfiCYzQ7aLmKpQr\n".into(), 1),
        ("d.json", "{ \"clientSecret\": \"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\" }\n".into(), 1),
        ("Dockerfile", "FROM a\nENV DB_PASSWORD=Hx7Lq9Vb2NmTt\n".into(), 1),
        ("a.properties", "db.password=Hx7Lq9Vb2NmTt\n".into(), 1),
        ("http.txt", "Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U\n".into(), 1),
        ("e.ts", format!("const t = \"{token}\";\n"), 1),
    ];
    for (path, text, count) in cases {
        let text: &'static str = text.leak();
        let after: Files = Box::leak(Box::new([(path, text)]));
        let found = findings(&[], after, &[]);
        let told = found
            .iter()
            .filter(|found| found["category"] == "secret-literal")
            .count();
        assert_eq!(told, count, "{path}: {found:#?}");
    }
}

#[test]
fn white_space_that_says_something_is_no_layout() {
    let cases: [(&str, &str, &str, bool); 4] = [
        (
            "a.py",
            "def f(n):\n    if n:\n        first(n)\n        second(n)\n        third(n)\n",
            "def f(n):\n    if n:\n        first(n)\n    second(n)\n    third(n)\n",
            false,
        ),
        (
            "c.yaml",
            "a:\n  first: 1\n  second: 2\n  third: 3\n",
            "a:\nfirst: 1\nsecond: 2\nthird: 3\n",
            false,
        ),
        ("a.ts", "f(\"a b\");\n", "f(\"ab\");\n", false),
        (
            "a.ts",
            "f(first, second);\n",
            "f(first,\n  second);\n",
            true,
        ),
    ];
    for (path, before, after, is_layout) in cases {
        let mut host = Host::new("//- /app/empty.md\n");
        let before: Files = Box::leak(Box::new([(path, before)]));
        let after: Files = Box::leak(Box::new([(path, after)]));
        host.write(&format!("/w/app/{path}"), after[0].1);
        host.touched(&[&format!("/w/app/{path}")]);
        host.diff = Some(diff(before, after));
        let args = json!({ "base": "main", "head": "HEAD", "step": "index" });
        let unit = ask(&mut host, args)["review_index"][0].clone();
        let tags = unit["tags"].as_array().unwrap();
        let has = |tag: &str| tags.iter().any(|known| known == tag);
        assert_eq!(has("only_whitespace"), is_layout, "{unit:#}");
        assert!(is_layout || !has("only_moved"), "{unit:#}");
    }
}
