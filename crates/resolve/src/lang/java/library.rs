//! What the classes give that come with Java: collections, streams, functional interfaces.

use codecortex_bind::facts::{DefKind, Expr};

use super::collectors;
use super::support::{named, receiver};
use crate::ids::{ExprRef, FileNo};
use crate::library_types;
use crate::library_types::table::LibraryMember;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::{results, tables};
use crate::this;
use crate::ty::{Ty, Typed, none};

/// What a call gives of something that has no such member in the workspace.
pub(super) fn call(
    resolver: &Resolver<'_>,
    at: ExprRef,
    callee: ExprRef,
    args: u32,
) -> Option<Typed> {
    let Some((of, name)) = receiver(resolver, callee) else {
        return unqualified(resolver, callee, args);
    };
    let name = resolver.workspace.text(name);
    let of = resolver.type_of(of).ty;
    if name == "collect" {
        return collectors::collected(resolver, &of, at, args);
    }
    if name == "reduce" && resolver.each(at.file, args, |at| at).len() == 1 {
        let element = library_types::unwrap(resolver, at.file, &of, "iter")?;
        let optional = resolver.workspace.name("Optional");
        return Some(Typed::inferred(Ty::External(optional, [element].into())));
    }
    if name == "of"
        && let Ty::ExternalType(Some(map), _) = of
        && resolver.workspace.text(map) == "Map"
    {
        let pair = resolver.each(at.file, args, |at| resolver.type_of(at).ty);
        let pair: Vec<Ty> = pair.into_iter().take(2).collect();
        return Some(Typed::inferred(Ty::External(Some(map), pair.into())));
    }
    if let Some(own) = own_kind(resolver, &of, name) {
        return Some(Typed::inferred(own));
    }
    if of.is_external() {
        let given = library_types::call(resolver, callee.file, &of, name, args);
        return given
            .or_else(|| common(resolver, name))
            .map(Typed::inferred);
    }
    implicit(resolver, &of, name).map(Typed::inferred)
}

/// What a call gives of a member that the library declares: by its signature where that says all, else by the rows.
pub(super) fn declared(
    resolver: &Resolver<'_>,
    (at, callee): (ExprRef, ExprRef),
    found: &LookupResult,
    args: u32,
) -> Option<Typed> {
    if let Some(result) = results::whole_result(resolver, at.file, found, args) {
        return Some(result);
    }
    let Some((of, name)) = receiver(resolver, callee) else {
        return unqualified(resolver, callee, args);
    };
    let of = resolver.type_of(of).ty;
    let name = resolver.workspace.text(name);
    if name == "collect" {
        return collectors::collected(resolver, &of, at, args);
    }
    let is_told = match &of {
        Ty::External(Some(name), _) | Ty::ExternalType(Some(name), _) => {
            tables::is_known(resolver, at.file, *name)
        }
        _ => false,
    };
    let by_rows = match is_told {
        true => library_types::call(resolver, callee.file, &of, name, args),
        false => implicit(resolver, &of, name),
    };
    by_rows.map(Typed::inferred)
}

/// What gives another instance of the very class: `Integer.valueOf(1)`, `Instant.now()`, and calculating with great numbers.
fn own_kind(resolver: &Resolver<'_>, of: &Ty, name: &str) -> Option<Ty> {
    const CALCULATED: &str =
        "add subtract multiply divide remainder mod pow negate abs plus min max sqrt gcd";
    match of {
        Ty::ExternalType(Some(class), _) if matches!(name, "valueOf" | "now") => {
            Some(Ty::External(Some(*class), none()))
        }
        Ty::External(Some(class), _)
            if matches!(resolver.workspace.text(*class), "BigInteger" | "BigDecimal")
                && CALCULATED.split(' ').any(|known| known == name) =>
        {
            Some(of.clone())
        }
        _ => None,
    }
}

/// What `new` makes of a type from outside whose arguments are not written (`new ArrayDeque<>(items)`): what its
/// constructor is given says them, where the table knows.
pub(super) fn constructed(resolver: &Resolver<'_>, file: FileNo, of: &Ty, args: u32) -> Option<Ty> {
    let Ty::External(Some(_), written) = of else {
        return None;
    };
    let is_given = || !resolver.each(file, args, |at| at).is_empty();
    if !written.is_empty() || !is_given() {
        return None;
    }
    library_types::call(resolver, file, of, "<new>", args)
}

