//! One pass over a syntax tree: declarations out.
//!
//! The walk visits every node once with a cursor and asks the spec's table what the node means.
//! Most nodes mean nothing and cost one look-up. A declaration becomes a [`ItemDraft`], which is
//! completed from what surrounds it (documentation, wrappers, container) and stored as an item.
//! Nothing recurses with the tree's depth: a file of ten thousand nested brackets needs no more
//! stack than any other.

mod attributes;
mod calls;
mod comments;
mod declared_names;
mod draft;
mod effects;
mod frame;
mod frames;
mod header;
mod lookups;
mod names;
mod part;
mod places;
mod rules;
mod specifiers;
mod store;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use codecortex_text::LineIndex;
use tree_sitter::{Node, Tree, TreeCursor};

use self::places::Places;
use crate::editor_arms;
use crate::facts::{Bound, Facts, ItemFlags, ItemIndex};
use crate::layers::{DocPlace, Noted, layers};
use crate::spec::{Action, HookId, NodeRule, Selector, Spec};

use declared_names::NamesOfDeclarations;
pub(crate) use draft::ItemDraft;
use effects::Effects;
pub(crate) use effects::{Among, Lookup, Trace, WalkEffect, is_read_by_parts};
use frame::DeclarationFrame;
pub(crate) use part::{PartPath, holds_members, open_namespace};
pub(crate) use specifiers::start_of_macros;

/// Items nested deeper than this are not recorded; no code that a person wrote nests so deep.
const MAX_NESTING: usize = 64;

/// Whether the walk goes on into a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visit {
    Descend,
    Skip,
}

/// What handles a node that no rule describes, with the kind's rule where it has one.
pub(crate) type HookFn = for<'t> fn(&mut Walk<'t>, Node<'t>, Option<&NodeRule>) -> Visit;

/// A row of the registry of hooks.
#[derive(Clone, Copy)]
pub(crate) struct Hook {
    /// What specs call it.
    pub(crate) name: &'static str,
    pub(crate) function: HookFn,
}

