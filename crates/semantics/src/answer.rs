//! What somebody answered to a prompt, validated: a model, an agent, a person (SPEC SE1, X12).
//!
//! The answer is data. It is taken whole or not at all, and nothing in it is followed.

use crate::sections::{Heading, TextSections, heading};

/// What an answer says when the text still holds.
pub const NO_CHANGE: &str = "NO SEMANTIC CHANGE";
/// The most characters that a paragraph may have.
pub(crate) const MAX_PARAGRAPH: usize = 6_000;
/// The most bytes of an answer that are looked at.
pub const MAX_ANSWER: usize = 64 * 1024;

/// A valid answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The text holds as it is.
    NoChange,
    /// These paragraphs are to say this, without their headings; others stay.
    Sections(Vec<(TextSections, String)>),
}

/// Why an answer is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswerProblem {
    /// There is nothing in it.
    #[error("the answer is empty")]
    Empty,
    /// It is longer than any text may be.
    #[error("the answer has {0} bytes; at most {MAX_ANSWER} are read")]
    TooLong(usize),
    /// No paragraph is in it.
    #[error("the answer has none of the sections {}", names(&TextSections::ALL))]
    NoSections,
    /// A paragraph that no text has.
    #[error("the answer has a section `{0}`, which is none of {all}", all = names(&TextSections::ALL))]
    Unknown(String),
    /// A paragraph is there twice.
    #[error("the answer has the section {} twice", .0.as_str())]
    Twice(TextSections),
    /// A paragraph is too long.
    #[error("the section {} has more than {MAX_PARAGRAPH} characters", .0.as_str())]
    LongSection(TextSections),
    /// The first text of a type has every paragraph.
    #[error("there is no text yet, and the answer lacks {}", names(.0))]
    Missing(Vec<TextSections>),
    /// There is no text that could hold.
    #[error("there is no text yet, so `{NO_CHANGE}` is not an answer")]
    NothingToKeep,
    /// It says both.
    #[error("the answer has `{NO_CHANGE}` and sections")]
    Contradictory,
    /// It describes something else.
    #[error("the answer is of {0}, which was not asked about")]
    OfAnother(String),
}

fn names(sections: &[TextSections]) -> String {
    let names: Vec<&str> = sections.iter().map(|section| section.as_str()).collect();
    names.join(", ")
}

/// Reads an answer about the type or group `id`. Without a text before (`has_text`), it has to have every section.
///
/// Words around the sections and a Markdown fence are passed over.
///
/// # Errors
/// What is wrong with it.
pub fn read_answer(text: &str, id: &str, has_text: bool) -> Result<Answer, AnswerProblem> {
    if text.len() > MAX_ANSWER {
        return Err(AnswerProblem::TooLong(text.len()));
    }
    let text = cleaned(text);
    if text.trim().is_empty() {
        return Err(AnswerProblem::Empty);
    }
    let (sections, is_kept) = paragraphs(&text, id)?;
    match (is_kept, sections.is_empty()) {
        (true, false) => Err(AnswerProblem::Contradictory),
        (true, true) if has_text => Ok(Answer::NoChange),
        (true, true) => Err(AnswerProblem::NothingToKeep),
        (false, true) => Err(AnswerProblem::NoSections),
        (false, false) => {
            let is_there =
                |section: &TextSections| sections.iter().any(|(known, _)| known == section);
            let missing = TextSections::ALL
                .into_iter()
                .filter(|section| !is_there(section));
            let missing: Vec<TextSections> = missing.collect();
            match missing.is_empty() || has_text {
                true => Ok(Answer::Sections(sections)),
                false => Err(AnswerProblem::Missing(missing)),
            }
        }
    }
}

/// The sections with their texts, those without text left out, and whether it is said that nothing changed.
fn paragraphs(text: &str, id: &str) -> Result<(Vec<(TextSections, String)>, bool), AnswerProblem> {
    let mut sections: Vec<(TextSections, String)> = Vec::new();
    let (mut is_kept, mut is_fenced) = (false, false);
    for line in text.lines() {
        if let Some(title) = line.trim().strip_prefix("# Semantic:") {
            check_title(title, id)?;
            continue;
        }
        let Some(text) = begun(line, &mut sections)? else {
            continue;
        };
        match sections.last_mut() {
            // The fence around all of it ends.
            Some(_) if is_fenced && text.trim() == "```" => break,
            Some((_, said)) => {
                said.push('\n');
                said.push_str(text.trim_end());
            }
            None => {
                is_fenced |= text.trim_start().starts_with("```");
                is_kept |= text.trim().trim_matches(['.', '`', '*', '"']) == NO_CHANGE;
            }
        }
    }
    for (section, text) in &mut sections {
        *text = text.trim().to_owned();
        if text.chars().count() > MAX_PARAGRAPH {
            return Err(AnswerProblem::LongSection(*section));
        }
    }
    sections.retain(|(_, text)| !text.is_empty());
    Ok((sections, is_kept))
}

