//! Parameters of a function as its signature writes them, and whether calls that fitted them fit others.

use codecortex_syntax::Language;

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty where none is written.
    pub name: String,
    /// Its type as written, without white space; empty where none is written.
    pub ty: String,
    /// Whether a call may leave it out.
    pub is_optional: bool,
}

/// What calls of a function have to know of how its parameters changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// Whether every call that fitted fits.
    pub is_always: bool,
    /// Whether every call does that gives no argument by its name.
    pub is_by_place: bool,
    /// So many parameters from the first on take what they took.
    pub same: usize,
    /// Whether the names by which arguments are given are the same.
    pub keeps_names: bool,
}

impl Fit {
    /// Compares the parameters of two versions of a function; nothing where a signature has no list of them.
    #[must_use]
    pub fn of(old: &str, new: &str, name: &str, language: Option<Language>) -> Option<Self> {
        let style = Style::of(language);
        let (old, new) = (parameters(old, name, style)?, parameters(new, name, style)?);
        let pairs = || old.iter().zip(&new);
        let takes = |(was, is): &(&Parameter, &Parameter)| {
            !checks_types(language)
                || takes_type(&checked(&was.ty, language), &checked(&is.ty, language))
        };
        let same = pairs().take_while(takes).count();
        let keeps = |was: &Parameter, is: &Parameter| was.is_optional <= is.is_optional;
        let keeps_names = pairs().all(|(was, is)| was.name == is.name) && old.len() <= new.len();
        let is_by_place = same == old.len()
            && pairs().all(|(was, is)| keeps(was, is))
            && new.iter().skip(old.len()).all(|more| more.is_optional)
            && (keeps_names || style != Style::Labelled);
        let is_always = is_by_place && (keeps_names || !gives_names(language));
        Some(Self {
            is_always,
            is_by_place,
            same,
            keeps_names,
        })
    }

    /// Whether the types of so many arguments are still taken; `has_names` says whether some are given by name.
    #[must_use]
    pub fn takes(&self, given: usize, has_names: bool) -> bool {
        given <= self.same && (self.keeps_names || !has_names)
    }
}

/// A type without what no compiler insists on: whether what C# refers to may be null.
pub(crate) fn checked(ty: &str, language: Option<Language>) -> String {
    let is_marked = language.is_some_and(|language| language.info().id == "csharp");
    match is_marked {
        true => ty.replace('?', ""),
        false => ty.to_owned(),
    }
}

/// Whether it is known which calls give arguments by their names.
fn gives_names(language: Option<Language>) -> bool {
    let id = language.map(|language| language.info().id);
    matches!(id, Some("python" | "csharp"))
}

/// Whether somebody checks written types before code runs; elsewhere they are remarks.
pub(crate) fn checks_types(language: Option<Language>) -> bool {
    let id = language.map(|language| language.info().id);
    !matches!(id, Some("python" | "javascript" | "php" | "ruby" | "lua"))
}

/// How a language writes parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `name: Type`, or the name alone.
    NameFirst,
    /// The same, and calls have to write the names.
    Labelled,
    /// `Type name`.
    TypeFirst,
    /// `name Type`.
    Go,
}

impl Style {
    fn of(language: Option<Language>) -> Self {
        match language.map(|language| language.info().id) {
            Some("swift") => Self::Labelled,
            Some("go") => Self::Go,
            Some("c" | "cpp" | "csharp" | "java" | "angelscript" | "dart" | "php") => {
                Self::TypeFirst
            }
            _ => Self::NameFirst,
        }
    }
}

fn parameters(signature: &str, name: &str, style: Style) -> Option<Vec<Parameter>> {
    let list = list_of(signature, name)?;
    let parts = split(list, ',');
    let parts = parts.into_iter().map(str::trim).filter(|part| {
        // The marks between positional and named ones of Python are none.
        !part.is_empty() && !matches!(*part, "*" | "/" | "void")
    });
    let mut all: Vec<Parameter> = parts.map(|part| parameter(part, style)).collect();
    if style == Style::Go {
        share_types(&mut all);
    }
    let is_receiver = |of: &Parameter| {
        let name = of.name.trim_start_matches('&').trim_start_matches("mut ");
        of.ty.is_empty() && matches!(name, "self" | "cls")
    };
    if all.first().is_some_and(is_receiver) {
        all.remove(0);
    }
    Some(all)
}

/// What stands between the parentheses behind a name.
fn list_of<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut from = 0;
    while let Some(at) = signature.get(from..)?.find(name).map(|at| at + from) {
        let end = at + name.len();
        let before = signature[..at].chars().next_back();
        let rest = behind_generics(signature[end..].trim_start());
        if !before.is_some_and(is_part)
            && let Some(list) = rest
                .trim_start_matches([' ', '?', '!', '='])
                .strip_prefix('(')
        {
            return Some(split_at_close(list));
        }
        from = end.max(at + 1);
        if name.is_empty() {
            break;
        }
    }
    None
}

