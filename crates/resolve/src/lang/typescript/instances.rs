//! `this` outside of classes (constructor functions), and members that are assigned to it.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefId, DefKind, Expr, NONE, Scope, ScopeId, ScopeKind};

use crate::file::BoundFile;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::object_keys;
use crate::resolver::Resolver;
use crate::ty::{Ty, Typed, no_substitution, none};

/// Whether code is in a function that has a `this` of its own.
pub(super) fn has_own_this(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> bool {
    // Arrows are not in between: what they mean by `this` stands around them.
    let Some(bound) = resolver.file(file) else {
        return false;
    };
    let is_either = |scope: &&Scope| {
        matches!(scope.kind, ScopeKind::Class | ScopeKind::Function) && scope.owner != NONE
    };
    let scopes = resolver.scopes_up(bound, scope).map(|id| bound.scope(id));
    let mut scopes = scopes.filter(is_either);
    let Some(nearest) = scopes.next() else {
        return false;
    };
    let home = bound.scope(bound.def(nearest.owner).scope).kind;
    nearest.kind == ScopeKind::Function && home != ScopeKind::Class
}

/// What `this` is: a method of an object literal, or a constructor function, is around it.
pub(super) fn this(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Typed {
    let Some(bound) = resolver.file(file) else {
        return Typed::unknown();
    };
    let mut is_in_function = false;
    for id in resolver.scopes_up(bound, scope) {
        let scope = bound.scope(id);
        is_in_function |= scope.kind == ScopeKind::Function;
        // What a key gets has the instance of what is around the object.
        if scope.kind == ScopeKind::Object && is_in_function {
            if let Some(owner) = owner_of_object(resolver, file, bound, id) {
                return Typed::inferred(owner);
            }
            let expected = object_keys::contextual_object_type(resolver, file, id);
            let expected = expected.map(|expected| resolver.type_of(expected).ty);
            let object = Ty::Object(file, id, no_substitution());
            return Typed::inferred(expected.filter(has_members).unwrap_or(object));
        }
        let is_untyped = bound.dialect() == Dialect::JavaScript;
        if is_untyped && scope.kind == ScopeKind::Function && scope.owner != NONE {
            let function = bound.def(scope.owner);
            match function.kind {
                DefKind::Lambda => {
                    let owner = owner_of_method(resolver, file, bound, scope.owner)
                        .or_else(|| made_by(resolver, file, scope.owner));
                    if let Some(owner) = owner {
                        return Typed::inferred(owner);
                    }
                }
                DefKind::Function => {
                    let made = DefRef {
                        file,
                        def: scope.owner,
                    };
                    return Typed::inferred(Ty::Instance(made, none()));
                }
                // Of an object literal, which is around it.
                DefKind::Method | DefKind::Property => {}
                _ => return Typed::unknown(),
            }
        }
    }
    Typed::unknown()
}

/// A member that JavaScript declares by assigning a function to it: `app.run = function () { this.stop() }`.
/// In that function, `this` is what it was assigned to.
pub(super) fn assigned_member(resolver: &Resolver<'_>, at: ExprRef) -> Option<LookupResult> {
    let bound = resolver.file(at.file)?;
    let Expr::Member { of, name, .. } = resolver.expr(at) else {
        return None;
    };
    let owner = match bound.expr(of) {
        Expr::Name { name, .. } => bound.name(name),
        Expr::This { scope } => assigned_to(resolver, at.file, scope)?,
        _ => return None,
    };
    let name = bound.name(name);
    let members = resolver.workspace.outside_of(owner).iter().copied();
    let members = members.filter(|def| def.file == at.file && resolver.name_of(*def) == Some(name));
    let members: Vec<DefRef> = members.collect();
    (!members.is_empty()).then(|| LookupResult::defs(members).inferred())
}

/// The name of what the function around is assigned to a member of; arrows have the instance of what is around them.
fn assigned_to(resolver: &Resolver<'_>, file: FileNo, scope: ScopeId) -> Option<Name> {
    let bound = resolver.file(file)?;
    for id in resolver.scopes_up(bound, scope) {
        let scope = bound.scope(id);
        if matches!(scope.kind, ScopeKind::Class | ScopeKind::Object) {
            return None;
        }
        if scope.kind != ScopeKind::Function {
            continue;
        }
        let members = bound.defs().iter().filter(|def| def.container != NONE);
        let assigned = members.filter(
            |def| matches!(bound.expr(def.value), Expr::Function { def } if def == scope.owner),
        );
        if let Some(name) = assigned
            .last()
            .and_then(|def| bound.head_name(def.container))
        {
            return Some(name);
        }
    }
    None
}

/// Whether members of the workspace can be looked up in a type.
pub(super) fn has_members(of: &Ty) -> bool {
    match of {
        Ty::Instance(..) | Ty::Object(..) => true,
        Ty::Union(parts) => parts.iter().any(has_members),
        _ => false,
    }
}

/// What has a function as its method: `A.prototype.m = function () { … }`.
fn owner_of_method(
    resolver: &Resolver<'_>,
    file: FileNo,
    bound: &BoundFile,
    function: DefId,
) -> Option<Ty> {
    let has_it = |def: &&Def| {
        let value = bound.expr(def.value);
        def.container != NONE && matches!(value, Expr::Function { def } if def == function)
    };
    let method = bound.defs().iter().find(has_it)?;
    instance_of(resolver, file, method.container)
}

/// What a function that is a value makes, if it gives that members: `const A = function () { this.x = 1 }`.
fn made_by(resolver: &Resolver<'_>, file: FileNo, function: DefId) -> Option<Ty> {
    let made = DefRef {
        file,
        def: function,
    };
    let has_members = !resolver.parts(made).loose.is_empty();
    has_members.then(|| Ty::Instance(made, none()))
}

/// What has the members of an object that is given to a prototype: `A.prototype = { … }`.
fn owner_of_object(
    resolver: &Resolver<'_>,
    file: FileNo,
    bound: &BoundFile,
    object: ScopeId,
) -> Option<Ty> {
    let members = bound.all_in(object).map(|def| bound.def(def));
    let container = members.map(|def| def.container).find(|of| *of != NONE)?;
    instance_of(resolver, file, container)
}

/// An instance of what an expression names.
fn instance_of(resolver: &Resolver<'_>, file: FileNo, expr: u32) -> Option<Ty> {
    let owner = resolver.lower_type(ExprRef { file, expr });
    match owner.ty {
        Ty::Instance(..) => Some(owner.ty),
        Ty::Type(def, args) => Some(Ty::Instance(def, args)),
        _ => None,
    }
}
