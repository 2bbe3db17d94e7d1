//! The rules of a language's walk: `languages/<name>.toml`, compiled against its grammar.
//!
//! A spec names node kinds and fields as strings; here they become tables indexed by the grammar's
//! ids, so that the walk does one array look-up a node. A name that the grammar does not know is an
//! error, so a typo or a grammar update cannot silently lose declarations.

mod calls;
mod compile;
mod file;
mod layers;
mod meanings;
mod names;
mod rule;
mod select;
mod uses;

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::sync::OnceLock;

use tree_sitter::Node;

pub(crate) use self::calls::CallRole;
use self::calls::Calls;
use self::compile::compile;
pub(crate) use self::file::{Blocks, NamePolicy};
pub(crate) use self::layers::{LayerRole, LayerRules};
pub(crate) use self::names::Names;
pub(crate) use self::rule::Extras;
pub(crate) use self::select::{LONGEST_PATH, Selector};
pub(crate) use self::uses::Uses;
use crate::hooks::Hook;
use crate::{Flags, ItemKind, LANGUAGES, Language, Relation, Visibility};

/// A spec file that does not fit its grammar.
#[derive(Debug, thiserror::Error)]
#[error("languages/{language}.toml: {problem}")]
pub struct SpecError {
    language: &'static str,
    problem: String,
}

/// How one node kind becomes an item.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: ItemKind,
    pub(crate) name: Selector,
    pub(crate) body: Vec<Selector>,
    pub(crate) value: Option<Selector>,
    pub(crate) parameters: Option<Selector>,
    pub(crate) bases: Vec<(Selector, Relation)>,
    pub(crate) hook: Option<Hook>,
    pub(crate) docstring: bool,
    pub(crate) not_local: bool,
    pub(crate) rest_of_parent: bool,
    /// What few rules say.
    pub(crate) extras: Option<Box<Extras>>,
}

/// What the walk does at a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum Action {
    #[default]
    Descend,
    Comment,
    Attribute,
    Wrapper,
    Skip,
    /// A block of code: walked only if something is declared in it.
    Code,
    /// A statement: walked only if there is a block in it, or something may be declared.
    Statement,
    /// Code that runs, of no declaration.
    Closure,
    /// Members that all are something.
    Scope(Flags),
    /// Names what the type around takes over.
    Bases(Relation),
    /// Exports what is declared elsewhere.
    Export(Selector),
    /// A call, which may declare.
    Call,
    /// A word that may say who sees what follows.
    Bare,
    Item(u16),
    Hook(Hook),
}

/// What a word before a name means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    Visibility(Visibility),
    Flag(Flags),
    /// An own kind: C#'s `record struct`, Kotlin's `enum class`.
    Kind(ItemKind),
}

