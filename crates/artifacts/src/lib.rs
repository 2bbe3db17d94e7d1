//! The folder `.context/` of each root: when it is read and written, what it said, what is new to its ledger, and what is
//! on its way to the disk (SPEC D3, D17). A host reads and writes the files.

mod batch;
mod contexts;
mod external_writes;
mod folder;
mod folder_settings;
mod pending_writes;
mod requests;
mod room;
mod schedule;
mod update;

pub use contexts::{Contexts, PendingRequest, Purpose};
pub use external_writes::ReportedWrites;
pub use folder::{ContextFailure, ContextReport, ContextState, FOLDER, FolderPhase};
pub use pending_writes::{HeldCall, NotWritten, PATIENCE_MS, ReadyCall, Unwritten};
pub use schedule::{check_keeps, has_context, is_context_trusted};
