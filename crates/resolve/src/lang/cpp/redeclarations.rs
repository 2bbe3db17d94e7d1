//! Redeclarations: declarations and definitions of one symbol.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{Def, DefKind, Expr, NONE, ScopeKind, flag};

use super::visibility;
use crate::ids::{DefRef, ExprRef};
use crate::overrides;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Other declarations of what a definition defines: prototypes and bodies, `extern` and values,
/// macros in the branches of a condition.
pub(super) fn redeclarations(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def), Some(name)) = (
        resolver.file(of.file),
        resolver.def(of),
        resolver.name_of(of),
    ) else {
        return Vec::new();
    };
    if def.at == NONE || def.kind.is_type() {
        return Vec::new();
    }
    if let Some(owner) = resolver.owner(of) {
        if def.kind == DefKind::Constructor {
            let mut constructors = resolver.constructors(owner);
            constructors.extend(resolver.parts(owner).loose.iter().copied());
            constructors.retain(|other| {
                let is_constructor = resolver
                    .def(*other)
                    .is_some_and(|def| def.kind == DefKind::Constructor);
                is_constructor && *other != of && is_redeclaration(resolver, of, def, *other)
            });
            return constructors;
        }
        let members = resolver.own_members(&resolver.parts(owner), name, def.spaces);
        return members
            .into_iter()
            .filter(|other| *other != of && is_redeclaration(resolver, of, def, *other))
            .collect();
    }
    let scope = bound.scope(def.scope);
    let candidates: Vec<DefRef> = match scope.kind {
        ScopeKind::Namespace if scope.owner != NONE => {
            let path = bound.name(bound.def(scope.owner).name);
            resolver.workspace.in_namespace(path, name).to_vec()
        }
        ScopeKind::File => resolver.workspace.globals(name).to_vec(),
        _ => {
            let same = bound.defs_in(def.scope, def.name);
            same.map(|def| DefRef { file: of.file, def }).collect()
        }
    };
    // What is written as a member of something is no function beside it, whether that is known or not.
    let is_member = |of: &DefRef| resolver.def(*of).is_some_and(|def| def.container != NONE);
    let in_namespace = qualified(resolver, of, def);
    candidates
        .into_iter()
        .filter(|other| is_member(other) == is_member(&of))
        .chain(in_namespace)
        .filter(|other| *other != of && is_redeclaration(resolver, of, def, *other))
        .collect()
}

/// What `void a::f()` defines, and the other way round.
fn qualified(resolver: &Resolver<'_>, of: DefRef, def: &Def) -> Vec<DefRef> {
    let (Some(name), Some(bound)) = (resolver.name_of(of), resolver.file(of.file)) else {
        return Vec::new();
    };
    if def.container != NONE {
        let container = ExprRef {
            file: of.file,
            expr: def.container,
        };
        return match resolver.type_of(container).ty {
            Ty::Namespace(path) => resolver.workspace.in_namespace(path, name).to_vec(),
            _ => Vec::new(),
        };
    }
    let scope = bound.scope(def.scope);
    if scope.kind != ScopeKind::Namespace || scope.owner == NONE {
        return Vec::new();
    }
    let path = resolver
        .workspace
        .text(bound.name(bound.def(scope.owner).name));
    let last = path.rsplit('.').next().unwrap_or(path);
    let Some(last) = resolver.workspace.name(last) else {
        return Vec::new();
    };
    let outside = resolver.workspace.outside_of(last).iter().copied();
    let own = bound.name(bound.def(scope.owner).name);
    outside
        .filter(|other| {
            let found = resolver.def(*other);
            resolver.name_of(*other) == Some(name)
                && found.is_some_and(|def| {
                    let container = ExprRef {
                        file: other.file,
                        expr: def.container,
                    };
                    resolver.type_of(container).ty == Ty::Namespace(own)
                })
        })
        .collect()
}

