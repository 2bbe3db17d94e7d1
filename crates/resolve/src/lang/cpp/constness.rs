//! Overload resolution by constness of the receiver and of arguments.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeId, ScopeKind, flag};

use super::value_categories;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// From a receiver to what it is a part of, so often.
const DEEPEST: u32 = 6;

/// Of methods that take the arguments equally well those that are `const` if the receiver is, the others if it is not,
/// all if that is not known; before, those for what is moved or for what is not.
pub(super) fn chosen(resolver: &Resolver<'_>, at: ExprRef, defs: Vec<DefRef>) -> Vec<DefRef> {
    let defs = value_categories::by_receiver(resolver, at, defs);
    let is_const = |of: &DefRef| {
        let def = resolver.def(*of);
        def.is_some_and(|def| def.flags & flag::CONST_METHOD != 0)
    };
    let is_method = |of: &DefRef| {
        resolver
            .def(*of)
            .is_some_and(|def| def.kind == DefKind::Method)
    };
    let consts = defs.iter().filter(|def| is_const(def)).count();
    if consts == 0 || consts == defs.len() || !defs.iter().all(is_method) {
        return defs;
    }
    let wanted = match resolver.expr(at) {
        Expr::Member { of, .. } => constness(resolver, ExprRef { expr: of, ..at }, DEEPEST),
        Expr::Name { scope, .. } => of_this(resolver, at.file, scope),
        _ => None,
    };
    let Some(wanted) = wanted else {
        return defs;
    };
    defs.into_iter()
        .filter(|def| is_const(def) == wanted)
        .collect()
}

/// Of functions that take the same types those whose references and pointers to `const` suit the arguments, all where
/// that is not known.
pub(super) fn of_arguments(
    resolver: &Resolver<'_>,
    mut defs: Vec<DefRef>,
    given: &[ExprRef],
) -> Vec<DefRef> {
    for (index, at) in given.iter().enumerate() {
        if defs.len() < 2 {
            break;
        }
        let taken: Vec<Option<(bool, Ty)>> = defs
            .iter()
            .map(|def| taken(resolver, *def, index))
            .collect();
        let is_same = taken.windows(2).all(|pair| match (&pair[0], &pair[1]) {
            (Some((_, a)), Some((_, b))) => a == b && !a.is_unknown(),
            _ => false,
        });
        let consts = taken.iter().flatten().filter(|(is_const, _)| *is_const);
        let differ = (1..defs.len()).contains(&consts.count());
        if !is_same || !differ {
            continue;
        }
        if let Some(wanted) = constness(resolver, *at, DEEPEST) {
            let mut taken = taken.iter().flatten();
            defs.retain(|_| {
                taken
                    .next()
                    .is_some_and(|(is_const, _)| *is_const == wanted)
            });
        }
    }
    defs
}

/// Whether a function's parameter refers or points to what is `const`, and its type.
fn taken(resolver: &Resolver<'_>, of: DefRef, index: usize) -> Option<(bool, Ty)> {
    let bound = resolver.file(of.file)?;
    let param = bound.params(of.def).nth(index)?;
    let ty = resolver.type_of_def(DefRef { def: param, ..of }).ty;
    Some((bound.def(param).flags & flag::POINTS_TO_CONST != 0, ty))
}

