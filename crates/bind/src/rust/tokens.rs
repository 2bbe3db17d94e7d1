//! Tokens of macros that nothing is known about: paths and members among them are uses.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{Expr, ExprId, NONE, Role, space};

/// What is before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RustTokenBefore {
    Nothing,
    /// A path or member and what it denotes; `.` or `::` may follow.
    Known(ExprId),
    Dot(ExprId),
    Path(ExprId),
    /// `$`, `'`, `fn`: what follows is no name, or one that is declared.
    Sign,
    /// A member of something unknown.
    Unknown,
}

impl<'t, 's> RustWalk<'t, 's> {
    /// The uses among the tokens in brackets.
    pub(super) fn tokens(&mut self, tree: Node<'t>, first: u8, role: Role) {
        if !self.enter() {
            return;
        }
        let children = all_children(tree);
        let mut before = RustTokenBefore::Nothing;
        for (index, token) in children.iter().enumerate() {
            let next = children.get(index + 1);
            before = self.token(*token, next, before, (first, role));
        }
        self.leave();
    }

    /// The uses in an attribute's arguments: behind `=`, behind a text that is formatted, in what is an expression by its
    /// signs, and paths. Other words may be the attribute's own: those that begin in upper case are looked up, what is
    /// called like a function only has its name.
    pub(super) fn attribute_tokens(&mut self, tree: Node<'t>) {
        if !self.enter() {
            return;
        }
        let children = all_children(tree);
        let mut before = RustTokenBefore::Nothing;
        let (mut value, mut is_formatted) = (false, false);
        for (index, token) in children.iter().enumerate() {
            let next = children.get(index + 1);
            let is_first = index == 0 || children[index - 1].kind() == "," || index == 1;
            if is_first {
                value = is_formatted || is_expression(&children[index..], self.text);
            }
            let is_path = token.kind() == "::"
                || matches!(before, RustTokenBefore::Path(_))
                || next.is_some_and(|next| next.kind() == "::");
            match token.kind() {
                "," => value = false,
                "=" => value = true,
                "string_literal" | "raw_string_literal" if is_first => is_formatted = true,
                _ if value || is_path => {
                    before = self.token(*token, next, before, (spaces::ANY, Role::Read));
                    continue;
                }
                "token_tree" => self.attribute_tokens(*token),
                "identifier" => self.attribute_word(*token, next),
                _ => {}
            }
            before = RustTokenBefore::Nothing;
        }
        self.leave();
    }

    /// A word that may be the attribute's own.
    fn attribute_word(&mut self, token: Node<'t>, next: Option<&Node<'t>>) {
        if self.is_constant(token) {
            self.token(
                token,
                next,
                RustTokenBefore::Nothing,
                (spaces::ANY, Role::Read),
            );
        } else if next.is_some_and(|next| self.unraw(*next).starts_with('(')) {
            let (text, at) = (self.unraw(token), self.start(token));
            self.b.member_use(NONE, text, at, Role::Read, space::VALUE);
        }
    }

    /// The attributes that `cfg_attr` adds, behind its condition.
    pub(super) fn conditional_attributes(&mut self, tree: Node<'t>) {
        if !self.enter() {
            return;
        }
        let children = all_children(tree);
        let behind = children.iter().position(|child| child.kind() == ",");
        let (mut name, mut path) = ("", RustTokenBefore::Nothing);
        for index in behind.map_or(children.len(), |at| at + 1)..children.len() {
            let token = children[index];
            match token.kind() {
                "," => (name, path) = ("", RustTokenBefore::Nothing),
                "token_tree" => {
                    self.attribute_arguments(token, name);
                    path = RustTokenBefore::Nothing;
                }
                "identifier" | "::"
                    if !matches!(self.unraw(token), "derive" | "cfg_attr")
                        && !super::attributes::is_plain(self.unraw(token)) =>
                {
                    name = if token.kind() == "::" {
                        name
                    } else {
                        self.unraw(token)
                    };
                    let next = children.get(index + 1);
                    path = self.token(token, next, path, (space::MACRO, Role::Attribute));
                }
                "identifier" => name = self.unraw(token),
                _ => {}
            }
        }
        self.leave();
    }

