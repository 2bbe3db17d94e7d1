//! `editor_names`: every name in a document with the kind of what it means, for colours.

use std::collections::BTreeMap;

use codecortex_analysis::disk_text::TextRef;
use codecortex_analysis::place::{LspRange, range_of};
use codecortex_analysis::words::kind_word;
use codecortex_answer::args::{check_text, parse};
use codecortex_bind::facts::{Role, flag};
use codecortex_index::FileId;
use codecortex_protocol::{Failure, ToolError};
use codecortex_resolve::{DefRef, ExprRef, FileNo, Resolver};
use codecortex_syntax::ItemFlags;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::calls::{CallContext, boxed};
use crate::invocation::Invocation;
use crate::tools::editor::document::{DocumentData, DocumentReply};
use crate::tools::editor::question::{DocumentArgs, QUESTION};
use crate::tools::schema::schema_of;
use crate::tools::tool::Tool;

/// A name in a document.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NameData {
    /// From 0, UTF-16.
    range: LspRange,
    /// `class`, `method`, `parameter` …
    kind: &'static str,
    /// Whether it is declared there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_declaration: bool,
    #[serde(rename = "static", skip_serializing_if = "std::ops::Not::not")]
    is_static: bool,
}

async fn handle(cx: CallContext, args: Value) -> Result<DocumentReply<NameData>, ToolError> {
    let args: DocumentArgs = parse(args)?;
    check_text("filePath", &args.file_path)?;
    cx.look(|cx| names(cx, &args.file_path)).await
}

fn names(cx: &Invocation<'_>, path: &str) -> Result<DocumentReply<NameData>, Failure> {
    let (id, text) = cx.text_at(path)?;
    let joined = cx.names();
    let query = Resolver::new(joined.workspace());
    let mut found: BTreeMap<u32, (u32, DefRef, bool)> = BTreeMap::new();
    for (expr, at, length, role) in query.uses_between(id.0, 0, u32::MAX) {
        let target = query.target(ExprRef { file: id.0, expr });
        if let Some(def) = target.defs.first().filter(|_| role != Role::Doc.into()) {
            found.entry(at).or_insert((length, *def, false));
        }
    }
    for def in query.definitions_in(id.0) {
        let written = query
            .definition(def)
            .filter(|of| of.flags & flag::UNWRITTEN == 0);
        if let Some(written) = written {
            let length = query.name(def).len() as u32;
            let end = query.without_aliases(vec![def]).first().copied();
            found.insert(written.at, (length, end.unwrap_or(def), true));
        }
    }
    let items = found.into_iter();
    let items = items.filter_map(|(at, (length, def, is_declaration))| {
        named(cx, &query, (&text, at..at + length), def).map(|named| NameData {
            is_declaration,
            ..named
        })
    });
    Ok(DocumentReply {
        items: items.collect(),
        is_unsaved: cx.is_unsaved(FileId(id.0)),
    })
}

fn named(
    cx: &Invocation<'_>,
    query: &Resolver<'_>,
    (text, bytes): (&TextRef<'_>, std::ops::Range<FileNo>),
    def: DefRef,
) -> Option<NameData> {
    let symbol = cx.symbol_of(query, def);
    let item = symbol
        .and_then(|symbol| cx.index.get(symbol))
        .map(|(_, item)| item);
    let kind = match item {
        Some(item) => item.kind.as_str(),
        None => kind_word(query.kind(def)?),
    };
    Some(NameData {
        range: range_of(text, bytes),
        kind,
        is_declaration: false,
        is_static: item.is_some_and(|item| item.flags.contains(ItemFlags::STATIC)),
    })
}

/// The row of `editor_names`.
pub(super) const TOOL: Tool = Tool {
    name: "editor_names",
    reference_name: "editorNames",
    title: "Names in a document",
    description: "List every name in a file with the kind of what it means.",
    schema: schema_of::<DocumentArgs>,
    output: schema_of::<DocumentData<NameData>>,
    handler: |cx, args| boxed(handle(cx, args)),
    ..QUESTION
};
