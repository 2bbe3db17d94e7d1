//! Source folders by convention: `src/<set>/<language>`.

use crate::files::RootFiles;
use crate::model::SourceRoot;
use crate::path;

/// Languages that have folders of their own below `src/<set>/`.
const LANGUAGES: &[&str] = &["java", "kotlin", "groovy", "scala"];

/// The conventional roots `src/<set>/<language>` that hold some of the files.
pub(crate) fn conventional_roots<'a>(
    files: &RootFiles,
    folder: &str,
    paths: impl Iterator<Item = &'a str>,
) -> Vec<SourceRoot> {
    let _ = files;
    let mut roots: Vec<SourceRoot> = Vec::new();
    for file in paths {
        let known = |root: &SourceRoot| path::below(&root.path, file).is_some();
        if roots.last().is_some_and(known) {
            continue;
        }
        if let Some(root) = conventional(folder, file)
            && !roots.contains(&root)
        {
            roots.push(root);
        }
    }
    roots.sort();
    roots
}

fn conventional(folder: &str, file: &str) -> Option<SourceRoot> {
    let rest = path::below(folder, file)?;
    let names: Vec<&str> = rest.split('/').collect();
    let at = names
        .windows(4)
        .position(|four| four[0] == "src" && LANGUAGES.contains(&four[2]))?;
    let root = names[..at + 3].join("/");
    Some(SourceRoot {
        path: path::join(folder, &root),
        prefix: String::new(),
        test: names[at + 1].to_lowercase().contains("test"),
        declared: false,
    })
}

/// The conventional roots directly in a project's folder.
pub(super) fn own_roots(files: &RootFiles, folder: &str) -> Vec<SourceRoot> {
    let src = path::join(folder, "src");
    let paths = files.below(&src).map(|index| files.get(index));
    let mut roots = conventional_roots(files, folder, paths);
    roots.retain(|root| path::depth(&root.path) == path::depth(folder) + 3);
    roots
}

/// Declared roots first, then the conventional ones that they do not replace.
pub(super) fn joined(mut declared: Vec<SourceRoot>, found: Vec<SourceRoot>) -> Vec<SourceRoot> {
    for root in found {
        if !declared.iter().any(|known| known.path == root.path) {
            declared.push(root);
        }
    }
    declared
}
