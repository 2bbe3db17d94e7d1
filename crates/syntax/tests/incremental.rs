//! Facts after edits (SPEC I2): what is read again by parts is what is read as a whole.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that says what it measured, and its fixtures are files"
)]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use codecortex_syntax::{
    Digest, FILE, Facts, ItemIndex, Layer, Limits, Outcome, Reader, Reason, Rest, Reuse,
    analyse_text, language_of_path,
};
use codecortex_text::{Document, LineIndex};
use proptest::prelude::*;
use proptest::sample::Index;

const LIMITS: Limits = Limits {
    max_file_size: 16 << 20,
    exclude_generated: false,
};

/// Every fixture of the languages whose facts are read by parts, and of others: path and text.
static FIXTURES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
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
    files.sort();
    files
});

/// Texts that say much outside of declarations, and such as are shown to their grammar otherwise than
/// they are: path and text.
const OTHERS: [(&str, &str); 12] = [
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

/// A document as an editor has it, and its facts as they are kept.
struct Open {
    path: String,
    document: Document,
    text: String,
    reader: Reader,
    facts: Facts,
    parts: usize,
    /// Of these, how many were parsed without the rest of the text.
    excerpts: usize,
    visited: usize,
    /// The last edit, for when something is wrong.
    last: String,
}

impl Open {
    fn new(path: &str, text: &str) -> Option<Self> {
        let (outcome, reader) = Reader::open(path, text, LIMITS);
        let Outcome::Facts(facts) = outcome else {
            return None;
        };
        Some(Self {
            path: path.to_owned(),
            document: Document::new(text),
            text: text.to_owned(),
            reader: reader?,
            facts,
            parts: 0,
            excerpts: 0,
            visited: 0,
            last: String::new(),
        })
    }

    /// Replaces bytes, without looking at what it makes of the facts.
    fn edit(&mut self, start: usize, end: usize, new: &str) {
        let lines = LineIndex::new(&self.text);
        self.last = format!(
            "{:?} -> {new:?} behind {:?}",
            &self.text[start..end],
            &self.text[self.text.floor_char_boundary(start.saturating_sub(120))..start]
        );
        let [from, to] = [start, end].map(|at| lines.position(at as u32, &self.text));
        let edit = self.document.apply(from, to, new);
        self.text.replace_range(edit.start..edit.old_end, new);
        assert_eq!(self.text, self.document.text());
        self.reader.edit(&edit);
    }

    /// The facts now, which must be those of the whole tree.
    fn check(&mut self) {
        let Some((facts, reuse)) = self.reader.read(&self.text, Some(&self.facts)) else {
            return;
        };
        if let Some(reuse) = &reuse {
            self.parts += 1;
            self.excerpts += usize::from(reuse.parsed < self.text.len());
            self.visited = reuse.visited;
        }
        if let Some(reuse) = &reuse {
            keeps_what_it_says(&self.facts, &facts, reuse, &self.last);
        }
        let whole = self.reader.read_whole(&self.text).unwrap();
        let seen = format!("{} {reuse:?}", self.last);
        // Where a text does not parse, its tree depends on those before it: what is parsed without them may be
        // what the text is anew.
        let fresh = match analyse_text(&self.path, &self.text, LIMITS) {
            Outcome::Facts(fresh) => Some(fresh),
            _ => None,
        };
        let is_excerpt = reuse.is_some_and(|reuse| reuse.parsed < self.text.len());
        let is_anew = is_excerpt
            && facts.syntax_errors > 0
            && fresh.as_ref().is_some_and(|fresh| is_same(&facts, fresh));
        if !is_anew {
            same(&self.path, &seen, &facts, &whole);
        }
        if let Some(fresh) = fresh.filter(|fresh| fresh.syntax_errors == 0) {
            same(&self.path, &format!("{seen}, anew"), &facts, &fresh);
        }
        self.facts = facts;
    }
}

fn is_same(part: &Facts, whole: &Facts) -> bool {
    part.clone().compact() == whole.clone().compact()
}

/// What is said to be reused is as it was, for all who look at names, documentation and hashes.
fn keeps_what_it_says(before: &Facts, after: &Facts, reuse: &Reuse, last: &str) {
    let first = reuse.first as usize;
    let old_end = first + reuse.removed as usize;
    let new_end = first + reuse.added as usize;
    let (old, new) = (before.items.len(), after.items.len());
    assert_eq!(old - old_end, new - new_end, "{reuse:?} {last}");
    let name = |facts: &Facts, item: usize| {
        let item = &facts.items[item];
        let texts = [item.name, item.container, item.doc].map(|text| facts.str(text).to_owned());
        (item.kind, item.flags, texts)
    };
    let layers = |facts: &Facts, item: ItemIndex| -> Vec<(Layer, Digest)> {
        let layers = facts.layers_of(item).iter();
        layers.map(|own| (own.layer, own.digest)).collect()
    };
    // What is around the part is looked at with it.
    let mut around = Vec::new();
    let mut parent = before.items.get(first).and_then(|item| item.parent);
    while let Some(item) = parent {
        around.push(item as usize);
        parent = before.items[item as usize].parent;
    }
    for (old, new) in (0..first)
        .zip(0..first)
        .chain((old_end..old).zip(new_end..new))
    {
        assert_eq!(name(before, old), name(after, new), "{reuse:?} {last}");
        if !around.contains(&old) {
            let [old, new] =
                [(before, old), (after, new)].map(|(facts, item)| layers(facts, item as ItemIndex));
            assert_eq!(old, new, "{reuse:?} {last}");
        }
    }
    if reuse.same_names {
        for (old, new) in (first..old_end).zip(first..new_end) {
            let ((a, _, [b, c, _]), (d, _, [e, f, _])) = (name(before, old), name(after, new));
            assert_eq!((a, b, c), (d, e, f), "{reuse:?} {last}");
        }
    }
    let counted = |facts: &Facts| {
        let mut layers = layers(facts, FILE);
        match reuse.rest {
            Rest::Same => {}
            Rest::Looks => {
                layers.retain(|(layer, _)| !matches!(layer, Layer::Cosmetic | Layer::Order));
            }
            Rest::Other => layers.clear(),
        }
        layers
    };
    assert_eq!(counted(before), counted(after), "{reuse:?} {last}");
}

/// Compares in an order that tells what is wrong.
fn same(path: &str, text: &str, part: &Facts, whole: &Facts) {
    if is_same(part, whole) {
        return;
    }
    let (part, whole) = (part.clone().compact(), whole.clone().compact());
    let names = |facts: &Facts| -> Vec<String> {
        let items = facts.items.iter();
        items
            .map(|item| format!("{} {}", facts.str(item.name), facts.str(item.signature)))
            .collect()
    };
    assert_eq!(names(&part), names(&whole), "{path}\n{text}");
    for (one, other) in part.items.iter().zip(&whole.items) {
        assert_eq!(one, other, "{path} {}\n{text}", part.str(one.name));
    }
    for (one, other) in part.layers.iter().zip(&whole.layers) {
        let name = part
            .items
            .get(one.item as usize)
            .map_or("file", |item| part.str(item.name));
        assert_eq!(one, other, "{path} {name}\n{text}");
    }
    assert_eq!(part, whole, "{path}\n{text}");
}

/// One step of an edit script.
#[derive(Clone, Debug)]
enum Step {
    Insert(Index, &'static str),
    Remove(Index, usize),
    /// A letter in the middle of a word.
    Letter(Index),
    /// Takes the last step back.
    Undo,
    /// Something from elsewhere in the text.
    Copy(Index, Index, usize),
}

const FRAGMENTS: [&str; 56] = [
    "x",
    "a1",
    " ",
    "\n",
    "\n\n",
    "\t",
    ";",
    ",",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "\"",
    "'",
    "`",
    "=",
    ":",
    "/*",
    "*/",
    "// c\n",
    "/// d\n",
    "//! e\n",
    "# f\n",
    "\r\n",
    "é",
    "😀",
    "class X {\n}\n",
    "fn f() {}\n",
    "def f(self):\n    self.x = 1\n",
    "public int F() { return 1; }\n",
    "export ",
    "static ",
    "  let y = 1;\n",
    "\"\"\"doc\"\"\"\n",
    "@a\n",
    "#[b]\n",
    "import z\n",
    "export { A };\n",
    "x.y = function () {};\n",
    "/** g */\n",
    "import { a } from 'b';\n",
    "from a import b\n",
    "use a::b;\n",
    "using System.Linq;\n",
    "import \"fmt\"\n",
    "call(1);\n",
    "call(1)\n",
    "if x:\n    call(1)\n",
    "#if X\n",
    "#endif\n",
    "cfg_rt! {\n    pub fn g() {}\n}\n",
    "lazy_static! { static ref B: u8 = 1; }\n",
];

fn step() -> impl Strategy<Value = Step> {
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), prop::sample::select(FRAGMENTS.to_vec())).prop_map(|(at, new)| Step::Insert(at, new)),
        2 => (place(), 1_usize..30).prop_map(|(at, length)| Step::Remove(at, length)),
        4 => place().prop_map(Step::Letter),
        3 => Just(Step::Undo),
        1 => (place(), place(), 1_usize..120).prop_map(|(from, to, length)| Step::Copy(from, to, length)),
    ]
}

