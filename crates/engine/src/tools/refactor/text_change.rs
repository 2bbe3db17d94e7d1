//! The one part in which two texts differ, as an editor's change.

use codecortex_protocol::{Position, TextChange};
use codecortex_text::TextDocument;

/// What makes `after` of a text; none where they are the same. Its ends are between characters and not within a line end.
pub(super) fn changed_part(before: &TextDocument, after: &str) -> Option<TextChange> {
    let text = before.text();
    if text == after {
        return None;
    }
    let first = text.bytes().zip(after.bytes());
    let mut start = first.take_while(|(a, b)| a == b).count();
    let most = text.len().min(after.len()) - start;
    let last = text.bytes().rev().zip(after.bytes().rev()).take(most);
    let mut tail = last.take_while(|(a, b)| a == b).count();
    while !is_boundary(&text, start) || !is_boundary(after, start) {
        start -= 1;
    }
    while !is_boundary(&text, text.len() - tail) || !is_boundary(after, after.len() - tail) {
        tail -= 1;
    }
    let position = |byte: usize| {
        let at = before.position(byte);
        Position {
            line: at.line,
            character: at.character,
        }
    };
    Some(TextChange {
        start: position(start),
        end: position(text.len() - tail),
        text: after[start..after.len() - tail].to_owned(),
    })
}

/// Whether a change may begin or end there. The ends of a text always are such places.
fn is_boundary(text: &str, at: usize) -> bool {
    let parts = text.split_at_checked(at);
    parts.is_some_and(|(before, rest)| !(before.ends_with('\r') && rest.starts_with('\n')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_makes_one_text_of_another() {
        for (before, after) in [
            ("a\nb\nc\n", "a\nx\nc\n"),
            ("a\r\nb", "a\nb"),
            ("a\nb", "a\r\nb"),
            ("a\r\n\r\nb", "a\r\nb"),
            ("\u{e4}\u{f6}", "\u{e4}\u{fc}"),
            ("", "x"),
            ("xx", "x"),
            ("aba", "ababa"),
        ] {
            let document = TextDocument::new(before);
            let change = changed_part(&document, after).unwrap();
            let byte = |place: Position| {
                let mut bytes = 0..=before.len();
                let is_it = |byte: &usize| {
                    before.is_char_boundary(*byte) && {
                        let at = document.position(*byte);
                        (at.line, at.character) == (place.line, place.character)
                    }
                };
                bytes.find(is_it).unwrap()
            };
            let (start, end) = (byte(change.start), byte(change.end));
            let made = format!("{}{}{}", &before[..start], change.text, &before[end..]);
            assert_eq!(made, after, "{before:?}");
        }
        assert_eq!(changed_part(&TextDocument::new("a"), "a"), None);
    }
}
