//! Words of a text that are spelled like a name: where they are, and whether code, a comment or a string has them.

use codecortex_syntax::language::detect;
use codecortex_syntax::{as_parsed, parse};
use tree_sitter::{Node, Tree};

/// What holds a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordHolder {
    /// Code, or a text that does not parse.
    Code,
    /// A comment.
    Comment,
    /// A keyword or sign of the grammar.
    Keyword,
    /// A string, a character, a regular expression or the text of an element.
    String,
    /// The string by which an import names a file.
    Path,
}

/// Whether a letter can be part of a name.
pub(crate) fn is_word_letter(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '\u{300}'..='\u{36f}')
}

/// The word that begins at a byte; empty where none does.
pub(crate) fn word_at(text: &str, at: u32) -> &str {
    let rest = text.get(at as usize..).unwrap_or_default();
    let end = rest
        .find(|letter| !is_word_letter(letter))
        .unwrap_or(rest.len());
    &rest[..end]
}

/// First bytes of the whole words of a text that are spelled like this; for texts that are no code.
#[must_use]
pub fn whole_words(text: &str, word: &str) -> Vec<u32> {
    words_like(text, word).collect()
}

/// First bytes of the whole words that are spelled like this.
pub(crate) fn words_like<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = u32> + 't {
    let is_whole = move |at: &usize| {
        let before = text[..*at].chars().next_back();
        let behind = text[*at + word.len()..].chars().next();
        !before.is_some_and(is_word_letter) && !behind.is_some_and(is_word_letter)
    };
    let hits = text.match_indices(word).map(|(at, _)| at);
    hits.filter(is_whole).map(|at| at as u32)
}

/// A text's tree, for questions about the holders of words.
pub(crate) struct WordHolders(Option<Tree>);

impl WordHolders {
    /// Parses a text; `path` serves for its ending alone.
    pub(crate) fn new(path: &str, text: &str) -> Self {
        let tree = detect(path, text).and_then(|language| {
            let readable = as_parsed(language, text);
            parse(language, &readable, None)
        });
        Self(tree)
    }

    /// What holds the byte.
    pub(crate) fn holder_of(&self, at: u32) -> WordHolder {
        let mut holder = WordHolder::Code;
        let Some(tree) = &self.0 else {
            return holder;
        };
        let mut cursor = tree.walk();
        let mut is_path_here = false;
        loop {
            match node_holder(cursor.node()) {
                Some(WordHolder::Comment) => return WordHolder::Comment,
                Some(WordHolder::String) if is_path_here => return WordHolder::Path,
                Some(found) => holder = found,
                None => {}
            }
            is_path_here = names_file(cursor.node());
            if cursor.goto_first_child_for_byte(at as usize).is_none()
                || cursor.node().start_byte() > at as usize
            {
                let is_keyword = holder == WordHolder::Code && !cursor.node().is_named();
                return if is_keyword {
                    WordHolder::Keyword
                } else {
                    holder
                };
            }
        }
    }
}

/// Whether a string right in a node names a file.
fn names_file(node: Node<'_>) -> bool {
    let kind = node.kind();
    kind.starts_with("import") || matches!(kind, "export_statement" | "preproc_include")
}

/// What a node makes of the words in it; nothing where it changes nothing.
fn node_holder(node: Node<'_>) -> Option<WordHolder> {
    let kind = node.kind();
    if kind.contains("comment") {
        return Some(WordHolder::Comment);
    }
    let is_code_in_string = matches!(
        kind,
        "interpolation" | "template_substitution" | "interpolation_expression" | "jsx_expression"
    );
    if is_code_in_string {
        return Some(WordHolder::Code);
    }
    let is_string = kind.contains("string")
        || matches!(
            kind,
            "char_literal" | "character_literal" | "rune_literal" | "jsx_text" | "regex"
        );
    is_string.then_some(WordHolder::String)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_only() {
        let text = "ab abc cab a_b ab ab1 ab";
        let found: Vec<u32> = words_like(text, "ab").collect();
        assert_eq!(found, [0, 15, 22]);
        assert_eq!(word_at(text, 3), "abc");
        assert_eq!(word_at(text, 2), "");
    }

    #[test]
    fn holders_of_words() {
        for (path, text, holders) in [
            ("a.ts", "// x\nx = `x ${x}` + 'x'", "cCsCs"),
            ("a.py", "# x\nx = f'x {x}'\n", "cCsC"),
            ("a.rs", "// x\nfn f() { x; \"x\"; }\n", "cCs"),
            ("b.ts", "import { y as x } from \"x\"; export { x };", "CpC"),
            ("c.go", "package a\nimport \"x/y\"\n", "p"),
            ("a.go", "package a\n// x\nvar y = `x` + \"x\" + x\n", "cssC"),
        ] {
            let tree = WordHolders::new(path, text);
            let found: String = words_like(text, "x")
                .map(|at| match tree.holder_of(at) {
                    WordHolder::Code => 'C',
                    WordHolder::Comment => 'c',
                    WordHolder::String => 's',
                    WordHolder::Path => 'p',
                    WordHolder::Keyword => 'k',
                })
                .collect();
            assert_eq!(found, holders, "{path}");
        }
    }
}
