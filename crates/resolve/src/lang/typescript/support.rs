//! What the parts of TypeScript's rules share.

use codecortex_bind::facts::Expr;

use crate::ids::ExprRef;
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::standard_library::results::leads_into_library;

/// What an intersection (`A & B`) is of, as a union of its parts; none if a type is none.
pub(crate) fn parts_of_intersection(resolver: &Resolver<'_>, at: ExprRef) -> Option<ExprRef> {
    let Expr::Operator { name, left, .. } = resolver.expr(at) else {
        return None;
    };
    let name = resolver.file(at.file)?.name(name);
    (resolver.workspace.text(name) == "&").then_some(ExprRef { expr: left, ..at })
}

/// Whether nothing was found in the workspace: nothing at all, or what the language's own library declares.
pub(super) fn leads_out(found: &LookupResult) -> bool {
    found.is_empty() || found.ty.is_none() && leads_into_library(&found.defs)
}

/// Whether a name leads out of the workspace.
pub(super) fn is_outside(resolver: &Resolver<'_>, name: ExprRef) -> bool {
    let found = resolver.find(name);
    if leads_into_library(&found.defs) {
        return true;
    }
    let leaves = found.defs.iter().all(|def| {
        let followed = resolver.resolve_alias(*def);
        followed.ends.is_empty() && followed.external
    });
    leaves && (found.external || !found.defs.is_empty())
}
