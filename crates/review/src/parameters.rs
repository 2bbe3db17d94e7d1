//! Parameters of a function as its signature writes them, and whether calls that fitted them fit others.

use codecortex_syntax::Language;

use crate::literals::are_apart;

/// How a parameter takes its argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// By its place, where the language has it by its name too.
    #[default]
    Place,
    /// By its name alone.
    Name,
    /// What no other takes by its place: `*rest`, `...rest`, `params`.
    Rest,
    /// What no other takes by its name: `**rest`.
    Names,
}

/// A parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty where none is written.
    pub name: String,
    /// Its type as written, without white space; empty where none is written.
    pub ty: String,
    /// Whether a call may leave it out.
    pub is_optional: bool,
    /// How it takes its argument.
    pub way: Way,
}

/// What calls of a function have to know of how its parameters changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFit {
    /// Whether every call that fitted fits.
    pub is_always: bool,
    /// Whether every call does that gives no argument by its name.
    pub is_by_place: bool,
    /// Whether no call that fitted does: it gives fewer arguments than are needed now, or more than are taken.
    pub is_never: bool,
    /// So many parameters from the first on take what they took.
    pub same: usize,
    /// So many parameters from the first on surely take what was written for them: the next has its name from another place,
    /// or both its types are the language's own and take nothing of each other.
    pub meant: usize,
    /// Whether more arguments are needed than were, or fewer are taken.
    pub is_narrower: bool,
    /// Whether what is given by name is taken under its name.
    pub keeps_names: bool,
    /// The parameters as they are now.
    pub parameters: Vec<Parameter>,
}

impl CallFit {
    /// Compares the parameters of two versions of a function; nothing where a signature has no list of them.
    #[must_use]
    pub fn from_old(old: &str, new: &str, name: &str, language: Option<Language>) -> Option<Self> {
        let style = Style::for_language(language);
        let (old, new) = (parameters(old, name, style)?, parameters(new, name, style)?);
        let takes = |was: &Parameter, is: &Parameter| {
            let ty = |of: &Parameter| checked(&of.ty, language);
            !checks_types(language) || takes_type(&ty(was), &ty(is))
        };
        let named = |of: &[Parameter], name: &str| -> Option<Parameter> {
            let mut all = of.iter().filter(|of| !name.is_empty() && of.name == name);
            all.next().cloned()
        };
        let has = |of: &[Parameter], way: Way| of.iter().any(|of| of.way == way);
        let (was, is) = (by_place(&old), by_place(&new));
        // One that has its name elsewhere in the other version is another one.
        let is_moved = |(was, is): &(&&Parameter, &&Parameter)| {
            was.name != is.name
                && (named(&new, &was.name).is_some() || named(&old, &is.name).is_some())
        };
        let pairs = || was.iter().zip(&is);
        let same = pairs().take_while(|pair| takes(pair.0, pair.1) && !is_moved(pair));
        let same = same.count();
        // Where nobody checks types, the rest takes what it gets.
        let absorbs = same == is.len() && has(&new, Way::Rest) && !checks_types(language);
        let has_same_rest = same == was.len()
            && was.len() == is.len()
            && has(&old, Way::Rest)
            && has(&new, Way::Rest);
        let same = match absorbs || has_same_rest {
            true => usize::MAX,
            false => same,
        };
        let is_other = |pair: &(&&Parameter, &&Parameter)| {
            let ty = |of: &Parameter| checked(&of.ty, language);
            is_moved(pair) || are_apart(&ty(pair.0), &ty(pair.1), language)
        };
        let meant = match pairs().position(|pair| is_other(&pair)) {
            _ if same == usize::MAX => usize::MAX,
            Some(at) => at,
            // What the rest took may go to a parameter now.
            None if has(&old, Way::Rest) && !(has(&new, Way::Rest) && was.len() == is.len()) => {
                same
            }
            None => usize::MAX,
        };
        let keeps = |was: &Parameter, is: &Parameter| was.is_optional <= is.is_optional;
        let is_kept_by_name = |of: &&Parameter| match named(&new, &of.name) {
            Some(now) => takes(of, &now) && matches!(now.way, Way::Place | Way::Name),
            None => has(&new, Way::Names),
        };
        let mut given_by_name = old
            .iter()
            .filter(|of| matches!(of.way, Way::Place | Way::Name));
        let keeps_names = given_by_name.all(|of| is_kept_by_name(&of));
        let more = is.iter().skip(was.len()).copied();
        let by_name = new.iter().filter(|of| of.way == Way::Name);
        // By its name alone: needed now what was not, or was not there.
        let is_new_need = |of: &&Parameter| {
            !of.is_optional && named(&old, &of.name).is_none_or(|was| was.is_optional)
        };
        let is_by_place = same >= was.len()
            && (!has(&old, Way::Rest) || same == usize::MAX)
            && pairs().all(|(was, is)| keeps(was, is))
            && more.into_iter().all(|more| more.is_optional)
            && !by_name.into_iter().any(|of| is_new_need(&of))
            && (keeps_names || style != Style::Labelled);
        let is_always = is_by_place && (keeps_names || !gives_names(language));
        Some(Self {
            is_always,
            is_by_place,
            is_never: is_never(&old, &new),
            same,
            meant,
            is_narrower: least(&new) > least(&old) || most(&new) < most(&old),
            keeps_names,
            parameters: new,
        })
    }

