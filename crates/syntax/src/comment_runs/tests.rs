//! What is hidden of runs, and that nothing else is another for it.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::cell::Cell;

use proptest::prelude::*;

use super::*;
use crate::{Limits, Outcome, analyse, hundred_operations, pieces_read};

thread_local! {
    static SHORTEST_HERE: Cell<usize> = const { Cell::new(SHORTEST) };
}

/// Tests try short runs.
pub(super) fn shortest() -> usize {
    SHORTEST_HERE.get()
}

/// Does something with runs of so many comments as the shortest that are long.
fn with_shortest<T>(count: usize, work: impl FnOnce() -> T) -> T {
    SHORTEST_HERE.set(count);
    let done = work();
    SHORTEST_HERE.set(SHORTEST);
    done
}

const NEVER: usize = usize::MAX;

fn outcome(text: &str, shortest: usize) -> Outcome {
    let limits = Limits {
        max_file_size: 64 << 20,
        exclude_generated: false,
    };
    with_shortest(shortest, || analyse("a.py", text.as_bytes(), limits))
}

/// A text as the parser reads it, where runs of two comments are long.
fn shown(text: &str) -> Option<String> {
    with_shortest(2, || without_long_runs(Language::Python, text))
}

#[test]
fn the_first_and_last_comments_of_each_indentation_are_shown() {
    let check =
        |text: &str, expected: &str| assert_eq!(shown(text).as_deref(), Some(expected), "{text}");
    check("# a\n# b\n# c\n# d\n", "# a\n# b\n   \n# d\n");
    check(
        "# a\n# b\n# é\n\n  # c\n# d",
        "# a\n# b\n    \n\n     \n# d",
    );
    check(
        "    # a\n    # b\n    # c\n    # d\n  # e\n # f\n\t# g\n # h\n",
        "    # a\n    # b\n       \n    # d\n  # e\n # f\n\t   \n # h\n",
    );
    check("a # b\n# c\n# d\n# e\n# f\n", "a # b\n# c\n# d\n   \n# f\n");
    check(
        "# a\r\n# b\r\n# c\r\n# d\r\n",
        "# a\r\n# b\r\n    \n# d\r\n",
    );
}

#[test]
fn what_is_no_comment_is_shown() {
    for text in [
        "a = '''\n# a\n# b\n# c\n'''\n",
        "a = r\"\"\"\\\n# a\n# b\n# c\n\"\"\"\n",
        "a = 'b\\\n# a\n# b\n# c\n",
        "# a\nb\n# c\nd\n# e\n",
        "# a\0\n# b\0\n# c\0\n# d\0\n# e\0\n",
    ] {
        assert_eq!(shown(text), None, "{text}");
    }
    let text = "a = '#'\nb = \"\"\"it's \\\"\"\" # \"\"\" # c\n# d\n# e\n# f\n# g\n";
    assert_eq!(shown(text), Some(text.replace("# f", "   ")));
    let text = "a = '\n# b\n# c\n# d\n# e's\n# {f}\n# g\n";
    assert_eq!(shown(text), Some(text.replace("# d", "   ")));
    assert_eq!(
        without_long_runs(Language::Ruby, &"# a\n".repeat(100)),
        None
    );
}

#[test]
fn hidden_comments_are_found_in_the_text() {
    let text = "# a\n  # é\r\n\n#: c\r# d\n# e";
    let found = hidden(Language::Python, text, 3..text.len() - 3);
    let found: Vec<_> = found.into_iter().map(|range| &text[range]).collect();
    assert_eq!(found, ["# é\r", "#: c", "# d"]);
    assert!(hidden(Language::Python, "# a\nb\n# c\n# d", 3..9).is_empty());
    assert!(hidden(Language::Ruby, "# a\n# b\n# c", 3..8).is_empty());
}

