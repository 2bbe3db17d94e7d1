//! Error recovery in half-typed code: closes what was left open, so that the rest of the file is still read.
//!
//! One unclosed bracket can make a parser read the remainder of a file as part of one expression.
//! People see at once where it was meant to end, because they indent. So does this: a bracket that
//! is open when a line begins further left than the line it stands on, or as far left without
//! closing it, was left open. A brace is closed by writing over the white space before that line;
//! of any other bracket, the half-typed rest of its line is blanked out. Offsets stay.
//!
//! It is a guess, so [`recover`] keeps it only where the parser then finds less to complain about.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use tree_sitter::{InputEdit, Node, Tree, TreeCursor};

use crate::arm_recovery::balanced;
use crate::macro_items::with_macro_items;
use crate::parser::parse_unambiguous;
use crate::reparse::point;
use crate::{LANGUAGES, Language};

/// More than this and the file is not half-typed but something else.
const MAX_EDITS: usize = 40;

/// Somebody's half-typed lines make a handful of errors; hundreds are macros or another language.
pub(crate) const MAX_ERRORS: u16 = 24;

/// One open bracket may make as many of the rest of a file. That it was the bracket shows in most of them being
/// gone when it is closed.
pub(crate) const MOST_ERRORS: u16 = 400;
const FEWER: u16 = 4;

/// One replacement of bytes by as many others.
#[derive(Debug, PartialEq, Eq)]
struct Edit {
    range: Range<usize>,
    with: u8,
}

/// A text and its tree with fewer errors, if closing brackets gives one.
pub(crate) type Recovered = Option<(String, Tree)>;

/// What closing brackets gives that has fewer errors than `tree`, which has these.
pub(crate) fn recover(language: Language, text: &str, tree: &Tree, errors: Errors) -> Recovered {
    let Some((text, tree)) = balanced(language, text, &errors) else {
        return close_brackets(language, text, tree, errors);
    };
    let errors = Errors::of(&text, &tree);
    close_brackets(language, &text, &tree, errors).or(Some((text, tree)))
}

fn close_brackets(language: Language, text: &str, tree: &Tree, errors: Errors) -> Recovered {
    if !errors.is_open || errors.count > MOST_ERRORS {
        return None;
    }
    let mut best: Option<(String, Tree)> = None;
    let mut errors = errors.count;
    let mut text = Cow::Borrowed(text);
    // Closing one bracket may show the next one.
    for _ in 0..2 {
        let read = best.as_ref().map_or(tree, |best| &best.1);
        let edits = edits(language, &text, read);
        if edits.is_empty() || edits.len() > MAX_EDITS {
            break;
        }
        let changed = edits.iter().map(|edit| edit.range.clone());
        let old = with_edits(read, &text, changed);
        text = Cow::Owned(apply(text.into_owned(), &edits)?);
        let candidate = parse_unambiguous(language, &text, Some(&old))?;
        let remaining = Errors::of(&text, &candidate).count;
        let is_better = match errors > MAX_ERRORS {
            true => remaining <= errors / FEWER,
            false => remaining < errors,
        };
        if !is_better {
            break;
        }
        errors = remaining;
        best = Some((text.clone().into_owned(), candidate));
        if errors == 0 {
            break;
        }
    }
    best
}

/// The same with the items of macro calls in it, which are none while a bracket in them is open.
pub(crate) fn recover_macros(language: Language, recovered: Recovered) -> Recovered {
    let (text, tree) = recovered?;
    let items = with_macro_items(language, &text, &tree);
    Some(items.unwrap_or((text, tree)))
}

/// The tree, told that bytes of its text become others.
fn with_edits(tree: &Tree, text: &str, ranges: impl Iterator<Item = Range<usize>>) -> Tree {
    let mut tree = tree.clone();
    for range in ranges {
        let (start, end) = (point(text, range.start), point(text, range.end));
        tree.edit(&InputEdit {
            start_byte: range.start,
            old_end_byte: range.end,
            new_end_byte: range.end,
            start_position: start,
            old_end_position: end,
            new_end_position: end,
        });
    }
    tree
}

