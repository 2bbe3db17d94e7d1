//! Modules that questions met and that nothing known declares: who can read more files learns which ones to read.

use codecortex_bind::facts::Expr;

use crate::ids::FileNo;
use crate::resolver::Resolver;

/// An import has so many parts, at most.
const MAX_PARTS: usize = 16;

/// A module that an import or a package leads to and that is in no file that is known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MissingModule {
    /// The file from which it was looked for.
    pub from: FileNo,
    /// The folder that it would be in; `None` where it would be below any root of imports.
    pub folder: Option<String>,
    /// Its names, joined by `/`.
    pub path: String,
}

/// The modules that were met and are missing since a resolver was made, in order. Where nothing has the first name of an
/// import, what the file imports by way of that name is missing, too.
pub(crate) fn missing_modules(resolver: &Resolver<'_>) -> Vec<MissingModule> {
    let mut found = Vec::new();
    for missing in resolver.missing.borrow().iter() {
        found.push(missing.clone());
        if missing.folder.is_none() {
            let paths = imported_paths(resolver, missing.from, &missing.path).into_iter();
            found.extend(paths.map(|path| MissingModule {
                path,
                ..missing.clone()
            }));
        }
    }
    found
}

/// Notes that a folder of installed packages has no such module.
pub(crate) fn note_missing_in(resolver: &Resolver<'_>, from: FileNo, folder: &str, name: &str) {
    resolver.missing.borrow_mut().insert(MissingModule {
        from,
        folder: Some(folder.to_owned()),
        path: name.to_owned(),
    });
}

/// Notes that nothing has a module of this name.
pub(crate) fn note_missing_root(resolver: &Resolver<'_>, from: FileNo, name: &str) {
    resolver.missing.borrow_mut().insert(MissingModule {
        from,
        folder: None,
        path: name.to_owned(),
    });
}

/// Paths of what a file imports by way of a module.
fn imported_paths(resolver: &Resolver<'_>, file: FileNo, root: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    let Some(bound) = resolver.file(file) else {
        return paths;
    };
    for expr in bound.exprs() {
        let mut names = Vec::new();
        let mut at = expr;
        while let Expr::Member { of, name, .. } = at
            && names.len() < MAX_PARTS
        {
            names.push(resolver.workspace.text(bound.name(name)));
            at = bound.expr(of);
        }
        let Expr::Module { name, level: 0, .. } = at else {
            continue;
        };
        if names.is_empty() || resolver.workspace.text(bound.name(name)) != root {
            continue;
        }
        names.push(root);
        names.reverse();
        let path = names.join("/");
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}
