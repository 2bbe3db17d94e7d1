//! Type inference of expressions, within a budget: from declarations, constructors, returns, assignments.

use codecortex_bind::facts::{
    DefKind, Expr, IterationPart, ListId, Literal, NONE, ScopeId, flag, space,
};

use crate::call;
use crate::contextual;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::library_types;
use crate::lookup::result::LookupResult;
use crate::narrow;
use crate::narrow::guards;
use crate::outside;
use crate::receiver_chains;
use crate::resolution;
use crate::resolver::Resolver;
use crate::standard_library::{results, tables};
use crate::this;
use crate::ty::{Ty, Typed, no_substitution, none, union};

impl Resolver<'_> {
    /// The type of a value.
    pub(crate) fn type_of(&self, at: ExprRef) -> Typed {
        if at.expr == NONE {
            return Typed::unknown();
        }
        self.memoize_type(&self.types, at, || self.type_of_now(at))
    }

    fn type_of_now(&self, at: ExprRef) -> Typed {
        let file = at.file;
        let part = |expr| self.type_of(ExprRef { file, expr });
        match self.expr(at) {
            Expr::Opaque => Typed::unknown(),
            Expr::Name { .. } | Expr::Member { .. } => self.type_of_use(at),
            Expr::Module { .. } => self.type_of_found(&self.find(at)),
            Expr::This { scope } => this::instance(self, file, scope),
            Expr::SelfType { scope } => match this::instance(self, file, scope).ty {
                Ty::Instance(def, args) => Typed::declared(Ty::Type(def, args)),
                _ => Typed::unknown(),
            },
            Expr::Super { scope } => this::base_of(self, file, scope),
            Expr::Call { of, args } => {
                receiver_chains::infer_receiver_chain(self, at);
                call::type_of_call(self, at, of, args)
            }
            Expr::New { of, args } => call::type_of_new(self, file, of, args),
            Expr::Index { of, by } => self.type_of_index(file, of, by),
            Expr::Apply { of, args } if this::is_super(self, ExprRef { file, expr: of }) => {
                let classes = self.each(file, args, |class| self.lower_type(class).ty);
                classes
                    .first()
                    .map_or_else(Typed::unknown, |class| this::bases_of(self, class))
            }
            Expr::Apply { of, args } => call::applied(self, file, part(of), args),
            Expr::Keyword { value, .. } => part(value),
            Expr::Await { of } => {
                let of = part(of);
                let awaited = self.rules(file).awaited(self, file, &of);
                awaited.unwrap_or_else(|| self.unwrapped(file, &of, "await"))
            }
            Expr::Iter { of, part: which } => {
                let member = match which {
                    IterationPart::Element => "iter",
                    IterationPart::Key => "key",
                };
                self.unwrapped(file, &part(of), member)
            }
            Expr::Entry { of, index } => self.entry(file, &part(of), index),
            Expr::Unwrap { of } => {
                let of = part(of);
                let held = self.unwrapped(file, &of, "unwrap");
                match held.ty {
                    // What holds nothing was held by a pointer, which is as good as what it points to.
                    Ty::Unknown if matches!(of.ty, Ty::Instance(..)) => Typed::inferred(of.ty),
                    _ => held,
                }
            }
            Expr::Deref { of } => self.unwrapped(file, &part(of), "deref"),
            Expr::Pointer { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::Pointer(of.ty.into()),
                    is_declared: of.is_declared,
                }
            }
            Expr::Value { of } => self.lower_type(ExprRef { file, expr: of }),
            Expr::TypeOf { of } => {
                let of = part(of);
                let ty = self.rules(file).class_of(&of.ty);
                Typed { ty, ..of }
            }
            Expr::Operator { name, left, right } => {
                let name = self.file(file).map(|bound| bound.name(name));
                let operator = name.map_or("", |name| self.workspace.text(name));
                self.rules(file).operator(self, file, operator, left, right)
            }
            Expr::Union { of } => {
                let parts = self.each(file, of, |at| self.type_of(at));
                union(self.rules(file).distinct(self, parts))
            }
            Expr::Tuple { of } => {
                let parts = self.each(file, of, |at| self.type_of(at).ty);
                Typed::declared(Ty::Tuple(parts.into()))
            }
            Expr::Array { of } => {
                let of = part(of);
                Typed {
                    ty: Ty::array(of.ty),
                    is_declared: of.is_declared,
                }
            }
            Expr::Map { key, value } => {
                Typed::inferred(Ty::Map((part(key).ty, part(value).ty).into()))
            }
            Expr::Function { def } => Typed::declared(Ty::Function(
                [DefRef { file, def }].into(),
                no_substitution(),
            )),
            Expr::Object { scope, .. } => {
                Typed::declared(Ty::Object(file, scope, no_substitution()))
            }
            Expr::ContextualType { call, index } => {
                contextual::contextual_type(self, file, call, index)
            }
            Expr::ContextualParam { of, index } => {
                let function = part(of);
                contextual::contextual_param(self, file, &function, index)
            }
            Expr::Literal { of } | Expr::Constant { of, .. } => self.type_of_literal(file, of),
            Expr::Discriminant { .. } | Expr::Indirect { .. } => Typed::unknown(),
        }
    }

    /// The type that an argument of a call is asked to be of.
    pub(crate) fn asked_of_argument(&self, file: FileNo, call: u32, index: u32) -> Typed {
        contextual::contextual_type(self, file, call, index)
    }

    /// The type of a name or member: what is known of it here, else what it is declared or assigned.
    fn type_of_use(&self, at: ExprRef) -> Typed {
        if self.rules(at.file).narrows_unions() {
            return narrow::narrowed_by_guards(self, at);
        }
        let told = guards::narrowed(self, at);
        told.unwrap_or_else(|| self.declared_at(at))
    }

    /// The type of a name or member whatever is known of it here.
    pub(crate) fn declared_at(&self, at: ExprRef) -> Typed {
        let found = self.before_others(at, self.find(at));
        if found.is_empty() && !found.external {
            return self.type_of_missing(at);
        }
        if found.external && found.is_empty() {
            return self.type_of_missing_external(at);
        }
        if results::is_of_library(&found)
            && let Some(typed) = self.property_of_library(at, &found)
        {
            return typed;
        }
        self.type_of_found(&found)
    }

    /// What a member of a library's type is, read like a field, where tables know that, too.
    fn property_of_library(&self, at: ExprRef, found: &LookupResult) -> Option<Typed> {
        let Expr::Member { of, name, .. } = self.expr(at) else {
            return None;
        };
        let receiver = self.type_of(ExprRef { expr: of, ..at });
        let member = self.workspace.text(self.file(at.file)?.name(name));
        let told = library_types::property(self, at.file, &receiver.ty, member)?;
        results::either(Some(self.type_of_found(found)), Some(Typed::inferred(told)))
    }

    /// Of several definitions of a name that is no value those that are in its spaces: in `a::b` the module
    /// `a`, not a function of that name that is imported beside it or with it.
    fn before_others(&self, at: ExprRef, found: LookupResult) -> LookupResult {
        let (Expr::Name { spaces, .. } | Expr::Member { spaces, .. }) = self.expr(at) else {
            return found;
        };
        if spaces & space::VALUE != 0 {
            return found;
        }
        let is_in = |of: &DefRef| self.def(*of).is_some_and(|of| of.spaces & spaces != 0);
        if let [only] = found.defs[..] {
            let followed = self.resolve_alias(only);
            let ends: Vec<DefRef> = followed.ends.iter().copied().filter(is_in).collect();
            if ends.is_empty() && resolution::is_namespace_in_documentation(self, at) {
                return LookupResult::external();
            }
            if ends.is_empty() || ends.len() == followed.ends.len() {
                return found;
            }
            return LookupResult {
                defs: ends,
                is_declared: found.is_declared && followed.is_declared,
                ..found
            };
        }
        let leads_there = |of: &DefRef| self.resolve_alias(*of).ends.iter().any(is_in);
        let defs: Vec<DefRef> = found.defs.iter().copied().filter(leads_there).collect();
        if defs.is_empty() {
            return found;
        }
        LookupResult { defs, ..found }
    }

    /// A member that its receiver does not have.
    fn type_of_missing(&self, at: ExprRef) -> Typed {
        let Expr::Member { of, name, .. } = self.expr(at) else {
            return Typed::unknown();
        };
        let receiver = self.type_of(ExprRef {
            file: at.file,
            expr: of,
        });
        let name = self.file(at.file).map(|bound| bound.name(name));
        let name = name.map_or("", |name| self.workspace.text(name));
        if let Some(ty) = library_types::property(self, at.file, &receiver.ty, name) {
            return Typed::inferred(ty);
        }
        let rules = self.rules(at.file);
        let known = rules.type_of_missing(self, &receiver.ty, name);
        known.unwrap_or_else(Typed::unknown)
    }

    fn type_of_missing_external(&self, at: ExprRef) -> Typed {
        let name = match self.expr(at) {
            Expr::Member { of, name, .. } => {
                let receiver = self.type_of(ExprRef {
                    file: at.file,
                    expr: of,
                });
                let Some(bound) = self.file(at.file) else {
                    return Typed::unknown();
                };
                let member = self.workspace.text(bound.name(name));
                if let Some(ty) = library_types::property(self, at.file, &receiver.ty, member) {
                    return Typed::inferred(ty);
                }
                let rules = self.rules(at.file);
                if let Some(typed) = rules.type_of_missing(self, &receiver.ty, member) {
                    return typed;
                }
                if let Some(held) = outside::element_type(self, &receiver.ty) {
                    return Typed::inferred(outside::instantiate(Some(held)));
                }
                // A member of a module or type outside is named as it is.
                match receiver.ty {
                    Ty::ExternalType(..) | Ty::Namespace(_) => Some(name),
                    _ => None,
                }
            }
            Expr::Name { name, scope, .. } => {
                if let Some(held) = outside::element_type_around(self, at, scope) {
                    return Typed::inferred(outside::instantiate(Some(held)));
                }
                Some(name)
            }
            Expr::Module { name, .. } => Some(name),
            _ => None,
        };
        let name = self
            .file(at.file)
            .and_then(|bound| name.map(|name| bound.name(name)));
        Typed::declared(Ty::ExternalType(name, none()))
    }

    /// The type of what a lookup found.
    pub(crate) fn type_of_found(&self, found: &LookupResult) -> Typed {
        if let Some(ty) = &found.ty {
            return Typed {
                ty: ty.clone(),
                is_declared: found.is_declared,
            };
        }
        if found.defs.is_empty() {
            return if found.external {
                Typed::declared(Ty::ExternalType(None, none()))
            } else {
                Typed::unknown()
            };
        }
        // Of an interface and a function under one name, the function is the value.
        let defs = self.those_in(&found.defs, space::VALUE);
        let all_functions = defs
            .iter()
            .all(|def| self.def(*def).is_some_and(|def| self.is_called(def)));
        if all_functions {
            if let Some(made) = self.made_by_decorators(&defs) {
                return made.and(found.is_declared);
            }
            return Typed {
                ty: Ty::Function(defs.into(), found.subst.clone()),
                is_declared: found.is_declared,
            };
        }
        let joined = match *defs {
            [def] => self.type_of_def(def),
            _ => union(defs.iter().map(|def| self.type_of_def(*def)).collect()),
        };
        if joined.ty.is_unknown()
            && let Some(given) = outside::given_by_described(self, &defs, &found.subst)
        {
            return given;
        }
        Typed {
            ty: joined.ty.with(&found.subst),
            is_declared: joined.is_declared && found.is_declared,
        }
    }

    /// What decorators make of a function, if that is no function.
    fn made_by_decorators(&self, defs: &[DefRef]) -> Option<Typed> {
        let [def] = *defs else {
            return None;
        };
        let is_decorated = self.def(def)?.flags & flag::DECORATED != 0;
        let made = is_decorated.then(|| self.type_of_def(def))?;
        (!matches!(made.ty, Ty::Function(..))).then_some(made)
    }

    /// Those of several definitions that are in a space of names; all where none is.
    pub(crate) fn those_in(&self, defs: &[DefRef], spaces: u8) -> Vec<DefRef> {
        let is_in = |of: &&DefRef| self.def(**of).is_some_and(|def| def.spaces & spaces != 0);
        if defs.len() < 2 || !defs.iter().any(|of| is_in(&of)) {
            return defs.to_vec();
        }
        defs.iter().filter(is_in).copied().collect()
    }

    /// Whether it is a function that is called, not one that is read like a field.
    fn is_called(&self, def: &codecortex_bind::facts::Def) -> bool {
        let is_read = def.flags & (flag::GETTER | flag::SETTER) != 0;
        def.kind.is_callable() && !is_read
    }

    /// The type of what a definition defines, as a value.
    pub(crate) fn type_of_def(&self, def: DefRef) -> Typed {
        self.memoize_type(&self.def_types, def, || self.type_of_def_now(def))
    }

    fn type_of_def_now(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        if let Some(typed) = self.rules(at.file).type_of_def(self, at, def) {
            return typed;
        }
        let file = at.file;
        match def.kind {
            DefKind::Namespace => {
                let name = self.name_of(at);
                name.map_or_else(Typed::unknown, |name| Typed::declared(Ty::Namespace(name)))
            }
            DefKind::Module => Typed::declared(Ty::Module(file, def.inner)),
            DefKind::Alias => self.type_of_alias(at),
            DefKind::TypeAlias => {
                let target = self.lower_type(ExprRef { file, expr: def.ty });
                match target.ty {
                    Ty::Instance(def, args) => Typed {
                        ty: Ty::Type(def, args),
                        is_declared: target.is_declared,
                    },
                    Ty::External(name, args) => Typed {
                        ty: Ty::ExternalType(name, args),
                        is_declared: target.is_declared,
                    },
                    _ => Typed::declared(Ty::Type(at, none())),
                }
            }
            DefKind::TypeParam => Typed::declared(Ty::Param(at)),
            DefKind::EnumMember => self.enum_member(at, def.scope),
            DefKind::Macro | DefKind::Label => Typed::unknown(),
            DefKind::Impl => Typed::unknown(),
            kind if kind.is_type() && tables::is_told(self, at) => {
                Typed::declared(Ty::ExternalType(self.name_of(at), none()))
            }
            kind if kind.is_type() => Typed::declared(Ty::Type(self.defined(at), none())),
            _ if self.is_called(def) => {
                Typed::declared(Ty::Function([at].into(), no_substitution()))
            }
            _ => self.type_of_variable(at),
        }
    }

    fn enum_member(&self, at: DefRef, scope: ScopeId) -> Typed {
        let owner = self.type_around(at.file, scope);
        owner.map_or_else(Typed::unknown, |owner| {
            Typed::declared(Ty::Instance(owner, none()))
        })
    }

    fn type_of_alias(&self, at: DefRef) -> Typed {
        if let Some(value) = self.constructed_by_alias(at) {
            match self.lower_type(value) {
                Typed {
                    ty: Ty::Instance(def, args),
                    is_declared,
                } => {
                    return Typed {
                        ty: Ty::Type(def, args),
                        is_declared,
                    };
                }
                Typed {
                    ty: Ty::External(name, args),
                    is_declared,
                } => {
                    return Typed {
                        ty: Ty::ExternalType(name, args),
                        is_declared,
                    };
                }
                _ => {}
            }
        }
        let followed = self.resolve_alias(at);
        if let Some(ty) = followed.ty.filter(|_| followed.ends.is_empty()) {
            return Typed {
                ty,
                is_declared: followed.is_declared,
            };
        }
        if followed.ends.is_empty() {
            let name = self.def(at).and_then(|def| {
                let bound = self.file(at.file)?;
                bound.head_name(def.value).or(Some(bound.name(def.name)))
            });
            return if followed.external {
                Typed::declared(Ty::ExternalType(name, none()))
            } else {
                Typed::unknown()
            };
        }
        self.type_of_found(&LookupResult {
            is_declared: followed.is_declared,
            ..LookupResult::defs(followed.ends)
        })
    }

    /// A variable, field, parameter, property or getter.
    pub(crate) fn type_of_variable(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        let file = at.file;
        let is_variadic = def.kind == DefKind::Parameter && def.flags & flag::VARIADIC != 0;
        let typed = if def.ty != NONE {
            self.lower_type(ExprRef { file, expr: def.ty })
        } else if def.flags & flag::RECEIVER != 0 {
            self.receiver(at)
        } else {
            self.assigned(at)
        };
        if def.kind == DefKind::Parameter && def.flags & flag::KEYWORDS != 0 {
            let name = self.type_of_literal(file, Literal::Text);
            return Typed {
                ty: Ty::Map((name.ty, typed.ty).into()),
                is_declared: typed.is_declared,
            };
        }
        if is_variadic {
            return Typed {
                ty: Ty::array(typed.ty),
                is_declared: typed.is_declared,
            };
        }
        typed
    }

    /// The receiver of the method that a parameter belongs to.
    fn receiver(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        let this = this::instance(self, at.file, def.scope);
        let function = self.function_around(at.file, def.scope);
        let is_class_method = function.is_some_and(|function| {
            let function = self.file(at.file).map(|bound| bound.def(function).flags);
            function.is_some_and(|flags| flags & flag::CLASS_METHOD != 0)
        });
        match this.ty {
            Ty::Instance(def, args) if is_class_method => Typed::declared(Ty::Type(def, args)),
            _ => this,
        }
    }

    /// What a variable without a declared type is given.
    fn assigned(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        let file = at.file;
        let mut types = Vec::new();
        if def.value != NONE {
            let value = self.type_of(ExprRef {
                file,
                expr: def.value,
            });
            if !value.ty.is_unknown() && !self.is_null(file, def.value) {
                if let Some(filled) = self.rules(file).evolving_array(self, at, def) {
                    return filled;
                }
                // Without a declaration every assignment is one.
                if def.flags & flag::IMPLICIT == 0 {
                    return value;
                }
                types.push(value);
            }
        }
        let Some(name) = self.name_of(at) else {
            return Typed::unknown();
        };
        for index in self.assignments_to(file, name).into_iter().take(16) {
            let Some(assignment) = self
                .file(file)
                .and_then(|bound| bound.assignments().get(index as usize))
            else {
                continue;
            };
            let to = ExprRef {
                file,
                expr: assignment.to,
            };
            if self.is_null(file, assignment.value) || !self.find(to).defs.contains(&at) {
                continue;
            }
            types.push(self.type_of(ExprRef {
                file,
                expr: assignment.value,
            }));
        }
        if types.is_empty() && def.kind == DefKind::Parameter {
            return Typed::unknown();
        }
        let is_one = types.len() == 1 && def.value != NONE;
        union(types).and(is_one)
    }

    /// Whether an expression is the null literal.
    pub(crate) fn is_null(&self, file: FileNo, expr: u32) -> bool {
        matches!(
            self.expr(ExprRef { file, expr }),
            Expr::Literal { of: Literal::Null }
        )
    }

    fn type_of_index(&self, file: FileNo, of: u32, by: u32) -> Typed {
        let of_ty = self.type_of(ExprRef { file, expr: of });
        if let Ty::Tuple(parts) = &of_ty.ty
            && let Some(part) = self.part_at(file, parts, by)
        {
            return part.and(of_ty.is_declared);
        }
        let rules = self.rules(file);
        if let Some(ty) = rules.sliced(self, file, &of_ty.ty, by) {
            return Typed::inferred(ty);
        }
        if let Ty::Type(def, _) = of_ty.ty {
            if let Some(ty) = rules.unwrapped_instance(self, file, &of_ty.ty, "index") {
                return Typed::inferred(ty);
            }
            // Type arguments where the language writes them in brackets.
            let arg = self.lower_type(ExprRef { file, expr: by });
            return Typed::inferred(Ty::Type(def, [arg.ty].into()));
        }
        if let Ty::Function(defs, subst) = &of_ty.ty {
            let params = defs.first().map(|def| self.params_of(*def));
            if let Some(param) = params.as_ref().and_then(|params| params.first()) {
                let arg = self.lower_type(ExprRef { file, expr: by });
                let mut subst = subst.to_vec();
                subst.push((*param, arg.ty));
                return Typed::inferred(Ty::Function(defs.clone(), subst.into()));
            }
        }
        self.unwrapped(file, &of_ty, "index")
    }

    /// The part of a tuple that a constant says, or one of all where its value is not known; nothing for no constant.
    fn part_at(&self, file: FileNo, parts: &[Ty], by: u32) -> Option<Typed> {
        match self.expr(ExprRef { file, expr: by }) {
            Expr::Constant {
                of: Literal::Integer,
                value,
            } => {
                let written = self.workspace.text(self.file(file)?.name(value));
                let part = parts.get(written.parse::<usize>().ok()?)?;
                Some(Typed::declared(part.clone()))
            }
            Expr::Literal { .. } | Expr::Constant { .. } => {
                Some(Typed::inferred(Ty::union(parts.to_vec())))
            }
            _ => None,
        }
    }

    /// An entry of a tuple.
    fn entry(&self, file: FileNo, of: &Typed, index: u32) -> Typed {
        match &of.ty {
            Ty::Tuple(parts) => {
                let entry = parts.get(index as usize).cloned();
                Typed {
                    ty: entry.unwrap_or(Ty::Unknown),
                    is_declared: of.is_declared,
                }
            }
            Ty::Union(parts) => {
                let parts = parts
                    .iter()
                    .map(|ty| self.entry(file, &Typed::declared(ty.clone()), index));
                union(parts.collect())
            }
            _ => match self.rules(file).entry(self, file, &of.ty, index) {
                Some(ty) => Typed::inferred(ty),
                None => self.unwrapped(file, of, "iter"),
            },
        }
    }

    /// What the operations of a library type give: `iter`, `key`, `index`, `await`, `unwrap`, `deref`.
    pub(crate) fn unwrapped(&self, file: FileNo, of: &Typed, how: &str) -> Typed {
        let ty = self.with_depth(|| library_types::unwrap(self, file, &of.ty, how));
        match ty.flatten() {
            Some(ty) => Typed {
                ty,
                is_declared: of.is_declared,
            },
            None => Typed::unknown(),
        }
    }

    /// The type of a literal in the language of a file.
    pub(crate) fn type_of_literal(&self, file: FileNo, of: Literal) -> Typed {
        if let Some(ty) = self.rules(file).literal_type(self, of) {
            return Typed::declared(ty);
        }
        let name = self.rules(file).literal(of);
        let sym = self.workspace.name(name);
        Typed::declared(Ty::External(sym, none()))
    }

    /// Whether an expression is a literal.
    pub(crate) fn is_literal(&self, at: ExprRef) -> bool {
        matches!(self.expr(at), Expr::Literal { .. })
    }

    /// Applies something to the entries of a list.
    pub(crate) fn each<T>(
        &self,
        file: FileNo,
        list: ListId,
        step: impl Fn(ExprRef) -> T,
    ) -> Vec<T> {
        let Some(bound) = self.file(file) else {
            return Vec::new();
        };
        let entries = bound.list(list).iter();
        entries
            .map(|expr| step(ExprRef { file, expr: *expr }))
            .collect()
    }

    /// What a function gives by its declaration, else by what it returns.
    pub(crate) fn declared_result(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        if let Some(typed) = self.rules(at.file).result(self, at, def) {
            return typed;
        }
        let file = at.file;
        if def.kind == DefKind::Constructor {
            return this::instance(self, file, def.scope);
        }
        if def.ty != NONE {
            return self.lower_type(ExprRef { file, expr: def.ty });
        }
        let value = self.type_of(ExprRef {
            file,
            expr: def.value,
        });
        let ty = if def.flags & flag::GENERATOR != 0 {
            Ty::array(value.ty)
        } else {
            value.ty
        };
        Typed::inferred(ty)
    }
}
