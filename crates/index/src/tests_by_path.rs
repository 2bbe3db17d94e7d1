//! Files of tests, by their paths: what they declare comes behind what they test.

use crate::matching::split_name;

/// Words of folders and of files that hold tests.
const FOLDERS: [&str; 9] = [
    "test", "tests", "spec", "specs", "testing", "testdata", "fixtures", "mocks", "e2e",
];
/// Words that the name of such a file begins or ends with.
const FILES: [&str; 5] = ["test", "tests", "spec", "specs", "conftest"];

/// Whether a file holds tests.
pub(crate) fn is_of_tests(path: &str) -> bool {
    // A build puts these into the product, whatever they are called.
    if path.starts_with("src/main/") || path.contains("/src/main/") {
        return false;
    }
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let words = split_name(stem);
    let ends = [words.first(), words.last()].into_iter().flatten();
    let is_word = |word: &String, of: &[&str]| of.contains(&word.as_str());
    ends.into_iter().any(|word| is_word(word, &FILES))
        || folders
            .split('/')
            .flat_map(split_name)
            .any(|word| is_word(&word, &FOLDERS))
}

/// Whether a word that is searched for names tests.
pub(crate) fn names_tests(word: &str) -> bool {
    split_name(word)
        .iter()
        .any(|word| FILES.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_known_by_their_paths() {
        for path in [
            "tests/a.py",
            "src/Shop.Tests/Cart.cs",
            "a/test_cart.py",
            "cart_test.go",
            "CartTest.java",
            "cart.spec.ts",
            "src/test/java/A.java",
        ] {
            assert!(is_of_tests(path), "{path}");
        }
        for path in [
            "src/latest.ts",
            "contest/a.py",
            "src/attestation.rs",
            "a.go",
            "src/main/java/shop/RepeatedTest.java",
        ] {
            assert!(!is_of_tests(path), "{path}");
        }
        assert!(names_tests("TestUrlFor") && names_tests("test_url") && !names_tests("latest"));
    }
}
