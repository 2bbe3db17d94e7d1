//! Which types were used lately: of several meanings of a name, the one that was comes first (SPEC S2,
//! D20), and `access.json` keeps them across runs.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The most types that are kept (SPEC S2).
const CAPACITY: usize = 512;

const SCHEMA_VERSION: &str = "1.0";

/// Types by when they were used, the latest first. An id stands for a type of one root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    latest_first: VecDeque<(u32, String)>,
    /// How often a type was used.
    count: u32,
}

/// `access.json`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AccessFile {
    schema_version: String,
    /// Ids, the latest first.
    types: Vec<String>,
}

impl Access {
    /// Notes that a type was used now; the one whose last use is longest ago may be forgotten for it.
    pub fn touch(&mut self, root: u32, id: &str) {
        self.count = self.count.wrapping_add(1);
        let place = self.place(root, id);
        match place.and_then(|place| self.latest_first.remove(place)) {
            Some(entry) => self.latest_first.push_front(entry),
            None => self.latest_first.push_front((root, id.to_owned())),
        }
        self.latest_first.truncate(CAPACITY);
    }

    /// Greater for what was used later, 0 for what was not.
    #[must_use]
    pub fn recency(&self, root: u32, id: &str) -> u32 {
        let place = self.place(root, id);
        place.map_or(0, |place| (CAPACITY - place) as u32)
    }

    /// How often a type was used since the start: other types may be in the window then.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The types that were used, the latest first, with their roots.
    pub fn latest(&self) -> impl Iterator<Item = (u32, &str)> {
        self.latest_first
            .iter()
            .map(|(root, id)| (*root, id.as_str()))
    }

    fn place(&self, root: u32, id: &str) -> Option<usize> {
        let mut entries = self.latest_first.iter();
        entries.position(|(of, known)| *of == root && known == id)
    }

    /// Takes in the `access.json` of a root: what it names was used before everything that is known. It
    /// says what is wrong with the text; what can be read of it counts all the same.
    pub fn load(&mut self, root: u32, text: &str) -> Option<String> {
        let file: AccessFile = match serde_json::from_str(text) {
            Ok(file) => file,
            Err(error) => return Some(format!("access.json cannot be read: {error}")),
        };
        if file.schema_version.split('.').next() != SCHEMA_VERSION.split('.').next() {
            let version = &file.schema_version;
            return Some(format!("access.json is of version {version}"));
        }
        let all = file.types.len();
        let ids: Vec<String> = file.types.into_iter().filter(|id| is_type_id(id)).collect();
        let wrong = all - ids.len();
        for id in ids {
            if self.latest_first.len() < CAPACITY && self.place(root, &id).is_none() {
                self.latest_first.push_back((root, id));
            }
        }
        (wrong > 0).then(|| format!("access.json has {wrong} entries with invalid type ids"))
    }

    /// The `access.json` of a root, one line a type.
    #[must_use]
    pub fn render(&self, root: u32) -> String {
        let mine = self.latest_first.iter().filter(|(of, _)| *of == root);
        let file = AccessFile {
            schema_version: SCHEMA_VERSION.to_owned(),
            types: mine.map(|(_, id)| id.clone()).collect(),
        };
        // Strings in a list cannot fail to be written.
        let text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text + "\n"
    }
}

/// `T_` and letters of an id of whatever length.
fn is_type_id(id: &str) -> bool {
    let letters = id.strip_prefix("T_").unwrap_or_default();
    (8..=51).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(access: &Access) -> Vec<&str> {
        access.latest().map(|(_, id)| id).collect()
    }

    #[test]
    fn what_was_used_later_comes_first_and_the_oldest_goes() {
        let mut access = Access::default();
        for number in 0..600 {
            access.touch(0, &format!("T_{number:08}"));
        }
        access.touch(0, "T_00000300");
        assert_eq!(access.latest().count(), CAPACITY);
        assert_eq!(ids(&access)[..2], ["T_00000300", "T_00000599"]);
        assert!(access.recency(0, "T_00000300") > access.recency(0, "T_00000599"));
        assert!(access.recency(0, "T_00000089") > 0);
        assert_eq!(access.recency(0, "T_00000087"), 0);
        assert_eq!(access.recency(1, "T_00000300"), 0);
    }

    #[test]
    fn the_file() {
        let mut access = Access::default();
        access.touch(0, "T_9xx14grs");
        access.touch(1, "T_00000001");
        access.touch(0, "T_aag5bx7k");
        let text = "{\n  \"schemaVersion\": \"1.0\",\n  \"types\": [\n    \"T_aag5bx7k\",\n    \"T_9xx14grs\"\n  ]\n}\n";
        assert_eq!(access.render(0), text);
        // What was used since the start stays before what the file names.
        let mut later = Access::default();
        later.touch(0, "T_zzzzzzzz");
        later.touch(0, "T_9xx14grs");
        assert_eq!(later.load(0, text), None);
        assert_eq!(ids(&later), ["T_9xx14grs", "T_zzzzzzzz", "T_aag5bx7k"]);
    }

    #[test]
    fn a_damaged_file_is_told_and_harms_nothing() {
        for (text, told) in [
            ("", "cannot be read"),
            ("<<<<<<< ours", "cannot be read"),
            ("{\"types\":[]}", "cannot be read"),
            (
                "{\"schemaVersion\":\"2.0\",\"types\":[\"T_9xx14grs\"]}",
                "version 2.0",
            ),
            (
                "{\"schemaVersion\":\"1.7\",\"types\":[\"x\",\"T_../../x\"]}",
                "2 entries",
            ),
        ] {
            let mut access = Access::default();
            assert!(access.load(0, text).unwrap().contains(told), "{text}");
            assert_eq!(access.latest().count(), 0);
        }
    }

    proptest! {
        #[test]
        fn a_file_says_all_there_is(numbers in prop::collection::vec(0u32..900, 0..900)) {
            let mut access = Access::default();
            for number in numbers {
                access.touch(0, &format!("T_{number:08}"));
            }
            let mut again = Access::default();
            prop_assert_eq!(again.load(0, &access.render(0)), None);
            prop_assert_eq!(again.latest_first, access.latest_first);
        }
    }
}
