//! What several types say of one text agrees.
#![allow(clippy::unwrap_used, reason = "tests")]

use codecortex_text::{
    Interner, LineIndex, TextDocument, decode, each_line, encode_like, wildcard_matches,
};
use proptest::prelude::*;

/// Text with all line ends, and characters of one to four bytes.
fn text() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\r".to_owned()),
        "[a-c é漢𝒳\t]{0,6}",
    ];
    prop::collection::vec(part, 0..24).prop_map(|parts| parts.concat())
}

/// What a pattern means, by its definition.
fn means(pattern: &[char], text: &[char]) -> bool {
    match (pattern, text) {
        ([], _) => text.is_empty(),
        (['*', rest @ ..], _) => (0..=text.len()).any(|skipped| means(rest, &text[skipped..])),
        (['?', rest @ ..], [_, others @ ..]) => means(rest, others),
        ([letter, rest @ ..], [other, others @ ..]) => letter == other && means(rest, others),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_index_of_lines_and_a_document_have_the_same_places(text in text()) {
        let (index, document) = (LineIndex::new(&text), TextDocument::new(&text));
        prop_assert_eq!(index.line_count() as usize, document.line_count());
        prop_assert_eq!(document.text(), text.clone());
        // Nothing is between the two characters of a line end.
        let is_place = |at: &usize| !text[..*at].ends_with('\r') || !text[*at..].starts_with('\n');
        let places = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in places.filter(is_place) {
            let of_index = index.position(at as u32, &text);
            prop_assert_eq!(of_index, document.position(at));
            prop_assert_eq!(index.line_of(at as u32) as usize, document.line_of(at));
            prop_assert_eq!(index.offset(of_index, &text) as usize, at);
        }
        for line in 0..document.line_count() {
            let start = index.line_start(line as u32, &text) as usize;
            prop_assert_eq!(document.line_start(line), start);
        }
    }

    #[test]
    fn lines_are_all_of_a_text(text in text()) {
        let document = TextDocument::new(&text);
        let lines: Vec<&str> = each_line(&text).collect();
        for (number, line) in lines.iter().enumerate() {
            let own = document.line(number);
            let ends = ['\r', '\n'];
            prop_assert_eq!(own.trim_end_matches(ends), line.trim_end_matches(ends));
        }
        prop_assert_eq!(lines.concat(), text.clone());
        prop_assert_eq!(document.lines(0..document.line_count()), text);
    }

    #[test]
    fn what_two_texts_share_rebuilds_each(before in text(), after in text()) {
        let (a, b) = (TextDocument::new(&before), TextDocument::new(&after));
        let prefix = a.common_prefix(&b);
        let suffix = a.common_suffix(&b, prefix);
        prop_assert!(prefix + suffix <= before.len().min(after.len()));
        prop_assert_eq!(&before[..prefix], &after[..prefix]);
        prop_assert_eq!(&before[before.len() - suffix..], &after[after.len() - suffix..]);
        prop_assert_eq!(a.fingerprint() == b.fingerprint(), before == after);
    }

    #[test]
    fn wildcards_mean_what_their_definition_says(pattern in "[ab*?é]{0,7}", text in "[abé]{0,8}") {
        let letters = |text: &str| text.chars().collect::<Vec<char>>();
        prop_assert_eq!(
            wildcard_matches(&pattern, &text),
            means(&letters(&pattern), &letters(&text))
        );
    }

    #[test]
    fn interned_texts_have_one_number_each(texts in prop::collection::vec("[ab]{0,3}", 0..40)) {
        let mut interner = Interner::default();
        let numbers: Vec<u32> = texts.iter().map(|text| interner.intern(text)).collect();
        let mut different = texts.clone();
        different.sort();
        different.dedup();
        prop_assert_eq!(interner.len(), different.len());
        for (text, number) in texts.iter().zip(numbers) {
            prop_assert_eq!(interner.number_of(text), Some(number));
            prop_assert_eq!(interner.strings().get(number), Some(text.as_str()));
        }
    }

    #[test]
    fn text_goes_back_to_the_disk_in_the_encoding_it_came_in(text in text()) {
        let mark = [&[0xef, 0xbb, 0xbf][..], text.as_bytes()].concat();
        for bytes in [text.as_bytes().to_vec(), mark] {
            let decoded = decode(&bytes).unwrap().text.into_owned();
            prop_assert_eq!(encode_like(&decoded, &bytes), Some(bytes));
        }
    }
}