fn behind_generics(text: &str) -> &str {
    let (open, close) = match text.chars().next() {
        Some('<') => ('<', '>'),
        Some('[') => ('[', ']'),
        _ => return text,
    };
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == open) - i32::from(c == close);
        if depth == 0 {
            return text[at + 1..].trim_start();
        }
    }
    text
}

/// A text up to the parenthesis that closes it.
fn split_at_close(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => return &text[..at],
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// The parts of a text between signs that stand in no brackets and no quotes.
fn split(text: &str, sign: char) -> Vec<&str> {
    let (mut depth, mut start, mut quote, mut last) = (0i32, 0, None, ' ');
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') if !last.is_alphanumeric() && last != '&' && last != '<' => {
                quote = Some(c)
            }
            (None, '(' | '[' | '{' | '<') => depth += 1,
            // `=>` and `->` close nothing.
            (None, '>') if matches!(last, '=' | '-') => {}
            (None, ')' | ']' | '}' | '>') => depth -= 1,
            (None, _) if c == sign && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            (None, _) => {}
        }
        last = c;
    }
    parts.push(&text[start..]);
    parts
}

/// A text before a sign that stands in no brackets, and what is behind it.
fn cut(text: &str, sign: char) -> (&str, Option<&str>) {
    let first = split(text, sign).first().map_or(0, |first| first.len());
    match text.get(first + sign.len_utf8()..) {
        Some(rest) if first < text.len() => (&text[..first], Some(rest)),
        _ => (text, None),
    }
}

fn parameter(written: &str, style: Style) -> Parameter {
    // `=>` is part of a type, `==` of nothing here.
    let (head, default) = cut_default(written);
    let is_rest = head.starts_with('*') && style == Style::NameFirst
        || head.contains("...")
        || head.starts_with("params ")
        || head.starts_with("vararg ");
    let (name, ty, is_marked) = match style {
        Style::NameFirst | Style::Labelled => {
            let (name, ty) = cut(head, ':');
            let is_marked = name.trim_end().ends_with('?');
            let ty = ty.unwrap_or("");
            (
                last_word(name.trim_end().trim_end_matches('?')),
                ty.to_owned(),
                is_marked,
            )
        }
        Style::Go => match head.split_once(' ') {
            Some((name, ty)) => (name.to_owned(), ty.to_owned(), false),
            None => (String::new(), head.to_owned(), false),
        },
        Style::TypeFirst => {
            let name = last_word(head);
            let ty = head.trim_end().strip_suffix(name.as_str()).unwrap_or(head);
            match ty.trim().is_empty() {
                true => (String::new(), head.to_owned(), false),
                false => (name, ty.to_owned(), false),
            }
        }
    };
    Parameter {
        name,
        ty: ty.split_whitespace().collect::<Vec<_>>().join(" "),
        is_optional: default || is_rest || is_marked,
    }
}

/// What is before a default value, and whether there is one.
fn cut_default(written: &str) -> (&str, bool) {
    let mut from = 0;
    loop {
        let (head, rest) = cut(&written[from..], '=');
        let at = from + head.len();
        match rest {
            Some(rest) if rest.starts_with('>') => from = at + "=>".len(),
            Some(_) => return (written[..at].trim_end(), true),
            None => return (written.trim_end(), false),
        }
        if from >= written.len() {
            return (written.trim_end(), false);
        }
    }
}

fn last_word(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = text.trim_end_matches(|c: char| !is_part(c)).len();
    let start = text[..end].rfind(|c: char| !is_part(c));
    let start = start.map_or(0, |at| {
        at + text[at..].chars().next().map_or(1, char::len_utf8)
    });
    text[start..end].to_owned()
}

/// Go: `a, b int` are two of one type.
fn share_types(all: &mut [Parameter]) {
    let has_names = all.iter().any(|of| !of.name.is_empty());
    if !has_names {
        return;
    }
    let mut ty = String::new();
    for of in all.iter_mut().rev() {
        if of.name.is_empty() {
            of.name = std::mem::replace(&mut of.ty, ty.clone());
        } else {
            ty.clone_from(&of.ty);
        }
    }
}

