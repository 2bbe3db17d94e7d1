//! What declarations begin with: attributes, modifiers, type parameters, parameters, bases.

use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Relation, Role, ScopeId, ScopeKind, flag};

use super::kinds::Kind;
use super::walk::{CSharpChild, CSharpWalk, TYPE, VALUE};
use crate::children::ChildRange;
use crate::contextual::ContextualType;

impl<'t> CSharpWalk<'t> {
    /// The flag that a modifier says.
    pub(super) fn modifier(&self, child: CSharpChild<'t>) -> u32 {
        match self.text(child.node) {
            "public" => flag::EXPORTED,
            "private" => flag::PRIVATE,
            "protected" => flag::PROTECTED,
            "internal" | "file" => flag::INTERNAL,
            "static" => flag::STATIC,
            "const" => flag::STATIC | flag::READONLY,
            "readonly" => flag::READONLY,
            "abstract" => flag::ABSTRACT,
            "override" => flag::OVERRIDE,
            "partial" => flag::PARTIAL,
            _ => 0,
        }
    }

    /// Attributes, which `#if` may surround.
    pub(super) fn attributes(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        if !self.enter() {
            return;
        }
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Attribute => self.attribute(part, scope),
                Kind::AttributeList | Kind::PreprocElse | Kind::PreprocElif => {
                    self.attributes(part, scope);
                }
                _ => {}
            }
        }
        self.close(children);
        self.leave();
    }

    /// Attributes of a function or of its parameters: `nameof` in them sees what is in the function's scope.
    pub(super) fn attributes_of_function(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        inner: ScopeId,
    ) {
        let outer = self.lang.naming_scope.replace(inner);
        self.attributes(child, scope);
        self.lang.naming_scope = outer;
    }

    fn attribute(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let call = self.b.reserve();
        let (mut of, mut args) = (NONE, NONE);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::AttributeArguments {
                args = self.attribute_arguments(part, of, call, scope);
            } else if part.field == self.table.name {
                of = self.ty_in(part, scope, TYPE, Role::Attribute);
            }
        }
        self.b.fill(call, Expr::New { of, args });
        self.close(children);
    }

    /// Arguments: `name: value` names a parameter, `Name = value` a property or field of the attribute.
    fn attribute_arguments(
        &mut self,
        child: CSharpChild<'t>,
        of: ExprId,
        call: ExprId,
        scope: ScopeId,
    ) -> u32 {
        let arguments = self.open(child.node);
        let mut args = Vec::new();
        for i in arguments {
            let argument = self.child(i);
            let children = self.open(argument.node);
            let name = self.children.in_field(children, self.table.name);
            for i in children {
                let part = self.child(i);
                if part.field == self.table.name {
                    continue;
                }
                let value = self.expr(part, scope, ContextualType::Nothing);
                match name {
                    Some(name) if self.is_followed_by(name, '=') => {
                        let instance = self.b.expr(Expr::Value { of });
                        self.member(instance, name.node, Role::Write, VALUE);
                    }
                    Some(name) => args.push(self.keyword(call, name, value)),
                    None => args.push(value),
                }
            }
            self.close(children);
        }
        self.close(arguments);
        self.b.list(&args)
    }

    /// Whether this character stands next after a node.
    pub(super) fn is_followed_by(&self, child: CSharpChild<'t>, character: char) -> bool {
        let rest = self.text.get(child.node.end_byte()..).unwrap_or("");
        let mut rest = rest.trim_start().chars();
        rest.next() == Some(character) && rest.next() != Some('=')
    }

    pub(super) fn keyword(&mut self, call: ExprId, name: CSharpChild<'t>, value: ExprId) -> ExprId {
        let (text, at) = self.identifier(name.node);
        let name = self.b.name(text);
        self.b.expr(Expr::Keyword {
            call,
            name,
            at,
            value,
        })
    }

    /// The scope of type parameters; `parent` itself where there are none.
    pub(super) fn header(
        &mut self,
        children: ChildRange,
        parent: ScopeId,
        owner: DefId,
        range: std::ops::Range<usize>,
    ) -> ScopeId {
        let kind = self.b.edit(owner).kind;
        let block = self.block_around(kind);
        let lists = [block, Some(children)].map(|of| {
            let of = of?;
            self.children.of_kind(of, Kind::TypeParameters)
        });
        if lists.iter().all(Option::is_none) {
            return parent;
        }
        let scope = self.b.scope(ScopeKind::Header, parent, owner, range);
        for list in lists.into_iter().flatten() {
            self.type_parameters(list, scope);
        }
        scope
    }

    fn type_parameters(&mut self, parameters: CSharpChild<'t>, scope: ScopeId) {
        let list = self.open(parameters.node);
        for i in list {
            let parameter = self.child(i);
            let parts = self.open(parameter.node);
            for i in parts {
                let part = self.child(i);
                if part.field == self.table.name {
                    self.define(part.node, DefKind::TypeParam, scope, part.range(), TYPE);
                } else if part.field == 0 {
                    self.attributes(part, scope);
                }
            }
            self.close(parts);
        }
        self.close(list);
    }

    /// `where T : A, new()`: the bound of a type parameter.
    pub(super) fn constraints(&mut self, child: CSharpChild<'t>, scope: ScopeId) {
        let children = self.open(child.node);
        let mut bounds = Vec::new();
        let (mut name, mut flags) = (None, 0);
        for i in children {
            let part = self.child(i);
            if part.kind == Kind::TypeConstraint {
                flags |= match self.text(part.node).trim_end_matches('?') {
                    "class" => flag::REFERENCE_TYPE,
                    "struct" | "unmanaged" => flag::VALUE_TYPE,
                    _ => 0,
                };
                let inner = self.open(part.node);
                if let Some(ty) = self.children.in_field(inner, self.table.ty) {
                    bounds.push(self.ty(ty, scope));
                }
                self.close(inner);
            } else if part.kind == Kind::Identifier {
                self.name(part.node, scope, Role::Type, TYPE);
                name = Some(self.identifier(part.node).0);
            }
        }
        self.close(children);
        let def = name.and_then(|name| self.b.declared(scope, name));
        if let Some(def) = def {
            let bound = self.b.union(&bounds);
            let edited = self.b.edit(def);
            edited.ty = bound;
            edited.flags |= flags;
        }
    }

    /// Bases of a type. What follows a colon may be a class or an interface; only the first can be a class.
    pub(super) fn bases(&mut self, child: CSharpChild<'t>, scope: ScopeId, def: DefId) {
        let children = self.open(child.node);
        let kind = self.b.edit(def).kind;
        let mut last = NONE;
        for (place, i) in children.iter().enumerate() {
            let part = self.child(i);
            match part.kind {
                Kind::ArgumentList => self.base_arguments(part, scope, last),
                Kind::PrimaryBase => {
                    let inner = self.open(part.node);
                    if let Some(ty) = self.children.in_field(inner, self.table.ty) {
                        last = self.ty(ty, scope);
                    }
                    if let Some(arguments) = self.children.of_kind(inner, Kind::ArgumentList) {
                        self.base_arguments(arguments, scope, last);
                    }
                    self.close(inner);
                    self.b.base(def, Relation::Extends, last);
                }
                _ => {
                    last = self.ty(part, scope);
                    let implements = place > 0 || kind == DefKind::Struct;
                    let relation = match kind {
                        DefKind::Enum => continue,
                        DefKind::Interface => Relation::Extends,
                        _ if implements => Relation::Implements,
                        _ => Relation::Extends,
                    };
                    if last != NONE {
                        self.b.base(def, relation, last);
                    }
                }
            }
        }
        self.close(children);
    }

    /// The cases of a union, which the grammar is shown as bases; behind the parentheses that are written around them
    /// stand its bases.
    pub(super) fn union_cases(&mut self, child: CSharpChild<'t>, scope: ScopeId, def: DefId) {
        let list = self.text(child.node);
        let mut depth = 0_usize;
        let cases_end = list.find(|sign: char| {
            match sign {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let cases_end = child.start() + cases_end.unwrap_or(list.len());
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            let of = self.ty(part, scope);
            if part.start() > cases_end && of != NONE {
                self.b.base(def, Relation::Implements, of);
            }
        }
        self.close(children);
    }

    fn base_arguments(&mut self, child: CSharpChild<'t>, scope: ScopeId, of: ExprId) {
        let call = self.b.reserve();
        let args = self.arguments(child, scope, call);
        self.b.fill(call, Expr::New { of, args });
    }

    /// Parameters into a function's scope, their types as `types` sees them. Says whether the first is `this`.
    pub(super) fn parameters(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        types: ScopeId,
    ) -> bool {
        let children = self.open(child.node);
        let mut is_extension = false;
        let mut ty = NONE;
        let mut variadic = false;
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Parameter => is_extension |= self.parameter(part, scope, types),
                Kind::AttributeList => self.attributes_of_function(part, types, scope),
                // `params T[] rest` stands in the list itself.
                Kind::Params => variadic = true,
                _ if part.node.is_error() => self.passed_parameters(part, scope, types),
                _ if part.field == self.table.ty => ty = self.ty(part, types),
                _ if part.field == self.table.name => {
                    let range = part.range();
                    let def = self.define(part.node, DefKind::Parameter, scope, range, VALUE);
                    let element = match self.b.facts.expr(ty) {
                        Expr::Array { of } => of,
                        _ => ty,
                    };
                    let def = self.b.edit(def);
                    def.ty = element;
                    def.flags = if variadic { flag::VARIADIC } else { 0 };
                }
                _ => {}
            }
        }
        self.close(children);
        is_extension
    }

    /// `(in T x) => …`: of parameters that a lambda takes by `in` or `out` the grammar makes arguments.
    fn passed_parameters(&mut self, child: CSharpChild<'t>, scope: ScopeId, types: ScopeId) {
        let children = self.open(child.node);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Argument => self.passed_parameters(part, scope, types),
                Kind::DeclarationExpression => {
                    self.parameter(part, scope, types);
                }
                Kind::Identifier => {
                    self.define(part.node, DefKind::Parameter, scope, part.range(), VALUE);
                }
                _ => {}
            }
        }
        self.close(children);
    }

    /// A parameter. Says whether it is `this`.
    pub(super) fn parameter(
        &mut self,
        child: CSharpChild<'t>,
        scope: ScopeId,
        types: ScopeId,
    ) -> bool {
        let children = self.open(child.node);
        let mut ty = NONE;
        let (mut is_this, mut is_readonly) = (false, false);
        let (mut def, mut flags) = (NONE, 0);
        for i in children {
            let part = self.child(i);
            match part.kind {
                Kind::Modifier => match self.text(part.node) {
                    "this" => is_this = true,
                    "ref" | "out" => flags = flag::BY_REFERENCE,
                    "readonly" => is_readonly = true,
                    _ => {}
                },
                Kind::AttributeList => self.attributes_of_function(part, types, scope),
                _ if part.field == self.table.ty => ty = self.ty(part, types),
                _ if part.field == self.table.name => {
                    let kind = self.kind_of_parameter(part, scope);
                    def = self.define(part.node, kind, scope, child.range(), VALUE);
                    self.b.edit(def).ty = ty;
                    // What is only read may be a value as well.
                    self.b.edit(def).flags |= if is_readonly { 0 } else { flags };
                }
                Kind::Other => {}
                _ => {
                    let context = if ty == NONE {
                        ContextualType::Nothing
                    } else {
                        ContextualType::Type(ty)
                    };
                    let value = self.expr(part, scope, context);
                    if def != NONE {
                        self.b.edit(def).value = value;
                        self.b.edit(def).flags |= flag::OPTIONAL;
                    }
                }
            }
        }
        self.close(children);
        is_this
    }

    /// Of two arms of `#if` the parameter of the second is none more: a function is given one of them.
    fn kind_of_parameter(&self, name: CSharpChild<'t>, scope: ScopeId) -> DefKind {
        let (name, _) = self.identifier(name.node);
        let defs = self.b.facts.defs.iter().rev();
        let mut others =
            defs.take_while(|def| def.kind == DefKind::Parameter && def.scope == scope);
        if name != "_" && others.any(|def| self.b.facts.name(def.name) == name) {
            return DefKind::Variable;
        }
        DefKind::Parameter
    }
}
