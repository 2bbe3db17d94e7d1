//! What Python says and its grammar cannot read: defaults of type parameters (PEP 696).
//!
//! ```text
//! class Box[T: Base = Base, *Ts = *tuple[int]]: ...
//! ```
//!
//! A default is read as the bound of a parameter that has none, and as another bound of one that has one: `:` or `|` in
//! the place of `=` keeps every offset, and the names in it are uses of types.

use std::ops::Range;

use super::blank::lines_around;

/// Type parameters of one declaration are looked through up to this many bytes.
const LONGEST: usize = 4096;

/// `text` as its grammar reads it, if that is not as it is: as long, with the same offsets.
pub(super) fn preprocess(text: &str) -> Option<String> {
    let defaults: Vec<(usize, u8)> = defaults(text, 0..text.len());
    if defaults.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, sign) in defaults {
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
    defaults(text, start..lines.end).is_empty()
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
    fn what_only_looks_like_one_is_left() {
        for text in [
            "a[b] = c\nx: dict[str, int] = {}\n",
            "def f(a=b[c], d=1): ...\nclass A(B[c], metaclass=M): ...\n",
            "type = a[b == c]\ntype a[b\n",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
