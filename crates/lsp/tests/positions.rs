//! Positions in three encodings, in texts of any characters and with any changes.

use codecortex_lsp::{DocumentChange, Documents, PositionEncoding};
use codecortex_protocol::Event;
use codecortex_text::{TextDocument, Utf16Position};
use proptest::prelude::*;

const ENCODINGS: [PositionEncoding; 3] = [
    PositionEncoding::Utf8,
    PositionEncoding::Utf16,
    PositionEncoding::Utf32,
];

/// Lines with characters of one to four bytes, and with every way to end a line.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "é",
        "语",
        "𝕏",
        "👩‍👩‍👧",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "x = 1",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The units of a text in an encoding, counted in another way than the library does.
fn units(encoding: PositionEncoding, text: &str) -> u32 {
    let count = match encoding {
        PositionEncoding::Utf8 => text.len(),
        PositionEncoding::Utf16 => text.encode_utf16().count(),
        PositionEncoding::Utf32 => text.chars().count(),
    };
    count as u32
}

proptest! {
    #[test]
    fn every_character_has_one_place_in_every_encoding(line in "[a-z é语𝕏🙂\u{301}]{0,30}") {
        for encoding in ENCODINGS {
            for (at, _) in line.char_indices().chain([(line.len(), ' ')]) {
                let before = &line[..at];
                let here = units(encoding, before);
                let utf16 = units(PositionEncoding::Utf16, before);
                prop_assert_eq!(encoding.to_utf16(&line, here), utf16);
                prop_assert_eq!(encoding.from_utf16(&line, utf16), here);
            }
            let end = units(encoding, &line);
            prop_assert_eq!(encoding.to_utf16(&line, end + 7), units(PositionEncoding::Utf16, &line));
        }
    }

    /// A document follows changes in any encoding as a text does that is edited by its bytes, and tells the engine the same.
    #[test]
    fn a_document_follows_changes_in_any_encoding(
        start in text(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), text()), 0..6),
    ) {
        for encoding in ENCODINGS {
            let mut documents = Documents::default();
            let uri = "file:///w/a.py";
            documents.open("/w/a.py", (uri, "python", 1), &start, false);
            let (mut expected, mut engine) = (start.clone(), TextDocument::new(&start));
            for (version, (from, to, new)) in changes.iter().enumerate() {
                let document = TextDocument::new(&expected);
                let boundaries: Vec<usize> = expected
                    .char_indices()
                    .map(|(at, _)| at)
                    .chain([expected.len()])
                    // Between CR and LF there is no place.
                    .filter(|at| !(expected[..*at].ends_with('\r') && expected[*at..].starts_with('\n')))
                    .collect();
                let (from, to) = (*from.get(&boundaries), *to.get(&boundaries));
                let bytes = from.min(to)..from.max(to);
                let place = |byte: usize| {
                    let line = document.line_of(byte);
                    let begin = document.line_start(line);
                    (line as u32, units(encoding, &expected[begin..byte]))
                };
                let change = DocumentChange {
                    range: Some([place(bytes.start), place(bytes.end)]),
                    text: new.clone(),
                };
                let told = documents.change(uri, version as i32, &[change], encoding);
                expected.replace_range(bytes, new);
                let Some(Event::Edited { changes, .. }) = told else {
                    return Err(TestCaseError::fail("the change was left out"));
                };
                for change in changes {
                    let place = |at: codecortex_protocol::Position| Utf16Position {
                        line: at.line,
                        character: at.character,
                    };
                    engine.apply(place(change.start), place(change.end), &change.text);
                }
                prop_assert_eq!(engine.text(), expected.clone());
            }
            let opened = documents.opened().next();
            let Some(Event::Opened { text, .. }) = opened else {
                return Err(TestCaseError::fail("it is not open"));
            };
            prop_assert_eq!(text, expected);
        }
    }
}
