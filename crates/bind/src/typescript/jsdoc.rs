//! Types that JavaScript says in comments: `@param {T} name`, `@returns {T}`, `@type {T}`.
//!
//! Nothing in a comment is a use of a name; it only says what something else is. What cannot be read is left out.

use tree_sitter::Node;

use super::Walk;
use crate::facts::{Expr, ExprId, Literal, NONE, Role, ScopeId, space};

/// Types in comments nest this deep.
const DEEPEST: u32 = 8;

/// Comments are this long at most: behind that it is no longer about one declaration.
const LONGEST: usize = 20_000;

impl<'t> Walk<'t> {
    /// The documentation comment right before the statement or member that a node begins, or that assigns it.
    pub(super) fn jsdoc(&self, node: Node<'_>) -> Option<&'t str> {
        if self.is_typed {
            return None;
        }
        let before = self.text.get(..node.start_byte())?;
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let (above, head) = before.split_at_checked(line)?;
        // A function that is handed to a call is not what the comment is about.
        let is_head = |letter: char| letter.is_alphanumeric() || "_$.=:, \t".contains(letter);
        let own = before.trim_end();
        let above = if own.ends_with("*/") {
            own
        } else if head.chars().all(is_head) {
            above.trim_end()
        } else {
            return None;
        };
        let inside = above.strip_suffix("*/")?;
        let start = inside.rfind("/*")?;
        let comment = inside.get(start..)?;
        (comment.starts_with("/**") && comment.len() < LONGEST).then_some(comment)
    }

    /// The type of the parameter of this name.
    pub(super) fn jsdoc_param(&mut self, comment: &str, name: &str, scope: ScopeId) -> ExprId {
        let of_name = |rest: &str| {
            let rest = rest.trim_start().trim_start_matches('[');
            let end = rest.find(|letter: char| !is_name(letter));
            let (found, after) = rest.split_at(end.unwrap_or(rest.len()));
            // `@param {T} options.name` is about a part of it.
            found == name && !after.starts_with('.')
        };
        self.jsdoc_tag(comment, &["@param", "@arg", "@argument"], of_name, scope)
    }

    /// What a function gives.
    pub(super) fn jsdoc_result(&mut self, comment: &str, scope: ScopeId) -> ExprId {
        self.jsdoc_tag(comment, &["@returns", "@return"], |_| true, scope)
    }

    /// What a variable or field is.
    pub(super) fn jsdoc_type(&mut self, comment: &str, scope: ScopeId) -> ExprId {
        self.jsdoc_tag(comment, &["@type"], |_| true, scope)
    }

    fn jsdoc_tag(
        &mut self,
        comment: &str,
        tags: &[&str],
        is_it: impl Fn(&str) -> bool,
        scope: ScopeId,
    ) -> ExprId {
        for (at, _) in comment.match_indices('@') {
            let tag = &comment[at..];
            let is_tag = |name: &&&str| {
                let after = tag.strip_prefix(**name);
                after.is_some_and(|after| after.trim_start().starts_with('{'))
            };
            let Some(name) = tags.iter().find(is_tag) else {
                continue;
            };
            let Some((ty, rest)) = braced(tag[name.len()..].trim_start()) else {
                continue;
            };
            if is_it(rest) {
                return self.commented(ty, scope, 0);
            }
        }
        NONE
    }

    /// A type as it is written in a comment.
    fn commented(&mut self, written: &str, scope: ScopeId, depth: u32) -> ExprId {
        let ty = written
            .trim()
            .trim_start_matches(['?', '!'])
            .trim_end_matches('=');
        if depth > DEEPEST || ty.is_empty() {
            return NONE;
        }
        let parts = split(ty, '|');
        if parts.len() > 1 {
            let parts: Vec<ExprId> = parts
                .into_iter()
                .map(|part| self.commented(part, scope, depth + 1))
                .filter(|part| *part != NONE)
                .collect();
            return self.builder.union(&parts);
        }
        if let Some(inner) = ty.strip_prefix("...") {
            return self.commented(inner, scope, depth + 1);
        }
        if let Some(inner) = ty.strip_suffix("[]") {
            let of = self.commented(inner, scope, depth + 1);
            return self.builder.expr(Expr::Array { of });
        }
        if let Some(inner) = ty.strip_prefix('(').and_then(|ty| ty.strip_suffix(')')) {
            return self.commented(inner, scope, depth + 1);
        }
        if let Some((head, args)) = ty.strip_suffix('>').and_then(|ty| ty.split_once('<')) {
            let of = self.commented(head.trim_end_matches('.'), scope, depth + 1);
            let args: Vec<ExprId> = split(args, ',')
                .into_iter()
                .map(|arg| self.commented(arg, scope, depth + 1))
                .collect();
            if of == NONE {
                return NONE;
            }
            let args = self.builder.list(&args);
            return self.builder.expr(Expr::Apply { of, args });
        }
        self.commented_name(ty, scope)
    }

    fn commented_name(&mut self, ty: &str, scope: ScopeId) -> ExprId {
        let literal = match ty.to_ascii_lowercase().as_str() {
            "string" => Literal::Text,
            "number" => Literal::Integer,
            "boolean" => Literal::Boolean,
            "null" | "undefined" | "void" => Literal::Null,
            "any" | "object" | "function" | "unknown" => return NONE,
            _ => {
                let mut parts = ty.split('.');
                let is_path = parts
                    .clone()
                    .all(|part| !part.is_empty() && part.chars().all(is_name));
                let Some(first) = parts.next().filter(|_| is_path) else {
                    return NONE;
                };
                let of = self
                    .builder
                    .name_use(first, scope, NONE, Role::Type, space::ANY);
                return parts.fold(of, |of, part| {
                    self.builder
                        .member_use(of, part, NONE, Role::Type, space::ANY)
                });
            }
        };
        self.builder.expr(Expr::Literal { of: literal })
    }
}

fn is_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '$'
}

/// What stands in the braces that a text begins with, and what is behind them.
fn braced(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[1..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of a text between separators that stand in no brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' | ')' | '}' | ']' => depth -= 1,
            _ if letter == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
