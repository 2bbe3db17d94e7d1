//! A question about code.

use std::ops::Deref;

use codecortex_analysis::AnalysisView;

use crate::state::Providers;

/// What a question about code is asked of: the view of the workspace, and what language providers know.
pub struct Question<'a> {
    /// What is known, and who asks.
    pub view: AnalysisView<'a>,
    /// What language providers said.
    pub providers: &'a Providers,
}

impl<'a> Deref for Question<'a> {
    type Target = AnalysisView<'a>;

    fn deref(&self) -> &AnalysisView<'a> {
        &self.view
    }
}
