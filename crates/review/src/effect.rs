//! What of a text says what runs, told by its syntax tree: comments, documentation, the signs that layout is free to leave
//! out, and types that nobody looks at when code runs do not.

use std::ops::Range;

use codecortex_syntax::{Language, parse};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a language writes that says nothing to who runs the code.
struct Remarks {
    /// Ids of languages.
    languages: &'static [&'static str],
    /// Kinds of nodes that are left out whole.
    kinds: &'static [&'static str],
    /// Fields that are left out, by the kind of the node that has them.
    fields: &'static [(&'static str, &'static str)],
    /// Tokens that are left out, by the kind of the node that they are in; empty for any.
    tokens: &'static [(&'static str, &'static str)],
    /// Kinds of nodes of which the first child alone runs.
    firsts: &'static [&'static str],
}

/// Types are gone when JavaScript runs, and Python does not look at them.
const REMARKS: &[Remarks] = &[
    Remarks {
        languages: &["python"],
        kinds: &["type_parameter"],
        fields: &[
            ("typed_parameter", "type"),
            ("typed_default_parameter", "type"),
            ("assignment", "type"),
            ("function_definition", "return_type"),
        ],
        tokens: &[
            ("typed_parameter", ":"),
            ("typed_default_parameter", ":"),
            ("assignment", ":"),
            ("function_definition", "->"),
        ],
        firsts: &[],
    },
    Remarks {
        languages: &["typescript", "typescriptreact"],
        kinds: &[
            "type_annotation",
            "type_arguments",
            "type_parameters",
            "type_predicate_annotation",
            "asserts_annotation",
            "interface_declaration",
            "type_alias_declaration",
            "function_signature",
            "method_signature",
            "abstract_method_signature",
            "accessibility_modifier",
            "override_modifier",
            "implements_clause",
        ],
        fields: &[],
        tokens: &[
            ("", "readonly"),
            ("", "abstract"),
            ("", "declare"),
            ("optional_parameter", "?"),
            ("public_field_definition", "?"),
            ("public_field_definition", "!"),
        ],
        firsts: &[
            "as_expression",
            "satisfies_expression",
            "non_null_expression",
        ],
    },
];

/// Languages in which one statement stands with braces around it or without.
const FREE_BRACES: [&str; 8] = [
    "java",
    "csharp",
    "c",
    "cpp",
    "javascript",
    "javascriptreact",
    "typescript",
    "typescriptreact",
];

/// A part of a text that says what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    /// Its first byte.
    at: usize,
    text: &'t str,
    is_name: bool,
}

impl<'t> Token<'t> {
    /// Its text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    /// Whether it is a name.
    pub(crate) fn is_name(&self) -> bool {
        self.is_name
    }
}

/// The tokens of a text that say what runs, in their order; nothing where it does not parse without errors.
#[must_use]
pub(crate) fn tokens(language: Language, text: &str) -> Option<Vec<Token<'_>>> {
    let tree = parse(language, text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let id = language.info().id;
    let remarks = REMARKS.iter().find(|of| of.languages.contains(&id));
    let mut found = TokenList::new(text, id == "python");
    let mut cursor = tree.walk();
    let mut parents: Vec<&str> = Vec::new();
    loop {
        let node = cursor.node();
        let (kind, parent) = (node.kind(), parents.last().copied().unwrap_or(""));
        let field = cursor.field_name().unwrap_or("");
        let is_remark = remarks.is_some_and(|of| {
            of.kinds.contains(&kind)
                || of.fields.contains(&(parent, field))
                || [parent, ""]
                    .iter()
                    .any(|of_kind| of.tokens.contains(&(*of_kind, kind)))
        });
        let is_alone = node.named_child_count() == 1;
        let only = node.named_child(0).filter(|_| is_alone);
        let is_text_alone = kind == "expression_statement"
            && only.is_some_and(|only| only.kind().ends_with("string"));
        let is_bare_type = kind == "assignment" && node.child_by_field_name("right").is_none();
        let follows = node.next_sibling().map_or("", |next| next.kind());
        let is_free = kind == ";" && !parent.starts_with("for")
            || kind == "," && matches!(follows, ")" | "]" | "}") && !parent.contains("tuple");
        let extent = node.byte_range();
        let is_silent = kind.contains("comment") || is_remark || is_text_alone || is_free;
        let is_plain_text = is_whole_text(kind) && {
            let mut inner = node.walk();
            !node
                .named_children(&mut inner)
                .any(|part| has_code(part.kind()))
        };
        let mut goes_in = false;
        if is_silent || is_bare_type && id == "python" {
            found.leave_out(extent);
        } else if node.child_count() == 0 || is_plain_text {
            found.take(extent, kind.contains("identifier"));
        } else {
            goes_in = true;
            if remarks.is_some_and(|of| of.firsts.contains(&kind)) {
                let end = node.child(0).map_or(extent.start, |first| first.end_byte());
                found.later_out.push(end..extent.end);
            }
            if id == "python" && kind == "block" {
                found.nest(extent.clone());
            }
            if is_alone && FREE_BRACES.contains(&id) && is_body(kind, parent) {
                found.braces_out.insert(extent.start);
                found.braces_out.insert(extent.end.saturating_sub(1));
            }
            if let Some(cast) = node
                .child_by_field_name("function")
                .filter(|_| id == "python")
            {
                let is_cast = matches!(
                    text.get(cast.byte_range()),
                    Some("cast" | "t.cast" | "typing.cast")
                );
                let given = node.child_by_field_name("arguments").filter(|_| is_cast);
                if let Some(value) = given.and_then(|given| given.named_child(1)) {
                    found.later_out.push(extent.start..value.start_byte());
                    found.later_out.push(value.end_byte()..extent.end);
                }
            }
        }
        if goes_in && cursor.goto_first_child() {
            parents.push(kind);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(found.end());
            }
            parents.pop();
        }
    }
}

