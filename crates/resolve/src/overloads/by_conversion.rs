//! Overload resolution by conversions, as compilers of C# and Java do it: the candidates that take the arguments with
//! the least conversion, of these the most specific ones.

use codecortex_bind::facts::{Def, DefKind, Expr, ListId, Literal, NONE, flag};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::overloads::arity::{self, MAX_COMPARED};
use crate::overloads::conversion::Conversion;
use crate::overloads::passing;
use crate::overloads::type_comparison::conversion;
use crate::resolver::Resolver;
use crate::ty::{Substitution, Ty};

/// A function that takes so many arguments.
struct OverloadCandidate {
    def: DefRef,
    /// The types of the parameters that get the arguments.
    takes: Vec<Ty>,
    /// The parameters that get the arguments, as far as they are known.
    params: Vec<Option<DefRef>>,
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

/// The functions that a call means, of those that take so many arguments.
pub(crate) fn resolve_by_conversion(
    resolver: &Resolver<'_>,
    file: FileNo,
    defs: &[DefRef],
    subst: &Substitution,
    args: ListId,
) -> Vec<DefRef> {
    let given = resolver.each(file, args, |at| at);
    let actual: Vec<Ty> = given.iter().map(|at| resolver.type_of(*at).ty).collect();
    let candidates: Vec<OverloadCandidate> = defs
        .iter()
        .map(|def| candidate(resolver, file, *def, subst, (&given, &actual)))
        .collect();
    let mut ranked: Vec<(Rank, &OverloadCandidate)> = candidates
        .iter()
        .map(|candidate| (rank(resolver, candidate, &given, &actual), candidate))
        .collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).min() else {
        return Vec::new();
    };
    let gathering = |(rank, _): &&(Rank, &OverloadCandidate)| {
        rank.gathers && rank.maybes > 0 && rank.without_phase() == best.without_phase()
    };
    let gathering: Vec<DefRef> = ranked
        .iter()
        .filter(gathering)
        .map(|(_, candidate)| candidate.def)
        .collect();
    ranked.retain(|(rank, _)| *rank == best);
    let chosen: Vec<&OverloadCandidate> =
        ranked.into_iter().map(|(_, candidate)| candidate).collect();
    let mut chosen = most_specific(resolver, &chosen, &given);
    // None of several is known to take the arguments, so a call may be one of the phase behind theirs: `of(T...)`.
    if chosen.len() > 1 && best.maybes > 0 && !best.gathers {
        chosen.extend(gathering);
    }
    chosen
}

/// Whether a call of `at` can mean a function at all: it takes so many arguments, and none that it cannot
/// take.
pub(crate) fn can_take(
    resolver: &Resolver<'_>,
    def: DefRef,
    subst: &Substitution,
    at: ExprRef,
    args: ListId,
) -> bool {
    let file = at.file;
    let given = resolver.each(file, args, |at| at);
    let written = resolver.applied_to(match resolver.expr(at) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => at,
    });
    let has_other_params = written.is_some_and(|count| count != resolver.params_of(def).len());
    if has_other_params || !arity::accepts_arity(resolver, def, &given) {
        return false;
    }
    if has_receiver(resolver, def, at) && !arity::accepts_behind_receiver(resolver, def, &given) {
        return false;
    }
    let actual: Vec<Ty> = given.iter().map(|at| resolver.type_of(*at).ty).collect();
    let mut candidate = candidate(resolver, file, def, subst, (&given, &actual));
    candidate.is_open &= written.is_none();
    rank(resolver, &candidate, &given, &actual).misfits == 0
}

/// Whether a call passes an extension method its first argument as the receiver: `text.Has(c)`, not `Texts.Has(text, c)`.
fn has_receiver(resolver: &Resolver<'_>, def: DefRef, at: ExprRef) -> bool {
    let is_extension = |def: &Def| def.flags & flag::EXTENSION != 0;
    let file = at.file;
    let callee = match resolver.expr(at) {
        Expr::Apply { of, .. } => ExprRef { file, expr: of },
        _ => at,
    };
    let Expr::Member { of, .. } = resolver.expr(callee) else {
        return false;
    };
    let is_of_type = || {
        let receiver = resolver.type_of(ExprRef { file, expr: of }).ty;
        let is_type = |ty: &Ty| matches!(ty, Ty::Type(..) | Ty::ExternalType(..));
        receiver.alternatives().iter().any(is_type)
    };
    resolver.def(def).is_some_and(is_extension) && !is_of_type()
}

