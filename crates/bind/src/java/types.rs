//! Types, type parameters, annotations and modifiers.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag};

use super::{Kid, Kind, METHOD, OUTER, Range, TYPE, Walker, Want};

impl<'t> Walker<'t> {
    /// What a written type denotes.
    pub(super) fn ty(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        match kid.kind {
            Kind::TypeIdentifier | Kind::Identifier => self.name(kid.node, scope, Role::Type, TYPE),
            Kind::IntegralType | Kind::FloatingType | Kind::BooleanType | Kind::VoidType => {
                self.unwritten_type(self.text(kid.node), scope)
            }
            _ => {
                if !self.enter() {
                    return NONE;
                }
                let of = self.compound_type(kid, scope);
                self.leave();
                of
            }
        }
    }

    fn compound_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        let kids = self.open(kid.node);
        let of = match kid.kind {
            Kind::ScopedType | Kind::ScopedIdentifier => self.scoped_type(&kids, scope, TYPE),
            Kind::GenericType => self.generic_type(&kids, scope),
            Kind::ArrayType => self.array_type(&kids, scope),
            Kind::CatchType => self.types(&kids, scope),
            Kind::Wildcard => match self.last_type(&kids, scope) {
                NONE => self.unwritten_type("Object", scope),
                bound => bound,
            },
            // Annotations of a type stand before it, `?` before its bound.
            _ => self.last_type(&kids, scope),
        };
        self.close(&kids);
        of
    }

    /// `a.b.C`, where what is before the last dot may be a package.
    fn scoped_type(&mut self, kids: &Range, scope: ScopeId, spaces: u8) -> ExprId {
        let mut of = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            let spaces = if i + 1 == kids.end { spaces } else { OUTER };
            of = match kid.kind {
                Kind::TypeIdentifier | Kind::Identifier if of == NONE => {
                    self.name(kid.node, scope, Role::Type, spaces)
                }
                Kind::TypeIdentifier | Kind::Identifier => {
                    self.member(of, kid.node, Role::Type, spaces)
                }
                Kind::ScopedType | Kind::ScopedIdentifier => self.outer_type(kid, scope),
                Kind::GenericType => self.ty(kid, scope),
                _ => {
                    self.annotation(kid, scope);
                    of
                }
            };
        }
        of
    }

    fn outer_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> ExprId {
        if !self.enter() {
            return NONE;
        }
        let kids = self.open(kid.node);
        let of = self.scoped_type(&kids, scope, OUTER);
        self.close(&kids);
        self.leave();
        of
    }

    fn generic_type(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            of = match kid.kind {
                Kind::TypeArguments => self.apply(of, kid, scope),
                _ => self.ty(kid, scope),
            };
        }
        of
    }

    /// Type arguments on a type or method; `<>` says nothing.
    pub(super) fn apply(&mut self, of: ExprId, arguments: Kid<'t>, scope: ScopeId) -> ExprId {
        let kids = self.open(arguments.node);
        let args: Vec<ExprId> = kids
            .clone()
            .map(|i| {
                let kid = self.kids.get(i);
                self.ty(kid, scope)
            })
            .collect();
        self.close(&kids);
        if args.is_empty() || of == NONE {
            return of;
        }
        let args = self.b.list(&args);
        self.b.expr(Expr::Apply { of, args })
    }

    fn array_type(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            of = match kid.kind {
                Kind::Dimensions => self.arrays(of, kid),
                _ => self.ty(kid, scope),
            };
        }
        of
    }

    /// An array of as many dimensions as are written.
    pub(super) fn arrays(&mut self, of: ExprId, dimensions: Kid<'t>) -> ExprId {
        let count = self.text(dimensions.node).matches('[').count();
        (0..count).fold(of, |of, _| self.b.expr(Expr::Array { of }))
    }

    fn last_type(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let mut of = NONE;
        for i in kids.clone() {
            let kid = self.kids.get(i);
            match kid.kind {
                Kind::Annotation | Kind::MarkerAnnotation => self.annotation(kid, scope),
                // `? super T`
                Kind::Super => {}
                _ => of = self.ty(kid, scope),
            }
        }
        of
    }

    /// One of several types: bounds, or what a `catch` names.
    pub(super) fn types(&mut self, kids: &Range, scope: ScopeId) -> ExprId {
        let types: Vec<ExprId> = kids
            .clone()
            .map(|i| {
                let kid = self.kids.get(i);
                self.ty(kid, scope)
            })
            .filter(|&ty| ty != NONE)
            .collect();
        self.b.union(&types)
    }

    /// The types of a list as they stand: `throws`, `permits`.
    pub(super) fn every_type(&mut self, kid: Kid<'t>, scope: ScopeId) -> Vec<ExprId> {
        let kids = self.open(kid.node);
        let mut types = Vec::new();
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.kind == Kind::TypeList {
                let list = self.open(kid.node);
                for i in list.clone() {
                    let kid = self.kids.get(i);
                    types.push(self.ty(kid, scope));
                }
                self.close(&list);
            } else {
                types.push(self.ty(kid, scope));
            }
        }
        self.close(&kids);
        types.retain(|&ty| ty != NONE);
        types
    }

    /// The scope of type parameters; `parent` itself where there are none.
    pub(super) fn header(
        &mut self,
        parameters: Option<Kid<'t>>,
        parent: ScopeId,
        owner: DefId,
        range: Range,
    ) -> ScopeId {
        let Some(parameters) = parameters else {
            return parent;
        };
        let scope = self.b.scope(ScopeKind::Header, parent, owner, range);
        let kids = self.open(parameters.node);
        let mut bounds = Vec::new();
        for i in kids.clone() {
            let kid = self.kids.get(i);
            if kid.kind == Kind::TypeParameter {
                self.type_parameter(kid, scope, &mut bounds);
            }
        }
        // Bounds see every parameter, later ones as well.
        for (def, bound) in bounds {
            let kids = self.open(bound.node);
            self.b.edit(def).ty = self.types(&kids, scope);
            self.close(&kids);
        }
        self.close(&kids);
        scope
    }

    fn type_parameter(&mut self, kid: Kid<'t>, scope: ScopeId, bounds: &mut Vec<(DefId, Kid<'t>)>) {
        let kids = self.open(kid.node);
        let mut def = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            match part.kind {
                Kind::TypeIdentifier | Kind::Identifier => {
                    let name = self.text(part.node);
                    let at = part.start() as u32;
                    def = self
                        .b
                        .define(name, DefKind::TypeParam, scope, at, kid.range());
                    self.b.edit(def).spaces = TYPE;
                }
                Kind::TypeBound if def != NONE => bounds.push((def, part)),
                _ => self.annotation(part, scope),
            }
        }
        self.close(&kids);
    }

    /// Flags that modifiers say; their annotations are uses.
    pub(super) fn modifiers(&mut self, kid: Kid<'t>, scope: ScopeId) -> u32 {
        let mut flags = 0;
        let mut cursor = kid.node.walk();
        let mut annotations = Vec::new();
        for node in kid.node.children(&mut cursor) {
            let kind = self.t.kind(node);
            if kind != Kind::Other {
                annotations.push(Kid {
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
    pub(super) fn annotation(&mut self, kid: Kid<'t>, scope: ScopeId) {
        if !matches!(kid.kind, Kind::Annotation | Kind::MarkerAnnotation) || !self.enter() {
            return;
        }
        let kids = self.open(kid.node);
        let mut of = NONE;
        for i in kids.clone() {
            let part = self.kids.get(i);
            if part.kind == Kind::AnnotationArguments {
                self.annotation_arguments(part, of, scope);
            } else {
                of = self.ty(part, scope);
                self.b.set_role(of, Role::Attribute);
            }
        }
        self.close(&kids);
        self.leave();
    }

    fn annotation_arguments(&mut self, kid: Kid<'t>, of: ExprId, scope: ScopeId) {
        let kids = self.open(kid.node);
        for i in kids.clone() {
            let argument = self.kids.get(i);
            if argument.kind == Kind::ElementPair {
                let pair = self.open(argument.node);
                if let Some(key) = self.kids.field(&pair, self.t.key) {
                    self.member(of, key.node, Role::Read, METHOD);
                }
                if let Some(value) = self.kids.field(&pair, self.t.value) {
                    self.element_value(value, scope);
                }
                self.close(&pair);
            } else {
                self.element_value(argument, scope);
            }
        }
        self.close(&kids);
    }

    /// What is given to an annotation's element, or its default.
    pub(super) fn element_value(&mut self, kid: Kid<'t>, scope: ScopeId) {
        match kid.kind {
            Kind::Annotation | Kind::MarkerAnnotation => self.annotation(kid, scope),
            Kind::ElementArray => {
                if !self.enter() {
                    return;
                }
                let kids = self.open(kid.node);
                for i in kids.clone() {
                    let kid = self.kids.get(i);
                    self.element_value(kid, scope);
                }
                self.close(&kids);
                self.leave();
            }
            _ => {
                self.expr(kid, scope, Want::Nothing);
            }
        }
    }
}
