//! The rules of a language's walk: `languages/<name>.toml`, compiled against its grammar.
//!
//! A spec names node kinds and fields as strings; here they become tables indexed by the grammar's
//! ids, so that the walk does one array look-up a node. A name that the grammar does not know is an
//! error, so a typo or a grammar update cannot silently lose declarations.

mod action;
mod calls;
mod compile;
mod file;
mod kind_set;
mod layers;
mod meanings;
mod names;
mod rule;
mod select;
mod uses;

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use tree_sitter::Node;

pub(crate) use self::action::{Action, HookId};
pub(crate) use self::calls::CallRole;
use self::calls::Calls;
pub(crate) use self::compile::compile;
pub(crate) use self::file::{Blocks, NamePolicy};
use self::kind_set::KindSet;
pub(crate) use self::layers::{LayerRole, LayerRules};
pub(crate) use self::meanings::KeywordMeaning;
pub(crate) use self::names::NameRules;
pub(crate) use self::rule::{Extras, NodeRule};
use self::select::SelectorPaths;
pub(crate) use self::select::{LONGEST_PATH, Selector};
pub(crate) use self::uses::NameUseKinds;
use crate::Language;
use crate::facts::Visibility;

/// A spec file that does not fit its grammar.
#[derive(Debug, thiserror::Error)]
#[error("languages/{language}.toml: {problem}")]
pub struct SpecError {
    language: &'static str,
    problem: String,
}

/// A compiled spec.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) language: Language,
    actions: Vec<Action>,
    rules: Vec<NodeRule>,
    pub(crate) calls: Calls,
    pub(crate) names: NameRules,
    pub(crate) uses: NameUseKinds,
    pub(crate) blocks: Option<Blocks>,
    paths: SelectorPaths,
    pub(crate) doc: Vec<String>,
    pub(crate) file_doc: Vec<String>,
    pub(crate) file_doc_tags: Vec<String>,
    pub(crate) not_doc: Vec<String>,
    attributes: KindSet,
    holders: KindSet,
    types: KindSet,
    has_types: bool,
    /// Macros whose arguments say something of a declaration.
    pub(crate) specifier_macros: Vec<String>,
    /// Words of an `#if` of which only an editor is built with the arm.
    pub(crate) editor_conditions: Vec<String>,
    hidden_marks: String,
    has_type_parameters: bool,
    local_words: Vec<memchr::memmem::Finder<'static>>,
    parameters: KindSet,
    parameter_lists: KindSet,
    pub(crate) parameter_words: Vec<String>,
    rest_parameters: KindSet,
    pub(crate) rest_before_type: bool,
    type_parameters: KindSet,
    not_type_parameters: KindSet,
    pub(crate) trailing_doc: bool,
    scanned: KindSet,
    not_bases: KindSet,
    base_lists: KindSet,
    words: BTreeMap<String, KeywordMeaning>,
    pub(crate) not_words: Vec<String>,
    pub(crate) layers: LayerRules,
    pub(crate) default_visibility: Visibility,
    pub(crate) member_visibility: Visibility,
    pub(crate) interface_visibility: Visibility,
    pub(crate) by_name: Option<NamePolicy>,
    pub(crate) field_type: Option<NonZeroU16>,
    /// Fields of what a declaration gives or is, the likeliest first.
    pub(crate) field_results: Vec<NonZeroU16>,
    pub(crate) field_name: Option<NonZeroU16>,
    pub(crate) field_pattern: Option<NonZeroU16>,
    pub(crate) field_left: Option<NonZeroU16>,
}

impl Spec {
    pub(crate) fn action(&self, kind: u16) -> Action {
        self.actions.get(kind as usize).copied().unwrap_or_default()
    }

    pub(crate) fn rule(&self, index: u16) -> Option<&NodeRule> {
        self.rules.get(index as usize)
    }

