use super::preprocess;

/// Texts, and what is read in their place: the same where there is nothing to mend.
fn check(cases: &[(&str, &str)]) {
    for (text, shown) in cases {
        let read = preprocess(text);
        assert_eq!(read.as_deref().unwrap_or(text), *shown, "{text}");
        assert_eq!(text.len(), shown.len(), "{text}");
    }
}

#[test]
fn the_last_member_of_a_line_has_an_end() {
    check(&[
        (
            "class A { companion object { const val K = 1 } }",
            "class A { companion object { const val K = 1;};}",
        ),
        (
            "enum class K { A { fun f() = 1 }, B { fun f() = 2 }; abstract fun f(): Int }",
            "enum class K { A { fun f() = 1;}, B { fun f() = 2;}; abstract fun f(): Int;}",
        ),
        ("enum class K { A, B }", "enum class K { A, B }"),
        (
            "val a = object : B { val c = 1 }",
            "val a = object : B { val c = 1;}",
        ),
        ("fun interface A { fun f() }", "fun interface A { fun f();}"),
        (
            "class A(val b: B = B { 1 }) : C by d { val e = 1 }",
            "class A(val b: B = B { 1 }) : C by d { val e = 1;}",
        ),
        (
            "class A { val b = \"${c.d { \"}\" }}\" }",
            "class A { val b = \"${c.d { \"}\" }}\";}",
        ),
        ("class A {\n    val b = 1\n}", "class A {\n    val b = 1\n}"),
        ("class A { val b = 1; }", "class A { val b = 1; }"),
        ("class A { }", "class A { }"),
        // Of no type.
        (
            "fun f() { val a = B::class { } }",
            "fun f() { val a = B::class { } }",
        ),
        ("class A\nfun f() { g() }", "class A\nfun f() { g() }"),
        ("class A\nbuild { g() }", "class A\nbuild { g() }"),
        (
            "class A\n  private constructor() { val b = 1 }",
            "class A\n  private constructor() { val b = 1;}",
        ),
        // Comments and texts are no code.
        ("// class A { val b = 1 }", "// class A { val b = 1 }"),
        (
            "/* /* */ class A { val b = 1 } */",
            "/* /* */ class A { val b = 1 } */",
        ),
        (
            "val a = \"class A { val b = 1 }\"",
            "val a = \"class A { val b = 1 }\"",
        ),
        (
            "val a = \"\"\"class A { \"val b = 1 }\"\"\"",
            "val a = \"\"\"class A { \"val b = 1 }\"\"\"",
        ),
    ]);
}

#[test]
fn accessors_belong_to_the_property_before_a_semicolon() {
    check(&[
        (
            "class A { var b = 1; private set }",
            "class A { var b = 1  private set;}",
        ),
        (
            "class A { var b: B get() = c; set(v) { d = v } }",
            "class A { var b: B get() = c  set(v) { d = v };}",
        ),
        (
            "class A { val b = 1; val set = 2 }",
            "class A { val b = 1; val set = 2;}",
        ),
        ("fun f() { a(); set(1) }", "fun f() { a(); set(1) }"),
    ]);
}

#[test]
fn backing_fields_are_values() {
    check(&[
        (
            "class A {\n  val b: C<D>\n    field = e()\n}",
            "class A {\n  val b: C<D>\n          = e()\n}",
        ),
        ("val b: C?\n  field: D = e()", "val b: C?\n  &      D = e()"),
        (
            "class A { var b: C\n  set(v) { field = v }\n}",
            "class A { var b: C\n  set(v) { field = v }\n}",
        ),
        (
            "class A { val field = 1\n val b: C\n}",
            "class A { val field = 1\n val b: C\n}",
        ),
        (
            "fun f() { val b: C\n field = 1 }",
            "fun f() { val b: C\n field = 1 }",
        ),
    ]);
}

