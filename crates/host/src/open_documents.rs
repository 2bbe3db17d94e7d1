//! What an editor holds, for the engine that comes after one that failed: it is told the texts anew.

use std::collections::BTreeMap;

use codecortex_engine::protocol::{Event, Position, TextChange};
use codecortex_text::{TextDocument, Utf16Position};

/// A document as an editor has it.
#[derive(Clone, Debug)]
struct HeldDocument {
    version: i64,
    text: TextDocument,
    dirty: bool,
}

/// The open documents, by their paths.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenDocuments {
    held: BTreeMap<String, HeldDocument>,
}

impl OpenDocuments {
    /// Notes what an editor does. Events that are about no document change nothing.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::Opened {
                path,
                version,
                text,
                dirty,
            } => {
                let held = HeldDocument {
                    version: *version,
                    text: TextDocument::new(text),
                    dirty: *dirty,
                };
                self.held.insert(path.clone(), held);
            }
            Event::Edited {
                path,
                version,
                changes,
                dirty,
            } => {
                if let Some(held) = self.held.get_mut(path) {
                    held.version = *version;
                    held.dirty = *dirty;
                    changes.iter().for_each(|change| held.apply(change));
                }
            }
            Event::Saved { path } => {
                if let Some(held) = self.held.get_mut(path) {
                    held.dirty = false;
                }
            }
            Event::Closed { path } => {
                self.held.remove(path);
            }
            _ => {}
        }
    }

    /// The documents as an editor opens them.
    pub(crate) fn opened(&self) -> impl Iterator<Item = Event> {
        self.held.iter().map(|(path, held)| Event::Opened {
            path: path.clone(),
            version: held.version,
            text: held.text.text(),
            dirty: held.dirty,
        })
    }
}

impl HeldDocument {
    fn apply(&mut self, change: &TextChange) {
        let place = |at: Position| Utf16Position {
            line: at.line,
            character: at.character,
        };
        self.text
            .apply(place(change.start), place(change.end), &change.text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(documents: &OpenDocuments) -> Vec<(String, i64, String, bool)> {
        let events = documents.opened().map(|event| match event {
            Event::Opened {
                path,
                version,
                text,
                dirty,
            } => (path, version, text, dirty),
            other => unreachable!("{other:?}"),
        });
        events.collect()
    }

    #[test]
    fn the_next_engine_is_told_the_texts_as_they_are() {
        let mut documents = OpenDocuments::default();
        let path = "/w/a.py".to_owned();
        documents.note(&Event::Opened {
            path: path.clone(),
            version: 1,
            text: "é = 1\n".to_owned(),
            dirty: false,
        });
        let at = |character| Position { line: 0, character };
        documents.note(&Event::Edited {
            path: path.clone(),
            version: 2,
            changes: vec![TextChange {
                start: at(4),
                end: at(5),
                text: "22".to_owned(),
            }],
            dirty: true,
        });
        let text = "é = 22\n".to_owned();
        assert_eq!(opened(&documents), [(path.clone(), 2, text.clone(), true)]);
        documents.note(&Event::Saved { path: path.clone() });
        assert_eq!(opened(&documents), [(path.clone(), 2, text, false)]);
        documents.note(&Event::Closed { path });
        assert!(opened(&documents).is_empty());
    }
}
