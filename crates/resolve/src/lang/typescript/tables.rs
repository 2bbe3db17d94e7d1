//! What the types of the language's own library hold, and those of a few packages.

use crate::library_types::table::LibraryMember;

/// Arrays, written in whichever way.
const ARRAYS: &str = "[] () Array ReadonlyArray";

/// What iterators have that are called step by step.
const ITERATORS: &str =
    "Iterator IterableIterator IteratorObject ArrayIterator SetIterator MapIterator Generator";

/// The same with what a generator gives of which nobody wrote the type: that is a list here.
const STEPS: &str =
    "[] Iterator IterableIterator IteratorObject ArrayIterator SetIterator MapIterator Generator";

/// The same of those whose steps are awaited.
const ASYNC_ITERATORS: &str =
    "AsyncIterator AsyncIterableIterator AsyncIteratorObject AsyncGenerator";

/// Rows as [`LibraryMember`] says; the first that fits counts.
pub(super) static LIBRARY: [LibraryMember; 49] = [
    LibraryMember("{}", "*", "1", ""),
    LibraryMember("[] () Array", "push unshift", "_", "=0"),
    LibraryMember("Set WeakSet", "add", "self", "=0"),
    LibraryMember("Map WeakMap", "set", "self", "=1"),
    LibraryMember(ARRAYS, "sort toSorted", "self", "0;0"),
    LibraryMember(
        ARRAYS,
        "filter slice concat reverse toReversed splice toSpliced flat fill copyWithin with",
        "self",
        "0;number",
    ),
    LibraryMember(ARRAYS, "map", "[ret]", "0;number"),
    LibraryMember(ARRAYS, "flatMap", "[flat]", "0;number"),
    LibraryMember(ARRAYS, "find findLast pop shift at", "0", "0;number"),
    LibraryMember(
        ARRAYS,
        "forEach some every findIndex findLastIndex",
        "_",
        "0;number",
    ),
    LibraryMember(ARRAYS, "reduce reduceRight", "ret", ""),
    LibraryMember(ARRAYS, "length indexOf lastIndexOf", "number", ""),
    LibraryMember(ARRAYS, "join toString toLocaleString", "string", ""),
    LibraryMember(ARRAYS, "includes", "boolean", ""),
    LibraryMember(
        "[] Array ReadonlyArray Set ReadonlySet Iterable AsyncIterable ArrayLike",
        "@iter @index",
        "0",
        "",
    ),
    LibraryMember(ITERATORS, "@iter", "0", ""),
    LibraryMember(ASYNC_ITERATORS, "@iter", "0", ""),
    LibraryMember(
        "[] () Array ReadonlyArray Set ReadonlySet",
        "values",
        "Iterator<0>",
        "",
    ),
    LibraryMember(ARRAYS, "keys", "Iterator<number>", ""),
    LibraryMember(ARRAYS, "entries", "Iterator<(number,0)>", ""),
    LibraryMember("Set ReadonlySet", "keys", "Iterator<0>", ""),
    LibraryMember("Set ReadonlySet", "entries", "Iterator<(0,0)>", ""),
    LibraryMember(
        "Set ReadonlySet",
        "union intersection difference symmetricDifference",
        "self",
        "",
    ),
    LibraryMember(
        "Set ReadonlySet WeakSet Map ReadonlyMap WeakMap",
        "has delete clear isSubsetOf isSupersetOf isDisjointFrom",
        "boolean",
        "",
    ),
    LibraryMember("Set ReadonlySet Map ReadonlyMap", "size", "number", ""),
    LibraryMember(STEPS, "next return throw", "IteratorResult<0>", ""),
    LibraryMember(
        ASYNC_ITERATORS,
        "next return throw",
        "Promise<IteratorResult<0>>",
        "",
    ),
    LibraryMember(STEPS, "filter take drop", "Iterator<0>", "0;number"),
    LibraryMember(ITERATORS, "map", "Iterator<ret>", "0;number"),
    LibraryMember(ITERATORS, "flatMap", "Iterator<flat>", "0;number"),
    LibraryMember(ITERATORS, "find", "0", "0;number"),
    LibraryMember(ITERATORS, "forEach some every", "_", "0;number"),
    LibraryMember(ITERATORS, "reduce", "ret", ""),
    LibraryMember(STEPS, "toArray", "[0]", ""),
    LibraryMember(
        "IteratorResult IteratorYieldResult PromiseSettledResult PromiseFulfilledResult",
        "value",
        "0",
        "",
    ),
    LibraryMember(
        "Map WeakMap ReadonlyMap",
        "get @index getOrInsert getOrInsertComputed",
        "1",
        "",
    ),
    LibraryMember("Map ReadonlyMap", "values", "Iterator<1>", ""),
    LibraryMember("Map ReadonlyMap", "keys", "Iterator<0>", ""),
    LibraryMember("Map ReadonlyMap", "@iter", "(0,1)", ""),
    LibraryMember("Map ReadonlyMap", "entries", "Iterator<(0,1)>", ""),
    LibraryMember("Map ReadonlyMap", "forEach", "_", "1;0"),
    LibraryMember("Set ReadonlySet", "forEach", "_", "0;0"),
    LibraryMember("Promise PromiseLike", "@await", "0", ""),
    LibraryMember("Promise PromiseLike", "then catch finally", "?", ""),
    LibraryMember("RefObject MutableRefObject", "current", "0", ""),
    LibraryMember("AsyncLocalStorage", "getStore", "0", ""),
    LibraryMember("WeakRef", "deref", "0", ""),
    LibraryMember("Component PureComponent", "props", "0", ""),
    LibraryMember("Component PureComponent", "state", "1", ""),
];
