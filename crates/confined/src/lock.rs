//! The lock of a folder between processes, native ones and those of Node alike (docs/memory.md has the protocol).
//!
//! The lock is a token: one empty file in the folder `lock`, whose name says who has it. Taking, giving back and
//! taking over are each a rename of that very name, of which the file system lets one succeed. Names carry a number
//! that goes up with every step, so none is ever used twice and nobody can take over what has moved on meanwhile.

use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::entry_info::{FolderEntryKind, Refused};
use crate::folder::ConfinedFolder;
use crate::owner::{self, ProcessIdentity};
use crate::partial_files::half_name;

/// The folder of the token, in that of what is locked.
const FOLDER: &str = "lock";
/// Looks after which somebody asks whether the owner is still there: some ms.
const LONG: u32 = 7;
/// The age from which on a lock is taken over whose owner cannot be looked at.
pub(crate) const LEASE: Duration = Duration::from_secs(60);
/// The age from which on an owner writes nothing any more without renewing it.
const WORK: Duration = Duration::from_secs(20);
/// The age from which on a file in the token's place has no owner any more: earlier versions made an empty file
/// `lock` for the some ms for which they wrote.
const FORMER: Duration = Duration::from_secs(10);
/// The highest number that Node counts to as well.
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it and did not give it back in time.
    #[error("another process is writing")]
    Busy {
        /// Its process id, where it is known.
        owner: Option<u32>,
    },
    /// It was taken over while it was held, because the holder stood still for too long.
    #[error("the lock was lost: the process stood still for too long")]
    Lost,
    /// The system refused, or something else is in its place.
    #[error("{}: {source}", path.display())]
    Io {
        /// What it was about.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Who may write in a folder. It is given back when it goes.
#[derive(Debug)]
pub struct Lock {
    store: Arc<ConfinedFolder>,
    /// The folder of the token as it was opened last: another one may be in its place.
    folder: Option<ConfinedFolder>,
    me: ProcessIdentity,
    /// The name under which it was given back last: nobody else may have come.
    last: Option<String>,
    patience: Duration,
    grip: Option<Grip>,
}

/// What is known of the token while it is ours.
#[derive(Debug)]
struct Grip {
    name: String,
    number: u64,
    since: Instant,
}

/// The lock as long as it is held. It is given back when it goes.
#[derive(Debug)]
pub struct LockGuard<'l>(&'l mut Lock);

/// The name of the token, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LockToken {
    Free {
        number: u64,
    },
    Held {
        number: u64,
        owner: ProcessIdentity,
        millis: u64,
    },
}

/// What was found in the token's place.
enum Look {
    /// A token that may be taken, and whether its owner ended.
    Left(String, bool),
    /// Somebody has it, by its process id where that is known.
    Taken(Option<u32>),
    /// It may be there at the next look.
    Again,
    /// The lock of an earlier version was old, and is gone.
    FormerGone,
}

impl LockToken {
    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('.');
        let kind = parts.next()?;
        let number = parts.next()?.parse().ok()?;
        if number >= MAX_NUMBER {
            return None; // nobody counts that far; a name was made up
        }
        let token = match kind {
            "free" => Self::Free { number },
            "held" => Self::Held {
                number,
                owner: ProcessIdentity::parse(&mut parts)?,
                millis: parts.next()?.parse().ok()?,
            },
            _ => return None,
        };
        parts.next().is_none().then_some(token)
    }

    fn name(&self) -> String {
        match self {
            Self::Free { number } => format!("free.{number}"),
            Self::Held {
                number,
                owner,
                millis,
            } => format!("held.{number}.{owner}.{millis}"),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Self::Free { number } | Self::Held { number, .. } => *number,
        }
    }
}

impl Lock {
    /// The lock of a folder. Who waits for it gives up after `patience`.
    #[must_use]
    pub fn new(store: Arc<ConfinedFolder>, patience: Duration) -> Self {
        Self {
            store,
            folder: None,
            me: ProcessIdentity::me(),
            last: None,
            patience,
            grip: None,
        }
    }

