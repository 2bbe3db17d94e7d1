//! One consistent view of the workspace, for the length of a call.

use std::ops::Deref;

use codecortex_ledger::Ledger;

use crate::analysis::Analysis;
use crate::call::Call;

/// What is known, who asks, and what types were called before.
pub(crate) struct View<'a> {
    pub(crate) code: &'a Analysis,
    pub(crate) call: &'a Call,
    /// The ledger of each root's `.context/`, where it has one.
    pub(crate) ledgers: Vec<Option<&'a Ledger>>,
}

impl Deref for View<'_> {
    type Target = Analysis;

    fn deref(&self) -> &Analysis {
        self.code
    }
}

impl<'a> View<'a> {
    /// For what no caller asked.
    pub(crate) fn new(
        code: &'a Analysis,
        call: &'a Call,
        ledgers: Vec<Option<&'a Ledger>>,
    ) -> Self {
        Self {
            code,
            call,
            ledgers,
        }
    }
}
