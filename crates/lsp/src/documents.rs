//! Open documents: what an editor tells of them as events of the engine (SPEC I1). They need not be on the disk.

use std::collections::BTreeMap;

use codecortex_protocol::{Event, Position, TextChange};
use codecortex_syntax::language::language_of_path;
use codecortex_text::{TextDocument, Utf16Position};

use crate::encoding::PositionEncoding;
use crate::languages::info_of;
use crate::uri::is_virtual;

/// A document that the editor holds.
#[derive(Clone, Debug)]
pub(crate) struct OpenText {
    /// As the client writes it.
    pub(crate) uri: String,
    /// The client's version.
    pub(crate) version: i32,
    /// The version that the engine was told: it grows whatever the client's does.
    pub(crate) told: i64,
    pub(crate) text: TextDocument,
}

/// A change of a document: of a range, or of the whole text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentChange {
    /// First and last place as the client counts, each a line and a character; none for the whole text.
    pub range: Option<[(u32, u32); 2]>,
    /// What comes in its place.
    pub text: String,
}

/// The open documents, by the engine's paths.
#[derive(Clone, Debug, Default)]
pub struct Documents {
    open: BTreeMap<String, OpenText>,
}

impl Documents {
    /// Opens a document, or gives one a new text. `path` is the engine's path of its URI.
    pub fn open(
        &mut self,
        path: &str,
        (uri, language, version): (&str, &str, i32),
        text: &str,
        is_on_disk: bool,
    ) -> Event {
        let path = with_ending(path, language);
        let told = self.open.get(&path).map_or(1, |open| open.told + 1);
        let open = OpenText {
            uri: uri.to_owned(),
            version,
            told,
            text: TextDocument::new(text),
        };
        self.open.insert(path.clone(), open);
        Event::Opened {
            path,
            version: told,
            text: text.to_owned(),
            dirty: !is_on_disk,
        }
    }

    /// Changes a document; none where it is not open.
    pub fn change(
        &mut self,
        uri: &str,
        version: i32,
        changes: &[DocumentChange],
        encoding: PositionEncoding,
    ) -> Option<Event> {
        let path = self.path_of(uri)?.to_owned();
        let open = self.open.get_mut(&path)?;
        let changes = changes.iter().map(|change| {
            let [start, end] = match change.range {
                Some(range) => range.map(|place| utf16_place(&open.text, place, encoding)),
                None => [Utf16Position::default(), open.text.position(usize::MAX)],
            };
            // A range that is written backwards means the same.
            let order = |at: Utf16Position| (at.line, at.character);
            let (start, end) = match order(start) <= order(end) {
                true => (start, end),
                false => (end, start),
            };
            open.text.apply(start, end, &change.text);
            TextChange {
                start: position(start),
                end: position(end),
                text: change.text.clone(),
            }
        });
        let changes = changes.collect();
        open.version = version;
        open.told += 1;
        Some(Event::Edited {
            path,
            version: open.told,
            changes,
            dirty: true,
        })
    }

    /// A document was written to the disk.
    pub fn save(&self, uri: &str) -> Option<Event> {
        let path = self.path_of(uri)?.to_owned();
        Some(Event::Saved { path })
    }

    /// The editor lets go of a document.
    pub fn close(&mut self, uri: &str) -> Option<Event> {
        let path = self.path_of(uri)?.to_owned();
        self.open.remove(&path);
        Some(Event::Closed { path })
    }

    /// The documents as an editor opens them, for another engine.
    pub fn opened(&self) -> impl Iterator<Item = Event> {
        self.open.iter().map(|(path, open)| Event::Opened {
            path: path.clone(),
            version: open.told,
            text: open.text.text(),
            dirty: true,
        })
    }

    /// The engine's path of an open document.
    pub(crate) fn path_of(&self, uri: &str) -> Option<&str> {
        let mut open = self.open.iter();
        open.find(|(_, open)| open.uri == uri)
            .map(|(path, _)| path.as_str())
    }

    /// An open document by the engine's path.
    pub(crate) fn at(&self, path: &str) -> Option<&OpenText> {
        self.open.get(path)
    }

    /// The paths of the open documents.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }
}

/// The path of a document with the ending of its language, where only the editor has it and its name has none: the engine
/// knows languages by endings.
fn with_ending(path: &str, language: &str) -> String {
    let ending = info_of(language).and_then(|info| info.extensions.first());
    match ending.filter(|_| is_virtual(path) && language_of_path(path).is_none()) {
        Some(ending) => format!("{path}.{ending}"),
        None => path.to_owned(),
    }
}

fn utf16_place(
    text: &TextDocument,
    (line, character): (u32, u32),
    encoding: PositionEncoding,
) -> Utf16Position {
    let character = encoding.to_utf16(&text.line(line as usize), character);
    Utf16Position { line, character }
}

fn position(at: Utf16Position) -> Position {
    Position {
        line: at.line,
        character: at.character,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(documents: &Documents, path: &str) -> String {
        documents.at(path).unwrap().text.text()
    }

    #[test]
    fn changes_are_made_in_their_order_and_units() {
        let mut documents = Documents::default();
        let told = documents.open(
            "/w/a.py",
            ("file:///w/a.py", "python", 7),
            "é = 1\nb\n",
            true,
        );
        assert!(
            matches!(told, Event::Opened { dirty: false, .. }),
            "{told:?}"
        );
        let change = |range, text: &str| DocumentChange {
            range,
            text: text.to_owned(),
        };
        let edits = [
            change(Some([(0, 5), (0, 6)]), "22"),
            change(Some([(1, 0), (0, 7)]), "\n\n"),
        ];
        let uri = "file:///w/a.py";
        let told = documents.change(uri, 8, &edits, PositionEncoding::Utf8);
        let Some(Event::Edited { changes, .. }) = told else {
            unreachable!("{told:?}");
        };
        assert_eq!(changes[0].start.character, 4);
        assert_eq!(text_of(&documents, "/w/a.py"), "é = 22\n\nb\n");
        let whole = [change(None, "x = 1\n")];
        assert!(
            documents
                .change(uri, 9, &whole, PositionEncoding::Utf8)
                .is_some()
        );
        assert_eq!(text_of(&documents, "/w/a.py"), "x = 1\n");
        assert!(documents.close(uri).is_some());
        let late = documents.change(uri, 10, &whole, PositionEncoding::Utf8);
        assert!(late.is_none());
    }

    #[test]
    fn a_document_that_only_the_editor_has_gets_the_ending_of_its_language() {
        let mut documents = Documents::default();
        let uri = "untitled:Untitled-1";
        documents.open("/untitled:/-/Untitled-1", (uri, "python", 1), "", false);
        assert_eq!(documents.path_of(uri), Some("/untitled:/-/Untitled-1.py"));
    }
}
