//! What names in C and C++ are, by how they are written.

/// Names in capitals: what macros are called.
pub(super) fn is_shouted(word: &str) -> bool {
    word.len() >= 3
        && word
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
}

/// Whether a token is a name.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Types that are words of the language.
pub(super) fn is_plain_type(word: &str) -> bool {
    matches!(
        word,
        "bool" | "char" | "double" | "float" | "int" | "long" | "short" | "signed" | "unsigned"
    )
}

/// Whether a token is a name that is no word of the language.
pub(super) fn is_own_name(word: &str) -> bool {
    is_name(word) && !stands_behind_pointer(word) && !stands_behind_operand(word)
}

/// Words that a declaration begins with, which say how and where it is kept.
pub(super) fn is_specifier(word: &str) -> bool {
    matches!(
        word,
        "static" | "extern" | "virtual" | "inline" | "explicit" | "constexpr" | "friend"
    )
}

/// Words that begin a declaration or its type, where no other type can stand before them.
pub(super) fn begins_declaration(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "int"
            | "char"
            | "bool"
            | "auto"
            | "float"
            | "double"
            | "static"
            | "inline"
            | "constexpr"
            | "virtual"
            | "explicit"
            | "friend"
            | "extern"
            | "typedef"
            | "template"
            | "struct"
            | "class"
            | "union"
            | "enum"
            | "using"
    )
}

/// Words that stand before a type and are none.
pub(super) fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "" | "const"
            | "volatile"
            | "typename"
            | "register"
            | "mutable"
            | "auto"
            | "using"
            | "namespace"
            | "goto"
            | "throw"
            | "sizeof"
            | "consteval"
            | "constinit"
            | "thread_local"
            | "restrict"
            | "override"
            | "final"
    ) || word.starts_with("__")
}

/// Macros that stand before a declaration: linkage, inlining, deprecation.
pub(super) fn is_specifier_name(word: &str) -> bool {
    const ENDINGS: [&str; 17] = [
        "API",
        "EXPORT",
        "EXPORTS",
        "EXTERN",
        "IMPORT",
        "INLINE",
        "NOINLINE",
        "FORCEINLINE",
        "DEPRECATED",
        "NODISCARD",
        "PUBLIC",
        "VISIBLE",
        "UNUSED",
        "NORETURN",
        "DLL",
        "CONSTEXPR",
        "LOCAL",
    ];
    // The version of the language is part of some: `FOO_CONSTEXPR20`.
    let word = word.trim_end_matches(|last: char| last.is_ascii_digit());
    word.rsplit('_')
        .next()
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Macros in small letters that stand before a declaration: `really_inline`.
pub(super) fn is_inline_name(word: &str) -> bool {
    let is_ending = |ending| {
        matches!(
            ending,
            "inline" | "noinline" | "forceinline" | "constexpr" | "noreturn" | "nodiscard"
        )
    };
    word.rsplit_once('_')
        .is_some_and(|(_, ending)| is_ending(ending))
}

/// Macros behind a variable: those of clang's thread safety analysis and their like.
pub(super) fn is_annotation(word: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "GUARDED_BY",
        "REQUIRED",
        "REQUIRES",
        "EXCLUDED",
        "EXCLUDES",
        "ACQUIRE",
        "RELEASE",
        "ACQUIRED_AFTER",
        "ACQUIRED_BEFORE",
        "CAPABILITY",
        "ATTRIBUTE",
        "ALIGNED",
        "DEPRECATED",
        "ANALYSIS",
    ];
    ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// What pointers of other systems are qualified by: nothing, nowadays.
pub(super) fn is_memory_model(word: &str) -> bool {
    matches!(word, "FAR" | "NEAR" | "HUGE")
}

/// Words of the language that another word may follow behind `*` or `&`.
pub(super) fn stands_behind_pointer(word: &str) -> bool {
    is_qualifier(word)
        || begins_declaration(word)
        || is_plain_type(word)
        || matches!(
            word,
            "noexcept"
                | "requires"
                | "alignof"
                | "new"
                | "delete"
                | "not"
                | "compl"
                | "typeid"
                | "decltype"
                | "operator"
                | "co_await"
                | "co_yield"
                | "case"
                | "return"
                | "if"
                | "for"
                | "while"
                | "do"
                | "else"
                | "switch"
                | "asm"
                | "try"
                | "this"
                | "defined"
        )
}

/// Words of the language that stand behind an operand: `a & b and c`.
pub(super) fn stands_behind_operand(word: &str) -> bool {
    matches!(
        word,
        "and"
            | "or"
            | "xor"
            | "bitand"
            | "bitor"
            | "not_eq"
            | "and_eq"
            | "or_eq"
            | "xor_eq"
            | "requires"
            | "in"
            | "if"
            | "try"
    )
}
