//! Error recovery at the end of the file: what was open when the text ended is closed behind it.
//!
//! A parser that meets the end inside of a class has read no class, and gives up most of what it
//! knows about its members. So the brackets that are still open are closed behind the text, in the
//! order that they need; and where the last lines make no sense even then, without those. What is
//! declared ends at the text's end at the latest.
//!
//! Which of these is right shows in how much is declared in each.

use tree_sitter::{InputEdit, Tree};

use crate::blocks::open_blocks;
use crate::error_recovery::{Errors, MAX_ERRORS, heads_block, open_at, open_at_each};
use crate::facts::Facts;
use crate::hooks::HOOKS;
use crate::macro_items::with_macro_items;
use crate::parser::parse_unambiguous;
use crate::reparse::{differing, point};
use crate::spec::Spec;
use crate::walk::walk;
use crate::{Language, preprocess};

/// How many of the last lines may be what does not make sense.
const LINES: [usize; 5] = [0, 1, 2, 4, 8];

/// Bytes that are parsed again at most, the first time apart.
const MAX_TRIED: usize = 128 * 1024;

/// With more open brackets the text is something else than half-typed.
const MAX_OPEN: usize = 100;

/// Facts with more declarations than `facts`, if the text's brackets are left open and closing them
/// gives such. `readable` is `text` as it was parsed.
pub(crate) fn recover_at_eof(
    spec: &'static Spec,
    text: &str,
    readable: &str,
    tree: &Tree,
    facts: &Facts,
) -> Option<Facts> {
    let language = spec.language;
    if !may_be_open(spec, readable, tree, Errors::scan(readable, tree)) {
        return None;
    }
    let limits = limits(readable);
    let opens = open_at_each_limit(spec, readable, tree, &limits);
    let is_open =
        |(open, limit): (&Opens<'_>, &usize)| open.is_unfinished(language, readable, *limit);
    if !opens.iter().zip(&limits).any(is_open) {
        return None;
    }
    let mut best: Option<Facts> = None;
    let mut tried = 0;
    for (open, limit) in opens.iter().zip(limits.iter().copied()) {
        if !text.is_char_boundary(limit) {
            continue;
        }
        if tried > 0 && tried + limit > MAX_TRIED {
            break;
        }
        tried += limit;
        let most = declared(best.as_ref().unwrap_or(facts));
        let closed = open.closed(language, &readable[..limit]);
        let old = cut(tree, readable, &closed);
        let Some(tree) = parse_unambiguous(language, &closed, Some(&old)) else {
            break;
        };
        let tree = with_macro_items(language, &closed, &tree).map_or(tree, |(_, tree)| tree);
        // Where something was closed there is nothing to see; the rest of the text is behind that.
        let blanks = " ".repeat(closed.len() - limit);
        let seen = [&text[..limit], &blanks, &text[limit..]].concat();
        if !is_aligned(&tree, &seen) {
            continue;
        }
        let (mut candidate, _) = walk(spec, HOOKS, &seen, &tree, facts.hash);
        if declared(&candidate) > most {
            candidate.end_at(text, limit);
            best = Some(candidate);
        }
        // Either this is it, or what is wrong is not the end.
        let first_line = limits.last().copied().unwrap_or(0);
        let errors = Errors::scan(&closed, &tree);
        if !(1..=MAX_ERRORS).contains(&errors.count) || errors.end < first_line {
            break;
        }
    }
    best
}

/// The tree of a text, told that it is another one that begins the same and ends otherwise.
fn cut(tree: &Tree, text: &str, closed: &str) -> Tree {
    let mut tree = tree.clone();
    if let Some(at) = differing(text.as_bytes(), closed.as_bytes()) {
        // Up to the end of both: what is behind where they differ is not the same code.
        tree.edit(&InputEdit {
            start_byte: at.start,
            old_end_byte: text.len(),
            new_end_byte: closed.len(),
            start_position: point(text, at.start),
            old_end_position: point(text, text.len()),
            new_end_position: point(closed, closed.len()),
        });
    }
    tree
}

/// How much is declared, and how much of it in something else: without its end, a class may be taken
/// for a call that others stand behind.
fn declared(facts: &Facts) -> (usize, usize) {
    let nested = facts.items.iter().filter(|item| item.parent.is_some());
    (facts.items.len(), nested.count())
}

/// Whether closing what is open at the end may change anything in a tree that has these errors.
pub(crate) fn may_be_open(spec: &Spec, readable: &str, tree: &Tree, errors: Errors) -> bool {
    // A token without a name may be missing too, which is no place.
    if !tree.root_node().has_error() || errors.count > MAX_ERRORS {
        return false;
    }
    let limits = limits(readable);
    // Where nothing is open at the end, and what is wrong is further up, it does not.
    let is_further_up = errors.end < limits.last().copied().unwrap_or(0);
    let is_whole = |limit: &usize| {
        let open = match open_blocks(spec, readable, tree, *limit) {
            Some(open) => Opens::Blocks(open),
            // Brackets match in what the parser understood.
            None => Opens::Brackets(open_at(spec.language, readable, tree, *limit, true)),
        };
        !open.is_unfinished(spec.language, readable, *limit)
    };
    !(is_further_up && limits.first().is_none_or(is_whole))
}

/// What is open at a place in a text, the outermost first.
enum Opens<'s> {
    /// Blocks, by the words that end them.
    Blocks(Vec<&'s str>),
    /// Brackets, by those that close them.
    Brackets(Vec<u8>),
}

/// What is open at each of these places.
fn open_at_each_limit<'s>(
    spec: &'s Spec,
    text: &str,
    tree: &Tree,
    limits: &[usize],
) -> Vec<Opens<'s>> {
    if spec.blocks.is_none() {
        let open = open_at_each(spec.language, text, tree, limits);
        return open.into_iter().map(Opens::Brackets).collect();
    }
    let open = |limit: &usize| open_blocks(spec, text, tree, *limit).unwrap_or_default();
    limits.iter().map(open).map(Opens::Blocks).collect()
}

