//! Drafts become items: place, kind and visibility, exports.

use super::attributes::attribute_names;
use super::specifiers::{specifiers_before, specifiers_behind};
use super::{ItemDraft, MAX_NESTING, Walk};
use crate::facts::{Item, ItemFlags, ItemIndex, ItemKind, Relation, Visibility, WrittenBase};
use crate::spec::NamePolicy;

impl<'t> Walk<'t> {
    /// Stores a draft as an item. `None` when the nesting is beyond reason.
    pub(crate) fn declare(&mut self, mut draft: ItemDraft) -> Option<ItemIndex> {
        if self.in_code() {
            draft.flags.insert(ItemFlags::LOCAL);
        }
        if let Some(frame) = self.frames.last() {
            draft.flags.insert(frame.flags);
        }
        self.store(draft, self.parent_index())
    }

    /// Stores a draft as an item of the file, also where code is around it.
    pub(crate) fn declare_top(&mut self, draft: ItemDraft) -> Option<ItemIndex> {
        self.store(draft, None)
    }

    /// Makes an item reach to the end of another declaration of the same thing.
    pub(crate) fn extend_item(&mut self, index: ItemIndex, draft: &ItemDraft) {
        self.effects.touches(index);
        let end = self.lines.position(draft.span.end as u32, self.text);
        let signature = self.facts.items[index as usize].signature;
        let signature = format!("{}; {}", self.facts.str(signature), draft.signature);
        let signature = self.facts.intern(&signature);
        let doc = draft.doc.as_deref().map(|doc| self.facts.intern(doc));
        let item = &mut self.facts.items[index as usize];
        item.end_byte = draft.span.end as u32;
        item.end = end;
        item.signature = signature;
        if item.doc.is_empty() {
            item.doc = doc.unwrap_or_default();
        }
    }

    /// Stores a draft as a member of `parent`, an item around the current place.
    pub(crate) fn declare_in(&mut self, parent: ItemIndex, draft: ItemDraft) -> Option<ItemIndex> {
        self.store(draft, Some(parent))
    }

    pub(super) fn store(
        &mut self,
        mut draft: ItemDraft,
        parent: Option<ItemIndex>,
    ) -> Option<ItemIndex> {
        if self.frames.len() >= MAX_NESTING {
            return None;
        }
        if let Some(sign) = self.spec.names.sign
            && self
                .text
                .get(draft.name_range.clone())
                .is_some_and(|name| name.starts_with(sign))
        {
            draft.name_range.start += sign.len_utf8();
        }
        let parent = self.around(parent, &draft);
        let kind = self.kind_in_place(draft.kind, parent);
        let flags = draft.flags;
        let text = self.text;
        let name = draft
            .name
            .as_deref()
            .unwrap_or_else(|| text.get(draft.name_range.clone()).unwrap_or(""));
        if name.is_empty() {
            return None;
        }
        let visibility = self.visibility(&draft, name, parent, flags);
        let attributes = self.attributes_of(kind, &draft);
        if self.effects.is_replay() {
            let name = name.to_owned();
            return self.replayed(kind, &name, &attributes, &draft, parent);
        }
        // In damaged code a name may be outside of what it names.
        let start = draft.span.start.min(draft.name_range.start);
        let end = draft.span.end.max(draft.name_range.end);
        let span = start..self.end_in(parent.filter(|_| draft.container.is_empty()), start, end);
        let index = self.facts.items.len() as ItemIndex;
        let position = |byte: usize| self.lines.position(byte as u32, text);
        let (start, end) = (position(span.start), position(span.end));
        let (name_start, name_end) = (
            position(draft.name_range.start),
            position(draft.name_range.end),
        );
        let item = Item {
            kind,
            visibility,
            flags,
            arity: draft.arity,
            parent,
            name: self.facts.intern(name),
            container: self.facts.intern(&draft.container),
            signature: self.facts.intern(&draft.signature),
            params: self.facts.intern(&draft.params),
            result: self.facts.intern(&draft.result),
            attributes: self.facts.intern(&attributes),
            doc: self.facts.intern(draft.doc.as_deref().unwrap_or("")),
            start_byte: span.start as u32,
            end_byte: span.end as u32,
            name_byte: draft.name_range.start as u32,
            start,
            end,
            name_start,
            name_end,
        };
        self.reach_to(&item);
        self.facts.items.push(item);
        let docs = std::mem::take(&mut self.pending_docs);
        if draft.doc.is_some() {
            self.document(index, docs);
        }
        for (relation, name) in &draft.bases {
            let name = self.facts.intern(name);
            self.facts.bases.push(WrittenBase {
                item: index,
                relation: *relation,
                name,
            });
        }
        Some(index)
    }

