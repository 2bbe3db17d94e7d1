//! A file's bindings beside its facts: made of the same tree, in the same pass over the files.

use std::borrow::Cow;

use codecortex_bind::{Bindings, Dialect, bind_masked};
use tree_sitter::Tree;

use crate::analyse::facts_of_tree;
use crate::ending::is_aligned;
use crate::language::detect;
use crate::macro_items::with_macro_items;
use crate::parse::parse_untangled;
use crate::repair::{Errors, repaired, repaired_macros};
use crate::spec::{Spec, spec};
use crate::uses::named;
use crate::{Facts, Language, as_parsed};

/// The rules of names that a language follows.
#[must_use]
pub fn dialect(language: Language) -> Dialect {
    match language {
        Language::CSharp => Dialect::CSharp,
        Language::TypeScript | Language::Tsx => Dialect::TypeScript,
        Language::JavaScript => Dialect::JavaScript,
        Language::Python => Dialect::Python,
        Language::Rust => Dialect::Rust,
        Language::Go => Dialect::Go,
        Language::Java => Dialect::Java,
        Language::C => Dialect::C,
        Language::Cpp => Dialect::Cpp,
        other => Dialect::Named(other as u8),
    }
}

/// The bindings of a text whose tree is at hand, of which `facts` are made; `readable` is what its grammar could
/// be shown of it.
pub(crate) fn bound(
    spec: &Spec,
    text: &str,
    readable: &str,
    tree: &Tree,
    facts: &Facts,
) -> Bindings {
    let dialect = dialect(spec.language);
    match dialect.is_resolved() {
        true => bind_masked(dialect, text, readable, tree),
        false => named(spec, text, tree, facts),
    }
}

/// The bindings of a text that an editor holds, parsed anew; nothing where it cannot be parsed. `path` serves
/// for its ending alone.
#[must_use]
pub fn bindings_of_text(path: &str, text: &str) -> Option<Bindings> {
    let language = detect(path, text)?;
    let dialect = dialect(language);
    let readable = as_parsed(language, text);
    let tree = parse_untangled(language, &readable, None)?;
    let facts = match dialect.is_resolved() {
        true => None,
        false => Some(facts_of_tree(language, text, &tree)?),
    };
    let unwrapped = with_macro_items(language, &readable, &tree);
    let (readable, tree) = match unwrapped {
        Some((readable, tree)) => (Cow::Owned(readable), tree),
        None => (readable, tree),
    };
    let shown = readable.clone();
    let errors = Errors::of(&readable, &tree);
    let mended = repaired_macros(language, repaired(language, &readable, &tree, errors));
    let mended = mended.filter(|(_, tree)| is_aligned(tree, text));
    let tree = mended.map_or(tree, |(_, mended)| mended);
    Some(match facts {
        Some(facts) => named(spec(language)?, text, &tree, &facts),
        None => bind_masked(dialect, text, &shown, &tree),
    })
}
