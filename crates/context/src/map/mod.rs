//! The repository map: which declarations a question in words is about, with their code (SPEC RM1).
//!
//! The first question has every file's words read; from then on only files that changed are read again. Texts are not
//! kept.

pub mod document;
pub mod file;
mod frames;
mod history;
mod name_search;
mod named_in_question;
mod question_targets;

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::LazyLock;

use codecortex_analysis::found_file::FoundFile;
use codecortex_analysis::{Analysis, AnalysisView};
use codecortex_index::FileId;
use codecortex_live::Millis;
use codecortex_protocol::paths::display;
use codecortex_protocol::{Failure, Located, Missing};
use codecortex_retrieval::{
    History, Index, Params, Prepared, Query, Ranking, SelectionRequest, SourceSelection,
    files_to_read, prepare,
};
use rustc_hash::FxHashMap;

pub use history::parse as parse_log;
pub use name_search::declarations;
use named_in_question::of_settings;
use question_targets::{asks_for_tests, pointed_at, quoted};

/// Bytes of text that are waited for at a time.
const BYTES_AT_ONCE: u64 = 8 << 20;
/// Commits that are read of a root's past.
pub const MAX_COMMITS: u32 = 20_000;
/// After so many ms the past is read again: somebody may have committed.
const HISTORY_MS: Millis = 10 * 60_000;

static PARAMS: LazyLock<Params> = LazyLock::new(Params::tuned);

/// What is known of the words of all files.
#[derive(Debug, Default)]
pub struct RepoMap {
    index: Index,
    /// Content of each file as its words were read.
    known: FxHashMap<String, [u8; 16]>,
    /// The revision that this is of.
    revision: Option<u32>,
    history: Option<CommitHistory>,
    /// The logs of roots that were read, until those of all are.
    logs: BTreeMap<u32, Option<String>>,
    /// Absolute paths of files whose words were read since somebody asked.
    read: Vec<String>,
    /// The last question and what it is about: it is asked again when the texts are here, or with another budget.
    ranked: Option<(Query, Rc<Ranking>)>,
}

/// Commits before the present state.
#[derive(Debug)]
struct CommitHistory {
    commits: History,
    /// When they were read.
    at: Millis,
}

/// A question and what answers may be made of.
pub struct Answers {
    map: Rc<RefCell<RepoMap>>,
    ranking: Rc<Ranking>,
    files: FxHashMap<String, ReadFile>,
    /// What is the same for every budget: answers are made for several until one fits.
    prepared: OnceCell<Prepared>,
}

impl RepoMap {
    /// Takes in what was read of a root's past; nothing is known where there is no git.
    pub fn learn_history(&mut self, root: u32, log: Option<String>) {
        self.logs.insert(root, log);
    }

    /// Absolute paths of the files whose words were read since this was asked last: their texts are not needed for that
    /// any more.
    pub fn take_read(&mut self) -> Vec<String> {
        std::mem::take(&mut self.read)
    }

    /// What a question is about.
    fn rank(&mut self, query: Query) -> Rc<Ranking> {
        if let Some((asked, known)) = &self.ranked
            && *asked == query
        {
            return Rc::clone(known);
        }
        let past = self.history.as_ref().map(|past| &past.commits);
        let ranking = Rc::new(match query == Query::default() {
            true => self.index.overview(past),
            false => self.index.rank(&query, past, &PARAMS),
        });
        self.ranked = Some((query, Rc::clone(&ranking)));
        ranking
    }

    /// Bytes that it holds, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.index.memory()
    }

    /// Whether commits are known.
    #[must_use]
    pub fn has_history(&self) -> bool {
        self.history
            .as_ref()
            .is_some_and(|past| !past.commits.is_empty())
    }
}

/// Asks for what a question is about. The call waits until the words of all files and the past were read.
///
/// # Errors
/// `Failure::Missing` for texts or the past; an error where the focus file is not there.
pub fn ask(
    view: &AnalysisView<'_>,
    map: &Rc<RefCell<RepoMap>>,
    text: &str,
    focus: Option<&str>,
) -> Result<Answers, Failure> {
    read_words(view, map)?;
    need_history(view, map)?;
    let focus = focus.map(|path| focus_path(view, path)).transpose()?;
    let targets = pointed_at(view, text);
    let prefers_tests = asks_for_tests(text);
    let query = Query {
        text: text.to_owned(),
        focus,
        wants_tests: prefers_tests || targets.are_tests(),
        prefers_tests,
        files: targets.files,
        places: targets.places,
    };
    let ranking = map.borrow_mut().rank(query.clone());
    let answers = answers_of(view, map, ranking)?;
    if !query.places.is_empty() {
        return Ok(answers);
    }
    // A message that stands in the code leads to where it does.
    let files = answers.files.iter();
    let files = files.filter_map(|(path, file)| Some((file_at(view, path)?, &*file.text)));
    let mut places = quoted(view, text, files.clone());
    places.extend(of_settings(view, text, files));
    if places.is_empty() {
        return Ok(answers);
    }
    let ranking = map.borrow_mut().rank(Query { places, ..query });
    answers_of(view, map, ranking)
}

