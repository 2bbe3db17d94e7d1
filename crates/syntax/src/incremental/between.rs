//! What two readings of a text have in common, whatever was read for each of them.

use super::Reuse;
use crate::facts::{Facts, Item, ItemIndex, Str};
use crate::layers::{FILE, Layer};

impl Reuse {
    /// What of the facts before is as it was.
    pub(super) fn between(before: &Facts, after: &Facts) -> Self {
        let pair = Pair { before, after };
        let (old, new) = (before.items.len(), after.items.len());
        // The package is in front of all names.
        let most = match pair.is_same_text(before.package, after.package) {
            true => old.min(new),
            false => 0,
        };
        let first = (0..most)
            .take_while(|at| pair.is_same(*at, *at, most))
            .count();
        let is_same_behind = |back: &usize| pair.is_same(old - back, new - back, first);
        let behind = (1..=most - first).take_while(is_same_behind).count();
        let (removed, added) = (old - behind - first, new - behind - first);
        let all = |is_same: &dyn Fn(&Item, &Item) -> bool| {
            let pairs = before.items[first..old - behind]
                .iter()
                .zip(&after.items[first..]);
            removed == added && pairs.into_iter().all(|(old, new)| is_same(old, new))
        };
        let same_names = all(&|old, new| pair.is_called_the_same(old, new));
        Self {
            first: first as ItemIndex,
            removed: removed as ItemIndex,
            added: added as ItemIndex,
            same_names,
            same_docs: same_names
                && pair.is_same_text(before.doc, after.doc)
                && all(&|old, new| pair.is_same_text(old.doc, new.doc)),
            reorders: !pair.is_same_of_file(|layer| layer == Layer::Order),
            is_told: !pair.is_same_of_file(|layer| layer != Layer::Order),
            visited: 0,
            parsed: 0,
        }
    }
}

/// Two readings.
struct Pair<'a> {
    before: &'a Facts,
    after: &'a Facts,
}

impl Pair<'_> {
    fn is_same_text(&self, old: Str, new: Str) -> bool {
        self.before.str(old) == self.after.str(new)
    }

    fn is_called_the_same(&self, old: &Item, new: &Item) -> bool {
        old.kind == new.kind
            && old.flags == new.flags
            && self.is_same_text(old.name, new.name)
            && self.is_same_text(old.container, new.container)
    }

    /// Whether two items are the same but for where they are. What is before `first` has the same number in both.
    fn is_same(&self, old: usize, new: usize, first: usize) -> bool {
        let (a, b) = (&self.before.items[old], &self.after.items[new]);
        let is_same_parent = match (a.parent, b.parent) {
            (Some(a), Some(b)) => {
                let (a, b) = (a as usize, b as usize);
                let is_mirrored = a >= first && b >= first && old - a == new - b;
                a == b && a < first || is_mirrored
            }
            (a, b) => a == b,
        };
        let [was, is] = [(self.before, old), (self.after, new)].map(|(facts, item)| {
            let layers = facts.layers_of(item as ItemIndex).iter();
            layers.map(|own| (own.layer, own.digest))
        });
        is_same_parent
            && self.is_called_the_same(a, b)
            && (a.visibility, a.arity) == (b.visibility, b.arity)
            && self.is_same_text(a.params, b.params)
            && self.is_same_text(a.doc, b.doc)
            && was.eq(is)
    }

    /// Whether the file says the same outside of its declarations, in some layers.
    fn is_same_of_file(&self, is_wanted: impl Fn(Layer) -> bool) -> bool {
        let [before, after] = [self.before, self.after].map(|facts| {
            let layers = facts.layers_of(FILE).iter();
            layers.filter(|own| is_wanted(own.layer))
        });
        before.eq(after)
    }
}
