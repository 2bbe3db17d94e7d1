//! What a call expects at a place: of an argument, of a lambda's parameters, by a parameter's name.

use codecortex_bind::facts::{Expr, ListId, NONE, flag};

use crate::containers;
use crate::infer::union;
use crate::query::{Found, Query};
use crate::ty::{Env, Ty, Typed, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

impl Query<'_> {
    /// What a call expects as an argument.
    pub(crate) fn expected(&self, file: FileNo, call: u32, index: u32) -> Typed {
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
            let member = self.file(file).map(|bound| bound.sym(name));
            let member = member.map_or("", |name| self.workspace.text(name));
            let known = containers::expected(self, file, &receiver.ty, member, index);
            let known = known.or_else(|| {
                self.policy(file)
                    .expected_argument(self, &receiver.ty, member, index)
            });
            if let Some(ty) = known {
                return Typed::guess(ty);
            }
            if let Some(container) = self.container_for(file, plain, &receiver.ty)
                && let Some(ty) = containers::expected(self, file, &container, member, index)
            {
                return Typed::guess(ty);
            }
        }
        if let Some(ty) = self
            .policy(file)
            .expected_by_call(self, callee, args, index)
        {
            return Typed::guess(ty);
        }
        let made = |ty: Ty| match ty {
            Ty::Instance(def, args) => Ty::Type(def, args),
            ty => ty,
        };
        let function = match self.expr(callee) {
            _ if is_new => made(self.denotes(callee).ty),
            // Another constructor: `base(…)`, `super(…)`.
            Expr::Super { .. } | Expr::This { .. } => made(self.type_of(callee).ty),
            _ => self.type_of(callee).ty,
        };
        self.expected_by(ExprRef { file, expr: call }, &function, args, index)
    }

    fn expected_by(&self, call: ExprRef, function: &Ty, args: ListId, index: u32) -> Typed {
        let file = call.file;
        let (defs, env) = match function {
            Ty::Function(defs, env) => (defs.to_vec(), env.clone()),
            Ty::Type(def, given) => (self.constructors(*def), self.env_of(*def, given)),
            Ty::Union(parts) => {
                let types = parts
                    .iter()
                    .map(|part| self.expected_by(call, part, args, index));
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
                Expr::Keyword { name, .. } => Some(self.file(file)?.sym(name)),
                _ => None,
            });
            let param = match name {
                Some(name) => params.find(|param| bound.sym(bound.def(*param).name) == name)?,
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
            let declared = self.denotes(ExprRef {
                file: def.file,
                expr: bound.def(param).ty,
            });
            let mut more = self.inferred(file, def, &env, args, false);
            if let (Ty::Param(param), Some(at)) = (&declared.ty, at) {
                more = self.without_own(at, *param, more);
            }
            let more = self.with_wanted_result(call, def, &env, more);
            let ty = declared.ty.with(&env).with(&more);
            let function = self.policy(def.file).bounding_function(self, &ty);
            Some(Typed {
                ty: function.map_or(ty, |function| function.with(&env).with(&more)),
                sure: declared.sure && is_one,
            })
        });
        union(types.collect())
    }

    /// What an object literal or function is says nothing about what is expected of itself.
    fn without_own(&self, at: ExprRef, param: DefRef, known: Env) -> Env {
        if !matches!(self.expr(at), Expr::Object { .. } | Expr::Function { .. }) {
            return known;
        }
        let own = self.type_of(at).ty;
        let kept = known.iter().filter(|(of, ty)| *of != param || *ty != own);
        kept.cloned().collect()
    }

    /// What a function's type parameters stand for, those that no argument tells by what its result is wanted for:
    /// `const a: A<B> = make(b => …)`.
    fn with_wanted_result(&self, call: ExprRef, def: DefRef, env: &Env, known: Env) -> Env {
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
        let wanted = self.denotes(ExprRef { expr, ..call }).ty;
        let gives = self.declared_result(def).ty.with(env);
        let mut known = known.to_vec();
        self.unify(&gives, &wanted, &params, &mut known, 6);
        known.into()
    }

    /// The overloads that a call may mean: the best ones where types tell them apart.
    fn of_call(&self, file: FileNo, defs: &[DefRef], env: &Env, args: ListId) -> Vec<DefRef> {
        if self.policy(file).chooses_by_types() {
            return self.choose(file, defs, env, args);
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
            .filter(|def| self.fits(*def, &given))
            .collect();
        if fitting.is_empty() {
            defs.to_vec()
        } else {
            fitting
        }
    }

    /// What a function gets as a parameter.
    pub(crate) fn given(&self, file: FileNo, function: &Typed, index: u32) -> Typed {
        match &function.ty {
            Ty::Function(defs, env) => {
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
                let typed = self.denotes(ExprRef {
                    file: def.file,
                    expr: declared,
                });
                Typed {
                    ty: typed.ty.with(env),
                    sure: typed.sure && function.sure,
                }
            }
            Ty::Union(parts) => {
                let types = parts
                    .iter()
                    .map(|part| self.given(file, &Typed::guess(part.clone()), index));
                union(types.collect())
            }
            ty => match self.policy(file).functional_param(self, file, ty, index) {
                Some(ty) => Typed {
                    ty,
                    sure: function.sure,
                },
                None => self.given_by_bound(file, function, index),
            },
        }
    }

    /// What a function gets whose type is a parameter: what its bound says.
    fn given_by_bound(&self, file: FileNo, function: &Typed, index: u32) -> Typed {
        let Ty::Param(param) = function.ty else {
            return Typed::unknown();
        };
        let bound = self.bound_of(param).map(Typed::guess);
        let given = bound.and_then(|bound| self.deeper(|| self.given(file, &bound, index)));
        given.unwrap_or_else(Typed::unknown)
    }

    /// The parameter that a named argument names.
    pub(crate) fn named_parameter(&self, file: FileNo, call: u32, name: Sym) -> Found {
        let (callee, is_new, args) = match self.expr(ExprRef { file, expr: call }) {
            Expr::Call { of, args } => (of, false, args),
            Expr::New { of, args } => (of, true, args),
            _ => return Found::nothing(),
        };
        let at = ExprRef { file, expr: callee };
        let function = if is_new {
            match self.denotes(at).ty {
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
                Ty::Function(defs, env) => self.of_call(file, defs, env, args),
                Ty::Type(def, _) => {
                    let field = self.policy(file).named_field(self, *def, name);
                    if let Some(field) = field {
                        found.push(field);
                        continue;
                    }
                    let constructors = self.constructors(*def);
                    external |= constructors.is_empty();
                    self.of_call(file, &constructors, &no_env(), args)
                }
                _ => continue,
            };
            for def in defs {
                let Some(bound) = self.file(def.file) else {
                    continue;
                };
                let params = bound.params(def.def);
                let named = params.filter(|param| bound.sym(bound.def(*param).name) == name);
                found.extend(named.map(|param| DefRef {
                    file: def.file,
                    def: param,
                }));
            }
        }
        if found.is_empty() && external {
            return Found::external();
        }
        Found::defs(found)
    }
}
