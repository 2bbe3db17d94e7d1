//! Code that does not parse, and what opens or closes more than a declaration.

use codecortex_syntax::Reason;

use crate::open::Open;
use crate::texts::{FIXTURES, LONG};

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
        ("store.rs", "-> fmt::Result {", "\"\"\"doc\"\"\"\n"), // which stack costs least is told by what is far below
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

/// What breaks all that follows may cost a look at all of it; what makes it whole again does not.
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
            let (facts, _) = open.reader.read(&open.text, Some(&open.facts)).unwrap();
            let is_broken = facts.syntax_errors > 0;
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

/// Where a keyword before a block is broken, the parser may make members of all that follows.
#[test]
fn a_block_behind_a_broken_keyword_is_what_it_is_in_the_whole() {
    let member = "\n\t\tpublic void Insert(uint uIndex, T o)\n\t\t{\n\t\t\tif(o == null) { Debug.Assert(false); throw new ArgumentNullException(\"o\"); }\n\n\t\t\tm_l.Insert((int)uIndex, o);\n\t\t}\n";
    let edited = "\n\t\tpublic void Add(PwObjectList<T> l)\n\t\t{\n\t\t\tif(l == null) { Debug.Assert(false); throw new ArgumentNullException(\"l\"); }\n\n\t\t\tforeach(T o in l)\n\t\t\t{\n\t\t\t\tif(o == null) { Debug.Assert(false); throw new ArgumentOutOfRangeException(\"l\"); }\n\t\t\t}\n\n\t\t\tm_l.AddRange(l);\n\t\t}\n";
    let text = format!(
        "namespace N\n{{\n\tpublic class PwObjectList<T>\n\t{{{}{edited}{}\t}}\n}}\n",
        member.repeat(8),
        member.repeat(12)
    );
    let mut open = Open::new("a.cs", &text).unwrap();
    open.check();
    let at = text.find("foreach").unwrap();
    let at = at + text[at..].find("if(").unwrap() + 1;
    for (end, new) in [(at, "x"), (at + 1, "")] {
        open.edit(at, end, new);
        open.check();
    }
    assert_eq!(open.facts.syntax_errors, 0);
}