    /// The declaration that a draft is in: in damaged code one may end before what seems to be in it begins.
    fn around(&self, mut parent: Option<ItemIndex>, draft: &ItemDraft) -> Option<ItemIndex> {
        use crate::Language::{JavaScript, Tsx, TypeScript};
        // What is written outside of its type, and what is added to one, stands behind it.
        let is_beside = matches!(self.spec.language, JavaScript | Tsx | TypeScript);
        if is_beside || !draft.container.is_empty() {
            return parent;
        }
        let start = draft.span.start.min(draft.name_range.start) as u32;
        // A namespace without a block reaches as far as what is in it.
        let end = draft.span.end as u32;
        let is_in = |item: &Item| {
            start < item.end_byte && !(draft.kind.is_namespace() && end > item.end_byte)
        };
        while let Some(item) = parent.and_then(|parent| self.facts.items.get(parent as usize)) {
            if item.kind.is_namespace() || is_in(item) {
                break;
            }
            parent = item.parent;
        }
        parent
    }

    /// Where what begins in a declaration ends: in damaged code it may seem to reach further than that.
    fn end_in(&self, parent: Option<ItemIndex>, start: usize, end: usize) -> usize {
        let parent = parent.and_then(|parent| self.facts.items.get(parent as usize));
        let parent = parent.filter(|parent| !parent.kind.is_namespace());
        let Some(parent) = parent else { return end };
        let around = parent.start_byte as usize..parent.end_byte as usize;
        if around.contains(&start) {
            end.min(around.end)
        } else {
            end
        }
    }

    /// The names of a type's attributes, and of any declaration's specifiers; what packs choose by.
    fn attributes_of(&self, kind: ItemKind, draft: &ItemDraft) -> String {
        let head = draft.span.start..draft.name_range.start;
        let head = self.text.get(head).unwrap_or("");
        let names = match kind.is_type() {
            true => attribute_names(head),
            false => String::new(),
        };
        if !self.has_specifiers {
            return names;
        }
        let macros = &self.spec.specifier_macros;
        let names = specifiers_before(names, self.text, macros, &draft.span, &draft.name_range);
        match kind {
            ItemKind::EnumMember => specifiers_behind(names, self.text, macros, &draft.name_range),
            _ => names,
        }
    }

    /// A namespace without a block ends where the text does, white space at its end left out; what is in
    /// it may end there.
    fn reach_to(&mut self, item: &Item) {
        let mut around = item.parent.filter(|_| item.container.is_empty());
        while let Some(index) = around
            && let Some(parent) = self.facts.items.get_mut(index as usize)
            && parent.kind.is_namespace()
            && parent.end_byte < item.end_byte
        {
            parent.end_byte = item.end_byte;
            parent.end = item.end;
            around = parent.parent;
        }
    }

    /// Adds a base to an item that is already stored.
    pub(crate) fn add_base(&mut self, item: ItemIndex, relation: Relation, name: &str) {
        self.effects.touches(item);
        let about = self.facts.items.get(item as usize);
        self.effects
            .note(self.at, about.map(|item| item.start_byte));
        let name = self.facts.intern(name);
        self.facts.bases.push(WrittenBase {
            item,
            relation,
            name,
        });
    }

    /// Makes the top-level declarations of that name exported, also those still to come.
    pub(crate) fn export(&mut self, name: &'t str, flags: ItemFlags) {
        self.affects(self.at);
        let known = self.exports.entry(name.to_owned());
        known.or_default().insert(flags);
    }