/// What a function is to a call in a file, with the arguments that are given and their types.
fn candidate(
    resolver: &Resolver<'_>,
    from: FileNo,
    def: DefRef,
    subst: &Substitution,
    (given, actual): (&[ExprRef], &[Ty]),
) -> OverloadCandidate {
    let mut candidate = OverloadCandidate {
        def,
        takes: Vec::with_capacity(given.len()),
        params: Vec::with_capacity(given.len()),
        gathers: false,
        left_out: 0,
        receiver: None,
        distance: 0,
        is_open: false,
    };
    let Some(bound) = resolver.file(def.file) else {
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
        candidate.receiver = Some(resolver.type_of_def(receiver).ty);
        let distance = resolver.rules(from).extension_distance(resolver, def, from);
        candidate.distance = distance.unwrap_or(u32::MAX);
    }
    let variadic = params
        .last()
        .copied()
        .filter(|last| bound.def(*last).flags & flag::VARIADIC != 0);
    let is_whole = variadic.is_some()
        && params.len() == given.len()
        && actual
            .last()
            .is_some_and(|ty| is_whole_array(resolver, ty, from));
    candidate.gathers = variadic.is_some() && !is_whole;
    candidate.left_out = params.len().saturating_sub(given.len());
    let receiver = candidate.receiver.iter();
    let mut tell: Vec<(Ty, Option<Ty>)> = receiver.map(|ty| (ty.clone(), None)).collect();
    for (index, at) in given.iter().enumerate() {
        let named = keyword_of(resolver, *at).and_then(|name| {
            let of_name = |param: &&u32| bound.name(bound.def(**param).name) == name;
            params.iter().find(of_name)
        });
        let Some(param) = named.or(params.get(index)).copied().or(variadic) else {
            candidate.takes.push(Ty::Unknown);
            candidate.params.push(None);
            tell.push((Ty::Unknown, None));
            continue;
        };
        candidate.params.push(Some(DefRef {
            file: def.file,
            def: param,
        }));
        let declared = resolver.lower_type(ExprRef {
            file: def.file,
            expr: bound.def(param).ty,
        });
        if !is_null_literal(resolver, *at) {
            tell.push((declared.ty.clone(), actual.get(index).cloned()));
        }
        let ty = declared.ty.with(subst);
        let ty = if Some(param) == variadic && is_whole {
            Ty::array(ty)
        } else {
            ty
        };
        candidate.takes.push(ty);
    }
    candidate.is_open = has_undetermined_param(resolver, def, subst, &tell);
    candidate
}

/// Whether no parameter tells by what it is given what a type parameter stands for, and nobody writes it.
fn has_undetermined_param(
    resolver: &Resolver<'_>,
    def: DefRef,
    subst: &Substitution,
    tell: &[(Ty, Option<Ty>)],
) -> bool {
    if !resolver.rules(def.file).types_differ_by_arity() {
        return false;
    }
    let is_said = |param: &DefRef| {
        subst.iter().any(|(known, _)| known == param)
            || tell.iter().any(|(takes, given)| match given {
                Some(given) => tells(resolver, takes, given, *param),
                None => takes.is_unknown() || takes.mentions(*param),
            })
    };
    !resolver.params_of(def).iter().all(is_said)
}

/// Whether a type that is given says what a type parameter of the one that is asked for stands for: no `A` says it of
/// the `T` in `A<T>`.
fn tells(resolver: &Resolver<'_>, takes: &Ty, given: &Ty, param: DefRef) -> bool {
    let any = |takes: &[Ty], given: &[Ty]| {
        let mut pairs = takes.iter().zip(given);
        pairs.any(|(takes, given)| tells(resolver, takes, given, param))
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
        (Ty::Instance(a, _), Ty::Instance(b, _)) if a != b && !resolver.is_subtype(*b, *a) => false,
        (Ty::External(..) | Ty::Instance(..), Ty::Function(defs, _))
            if takes.mentions(param) && gives_nothing(resolver, defs) =>
        {
            is_given_by(resolver, takes, param, defs)
        }
        _ => takes.is_unknown() || takes.mentions(param),
    }
}

