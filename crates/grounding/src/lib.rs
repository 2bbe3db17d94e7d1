//! Ties descriptions and investigations to the code: gathers the material for a prompt, checks conclusions against the
//! sources, and reads operations of other processes (SPEC SE1, IN1). It asks no model and writes nothing.

mod conclusion;
mod findings;
mod gather;
mod kept_operations;
mod operation_paths;
mod units;

pub use conclusion::{finish, is_current, shown_path};
pub use gather::{Gatherer, declarations};
pub use kept_operations::{kept_conversation, kept_operation};
pub use operation_paths::{for_file, from_file, scope_in_file};
pub use units::{DescribedFolders, SemanticUnit};
