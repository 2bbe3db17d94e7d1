//! The lines of a text as they are shown: trailing white space left out, a space for each level of indentation.

/// Longer lines are cut; characters.
const MAX_LINE: usize = 300;

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'t> {
    /// Its first byte.
    pub(crate) start: u32,
    /// Without its end.
    pub(crate) text: &'t str,
    /// Characters of indentation that are a level.
    unit: usize,
}

/// The lines of a text.
pub(crate) fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut unit = usize::MAX;
    for line in text.split_inclusive('\n') {
        let shown = line.trim_end();
        let spaces = indent(shown);
        if spaces > 1 && shown.starts_with(' ') && !shown.trim_start().starts_with('*') {
            unit = unit.min(spaces);
        }
        lines.push(Line {
            start,
            text: shown,
            unit: 1,
        });
        start += line.len() as u32;
    }
    if unit != usize::MAX {
        lines
            .iter_mut()
            .filter(|line| line.text.starts_with(' '))
            .for_each(|line| line.unit = unit);
    }
    lines
}

fn indent(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

impl Line<'_> {
    fn levels(&self) -> usize {
        indent(self.text).div_ceil(self.unit)
    }

    /// The line as it is shown.
    pub(crate) fn shown(&self) -> String {
        let mut shown = " ".repeat(self.levels().min(MAX_LINE));
        let body = self.text.trim_start();
        match body.char_indices().nth(MAX_LINE) {
            Some((cut, _)) => {
                shown.push_str(&body[..cut]);
                shown.push('…');
            }
            None => shown.push_str(body),
        }
        shown
    }

    /// Characters of it as it is shown, with its end.
    pub(crate) fn width(&self) -> usize {
        let body = self.text.trim_start().chars().count();
        self.levels().min(MAX_LINE) + body.min(MAX_LINE + 1) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indentation_is_a_space_a_level() {
        let shown: Vec<String> = lines_of("a {\n    b {\r\n        c  \n\n\td")
            .iter()
            .map(Line::shown)
            .collect();
        assert_eq!(shown, ["a {", " b {", "  c", "", " d"]);
    }

    #[test]
    fn width_is_that_of_what_is_shown() {
        let text = format!("  x\n\n    {}\n{}", "é".repeat(299), "é".repeat(400));
        for line in lines_of(&text) {
            assert_eq!(line.width(), line.shown().chars().count() + 1);
        }
    }
}
