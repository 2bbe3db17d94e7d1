//! Tokens that mean the same however they are written.

use std::borrow::Cow;

use super::regions::Region;

/// A comma of which it is not known whether anything follows.
pub(super) struct Comma {
    /// Number of regions around it.
    pub(super) frames: usize,
    pub(super) region: Region,
}

/// What separates members and says nothing itself.
pub(super) fn is_punctuation(token: &str) -> bool {
    matches!(token, "{" | "}" | "(" | ")" | ";" | ",")
}

/// A string without regard to which quotes it is in.
pub(super) struct Unquoted<'t> {
    pub(super) text: Cow<'t, str>,
    pub(super) is_single: bool,
}

/// Reads a string literal, a prefix of letters included; `None` for other texts.
pub(super) fn unquoted(text: &str) -> Option<Unquoted<'_>> {
    let at = text.find(['"', '\''])?;
    if !text[..at].bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let quote = &text[at..=at];
    let triple = quote.repeat(3);
    let (quotes, body) = match text[at..].strip_prefix(triple.as_str()) {
        Some(rest) if rest.len() >= 3 => (3, rest.strip_suffix(triple.as_str())?),
        _ => (1, text[at + 1..].strip_suffix(quote)?),
    };
    let body = body.replace("\\\"", "\"").replace("\\'", "'");
    Some(Unquoted {
        text: Cow::Owned(format!("{}{quotes}\"{body}\"", &text[..at])),
        is_single: quote == "'",
    })
}

#[cfg(test)]
mod tests {
    use super::unquoted;

    #[test]
    fn quotes_do_not_count() {
        let same = |a: &str, b: &str| {
            let read = |text| unquoted(text).map(|read| read.text.into_owned());
            read(a).is_some() && read(a) == read(b)
        };
        assert!(same("'a'", "\"a\"") && same(r#"'a"b'"#, r#""a\"b""#));
        assert!(same("f'''a'''", "f\"\"\"a\"\"\"") && !same("'a'", "'''a'''"));
        assert!(!same("f'a'", "'a'") && !same("'a '", "'a'"));
        assert!(unquoted("`a`").is_none() && unquoted("'").is_none() && unquoted("a").is_none());
    }
}