impl Opens<'_> {
    /// Whether anything is, of a text that ends at `limit`.
    fn is_unfinished(&self, language: Language, text: &str, limit: usize) -> bool {
        match self {
            Self::Blocks(open) => !open.is_empty() && open.len() <= MAX_OPEN,
            Self::Brackets(open) => {
                (!open.is_empty() || lacks_block(language, &text[..limit]))
                    && open.len() <= MAX_OPEN
            }
        }
    }

    /// A text with that closed behind it.
    fn closed(&self, language: Language, text: &str) -> String {
        let open = match self {
            Self::Blocks(open) => {
                let closers = open.iter().rev().flat_map(|closer| ["\n", closer]);
                return std::iter::once(text).chain(closers).collect();
            }
            Self::Brackets(open) => open,
        };
        let mut out = text.to_owned();
        if matches!(language, Language::C | Language::Cpp) {
            let unread = preprocess::conditions(text);
            out = preprocess::blank(text, &unread).into_owned();
        }
        if !open.is_empty() {
            out.push('\n'); // ends a comment too
        }
        // In Kotlin, an empty statement is none.
        let ends_statements =
            !matches!(language, Language::Python | Language::Go | Language::Kotlin);
        let needs_semicolon = matches!(language, Language::C | Language::Cpp);
        let mut ended = text.ends_with([';', '{', '}', ',']);
        for closer in open.iter().rev() {
            if *closer == b'}' && !ended && ends_statements {
                out.push(';');
            }
            ended = *closer == b'}';
            out.push(char::from(*closer));
            if ended && needs_semicolon {
                out.push(';'); // of a class; behind anything else it does no harm
            }
        }
        if lacks_block(language, text) {
            out.push_str(":0");
        }
        out
    }
}

/// Whether every node begins and ends between characters of `text`, which has other bytes than what
/// was parsed: a literal may have ended among the blanks that a character became.
pub(crate) fn is_aligned(tree: &Tree, text: &str) -> bool {
    if text.is_ascii() {
        return true;
    }
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let ends = [node.start_byte(), node.end_byte()];
        if !ends.iter().all(|end| text.is_char_boundary(*end)) {
            return false;
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return true;
            }
        }
    }
}

/// Where the text may end: behind its last word, or so many lines before.
fn limits(text: &str) -> Vec<usize> {
    let mut out = Vec::new();
    let mut end = text.trim_end().len();
    let mut lines = 0;
    for wanted in LINES {
        while lines < wanted {
            let line = memchr::memrchr(b'\n', &text.as_bytes()[..end]).unwrap_or(0);
            end = text[..line].trim_end().len();
            lines += 1;
        }
        if end == 0 {
            break;
        }
        out.push(end);
    }
    out
}

/// Whether the last line of Python is the head of a block that has none.
fn lacks_block(language: Language, text: &str) -> bool {
    let line = memchr::memrchr(b'\n', text.as_bytes()).map_or(0, |end| end + 1);
    language == Language::Python && !text.ends_with(':') && heads_block(text[line..].trim_start())
}
