//! Patterns of paths, as each ecosystem writes them, over one library.
//!
//! A pattern is a folder that holds everything it can match, and what is matched below that folder.
//! So a pattern looks at the files of one range, and the same pattern in many projects is compiled
//! once.

use globset::{GlobBuilder, GlobMatcher};
use rustc_hash::FxHashMap;

use crate::files::RootFiles;
use crate::path::{self, ManifestTarget};

/// Which signs mean something in a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Syntax {
    /// `*`, `**` and `?`, letters of any case (MSBuild).
    AnyCase,
    /// `*`, `**` and `?` (TypeScript).
    Plain,
    /// Also `[…]` and `{…}` (package managers).
    Shell,
}

/// A pattern at its place.
#[derive(Clone, Debug)]
pub(crate) struct GlobPattern {
    /// Everything it matches is below this folder.
    folder: String,
    /// The pattern below the folder; empty when the folder's path is all there is.
    rest: String,
    matcher: Matcher,
    any_case: bool,
}

#[derive(Clone, Debug)]
enum Matcher {
    /// The path itself.
    Exact,
    /// `**` and `**/*`.
    Everything,
    /// `**/*.ending`
    Ending(String),
    Glob(GlobMatcher),
}

/// Compiled patterns.
#[derive(Debug, Default)]
pub(crate) struct Globs {
    compiled: FxHashMap<(String, Syntax), Option<GlobMatcher>>,
}

/// Why there is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoPattern {
    /// It looks outside the root.
    Outside,
    /// It does not parse.
    Invalid,
}

impl Globs {
    /// The pattern `text` as written in a manifest of `folder`.
    pub(crate) fn pattern(
        &mut self,
        files: &RootFiles,
        folder: &str,
        text: &str,
        syntax: Syntax,
    ) -> Result<GlobPattern, NoPattern> {
        let (literal, rest) = split(text.trim(), syntax);
        let ManifestTarget::Inside(base) = path::resolve(folder, literal) else {
            return Err(NoPattern::Outside);
        };
        let any_case = syntax == Syntax::AnyCase;
        let (base, matcher) = if rest.is_empty() {
            let found = if any_case { files.find(&base) } else { None };
            (found.map_or(base.clone(), str::to_owned), Matcher::Exact)
        } else {
            let found = if any_case {
                files.find_folder(&base)
            } else {
                None
            };
            let base = found.map_or(base.clone(), str::to_owned);
            (base, self.matcher(&rest, syntax).ok_or(NoPattern::Invalid)?)
        };
        Ok(GlobPattern {
            folder: base,
            rest,
            matcher,
            any_case,
        })
    }

    fn matcher(&mut self, rest: &str, syntax: Syntax) -> Option<Matcher> {
        if matches!(rest, "**" | "**/*") {
            return Some(Matcher::Everything);
        }
        if let Some(ending) = rest.strip_prefix("**/*.")
            && ending
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
        {
            return Some(Matcher::Ending(format!(".{ending}")));
        }
        let key = (rest.to_owned(), syntax);
        let compiled = self
            .compiled
            .entry(key)
            .or_insert_with(|| compile(rest, syntax));
        compiled.clone().map(Matcher::Glob)
    }
}

fn compile(rest: &str, syntax: Syntax) -> Option<GlobMatcher> {
    let escaped = match syntax {
        Syntax::Shell => rest.to_owned(),
        Syntax::AnyCase | Syntax::Plain => escape(rest),
    };
    let glob = GlobBuilder::new(&escaped)
        .literal_separator(true)
        .case_insensitive(syntax == Syntax::AnyCase)
        .backslash_escape(syntax == Syntax::Shell)
        .build();
    glob.ok().map(|glob| glob.compile_matcher())
}

/// Makes brackets and braces mean themselves.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if matches!(character, '[' | ']' | '{' | '}' | '!') {
            escaped.extend(['[', character, ']']);
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// The leading names without wildcards, and the rest with `/` only.
fn split(text: &str, syntax: Syntax) -> (&str, String) {
    let wild: &[char] = match syntax {
        Syntax::AnyCase | Syntax::Plain => &['*', '?'],
        Syntax::Shell => &['*', '?', '[', '{'],
    };
    let Some(first) = text.find(wild) else {
        return (text, String::new());
    };
    let start = text[..first].rfind(['/', '\\']).map_or(0, |at| at + 1);
    let rest = text[start..].replace('\\', "/");
    let names: Vec<&str> = rest
        .split('/')
        .filter(|name| !matches!(*name, "" | "."))
        .collect();
    (&text[..start], names.join("/"))
}

