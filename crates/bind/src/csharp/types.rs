//! Types and names of types.

use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, OUTER, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

/// Types of the library that are no objects: overloads tell `Guid?` from `Guid`.
const VALUES: [&str; 5] = [
    "DateTime",
    "DateTimeOffset",
    "TimeSpan",
    "Guid",
    "BigInteger",
];

/// What is behind the last dot.
fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

impl<'t> CSharpWalk<'t> {
    /// What a written type denotes.
    pub(super) fn ty(&mut self, child: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        self.ty_in(child, scope, TYPE, Role::Type)
    }

    /// The same as a name of these spaces: a namespace in a `using`, an attribute.
    pub(super) fn ty_in(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        match child.kind {
            // Directives of a file do not see one another: what they name begins at the root.
            Kind::Identifier if role == Role::Import && scope == 0 => {
                let (text, at) = self.identifier(child.node);
                let name = self.b.name(text);
                self.b.expr(Expr::Module { name, at, level: 0 })
            }
            Kind::Identifier => self.name(child.node, scope, role, spaces),
            Kind::PredefinedType => self.unwritten_type(self.text(child.node), scope),
            Kind::ImplicitType => NONE,
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let children = self.open(child.node);
                let of = self.compound_type(child, children, scope, spaces, role);
                self.close(children);
                self.leave();
                of
            }
        }
    }

    fn compound_type(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        match child.kind {
            Kind::QualifiedName => self.qualified(children, scope, spaces, role),
            Kind::AliasQualified => self.alias_qualified(children, scope, spaces, role),
            Kind::GenericName => self.generic(NONE, children, scope, spaces, role),
            Kind::ArrayType => {
                let of = self.first_type(children, scope);
                if let Some(rank) = self.children.of_kind(children, Kind::ArrayRank) {
                    self.arguments_of_rank(rank, scope);
                }
                self.b.expr(Expr::Array { of })
            }
            Kind::PointerType => {
                let of = self.first_type(children, scope);
                self.b.expr(Expr::Pointer { of })
            }
            Kind::NullableType => match self.children.in_field(children, self.table.ty) {
                Some(of) if of.kind == Kind::PredefinedType && !self.is_object(of) => {
                    self.unwritten_type(self.text(child.node), scope)
                }
                Some(of) if VALUES.contains(&last_name(self.text(of.node))) => {
                    self.ty_in(of, scope, spaces, role);
                    self.unwritten_type(last_name(self.text(child.node)), scope)
                }
                _ => self.first_type(children, scope),
            },
            Kind::TupleType => self.tuple_type(child, children, scope),
            Kind::FunctionPointer => self.function_pointer(child, children, scope),
            _ => self.first_type(children, scope),
        }
    }

    /// Whether a type of the language may be null by itself.
    fn is_object(&self, child: CSharpChild<'t>) -> bool {
        matches!(self.text(child.node), "string" | "object")
    }

    fn first_type(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let of = self.children.in_field(children, self.table.ty);
        let first = || children.iter().next();
        match of.or_else(|| first().map(|i| self.child(i))) {
            Some(child) => self.ty(child, scope),
            None => NONE,
        }
    }

    fn arguments_of_rank(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let child = self.child(i);
            self.expr(child, scope, ContextualType::Nothing);
        }
        self.close(children);
    }

    /// `a.b.C<D>`: what is before the last dot may be a namespace.
    fn qualified(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        let outer_role = if role == Role::Import {
            role
        } else {
            Role::Type
        };
        let of = match self.children.in_field(children, self.table.qualifier) {
            Some(outer) => self.ty_in(outer, scope, OUTER, outer_role),
            None => NONE,
        };
        match self.children.in_field(children, self.table.name) {
            Some(name) => self.simple_member(of, name, scope, spaces, role),
            None => of,
        }
    }

    /// A plain or generic name in what another expression is.
    pub(super) fn simple_member(
        &mut self,
        of: ExprId,
        name: CSharpChild<'t>,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        match name.kind {
            Kind::GenericName => {
                let children = self.open(name.node);
                let of = self.generic(of, children, scope, spaces, role);
                self.close(children);
                of
            }
            _ => self.member(of, name.node, role, spaces),
        }
    }

    /// `global::A` is looked up from the root, `X::A` in what an alias names.
    fn alias_qualified(
        &mut self,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        let (Some(alias), Some(name)) = (
            self.children.in_field(children, self.table.alias),
            self.children.in_field(children, self.table.name),
        ) else {
            return NONE;
        };
        if self.text(alias.node) == "global" && name.kind == Kind::Identifier {
            let (text, at) = self.identifier(name.node);
            let name = self.b.name(text);
            return self.b.expr(Expr::Module { name, at, level: 0 });
        }
        let of = self.name(alias.node, scope, Role::Read, OUTER);
        self.simple_member(of, name, scope, spaces, role)
    }

    /// `A<B>`, in `of` if that is given.
    fn generic(
        &mut self,
        of: ExprId,
        children: ChildRange,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        let mut named = NONE;
        for i in children {
            let child = self.child(i);
            match child.kind {
                Kind::Identifier if of == NONE => {
                    named = self.name(child.node, scope, role, spaces);
                }
                Kind::Identifier => named = self.member(of, child.node, role, spaces),
                Kind::TypeArguments => named = self.apply(named, child, scope),
                _ => {}
            }
        }
        named
    }

    /// A name with its type arguments. `List<>` has as many as there are commas, of which nothing is known.
    fn apply(&mut self, of: ExprId, arguments: CSharpChild<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(arguments.node);
        let mut args = Vec::with_capacity(children.len());
        for i in children {
            let child = self.child(i);
            args.push(self.ty(child, scope));
        }
        self.close(children);
        if args.is_empty() {
            let count = self.text(arguments.node).matches(',').count() + 1;
            args = vec![NONE; count];
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    /// A tuple. With names of elements it is something that has members.
    fn tuple_type(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        let mut types = Vec::with_capacity(children.len());
        let mut names = Vec::new();
        for i in children {
            let element = self.child(i);
            let parts = self.open(element.node);
            types.push(self.first_type(parts, scope));
            names.push(self.children.in_field(parts, self.table.name));
            self.close(parts);
        }
        self.tuple(child, scope, &types, &names, false)
    }

    /// A tuple type, or value, of elements some of which may have names.
    pub(super) fn tuple(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        of: &[ExprId],
        names: &[Option<CSharpChild<'t>>],
        are_values: bool,
    ) -> ExprId {
        if names.iter().all(Option::is_none) {
            let of = self.b.list(of);
            return self.b.expr(Expr::Tuple { of });
        }
        let keys = self.b.scope(ScopeKind::Object, scope, NONE, child.range());
        for (&of, name) in of.iter().zip(names) {
            let def = match name {
                Some(name) => self.define(name.node, DefKind::Field, keys, name.range(), VALUE),
                None => self.b.define("", DefKind::Field, keys, NONE, child.range()),
            };
            let def = self.b.edit(def);
            if are_values {
                def.value = of;
            } else {
                def.ty = of;
            }
        }
        self.b.expr(Expr::Object {
            scope: keys,
            of: NONE,
        })
    }

    fn function_pointer(
        &mut self,
        child: CSharpChild<'t>,
        children: ChildRange,
        scope: ScopeId,
    ) -> ExprId {
        let def = self
            .b
            .define("", DefKind::Lambda, scope, NONE, child.range());
        let inner = self.b.scope(ScopeKind::Function, scope, def, child.range());
        self.b.edit(def).inner = inner;
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::FunctionPointerParameter {
                let types = self.open(part.node);
                let ty = self.first_type(types, scope);
                self.close(types);
                let param = self
                    .b
                    .define("", DefKind::Parameter, inner, NONE, part.range());
                self.b.edit(param).ty = ty;
            } else if part.field == self.table.returns {
                let ty = self.ty(part, scope);
                self.b.edit(def).ty = ty;
            }
        }
        self.b.expr(Expr::Function { def })
    }
}
