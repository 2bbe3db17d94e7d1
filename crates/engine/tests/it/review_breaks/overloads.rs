//! Overloads and visibility; what leads on to a declaration.

use crate::review_breaks::Case;

pub(super) const OVERLOADS: &[Case] = &[
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
];
