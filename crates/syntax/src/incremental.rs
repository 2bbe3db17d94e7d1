//! Facts of a text after an edit, from those before it (SPEC I2).
//!
//! The smallest run of declarations around the edit is walked and hashed again, and takes the place of
//! what it was; everything behind it moves. That is exact where nothing in the run, before or now, is
//! about anything outside of it: what a walk says elsewhere is noted when it says it ([`Trace`]), and the
//! run begins and ends where neither the walk nor the hashes remember what was before. Where that is
//! not so, or in doubt, the next larger run is tried, and in the end the whole text is read.

mod change;
mod difference;
mod edges;
mod reason;
mod splice;

use std::borrow::Cow;
use std::ops::Range;

use codecortex_text::Edit;
use tree_sitter::{Node, Tree};

use self::change::{Change, input_edit};
use self::difference::{Difference, Order};
use self::edges::{Edges, Stretch};
use self::splice::{Before, Moved, splice_trace, spliced, spliced_layers, spliced_members};
use crate::analyse::{content_hash, facts_of_tree, traced_facts};
use crate::ending::may_be_open;
use crate::facts::{Facts, Flags, Item, ItemIndex};
use crate::layers::{Digest, FILE, Member, Noted, Part, order_of_members};
use crate::macro_items::may_hold_items;
use crate::parse::parse_untangled;
use crate::repair::{count_errors, repaired};
use crate::spec::{Spec, spec};
use crate::walk::{Shift, Trace, Walk, Way};
use crate::{Language, Limits, Outcome, analyse_text, parse};

pub use self::reason::Reason;

/// What an edit left of the facts as they were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// The first item that was made again.
    pub first: ItemIndex,
    /// How many items were there before.
    pub removed: ItemIndex,
    /// How many are there now.
    pub added: ItemIndex,
    /// Whether they are called as before, one by one, and are members of the same.
    pub same_names: bool,
    /// Whether they are documented as before.
    pub same_docs: bool,
    /// Whether the order of the members around them is another.
    pub reorders: bool,
    /// Nodes of the tree that were looked at, some of them twice.
    pub visited: usize,
}

/// A text that is being edited: its tree, and what reading parts of it again needs.
#[derive(Debug)]
pub struct Reader {
    language: Language,
    tree: Tree,
    trace: Option<Trace>,
    change: Option<Change>,
    /// The last text that was read as it stands, if the present one is mended before it is read.
    sound: Option<Sound>,
    /// Bytes that have come or gone since the text was looked through for knots.
    unseen: usize,
    /// Of the text that was read last.
    hash: Digest,
    /// Why that was read whole.
    whole: Option<Reason>,
}

/// So many bytes more or less tie no knot; looking for one takes longer than reading a part.
const MOST_UNSEEN: usize = 256;

/// A text before the present one.
#[derive(Debug)]
struct Sound {
    facts: Facts,
    tree: Tree,
    trace: Trace,
    change: Change,
}

impl Reader {
    /// Analyses a text as [`analyse_text`] does, and keeps what later edits need. No reader where the
    /// text has no facts.
    #[must_use]
    pub fn open(path: &str, text: &str, limits: Limits) -> (Outcome, Option<Self>) {
        let outcome = analyse_text(path, text, limits);
        let Outcome::Facts(facts) = &outcome else {
            return (outcome, None);
        };
        let language = facts.language;
        let Some(tree) = parse(language, text, None) else {
            return (outcome, None);
        };
        let reader = Self {
            language,
            tree,
            trace: None,
            change: None,
            sound: None,
            unseen: 0,
            hash: facts.hash,
            whole: Some(Reason::First),
        };
        (outcome, Some(reader))
    }

    /// The facts of the text from all of its tree: what [`Reader::read`] gives, the long way.
    #[must_use]
    pub fn read_whole(&self, text: &str) -> Option<Facts> {
        facts_of_tree(self.language, text, &self.tree)
    }

