//! The namespace that a file's place gives to what is in it, language by language.
//!
//! Only the path and the package clause are read here; manifests refine it where there are any.

use codecortex_syntax::Language;

use crate::file_facts::IndexedFile;

/// Path segments, outermost first, that precede every declaration of a file; `is_file` says whether its
/// workspace folder has a file of that path.
pub(crate) fn module_segments(file: &IndexedFile, is_file: impl Fn(&str) -> bool) -> Vec<&str> {
    let package = || file.facts.str(file.facts.package);
    // Of most languages the path says it, and nothing has to be read.
    match file.facts.summary().language {
        // Namespaces are written in the file.
        Language::CSharp | Language::C | Language::Cpp | Language::AngelScript => Vec::new(),
        Language::Ruby | Language::Php | Language::Elixir | Language::Swift => Vec::new(),
        Language::Java | Language::Go | Language::Kotlin | Language::Scala => package()
            .split('.')
            .filter(|part| !part.is_empty())
            .collect(),
        Language::Python => python(file, is_file),
        Language::Rust => rust(&file.path),
        Language::TypeScript | Language::Tsx | Language::JavaScript => javascript(&file.path),
        Language::Lua | Language::Bash | Language::Dart | Language::Zig => by_path(&file.path),
    }
}

/// The file's path without its ending.
fn by_path(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(last) = parts.last_mut() {
        *last = stem(last);
    }
    parts
}

/// The file's path without its ending; `index` stands for its folder.
fn javascript(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    if let Some(last) = parts.pop() {
        let stem = last.strip_suffix(".d.ts").unwrap_or_else(|| stem(last));
        if stem != "index" || parts.is_empty() {
            parts.push(stem);
        }
    }
    parts
}

/// The folder of the crate of a Rust file, above its `src`.
pub(crate) fn crate_folder(path: &str) -> Option<&str> {
    if path.starts_with("src/") {
        return Some("");
    }
    path.rfind("/src/").map(|at| &path[..at])
}

/// Packages from the topmost folder that has an `__init__.py`, with those folders in it that have none (namespace
/// packages); else the file's name.
fn python(file: &IndexedFile, is_file: impl Fn(&str) -> bool) -> Vec<&str> {
    let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
    let mut packages = Vec::new();
    // Of the folders so far those up to the outermost one that says that it is a package.
    let mut known = 0;
    let mut rest = folder;
    let mut path = String::with_capacity(file.path.len() + 16);
    while !rest.is_empty() {
        let mut has = |file_name: &str| {
            path.clear();
            path.extend([rest, "/", file_name]);
            is_file(&path)
        };
        let is_package = has("__init__.py") || has("__init__.pyi");
        // What lies above a package and is none has no name in imports.
        if !is_package && known > 0 {
            break;
        }
        let (above, package) = rest.rsplit_once('/').unwrap_or(("", rest));
        packages.push(package);
        if is_package {
            known = packages.len();
        }
        rest = above;
    }
    packages.truncate(known);
    packages.reverse();
    if stem(name) != "__init__" || packages.is_empty() {
        packages.push(stem(name));
    }
    packages
}

/// Crate and modules: what is above `src` is the crate, what is below are modules.
fn rust(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    let file = parts.pop().map(stem).unwrap_or("");
    let start = match parts.iter().rposition(|part| *part == "src") {
        Some(src) => {
            parts.remove(src);
            src.saturating_sub(1)
        }
        // Tests, examples and benches are crates of their own; the package is the folder above.
        None => parts.len().saturating_sub(1),
    };
    let mut segments: Vec<&str> = parts.split_off(start.min(parts.len()));
    if !matches!(file, "lib" | "main" | "mod") {
        segments.push(file);
    }
    segments
}

fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn javascript_modules_are_their_paths() {
        assert_eq!(javascript("src/core/engine.ts"), ["src", "core", "engine"]);
        assert_eq!(javascript("src/core/index.ts"), ["src", "core"]);
        assert_eq!(javascript("index.js"), ["index"]);
        assert_eq!(javascript("types/x.d.ts"), ["types", "x"]);
    }

    #[test]
    fn rust_modules_start_at_the_crate() {
        assert_eq!(rust("crates/index/src/lib.rs"), ["index"]);
        assert_eq!(
            rust("crates/index/src/search/rank.rs"),
            ["index", "search", "rank"]
        );
        assert_eq!(rust("src/main.rs"), Vec::<&str>::new());
        assert_eq!(rust("src/walk.rs"), ["walk"]);
        assert_eq!(rust("crates/index/tests/search.rs"), ["tests", "search"]);
    }
}
