//! What can go wrong, as a sentence, with the code of the tools' envelope and the next step (SPEC TC3).

use std::fmt::{self, Display, Formatter};

/// The result of everything that can go wrong here.
pub type Result<T> = std::result::Result<T, MemoryError>;

/// Why something was not done. Nothing was changed then, unless the variant says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemoryError {
    /// A field of an observation or of a question is not as it has to be.
    #[error("{field}: {reason}.")]
    Invalid {
        /// The field, as the schema names it, such as `refs.files`.
        field: &'static str,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// A back end that there is not.
    #[error("There is no back end {name:?}; there are {}.", ErrorList(known))]
    UnknownBackend {
        /// What was asked for.
        name: String,
        /// All there are.
        known: &'static [&'static str],
    },
    /// Ids that no observation has.
    #[error("No observation has the id {}.", ErrorList(ids))]
    UnknownIds {
        /// The ids, in the order asked for.
        ids: Vec<u64>,
    },
    /// A path that leads out of the workspace.
    #[error("{path} is outside of the workspace.")]
    Outside {
        /// The path.
        path: String,
    },
    /// What lies in the place of a file or folder of the store is none, such as a link, which is not followed.
    #[error("{path}: {reason}.")]
    Refused {
        /// The path.
        path: String,
        /// What is there, without a full stop.
        reason: String,
    },
    /// Another process writes and did not end in time.
    #[error("Another process{} is writing to the store.", RecordOwner(owner))]
    Busy {
        /// Its process id, where it is known.
        owner: Option<u32>,
    },
    /// The lock was taken over while it was held, because the holder stood still for too long. What was to be
    /// written is not there.
    #[error("The store's lock was lost: the process stood still for too long.")]
    LockLost,
    /// No permission, or a disk that is read-only.
    #[error("{path}: it cannot be written ({reason}).")]
    ReadOnly {
        /// The file or folder.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// No space was left; what was written of the line is taken back.
    #[error("{path}: the disk is full.")]
    DiskFull {
        /// The file.
        path: String,
    },
    /// Observations that are forgotten, but not taken out of the files.
    #[error("The observations are forgotten, but are not out of the files yet: {reason}.")]
    HalfPurged {
        /// Why, without a full stop.
        reason: String,
    },
    /// A store of a later version of this program.
    #[error("{path} is of version {found}; this program knows versions up to {known}.")]
    NewerVersion {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The highest version that is known.
        known: i64,
    },
    /// A file that is no store, or is damaged.
    #[error("{path} cannot be read: {reason}.")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong, without a full stop.
        reason: String,
    },
    /// The records are in another back end, by a file that is there.
    #[error("The observations are in {holder}, not in {asked}.")]
    Elsewhere {
        /// The back end that was asked for.
        asked: &'static str,
        /// The one that holds the records.
        holder: &'static str,
    },
    /// Something this back end does not do.
    #[error("The {backend} back end cannot {what}.")]
    Unsupported {
        /// The back end.
        backend: &'static str,
        /// What was asked of it.
        what: &'static str,
    },
    /// The system refused for a reason of its own.
    #[error("{path}: {reason}.")]
    Io {
        /// The file or folder.
        path: String,
        /// What the system said, without a full stop.
        reason: String,
    },
}

impl MemoryError {
    /// A field that is wrong.
    pub(crate) fn invalid(field: &'static str, reason: impl Into<String>) -> Self {
        Self::Invalid {
            field,
            reason: reason.into(),
        }
    }

    /// The code in the envelope.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } | Self::UnknownBackend { .. } => "InvalidParams",
            Self::UnknownIds { .. } => "NotFound",
            Self::Outside { .. } | Self::Refused { .. } | Self::ReadOnly { .. } => "AccessDenied",
            Self::Busy { .. } | Self::LockLost => "Busy",
            Self::DiskFull { .. }
            | Self::HalfPurged { .. }
            | Self::NewerVersion { .. }
            | Self::Damaged { .. }
            | Self::Elsewhere { .. }
            | Self::Unsupported { .. } => "Unavailable",
            Self::Io { .. } => "InternalError",
        }
    }

    /// Whether the same call may succeed a little later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::LockLost)
    }

    /// What the caller can do next.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "Correct the field and call again.",
            Self::UnknownBackend { .. } => "Choose one of those that are named.",
            Self::UnknownIds { .. } => "Recall without ids to see which observations there are.",
            Self::Outside { .. } => "Give a path below the root of the workspace.",
            Self::Refused { .. } => "Delete or move the named entry; links are not followed there.",
            Self::Busy { .. } => "Call again; the lock of a process that ended is taken over.",
            Self::LockLost => "Call again.",
            Self::ReadOnly { .. } => "Give write permission to .context/memory, or recall only.",
            Self::DiskFull { .. } => "Free some space and call again; nothing was recorded.",
            Self::HalfPurged { .. } => {
                "Fix the reported problem and forget them with `purge` again."
            }
            Self::NewerVersion { .. } => "Use the newer version of the program.",
            Self::Damaged { .. } => {
                "Export the readable records, move the file away and import them."
            }
            Self::Elsewhere { .. } => "Set that back end, or run `codecortex memory migrate --to`.",
            Self::Unsupported { .. } => "Use the jsonl or sqlite back end for it.",
            Self::Io { .. } => "Look at the file that is named.",
        }
    }
}

struct ErrorList<'a, T>(&'a [T]);

impl<T: Display> Display for ErrorList<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, item) in self.0.iter().enumerate() {
            let before = if at == 0 { "" } else { ", " };
            write!(f, "{before}{item}")?;
        }
        Ok(())
    }
}

struct RecordOwner<'a>(&'a Option<u32>);

impl Display for RecordOwner<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(owner) => write!(f, " ({owner})"),
            None => Ok(()),
        }
    }
}
