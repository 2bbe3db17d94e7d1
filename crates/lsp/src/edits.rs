//! Plans of edits as edits of the client (SPEC ED1): it makes them, and nothing is written here.

use std::collections::HashMap;

use gen_lsp_types::{
    CreateFile, DeleteFile, DocumentChange, OptionalVersionedTextDocumentIdentifier, RenameFile,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};

use crate::answers::{PlanAnswer, PlannedChange, PlannedFile, Span};
use crate::error::LspError;
use crate::question::{Question, Tools};

impl<T: Tools> Question<'_, T> {
    /// The edit of a plan.
    ///
    /// # Errors
    /// The client cannot do what the plan does to files, or a document is another one by now.
    pub(crate) fn workspace_edit(&self, plan: &PlanAnswer) -> Result<WorkspaceEdit, LspError> {
        let mut changes: Vec<DocumentChange> = Vec::new();
        for file in &plan.files {
            self.add_file(file, &mut changes)?;
        }
        if self.world.client.takes_document_changes() {
            return Ok(WorkspaceEdit {
                document_changes: Some(changes),
                ..WorkspaceEdit::default()
            });
        }
        let mut plain: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for change in changes {
            let DocumentChange::TextDocumentEdit(edit) = change else {
                return Err(cannot("do something to a file"));
            };
            let edits = edit.edits.into_iter().filter_map(|edit| match edit {
                gen_lsp_types::Edit::TextEdit(edit) => Some(edit),
                _ => None,
            });
            let uri = edit.text_document.text_document_identifier.uri;
            plain.insert(uri, edits.collect());
        }
        Ok(WorkspaceEdit {
            changes: Some(plain),
            ..WorkspaceEdit::default()
        })
    }

    fn add_file(
        &self,
        file: &PlannedFile,
        changes: &mut Vec<DocumentChange>,
    ) -> Result<(), LspError> {
        let path = self.world.folders.absolute(&file.file_path);
        let uri = self.uri(&path)?;
        let needs = |operation: &str| match self.world.client.takes_operation(operation) {
            true => Ok(()),
            false => Err(cannot(&format!("{operation} a file"))),
        };
        let change = file
            .change
            .as_ref()
            .ok_or_else(|| LspError::failed("The plan has no room for its changes."))?;
        match (file.operation.as_deref(), &file.moved_to) {
            (Some("created"), _) => {
                needs("create")?;
                changes.push(DocumentChange::CreateFile(CreateFile {
                    uri: uri.clone(),
                    options: None,
                    annotation_id: None,
                }));
                changes.push(self.text_edit(&path, uri, change)?.into());
            }
            (Some("deleted"), _) => {
                needs("delete")?;
                changes.push(DocumentChange::DeleteFile(DeleteFile {
                    uri,
                    options: None,
                    annotation_id: None,
                }));
            }
            (_, Some(to)) => {
                needs("rename")?;
                // The text is changed under the name that the client knows.
                changes.push(self.text_edit(&path, uri.clone(), change)?.into());
                let new_uri = self.uri(&self.world.folders.absolute(to))?;
                changes.push(DocumentChange::RenameFile(RenameFile {
                    old_uri: uri,
                    new_uri,
                    options: None,
                    annotation_id: None,
                }));
            }
            _ => changes.push(self.text_edit(&path, uri, change)?.into()),
        }
        Ok(())
    }

    fn uri(&self, path: &str) -> Result<Uri, LspError> {
        let uri = self.world.uri_of(path).map(Uri);
        uri.ok_or_else(|| LspError::failed(format!("`{path}` is no file that can be edited.")))
    }

    fn text_edit(
        &self,
        path: &str,
        uri: Uri,
        change: &PlannedChange,
    ) -> Result<TextDocumentEdit, LspError> {
        let open = self.world.documents.at(path);
        // Positions are those of the text that the engine planned with.
        if open.map(|open| open.told) != change.version {
            return Err(LspError::failed(format!(
                "`{path}` was changed meanwhile. Nothing was changed."
            )));
        }
        let edits = change.edits.iter().map(|edit| {
            let span = Span {
                start: edit.start,
                end: edit.end,
            };
            let edit = TextEdit {
                range: self.range(path, span),
                new_text: edit.text.clone(),
            };
            edit.into()
        });
        Ok(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier {
                version: open.map(|open| open.version),
                text_document_identifier: TextDocumentIdentifier { uri },
            },
            edits: edits.collect(),
        })
    }
}

fn cannot(what: &str) -> LspError {
    LspError::failed(format!(
        "The edit would have to {what}, which the client does not offer. Nothing was changed."
    ))
}
