//! Edits of declarations case by case: `fixtures/structure/*.txt`.
//!
//! A case begins with `--- title`, then `> verb name`, then the code, then its file with `=== path`. The text afterwards
//! follows `+++`, or `!!!` the refusal. `UPDATE_EXPECT=1` writes it down.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tests read files, and say how many cases there were"
)]

use std::fmt::Write as _;
use std::path::Path;

use codecortex_edit::{
    DeclarationPlace, FileChange, InsertSide, Refusal, StructureEdit, TextEdit, deletion,
    import_deletion, write_code,
};
use codecortex_syntax::{Facts, Limits, Outcome, analyse};

struct Case {
    title: String,
    verb: String,
    name: String,
    code: String,
    path: String,
    text: String,
    written: String,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for part in text.split("--- ").skip(1) {
        let (title, rest) = part.split_once('\n').unwrap();
        let (wish, rest) = rest.split_once("=== ").unwrap();
        let (wish, code) = wish.strip_prefix("> ").unwrap().split_once('\n').unwrap();
        let (verb, name) = wish.split_once(' ').unwrap();
        let (path, rest) = rest.split_once('\n').unwrap();
        let end = rest
            .find("+++\n")
            .or_else(|| rest.find("!!! "))
            .unwrap_or(rest.len());
        let (text, expected) = rest.split_at(end);
        let written = format!("--- {}", &part[..part.len() - expected.len()]);
        cases.push(Case {
            title: title.to_owned(),
            verb: verb.to_owned(),
            name: name.to_owned(),
            code: code.to_owned(),
            path: path.to_owned(),
            text: text.to_owned(),
            written,
            expected: expected.to_owned(),
        });
    }
    cases
}

fn facts(path: &str, text: &str) -> Facts {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse(path, text.as_bytes(), limits) {
        Outcome::Facts(facts) => facts,
        other => panic!("{path}: {other:?}"),
    }
}

fn place(path: &str, text: &str, name: &str) -> DeclarationPlace {
    let facts = facts(path, text);
    let item = facts.items.iter().find(|item| facts.str(item.name) == name);
    let item = item.unwrap_or_else(|| panic!("no {name} in {path}"));
    let code = item.start_byte..item.end_byte;
    DeclarationPlace::new((path, text), name, item.name_byte, code).unwrap()
}

fn planned(case: &Case, text: &str) -> Result<TextEdit, Refusal> {
    let file = (case.path.as_str(), text);
    if case.verb == "unimport" {
        let at = text.find(&case.name).unwrap() as u32;
        let edit = import_deletion(file, at);
        return edit.ok_or_else(|| Refusal::new(codecortex_edit::RefusalKind::Used, "It stays."));
    }
    let place = place(&case.path, text, &case.name);
    let edit = match case.verb.as_str() {
        "delete" => return deletion(file, &place),
        "body" => StructureEdit::ReplaceBody,
        "replace" => StructureEdit::ReplaceSymbol,
        "before" => StructureEdit::Insert(InsertSide::Before),
        "after" => StructureEdit::Insert(InsertSide::After),
        other => panic!("{other}"),
    };
    write_code(file, &place, edit, &case.code, false)
}

fn applied(text: &str, edit: &TextEdit) -> String {
    let change = FileChange {
        file: 0,
        edits: vec![edit.clone()],
    };
    change.apply(text)
}

fn outcome(case: &Case) -> String {
    let mut out = String::new();
    let edit = match planned(case, &case.text) {
        Ok(edit) => edit,
        Err(refusal) => {
            writeln!(out, "!!! {:?}: {}", refusal.kind, refusal.message).unwrap();
            return out;
        }
    };
    let after = applied(&case.text, &edit);
    // With the other line ends, the same text comes of it.
    let crlf = case.text.replace('\n', "\r\n");
    let other = planned(case, &crlf).map(|edit| applied(&crlf, &edit));
    assert_eq!(other, Ok(after.replace('\n', "\r\n")), "{}", case.title);
    write!(out, "+++\n{after}").unwrap();
    out
}

fn run(name: &str, least: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join(format!("tests/fixtures/structure/{name}.txt"));
    let text = std::fs::read_to_string(&path).unwrap();
    let cases = cases(&text);
    let (mut wrong, mut rewritten) = (String::new(), String::new());
    for case in &cases {
        let (found, expected) = (outcome(case), &case.expected);
        if found.trim_end() != expected.trim_end() {
            let title = &case.title;
            write!(
                wrong,
                "--- {title}\nexpected:\n{expected}\nfound:\n{found}\n"
            )
            .unwrap();
        }
        write!(
            rewritten,
            "{}\n{}\n\n",
            case.written.trim_end(),
            found.trim_end()
        )
        .unwrap();
    }
    if std::env::var("UPDATE_EXPECT").is_ok() {
        std::fs::write(&path, format!("{}\n", rewritten.trim_end())).unwrap();
        return;
    }
    println!("{name}: {} cases", cases.len());
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases.len() >= least, "{} cases", cases.len());
}

