//! Contextual property resolution: a key of an object literal means the property of its contextual type.

use codecortex_bind::facts::{DefKind, Expr, NONE, NameId, ScopeId, ScopeKind, flag, space};

use crate::conditional;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::narrow;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// The properties of its contextual type that a key of an object literal means.
pub(crate) fn contextual_property(resolver: &Resolver<'_>, key: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(key.file), resolver.def(key)) else {
        return Vec::new();
    };
    let scope = bound.scope(def.scope);
    if scope.kind != ScopeKind::Object {
        return Vec::new();
    }
    let Some(expected) = contextual_object_type(resolver, key.file, def.scope) else {
        return Vec::new();
    };
    if is_given_first(resolver, expected) {
        return Vec::new();
    }
    resolver.reset_budget();
    let asked = asked_for(resolver, expected);
    let is_open = |asked: &Ty| matches!(asked, Ty::Param(_));
    if !asked.is_empty() && asked.iter().all(is_open) {
        return Vec::new();
    }
    // A member that nobody writes is the value that is expected of a key around.
    let is_nested = matches!(resolver.expr(expected), Expr::Member { at: NONE, .. });
    let typed = if is_nested {
        resolver.type_of(expected)
    } else {
        resolver.lower_type(expected)
    };
    let typed = if typed.ty.is_unknown() {
        resolver.type_of(expected)
    } else {
        typed
    };
    let typed = told_by_written(resolver, key.file, def.scope, expected).unwrap_or(typed);
    let typed = told_by_keys(resolver, key.file, def.scope, typed);
    let found = resolver.member(&typed.ty, bound.name(def.name), space::ANY, key.file);
    found.defs
}

/// Whether what is expected is what a member is, of which nothing but the values is known that it is assigned: each
/// of them is its own (JavaScript).
fn is_given_first(resolver: &Resolver<'_>, expected: ExprRef) -> bool {
    const MAX: usize = 8;
    let mut at = expected;
    for _ in 0..MAX {
        at.expr = match resolver.expr(at) {
            Expr::Member { of, at: NONE, .. } | Expr::Iter { of, .. } => of,
            _ => break,
        };
    }
    if !matches!(resolver.expr(at), Expr::Member { .. }) {
        return false;
    }
    let found = resolver.find(at).defs;
    let is_assigned = |def: &DefRef| {
        let def = resolver.def(*def);
        def.is_some_and(|def| {
            let is_implicit = def.flags & flag::IMPLICIT != 0 || def.container != NONE;
            is_implicit && def.ty == NONE && !def.kind.is_callable()
        })
    };
    !found.is_empty() && found.iter().all(is_assigned)
}

/// Where an object literal's contextual type is written.
pub(crate) fn contextual_object_type(
    resolver: &Resolver<'_>,
    file: FileNo,
    scope: u32,
) -> Option<ExprRef> {
    let expr = resolver.file(file)?.contextual_type_of_object(scope)?;
    Some(ExprRef { file, expr })
}

/// The same by what is written: where an argument of an alias tells the alternatives apart.
fn told_by_written(
    resolver: &Resolver<'_>,
    file: FileNo,
    object: ScopeId,
    expected: ExprRef,
) -> Option<Typed> {
    let bound = resolver.file(file)?;
    let keys = bound.all_in(object).map(|key| bound.def(key));
    let keys = keys.filter(|key| key.value != NONE && !key.kind.is_callable());
    let values: Vec<(NameId, ExprRef)> = keys
        .map(|key| {
            let expr = key.value;
            (key.name, ExprRef { file, expr })
        })
        .collect();
    narrow::alternatives::having_all(resolver, expected, &values)
}

/// Of several contextual types of an object those which can have the values that its keys have.
fn told_by_keys(resolver: &Resolver<'_>, file: FileNo, object: ScopeId, expected: Typed) -> Typed {
    let (Ty::Union(_), Some(bound)) = (&expected.ty, resolver.file(file)) else {
        return expected;
    };
    let keys = bound.all_in(object).map(|key| bound.def(key));
    let keys = keys.filter(|key| key.value != NONE && !key.kind.is_callable());
    keys.fold(expected, |typed, key| {
        let value = ExprRef {
            file,
            expr: key.value,
        };
        narrow::having(resolver, typed, key.name, value)
    })
}

