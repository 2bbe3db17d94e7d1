//! Ambiguity: when something else may be meant than what was found. What templates mean is known where they are
//! instantiated, and overloads are distinguished by types.

use codecortex_bind::facts::{Def, DefId, Expr, NONE, ScopeKind};

use super::conversions::{self, conversion_rank};
use crate::ids::{DefRef, ExprRef};
use crate::lookup::result::LookupResult;
use crate::overloads::arity;
use crate::resolver::Resolver;
use crate::symbol_identity;
use crate::this;
use crate::ty::{Substitution, Ty};

/// Whether a use may mean another than the definition that was found for it.
pub(super) fn are_there(
    resolver: &Resolver<'_>,
    at: ExprRef,
    found: &LookupResult,
    of: DefRef,
) -> bool {
    may_be_specialised(resolver, at, of)
        || is_function_specialised(resolver, of)
        || is_of_dependent(resolver, at)
        || may_be_overload(resolver, at, found, of)
}

/// Whether a specialisation of a template may be meant, or one of its members: with arguments behind the name or
/// in the receiver's type, and by the template's own name within a specialisation.
fn may_be_specialised(resolver: &Resolver<'_>, at: ExprRef, of: DefRef) -> bool {
    let is_type = |of: DefRef| resolver.def(of).is_some_and(|def| def.kind.is_type());
    match resolver.expr(at) {
        Expr::Member { of: before, .. } if !is_type(of) => {
            let before = ExprRef { expr: before, ..at };
            if matches!(resolver.expr(before), Expr::This { .. }) {
                return false;
            }
            let mut ty = &resolver.type_of(before).ty;
            while let Ty::Pointer(of) = ty {
                ty = of;
            }
            let (Ty::Instance(class, args) | Ty::Type(class, args)) = ty else {
                return false;
            };
            !args.is_empty() && is_specialised(resolver, *class)
        }
        Expr::Name { scope, .. } if is_type(of) => {
            let is_applied = resolver.applied_to(at).is_some();
            (is_applied || is_within_specialisation(resolver, at, scope))
                && is_specialised(resolver, of)
        }
        Expr::Member { .. } => resolver.applied_to(at).is_some() && is_specialised(resolver, of),
        _ => false,
    }
}

/// Whether a function template is specialised somewhere: what a call gives tells whether that is meant.
fn is_function_specialised(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let is_function = |of: DefRef| resolver.def(of).is_some_and(|def| def.kind.is_callable());
    if !is_function(of) || resolver.params_of(of).is_empty() {
        return false;
    }
    let all = resolver
        .name_of(of)
        .map(|name| resolver.workspace.outside_of(name));
    all.into_iter().flatten().any(|other| {
        let is_special = resolver.def(*other).is_some_and(|def| def.at == NONE);
        is_special && is_function(*other) && resolver.is_of_family(of.file, other.file)
    })
}

/// Whether a place is in the body of a specialisation of some template.
fn is_within_specialisation(resolver: &Resolver<'_>, at: ExprRef, scope: u32) -> bool {
    let Some(bound) = resolver.file(at.file) else {
        return false;
    };
    let mut classes = resolver.scopes_up(bound, scope).filter_map(|id| {
        let scope = bound.scope(id);
        (scope.kind == ScopeKind::Class && scope.owner != NONE).then_some(scope.owner)
    });
    classes.any(|class| bound.def(class).at == NONE)
}

/// Whether a class is a template that is specialised somewhere.
fn is_specialised(resolver: &Resolver<'_>, of: DefRef) -> bool {
    specialisations(resolver, of).next().is_some()
}

/// The specialisations of a class template. They have no name of their own.
pub(super) fn specialisations<'q>(
    resolver: &'q Resolver<'_>,
    of: DefRef,
) -> impl Iterator<Item = DefRef> + 'q {
    let known = resolver.file(of.file).zip(resolver.def(of));
    let named = known.map(|(bound, def)| (bound.name(def.name), def.scope));
    let path = namespace_of(resolver, of);
    let all = named.map_or(&[][..], |(name, _)| resolver.workspace.outside_of(name));
    all.iter().copied().filter(move |other| {
        let found = resolver.def(*other);
        let is_one = |found: &Def| {
            let scope = named.map(|(_, scope)| scope);
            let is_beside = other.file == of.file && Some(found.scope) == scope
                || path.is_some() && namespace_of(resolver, *other) == path;
            found.at == NONE && found.kind.is_type() && (is_beside || found.container != NONE)
        };
        resolver.name_of(*other) == named.map(|(name, _)| name) && found.is_some_and(is_one)
    })
}

/// The path of the namespace that something is right in, empty for the global one.
fn namespace_of<'q>(resolver: &'q Resolver<'_>, of: DefRef) -> Option<&'q str> {
    let bound = resolver.file(of.file)?;
    let scope = bound.scope(bound.def(of.def).scope);
    match scope.kind {
        ScopeKind::File => Some(""),
        ScopeKind::Namespace if scope.owner != NONE => Some(
            resolver
                .workspace
                .text(bound.name(bound.def(scope.owner).name)),
        ),
        _ => None,
    }
}

