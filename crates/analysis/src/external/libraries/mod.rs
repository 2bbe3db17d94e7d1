//! Declarations of libraries that a program imports (SPEC D30): read when a name leads there.
//!
//! Nothing is known of which libraries there are. For the modules that a question met and did not find, files are asked
//! for by the paths that they would have; what is there is read, and what that leads to in the next round. How paths
//! follow from a module is a file for each way of installing libraries.

mod absent;
mod all;
mod assemblies;
mod dotnet;
mod environments;
mod node;
mod node_exports;
mod packages;
mod python;
mod search;
pub(super) mod state;

use codecortex_bind::Dialect;
use codecortex_external::{DescriptionFormat, ExternalFile, ExternalReader, format_of};
use codecortex_protocol::{Failure, FetchedFile, Located, Missing, Outbox, Request};
use codecortex_resolve::parallel;
use codecortex_resolve::{FileNo, SearchPath};

use crate::analysis::Analysis;
use crate::asks::Asker;
use crate::external::libraries::search::{LibrarySearch, SearchState};
use crate::external::paths::folder_of;
use crate::external::reading::{file_ref, insert_described};
use crate::module_hints::tell_modules;

use absent::note_absent;
pub use absent::{AbsentPackage, ReadPackage, absent_package, absent_packages, read_packages};
pub use all::{follow_imports, is_nameable, is_of_package, need_all_libraries};

/// So many files are asked for in one round.
const MAX_FILES: usize = 1_024;
/// So deep a folder is, at most, beside which libraries are looked for.
const DEEPEST: usize = 12;

/// Makes sure that the descriptions of assemblies are read to which the project of a file refers.
///
/// # Errors
/// What has to be read: it is asked for again afterwards, until nothing is missing.
pub fn need_assemblies(code: &Analysis, file: FileNo) -> Result<(), Failure> {
    let wanted = dotnet::wanted(code, file)?;
    match wanted.is_empty() {
        true => Ok(()),
        false => Err(Failure::Missing(Missing::Libraries(wanted))),
    }
}

/// Files that installed packages may have for the modules that questions met and did not find; none where all such files
/// were tried. Names may mean another thing when they are read.
#[must_use]
pub fn lacking_libraries(code: &Analysis) -> Vec<Located> {
    let names = code.names();
    let workspace = names.workspace();
    let mut search = LibrarySearch::new(code);
    for module in workspace.missing_modules() {
        let state = match workspace.dialect(module.from) {
            Some(Dialect::Python) => python::look_for(&mut search, &module),
            Some(Dialect::TypeScript | Dialect::JavaScript) => node::look_for(&mut search, &module),
            _ => SearchState::Found,
        };
        if state == SearchState::Absent && !workspace.is_external(module.from) {
            note_absent(code, &module);
        }
        search.end(module, state);
    }
    let (wanted, settled) = search.finish();
    workspace.settle_missing(settled);
    wanted
}

/// Counts the times that a question met a module that may be in an installed package.
#[must_use]
pub fn libraries_met(code: &Analysis) -> u64 {
    code.names.borrow().workspace().missing_met()
}

/// Where installed packages are, for imports by their names alone.
pub fn search_paths(code: &Analysis) -> Vec<SearchPath> {
    python::search_paths(code)
}

/// Has files of libraries read.
pub fn request_libraries(code: &mut Analysis, outbox: &mut Outbox, files: &[Located]) {
    let (inside, outside): (Vec<Located>, Vec<Located>) =
        files.iter().cloned().partition(|file| file.place.is_some());
    if !inside.is_empty() {
        let request = Request::Texts {
            files: inside.iter().filter_map(file_ref).collect(),
            // Package managers link folders of packages.
            confined: false,
        };
        let id = code.ask(outbox, Asker::Libraries, request);
        code.external.libraries.requests.insert(id, inside);
    }
    if !outside.is_empty() {
        let request = Request::OutsideTexts {
            paths: outside.iter().map(|file| file.path.clone()).collect(),
        };
        let id = code.ask(outbox, Asker::Libraries, request);
        code.external.libraries.requests.insert(id, outside);
    }
}

/// Whether a file of a library was read, or is not there.
pub fn is_library_here(code: &Analysis, file: &Located) -> bool {
    code.external.libraries.is_known(&file.path)
}

