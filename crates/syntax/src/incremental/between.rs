//! What two readings of a text have in common, whatever was read for each of them.

use super::alike::{alike, are_held_alike};
use super::{Rest, Reuse};
use crate::facts::{Facts, Item, ItemIndex, Str};
use crate::layers::{FILE, Own};
use crate::reparse::same_at_start;

impl Reuse {
    /// What of the facts before is as it was.
    pub(super) fn between(before: &Facts, after: &Facts) -> Self {
        let pair = Pair::of(before, after);
        let (old, new) = (before.items.len(), after.items.len());
        // The package is in front of all names.
        let is_same_package = pair.is_same_text(before.package, after.package);
        let most = match is_same_package {
            true => old.min(new),
            false => 0,
        };
        let (first, behind) = alike((old, new), most, |old, new, first| {
            pair.is_same(old, new, first)
        });
        let (removed, added) = (old - behind - first, new - behind - first);
        let all = |is_same: &dyn Fn(&Item, &Item) -> bool| {
            let pairs = before.items[first..old - behind]
                .iter()
                .zip(&after.items[first..]);
            removed == added && pairs.into_iter().all(|(old, new)| is_same(old, new))
        };
        let same_names = is_same_package && all(&|old, new| pair.is_called_the_same(old, new));
        Self {
            first: first as ItemIndex,
            removed: removed as ItemIndex,
            added: added as ItemIndex,
            same_names,
            same_docs: same_names
                && pair.is_same_text(before.doc, after.doc)
                && all(&|old, new| pair.is_same_text(old.doc, new.doc)),
            rest: Rest::between(before.layers_of(FILE), after.layers_of(FILE)),
            visited: 0,
            parsed: 0,
        }
    }
}

/// Two readings. All of both is looked at after a keystroke, so that texts which are the same bytes of the two heaps are
/// not compared, and where the layers of an item begin is found once for all.
struct Pair<'a> {
    before: &'a Facts,
    after: &'a Facts,
    /// How many bytes the heaps begin with in common.
    same_heap: usize,
    layers: [Vec<usize>; 2],
}

impl<'a> Pair<'a> {
    fn of(before: &'a Facts, after: &'a Facts) -> Self {
        Self {
            before,
            after,
            same_heap: same_at_start(before.heap.as_bytes(), after.heap.as_bytes()),
            layers: [before, after].map(layer_starts),
        }
    }

    fn is_same_text(&self, old: Str, new: Str) -> bool {
        old == new && old.range().end <= self.same_heap
            || self.before.str(old) == self.after.str(new)
    }

    /// The layers of an item of the reading before or after.
    fn layers_of(&self, which: usize, item: usize) -> &'a [Own] {
        let facts = [self.before, self.after][which];
        let starts = &self.layers[which];
        &facts.layers[starts[item]..starts[item + 1]]
    }

    fn is_called_the_same(&self, old: &Item, new: &Item) -> bool {
        (old.kind, old.arity) == (new.kind, new.arity)
            && old.flags == new.flags
            && self.is_same_text(old.name, new.name)
            && self.is_same_text(old.container, new.container)
    }

    /// Whether two items are the same but for where they are. What is before `first` has the same number in both.
    fn is_same(&self, old: usize, new: usize, first: usize) -> bool {
        let (a, b) = (&self.before.items[old], &self.after.items[new]);
        let [was, is] = [self.layers_of(0, old), self.layers_of(1, new)]
            .map(|layers| layers.iter().map(|own| (own.layer, own.digest)));
        are_held_alike((a.parent, b.parent), (old, new), first)
            && self.is_called_the_same(a, b)
            && a.visibility == b.visibility
            && self.is_same_text(a.params, b.params)
            && self.is_same_text(a.doc, b.doc)
            && was.eq(is)
    }
}

/// Where the layers of each item begin, and where those of the last end.
fn layer_starts(facts: &Facts) -> Vec<usize> {
    let mut at = 0;
    let items = 0..=facts.items.len() as ItemIndex;
    items
        .map(|item| {
            let before = facts.layers[at..].iter();
            at += before.take_while(|own| own.item < item).count();
            at
        })
        .collect()
}