/// Whether what an expression means is `const`, if that is known.
fn constness(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> Option<bool> {
    let part = |expr| ExprRef { expr, ..at };
    match resolver.expr(at) {
        _ if depth == 0 => None,
        Expr::This { scope } => of_this(resolver, at.file, scope),
        Expr::Deref { of } => of_pointed(resolver, part(of)),
        Expr::Name { scope, .. } => {
            let (of, def) = meant(resolver, at)?;
            match def.kind {
                DefKind::Field => {
                    let said = of_field(resolver, of, def);
                    said.unwrap_or_else(|| of_this(resolver, at.file, scope))
                }
                _ => of_variable(resolver, of, def, depth),
            }
        }
        Expr::Member { of, .. } => {
            let (field, def) = meant(resolver, at)?;
            let said = of_field(resolver, field, def);
            said.unwrap_or_else(|| constness(resolver, part(of), depth - 1))
        }
        Expr::Call { of, .. } => match resolver.type_of(part(of)).ty {
            Ty::Type(..) => Some(false),
            _ => of_results(resolver, part(of)),
        },
        _ => None,
    }
}

/// What functions say of what they give, of which a call means one; nothing where they differ.
fn of_results(resolver: &Resolver<'_>, callee: ExprRef) -> Option<bool> {
    let found = resolver.find(callee);
    let mut said = found.defs.iter().map(|of| of_result(resolver, *of));
    let first = said.next()??;
    said.all(|other| other == Some(first)).then_some(first)
}

/// Whether what a function gives is `const`, or what it points to. An alias and a parameter of a template may stand for
/// either.
fn of_result(resolver: &Resolver<'_>, of: DefRef) -> Option<bool> {
    let def = resolver.def(of)?;
    if def.flags & flag::CONST != 0 {
        return Some(true);
    }
    names_class(resolver, ty_of(of, def)).then_some(false)
}

fn ty_of(of: DefRef, def: &Def) -> ExprRef {
    ExprRef {
        file: of.file,
        expr: def.ty,
    }
}

/// Whether a class is named where a type is written, perhaps with `*` or arguments.
fn names_class(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    let part = |expr| ExprRef { expr, ..at };
    match resolver.expr(at) {
        Expr::Pointer { of } | Expr::Apply { of, .. } => names_class(resolver, part(of)),
        Expr::Name { .. } | Expr::Member { .. } => {
            meant(resolver, at).is_some_and(|(_, def)| def.kind.is_type())
        }
        _ => false,
    }
}

/// The one definition that a name means.
fn meant<'q>(resolver: &'q Resolver<'_>, at: ExprRef) -> Option<(DefRef, &'q Def)> {
    let found = resolver.find(at);
    let first = found.defs.first().copied()?;
    Some((first, resolver.def(first)?))
}

/// What a pointer says of what it points to; nothing if it is an object that acts as one.
fn of_pointed(resolver: &Resolver<'_>, at: ExprRef) -> Option<bool> {
    if let Expr::This { scope } = resolver.expr(at) {
        return of_this(resolver, at.file, scope);
    }
    if let Expr::Call { of, .. } = resolver.expr(at) {
        let callee = ExprRef { expr: of, ..at };
        let is_pointer = matches!(resolver.type_of(at).ty, Ty::Pointer(_));
        return is_pointer.then(|| of_results(resolver, callee)).flatten();
    }
    let (of, def) = meant(resolver, at)?;
    let is_pointer = def.ty != NONE
        && matches!(resolver.type_of_def(of).ty, Ty::Pointer(of) if !of.is_unknown());
    is_pointer.then_some(def.flags & flag::POINTS_TO_CONST != 0)
}

/// What a field itself says; nothing where the object decides that it is in.
fn of_field(resolver: &Resolver<'_>, of: DefRef, def: &Def) -> Option<Option<bool>> {
    match def.flags {
        flags if flags & flag::READONLY != 0 => Some(Some(true)),
        flags if flags & (flag::MUTABLE | flag::STATIC) != 0 => {
            Some(names_class(resolver, ty_of(of, def)).then_some(false))
        }
        _ => None,
    }
}

fn of_variable(resolver: &Resolver<'_>, of: DefRef, def: &Def, depth: u32) -> Option<bool> {
    if !matches!(def.kind, DefKind::Variable | DefKind::Parameter) {
        return None;
    }
    if def.flags & flag::READONLY != 0 {
        return Some(true);
    }
    if def.ty != NONE {
        return Some(false);
    }
    // `auto` may be a reference to what is `const`.
    let value = ExprRef {
        file: of.file,
        expr: def.value,
    };
    let value = constness(resolver, value, depth - 1);
    value.filter(|is_const| !is_const)
}

/// Whether the object of the method around is `const` in it.
fn of_this(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<bool> {
    let bound = resolver.file(file)?;
    let functions = resolver.scopes_up(bound, scope).filter_map(|scope| {
        let scope = bound.scope(scope);
        let is_function = scope.kind == ScopeKind::Function && scope.owner != NONE;
        is_function.then(|| bound.def(scope.owner))
    });
    let mut methods = functions.filter(|def| def.kind != DefKind::Lambda);
    let method = methods.next()?;
    match method.kind {
        DefKind::Method => Some(method.flags & flag::CONST_METHOD != 0),
        DefKind::Constructor => Some(false),
        _ => None,
    }
}
