//! Macros that the C and C++ grammars cannot know, blanked out before parsing.
//!
//! `class EXPORT Store {`, `int size GUARDED_BY(mutex);` and a lone `UPROPERTY(Edit)` are C++ only
//! after the preprocessor ran. Left as they are, the first makes a whole class unreadable to the
//! parser. Spaces in their place keep every offset, and the tree is that of what the author means.
//!
//! One pass over the tokens decides by what stands before and after a name in capitals. Nothing is
//! blanked in directives, strings and comments.

use std::borrow::Cow;
use std::ops::Range;

use crate::Language;

mod conditions;
mod csharp;
mod csharp_tokens;
mod tokens;

pub(crate) use conditions::conditions;
use tokens::Tokens;

/// `text` as its language's parser should see it: same length, same offsets.
pub(crate) fn readable(language: Language, text: &str) -> Cow<'_, str> {
    match language {
        Language::C | Language::Cpp => without_preprocessor(text),
        Language::CSharp => blank(text, &csharp::directives(text)),
        _ => Cow::Borrowed(text),
    }
}

/// Each step sees what the one before it left.
fn without_preprocessor(text: &str) -> Cow<'_, str> {
    type Step = fn(&str) -> Vec<Range<usize>>;
    const STEPS: [Step; 3] = [linkage, conditions, macros];
    STEPS.iter().fold(Cow::Borrowed(text), |text, step| {
        let ranges = step(&text);
        if ranges.is_empty() {
            text
        } else {
            Cow::Owned(blank(&text, &ranges).into_owned())
        }
    })
}

/// `text` with the bytes of `ranges` as spaces; line breaks stay.
pub(crate) fn blank<'a>(text: &'a str, ranges: &[Range<usize>]) -> Cow<'a, str> {
    if ranges.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range.clone()).unwrap_or_default() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Whole characters were replaced, so it is still UTF-8; if not, the text is left as it was.
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The macros of a C or C++ text.
fn macros(text: &str) -> Vec<Range<usize>> {
    let mut scan = Scan {
        tokens: Tokens::new(text),
        text,
        before: Before::Start,
        previous: "",
        heads: Vec::new(),
        out: Vec::new(),
    };
    scan.run();
    scan.out
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

/// What the tokens before the current one are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// A statement or declaration may begin here.
    Start,
    /// `class`, `struct`, `union`, `enum`.
    ClassKey,
    /// A specifier that a declaration begins with: `static`, `virtual`.
    Specifier,
    /// A parenthesis that closed a parameter list rather than a condition.
    Parameters,
    /// A name, a type, or a bracket that closed.
    Name,
    /// Anything else.
    Other,
}

