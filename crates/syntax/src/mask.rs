//! What grammars cannot know, blanked out before parsing: macros of C and C++, directives of C#, and what
//! TypeScript's, Java's and Bash's read wrong.
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

mod bash;
mod conditions;
mod csharp;
mod csharp_arms;
mod csharp_heads;
mod csharp_tokens;
mod java;
mod tokens;
mod typescript;

pub(crate) use conditions::conditions;
use tokens::Tokens;

/// `text` as its language's parser should see it: same length, same offsets.
pub(crate) fn readable(language: Language, text: &str) -> Cow<'_, str> {
    match language {
        Language::C | Language::Cpp => without_preprocessor(text),
        Language::CSharp => csharp::readable(text),
        Language::TypeScript | Language::Tsx => {
            typescript::readable(text).map_or(Cow::Borrowed(text), Cow::Owned)
        }
        Language::Java => java::readable(text).map_or(Cow::Borrowed(text), Cow::Owned),
        Language::Bash => bash::readable(text).map_or(Cow::Borrowed(text), Cow::Owned),
        _ => Cow::Borrowed(text),
    }
}

/// Whether finding out what is readable takes all of a text's tokens, so that what was found is worth keeping.
pub(crate) fn is_scanned(language: Language, text: &str) -> bool {
    language == Language::CSharp && csharp::may_blank(text)
}

/// Whether an edit leaves what is blanked of a text what it was, by what was readable `before` it: bytes were
/// replaced, up to an end that is another now.
pub(crate) fn keeps(
    language: Language,
    before: &str,
    text: &str,
    replaced: Range<usize>,
    new_end: usize,
) -> bool {
    language == Language::CSharp && csharp::keeps(before, text, replaced, new_end)
}

/// Whether a text is readable as it is, if it was before an edit, by what is around the bytes that came with that. False
/// where it takes the whole text to know.
pub(crate) fn stays_readable(language: Language, text: &str, new: Range<usize>) -> bool {
    match language {
        Language::C | Language::Cpp | Language::Java | Language::Bash => false,
        Language::CSharp => csharp::stays_readable(text, new),
        Language::TypeScript | Language::Tsx => typescript::stays_readable(text, new),
        _ => true,
    }
}

/// The lines that some bytes are in, without the last one's end.
fn lines_around(text: &str, bytes: Range<usize>) -> Range<usize> {
    let (before, behind) = (
        &text.as_bytes()[..bytes.start],
        &text.as_bytes()[bytes.end..],
    );
    let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    let end = memchr::memchr(b'\n', behind).map_or(text.len(), |at| bytes.end + at);
    start..end
}

