//! Calls that fit a changed function no more are found, and how surely they do not (SPEC RV3).

use crate::review_change::{Files, findings, places};

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
