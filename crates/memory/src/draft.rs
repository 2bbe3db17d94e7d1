//! An observation before it has an id: what may be recorded, and its limits.

use codecortex_secrets::Redactor;

use crate::error::{MemoryError, Result};
use crate::record::{Actor, Ext, Observation, Phase, Refs, SCHEMA_VERSION, Tombstone};
use crate::time;

/// Characters of a summary (`003` §4.2).
pub const MAX_SUMMARY: usize = 120;
/// Bytes of a detail. Budgets cut it when it is told; this one keeps a single line readable.
pub const MAX_DETAIL: usize = 256 << 10;
/// Characters of names: tasks, branches, worktrees, symbols.
pub const MAX_NAME: usize = 512;
/// Characters of a path, a command or an address.
pub const MAX_REFERENCE: usize = 4096;
/// Entries of each list.
pub const MAX_ENTRIES: usize = 256;
/// Observations that are forgotten at once.
pub const MAX_FORGOTTEN: usize = 10_000;
/// Bytes of a whole line.
pub const MAX_LINE: usize = 1 << 20;

/// An observation that is to be recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservationDraft {
    /// When, in UTC: `YYYY-MM-DD HH:mm:ss`.
    pub ts: String,
    /// The task, if any.
    pub task_id: Option<String>,
    /// Who observed it.
    pub actor: Actor,
    /// In which phase.
    pub phase: Phase,
    /// At most [`MAX_SUMMARY`] characters on one line.
    pub summary: String,
    /// At most [`MAX_DETAIL`] bytes.
    pub detail: Option<String>,
    /// What it refers to.
    pub refs: Refs,
    /// Kind, anchors, branch and worktree.
    pub ext: Ext,
}

impl ObservationDraft {
    /// An observation of the program itself, with nothing but a summary.
    #[must_use]
    pub fn new(ts: impl Into<String>, summary: impl Into<String>) -> Self {
        Self {
            ts: ts.into(),
            task_id: None,
            actor: Actor::System,
            phase: Phase::Unphased,
            summary: summary.into(),
            detail: None,
            refs: Refs::default(),
            ext: Ext::default(),
        }
    }

    /// The same of a text of any length: its first line, cut at a word, is the summary; where that is not all of
    /// it, the whole text is the detail. Secrets go first: half of one would not be recognised.
    #[must_use]
    pub fn of_text(ts: impl Into<String>, text: &str, redactor: &Redactor) -> Self {
        let mut draft = Self::new(ts, String::new());
        let text = redactor.redact(text.trim(), &mut draft.ext.redacted);
        draft.summary = summary_of(&text);
        if draft.summary != text {
            draft.detail = Some(text.into_owned());
        }
        draft
    }

    /// Takes secrets out and checks every limit. What is recorded is only ever made here.
    ///
    /// # Errors
    /// `Invalid` names the first field that is not as it has to be, `Outside` a file outside of the root.
    pub fn seal(mut self, redactor: &Redactor) -> Result<Sealed> {
        self.refs.files.iter_mut().for_each(|path| {
            if path.contains('\\') {
                *path = path.replace('\\', "/");
            }
        });
        self.check()?;
        self.redact(redactor);
        let sealed = Sealed(self.into_record(0));
        if sealed.0.to_line().len() > MAX_LINE {
            return Err(too_long("observation", MAX_LINE, "bytes"));
        }
        Ok(sealed)
    }

    /// Takes secrets out of everything that people or models wrote.
    fn redact(&mut self, redactor: &Redactor) {
        let found = &mut self.ext.redacted;
        let names = [
            &mut self.task_id,
            &mut self.ext.branch,
            &mut self.ext.worktree,
        ];
        let refs = &mut self.refs;
        let lists = [&mut refs.files, &mut refs.commands, &mut refs.urls];
        let texts = names.into_iter().chain([&mut self.detail]).flatten();
        let texts = texts.chain(lists.into_iter().flatten());
        texts.for_each(|text| {
            redactor.redact_in(text, found);
        });
        if redactor.redact_in(&mut self.summary, found) {
            self.summary = summary_of(&self.summary); // what says that it was there may be longer
        }
    }

