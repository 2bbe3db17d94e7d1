//! The order in which semantic texts are made (SPEC I4, `000` §5.2).

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::hash::Hash;

/// Highest priority first; of equal ones the first that came; of parts of what came as one, the first
/// by id.
type QueueKey<U> = (Reverse<u64>, u64, String, U);

/// Units that wait, each by its first member `U`.
pub(crate) struct Queue<U> {
    order: BTreeSet<QueueKey<U>>,
    places: FxHashMap<U, QueueKey<U>>,
}

impl<U> Default for Queue<U> {
    fn default() -> Self {
        Self {
            order: BTreeSet::new(),
            places: FxHashMap::default(),
        }
    }
}

/// `references / (1 + depth) × weight`.
pub(crate) fn priority(references: usize, depth: u32, weight: f64) -> f64 {
    references as f64 / (1.0 + f64::from(depth)) * weight
}

impl<U: Copy + Ord + Hash> Queue<U> {
    pub(crate) fn put(&mut self, unit: U, id: &str, priority: f64, ticket: u64) {
        self.remove(unit);
        // The bits of floats that are not negative have the order of the floats.
        let bits = priority.max(0.0).to_bits();
        let place = (Reverse(bits), ticket, id.to_owned(), unit);
        self.places.insert(unit, place.clone());
        self.order.insert(place);
    }

    pub(crate) fn remove(&mut self, unit: U) {
        if let Some(place) = self.places.remove(&unit) {
            self.order.remove(&place);
        }
    }

    /// First members and priorities, in the order of the queue.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (U, f64)> {
        let places = self.order.iter();
        places.map(|(Reverse(bits), _, _, unit)| (*unit, f64::from_bits(*bits)))
    }

    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }
}
