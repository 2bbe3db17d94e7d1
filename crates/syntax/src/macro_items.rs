//! Rust's declarations in macro calls: `cfg_rt! { pub fn spawn() {} }`, `lazy_static! { … }`.
//!
//! The grammar takes what a macro is called with for tokens of no meaning. Where a call stands for
//! items and its tokens parse as such, the macro's name and braces are blanked out, and they are
//! items of what is around the call. What three well-known forms add to the language is blanked
//! too: `static ref`, the branches of `cfg_if!`, the flags of `bitflags!`. Offsets stay.
//!
//! A call that does not parse then stays as it was.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use crate::Language;
use crate::reparse::Parsed;

/// How deep calls within calls are followed.
const ROUNDS: usize = 5;

/// More calls than this in a file were written by a program.
const MAX_CALLS: usize = 400;

/// One replacement, filled up with blanks.
struct Edit {
    range: Range<usize>,
    with: &'static str,
}

/// A macro call that stands for items.
struct Call {
    range: Range<usize>,
    edits: Vec<Edit>,
}

/// The text and tree with the items of macro calls, where there are some.
pub(crate) fn with_macro_items(
    language: Language,
    text: &str,
    tree: &Tree,
) -> Option<(String, Tree)> {
    let last = Rounds::default().next(language, text, tree).into_last()?;
    Some((last.text, last.tree))
}

/// The texts on the way to one without calls that stand for items, with their trees.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    tried: Vec<Parsed>,
    last: Option<usize>,
}

impl Rounds {
    /// The text with the items of macro calls, where there are some.
    pub(crate) fn last(&self) -> Option<&Parsed> {
        self.tried.get(self.last?)
    }

    /// How many trees these are.
    pub(crate) fn trees(&self) -> usize {
        self.tried.len()
    }

    fn into_last(mut self) -> Option<Parsed> {
        self.last.map(|last| self.tried.swap_remove(last))
    }

    /// The same of a text that these rounds were like: only what is another is parsed again.
    pub(crate) fn next(&self, language: Language, text: &str, tree: &Tree) -> Self {
        let mut rounds = Self::default();
        if language == Language::Rust && rounds.run(self, text, tree).is_none() {
            return Self::default();
        }
        rounds
    }

    fn run(&mut self, known: &Self, text: &str, tree: &Tree) -> Option<()> {
        let mut refused = Vec::new();
        for _ in 0..ROUNDS {
            let (text, tree) = match self.last() {
                Some(last) => (last.text.as_str(), &last.tree),
                None => (text, tree),
            };
            let mut calls = calls(text, tree, &refused);
            if calls.is_empty() || calls.len() > MAX_CALLS {
                break;
            }
            let edited = apply(text, &calls)?;
            let mut next = self.parsed(known, edited)?;
            let mut bad = refused_by(&next.tree, &calls);
            if !bad.is_empty() && known.tried.get(self.tried.len()).is_some() {
                // Where a text does not parse, how depends on the tree that it was parsed from.
                next = Parsed::again(Language::Rust, next.text, None)?;
                bad = refused_by(&next.tree, &calls);
            }
            if !bad.is_empty() {
                calls.retain(|call| !bad.contains(&call.range.start));
                refused.extend(bad);
                if calls.is_empty() {
                    self.tried.push(next);
                    break;
                }
                let edited = apply(text, &calls)?;
                self.tried.push(next);
                next = self.parsed(known, edited)?;
            }
            self.tried.push(next);
            self.last = Some(self.tried.len() - 1);
        }
        Some(())
    }

    /// A text, parsed from what was tried in its place before.
    fn parsed(&self, known: &Self, text: String) -> Option<Parsed> {
        Parsed::again(Language::Rust, text, known.tried.get(self.tried.len()))
    }
}

/// Where those calls begin that do not parse as items.
fn refused_by(tree: &Tree, calls: &[Call]) -> Vec<usize> {
    let errors = errors(tree);
    let bad = calls
        .iter()
        .filter(|call| errors.iter().any(|at| overlap(at, &call.range)));
    bad.map(|call| call.range.start).collect()
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

fn apply(text: &str, calls: &[Call]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in calls.iter().flat_map(|call| &call.edits) {
        let mut with = edit.with.bytes();
        for byte in bytes.get_mut(edit.range.clone())? {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = with.next().unwrap_or(b' ');
            }
        }
    }
    // Whole tokens are replaced, so this cannot fail.
    String::from_utf8(bytes).ok()
}

/// Where the parser found errors, the innermost places.
fn errors(tree: &Tree) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            out.push(node.byte_range());
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return out;
            }
        }
    }
}

