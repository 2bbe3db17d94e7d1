//! A call as it is written: its arguments, and what takes its value.
//!
//! It is read from text, since nothing else tells of a spread list, of what a literal is and of what a value is given to.

use codecortex_syntax::Language;

use crate::parameters::split;

/// Longer calls are not read.
const LONGEST: usize = 4_096;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CallText<'t> {
    /// Its arguments, without white space around them.
    pub(crate) arguments: Vec<&'t str>,
    /// First byte behind it.
    pub(crate) end: usize,
    /// What stands before the name that is called, on its line.
    before: &'t str,
    /// What stands behind the call, on its line.
    behind: &'t str,
}

/// What takes the value of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultUse {
    /// So many names or places take so many values.
    By(usize),
    /// Nothing does.
    Dropped,
    /// The call is part of something else.
    Unknown,
}

impl<'t> CallText<'t> {
    /// The call whose name begins at a byte; nothing where none does.
    pub(crate) fn at(text: &'t str, at: usize) -> Option<Self> {
        let (head, rest) = (text.get(..at)?, text.get(at..)?);
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let named = rest.trim_start_matches(is_part);
        let open = crate::parameters::behind_generics(named.trim_start());
        let inner = open.strip_prefix('(')?;
        let mut end = inner.len().min(LONGEST);
        while !inner.is_char_boundary(end) {
            end -= 1;
        }
        let list = crate::parameters::split_at_close(&inner[..end]);
        let behind = inner[list.len()..].strip_prefix(')')?;
        let arguments = split(list, ',').into_iter().map(str::trim);
        Some(Self {
            arguments: arguments.filter(|given| !given.is_empty()).collect(),
            end: text.len() - behind.len(),
            before: head.rsplit('\n').next().unwrap_or(head),
            behind: behind.lines().next().unwrap_or(""),
        })
    }

    /// Whether a list is spread into the arguments: `...list`, `list...`, Python's `*list` and `**names`.
    pub(crate) fn has_spread(&self, language: Option<Language>) -> bool {
        let is_python = language.is_some_and(|language| language.info().id == "python");
        self.arguments.iter().any(|given| {
            given.starts_with("...")
                || given.ends_with("...")
                || is_python && given.starts_with('*')
        })
    }

    /// Whether its only argument is a call that may give several values: Go's `f(g())`.
    pub(crate) fn may_give_several(&self, language: Option<Language>) -> bool {
        let is_go = language.is_some_and(|language| language.info().id == "go");
        is_go && matches!(self.arguments[..], [only] if only.ends_with(')'))
    }

    /// What takes the value of the call, where the language is one in which a line says that.
    pub(crate) fn taken(&self, language: Option<Language>) -> ResultUse {
        let id = language.map(|language| language.info().id);
        if !matches!(id, Some("go" | "java" | "csharp" | "c" | "cpp")) {
            return ResultUse::Unknown;
        }
        // A condition of Go may stand behind a semicolon.
        if !matches!(self.behind.trim_end().trim_end_matches(';'), "" | "{")
            && !self.behind.starts_with(';')
        {
            return ResultUse::Unknown;
        }
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':');
        let head = self.before.trim_end_matches(is_path);
        let path = &self.before[head.len()..];
        let head = head.trim_end();
        if head.is_empty() && !path.contains("::") {
            return ResultUse::Dropped;
        }
        let Some(places) = head.strip_suffix('=') else {
            return ResultUse::Unknown;
        };
        let places = places.strip_suffix(':').unwrap_or(places);
        if places.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^']) {
            return ResultUse::Unknown;
        }
        match id {
            Some("go") => {
                let places = places.rsplit([';', '{']).next().unwrap_or(places);
                ResultUse::By(split(places, ',').len())
            }
            _ => ResultUse::By(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_syntax::language_of_path;

    fn call(text: &str) -> CallText<'_> {
        CallText::at(text, text.find("f(").unwrap()).unwrap()
    }

    #[test]
    fn arguments_are_what_stands_between_commas() {
        assert_eq!(
            call("x = f(1, g(2, 3), \"a,b\");").arguments,
            ["1", "g(2, 3)", "\"a,b\""]
        );
        assert_eq!(call("f()").arguments, Vec::<&str>::new());
        assert_eq!(CallText::at("f = 1", 0), None);
        assert_eq!(CallText::at("f<T>(1)", 0).unwrap().arguments, ["1"]);
        assert_eq!(CallText::at("f(1", 0), None);
    }

    #[test]
    fn a_spread_list_has_nobody_knows_how_many() {
        for (path, text) in [
            ("a.py", "f(*a)"),
            ("a.py", "f(1, **b)"),
            ("a.ts", "f(...c)"),
            ("a.go", "f(d...)"),
        ] {
            assert!(call(text).has_spread(language_of_path(path)), "{text}");
        }
        for (path, text) in [("a.py", "f(a * b, \"...\")"), ("a.go", "f(*p)")] {
            assert!(!call(text).has_spread(language_of_path(path)), "{text}");
        }
    }

    #[test]
    fn what_takes_a_value_stands_before_the_call() {
        for (path, text, taken) in [
            ("a.go", "\tx, err := f(1)", ResultUse::By(2)),
            (
                "a.go",
                "\tif x, err := a.f(1); err != nil {",
                ResultUse::By(2),
            ),
            ("a.go", "\tx = a.f(1)", ResultUse::By(1)),
            ("a.go", "\ta.f(1)", ResultUse::Dropped),
            ("a.go", "\treturn f(1)", ResultUse::Unknown),
            ("a.go", "\tx := f(1) + 1", ResultUse::Unknown),
            ("a.go", "\tx := f(1).y", ResultUse::Unknown),
            ("a.java", "  int x = f(1);", ResultUse::By(1)),
            ("a.java", "  f(1);", ResultUse::Dropped),
            ("a.java", "  x += f(1);", ResultUse::Unknown),
            ("a.java", "  if (x == f(1))", ResultUse::Unknown),
            ("a.rs", "  let x = f(1);", ResultUse::Unknown),
        ] {
            let found = call(text).taken(language_of_path(path));
            assert_eq!(found, taken, "{text}");
        }
    }
}
