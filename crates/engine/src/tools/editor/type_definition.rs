//! `editor_typeDefinition`: where the type of the value at a place is declared.

use codecortex_analysis::place::{LspRange, range_of};
use codecortex_analysis::subject::name_bytes;
use codecortex_answer::args::{check_text, parse};
use codecortex_index::FileId;
use codecortex_protocol::{Failure, ToolError};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::editor::document::{DocumentData, DocumentReply};
use crate::tools::editor::question::{PlaceArgs, QUESTION};
use crate::tools::schema::schema_of;
use crate::tools::tool::Tool;

/// A declaration of a type.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct TypePlace {
    /// `rootName/relative/path`.
    file_path: String,
    /// Of its name; from 0, UTF-16.
    range: LspRange,
}

async fn handle(cx: CallContext, args: Value) -> Result<DocumentReply<TypePlace>, ToolError> {
    let args: PlaceArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    let place = |cx: &Invocation<'_>| cx.byte_at(&args.file_path, args.position);
    let place = cx.look(place).await?;
    cx.look(|cx| types_at(cx, place)).await
}

fn types_at(
    cx: &Invocation<'_>,
    (file, byte): (FileNo, u32),
) -> Result<DocumentReply<TypePlace>, Failure> {
    let names = cx.names();
    let query = Resolver::new(names.workspace());
    let found = type_at(&query, file, byte)
        .or_else(|| type_at(&query, file, byte.checked_sub(1)?))
        .map_or_else(Vec::new, |def| query.symbol(def));
    cx.need_texts(found.iter().map(|def| def.file))?;
    let mut items = Vec::new();
    for def in found {
        let text = cx.text_of_file(FileId(def.file))?;
        let Some(name) = name_bytes(names.workspace(), def) else {
            continue;
        };
        items.push(TypePlace {
            file_path: cx.shown_path(def.file),
            range: range_of(&text, name),
        });
    }
    Ok(DocumentReply {
        items,
        is_unsaved: cx.is_unsaved(FileId(file)),
    })
}

/// The type of what is used or declared at a byte.
fn type_at(query: &Resolver<'_>, file: FileNo, byte: u32) -> Option<DefRef> {
    let (used, declared) = query.at(file, byte);
    match used {
        Some(expr) => query.expression_type(ExprRef { file, expr }),
        None => query.value_type(declared?),
    }
}

/// The row of `editor_typeDefinition`.
pub(super) const TOOL: Tool = Tool {
    name: "editor_typeDefinition",
    reference_name: "editorTypeDefinition",
    title: "Type definition",
    description: "Find where the type of the value at a place is declared.",
    schema: schema_of::<PlaceArgs>,
    output: schema_of::<DocumentData<TypePlace>>,
    handler: |cx, args| boxed(handle(cx, args)),
    ..QUESTION
};
