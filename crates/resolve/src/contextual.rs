//! What a call expects at a place: of an argument, of a lambda's parameters, by a parameter's name.

use codecortex_bind::facts::{Expr, ListId, NONE, flag};

use crate::infer::union;
use crate::library_types;
use crate::resolver::{LookupResult, Resolver};
use crate::ty::{Substitution, Ty, Typed, no_substitution};
use crate::workspace::{DefRef, ExprRef, FileNo, Name};

impl Resolver<'_> {
    /// What a call expects as an argument.
    pub(crate) fn contextual_type(&self, file: FileNo, call: u32, index: u32) -> Typed {
        let (of, args, is_new) = match self.expr(ExprRef { file, expr: call }) {
            Expr::Call { of, args } => (of, args, false),
            Expr::New { of, args } => (of, args, true),
            _ => return Typed::unknown(),
        };
        let callee = ExprRef { file, expr: of };
        let plain = match self.expr(callee) {
            Expr::Apply { of, .. } => ExprRef { file, expr: of },
            _ => callee,
        };
        if let Expr::Member { of, name, .. } = self.expr(plain) {
            let receiver = self.type_of(ExprRef { file, expr: of });
            let member = self.file(file).map(|bound| bound.name(name));
            let member = member.map_or("", |name| self.workspace.text(name));
            let known = library_types::contextual_type(self, file, &receiver.ty, member, index);
            let known = known.or_else(|| {
                self.rules(file)
                    .contextual_argument(self, &receiver.ty, member, index)
            });
            if let Some(ty) = known {
                return Typed::inferred(ty);
            }
            if let Some(container) = self.library_type_for(file, plain, &receiver.ty)
                && let Some(ty) =
                    library_types::contextual_type(self, file, &container, member, index)
            {
                return Typed::inferred(ty);
            }
        }
        if let Some(ty) = self
            .rules(file)
            .contextual_argument_by_call(self, callee, args, index)
        {
            return Typed::inferred(ty);
        }
        let made = |ty: Ty| match ty {
            Ty::Instance(def, args) => Ty::Type(def, args),
            ty => ty,
        };
        let function = match self.expr(callee) {
            _ if is_new => made(self.lower_type(callee).ty),
            // Another constructor: `base(…)`, `super(…)`.
            Expr::Super { .. } | Expr::This { .. } => made(self.type_of(callee).ty),
            _ => self.type_of(callee).ty,
        };
        self.contextual_type_from(ExprRef { file, expr: call }, &function, args, index)
    }

    fn contextual_type_from(
        &self,
        call: ExprRef,
        function: &Ty,
        args: ListId,
        index: u32,
    ) -> Typed {
        let file = call.file;
        let (defs, subst) = match function {
            Ty::Function(defs, subst) => (defs.to_vec(), subst.clone()),
            Ty::Type(def, given) => (self.constructors(*def), self.substitution_of(*def, given)),
            Ty::Union(parts) => {
                let types = parts
                    .iter()
                    .map(|part| self.contextual_type_from(call, part, args, index));
                return union(types.collect());
            }
            _ => return Typed::unknown(),
        };
        let mut fitting = self.fitting(file, &defs, args);
        fitting.truncate(4);
        let is_one = fitting.len() == 1;
        let types = fitting.into_iter().filter_map(|def| {
            let bound = self.file(def.file)?;
            let mut params = bound
                .params(def.def)
                .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0);
            let is_extension = bound.def(def.def).flags & flag::EXTENSION != 0;
            let given = self.each(file, args, |at| at).len();
            let total = bound.params(def.def).count();
            let shift = u32::from(is_extension && total > given);
            let at = self.each(file, args, |at| at).get(index as usize).copied();
            let name = at.and_then(|at| match self.expr(at) {
                Expr::Keyword { name, .. } => Some(self.file(file)?.name(name)),
                _ => None,
            });
            let param = match name {
                Some(name) => params.find(|param| bound.name(bound.def(*param).name) == name)?,
                None => {
                    let all: Vec<u32> = params.collect();
                    let last = all
                        .last()
                        .copied()
                        .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
                    all.get((index + shift) as usize).copied().or(last)?
                }
            };
            if bound.def(param).ty == NONE {
                return None;
            }
            let declared = self.lower_type(ExprRef {
                file: def.file,
                expr: bound.def(param).ty,
            });
            let mut more = self.type_args_of_call(file, def, &subst, args, false);
            if let (Ty::Param(param), Some(at)) = (&declared.ty, at) {
                more = self.without_own(at, *param, more);
            }
            let more = self.with_wanted_result(call, def, &subst, more);
            let ty = declared.ty.with(&subst).with(&more);
            let function = self.rules(def.file).bounding_function(self, &ty);
            Some(Typed {
                ty: function.map_or(ty, |function| function.with(&subst).with(&more)),
                is_declared: declared.is_declared && is_one,
            })
        });
        union(types.collect())
    }

    /// What an object literal or function is says nothing about what is expected of itself.
    fn without_own(&self, at: ExprRef, param: DefRef, known: Substitution) -> Substitution {
        if !matches!(self.expr(at), Expr::Object { .. } | Expr::Function { .. }) {
            return known;
        }
        let own = self.type_of(at).ty;
        let kept = known.iter().filter(|(of, ty)| *of != param || *ty != own);
        kept.cloned().collect()
    }

    /// What a function's type parameters stand for, those that no argument tells by what its result is wanted for:
    /// `const a: A<B> = make(b => …)`.
    fn with_wanted_result(
        &self,
        call: ExprRef,
        def: DefRef,
        subst: &Substitution,
        known: Substitution,
    ) -> Substitution {
        let params = self.params_of(def);
        if params.len() <= known.len() {
            return known;
        }
        let wanted = self
            .file(call.file)
            .and_then(|bound| bound.declared_for(call.expr));
        let Some(expr) = wanted else {
            return known;
        };
        let wanted = self.lower_type(ExprRef { expr, ..call }).ty;
        let gives = self.declared_result(def).ty.with(subst);
        let mut known = known.to_vec();
        self.infer_type_args(&gives, &wanted, &params, &mut known, 6);
        known.into()
    }

    /// The overloads that a call may mean: the best ones where types tell them apart.
    fn of_call(
        &self,
        file: FileNo,
        defs: &[DefRef],
        subst: &Substitution,
        args: ListId,
    ) -> Vec<DefRef> {
        if self.rules(file).resolves_by_conversion() {
            return self.resolve_overloads(file, defs, subst, args);
        }
        self.fitting(file, defs, args)
    }

    /// The overloads that take so many arguments.
    fn fitting(&self, file: FileNo, defs: &[DefRef], args: ListId) -> Vec<DefRef> {
        if defs.len() < 2 {
            return defs.to_vec();
        }
        let given = self.each(file, args, |at| at);
        let fitting: Vec<DefRef> = defs
            .iter()
            .copied()
            .filter(|def| self.accepts_arity(*def, &given))
            .collect();
        if fitting.is_empty() {
            defs.to_vec()
        } else {
            fitting
        }
    }

    /// What a function gets as a parameter.
    pub(crate) fn contextual_param(&self, file: FileNo, function: &Typed, index: u32) -> Typed {
        match &function.ty {
            Ty::Function(defs, subst) => {
                let Some(def) = defs.first() else {
                    return Typed::unknown();
                };
                let Some(bound) = self.file(def.file) else {
                    return Typed::unknown();
                };
                let params: Vec<u32> = bound
                    .params(def.def)
                    .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
                    .collect();
                let last = params
                    .last()
                    .copied()
                    .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
                let Some(param) = params.get(index as usize).copied().or(last) else {
                    return Typed::unknown();
                };
                let declared = bound.def(param).ty;
                if declared == NONE {
                    return Typed::unknown();
                }
                let typed = self.lower_type(ExprRef {
                    file: def.file,
                    expr: declared,
                });
                Typed {
                    ty: typed.ty.with(subst),
                    is_declared: typed.is_declared && function.is_declared,
                }
            }
            Ty::Union(parts) => {
                let types = parts
                    .iter()
                    .map(|part| self.contextual_param(file, &Typed::inferred(part.clone()), index));
                union(types.collect())
            }
            ty => match self.rules(file).functional_param(self, file, ty, index) {
                Some(ty) => Typed {
                    ty,
                    is_declared: function.is_declared,
                },
                None => self.contextual_param_of_bound(file, function, index),
            },
        }
    }

    /// What a function gets whose type is a parameter: what its bound says.
    fn contextual_param_of_bound(&self, file: FileNo, function: &Typed, index: u32) -> Typed {
        let Ty::Param(param) = function.ty else {
            return Typed::unknown();
        };
        let bound = self.bound_of(param).map(Typed::inferred);
        let given =
            bound.and_then(|bound| self.with_depth(|| self.contextual_param(file, &bound, index)));
        given.unwrap_or_else(Typed::unknown)
    }

    /// The parameter that a named argument names.
    pub(crate) fn named_parameter(&self, file: FileNo, call: u32, name: Name) -> LookupResult {
        let (callee, is_new, args) = match self.expr(ExprRef { file, expr: call }) {
            Expr::Call { of, args } => (of, false, args),
            Expr::New { of, args } => (of, true, args),
            _ => return LookupResult::nothing(),
        };
        let at = ExprRef { file, expr: callee };
        let function = if is_new {
            match self.lower_type(at).ty {
                Ty::Instance(def, args) => Ty::Type(def, args),
                ty => ty,
            }
        } else {
            self.type_of(at).ty
        };
        let mut found = Vec::new();
        let mut external = function.is_external();
        for part in match &function {
            Ty::Union(parts) => parts.to_vec(),
            ty => vec![ty.clone()],
        } {
            let defs = match &part {
                Ty::Function(defs, subst) => self.of_call(file, defs, subst, args),
                Ty::Type(def, _) => {
                    let field = self.rules(file).named_field(self, *def, name);
                    if let Some(field) = field {
                        found.push(field);
                        continue;
                    }
                    let constructors = self.constructors(*def);
                    external |= constructors.is_empty();
                    self.of_call(file, &constructors, &no_substitution(), args)
                }
                _ => continue,
            };
            for def in defs {
                let Some(bound) = self.file(def.file) else {
                    continue;
                };
                let params = bound.params(def.def);
                let named = params.filter(|param| bound.name(bound.def(*param).name) == name);
                found.extend(named.map(|param| DefRef {
                    file: def.file,
                    def: param,
                }));
            }
        }
        if found.is_empty() && external {
            return LookupResult::external();
        }
        LookupResult::defs(found)
    }
}
