//! Facts with a stretch of items exchanged.

use codecortex_text::Utf16Position;

use super::previous_text::PreviousText;
use super::reuse::Rest;
use crate::change::Shift;
use crate::facts::{Facts, Item, ItemIndex, Str, WrittenBase};
use crate::layers::{FILE, FileStatement, LayeredMember, Own, TriviaSpan, layers_of_file};
use crate::walk::{Lookup, Trace, WalkEffect};

/// How what stands behind an edit moves.
pub(super) struct Moved<'a> {
    pub(super) shift: Shift,
    pub(super) text: &'a str,
    pub(super) lines: &'a dyn Fn(usize) -> Utf16Position,
    /// The line of the end of what was replaced, in the text before.
    pub(super) old_line: u32,
    /// How many lines more there are.
    pub(super) more_lines: i64,
}

impl Moved<'_> {
    fn position(&self, position: Utf16Position, byte: u32) -> Utf16Position {
        if byte < self.shift.from {
            position
        } else if position.line == self.old_line {
            (self.lines)(self.shift.byte(byte) as usize)
        } else {
            self.lower(position)
        }
    }

    fn lower(&self, position: Utf16Position) -> Utf16Position {
        Utf16Position {
            line: (i64::from(position.line) + self.more_lines) as u32,
            ..position
        }
    }

    /// An item that is as it was, in its new place.
    fn item(&self, item: &mut Item) {
        if item.name_byte >= self.shift.from {
            let name = self.position(item.name_start, item.name_byte);
            if item.name_end.line == self.old_line {
                item.name_end.character += name.character;
                item.name_end.character -= item.name_start.character;
            }
            item.name_end = self.lower(item.name_end);
            item.name_start = name;
        }
        item.start = self.position(item.start, item.start_byte);
        item.end = self.position(item.end, item.end_byte);
        item.start_byte = self.shift.byte(item.start_byte);
        item.end_byte = self.shift.byte(item.end_byte);
        item.name_byte = self.shift.byte(item.name_byte);
    }
}

/// Moves an index that is behind the items that were exchanged.
pub(super) fn moved_index(before: &PreviousText, added: usize, item: ItemIndex) -> ItemIndex {
    if item == FILE || (item as usize) < before.items.end {
        item
    } else {
        item - before.items.len() as ItemIndex + added as ItemIndex
    }
}

/// The facts before with other items in place of some, without layers. `walked` has the items before
/// those and the new ones, in a heap that begins like that of the facts before.
pub(super) fn spliced(
    before: &Facts,
    part: &PreviousText,
    walked: &Facts,
    moved: &Moved<'_>,
) -> Facts {
    let (first, last) = (part.items.start, part.items.end);
    let added = walked.items.len() - first;
    let mut heap = Heap::new(before, walked);
    let mut items = Vec::with_capacity(before.items.len() - part.items.len() + added);
    items.extend_from_slice(&before.items[..first]);
    let around = part.bytes.end;
    for item in items.iter_mut().filter(|item| item.end_byte >= around) {
        moved.item(item);
    }
    for (place, item) in walked.items[first..].iter().enumerate() {
        let was = before.items[first..last].get(place);
        items.push(heap.item(item, was));
    }
    for item in &before.items[last..] {
        let mut item = item.clone();
        moved.item(&mut item);
        item.parent = item.parent.map(|parent| moved_index(part, added, parent));
        items.push(item);
    }
    let bases = heap.bases(part, added);
    Facts {
        bindings: crate::facts::Bound::default(),
        language: before.language,
        lines: before.lines,
        bytes: moved.text.len() as u32,
        hash: before.hash,
        syntax_errors: before.syntax_errors,
        package: before.package,
        doc: before.doc,
        items,
        bases,
        cosmetic: before.cosmetic,
        layers: Vec::new(),
        heap: heap.heap,
    }
    .without_waste()
}

/// The strings of both, of which only the new ones are added.
struct Heap<'a> {
    before: &'a Facts,
    walked: &'a Facts,
    heap: String,
}

impl<'a> Heap<'a> {
    fn new(before: &'a Facts, walked: &'a Facts) -> Self {
        Self {
            before,
            walked,
            heap: before.heap.clone(),
        }
    }

    /// A new string, or the one in its place before where that is the same.
    fn string(&mut self, new: Str, was: Option<Str>) -> Str {
        let text = self.walked.str(new);
        match was {
            Some(was) if self.before.str(was) == text => was,
            _ if text.is_empty() => Str::default(),
            _ => Str::push(&mut self.heap, text),
        }
    }

