//! `&` in JSX: text between tags and in attributes, where the grammar knows it only as the beginning of `&amp;`.
//!
//! ```text
//! <a href="/p?a&b" title='1&'>R&D, Q & A</a>
//! ```
//!
//! Of any other `&` the grammar makes an error, and loses the rest of the element and often of the file. Another
//! character in its place keeps every offset. Which `&` are in JSX is found out in one pass over the tokens: of an
//! element that is not closed nothing is replaced.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// The character that stands in the place of `&`.
pub(super) const SHOWN: u8 = b'_';

/// Names of HTML's characters are as long at most.
const LONGEST_NAME: usize = 30;

/// What the pass is in.
enum JsxMode {
    /// Code, with as many braces open.
    Code(u32),
    /// A template's text.
    Template,
    /// A tag, behind its name.
    Tag,
    /// Between tags.
    Text,
}

/// Whether there may be an `&` to be replaced: one that begins no reference, in a text with elements.
fn may_have_ampersands(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut all = memchr::memchr_iter(b'&', bytes);
    all.any(|at| !is_reference(bytes, at)) && (text.contains("</") || text.contains("/>"))
}

/// Where the `&` are that are text of elements and begin no reference.
pub(super) fn ampersands(text: &str) -> Vec<usize> {
    if !may_have_ampersands(text) {
        return Vec::new();
    }
    let mut pass = JsxPass {
        bytes: text.as_bytes(),
        closings: last_closings(text),
        modes: vec![JsxMode::Code(0)],
        at: 0,
        // The byte of code before, blanks and comments apart.
        before: b';',
        before_at: 0,
        found: Vec::new(),
        open: Vec::new(),
    };
    while pass.at < pass.bytes.len() {
        pass.step();
    }
    pass.found
}

/// Whether a reference to a character begins here: `&amp;`, `&#38;`, `&#x26;`.
fn is_reference(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at + 1..];
    let run = |from: usize, most: usize, is_part: fn(&u8) -> bool| {
        let rest = rest.get(from..).unwrap_or_default();
        let length = rest
            .iter()
            .take(most + 1)
            .take_while(|of| is_part(of))
            .count();
        (1..=most).contains(&length) && rest.get(length) == Some(&b';')
    };
    match rest {
        [b'#', b'x' | b'X', ..] => run(2, 6, u8::is_ascii_hexdigit),
        [b'#', ..] => run(1, 5, u8::is_ascii_digit),
        _ => run(0, LONGEST_NAME, u8::is_ascii_alphabetic),
    }
}

/// Where each tag is closed for the last time, by its name.
fn last_closings(text: &str) -> FxHashMap<&str, usize> {
    let bytes = text.as_bytes();
    let closings = memchr::memmem::find_iter(bytes, "</");
    closings
        .map(|at| (&text[name_at(bytes, at + 2)], at))
        .collect()
}

/// The name that begins at a byte: `a`, `A.b`, `a-b`, `a:b`, or nothing.
fn name_at(bytes: &[u8], start: usize) -> Range<usize> {
    let rest = bytes.get(start..).unwrap_or_default();
    let is_part = |byte: &&u8| is_word(**byte) || matches!(byte, b'.' | b'-' | b':');
    let length = rest.iter().take_while(is_part).count();
    start..start + length
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii()
}

struct JsxPass<'t> {
    bytes: &'t [u8],
    closings: FxHashMap<&'t str, usize>,
    modes: Vec<JsxMode>,
    at: usize,
    before: u8,
    before_at: usize,
    found: Vec<usize>,
    /// Those of the outermost element that is open.
    open: Vec<usize>,
}

