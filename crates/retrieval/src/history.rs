//! What past changes say: which files change for such words, and which change together.

use rustc_hash::FxHashMap;

use crate::words::{Splitter, Term, is_stop_word};

/// A file that a commit touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchedFile<'a> {
    /// Its path after the commit.
    pub path: &'a str,
    /// Its path before, if the commit moved it.
    pub moved_from: Option<&'a str>,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit<'a> {
    /// Its message.
    pub message: &'a str,
    /// What it touched.
    pub changes: Vec<TouchedFile<'a>>,
}

/// Commits beyond these are too old to say more.
const MAX_COMMITS: usize = 100_000;
/// Commits that touch more files say nothing of any of them.
const MAX_FILES: usize = 60;
/// Terms of a message that are kept.
const MAX_TERMS: usize = 64;
/// Commits that are taken for alike.
const ALIKE: usize = 40;

#[derive(Debug)]
struct HistoryEntry {
    files: Box<[u32]>,
    terms: u8,
    /// How many commits of its repository came after it.
    age: u32,
}

/// The commits before a state of the repository, by words and by files under their present names.
#[derive(Debug, Default)]
pub struct History {
    /// The newest first.
    commits: Vec<HistoryEntry>,
    by_path: FxHashMap<Box<str>, u32>,
    /// By file, ascending: the newest first.
    by_file: Vec<Vec<u32>>,
    by_term: FxHashMap<Box<str>, Vec<u32>>,
}

impl History {
    /// Reads commits, the newest first: ancestors of the present state alone, or the answer knows the future.
    #[must_use]
    pub fn read<'a>(commits: impl IntoIterator<Item = Commit<'a>>) -> Self {
        Self::read_each([commits])
    }

    /// The same of several repositories, whose paths differ. A commit is as old as the others of its own make it.
    #[must_use]
    pub fn read_each<'a, C: IntoIterator<Item = Commit<'a>>>(
        repositories: impl IntoIterator<Item = C>,
    ) -> Self {
        let all = repositories.into_iter();
        let mut all: Vec<_> = all.map(|commits| commits.into_iter().fuse()).collect();
        let in_turn = std::iter::from_fn(move || {
            let next: Vec<(usize, Commit<'a>)> = all
                .iter_mut()
                .enumerate()
                .filter_map(|(of, commits)| Some((of, commits.next()?)))
                .collect();
            (!next.is_empty()).then_some(next)
        });
        Self::read_in_turn(in_turn.flatten())
    }

    /// Reads commits, each with the number of its repository.
    fn read_in_turn<'a>(commits: impl Iterator<Item = (usize, Commit<'a>)>) -> Self {
        let mut history = Self::default();
        let mut kept: Vec<u32> = Vec::new();
        let mut present: FxHashMap<String, String> = FxHashMap::default();
        let mut splitter = Splitter::default();
        for (of, commit) in commits.take(MAX_COMMITS) {
            let mut files: Vec<u32> = Vec::new();
            for change in &commit.changes {
                let now = present
                    .get(change.path)
                    .cloned()
                    .unwrap_or_else(|| change.path.to_owned());
                if let Some(before) = change.moved_from {
                    present.insert(before.to_owned(), now.clone());
                }
                files.push(history.file(&now));
            }
            files.sort_unstable();
            files.dedup();
            if files.is_empty() || files.len() > MAX_FILES {
                continue;
            }
            if kept.len() <= of {
                kept.resize(of + 1, 0);
            }
            history.add(commit.message, files, kept[of], &mut splitter);
            kept[of] += 1;
        }
        history
    }

    /// Number of commits it knows of.
    #[must_use]
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Whether it knows of none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    fn file(&mut self, path: &str) -> u32 {
        if let Some(known) = self.by_path.get(path) {
            return *known;
        }
        let id = self.by_file.len() as u32;
        self.by_file.push(Vec::new());
        self.by_path.insert(path.into(), id);
        id
    }

    fn add(&mut self, message: &str, files: Vec<u32>, age: u32, splitter: &mut Splitter) {
        let id = self.commits.len() as u32;
        for file in &files {
            self.by_file[*file as usize].push(id);
        }
        let mut terms = 0u8;
        splitter.visit(message, |term| {
            let (Term::Part(text) | Term::Joined(text)) = term;
            if usize::from(terms) >= MAX_TERMS || is_stop_word(text) {
                return;
            }
            let commits = match self.by_term.get_mut(text) {
                Some(known) => known,
                None => self.by_term.entry(text.into()).or_default(),
            };
            if commits.last() != Some(&id) {
                commits.push(id);
                terms += 1;
            }
        });
        self.commits.push(HistoryEntry {
            files: files.into(),
            terms,
            age,
        });
    }

    /// How much the commits with such words speak for each file; the best has 1. Words with their weights.
    pub(crate) fn alike<'a>(&self, words: impl Iterator<Item = (&'a str, f32)>) -> Votes {
        let mut scores: FxHashMap<u32, f32> = FxHashMap::default();
        let all = self.commits.len() as f32;
        for (word, weight) in words {
            let Some(having) = self.by_term.get(word) else {
                continue;
            };
            let rarity =
                (1.0 + (all - having.len() as f32 + 0.5) / (having.len() as f32 + 0.5)).ln();
            for commit in having {
                let length = f32::from(self.commits[*commit as usize].terms);
                *scores.entry(*commit).or_default() +=
                    weight.sqrt() * rarity / (4.0 + length).sqrt();
            }
        }
        let mut best: Vec<(u32, f32)> = scores.into_iter().collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        best.truncate(ALIKE);
        let top = best.first().map_or(1.0, |(_, score)| *score);
        self.votes(
            best.into_iter()
                .map(|(commit, score)| (commit, (score / top).powi(3))),
        )
    }

    /// How often each file changed together with one; 1 for what always did.
    pub(crate) fn together(&self, path: &str) -> Votes {
        let commits = self
            .by_path
            .get(path)
            .map_or(&[][..], |file| &self.by_file[*file as usize]);
        self.votes(commits.iter().map(|commit| (*commit, 1.0)))
    }

    fn votes(&self, commits: impl Iterator<Item = (u32, f32)>) -> Votes {
        let mut of: FxHashMap<u32, f32> = FxHashMap::default();
        for (commit, weight) in commits {
            let files = &self.commits[commit as usize].files;
            for file in files {
                *of.entry(*file).or_default() += weight / (1.0 + files.len() as f32).ln();
            }
        }
        let best = of.values().copied().fold(0.0, f32::max);
        if best > 0.0 {
            of.values_mut().for_each(|vote| *vote /= best);
        }
        Votes { of }
    }

    /// What the commits voted for a path.
    pub(crate) fn vote(&self, votes: &Votes, path: &str) -> f32 {
        let file = self.by_path.get(path);
        file.and_then(|file| votes.of.get(file))
            .copied()
            .unwrap_or(0.0)
    }

    /// How many commits touched a path, and how many of its repository came after the last of them.
    pub(crate) fn changes(&self, path: &str) -> (usize, Option<u32>) {
        let commits = self
            .by_path
            .get(path)
            .map_or(&[][..], |file| &self.by_file[*file as usize]);
        let last = commits.first();
        let age = last.map(|commit| self.commits[*commit as usize].age);
        (commits.len(), age)
    }

    /// Paths with a vote, the best first.
    pub(crate) fn best<'a>(&'a self, votes: &Votes, most: usize) -> Vec<&'a str> {
        let mut best: Vec<(&str, f32)> = self
            .by_path
            .iter()
            .filter_map(|(path, file)| Some((&**path, *votes.of.get(file)?)))
            .collect();
        best.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        best.truncate(most);
        best.into_iter().map(|(path, _)| path).collect()
    }
}