    fn into_record(self, id: u64) -> Observation {
        Observation {
            schema_version: SCHEMA_VERSION.to_owned(),
            id,
            ts: self.ts,
            task_id: self.task_id.filter(|task| !task.is_empty()),
            actor: self.actor,
            phase: self.phase,
            summary: self.summary,
            detail: self.detail.filter(|detail| !detail.is_empty()),
            refs: Some(self.refs).filter(|refs| *refs != Refs::default()),
            ext: Some(self.ext).filter(|ext| *ext != Ext::default()),
            unknown: serde_json::Map::new(),
        }
    }

    fn check(&self) -> Result<()> {
        if !time::is_valid(&self.ts) {
            let reason = format!(
                "{:?} is not a time of the form YYYY-MM-DD HH:mm:ss",
                self.ts
            );
            return Err(MemoryError::invalid("ts", reason));
        }
        is_one_of(
            "actor",
            self.actor.as_str(),
            self.actor.is_known(),
            Actor::KNOWN,
        )?;
        is_one_of(
            "phase",
            self.phase.as_str(),
            self.phase.is_known(),
            Phase::KNOWN,
        )?;
        self.check_summary()?;
        if self
            .detail
            .as_ref()
            .is_some_and(|detail| detail.len() > MAX_DETAIL)
        {
            return Err(too_long("detail", MAX_DETAIL, "bytes"));
        }
        check_name("task_id", self.task_id.as_deref())?;
        self.check_refs()?;
        self.check_ext()
    }

    fn check_summary(&self) -> Result<()> {
        if self.summary.trim().is_empty() {
            return Err(MemoryError::invalid("summary", "it is empty"));
        }
        if self.summary.chars().any(char::is_control) {
            let reason = "it has more than one line or control characters";
            return Err(MemoryError::invalid("summary", reason));
        }
        if self.summary.chars().count() > MAX_SUMMARY {
            return Err(too_long("summary", MAX_SUMMARY, "characters"));
        }
        Ok(())
    }

    fn check_refs(&self) -> Result<()> {
        check_list("refs.files", &self.refs.files)?;
        check_list("refs.commands", &self.refs.commands)?;
        check_list("refs.urls", &self.refs.urls)?;
        match self.refs.files.iter().find(|path| !is_relative(path)) {
            Some(path) => Err(MemoryError::Outside { path: path.clone() }),
            None => Ok(()),
        }
    }

    fn check_ext(&self) -> Result<()> {
        let ext = &self.ext;
        check_name("ext.branch", ext.branch.as_deref())?;
        check_name("ext.worktree", ext.worktree.as_deref())?;
        let is_word = |kind: &str| {
            let letters =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
            (1..=40).contains(&kind.len()) && kind.chars().all(letters)
        };
        if ext.kind.as_deref().is_some_and(|kind| !is_word(kind)) {
            let reason = "it is not a word of 1 to 40 lower-case letters, digits, - and _";
            return Err(MemoryError::invalid("ext.type", reason));
        }
        if ext.anchors.len() > MAX_ENTRIES {
            return Err(too_long("ext.anchors", MAX_ENTRIES, "entries"));
        }
        ext.anchors.iter().try_for_each(|anchor| {
            if anchor.symbol.is_empty() {
                return Err(MemoryError::invalid(
                    "ext.anchors",
                    "an anchor names no symbol",
                ));
            }
            check_name("ext.anchors", Some(&anchor.symbol))
        })
    }
}

/// A draft that may be recorded: within its limits, without secrets.
#[derive(Clone, Debug, PartialEq)]
pub struct Sealed(Observation);

