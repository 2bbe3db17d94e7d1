//! Ranks of C++'s implicit conversions, roughly.

use crate::ids::Name;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Exactly this type.
const SAME: i32 = 6;
/// A parameter of a template, which takes everything as it is; what is no template is preferred.
pub(super) const AS_IT_IS: i32 = 5;
/// A derived class, a literal of a string, a null pointer.
const CONVERTED: i32 = 4;
/// Another arithmetic type of the same sort.
const PROMOTED: i32 = 3;
/// Another arithmetic type.
const ARITHMETIC: i32 = 2;
/// Perhaps by a constructor.
const CONSTRUCTED: i32 = -2;
/// By `...`, which takes everything and is taken last.
const TAKEN_BY_ELLIPSIS: i32 = -2;
/// Not at all.
pub(super) const UNFIT: i32 = -4;

/// The rank of the conversion of an argument to the type of a parameter.
pub(super) fn conversion_rank(resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> i32 {
    match (expected, actual) {
        (expected, _) if is_ellipsis(resolver, expected) => return TAKEN_BY_ELLIPSIS,
        (expected, actual) if is_va_list(resolver, expected) => {
            return match actual {
                actual if is_va_list(resolver, actual) => SAME,
                actual if actual.is_unknown() => CONSTRUCTED,
                _ => UNFIT,
            };
        }
        _ if expected.is_unknown() || actual.is_unknown() => return 0,
        _ => {}
    }
    match (expected, actual) {
        // An alias of several types, each in an arm of a condition, is itself whichever it is.
        (Ty::Union(_), Ty::Union(_)) if expected == actual => SAME,
        (Ty::Union(parts), _) => {
            let scores = parts
                .iter()
                .map(|part| conversion_rank(resolver, part, actual));
            scores.max().unwrap_or(0)
        }
        (_, Ty::Union(parts)) => {
            let scores = parts
                .iter()
                .map(|part| conversion_rank(resolver, expected, part));
            scores.min().unwrap_or(0)
        }
        (Ty::Param(_), _) => AS_IT_IS,
        (Ty::Pointer(a) | Ty::Array(a), Ty::Pointer(b) | Ty::Array(b)) => pointed(resolver, a, b),
        (Ty::Pointer(_), Ty::External(Some(name), _)) => {
            let is_null = matches!(resolver.workspace.text(*name), "nullptr_t");
            if is_null { CONVERTED } else { UNFIT }
        }
        (Ty::External(Some(name), _), Ty::Pointer(of) | Ty::Array(of)) => {
            let is_text = is_char(resolver, of);
            match resolver.workspace.text(*name) {
                "string" | "string_view" | "StringPiece" | "StringRef" if is_text => CONVERTED,
                "bool" => CONSTRUCTED,
                _ => UNFIT,
            }
        }
        (Ty::External(Some(a), of), Ty::External(Some(b), given)) => {
            outside(resolver, *a, *b).min(applied(resolver, of, given))
        }
        (Ty::External(None, _), _) | (_, Ty::External(None, _)) => 0,
        (Ty::Instance(a, _), Ty::Instance(b, _)) => {
            if resolver.parts(*a).types.contains(b) {
                SAME
            } else if resolver.is_subtype(*b, *a) {
                CONVERTED
            } else {
                CONSTRUCTED
            }
        }
        (Ty::Function(..), Ty::Function(..)) => PROMOTED,
        (Ty::Instance(..), _) => CONSTRUCTED,
        _ => UNFIT,
    }
}

/// The type that binding gives to `...` in a list of parameters.
const ELLIPSIS: &str = "...";

fn is_ellipsis(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::External(Some(name), _) => resolver.workspace.text(*name) == ELLIPSIS,
        // An argument that is an array may be all of what others gather.
        Ty::Array(of) => is_ellipsis(resolver, of),
        _ => false,
    }
}

/// Whether it is the list that a function with `...` makes of its arguments, to which nothing converts.
fn is_va_list(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    match ty {
        Ty::External(Some(name), _) => matches!(
            resolver.workspace.text(*name),
            "va_list" | "__builtin_va_list" | "__gnuc_va_list"
        ),
        Ty::Pointer(of) => is_va_list(resolver, of),
        _ => false,
    }
}

