//! The `git` program. Nothing else starts it, so that it runs no program that a repository names: `git/safe.json` has what
//! is turned off, row by row (SPEC RV1, RM1). `extension/worker/git.node.ts` is the twin and reads the same list.

mod open;
mod process;
mod safe;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use open::open;
pub(crate) use open::open_while;

use crate::abandon;
use crate::cancellation::StillNeeded;

use process::ProcessFailure;
pub(crate) use process::StdoutResult;

/// Bytes of a configuration that are read.
const MAX_CONFIGURATION: u64 = 16 << 20;
/// Characters of git's own words that an error has.
const MAX_SAID: usize = 300;

/// Why git gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// No folder of `PATH` has it.
    #[error("There is no `git` program in a folder that `PATH` names in full.")]
    NoProgram,
    /// It lacks something that is needed.
    #[error("The installed git {found} is too old: {why}.")]
    TooOld {
        /// Its version, as it says it.
        found: String,
        /// What older ones lack.
        why: String,
    },
    /// It was ended, as it did not end by itself.
    #[error("git did not end within {} and was ended, with what it had started.", duration(*.0))]
    TooSlow(Duration),
    /// It was ended, as nobody wants its answer any more.
    #[error("git was ended, as its answer is not wanted any more.")]
    Unwanted,
    /// The folder is in no repository.
    #[error("The folder is in no git repository.")]
    NoRepository,
    /// The folder is in one that git does not open, or that is not opened here. A clause.
    #[error("The folder's git repository is not opened: {0}.")]
    Closed(String),
    /// Programs of the repository cannot be turned off. A clause.
    #[error("git is not run in this repository: {0}.")]
    Unsafe(String),
    /// It ended with an error; what it said.
    #[error("git failed: {0}")]
    Failed(String),
    /// It could not be started or read.
    #[error("git could not be run: {0}.")]
    Io(String),
}

fn duration(limit: Duration) -> String {
    match limit.as_secs() {
        0 => format!("{} ms", limit.as_millis()),
        seconds => format!("{seconds} s"),
    }
}

impl GitError {
    /// What somebody can do. `instead` is what helps in any case, a clause with a capital letter.
    #[must_use]
    pub fn hint(&self, instead: &str) -> String {
        let first = match self {
            Self::NoProgram => "Install git",
            Self::TooOld { .. } => "Install a newer git",
            Self::TooSlow(_) => {
                "Look for files of the repository or its configuration that are pipes or on a slow disk"
            }
            Self::Closed(reason) if reason.contains(open::OTHER_OWNER) => {
                "If you trust its owner, add it with `git config --global --add safe.directory`, the folder behind it"
            }
            Self::Closed(_) | Self::Unsafe(_) => {
                "Look at the repository's `.git` and its configuration"
            }
            Self::Failed(_) => "Run git in the folder to see why",
            Self::NoRepository | Self::Io(_) | Self::Unwanted => return format!("{instead}."),
        };
        let rest = instead.chars().next().map_or_else(String::new, |letter| {
            format!("{}{}", letter.to_lowercase(), &instead[letter.len_utf8()..])
        });
        format!("{first}, or {rest}.")
    }
}

/// `git` in a folder.
#[derive(Debug)]
pub struct Git {
    folder: PathBuf,
    program: PathBuf,
    /// Its version in words, and the first two numbers.
    version: (String, (u32, u32)),
    limit: Duration,
    wanted: StillNeeded,
    /// What of the folder's configuration is turned off, once it was looked at.
    turned_off: Mutex<Option<BTreeMap<String, String>>>,
}

impl Git {
    /// `git` in a folder, which need not be in a repository.
    ///
    /// # Errors
    ///
    /// Where there is no git, or one that is too old.
    pub fn new(folder: &Path) -> Result<Self, GitError> {
        Self::new_while(folder, &StillNeeded::always())
    }

    /// The same, whose commands are ended when nobody wants their answers any more.
    fn new_while(folder: &Path, wanted: &StillNeeded) -> Result<Self, GitError> {
        Self::with(folder, env::var_os("PATH"), abandon::limit(), wanted)
    }

    /// The same with a `PATH`, and how long each command may take.
    pub(crate) fn with(
        folder: &Path,
        path: Option<OsString>,
        limit: Duration,
        wanted: &StillNeeded,
    ) -> Result<Self, GitError> {
        let mut git = Self {
            folder: folder.to_owned(),
            program: program(path).ok_or(GitError::NoProgram)?,
            version: (String::new(), (0, 0)),
            limit,
            wanted: wanted.clone(),
            turned_off: Mutex::default(),
        };
        let told = git.text(&["version"])?;
        let told = told.trim().trim_start_matches("git version ").to_owned();
        let numbers = safe::version(&told).unwrap_or_default();
        git.version = (told, numbers);
        git.least("least")?;
        Ok(git)
    }

    /// Fails where git is older than a row of the list's `versions`.
    fn least(&self, row: &str) -> Result<(), GitError> {
        match safe::list()?.is_old(self.version.1, row) {
            None => Ok(()),
            Some(least) => Err(GitError::TooOld {
                found: plain(&self.version.0),
                why: least.why.clone(),
            }),
        }
    }

