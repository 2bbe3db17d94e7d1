//! `global using`: what one file brings into the others of its project.

use codecortex_bind::facts::{Def, DefKind, flag};

use crate::query::{Found, Query};
use crate::workspace::{DefRef, FileNo, Sym};

/// What `global using` of other files of the project brings. Without a project file at hand: of files whose
/// folder is around this one's, or beside it.
pub(super) fn global_usings(query: &Query<'_>, file: FileNo, name: Sym, spaces: u8) -> Found {
    let mut all = Found::nothing();
    for other in files_with_global_usings(query) {
        let Some(bound) = query.file(other).filter(|_| other != file) else {
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
        for (index, star) in bound.stars().iter().enumerate() {
            if star.flags & flag::EXPORTED != 0 && star.scope == 0 {
                let found = query.in_star(other, index as u32, name, spaces);
                all.defs.extend(found.defs);
            }
        }
    }
    all.defs.sort_unstable();
    all.defs.dedup();
    all
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
