//! Functions: their names, parameters, initialisers of members and bodies.

use tree_sitter::Node;

use super::declarators::DeclaratorParts;
use super::kinds::Kind;
use super::names::In;
use super::walk::{CppWalk, DeclarationSite, EnclosingDeclaration};
use crate::facts::{DefId, DefKind, Expr, ExprId, NONE, Role, ScopeId, ScopeKind, flag, space};
use crate::nodes::child;

/// What a function's declaration says besides its declarator.
#[derive(Clone, Copy, Default)]
pub(super) struct FunctionContext<'t> {
    pub(super) whole: Option<Node<'t>>,
    pub(super) flags: u32,
    pub(super) body: Option<Node<'t>>,
    /// Whether a type is written; constructors have none.
    pub(super) typed: bool,
}

impl<'t> CppWalk<'t> {
    /// A function, defined or declared. `name` is the name and `function` the `f(…)` around it.
    pub(super) fn function(
        &mut self,
        declared: DeclaratorParts<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        let (Some(name), Some(function)) = (declared.name, declared.function) else {
            return;
        };
        if !around.typed && self.is_guide(name, function, at) {
            return self.guide(name, function, around, at);
        }
        if !around.typed && self.is_macro(name, function, around, at) {
            return self.macro_function(name, function, around, at);
        }
        let whole = around.whole.unwrap_or(function);
        let def = self.function_name(name, declared, around, at, whole);
        self.own(at, def);
        let range = whole.byte_range();
        let inner = self.b.scope(ScopeKind::Function, at.look, def, range);
        self.parameters(function, inner);
        let result = self.trailing(function, inner).unwrap_or(declared.ty);
        let edited = self.b.edit(def);
        edited.inner = inner;
        edited.ty = result;
        if edited.kind == DefKind::Method {
            let qualifiers = self.qualifiers(function);
            self.b.edit(def).flags |= qualifiers;
        }
        let text = self.text(function);
        if text.ends_with("override") || text.ends_with("final") || text.contains(" override") {
            let edited = self.b.edit(def);
            edited.flags = (edited.flags | flag::OVERRIDE) & !flag::PRIVATE;
        }
        self.function_body(whole, def, inner);
    }

    /// Whether `Box(T) -> Box<T>;` says what arguments of a template are deduced.
    fn is_guide(&mut self, name: Node<'t>, function: Node<'t>, at: DeclarationSite) -> bool {
        let parts = self.list_of(function);
        at.place != EnclosingDeclaration::Block
            && self.kind(name) == Kind::Identifier
            && parts
                .iter()
                .any(|(_, part)| self.kind(*part) == Kind::TrailingReturn)
    }

    /// A deduction guide: a function that nobody can call, by the name of a template.
    fn guide(
        &mut self,
        name: Node<'t>,
        function: Node<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        self.use_of(In::Scope(at.look), name, Role::Type, space::TYPE);
        let whole = around.whole.unwrap_or(function).byte_range();
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let kind = DefKind::Function;
        let def = self.b.define(text, kind, at.scope, place, whole.clone());
        self.own(at, def);
        let inner = self.b.scope(ScopeKind::Function, at.look, def, whole);
        self.parameters(function, inner);
        let result = self.trailing(function, inner).unwrap_or(NONE);
        let edited = self.b.edit(def);
        (edited.inner, edited.ty) = (inner, result);
        (edited.flags, edited.spaces) = (flag::HIDDEN | flag::DECLARATION, 0);
    }

    /// What stands behind the parameters of a method: `const`, `&&`.
    fn qualifiers(&mut self, function: Node<'t>) -> u32 {
        let mut flags = 0;
        for (_, part) in self.list_of(function) {
            match self.kind(part) {
                Kind::TypeQualifier if self.text(part) == "const" => flags |= flag::CONST_METHOD,
                Kind::RefQualifier if self.text(part) == "&&" => flags |= flag::RVALUE_METHOD,
                _ => {}
            }
        }
        flags
    }

    /// Initialisers of members and the body.
    pub(super) fn function_body(&mut self, node: Node<'t>, def: DefId, inner: ScopeId) {
        let around = std::mem::replace(&mut self.lang.function, inner);
        let result = self.b.edit(def).ty;
        let outer_result = std::mem::replace(&mut self.lang.result, result);
        let returns = std::mem::take(&mut self.lang.returns);
        for (field, part) in self.list_of(node) {
            match self.kind(part) {
                Kind::FieldInitializerList => self.field_initializers(part, inner),
                Kind::CompoundStatement => self.children(part, DeclarationSite::block(inner)),
                Kind::Declaration => self.old_parameters(part, inner),
                Kind::TryStatement if field == 0 || field == self.table.body => {
                    self.item(part, DeclarationSite::block(inner));
                }
                _ => {}
            }
        }
        self.lang.function = around;
        self.lang.result = outer_result;
        let given = std::mem::replace(&mut self.lang.returns, returns);
        if self.b.edit(def).ty == NONE {
            let value = self.b.union(&given);
            self.b.edit(def).value = value;
        }
    }

