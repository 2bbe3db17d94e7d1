//! Annotations in quotes: `"Optional[Text]"`.

use tree_sitter::Node;

use super::kinds::Kind;
use super::types::{TypeArguments, arguments_of};
use super::walk::PythonWalk;
use crate::facts::{Expr, ExprId, Literal, NONE, Role, space};

/// Deeper than this no annotation is.
const DEEPEST: u32 = 20;

/// What is left of the text of an annotation.
struct Rest<'t> {
    text: &'t str,
    /// First byte of `text` in the file.
    at: u32,
    depth: u32,
}

impl<'t> Rest<'t> {
    fn advance(&mut self, bytes: usize) {
        self.text = self.text.get(bytes..).unwrap_or("");
        self.at += bytes as u32;
    }

    fn blank(&mut self) {
        let blank = self.text.len() - self.text.trim_start().len();
        self.advance(blank);
    }

    /// Whether this comes next; then it is passed.
    fn eat(&mut self, token: &str) -> bool {
        self.blank();
        let next = self.text.starts_with(token);
        if next {
            self.advance(token.len());
        }
        next
    }

    fn identifier(&mut self) -> Option<(&'t str, u32)> {
        self.blank();
        let end = self
            .text
            .find(|next: char| !next.is_alphanumeric() && next != '_')
            .unwrap_or(self.text.len());
        let name = self.text.get(..end)?;
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            return None;
        }
        let at = self.at;
        self.advance(end);
        Some((name, at))
    }
}

impl<'t> PythonWalk<'t> {
    /// The type that a string names.
    pub(super) fn forward_ref(&mut self, node: Node<'t>) -> ExprId {
        let content = if self.kind(node) == Kind::Text {
            self.content(node)
        } else {
            None
        };
        let Some(content) = content else {
            return self.string(node);
        };
        let mut rest = Rest {
            text: self.text(content),
            at: content.start_byte() as u32,
            depth: 0,
        };
        self.forward_ref_union(&mut rest)
    }

    /// What is between the quotes, if it is one piece.
    pub(super) fn content(&mut self, node: Node<'t>) -> Option<Node<'t>> {
        let children = self.open_named(node);
        let mut found = None;
        for at in children {
            let child = self.child(at).node;
            match self.kind(child) {
                Kind::TextContent => found = Some(child),
                Kind::Interpolation => {
                    found = None;
                    break;
                }
                _ => {}
            }
        }
        self.close(children);
        found
    }

    fn forward_ref_union(&mut self, rest: &mut Rest<'t>) -> ExprId {
        rest.depth += 1;
        let mut of = Vec::new();
        if rest.depth <= DEEPEST {
            loop {
                let ty = self.forward_ref_one(rest);
                if ty != NONE {
                    of.push(ty);
                }
                if !rest.eat("|") {
                    break;
                }
            }
        }
        rest.depth -= 1;
        self.b.union(&of)
    }

    fn forward_ref_one(&mut self, rest: &mut Rest<'t>) -> ExprId {
        for quote in ["\"", "'"] {
            if rest.eat(quote) {
                let ty = self.forward_ref_union(rest);
                rest.eat(quote);
                return ty;
            }
        }
        if rest.eat("...") {
            return self.b.expr(Expr::Opaque);
        }
        if rest.eat("[") {
            let entries = self.forward_ref_list(rest, TypeArguments::Types);
            let of = self.b.list(&entries);
            return self.b.expr(Expr::Tuple { of });
        }
        let Some((mut name, at)) = rest.identifier() else {
            return NONE;
        };
        if name == "None" {
            return NONE;
        }
        let mut ty = self.named_type(name, at);
        while rest.eat(".") {
            let Some((member, at)) = rest.identifier() else {
                break;
            };
            ty = self.b.member_use(ty, member, at, Role::Type, space::ANY);
            name = member;
        }
        if rest.eat("[") {
            let args = self.forward_ref_list(rest, arguments_of(name));
            return self.generic(name, ty, &args);
        }
        ty
    }

    /// What stands between brackets, of which the first is passed.
    fn forward_ref_list(&mut self, rest: &mut Rest<'t>, arguments: TypeArguments) -> Vec<ExprId> {
        let mut entries = Vec::new();
        while !rest.eat("]") && !rest.text.is_empty() {
            let before = rest.at;
            let types = match arguments {
                TypeArguments::Types => true,
                TypeArguments::First => entries.is_empty(),
                TypeArguments::Values => false,
            };
            let entry = if types {
                self.forward_ref_union(rest)
            } else {
                let end = rest.text.find([',', ']']).unwrap_or(rest.text.len());
                rest.advance(end);
                let of = Literal::Text;
                self.b.expr(Expr::Literal { of })
            };
            entries.push(entry);
            rest.eat(",");
            if rest.at == before {
                break;
            }
        }
        entries
    }
}