/// What commits say of files.
#[derive(Debug, Default)]
pub(crate) struct Votes {
    of: FxHashMap<u32, f32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit<'a>(message: &'a str, paths: &[&'a str]) -> Commit<'a> {
        let changes = paths.iter().map(|path| TouchedFile {
            path,
            moved_from: None,
        });
        Commit {
            message,
            changes: changes.collect(),
        }
    }

    #[test]
    fn a_commit_is_as_old_as_those_of_its_repository_make_it() {
        let old = vec![
            commit("Parse headers", &["web/a.rs"]),
            commit("Begin", &["web/b.rs"]),
        ];
        let new = vec![commit("Parse more headers", &["core/a.rs"])];
        let history = History::read_each([old, new]);
        assert_eq!(history.len(), 3);
        for (path, age) in [("web/a.rs", 0), ("web/b.rs", 1), ("core/a.rs", 0)] {
            assert_eq!(history.changes(path), (1, Some(age)), "{path}");
        }
        let votes = history.alike([("header", 1.0)].into_iter());
        assert_eq!(history.best(&votes, 5), ["core/a.rs", "web/a.rs"]);
    }

    #[test]
    fn moved_files_keep_their_past() {
        let mut moving = commit("Move", &["src/new.rs"]);
        moving.changes[0].moved_from = Some("old.rs");
        let history = History::read([moving, commit("Parse headers", &["old.rs", "b.rs"])]);
        assert_eq!(history.changes("src/new.rs"), (2, Some(0)));
        assert_eq!(history.changes("old.rs"), (0, None));
        let votes = history.alike([("header", 1.0)].into_iter());
        assert_eq!(history.best(&votes, 5), ["b.rs", "src/new.rs"]);
        assert!(history.vote(&history.together("b.rs"), "src/new.rs") > 0.9);
    }
}