/// The map without a question: the declarations that most others use. The call waits as for a question.
///
/// # Errors
/// `Failure::Missing` for texts or the past.
pub fn overview(view: &AnalysisView<'_>, map: &Rc<RefCell<RepoMap>>) -> Result<Answers, Failure> {
    read_words(view, map)?;
    need_history(view, map)?;
    let ranking = map.borrow_mut().rank(Query::default());
    answers_of(view, map, ranking)
}

fn answers_of(
    view: &AnalysisView<'_>,
    map: &Rc<RefCell<RepoMap>>,
    ranking: Rc<Ranking>,
) -> Result<Answers, Failure> {
    let files = read_files(view, &map.borrow().index, &ranking)?;
    Ok(Answers {
        map: Rc::clone(map),
        ranking,
        files,
        prepared: OnceCell::new(),
    })
}

impl Answers {
    /// What fits into so many tokens.
    #[must_use]
    pub fn select(&self, request: SelectionRequest) -> SourceSelection {
        let text = |path: &str| Some(Cow::Borrowed(self.files.get(path)?.text.as_str()));
        let index = &self.map.borrow().index;
        let prepared = self
            .prepared
            .get_or_init(|| prepare(index, &self.ranking, &PARAMS, text));
        prepared.select(index, &self.ranking, request, &PARAMS, text)
    }

    /// Leaves out what is in none of these folders; without any, nothing.
    pub fn keep_folders(&mut self, folders: &[String]) {
        if !folders.is_empty() {
            let index = &self.map.borrow().index;
            self.prepared.take();
            Rc::make_mut(&mut self.ranking).keep_files(index, |path| {
                let mut folders = folders.iter();
                folders.any(|folder| {
                    path.strip_prefix(folder.as_str())
                        .is_some_and(|rest| rest.starts_with('/'))
                })
            });
        }
    }

    /// What tells a file's content from others, in hexadecimal digits; empty for one that is in no answer.
    #[must_use]
    pub fn hash(&self, path: &str) -> String {
        let bytes = self.files.get(path).map(|file| file.hash);
        let digits = bytes.iter().flatten().map(|byte| format!("{byte:02x}"));
        digits.collect()
    }

    /// Words of the question that declarations have, the rarest first.
    #[must_use]
    pub fn matched(&self) -> &[String] {
        &self.ranking.matched
    }

