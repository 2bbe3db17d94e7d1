//! Tokens that mean the same however they are written.

use super::region::Region;

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
pub(super) struct Unquoted {
    pub(super) text: String,
    pub(super) is_single: bool,
}

/// Reads a string literal, a prefix of letters included; `None` for other texts.
pub(super) fn unquoted(text: &str) -> Option<Unquoted> {
    let at = text.find(['"', '\''])?;
    if !text[..at].bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let (prefix, rest) = text.split_at(at);
    let quote = &rest[..1];
    let is_single = quote == "'";
    let triple = if is_single { "'''" } else { "\"\"\"" };
    let (quotes, body) = match rest.strip_prefix(triple) {
        Some(rest) if rest.len() >= 3 => ("3", rest.strip_suffix(triple)?),
        _ => ("1", rest[1..].strip_suffix(quote)?),
    };
    let mut text = String::with_capacity(text.len() + 2);
    text.extend([prefix, quotes, "\""]);
    // An escaped quote is one where no other would end the string.
    let mut parts = body.split_inclusive('\\').peekable();
    while let Some(part) = parts.next() {
        let is_escape = part.ends_with('\\')
            && parts
                .peek()
                .is_some_and(|next| next.starts_with(['"', '\'']));
        text.push_str(if is_escape {
            &part[..part.len() - 1]
        } else {
            part
        });
    }
    text.push('"');
    Some(Unquoted { text, is_single })
}

#[cfg(test)]
mod tests {
    use super::unquoted;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn escapes_of_quotes_are_left_out(body in "[a\\\\\"']{0,12}", quote in "['\"]") {
            let text = format!("f{quote}{body}{quote}");
            prop_assume!(!body.starts_with(&*quote.repeat(2)) && !text.ends_with(&*quote.repeat(3)));
            let plain = body.replace("\\\"", "\"").replace("\\'", "'");
            prop_assert_eq!(unquoted(&text).unwrap().text, format!("f1\"{plain}\""));
        }
    }

    #[test]
    fn quotes_do_not_count() {
        let same = |a: &str, b: &str| {
            let read = |text| unquoted(text).map(|read| read.text);
            read(a).is_some() && read(a) == read(b)
        };
        assert!(same("'a'", "\"a\"") && same(r#"'a"b'"#, r#""a\"b""#));
        assert!(same("f'''a'''", "f\"\"\"a\"\"\"") && !same("'a'", "'''a'''"));
        assert!(!same("f'a'", "'a'") && !same("'a '", "'a'"));
        assert!(unquoted("`a`").is_none() && unquoted("'").is_none() && unquoted("a").is_none());
    }
}
