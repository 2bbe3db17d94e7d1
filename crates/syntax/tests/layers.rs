//! Layers of any text: every change is in one of them, and white space is only cosmetic (SPEC H3, D18).
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads its fixtures"
)]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use codecortex_syntax::{Facts, ItemIndex, Layer, Limits, Outcome, Own, analyse};
use proptest::prelude::*;
use proptest::sample::Index;

/// Every fixture: its name and text.
static FIXTURES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files = Vec::new();
    let mut pending = vec![folder];
    while let Some(folder) = pending.pop() {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let (folders, found): (Vec<PathBuf>, Vec<PathBuf>) = paths.partition(|path| path.is_dir());
        pending.extend(folders);
        files.extend(found.into_iter().filter_map(|path| {
            let name = path.file_name()?.to_str()?.to_owned();
            let text = std::fs::read_to_string(&path).ok()?;
            facts(&name, &text).map(|_| (name, text))
        }));
    }
    files.sort();
    files
});

fn facts(name: &str, text: &str) -> Option<Facts> {
    let limits = Limits {
        max_file_size: 1 << 20,
        exclude_generated: false,
    };
    match analyse(name, text.as_bytes(), limits) {
        Outcome::Facts(facts) => Some(facts),
        Outcome::Names(_) | Outcome::Skipped(_) => None,
    }
}

/// A text's layers, and what they are without the cosmetic one.
fn layers(name: &str, text: &str) -> Option<(Vec<Own>, Vec<Own>)> {
    let facts = facts(name, text)?;
    let mut essential = facts.layers.clone();
    essential.retain(|own| !matches!(own.layer, Layer::Cosmetic | Layer::Order));
    Some((facts.layers, essential))
}

fn place(text: &str, at: Index) -> usize {
    text.floor_char_boundary(at.index(text.len() + 1))
}

proptest! {
    // Some fixtures are mostly text, where places are of no use.
    #![proptest_config(ProptestConfig {
        cases: 1500,
        max_global_rejects: 20_000,
        ..ProptestConfig::default()
    })]

    /// No character can come, go or become another one without a layer that changes by it. (White space
    /// that goes from one place to another is the same white space: that changes the file's hash alone.)
    #[test]
    fn every_change_is_in_a_layer(
        file in any::<Index>(),
        at in any::<Index>(),
        removes in any::<bool>(),
        added in prop_oneof![Just(String::new()), "[ \\t\\n;,(){}a-zA-Z0-9_#\"'/*=.@éß漢]"],
    ) {
        let (name, text) = file.get(&FIXTURES);
        let start = place(text, at);
        let end = text.ceil_char_boundary((start + usize::from(removes)).min(text.len()));
        let after = format!("{}{added}{}", &text[..start], &text[end..]);
        prop_assume!(after != *text);
        let (Some(before), Some(now)) = (layers(name, text), layers(name, &after)) else {
            return Ok(());
        };
        prop_assert_ne!(before.0, now.0, "{}: {:?} -> {:?}", name, &text[start..end], added);
    }

    /// White space at the end of a line is cosmetic, and so is an empty line more.
    #[test]
    fn white_space_is_looks(file in any::<Index>(), at in any::<Index>(), empty in any::<bool>()) {
        let (name, text) = file.get(&FIXTURES);
        let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
        let end = *at.get(&ends);
        // In a text of several lines it means something.
        prop_assume!(!in_text(name, text, end));
        let added = if empty { "\n" } else { "  " };
        let after = format!("{}{added}{}", &text[..end], &text[end..]);
        let (before, now) = (layers(name, text).unwrap(), layers(name, &after).unwrap());
        prop_assert_eq!(before.1, now.1, "{} line {}", name, text[..end].matches('\n').count() + 1);
        prop_assert_ne!(before.0, now.0);
    }
}

/// Whether a place is in a string, a comment or a directive: replacing it there changes words.
fn in_text(name: &str, text: &str, at: usize) -> bool {
    let language = codecortex_syntax::language_of_path(name).unwrap();
    let tree = codecortex_syntax::parse(language, text, None).unwrap();
    let mut node = tree.root_node().descendant_for_byte_range(at, at);
    while let Some(around) = node {
        let kind = around.kind();
        let words = [
            "string", "comment", "char", "regex", "jsx", "preproc", "ERROR", "macro", "text",
            "heredoc", "quoted",
        ];
        let ends_here = around.end_byte() <= at && !kind.contains("preproc");
        if !ends_here && (words.iter().any(|word| kind.contains(word)) || around.is_error()) {
            return true;
        }
        node = around.parent();
    }
    // A comment right before a declaration documents it, with an empty line between it does not.
    let line = text[..at].rsplit('\n').next().unwrap_or("").trim_start();
    ["//", "#", "*", "/*", "[", "@", "--"]
        .iter()
        .any(|start| line.starts_with(start))
        || line.contains('\\')
}

#[test]
fn digests_are_in_the_order_that_look_ups_need() {
    for (name, text) in FIXTURES.iter() {
        let facts = facts(name, text).unwrap();
        assert!(facts.layers.is_sorted(), "{name}");
        let items = facts.items.len() as ItemIndex;
        let known = |own: &Own| own.item < items || own.item == codecortex_syntax::FILE;
        assert!(facts.layers.iter().all(known), "{name}");
        let headed = (0..items).filter(|item| facts.layer(*item, Layer::Header).next().is_some());
        let counted = facts.items.iter().filter(|item| {
            !item.flags.contains(codecortex_syntax::ItemFlags::LOCAL) && !item.kind.is_namespace()
        });
        let (headed, counted) = (headed.count(), counted.count());
        // Several names in one declaration share its head.
        assert!(
            headed * 10 >= counted * 7,
            "{name}: {headed} of {counted} have a head"
        );
    }
}
