//! Folders from which Python counts its packages.

use rustc_hash::FxHashSet;

use super::setup::Setup;
use crate::files::RootFiles;
use crate::model::SourceRoot;
use crate::path;

/// Roots that a manifest names.
pub(super) fn declared(folder: &str, setup: &Setup) -> Vec<SourceRoot> {
    let roots = setup.roots.iter();
    roots
        .filter_map(|root| {
            Some(SourceRoot {
                path: path::resolve(folder, &root.path).inside()?.to_owned(),
                prefix: root.prefix.clone(),
                test: root.test,
                declared: true,
            })
        })
        .collect()
}

/// The declared roots and those that the files show, each once.
pub(super) fn all(
    files: &RootFiles,
    folder: &str,
    declared: Vec<SourceRoot>,
    is_own: impl Fn(&str) -> bool,
) -> Vec<SourceRoot> {
    let explicit = declared
        .iter()
        .any(|root| root.prefix.is_empty() && !root.test);
    let mut roots: Vec<SourceRoot> = Vec::new();
    add(&mut roots, declared);
    let src = path::join(folder, "src");
    let is_package = has_init(files, &src);
    if !explicit && !is_package && python_files(files, &src).any(&is_own) {
        add(&mut roots, [found(&src)]);
    }
    add(
        &mut roots,
        detected_roots(
            files,
            python_files(files, folder).filter(|path| is_own(path)),
        ),
    );
    let own = files.below(folder).any(|index| {
        let path = files.get(index);
        path::folder(path) == folder && is_python(path)
    });
    if own || roots.is_empty() {
        add(&mut roots, [found(folder)]);
    }
    roots
}

fn add(roots: &mut Vec<SourceRoot>, more: impl IntoIterator<Item = SourceRoot>) {
    for root in more {
        let same = |known: &SourceRoot| known.path == root.path && known.prefix == root.prefix;
        if !roots.iter().any(same) {
            roots.push(root);
        }
    }
}

fn found(folder: &str) -> SourceRoot {
    SourceRoot {
        path: folder.to_owned(),
        prefix: String::new(),
        test: false,
        declared: false,
    }
}

fn is_python(path: &str) -> bool {
    matches!(path::extension(path), "py" | "pyi")
}

fn python_files<'a>(files: &'a RootFiles, folder: &str) -> impl Iterator<Item = &'a str> + use<'a> {
    files
        .below(folder)
        .map(|index| files.get(index))
        .filter(|path| is_python(path))
}

fn has_init(files: &RootFiles, folder: &str) -> bool {
    ["__init__.py", "__init__.pyi"]
        .iter()
        .any(|name| files.contains(&path::join(folder, name)))
}

/// The folders above the topmost packages of some files, in order.
pub(crate) fn detected_roots<'a>(
    files: &'a RootFiles,
    paths: impl Iterator<Item = &'a str>,
) -> Vec<SourceRoot> {
    let mut seen = FxHashSet::default();
    let mut roots = Vec::new();
    for path in paths.filter(|path| is_python(path)) {
        let folder = path::folder(path);
        if !seen.insert(folder) || !has_init(files, folder) {
            continue;
        }
        let mut top = folder;
        while !top.is_empty() && has_init(files, path::folder(top)) {
            top = path::folder(top);
            // What is above has been looked at from here.
            if top.is_empty() {
                break;
            }
        }
        let root = path::folder(top);
        if !top.is_empty() && !roots.iter().any(|known: &SourceRoot| known.path == root) {
            roots.push(self::found(root));
        }
    }
    roots.sort();
    roots
}
