//! What tables cannot say: node kinds that one rule does not describe, a few lines of Rust each.

use tree_sitter::Node;

use crate::spec::Rule;
use crate::walk::{Visit, Walk};

mod c_declarator;
mod c_family;
mod c_signature;
mod commonjs;
mod csharp;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

/// A function that handles a node kind, with the kind's rule where it has one.
pub(crate) type HookFn = for<'t> fn(&mut Walk<'t>, Node<'t>, Option<&Rule>) -> Visit;

/// A row of [`HOOKS`].
#[derive(Clone, Copy)]
pub(crate) struct Hook {
    name: &'static str,
    function: HookFn,
}

impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Hook {
    pub(crate) fn run<'t>(self, walk: &mut Walk<'t>, node: Node<'t>, rule: Option<&Rule>) -> Visit {
        (self.function)(walk, node, rule)
    }
}

macro_rules! hooks {
    ($($module:ident::$function:ident),* $(,)?) => {
        /// Every hook by the name that the specs use.
        static HOOKS: &[Hook] = &[$(Hook {
            name: concat!(stringify!($module), "::", stringify!($function)),
            function: $module::$function,
        }),*];
    };
}

hooks! {
    c_family::function,
    c_family::declaration,
    c_family::typedef,
    c_family::class,
    c_family::access,
    c_family::namespace,
    c_family::define,
    csharp::namespace,
    csharp::method,
    csharp::record,
    csharp::fields,
    csharp::accessors,
    csharp::unnamed,
    go::package,
    go::function,
    go::method_element,
    go::type_element,
    go::definition,
    go::values,
    go::fields,
    commonjs::assignment,
    javascript::code,
    typescript::ambient,
    typescript::namespace,
    javascript::class,
    javascript::class_expression,
    typescript::signature,
    typescript::element,
    javascript::method,
    javascript::field,
    typescript::enum_members,
    javascript::variable,
    javascript::pair,
    javascript::export,
    java::package,
    java::initializer,
    java::fields,
    java::method,
    java::constructor,
    java::record,
    python::assignment,
    python::function,
    python::type_alias,
    python::module,
    rust::item,
    rust::implementation,
    rust::macro_rules,
    rust::attribute,
}

/// The hook of that name.
pub(crate) fn find(name: &str) -> Option<Hook> {
    HOOKS.iter().find(|hook| hook.name == name).copied()
}