/// Whether another definition of the name is the same symbol.
fn is_redeclaration(resolver: &Resolver<'_>, of: DefRef, def: &Def, other: DefRef) -> bool {
    let Some(redeclaration) = resolver.def(other) else {
        return false;
    };
    if !resolver.is_of_family(of.file, other.file) {
        return false;
    }
    let is_function = |def: &Def| def.kind.is_callable() && def.kind != DefKind::Macro;
    if def.kind == DefKind::Macro || redeclaration.kind == DefKind::Macro {
        return def.kind == redeclaration.kind && of.file == other.file;
    }
    let is_local = (def.flags | redeclaration.flags) & flag::INTERNAL != 0;
    if of.file != other.file && is_local {
        return false;
    }
    let is_declared = (def.flags | redeclaration.flags) & flag::DECLARATION != 0;
    // Static members are declared in the class and defined outside.
    let is_member = def.container != NONE || redeclaration.container != NONE;
    if is_function(def) {
        return is_function(redeclaration)
            && (is_declared || is_member || may_be_arms(resolver, of, other))
            && are_called_alike(def, redeclaration)
            && overrides::same_params(resolver, of, other)
            && are_as_general(resolver, of, other)
            && are_as_const(resolver, of, other)
            && point_alike(resolver, of, other)
            && hold_alike(resolver, of, other);
    }
    if is_function(redeclaration) || def.spaces != redeclaration.spaces {
        return false;
    }
    match def.kind {
        DefKind::TypeAlias => {
            let is_one = || {
                of.file == other.file || stand_for_one(resolver, (of, def), (other, redeclaration))
            };
            redeclaration.kind == DefKind::TypeAlias && is_one()
        }
        DefKind::Variable | DefKind::Field | DefKind::EnumMember => {
            // Two of one name in one place of a file are in two branches of a condition.
            let in_one_place = of.file == other.file && def.scope == redeclaration.scope;
            is_declared || is_member || in_one_place
        }
        _ => false,
    }
}

/// Whether aliases in two files stand for one class of the workspace, so that each says again what the other does.
fn stand_for_one(resolver: &Resolver<'_>, a: (DefRef, &Def), b: (DefRef, &Def)) -> bool {
    let stands_for = |(of, def): (DefRef, &Def)| {
        let expr = def.ty;
        resolver
            .lower_type(ExprRef {
                expr,
                file: of.file,
            })
            .ty
    };
    // What holds a class of the workspace is as much its own.
    let is_own = |ty: &Ty| match ty {
        Ty::Instance(..) => true,
        Ty::External(Some(_), args) => args.iter().any(|arg| matches!(arg, Ty::Instance(..))),
        _ => false,
    };
    let ty = stands_for(a);
    is_own(&ty) && ty == stands_for(b)
}

/// Whether two definitions of one file may be in two arms of a condition. Those of templates may as well be told apart
/// by what they ask of their parameters, so they are in two arms if one of these is left out.
fn may_be_arms(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let is_dormant = |of| {
        resolver
            .def(of)
            .is_some_and(|def| def.flags & flag::INACTIVE != 0)
    };
    a.file == b.file && (resolver.params_of(a).is_empty() || is_dormant(a) != is_dormant(b))
}

/// Whether parameters of C++ are pointers in both or in none: `f(T*)` is another one than `f(T)`.
fn point_alike(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let pointers = |of: DefRef| -> Vec<bool> {
        let Some(bound) = resolver.file(of.file) else {
            return Vec::new();
        };
        let is_pointer = |param| {
            let ty = bound.expr(bound.def(param).ty);
            matches!(ty, Expr::Pointer { .. } | Expr::Array { .. })
        };
        bound.params(of.def).map(is_pointer).collect()
    };
    !is_cpp(resolver, a) || !is_cpp(resolver, b) || pointers(a) == pointers(b)
}

