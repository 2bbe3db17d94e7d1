//! The uses of definitions, found once and kept as long as the names are the same.

use std::rc::Rc;

use codecortex_analysis::words::TierWord;
use codecortex_ide::sort_uses;
use codecortex_resolve::{DefRef, Resolver, SymbolUses};

use crate::invocation::Invocation;

/// Every use of these definitions, the surest first.
pub(crate) fn found_uses(
    cx: &Invocation<'_>,
    defs: &[DefRef],
    with_related: bool,
) -> Rc<SymbolUses> {
    if defs.is_empty() {
        return Rc::default();
    }
    let names = cx.names();
    if let Some(found) = names.remembered(defs, with_related) {
        return found;
    }
    let query = Resolver::new(names.workspace());
    // Whatever is declared by a name, its uses are the same.
    let asked = match cx.is_by_name(defs) {
        true => &defs[..1],
        false => defs,
    };
    let mut found = query.counted_references_of(asked, with_related);
    let home = defs.first().map(|def| def.file);
    sort_uses(names.workspace(), home, &mut found.references);
    names.remember(defs, with_related, found)
}

/// How many uses these definitions have, without those that are known by name alone where others are known better.
pub(crate) fn count(cx: &Invocation<'_>, defs: &[DefRef]) -> u32 {
    let uses = found_uses(cx, defs, false);
    let is_by_name = cx.is_by_name(defs);
    let counted = uses.references.iter();
    let counted = counted.filter(|of| is_by_name || TierWord::from(of.tier) != TierWord::Name);
    counted.count() as u32
}