/// The calls that may stand for items, outside of code.
fn calls(text: &str, tree: &Tree, refused: &[usize]) -> Vec<Call> {
    let mut cursor = tree.walk();
    let mut out = Vec::new();
    loop {
        let node = cursor.node();
        if node.kind() == "macro_invocation" && !refused.contains(&node.start_byte()) {
            out.extend(call(text, node));
        }
        let holds_items = matches!(
            node.kind(),
            "source_file"
                | "mod_item"
                | "impl_item"
                | "trait_item"
                | "foreign_mod_item"
                | "declaration_list"
                | "expression_statement"
        );
        if holds_items && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return out;
            }
        }
    }
}

fn call(text: &str, node: Node<'_>) -> Option<Call> {
    let mut cursor = node.walk();
    let tree = node
        .children(&mut cursor)
        .find(|child| child.kind() == "token_tree")?;
    let source = |node: Node<'_>| text.get(node.byte_range()).unwrap_or("");
    if !source(tree).starts_with('{') {
        return None;
    }
    let mut edits = vec![blank(node.start_byte()..tree.start_byte() + 1)];
    edits.push(blank(tree.end_byte() - 1..tree.end_byte()));
    let items = Tokens { text, node: tree }.unwrap_items(&mut edits);
    items.then(|| Call {
        range: node.byte_range(),
        edits,
    })
}

fn blank(range: Range<usize>) -> Edit {
    Edit { range, with: "" }
}

/// The tokens in a pair of braces.
#[derive(Clone, Copy)]
struct Tokens<'t> {
    text: &'t str,
    node: Node<'t>,
}

impl<'t> Tokens<'t> {
    fn all(self) -> Vec<(Node<'t>, &'t str)> {
        let mut cursor = self.node.walk();
        self.node
            .children(&mut cursor)
            .filter(|child| !child.kind().ends_with("comment"))
            .map(|child| (child, self.text.get(child.byte_range()).unwrap_or("")))
            .collect()
    }

    /// Edits what is not Rust. Whether there is any item.
    fn unwrap_items(self, edits: &mut Vec<Edit>) -> bool {
        let tokens = self.all();
        let mut found = false;
        let mut at = 0;
        while let Some((_, word)) = tokens.get(at) {
            let rest = &tokens[at..];
            match *word {
                "if" | "else" => {
                    let (used, items) = self.branch(rest, edits);
                    found |= items;
                    at += used;
                    continue;
                }
                "static" => {
                    if let Some((keyword, "ref")) = rest.get(1) {
                        edits.push(blank(keyword.byte_range()));
                    }
                    found = true;
                }
                "struct" => {
                    self.flags(rest, edits);
                    found = true;
                }
                "fn" | "enum" | "trait" | "impl" | "mod" | "const" | "type" | "union"
                | "macro_rules" => found = true,
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// `if #[cfg(…)] { … }`, `else if #[cfg(…)] { … }` or `else { … }`: how many tokens it takes,
    /// and whether there are items in it.
    fn branch(self, rest: &[(Node<'t>, &'t str)], edits: &mut Vec<Edit>) -> (usize, bool) {
        let head = rest
            .iter()
            .take(5)
            .position(|(_, word)| word.starts_with('{'));
        let Some(head) = head else { return (1, false) };
        let condition = rest[..head]
            .iter()
            .all(|(_, word)| matches!(*word, "if" | "else" | "#") || word.starts_with('['));
        if !condition {
            return (1, false);
        }
        let body = rest[head].0;
        edits.push(blank(rest[0].0.start_byte()..body.start_byte() + 1));
        edits.push(blank(body.end_byte() - 1..body.end_byte()));
        let inner = Tokens { node: body, ..self };
        (head + 1, inner.unwrap_items(edits))
    }

    /// `struct Name: u32 { const A = 1; }` becomes an enum, which is what it looks like in Rust.
    fn flags(self, rest: &[(Node<'t>, &'t str)], edits: &mut Vec<Edit>) {
        let [(keyword, _), _, (colon, ":"), ..] = rest else {
            return;
        };
        let body = rest
            .iter()
            .take(12)
            .find(|(_, word)| word.starts_with('{') || *word == ";");
        let Some((body, _)) = body.filter(|(_, word)| word.starts_with('{')) else {
            return;
        };
        edits.push(Edit {
            range: keyword.byte_range(),
            with: "enum",
        });
        edits.push(blank(colon.start_byte()..body.start_byte()));
        let inner = Tokens {
            node: *body,
            ..self
        };
        let mut nameless = None;
        let tokens = inner.all();
        for (index, (token, word)) in tokens.iter().enumerate() {
            match *word {
                "const" if tokens.get(index + 1).is_some_and(|next| next.1 == "_") => {
                    nameless = Some(token.start_byte());
                }
                "const" => edits.push(blank(token.byte_range())),
                ";" => match nameless.take() {
                    Some(start) => edits.push(blank(start..token.end_byte())),
                    None => edits.push(Edit {
                        range: token.byte_range(),
                        with: ",",
                    }),
                },
                _ => {}
            }
        }
    }
}
