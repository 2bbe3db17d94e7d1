//! Symbols and files as callers name them and as answers show them (SPEC D20, TC2, TC4).

pub mod alternatives;
pub mod files;
pub mod find;
pub mod ids;
mod nameable;
mod other_paths;
pub mod redirect;

use codecortex_external::DeclarationOrigin;
use codecortex_index::IndexedFile;
use codecortex_syntax::Item;

use crate::external::origin_of;
use crate::place::{Location, LspRange};
use crate::view::AnalysisView;

pub use crate::symbols::alternatives::is_accessible;

impl AnalysisView<'_> {
    /// Where a declaration is.
    pub fn location(&self, file: &IndexedFile, item: &Item) -> Location {
        if let Some(origin) = origin_of(self, file) {
            return Self::location_outside(origin, item);
        }
        Location {
            file_path: self.display_path(file),
            start_line: item.start.line + 1,
            end_line: item.end.line + 1,
            name_range: self.for_editor(|| LspRange::of_name(item)),
            source: None,
        }
    }

    /// Where a declaration is described that is not of the workspace.
    fn location_outside(origin: &DeclarationOrigin, item: &Item) -> Location {
        let start_line = origin.line(item.name_start.line) + 1;
        Location {
            file_path: origin.path.clone(),
            start_line,
            end_line: match origin.is_itself() {
                true => item.end.line + 1,
                false => start_line,
            },
            name_range: None,
            source: Some(origin.source.as_str()),
        }
    }

    /// What only editors have a use for.
    pub fn for_editor<T>(&self, what: impl FnOnce() -> T) -> Option<T> {
        self.call.is_editor.then(what)
    }
}
