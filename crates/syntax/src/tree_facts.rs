//! The facts of a text and its tree.

use std::borrow::Cow;

use codecortex_bind::encode;
use tree_sitter::Tree;

use crate::bindings::bound;
use crate::digest::content_hash;
use crate::eof_recovery::{is_aligned, recover_at_eof};
use crate::error_recovery::{Errors, Recovered, recover, recover_macros};
use crate::facts::{Bound, Facts};
use crate::hooks::HOOKS;
use crate::macro_items::with_macro_items;
use crate::preprocess::preprocess;
use crate::spec::Spec;
use crate::specs::spec;
use crate::walk::{Trace, walk};
use crate::{Language, parse};

/// The facts of a text whose tree is at hand. `None` where this build lacks the grammar.
#[must_use]
pub fn facts_of_tree(language: Language, text: &str, tree: &Tree) -> Option<Facts> {
    let with = With {
        hash: content_hash(text.as_bytes()),
        bindings: false,
    };
    match preprocess(language, text) {
        Cow::Borrowed(_) => facts_with(language, text, text, tree, with),
        // The tree is of the text as it is; what the facts need is one without its macros.
        Cow::Owned(readable) => {
            let tree = parse(language, &readable, None)?;
            facts_with(language, text, &readable, &tree, with)
        }
    }
}

/// What is known of a text before it is walked, and what is wanted of it.
#[derive(Clone, Copy)]
pub(crate) struct With {
    /// Of its bytes.
    pub(crate) hash: [u8; 16],
    /// Whether its bindings are made.
    pub(crate) bindings: bool,
}

/// `readable` is `text` as it was parsed.
pub(crate) fn facts_with(
    language: Language,
    text: &str,
    readable: &str,
    tree: &Tree,
    with: With,
) -> Option<Facts> {
    let spec = spec(language)?;
    let unwrapped = with_macro_items(language, readable, tree);
    let (unwrapped, last) = match &unwrapped {
        Some((readable, tree)) => (readable.as_str(), tree),
        None => (readable, tree),
    };
    let read = ParsedText {
        readable: unwrapped,
        tree: last,
        syntax_errors: Errors::scan(readable, tree).count,
        hash: with.hash,
    };
    let recovered = read.recovered(language, text, None);
    let last = recovered.as_ref().map_or(last, |(_, tree)| tree);
    let (mut facts, _) = read.facts(spec, text, recovered.as_ref());
    if with.bindings {
        let bindings = bound(spec, text, unwrapped, last, &facts);
        facts.bindings = Bound(encode(bindings).into());
    }
    Some(facts)
}

/// A text as it was parsed last, with its tree: preprocessed, and with the items of macro calls.
pub(crate) struct ParsedText<'a> {
    pub(crate) readable: &'a str,
    pub(crate) tree: &'a Tree,
    /// Places that the grammar could not make sense of at first.
    pub(crate) syntax_errors: u16,
    /// Of the bytes of the text as it is.
    pub(crate) hash: [u8; 16],
}

impl ParsedText<'_> {
    /// The same with what was left open closed, if that helps.
    fn recovered(&self, language: Language, text: &str, known: Option<Recovered>) -> Recovered {
        let recovered = known.unwrap_or_else(|| {
            let errors = Errors::scan(self.readable, self.tree);
            recover(language, self.readable, self.tree, errors)
        });
        recover_macros(language, recovered).filter(|(_, tree)| is_aligned(tree, text))
    }

    fn facts(
        &self,
        spec: &'static Spec,
        text: &str,
        recovered: Option<&(String, Tree)>,
    ) -> (Facts, Option<Trace>) {
        let (readable, tree) = match recovered {
            Some((readable, tree)) => (readable.as_str(), tree),
            None => (self.readable, self.tree),
        };
        let (mut facts, trace) = walk(spec, HOOKS, text, tree, self.hash);
        let mut trace = Some(trace).filter(|_| recovered.is_none());
        if let Some(ended) = recover_at_eof(spec, text, readable, tree, &facts) {
            facts = ended;
            trace = None;
        }
        facts.syntax_errors = self.syntax_errors;
        (facts, trace)
    }
}

/// The facts of a text that was parsed, and what reading parts of it again needs: nothing where it is
/// recovered from errors before it is read. `known` is what [`recover`] gave of it, where it was asked.
pub(crate) fn facts_of_parsed(
    spec: &'static Spec,
    text: &str,
    read: &ParsedText<'_>,
    known: Option<Recovered>,
) -> (Facts, Option<Trace>) {
    let recovered = read.recovered(spec.language, text, known);
    read.facts(spec, text, recovered.as_ref())
}
