//! Which of several functions a call means where the types of arguments decide: those that take them with
//! the least conversion, of these the most specific ones.

use codecortex_bind::facts::{DefKind, Expr, ListId, Literal, NONE, flag};

use crate::choose::MOST_COMPARED;
use crate::query::Query;
use crate::ty::{Env, Ty};
use crate::workspace::{DefRef, ExprRef, FileNo};

/// How well a value goes for a parameter, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It is of the very type.
    Same,
    /// It is of a type that derives from it, or a number that it holds.
    Derived,
    /// It may be: too little is known.
    Maybe,
    /// A number as an object or back.
    Boxed,
    /// It cannot be given.
    No,
}

/// A function that takes so many arguments.
struct Candidate {
    def: DefRef,
    /// The types of the parameters that get the arguments.
    takes: Vec<Ty>,
    /// Whether arguments are gathered into the last parameter.
    gathers: bool,
    /// Parameters that get nothing.
    left_out: usize,
    /// The type of the receiver that an extension method is called on.
    receiver: Option<Ty>,
    /// How far the extension method is from the call.
    distance: u32,
    /// Whether nothing says what one of its type parameters stands for.
    is_open: bool,
}

impl Query<'_> {
    /// The functions that a call means, of those that take so many arguments.
    pub(crate) fn choose_by_types(
        &self,
        file: FileNo,
        defs: &[DefRef],
        env: &Env,
        args: ListId,
    ) -> Vec<DefRef> {
        let given = self.each(file, args, |at| at);
        let actual: Vec<Ty> = given.iter().map(|at| self.type_of(*at).ty).collect();
        let candidates: Vec<Candidate> = defs
            .iter()
            .map(|def| self.candidate(file, *def, env, (&given, &actual)))
            .collect();
        let mut ranked: Vec<(Rank, &Candidate)> = candidates
            .iter()
            .map(|candidate| (self.rank(candidate, &given, &actual), candidate))
            .collect();
        let Some(best) = ranked.iter().map(|(rank, _)| *rank).min() else {
            return Vec::new();
        };
        ranked.retain(|(rank, _)| *rank == best);
        let best: Vec<&Candidate> = ranked.into_iter().map(|(_, candidate)| candidate).collect();
        self.most_specific(&best, &given)
    }

    /// Whether a call of `at` can mean a function at all: it takes so many arguments, and none that it cannot
    /// take.
    pub(crate) fn can_take(&self, def: DefRef, env: &Env, at: ExprRef, args: ListId) -> bool {
        let file = at.file;
        let given = self.each(file, args, |at| at);
        let written = self.applied_to(match self.expr(at) {
            Expr::Apply { of, .. } => ExprRef { file, expr: of },
            _ => at,
        });
        let has_other_params = written.is_some_and(|count| count != self.params_of(def).len());
        if has_other_params || !self.fits(def, &given) {
            return false;
        }
        let actual: Vec<Ty> = given.iter().map(|at| self.type_of(*at).ty).collect();
        let mut candidate = self.candidate(file, def, env, (&given, &actual));
        candidate.is_open &= written.is_none();
        self.rank(&candidate, &given, &actual).misfits == 0
    }

    /// What a function is to a call in a file, with the arguments that are given and their types.
    fn candidate(
        &self,
        from: FileNo,
        def: DefRef,
        env: &Env,
        (given, actual): (&[ExprRef], &[Ty]),
    ) -> Candidate {
        let mut candidate = Candidate {
            def,
            takes: Vec::with_capacity(given.len()),
            gathers: false,
            left_out: 0,
            receiver: None,
            distance: 0,
            is_open: false,
        };
        let Some(bound) = self.file(def.file) else {
            return candidate;
        };
        let mut params: Vec<u32> = bound
            .params(def.def)
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
            .collect();
        if bound.def(def.def).flags & flag::EXTENSION != 0 && params.len() > given.len() {
            let receiver = DefRef {
                file: def.file,
                def: params.remove(0),
            };
            candidate.receiver = Some(self.type_of_def(receiver).ty);
            let distance = self.policy(from).extension_distance(self, def, from);
            candidate.distance = distance.unwrap_or(u32::MAX);
        }
        let variadic = params
            .last()
            .copied()
            .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
        let is_whole = variadic.is_some()
            && params.len() == given.len()
            && actual.last().is_some_and(|ty| self.is_whole_array(ty));
        candidate.gathers = variadic.is_some() && !is_whole;
        candidate.left_out = params.len().saturating_sub(given.len());
        let receiver = candidate.receiver.iter();
        let mut tell: Vec<(Ty, Option<Ty>)> = receiver.map(|ty| (ty.clone(), None)).collect();
        for (index, at) in given.iter().enumerate() {
            let named = self.keyword_of(*at).and_then(|name| {
                let of_name = |param: &&u32| bound.sym(bound.def(**param).name) == name;
                params.iter().find(of_name)
            });
            let Some(param) = named.or(params.get(index)).copied().or(variadic) else {
                candidate.takes.push(Ty::Unknown);
                tell.push((Ty::Unknown, None));
                continue;
            };
            let declared = self.denotes(ExprRef {
                file: def.file,
                expr: bound.def(param).ty,
            });
            if !self.is_null_literal(*at) {
                tell.push((declared.ty.clone(), actual.get(index).cloned()));
            }
            let ty = declared.ty.with(env);
            let ty = if Some(param) == variadic && is_whole {
                Ty::array(ty)
            } else {
                ty
            };
            candidate.takes.push(ty);
        }
        candidate.is_open = self.leaves_open(def, env, &tell);
        candidate
    }

    /// Whether no parameter tells by what it is given what a type parameter stands for, and nobody writes it.
    fn leaves_open(&self, def: DefRef, env: &Env, tell: &[(Ty, Option<Ty>)]) -> bool {
        if !self.policy(def.file).types_differ_by_arity() {
            return false;
        }
        let is_said = |param: &DefRef| {
            env.iter().any(|(known, _)| known == param)
                || tell.iter().any(|(takes, given)| match given {
                    Some(given) => self.tells(takes, given, *param),
                    None => takes.is_unknown() || takes.mentions(*param),
                })
        };
        !self.params_of(def).iter().all(is_said)
    }

    /// Whether a type that is given says what a type parameter of the one that is asked for stands for: no `A` says it of
    /// the `T` in `A<T>`.
    fn tells(&self, takes: &Ty, given: &Ty, param: DefRef) -> bool {
        let any = |takes: &[Ty], given: &[Ty]| {
            let mut pairs = takes.iter().zip(given);
            pairs.any(|(takes, given)| self.tells(takes, given, param))
        };
        match (takes, given) {
            (Ty::External(Some(a), takes), Ty::External(Some(b), given))
                if a == b && takes.len() == given.len() =>
            {
                any(takes, given)
            }
            (Ty::Instance(a, takes), Ty::Instance(b, given)) if a == b && !given.is_empty() => {
                any(takes, given)
            }
            (Ty::Instance(a, _), Ty::Instance(b, _)) if a != b && !self.is_subtype(*b, *a) => false,
            (Ty::External(..) | Ty::Instance(..), Ty::Function(defs, _))
                if takes.mentions(param) && self.gives_nothing(defs) =>
            {
                self.is_given_by(takes, param, defs)
            }
            _ => takes.is_unknown() || takes.mentions(param),
        }
    }

    /// Whether it is a lambda that returns no value.
    fn gives_nothing(&self, lambda: &[DefRef]) -> bool {
        let def = lambda.first().and_then(|def| self.def(*def));
        def.is_some_and(|def| def.kind == DefKind::Lambda && def.value == NONE)
    }

    /// Whether one of a lambda's parameters is of a type that a type parameter is part of: what a lambda that returns
    /// nothing says of it stands there alone.
    fn is_given_by(&self, takes: &Ty, param: DefRef, lambda: &[DefRef]) -> bool {
        let Some(def) = lambda.first() else {
            return true;
        };
        let policy = self.policy(def.file);
        let Some(result) = policy.functional_result(self, takes) else {
            return true;
        };
        let count = self.arity_of_function(*def).unwrap_or_default();
        let given = |index| policy.functional_param(self, def.file, takes, index);
        !result.mentions(param)
            || (0..count as u32).any(|index| given(index).is_none_or(|ty| ty.mentions(param)))
    }

    /// Whether another of several functions may be meant by a call than the one that was chosen, because it takes
    /// something else by an argument of which nothing is known.
    pub(crate) fn is_guessed(&self, of: DefRef, all: &[DefRef], env: &Env, call: ExprRef) -> bool {
        let (Expr::Call { args, .. } | Expr::New { args, .. }) = self.expr(call) else {
            return false;
        };
        let file = call.file;
        let given = self.each(file, args, |at| at);
        let actual: Vec<Ty> = given.iter().map(|at| self.type_of(*at).ty).collect();
        let is_open = |ty: &Ty| {
            matches!(
                ty,
                Ty::Unknown | Ty::External(None, _) | Ty::ExternalType(..)
            )
        };
        if !actual.iter().any(is_open) {
            return false;
        }
        let candidate = |def| self.candidate(file, def, env, (&given, &actual));
        let own = candidate(of);
        let may_be = |def: &DefRef| {
            let rival = candidate(*def);
            let mut pairs = rival.takes.iter().zip(&own.takes).zip(&actual);
            rival.receiver.is_some() == own.receiver.is_some()
                && pairs.any(|((rival, own), actual)| is_open(actual) && rival != own)
                && self.rank(&rival, &given, &actual).misfits == 0
        };
        let mut rivals = all.iter().filter(|def| **def != of);
        rivals.any(|def| self.fits(*def, &given) && may_be(def))
    }

    fn is_value_kind(&self, of: DefRef) -> bool {
        let def = self.def(of);
        self.policy(of.file).types_differ_by_arity()
            && def.is_some_and(|def| matches!(def.kind, DefKind::Enum | DefKind::Struct))
    }

    fn is_null_literal(&self, at: ExprRef) -> bool {
        let value = match self.expr(at) {
            Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
            _ => at,
        };
        self.is_null(value.file, value.expr)
    }

    fn keyword_of(&self, at: ExprRef) -> Option<crate::workspace::Sym> {
        match self.expr(at) {
            Expr::Keyword { name, .. } => Some(self.file(at.file)?.sym(name)),
            _ => None,
        }
    }

    /// Whether a value may be what a parameter that gathers arguments holds of them.
    fn is_whole_array(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::Array(_) | Ty::Unknown)
            || matches!(ty, Ty::External(Some(name), _) if self.workspace.text(*name) == "null")
    }

    fn rank(&self, candidate: &Candidate, given: &[ExprRef], actual: &[Ty]) -> Rank {
        let mut worst = Fit::Same;
        let (mut maybes, mut misfits) = (0, usize::from(candidate.is_open));
        for ((takes, actual), at) in candidate.takes.iter().zip(actual).zip(given) {
            let fit = if self.holds_itself(candidate.def, takes, actual) {
                Fit::No
            } else {
                self.fit_of(takes, actual, *at)
            };
            worst = worst.max(fit);
            maybes += usize::from(fit == Fit::Maybe);
            misfits += usize::from(fit == Fit::No);
        }
        Rank {
            misfits,
            distance: candidate.distance,
            gathers: candidate.gathers,
            boxes: worst == Fit::Boxed,
            maybes,
        }
    }

    /// Whether an argument's type is made of the very type parameter that is asked for: no `T[]` is a `T`, unless the
    /// call itself says what `T` stands for.
    fn holds_itself(&self, called: DefRef, takes: &Ty, actual: &Ty) -> bool {
        let is_written = matches!(actual, Ty::Array(_) | Ty::External(..) | Ty::Instance(..));
        match takes {
            Ty::Param(param) if is_written && actual.mentions(*param) => {
                self.policy(called.file).types_differ_by_arity()
                    && !self.params_of(called).contains(param)
            }
            _ => false,
        }
    }

    /// How well an argument goes for a parameter.
    fn fit_of(&self, takes: &Ty, actual: &Ty, at: ExprRef) -> Fit {
        let value = match self.expr(at) {
            Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
            _ => at,
        };
        if self.is_null_literal(value) {
            return match takes {
                Ty::External(Some(name), _) => {
                    let is_value = self
                        .policy(at.file)
                        .is_value_type(self.workspace.text(*name));
                    if is_value { Fit::No } else { Fit::Derived }
                }
                // Whether `?` stands behind its name is not known.
                Ty::Instance(of, _) if self.is_value_kind(*of) => Fit::Maybe,
                _ => Fit::Derived,
            };
        }
        if let (Expr::Literal { .. }, Ty::External(Some(takes), _)) = (self.expr(value), takes)
            && let Ty::External(Some(actual), _) = actual
        {
            let (takes, actual) = (self.workspace.text(*takes), self.workspace.text(*actual));
            if self.policy(at.file).holds_constant(takes, actual) {
                return Fit::Derived;
            }
        }
        if let Ty::Function(defs, _) = actual {
            return self.fit_of_function(takes, defs, value);
        }
        self.fit(takes, actual, at.file, 6)
    }

    /// How well a lambda or the name of a function goes for a parameter.
    fn fit_of_function(&self, takes: &Ty, defs: &[DefRef], value: ExprRef) -> Fit {
        let file = value.file;
        let is_lambda = matches!(self.expr(value), Expr::Function { .. });
        let arity = match takes {
            Ty::Unknown | Ty::Param(_) => return Fit::Maybe,
            Ty::Function(defs, _) => defs.first().and_then(|def| {
                let bound = self.file(def.file)?;
                Some(bound.params(def.def).count())
            }),
            Ty::Instance(..) | Ty::External(..) => {
                match self.policy(file).functional_arity(self, takes) {
                    Some(arity) => arity,
                    None => return Fit::No,
                }
            }
            _ => return Fit::No,
        };
        let (Some(arity), Some(def), true) = (arity, defs.first(), is_lambda) else {
            let may_be_meant = |arity| {
                defs.iter()
                    .any(|def| self.may_stand_for(*def, value, takes, arity))
            };
            return match arity {
                Some(arity) if !may_be_meant(arity) => Fit::No,
                _ => Fit::Maybe,
            };
        };
        let given = self.arity_of_function(*def);
        if given.is_some_and(|given| given != arity) || self.writes_other_types(*def, takes, file) {
            return Fit::No;
        }
        let value = self.def(*def).map_or(NONE, |def| def.value);
        let gives = match takes {
            Ty::Function(defs, env) => defs
                .first()
                .map(|def| self.declared_result(*def).ty.with(env)),
            _ => self.policy(file).functional_result(self, takes),
        };
        let gives = gives.filter(|gives| !self.is_void(gives));
        let actual = self.declared_result(*def).ty;
        match gives {
            // A block without a value may still throw.
            Some(_) if value == NONE => Fit::Maybe,
            Some(gives) => match self.fit(&gives, &actual, file, 4) {
                Fit::No => Fit::No,
                Fit::Same => Fit::Same,
                _ => Fit::Derived,
            },
            None if value == NONE || self.is_void(&actual) => Fit::Same,
            None => Fit::Derived,
        }
    }

    /// Whether a lambda says of one of its parameters that it is of another type than the function that is asked for
    /// gives it.
    fn writes_other_types(&self, lambda: DefRef, takes: &Ty, file: FileNo) -> bool {
        let Some(bound) = self.file(lambda.file) else {
            return false;
        };
        let mut params = bound.params(lambda.def).zip(0..);
        params.any(|(param, index)| {
            let written = bound.def(param).ty;
            let given = match takes {
                Ty::Function(..) => None,
                _ => self.policy(file).functional_param(self, file, takes, index),
            };
            let Some(given) = given.filter(|_| written != NONE) else {
                return false;
            };
            let written = self.denotes(ExprRef {
                file: lambda.file,
                expr: written,
            });
            let fit = self.fit(&given, &written.ty, file, 4);
            !matches!(given, Ty::Param(_)) && !matches!(fit, Fit::Same | Fit::Maybe)
        })
    }

    /// Whether the name of a function may be given where a function of so many parameters is asked for: C# lets none of
    /// its parameters out, and what gives nothing stands for nothing that gives something, nor the other way round.
    fn may_stand_for(&self, named: DefRef, at: ExprRef, takes: &Ty, arity: usize) -> bool {
        let Some(def) = self.def(named) else {
            return true;
        };
        if self.policy(named.file).refers_to_methods() && def.kind == DefKind::Method {
            return self.may_be_referred_to(named, at, takes, arity);
        }
        if !self.policy(named.file).types_differ_by_arity() || !def.kind.is_callable() {
            return true;
        }
        let is_extension = def.flags & flag::EXTENSION != 0;
        let count = self.arity(named);
        if count != arity && !(is_extension && count == arity + 1) {
            return false;
        }
        let asked = self.policy(named.file).functional_result(self, takes);
        let given = self.declared_result(named).ty;
        match asked.filter(|asked| !self.is_void(asked)) {
            Some(asked) => {
                !self.is_void(&given) && self.fit(&asked, &given, named.file, 4) != Fit::No
            }
            None => given.is_unknown() || self.is_void(&given),
        }
    }

    /// Whether a reference to a method (Java's `a::m`) may be given where a function of so many parameters is asked for:
    /// `T::m` takes the receiver as the first of them, and what gives nothing gives no value.
    fn may_be_referred_to(&self, method: DefRef, at: ExprRef, takes: &Ty, arity: usize) -> bool {
        let (Some(bound), Expr::Member { of, .. }) = (self.file(method.file), self.expr(at)) else {
            return true;
        };
        let of = self.type_of(ExprRef { expr: of, ..at }).ty;
        let has_receiver = bound.def(method.def).flags & flag::STATIC != 0
            || !matches!(of, Ty::Type(..) | Ty::ExternalType(..) | Ty::Unknown);
        let mut params = bound.params(method.def);
        let is_variadic = params.any(|param| bound.def(param).flags & flag::VARIADIC != 0);
        let count = self.arity(method);
        let takes_them = count == arity || !has_receiver && count + 1 == arity;
        let asked = self
            .policy(method.file)
            .functional_result(self, takes)
            .filter(|asked| !self.is_void(asked));
        let gives_it = asked.is_none() || !self.is_void(&self.declared_result(method).ty);
        (takes_them || is_variadic) && gives_it
    }

    /// How many arguments a lambda takes. A reference to an array's constructor (`T[]::new`) takes its length; of one to
    /// constructors (`T::new`) it is not known: there may be several.
    fn arity_of_function(&self, of: DefRef) -> Option<usize> {
        let bound = self.file(of.file)?;
        let def = bound.def(of.def);
        if def.inner != NONE || def.value == NONE {
            return Some(bound.params(of.def).count());
        }
        matches!(bound.expr(def.value), Expr::Value { .. }).then_some(1)
    }

    fn is_void(&self, ty: &Ty) -> bool {
        matches!(ty, Ty::External(Some(name), _) if self.workspace.text(*name) == "void")
    }

    /// How well a value of one type goes where another is asked for.
    pub(crate) fn fit(&self, takes: &Ty, actual: &Ty, file: FileNo, depth: u32) -> Fit {
        if depth == 0 {
            return Fit::Maybe;
        }
        let deeper = |takes: &Ty, actual: &Ty| self.fit(takes, actual, file, depth - 1);
        let are_unlike = |a: &Ty, b: &Ty| deeper(a, b) == Fit::No && deeper(b, a) == Fit::No;
        let policy = self.policy(file);
        let text = |sym| self.workspace.text(sym);
        match (takes, actual) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => Fit::Maybe,
            // What a type from outside has may be a value as well.
            (_, Ty::ExternalType(..)) => deeper(takes, &Ty::external()),
            (Ty::Param(a), Ty::Param(b)) if a == b => Fit::Same,
            (_, Ty::External(Some(none), _)) if text(*none) == "null" => {
                if self.is_value(takes, file) {
                    Fit::No
                } else {
                    Fit::Derived
                }
            }
            (Ty::Union(parts), _) => {
                let fits = parts.iter().map(|part| deeper(part, actual));
                fits.min().unwrap_or(Fit::No)
            }
            (_, Ty::Union(parts)) => {
                let fits = parts.iter().map(|part| deeper(takes, part));
                fits.max().unwrap_or(Fit::No)
            }
            (Ty::Param(param), _) => self.fit_of_param(*param, actual, file, depth),
            (Ty::External(Some(top), _), _) if policy.is_top_type(text(*top)) => match actual {
                // It may be a value as well, which others take better.
                Ty::External(None, _) => Fit::Maybe,
                Ty::External(Some(b), _) if top == b => Fit::Same,
                Ty::External(Some(b), _) if policy.is_value_type(text(*b)) => Fit::Boxed,
                _ => Fit::Derived,
            },
            (_, Ty::Param(param)) => match self.bound_of(*param) {
                Some(bound) => deeper(takes, &bound).max(Fit::Derived),
                None => Fit::No,
            },
            (Ty::External(None, _), _) | (_, Ty::External(None, _)) => match (takes, actual) {
                (Ty::Instance(..), _) | (_, Ty::Instance(..)) => Fit::No,
                _ => Fit::Maybe,
            },
            (Ty::Instance(a, _), Ty::Instance(b, _)) => {
                if a == b || self.parts(*a).types.contains(b) {
                    Fit::Same
                } else if self.is_subtype(*b, *a) {
                    Fit::Derived
                } else {
                    Fit::No
                }
            }
            (Ty::Instance(..), _) => Fit::No,
            (Ty::External(Some(a), takes), Ty::External(Some(b), given)) if a == b => {
                // Arguments may differ as far as one derives from the other, whichever way; what a
                // function gives goes one way only.
                let gives = matches!(text(*a), "Func" | "Supplier" | "Callable" | "Task");
                let last = takes.len().saturating_sub(1);
                let pairs = takes.iter().zip(given.iter()).enumerate();
                let differs = pairs.into_iter().any(|(index, (takes, given))| {
                    let fit = deeper(takes, given);
                    if self.goes_for_itself_alone(takes, given, file) {
                        return !matches!(fit, Fit::Same | Fit::Maybe);
                    }
                    let other_way = || deeper(given, takes);
                    let is_given = !matches!((takes, given), (Ty::Param(_), _) | (_, Ty::Param(_)))
                        && policy.takes_only(text(*a), index == last);
                    if is_given {
                        return other_way() == Fit::No;
                    }
                    fit == Fit::No && (gives && index == last || other_way() == Fit::No)
                });
                match (policy.types_differ_by_arity(), takes.len(), given.len()) {
                    _ if differs => Fit::No,
                    (false, ..) => Fit::Same,
                    (_, takes, given) if takes == given => Fit::Same,
                    // `Task<T>` is a `Task`, not the other way round; what only takes a `T` is no `Action`.
                    (_, 0, _) if !policy.takes_only(text(*a), true) => Fit::Derived,
                    _ => Fit::No,
                }
            }
            (Ty::External(Some(a), takes), Ty::External(Some(b), given)) => {
                let mut pairs = takes.iter().zip(given.iter());
                if takes.len() == given.len() && pairs.any(|(a, b)| are_unlike(a, b)) {
                    return Fit::No;
                }
                policy.outside_fit(text(*a), text(*b))
            }
            (Ty::External(Some(a), _), Ty::Instance(of, _))
                if self
                    .def(*of)
                    .is_some_and(|of| policy.implied_bases(of.kind).contains(&text(*a))) =>
            {
                Fit::Derived
            }
            (Ty::External(Some(_), _), Ty::Instance(..)) => {
                let bases = self.outside_bases(actual);
                let fits = bases.iter().map(|base| match base {
                    Ty::External(Some(_), _) => deeper(takes, base),
                    _ => Fit::Maybe,
                });
                fits.min().unwrap_or(Fit::No).max(Fit::Derived)
            }
            (Ty::Array(a), Ty::Array(b)) => match deeper(a, b) {
                Fit::Boxed => Fit::No,
                Fit::Derived if self.is_value(a, file) => Fit::No,
                fit => fit,
            },
            (Ty::External(Some(a), takes), Ty::Array(of)) => {
                let differs = matches!(&takes[..], [one] if are_unlike(one, of));
                let is_sequence = crate::containers::is_sequence(text(*a)) && !differs;
                if is_sequence && policy.arrays_are_sequences() {
                    Fit::Derived
                } else {
                    Fit::No
                }
            }
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
                let fits = a.iter().zip(b.iter()).map(|(a, b)| deeper(a, b));
                fits.max().unwrap_or(Fit::Same)
            }
            (Ty::Map(_), Ty::Map(_)) => Fit::Same,
            (Ty::Pointer(a), Ty::Pointer(b)) => deeper(a, b),
            (Ty::Object(..), Ty::Object(..)) => Fit::Maybe,
            (Ty::Function(..), Ty::Function(..)) => Fit::Maybe,
            _ => Fit::No,
        }
    }

    fn is_top(&self, ty: &Ty, file: FileNo) -> bool {
        matches!(ty, Ty::External(Some(name), _)
            if self.policy(file).is_top_type(self.workspace.text(*name)))
    }

    /// Whether one of two type arguments is a number or the like, which no other stands for there: a list of `int?`
    /// is none of `int`.
    fn goes_for_itself_alone(&self, takes: &Ty, given: &Ty, file: FileNo) -> bool {
        let is_value = |ty: &Ty| match ty {
            Ty::External(Some(name), _) => {
                let name = self.workspace.text(*name);
                let held = name.strip_suffix('?').unwrap_or(name);
                self.policy(file).is_value_type(held)
            }
            _ => false,
        };
        !matches!(takes, Ty::Param(_)) && (is_value(takes) || is_value(given))
    }

    fn is_value(&self, ty: &Ty, file: FileNo) -> bool {
        matches!(ty, Ty::External(Some(name), _)
            if self.policy(file).is_value_type(self.workspace.text(*name)))
    }

    pub(crate) fn bound_of(&self, param: DefRef) -> Option<Ty> {
        let bound = self.def(param)?.ty;
        (bound != NONE).then(|| {
            self.denotes(ExprRef {
                file: param.file,
                expr: bound,
            })
            .ty
        })
    }

    /// Whether a type parameter that stands for values alone, or for none, is given the other.
    fn is_of_other_kind(&self, param: DefRef, actual: &Ty, file: FileNo) -> bool {
        let kinds = flag::VALUE_TYPE | flag::REFERENCE_TYPE;
        let wanted = self.def(param).map_or(0, |def| def.flags & kinds);
        let given = match actual {
            _ if wanted == 0 => 0,
            Ty::Instance(of, _) => match self.def(*of).map(|def| def.kind) {
                Some(DefKind::Struct | DefKind::Enum) => flag::VALUE_TYPE,
                Some(DefKind::Class | DefKind::Interface | DefKind::Delegate) => {
                    flag::REFERENCE_TYPE
                }
                _ => 0,
            },
            Ty::External(Some(name), _) => {
                let name = self.workspace.text(*name).trim_end_matches('?');
                let policy = self.policy(file);
                let is_object =
                    || policy.is_top_type(name) || policy.literal(Literal::Text) == name;
                match name {
                    _ if policy.is_value_type(name) => flag::VALUE_TYPE,
                    _ if is_object() => flag::REFERENCE_TYPE,
                    _ => 0,
                }
            }
            Ty::Array(_) | Ty::Function(..) => flag::REFERENCE_TYPE,
            Ty::Param(given) => self.def(*given).map_or(0, |def| def.flags & kinds),
            _ => 0,
        };
        given != 0 && wanted & given == 0
    }

    fn fit_of_param(&self, param: DefRef, actual: &Ty, file: FileNo, depth: u32) -> Fit {
        if self.is_of_other_kind(param, actual, file) {
            return Fit::No;
        }
        if let Some(bound) = self.bound_of(param) {
            return self.fit(&bound, actual, file, depth - 1).max(Fit::Derived);
        }
        if self.policy(file).params_are_objects() && self.is_value(actual, file) {
            Fit::Boxed
        } else {
            Fit::Derived
        }
    }

    /// Without those that others are more specific than.
    fn most_specific(&self, candidates: &[&Candidate], given: &[ExprRef]) -> Vec<DefRef> {
        let are_many = candidates.len() > MOST_COMPARED;
        let is_beaten = |candidate: &Candidate| {
            !are_many
                && candidates.iter().any(|other| {
                    other.def != candidate.def
                        && self.is_more_specific(other, candidate, given)
                        && !self.is_more_specific(candidate, other, given)
                })
        };
        let kept = candidates.iter().filter(|candidate| !is_beaten(candidate));
        let kept: Vec<&&Candidate> = kept.collect();
        // Of equally good ones those that get the most of their arguments.
        let fewest = kept.iter().map(|candidate| candidate.left_out).min();
        kept.into_iter()
            .filter(|candidate| candidate.gathers || Some(candidate.left_out) == fewest)
            .map(|candidate| candidate.def)
            .collect()
    }

    /// Whether everything that one takes the other takes as well. Of an argument that is not known nothing follows.
    fn is_more_specific(&self, a: &Candidate, b: &Candidate, given: &[ExprRef]) -> bool {
        let file = a.def.file;
        if let (Some(a), Some(b)) = (&a.receiver, &b.receiver)
            && a != b
            && self.fit(b, a, file, 6) > Fit::Derived
        {
            return false;
        }
        given.iter().enumerate().all(|(index, at)| {
            let (Some(a), Some(b)) = (a.takes.get(index), b.takes.get(index)) else {
                return true;
            };
            let actual = self.type_of(*at).ty;
            // What a type parameter stands for is nearer than any object, but for an object itself: of two that
            // take the very same, the one without type parameters is meant.
            match (a, b) {
                (a, Ty::Param(_)) if self.is_top(a, file) => return self.is_top(&actual, file),
                (Ty::Param(_), b) if self.is_top(b, file) => return !self.is_top(&actual, file),
                _ => {}
            }
            if a == b {
                return true;
            }
            // What is of the very type is nearer than all that it goes for.
            let is_very = |takes: &Ty| self.fit_of(takes, &actual, *at) == Fit::Same;
            match (is_very(a), is_very(b)) {
                (true, false) => return true,
                (false, true) => return false,
                _ => {}
            }
            !actual.is_unknown() && self.fit(b, a, file, 6) <= Fit::Derived
        })
    }

    /// How many parameters the function `of` has, without its receiver.
    pub(crate) fn arity(&self, of: DefRef) -> usize {
        let Some(bound) = self.file(of.file) else {
            return 0;
        };
        let params = bound.params(of.def);
        params
            .filter(|param| bound.def(*param).flags & flag::RECEIVER == 0)
            .count()
    }
}

/// Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    misfits: usize,
    distance: u32,
    gathers: bool,
    boxes: bool,
    maybes: usize,
}