impl Sealed {
    /// Says that observations are forgotten.
    ///
    /// # Errors
    /// `Invalid` without ids, with more than fit into a line, or at no time.
    pub fn tombstone(ids: &[u64], purged: bool, ts: &str) -> Result<Self> {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() || ids.len() > MAX_FORGOTTEN {
            let reason = format!("1 to {MAX_FORGOTTEN} of them can be forgotten at once");
            return Err(MemoryError::invalid("ids", reason));
        }
        let what = if purged { "Purged" } else { "Forgot" };
        let mut draft = ObservationDraft::new(ts, format!("{what} {} observations", ids.len()));
        draft.ext.tombstone = Some(Tombstone { ids, purged });
        draft.seal(&Redactor::default())
    }

    /// The record under its id.
    #[must_use]
    pub fn into_record(self, id: u64) -> Observation {
        Observation { id, ..self.0 }
    }

    /// The record before it has an id, for a host that gives it one.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(&self.0).unwrap_or_default()
    }

    /// What [`Self::to_json`] gave. Secrets were taken out there; limits are checked again, since it crossed a
    /// boundary.
    ///
    /// # Errors
    /// `Invalid` for what is no record, or one beyond its limits.
    pub fn from_json(value: serde_json::Value) -> Result<Self> {
        let record: Observation = serde_json::from_value(value)
            .map_err(|error| MemoryError::invalid("record", error.to_string()))?;
        if record.to_line().len() > MAX_LINE {
            return Err(too_long("observation", MAX_LINE, "bytes"));
        }
        Ok(Self(record))
    }

    /// How many secrets were taken out.
    #[must_use]
    pub fn redacted(&self) -> u32 {
        let ext = self.0.ext.as_ref();
        ext.map_or(0, |ext| ext.redacted.values().sum())
    }
}

/// The first line with something on it, cut at a word.
fn summary_of(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    let line: String = line
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let Some((end, _)) = line.char_indices().nth(MAX_SUMMARY) else {
        return line;
    };
    let (last, _) = line[..end].char_indices().next_back().unwrap_or_default();
    let head = &line[..last]; // room for the mark
    // A text without spaces is cut where it has to be.
    let at_word = head
        .rfind(char::is_whitespace)
        .filter(|&at| at > head.len() / 2);
    format!("{}…", head[..at_word.unwrap_or(head.len())].trim_end())
}

/// Whether a path leads nowhere but below its root, on every system.
fn is_relative(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with(['/', '~'])
        && path.as_bytes().get(1) != Some(&b':')
        && path.split('/').all(|part| part != "..")
}

fn check_name(field: &'static str, name: Option<&str>) -> Result<()> {
    let name = name.unwrap_or_default();
    if name.chars().any(char::is_control) {
        return Err(MemoryError::invalid(field, "it has control characters"));
    }
    if name.chars().count() > MAX_NAME {
        return Err(too_long(field, MAX_NAME, "characters"));
    }
    Ok(())
}

fn check_list(field: &'static str, entries: &[String]) -> Result<()> {
    if entries.len() > MAX_ENTRIES {
        return Err(too_long(field, MAX_ENTRIES, "entries"));
    }
    match entries
        .iter()
        .find(|entry| entry.chars().count() > MAX_REFERENCE)
    {
        Some(_) => Err(too_long(field, MAX_REFERENCE, "characters")),
        None => Ok(()),
    }
}

fn is_one_of(field: &'static str, word: &str, is_known: bool, known: &[&str]) -> Result<()> {
    if is_known {
        return Ok(());
    }
    let reason = format!("{word:?} is not one of {}", known.join(", "));
    Err(MemoryError::invalid(field, reason))
}

