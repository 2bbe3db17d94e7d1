//! Names, plain and with `::`.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{At, Walk};
use crate::facts::{Expr, ExprId, FILE_SCOPE, Literal, NONE, Role, ScopeId, space};
use crate::nodes::child;

/// In what a name is looked up.
#[derive(Clone, Copy, Debug)]
pub(super) enum In {
    Scope(ScopeId),
    Of(ExprId),
}

/// A qualified name taken apart.
pub(super) struct Qualified<'t> {
    /// What is before the last `::`.
    pub(super) of: In,
    /// The last part.
    pub(super) name: Node<'t>,
}

impl<'t> Walk<'t> {
    /// A use of a name where it is known in what.
    pub(super) fn use_of(&mut self, of: In, name: Node<'t>, role: Role, spaces: u8) -> ExprId {
        let at = name.start_byte() as u32;
        let text = self.text(name);
        self.use_text(of, text, at, role, spaces)
    }

    pub(super) fn use_text(
        &mut self,
        of: In,
        text: &str,
        at: u32,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        if text.is_empty() {
            return NONE;
        }
        match of {
            In::Scope(scope) => self.b.name_use(text, scope, at, role, spaces),
            In::Of(of) => self.b.member_use(of, text, at, role, spaces),
        }
    }

    /// Takes `a::b<c>::d` apart, with uses of all but the last part.
    pub(super) fn qualified(&mut self, node: Node<'t>, scope: ScopeId) -> Option<Qualified<'t>> {
        let mut of = In::Scope(scope);
        let mut node = node;
        loop {
            match child(node, self.table.scope) {
                Some(before) => of = In::Of(self.qualifier(before, of, scope)),
                None => of = In::Scope(FILE_SCOPE),
            }
            let mut name = child(node, self.table.name)?;
            while matches!(self.kind(name), Kind::DependentName | Kind::DependentType) {
                name = name.named_child(0)?;
            }
            if self.kind(name) != Kind::QualifiedIdentifier {
                return Some(Qualified { of, name });
            }
            node = name;
        }
    }

    fn qualifier(&mut self, node: Node<'t>, of: In, scope: ScopeId) -> ExprId {
        let spaces = space::TYPE | space::NAMESPACE;
        match self.kind(node) {
            Kind::Decltype => self.specifier(node, At::block(scope)),
            Kind::DependentName => match node.named_child(0) {
                Some(inner) => self.qualifier(inner, of, scope),
                None => NONE,
            },
            _ => self.last(of, node, scope, Role::Type, spaces),
        }
    }

    /// The last part of a name: with template arguments, an operator, a destructor or just a name.
    pub(super) fn last(
        &mut self,
        of: In,
        node: Node<'t>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        match self.kind(node) {
            Kind::TemplateType | Kind::TemplateFunction | Kind::TemplateMethod => {
                let Some(name) = child(node, self.table.name) else {
                    return NONE;
                };
                let of = self.last(of, name, scope, role, spaces);
                let list = child(node, self.table.arguments);
                let args = list.map_or(NONE, |list| self.template_arguments(list, scope));
                self.b.expr(Expr::Apply { of, args })
            }
            Kind::OperatorName => {
                let name = self.operator_name(node);
                let at = node.start_byte() as u32;
                self.use_text(of, &name, at, role, space::VALUE)
            }
            Kind::DestructorName => {
                if let Some(name) = node.named_child(0) {
                    self.use_of(of, name, Role::Type, space::TYPE);
                }
                let at = node.start_byte() as u32;
                let text = self.text(node);
                self.use_text(of, text, at, role, space::VALUE)
            }
            Kind::QualifiedIdentifier => self.path(node, scope, role, spaces),
            Kind::DependentName | Kind::DependentType => match node.named_child(0) {
                Some(inner) => self.last(of, inner, scope, role, spaces),
                None => NONE,
            },
            Kind::OperatorCast | Kind::PointerTypeDeclarator => {
                self.children(node, At::block(scope));
                NONE
            }
            _ => self.use_of(of, node, role, spaces),
        }
    }

    /// A qualified name as a whole.
    pub(super) fn path(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        if !self.enter() {
            return NONE;
        }
        let of = match self.qualified(node, scope) {
            Some(Qualified { of, name }) => self.last(of, name, scope, role, spaces),
            None => NONE,
        };
        self.leave();
        of
    }

    /// `operator` and what follows, without blanks in between.
    pub(super) fn operator_name(&self, node: Node<'t>) -> String {
        let mut name: String = self.text(node).split_whitespace().collect();
        for word in ["new", "delete", "co_await"] {
            if let Some(rest) = name
                .strip_prefix("operator")
                .and_then(|rest| rest.strip_prefix(word))
            {
                name = format!("operator {word}{rest}");
                break;
            }
        }
        name
    }

    pub(super) fn template_arguments(&mut self, list: Node<'t>, scope: ScopeId) -> u32 {
        let children = self.open(list);
        let mut args = Vec::with_capacity(children.len());
        for index in children {
            args.push(self.template_argument(self.child(index).node, scope));
        }
        self.close(children);
        self.b.list(&args)
    }

    /// `a<b>` of `a<b>...`.
    fn pattern_of_pack(&self, node: Node<'t>) -> Node<'t> {
        match self.kind(node) {
            Kind::PackExpansion => node.named_child(0).unwrap_or(node),
            _ => node,
        }
    }

    /// A type, or a value that looks like one.
    fn template_argument(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let node = self.pattern_of_pack(node);
        // `get<1>`: which of several it is tells what that gives.
        if self.kind(node) == Kind::Number {
            let text = self.text(node);
            if text
                .bytes()
                .next()
                .is_some_and(|digit| digit.is_ascii_digit())
                && text.bytes().all(|digit| digit.is_ascii_alphanumeric())
            {
                let value = self.b.name(text);
                let of = Literal::Integer;
                return self.b.expr(Expr::Constant { of, value });
            }
        }
        if matches!(self.kind(node), Kind::True | Kind::False) {
            let value = self.b.name(self.text(node));
            let of = Literal::Boolean;
            return self.b.expr(Expr::Constant { of, value });
        }
        if self.kind(node) != Kind::TypeDescriptor {
            return self.expr(node, scope);
        }
        if node.named_child_count() == 1
            && let Some(ty) = child(node, self.table.ty)
            && matches!(
                self.kind(ty),
                Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType
            )
        {
            return self.last(In::Scope(scope), ty, scope, Role::Type, space::ANY);
        }
        // `a<b<c>()>` is a call, unless it is the type of a function.
        if let Some(ty) = child(node, self.table.ty)
            && let Some(declarator) = child(node, self.table.declarator)
            && self.kind(declarator) == Kind::AbstractFunction
            && matches!(
                self.kind(ty),
                Kind::TypeIdentifier | Kind::QualifiedIdentifier | Kind::TemplateType
            )
        {
            let of = self.last(In::Scope(scope), ty, scope, Role::Type, space::ANY);
            return self.declarator(declarator, of, scope).ty;
        }
        self.descriptor(node, scope)
    }
}
