//! Which declarations a question in words is about, and their text within a budget; sees documents and edges as plain
//! values, no file system, no tools.

mod document;
mod features;
mod file_place;
mod flat;
mod foreign_words;
mod history;
mod hits;
mod index;
mod lexical;
mod lines;
mod links;
mod overview;
mod params;
mod query;
mod rank;
mod render;
mod roles;
mod select;
mod shares;
mod words;

pub use document::{Declaration, DeclarationClass, RetrievalDocument, Role};
pub use features::{FEATURES, Feature};
pub use file_place::is_replaced;
pub use history::{Commit, History, TouchedFile};
pub use index::Index;
pub use params::Params;
pub use query::{NamedPlace, Query};
pub use rank::{Ranked, Ranking};
pub use render::code_lines;
pub use select::{
    AnswerForm, CHARACTERS_A_TOKEN, DetailTier, EntryCosts, Prepared, SelectedFile, SelectedSymbol,
    SelectionRequest, Selector, SourceSelection, files_to_read, prepare, select,
};
pub use shares::SharesByBudget;
