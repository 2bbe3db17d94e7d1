//! Texts that are edited.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use codecortex_syntax::language_of_path;

/// Every fixture of the languages whose facts are read by parts, and of others: path and text.
pub(crate) static FIXTURES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if language_of_path(&name).is_some()
                && let Ok(text) = fs::read_to_string(&path)
            {
                files.push((name, text));
            }
        }
    }
    files.extend(OTHERS.map(|(path, text)| (path.to_owned(), text.to_owned())));
    files.push(("runs.py".to_owned(), runs()));
    files.sort();
    files
});

/// Texts that say much outside of declarations, and such as are shown to their grammar otherwise than
/// they are: path and text.
pub(crate) const OTHERS: [(&str, &str); 12] = [
    (
        "Mark.cs",
        "\u{feff}#if A\n#pragma warning disable CS1 // x\n#endif\n\nusing System;\n\nclass C\n{\n    int a;\n    int B() { return a; }\n}\n",
    ),
    (
        "exports.ts",
        "export { one } from './one';\nexport { two } from './two';\nexport { three } from './three';\nexport {\n  four, four as fore,\n  five\n} from \"./four.js\";\nexport * from './all';\nexport * as six from './six'\n\nfunction a(): number {\n  const b = 1;\n  return b;\n}\n\nconst c = 2;\nexport { a, c };\nexport { seven } from './seven';\n",
    ),
    (
        "fields.py",
        "LIMIT = 1\n\n\nclass A:\n    limit = LIMIT\n\n    def __init__(self, total):\n        self.total = total\n        self.first = total\n\n    class B:\n        def set(self):\n            self.total = 3\n\n    def set(self):\n        self.total = 2\n        self.second = self.total\n\n\nclass A:\n    def __init__(self):\n        self.total = 4\n\n    def again(self):\n        self.total = self.other = 5\n\n\nLIMIT = 2\nother = LIMIT\n\n\ndef last():\n    return other\n",
    ),
    (
        "statements.ts",
        "// A remark.\nimport { b } from './b';\nimport a from \"a\";\n\nrun(a, b);\n// Said of c.\nexport const c = 1;\nif (a) {\n  b(c);\n}\n\nexport namespace n {\n  call();\n  export function d() {\n    return 1;\n  }\n  again(d);\n}\nlast(c)\n// The end.\n",
    ),
    (
        "statements.py",
        "\"\"\"What it is.\"\"\"\nimport os\nfrom a import (b, c)\n\nsetup(os, b); run()\nA = 1\nA = 2\nif c:\n    go(c)\n\n    def f():\n        return A\n\n\nclass C:\n    pass\n\n\nC().call(A)\n# The end.\n",
    ),
    (
        "Statements.cs",
        "// A licence.\nusing System;\nusing System.Text;\n\nnamespace N\n{\n    // Of C.\n    class C\n    {\n        int f;\n        int M(int a) { return a + f; }\n    }\n    // Last.\n}\n\nnamespace O { using P; enum E { A, B } }\n",
    ),
    (
        "Conditions.cs",
        "using System;\n\nclass C\n{\n    int M(int a) { return Call(a,\n#if X\n        1,\n#endif\n        2); }\n\n    int N(int total) { return total + 1; }\n}\n",
    ),
    (
        "calls.rs",
        "//! What it is.\nuse a::b;\nuse c::{d, e};\n\ncfg_rt! {\n    pub fn spawn(total: u8) -> u8 {\n        total + 1\n    }\n\n    cfg_io! {\n        pub struct Io { total: u8 }\n    }\n}\n\nno_items! { a => fn b }\n\nlazy_static! {\n    static ref TABLE: u8 = 1;\n}\n\nmod g;\nmod h;\n\nfn last(total: u8) -> u8 { total }\n",
    ),
    (
        "assigned.js",
        "function first() { return 1; }\nfunction last() { return 2; }\nlast.of = 1;\nclass A {\n  static make() { return 1; }\n  other() { return 2; }\n  get size() { return 1; }\n  set size(value) { this.other(value); }\n}\nA.one = function () { return last(); };\n",
    ),
    (
        "Remarks.cs",
        "// A licence.\nusing S;\n/* Of the\n   first. */\nnamespace A\n{\n    class B { int M() { return 1; } }\n}\n// Two lines,\n// of the second.\n\nnamespace C\n{\n    // Inner.\n    namespace D { class E { } }\n    /// Doc.\n    // Behind it.\n    namespace F { }\n    // Last.\n}\n// The end.\n",
    ),
    (
        "remarks.rs",
        "// A licence.\nmod a { fn f() {} }\n/// Of b.\n// A remark.\nmod b;\n// Of the test.\n#[cfg(test)]\nmod c { use super::*; }\n#[path = \"e.rs\"]\n// Between.\nmod d;\n// Last.\n",
    ),
    (
        "statements.go",
        "// A licence.\n\npackage a\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\n// Said of b.\nvar b = io.EOF\n\n// A remark.\n\nfunc c() error { return b }\n\n// The end.\n",
    ),
];

