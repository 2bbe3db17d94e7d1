//! Conditional branches of C# that exclude one another, made one text that has them all.
//!
//! Whichever branch is compiled, names in the others are uses, and what they declare is declared. So where it is known
//! what branches are, a sign is put in the place of the directive between them, with which they are as good C#:
//!
//! - operands (`F(\n#if A\n a\n#else\n b\n#endif\n)`) are one or the other: `a ?? b`
//! - elements in braces stand side by side: `,`
//! - operators with an operand (`&& a`, `= a;`) and calls of members (`.F()`) go on as a chain
//! - branches of `if` and `try` go on the same way, the last ones as blocks behind it
//! - what declarations are made of is in `split_headers.rs`
//!
//! Brackets that branches open stay open only behind the last of them.

use super::scan::{Branch, CSharpScan, CSharpScanState, TokenPosition};
use super::tokens::{CSharpWord, is_value};

/// Words that decide what a branch is, as [`TYPES`] do.
const WORDS: [&str; 26] = [
    "return",
    "throw",
    "await",
    "using",
    "typeof",
    "sizeof",
    "out",
    "ref",
    "in",
    "params",
    "this",
    "as",
    "from",
    "delegate",
    "async",
    "while",
    "for",
    "foreach",
    "lock",
    "fixed",
    "class",
    "struct",
    "interface",
    "record",
    "namespace",
    "where",
];

/// Types that are words of the language.
const TYPES: [&str; 17] = [
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte",
    "short", "string", "uint", "ulong", "ushort", "void", "nint",
];

/// Whether a branch may be something else with another word in the place of this one.
pub(super) fn decides(word: &str) -> bool {
    WORDS.contains(&word) || TYPES.contains(&word)
}

/// How branches become one text.
#[derive(Debug, Default)]
pub(super) struct Join {
    /// What stands between them.
    pub(super) put: &'static str,
    /// Tokens of branches that are left out.
    pub(super) dropped: Vec<usize>,
    /// Tokens of branches in the place of which something else stands.
    pub(super) replaced: Vec<(usize, &'static str)>,
}

impl Join {
    pub(super) fn by(put: &'static str) -> Self {
        Self {
            put,
            ..Self::default()
        }
    }

    pub(super) fn without(put: &'static str, dropped: Vec<usize>) -> Self {
        Self {
            put,
            dropped,
            replaced: Vec::new(),
        }
    }
}

/// How the branches of a group that ends with this directive become one text, with what is before it; none where
/// nothing is known that they are.
pub(super) fn join(
    scan: &CSharpScan<'_>,
    branches: &[Branch],
    end: usize,
    state: &CSharpScanState,
) -> Option<Join> {
    let branches: Option<Vec<Code>> = branches
        .iter()
        .map(|branch| Code::from_scan(scan, branch))
        .collect();
    let group = CSharpBranches {
        scan,
        branches: branches?,
        state,
        next: (end + 1..scan.tokens.len()).find(|at| scan.tokens[*at].word == CSharpWord::Code),
    };
    group
        .elements()
        .or_else(|| group.operands())
        .or_else(|| group.chain())
        .or_else(|| group.members())
        .or_else(|| group.rest_of_statement())
        .or_else(|| group.parameters())
        .or_else(|| group.bases())
        .or_else(|| group.bodies())
        .or_else(|| group.heads())
}

/// A branch's tokens without directives, and how deep in brackets of its own each is.
pub(super) struct Code {
    pub(super) tokens: Vec<(usize, i32)>,
    pub(super) is_balanced: bool,
    /// Whether it is balanced but for the brace at its end.
    pub(super) opens_body: bool,
}

impl Code {
    fn from_scan(scan: &CSharpScan<'_>, branch: &Branch) -> Option<Self> {
        let mut depth = 0;
        let mut tokens = Vec::new();
        let mut lowest = 0;
        for at in branch.tokens.clone() {
            if scan.tokens[at].word != CSharpWord::Code {
                continue;
            }
            depth -= i32::from(matches!(scan.word(at), ")" | "]" | "}"));
            tokens.push((at, depth));
            lowest = lowest.min(depth);
            depth += i32::from(matches!(scan.word(at), "(" | "[" | "{"));
        }
        let (last, deepest) = *tokens.last()?;
        Some(Self {
            is_balanced: branch.is_balanced && lowest == 0,
            opens_body: lowest == 0 && deepest == 0 && depth == 1 && scan.word(last) == "{",
            tokens,
        })
    }

