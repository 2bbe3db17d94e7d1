//! What a piece of the window says, from everything to its name (SPEC PW1, `000` §8).
//!
//! In the order in which it is given up: of a function its lines but the first; recommendations, limitations, edge cases,
//! life cycle, role — the parts of a semantic text — then the outline's members beyond the first, its lines, all but the
//! name.

use codecortex_index::FileId;

use crate::window::code_lines::CodeLines;

/// A part that a semantic text may have.
#[derive(Debug, PartialEq, Eq)]
pub struct SemanticSection {
    /// What its line begins with.
    pub name: &'static str,
    /// What a form is called that has the text up to this part.
    pub form: &'static str,
}

/// The parts of a semantic text, the most important first (SPEC D23).
pub static SECTIONS: [SemanticSection; 5] = [
    SemanticSection {
        name: "ROLE",
        form: "outline+ROLE",
    },
    SemanticSection {
        name: "LIFECYCLE",
        form: "outline+LIFECYCLE",
    },
    SemanticSection {
        name: "EDGE_CASES",
        form: "outline+EDGE_CASES",
    },
    SemanticSection {
        name: "LIMITATIONS",
        form: "outline+LIMITATIONS",
    },
    SemanticSection {
        name: "RECOMMENDATIONS",
        form: "outline+RECOMMENDATIONS",
    },
];
/// The form with all lines of a declaration.
pub const SOURCE: &str = "source";
/// The form with its first lines and its last.
pub const EXCERPT: &str = "source, cut";
/// Members of an outline that is cut.
pub const SOME_MEMBERS: usize = 12;
/// Letters of a list of names.
pub const NAMES: usize = 240;
/// Parts of a type of which the declaring lines are shown.
pub const MAX_PARTS: usize = 12;
/// Declarations of a file that are shown.
pub const MAX_DECLARED: usize = 60;

