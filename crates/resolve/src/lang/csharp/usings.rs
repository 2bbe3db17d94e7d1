//! `global using`: what one file, or the project file, brings into all files of a project.

use codecortex_bind::facts::{Def, DefKind, flag, space};

use crate::hints::Using;
use crate::lang::Policy as _;
use crate::query::{Found, Query};
use crate::ty::Ty;
use crate::workspace::{DefRef, ExprRef, FileNo, Sym};

/// What `global using` of other files of the project, linked ones too, and of the project file brings. Where no
/// manifest says what a project is, all files are one.
pub(super) fn global_usings(query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
    let mut all = Found::nothing();
    for other in others_of_project(query, file) {
        let Some(bound) = query.file(other) else {
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
        for (index, star) in bound.glob_imports().iter().enumerate() {
            if star.flags & flag::EXPORTED != 0 && star.scope == 0 {
                let found = query.in_star(other, index as u32, name, spaces);
                all.defs.extend(found.defs);
            }
        }
    }
    for using in of_project_file(query, file) {
        all.defs
            .extend(brings(query, file, using, name, spaces).defs);
    }
    query.workspace.sort(&mut all.defs);
    all
}

/// The namespaces and types of which `global using` and the project file bring what is in them.
pub(super) fn brought(query: &Query<'_>, file: FileNo) -> Vec<Ty> {
    let mut all = Vec::new();
    for other in others_of_project(query, file) {
        let stars = query
            .file(other)
            .map_or(&[][..], |bound| bound.glob_imports());
        let global = stars
            .iter()
            .filter(|star| star.flags & flag::EXPORTED != 0 && star.scope == 0);
        all.extend(global.map(|star| {
            let of = ExprRef {
                file: other,
                expr: star.of,
            };
            query.type_of(of).ty
        }));
    }
    for using in of_project_file(query, file) {
        match &using.alias {
            Some(_) => {}
            None if using.is_static => {
                let types = named(query, &using.name, space::TYPE).defs.into_iter();
                all.extend(types.map(|of| Ty::Type(of, Default::default())));
            }
            None => all.extend(query.workspace.sym(&using.name).map(Ty::Namespace)),
        }
    }
    all
}

/// Other files of a file's project, linked ones too, that have `global using`.
fn others_of_project(query: &Query<'_>, file: FileNo) -> Vec<FileNo> {
    let hints = query.workspace.hints();
    let project = |file| hints.project_of(query.workspace.path(file).unwrap_or_default());
    let own = project(file);
    let mut files = files_with_global_usings(query);
    files.retain(|other| {
        let is_near = project(*other).map(|(folder, _)| folder) == own.map(|(folder, _)| folder);
        let path = || query.workspace.path(*other).unwrap_or_default();
        *other != file && (is_near || own.is_some_and(|(_, brought)| brought.links(path())))
    });
    files
}

/// What the project file of a file brings.
fn of_project_file<'w>(query: &Query<'w>, file: FileNo) -> &'w [Using] {
    let path = query.workspace.path(file).unwrap_or_default();
    let project = query.workspace.hints().project_of(path);
    project.map_or(&[], |(_, brought)| &brought.usings)
}

/// What a line of the project file brings under a name.
fn brings(query: &Query<'_>, file: FileNo, using: &Using, name: Sym, spaces: u8) -> Found {
    let types = spaces & !space::NAMESPACE;
    match &using.alias {
        Some(alias) if alias == query.workspace.text(name) => named(query, &using.name, spaces),
        Some(_) => Found::nothing(),
        None if using.is_static => {
            let mut all = Found::nothing();
            for of in named(query, &using.name, space::TYPE).defs {
                let of = Ty::Type(of, Default::default());
                all.defs.extend(query.member(&of, name, spaces, file).defs);
            }
            all
        }
        // Namespaces in a namespace are not brought in with it.
        None => match query.workspace.sym(&using.name) {
            Some(path) => query.namespace_member(family(), path, name, types),
            None => Found::nothing(),
        },
    }
}

fn family() -> u8 {
    super::CSharp.family()
}

/// What a whole path names.
fn named(query: &Query<'_>, path: &str, spaces: u8) -> Found {
    let path = path.split('<').next().unwrap_or(path);
    let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
    let sym = |text| query.workspace.sym(text);
    match (sym(namespace), sym(name)) {
        (Some(namespace), Some(name)) => query.namespace_member(family(), namespace, name, spaces),
        _ => Found::nothing(),
    }
}

/// Files with `global using`: each such directive is a definition of that word.
fn files_with_global_usings(query: &Query<'_>) -> Vec<FileNo> {
    let Some(word) = query.workspace.sym("global") else {
        return Vec::new();
    };
    let is_directive = |def: &Def| def.kind == DefKind::Alias && def.spaces == 0;
    let defs = query.workspace.globals(word).iter();
    let defs = defs.filter(|def| query.def(**def).is_some_and(is_directive));
    let mut files: Vec<FileNo> = defs.map(|def| def.file).collect();
    files.dedup();
    files
}
