//! The standard libraries of languages, as files of declarations in those languages with bodies left out.
//!
//! `cargo xtask stdlib` makes an archive a language from what the language's makers publish (`data/README.md`). A native build has
//! them in the binary (feature `embedded`); another host hands the bytes in ([`StandardLibrary::install`]). [`jdk`] makes the same
//! texts of an installed JDK.

mod archive;
#[cfg(feature = "embedded")]
mod embedded;
pub mod jdk;

use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

use codecortex_syntax::Language;

use archive::DeclarationArchive;
pub use archive::{ARCHIVE_MAGIC, ArchiveProblem};

/// The standard library of a language as files of declarations in that language.
pub struct StandardLibrary {
    archive: DeclarationArchive,
}

/// Why a library was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallProblem {
    /// The core knows no library of that language.
    Language,
    /// The bytes are no archive.
    Archive(ArchiveProblem),
    /// The language has a library already, and answers may have used it.
    InUse,
}

impl fmt::Display for InstallProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Language => formatter.write_str("no standard library of this language is known"),
            Self::Archive(problem) => problem.fmt(formatter),
            Self::InUse => formatter.write_str("the language has a standard library already"),
        }
    }
}

/// The slot of each language; empty inside if there is no library.
static LIBRARIES: [OnceLock<Option<StandardLibrary>>; 6] = [const { OnceLock::new() }; 6];

/// The slot of a language. Dialects share their library.
fn slot(language: Language) -> Option<usize> {
    match language {
        Language::Java => Some(0),
        Language::Python => Some(1),
        Language::CSharp => Some(2),
        Language::Go => Some(3),
        Language::TypeScript | Language::Tsx | Language::JavaScript => Some(4),
        Language::Rust => Some(5),
        _ => None,
    }
}

impl StandardLibrary {
    /// The library of a language; `None` where there is none.
    ///
    /// The first call reads the archive's index; texts are decompressed when they are read.
    #[must_use]
    pub fn of(language: Language) -> Option<&'static Self> {
        let slot = LIBRARIES.get(slot(language)?)?;
        #[cfg(feature = "embedded")]
        let embedded = || {
            let archive = embedded::archive_bytes(language)?;
            Self::read(archive).ok()
        };
        #[cfg(feature = "embedded")]
        return slot.get_or_init(embedded).as_ref();
        #[cfg(not(feature = "embedded"))]
        slot.get().and_then(Option::as_ref)
    }

    /// Takes a language's archive from a host that has it elsewhere than in the program, before the first use.
    ///
    /// # Errors
    ///
    /// An [`InstallProblem`] if the bytes are no archive, or the language has a library already.
    pub fn install(
        language: Language,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<&'static Self, InstallProblem> {
        let slot = slot(language).and_then(|slot| LIBRARIES.get(slot));
        let slot = slot.ok_or(InstallProblem::Language)?;
        let library = Self::read(bytes).map_err(InstallProblem::Archive)?;
        slot.set(Some(library)).map_err(|_| InstallProblem::InUse)?;
        slot.get()
            .and_then(Option::as_ref)
            .ok_or(InstallProblem::InUse)
    }

    /// Reads an archive's index.
    ///
    /// # Errors
    ///
    /// An [`ArchiveProblem`] if the bytes are no archive.
    pub fn read(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ArchiveProblem> {
        DeclarationArchive::read(bytes.into()).map(|archive| Self { archive })
    }

    /// Paths of all files, sorted; with `/`.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.archive.paths()
    }

    /// Whether there is a file.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.archive.contains(path)
    }

    /// A file's text; `None` if there is no such file.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<Cow<'_, str>> {
        self.archive.text(path).map(Cow::Owned)
    }

    /// What the library was made from, `JDK 25.0.3`.
    #[must_use]
    pub fn version(&self) -> &str {
        self.archive.version()
    }
}

impl fmt::Debug for StandardLibrary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("StandardLibrary");
        debug
            .field("version", &self.version())
            .finish_non_exhaustive()
    }
}
