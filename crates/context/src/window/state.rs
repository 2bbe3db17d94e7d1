//! What people and models put into the window, and what they took out of it (SPEC PW2, D17): kept in
//! `state.json` under `promptWindow`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use codecortex_ledger::{Pack, rfc3339};
use codecortex_protocol::characters;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The key of `state.json`.
const KEY: &str = "promptWindow";
/// Pins of a root.
pub const MAX_PINS: usize = 10_000;
/// What is in focus of a root because somebody put it there.
pub const MAX_FOCUS: usize = 200;

/// A symbol or file that somebody named.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PinEntry {
    /// The id of a type or member, or `file:` and a path relative to the root.
    pub id: String,
    /// Its path, by which it is found again when its id is another one.
    pub path: String,
    /// When it was named, in ms since 1970.
    #[serde(default)]
    pub since: u64,
}

/// What is pinned, in the order in which it was. There may be thousands, and the window is made again and again:
/// entries are shared, whether one is there is known without looking at the others, and what its name costs
/// without looking at it (texts all over the memory were half of a window's time).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Arc<PinEntry>>", into = "Vec<Arc<PinEntry>>")]
pub struct Pins {
    /// With the characters of their paths.
    all: Vec<(Arc<PinEntry>, u32)>,
    ids: FxHashSet<String>,
}

impl Pins {
    /// In their order.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<PinEntry>> {
        self.all.iter().map(|(entry, _)| entry)
    }

    /// The same with the characters of their paths.
    pub fn measured(&self) -> impl Iterator<Item = (&Arc<PinEntry>, u32)> {
        self.all.iter().map(|(entry, letters)| (entry, *letters))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether nothing is pinned.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether something of this id is pinned.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// Adds one behind the others. False where it is there already, or there is no room.
    fn add(&mut self, entry: Arc<PinEntry>) -> bool {
        let is_new = self.all.len() < MAX_PINS && self.ids.insert(entry.id.clone());
        if is_new {
            let letters = characters(&entry.path) as u32;
            self.all.push((entry, letters));
        }
        is_new
    }

    /// Whether it was there.
    pub fn remove(&mut self, id: &str) -> bool {
        let was_there = self.ids.remove(id);
        if was_there {
            self.all.retain(|(known, _)| known.id != id);
        }
        was_there
    }
}

impl From<Vec<Arc<PinEntry>>> for Pins {
    fn from(entries: Vec<Arc<PinEntry>>) -> Self {
        let mut pins = Self::default();
        for entry in entries {
            pins.add(entry);
        }
        pins
    }
}

impl From<Pins> for Vec<Arc<PinEntry>> {
    fn from(pins: Pins) -> Self {
        pins.all.into_iter().map(|(entry, _)| entry).collect()
    }
}

/// Something in focus for some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Focus {
    /// What is in focus.
    #[serde(flatten)]
    pub entry: Arc<PinEntry>,
    /// Until when, in ms since 1970.
    pub until: u64,
}

/// A pack as it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PackState {
    /// Its filter.
    pub filter: String,
    /// Whether its types weigh more.
    pub active: bool,
    /// The tokens it may cost.
    pub max_tokens: u32,
    /// The types in it when it was built last, in its order.
    pub type_ids: Vec<String>,
    /// What its text was then.
    pub hash: String,
    /// What it cost then.
    pub token_estimate: u32,
    /// When that was, in ms since 1970.
    pub built_at: u64,
}

/// The part of one root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RootWindow {
    /// In the order in which they were pinned.
    pub pins: Pins,
    /// The latest last.
    pub focus: Vec<Focus>,
    /// Ids that are left out until they are used again.
    pub dismissed: BTreeSet<String>,
    /// By name.
    pub packs: BTreeMap<String, PackState>,
}

impl RootWindow {
    /// Whether the window has no entry and no removed one.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether there is something for which the file is written.
    pub fn is_used(&self) -> bool {
        !self.pins.is_empty() || !self.focus.is_empty() || self.packs.values().any(|p| p.active)
    }

    /// Takes in what `state.json` says beside what is known already. Gives what is wrong with it.
    pub fn load(&mut self, state: &Map<String, Value>) -> Option<String> {
        let value = state.get(KEY)?;
        let Ok(read) = serde_json::from_value::<Self>(value.clone()) else {
            return Some(format!(
                "state.json: `{KEY}` cannot be read; pins and focus are gone"
            ));
        };
        for pin in read.pins.iter() {
            self.pin(Arc::clone(pin));
        }
        for focus in read.focus {
            if !self
                .focus
                .iter()
                .any(|known| known.entry.id == focus.entry.id)
            {
                self.focus.push(focus);
            }
        }
        self.focus.truncate(MAX_FOCUS);
        self.dismissed.extend(read.dismissed);
        for (name, pack) in read.packs {
            self.packs.entry(name).or_insert(pack);
        }
        None
    }

