//! `editor_syntaxErrors`: the places of a document that its grammar does not read.

use codecortex_analysis::found_file::FoundFile;
use codecortex_analysis::place::{LspRange, range_of};
use codecortex_answer::args::{check_text, parse};
use codecortex_edit::unread_code;
use codecortex_protocol::{Failure, ToolError};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::editor::document::{DocumentData, DocumentReply};
use crate::tools::editor::question::{DocumentArgs, QUESTION};
use crate::tools::needs::RequiredInput;
use crate::tools::schema::schema_of;
use crate::tools::tool::Tool;

/// More errors than this help nobody.
const MAX_ERRORS: usize = 100;

/// A stretch that is not read.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct UnreadData {
    /// From 0, UTF-16.
    range: LspRange,
    /// What is missing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<String>,
}

async fn handle(cx: CallContext, args: Value) -> Result<DocumentReply<UnreadData>, ToolError> {
    let args: DocumentArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    cx.look(|cx| unread(cx, &args.file_path)).await
}

fn unread(cx: &Invocation<'_>, path: &str) -> Result<DocumentReply<UnreadData>, Failure> {
    let (located, is_unsaved) = match cx.find_file(path)? {
        FoundFile::Indexed(id) | FoundFile::Names(id) => (cx.located_file(id), cx.is_unsaved(id)),
        FoundFile::Outside { file, .. } => (Some(file), false),
    };
    let Some(located) = located else {
        return Ok(DocumentReply {
            items: Vec::new(),
            is_unsaved,
        });
    };
    let text = cx.text_of(&located)?;
    let found = unread_code(&located.path, &text.snapshot.text.text());
    let items = found.into_iter().take(MAX_ERRORS).map(|unread| UnreadData {
        range: range_of(&text, unread.bytes),
        missing: unread.missing,
    });
    Ok(DocumentReply {
        items: items.collect(),
        is_unsaved,
    })
}

/// The row of `editor_syntaxErrors`.
pub(super) const TOOL: Tool = Tool {
    name: "editor_syntaxErrors",
    reference_name: "editorSyntaxErrors",
    title: "Syntax errors",
    description: "List the places of a file that its grammar does not read.",
    needs: &[RequiredInput::File],
    schema: schema_of::<DocumentArgs>,
    output: schema_of::<DocumentData<UnreadData>>,
    handler: |cx, args| boxed(handle(cx, args)),
    ..QUESTION
};