    /// The uses in what a macro expands to: paths from `$crate`, and what else looks like a use.
    pub(super) fn macro_body(&mut self, tree: Node<'t>) {
        self.tokens(tree, spaces::ANY, Role::Read);
    }

    /// Reads an attribute among tokens whose words are no names, `#[doc = "…"]`, or mostly none, `#[cfg_attr(…)]`; whether
    /// it is one.
    fn plain_attribute(&mut self, tree: Node<'t>) -> bool {
        let before = tree.prev_sibling().map(|sign| sign.kind());
        if before != Some("#") || !self.unraw(tree).starts_with('[') {
            return false;
        }
        let children = all_children(tree);
        let Some(name) = children.get(1).filter(|name| name.kind() == "identifier") else {
            return false;
        };
        let name = self.unraw(*name);
        if name == "cfg_attr" {
            let arguments = children.get(2).filter(|next| next.kind() == "token_tree");
            if let Some(arguments) = arguments {
                self.conditional_attributes(*arguments);
            }
            return true;
        }
        super::attributes::is_plain(name)
    }

    fn token(
        &mut self,
        token: Node<'t>,
        next: Option<&Node<'t>>,
        before: RustTokenBefore,
        (first, role): (u8, Role),
    ) -> RustTokenBefore {
        match self.kind(token) {
            Kind::Identifier
                if self
                    .lang
                    .shared
                    .macro_item_names
                    .contains(&self.start(token)) =>
            {
                RustTokenBefore::Nothing
            }
            Kind::Identifier => {
                let next = next.map_or("", |next| match next.kind() {
                    // Of a function: `f::<T>()`.
                    "::" if next.next_sibling().is_some_and(|next| next.kind() == "<") => "()",
                    "token_tree" if self.unraw(*next).starts_with('(') => "()",
                    "token_tree" if self.unraw(*next).starts_with('{') => "{}",
                    kind => kind,
                });
                self.identifier(token, next, before, (first, role))
            }
            Kind::SelfWord => RustTokenBefore::Known(self.path(token, spaces::VALUE)),
            Kind::Crate => RustTokenBefore::Known(self.root("crate", NONE)),
            Kind::Super => RustTokenBefore::Known(self.ancestor(1)),
            Kind::Metavariable if self.unraw(token) == "$crate" => {
                RustTokenBefore::Known(self.root("crate", NONE))
            }
            Kind::Metavariable => RustTokenBefore::Unknown,
            Kind::TextLiteral | Kind::RawText => {
                self.captures(token);
                RustTokenBefore::Nothing
            }
            Kind::TokenTree if self.is_literal_of_fields(token) => {
                let holder = match before {
                    RustTokenBefore::Known(of) => Some(self.b.expr(Expr::Value { of })),
                    _ => self.lang.shared.holder,
                };
                let holder = std::mem::replace(&mut self.lang.shared.holder, holder);
                self.inside_no_block(token, |walk| walk.tokens(token, first, role));
                self.lang.shared.holder = holder;
                RustTokenBefore::Unknown
            }
            Kind::TokenTree if self.plain_attribute(token) => RustTokenBefore::Nothing,
            Kind::TokenTree if self.block_among_tokens(token) => RustTokenBefore::Nothing,
            Kind::TokenTree => {
                self.inside_no_block(token, |walk| walk.tokens(token, first, role));
                // The result of a call is not known.
                match before {
                    RustTokenBefore::Known(_) => RustTokenBefore::Unknown,
                    _ => RustTokenBefore::Nothing,
                }
            }
            _ if token.is_named() => {
                self.tokens(token, first, role);
                RustTokenBefore::Nothing
            }
            _ => match (token.kind(), before) {
                (".", RustTokenBefore::Known(of)) => RustTokenBefore::Dot(of),
                ("::", RustTokenBefore::Known(of)) => RustTokenBefore::Path(of),
                ("::", RustTokenBefore::Unknown) => RustTokenBefore::Unknown,
                // Of what is before it nothing is known, but that it is no name that stands alone.
                (".", _) => RustTokenBefore::Unknown,
                // What follows is no use.
                ("$" | "'" | "fn" | "struct" | "enum" | "trait" | "union", _) => {
                    RustTokenBefore::Sign
                }
                _ => RustTokenBefore::Nothing,
            },
        }
    }

