//! Names of the languages' own libraries that no file of the workspace has: added while questions are answered.
//!
//! A name has one number. What the workspace's files write has the workspace's numbers; what library files alone write
//! is numbered here, behind all of these. The workspace takes a number over from here where a file comes to write such
//! a name later.

use std::sync::{OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::ids::Name;

/// The first number; the workspace never has so many names.
const FIRST: u32 = 1 << 31;
/// The first block has so many names, each of the others twice as many as the one before.
const FIRST_BLOCK: u32 = 1 << 10;
/// So many blocks: together more names than all libraries have.
const BLOCKS: usize = 16;

/// A run of names; each is written once.
type Block = Box<[OnceLock<Box<str>>]>;

/// Names by number, to which several threads add.
#[derive(Debug, Default)]
pub(crate) struct SharedNames {
    numbers: RwLock<FxHashMap<Box<str>, u32>>,
    blocks: [OnceLock<Block>; BLOCKS],
}

impl SharedNames {
    /// The text of a name that is numbered here.
    pub(crate) fn text(&self, name: Name) -> Option<&str> {
        let (block, place) = place(name.0.checked_sub(FIRST)?)?;
        let text = self.blocks.get(block)?.get()?.get(place)?;
        text.get().map(|text| &**text)
    }

    /// The name of a text, if it is numbered here.
    pub(crate) fn name(&self, text: &str) -> Option<Name> {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        numbers.get(text).map(|number| Name(FIRST + number))
    }

    /// The name of a text, a new one where it has none; `None` where there is no room for more.
    pub(crate) fn add(&self, text: &str) -> Option<Name> {
        if let Some(known) = self.name(text) {
            return Some(known);
        }
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = numbers.get(text) {
            return Some(Name(FIRST + known));
        }
        let number = numbers.len() as u32;
        let (block, place) = place(number)?;
        let block = self.blocks.get(block)?.get_or_init(|| empty(block));
        block.get(place)?.get_or_init(|| text.into());
        numbers.insert(text.into(), number);
        Some(Name(FIRST + number))
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        numbers.is_empty()
    }

    /// Bytes of memory they take, roughly.
    pub(crate) fn memory(&self) -> usize {
        let numbers = self.numbers.read().unwrap_or_else(PoisonError::into_inner);
        numbers.keys().map(|text| 2 * text.len() + 48).sum()
    }
}

/// The block of a number, and its place there.
fn place(number: u32) -> Option<(usize, usize)> {
    let block = (number / FIRST_BLOCK + 1).ilog2();
    let before = ((1 << block) - 1) * FIRST_BLOCK;
    let block = block as usize;
    (block < BLOCKS).then_some((block, (number - before) as usize))
}

fn empty(block: usize) -> Block {
    let size = (FIRST_BLOCK as usize) << block;
    (0..size).map(|_| OnceLock::new()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_has_one_number_across_blocks() {
        let names = SharedNames::default();
        assert!(names.is_empty());
        let count = 5 * FIRST_BLOCK;
        let numbered: Vec<Name> = (0..count)
            .map(|number| names.add(&format!("n{number}")).expect("room"))
            .collect();
        for (number, name) in numbered.iter().enumerate() {
            let text = format!("n{number}");
            assert_eq!(names.text(*name), Some(text.as_str()));
            assert_eq!(names.name(&text), Some(*name));
            assert_eq!(names.add(&text), Some(*name));
        }
        assert_eq!(names.name("m"), None);
        assert_eq!(names.text(Name(FIRST + count)), None);
        assert_eq!(names.text(Name(7)), None);
        assert!(names.memory() > 0);
    }

    #[test]
    fn threads_agree_about_a_number() {
        let names = SharedNames::default();
        let texts: Vec<String> = (0..3000).map(|number| format!("n{number}")).collect();
        let add = || texts.iter().map(|text| names.add(text)).collect::<Vec<_>>();
        let (one, other) = std::thread::scope(|scope| {
            let one = scope.spawn(add);
            let other = scope.spawn(add);
            (one.join(), other.join())
        });
        assert_eq!(one.expect("no panic"), other.expect("no panic"));
    }
}
