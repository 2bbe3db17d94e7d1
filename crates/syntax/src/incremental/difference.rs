//! What others may notice of items that were made again: their names, kinds and order.

use std::collections::HashSet;

use super::common_affix::{common_affix, have_same_holder};
use super::previous_text::PreviousText;
use crate::change::Shift;
use crate::digest::Digest;
use crate::facts::{Facts, Item, ItemFlags, ItemIndex, ItemKind, Str};
use crate::layers::{Layer, Own};
use crate::walk::{Among, Lookup, Trace};

/// The order of members, before and now.
pub(super) struct MemberOrder {
    pub(super) item: ItemIndex,
    pub(super) before: Option<Digest>,
    pub(super) after: Option<Digest>,
}

impl MemberOrder {
    /// Exchanges it among the layers of a file. Whether it is another.
    pub(super) fn put_into(self, layers: &mut Vec<Own>) -> bool {
        if self.before == self.after {
            return false;
        }
        let own = |digest| Own {
            item: self.item,
            layer: Layer::Order,
            digest,
        };
        if let Some(Ok(place)) = self.before.map(|digest| layers.binary_search(&own(digest))) {
            layers.remove(place);
        }
        if let Some(digest) = self.after {
            let own = own(digest);
            let place = layers.partition_point(|other| *other < own);
            layers.insert(place, own);
        }
        true
    }
}

/// How new items differ from those before in what others may ask.
pub(super) struct FactsDifference {
    pub(super) same_names: bool,
    pub(super) same_order: bool,
    pub(super) same_docs: bool,
}

impl FactsDifference {
    pub(super) fn from_before(before: &Facts, part: &PreviousText, walked: &Facts) -> Self {
        let old = &before.items[part.items.clone()];
        let new = &walked.items[part.items.start..];
        let same_count = old.len() == new.len();
        let all = |is_same: &dyn Fn(&Item, &Item) -> bool| {
            same_count && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        };
        let same = |a: Str, b: Str| before.str(a) == walked.str(b);
        let same_names = all(&|old, new| {
            (old.kind, old.arity) == (new.kind, new.arity)
                && old.parent == new.parent
                && old.flags.contains(ItemFlags::LOCAL) == new.flags.contains(ItemFlags::LOCAL)
                && same(old.name, new.name)
                && same(old.container, new.container)
        });
        Self {
            same_names,
            same_order: same_names && all(&|old, new| same(old.params, new.params)),
            same_docs: same_names && all(&|old, new| same(old.doc, new.doc)),
        }
    }

    /// Whether something behind the stretch looked for names that came or went with it.
    pub(super) fn is_looked_for(
        &self,
        text: &str,
        (before, part): (&Facts, &PreviousText),
        walked: &Facts,
        (trace, shift): (&Trace, Shift),
    ) -> bool {
        if self.same_names {
            return false;
        }
        let old = &before.items[part.items.clone()];
        let new = &walked.items[part.items.start..];
        let outside = part.items.start as ItemIndex;
        let held = held_names((before, old), (walked, new), outside);
        let exchanged = Runs {
            old: (before, old),
            new: (walked, new),
            outside,
        }
        .exchanged_names();
        let behind = |lookup: &&Lookup| lookup.start >= part.bytes.end;
        trace.lookups.iter().filter(behind).any(|lookup| {
            let range = shift.byte(lookup.start) as usize..shift.byte(lookup.end) as usize;
            let written = text.get(range).unwrap_or("");
            if let Among::In(holder) = lookup.among {
                // What holds both begins before the part, where nothing has moved.
                return held.contains(&(holder, written));
            }
            let name = written.split('.').next().unwrap_or(written);
            exchanged.contains(name) || exchanged.contains(written)
        })
    }
}

/// Names that one of two runs of items has and the other has not in declarations around it, which begin
/// at a byte.
fn held_names<'a>(
    old: (&'a Facts, &[Item]),
    new: (&'a Facts, &[Item]),
    outside: ItemIndex,
) -> HashSet<(Option<u32>, &'a str)> {
    let names = |(facts, items): (&'a Facts, &[Item])| -> HashSet<(Option<u32>, &'a str)> {
        let is_held = |item: &&Item| item.parent.is_none_or(|parent| parent < outside);
        let holder = |parent: ItemIndex| facts.items[parent as usize].start_byte;
        let held = items.iter().filter(is_held);
        held.map(|item| (item.parent.map(holder), facts.str(item.name)))
            .collect()
    };
    &names(old) ^ &names(new)
}

/// The items of a run before and now.
struct Runs<'a> {
    old: (&'a Facts, &'a [Item]),
    new: (&'a Facts, &'a [Item]),
    /// The first item of both.
    outside: ItemIndex,
}

impl<'a> Runs<'a> {
    /// Names of which others than before are there, or in another order: those of the items between what both begin and
    /// end with. Who looks for an accessor looks at the last member before it, whatever that is.
    fn exchanged_names(&self) -> HashSet<&'a str> {
        let (old, new) = (self.old.1, self.new.1);
        let lengths = (old.len(), new.len());
        let most = old.len().min(new.len());
        let (first, behind) = common_affix(lengths, most, |old, new, first| {
            self.is_same(old, new, first)
        });
        let names = |(facts, items): (&'a Facts, &'a [Item])| {
            let between = first..items.len() - behind;
            let items = items.iter().enumerate();
            items
                .filter(move |(at, item)| between.contains(at) || item.kind == ItemKind::Property)
                .map(|(_, item)| facts.str(item.name))
        };
        names(self.old).chain(names(self.new)).collect()
    }

    /// Whether two items are called the same and held by the same, of which so many first are.
    fn is_same(&self, old: usize, new: usize, first: usize) -> bool {
        let (a, b) = (&self.old.1[old], &self.new.1[new]);
        let is_local = |item: &Item| item.flags.contains(ItemFlags::LOCAL);
        let same = |a: Str, b: Str| self.old.0.str(a) == self.new.0.str(b);
        let place = |at: usize| self.outside as usize + at;
        (a.kind, a.arity, is_local(a)) == (b.kind, b.arity, is_local(b))
            && have_same_holder((a.parent, b.parent), (place(old), place(new)), place(first))
            && same(a.name, b.name)
            && same(a.container, b.container)
    }
}
