//! Expansion of Rust's macro calls that hold items: `cfg_rt! { pub fn spawn() {} }`, `lazy_static! { … }`.
//!
//! The grammar takes what a macro is called with for tokens of no meaning. Where a call stands for
//! items and its tokens parse as such, the macro's name and braces are blanked out, and they are
//! items of what is around the call. What three well-known forms add to the language is blanked
//! too: `static ref`, the branches of `cfg_if!`, the flags of `bitflags!`. Offsets stay.
//!
//! A call whose tokens do not parse as items stays as it was. That is found out with the call's text alone, so
//! that it depends on nothing else: an edit elsewhere leaves it as it is, and calls within calls are followed
//! without parsing the whole text for each of them.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree, TreeCursor};

use crate::Language;
use crate::change::TextReplacement;
use crate::reparse::{Parsed, is_word, word_around};

/// How deep calls within calls are followed.
const DEPTH: usize = 5;

/// More calls than this side by side were written by a program.
const MAX_CALLS: usize = 400;

/// What is put around a call that stands in the braces of a module, implementation or trait: other things can
/// stand there than in a file.
const LIST: [&str; 2] = ["mod m{", "}"];

/// One replacement, filled up with blanks.
#[derive(Clone, Debug)]
struct BlankedEdit {
    range: Range<usize>,
    with: &'static str,
}

impl BlankedEdit {
    /// The same counted from so many bytes before.
    fn behind(&self, bytes: usize) -> Self {
        Self {
            range: self.range.start + bytes..self.range.end + bytes,
            with: self.with,
        }
    }

    /// The same counted from so many bytes on.
    fn from(&self, bytes: usize) -> Self {
        Self {
            range: self.range.start - bytes..self.range.end - bytes,
            with: self.with,
        }
    }
}

/// A macro call where items can stand.
struct ItemMacroCall<'t> {
    node: Node<'t>,
    /// Whether it stands in braces.
    in_list: bool,
}

impl ItemMacroCall<'_> {
    fn written<'s>(&self, text: &'s str) -> &'s str {
        text.get(self.node.byte_range()).unwrap_or("")
    }
}

/// What a call stands for.
#[derive(Debug)]
struct Expansion {
    /// The call as it is written.
    text: String,
    in_list: bool,
    /// Its items alone, where it has some: parsed again from here when it is edited.
    items: Option<Parsed>,
    /// What makes items of it and of the calls in it, from its first byte on; nothing where it stays a call.
    edits: Vec<BlankedEdit>,
    /// The calls in it.
    inner: Expansions,
}

/// What the calls of a text stand for, in their order.
type Expansions = Vec<Arc<Expansion>>;

/// The text and tree with the items of macro calls, where there are some.
pub(crate) fn with_macro_items(
    language: Language,
    text: &str,
    tree: &Tree,
) -> Option<(String, Tree)> {
    let last = Unwrapped::default().next(language, text, tree).last?;
    Some((last.text, last.tree))
}

/// A text without calls that stand for items, and what those calls are.
#[derive(Debug, Default)]
pub(crate) struct Unwrapped {
    calls: Expansions,
    /// Where the calls are, also those that stay calls.
    places: Vec<Range<usize>>,
    /// Whether one of them was edited since.
    is_edited: bool,
    last: Option<Parsed>,
}

impl Unwrapped {
    /// The text with the items of macro calls, where there are some.
    pub(crate) fn last(&self) -> Option<&Parsed> {
        self.last.as_ref()
    }

    /// Bytes of the text were replaced, up to these ends before and now.
    pub(crate) fn edit(&mut self, start: usize, old_end: usize, new_end: usize) {
        for place in &mut self.places {
            if old_end < place.start {
                let moved = |at: usize| at - old_end + new_end;
                *place = moved(place.start)..moved(place.end);
            } else if start <= place.end {
                self.is_edited = true;
                // What the edit took from the call's head is not behind what it left of it.
                place.start = place.start.min(start);
                place.end = (place.end.max(old_end) - old_end) + new_end;
            }
        }
    }

