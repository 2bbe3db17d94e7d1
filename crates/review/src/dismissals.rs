//! Findings that somebody dismissed: kept by their ids in `state.json`, so that they stay dismissed (SPEC RV3).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The key of `state.json`.
const KEY: &str = "reviewDismissed";
/// Where what cannot be read of it is moved when it is written anew.
const ASIDE: &str = "reviewDismissedUnread";
/// What is kept at most; the oldest fall.
const MAX: usize = 2_000;
/// The longest id.
const LONGEST: usize = 24;

/// The dismissed findings of a root: what its `state.json` says, and over that what was said in this session.
#[derive(Clone, Debug, Default)]
pub struct Dismissals {
    kept: BTreeMap<String, u64>,
    /// When an id was dismissed, or that it was restored.
    own: BTreeMap<String, Option<u64>>,
}

impl Dismissals {
    /// Whether a finding is dismissed.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        match self.own.get(id) {
            Some(said) => said.is_some(),
            None => self.kept.contains_key(id),
        }
    }

    /// Takes in that a finding is dismissed, and when; or that it is not any more.
    pub fn note(&mut self, id: &str, dismissed: Option<u64>) {
        self.own.insert(id.to_owned(), dismissed);
    }

    /// Takes in what `state.json` says. Gives what is wrong with it.
    pub fn load(&mut self, state: &Map<String, Value>) -> Option<String> {
        self.kept.clear();
        let written = state.get(KEY)?;
        let valid = written.as_object().into_iter().flatten();
        let valid = valid.filter(|(id, _)| is_id(id));
        let dated = valid.map(|(id, since)| (id.clone(), since.as_u64().unwrap_or(0)));
        self.kept = dated.collect();
        let what = match unread(written)? {
            Value::Object(entries) => format!("{} entries of `{KEY}`", entries.len()),
            _ => format!("`{KEY}`"),
        };
        Some(format!(
            "state.json: {what} cannot be read; these findings are shown again, and what stands there is kept as `{ASIDE}`"
        ))
    }

    /// Writes it into what `state.json` will say. What cannot be read of it is moved aside; without anything new to say
    /// all stays as it is.
    pub fn save(&self, state: &mut Map<String, Value>) {
        if self.own.is_empty() {
            return;
        }
        if let Some(unread) = state.get(KEY).and_then(unread) {
            move_aside(state, unread);
        }
        let mut all = self.kept.clone();
        for (id, said) in &self.own {
            match said {
                Some(since) => drop(all.insert(id.clone(), *since)),
                None => drop(all.remove(id)),
            }
        }
        let mut dated: Vec<(u64, String)> =
            all.into_iter().map(|(id, since)| (since, id)).collect();
        dated.sort();
        let first = dated.len().saturating_sub(MAX);
        let written: Map<String, Value> = dated
            .split_off(first)
            .into_iter()
            .map(|(since, id)| (id, since.into()))
            .collect();
        match written.is_empty() {
            true => drop(state.remove(KEY)),
            false => drop(state.insert(KEY.to_owned(), Value::Object(written))),
        }
    }
}

/// What of a value cannot be read: all of it, or the entries without an id.
fn unread(written: &Value) -> Option<Value> {
    let Some(entries) = written.as_object() else {
        return Some(written.clone());
    };
    let other = entries.iter().filter(|(id, _)| !is_id(id));
    let other: Map<String, Value> = other.map(|(id, at)| (id.clone(), at.clone())).collect();
    (!other.is_empty()).then_some(Value::Object(other))
}

/// Adds it to what was moved before.
fn move_aside(state: &mut Map<String, Value>, unread: Value) {
    let mut all = match state.remove(ASIDE) {
        Some(Value::Array(list)) => list,
        Some(other) => vec![other],
        None => Vec::new(),
    };
    if !all.contains(&unread) {
        all.push(unread);
    }
    state.insert(ASIDE.to_owned(), Value::Array(all));
}

/// Whether a text has the form of a finding's id.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let (hash, number) = text.split_once('-').unwrap_or((text, "2"));
    let is_hash = hash.len() == 12 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash
        && text.len() <= LONGEST
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn what_is_dismissed_stays_so_until_it_is_restored() {
        let mut first = Dismissals::default();
        first.note("0123456789ab", Some(5));
        first.note("aaaaaaaaaaaa-2", Some(6));
        let mut state = object(json!({ "promptWindow": 1 }));
        first.save(&mut state);
        assert_eq!(state["reviewDismissed"]["0123456789ab"], 5);

        let mut second = Dismissals::default();
        assert_eq!(second.load(&state), None);
        assert!(second.has("0123456789ab") && second.has("aaaaaaaaaaaa-2"));
        second.note("0123456789ab", None);
        second.note("aaaaaaaaaaaa-2", None);
        assert!(!second.has("0123456789ab"));
        second.save(&mut state);
        assert_eq!(state, object(json!({ "promptWindow": 1 })));
    }

    /// What another process wrote meanwhile does not take away what was said here.
    #[test]
    fn what_was_said_here_stands_over_what_is_read() {
        let mut here = Dismissals::default();
        here.note("0123456789ab", Some(5));
        let other = object(json!({ "reviewDismissed": { "bbbbbbbbbbbb": 7, "no id": 8 } }));
        let problem = here.load(&other).unwrap();
        assert!(problem.contains("1 entries of"), "{problem}");
        assert!(here.has("0123456789ab") && here.has("bbbbbbbbbbbb") && !here.has("no id"));
    }

    #[test]
    fn what_cannot_be_read_is_told_and_the_oldest_fall() {
        let mut kept = Dismissals::default();
        let problem = kept.load(&object(json!({ "reviewDismissed": [1] })));
        assert!(problem.is_some_and(|problem| problem.contains("reviewDismissed")));
        for at in 0..=MAX as u64 {
            kept.note(&format!("{at:012x}"), Some(at));
        }
        let mut state = Map::new();
        kept.save(&mut state);
        let written = state["reviewDismissed"].as_object().unwrap();
        assert_eq!(written.len(), MAX);
        assert!(!written.contains_key("000000000000"));
    }

    #[test]
    fn what_cannot_be_read_is_moved_aside_and_never_written_over() {
        let unread = [json!([1]), json!("x"), json!(null), json!({ "no id": 8 })];
        for written in &unread {
            let before = object(json!({ "reviewDismissed": written, "other": 1 }));
            let mut dismissals = Dismissals::default();
            assert!(dismissals.load(&before).is_some());
            let mut state = before.clone();
            dismissals.save(&mut state);
            assert_eq!(state, before, "nothing is said, nothing is written");
            dismissals.note("0123456789ab", Some(5));
            dismissals.save(&mut state);
            let after = json!({ "reviewDismissed": { "0123456789ab": 5 }, "other": 1, "reviewDismissedUnread": [written] });
            assert_eq!(state, object(after));
            dismissals.save(&mut state);
            assert_eq!(state["reviewDismissedUnread"], json!([written]));
            assert_eq!(dismissals.load(&state), None);
        }
    }

    #[test]
    fn ids_have_a_form() {
        let good = ["0123456789ab", "0123456789ab-12"].map(is_id);
        let bad = [
            "",
            "0123456789a",
            "0123456789ax",
            "0123456789ab-",
            "0123456789ab-x",
            "-",
        ]
        .map(is_id);
        assert_eq!((good, bad), ([true; 2], [false; 6]));
    }
}