/// What is around a run: in front of it and behind it.
const AROUND: [(&str, &str); 11] = [
    ("def f():\n    return 1\n", "def g():\n    return 2\n"),
    ("def f():\n    a = 1\n", "    return a\n"),
    ("def f():\n    a = 1\n", ""),
    ("def f():\n", "    \"\"\"Doc.\"\"\"\n"),
    ("class A:\n    a: int\n", "    b: int\n"),
    ("if a:\n    b = 1\n", "else:\n    b = 2\n"),
    ("try:\n    b = 1\n", "except A:\n    b = 2\n"),
    ("a = [\n", "]\n"),
    ("a = 1\n", "b = 2\n"),
    ("@a\n", "def f(): ...\n"),
    (
        "class A:\n    def f(self):\n        pass\n",
        "    def g(self): ...\n",
    ),
];

/// A run ten times as long is read in about ten times the time: what grows with the square would take a hundred times
/// as long.
#[test]
fn long_runs_are_parsed_in_linear_time() {
    for (head, tail) in AROUND {
        for line in [
            "# pad\n",
            "    # pad\n",
            "    #: pad\n",
            "# pad\n\n",
            "        # pad\r\n",
        ] {
            let [few, many] = [4_000, 40_000].map(|count| {
                let text = [head, &line.repeat(count), tail].concat();
                let before = (pieces_read(), hundred_operations());
                let found = outcome(&text, SHORTEST);
                assert!(matches!(found, Outcome::Facts(_)), "{head:?} {line:?}");
                (pieces_read() - before.0, hundred_operations() - before.1)
            });
            assert!(
                many.0 <= 12 * few.0,
                "{head:?} {line:?}: {many:?} after {few:?}"
            );
            assert!(
                many.1 <= few.1 + 10,
                "{head:?} {line:?}: {many:?} after {few:?}"
            );
        }
    }
}

/// Many runs that are just too short to be hidden do not use up the parser's budget.
#[test]
fn many_short_runs_are_parsed() {
    let line = format!("    # {}\n", "a".repeat(74));
    let run = format!("def f():\n    a = 1\n{}", line.repeat(SHORTEST - 1));
    assert!(matches!(
        outcome(&run.repeat(400), SHORTEST),
        Outcome::Facts(_)
    ));
}

const INDENTS: [&str; 9] = [
    "", "", "  ", "    ", "    ", "        ", "\t", "     ", "\x0c",
];

fn comments() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec![
        "# a",
        "# a",
        "#: said",
        "#: of it",
        "#",
        "# 'b",
        "# \"\"\"",
        "# type: int",
        "#!/a",
        "# é",
        "# (",
        "# :\\",
    ]);
    let comment = (comment, prop::bool::weighted(0.2)).prop_map(|(comment, is_apart)| {
        format!("{comment}{}", if is_apart { "\n\n" } else { "\n" })
    });
    (prop::sample::select(INDENTS.to_vec()), comment, 1_usize..6)
        .prop_map(|(indent, comment, count)| format!("{indent}{comment}").repeat(count))
}

/// A line of a text without sense.
fn line() -> impl Strategy<Value = String> {
    let code = prop::sample::select(vec![
        "def f(a, b=1):",
        "class A(B):",
        "a = 1",
        "if a:",
        "else:",
        "try:",
        "except A:",
        "return a",
        "@b",
        "a = [",
        "]",
        "f(",
        ")",
        "x = '''",
        "'''",
        "\"\"\"Doc.\"\"\"",
        "f\"\"\"{a",
        "\"\"\"",
        "a = 1 \\",
        "b  # c",
        "}",
        "a = '",
        "\\",
    ]);
    let code = (prop::sample::select(INDENTS.to_vec()), code)
        .prop_map(|(indent, code)| format!("{indent}{code}\n"));
    prop_oneof![3 => comments(), 2 => code]
}

/// A step in writing a program.
#[derive(Clone, Debug)]
enum ProgramStep {
    Comments(String),
    /// Lines of a statement, each behind the present indentation.
    Statement(&'static [&'static str]),
    /// The head of a block.
    Head(&'static str),
    /// Ends the block, and what may stand in front of its other branch.
    End(Option<String>),
}

