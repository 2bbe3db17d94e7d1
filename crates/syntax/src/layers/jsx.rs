//! Text between the tags of JSX.
//!
//! Its line breaks and what they are indented with are layout, its other blanks are content: of several lines, each is
//! read without the blanks at its line breaks, empty ones are none, and one blank joins the rest.

use std::borrow::Cow;

/// What a text between tags says.
pub(crate) fn jsx_text(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\r']) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.split(['\n', '\r']).collect();
    let last = lines.len() - 1;
    let said = lines.iter().enumerate().map(|(at, line)| {
        let line = if at > 0 { line.trim_start() } else { line };
        if at < last { line.trim_end() } else { line }
    });
    let said: Vec<&str> = said.filter(|line| !line.is_empty()).collect();
    Cow::Owned(said.join(" "))
}

#[cfg(test)]
mod tests {
    use super::jsx_text;

    #[test]
    fn line_breaks_are_layout_and_other_blanks_are_content() {
        assert_eq!(
            jsx_text("\n    one\n\n    two  three\n  "),
            "one two  three"
        );
        assert_eq!(jsx_text("\r\n\tone\r\n"), "one");
        assert_eq!(jsx_text("one "), "one ");
        assert_eq!(jsx_text(" one\n two "), " one two ");
        assert_eq!(jsx_text("\n  \n"), "");
    }
}
