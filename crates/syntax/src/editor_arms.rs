//! What is built for an editor alone: declarations in the arms of `#if EDITOR` (SPEC AS1).
//!
//! Both arms of every `#if` are read; this says which of what they declare a game does not have. Directives are read
//! from the text, line by line: an arm that a half-typed declaration runs out of is still an arm.

use std::ops::Range;

use crate::facts::{Facts, ItemFlags};

/// What an `#if` and what follows it up to its `#endif` has of arms.
struct EditorCondition {
    /// Whether the arm that is being read is for an editor alone.
    is_editor: bool,
    /// Whether every arm before it is for what is no editor, so that an `#else` is for editors.
    others_are_not: bool,
}

/// Marks the declarations of which the name is in an arm for editors, and only these.
pub(crate) fn mark(facts: &mut Facts, text: &str, words: &[String]) {
    if words.is_empty() {
        return;
    }
    let arms = editor_arms(text, words);
    for item in &mut facts.items {
        let at = item.name_byte as usize;
        let next = arms.partition_point(|arm| arm.end <= at);
        let is_in = arms.get(next).is_some_and(|arm| arm.start <= at);
        item.flags.set(ItemFlags::EDITOR_ONLY, is_in);
    }
}

/// The arms for editors alone, in the order of the text; those in one of them are not listed.
fn editor_arms(text: &str, words: &[String]) -> Vec<Range<usize>> {
    let mut arms = Vec::new();
    let mut open: Vec<EditorCondition> = Vec::new();
    let mut begun: Option<usize> = None;
    for (at, line) in Directives::new(text) {
        let was = open.iter().any(|condition| condition.is_editor);
        let (word, rest) = split_word(line);
        match word {
            "if" | "ifdef" => open.push(EditorCondition::for_condition(rest, words)),
            "ifndef" => open.push(EditorCondition::not(rest, words)),
            "elif" | "else" => {
                if let Some(last) = open.last_mut() {
                    last.next(word == "elif", rest, words);
                }
            }
            "endif" => drop(open.pop()),
            _ => continue,
        }
        let is = open.iter().any(|condition| condition.is_editor);
        match (was, is) {
            (false, true) => begun = Some(at),
            (true, false) => arms.extend(begun.take().map(|start| start..at)),
            _ => {}
        }
    }
    arms.extend(begun.map(|start| start..text.len()));
    arms
}

impl EditorCondition {
    fn for_condition(condition: &str, words: &[String]) -> Self {
        Self {
            is_editor: is_for_editors(condition, words),
            others_are_not: is_for_others(condition, words),
        }
    }

    fn not(condition: &str, words: &[String]) -> Self {
        Self {
            is_editor: is_for_others(condition, words),
            others_are_not: is_for_editors(condition, words),
        }
    }

    /// The next arm begins.
    fn next(&mut self, is_conditional: bool, condition: &str, words: &[String]) {
        // It is for those that no arm before it is for.
        self.is_editor = self.others_are_not || is_conditional && is_for_editors(condition, words);
    }
}

/// Whether a condition can only hold in an editor: it, or a part of it that has to hold, is one of the words.
fn is_for_editors(condition: &str, words: &[String]) -> bool {
    let condition = without_comment(condition);
    !condition.contains("||") && condition.split("&&").any(|part| is_word(part, words))
}

/// Whether a condition holds in all that is no editor: it, or a part that is enough, is `!` and one of the words.
fn is_for_others(condition: &str, words: &[String]) -> bool {
    let condition = without_comment(condition);
    let is_not = |part: &str| {
        let part = part.trim();
        part.strip_prefix('!')
            .is_some_and(|part| is_word(part, words))
    };
    !condition.contains("&&") && condition.split("||").any(is_not)
}

/// Whether a condition is one of the words, as `EDITOR`, `(EDITOR)` or `defined(EDITOR)`. Their case does not count.
fn is_word(condition: &str, words: &[String]) -> bool {
    let bare = |text: &str| text.trim().trim_matches(['(', ')']).trim().to_owned();
    let condition = bare(condition);
    let condition = bare(condition.strip_prefix("defined").unwrap_or(&condition));
    words
        .iter()
        .any(|word| condition.eq_ignore_ascii_case(word))
}

