//! A patch as it is read: without the colours that a terminal was meant to show, and with plain ends of lines.

use std::borrow::Cow;

/// Beginnings of lines that only a patch has.
const HEADS: [&str; 3] = ["diff --git ", "--- ", "@@ "];

/// The text of a patch without colours where its heads have them, and without `\r` where each line ends with one.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text.strip_prefix('\u{feff}').unwrap_or(text));
    let is_coloured = |line: &str| {
        line.starts_with('\u{1b}')
            && HEADS
                .iter()
                .any(|head| without_colours(line).starts_with(head))
    };
    if text.lines().any(is_coloured) {
        text = Cow::Owned(without_colours(&text));
    }
    // Of a file with such ends its own lines have them, and the heads have not.
    let is_head = |line: &&str| HEADS.iter().any(|head| line.starts_with(head));
    let mut heads = text.split('\n').filter(is_head).peekable();
    if heads.peek().is_some() && heads.all(|line| line.ends_with('\r')) {
        text = Cow::Owned(text.replace("\r\n", "\n"));
    }
    text
}

/// A text without what tells a terminal of colours: `ESC [`, digits and `;`, `m` or `K`.
fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, code) = rest.split_at(at);
        out.push_str(before);
        let code = code.strip_prefix("\u{1b}[").unwrap_or(code);
        let after = code.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match after.strip_prefix(['m', 'K']) {
            Some(after) => rest = after,
            None => {
                out.push_str("\u{1b}[");
                rest = code;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Patch;

    const PLAIN: &str = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

    #[test]
    fn colours_and_ends_of_lines_change_nothing() {
        let coloured = "\u{1b}[1mdiff --git a/x b/x\u{1b}[m\n\u{1b}[1m--- a/x\u{1b}[m\n\u{1b}[1m+++ b/x\u{1b}[m\n\u{1b}[36m@@ -1 +1 @@\u{1b}[m\n\u{1b}[31m-a\u{1b}[m\n\u{1b}[32m+\u{1b}[m\u{1b}[32mb\u{1b}[m\n";
        assert_eq!(plain(coloured), PLAIN);
        assert_eq!(plain(&PLAIN.replace('\n', "\r\n")), PLAIN);
        assert_eq!(plain(&format!("\u{feff}{PLAIN}")), PLAIN);
        assert_eq!(Patch::parse(coloured), Patch::parse(PLAIN));
    }

    #[test]
    fn what_a_file_holds_stays() {
        let own = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+\u{1b}[31mb\r\n";
        assert_eq!(plain(own), own);
    }
}