/// Whether it is a lambda that returns no value.
fn gives_nothing(resolver: &Resolver<'_>, lambda: &[DefRef]) -> bool {
    let def = lambda.first().and_then(|def| resolver.def(*def));
    def.is_some_and(|def| def.kind == DefKind::Lambda && def.value == NONE)
}

/// Whether one of a lambda's parameters is of a type that a type parameter is part of: what a lambda that returns
/// nothing says of it stands there alone.
fn is_given_by(resolver: &Resolver<'_>, takes: &Ty, param: DefRef, lambda: &[DefRef]) -> bool {
    let Some(def) = lambda.first() else {
        return true;
    };
    let rules = resolver.rules(def.file);
    let Some(result) = rules.functional_result(resolver, takes) else {
        return true;
    };
    let count = arity_of_function(resolver, *def).unwrap_or_default();
    let contextual = |index| rules.functional_param(resolver, def.file, takes, index);
    !result.mentions(param)
        || (0..count as u32).any(|index| contextual(index).is_none_or(|ty| ty.mentions(param)))
}

/// Whether another of several functions may be meant by a call than the one that was chosen, because it takes
/// something else by an argument of which nothing is known.
pub(crate) fn is_guessed(
    resolver: &Resolver<'_>,
    of: DefRef,
    all: &[DefRef],
    subst: &Substitution,
    call: ExprRef,
) -> bool {
    let (Expr::Call { args, .. } | Expr::New { args, .. }) = resolver.expr(call) else {
        return false;
    };
    let file = call.file;
    let given = resolver.each(file, args, |at| at);
    let actual: Vec<Ty> = given.iter().map(|at| resolver.type_of(*at).ty).collect();
    let is_open = |ty: &Ty| {
        matches!(
            ty,
            Ty::Unknown | Ty::External(None, _) | Ty::ExternalType(..)
        )
    };
    if !actual.iter().any(is_open) {
        return false;
    }
    let candidate = |def| candidate(resolver, file, def, subst, (&given, &actual));
    let own = candidate(of);
    let may_be = |def: &DefRef| {
        let rival = candidate(*def);
        let mut pairs = rival.takes.iter().zip(&own.takes).zip(&actual);
        rival.receiver.is_some() == own.receiver.is_some()
            && pairs.any(|((rival, own), actual)| is_open(actual) && rival != own)
            && rank(resolver, &rival, &given, &actual).misfits == 0
    };
    let mut rivals = all.iter().filter(|def| **def != of);
    rivals.any(|def| arity::accepts_arity(resolver, *def, &given) && may_be(def))
}

fn is_value_kind(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let def = resolver.def(of);
    resolver.rules(of.file).types_differ_by_arity()
        && def.is_some_and(|def| matches!(def.kind, DefKind::Enum | DefKind::Struct))
}

fn is_null_literal(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let value = match resolver.expr(at) {
        Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
        _ => at,
    };
    resolver.is_null(value.file, value.expr)
}

fn keyword_of(resolver: &Resolver<'_>, at: ExprRef) -> Option<crate::ids::Name> {
    match resolver.expr(at) {
        Expr::Keyword { name, .. } => Some(resolver.file(at.file)?.name(name)),
        _ => None,
    }
}

/// Whether a value may be what a parameter that gathers arguments holds of them.
fn is_whole_array(resolver: &Resolver<'_>, ty: &Ty, file: FileNo) -> bool {
    matches!(ty, Ty::Array(_) | Ty::Unknown)
        || matches!(ty, Ty::External(Some(name), _)
            if resolver.workspace.text(*name) == resolver.rules(file).literal(Literal::Null))
}