    fn item(&mut self, new: &Item, was: Option<&Item>) -> Item {
        Item {
            name: self.string(new.name, was.map(|was| was.name)),
            container: self.string(new.container, was.map(|was| was.container)),
            signature: self.string(new.signature, was.map(|was| was.signature)),
            result: self.string(new.result, was.map(|was| was.result)),
            params: self.string(new.params, was.map(|was| was.params)),
            attributes: self.string(new.attributes, was.map(|was| was.attributes)),
            doc: self.string(new.doc, was.map(|was| was.doc)),
            ..new.clone()
        }
    }

    fn bases(&mut self, part: &PreviousText, added: usize) -> Vec<WrittenBase> {
        let (before, walked) = (self.before, self.walked);
        let at = |bases: &[WrittenBase], item: usize| {
            bases.partition_point(|base| (base.item as usize) < item)
        };
        let first = at(&before.bases, part.items.start);
        let last = at(&before.bases, part.items.end);
        let mut bases = before.bases[..first].to_vec();
        let new = at(&walked.bases, part.items.start);
        for (place, base) in walked.bases[new..].iter().enumerate() {
            let was = before.bases[first..last].get(place).map(|was| was.name);
            let name = self.string(base.name, was);
            bases.push(WrittenBase { name, ..*base });
        }
        bases.extend(before.bases[last..].iter().map(|base| WrittenBase {
            item: moved_index(part, added, base.item),
            ..*base
        }));
        bases
    }
}

/// Layers with those of the new items in place of the old ones'.
pub(super) fn spliced_layers(
    before: &[Own],
    part: &PreviousText,
    added: usize,
    new: Vec<Own>,
) -> Vec<Own> {
    let at = |item: usize| before.partition_point(|own| (own.item as usize) < item);
    let (first, last) = (at(part.items.start), at(part.items.end));
    let mut layers = Vec::with_capacity(before.len() + new.len());
    layers.extend_from_slice(&before[..first]);
    layers.extend(new);
    layers.extend(before[last..].iter().map(|own| Own {
        item: moved_index(part, added, own.item),
        ..*own
    }));
    layers
}

/// Members with those that the new items are in place of what the old ones were.
pub(super) fn spliced_members(
    before: &[LayeredMember],
    part: &PreviousText,
    added: usize,
    new: Vec<LayeredMember>,
) -> Vec<LayeredMember> {
    let at = |item: usize| before.partition_point(|member| (member.item as usize) < item);
    let (first, last) = (at(part.items.start), at(part.items.end));
    let mut members = before[..first].to_vec();
    members.extend(new);
    members.extend(before[last..].iter().map(|member| LayeredMember {
        item: moved_index(part, added, member.item),
        holder: moved_index(part, added, member.holder),
    }));
    members
}

/// The statements of a file in a stretch get in the place of what was there, and so do its layers.
pub(super) fn replace_statements(
    trace: &mut Trace,
    part: &PreviousText,
    shift: Shift,
    new: Vec<FileStatement>,
    layers: &mut Vec<Own>,
) -> Rest {
    let place = trace.statements_in(&part.bytes);
    let old = &trace.statements[place.clone()];
    let is_same = old.len() == new.len() && old.iter().zip(&new).all(|(a, b)| a.is_same_as(b));
    // They take all that the file says, so they are made only where that is something else.
    let was = (!is_same).then(|| layers_of_file(&trace.statements));
    for statement in &mut trace.statements[place.end..] {
        statement.at = shift.byte(statement.at);
    }
    trace.statements.splice(place, new);
    let Some(was) = was else {
        return Rest::Same;
    };
    let is = layers_of_file(&trace.statements);
    for own in &was {
        if let Ok(place) = layers.binary_search(own) {
            layers.remove(place);
        }
    }
    for own in &is {
        let place = layers.partition_point(|other| other < own);
        layers.insert(place, *own);
    }
    Rest::between(&was, &is)
}

/// What was noted of a stretch makes room for what is noted of it now.
pub(super) fn splice_trace(
    trace: &mut Trace,
    part: &PreviousText,
    shift: Shift,
    new: (Vec<WalkEffect>, Vec<Lookup>, Vec<TriviaSpan>),
) {
    let (effects, lookups, member_trivia) = new;
    let is_here = |place: u32| part.bytes.contains(&place);
    trace.effects.retain(|effect| !is_here(effect.at));
    for effect in &mut trace.effects {
        *effect = effect.moved(shift);
    }
    trace.effects.extend(effects);
    trace.lookups.retain(|lookup| !is_here(lookup.start));
    for lookup in &mut trace.lookups {
        *lookup = lookup.moved(shift);
    }
    trace.lookups.extend(lookups);
    trace
        .member_trivia
        .retain(|place| !is_here(place.start) || place.last < part.bytes.start);
    for place in &mut trace.member_trivia {
        *place = place.moved(shift);
    }
    trace.member_trivia.extend(member_trivia);
}
