//! What a question names outright: one declaration, an operator, a name of one letter, a file, a setting.

use std::cmp::Reverse;

use codecortex_analysis::AnalysisView;
use codecortex_index::{FileId, IndexedFile, operator_names};
use codecortex_retrieval::{NamedPlace, Role, is_replaced};
use codecortex_syntax::{Item, ItemFlags, language_of_path};

use super::path_of;
use super::question_targets::place_of;

/// Declarations of the one name that a question is; a name that more have points at none of them.
const MAX_OF_THE_NAME: usize = 8;
/// Declarations of a name that a question has among other words.
const MAX_OF_A_NAME: usize = 3;
/// Files that a question names, and files of one such name.
const MAX_FILES: usize = 4;
/// Words of a question that are looked at for names.
const MAX_WORDS: usize = 64;
/// Bytes of a setting's key.
const KEY: std::ops::RangeInclusive<usize> = 5..=80;

/// The declarations of a name, where the question is that name and few have it: the best first.
pub(super) fn of_one_name(view: &AnalysisView<'_>, text: &str) -> Vec<NamedPlace> {
    let name = text.trim().trim_matches('`');
    // `vec!` is the macro, `open()` the function.
    let name = name.strip_suffix("()").unwrap_or(name);
    let name = name.strip_suffix('!').unwrap_or(name);
    let is_name = name.contains(|c: char| c.is_alphabetic())
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    match is_name {
        true => declared(view, &[name.to_owned()], MAX_OF_THE_NAME),
        false => declared(view, &operator_names(name), MAX_OF_THE_NAME),
    }
}

/// The declarations of operators and of names of one letter in a question: its words do not find them, because these say
/// nothing by themselves.
pub(super) fn of_short_names(view: &AnalysisView<'_>, text: &str) -> Vec<NamedPlace> {
    let mut places: Vec<NamedPlace> = Vec::new();
    let mut before = "";
    for word in text.split_whitespace().take(MAX_WORDS) {
        let names = short_names(before, word);
        before = word;
        if names.is_empty() {
            continue;
        }
        for place in declared(view, &names, MAX_OF_A_NAME) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places
}

/// The names that a word of a question may be of: an operator in backticks or behind the word `operator`, a capital letter
/// that is no word of English.
fn short_names(before: &str, word: &str) -> Vec<String> {
    let word = word.trim_end_matches([',', ';', '?']);
    let is_code = word.len() > 2 && word.starts_with('`') && word.ends_with('`');
    let inner = word.trim_matches('`');
    let mut letters = inner.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && letter.is_alphabetic()
    {
        let is_name = letter.is_uppercase() && !matches!(letter, 'A' | 'I');
        return match is_code || is_name {
            true => vec![inner.to_owned()],
            false => Vec::new(),
        };
    }
    let is_behind = before.eq_ignore_ascii_case("operator");
    let has_word = inner.len() > "operator".len();
    match is_code || is_behind || has_word {
        true => operator_names(inner),
        false => Vec::new(),
    }
}

/// The declarations of some names as they are written, product before tests, the latest version of a folder before
/// others, then the file of the name and the longest; none where there are more than `most`.
fn declared(view: &AnalysisView<'_>, names: &[String], most: usize) -> Vec<NamedPlace> {
    let symbols = names.iter().flat_map(|name| {
        let symbols = view.index.named(name).iter().copied();
        symbols.map(move |symbol| (name, symbol))
    });
    let found = symbols.filter_map(|(name, symbol)| {
        let (file, item) = view.index.get(symbol)?;
        let written = file.facts.str(item.name);
        let is_it = written == name || written.eq_ignore_ascii_case(name) && !is_word(name);
        let is_shown =
            !item.flags.contains(ItemFlags::LOCAL) && !view.index.is_external(symbol.file);
        (is_it && is_shown).then_some((file, item))
    });
    let mut found: Vec<(&IndexedFile, &Item)> = found.take(most + 1).collect();
    if found.len() > most {
        return Vec::new();
    }
    let paths: Vec<&str> = found.iter().map(|(file, _)| &*file.path).collect();
    found.sort_by_key(|(file, item)| {
        let stem = file.path.rsplit('/').next().unwrap_or(&file.path);
        let stem = stem.split('.').next().unwrap_or(stem);
        let name = file.facts.str(item.name);
        let is_of_name = letters(stem) == letters(name);
        let has_more = is_of_name
            && file
                .path
                .rsplit('/')
                .next()
                .is_some_and(|file| file.matches('.').count() > 1);
        (
            Role::of_path(&file.path) != Role::Source,
            is_replaced(&file.path, &paths),
            !is_of_name,
            has_more,
            Reverse(item.end.line.saturating_sub(item.start.line)),
            file.path.clone(),
            item.name_byte,
        )
    });
    let places = found
        .into_iter()
        .map(|(file, item)| place_of(view, file, item));
    places.collect()
}

fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The letters and digits of a name in lower case.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// The paths of the files that a question names by a path or by the end of one.
pub(super) fn files(view: &AnalysisView<'_>, text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'`()[]{}<>,;".contains(c));
    let words = words.map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    let mut named: Vec<&str> = words
        .filter(|word| language_of_path(word).is_some() && word.len() < 1024)
        .take(MAX_WORDS)
        .collect();
    named.sort_unstable();
    named.dedup();
    if named.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<Vec<String>> = vec![Vec::new(); named.len()];
    for (_, file) in view.shown_files() {
        let path = path_of(view, file.root, &file.path);
        for (of, word) in found.iter_mut().zip(&named) {
            if of.len() <= MAX_FILES && is_end(&path, &word.replace('\\', "/")) {
                of.push(path.clone());
            }
        }
    }
    let few = found.into_iter().filter(|of| of.len() <= MAX_FILES);
    few.flatten().take(MAX_FILES).collect()
}

fn is_end(path: &str, written: &str) -> bool {
    let written = written.trim_start_matches("./");
    let before = path.strip_suffix(written);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        || written
            .strip_suffix(path)
            .is_some_and(|before| before.ends_with('/'))
}

/// The keys of settings in a question: `server.port`, `http-proxy`, `MAX_RETRIES`, `--no-cache`.
pub(super) fn keys_of_settings(text: &str) -> Vec<&str> {
    let is_end = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;=".contains(c);
    let words = text.split(is_end);
    let words = words.map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    // Prose has hyphens and strokes between words too: a key of these is written as code.
    let is_code = |word: &str| {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let before = text[..at].ends_with(['`', '"', '\'']);
        let has_hyphens_alone = !word.contains(['.', '_', ':']);
        before || word.starts_with("--") || !has_hyphens_alone
    };
    let is_key = |word: &&str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._/:".contains(c);
        KEY.contains(&word.len())
            && word.chars().all(is_plain)
            && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-')
            && word
                .trim_start_matches('-')
                .contains(['-', '.', '_', '/', ':'])
            && language_of_path(word).is_none()
            && is_code(word)
    };
    let mut keys: Vec<&str> = words.filter(is_key).take(MAX_WORDS).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Where the code of some files has keys of settings between quotation marks; no places of a key that many have.