    /// Whether the calls may be others than before: one was edited.
    pub(crate) fn is_edited(&self) -> bool {
        self.is_edited
    }

    /// Edits the text with the items of macro calls as the one with the calls was, if there is one and that left the
    /// calls what they are. `None` where that is not so.
    pub(crate) fn follow(&mut self, change: TextReplacement, text: &str) -> Option<()> {
        let last = self.last.as_mut()?;
        let is_same = !self.is_edited
            || changes_word((&last.text, change.replaced()), (text, change.inserted()));
        is_same.then(|| last.apply(change, text))?
    }

    /// All that was edited has been read.
    pub(crate) fn was_read(&mut self) {
        self.is_edited = false;
        self.last.iter_mut().for_each(Parsed::was_read);
    }

    /// Whether a call, with items or not, is in some bytes of the text, or they in it.
    pub(crate) fn has_call_in(&self, bytes: &Range<usize>) -> bool {
        let meets = |place: &Range<usize>| place.start < bytes.end && bytes.start < place.end;
        self.places.iter().any(meets)
    }

    /// How many trees of a whole text these are: those of all calls are together like one.
    pub(crate) fn trees(&self) -> usize {
        usize::from(self.last.is_some()) + usize::from(!self.calls.is_empty())
    }

    /// The same of a text that this one was like: only what is another is parsed again.
    pub(crate) fn next(&self, language: Language, text: &str, tree: &Tree) -> Self {
        if language != Language::Rust {
            return Self::default();
        }
        let MacroExpansions {
            calls,
            places,
            edits,
        } = expansions(text, tree, &self.calls, DEPTH);
        let last = match edits.is_empty() {
            true => None,
            false => apply(text, &edits)
                .and_then(|edited| Parsed::again(Language::Rust, edited, self.last.as_ref())),
        };
        Self {
            calls,
            places,
            is_edited: false,
            last,
        }
    }
}

/// Words that what is made of a call depends on.
const WORDS: [&str; 14] = [
    "if",
    "else",
    "static",
    "ref",
    "struct",
    "fn",
    "enum",
    "trait",
    "impl",
    "mod",
    "const",
    "type",
    "union",
    "macro_rules",
];

/// Whether an edit makes one word of items in a macro call another one, so that the same is made of the call: its
/// place in the preprocessed text before, and in the one that it was made of, as that is now.
pub(crate) fn changes_word(
    (shown, replaced): (&str, Range<usize>),
    (text, with): (&str, Range<usize>),
) -> bool {
    let was = word_around(shown, replaced.clone());
    let is = word_around(text, with.clone());
    let (Some(was), Some(is)) = (was, is) else {
        return false;
    };
    // The call's own name is blanked out, and one that is behind blanks is another word there.
    let is_shown = was.start == is.start
        && shown.get(was.start..replaced.start) == text.get(is.start..with.start)
        && shown.get(replaced.end..was.end) == text.get(with.end..is.end);
    is_shown && is_plain_word(shown, was) && is_plain_word(text, is)
}

/// Whether a word of a text means nothing for what is made of a call, and is by itself: of what is quoted it may be
/// the prefix, or all that may be in it.
fn is_plain_word(text: &str, place: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = place.start.checked_sub(1).and_then(|at| bytes.get(at));
    let behind = bytes.get(place.end);
    let is_apart = !matches!(behind, Some(b'"' | b'\'' | b'#' | b'!'))
        && !matches!(before, Some(b'\\' | b'\''))
        && before.is_none_or(u8::is_ascii)
        && behind.is_none_or(u8::is_ascii);
    let is_plain = |word: &str| is_word(word) && word != "_" && !WORDS.contains(&word);
    is_apart && text.get(place).is_some_and(is_plain)
}

/// What the calls of a text stand for, where they are, and all that makes items of them.
#[derive(Default)]
struct MacroExpansions {
    calls: Expansions,
    places: Vec<Range<usize>>,
    edits: Vec<BlankedEdit>,
}

