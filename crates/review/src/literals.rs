//! Whether a literal is provably none of what a parameter takes.

use codecortex_syntax::Language;

use crate::parameters::{Parameter, Way, checked};

/// What a literal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Literal {
    Text,
    Integer,
    Fraction,
    Truth,
    Nothing,
}

/// What a type of a language takes of literals, so far as it takes no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LiteralFit {
    /// Ids of languages.
    languages: &'static [&'static str],
    types: &'static [&'static str],
    literals: &'static [Literal],
}

/// Types that a language itself has. A type that is not here may be anything.
const TYPES: &[LiteralFit] = &[
    LiteralFit {
        languages: &["typescript", "typescriptreact"],
        types: &["string"],
        literals: &[Literal::Text, Literal::Nothing],
    },
    LiteralFit {
        languages: &["typescript", "typescriptreact"],
        types: &["number"],
        literals: &[Literal::Integer, Literal::Fraction, Literal::Nothing],
    },
    LiteralFit {
        languages: &["typescript", "typescriptreact"],
        types: &["boolean"],
        literals: &[Literal::Truth, Literal::Nothing],
    },
    LiteralFit {
        languages: &["go"],
        types: &["string"],
        literals: &[Literal::Text],
    },
    LiteralFit {
        languages: &["go"],
        types: &[
            "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32",
            "uint64", "uintptr", "byte", "rune", "float32", "float64",
        ],
        // `1.0` is an integer, too.
        literals: &[Literal::Integer, Literal::Fraction],
    },
    LiteralFit {
        languages: &["go"],
        types: &["bool"],
        literals: &[Literal::Truth],
    },
    LiteralFit {
        languages: &["rust"],
        types: &["&str", "&static str"],
        literals: &[Literal::Text],
    },
    LiteralFit {
        languages: &["rust"],
        types: &["String"],
        literals: &[],
    },
    LiteralFit {
        languages: &["rust"],
        types: &[
            "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
        ],
        literals: &[Literal::Integer],
    },
    LiteralFit {
        languages: &["rust"],
        types: &["f32", "f64"],
        literals: &[Literal::Fraction],
    },
    LiteralFit {
        languages: &["rust"],
        types: &["bool"],
        literals: &[Literal::Truth],
    },
    LiteralFit {
        languages: &["java", "csharp"],
        types: &["String", "string"],
        literals: &[Literal::Text, Literal::Nothing],
    },
    LiteralFit {
        languages: &["java", "csharp"],
        types: &[
            "byte", "sbyte", "short", "ushort", "int", "uint", "long", "ulong",
        ],
        literals: &[Literal::Integer],
    },
    LiteralFit {
        languages: &["java", "csharp"],
        types: &["float", "double"],
        literals: &[Literal::Integer, Literal::Fraction],
    },
    LiteralFit {
        languages: &["java", "csharp"],
        types: &["boolean", "bool"],
        literals: &[Literal::Truth],
    },
    // Numbers, truth values and pointers to characters become one another, but no text becomes a number.
    LiteralFit {
        languages: &["c", "cpp"],
        types: &[
            "short",
            "int",
            "unsigned",
            "unsigned int",
            "long",
            "float",
            "double",
        ],
        literals: &[
            Literal::Integer,
            Literal::Fraction,
            Literal::Truth,
            Literal::Nothing,
        ],
    },
];

/// Whether what is given is a literal that a parameter surely does not take.
pub(crate) fn is_refused_literal(given: &str, of: &Parameter, language: Option<Language>) -> bool {
    let (Some(language), Way::Place) = (language, of.way) else {
        return false;
    };
    let id = language.info().id;
    // A type that may be nothing takes nothing, and a type of C# says so by a sign.
    let may_be_nothing = of.ty.ends_with('?') || of.is_optional;
    let ty = checked(&of.ty, Some(language));
    let mut types = TYPES.iter();
    let takes =
        types.find(|takes| takes.languages.contains(&id) && takes.types.contains(&ty.trim()));
    match (takes, literal(given, id)) {
        (Some(_), Some(Literal::Nothing)) if may_be_nothing => false,
        (Some(takes), Some(literal)) => !takes.literals.contains(&literal),
        _ => false,
    }
}

/// Whether two types are the language's own and nothing of one is taken as the other without being told to.
pub(crate) fn are_apart(was: &str, is: &str, language: Option<Language>) -> bool {
    let Some(language) = language else {
        return false;
    };
    let id = language.info().id;
    let (was, is) = (was.trim(), is.trim());
    let takes = |ty: &str| {
        let mut types = TYPES.iter();
        types.find(|takes| takes.languages.contains(&id) && takes.types.contains(&ty))
    };
    // In some even numbers of other sizes are apart.
    let is_exact = matches!(id, "go" | "rust");
    let are_same = |was: &str, is: &str| {
        let strings = ["&str", "&static str"];
        was == is
            || strings.contains(&was) && strings.contains(&is)
            || go_alias(was) == go_alias(is)
    };
    takes(was).zip(takes(is)).is_some_and(|(a, b)| {
        let is_shared = |of: &&Literal| **of != Literal::Nothing && b.literals.contains(of);
        match is_exact {
            true => !are_same(was, is),
            false => !a.literals.iter().any(|of| is_shared(&of)),
        }
    })
}