/// What the grammar could not make sense of. Looking for it passes by every node beside one that has it, so
/// it is looked for once after a keystroke.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Errors {
    /// Places, at most 65,535 counted.
    pub(crate) count: u16,
    /// Where the first of them begins.
    pub(crate) start: usize,
    /// Where the last of them ends.
    pub(crate) end: usize,
    /// Whether something was left open: a bracket is missing, or what cannot be understood goes on over
    /// several lines. Most errors are a word that a macro or a new syntax put there, and stay small.
    is_open: bool,
}

impl Errors {
    /// Those in a tree of this text, looking only where there are some.
    pub(crate) fn of(text: &str, tree: &Tree) -> Self {
        let mut errors = Self::default();
        if !tree.root_node().has_error() {
            return errors;
        }
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if !is_before_block(&cursor) {
                errors.note(text, node);
            }
            if node.has_error() && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return errors;
                }
            }
        }
    }

    fn note(&mut self, text: &str, node: Node<'_>) {
        let (is_error, is_missing) = (node.is_error(), node.is_missing());
        if !is_error && !is_missing {
            return;
        }
        if self.count == 0 {
            self.start = node.start_byte();
        }
        self.count = self.count.saturating_add(1);
        self.end = self.end.max(node.end_byte());
        let is_bracket = || matches!(node.kind(), "}" | ")" | "]" | ">");
        let source = || text.get(node.byte_range()).unwrap_or("");
        let goes_on = || source().trim_end().contains('\n');
        self.is_open |= is_missing && is_bracket() || is_error && goes_on();
    }
}

/// Whether what is missing is a semicolon between a call and a block: `list_for_each(a, all) { … }` of C, `TEST(a, b) { … }` at
/// its top. The call is that of a macro with a block, or the head of a function without a result, and nothing is missing.
fn is_before_block(cursor: &TreeCursor<'_>) -> bool {
    let node = cursor.node();
    if !node.is_missing() || node.kind() != ";" {
        return false;
    }
    let mut around = cursor.clone();
    if !around.goto_parent() || around.node().kind() != "expression_statement" {
        return false;
    }
    let call = around.node().child(0);
    let is_named_call = call.is_some_and(|call| {
        let function = call.child_by_field_name("function");
        call.kind() == "call_expression"
            && function.is_some_and(|function| function.kind() == "identifier")
    });
    while is_named_call && around.goto_next_sibling() {
        if !around.node().is_extra() {
            return around.node().kind() == "compound_statement";
        }
    }
    false
}

fn apply(text: String, edits: &[Edit]) -> Option<String> {
    let mut bytes = text.into_bytes();
    for edit in edits {
        for byte in bytes.get_mut(edit.range.clone())? {
            if edit.with != b' ' || !matches!(byte, b'\n' | b'\r') {
                *byte = edit.with;
            }
        }
    }
    // Whole characters are replaced, so this cannot fail.
    String::from_utf8(bytes).ok()
}

/// Which kinds of a grammar are comments, and which are those or other text without brackets: looked up for
/// every token of a text that is broken, so not by name.
struct Kinds {
    comments: Vec<bool>,
    texts: Vec<bool>,
}

impl Kinds {
    fn of(language: Language) -> &'static Self {
        static ALL: [OnceLock<Kinds>; LANGUAGES.len()] =
            [const { OnceLock::new() }; LANGUAGES.len()];
        ALL[language as usize].get_or_init(|| {
            let grammar = language.grammar();
            let name = |kind| grammar.as_ref()?.node_kind_for_id(kind);
            let count = grammar.as_ref().map_or(0, |of| of.node_kind_count()) as u16;
            let names: Vec<&str> = (0..count).map(|kind| name(kind).unwrap_or("")).collect();
            let with = |words: &[&str]| {
                let is_such = |name: &&str| words.iter().any(|word| name.contains(word));
                names.iter().map(is_such).collect()
            };
            Self {
                comments: with(&["comment"]),
                texts: with(&["comment", "string", "char_literal", "regex"]),
            }
        })
    }

    fn is_comment(&self, node: Node<'_>) -> bool {
        self.comments.get(node.kind_id() as usize) == Some(&true)
    }

    fn is_text(&self, node: Node<'_>) -> bool {
        self.texts.get(node.kind_id() as usize) == Some(&true)
    }
}

/// An open bracket.
struct Open {
    at: usize,
    closer: u8,
    indent: usize,
    /// Whether what is in it may stand as far left as itself: `namespace x {`.
    loose: bool,
}

