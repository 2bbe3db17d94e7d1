//! What the classes give that come with Java: collections, streams, functional interfaces.

use codecortex_bind::facts::{DefKind, Expr};

use super::{collectors, receiver};
use crate::containers::{self, Row};
use crate::query::Query;
use crate::ty::{Ty, Typed, none};
use crate::workspace::{ExprRef, Sym};

/// What a call gives of something that has no such member in the workspace.
pub(super) fn call(query: &Query<'_>, at: ExprRef, callee: ExprRef, args: u32) -> Option<Typed> {
    let Some((of, name)) = receiver(query, callee) else {
        return unqualified(query, callee, args);
    };
    let name = query.workspace.text(name);
    let of = query.type_of(of).ty;
    if name == "collect" {
        return collectors::collected(query, &of, at, args);
    }
    if name == "reduce" && query.each(at.file, args, |at| at).len() == 1 {
        let element = containers::unwrap(query, at.file, &of, "iter")?;
        let optional = query.workspace.sym("Optional");
        return Some(Typed::guess(Ty::External(optional, [element].into())));
    }
    if name == "of"
        && let Ty::ExternalType(Some(map), _) = of
        && query.workspace.text(map) == "Map"
    {
        let pair = query.each(at.file, args, |at| query.type_of(at).ty);
        let pair: Vec<Ty> = pair.into_iter().take(2).collect();
        return Some(Typed::guess(Ty::External(Some(map), pair.into())));
    }
    if of.is_external() {
        let given = containers::call(query, callee.file, &of, name, args);
        return given.or_else(|| common(query, name)).map(Typed::guess);
    }
    implicit(query, &of, name).map(Typed::guess)
}

/// What enums, and all objects, have without anybody having written it.
fn implicit(query: &Query<'_>, of: &Ty, name: &str) -> Option<Ty> {
    let named = |name: &str| Ty::External(query.workspace.sym(name), none());
    match (of, name) {
        (Ty::Type(def, _), "values" | "valueOf") => {
            let is_enum = query.def(*def)?.kind == DefKind::Enum;
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
            let class = query.workspace.sym("Class");
            Some(Ty::External(class, [of.clone()].into()))
        }
        (Ty::Instance(..) | Ty::Array(_), "clone") => Some(of.clone()),
        _ => None,
    }
}

/// What methods of these names give in all of the library.
fn common(query: &Query<'_>, name: &str) -> Option<Ty> {
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
    named(query, of)
}

/// `values()` in an enum, `getClass()` anywhere.
fn unqualified(query: &Query<'_>, callee: ExprRef, args: u32) -> Option<Typed> {
    let Expr::Name { name, scope, .. } = query.expr(callee) else {
        return None;
    };
    let bound = query.file(callee.file)?;
    let name = query.workspace.text(bound.sym(name));
    let this = query.this(callee.file, scope).ty;
    let Ty::Instance(def, own) = &this else {
        return None;
    };
    let of = match name {
        "values" | "valueOf" => Ty::Type(*def, own.clone()),
        _ => this,
    };
    let given = containers::call(query, callee.file, &of, name, args);
    given
        .or_else(|| implicit(query, &of, name))
        .map(Typed::guess)
}

/// What a functional interface of the library is given.
pub(super) fn functional_param(query: &Query<'_>, of: &Ty, index: u32) -> Option<Ty> {
    if let Some(given) = containers::given_param(of, index) {
        return Some(given);
    }
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    let place = match query.workspace.text(*name) {
        "Comparator" | "BinaryOperator" | "Collector" => 0,
        "Function" | "Consumer" | "Predicate" | "UnaryOperator" | "ToIntFunction"
        | "ToLongFunction" | "ToDoubleFunction" | "FileFilter" => 0,
        "BiFunction" | "BiConsumer" | "BiPredicate" | "ToIntBiFunction" => index as usize,
        "ObjIntConsumer" | "ObjLongConsumer" if index == 0 => 0,
        _ => return None,
    };
    args.get(place).cloned()
}

