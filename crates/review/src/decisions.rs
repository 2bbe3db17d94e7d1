//! Whether a function decides and computes what it did, in other words: the change a test has no reason to follow.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effect::Token;

/// Tokens that declare, group or reach, and decide nothing.
const FREE: [&str; 32] = [
    "(", ")", "[", "]", "{", "}", ",", ".", ";", ":", "::", "->", "=>", "=", ":=", "?.", "let",
    "const", "var", "val", "mut", "func", "function", "def", "fn", "static", "pub", "this", "self",
    "new", "public", "private",
];

/// Annotations that a compiler checks, and no program sees: Java's `@Override` and Python's `@override`.
const CHECKED_ANNOTATIONS: [&str; 2] = ["Override", "override"];

/// The declarations that a change adds and removes, by name, with their literals, operators and keywords.
#[derive(Default)]
pub(crate) struct MovedDecisions<'t> {
    pub(crate) added: FxHashMap<&'t str, Vec<&'t str>>,
    pub(crate) removed: FxHashMap<&'t str, Vec<&'t str>>,
}

/// Whether two versions of a declaration decide the same. Their literals, operators and keywords stand in one order, or
/// those that differ moved into a declaration that the change adds and the new version names, or out of one that it
/// removes and the old version named. Both versions use the same names in the same places, but for names of those
/// declarations and of values that got a name or lost it.
#[must_use]
pub(crate) fn decide_the_same(
    was: &[Token<'_>],
    is: &[Token<'_>],
    moved: &MovedDecisions<'_>,
) -> bool {
    let (was, is) = (unchecked(was), unchecked(is));
    let (was, is) = (was.as_slice(), is.as_slice());
    let (before, after) = (decisions(was), decisions(is));
    if before == after {
        return uses_names_alike(was, is, moved);
    }
    let mut differ = counts(&after);
    for text in before {
        *differ.entry(text).or_default() -= 1;
    }
    differ.retain(|_, count| *count != 0);
    if differ.is_empty() {
        return false;
    }
    let (mut into, mut out_of) = (held(&moved.added, is), held(&moved.removed, was));
    differ.into_iter().all(|(text, count)| {
        let pool = if count < 0 { &mut into } else { &mut out_of };
        pool.remove(text).unwrap_or(0) >= count.abs()
    })
}

/// The tokens without annotations that a compiler alone reads.
fn unchecked<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let annotates = |at: usize| {
        let name = tokens.get(at + 1).map(Token::text);
        tokens[at].text() == "@" && name.is_some_and(|name| CHECKED_ANNOTATIONS.contains(&name))
    };
    let is_part = |at: usize| annotates(at) || (at > 0 && annotates(at - 1));
    let kept = (0..tokens.len()).filter(|at| !is_part(*at));
    kept.map(|at| tokens[at]).collect()
}

/// The decisions of declarations that a version names.
fn held<'t>(all: &FxHashMap<&'t str, Vec<&'t str>>, by: &[Token<'_>]) -> FxHashMap<&'t str, i64> {
    let named: FxHashSet<&str> = by.iter().map(Token::text).collect();
    let used = named.iter().filter_map(|name| all.get(name));
    let used: Vec<&str> = used.flatten().copied().collect();
    counts(&used)
}

/// Literals, operators and keywords.
pub(crate) fn decisions<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let decide = |token: &&Token<'t>| !token.is_name() && !FREE.contains(&token.text());
    tokens.iter().filter(decide).map(Token::text).collect()
}

/// Whether both versions name the same in the same order, or the common names are only more or only fewer, as where a
/// value gets a name.
fn uses_names_alike(was: &[Token<'_>], is: &[Token<'_>], moved: &MovedDecisions<'_>) -> bool {
    let names = |tokens| -> Vec<&str> { names(tokens).collect() };
    let (old, new) = (names(was), names(is));
    let (before, after) = (counts(&old), counts(&new));
    // A name that one version alone has stands for a value, or for a declaration that the change adds or removes.
    let is_explained = |tokens: &[Token<'_>],
                        only: &FxHashMap<&str, i64>,
                        other: &FxHashMap<&str, i64>,
                        declared: &FxHashMap<&str, Vec<&str>>| {
        only.iter().all(|(name, count)| {
            other.contains_key(name)
                || *count > 1
                || declared.contains_key(name)
                || qualifies(tokens, name, declared)
        })
    };
    if !is_explained(is, &after, &before, &moved.added)
        || !is_explained(was, &before, &after, &moved.removed)
    {
        return false;
    }
    let kept = |list: &[&str]| -> Vec<String> {
        let both = list.iter();
        let both = both.filter(|text| before.contains_key(*text) && after.contains_key(*text));
        both.map(|text| (*text).to_owned()).collect()
    };
    let (was, is) = (kept(&old), kept(&new));
    if was.len() == is.len() {
        return was == is;
    }
    let signs = before.iter().filter_map(|(text, count)| {
        let now = after.get(text)?;
        Some((now - count).signum())
    });
    let signs: Vec<i64> = signs.collect();
    !(signs.contains(&1) && signs.contains(&-1))
}

/// Whether a name only says where one of these declarations is: `Limits` in `Limits.MAX`.
fn qualifies(tokens: &[Token<'_>], name: &str, declared: &FxHashMap<&str, Vec<&str>>) -> bool {
    let mut uses = (0..tokens.len()).filter(|at| tokens[*at].text() == name);
    uses.all(|at| {
        let joined = tokens.get(at + 1).map(Token::text);
        let member = tokens.get(at + 2).map(Token::text);
        matches!(joined, Some("." | "::"))
            && member.is_some_and(|member| declared.contains_key(member))
    })
}

/// The names of a declaration, in their order.
fn names<'t>(tokens: &[Token<'t>]) -> impl Iterator<Item = &'t str> {
    tokens
        .iter()
        .filter(|token| token.is_name())
        .map(Token::text)
}

