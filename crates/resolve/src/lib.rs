//! What every use of a name means, across files: definitions, references, members, hierarchy.
//!
//! [`Workspace`] joins the bindings of all files and resolves nothing by itself. A [`Query`] resolves on
//! demand with a memory of its own: names through scopes and imports, members through bounded inference.
//! What languages do differently is one file each in `lang/`.

mod call;
mod chains;
mod choose;
mod chunks;
mod conditional;
mod containers;
mod denote;
mod expected;
mod exprs;
mod family;
mod file;
mod heads;
mod hierarchy;
mod hints;
mod homonyms;
mod infer;
mod keys;
mod lang;
mod list;
mod lookup;
mod mapped;
mod members;
mod memo;
mod narrow;
mod overloads;
mod places;
mod postings;
mod query;
mod references;
mod relations;
mod shelf;
mod surface;
mod target;
mod ty;
mod unify;
mod workspace;

pub use file::File;
pub use heads::{AllTypes, NamedTypes};
pub use hints::{Brought, Hints, Mapping, Using};
pub use query::Query;
pub use references::{MOST_ASKED_OF_EACH, Reference, RoleOf, Tier};
pub use shelf::{Shelf, Shelved, ShelvedNames};
pub use surface::ChangedNames;
pub use target::Target;
pub use workspace::{DefRef, ExprRef, FileNo, Sym, Workspace};