    /// The tokens that are in none of its brackets.
    pub(super) fn outer(&self) -> impl Iterator<Item = usize> {
        let outer = self.tokens.iter().filter(|(_, depth)| *depth == 0);
        outer.map(|(at, _)| *at)
    }
}

pub(super) struct CSharpBranches<'s> {
    pub(super) scan: &'s CSharpScan<'s>,
    pub(super) branches: Vec<Code>,
    pub(super) state: &'s CSharpScanState,
    /// The token behind the group.
    pub(super) next: Option<usize>,
}

impl CSharpBranches<'_> {
    pub(super) fn word(&self, at: Option<usize>) -> &str {
        at.map_or("", |at| self.scan.word(at))
    }

    pub(super) fn first(&self, branch: &Code) -> &str {
        self.word(branch.tokens.first().map(|(at, _)| *at))
    }

    pub(super) fn last(&self, branch: &Code) -> &str {
        self.word(branch.tokens.last().map(|(at, _)| *at))
    }

    pub(super) fn all(&self, is: impl Fn(&Code) -> bool) -> bool {
        self.branches.iter().all(is)
    }

    pub(super) fn are_balanced(&self) -> bool {
        self.all(|branch| branch.is_balanced)
    }

    /// Elements in braces.
    fn elements(&self) -> Option<Join> {
        let is_between = matches!(self.word(self.state.before), "{" | ",")
            && matches!(self.word(self.next), "}" | ",");
        let is_list = self.state.open.last() == Some(&TokenPosition::Elements);
        let are_whole = self.are_balanced()
            && self
                .all(|branch| self.first(branch) != "," && !matches!(self.last(branch), "," | ";"));
        (is_list && is_between && are_whole).then(|| Join::by(","))
    }

    /// Operands, each perhaps with the end of the statement.
    fn operands(&self) -> Option<Join> {
        if !self.are_balanced() || !self.wants_operand() {
            return None;
        }
        let dropped = self.ends_dropped()?;
        let are_operands = self.all(|branch| self.is_operand(&self.without_end(branch)));
        are_operands.then(|| Join::without("??", dropped))
    }

    fn wants_operand(&self) -> bool {
        let Some(before) = self.state.before else {
            return false;
        };
        let back = |steps: usize| self.word(before.checked_sub(steps));
        match self.scan.word(before) {
            "(" => !matches!(back(1), "typeof" | "sizeof" | "default" | "catch"),
            "," | "[" => self.state.open.last() == Some(&TokenPosition::List),
            "=" => back(2) != "using",
            "return" | "throw" | "await" | "=>" | "??" => true,
            word => is_operator(word),
        }
    }

    /// The ends of statements in all branches but the last: all have one, or none has and one operand may end there.
    fn ends_dropped(&self) -> Option<Vec<usize>> {
        if self.all(|branch| self.last(branch) == ";") {
            let (_, others) = self.branches.split_last()?;
            let ends = others.iter().filter_map(|branch| branch.tokens.last());
            return Some(ends.map(|(at, _)| *at).collect());
        }
        let next = self.word(self.next);
        let ends_there = matches!(next, ")" | "]" | "}" | "," | ";") || is_operator(next);
        let none_ends = self.all(|branch| self.last(branch) != ";");
        (ends_there && none_ends).then(Vec::new)
    }

    fn without_end(&self, branch: &Code) -> Vec<usize> {
        let mut outer: Vec<usize> = branch.outer().collect();
        if self.last(branch) == ";" {
            outer.pop();
        }
        outer
    }

    /// Whether the outer tokens of a branch are those of an expression that can stand beside an operator.
    fn is_operand(&self, outer: &[usize]) -> bool {
        let (Some(first), Some(last)) = (outer.first(), outer.last()) else {
            return false;
        };
        let (first, last) = (self.scan.word(*first), self.scan.word(*last));
        let begins = is_value(first) || matches!(first, "(" | "!" | "-" | "~" | "new" | "await");
        let ends = is_value(last) || matches!(last, ")" | "]" | "}");
        begins && ends && !(outer.len() == 1 && TYPES.contains(&first)) && self.is_plain(outer)
    }

    /// Whether nothing in an expression binds less than an operator, and it declares nothing.
    fn is_plain(&self, outer: &[usize]) -> bool {
        let word = |index: usize| outer.get(index).map_or("", |at| self.scan.word(*at));
        let (mut angles, mut asked) = (false, false);
        for index in 0..outer.len() {
            let before = index.checked_sub(1).map_or("", word);
            let is_allowed = match word(index) {
                "," if angles => outer[index..].iter().any(|at| self.scan.word(*at) == ">"),
                ":" => asked,
                "=>" | ";" | "," | "is" | "as" | "switch" | "with" | "from" | "delegate"
                | "async" | "out" | "ref" | "in" | "params" => false,
                // Comparisons are several tokens.
                "=" => matches!(before, "=" | "!" | "<" | ">") || word(index + 1) == "=",
                "?" => {
                    asked |= !matches!(word(index + 1), "." | "[");
                    !asked || outer[index..].iter().any(|at| self.scan.word(*at) == ":")
                }
                "<" => {
                    angles = true;
                    true
                }
                name if is_value(name) => {
                    let declares = is_value(before) && !matches!(before, "new" | "await" | "throw")
                        || before == "]"
                        || before == ">" && angles && index + 1 == outer.len();
                    !declares
                }
                _ => true,
            };
            if !is_allowed {
                return false;
            }
        }
        true
    }

    /// Operators with an operand, on either side; a value that is assigned or given.
    fn chain(&self) -> Option<Join> {
        if !self.are_balanced() {
            return None;
        }
        let operand = |branch: &Code, from: usize, but: usize| {
            let outer = self.without_end(branch);
            let range = from..outer.len().saturating_sub(but);
            outer.get(range).is_some_and(|outer| self.is_operand(outer))
        };
        let signs = |branch: &Code, at_end: bool| {
            let outer = self.without_end(branch);
            let is = |at: &&usize| is_operator(self.scan.word(**at));
            match at_end {
                true => outer.iter().rev().take_while(is).count(),
                false => outer.iter().take_while(is).count(),
            }
        };
        if self.all(|branch| signs(branch, false) > 0 && operand(branch, signs(branch, false), 0)) {
            let dropped = self.ends_dropped()?;
            return Some(Join::without("", dropped));
        }
        if self.all(|branch| signs(branch, true) > 0 && operand(branch, 0, signs(branch, true))) {
            return Some(Join::default());
        }
        let (_, others) = self.branches.split_first()?;
        for sign in ["=", "=>"] {
            if self.all(|branch| self.first(branch) == sign && operand(branch, 1, 0)) {
                let mut dropped = self.ends_dropped()?;
                dropped.extend(
                    others
                        .iter()
                        .filter_map(|branch| Some(branch.tokens.first()?.0)),
                );
                return Some(Join::without("??", dropped));
            }
        }
        None
    }

    /// Calls of members of what stands before.
    fn members(&self) -> Option<Join> {
        let is_member = |branch: &Code| {
            let outer = self.without_end(branch);
            let dots = outer.iter().map(|at| self.scan.word(*at));
            let dots = dots.take_while(|word| matches!(*word, "?" | ".")).count();
            let word = |index: usize| self.word(outer.get(index).copied());
            let is_named = dots > 0 && word(dots - 1) == "." && is_value(word(dots));
            is_named && self.is_operand(&outer[dots..])
        };
        if !self.are_balanced() || !self.all(is_member) {
            return None;
        }
        if let Some(dropped) = self.ends_dropped() {
            return Some(Join::without("", dropped));
        }
        let goes_on = matches!(self.word(self.next), "." | "?");
        let none_ends = self.all(|branch| self.last(branch) != ";");
        (goes_on && none_ends).then(Join::default)
    }

    /// `else` and `finally`: where there can be only one, further ones are blocks behind it.
    fn rest_of_statement(&self) -> Option<Join> {
        let is_rest = |branch: &Code| {
            let first = self.first(branch);
            branch.is_balanced
                && matches!(first, "else" | "catch" | "finally")
                && matches!(self.last(branch), ";" | "}")
        };
        if !self.all(is_rest) {
            return None;
        }
        let is_last = |branch: &Code| match self.first(branch) {
            "else" => self.word(branch.tokens.get(1).map(|(at, _)| *at)) != "if",
            word => word == "finally",
        };
        let (last, others) = self.branches.split_last()?;
        let mut dropped = Vec::new();
        let mut is_over = false;
        for branch in others.iter().chain([last]) {
            if is_over {
                if !is_last(branch) {
                    return None;
                }
                dropped.push(branch.tokens.first()?.0);
            }
            is_over |= is_last(branch);
        }
        let goes_on = matches!(self.word(self.next), "else" | "catch" | "finally");
        (!is_over || !goes_on).then(|| Join::without("", dropped))
    }
}

