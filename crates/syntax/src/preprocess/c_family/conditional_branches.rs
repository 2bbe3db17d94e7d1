//! Conditional branches of C and C++ where the grammars know none: within a parameter list, an initialiser, a
//! list of bases, the head of a function, and those that open a bracket in one branch or in several.
//!
//! The grammars take `#if` for a statement of its own, which these cannot be. Of such a group one
//! branch is kept, the first unless its condition is `0`, and the rest and the directives are blanked.
//! Of heads in several branches before one body, which the token behind them tells, all are kept: `;` stands between
//! them, so that all but the last declare what it defines.

use std::borrow::Cow;
use std::ops::Range;

use super::macro_words::is_shouted;
use super::macros::macro_end;
use super::tokens::CTokens;
use crate::preprocess::blank::blank;

/// Deeper than this nobody writes, and the state is copied at every directive.
const MAX_DEPTH: usize = 256;

/// What to blank of a text's conditional directives.
pub(crate) fn conditions(text: &str) -> Vec<Range<usize>> {
    scanned(text).0
}

/// A text without those of its conditional directives that the grammars cannot take.
pub(super) fn without_conditions(text: &str) -> Cow<'_, str> {
    let (ranges, ends) = scanned(text);
    let mut blanked = blank(text, &ranges);
    if !ends.is_empty() {
        let text = blanked.to_mut();
        for end in ends {
            text.replace_range(end..=end, ";");
        }
    }
    blanked
}

/// What to blank, and of that the places that a `;` takes.
fn scanned(text: &str) -> (Vec<Range<usize>>, Vec<usize>) {
    if memchr::memmem::find(text.as_bytes(), b"#").is_none() {
        return (Vec::new(), Vec::new());
    }
    let mut scan = BranchScan {
        text,
        begins: false,
        state: BranchState::default(),
        groups: Vec::new(),
        out: Vec::new(),
        ends: Vec::new(),
    };
    for token in CTokens::with_directives(text) {
        let word = &text[token.clone()];
        if word.starts_with('#') && word.len() > 1 {
            scan.directive(word, token);
        } else {
            scan.goes_on_with(word);
            scan.state.token(text, word, token);
        }
        if scan.state.open.len() > MAX_DEPTH || scan.groups.len() > MAX_DEPTH {
            break;
        }
    }
    // In a part of a text a group may go on behind it.
    while let Some(mut group) = scan.groups.pop() {
        scan.end_branch(&mut group, text.len());
        if !group.flat {
            group.skipped.clear();
            group.flat = true;
        }
        scan.end_group(group);
    }
    scan.out.sort_by_key(|range| range.start);
    (scan.out, scan.ends)
}

/// An open bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BranchBracket {
    /// `(`, `[`, and the braces of an initialiser: a list of expressions.
    List(u8),
    Enum,
    Block,
}

#[derive(Clone, Debug, Default)]
struct BranchState {
    open: Vec<BranchBracket>,
    /// Whether a statement, declaration or enumerator ended before the current token.
    ended: Option<bool>,
    previous: Range<usize>,
    in_enum: bool,
    /// End of a macro that has a line to itself, and needs no semicolon.
    macro_end: usize,
    /// Directives of groups right before the current token that end in the middle of something, if that goes on.
    unfinished: Vec<Range<usize>>,
    /// Those of them that are between two branches.
    between: Vec<usize>,
}

impl BranchState {
    fn ended(&self) -> bool {
        self.ended.unwrap_or(true) || self.macro_end > 0 && self.macro_end == self.previous.end
    }

    fn token(&mut self, text: &str, word: &str, token: Range<usize>) {
        let previous = &text[self.previous.clone()];
        let ended = self.ended();
        if ended && is_shouted(word) && starts_line(text, token.start) {
            self.macro_end = macro_end(text, token.end);
        }
        let mut ends = matches!(word, ";" | "}");
        match word {
            "(" | "[" => self.open.push(BranchBracket::List(word.as_bytes()[0])),
            "{" => {
                let list = matches!(previous, "=" | "(" | "," | "return")
                    || previous == "{"
                        && matches!(self.open.last(), Some(BranchBracket::List(b'{')));
                self.open.push(match (self.in_enum, list) {
                    (true, _) => BranchBracket::Enum,
                    (false, true) => BranchBracket::List(b'{'),
                    (false, false) => BranchBracket::Block,
                });
                ends = !list;
            }
            ")" => self.close(|bracket| bracket == BranchBracket::List(b'(')),
            "]" => self.close(|bracket| bracket == BranchBracket::List(b'[')),
            "}" => self.close(|bracket| {
                matches!(
                    bracket,
                    BranchBracket::List(b'{') | BranchBracket::Enum | BranchBracket::Block
                )
            }),
            ":" => ends = matches!(previous, "public" | "private" | "protected" | "default"),
            "," => ends = self.open.last() == Some(&BranchBracket::Enum),
            _ => {}
        }
        self.in_enum = word == "enum" || self.in_enum && !matches!(word, ";" | "{" | ")");
        self.ended = Some(ends);
        self.previous = token;
    }

