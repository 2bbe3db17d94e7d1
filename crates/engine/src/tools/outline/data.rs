//! What an outline is of and what an answer says.

use codecortex_analysis::place::{Location, LspRange, ResolvedSymbol};
use codecortex_answer::reply::Common;
use codecortex_index::{FileId, Symbol};
use codecortex_protocol::ToolError;
use codecortex_syntax::{Facts, Item, ItemIndex, Visibility};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tools::several::SeveralData;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Which {
    /// What can be used from outside: public and protected.
    Public,
    /// Everything.
    All,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum Docs {
    /// The first line of each comment.
    #[default]
    Summary,
    /// Comments whole.
    Full,
    /// Nothing.
    None,
}

/// Answer of `codecortex_getOutline`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutlineData {
    /// The resolved symbol; absent for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resolved: Option<ResolvedSymbol>,
    /// The file, or where the symbol is declared; further parts of a type are in `parts`.
    #[serde(flatten)]
    pub(super) location: Location,
    /// Language id.
    pub(super) language: String,
    /// Encoding of the file, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) encoding: Option<&'static str>,
    /// Package or namespace of the whole file, if it declares one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) package: Option<String>,
    /// Documentation of the file itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) doc: Option<String>,
    /// Other parts of the type.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) parts: Vec<Location>,
    /// Number of syntax errors in the file.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) syntax_errors: u16,
    /// Number of declarations, shown or not; for `outline` of signatures, for `source` of lines.
    pub(super) total: u32,
    /// The declarations, each before its contents; absent with `outlineText`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) declarations: Option<Vec<Declaration>>,
    /// The outline as text, in the requested form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outline_text: Option<String>,
    /// With `source`: the code of each declaration.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) sources: Vec<SourceData>,
    #[serde(flatten)]
    pub(super) several: SeveralData,
    #[serde(flatten)]
    pub(super) common: Common,
}

/// The code of a declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceData {
    /// The symbol; absent for a whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) resolved: Option<ResolvedSymbol>,
    #[serde(flatten)]
    pub(super) location: Location,
    /// Of the declaration with its documentation: `hash` of codecortex_refactor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hash: Option<String>,
    /// Its lines, each after its number, with the heads of what it is in and the fields there that it names; `… 12
    /// lines` stands for those left out.
    pub(super) source: String,
}

pub(crate) fn is_zero(number: &u16) -> bool {
    *number == 0
}

/// One line of an outline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Declaration {
    /// Simple name.
    pub(super) name: String,
    /// What is declared: `class`, `method`, `field` …
    pub(super) kind: &'static str,
    /// How deep it is nested, from 0.
    #[serde(skip_serializing_if = "is_zero_depth")]
    pub(super) depth: u8,
    /// The declaration as the language writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<String>,
    /// First line, from 1.
    pub(super) start_line: u32,
    /// Last line, from 1.
    pub(super) end_line: u32,
    /// Where it is, if elsewhere than the answer's `filePath`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file_path: Option<String>,
    /// For editors.
    #[serde(flatten)]
    pub(super) ranges: Option<Ranges>,
    /// Documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) doc: Option<String>,
    /// Names of attributes, decorators and specifiers; `editorOnly` in an arm of `#if EDITOR`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
    /// Who may use it.
    #[serde(skip)]
    pub(super) visibility: Visibility,
    /// Whether it is declared inside running code.
    #[serde(skip)]
    pub(super) is_local: bool,
}

/// Where exactly a declaration is, as the Language Server Protocol has it: from 0, UTF-16.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ranges {
    /// Of the whole declaration.
    pub(super) range: LspRange,
    /// Of its name.
    pub(super) name_range: LspRange,
}

impl Ranges {
    pub(super) fn from_item(item: &Item) -> Self {
        Self {
            range: LspRange::of_item(item),
            name_range: LspRange::of_name(item),
        }
    }
}

pub(crate) fn is_zero_depth(depth: &u8) -> bool {
    *depth == 0
}

/// What an outline is of.
pub(crate) enum OutlineSubject<'a> {
    /// The declarations of one path.
    Symbols(Vec<Symbol>),
    /// A file.
    File(FileFacts<'a>),
}

/// What a file says, in the index or outside of every folder.
pub(crate) struct FileFacts<'a> {
    pub(super) facts: &'a Facts,
    pub(super) display: String,
    /// Absolute.
    pub(super) path: String,
    pub(super) id: Option<FileId>,
    /// Of a file that is not in the index: only this declaration and what is in it.
    pub(super) around: Option<ItemIndex>,
    pub(super) unsaved: bool,
}

/// The error for a cursor that is past the end of what it goes through.
pub(crate) fn check_start(start: usize, total: usize) -> Result<(), ToolError> {
    if start <= total {
        return Ok(());
    }
    Err(ToolError::invalid(format!(
        "`cursor` is past the {total} declarations."
    )))
}
