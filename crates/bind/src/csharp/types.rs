//! Types and names of types.

use crate::facts::{DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind};

use super::{Kid, Kind, OUTER, Range, TYPE, VALUE, Walker, Want};

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

impl<'t> Walker<'t> {
    /// What a written type denotes.
    pub(super) fn ty(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        self.ty_in(kid, scope, TYPE, Role::Type)
    }

    /// The same as a name of these spaces: a namespace in a `using`, an attribute.
    pub(super) fn ty_in(&mut self, kid: Kid<'t>, scope: ScopeId, spaces: u8, role: Role) -> ExprId {
        match kid.kind {
            // Directives of a file do not see one another: what they name begins at the root.
            Kind::Identifier if role == Role::Import && scope == 0 => {
                let (text, at) = self.identifier(kid.node);
                let name = self.b.name(text);
                self.b.expr(Expr::Module { name, at, level: 0 })
            }
            Kind::Identifier => self.name(kid.node, scope, role, spaces),
            Kind::PredefinedType => self.unwritten_type(self.text(kid.node), scope),
            Kind::ImplicitType => NONE,
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let kids = self.open(kid.node);
                let of = self.compound_type(kid, &kids, scope, spaces, role);
                self.close(&kids);
                self.leave();
                of
            }
        }
    }

    fn compound_type(
        &mut self,
        kid: Kid<'t>,
        kids: &Range,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        match kid.kind {
            Kind::QualifiedName => self.qualified(kids, scope, spaces, role),
            Kind::AliasQualified => self.alias_qualified(kids, scope, spaces, role),
            Kind::GenericName => self.generic(NONE, kids, scope, spaces, role),
            Kind::ArrayType => {
                let of = self.first_type(kids, scope);
                if let Some(rank) = self.kids.kind(kids, Kind::ArrayRank) {
                    self.arguments_of_rank(rank, scope);
                }
                self.b.expr(Expr::Array { of })
            }
            Kind::PointerType => {
                let of = self.first_type(kids, scope);
                self.b.expr(Expr::Pointer { of })
            }
            Kind::NullableType => match self.kids.field(kids, self.t.ty) {
                Some(of) if of.kind == Kind::PredefinedType && !self.is_object(of) => {
                    self.unwritten_type(self.text(kid.node), scope)
                }
                Some(of) if VALUES.contains(&last_name(self.text(of.node))) => {
                    self.ty_in(of, scope, spaces, role);
                    self.unwritten_type(last_name(self.text(kid.node)), scope)
                }
                _ => self.first_type(kids, scope),
            },
            Kind::TupleType => self.tuple_type(kid, kids, scope),
            Kind::FunctionPointer => self.function_pointer(kid, kids, scope),
            _ => self.first_type(kids, scope),
        }
    }

    /// Whether a type of the language may be null by itself.
    fn is_object(&self, kid: Kid<'t>) -> bool {
        matches!(self.text(kid.node), "string" | "object")
    }

    fn first_type(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let of = self.kids.field(kids, self.t.ty);
        let first = || kids.clone().next();
        match of.or_else(|| first().map(|i| self.kids.get(i))) {
            Some(kid) => self.ty(kid, scope),
            None => NONE,
        }
    }

    fn arguments_of_rank(&mut self, kid: Kid<'t>, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let kid = self.kids.get(i);
            self.expr(kid, scope, Want::Nothing);
        }
        self.close(&kids);
    }

    /// `a.b.C<D>`: what is before the last dot may be a namespace.
    fn qualified(&mut self, kids: &Range, scope: ScopeId, spaces: u8, role: Role) -> ExprId {
        let outer_role = if role == Role::Import {
            role
        } else {
            Role::Type
        };
        let of = match self.kids.field(kids, self.t.qualifier) {
            Some(outer) => self.ty_in(outer, scope, OUTER, outer_role),
            None => NONE,
        };
        match self.kids.field(kids, self.t.name) {
            Some(name) => self.simple_member(of, name, scope, spaces, role),
            None => of,
        }
    }

    /// A plain or generic name in what another expression is.
    pub(super) fn simple_member(
        &mut self,
        of: ExprId,
        name: Kid<'t>,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        match name.kind {
            Kind::GenericName => {
                let kids = self.open(name.node);
                let of = self.generic(of, &kids, scope, spaces, role);
                self.close(&kids);
                of
            }
            _ => self.member(of, name.node, role, spaces),
        }
    }

    /// `global::A` is looked up from the root, `X::A` in what an alias names.
    fn alias_qualified(&mut self, kids: &Range, scope: ScopeId, spaces: u8, role: Role) -> ExprId {
        let (Some(alias), Some(name)) = (
            self.kids.field(kids, self.t.alias),
            self.kids.field(kids, self.t.name),
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
        kids: &Range,
        scope: ScopeId,
        spaces: u8,
        role: Role,
    ) -> ExprId {
        let mut named = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            match kid.kind {
                Kind::Identifier if of == NONE => {
                    named = self.name(kid.node, scope, role, spaces);
                }
                Kind::Identifier => named = self.member(of, kid.node, role, spaces),
                Kind::TypeArguments => named = self.apply(named, kid, scope),
                _ => {}
            }
        }
        named
    }

    /// A name with its type arguments. `List<>` has as many as there are commas, of which nothing is known.
    fn apply(&mut self, of: ExprId, arguments: Kid<'t>, scope: ScopeId) -> ExprId {
        let kids = self.open(arguments.node);
        let mut args = Vec::with_capacity(kids.len());
        for i in kids.clone() {
            let kid = self.kids.get(i);
            args.push(self.ty(kid, scope));
        }
        self.close(&kids);
        if args.is_empty() {
            let count = self.text(arguments.node).matches(',').count() + 1;
            args = vec![NONE; count];
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    /// A tuple. With names of elements it is something that has members.
    fn tuple_type(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId) -> ExprId {
        let mut types = Vec::with_capacity(kids.len());
        let mut names = Vec::new();
        for i in kids.clone() {
            let element = self.kids.get(i);
            let parts = self.open(element.node);
            types.push(self.first_type(&parts, scope));
            names.push(self.kids.field(&parts, self.t.name));
            self.close(&parts);
        }
        self.tuple(kid, scope, &types, &names, false)
    }

    /// A tuple type, or value, of elements some of which may have names.
    pub(super) fn tuple(
        &mut self,
        kid: Kid<'t>,
        scope: ScopeId,
        of: &[ExprId],
        names: &[Option<Kid<'t>>],
        are_values: bool,
    ) -> ExprId {
        if names.iter().all(Option::is_none) {
            let of = self.b.list(of);
            return self.b.expr(Expr::Tuple { of });
        }
        let keys = self.b.scope(ScopeKind::Object, scope, NONE, kid.range());
        for (&of, name) in of.iter().zip(names) {
            let def = match name {
                Some(name) => self.define(name.node, DefKind::Field, keys, name.range(), VALUE),
                None => self.b.define("", DefKind::Field, keys, NONE, kid.range()),
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

    fn function_pointer(&mut self, kid: Kid<'t>, kids: &Range, scope: ScopeId) -> ExprId {
        let def = self.b.define("", DefKind::Lambda, scope, NONE, kid.range());
        let inner = self.b.scope(ScopeKind::Function, scope, def, kid.range());
        self.b.edit(def).inner = inner;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind == Kind::FunctionPointerParameter {
                let types = self.open(part.node);
                let ty = self.first_type(&types, scope);
                self.close(&types);
                let param = self
                    .b
                    .define("", DefKind::Parameter, inner, NONE, part.range());
                self.b.edit(param).ty = ty;
            } else if part.field == self.t.returns {
                let ty = self.ty(part, scope);
                self.b.edit(def).ty = ty;
            }
        }
        self.b.expr(Expr::Function { def })
    }
}
