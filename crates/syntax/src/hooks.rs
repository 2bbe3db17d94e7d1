//! What tables cannot say: node kinds that one rule does not describe, a few lines of Rust each.

use crate::spec::HookId;
use crate::walk::Hook;

mod angelscript;
mod c_declarator;
mod c_family;
mod c_signature;
mod commonjs;
mod csharp;
mod ecmascript;
pub(crate) mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

macro_rules! hooks {
    ($($module:ident::$function:ident),* $(,)?) => {
        /// Every hook by the name that the specs use.
        pub(crate) static HOOKS: &[Hook] = &[$(Hook {
            name: concat!(stringify!($module), "::", stringify!($function)),
            function: $module::$function,
        }),*];
    };
}

hooks! {
    angelscript::function,
    angelscript::variables,
    c_family::function,
    c_family::block,
    c_family::declaration,
    c_family::typedef,
    c_family::class,
    c_family::access,
    c_family::namespace,
    c_family::define,
    csharp::namespace,
    csharp::class,
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
    java::variable,
    java::method,
    java::constructor,
    java::record,
    python::assignment,
    python::class,
    python::function,
    python::type_alias,
    python::module,
    rust::item,
    rust::implementation,
    rust::macro_rules,
    rust::attribute,
}

/// The hook of that name.
pub(crate) fn find(name: &str) -> Option<HookId> {
    let place = HOOKS.iter().position(|hook| hook.name == name)?;
    Some(HookId(place as u16))
}
