//! One consistent view of the workspace, for the length of a call.

use std::ops::Deref;

use codecortex_answer::Call;
use codecortex_index::{Index, Overlay};
use codecortex_ledger::Ledger;
use codecortex_protocol::Config;
use rustc_hash::FxHashMap;

use crate::analysis::Analysis;
use crate::documents::OpenDocument;
use crate::workspace::WorkspaceFolders;

/// What is known, who asks, and what types were called before.
pub struct AnalysisView<'a> {
    /// What is known.
    pub code: &'a Analysis,
    /// Who asks.
    pub call: &'a Call,
    /// The ledger of each root's `.context/`, where it has one.
    pub ledgers: Vec<Option<&'a Ledger>>,
    /// What is known of each file.
    pub index: &'a Index,
    /// Which files there are.
    pub workspace: &'a WorkspaceFolders,
    /// The settings of the workspace.
    pub config: &'a Config,
    /// Open documents by absolute path.
    pub documents: &'a FxHashMap<String, OpenDocument>,
    /// The revision of the index.
    pub revision: u32,
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
            index: code.index(),
            workspace: code.workspace(),
            config: code.config(),
            documents: code.documents(),
            revision: code.revision(),
        }
    }
}
