//! Which definitions are one symbol: declaration merging, redeclarations, a parameter that is a field too.

use codecortex_bind::facts::NONE;

use crate::ids::DefRef;
use crate::list::push;
use crate::resolver::Resolver;

/// Whether two definitions are one symbol: the same place in the text, or redeclarations.
pub(crate) fn is_same_symbol(resolver: &Resolver<'_>, a: DefRef, b: DefRef) -> bool {
    if a == b {
        return true;
    }
    let (Some(a_def), Some(b_def)) = (resolver.def(a), resolver.def(b)) else {
        return false;
    };
    if a.file == b.file && a_def.at == b_def.at && a_def.at != NONE {
        return true;
    }
    symbol(resolver, a).contains(&b)
}

/// Every declaration of the symbol that a definition declares.
#[must_use]
pub(crate) fn symbol(resolver: &Resolver<'_>, of: DefRef) -> Vec<DefRef> {
    let mut all = vec![of];
    let (Some(bound), Some(def)) = (resolver.file(of.file), resolver.def(of)) else {
        return all;
    };
    let name = def.name;
    // At one place of the text: a parameter that is a field too, a key that is a variable.
    let here = bound.defs_at(def.at);
    for other in here.filter(|other| bound.def(*other).name == name) {
        let def = DefRef {
            file: of.file,
            def: other,
        };
        push(&mut all, def);
    }
    if def.kind.is_type() {
        resolver
            .parts(of)
            .types
            .iter()
            .for_each(|part| push(&mut all, *part));
    }
    let rules = resolver.rules(of.file);
    for redeclaration in rules.redeclarations(resolver, of) {
        push(&mut all, redeclaration);
    }
    all
}
