//! What one file says about names: imports, paths, definitions and `impl` blocks.

use crate::tokens::{Token, behind_brackets, tokens};

/// Names of modules from the crate's root on, or of what is in one.
pub(super) type Path = Vec<String>;

/// A `use` of one name.
#[derive(Debug, PartialEq)]
pub(super) struct Import {
    /// The module it stands in.
    pub(super) scope: Path,
    /// The path as written; `*` at its end imports all.
    pub(super) path: Path,
    /// What the name is called here.
    pub(super) name: String,
    /// Whether others can import it from here.
    pub(super) is_public: bool,
}

/// A path in code.
#[derive(Debug, PartialEq)]
pub(super) struct Mention {
    /// The module it stands in.
    pub(super) scope: Path,
    /// The path as written.
    pub(super) path: Path,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Source {
    pub(super) imports: Vec<Import>,
    pub(super) mentions: Vec<Mention>,
    /// Names that are defined, each with its module.
    pub(super) definitions: Vec<(Path, String)>,
    /// Types with inherent `impl` blocks, as written.
    pub(super) impls: Vec<Mention>,
    /// Modules that are written in the file itself.
    pub(super) inline_modules: Vec<Path>,
}

const DEFINING: &[&str] = &[
    "const", "enum", "fn", "static", "struct", "trait", "type", "union",
];

impl Source {
    /// Reads a file that is the module `module`.
    pub(super) fn read(text: &str, module: &Path) -> Self {
        let mut reader = Reader {
            all: tokens(text),
            source: Self::default(),
            scope: module.clone(),
            ends: Vec::new(),
        };
        reader.read();
        reader.source
    }
}

struct Reader<'a> {
    all: Vec<Token<'a>>,
    source: Source,
    scope: Path,
    /// Where each module that is open and written in the file ends.
    ends: Vec<usize>,
}