/// How many parameters the function has that a type of the library stands for.
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
pub(super) fn functional_result(query: &Query<'_>, of: &Ty) -> Option<Ty> {
    let Ty::External(Some(name), args) = of else {
        return None;
    };
    match query.workspace.text(*name) {
        "Function" => args.get(1).cloned(),
        "BiFunction" => args.get(2).cloned(),
        "Supplier" | "Callable" | "UnaryOperator" | "BinaryOperator" | "IntFunction"
        | "PrivilegedAction" => args.first().cloned(),
        "Predicate" | "BiPredicate" => named(query, "boolean"),
        "ToIntFunction" => named(query, "int"),
        _ => None,
    }
}

pub(super) fn named(query: &Query<'_>, name: &str) -> Option<Ty> {
    let name: Option<Sym> = query.workspace.sym(name);
    Some(Ty::External(name, none()))
}

const SEQUENCES: &str = "Iterable Collection AbstractCollection List AbstractList ArrayList LinkedList CopyOnWriteArrayList CopyOnWriteArraySet Vector Stack Set AbstractSet HashSet LinkedHashSet TreeSet SortedSet NavigableSet EnumSet Queue Deque ArrayDeque PriorityQueue BlockingQueue BlockingDeque LinkedBlockingQueue LinkedBlockingDeque ArrayBlockingQueue ConcurrentLinkedQueue ConcurrentLinkedDeque ConcurrentSkipListSet SequencedCollection ImmutableList ImmutableSet ImmutableCollection Stream Iterator ListIterator Enumeration Spliterator Optional";
const MAPS: &str = "Map AbstractMap HashMap LinkedHashMap TreeMap SortedMap NavigableMap ConcurrentHashMap ConcurrentMap ConcurrentSkipListMap Hashtable WeakHashMap IdentityHashMap EnumMap ImmutableMap";
const ENTRIES: &str = "Entry SimpleEntry SimpleImmutableEntry";