/// What enums, and all objects, have without anybody having written it.
fn implicit(resolver: &Resolver<'_>, of: &Ty, name: &str) -> Option<Ty> {
    let named = |name: &str| Ty::External(resolver.workspace.name(name), none());
    match (of, name) {
        (Ty::Type(def, _), "values" | "valueOf") => {
            let is_enum = resolver.def(*def)?.kind == DefKind::Enum;
            let one = Ty::Instance(*def, none());
            is_enum.then(|| {
                if name == "values" {
                    Ty::array(one)
                } else {
                    one
                }
            })
        }
        (Ty::Type(..) | Ty::ExternalType(..), _) => None,
        (_, "toString") => Some(named("String")),
        (_, "hashCode") => Some(named("int")),
        (_, "equals") => Some(named("boolean")),
        (Ty::Instance(..) | Ty::Param(_), "name") => Some(named("String")),
        (Ty::Instance(..), "ordinal" | "compareTo") => Some(named("int")),
        (Ty::Instance(..) | Ty::Param(_), "getClass" | "getDeclaringClass") => {
            let class = resolver.workspace.name("Class");
            Some(Ty::External(class, [of.clone()].into()))
        }
        (Ty::Instance(..) | Ty::Array(_), "clone") => Some(of.clone()),
        _ => None,
    }
}

/// What methods of these names give in all of the library.
fn common(resolver: &Resolver<'_>, name: &str) -> Option<Ty> {
    let is_question = |prefix: &str| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
    };
    let of = match name {
        "toString"
        | "getName"
        | "getSimpleName"
        | "getCanonicalName"
        | "getTypeName"
        | "getPackageName"
        | "getMessage"
        | "getLocalizedMessage"
        | "getPath"
        | "getAbsolutePath"
        | "readLine"
        | "nextLine"
        | "name"
        | "getProperty" => "String",
        "size" | "length" | "hashCode" | "ordinal" | "intValue" | "indexOf" | "lastIndexOf"
        | "available" | "read" | "compareTo" | "compare" => "int",
        "longValue" | "nanoTime" | "currentTimeMillis" | "toNanos" | "toMillis" | "count" => "long",
        "byteValue" => "byte",
        "shortValue" => "short",
        "floatValue" => "float",
        "doubleValue" => "double",
        "booleanValue" => "boolean",
        "charValue" => "char",
        "equals" | "contains" | "containsKey" | "containsAll" | "startsWith" | "endsWith"
        | "matches" | "find" | "test" => "boolean",
        "getClass" | "getType" | "getDeclaringClass" | "getSuperclass" | "getComponentType"
        | "getReturnType" => "Class",
        "getCause" => "Throwable",
        _ if is_question("is") || is_question("has") => "boolean",
        _ => return None,
    };
    named(resolver, of)
}

/// `values()` in an enum, `getClass()` anywhere.
fn unqualified(resolver: &Resolver<'_>, callee: ExprRef, args: u32) -> Option<Typed> {
    let Expr::Name { name, scope, .. } = resolver.expr(callee) else {
        return None;
    };
    let bound = resolver.file(callee.file)?;
    let name = resolver.workspace.text(bound.name(name));
    let this = this::instance(resolver, callee.file, scope).ty;
    let Ty::Instance(def, own) = &this else {
        return None;
    };
    let of = match name {
        "values" | "valueOf" => Ty::Type(*def, own.clone()),
        _ => this,
    };
    let given = library_types::call(resolver, callee.file, &of, name, args);
    given
        .or_else(|| implicit(resolver, &of, name))
        .map(Typed::inferred)
}

const SEQUENCES: &str = "Iterable Collection AbstractCollection List AbstractList ArrayList LinkedList CopyOnWriteArrayList CopyOnWriteArraySet Vector Stack Set AbstractSet HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet Queue Deque ArrayDeque PriorityQueue BlockingQueue BlockingDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue ConcurrentLinkedQueue ConcurrentLinkedDeque ConcurrentSkipListSet SequencedCollection ImmutableList ImmutableSet ImmutableCollection Stream Iterator ListIterator Enumeration Spliterator Optional SequencedSet AbstractQueue AbstractSequentialList PriorityBlockingQueue DelayQueue SynchronousQueue LinkedTransferQueue TransferQueue ServiceLoader";
const HOLDERS: &str = "Supplier Callable ThreadLocal InheritableThreadLocal AtomicReference AtomicReferenceArray AtomicStampedReference AtomicMarkableReference Reference WeakReference SoftReference PhantomReference Future FutureTask RunnableFuture ScheduledFuture ForkJoinTask RecursiveTask CompletableFuture CompletionStage Subtask Exchanger ScopedValue StableValue ClassValue LazyConstant Provider";
const MAPS: &str = "Map AbstractMap HashMap LinkedHashMap TreeMap SortedMap NavigableMap ConcurrentHashMap ConcurrentMap ConcurrentSkipListMap ConcurrentNavigableMap SequencedMap Hashtable WeakHashMap IdentityHashMap EnumMap ImmutableMap";
const ENTRIES: &str = "Entry SimpleEntry SimpleImmutableEntry";