impl Reader<'_> {
    fn read(&mut self) {
        let mut at = 0;
        while at < self.all.len() {
            while self.ends.last().is_some_and(|end| *end <= at) {
                self.ends.pop();
                self.scope.pop();
            }
            at = match self.all[at] {
                Token::Word("use")
                    if self.word(at + 1).is_some() || self.is(at + 1, Token::PathSeparator) =>
                {
                    self.import(at)
                }
                Token::Word("mod")
                    if self.word(at + 1).is_some() && self.is(at + 2, Token::Sign('{')) =>
                {
                    self.open_module(at)
                }
                Token::Word(word) => {
                    if DEFINING.contains(&word)
                        && let Some(name) = self.word(at + 1)
                    {
                        self.source.definitions.push((self.scope.clone(), name));
                    }
                    if word == "impl" && self.begins_item(at) {
                        self.inherent_impl(at);
                    }
                    self.mention(at)
                }
                _ => at + 1,
            };
        }
    }

    fn word(&self, at: usize) -> Option<String> {
        match self.all.get(at) {
            Some(Token::Word(word)) => Some((*word).to_owned()),
            _ => None,
        }
    }

    fn is(&self, at: usize, token: Token<'_>) -> bool {
        self.all.get(at) == Some(&token)
    }

    fn open_module(&mut self, at: usize) -> usize {
        self.scope.extend(self.word(at + 1));
        self.ends.push(behind_brackets(&self.all, at + 2));
        self.source.inline_modules.push(self.scope.clone());
        at + 3
    }

    /// Takes in `use …;`.
    fn import(&mut self, at: usize) -> usize {
        let before = at.checked_sub(1).map(|before| self.all[before]);
        let is_public = matches!(before, Some(Token::Word("pub") | Token::Sign(')')));
        let mut end = self.use_tree(at + 1, &Path::new(), is_public);
        while end < self.all.len() && !self.is(end, Token::Sign(';')) {
            end += 1;
        }
        end
    }

    /// Takes in a tree of imports below `prefix`; gives what is behind it.
    fn use_tree(&mut self, start: usize, prefix: &Path, is_public: bool) -> usize {
        let mut path = prefix.clone();
        let mut at = start;
        loop {
            match self.all.get(at) {
                Some(Token::Word("as")) => {
                    let name = self.word(at + 1).unwrap_or_default();
                    self.add_import(path, name, is_public);
                    return at + 2;
                }
                Some(Token::Word(word)) => path.push((*word).to_owned()),
                Some(Token::Sign('*')) => path.push("*".to_owned()),
                Some(Token::PathSeparator) => {}
                Some(Token::Sign('{')) => {
                    let end = behind_brackets(&self.all, at);
                    at += 1;
                    while at + 1 < end {
                        at = self.use_tree(at, &path, is_public);
                        at += usize::from(self.is(at, Token::Sign(',')));
                    }
                    return end;
                }
                _ => {
                    let name = path.last().cloned().unwrap_or_default();
                    self.add_import(path, name, is_public);
                    return at.max(start + 1);
                }
            }
            at += 1;
        }
    }

    fn add_import(&mut self, mut path: Path, mut name: String, is_public: bool) {
        // `use a::{self}` names `a`.
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
            if name == "self" {
                name = path.last().cloned().unwrap_or_default();
            }
        }
        self.source.imports.push(Import {
            scope: self.scope.clone(),
            path,
            name,
            is_public,
        });
    }

    /// Takes in a path of several names; gives what is behind it.
    fn mention(&mut self, start: usize) -> usize {
        let mut path: Path = self.word(start).into_iter().collect();
        let mut at = start + 1;
        while self.is(at, Token::PathSeparator)
            && let Some(name) = self.word(at + 1)
        {
            path.push(name);
            at += 2;
        }
        let is_global = start > 0 && self.is(start - 1, Token::PathSeparator);
        if path.len() > 1 && !is_global {
            let scope = self.scope.clone();
            self.source.mentions.push(Mention { scope, path });
        }
        at
    }

    /// Whether an item can begin here, as opposed to a type.
    fn begins_item(&self, at: usize) -> bool {
        at.checked_sub(1).is_none_or(|before| {
            matches!(
                self.all[before],
                Token::Sign('}' | '{' | ';' | ']') | Token::Word("unsafe" | "default")
            )
        })
    }

    /// Takes in the type of `impl Type {`; blocks of traits have `for` in them.
    fn inherent_impl(&mut self, start: usize) {
        let mut at = start + 1;
        if self.is(at, Token::Sign('<')) {
            at = self.behind_angles(at);
        }
        let mut path = Path::new();
        let mut is_path = true;
        loop {
            match self.all.get(at) {
                Some(Token::Word("for")) if !self.is(at + 1, Token::Sign('<')) => return,
                Some(Token::Word("where")) => is_path = false,
                Some(Token::Word(word)) if is_path => path.push((*word).to_owned()),
                Some(Token::Sign('<')) => {
                    at = self.behind_angles(at);
                    continue;
                }
                Some(Token::Sign('{')) => break,
                None => return,
                _ => {}
            }
            at += 1;
        }
        let scope = self.scope.clone();
        self.source.impls.push(Mention { scope, path });
    }

    /// What is behind the angle bracket that opens here and its partner.
    fn behind_angles(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        let mut before = None;
        for (at, token) in self.all.iter().enumerate().skip(open) {
            match token {
                Token::Sign('<') => depth += 1,
                // `->` closes nothing.
                Token::Sign('>') if before != Some(&Token::Sign('-')) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
            before = Some(token);
        }
        self.all.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Source {
        Source::read(text, &vec!["m".to_owned()])
    }

    fn joined(path: &Path) -> String {
        path.join("::")
    }

    #[test]
    fn imports() {
        let text = "use a::b; pub(crate) use super::{c, d::{self, E as F, *}}; fn f() -> impl X + use<'_> { use ::g::h; }";
        let found: Vec<(String, String, bool)> = read(text)
            .imports
            .into_iter()
            .map(|import| (joined(&import.path), import.name, import.is_public))
            .collect();
        let expected = [
            ("a::b", "b", false),
            ("super::c", "c", true),
            ("super::d", "d", true),
            ("super::d::E", "F", true),
            ("super::d::*", "*", true),
            ("g::h", "h", false),
        ];
        assert_eq!(
            found,
            expected.map(|(path, name, is_public)| (path.to_owned(), name.to_owned(), is_public))
        );
    }

    #[test]
    fn paths_of_code() {
        let found = read("fn f(a: crate::b::C<super::D>) { e::g(); ::std::x(); h.i::<j::K>() }");
        let found: Vec<String> = found
            .mentions
            .iter()
            .map(|mention| joined(&mention.path))
            .collect();
        assert_eq!(found, ["crate::b::C", "super::D", "e::g", "j::K"]);
    }

    #[test]
    fn modules_in_a_file_are_scopes_of_their_own() {
        let found = read("mod a { fn b() { super::c::d() } } fn e() { c::f() }");
        assert_eq!(found.inline_modules, [["m", "a"]]);
        assert_eq!(found.mentions[0].scope, ["m", "a"]);
        assert_eq!(found.mentions[1].scope, ["m"]);
        let names: Vec<String> = found
            .definitions
            .iter()
            .map(|(scope, name)| format!("{}::{name}", joined(scope)))
            .collect();
        assert_eq!(names, ["m::a::b", "m::e"]);
    }

    #[test]
    fn inherent_impls() {
        let text = "impl A {} impl<T: Fn() -> u8> B<T> where for<'a> T: C<'a> {} impl D for E {} \
            fn f() -> impl G { impl super::H {} } unsafe impl I for J {}";
        let found = read(text).impls;
        let found: Vec<String> = found.iter().map(|mention| joined(&mention.path)).collect();
        assert_eq!(found, ["A", "B", "super::H"]);
    }
}