fn rank(
    resolver: &Resolver<'_>,
    candidate: &OverloadCandidate,
    given: &[ExprRef],
    actual: &[Ty],
) -> Rank {
    let mut worst = Conversion::Same;
    let (mut maybes, mut misfits) = (0, usize::from(candidate.is_open));
    for ((takes, actual), at) in candidate.takes.iter().zip(actual).zip(given) {
        let conversion = if holds_itself(resolver, candidate.def, takes, actual) {
            Conversion::No
        } else {
            conversion_of_argument(resolver, takes, actual, *at)
        };
        worst = worst.max(conversion);
        maybes += usize::from(conversion == Conversion::Maybe);
        misfits += usize::from(conversion == Conversion::No);
    }
    let passing = passing::how_passed(resolver, &candidate.params, given);
    Rank {
        misfits: misfits + passing.misfits,
        passing: passing.doubtful,
        distance: candidate.distance,
        gathers: candidate.gathers,
        boxes: worst == Conversion::Boxed,
        maybes,
    }
}

/// Whether an argument's type is made of the very type parameter that is asked for: no `T[]` is a `T`, unless the
/// call itself says what `T` stands for.
fn holds_itself(resolver: &Resolver<'_>, called: DefRef, takes: &Ty, actual: &Ty) -> bool {
    let is_written = matches!(actual, Ty::Array(_) | Ty::External(..) | Ty::Instance(..));
    match takes {
        Ty::Param(param) if is_written && actual.mentions(*param) => {
            resolver.rules(called.file).types_differ_by_arity()
                && !resolver.params_of(called).contains(param)
        }
        _ => false,
    }
}

/// How an argument converts to the type of a parameter.
fn conversion_of_argument(
    resolver: &Resolver<'_>,
    takes: &Ty,
    actual: &Ty,
    at: ExprRef,
) -> Conversion {
    let value = match resolver.expr(at) {
        Expr::Keyword { value, .. } => ExprRef { expr: value, ..at },
        _ => at,
    };
    if is_null_literal(resolver, value) {
        return match takes {
            Ty::External(Some(name), _) => {
                let is_value = resolver
                    .rules(at.file)
                    .is_value_type(resolver.workspace.text(*name));
                if is_value {
                    Conversion::No
                } else {
                    Conversion::Derived
                }
            }
            // Whether `?` stands behind its name is not known.
            Ty::Instance(of, _) if is_value_kind(resolver, *of) => Conversion::Maybe,
            _ => Conversion::Derived,
        };
    }
    if let (Expr::Literal { .. }, Ty::External(Some(takes), _)) = (resolver.expr(value), takes)
        && let Ty::External(Some(actual), _) = actual
    {
        let (takes, actual) = (
            resolver.workspace.text(*takes),
            resolver.workspace.text(*actual),
        );
        if resolver.rules(at.file).converts_constant(takes, actual) {
            return Conversion::Derived;
        }
    }
    if let Ty::Function(defs, _) = actual {
        return conversion_of_function(resolver, takes, defs, value);
    }
    conversion(resolver, takes, actual, at.file, 6)
}

/// How a lambda or the name of a function converts to the type of a parameter.
fn conversion_of_function(
    resolver: &Resolver<'_>,
    takes: &Ty,
    defs: &[DefRef],
    value: ExprRef,
) -> Conversion {
    let file = value.file;
    let is_lambda = matches!(resolver.expr(value), Expr::Function { .. });
    let arity = match takes {
        Ty::Unknown | Ty::Param(_) => return Conversion::Maybe,
        Ty::Function(defs, _) => defs.first().and_then(|def| {
            let bound = resolver.file(def.file)?;
            Some(bound.params(def.def).count())
        }),
        Ty::Instance(..) | Ty::External(..) => {
            match resolver.rules(file).functional_arity(resolver, file, takes) {
                Some(arity) => arity,
                None => return Conversion::No,
            }
        }
        _ => return Conversion::No,
    };
    let (Some(arity), Some(def), true) = (arity, defs.first(), is_lambda) else {
        let may_be_meant = |arity| {
            defs.iter()
                .any(|def| method_group_converts(resolver, *def, value, takes, arity))
        };
        return match arity {
            Some(arity) if !may_be_meant(arity) => Conversion::No,
            _ => Conversion::Maybe,
        };
    };
    let given = arity_of_function(resolver, *def);
    if given.is_some_and(|given| given != arity) || writes_other_types(resolver, *def, takes, file)
    {
        return Conversion::No;
    }
    let value = resolver.def(*def).map_or(NONE, |def| def.value);
    let gives = match takes {
        Ty::Function(defs, subst) => defs
            .first()
            .map(|def| resolver.declared_result(*def).ty.with(subst)),
        _ => resolver.rules(file).functional_result(resolver, takes),
    };
    let gives = gives.filter(|gives| !is_void(resolver, gives));
    let actual = resolver.declared_result(*def).ty;
    match gives {
        // A block without a value may still throw.
        Some(_) if value == NONE => Conversion::Maybe,
        Some(gives) => match conversion(resolver, &gives, &actual, file, 4) {
            Conversion::No => Conversion::No,
            Conversion::Same => Conversion::Same,
            _ => Conversion::Derived,
        },
        None if value == NONE || is_void(resolver, &actual) => Conversion::Same,
        None => Conversion::Derived,
    }
}