fn step() -> impl Strategy<Value = ProgramStep> {
    const STATEMENTS: [&[&str]; 8] = [
        &["a = 1"],
        &["a: int = 2"],
        &["b  # c"],
        &["return_ = f(", "# a", "# b", "# c", "    # d", "  a)"],
        &["self.b = '''", "# a", "# b", "# c", "'''"],
        &["\"\"\"Doc.", "# a", "# b", "# c\"\"\""],
        &["@b", "# a", "# b", "# c", "# d", "def g(c): ..."],
        &["import a"],
    ];
    const HEADS: [&str; 6] = [
        "def f(a):",
        "class A:",
        "if a:",
        "try:",
        "for a in b:",
        "async def h():",
    ];
    prop_oneof![
        4 => comments().prop_map(ProgramStep::Comments),
        3 => prop::sample::select(STATEMENTS.to_vec()).prop_map(ProgramStep::Statement),
        3 => prop::sample::select(HEADS.to_vec()).prop_map(ProgramStep::Head),
        3 => prop::option::of(comments()).prop_map(ProgramStep::End),
    ]
}

/// A program that some steps write.
fn program(steps: &[ProgramStep]) -> String {
    let mut text = String::new();
    let mut blocks: Vec<&str> = Vec::new();
    let mut is_empty = false;
    let line = |text: &mut String, depth: usize, line: &str| {
        *text += &format!("{}{line}\n", "    ".repeat(depth));
    };
    let end = [ProgramStep::End(None)];
    for step in steps.iter().chain(end.iter().cycle().take(steps.len())) {
        let is_end = matches!(step, ProgramStep::End(_));
        match step {
            ProgramStep::Comments(comments) => text += comments,
            ProgramStep::Statement(lines) => lines
                .iter()
                .for_each(|part| line(&mut text, blocks.len(), part)),
            ProgramStep::Head(head) => {
                line(&mut text, blocks.len(), head);
                blocks.push(head);
            }
            ProgramStep::End(other) => {
                let Some(head) = blocks.pop() else { continue };
                if is_empty {
                    line(&mut text, blocks.len() + 1, "pass");
                }
                let other = match (head, other) {
                    ("try:", other) => Some(("except B:", other.as_deref().unwrap_or(""))),
                    ("if a:" | "for a in b:", Some(between)) => Some(("else:", between.as_str())),
                    _ => None,
                };
                if let Some((head, between)) = other {
                    text += between;
                    line(&mut text, blocks.len(), head);
                    text += between;
                    line(&mut text, blocks.len() + 1, "pass");
                }
            }
        }
        is_empty = match step {
            ProgramStep::Comments(_) => is_empty,
            ProgramStep::Head(_) => true,
            _ => is_empty && is_end && blocks.is_empty(),
        };
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Facts, hashes, documentation and places are those of a text of which the parser is shown all.
    #[test]
    fn facts_are_those_of_all_comments(
        steps in prop::collection::vec(step(), 1..16),
        ends in prop::sample::select(vec!["\n", "\n", "\r\n", "\r"]),
        shortest in 2_usize..5,
    ) {
        let text = program(&steps).replace('\n', ends);
        let whole = outcome(&text, NEVER);
        let Outcome::Facts(facts) = &whole else { panic!("{whole:?}") };
        prop_assert_eq!(facts.syntax_errors, 0, "{:?}", text);
        prop_assert_eq!(outcome(&text, shortest), whole, "{:?}", text);
    }

    /// Also of what is no program as a whole, where the parser can make something of it. Where it cannot, or a string
    /// does not end, it guesses, and what it guesses depends on how much it has read.
    #[test]
    fn facts_of_lines_without_sense_are_those_of_all_comments(
        (head, tail) in prop::sample::select(AROUND.to_vec()),
        run in prop::collection::vec(line(), 0..6),
        rest in prop::collection::vec(line(), 0..4),
        shortest in 2_usize..5,
    ) {
        let text = [head, &run.concat(), tail, &rest.concat()].concat();
        let (short, whole) = (outcome(&text, shortest), outcome(&text, NEVER));
        let is_closed = Strings { text: &text, at: 0 }.all(|string| string.is_closed);
        if is_closed && matches!(&whole, Outcome::Facts(facts) if facts.syntax_errors == 0) {
            prop_assert_eq!(short, whole, "{:?}", text);
        }
    }
}
