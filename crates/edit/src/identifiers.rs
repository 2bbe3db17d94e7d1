//! Names that a language allows: identifiers that are none of its reserved words.

use codecortex_bind::Dialect;

/// What is wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameProblem {
    /// It is empty, or has a character that no identifier of the language has there.
    NoIdentifier,
    /// The language reserves it.
    Keyword,
}

/// What makes a name unfit as an identifier of a language; nothing where it is fit.
#[must_use]
pub fn name_problem(dialect: Dialect, name: &str) -> Option<NameProblem> {
    let (prefix, rest) = match (dialect, name.strip_prefix('#')) {
        (Dialect::TypeScript | Dialect::JavaScript, Some(rest)) => ("#", rest),
        _ => ("", name),
    };
    let mut letters = rest.chars();
    let has_dollar = matches!(
        dialect,
        Dialect::TypeScript | Dialect::JavaScript | Dialect::Java
    );
    let is_first =
        |letter: char| letter == '_' || letter.is_alphabetic() || has_dollar && letter == '$';
    let is_next =
        |letter: char| is_first(letter) || letter.is_alphanumeric() || is_joining(dialect, letter);
    let is_identifier = letters.next().is_some_and(is_first) && letters.all(is_next);
    if !is_identifier {
        return Some(NameProblem::NoIdentifier);
    }
    let is_reserved = prefix.is_empty() && keywords(dialect).split(' ').any(|word| word == name);
    is_reserved.then_some(NameProblem::Keyword)
}

/// Marks that join to the letter before: combining characters of scripts other than Latin. Go has letters and digits
/// alone.
fn is_joining(dialect: Dialect, letter: char) -> bool {
    let is_mark = matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5c7}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{669}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{981}'..='\u{983}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{3099}' | '\u{309a}'
        | '\u{203f}' | '\u{2040}');
    is_mark && dialect != Dialect::Go
}

/// Reserved words, and words with a meaning of their own where a declaration may stand; separated by blanks.
fn keywords(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::TypeScript | Dialect::JavaScript => {
            "arguments await break case catch class const continue debugger default delete do else enum eval export \
             extends false finally for function if implements import in instanceof interface let new null package \
             private protected public return static super switch this throw true try typeof undefined var void while \
             with yield"
        }
        Dialect::Python => {
            "False None True and as assert async await break class continue def del elif else except finally for from \
             global if import in is lambda nonlocal not or pass raise return try while with yield"
        }
        Dialect::Rust => {
            "Self abstract as async await become box break const continue crate do dyn else enum extern false final fn \
             for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct \
             super trait true try type typeof union unsafe unsized use virtual where while yield _"
        }
        Dialect::Go => {
            "_ break case chan const continue default defer else fallthrough for func go goto if import interface map \
             package range return select struct switch type var init main"
        }
        Dialect::Java => {
            "_ abstract assert boolean break byte case catch char class const continue default do double else enum \
             extends false final finally float for goto if implements import instanceof int interface long native new \
             null package private protected public record return sealed short static strictfp super switch \
             synchronized this throw throws transient true try var void volatile while yield"
        }
        Dialect::CSharp => {
            "abstract as async await base bool break byte case catch char checked class const continue decimal default \
             delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit \
             in int interface internal is lock long namespace new null object operator out override params private \
             protected public readonly record ref return sbyte sealed short sizeof stackalloc static string struct \
             switch this throw true try typeof uint ulong unchecked unsafe ushort using value var virtual void volatile \
             when where while with yield field"
        }
        Dialect::C | Dialect::Cpp => {
            "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t \
             class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
             decltype default delete do double dynamic_cast else enum explicit export extern false final float for \
             friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq \
             override private protected public register reinterpret_cast requires restrict return short signed sizeof \
             static static_assert static_cast struct switch template this thread_local throw true try typedef typeid \
             typename union unsigned using virtual void volatile wchar_t while xor xor_eq _Alignas _Alignof _Atomic \
             _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local"
        }
        Dialect::AngelScript => {
            "abstract access and asset auto bool break case cast catch class const continue default delegate do double \
             else enum event explicit external fallthrough false final float float32 float64 for foreach from funcdef \
             function get if import in inout int int16 int32 int64 int8 interface is local mixin namespace not null \
             nullptr or out override private property protected return set shared struct super switch this true try \
             typedef uint uint16 uint32 uint64 uint8 void while xor"
        }
        Dialect::Named(_) => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_languages() {
        for dialect in [
            Dialect::TypeScript,
            Dialect::Python,
            Dialect::Rust,
            Dialect::Go,
            Dialect::Java,
            Dialect::CSharp,
            Dialect::Cpp,
            Dialect::AngelScript,
        ] {
            for bad in ["", "1a", "a-x", "a b", "a.b", " a", "é!"] {
                let problem = Some(NameProblem::NoIdentifier);
                assert_eq!(name_problem(dialect, bad), problem, "{dialect:?} {bad:?}");
            }
            for good in ["a", "_a1", "größe", "имя", "名前"] {
                assert_eq!(name_problem(dialect, good), None, "{dialect:?} {good:?}");
            }
        }
        let keyword = Some(NameProblem::Keyword);
        assert_eq!(name_problem(Dialect::Rust, "fn"), keyword);
        assert_eq!(name_problem(Dialect::Go, "func"), keyword);
        assert_eq!(name_problem(Dialect::Python, "class"), keyword);
        assert_eq!(name_problem(Dialect::Python, "func"), None);
        assert_eq!(name_problem(Dialect::TypeScript, "$a"), None);
        assert_eq!(name_problem(Dialect::TypeScript, "#a"), None);
        let none = Some(NameProblem::NoIdentifier);
        assert_eq!(name_problem(Dialect::Python, "$a"), none);
        assert_eq!(name_problem(Dialect::Python, "#a"), none);
    }
}