/// What the calls of a text stand for, by what is known of others like them.
fn expansions(text: &str, tree: &Tree, known: &Expansions, depth: usize) -> MacroExpansions {
    let calls = match depth {
        0 => Vec::new(),
        _ => calls(tree, text),
    };
    if calls.len() > MAX_CALLS {
        return MacroExpansions::default();
    }
    let by_text = LazyCell::new(|| {
        let entry = |known| (key_of(known), known);
        known.iter().map(entry).collect::<FxHashMap<_, _>>()
    });
    let mut found = MacroExpansions::default();
    for (place, call) in calls.iter().enumerate() {
        let key = (call.written(text), call.in_list);
        // One that was edited stands where it stood, unless others came or went at once.
        let there = known.get(place);
        let same = there.filter(|known| key_of(known) == key);
        let expansion = match same.or_else(|| by_text.get(&key).copied()) {
            Some(known) => Arc::clone(known),
            None => {
                let before = there.filter(|known| known.in_list == call.in_list);
                Arc::new(expansion(text, call, before.map(Arc::as_ref), depth))
            }
        };
        let start = call.node.start_byte();
        let edits = expansion.edits.iter().map(|edit| edit.behind(start));
        found.edits.extend(edits);
        found.places.push(call.node.byte_range());
        found.calls.push(expansion);
    }
    found
}

/// By what an expansion is found again.
fn key_of(known: &Arc<Expansion>) -> (&str, bool) {
    (&known.text, known.in_list)
}

/// What a call stands for, with what is known of it before it was edited.
fn expansion(
    text: &str,
    call: &ItemMacroCall<'_>,
    before: Option<&Expansion>,
    depth: usize,
) -> Expansion {
    let mut expansion = Expansion {
        text: call.written(text).to_owned(),
        in_list: call.in_list,
        items: None,
        edits: Vec::new(),
        inner: Vec::new(),
    };
    let start = call.node.start_byte();
    let edits = edits_of(text, call.node).unwrap_or_default();
    let edits: Vec<BlankedEdit> = edits.iter().map(|edit| edit.from(start)).collect();
    let known = before.and_then(|before| before.items.as_ref());
    let items = match edits.is_empty() {
        true => None,
        false => items_alone(&expansion, &edits, known),
    };
    let Some(items) = items else {
        return expansion;
    };
    let none = Vec::new();
    let known = before.map_or(&none, |before| &before.inner);
    let inner = expansions(&items.text, &items.tree, known, depth - 1);
    let shift = if call.in_list { LIST[0].len() } else { 0 };
    expansion.edits = edits;
    expansion
        .edits
        .extend(inner.edits.iter().map(|edit| edit.from(shift)));
    expansion.inner = inner.calls;
    expansion.items = Some(items);
    expansion
}

/// The items of a call, if they are such; parsed again from those before it was edited.
fn items_alone(call: &Expansion, edits: &[BlankedEdit], before: Option<&Parsed>) -> Option<Parsed> {
    let edited = apply(&call.text, edits)?;
    let text = match call.in_list {
        true => [LIST[0], &edited, LIST[1]].concat(),
        false => edited,
    };
    let is_whole = |parsed: &Parsed| !parsed.tree.root_node().has_error();
    if before.is_some() {
        let parsed = Parsed::again(Language::Rust, text.clone(), before).filter(is_whole);
        if parsed.is_some() {
            return parsed;
        }
        // Where a text does not parse, how depends on the tree that it was parsed from.
    }
    Parsed::again(Language::Rust, text, None).filter(is_whole)
}

