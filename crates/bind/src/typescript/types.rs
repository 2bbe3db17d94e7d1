//! Types.

use tree_sitter::Node;

use super::kinds::Kind;
use super::walk::Walk;
use crate::facts::{DefKind, Expr, ExprId, Literal, NONE, NameId, Role, ScopeId, ScopeKind, space};
use crate::nodes::named_children;

impl<'t> Walk<'t> {
    /// The type behind a colon.
    pub(super) fn annotation(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::TypeAnnotation | Kind::OptingAnnotation | Kind::OmittingAnnotation => {
                self.first_type(node, scope)
            }
            Kind::TypePredicateAnnotation => {
                let mut guard = NONE;
                let children = self.open_named(node);
                for place in children {
                    let inner = self.child(place).node;
                    match self.kind(inner) {
                        Kind::TypePredicate => guard = self.guard(inner, scope),
                        _ => self.predicate(inner, scope),
                    }
                }
                self.close(children);
                guard
            }
            Kind::AssertsAnnotation | Kind::Asserts => {
                let mut assertion = NONE;
                let children = self.open_named(node);
                for place in children {
                    let inner = self.child(place).node;
                    assertion = match self.kind(inner) {
                        Kind::Asserts => self.annotation(inner, scope),
                        Kind::TypePredicate => self.predicated(inner, scope, Literal::Null),
                        Kind::Identifier => self.asserted(inner, scope),
                        _ => {
                            self.predicate(inner, scope);
                            assertion
                        }
                    };
                }
                self.close(children);
                assertion
            }
            _ => self.ty(node, scope),
        }
    }

    /// A literal with what it says.
    pub(super) fn constant(&mut self, node: Node<'t>) -> Option<ExprId> {
        let of = match self.kind(node) {
            Kind::Null | Kind::Undefined => {
                return Some(self.b.expr(Expr::Literal { of: Literal::Null }));
            }
            Kind::Number => Literal::Integer,
            Kind::True | Kind::False => Literal::Boolean,
            Kind::String => Literal::Text,
            _ => return None,
        };
        let value = self.text(node).trim_matches(['"', '\'']);
        let value = self.b.name(value);
        Some(self.b.expr(Expr::Constant { of, value }))
    }

    /// `x is T`: a boolean with the type that it narrowed, and of whom.
    fn guard(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.predicated(node, scope, Literal::Boolean)
    }

    /// What `x is T` narrowed, and of whom, with what the function gives: nothing where it asserts that.
    fn predicated(&mut self, node: Node<'t>, scope: ScopeId, gives: Literal) -> ExprId {
        let mut of = NONE;
        if let Some(name) = self.field(node, |table| table.name) {
            let at = name.start_byte() as u32;
            if self.kind(name) == Kind::Identifier {
                let text = self.text(name);
                of = self.b.name_use(text, scope, at, Role::Read, space::VALUE);
            }
        }
        let ty = self.field(node, |table| table.type_);
        let ty = ty.map_or(NONE, |ty| self.ty(ty, scope));
        let given = self.b.expr(Expr::Literal { of: gives });
        if of == NONE || ty == NONE {
            return given;
        }
        let args = self.b.list(&[ty, of]);
        self.b.expr(Expr::Apply { of: given, args })
    }

    /// `asserts x`: nothing, with what holds where the function comes back.
    fn asserted(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let at = node.start_byte() as u32;
        let name = self.text(node);
        let subject = self.b.name_use(name, scope, at, Role::Read, space::VALUE);
        let of = self.b.expr(Expr::Literal { of: Literal::Null });
        let args = self.b.list(&[subject]);
        self.b.expr(Expr::Apply { of, args })
    }

    /// What is asserted: `x`, `x is T`.
    fn predicate(&mut self, node: Node<'t>, scope: ScopeId) {
        match self.kind(node) {
            Kind::TypePredicate => {
                self.guard(node, scope);
            }
            Kind::Asserts | Kind::AssertsAnnotation | Kind::TypePredicateAnnotation => {
                let children = self.open_named(node);
                for place in children {
                    let inner = self.child(place).node;
                    self.predicate(inner, scope);
                }
                self.close(children);
            }
            Kind::Identifier => {
                let at = node.start_byte() as u32;
                let text = self.text(node);
                self.b.name_use(text, scope, at, Role::Read, space::VALUE);
            }
            _ => {}
        }
    }

    /// A type.
    pub(super) fn ty(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        self.deeper(NONE, |walk| walk.ty_now(node, scope))
    }

    fn ty_now(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        match self.kind(node) {
            Kind::TypeIdentifier | Kind::Identifier => {
                let at = node.start_byte() as u32;
                let name = self.text(node);
                self.b.name_use(name, scope, at, Role::Type, space::TYPE)
            }
            Kind::NestedTypeIdentifier | Kind::NestedIdentifier | Kind::MemberExpression => {
                self.qualified(node, scope, Role::Type, space::ANY)
            }
            Kind::GenericType => {
                let Some(name) = self.field(node, |table| table.name) else {
                    return NONE;
                };
                let of = self.ty(name, scope);
                match self.field(node, |table| table.type_arguments) {
                    Some(arguments) => self.apply(of, arguments, scope),
                    None => of,
                }
            }
            Kind::ArrayType => {
                let of = self.first_type(node, scope);
                self.b.expr(Expr::Array { of })
            }
            Kind::TupleType => {
                let of = self.types(node, scope);
                let of = self.b.list(&of);
                self.b.expr(Expr::Tuple { of })
            }
            // A part of a tuple with a name is a parameter to the grammar.
            Kind::TupleParameter
            | Kind::OptionalTupleParameter
            | Kind::RequiredParameter
            | Kind::OptionalParameter => {
                let ty = self.field(node, |table| table.type_);
                ty.map_or(NONE, |ty| self.annotation(ty, scope))
            }
            Kind::UnionType => self.union_type(node, scope),
            Kind::IntersectionType => self.intersection_type(node, scope),
            Kind::FunctionType | Kind::ConstructorType => {
                let def = self.callable(node, scope, DefKind::Lambda, NONE, 0);
                if self.kind(node) == Kind::ConstructorType {
                    let inner = self.b.edit(def).inner;
                    if let Some(ty) = self.field(node, |table| table.type_) {
                        let ty = self.annotation(ty, inner);
                        self.b.edit(def).ty = ty;
                    }
                }
                self.b.expr(Expr::Function { def })
            }
            Kind::ObjectType | Kind::InterfaceBody => {
                let inner = self
                    .b
                    .scope(ScopeKind::Object, scope, NONE, node.byte_range());
                self.members(node, inner);
                // `{ [K in keyof T]: T[K] }` has the members of `T`.
                if let Some(of) = self.mapped_type(node, inner) {
                    return of;
                }
                self.b.expr(Expr::Object {
                    scope: inner,
                    of: NONE,
                })
            }
            Kind::TypeQuery => {
                let Some(inner) = node.named_child(0) else {
                    return NONE;
                };
                let of = match self.kind(inner) {
                    Kind::NestedIdentifier | Kind::NestedTypeIdentifier => {
                        self.qualified(inner, scope, Role::Read, space::ANY)
                    }
                    _ => self.expression(inner, scope, NONE),
                };
                self.b.set_role(of, Role::Type);
                self.b.expr(Expr::TypeOf { of })
            }
            Kind::LookupType => self.lookup_type(node, scope),
            Kind::ConditionalType => self.conditional(node, scope),
            Kind::LiteralType => {
                let literal = node.named_child(0);
                match literal.and_then(|literal| self.constant(literal)) {
                    Some(constant) => constant,
                    None => self.b.expr(Expr::Literal { of: Literal::Text }),
                }
            }
            Kind::PredefinedType => self.predefined(node),
            Kind::ThisType => self.this_type(scope),
            Kind::ParenthesizedType
            | Kind::ReadonlyType
            | Kind::OptionalType
            | Kind::TypeAnnotation
            | Kind::Constraint
            | Kind::DefaultType => self.first_type(node, scope),
            Kind::RestType => {
                let of = self.first_type(node, scope);
                self.b.expr(Expr::Iter {
                    of,
                    part: crate::facts::Part::Element,
                })
            }
            Kind::InferType => self.infer(node, scope),
            Kind::IndexTypeQuery => {
                let left = self.first_type(node, scope);
                let name = self.b.name("keyof");
                self.b.expr(Expr::Operator {
                    name,
                    left,
                    right: NONE,
                })
            }
            Kind::TemplateLiteralType | Kind::TemplateType => {
                self.types(node, scope);
                self.b.expr(Expr::Opaque)
            }
            Kind::TypePredicate => self.guard(node, scope),
            Kind::CallExpression => self.expression(node, scope, NONE),
            Kind::Error => {
                self.types(node, scope);
                NONE
            }
            _ => self.b.expr(Expr::Opaque),
        }
    }

    /// The type whose members a mapped type that was walked has as they are.
    fn mapped_type(&mut self, node: Node<'t>, scope: ScopeId) -> Option<ExprId> {
        let members = named_children(node).into_iter();
        let members = members.filter(|member| self.kind(*member) != Kind::Comment);
        let [only] = members.collect::<Vec<_>>()[..] else {
            return None;
        };
        let mut parts = named_children(only).into_iter();
        let clause = parts.find(|part| self.kind(*part) == Kind::MappedTypeClause)?;
        let key = self.field(clause, |table| table.name)?.start_byte() as u32;
        let defs = self.b.facts.defs.iter().rev();
        let key = defs
            .take_while(|def| def.start >= node.start_byte() as u32)
            .find(|def| def.kind == DefKind::TypeParam && def.at == key)?;
        // `[K in keyof T as `get${K}`]` has keys of its own.
        if key.value != NONE {
            return None;
        }
        let (name, of) = (key.name, key.ty);
        let Expr::Operator {
            name: word, left, ..
        } = self.b.facts.expr(of)
        else {
            return None;
        };
        if self.b.facts.name(word) != "keyof" {
            return None;
        }
        let index = self.b.declared(scope, "(index)")?;
        let value = self.b.facts.defs[index as usize].ty;
        (left != NONE && (value == NONE || self.is_under(value, name))).then_some(left)
    }

    /// Whether a type is what stands under a key: `T[K]`, also with `null` and the like.
    fn is_under(&self, value: ExprId, key: NameId) -> bool {
        let facts = &self.b.facts;
        match facts.expr(value) {
            Expr::Index { by, .. } => {
                matches!(facts.expr(by), Expr::Name { name, .. } if name == key)
            }
            Expr::Union { of } => {
                let mut parts = facts.list(of).iter();
                parts.any(|part| self.is_under(*part, key))
            }
            _ => false,
        }
    }

    fn types(&mut self, node: Node<'t>, scope: ScopeId) -> Vec<ExprId> {
        let mut types = Vec::new();
        let children = self.open_named(node);
        for place in children {
            let ty = self.child(place).node;
            if self.kind(ty) != Kind::Comment {
                types.push(self.ty(ty, scope));
            }
        }
        self.close(children);
        types
    }

    /// `A | B | C`, which the grammar nests to the left, hundreds deep in generated code.
    fn union_type(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let kind = self.kind(node);
        let mut parts = Vec::new();
        let mut at = node;
        loop {
            let mut inner: Vec<Node<'t>> = named_children(at)
                .into_iter()
                .filter(|part| self.kind(*part) != Kind::Comment)
                .collect();
            let nested = inner
                .first()
                .copied()
                .filter(|first| self.kind(*first) == kind);
            if nested.is_some() {
                inner.remove(0);
            }
            parts.extend(inner.into_iter().rev());
            match nested {
                Some(first) => at = first,
                None => break,
            }
        }
        parts.reverse();
        let parts: Vec<ExprId> = parts.into_iter().map(|part| self.ty(part, scope)).collect();
        self.b.union(&parts)
    }

    /// `A & B`: of all of these at once, while a union is of one of them.
    fn intersection_type(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let left = self.union_type(node, scope);
        if !matches!(self.b.facts.expr(left), Expr::Union { .. }) {
            return left;
        }
        let name = self.b.name("&");
        self.b.expr(Expr::Operator {
            name,
            left,
            right: NONE,
        })
    }

    fn lookup_type(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let parts = named_children(node);
        let (Some(of), Some(by)) = (parts.first(), parts.get(1)) else {
            return NONE;
        };
        let of = self.ty(*of, scope);
        // `T["key"]` is the type of a member.
        if self.kind(*by) == Kind::LiteralType
            && let Some(string) = by.named_child(0)
            && self.kind(string) == Kind::String
            && let Some((name, at)) = self.key(string)
        {
            let value = self.b.expr(Expr::Value { of });
            let member = self.b.member_use(value, name, at, Role::Type, space::ANY);
            return self.b.expr(Expr::TypeOf { of: member });
        }
        let by = self.ty(*by, scope);
        self.b.expr(Expr::Index { of, by })
    }

    fn conditional(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let block = self.block(node, scope);
        let around = std::mem::replace(&mut self.lang.condition, block);
        let asked = [
            self.field(node, |table| table.left),
            self.field(node, |table| table.right),
        ];
        let [left, right] = asked.map(|side| side.map_or(NONE, |side| self.ty(side, block)));
        self.lang.condition = around;
        // What is inferred is seen where the condition holds.
        let sides = [
            (self.field(node, |table| table.consequence), block),
            (self.field(node, |table| table.alternative), scope),
        ];
        let sides = sides.map(|(side, scope)| side.map_or(NONE, |side| self.ty(side, scope)));
        if sides.contains(&NONE) {
            let known = sides.into_iter().find(|side| *side != NONE);
            return known.unwrap_or(NONE);
        }
        let name = self.b.name("extends");
        let of = self.b.expr(Expr::Operator { name, left, right });
        let args = self.b.list(&sides);
        self.b.expr(Expr::Apply { of, args })
    }

    fn infer(&mut self, node: Node<'t>, scope: ScopeId) -> ExprId {
        let mut parts = named_children(node).into_iter();
        let Some(name) = parts.next() else {
            return NONE;
        };
        let home = match self.lang.condition {
            NONE => scope,
            condition => condition,
        };
        let def = self.b.define(
            self.text(name),
            DefKind::TypeParam,
            home,
            name.start_byte() as u32,
            node.byte_range(),
        );
        for bound in parts {
            let bound = self.ty(bound, scope);
            self.b.edit(def).ty = bound;
        }
        self.b
            .name_use(self.text(name), home, NONE, Role::Type, space::TYPE)
    }

    fn predefined(&mut self, node: Node<'t>) -> ExprId {
        let of = match self.text(node) {
            "string" => Literal::Text,
            "number" => Literal::Integer,
            "boolean" => Literal::Boolean,
            "void" | "undefined" | "never" | "null" => Literal::Null,
            _ => return self.b.expr(Expr::Opaque),
        };
        self.b.expr(Expr::Literal { of })
    }

    /// `a.b.c` as a type, a base or the target of an import.
    pub(super) fn qualified(
        &mut self,
        node: Node<'t>,
        scope: ScopeId,
        role: Role,
        spaces: u8,
    ) -> ExprId {
        self.deeper(NONE, |walk| {
            let parts = named_children(node);
            let at = node.start_byte() as u32;
            match (parts.first(), parts.last()) {
                (Some(of), Some(name)) if parts.len() > 1 => {
                    // What stands before the name of a type is a namespace or an enum, not a value that is nearer.
                    let around = match role {
                        Role::Type => space::NAMESPACE,
                        _ => spaces,
                    };
                    let of = walk.qualified(*of, scope, Role::Read, around);
                    let text = walk.text(*name);
                    let at = name.start_byte() as u32;
                    walk.b.member_use(of, text, at, role, spaces)
                }
                _ => {
                    let text = walk.text(node);
                    // The grammar is shown a name in its place where a type has arguments: `import("./x").Y<Z>`.
                    if let Some((start, path)) = imported_path(text) {
                        return walk.module_at(path, at + start as u32);
                    }
                    walk.b.name_use(text, scope, at, role, spaces)
                }
            }
        })
    }
}

/// What `import("./x")` names, without its quotes, and where that begins.
fn imported_path(text: &str) -> Option<(usize, &str)> {
    let is_quote = |char: char| matches!(char, '"' | '\'');
    let inside = text.strip_prefix("import(")?.strip_suffix(')')?;
    let start = text.find(is_quote)? + 1;
    Some((start, inside.trim().trim_matches(is_quote)))
}