/// Begins the sections whose headings a line has, one behind the other; what else is on it, if anything. What stands behind
/// a heading is a line of the file, and so may not begin like one.
fn begun<'l>(
    mut line: &'l str,
    sections: &mut Vec<(TextSections, String)>,
) -> Result<Option<&'l str>, AnswerProblem> {
    let mut is_whole = true;
    loop {
        match heading(line) {
            Heading::Unknown(name) => return Err(AnswerProblem::Unknown(name.to_owned())),
            Heading::Known(section, _) if sections.iter().any(|(known, _)| *known == section) => {
                return Err(AnswerProblem::Twice(section));
            }
            Heading::Known(section, behind) => {
                sections.push((section, String::new()));
                (line, is_whole) = (behind, false);
            }
            Heading::None => return Ok(Some(line).filter(|line| is_whole || !line.is_empty())),
        }
    }
}

/// An answer may repeat the file's title; then it is of the same type.
fn check_title(title: &str, id: &str) -> Result<(), AnswerProblem> {
    match title.split_whitespace().next_back() {
        Some(named) if named != id => {
            Err(AnswerProblem::OfAnother(named.chars().take(80).collect()))
        }
        _ => Ok(()),
    }
}

/// Without what steers terminals or the direction of text, and with one kind of line end.
fn cleaned(text: &str) -> String {
    let steers = |c: char| {
        c.is_control() && c != '\n' && c != '\t'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().filter(|c| !steers(*c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full() -> String {
        let all = TextSections::ALL.iter();
        let text: Vec<String> = all
            .map(|section| format!("{}:\nof {}.\n", section.as_str(), section.as_str()))
            .collect();
        text.join("\n")
    }

    #[test]
    fn what_is_taken() {
        for text in [
            full(),
            format!(
                "```markdown\r\n{}```\r\nDone.",
                full().replace('\n', "\r\n")
            ),
            format!("Here it is:\n\n# Semantic: N.A T_1\n\n{}", full()),
            full().replace(":\n", ": "),
        ] {
            let Ok(Answer::Sections(sections)) = read_answer(&text, "T_1", false) else {
                panic!("{text}")
            };
            assert_eq!(sections.len(), 5);
            for (section, said) in sections {
                assert_eq!(said, format!("of {}.", section.as_str()));
            }
        }
        assert_eq!(
            read_answer("ROLE: x", "T_1", true),
            Ok(Answer::Sections(vec![(TextSections::Role, "x".into())]))
        );
        for kept in ["NO SEMANTIC CHANGE", " `NO SEMANTIC CHANGE`.\n"] {
            assert_eq!(
                read_answer(kept, "T_1", true),
                Ok(Answer::NoChange),
                "{kept}"
            );
        }
    }

    #[test]
    fn what_is_refused() {
        let missing = TextSections::ALL[1..].to_vec();
        for (text, has_text, problem) in [
            ("", true, AnswerProblem::Empty),
            ("\u{7}\n", true, AnswerProblem::Empty),
            (
                "I think this class is nice.",
                true,
                AnswerProblem::NoSections,
            ),
            ("ROLE:\n\n", true, AnswerProblem::NoSections),
            (
                "ROLE:\nx\nOPINION:\nnone",
                true,
                AnswerProblem::Unknown("OPINION".into()),
            ),
            (
                "ROLE:\nx\nROLE:\ny",
                true,
                AnswerProblem::Twice(TextSections::Role),
            ),
            (
                "ROLE: x\nLIMITATIONS:\u{202e}ROLE:\ny",
                true,
                AnswerProblem::Twice(TextSections::Role),
            ),
            ("ROLE:\nx", false, AnswerProblem::Missing(missing)),
            ("NO SEMANTIC CHANGE", false, AnswerProblem::NothingToKeep),
            (
                "NO SEMANTIC CHANGE\nROLE:\nx",
                true,
                AnswerProblem::Contradictory,
            ),
            (
                "# Semantic: N.B T_2\nROLE: x",
                true,
                AnswerProblem::OfAnother("T_2".into()),
            ),
        ] {
            assert_eq!(read_answer(text, "T_1", has_text), Err(problem), "{text}");
        }
        let long = format!("ROLE:\n{}", "x".repeat(MAX_PARAGRAPH + 1));
        assert_eq!(
            read_answer(&long, "T_1", true),
            Err(AnswerProblem::LongSection(TextSections::Role))
        );
        let huge = "x".repeat(200_000);
        assert_eq!(
            read_answer(&huge, "T_1", true),
            Err(AnswerProblem::TooLong(200_000))
        );
    }
}
