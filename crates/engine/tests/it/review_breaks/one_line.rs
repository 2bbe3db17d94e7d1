//! Members and types of one line.

use crate::review_breaks::Case;

pub(super) const ONE_LINE: &[Case] = &[
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
];