impl JsxPass<'_> {
    fn step(&mut self) {
        let byte = self.bytes[self.at]; // the caller is inside of the text
        match self.modes.last() {
            Some(JsxMode::Template) => self.template(byte),
            Some(JsxMode::Tag) => self.tag(byte),
            Some(JsxMode::Text) => self.text(byte),
            Some(JsxMode::Code(_)) | None => self.code(byte),
        }
    }

    fn next(&self) -> Option<u8> {
        self.bytes.get(self.at + 1).copied()
    }

    /// Goes on behind a byte of code, which is what stands before the next.
    fn pass(&mut self, byte: u8) {
        self.before = byte;
        self.before_at = self.at;
        self.at += 1;
    }

    fn code(&mut self, byte: u8) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
            b'/' if self.comment() => {}
            b'/' if self.is_value_expected() => self.regex(),
            b'"' | b'\'' => self.string(byte),
            b'`' => {
                self.modes.push(JsxMode::Template);
                self.at += 1;
            }
            b'{' => {
                if let Some(JsxMode::Code(depth)) = self.modes.last_mut() {
                    *depth += 1;
                }
                self.pass(byte);
            }
            b'}' => {
                let is_inner = self.modes.len() > 1;
                match self.modes.last_mut() {
                    Some(JsxMode::Code(depth)) if *depth > 0 => *depth -= 1,
                    // The end of `{…}` in an element or of `${…}`.
                    _ if is_inner => drop(self.modes.pop()),
                    _ => {}
                }
                self.pass(byte);
            }
            b'<' if self.is_value_expected() && self.begins_element() => self.element(),
            _ => self.pass(byte),
        }
    }

    /// Whether a value can stand here: behind an operator, an opening bracket or a word such as `return`.
    fn is_value_expected(&self) -> bool {
        const WORDS: [&str; 16] = [
            "return",
            "default",
            "case",
            "yield",
            "await",
            "typeof",
            "else",
            "do",
            "in",
            "of",
            "new",
            "void",
            "delete",
            "throw",
            "instanceof",
            "extends",
        ];
        match self.before {
            b')' | b']' | b'"' | b'\'' | b'`' => false,
            b'>' => self.before_at > 0 && self.bytes.get(self.before_at - 1) == Some(&b'='),
            before if is_word(before) => {
                let all = self.bytes.get(..=self.before_at).unwrap_or_default();
                let word = all.iter().rev().take(12).take_while(|of| is_word(**of));
                let start = all.len() - word.count();
                let is_member = start > 0 && all.get(start - 1) == Some(&b'.');
                let word = all.get(start..).unwrap_or_default();
                !is_member && WORDS.iter().any(|known| known.as_bytes() == word)
            }
            _ => true,
        }
    }

    /// Whether what begins with `<` is an element: one whose tag ends itself, or is closed later. Type parameters of
    /// an arrow function are none.
    fn begins_element(&self) -> bool {
        let name = name_at(self.bytes, self.at + 1);
        let is_fragment = name.is_empty();
        let behind = self.bytes.get(name.end..).unwrap_or_default();
        let next = behind.iter().find(|byte| !byte.is_ascii_whitespace());
        if is_fragment && next != Some(&b'>') || matches!(next, Some(b',' | b'=')) {
            return false;
        }
        if behind.trim_ascii_start().starts_with(b"extends ") {
            return false;
        }
        let Ok(text) = std::str::from_utf8(&self.bytes[name]) else {
            return false;
        };
        let is_closed = self.closings.get(text).is_some_and(|last| *last > self.at);
        is_closed || self.ends_itself()
    }

    /// Whether the tag that begins here ends with `/>`, by the first `>` that is in no braces or text.
    fn ends_itself(&self) -> bool {
        const LONGEST: usize = 16_384;
        let bytes = self.bytes.get(self.at..).unwrap_or_default();
        let bytes = &bytes[..bytes.len().min(LONGEST)];
        let (mut depth, mut quote) = (0_u32, None);
        for (index, byte) in bytes.iter().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == *byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'' | b'`') => quote = Some(*byte),
                (None, b'{') => depth += 1,
                (None, b'}') => depth = depth.saturating_sub(1),
                (None, b'>') if depth == 0 => return index > 0 && bytes[index - 1] == b'/',
                _ => {}
            }
        }
        false
    }

    fn element(&mut self) {
        let name = name_at(self.bytes, self.at + 1);
        self.at = name.end;
        self.modes.push(JsxMode::Tag);
        // Type arguments of a component.
        if self.bytes.get(self.at) == Some(&b'<') {
            let mut depth = 0_u32;
            while let Some(byte) = self.bytes.get(self.at) {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    b'{' | b'}' | b';' => break,
                    _ => {}
                }
                self.at += 1;
                if depth == 0 {
                    break;
                }
            }
        }
    }

    fn tag(&mut self, byte: u8) {
        match byte {
            b'/' if self.next() == Some(b'>') => {
                self.at += 2;
                self.leave();
            }
            b'/' if self.comment() => {}
            b'>' => {
                self.at += 1;
                self.modes.pop();
                self.modes.push(JsxMode::Text);
            }
            b'"' | b'\'' => {
                let start = self.at + 1;
                let rest = self.bytes.get(start..).unwrap_or_default();
                let length = memchr::memchr(byte, rest).unwrap_or(rest.len());
                for at in memchr::memchr_iter(b'&', &rest[..length]) {
                    self.add(start + at);
                }
                self.at = start + length + 1;
            }
            b'{' => self.hole(),
            b'<' => self.element(),
            _ => self.at += 1,
        }
    }

    fn text(&mut self, byte: u8) {
        match byte {
            b'<' if self.next() == Some(b'/') => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                self.at += memchr::memchr(b'>', rest).map_or(rest.len(), |end| end + 1);
                self.leave();
            }
            b'<' => self.element(),
            b'{' => self.hole(),
            b'&' => {
                self.add(self.at);
                self.at += 1;
            }
            _ => self.at += 1,
        }
    }

    /// `{…}` in an element.
    fn hole(&mut self) {
        self.modes.push(JsxMode::Code(0));
        self.pass(b'{');
    }

    /// The end of an element. Where it is the outermost one, what was found in it counts.
    fn leave(&mut self) {
        self.modes.pop();
        self.before = b')';
        if self.modes.len() == 1 {
            self.found.append(&mut self.open);
        }
    }

    fn add(&mut self, at: usize) {
        if !is_reference(self.bytes, at) {
            self.open.push(at);
        }
    }

    fn template(&mut self, byte: u8) {
        match byte {
            b'\\' => self.at += 2,
            b'`' => {
                self.modes.pop();
                self.pass(byte);
            }
            b'$' if self.next() == Some(b'{') => {
                self.at += 1;
                self.hole();
            }
            _ => self.at += 1,
        }
    }

    /// Goes behind a comment, if one begins here.
    fn comment(&mut self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = match self.next() {
            Some(b'/') => memchr::memchr(b'\n', rest),
            Some(b'*') => memchr::memmem::find(&rest[2..], b"*/").map(|end| end + 4),
            _ => return false,
        };
        self.at += length.unwrap_or(rest.len());
        true
    }

    /// Goes behind a text, which ends with its line at the latest.
    fn string(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                b'\n' => break,
                byte if *byte == quote => break,
                _ => {}
            }
            self.at += 1;
        }
        self.pass(quote);
    }

    /// Goes behind a regular expression; what does not end on its line is none.
    fn regex(&mut self) {
        let mut is_class = false;
        let mut end = self.at + 1;
        while let Some(byte) = self.bytes.get(end) {
            match byte {
                b'\\' => end += 1,
                b'\n' => break,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => {
                    self.at = end;
                    return self.pass(b')');
                }
                _ => {}
            }
            end += 1;
        }
        self.pass(b'/');
    }
}