/// Whether a node is what a condition or a loop runs.
fn is_body(kind: &str, parent: &str) -> bool {
    let is_block = matches!(kind, "block" | "statement_block" | "compound_statement");
    let heads = [
        "if_",
        "else_",
        "for_",
        "while_",
        "do_",
        "enhanced_for_",
        "foreach_",
    ];
    is_block && heads.iter().any(|head| parent.starts_with(head))
}

/// Whether a node is a text of the program.
fn is_whole_text(kind: &str) -> bool {
    kind.contains("string") || kind.contains("char_literal") || kind.contains("character_literal")
}

/// Whether a part of a text of the program is code.
fn has_code(kind: &str) -> bool {
    kind.contains("substitution") || kind.contains("interpolation")
}

/// Tokens while they are found.
struct TokenList<'t> {
    text: &'t str,
    tokens: Vec<Token<'t>>,
    /// Whether indentation nests.
    nests: bool,
    /// Where what was taken or left out ends.
    last: usize,
    /// What is left out of what is still to come.
    later_out: Vec<Range<usize>>,
    /// First bytes of braces that layout is free to leave out.
    braces_out: FxHashSet<usize>,
}

impl<'t> TokenList<'t> {
    fn new(text: &'t str, nests: bool) -> Self {
        Self {
            text,
            tokens: Vec::new(),
            nests,
            last: 0,
            later_out: Vec::new(),
            braces_out: FxHashSet::default(),
        }
    }

    /// What no node has counts too: it is between nodes that are tokens.
    fn between(&mut self, until: usize) {
        let between = self.text.get(self.last..until).unwrap_or("");
        let told = between.trim();
        if !told.is_empty() {
            let at = self.last + (between.len() - between.trim_start().len());
            self.tokens.push(Token {
                at,
                text: told,
                is_name: false,
            });
        }
    }

    fn leave_out(&mut self, extent: Range<usize>) {
        self.between(extent.start);
        self.last = self.last.max(extent.end);
    }

    fn take(&mut self, extent: Range<usize>, is_name: bool) {
        self.between(extent.start);
        self.last = self.last.max(extent.end);
        let text = self.text.get(extent.clone()).unwrap_or("").trim();
        if !text.is_empty() {
            self.tokens.push(Token {
                at: extent.start,
                text,
                is_name,
            });
        }
    }

    /// A block that has no braces of its own.
    fn nest(&mut self, extent: Range<usize>) {
        self.between(extent.start);
        self.last = self.last.max(extent.start);
        for (at, text) in [(extent.start, "{"), (extent.end, "}")] {
            self.tokens.push(Token {
                at,
                text,
                is_name: false,
            });
        }
    }

    fn end(mut self) -> Vec<Token<'t>> {
        self.between(self.text.len());
        let mut tokens = self.tokens;
        if self.nests {
            // The ends of blocks were taken with their beginnings; of several at one byte the order is no matter.
            tokens.sort_by_key(|token| token.at);
        }
        let mut out = self.later_out;
        out.sort_by_key(|range| range.start);
        let (mut next, mut until) = (0, 0);
        tokens.retain(|token| {
            while let Some(range) = out.get(next).filter(|range| range.start <= token.at) {
                until = until.max(range.end);
                next += 1;
            }
            token.at >= until && !self.braces_out.contains(&token.at)
        });
        tokens
    }
}

