//! Types, type parameters, annotations and modifiers.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag};

use super::kinds::Kind;
use super::walk::{JavaChild, JavaWalk, METHOD, OUTER, TYPE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> JavaWalk<'t> {
    /// What a written type denotes.
    pub(super) fn ty(&mut self, child: JavaChild<'t>, scope: ScopeId) -> ExprId {
        match child.kind {
            Kind::TypeIdentifier | Kind::Identifier => {
                self.name(child.node, scope, Role::Type, TYPE)
            }
            Kind::IntegralType | Kind::FloatingType | Kind::BooleanType | Kind::VoidType => {
                self.unwritten_type(self.text(child.node), scope)
            }
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let of = self.compound_type(child, scope);
                self.leave();
                of
            }
        }
    }

    fn compound_type(&mut self, child: JavaChild<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(child.node);
        let of = match child.kind {
            Kind::ScopedType | Kind::ScopedIdentifier => self.scoped_type(children, scope, TYPE),
            Kind::GenericType => self.generic_type(children, scope),
            Kind::ArrayType => self.array_type(children, scope),
            Kind::CatchType => self.types(children, scope),
            Kind::Wildcard => match self.last_type(children, scope) {
                NONE => self.unwritten_type("Object", scope),
                bound => bound,
            },
            // Annotations of a type stand before it, `?` before its bound.
            _ => self.last_type(children, scope),
        };
        self.close(children);
        of
    }

    /// `a.b.C`, where what is before the last dot may be a package.
    fn scoped_type(&mut self, children: ChildRange, scope: ScopeId, spaces: u8) -> ExprId {
        let mut of = NONE;
        for i in children {
            let child = self.child(i);
            let spaces = if i + 1 == children.to { spaces } else { OUTER };
            of = match child.kind {
                Kind::TypeIdentifier | Kind::Identifier if of == NONE => {
                    self.name(child.node, scope, Role::Type, spaces)
                }
                Kind::TypeIdentifier | Kind::Identifier => {
                    self.member(of, child.node, Role::Type, spaces)
                }
                Kind::ScopedType | Kind::ScopedIdentifier => self.outer_type(child, scope),
                Kind::GenericType => self.ty(child, scope),
                _ => {
                    self.annotation(child, scope);
                    of
                }
            };
        }
        of
    }

    fn outer_type(&mut self, child: JavaChild<'t>, scope: ScopeId) -> ExprId {
        if !self.enter() {
            return NONE;
        }
        let children = self.open(child.node);
        let of = self.scoped_type(children, scope, OUTER);
        self.close(children);
        self.leave();
        of
    }

    fn generic_type(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let child = self.child(i);
            of = match child.kind {
                Kind::TypeArguments => self.apply(of, child, scope),
                _ => self.ty(child, scope),
            };
        }
        of
    }

    /// Type arguments on a type or method; `<>` says nothing.
    pub(super) fn apply(&mut self, of: ExprId, arguments: JavaChild<'t>, scope: ScopeId) -> ExprId {
        let children = self.open(arguments.node);
        let args: Vec<ExprId> = children
            .iter()
            .map(|i| {
                let child = self.child(i);
                self.ty(child, scope)
            })
            .collect();
        self.close(children);
        if args.is_empty() || of == NONE {
            return of;
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    fn array_type(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let child = self.child(i);
            of = match child.kind {
                Kind::Dimensions => self.arrays(of, child),
                _ => self.ty(child, scope),
            };
        }
        of
    }

    /// An array of as many dimensions as are written.
    pub(super) fn arrays(&mut self, of: ExprId, dimensions: JavaChild<'t>) -> ExprId {
        let count = self.text(dimensions.node).matches('[').count();
        (0..count).fold(of, |of, _| self.b.expr(Expr::Array { of }))
    }

    fn last_type(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in children {
            let child = self.child(i);
            match child.kind {
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(child, scope),
                // `? super T`
                Kind::Super => {}
                _ => of = self.ty(child, scope),
            }
        }
        of
    }

    /// One of several types: bounds, or what a `catch` names.
    pub(super) fn types(&mut self, children: ChildRange, scope: ScopeId) -> ExprId {
        let types: Vec<ExprId> = children
            .iter()
            .map(|i| {
                let child = self.child(i);
                self.ty(child, scope)
            })
            .filter(|&ty| ty != NONE)
            .collect();
        self.b.union(&types)
    }

    /// The types of a list as they stand: `throws`, `permits`.
    pub(super) fn every_type(&mut self, child: JavaChild<'t>, scope: ScopeId) -> Vec<ExprId> {
        let children = self.open(child.node);
        let mut types = Vec::new();
        for i in children {
            let child = self.child(i);
            if child.kind == Kind::TypeList {
                let list = self.open(child.node);
                for i in list {
                    let child = self.child(i);
                    types.push(self.ty(child, scope));
                }
                self.close(list);
            } else {
                types.push(self.ty(child, scope));
            }
        }
        self.close(children);
        types.retain(|&ty| ty != NONE);
        types
    }

    /// The scope of type parameters; `parent` itself where there are none.
    pub(super) fn header(
        &mut self,
        parameters: Option<JavaChild<'t>>,
        parent: ScopeId,
        owner: DefId,
        range: std::ops::Range<usize>,
    ) -> ScopeId {
        let Some(parameters) = parameters else {
            return parent;
        };
        let scope = self.b.scope(ScopeKind::Header, parent, owner, range);
        let children = self.open(parameters.node);
        let mut bounds = Vec::new();
        for i in children {
            let child = self.child(i);
            if child.kind == Kind::TypeParameter {
                self.type_parameter(child, scope, &mut bounds);
            }
        }
        // Bounds see every parameter, later ones as well.
        for (def, bound) in bounds {
            let children = self.open(bound.node);
            self.b.edit(def).ty = self.types(children, scope);
            self.close(children);
        }
        self.close(children);
        scope
    }

    fn type_parameter(
        &mut self,
        child: JavaChild<'t>,
        scope: ScopeId,
        bounds: &mut Vec<(DefId, JavaChild<'t>)>,
    ) {
        let children = self.open(child.node);
        let mut def = NONE;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::TypeIdentifier | Kind::Identifier => {
                    let name = self.text(part.node);
                    let at = part.start() as u32;
                    def = self
                        .b
                        .define(name, DefKind::TypeParam, scope, at, child.range());
                    self.b.edit(def).spaces = TYPE;
                }
                Kind::TypeBound if def != NONE => bounds.push((def, part)),
                _ => self.annotation(part, scope),
            }
        }
        self.close(children);
    }

    /// Flags that modifiers say; their annotations are uses.
    pub(super) fn modifiers(&mut self, child: JavaChild<'t>, scope: ScopeId) -> u32 {
        let mut flags = 0;
        let mut cursor = child.node.walk();
        let mut annotations = Vec::new();
        for node in child.node.children(&mut cursor) {
            let kind = self.kind(node);
            if kind != Kind::Other {
                annotations.push(JavaChild {
                    node,
                    kind,
                    field: 0,
                });
                continue;
            }
            flags |= match self.text(node) {
                "public" => flag::EXPORTED,
                "private" => flag::PRIVATE,
                "protected" => flag::PROTECTED,
                "static" => flag::STATIC,
                "abstract" => flag::ABSTRACT,
                "final" => flag::READONLY,
                _ => 0,
            };
        }
        for annotation in annotations {
            if self.text(annotation.node) == "@Override" {
                flags |= flag::OVERRIDE;
            }
            self.annotation(annotation, scope);
        }
        flags
    }

    /// Flags of a member: without a modifier of access it is seen in its package.
    pub(super) fn access(flags: u32) -> u32 {
        let said = flag::EXPORTED | flag::PRIVATE | flag::PROTECTED;
        if flags & said == 0 {
            flags | flag::INTERNAL
        } else {
            flags
        }
    }

    /// An annotation; its elements are methods of its type.
    pub(super) fn annotation(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        if !matches!(child.kind, Kind::Annotation | Kind::MarkerAnnotation) || !self.enter() {
            return;
        }
        let children = self.open(child.node);
        let mut of = NONE;
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::AnnotationArguments {
                self.annotation_arguments(part, of, scope);
            } else {
                of = self.ty(part, scope);
                self.b.set_role(of, Role::Attribute);
            }
        }
        self.close(children);
        self.leave();
    }

    fn annotation_arguments(&mut self, child: JavaChild<'t>, of: ExprId, scope: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let argument = self.child(i);
            if argument.kind == Kind::ElementPair {
                let pair = self.open(argument.node);
                if let Some(key) = self.children.in_field(pair, self.table.key) {
                    self.member(of, key.node, Role::Read, METHOD);
                }
                if let Some(value) = self.children.in_field(pair, self.table.value) {
                    self.element_value(value, scope);
                }
                self.close(pair);
            } else {
                self.element_value(argument, scope);
            }
        }
        self.close(children);
    }

    /// What is given to an annotation's element, or its default.
    pub(super) fn element_value(&mut self, child: JavaChild<'t>, scope: ScopeId) {
        match child.kind {
            Kind::Annotation | Kind::MarkerAnnotation => self.annotation(child, scope),
            Kind::ElementArray => {
                if !self.enter() {
                    return;
                }
                let children = self.open(child.node);
                for i in children {
                    let child = self.child(i);
                    self.element_value(child, scope);
                }
                self.close(children);
                self.leave();
            }
            _ => {
                self.expr(child, scope, ContextualType::Nothing);
            }
        }
    }
}
