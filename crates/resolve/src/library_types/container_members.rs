//! Members of the languages' own containers that hand out nothing of what these hold, so that no row of a table is
//! about them: `size`, `isEmpty`, `clear`.
//!
//! Of a value of which nobody knows whether it is a container such a member tells nothing (`outside.rs`).

use codecortex_bind::Dialect;

/// Members of lists, sets, maps, queues and iterators by language, separated by spaces.
const MEMBERS: [(Dialect, &str); 6] = [
    (
        Dialect::Java,
        "size isEmpty contains containsAll containsKey containsValue add addAll addFirst addLast putAll putFirst putLast \
         clear removeAll retainAll indexOf lastIndexOf spliterator offer offerFirst offerLast hasNext hasPrevious \
         nextIndex previousIndex hasMoreElements capacity ensureCapacity trimToSize search empty remainingCapacity \
         drainTo comparator count sum average asIterator",
    ),
    (
        Dialect::CSharp,
        "Length LongLength Rank Count LongCount Capacity Clear Contains ContainsKey ContainsValue TryGetValue CopyTo \
         AddRange InsertRange RemoveAt RemoveRange RemoveFirst RemoveLast IndexOf LastIndexOf BinarySearch TrimExcess \
         EnsureCapacity IsReadOnly IsSynchronized SyncRoot IsEmpty MoveNext MoveNextAsync Reset UnionWith IntersectWith \
         ExceptWith SymmetricExceptWith IsSubsetOf IsSupersetOf IsProperSubsetOf IsProperSupersetOf Overlaps SetEquals \
         TryPeek TryDequeue TryPop TryTake TryRemove TryUpdate Comparer SequenceEqual Chunk Cast OfType",
    ),
    (
        Dialect::Python,
        "append extend insert remove clear index count reverse add discard update difference_update \
         intersection_update symmetric_difference_update issubset issuperset isdisjoint fromkeys appendleft extendleft \
         rotate maxlen move_to_end subtract elements total throw close athrow aclose asend",
    ),
    (
        Dialect::Rust,
        "len is_empty push push_back push_front insert extend append clear truncate contains contains_key reserve \
         capacity shrink_to_fit swap reverse sort sort_unstable dedup resize fill rotate_left rotate_right count sum \
         product size_hint starts_with ends_with binary_search join concat is_some is_none is_ok is_err is_subset \
         is_superset is_disjoint extend_from_slice as_ptr as_mut_ptr",
    ),
    (
        Dialect::Cpp,
        "size empty clear push_back push_front pop_back pop_front push pop resize reserve capacity shrink_to_fit swap \
         count contains max_size assign merge splice unique sort reverse remove remove_if bucket_count load_factor \
         rehash extract equal_range append_range insert_range",
    ),
    (
        Dialect::AngelScript,
        "Num Add AddUnique Append Contains Empty IsEmpty Remove RemoveAt RemoveSingle RemoveSwap RemoveAtSwap Reset \
         Reserve SetNum Sort Shuffle FindIndex Find GetKeys GetValues",
    ),
];

/// Whether a language's own containers have such a member.
pub(crate) fn has(dialect: Dialect, member: &str) -> bool {
    let of_dialect = MEMBERS.iter().filter(|(of, _)| *of == dialect);
    let mut members = of_dialect.flat_map(|(_, members)| members.split(' '));
    members.any(|known| known == member)
}