/// The parts of a semantic text that are there, the most important first.
pub type Sections = Vec<(&'static SemanticSection, String)>;

/// What a piece says of itself, without its semantic text.
#[derive(Clone, Debug, Default)]
pub struct PieceFacts {
    /// `class`, `file` …
    pub kind: String,
    /// Where it is.
    pub place: String,
    /// The first line of its documentation.
    pub doc: String,
    /// Signatures of what others see: an outline has them where it has no lines.
    pub api: Vec<String>,
    /// The same and more as it stands in the file.
    pub code: CodeLines,
    /// Names of the same.
    pub names: Vec<String>,
    /// Further lines.
    pub more: Vec<String>,
    /// The file that it is in; none where it is not there any more.
    pub file: Option<FileId>,
}

/// The forms of a piece, the richest first, each with its name. There is one at least: the smallest.
#[derive(Clone, Debug)]
pub struct DetailLevels {
    /// All but the smallest.
    richer: Vec<(&'static str, String)>,
    smallest: (&'static str, String),
    /// The file of what it is about; none where that is not there any more.
    pub file: Option<FileId>,
    /// How many of the first forms are all of its lines, or many.
    pub code_forms: usize,
    /// All files of which it may show lines.
    pub files: Vec<FileId>,
    /// Those whose text has to be read first; until then there are signatures instead of lines.
    pub missing: Vec<FileId>,
    /// Whether lines that are not saved are shown, or left out for that.
    pub is_unsaved: bool,
}

impl DetailLevels {
    /// The forms of a piece: those of its lines; the others but the smallest, the richest first; and the smallest.
    pub fn new(
        code: Vec<(&'static str, String)>,
        outlines: Vec<(&'static str, String)>,
        smallest: (&'static str, String),
        facts: &PieceFacts,
    ) -> Self {
        Self {
            code_forms: code.len(),
            richer: code.into_iter().chain(outlines).collect(),
            smallest,
            file: facts.file,
            files: facts.code.files.clone(),
            missing: facts.code.missing.clone(),
            is_unsaved: facts.code.is_unsaved,
        }
    }

    /// A form's name and text. Beyond the last it is the smallest: how many forms there are is counted before they
    /// are made, by texts that may be others in the meantime.
    pub fn form(&self, at: usize) -> (&'static str, &str) {
        let (name, text) = self.richer.get(at).unwrap_or(&self.smallest);
        (name, text)
    }
}

/// How many forms a piece has at most whose semantic text has so many parts: what has less has its smallest more than
/// once.
pub fn form_count(sections: usize) -> usize {
    sections + 6
}

/// How many forms a type has but lines and names.
pub fn outline_count(sections: usize) -> usize {
    sections + 1
}

/// The smallest form of any piece.
pub fn name_line(path: &str) -> String {
    format!("- {path}\n")
}

impl PieceFacts {
    /// The declaration alone.
    pub fn head(&self, path: &str) -> String {
        match self.kind.is_empty() {
            true => format!("### {path} (not there any more)\n"),
            false => format!("### {path} [{}] {}\n", self.kind, self.place),
        }
    }

    /// The head, the documentation unless the lines have it, and the lines.
    fn with_lines(&self, path: &str, lines: &str) -> String {
        let mut text = self.head(path);
        if !self.doc.is_empty() && !lines.contains(&self.doc) {
            text += &format!("{}\n", self.doc);
        }
        text + lines
    }

    /// All lines of the declaration, or many; none where they are not there.
    pub fn source(&self, path: &str) -> Vec<(&'static str, String)> {
        let lines = [(SOURCE, self.code.source()), (EXCERPT, self.code.excerpt())];
        let lines = lines.into_iter().filter_map(|(form, lines)| {
            let lines = lines?;
            Some((form, self.with_lines(path, &lines)))
        });
        lines.collect()
    }

    /// The declaration with so many members: the lines that declare them, else their signatures.
    pub fn outline(&self, path: &str, members: usize) -> String {
        let (lines, count) = match self.code.outline(members) {
            Some(lines) => (lines, self.code.member_count()),
            None => {
                let shown = self.api.iter().take(members);
                let signatures = shown.map(|signature| format!("  + {signature}\n"));
                (signatures.collect(), self.api.len())
            }
        };
        let mut text = self.with_lines(path, &lines);
        if count > members {
            text += &format!("  … {} more\n", count - members);
        }
        for line in &self.more {
            text += &format!("{line}\n");
        }
        text
    }

    /// The declaration with the names of members.
    pub fn names(&self, path: &str) -> String {
        let mut text = self.head(path);
        let mut line = String::new();
        for name in &self.names {
            if line.len() + name.len() > NAMES {
                line += " …";
                break;
            }
            if !line.is_empty() {
                line += ", ";
            }
            line += name;
        }
        if !line.is_empty() {
            text += &format!("{line}\n");
        }
        text
    }
}

/// The parts of a text in the form of `000` §3.5 that say something, each once, the most important first. Whoever
/// merges a text by hand may leave a part twice: what both say is kept, one below the other.
pub fn sections(text: &str) -> Sections {
    let mut parts = SECTIONS.each_ref().map(|section| (section, String::new()));
    let mut current = None;
    for line in text.lines() {
        let begun = parts.iter().enumerate().find_map(|(at, (section, _))| {
            let rest = line.strip_prefix(section.name)?.strip_prefix(':')?;
            Some((at, rest.trim()))
        });
        let line = match begun {
            Some((at, rest)) => {
                current = Some(at);
                rest
            }
            None => line.trim_end(),
        };
        if let Some((_, text)) = current.and_then(|at| parts.get_mut(at)) {
            add_line(text, line);
        }
    }
    let parts = parts.into_iter();
    parts.filter(|(_, text)| !text.is_empty()).collect()
}

fn add_line(text: &mut String, line: &str) {
    if line.trim().is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<(&'static str, String)> {
        let parts = sections(text).into_iter();
        parts.map(|(section, text)| (section.name, text)).collect()
    }

    #[test]
    pub(super) fn the_parts_of_a_semantic_text() {
        let text = "# Semantic: A T_1\nStructureHash: X\n\nLIMITATIONS: none known\nROLE: Keeps nodes.\n\
                    Of all kinds.\nLIFECYCLE:\nRECOMMENDATIONS: Dispose it.\n";
        assert_eq!(
            named(text),
            [
                ("ROLE", "Keeps nodes.\nOf all kinds.".to_owned()),
                ("LIMITATIONS", "none known".to_owned()),
                ("RECOMMENDATIONS", "Dispose it.".to_owned()),
            ]
        );
        assert!(sections("").is_empty());
    }

    #[test]
    fn a_part_that_is_there_twice() {
        let text = "ROLE: Keeps nodes.\n<<<<<<< HEAD\nLIFECYCLE: One.\n=======\nLIFECYCLE: Two.\n>>>>>>> theirs\n\
                    ROLE:\nagain\n";
        assert_eq!(
            named(text),
            [
                ("ROLE", "Keeps nodes.\n<<<<<<< HEAD\nagain".to_owned()),
                (
                    "LIFECYCLE",
                    "One.\n=======\nTwo.\n>>>>>>> theirs".to_owned()
                ),
            ]
        );
        let often = "EDGE_CASES: x\nROLE: y\n".repeat(1_000);
        assert_eq!(sections(&often).len(), 2);
    }
}
