//! What a call gives: results of functions, instances of constructed types, type arguments applied.

use codecortex_bind::facts::{DefKind, Expr, ListId, NONE, flag, space};

use crate::containers;
use crate::infer::union;
use crate::query::{Found, Query};
use crate::ty::{Env, Ty, Typed, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo};

impl Query<'_> {
    pub(crate) fn type_of_call(&self, at: ExprRef, of: u32, args: ListId) -> Typed {
        let file = at.file;
        let callee = ExprRef { file, expr: of };
        if let Some(typed) = self.policy(file).type_of_call(self, at, callee, args) {
            return typed;
        }
        // What containers give depends on the receiver.
        let plain = match self.expr(callee) {
            Expr::Apply { of, .. } => ExprRef { file, expr: of },
            _ => callee,
        };
        if let Expr::Member { of, name, .. } = self.expr(plain) {
            let receiver = self.type_of(ExprRef { file, expr: of });
            let member = self.file(file).map(|bound| bound.sym(name));
            let member = member.map_or("", |name| self.workspace.text(name));
            if let Some(ty) = containers::call(self, file, &receiver.ty, member, args) {
                return Typed::guess(ty);
            }
            if let Some(container) = self.container_for(file, plain, &receiver.ty)
                && let Some(ty) = containers::call(self, file, &container, member, args)
            {
                return Typed::guess(ty);
            }
        }
        let function = self.type_of(callee);
        let called = self.called_on(plain, function.ty, args);
        let result = self.result_of(file, &called, args);
        result.and(function.sure)
    }

    /// Of several functions those that can be called on the receiver that is written.
    fn called_on(&self, at: ExprRef, function: Ty, args: ListId) -> Ty {
        let policy = self.policy(at.file);
        match function {
            Ty::Function(defs, env) if defs.len() > 1 && policy.chooses_by_receiver() => {
                let chosen = self.choose(at.file, &defs, &env, args);
                Ty::Function(policy.of_receiver(self, at, chosen).into(), env)
            }
            function => function,
        }
    }

    /// What the receiver of a member that it has not itself is to the tables.
    pub(crate) fn container_for(&self, file: FileNo, member: ExprRef, receiver: &Ty) -> Option<Ty> {
        let container = self.policy(file).as_container(self, file, receiver)?;
        self.find(member).is_empty().then_some(container)
    }

    /// What calling something gives.
    pub(crate) fn result_of(&self, file: FileNo, function: &Ty, args: ListId) -> Typed {
        match function {
            Ty::Function(defs, env) => self.result_of_functions(file, defs, env, args),
            Ty::Type(def, given) => self.constructed(file, *def, given, args),
            Ty::ExternalType(name, given) => Typed::sure(Ty::External(*name, given.clone())),
            Ty::External(..) => {
                let result = self.policy(file).functional_result(self, function);
                Typed::sure(result.unwrap_or_else(Ty::external))
            }
            Ty::Instance(..) | Ty::Object(..) => {
                let name = self.policy(file).call_member();
                let found = match self.workspace.sym(name) {
                    Some(name) => self.member(function, name, space::ANY, file),
                    None => Found::nothing(),
                };
                if found.defs.is_empty() {
                    return self
                        .policy(file)
                        .call_of_instance(self, file, function, args);
                }
                self.result_of_functions(file, &found.defs, &found.env, args)
            }
            Ty::Union(parts) => {
                let results = parts.iter().map(|part| self.result_of(file, part, args));
                union(results.collect())
            }
            Ty::Pointer(of) => self.result_of(file, of, args),
            _ => Typed::unknown(),
        }
    }

    fn result_of_functions(&self, file: FileNo, defs: &[DefRef], env: &Env, args: ListId) -> Typed {
        let chosen = self.choose(file, defs, env, args);
        let results = chosen.iter().take(4).map(|def| {
            let result = self.declared_result(*def);
            let more = self.inferred(file, *def, env, args, true);
            Typed {
                ty: result.ty.with(env).with(&more),
                sure: result.sure,
            }
        });
        let results: Vec<Typed> = results.collect();
        // Whichever is meant, where all give the same.
        let is_one = chosen.len() <= results.len()
            && results.windows(2).all(|pair| pair[0].ty == pair[1].ty);
        union(results).and(is_one)
    }

    /// What a function gives by its declaration, else by what it returns.
    pub(crate) fn declared_result(&self, at: DefRef) -> Typed {
        let Some(def) = self.def(at) else {
            return Typed::unknown();
        };
        if let Some(typed) = self.policy(at.file).result(self, at, def) {
            return typed;
        }
        let file = at.file;
        if def.kind == DefKind::Constructor {
            return self.this(file, def.scope);
        }
        if def.ty != NONE {
            return self.denotes(ExprRef { file, expr: def.ty });
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
        Typed::guess(ty)
    }

    pub(crate) fn type_of_new(&self, file: FileNo, of: u32, args: ListId) -> Typed {
        let denoted = self.denotes(ExprRef { file, expr: of });
        match &denoted.ty {
            // `new this()` in what belongs to a class makes one of it.
            Ty::Instance(def, given) | Ty::Type(def, given) => {
                let made = self.constructed(file, *def, given, args);
                made.and(denoted.sure)
            }
            Ty::Unknown => {
                // A class as a value: `new this.type()`.
                let value = self.type_of(ExprRef { file, expr: of });
                self.result_of(file, &value.ty, args).and(false)
            }
            outside => match self.policy(file).made_outside(self, file, outside, args) {
                Some(ty) => Typed::guess(ty),
                None => denoted,
            },
        }
    }

    /// An instance, its type arguments inferred from what its constructor gets.
    fn constructed(&self, file: FileNo, of: DefRef, given: &[Ty], args: ListId) -> Typed {
        if !given.is_empty() {
            return Typed::sure(Ty::Instance(of, given.into()));
        }
        let params = self.params_of(of);
        if params.is_empty() {
            return Typed::sure(Ty::Instance(of, [].into()));
        }
        let constructors = self.constructors(of);
        let chosen = self.choose(file, &constructors, &no_env(), args);
        let env = chosen.first().map_or_else(no_env, |def| {
            self.inferred_for(file, *def, &no_env(), args, true, &params)
        });
        let args = params.iter().map(|param| {
            let known = env.iter().find(|(known, _)| known == param);
            known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
        });
        Typed::sure(Ty::Instance(of, args.collect()))
    }

    /// The constructors that a written `new A(…)` may mean, by its `A`: one where its arguments decide. Nothing
    /// where the language does not tell them from their type.
    #[must_use]
    pub fn constructed_by(&self, at: ExprRef) -> Vec<DefRef> {
        if !self.policy(at.file).uses_constructors() {
            return Vec::new();
        }
        let Some(call) = self.call_of(at) else {
            return Vec::new();
        };
        let Expr::New { args, .. } = self.expr(call) else {
            return Vec::new();
        };
        let target = self.target(at);
        let types = target.defs.into_iter().filter(|def| self.is_type(*def));
        let all: Vec<DefRef> = types.flat_map(|def| self.constructors(def)).collect();
        match all.len() {
            0 | 1 => all,
            _ => self.choose(at.file, &all, &no_env(), args),
        }
    }

    /// What makes instances of a type.
    pub(crate) fn constructors(&self, of: DefRef) -> Vec<DefRef> {
        self.policy(of.file).constructors(self, of)
    }

    pub(crate) fn params_of(&self, of: DefRef) -> Vec<DefRef> {
        let params = self.file(of.file).map(|bound| bound.type_params(of.def));
        let params = params.unwrap_or_default().into_iter();
        params
            .map(|def| DefRef { file: of.file, def })
            .chain(self.policy(of.file).undeclared_params(self, of))
            .collect()
    }

    /// Explicit type arguments on a function or type.
    pub(crate) fn applied(&self, file: FileNo, of: Typed, args: ListId) -> Typed {
        let args = self.each(file, args, |at| self.denotes(at).ty);
        let ty = match of.ty {
            Ty::Type(def, _) => Ty::Type(def, args.into()),
            Ty::ExternalType(name, _) => Ty::ExternalType(name, args.into()),
            Ty::Function(defs, env) => {
                let mut more: Vec<(DefRef, Ty)> = env.to_vec();
                for def in defs.iter() {
                    more.extend(self.params_of(*def).into_iter().zip(args.iter().cloned()));
                }
                Ty::Function(defs, more.into())
            }
            ty => ty,
        };
        Typed { ty, ..of }
    }
}
