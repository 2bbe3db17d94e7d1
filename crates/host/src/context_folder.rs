//! The folder `.context/` of a workspace folder on the disk (SPEC D3, D17, I5; docs/context-folder.md).
//!
//! The ledger says what is to be written; here it is read and written. A file is replaced whole or not at
//! all, one process writes at a time, and nothing is written where nothing changed.

use std::fs::{self, File as DiskFile, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use codecortex_engine::protocol::Root;
use codecortex_ledger::files::log::render_log_entry;
use codecortex_ledger::{Batch, Config, File, Ledger, Millis, Move, Problem, Report, Written};

use crate::Workspace;

/// What is disposable or for one person alone.
const IGNORED: &str = "cache/\naccess.json\nprompt_window.md\n";

/// Why the folder could not be used. Nothing of the user's is lost.
#[derive(Debug, thiserror::Error)]
pub enum ContextError {
    /// A file or folder.
    #[error("{}: {source}", path.display())]
    Disk {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process is at it.
    #[error("another process is writing {}", .0.display())]
    Busy(PathBuf),
    /// It is there and no folder of ours.
    #[error("{} is no folder", .0.display())]
    NotAFolder(PathBuf),
}

/// What an update of the folder brought.
#[derive(Debug)]
pub struct Updated {
    /// What has changed since the folder was last written.
    pub report: Report,
    /// What was wrong with its files; they were made anew.
    pub problems: Vec<Problem>,
    /// Files that were written, relative to the folder.
    pub written: Vec<&'static str>,
}

/// The `.context/` of one workspace folder.
#[derive(Clone, Debug)]
pub struct ContextFolder {
    root: PathBuf,
    path: PathBuf,
}

impl ContextFolder {
    /// The folder of a root, where it has one: links are not followed.
    #[must_use]
    pub fn of(root: &Root) -> Option<Self> {
        let folder = Self::at(root);
        let found = fs::symlink_metadata(&folder.path);
        found.is_ok_and(|found| found.is_dir()).then_some(folder)
    }

    /// Makes the folder of a root, or finds it.
    ///
    /// # Errors
    /// When the disk does not allow it, or something else has its name.
    pub fn create(root: &Root) -> Result<Self, ContextError> {
        let folder = Self::at(root);
        match fs::create_dir(&folder.path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Self::of(root).ok_or(ContextError::NotAFolder(folder.path));
            }
            Err(source) => return Err(folder.disk("", source)),
        }
        folder.replace(".gitignore", IGNORED.as_bytes())?;
        Ok(folder)
    }

    fn at(root: &Root) -> Self {
        let root = PathBuf::from(&root.path);
        Self {
            path: root.join(".context"),
            root,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Compares what the folder says of the types of a root with what they are, and writes what is new.
    ///
    /// # Errors
    /// When another process writes the folder, or the disk does not allow it.
    pub fn update(
        &self,
        workspace: &Workspace,
        root: u32,
        now: Millis,
    ) -> Result<Updated, ContextError> {
        let _lock = self.lock()?;
        let config = Config::default();
        let (index, state, aliases) = (
            self.read_text(File::Index)?,
            self.read_text(File::State)?,
            self.read_text(File::Aliases)?,
        );
        let cache = self.read(File::Cache)?;
        let written = Written {
            index: index.as_deref(),
            state: state.as_deref(),
            aliases: aliases.as_deref(),
            cache: cache.as_deref(),
        };
        let (mut ledger, problems) = Ledger::load(written, config, now);
        ledger.recover(now);
        let batch = Batch {
            changed: workspace.types(root, ledger.config().hash_rules()),
            complete: true,
            ..Batch::default()
        };
        let report = ledger.update(batch, now);
        report.moves.iter().for_each(|moved| self.rename(moved));
        let mut files = Vec::new();
        for (file, text) in [
            (File::Index, ledger.index_to_write(index.as_deref(), now)),
            (File::State, ledger.state_to_write(state.as_deref())),
            (File::Aliases, ledger.aliases_to_write(aliases.as_deref())),
        ] {
            if let Some(text) = text {
                self.replace(file.path(), text.as_bytes())?;
                files.push(file.path());
            }
        }
        let bytes = ledger.render_cache();
        if cache.as_deref() != Some(&bytes) {
            self.replace(File::Cache.path(), &bytes)?;
            files.push(File::Cache.path());
        }
        self.append_logs(&report)?;
        Ok(Updated {
            report,
            problems,
            written: files,
        })
    }

    /// One writer at a time; the system lets go of the lock when a process ends, however it does.
    fn lock(&self) -> Result<DiskFile, ContextError> {
        let name = "cache/lock";
        let path = self.path.join(name);
        fs::create_dir_all(self.path.join("cache")).map_err(|source| self.disk("cache", source))?;
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|source| self.disk(name, source))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(ContextError::Busy(self.path.clone())),
            Err(TryLockError::Error(source)) => Err(self.disk(name, source)),
        }
    }

    fn read(&self, file: File) -> Result<Option<Vec<u8>>, ContextError> {
        match fs::read(self.path.join(file.path())) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(self.disk(file.path(), source)),
        }
    }

    /// What is no text is what the ledger reports as broken.
    fn read_text(&self, file: File) -> Result<Option<String>, ContextError> {
        let bytes = self.read(file)?;
        Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Writes a file beside its place and moves it there.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<(), ContextError> {
        let path = self.path.join(name);
        let write = || {
            let folder = path.parent().unwrap_or(&self.path);
            fs::create_dir_all(folder)?;
            let mut builder = tempfile::Builder::new();
            builder.prefix(".writing-");
            // Temporary files are private; these are for everybody that may read the sources.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(folder)?;
            file.write_all(bytes)?;
            file.as_file().sync_data()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        write().map_err(|source| self.disk(name, source))
    }

    /// Gives a file of a type its new name, in git too where it is tracked (`000` §4.5).
    fn rename(&self, moved: &Move) {
        let (from, to) = (self.path.join(&moved.from), self.path.join(&moved.to));
        if !from.exists() || to.exists() {
            return;
        }
        let by_git = Command::new("git")
            .arg("-C")
            .arg(&self.root)
            .args(["mv", "--"])
            .args([&from, &to])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !by_git.is_ok_and(|status| status.success())
            && let Err(error) = fs::rename(&from, &to)
        {
            tracing::warn!(file = %from.display(), %error, "a file of a renamed type stays where it is");
        }
    }

    fn append_logs(&self, report: &Report) -> Result<(), ContextError> {
        for entry in &report.log {
            let name = entry.kind.file().path();
            let append = || {
                let path = self.path.join(name);
                let mut file = OpenOptions::new().create(true).append(true).open(path)?;
                let line = render_log_entry(entry);
                file.write_all(format!("{}\n", line.trim_end()).as_bytes())
            };
            append().map_err(|source| self.disk(name, source))?;
        }
        Ok(())
    }

    fn disk(&self, name: &str, source: io::Error) -> ContextError {
        ContextError::Disk {
            path: self.path.join(name),
            source,
        }
    }
}