fn apply(text: &str, edits: &[BlankedEdit]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in edits {
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

/// The calls with braces that may stand for items, outside of code. One that is not whole stands for nothing: how
/// its tokens are read depends on what is around it. They are looked for where the text could have one: most files
/// have few, and after each keystroke somebody asks.
fn calls<'t>(tree: &'t Tree, text: &str) -> Vec<ItemMacroCall<'t>> {
    let mut out: Vec<ItemMacroCall<'t>> = Vec::new();
    let mut cursor = tree.walk();
    for at in memchr::memchr_iter(b'!', text.as_bytes()) {
        let rest = text.as_bytes()[at + 1..].trim_ascii_start();
        // A comment may stand before the braces.
        if !matches!(rest.first(), Some(b'{' | b'/')) {
            continue;
        }
        cursor.reset(tree.root_node());
        let call = call_at(&mut cursor, at).filter(|call| call.written(text).ends_with('}'));
        let is_new =
            |call: &ItemMacroCall<'_>| out.last().is_none_or(|last| last.node != call.node);
        out.extend(call.filter(is_new));
    }
    out
}

/// The outermost call around a byte, if only what holds items is around it.
fn call_at<'t>(cursor: &mut TreeCursor<'t>, at: usize) -> Option<ItemMacroCall<'t>> {
    let mut in_list = false;
    loop {
        let node = cursor.node();
        match node.kind() {
            "macro_invocation" if !node.has_error() => {
                return Some(ItemMacroCall { node, in_list });
            }
            "source_file"
            | "mod_item"
            | "impl_item"
            | "trait_item"
            | "foreign_mod_item"
            | "expression_statement" => in_list = false,
            "declaration_list" => in_list = true,
            _ => return None,
        }
        cursor.goto_first_child_for_byte(at)?;
    }
}

/// What makes items of a call's tokens; none where there are no such.
fn edits_of(text: &str, node: Node<'_>) -> Option<Vec<BlankedEdit>> {
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
    let items = BracedTokens { text, node: tree }.unwrap_items(&mut edits);
    items.then_some(edits)
}

fn blank(range: Range<usize>) -> BlankedEdit {
    BlankedEdit { range, with: "" }
}

/// The tokens in a pair of braces.
#[derive(Clone, Copy)]
struct BracedTokens<'t> {
    text: &'t str,
    node: Node<'t>,
}

impl<'t> BracedTokens<'t> {
    fn all(self) -> Vec<(Node<'t>, &'t str)> {
        let mut cursor = self.node.walk();
        self.node
            .children(&mut cursor)
            .filter(|child| !child.kind().ends_with("comment"))
            .map(|child| (child, self.text.get(child.byte_range()).unwrap_or("")))
            .collect()
    }

