//! Functional interfaces of the library: what they take and give.

use super::support::named;
use super::{conversions, functional_method};
use crate::ids::FileNo;
use crate::overloads::arity;
use crate::overloads::conversion::Variance;
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::Ty;

/// What a functional interface of the library is given.
pub(super) fn functional_param(resolver: &Resolver<'_>, of: &Ty, index: u32) -> Option<Ty> {
    if let Some(given) = of.contextual_param(index) {
        return Some(given);
    }
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    let place = match resolver.workspace.text(*name) {
        "Comparator" | "BinaryOperator" | "Collector" => 0,
        "Function" | "Consumer" | "Predicate" | "UnaryOperator" | "ToIntFunction"
        | "ToLongFunction" | "ToDoubleFunction" | "FileFilter" => 0,
        "BiFunction" | "BiConsumer" | "BiPredicate" | "ToIntBiFunction" => index as usize,
        "ObjIntConsumer" | "ObjLongConsumer" if index == 0 => 0,
        _ => return None,
    };
    args.get(place).cloned()
}

/// How an interface of the library varies in its last type argument, or in the others: parameters of those that only
/// return values are written `Supplier<? extends T>`.
pub(super) fn variance(of: &str, is_last: bool) -> Variance {
    match of {
        "Supplier" | "Callable" if is_last => Variance::Covariant,
        _ => Variance::Unknown,
    }
}

/// Names of interfaces of test libraries, which take nothing.
const OF_TESTS: [&str; 2] = ["Executable", "ThrowingRunnable"];

/// How many parameters the method of a functional interface from outside has: none where its type is no such interface,
/// nothing inside where that is not known.
pub(super) fn functional_arity(
    resolver: &Resolver<'_>,
    of: &Ty,
    from: FileNo,
) -> Option<Option<usize>> {
    let name = match of {
        Ty::External(Some(name), _) => name,
        // What a table says a function is handed.
        Ty::External(None, params) if !params.is_empty() => return Some(Some(params.len())),
        _ => return Some(None),
    };
    let declared = tables::as_declared(resolver, of.clone(), from);
    if let Ty::Instance(..) = declared {
        let (method, _) = functional_method(resolver, &declared)?;
        return Some(Some(arity::arity(resolver, method)));
    }
    let name = resolver.workspace.text(*name);
    if conversions::is_primitive(name) {
        return None;
    }
    Some(OF_TESTS.contains(&name).then_some(0))
}

/// What a functional interface of the library gives.
pub(super) fn functional_result(resolver: &Resolver<'_>, of: &Ty) -> Option<Ty> {
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    match resolver.workspace.text(*name) {
        "Function" => args.get(1).cloned(),
        "BiFunction" => args.get(2).cloned(),
        "Supplier" | "Callable" | "UnaryOperator" | "BinaryOperator" | "IntFunction"
        | "PrivilegedAction" => args.first().cloned(),
        "Predicate" | "BiPredicate" => named(resolver, "boolean"),
        "ToIntFunction" => named(resolver, "int"),
        _ => None,
    }
}