    /// Words of the question that no declaration has.
    #[must_use]
    pub fn unmatched(&self) -> &[String] {
        &self.ranking.unmatched
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_overview(&self) -> bool {
        self.ranking.is_overview
    }

    /// Whether the best answer has enough of the question's words to be taken for one.
    #[must_use]
    pub fn is_confident(&self) -> bool {
        self.ranking.is_confident
    }
}

/// A file's path as the map has it: relative to its root, after the root's name where there are several (SPEC D12).
fn path_of(code: &Analysis, root: u32, path: &str) -> String {
    match code.workspace().roots.as_slice() {
        [_] => path.to_owned(),
        roots => roots
            .get(root as usize)
            .map_or_else(|| path.to_owned(), |root| display(root, path)),
    }
}

fn focus_path(view: &AnalysisView<'_>, path: &str) -> Result<String, Failure> {
    match view.find_file(path)? {
        FoundFile::Indexed(id) | FoundFile::Names(id) => {
            let file = view.index.file(id);
            Ok(file.map_or_else(
                || path.to_owned(),
                |file| path_of(view, file.root, &file.path),
            ))
        }
        FoundFile::Outside { file, .. } => Ok(file.display),
    }
}

/// Brings the words up to what the index knows.
fn read_words(view: &AnalysisView<'_>, map: &RefCell<RepoMap>) -> Result<(), Failure> {
    let mut map = map.borrow_mut();
    if map.revision == Some(view.revision) {
        return Ok(());
    }
    map.ranked = None;
    let mut gone: BTreeSet<String> = map.known.keys().cloned().collect();
    let mut changed: Vec<(String, FileId, u32)> = Vec::new();
    for (id, file) in view.shown_files() {
        let path = path_of(view, file.root, &file.path);
        gone.remove(&path);
        let summary = file.facts.summary();
        if map.known.get(&path) != Some(&summary.hash) {
            changed.push((path, id, summary.bytes));
        }
    }
    // Files have numbers in the order in which they were read, which differs from process to process. Words get theirs by
    // the order here, and sums of rounded numbers depend on it.
    changed.sort_unstable();
    let mut missing: Vec<Located> = Vec::new();
    let mut bytes = 0;
    for (path, id, size) in changed {
        if read_file(view, &mut map, id, &path) || bytes >= BYTES_AT_ONCE {
            continue;
        }
        bytes += u64::from(size);
        missing.extend(view.located_file(id));
    }
    for path in gone {
        map.index.remove(&path);
        map.known.remove(&path);
    }
    if !missing.is_empty() {
        return Err(Failure::Missing(Missing::Texts(missing)));
    }
    map.revision = Some(view.revision);
    Ok(())
}

/// Reads the words of a file; false where its text is not here.
fn read_file(view: &AnalysisView<'_>, map: &mut RepoMap, id: FileId, path: &str) -> bool {
    let Some(file) = view.index.file(id) else {
        return true;
    };
    match view.text_of_file(id) {
        Ok(text) => {
            let text = text.snapshot.text.text();
            map.index
                .replace(&document::retrieval_document(path, &text, &file.facts));
        }
        Err(Failure::Missing(_)) => return false,
        // It is gone or cannot be read: a watcher will tell.
        Err(Failure::Error(_)) => drop(map.index.remove(path)),
    }
    map.read.extend(view.located_file(id).map(|file| file.path));
    map.known.insert(path.to_owned(), file.facts.summary().hash);
    true
}

fn need_history(view: &AnalysisView<'_>, map: &RefCell<RepoMap>) -> Result<(), Failure> {
    let now = view.clock().host();
    let mut map = map.borrow_mut();
    let is_fresh = |past: &CommitHistory| now.saturating_sub(past.at) < HISTORY_MS;
    if map.history.as_ref().is_some_and(is_fresh) {
        return Ok(());
    }
    let roots = &view.workspace.roots;
    // Each may be a repository of its own, or a part of one.
    let missing = (0..roots.len() as u32).find(|root| !map.logs.contains_key(root));
    if let Some(root) = missing {
        return Err(Failure::Missing(Missing::History(root)));
    }
    let logs = std::mem::take(&mut map.logs);
    let commits = match roots.as_slice() {
        [_] => {
            let log = logs.into_values().flatten().next();
            log.as_deref().map(parse_log).unwrap_or_default()
        }
        roots => {
            let logs = logs.into_iter().filter_map(|(root, log)| {
                let name = roots.get(root as usize)?.name.clone();
                Some((name, Cow::Owned(log?)))
            });
            history::parse_each(&logs.collect::<Vec<_>>())
        }
    };
    map.history = Some(CommitHistory { commits, at: now });
    map.ranked = None;
    Ok(())
}

/// A file that answers are made of.
struct ReadFile {
    text: String,
    /// Of its content.
    hash: [u8; 16],
}

/// The files that answers are made of, by the map's paths.
fn read_files(
    view: &AnalysisView<'_>,
    index: &Index,
    ranking: &Ranking,
) -> Result<FxHashMap<String, ReadFile>, Failure> {
    let files: Vec<(&str, FileId)> = files_to_read(index, ranking)
        .into_iter()
        .filter_map(|path| Some((path, file_at(view, path)?)))
        .collect();
    view.need_texts(files.iter().map(|(_, id)| id.0))?;
    let mut read = FxHashMap::default();
    for (path, id) in files {
        if let (Some(file), Ok(text)) = (view.index.file(id), view.text_of_file(id)) {
            let text = text.snapshot.text.text();
            let hash = file.facts.summary().hash;
            read.insert(path.to_owned(), ReadFile { text, hash });
        }
    }
    Ok(read)
}

/// The file of a path of the map.
fn file_at(code: &Analysis, path: &str) -> Option<FileId> {
    match code.workspace().roots.as_slice() {
        [_] => code.index().file_id(0, path),
        roots => {
            let (name, rest) = path.split_once('/')?;
            let root = roots.iter().position(|root| root.name == name)?;
            code.index().file_id(root as u32, rest)
        }
    }
}
