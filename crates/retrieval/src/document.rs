//! What the index is told of a file: its path and its declarations, as plain values.

/// What a declaration is, as far as ranking tells kinds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DeclarationClass {
    /// Class, interface, enum, alias …
    Type,
    /// Function, method, constructor, property with code …
    Callable,
    /// Field, constant, variable, member of an enum …
    Value,
    /// Namespace or module.
    Namespace,
    /// What is outside of every declaration: imports and statements of the file.
    File,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// What the product is made of.
    #[default]
    Source,
    /// Tests what another file does.
    Test,
    /// Examples, benchmarks, documentation, copies for another platform, build output.
    Auxiliary,
}

impl Role {
    /// What the words of a path say of its file.
    ///
    /// ```
    /// # use codecortex_retrieval::Role;
    /// assert_eq!(Role::of_path("src/Shop.Tests/CartTests.cs"), Role::Test);
    /// assert_eq!(Role::of_path("docs/examples/cart.py"), Role::Auxiliary);
    /// assert_eq!(Role::of_path("src/latest.ts"), Role::Source);
    /// assert_eq!(Role::of_path("api/src/main/java/shop/RepeatedTest.java"), Role::Source);
    /// ```
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        const TEST: [&str; 9] = [
            "test", "tests", "spec", "specs", "testing", "testdata", "fixtures", "mocks", "e2e",
        ];
        const AUXILIARY: [&str; 21] = [
            "example",
            "examples",
            "sample",
            "samples",
            "snippets",
            "demo",
            "demos",
            "bench",
            "benches",
            "benchmark",
            "benchmarks",
            "doc",
            "docs",
            "dist",
            "vendor",
            "generated",
            "compat",
            "playground",
            "scripts",
            "website",
            "www",
        ];
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        if is_main_source(path) {
            return Self::Source;
        }
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let has = |text: &str, words: &[&str]| {
            words_of_path(text).any(|word| words.contains(&word.to_lowercase().as_str()))
        };
        let ends: Vec<String> = words_of_path(stem).map(str::to_lowercase).collect();
        let tests_by_name = [ends.first(), ends.last()]
            .into_iter()
            .flatten()
            .any(|word| TEST[..4].contains(&word.as_str()) || word == "conftest");
        if tests_by_name || has(folders, &TEST) {
            Self::Test
        } else if has(folders, &AUXILIARY) || has(stem, &["bench", "benchmark"]) {
            Self::Auxiliary
        } else {
            Self::Source
        }
    }
}

/// Whether a build puts a file into the product, whatever it is called: Maven's and Gradle's `src/main`.
fn is_main_source(path: &str) -> bool {
    path.starts_with("src/main/") || path.contains("/src/main/")
}

fn words_of_path(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .flat_map(crate::words::parts_of)
}

/// A declaration of a file. Positions are bytes of the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration<'a> {
    /// Its simple name.
    pub name: &'a str,
    /// What it is.
    pub kind: DeclarationClass,
    /// The word for its kind in answers, such as `method`.
    pub kind_word: &'static str,
    /// Index of the declaration around it, which comes before it.
    pub parent: Option<u32>,
    /// The type it belongs to where that is written elsewhere (Go methods, Rust `impl`); empty otherwise.
    pub container: &'a str,
    /// Declaration without body.
    pub signature: &'a str,
    /// Documentation as plain text.
    pub doc: &'a str,
    /// First byte, attributes included.
    pub start: u32,
    /// End, exclusive.
    pub end: u32,
    /// First byte of the name.
    pub name_at: u32,
    /// Whether it is a test in a file that has other things too, as in a Rust `mod tests`.
    pub is_test: bool,
}

/// A file: its path and what it declares, parents before children, in source order. What is declared inside of
/// running code is no declaration here; its words are those of the declaration around it.
#[derive(Clone, Debug)]
pub struct RetrievalDocument<'a> {
    /// Path with `/`, unique.
    pub path: &'a str,
    /// What it is for.
    pub role: Role,
    /// Its text, which is read for its words and not kept.
    pub text: &'a str,
    /// What it declares.
    pub declarations: Vec<Declaration<'a>>,
}