#[test]
fn typescript() {
    run("typescript", 10);
}

#[test]
fn python() {
    run("python", 10);
}

#[test]
fn others() {
    run("others", 12);
}

/// How many edits are tried; `CODECORTEX_EDITS` asks for more.
fn edits() -> usize {
    let asked = std::env::var("CODECORTEX_EDITS").ok();
    asked.and_then(|count| count.parse().ok()).unwrap_or(600)
}

/// Whatever is written or deleted: what is outside of the planned range stays byte by byte, and a refusal plans nothing.
#[test]
fn random_edits_leave_all_other_bytes() {
    let files = [
        (
            "a.ts",
            "/** Doc. */\nexport class A {\n\tx = 1;\n\n\t/** m */\n\tm(): number { return 1; }\n\tn() {\n\t\treturn `\n  a`;\n\t}\n}\n\nfunction f() { return 2; }\nconst a = 1, b = 2;\n",
        ),
        (
            "a.py",
            "import os\n\n@dec\ndef f(x):\n    \"\"\"Doc.\"\"\"\n    return x\n\n\nclass A:\n    y = 1\n\n    def m(self): return 2\n",
        ),
        (
            "A.java",
            "package a;\n\n/** Doc. */\npublic class A {\n    int x, y;\n\n    @Deprecated\n    void m() { x = 1; }\n}\n",
        ),
        (
            "a.rs",
            "/// Doc.\n#[derive(Debug)]\npub struct A { x: u8, y: u8 }\n\nimpl A {\n    fn m(&self) -> u8 { self.x }\n}\nenum E { B, C }\n",
        ),
        (
            "a.go",
            "package a\n\n// F does.\nfunc F() int { return 1 }\n\nvar (\n\tx = 1\n\ty = 2\n)\n",
        ),
    ];
    let codes = [
        "",
        "return 1;",
        "{ return 1; }",
        "}",
        "x",
        "\tif (a) {\n\t\tb();\n\t}",
        "def f(x):\n  return 2",
        "fn m() {}",
        "\u{e4} \u{1f600}",
        "/* a",
        "`\n",
    ];
    let mut seed = 7_u64;
    let mut next = |most: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % most
    };
    let mut done = 0;
    let count = edits();
    for _ in 0..count {
        let (path, text) = files[next(files.len())];
        let facts = facts(path, text);
        let item = &facts.items[next(facts.items.len())];
        let code = item.start_byte..item.end_byte;
        let name = facts.str(item.name);
        let place = DeclarationPlace::new((path, text), name, item.name_byte, code).unwrap();
        let verb = next(5);
        let code = codes[next(codes.len())];
        let edit = match verb {
            0 => deletion((path, text), &place),
            1 => write_code(
                (path, text),
                &place,
                StructureEdit::ReplaceBody,
                code,
                next(2) == 0,
            ),
            2 => write_code(
                (path, text),
                &place,
                StructureEdit::ReplaceSymbol,
                code,
                next(2) == 0,
            ),
            3 => write_code(
                (path, text),
                &place,
                StructureEdit::Insert(InsertSide::Before),
                code,
                next(2) == 0,
            ),
            _ => write_code(
                (path, text),
                &place,
                StructureEdit::Insert(InsertSide::After),
                code,
                next(2) == 0,
            ),
        };
        let Ok(edit) = edit else {
            continue;
        };
        done += 1;
        let after = applied(text, &edit);
        let (start, end) = (edit.start as usize, edit.end as usize);
        assert!(
            after.starts_with(&text[..start]),
            "{path} {name} {verb} {code:?}"
        );
        assert!(
            after.ends_with(&text[end..]),
            "{path} {name} {verb} {code:?}"
        );
        assert_eq!(after.len(), text.len() - (end - start) + edit.text.len());
        // A body is changed in its declaration, a declaration is changed alone.
        let around = &place.whole;
        let is_within = match verb {
            1 | 2 => edit.start >= around.start && edit.end <= around.end + 1,
            3 | 4 => edit.start == edit.end,
            _ => true,
        };
        assert!(
            is_within,
            "{path} {name} {verb} {code:?}: {edit:?} of {around:?}"
        );
    }
    assert!(done > count / 3, "{done} of {count}");
}