/// Takes in what files of libraries say.
pub fn take_libraries(code: &mut Analysis, id: u32, came: &[FetchedFile]) {
    let Some(files) = code.external.libraries.requests.remove(&id) else {
        return;
    };
    let outside = code.workspace.roots.len() as u32;
    code.index.set_external_root(outside);
    let mut sources = Vec::new();
    let mut is_new = false;
    for (at, file) in files.into_iter().enumerate() {
        let fetched = came.get(at);
        let bytes = fetched.and_then(|file| file.bytes.as_ref());
        let bytes = bytes.map(|bytes| bytes.0.as_slice());
        let libraries = &mut code.external.libraries;
        let is_described = libraries.packages.take(&file.path, bytes)
            || libraries.environments.take(&file, bytes)
            || libraries.assemblies.take(&file.path, bytes);
        if is_described {
            continue;
        }
        libraries.tried.insert(file.path.clone());
        if let Some(why) = fetched.and_then(|file| file.error.as_ref()) {
            note_problem(code, &file, why);
        }
        let Some(bytes) = bytes else {
            continue;
        };
        let libraries = &mut code.external.libraries;
        libraries.present.insert(file.path.clone());
        if libraries.environments.is_best(&file.path) && is_small(code, &file, bytes) {
            match format_of(&file.path) {
                Some(DescriptionFormat::XmlDocumentation) => {
                    is_new |= take_described(code, outside, &file, bytes);
                }
                _ => sources.push((file, bytes)),
            }
        }
    }
    is_new |= take_sources(code, outside, sources);
    if is_new {
        node::map_modules(code);
        tell_modules(code);
        code.revision += 1;
    }
}

/// Whether a file is no larger than others may be that are read as code.
fn is_small(code: &mut Analysis, file: &Located, bytes: &[u8]) -> bool {
    let root = file.place.as_ref().map_or(0, |place| place.root);
    let most = code.workspace.limits_of(root).max_file_size;
    let is_small = bytes.len() <= most as usize;
    if !is_small {
        note_problem(code, file, &format!("it is larger than {most} bytes"));
    }
    is_small
}

/// Takes in what files of libraries declare. Whether any of them is source.
fn take_sources(code: &mut Analysis, outside: u32, sources: Vec<(Located, &[u8])>) -> bool {
    let read = parallel::map(&sources, |(file, bytes)| {
        ExternalFile::of_source(&file.display, &file.path, bytes)
    });
    let mut is_new = false;
    for ((file, _), read) in sources.into_iter().zip(read) {
        let read = match read {
            Ok(read) => read,
            Err(why) => {
                note_problem(code, &file, &format!("it cannot be read ({why})"));
                continue;
            }
        };
        let path = match (&file.place, code.workspace.roots.len()) {
            (Some(place), 1) => place.path.clone(),
            _ => file.display.clone(),
        };
        let (facts, origin) = read.into_parts();
        code.index.insert(outside, &path, facts);
        code.external.origins.insert(path.into(), origin);
        is_new = true;
    }
    is_new
}

/// Takes in what a file describes that is no source. Whether it is anything.
fn take_described(code: &mut Analysis, outside: u32, file: &Located, bytes: &[u8]) -> bool {
    let mut reader = ExternalReader::new();
    reader.add(&file.display, bytes);
    let read = reader.finish();
    let problems: Vec<&str> = read.problems.iter().map(|(_, why)| why.as_str()).collect();
    if !problems.is_empty() {
        note_problem(code, file, &problems.join("; "));
    }
    let is_new = !read.files.is_empty();
    for file in read.files {
        insert_described(code, outside, file);
    }
    is_new
}

fn note_problem(code: &mut Analysis, file: &Located, why: &str) {
    let problems = &mut code.external.libraries.problems;
    problems.insert(file.display.clone(), why.to_owned());
}

/// A folder and those above it, the nearest first.
fn folders_upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| {
        (!folder.is_empty()).then(|| folder_of(folder))
    })
}

/// A file's workspace folder and its path there, of its path as modules see it: with the folder's name only where there
/// are several.
fn place_of_module<'p>(code: &Analysis, path: &'p str) -> Option<(u32, &'p str)> {
    match code.workspace.roots.as_slice() {
        [_] => Some((0, path)),
        roots => (0..).zip(roots).find_map(|(number, root)| {
            let rest = path.strip_prefix(&root.name)?.strip_prefix('/')?;
            Some((number, rest))
        }),
    }
}

/// The other way round: a path of a workspace folder as modules see it.
fn module_path(code: &Analysis, root: u32, path: &str) -> String {
    match code.workspace.roots.as_slice() {
        [_] => path.to_owned(),
        roots => match (roots.get(root as usize), path) {
            (Some(root), "") => root.name.clone(),
            (Some(root), path) => format!("{}/{path}", root.name),
            (None, path) => path.to_owned(),
        },
    }
}
