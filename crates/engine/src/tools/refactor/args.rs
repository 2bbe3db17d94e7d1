//! The arguments of `codecortex_refactor`.

use codecortex_analysis::place::EditorPosition;
use codecortex_edit::WordInText;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Arguments of `codecortex_refactor`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RefactorArgs {
    /// What to do.
    pub(super) action: RefactorAction,
    /// A path or id; or `filePath` with `position`.
    pub(super) symbol: Option<String>,
    /// The file of `position`.
    pub(super) file_path: Option<String>,
    /// A place on the name, or where the selection begins; from 1, UTF-16.
    pub(super) position: Option<EditorPosition>,
    /// Of `extractVariable`, `extractMethod`: where the selection ends, exclusive.
    pub(super) end: Option<EditorPosition>,
    /// The name afterwards, of `rename` and what is extracted.
    pub(super) new_name: Option<String>,
    /// Of `changeSignature`: a parameter `name:type=argument`, which every call gives.
    pub(super) add: Option<String>,
    /// Of `changeSignature`: the parameter to take away, from 0, without the receiver.
    pub(super) remove: Option<u32>,
    /// Of `changeSignature`: `from:to`.
    pub(super) move_parameter: Option<String>,
    /// Of `move`: the file, new or there, below the workspace folder.
    pub(super) new_path: Option<String>,
    /// Of `move`: the old file gives the declaration out again, and importers stay.
    pub(super) re_export: Option<bool>,
    /// Of `rename`, `move`: the name changes in these too, listed apart; of `move` (Python) with its module.
    pub(super) texts: Option<Vec<TextKind>>,
    /// Leaves uses whose receiver cannot be typed, and lists them, with bases that may have the member.
    pub(super) leave_unsure: Option<bool>,
    /// Code to write; it is indented as its place.
    pub(super) code: Option<String>,
    /// `hash` of codecortex_getOutline (`source`): the declaration must still be that text.
    pub(super) hash: Option<String>,
    /// Of `insert`.
    pub(super) side: Option<InsertPlace>,
    /// Writes code that does not parse.
    pub(super) force: Option<bool>,
    /// Of `batch`: arguments of this tool, in order; each step sees what those before it do.
    pub(super) steps: Option<Vec<Map<String, Value>>>,
    /// Of `undo`: lists the edits that can be taken back.
    pub(super) list: Option<bool>,
    /// The most tokens of a plan's diffs, 1,000 by default; the other files have none, `nextCursor` goes on with them.
    #[schemars(extend("x-profile" = "full"))]
    pub(super) diff_tokens: Option<u32>,
    /// `nextCursor` of the plan before.
    pub(super) cursor: Option<String>,
    /// `planId` of the plan that the user agreed to: applies it.
    pub(super) plan_id: Option<String>,
}

impl RefactorArgs {
    /// Whether words of a kind of text change too.
    pub(super) fn wants_text(&self, kind: TextKind) -> bool {
        let kinds = self.texts.as_ref();
        kinds.is_some_and(|kinds| kinds.contains(&kind))
    }
}

/// What to do with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum RefactorAction {
    /// Gives it another name everywhere.
    Rename,
    /// Takes the last applied edit back.
    Undo,
    /// Replaces the body of a function or type by `code`.
    ReplaceBody,
    /// Replaces a declaration by `code`.
    ReplaceSymbol,
    /// Inserts `code` beside a declaration.
    Insert,
    /// Deletes a declaration that nothing uses.
    SafeDelete,
    /// Adds, removes or moves a parameter, in all overrides and calls.
    ChangeSignature,
    /// Moves a top-level declaration to another file, with its imports and importers.
    Move,
    /// Gives the selected expression a name before its statement.
    ExtractVariable,
    /// Makes a function of the selected statements or expression.
    ExtractMethod,
    /// Puts what a variable or function stands for in the place of its uses; of a call that one.
    Inline,
    /// Removes unused imports of `filePath`, joins doubled ones, and sorts them as the file does.
    OrganiseImports,
    /// Makes `steps` as one edit: one plan, all or none, one undo.
    Batch,
}

/// Texts that nothing resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum TextKind {
    /// Comments of code.
    Comment,
    /// Strings of code.
    String,
    /// Files of prose.
    Document,
}

impl From<WordInText> for TextKind {
    fn from(kind: WordInText) -> Self {
        match kind {
            WordInText::Comment => Self::Comment,
            WordInText::String => Self::String,
        }
    }
}

/// On which side of a declaration code is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum InsertPlace {
    /// Above it and its documentation.
    Before,
    /// Below it.
    After,
}
