//! `types/<TypeId>.semantic.md` and `semantic/<GroupId>.md`: a head that says of what state of the code the text is,
//! and its paragraphs (SPEC SE1, `000` §3.5).

use std::fmt::Write as _;

use crate::answer::Answer;
use crate::sections::{Heading, TextSections, heading};

/// What a file says of itself in its first lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Paths of the types that it describes.
    pub paths: Vec<String>,
    /// The id of the type, or of the group.
    pub id: String,
    /// Of a group, the ids of its types.
    pub types: Vec<String>,
    /// The structure that it was made from, eight letters; of a group one a type, in the order of `types`.
    pub structure: String,
    /// The implementation, in the same way.
    pub implementation: String,
    /// Ids of the types that these depend on.
    pub dependencies: Vec<String>,
}

impl FrontMatter {
    /// The lines, an empty one last.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = format!("# Semantic: {} {}\n", flat(&self.paths.join(", ")), self.id);
        if !self.types.is_empty() {
            let _ = writeln!(out, "Types: {}", self.types.join(","));
        }
        let _ = writeln!(out, "StructureHash: {}", self.structure);
        let _ = writeln!(out, "ImplHash: {}", self.implementation);
        let dependencies = self.dependencies.join(",");
        let _ = writeln!(
            out,
            "{}",
            format!("Dependencies: {dependencies}").trim_end()
        );
        out.push('\n');
        out
    }
}

/// One paragraph as it stands in a file, heading and line ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Paragraph {
    section: TextSections,
    raw: String,
}

impl Paragraph {
    /// What it says, without its heading.
    fn text(&self) -> String {
        let (first, rest) = self.raw.split_once('\n').unwrap_or((self.raw.as_str(), ""));
        let behind = match heading(first) {
            Heading::Known(_, behind) => behind,
            _ => "",
        };
        format!("{behind}\n{rest}").trim().replace("\r\n", "\n")
    }
}

/// A semantic text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SemanticText {
    /// `StructureHash` of the head.
    structure: String,
    /// `ImplHash` of the head.
    implementation: String,
    paragraphs: Vec<Paragraph>,
}

impl SemanticText {
    /// Reads a file, or what somebody made of one: whatever is in it, its paragraphs are kept as they stand. Of one
    /// that is there twice the first counts.
    #[must_use]
    pub fn read(file: &str) -> Self {
        let mut text = Self::default();
        for line in file.split_inclusive('\n') {
            match heading(line) {
                Heading::Known(section, _) if text.get(section).is_none() => {
                    text.paragraphs.push(Paragraph {
                        section,
                        raw: line.to_owned(),
                    });
                }
                _ => match text.paragraphs.last_mut() {
                    Some(paragraph) => paragraph.raw.push_str(line),
                    None => text.read_head(line),
                },
            }
        }
        text
    }

    fn read_head(&mut self, line: &str) {
        let value = |name: &str| Some(line.trim().strip_prefix(name)?.trim().to_owned());
        if let Some(structure) = value("StructureHash:") {
            self.structure = structure;
        } else if let Some(implementation) = value("ImplHash:") {
            self.implementation = implementation;
        }
    }

    /// What a paragraph says; none where it is not there.
    #[must_use]
    pub fn get(&self, section: TextSections) -> Option<String> {
        let found = self
            .paragraphs
            .iter()
            .find(|known| known.section == section);
        found.map(Paragraph::text)
    }

    /// Paragraphs that say something, in the order of [`TextSections::ALL`].
    #[must_use]
    pub fn said(&self) -> Vec<(TextSections, String)> {
        let all = TextSections::ALL.into_iter();
        let said = all.filter_map(|section| Some((section, self.get(section)?)));
        said.filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.said().is_empty()
    }

    /// Whether its head says that it was made from this state of the code.
    #[must_use]
    pub fn is_of(&self, head: &FrontMatter) -> bool {
        self.structure == head.structure && self.implementation == head.implementation
    }

