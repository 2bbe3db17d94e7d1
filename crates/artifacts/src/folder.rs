//! The `.context/` of one workspace folder: what it said when it was read, what it has to say now, and
//! what is on its way to the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codecortex_analysis::folder_config::{CONFIG_PATH, FolderConfig, Outlines};
use codecortex_ledger::files::log::render_log_entry;
use codecortex_ledger::{
    ContextFile, Identity, Ledger, Millis, OutlineEffect, Regrouped, TypeFate, UpdateReport,
    Written,
};
use codecortex_protocol::{Bytes, DiskChange, FetchedFile, Stamped};
use codecortex_semantics::{SemanticJobs, joined_texts};
use rustc_hash::{FxHashMap, FxHasher};
use serde_json::json;

/// Where everything is, relative to the root.
pub const FOLDER: &str = ".context";
/// What is disposable or for one person alone, as its own `.gitignore` says.
const IGNORED: &str =
    "cache/\nreplay/\nmemory/lock/\nmemory/mem.db-*\naccess.json\nprompt_window.md\n.writing-*\n";
/// The key of `state.json` with the ids of types whose outlines are written.
const OUTLINES: &str = "outlines";

/// What was used lately, below the folder. It is written when something else is.
const ACCESS: &str = "access.json";

/// The prompt window, below the folder.
const WINDOW: &str = "prompt_window.md";

/// The ledger's files, each with the keys that say when it was written.
const FILES: [(ContextFile, &[&str]); 4] = [
    (ContextFile::Index, &["generatedAt"]),
    (ContextFile::State, &["clock", "count"]),
    (ContextFile::Aliases, &[]),
    (ContextFile::Cache, &[]),
];

/// What the folder is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FolderPhase {
    /// Nothing of it was read.
    #[default]
    Unread,
    /// Its files are on their way here.
    Reading,
    /// Nothing is on its way.
    Idle,
    /// Outlines that get another header are on their way here.
    Outlines,
    /// Files are on their way to the disk.
    Writing,
}

/// What an update found, for who asked for it.
#[derive(Clone, Debug, Default)]
pub struct ContextReport {
    /// What changed since the folder was last written.
    pub report: UpdateReport,
    /// What was wrong with its files; they are made anew.
    pub problems: Vec<String>,
    /// Files written, relative to the folder.
    pub written: Vec<String>,
    /// Why nothing could be written.
    pub failure: Option<ContextFailure>,
}

/// Why `.context/` could not be written. Nothing of the user's is lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContextFailure {
    /// Another process is at it.
    Busy,
    /// The disk does not allow it.
    Disk(String),
}

/// What is known of one `.context/`.
#[derive(Default)]
pub struct ContextState {
    /// What it is doing.
    pub step: FolderPhase,
    /// The settings that travel with the folder.
    pub config: FolderConfig,
    /// The text that it was read from.
    pub config_text: Option<String>,
    /// The types that were known when it was written; none before it was read.
    pub ledger: Option<Ledger>,
    /// Somebody wants the folder, though it is not there yet.
    pub is_wanted: bool,
    /// All types have to be looked at.
    pub needs_all: bool,
    /// What is in the prompt window, or else kept in `state.json`, is other than it was.
    pub window_changed: bool,
    /// Somebody read the prompt window.
    pub wants_window: bool,
    /// What `prompt_window.md` holds.
    window_on_disk: Option<u64>,
    /// Files whose types may be others now.
    pub touched: BTreeSet<Box<str>>,
    /// Files whose own text is as it was, but what they name may be another type.
    pub concerned: BTreeSet<Box<str>>,
    /// Types by the files that their parts are in, as the ledger was told last.
    pub types_of: FxHashMap<Box<str>, Vec<Arc<Identity>>>,
    /// Watched files of which a notice came while others were on their way, relative to the root.
    pub noticed: BTreeSet<String>,
    /// Ids of types whose outline somebody asked for.
    pub asked: BTreeSet<String>,
    /// Who describes its types, and what is being described.
    pub semantic_jobs: SemanticJobs,
    /// Ids of types that were invalidated by hand.
    pub invalid: BTreeSet<String>,
    /// Outlines to write anew, by path, with the type's id; what is written is being fetched.
    renewed: BTreeMap<String, (String, OutlineEffect)>,
    /// Texts that belong elsewhere now; what they say is being fetched.
    regrouped: Vec<Regrouped>,
    /// What is to be done once, besides the ledger's files.
    once: Vec<DiskChange>,
    stamps: [Option<String>; FILES.len()],
    on_disk: [Option<u64>; FILES.len()],
    /// What is being written, to be `on_disk` when it is.
    writing: [Option<u64>; FILES.len()],
    /// What `access.json` holds.
    access_on_disk: Option<u64>,
    /// Why one of the ledger's files could not be read. Nothing is written over what nobody has seen.
    pub unreadable: Option<String>,
    /// Times in a row that its files were others when they were to be written.
    pub conflicts: u32,
    /// What the last update found.
    pub account: ContextReport,
    /// Why what is new is not on the disk.
    pub failure: Option<ContextFailure>,
    /// When writing may be tried again after a failure.
    pub retry_at: Millis,
}