/// A compiled spec.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) language: Language,
    actions: Vec<Action>,
    rules: Vec<Rule>,
    pub(crate) calls: Calls,
    pub(crate) names: Names,
    pub(crate) uses: Uses,
    pub(crate) blocks: Option<Blocks>,
    paths: Vec<select::Path>,
    pub(crate) doc: Vec<String>,
    pub(crate) file_doc: Vec<String>,
    pub(crate) file_doc_tags: Vec<String>,
    pub(crate) not_doc: Vec<String>,
    attributes: Vec<bool>,
    holders: Vec<bool>,
    types: Vec<bool>,
    has_types: bool,
    hidden_marks: String,
    has_type_parameters: bool,
    local_words: Vec<memchr::memmem::Finder<'static>>,
    parameters: Vec<bool>,
    parameter_lists: Vec<bool>,
    pub(crate) parameter_words: Vec<String>,
    rest_parameters: Vec<bool>,
    pub(crate) rest_before_type: bool,
    type_parameters: Vec<bool>,
    not_type_parameters: Vec<bool>,
    pub(crate) trailing_doc: bool,
    scanned: Vec<bool>,
    not_bases: Vec<bool>,
    base_lists: Vec<bool>,
    words: BTreeMap<String, Word>,
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

    pub(crate) fn rule(&self, index: u16) -> Option<&Rule> {
        self.rules.get(index as usize)
    }

    /// The rule by which a node of that text declares something, if it does.
    pub(crate) fn rule_of(&self, node: Node<'_>, text: &str) -> Option<&Rule> {
        match self.action(node.kind_id()) {
            Action::Item(rule) => self.rule(rule),
            Action::Call => match self.calls.role(self, node, text) {
                Some(CallRole::Item(rule)) => self.rule(rule),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn is_attribute(&self, kind: u16) -> bool {
        flag(&self.attributes, kind)
    }

    /// Whether a wrapper's only item ends where it does.
    pub(crate) fn is_holder(&self, kind: u16) -> bool {
        flag(&self.holders, kind)
    }

    /// Whether a kind is a type, in grammars of which the fields do not say it.
    pub(crate) fn is_type(&self, kind: u16) -> bool {
        flag(&self.types, kind)
    }

    /// Whether types are told by their kind.
    pub(crate) fn has_types(&self) -> bool {
        self.has_types
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

    /// Whether a comment of that text documents nothing, wherever it stands.
    pub(crate) fn is_remark(&self, comment: &str) -> bool {
        let begins = |marker: &String| comment.starts_with(marker.as_str());
        !self.doc.is_empty() && !self.trailing_doc && !self.markers().any(begins)
    }

    /// In how many bytes at its head a comment says whether it is a remark.
    pub(crate) fn longest_marker(&self) -> usize {
        self.markers().map(String::len).max().unwrap_or(0)
    }

    /// What comments begin with that are no remarks.
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
        flag(&self.parameters, kind)
    }

    pub(crate) fn is_parameter_list(&self, kind: u16) -> bool {
        flag(&self.parameter_lists, kind)
    }

    pub(crate) fn is_rest_parameter(&self, kind: u16) -> bool {
        flag(&self.rest_parameters, kind)
    }

    pub(crate) fn is_type_parameters(&self, kind: u16) -> bool {
        flag(&self.type_parameters, kind)
    }

    pub(crate) fn is_not_type_parameter(&self, kind: u16) -> bool {
        flag(&self.not_type_parameters, kind)
    }

    /// Whether the grammar's own scanner has something to remember after a token.
    pub(crate) fn is_scanned(&self, kind: u16) -> bool {
        flag(&self.scanned, kind)
    }

    /// Whether there are such tokens.
    pub(crate) fn has_scanned(&self) -> bool {
        self.scanned.contains(&true)
    }

    pub(crate) fn is_not_base(&self, kind: u16) -> bool {
        flag(&self.not_bases, kind)
    }

    pub(crate) fn is_base_list(&self, kind: u16) -> bool {
        flag(&self.base_lists, kind)
    }

    /// Whether code may declare something that is an item.
    pub(crate) fn may_declare(&self, code: &str) -> bool {
        self.local_words
            .iter()
            .any(|word| word.find(code.as_bytes()).is_some())
    }

    pub(crate) fn word(&self, word: &str) -> Option<Word> {
        self.words.get(word).copied()
    }
}

fn flag(table: &[bool], kind: u16) -> bool {
    table.get(kind as usize).copied().unwrap_or(false)
}

/// The flags of several words.
fn words_of(names: &[String]) -> Result<Flags, String> {
    let mut all = Flags::default();
    for name in names {
        all.insert(meanings::flags(name)?);
    }
    Ok(all)
}

/// The compiled spec of a language; `None` where this build has no grammar for it.
pub(crate) fn spec(language: Language) -> Option<&'static Spec> {
    static SPECS: [OnceLock<Option<Spec>>; LANGUAGES.len()] =
        [const { OnceLock::new() }; LANGUAGES.len()];
    // A spec that does not compile is caught by the test below; at run time its language has none.
    SPECS[language as usize]
        .get_or_init(|| compile(language).ok().flatten())
        .as_ref()
}

/// Compiles every language's spec.
///
/// # Errors
/// The first name that a grammar does not know.
pub fn check_specs() -> Result<(), SpecError> {
    LANGUAGES
        .iter()
        .try_for_each(|row| compile(row.language).map(drop))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_spec_fits_its_grammar() {
        super::check_specs().unwrap();
    }
}