    /// Whether brackets begin as those of a struct's literal do: `{ a: …`.
    fn is_literal_of_fields(&self, tokens: Node<'t>) -> bool {
        let child = |at| tokens.child(at).map(|child| (child, child.kind()));
        let (Some((_, "{")), Some((name, _)), Some((_, ":"))) = (child(0), child(1), child(2))
        else {
            return false;
        };
        self.kind(name) == Kind::Identifier
    }

    fn identifier(
        &mut self,
        token: Node<'t>,
        next: &str,
        before: RustTokenBefore,
        (first, role): (u8, Role),
    ) -> RustTokenBefore {
        let called = next == "()";
        match before {
            RustTokenBefore::Dot(of) => {
                let spaces = if called { space::VALUE } else { space::FIELD };
                let (text, at) = (self.unraw(token), self.start(token));
                RustTokenBefore::Known(self.b.member_use(of, text, at, role, spaces))
            }
            RustTokenBefore::Unknown => {
                // The member of a call's result: nothing to look it up in, but it is a use.
                let (text, at) = (self.unraw(token), self.start(token));
                let spaces = if called { space::VALUE } else { space::FIELD };
                self.b.member_use(NONE, text, at, role, spaces);
                RustTokenBefore::Unknown
            }
            RustTokenBefore::Sign => RustTokenBefore::Nothing,
            RustTokenBefore::Path(of) => {
                let found = self.segment(token, Some(of), spaces_before(next, first));
                RustTokenBefore::Known(found)
            }
            // A field or a parameter, not `Type: Trait`.
            _ if next == ":" && !self.is_constant(token) => {
                if let Some(of) = self.lang.shared.holder {
                    let (text, at) = (self.unraw(token), self.start(token));
                    self.b.member_use(of, text, at, Role::Write, space::FIELD);
                }
                RustTokenBefore::Nothing
            }
            _ => {
                let found = self.segment(token, None, spaces_before(next, first));
                self.b.set_role(found, role);
                RustTokenBefore::Known(found)
            }
        }
    }
}

/// Whether tokens up to the next comma are an expression by their signs, not words of an attribute.
fn is_expression(tokens: &[Node<'_>], text: &str) -> bool {
    const SIGNS: [&str; 14] = [
        ".", "+", "-", "*", "/", "%", "&", "&&", "|", "||", "?", "!", "<", ">",
    ];
    let piece = tokens.iter().take_while(|token| token.kind() != ",");
    let mut piece = piece.peekable();
    while let Some(token) = piece.next() {
        let mut calls_nothing = || {
            let next = piece.peek().map(|next| &text[next.byte_range()]);
            token.kind() == "identifier" && next == Some("()")
        };
        if SIGNS.contains(&token.kind()) || calls_nothing() {
            return true;
        }
    }
    false
}

/// Where a name is looked up that this token follows.
fn spaces_before(next: &str, otherwise: u8) -> u8 {
    match next {
        "::" => spaces::PREFIX,
        "!" => space::MACRO,
        // A struct's literal, or a block behind a value.
        "{}" => otherwise & !space::MACRO,
        _ => otherwise,
    }
}

/// The children with the tokens that have no name.
pub(super) fn all_children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}
