//! What depends on whom a member is asked of: methods that give an instance of whatever class they are called on, and
//! attributes that are descriptors.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeKind, flag, space};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Values are followed this far.
const FARTHEST: u32 = 8;

/// What a method of an ancestor gives that makes an instance of the class it is called on: `-> Self`, `return self`,
/// `return cls(…)`.
pub(super) fn called(resolver: &Resolver<'_>, callee: ExprRef) -> Option<Typed> {
    let Expr::Member { of, .. } = resolver.expr(callee) else {
        return None;
    };
    let of = ExprRef { expr: of, ..callee };
    if resolver.is_super(of) {
        return None;
    }
    let receiver = resolver.type_of(of);
    let (Ty::Instance(class, args) | Ty::Type(class, args)) = receiver.ty else {
        return None;
    };
    let [method] = resolver.find(callee).defs[..] else {
        return None;
    };
    let def = resolver.def(method)?;
    let changed = flag::ASYNC | flag::GENERATOR | flag::DECORATED;
    if def.kind != DefKind::Method || def.flags & changed != 0 {
        return None;
    }
    let owner = resolver.owner(method).filter(|owner| *owner != class)?;
    let at = |expr| ExprRef {
        file: method.file,
        expr,
    };
    let is_own = match def.ty {
        NONE => {
            let gives = resolver.declared_result(method).ty;
            matches!(gives, Ty::Instance(of, _) if of == owner)
                && is_made_of_receiver(resolver, at(def.value), FARTHEST)
        }
        written => matches!(resolver.expr(at(written)), Expr::SelfType { .. }),
    };
    is_own.then_some(Typed {
        ty: Ty::Instance(class, args),
        is_declared: receiver.is_declared && def.ty != NONE,
    })
}

/// Whether a value is the receiver of the method around, or is made by calling its class.
fn is_made_of_receiver(resolver: &Resolver<'_>, at: ExprRef, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let part = |expr| is_made_of_receiver(resolver, ExprRef { expr, ..at }, depth);
    match resolver.expr(at) {
        Expr::Call { of, .. } | Expr::TypeOf { of } => part(of),
        Expr::Union { of } => {
            let parts = resolver.each(at.file, of, |at| part(at.expr));
            parts.contains(&true)
        }
        Expr::Name { .. } => match resolver.find(at).defs[..] {
            [of] if of.file == at.file => resolver.def(of).is_some_and(|def| {
                def.flags & flag::RECEIVER != 0
                    || def.kind == DefKind::Variable && def.value != NONE && part(def.value)
            }),
            _ => false,
        },
        _ => false,
    }
}

/// What a function is whose decorators make an object of it: an instance of the class that decorates it, or what reading
/// that gives by `__get__`.
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
