//! Diagnostics that a client pulls: errors of syntax, and nothing else.

use gen_lsp_types::{
    Diagnostic, DiagnosticSeverity, FullDocumentDiagnosticReport, TextDocumentIdentifier,
};
use serde_json::Value;

use crate::answers::{DocumentAnswer, Unread};
use crate::error::LspError;
use crate::question::{Question, Tools};
use crate::requests::to_value;

/// Who reports.
const SOURCE: &str = "CodeCortex";

pub(crate) async fn diagnostics<T: Tools>(
    question: &Question<'_, T>,
    document: TextDocumentIdentifier,
) -> Result<Value, LspError> {
    let found: Option<DocumentAnswer<Unread>> = match question.served(&document.uri) {
        Some(path) => {
            let args = serde_json::json!({ "filePath": path });
            let found = question.ask_if_known("editor_syntaxErrors", args).await?;
            found.map(|found: DocumentAnswer<Unread>| DocumentAnswer { items: found.items })
        }
        None => None,
    };
    let path = question.world.path_of(&document.uri.0).unwrap_or_default();
    let items = found.map_or_else(Vec::new, |found| found.items);
    let items = items.into_iter().map(|unread| Diagnostic {
        range: question.range(&path, unread.range),
        severity: Some(DiagnosticSeverity::Error),
        source: Some(SOURCE.to_owned()),
        message: message(unread.missing.as_deref()).into(),
        ..Diagnostic::default()
    });
    Ok(to_value(&FullDocumentDiagnosticReport {
        result_id: None,
        items: items.collect(),
    }))
}

fn message(missing: Option<&str>) -> String {
    match missing {
        Some(missing) => format!("`{missing}` is missing here."),
        None => "Syntax error.".to_owned(),
    }
}
