//! Preprocessing of C and C++: what only their preprocessor knows is blanked.

mod conditional_branches;
mod macro_words;
mod macros;
mod modules;
mod newest;
mod tokens;

use std::borrow::Cow;
use std::ops::Range;

use self::macros::macros;
use super::blank::blank;

pub(crate) use self::conditional_branches::conditions;

/// Where the macro with arguments ends that a text begins with; none where it begins otherwise.
pub(crate) fn macro_with_arguments(text: &str) -> Option<usize> {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = text.find(|c| !is_of_name(c)).unwrap_or(text.len());
    let end = macros::macro_end(text, name);
    (macro_words::is_shouted(&text[..name]) && end > name).then_some(end)
}

/// `text` as its parser should see it: same length, same offsets. Each step sees what the one before it left.
pub(super) fn preprocess(text: &str, is_cpp: bool) -> Cow<'_, str> {
    match newest::in_older_words(text, is_cpp) {
        Cow::Borrowed(text) => without_macros(text, is_cpp),
        Cow::Owned(text) => Cow::Owned(without_macros(&text, is_cpp).into_owned()),
    }
}

/// The same of what is in words that the grammars know.
fn without_macros(text: &str, is_cpp: bool) -> Cow<'_, str> {
    let mut unread = linkage(text);
    if is_cpp {
        unread.extend(modules::unread(text));
    }
    unread.extend(prose(text));
    unread.extend(references(text));
    unread.sort_by_key(|range| range.start);
    let text = match blank(text, &unread) {
        Cow::Borrowed(text) => conditional_branches::without_conditions(text),
        Cow::Owned(text) => {
            Cow::Owned(conditional_branches::without_conditions(&text).into_owned())
        }
    };
    let found = macros(&text);
    let words = [("if", &found.branches), ("auto", &found.results)];
    let has_words = words.iter().any(|(_, names)| !names.is_empty());
    if found.noise.is_empty() && found.conditions.is_empty() && !has_words {
        return text;
    }
    let mut blanked = blank(&text, &found.noise).into_owned();
    for (word, names) in words {
        for name in names {
            let width = name.len();
            blanked.replace_range(name.clone(), &format!("{word:<width$}"));
        }
    }
    Cow::Owned(with_defaults(blanked, &found.conditions))
}

/// `template <ENABLE_IF(a<b>::value && !c)>` with the condition as the default of a parameter, which it is in
/// the end: the grammar reads it then, and the names in it. The ranges are those of the macros' names.
fn with_defaults(mut text: String, names: &[Range<usize>]) -> String {
    for name in names {
        // They are longer than the type: it takes as many bytes.
        let width = name.len().saturating_sub(1);
        text.replace_range(name.clone(), &format!("{:<width$}=", "bool"));
    }
    text
}

/// `extern "C" {` and `}` between `#ifdef __cplusplus` and `#endif`: brackets that the parser, which
/// sees both branches of every condition, cannot match.
fn linkage(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    for at in memchr::memmem::find_iter(text.as_bytes(), b"__cplusplus") {
        let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        if at - line_start > 40 || !text[line_start..].trim_start().starts_with("#if") {
            continue;
        }
        let Some(start) = text[at..].find('\n').map(|end| at + end + 1) else {
            continue;
        };
        let Some(length) = text[start..]
            .bytes()
            .take(200)
            .position(|byte| byte == b'#')
        else {
            continue;
        };
        let inside = text[start..start + length].split_whitespace();
        if matches!(
            inside.collect::<String>().as_str(),
            "extern\"C\"{" | "}" | "};"
        ) {
            out.push(start..start + length);
        }
    }
    out
}

/// A sentence that is all of a branch: what a compiler is to stumble over where nobody has set a thing up.
fn prose(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    const FEWEST_WORDS: usize = 3;
    let is_of_words = |line: &str| {
        let is_of_word =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | ',' | '.' | '\'' | '-');
        line.starts_with(char::is_alphabetic)
            && line.chars().all(is_of_word)
            && line.split_whitespace().count() >= FEWEST_WORDS
    };
    memchr::memmem::find_iter(text.as_bytes(), b"\n#").filter_map(move |end| {
        let before = text[..end].trim_ascii_end();
        let line = before.strip_suffix('.')?.rfind('\n')? + 1;
        let above = text[..line].trim_ascii_end();
        let directive = &above[above.rfind('\n').map_or(0, |end| end + 1)..];
        let is_all = directive.starts_with("#if") || directive.starts_with("#el");
        (is_all && is_of_words(text[line..end].trim_ascii())).then_some(line..end)
    })
}

