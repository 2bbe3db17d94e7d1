//! Paths in texts of attributes: `#[serde(default = "path::of", from = "Raw<T>")]`. Who derives by them parses them as code.

use tree_sitter::Node;

use super::tokens::all_children;
use super::walk::{Walk, spaces};
use crate::facts::{Expr, ExprId, NONE, Role};

/// Attributes whose texts are code under some keys, and the keys. Under others a text is data: a new name, a tag.
const CODE: [(&str, &[&str]); 2] = [
    (
        "serde",
        &[
            "default",
            "with",
            "serialize_with",
            "deserialize_with",
            "skip_serializing_if",
            "getter",
            "remote",
            "from",
            "try_from",
            "into",
            "crate",
            "bound",
        ],
    ),
    (
        "schemars",
        &["default", "with", "schema_with", "crate", "bound"],
    ),
];

impl<'t, 's> Walk<'t, 's> {
    /// The uses in the texts of an attribute's arguments.
    pub(super) fn attribute_texts(&mut self, arguments: Node<'t>, attribute: &str) {
        let known = CODE.iter().find(|(name, _)| *name == attribute);
        let keys = known.map(|(_, keys)| *keys);
        // Lists in the arguments, and whether the key before says that their texts are code.
        let mut open = vec![(arguments, false)];
        while let Some((list, is_code)) = open.pop() {
            let (mut key, mut is_value) = ("", false);
            for token in all_children(list) {
                match token.kind() {
                    "=" => is_value = true,
                    "," => (key, is_value) = ("", false),
                    "token_tree" => {
                        let is_code = keys.is_some_and(|keys| keys.contains(&key));
                        open.push((token, is_code));
                    }
                    "string_literal" if is_value => {
                        let is_key = keys.is_some_and(|keys| keys.contains(&key));
                        self.attribute_text(token, is_code || is_key);
                    }
                    // `default` and `crate` are words of the language.
                    _ if is_name(self.unraw(token)) => key = self.unraw(token),
                    _ => {}
                }
            }
        }
    }

    /// One text: all paths in it if it is code, else the path that it is as a whole, if that has more than one segment.
    fn attribute_text(&mut self, literal: Node<'t>, is_code: bool) {
        let literal_text = self.unraw(literal);
        let inner = literal_text
            .strip_prefix('"')
            .and_then(|text| text.strip_suffix('"'));
        let Some(text) = inner.filter(|text| !text.contains('\\')) else {
            return;
        };
        let at = literal.start_byte() + 1;
        if is_code {
            self.paths_in(text, at);
        } else if is_path(text) {
            self.path_in(text, at);
        }
    }

    fn paths_in(&mut self, text: &'s str, at: usize) {
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '\'');
        let mut from = 0;
        while let Some(start) = text[from..].find(is_of_path).map(|start| from + start) {
            let rest = &text[start..];
            let end = start + rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
            // `T: Trait`
            let word = text[start..end].trim_end_matches(':');
            if word.split("::").all(is_name) {
                self.path_in(word, at + start);
            }
            from = end;
        }
    }

    /// A path of names, which stands at a byte.
    fn path_in(&mut self, path: &'s str, at: usize) {
        let mut of: Option<ExprId> = None;
        let mut from = at;
        let count = path.split("::").count();
        for (index, segment) in path.split("::").enumerate() {
            let looked_up = match index + 1 == count {
                true => spaces::ANY,
                false => spaces::PREFIX,
            };
            let place = from as u32;
            of = Some(match (of, segment) {
                (None, "crate") => self.root("crate", NONE),
                (None, "self") => self.ancestor(0),
                (None, "super") => self.ancestor(1),
                (None, "Self") => self.b.expr(Expr::SelfType {
                    scope: self.lang.scope,
                }),
                (None, name) => {
                    self.b
                        .name_use(name, self.lang.scope, place, Role::Read, looked_up)
                }
                (Some(of), name) => self.b.member_use(of, name, place, Role::Read, looked_up),
            });
            from += segment.len() + "::".len();
        }
    }
}

/// Whether a text is a path of at least two names.
fn is_path(text: &str) -> bool {
    text.contains("::") && text.split("::").all(is_name)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}
