//! What the parts of Rust's rules share.

use codecortex_bind::Dialect;
use codecortex_bind::facts::{DefKind, Expr, NONE, ScopeKind};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::standard_library::is_library;
use crate::ty::Ty;

/// Types that are no more than a way to another one.
pub(super) const POINTERS: [&str; 20] = [
    "Box",
    "Rc",
    "Arc",
    "Cow",
    "Pin",
    "Ref",
    "RefMut",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "ManuallyDrop",
    "LazyLock",
    "Lazy",
    "LazyCell",
    "NonNull",
    "Reverse",
    "Wrapping",
    "Saturating",
    "Unique",
    "CachePadded",
];

/// Whether a file is of this language.
pub(super) fn is_rust(resolver: &Resolver<'_>, file: FileNo) -> bool {
    resolver.workspace.dialect(file) == Some(Dialect::Rust)
}

/// Whether a value is of a type from outside of the workspace.
pub(super) fn is_of_outside(of: &Ty) -> bool {
    match of {
        Ty::Instance(def, _) | Ty::Type(def, _) => is_library(def.file),
        Ty::Array(_) | Ty::Tuple(_) => true,
        of => of.is_external(),
    }
}

/// Whether a definition is a trait.
pub(super) fn is_trait(resolver: &Resolver<'_>, of: DefRef) -> bool {
    let kind = resolver.def(of).map(|def| def.kind);
    kind == Some(DefKind::Trait)
}

/// The last name of what is called.
pub(super) fn called_name<'w>(resolver: &Resolver<'w>, callee: ExprRef) -> Option<&'w str> {
    let bound = resolver.file(callee.file)?;
    match bound.expr(callee.expr) {
        Expr::Name { name, .. } | Expr::Member { name, .. } => {
            Some(resolver.workspace.text(bound.name(name)))
        }
        _ => None,
    }
}

/// Whether a definition is in an `impl` of a trait.
pub(super) fn is_of_trait(resolver: &Resolver<'_>, def: DefRef) -> bool {
    let (Some(bound), Some(found)) = (resolver.file(def.file), resolver.def(def)) else {
        return false;
    };
    let scope = bound.scope(found.scope);
    scope.kind == ScopeKind::Class
        && scope.owner != NONE
        && bound.bases().iter().any(|base| base.def == scope.owner)
}

/// What bounds a type parameter.
pub(super) fn bound_of(resolver: &Resolver<'_>, param: DefRef) -> Ty {
    let expr = resolver.def(param).map_or(NONE, |def| def.ty);
    let at = ExprRef {
        file: param.file,
        expr,
    };
    resolver.lower_type(at).ty
}