/// The folders of packages in which the rows' types are, the best known first.
pub(super) const NAMESPACES: [&str; 18] = [
    "java/lang",
    "java/util",
    "java/util/function",
    "java/util/stream",
    "java/util/concurrent",
    "java/util/concurrent/atomic",
    "java/util/concurrent/locks",
    "java/io",
    "java/nio",
    "java/nio/file",
    "java/nio/charset",
    "java/time",
    "java/math",
    "java/text",
    "java/net",
    "java/lang/reflect",
    "java/lang/ref",
    "java/util/regex",
];

/// Types of the rows that are declared in another one: the name, and the outer type's.
pub(super) const NESTED: [(&str, &str); 3] = [
    ("Entry", "Map"),
    ("SimpleEntry", "AbstractMap"),
    ("SimpleImmutableEntry", "AbstractMap"),
];

/// Names of types that rows and rules speak of.
pub(super) const WORDS: [&str; 35] = [
    "Queue",
    "Enumeration",
    "ThreadLocal",
    "Subtask",
    "Spliterator",
    "Comparator",
    "String",
    "Object",
    "int",
    "long",
    "boolean",
    "char",
    "byte",
    "short",
    "float",
    "double",
    "void",
    "null",
    "Class",
    "List",
    "Set",
    "Map",
    "Entry",
    "Collection",
    "Iterator",
    "Stream",
    "IntStream",
    "Optional",
    "CompletableFuture",
    "Function",
    "Future",
    "Throwable",
    "Integer",
    "Long",
    "Double",
];