fn place(text: &str, at: Index) -> usize {
    text.floor_char_boundary(at.index(text.len() + 1))
}

/// The bytes that a step replaces, and what by.
fn replaced(
    step: &Step,
    text: &str,
    undo: &mut Vec<(usize, usize, String)>,
) -> Option<(usize, usize, String)> {
    let (start, end, new) = match step {
        Step::Insert(at, new) => (place(text, *at), place(text, *at), (*new).to_owned()),
        Step::Remove(at, length) => {
            let start = place(text, *at);
            (
                start,
                text.ceil_char_boundary((start + length).min(text.len())),
                String::new(),
            )
        }
        Step::Letter(at) => {
            let bytes = text.as_bytes();
            let is_word = |at: &usize| {
                bytes[*at].is_ascii_alphabetic() && bytes[*at - 1].is_ascii_alphabetic()
            };
            let at = (place(text, *at).max(1)..bytes.len()).find(is_word)?;
            (at, at, "x".to_owned())
        }
        Step::Undo => return undo.pop(),
        Step::Copy(from, to, length) => {
            let (start, at) = (place(text, *from), place(text, *to));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            (at, at, text[start..end].to_owned())
        }
    };
    undo.push((start, start + new.len(), text[start..end].to_owned()));
    Some((start, end, new))
}

