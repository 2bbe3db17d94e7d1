//! Calls: which overload, what it gives, what it expects, what its type parameters stand for.

use codecortex_bind::facts::{DefKind, Expr, ListId, NONE, flag, space};

use crate::containers;
use crate::infer::union;
use crate::query::{Found, Query};
use crate::ty::{Env, Ty, Typed, no_env};
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

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
        let result = self.result_of(file, &function.ty, args);
        result.and(function.sure)
    }

    /// What the receiver of a member that it has not itself is to the tables.
    fn container_for(&self, file: FileNo, member: ExprRef, receiver: &Ty) -> Option<Ty> {
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
        let is_one = chosen.len() == 1;
        let results = chosen.iter().take(4).map(|def| {
            let result = self.declared_result(*def);
            let more = self.inferred(file, *def, env, args, true);
            Typed {
                ty: result.ty.with(env).with(&more),
                sure: result.sure && is_one,
            }
        });
        union(results.collect())
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
            Ty::Instance(def, given) => {
                let made = self.constructed(file, *def, given, args);
                made.and(denoted.sure)
            }
            Ty::Unknown => {
                // A class as a value: `new this.type()`.
                let value = self.type_of(ExprRef { file, expr: of });
                self.result_of(file, &value.ty, args).and(false)
            }
            _ => denoted,
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

    /// The overloads that fit a call, the best ones only.
    pub(crate) fn choose(
        &self,
        file: FileNo,
        defs: &[DefRef],
        env: &Env,
        args: ListId,
    ) -> Vec<DefRef> {
        if defs.len() < 2 {
            return defs.to_vec();
        }
        let given = self.each(file, args, |at| at);
        let fitting: Vec<DefRef> = defs
            .iter()
            .copied()
            .filter(|def| self.fits(*def, &given))
            .collect();
        let fitting = if fitting.is_empty() {
            defs.to_vec()
        } else {
            fitting
        };
        if fitting.len() == 1 {
            return fitting;
        }
        if self.policy(file).chooses_by_types() {
            return self.choose_by_types(file, &fitting, env, args);
        }
        let scored: Vec<(i32, DefRef)> = fitting
            .into_iter()
            .map(|def| (self.score(def, env, &given), def))
            .collect();
        let best = scored.iter().map(|(score, _)| *score).max().unwrap_or(0);
        let best = scored.into_iter().filter(|(score, _)| *score == best);
        let best: Vec<DefRef> = best.map(|(_, def)| def).collect();
        if !self.policy(file).overloads_are_separate() {
            return best;
        }
        // A prototype and what it declares are one.
        let mut kept: Vec<DefRef> = Vec::new();
        for def in best {
            if !kept.iter().any(|other| self.is_same_symbol(*other, def)) {
                kept.push(def);
            }
        }
        kept
    }

    /// Whether a function takes so many arguments with these names.
    fn fits(&self, def: DefRef, given: &[ExprRef]) -> bool {
        let Some(bound) = self.file(def.file) else {
            return false;
        };
        let (mut least, mut most) = (0, 0);
        let mut names = Vec::new();
        for param in bound.params(def.def) {
            let param = bound.def(param);
            if param.flags & flag::RECEIVER != 0 {
                continue;
            }
            if param.flags & (flag::VARIADIC | flag::KEYWORDS) != 0 {
                most = usize::MAX;
                continue;
            }
            names.push(bound.sym(param.name));
            most = usize::saturating_add(most, 1);
            if param.flags & flag::OPTIONAL == 0 {
                least += 1;
            }
        }
        let is_extension = bound.def(def.def).flags & flag::EXTENSION != 0;
        let shift = usize::from(is_extension);
        let count = given.len();
        // An extension method may be called as what it is, too.
        let fits = count <= most && count + shift >= least;
        fits && given.iter().all(|at| match self.expr(*at) {
            Expr::Keyword { name, .. } => {
                let name = self.file(at.file).map(|bound| bound.sym(name));
                most == usize::MAX || name.is_some_and(|name| names.contains(&name))
            }
            _ => true,
        })
    }

    /// How well the types of arguments fit.
    fn score(&self, def: DefRef, env: &Env, given: &[ExprRef]) -> i32 {
        let Some(bound) = self.file(def.file) else {
            return 0;
        };
        let mut params: Vec<u32> = bound
            .params(def.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
            .collect();
        if bound.def(def.def).flags & flag::EXTENSION != 0 && params.len() > given.len() {
            params.remove(0);
        }
        let mut score = 0;
        let mut is_variadic = false;
        for (index, at) in given.iter().enumerate() {
            let Some(param) = params.get(index).or(params.last()) else {
                break;
            };
            is_variadic |= bound.def(*param).flags & flag::VARIADIC != 0;
            let declared = bound.def(*param).ty;
            if declared == NONE {
                continue;
            }
            let expected = self.denotes(ExprRef {
                file: def.file,
                expr: declared,
            });
            let mut expected = expected.ty.with(env);
            let actual = self.type_of(*at);
            let is_whole = bound.def(*param).flags & flag::VARIADIC != 0
                && matches!(actual.ty, Ty::Array(_))
                && given.len() == params.len();
            if is_whole {
                expected = Ty::array(expected);
            }
            let known = self.policy(def.file).closeness(self, &expected, &actual.ty);
            score += known.unwrap_or_else(|| self.closeness(&expected, &actual.ty));
        }
        if is_variadic {
            score -= 1;
        }
        score
    }

    fn closeness(&self, expected: &Ty, actual: &Ty) -> i32 {
        if expected.is_unknown() || actual.is_unknown() {
            return 0;
        }
        match (expected, actual) {
            (Ty::Instance(a, _), Ty::Instance(b, _)) if a == b => 6,
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) if a == b => 6,
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => self.outside_closeness(*a, *b),
            (Ty::Param(_), _) => 1,
            (Ty::Function(a, _), Ty::Function(b, _)) => {
                let count = |defs: &[DefRef]| {
                    let def = defs.first()?;
                    Some(self.file(def.file)?.params(def.def).count())
                };
                if count(a) == count(b) { 3 } else { -2 }
            }
            (Ty::Array(a), Ty::Array(b)) => 2 + self.closeness(a, b).min(3),
            (Ty::Union(parts), _) => {
                let best = parts.iter().map(|part| self.closeness(part, actual)).max();
                best.unwrap_or(0).min(5)
            }
            (_, Ty::Union(parts)) => {
                let best = parts
                    .iter()
                    .map(|part| self.closeness(expected, part))
                    .min();
                best.unwrap_or(0)
            }
            _ if self.accepts(expected, actual) => 3,
            _ => -4,
        }
    }

    /// How well one type from outside goes for another, by their names.
    fn outside_closeness(&self, expected: Sym, actual: Sym) -> i32 {
        let text = |sym| self.workspace.text(sym);
        match (text(expected), text(actual)) {
            ("Object" | "object" | "any" | "unknown" | "CharSequence" | "Iterable", _) => 2,
            (
                "long" | "float" | "double" | "number" | "f64" | "Number",
                "int" | "Integer" | "long",
            ) => 3,
            (expected, actual) if expected.ends_with("stream") && actual.ends_with("stream") => 3,
            _ => -3,
        }
    }

    /// Whether a value of one type may be given where another is expected.
    pub(crate) fn accepts(&self, expected: &Ty, actual: &Ty) -> bool {
        match (expected, actual) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => false,
            (Ty::Param(param), _) => {
                let bound = self.def(*param).map_or(NONE, |def| def.ty);
                bound == NONE
                    || self.accepts(
                        &self
                            .denotes(ExprRef {
                                file: param.file,
                                expr: bound,
                            })
                            .ty,
                        actual,
                    )
            }
            (Ty::Instance(a, _), Ty::Instance(b, _)) => self.is_subtype(*b, *a),
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                a == b || self.policy_accepts(*a, *b)
            }
            (Ty::External(Some(a), _), Ty::Array(_)) => {
                containers::is_sequence(self.workspace.text(*a))
            }
            (Ty::External(Some(a), _), Ty::Instance(b, _)) => self.has_outside_base(*b, *a),
            (Ty::External(None, _), _) => false,
            (Ty::Array(a), Ty::Array(b)) => {
                **a == Ty::Unknown || **b == Ty::Unknown || self.accepts(a, b)
            }
            (Ty::Function(..), Ty::Function(..)) => true,
            (Ty::Pointer(a), Ty::Pointer(b)) => self.accepts(a, b),
            (Ty::Pointer(a), b) | (b, Ty::Pointer(a)) => self.accepts(a, b),
            (Ty::Union(parts), _) => parts.iter().any(|part| self.accepts(part, actual)),
            _ => false,
        }
    }

    fn policy_accepts(&self, expected: Sym, actual: Sym) -> bool {
        let text = |sym| self.workspace.text(sym);
        matches!(text(expected), "Object" | "object")
            || (containers::is_sequence(text(expected)) && containers::is_sequence(text(actual)))
    }

    /// Whether a type is another or derives from it.
    pub(crate) fn is_subtype(&self, of: DefRef, base: DefRef) -> bool {
        let target = self.parts(base);
        let mut open = vec![of];
        let mut seen = Vec::new();
        while let Some(def) = open.pop() {
            if target.types.contains(&def) {
                return true;
            }
            if seen.contains(&def) || seen.len() > 256 {
                continue;
            }
            seen.push(def);
            for (ty, _) in self.bases(&self.parts(def), &no_env()) {
                if let Ty::Instance(def, _) | Ty::Type(def, _) = ty {
                    open.push(def);
                }
            }
        }
        false
    }

    fn has_outside_base(&self, of: DefRef, base: Sym) -> bool {
        let mut open = vec![of];
        let mut seen = Vec::new();
        while let Some(def) = open.pop() {
            if seen.contains(&def) || seen.len() > 256 {
                continue;
            }
            seen.push(def);
            for (ty, _) in self.bases(&self.parts(def), &no_env()) {
                match ty {
                    Ty::External(Some(name), _) if name == base => return true,
                    Ty::Instance(def, _) => open.push(def),
                    _ => {}
                }
            }
        }
        false
    }

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

    fn inferred_for(
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

    /// What a call expects as an argument.
    pub(crate) fn expected(&self, file: FileNo, call: u32, index: u32) -> Typed {
        let (of, args, is_new) = match self.expr(ExprRef { file, expr: call }) {
            Expr::Call { of, args } => (of, args, false),
            Expr::New { of, args } => (of, args, true),
            _ => return Typed::unknown(),
        };
        let callee = ExprRef { file, expr: of };
        if let Expr::Member { of, name, .. } = self.expr(callee) {
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
            if let Some(container) = self.container_for(file, callee, &receiver.ty)
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
        let function = if is_new {
            match self.denotes(callee).ty {
                Ty::Instance(def, args) => Ty::Type(def, args),
                ty => ty,
            }
        } else {
            self.type_of(callee).ty
        };
        self.expected_by(file, &function, args, index)
    }

    fn expected_by(&self, file: FileNo, function: &Ty, args: ListId, index: u32) -> Typed {
        let (defs, env) = match function {
            Ty::Function(defs, env) => (defs.to_vec(), env.clone()),
            Ty::Type(def, given) => (self.constructors(*def), self.env_of(*def, given)),
            Ty::Union(parts) => {
                let types = parts
                    .iter()
                    .map(|part| self.expected_by(file, part, args, index));
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
            let more = self.inferred(file, def, &env, args, false);
            Some(Typed {
                ty: declared.ty.with(&env).with(&more),
                sure: declared.sure && is_one,
            })
        });
        union(types.collect())
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
                None => Typed::unknown(),
            },
        }
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