/// Whether a lambda says of one of its parameters that it is of another type than the function that is asked for
/// gives it.
fn writes_other_types(resolver: &Resolver<'_>, lambda: DefRef, takes: &Ty, file: FileNo) -> bool {
    let Some(bound) = resolver.file(lambda.file) else {
        return false;
    };
    let mut params = bound.params(lambda.def).zip(0..);
    params.any(|(param, index)| {
        let written = bound.def(param).ty;
        let given = match takes {
            Ty::Function(..) => None,
            _ => resolver
                .rules(file)
                .functional_param(resolver, file, takes, index),
        };
        let Some(given) = given.filter(|_| written != NONE) else {
            return false;
        };
        let written = resolver.lower_type(ExprRef {
            file: lambda.file,
            expr: written,
        });
        let conversion = conversion(resolver, &given, &written.ty, file, 4);
        !matches!(given, Ty::Param(_))
            && !matches!(conversion, Conversion::Same | Conversion::Maybe)
    })
}

/// Whether the name of a function may be given where a function of so many parameters is asked for: C# lets none of
/// its parameters out, and what gives nothing stands for nothing that gives something, nor the other way round.
fn method_group_converts(
    resolver: &Resolver<'_>,
    named: DefRef,
    at: ExprRef,
    takes: &Ty,
    arity: usize,
) -> bool {
    let Some(def) = resolver.def(named) else {
        return true;
    };
    if resolver.rules(named.file).refers_to_methods() && def.kind == DefKind::Method {
        return method_reference_converts(resolver, named, at, takes, arity);
    }
    if !resolver.rules(named.file).types_differ_by_arity() || !def.kind.is_callable() {
        return true;
    }
    let is_extension = def.flags & flag::EXTENSION != 0;
    let count = arity::arity(resolver, named);
    if count != arity && !(is_extension && count == arity + 1) {
        return false;
    }
    let asked = resolver
        .rules(named.file)
        .functional_result(resolver, takes);
    let given = resolver.declared_result(named).ty;
    match asked.filter(|asked| !is_void(resolver, asked)) {
        Some(asked) => {
            !is_void(resolver, &given)
                && conversion(resolver, &asked, &given, named.file, 4) != Conversion::No
        }
        None => given.is_unknown() || is_void(resolver, &given),
    }
}

/// Whether a reference to a method (Java's `a::m`) may be given where a function of so many parameters is asked for:
/// `T::m` takes the receiver as the first of them, and what gives nothing gives no value.
fn method_reference_converts(
    resolver: &Resolver<'_>,
    method: DefRef,
    at: ExprRef,
    takes: &Ty,
    arity: usize,
) -> bool {
    let (Some(bound), Expr::Member { of, .. }) = (resolver.file(method.file), resolver.expr(at))
    else {
        return true;
    };
    let of = resolver.type_of(ExprRef { expr: of, ..at }).ty;
    let is_static = bound.def(method.def).flags & flag::STATIC != 0;
    let has_receiver =
        is_static || !matches!(of, Ty::Type(..) | Ty::ExternalType(..) | Ty::Unknown);
    let is_unbound = !has_receiver && !of.is_unknown();
    let mut params = bound.params(method.def);
    let is_variadic = params.any(|param| bound.def(param).flags & flag::VARIADIC != 0);
    let count = arity::arity(resolver, method);
    let takes_them = count == arity && !is_unbound || !has_receiver && count + 1 == arity;
    let asked = resolver
        .rules(method.file)
        .functional_result(resolver, takes)
        .filter(|asked| !is_void(resolver, asked));
    let gives_it = asked.is_none() || !is_void(resolver, &resolver.declared_result(method).ty);
    let has_all = has_receiver && count == arity && !is_variadic;
    (takes_them || is_variadic)
        && gives_it
        && (!has_all || takes_what_is_given(resolver, method, takes))
}

