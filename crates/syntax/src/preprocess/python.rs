//! What Python says and its grammar cannot read: defaults of type parameters (PEP 696), lazy imports (PEP 810), and
//! unpacking in comprehensions (PEP 798).
//!
//! ```text
//! class Box[T: Base = Base, *Ts = *tuple[int]]: ...
//! lazy from a import b
//! every = [*group for group in groups]
//! ```
//!
//! The word `lazy` and the stars are blanked out; binding reads the stars in the text as it is written. A default is read as the bound of a parameter that has none, and as another bound of one that has one: `:` or `|` in
//! the place of `=` keeps every offset, and the names in it are uses of types.

use std::ops::Range;

use super::blank::lines_around;

/// Type parameters of one declaration are looked through up to this many bytes.
const LONGEST: usize = 4096;

/// `text` as its grammar reads it, if that is not as it is: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let edits = edits(text, 0..text.len());
    if edits.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, sign) in edits {
        *bytes.get_mut(at)? = sign;
    }
    // Only characters of one byte were replaced.
    String::from_utf8(bytes).ok()
}

/// Whether a text needs nothing, as it did before an edit brought some bytes.
pub(super) fn stays_as_written(text: &str, new: Range<usize>) -> bool {
    let lines = lines_around(text, new);
    let mut start = lines.start.saturating_sub(LONGEST);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    edits(text, start..lines.end).is_empty()
}

/// The bytes that the grammar reads otherwise, of what begins within some bytes.
fn edits(text: &str, within: Range<usize>) -> Vec<(usize, u8)> {
    let mut edits = defaults(text, within.clone());
    let bytes = text.as_bytes();
    for at in memchr::memmem::find_iter(&bytes[within.clone()], b"lazy ") {
        if begins_lazy_import(text, within.start + at) {
            edits.extend((0..b"lazy".len()).map(|byte| (within.start + at + byte, b' ')));
        }
    }
    for at in memchr::memchr_iter(b'*', &bytes[within.clone()]) {
        let at = within.start + at;
        let is_second = at > 0 && bytes[at - 1] == b'*';
        if !is_second && begins_comprehension(bytes, at) {
            edits.push((at, b' '));
            if bytes.get(at + 1) == Some(&b'*') {
                edits.push((at + 1, b' '));
            }
        }
    }
    edits
}

/// Whether a statement `lazy import …` or `lazy from …` begins at a byte.
fn begins_lazy_import(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = text[line..at].trim_end();
    let behind = text[at + "lazy ".len()..].trim_start_matches([' ', '\t']);
    let is_import = |word: &str| {
        let rest = behind.strip_prefix(word);
        rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
    };
    (before.is_empty() || before.ends_with(';')) && (is_import("import") || is_import("from"))
}

/// Whether the star at a byte unpacks the element of a comprehension: it stands behind an opening bracket, and a `for`
/// before any comma.
fn begins_comprehension(bytes: &[u8], star: usize) -> bool {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let before = bytes[..star].iter().rposition(|byte| !is_blank(byte));
    if !before.is_some_and(|at| matches!(bytes[at], b'[' | b'(' | b'{')) {
        return false;
    }
    let end = bytes.len().min(star + LONGEST);
    let (mut depth, mut at) = (0_usize, star);
    while at < end {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return false,
            b')' | b']' | b'}' => depth -= 1,
            b',' | b'=' | b':' if depth == 0 => return false,
            b'"' | b'\'' => match memchr::memchr(bytes[at], &bytes[at + 1..end]) {
                Some(quote) => at += 1 + quote,
                None => return false,
            },
            b'f' if depth == 0
                && bytes[at..end].starts_with(b"for")
                && bytes.get(at + 3).is_some_and(is_blank)
                && is_blank(&bytes[at - 1]) =>
            {
                return true;
            }
            _ => {}
        }
        at += 1;
    }
    false
}

