//! A declaration on its way to become an item.

use std::borrow::Cow;
use std::ops::Range;

use tree_sitter::Node;

use super::Walk;
use crate::facts::{ItemFlags, ItemKind, Relation, Visibility};
use crate::signature::Signature;
use crate::spec::{KeywordMeaning, NodeRule};

/// A declaration on its way to become an item.
#[derive(Clone, Debug)]
pub(crate) struct ItemDraft {
    pub(crate) kind: ItemKind,
    /// Where the name is; its text is the item's name unless `name` says otherwise.
    pub(crate) name_range: Range<usize>,
    pub(crate) name: Option<String>,
    /// The whole declaration.
    pub(crate) span: Range<usize>,
    pub(crate) container: String,
    pub(crate) signature: String,
    pub(crate) params: String,
    pub(crate) result: String,
    pub(crate) bases: Vec<(Relation, String)>,
    pub(crate) doc: Option<String>,
    pub(crate) arity: u8,
    pub(crate) flags: ItemFlags,
    /// What the source says; `None` takes the language's default for the place.
    pub(crate) visibility: Option<Visibility>,
}

impl ItemDraft {
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
            result: String::new(),
            bases: Vec::new(),
            doc: None,
            arity: 0,
            flags: ItemFlags::default(),
            visibility: None,
        }
    }
}

/// Whether a declaration gives a name to a value.
fn is_value(kind: ItemKind) -> bool {
    matches!(
        kind,
        ItemKind::Variable | ItemKind::Constant | ItemKind::Field | ItemKind::Property
    )
}

impl<'t> Walk<'t> {
    /// What a rule finds at a node; `None` without a name.
    pub(crate) fn draft(&mut self, node: Node<'t>, rule: &NodeRule) -> Option<ItemDraft> {
        let name = self.select(node, rule.name)?;
        self.draft_named(node, rule, name.byte_range())
    }

    /// What a rule finds at a node whose name is elsewhere than the rule says.
    pub(crate) fn draft_named(
        &mut self,
        node: Node<'t>,
        rule: &NodeRule,
        name_range: Range<usize>,
    ) -> Option<ItemDraft> {
        if name_range.is_empty() {
            return None; // a MISSING name: the file is half-typed here
        }
        let wrappers = self.wrappers_of();
        let signature = Signature::compose(self, &wrappers, node, rule, name_range.start);
        let result = self.result(node, &wrappers, rule, name_range.end);
        let mut draft = ItemDraft {
            kind: rule.kind,
            name_range,
            name: None,
            span: self.span(&wrappers, node),
            container: String::new(),
            params: self.params(node, rule),
            result,
            bases: self.bases(node, rule),
            doc: None,
            arity: self.arity(&wrappers, node),
            flags: ItemFlags::default(),
            visibility: None,
            signature: signature.text,
        };
        let words = self.without_not_words(&signature.words);
        for word in words.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            match self.spec.word(word) {
                // `protected internal` is visible to heirs, `private protected` hardly to anybody:
                // the first word is the wider one in every language that combines two.
                Some(KeywordMeaning::Visibility(visibility)) => {
                    draft.visibility.get_or_insert(visibility);
                }
                Some(KeywordMeaning::Flag(flag)) => draft.flags.insert(flag),
                // Dart's `const` constructors are no constants.
                Some(KeywordMeaning::Kind(ItemKind::Constant)) if !is_value(draft.kind) => {}
                Some(KeywordMeaning::Kind(kind)) => draft.kind = kind,
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

    /// The words before a name without texts in which they mean nothing.
    fn without_not_words<'a>(&self, words: &'a str) -> Cow<'a, str> {
        let mut words = Cow::Borrowed(words);
        for text in &self.spec.not_words {
            if words.contains(text.as_str()) {
                words = Cow::Owned(words.replace(text.as_str(), " "));
            }
        }
        words
    }
}
