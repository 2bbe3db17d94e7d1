//! The names of all files joined, for questions about uses; made and kept up when somebody asks one.
//!
//! The index holds each file's bindings as bytes. The first question joins what files can find of one
//! another; from then on only files whose text changed are looked at again, and a file's inside is read
//! when a question leads into it (SPEC R1, I2).

use std::borrow::Cow;
use std::cell::{Ref, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use codecortex_bind::{Dialect, encode};
use codecortex_index::{File, FileId};
use codecortex_protocol::paths::{absolute_path, display};
use codecortex_resolve::{
    AffectedNames, CacheSource, DefRef, Hints, LazyFile, Reference, Workspace,
};
use codecortex_syntax::{bindings_of_text, dialect};

use crate::analysis::Analysis;
use crate::cache::Heads;

/// Most bytes of files' insides that stay read between questions: nearly all of a million lines. Reading files again
/// was half of what questions about common names took. It comes on top of the index: a process that was asked about
/// 480 names of 1.2 M lines held 252 MB, and 229 MB with two thirds of this.
const MOST_READ: usize = 48 << 20;

/// Answers about references that are remembered, and how many references these may have together: who
/// reads on in one asks about others in between.
const MOST_ANSWERS: usize = 8;
const MOST_REMEMBERED: usize = 256 << 10;

/// References that were found, and of what.
#[derive(Debug)]
struct Answered {
    of: Vec<DefRef>,
    /// Whether uses of related members were asked for in every language.
    with_related: bool,
    found: Rc<[Reference]>,
}

/// The last answers about references, all of one revision of the names; the latest is the last.
#[derive(Debug, Default)]
struct Answers {
    revision: u64,
    known: Vec<Answered>,
}

impl Answers {
    /// Those that are still true in a revision of the names.
    fn of(&mut self, revision: u64) -> &mut Self {
        if self.revision != revision {
            self.known.clear();
            self.revision = revision;
        }
        self
    }

    fn find(&mut self, of: &[DefRef], with_related: bool) -> Option<Rc<[Reference]>> {
        let is_it = |known: &Answered| known.of == of && known.with_related == with_related;
        let place = self.known.iter().position(is_it)?;
        self.known[place..].rotate_left(1);
        Some(self.known.last()?.found.clone())
    }

    fn add(&mut self, answered: Answered) {
        self.known.push(answered);
        let mut left = MOST_REMEMBERED;
        let mut kept = 0;
        for known in self.known.iter().rev().take(MOST_ANSWERS) {
            // The latest stays however long it is: its next page is what is asked for next.
            if kept > 0 && known.found.len() > left {
                break;
            }
            left = left.saturating_sub(known.found.len());
            kept += 1;
        }
        self.known.drain(..self.known.len() - kept);
    }

    fn memory(&self) -> usize {
        let found = self.known.iter().map(|known| known.found.len());
        found.sum::<usize>() * size_of::<Reference>()
    }
}

/// What is known of names, and of which state of the index.
#[derive(Debug, Default)]
pub struct Names {
    workspace: Workspace,
    /// Content of each file as it was read.
    known: Vec<Option<[u8; 16]>>,
    /// The revision that this is of.
    revision: Option<u32>,
    /// What was answered about references: pages and retries ask for the same.
    answers: RefCell<Answers>,
    /// The names of the folders whose manifests were told of.
    hinted: Vec<String>,
}

impl Names {
    /// Bytes that it holds, roughly.
    pub fn memory(&self) -> usize {
        self.workspace.memory() + self.answers.borrow().memory()
    }

    /// References that were found for these definitions, if nothing has changed since.
    pub fn remembered(&self, of: &[DefRef], with_related: bool) -> Option<Rc<[Reference]>> {
        let mut answers = self.answers.borrow_mut();
        answers.of(self.workspace.revision()).find(of, with_related)
    }

    /// Remembers references for the next page.
    pub fn remember(
        &self,
        of: &[DefRef],
        with_related: bool,
        found: Vec<Reference>,
    ) -> Rc<[Reference]> {
        let found: Rc<[Reference]> = found.into();
        let mut answers = self.answers.borrow_mut();
        answers.of(self.workspace.revision()).add(Answered {
            of: of.to_vec(),
            with_related,
            found: found.clone(),
        });
        found
    }

    /// Gives back what was read for questions a while ago; between questions only.
    pub fn forget_old(&mut self) {
        self.workspace.forget_beyond(MOST_READ);
    }

    /// Gives back what was read, to this many bytes and less, and what was answered.
    pub fn forget_beyond(&mut self, most: usize) {
        self.answers.get_mut().known.clear();
        self.workspace.forget_beyond(most);
    }

    /// Has a file joined anew although its text is the same.
    pub fn distrust(&mut self, file: u32) {
        if let Some(known) = self.known.get_mut(file as usize) {
            *known = None;
            self.revision = None;
        }
    }

    /// Whether what manifests say was last told of these folders; from now on it is of them.
    pub fn knows_roots<'r>(&mut self, roots: impl Iterator<Item = &'r str> + Clone) -> bool {
        let is_same = self.hinted.iter().map(String::as_str).eq(roots.clone());
        if !is_same {
            self.hinted = roots.map(str::to_owned).collect();
        }
        is_same
    }

    /// Takes in what manifests say.
    pub fn set_hints(&mut self, hints: Hints) {
        self.workspace.set_hints(hints);
    }

    /// The files whose names of types may mean something else than when this was asked last.
    fn take_changed(&mut self) -> AffectedNames {
        self.workspace.take_affected_names()
    }

    /// The joined names.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }
}

