//! What is chosen, as answers show it.

/// Characters of text that are counted as a token.
pub const CHARACTERS_A_TOKEN: usize = 4;

/// How much of a declaration is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DetailTier {
    /// Its name.
    Name,
    /// The line that declares it.
    Signature,
    /// Some lines of it.
    Lines,
    /// All of it.
    Body,
}

impl DetailTier {
    /// The word in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Signature => "signature",
            Self::Lines => "lines",
            Self::Body => "body",
        }
    }
}

/// A declaration that is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedSymbol {
    /// Its name; empty for what is outside of declarations.
    pub name: String,
    /// The name of what it is in; empty at the top level.
    pub container: String,
    /// The word for its kind.
    pub kind: &'static str,
    /// Its first line, counted from 1.
    pub line_start: u32,
    /// Its last line.
    pub line_end: u32,
    /// How much of it is shown.
    pub tier: DetailTier,
    /// The lines that are shown, each with its number; none for a name.
    pub lines: Vec<(u32, String)>,
    /// Whether the text has it in the row of its container.
    pub in_row: bool,
    /// How likely the question is about it, 0 to 1.
    pub share: f32,
    /// What speaks for it.
    pub why: Vec<&'static str>,
}

/// A file of which something is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectedFile {
    /// Its path.
    pub path: String,
    /// What is shown, in source order.
    pub symbols: Vec<SelectedSymbol>,
}

/// What fits into a budget, the best file first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceSelection {
    /// The files.
    pub files: Vec<SelectedFile>,
    /// As text (SPEC D11).
    pub text: String,
    /// Tokens of the text, a quarter of its characters.
    pub tokens: usize,
    /// Declarations of the ranking that are not shown.
    pub left_out: usize,
}

/// Characters that the entries of a structured form take beside names, paths and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryCosts {
    /// Of a file's entry.
    pub file: usize,
    /// Of a declaration's entry.
    pub symbol: usize,
    /// Of the field with its code.
    pub code: usize,
}

/// What the chosen is written as: what a name costs beside code depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerForm {
    /// Text: names in rows, code with its numbers.
    #[default]
    Text,
    /// JSON with an entry for each file and each declaration.
    Json(EntryCosts),
}

/// How much is chosen, for which form and by which rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionRequest {
    /// Tokens of what is chosen in its form.
    pub tokens: usize,
    /// What it is written as.
    pub form: AnswerForm,
    /// How declarations are chosen.
    pub selector: Selector,
}

/// How declarations are chosen (SPEC RM1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selector {
    /// By gain for cost, in tiers.
    #[default]
    Ranked,
    /// Signatures in the order of the ranking until the budget is full.
    SimpleLimit,
}
