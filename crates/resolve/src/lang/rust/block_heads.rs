//! The names of `impl` blocks that a type from outside may have methods by.

use crate::ids::Name;
use crate::resolver::Resolver;
use crate::standard_library::tables;
use crate::ty::Ty;

/// The names under which blocks for a type from outside are found: its own, and that of what it is to calls that it has no
/// method for.
pub(super) fn heads_of_blocks(resolver: &Resolver<'_>, of: &Ty) -> [Option<Name>; 2] {
    match tables::as_named(resolver, of) {
        Ty::External(Some(head), _) => [Some(head), reached_by(resolver, head)],
        Ty::ExternalType(head, _) => [head, None],
        Ty::Array(_) => ["Vec", "[]"].map(|name| resolver.workspace.name(name)),
        Ty::Tuple(_) => [resolver.workspace.name("()"), None],
        _ => [None; 2],
    }
}

/// What a value of a type from outside is to calls that it has no method for.
fn reached_by(resolver: &Resolver<'_>, head: Name) -> Option<Name> {
    let name = match resolver.workspace.text(head) {
        "Vec" => "[]",
        "String" => "str",
        _ => return None,
    };
    resolver.workspace.name(name)
}