/// Whether no parameter takes a template with arguments where the other function takes it with those of other classes:
/// `f(list<A>)` is another one than `f(list<B>)`.
fn hold_alike(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let applied = |of: DefRef| -> Vec<Option<ExprRef>> {
        let Some(bound) = resolver.file(of.file) else {
            return Vec::new();
        };
        let part = |param| {
            let mut expr = bound.def(param).ty;
            while let Expr::Pointer { of } = bound.expr(expr) {
                expr = of;
            }
            let is_applied = matches!(bound.expr(expr), Expr::Apply { .. });
            is_applied.then_some(ExprRef {
                file: of.file,
                expr,
            })
        };
        bound.params(of.def).map(part).collect()
    };
    let arguments = |at: ExprRef| match resolver.lower_type(at).ty {
        Ty::External(_, args) | Ty::Instance(_, args) => args.to_vec(),
        _ => Vec::new(),
    };
    let are_classes_of_others = |(a, b): (&Ty, &Ty)| match (a, b) {
        (Ty::Instance(a, _), Ty::Instance(b, _)) => !resolver.parts(*a).types.contains(b),
        _ => false,
    };
    let (a, b) = (applied(a), applied(b));
    let mut pairs = a.into_iter().zip(b).filter_map(|(a, b)| a.zip(b));
    !pairs.any(|(a, b)| {
        let (a, b) = (arguments(a), arguments(b));
        a.iter().zip(&b).any(are_classes_of_others)
    })
}

fn is_cpp(resolver: &Resolver<'_>, of: DefRef) -> bool {
    resolver.workspace.dialect(of.file) == Some(Dialect::Cpp)
}

/// Whether methods are called on the same: `f() const` is another one than `f()`.
fn are_called_alike(a: &Def, b: &Def) -> bool {
    let are_methods = a.kind == DefKind::Method && b.kind == DefKind::Method;
    !are_methods || (a.flags ^ b.flags) & (flag::CONST_METHOD | flag::RVALUE_METHOD) == 0
}

/// Whether both are templates of as many parameters or none is. A member that is written outside of its class has
/// the parameters of the class as well.
fn are_as_general(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let is_outside = |of| resolver.def(of).is_some_and(|def| def.container != NONE);
    let count = |of: DefRef| resolver.params_of(of).len();
    is_outside(a) || is_outside(b) || count(a) == count(b)
}

/// Whether parameters of C++ that point to something do so for both or for none as to what is `const`.
fn are_as_const(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    let consts = |of: DefRef| -> Vec<u32> {
        let Some(bound) = resolver.file(of.file) else {
            return Vec::new();
        };
        let params = bound.params(of.def);
        params
            .map(|param| bound.def(param).flags & flag::POINTS_TO_CONST)
            .collect()
    };
    !is_cpp(resolver, a) || !is_cpp(resolver, b) || consts(a) == consts(b)
}

/// Whether of two declarations of a class one does not define it, or means the other's definition rather
/// than another class of its name in another program.
pub(super) fn is_meant(resolver: &Resolver<'_>, a: (DefRef, &Def), b: (DefRef, &Def)) -> bool {
    let is_declared = |def: &Def| def.flags & flag::DECLARATION != 0;
    let (declared, defined) = match (is_declared(a.1), is_declared(b.1)) {
        (true, false) => (a, b),
        (false, true) => (b, a),
        _ => return true,
    };
    let Some(bound) = resolver.file(defined.0.file) else {
        return true;
    };
    let scope = bound.scope(defined.1.scope);
    let name = bound.name(defined.1.name);
    let all = match scope.kind {
        ScopeKind::Namespace if scope.owner != NONE => {
            let path = bound.name(bound.def(scope.owner).name);
            resolver.workspace.in_namespace(path, name)
        }
        ScopeKind::File => resolver.workspace.globals(name),
        _ => return true,
    };
    let classes: Vec<DefRef> = all
        .iter()
        .copied()
        .filter(|class| {
            let found = resolver.def(*class);
            let found = found.filter(|_| resolver.is_of_family(declared.0.file, class.file));
            found.is_some_and(|def| {
                let is_local = def.flags & flag::INTERNAL != 0 && class.file != declared.0.file;
                def.kind.is_type() && !is_declared(def) && def.container == NONE && !is_local
            })
        })
        .collect();
    classes.len() < 2 || visibility::meant(resolver, declared.0.file, &classes) == Some(defined.0)
}

/// A class that is declared in another and defined outside of it (`class A::B {…}`), from either end.
pub(super) fn nested(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(def), Some(name)) = (resolver.def(of), resolver.name_of(of)) else {
        return Vec::new();
    };
    if !def.kind.is_type() {
        return Vec::new();
    }
    let Some(owner) = resolver.owner(of) else {
        return Vec::new();
    };
    let mut found = resolver.own_members(&resolver.parts(owner), name, def.spaces);
    found.retain(|other| *other != of);
    found
}
