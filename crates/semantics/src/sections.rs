//! The paragraphs of a semantic text (`000` §3.5).

/// What a semantic text says of a type, paragraph by paragraph, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextSections {
    /// What the type is for.
    Role,
    /// How it comes to be, is used and ends.
    Lifecycle,
    /// What happens at the borders.
    EdgeCases,
    /// What it cannot do.
    Limitations,
    /// What who uses it should do.
    Recommendations,
}

impl TextSections {
    /// Every paragraph, in the order of files.
    pub const ALL: [Self; 5] = [
        Self::Role,
        Self::Lifecycle,
        Self::EdgeCases,
        Self::Limitations,
        Self::Recommendations,
    ];

    /// Its heading, without the colon.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Role => "ROLE",
            Self::Lifecycle => "LIFECYCLE",
            Self::EdgeCases => "EDGE_CASES",
            Self::Limitations => "LIMITATIONS",
            Self::Recommendations => "RECOMMENDATIONS",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|section| section.as_str() == word)
    }
}

/// What a line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heading<'a> {
    /// A paragraph, and what is on its heading's line already.
    Known(TextSections, &'a str),
    /// A heading of something else.
    Unknown(&'a str),
    /// Nothing: it is text.
    None,
}

/// Reads a line as a heading: `ROLE:`, with text behind it or not, also as Markdown writes headings (`## ROLE`,
/// `**ROLE:**`). Other capitals are a heading only alone on their line: `NOTE: …` is prose.
pub(crate) fn heading(line: &str) -> Heading<'_> {
    let bare = line.trim().trim_start_matches(['#', '*', '_', ' ']);
    let end = bare
        .find(|c: char| !(c.is_ascii_uppercase() || c == '_'))
        .unwrap_or(bare.len());
    let (word, rest) = bare.split_at(end);
    let word = word.trim_end_matches('_');
    if word.is_empty() {
        return Heading::None;
    }
    let rest = rest.trim_start_matches(['*', ' ']);
    let is_markdown = line.trim_start().starts_with('#');
    let behind = match rest.strip_prefix(':') {
        Some(behind) => behind.trim_start_matches('*').trim(),
        None if rest.is_empty() && is_markdown => "",
        None => return Heading::None,
    };
    match TextSections::from_word(word) {
        Some(section) => Heading::Known(section, behind),
        None if behind.is_empty() && word.len() > 2 => Heading::Unknown(word),
        None => Heading::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_told_from_prose() {
        for (line, expected) in [
            ("ROLE:", Heading::Known(TextSections::Role, "")),
            (
                "ROLE: keeps nodes",
                Heading::Known(TextSections::Role, "keeps nodes"),
            ),
            ("## EDGE_CASES", Heading::Known(TextSections::EdgeCases, "")),
            (
                "**LIMITATIONS:** few\r",
                Heading::Known(TextSections::Limitations, "few"),
            ),
            ("OPINION:", Heading::Unknown("OPINION")),
            ("NOTE: it is slow", Heading::None),
            ("ROLE of the store", Heading::None),
            ("Role: no", Heading::None),
            ("", Heading::None),
            ("- ROLE:", Heading::None),
        ] {
            assert_eq!(heading(line), expected, "{line}");
        }
    }
}
