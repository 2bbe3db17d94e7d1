//! Takes comments and empty lines out of declarations, save the first sentences of documentation.

/// Longer sentences are cut between words; bytes.
const MAX_SENTENCE: usize = 160;

/// The first sentence of documentation, in one line; empty where it says nothing.
pub(super) fn first_sentence(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let first = lines.skip_while(|line| line.is_empty()).take_while(|line| {
        !line.is_empty() && !line.starts_with(['@', '#']) && !line.starts_with("[MDN")
    });
    let paragraph = first.collect::<Vec<_>>().join(" ");
    let is_end = |(at, _): &(usize, &str)| {
        let before = paragraph.get(..*at).unwrap_or_default();
        let after = paragraph.get(at + 2..).unwrap_or_default();
        let is_short_form = ["e.g", "i.e", "etc", "vs", "cf"]
            .iter()
            .any(|form| before.ends_with(form));
        !is_short_form && after.chars().next().is_none_or(|next| !next.is_lowercase())
    };
    let end = paragraph
        .match_indices(". ")
        .find(is_end)
        .map_or(paragraph.len(), |(at, _)| at + 1);
    let sentence = paragraph.get(..end).unwrap_or_default().replace("*/", "");
    if sentence.len() <= MAX_SENTENCE {
        return sentence;
    }
    let cut = sentence
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|&at| at <= MAX_SENTENCE)
        .last();
    let head = sentence.get(..cut.unwrap_or(0)).unwrap_or_default();
    format!(
        "{} …",
        head.rsplit_once(' ').map_or(head, |(words, _)| words)
    )
}

/// The documentation of a `/** */` comment without its marks.
fn block_documentation(comment: &str) -> String {
    let inner = comment.trim_start_matches("/**").trim_end_matches("*/");
    let lines = inner
        .lines()
        .map(|line| line.trim().trim_start_matches('*').trim());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// How a language writes comments and strings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentStyle {
    /// `#` to the line's end; strings may have three quotes.
    Hash,
    /// `//` to the line's end and `/* */`. Of `/** */` the first sentence stays.
    Slashes,
}

/// A text without comments (save the documentation's first sentences), empty lines and blanks at the ends of lines. `/// <reference …>` is a directive and stays.
pub(super) fn without_comments(text: &str, style: CommentStyle) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let length = if let Some(length) = comment_length(rest, style) {
            let (comment, after) = rest.split_at(length);
            rest = after;
            if style == CommentStyle::Slashes && comment.starts_with("/**") {
                let sentence = first_sentence(&block_documentation(comment));
                if !sentence.is_empty() {
                    kept.extend(["/** ", &sentence, " */"]);
                }
            }
            continue;
        } else if matches!(character, '"' | '\'' | '`') {
            string_length(rest, character, style)
        } else if rest.starts_with("/// <reference") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            character.len_utf8()
        };
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    let lines = kept
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn comment_length(text: &str, style: CommentStyle) -> Option<usize> {
    let line = || Some(text.find('\n').unwrap_or(text.len()));
    match style {
        CommentStyle::Hash if text.starts_with('#') => line(),
        CommentStyle::Slashes if text.starts_with("/// <reference") => None,
        CommentStyle::Slashes if text.starts_with("//") => line(),
        CommentStyle::Slashes if text.starts_with("/*") => {
            Some(text[2..].find("*/").map_or(text.len(), |end| end + 4))
        }
        _ => None,
    }
}

fn string_length(text: &str, quote: char, style: CommentStyle) -> usize {
    let triple = quote.to_string().repeat(3);
    let ends = if style == CommentStyle::Hash && text.starts_with(&triple) {
        3
    } else {
        1
    };
    let end = &triple[..ends];
    let mut at = ends;
    while let Some(character) = text[at..].chars().next() {
        if text[at..].starts_with(end) {
            return at + ends;
        }
        at += character.len_utf8();
        if character == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_sentence_is_cut_between_words() {
        let sentence = first_sentence(&"wörd ".repeat(60));
        assert!(
            sentence.len() <= MAX_SENTENCE + 4 && sentence.ends_with("wörd …"),
            "{sentence}"
        );
        assert_eq!(first_sentence("\n\nOne\ntwo.\n\nThree."), "One two.");
        assert_eq!(first_sentence("@deprecated"), "");
    }

    #[test]
    fn comments_go_and_strings_stay() {
        let python = "x: str  # text\n\n# all\ny = \"#\" # more\nz = \"\"\"a\n# b\"\"\"\n";
        assert_eq!(
            without_comments(python, CommentStyle::Hash),
            "x: str\ny = \"#\"\nz = \"\"\"a\n# b\"\"\"\n"
        );
        let script = "\
/// <reference lib=\"dom\" />
/**
 * Says a, e.g. b. And
 * more.
 * @param a b
 */
/** [MDN Reference](x) */
type A = \"//\" | `/*${string}`; // b
";
        assert_eq!(
            without_comments(script, CommentStyle::Slashes),
            "\
/// <reference lib=\"dom\" />
/** Says a, e.g. b. */
type A = \"//\" | `/*${string}`;
"
        );
    }
}
