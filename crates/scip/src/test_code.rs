//! Which files test others, by their paths: the names that test runners of the languages look for.

/// Names of folders, in lower case.
const FOLDERS: [&str; 6] = ["test", "tests", "__tests__", "spec", "specs", "androidtest"];
/// Ends of folders' names: projects of .NET.
const FOLDER_ENDS: [&str; 4] = [".Test", ".Tests", ".UnitTests", ".IntegrationTests"];
/// Starts of files' names.
const STARTS: [&str; 2] = ["test_", "conftest."];
/// Ends of files' names, without their ending.
const ENDS: [&str; 9] = [
    "_test",
    "_tests",
    "_unittest",
    "_spec",
    ".test",
    ".spec",
    "-test",
    "Test",
    "Tests",
];

/// Whether a file holds tests: it or a folder around it is named so.
pub(crate) fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let is_folder = |folder: &str| {
        FOLDERS
            .iter()
            .any(|known| folder.eq_ignore_ascii_case(known))
            || FOLDER_ENDS.iter().any(|end| folder.ends_with(end))
    };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    folders.split('/').any(is_folder)
        || STARTS.iter().any(|start| name.starts_with(start))
        || ENDS
            .iter()
            .any(|end| stem.len() > end.len() && stem.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_tests() {
        for path in [
            "tests/a.rs",
            "src/test/java/a/B.java",
            "app/src/store.test.ts",
            "pkg/store_test.go",
            "pkg/test_store.py",
            "conftest.py",
            "Shop.Tests/Store.cs",
            "src/StoreTests.cs",
            "db/log_unittest.cc",
        ] {
            assert!(is_test(path), "{path}");
        }
        for path in [
            "src/a.rs",
            "src/testing.rs",
            "src/contest.ts",
            "latest/a.py",
            "Test.java",
            "attest/mod.go",
            "src/protest.cs",
        ] {
            assert!(!is_test(path), "{path}");
        }
    }
}
