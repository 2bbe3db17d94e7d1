//! The names under which a symbol may be used: its own, and those that imports and re-exports give it.

use codecortex_bind::facts::{DefKind, flag};

use crate::ids::{DefRef, Name};
use crate::list::push;
use crate::resolver::Resolver;
use crate::symbol_identity;

/// Names under which a symbol may be used: its own and those that imports give it.
pub(crate) fn names_of(resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
    let Some(name) = resolver.name_of(of) else {
        return Vec::new();
    };
    let mut names = vec![name];
    // Attributes may leave out the end of their type's name.
    let ending = resolver.rules(of.file).attribute_ending();
    let short = resolver.workspace.text(name).strip_suffix(ending);
    if let Some(short) = short.filter(|_| !ending.is_empty()) {
        names.extend(resolver.workspace.name(short));
    }
    let accessor = resolver
        .rules(of.file)
        .accessor_name(resolver.workspace.text(name));
    names.extend(accessor.and_then(|name| resolver.workspace.name(name)));
    names.extend(resolver.rules(of.file).generated_names(resolver, of));
    let hints = resolver.workspace.hints();
    let given = hints.aliases_of(resolver.workspace.text(name));
    names.extend(given.filter_map(|alias| resolver.workspace.name(alias)));
    let mut next = 0;
    let mut asked = names.clone();
    asked.extend(unwritten_names(resolver, of));
    while next < asked.len() && names.len() < 64 {
        let name = asked[next];
        next += 1;
        for alias in resolver.workspace.renamings(name) {
            if let Some(other) = resolver.name_of(*alias)
                && !names.contains(&other)
                && leads_to(resolver, *alias, of)
            {
                names.push(other);
                asked.push(other);
            }
        }
    }
    names
}

/// The name of a module's default, if a symbol is one: members of the module are taken by it (`ns.default`).
pub(crate) fn name_as_default(resolver: &Resolver<'_>, of: DefRef) -> Option<Name> {
    let name = resolver.workspace.name("default")?;
    unwritten_names(resolver, of)
        .contains(&name)
        .then_some(name)
}

/// Names under which a symbol leaves its file without anybody writing them: `default`.
fn unwritten_names(resolver: &Resolver<'_>, of: DefRef) -> Vec<Name> {
    let Some(bound) = resolver.file(of.file) else {
        return Vec::new();
    };
    let is_default = bound.def(of.def).flags & flag::DEFAULT != 0;
    let mut names: Vec<Name> = resolver
        .workspace
        .name("default")
        .into_iter()
        .filter(|_| is_default)
        .collect();
    for def in bound.all_in(0) {
        let found = bound.def(def);
        if found.flags & flag::UNWRITTEN != 0
            && found.kind == DefKind::Alias
            && leads_to(resolver, DefRef { file: of.file, def }, of)
        {
            push(&mut names, bound.name(found.name));
        }
    }
    names
}

fn leads_to(resolver: &Resolver<'_>, alias: DefRef, of: DefRef) -> bool {
    let followed = resolver.resolve_alias(alias);
    followed
        .ends
        .iter()
        .any(|end| symbol_identity::is_same_symbol(resolver, *end, of))
        || followed.via_aliases.contains(&of)
}
