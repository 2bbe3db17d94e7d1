//! Layout that is syntax is in the layers, and layout that is none is not (SPEC H3, D18). What is which is told by the
//! grammar: where a text of other white space has the same tokens in the same tree, it is the same.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads its fixtures"
)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use codecortex_syntax::{
    Facts, Layer, Layout, Limits, Outcome, Own, analyse, language_of_path, same_tokens,
};

/// Bodies with many statements: what a text may lose by a line break less, or a blank.
const BODIES: &[(&str, &str)] = &[
    (
        "a.py",
        "class A:\n    def f(self, n):\n        if n:\n            self.a()\n            self.b()\n        else:\n            self.c()\n            while n:\n                n -= 1\n                self.d()\n        for x in n:\n            if x: self.e(); self.g()\n        try:\n            self.h()\n        finally:\n            self.i()\n            with n as m: pass\n        return (1 +\n            -n)\n    if a:\n        b()\n    c()\n",
    ),
    (
        "a.js",
        "export class A {\n  f(a, b) {\n    a = b\n    ++a\n    if (a) { b() }\n    else c()\n    if (b) return 1 + 2\n    let y = - -a\n    switch (a) {\n      case 1: b(); a()\n        break\n      default: c()\n    }\n    g(() => {\n      b()\n      c(a,\n        b)\n    })\n    return `a ${ b }`\n  }\n  x = 1\n  y = a\n}\n",
    ),
    (
        "a.ts",
        "export class A {\n  f(a: number, b?: string): void {\n    const c = { a, b }\n    ;[a].map(x => x)\n    for (let i = 0; i < a; i++) { b() }\n    label: while (a) { a--\n b() }\n    const d = a as number\n    type B = { x: number\n y: string }\n    throw a\n  }\n}\n",
    ),
    (
        "a.tsx",
        "export function A(p: { a: string }) {\n  const b = 1\n  return <div className=\"a  b\">\n    text  of it\n    {p.a}\n    <b>x</b> y\n  </div>\n}\n",
    ),
    (
        "a.go",
        "package p\n\nfunc F(a int, b chan int) int {\n\tx := 1\n\ty := -x\n\tif a > 1 {\n\t\tx++\n\t\treturn x\n\t}\n\tswitch a {\n\tcase 1:\n\t\tx = 2; y = 3\n\t\tG()\n\tdefault:\n\t\tG()\n\t}\n\tg := func() { G() }\n\tg()\n\tfor i := 0; i < a; i++ {\n\t\tb <- i\n\t}\n\treturn x - y\n}\n",
    ),
    (
        "a.kt",
        "class A {\n    fun f(a: Int, b: Int): Int {\n        val x = a\n        -b\n        if (a > b) { g() } else h()\n        when (a) {\n            1 -> g()\n            else -> { h(); g() }\n        }\n        listOf(a).map { y ->\n            g()\n            y + 1\n        }\n        return a\n    }\n}\n",
    ),
    (
        "a.swift",
        "class A {\n    func f(a: Int, b: Int) -> Int {\n        let x = a\n        g(-b)\n        if a > b { g(1) } else { h() }\n        switch a {\n        case 1: g(2)\n            h()\n        default: h()\n        }\n        run { y in\n            g(y)\n            h()\n        }\n        return a - b\n    }\n}\n",
    ),
    (
        "a.rb",
        "class A\n  def f(a, b)\n    x = a\n    -b\n    if a\n      g a\n      h\n    else\n      k\n    end\n    case a\n    when 1 then g 1\n    else h; k\n    end\n    list.each do |y|\n      g(y)\n      h\n    end\n    return a\n  end\nend\n",
    ),
    (
        "a.scala",
        "class A {\n  def f(a: Int, b: Int): Int = {\n    val x = a\n    g(-b)\n    if (a > b) { g(1) } else h()\n    a match {\n      case 1 => g(2)\n        h()\n      case _ => h()\n    }\n    a - b\n  }\n}\n",
    ),
    (
        "a.sh",
        "f() {\n  a=1\n  echo b c\n  if [ -n \"$a\" ]; then\n    d\n    e\n  else\n    g\n  fi\n  case $a in\n    1) h; i ;;\n    *) j\n      k ;;\n  esac\n  for x in 1 2; do\n    l\n    m\n  done\n}\n",
    ),
    (
        "a.ex",
        "defmodule A do\n  def f(a, b) do\n    x = a\n    -b\n    if a do\n      g(a)\n      h()\n    else\n      k()\n    end\n    case a do\n      1 -> g(1)\n        h()\n      _ -> k()\n    end\n  end\nend\n",
    ),
    (
        "a.php",
        "<?php\nclass A {\n  function f($a, $b) {\n    $x = - -$a;\n    if ($a) { $this->g(); } else $this->h();\n    return $a . \"b  c\";\n  }\n}\n",
    ),
    (
        "A.java",
        "class A {\n  int f(int a, int b) {\n    int x = - -a;\n    if (a > b) { g(); } else h();\n    switch (a) { case 1: g(); break; default: h(); }\n    String s = \"\"\"\n      a  b\n      \"\"\";\n    return a - b;\n  }\n}\n",
    ),
    (
        "a.cs",
        "class A {\n  int F(int a, int b) {\n    int x = - -a;\n    if (a > b) { G(); } else H();\n    var s = $\"a  {b}\";\n    return a switch { 1 => b, _ => - a };\n  }\n  int P { get; private set; }\n  int Q() => 1 - 2;\n}\n",
    ),
    (
        "a.rs",
        "pub struct A;\nimpl A {\n  pub fn f(&self, a: i32, b: i32) -> i32 {\n    let x = !!a;\n    if a > b { g(); } else { h() }\n    match a { 1 => g(), _ => { h(); } }\n    println!(\"a  {}\", b);\n    a - b\n  }\n}\n",
    ),
    (
        "a.cpp",
        "class A {\npublic:\n  int f(int a, int b) {\n    int x = - -a;\n    if (a > b) { g(); } else h();\n    auto s = R\"(a  b)\";\n    int* p = & a;\n    return a - b;\n  }\n};\n",
    ),
    (
        "a.c",
        "int f(int a, int b) {\n  int x = - -a;\n  if (a > b) { g(); } else h();\n  for (;;) { x + +a; }\n  return a - b;\n}\n",
    ),
    (
        "a.dart",
        "class A {\n  int f(int a, int b) {\n    var x = - -a;\n    if (a > b) { g(); } else h();\n    return a - b;\n  }\n}\n",
    ),
    (
        "a.lua",
        "local function f(a, b)\n  local x = - -a\n  if a > b then g() else h() end\n  return a - b\nend\n",
    ),
    (
        "a.zig",
        "fn f(a: i32, b: i32) i32 {\n    const x = - -a;\n    if (a > b) { g(); } else h();\n    return a - b;\n}\n",
    ),
];

