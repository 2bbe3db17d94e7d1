//! Types: expressions that denote them. References and pointers are what they point to.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::{RustWalk, spaces};
use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeKind, space};

impl<'t, 's> RustWalk<'t, 's> {
    pub(super) fn ty(&mut self, node: Node<'t>) -> ExprId {
        self.deeper(NONE, |walk| walk.ty_of(node))
    }

    fn ty_of(&mut self, node: Node<'t>) -> ExprId {
        match self.kind(node) {
            Kind::TypeIdentifier
            | Kind::Identifier
            | Kind::Primitive
            | Kind::ScopedType
            | Kind::ScopedIdentifier => self.path(node, spaces::TYPE),
            Kind::GenericType | Kind::GenericTurbofish => self.generic_type(node, spaces::TYPE),
            Kind::ArrayType => self.array_type(node),
            Kind::TupleType => {
                let mut of = Vec::new();
                self.each(node, |walk, child| of.push(walk.ty(child)));
                let of = self.b.list(&of);
                self.b.expr(Expr::Tuple { of })
            }
            Kind::UnitType => self.b.expr(Expr::Tuple { of: NONE }),
            Kind::FunctionType => self.function_type(node),
            Kind::BoundedType => {
                let of = self.bounds(node);
                self.b.union(&of)
            }
            Kind::HigherRanked => self.higher_ranked(node),
            Kind::BracketedType => self.path(node, spaces::TYPE),
            Kind::MacroCall => {
                self.macro_call(node, false);
                NONE
            }
            Kind::Lifetime => {
                self.label_use(node);
                NONE
            }
            Kind::TypeParameters => {
                self.type_parameters(node);
                NONE
            }
            Kind::Mutable | Kind::Metavariable | Kind::UseBounds => NONE,
            _ => {
                let mut last = NONE;
                self.each(node, |walk, child| {
                    let ty = walk.ty(child);
                    if ty != NONE {
                        last = ty;
                    }
                });
                last
            }
        }
    }

    /// `[T]`, `[T; N]`.
    fn array_type(&mut self, node: Node<'t>) -> ExprId {
        if let Some(length) = node.child_by_field_id(self.table.length) {
            self.expr(length);
        }
        let element = node.child_by_field_id(self.table.element);
        let of = element.map_or(NONE, |element| self.ty(element));
        self.b.expr(Expr::Array { of })
    }

    fn higher_ranked(&mut self, node: Node<'t>) -> ExprId {
        let scope = self
            .b
            .scope(ScopeKind::Header, self.lang.scope, NONE, node.byte_range());
        self.inside(scope, |walk| {
            if let Some(generics) = node.child_by_field_id(walk.table.type_parameters) {
                walk.type_parameters(generics);
            }
            let ty = node.child_by_field_id(walk.table.ty);
            ty.map_or(NONE, |ty| walk.ty(ty))
        })
    }

    /// `A<B, C>`, `A::<B>`.
    pub(super) fn generic_type(&mut self, node: Node<'t>, last: u8) -> ExprId {
        let of = node.child_by_field_id(self.table.ty);
        let of = of.map_or(NONE, |of| self.path(of, last));
        match node.child_by_field_id(self.table.type_arguments) {
            Some(arguments) => self.apply(of, arguments),
            None => of,
        }
    }

    pub(super) fn apply(&mut self, of: ExprId, arguments: Node<'t>) -> ExprId {
        let mut args = Vec::new();
        // `Item` of `Iterator<Item: Bound>`, whose bound comes next.
        let mut bounded = None;
        let mut cursor = arguments.walk();
        let children: Vec<Node<'t>> = arguments.named_children(&mut cursor).collect();
        for (index, child) in children.iter().copied().enumerate() {
            let next = children.get(index + 1);
            let is_bounded = next.is_some_and(|next| self.kind(*next) == Kind::Bounds);
            match self.kind(child) {
                Kind::Lifetime => self.label_use(child),
                Kind::TypeBinding => args.push(self.type_binding(of, child)),
                Kind::TypeIdentifier if is_bounded => bounded = Some(child),
                Kind::Bounds => {
                    let bounds = self.bounds(child);
                    let ty = self.b.union(&bounds);
                    if let Some(name) = bounded.take() {
                        args.push(self.bound_type(of, name, ty));
                    }
                }
                Kind::Block => args.push(self.expr(child)),
                _ => args.push(self.ty(child)),
            }
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    /// `Item = T`: of the traits that have one, it is what they are about.
    fn type_binding(&mut self, of: ExprId, node: Node<'t>) -> ExprId {
        let name = node.child_by_field_id(self.table.name);
        let ty = node.child_by_field_id(self.table.ty);
        let ty = ty.map_or(NONE, |ty| self.ty(ty));
        name.map_or(ty, |name| self.bound_type(of, name, ty))
    }

    /// What is said of an associated type of a trait: the type, by the use of its name.
    fn bound_type(&mut self, of: ExprId, name: Node<'t>, ty: ExprId) -> ExprId {
        let (text, at) = (self.unraw(name), self.start(name));
        let by = self.b.member_use(of, text, at, Role::Type, space::TYPE);
        self.b.expr(Expr::Index { of: ty, by })
    }

    /// The traits after a colon.
    pub(super) fn bounds(&mut self, node: Node<'t>) -> Vec<ExprId> {
        let mut of = Vec::new();
        self.each(node, |walk, child| {
            let bound = walk.ty(child);
            if bound != NONE {
                of.push(bound);
            }
        });
        of
    }

    /// `Fn(A) -> B`, `fn(A) -> B`.
    fn function_type(&mut self, node: Node<'t>) -> ExprId {
        if let Some(base) = node.child_by_field_id(self.table.trait_) {
            self.path(base, spaces::TYPE);
        }
        let range = node.byte_range();
        let def = self
            .b
            .define("", DefKind::Lambda, self.lang.scope, NONE, range.clone());
        let scope = self
            .b
            .scope(ScopeKind::Function, self.lang.scope, def, range);
        self.b.edit(def).inner = scope;
        if let Some(parameters) = node.child_by_field_id(self.table.parameters) {
            self.parameters(parameters, scope);
        }
        if let Some(result) = node.child_by_field_id(self.table.return_type) {
            self.b.edit(def).ty = self.ty(result);
        }
        self.b.expr(Expr::Function { def })
    }
}
