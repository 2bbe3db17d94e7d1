//! A document whose facts are compared after every edit.

use codecortex_syntax::{
    Digest, FILE, Facts, IncrementalReader, ItemIndex, Layer, Limits, Outcome, Rest, Reuse,
    analyse_text,
};
use codecortex_text::{LineIndex, TextDocument};

const LIMITS: Limits = Limits {
    max_file_size: 16 << 20,
    exclude_generated: false,
};

/// A document as an editor has it, and its facts as they are kept.
pub(crate) struct Open {
    path: String,
    document: TextDocument,
    pub(crate) text: String,
    pub(crate) reader: IncrementalReader,
    pub(crate) facts: Facts,
    pub(crate) parts: usize,
    /// Of these, how many were parsed without the rest of the text.
    pub(crate) excerpts: usize,
    pub(crate) visited: usize,
    /// Bytes that were parsed for the last edit.
    pub(crate) parsed: usize,
    /// The last edit, for when something is wrong.
    last: String,
}

impl Open {
    pub(crate) fn new(path: &str, text: &str) -> Option<Self> {
        let (outcome, reader) = IncrementalReader::open(path, text, LIMITS);
        let Outcome::Facts(facts) = outcome else {
            return None;
        };
        Some(Self {
            path: path.to_owned(),
            document: TextDocument::new(text),
            text: text.to_owned(),
            reader: reader?,
            facts,
            parts: 0,
            excerpts: 0,
            visited: 0,
            parsed: 0,
            last: String::new(),
        })
    }

    /// Replaces bytes, without looking at what it makes of the facts.
    pub(crate) fn edit(&mut self, start: usize, end: usize, new: &str) {
        let lines = LineIndex::new(&self.text);
        self.last = format!(
            "{:?} -> {new:?} behind {:?}",
            &self.text[start..end],
            &self.text[self.text.floor_char_boundary(start.saturating_sub(120))..start]
        );
        let [from, to] = [start, end].map(|at| lines.position(at as u32, &self.text));
        let edit = self.document.apply(from, to, new);
        self.text.replace_range(edit.start..edit.old_end, new);
        assert_eq!(self.text, self.document.text());
        self.reader.edit(&edit);
    }

    /// The facts now, which must be those of the whole tree.
    pub(crate) fn check(&mut self) {
        let Some((facts, reuse)) = self.reader.read(&self.text, Some(&self.facts)) else {
            return;
        };
        self.parsed = reuse.as_ref().map_or(self.text.len(), |reuse| reuse.parsed);
        if let Some(reuse) = &reuse {
            self.parts += 1;
            self.excerpts += usize::from(reuse.parsed < self.text.len());
            self.visited = reuse.visited;
        }
        if let Some(reuse) = &reuse {
            keeps_what_it_says(&self.facts, &facts, reuse, &self.last);
        }
        let whole = self.reader.read_whole(&self.text).unwrap();
        let seen = format!("{} {reuse:?}", self.last);
        // Where a text does not parse, its tree depends on those before it: what is parsed without them may be
        // what the text is anew.
        let fresh = match analyse_text(&self.path, &self.text, LIMITS) {
            Outcome::Facts(fresh) => Some(fresh),
            _ => None,
        };
        let is_excerpt = reuse.is_some_and(|reuse| reuse.parsed < self.text.len());
        let is_anew = is_excerpt
            && facts.syntax_errors > 0
            && fresh.as_ref().is_some_and(|fresh| is_same(&facts, fresh));
        if !is_anew {
            same(&self.path, &seen, &facts, &whole);
        }
        if let Some(fresh) = fresh.filter(|fresh| fresh.syntax_errors == 0) {
            same(&self.path, &format!("{seen}, anew"), &facts, &fresh);
        }
        self.facts = facts;
    }
}

fn is_same(part: &Facts, whole: &Facts) -> bool {
    part.clone().compact() == whole.clone().compact()
}

/// What is said to be reused is as it was, for all who look at names, documentation and hashes.
fn keeps_what_it_says(before: &Facts, after: &Facts, reuse: &Reuse, last: &str) {
    let first = reuse.first as usize;
    let old_end = first + reuse.removed as usize;
    let new_end = first + reuse.added as usize;
    let (old, new) = (before.items.len(), after.items.len());
    assert_eq!(old - old_end, new - new_end, "{reuse:?} {last}");
    let name = |facts: &Facts, item: usize| {
        let item = &facts.items[item];
        let texts = [item.name, item.container, item.doc].map(|text| facts.str(text).to_owned());
        (item.kind, item.flags, texts)
    };
    let layers = |facts: &Facts, item: ItemIndex| -> Vec<(Layer, Digest)> {
        let layers = facts.layers_of(item).iter();
        layers.map(|own| (own.layer, own.digest)).collect()
    };
    // What is around the part is looked at with it.
    let mut around = Vec::new();
    let mut parent = before.items.get(first).and_then(|item| item.parent);
    while let Some(item) = parent {
        around.push(item as usize);
        parent = before.items[item as usize].parent;
    }
    for (old, new) in (0..first)
        .zip(0..first)
        .chain((old_end..old).zip(new_end..new))
    {
        assert_eq!(name(before, old), name(after, new), "{reuse:?} {last}");
        if !around.contains(&old) {
            let [old, new] =
                [(before, old), (after, new)].map(|(facts, item)| layers(facts, item as ItemIndex));
            assert_eq!(old, new, "{reuse:?} {last}");
        }
    }
    if reuse.same_names {
        for (old, new) in (first..old_end).zip(first..new_end) {
            let ((a, _, [b, c, _]), (d, _, [e, f, _])) = (name(before, old), name(after, new));
            assert_eq!((a, b, c), (d, e, f), "{reuse:?} {last}");
        }
    }
    let counted = |facts: &Facts| {
        let mut layers = layers(facts, FILE);
        match reuse.rest {
            Rest::Same => {}
            Rest::Cosmetic => {
                layers.retain(|(layer, _)| !matches!(layer, Layer::Cosmetic | Layer::Order));
            }
            Rest::Other => layers.clear(),
        }
        layers
    };
    assert_eq!(counted(before), counted(after), "{reuse:?} {last}");
}

/// Compares in an order that tells what is wrong.
fn same(path: &str, text: &str, part: &Facts, whole: &Facts) {
    if is_same(part, whole) {
        return;
    }
    let (part, whole) = (part.clone().compact(), whole.clone().compact());
    let names = |facts: &Facts| -> Vec<String> {
        let items = facts.items.iter();
        items
            .map(|item| format!("{} {}", facts.str(item.name), facts.str(item.signature)))
            .collect()
    };
    assert_eq!(names(&part), names(&whole), "{path}\n{text}");
    for (one, other) in part.items.iter().zip(&whole.items) {
        assert_eq!(one, other, "{path} {}\n{text}", part.str(one.name));
    }
    for (one, other) in part.layers.iter().zip(&whole.layers) {
        let name = part
            .items
            .get(one.item as usize)
            .map_or("file", |item| part.str(item.name));
        assert_eq!(one, other, "{path} {name}\n{text}");
    }
    assert_eq!(part, whole, "{path}\n{text}");
}
