//! What a rule says beyond name, body, parameters and bases, for languages described by data alone.

use std::ops::Range;

use tree_sitter::Node;

use super::names::QualifiedName;
use super::{ItemDraft, Visit, Walk};
use crate::facts::{ItemIndex, ItemKind, Visibility};
use crate::signature::collapse;
use crate::spec::{Extras, NodeRule};

/// How many words of a declaration's head tell what kind of it it is.
const FIRST_WORDS: usize = 5;

impl<'t> Walk<'t> {
    /// Declares what a rule with extras describes, and goes inside.
    pub(super) fn item_with(&mut self, node: Node<'t>, rule: &NodeRule, extras: &Extras) -> Visit {
        let has_body = rule
            .body
            .iter()
            .any(|body| self.select(node, *body).is_some());
        if extras.package && !has_body {
            self.add_package(node, rule);
            return Visit::Skip;
        }
        let value = self.value_of(node, rule, extras);
        if extras.only_values && value.is_none() || self.has_no_value(node, rule, extras) {
            return Visit::Descend;
        }
        let mut first = None;
        let mut doc: Option<String> = None;
        for name in self.names_or_none(node, rule, extras) {
            if !self.is_wanted(node, &name, extras, value.is_some()) {
                continue;
            }
            let Some(mut draft) = self.draft_named(node, rule, name.range.clone()) else {
                continue;
            };
            name.container.clone_into(&mut draft.container);
            self.complete(&mut draft, node, rule, extras);
            self.hold(&mut draft);
            if !has_body && value.is_none() && self.in_type() {
                draft.flags.insert(extras.bodiless);
            }
            // Several names in one declaration share its documentation.
            match &doc {
                Some(_) => draft.doc.clone_from(&doc),
                None => doc.clone_from(&draft.doc),
            }
            let access = draft
                .visibility
                .filter(|_| draft.kind == ItemKind::Extension);
            if draft.kind == ItemKind::Extension {
                draft.visibility = draft.visibility.or(Some(Visibility::Public));
            }
            if extras.rest_of_parent && !has_body {
                self.end_rest(&mut draft);
            }
            let item = match self.enclosing_type().filter(|_| extras.of_type) {
                Some(owner) => self.declare_in(owner, draft),
                None => self.declare(draft),
            };
            if let Some(item) = item {
                first.get_or_insert((item, access));
            }
        }
        if let Some((item, access)) = first {
            self.open_by(item, access, extras.rest_of_parent && !has_body);
        }
        Visit::Descend
    }