struct Recovery<'a> {
    text: &'a str,
    kinds: &'static Kinds,
    braces_close: bool,
    /// Whether every statement and member ends with a semicolon.
    semicolons: bool,
    /// Whether only a block may follow the head of one.
    heads_need_blocks: bool,
    open: Vec<Open>,
    edits: Vec<Edit>,
    /// Start of the last token and its end.
    last: Range<usize>,
    last_is_comment: bool,
}

fn edits(language: Language, text: &str, tree: &Tree) -> Vec<Edit> {
    // Where lines alone tell blocks, an open bracket is where the parser found an error.
    let skips_whole = language == Language::Python;
    let mut recovery = scan(language, text, tree, text.len(), skips_whole, |_, _| {});
    if recovery.edits.len() <= MAX_EDITS {
        recovery.end();
    }
    recovery.edits
}

/// What closes the brackets that are open at a place, the outermost first.
pub(crate) fn open_at(
    language: Language,
    text: &str,
    tree: &Tree,
    limit: usize,
    skips_whole: bool,
) -> Vec<u8> {
    scan(language, text, tree, limit, skips_whole, |_, _| {}).closers()
}

/// The same at several places, of which each is before the one before it: one look at the tokens for all.
pub(crate) fn open_at_each(
    language: Language,
    text: &str,
    tree: &Tree,
    limits: &[usize],
) -> Vec<Vec<u8>> {
    let Some(last) = limits.first() else {
        return Vec::new();
    };
    let mut found = Vec::with_capacity(limits.len());
    let recovery = scan(language, text, tree, *last, false, |recovery, end| {
        let ahead = limits[..limits.len() - found.len()].iter().rev();
        let passed = ahead.take_while(|limit| **limit < end).count();
        found.extend(std::iter::repeat_with(|| recovery.closers()).take(passed));
    });
    found.resize_with(limits.len(), || recovery.closers());
    found.reverse();
    found
}

/// Reads the tokens before `limit`; without those of what the parser understood, where brackets match,
/// if only what stays open counts. `before` is told of each one's end.
fn scan<'a>(
    language: Language,
    text: &'a str,
    tree: &Tree,
    limit: usize,
    skips_whole: bool,
    mut before: impl FnMut(&Recovery<'a>, usize),
) -> Recovery<'a> {
    let kinds = Kinds::of(language);
    let mut recovery = Recovery {
        text,
        kinds,
        braces_close: language != Language::Python,
        semicolons: matches!(
            language,
            Language::C
                | Language::Cpp
                | Language::CSharp
                | Language::Java
                | Language::Rust
                | Language::AngelScript
        ),
        heads_need_blocks: matches!(language, Language::Go | Language::Rust),
        open: Vec::new(),
        edits: Vec::new(),
        last: 0..0,
        last_is_comment: false,
    };
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let is_whole = skips_whole && !node.has_error() && node.end_byte() <= limit;
        if !is_whole && !kinds.is_text(node) && cursor.goto_first_child() {
            continue;
        }
        before(&recovery, node.end_byte());
        if node.end_byte() > limit {
            return recovery;
        }
        if is_whole && node.child_count() > 0 {
            recovery.whole(node);
        } else {
            recovery.token(node);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return recovery;
            }
        }
        if recovery.edits.len() > MAX_EDITS {
            return recovery;
        }
    }
}