struct Scan<'a> {
    tokens: Tokens<'a>,
    text: &'a str,
    before: Before,
    /// The token before the current one.
    previous: &'a str,
    /// For every open parenthesis: whether what stands before it makes it a condition.
    heads: Vec<bool>,
    out: Vec<Range<usize>>,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        while let Some(token) = self.tokens.next() {
            let word = &self.text[token.clone()];
            if word == "[" && self.before == Before::ClassKey {
                self.attribute(token.start); // `enum class [[nodiscard]] Error`
                continue;
            }
            if is_shouted(word) {
                let end = macro_end(self.text, token.end);
                if let Some(open) = self.around_type(word, &token, end) {
                    self.out.extend([token.start..open, end - 1..end]);
                    self.tokens.at = end;
                    self.before = Before::Name;
                    self.previous = "";
                    continue;
                }
                if self.is_noise(word, &token, end) {
                    self.out.push(token.start..end);
                    self.tokens.at = end;
                    continue; // what stands before it stands before what follows
                }
            }
            self.advance(word);
        }
    }

    fn attribute(&mut self, start: usize) {
        let end = self.tokens.past(start, b"]]");
        if end - start < 200 {
            self.out.push(start..end);
            self.tokens.at = end;
        }
    }

    /// Updates the state with a token that stays.
    fn advance(&mut self, word: &'a str) {
        self.before = match word {
            ";" | "{" | "}" => Before::Start,
            ":" if matches!(self.previous, "public" | "private" | "protected") => Before::Start,
            "class" | "struct" | "union" | "enum" => Before::ClassKey,
            "static" | "extern" | "virtual" | "inline" | "explicit" | "constexpr" | "friend"
            | "typedef" => Before::Specifier,
            "(" => {
                let condition = matches!(self.previous, "if" | "while" | "for" | "switch");
                self.heads.push(condition);
                Before::Other
            }
            ")" if self.heads.pop() == Some(true) => Before::Start,
            ")" => Before::Parameters,
            "const" | "noexcept" | "override" | "final" if self.before == Before::Parameters => {
                Before::Parameters
            }
            "]" | ">" => Before::Name,
            "return" | "else" | "case" | "operator" | "new" | "delete" => Before::Other,
            word if is_name(word) => Before::Name,
            _ => Before::Other,
        };
        self.previous = word;
    }

    /// `EXPORTED(const char *) name(`: the macro is noise but what it is given is the function's type. Where
    /// that begins.
    fn around_type(&self, word: &str, token: &Range<usize>, end: usize) -> Option<usize> {
        if !matches!(self.before, Before::Start | Before::Specifier) || end == token.end {
            return None;
        }
        let mut after = Tokens::at(self.text, end);
        let name = after.next().map_or("", |range| &self.text[range]);
        let second = after.next().map_or("", |range| &self.text[range]);
        if !is_name(name) || second != "(" {
            return None;
        }
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        let mut is_plain = is_specifier_name(word);
        for range in Tokens::at(self.text, open) {
            if range.start >= end - 1 {
                break;
            }
            match &self.text[range] {
                "*" | "const" | "void" | "int" | "char" | "long" | "unsigned" | "double"
                | "float" | "bool" | "struct" | "short" | "signed" => is_plain = true,
                "::" | "&" => {}
                word if is_name(word) => {}
                _ => return None,
            }
        }
        is_plain.then_some(open)
    }

    fn is_noise(&self, word: &str, token: &Range<usize>, end: usize) -> bool {
        let mut after = Tokens::at(self.text, end);
        let next_range = after.next().unwrap_or(end..end);
        let next = &self.text[next_range.clone()];
        let second = after.next().map_or("", |range| &self.text[range]);
        let has_arguments = end > token.end;
        match self.before {
            Before::ClassKey => {
                is_name(next) && matches!(second, "{" | ":" | "final" | "<" | "::")
                    || is_name(next) && second == ";" && is_specifier_name(word)
            }
            Before::Start | Before::Specifier if is_specifier_name(word) => {
                is_name(next) || matches!(next, "~" | "::" | "[") && !has_arguments
            }
            Before::Start => {
                let breaks = self.text[end..next_range.start].contains('\n');
                let starts_line = self.starts_line(token.start);
                breaks && starts_line && (is_name(next) || matches!(next, "~" | "}" | "::" | "["))
            }
            Before::Parameters => {
                matches!(
                    next,
                    ";" | "{" | "=" | "override" | "final" | "const" | "noexcept"
                ) || is_shouted(next)
            }
            // `BOOL WINAPI Open(`
            Before::Name | Before::Other if !has_arguments && is_name(next) && second == "(" => {
                (self.before == Before::Name || self.previous == "*")
                    && !is_qualifier(self.previous)
            }
            Before::Name => {
                has_arguments
                    && is_annotation(word)
                    && (matches!(next, ";" | "{" | "=" | ",") || is_shouted(next))
            }
            Before::Specifier | Before::Other => false,
        }
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r', '{', ';'])
    }
}

/// Where a macro ends: behind its arguments, if it has any.
fn macro_end(text: &str, name_end: usize) -> usize {
    let rest = &text[name_end..];
    let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    if !rest[gap..].starts_with('(') {
        return name_end;
    }
    let mut depth = 0;
    let mut tokens = Tokens::at(text, name_end);
    // Arguments of macros like these are short; a runaway parenthesis is none of them.
    for token in tokens.by_ref().take(64) {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" => depth -= 1,
            "{" | "}" | ";" => return name_end,
            _ => {}
        }
        if depth == 0 {
            return token.end;
        }
    }
    name_end
}

/// Names in capitals: what macros are called.
fn is_shouted(word: &str) -> bool {
    word.len() >= 3
        && word
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && word.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Words that stand before a type and are none.
fn is_qualifier(word: &str) -> bool {
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
fn is_specifier_name(word: &str) -> bool {
    const ENDINGS: [&str; 16] = [
        "API",
        "EXPORT",
        "EXPORTS",
        "EXTERN",
        "IMPORT",
        "INLINE",
        "NOINLINE",
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
    word.rsplit('_')
        .next()
        .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// Macros behind a variable: those of clang's thread safety analysis and their like.
fn is_annotation(word: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn blanked(text: &str) -> String {
        without_preprocessor(text).into_owned()
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
    fn export_macros_of_classes_and_functions_go() {
        check(
            "class LEVELDB_EXPORT DB : public Base {",
            "class DB : public Base {",
        );
        check("struct ALIGN(16) Vec final {};", "struct Vec final {};");
        check("FOO_API int open(void);", "int open(void);");
        check("static FOO_INLINE int size();", "static int size();");
        check("class CORE_API Later;", "class Later;");
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
    fn types_names_and_tests_in_capitals_stay() {
        for text in [
            "const HRESULT Open(HWND window);",
            "static const UINT COUNT(int a);",
            "BOOL done;",
            "struct STAT info;",
            "TEST(Store, Opens) { }",
            "int MAX_SIZE = 1;",
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