/// Whether a name stands behind a type that depends on a template's parameters: `Base<T>::name` may be what a
/// specialisation has. What is behind the class around is that class's.
fn is_of_dependent(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let Expr::Member { of, .. } = resolver.expr(at) else {
        return false;
    };
    let before = ExprRef { expr: of, ..at };
    let Ty::Type(class, args) = resolver.type_of(before).ty else {
        return false;
    };
    let scope = scope_of(resolver, before);
    let is_template = || scope.is_some_and(|scope| is_in_template(resolver, at, scope));
    let depends = depend(&args, &|ty| matches!(ty, Ty::Param(_)))
        || depend(&args, &Ty::is_unknown) && is_template();
    if !depends {
        return false;
    }
    let around = scope.and_then(|scope| resolver.type_around(at.file, scope));
    let around = around.or_else(|| match this::instance(resolver, at.file, scope?).ty {
        Ty::Instance(class, _) => Some(class),
        _ => None,
    });
    around.is_none_or(|around| around != class && !resolver.parts(class).types.contains(&around))
}

/// The scope that the first name of a path stands in.
fn scope_of(resolver: &Resolver<'_>, at: ExprRef) -> Option<u32> {
    const LONGEST: u32 = 16;
    let mut at = at;
    for _ in 0..LONGEST {
        match resolver.expr(at) {
            Expr::Name { scope, .. } => return Some(scope),
            Expr::Member { of, .. } | Expr::Apply { of, .. } => at = ExprRef { expr: of, ..at },
            _ => return None,
        }
    }
    None
}

/// Whether a place is in a template.
fn is_in_template(resolver: &Resolver<'_>, at: ExprRef, scope: u32) -> bool {
    resolver.file(at.file).is_some_and(|bound| {
        let mut around = resolver.scopes_up(bound, scope);
        around.any(|scope| bound.scope(scope).kind == ScopeKind::Header)
    })
}

/// Whether some type among type arguments is such a one.
fn depend(args: &[Ty], is_one: &dyn Fn(&Ty) -> bool) -> bool {
    args.iter().any(|ty| match ty {
        ty if is_one(ty) => true,
        Ty::External(_, args) | Ty::Instance(_, args) | Ty::Type(_, args) | Ty::Tuple(args) => {
            depend(args, is_one)
        }
        Ty::Pointer(of) | Ty::Array(of) => depend(std::slice::from_ref(of), is_one),
        _ => false,
    })
}

/// Whether another overload may be meant by a call: one that can take the arguments and is not known to take them
/// worse.
fn may_be_overload(resolver: &Resolver<'_>, at: ExprRef, found: &LookupResult, of: DefRef) -> bool {
    if resolver.def(of).is_none_or(|def| !def.kind.is_callable()) {
        return false;
    }
    let aliased = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    let all: Vec<DefRef> = aliased.collect();
    if all.len() < 2 {
        return false;
    }
    let Some(Expr::Call { args, .. } | Expr::New { args, .. }) =
        resolver.call_of(at).map(|call| resolver.expr(call))
    else {
        return false;
    };
    let given = resolver.each(at.file, args, |at| at);
    let owner = resolver.owner(of);
    let is_rival = |other: &DefRef| {
        *other != of
            && arity::accepts_arity(resolver, *other, &given)
            && resolver.owner(*other) == owner
    };
    let mut rivals = all.iter().copied().filter(is_rival);
    let takes = |of| taken(resolver, of, &found.subst, &given);
    // What a type was inferred to be says nothing against a rival.
    let declared = |at: &ExprRef| match resolver.type_of(*at) {
        typed if typed.is_declared => typed.ty,
        _ => Ty::Unknown,
    };
    let actual: Vec<Ty> = given.iter().map(declared).collect();
    let own = takes(of);
    // Whether it is a declaration of the same function costs most, so it is asked last.
    rivals.any(|rival| {
        is_as_good(resolver, &takes(rival), &own, &actual)
            && !symbol_identity::is_same_symbol(resolver, rival, of)
    })
}

/// The types that a function takes the arguments of a call by.
fn taken(resolver: &Resolver<'_>, of: DefRef, subst: &Substitution, given: &[ExprRef]) -> Vec<Ty> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let params: Vec<DefId> = bound.params(of.def).collect();
    let declared = |index: usize| {
        let param = params.get(index).or(params.last())?;
        let expr = bound.def(*param).ty;
        let lowered = resolver.lower_type(ExprRef {
            file: of.file,
            expr,
        });
        Some(lowered.ty.with(subst))
    };
    (0..given.len())
        .map(|index| declared(index).unwrap_or(Ty::Unknown))
        .collect()
}

/// Whether a rival can take arguments, and it is not known that it takes them worse than the one that was chosen.
fn is_as_good(resolver: &Resolver<'_>, rival: &[Ty], own: &[Ty], actual: &[Ty]) -> bool {
    let (mut is_better, mut is_worse, mut is_open) = (false, false, false);
    for ((rival, own), actual) in rival.iter().zip(own).zip(actual) {
        if rival == own && !rival.is_unknown() {
            continue;
        }
        match (rank(resolver, rival, actual), rank(resolver, own, actual)) {
            (Some(conversions::UNFIT), _) => return false,
            (Some(rival), Some(own)) => {
                is_better |= rival > own;
                is_worse |= rival < own;
            }
            _ => is_open = true,
        }
    }
    is_better || is_open && !is_worse
}

/// How well a parameter of a type takes an argument, if that is known.
fn rank(resolver: &Resolver<'_>, takes: &Ty, actual: &Ty) -> Option<i32> {
    match (takes, actual) {
        (Ty::Unknown | Ty::External(None, _), _)
        | (_, Ty::Unknown | Ty::External(None, _) | Ty::Param(_)) => None,
        (Ty::Param(_), _) => Some(conversions::AS_IT_IS),
        _ => Some(conversion_rank(resolver, takes, actual)),
    }
}