/// The signs before defaults of type parameters of declarations that begin in some bytes, and what the grammar reads in
/// their place.
fn defaults(text: &str, within: Range<usize>) -> Vec<(usize, u8)> {
    let mut found = Vec::new();
    for open in memchr::memchr_iter(b'[', &text.as_bytes()[within.clone()]) {
        let open = within.start + open;
        if is_declared(&text[..open]) {
            defaults_in(&text.as_bytes()[open..], open, &mut found);
        }
    }
    found
}

/// Whether a line so far is the head of a declaration up to its name.
fn is_declared(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    let line = line.strip_prefix("async ").unwrap_or(line).trim_start();
    let mut words = line.split_whitespace();
    let is_such = matches!(words.next(), Some("class" | "def" | "type"));
    let is_name = |name: &str| {
        name.chars()
            .all(|char| char.is_alphanumeric() || char == '_')
    };
    is_such && words.next().is_some_and(is_name) && words.next().is_none()
}

fn defaults_in(bytes: &[u8], start: usize, found: &mut Vec<(usize, u8)>) {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let mut depth = 0_usize;
    let mut is_bound = false;
    let mut known = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' if depth == 1 => {
                found.append(&mut known);
                return;
            }
            b']' | b')' | b'}' => depth -= 1,
            b',' if depth == 1 => is_bound = false,
            b':' if depth == 1 => is_bound = true,
            b'=' if depth == 1 => {
                known.push((start + at, if is_bound { b'|' } else { b':' }));
                is_bound = true;
            }
            b'#' => {
                let end = memchr::memchr(b'\n', &bytes[at..]);
                at += end.unwrap_or(bytes.len() - at);
            }
            b'"' | b'\'' => {
                let Some(end) = memchr::memchr(*byte, &bytes[at + 1..]) else {
                    return;
                };
                at += 1 + end;
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::preprocess;
    use crate::Language;
    use crate::parse::parse;

    #[test]
    fn defaults_are_bounds_to_the_grammar() {
        let text = "class A[T: B = B]:\n    async def f[U = B](self): ...\ntype P[\n    A, B = 'B',  # one\n    *Ts = *tuple[int], **R = [int]\n] = tuple[A, B]\n";
        let shown = "class A[T: B | B]:\n    async def f[U : B](self): ...\ntype P[\n    A, B : 'B',  # one\n    *Ts : *tuple[int], **R : [int]\n] = tuple[A, B]\n";
        assert_eq!(preprocess(text).as_deref(), Some(shown));
        let tree = parse(Language::Python, shown, None).unwrap();
        assert!(
            !tree.root_node().has_error(),
            "{}",
            tree.root_node().to_sexp()
        );
    }

    #[test]
    fn lazy_imports_and_unpacking_are_read() {
        let text = "lazy import a\nif b:\n    pass; lazy from .c import (d,\n        e)\nx = [*g for g in h]\ny = {**d for d in (*e, f)}\nz = f(*g(1, 2) for g in h)\n";
        let shown = preprocess(text).unwrap();
        assert_eq!(shown.len(), text.len());
        let tree = parse(Language::Python, &shown, None).unwrap();
        assert!(!tree.root_node().has_error(), "{shown}");
        assert!(shown.contains("[ g for g"), "{shown}");
        assert!(shown.contains("{  d for d in (*e"), "{shown}");
    }

    #[test]
    fn what_only_looks_like_one_is_left() {
        for text in [
            "lazy = 1\nlazy (a)\nx = lazy \\\n + 1\n",
            "f(*a, *[b for b in c])\n[*a, *b]\n{**a, **b}\nf(*a)\ndef f(*args, **more): ...\n",
            "x = [a * b for a in c]\ny = {**a}\nlambda *a: [b for b in a]\n",
            "a[b] = c\nx: dict[str, int] = {}\n",
            "def f(a=b[c], d=1): ...\nclass A(B[c], metaclass=M): ...\n",
            "type = a[b == c]\ntype a[b\n",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