    /// Edits what is not Rust. Whether there is any item.
    fn unwrap_items(self, edits: &mut Vec<BlankedEdit>) -> bool {
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
    fn branch(self, rest: &[(Node<'t>, &'t str)], edits: &mut Vec<BlankedEdit>) -> (usize, bool) {
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
        let inner = BracedTokens { node: body, ..self };
        (head + 1, inner.unwrap_items(edits))
    }

    /// `struct Name: u32 { const A = 1; }` becomes an enum, which is what it looks like in Rust.
    fn flags(self, rest: &[(Node<'t>, &'t str)], edits: &mut Vec<BlankedEdit>) {
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
        edits.push(BlankedEdit {
            range: keyword.byte_range(),
            with: "enum",
        });
        edits.push(blank(colon.start_byte()..body.start_byte()));
        let inner = BracedTokens {
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
                    None => edits.push(BlankedEdit {
                        range: token.byte_range(),
                        with: ",",
                    }),
                },
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unwrapped(known: &Unwrapped, text: &str) -> Unwrapped {
        let parsed = Parsed::again(Language::Rust, text.to_owned(), None).unwrap();
        known.next(Language::Rust, text, &parsed.tree)
    }

    const TEXT: &str = "cfg_a! { fn a() {} cfg_b! { struct B; } }\nno_items! { a => fn b }\n\
                        impl C { cfg_d! { type D = u8; fn d(&self) {} } }\n";

    #[test]
    fn a_word_of_items_in_a_call_may_become_another() {
        let is_of = |old: &str, new: &str| {
            let known = unwrapped(&Unwrapped::default(), old);
            let at = crate::reparse::differing(old.as_bytes(), new.as_bytes()).unwrap();
            let shown = (&*known.last().unwrap().text, at.start..at.old_end);
            changes_word(shown, (new, at.start..at.new_end))
        };
        let text =
            "cfg_a! { fn name(arg: &'a str) { call(\"\", 'c', r\"\") } static ref B: u8 = 1; }";
        for (old, new, expected) in [
            ("name", "nxame", true),
            ("call", "x", true),
            ("cfg_a", "cfg_ab", false),
            ("fn name", "fxn name", false),
            ("static ref", "static xref", false),
            ("static ref", "static _ref", false),
            ("name", "static", false),
            ("name", "na me", false),
            ("'c'", "'cd'", false),
            ("r\"\"", "rx\"\"", false),
        ] {
            assert_eq!(
                is_of(text, &text.replacen(old, new, 1)),
                expected,
                "{old} {new}"
            );
        }
    }

    #[test]
    fn calls_are_blanked_where_they_hold_items() {
        let found = unwrapped(&Unwrapped::default(), TEXT);
        let last = found.last().unwrap();
        let expected = "         fn a() {}          struct B;    \nno_items! { a => fn b }\n\
                        impl C {          type D = u8; fn d(&self) {}   }\n";
        assert_eq!(last.text, expected);
        assert!(!last.tree.root_node().has_error());
        assert!(unwrapped(&found, "fn a() {}\n").last().is_none());
    }

    #[test]
    fn an_edit_leaves_other_calls_as_they_are() {
        let before = unwrapped(&Unwrapped::default(), TEXT);
        let edited = TEXT
            .replace("fn d", "fn dd")
            .replace("struct B;", "struct;");
        let after = unwrapped(&before, &edited);
        let same = before.calls.iter().zip(&after.calls);
        let same: Vec<bool> = same.map(|(a, b)| Arc::ptr_eq(a, b)).collect();
        assert_eq!(same, [false, true, false]);
        let whole = unwrapped(&Unwrapped::default(), &edited);
        assert_eq!(after.last().unwrap().text, whole.last().unwrap().text);
        // What does not parse is that call alone.
        let [first, _, third] = &after.calls[..] else {
            panic!("three calls")
        };
        assert!(first.items.is_some() && first.inner[0].items.is_none() && third.items.is_some());
    }

    #[test]
    fn calls_are_found_where_items_can_stand() {
        let text = "a! {}\nb!(x);\nc::d! /* { */ { fn x() {} }\n// e! {}\nmacro_rules! f { () => {} }\n\
                    fn g() { h! { } }\nimpl I { j! { } fn k(&self) { l! { } } }\nmod m { n!\n{ o! { } } }\n\
                    trait P { q! { } }\nextern \"C\" { r! { } }\n#[s] t! { }\n";
        let parsed = Parsed::again(Language::Rust, text.to_owned(), None).unwrap();
        let found = calls(&parsed.tree, text);
        let written = |call: &ItemMacroCall<'_>| {
            let name = call.written(text).split('!').next().unwrap().to_owned();
            (name, call.in_list)
        };
        let found: Vec<(String, bool)> = found.iter().map(written).collect();
        let expected = [
            ("a", false),
            ("c::d", false),
            ("j", true),
            ("n", true),
            ("q", true),
            ("r", true),
            ("t", false),
        ];
        assert_eq!(
            found,
            expected.map(|(name, in_list)| (name.to_owned(), in_list))
        );
    }

    #[test]
    fn calls_in_calls_are_followed_to_some_depth() {
        let wrap = |inner: String, n| format!("m{n}! {{ fn b() {{}} {inner} }}");
        let nested = (0..9).fold("fn a() {}".to_owned(), wrap);
        let last = unwrapped(&Unwrapped::default(), &nested).last;
        assert_eq!(last.unwrap().text.matches('!').count(), 9 - DEPTH);
    }
}
