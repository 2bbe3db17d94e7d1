//! Declarations that must share a name, and what may be tied to it from outside: families and doubts of renames (SPEC ED1).

#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_bind::{Dialect, bind};
use codecortex_resolve::{DefRef, RenameDoubtReason, Resolver, Workspace};
use codecortex_syntax::{Language, parse};

/// The mark before the name that is asked for.
const MARK: &str = "$";

fn workspace(path: &str, language: Language, dialect: Dialect, text: &str) -> Workspace {
    let tree = parse(language, text, None).unwrap();
    let mut workspace = Workspace::default();
    workspace.insert(0, path, dialect, &bind(dialect, text, &tree));
    workspace
}

/// What a rename of a name would have to know.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// Lines of the declarations, from 1.
    family: Vec<usize>,
    /// What a value is surely given to, with the line.
    sure: Vec<String>,
    /// What may ask for the method.
    possible: Vec<String>,
    /// Bases from outside.
    bases: Vec<String>,
    /// Lines of uses in bases that mean the family.
    in_bases: Vec<usize>,
}

fn line_of(text: &str, at: u32) -> usize {
    text[..at as usize].matches('\n').count() + 1
}

fn found((path, language, dialect): (&str, Language, Dialect), marked: &str) -> Found {
    let at = marked.find(MARK).unwrap();
    let text = marked.replacen(MARK, "", 1);
    let workspace = workspace(path, language, dialect, &text);
    let resolver = Resolver::new(&workspace);
    let of = resolver.at(0, at as u32).1.unwrap();
    let family = resolver.rename_family(&[of]);
    let line = |def: &DefRef| line_of(&text, resolver.place(*def).unwrap());
    let mut found = Found {
        family: family.defs.iter().map(line).collect(),
        ..Found::default()
    };
    found.family.sort_unstable();
    for doubt in family.doubts.iter().chain(&family.possible) {
        match &doubt.reason {
            RenameDoubtReason::GivenOutside(given) => {
                let line = given.place.map_or(0, |(_, at)| line_of(&text, at));
                let shown = format!("{} {line}", given.by);
                match given.is_sure {
                    true => found.sure.push(shown),
                    false => found.possible.push(shown),
                }
            }
            RenameDoubtReason::BaseOutside(base) => found.bases.push(base.clone()),
            other => found.bases.push(format!("{other:?}")),
        }
    }
    let uses = family.defs.iter().flat_map(|def| resolver.mixin_uses(*def));
    found.in_bases = uses.map(|(_, at)| line_of(&text, at)).collect();
    found.in_bases.sort_unstable();
    found.in_bases.dedup();
    found
}

fn go(text: &str) -> Found {
    found(("a.go", Language::Go, Dialect::Go), text)
}

fn python(text: &str) -> Found {
    found(("a.py", Language::Python, Dialect::Python), text)
}

/// A file of Go with a type `T` that has the method which is asked for.
fn with_type(rest: &str) -> String {
    format!(
        "package a\nimport (\n\"example.com/wire\"\n\"fmt\"\n\"io\"\n)\ntype T struct{{ n int }}\nfunc (t *T) $Send(x int) {{}}\n{rest}"
    )
}

#[test]
fn a_value_that_is_given_to_a_written_type_is_a_doubt() {
    for (rest, sure) in [
        ("var x wire.Sender = &T{}\n", "wire.Sender 9"),
        ("var _ wire.Sender = (*T)(nil)\n", "wire.Sender 9"),
        ("var _ wire.Sender = &T{}\n", "wire.Sender 9"),
        ("func f() wire.Sender { return &T{} }\n", "wire.Sender 9"),
        (
            "func f(t *T) (wire.Sender, error) {\n\treturn t, nil\n}\n",
            "wire.Sender 10",
        ),
        (
            "func take(s wire.Sender) {}\nfunc f(t *T) { take(t) }\n",
            "Sender 10",
        ),
        ("var s wire.Sender\nfunc f(t *T) { s = t }\n", "Sender 10"),
    ] {
        let found = go(&with_type(rest));
        assert_eq!(found.sure, [sure], "{rest}");
        assert_eq!(found.family, [8], "{rest}");
    }
}

