//! The lines of a text as they are shown: trailing white space left out, a space for each level of indentation.

/// Longer lines are cut; characters.
const MAX_LINE: usize = 300;

/// A line of a text that is kept elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its first byte.
    pub(crate) start: u32,
    /// Behind its last byte that is no white space.
    end: u32,
    /// Characters of indentation that are a level.
    unit: u32,
    /// Characters of it as it is shown, with its end: choosing asks for it of a line again and again.
    pub(crate) width: u32,
    /// Whether it has nothing but white space.
    pub(crate) is_empty: bool,
}

/// The lines of a text.
pub(crate) fn lines_of(text: &str) -> Vec<Line> {
    let mut start = 0;
    let mut lines: Vec<Line> = Vec::new();
    let mut unit = usize::MAX;
    for line in text.split_inclusive('\n') {
        let shown = trim_end(line);
        let spaces = indent(shown);
        // White space of other kinds is no indentation: what is behind it is the line.
        let is_starred = || shown.trim_start().starts_with('*');
        if spaces > 1 && spaces < unit && shown.starts_with(' ') && !is_starred() {
            unit = unit.min(spaces);
        }
        lines.push(Line {
            start,
            end: start + shown.len() as u32,
            unit: 1,
            width: 0,
            is_empty: shown.trim().is_empty(),
        });
        start += line.len() as u32;
    }
    for line in &mut lines {
        if unit != usize::MAX && line.text(text).starts_with(' ') {
            line.unit = unit as u32;
        }
        line.width = line.width_in(text);
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

fn indent(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

impl Line {
    /// Its text without its end.
    pub(crate) fn text<'t>(&self, of: &'t str) -> &'t str {
        of.get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    fn levels(&self, of: &str) -> usize {
        indent(self.text(of)).div_ceil(self.unit as usize)
    }

    /// The line as it is shown.
    pub(crate) fn shown(&self, of: &str) -> String {
        let mut shown = " ".repeat(self.levels(of).min(MAX_LINE));
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

    fn width_in(&self, of: &str) -> u32 {
        let body = self.text(of).trim_start();
        let body = match body.is_ascii() {
            true => body.len(),
            false => body.chars().count(),
        };
        (self.levels(of).min(MAX_LINE) + body.min(MAX_LINE + 1) + 1) as u32
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
