//! The archives of the languages' own libraries: every text parses, and known members are in it.

use std::borrow::Cow;

use codecortex_external::standard_library::{ArchiveProblem, InstallProblem, StandardLibrary};
use codecortex_syntax::{Language, Limits, Outcome, analyse_text};

/// As for other declarations from outside the workspace.
const LIMITS: Limits = Limits {
    max_file_size: u32::MAX,
    exclude_generated: false,
};

/// Reads all files of a library with the core's own parser.
fn check_all(language: Language) {
    let library = StandardLibrary::of(language).expect("the language has a library");
    assert!(!library.version().is_empty());
    let paths: Vec<&str> = library.paths().collect();
    assert!(paths.len() > 50, "{language:?} has {} files", paths.len());
    assert!(paths.is_sorted());
    let mut broken = Vec::new();
    for path in paths {
        let text = library.text(path).expect("a listed file has a text");
        match analyse_text(path, &text, LIMITS) {
            Outcome::Facts(facts) if facts.syntax_errors == 0 => {}
            Outcome::Facts(facts) => {
                broken.push(format!("{path}: {} syntax errors", facts.syntax_errors))
            }
            other => broken.push(format!("{path}: {other:?}")),
        }
    }
    assert!(
        broken.is_empty(),
        "{} files of {language:?}: {broken:#?}",
        broken.len()
    );
}

/// Asserts that a file has lines, whatever stands before and behind.
fn assert_has(language: Language, path: &str, lines: &[&str]) {
    let library = StandardLibrary::of(language).expect("the language has a library");
    assert!(library.contains(path), "{path}");
    let text = library.text(path).expect("the file has a text");
    for line in lines {
        assert!(text.contains(line), "{path} has no {line:?}");
    }
}

#[test]
fn every_java_file_parses() {
    check_all(Language::Java);
}

#[test]
fn java_has_generics_nested_types_and_hidden_bases() {
    assert_has(
        Language::Java,
        "java/util/Map.java",
        &[
            "package java.util;",
            "public interface Map<K, V> {",
            "Set<Map.Entry<K, V>> entrySet();",
            "default V computeIfAbsent(K key, Function<? super K, ? extends V> mappingFunction);",
            "interface Entry<K, V> {",
        ],
    );
    assert_has(
        Language::Java,
        "java/util/stream/Stream.java",
        &[
            "<R, A> R collect(Collector<? super T, A, R> collector);",
            "static <T> Stream<T> of(T... values);",
        ],
    );
    // its members are those of a class that is not public
    assert_has(
        Language::Java,
        "java/lang/StringBuilder.java",
        &["extends AbstractStringBuilder"],
    );
    assert_has(
        Language::Java,
        "java/lang/AbstractStringBuilder.java",
        &["public int length();"],
    );
    // java.awt.List is imported nowhere where java.util.List is meant
    assert_has(
        Language::Java,
        "java/time/DayOfWeek.java",
        &["MONDAY, TUESDAY, WEDNESDAY"],
    );
    let library = StandardLibrary::of(Language::Java).expect("the language has a library");
    assert!(!library.contains("java/util/HashMap$Node.java"));
    assert!(!library.contains("sun/misc/Unsafe.java"));
}

#[test]
fn every_python_file_parses() {
    check_all(Language::Python);
}

#[test]
fn python_has_modules_and_packages() {
    assert_has(
        Language::Python,
        "builtins.pyi",
        &["class str(Sequence[str]):", "def removeprefix("],
    );
    assert_has(Language::Python, "os/path.pyi", &["import sys"]);
    assert_has(
        Language::Python,
        "collections/__init__.pyi",
        &["class defaultdict(dict["],
    );
}

#[test]
fn every_csharp_file_parses() {
    check_all(Language::CSharp);
}

#[test]
fn csharp_has_extensions_arities_and_nested_types() {
    assert_has(
        Language::CSharp,
        "System/Linq/Enumerable.cs",
        &[
            "namespace System.Linq;",
            "public static System.Collections.Generic.IEnumerable<TSource> Where<TSource>(\
             this System.Collections.Generic.IEnumerable<TSource> source, \
             System.Func<TSource, bool> predicate);",
        ],
    );
    assert_has(
        Language::CSharp,
        "System/Collections/Generic/Dictionary.cs",
        &[
            "class Dictionary<TKey, TValue>",
            "class KeyCollection",
            "public TValue this[TKey key] { get; set; }",
        ],
    );
    assert_has(
        Language::CSharp,
        "System/Threading/Tasks/Task.cs",
        &[
            "class Task :",
            "class Task<TResult> :",
            "public TResult Result { get; }",
        ],
    );
    let library = StandardLibrary::of(Language::CSharp).expect("the language has a library");
    let list = library
        .text("System/Collections/Generic/List.cs")
        .expect("it is there");
    for hidden in [
        "throw null",
        "private ",
        "internal ",
        "ICollection.IsSynchronized",
    ] {
        assert!(!list.contains(hidden), "{hidden:?} in {list}");
    }
}

#[test]
fn every_go_file_parses() {
    check_all(Language::Go);
}

