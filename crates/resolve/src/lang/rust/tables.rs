//! What the library's declarations do not say of its types: what the language's own operations give, what is collected,
//! and types of packages that are as good as one of them.

use crate::library_types::table::LibraryMember;

/// Rows as [`LibraryMember`] says.
pub(super) static LIBRARY: [LibraryMember; 34] = [
    // Operations of the language, and what an index of some type gives.
    LibraryMember("Option Result Poll Bound", "@unwrap", "0", ""),
    LibraryMember("Option Result Receiver", "@iter", "0", ""),
    LibraryMember(MAPS, "@index", "1", ""),
    LibraryMember(MAPS, "@iter", "(0,1)", ""),
    LibraryMember(SEQUENCES, "@iter @index", "0", ""),
    LibraryMember(
        "Future IntoFuture BoxFuture LocalBoxFuture",
        "@await",
        "0",
        "",
    ),
    LibraryMember("JoinHandle ScopedJoinHandle", "@await", "Result<0>", ""),
    LibraryMember("str String", "@deref", "str", ""),
    LibraryMember("Vec", "@deref", "[0]", ""),
    LibraryMember(LISTS, "get get_mut", "Option<0>", ""),
    LibraryMember(LISTS, "get_unchecked get_unchecked_mut", "0", ""),
    // What something is made of that nobody says the type of.
    LibraryMember(SEQUENCES, "collect", "[0]", ""),
    LibraryMember(SEQUENCES, "unzip", "([elem.0],[elem.1])", ""),
    LibraryMember(SEQUENCES, "from from_iter", "self<each>", ""),
    LibraryMember(SEQUENCES, "partition", "([0],[0])", "0"),
    LibraryMember(MAPS, "from from_iter", "self<each.0,each.1>", ""),
    LibraryMember(
        "OnceLock OnceCell",
        "get_or_init get_mut_or_init",
        "0|ret",
        "",
    ),
    LibraryMember("Option", "Some", "Option<arg>", ""),
    LibraryMember("Result", "Ok", "Result<arg>", ""),
    LibraryMember("Poll", "Ready", "Poll<arg>", ""),
    LibraryMember("Cow", "Owned Borrowed", "arg", ""),
    // Types of packages.
    LibraryMember(
        "IndexMap FxHashMap AHashMap DashMap {}",
        "get get_mut remove insert",
        "Option<1>",
        "",
    ),
    LibraryMember(
        PACKAGES,
        "next next_back last nth min max min_by_key max_by_key find first first_mut last_mut get get_mut pop pop_front pop_back",
        "Option<0>",
        "0;0",
    ),
    LibraryMember(
        PACKAGES,
        "iter iter_mut into_iter drain clone par_iter into_par_iter",
        "[0]",
        "",
    ),
    LibraryMember(
        PACKAGES,
        "filter sorted_by_key sorted_by sorted unique dedup_by_key unique_by",
        "[0]",
        "0;0",
    ),
    LibraryMember(
        PACKAGES,
        "par_sort_by par_sort_by_key par_sort_by_cached_key par_sort_unstable_by par_sort_unstable_by_key retain for_each any all",
        "_",
        "0;0",
    ),
    LibraryMember(PACKAGES, "map", "[ret]", "0"),
    LibraryMember(PACKAGES, "flat_map filter_map", "[flat]", "0"),
    LibraryMember(PACKAGES, "collect_vec", "Vec<elem>", ""),
    LibraryMember(
        "Receiver UnboundedReceiver",
        "recv try_recv recv_timeout recv_deadline blocking_recv",
        "Result<0>",
        "",
    ),
    LibraryMember("task", "spawn_blocking", "JoinHandle<ret>", ""),
    LibraryMember("task", "block_in_place unconstrained", "ret|arg", ""),
    LibraryMember("task tokio", "spawn spawn_local", "JoinHandle<arg>", ""),
    LibraryMember(
        "mpsc oneshot broadcast watch",
        "channel sync_channel",
        "(Sender<0>,Receiver<0>)",
        "",
    ),
];

/// Maps.
const MAPS: &str = "HashMap BTreeMap IndexMap FxHashMap AHashMap {}";

/// Lists, sets and what is iterated.
const SEQUENCES: &str = "[] Vec VecDeque HashSet BTreeSet IndexSet FxHashSet SmallVec ArrayVec ThinVec LinkedList BinaryHeap Iterator IntoIterator DoubleEndedIterator ExactSizeIterator";

/// Lists that are indexed.
const LISTS: &str = "[] Vec VecDeque";

/// Lists of packages, and lists to which packages add.
const PACKAGES: &str = "[] IndexSet FxHashSet SmallVec ArrayVec ThinVec";
