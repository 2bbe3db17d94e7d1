//! What every use of a name means, across files: definitions, references, members, hierarchy.
//!
//! [`Workspace`] joins the bindings of all files and resolves nothing by itself. A [`Resolver`] resolves on
//! demand with a memory of its own: names through scopes and imports, members through bounded inference.
//! What languages do differently is one file each in `lang/`.

mod at_position;
mod cache_source;
mod call;
mod conditional;
mod contextual;
mod disambiguate;
mod exports;
mod exprs;
mod family;
mod file;
mod hierarchy;
mod hints;
mod infer;
mod infer_type_args;
mod lang;
mod library_types;
mod list;
mod lookup;
mod lower_type;
mod mapped;
mod members;
mod memo;
mod narrow;
mod object_keys;
mod overloads;
mod parallel;
mod postings;
mod receiver_chains;
mod references;
mod relations;
mod resolution;
mod resolver;
mod signature_deps;
mod ty;
mod workspace;

pub use cache_source::{CacheSource, CachedNames, LazyFile};
pub use exports::AffectedNames;
pub use file::File;
pub use hints::{Brought, Hints, Mapping, Using};
pub use references::{MOST_ASKED_OF_EACH, Reference, RoleOf, Tier};
pub use resolution::Target;
pub use resolver::Resolver;
pub use signature_deps::{AllTypes, NamedTypes};
pub use workspace::{DefRef, ExprRef, FileNo, Name, Workspace};