pub(super) fn of_settings<'t>(
    view: &AnalysisView<'_>,
    text: &str,
    files: impl Iterator<Item = (FileId, &'t str)> + Clone,
) -> Vec<NamedPlace> {
    let mut places = Vec::new();
    // What is declared is found by its name.
    let is_declared = |key: &&str| view.index.named(key).is_empty();
    for key in keys_of_settings(text).into_iter().filter(is_declared) {
        let found = files.clone().flat_map(|(id, text)| {
            quoted_keys(text, key)
                .map(move |at| (id, at))
                .take(MAX_OF_A_NAME + 1)
        });
        let found: Vec<(FileId, usize)> = found.take(MAX_OF_A_NAME + 1).collect();
        if found.len() > MAX_OF_A_NAME {
            continue;
        }
        for (id, at) in found {
            let Some(file) = view.index.file(id) else {
                continue;
            };
            let around = super::question_targets::innermost(file, |item| {
                item.start_byte as usize <= at && at < item.end_byte as usize
            });
            let place = around.map(|item| place_of(view, file, item));
            places.extend(place.filter(|place| !places.contains(place)));
        }
    }
    places
}

/// Where a text has a key between quotation marks.
fn quoted_keys<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = usize> + 't {
    const MARKS: &[u8] = b"\"'`";
    let bytes = text.as_bytes();
    memchr::memmem::find_iter(bytes, key.as_bytes())
        .filter(move |at| {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            let after = bytes.get(at + key.len());
            let is_mark = |byte: Option<&u8>| byte.is_some_and(|byte| MARKS.contains(byte));
            is_mark(before) && is_mark(after)
        })
        .collect::<Vec<_>>()
        .into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_told_from_prose() {
        for (before, word, name) in [
            ("does", "Q", "Q"),
            ("the", "`f`", "f"),
            ("operator", "+", "+"),
            ("the", "`<<`", "<<"),
            ("the", "operator==?", "=="),
        ] {
            assert_eq!(
                short_names(before, word).first().map(String::as_str),
                Some(name),
                "{word}"
            );
        }
        for (before, word) in [
            ("", "A"),
            ("and", "I"),
            ("a", "-"),
            ("x", "f"),
            ("is", "=="),
            ("", "operators"),
        ] {
            assert!(short_names(before, word).is_empty(), "{word}");
        }
    }

    #[test]
    fn keys_of_settings_are_told_from_words() {
        assert_eq!(
            keys_of_settings("what does `server.port` do with --no-cache, and MAX_RETRIES=3?"),
            ["--no-cache", "MAX_RETRIES", "server.port"]
        );
        assert_eq!(keys_of_settings("is `keep-alive` read"), ["keep-alive"]);
        let prose = "how are keep-alive carts opened and/or closed. e.g. twice -- cart.rs";
        assert!(keys_of_settings(prose).is_empty());
    }

    #[test]
    fn a_key_counts_between_quotation_marks() {
        let text = "// server.port is read here\nget(\"server.port\")";
        assert_eq!(quoted_keys(text, "server.port").count(), 1);
    }

    #[test]
    fn a_file_is_named_by_the_end_of_its_path() {
        assert!(
            is_end("src/shop/cart.rs", "cart.rs") && is_end("src/shop/cart.rs", "./shop/cart.rs")
        );
        assert!(is_end("cart.rs", "/srv/app/cart.rs"));
        assert!(!is_end("src/shop/cart.rs", "art.rs") && !is_end("cart.rs", "smart_cart.rs"));
    }
}
