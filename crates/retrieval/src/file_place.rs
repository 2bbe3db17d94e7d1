//! What a file's path says of its place among others: the module that it is the root of, how deep it is, whether it is
//! outdated.

/// Stems of files that stand for the folder they are in.
const ROOT_STEMS: [&str; 7] = [
    "mod",
    "index",
    "__init__",
    "init",
    "package",
    "package-info",
    "lib",
];
/// Folders that say nothing of what is in them, so that a file does not stand for them.
const PLAIN_FOLDERS: [&str; 4] = ["src", "lib", "source", "sources"];
/// Folders of code that is kept for those who have not moved on.
const OUTDATED: [&str; 6] = [
    "deprecated",
    "deprecations",
    "legacy",
    "obsolete",
    "old",
    "archive",
];

/// A file's name without its ending.
fn file_stem(path: &str) -> &str {
    let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// What a file is called by those who use it: its stem, or of a module's root (`cart/mod.rs`, `cart/__init__.py`) the name
/// of the folder.
pub(crate) fn module_name(path: &str) -> &str {
    match (is_module_root(path), parent_folder(path)) {
        (true, Some(folder)) if !PLAIN_FOLDERS.contains(&folder) => folder,
        _ => file_stem(path),
    }
}

/// Whether a file is the root of a module: what is in its folder belongs to it.
fn is_module_root(path: &str) -> bool {
    ROOT_STEMS.contains(&file_stem(path))
}

/// The name of the folder that a file is in.
pub(crate) fn parent_folder(path: &str) -> Option<&str> {
    let (folders, _) = path.rsplit_once('/')?;
    Some(folders.rsplit_once('/').map_or(folders, |(_, last)| last))
}

/// Folders below those that all files are in.
pub(crate) fn depth_below(path: &str, common: &str) -> usize {
    let below = path.get(common.len()..).unwrap_or(path);
    below.matches('/').count()
}

/// The folders, with a `/` behind each, that two paths have in common; of the first and the last of many in order, those
/// that all are in.
pub(crate) fn common_folders<'p>(first: &'p str, last: &str) -> &'p str {
    let same = first.bytes().zip(last.bytes());
    let same = same.take_while(|(a, b)| a == b).count();
    let end = first.as_bytes()[..same]
        .iter()
        .rposition(|byte| *byte == b'/');
    end.map_or("", |end| &first[..=end])
}

/// Whether a file is of a version that another has replaced: a folder says so, or is called `v1` where `is_replaced` knows
/// a later one of its kind.
pub(crate) fn is_outdated(below: &str, is_replaced: impl Fn(&str, u32) -> bool) -> bool {
    let Some((folders, _)) = below.rsplit_once('/') else {
        return false;
    };
    let mut before = 0;
    folders.split('/').any(|folder| {
        let around = &below[..before];
        before += folder.len() + 1;
        let is_said = OUTDATED
            .iter()
            .any(|word| folder.eq_ignore_ascii_case(word));
        is_said || version(folder).is_some_and(|version| is_replaced(around, version))
    })
}

/// Whether a file is of a version that one of the others has replaced, or is called outdated by its folders.
#[must_use]
pub fn is_replaced(path: &str, others: &[&str]) -> bool {
    is_outdated(path, |around, version| {
        let later = others.iter().filter_map(|other| {
            let rest = other.strip_prefix(around)?;
            self::version(rest.split('/').next()?)
        });
        later.into_iter().any(|later| later > version)
    })
}

/// The number of a folder that is called by a version: `v3`.
pub(crate) fn version(folder: &str) -> Option<u32> {
    let digits = folder.strip_prefix(['v', 'V'])?;
    let is_number =
        (1..=2).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_called_as_its_folder() {
        assert_eq!(module_name("shop/cart/mod.rs"), "cart");
        assert_eq!(module_name("shop/cart/__init__.py"), "cart");
        assert_eq!(module_name("shop/src/lib.rs"), "lib");
        assert_eq!(module_name("index.ts"), "index");
        assert_eq!(module_name("shop/cart.rs"), "cart");
    }

    #[test]
    fn depth_is_counted_below_what_all_have_in_common() {
        let common = common_folders("lib/shop/a.py", "lib/shop/z/b.py");
        assert_eq!(common, "lib/shop/");
        assert_eq!(depth_below("lib/shop/z/b.py", common), 1);
        assert_eq!(common_folders("a.py", "b.py"), "");
    }

    #[test]
    fn outdated_files_are_known_by_folders() {
        let latest = |around: &str, version: u32| around.is_empty() && version < 3;
        assert!(is_outdated("v1/a.ts", latest) && is_outdated("x/Legacy/a.cs", latest));
        assert!(!is_outdated("v3/a.ts", latest) && !is_outdated("x/v1/a.ts", latest));
        assert!(!is_outdated("v1.ts", latest) && !is_outdated("vx/a.ts", latest));
    }
}