fn is_operator(word: &str) -> bool {
    matches!(word, "+" | "-" | "*" | "/" | "%" | "|" | "&" | "^" | "??")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use crate::Language;
    use crate::change::TextReplacement;
    use crate::parse::parse;
    use crate::preprocess::{keeps, preprocess};

    /// The same of statements in a method.
    fn check_in(text: &str, expected: &str) {
        check(
            &format!("class A {{ void M() {{ {text} }} }}"),
            &format!("class A {{ void M() {{ {expected} }} }}"),
        );
    }

    #[test]
    fn operands_are_one_or_the_other() {
        check_in(
            "F(1,\n#if A\n a.B()\n#elif C\n new D(x => 1)\n#else\n e\n#endif\n);",
            "F(1, a.B() ?? new D(x => 1) ?? e );",
        );
        check_in(
            "var x =\n#if A\n a[1];\n#else\n await b;\n#endif\n",
            "var x = a[1] ?? await b;",
        );
        check_in(
            "return a +\n#if A\n b\n#else\n c\n#endif\n;",
            "return a + b ?? c ;",
        );
        check_in(
            "if (\n#if A\n a == 1\n#else\n b < 2\n#endif\n) { }",
            "if ( a == 1 ?? b < 2 ) { }",
        );
        check(
            "class A { int B\n#if A\n => c;\n#else\n => d;\n#endif\n }",
            "class A { int B => c ?? d; }",
        );
        check(
            "class A { int b\n#if A\n = c;\n#else\n = d;\n#endif\n }",
            "class A { int b = c ?? d; }",
        );
    }

    #[test]
    fn what_is_no_operand_is_not_joined() {
        check_in("F(\n#if A\n a: 1\n#else\n b: 1\n#endif\n);", "F( a: 1 );");
        check_in(
            "F(typeof(\n#if A\n B\n#else\n C\n#endif\n));",
            "F(typeof( B ));",
        );
        check(
            "using X =\n#if A\n B;\n#else\n C;\n#endif\n",
            "using X = B;",
        );
    }

    #[test]
    fn elements_stand_side_by_side() {
        check(
            "enum A { B,\n#if A\n C\n#else\n D\n#endif\n}",
            "enum A { B, C , D }",
        );
        check_in(
            "var x = new A {\n#if A\n B = 1\n#else\n C = 2\n#endif\n};",
            "var x = new A { B = 1 , C = 2 };",
        );
    }

    #[test]
    fn operators_go_on() {
        check_in(
            "var x = a\n#if A\n && b\n#else\n && c\n#endif\n;",
            "var x = a && b && c ;",
        );
        check_in(
            "var x =\n#if A\n a |\n#else\n b |\n#endif\n c;",
            "var x = a | b | c;",
        );
    }

    #[test]
    fn members_go_on() {
        check_in(
            "a.B()\n#if A\n .C();\n#else\n .C().D<E>();\n#endif\n",
            "a.B() .C() .C().D<E>();",
        );
        check_in(
            "a\n#if A\n ?.B()\n#else\n .C(1)\n#endif\n .D();",
            "a ?.B() .C(1) .D();",
        );
    }

    #[test]
    fn heads_have_one_body() {
        check(
            "class A {\n#if A\n int M(int a)\n#else\n int M(long a)\n#endif\n { return 1; } }",
            "class A { int M(int a) ; int M(long a) { return 1; } }",
        );
        check(
            "class A {\n#if A\n A(int a) : base(a) {\n#else\n A(long a) {\n#endif\n b(); } int c; }",
            "class A { A(int a) : base(a) ; A(long a) { b(); } int c; }",
        );
        check_in(
            "\n#if A\n if (a) {\n#else\n if (b) {\n#endif\n c(); } d();",
            "if (a) if (b) { c(); } d();",
        );
    }

    /// A letter more in a word that decides nothing leaves what is put between branches what it is.
    #[test]
    fn letters_in_words_move_what_is_read() {
        let text = "class A {\n#if X\n int Made(int a)\n#else\n int Made(long a)\n#endif\n { return Call(\n\
            #if X\n first\n#else\n await second.Third\n#endif\n); }\n enum E { One,\n#if X\n Two\n#else\n \
            Three\n#endif\n} void N(\n#if X\n int size\n#else\n long size\n#endif\n) { } }";
        let before = preprocess(Language::CSharp, text);
        let mut kept = 0;
        for at in 0..text.len() {
            let mut edited = text.to_owned();
            edited.insert(at, 'x');
            let change = TextReplacement {
                start: at,
                old_end: at,
                new_end: at + 1,
            };
            if !keeps(Language::CSharp, text, &edited, change) {
                continue;
            }
            kept += 1;
            let after = preprocess(Language::CSharp, &edited);
            let mut moved = before.clone().into_owned();
            let is_blank = before.as_bytes()[at] == b' ' && text.as_bytes()[at] != b' ';
            moved.insert(at, if is_blank { ' ' } else { 'x' });
            assert_eq!(after, moved, "{at}");
        }
        assert!(kept > 20, "{kept}");
    }

    #[test]
    fn signs_between_arms_are_in_no_signature() {
        let text = "class A {\n#if X\n int M(int a)\n#else\n int M(long a)\n#endif\n { }\n int P {\n#if X\n get { }\n\
            #else\n get { }\n#endif\n} }";
        let tree =
            parse(Language::CSharp, &preprocess(Language::CSharp, text), None).expect("a tree");
        let facts = crate::facts_of_tree(Language::CSharp, text, &tree).expect("facts");
        let signatures = facts.items.iter().map(|item| facts.str(item.signature));
        assert_eq!(
            signatures.collect::<Vec<_>>(),
            ["class A", "int M(int a)", "int M(long a)", "int P { get; }"]
        );
    }

    #[test]
    fn an_if_goes_on() {
        check_in(
            "if (a) { }\n#if A\n else if (b) { }\n#else\n else if (c) { }\n#endif\n else { }",
            "if (a) { } else if (b) { } else if (c) { } else { }",
        );
        check_in(
            "if (a) { }\n#if A\n else { b(); }\n#else\n else { c(); }\n#endif\n d();",
            "if (a) { } else { b(); } { c(); } d();",
        );
        check_in(
            "try { }\n#if A\n catch (B) { }\n#else\n catch (C) { }\n#endif\n finally { }",
            "try { } catch (B) { } catch (C) { } finally { }",
        );
    }
}
