//! Classes that are values: `class Car extends pick()`, `const Base = mixin(Engine)`, `class extends Base` in a function
//! that is given `Base`.

use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeKind, space};

use super::support;
use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// Functions around a class are looked for this far.
const DEEPEST: usize = 64;

/// What a type lowers to that is no name and no form that all languages have: a base by a value, an intersection.
pub(super) fn lower(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    match support::parts_of_intersection(resolver, at) {
        Some(parts) => Some(resolver.lower_type(parts)),
        None => lower_base(resolver, at),
    }
}

/// What a value makes instances of, that a class is derived from: `extends` with an expression is bound as `new` of it.
fn lower_base(resolver: &Resolver<'_>, at: ExprRef) -> Option<Typed> {
    let Expr::New { of, .. } = resolver.expr(at) else {
        return None;
    };
    let class = resolver.type_of(ExprRef { expr: of, ..at });
    let made = made_by(resolver, &class.ty)?;
    Some(Typed {
        ty: made,
        is_declared: class.is_declared,
    })
}

/// What the constructor makes that a value is.
pub(super) fn made_by(resolver: &Resolver<'_>, class: &Ty) -> Option<Ty> {
    match class {
        Ty::Type(def, args) => Some(Ty::Instance(*def, args.clone())),
        Ty::ExternalType(name, args) | Ty::External(name, args) => {
            Some(Ty::External(*name, args.clone()))
        }
        // What a mixin gives is the class that it makes and the one that it is given.
        Ty::Union(parts) => {
            let made = parts.iter().filter_map(|part| made_by(resolver, part));
            Some(Ty::choice(made.collect())).filter(|made| !made.is_unknown())
        }
        // `new (…) => T`
        Ty::Function(defs, subst) => {
            let result = resolver.declared_result(*defs.first()?).ty.with(subst);
            (!result.is_unknown()).then_some(result)
        }
        Ty::Instance(def, _) => constructed(resolver, class, def.file),
        Ty::Object(file, ..) => constructed(resolver, class, *file),
        // The class that the parameter stands for is not known before the call.
        Ty::Param(_) => Some(class.clone()),
        _ => None,
    }
}

fn constructed(resolver: &Resolver<'_>, class: &Ty, file: FileNo) -> Option<Ty> {
    let name = resolver.workspace.name("(new)")?;
    let found = resolver.member(class, name, space::ANY, file);
    let signature = found.defs.first()?;
    let made = resolver.declared_result(*signature).ty.with(&found.subst);
    (!made.is_unknown()).then_some(made)
}

/// The type parameters of the functions around a class: what it is depends on them.
pub(super) fn outer_params(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    if def.kind != DefKind::Class || def.scope == 0 {
        return Vec::new();
    }
    let mut params = Vec::new();
    let mut scope = def.scope;
    for _ in 0..DEEPEST {
        if scope == NONE {
            break;
        }
        let around = bound.scope(scope);
        if around.kind == ScopeKind::Function && around.owner != NONE {
            let own = bound.type_params(around.owner).into_iter();
            params.extend(own.map(|def| DefRef { def, ..of }));
        }
        scope = around.parent;
    }
    params
}

/// The type of a class in a generic function: with the parameters of that as its last arguments.
pub(super) fn type_of_class(resolver: &Resolver<'_>, at: DefRef, def: &Def) -> Option<Typed> {
    if def.kind != DefKind::Class || def.scope == 0 {
        return None;
    }
    let outer = outer_params(resolver, at);
    if outer.is_empty() {
        return None;
    }
    let mut args = vec![Ty::Unknown; resolver.params_of(at).len()];
    args.extend(outer.into_iter().map(Ty::Param));
    Some(Typed::declared(Ty::Type(at, args.into())))
}

/// What a parameter is derived from that a class has as its base: what its bound says that it makes.
pub(super) fn base_by_bound(resolver: &Resolver<'_>, param: DefRef) -> Option<Ty> {
    let bound = resolver.bound_of(param)?;
    made_by(resolver, &bound).filter(|made| *made != Ty::Param(param))
}
