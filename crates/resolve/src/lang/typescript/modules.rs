//! Module resolution: the file of a module's path, and what a module exports as a whole.

use codecortex_bind::facts::{DefKind, Expr, flag};

use crate::file::BoundFile;
use crate::ids::{DefRef, FileNo, Name};
use crate::lookup::result::LookupResult;
use crate::paths::{join, split_path};
use crate::resolver::Resolver;
use crate::ty::Ty;

/// Endings that an import may leave out, in the order in which they are tried.
const ENDINGS: [&str; 10] = [
    "", ".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs",
];

/// What a folder stands for that is no package.
const INDEXES: [&str; 4] = ["/index.ts", "/index.tsx", "/index.d.ts", "/index.js"];

/// What a written ending may stand for.
const WRITTEN: [(&str, &[&str]); 4] = [
    (".js", &[".ts", ".tsx", ".d.ts", ".js", ".jsx"]),
    (".jsx", &[".tsx", ".jsx"]),
    (".mjs", &[".mts", ".d.mts", ".mjs"]),
    (".cjs", &[".cts", ".d.cts", ".cjs"]),
];

/// What programs say of a module of another package: `declare module "a" { … }`.
pub(super) fn described(resolver: &Resolver<'_>, file: FileNo, path: &str) -> Option<LookupResult> {
    let name = resolver.workspace.name(&format!("\"{path}\""))?;
    let modules = resolver.globals(file, name).filter_map(|of| {
        let def = resolver.def(of)?;
        (def.kind == DefKind::Module).then_some(Ty::Module(of.file, def.inner))
    });
    let modules: Vec<Ty> = modules.collect();
    (!modules.is_empty()).then(|| LookupResult::typed(Ty::union(modules)))
}

/// What `export =` or `module.exports =` gives.
pub(super) fn exported_value(resolver: &Resolver<'_>, file: FileNo) -> LookupResult {
    let Some(name) = resolver.workspace.name("export=") else {
        return LookupResult::nothing();
    };
    let Some(bound) = resolver.file(file) else {
        return LookupResult::nothing();
    };
    top_level(bound, file, name)
}

/// What the outermost scope of a file has under a name.
pub(super) fn top_level(bound: &BoundFile, file: FileNo, name: Name) -> LookupResult {
    let Some(local) = bound.local(name) else {
        return LookupResult::nothing();
    };
    let defs = bound.defs_in(0, local).map(|def| DefRef { file, def });
    LookupResult::defs(defs.collect())
}

/// Whether a file has neither imports nor exports: then what is in it is global.
pub(super) fn is_script(file: &BoundFile) -> bool {
    let leaves = flag::EXPORTED | flag::DEFAULT | flag::HIDDEN;
    file.exported().is_empty()
        && file.glob_imports().is_empty()
        && !file.all_in(0).any(|def| {
            let def = file.def(def);
            def.kind == DefKind::Alias || def.flags & leaves != 0
        })
}

/// Whether a module that no file of the workspace is can be a package's, the language's, or a file that is not there:
/// what npm can call a package, what has a scheme (`node:fs`), and what is relative. Anything else (`$lib/a`, `#a`,
/// `@/a`) is another name for files that are known to a build alone.
pub(super) fn can_be_package(written: &str) -> bool {
    let is_relative = ["./", "../", "/"].iter().any(|of| written.starts_with(of));
    let has_scheme = written.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_relative || has_scheme || matches!(written, "." | "..") {
        return true;
    }
    let mut parts = written.strip_prefix('@').unwrap_or(written).split('/');
    let count = if written.starts_with('@') { 2 } else { 1 };
    let is_name = |part: &str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~!'()*".contains(&byte);
        part.starts_with(|first: char| {
            first.is_ascii_alphanumeric() || first == '_' || first == '-'
        }) && part.bytes().all(is_part)
    };
    (0..count).all(|_| parts.next().is_some_and(is_name))
}

/// Whether an import is of a module of which nobody knows whether it is of the workspace.
pub(super) fn is_of_unknown(resolver: &Resolver<'_>, alias: DefRef) -> bool {
    const LONGEST: usize = 8;
    let (Some(bound), Some(def)) = (resolver.file(alias.file), resolver.def(alias)) else {
        return false;
    };
    let mut at = def.value;
    for _ in 0..LONGEST {
        match bound.expr(at) {
            Expr::Member { of, .. } | Expr::Await { of } => at = of,
            Expr::Module { name, .. } => {
                let written = resolver.workspace.text(bound.name(name));
                return !can_be_package(written)
                    && resolve(resolver, alias.file, written).is_none()
                    && described(resolver, alias.file, written).is_none();
            }
            _ => return false,
        }
    }
    false
}

/// The file that a module's path stands for.
pub(super) fn resolve(resolver: &Resolver<'_>, file: FileNo, written: &str) -> Option<FileNo> {
    let from = resolver.file(file)?.path();
    let (folder, _) = split_path(from);
    if written.starts_with('.') {
        let path = join(folder, written)?;
        let file = try_files(resolver, &path).or_else(|| package_at(resolver, from, &path));
        return file.or_else(|| first_of(resolver, &path, &INDEXES));
    }
    let mapped = resolver.workspace.hints().mapped(from, written);
    mapped.iter().find_map(|path| try_endings(resolver, path))
}

/// What the package in a folder says that it stands for.
fn package_at(resolver: &Resolver<'_>, from: &str, folder: &str) -> Option<FileNo> {
    let mains = resolver
        .workspace
        .hints()
        .mapped(from, &format!("./{folder}"));
    mains.iter().find_map(|path| try_endings(resolver, path))
}

fn try_endings(resolver: &Resolver<'_>, path: &str) -> Option<FileNo> {
    try_files(resolver, path).or_else(|| first_of(resolver, path, &INDEXES))
}

fn try_files(resolver: &Resolver<'_>, path: &str) -> Option<FileNo> {
    for (written, others) in WRITTEN {
        if let Some(stem) = path.strip_suffix(written) {
            let found = others
                .iter()
                .find_map(|ending| resolver.workspace.file_at(&format!("{stem}{ending}")));
            if found.is_some() {
                return found;
            }
        }
    }
    first_of(resolver, path, &ENDINGS)
}

/// The file with the first of these endings.
fn first_of(resolver: &Resolver<'_>, path: &str, endings: &[&str]) -> Option<FileNo> {
    endings.iter().find_map(|ending| {
        let path = format!("{path}{ending}");
        // The folder of the workspace itself has no name.
        resolver.workspace.file_at(path.trim_start_matches('/'))
    })
}

#[cfg(test)]
mod tests {
    use super::can_be_package;

    #[test]
    fn names_that_no_package_has_are_told_apart() {
        for name in [
            "react",
            "@a/b/c",
            "a.b",
            "node:fs",
            "https://a.b/c",
            "./a",
            "..",
            "lodash/fp",
            "_a",
        ] {
            assert!(can_be_package(name), "{name}");
        }
        for name in [
            "$lib/db", "#own", "@/a", "~/a", "~~/a", "@a", "a b", "é/a", "@$a/b",
        ] {
            assert!(!can_be_package(name), "{name}");
        }
    }
}
