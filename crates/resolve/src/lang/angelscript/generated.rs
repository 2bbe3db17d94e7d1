//! Members that an engine makes of others: a use of one is a use of what it is made of.

use codecortex_bind::facts::DefKind;

use crate::ids::{DefRef, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::scripts::MemberTemplate;
use crate::ty::Ty;

/// What a member of this name may be made of, by what finds members.
pub(super) fn made_of(
    resolver: &Resolver<'_>,
    name: Name,
    find: impl Fn(Name) -> LookupResult,
) -> LookupResult {
    let templates = &resolver.workspace.scripts().generated;
    let text = resolver.workspace.text(name);
    for template in templates {
        for made_of in template.made_of(text) {
            let Some(name) = resolver.workspace.name(&made_of) else {
                continue;
            };
            let mut found = find(name);
            found.defs.retain(|def| takes(resolver, template, *def));
            if !found.defs.is_empty() {
                return LookupResult::defs(found.defs).inferred();
            }
        }
    }
    LookupResult::nothing()
}

/// Under which names something is used that an engine makes members of.
pub(super) fn names_made(resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
    let templates = &resolver.workspace.scripts().generated;
    let Some(name) = resolver.name_of(of).filter(|_| !templates.is_empty()) else {
        return Vec::new();
    };
    let text = resolver.workspace.text(name);
    let fitting = templates
        .iter()
        .filter(|template| takes(resolver, template, of));
    let names = fitting.flat_map(|template| template.made(text));
    names
        .filter_map(|name| resolver.workspace.name(&name))
        .collect()
}

fn takes(resolver: &Resolver<'_>, template: &MemberTemplate, of: DefRef) -> bool {
    let Some(kind) = resolver.def(of).map(|def| def.kind) else {
        return false;
    };
    let is_event = || match resolver.type_of_def(of).ty {
        Ty::Instance(of, _) => {
            let kind = resolver.def(of).map(|def| def.kind);
            matches!(kind, Some(DefKind::Delegate | DefKind::Event))
        }
        // Nobody knows what an engine's type is.
        Ty::External(..) | Ty::Unknown => true,
        _ => false,
    };
    template.takes(kind, is_event)
}
