//! What type parameters stand for: what is expected beside what is given.

use codecortex_bind::facts::{Expr, ListId, NONE, flag, space};

use crate::containers;
use crate::query::Query;
use crate::ty::{Env, Ty, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo};

impl Query<'_> {
    /// What a function's type parameters stand for in a call. Lambdas are looked into only if asked: what
    /// they get depends on what the others give.
    pub(crate) fn inferred(
        &self,
        file: FileNo,
        def: DefRef,
        env: &Env,
        args: ListId,
        lambdas: bool,
    ) -> Env {
        let params = self.params_of(def);
        if params.is_empty() {
            return no_env();
        }
        self.inferred_for(file, def, env, args, lambdas, &params)
    }

    pub(crate) fn inferred_for(
        &self,
        file: FileNo,
        def: DefRef,
        env: &Env,
        args: ListId,
        lambdas: bool,
        wanted: &[DefRef],
    ) -> Env {
        let Some(bound) = self.file(def.file) else {
            return no_env();
        };
        let mut known: Vec<(DefRef, Ty)> = env
            .iter()
            .filter(|(param, _)| wanted.contains(param))
            .cloned()
            .collect();
        let mut params: Vec<u32> = bound
            .params(def.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
            .collect();
        let given = self.each(file, args, |at| at);
        if bound.def(def.def).flags & flag::EXTENSION != 0 && params.len() > given.len() {
            params.remove(0);
        }
        for (index, at) in given.iter().enumerate() {
            let Some(param) = params.get(index).or(params.last()) else {
                break;
            };
            let declared = bound.def(*param).ty;
            let is_lambda = matches!(self.expr(*at), Expr::Function { .. });
            if declared == NONE || (is_lambda && !lambdas) {
                continue;
            }
            let pattern = self.denotes(ExprRef {
                file: def.file,
                expr: declared,
            });
            let actual = self.type_of(*at);
            self.unify(&pattern.ty.with(env), &actual.ty, wanted, &mut known, 6);
        }
        known.into()
    }

    /// Finds what parameters in a pattern stand for.
    pub(crate) fn unify(
        &self,
        pattern: &Ty,
        actual: &Ty,
        wanted: &[DefRef],
        known: &mut Vec<(DefRef, Ty)>,
        depth: u32,
    ) {
        if depth == 0 || actual.is_unknown() {
            return;
        }
        match (pattern, actual) {
            (Ty::Param(param), _) => {
                let is_open =
                    wanted.contains(param) && !known.iter().any(|(known, _)| known == param);
                if is_open && actual != pattern {
                    known.push((*param, actual.clone()));
                }
            }
            (Ty::Union(parts), _) => {
                for part in parts.iter() {
                    self.unify(part, actual, wanted, known, depth - 1);
                }
            }
            (_, Ty::Union(parts)) => {
                for part in parts.iter() {
                    self.unify(pattern, part, wanted, known, depth - 1);
                }
            }
            (Ty::Pointer(a), b) => {
                let b = if let Ty::Pointer(b) = b { b } else { b };
                self.unify(a, b, wanted, known, depth - 1);
            }
            (a, Ty::Pointer(b)) => self.unify(a, b, wanted, known, depth - 1),
            (Ty::Instance(a, args), Ty::Instance(..)) => {
                if let Some(actual) = self.as_base(actual, *a) {
                    self.unify_all(args, &actual, wanted, known, depth);
                }
            }
            (Ty::External(a, pattern_args), Ty::External(b, actual_args)) if a == b => {
                self.unify_all(pattern_args, actual_args, wanted, known, depth);
            }
            (Ty::Array(a), Ty::Array(b)) => self.unify(a, b, wanted, known, depth - 1),
            (Ty::Object(file, scope, env), Ty::Instance(..) | Ty::Object(..)) => {
                if let Some(source) = self.mapped_source(*file, *scope) {
                    self.unify(&source.with(env), actual, wanted, known, depth - 1);
                }
            }
            (Ty::Array(a), Ty::Tuple(parts)) => {
                for part in parts.iter() {
                    self.unify(a, part, wanted, known, depth - 1);
                }
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => self.unify_all(a, b, wanted, known, depth),
            (Ty::Map(a), Ty::Map(b)) => {
                self.unify(&a.0, &b.0, wanted, known, depth - 1);
                self.unify(&a.1, &b.1, wanted, known, depth - 1);
            }
            (Ty::Function(a, a_env), Ty::Function(b, b_env)) => {
                let (Some(a), Some(b)) = (a.first(), b.first()) else {
                    return;
                };
                let pattern = self.declared_result(*a).ty.with(a_env);
                let actual = self.declared_result(*b).ty.with(b_env);
                self.unify(&pattern, &actual, wanted, known, depth - 1);
                self.unify_params(*a, a_env, *b, wanted, known, depth);
            }
            (_, Ty::Function(b, b_env)) => {
                let Some(b) = b.first() else { return };
                // Functional interfaces: what they give is what the lambda gives.
                if let Some(pattern) = self.policy(b.file).functional_result(self, pattern) {
                    let actual = self.declared_result(*b).ty.with(b_env);
                    self.unify(&pattern, &actual, wanted, known, depth - 1);
                }
            }
            // `new () => T`, `{ new (): T }` and interfaces with such a signature: a class as a value.
            (Ty::Function(..) | Ty::Object(..) | Ty::Instance(..), Ty::Type(def, given)) => {
                if let Some(made) = self.made_by(pattern, *def) {
                    let instance = Ty::Instance(*def, given.clone());
                    self.unify(&made, &instance, wanted, known, depth - 1);
                }
            }
            // `Type[T]`: a class as a value.
            (Ty::External(_, args), Ty::Type(def, given)) if args.len() == 1 => {
                let instance = Ty::Instance(*def, given.clone());
                self.unify(&args[0], &instance, wanted, known, depth - 1);
            }
            (Ty::External(_, args), _) if args.len() == 1 => {
                if let Some(element) = containers::unwrap(self, 0, actual, "iter") {
                    self.unify(&args[0], &element, wanted, known, depth - 1);
                }
            }
            (Ty::Array(a), _) => {
                if let Some(element) = containers::unwrap(self, 0, actual, "iter") {
                    self.unify(a, &element, wanted, known, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// What a type that a class is given for says that its instances are.
    fn made_by(&self, asked: &Ty, class: DefRef) -> Option<Ty> {
        let made = |def: DefRef, env: &Env| self.declared_result(def).ty.with(env);
        if let Ty::Function(defs, env) = asked {
            return defs.first().map(|def| made(*def, env));
        }
        let signature = self.policy(class.file).construct_member()?;
        let name = self.workspace.sym(signature)?;
        let found = self.member(asked, name, space::ANY, class.file);
        found.defs.first().map(|def| made(*def, &found.env))
    }

    fn unify_params(
        &self,
        a: DefRef,
        a_env: &Env,
        b: DefRef,
        wanted: &[DefRef],
        known: &mut Vec<(DefRef, Ty)>,
        depth: u32,
    ) {
        let (Some(a_file), Some(b_file)) = (self.file(a.file), self.file(b.file)) else {
            return;
        };
        for (a_param, b_param) in a_file.params(a.def).zip(b_file.params(b.def)) {
            // What the lambda says itself; what it is given comes from the pattern.
            let declared = b_file.def(b_param).ty;
            if declared == NONE {
                continue;
            }
            let actual = self.denotes(ExprRef {
                file: b.file,
                expr: declared,
            });
            let pattern = self.type_of_def(DefRef {
                file: a.file,
                def: a_param,
            });
            self.unify(
                &pattern.ty.with(a_env),
                &actual.ty,
                wanted,
                known,
                depth - 1,
            );
        }
    }

    fn unify_all(
        &self,
        patterns: &[Ty],
        actuals: &[Ty],
        wanted: &[DefRef],
        known: &mut Vec<(DefRef, Ty)>,
        depth: u32,
    ) {
        for (pattern, actual) in patterns.iter().zip(actuals) {
            self.unify(pattern, actual, wanted, known, depth - 1);
        }
    }

    /// The type arguments with which a type is (or derives from) a base.
    pub(crate) fn as_base(&self, ty: &Ty, base: DefRef) -> Option<Vec<Ty>> {
        let target = self.parts(base);
        let mut open = vec![ty.clone()];
        let mut steps = 0;
        while let Some(ty) = open.pop() {
            let Ty::Instance(def, args) = &ty else {
                continue;
            };
            if target.types.contains(def) {
                return Some(args.to_vec());
            }
            steps += 1;
            if steps > 64 {
                return None;
            }
            let env = self.env_of(*def, args);
            let bases = self.bases(&self.parts(*def), &env);
            open.extend(bases.into_iter().map(|(ty, _)| ty));
        }
        None
    }
}
