//! One pass over a syntax tree: declarations out.
//!
//! The walk visits every node once with a cursor and asks the spec's table what the node means.
//! Most nodes mean nothing and cost one look-up. A declaration becomes a [`Draft`], which is
//! completed from what surrounds it (documentation, wrappers, container) and stored as an item.
//! Nothing recurses with the tree's depth: a file of ten thousand nested brackets needs no more
//! stack than any other.

use std::collections::HashMap;
use std::ops::Range;

use codecortex_text::LineIndex;
use tree_sitter::{Node, Tree};

use crate::doc::{clean_comments, clean_docstring};
use crate::facts::{Base, Facts, Flags, Item, ItemIndex, ItemKind, Relation, Visibility};
use crate::signature::Signature;
use crate::spec::{Action, NamePolicy, Rule, Selector, Spec, Word};

/// Items nested deeper than this are not recorded; no code that a person wrote nests so deep.
const MAX_NESTING: usize = 64;

/// Whether the walk goes on into a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    Descend,
    Skip,
}

/// A declaration on its way to become an item.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) kind: ItemKind,
    /// Where the name is; its text is the item's name unless `name` says otherwise.
    pub(crate) name_range: Range<usize>,
    pub(crate) name: Option<String>,
    /// The whole declaration.
    pub(crate) span: Range<usize>,
    pub(crate) container: String,
    pub(crate) signature: String,
    pub(crate) params: String,
    pub(crate) bases: Vec<(Relation, String)>,
    pub(crate) doc: Option<String>,
    pub(crate) arity: u8,
    pub(crate) flags: Flags,
    /// What the source says; `None` takes the language's default for the place.
    pub(crate) visibility: Option<Visibility>,
}

impl Draft {
    /// A draft that has a place and nothing else yet.
    pub(crate) fn new(kind: ItemKind, name_range: Range<usize>, span: Range<usize>) -> Self {
        Self {
            kind,
            name_range,
            name: None,
            span,
            container: String::new(),
            signature: String::new(),
            params: String::new(),
            bases: Vec::new(),
            doc: None,
            arity: 0,
            flags: Flags::default(),
            visibility: None,
        }
    }
}

/// A declaration, or code outside every declaration, that the walk is inside of.
#[derive(Debug)]
struct Frame {
    /// Depth of the node whose end closes the frame.
    depth: usize,
    item: Option<ItemIndex>,
    /// Whether what is inside runs although its declaration, if any, is not callable.
    code: bool,
    /// Depth at which an object literal's functions are members (JavaScript).
    member_depth: Option<usize>,
    /// The access section in force (C++).
    access: Option<Visibility>,
}

/// The state of one walk.
pub(crate) struct Walk<'t> {
    pub(crate) text: &'t str,
    pub(crate) spec: &'static Spec,
    pub(crate) facts: Facts,
    lines: LineIndex,
    frames: Vec<Frame>,
    wrappers: Vec<(usize, Node<'t>)>,
    /// Comments right before the current place, and where the run of them and of attributes ends.
    comments: Vec<Range<usize>>,
    run_end: usize,
    /// Comments about what they stand in, with the item that is.
    inner_docs: Vec<(Option<ItemIndex>, Range<usize>)>,
    /// The attributes in that run, for languages that write them beside the item.
    attributes: Option<Range<usize>>,
    /// Names that an export list makes public, wherever in the file they are declared.
    exports: HashMap<&'t str, Flags>,
    exports_closed: bool,
    pub(crate) depth: usize,
}

