//! The names of all files joined, for questions about uses; made and kept up when somebody asks one.
//!
//! The index holds each file's bindings as bytes. The first question joins what files can find of one
//! another; from then on only files whose text changed are looked at again, and a file's inside is read
//! when a question leads into it (SPEC R1, I2).

use std::cell::RefCell;
use std::rc::Rc;

use crate::external::SaidOfScripts;
use codecortex_resolve::{AffectedNames, DefRef, Hints, Reference, SymbolUses, Workspace};

/// Most bytes of files' insides that stay read between questions: nearly all of a million lines. Reading files again
/// was half of what questions about common names took. It comes on top of the index: a process that was asked about
/// 480 names of 1.2 M lines held 252 MB, and 229 MB with two thirds of this.
const MAX_READ: usize = 48 << 20;

/// Answers about references that are remembered, and how many references these may have together: who
/// reads on in one asks about others in between.
const MAX_ANSWERS: usize = 8;
const MAX_REMEMBERED: usize = 256 << 10;

/// References that were found, and of what.
#[derive(Debug)]
struct Answered {
    of: Vec<DefRef>,
    /// Whether uses of related members were asked for in every language.
    with_related: bool,
    found: Rc<SymbolUses>,
}

/// The last answers about references, all of one revision of the names; the latest is the last.
#[derive(Debug, Default)]
struct Answers {
    revision: u64,
    known: Vec<Answered>,
}

impl Answers {
    /// Those that are still true in a revision of the names.
    fn at_revision(&mut self, revision: u64) -> &mut Self {
        if self.revision != revision {
            self.known.clear();
            self.revision = revision;
        }
        self
    }

    fn find(&mut self, of: &[DefRef], with_related: bool) -> Option<Rc<SymbolUses>> {
        let is_it = |known: &Answered| known.of == of && known.with_related == with_related;
        let place = self.known.iter().position(is_it)?;
        self.known[place..].rotate_left(1);
        Some(self.known.last()?.found.clone())
    }

    fn add(&mut self, answered: Answered) {
        self.known.push(answered);
        let mut left = MAX_REMEMBERED;
        let mut kept = 0;
        for known in self.known.iter().rev().take(MAX_ANSWERS) {
            // The latest stays however long it is: its next page is what is asked for next.
            if kept > 0 && known.found.references.len() > left {
                break;
            }
            left = left.saturating_sub(known.found.references.len());
            kept += 1;
        }
        self.known.drain(..self.known.len() - kept);
    }

    fn memory(&self) -> usize {
        let found = self.known.iter().map(|known| known.found.references.len());
        found.sum::<usize>() * size_of::<Reference>()
    }
}

/// What is known of names, and of which state of the index.
#[derive(Debug, Default)]
pub struct ReferenceIndex {
    /// The joined names.
    pub workspace: Workspace,
    /// Content of each file as it was read.
    pub known: Vec<Option<[u8; 16]>>,
    /// The revision that this is of.
    pub revision: Option<u32>,
    /// What was answered about references: pages and retries ask for the same.
    answers: RefCell<Answers>,
    /// From what the rules for scripts were made.
    pub scripts: Option<SaidOfScripts>,
    /// The names of the folders whose manifests were told of.
    hinted: Vec<String>,
}

impl ReferenceIndex {
    /// Bytes that it holds, roughly.
    pub fn memory(&self) -> usize {
        self.workspace.memory() + self.answers.borrow().memory()
    }

    /// References that were found for these definitions, if nothing has changed since.
    pub fn remembered(&self, of: &[DefRef], with_related: bool) -> Option<Rc<SymbolUses>> {
        let mut answers = self.answers.borrow_mut();
        answers
            .at_revision(self.workspace.revision())
            .find(of, with_related)
    }

    /// Remembers references for the next page.
    pub fn remember(&self, of: &[DefRef], with_related: bool, found: SymbolUses) -> Rc<SymbolUses> {
        let found: Rc<SymbolUses> = found.into();
        let mut answers = self.answers.borrow_mut();
        answers
            .at_revision(self.workspace.revision())
            .add(Answered {
                of: of.to_vec(),
                with_related,
                found: found.clone(),
            });
        found
    }

    /// Gives back what was read for questions a while ago; between questions only.
    pub fn forget_old(&mut self) {
        self.workspace.forget_beyond(MAX_READ);
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
    pub fn take_changed(&mut self) -> AffectedNames {
        self.workspace.take_affected_names()
    }

    /// The joined names.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codecortex_resolve::{ConfidenceTier, RoleOf};

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
            tier: ConfidenceTier::Exact,
            role: RoleOf(0),
        };
        Answered {
            of: def(number),
            with_related: false,
            found: Rc::new(SymbolUses {
                references: vec![reference; count],
                ..SymbolUses::default()
            }),
        }
    }

    #[test]
    fn the_latest_answers_are_remembered() {
        let mut answers = Answers::default();
        for number in 0..MAX_ANSWERS as u32 + 2 {
            answers.add(answered(number, 1));
            assert!(answers.find(&def(0), false).is_some() || number >= MAX_ANSWERS as u32);
        }
        // What was asked for again was not the oldest.
        assert_eq!(answers.known.len(), MAX_ANSWERS);
        assert!(answers.find(&def(1), false).is_none());
        assert!(answers.find(&def(5), true).is_none());
        answers.add(answered(50, 2 * MAX_REMEMBERED));
        assert_eq!(answers.known.len(), 1);
        answers.add(answered(51, 1));
        assert_eq!(answers.known.len(), 1);
        assert!(answers.at_revision(1).find(&def(51), false).is_none());
    }
}
