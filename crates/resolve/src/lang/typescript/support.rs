//! What the parts of TypeScript's rules share.

use crate::ids::ExprRef;
use crate::resolver::Resolver;

/// Whether a name leads out of the workspace.
pub(super) fn is_outside(resolver: &Resolver<'_>, name: ExprRef) -> bool {
    let found = resolver.find(name);
    let leaves = found.defs.iter().all(|def| {
        let followed = resolver.resolve_alias(*def);
        followed.ends.is_empty() && followed.external
    });
    leaves && (found.external || !found.defs.is_empty())
}
