//! `global using`: what one file, or the project file, brings into all files of a project.

use codecortex_bind::facts::{Def, DefKind, flag, space};

use super::support::FAMILY;
use crate::hints::Using;
use crate::ids::{DefRef, ExprRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::resolver::Resolver;
use crate::ty::Ty;

/// What `global using` of other files of the project, linked ones too, and of the project file brings. Where no
/// manifest says what a project is, all files are one.
pub(super) fn global_usings(
    resolver: &Resolver<'_>,
    file: FileNo,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let mut all = LookupResult::nothing();
    for other in others_of_project(resolver, file) {
        let Some(bound) = resolver.file(other) else {
            continue;
        };
        if let Some(local) = bound.local(name) {
            let aliases = bound.defs_in(0, local).filter(|def| {
                let def = bound.def(*def);
                def.kind == DefKind::Alias
                    && def.flags & flag::EXPORTED != 0
                    && def.spaces & spaces != 0
            });
            all.defs
                .extend(aliases.map(|def| DefRef { file: other, def }));
        }
        for (index, glob) in bound.glob_imports().iter().enumerate() {
            if glob.flags & flag::EXPORTED != 0 && glob.scope == 0 {
                let found = resolver.in_glob_import(other, index as u32, name, spaces);
                all.defs.extend(found.defs);
            }
        }
    }
    for using in of_project_file(resolver, file) {
        all.defs
            .extend(brings(resolver, file, using, name, spaces).defs);
    }
    resolver.workspace.sort(&mut all.defs);
    all
}

/// The namespaces and types of which `global using` and the project file bring what is in them.
pub(super) fn brought(resolver: &Resolver<'_>, file: FileNo) -> Vec<Ty> {
    let mut all = Vec::new();
    for other in others_of_project(resolver, file) {
        let globs = resolver
            .file(other)
            .map_or(&[][..], |bound| bound.glob_imports());
        let global = globs
            .iter()
            .filter(|glob| glob.flags & flag::EXPORTED != 0 && glob.scope == 0);
        all.extend(global.map(|glob| {
            let of = ExprRef {
                file: other,
                expr: glob.of,
            };
            resolver.type_of(of).ty
        }));
    }
    for using in of_project_file(resolver, file) {
        match &using.alias {
            Some(_) => {}
            None if using.is_static => {
                let types = named(resolver, &using.name, space::TYPE).defs.into_iter();
                all.extend(types.map(|of| Ty::Type(of, Default::default())));
            }
            None => all.extend(resolver.workspace.name(&using.name).map(Ty::Namespace)),
        }
    }
    all
}

/// Other files of a file's project, linked ones too, that have `global using`.
fn others_of_project(resolver: &Resolver<'_>, file: FileNo) -> Vec<FileNo> {
    let hints = resolver.workspace.hints();
    let project = |file| hints.project_of(resolver.workspace.path(file).unwrap_or_default());
    let own = project(file);
    let mut files = files_with_global_usings(resolver);
    files.retain(|other| {
        let is_near = project(*other).map(|(folder, _)| folder) == own.map(|(folder, _)| folder);
        let path = || resolver.workspace.path(*other).unwrap_or_default();
        *other != file && (is_near || own.is_some_and(|(_, brought)| brought.links(path())))
    });
    files
}

/// What the project file of a file brings.
fn of_project_file<'w>(resolver: &Resolver<'w>, file: FileNo) -> &'w [Using] {
    let path = resolver.workspace.path(file).unwrap_or_default();
    let project = resolver.workspace.hints().project_of(path);
    project.map_or(&[], |(_, brought)| &brought.usings)
}

/// What a line of the project file brings under a name.
fn brings(
    resolver: &Resolver<'_>,
    file: FileNo,
    using: &Using,
    name: Name,
    spaces: u8,
) -> LookupResult {
    let types = spaces & !space::NAMESPACE;
    match &using.alias {
        Some(alias) if alias == resolver.workspace.text(name) => {
            named(resolver, &using.name, spaces)
        }
        Some(_) => LookupResult::nothing(),
        None if using.is_static => {
            let mut all = LookupResult::nothing();
            for of in named(resolver, &using.name, space::TYPE).defs {
                let of = Ty::Type(of, Default::default());
                all.defs
                    .extend(resolver.member(&of, name, spaces, file).defs);
            }
            all
        }
        // Namespaces in a namespace are not brought in with it.
        None => match resolver.workspace.name(&using.name) {
            Some(path) => resolver.namespace_member(FAMILY, path, name, types),
            None => LookupResult::nothing(),
        },
    }
}

/// What a whole path names.
fn named(resolver: &Resolver<'_>, path: &str, spaces: u8) -> LookupResult {
    let path = path.split('<').next().unwrap_or(path);
    let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
    let sym = |text| resolver.workspace.name(text);
    match (sym(namespace), sym(name)) {
        (Some(namespace), Some(name)) => resolver.namespace_member(FAMILY, namespace, name, spaces),
        _ => LookupResult::nothing(),
    }
}

/// Files with `global using`: each such directive is a definition of that word.
fn files_with_global_usings(resolver: &Resolver<'_>) -> Vec<FileNo> {
    let Some(word) = resolver.workspace.name("global") else {
        return Vec::new();
    };
    let is_directive = |def: &Def| def.kind == DefKind::Alias && def.spaces == 0;
    let defs = resolver.workspace.globals(word).iter();
    let defs = defs.filter(|def| resolver.def(**def).is_some_and(is_directive));
    let mut files: Vec<FileNo> = defs.map(|def| def.file).collect();
    files.dedup();
    files
}
