//! Declarations that are not in the workspace, from files that describe them (SPEC AS3, D30).
//!
//! They are read when somebody asks the first question that they may answer, and only in a workspace with a language that
//! has such files. Their facts are in the index, below a folder behind all workspace folders: what the workspace has is
//! told apart from them by that.

mod libraries;
mod paths;
mod reading;
mod scripts;
mod sources;

use std::collections::BTreeMap;

use codecortex_external::DeclarationOrigin;
use codecortex_index::{IndexedFile, Symbol};
use codecortex_protocol::Phase;
use codecortex_resolve::Mapping;
use codecortex_syntax::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Analysis;
use crate::external::libraries::state::Libraries;
use crate::external::reading::ReadProgress;

pub use crate::external::libraries::{
    AbsentPackage, ReadPackage, absent_package, absent_packages, follow_imports, is_library_here,
    is_nameable, is_of_package, lacking_libraries, libraries_met, need_all_libraries,
    need_assemblies, read_packages, request_libraries, search_paths, take_libraries,
};
pub use crate::external::reading::{forget_external, request_external, take_external};
pub use crate::external::scripts::{SaidOfScripts, take_script_rules};

/// Languages whose declarations files describe that are not of the language itself.
const DESCRIBED: [Language; 2] = [Language::AngelScript, Language::CSharp];

/// What is known from outside of the workspace.
#[derive(Clone, Debug, Default)]
pub struct ExternalTypes {
    reading: ReadProgress,
    /// Where each file of the index that is not of the workspace is described, by its path there.
    origins: FxHashMap<Box<str>, DeclarationOrigin>,
    /// Files that were read, as answers show them.
    pub read: Vec<String>,
    /// What could not be read of files that describe declarations, and why.
    problems: Vec<(String, String)>,
    /// The header in which a type is declared, where that is known.
    headers: BTreeMap<String, String>,
    /// Whether scripts see each other without imports, where the engine says so.
    pub automatic_imports: Option<bool>,
    /// Absolute paths of what was asked for.
    asked: FxHashSet<String>,
    /// What the folders' settings said when this was asked for.
    settings: Vec<Option<String>>,
    /// What packages declare.
    libraries: Libraries,
}

impl ExternalTypes {
    /// Which modules of packages are which files.
    pub fn mappings(&self) -> &[Mapping] {
        self.libraries.packages.mappings()
    }

    /// All that could not be read, and why: no capital, no full stop.
    pub fn problems(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self.problems.iter();
        let own = own.map(|(path, why)| (path.as_str(), why.as_str()));
        own.chain(self.libraries.problems())
    }

    /// Whether it is of this file, or of what is missing there.
    pub fn is_read_of(&self, path: &str) -> bool {
        matches!(self.reading, ReadProgress::Read) && self.asked.contains(path)
    }

    /// Bytes that it holds, roughly, without what is in the index.
    pub fn memory(&self) -> usize {
        let origins = self.origins.iter();
        origins
            .map(|(path, origin)| path.len() + origin.memory())
            .sum()
    }
}

/// Whether a question has to wait for declarations from outside.
pub fn lacks_external(code: &Analysis) -> bool {
    let external = &code.external;
    match external.reading {
        ReadProgress::Asked(..) => true,
        ReadProgress::Read if is_said_still(code, &external.settings) => false,
        // What is still being listed may have such files, too.
        _ => matches!(code.phase(), Phase::Ready | Phase::Cancelled) && is_concerned(code),
    }
}

/// Whether the workspace has a language whose programs use declarations that lie in such files.
fn is_concerned(code: &Analysis) -> bool {
    let mut languages = DESCRIBED.iter();
    languages.any(|language| code.index.has_language(*language))
}

/// What the settings of each folder say.
fn settings(code: &Analysis) -> Vec<Option<String>> {
    let roots = 0..code.workspace.roots.len() as u32;
    let texts = roots.map(|root| code.workspace.folder_config(root).map(str::to_owned));
    texts.collect()
}

/// Whether the settings of each folder say what they said.
fn is_said_still(code: &Analysis, said: &[Option<String>]) -> bool {
    let roots = 0..code.workspace.roots.len() as u32;
    let now = roots.map(|root| code.workspace.folder_config(root));
    now.eq(said.iter().map(Option::as_deref))
}

/// Where the declarations of a file are described, if it is none of the workspace.
pub fn origin_of<'a>(code: &'a Analysis, file: &IndexedFile) -> Option<&'a DeclarationOrigin> {
    match code.index.is_outside(file.root) {
        true => code.external.origins.get(&*file.path),
        false => None,
    }
}

/// Whether a type names more bases than so many, that are known.
pub fn lacks_bases(code: &Analysis, of: Symbol, known: usize) -> bool {
    let file = code.index.file(of.file);
    file.is_some_and(|file| file.facts.bases_of(of.item).count() > known)
}

/// The header in which an engine type is declared, where that is known; of the engine's folder, with `/`.
pub fn engine_header<'a>(code: &'a Analysis, name: &str) -> Option<&'a str> {
    code.external.headers.get(name).map(String::as_str)
}