fn run(path: &str, text: &str, script: &[(Step, bool)]) -> (usize, usize) {
    let Some(mut open) = Open::new(path, text) else {
        return (0, 0);
    };
    open.check();
    let mut undo = Vec::new();
    let mut steps = 0;
    for (step, is_seen) in script {
        let Some((start, end, new)) = replaced(step, &open.text, &mut undo) else {
            continue;
        };
        open.edit(start, end, &new);
        if *is_seen {
            open.check();
            steps += 1;
        }
    }
    (steps, open.parts)
}

/// Texts of many declarations in which an edit is parsed without the rest: path and text.
static LONG: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
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

fn script() -> impl Strategy<Value = Vec<(Step, bool)>> {
    prop::collection::vec((step(), prop::bool::weighted(0.8)), 1..24)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn parts_are_as_the_whole(file in any::<Index>(), script in script()) {
        let (path, text) = file.get(&FIXTURES);
        run(path, text, &script);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn excerpts_are_as_the_whole(file in any::<Index>(), script in script()) {
        let (path, text) = file.get(&LONG);
        run(path, text, &script);
    }
}

/// What stands before the first statement is the file's.
#[test]
fn a_mark_at_the_start_is_no_part_of_a_statement() {
    let (path, text) = OTHERS.iter().find(|(name, _)| *name == "Mark.cs").unwrap();
    let mut open = Open::new(path, text).unwrap();
    open.check();
    for word in ["disable", "System"] {
        let at = text.find(word).unwrap() + 2;
        for (end, new) in [(at, "x"), (at + 1, "")] {
            open.edit(at, end, new);
            open.check();
        }
    }
}

/// What is around an edit ends elsewhere then, and what is in it behind the edit may end there too.
#[test]
fn a_long_comment_is_read_from_its_first_line_on() {
    // More nodes than tree-sitter goes back by.
    let doc = (0..300).map(|line| format!("/// Line {line}.\n"));
    let text = format!("use a::b;\n\n{}pub struct S;\n", doc.collect::<String>());
    let mut open = Open::new("a.rs", &text).unwrap();
    open.check();
    for line in ["Line 5.", "Line 270.", "struct S"] {
        let at = open.text.find(line).unwrap() + 2;
        for (end, new) in [(at, "x"), (at + 1, "")] {
            open.edit(at, end, new);
            open.check();
        }
    }
}

/// A bracket that the parser puts in where what follows is left out it may leave out in the whole.
#[test]
fn a_bracket_that_is_put_in_is_looked_for_in_the_whole() {
    let (path, text) = FIXTURES
        .iter()
        .find(|(name, _)| name == "legacy.js")
        .unwrap();
    let mut open = Open::new(path, text).unwrap();
    open.check();
    for (end, new) in [(0, "x"), (1, "")] {
        open.edit(0, end, new);
        open.check();
    }
    let half = "ction boot\n\nconst lookup = {\n  \"by-id\": (id) => id,\n  async byName(name) {},\n  plain:";
    let at = text.find("this.name ").unwrap() + "this.name ".len();
    open.edit(at, at, half);
    open.check();
}

#[test]
fn what_opens_a_comment_or_leaves_out_a_bracket_is_looked_for_in_the_whole() {
    for (path, behind, new) in [
        ("panel.tsx", "What the panel shows. *", "x"), // a regular expression, if no comment ends below
        ("store.rs", "fn helper(n: u8) -> u8 {\n            n", "<"),
    ] {
        let (path, text) = FIXTURES.iter().find(|(name, _)| name == path).unwrap();
        let mut open = Open::new(path, text).unwrap();
        open.check();
        let at = text.find(behind).unwrap() + behind.len();
        open.edit(at, at, new);
        open.check();
        open.edit(at, at + new.len(), "");
        open.check();
    }
    let (path, text) = FIXTURES
        .iter()
        .find(|(name, _)| name == "panel.tsx")
        .unwrap();
    let mut open = Open::new(path, text).unwrap();
    open.check();
    let at = text.find("shows. */").unwrap() + "shows. ".len();
    open.edit(at, at + 2, "");
    open.check();
}

#[test]
fn what_broken_code_says_of_a_type_is_taken_back() {
    // Of a string that is not closed the rest becomes the outer type's.
    let text = r#"namespace A
{
    public interface IOuter<TValue, TResult>
    {
        internal sealed class First : Base<T>
        {
            public override TResult Accept<TResult>(Func<T, TResult> next, Func<Exception, TResult> error)
            {
            }
        }
#if !B
        [Shown("Second({Value})")]
#endif
        internal sealed class Second : Base<T>
        {
            public Second(Exception exception)
            {
            }
            public override void Accept(Action<T> next, Action<Exception> error, Action done)
            {
            }
        }
        public IThird<T> ToThird()
        {
            return Third.Create<T>(third => scheduler.Schedule(() =>
            {
            }));
        }
    }
}
"#;
    let mut open = Open::new("A.cs", text).unwrap();
    open.check();
    let at = text.find("hown").unwrap();
    for (end, new) in [(at, "\""), (at + 1, "")] {
        open.edit(at, end, new);
        open.check();
    }
}

#[test]
fn what_is_pasted_into_a_class_leaves_its_last_member_whole() {
    for (path, text, new) in [
        (
            "a.ts",
            "class A {\n  first = 1;\n  last = () => {};\n}\n",
            "pasted = () => {};\n  ",
        ),
        (
            "a.rs",
            "mod a {\n    use b::first;\n    fn last() -> u8 { 1 }\n}\n",
            "fn pasted() {}\n    ",
        ),
        (
            "a.cs",
            "class A\n{\n    int first;\n    int Last() { return 1; }\n}\n",
            "int pasted;\n    ",
        ),
    ] {
        let mut open = Open::new(path, text).unwrap();
        open.check();
        let at = text.find("first").unwrap();
        let at = text[..at].rfind('\n').unwrap() + 1;
        let at = at + text[at..].find(|c: char| c != ' ').unwrap();
        open.edit(at, at, &new.repeat(20));
        open.check();
        assert_eq!(open.reader.reason(), None::<Reason>, "{path}");
    }
}

/// Most letters that are typed into long texts are parsed without the rest, where they break nothing.
#[test]
fn most_letters_in_long_texts_are_parsed_alone() {
    // Letters where the text parses before and after, and others.
    let (mut all, mut alone) = ([0, 0], [0, 0]);
    for (path, text) in LONG.iter() {
        let mut open = Open::new(path, text).unwrap();
        open.check();
        let is_sound_file = open.facts.syntax_errors == 0;
        for start in (0..40).map(|number| text.floor_char_boundary(text.len() * number / 40)) {
            let bytes = open.text.as_bytes();
            let is_word = |at: &usize| {
                bytes[*at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_alphabetic()
            };
            let Some(at) = (start.max(1)..bytes.len()).find(is_word) else {
                continue;
            };
            for (end, new) in [(at, "x"), (at + 1, "")] {
                let was_sound = open.facts.syntax_errors == 0;
                let excerpts = open.excerpts;
                open.edit(at, end, new);
                open.check();
                let breaks = usize::from(!was_sound || open.facts.syntax_errors > 0);
                all[breaks] += usize::from(is_sound_file);
                alone[breaks] += open.excerpts - excerpts;
            }
        }
        println!("{path}: {} letters", open.excerpts);
    }
    println!("{alone:?} of {all:?} letters are parsed alone");
    assert!(alone[0] * 3 > all[0] * 2, "{alone:?} of {all:?}");
    assert!(alone[1] * 5 > all[1], "{alone:?} of {all:?}");
}

/// What breaks all that follows costs a look at all of it; what mends it again does not.
#[test]
fn what_is_broken_and_taken_back_is_parsed_alone() {
    let (mut broken, mut alone) = (0, 0);
    for (path, text) in LONG.iter() {
        let mut open = Open::new(path, text).unwrap();
        open.check();
        if open.facts.syntax_errors > 0 {
            continue;
        }
        for start in (0..40).map(|number| text.floor_char_boundary(text.len() * number / 40)) {
            let Some(at) = text[start..].find([' ', '(']).map(|at| start + at) else {
                continue;
            };
            let new = ["{", "(", ")", "\""][at % 4];
            open.edit(at, at, new);
            let (facts, reuse) = open.reader.read(&open.text, Some(&open.facts)).unwrap();
            let is_excerpt = reuse.is_some_and(|reuse| reuse.parsed < open.text.len());
            let is_broken = !is_excerpt && facts.syntax_errors > 0;
            open.facts = facts;
            let excerpts = open.excerpts;
            open.edit(at, at + 1, "");
            open.check();
            broken += usize::from(is_broken);
            alone += usize::from(is_broken && open.excerpts > excerpts);
        }
    }
    println!("{alone} of {broken} are parsed alone");
    assert!(alone * 3 > broken * 2, "{alone} of {broken}");
}

/// What stands between declarations, and what its grammar is shown otherwise, is read by parts too.
#[test]
fn statements_and_macros_are_read_by_parts() {
    for (path, words) in [
        (
            "statements.ts",
            ["'./b'", "run(", "last(c)", "A remark"].as_slice(),
        ),
        (
            "statements.py",
            &["import os", "setup(", "A = 2", "C().call"],
        ),
        (
            "exports.ts",
            &[
                "one'", "two }", "two'", "three", "fore", "five", "four.js", "all", "six from",
                "seven }",
            ],
        ),
        // Whether a field is new depends on its class alone.
        (
            "fields.py",
            &[
                "total = total",
                "first",
                "total = 3",
                "total = 2",
                "total = 4",
                "other = 5",
                "IT = 2",
            ],
        ),
        ("Statements.cs", &["licence", "System.Text", "Of C"]),
        ("Conditions.cs", &["using System", "total + 1", "Call"]),
        ("calls.rs", &["c::{d", "total + 1", "struct Io", "last"]),
        // Names that are looked for behind them are others.
        ("assigned.js", &["function first", "other()", "first()"]),
        (
            "Remarks.cs",
            &["licence", "first", "lines", "second", "Inner", "Behind"],
        ),
        ("remarks.rs", &["licence", "remark"]),
        ("statements.go", &["\"io\"", "Said of b", "A remark"]),
    ] {
        let (_, text) = OTHERS.iter().find(|(name, _)| *name == path).unwrap();
        let mut open = Open::new(path, text).unwrap();
        open.check();
        for word in words {
            let at = text.find(word).unwrap() + 2;
            for (end, new) in [(at, "x"), (at + 1, "")] {
                open.edit(at, end, new);
                open.check();
                assert_eq!(
                    open.reader.reason(),
                    None::<Reason>,
                    "{path}: {new:?} in {word}"
                );
            }
        }
    }
}

/// A file of so many members, and the place of a word in the body of one in the middle.
/// A call that lost its head in one edit and was edited near in the next has neither end before the other.
#[test]
fn a_macro_call_whose_head_is_deleted_is_edited_on() {
    let (path, text) = OTHERS.iter().find(|(name, _)| *name == "calls.rs").unwrap();
    let call = text.find("cfg_rt!").unwrap()..text.find("no_items!").unwrap();
    for start in call.start - 20..call.start {
        for end in [call.start + 3, call.end - 1, call.end + 5] {
            let mut open = Open::new(path, text).unwrap();
            open.check();
            open.edit(start, end, "");
            open.edit(start + 1, start + 1, "x");
            open.check();
        }
    }
}

fn long(head: &str, member: &str, tail: &str, count: usize) -> (String, usize) {
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

/// A remark in front of a namespace is read without that.
#[test]
fn a_licence_is_read_alone() {
    for (path, licence) in [
        ("a.cs", "/* A licence\n   of two lines. */"),
        ("a.cs", "// A licence\n// of two lines."),
        ("a.rs", "// A licence\n// of two lines."),
    ] {
        let (head, tail) = match path {
            "a.cs" => ("namespace N\n{\n    class C\n    {\n", "    }\n}\n"),
            _ => ("mod n {\n    impl C {\n", "    }\n}\n"),
        };
        let member = match path {
            "a.cs" => "        int M(int a)\n        {\n            return a + 1;\n        }\n",
            _ => "        fn m(a: u8) -> u8 {\n            a + 1\n        }\n",
        };
        let file = format!("{licence}\n{head}{}{tail}", member.repeat(20));
        let text = file.repeat(20);
        let mut open = Open::new(path, &text).unwrap();
        open.check();
        for word in ["licence", "lines"] {
            let at = text.len() / 2 + text[text.len() / 2..].find(word).unwrap();
            for (end, new) in [(at, "x"), (at + 1, "")] {
                open.edit(at, end, new);
                open.check();
                assert!(open.visited < 40, "{path} {word}: {}", open.visited);
            }
        }
        assert_eq!(open.excerpts, 4, "{path}");
    }
}

/// What is looked at after an edit is what was edited: in a file of ten thousand lines as much as in one
/// of five hundred.
#[test]
fn what_is_read_again_does_not_grow_with_the_file() {
    for (path, head, member, tail) in [
        (
            "a.cs",
            "namespace N\n{\n    public class C\n    {\n",
            "        /// <summary>NN</summary>\n        public int MNN(int a)\n        {\n            return a + total;\n        }\n",
            "    }\n}\n",
        ),
        (
            "a.ts",
            "export class C {\n",
            "  /** NN */\n  mNN(a: number): number {\n    const b = a + total;\n    return b;\n  }\n",
            "}\n",
        ),
        (
            "b.ts",
            "import x from 'y';\n",
            "\n/** NN */\nexport function fNN(a: number): number {\n  return a + total;\n}\n",
            "",
        ),
        (
            "a.py",
            "class C:\n    \"\"\"C.\"\"\"\n",
            "\n    def mNN(self, a):\n        \"\"\"NN.\"\"\"\n        b = a + total\n        return b\n",
            "",
        ),
        (
            "b.py",
            "import os\n",
            "\ndef fNN(a):\n    b = a + total\n    return b\n\n",
            "",
        ),
        (
            "a.rs",
            "impl C {\n",
            "    /// NN\n    pub fn mNN(&self, a: u32) -> u32 {\n        let b = a;\n        b + self.total\n    }\n",
            "}\n",
        ),
        (
            "a.go",
            "package a\n",
            "\n// FNN adds.\nfunc FNN(a int) int {\n\treturn a + total\n}\n",
            "",
        ),
        (
            "A.java",
            "class A {\n",
            "    /** NN */\n    int mNN(int a) {\n        int b = a;\n        return b + total;\n    }\n",
            "}\n",
        ),
    ] {
        let visited = [100, 2_000].map(|count| {
            let (text, place) = long(head, member, tail, count);
            let mut open = Open::new(path, &text).unwrap();
            open.check();
            open.edit(place, place, "x");
            open.check();
            assert_eq!(open.parts, 1, "{path} with {count} members");
            open.visited
        });
        println!("{path}: {visited:?} nodes");
        assert_eq!(visited[0], visited[1], "{path}");
        assert!(visited[0] < 300, "{path}");
    }
}

/// Most letters that are typed into code are read by parts: a test that compares nothing would pass.
#[test]
fn most_edits_are_read_by_parts() {
    let (mut all, mut parts) = (0, 0);
    for (path, text) in FIXTURES.iter() {
        let is_read = [
            "store.ts",
            "NodeStore.cs",
            "NodeStore.java",
            "store.go",
            "store.py",
            "store.rs",
        ];
        if !is_read.contains(&path.as_str()) {
            continue;
        }
        let mut open = Open::new(path, text).unwrap();
        open.check();
        let places = text
            .match_indices(" = ")
            .map(|(at, _)| at + 1)
            .collect::<Vec<_>>();
        for at in places {
            open.edit(at, at, " ");
            open.check();
            open.edit(at, at + 1, "");
            open.check();
            all += 2;
        }
        parts += open.parts;
    }
    println!("{parts} of {all} edits are read by parts");
    assert!(parts * 10 >= all * 6, "{parts} of {all}");
}