/// The facts of a parsed text.
pub(crate) fn walk(spec: &'static Spec, text: &str, tree: &Tree, hash: [u8; 16]) -> Facts {
    let lines = LineIndex::new(text);
    let mut walk = Walk {
        text,
        spec,
        facts: Facts {
            language: spec.language,
            lines: lines.line_count(),
            bytes: text.len() as u32,
            hash,
            syntax_errors: 0,
            package: Default::default(),
            doc: Default::default(),
            items: Vec::new(),
            bases: Vec::new(),
            heap: String::new(),
        },
        lines,
        frames: Vec::new(),
        wrappers: Vec::new(),
        comments: Vec::new(),
        run_end: 0,
        inner_docs: Vec::new(),
        attributes: None,
        exports: HashMap::new(),
        exports_closed: false,
        depth: 0,
    };
    walk.run(tree);
    walk.apply_inner_docs();
    walk.apply_exports();
    walk.facts.items.shrink_to_fit();
    walk.facts.heap.shrink_to_fit();
    walk.facts
}

impl<'t> Walk<'t> {
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        loop {
            if self.enter(cursor.node()) == Visit::Descend && cursor.goto_first_child() {
                self.depth += 1;
                continue;
            }
            loop {
                self.leave();
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                self.depth -= 1;
            }
        }
    }

    fn enter(&mut self, node: Node<'t>) -> Visit {
        match self.spec.action(node.kind_id()) {
            Action::Descend => Visit::Descend,
            Action::Comment => {
                self.comment(node);
                Visit::Skip
            }
            Action::Attribute => {
                self.attribute(node);
                Visit::Skip
            }
            Action::Wrapper => {
                self.wrappers.push((self.depth, node));
                Visit::Descend
            }
            // In half-typed code a declaration may have ended up inside anything.
            Action::Skip if node.has_error() => Visit::Descend,
            Action::Skip => Visit::Skip,
            Action::Code => self.code(node),
            Action::Hook(hook) => hook.run(self, node, None),
            Action::Item(index) => match self.spec.rule(index) {
                Some(rule) => match rule.hook {
                    Some(hook) => hook.run(self, node, Some(rule)),
                    None => self.item(node, rule),
                },
                None => Visit::Descend,
            },
        }
    }

    /// An attribute written before the item it belongs to.
    pub(crate) fn attribute(&mut self, node: Node<'t>) {
        let in_wrapper = self.wrappers.last().map(|(depth, _)| depth + 1) == Some(self.depth);
        if in_wrapper {
            return; // part of the item that is to come, which starts where the wrapper does
        }
        let range = node.byte_range();
        if !self.follows_run(range.start) {
            self.comments.clear();
            self.attributes = None;
        }
        self.run_end = range.end;
        let first = self.attributes.take().map_or(range.start, |run| run.start);
        self.attributes = Some(first..range.end);
    }

    /// Documentation that an attribute right before the current place carries.
    pub(crate) fn add_doc(&mut self, range: Range<usize>) {
        self.comments.push(range);
    }

    /// The attributes right before a place, documentation between them included.
    pub(crate) fn attributes_before(&self, start: usize) -> Option<Range<usize>> {
        let run = self.attributes.clone()?;
        (run.end <= start && self.follows_run(start)).then_some(run)
    }

    /// The body of a callable declaration. Most declare nothing, and they are most of the text.
    pub(crate) fn code(&self, node: Node<'t>) -> Visit {
        let top = self.frames.last();
        // Only the outermost block is searched: nested ones would be searched again and again.
        let is_body = top.is_some_and(|frame| frame.depth + 1 == self.depth) && self.in_code();
        if is_body && !node.has_error() && !self.spec.may_declare(self.source(node)) {
            Visit::Skip
        } else {
            Visit::Descend
        }
    }

    /// The node at the current depth has ended.
    fn leave(&mut self) {
        while self
            .frames
            .last()
            .is_some_and(|frame| frame.depth >= self.depth)
        {
            self.frames.pop();
        }
        while self
            .wrappers
            .last()
            .is_some_and(|(depth, _)| *depth >= self.depth)
        {
            self.wrappers.pop();
        }
    }

    /// Declares what a rule describes, and goes inside.
    pub(crate) fn item(&mut self, node: Node<'t>, rule: &Rule) -> Visit {
        if rule.not_local && self.in_code() {
            return Visit::Descend;
        }
        let Some(draft) = self.draft(node, rule) else {
            return Visit::Descend;
        };
        let item = self.declare(draft);
        if let Some(item) = item {
            self.open(item);
        }
        Visit::Descend
    }

    /// What a rule finds at a node; `None` without a name.
    pub(crate) fn draft(&mut self, node: Node<'t>, rule: &Rule) -> Option<Draft> {
        let name = self.select(node, rule.name)?;
        self.draft_named(node, rule, name.byte_range())
    }

    /// What a rule finds at a node whose name is elsewhere than the rule says.
    pub(crate) fn draft_named(
        &mut self,
        node: Node<'t>,
        rule: &Rule,
        name_range: Range<usize>,
    ) -> Option<Draft> {
        if name_range.is_empty() {
            return None; // a MISSING name: the file is half-typed here
        }
        let wrappers = self.wrappers_of();
        let signature = Signature::compose(self, &wrappers, node, rule, name_range.start);
        let mut draft = Draft {
            kind: rule.kind,
            name_range,
            name: None,
            span: self.span(&wrappers, node),
            container: String::new(),
            params: self.params(node, rule),
            bases: self.bases(node, rule),
            doc: None,
            arity: self.arity(&wrappers, node),
            flags: Flags::default(),
            visibility: None,
            signature: signature.text,
        };
        for word in signature
            .words
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        {
            match self.spec.word(word) {
                // `protected internal` is visible to heirs, `private protected` hardly to anybody:
                // the first word is the wider one in every language that combines two.
                Some(Word::Visibility(visibility)) => {
                    draft.visibility.get_or_insert(visibility);
                }
                Some(Word::Flag(flag)) => draft.flags.insert(flag),
                Some(Word::Kind(kind)) => draft.kind = kind,
                None => {}
            }
        }
        let start = self.outer_start(&wrappers, node);
        draft.doc = self.take_doc(start);
        if rule.docstring {
            draft.doc = self.docstring(node, rule).or(draft.doc);
        }
        Some(draft)
    }

    /// Stores a draft as an item. `None` when the nesting is beyond reason.
    pub(crate) fn declare(&mut self, mut draft: Draft) -> Option<ItemIndex> {
        if self.in_code() {
            draft.flags.insert(Flags::LOCAL);
        }
        self.store(draft, self.parent_index())
    }

    /// Stores a draft as an item of the file, also where code is around it.
    pub(crate) fn declare_top(&mut self, draft: Draft) -> Option<ItemIndex> {
        self.store(draft, None)
    }

    /// Makes an item reach to the end of another declaration of the same thing.
    pub(crate) fn extend_item(&mut self, index: ItemIndex, draft: &Draft) {
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
    pub(crate) fn declare_in(&mut self, parent: ItemIndex, draft: Draft) -> Option<ItemIndex> {
        self.store(draft, Some(parent))
    }

    fn store(&mut self, draft: Draft, parent: Option<ItemIndex>) -> Option<ItemIndex> {
        if self.frames.len() >= MAX_NESTING {
            return None;
        }
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
        let index = self.facts.items.len() as ItemIndex;
        let position = |byte: usize| self.lines.position(byte as u32, text);
        let (start, end) = (position(draft.span.start), position(draft.span.end));
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
            doc: self.facts.intern(draft.doc.as_deref().unwrap_or("")),
            start_byte: draft.span.start as u32,
            end_byte: draft.span.end as u32,
            name_byte: draft.name_range.start as u32,
            start,
            end,
            name_start,
            name_end,
        };
        self.facts.items.push(item);
        for (relation, name) in &draft.bases {
            let name = self.facts.intern(name);
            self.facts.bases.push(Base {
                item: index,
                relation: *relation,
                name,
            });
        }
        Some(index)
    }

    /// What follows inside the current node belongs to `item`.
    pub(crate) fn open(&mut self, item: ItemIndex) {
        self.open_from(item, self.depth);
    }

    /// What follows the current node in its parent belongs to `item`.
    pub(crate) fn open_in_parent(&mut self, item: ItemIndex) {
        self.open_from(item, self.depth.saturating_sub(1));
    }

    fn open_from(&mut self, item: ItemIndex, depth: usize) {
        self.frames.push(Frame {
            depth,
            item: Some(item),
            code: false,
            member_depth: None,
            access: None,
        });
    }

    /// What follows inside the current node is code that runs, outside of any callable item.
    pub(crate) fn open_code(&mut self) {
        if !self.in_code() {
            self.frames.push(Frame {
                depth: self.depth,
                item: None,
                code: true,
                member_depth: None,
                access: None,
            });
        }
    }

    /// What follows inside the current node belongs to `item`, if any; functions in an object
    /// literal whose entries are at `member_depth` are its members.
    pub(crate) fn open_members(&mut self, item: Option<ItemIndex>, member_depth: usize) {
        self.frames.push(Frame {
            depth: self.depth,
            item,
            code: false,
            member_depth: Some(member_depth),
            access: None,
        });
    }

    /// Whether the current node is an entry of the object literal given to [`Self::open_members`].
    pub(crate) fn at_member_depth(&self) -> bool {
        let top = self.frames.last();
        top.is_some_and(|frame| frame.member_depth == Some(self.depth))
    }

    /// How many levels below the innermost open declaration the current node is.
    pub(crate) fn levels_below_frame(&self) -> Option<usize> {
        self.frames.last().map(|frame| self.depth - frame.depth)
    }

    /// The current node only wraps an item.
    pub(crate) fn wrap(&mut self, node: Node<'t>) {
        self.wrappers.push((self.depth, node));
    }

    /// Adds a base to an item that is already stored.
    pub(crate) fn add_base(&mut self, item: ItemIndex, relation: Relation, name: &str) {
        let name = self.facts.intern(name);
        self.facts.bases.push(Base {
            item,
            relation,
            name,
        });
    }

    /// Makes the top-level declarations of that name exported, also those still to come.
    pub(crate) fn export(&mut self, name: &'t str, flags: Flags) {
        self.exports.entry(name).or_default().insert(flags);
    }

    /// Only what [`Self::export`] names is for other packages: Python's `__all__`.
    pub(crate) fn close_exports(&mut self) {
        self.exports_closed = true;
    }

    fn apply_exports(&mut self) {
        if self.exports_closed {
            for item in &mut self.facts.items {
                let top = item.parent.is_none() && item.visibility == Visibility::Public;
                if top && !self.facts.heap[item.name.range()].starts_with("__") {
                    item.visibility = Visibility::Internal;
                }
            }
        }
        if self.exports.is_empty() {
            return;
        }
        let mut exported = vec![false; self.facts.items.len()];
        for index in 0..self.facts.items.len() {
            let item = &self.facts.items[index];
            if item.flags.contains(Flags::LOCAL) {
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
                    exported[parent as usize]
                        && matches!(kind, ItemKind::Constant | ItemKind::Variable)
                });
            if by_name.is_none() && !by_parent {
                continue;
            }
            exported[index] = true;
            let item = &mut self.facts.items[index];
            item.visibility = Visibility::Public;
            item.flags.insert(by_name.unwrap_or_default());
        }
    }

    /// What follows inside the current node has that visibility unless it says otherwise.
    pub(crate) fn open_scope(&mut self, access: Visibility) {
        self.open_members(None, usize::MAX);
        self.set_access(access);
    }

    /// The access section in force.
    pub(crate) fn access(&self) -> Option<Visibility> {
        self.frames.last().and_then(|frame| frame.access)
    }

    /// Sets the access section in force for the members that follow (C++).
    pub(crate) fn set_access(&mut self, visibility: Visibility) {
        if let Some(frame) = self.frames.last_mut() {
            frame.access = Some(visibility);
        }
    }

    /// Index of the item that the walk is directly inside of.
    pub(crate) fn parent_index(&self) -> Option<ItemIndex> {
        self.frames.iter().rev().find_map(|frame| frame.item)
    }

    /// The item that the walk is directly inside of.
    pub(crate) fn parent(&self) -> Option<&Item> {
        self.facts.items.get(self.parent_index()? as usize)
    }

    /// The nearest type around, with its index.
    pub(crate) fn enclosing_type(&self) -> Option<ItemIndex> {
        self.frames
            .iter()
            .rev()
            .filter_map(|frame| frame.item)
            .find(|item| self.facts.items[*item as usize].kind.is_type())
    }

    /// Whether the walk is inside code that runs.
    pub(crate) fn in_code(&self) -> bool {
        match self.frames.last() {
            Some(frame) if frame.code => return true,
            // What an object literal lists is not run by what it belongs to.
            Some(frame) if frame.member_depth.is_some() => return false,
            _ => {}
        }
        self.parent().is_some_and(|item| {
            item.kind.is_callable() || item.flags.contains(Flags::LOCAL) && !item.kind.is_type()
        })
    }

    /// The source of a node.
    pub(crate) fn source(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// A node's first child by field or kind.
    pub(crate) fn select(&self, node: Node<'t>, selector: Selector) -> Option<Node<'t>> {
        match selector {
            Selector::Field(field) => node.child_by_field_id(field.get()),
            Selector::Kind(kind) => {
                let mut cursor = node.walk();
                node.children(&mut cursor)
                    .find(|child| child.kind_id() == kind)
            }
        }
    }

    /// The documentation right before a place, once.
    pub(crate) fn take_doc(&mut self, start: usize) -> Option<String> {
        let documents = !self.comments.is_empty() && self.follows_run(start);
        let comments = std::mem::take(&mut self.comments);
        self.attributes = None;
        if !documents {
            return None;
        }
        let text = self.text;
        let doc = clean_comments(comments.into_iter().map(|range| &text[range]));
        // The head of a file often stands right above its first declaration.
        if self.facts.items.is_empty() && doc.contains("opyright") {
            return None;
        }
        (!doc.is_empty()).then_some(doc)
    }

    /// Documentation of the whole file, if none was found yet.
    pub(crate) fn set_file_doc(&mut self, doc: &str) {
        if self.facts.doc.is_empty() {
            self.facts.doc = self.facts.intern(doc);
        }
    }

    /// The package that holds for the whole file.
    pub(crate) fn set_package(&mut self, package: &str) {
        self.facts.package = self.facts.intern(package);
    }

    /// Parameter types of a declaration, separated by `,`.
    pub(crate) fn params(&self, node: Node<'t>, rule: &Rule) -> String {
        let Some(list) = rule
            .parameters
            .and_then(|selector| self.select(node, selector))
        else {
            return String::new();
        };
        let mut out = String::new();
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            if !self.spec.is_parameter(parameter.kind_id()) {
                continue;
            }
            if !out.is_empty() {
                out.push(',');
            }
            self.push_param(parameter, &mut out);
        }
        // C# has the parts of a `params` array in the list itself.
        let rest = self
            .spec
            .field_type
            .filter(|_| !self.spec.parameter_words.is_empty());
        if let Some(rest) = rest.and_then(|id| list.child_by_field_id(id.get())) {
            if !out.is_empty() {
                out.push(',');
            }
            out.push_str(&crate::signature::collapse(self.source(rest)));
        }
        out
    }

    /// Adds what tells a parameter from others: its type, or its name where it has none.
    fn push_param(&self, parameter: Node<'t>, out: &mut String) {
        let field = |id: Option<std::num::NonZeroU16>| {
            id.and_then(|id| parameter.child_by_field_id(id.get()))
        };
        let start = out.len();
        let declared = field(self.spec.field_type);
        let typed = declared
            .or_else(|| field(self.spec.field_name))
            .or_else(|| field(self.spec.field_pattern))
            .or_else(|| field(self.spec.field_left))
            .unwrap_or(parameter);
        let rest = self.spec.is_rest_parameter(parameter.kind_id());
        let typed = if rest && declared.is_none() {
            self.rest_type(parameter).unwrap_or(typed)
        } else {
            typed
        };
        if rest && self.spec.rest_before_type {
            out.push_str("...");
        }
        for word in &self.spec.parameter_words {
            let mut cursor = parameter.walk();
            let has_word = parameter
                .named_children(&mut cursor)
                .any(|child| self.source(child) == word);
            if has_word {
                out.push_str(word);
                out.push(' ');
            }
        }
        let written = self.source(typed).trim_start_matches(':');
        out.extend(written.split_whitespace().flat_map(|part| [part, " "]));
        out.truncate(out.trim_end().len());
        if rest && !self.spec.rest_before_type {
            out.push_str("...");
        }
        // Go declares several parameters of one type at once.
        if declared.is_some() && parameter.named_child_count() > 2 {
            let names = self.spec.field_name.map_or(1, |id| {
                let mut cursor = parameter.walk();
                parameter
                    .children_by_field_id(id, &mut cursor)
                    .filter(Node::is_named)
                    .count()
            });
            let one = out[start..].to_owned();
            for _ in 1..names {
                out.push(',');
                out.push_str(&one);
            }
        }
    }

    /// The type of a parameter like Java's `@Nullable String... names`, which no field names.
    fn rest_type(&self, parameter: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = parameter.walk();
        let mut parts: Vec<_> = parameter.named_children(&mut cursor).collect();
        parts.pop(); // the declarator
        parts.pop()
    }

    fn bases(&self, node: Node<'t>, rule: &Rule) -> Vec<(Relation, String)> {
        let mut out = Vec::new();
        let clauses = rule
            .bases
            .iter()
            .filter_map(|(selector, relation)| Some((self.select(node, *selector)?, *relation)));
        let mut clauses: Vec<_> = clauses.collect();
        clauses.sort_by_key(|(clause, _)| clause.start_byte());
        for (clause, relation) in clauses {
            self.collect_bases(clause, relation, &mut out);
        }
        out
    }

    /// The types named in a base clause; a clause that is itself a type counts as one.
    pub(crate) fn collect_bases(
        &self,
        clause: Node<'t>,
        relation: Relation,
        out: &mut Vec<(Relation, String)>,
    ) {
        let mut pending = vec![clause];
        while let Some(node) = pending.pop() {
            if self.spec.is_not_base(node.kind_id()) || self.spec.is_comment(node.kind_id()) {
                continue;
            }
            if !self.spec.is_base_list(node.kind_id()) {
                let name = crate::signature::collapse(self.source(node));
                if !name.is_empty() {
                    out.push((relation, name));
                }
                continue;
            }
            let mut cursor = node.walk();
            let children: Vec<_> = node.named_children(&mut cursor).collect();
            pending.extend(children.into_iter().rev());
        }
    }

    fn arity(&self, wrappers: &[Node<'t>], node: Node<'t>) -> u8 {
        if !self.spec.has_type_parameters() {
            return 0;
        }
        let count = |node: &Node<'t>| {
            let mut cursor = node.walk();
            node.children(&mut cursor)
                .find(|child| self.spec.is_type_parameters(child.kind_id()))
                .map(|list| self.count_type_parameters(list))
        };
        count(&node)
            .or_else(|| wrappers.iter().find_map(count))
            .unwrap_or(0)
    }

    fn count_type_parameters(&self, list: Node<'t>) -> u8 {
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .filter(|child| {
                let kind = child.kind_id();
                !self.spec.is_not_type_parameter(kind)
                    && !self.spec.is_comment(kind)
                    && !self.spec.is_attribute(kind)
            })
            .count()
            .min(255) as u8
    }

    fn docstring(&self, node: Node<'t>, rule: &Rule) -> Option<String> {
        let body = rule
            .body
            .iter()
            .find_map(|selector| self.select(node, *selector))?;
        self.docstring_of(body)
    }

    /// The documentation that a block's first statement is (Python).
    pub(crate) fn docstring_of(&self, block: Node<'t>) -> Option<String> {
        let mut cursor = block.walk();
        let first = block
            .named_children(&mut cursor)
            .find(|child| !self.spec.is_comment(child.kind_id()))?;
        let literal = if first.kind() == "expression_statement" {
            first.named_child(0)?
        } else {
            first
        };
        let is_text = literal.kind() == "string" || literal.kind() == "concatenated_string";
        let doc = is_text.then(|| clean_docstring(self.source(literal)))?;
        (!doc.is_empty()).then_some(doc)
    }

    /// The wrappers directly around the current node, outermost first.
    pub(crate) fn wrappers_of(&self) -> Vec<Node<'t>> {
        let mut expected = self.depth;
        let mut chain = Vec::new();
        for (depth, wrapper) in self.wrappers.iter().rev() {
            if *depth + 1 != expected {
                break;
            }
            chain.push(*wrapper);
            expected = *depth;
        }
        chain.reverse();
        chain
    }

    /// A whole declaration: attributes beside it and wrappers around it included.
    fn span(&self, wrappers: &[Node<'t>], node: Node<'t>) -> Range<usize> {
        let start = self.outer_start(wrappers, node);
        let start = self.attributes_before(start).map_or(start, |run| run.start);
        start..node.end_byte()
    }

    /// Where a wrapped item starts: the first item of a wrapper takes the wrapper's start.
    fn outer_start(&self, wrappers: &[Node<'t>], node: Node<'t>) -> usize {
        let mut start = node;
        for wrapper in wrappers.iter().rev() {
            let mut cursor = wrapper.walk();
            // Not the items of a group in parentheses, and of several only the first.
            let first = wrapper
                .children(&mut cursor)
                .find(|child| child.kind_id() == start.kind_id() || self.source(*child) == "(");
            if first.is_some_and(|first| first.id() != start.id()) {
                break;
            }
            start = *wrapper;
        }
        start.start_byte()
    }

    pub(crate) fn comment(&mut self, node: Node<'t>) {
        let range = node.byte_range();
        let source = self.source(node);
        if self
            .spec
            .file_doc
            .iter()
            .any(|marker| source.starts_with(marker.as_str()))
        {
            self.inner_docs.push((self.parent_index(), range));
            return;
        }
        if self
            .spec
            .not_doc
            .iter()
            .any(|marker| source.starts_with(marker.as_str()))
        {
            if self.follows_run(range.start) {
                self.run_end = range.end;
            }
            return;
        }
        if self.facts.items.is_empty() && self.is_file_doc(source) {
            self.set_file_doc(&clean_comments(std::iter::once(source)));
            return;
        }
        let documents = self.spec.doc.is_empty()
            || self
                .spec
                .doc
                .iter()
                .any(|marker| source.starts_with(marker.as_str()));
        let trails_code = (self.spec.doc.is_empty() || self.spec.trailing_doc)
            && !self.starts_its_line(range.start);
        if trails_code && self.spec.trailing_doc {
            self.trailing_doc(range);
            return;
        }
        // A fourth slash makes it an ornament.
        if !documents || trails_code || source.starts_with("////") {
            return;
        }
        // A block is complete in itself, so of several only the last counts; lines add up.
        if !self.follows_run(range.start) {
            self.comments.clear();
            self.attributes = None;
        } else if source.starts_with("/**") {
            self.comments.clear();
        }
        self.run_end = range.end;
        self.comments.push(range);
    }

    /// `int size; // in bytes`: documentation of what stands before it on the line.
    fn trailing_doc(&mut self, range: Range<usize>) {
        let text = self.text;
        let Some(item) = self.facts.items.last() else {
            return;
        };
        let gap = text.get(item.end_byte as usize..range.start);
        let follows = gap.is_some_and(|gap| {
            gap.len() < 80
                && gap
                    .bytes()
                    .all(|byte| matches!(byte, b' ' | b'\t' | b';' | b','))
        });
        if !follows || !item.doc.is_empty() {
            return;
        }
        let index = self.facts.items.len() - 1;
        let doc = clean_comments(std::iter::once(&text[range]));
        self.facts.items[index].doc = self.facts.intern(&doc);
    }

    /// Comments that document what they stand in (`//!`): the file, or a module in it.
    fn apply_inner_docs(&mut self) {
        let text = self.text;
        let mut docs = std::mem::take(&mut self.inner_docs);
        docs.sort_by_key(|(owner, range)| (*owner, range.start));
        for run in docs.chunk_by(|a, b| a.0 == b.0) {
            let doc = clean_comments(run.iter().map(|(_, range)| &text[range.clone()]));
            match run[0].0 {
                None => self.set_file_doc(&doc),
                Some(owner) => self.append_doc(owner, &doc),
            }
        }
    }

    fn append_doc(&mut self, item: ItemIndex, doc: &str) {
        let outer = self.facts.str(self.facts.items[item as usize].doc);
        let joined = if outer.is_empty() {
            doc.to_owned()
        } else {
            format!("{outer}\n\n{doc}")
        };
        self.facts.items[item as usize].doc = self.facts.intern(&joined);
    }

    /// Whether a comment at the head of a file says that it is about the file.
    fn is_file_doc(&self, source: &str) -> bool {
        source.starts_with("/**")
            && self
                .spec
                .file_doc_tags
                .iter()
                .any(|tag| source.contains(tag.as_str()))
    }

    /// Whether nothing but white space stands between the last comment or attribute and a place;
    /// where any comment counts as documentation, not even an empty line.
    fn follows_run(&self, start: usize) -> bool {
        let Some(gap) = self.text.get(self.run_end..start) else {
            return false;
        };
        // Stops at the first code: a place far from the last comment costs nothing.
        let blank = gap.bytes().all(|byte| byte.is_ascii_whitespace());
        if !blank {
            return false;
        }
        let breaks = gap.bytes().filter(|byte| *byte == b'\n').count();
        // Grammars differ in whether a line comment includes its line break.
        let most = if self.text[..self.run_end].ends_with('\n') {
            0
        } else {
            1
        };
        !self.spec.doc.is_empty() || breaks <= most
    }

    fn starts_its_line(&self, byte: usize) -> bool {
        let before = self.text.get(..byte).unwrap_or("");
        before
            .bytes()
            .rev()
            .take_while(|byte| *byte != b'\n' && *byte != b'\r')
            .all(|byte| byte.is_ascii_whitespace())
    }

    /// A function in a type is a method, a variable a field.
    fn kind_in_place(&self, kind: ItemKind, parent: Option<ItemIndex>) -> ItemKind {
        let parent = parent.map(|parent| self.facts.items[parent as usize].kind);
        let in_type = parent.is_some_and(|kind| kind.is_type() || kind == ItemKind::Extension);
        match kind {
            ItemKind::Function if in_type => ItemKind::Method,
            ItemKind::Variable if in_type => ItemKind::Field,
            kind => kind,
        }
    }

    fn visibility(
        &self,
        draft: &Draft,
        name: &str,
        parent: Option<ItemIndex>,
        flags: Flags,
    ) -> Visibility {
        if flags.contains(Flags::LOCAL) {
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
            parent.kind.is_namespace() && parent.flags.contains(Flags::DECLARATION)
        });
        if ambient || flags.contains(Flags::EXPORTED) {
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
