//! A host hands in an archive before the first question; one test, because a process has one library a language.

use codecortex_external::standard_library::{ArchiveProblem, InstallProblem, StandardLibrary};
use codecortex_syntax::Language;

#[test]
fn a_host_hands_in_a_library_once_and_before_it_is_used() {
    let archive: &[u8] = include_bytes!("../data/go.stdlib");
    let installed = StandardLibrary::install(Language::Rust, archive).expect("it is the first");
    assert_eq!(installed.version(), "Go 1.27.3");
    assert!(installed.contains("fmt/fmt.go") && !installed.contains("std/vec.rs"));
    let used = StandardLibrary::of(Language::Rust).expect("it was handed in");
    assert!(std::ptr::eq(installed, used));
    let again = StandardLibrary::install(Language::Rust, archive);
    assert_eq!(again.err(), Some(InstallProblem::InUse));

    // dialects share the library, and an answer may have used it
    assert!(StandardLibrary::of(Language::JavaScript).is_some());
    let late = StandardLibrary::install(Language::Tsx, archive);
    assert_eq!(late.err(), Some(InstallProblem::InUse));

    let damaged = StandardLibrary::install(Language::Java, &archive[..200]);
    assert_eq!(
        damaged.err(),
        Some(InstallProblem::Archive(ArchiveProblem::Malformed))
    );
    assert!(
        StandardLibrary::of(Language::Java)
            .is_some_and(|library| library.contains("java/util/List.java"))
    );
}
