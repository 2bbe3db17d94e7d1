//! Implicit conversions between Java's own types.

use crate::overloads::conversion::Conversion;

/// Numbers by what they can be widened to: each to those behind it.
const WIDENING: [&str; 6] = ["byte", "short", "int", "long", "float", "double"];

/// Primitive types and the classes that hold them.
const BOXES: [(&str, &str); 8] = [
    ("boolean", "Boolean"),
    ("byte", "Byte"),
    ("char", "Character"),
    ("double", "Double"),
    ("float", "Float"),
    ("int", "Integer"),
    ("long", "Long"),
    ("short", "Short"),
];

/// Types that nothing derives from, or of which all bases are known: the bases.
const CLOSED: [(&str, &str); 24] = [
    (
        "String",
        "CharSequence Comparable Serializable Constable ConstantDesc",
    ),
    (
        "StringBuilder",
        "CharSequence Comparable Serializable Appendable",
    ),
    (
        "StringBuffer",
        "CharSequence Comparable Serializable Appendable",
    ),
    ("Boolean", "Comparable Serializable Constable"),
    ("Character", "Comparable Serializable Constable"),
    ("Byte", "Number Comparable Serializable Constable"),
    ("Short", "Number Comparable Serializable Constable"),
    (
        "Integer",
        "Number Comparable Serializable Constable ConstantDesc",
    ),
    (
        "Long",
        "Number Comparable Serializable Constable ConstantDesc",
    ),
    (
        "Float",
        "Number Comparable Serializable Constable ConstantDesc",
    ),
    (
        "Double",
        "Number Comparable Serializable Constable ConstantDesc",
    ),
    (
        "Class",
        "Serializable GenericDeclaration Type AnnotatedElement TypeDescriptor Constable",
    ),
    (
        "Method",
        "Executable AccessibleObject GenericDeclaration Member AnnotatedElement",
    ),
    (
        "Constructor",
        "Executable AccessibleObject GenericDeclaration Member AnnotatedElement",
    ),
    ("Field", "AccessibleObject Member AnnotatedElement"),
    ("File", "Comparable Serializable"),
    ("Locale", "Cloneable Serializable"),
    ("UUID", "Comparable Serializable"),
    ("URL", "Serializable"),
    ("URI", "Comparable Serializable"),
    ("Pattern", "Serializable"),
    ("Optional", ""),
    (
        "LocalDate",
        "Temporal TemporalAccessor TemporalAdjuster ChronoLocalDate Comparable Serializable",
    ),
    ("Duration", "TemporalAmount Comparable Serializable"),
];

const NUMBER: &str = "Number Comparable Serializable";
const COUNTER: &str = "Number Serializable";
const WRITER: &str = "Writer Appendable Closeable Flushable AutoCloseable";
const READER: &str = "Reader Readable Closeable AutoCloseable";
const INPUT: &str = "InputStream Closeable AutoCloseable";
const OUTPUT: &str = "OutputStream Closeable Flushable AutoCloseable";
const MOMENT: &str = "Temporal TemporalAccessor TemporalAdjuster Comparable Serializable";

/// Classes that others may derive from: all that each is besides itself.
const OPEN: [(&str, &str); 41] = [
    ("Number", "Serializable"),
    ("BigInteger", NUMBER),
    ("BigDecimal", NUMBER),
    ("AtomicInteger", COUNTER),
    ("AtomicLong", COUNTER),
    ("LongAdder", COUNTER),
    ("DoubleAdder", COUNTER),
    ("Writer", "Appendable Closeable Flushable AutoCloseable"),
    ("StringWriter", WRITER),
    ("PrintWriter", WRITER),
    ("BufferedWriter", WRITER),
    ("CharArrayWriter", WRITER),
    ("OutputStreamWriter", WRITER),
    (
        "FileWriter",
        "OutputStreamWriter Writer Appendable Closeable Flushable AutoCloseable",
    ),
    ("Reader", "Readable Closeable AutoCloseable"),
    ("StringReader", READER),
    ("BufferedReader", READER),
    ("CharArrayReader", READER),
    ("InputStreamReader", READER),
    (
        "FileReader",
        "InputStreamReader Reader Readable Closeable AutoCloseable",
    ),
    (
        "LineNumberReader",
        "BufferedReader Reader Readable Closeable AutoCloseable",
    ),
    ("InputStream", "Closeable AutoCloseable"),
    ("ByteArrayInputStream", INPUT),
    ("FileInputStream", INPUT),
    (
        "BufferedInputStream",
        "FilterInputStream InputStream Closeable AutoCloseable",
    ),
    (
        "DataInputStream",
        "FilterInputStream InputStream DataInput Closeable AutoCloseable",
    ),
    ("OutputStream", "Closeable Flushable AutoCloseable"),
    ("ByteArrayOutputStream", OUTPUT),
    ("FileOutputStream", OUTPUT),
    (
        "BufferedOutputStream",
        "FilterOutputStream OutputStream Closeable Flushable AutoCloseable",
    ),
    (
        "DataOutputStream",
        "FilterOutputStream OutputStream DataOutput Closeable Flushable AutoCloseable",
    ),
    (
        "PrintStream",
        "FilterOutputStream OutputStream Appendable Closeable Flushable AutoCloseable",
    ),
    ("LocalTime", MOMENT),
    (
        "LocalDateTime",
        "ChronoLocalDateTime Temporal TemporalAccessor TemporalAdjuster Comparable Serializable",
    ),
    ("OffsetDateTime", MOMENT),
    ("Instant", MOMENT),
    (
        "ZonedDateTime",
        "ChronoZonedDateTime Temporal TemporalAccessor Comparable Serializable",
    ),
    ("Date", "Cloneable Comparable Serializable"),
    ("Random", "RandomGenerator Serializable"),
    ("Thread", "Runnable"),
    ("Scanner", "Iterator Closeable AutoCloseable"),
];