    /// Defines the function by its name and says which class or namespace it belongs to.
    fn function_name(
        &mut self,
        name: Node<'t>,
        declared: DeclaratorParts<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
        whole: Node<'t>,
    ) -> DefId {
        let (mut name, mut container) = (name, NONE);
        let mut class = self.lang.class;
        if self.kind(name) == Kind::QualifiedIdentifier
            && let Some(qualified) = self.qualified(name, at.look)
        {
            name = qualified.name;
            if let In::Of(of) = qualified.of {
                container = of;
                class = "";
                if let Some(before) = self.last_name(of) {
                    class = before;
                }
            }
        }
        let place = name.start_byte() as u32;
        let in_class = at.place == EnclosingDeclaration::Class || container != NONE;
        let mut kind = if in_class {
            DefKind::Method
        } else {
            DefKind::Function
        };
        let (text, place) = match self.kind(name) {
            Kind::OperatorName => (self.operator_name(name), place),
            Kind::DestructorName => {
                if let Some(class) = name.named_child(0) {
                    self.class_again(class, at, container);
                }
                (self.text(name).split_whitespace().collect(), place)
            }
            Kind::OperatorCast => {
                let text = child(name, self.table.ty).map_or("", |ty| self.text(ty));
                (format!("operator {text}"), place)
            }
            Kind::TemplateFunction | Kind::TemplateMethod => {
                // A specialisation: its name is a use of the template's.
                self.last(In::Scope(at.look), name, at.look, Role::Read, space::VALUE);
                let template = child(name, self.table.name);
                (template.map_or("", |name| self.text(name)).to_owned(), NONE)
            }
            Kind::TypeIdentifier if self.text(name) == "operator" => {
                let to = declared
                    .function
                    .and_then(|of| child(of, self.table.declarator));
                (
                    format!("operator {}", to.map_or("", |to| self.text(to))),
                    place,
                )
            }
            _ => (self.text(name).to_owned(), place),
        };
        if in_class && text == class && !around.typed {
            kind = DefKind::Constructor;
            self.class_again(name, at, container);
        }
        let def = self
            .b
            .define(&text, kind, at.scope, place, whole.byte_range());
        // What is said of the result is not said of the function.
        let mut flags = around.flags & !(flag::READONLY | flag::MUTABLE);
        if around.body.is_none() {
            flags |= flag::DECLARATION;
        }
        if at.place == EnclosingDeclaration::Class || kind == DefKind::Function {
            flags |= self.visibility(at, false);
        }
        if kind == DefKind::Constructor {
            // Its name means the class.
            flags |= flag::HIDDEN;
        }
        let before = self.text.get(whole.start_byte()..name.start_byte());
        if before.is_some_and(|text| text.contains("virtual")) {
            flags |= flag::OVERRIDE;
        }
        if container != NONE || flags & flag::OVERRIDE != 0 {
            flags &= !flag::PRIVATE;
        }
        let edited = self.b.edit(def);
        edited.flags = flags;
        // What a name finds is the template.
        edited.spaces = if place == NONE { 0 } else { space::VALUE };
        edited.container = container;
        edited.ty = declared.ty;
        def
    }

    /// The name of a class where its constructor or destructor repeats it.
    fn class_again(&mut self, name: Node<'t>, at: DeclarationSite, container: ExprId) {
        let text = self.text(name);
        let place = name.start_byte() as u32;
        match container {
            NONE => self
                .b
                .name_use(text, at.scope, place, Role::Type, space::TYPE),
            // The class has its own name as a member.
            of => self.b.member_use(of, text, place, Role::Type, space::TYPE),
        };
    }

