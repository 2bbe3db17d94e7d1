//! The bindings of a text by itself, for who needs no facts of it.

use std::borrow::Cow;

use codecortex_bind::{Bindings, bind_masked};

use crate::bindings::dialect;
use crate::eof_recovery::is_aligned;
use crate::error_recovery::{Errors, recover, recover_macros};
use crate::language::detect;
use crate::macro_items::with_macro_items;
use crate::parser::parse_unambiguous;
use crate::parser_input::as_parsed;
use crate::specs::spec;
use crate::tree_facts::facts_of_tree;
use crate::uses::named;

/// The bindings of a text that an editor holds, parsed anew; nothing where it cannot be parsed. `path` serves
/// for its ending alone.
#[must_use]
pub fn bindings_of_text(path: &str, text: &str) -> Option<Bindings> {
    let language = detect(path, text)?;
    let dialect = dialect(language);
    let readable = as_parsed(language, text);
    let tree = parse_unambiguous(language, &readable, None)?;
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
    let errors = Errors::scan(&readable, &tree);
    let recovered = recover_macros(language, recover(language, &readable, &tree, errors));
    let recovered = recovered.filter(|(_, tree)| is_aligned(tree, text));
    let tree = recovered.map_or(tree, |(_, recovered)| recovered);
    Some(match facts {
        Some(facts) => named(spec(language)?, text, &tree, &facts),
        None => bind_masked(dialect, text, &shown, &tree),
    })
}
