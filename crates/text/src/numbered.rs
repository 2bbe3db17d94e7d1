//! Lines of code as every answer shows them: each as it stands in its file, after its number from 1; what is left out
//! between two of them is one line with the count (SPEC RM1, CP1, RV2).
//!
//! ```text
//! 41:     pub fn insert(&mut self, node: Node) -> Id {
//! … 12 lines
//! 54:     }
//! ```

use std::fmt::Write;

/// A line is cut after so many characters: longer ones are data or generated.
const MAX_CHARACTERS: usize = 300;

/// The lines as text, in the order given: a number, `: `, the line; a line with the count where numbers are missing. A
/// line of more than 300 characters is cut, and says how many are left out.
pub fn numbered<'l>(lines: impl IntoIterator<Item = (u32, &'l str)>) -> String {
    rendered(lines, MAX_CHARACTERS)
}

/// The same with each line whole.
pub fn numbered_whole<'l>(lines: impl IntoIterator<Item = (u32, &'l str)>) -> String {
    rendered(lines, usize::MAX)
}

fn rendered<'l>(lines: impl IntoIterator<Item = (u32, &'l str)>, most: usize) -> String {
    let mut out = String::new();
    let mut before: Option<u32> = None;
    for (number, line) in lines {
        if let Some(before) = before
            && number > before + 1
        {
            push_gap(&mut out, number - before - 1);
        }
        before = Some(number);
        // Writing to a string cannot fail.
        let _ = match line.is_empty() {
            true => writeln!(out, "{number}:"),
            false => write!(out, "{number}: "),
        };
        if !line.is_empty() {
            push_line(&mut out, line, most);
        }
    }
    out
}

/// Characters of a line as [`numbered`] shows it, with its end.
#[must_use]
pub fn numbered_width(number: u32, line: &str) -> usize {
    let characters = count(line);
    let shown = match characters > MAX_CHARACTERS {
        true => MAX_CHARACTERS + cut_mark(characters - MAX_CHARACTERS).chars().count(),
        false => characters,
    };
    prefix_width(number, characters == 0) + shown + 1
}

/// Characters of the line that stands for so many lines left out, with its end; 0 for none.
#[must_use]
pub fn gap_width(lines: u32) -> usize {
    match lines {
        0 => 0,
        1 => "… 1 line\n".chars().count(),
        _ => "…  lines\n".chars().count() + digits(lines),
    }
}

fn push_gap(out: &mut String, lines: u32) {
    let noun = if lines == 1 { "line" } else { "lines" };
    let _ = writeln!(out, "… {lines} {noun}");
}

fn push_line(out: &mut String, line: &str, most: usize) {
    match line.char_indices().nth(most) {
        Some((cut, _)) => {
            out.push_str(&line[..cut]);
            out.push_str(&cut_mark(count(&line[cut..])));
        }
        None => out.push_str(line),
    }
    out.push('\n');
}

/// What stands at the end of a line that is cut.
fn cut_mark(characters: usize) -> String {
    format!(" … {characters} characters")
}

fn prefix_width(number: u32, is_empty: bool) -> usize {
    digits(number) + if is_empty { 1 } else { 2 }
}

fn digits(number: u32) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}

fn count(text: &str) -> usize {
    // Continuation bytes are not characters; counting the others vectorises.
    text.bytes().filter(|byte| (*byte as i8) >= -0x40).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stand_as_in_the_file_and_gaps_say_how_much_is_left_out() {
        let lines = [
            (9, "\tdef f(self):  "),
            (10, ""),
            (11, "\t    return 1"),
            (13, "x"),
            (26, "y"),
        ];
        assert_eq!(
            numbered(lines),
            "9: \tdef f(self):  \n10:\n11: \t    return 1\n… 1 line\n13: x\n… 12 lines\n26: y\n"
        );
    }

    #[test]
    fn a_long_line_is_cut_or_whole() {
        let long = format!("{}é", "x".repeat(300));
        let cut = format!("7: {} … 1 characters\n", "x".repeat(300));
        assert_eq!(numbered([(7, long.as_str())]), cut);
        assert_eq!(numbered_whole([(7, long.as_str())]), format!("7: {long}\n"));
    }

    #[test]
    fn a_width_is_that_of_what_is_shown() {
        for line in [
            String::new(),
            "  é".to_owned(),
            "é".repeat(300),
            "x".repeat(1312),
        ] {
            for number in [1, 10, 99_999] {
                let shown = numbered([(number, line.as_str())]);
                assert_eq!(
                    numbered_width(number, &line),
                    shown.chars().count(),
                    "{shown}"
                );
            }
        }
        for gap in [1, 2, 12, 1000] {
            let shown = numbered([(1, "a"), (2 + gap, "b")]);
            let lines = numbered_width(1, "a") + numbered_width(2 + gap, "b");
            assert_eq!(gap_width(gap), shown.chars().count() - lines);
        }
    }
}
