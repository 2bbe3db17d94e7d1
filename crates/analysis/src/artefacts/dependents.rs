//! Whether a type names what changed of the types it depends on (SPEC D31).

use codecortex_index::Symbol;
use codecortex_ledger::{ChangedApi, NameHash};
use codecortex_resolve::Resolver;

use crate::analysis::Analysis;
use crate::artefacts::needs::{id_of_type, type_around};

/// Whether the text of a type names a member of one of the types with these ids whose head changed or that went: the
/// name leads to such a member, or nowhere any more. A name that means something else is none.
#[must_use]
pub fn names_changed(code: &Analysis, symbol: Symbol, on: &[(String, ChangedApi)]) -> bool {
    let names = code.names();
    let resolver = Resolver::new(names.workspace());
    let is_wanted = |name: &str| {
        let hash = NameHash::from_name(name);
        on.iter().any(|(_, changed)| changed.names.contains(&hash))
    };
    let is_meant = |def| {
        let owner = code
            .symbol_of(&resolver, def)
            .and_then(|found| type_around(code, found));
        let id = owner.and_then(|owner| id_of_type(code, owner));
        // The ledger's id may be longer: another type begins with the same letters.
        id.is_none_or(|id| on.iter().any(|(of, _)| of.starts_with(&id)))
    };
    let parts = code.index.parts(symbol).into_iter().map(|part| part.symbol);
    let outside = code.index.member_declarations(symbol).into_iter();
    parts.chain(outside).any(|part| {
        code.index.get(part).is_some_and(|(_, item)| {
            let extent = item.start_byte..item.end_byte;
            resolver.names_any(part.file.0, extent, &is_wanted, &is_meant)
        })
    })
}
