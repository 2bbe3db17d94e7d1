//! Which files of an installed package have its types, as its `package.json` says.
//!
//! Not by `oxc_resolver`: it looks at a file system while it resolves, and the core only names files that a host reads
//! later. Its order of conditions and fields is kept.

use serde_json::Value;

/// Conditions of an export, the one that has types first.
const CONDITIONS: [&str; 6] = ["types", "import", "require", "node", "module", "default"];
/// Conditions inside of others are followed so deep.
const MAX_DEPTH: u32 = 4;
/// So many files are looked for, at most, of what a manifest says of one module.
const MAX_FILES: usize = 8;

/// Files that may have the types of a package or of a part of it, best first, relative to the package.
pub(super) fn types_of(manifest: &Value, inner: &str) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    exported(&manifest["exports"], inner, &mut paths);
    if inner.is_empty() {
        let said = ["types", "typings"].iter();
        let said = said.filter_map(|key| manifest[*key].as_str());
        for path in said {
            paths.extend(versioned(manifest, path));
            paths.push(path.to_owned());
        }
        if let Some(main) = manifest["main"].as_str() {
            paths.push(as_declarations(main));
        }
        paths.extend(versioned(manifest, "index.d.ts"));
        paths.push("index.d.ts".to_owned());
    } else {
        paths.extend(versioned(manifest, inner));
        paths.push(inner.to_owned());
    }
    let paths = paths.iter().map(|path| path.trim_start_matches("./"));
    let inside = paths.filter(|path| !path.is_empty() && !path.split('/').any(|part| part == ".."));
    let mut seen: Vec<String> = Vec::new();
    for path in inside {
        if seen.len() < MAX_FILES && !seen.iter().any(|known| known == path) {
            seen.push(path.to_owned());
        }
    }
    seen
}

/// Paths that take the place of one for the newest TypeScript.
fn versioned(manifest: &Value, path: &str) -> Vec<String> {
    let Some(versions) = manifest["typesVersions"].as_object() else {
        return Vec::new();
    };
    let is_newest = |range: &str| range == "*" || range.trim_start().starts_with('>');
    let Some((_, mapped)) = versions.iter().find(|(range, _)| is_newest(range)) else {
        return Vec::new();
    };
    let path = path.trim_start_matches("./");
    let Some(mapped) = mapped.as_object() else {
        return Vec::new();
    };
    let mut paths = Vec::new();
    for (pattern, targets) in mapped {
        let Some(rest) = matched(pattern, path) else {
            continue;
        };
        let targets = targets.as_array().into_iter().flatten();
        let targets = targets.filter_map(Value::as_str);
        paths.extend(targets.map(|target| target.replacen('*', rest, 1)));
    }
    paths
}

/// The part of a path that a `*` in a pattern takes; nothing where the pattern does not fit.
fn matched<'p>(pattern: &str, path: &'p str) -> Option<&'p str> {
    match pattern.split_once('*') {
        Some((before, after)) => path.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == path).then_some(""),
    }
}

/// The declarations of what a manifest exports, by its own name or by a pattern (`./*`).
fn exported(exports: &Value, inner: &str, paths: &mut Vec<String>) {
    if inner.is_empty() {
        return declared_in(exports.get(".").unwrap_or(exports), 0, paths);
    }
    let key = format!("./{inner}");
    if let Some(of) = exports.get(&key) {
        return declared_in(of, 0, paths);
    }
    let fitting = exports.as_object().into_iter().flatten();
    let fitting = fitting.filter_map(|(pattern, of)| {
        let (before, _) = pattern.split_once('*')?;
        Some((before.len(), matched(pattern, &key)?, of))
    });
    if let Some((_, rest, of)) = fitting.max_by_key(|(length, ..)| *length) {
        let mut found = Vec::new();
        declared_in(of, 0, &mut found);
        paths.extend(found.iter().map(|path| path.replacen('*', rest, 1)));
    }
}

/// The declarations among what a manifest exports under conditions.
fn declared_in(exported: &Value, depth: u32, paths: &mut Vec<String>) {
    match exported {
        Value::String(path) => paths.push(as_declarations(path)),
        Value::Array(several) if depth < MAX_DEPTH => {
            for of in several {
                declared_in(of, depth + 1, paths);
            }
        }
        Value::Object(conditions) if depth < MAX_DEPTH => {
            let found = CONDITIONS.iter().filter_map(|word| conditions.get(*word));
            for of in found {
                declared_in(of, depth + 1, paths);
            }
        }
        _ => {}
    }
}

/// The declarations beside a program: `a.js` has them in `a.d.ts`.
fn as_declarations(path: &str) -> String {
    for (ending, declared) in [(".mjs", ".d.mts"), (".cjs", ".d.cts"), (".js", ".d.ts")] {
        if let Some(stem) = path.strip_suffix(ending) {
            return format!("{stem}{declared}");
        }
    }
    path.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn manifests_say_where_types_are() {
        let cases = [
            (
                json!({ "types": "./dist/a.d.ts", "main": "b.js" }),
                "",
                vec!["dist/a.d.ts", "b.d.ts", "index.d.ts"],
            ),
            (
                json!({ "main": "./lib/b.js" }),
                "",
                vec!["lib/b.d.ts", "index.d.ts"],
            ),
            (json!({ "main": "index.js" }), "", vec!["index.d.ts"]),
            (json!({}), "sub", vec!["sub"]),
            (
                json!({ "exports": { ".": { "import": { "types": "./m.d.mts" } }, "./sub": { "default": "./s.cjs" } } }),
                "",
                vec!["m.d.mts", "index.d.ts"],
            ),
            (
                json!({ "exports": { "./sub": { "default": "./s.cjs" } } }),
                "sub",
                vec!["s.d.cts", "sub"],
            ),
            (
                json!({ "exports": { "./*": "./dist/*.js", "./in/*": "./deep/*.mjs" } }),
                "in/a",
                vec!["deep/a.d.mts", "in/a"],
            ),
            (
                json!({ "types": "../../secret.d.ts" }),
                "",
                vec!["index.d.ts"],
            ),
            // Declarations that only `require` has; the first of several.
            (
                json!({ "exports": { "import": "./a.mjs", "require": { "types": "./a.d.ts", "default": "./a.cjs" } } }),
                "",
                vec!["a.d.mts", "a.d.ts", "a.d.cts", "index.d.ts"],
            ),
            (
                json!({ "exports": { ".": [{ "types": "./t.d.ts" }, "./u.js"] } }),
                "",
                vec!["t.d.ts", "u.d.ts", "index.d.ts"],
            ),
            // For the newest TypeScript.
            (
                json!({ "types": "a.d.ts", "typesVersions": { "<4.0": { "*": ["old/*"] }, ">=4.0": { "*": ["new/*"] } } }),
                "",
                vec!["new/a.d.ts", "a.d.ts", "new/index.d.ts", "index.d.ts"],
            ),
            (
                json!({ "typesVersions": { "*": { "sub/*": ["types/sub/*"] } } }),
                "sub/b",
                vec!["types/sub/b", "sub/b"],
            ),
            (json!([1]), "", vec!["index.d.ts"]),
        ];
        for (manifest, inner, paths) in cases {
            assert_eq!(types_of(&manifest, inner), paths, "{manifest}");
        }
    }
}