impl Recovery<'_> {
    /// What closes what is open, the outermost first.
    fn closers(&self) -> Vec<u8> {
        self.open.iter().map(|open| open.closer).collect()
    }

    fn token(&mut self, node: Node<'_>) {
        let range = node.byte_range();
        if range.is_empty() || range.start < self.last.end {
            return;
        }
        let token = &self.text[range.clone()];
        let is_comment = self.kinds.is_comment(node);
        if !is_comment && !token.starts_with('#') {
            if let Some(indent) = self.indent_if_first(range.start) {
                self.line(indent, token, range.start);
            }
            self.bracket(token, &range);
        }
        self.last = range;
        self.last_is_comment = is_comment;
    }

    /// What the parser understood: it closes what it opens.
    fn whole(&mut self, node: Node<'_>) {
        let (start, end) = (node.start_byte(), node.end_byte());
        if end <= self.last.end || start < self.last.end {
            return;
        }
        if let Some(indent) = self.indent_if_first(start) {
            let rest = &self.text[start..end];
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let length = word.map_or(rest.len(), |at| at.max(rest.ceil_char_boundary(1)));
            self.line(indent, &rest[..length], start);
        }
        self.last = end..end;
        self.last_is_comment = false;
    }

    /// The column of a token that begins its line.
    fn indent_if_first(&self, start: usize) -> Option<usize> {
        let gap = self.text.get(self.last.end..start)?;
        if !gap.contains('\n') && self.last.end > 0 {
            return None;
        }
        Some(self.column(start))
    }

    /// Width of the white space that the line of `at` begins with.
    fn column(&self, at: usize) -> usize {
        let line = self.line_start(at);
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let bytes = self.text.as_bytes();
        bytes[line..]
            .iter()
            .take(400)
            .take_while(|byte| blank(byte))
            .count()
    }

    fn line_start(&self, at: usize) -> usize {
        memchr::memrchr(b'\n', &self.text.as_bytes()[..at]).map_or(0, |end| end + 1)
    }

    /// A line begins: what is still open although the line is too far left was left open.
    fn line(&mut self, indent: usize, token: &str, start: usize) {
        let closes = token.starts_with(['}', ')', ']']);
        self.dangling(indent);
        while let Some(top) = self.open.last() {
            let outside = indent < top.indent
                || indent == top.indent && !closes && !top.loose && !is_label(token);
            if !outside {
                return;
            }
            let Some(top) = self.open.pop() else { return };
            self.close(&top, start);
        }
    }

    /// `Vec<` or `self.name.` before a line further left: nothing can follow it there.
    fn dangling(&mut self, indent: usize) {
        let last = &self.text[self.last.clone()];
        let unfinished = matches!(last, "<" | "." | "->" | "::" | "=" | "+" | "&" | "*" | "?.");
        if unfinished && self.column(self.last.start) > indent {
            self.blank(self.last.clone());
        }
    }

    /// Blanks out what is half-typed; what is before it ends there.
    fn blank(&mut self, range: Range<usize>) {
        let parenthesis = self.text.as_bytes().get(range.start) == Some(&b'(');
        let ending = match (parenthesis, self.semicolons) {
            (true, true) => "();",
            (true, false) if !self.braces_close && heads_block(self.line_before(range.start)) => {
                "():0"
            }
            (true, false) => "()",
            (false, true) => ";",
            (false, false) => "",
        };
        let start = range.start;
        // Within a character of several bytes nothing may begin or end.
        // Where lines mean nothing, the white space behind it is room as well.
        let behind = self.text.as_bytes()[range.end..].iter();
        let blanks = behind.take_while(|byte| byte.is_ascii_whitespace()).count();
        let room = range.len() + if self.braces_close { blanks } else { 0 };
        let fits = self
            .text
            .get(start..start + ending.len())
            .is_some_and(|covered| ending.len() <= room && covered.is_ascii());
        self.edits.push(Edit { range, with: b' ' });
        let ending = if fits { ending } else { "" };
        for (at, with) in ending.bytes().enumerate() {
            let range = start + at..start + at + 1;
            self.edits.push(Edit { range, with });
        }
    }

    fn line_before(&self, at: usize) -> &str {
        self.text[self.line_start(at)..at].trim_start()
    }

    fn close(&mut self, open: &Open, before: usize) {
        if open.closer != b'}' || !self.braces_close {
            let rest = &self.text.as_bytes()[open.at..];
            let end = memchr::memchr(b'\n', rest).map_or(self.text.len(), |end| open.at + end);
            let start = self.head(open.at).unwrap_or(open.at);
            self.blank(start..end.min(before.max(start)));
            return;
        }
        // What it stands in is blanked out, and this with it.
        let line = self.line_start(open.at);
        if self
            .open
            .last()
            .is_some_and(|around| around.closer != b'}' && around.at >= line)
        {
            return;
        }
        if let Some(at) = self.free_blank(self.last.end..before) {
            self.edits.push(Edit {
                range: at..at + 1,
                with: b'}',
            });
        }
    }

    /// Where the head of a block begins that a bracket on its line is in, in languages in which nothing but a
    /// block may follow it: without its bracket it is no head.
    fn head(&self, at: usize) -> Option<usize> {
        const HEADS: [&str; 5] = ["if ", "for ", "while ", "switch ", "match "];
        let line = self.line_before(at);
        let is_head = self.heads_need_blocks && HEADS.iter().any(|head| line.starts_with(head));
        is_head.then(|| at - line.len())
    }

    /// White space that a brace may take the place of.
    fn free_blank(&self, gap: Range<usize>) -> Option<usize> {
        let bytes = self.text.as_bytes();
        // A comment ends with its line, so its line's end must stay.
        let kept = if self.last_is_comment && bytes.get(gap.start) == Some(&b'\n') {
            1
        } else {
            0
        };
        (gap.start + kept..gap.end).find(|at| {
            bytes[*at].is_ascii_whitespace()
                && !self.edits.iter().any(|edit| edit.range.contains(at))
        })
    }

    fn bracket(&mut self, token: &str, range: &Range<usize>) {
        let closer = match token.as_bytes().last() {
            Some(b'{') => b'}',
            Some(b'(') => b')',
            Some(b'[') => b']',
            Some(closer @ (b'}' | b')' | b']')) if token.len() == 1 => {
                let closer = *closer;
                // What is open inside the pair that this closes was left open.
                if let Some(at) = self.open.iter().rposition(|open| open.closer == closer) {
                    self.open.truncate(at);
                }
                return;
            }
            _ => return,
        };
        if token.len() > 2 || token == "[[" {
            return; // a literal that ends like this, or an attribute, which `]]` closes
        }
        let line = &self.text[self.line_start(range.start)..range.start];
        let words = line.get(..line.floor_char_boundary(200)).unwrap_or("");
        self.open.push(Open {
            at: range.start,
            closer,
            indent: self.column(range.start),
            loose: ["namespace", "extern", "switch", "match ", "select"]
                .iter()
                .any(|word| words.contains(word)),
        });
    }

    /// The text ends.
    fn end(&mut self) {
        let end = self.text.len();
        while let Some(open) = self.open.pop() {
            if open.closer != b'}' {
                self.close(&open, end);
            }
        }
    }
}

