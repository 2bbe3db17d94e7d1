//! What every use of a name means, across files: definitions, references, members, hierarchy.
//!
//! [`Workspace`] joins the bindings of all files and resolves nothing by itself. A [`Resolver`] resolves on
//! demand with a memory of its own: names through scopes and imports, members through bounded inference.
//! What languages do differently is one file each in `lang/`.

mod affected_names;
mod at_position;
mod bindings_source;
mod call;
mod case_folding;
mod conditional;
mod contextual;
mod dangling_uses;
mod disambiguate;
mod exports;
mod exprs;
mod file;
mod hierarchy;
mod hints;
mod ids;
mod infer;
mod infer_type_args;
mod lang;
mod lazy_files;
mod library_functions;
mod library_types;
mod list;
mod lookup;
mod lower_type;
mod mapped_types;
mod meant_types;
mod members;
mod memo;
mod missing_modules;
mod module_uses;
mod narrow;
mod object_keys;
mod outside;
mod overloads;
mod overrides;
pub mod parallel;
mod paths;
mod postings;
mod questions;
mod receiver_chains;
mod references;
mod relations;
mod resolution;
mod resolver;
mod scripts;
mod signature_deps;
mod symbol_identity;
mod symbol_names;
mod this;
mod ty;
mod type_names;
mod type_parts;
mod workspace;

pub use affected_names::AffectedNames;
pub use bindings_source::BindingsSource;
pub use file::BoundFile;
pub use hierarchy::UnsureSubtypes;
pub use hints::{Brought, Hints, Mapping, OwnImport, OwnImports, SearchPath, Using};
pub use ids::{DefRef, ExprRef, FileNo, Name};
pub use lang::{LANGUAGES, Languages};
pub use lazy_files::{CachedNames, LazyFile};
pub use missing_modules::MissingModule;
pub use references::{ConfidenceTier, MAX_ASKED_OF_EACH, Reference, RoleOf, SymbolUses};
pub use resolution::ResolvedTarget;
pub use resolver::Resolver;
pub use scripts::{MemberTemplate, ScriptImports, ScriptRules};
pub use signature_deps::NamedTypes;
pub use type_names::AllTypes;
pub use workspace::Workspace;