fn counts<'t>(all: &[&'t str]) -> FxHashMap<&'t str, i64> {
    let mut counts = FxHashMap::default();
    for text in all {
        *counts.entry(*text).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::tokens;
    use codecortex_syntax::language_of_path;

    /// Of two versions of a function, with declarations beside it that the change adds and removes.
    fn same(
        path: &str,
        versions: [&'static str; 2],
        added: Option<(&'static str, &'static str)>,
        removed: Option<(&'static str, &'static str)>,
    ) -> bool {
        let language = language_of_path(path).unwrap();
        let of = |text: &'static str| tokens(language, text).unwrap();
        let pair = versions.map(of);
        let held = |one: Option<(&'static str, &'static str)>| {
            one.map(|(name, text)| (name, decisions(&of(text))))
                .into_iter()
                .collect()
        };
        let moved = MovedDecisions {
            added: held(added),
            removed: held(removed),
        };
        decide_the_same(&pair[0], &pair[1], &moved)
    }

    #[test]
    fn other_words_for_the_same_decide_the_same() {
        for (path, before, after) in [
            (
                "a.py",
                "def f(a):\n    return a\n",
                "def f(a):\n    b = a\n    return b\n",
            ),
            (
                "a.go",
                "package a\nfunc f(x int) { g(x.y); h(x.y) }\n",
                "package a\nfunc f(x int) { z := x.y; g(z); h(z) }\n",
            ),
            (
                "a.ts",
                "function f(a) { return g(a); }\n",
                "const f = (a) => { return g(a); }\n",
            ),
            (
                "A.java",
                "class A { A a() { return new A() { B b() { return null; } }; } }\n",
                "class A { A a() { return new A() { @Override B b() { return null; } }; } }\n",
            ),
            (
                "a.py",
                "class A(B):\n    def f(self):\n        return 1\n",
                "class A(B):\n    @override\n    def f(self):\n        return 1\n",
            ),
        ] {
            assert!(same(path, [before, after], None, None), "{path}: {after}");
        }
    }

    #[test]
    fn a_changed_decision_or_value_is_no_other_wording() {
        for (path, before, after) in [
            (
                "a.py",
                "def f(a, b):\n    return a\n",
                "def f(a, b):\n    return b\n",
            ),
            (
                "a.py",
                "def f(a, b):\n    return a - b\n",
                "def f(a, b):\n    return b - a\n",
            ),
            (
                "a.py",
                "def f(a):\n    return a + 1\n",
                "def f(a):\n    return a + 2\n",
            ),
            (
                "a.ts",
                "function f(a) { return a < 1; }\n",
                "function f(a) { return a <= 1; }\n",
            ),
            (
                "a.go",
                "package a\nfunc f(x int) { g(x) }\n",
                "package a\nfunc f(x int) { if x > 0 { g(x) } }\n",
            ),
            (
                "a.py",
                "def f(a, b):\n    return a.add(b)\n",
                "def f(a, b):\n    return a.sub(b)\n",
            ),
            (
                "a.rs",
                "fn f(a: bool) -> bool { a }\n",
                "fn f(a: bool) -> bool { !a }\n",
            ),
            (
                "A.java",
                "class A { A a() { return null; } }\n",
                "class A { @Lazy A a() { return null; } }\n",
            ),
        ] {
            assert!(!same(path, [before, after], None, None), "{path}: {after}");
        }
    }

    #[test]
    fn a_call_of_a_declaration_of_the_change_is_another_wording() {
        let versions = [
            "def f(a):\n    return old(a)\n",
            "def f(a):\n    return fresh(a)\n",
        ];
        let (old, fresh) = (
            "def old(a):\n    return a\n",
            "def fresh(a):\n    return a\n",
        );
        let (old, fresh) = (Some(("old", old)), Some(("fresh", fresh)));
        assert!(same("a.py", versions, fresh, old));
        assert!(!same("a.py", versions, fresh, None));
        assert!(!same("a.py", versions, None, old));
    }

    #[test]
    fn a_moved_constant_may_have_another_qualifier() {
        let versions = [
            "def f(a):\n    return a < Old.MOST\n",
            "def f(a):\n    return a < Fresh.LIMIT\n",
        ];
        let (most, limit) = (Some(("MOST", "MOST = 1\n")), Some(("LIMIT", "LIMIT = 1\n")));
        let with_class = MovedDecisions {
            added: [("LIMIT", Vec::new()), ("Fresh", Vec::new())]
                .into_iter()
                .collect(),
            removed: [("MOST", Vec::new())].into_iter().collect(),
        };
        let of = |text| tokens(language_of_path("a.py").unwrap(), text).unwrap();
        let pair = versions.map(of);
        assert!(decide_the_same(&pair[0], &pair[1], &with_class));
        assert!(same("a.py", versions, limit, most));
        assert!(!same("a.py", versions, limit, None));
    }

    #[test]
    fn what_moved_into_a_new_declaration_is_kept_where_it_is_used() {
        let whole = "def f(a):\n    if a > 1:\n        return a * 2\n    return 0\n";
        let rest = "def f(a):\n    return part(a)\n";
        let part = "def part(a):\n    if a > 1:\n        return a * 2\n    return 0\n";
        assert!(same("a.py", [whole, rest], Some(("part", part)), None));
        assert!(same("a.py", [rest, whole], None, Some(("part", part))));
        assert!(!same("a.py", [whole, rest], None, None));
        assert!(!same("a.py", [whole, rest], Some(("other", part)), None));
        let less = "def part(a):\n    return a * 2\n";
        assert!(!same("a.py", [whole, rest], Some(("part", less)), None));
    }
}