fn too_long(field: &'static str, most: usize, unit: &str) -> MemoryError {
    MemoryError::invalid(field, format!("it is longer than {most} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TS: &str = "2026-01-02 03:04:05";

    fn seal(draft: ObservationDraft) -> Result<Sealed> {
        draft.seal(&Redactor::default())
    }

    #[test]
    fn a_long_text_becomes_a_summary_and_a_detail() {
        let text = format!("{}\nmore", "word ".repeat(60));
        let draft = ObservationDraft::of_text(TS, &text, &Redactor::default());
        assert!(draft.summary.chars().count() <= MAX_SUMMARY);
        assert!(draft.summary.ends_with("word…"), "{}", draft.summary);
        assert_eq!(draft.detail.as_deref(), Some(text.trim()));
        assert_eq!(
            ObservationDraft::of_text(TS, " short ", &Redactor::default()).detail,
            None
        );
    }

    #[test]
    fn a_secret_at_the_cut_is_no_half_secret() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let text = format!("{} {secret} and more", "x".repeat(100));
        let draft = ObservationDraft::of_text(TS, &text, &Redactor::default());
        assert!(!draft.summary.contains("ghp_"), "{}", draft.summary);
        let record = seal(draft).unwrap().into_record(1);
        assert_eq!(record.ext.unwrap().redacted["github-token"], 1);
    }

    #[test]
    fn secrets_leave_every_field() {
        let secret = format!("ghp_{}", "a1B2".repeat(9));
        let mut draft = ObservationDraft::new(TS, format!("used {secret}"));
        draft.detail = Some(format!("then {secret}"));
        draft.refs.commands = vec![format!("curl -H 'Authorization: Bearer {secret}'")];
        draft.refs.urls = vec![format!("https://user:{secret}@example.com/")];
        draft.refs.files = vec![format!("keys/{secret}")];
        draft.ext.branch = Some(secret.clone());
        let sealed = seal(draft).unwrap();
        assert!(sealed.redacted() >= 6);
        let line = sealed.into_record(1).to_line();
        assert!(!line.contains("a1B2"), "{line}");
    }

    #[test]
    fn a_text_without_spaces_is_cut_between_characters() {
        let draft = ObservationDraft::of_text(TS, &"检".repeat(200), &Redactor::default());
        assert_eq!(draft.summary.chars().count(), MAX_SUMMARY);
        assert!(seal(draft).is_ok());
    }

    #[test]
    fn limits_are_told_by_field() {
        let wrong = |change: fn(&mut ObservationDraft)| {
            let mut draft = ObservationDraft::new(TS, "it works");
            change(&mut draft);
            seal(draft).unwrap_err().to_string()
        };
        assert!(wrong(|d| d.summary = "x".repeat(121)).starts_with("summary: "));
        assert!(wrong(|d| d.summary = "a\nb".to_owned()).starts_with("summary: "));
        assert!(wrong(|d| d.summary = "  ".to_owned()).starts_with("summary: "));
        assert!(wrong(|d| d.ts = "2026-02-30 00:00:00".to_owned()).starts_with("ts: "));
        assert!(wrong(|d| d.actor = "boss".into()).contains("orchestrator, planner"));
        assert!(wrong(|d| d.phase = "later".into()).starts_with("phase: "));
        assert!(wrong(|d| d.detail = Some("x".repeat(MAX_DETAIL + 1))).starts_with("detail: "));
        assert!(wrong(|d| d.ext.kind = Some("Not a word".to_owned())).starts_with("ext.type: "));
        assert!(wrong(|d| d.refs.commands = vec![String::new(); 257]).starts_with("refs.commands"));
    }

    #[test]
    fn files_outside_of_the_root_are_refused() {
        for path in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "C:\\x",
            "..\\x",
            "~/x",
            "",
        ] {
            let mut draft = ObservationDraft::new(TS, "it works");
            draft.refs.files = vec![path.to_owned()];
            let error = seal(draft).unwrap_err();
            assert_eq!(error.code(), "AccessDenied", "{path}");
        }
        let mut draft = ObservationDraft::new(TS, "it works");
        draft.refs.files = vec!["src\\a.rs".to_owned()];
        let record = seal(draft).unwrap().into_record(1);
        assert_eq!(record.refs.unwrap().files, ["src/a.rs"]);
    }
}