    /// The names of a declaration, or what one without is called.
    fn names_or_none(
        &mut self,
        node: Node<'t>,
        rule: &NodeRule,
        extras: &Extras,
    ) -> Vec<QualifiedName<'t>> {
        let mut names = self.names(node, rule, extras);
        if names.is_empty() && extras.unnamed.is_some() {
            // Its first token stands for it; `complete` gives it its name.
            let mut cursor = node.walk();
            let tokens = node.children(&mut cursor).filter(|child| !child.is_named());
            names.extend(tokens.take(1).map(|token| QualifiedName {
                range: token.byte_range(),
                container: "",
            }));
        }
        names
    }

    /// Whether what a rule asks for is there.
    fn is_wanted(
        &mut self,
        node: Node<'t>,
        name: &QualifiedName<'t>,
        extras: &Extras,
        has_value: bool,
    ) -> bool {
        if extras.once {
            let parent = self.parent_index();
            let text = self
                .text
                .get(name.range.start - name.container.len().min(name.range.start)..name.range.end);
            let is_new = text.is_some_and(|text| self.known.insert((parent, text)));
            if !is_new && !has_value {
                return false;
            }
        }
        if extras.needs.is_empty() {
            return true;
        }
        let mut cursor = node.walk();
        let mut before = node
            .children(&mut cursor)
            .take_while(|child| child.start_byte() < name.range.start);
        before.any(|child| extras.needs.iter().any(|word| word == self.source(child)))
            || self.parent().is_some_and(|parent| {
                let head = self
                    .facts
                    .str(parent.signature)
                    .split(['(', '[', '<'])
                    .next();
                let mut words = head.unwrap_or("").split_whitespace().take(FIRST_WORDS);
                words.any(|word| extras.needs_around.iter().any(|needed| needed == word))
            })
    }

    /// What depends on value, result, place and name.
    fn complete(
        &mut self,
        draft: &mut ItemDraft,
        node: Node<'t>,
        rule: &NodeRule,
        extras: &Extras,
    ) {
        if let Some((value, kind)) = self.value_of(node, rule, extras) {
            draft.kind = kind;
            draft.result.clear();
            if draft.params.is_empty() {
                draft.params = self.params(value, rule);
            }
        }
        let result = extras
            .results
            .iter()
            .find(|(name, _)| *name == draft.result);
        if let Some((_, kind)) = result {
            draft.kind = *kind;
            draft.result.clear();
        }
        let parent = self.parent().map(|parent| parent.kind);
        if let Some(parent) = parent
            && let Some((_, kind)) = extras.within.iter().find(|(around, _)| around.is(parent))
        {
            draft.kind = *kind;
        }
        let name = self.text.get(draft.name_range.clone()).unwrap_or("");
        if self.in_type()
            && draft.kind.is_callable()
            && let Some(kind) = self.spec.names.kinds.get(name)
        {
            draft.kind = *kind;
        }
        if let Some(unnamed) = &extras.unnamed
            && self.names(node, rule, extras).is_empty()
        {
            draft.name = Some(unnamed.clone());
        }
        draft.flags.insert(extras.flags);
        draft.visibility = draft.visibility.or(extras.visibility);
        draft.span.end = self.last_end(draft.span.clone());
        if draft.kind == ItemKind::Extension {
            self.extends_named(draft);
        }
    }

    /// A block of members is named after the type that it is about.
    fn extends_named(&self, draft: &mut ItemDraft) {
        let written = self.text.get(draft.name_range.clone()).unwrap_or("");
        draft.container = collapse(written);
        let end = written.find(['<', '[', '(']).unwrap_or(written.len());
        let start = written[..end].rfind('.').map_or(0, |dot| dot + 1);
        let first = draft.name_range.start;
        draft.name_range = first + start..first + end;
    }

    /// Where the last line of a stretch ends. Blocks by indentation, and those that are not closed, reach to where
    /// something else begins.
    fn last_end(&self, span: Range<usize>) -> usize {
        let written = &self.text[span.clone()];
        let trimmed = written.trim_end();
        if written[trimmed.len()..].contains('\n') {
            span.start + trimmed.len()
        } else {
            span.end
        }
    }

    /// An item whose body stands beside it ends where what holds both does.
    fn hold(&self, draft: &mut ItemDraft) {
        let wrappers = self.wrappers_of();
        let holders = wrappers.iter().rev();
        let outermost = holders.take_while(|wrapper| {
            self.spec.is_holder(wrapper.kind_id()) || wrapper.end_byte() == draft.span.end
        });
        if let Some(holder) = outermost.last() {
            let end = self.last_end(draft.span.start..holder.end_byte());
            draft.span.end = draft.span.end.max(end);
        }
    }

    /// What follows inside an item belongs to it.
    fn open_by(&mut self, item: ItemIndex, access: Option<Visibility>, is_rest: bool) {
        if is_rest {
            return self.open_in_parent(item);
        }
        let kind = self.facts.items[item as usize].kind;
        if !kind.is_callable() {
            return self.open_with(item, access);
        }
        let wrappers = self.wrappers_of();
        let up = wrappers
            .iter()
            .rev()
            .position(|wrapper| self.spec.is_holder(wrapper.kind_id()));
        self.open_above(item, up.map_or(0, |up| up + 1));
    }

    /// What follows inside the current node belongs to an item, visible as that says.
    fn open_with(&mut self, item: ItemIndex, access: Option<Visibility>) {
        self.open(item);
        if let Some(access) = access {
            self.set_access(access);
        }
    }

    /// A namespace that holds up to the next one, or to the end.
    fn end_rest(&mut self, draft: &mut ItemDraft) {
        draft.span.end = self.text.trim_end().len().max(draft.span.end);
        draft.visibility = draft.visibility.or(Some(Visibility::Public));
        let depth = self.depth.saturating_sub(1);
        let Some(last) = self.frames.last().filter(|frame| frame.depth == depth) else {
            return;
        };
        let Some(item) = last.item.filter(|item| {
            let item = &self.facts.items[*item as usize];
            item.kind.is_namespace() && item.end_byte as usize >= draft.span.end
        }) else {
            return;
        };
        self.frames.pop();
        let end = self.text[..draft.span.start].trim_end().len();
        let position = self.lines.position(end as u32, self.text);
        // In damaged code one may stand within what it holds, and seem to reach as far.
        for item in &mut self.facts.items[item as usize..] {
            if item.end_byte as usize > end {
                item.end_byte = end as u32;
                item.end = position;
            }
        }
    }

    /// The package of the file, or the next part of its name.
    fn add_package(&mut self, node: Node<'t>, rule: &NodeRule) {
        let Some(name) = self.select(node, rule.name) else {
            return;
        };
        let name = collapse(self.source(name));
        let package = match self.facts.str(self.facts.package) {
            "" => name,
            outer => format!("{outer}.{name}"),
        };
        self.set_package(&package);
    }

    /// The value that makes a declaration another kind of item, and which.
    pub(crate) fn value_of(
        &self,
        node: Node<'t>,
        rule: &NodeRule,
        extras: &Extras,
    ) -> Option<(Node<'t>, ItemKind)> {
        if extras.values.is_empty() && extras.value_starts.is_empty() {
            return None;
        }
        let kind_of = |node: Node<'t>| {
            let by_kind = extras.values.iter().find(|(id, _)| *id == node.kind_id());
            let kind = by_kind.map(|(_, kind)| *kind).or_else(|| {
                let source = self.source(node);
                let starts = extras.value_starts.iter();
                let mut starts = starts.filter(|(start, _)| {
                    let rest = source.strip_prefix(start.as_str());
                    rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
                });
                starts.next().map(|(_, kind)| *kind)
            });
            kind.map(|kind| (node, kind))
        };
        if let Some(value) = rule.value {
            return self.select(node, value).and_then(kind_of);
        }
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find_map(kind_of)
    }

    /// Whether a value is one that declares nothing.
    fn has_no_value(&self, node: Node<'t>, rule: &NodeRule, extras: &Extras) -> bool {
        !extras.not_values.is_empty()
            && rule
                .value
                .and_then(|value| self.select(node, value))
                .is_some_and(|value| {
                    let source = self.source(value);
                    let mut starts = extras.not_values.iter();
                    starts.any(|start| source.starts_with(start.as_str()))
                })
    }

    /// Where the head of such a value ends.
    pub(crate) fn head_of_value(&self, node: Node<'t>, rule: &NodeRule) -> Option<usize> {
        let (value, _) = self.value_of(node, rule, rule.extras.as_deref()?)?;
        let body = value.child_by_field_name("body");
        let source = self.source(value);
        let line = &source[..source.find(['{', '\n']).unwrap_or(source.len())];
        let head = line.strip_suffix(" do").unwrap_or(line);
        Some(body.map_or(value.start_byte() + head.len(), |body| body.start_byte()))
    }

    fn in_type(&self) -> bool {
        self.parent()
            .is_some_and(|parent| parent.kind.is_type() || parent.kind == ItemKind::Extension)
    }
}
