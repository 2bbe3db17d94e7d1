//! Where a part begins and ends, and what is read by itself.

use codecortex_syntax::Reason;

use crate::open::Open;
use crate::texts::OTHERS;

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

/// Lines that are typed in front of a byte order mark move it away from where the parser passes over it.
#[test]
fn blanks_in_front_of_a_mark_are_as_the_whole() {
    let (path, text) = OTHERS.iter().find(|(name, _)| *name == "Mark.cs").unwrap();
    for typed in ["\r\n", "\n", " ", "\t"] {
        let mut open = Open::new(path, text).unwrap();
        for _ in 0..3 {
            open.edit(0, 0, typed);
            open.check();
        }
        open.edit(typed.len(), typed.len(), "\r\n");
        open.check();
    }
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

/// What is the first declaration now has comments behind it be no more about the file.
#[test]
fn a_first_declaration_is_read_with_what_is_said_of_the_file() {
    let functions = "function f(a) {\n  return a;\n}\n".repeat(20);
    let text = format!("call();\n/**\n * @fileoverview About it all.\n */\ncall();\n{functions}");
    let mut open = Open::new("a.js", &text).unwrap();
    open.check();
    let new = "function first() {}\n";
    for (end, new) in [(0, new), (new.len(), "")] {
        open.edit(0, end, new);
        open.check();
    }
}

/// What a call makes a type with in Python is read with the type that it makes.
#[test]
fn fields_in_the_texts_of_a_call_are_read_with_their_type() {
    let functions = "def f(a):\n    return a\n\n".repeat(20);
    let text = format!(
        "{functions}Pair = namedtuple('Pair', 'left right')\nclass Place(namedtuple('Place', ['name'])):\n    \
         def norm(self):\n        return 1\n\n    size = 2\n\n{functions}"
    );
    let mut open = Open::new("a.py", &text).unwrap();
    open.check();
    for word in [
        "left",
        "right",
        "'name",
        "norm",
        "return 1",
        "size",
        "namedtuple",
        "Place'",
    ] {
        let at = text.find(word).unwrap() + 2;
        for (end, new) in [(at, "x"), (at + 1, ""), (at, " y "), (at + 3, "")] {
            open.edit(at, end, new);
            open.check();
        }
    }
}
