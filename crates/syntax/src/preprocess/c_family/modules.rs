//! What C++20 and C++23 say and the grammar does not know: modules and their imports, blocks of exports, and `this`
//! before a parameter (an explicit object).

use std::ops::Range;

use super::tokens::CTokens;

/// The words by which it is seen whether a text has any of it.
const WORDS: [&str; 4] = ["export", "import", "module", "(this "];

/// What is to be blanked.
pub(super) fn unread(text: &str) -> Vec<Range<usize>> {
    let has = |word: &&str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    if !WORDS.iter().any(has) {
        return Vec::new();
    }
    let tokens: Vec<Range<usize>> = CTokens::new(text).collect();
    let file = ModuleFile { text, tokens };
    let mut unread = file.statements();
    unread.extend(file.explicit_objects());
    unread.sort_by_key(|range| range.start);
    unread
}

struct ModuleFile<'t> {
    text: &'t str,
    tokens: Vec<Range<usize>>,
}

/// What a brace that is open is the brace of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Brace {
    /// A block of exports.
    Export,
    /// A namespace: what is in it may be exported.
    Namespace,
    /// Anything else.
    Other,
}

impl ModuleFile<'_> {
    fn word(&self, at: usize) -> &str {
        let range = self.tokens.get(at).cloned().unwrap_or_default();
        self.text.get(range).unwrap_or_default()
    }

    /// Declarations of modules, imports, the word `export` before declarations, and the words and braces of blocks of
    /// exports.
    fn statements(&self) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        // For each open brace, what it is the brace of.
        let mut open: Vec<Brace> = Vec::new();
        let mut at = 0;
        let mut is_first = true;
        // Where the statement begins that the current token stands in.
        let mut begin = 0;
        while at < self.tokens.len() {
            let is_outside = open.iter().all(|brace| *brace != Brace::Other);
            let begins = at == 0 || matches!(self.word(at - 1), ";" | "{" | "}");
            if begins {
                begin = at;
            }
            let exported = usize::from(self.word(at) == "export");
            if is_outside && begins && exported == 1 && self.word(at + 1) == "{" {
                found.push(self.tokens[at].clone());
                found.push(self.tokens[at + 1].clone());
                open.push(Brace::Export);
                at += 2;
                continue;
            }
            if is_outside
                && begins
                && let Some(end) = self.statement(at + exported, exported == 1, is_first)
            {
                // After the global fragment (`module;`) the module's own declaration comes first.
                is_first = self.word(at + 1) == ";";
                found.push(self.tokens[at].start..self.tokens[end].end);
                at = end + 1;
                continue;
            }
            is_first = false;
            if is_outside && exported == 1 && self.begins_declaration(at + 1) {
                found.push(self.tokens[at].clone());
                at += 1;
                begin = at;
                continue;
            }
            match self.word(at) {
                "{" if is_outside && self.opens_namespace(begin, at) => open.push(Brace::Namespace),
                "{" => open.push(Brace::Other),
                "}" if open.pop() == Some(Brace::Export) => found.push(self.tokens[at].clone()),
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Whether a declaration may begin behind `export`, which is a word of the language.
    fn begins_declaration(&self, at: usize) -> bool {
        let word = self.word(at);
        word.starts_with(|first: char| first.is_alphabetic() || first == '_')
            || matches!(word, "::" | "[")
    }

    /// Whether a brace is that of a namespace, or of what is linked otherwise (`extern "C++" {`).
    fn opens_namespace(&self, begin: usize, brace: usize) -> bool {
        let is_word = |word: &str| word == "::" || self.is_name(word);
        let mut words = (begin..brace).map(|at| self.word(at));
        let is_linked = brace == begin + 1 && self.word(begin) == "extern";
        let is_namespace = words.clone().any(|word| word == "namespace") && words.all(is_word);
        is_namespace || is_linked
    }

    fn is_name(&self, word: &str) -> bool {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_')
    }

    /// The token that ends a statement about modules which begins with this one. `module a;` may declare a variable
    /// anywhere but at the head of a file.
    fn statement(&self, at: usize, is_exported: bool, is_first: bool) -> Option<usize> {
        let next = self.word(at + 1);
        let is_such = match self.word(at) {
            "module" => is_exported || is_first || matches!(next, ";" | ":"),
            "import" => {
                let names = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '<');
                let is_text = next == ";"
                    && self.text[self.tokens[at].end..]
                        .trim_start()
                        .starts_with('"');
                is_text || next != "::" && next.starts_with(names)
            }
            _ => false,
        };
        if !is_such {
            return None;
        }
        let is_part = |word: &str| {
            word.starts_with(|c: char| c.is_alphanumeric() || "_.:<>/-+".contains(c))
                && word != "::"
        };
        let end = (at + 1..self.tokens.len()).find(|place| !is_part(self.word(*place)))?;
        (self.word(end) == ";").then_some(end)
    }

    /// `this` where a parameter's type follows.
    fn explicit_objects(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        const OPERATORS: [&str; 9] = [
            "and", "or", "xor", "not_eq", "and_eq", "or_eq", "xor_eq", "bitand", "bitor",
        ];
        (1..self.tokens.len()).filter_map(|at| {
            let next = self.word(at + 1);
            let is_type = next == "::"
                || next.starts_with(|c: char| c.is_alphabetic() || c == '_')
                    && !OPERATORS.contains(&next);
            let is_such = self.word(at) == "this" && self.word(at - 1) == "(" && is_type;
            is_such.then(|| self.tokens[at].clone())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::unread;
    use crate::preprocess::blank;

    fn shown(text: &str) -> String {
        let shown = blank(text, &unread(text)).into_owned();
        assert_eq!(shown.len(), text.len());
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn modules_and_imports_declare_nothing() {
        let text = "module;\n#include <a>\nexport module shop.cart:part;\nimport std;\nexport import :other;\nimport <vector>;\nimport \"a.h\";\nint a;\nmodule :private;\nint b;";
        assert_eq!(shown(text), "#include <a> int a; int b;");
        assert_eq!(shown("module shop;\nint a;"), "int a;");
    }

    #[test]
    fn what_stands_in_a_block_of_exports_stands_outside_of_it() {
        assert_eq!(
            shown("export {\n void f() { if (a) { } }\n struct A { int b; };\n}\nclass C {};"),
            "void f() { if (a) { } } struct A { int b; }; class C {};"
        );
    }

    #[test]
    fn the_word_before_what_is_exported_goes() {
        assert_eq!(
            shown(
                "export module a;\nexport template <class T> struct B { T c; };\nexport namespace d { export class E; }\nnamespace f { export { int g; } }\nexport extern \"C++\" { export int h(); }\nexport using i::j;"
            ),
            "template <class T> struct B { T c; }; namespace d { class E; } namespace f { int g; } extern \"C++\" { int h(); } using i::j;"
        );
    }

    #[test]
    fn an_explicit_object_is_a_parameter() {
        assert_eq!(
            shown("struct A { int f(this A const& self); int g(this auto&& self, int a); };"),
            "struct A { int f( A const& self); int g( auto&& self, int a); };"
        );
    }

    #[test]
    fn names_like_these_stay() {
        for text in [
            "int a;\nmodule core;",
            "void f() { module m; import(a); }",
            "f(this); g(this, a); h(this and a); x = import + 1;",
            "import a = 1;",
        ] {
            assert_eq!(blank(text, &unread(text)), text);
        }
    }
}