/// The `&` of a variable that is given what a call's member is, `const A& a(b().c());`: the grammar takes that for a
/// function, and reads `A a(b().c());` as what it is.
fn references(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    memchr::memchr_iter(b'&', text.as_bytes())
        .filter(|at| is_variable(&text[..*at], &text[at + 1..]))
        .map(|at| at..at + 1)
}

/// Whether what stands before and behind an `&` declares a reference and gives it a value that has a member.
fn is_variable(before: &str, behind: &str) -> bool {
    const LONGEST: usize = 200;
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let behind = behind.trim_start_matches(' ');
    let value = behind.trim_start_matches(is_name);
    if value.len() == behind.len() || !value.starts_with('(') {
        return false;
    }
    let value = &value.as_bytes()[..value.len().min(LONGEST)];
    let Some(end) = value.iter().position(|byte| *byte == b';') else {
        return false;
    };
    let value = value[..end].trim_ascii_end();
    let has = |part: &[u8]| memchr::memmem::find(value, part).is_some();
    value.ends_with(b")")
        && (has(b").") || has(b"->"))
        && !value.iter().any(|byte| matches!(byte, b'=' | b'{' | b'"'))
        && begins_with_type(before)
}

/// Whether a line begins with a type, behind the end of something, and has nothing else.
fn begins_with_type(before: &str) -> bool {
    const OTHERS: [&str; 7] = [
        "case",
        "co_return",
        "delete",
        "else",
        "goto",
        "return",
        "throw",
    ];
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let (above, ty) = (before[..line].trim_ascii_end(), before[line..].trim());
    let is_of_type =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '<' | '>' | ',' | ' ');
    let first = ty.split(' ').next().unwrap_or_default();
    ty.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && ty.chars().all(is_of_type)
        && !OTHERS.contains(&first)
        && above.ends_with([';', '{', '}'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(text: &str) -> String {
        preprocess(text, true).into_owned()
    }

    /// What remains, with white space collapsed.
    fn check(text: &str, expected: &str) {
        let out = blanked(text);
        assert_eq!(out.len(), text.len());
        assert_eq!(
            out.split_whitespace().collect::<Vec<_>>().join(" "),
            expected
        );
    }

    #[test]
    fn a_sentence_between_directives_goes() {
        check(
            "#if A + B != 1\nExactly one of A, B, or C should be defined.\n#endif\ntypedef union { double d; } U;",
            "#if A + B != 1 #endif typedef union { double d; } U;",
        );
        check("#if A\nint f(int a\n#endif\n);", "int f(int a );");
    }

    #[test]
    fn references_with_a_value_are_no_functions() {
        check(
            "{\n const S::B& buf(stream().buffer());\n}",
            "{ const S::B buf(stream().buffer()); }",
        );
        check(
            "{\n std::vector<T> &a(b->c);\n}",
            "{ std::vector<T> a(b->c); }",
        );
        for text in [
            "{\n return a & b(c().d());\n}",
            "{\n B& get(int a = b().c());\n}",
            "{\n x = a & b(c().d());\n}",
            "{\n A& get(const B&);\n}",
        ] {
            assert_eq!(blanked(text), text);
        }
    }

    #[test]
    fn export_macros_of_classes_and_functions_go() {
        check(
            "class LEVELDB_EXPORT DB : public Base {",
            "class DB : public Base {",
        );
        check("struct ALIGN(16) Vec final {};", "struct Vec final {};");
        check(
            "class FOO_API FOO_OLD(\"a { b\") Vec : public A {};",
            "class Vec : public A {};",
        );
        check("FOO_API int open(void);", "int open(void);");
        check("static FOO_INLINE int size();", "static int size();");
        check("class CORE_API Later;", "class Later;");
        check("class FOO_API [[nodiscard]] A {", "class A {");
        check("HRESULT WINAPI Open(HWND w);", "HRESULT Open(HWND w);");
        check("void * FOO_CDECL get(int a);", "void * get(int a);");
        check(
            "FOO_PUBLIC(const char *) name(int a);",
            "const char * name(int a);",
        );
        check("FOO_PUBLIC(foo_bool) is(int a) {", "foo_bool is(int a) {");
        check("FOO_DEPRECATED(since) int is(int a);", "int is(int a);");
    }

    #[test]
    fn macros_around_heads_go() {
        check(
            "UV_UNUSED(static int size(int fd, struct stat* s)) { }",
            "static int size(int fd, struct stat* s) { }",
        );
        check(
            "HEAP_EXPORT(void heap_init(struct heap* heap));\nint a;",
            "void heap_init(struct heap* heap) ; int a;",
        );
        for text in [
            "TEST(size(a)) { }",
            "ASSERT(int(a));",
            "CALL(int (*f)(void));",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn qualifiers_of_pointers_go() {
        check("unsigned char FAR *a;", "unsigned char *a;");
        check(
            "typedef node FAR *node_p; typedef Byte FAR Bytef; typedef void FAR *p;",
            "typedef node *node_p; typedef Byte Bytef; typedef void *p;",
        );
        check("int f(node FAR *a, T B *c);", "int f(node *a, T B *c);");
        check(
            "struct A { node FAR *a; };\nlocal TREE *b;",
            "struct A { node *a; }; local TREE *b;",
        );
    }

    #[test]
    fn casts_are_no_parameters() {
        for text in [
            "int a = (TMS)GET_C(i);",
            "a->b = (Pos *) ALLOC(c, sizeof(Pos));",
            "return (int) SIZE(a);",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn annotations_behind_go() {
        check("int size GUARDED_BY(mutex_) = 1;", "int size = 1;");
        check("void run() EXCLUSIVE_LOCKS_REQUIRED(m);", "void run() ;");
        check("void run() const FOO_NOEXCEPT { }", "void run() const { }");
        check("map<K, V> all_ GUARDED_BY(mutex_);", "map<K, V> all_ ;");
    }

    #[test]
    fn macros_on_their_own_line_go() {
        check(
            "UCLASS(Blueprintable)\nclass A {\n Q_OBJECT\n UPROPERTY(Edit, meta = (X = \"1\"))\n int x;\n};",
            "class A { int x; };",
        );
    }

    #[test]
    fn macros_behind_enumerators_go() {
        check(
            "UENUM()\nenum class EMode : uint8\n{\n Off UMETA(DisplayName = \"Off\"),\n On = 1 UMETA(Hidden),\n \
             LAST = FLAG(3) DEPRECATED UMETA(Hidden)\n};",
            "enum class EMode : uint8 { Off , On = 1 , LAST = FLAG(3) };",
        );
        check(
            "enum E { A = SIZE(int), B = C | D(1) };\nint f(enum E e) { return A MINUS(1); }",
            "enum E { A = SIZE(int), B = C | D(1) }; int f(enum E e) { return A MINUS(1); }",
        );
    }

    #[test]
    fn linkage_blocks_and_attributes_go() {
        let text =
            "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n";
        check(
            text,
            "#ifdef __cplusplus #endif int a; #ifdef __cplusplus #endif",
        );
        check(
            "enum class [[nodiscard]] E : int { A };",
            "enum class E : int { A };",
        );
    }

    #[test]
    fn macros_behind_the_parameters_of_a_template_go() {
        check(
            "template <typename A, int B = (1 > 2)>\nFOO_FUNC void S<A>::run() {}",
            "template <typename A, int B = (1 > 2)> void S<A>::run() {}",
        );
        check(
            "template <class A>\nvoid FOO_INLINE ns::S<A>::run(ns::B b) {}",
            "template <class A> void ns::S<A>::run(ns::B b) {}",
        );
        check(
            "template <template <class> class A>\nFOO_FORCEINLINE FOO_SAFE static int a();",
            "template <template <class> class A> static int a();",
        );
        check(
            "template FOO_API a::B a::make<int>();",
            "template a::B a::make<int>();",
        );
        check("FOO_ANY a::S<A>::S(int a) {}", "a::S<A>::S(int a) {}");
        check("void FOO_INLINE S<A>::run() {}", "void S<A>::run() {}");
        check("FOO_VARIABLE struct S {};", "struct S {};");
        check("virtual FOO_20 void f() = 0;", "virtual void f() = 0;");
        check("FOO_CONSTEXPR20 ~S() {}", "~S() {}");
        check("[[noreturn]] FOO_ANY void f();", "[[noreturn]] void f();");
        check(
            "FOO_ANY a::B<c::D, 3> &get(int a);\nFOO_ANY a::B *b = c;",
            "a::B<c::D, 3> &get(int a); a::B *b = c;",
        );
        check(
            "void f() {\n FOO_TRY {\n g();\n } FOO_CATCH(x)\n}",
            "void f() { { g(); } }",
        );
        check(
            "S::S(int a) FOO_NOEXCEPT : a_(a) {}",
            "S::S(int a) : a_(a) {}",
        );
        check(
            "enum type UNDERLYING(unsigned char){none};",
            "enum type {none};",
        );
    }

    #[test]
    fn values_before_a_body_go() {
        check(
            "SPEC(\"opens\", \"[io]\") {\n STEP(\"reads\") { a(); }\n}",
            "SPEC( ) { STEP( ) { a(); } }",
        );
        check(
            "SPEC_OF(Fixture, u8\"opens, twice)\", Mode) { }",
            "SPEC_OF(Fixture, Mode) { }",
        );
        check(
            "SPEC_OF(Fixture, \"a\", \"b\") { }",
            "SPEC_OF(Fixture ) { }",
        );
        check("SPEC(R\"(a)\" \"b\" * skip(1)) { }", "SPEC( ) { }");
        check("when(\"opened\") { a(); }", "when( ) { a(); }");
        check(
            "Spec(suite, opens, .init = setup) { }",
            "Spec(suite, opens ) { }",
        );
        check("FIRST(a) {\n}\nLAST\n", "FIRST(a) { }");
        for text in [
            "void f() { if (\"a\") { } while (1) { } }",
            "A::A() : b(\"c\") { }",
            "A a(\"b\");",
            "return a(\"b\");",
            "f(\"a\") + 1;",
            "EACH(a, b->c) { d(); }",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn types_among_values_go() {
        check(
            "A_FLAG(int, size, 8 << 2,\n  \"How many.\");\nint a;",
            "A_FLAG( size, 8 << 2, \"How many.\"); int a;",
        );
        check(
            "FOO_CAPTURE(bm, void, char*, foo, 24UL);\nint a;",
            "FOO_CAPTURE(bm, foo, 24UL); int a;",
        );
        check(
            "A_CALL(int, a);\nB_CALL(a, 8);",
            "A_CALL(int, a); B_CALL(a, 8);",
        );
        check("A_RETURN(void, );\nint a;", "A_RETURN( ); int a;");
        check("A_RETURN(void);\nint a;", "A_RETURN(void); int a;");
        check("f(A_SIZE(int, 8));", "f(A_SIZE(int, 8));");
    }

    #[test]
    fn conditions_of_templates_are_defaults_of_parameters() {
        check(
            "template <typename A, ENABLE_IF(!is<A>::value && !b), REQUIRES_2(c) = 0> A f();",
            "template <typename A, bool =(!is<A>::value && !b), bool =(c) = 0> A f();",
        );
        check("f<A, MAX_OF(1, 2)>(a);", "f<A, MAX_OF(1, 2)>(a);");
    }

    #[test]
    fn types_names_and_tests_in_capitals_stay() {
        for text in [
            "const HRESULT Open(HWND window);",
            "static const UINT COUNT(int a);",
            "BOOL done;",
            "struct STAT info;",
            "TEST(Store, Opens) { }",
            "int MAX_SIZE = 1;",
            "UINT a, b;",
            "NODE *next(NODE *a);",
            "NODE const *next(NODE *a);",
            "DWORD __stdcall next(int a);",
            "return NODE {1};",
            "static UINT COUNT(int a);",
            "return FOO(x);",
            "FOO(x);",
            "enum { FIRST, SECOND };",
            "typedef struct NODE { int A; } NODE;",
            "#define FOO_API int\nint a = 1'000;",
            "const char* s = \"class FOO_API X {\"; // class FOO_API X {",
        ] {
            assert_eq!(blanked(text), text);
        }
    }
}
