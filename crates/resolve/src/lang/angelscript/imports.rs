//! What a file sees of others where scripts import each other: `import Props.Lamps.Lamp;`.

use codecortex_bind::facts::{Expr, flag};

use crate::ids::{DefRef, ExprRef, FileNo};
use crate::resolver::Resolver;
use crate::scripts::ScriptImports;

/// Leaves of several definitions of one name those that a file sees, as far as that is said. What comes from outside of
/// the workspace, everybody sees.
pub(super) fn keep_seen(resolver: &Resolver<'_>, file: FileNo, defs: &mut Vec<DefRef>) {
    let imports = resolver.workspace.scripts().imports;
    let is_only = imports == ScriptImports::Only;
    let is_elsewhere = |def: &DefRef| def.file != file && !resolver.workspace.is_external(def.file);
    let is_clear = defs.len() < 2 && !is_only;
    if imports == ScriptImports::All || is_clear || !defs.iter().any(is_elsewhere) {
        return;
    }
    let imported = imported(resolver, file);
    let is_seen = |def: &DefRef| !is_elsewhere(def) || imported.contains(&def.file);
    if is_only || defs.iter().any(is_seen) && !imported.is_empty() {
        defs.retain(is_seen);
    }
}

/// The files that a file imports.
fn imported(resolver: &Resolver<'_>, file: FileNo) -> Vec<FileNo> {
    let Some(bound) = resolver.file(file) else {
        return Vec::new();
    };
    let imports = bound.glob_imports().iter();
    let imports = imports.filter(|glob| glob.scope == 0 && glob.flags & flag::EXPORTED != 0);
    let names = imports.filter_map(|glob| {
        match resolver.expr(ExprRef {
            file,
            expr: glob.of,
        }) {
            Expr::Module { name, .. } => Some(resolver.workspace.text(bound.name(name))),
            _ => None,
        }
    });
    names.flat_map(|name| files_of(resolver, name)).collect()
}

/// The files of a module: it is called by its path below the folder of scripts.
pub(super) fn files_of(resolver: &Resolver<'_>, module: &str) -> Vec<FileNo> {
    let path = module.replace('.', "/");
    let last = path.rsplit('/').next().unwrap_or(&path);
    let files = [".as", ".As", ".AS"].into_iter().flat_map(|ending| {
        let named = resolver.workspace.files_named(&format!("{last}{ending}"));
        named.iter().copied()
    });
    let is_it = |file: &FileNo| {
        let found = resolver
            .workspace
            .path(*file)
            .and_then(|path| path.rsplit_once('.'));
        let rest = found.and_then(|(stem, _)| stem.strip_suffix(path.as_str()));
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    files.filter(is_it).collect()
}
