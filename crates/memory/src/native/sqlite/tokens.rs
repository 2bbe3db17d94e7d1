//! What the full-text index is given of an observation, and what it is asked.

use std::collections::HashSet;

use crate::filter::{ObservationFilter, texts};
use crate::record::Observation;
use crate::words::tokens;

/// Begins the token of a condition; no word has this character.
const KEY: char = '\u{e000}';

/// All words of an observation, and one token for each condition that it meets.
pub(super) fn tokens_of(record: &Observation) -> String {
    let mut words = HashSet::new();
    texts(record).for_each(|text| tokens(text, &mut words));
    let mut keys: Vec<String> = vec![
        key('a', record.actor.as_str()),
        key('p', record.phase.as_str()),
    ];
    keys.extend(record.task().map(|task| key('t', task)));
    keys.extend(record.kind().map(|kind| key('k', kind)));
    if let Some(ext) = &record.ext {
        keys.extend(ext.branch.as_ref().map(|branch| key('b', branch)));
        keys.extend(ext.worktree.as_ref().map(|worktree| key('w', worktree)));
        keys.extend(ext.anchors.iter().map(|anchor| key('s', &anchor.symbol)));
    }
    for file in record.refs.iter().flat_map(|refs| &refs.files) {
        keys.push(key('f', file));
        keys.extend(
            file.match_indices('/')
                .map(|(at, _)| key('f', &file[..=at])),
        );
    }
    let words = words
        .iter()
        .map(AsRef::as_ref)
        .chain(keys.iter().map(String::as_str));
    words.collect::<Vec<_>>().join(" ")
}

/// The token of a condition: FNV-1a of its value in 64 bits.
fn key(kind: char, value: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = value.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{KEY}{kind}{hash:016x}")
}

/// The question in the language of the index; none without words and conditions.
pub(super) fn index_query(filter: &ObservationFilter) -> Option<String> {
    let mut all: Vec<String> = filter
        .words
        .iter()
        .map(|word| format!("\"{}\"*", word.as_str()))
        .collect();
    let one = |kind, value: &Option<String>| {
        value
            .as_ref()
            .map(|value| format!("\"{}\"", key(kind, value)))
    };
    let any = |kind, values: Vec<&str>| {
        let keys: Vec<String> = values
            .iter()
            .map(|value| format!("\"{}\"", key(kind, value)))
            .collect();
        (!keys.is_empty()).then(|| format!("({})", keys.join(" OR ")))
    };
    all.extend(one('t', &filter.task_id));
    all.extend(one('b', &filter.branch));
    all.extend(one('w', &filter.worktree));
    all.extend(one('f', &filter.file));
    let symbols = filter.symbol.iter().chain(&filter.former_symbols);
    all.extend(any('s', symbols.map(String::as_str).collect()));
    all.extend(any(
        'a',
        filter.actors.iter().map(|actor| actor.as_str()).collect(),
    ));
    all.extend(any(
        'p',
        filter.phases.iter().map(|phase| phase.as_str()).collect(),
    ));
    all.extend(any('k', filter.kinds.iter().map(String::as_str).collect()));
    (!all.is_empty()).then(|| all.join(" AND "))
}