    /// Only what [`Self::export`] names is for other packages: Python's `__all__`.
    pub(crate) fn close_exports(&mut self) {
        self.affects(self.at);
        self.exports_closed = true;
    }

    /// Makes the items from `first` on as visible as export lists say.
    pub(super) fn apply_exports(&mut self, first: usize) {
        if self.exports_closed {
            for item in &mut self.facts.items[first..] {
                let top = item.parent.is_none() && item.visibility == Visibility::Public;
                if top && !self.facts.heap[item.name.range()].starts_with("__") {
                    item.visibility = Visibility::Internal;
                }
            }
        }
        if self.exports.is_empty() {
            return;
        }
        let mut exported = vec![false; self.facts.items.len() - first];
        for index in first..self.facts.items.len() {
            let item = &self.facts.items[index];
            if item.flags.contains(ItemFlags::LOCAL) {
                continue;
            }
            let by_name = match item.parent {
                None => self.exports.get(self.facts.str(item.name)).copied(),
                Some(_) => None,
            };
            // The functions of an exported object are as visible as it is.
            let by_parent = item.visibility == Visibility::Internal
                && item.parent.is_some_and(|parent| {
                    let kind = self.facts.items[parent as usize].kind;
                    let place = (parent as usize).checked_sub(first);
                    place.is_some_and(|place| exported[place])
                        && matches!(kind, ItemKind::Constant | ItemKind::Variable)
                });
            if by_name.is_none() && !by_parent {
                continue;
            }
            exported[index - first] = true;
            let item = &mut self.facts.items[index];
            item.visibility = Visibility::Public;
            item.flags.insert(by_name.unwrap_or_default());
        }
    }

    /// A function in a type is a method, a variable a field.
    pub(super) fn kind_in_place(&self, kind: ItemKind, parent: Option<ItemIndex>) -> ItemKind {
        let parent = parent.map(|parent| self.facts.items[parent as usize].kind);
        let in_type = parent.is_some_and(|kind| kind.is_type() || kind == ItemKind::Extension);
        match kind {
            ItemKind::Function if in_type => ItemKind::Method,
            ItemKind::Variable if in_type => ItemKind::Field,
            kind => kind,
        }
    }

    pub(super) fn visibility(
        &self,
        draft: &ItemDraft,
        name: &str,
        parent: Option<ItemIndex>,
        flags: ItemFlags,
    ) -> Visibility {
        if flags.contains(ItemFlags::LOCAL) {
            return Visibility::Private;
        }
        match self.spec.by_name {
            Some(NamePolicy::Capitalised) => {
                let public = name.starts_with(char::is_uppercase);
                return if public {
                    Visibility::Public
                } else {
                    Visibility::Internal
                };
            }
            Some(NamePolicy::Underscore) => {
                let private =
                    name.starts_with('_') && !(name.starts_with("__") && name.ends_with("__"));
                return if private {
                    Visibility::Private
                } else {
                    Visibility::Public
                };
            }
            Some(NamePolicy::Hash) if name.starts_with('#') => return Visibility::Private,
            _ => {}
        }
        if let Some(visibility) = draft.visibility {
            return visibility;
        }
        if let Some(access) = self.frames.last().and_then(|frame| frame.access) {
            return access;
        }
        let parent = parent.map(|parent| &self.facts.items[parent as usize]);
        // Everything in an ambient namespace is visible to whoever sees the namespace.
        let ambient = parent.is_some_and(|parent| {
            parent.kind.is_namespace() && parent.flags.contains(ItemFlags::DECLARATION)
        });
        if ambient || flags.contains(ItemFlags::EXPORTED) {
            return Visibility::Public;
        }
        match parent.map(|parent| parent.kind) {
            Some(ItemKind::Interface | ItemKind::Trait | ItemKind::Enum | ItemKind::EnumMember) => {
                self.spec.interface_visibility
            }
            Some(kind) if kind.is_type() || kind == ItemKind::Extension => {
                self.spec.member_visibility
            }
            _ => self.spec.default_visibility,
        }
    }
}
