//! Types, members of structs and interfaces, and signatures of functions.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::GoWalk;
use crate::children::Child;
use crate::facts::{
    DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeId, ScopeKind, flag, space,
};
use crate::nodes::child;

impl<'t> GoWalk<'t> {
    /// A type.
    pub(super) fn ty(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| walk.ty_of(node, scope))
    }

    fn ty_of(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => self.name(node, scope, Role::Type),
            Kind::QualifiedType => self.qualified(node, scope),
            Kind::GenericType => self.generic(node, scope),
            Kind::PointerType | Kind::ParenthesizedType | Kind::NegatedType => {
                self.inner_type(node, scope)
            }
            Kind::ArrayType | Kind::SliceType | Kind::ImplicitLengthArrayType => {
                if let Some(length) = child(node, self.table.length) {
                    self.expr(length, scope);
                }
                let of = self.field_type(node, self.table.element, scope);
                self.b.expr(Expr::Array { of })
            }
            Kind::MapType => {
                let key = self.field_type(node, self.table.key, scope);
                let value = self.field_type(node, self.table.value, scope);
                self.b.expr(Expr::Map { key, value })
            }
            Kind::ChannelType => {
                let of = self.field_type(node, self.table.value, scope);
                self.b.expr(Expr::Map { key: of, value: of })
            }
            Kind::FunctionType => self.lambda(node, scope),
            Kind::StructType | Kind::InterfaceType => {
                let range = node.byte_range();
                let inner = self.b.scope(ScopeKind::Object, scope, NONE, range);
                self.members(node, inner, None);
                self.b.expr(Expr::Object {
                    scope: inner,
                    of: NONE,
                })
            }
            Kind::TypeElem | Kind::TypeConstraint => {
                let types = self.types(node, scope);
                self.b.union(&types)
            }
            _ => self.expr(node, scope),
        }
    }

    fn field_type(&mut self, node: Node<'t>, field: u16, scope: ScopeId) -> ExprId {
        child(node, field).map_or(NONE, |node| self.ty(node, scope))
    }

    /// Every child as a type.
    pub(super) fn types(&mut self, node: Node<'t>, scope: ScopeId) -> Vec<ExprId> {
        let children = self.open(node);
        let mut types = Vec::with_capacity(children.len());
        for at in children {
            types.push(self.ty(self.child(at).node, scope));
        }
        self.close(children);
        types
    }

    fn inner_type(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let types = self.types(node, scope);
        types.first().copied().unwrap_or(NONE)
    }

    fn qualified(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let (Some(package), Some(name)) = (
            child(node, self.table.package),
            child(node, self.table.name),
        ) else {
            return NONE;
        };
        let of = self.name(package, scope, Role::Read);
        let at = name.start_byte() as u32;
        self.b
            .member_use(of, self.text(name), at, Role::Type, space::ANY)
    }

    fn generic(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let of = self.field_type(node, self.table.ty, scope);
        let arguments = child(node, self.table.type_arguments);
        let arguments = arguments.map_or(Vec::new(), |list| self.types(list, scope));
        let args = self.b.list(&arguments);
        self.b.expr(Expr::Apply { of, args })
    }

    /// Fields of a struct or methods and embedded types of an interface.
    pub(super) fn members(&mut self, node: Node<'t>, scope: ScopeId, owner: Option<DefId>) {
        let children = self.open(node);
        for at in children {
            let member = self.child(at).node;
            match self.kind(member) {
                Kind::FieldDeclarationList => self.members(member, scope, owner),
                Kind::FieldDeclaration => self.field(member, scope, owner),
                Kind::MethodElem => {
                    let Some(name) = child(member, self.table.name) else {
                        continue;
                    };
                    if let Some(def) = self.define(name, DefKind::Method, scope, member) {
                        self.b.edit(def).flags |= flag::ABSTRACT;
                        self.signature(member, def, scope);
                    }
                }
                Kind::TypeElem => {
                    let types = self.types(member, scope);
                    if let [one] = types[..] {
                        self.embed(owner, Relation::Extends, one);
                    }
                }
                _ => self.statement(member, scope),
            }
        }
        self.close(children);
    }

    fn field(&mut self, node: Node<'t>, scope: ScopeId, owner: Option<DefId>) {
        let children = self.open(node);
        let declared = self.node_in(children, self.table.ty);
        let ty = declared.map_or(NONE, |node| self.ty(node, scope));
        let mut named = false;
        for at in children {
            let Child {
                field, node: name, ..
            } = self.child(at);
            if field != self.table.name || self.kind(name) != Kind::FieldIdentifier {
                continue;
            }
            named = true;
            if let Some(def) = self.define(name, DefKind::Field, scope, node) {
                self.b.edit(def).ty = ty;
            }
        }
        self.close(children);
        if named {
            return;
        }
        self.embed(owner, Relation::Embeds, ty);
        // An embedded type is a field by the type's own name.
        if let Some(name) = declared.and_then(|ty| self.last_name(ty))
            && let Some(def) = self.define(name, DefKind::Field, scope, node)
        {
            self.b.edit(def).ty = ty;
        }
    }

    fn last_name(&self, ty: Node<'t>) -> Option<Node<'t>> {
        match self.kind(ty) {
            Kind::TypeIdentifier => Some(ty),
            Kind::QualifiedType => child(ty, self.table.name),
            Kind::GenericType => self.last_name(child(ty, self.table.ty)?),
            _ => None,
        }
    }

    /// Parameters and result of a function, method or function type, in a scope that it gives.
    pub(super) fn signature(&mut self, node: Node<'t>, def: DefId, scope: ScopeId) -> ScopeId {
        let range = node.byte_range();
        let inner = self.b.scope(ScopeKind::Function, scope, def, range);
        self.b.edit(def).inner = inner;
        if let Some(receiver) = child(node, self.table.receiver) {
            self.receiver_parameter(receiver, def, inner);
        }
        if let Some(list) = child(node, self.table.parameters) {
            self.parameters(list, inner, scope, DefKind::Parameter);
        }
        let ty = match child(node, self.table.result) {
            Some(result) if self.kind(result) == Kind::ParameterList => {
                let results = self.parameters(result, inner, scope, DefKind::Variable);
                match results[..] {
                    [one] => one,
                    _ => {
                        let of = self.b.list(&results);
                        self.b.expr(Expr::Tuple { of })
                    }
                }
            }
            Some(result) => self.ty(result, scope),
            None => NONE,
        };
        self.b.edit(def).ty = ty;
        inner
    }

    /// The receiver's type is the method's container, so its names are not used twice.
    fn receiver_parameter(&mut self, list: Node<'t>, def: DefId, scope: ScopeId) {
        let children = self.open(list);
        let declared = (!children.is_empty()).then(|| self.child(children.from).node);
        self.close(children);
        let Some(declared) = declared else {
            return;
        };
        let ty = self.b.edit(def).container;
        let name = child(declared, self.table.name);
        let parameter = name
            .and_then(|name| self.define(name, DefKind::Parameter, scope, declared))
            .unwrap_or_else(|| self.unnamed(scope, declared));
        let parameter = self.b.edit(parameter);
        parameter.ty = ty;
        parameter.flags |= flag::RECEIVER;
    }

    fn unnamed(&mut self, scope: ScopeId, node: Node<'t>) -> DefId {
        let range = node.byte_range();
        self.b.define("", DefKind::Parameter, scope, NONE, range)
    }

    /// The parameters or results of a list, and the type of each. Their names are not seen in their types.
    fn parameters(
        &mut self,
        list: Node<'t>,
        scope: ScopeId,
        outer: ScopeId,
        kind: DefKind,
    ) -> Vec<ExprId> {
        let mut types = Vec::new();
        let children = self.open(list);
        for at in children {
            let declared = self.child(at).node;
            if self.is_type_param(list, declared) {
                continue;
            }
            let flags = match self.kind(declared) {
                Kind::ParameterDeclaration => 0,
                Kind::VariadicParameterDeclaration => flag::VARIADIC,
                _ => {
                    self.statement(declared, scope);
                    continue;
                }
            };
            let parts = self.open(declared);
            let ty = self.node_in(parts, self.table.ty);
            let ty = ty.map_or(NONE, |node| self.ty(node, outer));
            let before = types.len();
            for at in parts {
                let Child {
                    field, node: name, ..
                } = self.child(at);
                if field != self.table.name || self.kind(name) != Kind::Identifier {
                    continue;
                }
                types.push(ty);
                let def = match self.define(name, kind, scope, declared) {
                    Some(def) => def,
                    None if kind == DefKind::Parameter => self.unnamed(scope, declared),
                    None => continue,
                };
                let def = self.b.edit(def);
                def.ty = ty;
                def.flags |= flags;
            }
            self.close(parts);
            if types.len() == before {
                types.push(ty);
                if kind == DefKind::Parameter {
                    let def = self.unnamed(scope, declared);
                    let def = self.b.edit(def);
                    def.ty = ty;
                    def.flags |= flags;
                }
            }
        }
        self.close(children);
        types
    }

    /// A function without a name, or the type of one.
    pub(super) fn lambda(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let range = node.byte_range();
        let def = self.b.define("", DefKind::Lambda, scope, NONE, range);
        let inner = self.signature(node, def, scope);
        self.body(node, inner);
        self.b.expr(Expr::Function { def })
    }

    /// The body of a function. Its parameters are in the same block.
    pub(super) fn body(&mut self, node: Node<'t>, scope: ScopeId) {
        if let Some(body) = child(node, self.table.body) {
            let around = std::mem::replace(&mut self.lang.function, scope);
            self.children(body, scope);
            self.lang.function = around;
        }
    }
}