    /// The file after an answer: paragraphs that it does not name stay as they are to the byte.
    #[must_use]
    pub fn merged(&self, head: &FrontMatter, answer: &Answer) -> String {
        let mut paragraphs = self.paragraphs.clone();
        if let Answer::Sections(sections) = answer {
            for (section, text) in sections {
                let raw = format!("{}:\n{text}\n\n", section.as_str());
                let known = paragraphs
                    .iter_mut()
                    .find(|known| known.section == *section);
                match known {
                    // A paragraph that says the same keeps its looks.
                    Some(known) if known.text() == *text => {}
                    Some(known) => known.raw = raw,
                    None => paragraphs.push(Paragraph {
                        section: *section,
                        raw,
                    }),
                }
            }
            if self.paragraphs.is_empty() {
                paragraphs.sort_by_key(|paragraph| paragraph.section);
            }
        }
        let mut out = head.render();
        for paragraph in paragraphs {
            if !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str(&paragraph.raw);
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

/// One text of what several say about types that are described together now: a text alone stays as it is to the byte, of
/// several each paragraph has what all of them say. None where nobody says anything.
#[must_use]
pub fn joined_texts(texts: &[&str]) -> Option<String> {
    let mut said: Vec<&str> = texts.to_vec();
    said.retain(|text| !text.trim().is_empty());
    said.dedup();
    if let [only] = said[..] {
        return Some(only.to_owned());
    }
    let read: Vec<SemanticText> = said.iter().map(|text| SemanticText::read(text)).collect();
    let mut out = String::new();
    for section in TextSections::ALL {
        let mut paragraphs: Vec<String> = Vec::new();
        let found = read.iter().filter_map(|text| text.get(section));
        for paragraph in found.filter(|text| !text.is_empty()) {
            if !paragraphs.contains(&paragraph) {
                paragraphs.push(paragraph);
            }
        }
        if !paragraphs.is_empty() {
            let _ = write!(
                out,
                "{}:\n{}\n\n",
                section.as_str(),
                paragraphs.join("\n\n")
            );
        }
    }
    if out.is_empty() {
        return None;
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    Some(out)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::read_answer;

    const FILE: &str = "# Semantic: N.Core T_1\nStructureHash: AAAAAAAA\nImplHash: BBBBBBBB\nDependencies:\n\n\
        ROLE: Keeps nodes.\nOf all kinds.\n\nLIFECYCLE:\nMade once.\n\nEDGE_CASES:\n\nLIMITATIONS:\nNone.\n\
        RECOMMENDATIONS:\nDispose it.\n";

    fn head() -> FrontMatter {
        FrontMatter {
            paths: vec!["N.Core".to_owned()],
            id: "T_1".to_owned(),
            structure: "CCCCCCCC".to_owned(),
            implementation: "DDDDDDDD".to_owned(),
            dependencies: vec!["T_2".to_owned(), "T_3".to_owned()],
            ..FrontMatter::default()
        }
    }

    #[test]
    fn one_paragraph_is_replaced_and_the_others_keep_their_bytes() {
        let text = SemanticText::read(FILE);
        let answer = read_answer("LIFECYCLE:\nMade twice.", "T_1", true).expect("it is one");
        let merged = text.merged(&head(), &answer);
        assert_eq!(
            merged,
            "# Semantic: N.Core T_1\nStructureHash: CCCCCCCC\nImplHash: DDDDDDDD\nDependencies: T_2,T_3\n\n\
             ROLE: Keeps nodes.\nOf all kinds.\n\nLIFECYCLE:\nMade twice.\n\nEDGE_CASES:\n\nLIMITATIONS:\nNone.\n\
             RECOMMENDATIONS:\nDispose it.\n"
        );
        assert!(SemanticText::read(&merged).is_of(&head()));
        assert!(!text.is_of(&head()));
    }

    #[test]
    fn no_change_renews_the_head_alone() {
        let merged = SemanticText::read(FILE).merged(&head(), &Answer::NoChange);
        let body = |file: &str| file.split_once("\n\n").map(|(_, body)| body.to_owned());
        assert_eq!(body(&merged), body(FILE));
    }

    #[test]
    fn texts_of_types_that_are_described_together_are_one() {
        assert_eq!(joined_texts(&[FILE]).as_deref(), Some(FILE));
        assert_eq!(joined_texts(&[FILE, FILE, " "]).as_deref(), Some(FILE));
        assert_eq!(joined_texts(&["", "\n"]), None);
        let other = "# Semantic: N.Other T_2\n\nROLE:\nReads nodes.\nLIMITATIONS: None.\n";
        let joined = joined_texts(&[FILE, other]).expect("both say something");
        assert_eq!(
            joined,
            "ROLE:\nKeeps nodes.\nOf all kinds.\n\nReads nodes.\n\nLIFECYCLE:\nMade once.\n\nLIMITATIONS:\nNone.\n\n\
             RECOMMENDATIONS:\nDispose it.\n"
        );
    }

    #[test]
    fn what_a_file_says() {
        let said = SemanticText::read(FILE).said();
        let sections: Vec<TextSections> = said.iter().map(|(section, _)| *section).collect();
        assert_eq!(said[0].1, "Keeps nodes.\nOf all kinds.");
        assert!(!sections.contains(&TextSections::EdgeCases));
        assert!(SemanticText::read("").is_empty());
    }
}
