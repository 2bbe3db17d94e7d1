//! Many short strings in one: no allocation for each of them.
//!
//! A million lines have some hundred thousand names. Kept each by itself they took a third of the time of a start.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Strings one behind the other, by number; at most 4 GiB of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    texts: String,
    /// Where each ends, in bytes.
    ends: Vec<u32>,
}

impl Strings {
    /// Strings of these lengths, in bytes; one that would not be a part of `texts` is empty.
    #[must_use]
    pub fn of_lengths(texts: String, lengths: impl Iterator<Item = u32>) -> Self {
        let mut end = 0_u32;
        let ends = lengths.map(|length| {
            end = end.saturating_add(length);
            end
        });
        Self {
            ends: ends.collect(),
            texts,
        }
    }

    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds one behind the others.
    pub fn push(&mut self, text: &str) {
        self.texts.push_str(text);
        self.ends.push(self.texts.len() as u32);
    }

    /// The one of that number.
    #[must_use]
    pub fn get(&self, number: u32) -> Option<&str> {
        let end = *self.ends.get(number as usize)?;
        let start = match number.checked_sub(1) {
            Some(before) => self.ends[before as usize],
            None => 0,
        };
        Some(self.texts.get(start as usize..end as usize).unwrap_or(""))
    }

    /// All in their order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| self.get(number).unwrap_or(""))
    }

    /// The length of each, in bytes.
    pub fn lengths(&self) -> impl Iterator<Item = u32> {
        self.iter().map(|text| text.len() as u32)
    }

    /// All in one.
    #[must_use]
    pub fn texts(&self) -> &str {
        &self.texts
    }

    /// Bytes of memory they take, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.texts.capacity() + 4 * self.ends.capacity()
    }

    fn reserve(&mut self, more: usize, bytes: usize) {
        self.ends.reserve(more);
        self.texts.reserve(bytes);
    }
}

/// Strings, each once, by number in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    strings: Strings,
    numbers: HashTable<u32>,
}

impl From<Strings> for Interner {
    /// These strings by the numbers that they have. Of one that is there twice either may be found.
    fn from(strings: Strings) -> Self {
        let hash_of = |number: &u32| hash(strings.get(*number).unwrap_or(""));
        let mut numbers = HashTable::with_capacity(strings.len());
        for number in 0..strings.len() as u32 {
            numbers.insert_unique(hash_of(&number), number, hash_of);
        }
        Self { strings, numbers }
    }
}

impl Interner {
    /// Makes room for so many more, of so many bytes together.
    pub fn reserve(&mut self, more: usize, bytes: usize) {
        let strings = &mut self.strings;
        strings.reserve(more, bytes);
        let hasher = |number: &u32| hash(strings.get(*number).unwrap_or(""));
        self.numbers.reserve(more, hasher);
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// The number of a string, if it is there.
    #[must_use]
    pub fn number_of(&self, text: &str) -> Option<u32> {
        let is_it = |number: &u32| self.strings.get(*number) == Some(text);
        self.numbers.find(hash(text), is_it).copied()
    }

    /// The number of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hashed = hash(text);
        let strings = &mut self.strings;
        let is_it = |number: &u32| strings.get(*number) == Some(text);
        if let Some(known) = self.numbers.find(hashed, is_it) {
            return *known;
        }
        let number = strings.len() as u32;
        strings.push(text);
        let hasher = |number: &u32| hash(strings.get(*number).unwrap_or(""));
        self.numbers.insert_unique(hashed, number, hasher);
        number
    }

    /// The strings.
    #[must_use]
    pub fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Bytes of memory they take, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.strings.memory() + 5 * self.numbers.capacity()
    }
}

fn hash(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_string_has_one_number(texts in prop::collection::vec("[ab漢]{0,3}", 0..60)) {
            let mut interner = Interner::default();
            let mut known: Vec<String> = Vec::new();
            for text in texts {
                let number = interner.intern(&text);
                if number as usize == known.len() {
                    prop_assert!(!known.contains(&text));
                    known.push(text.clone());
                }
                prop_assert_eq!(&known[number as usize], &text);
                prop_assert_eq!(interner.number_of(&text), Some(number));
            }
            prop_assert!(interner.strings().iter().eq(known.iter().map(String::as_str)));
            prop_assert_eq!(interner.number_of("c"), None);
            let strings = interner.strings();
            let lengths: Vec<u32> = strings.lengths().collect();
            let again = Strings::of_lengths(strings.texts().to_owned(), lengths.into_iter());
            prop_assert_eq!(&again, strings);
            let again = Interner::from(again);
            for (number, text) in known.iter().enumerate() {
                prop_assert_eq!(again.number_of(text), Some(number as u32));
            }
            prop_assert_eq!(again.number_of("c"), None);
        }

        #[test]
        fn lengths_from_elsewhere_lead_nowhere_else(
            texts in "[ab漢]{0,9}",
            lengths in prop::collection::vec(prop_oneof![0..9_u32, any::<u32>()], 0..9),
        ) {
            let count = lengths.len();
            let strings = Strings::of_lengths(texts, lengths.into_iter());
            prop_assert_eq!(strings.iter().count(), count);
            prop_assert_eq!(strings.get(count as u32), None);
        }
    }
}