fn without_comment(condition: &str) -> &str {
    let line = condition.split("//").next().unwrap_or("");
    line.split("/*").next().unwrap_or("")
}

fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find(|c: char| !c.is_ascii_alphabetic());
    line.split_at(end.unwrap_or(line.len()))
}

/// The lines of a text that begin with `#`, outside of block comments: where each begins, and what follows the sign.
struct Directives<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Directives<'a> {
    fn new(text: &'a str) -> Self {
        let has_any = memchr::memmem::find(text.as_bytes(), b"#if").is_some()
            || memchr::memmem::find(text.as_bytes(), b"# if").is_some();
        let at = if has_any { 0 } else { text.len() };
        Self { text, at }
    }
}

impl<'a> Iterator for Directives<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        while self.at < self.text.len() {
            let start = self.at;
            let rest = &self.text[start..];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            self.at = start + line.len() + 1;
            if let Some(directive) = line.trim_start().strip_prefix('#') {
                return Some((start, directive));
            }
            if let Some(begin) = open_comment(line) {
                let behind = &rest[begin + 2..];
                let end = behind.find("*/").map(|end| start + begin + 4 + end);
                // What follows it on its line is no directive.
                let end = end.unwrap_or(self.text.len());
                let line_end = self.text[end..]
                    .find('\n')
                    .map_or(self.text.len(), |more| end + more + 1);
                self.at = self.at.max(line_end);
            }
        }
        None
    }
}

/// Where a block comment begins on a line that does not end there.
fn open_comment(line: &str) -> Option<usize> {
    let begin = line.rfind("/*")?;
    let before = &line[..begin];
    let in_text = before.matches('"').count() % 2 == 1;
    let is_closed = line[begin + 2..].contains("*/");
    (!in_text && !is_closed && !before.contains("//")).then_some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arms(text: &str) -> Vec<&str> {
        let words = ["EDITOR".to_owned(), "EDITORONLY_DATA".to_owned()];
        let arms = editor_arms(text, &words).into_iter();
        arms.map(|arm| text[arm].trim()).collect()
    }

    #[test]
    fn arms_are_told_by_their_conditions() {
        for (text, expected) in [
            ("a\n#if EDITOR\nb\n#endif\nc", &["#if EDITOR\nb"][..]),
            (
                "  #if Editor // why\nb\n  #else\nc\n#endif",
                &["#if Editor // why\nb"],
            ),
            ("#if !EDITOR\nb\n#else\nc\n#endif", &["#else\nc"]),
            (
                "#if !EDITOR\nb\n#elif TEST\nc\n#else\nd\n#endif",
                &["#elif TEST\nc\n#else\nd"],
            ),
            (
                "#if TEST\nb\n#elif EDITOR\nc\n#else\nd\n#endif",
                &["#elif EDITOR\nc"],
            ),
            (
                "#ifdef EDITORONLY_DATA\nb\n#endif",
                &["#ifdef EDITORONLY_DATA\nb"],
            ),
            ("#ifndef EDITOR\nb\n#endif\nc", &[]),
            ("#if EDITOR && TEST\nb\n#endif", &["#if EDITOR && TEST\nb"]),
            ("#if EDITOR || TEST\nb\n#endif", &[]),
            (
                "#if defined(EDITOR)\nb\n#endif",
                &["#if defined(EDITOR)\nb"],
            ),
            (
                "#if EDITOR\n#if TEST\nb\n#endif\nc\n#endif\nd",
                &["#if EDITOR\n#if TEST\nb\n#endif\nc"],
            ),
            ("#if EDITOR\nb", &["#if EDITOR\nb"]),
            ("#endif\n#else\nb", &[]),
            ("#if EDITORS\nb\n#endif", &[]),
            ("/*\n#if EDITOR\n*/\nb // #if\n", &[]),
            ("#if TEST\n#endif\nint a; /* x\n#if EDITOR */\nb", &[]),
            (
                "#if EDITOR\nx = \"/*\";\n#endif\nb",
                &["#if EDITOR\nx = \"/*\";"],
            ),
        ] {
            assert_eq!(arms(text), expected, "{text}");
        }
    }
}