/// Go's other names of two types.
fn go_alias(ty: &str) -> &str {
    match ty {
        "byte" => "uint8",
        "rune" => "int32",
        other => other,
    }
}

/// What a text is a literal of; nothing where it is more than one literal.
fn literal(given: &str, id: &str) -> Option<Literal> {
    match given {
        "true" | "false" => return Some(Literal::Truth),
        "null" | "nil" | "undefined" | "nullptr" => return Some(Literal::Nothing),
        _ => {}
    }
    let quotes: &[char] = match id {
        "typescript" | "typescriptreact" => &['"', '\'', '`'],
        "go" => &['"', '`'],
        // Between single ones stands one character, which is a number in some.
        _ => &['"'],
    };
    let mut letters = given.chars();
    let first = letters.next()?;
    if quotes.contains(&first) {
        return is_one_text(letters.as_str(), first).then_some(Literal::Text);
    }
    let digits = given.strip_prefix('-').unwrap_or(given);
    let is_number = |digits: &str| {
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || c == '_')
    };
    match digits.split_once('.') {
        None => is_number(digits).then_some(Literal::Integer),
        Some((whole, part)) => (is_number(whole) && is_number(part)).then_some(Literal::Fraction),
    }
}

/// Whether a text ends where the quotes that begin it are closed.
fn is_one_text(rest: &str, quote: char) -> bool {
    let mut is_escaped = false;
    for (at, c) in rest.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == quote => return at + c.len_utf8() == rest.len(),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    fn is_refused(path: &str, ty: &str, given: &str) -> bool {
        let of = Parameter {
            ty: ty.into(),
            ..Parameter::default()
        };
        is_refused_literal(given, &of, language_of_path(path))
    }

    #[test]
    fn a_literal_of_another_type_is_refused() {
        for (path, ty, given) in [
            ("a.ts", "string", "1"),
            ("a.tsx", "string", "1"),
            ("a.ts", "number", "'a'"),
            ("a.go", "string", "1"),
            ("a.go", "int", "\"a\""),
            ("a.go", "int", "nil"),
            ("a.rs", "String", "\"a\""),
            ("a.rs", "f64", "1"),
            ("a.java", "int", "\"a\""),
            ("a.java", "String", "-1"),
            ("a.java", "int", "1.5"),
            ("a.cs", "bool", "1"),
            ("a.cpp", "int", "\"a\""),
        ] {
            assert!(is_refused(path, ty, given), "{path}: {ty} takes {given}");
        }
    }

    #[test]
    fn types_of_the_language_are_apart_where_nothing_is_of_both() {
        for (path, was, is, are) in [
            ("a.go", "int", "int64", true),
            ("a.go", "byte", "uint8", false),
            ("a.rs", "&str", "String", true),
            ("a.rs", "u8", "usize", true),
            ("a.ts", "number", "string", true),
            ("a.ts", "number", "Wish", false),
            ("a.java", "int", "long", false),
            ("a.java", "String", "int", true),
            ("a.cpp", "int", "double", false),
            ("a.py", "int", "str", false),
        ] {
            assert_eq!(
                are_apart(was, is, language_of_path(path)),
                are,
                "{was} -> {is}"
            );
        }
    }

    #[test]
    fn what_may_be_taken_is_not() {
        for (path, ty, given) in [
            ("a.ts", "string", "`a`"),
            ("a.ts", "string | number", "1"),
            ("a.ts", "T", "1"),
            ("a.ts", "string", "a"),
            ("a.ts", "number", "1 + x"),
            ("a.ts", "string", "'a' as Name"),
            ("a.go", "float64", "1"),
            ("a.go", "any", "1"),
            ("a.go", "Name", "\"a\""),
            ("a.rs", "&'static str", "\"a\""),
            ("a.rs", "impl Into<String>", "\"a\""),
            ("a.java", "double", "1"),
            ("a.java", "Object", "1"),
            ("a.java", "int", "'a'"),
            ("a.cs", "string?", "null"),
            ("a.cs", "int?", "null"),
            ("a.cpp", "bool", "\"a\""),
            ("a.cpp", "std::string", "\"a\""),
            ("a.py", "int", "\"a\""),
        ] {
            assert!(!is_refused(path, ty, given), "{path}: {ty} refuses {given}");
        }
    }
}
