//! `*` of C#'s pointers where the grammar knows none: it reads `*a`, `*a.b` and `*a[0]`, but neither `*(a + 1)` nor
//! `*a++`.
//!
//! The sign goes, and what it stands before is left: that has the names. Where something is assigned to it, which
//! only a variable can take, `+` stands for the `=`.

use std::borrow::Cow;
use std::ops::Range;

use super::tokens::{CSharpToken, CSharpWord, tokens};

/// Whether a text may have such signs.
pub(super) fn may_have(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), WORD.as_bytes()).is_some()
}

/// What code with pointers stands in.
pub(super) const WORD: &str = "unsafe";

/// Whether a word decides about what stands behind it.
pub(super) fn decides(word: &str) -> bool {
    word == WORD || is_before_operand(word)
}

/// A text without them.
pub(super) fn without(text: Cow<'_, str>) -> Cow<'_, str> {
    if !may_have(&text) {
        return text;
    }
    let tokens = tokens(&text);
    let scan = PointerScan {
        text: &text,
        tokens: &tokens,
    };
    let mut signs: Vec<(usize, &str)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if scan.word(at) != "*" || !scan.is_before(at) {
            continue;
        }
        if let Some(end) = scan.unread(at + 1) {
            signs.push((token.range.start, " "));
            signs.extend(scan.address(at + 1));
            signs.extend(scan.assigned(end));
        }
    }
    if signs.is_empty() {
        return text;
    }
    let mut out = text.clone().into_owned();
    for (at, sign) in signs {
        out.replace_range(at..=at, sign);
    }
    Cow::Owned(out)
}

struct PointerScan<'t> {
    text: &'t str,
    tokens: &'t [CSharpToken],
}

impl<'t> PointerScan<'t> {
    fn word(&self, at: usize) -> &'t str {
        self.tokens
            .get(at)
            .filter(|token| token.word == CSharpWord::Code)
            .map_or("", |token| &self.text[token.range.clone()])
    }

    /// Whether two signs here are one, as in `++`.
    fn is_pair(&self, at: usize) -> bool {
        let range = |at: usize| self.tokens.get(at).map(|token| token.range.clone());
        let ends: Option<Range<usize>> = range(at).zip(range(at + 1)).map(|(a, b)| a.end..b.start);
        matches!(self.word(at), "+" | "-")
            && self.word(at) == self.word(at + 1)
            && ends.is_some_and(|gap| gap.is_empty())
    }

    /// Whether a sign stands before an operand, not between two.
    fn is_before(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        match self.word(before) {
            "(" | "[" | "{" | "}" | ";" | "," | "=" | "<" | "&" | "|" | "^" | "!" | "~" | "/"
            | "%" | "?" | ":" | "=>" | "??" => true,
            // `a++ * b`
            "+" | "-" => {
                let is_behind = |first: usize| first > 0 && self.is_operand_end(first - 1);
                let pair = before.checked_sub(1).filter(|first| self.is_pair(*first));
                !pair.is_some_and(is_behind)
            }
            word => is_before_operand(word),
        }
    }

    fn is_operand_end(&self, at: usize) -> bool {
        let word = self.word(at);
        matches!(word, ")" | "]") || is_named(word) && !is_before_operand(word)
    }

    /// The end of an operand that the grammar does not take behind `*`.
    fn unread(&self, from: usize) -> Option<usize> {
        let mut at = from;
        let mut is_unread = false;
        if self.is_pair(at) {
            (at, is_unread) = (at + 2, true);
        }
        // Casts, and what is in parentheses.
        while self.word(at) == "(" {
            at = self.past(at)?;
            is_unread = true;
            at += usize::from(self.is_address(at));
            let next = self.word(at);
            if next != "(" && (!is_named(next) || is_before_operand(next)) {
                return Some(self.behind(at).0);
            }
        }
        if !is_named(self.word(at)) {
            return None;
        }
        let (end, is_stepped) = self.behind(at + 1);
        (is_unread || is_stepped).then_some(end)
    }

    /// Whether the address of something is cast here: `(int*)&a`.
    fn is_address(&self, at: usize) -> bool {
        self.word(at) == "&" && at > 1 && self.word(at - 1) == ")" && self.word(at - 2) == "*"
    }

    /// The `&` behind casts, which goes with the sign before them.
    fn address(&self, mut at: usize) -> Option<(usize, &'static str)> {
        while self.word(at) == "(" {
            at = self.past(at)?;
        }
        let sign = self.tokens.get(at).filter(|_| self.is_address(at))?;
        Some((sign.range.start, " "))
    }

    /// The end of what follows an operand, and whether that steps on.
    fn behind(&self, mut at: usize) -> (usize, bool) {
        loop {
            match self.word(at) {
                "(" | "[" => match self.past(at) {
                    Some(end) => at = end,
                    None => return (at, false),
                },
                "." if is_named(self.word(at + 1)) => at += 2,
                "-" if self.word(at + 1) == ">" && is_named(self.word(at + 2)) => at += 3,
                "+" | "-" if self.is_pair(at) => return (at + 2, true),
                _ => return (at, false),
            }
        }
    }

    /// Behind the bracket that closes the one here.
    fn past(&self, from: usize) -> Option<usize> {
        const MAX: usize = 1_000;
        let mut depth = 0_usize;
        for at in from..self.tokens.len().min(from + MAX) {
            match self.word(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.checked_sub(1)?,
                ";" | "{" | "}" => return None,
                _ => {}
            }
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// What to put for the sign that assigns to what ends before a token.
    fn assigned(&self, end: usize) -> Option<(usize, &'static str)> {
        let signs = [self.word(end), self.word(end + 1), self.word(end + 2)];
        let (at, put) = match signs {
            ["=", next, _] if next != "=" => (end, "+"),
            ["+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", "=", next] if next != "=" => {
                (end + 1, " ")
            }
            _ => return None,
        };
        Some((self.tokens.get(at)?.range.start, put))
    }
}

fn is_named(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphanumeric() || first == '_' || first == '@')
}

