//! The lines of a text, with what each costs where it is shown.

use codecortex_text::numbered_width;

/// A line of a text that is kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineRange {
    /// Its first byte.
    pub(crate) start: u32,
    /// Behind its last byte, the end of the line left out.
    end: u32,
    /// Characters of it as it is shown, with its number and its end: choosing asks for it of a line again and again.
    pub(crate) width: u32,
    /// Characters that JSON writes with one more.
    pub(crate) escapes: u32,
    /// Whether it has nothing but white space.
    pub(crate) is_empty: bool,
}

/// The lines of a text.
pub(crate) fn lines_of(text: &str) -> Vec<LineRange> {
    let mut lines: Vec<LineRange> = Vec::new();
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let last = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    for end in ends.chain(last) {
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        lines.push(LineRange {
            start: start as u32,
            end: (start + line.len()) as u32,
            width: numbered_width(lines.len() as u32 + 1, line) as u32,
            escapes: line
                .bytes()
                .filter(|byte| matches!(byte, b'"' | b'\\' | b'\t'))
                .count() as u32,
            is_empty: line.trim().is_empty(),
        });
        start = end;
    }
    lines
}

impl LineRange {
    /// Its text without its end.
    pub(crate) fn text<'t>(&self, of: &'t str) -> &'t str {
        of.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_in_the_text() {
        let text = "a {\n    b {\r\n        c  \n\n\td";
        let lines = lines_of(text);
        let shown: Vec<&str> = lines.iter().map(|line| line.text(text)).collect();
        assert_eq!(shown, ["a {", "    b {", "        c  ", "", "\td"]);
        let widths: Vec<u32> = lines.iter().map(|line| line.width).collect();
        assert_eq!(widths, [7, 11, 15, 3, 6]);
    }
}