/// Names of types that rows and rules speak of.
pub(super) const WORDS: [&str; 29] = [
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

pub(super) const ROWS: [Row; 96] = [
    Row("String", "split", "[String]", ""),
    Row(
        "String",
        "trim strip substring toLowerCase toUpperCase replace replaceAll replaceFirst concat valueOf copyValueOf format formatted join repeat intern indent",
        "String",
        "",
    ),
    Row(
        "String StringBuilder StringBuffer CharSequence",
        "length indexOf lastIndexOf compareTo compareToIgnoreCase codePointAt",
        "int",
        "",
    ),
    Row(
        "String StringBuilder StringBuffer CharSequence",
        "charAt",
        "char",
        "",
    ),
    Row("String", "toCharArray", "[char]", ""),
    Row("String", "getBytes", "[byte]", ""),
    Row(
        "String",
        "equalsIgnoreCase startsWith endsWith contains isEmpty isBlank matches",
        "boolean",
        "",
    ),
    Row(
        "StringBuilder StringBuffer",
        "append insert reverse delete deleteCharAt replace appendCodePoint",
        "self",
        "",
    ),
    Row("StringBuilder StringBuffer", "substring", "String", ""),
    Row(
        "Integer Short Byte",
        "parseInt intValue compare bitCount parseShort",
        "int",
        "",
    ),
    Row("Long", "parseLong longValue", "long", ""),
    Row("Double", "parseDouble doubleValue", "double", ""),
    Row("Double", "doubleToLongBits doubleToRawLongBits", "long", ""),
    Row("Float", "parseFloat floatValue", "float", ""),
    Row("Float", "floatToIntBits floatToRawIntBits", "int", ""),
    Row("Boolean", "parseBoolean booleanValue", "boolean", ""),
    Row("Character", "toLowerCase toUpperCase charValue", "char", ""),
    Row(
        "Character",
        "isDigit isLetter isLetterOrDigit isWhitespace isUpperCase isLowerCase",
        "boolean",
        "",
    ),
    Row("Character", "toChars", "[char]", ""),
    Row(
        "Integer Long Short Byte Double Float Boolean Character Arrays Objects",
        "toString toHexString",
        "String",
        "",
    ),
    Row(
        "Integer Long Short Byte Double Float Boolean Character",
        "valueOf",
        "self",
        "",
    ),
    Row(
        "Double",
        "NaN POSITIVE_INFINITY NEGATIVE_INFINITY MAX_VALUE MIN_VALUE",
        "double",
        "",
    ),
    Row(
        "Float",
        "NaN POSITIVE_INFINITY NEGATIVE_INFINITY MAX_VALUE MIN_VALUE",
        "float",
        "",
    ),
    Row("Integer", "MAX_VALUE MIN_VALUE SIZE BYTES", "int", ""),
    Row("Long", "MAX_VALUE MIN_VALUE", "long", ""),
    Row("Short", "MAX_VALUE MIN_VALUE", "short", ""),
    Row("Byte", "MAX_VALUE MIN_VALUE", "byte", ""),
    Row("Character", "MAX_VALUE MIN_VALUE", "char", ""),
    Row("Math", "max min abs floorMod addExact", "arg", ""),
    Row("Stream", "map", "Stream<ret>", "0"),
    Row("Stream", "flatMap", "Stream<flat>", "0"),
    Row("Stream", "mapToObj", "Stream<ret>", "int"),
    Row("Stream", "mapToInt mapToLong mapToDouble", "IntStream", "0"),
    Row(
        "Stream",
        "filter sorted distinct limit skip peek takeWhile dropWhile parallel sequential unordered onClose",
        "self",
        "0;0",
    ),
    Row("Stream", "findFirst findAny min max", "Optional<0>", "0;0"),
    Row("Stream", "collect", "_", "0;0"),
    Row("Stream", "reduce", "0", "0;0"),
    Row("Stream", "toList", "List<0>", ""),
    Row("Stream", "toArray", "[0]", "int"),
    Row(
        "Stream",
        "anyMatch allMatch noneMatch forEach forEachOrdered",
        "_",
        "0",
    ),
    Row(
        "IntStream LongStream DoubleStream",
        "mapToObj boxed",
        "Stream<ret>",
        "int",
    ),
    Row(
        "IntStream LongStream DoubleStream",
        "filter map sorted distinct limit skip peek parallel",
        "self",
        "int",
    ),
    Row("Optional", "map", "Optional<ret>", "0"),
    Row("Optional", "flatMap", "ret", "0"),
    Row("Optional", "filter or", "self", "0"),
    Row(
        "Optional",
        "ifPresent ifPresentOrElse isPresent isEmpty",
        "_",
        "0",
    ),
    Row(
        "Optional",
        "get orElse orElseGet orElseThrow orElseNull",
        "0",
        "",
    ),
    Row(SEQUENCES, "stream parallelStream", "Stream<0>", ""),
    Row(
        SEQUENCES,
        "iterator listIterator descendingIterator",
        "Iterator<0>",
        "",
    ),
    Row(
        SEQUENCES,
        "subList headSet tailSet subSet descendingSet reversed",
        "self",
        "",
    ),
    Row(
        SEQUENCES,
        "get getFirst getLast first last next previous peek peekFirst peekLast poll pollFirst pollLast pop push element take takeFirst takeLast set nextElement firstElement lastElement elementAt lower higher floor ceiling @iter @index",
        "0",
        "",
    ),
    Row(SEQUENCES, "remove removeFirst removeLast", "0", ""),
    Row(
        SEQUENCES,
        "forEach forEachRemaining removeIf replaceAll",
        "_",
        "0",
    ),
    Row(SEQUENCES, "sort", "_", "0;0"),
    Row(SEQUENCES, "toArray", "arg", ""),
    Row(MAPS, "computeIfAbsent", "1", "0"),
    Row(MAPS, "compute computeIfPresent", "1", "0;1"),
    Row(MAPS, "merge", "1", "1;1"),
    Row(
        MAPS,
        "get getOrDefault put putIfAbsent remove replace",
        "1",
        "",
    ),
    Row(MAPS, "forEach replaceAll", "_", "0;1"),
    Row(
        MAPS,
        "keySet navigableKeySet descendingKeySet keys",
        "Set<0>",
        "",
    ),
    Row(MAPS, "values elements", "Collection<1>", ""),
    Row(MAPS, "entrySet", "Set<Entry<0,1>>", ""),
    Row(
        MAPS,
        "firstEntry lastEntry floorEntry ceilingEntry higherEntry lowerEntry pollFirstEntry pollLastEntry",
        "Entry<0,1>",
        "",
    ),
    Row(
        MAPS,
        "firstKey lastKey floorKey ceilingKey higherKey lowerKey",
        "0",
        "",
    ),
    Row(ENTRIES, "getKey", "0", ""),
    Row(ENTRIES, "getValue setValue", "1", ""),
    Row("Class", "cast newInstance", "0", ""),
    Row(
        "Supplier Callable ThreadLocal AtomicReference Reference WeakReference SoftReference Future CompletableFuture CompletionStage",
        "get call join getAndSet getNow resultNow",
        "0",
        "",
    ),
    Row(
        "CompletableFuture CompletionStage",
        "thenApply thenApplyAsync thenCombine handle handleAsync",
        "CompletableFuture<ret>",
        "0",
    ),
    Row(
        "CompletableFuture CompletionStage",
        "thenCompose thenComposeAsync",
        "ret",
        "0",
    ),
    Row(
        "CompletableFuture CompletionStage",
        "thenAccept thenAcceptAsync whenComplete whenCompleteAsync",
        "self",
        "0",
    ),
    Row(
        "CompletableFuture CompletionStage",
        "exceptionally",
        "self",
        "Throwable",
    ),
    Row(
        "CompletableFuture",
        "supplyAsync",
        "CompletableFuture<ret>",
        "",
    ),
    Row(
        "CompletableFuture",
        "completedFuture completedStage",
        "CompletableFuture<arg>",
        "",
    ),
    Row(
        "ExecutorService ScheduledExecutorService CompletionService ForkJoinPool",
        "submit schedule",
        "Future<ret>",
        "",
    ),
    Row("AtomicReference", "updateAndGet getAndUpdate", "0", "0"),
    Row(
        "AtomicReference",
        "accumulateAndGet getAndAccumulate",
        "0",
        "0;0",
    ),
    Row("Function", "apply", "1", ""),
    Row("Function", "andThen", "Function<0,ret>", "1"),
    Row("Function", "compose", "Function<_,1>", ""),
    Row("BiFunction", "apply", "2", ""),
    Row(
        "UnaryOperator BinaryOperator IntFunction LongFunction DoubleFunction",
        "apply",
        "0",
        "",
    ),
    Row("Predicate BiPredicate", "and or negate", "self", "0;1"),
    Row(
        "Objects Collections",
        "requireNonNull requireNonNullElse unmodifiableList unmodifiableSet unmodifiableMap unmodifiableCollection synchronizedList synchronizedMap synchronizedSet checkNotNull",
        "arg",
        "",
    ),
    Row("Optional", "of ofNullable", "Optional<arg>", ""),
    Row("Collections", "max min", "each", ""),
    Row("Stream", "iterate", "Stream<arg>", ""),
    Row("Stream", "generate", "Stream<ret>", ""),
    Row("IntStream LongStream", "range rangeClosed of", "self", ""),
    Row("Stream", "of", "Stream<spread>", ""),
    Row("Arrays", "stream", "Stream<spread>", ""),
    Row("Arrays", "copyOf copyOfRange", "arg", ""),
    Row("Arrays", "sort setAll", "_", ""),
    Row("Set ImmutableSet", "of copyOf", "Set<spread>", ""),
    Row(
        "Arrays List Collections ImmutableList Lists Sets",
        "asList of copyOf singletonList singleton newArrayList newHashSet",
        "List<spread>",
        "",
    ),
];
