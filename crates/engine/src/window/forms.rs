//! What a piece of the window says, from everything to its name (SPEC PW1, `000` §8).
//!
//! In the order in which it is given up: recommendations, limitations, edge cases, life cycle, role — the
//! parts of a semantic text — then the outline's members beyond the first, its signatures, all but the name.

use codecortex_analysis::artefacts::outline::bare_outline;
use codecortex_index::{FileId, HashRules, Symbol};
use codecortex_protocol::paths::display;
use codecortex_syntax::Flags;

use crate::engine::Engine;
use crate::window::candidates::Candidate;

/// The parts of a semantic text, the most important first (SPEC D23).
pub(crate) const SECTIONS: [&str; 5] = [
    "ROLE",
    "LIFECYCLE",
    "EDGE_CASES",
    "LIMITATIONS",
    "RECOMMENDATIONS",
];
/// Members of an outline that is cut.
const SOME_MEMBERS: usize = 12;
/// Letters of a list of names.
const NAMES: usize = 240;
/// Declarations of a file that are shown.
const MOST_DECLARED: usize = 60;

/// The parts of a semantic text that are there, the most important first.
pub(crate) type Sections = Vec<(&'static str, String)>;

/// What a piece says of itself, without its semantic text.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// `class`, `file` …
    kind: String,
    /// Where it is.
    place: String,
    doc: String,
    /// Signatures of what others see.
    api: Vec<String>,
    /// Names of the same.
    names: Vec<String>,
    /// Further lines.
    more: Vec<String>,
    /// The file that it is in; none where it is not there any more.
    file: Option<FileId>,
}

/// The forms of a piece, the richest first.
#[derive(Clone, Debug)]
pub(crate) struct Ladder {
    /// Name and text.
    pub(crate) forms: Vec<(&'static str, String)>,
    /// The file of what it is about; none where that is not there any more.
    pub(crate) file: Option<FileId>,
}

/// How many forms a piece has whose semantic text has so many parts.
pub(crate) fn form_count(sections: usize) -> usize {
    sections + 4
}

/// The smallest form of any piece.
pub(crate) fn name_line(path: &str) -> String {
    format!("- {path}\n")
}

impl Engine {
    /// The forms of a piece.
    pub(crate) fn ladder(&self, candidate: &Candidate) -> Ladder {
        let facts = self.facts_of_piece(candidate).unwrap_or_default();
        let path = &candidate.entry.path;
        let sections = self.sections_of(candidate.root, &candidate.entry.id);
        let outline = |members: usize| facts.outline(path, members);
        let mut forms = Vec::with_capacity(form_count(sections.len()));
        for count in (1..=sections.len()).rev() {
            let mut text = outline(usize::MAX);
            for (name, section) in &sections[..count] {
                text += &format!("{name}: {section}\n");
            }
            forms.push((SECTION_FORMS[count - 1], text));
        }
        forms.push(("outline", outline(usize::MAX)));
        forms.push(("outline, cut", outline(SOME_MEMBERS)));
        forms.push(("names", facts.names(path)));
        forms.push(("name", name_line(path)));
        Ladder {
            forms,
            file: facts.file,
        }
    }

    /// The parts of a type's semantic text that are there, the most important first.
    pub(crate) fn sections_of(&self, root: u32, id: &str) -> &[(&'static str, String)] {
        let known = self.window_texts.get(&root).and_then(|own| own.get(id));
        known.map_or(&[], Vec::as_slice)
    }

    fn facts_of_piece(&self, candidate: &Candidate) -> Option<Facts> {
        if let Some(path) = candidate.entry.id.strip_prefix("file:") {
            return self.facts_of_file(candidate.root, path);
        }
        let symbol =
            self.symbol_of_entry(candidate.root, &candidate.entry.id, &candidate.entry.path)?;
        self.type_facts(symbol)
            .or_else(|| self.member_facts(symbol))
    }

    fn type_facts(&self, symbol: Symbol) -> Option<Facts> {
        let outline = bare_outline(&self.code, symbol, HashRules::default())?;
        let (file, item) = self.code.index.get(symbol)?;
        let members = self.code.index.members(symbol).into_iter();
        let names = members.filter_map(|member| {
            let (file, item) = self.code.index.get(member)?;
            let is_seen = !item.flags.contains(Flags::LOCAL);
            is_seen.then(|| file.facts.str(item.name).to_owned())
        });
        let mut more = Vec::new();
        if !outline.implements.is_empty() {
            more.push(format!("Implements: {}", outline.implements.join(", ")));
        }
        if !outline.depends_on.is_empty() {
            more.push(format!("DependsOn: {}", outline.depends_on.join(", ")));
        }
        Some(Facts {
            kind: outline.kind,
            place: self.code.short_location(file, item),
            doc: outline.doc,
            api: outline.api,
            names: names.collect(),
            more,
            file: Some(symbol.file),
        })
    }

    fn member_facts(&self, symbol: Symbol) -> Option<Facts> {
        let (file, item) = self.code.index.get(symbol)?;
        let signature = file.facts.str(item.signature);
        Some(Facts {
            kind: item.kind.as_str().to_owned(),
            place: self.code.short_location(file, item),
            doc: file
                .facts
                .str(item.doc)
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
            api: vec![signature.to_owned()],
            file: Some(symbol.file),
            ..Facts::default()
        })
    }

    fn facts_of_file(&self, root: u32, path: &str) -> Option<Facts> {
        let id = self.code.index.file_id(root, path)?;
        let file = self.code.index.file(id)?;
        let declared = file.facts.items.iter().filter(|item| {
            item.parent.is_none() || item.kind.is_type() && !item.flags.contains(Flags::LOCAL)
        });
        let (mut api, mut names) = (Vec::new(), Vec::new());
        for item in declared.take(MOST_DECLARED) {
            let signature = file.facts.str(item.signature);
            let name = file.facts.str(item.name);
            let shown = if signature.is_empty() {
                name
            } else {
                signature
            };
            if !shown.is_empty() {
                api.push(format!("{} {shown}", item.start.line + 1));
                names.push(name.to_owned());
            }
        }
        let root = self.code.workspace.roots.get(root as usize)?;
        Some(Facts {
            kind: "file".to_owned(),
            place: display(root, path),
            api,
            names,
            file: Some(id),
            ..Facts::default()
        })
    }
}

/// What a form is called that has the parts of the semantic text up to one.
const SECTION_FORMS: [&str; 5] = [
    "outline+ROLE",
    "outline+LIFECYCLE",
    "outline+EDGE_CASES",
    "outline+LIMITATIONS",
    "outline+RECOMMENDATIONS",
];

impl Facts {
    fn head(&self, path: &str) -> String {
        match self.kind.is_empty() {
            true => format!("### {path} (not there any more)\n"),
            false => format!("### {path} [{}] {}\n", self.kind, self.place),
        }
    }

    fn outline(&self, path: &str, members: usize) -> String {
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

    fn names(&self, path: &str) -> String {
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
pub(crate) fn sections(text: &str) -> Sections {
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
    fn the_parts_of_a_semantic_text() {
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