    /// Whether calls that fitted may have to be others: more is needed, less is taken, or it goes elsewhere.
    #[must_use]
    pub fn may_refuse(&self) -> bool {
        !self.is_always && (self.is_narrower || self.meant != usize::MAX)
    }

    /// Whether so many arguments that are given by their places still go where they were meant to, as far as that can be
    /// told; `has_names` says whether others are given by name.
    #[must_use]
    pub fn takes(&self, given: usize, has_names: bool) -> bool {
        given <= self.meant && (self.keeps_names || !has_names)
    }
}

/// The parameters that take their arguments by place.
fn by_place(of: &[Parameter]) -> Vec<&Parameter> {
    of.iter().filter(|of| of.way == Way::Place).collect()
}

/// How many arguments a list of parameters needs.
fn least(of: &[Parameter]) -> usize {
    let needed = |of: &&Parameter| !of.is_optional && matches!(of.way, Way::Place | Way::Name);
    of.iter().filter(needed).count()
}

/// How many arguments a list of parameters takes.
fn most(of: &[Parameter]) -> usize {
    match of.iter().any(|of| matches!(of.way, Way::Rest | Way::Names)) {
        true => usize::MAX,
        false => of.len(),
    }
}

/// Whether no number of arguments fits both of two lists of parameters.
fn is_never(old: &[Parameter], new: &[Parameter]) -> bool {
    least(new) > most(old) || most(new) < least(old)
}

/// A type without what no compiler insists on, such as whether what C# refers to may be null, and under one of the names
/// that a language has for it.
pub(crate) fn checked(ty: &str, language: Option<Language>) -> String {
    match language.map(|language| language.info().id) {
        Some("csharp") => ty.replace('?', ""),
        Some("go") => ty
            .replace("interface {}", "any")
            .replace("interface{}", "any"),
        Some("rust") => without_lifetimes(ty),
        Some("java") => {
            let words = ty.split(' ');
            let is_type = |word: &&str| !word.starts_with('@') && *word != "final";
            words.filter(is_type).collect::<Vec<_>>().join(" ")
        }
        _ => ty.to_owned(),
    }
}

/// `&'a str` as `&str`.
fn without_lifetimes(ty: &str) -> String {
    let mut parts = ty.split('\'');
    let mut out = parts.next().unwrap_or("").to_owned();
    for part in parts {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        out.push_str(part.trim_start_matches(is_part).trim_start());
    }
    out
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
    fn for_language(language: Option<Language>) -> Self {
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
    let mut all: Vec<Parameter> = Vec::new();
    let mut is_named = false;
    for part in split(list, ',').into_iter().map(str::trim) {
        // Behind a mark of Python arguments are given by name alone.
        is_named |= part == "*";
        // The marks between positional and named ones of Python are none.
        if part.is_empty() || matches!(part, "*" | "/" | "void") {
            continue;
        }
        let mut of = parameter(part, style);
        if is_named && of.way == Way::Place {
            of.way = Way::Name;
        }
        is_named |= of.way == Way::Rest && part.starts_with('*');
        all.push(of);
    }
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
        if !before.is_some_and(is_part)
            && let Some(list) = behind_head(&signature[end..]).strip_prefix('(')
        {
            let inner = split_at_close(list);
            // A signature that is very long is cut.
            return (inner.len() < list.len()).then_some(inner);
        }
        from = end.max(at + 1);
        if name.is_empty() {
            break;
        }
    }
    None
}

/// What is behind all that stands between a name and its parameters: generics, and for a function that is a value of the
/// name `= async`, `= function`, `:`.
fn behind_head(text: &str) -> &str {
    let mut rest = text;
    loop {
        let before = rest.len();
        rest = behind_generics(rest.trim_start_matches([' ', '\n', '\t', '?', '!', '=', ':']));
        for word in ["async", "function*", "function"] {
            let behind = rest.strip_prefix(word);
            // `asyncly(…)` is another word.
            let is_word = |behind: &&str| behind.starts_with([' ', '(', '<', '\n']);
            rest = behind.filter(is_word).unwrap_or(rest);
        }
        if rest.len() == before {
            return rest;
        }
    }
}

