//! What a folder `.context/` said when it was read, what it has to say now, and what is on its way to the disk, as values (SPEC D3, D17).

mod contexts;
mod folder;

pub use contexts::{Contexts, PendingRequest, Purpose};
pub use folder::{ContextFailure, ContextReport, ContextState, FOLDER, FolderPhase};