/// Whether what is taken as one type is taken as the other.
pub(crate) fn takes_type(was: &str, is: &str) -> bool {
    if was == is || was.is_empty() || is.is_empty() || is == "any" {
        return true;
    }
    let optional = |ty: &str| -> Vec<String> {
        let inner = ty
            .strip_prefix("Optional[")
            .and_then(|ty| ty.strip_suffix(']'));
        match (inner, ty.strip_suffix('?')) {
            (Some(inner), _) | (None, Some(inner)) => vec![inner.to_owned(), "None".to_owned()],
            (None, None) => split(ty, '|')
                .iter()
                .map(|part| part.trim().to_owned())
                .collect(),
        }
    };
    let (was_any, is_any) = (optional(was), optional(is));
    was_any.iter().all(|part| is_any.contains(part)) || takes_object(was, is)
}

/// `{ a: string }` is taken as `{ a: string; b?: number }`.
fn takes_object(was: &str, is: &str) -> bool {
    let fields = |ty: &str| -> Option<Vec<String>> {
        let inner = ty.trim().strip_prefix('{')?.strip_suffix('}')?;
        let parts = split(inner, ';')
            .into_iter()
            .flat_map(|part| split(part, ','));
        let parts = parts.map(|part| part.trim().to_owned());
        Some(parts.filter(|part| !part.is_empty()).collect())
    };
    let (Some(was), Some(is)) = (fields(was), fields(is)) else {
        return false;
    };
    let is_added = |field: &&String| !was.contains(field);
    let is_optional = |field: &String| cut(field, ':').0.trim_end().ends_with('?');
    was.iter().all(|field| is.contains(field)) && is.iter().filter(is_added).all(is_optional)
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    fn fit(path: &str, old: &str, new: &str) -> Fit {
        Fit::of(old, new, "f", language_of_path(path)).unwrap()
    }

    #[test]
    fn what_may_be_left_out_or_is_wider_fits_always() {
        for (path, old, new) in [
            (
                "a.ts",
                "function f(a: number)",
                "function f(a: number, b?: string)",
            ),
            (
                "a.ts",
                "function f(a)",
                "function f(a, b = g(1, 2), ...rest)",
            ),
            (
                "a.ts",
                "f(a: string): void",
                "f(a: string | undefined, c: () => void = x): void",
            ),
            (
                "a.ts",
                "f(o: { a: string })",
                "f(o: { a: string; b?: number })",
            ),
            (
                "a.py",
                "def f(self, a)",
                "def f(self, a: int, *args, key=None, **rest) -> int",
            ),
            ("a.py", "def f(a: int)", "def f(a: Optional[int])"),
            (
                "a.cs",
                "public void f(int a)",
                "public void f(int a, string c = \"x, y\")",
            ),
            (
                "a.cpp",
                "void f(int a)",
                "void f(int count, bool is = true)",
            ),
            (
                "a.go",
                "func f(a, b int)",
                "func f(a, c int, more ...string)",
            ),
            ("a.kt", "fun f(a: Int)", "fun f(a: Int, b: Int = 1)"),
            ("a.java", "void f(int a)", "void f(int a, String... rest)"),
        ] {
            assert!(
                fit(path, old, new).is_always,
                "{old} -> {new}: {:?}",
                fit(path, old, new)
            );
        }
    }

    #[test]
    fn what_is_needed_or_narrower_does_not() {
        for (path, old, new, same) in [
            ("a.ts", "f(a: number)", "f(a: number, b: string)", 1),
            (
                "a.ts",
                "f(a: number, b?: string)",
                "f(a: number, b: string)",
                2,
            ),
            ("a.ts", "f(a: string | number)", "f(a: string)", 0),
            ("a.ts", "f(a: string)", "f(b: number, a: string)", 0),
            (
                "a.ts",
                "f(o: { a: string })",
                "f(o: { a: string; b: number })",
                0,
            ),
            ("a.py", "def f(a, b)", "def f(a)", 1),
            ("a.go", "func f(a int)", "func f(ctx Context, a int)", 0),
            ("a.rs", "fn f(&self, a: u8)", "fn f(&self, a: u8, b: u8)", 1),
            ("a.swift", "func f(a: Int)", "func f(b: Int)", 1),
        ] {
            let found = fit(path, old, new);
            assert_eq!(
                (found.is_always, found.same),
                (false, same),
                "{old} -> {new}"
            );
        }
    }

    #[test]
    fn types_that_nobody_checks_are_remarks() {
        let found = fit(
            "a.py",
            "def f(a: t.IO) -> str",
            "def f(a: t.IO[t.Any]) -> int",
        );
        assert!(found.is_always);
    }

    #[test]
    fn names_count_for_who_gives_them() {
        let found = fit("a.py", "def f(a, b)", "def f(a, c)");
        assert!(found.takes(2, false) && !found.takes(2, true));
        assert_eq!(Fit::of("x: int", "x: int", "x", None), None);
    }
}