pub(crate) fn behind_generics(text: &str) -> &str {
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
pub(crate) fn split_at_close(text: &str) -> &str {
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
pub(crate) fn split(text: &str, sign: char) -> Vec<&str> {
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
        || is_rest_by_dots(head, style)
        || head.starts_with("params ")
        || head.starts_with("vararg ");
    let way = match is_rest {
        true if head.starts_with("**") => Way::Names,
        true => Way::Rest,
        false => Way::Place,
    };
    let (name, ty, is_marked) = match style {
        Style::NameFirst | Style::Labelled => {
            let (name, ty) = cut(head, ':');
            let is_marked = name.trim_end().ends_with('?');
            let ty = ty.unwrap_or("");
            // Of what is taken apart no part is the name.
            let is_pattern = name.starts_with(['{', '[']);
            let name = if is_pattern { "" } else { name };
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
        way,
    }
}

/// Whether dots say that a parameter takes all that is left: `...rest`, Go's `rest ...T`, `T... rest`. Dots in the type of a
/// function are that function's.
fn is_rest_by_dots(head: &str, style: Style) -> bool {
    match style {
        Style::NameFirst | Style::Labelled => {
            head.starts_with("...") || style == Style::Labelled && head.ends_with("...")
        }
        Style::Go => {
            let ty = head.split_once(' ').map_or(head, |(_, ty)| ty);
            head.starts_with("...") || ty.trim_start().starts_with("...")
        }
        Style::TypeFirst => head.split('(').next().unwrap_or(head).contains("..."),
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
    was_any.iter().all(|part| is_any.contains(part))
        || takes_object(was, is)
        || takes_by_reference(was, is)
}

/// C++'s `T` is taken as `const T&`, TypeScript's `T[]` as `readonly T[]`.
fn takes_by_reference(was: &str, is: &str) -> bool {
    let plain = is
        .strip_prefix("const ")
        .and_then(|is| is.strip_suffix('&'));
    let plain = plain.or_else(|| is.strip_prefix("readonly "));
    plain.is_some_and(|plain| {
        let was = was.strip_prefix("const ").unwrap_or(was);
        plain.trim_end() == was.trim_end_matches(['&', ' '])
    })
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

    fn fit(path: &str, old: &str, new: &str) -> CallFit {
        CallFit::from_old(old, new, "f", language_of_path(path)).unwrap()
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
            (
                "a.py",
                "def f(a, name, mode, **rest)",
                "def f(a, name, mode, *, key=1, **rest)",
            ),
            ("a.py", "def f(a, *, b=1)", "def f(a, b=1)"),
            (
                "a.go",
                "func f(a interface{}, b int)",
                "func f(a any, b int)",
            ),
            ("a.rs", "fn f<'a>(a: &'a str)", "fn f(a: &str)"),
            ("a.cpp", "void f(Shelf a)", "void f(const Shelf& a)"),
            ("a.java", "void f(int a)", "void f(@Low final int a)"),
            (
                "a.ts",
                "f = async <T>(a: T) => a",
                "f = async <T>(a: T, b?: number) => a",
            ),
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
            ("a.py", "def f(a, b=1)", "def f(a, c=2, b=1)", 1),
            ("a.py", "def f(a, b)", "def f(b)", 0),
            ("a.py", "def f(a)", "def f(a, *, key)", 1),
            ("a.py", "def f(a, *rest)", "def f(a)", 1),
            (
                "a.ts",
                "f(a: number)",
                "f(a: number, b: (...all: string[]) => void)",
                1,
            ),
            ("a.ts", "f = <T>(a: A) => a", "f = <T>(a: B) => a", 0),
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
    fn who_gives_names_needs_them_alone() {
        let found = fit("a.py", "def f(a, b=1, c=2)", "def f(a, d=0, b=1, c=2)");
        assert!(found.takes(1, true) && !found.takes(2, false));
        let found = fit("a.cs", "void f(int a, int b)", "void f(int a, string b)");
        assert!(found.takes(1, false) && !found.takes(1, true));
    }

    #[test]
    fn what_no_number_of_arguments_fits_is_known() {
        for (old, new, is_never) in [
            ("def f(a)", "def f(a, b)", true),
            ("def f(a, b)", "def f(a)", true),
            ("def f(a, b=1)", "def f(a, b)", false),
            ("def f(a, *rest)", "def f(a, b)", false),
            ("def f(a)", "def f(a, b=1)", false),
        ] {
            assert_eq!(fit("a.py", old, new).is_never, is_never, "{old} -> {new}");
        }
    }

    #[test]
    fn what_goes_where_it_was_meant_to_is_taken() {
        for (path, old, new, meant) in [
            (
                "a.java",
                "void f(int a, Type b, int... c)",
                "void f(int a, Class b, int... c)",
                usize::MAX,
            ),
            ("a.py", "def f(a, *rest)", "def f(a, b)", 1),
            (
                "a.go",
                "func f(from, to string)",
                "func f(to, from string)",
                0,
            ),
            ("a.ts", "f(a: A, b: number)", "f(a: B, b: string)", 1),
            ("a.ts", "f(a: A)", "f(a: B, c: C)", usize::MAX),
        ] {
            assert_eq!(fit(path, old, new).meant, meant, "{old} -> {new}");
        }
        assert!(fit("a.ts", "f(a: A)", "f(a: B, c: C)").may_refuse());
        assert!(!fit("a.ts", "f(a: A)", "f(a: B)").may_refuse());
    }

    #[test]
    fn names_count_for_who_gives_them() {
        let found = fit("a.py", "def f(a, b)", "def f(a, c)");
        assert!(found.takes(2, false) && !found.takes(2, true));
        assert_eq!(CallFit::from_old("x: int", "x: int", "x", None), None);
    }
}
