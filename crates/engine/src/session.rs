//! What one workspace is: the state of each room. No room names another's.

use std::collections::VecDeque;

use codecortex_analysis::analysis::Analysis;
use codecortex_analysis::view::View;
use codecortex_answer::Call;
use codecortex_artifacts::Contexts;
use codecortex_context::{Context, Sources};
use codecortex_ide::Providers;
use codecortex_protocol::paths::Place;
use codecortex_protocol::{ModelRequest, ToolError};
use codecortex_telemetry::Spend;
use serde_json::Value;

use crate::live::edit::Edit;
use crate::live::state::Live;
use crate::observations::asked::Asked;
use crate::reviews::Reviews;
use crate::semantics::Semantics;
use crate::semantics::models::Models;

/// One workspace.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Which files there are and what is known of each.
    pub(crate) code: Analysis,
    /// The `.context/` of each root.
    pub(crate) contexts: Contexts,
    /// The past of documents, and what the editor shows.
    pub(crate) live: Live,
    /// What a model is told.
    pub(crate) context: Context,
    /// What answers cost.
    pub(crate) spend: Spend,
    /// What the editor's language providers know.
    pub(crate) providers: Providers,
    /// What is reviewed.
    pub(crate) review: Reviews,
    /// The model that the host has.
    pub(crate) models: Models,
    /// Texts that are being described.
    pub(crate) semantics: Semantics,
    /// Calls of the engine's own that are to be made.
    pub(crate) internal: VecDeque<InternalCall>,
    /// What the stores of observations were asked.
    pub(crate) observations: Asked,
    /// What calls may have waited for.
    pub(crate) arrivals: Vec<Arrival>,
}

/// A call that the engine makes itself; its answer is for nobody outside.
#[derive(Debug)]
pub(crate) struct InternalCall {
    /// Its number; calls of others have other ones.
    pub(crate) id: u32,
    /// What is called.
    pub(crate) name: &'static str,
    /// The arguments.
    pub(crate) args: Value,
}

/// Something that a call may wait for is here, or as far as it will come.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A file was read, or is gone.
    File(Place),
    /// What was fetched of a root: its projects, or its `.context/`.
    Root(u32),
    /// The texts of files.
    Texts,
    /// What language providers say, for the call of this number.
    Providers(u32),
    /// The commits of a root.
    History(u32),
    /// What differs, for the call of this number.
    Diff(u32),
    /// What a model says to this.
    Model(ModelRequest),
    /// What a store of observations says, for the call of this number.
    Memory(u32),
    /// The edit of this number is done, or failed.
    Edit(u32, Result<Box<Edit>, ToolError>),
}

impl Session {
    /// The view of the code that a call has.
    pub(crate) fn view<'a>(&'a self, call: &'a Call) -> View<'a> {
        let folders = self.contexts.folders.iter();
        View::new(
            &self.code,
            call,
            folders.map(|folder| folder.ledger.as_ref()).collect(),
        )
    }

    /// What the prompt window and packs are chosen from.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            code: &self.code,
            folders: &self.contexts.folders,
            context: &self.context,
        }
    }
}
