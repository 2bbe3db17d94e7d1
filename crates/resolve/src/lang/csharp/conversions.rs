//! Implicit conversions between C#'s own types.

use crate::overloads::conversion::Conversion;

/// Implicit conversions of each number.
const WIDENING: [(&str, &str); 12] = [
    ("sbyte", "short int long float double decimal nint"),
    (
        "byte",
        "short ushort int uint long ulong float double decimal nint nuint",
    ),
    ("short", "int long float double decimal nint"),
    (
        "ushort",
        "int uint long ulong float double decimal nint nuint",
    ),
    ("int", "long float double decimal nint"),
    ("uint", "long ulong float double decimal nuint"),
    ("long", "float double decimal"),
    ("ulong", "float double decimal"),
    ("char", "ushort int uint long ulong float double decimal"),
    ("float", "double"),
    ("double", ""),
    ("decimal", ""),
];

/// The library's names of the language's types.
const NAMES: [(&str, &str); 16] = [
    ("String", "string"),
    ("Object", "object"),
    ("Boolean", "bool"),
    ("Byte", "byte"),
    ("SByte", "sbyte"),
    ("Char", "char"),
    ("Decimal", "decimal"),
    ("Double", "double"),
    ("Single", "float"),
    ("Int16", "short"),
    ("Int32", "int"),
    ("Int64", "long"),
    ("UInt16", "ushort"),
    ("UInt32", "uint"),
    ("UInt64", "ulong"),
    ("IntPtr", "nint"),
];

/// Types of which all bases are known.
const CLOSED: [(&str, &str); 22] = [
    (
        "string",
        "IEnumerable IComparable ICloneable IConvertible IEquatable ReadOnlySpan",
    ),
    ("bool", "IComparable IConvertible IEquatable"),
    (
        "DateTime",
        "IComparable IFormattable IConvertible IEquatable",
    ),
    ("DateTimeOffset", "IComparable IFormattable IEquatable"),
    ("TimeSpan", "IComparable IFormattable IEquatable"),
    ("Guid", "IComparable IFormattable IEquatable"),
    ("Uri", ""),
    ("Type", "MemberInfo"),
    ("TypeInfo", "Type MemberInfo"),
    ("MethodInfo", "MethodBase MemberInfo"),
    ("ConstructorInfo", "MethodBase MemberInfo"),
    ("PropertyInfo", "MemberInfo"),
    ("FieldInfo", "MemberInfo"),
    ("EventInfo", "MemberInfo"),
    ("StringBuilder", ""),
    ("CancellationToken", "IEquatable"),
    ("Regex", ""),
    ("Version", "IComparable ICloneable"),
    ("CultureInfo", "IFormatProvider ICloneable"),
    ("Encoding", "ICloneable"),
    ("Assembly", ""),
    ("BigInteger", "IComparable IFormattable IEquatable"),
];

/// Collections: what each is besides itself and `IEnumerable`.
const COLLECTIONS: [(&str, &str); 14] = [
    (
        "List",
        "IList ICollection IReadOnlyList IReadOnlyCollection",
    ),
    ("IList", "ICollection"),
    ("ICollection", ""),
    ("IEnumerable", ""),
    ("IReadOnlyList", "IReadOnlyCollection"),
    ("IReadOnlyCollection", ""),
    (
        "HashSet",
        "ISet ICollection IReadOnlyCollection IReadOnlySet",
    ),
    (
        "Dictionary",
        "IDictionary IReadOnlyDictionary ICollection IReadOnlyCollection",
    ),
    ("IDictionary", "ICollection"),
    ("Queue", "ICollection IReadOnlyCollection"),
    ("Stack", "ICollection IReadOnlyCollection"),
    (
        "Collection",
        "IList ICollection IReadOnlyList IReadOnlyCollection",
    ),
    (
        "ReadOnlyCollection",
        "IList ICollection IReadOnlyList IReadOnlyCollection",
    ),
    ("IQueryable", ""),
];

/// Interfaces without bases.
const BARE: &str = "IEquatable IComparable IDisposable IAsyncDisposable ICloneable IFormattable IConvertible IServiceProvider";

