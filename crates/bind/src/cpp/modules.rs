//! Modules of C++20: which one a file is a unit of, and which it imports. The grammar is shown none of it.

use tree_sitter::Node;

use super::walk::CppWalk;
use crate::facts::{Expr, FILE_SCOPE, flag};

/// What the path of a namespace begins with that stands for a module. This is no name that could be written.
pub const MODULE: &str = " module ";

/// A statement about modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Statement<'t> {
    is_import: bool,
    is_exported: bool,
    /// What is written behind the word, and its first byte.
    name: &'t str,
    at: usize,
}

impl<'t> CppWalk<'t> {
    /// Declares the module of a file, and brings what it imports.
    pub(super) fn modules(&mut self, root: Node<'t>) {
        if self.lang.is_c {
            return;
        }
        let mut own = "";
        for statement in statements(self.text) {
            let Statement { name, at, .. } = statement;
            if statement.is_import {
                self.import(own, name, at);
                continue;
            }
            let is_interface = statement.is_exported || name.contains(':');
            own = name.split(':').next().unwrap_or(name).trim_end();
            if own.is_empty() {
                continue;
            }
            if is_interface {
                let name: String = name.split_whitespace().collect();
                let path = format!("{MODULE}{name}");
                // Nobody asks what is written behind the text.
                let end = self.text.len();
                self.namespace_at(&path, FILE_SCOPE, root, end, end..end);
            } else {
                // What implements a module sees its interface.
                self.import("", own, at);
            }
        }
    }

    /// `import a;`, `import :part;`, `import <a>;`, `import "a.h";`.
    fn import(&mut self, own: &str, name: &str, at: usize) {
        let is_header = name.starts_with(['<', '"']);
        let written: String = match name.starts_with(':') {
            true => format!("{own}{name}"),
            false => name.to_owned(),
        };
        let written: String = written.split_whitespace().collect();
        let written = written.trim_matches(['<', '>', '"']);
        let name = self.b.name(written);
        let of = self.b.expr(Expr::Module {
            name,
            at: at as u32 + u32::from(is_header),
            level: u8::from(!is_header),
        });
        self.b.glob_import(FILE_SCOPE, of, flag::EXPORTED);
    }
}

/// The statements about modules in a text: each begins a line, as they have to.
fn statements(text: &str) -> Vec<Statement<'_>> {
    if !text.contains("module") && !text.contains("import") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut at = start;
        start += line.len();
        for part in line.split_inclusive(';') {
            let begin = at;
            at += part.len();
            let Some(statement) = statement(part, begin) else {
                break;
            };
            found.push(statement);
        }
    }
    found
}

fn statement(part: &str, begin: usize) -> Option<Statement<'_>> {
    let whole = part.strip_suffix(';')?;
    let rest = whole.trim_start();
    let (is_exported, rest) = match rest.strip_prefix("export") {
        Some(rest) if rest.starts_with([' ', '\t']) => (true, rest.trim_start()),
        _ => (false, rest),
    };
    let (is_import, rest) = match (rest.strip_prefix("module"), rest.strip_prefix("import")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let begins_name = |first: char| matches!(first, ' ' | '\t' | ':' | '<' | '"');
    if !rest.is_empty() && !rest.starts_with(begins_name) {
        return None;
    }
    let name = rest.trim();
    let is_of_name = |letter: char| {
        letter.is_alphanumeric()
            || matches!(
                letter,
                '_' | '.' | ':' | ' ' | '<' | '>' | '"' | '/' | '-' | '+'
            )
    };
    if !name.chars().all(is_of_name) || name.contains("::") {
        return None;
    }
    let at = begin + whole.len() - rest.trim_start().len();
    Some(Statement {
        is_import,
        is_exported,
        name,
        at,
    })
    .filter(|statement| !statement.is_import || !statement.name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[test]
    fn statements_are_those_that_begin_a_line() {
        let text = "module;\n#include <a>\nexport module shop.cart:part;\nimport std; import :other;\nexport import \"a.h\";\nint module = 1;\nimport::a b;\nint x;";
        let found: Vec<_> = statements(text)
            .iter()
            .map(|of| {
                assert!(text[of.at..].starts_with(of.name));
                (of.is_import, of.is_exported, of.name)
            })
            .collect();
        assert_eq!(
            found,
            [
                (false, false, ""),
                (false, true, "shop.cart:part"),
                (true, false, "std"),
                (true, false, ":other"),
                (true, true, "\"a.h\""),
            ]
        );
    }
}
