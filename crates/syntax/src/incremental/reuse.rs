//! What facts after an edit reuse of those before it.

use super::common_affix::{common_affix, have_same_holder};
use crate::facts::{Facts, Item, ItemIndex, Str};
use crate::layers::{FILE, Layer, Own};
use crate::reparse::same_at_start;

/// What an edit left of the facts as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// The first item that was made again.
    pub first: ItemIndex,
    /// How many items were there before.
    pub removed: ItemIndex,
    /// How many are there now.
    pub added: ItemIndex,
    /// Whether they are of the same kind and called as before, one by one, with as many type parameters, and are members
    /// of the same.
    pub same_names: bool,
    /// Whether they are documented as before.
    pub same_docs: bool,
    /// The statements of the file outside of its declarations.
    pub rest: Rest,
    /// Nodes of the tree that were looked at, some of them twice.
    pub visited: usize,
    /// Bytes of the text that were parsed: all, or what is around the edit.
    pub parsed: usize,
}

/// What an edit left of what a file says outside of its declarations: imports, statements, comments, and the order of
/// it all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rest {
    /// All is as it was.
    #[default]
    Same,
    /// All but what is cosmetic: comments, white space, order.
    Cosmetic,
    /// Something else is another too.
    Other,
}

impl Rest {
    /// What became of the layers of a file.
    pub(super) fn between(before: &[Own], after: &[Own]) -> Self {
        let counted = |own: &&Own| !matches!(own.layer, Layer::Cosmetic | Layer::Order);
        let counted =
            |layers: &[Own]| -> Vec<Own> { layers.iter().filter(counted).copied().collect() };
        match before == after {
            true => Self::Same,
            false if counted(before) == counted(after) => Self::Cosmetic,
            false => Self::Other,
        }
    }
}

impl Reuse {
    /// What of the facts before is as it was.
    pub(super) fn between(before: &Facts, after: &Facts) -> Self {
        let pair = Pair::from_before(before, after);
        let (old, new) = (before.items.len(), after.items.len());
        // The package is in front of all names.
        let is_same_package = pair.is_same_text(before.package, after.package);
        let most = match is_same_package {
            true => old.min(new),
            false => 0,
        };
        let (first, behind) = common_affix((old, new), most, |old, new, first| {
            pair.is_same(old, new, first)
        });
        let (removed, added) = (old - behind - first, new - behind - first);
        let all = |is_same: &dyn Fn(&Item, &Item) -> bool| {
            let pairs = before.items[first..old - behind]
                .iter()
                .zip(&after.items[first..]);
            removed == added && pairs.into_iter().all(|(old, new)| is_same(old, new))
        };
        // As many as before: what they are members of has the same number, too.
        let is_named_alike =
            |old: &Item, new: &Item| old.parent == new.parent && pair.is_called_the_same(old, new);
        let same_names = is_same_package && all(&is_named_alike);
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

/// The facts before and after. All of both is looked at after a keystroke, so that texts which are the same bytes of the two heaps are
/// not compared, and where the layers of an item begin is found once for all.
struct Pair<'a> {
    before: &'a Facts,
    after: &'a Facts,
    /// How many bytes the heaps begin with in common.
    same_heap: usize,
    layers: [Vec<usize>; 2],
}

impl<'a> Pair<'a> {
    fn from_before(before: &'a Facts, after: &'a Facts) -> Self {
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

    /// The layers of an item before or after.
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
        have_same_holder((a.parent, b.parent), (old, new), first)
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