/// Of tokens those between two bytes.
#[must_use]
pub(crate) fn within<'a, 't>(all: &'a [Token<'t>], extent: Range<usize>) -> &'a [Token<'t>] {
    let first = all.partition_point(|token| token.at < extent.start);
    let end = all.partition_point(|token| token.at < extent.end);
    all.get(first..end).unwrap_or(&[])
}

/// Whether two versions do the same: they differ in nothing that runs but in names that are `gone` after a change, or in
/// names alone, where one of them is gone and as much is called.
#[must_use]
pub(crate) fn do_the_same(was: &[Token<'_>], is: &[Token<'_>], gone: &FxHashSet<&str>) -> bool {
    let is_same = |(was, is): (&Token<'_>, &Token<'_>)| {
        was.text == is.text || gone.contains(was.text) && is.is_name
    };
    if was.len() == is.len() && was.iter().zip(is).all(is_same) {
        return true;
    }
    let mut counts: FxHashMap<&str, (i64, bool)> = FxHashMap::default();
    for (tokens, step) in [(was, -1), (is, 1)] {
        for token in tokens {
            let of = counts.entry(token.text).or_insert((0, token.is_name));
            of.0 += step;
        }
    }
    let is_path = |text: &str| matches!(text, "." | "::" | "->" | ",");
    let mut others = counts.iter().filter(|(_, (count, _))| *count != 0);
    let is_any_gone = others
        .clone()
        .any(|(text, (count, _))| *count < 0 && gone.contains(text));
    is_any_gone && others.all(|(text, (_, is_name))| *is_name || is_path(text))
}