#[test]
fn a_value_of_another_type_or_for_a_known_interface_is_none() {
    for rest in [
        "",
        "var x = &T{}\n",
        "func f() *T { return &T{} }\n",
        // Its own type takes it, whatever else is returned.
        "func f() (*T, wire.Mode) { return &T{}, wire.Fast }\n",
        "type U struct{}\nfunc (u *U) Send(x string) {}\nvar _ wire.Sender = &U{}\n",
        // What the library's interfaces ask for is known.
        "func (t *T) Read(b []byte) (int, error) { return 0, nil }\nvar _ io.Reader = &T{}\n",
        // A method of it is called, and its result is given.
        "func (t *T) Name() string { return \"\" }\nfunc f(t *T) { wire.Log(t.Name()) }\n",
        // Of printing nothing but some names is known.
        "func f(t *T) { fmt.Println(t) }\n",
        "func f(t *T) any { return t }\n",
        "func f(t *T) error { t.Send(1); return nil }\n",
    ] {
        let found = go(&with_type(rest));
        assert_eq!(found.sure, [""; 0], "{rest}");
        assert_eq!(found.possible, [""; 0], "{rest}");
    }
}

#[test]
fn an_argument_of_a_function_from_outside_is_a_possible_doubt() {
    for (rest, possible) in [
        ("func f(t *T) { wire.Log(t) }\n", "wire.Log 9"),
        ("func f() { wire.Log(1, &T{}) }\n", "wire.Log 9"),
        ("func f(c wire.Client, t *T) {\n\tc.Use(t)\n}\n", "c.Use 10"),
        (
            "type U struct{ *T }\nfunc f(u U) { wire.Log(u) }\n",
            "wire.Log 10",
        ),
    ] {
        let found = go(&with_type(rest));
        assert_eq!(found.possible, [possible], "{rest}");
        assert_eq!(found.sure, [""; 0], "{rest}");
    }
}

#[test]
fn what_the_library_asks_of_arguments_is_told_by_name_and_form() {
    let text = |method: &str| {
        format!(
            "package a\nimport \"flag\"\ntype T struct{{}}\nfunc (t *T) ${method}\nfunc f(t *T) {{ flag.Var(t, \"t\", \"\") }}\n"
        )
    };
    let set = go(&text("Set(x string) error { return nil }"));
    assert_eq!(set.sure, ["flag.Var 5"]);
    for method in [
        "Set(x, y string) error { return nil }",
        "Post(x string) error { return nil }",
    ] {
        let other = go(&text(method));
        assert_eq!((other.sure, other.possible), (vec![], vec![]), "{method}");
    }
}

#[test]
fn a_name_that_other_packages_do_not_see_is_asked_for_by_none() {
    let text = with_type("var _ wire.Sender = &T{}\n").replace("Send(", "send(");
    let found = go(&text);
    assert_eq!((found.sure, found.possible), (vec![], vec![]));
}

#[test]
fn a_member_that_a_base_uses_is_that_of_all_derived_types() {
    let text = "\
class Base:
    def all(self):
        return iter(self.part)

    def both(self):
        return self.part() + self.part()


class One(Base):
    def $part(self):
        return 1


class Two(Base):
    def part(self):
        return 2


class Three(One):
    pass


class Apart:
    def part(self):
        return 3
";
    let found = python(text);
    assert_eq!(found.family, [10, 15]);
    assert_eq!(found.in_bases, [3, 6]);
    assert_eq!(found.bases, [""; 0]);
}

#[test]
fn a_base_that_has_the_member_or_may_have_it_is_no_mixin() {
    for (text, family) in [
        (
            "class Base:\n    def part(self):\n        return 0\n\n    def all(self):\n        return self.part()\n\n\nclass One(Base):\n    def $part(self):\n        return 1\n",
            vec![2, 10],
        ),
        (
            "class Base:\n    def all(self, other: 'Base'):\n        return other.part\n\n\nclass One(Base):\n    def $part(self):\n        return 1\n",
            vec![7],
        ),
        (
            "from wire import Frame\nclass Base(Frame):\n    def all(self):\n        return self.part\n\n\nclass One(Base):\n    def $part(self):\n        return 1\n",
            vec![8],
        ),
    ] {
        let found = python(text);
        assert_eq!(found.family, family, "{text}");
        assert_eq!(found.in_bases, [0; 0], "{text}");
    }
}

#[test]
fn tests_of_a_class_from_outside_are_its_own() {
    let text = |base: &str, name: &str| {
        format!(
            "from unittest import {base}\n\n\nclass A({base}):\n    def ${name}(self):\n        pass\n"
        )
    };
    for (base, name, is_free) in [
        ("TestCase", "test_sum", true),
        ("IsolatedAsyncioTestCase", "test_sum", true),
        ("TestCase", "setUp", false),
        ("TestCase", "helper", false),
        ("Frame", "test_sum", false),
    ] {
        let found = python(&text(base, name));
        assert_eq!(found.bases.is_empty(), is_free, "{base} {name}");
    }
}
