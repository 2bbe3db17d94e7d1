//! Functional interfaces of the library: what they take and give.

use super::support::named;
use crate::overloads::conversion::Variance;
use crate::resolver::Resolver;
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

/// How many parameters the method of a functional interface of the library has.
pub(super) fn functional_arity(name: &str) -> Option<Option<usize>> {
    let arity = match name {
        "Runnable" | "Supplier" | "Callable" | "BooleanSupplier" | "IntSupplier"
        | "LongSupplier" | "DoubleSupplier" | "PrivilegedAction" | "ThrowingRunnable"
        | "Executable" | "Iterable" | "AutoCloseable" | "Closeable" => 0,
        "Function"
        | "Consumer"
        | "Predicate"
        | "UnaryOperator"
        | "ToIntFunction"
        | "ToLongFunction"
        | "ToDoubleFunction"
        | "IntFunction"
        | "LongFunction"
        | "DoubleFunction"
        | "IntPredicate"
        | "LongPredicate"
        | "DoublePredicate"
        | "IntConsumer"
        | "LongConsumer"
        | "DoubleConsumer"
        | "IntUnaryOperator"
        | "IntToLongFunction"
        | "IntToDoubleFunction"
        | "FileFilter" => 1,
        "BiFunction" | "BiConsumer" | "BiPredicate" | "BinaryOperator" | "Comparator"
        | "ToIntBiFunction" | "ToLongBiFunction" | "ToDoubleBiFunction" | "IntBinaryOperator"
        | "ObjIntConsumer" | "ObjLongConsumer" | "FilenameFilter" => 2,
        "String" | "CharSequence" | "Object" | "int" | "long" | "boolean" | "char" | "double"
        | "float" | "byte" | "short" | "Integer" | "Long" | "Boolean" | "List" | "Set" | "Map"
        | "Collection" | "Iterator" | "Queue" | "Deque" | "Path" | "URI" | "URL"
        | "InputStream" | "OutputStream" | "Class" | "File" | "Optional" | "Stream"
        | "Throwable" | "Locale" | "Duration" | "Pattern" | "StringBuilder" | "StringBuffer" => {
            return None;
        }
        _ => return Some(None),
    };
    Some(Some(arity))
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
