//! Which observations are asked for.

use serde::{Deserialize, Serialize};

use crate::error::{MemoryError, Result};
use crate::jsonl::LineView;
use crate::record::{Actor, Observation, Phase};
use crate::time;
use crate::words::{MAX_WORDS, QueryWord, words_of};

/// Conditions that an observation has to meet, all of them. An empty one is met by all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ObservationFilter {
    /// All of these are words of its texts ([`crate::words_of`]). A question that crosses a boundary has them as
    /// `query`.
    #[serde(skip)]
    pub words: Vec<QueryWord>,
    /// It belongs to this task.
    pub task_id: Option<String>,
    /// One of these observed it.
    pub actors: Vec<Actor>,
    /// It was in one of these phases.
    pub phases: Vec<Phase>,
    /// It is of one of these kinds (`ext.type`).
    pub kinds: Vec<String>,
    /// It was made on this branch.
    pub branch: Option<String>,
    /// It was made in this worktree.
    pub worktree: Option<String>,
    /// It refers to this file, or with `/` at the end to one below this folder.
    pub file: Option<String>,
    /// It is anchored to this symbol.
    pub symbol: Option<String>,
    /// Or to one of these, which that symbol was called before.
    pub former_symbols: Vec<String>,
    /// It was made at this time or later.
    pub since: Option<String>,
    /// It was made at this time or earlier.
    pub until: Option<String>,
}

impl ObservationFilter {
    /// The one of a question's words.
    ///
    /// # Errors
    /// `Invalid` where there is no word in it, or more than [`MAX_WORDS`].
    pub fn of_query(query: &str) -> Result<Self> {
        let words = words_of(query);
        if words.is_empty() {
            return Err(MemoryError::invalid("query", "it has no letters or digits"));
        }
        if words.len() > MAX_WORDS {
            let reason = format!("it has more than {MAX_WORDS} words");
            return Err(MemoryError::invalid("query", reason));
        }
        Ok(Self {
            words,
            ..Self::default()
        })
    }

    /// Checks what has a form.
    pub(crate) fn check(&self) -> Result<()> {
        for (field, ts) in [("since", &self.since), ("until", &self.until)] {
            if ts.as_ref().is_some_and(|ts| !time::is_valid(ts)) {
                let reason = "it is not a time of the form YYYY-MM-DD HH:mm:ss";
                return Err(MemoryError::invalid(field, reason));
            }
        }
        Ok(())
    }

    /// Whether all are asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether an observation meets the conditions.
    #[must_use]
    pub fn matches(&self, record: &Observation) -> bool {
        self.matches_head(
            &record.ts,
            record.task(),
            record.actor.as_str(),
            record.phase.as_str(),
        ) && self.matches_ext(record)
            && self.matches_files(record)
            && self
                .words
                .iter()
                .all(|word| texts(record).any(|text| word.is_in(text)))
    }

    /// The same of a line, looking into it no deeper than it has to. `None` where that does not decide it.
    pub(crate) fn matches_line(&self, line: &LineView<'_>) -> Option<bool> {
        let task = line.task_id();
        let is_head =
            || self.matches_head(&line.ts(), task.as_deref(), &line.actor(), &line.phase());
        if self.needs_head() && !is_head() {
            return Some(false);
        }
        let (summary, detail) = (line.summary(), line.detail());
        let heads = [Some(&summary), detail.as_ref(), task.as_ref()];
        let mut rest = self.words.iter().filter(|word| {
            let mut heads = heads.into_iter().flatten();
            !heads.any(|text| word.is_in(text))
        });
        if rest.clone().any(|word| !line.may_refer(word)) {
            return Some(false);
        }
        (rest.next().is_none() && !self.needs_refs()).then_some(true)
    }

    fn needs_head(&self) -> bool {
        let times = self.since.is_some() || self.until.is_some();
        times || self.task_id.is_some() || !self.actors.is_empty() || !self.phases.is_empty()
    }

    fn needs_refs(&self) -> bool {
        let names = [&self.branch, &self.worktree, &self.file, &self.symbol];
        !self.kinds.is_empty() || names.into_iter().any(Option::is_some)
    }

    fn matches_head(&self, ts: &str, task: Option<&str>, actor: &str, phase: &str) -> bool {
        let is_task = self
            .task_id
            .as_deref()
            .is_none_or(|wanted| task == Some(wanted));
        let is_actor = self.actors.is_empty() || self.actors.iter().any(|a| a.as_str() == actor);
        let is_phase = self.phases.is_empty() || self.phases.iter().any(|p| p.as_str() == phase);
        let is_time = self.since.as_deref().is_none_or(|since| ts >= since)
            && self.until.as_deref().is_none_or(|until| ts <= until);
        is_task && is_actor && is_phase && is_time
    }

    fn matches_ext(&self, record: &Observation) -> bool {
        let ext = record.ext.as_ref();
        let is = |wanted: &Option<String>, found: Option<&String>| {
            wanted.is_none() || found == wanted.as_ref()
        };
        let has_symbol = |symbol: &String| {
            let is_it = |name: &String| name == symbol || self.former_symbols.contains(name);
            ext.is_some_and(|ext| ext.anchors.iter().any(|anchor| is_it(&anchor.symbol)))
        };
        is(&self.branch, ext.and_then(|ext| ext.branch.as_ref()))
            && is(&self.worktree, ext.and_then(|ext| ext.worktree.as_ref()))
            && self.symbol.as_ref().is_none_or(has_symbol)
            && (self.kinds.is_empty()
                || record
                    .kind()
                    .is_some_and(|kind| self.kinds.iter().any(|k| k == kind)))
    }

    fn matches_files(&self, record: &Observation) -> bool {
        let files = record.refs.as_ref().map_or(&[][..], |refs| &refs.files);
        self.file.as_ref().is_none_or(|wanted| {
            files.iter().any(|file| {
                file == wanted || (wanted.ends_with('/') && file.starts_with(wanted.as_str()))
            })
        })
    }
}

/// Everything of an observation that is searched for words.
pub(crate) fn texts(record: &Observation) -> impl Iterator<Item = &str> {
    let refs = record.refs.iter().flat_map(|refs| {
        let lists = [&refs.files, &refs.commands, &refs.urls];
        lists.into_iter().flatten().map(String::as_str)
    });
    let symbols = record.ext.iter().flat_map(|ext| &ext.anchors);
    let symbols = symbols.map(|anchor| anchor.symbol.as_str());
    [
        Some(record.summary.as_str()),
        record.detail.as_deref(),
        record.task(),
        record.kind(),
    ]
    .into_iter()
    .flatten()
    .chain(refs)
    .chain(symbols)
}