/// How well a pointer to one type fits a pointer to another.
fn pointed(resolver: &Resolver<'_>, expected: &Ty, actual: &Ty) -> i32 {
    match (expected, actual) {
        (a, b) if a.is_unknown() || b.is_unknown() => 1,
        (Ty::Param(_), _) => 1,
        (Ty::External(Some(name), _), _) if resolver.workspace.text(*name) == "void" => ARITHMETIC,
        (Ty::External(Some(a), of), Ty::External(Some(b), given)) if a == b => {
            applied(resolver, of, given)
        }
        (Ty::Instance(a, _), Ty::Instance(b, _)) if resolver.parts(*a).types.contains(b) => SAME,
        (Ty::Instance(a, _), Ty::Instance(b, _)) if resolver.is_subtype(*b, *a) => CONVERTED,
        (Ty::Pointer(a), Ty::Pointer(b)) => pointed(resolver, a, b),
        _ => UNFIT,
    }
}

/// How well a template with some arguments converts to one with others: those of one class do not for those of another
/// that is none of its bases.
fn applied(resolver: &Resolver<'_>, expected: &[Ty], actual: &[Ty]) -> i32 {
    let fits = expected.iter().zip(actual).map(|pair| match pair {
        (Ty::Instance(a, _), Ty::Instance(b, _)) if resolver.parts(*a).types.contains(b) => SAME,
        (Ty::Instance(a, _), Ty::Instance(b, _)) if resolver.is_subtype(*b, *a) => CONVERTED,
        (Ty::Instance(..), Ty::Instance(..)) => UNFIT,
        _ => SAME,
    });
    fits.min().unwrap_or(SAME)
}

fn is_char(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    matches!(ty, Ty::External(Some(name), _) if resolver.workspace.text(*name) == "char")
}

fn outside(resolver: &Resolver<'_>, expected: Name, actual: Name) -> i32 {
    if expected == actual {
        return SAME;
    }
    let (expected, actual) = (
        resolver.workspace.text(expected),
        resolver.workspace.text(actual),
    );
    match (sort(expected), sort(actual)) {
        _ if are_one(expected, actual) => SAME,
        (Some(a), Some(b)) if a == b => PROMOTED,
        (Some(_), Some(_)) => ARITHMETIC,
        _ if expected.ends_with("stream") && actual.ends_with("stream") => PROMOTED,
        _ => UNFIT,
    }
}

/// Names of one whole number each, where a `long` has 64 bits: a `size_t` is a `uint64_t`.
const NUMBERS: [&[&str]; 8] = [
    &[
        "unsigned long",
        "unsigned long int",
        "size_t",
        "uint64_t",
        "uintptr_t",
        "uintmax_t",
    ],
    &[
        "long",
        "long int",
        "ssize_t",
        "ptrdiff_t",
        "int64_t",
        "intptr_t",
        "intmax_t",
    ],
    &["unsigned", "unsigned int", "uint32_t"],
    &["int", "signed", "signed int", "int32_t"],
    &["unsigned short", "unsigned short int", "uint16_t"],
    &["short", "short int", "int16_t"],
    &["unsigned char", "uint8_t"],
    &["signed char", "int8_t"],
];

/// Whether two names are of one number.
fn are_one(a: &str, b: &str) -> bool {
    NUMBERS
        .iter()
        .any(|names| names.contains(&a) && names.contains(&b))
}

/// Whether a type of this name from outside is a number.
pub(super) fn is_arithmetic(name: &str) -> bool {
    sort(name).is_some()
}

/// Which arithmetic types convert to one another without loss of sense.
fn sort(name: &str) -> Option<u8> {
    let is_whole = |word: &str| {
        matches!(
            word,
            "int" | "long" | "short" | "unsigned" | "signed" | "size_t" | "ssize_t" | "ptrdiff_t"
        ) || word.ends_with("_t") && (word.starts_with("int") || word.starts_with("uint"))
    };
    match name {
        "bool" => Some(0),
        "char" | "wchar_t" | "char16_t" | "char32_t" | "unsigned char" | "signed char" => Some(1),
        "float" | "double" | "long double" => Some(2),
        _ if name.split_whitespace().all(is_whole) => Some(3),
        _ => None,
    }
}