/// What functions that are called ask for at a place, as they declare it, each of several: a type parameter of their
/// own there stands for just what it is given. Nothing where the place is no argument of a call, nor what an argument
/// gives.
fn asked_for(resolver: &Resolver<'_>, expected: ExprRef) -> Vec<Ty> {
    let file = expected.file;
    let part = |expr| asked_for(resolver, ExprRef { file, expr }).into_iter();
    match resolver.expr(expected) {
        Expr::ContextualType { call, index } => asked_argument(resolver, file, call, index),
        Expr::Call { of, args: NONE } => part(of).filter_map(|ty| result(resolver, ty)).collect(),
        Expr::Await { of } => {
            let awaited = |of: Ty| {
                let held = resolver
                    .unwrapped(file, &Typed::inferred(of.clone()), "await")
                    .ty;
                if held.is_unknown() { of } else { held }
            };
            part(of).map(awaited).collect()
        }
        Expr::Member { of, at: NONE, .. } => part(of)
            .filter(|asked| matches!(asked, Ty::Param(_)))
            .collect(),
        _ => Vec::new(),
    }
}

/// `Checked<T>`, where that depends on a condition: what it lets through is what is given.
fn is_of_alias_with_condition(resolver: &Resolver<'_>, declared: ExprRef) -> bool {
    let Expr::Apply { of, .. } = resolver.expr(declared) else {
        return false;
    };
    let found = resolver.find(ExprRef {
        expr: of,
        ..declared
    });
    let ends = found
        .defs
        .iter()
        .flat_map(|def| resolver.resolve_alias(*def).ends);
    ends.into_iter().any(|alias| {
        let target = resolver
            .def(alias)
            .filter(|def| def.kind == DefKind::TypeAlias);
        target.is_some_and(|def| {
            conditional::is_conditional(
                resolver,
                ExprRef {
                    file: alias.file,
                    expr: def.ty,
                },
            )
        })
    })
}

/// What a function gives that is asked for; what is given for a type parameter gives what it does.
fn result(resolver: &Resolver<'_>, asked: Ty) -> Option<Ty> {
    match asked {
        Ty::Function(defs, subst) => {
            let result = resolver.declared_result(*defs.first()?).ty;
            Some(result.with(&subst))
        }
        Ty::Param(_) => Some(asked),
        _ => None,
    }
}

/// The declared types of a parameter of what a call calls.
fn asked_argument(resolver: &Resolver<'_>, file: FileNo, call: u32, index: u32) -> Vec<Ty> {
    let (Expr::Call { of, .. } | Expr::New { of, .. }) =
        resolver.expr(ExprRef { file, expr: call })
    else {
        return Vec::new();
    };
    // What is written stands for itself.
    if matches!(
        resolver.expr(ExprRef { file, expr: of }),
        Expr::Apply { .. }
    ) {
        return Vec::new();
    }
    let (defs, own) = match resolver.type_of(ExprRef { file, expr: of }).ty {
        Ty::Function(defs, _) => (defs.to_vec(), Vec::new()),
        Ty::Type(def, _) => (resolver.constructors(def), resolver.params_of(def)),
        _ => return Vec::new(),
    };
    let declared = |def: &DefRef| {
        let bound = resolver.file(def.file)?;
        let is_given = |param: &u32| bound.def(*param).flags & flag::RECEIVER == 0;
        let mut params = bound.params(def.def).filter(is_given);
        let declared = ExprRef {
            file: def.file,
            expr: bound.def(params.nth(index as usize)?).ty,
        };
        if is_of_alias_with_condition(resolver, declared) {
            return resolver.params_of(*def).first().map(|own| Ty::Param(*own));
        }
        let ty = resolver.lower_type(declared).ty;
        let is_own = |param| own.contains(param) || resolver.params_of(*def).contains(param);
        match &ty {
            Ty::Param(param) if !is_own(param) => Some(Ty::Unknown),
            _ => Some(ty),
        }
    };
    defs.iter().filter_map(declared).collect()
}
