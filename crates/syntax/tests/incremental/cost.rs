//! How much is read and parsed again.

use crate::open::Open;
use crate::texts::{FIXTURES, LONG, long};

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

/// Two halves of an accessor are one declaration: both are parsed with what one of them is documented with.
#[test]
fn halves_of_accessors_are_read_without_the_rest() {
    let method = "  m(a: number): number {\n    return a + total;\n  }\n";
    let pair = "  /** Documented. */\n  get size(): number {\n    return this.kept;\n  }\n\n  set size(value: number) {\n    this.kept = given;\n  }\n";
    let methods = method.repeat(40);
    let text = format!("class C {{\n{methods}{pair}{methods}}}\n");
    let mut open = Open::new("a.ts", &text).unwrap();
    open.check();
    for word in ["Documented", "kept;", "given"] {
        let at = text.find(word).unwrap() + 1;
        for (end, new) in [(at, "x"), (at + 1, "")] {
            open.edit(at, end, new);
            open.check();
            assert!(
                open.parsed < text.len() / 2,
                "{word}: {:?}",
                open.reader.reason()
            );
        }
    }
}

/// What was parsed by itself before is cut as what was not, where it stands beside an edit.
#[test]
fn what_was_edited_beside_is_not_parsed_again() {
    let line = |number: usize| format!("    let b{number} = a + total;\n");
    let body: String = (0..40).map(line).collect();
    for (path, head, tail) in [
        ("a.ts", "  m(a: number): number {\n", "    return a;\n  }\n"),
        ("a.rs", "    fn m(a: u8) -> u8 {\n", "        a\n    }\n"),
    ] {
        let method = format!("{head}{body}{tail}");
        let around = if path == "a.ts" {
            "class C {\n"
        } else {
            "impl C {\n"
        };
        let text = format!("{around}{}}}\n", method.repeat(30));
        let mut open = Open::new(path, &text).unwrap();
        open.check();
        let place = |number: usize| around.len() + number * method.len() + method.len() / 2;
        let parsed = [15, 14, 16, 15].map(|number| {
            let at = place(number) + text[place(number)..].find("total").unwrap() + 2;
            for (end, new) in [(at, "x"), (at + 1, "")] {
                open.edit(at, end, new);
                open.check();
            }
            open.parsed
        });
        assert_eq!(open.excerpts, 8, "{path}");
        assert_eq!(parsed[0], parsed[3], "{path}");
    }
}

/// However much is typed, the text is looked through for what no parser gets through, not parsed.
#[test]
fn many_letters_are_parsed_alone() {
    let method = "  m(a: number): number {\n    return a + total;\n  }\n";
    let text = format!("class C {{\n{}}}\n", method.repeat(60));
    let mut open = Open::new("a.ts", &text).unwrap();
    open.check();
    let at = text.len() / 2 + text[text.len() / 2..].find("total").unwrap() + 2;
    for number in 0..300 {
        open.edit(at + number, at + number, "x");
        open.check();
    }
    assert_eq!(open.excerpts, 300);
}

/// What the parser makes of a broken keyword depends on what follows only until it has made up its mind.
#[test]
fn most_broken_keywords_are_parsed_alone() {
    let member = "\n    public int Count\n    {\n        get { return a; }\n    }\n\n    private bool Has(object o)\n    {\n        foreach (var a in o)\n        {\n            if (a.b(c)) { return true; }\n        }\n        return d(e, f);\n    }\n";
    let text = format!("class C\n{{{}}}\n", member.repeat(150));
    let keywords = ["public", "get", "private", "return true", "return d"];
    let mut open = Open::new("a.cs", &text).unwrap();
    open.check();
    assert_eq!(open.facts.syntax_errors, 0);
    for (number, keyword) in keywords.iter().enumerate() {
        let from = member.len() * (20 + 10 * number);
        let at = from + text[from..].find(keyword).unwrap() + 1;
        let before = open.excerpts;
        for (end, new) in [(at, "x"), (at + 1, "")] {
            open.edit(at, end, new);
            open.check();
        }
        assert_eq!(open.excerpts, before + 2, "{keyword}");
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