    /// Closes the innermost bracket of that kind and what is open in it.
    fn close(&mut self, is_kind: impl Fn(BranchBracket) -> bool) {
        if let Some(at) = self.open.iter().rposition(|bracket| is_kind(*bracket)) {
            self.open.truncate(at);
        }
    }

    /// Whether the grammars have no place for a directive here.
    fn is_inside(&self) -> bool {
        matches!(self.open.last(), Some(BranchBracket::List(_))) || !self.ended()
    }
}

/// `#if` up to `#endif`.
struct CBranches {
    /// Before it.
    before: BranchState,
    /// Behind its branch that is kept.
    after: Option<BranchState>,
    /// Whether one branch is all that the grammar can take.
    flat: bool,
    directives: Vec<Range<usize>>,
    skipped: Vec<Range<usize>>,
    /// Where the current branch starts if it is not kept.
    skips_from: Option<usize>,
}

struct BranchScan<'a> {
    text: &'a str,
    /// Whether nothing stands between a directive that begins a branch and the current token.
    begins: bool,
    state: BranchState,
    groups: Vec<CBranches>,
    out: Vec<Range<usize>>,
    /// Places in it where one of several heads ends.
    ends: Vec<usize>,
}

impl BranchScan<'_> {
    fn directive(&mut self, line: &str, range: Range<usize>) {
        let line = line[1..].trim_start();
        let end = line
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        if name == "define" {
            self.out.extend(inner_comments(self.text, range.clone()));
        }
        self.begins |= matches!(name.get(..2), Some("if" | "el"));
        match name {
            "if" | "ifdef" | "ifndef" => {
                let never = name == "if" && rest.split_whitespace().next() == Some("0");
                self.groups.push(CBranches {
                    before: self.state.clone(),
                    after: None,
                    flat: self.state.is_inside(),
                    skips_from: never.then_some(range.end),
                    directives: vec![range],
                    skipped: Vec::new(),
                });
            }
            "else" | "elif" | "elifdef" | "elifndef" => {
                if let Some(mut group) = self.groups.pop() {
                    self.end_branch(&mut group, range.start);
                    group.skips_from = group.after.is_some().then_some(range.end);
                    group.directives.push(range);
                    self.state = group.before.clone();
                    self.groups.push(group);
                }
            }
            "endif" => {
                if let Some(mut group) = self.groups.pop() {
                    self.end_branch(&mut group, range.start);
                    group.directives.push(range);
                    self.end_group(group);
                }
            }
            // Nor have the grammars a place for others in a list or a head.
            _ if matches!(self.state.open.last(), Some(BranchBracket::List(_))) => {
                self.out.push(range)
            }
            _ if !self.state.ended() => self.state.unfinished.push(range),
            _ => {}
        }
    }

    fn end_branch(&mut self, group: &mut CBranches, at: usize) {
        match group.skips_from.take() {
            Some(from) => group.skipped.push(from..at),
            None => {
                group.flat |= self.state.open != group.before.open;
                group.after = Some(self.state.clone());
            }
        }
    }

    fn end_group(&mut self, group: CBranches) {
        if let Some(old) = self.old_parameters(&group) {
            self.state = group.before;
            self.out.extend(group.directives);
            self.out.push(old);
            return;
        }
        let are_whole = self.are_whole_behind_template(&group);
        self.state = group.after.unwrap_or(group.before);
        if are_whole {
            self.out.extend(group.directives);
            return;
        }
        let is_flat = group.flat || self.ends_template(&group.directives);
        if is_flat {
            self.out.extend(group.directives);
            self.out.extend(group.skipped);
        } else if !self.state.ended() && self.begins_type(&group.directives) {
            // A type or namespace has one head: the first.
            self.state.unfinished.extend(group.directives);
            self.state.unfinished.extend(group.skipped);
        } else if !self.state.ended() {
            let between = group.directives[1..].iter().map(|range| range.start);
            self.state.between.extend(between);
            self.state.between.pop();
            self.state.unfinished.extend(group.directives);
        }
    }

    /// The first of two branches of a head if it has parameters of the oldest kind, `(a) int a;`: the other is kept.
    fn old_parameters(&self, group: &CBranches) -> Option<Range<usize>> {
        let ([begin, other, end], [skipped]) = (&*group.directives, &*group.skipped) else {
            return None;
        };
        let after = group.after.as_ref().filter(|_| group.flat)?;
        let is_first_kept = *skipped == (other.end..end.start);
        let ends = &self.text[after.previous.clone()] == ";" && after.open == group.before.open;
        let next = CTokens::at(self.text, end.end).next()?;
        (is_first_kept && ends && &self.text[next] == "{").then_some(begin.end..other.start)
    }

    /// Whether what stands in the branches behind the parameters of a template are whole declarations: then all are kept,
    /// the first as that template.
    fn are_whole_behind_template(&self, group: &CBranches) -> bool {
        let is_whole = |branch: &Range<usize>| {
            let text = self.text[branch.clone()].trim_ascii_end();
            text.is_empty() || text.ends_with([';', '}'])
        };
        let before = &self.text[..group.before.previous.end];
        let start = before.rfind([';', '{', '}']).map_or(0, |end| end + 1);
        let is_template = || {
            let first = CTokens::at(before, start).next();
            first.is_some_and(|first| &before[first] == "template")
        };
        before.ends_with('>')
            && !group.skipped.is_empty()
            && group.after.as_ref().is_some_and(BranchState::ended)
            && group.skipped.iter().all(is_whole)
            && is_template()
    }

    /// Whether heads of types or namespaces stand behind directives.
    fn begins_type(&self, directives: &[Range<usize>]) -> bool {
        let heads = ["class", "struct", "union", "enum", "namespace"];
        self.begin_with(directives, &heads)
    }

    /// Whether branches end behind the parameters of a template: what it is of stands behind all of them.
    fn ends_template(&self, directives: &[Range<usize>]) -> bool {
        let last = &self.text[self.state.previous.clone()];
        last.ends_with('>') && self.begin_with(directives, &["template"])
    }

    /// Whether one of some words stands behind one of some directives.
    fn begin_with(&self, directives: &[Range<usize>], words: &[&str]) -> bool {
        directives.iter().any(|directive| {
            let first = CTokens::at(self.text, directive.end).next();
            first.is_some_and(|first| words.contains(&&self.text[first]))
        })
    }

    /// A body, or the end of a declaration, belongs to the head in the branches before it; a branch that begins with
    /// `else` to the `if` before its directive.
    fn goes_on_with(&mut self, word: &str) {
        if std::mem::take(&mut self.begins)
            && word == "else"
            && let Some(group) = self.groups.last_mut()
        {
            group.flat = true;
        }
        match word {
            "{" | ":" | ";" | "=" => {
                self.out.append(&mut self.state.unfinished);
                self.ends.append(&mut self.state.between);
            }
            _ => {
                self.state.unfinished.clear();
                self.state.between.clear();
            }
        }
    }
}

