//! What the types of the language and of `typing` hold.

use crate::containers::Row;

/// Rows as [`Row`] says.
pub(super) static CONTAINERS: [Row; 22] = [
    Row(
        "[] List list Sequence MutableSequence Iterable Iterator Generator Collection Set set FrozenSet frozenset AbstractSet MutableSet Deque deque AsyncIterable AsyncIterator AsyncGenerator Reversible KeysView ValuesView Container",
        "@iter @index __iter__ __next__ __anext__",
        "0",
        "",
    ),
    Row(
        "[] Iterator Generator AsyncIterator AsyncGenerator Iterable AbstractContextManager AbstractAsyncContextManager ContextManager AsyncContextManager _GeneratorContextManager",
        "__enter__ __aenter__ enter_context",
        "0",
        "",
    ),
    Row(
        "[] List list Sequence MutableSequence Set set FrozenSet Deque deque MutableSet",
        "pop popleft",
        "0",
        "",
    ),
    Row(
        "[] List list Set set FrozenSet Deque deque AbstractSet",
        "copy union intersection difference symmetric_difference __add__ __getitem__",
        "self",
        "",
    ),
    Row("[] List list", "sort", "_", "0"),
    Row("() Tuple tuple", "@iter @index", "0", ""),
    Row("Generator", "send", "0", ""),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakValueDictionary ChainMap TypedDict",
        "get pop setdefault @index __getitem__",
        "1",
        "",
    ),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict Counter WeakValueDictionary ChainMap",
        "@iter keys",
        "0",
        "",
    ),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakValueDictionary ChainMap",
        "values",
        "[1]",
        "",
    ),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakValueDictionary ChainMap",
        "items",
        "[(0,1)]",
        "",
    ),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakValueDictionary ChainMap",
        "popitem",
        "(0,1)",
        "",
    ),
    Row(
        "{} Dict dict Mapping MutableMapping DefaultDict defaultdict OrderedDict WeakValueDictionary ChainMap",
        "copy",
        "self",
        "",
    ),
    Row("Counter", "most_common", "[(0,int)]", ""),
    Row("Awaitable Coroutine Future Task", "@await result", "0", ""),
    Row("Optional Final ClassVar", "@iter @index", "0", ""),
    Row("str", "@iter @index", "str", ""),
    Row(
        "str",
        "strip lstrip rstrip lower upper replace format join title capitalize center ljust rjust removeprefix removesuffix casefold expandtabs zfill translate swapcase",
        "str",
        "",
    ),
    Row("str", "split rsplit splitlines", "[str]", ""),
    Row("str", "partition rpartition", "(str,str,str)", ""),
    Row("str", "encode", "bytes", ""),
    Row("ItemsView", "@iter", "(0,1)", ""),
];