/// Library types of Java; `<new>` is what makes one.
pub(super) const ROWS: [LibraryMember; 142] = [
    LibraryMember("String", "split", "[String]", ""),
    LibraryMember(
        "String",
        "trim strip substring toLowerCase toUpperCase replace replaceAll replaceFirst concat valueOf copyValueOf format formatted join repeat intern indent",
        "String",
        "",
    ),
    LibraryMember(
        "String StringBuilder StringBuffer CharSequence",
        "length indexOf lastIndexOf compareTo compareToIgnoreCase codePointAt",
        "int",
        "",
    ),
    LibraryMember(
        "String StringBuilder StringBuffer CharSequence",
        "charAt",
        "char",
        "",
    ),
    LibraryMember("String", "toCharArray", "[char]", ""),
    LibraryMember("String", "getBytes", "[byte]", ""),
    LibraryMember(
        "String",
        "equalsIgnoreCase startsWith endsWith contains isEmpty isBlank matches",
        "boolean",
        "",
    ),
    LibraryMember(
        "StringBuilder StringBuffer",
        "append insert reverse delete deleteCharAt replace appendCodePoint",
        "self",
        "",
    ),
    LibraryMember("StringBuilder StringBuffer", "substring", "String", ""),
    LibraryMember(
        "Integer Short Byte",
        "parseInt intValue compare bitCount parseShort",
        "int",
        "",
    ),
    LibraryMember("Long", "parseLong longValue", "long", ""),
    LibraryMember("Double", "parseDouble doubleValue", "double", ""),
    LibraryMember("Double", "doubleToLongBits doubleToRawLongBits", "long", ""),
    LibraryMember("Float", "parseFloat floatValue", "float", ""),
    LibraryMember("Float", "floatToIntBits floatToRawIntBits", "int", ""),
    LibraryMember("Boolean", "parseBoolean booleanValue", "boolean", ""),
    LibraryMember("Character", "toLowerCase toUpperCase charValue", "char", ""),
    LibraryMember(
        "Character",
        "isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase",
        "boolean",
        "",
    ),
    LibraryMember("Character", "toChars", "[char]", ""),
    LibraryMember(
        "Integer Long Short Byte Double Float Boolean Character Arrays Objects",
        "toString toHexString",
        "String",
        "",
    ),
    LibraryMember(
        "Integer Long Short Byte Double Float Boolean Character",
        "valueOf",
        "self",
        "",
    ),
    LibraryMember(
        "Double",
        "NaN POSITIVE_INFINITY NEGATIVE_INFINITY MAX_VALUE MIN_VALUE",
        "double",
        "",
    ),
    LibraryMember(
        "Float",
        "NaN POSITIVE_INFINITY NEGATIVE_INFINITY MAX_VALUE MIN_VALUE",
        "float",
        "",
    ),
    LibraryMember("Integer", "MAX_VALUE MIN_VALUE SIZE BYTES", "int", ""),
    LibraryMember("Long", "MAX_VALUE MIN_VALUE", "long", ""),
    LibraryMember("Short", "MAX_VALUE MIN_VALUE", "short", ""),
    LibraryMember("Byte", "MAX_VALUE MIN_VALUE", "byte", ""),
    LibraryMember("Character", "MAX_VALUE MIN_VALUE", "char", ""),
    LibraryMember("Math", "max min abs floorMod addExact", "arg", ""),
    LibraryMember("Stream", "map", "Stream<ret>", "0"),
    LibraryMember("Stream", "flatMap", "Stream<flat>", "0"),
    LibraryMember("Stream", "mapToObj", "Stream<ret>", "int"),
    LibraryMember("Stream", "mapToInt mapToLong mapToDouble", "IntStream", "0"),
    LibraryMember(
        "Stream",
        "filter sorted distinct limit skip peek takeWhile dropWhile parallel sequential unordered onClose",
        "self",
        "0;0",
    ),
    LibraryMember("Stream", "findFirst findAny min max", "Optional<0>", "0;0"),
    LibraryMember("Stream", "collect", "_", "0;0"),
    LibraryMember("Stream", "reduce", "0", "0;0"),
    LibraryMember("Stream", "toList", "List<0>", ""),
    LibraryMember("Stream", "toArray", "[0]", "int"),
    LibraryMember(
        "Stream",
        "anyMatch allMatch noneMatch forEach forEachOrdered",
        "_",
        "0",
    ),
    LibraryMember(
        "IntStream LongStream DoubleStream",
        "mapToObj boxed",
        "Stream<ret>",
        "int",
    ),
    LibraryMember(
        "IntStream LongStream DoubleStream",
        "filter map sorted distinct limit skip peek parallel",
        "self",
        "int",
    ),
    LibraryMember("Optional", "map", "Optional<ret>", "0"),
    LibraryMember("Optional", "flatMap", "ret", "0"),
    LibraryMember("Optional", "filter or", "self", "0"),
    LibraryMember(
        "Optional",
        "ifPresent ifPresentOrElse isPresent isEmpty",
        "_",
        "0",
    ),
    LibraryMember(
        "Optional",
        "get orElse orElseGet orElseThrow orElseNull",
        "0",
        "",
    ),
    LibraryMember(SEQUENCES, "stream parallelStream", "Stream<0>", ""),
    LibraryMember(
        SEQUENCES,
        "iterator listIterator descendingIterator",
        "Iterator<0>",
        "",
    ),
    LibraryMember(
        SEQUENCES,
        "subList headSet tailSet subSet descendingSet reversed clone trySplit",
        "self",
        "",
    ),
    LibraryMember(SEQUENCES, "spliterator", "Spliterator<0>", ""),
    LibraryMember(SEQUENCES, "elements asIterator", "Enumeration<0>", ""),
    LibraryMember(SEQUENCES, "comparator", "Comparator<0>", ""),
    LibraryMember("Optional", "stream", "Stream<0>", ""),
    LibraryMember("ServiceLoader", "findFirst", "Optional<0>", ""),
    LibraryMember("Stream", "ofNullable", "Stream<arg>", ""),
    LibraryMember("Stream", "concat", "arg", ""),
    LibraryMember("List", "copyOf", "List<each>", ""),
    LibraryMember("Set", "copyOf", "Set<each>", ""),
    LibraryMember(
        "ImmutableList",
        "copyOf sortedCopyOf",
        "ImmutableList<each>",
        "",
    ),
    LibraryMember("ImmutableSet", "copyOf", "ImmutableSet<each>", ""),
    LibraryMember("EnumSet", "copyOf complementOf", "EnumSet<each>", ""),
    LibraryMember("EnumSet", "of range", "EnumSet<arg>", ""),
    LibraryMember("EnumSet", "allOf noneOf", "EnumSet<arg.0>", ""),
    LibraryMember(SEQUENCES, "<new>", "self<each>", ""),
    LibraryMember(
        SEQUENCES,
        "get getFirst getLast first last next previous peek peekFirst peekLast poll pollFirst pollLast pop push element take takeFirst takeLast set nextElement firstElement lastElement elementAt lower higher floor ceiling @iter @index",
        "0",
        "",
    ),
    LibraryMember(SEQUENCES, "remove removeFirst removeLast", "0", ""),
    LibraryMember(
        SEQUENCES,
        "forEach forEachRemaining removeIf replaceAll",
        "_",
        "0",
    ),
    LibraryMember(SEQUENCES, "sort", "_", "0;0"),
    LibraryMember(SEQUENCES, "toArray", "arg", ""),
    LibraryMember(
        SEQUENCES,
        "add addAll offer offerFirst offerLast contains containsAll remove removeAll retainAll isEmpty hasNext hasPrevious hasMoreElements tryAdvance removeFirstOccurrence removeLastOccurrence tryTransfer",
        "boolean",
        "",
    ),
    LibraryMember(
        SEQUENCES,
        "size indexOf lastIndexOf nextIndex previousIndex remainingCapacity drainTo search",
        "int",
        "",
    ),
    LibraryMember(
        MAPS,
        "containsKey containsValue isEmpty contains",
        "boolean",
        "",
    ),
    LibraryMember(MAPS, "size", "int", ""),
    LibraryMember(MAPS, "computeIfAbsent", "1", "0"),
    LibraryMember(MAPS, "compute computeIfPresent", "1", "0;1"),
    LibraryMember(MAPS, "merge", "1", "1;1"),
    LibraryMember(
        MAPS,
        "get getOrDefault put putIfAbsent remove replace",
        "1",
        "",
    ),
    LibraryMember(MAPS, "forEach replaceAll", "_", "0;1"),
    LibraryMember(
        MAPS,
        "keySet navigableKeySet descendingKeySet keys",
        "Set<0>",
        "",
    ),
    LibraryMember(MAPS, "values elements sequencedValues", "Collection<1>", ""),
    LibraryMember(MAPS, "entrySet sequencedEntrySet", "Set<Entry<0,1>>", ""),
    LibraryMember(
        MAPS,
        "headMap tailMap subMap descendingMap reversed clone",
        "self",
        "",
    ),
    LibraryMember(MAPS, "sequencedKeySet", "Set<0>", ""),
    LibraryMember(MAPS, "putFirst putLast", "1", ""),
    LibraryMember(MAPS, "comparator", "Comparator<0>", ""),
    LibraryMember(MAPS, "<new>", "self<arg.0,arg.1>", ""),
    LibraryMember("Map", "entry", "Entry<arg,args.1>", ""),
    LibraryMember("Map", "ofEntries", "Map<arg.0,arg.1>", ""),
    LibraryMember("Map", "copyOf", "Map<arg.0,arg.1>", ""),
    LibraryMember(ENTRIES, "<new>", "self<arg|arg.0,args.1|arg.1>", ""),
    LibraryMember(ENTRIES, "copyOf", "Entry<arg.0,arg.1>", ""),
    LibraryMember(
        MAPS,
        "firstEntry lastEntry floorEntry ceilingEntry higherEntry lowerEntry pollFirstEntry pollLastEntry",
        "Entry<0,1>",
        "",
    ),
    LibraryMember(
        MAPS,
        "firstKey lastKey floorKey ceilingKey higherKey lowerKey",
        "0",
        "",
    ),
    LibraryMember(ENTRIES, "getKey", "0", ""),
    LibraryMember(ENTRIES, "getValue setValue", "1", ""),
    LibraryMember("Class", "cast newInstance", "0", ""),
    LibraryMember(
        HOLDERS,
        "get call join getAndSet getNow resultNow getPlain getAcquire getOpaque compareAndExchange getReference exchange invoke orElse orElseThrow getRawResult",
        "0",
        "",
    ),
    LibraryMember(
        "AtomicReference WeakReference SoftReference PhantomReference AtomicStampedReference AtomicMarkableReference",
        "<new>",
        "self<arg>",
        "",
    ),
    LibraryMember("AtomicReferenceArray", "<new>", "self<each>", ""),
    LibraryMember("LazyConstant StableValue", "of supplier", "self<ret>", ""),
    LibraryMember("FutureTask", "<new>", "self<ret|arg.0>", ""),
    LibraryMember("ForkJoinTask RecursiveTask", "fork", "self", ""),
    LibraryMember("ThreadLocal", "withInitial", "ThreadLocal<ret>", ""),
    LibraryMember("StructuredTaskScope", "fork", "Subtask<ret>", ""),
    LibraryMember(
        "CompletionService ExecutorCompletionService",
        "take poll",
        "Future<0>",
        "",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "orTimeout completeOnTimeout copy toCompletableFuture exceptionallyAsync exceptionallyCompose minimalCompletionStage",
        "self",
        "Throwable",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "applyToEither applyToEitherAsync thenCombineAsync",
        "CompletableFuture<ret>",
        "0",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "thenApply thenApplyAsync thenCombine handle handleAsync",
        "CompletableFuture<ret>",
        "0",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "thenCompose thenComposeAsync",
        "ret",
        "0",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "thenAccept thenAcceptAsync whenComplete whenCompleteAsync",
        "self",
        "0",
    ),
    LibraryMember(
        "CompletableFuture CompletionStage",
        "exceptionally",
        "self",
        "Throwable",
    ),
    LibraryMember(
        "CompletableFuture",
        "supplyAsync",
        "CompletableFuture<ret>",
        "",
    ),
    LibraryMember(
        "CompletableFuture",
        "completedFuture completedStage",
        "CompletableFuture<arg>",
        "",
    ),
    LibraryMember(
        "ExecutorService ScheduledExecutorService CompletionService ForkJoinPool",
        "submit schedule",
        "Future<ret>",
        "",
    ),
    LibraryMember("AtomicReference", "updateAndGet getAndUpdate", "0", "0"),
    LibraryMember(
        "AtomicReference",
        "accumulateAndGet getAndAccumulate",
        "0",
        "0;0",
    ),
    LibraryMember("Function", "apply", "1", ""),
    LibraryMember("Function", "andThen", "Function<0,ret>", "1"),
    LibraryMember("Function", "compose", "Function<_,1>", ""),
    LibraryMember("BiFunction", "apply", "2", ""),
    LibraryMember(
        "UnaryOperator BinaryOperator IntFunction LongFunction DoubleFunction",
        "apply",
        "0",
        "",
    ),
    LibraryMember("Predicate BiPredicate", "and or negate", "self", "0;1"),
    LibraryMember(
        "Objects Collections",
        "requireNonNull requireNonNullElse requireNonNullElseGet unmodifiableList unmodifiableSet unmodifiableMap unmodifiableCollection unmodifiableSortedSet unmodifiableSortedMap unmodifiableNavigableSet unmodifiableNavigableMap unmodifiableSequencedCollection unmodifiableSequencedSet unmodifiableSequencedMap synchronizedList synchronizedMap synchronizedSet synchronizedCollection synchronizedSortedSet synchronizedSortedMap synchronizedNavigableSet synchronizedNavigableMap checkedList checkedSet checkedMap checkedCollection checkNotNull",
        "arg",
        "",
    ),
    LibraryMember("Optional", "of ofNullable", "Optional<arg>", ""),
    LibraryMember("Collections", "max min", "each", ""),
    LibraryMember("Collections", "nCopies", "List<args.1>", ""),
    LibraryMember("Collections", "singletonMap", "Map<arg,args.1>", ""),
    LibraryMember("Collections", "list", "List<each>", ""),
    LibraryMember("Collections", "enumeration", "Enumeration<each>", ""),
    LibraryMember("Collections", "asLifoQueue", "Queue<each>", ""),
    LibraryMember(
        "Collections",
        "newSetFromMap newSequencedSetFromMap",
        "Set<arg.0>",
        "",
    ),
    LibraryMember("Collections", "reverseOrder", "Comparator<arg.0>", ""),
    LibraryMember("Stream", "iterate", "Stream<arg>", ""),
    LibraryMember("Stream", "generate", "Stream<ret>", ""),
    LibraryMember("IntStream LongStream", "range rangeClosed of", "self", ""),
    LibraryMember("Stream", "of", "Stream<spread>", ""),
    LibraryMember("Arrays", "stream", "Stream<spread>", ""),
    LibraryMember("Arrays", "copyOf copyOfRange", "arg", ""),
    LibraryMember("Arrays", "sort setAll", "_", ""),
    LibraryMember("Set ImmutableSet", "of", "Set<spread>", ""),
    LibraryMember(
        "Arrays List Collections ImmutableList Lists Sets",
        "asList of singletonList singleton newArrayList newHashSet",
        "List<spread>",
        "",
    ),
];
