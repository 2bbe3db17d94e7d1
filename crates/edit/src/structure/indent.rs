//! Code is indented as the place that it goes to: with its tabs or spaces, as deep and as wide.

use crate::structure::syntax_tree::lines_in_strings;

/// The indentation of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlaceIndent {
    /// What stands before the lines of the place.
    pub(crate) line: String,
    /// One level of the file.
    pub(crate) unit: String,
}

impl PlaceIndent {
    /// Of the line that has a byte.
    pub(crate) fn of_line(text: &str, at: u32) -> Self {
        let before = text.get(..at as usize).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let line: String = line
            .chars()
            .take_while(|letter| is_blank(*letter))
            .collect();
        Self {
            line,
            unit: unit_of(text).unwrap_or_else(|| "    ".to_owned()),
        }
    }

    /// One level deeper.
    pub(crate) fn deeper(&self) -> Self {
        Self {
            line: format!("{}{}", self.line, self.unit),
            unit: self.unit.clone(),
        }
    }
}

fn is_blank(letter: char) -> bool {
    letter == ' ' || letter == '\t'
}

fn blanks(line: &str) -> &str {
    let end = line.find(|letter| !is_blank(letter)).unwrap_or(line.len());
    &line[..end]
}

/// One level of a text: a tab, or the spaces by which lines most often get deeper.
fn unit_of(text: &str) -> Option<String> {
    let mut counts = [0_u32; 9];
    let mut tabs = 0_u32;
    let mut last = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let lead = blanks(line);
        if lead.starts_with('\t') {
            tabs += 1;
            continue;
        }
        let deeper = lead.len().saturating_sub(last);
        // A line that goes on with a comment of several lines is one deeper.
        if let Some(count) = counts.get_mut(deeper).filter(|_| deeper > 1) {
            *count += 1;
        }
        last = lead.len();
    }
    let most = counts
        .iter()
        .enumerate()
        .max_by_key(|(width, count)| (**count, 9 - width));
    match most {
        Some((width, count)) if *count > 0 && *count >= tabs => Some(" ".repeat(width)),
        _ if tabs > 0 => Some("\t".to_owned()),
        _ => None,
    }
}

/// A code with the indentation of a place before all of its lines but blank ones; its first line has it, too. What
/// stands in a string of several lines stays as it is.
pub(crate) fn reindented(path: &str, code: &str, place: &PlaceIndent) -> String {
    let in_strings = lines_in_strings(path, code);
    let mut starts = Vec::new();
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        let is_free = in_strings.binary_search(&at).is_err();
        starts.push((line, is_free));
        at += line.len() as u32;
    }
    let free = || {
        starts
            .iter()
            .filter(|(line, is_free)| *is_free && !line.trim().is_empty())
    };
    // A first line that was cut from the middle of a line has less than the others.
    let first = free().next().map_or(0, |(line, _)| width_of(blanks(line)));
    let rest = free().skip(1).map(|(line, _)| width_of(blanks(line))).min();
    let is_cut = first == 0 && rest.is_some_and(|rest| rest > 0) && closes_deeper(code, rest);
    let base = if is_cut {
        rest.unwrap_or(0)
    } else {
        first.min(rest.unwrap_or(first))
    };
    let unit = unit_of(code).map_or(4, |unit| width_of(&unit));
    let mut out = String::with_capacity(code.len() * 2);
    for (number, (line, is_free)) in starts.iter().enumerate() {
        let content = line.trim_start_matches(is_blank);
        if !is_free || content.trim_end_matches('\n').is_empty() {
            out.push_str(if *is_free { content } else { line });
            continue;
        }
        let width = width_of(blanks(line));
        let own = if number == 0 && is_cut {
            0
        } else {
            width.saturating_sub(base)
        };
        out.push_str(&place.line);
        out.push_str(&place.unit.repeat(own / unit));
        out.push_str(&" ".repeat(own % unit));
        out.push_str(content);
    }
    out
}

/// Whether the last line of a code is as deep as its shallowest one after the first: the first line was cut.
fn closes_deeper(code: &str, rest: Option<usize>) -> bool {
    let last = code.lines().rev().find(|line| !line.trim().is_empty());
    let closes = last.is_some_and(|line| {
        let content = line.trim_start();
        content.starts_with(['}', ')', ']']) || content.starts_with("end")
    });
    closes && last.map(|line| width_of(blanks(line))) == rest
}

/// How wide blanks are; a tab is four.
fn width_of(blanks: &str) -> usize {
    blanks
        .chars()
        .map(|letter| if letter == '\t' { 4 } else { 1 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: &str, unit: &str) -> PlaceIndent {
        PlaceIndent {
            line: line.to_owned(),
            unit: unit.to_owned(),
        }
    }

    #[test]
    fn code_takes_the_style_of_its_place() {
        let code = "if (x) {\n  return 1;\n}\n\nreturn 2;";
        let tabs = reindented("a.ts", code, &place("\t", "\t"));
        assert_eq!(tabs, "\tif (x) {\n\t\treturn 1;\n\t}\n\n\treturn 2;");
        let wide = reindented("a.ts", "\tif (x) {\n\t\treturn 1;\n\t}", &place("", "  "));
        assert_eq!(wide, "if (x) {\n  return 1;\n}");
        let cut = reindented("a.ts", "f() {\n      g();\n    }", &place("  ", "  "));
        assert_eq!(cut, "  f() {\n    g();\n  }");
    }

    #[test]
    fn strings_of_several_lines_stay() {
        let code = "x = \"\"\"\nkeep\n  this\n\"\"\"\ny = 1";
        let moved = reindented("a.py", code, &place("    ", "    "));
        assert_eq!(moved, "    x = \"\"\"\nkeep\n  this\n\"\"\"\n    y = 1");
    }

    #[test]
    fn a_file_says_its_unit() {
        assert_eq!(unit_of("a\n  b\n    c\n").as_deref(), Some("  "));
        assert_eq!(unit_of("a\n\tb\n\t\tc\n").as_deref(), Some("\t"));
        assert_eq!(unit_of("a\n"), None);
    }
}
