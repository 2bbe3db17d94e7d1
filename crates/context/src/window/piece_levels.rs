//! What a piece of the window says, from everything to its name (SPEC PW1, `000` §8).
//!
//! In the order in which it is given up: recommendations, limitations, edge cases, life cycle, role — the
//! parts of a semantic text — then the outline's members beyond the first, its signatures, all but the name.

use codecortex_index::FileId;

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
/// Members of an outline that is cut.
pub const SOME_MEMBERS: usize = 12;
/// Letters of a list of names.
pub const NAMES: usize = 240;
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
    /// Signatures of what others see.
    pub api: Vec<String>,
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
}

impl DetailLevels {
    /// The forms of a piece: all but the smallest, the richest first, and the smallest.
    pub fn new(
        richer: Vec<(&'static str, String)>,
        smallest: (&'static str, String),
        file: Option<FileId>,
    ) -> Self {
        Self {
            richer,
            smallest,
            file,
        }
    }

    /// A form's name and text. Beyond the last it is the smallest: how many forms there are is counted before they
    /// are made, by texts that may be others in the meantime.
    pub fn form(&self, at: usize) -> (&'static str, &str) {
        let (name, text) = self.richer.get(at).unwrap_or(&self.smallest);
        (name, text)
    }
}

/// How many forms a piece has whose semantic text has so many parts.
pub fn form_count(sections: usize) -> usize {
    sections + 4
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

    /// The declaration with so many members.
    pub fn outline(&self, path: &str, members: usize) -> String {
        let mut text = self.head(path);
        if !self.doc.is_empty() {
            text += &format!("{}\n", self.doc);
        }
        for signature in self.api.iter().take(members) {
            text += &format!("  + {signature}\n");
        }
        if self.api.len() > members {
            text += &format!("  … {} more\n", self.api.len() - members);
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
