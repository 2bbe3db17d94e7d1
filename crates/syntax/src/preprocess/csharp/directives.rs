//! Conditional directives where C#'s grammar knows none: within arguments, initialisers, bases, labels of a
//! `switch`, modifiers, or around half a statement.
//!
//! Between whole statements and declarations the grammar takes `#if`, and all branches stay as they are.
//! Elsewhere the directives are blanked. What is in a group with one branch stays, since it has to fit where its
//! condition holds; so do branches that are elements of a list. Of others a text is made that has all of them, where
//! one is known (`conditional_branches.rs`); else the first stays.

use std::borrow::Cow;
use std::ops::Range;

use super::conditional_branches::{self, Join};
use super::scan::{Blank, Branch, CSharpScan, CSharpScanState, is_list};
use super::tokens::{CSharpWord, tokens};
use crate::preprocess::blank::blank;

/// Deeper than this nobody writes.
const DEEPEST: usize = 64;

pub(super) fn without_directives(text: &str) -> Cow<'_, str> {
    let mut rewritten = directives(text);
    let joints: Vec<Blank> = rewritten
        .extract_if(.., |blank| !blank.put.is_empty())
        .collect();
    let ranges: Vec<Range<usize>> = rewritten.into_iter().map(|blank| blank.range).collect();
    if joints.is_empty() {
        return blank(text, &ranges);
    }
    let mut readable = blank(text, &ranges).into_owned();
    for Blank { range, put } in joints {
        let width = range.len();
        readable.replace_range(range, &format!("{put:<width$}"));
    }
    Cow::Owned(readable)
}

/// What to blank of a text's directives.
pub(super) fn directives(text: &str) -> Vec<Blank> {
    if !has_directives(text) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let mut scan = CSharpScan {
        text,
        tokens: &tokens,
        out: Vec::new(),
    };
    let mut state = CSharpScanState::default();
    let mut at = 0;
    while at < tokens.len() {
        // A directive that closes nothing is left to the parser.
        at = scan.run(at, &mut state, 0) + 1;
    }
    let mut out = scan.out;
    out.sort_by_key(|blank| blank.range.start);
    out
}

/// Whether a text may have a directive to blank: a condition, or a line that the grammar cannot read.
/// Regions and the like it can, and they are in most files with directives.
pub(super) fn has_directives(text: &str) -> bool {
    memchr::memchr_iter(b'#', text.as_bytes()).any(|at| {
        let rest = text[at + 1..].trim_start();
        let is_last_line = memchr::memchr(b'\n', &text.as_bytes()[at..]).is_none();
        is_last_line
            || ["if", "pragma", ":"]
                .iter()
                .any(|word| rest.starts_with(word))
    })
}

impl CSharpScan<'_> {
    /// Reads on until a directive ends what this began in; says where that stands.
    fn run(&mut self, from: usize, state: &mut CSharpScanState, depth: usize) -> usize {
        let mut at = from;
        while let Some(token) = self.tokens.get(at) {
            match token.word {
                CSharpWord::If if depth < DEEPEST => at = self.group(at, state, depth),
                CSharpWord::Elif | CSharpWord::Else | CSharpWord::Endif => return at,
                CSharpWord::Unreadable => self.out.push(Blank::nothing(token.range.clone())),
                CSharpWord::If | CSharpWord::Directive => {}
                CSharpWord::Code => self.code(at, state),
            }
            at += 1;
        }
        at
    }

    /// A whole group from its `#if` on; says where its `#endif` stands.
    fn group(&mut self, from: usize, state: &mut CSharpScanState, depth: usize) -> usize {
        let mut branches: Vec<Branch> = Vec::new();
        let mut directive = from;
        let end = loop {
            let mut inner = state.clone();
            let found = self.out.len();
            let end = self.run(directive + 1, &mut inner, depth + 1);
            branches.push(Branch {
                directive,
                tokens: directive + 1..end.min(self.tokens.len()),
                is_balanced: inner.open == state.open,
                out: found..self.out.len(),
                after: inner,
            });
            match self.tokens.get(end).map(|token| token.word) {
                Some(CSharpWord::Elif | CSharpWord::Else) => directive = end,
                _ => break end,
            }
        };
        if !self.is_of_the_grammar(&branches, state) {
            self.rewrite(&branches, end, state);
        }
        if let Some(first) = branches.into_iter().next() {
            *state = first.after;
        }
        end.min(self.tokens.len().saturating_sub(1))
    }

    /// Whether the grammar takes a group as it stands: between statements or declarations, whole ones in each branch.
    fn is_of_the_grammar(&self, branches: &[Branch], state: &CSharpScanState) -> bool {
        let before = state.before.map_or(";", |at| self.word(at));
        if is_list(state) || !matches!(before, ";" | "}" | "{" | "]" | ":") {
            return false;
        }
        branches.iter().all(|branch| {
            let Some((first, last)) = self.ends(branch) else {
                return true;
            };
            let is_part = matches!(
                first,
                "case"
                    | "default"
                    | "else"
                    | "catch"
                    | "finally"
                    | "get"
                    | "set"
                    | "init"
                    | "add"
                    | "remove"
                    | ","
                    | "."
                    | "?"
                    | ":"
            );
            let is_whole = match last {
                ";" | "}" => true,
                "]" => first == "[" && self.lists_of_attributes(branch) == 1,
                _ => false,
            };
            branch.is_balanced && is_whole && !is_part
        })
    }

    fn lists_of_attributes(&self, branch: &Branch) -> usize {
        let mut depth = 0_i32;
        let mut lists = 0;
        for at in branch.tokens.clone() {
            match self.word(at) {
                "[" => {
                    lists += usize::from(depth == 0);
                    depth += 1;
                }
                "]" => depth -= 1,
                _ => {}
            }
        }
        lists
    }

    fn rewrite(&mut self, branches: &[Branch], end: usize, state: &CSharpScanState) {
        let join = match branches.len() > 1 && !self.are_elements(branches) {
            true => conditional_branches::join(self, branches, end, state),
            false => Some(Join::default()),
        };
        let Some(join) = join else {
            self.drop_others(branches, end);
            return;
        };
        let range_of = |at: usize| self.tokens.get(at).map(|token| token.range.clone());
        let dropped = join.dropped.iter().filter_map(|at| range_of(*at));
        let mut blanked: Vec<Blank> = dropped.map(Blank::nothing).collect();
        for (at, put) in &join.replaced {
            blanked.extend(range_of(*at).map(|range| Blank { range, put }));
        }
        for (index, branch) in branches.iter().enumerate() {
            let put = if index == 0 { "" } else { join.put };
            let range = range_of(branch.directive);
            blanked.extend(range.map(|range| Blank { range, put }));
        }
        blanked.extend(range_of(end).map(Blank::nothing));
        self.out.extend(blanked);
    }

    /// Blanks the directives and all branches but the first.
    fn drop_others(&mut self, branches: &[Branch], end: usize) {
        let Some((first, others)) = branches.split_first() else {
            return;
        };
        // What was found in the others is gone with them.
        self.out.truncate(first.out.end);
        let directives = branches
            .iter()
            .map(|branch| branch.directive..branch.directive + 1);
        let others = others.iter().map(|branch| branch.tokens.clone());
        for range in directives
            .chain(others)
            .chain(std::iter::once(end..end + 1))
        {
            let tokens = self.tokens.get(range).unwrap_or_default();
            if let (Some(first), Some(last)) = (tokens.first(), tokens.last()) {
                let range = first.range.start..last.range.end;
                self.out.push(Blank::nothing(range));
            }
        }
    }

    /// Whether branches can stand one behind another.
    fn are_elements(&self, branches: &[Branch]) -> bool {
        let all = |is: fn(&str, &str) -> bool| {
            branches.iter().all(|branch| {
                branch.is_balanced
                    && self
                        .ends(branch)
                        .is_none_or(|(first, last)| is(first, last))
            })
        };
        all(|_, last| last == ",")
            || all(|first, _| first == ",")
            || all(|first, last| matches!(first, "case" | "default") && matches!(last, ";" | "}"))
            || all(|first, last| first == "[" && last == "]")
            || all(|first, last| is_accessor(first) && matches!(last, ";" | "}"))
            || all(|first, last| first == "catch" && last == "}")
    }
}

