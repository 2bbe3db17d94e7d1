//! What a call gives: results of functions, instances of constructed types, type arguments applied.

use codecortex_bind::facts::{DefKind, Expr, ListId, NONE, flag, space};

use crate::infer::union;
use crate::library_types;
use crate::resolver::{LookupResult, Resolver};
use crate::ty::{Substitution, Ty, Typed, no_substitution};
use crate::workspace::{DefRef, ExprRef, FileNo};

impl Resolver<'_> {
    pub(crate) fn type_of_call(&self, at: ExprRef, of: u32, args: ListId) -> Typed {
        let file = at.file;
        let callee = ExprRef { file, expr: of };
        if let Some(typed) = self.rules(file).type_of_call(self, at, callee, args) {
            return typed;
        }
        // What containers give depends on the receiver.
        let plain = match self.expr(callee) {
            Expr::Apply { of, .. } => ExprRef { file, expr: of },
            _ => callee,
        };
        if let Expr::Member { of, name, .. } = self.expr(plain) {
            let receiver = self.type_of(ExprRef { file, expr: of });
            let member = self.file(file).map(|bound| bound.name(name));
            let member = member.map_or("", |name| self.workspace.text(name));
            if let Some(ty) = library_types::call(self, file, &receiver.ty, member, args) {
                return Typed::inferred(ty);
            }
            if let Some(container) = self.library_type_for(file, plain, &receiver.ty)
                && let Some(ty) = library_types::call(self, file, &container, member, args)
            {
                return Typed::inferred(ty);
            }
        }
        let function = self.type_of(callee);
        let called = self.called_on(plain, function.ty, args);
        let result = self.result_of(file, &called, args);
        result.and(function.is_declared)
    }

    /// Of several functions those that can be called on the receiver that is written.
    fn called_on(&self, at: ExprRef, function: Ty, args: ListId) -> Ty {
        let rules = self.rules(at.file);
        match function {
            Ty::Function(defs, subst) if defs.len() > 1 && rules.resolves_by_receiver() => {
                let chosen = self.resolve_overloads(at.file, &defs, &subst, args);
                Ty::Function(rules.by_receiver(self, at, chosen).into(), subst)
            }
            function => function,
        }
    }

    /// What the receiver of a member that it has not itself is to the tables.
    pub(crate) fn library_type_for(
        &self,
        file: FileNo,
        member: ExprRef,
        receiver: &Ty,
    ) -> Option<Ty> {
        let container = self.rules(file).as_library_type(self, file, receiver)?;
        self.find(member).is_empty().then_some(container)
    }

    /// What calling something gives.
    pub(crate) fn result_of(&self, file: FileNo, function: &Ty, args: ListId) -> Typed {
        match function {
            Ty::Function(defs, subst) => self.result_of_functions(file, defs, subst, args),
            Ty::Type(def, given) => self.constructed(file, *def, given, args),
            Ty::ExternalType(name, given) => Typed::declared(Ty::External(*name, given.clone())),
            Ty::External(..) => {
                let result = self.rules(file).functional_result(self, function);
                Typed::declared(result.unwrap_or_else(Ty::external))
            }
            Ty::Instance(..) | Ty::Object(..) => {
                let name = self.rules(file).call_member();
                let found = match self.workspace.name(name) {
                    Some(name) => self.member(function, name, space::ANY, file),
                    None => LookupResult::nothing(),
                };
                if found.defs.is_empty() {
                    return self
                        .rules(file)
                        .call_of_instance(self, file, function, args);
                }
                self.result_of_functions(file, &found.defs, &found.subst, args)
            }
            Ty::Union(parts) => {
                let results = parts.iter().map(|part| self.result_of(file, part, args));
                union(results.collect())
            }
            Ty::Pointer(of) => self.result_of(file, of, args),
            _ => Typed::unknown(),
        }
    }

    fn result_of_functions(
        &self,
        file: FileNo,
        defs: &[DefRef],
        subst: &Substitution,
        args: ListId,
    ) -> Typed {
        let chosen = self.resolve_overloads(file, defs, subst, args);
        let results = chosen.iter().take(4).map(|def| {
            let result = self.declared_result(*def);
            let more = self.type_args_of_call(file, *def, subst, args, true);
            Typed {
                ty: result.ty.with(subst).with(&more),
                is_declared: result.is_declared,
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
        if let Some(typed) = self.rules(at.file).result(self, at, def) {
            return typed;
        }
        let file = at.file;
        if def.kind == DefKind::Constructor {
            return self.this(file, def.scope);
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

    pub(crate) fn type_of_new(&self, file: FileNo, of: u32, args: ListId) -> Typed {
        let lowered = self.lower_type(ExprRef { file, expr: of });
        match &lowered.ty {
            // `new this()` in what belongs to a class makes one of it.
            Ty::Instance(def, given) | Ty::Type(def, given) => {
                let made = self.constructed(file, *def, given, args);
                made.and(lowered.is_declared)
            }
            Ty::Unknown => {
                // A class as a value: `new this.type()`.
                let value = self.type_of(ExprRef { file, expr: of });
                self.result_of(file, &value.ty, args).and(false)
            }
            outside => match self.rules(file).made_outside(self, file, outside, args) {
                Some(ty) => Typed::inferred(ty),
                None => lowered,
            },
        }
    }

    /// An instance, its type arguments inferred from what its constructor gets.
    fn constructed(&self, file: FileNo, of: DefRef, given: &[Ty], args: ListId) -> Typed {
        if !given.is_empty() {
            return Typed::declared(Ty::Instance(of, given.into()));
        }
        let params = self.params_of(of);
        if params.is_empty() {
            return Typed::declared(Ty::Instance(of, [].into()));
        }
        let constructors = self.constructors(of);
        let chosen = self.resolve_overloads(file, &constructors, &no_substitution(), args);
        let subst = chosen.first().map_or_else(no_substitution, |def| {
            self.type_args_for(file, *def, &no_substitution(), args, true, &params)
        });
        let args = params.iter().map(|param| {
            let known = subst.iter().find(|(known, _)| known == param);
            known.map_or(Ty::Unknown, |(_, ty)| ty.clone())
        });
        Typed::declared(Ty::Instance(of, args.collect()))
    }

    /// The constructors that a written `new A(…)` may mean, by its `A`: one where its arguments decide. Nothing
    /// where the language does not tell them from their type.
    #[must_use]
    pub fn constructed_by(&self, at: ExprRef) -> Vec<DefRef> {
        if !self.rules(at.file).uses_constructors() {
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
            _ => self.resolve_overloads(at.file, &all, &no_substitution(), args),
        }
    }

    /// What makes instances of a type.
    pub(crate) fn constructors(&self, of: DefRef) -> Vec<DefRef> {
        self.rules(of.file).constructors(self, of)
    }

    pub(crate) fn params_of(&self, of: DefRef) -> Vec<DefRef> {
        let params = self.file(of.file).map(|bound| bound.type_params(of.def));
        let params = params.unwrap_or_default().into_iter();
        params
            .map(|def| DefRef { file: of.file, def })
            .chain(self.rules(of.file).undeclared_params(self, of))
            .collect()
    }

    /// Explicit type arguments on a function or type.
    pub(crate) fn applied(&self, file: FileNo, of: Typed, args: ListId) -> Typed {
        let args = self.each(file, args, |at| self.lower_type(at).ty);
        let ty = match of.ty {
            Ty::Type(def, _) => Ty::Type(def, args.into()),
            Ty::ExternalType(name, _) => Ty::ExternalType(name, args.into()),
            Ty::Function(defs, subst) => {
                let mut more: Vec<(DefRef, Ty)> = subst.to_vec();
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
