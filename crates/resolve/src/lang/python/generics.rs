//! Type variables: generic classes and functions that do not declare their type parameters.

use codecortex_bind::facts::{NONE, ScopeKind};

use crate::ids::{DefRef, ExprRef};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Type variables in the bases of a class or in the signature of a function, each once, in their order.
pub(super) fn undeclared(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut add = |expr| {
        let at = ExprRef {
            file: of.file,
            expr,
        };
        collect(&resolver.lower_type(at).ty, &mut found, 6);
    };
    if def.kind.is_type() {
        let bases = bound.bases().iter();
        bases
            .filter(|base| base.def == of.def)
            .for_each(|base| add(base.of));
    } else if def.kind.is_callable() && def.inner != NONE {
        bound
            .params(of.def)
            .for_each(|param| add(bound.def(param).ty));
        add(def.ty);
    }
    // Those in brackets are in a scope of their own, and declared.
    found.retain(|param| {
        let scope = resolver
            .def(*param)
            .and_then(|def| Some(resolver.file(param.file)?.scope(def.scope)));
        scope.is_some_and(|scope| scope.kind != ScopeKind::Header)
    });
    found
}

/// The type parameters in a type.
fn collect(ty: &Ty, found: &mut Vec<DefRef>, depth: u32) {
    if depth == 0 {
        return;
    }
    let parts: &[Ty] = match ty {
        Ty::Param(param) => {
            if !found.contains(param) {
                found.push(*param);
            }
            return;
        }
        Ty::External(_, args)
        | Ty::ExternalType(_, args)
        | Ty::Instance(_, args)
        | Ty::Type(_, args)
        | Ty::Tuple(args)
        | Ty::Union(args) => args,
        Ty::Array(of) | Ty::Pointer(of) => std::slice::from_ref(&**of),
        Ty::Map(of) => &[of.0.clone(), of.1.clone()],
        _ => &[],
    };
    for part in parts {
        collect(part, found, depth - 1);
    }
}