    /// Why the text was read whole the last time; nothing where a part of it was enough.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        self.whole
    }

    /// The language that the text is read as.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// The text has changed.
    pub fn edit(&mut self, edit: &Edit) {
        let input = input_edit(edit);
        let change = Change::of(edit);
        self.tree.edit(&input);
        self.change = Some(self.change.map_or(change, |before| before.then(change)));
        if let Some(sound) = &mut self.sound {
            sound.tree.edit(&input);
            sound.change = sound.change.then(change);
        }
        self.unseen += (edit.old_end - edit.start) + (edit.new_end - edit.start);
    }

    /// The facts of the text as it is now. `before` are the facts that this gave last. `None` where
    /// the text is too ambiguous to parse; then this is of no more use.
    pub fn read(&mut self, text: &str, before: Option<&Facts>) -> Option<(Facts, Option<Reuse>)> {
        let change = self.change.take();
        let spec = spec(self.language)?;
        let tree = self.parsed(text)?;
        let old = std::mem::replace(&mut self.tree, tree);
        let before = before.filter(|facts| facts.hash == self.hash);
        self.whole = Some(Reason::First);
        if let (Some(change), Some(before), Some(trace)) = (change, before, self.trace.take()) {
            match self.part(spec, text, (before, &old, change), trace) {
                Ok((facts, reuse)) => return Some((facts, Some(reuse))),
                Err(Some(trace)) => {
                    let facts = before.clone();
                    let tree = old;
                    self.sound = Some(Sound {
                        facts,
                        tree,
                        trace,
                        change,
                    });
                }
                Err(None) => {}
            }
        } else if let Some(sound) = self.sound.take() {
            let known = (&sound.facts, &sound.tree, sound.change);
            match self.part(spec, text, known, sound.trace) {
                Ok((facts, _)) => return Some((facts, None)),
                Err(Some(trace)) => self.sound = Some(Sound { trace, ..sound }),
                Err(None) => {}
            }
        }
        let (facts, trace) = traced_facts(self.language, text, &self.tree)?;
        self.hash = facts.hash;
        let in_order = facts.items.is_sorted_by_key(|item| item.start_byte)
            && facts.bases.is_sorted_by_key(|base| base.item);
        self.trace =
            trace.filter(|trace| in_order && trace.members.is_sorted() && is_known(self.language));
        if self.trace.is_some() {
            self.sound = None;
        }
        Some((facts, None))
    }

    /// The tree of the text as it is now.
    fn parsed(&mut self, text: &str) -> Option<Tree> {
        if self.unseen <= MOST_UNSEEN {
            return parse_untangled(self.language, text, Some(&self.tree));
        }
        self.unseen = 0;
        parse(self.language, text, Some(&self.tree))
    }

    /// Facts from those before, the tree as it was edited, and what was edited. What was to be kept, as
    /// it was, where the text is not read as it stands.
    fn part(
        &mut self,
        spec: &'static Spec,
        text: &str,
        (before, old, change): (&Facts, &Tree, Change),
        trace: Trace,
    ) -> Result<(Facts, Reuse), Option<Trace>> {
        let edited = Edited {
            spec,
            text,
            before,
            old,
            tree: &self.tree,
            change,
        };
        if let Some(reason) = edited.is_read_otherwise() {
            self.whole = Some(reason);
            return Err(Some(trace));
        }
        let (facts, reuse, trace) = edited.facts(trace).map_err(|reason| {
            self.whole = Some(reason);
            None
        })?;
        self.trace = Some(trace);
        self.sound = None;
        self.hash = facts.hash;
        self.whole = None;
        Ok((facts, reuse))
    }
}

/// Languages whose walk is known to have no effects but those that are noted.
fn is_known(language: Language) -> bool {
    use Language::{CSharp, Go, Java, JavaScript, Python, Rust, Tsx, TypeScript};
    matches!(
        language,
        CSharp | TypeScript | Tsx | JavaScript | Python | Rust | Go | Java
    )
}

/// A text after an edit.
struct Edited<'a, 't> {
    spec: &'static Spec,
    text: &'t str,
    before: &'a Facts,
    old: &'a Tree,
    tree: &'t Tree,
    change: Change,
}