    /// The rule by which a node of that text declares something, if it does.
    pub(crate) fn rule_of(&self, node: Node<'_>, text: &str) -> Option<&NodeRule> {
        match self.action(node.kind_id()) {
            Action::Item(rule) => self.rule(rule),
            Action::Call => match self.call_role(node, text) {
                Some(CallRole::Item(rule)) => self.rule(rule),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a call means.
    pub(crate) fn call_role(&self, node: Node<'_>, text: &str) -> Option<CallRole> {
        let callee = self.select(node, self.calls.callee(node.kind_id())?)?;
        let name = text.get(node.start_byte()..callee.end_byte())?;
        self.calls.role_of(name)
    }

    /// The first node that a selector finds.
    pub(crate) fn select<'t>(&self, node: Node<'t>, selector: Selector) -> Option<Node<'t>> {
        self.paths.select(node, selector)
    }

    /// Every node that a selector finds; before its last step it takes the first way.
    pub(crate) fn select_all<'t>(&self, node: Node<'t>, selector: Selector) -> Vec<Node<'t>> {
        self.paths.select_all(node, selector)
    }

    pub(crate) fn is_attribute(&self, kind: u16) -> bool {
        self.attributes.has(kind)
    }

    /// Whether a wrapper's only item ends where it does.
    pub(crate) fn is_holder(&self, kind: u16) -> bool {
        self.holders.has(kind)
    }

    /// Whether a kind is a type, in grammars of which the fields do not say it.
    pub(crate) fn is_type(&self, kind: u16) -> bool {
        self.types.has(kind)
    }

    /// Whether types are told by their kind.
    pub(crate) fn has_types(&self) -> bool {
        self.has_types
    }

    /// Whether a text has macros whose arguments say something of a declaration.
    pub(crate) fn has_specifiers(&self, text: &str) -> bool {
        let mut macros = self.specifier_macros.iter();
        macros.any(|name| memchr::memmem::find(text.as_bytes(), name.as_bytes()).is_some())
    }

    /// Whether an attribute or comment may be in a text.
    pub(crate) fn may_hide(&self, source: &[u8]) -> bool {
        let marks = self.hidden_marks.as_bytes();
        source.iter().any(|byte| marks.contains(byte))
    }

    /// Whether the language has generics at all.
    pub(crate) fn has_type_parameters(&self) -> bool {
        self.has_type_parameters
    }

    pub(crate) fn is_comment(&self, kind: u16) -> bool {
        matches!(self.action(kind), Action::Comment)
    }

    /// Whether a comment of that text is no doc comment, wherever it stands.
    pub(crate) fn is_plain_comment(&self, comment: &str) -> bool {
        let begins = |marker: &String| comment.starts_with(marker.as_str());
        !self.doc.is_empty() && !self.trailing_doc && !self.markers().any(begins)
    }

    /// In how many bytes at its head a comment says whether it is a doc comment.
    pub(crate) fn longest_marker(&self) -> usize {
        self.markers().map(String::len).max().unwrap_or(0)
    }

    /// What comments begin with that are no plain ones.
    fn markers(&self) -> impl Iterator<Item = &String> {
        let markers = [&self.doc, &self.file_doc, &self.not_doc];
        markers.into_iter().flatten()
    }

    /// Whether a kind is a namespace's: what stands before one is the file's, as it is no member.
    pub(crate) fn is_namespace(&self, kind: u16) -> bool {
        match self.action(kind) {
            Action::Item(rule) => self.rule(rule).is_some_and(|rule| rule.kind.is_namespace()),
            _ => false,
        }
    }

    pub(crate) fn is_parameter(&self, kind: u16) -> bool {
        self.parameters.has(kind)
    }

    pub(crate) fn is_parameter_list(&self, kind: u16) -> bool {
        self.parameter_lists.has(kind)
    }

    pub(crate) fn is_rest_parameter(&self, kind: u16) -> bool {
        self.rest_parameters.has(kind)
    }

    pub(crate) fn is_type_parameters(&self, kind: u16) -> bool {
        self.type_parameters.has(kind)
    }

    pub(crate) fn is_not_type_parameter(&self, kind: u16) -> bool {
        self.not_type_parameters.has(kind)
    }

    /// Whether the grammar's own scanner has something to remember after a token.
    pub(crate) fn is_scanned(&self, kind: u16) -> bool {
        self.scanned.has(kind)
    }

    /// Whether there are such tokens.
    pub(crate) fn has_scanned(&self) -> bool {
        !self.scanned.is_empty()
    }

    pub(crate) fn is_not_base(&self, kind: u16) -> bool {
        self.not_bases.has(kind)
    }

    pub(crate) fn is_base_list(&self, kind: u16) -> bool {
        self.base_lists.has(kind)
    }

    /// Whether code may declare something that is an item.
    pub(crate) fn may_declare(&self, code: &str) -> bool {
        self.local_words
            .iter()
            .any(|word| word.find(code.as_bytes()).is_some())
    }

    pub(crate) fn word(&self, word: &str) -> Option<KeywordMeaning> {
        self.words.get(word).copied()
    }
}