impl Analysis {
    /// The names of all files as they are now.
    pub fn names(&self) -> Ref<'_, Names> {
        let is_current = self.names.borrow().revision == Some(self.revision);
        if !is_current {
            self.renew_names(&mut self.names.borrow_mut());
        }
        self.names.borrow()
    }

    /// The files whose names of types may mean something else than when this was asked last.
    pub fn take_changed_names(&mut self) -> AffectedNames {
        drop(self.names());
        self.names.get_mut().take_changed()
    }

    fn renew_names(&self, names: &mut Names) {
        for number in 0..names.known.len() {
            let id = FileId(number as u32);
            if names.known[number].is_some() && self.index.file(id).is_none() {
                names.known[number] = None;
                names.workspace.remove(number as u32);
            }
        }
        names.workspace.reserve(self.index.file_count());
        let mut heads = None;
        for (id, file) in self.index.files() {
            let number = id.0 as usize;
            if names.known.len() <= number {
                names.known.resize(number + 1, None);
            }
            let path = self.name_path(file);
            // Its path alone: to look into it would read it, and this looks at every file.
            let known_path = names.workspace.path(id.0);
            let hash = file.facts.summary().hash;
            let is_same =
                names.known[number] == Some(hash) && known_path.is_none_or(|known| known == path);
            if is_same {
                continue;
            }
            names.known[number] = Some(hash);
            if self.join_shelved(names, (id, file), &path, &mut heads) {
                continue;
            }
            match self.bindings_of(file) {
                Some((dialect, bytes)) => {
                    names.workspace.insert_encoded(id.0, &path, dialect, bytes);
                }
                None => names.workspace.remove(id.0),
            }
        }
        names.revision = Some(self.revision);
    }

    /// Joins the names of a file that a cache keeps, whose bindings stay there. `heads` are read the first time. False
    /// where that cannot be.
    fn join_shelved(
        &self,
        names: &mut Names,
        (id, file): (FileId, &File),
        path: &str,
        heads: &mut Option<Option<Heads>>,
    ) -> bool {
        let (Some(shelf), Some(number)) = (&self.shelf, file.facts.cached_number()) else {
            return false;
        };
        let Some(heads) = heads.get_or_insert_with(|| shelf.heads()) else {
            return false;
        };
        let Some(entries) = shelf.head_of(heads, number) else {
            return false;
        };
        let of = LazyFile {
            path,
            dialect: dialect(file.facts.summary().language),
            source: Arc::clone(shelf) as _,
            number,
        };
        let head = (heads.numbers.as_slice(), &entries);
        names
            .workspace
            .insert_lazy(id.0, &of, &mut heads.names, head)
    }

    /// A file's path as modules see it: with the folder's name only where there are several.
    fn name_path<'f>(&self, file: &'f File) -> Cow<'f, str> {
        match self.workspace.roots.as_slice() {
            [_] => Cow::Borrowed(&file.path),
            roots => match roots.get(file.root as usize) {
                Some(root) => Cow::Owned(display(root, &file.path)),
                None => Cow::Borrowed(&file.path),
            },
        }
    }

    /// The bindings of a file as bytes, and their language.
    pub fn bindings_of(&self, file: &File) -> Option<(Dialect, Arc<[u8]>)> {
        let dialect = dialect(file.facts.summary().language);
        let kept = match (&self.shelf, file.facts.cached_number()) {
            (Some(shelf), Some(number)) => shelf.bindings(number),
            _ => Some(file.facts.bindings.0.clone()),
        };
        if let Some(bytes) = kept.filter(|bytes| !bytes.is_empty()) {
            return Some((dialect, bytes));
        }
        // A text that is being edited.
        let root = self.workspace.roots.get(file.root as usize)?;
        let document = self.documents.get(&absolute_path(root, &file.path))?;
        let bindings = bindings_of_text(&file.path, document.text())?;
        Some((dialect, encode(bindings).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_resolve::{RoleOf, Tier};

    fn def(number: u32) -> Vec<DefRef> {
        vec![DefRef {
            file: 0,
            def: number,
        }]
    }

    fn answered(number: u32, count: usize) -> Answered {
        let reference = Reference {
            file: number,
            at: 0,
            len: 1,
            tier: Tier::Exact,
            role: RoleOf(0),
        };
        Answered {
            of: def(number),
            with_related: false,
            found: vec![reference; count].into(),
        }
    }

    #[test]
    fn the_latest_answers_are_remembered() {
        let mut answers = Answers::default();
        for number in 0..MOST_ANSWERS as u32 + 2 {
            answers.add(answered(number, 1));
            assert!(answers.find(&def(0), false).is_some() || number >= MOST_ANSWERS as u32);
        }
        // What was asked for again was not the oldest.
        assert_eq!(answers.known.len(), MOST_ANSWERS);
        assert!(answers.find(&def(1), false).is_none());
        assert!(answers.find(&def(5), true).is_none());
        answers.add(answered(50, 2 * MOST_REMEMBERED));
        assert_eq!(answers.known.len(), 1);
        answers.add(answered(51, 1));
        assert_eq!(answers.known.len(), 1);
        assert!(answers.of(1).find(&def(51), false).is_none());
    }
}
