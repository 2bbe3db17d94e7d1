//! What a piece of the window says, from everything to its name (SPEC PW1, `000` §8).
//!
//! In the order in which it is given up: recommendations, limitations, edge cases, life cycle, role — the
//! parts of a semantic text — then the outline's members beyond the first, its signatures, all but the name.

use codecortex_index::FileId;

/// The parts of a semantic text, the most important first (SPEC D23).
pub const SECTIONS: [&str; 5] = [
    "ROLE",
    "LIFECYCLE",
    "EDGE_CASES",
    "LIMITATIONS",
    "RECOMMENDATIONS",
];
/// Members of an outline that is cut.
pub const SOME_MEMBERS: usize = 12;
/// Letters of a list of names.
pub const NAMES: usize = 240;
/// Declarations of a file that are shown.
pub const MOST_DECLARED: usize = 60;

/// The parts of a semantic text that are there, the most important first.
pub type Sections = Vec<(&'static str, String)>;

/// What a piece says of itself, without its semantic text.
#[derive(Clone, Debug, Default)]
pub struct Facts {
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

/// The forms of a piece, the richest first.
#[derive(Clone, Debug)]
pub struct DetailLevels {
    /// Name and text.
    pub forms: Vec<(&'static str, String)>,
    /// The file of what it is about; none where that is not there any more.
    pub file: Option<FileId>,
}

/// How many forms a piece has whose semantic text has so many parts.
pub fn form_count(sections: usize) -> usize {
    sections + 4
}

/// The smallest form of any piece.
pub fn name_line(path: &str) -> String {
    format!("- {path}\n")
}

/// What a form is called that has the parts of the semantic text up to one.
pub const SECTION_FORMS: [&str; 5] = [
    "outline+ROLE",
    "outline+LIFECYCLE",
    "outline+EDGE_CASES",
    "outline+LIMITATIONS",
    "outline+RECOMMENDATIONS",
];

impl Facts {
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

/// The parts of a text in the form of `000` §3.5 that say something, the most important first.
pub fn sections(text: &str) -> Sections {
    let mut found = Sections::new();
    let mut current: Option<(&'static str, String)> = None;
    for line in text.lines() {
        let begun = SECTIONS.into_iter().find_map(|name| {
            let rest = line.strip_prefix(name)?.strip_prefix(':')?;
            Some((name, rest.trim().to_owned()))
        });
        match (begun, &mut current) {
            (Some(begun), current) => {
                found.extend(current.replace(begun));
            }
            (None, Some((_, text))) if !line.trim().is_empty() => {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line.trim_end());
            }
            _ => {}
        }
    }
    found.extend(current);
    found.retain(|(_, text)| !text.is_empty());
    found.sort_by_key(|(name, _)| SECTIONS.iter().position(|known| known == name));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    pub(super) fn the_parts_of_a_semantic_text() {
        let text = "# Semantic: A T_1\nStructureHash: X\n\nLIMITATIONS: none known\nROLE: Keeps nodes.\n\
                    Of all kinds.\nLIFECYCLE:\nRECOMMENDATIONS: Dispose it.\n";
        assert_eq!(
            sections(text),
            [
                ("ROLE", "Keeps nodes.\nOf all kinds.".to_owned()),
                ("LIMITATIONS", "none known".to_owned()),
                ("RECOMMENDATIONS", "Dispose it.".to_owned()),
            ]
        );
        assert!(sections("").is_empty());
    }
}
