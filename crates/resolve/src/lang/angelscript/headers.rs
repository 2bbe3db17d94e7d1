//! C++ types of the workspace that scripts use: those of the game's own modules, in their headers (SPEC AS1).

use codecortex_bind::facts::{Def, DefKind, flag, space};

use crate::ids::{DefRef, Name};
use crate::lang::cpp;
use crate::resolver::Resolver;

/// How the name under which scripts know a library of functions is part of the name of its class: `ULampStatics` is
/// `Lamp::`.
static LIBRARIES: [(&str, &str); 6] = [
    ("U", "Statics"),
    ("U", "FunctionLibrary"),
    ("U", "BlueprintLibrary"),
    ("UBlueprint", "Library"),
    ("UKismet", "Library"),
    ("U", "Library"),
];

/// The C++ types of a name, or the library of functions that scripts know by it. What is only declared in advance is
/// none.
pub(super) fn types(resolver: &Resolver<'_>, name: Name, spaces: u8) -> Vec<DefRef> {
    if spaces & (space::TYPE | space::NAMESPACE) == 0 {
        return Vec::new();
    }
    let found = types_of(resolver, name);
    if !found.is_empty() || spaces & space::NAMESPACE == 0 {
        return found;
    }
    let short = resolver.workspace.text(name);
    let names = LIBRARIES
        .iter()
        .map(|(before, behind)| format!("{before}{short}{behind}"));
    let libraries = names.filter_map(|name| resolver.workspace.name(&name));
    libraries
        .map(|name| types_of(resolver, name))
        .find(|found| !found.is_empty())
        .unwrap_or_default()
}

/// The C++ types of exactly this name.
pub(super) fn types_of(resolver: &Resolver<'_>, name: Name) -> Vec<DefRef> {
    let is_type = |def: &Def| {
        let is_meant = def.kind.is_type() && def.kind != DefKind::TypeAlias;
        is_meant && def.flags & flag::DECLARATION == 0
    };
    let all = resolver.workspace.globals(name).iter().copied();
    all.filter(|def| resolver.rules(def.file).family() == cpp::FAMILY)
        .filter(|def| resolver.def(*def).is_some_and(is_type))
        .collect()
}