/// The fixtures. What stands in macros is read as items in a text of its own.
static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    let mut pending = vec![folder];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let (folders, found): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
        pending.extend(folders);
        files.extend(found.into_iter().filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let text = std::fs::read_to_string(&path).ok()?;
            facts(&name, &text)
                .filter(|facts| facts.syntax_errors == 0 && !name.contains("macro"))
                .map(|_| (name, text))
        }));
    }
    files.sort();
    files
});

fn facts(name: &str, text: &str) -> Option<Facts> {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse(name, text.as_bytes(), limits) {
        Outcome::Facts(facts) => Some(facts),
        Outcome::Names(_) | Outcome::Skipped(_) => None,
    }
}

/// What is structure and implementation.
const CODE: &[Layer] = &[Layer::Header, Layer::Body, Layer::Inner];

/// The digests of some layers.
fn essential(facts: &Facts, of: &[Layer]) -> Vec<Own> {
    let mut layers = facts.layers.clone();
    layers.retain(|own| of.contains(&own.layer));
    layers
}

/// What is put in the place of some white space.
const SPACES: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\n    ",
    "\n  ",
    "\n        ",
    "\t",
    "\r\n",
    " \n",
];

/// The runs of white space of a text, and the places between characters of which one is no letter.
fn places(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let run = bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let is_word = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'@' | b'#' | b'$')
                || byte >= 0x80
        };
        if run > 0 || at > 0 && !(is_word(bytes[at - 1]) && is_word(bytes[at])) {
            found.push((at, at + run));
        }
        at += run.max(1);
    }
    found.retain(|(start, end)| text.is_char_boundary(*start) && text.is_char_boundary(*end));
    found
}

const MISSING: &str = "the layers do not have the change";

fn check(name: &str, before: &str, after: &str, of: &[Layer]) -> Result<(), String> {
    let language = language_of_path(name).unwrap();
    let (Some(old), Some(new)) = (facts(name, before), facts(name, after)) else {
        return Ok(());
    };
    // What is declared has other names then: `A .b` of Lua.
    let names = |facts: &Facts| -> Vec<String> {
        let items = facts.items.iter();
        items
            .map(|item| format!("{}.{}", facts.str(item.container), facts.str(item.name)))
            .collect()
    };
    if new.syntax_errors > 0 || before == after || names(&old) != names(&new) {
        return Ok(());
    }
    let same = essential(&old, of) == essential(&new, of);
    match (same_tokens(language, before, after), same) {
        (Layout::SameTokens, false) => Err(format!("{name}: layout changed the layers")),
        (Layout::OtherTokens, true) => Err(format!("{name}: {MISSING}")),
        _ => Ok(()),
    }
}

