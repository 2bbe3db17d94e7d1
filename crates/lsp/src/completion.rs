//! Completion of members behind a dot.

use gen_lsp_types::{
    CompletionItem, CompletionItemLabelDetails, CompletionList, MarkupContent, MarkupKind,
};
use serde_json::Value;

use crate::answers::{MemberEntry, MembersAnswer};
use crate::error::LspError;
use crate::kinds::completion_kind;
use crate::question::{Question, Tools};
use crate::requests::{At, to_value};

/// More members than a list shows.
const MAX_MEMBERS: usize = 2_000;

pub(crate) async fn completion<T: Tools>(
    question: &Question<'_, T>,
    at: At,
) -> Result<Value, LspError> {
    let Some(path) = question.served(&at.text_document.uri) else {
        return Ok(Value::Null);
    };
    let mut members: Vec<MemberEntry> = Vec::new();
    let mut cursor = None;
    loop {
        let mut args = question.place(&path, at.position);
        args.insert("cursor".to_owned(), cursor.into());
        let found: Option<MembersAnswer> =
            question.ask_if_known("editor_members", args.into()).await?;
        let Some(found) = found else { break };
        members.extend(found.members);
        cursor = found.next_cursor;
        if cursor.is_none() || members.len() >= MAX_MEMBERS {
            break;
        }
    }
    // A constructor is no member of a value, and what has no name cannot be written.
    members.retain(|member| member.kind != "constructor" && !member.name.is_empty());
    let items = members.into_iter().enumerate();
    let items = items.map(|(rank, member)| completion_item(rank, member));
    Ok(to_value(&CompletionList {
        is_incomplete: false,
        items: items.collect(),
        ..CompletionList::default()
    }))
}

/// A member at its place in the list: own members come before inherited ones.
fn completion_item(rank: usize, member: MemberEntry) -> CompletionItem {
    let documentation = member.doc.map(|doc| MarkupContent {
        kind: MarkupKind::PlainText,
        value: doc,
    });
    CompletionItem {
        label: member.name,
        label_details: member
            .inherited_from
            .map(|from| CompletionItemLabelDetails {
                detail: None,
                description: Some(from),
            }),
        kind: Some(completion_kind(&member.kind)),
        detail: Some(member.signature).filter(|detail| !detail.is_empty()),
        documentation: documentation.map(Into::into),
        sort_text: Some(format!("{rank:05}")),
        ..CompletionItem::default()
    }
}