fn is_accessor(word: &str) -> bool {
    matches!(word, "get" | "set" | "init" | "add" | "remove")
}

#[cfg(test)]
mod tests {
    use super::directives;
    use crate::Language;
    use crate::parse::parse;
    use crate::preprocess::preprocess;

    /// The text as it is parsed has no errors, and the names that are asked for are still in it.
    fn reads(text: &str, names: &[&str]) {
        let seen = preprocess(Language::CSharp, text);
        assert_eq!(seen.len(), text.len());
        let tree = parse(Language::CSharp, &seen, None).unwrap();
        assert!(!tree.root_node().has_error(), "{seen}");
        for name in names {
            assert!(seen.contains(name), "{name} in {seen}");
        }
    }

    #[test]
    fn both_branches_of_whole_statements_stay_as_they_are() {
        let text =
            "class A\n{\n#if X\n    void M() { B(); }\n#else\n    void N() { C(); }\n#endif\n}\n";
        assert!(directives(text).is_empty());
        reads(text, &["M", "N"]);
    }

    #[test]
    fn arguments_bases_and_arms_of_a_switch_are_read() {
        reads(
            "class A { void M() { F(1\n#if X\n, B()\n#endif\n); } }",
            &["B"],
        );
        reads("class A : B\n#if X\n, C\n#endif\n{ }", &["C"]);
        reads(
            "class A { int M(int x) => x switch {\n 1 => F(),\n#if X\n 2 => G(),\n#else\n 3 => H(),\n#endif\n _ => I() }; }",
            &["G", "H"],
        );
        reads(
            "class A { void M(object o) { switch (o) {\n#if X\ncase B b: F(b); break;\n#endif\ndefault: break; } } }",
            &["F"],
        );
    }

    #[test]
    fn of_branches_that_exclude_one_another_what_can_be_read_stays() {
        reads(
            "#if X\npublic\n#else\ninternal\n#endif\nclass A { }",
            &["public"],
        );
        reads(
            "class A { int M() =>\n#if X\n F();\n#else\n G();\n#endif\n}",
            &["F", "G"],
        );
        reads(
            "class A { void M() {\n#if X\n if (F()) { } else\n#endif\n { G(); } } }",
            &["F", "G"],
        );
    }

    #[test]
    fn a_directive_at_the_end_needs_no_line_end() {
        reads("class A { }\n#pragma warning restore 618", &[]);
        reads("#pragma warning disable CS1591 // why\nclass A { }\n", &[]);
    }

    #[test]
    fn nothing_in_a_string_is_a_directive() {
        let text = "class A { string S = @\"\n#if X\n\"\"\"; string T = \"\"\"\n#else\n\"\"\"; }";
        assert!(directives(text).is_empty());
    }
}
