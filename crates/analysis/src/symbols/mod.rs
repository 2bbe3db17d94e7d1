//! Symbols and files as callers name them and as answers show them (SPEC D20, TC2, TC4).

pub mod alternatives;
pub mod files;
pub mod find;
pub mod ids;
pub mod redirect;

use codecortex_index::File;
use codecortex_protocol::ToolError;
use codecortex_syntax::Item;
use codecortex_text::Utf16Position;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::subject::LspRange;
use crate::view::View;

pub use crate::symbols::alternatives::is_accessible;
pub use crate::symbols::files::{FoundFile, explain, not_indexed};

/// A place in a file as an editor shows it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct EditorPosition {
    /// Line from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// Character from 1, in UTF-16 units.
    #[schemars(range(min = 1))]
    pub character: u32,
}

impl EditorPosition {
    pub fn zero_based(self) -> Result<Utf16Position, ToolError> {
        if self.line == 0 || self.character == 0 {
            return Err(ToolError::invalid("`position` counts from 1.")
                .hint("Give line and character as an editor shows them, from 1."));
        }
        Ok(Utf16Position {
            line: self.line - 1,
            character: self.character - 1,
        })
    }
}

/// Which symbol an answer is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResolvedSymbol {
    /// Full path.
    pub path: String,
    /// Id of the type, or of the type or module that the member is in.
    pub type_id: String,
    /// Id of the member, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member_id: Option<String>,
    /// What it was asked for as, where that is what it was called before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirected_from: Option<String>,
}

impl ResolvedSymbol {
    /// The id of the symbol itself.
    fn id(&self) -> &str {
        self.member_id.as_ref().unwrap_or(&self.type_id)
    }
}

/// Where something is declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// `rootName/relative/path`.
    pub file_path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// For editors: of the name; from 0, UTF-16.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_range: Option<LspRange>,
}

impl Location {
    /// `path:12-40`, or `path:12` for one line.
    pub fn short(&self) -> String {
        short_location(&self.file_path, self.start_line, self.end_line)
    }
}

/// `path:12-40`, or `path:12` for one line.
fn short_location(file_path: &str, start_line: u32, end_line: u32) -> String {
    if end_line > start_line {
        format!("{file_path}:{start_line}-{end_line}")
    } else {
        format!("{file_path}:{start_line}")
    }
}

impl View<'_> {
    pub fn location(&self, file: &File, item: &Item) -> Location {
        Location {
            file_path: self.display_path(file),
            start_line: item.start.line + 1,
            end_line: item.end.line + 1,
            name_range: self.for_editor(|| LspRange::of_name(item)),
        }
    }

    /// What only editors have a use for.
    pub fn for_editor<T>(&self, what: impl FnOnce() -> T) -> Option<T> {
        self.call.is_editor.then(what)
    }
}
