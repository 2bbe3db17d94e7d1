//! Uses that name nothing any more: what they may mean is known, and has no such name.
//!
//! `Target::external` says less: that nothing of the workspace is meant. Here somebody knows that something of it was.

use codecortex_bind::facts::Expr;

use crate::ids::{ExprRef, Name};
use crate::resolution;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Parts of a type through which pointers lead.
const MAX_POINTERS: usize = 8;

/// Whether what is written at a place names nothing, where it named something of the workspace before. `had_import` says
/// whether an import brought the name then; without it the name may be one that the language has.
#[must_use]
pub(crate) fn is_dangling(resolver: &Resolver<'_>, at: ExprRef, had_import: bool) -> bool {
    resolver.reset_budget();
    let found = resolver.find(at);
    if found.ty.is_some() {
        return false;
    }
    let target = resolution::target_of(resolver, at, &found);
    if !target.defs.is_empty() || target.module.is_some() || target.namespace.is_some() {
        return false;
    }
    if !target.via_aliases.is_empty() {
        return !target.external;
    }
    match resolver.expr(at) {
        Expr::Member {
            of, name, spaces, ..
        } => {
            let Some(bound) = resolver.file(at.file) else {
                return false;
            };
            let name = bound.name(name);
            lacks(resolver, ExprRef { expr: of, ..at }, (name, spaces))
        }
        // What the language itself has of that name takes its place.
        Expr::Name { name, .. } => {
            let name = resolver.file(at.file).map(|bound| bound.name(name));
            let name = name.map_or("", |name| resolver.workspace.text(name));
            !had_import && !resolver.rules(at.file).is_builtin(name)
        }
        _ => !target.external,
    }
}

/// Whether it is known what an expression is, and that this has no member of a name.
fn lacks(resolver: &Resolver<'_>, of: ExprRef, (name, spaces): (Name, u8)) -> bool {
    let mut ty = resolver.type_of(of).ty;
    for _ in 0..MAX_POINTERS {
        match ty {
            Ty::Pointer(to) => ty = (*to).clone(),
            _ => break,
        }
    }
    match &ty {
        Ty::Instance(def, args) | Ty::Type(def, args) => {
            let found = resolver.member_of_type(*def, args, name, spaces);
            found.is_empty() && !found.external
        }
        Ty::Module(file, scope) => {
            let found = resolver.module_member(*file, *scope, name, spaces);
            found.is_empty() && !found.external
        }
        Ty::Object(file, scope, subst) => resolver
            .member_of_object(*file, *scope, subst, name)
            .is_empty(),
        // Nobody knows all parts of a namespace; one of the workspace had it.
        Ty::Namespace(_) => true,
        _ => false,
    }
}
