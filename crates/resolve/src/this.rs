//! What `this`, `self` and `super` are where they stand: an instance of the type around, and the same as its base.

use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeId, ScopeKind, flag};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed};

/// An instance of the type around.
pub(crate) fn instance(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
    if resolver.rules(file).this_is_declared()
        && let Some(param) = this_declared(resolver, file, scope)
    {
        return resolver.type_of_def(param);
    }
    let around = resolver.type_around(file, scope);
    let has_own = resolver.rules(file).has_own_this(resolver, file, scope);
    let outside = || resolver.rules(file).this_outside(resolver, file, scope);
    let own = if has_own { outside() } else { Typed::unknown() };
    if !own.ty.is_unknown() {
        return own;
    }
    let Some(owner) = around else {
        return outside();
    };
    let block = resolver.def(owner).filter(|def| def.kind == DefKind::Impl);
    if let Some(block) = block {
        return resolver.lower_type(ExprRef {
            file,
            expr: block.ty,
        });
    }
    let params = own_params(resolver, owner).into();
    let this = match is_in_static(resolver, file, scope) {
        true => Ty::Type(owner, params),
        false => Ty::Instance(owner, params),
    };
    Typed::declared(this).and(!has_own)
}

/// Whether code is in a function that belongs to the class around and not to its instances, where such functions
/// have an instance: the class itself (JavaScript).
fn is_in_static(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> bool {
    if !resolver.rules(file).this_is_declared() {
        return false;
    }
    let Some(bound) = resolver.file(file) else {
        return false;
    };
    let is_inside = |scope: &ScopeId| bound.scope(*scope).kind != ScopeKind::Class;
    let around = resolver.scopes_up(bound, scope).take_while(is_inside);
    let functions = around.filter(|scope| {
        let scope = bound.scope(*scope);
        scope.kind == ScopeKind::Function && scope.owner != NONE
    });
    functions.last().is_some_and(|function| {
        let owner = bound.scope(function).owner;
        bound.def(owner).flags & flag::STATIC != 0
    })
}

/// The parameter `this` of a function around (TypeScript), inside of the type or object that the code belongs to.
fn this_declared(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<DefRef> {
    let bound = resolver.file(file)?;
    let name = bound.local(resolver.workspace.name("this")?)?;
    let is_param = |def: &u32| {
        let def = bound.def(*def);
        def.kind == DefKind::Parameter && def.ty != NONE
    };
    let mut is_in_function = false;
    // Keys of an object are given what is the instance around it; only its functions have their own.
    let is_own = |scope: &ScopeId| {
        let kind = bound.scope(*scope).kind;
        is_in_function |= kind == ScopeKind::Function;
        !(kind == ScopeKind::Class || kind == ScopeKind::Object && is_in_function)
    };
    let mut around = resolver.scopes_up(bound, scope).take_while(is_own);
    let def = around.find_map(|scope| bound.defs_in(scope, name).find(is_param))?;
    Some(DefRef { file, def })
}

/// A type's own parameters as its arguments: what it is inside of itself.
fn own_params(resolver: &Resolver<'_>, of: DefRef) -> Vec<Ty> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let params = bound.type_params(of.def).into_iter();
    params
        .map(|def| DefRef { file: of.file, def })
        .chain(resolver.rules(of.file).outer_params(resolver, of))
        .chain(resolver.rules(of.file).undeclared_params(resolver, of))
        .map(Ty::Param)
        .collect()
}

/// The instance seen as its base.
pub(crate) fn base_of(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
    bases_of(resolver, &instance(resolver, file, scope).ty)
}

/// Whether an expression is the instance seen as a base, of the class around or of another one that is named.
pub(crate) fn is_super(resolver: &Resolver<'_>, at: ExprRef) -> bool {
    match resolver.expr(at) {
        Expr::Super { .. } => true,
        Expr::Apply { of, .. } => {
            matches!(
                resolver.expr(ExprRef { expr: of, ..at }),
                Expr::Super { .. }
            )
        }
        _ => false,
    }
}

/// The bases of an instance's type.
pub(crate) fn bases_of(resolver: &Resolver<'_>, instance: &Ty) -> Typed {
    let Ty::Instance(def, args) = instance else {
        return Typed::unknown();
    };
    let subst = resolver.substitution_of(*def, args);
    let bases = resolver.extended_bases(&resolver.parts(*def), &subst);
    let mut types: Vec<Ty> = bases.into_iter().map(|(ty, _)| ty).collect();
    if types.is_empty() {
        types.push(Ty::external());
    }
    Typed::declared(Ty::union(types))
}