/// Each step sees what the one before it left.
fn without_preprocessor(text: &str) -> Cow<'_, str> {
    let text = match blank(text, &linkage(text)) {
        Cow::Borrowed(text) => conditions::without_conditions(text),
        Cow::Owned(text) => Cow::Owned(conditions::without_conditions(&text).into_owned()),
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

/// The macros of a C or C++ text that its grammar cannot know.
#[derive(Default)]
struct Found {
    /// What is nothing to the grammar, with arguments.
    noise: Vec<Range<usize>>,
    /// Names of those whose argument is a condition on a template's parameters.
    conditions: Vec<Range<usize>>,
    /// Names of those that stand for a type.
    results: Vec<Range<usize>>,
    /// Names of those that stand for `if`.
    branches: Vec<Range<usize>>,
}

fn macros(text: &str) -> Found {
    let mut scan = Scan {
        tokens: Tokens::new(text),
        text,
        before: Before::Start,
        previous: "",
        heads: Vec::new(),
        parameters: None,
        out: Found::default(),
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
    /// The name behind one of them.
    ClassName,
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
    /// The parameters of a template, while they are read.
    parameters: Option<Parameters>,
    out: Found,
}

/// Where in the parameters of a template the scan is.
#[derive(Clone, Copy)]
struct Parameters {
    /// Open `<`.
    open: usize,
    /// Parentheses that were open before.
    heads: usize,
}

impl<'a> Scan<'a> {
    fn run(&mut self) {
        while let Some(token) = self.tokens.next() {
            let word = &self.text[token.clone()];
            if word == "[" && self.before == Before::ClassKey {
                self.attribute(token.start); // `enum class [[nodiscard]] Error`
                continue;
            }
            if word == "["
                && self.before == Before::Start
                && self.text[token.end..].starts_with('[')
            {
                self.tokens.at = self.tokens.past(token.end, b"]]");
                continue; // what may follow it may stand in its place
            }
            if is_shouted(word) {
                let end = macro_end(self.text, token.end);
                if let Some(open) = self.around_type(word, &token, end) {
                    self.out.noise.extend([token.start..open, end - 1..end]);
                    self.tokens.at = end;
                    self.before = Before::Name;
                    self.previous = "";
                    continue;
                }
                if self.is_condition(&token, end) {
                    self.out.conditions.push(token.clone());
                    self.tokens.at = end;
                    self.before = Before::Other;
                    self.previous = ")";
                    continue;
                }
                if let Some(end) = self.access(word, &token) {
                    self.out.noise.push(token.start..end);
                    self.tokens.at = end;
                    continue;
                }
                if self.is_result(&token, end) {
                    self.out.results.push(token.clone());
                    self.out.noise.push(token.end..end);
                    self.tokens.at = end;
                    self.before = Before::Name;
                    self.previous = "";
                    continue;
                }
                if self.is_branch(word, &token, end) {
                    self.out.branches.push(token.clone());
                    self.advance("if");
                    continue;
                }
                if let Some(types) = self.mixed_arguments(&token, end) {
                    self.out.noise.extend(types);
                    self.tokens.at = end;
                    self.before = Before::Other;
                    self.previous = ")";
                    continue;
                }
                if self.is_noise(word, &token, end) {
                    self.out.noise.push(token.start..end);
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
            self.out.noise.push(start..end);
            self.tokens.at = end;
        }
    }

    /// Updates the state with a token that stays.
    fn advance(&mut self, word: &'a str) {
        self.before = match word {
            "template" if self.parameters.is_none() => {
                let next = Tokens::at(self.text, self.tokens.at).next();
                let has_parameters = next.is_some_and(|next| &self.text[next] == "<");
                self.parameters = has_parameters.then_some(Parameters {
                    open: 0,
                    heads: self.heads.len(),
                });
                Before::Specifier
            }
            "<" | ">" if self.ends_parameters(word) => Before::Start,
            ";" | "{" | "}" => Before::Start,
            ":" if matches!(self.previous, "public" | "private" | "protected") => Before::Start,
            "class" | "struct" | "union" | "enum" if self.parameters.is_none() => Before::ClassKey,
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
            word if is_name(word) && self.before == Before::ClassKey => Before::ClassName,
            word if is_name(word) => Before::Name,
            _ => Before::Other,
        };
        self.previous = word;
    }

    /// Counts the angles around the parameters of a template: whether this is the last of them.
    fn ends_parameters(&mut self, angle: &str) -> bool {
        let Some(parameters) = &mut self.parameters else {
            return false;
        };
        if parameters.heads != self.heads.len() {
            return false; // a comparison
        }
        match angle {
            "<" => parameters.open += 1,
            _ => parameters.open = parameters.open.saturating_sub(1),
        }
        let ends = parameters.open == 0;
        if ends {
            self.parameters = None;
        }
        ends
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

    /// Whether a macro with arguments is one of a template's parameters.
    fn is_condition(&self, token: &Range<usize>, end: usize) -> bool {
        let is_parameter = self
            .parameters
            .is_some_and(|of| of.heads == self.heads.len())
            && matches!(self.previous, "<" | ",");
        let next = Tokens::at(self.text, end).next();
        is_parameter
            && token.len() > "bool".len()
            && self.text[token.end..end].starts_with('(')
            && next.is_some_and(|next| matches!(&self.text[next], "," | ">" | "="))
    }

    /// `PRIVATE_UNLESS_TESTED:` stands for an access specifier. Where it ends.
    fn access(&self, word: &str, token: &Range<usize>) -> Option<usize> {
        let is_access = |part| matches!(part, "PUBLIC" | "PROTECTED" | "PRIVATE");
        if self.before != Before::Start || !word.split('_').any(is_access) {
            return None;
        }
        let colon = Tokens::at(self.text, token.end).next()?;
        (&self.text[colon.clone()] == ":").then_some(colon.end)
    }

    /// Whether a macro gives the result of a function template: `template <typename T> ENABLED((a<T>), (int)) get(`.
    fn is_result(&self, token: &Range<usize>, end: usize) -> bool {
        let mut after = Tokens::at(self.text, end);
        let next = after.next().map_or("", |range| &self.text[range]);
        let second = after.next().map_or("", |range| &self.text[range]);
        matches!(self.before, Before::Start | Before::Specifier)
            && matches!(self.previous, ">" | "friend")
            && end > token.end
            && token.len() >= "auto".len()
            && (next == "operator" || is_name(next) && second == "(")
    }

    /// Whether `IF_CONSTEXPR (a) {` stands for `if constexpr (a) {`.
    fn is_branch(&self, word: &str, token: &Range<usize>, end: usize) -> bool {
        let starts = self.before == Before::Start || self.previous == "else";
        let next = Tokens::at(self.text, end).next();
        starts
            && end > token.end
            && word.split('_').any(|part| part == "IF")
            && next.is_some_and(|next| &self.text[next] == "{")
            && self.parameters.is_none()
    }

    /// `FLAG(int, size, 8, "help");`: types among values are neither parameters nor arguments. Those of them that are
    /// nothing but a type, each with the comma behind it.
    fn mixed_arguments(&self, token: &Range<usize>, end: usize) -> Option<Vec<Range<usize>>> {
        if self.before != Before::Start || end == token.end {
            return None;
        }
        let open = token.end + self.text[token.end..end].find('(')? + 1;
        let next = Tokens::at(self.text, end).next()?;
        if &self.text[next] != ";" {
            return None;
        }
        let (mut types, mut has_value) = (Vec::new(), self.text[open..end].contains('"'));
        let (mut start, mut is_type, mut words, mut depth) = (open, true, 0, 0);
        for range in Tokens::at(self.text, open).take_while(|word| word.end < end) {
            match &self.text[range.clone()] {
                "," if depth == 0 => {
                    if is_type && words > 0 {
                        types.push(start..range.end);
                    }
                    has_value |= words == 0;
                    (start, is_type, words) = (range.end, true, 0);
                    continue;
                }
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "true" | "false" | "nullptr" => has_value = true,
                word if word.starts_with(|first: char| first.is_ascii_digit()) => has_value = true,
                _ => {}
            }
            let word = &self.text[range];
            is_type &= is_plain_type(word)
                || matches!(word, "void" | "const")
                || words > 0 && matches!(word, "*" | "&");
            words += 1;
        }
        // Nothing between two commas is no parameter either.
        has_value |= words == 0;
        (!types.is_empty() && has_value).then_some(types)
    }

    /// Whether the name of a type follows a macro behind `class`, perhaps after a few more of them.
    fn precedes_class_name(&self, mut word: &'a str, mut end: usize) -> bool {
        const MOST: usize = 4;
        for _ in 0..MOST {
            let mut after = Tokens::at(self.text, end);
            let Some(range) = after.next() else {
                return false;
            };
            let next = &self.text[range.clone()];
            // `class EXPORT [[nodiscard]] Store {`
            if self.text[range.start..].starts_with("[[") {
                end = after.past(range.start, b"]]");
                continue;
            }
            let second = after.next().map_or("", |range| &self.text[range]);
            let is_head = matches!(second, "{" | ":" | "final" | "<" | "::")
                || second == ";" && is_specifier_name(word);
            if is_name(next) && is_head {
                return true;
            }
            if !is_shouted(next) {
                return false;
            }
            (word, end) = (next, macro_end(self.text, range.end));
        }
        false
    }

    fn is_noise(&self, word: &'a str, token: &Range<usize>, end: usize) -> bool {
        let mut after = Tokens::at(self.text, end);
        let next_range = after.next().unwrap_or(end..end);
        let next = &self.text[next_range.clone()];
        let second = after.next().map_or("", |range| &self.text[range]);
        let has_arguments = end > token.end;
        match self.before {
            Before::ClassKey => self.precedes_class_name(word, end),
            // `enum type UNDERLYING(char) {`
            Before::ClassName => matches!(next, "{" | ":" | "final"),
            Before::Start | Before::Specifier if is_specifier_name(word) => {
                is_name(next) || matches!(next, "~" | "::" | "[") && !has_arguments
            }
            // No type stands before these.
            Before::Start | Before::Specifier if begins_declaration(next) => true,
            Before::Start | Before::Specifier
                if !has_arguments
                    && (is_shouted(next) && begins_declaration(second)
                        || self.declares(&next_range)) =>
            {
                true
            }
            // `TRY {`
            Before::Start if !has_arguments && next == "{" => self.starts_line(token.start),
            Before::Start => {
                let breaks = self.text[end..next_range.start].contains('\n');
                let starts_line = self.starts_line(token.start);
                breaks && starts_line && (is_name(next) || matches!(next, "~" | "}" | "::" | "["))
            }
            Before::Parameters => {
                matches!(
                    next,
                    ";" | "{" | "=" | ":" | "override" | "final" | "const" | "noexcept"
                ) || is_shouted(next)
            }
            // `BOOL WINAPI Open(`, `void FOO_INLINE foo::Bar::open(`
            Before::Name | Before::Other
                if !has_arguments
                    && is_name(next)
                    && (second == "("
                        || matches!(second, "::" | "<") && is_specifier_name(word)) =>
            {
                (self.before == Before::Name || matches!(self.previous, "*" | "&"))
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

    /// Whether a type and a name begin at a word, or the name of a constructor with that of its class: then the
    /// macro before it is no type.
    fn declares(&self, first: &Range<usize>) -> bool {
        let word = &self.text[first.clone()];
        if !is_name(word) || is_shouted(word) || is_qualifier(word) {
            return false;
        }
        let mut after = Tokens::at(self.text, first.end);
        let mut angles = 0usize;
        let (mut owner, mut last, mut is_named) = ("", word, true);
        // Types are short.
        for range in after.by_ref().take(48) {
            match &self.text[range] {
                "<" => angles += 1,
                ">" => {
                    let Some(open) = angles.checked_sub(1) else {
                        return false;
                    };
                    angles = open;
                }
                ";" | "{" | "}" => return false,
                _ if angles > 0 => {}
                "::" => (owner, last, is_named) = (last, "", false),
                "*" | "&" => is_named = true,
                "(" => return owner == last && !owner.is_empty(),
                word if !is_name(word) => return false,
                _ if is_named => break,
                word => (last, is_named) = (word, true),
            }
        }
        let next = after.next().map_or("", |range| &self.text[range]);
        matches!(next, "(" | "::" | ";" | "=" | "{" | "[") && angles == 0
    }

    fn starts_line(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', '\r', '{', '}', ';'])
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

/// Types that are words of the language.
fn is_plain_type(word: &str) -> bool {
    matches!(
        word,
        "bool" | "char" | "double" | "float" | "int" | "long" | "short" | "signed" | "unsigned"
    )
}

/// Words that begin a declaration or its type, where no other type can stand before them.
fn begins_declaration(word: &str) -> bool {
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
    use proptest::prelude::*;

    /// Pieces of what is blanked, so that edits make and unmake it.
    fn piece() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "#",
            "if",
            "pragma",
            ":",
            "f",
            " ",
            "\n",
            "\r\n",
            "  ",
            "<T>(x): T",
            "<",
            "T",
            ">",
            "(",
            ")",
            "// r",
            "/* ",
            "* ",
            "é",
            ";",
            "=>",
            "export ",
            "type ",
            "* from 'a'",
            "\n  <T>(x): T",
            "export type *",
            "\n",
            "\n  <T>(\n",
            "x\n",
            "): T",
        ])
    }

    fn pieces(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        /// What is around an edit decides as the whole text does.
        #[test]
        fn a_text_stays_readable_only_if_nothing_of_it_is_blanked(
            head in pieces(12), old in pieces(3), new in pieces(3), tail in pieces(12),
        ) {
            let [before, after] = [&old, &new].map(|part| [&*head, part, &*tail].concat());
            let place = head.len()..head.len() + new.len();
            for language in [Language::CSharp, Language::TypeScript] {
                let is_plain = |text: &str| {
                    matches!(readable(language, text), Cow::Borrowed(_)) && !is_scanned(language, text)
                };
                if is_plain(&before) && stays_readable(language, &after, place.clone()) {
                    prop_assert!(is_plain(&after), "{language:?}: {before:?} became {after:?}");
                }
            }
        }
    }

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