/// Places all over the fixtures, each with one kind of white space. Files have more than bodies (what documents, names of
/// parameters, heads of namespaces), so only what is no change is looked for, in implementation.
#[test]
fn layout_of_files_is_in_no_layer_of_code() {
    let mut wrong = Vec::new();
    for (name, text) in FILES.iter() {
        let places = places(text);
        let step = places.len() / 40 + 1;
        for (at, (start, end)) in places.into_iter().step_by(step).enumerate() {
            let space = SPACES[at % SPACES.len()];
            let after = format!("{}{space}{}", &text[..start], &text[end..]);
            match check(name, text, &after, &[Layer::Body, Layer::Inner]) {
                Err(why) if !why.ends_with(MISSING) => {
                    let line = text[..start].matches('\n').count() + 1;
                    wrong.push(format!("{why}: line {line} -> {space:?}"));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every place of the small bodies with every kind of white space, so that no chance decides.
#[test]
fn every_gap_of_a_body_is_read_as_its_grammar_reads_it() {
    let mut wrong = Vec::new();
    for (name, text) in BODIES {
        assert_eq!(facts(name, text).unwrap().syntax_errors, 0, "{name}");
        for (start, end) in places(text) {
            for space in SPACES {
                // Two words that become one are another text, whatever a lexer makes of it.
                let is_word = |text: &str| text.ends_with(char::is_alphanumeric);
                let behind = text[end..].chars().next().map(String::from);
                if space.is_empty()
                    && is_word(&text[..start])
                    && behind.is_some_and(|of| is_word(&of))
                {
                    continue;
                }
                let after = format!("{}{space}{}", &text[..start], &text[end..]);
                if let Err(why) = check(name, text, &after, CODE) {
                    let shown = text.get(start.saturating_sub(20)..(end + 20).min(text.len()));
                    wrong.push(format!("{why}: {shown:?} -> {space:?}"));
                    break; // one for a place
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// What is the same is in the same layers, and what is not is not.
#[test]
fn statements_end_where_their_language_says() {
    use Layout::{OtherTokens, SameTokens};
    let body = |name: &str, code: &str| match name {
        "a.js" => format!("export function f(a, b) {{ {code} }}\n"),
        "a.go" => format!("package p\n\nfunc F() {{\n{code}\n}}\n"),
        "a.kt" => format!("fun f() {{\n{code}\n}}\n"),
        "a.swift" => format!("func f() {{\n{code}\n}}\n"),
        "a.scala" => format!("class A {{\n  def f() = {{\n{code}\n}}\n}}\n"),
        "a.rb" => format!("def f\n{code}\nend\n"),
        "a.sh" => format!("f() {{\n{code}\n}}\n"),
        "a.ex" => format!("defmodule A do\n  def f do\n{code}\n  end\nend\n"),
        "a.py" => format!("def f():\n    {}\n", code.replace('\n', "\n    ")),
        "a.cs" => format!("class A {{ void F() {{ {code} }} }}\n"),
        "A.java" => format!("class A {{ void f() {{ {code} }} }}\n"),
        "a.rs" => format!("pub fn f() {{ {code} }}\n"),
        "a.cpp" | "a.c" => format!("void f() {{ {code} }}\n"),
        "a.php" => format!("<?php\nfunction f() {{ {code} }}\n"),
        "a.dart" => format!("void f() {{ {code} }}\n"),
        "a.lua" => format!("function f()\n{code}\nend\n"),
        "a.zig" => format!("pub fn f() void {{ {code} }}\n"),
        other => panic!("{other}"),
    };
    let cases = [
        ("a.js", "return 1 + 2", "return\n1 + 2", OtherTokens),
        ("a.js", "a\n++b", "a++\nb", OtherTokens),
        ("a.js", "a\n(b)", "a(b)", SameTokens),
        (
            "a.js",
            "for (;;) { break\na }",
            "for (;;) { break a }",
            OtherTokens,
        ),
        ("a.go", "x := 1\n-x", "x := 1 - x", OtherTokens),
        ("a.go", "return\nx", "return x", OtherTokens),
        ("a.go", "g(\nx,\ny)", "g(x, y)", SameTokens),
        ("a.kt", "val x = a\n-b", "val x = a - b", OtherTokens),
        ("a.kt", "val x = 1\n-2", "val x = 1 - 2", OtherTokens),
        ("a.kt", "val x = (a\n-b)", "val x = (a - b)", SameTokens),
        ("a.kt", "val x = a -\nb", "val x = a - b", SameTokens),
        (
            "a.kt",
            "val x = a\n  .b()\n  ?: c",
            "val x = a.b() ?: c",
            SameTokens,
        ),
        ("a.kt", "return\na", "return a", OtherTokens),
        ("a.swift", "let x = a\n-b", "let x = a - b", OtherTokens),
        ("a.swift", "g(\na)", "g(a)", SameTokens),
        ("a.swift", "let x = a\n  .b()", "let x = a.b()", SameTokens),
        ("a.swift", "a\n(b)", "a(b)", OtherTokens),
        ("a.scala", "val x = a\n-b", "val x = a - b", OtherTokens),
        ("a.scala", "val x = a\n  .b()", "val x = a.b()", SameTokens),
        ("a.rb", "x = a\n-b", "x = a -b", OtherTokens),
        ("a.rb", "return\na", "return a", OtherTokens),
        ("a.rb", "g -a", "g - a", OtherTokens),
        ("a.rb", "x = a\n  .b", "x = a.b", SameTokens),
        ("a.rb", "g [a]", "g[a]", OtherTokens),
        ("a.sh", "a\nb", "a b", OtherTokens),
        ("a.sh", "a  b", "a b", SameTokens),
        ("a.sh", "a b$c", "a b $c", OtherTokens),
        ("a.ex", "x = a\n-b", "x = a - b", OtherTokens),
        ("a.ex", "g(a,\nb)", "g(a, b)", SameTokens),
        (
            "a.py",
            "if n:\n    a()\n    b()",
            "if n:\n    a()\nb()",
            OtherTokens,
        ),
        (
            "a.py",
            "if n:\n    a()\n    b()",
            "if n:\n  a()\n  b()",
            SameTokens,
        ),
        ("a.py", "if n: a()", "if n:\n    a()", SameTokens),
        ("a.py", "return 1 + 2", "return\n1 + 2", OtherTokens),
        ("a.py", "return 1 + 2", "return 1 + \\\n  2", SameTokens),
        ("a.py", "x = \"a  b\"", "x = \"a b\"", OtherTokens),
        (
            "a.py",
            "for x in y:\n    if x:\n        a()\n    else:\n        b()",
            "for x in y:\n    if x:\n        a()\nelse:\n    b()",
            OtherTokens,
        ),
        (
            "a.cs",
            "if (a)\n{\n  b();\n}",
            "if (a) { b(); }",
            SameTokens,
        ),
        ("a.cs", "var x = - -a;", "var x = --a;", OtherTokens),
        (
            "A.java",
            "int a = 1;\nint b = 2;",
            "int a = 1; int b = 2;",
            SameTokens,
        ),
        (
            "A.java",
            "String s = \"a b\";",
            "String s = \"ab\";",
            OtherTokens,
        ),
        ("a.rs", "g(a,\n    b);", "g(a, b);", SameTokens),
        ("a.rs", "let x = a & &b;", "let x = a && b;", OtherTokens),
        ("a.cpp", "int x = a + +b;", "int x = a ++ b;", OtherTokens),
        ("a.c", "x = a\n- b;", "x = a - b;", SameTokens),
        ("a.php", "$x = $a\n- $b;", "$x = $a - $b;", SameTokens),
        ("a.php", "$x = - -$a;", "$x = --$a;", OtherTokens),
        ("a.dart", "var x = a\n- b;", "var x = a - b;", SameTokens),
        ("a.lua", "x = a\n- b", "x = a - b", SameTokens),
        ("a.zig", "const x = a\n- b;", "const x = a - b;", SameTokens),
    ];
    let mut wrong = Vec::new();
    for (name, before, after, expected) in cases {
        let language = language_of_path(name).unwrap();
        let (old, new) = (body(name, before), body(name, after));
        let told = same_tokens(language, &old, &new);
        let layers = |text: &str| essential(&facts(name, text).unwrap(), CODE);
        let same = layers(&old) == layers(&new);
        if same != (expected == SameTokens)
            || told == OtherTokens && expected == SameTokens
            || told == SameTokens && expected == OtherTokens
        {
            wrong.push(format!(
                "{name} {before:?} {after:?}: tokens {told:?}, layers {}",
                if same { "same" } else { "other" }
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