/// Whether a method can take what a functional interface hands to its parameters.
fn takes_what_is_given(resolver: &Resolver<'_>, method: DefRef, interface: &Ty) -> bool {
    let Some(bound) = resolver.file(method.file) else {
        return true;
    };
    let rules = resolver.rules(method.file);
    let mut params = bound.params(method.def).zip(0..);
    params.all(|(param, index)| {
        let of = DefRef {
            file: method.file,
            def: param,
        };
        let given = rules.functional_param(resolver, method.file, interface, index);
        given.is_none_or(|given| {
            let takes = resolver.type_of_def(of).ty;
            conversion(resolver, &takes, &given, method.file, 4) != Conversion::No
        })
    })
}

/// Of overloads that a reference names (`a::m`) those that may be given where a functional type is asked for.
pub(crate) fn referred_to(
    resolver: &Resolver<'_>,
    at: ExprRef,
    defs: &[DefRef],
    asked: &Ty,
) -> Vec<DefRef> {
    let arity = resolver
        .rules(at.file)
        .functional_arity(resolver, at.file, asked);
    let Some(Some(arity)) = arity else {
        return Vec::new();
    };
    let converts = |def: &DefRef| method_group_converts(resolver, *def, at, asked, arity);
    let fitting: Vec<DefRef> = defs.iter().copied().filter(converts).collect();
    let is_beaten = |def: &DefRef| {
        let mut others = fitting.iter().filter(|other| *other != def);
        others
            .any(|other| takes_less(resolver, *other, *def) && !takes_less(resolver, *def, *other))
    };
    let nearest = fitting.iter().copied().filter(|def| !is_beaten(def));
    nearest.collect()
}

/// Whether all that a method takes another one takes as well, place by place.
fn takes_less(resolver: &Resolver<'_>, method: DefRef, other: DefRef) -> bool {
    let (Some(bound), Some(other_bound)) = (resolver.file(method.file), resolver.file(other.file))
    else {
        return false;
    };
    let types = |bound: &crate::file::BoundFile, of: DefRef| -> Vec<Ty> {
        let params = bound
            .params(of.def)
            .map(|def| DefRef { file: of.file, def });
        params.map(|param| resolver.type_of_def(param).ty).collect()
    };
    let (own, wider) = (types(bound, method), types(other_bound, other));
    own.len() == wider.len()
        && own.iter().zip(&wider).all(|(own, wider)| {
            own == wider || conversion(resolver, wider, own, method.file, 4) <= Conversion::Derived
        })
}

/// How many arguments a lambda takes. A reference to an array's constructor (`T[]::new`) takes its length; of one to
/// constructors (`T::new`) it is not known: there may be several.
fn arity_of_function(resolver: &Resolver<'_>, of: DefRef) -> Option<usize> {
    let bound = resolver.file(of.file)?;
    let def = bound.def(of.def);
    if def.inner != NONE || def.value == NONE {
        return Some(bound.params(of.def).count());
    }
    matches!(bound.expr(def.value), Expr::Value { .. }).then_some(1)
}

fn is_void(resolver: &Resolver<'_>, ty: &Ty) -> bool {
    matches!(ty, Ty::External(Some(name), _) if resolver.workspace.text(*name) == "void")
}

fn is_top(resolver: &Resolver<'_>, ty: &Ty, file: FileNo) -> bool {
    matches!(ty, Ty::External(Some(name), _)
        if resolver.rules(file).is_top_type(resolver.workspace.text(*name)))
}