/// Whether a line of Python that begins like this must be followed by a block.
pub(crate) fn heads_block(line: &str) -> bool {
    [
        "def ", "class ", "async ", "if ", "elif ", "while ", "for ", "with ",
    ]
    .iter()
    .any(|word| line.starts_with(word))
}

/// Words that begin a line as far left as the block they are in.
fn is_label(token: &str) -> bool {
    matches!(
        token,
        "case"
            | "default"
            | "public"
            | "private"
            | "protected"
            | "signals"
            | "where"
            | "{"
            | "else"
            | "catch"
            | "finally"
            | "."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    fn recovered_text(language: Language, text: &str) -> Option<String> {
        let tree = parse(language, text, None)?;
        let edits = edits(language, text, &tree);
        apply(text.to_owned(), &edits)
    }

    #[test]
    fn an_open_brace_is_closed_where_the_next_declaration_begins() {
        let text = "fn a() {\n    if x {\n        b();\n\nfn c() {}\n";
        let recovered = recovered_text(Language::Rust, text).unwrap();
        assert_eq!(recovered.len(), text.len());
        let tree = parse(Language::Rust, &recovered, None).unwrap();
        assert!(!tree.root_node().has_error(), "{recovered}");
    }

    #[test]
    fn an_open_parenthesis_loses_the_rest_of_its_line() {
        let recovered = recovered_text(Language::Python, "x = call(a,\n\ndef f():\n    pass\n");
        assert_eq!(recovered.unwrap(), "x = call() \n\ndef f():\n    pass\n");
    }

    #[test]
    fn whole_code_is_left_alone() {
        for (language, text) in [
            (
                Language::Cpp,
                "class A {\n  [[nodiscard]] int b(C c = {});\n};\n",
            ),
            (
                Language::Cpp,
                "namespace a {\nclass B {\npublic:\n  int c(\n      int d);\n};\n}\n",
            ),
            (
                Language::Go,
                "package a\n\nfunc b() {\n\tswitch c {\n\tcase 1:\n\t\td()\n\t}\n}\n",
            ),
            (
                Language::CSharp,
                "class A\n{\n    void B()\n    {\n        C(\n            1);\n    }\n}\n",
            ),
            (
                Language::JavaScript,
                "const a = {\n  b: [\n    1,\n  ],\n};\nc(() => {\n  d();\n});\n",
            ),
        ] {
            assert_eq!(recovered_text(language, text).as_deref(), Some(text));
        }
    }
}