/// The state of one walk.
pub(crate) struct Walk<'t> {
    pub(crate) text: &'t str,
    pub(crate) spec: &'static Spec,
    /// The registry that the spec was compiled with.
    hooks: &'static [Hook],
    pub(crate) facts: Facts,
    lines: Places,
    frames: Vec<DeclarationFrame>,
    wrappers: Vec<(usize, Node<'t>)>,
    /// Comments right before the current place, and where the run of them and of attributes ends.
    comments: Vec<Range<usize>>,
    run_end: usize,
    /// Where the last comment ended that was read; nowhere before the first one.
    comment_end: usize,
    /// Comments about what they stand in, with the item that is.
    inner_docs: Vec<(Option<ItemIndex>, Range<usize>)>,
    /// Documentation that is to be the next item's, and what the rest documents.
    pending_docs: Vec<Range<usize>>,
    docs: Vec<DocPlace>,
    /// The attributes in that run, for languages that write them beside the item.
    attributes: Option<Range<usize>>,
    /// Whether the text has macros whose arguments say something of a declaration.
    has_specifiers: bool,
    /// Names that an export list makes public, wherever in the file they are declared.
    exports: HashMap<String, ItemFlags>,
    exports_closed: bool,
    /// Names of which only the first declaration counts, by what they are in.
    known: HashSet<(Option<ItemIndex>, &'t str)>,
    /// Names by what declares them, for languages in which the first assignment does.
    declared: NamesOfDeclarations,
    pub(crate) depth: usize,
    /// Where the current node begins.
    at: usize,
    /// Nodes that were entered.
    visited: usize,
    effects: Effects,
    /// On the way to a part: the items that were met.
    replayed: Vec<ItemIndex>,
}

/// The facts of a parsed text, and what reading a part of it again needs to know.
pub(crate) fn walk(
    spec: &'static Spec,
    hooks: &'static [Hook],
    text: &str,
    tree: &Tree,
    hash: [u8; 16],
) -> (Facts, Trace) {
    let lines = LineIndex::new(text);
    let facts = Facts {
        bindings: Bound::default(),
        language: spec.language,
        lines: lines.line_count(),
        bytes: text.len() as u32,
        hash,
        syntax_errors: 0,
        package: Default::default(),
        doc: Default::default(),
        items: Vec::new(),
        bases: Vec::new(),
        cosmetic: Default::default(),
        layers: Vec::new(),
        heap: String::new(),
    };
    let mut walk = Walk::new(spec, hooks, text, lines, facts);
    walk.run(tree.walk());
    walk.at = u32::MAX as usize; // what follows is at no place of the text
    walk.apply_inner_docs();
    walk.apply_owners();
    walk.apply_exports(0);
    let docs = std::mem::take(&mut walk.docs);
    let mut noted = layers(spec, text, tree, &walk.facts, docs);
    editor_arms::mark(&mut walk.facts, text, &spec.editor_conditions);
    walk.facts.layers = std::mem::take(&mut noted.layers);
    walk.facts.items.shrink_to_fit();
    walk.facts.heap.shrink_to_fit();
    walk.end(noted)
}

impl<'t> Walk<'t> {
    /// A walk that has seen nothing yet.
    pub(crate) fn new(
        spec: &'static Spec,
        hooks: &'static [Hook],
        text: &'t str,
        lines: LineIndex,
        facts: Facts,
    ) -> Self {
        Self {
            text,
            spec,
            hooks,
            facts,
            lines: Places::new(lines),
            frames: Vec::new(),
            wrappers: Vec::new(),
            comments: Vec::new(),
            run_end: 0,
            comment_end: usize::MAX,
            inner_docs: Vec::new(),
            pending_docs: Vec::new(),
            docs: Vec::new(),
            attributes: None,
            has_specifiers: spec.has_specifiers(text),
            exports: HashMap::new(),
            exports_closed: false,
            known: HashSet::new(),
            declared: NamesOfDeclarations::default(),
            depth: 0,
            at: 0,
            visited: 0,
            effects: Effects::default(),
            replayed: Vec::new(),
        }
    }

    /// Walks below the node at which the cursor was made, and that.
    pub(crate) fn run(&mut self, mut cursor: TreeCursor<'t>) {
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
        self.at = node.start_byte();
        self.visited += 1;
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
            Action::Statement => self.statement(node),
            Action::Closure => {
                self.open_code();
                Visit::Descend
            }
            Action::Scope(flags) => {
                self.open_flagged(flags);
                Visit::Descend
            }
            Action::Bases(relation) => self.member_bases(node, relation),
            Action::Export(name) => self.exported(node, name),
            Action::Call => self.call(node),
            Action::Bare => {
                self.bare(node);
                Visit::Descend
            }
            Action::Hook(hook) => self.hook(hook, node, None),
            Action::Item(index) => match self.spec.rule(index) {
                Some(rule) => match rule.hook {
                    Some(hook) => self.hook(hook, node, Some(rule)),
                    None => self.item(node, rule),
                },
                None => Visit::Descend,
            },
        }
    }

    fn hook(&mut self, hook: HookId, node: Node<'t>, rule: Option<&NodeRule>) -> Visit {
        let hook = &self.hooks[hook.0 as usize];
        (hook.function)(self, node, rule)
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

    /// A statement. Most declare nothing, and where one in a body does, the others need no look.
    pub(crate) fn statement(&self, node: Node<'t>) -> Visit {
        /// Those in the blocks of a longer one would be searched again and again.
        const MAX: usize = 2048;
        let text = self.source(node);
        let is_plain = text.len() <= MAX
            && self.in_code()
            && !node.has_error()
            && memchr::memchr(b'{', text.as_bytes()).is_none()
            && !self.spec.may_declare(text);
        if is_plain {
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
    pub(crate) fn item(&mut self, node: Node<'t>, rule: &NodeRule) -> Visit {
        if rule.not_local && self.in_code() {
            return Visit::Descend;
        }
        if let Some(extras) = &rule.extras {
            return self.item_with(node, rule, extras);
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

    /// Whether only the way to a part of the text is walked: what is declared there is known already.
    pub(crate) fn is_replay(&self) -> bool {
        self.effects.is_replay()
    }

    /// The current node only wraps an item.
    pub(crate) fn wrap(&mut self, node: Node<'t>) {
        self.wrappers.push((self.depth, node));
    }

    /// The source of a node.
    pub(crate) fn source(&self, node: Node<'t>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or("")
    }

    /// A node's first child by field or kind.
    pub(crate) fn select(&self, node: Node<'t>, selector: Selector) -> Option<Node<'t>> {
        self.spec.select(node, selector)
    }

    /// The package that holds for the whole file.
    pub(crate) fn set_package(&mut self, package: &str) {
        self.affects(self.at);
        self.facts.package = self.facts.intern(package);
    }

    /// What the walk found and noted.
    fn end(mut self, noted: Noted) -> (Facts, Trace) {
        let (effects, lookups) = self.effects.take();
        let trace = Trace {
            lines: self.lines.into_lines(),
            exports: self.exports,
            exports_closed: self.exports_closed,
            effects,
            lookups,
            member_trivia: noted.member_trivia,
            statements: noted.statements,
            members: noted.members,
        };
        (self.facts, trace)
    }
}