    /// The name that an expression ends in.
    fn last_name(&self, of: ExprId) -> Option<&'t str> {
        let (_, at, _) = match self.b.facts.expr(of) {
            Expr::Apply { of, .. } => self.b.facts.expr(of).written()?,
            expr => expr.written()?,
        };
        let rest = self.text.get(at as usize..)?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        rest.get(..end.unwrap_or(rest.len()))
    }

    /// The parameters of `f(…)`.
    pub(super) fn parameters(&mut self, function: Node<'t>, scope: ScopeId) {
        let Some(list) = child(function, self.table.parameters) else {
            return;
        };
        for (_, part) in self.list_of(list) {
            let flags = match self.kind(part) {
                Kind::ParameterDeclaration => 0,
                Kind::OptionalParameter => flag::OPTIONAL,
                Kind::VariadicParameter => flag::VARIADIC,
                // Before C89 only names stood here, and declarations behind the list.
                Kind::Identifier => {
                    self.parameter(Some(part), NONE, 0, part, scope);
                    continue;
                }
                _ if part.kind() == "variadic_parameter" => continue,
                _ => {
                    self.item(part, DeclarationSite::block(scope));
                    continue;
                }
            };
            let children = self.open(part);
            let ty = self.node_in(children, self.table.ty);
            let declarator = self.node_in(children, self.table.declarator);
            let value = self.node_in(children, self.table.default_value);
            self.close(children);
            let ty = ty.map_or(NONE, |ty| self.specifier(ty, DeclarationSite::block(scope)));
            let is_void = declarator.is_none() && self.text(part) == "void";
            if is_void {
                continue;
            }
            let declared = match declarator {
                Some(declarator) => {
                    let declared = self.declarator(declarator, ty, scope);
                    let is_name = |name: &Node<'_>| {
                        matches!(self.kind(*name), Kind::Identifier | Kind::TypeIdentifier)
                    };
                    let name = declared.name.filter(is_name);
                    DeclaratorParts { name, ..declared }
                }
                None => DeclaratorParts {
                    name: None,
                    ty,
                    function: None,
                },
            };
            let flags = match declarator {
                Some(declarator) if self.points_to_const(part, declarator) => {
                    flags | flag::POINTS_TO_CONST
                }
                _ => flags,
            };
            let is_moved = declarator.is_some_and(|of| self.text(of).starts_with("&&"));
            let flags = if is_moved {
                flags | flag::RVALUE_REFERENCE
            } else {
                flags
            };
            let flags = match self.is_explicit_object(list, part) {
                true => flags | flag::RECEIVER,
                false => flags,
            };
            self.parameter(declared.name, declared.ty, flags, part, scope);
            if let Some(value) = value {
                self.expr(value, scope);
            }
        }
        self.ellipsis(list, scope);
    }

    /// `...` at the end of a list takes any number of arguments, whatever they are.
    fn ellipsis(&mut self, list: Node<'t>, scope: ScopeId) {
        let last = list.child_count().checked_sub(2);
        let last = last.and_then(|last| list.child(last));
        if let Some(last) = last.filter(|last| matches!(last.kind(), "..." | "variadic_parameter"))
        {
            let ty = self.primitive("...");
            self.parameter(None, ty, flag::VARIADIC, last, scope);
        }
    }

    /// Whether a parameter is the object that the function is called on: `this` stands before it.
    fn is_explicit_object(&self, list: Node<'t>, parameter: Node<'t>) -> bool {
        let before = self.text.get(list.start_byte()..parameter.start_byte());
        before.is_some_and(|before| before.trim_start_matches('(').trim() == "this")
    }

    /// Whether a parameter is a pointer or reference to what is `const`: a function that takes it otherwise is another.
    fn points_to_const(&self, parameter: Node<'t>, declarator: Node<'t>) -> bool {
        let before = declarator.start_byte() - parameter.start_byte();
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let ty = self.text(parameter).get(..before).unwrap_or_default();
        self.text(declarator).starts_with(['*', '&'])
            && ty
                .split(|letter| !is_word(letter))
                .any(|word| word == "const")
    }

    /// `int f(a) int a; {…}`: types of parameters as they were declared before C89.
    fn old_parameters(&mut self, declaration: Node<'t>, scope: ScopeId) {
        let at = DeclarationSite::block(scope);
        let mut ty = NONE;
        for (field, part) in self.list_of(declaration) {
            if field == self.table.ty {
                ty = self.specifier(part, at);
            } else if field == self.table.declarator {
                let declared = self.declarator(part, ty, scope);
                let Some(name) = declared.name.filter(|name| self.is_name(*name)) else {
                    continue;
                };
                self.use_of(In::Scope(scope), name, Role::Read, space::VALUE);
                if let Some(def) = self.b.declared(scope, self.text(name)) {
                    self.b.edit(def).ty = declared.ty;
                }
            }
        }
    }

    fn parameter(
        &mut self,
        name: Option<Node<'t>>,
        ty: ExprId,
        flags: u32,
        whole: Node<'t>,
        scope: ScopeId,
    ) -> DefId {
        let text = name.map_or("", |name| self.text(name));
        let at = name.map_or(NONE, |name| name.start_byte() as u32);
        let kind = DefKind::Parameter;
        let def = self.b.define(text, kind, scope, at, whole.byte_range());
        let edited = self.b.edit(def);
        edited.ty = ty;
        edited.flags = flags;
        edited.spaces = space::VALUE;
        def
    }

    /// `: a_(a), Base(b)`.
    fn field_initializers(&mut self, list: Node<'t>, scope: ScopeId) {
        for (_, initializer) in self.list_of(list) {
            if self.kind(initializer) != Kind::FieldInitializer {
                self.item(initializer, DeclarationSite::block(scope));
                continue;
            }
            let mut of = NONE;
            for (_, part) in self.list_of(initializer) {
                match self.kind(part) {
                    Kind::FieldIdentifier => {
                        let this = self.b.expr(Expr::This { scope });
                        of = self.use_of(In::Of(this), part, Role::Write, space::VALUE);
                        // It may as well be a base.
                        self.use_of(In::Scope(scope), part, Role::Call, space::TYPE);
                    }
                    Kind::QualifiedIdentifier | Kind::TemplateMethod => {
                        self.last(In::Scope(scope), part, scope, Role::Call, space::TYPE);
                    }
                    Kind::InitializerList => {
                        self.initializer(part, of, scope);
                    }
                    _ => {
                        self.arguments(part, NONE, scope);
                    }
                }
            }
        }
    }

    /// Whether `NAME(a, b) { … }` is a macro's call and not a function without a type: then what
    /// stands in the parentheses are names alone.
    fn is_macro(
        &self,
        name: Node<'t>,
        function: Node<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) -> bool {
        if self.kind(name) != Kind::Identifier && self.kind(name) != Kind::FieldIdentifier
            || around.body.is_none() && at.place == EnclosingDeclaration::Class
        {
            return false;
        }
        if at.place == EnclosingDeclaration::Class && self.text(name) == self.lang.class {
            return false;
        }
        let Some(list) = child(function, self.table.parameters) else {
            return false;
        };
        let mut cursor = list.walk();
        let mut parameters = list.named_children(&mut cursor).peekable();
        parameters.peek().is_some()
            && parameters.all(|parameter| {
                parameter.named_child_count() == 1
                    && parameter.named_child(0).is_some_and(|ty| {
                        let is_name = matches!(
                            self.kind(ty),
                            Kind::TypeIdentifier | Kind::QualifiedIdentifier
                        );
                        // `CASE_TEMPLATE(T, int, list<char>) { … }`: no function of C++ has no type, but C's may.
                        is_name
                            || at.place == EnclosingDeclaration::Namespace
                                && !self.lang.is_c
                                && matches!(
                                    self.kind(ty),
                                    Kind::PrimitiveType | Kind::SizedType | Kind::TemplateType
                                )
                    })
            })
    }

    /// `TEST_F(Fixture, Name) { … }`: the body may be that of a member of the first name, which
    /// such macros derive a class from.
    fn macro_function(
        &mut self,
        name: Node<'t>,
        function: Node<'t>,
        around: FunctionContext<'t>,
        at: DeclarationSite,
    ) {
        let of = In::Scope(at.look);
        self.use_of(of, name, Role::Call, space::ANY);
        // What such a macro is given names a class, or a part of what it declares itself: no function.
        let spaces = space::TYPE | space::NAMESPACE | space::MACRO;
        let mut container = NONE;
        if let Some(list) = child(function, self.table.parameters) {
            for (_, part) in self.list_of(list) {
                let Some(ty) = child(part, self.table.ty) else {
                    continue;
                };
                let of = match self.kind(ty) {
                    Kind::PrimitiveType | Kind::SizedType => {
                        self.specifier(ty, DeclarationSite::block(at.look))
                    }
                    _ => self.last(In::Scope(at.look), ty, at.look, Role::Type, spaces),
                };
                if container == NONE {
                    container = of;
                }
            }
        }
        let whole = around.whole.unwrap_or(function);
        let range = whole.byte_range();
        let kind = DefKind::Method;
        let text = self.text(name);
        let place = name.start_byte() as u32;
        let def = self.b.define(text, kind, at.scope, place, range.clone());
        let inner = self.b.scope(ScopeKind::Function, at.look, def, range);
        let edited = self.b.edit(def);
        (edited.inner, edited.container) = (inner, container);
        // What it is called in truth, the macro knows.
        (edited.flags, edited.spaces) = (flag::HIDDEN, 0);
        self.function_body(whole, def, inner);
    }
}