/// Whether a signed number is meant rather than an unsigned one that it does not convert to (C#'s better conversion target).
pub(super) fn is_better_target(a: &str, b: &str) -> bool {
    const SIGNED: [&str; 5] = ["sbyte", "short", "int", "nint", "long"];
    const UNSIGNED: [&str; 5] = ["byte", "ushort", "uint", "nuint", "ulong"];
    let place = |list: &[&str], name| list.iter().position(|known| *known == canonical(name));
    match (place(&SIGNED, a), place(&UNSIGNED, b)) {
        // No `int` for a `byte`: that converts to it.
        (Some(a), Some(b)) => a <= b,
        _ => false,
    }
}

fn canonical(name: &str) -> &str {
    let known = NAMES.iter().find(|(long, _)| *long == name);
    known.map_or(name, |(_, short)| short)
}

/// The language's own type, or a value type of the library, by the library's name: `int` for `Int32`.
pub(super) fn own_type(name: &str) -> Option<&str> {
    let own = canonical(name);
    (own == "string" || is_value(own)).then_some(own)
}

/// The library's name of a type that the language has a word for: `Int32` for `int`.
pub(super) fn library_name(name: &str) -> &str {
    let known = NAMES.iter().find(|(_, short)| *short == name);
    known.map_or(name, |(long, _)| long)
}

fn look<'a>(table: &[(&'a str, &'a str)], name: &str) -> Option<&'a str> {
    let entry = table.iter().find(|(known, _)| *known == name);
    entry.map(|(_, words)| *words)
}

fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

fn is_number(name: &str) -> bool {
    look(&WIDENING, name).is_some()
}

/// Whether a type of this name is a value type.
pub(super) fn is_value(name: &str) -> bool {
    let name = canonical(name);
    let others = [
        "bool",
        "DateTime",
        "DateTimeOffset",
        "TimeSpan",
        "Guid",
        "BigInteger",
        "CancellationToken",
    ];
    is_number(name) || others.contains(&name)
}

/// Whether a constant `int` converts to a smaller number or one without a sign.
pub(super) fn converts_constant(takes: &str, actual: &str) -> bool {
    let smaller = "sbyte byte short ushort uint ulong";
    canonical(actual) == "int" && has(smaller, canonical(takes))
}

/// Whether a number is worked with as another one.
pub(super) fn wider(left: &str, right: &str) -> bool {
    look(&WIDENING, canonical(left)).is_some_and(|wider| has(wider, canonical(right)))
}

/// How one type converts to another; both are names, and different.
pub(super) fn conversion(takes: &str, actual: &str) -> Conversion {
    let (takes, actual) = (canonical(takes), canonical(actual));
    if takes == actual {
        return Conversion::Same;
    }
    if actual == "void" || takes == "void" {
        return Conversion::No;
    }
    if let Some(held) = takes.strip_suffix('?') {
        let actual = actual.strip_suffix('?').unwrap_or(actual);
        let goes = held == actual || wider(actual, held);
        return if goes {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if actual.ends_with('?') {
        return if is_value(takes) {
            Conversion::No
        } else {
            Conversion::Maybe
        };
    }
    if is_number(takes) || takes == "bool" {
        return if wider(actual, takes) {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if is_number(actual) {
        let known = "IComparable IFormattable IConvertible IEquatable ValueType";
        let goes = has(known, takes) || (actual == "int" && takes.ends_with("Enum"));
        return if goes {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if let Some(bases) = look(&CLOSED, actual) {
        return if has(bases, takes) {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if look(&CLOSED, takes).is_some() && takes != "Encoding" {
        return Conversion::No;
    }
    if has(BARE, actual) {
        return Conversion::No;
    }
    if let Some(bases) = look(&COLLECTIONS, actual) {
        let goes = has(bases, takes) || takes == "IEnumerable";
        return if goes {
            Conversion::Derived
        } else {
            Conversion::No
        };
    }
    if actual.ends_with("Exception") {
        let goes = takes == "Exception";
        let may = takes.ends_with("Exception");
        return match (goes, may) {
            (true, _) => Conversion::Derived,
            (_, true) => Conversion::Maybe,
            _ => Conversion::No,
        };
    }
    let is_named_so = actual.ends_with(takes) || takes.strip_prefix('I') == Some(actual);
    if is_named_so {
        Conversion::Derived
    } else {
        Conversion::Maybe
    }
}
