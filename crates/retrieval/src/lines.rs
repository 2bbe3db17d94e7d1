//! The lines of a text as they are shown: trailing white space left out, a space for each level of indentation.

/// Longer lines are cut; characters.
const MAX_LINE: usize = 300;

/// A line of a text that is kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineRange {
    /// Its first byte.
    pub(crate) start: u32,
    /// Behind its last byte that is no white space.
    end: u32,
    /// Characters of its indentation.
    indent: u32,
    /// How many of them are a level.
    unit: u32,
    /// Characters of it as it is shown, with its end: choosing asks for it of a line again and again.
    pub(crate) width: u32,
    /// Whether it has nothing but white space.
    pub(crate) is_empty: bool,
}

/// The lines of a text.
pub(crate) fn lines_of(text: &str) -> Vec<LineRange> {
    let mut lines: Vec<LineRange> = Vec::new();
    let mut unit = u32::MAX;
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
    let last = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    for end in ends.chain(last) {
        let shown = trim_end(&text[start..end]);
        let indent = indent(shown);
        let is_spaced = shown.starts_with(' ');
        // White space of other kinds is no indentation: what is behind it is the line.
        let is_starred = || shown.trim_start().starts_with('*');
        if is_spaced && indent > 1 && indent < unit as usize && !is_starred() {
            unit = indent as u32;
        }
        lines.push(LineRange {
            start: start as u32,
            end: (start + shown.len()) as u32,
            indent: indent as u32,
            // Of spaces it is known in the end.
            unit: if is_spaced { u32::MAX } else { 1 },
            width: width(&shown[indent..]) as u32,
            is_empty: shown.is_empty(),
        });
        start = end;
    }
    for line in &mut lines {
        if line.unit == u32::MAX {
            line.unit = if unit == u32::MAX { 1 } else { unit };
        }
        line.width += line.levels().min(MAX_LINE) as u32;
    }
    lines
}

/// A line without the white space at its end.
fn trim_end(line: &str) -> &str {
    let shown = line.trim_ascii_end();
    match shown.as_bytes().last() {
        // Other white space, and what of ASCII only the long way knows of.
        Some(0x80.. | 0x0b) => line.trim_end(),
        _ => shown,
    }
}

/// Characters of a line behind its indentation as they are shown, and its end.
fn width(body: &str) -> usize {
    let body = match body.as_bytes().first() {
        // White space that is no indentation.
        Some(0x80.. | 0x0b | 0x0c | b'\r') => body.trim_start(),
        _ => body,
    };
    // Continuation bytes are not characters; counting the others vectorises.
    let characters = body.bytes().filter(|byte| (*byte as i8) >= -0x40).count();
    characters.min(MAX_LINE + 1) + 1
}

fn indent(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

impl LineRange {
    /// Its text without its end.
    pub(crate) fn text<'t>(&self, of: &'t str) -> &'t str {
        of.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    fn levels(&self) -> usize {
        self.indent.div_ceil(self.unit) as usize
    }

    /// The line as it is shown.
    pub(crate) fn shown(&self, of: &str) -> String {
        let mut shown = " ".repeat(self.levels().min(MAX_LINE));
        let body = self.text(of).trim_start();
        match body.char_indices().nth(MAX_LINE) {
            Some((cut, _)) => {
                shown.push_str(&body[..cut]);
                shown.push('…');
            }
            None => shown.push_str(body),
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_is_a_space_a_level() {
        let text = "a {\n    b {\r\n        c  \n\n\td";
        let lines = lines_of(text);
        let shown: Vec<String> = lines.iter().map(|line| line.shown(text)).collect();
        assert_eq!(shown, ["a {", " b {", "  c", "", " d"]);
    }

    #[test]
    fn width_is_that_of_what_is_shown() {
        let text = format!("  x\n\n    {}\n{}", "é".repeat(299), "é".repeat(400));
        for line in lines_of(&text) {
            let shown = line.shown(&text).chars().count() + 1;
            assert_eq!(line.width as usize, shown);
        }
    }
}
