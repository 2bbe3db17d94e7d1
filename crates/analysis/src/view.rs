//! One consistent view of the workspace, for the length of a call.

use std::ops::Deref;

use codecortex_answer::Call;
use codecortex_index::Overlay;
use codecortex_ledger::Ledger;

use crate::analysis::Analysis;

/// What is known, who asks, and what types were called before.
pub struct AnalysisView<'a> {
    /// What is known.
    pub code: &'a Analysis,
    /// Who asks.
    pub call: &'a Call,
    /// The ledger of each root's `.context/`, where it has one.
    pub ledgers: Vec<Option<&'a Ledger>>,
}

impl Deref for AnalysisView<'_> {
    type Target = Analysis;

    fn deref(&self) -> &Analysis {
        self.code
    }
}

impl<'a> AnalysisView<'a> {
    /// Whether the declarations of generated code that were read are shown to who asks.
    #[must_use]
    pub fn overlay(&self) -> Overlay {
        match self.call.sees_generated {
            true => Overlay::Shown,
            false => Overlay::Hidden,
        }
    }

    /// For what no caller asked.
    pub fn new(code: &'a Analysis, call: &'a Call, ledgers: Vec<Option<&'a Ledger>>) -> Self {
        Self {
            code,
            call,
            ledgers,
        }
    }
}
