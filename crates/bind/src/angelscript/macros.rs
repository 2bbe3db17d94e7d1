//! Macros before declarations: specifiers of which the value names a member.

use crate::facts::{Expr, Role, ScopeId, ScopeKind};

use super::kinds::Kind;
use super::walk::{AngelScriptChild, AngelScriptWalk, FUNCTION, VALUE};

/// What a specifier's value names, by the specifier's name in lower case, as the engine compares it.
fn named_by(specifier: &str) -> Option<u8> {
    match specifier {
        "attach" | "overridecomponent" => Some(VALUE),
        "replicatedusing" | "blueprintsetter" | "blueprintgetter" => Some(FUNCTION),
        // an expression in a string, over members and enumerators
        "editcondition" => Some(VALUE | FUNCTION),
        _ => None,
    }
}

/// More words than these in a condition are no condition.
const MAX_WORDS: usize = 32;

impl<'t> AngelScriptWalk<'t> {
    /// Names of members in a macro's arguments, also in lists in it; outside of types nothing.
    pub(super) fn macro_call(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        if self.b.facts.scopes[scope as usize].kind != ScopeKind::Class {
            return;
        }
        let children = self.open(child.node);
        if let Some(list) = self.children.in_field(children, self.table.arguments) {
            self.specifiers(list, scope);
        }
        self.close(children);
    }

    fn specifiers(&mut self, list: AngelScriptChild<'t>, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        let children = self.open(list.node);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Specifier => self.specifier(part, scope),
                Kind::SpecifierList => self.specifiers(part, scope),
                _ => {}
            }
        }
        self.close(children);
        self.leave();
    }

    fn specifier(&mut self, child: AngelScriptChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let name = self.children.in_field(children, self.table.name);
        let name = name.map(|name| self.text(name.node).to_ascii_lowercase());
        let value = self.children.in_field(children, self.table.value);
        if let (Some(name), Some(value)) = (name, value) {
            let named = named_by(&name);
            match (value.kind, named) {
                (Kind::SpecifierList, _) => self.specifiers(value, scope),
                (Kind::Identifier, Some(spaces)) => {
                    self.member_named(self.text(value.node), value.start(), scope, spaces);
                }
                (_, Some(spaces)) => self.words(value, scope, spaces),
                _ => {}
            }
        }
        self.close(children);
    }

    fn member_named(&mut self, name: &str, at: usize, scope: ScopeId, spaces: u8) {
        let of = self.b.expr(Expr::This { scope });
        self.b
            .member_use(of, name, at as u32, Role::Attribute, spaces);
    }

    /// The words of `"bLit && Mode == EMode::Dim"`: of `A::B` those of the path, all others members.
    fn words(&mut self, value: AngelScriptChild<'t>, scope: ScopeId, spaces: u8) {
        let text = self.text(value.node);
        let mut before = None;
        for (start, word) in words(text).take(MAX_WORDS) {
            let at = value.start() + start;
            let behind = text[start + word.len()..].trim_start();
            let is_value = matches!(word, "true" | "false" | "nullptr" | "this");
            let of = match before {
                Some((end, of)) if text[end..start].trim() == "::" => Some(of),
                _ => None,
            };
            let used = if let Some(of) = of {
                self.b
                    .member_use(of, word, at as u32, Role::Attribute, VALUE)
            } else if behind.starts_with("::") {
                let outer = super::walk::OUTER;
                self.b
                    .name_use(word, scope, at as u32, Role::Attribute, outer)
            } else if is_value {
                continue;
            } else {
                self.member_named(word, at, scope, spaces);
                continue;
            };
            before = Some((start + word.len(), used));
        }
    }
}

/// Words of letters, digits and `_` that begin with no digit, with their first byte.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map(move |word| {
            let start = at;
            let rest = text[start + word.len()..].chars().next();
            at = start + word.len() + rest.map_or(0, char::len_utf8);
            (start, word)
        })
        .filter(|(_, word)| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_they_are() {
        let found: Vec<_> = words("\"bLit && !é2 == E::A\"").collect();
        assert_eq!(found, [(1, "bLit"), (10, "é2"), (17, "E"), (20, "A")]);
    }
}
