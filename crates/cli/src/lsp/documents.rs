//! Notifications about documents: what the editor opens, changes, saves and closes.

use std::path::Path;

use codecortex_engine::protocol::Event;
use codecortex_lsp::{DocumentChange, World};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Opened {
    text_document: OpenedDocument,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenedDocument {
    uri: String,
    #[serde(default)]
    language_id: String,
    version: i32,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changed {
    text_document: ChangedDocument,
    content_changes: Vec<Change>,
}

#[derive(Deserialize)]
struct ChangedDocument {
    uri: String,
    version: i32,
}

#[derive(Deserialize)]
struct Change {
    range: Option<ChangedRange>,
    text: String,
}

#[derive(Deserialize)]
struct ChangedRange {
    start: ChangedPlace,
    end: ChangedPlace,
}

#[derive(Deserialize)]
struct ChangedPlace {
    line: u32,
    character: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct DocumentParams {
    text_document: NamedDocument,
}

#[derive(Deserialize)]
struct NamedDocument {
    uri: String,
}

/// Takes a notification about a document in; what the engine is told of it. Nothing comes of one that cannot be read, or
/// is about a document that is not open.
pub(super) fn take_in(world: &mut World, method: &str, params: Value) -> Option<Event> {
    match method {
        "textDocument/didOpen" => {
            let opened: Opened = read(method, params)?;
            let document = opened.text_document;
            let path = world.path_of(&document.uri)?;
            let is_on_disk = is_on_disk(&path, &document.text);
            let told = (
                document.uri.as_str(),
                document.language_id.as_str(),
                document.version,
            );
            let documents = &mut world.documents;
            Some(documents.open(&path, told, &document.text, is_on_disk))
        }
        "textDocument/didChange" => {
            let changed: Changed = read(method, params)?;
            let changes: Vec<DocumentChange> = changed
                .content_changes
                .into_iter()
                .map(Change::told)
                .collect();
            let document = changed.text_document;
            let encoding = world.encoding;
            let documents = &mut world.documents;
            documents.change(&document.uri, document.version, &changes, encoding)
        }
        "textDocument/didSave" => {
            let saved: DocumentParams = read(method, params)?;
            world.documents.save(&saved.text_document.uri)
        }
        "textDocument/didClose" => {
            let closed: DocumentParams = read(method, params)?;
            world.documents.close(&closed.text_document.uri)
        }
        _ => None,
    }
}

impl Change {
    fn told(self) -> DocumentChange {
        let place = |place: ChangedPlace| (place.line, place.character);
        let range = self
            .range
            .map(|range| [place(range.start), place(range.end)]);
        DocumentChange {
            range,
            text: self.text,
        }
    }
}

fn read<P: serde::de::DeserializeOwned>(method: &str, params: Value) -> Option<P> {
    serde_json::from_value(params)
        .inspect_err(
            |error| tracing::warn!(method, %error, "the editor's notification is left out"),
        )
        .ok()
}

/// Whether the disk has the text that an editor opens.
fn is_on_disk(path: &str, text: &str) -> bool {
    let path = Path::new(path);
    // Another length is another text, unless the encoding is another one: then it counts as changed.
    let has_length = std::fs::metadata(path).is_ok_and(|of| of.len() == text.len() as u64);
    has_length && std::fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}
