//! What a client can do. A capability of an unknown form counts as one that it has not.

use std::rc::Rc;

use serde_json::Value;

use crate::encoding::PositionEncoding;

/// A client, by the parameters of its `initialize`.
#[derive(Clone, Debug, Default)]
pub struct Client {
    capabilities: Rc<Value>,
}

impl Client {
    /// The client of an `initialize`.
    #[must_use]
    pub fn new(params: &Value) -> Self {
        Self {
            capabilities: Rc::new(params["capabilities"].clone()),
        }
    }

    fn at(&self, pointer: &str) -> Option<&Value> {
        self.capabilities.pointer(pointer)
    }

    fn can(&self, pointer: &str) -> bool {
        self.at(pointer).and_then(Value::as_bool).unwrap_or(false)
    }

    fn words(&self, pointer: &str) -> impl Iterator<Item = &str> {
        let words = self.at(pointer).and_then(Value::as_array);
        words.into_iter().flatten().filter_map(Value::as_str)
    }

    /// How positions are counted.
    #[must_use]
    pub fn encoding(&self) -> PositionEncoding {
        PositionEncoding::negotiate(self.words("/general/positionEncodings"))
    }

    /// Whether progress can be shown that no request asked for.
    #[must_use]
    pub fn shows_progress(&self) -> bool {
        self.can("/window/workDoneProgress")
    }

    /// Whether a feature of documents can be registered later.
    pub(crate) fn registers(&self, feature: &str) -> bool {
        self.can(&format!("/textDocument/{feature}/dynamicRegistration"))
    }

    /// Whether a definition may say what it is the definition of.
    pub(crate) fn takes_links(&self, feature: &str) -> bool {
        self.can(&format!("/textDocument/{feature}/linkSupport"))
    }

    /// Whether an outline may be a tree.
    pub(crate) fn takes_symbol_trees(&self) -> bool {
        self.can("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport")
    }

    /// Whether a text may be Markdown: of a hover or a completion.
    pub(crate) fn takes_markdown(&self, formats: &str) -> bool {
        self.words(&format!("/textDocument/{formats}"))
            .any(|format| format == "markdown")
    }

    /// Whether an action may be an edit; others take commands alone.
    pub(crate) fn takes_action_edits(&self) -> bool {
        self.at("/textDocument/codeAction/codeActionLiteralSupport")
            .is_some_and(Value::is_object)
    }

    /// Whether an action may be shown with the reason why it cannot be done.
    pub(crate) fn shows_disabled_actions(&self) -> bool {
        self.can("/textDocument/codeAction/disabledSupport")
    }

    /// Whether an edit may name the version of a document.
    pub(crate) fn takes_document_changes(&self) -> bool {
        self.can("/workspace/workspaceEdit/documentChanges")
    }

    /// Whether an edit may `create`, `rename` or `delete` a file.
    pub(crate) fn takes_operation(&self, operation: &str) -> bool {
        self.words("/workspace/workspaceEdit/resourceOperations")
            .any(|known| known == operation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_not_said_or_has_a_strange_form_cannot_be_done() {
        let strange = json!({ "capabilities": {
            "general": { "positionEncodings": "utf-8" },
            "window": { "workDoneProgress": 1 },
            "workspace": { "workspaceEdit": { "resourceOperations": [1, "rename"] } },
        }});
        let client = Client::new(&strange);
        assert_eq!(client.encoding(), PositionEncoding::Utf16);
        assert!(!client.shows_progress() && !client.takes_document_changes());
        assert!(client.takes_operation("rename") && !client.takes_operation("create"));
        assert!(!Client::new(&json!(null)).takes_symbol_trees());
    }
}