#[cfg(test)]
mod tests {
    use super::ampersands;

    /// The text with what stands for `&` in it.
    fn shown(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for at in ampersands(text) {
            assert_eq!(bytes[at], b'&');
            bytes[at] = super::SHOWN;
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn text_of_elements_has_none() {
        for (text, wanted) in [
            (
                "const a = <a href=\"?a&b\" b='1&'>R&D, Q & A && &copy 1 &#x; &c</a>;",
                "const a = <a href=\"?a_b\" b='1_'>R_D, Q _ A __ _copy 1 _#x; _c</a>;",
            ),
            (
                "return <><B<A & C> c={d & e && <i>f&g</i>} />h&i{j & k}</>;",
                "return <><B<A & C> c={d & e && <i>f_g</i>} />h_i{j & k}</>;",
            ),
            (
                "f(x => <A.b-c d={`&${<e>&</e>}&`} f=<g h=\"&\"/>>{/* & */}</A.b-c>)",
                "f(x => <A.b-c d={`&${<e>_</e>}&`} f=<g h=\"_\"/>>{/* & */}</A.b-c>)",
            ),
        ] {
            assert_eq!(shown(text), wanted);
        }
    }

    #[test]
    fn what_is_no_text_of_an_element_stays() {
        for text in [
            "const a = b & c, d = e<f & g> / h; const i = <j>&amp; &#38; &#x26;</j>;",
            "type F = <T>(a: T & U) => A & B; const g = <T,>(a: A & B) => a; const h = <T extends A & B>(a: T) => <b/>;",
            "const a = '<b>&c</b>', d = /<e>&f<\\/e>/, g = `<h>&i</h>`; // <j>&k</j>\nconst l = <m/>",
            "const a = b < c && d > e & f; const g = <h>open & not closed",
            "if (a) /[/<b>]&/.test(c & d); <e></e>",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn half_of_a_program_is_passed() {
        let text = "const a = <b c=\"&d\" e={`${f & <g>h&i{j}</g>}`}>k & l</b>, m = <n>&</n>";
        for end in 0..=text.len() {
            let _ = shown(&text[..end]);
            let _ = shown(&text[end..]);
        }
    }
}
