//! Places in files and symbols as callers write them and as answers show them (SPEC TC2, TC4, TC7).

use codecortex_answer::Detour;
use codecortex_protocol::ToolError;
use codecortex_syntax::Item;
use codecortex_text::Utf16Position;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::disk_text::TextRef;

/// A place as the Language Server Protocol has it: from 0, in UTF-16 units (SPEC TC7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LspPosition {
    /// Line, from 0.
    pub line: u32,
    /// UTF-16 units, from 0.
    pub character: u32,
}

impl From<(u32, u32)> for LspPosition {
    fn from((line, character): (u32, u32)) -> Self {
        Self { line, character }
    }
}

/// A range as the Language Server Protocol has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LspRange {
    /// Where it begins.
    pub start: LspPosition,
    /// Where it ends.
    pub end: LspPosition,
}

impl LspRange {
    /// Of a place that a language provider names outside of the index.
    pub fn of_outside(range: [(u32, u32); 2]) -> Self {
        let [start, end] = range.map(LspPosition::from);
        Self { start, end }
    }

    /// Of a declaration's name.
    pub fn of_name(item: &Item) -> Self {
        Self::between(item.name_start, item.name_end)
    }

    /// Of a whole declaration.
    pub fn of_item(item: &Item) -> Self {
        Self::between(item.start, item.end)
    }

    fn between(start: codecortex_text::Utf16Position, end: codecortex_text::Utf16Position) -> Self {
        let position = |at: codecortex_text::Utf16Position| LspPosition {
            line: at.line,
            character: at.character,
        };
        Self {
            start: position(start),
            end: position(end),
        }
    }

    /// First line, from 1.
    pub fn start_line(self) -> u32 {
        self.start.line + 1
    }

    /// Last line, from 1.
    pub fn end_line(self) -> u32 {
        self.end.line + 1
    }
}

/// The range of some bytes of a text, clamped to it.
pub fn range_of(text: &TextRef<'_>, bytes: std::ops::Range<u32>) -> LspRange {
    let document = &text.snapshot.text;
    let position = |byte: u32| {
        let at = document.position((byte as usize).min(document.len()));
        LspPosition {
            line: at.line,
            character: at.character,
        }
    };
    LspRange {
        start: position(bytes.start),
        end: position(bytes.end),
    }
}

/// A place in a file as an editor shows it.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[schemars(transform = drop_descriptions)]
pub struct EditorPosition {
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units.
    pub character: u32,
}

/// Removes the descriptions of a schema's fields. Every client pays for them in each tool that takes a position, and the
/// argument's own description gives base and unit (SPEC X5).
fn drop_descriptions(schema: &mut Schema) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for field in properties
        .into_iter()
        .flat_map(|fields| fields.values_mut())
        .filter_map(Value::as_object_mut)
    {
        field.remove("description");
    }
}

impl EditorPosition {
    /// The same from 0.
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

/// The resolved symbol.
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
    /// How what was asked for leads here, where it is not the symbol's own path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_by: Option<Detour>,
}

impl ResolvedSymbol {
    /// The id of the symbol itself.
    pub fn id(&self) -> &str {
        self.member_id.as_ref().unwrap_or(&self.type_id)
    }
}

/// Where something is declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// `rootName/relative/path`.
    pub file_path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, from 1.
    pub end_line: u32,
    /// Range of the name, for editors; from 0, UTF-16.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_range: Option<LspRange>,
    /// `cpp` or `external` for a declaration outside the workspace, which the file describes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
}

impl Location {
    /// `path:12-40`, or `path:12` for one line.
    pub fn short(&self) -> String {
        short_location(&self.file_path, self.start_line, self.end_line)
    }
}

/// `path:12-40`, or `path:12` for one line.
pub fn short_location(file_path: &str, start_line: u32, end_line: u32) -> String {
    if end_line > start_line {
        format!("{file_path}:{start_line}-{end_line}")
    } else {
        format!("{file_path}:{start_line}")
    }
}
