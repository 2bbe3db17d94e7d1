//! What requests are made from, in the answers of the tools. Ranges count from 0, in UTF-16 units.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub(crate) struct TextPlace {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// A stretch of a text.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: TextPlace,
    pub(crate) end: TextPlace,
}

/// A place in a file, as answers name files.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Located {
    pub(crate) file_path: String,
    pub(crate) range: Span,
}

/// Answer of `codecortex_resolveSymbolAtPosition`.
#[derive(Debug, Deserialize)]
pub(crate) struct PositionAnswer {
    pub(crate) resolved: Option<Resolved>,
    pub(crate) symbol: NamedSymbol,
}

/// The ids of a symbol.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Resolved {
    pub(crate) path: String,
    pub(crate) type_id: String,
    pub(crate) member_id: Option<String>,
}

/// A symbol with its declarations.
#[derive(Debug, Deserialize)]
pub(crate) struct NamedSymbol {
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) signature: Option<String>,
    pub(crate) doc: Option<String>,
    pub(crate) definition: DefinitionPlace,
    #[serde(default)]
    pub(crate) definitions: Vec<DefinitionPlace>,
}

/// A declaration.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DefinitionPlace {
    pub(crate) file_path: String,
    pub(crate) range: Span,
    pub(crate) name_range: Span,
    pub(crate) tier: Option<String>,
}

/// Answer of `codecortex_findReferences`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReferencesAnswer {
    #[serde(default)]
    pub(crate) references: Vec<Located>,
    #[serde(default)]
    pub(crate) declarations: Vec<DeclaredSymbol>,
    pub(crate) next_cursor: Option<String>,
}

/// A declaration with the places where it calls or is called.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeclaredSymbol {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) file_path: String,
    pub(crate) range: Span,
    pub(crate) name_range: Span,
    #[serde(default)]
    pub(crate) sites: Vec<Located>,
}

/// Answer of `codecortex_getOutline`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OutlineAnswer {
    #[serde(default)]
    pub(crate) declarations: Vec<Outlined>,
    pub(crate) next_cursor: Option<String>,
}

/// A declaration of an outline, before what is in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Outlined {
    pub(crate) name: String,
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) depth: u32,
    #[serde(default)]
    pub(crate) signature: String,
    pub(crate) range: Option<Span>,
    pub(crate) name_range: Option<Span>,
}

/// Answer of `codecortex_searchApi`.
#[derive(Debug, Deserialize)]
pub(crate) struct SearchAnswer {
    pub(crate) items: Vec<Searched>,
}

/// A declaration that was found.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Searched {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) file_path: String,
    pub(crate) name_range: Option<Span>,
}

/// Answer of `codecortex_getClassHierarchy`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HierarchyAnswer {
    pub(crate) root: String,
    pub(crate) bases_by_class: BTreeMap<String, Vec<String>>,
    pub(crate) derived_by_parent: BTreeMap<String, Vec<String>>,
    pub(crate) source_by_class: BTreeMap<String, TypePlace>,
}

/// Where a type is declared.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TypePlace {
    pub(crate) file_path: Option<String>,
    pub(crate) name_range: Option<Span>,
}

/// Answer of `editor_members`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MembersAnswer {
    pub(crate) members: Vec<MemberEntry>,
    pub(crate) next_cursor: Option<String>,
}

/// A member of a type.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberEntry {
    pub(crate) kind: String,
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) signature: String,
    pub(crate) inherited_from: Option<String>,
    pub(crate) doc: Option<String>,
}

/// Answer of an `editor_` tool about a document.
#[derive(Debug, Deserialize)]
pub(crate) struct DocumentAnswer<T> {
    pub(crate) items: Vec<T>,
}

/// An entry of `editor_syntaxErrors`.
#[derive(Debug, Deserialize)]
pub(crate) struct Unread {
    pub(crate) range: Span,
    pub(crate) missing: Option<String>,
}

/// An entry of `editor_names`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ColouredName {
    pub(crate) range: Span,
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) is_declaration: bool,
    #[serde(default, rename = "static")]
    pub(crate) is_static: bool,
}

/// Answer of `codecortex_refactor`: a plan.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlanAnswer {
    pub(crate) summary: String,
    pub(crate) files: Vec<PlannedFile>,
}

/// What a plan does to a file.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PlannedFile {
    pub(crate) file_path: String,
    /// `created`, `deleted` or `moved`.
    pub(crate) operation: Option<String>,
    pub(crate) moved_to: Option<String>,
    pub(crate) change: Option<PlannedChange>,
}

/// The replacements in a file.
#[derive(Debug, Deserialize)]
pub(crate) struct PlannedChange {
    /// The version of the engine; absent where no editor holds the file.
    pub(crate) version: Option<i64>,
    pub(crate) edits: Vec<PlannedEdit>,
}

/// A replacement.
#[derive(Debug, Deserialize)]
pub(crate) struct PlannedEdit {
    pub(crate) start: TextPlace,
    pub(crate) end: TextPlace,
    pub(crate) text: String,
}