/// Without those that others are more specific than.
fn most_specific(
    resolver: &Resolver<'_>,
    candidates: &[&OverloadCandidate],
    given: &[ExprRef],
) -> Vec<DefRef> {
    let are_many = candidates.len() > MAX_COMPARED;
    let is_beaten = |candidate: &OverloadCandidate| {
        !are_many
            && candidates.iter().any(|other| {
                other.def != candidate.def
                    && is_more_specific(resolver, other, candidate, given)
                    && !is_more_specific(resolver, candidate, other, given)
            })
    };
    let kept = candidates.iter().filter(|candidate| !is_beaten(candidate));
    let kept: Vec<&&OverloadCandidate> = kept.collect();
    // Of equally good ones those that get the most of their arguments.
    let fewest = kept.iter().map(|candidate| candidate.left_out).min();
    kept.into_iter()
        .filter(|candidate| candidate.gathers || Some(candidate.left_out) == fewest)
        .map(|candidate| candidate.def)
        .collect()
}

/// Whether everything that one takes the other takes as well. Of an argument that is not known nothing follows.
fn is_more_specific(
    resolver: &Resolver<'_>,
    a: &OverloadCandidate,
    b: &OverloadCandidate,
    given: &[ExprRef],
) -> bool {
    let file = a.def.file;
    if let (Some(a), Some(b)) = (&a.receiver, &b.receiver)
        && a != b
        && conversion(resolver, b, a, file, 6) > Conversion::Derived
    {
        return false;
    }
    given.iter().enumerate().all(|(index, at)| {
        let (Some(a), Some(b)) = (a.takes.get(index), b.takes.get(index)) else {
            return true;
        };
        let actual = resolver.type_of(*at).ty;
        // What a type parameter stands for is nearer than any object, but for an object itself: of two that
        // take the very same, the one without type parameters is meant.
        match (a, b) {
            (a, Ty::Param(_)) if is_top(resolver, a, file) => {
                return is_top(resolver, &actual, file);
            }
            (Ty::Param(_), b) if is_top(resolver, b, file) => {
                return !is_top(resolver, &actual, file);
            }
            _ => {}
        }
        if a == b {
            return true;
        }
        // What is of the very type is nearer than all that it converts to.
        let is_very =
            |takes: &Ty| conversion_of_argument(resolver, takes, &actual, *at) == Conversion::Same;
        match (is_very(a), is_very(b)) {
            (true, false) => return true,
            (false, true) => return false,
            _ => {}
        }
        let is_better = || match (a, b) {
            (Ty::External(Some(a), _), Ty::External(Some(b), _)) => {
                let (a, b) = (resolver.workspace.text(*a), resolver.workspace.text(*b));
                resolver.rules(file).is_better_target(a, b)
            }
            _ => false,
        };
        !actual.is_unknown()
            && (conversion(resolver, b, a, file, 6) <= Conversion::Derived || is_better())
    }) && gathers_nearer(resolver, a, b, given)
}

/// Whether what one gathers into its last parameter the other does too: of a call without such arguments nothing else
/// tells them apart.
fn gathers_nearer(
    resolver: &Resolver<'_>,
    a: &OverloadCandidate,
    b: &OverloadCandidate,
    given: &[ExprRef],
) -> bool {
    let gathered = |of: &OverloadCandidate| {
        let bound = resolver.file(of.def.file)?;
        let last = bound.params(of.def.def).last()?;
        let declared = ExprRef {
            file: of.def.file,
            expr: bound.def(last).ty,
        };
        let is_variadic = bound.def(last).flags & flag::VARIADIC != 0;
        is_variadic.then(|| resolver.lower_type(declared).ty)
    };
    let is_empty =
        |of: &OverloadCandidate| of.gathers && of.takes.len() == given.len() && of.left_out > 0;
    if !is_empty(a) || !is_empty(b) {
        return true;
    }
    match (gathered(a), gathered(b)) {
        (Some(a_of), Some(b_of)) => {
            a_of == b_of || conversion(resolver, &b_of, &a_of, a.def.file, 6) <= Conversion::Derived
        }
        _ => true,
    }
}

/// Less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    misfits: usize,
    passing: usize,
    distance: u32,
    gathers: bool,
    boxes: bool,
    maybes: usize,
}

impl Rank {
    /// What of it does not depend on whether arguments are gathered into the last parameter.
    fn without_phase(self) -> (usize, usize, u32) {
        (self.misfits, self.passing, self.distance)
    }
}