    /// Waits for the lock, for as long as the answer lives.
    ///
    /// # Errors
    /// `Busy` after `patience`; `Io` where something else is in its place.
    pub fn hold(&mut self) -> Result<LockGuard<'_>, LockError> {
        self.take()?;
        Ok(LockGuard(self))
    }

    /// Waits for the lock and keeps it until [`Lock::give_back`], or until this goes. Whether it was that of a process
    /// that ended in the middle of its work.
    ///
    /// # Errors
    /// `Busy` after `patience`; `Io` where something else is in its place.
    pub fn take(&mut self) -> Result<bool, LockError> {
        if self.grip.is_some() {
            return Ok(false);
        }
        let start = Instant::now();
        let mut round = 0;
        let mut is_former_gone = false;
        loop {
            let mut owner = None;
            match self.look(round >= LONG)? {
                Look::Left(name, is_of_the_dead) => {
                    self.grip = self.grasp(&name)?;
                    if self.grip.is_some() {
                        return Ok(is_of_the_dead || is_former_gone);
                    }
                }
                Look::Taken(who) => owner = who,
                Look::Again => {}
                Look::FormerGone => is_former_gone = true,
            }
            if start.elapsed() > self.patience && round >= LONG {
                return Err(LockError::Busy { owner });
            }
            self.wait(round);
            round += 1;
        }
    }

    /// Whether it is the lock of this folder, not of another one that was in its place.
    #[must_use]
    pub fn is_of(&self, store: &ConfinedFolder) -> bool {
        match (self.store.id(), store.id()) {
            (Ok(own), Ok(other)) => own == other,
            _ => false,
        }
    }

    /// Whether it is ours, as far as we know.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.grip.is_some()
    }

    /// Makes sure that it is still ours before something is written.
    ///
    /// # Errors
    /// `Lost` where somebody took it over, or it is not held.
    pub fn check(&mut self) -> Result<(), LockError> {
        let grip = self.grip.as_mut().ok_or(LockError::Lost)?;
        if grip.since.elapsed() < WORK {
            return Ok(());
        }
        let token = LockToken::Held {
            number: grip.number + 1,
            owner: self.me,
            millis: now(),
        };
        let folder = self.folder.as_ref().ok_or(LockError::Lost)?;
        if folder.rename(&grip.name, &token.name()).is_err() {
            self.grip = None;
            return Err(LockError::Lost);
        }
        *grip = Grip {
            name: token.name(),
            number: token.number(),
            since: Instant::now(),
        };
        Ok(())
    }

    /// Lets others write; nothing happens where it is not held.
    pub fn give_back(&mut self) {
        let (Some(grip), Some(folder)) = (self.grip.take(), &self.folder) else {
            return;
        };
        let free = LockToken::Free {
            number: grip.number + 1,
        };
        let free = free.name();
        for round in 0..20 {
            match folder.rename(&grip.name, &free) {
                Ok(()) => {
                    self.last = Some(free);
                    return;
                }
                Err(error) if is_passing(&error) => self.wait(round),
                // It was deleted, or taken over: it is nobody's business any more.
                Err(error) if error.kind() == ErrorKind::NotFound => return,
                Err(error) => {
                    tracing::warn!(%error, "a lock cannot be given back; it is taken over when its owner ends");
                    return;
                }
            }
        }
    }

    /// Looks for the token. Its owner is looked at if we wait for long.
    fn look(&mut self, is_long: bool) -> Result<Look, LockError> {
        if let Some(last) = self.last.take() {
            return Ok(Look::Left(last, false));
        }
        let token = match self.token() {
            Ok(token) => token,
            Err(error) if is_file(&error) => return self.look_at_former(),
            Err(error) => return Err(self.failed(error)),
        };
        match token {
            Some(token @ LockToken::Free { .. }) => Ok(Look::Left(token.name(), false)),
            Some(LockToken::Held {
                number,
                owner,
                millis,
            }) => {
                let is_left = is_long
                    && (owner::is_gone(&owner, &self.me) || self.is_expired(&owner, millis));
                let token = LockToken::Held {
                    number,
                    owner,
                    millis,
                };
                Ok(match is_left {
                    true => Look::Left(token.name(), true),
                    false => Look::Taken(Some(owner.pid)),
                })
            }
            None => {
                if self.token().is_ok_and(|token| token.is_none()) {
                    self.make().map_err(|error| self.failed(error))?;
                    if is_long {
                        self.make_of_another();
                    }
                }
                Ok(Look::Again)
            }
        }
    }

    /// A file in the place of the token's folder is the lock of an earlier version.
    fn look_at_former(&self) -> Result<Look, LockError> {
        let age = match self.store.find(FOLDER) {
            Ok(found) if found.kind == FolderEntryKind::File => found.modified.map(|at| {
                let age = SystemTime::now().duration_since(at);
                // One from the future was made before the clock was set back.
                age.unwrap_or_else(|ahead| ahead.duration())
            }),
            _ => return Ok(Look::Again), // it is another thing by now
        };
        if age.is_none_or(|age| age <= FORMER) {
            return Ok(Look::Taken(None));
        }
        match self.store.remove(FOLDER) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(self.failed(error)),
            // Somebody else may have removed it.
            _ => Ok(Look::FormerGone),
        }
    }

    /// Whether nobody can say that its owner is alive, and it is old. One from the future was made before the
    /// clock was set back.
    fn is_expired(&self, owner: &ProcessIdentity, millis: u64) -> bool {
        let age = now().abs_diff(millis);
        !owner::is_known(owner, &self.me) && age > LEASE.as_millis() as u64
    }

    /// Makes the token ours, unless somebody else was faster.
    fn grasp(&self, name: &str) -> Result<Option<Grip>, LockError> {
        let Some(folder) = &self.folder else {
            return Ok(None);
        };
        let number = LockToken::parse(name).map_or(0, |token| token.number()) + 1;
        let held = LockToken::Held {
            number,
            owner: self.me,
            millis: now(),
        };
        let held = held.name();
        match folder.rename(name, &held) {
            Ok(()) => Ok(Some(Grip {
                name: held,
                number,
                since: Instant::now(),
            })),
            Err(error) if error.kind() == ErrorKind::NotFound || is_passing(&error) => Ok(None),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// The token; none if it is between two names, or was never made.
    fn token(&mut self) -> io::Result<Option<LockToken>> {
        let folder = match self.store.below(FOLDER) {
            Ok(folder) => folder,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let names = folder.entries()?;
        self.folder = Some(folder);
        let tokens = names.iter().filter_map(|name| LockToken::parse(name));
        Ok(tokens.max_by_key(LockToken::number))
    }

    /// Puts a folder with a token in place, unless there is one. A folder takes the place of an empty one only, so
    /// that there are never two tokens; a token between two names is one, and the folder not empty.
    fn make(&self) -> io::Result<()> {
        let new = half_name();
        let make = || {
            let inner = self.store.made(&new)?;
            inner.create_file(&LockToken::Free { number: 0 }.name())?;
            drop(inner); // Windows renames no folder that is open
            if cfg!(windows) {
                let _ = self.store.remove_folder(FOLDER); // only if it is empty
            }
            self.store.rename(&new, FOLDER)
        };
        let made = make();
        if made.is_err() {
            self.store.drop_half_folder(&new);
        }
        let is_there = || {
            let found = self.store.find(FOLDER);
            found.is_ok_and(|found| found.kind == FolderEntryKind::Folder)
        };
        match made {
            Err(error) if !is_there() => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes a token of what else is in its folder, where nothing was renamed for as long as an owner may stand still:
    /// the token was renamed by hand, or by a program that copies files. It is a rename of that very name too, so that
    /// one of several succeeds.
    fn make_of_another(&self) {
        let age = self.store.find(FOLDER).ok().and_then(|found| {
            let age = SystemTime::now().duration_since(found.modified?);
            Some(age.unwrap_or_else(|ahead| ahead.duration()))
        });
        let (Some(folder), true) = (&self.folder, age.is_some_and(|age| age > LEASE)) else {
            return;
        };
        let first = folder
            .entries()
            .ok()
            .and_then(|names| names.into_iter().min());
        if let Some(name) = first.filter(|name| LockToken::parse(name).is_none()) {
            // Where that fails, somebody else was faster; otherwise the lock stays busy.
            let _ = folder.rename(&name, &LockToken::Free { number: 0 }.name());
        }
    }

    /// Lets others work: at first for a moment, then for twice as long each time, differently in every process.
    /// Who has the lock goes on with several records then, which costs all of them less than taking turns; beginning
    /// anew with short waits keeps anybody from waiting for ever.
    fn wait(&self, round: u32) {
        if round < 2 {
            std::thread::yield_now();
            return;
        }
        let doublings = if round < 20 {
            (round - 2).min(9)
        } else {
            round % 10
        };
        let micros = 50_u64 << doublings;
        let spread = u64::from(self.me.pid.wrapping_mul(31).wrapping_add(round * 17) % 64);
        std::thread::sleep(Duration::from_micros(micros + micros * spread / 64));
    }

    fn failed(&self, source: io::Error) -> LockError {
        LockError::Io {
            path: self.store.path().join(FOLDER),
            source,
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.give_back();
    }
}

impl LockGuard<'_> {
    /// Makes sure that it is still ours before something is written.
    ///
    /// # Errors
    /// `Lost` where somebody took it over.
    pub fn check(&mut self) -> Result<(), LockError> {
        self.0.check()
    }
}

impl Drop for LockGuard<'_> {
    fn drop(&mut self) {
        self.0.give_back();
    }
}

fn is_file(error: &io::Error) -> bool {
    Refused::from_error(error) == Some(Refused::NotAFolder(FolderEntryKind::File))
}

/// Windows refuses a rename while somebody, such as a virus scanner, looks at the file.
fn is_passing(error: &io::Error) -> bool {
    cfg!(windows) && error.kind() == ErrorKind::PermissionDenied
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    const LONG_ENOUGH: Duration = Duration::from_secs(10);

    fn lock(store: &Path) -> Lock {
        with_patience(store, LONG_ENOUGH)
    }

    fn with_patience(store: &Path, patience: Duration) -> Lock {
        Lock::new(Arc::new(ConfinedFolder::open(store).unwrap()), patience)
    }

    fn names(store: &Path) -> Vec<String> {
        let entries = fs::read_dir(store.join(FOLDER)).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn the_token_goes_from_hand_to_hand() {
        let place = tempfile::tempdir().unwrap();
        let mut one = lock(place.path());
        let held = one.hold().unwrap();
        assert!(names(place.path())[0].starts_with("held.1."));
        drop(held);
        assert_eq!(names(place.path()), ["free.2"]);
        let mut other = lock(place.path());
        drop(other.hold().unwrap());
        drop(one.hold().unwrap()); // what it knew last is not true any more
        assert_eq!(names(place.path()), ["free.6"]);
    }

    #[test]
    fn a_token_that_was_renamed_by_hand_is_one_again() {
        let place = tempfile::tempdir().unwrap();
        drop(lock(place.path()).hold().unwrap());
        let folder = place.path().join(FOLDER);
        fs::rename(folder.join("free.2"), folder.join("free.2 (1)")).unwrap();
        let busy = with_patience(place.path(), Duration::ZERO).hold().is_err();
        assert!(busy, "it may just have been renamed");
        let before = SystemTime::now() - 2 * LEASE;
        fs::File::open(&folder)
            .unwrap()
            .set_modified(before)
            .unwrap();
        drop(lock(place.path()).hold().unwrap());
        assert_eq!(names(place.path()), ["free.2"]);
    }

    #[test]
    fn a_living_owner_keeps_it() {
        let place = tempfile::tempdir().unwrap();
        let mut one = lock(place.path());
        one.take().unwrap();
        let mut other = with_patience(place.path(), Duration::ZERO);
        let error = other.hold().unwrap_err();
        let me = Some(std::process::id());
        assert!(
            matches!(error, LockError::Busy { owner } if owner == me),
            "{error}"
        );
        drop(one);
        drop(other.hold().unwrap());
    }

    #[test]
    fn the_lock_of_the_dead_is_taken_over() {
        let place = tempfile::tempdir().unwrap();
        let mut one = lock(place.path());
        drop(one.hold().unwrap());
        let leave = |owner: ProcessIdentity, millis: u64| {
            let token = LockToken::Held {
                number: 50,
                owner,
                millis,
            };
            fs::rename(
                place.path().join(FOLDER).join(&names(place.path())[0]),
                place.path().join(FOLDER).join(token.name()),
            )
            .unwrap();
        };
        let mut gone = std::process::Command::new("true").spawn().unwrap();
        let pid = gone.id();
        gone.wait().unwrap();
        leave(
            ProcessIdentity {
                pid,
                ..ProcessIdentity::me()
            },
            now(),
        );
        assert!(one.take().unwrap(), "its owner ended");
        one.give_back();
        assert_eq!(names(place.path()), ["free.52"]);
        // Of another machine nobody knows whether it is alive: age decides.
        let foreign = ProcessIdentity {
            place: !ProcessIdentity::me().place,
            ..ProcessIdentity::me()
        };
        leave(foreign, now());
        let mut hasty = with_patience(place.path(), Duration::ZERO);
        assert!(hasty.hold().is_err());
        leave(foreign, now() - LEASE.as_millis() as u64 - 1000);
        drop(hasty.hold().unwrap());
    }

    #[test]
    fn a_lost_token_is_made_anew() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(FOLDER)).unwrap();
        drop(lock(place.path()).hold().unwrap());
        assert_eq!(names(place.path()).len(), 1);
    }

    #[test]
    fn the_file_of_an_earlier_version_is_a_lock_until_it_is_old() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(FOLDER);
        let file = fs::File::create(&path).unwrap();
        let mut hasty = with_patience(place.path(), Duration::ZERO);
        let error = hasty.take().unwrap_err();
        assert!(
            matches!(error, LockError::Busy { owner: None }),
            "{error:?}"
        );
        file.set_modified(SystemTime::now() - FORMER - Duration::from_secs(1))
            .unwrap();
        assert!(hasty.take().unwrap(), "its owner ended");
        assert!(names(place.path())[0].starts_with("held."));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_its_place_is_not_followed() {
        let (place, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), place.path().join(FOLDER)).unwrap();
        let error = lock(place.path()).take().unwrap_err();
        assert!(error.to_string().ends_with("it is not a folder but a link"));
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["free.7", "held.8.0a1b2c3d.12.99.1700000000000"] {
            assert_eq!(LockToken::parse(name).unwrap().name(), name);
        }
        for name in [
            "free",
            "free.x",
            "held.1",
            "free.1.2",
            ".lock-1",
            "held.8.0a1b2c3d.12.99.17.1",
            "free.18446744073709551615",
        ] {
            assert_eq!(LockToken::parse(name), None, "{name}");
        }
    }
}