    /// The folder that it works in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What a command prints. The first argument is its name, one of those in `safe.json`.
    ///
    /// # Errors
    ///
    /// Where git fails, or is not run.
    pub fn text<S: AsRef<str>>(&self, arguments: &[S]) -> Result<String, GitError> {
        let (bytes, _) = self.bytes(arguments, u64::MAX)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What a command prints up to so many bytes, and whether that is cut.
    ///
    /// # Errors
    ///
    /// As of [`Self::text`].
    pub(crate) fn bytes<S: AsRef<str>>(
        &self,
        arguments: &[S],
        most: u64,
    ) -> Result<(Vec<u8>, bool), GitError> {
        self.read(arguments, None, move |out| all(out, most))
    }

    /// What is made of what a command prints, with this on its stdin.
    ///
    /// # Errors
    ///
    /// As of [`Self::text`].
    pub(crate) fn read<S: AsRef<str>, T: Send + 'static>(
        &self,
        arguments: &[S],
        input: Option<Vec<u8>>,
        read: impl FnOnce(&mut BufReader<ChildStdout>) -> io::Result<StdoutResult<T>> + Send + 'static,
    ) -> Result<T, GitError> {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|one| one.as_ref().to_owned())
            .collect();
        let name = arguments.first().map_or("", String::as_str);
        let settings = match safe::list()?.row(name)?.families {
            true => self.turned_off()?,
            false => BTreeMap::new(),
        };
        let command = self.command(&arguments, &settings)?;
        match process::run(command, input, self.limit, &self.wanted, read) {
            Ok(ended) if ended.status.is_none_or(|status| status.success()) => Ok(ended.read),
            Ok(ended) => Err(GitError::Failed(plain(&ended.said))),
            Err(ProcessFailure::TooSlow) => Err(GitError::TooSlow(self.limit)),
            Err(ProcessFailure::Unwanted) => Err(GitError::Unwanted),
            Err(ProcessFailure::Io(error)) => Err(GitError::Io(error.to_string())),
        }
    }

    /// What is turned off in the configuration as git reads it for the folder; it is looked at once.
    fn turned_off(&self) -> Result<BTreeMap<String, String>, GitError> {
        let mut found = self
            .turned_off
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = &*found {
            return Ok(found.clone());
        }
        let (listing, is_cut) = self.bytes(&["config", "--list", "-z"], MAX_CONFIGURATION)?;
        if is_cut {
            let reason = "its configuration is too long to be looked at";
            return Err(GitError::Unsafe(reason.to_owned()));
        }
        let settings = safe::list()?.turned_off(&listing, &self.folder)?;
        if settings.keys().any(|key| key.contains('=')) {
            self.least("values")?;
        }
        Ok(found.insert(settings).clone())
    }

    /// A command with all that `safe.json` says.
    fn command(
        &self,
        arguments: &[String],
        settings: &BTreeMap<String, String>,
    ) -> Result<Command, GitError> {
        let list = safe::list()?;
        let mut command = Command::new(&self.program);
        for (name, _) in env::vars_os().filter(|(name, _)| list.is_removed(name)) {
            command.env_remove(name);
        }
        command.envs(list.variables().iter().map(|row| (&row.name, &row.value)));
        command.args(list.before());
        let (in_variables, in_arguments): (Vec<_>, Vec<_>) =
            settings.iter().partition(|(key, _)| key.contains('='));
        for (key, value) in in_arguments {
            command.arg("-c").arg(format!("{key}={value}"));
        }
        if !in_variables.is_empty() {
            command.env("GIT_CONFIG_COUNT", in_variables.len().to_string());
        }
        for (at, (key, value)) in in_variables.into_iter().enumerate() {
            command.env(format!("GIT_CONFIG_KEY_{at}"), key);
            command.env(format!("GIT_CONFIG_VALUE_{at}"), value);
        }
        command.arg("-C").arg(&self.folder);
        if let Some((name, rest)) = arguments.split_first() {
            command.arg(name).args(&list.row(name)?.options).args(rest);
        }
        command.stdin(Stdio::null());
        Ok(command)
    }
}

/// Git in the folders of `PATH`. Relative ones lead into the folder that a program works in, so they do not count.
fn program(path: Option<OsString>) -> Option<PathBuf> {
    let name = format!("git{}", env::consts::EXE_SUFFIX);
    let folders = env::split_paths(path.as_ref()?).filter(|folder| folder.is_absolute());
    let mut programs = folders.map(|folder| folder.join(&name));
    programs.find(|program| is_program(program))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata();
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Reads up to so many bytes.
fn all(out: &mut impl Read, most: u64) -> io::Result<StdoutResult<(Vec<u8>, bool)>> {
    let mut bytes = Vec::new();
    out.take(most).read_to_end(&mut bytes)?;
    Ok(match bytes.len() as u64 == most {
        true => StdoutResult::Enough((bytes, true)),
        false => StdoutResult::Whole((bytes, false)),
    })
}

/// The line that says why git failed, which may have names of the repository in it.
fn plain(said: &str) -> String {
    let reason = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
    let line = said.lines().find(reason).or_else(|| said.lines().next());
    let line = line.unwrap_or("").trim();
    let line = line.strip_prefix("fatal: ").unwrap_or(line);
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let shown = line.chars().map(|c| if c.is_control() { '?' } else { c });
    let text: String = shown.take(MAX_SAID).collect();
    match text.is_empty() {
        true => "it did not say why".to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests;
