//! The signatures, by what has the methods.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::MethodSignature;

/// Static classes whose methods are called on their first argument.
const STATIC_SEQUENCES: [&str; 4] = [
    "Enumerable",
    "Queryable",
    "AsyncEnumerable",
    "ImmutableExtensions",
];

/// LINQ: methods of everything that can be iterated.
const SEQUENCES: &[&str] = &[
    "Aggregate((T,T)~T):T",
    "Aggregate(A,(A,T)~A):A",
    "Aggregate(A,(A,T)~A,(A)~R):R",
    "AggregateBy((T)~K,(K)~A,(A,T)~A,_?):IEnumerable<KeyValuePair<K,A>>",
    "AggregateBy((T)~K,A,(A,T)~A,_?):IEnumerable<KeyValuePair<K,A>>",
    "All((T)~bool):bool",
    "Any((T)~bool?):bool",
    "Append(T):IEnumerable<T>",
    "AsEnumerable():IEnumerable<T>",
    "Chunk(_):IEnumerable<[T]>",
    "Concat(IEnumerable<T>):IEnumerable<T>",
    "Count((T)~bool?):int",
    "CountBy((T)~K,_?):IEnumerable<KeyValuePair<K,int>>",
    "DefaultIfEmpty(_?):IEnumerable<T>",
    "Distinct(_?):IEnumerable<T>",
    "DistinctBy((T)~K,_?):IEnumerable<T>",
    "ElementAt(_):T",
    "ElementAtOrDefault(_):T",
    "Except(IEnumerable<T>,_?):IEnumerable<T>",
    "ExceptBy(IEnumerable<K>,(T)~K,_?):IEnumerable<T>",
    "First((T)~bool?):T",
    "FirstOrDefault((T)~bool?,_?):T",
    "GroupBy((T)~K,_?):IEnumerable<IGrouping<K,T>>",
    "GroupBy((T)~K,(T)~E,_?):IEnumerable<IGrouping<K,E>>",
    "GroupBy((T)~K,(K,IEnumerable<T>)~R,_?):IEnumerable<R>",
    "GroupBy((T)~K,(T)~E,(K,IEnumerable<E>)~R,_?):IEnumerable<R>",
    "GroupJoin(IEnumerable<U>,(T)~K,(U)~K,(T,IEnumerable<U>)~R,_?):IEnumerable<R>",
    "Index():IEnumerable<(int,T)>",
    "Intersect(IEnumerable<T>,_?):IEnumerable<T>",
    "IntersectBy(IEnumerable<K>,(T)~K,_?):IEnumerable<T>",
    "Join(IEnumerable<U>,(T)~K,(U)~K,(T,U)~R,_?):IEnumerable<R>",
    "Last((T)~bool?):T",
    "LastOrDefault((T)~bool?,_?):T",
    "LeftJoin(IEnumerable<U>,(T)~K,(U)~K,(T,U)~R,_?):IEnumerable<R>",
    "LongCount((T)~bool?):long",
    "Max(_?):T",
    "Max((T)~R):R",
    "MaxBy((T)~K,_?):T",
    "Min(_?):T",
    "Min((T)~R):R",
    "MinBy((T)~K,_?):T",
    "Order(_?):IEnumerable<T>",
    "OrderBy((T)~K,_?):IEnumerable<T>",
    "OrderByDescending((T)~K,_?):IEnumerable<T>",
    "OrderDescending(_?):IEnumerable<T>",
    "Prepend(T):IEnumerable<T>",
    "Reverse():IEnumerable<T>",
    "RightJoin(IEnumerable<U>,(T)~K,(U)~K,(T,U)~R,_?):IEnumerable<R>",
    "Select((T,int)~R):IEnumerable<R>",
    "SelectMany((T,int)~IEnumerable<R>):IEnumerable<R>",
    "SelectMany((T,int)~IEnumerable<C>,(T,C)~R):IEnumerable<R>",
    "Single((T)~bool?):T",
    "SingleOrDefault((T)~bool?,_?):T",
    "Skip(_):IEnumerable<T>",
    "SkipLast(_):IEnumerable<T>",
    "SkipWhile((T,int)~bool):IEnumerable<T>",
    "Sum():T",
    "Sum((T)~R):R",
    "Take(_):IEnumerable<T>",
    "TakeLast(_):IEnumerable<T>",
    "TakeWhile((T,int)~bool):IEnumerable<T>",
    "ThenBy((T)~K,_?):IEnumerable<T>",
    "ThenByDescending((T)~K,_?):IEnumerable<T>",
    "ToArray():[T]",
    "ToDictionary((T)~K,_?):Dictionary<K,T>",
    "ToDictionary((T)~K,(T)~V,_?):Dictionary<K,V>",
    "ToFrozenDictionary((T)~K,_?):FrozenDictionary<K,T>",
    "ToFrozenDictionary((T)~K,(T)~V,_?):FrozenDictionary<K,V>",
    "ToFrozenSet(_?):FrozenSet<T>",
    "ToHashSet(_?):HashSet<T>",
    "ToImmutableDictionary((T)~K,_?):ImmutableDictionary<K,T>",
    "ToImmutableDictionary((T)~K,(T)~V,_?,_?):ImmutableDictionary<K,V>",
    "ToImmutableHashSet(_?):ImmutableHashSet<T>",
    "ToList():List<T>",
    "ToLookup((T)~K,_?):ILookup<K,T>",
    "ToLookup((T)~K,(T)~E,_?):ILookup<K,E>",
    "Union(IEnumerable<T>,_?):IEnumerable<T>",
    "UnionBy(IEnumerable<T>,(T)~K,_?):IEnumerable<T>",
    "Where((T,int)~bool):IEnumerable<T>",
    "Zip(IEnumerable<U>):IEnumerable<(T,U)>",
    "Zip(IEnumerable<U>,(T,U)~R):IEnumerable<R>",
    "Zip(IEnumerable<U>,IEnumerable<V>):IEnumerable<(T,U,V)>",
];