impl GlobPattern {
    /// Whether it matches a file or folder of the root.
    pub(crate) fn matches(&self, path: &str) -> bool {
        if matches!(self.matcher, Matcher::Exact) {
            return path == self.folder;
        }
        let Some(rest) = path::below(&self.folder, path) else {
            return false;
        };
        match &self.matcher {
            Matcher::Exact | Matcher::Everything => true,
            Matcher::Ending(ending) => ends_with(rest, ending, self.any_case),
            Matcher::Glob(glob) => glob.is_match(rest),
        }
    }

    /// Whether it matches a path or a folder above it.
    pub(crate) fn covers(&self, path: &str) -> bool {
        path::upward(path).any(|above| self.matches(above))
    }

    /// Whether a wildcard would have to match a hidden file or folder of the path.
    pub(crate) fn meets_hidden(&self, path: &str) -> bool {
        let hidden = |path: &str| path.split('/').any(|name| name.starts_with('.'));
        let rest = path::below(&self.folder, path).unwrap_or("");
        hidden(rest) && !hidden(&self.rest)
    }

    /// Whether it names one path and has no wildcard.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.matcher, Matcher::Exact)
    }

    /// The files that it matches, as indices.
    pub(crate) fn files<'a>(&'a self, files: &'a RootFiles) -> Box<dyn Iterator<Item = u32> + 'a> {
        if self.is_exact() {
            return Box::new(files.index(&self.folder).into_iter());
        }
        let range = files.below(&self.folder);
        Box::new(range.filter(|index| self.matches(files.get(*index))))
    }

    /// The pattern from the root.
    pub(crate) fn text(&self) -> String {
        path::join(&self.folder, &self.rest)
    }
}

fn ends_with(path: &str, ending: &str, any_case: bool) -> bool {
    let Some(start) = path.len().checked_sub(ending.len()) else {
        return false;
    };
    match path.as_bytes().get(start..) {
        Some(tail) if any_case => tail.eq_ignore_ascii_case(ending.as_bytes()),
        Some(tail) => tail == ending.as_bytes(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(folder: &str, text: &str, syntax: Syntax, path: &str) -> bool {
        let files = RootFiles::new([path]);
        let pattern = Globs::default().pattern(&files, folder, text, syntax);
        pattern.is_ok_and(|pattern| pattern.matches(path))
    }

    #[test]
    fn patterns_of_each_syntax() {
        use Syntax::{AnyCase, Plain, Shell};
        for (folder, text, syntax, path, expected) in [
            ("a", "**/*.cs", AnyCase, "a/x.cs", true),
            ("a", "**\\*.cs", AnyCase, "a/b/c/X.CS", true),
            ("a", "**/*.cs", AnyCase, "b/x.cs", false),
            ("a", "*.cs", AnyCase, "a/b/x.cs", false),
            ("a", "..\\b\\*.cs", AnyCase, "b/x.cs", true),
            ("a", "..\\B\\*.cs", AnyCase, "b/x.cs", true),
            ("a", "x[1].cs", AnyCase, "a/x[1].cs", true),
            ("a", "**/x[1]?.cs", AnyCase, "a/x[1]2.cs", true),
            ("a", "bin/**", AnyCase, "a/bin/x.cs", true),
            ("a", "bin/**", AnyCase, "a/bina/x.cs", false),
            ("", "src/**/*", Plain, "src/a", true),
            ("", "src/*", Plain, "src/a/b", false),
            ("", "{a,b}/*", Plain, "a/x", false),
            ("", "packages/*", Shell, "packages/a", true),
            ("", "packages/*", Shell, "packages/a/b", false),
            ("", "{a,b}/*", Shell, "b/x", true),
            ("", "./packages/**", Shell, "packages/a/b", true),
            ("", "crates/[a-c]x", Shell, "crates/bx", true),
            ("", "crates/[", Shell, "crates/[", false),
            ("a", "../../*", Shell, "x", false),
        ] {
            assert_eq!(
                matches(folder, text, syntax, path),
                expected,
                "{text} {path}"
            );
        }
    }
}