    /// Writes it into what `state.json` will say.
    pub fn save(&self, state: &mut Map<String, Value>) {
        match self.is_empty() {
            true => drop(state.remove(KEY)),
            false => {
                let value = serde_json::to_value(self).unwrap_or_default();
                state.insert(KEY.to_owned(), value);
            }
        }
    }

    /// Pins something. False where it was already, or there is no room for more.
    pub fn pin(&mut self, entry: Arc<PinEntry>) -> bool {
        let id = entry.id.clone();
        let is_new = self.pins.add(entry);
        if is_new {
            self.dismissed.remove(&id);
        }
        is_new
    }

    /// Puts something into focus until a time; what is in focus stays longer.
    pub fn add(&mut self, entry: Arc<PinEntry>, until: u64) {
        self.focus.retain(|known| known.entry.id != entry.id);
        self.dismissed.remove(&entry.id);
        self.focus.push(Focus { entry, until });
        if self.focus.len() > MAX_FOCUS {
            self.focus.remove(0);
        }
    }

    /// Takes something out of focus, and leaves it out until it is used again. Whether it was in.
    pub fn dismiss(&mut self, id: &str) -> bool {
        let before = self.focus.len();
        self.focus.retain(|known| known.entry.id != id);
        // A pin stays whatever is dismissed; it would be out of sight only when it is none any more.
        let is_new = !self.pins.has(id) && self.dismissed.insert(id.to_owned());
        is_new | (self.focus.len() < before)
    }

    /// Drops what was in focus long enough. A clock that was set back lets nothing live longer than `ttl`.
    pub fn expire(&mut self, now: u64, ttl: u64) -> bool {
        let before = self.focus.clone();
        if now > 0 {
            self.focus.retain(|focus| focus.until > now);
            let most = now.saturating_add(ttl);
            self.focus
                .iter_mut()
                .for_each(|focus| focus.until = focus.until.min(most));
        }
        self.focus != before
    }
}

/// What is in the windows of all roots.
#[derive(Debug, Default)]
pub struct WindowState {
    /// By root.
    pub roots: Vec<RootWindow>,
    /// Grows when something is put in or taken out, and when what is in it may read differently.
    pub revision: u32,
}

/// The packs as `index.json` has them.
pub fn of_index(packs: &BTreeMap<String, PackState>) -> Vec<Pack> {
    let packs = packs.iter().map(|(name, pack)| Pack {
        name: name.clone(),
        token_estimate: u64::from(pack.token_estimate),
        last_build: (pack.built_at > 0).then(|| rfc3339(pack.built_at / 1000 * 1000)),
        type_ids: pack.type_ids.clone(),
        ..Pack::default()
    });
    packs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str) -> Arc<PinEntry> {
        Arc::new(PinEntry {
            id: id.to_owned(),
            path: id.to_lowercase(),
            since: 5,
        })
    }

    #[test]
    fn what_is_saved_is_there_again_and_nonsense_is_told() {
        let mut window = RootWindow::default();
        assert!(window.pin(entry("T_1")) && !window.pin(entry("T_1")));
        assert!(window.pins.has("T_1") && !window.pins.has("T_2"));
        window.add(entry("T_2"), 100);
        window.dismissed.insert("T_3".to_owned());
        let mut state = Map::new();
        window.save(&mut state);
        let mut again = RootWindow::default();
        assert_eq!(again.load(&state), None);
        assert_eq!(again, window);
        assert_eq!(again.load(&state), None, "twice is once");
        assert_eq!(again, window);
        RootWindow::default().save(&mut state);
        assert!(state.is_empty());
        state.insert(KEY.to_owned(), Value::from("x"));
        assert!(RootWindow::default().load(&state).is_some());
    }

    #[test]
    fn focus_ends_also_when_the_clock_jumps() {
        let mut window = RootWindow::default();
        window.add(entry("T_1"), 2_000);
        window.add(entry("T_2"), 9_000);
        assert!(!window.expire(0, 30), "nobody told the time");
        assert!(window.expire(2_000, 10_000));
        assert_eq!(window.focus.len(), 1);
        // The clock is set back: half an hour stays half an hour.
        assert!(window.expire(1_000, 3_000));
        assert_eq!(window.focus[0].until, 4_000);
        assert!(window.expire(4_001, 3_000) && window.focus.is_empty());
    }
}
