//! Requests by their methods.

use gen_lsp_types::{
    CallHierarchyItem, CodeActionParams, Position, Range, TextDocumentIdentifier, TypeHierarchyItem,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::completion::completion;
use crate::diagnostics::diagnostics;
use crate::error::LspError;
use crate::hover::hover;
use crate::question::{Question, Tools};
use crate::rename::{prepare_rename, rename};
use crate::tokens::semantic_tokens;
use crate::type_hierarchy::{prepare_type_hierarchy, relatives};
use crate::world::World;

/// A place in a document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct At {
    pub(crate) text_document: TextDocumentIdentifier,
    pub(crate) position: Position,
}

/// A document, and of some requests a range of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Document {
    text_document: TextDocumentIdentifier,
    range: Option<Range>,
}

#[derive(Debug, Deserialize)]
struct ReferencesParams {
    #[serde(flatten)]
    at: At,
    context: ReferencesContext,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReferencesContext {
    include_declaration: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RenameParams {
    #[serde(flatten)]
    at: At,
    new_name: String,
}

#[derive(Debug, Deserialize)]
struct QueryParams {
    query: String,
}

#[derive(Debug, Deserialize)]
struct ItemParams<I> {
    item: I,
}

/// The result of a request that is about code.
///
/// # Errors
/// The method is not known, its parameters are others, or a tool refused.
pub async fn answer<T: Tools>(
    tools: &T,
    world: &World,
    method: &str,
    params: Value,
) -> Result<Value, LspError> {
    let question = Question::new(tools, world);
    match method {
        "textDocument/definition" => question.definition(read(params)?).await,
        "textDocument/typeDefinition" => question.type_definition(read(params)?).await,
        "textDocument/implementation" => question.implementation(read(params)?).await,
        "textDocument/references" => {
            let params: ReferencesParams = read(params)?;
            let with_declaration = params.context.include_declaration;
            question.references(params.at, with_declaration).await
        }
        "textDocument/hover" => hover(&question, read(params)?).await,
        "textDocument/documentSymbol" => {
            let params: Document = read(params)?;
            question.document_symbols(params.text_document).await
        }
        "workspace/symbol" => {
            let params: QueryParams = read(params)?;
            question.workspace_symbols(&params.query).await
        }
        "textDocument/prepareRename" => prepare_rename(&question, read(params)?).await,
        "textDocument/rename" => {
            let params: RenameParams = read(params)?;
            rename(&question, params.at, &params.new_name).await
        }
        "textDocument/codeAction" => {
            question
                .code_actions(read::<CodeActionParams>(params)?)
                .await
        }
        "textDocument/completion" => completion(&question, read(params)?).await,
        "textDocument/diagnostic" => {
            let params: Document = read(params)?;
            diagnostics(&question, params.text_document).await
        }
        "textDocument/semanticTokens/full" | "textDocument/semanticTokens/range" => {
            let params: Document = read(params)?;
            semantic_tokens(&question, params.text_document, params.range).await
        }
        _ => hierarchy(&question, method, params).await,
    }
}

async fn hierarchy<T: Tools>(
    question: &Question<'_, T>,
    method: &str,
    params: Value,
) -> Result<Value, LspError> {
    match method {
        "textDocument/prepareCallHierarchy" => question.prepare_call_hierarchy(read(params)?).await,
        "callHierarchy/incomingCalls" => {
            let params: ItemParams<CallHierarchyItem> = read(params)?;
            question.incoming_calls(params.item).await
        }
        "callHierarchy/outgoingCalls" => {
            let params: ItemParams<CallHierarchyItem> = read(params)?;
            question.outgoing_calls(params.item).await
        }
        "textDocument/prepareTypeHierarchy" => {
            prepare_type_hierarchy(question, read(params)?).await
        }
        "typeHierarchy/supertypes" | "typeHierarchy/subtypes" => {
            let params: ItemParams<TypeHierarchyItem> = read(params)?;
            let is_up = method.ends_with("supertypes");
            relatives(question, params.item, is_up).await
        }
        _ => Err(LspError::new(
            LspError::METHOD_NOT_FOUND,
            format!("`{method}` is not offered."),
        )),
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, LspError> {
    serde_json::from_value(params).map_err(|error| {
        LspError::new(
            LspError::INVALID_PARAMS,
            format!("The parameters cannot be read: {error}."),
        )
    })
}

/// A result as JSON. Types of the protocol always have one.
pub(crate) fn to_value<R: Serialize + ?Sized>(result: &R) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}