/// Whether two functions of JavaScript have the same body, however they are declared: `f = () => {}` or `function f() {}`.
#[must_use]
pub(crate) fn have_same_body(
    was: &[Token<'_>],
    is: &[Token<'_>],
    language: Option<Language>,
    gone: &FxHashSet<&str>,
) -> bool {
    let id = language.map_or("", |language| language.info().id);
    if !id.starts_with("typescript") && !id.starts_with("javascript") {
        return false;
    }
    let parts = |all: &[Token<'_>]| all.iter().position(|token| token.text == "{");
    let Some((was_at, is_at)) = parts(was).zip(parts(is)) else {
        return false;
    };
    let ((was_head, was), (is_head, is)) = (was.split_at(was_at), is.split_at(is_at));
    // What makes a function another one.
    let ways = |head: &[Token<'_>]| {
        let words = ["async", "*", "get", "set", "static"];
        let ways = head.iter().filter(|token| words.contains(&token.text));
        ways.count()
    };
    ways(was_head) == ways(is_head) && do_the_same(was, is, gone)
}

/// Whether bytes of a text are in a comment or in what the program holds as text; of none that is known where it is not
/// parsed.
#[must_use]
pub(crate) fn are_prose(language: Language, text: &str, places: &[usize]) -> Vec<bool> {
    let Some(tree) = parse(language, text, None) else {
        return vec![false; places.len()];
    };
    let is_prose = |at: &usize| {
        let root = tree.root_node();
        let mut around = root.descendant_for_byte_range(*at, at + 1);
        while let Some(node) = around {
            let kind = node.kind();
            if has_code(kind) {
                return false;
            }
            if kind.contains("comment") || is_whole_text(kind) {
                return true;
            }
            around = node.parent();
        }
        false
    };
    places.iter().map(is_prose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    fn same(path: &str, before: &str, after: &str) -> bool {
        let language = language_of_path(path).unwrap();
        let (was, is) = (tokens(language, before), tokens(language, after));
        let gone: FxHashSet<&str> = ["asList"].into_iter().collect();
        do_the_same(&was.unwrap(), &is.unwrap(), &gone)
    }

    #[test]
    fn what_says_nothing_to_who_runs_it_is_no_difference() {
        for (path, before, after) in [
            (
                "a.py",
                "def f(a, b=1):\n    return a\n",
                "def f(a: int, b: int = 1) -> int:\n    \"\"\"Says it.\"\"\"\n    # why\n    return a\n",
            ),
            (
                "a.py",
                "class A:\n    def f(self):\n        self.n: int = 1\n",
                "class A:\n    n: int\n    def f(self):\n        self.n = 1\n",
            ),
            ("a.py", "x = f(a)\n", "x = t.cast(\"list[int]\", f(a))\n"),
            ("a.py", "f(a, b)\n", "f(\n    a,\n    b,\n)\n"),
            (
                "a.ts",
                "function f(a) { return a.b; }\n",
                "function f<T>(a?: T): string { return a.b!; }\n",
            ),
            (
                "a.ts",
                "const x = g(a);\n",
                "const x: B = g(a satisfies A) as B\n",
            ),
            (
                "a.ts",
                "class A { private n = 1; }\n",
                "class A { readonly n: number = 1; }\n",
            ),
            (
                "A.java",
                "class A { int f(int a) { if (a > 1) return 2; return 3; } }\n",
                "class A { int f(int a) { if (a > 1) { return 2; } /* else */ return 3; } }\n",
            ),
            (
                "a.go",
                "package a\n\nfunc F(a A) { x(a.asList(), 1) }\n",
                "package a\n\n// F does it.\nfunc F(a A) { x(a.AsList(), 1) }\n",
            ),
            (
                "a.go",
                "package a\n\nfunc F(a A) { x(asList(a), 1) }\n",
                "package a\n\nfunc F(a A) { x(slices.Collect(a), 1) }\n",
            ),
        ] {
            assert!(same(path, before, after), "{before} -> {after}");
        }
    }

    #[test]
    fn what_runs_is_a_difference() {
        for (path, before, after) in [
            (
                "a.py",
                "def f(a):\n    return a\n",
                "def f(a):\n    return a + 1\n",
            ),
            (
                "a.py",
                "def f(a, b=1):\n    return a\n",
                "def f(a, b=2):\n    return a\n",
            ),
            ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
            ("a.py", "x = (1,)\n", "x = (1)\n"),
            ("a.py", "x = 'a b'\n", "x = 'ab'\n"),
            (
                "a.go",
                "package a\n\nfunc F(a A) { x(a.add()) }\n",
                "package a\n\nfunc F(a A) { x(a.sub()) }\n",
            ),
            (
                "a.go",
                "package a\n\nfunc F(a A) { x(a.asList(), 1) }\n",
                "package a\n\nfunc F(a A) { x(a.AsList(), 2) }\n",
            ),
            (
                "a.go",
                "package a\n\nfunc F(a A) { x(a.asList()) }\n",
                "package a\n\nfunc F(a A) { x(y(a.AsList())) }\n",
            ),
            (
                "A.java",
                "class A { void f(int a) { if (a > 1) { b(); c(); } } }\n",
                "class A { void f(int a) { if (a > 1) b(); c(); } }\n",
            ),
            ("a.ts", "const x = `a ${b} c`;\n", "const x = `a ${d} c`;\n"),
            ("a.ts", "for (;;) { a(); }\n", "for (;a;) { a(); }\n"),
        ] {
            assert!(!same(path, before, after), "{before} -> {after}");
        }
    }

    #[test]
    fn a_function_is_the_same_however_it_is_declared() {
        let same = |path: &str, before: &str, after: &str| {
            let language = language_of_path(path).unwrap();
            let (was, is) = (tokens(language, before), tokens(language, after));
            let (was, is) = (was.unwrap(), is.unwrap());
            have_same_body(&was, &is, Some(language), &FxHashSet::default())
        };
        let arrow = "export default (a: A): B => { return a; };\n";
        assert!(same(
            "a.ts",
            arrow,
            "export default function f(a: A): B { return a; }\n"
        ));
        assert!(!same(
            "a.ts",
            arrow,
            "export default async function f(a: A): B { return a; }\n"
        ));
        assert!(!same(
            "a.ts",
            arrow,
            "export default function f(a: A): B { return b; }\n"
        ));
        assert!(!same(
            "a.go",
            "package a\n\nfunc F() {}\n",
            "package a\n\nfunc G() {}\n"
        ));
    }

    #[test]
    fn comments_and_texts_are_prose() {
        for (path, text, is) in [
            ("a.ts", "/**\n  mark(a);\n*/\n", true),
            ("a.ts", "f(); // mark(a)\n", true),
            ("a.ts", "const x = `\nmark(a)\n`;\n", true),
            ("a.ts", "const x = `${mark(a)}`;\n", false),
            ("a.ts", "/* a */ mark(a);\n", false),
            (
                "a.py",
                "def f():\n    \"\"\"\n    mark(a)\n    \"\"\"\n",
                true,
            ),
            ("a.rs", "/// mark(a)\nfn f() {}\n", true),
            ("a.go", "package a\n\nfunc F() {\n\tmark(a)\n}\n", false),
        ] {
            let at = text.find("mark").unwrap();
            assert_eq!(
                are_prose(language_of_path(path).unwrap(), text, &[at]),
                [is],
                "{text}"
            );
        }
    }
}
