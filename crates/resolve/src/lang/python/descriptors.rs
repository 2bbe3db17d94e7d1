//! Descriptors: attributes whose class says by `__get__` what reading them gives, and decorators that make such ones.

use codecortex_bind::facts::{Def, DefKind, Expr, ScopeKind, flag, space};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Descriptors from outside that give what they are made over: attributes of SQLAlchemy's models.
const OUTSIDE: [&str; 2] = ["Mapped", "InstrumentedAttribute"];

/// What a function is whose decorators make an object of it: an instance of the class that decorates it, or what
/// reading that gives by `__get__`.
pub(super) fn decorated(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let is_function = matches!(def.kind, DefKind::Method | DefKind::Function);
    if !is_function || def.flags & flag::DECORATED == 0 {
        return None;
    }
    let bound = resolver.file(at.file)?;
    let made = ExprRef {
        file: at.file,
        expr: bound.decorated(at.def)?,
    };
    let ty = resolver.with_depth(|| resolver.type_of(made).ty)?;
    if bound.scope(def.scope).kind == ScopeKind::Class
        && let Some(read) = read(resolver, at, &ty)
    {
        return Some(read);
    }
    let Expr::Call { of, .. } = resolver.expr(made) else {
        return None;
    };
    let by = resolver.type_of(ExprRef { expr: of, ..made }).ty;
    let is_made = matches!(ty, Ty::Instance(..)) && matches!(by, Ty::Type(..));
    is_made.then(|| Typed::inferred(ty))
}

/// What reading an attribute gives whose class says it itself, by `__get__`.
pub(super) fn described(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    let home = resolver.file(at.file)?.scope(def.scope).kind;
    let is_attribute = matches!(def.kind, DefKind::Field | DefKind::Variable);
    if home != ScopeKind::Class || !is_attribute {
        return None;
    }
    read(resolver, at, &resolver.type_of_variable(at).ty)
}

/// What reading an attribute of a class gives that is one of these, by its `__get__`.
fn read(resolver: &Resolver<'_>, at: DefRef, descriptor: &Ty) -> Option<Typed> {
    if let Ty::External(Some(name), args) = descriptor
        && OUTSIDE.contains(&resolver.workspace.text(*name))
    {
        return args.first().cloned().map(Typed::inferred);
    }
    let name = resolver.workspace.name("__get__")?;
    if !matches!(descriptor, Ty::Instance(..)) {
        return None;
    }
    let found = resolver.member(descriptor, name, space::ANY, at.file);
    if found.defs.is_empty() {
        return None;
    }
    // Asked of the class, descriptors give themselves, mostly.
    let results = found
        .defs
        .iter()
        .map(|get| resolver.declared_result(*get).ty);
    let results = results.map(|ty| ty.with(&found.subst));
    let results = results.filter(|ty| ty != descriptor && !ty.is_unknown());
    Some(Typed::inferred(Ty::union(results.collect())))
}
