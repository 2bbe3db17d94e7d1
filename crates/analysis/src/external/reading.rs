//! Asks for files that describe declarations, and takes them in.

use std::collections::BTreeMap;

use codecortex_external::{DescriptionFormat, ExternalFile, ExternalReader, format_of};
use codecortex_protocol::{FetchedFile, FileRef, Located, Outbox, Request};

use crate::analysis::Analysis;
use crate::asks::Asker;
use crate::external::sources::{DescriptionFile, wanted};
use crate::external::{ExternalTypes, settings};

/// How far reading is.
#[derive(Clone, Debug, Default)]
pub(super) enum ReadProgress {
    /// Nobody asked.
    #[default]
    Unread,
    /// Requests on their way with what they ask for, and what came so far.
    Asked(
        BTreeMap<u32, Vec<DescriptionFile>>,
        Vec<(DescriptionFile, FetchedFile)>,
    ),
    /// What there is, is known.
    Read,
}

/// Has the files read that describe what is not in the workspace. Whether nothing has to be waited for.
pub fn request_external(code: &mut Analysis, outbox: &mut Outbox) -> bool {
    if matches!(code.external.reading, ReadProgress::Asked(..)) {
        return false;
    }
    forget_external(code);
    code.external.settings = settings(code);
    let (wanted, problems) = wanted(code);
    code.external.problems = problems;
    let paths = wanted.iter().map(|of| of.file.path.clone());
    code.external.asked = paths.collect();
    let (inside, outside): (Vec<DescriptionFile>, Vec<DescriptionFile>) =
        wanted.into_iter().partition(|of| of.file.place.is_some());
    let mut requests = BTreeMap::new();
    if !inside.is_empty() {
        let files = inside.iter().filter_map(|of| file_ref(&of.file)).collect();
        let confined = true;
        let id = code.ask(outbox, Asker::External, Request::Texts { files, confined });
        requests.insert(id, inside);
    }
    if !outside.is_empty() {
        let paths = outside.iter().map(|of| of.file.path.clone()).collect();
        let id = code.ask(outbox, Asker::External, Request::OutsideTexts { paths });
        requests.insert(id, outside);
    }
    let is_done = requests.is_empty();
    code.external.reading = match is_done {
        true => ReadProgress::Read,
        false => ReadProgress::Asked(requests, Vec::new()),
    };
    is_done
}

/// A file of the workspace as it is asked for.
pub(super) fn file_ref(file: &Located) -> Option<FileRef> {
    let place = file.place.as_ref()?;
    Some(FileRef {
        root: place.root,
        path: place.path.clone(),
    })
}

/// Takes in what a request gave. Whether all that was asked for is here.
pub fn take_external(code: &mut Analysis, id: u32, files: &[FetchedFile]) -> bool {
    let ReadProgress::Asked(requests, came) = &mut code.external.reading else {
        return false;
    };
    let Some(asked) = requests.remove(&id) else {
        return false;
    };
    let nothing = FetchedFile::default();
    for (at, of) in asked.into_iter().enumerate() {
        came.push((of, files.get(at).unwrap_or(&nothing).clone()));
    }
    if !requests.is_empty() {
        return false;
    }
    let mut came = std::mem::take(came);
    came.sort_by_key(|(of, _)| of.number);
    code.external.reading = ReadProgress::Read;
    read(code, &came);
    true
}

/// Puts what files declare into the index.
fn read(code: &mut Analysis, came: &[(DescriptionFile, FetchedFile)]) {
    let mut reader = ExternalReader::new();
    for (of, file) in came {
        let shown = &of.file.display;
        match (&file.bytes, &file.error) {
            (Some(bytes), None) => {
                reader.add(shown, &bytes.0);
                code.external.read.push(shown.clone());
            }
            (_, Some(error)) => reader.problem(shown, &as_clause(error)),
            (None, None) if of.is_named => reader.problem(shown, "it is not there"),
            (None, None) => {}
        }
    }
    let read = reader.finish();
    code.external.problems.extend(read.problems);
    code.external.headers = read.headers;
    code.external.automatic_imports = read.automatic_imports;
    for place in came.iter().filter_map(|(of, _)| of.file.place.as_ref()) {
        if is_no_source(&place.path) && code.index.file_id(place.root, &place.path).is_some() {
            code.replace(place.root, &place.path, None);
        }
    }
    let root = code.workspace.roots.len() as u32;
    code.index.set_external_root(root);
    for file in read.files {
        insert_described(code, root, file);
    }
    code.revision += 1;
}

/// Puts declarations into the index that a file describes, below the folder of what is not of the workspace.
pub(super) fn insert_described(code: &mut Analysis, root: u32, file: ExternalFile) {
    let (facts, origin) = file.into_parts();
    let path = format!("{}#{}", origin.path, origin.number);
    code.index.insert(root, &path, facts);
    code.external.origins.insert(path.into(), origin);
}

/// Whether a file looks like source of the workspace and is none: a dump looks like C++, and what is predefined like a
/// script.
fn is_no_source(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    format_of(path) == Some(DescriptionFormat::DocHeader)
        || name.eq_ignore_ascii_case("as.predefined")
}

/// A sentence as the end of another one.
fn as_clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// Lets go of all that is known from outside: the next question has it read again.
pub fn forget_external(code: &mut Analysis) {
    let ExternalTypes {
        origins, libraries, ..
    } = std::mem::take(&mut code.external);
    code.external.libraries.go_on_with(libraries);
    if origins.is_empty() {
        return;
    }
    let root = code.workspace.roots.len() as u32;
    for path in origins.keys() {
        code.index.remove(root, path);
    }
    code.revision += 1;
}