impl ContextState {
    /// The files to read first, relative to the root.
    pub fn paths() -> Vec<String> {
        let files = FILES.iter().map(|(file, _)| in_folder(file.path()));
        files.chain([in_folder(ACCESS)]).collect()
    }

    /// The files of which it is read again when others wrote them, relative to the root. What is disposable is none:
    /// whoever wrote it wrote the others too.
    pub fn watched() -> impl Iterator<Item = String> {
        let files = FILES.iter().filter(|(file, _)| *file != ContextFile::Cache);
        files.map(|(file, _)| in_folder(file.path()))
    }

    /// Whether files of the folder are on their way.
    pub fn is_reading(&self) -> bool {
        matches!(self.step, FolderPhase::Reading | FolderPhase::Outlines)
    }

    /// Whether one of the files, relative to the root, is as it was read or written here.
    pub fn is_known(&self, path: &str, stamp: Option<&str>) -> bool {
        let at = FILES
            .iter()
            .position(|(file, _)| in_folder(file.path()) == path);
        at.is_none_or(|at| self.stamps[at].as_deref() == stamp)
    }

    /// Takes in what the folder holds; gives the text of `access.json`.
    pub fn load(&mut self, files: &[FetchedFile], now: Millis) -> Option<String> {
        let bytes = |at: usize| Some(files.get(at)?.bytes.as_ref()?.0.as_slice());
        // What is no text is what the ledger reports as broken.
        let text = |at: usize| bytes(at).map(String::from_utf8_lossy);
        let (index, state, aliases) = (text(0), text(1), text(2));
        let written = Written {
            index: index.as_deref(),
            state: state.as_deref(),
            aliases: aliases.as_deref(),
            cache: bytes(3),
        };
        let (mut ledger, problems) = Ledger::load(written, self.config.switches(), now);
        ledger.recover(now);
        let problems = problems.iter().map(ToString::to_string);
        self.account.problems.extend(problems);
        let unreadable = files.iter().zip(FILES).filter_map(|(found, (file, _))| {
            let error = found.error.as_ref()?;
            let error = error.trim_end_matches('.');
            Some(format!("{} could not be read: {error}", file.path()))
        });
        let unreadable: Vec<String> = unreadable.collect();
        self.unreadable = unreadable.first().cloned();
        self.account.problems.extend(unreadable);
        for (at, (_, moving)) in FILES.iter().enumerate() {
            self.stamps[at] = files.get(at).and_then(|file| file.stamp.clone());
            self.on_disk[at] = bytes(at).map(|bytes| digest(bytes, moving));
        }
        self.ledger = Some(ledger);
        self.needs_all = true;
        self.step = FolderPhase::Idle;
        let access = bytes(FILES.len());
        self.access_on_disk = access.map(|bytes| digest(bytes, &[]));
        access.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Has identities in common with the ledger instead of copies of them.
    pub fn share_identities(&mut self) {
        let Some(ledger) = &self.ledger else {
            return;
        };
        for known in self.types_of.values_mut().flatten() {
            if let Some(shared) = ledger.shared_identity(known) {
                *known = shared;
            }
        }
    }

    /// Forgets what was read: somebody else wrote it anew.
    pub fn unload(&mut self) {
        self.ledger = None;
        self.semantic_jobs.begin_again();
        self.once.clear();
        self.renewed.clear();
        self.window_on_disk = None;
        self.window_changed = true;
        self.step = FolderPhase::Unread;
    }

    /// Notes what an update found. Gives the outlines that are to be written for the first time, and what
    /// is to be done to those that are written, both by id.
    pub fn note(
        &mut self,
        report: UpdateReport,
    ) -> (BTreeSet<String>, BTreeMap<String, OutlineEffect>) {
        let mut kept = self.outlines();
        let (mut new, mut written) = (BTreeSet::new(), BTreeMap::new());
        for moved in &report.moves {
            if let (Some(from), Some(to)) = (outline_id(&moved.from), outline_id(&moved.to))
                && kept.remove(from)
            {
                kept.insert(to.to_owned());
                // It names itself.
                new.insert(to.to_owned());
            }
            self.once.push(DiskChange::Move {
                from: in_folder(&moved.from),
                to: in_folder(&moved.to),
            });
        }
        for change in &report.changes {
            let is_kept = kept.contains(&change.id) && !new.contains(&change.id);
            match change.outline {
                _ if change.what == TypeFate::Removed => {
                    let was_kept = kept.remove(&change.id);
                    self.once.extend(was_kept.then(|| DiskChange::Delete {
                        path: outline_path(&change.id),
                    }));
                }
                // A dependency may have got another name.
                OutlineEffect::Keep if is_kept && !report.aliases.is_empty() => {
                    written.insert(change.id.clone(), OutlineEffect::Body);
                }
                OutlineEffect::Keep => {}
                effect if is_kept => drop(written.insert(change.id.clone(), effect)),
                _ => {}
            }
        }
        let every: Vec<String> = match (&self.ledger, self.config.outlines) {
            (Some(ledger), Outlines::All) => ledger.ids().into_iter().map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        for id in std::mem::take(&mut self.asked).into_iter().chain(every) {
            if kept.insert(id.clone()) {
                new.insert(id);
            }
        }
        self.set_outlines(&kept);
        for entry in &report.log {
            let line = render_log_entry(entry);
            self.once.push(DiskChange::Append {
                path: in_folder(entry.kind.file().path()),
                text: format!("{}\n", line.trim_end()),
            });
        }
        self.regrouped = report.regrouped;
        if self.failure.is_none() {
            self.account.report = UpdateReport::default();
        }
        // What could not be written is still news.
        let account = &mut self.account.report;
        account.changes.extend(report.changes);
        account.aliases.extend(report.aliases);
        (new, written)
    }

    /// Ids of the types whose outlines are written.
    pub fn outlines(&mut self) -> BTreeSet<String> {
        let state = self.ledger.as_mut().map(Ledger::foreign_state_mut);
        let list = state.and_then(|state| state.get(OUTLINES)?.as_array().cloned());
        let ids = list.into_iter().flatten();
        ids.filter_map(|id| id.as_str().map(str::to_owned))
            .collect()
    }

    fn set_outlines(&mut self, ids: &BTreeSet<String>) {
        let Some(ledger) = &mut self.ledger else {
            return;
        };
        let state = ledger.foreign_state_mut();
        if ids.is_empty() {
            state.remove(OUTLINES);
        } else {
            state.insert(OUTLINES.to_owned(), json!(ids));
        }
    }

    /// An outline to write whole.
    pub fn write_outline(&mut self, id: &str, text: String) {
        self.once.push(DiskChange::Write {
            path: outline_path(id),
            bytes: Bytes(text.into_bytes()),
        });
    }

    /// A pack's text, or none where it is deleted.
    pub fn write_pack(&mut self, name: &str, text: Option<String>) {
        let path = in_folder(&format!("packs/{name}.md"));
        self.once.push(match text {
            Some(text) => DiskChange::Write {
                path,
                bytes: Bytes(text.into_bytes()),
            },
            None => DiskChange::Delete { path },
        });
    }

    /// A text about types, or what belongs to it; the path is relative to the folder.
    pub fn write_text(&mut self, path: &str, text: String) {
        self.once.push(DiskChange::Write {
            path: in_folder(path),
            bytes: Bytes(text.into_bytes()),
        });
    }

    /// The same for a file that is written again and again: the last text counts.
    pub fn keep_text(&mut self, path: &str, text: String) {
        let own = in_folder(path);
        self.once.retain(
            |change| !matches!(change, DiskChange::Write { path: known, .. } if *known == own),
        );
        self.write_text(path, text);
    }

    /// A file that is not needed any more.
    pub fn drop_text(&mut self, path: &str) {
        let own = in_folder(path);
        self.once.retain(
            |change| !matches!(change, DiskChange::Write { path: known, .. } if *known == own),
        );
        self.once.push(DiskChange::Delete { path: own });
    }

    /// The prompt window, where it is another one.
    pub fn write_window(&mut self, text: String) {
        let digest = Some(digest(text.as_bytes(), &[]));
        if self.window_on_disk != digest {
            self.window_on_disk = digest;
            let path = in_folder(WINDOW);
            self.once.retain(
                |change| !matches!(change, DiskChange::Write { path: known, .. } if *known == path),
            );
            self.once.push(DiskChange::Write {
                path,
                bytes: Bytes(text.into_bytes()),
            });
        }
    }

    /// Outlines that are written and are to say something new; gives the paths to fetch.
    pub fn expect_outlines(&mut self, ids: BTreeMap<String, OutlineEffect>) -> Vec<String> {
        let expected = ids.into_iter();
        self.renewed = expected
            .map(|(id, effect)| (outline_path(&id), (id, effect)))
            .collect();
        self.renewed.keys().cloned().collect()
    }

    /// Where the texts are that belong elsewhere now; they are to be fetched.
    #[must_use]
    pub fn expected_texts(&self) -> Vec<String> {
        let regrouped = self.regrouped.iter();
        let paths = regrouped.flat_map(|of| of.from.iter().chain([&of.to]));
        let paths: BTreeSet<&String> = paths.collect();
        paths.into_iter().map(|path| in_folder(path)).collect()
    }

    /// Puts texts where they belong now, by what is at each path relative to the root. What is nobody's place any more
    /// is deleted, once what it says stands elsewhere.
    pub fn regroup_texts(&mut self, found: &BTreeMap<&str, String>) {
        let regrouped = std::mem::take(&mut self.regrouped);
        let (mut kept, mut over) = (BTreeSet::new(), BTreeSet::new());
        for Regrouped { from, to } in &regrouped {
            kept.insert(to.clone());
            let is_written = self.once.iter().any(
                |change| matches!(change, DiskChange::Write { path, .. } if *path == in_folder(to)),
            );
            if is_written {
                continue; // somebody has just described them anew
            }
            // What somebody wrote by hand where the text belongs stays there.
            let texts = from.iter().chain([to]);
            let texts = texts.filter_map(|path| found.get(&*in_folder(path)));
            let texts: Vec<&str> = texts.map(String::as_str).collect();
            let Some(text) = joined_texts(&texts) else {
                continue;
            };
            over.extend(
                from.iter()
                    .filter(|path| found.contains_key(&*in_folder(path))),
            );
            self.keep_text(to, text);
        }
        // What moved with the same update is not where it was read.
        let moved = |path: &str| {
            self.once.iter().find_map(|change| match change {
                DiskChange::Move { from, to } if *from == in_folder(path) => {
                    Some(to.strip_prefix(FOLDER)?.trim_start_matches('/').to_owned())
                }
                _ => None,
            })
        };
        let over: Vec<String> = over
            .into_iter()
            .map(|path| moved(path).unwrap_or_else(|| path.clone()))
            .filter(|path| !kept.contains(path))
            .collect();
        for path in over {
            self.once.push(DiskChange::Delete {
                path: in_folder(&path),
            });
        }
    }

    /// The type whose outline is at a path that [`Self::expect_outlines`] gave, and what is to be done.
    pub fn take_outline(&mut self, path: &str) -> Option<(String, OutlineEffect)> {
        self.renewed.remove(path)
    }

    /// An outline that was asked for once is gone: whoever deleted it does not want it.
    pub fn drop_outline(&mut self, id: &str) {
        let mut kept = self.outlines();
        kept.remove(id);
        self.set_outlines(&kept);
    }

    /// What has to happen on the disk: the states expected there, and the steps. None where nothing is
    /// new.
    pub fn commit(&mut self, access: &str, now: Millis) -> Option<(Vec<Stamped>, Vec<DiskChange>)> {
        let ledger = self.ledger.as_ref()?;
        let mut changes = self.once.clone();
        if self.is_wanted {
            changes.insert(0, ignore_file());
            if self.config_text.is_none() {
                changes.push(DiskChange::Write {
                    path: CONFIG_PATH.to_owned(),
                    bytes: Bytes(FolderConfig::initial_text().into_bytes()),
                });
            }
        }
        for (at, (file, moving)) in FILES.into_iter().enumerate() {
            let bytes = match file {
                ContextFile::Index => ledger.render_index(now).into_bytes(),
                ContextFile::State => ledger.render_state().into_bytes(),
                ContextFile::Aliases => ledger.render_aliases().into_bytes(),
                _ => ledger.render_cache(),
            };
            let digest = Some(digest(&bytes, moving));
            self.writing[at] = digest;
            if self.on_disk[at] != digest {
                changes.push(DiskChange::Write {
                    path: in_folder(file.path()),
                    bytes: Bytes(bytes),
                });
            }
        }
        if changes.is_empty() {
            return None;
        }
        let is_used = Some(digest(access.as_bytes(), &[]));
        if self.access_on_disk != is_used {
            self.access_on_disk = is_used;
            changes.push(DiskChange::Write {
                path: in_folder(ACCESS),
                bytes: Bytes(access.as_bytes().to_vec()),
            });
        }
        let expect = FILES
            .iter()
            .zip(&self.stamps)
            .map(|((file, _), stamp)| Stamped {
                path: in_folder(file.path()),
                stamp: stamp.clone(),
            });
        self.account.written = changes.iter().filter_map(written_path).collect();
        self.step = FolderPhase::Writing;
        Some((expect.collect(), changes))
    }

    /// It is on the disk.
    pub fn committed(&mut self, stamps: Vec<Option<String>>) {
        for (mine, stamp) in self.stamps.iter_mut().zip(stamps) {
            *mine = stamp;
        }
        self.on_disk = self.writing;
        self.once.clear();
        self.is_wanted = false;
        self.retry_at = 0;
        self.conflicts = 0;
        self.failure = None;
        self.step = FolderPhase::Idle;
    }

    /// It is not on the disk, and will be tried again.
    pub fn failed(&mut self, failure: ContextFailure, retry_at: Millis) {
        self.account.written.clear();
        self.failure = Some(failure);
        self.retry_at = retry_at;
        self.step = FolderPhase::Idle;
    }

    /// Whether something waits to be written.
    pub fn is_unwritten(&self) -> bool {
        self.failure.is_some()
    }

    /// Whether a file that could not be read is to be read again.
    pub fn is_mended_perhaps(&self, now: Millis) -> bool {
        self.unreadable.is_some() && self.is_unwritten() && now >= self.retry_at
    }

    /// Whether there is something to do.
    pub fn is_due(&self, now: Millis) -> bool {
        self.needs_all
            || self.window_changed
            || !self.touched.is_empty()
            || !self.concerned.is_empty()
            || !self.asked.is_empty()
            || !self.invalid.is_empty()
            || self.semantic_jobs.is_due(self.ledger.as_ref(), now)
            || self.is_unwritten() && now >= self.retry_at
            || self
                .ledger
                .as_ref()
                .and_then(Ledger::due)
                .is_some_and(|due| due <= now)
    }
}

fn ignore_file() -> DiskChange {
    DiskChange::Write {
        path: in_folder(".gitignore"),
        bytes: Bytes(IGNORED.into()),
    }
}

fn in_folder(path: &str) -> String {
    format!("{FOLDER}/{path}")
}

/// Where the outline of a type is, relative to the root.
pub(crate) fn outline_path(id: &str) -> String {
    format!("{FOLDER}/types/{id}.outline.md")
}

/// The id in the path of an outline, relative to the folder.
fn outline_id(path: &str) -> Option<&str> {
    path.strip_prefix("types/")?.strip_suffix(".outline.md")
}

fn written_path(change: &DiskChange) -> Option<String> {
    let path = match change {
        DiskChange::Write { path, .. } | DiskChange::Append { path, .. } => path,
        DiskChange::Move { to, .. } => to,
        DiskChange::Delete { .. } => return None,
    };
    Some(
        path.strip_prefix(FOLDER)?
            .trim_start_matches('/')
            .to_owned(),
    )
}

/// Tells two contents of a file apart, those lines not counted that say when it was written.
fn digest(bytes: &[u8], moving: &[&str]) -> u64 {
    let heads: Vec<Vec<u8>> = moving
        .iter()
        .map(|key| format!("  \"{key}\": ").into_bytes())
        .collect();
    let mut hasher = FxHasher::default();
    if heads.is_empty() {
        bytes.hash(&mut hasher);
    } else {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n');
        let stays = |line: &&[u8]| !heads.iter().any(|head| line.starts_with(head));
        lines.filter(stays).for_each(|line| line.hash(&mut hasher));
    }
    hasher.finish()
}