/// Methods of types, by words of their names.
const TYPES: &[(&str, &[&str])] = &[
    (
        "Array",
        &[
            "AsReadOnly(IEnumerable<E>):ReadOnlyCollection<E>",
            "ConvertAll(IEnumerable<E>,(E)~R):[R]",
            "Exists(IEnumerable<E>,(E)~bool):bool",
            "Find(IEnumerable<E>,(E)~bool):E",
            "FindAll(IEnumerable<E>,(E)~bool):[E]",
            "FindIndex(IEnumerable<E>,(E)~bool):int",
            "FindIndex(IEnumerable<E>,_,(E)~bool):int",
            "FindIndex(IEnumerable<E>,_,_,(E)~bool):int",
            "FindLast(IEnumerable<E>,(E)~bool):E",
            "FindLastIndex(IEnumerable<E>,(E)~bool):int",
            "ForEach(IEnumerable<E>,(E)~_):_",
            "Sort(IEnumerable<E>,(E,E)~int):_",
            "TrueForAll(IEnumerable<E>,(E)~bool):bool",
        ],
    ),
    (
        "Task ValueTask",
        &[
            "WhenAll(IEnumerable<Task<R>>):Task<[R]>",
            "WhenAll(Task<R>...):Task<[R]>",
            "WhenAll(_...):Task",
            "WhenAny(IEnumerable<Task<R>>):Task<Task<R>>",
            "WhenAny(Task<R>...):Task<Task<R>>",
            "WhenAny(_...):Task<Task>",
            "WhenEach(IEnumerable<Task<R>>):IAsyncEnumerable<Task<R>>",
            "WhenEach(Task<R>...):IAsyncEnumerable<Task<R>>",
        ],
    ),
    (
        "Tuple",
        &[
            "Create(A,B):Tuple<A,B>",
            "Create(A,B,C):Tuple<A,B,C>",
            "Create(A,B,C,D):Tuple<A,B,C,D>",
        ],
    ),
    (
        "ValueTuple",
        &[
            "Create(A,B):(A,B)",
            "Create(A,B,C):(A,B,C)",
            "Create(A,B,C,D):(A,B,C,D)",
        ],
    ),
    ("KeyValuePair", &["Create(A,B):KeyValuePair<A,B>"]),
    (
        "ImmutableArray",
        &[
            "Create(A...):ImmutableArray<A>",
            "CreateRange(IEnumerable<A>):ImmutableArray<A>",
        ],
    ),
    (
        "ImmutableList",
        &[
            "Create(A...):ImmutableList<A>",
            "CreateRange(IEnumerable<A>):ImmutableList<A>",
        ],
    ),
    (
        "ImmutableHashSet",
        &[
            "Create(A...):ImmutableHashSet<A>",
            "CreateRange(IEnumerable<A>):ImmutableHashSet<A>",
            "TryGetValue(0,0):bool",
        ],
    ),
    (
        "ImmutableQueue",
        &[
            "Create(A...):ImmutableQueue<A>",
            "CreateRange(IEnumerable<A>):ImmutableQueue<A>",
        ],
    ),
    (
        "ImmutableStack",
        &[
            "Create(A...):ImmutableStack<A>",
            "CreateRange(IEnumerable<A>):ImmutableStack<A>",
        ],
    ),
    ("WeakReference", &["TryGetTarget(0):bool", "SetTarget(0):_"]),
    (
        "PriorityQueue",
        &[
            "Dequeue():0",
            "DequeueEnqueue(0,1):0",
            "Enqueue(0,1):_",
            "EnqueueDequeue(0,1):0",
            "Peek():0",
            "TryDequeue(0,1):bool",
            "TryPeek(0,1):bool",
        ],
    ),
    (
        "HashSet SortedSet FrozenSet ImmutableSortedSet",
        &["TryGetValue(0,0):bool"],
    ),
    (
        "Dictionary IDictionary SortedDictionary SortedList ConcurrentDictionary",
        &[
            "Remove(0,1):bool",
            "TryRemove(0,1):bool",
            "TryUpdate(0,1,1):bool",
        ],
    ),
    (
        "ConcurrentDictionary",
        &[
            "AddOrUpdate(0,(0)~1,(0,1)~1):1",
            "AddOrUpdate(0,1,(0,1)~1):1",
            "AddOrUpdate(0,(0,A)~1,(0,1,A)~1,A):1",
            "GetOrAdd(0,(0)~1):1",
            "GetOrAdd(0,(0,A)~1,A):1",
            "GetOrAdd(0,1):1",
        ],
    ),
    (
        "ChannelReader",
        &[
            "ReadAllAsync(_?):IAsyncEnumerable<0>",
            "ReadAsync(_?):ValueTask<0>",
            "TryPeek(0):bool",
            "TryRead(0):bool",
        ],
    ),
    (
        "ChannelWriter",
        &["TryWrite(0):bool", "WriteAsync(0,_?):ValueTask"],
    ),
];