fn is_before_operand(word: &str) -> bool {
    matches!(
        word,
        "return" | "else" | "case" | "in" | "do" | "throw" | "await" | "when" | "is" | "as"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: &str, expected: &str) {
        let text = format!("unsafe {code}");
        let out = without(Cow::Borrowed(&text)).into_owned();
        assert_eq!(out.len(), text.len());
        let words: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(words.join(" "), format!("unsafe {expected}"));
    }

    #[test]
    fn what_is_pointed_at_by_an_expression_is_that_expression() {
        check("a = *p++;", "a = p++;");
        check(
            "if (a && *(p + 1) == '?') b();",
            "if (a && (p + 1) == '?') b();",
        );
        check(
            "a = b * c + *(p - 1) + d++ * (e);",
            "a = b * c + (p - 1) + d++ * (e);",
        );
        check("return *(int*)p;", "return (int*)p;");
        check("a = *--p;", "a = --p;");
    }

    #[test]
    fn what_is_assigned_through_it_is_added() {
        check("; *p++ = (byte) ' ';", "; p++ + (byte) ' ';");
        check("{ *(p + 1) |= a; }", "{ (p + 1) | a; }");
        check("{ *p++ = *q++;", "{ p++ + q++;");
    }

    #[test]
    fn what_the_address_of_a_variable_is_cast_to_is_the_variable() {
        check("; *(uint*)&n = 1;", "; (uint*) n + 1;");
        check("a = *(int*)&b.c;", "a = (int*) b.c;");
        check("a = *(p) & b;", "a = (p) & b;");
    }

    #[test]
    fn products_and_plain_pointers_stay() {
        for text in [
            "a = b * (c + 1);",
            "byte* p = q; void M (byte** r) { }",
            "a(); *p = 1; *p.a = *q[1];",
            "a = b++ * (c);",
            "a (b) * (c);",
        ] {
            check(text, text);
        }
    }
}