/// Runs of comments of which the parser is shown few, some that are just too short for that or just long enough, and one
/// that is a string's.
fn runs() -> String {
    let run = |line: &str, count: usize| line.repeat(count);
    [
        "import a\n".to_owned(),
        run("# Of the file.\n", 70),
        "def f(total):\n    if total:\n        return 1\n".to_owned(),
        run("        # Of the branch.\n", 63),
        run("    # Behind it.\n", 2),
        "    else:\n        return 2\n".to_owned(),
        run("# Outside.\n", 66),
        "    return 3\n\n\nclass A:\n    \"\"\"Doc.\n".to_owned(),
        run("    # Of the string.\n", 64),
        "    \"\"\"\n".to_owned(),
        run("    #: Of b.\n", 65),
        "    b: int = [\n".to_owned(),
        run("        # Of the list.\n\n", 64),
        "    ]\n\n    def g(self):\n        self.c = 1\n".to_owned(),
        run("    # The end.\r\n", 64),
    ]
    .concat()
}

/// Texts of many declarations in which an edit is parsed without the rest: path and text.
pub(crate) static LONG: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let is_read = ["cs", "ts", "tsx", "js", "py", "rs", "go", "java"];
    let files = FIXTURES.iter().filter(|(path, _)| {
        let ending = path.rsplit('.').next().unwrap();
        is_read.contains(&ending)
    });
    files
        .map(|(path, text)| (path.clone(), repeated(text)))
        .collect()
});

/// A text with what is behind its head several times over.
fn repeated(text: &str) -> String {
    const HEADS: [&str; 9] = [
        "package",
        "import",
        "using",
        "namespace",
        "from",
        "//",
        "#!",
        "\"\"\"",
        "'use",
    ];
    let is_head = |line: &&str| line.is_empty() || HEADS.iter().any(|head| line.starts_with(head));
    let head: usize = text
        .split_inclusive('\n')
        .take_while(|line| is_head(&line.trim_end()))
        .map(str::len)
        .sum();
    let (head, rest) = text.split_at(head);
    let rest = if rest.ends_with('\n') {
        rest.to_owned()
    } else {
        format!("{rest}\n")
    };
    format!("{head}{}", rest.repeat(5))
}

/// A file of so many members, and the place of a word in the body of one in the middle.
pub(crate) fn long(head: &str, member: &str, tail: &str, count: usize) -> (String, usize) {
    let mut text = head.to_owned();
    let mut place = 0;
    for number in 0..count {
        let member = member.replace("NN", &format!("{number:05}"));
        if number == count / 2 {
            place = text.len() + member.find("total").unwrap() + 2;
        }
        text.push_str(&member);
    }
    text.push_str(tail);
    (text, place)
}