type BySymbol = FxHashMap<&'static str, Vec<MethodSignature>>;

/// The signatures by the names of methods, those of types by the types' names before them.
struct Tables {
    sequences: BySymbol,
    types: FxHashMap<&'static str, BySymbol>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut types: FxHashMap<&str, BySymbol> = FxHashMap::default();
        for (names, written) in TYPES {
            for name in names.split(' ') {
                add(types.entry(name).or_default(), written);
            }
        }
        let mut sequences = BySymbol::default();
        add(&mut sequences, SEQUENCES);
        Tables { sequences, types }
    })
}

fn add(to: &mut BySymbol, written: &[&'static str]) {
    for (name, signature) in written
        .iter()
        .filter_map(|written| MethodSignature::read(written))
    {
        to.entry(name).or_default().push(signature);
    }
}

/// Whether there is a signature of a method of this name.
pub(super) fn has(name: &str) -> bool {
    let tables = tables();
    tables.sequences.contains_key(name) || tables.types.values().any(|of| of.contains_key(name))
}

/// Whether what a static class of this name has is called on its first argument.
pub(super) fn is_static_sequence(name: &str) -> bool {
    STATIC_SEQUENCES.contains(&name)
}

/// Signatures of a type's method.
pub(super) fn of_type(name: &str, method: &str) -> Vec<MethodSignature> {
    let found = tables().types.get(name).and_then(|of| of.get(method));
    found.cloned().unwrap_or_default()
}

/// Signatures of a method of all sequences.
pub(super) fn of_sequences(method: &str) -> Vec<MethodSignature> {
    tables().sequences.get(method).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every word of a signature is one that names a type, so that none is left out by a slip.
    #[test]
    fn signatures_can_be_read() {
        let all = SEQUENCES
            .iter()
            .chain(TYPES.iter().flat_map(|(_, written)| *written));
        for written in all {
            let (name, signature) = MethodSignature::read(written).expect(written);
            let params = signature.params.join(",");
            assert_eq!(format!("{name}({params}):{}", signature.result), *written);
            for index in 0..signature.params.len() {
                let (takes, _) = signature.parameter(index).expect(written);
                assert!(
                    super::super::function(takes).is_some() == takes.contains('~'),
                    "{written}"
                );
            }
        }
    }
}