#[test]
fn guards_are_conditions() {
    check(&[
        (
            "val a = when (b) {\n is C if b.d > 1 -> 1\n else -> 2\n}",
            "val a = when (b) {\n is C ,  b.d > 1 -> 1\n else -> 2\n}",
        ),
        (
            "when (b) { 1 -> x\n else if c -> y\n else -> z }",
            "when (b) { 1 -> x\n         c -> y\n else -> z }",
        ),
        (
            "when (b) { 1 -> if (c) d else if (e) f else g\n else -> h }",
            "when (b) { 1 -> if (c) d else if (e) f else g\n else -> h }",
        ),
        (
            "when (b) { 1 -> c to if (d) e else f\n else -> h }",
            "when (b) { 1 -> c to if (d) e else f\n else -> h }",
        ),
        (
            "when { a -> for (b in c) if (d) e()\n f -> g }",
            "when { a -> for (b in c) if (d) e()\n f -> g }",
        ),
        (
            "when (a) { in b if when (c) { is D if e -> 1; else -> 2 } > 1 -> 3 }",
            "when (a) { in b ,  when (c) { is D ,  e -> 1; else -> 2 } > 1 -> 3 }",
        ),
        ("if (a) b; else c", "if (a) b  else c"),
        (
            "when (a) { 1 -> if (b) c; else -> d }",
            "when (a) { 1 -> if (b) c; else -> d }",
        ),
    ]);
}

#[test]
fn contexts_are_annotations() {
    check(&[
        ("context(a: A) fun f() {}", "         @(A) fun f() {}"),
        (
            "context(a: A<B, C>, _: (D) -> E)\nfun f() {}",
            "         @(A<B, C>)@(  (D) -> E)\nfun f() {}",
        ),
        ("context(A) fun f() {}", "      @(A) fun f() {}"),
        ("context(A, B) fun f() {}", "       @A@(B) fun f() {}"),
        (
            "class A { context(b: B) private val c: C get() = d }",
            "class A {          @(B) private val c: C get() = d;}",
        ),
        (
            "fun f(g: context(A) (B) -> C) {}",
            "fun f(g:       @(A) (B) -> C) {}",
        ),
        (
            "typealias F = context(A) () -> B",
            "typealias F =       @(A) () -> B",
        ),
        (
            "fun f() { context(a) { b() } }",
            "fun f() { context(a) { b() } }",
        ),
        (
            "val a = b.context(c)\nfun f() {}",
            "val a = b.context(c)\nfun f() {}",
        ),
    ]);
}

#[test]
fn destructuring_by_names_and_places() {
    check(&[
        ("fn { val [a, b] = c }", "fn { val (a, b) = c }"),
        (
            "fun f() {\n (val a, var b = d) = c\n}",
            "fun f() {\n val( a,     b : d) = c\n}",
        ),
        (
            "for ((val a, val b) in c) {}",
            "for ((    a,     b) in c) {}",
        ),
        ("d { (val a, val b) -> a }", "d { (    a,     b) -> a }"),
        ("class A(val b: B, val c: C)", "class A(val b: B, val c: C)"),
        (
            "class A\n(val b: B)\nval c = 1",
            "class A\n(val b: B)\nval c = 1",
        ),
        (
            "when (val a = b()) { else -> a }",
            "when (val a = b()) { else -> a }",
        ),
    ]);
}

#[test]
fn other_forms() {
    check(&[
        ("@all:A class B", "@get:A class B"),
        (
            "annotation class A(val b: Array<C> = [])",
            "annotation class A(val b: Array<C> = \"\")",
        ),
        ("val a = b[0]", "val a = b[0]"),
        (
            "val a = $$\"b $c $$d ${e} $$${f}\"",
            "val a =   \"b  c  $d  {e}   ${f}\"",
        ),
        (
            "val a = $$\"\"\"$b \" $$c\"\"\"",
            "val a =   \"\"\" b \"  $c\"\"\"",
        ),
        ("val a = \"$b ${c}\"", "val a = \"$b ${c}\""),
    ]);
}

#[test]
fn broken_texts_are_walked_to_their_end() {
    for text in [
        "class A { val b = \"${",
        "class A { ( }",
        "when (",
        "context(",
        "}}}",
        "$$\"",
        "'\\",
        "`a",
        "/*",
        "\"\\",
        "@all:",
        "class A { context(a: ) fun }",
        "enum class A { ; ",
        "field",
        "[",
        "= [",
        "when { if -> else if -> }",
    ] {
        if let Some(read) = preprocess(text) {
            assert_eq!(read.len(), text.len(), "{text}");
        }
    }
}
