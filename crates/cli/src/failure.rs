//! What can go wrong at the command line, for people.

use std::io;

use codecortex_engine::{ErrorCode, ToolError};
use codecortex_host::{RootError, RootProblem};

/// Why a command did not do its work. A tool that answers with a failure is not among these.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A folder that is none.
    #[error("the folder {0}")]
    Root(#[from] RootError),
    /// Standard output or input.
    #[error("{what}: {source}")]
    Io {
        what: &'static str,
        source: io::Error,
    },
    /// An index in SCIP's form has one root.
    #[error("a SCIP index is of one folder")]
    OneRoot,
    /// There is no `.context/` to compare with.
    #[error("the workspace has no .context/ folder")]
    NoContext,
    /// The folder `.context/` came with the repository.
    #[error("{0} came with the repository: nothing is written into it")]
    UntrustedContext(String),
    /// Another process writes the folder `.context/`.
    #[error("another process is writing {0}")]
    ContextBusy(String),
    /// The folder `.context/` could not be written.
    #[error("{path} could not be written: {reason}")]
    Context { path: String, reason: String },
    /// Observations cannot be read or moved.
    #[error("{0}")]
    Memory(#[from] codecortex_memory::MemoryError),
    /// A map cannot be read.
    #[error("{path}: {reason}")]
    Map { path: String, reason: String },
    /// There is nothing to measure with.
    #[error("no benchmark can be made: {0}")]
    Bench(String),
    /// A recording cannot be played.
    #[error("{path}: {reason}")]
    Recording { path: String, reason: String },
    /// The person's own settings cannot be read or written.
    #[error("{0}")]
    Personal(#[from] codecortex_host::PersonalError),
    /// A setting that there is not, or that cannot be this.
    #[error("{0}")]
    Setting(String),
    /// The person's home folder is not known.
    #[error("the home folder is not known")]
    NoHome,
    /// An argument that cannot be read as a selection of code.
    #[error("`{0}` is no selection: FILE:LINE:CHARACTER-LINE:CHARACTER is needed")]
    Selection(String),
    /// A command for agents that cannot be read.
    #[error("{0}")]
    Command(String),
    /// A command that there is not.
    #[error("no command `{0}` has a manual page")]
    NoPage(String),
    /// A session with a client could not be held.
    #[error("the session ended: {0}")]
    Session(String),
}

impl Failure {
    /// Whether somebody closed the other end of stdout: they have read what they wanted.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Root(error) => Some(match error.problem {
                RootProblem::Missing => "check the path given with --root",
                RootProblem::NotAFolder => "give the folder that the file is in with --root",
                RootProblem::Denied => "ask for permission to read it, or give another --root",
                _ => "give another folder with --root",
            }),
            Self::Io { .. } => None,
            Self::OneRoot => Some("give one --root, and write an index for each"),
            Self::NoContext => Some("make one with `codecortex init`"),
            Self::UntrustedContext(_) => Some("take it over with `codecortex init`"),
            Self::ContextBusy(_) => Some("try again in a moment"),
            Self::Context { .. } => {
                Some("no data is lost; fix the reported problem, or move the obstacle away")
            }
            Self::Memory(error) => Some(error.hint()),
            Self::Map { .. } => Some("write it with `codecortex map build --out FILE`"),
            Self::Bench(_) => {
                Some("run it in a git repository with some history and code in a known language")
            }
            Self::Recording { .. } => Some("`codecortex replay` lists the recordings"),
            Self::Personal(_) => {
                Some("mend the file or move it away; until then nothing of it counts")
            }
            Self::Setting(_) => Some("`codecortex settings --help` has the keys"),
            Self::NoHome => Some("set HOME"),
            Self::Selection(_) => Some("lines and characters count from 1; the end is exclusive"),
            Self::Command(_) => Some("give a program and its arguments, such as `npx codecortex`"),
            Self::NoPage(_) => Some("`codecortex man --list` has the commands"),
            Self::Session(_) => Some("run it with -v and check the client's messages"),
        }
    }

    /// The same as programs read it.
    pub(crate) fn as_tool_error(&self) -> ToolError {
        let code = match self {
            Self::Root(error) => match error.problem {
                RootProblem::Missing => ErrorCode::NotFound,
                RootProblem::Denied => ErrorCode::AccessDenied,
                _ => ErrorCode::InvalidParams,
            },
            Self::OneRoot
            | Self::Setting(_)
            | Self::Selection(_)
            | Self::Command(_)
            | Self::NoPage(_) => ErrorCode::InvalidParams,
            Self::NoContext | Self::Map { .. } | Self::Recording { .. } => ErrorCode::NotFound,
            Self::UntrustedContext(_) => ErrorCode::AccessDenied,
            Self::ContextBusy(_) => ErrorCode::Busy,
            Self::Context { .. }
            | Self::Io { .. }
            | Self::Memory(_)
            | Self::Bench(_)
            | Self::Personal(_)
            | Self::NoHome
            | Self::Session(_) => ErrorCode::Unavailable,
        };
        let error = ToolError::new(code, format!("{self}."));
        match self.hint() {
            Some(hint) => error.hint(format!("{hint}.")),
            None => error,
        }
    }

    /// 2 for a wrong command line, 1 for everything else.
    pub(crate) fn exit_code(&self) -> i32 {
        match self {
            Self::Root(_)
            | Self::OneRoot
            | Self::Setting(_)
            | Self::Selection(_)
            | Self::Command(_)
            | Self::NoPage(_) => 2,
            Self::NoContext
            | Self::UntrustedContext(_)
            | Self::ContextBusy(_)
            | Self::Context { .. }
            | Self::Io { .. }
            | Self::Memory(_)
            | Self::Map { .. }
            | Self::Bench(_)
            | Self::Recording { .. }
            | Self::Personal(_)
            | Self::NoHome
            | Self::Session(_) => 1,
        }
    }
}
