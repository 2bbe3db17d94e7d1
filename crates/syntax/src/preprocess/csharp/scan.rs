//! What a C# text is read as for its conditional directives: tokens, the brackets around them, branches.

use std::ops::Range;

use super::tokens::{CSharpToken, CSharpWord, is_value};

/// Where a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenPosition {
    /// Statements or declarations.
    Block,
    /// Arguments, what an index is.
    List,
    /// Elements in braces: of an initialiser, a `switch` that is an expression, an enumeration.
    Elements,
}

#[derive(Clone, Debug, Default)]
pub(super) struct CSharpScanState {
    pub(super) open: Vec<TokenPosition>,
    /// The token before; nothing at the start.
    pub(super) before: Option<usize>,
    /// Whether something is being made since the last statement or bracket began, so that a brace opens a list.
    makes: bool,
    /// The same outside of each open bracket.
    made: Vec<bool>,
}

/// One branch of a group.
pub(super) struct Branch {
    /// The directive that begins it.
    pub(super) directive: usize,
    /// Its tokens.
    pub(super) tokens: Range<usize>,
    /// Brackets are as they were before it.
    pub(super) is_balanced: bool,
    /// What was found in it, in the list of what is blanked.
    pub(super) out: Range<usize>,
    pub(super) after: CSharpScanState,
}

/// What is blanked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blank {
    /// Where, in one line if something is put there.
    pub(super) range: Range<usize>,
    /// What is put at its beginning.
    pub(super) put: &'static str,
}

impl Blank {
    pub(super) fn nothing(range: Range<usize>) -> Self {
        Self { range, put: "" }
    }
}

pub(super) struct CSharpScan<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [CSharpToken],
    pub(super) out: Vec<Blank>,
}

impl CSharpScan<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        &self.text[self.tokens[at].range.clone()]
    }

    pub(super) fn code(&self, at: usize, state: &mut CSharpScanState) {
        match self.word(at) {
            "(" | "[" => {
                state.open.push(TokenPosition::List);
                state.made.push(std::mem::take(&mut state.makes));
            }
            "{" => {
                state.open.push(self.brace(state));
                state.made.push(false);
                state.makes = false;
            }
            ")" | "]" | "}" => {
                state.open.pop();
                state.makes = state.made.pop().unwrap_or_default();
            }
            ";" => state.makes = false,
            "new" | "enum" | "stackalloc" => state.makes = true,
            "=>" | "class" | "struct" | "interface" | "record" => state.makes = false,
            // `new T Name`: what is declared is new, not what follows.
            word if state.makes && is_value(word) && self.is_name_behind_type(state) => {
                state.makes = false;
            }
            _ => {}
        }
        state.before = Some(at);
    }

    /// What a brace opens.
    fn brace(&self, state: &CSharpScanState) -> TokenPosition {
        let before = state.before.map_or("", |at| self.word(at));
        match before {
            "=" | "," | "(" | "[" | "switch" | "with" | "is" | "case" | "??" | "not" | "and"
            | "or" => TokenPosition::Elements,
            "{" if is_list(state) => TokenPosition::Elements,
            _ if state.makes && !self.is_constraint(state) => TokenPosition::Elements,
            _ => TokenPosition::Block,
        }
    }

    /// Whether a name here is one that is declared: a type stands before it.
    fn is_name_behind_type(&self, state: &CSharpScanState) -> bool {
        let before = state.before.map_or("", |at| self.word(at));
        !matches!(before, "new" | "stackalloc" | "enum") && (is_value(before) || before == ">")
    }

    /// Whether `new()` before a brace says what a type parameter stands for.
    fn is_constraint(&self, state: &CSharpScanState) -> bool {
        let word = |back: usize| {
            let at = state.before.and_then(|at| at.checked_sub(back));
            at.map_or("", |at| self.word(at))
        };
        let is_new = word(2) == "new" && word(1) == "(" && word(0) == ")";
        is_new && matches!(word(3), ":" | ",") && !is_list(state)
    }

    /// First and last word of a branch.
    pub(super) fn ends(&self, branch: &Branch) -> Option<(&str, &str)> {
        let code = |at: &usize| self.tokens[*at].word == CSharpWord::Code;
        let first = branch.tokens.clone().find(code)?;
        let last = branch.tokens.clone().rev().find(code)?;
        Some((self.word(first), self.word(last)))
    }
}

/// Whether what comes next is one of several between brackets.
pub(super) fn is_list(state: &CSharpScanState) -> bool {
    matches!(
        state.open.last(),
        Some(TokenPosition::List | TokenPosition::Elements)
    )
}
