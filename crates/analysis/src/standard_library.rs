//! The languages' own libraries for questions about names: those of the languages that the workspace has files of.

use std::sync::Arc;

use codecortex_bind::{Dialect, encode};
use codecortex_external::standard_library::StandardLibrary;
use codecortex_index::Index;
use codecortex_resolve::{LibrarySource, Workspace};
use codecortex_syntax::{Language, bindings_of_text};

/// Languages whose rules look names up in a library of declarations.
const LANGUAGES: [(Language, Dialect); 8] = [
    (Language::Java, Dialect::Java),
    (Language::CSharp, Dialect::CSharp),
    (Language::Go, Dialect::Go),
    (Language::Python, Dialect::Python),
    (Language::Rust, Dialect::Rust),
    (Language::TypeScript, Dialect::TypeScript),
    (Language::Tsx, Dialect::TypeScript),
    (Language::JavaScript, Dialect::TypeScript),
];

/// The declarations that come with the program, or that its host handed in.
#[derive(Debug)]
struct Declarations(&'static StandardLibrary);

impl LibrarySource for Declarations {
    fn paths(&self) -> Vec<String> {
        self.0.paths().map(str::to_owned).collect()
    }

    fn bindings(&self, path: &str) -> Option<Arc<[u8]>> {
        let text = self.0.text(path)?;
        let bindings = bindings_of_text(path, &text)?;
        Some(encode(bindings).into())
    }
}

/// Says where the libraries are of the languages that the workspace has files of. Nothing of them is read now.
pub(crate) fn tell_libraries(index: &Index, workspace: &mut Workspace) {
    for (language, dialect) in LANGUAGES {
        if workspace.has_library(dialect) || !index.has_language(language) {
            continue;
        }
        if let Some(library) = StandardLibrary::of(language) {
            workspace.set_library(dialect, Arc::new(Declarations(library)));
        }
    }
}

/// The libraries that questions about names use: the language, and the version that its declarations were made from.
#[must_use]
pub fn used_libraries(index: &Index) -> Vec<(Language, &'static str)> {
    let languages = LANGUAGES.iter().map(|(language, _)| *language);
    let present = languages.filter(|language| index.has_language(*language));
    let libraries =
        present.filter_map(|language| Some((language, StandardLibrary::of(language)?.version())));
    libraries.collect()
}
