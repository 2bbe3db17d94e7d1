//! What Go says since 1.26 and its grammar cannot read: methods with type parameters, `new` of a value.
//!
//! ```text
//! func (s *Set[T]) Map[U any](f func(T) U) []U     func (s *Set[T]) Map(U any, f func(T) U) []U
//! p := new(Item{Weight: 1})                        p := _ew(Item{Weight: 1})
//! ```
//!
//! Type parameters of a method are shown as its first parameters; binding tells them apart by the bracket that is written.
//! A `new` that takes a value is shown as a call of another function, whose argument is read as an expression.

use std::ops::Range;

use super::blank::lines_around;

/// Heads of methods and arguments of `new` are looked through up to this many bytes.
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
    let mut edits = Vec::new();
    let bytes = text.as_bytes();
    for at in memchr::memmem::find_iter(&bytes[within.clone()], b"func (") {
        let at = within.start + at;
        if at == 0 || bytes[at - 1] == b'\n' {
            method(bytes, at + "func ".len(), &mut edits);
        }
    }
    for at in memchr::memmem::find_iter(&bytes[within.clone()], b"new(") {
        let at = within.start + at;
        let is_word = at == 0 || !is_word_byte(bytes[at - 1]) && bytes[at - 1] != b'.';
        if is_word && takes_value(bytes, at + "new".len()) {
            edits.push((at, b'_'));
        }
    }
    edits
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The type parameters of a method whose receiver opens here.
fn method(bytes: &[u8], receiver: usize, edits: &mut Vec<(usize, u8)>) {
    let Some(end) = closing(bytes, receiver) else {
        return;
    };
    let mut at = end + 1;
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    while bytes.get(at).is_some_and(|byte| is_word_byte(*byte)) {
        at += 1;
    }
    let open = at;
    if bytes.get(open) != Some(&b'[') {
        return;
    }
    let Some(close) = closing(bytes, open) else {
        return;
    };
    if bytes.get(close + 1) != Some(&b'(') {
        return;
    }
    edits.extend([(open, b'('), (close, b','), (close + 1, b' ')]);
    // Of several types that a constraint allows the first one is shown: a parameter has one.
    let mut is_further = false;
    for (index, byte) in bytes.iter().enumerate().take(close).skip(open + 1) {
        match byte {
            b',' => is_further = false,
            b'|' => is_further = true,
            b'~' => edits.push((index, b' ')),
            _ => {}
        }
        if is_further && byte.is_ascii() && !byte.is_ascii_whitespace() {
            edits.push((index, b' '));
        }
    }
}

/// Whether what stands in brackets that open here is a value for sure, and no type.
fn takes_value(bytes: &[u8], open: usize) -> bool {
    let Some(close) = closing(bytes, open) else {
        return false;
    };
    let Some(written) = bytes.get(open + 1..close) else {
        return false;
    };
    let written = written.trim_ascii();
    let word = written
        .iter()
        .take_while(|byte| is_word_byte(**byte))
        .count();
    match (&written[..word], written.get(word)) {
        (b"struct" | b"interface" | b"chan" | b"func", _) => return false,
        ([b'0'..=b'9', ..], _) => return true,
        (b"", Some(b'"' | b'`' | b'\'' | b'&' | b'-' | b'+' | b'!' | b'^')) => return true,
        _ => {}
    }
    let mut depth = 0_usize;
    for byte in written.iter().skip(usize::from(written.starts_with(b"*"))) {
        match byte {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'{' | b'(' if depth == 0 => return true,
            b'+' | b'-' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'=' | b'!'
                if depth == 0 && written.first() != Some(&b'<') =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// Where the bracket is closed that opens at a byte.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    let end = bytes.len().min(open + LONGEST);
    while at < end {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            quote @ (b'"' | b'\'' | b'`') => at = text_end(&bytes[..end], at, quote)?,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += memchr::memchr(b'\n', &bytes[at..end])?;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The quote that ends a text that begins at a byte.
fn text_end(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' if quote != b'`' => at += 1,
            byte if *byte == quote => return Some(at),
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

    fn is_read(text: &str) {
        let text = format!("package a\n\n{text}\n");
        let shown = preprocess(&text);
        let shown = shown.as_deref().unwrap_or(&text);
        assert_eq!(shown.len(), text.len());
        let tree = parse(Language::Go, shown, None).unwrap();
        let root = tree.root_node();
        assert!(!root.has_error(), "{shown}\n{}", root.to_sexp());
    }

    #[test]
    fn generic_methods_are_read() {
        is_read("func (s *Set[T]) Map[U any](f func(T) U) []U { return nil }");
        is_read(
            "func (Set[T]) Zip[K comparable, V ~int | string]() (K, V) {\n\treturn nil, nil\n}",
        );
        is_read("func (s S) To[U interface{ ~int }](\n\tu U,\n) {}");
    }

    #[test]
    fn new_of_a_value_is_read() {
        for value in [
            "Item{W: 1}",
            "[]int{1, 2}",
            "f(1)",
            "1",
            "\"a)\"",
            "a + b",
            "-x",
            "&y",
            "a.B{}",
            "m[1] * 2 - 1",
        ] {
            is_read(&format!("var p = new({value})"));
        }
    }

    #[test]
    fn types_stay_as_they_are() {
        for text in [
            "var p = new(int)\n",
            "var p = new(struct{ a int })\n",
            "var p = new(a.B[int, map[string]struct{}])\n",
            "var p = new(<-chan int)\n",
            "var p = new(func(a int) (b int))\n",
            "var p = new(*T)\n",
            "var p = renew(1) + a.new(1)\n",
            "func (s S) Map(f func([]int) int) {}\n",
            "func (s S) Half[",
        ] {
            assert_eq!(preprocess(text), None, "{text}");
        }
    }
}