/// Comments in the middle of a macro's text, where the grammars end it.
fn inner_comments(text: &str, directive: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = directive.start;
    while let Some(start) = text[at..directive.end]
        .find(['/', '"', '\''])
        .map(|of| at + of)
    {
        let rest = &text[start..directive.end];
        if rest.starts_with("//") {
            break;
        }
        let Some(comment) = rest.strip_prefix("/*") else {
            let quote = &rest[..1];
            let end = rest[1..].find(quote).filter(|_| quote != "/");
            at = start + 1 + end.map_or(0, |end| end + 1);
            continue;
        };
        let Some(end) = comment.find("*/").map(|end| start + end + 4) else {
            break;
        };
        let goes_on =
            text[end..directive.end].contains(|next: char| !next.is_whitespace() && next != '\\');
        if goes_on && !text[start..end].contains('\n') {
            found.push(start..end);
        }
        at = end;
    }
    found
}

fn starts_line(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', '\r', '{', ';'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What remains, with white space collapsed.
    fn check(text: &str, expected: &str) {
        let out = without_conditions(text).into_owned();
        assert_eq!(out.len(), text.len());
        let words: Vec<_> = out.split_whitespace().collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn groups_within_lists_and_heads_keep_their_first_branch() {
        check(
            "A::A()\n  : a(1)\n#if X\n  , b(2)\n#else\n  , c(3)\n#endif\n{ }",
            "A::A() : a(1) , b(2) { }",
        );
        check(
            "void f(int a\n#ifdef X\n  , int b\n#endif\n  );",
            "void f(int a , int b );",
        );
        check(
            "class A : public B\n#ifdef X\n  , public C\n#endif\n{ };",
            "class A : public B , public C { };",
        );
        check(
            "#if X\nexplicit A(int a, T b) NOEXCEPT // c\n#else\nexplicit A(int a)\n#endif\n  : a_(a) { }",
            "explicit A(int a, T b) NOEXCEPT // c ; explicit A(int a) : a_(a) { }",
        );
        check(
            "#if X\n#if Y\nint f(int a)\n#else\nint f(char a)\n#endif\n#else\nint f()\n#endif\n{ }",
            "int f(int a) ; int f(char a) ; int f() { }",
        );
        check(
            "class A\n#if X\n#define Y(a) a\n  : B {\n  int c;\n#else\n#define Y(a)\n{\n#endif\n  int d;\n};\n#define Z\n",
            "class A : B { int c; int d; }; #define Z",
        );
        check(
            "#define A(c) \\\n ((c) /* why */ \\\n ? \"/* no */\" : 1) /* end */\n#define B 1 // c /* d */\nint e;",
            "#define A(c) \\ ((c) \\ ? \"/* no */\" : 1) /* end */ #define B 1 // c /* d */ int e;",
        );
        check(
            "if (a) { b(); }\n#if X\nelse if (c) { d(); }\n#endif\nelse { e(); }",
            "if (a) { b(); } else if (c) { d(); } else { e(); }",
        );
        check(
            "class A {\n#if X\n  union U\n#else\n  struct U\n#endif\n  { int a; } u;\n};",
            "class A { union U { int a; } u; };",
        );
        check(
            "class A {\n#if X\ntemplate <class T = B, class = decltype(C<T>::d())>\n#else\ntemplate <class T>\n#endif\n  A();\n};",
            "class A { template <class T = B, class = decltype(C<T>::d())> A(); };",
        );
        check(
            "#if X\ntemplate <class T, class = a<b<T>>>\n#endif\nstruct C { };",
            "template <class T, class = a<b<T>>> struct C { };",
        );
        check(
            "int a[] = {\n#if 0\n  1,\n#else\n  2,\n#endif\n};",
            "int a[] = { 2, };",
        );
    }

    #[test]
    fn old_parameters_give_way() {
        check(
            "int f\n#ifdef KR\n(a) int a;\n#else\n(int a)\n#endif\n{ return a; }",
            "int f (int a) { return a; }",
        );
        check(
            "int a\n#ifdef A\n= 1;\n#else\n= 2;\n#endif\nint b;",
            "int a = 1; int b;",
        );
    }

    #[test]
    fn brackets_that_one_branch_opens_are_matched() {
        check(
            "#if X\nint f(int a) {\n#else\nint f() {\n#endif\n  return 1;\n}",
            "int f(int a) { return 1; }",
        );
        check(
            "#if X\nnamespace a {\n#endif\nint b;\n#if X\n}\n#endif",
            "namespace a { int b; }",
        );
    }

    #[test]
    fn groups_of_whole_declarations_stay() {
        for text in [
            "#ifndef A_H\n#define A_H\nint a;\n#if X\nint b;\n#else\nint c;\n#endif\n#endif",
            "#if X\ntemplate <class T> struct C { };\ntemplate <> struct C<int> { };\n#endif\nint b;",
            "class A {\npublic:\n#if X\n  A();\n#endif\n  Q_OBJECT\n#if Y\n  int a;\n#endif\n};",
            "enum E {\n  A,\n#if X\n  B,\n#endif\n  C\n};",
            "void f() {\n  a();\n#if X\n  b();\n#else\n  c();\n#endif\n}",
            "EXPORT_ALL(a, b)\n#if X\nint b;\n#endif",
            "#define A 1 /* a comment\n of two lines */\n#if X\nint b;\n#endif",
        ] {
            assert!(conditions(text).is_empty(), "{text}");
        }
    }
}