#[test]
fn go_has_packages_with_what_they_export() {
    assert_has(
        Language::Go,
        "net/http/http.go",
        &[
            "package http\n",
            "type Handler interface {\n\tServeHTTP(ResponseWriter, *Request)\n}",
            "func (c *Client) Do(req *Request) (*Response, error)\n",
            "const StatusNotFound = 404\n",
        ],
    );
    assert_has(
        Language::Go,
        "time/time.go",
        &["const February Month =", "const Second ="],
    );
    assert_has(
        Language::Go,
        "slices/slices.go",
        &["import \"iter\"", "func Sorted["],
    );
    assert_has(Language::Go, "builtin/builtin.go", &["func append("]);
    let library = StandardLibrary::of(Language::Go).expect("the language has a library");
    assert!(!library.paths().any(|path| path.contains("internal/")));
}

#[test]
fn every_rust_file_parses() {
    check_all(Language::Rust);
}

#[test]
fn rust_has_modules_with_macros_expanded_and_exports_followed() {
    assert_has(
        Language::Rust,
        "std/vec.rs",
        &[
            "pub struct Vec<T, A: Allocator = Global> {",
            "    pub const fn new() -> Self;",
            "impl<T, A: Allocator> IntoIterator for Vec<T, A> {\n    type Item = T;",
        ],
    );
    assert_has(
        Language::Rust,
        "std/iter.rs",
        &[
            "pub trait Iterator {",
            "    type Item;",
            "    fn next(&mut self) -> Option<Self::Item>;",
        ],
    );
    // expanded from a macro, in a file of the type's name
    assert_has(
        Language::Rust,
        "std/u16.rs",
        &["pub const fn checked_add(self, rhs: Self) -> Option<Self>;"],
    );
    assert_has(
        Language::Rust,
        "std/slice.rs",
        &[
            "pub fn to_vec(&self) -> Vec<T> where T: Clone;",
            "pub const fn len(&self)",
        ],
    );
    assert_has(
        Language::Rust,
        "std/collections.rs",
        &["pub struct HashMap<K, V", "pub struct BTreeMap<"],
    );
    assert_has(
        Language::Rust,
        "std/prelude/v1.rs",
        &["pub use std::option::Option;"],
    );
    let library = StandardLibrary::of(Language::Rust).expect("the language has a library");
    let slice = library.text("std/slice.rs").expect("it is there");
    assert_eq!(
        slice
            .matches("pub const fn is_empty(&self) -> bool;")
            .count(),
        1,
        "{slice}"
    );
}

#[test]
fn every_typescript_file_parses() {
    check_all(Language::TypeScript);
}

#[test]
fn typescript_has_a_file_for_each_global_name_with_all_editions_of_it() {
    assert_has(
        Language::TypeScript,
        "Array.d.ts",
        &[
            "interface Array<T> {",
            "map<U>(",
            "flatMap<U, This = undefined>",
            "toSorted(",
            "declare var Array: ArrayConstructor;",
        ],
    );
    assert_has(
        Language::JavaScript,
        "IteratorObject.d.ts",
        &["drop(count: number)"],
    );
    assert_has(
        Language::Tsx,
        "HTMLElement.d.ts",
        &["interface HTMLElement extends Element"],
    );
    let library = StandardLibrary::of(Language::TypeScript).expect("the language has a library");
    let blob = library.text("Blob.d.ts").expect("it is there");
    // A worker has it, too.
    assert_eq!(blob.matches("interface Blob {").count(), 1, "{blob}");
    assert!(library.contains("importScripts.d.ts"));
}

#[test]
fn a_language_without_a_library_has_none() {
    assert!(StandardLibrary::of(Language::Lua).is_none());
    assert_eq!(
        StandardLibrary::install(Language::Lua, Vec::new()).err(),
        Some(InstallProblem::Language)
    );
}

#[test]
fn a_damaged_archive_is_rejected_or_lacks_a_text() {
    let problem = |bytes: &[u8]| StandardLibrary::read(bytes.to_vec()).err();
    assert_eq!(problem(b""), Some(ArchiveProblem::Magic));
    assert_eq!(problem(b"CCSTDLB\x02"), Some(ArchiveProblem::Magic));
    let whole: &[u8] = include_bytes!("../data/java.stdlib");
    assert_eq!(
        problem(&whole[..whole.len() - 1]),
        Some(ArchiveProblem::Malformed)
    );
    // an index of 4 GB is not reserved
    assert_eq!(
        problem(b"CCSTDLB\x01\x04\0\0\0\xFF\xFF\xFF\xFFabcd"),
        Some(ArchiveProblem::Malformed)
    );
    let mut damaged = whole.to_vec();
    let middle = damaged.len() / 2;
    for byte in &mut damaged[middle..middle + 4096] {
        *byte = !*byte;
    }
    let library = StandardLibrary::read(Cow::Owned(damaged)).expect("the index is whole");
    let missing = library
        .paths()
        .filter(|path| library.text(path).is_none())
        .count();
    assert!(
        missing > 0 && missing < library.paths().count() / 4,
        "{missing}"
    );
}

#[test]
fn archives_take_three_megabytes_at_most() {
    let archives: [&[u8]; 6] = [
        include_bytes!("../data/csharp.stdlib"),
        include_bytes!("../data/go.stdlib"),
        include_bytes!("../data/java.stdlib"),
        include_bytes!("../data/python.stdlib"),
        include_bytes!("../data/rust.stdlib"),
        include_bytes!("../data/typescript.stdlib"),
    ];
    let total: usize = archives.iter().map(|archive| archive.len()).sum();
    assert!(total <= 3_000_000, "{total} bytes");
}