impl<'t> Edited<'_, 't> {
    /// The facts, and what is kept for the next edit; or why the smallest part that the edit is in
    /// cannot be read by itself.
    fn facts(&self, mut trace: Trace) -> Result<(Facts, Reuse, Trace), Reason> {
        let old_line = trace.lines.line_of(self.change.old_end as u32);
        let old_count = trace.lines.line_count();
        let replaced = self.change.start..self.change.old_end;
        trace.lines.edit(replaced, self.change.new_end, self.text);
        let lines = std::mem::take(&mut trace.lines);
        let more_lines = i64::from(lines.line_count()) - i64::from(old_count);
        let known = Facts {
            layers: Vec::new(),
            ..self.before.clone()
        };
        let mut walk = Walk::new(self.spec, self.text, lines, known);
        let change = self.changed();
        let way = walk.approach(self.tree, &change, self.change.shift());
        let edges = Edges {
            spec: self.spec,
            text: self.text,
            facts: self.before,
            change,
        };
        let mut first = None;
        for (level, step) in way.steps.iter().enumerate().rev() {
            if step.is_wrapper {
                continue;
            }
            let part = self.stretch(&edges, step.node, level, &trace);
            let read = part.and_then(|(stretch, before)| {
                let at = At {
                    way: &way,
                    level,
                    stretch,
                    before,
                    old_line,
                    more_lines,
                };
                self.exchange(&mut walk, at, &mut trace)
            });
            match read {
                Ok((facts, reuse)) => {
                    trace.lines = walk.into_lines();
                    return Ok((facts, reuse, trace));
                }
                Err(reason) => first = first.or(Some(reason)),
            }
        }
        Err(first.unwrap_or(Reason::Edges))
    }

    /// The part below a node that the edit is in, and what was known of it.
    fn stretch(
        &self,
        edges: &Edges<'_, 't>,
        parent: Node<'t>,
        level: usize,
        trace: &Trace,
    ) -> Result<(Stretch<'t>, Before), Reason> {
        let stretch = edges.around(parent, level == 0).ok_or(Reason::Edges)?;
        let before = Before::find(self.before, trace, &stretch, self.change)?;
        if self.has_macros(&stretch) {
            return Err(Reason::Macros);
        }
        Ok((stretch, before))
    }

    /// Why the text is not read as it was parsed, if something in it is mended or unwrapped first.
    fn is_read_otherwise(&self) -> Option<Reason> {
        let (root, language) = (self.tree.root_node(), self.spec.language);
        if !matches!(crate::mask::readable(language, self.text), Cow::Borrowed(_)) {
            return Some(Reason::Masked);
        }
        if root.is_error() {
            return Some(Reason::Broken);
        }
        if root.has_error() && repaired(language, self.text, self.tree).is_some() {
            return Some(Reason::Mended);
        }
        let is_open = root.has_error() && may_be_open(self.spec, self.text, self.tree);
        is_open.then_some(Reason::Open)
    }

    /// Where the tree or the text is another than before.
    fn changed(&self) -> Range<usize> {
        let mut changed = self.change.start..self.change.new_end;
        for range in self.old.changed_ranges(self.tree) {
            changed.start = changed.start.min(range.start_byte);
            changed.end = changed.end.max(range.end_byte);
        }
        changed
    }

    fn has_macros(&self, stretch: &Stretch<'t>) -> bool {
        self.spec.language == Language::Rust
            && stretch
                .nodes
                .iter()
                .any(|node| may_hold_items(self.text, *node))
    }

    /// Walks a stretch and puts what it declares in the place of what was there. `None` where that is
    /// not all that would change.
    fn exchange(
        &self,
        walk: &mut Walk<'t>,
        at: At<'_, 't>,
        trace: &mut Trace,
    ) -> Result<(Facts, Reuse), Reason> {
        let first = at.before.items.start;
        walk.go_back_to(self.before, first);
        let walked = walk
            .part(at.way, at.level, &at.stretch.nodes, trace)
            .ok_or(Reason::Effects)?;
        let shift = self.change.shift();
        let added = walk.facts.items.len() - first;
        if !self.is_closed(&walk.facts, &at, shift) {
            return Err(Reason::Tied);
        }
        let difference = Difference::of(self.before, &at.before, &walk.facts);
        if difference.is_looked_for(
            self.text,
            (self.before, &at.before),
            &walk.facts,
            (trace, shift),
        ) {
            return Err(Reason::Names);
        }
        let moved = Moved {
            shift,
            text: self.text,
            lines: &|byte| walk.position(byte),
            old_line: at.old_line,
            more_lines: at.more_lines,
        };
        let mut facts = spliced(self.before, &at.before, &walk.facts, &moved);
        facts.lines = (i64::from(self.before.lines) + at.more_lines) as u32;
        facts.hash = content_hash(self.text.as_bytes());
        facts.syntax_errors = count_errors(self.tree);
        let around = at.around(&facts);
        let nodes: Vec<Node<'t>> = at.way.steps[..=at.level]
            .iter()
            .map(|step| step.node)
            .collect();
        let read = Part {
            spec: self.spec,
            text: self.text,
            facts: &facts,
            way: &nodes,
            namespace: at.way.namespace,
            around: around.clone(),
            nodes: &at.stretch.nodes,
            items: first as ItemIndex..(first + added) as ItemIndex,
            docs: walked.docs,
            unread: at.stretch.unread,
            start: at.stretch.start,
            end: at.stretch.end,
        }
        .read()
        .ok_or(Reason::Glue)?;
        let visited = walk.visited() + read.visited;
        let Noted {
            layers,
            glue,
            members,
        } = read.noted;
        let members = spliced_members(&trace.members, &at.before, added, members);
        facts.layers = spliced_layers(&self.before.layers, &at.before, added, layers);
        let mut reorders = false;
        if !difference.same_order || trace.members != members {
            let order = self.order(&facts, &around, (&trace.members, &members));
            let order = order.ok_or(Reason::Order)?;
            reorders = order.put_into(&mut facts.layers);
        }
        trace.members = members;
        let noted = (walked.effects, walked.lookups, glue);
        splice_trace(trace, &at.before, shift, noted);
        let reuse = Reuse {
            first: first as ItemIndex,
            removed: at.before.items.len() as ItemIndex,
            added: added as ItemIndex,
            same_names: difference.same_names,
            same_docs: difference.same_docs,
            reorders,
            visited,
        };
        Ok((facts, reuse))
    }

    /// Whether the stretch ends with a declaration, before and now.
    fn is_closed(&self, walked: &Facts, at: &At<'_, 't>, shift: Shift) -> bool {
        let last_end = |items: &[Item]| {
            let counted = items
                .iter()
                .filter(|item| !item.flags.contains(Flags::LOCAL));
            counted.map(|item| item.end_byte).max()
        };
        let Some(end) = last_end(&walked.items[at.before.items.start..]) else {
            return false;
        };
        let was = last_end(&self.before.items[at.before.items.clone()]);
        let tail = self.text.get(end as usize..at.stretch.end).unwrap_or("-");
        let parts = |byte: u8| byte == b';' || byte.is_ascii_whitespace();
        end as usize >= self.change.new_end
            && was.map(|was| shift.byte(was)) == Some(end)
            && tail.bytes().all(parts)
    }

    /// The order of the members around a stretch whose items are called otherwise than before. `None`
    /// where it is not only looks.
    fn order(
        &self,
        facts: &Facts,
        around: &[ItemIndex],
        (was, is): (&[Member], &[Member]),
    ) -> Option<Order> {
        let holder = around.iter().rev().copied().find(|item| {
            let item = facts.items.get(*item as usize);
            item.is_some_and(|item| !item.kind.is_namespace())
        });
        let index = holder.unwrap_or(FILE);
        let before = order_of_members(self.before, was, index);
        let after = order_of_members(facts, is, index);
        if before != after
            && let Some(item) = holder.and_then(|holder| facts.items.get(holder as usize))
        {
            let head = self
                .text
                .get(item.start_byte as usize..item.end_byte as usize)?;
            let head = &head[..head.find('{').unwrap_or(head.len())];
            if self.spec.layers.is_ordered(item.kind) || head.contains("Sequential") {
                return None;
            }
        }
        Some(Order {
            item: index,
            before,
            after,
        })
    }
}

/// Where a stretch is.
struct At<'a, 't> {
    way: &'a Way<'t>,
    level: usize,
    stretch: Stretch<'t>,
    before: Before,
    old_line: u32,
    more_lines: i64,
}

impl At<'_, '_> {
    /// The declarations around it, by their places in the facts now, which are those before.
    fn around(&self, facts: &Facts) -> Vec<ItemIndex> {
        let is_around = |index: &ItemIndex| {
            facts.items.get(*index as usize).is_some_and(|item| {
                item.start_byte < self.stretch.start as u32
                    && item.end_byte >= self.stretch.end as u32
            })
        };
        let mut around: Vec<ItemIndex> = self.way.items.iter().copied().filter(is_around).collect();
        around.retain(|item| (*item as usize) < self.before.items.start);
        around
    }
}