/// Collections: what each is besides itself.
const COLLECTIONS: [(&str, &str); 12] = [
    ("ArrayList", "List AbstractList RandomAccess"),
    ("LinkedList", "List Deque Queue"),
    ("List", ""),
    ("Set", ""),
    ("HashSet", "Set"),
    ("LinkedHashSet", "Set HashSet SequencedSet"),
    ("TreeSet", "Set SortedSet NavigableSet"),
    ("SortedSet", "Set"),
    ("ArrayDeque", "Deque Queue"),
    ("Deque", "Queue"),
    ("Queue", ""),
    ("Collection", ""),
];

/// Whether a type of this name is a primitive type.
pub(super) fn is_primitive(name: &str) -> bool {
    BOXES.iter().any(|(primitive, _)| *primitive == name)
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn bases(of: &str, table: &[(&'static str, &'static str)]) -> Option<&'static str> {
    let entry = table.iter().find(|(name, _)| *name == of);
    entry.map(|(_, bases)| *bases)
}

/// How one type converts to another; both are names, and different.
pub(super) fn conversion(takes: &str, actual: &str) -> Conversion {
    match (is_primitive(takes), is_primitive(actual)) {
        (true, true) => widened(takes, actual),
        (true, false) => match unboxed(actual) {
            Some(primitive) if primitive == takes => Conversion::Boxed,
            Some(primitive) if widened(takes, primitive) == Conversion::Derived => {
                Conversion::Boxed
            }
            _ => Conversion::No,
        },
        (false, true) => {
            let boxed = BOXES.iter().find(|(primitive, _)| *primitive == actual);
            let boxed = boxed.map_or("", |(_, boxed)| boxed);
            let goes = boxed == takes || bases(boxed, &CLOSED).is_some_and(|all| has(all, takes));
            if goes {
                Conversion::Boxed
            } else {
                Conversion::No
            }
        }
        (false, false) => derived(takes, actual),
    }
}

fn unboxed(name: &str) -> Option<&'static str> {
    let entry = BOXES.iter().find(|(_, boxed)| *boxed == name);
    entry.map(|(primitive, _)| *primitive)
}

fn widened(takes: &str, actual: &str) -> Conversion {
    let place = |name: &str| WIDENING.iter().position(|known| *known == name);
    let actual = if actual == "char" { "short" } else { actual };
    let fits = match (place(takes), place(actual)) {
        (Some(takes), Some(actual)) => actual < takes,
        _ => false,
    };
    if fits {
        Conversion::Derived
    } else {
        Conversion::No
    }
}

fn derived(takes: &str, actual: &str) -> Conversion {
    if let Some(known) = bases(actual, &CLOSED) {
        return if has(known, takes) {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if let Some(known) = bases(actual, &OPEN) {
        return if has(known, takes) {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    // Nothing else converts to what nothing derives from.
    if bases(takes, &CLOSED).is_some() {
        return Conversion::No;
    }
    if let Some(known) = bases(actual, &COLLECTIONS) {
        let is_base = has(known, takes)
            || has("Collection Iterable SequencedCollection", takes) && takes != actual;
        return if is_base {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    let is_error = actual.ends_with("Exception") || actual.ends_with("Error");
    if is_error && matches!(takes, "Throwable") {
        return Conversion::Derived;
    }
    if is_error {
        let may = takes.ends_with("Exception") || takes.ends_with("Error");
        return if may {
            Conversion::Maybe
        } else {
            Conversion::No
        };
    }
    let by_ending = ["InputStream", "OutputStream", "Reader", "Writer"];
    if by_ending.contains(&takes) && actual.ends_with(takes) {
        return Conversion::Derived;
    }
    Conversion::Maybe
}
