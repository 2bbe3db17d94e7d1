//! A syntax tree in, a file's bindings out: its scopes, definitions, uses of names, and of expressions
//! and types as much as inferring types needs.
//!
//! What it gives depends on nothing but the text and its tree. Each language has a folder that says what
//! its nodes mean in the terms of [`facts`]; resolving across files is another crate's.

mod angelscript;
mod blanked_macros;
mod builder;
mod children;
mod class_values;
mod codec;
mod contextual;
mod cpp;
mod csharp;
mod dialect;
mod doc_links;
mod exports;
mod expr_kind;
pub mod facts;
mod free_names;
mod go;
mod identifiers;
mod inactive;
mod java;
mod limits;
mod name_binding;
mod nodes;
mod python;
mod rust;
mod typescript;
mod walker;

pub use codec::{
    BindingsHead, decode, decode_body, decode_head, decode_numbered, encode, encode_numbered,
};
pub use cpp::{MEMBER_MACROS, MODULE, OPENED};
pub use dialect::Dialect;
pub use exports::Exports;
pub use expr_kind::ExprKind;
pub use facts::Bindings;
pub use name_binding::{NamedDeclaration, bind_named};
pub use python::{FunctionalField, FunctionalKind, FunctionalType, METACLASS, functional_type};
pub use typescript::DESCRIBED;

use tree_sitter::Tree;

/// The bindings of a file. `text` is what `tree` was parsed from. Languages that are not resolved have none
/// here: theirs are made by [`bind_named`].
#[must_use]
pub fn bind(dialect: Dialect, text: &str, tree: &Tree) -> Bindings {
    match dialect {
        Dialect::C | Dialect::Cpp => cpp::bind(dialect, text, tree),
        Dialect::CSharp => csharp::bind(text, tree),
        Dialect::Go => go::bind(text, tree),
        Dialect::Python => python::bind(text, tree),
        Dialect::Java => java::bind(text, tree),
        Dialect::TypeScript | Dialect::JavaScript => typescript::bind(dialect, text, tree),
        Dialect::Rust => rust::bind(text, tree),
        Dialect::AngelScript => angelscript::bind(text, tree),
        Dialect::Named(_) => bind_named(text, [].into_iter(), [].into_iter()),
    }
}

/// The same where the parser was shown blanks in place of some of the text: names of macros in there are uses.
/// `readable` is what `tree` was parsed from, as long as `text`.
#[must_use]
pub fn bind_masked(dialect: Dialect, text: &str, readable: &str, tree: &Tree) -> Bindings {
    let mut bindings = bind(dialect, text, tree);
    match dialect {
        Dialect::C | Dialect::Cpp => {
            blanked_macros::add(&mut bindings, text, readable, true, |_| true)
        }
        // `cfg_rt! { … }`: what else is blanked names nothing.
        Dialect::Rust => {
            let is_called = |rest: &str| rest.trim_start().starts_with('!');
            blanked_macros::add(&mut bindings, text, readable, false, is_called);
        }
        _ => {}
    }
    bindings
}
