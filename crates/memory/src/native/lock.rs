//! The lock of a store between processes, native ones and those of Node alike (docs/memory.md has the protocol).
//!
//! The lock is a token: one empty file in the folder `lock`, whose name says who has it. Taking, giving back and
//! taking over are each a rename of that very name, of which the file system lets one succeed. Names carry a number
//! that goes up with every step, so none is ever used twice and nobody can take over what has moved on meanwhile.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::failed;
use super::owner::{self, Owner};
use crate::error::{MemoryError, Result};

/// The folder of the token, in that of the store.
const FOLDER: &str = "lock";
/// How long somebody waits for others at most.
const PATIENCE: Duration = Duration::from_secs(10);
/// Looks after which somebody asks whether the owner is still there: some ms.
const LONG: u32 = 7;
/// The age from which on a lock is taken over whose owner cannot be looked at.
pub(crate) const LEASE: Duration = Duration::from_secs(60);
/// The age from which on an owner writes nothing any more without renewing it.
const WORK: Duration = Duration::from_secs(20);

/// Where the token of a store is.
#[derive(Debug)]
pub(crate) struct Lock {
    folder: PathBuf,
    me: Owner,
    /// The name under which it was given back last: nobody else may have come.
    last: Option<String>,
    patience: Duration,
}

/// The lock as long as it is held. It is given back when it goes.
#[derive(Debug)]
pub(crate) struct Held<'l> {
    lock: &'l mut Lock,
    name: String,
    number: u64,
    since: Instant,
}

/// The name of the token, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Free {
        number: u64,
    },
    Held {
        number: u64,
        owner: Owner,
        millis: u64,
    },
}

impl Token {
    fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('.');
        let kind = parts.next()?;
        let number = parts.next()?.parse().ok()?;
        let token = match kind {
            "free" => Self::Free { number },
            "held" => Self::Held {
                number,
                owner: Owner::parse(&mut parts)?,
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
    pub(crate) fn new(store: &Path) -> Self {
        Self {
            folder: store.join(FOLDER),
            me: Owner::me(),
            last: None,
            patience: PATIENCE,
        }
    }

    #[cfg(test)]
    fn with_patience(store: &Path, patience: Duration) -> Self {
        Self {
            patience,
            ..Self::new(store)
        }
    }

    /// Waits for the lock.
    pub(crate) fn hold(&mut self) -> Result<Held<'_>> {
        let start = Instant::now();
        let mut round = 0;
        loop {
            let (name, owner) = self.look(round >= LONG)?;
            if let Some(name) = name
                && let Some((name, number)) = self.take(&name)?
            {
                return Ok(Held {
                    lock: self,
                    name,
                    number,
                    since: Instant::now(),
                });
            }
            if start.elapsed() > self.patience {
                return Err(MemoryError::Busy { owner });
            }
            self.wait(round);
            round += 1;
        }
    }

    /// The name of a token that may be taken, or who has it. Its owner is looked at if we wait for long.
    fn look(&mut self, is_long: bool) -> Result<(Option<String>, Option<u32>)> {
        if let Some(last) = self.last.take() {
            return Ok((Some(last), None));
        }
        match self.token()? {
            Some(token @ Token::Free { .. }) => Ok((Some(token.name()), None)),
            Some(token) => {
                let Token::Held { owner, millis, .. } = &token else {
                    return Ok((None, None));
                };
                let is_left =
                    is_long && (owner::is_gone(owner, &self.me) || self.is_expired(owner, *millis));
                Ok((is_left.then(|| token.name()), Some(owner.pid)))
            }
            None => {
                if self.token()?.is_none() {
                    self.make()?;
                }
                Ok((None, None))
            }
        }
    }

    /// Whether nobody can say that its owner is alive, and it is old. One from the future was made before the
    /// clock was set back.
    fn is_expired(&self, owner: &Owner, millis: u64) -> bool {
        let age = now().abs_diff(millis);
        !owner::is_known(owner, &self.me) && age > LEASE.as_millis() as u64
    }

    /// Makes the token ours, unless somebody else was faster.
    fn take(&self, name: &str) -> Result<Option<(String, u64)>> {
        let number = Token::parse(name).map_or(0, |token| token.number()) + 1;
        let held = Token::Held {
            number,
            owner: self.me,
            millis: now(),
        };
        let held = held.name();
        match fs::rename(self.folder.join(name), self.folder.join(&held)) {
            Ok(()) => Ok(Some((held, number))),
            Err(error) if error.kind() == ErrorKind::NotFound || is_passing(&error) => Ok(None),
            Err(error) => Err(failed(&self.folder, &error)),
        }
    }

    /// The token; none if it is between two names, or was never made.
    fn token(&self) -> Result<Option<Token>> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&self.folder, &error)),
        };
        let names = entries.filter_map(|entry| Token::parse(entry.ok()?.file_name().to_str()?));
        Ok(names.max_by_key(Token::number))
    }

    /// Puts a folder with a token in place, unless there is one. A folder takes the place of an empty one only, so
    /// that there are never two tokens; a token between two names is one, and the folder not empty.
    fn make(&self) -> Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".{FOLDER}-{}-{count}", std::process::id());
        let new = self.folder.with_file_name(name);
        let make = || {
            fs::create_dir(&new)?;
            fs::write(new.join(Token::Free { number: 0 }.name()), "")?;
            if cfg!(windows) {
                let _ = fs::remove_dir(&self.folder); // only if it is empty
            }
            fs::rename(&new, &self.folder)
        };
        let made = make();
        if made.is_err() {
            let _ = fs::remove_dir_all(&new);
        }
        match made {
            Err(error) if !self.folder.is_dir() => Err(failed(&self.folder, &error)),
            _ => Ok(()),
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
}

impl Held<'_> {
    /// Makes sure that it is still ours before something is written.
    pub(crate) fn check(&mut self) -> Result<()> {
        if self.since.elapsed() < WORK {
            return Ok(());
        }
        self.number += 1;
        let token = Token::Held {
            number: self.number,
            owner: self.lock.me,
            millis: now(),
        };
        let (from, to) = (
            self.lock.folder.join(&self.name),
            self.lock.folder.join(token.name()),
        );
        fs::rename(from, to).map_err(|_| MemoryError::LockLost)?;
        self.name = token.name();
        self.since = Instant::now();
        Ok(())
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let free = Token::Free {
            number: self.number + 1,
        };
        let free = free.name();
        let folder = &self.lock.folder;
        for round in 0..20 {
            match fs::rename(folder.join(&self.name), folder.join(&free)) {
                Ok(()) => {
                    self.lock.last = Some(free);
                    return;
                }
                Err(error) if is_passing(&error) => self.lock.wait(round),
                Err(error) => {
                    tracing::warn!(%error, "the store's lock cannot be given back; it is taken over when its owner ends");
                    return;
                }
            }
        }
    }
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

    fn names(store: &Path) -> Vec<String> {
        let entries = fs::read_dir(store.join(FOLDER)).unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn the_token_goes_from_hand_to_hand() {
        let place = tempfile::tempdir().unwrap();
        let mut lock = Lock::new(place.path());
        let held = lock.hold().unwrap();
        assert!(names(place.path())[0].starts_with("held.1."));
        drop(held);
        assert_eq!(names(place.path()), ["free.2"]);
        let mut other = Lock::new(place.path());
        drop(other.hold().unwrap());
        drop(lock.hold().unwrap()); // what it knew last is not true any more
        assert_eq!(names(place.path()), ["free.6"]);
    }

    #[test]
    fn a_living_owner_keeps_it() {
        let place = tempfile::tempdir().unwrap();
        let mut lock = Lock::new(place.path());
        let _held = lock.hold().unwrap();
        let mut other = Lock::with_patience(place.path(), Duration::from_millis(20));
        let busy = MemoryError::Busy {
            owner: Some(std::process::id()),
        };
        assert_eq!(other.hold().unwrap_err(), busy);
    }

    #[test]
    fn the_lock_of_the_dead_is_taken_over() {
        let place = tempfile::tempdir().unwrap();
        let mut lock = Lock::new(place.path());
        drop(lock.hold().unwrap());
        let leave = |owner: Owner, millis: u64| {
            let token = Token::Held {
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
        leave(Owner { pid, ..Owner::me() }, now());
        drop(lock.hold().unwrap());
        assert_eq!(names(place.path()), ["free.52"]);
        // Of another machine nobody knows whether it is alive: age decides.
        let foreign = Owner {
            place: !Owner::me().place,
            ..Owner::me()
        };
        leave(foreign, now());
        let mut hasty = Lock::with_patience(place.path(), Duration::from_millis(20));
        assert!(hasty.hold().is_err());
        leave(foreign, now() - LEASE.as_millis() as u64 - 1000);
        drop(hasty.hold().unwrap());
    }

    #[test]
    fn a_lost_token_is_made_anew() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join(FOLDER)).unwrap();
        drop(Lock::new(place.path()).hold().unwrap());
        assert_eq!(names(place.path()).len(), 1);
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for name in ["free.7", "held.8.0a1b2c3d.12.99.1700000000000"] {
            assert_eq!(Token::parse(name).unwrap().name(), name);
        }
        for name in [
            "free",
            "free.x",
            "held.1",
            "free.1.2",
            ".lock-1",
            "held.8.0a1b2c3d.12.99.17.1",
        ] {
            assert_eq!(Token::parse(name), None, "{name}");
        }
    }
}
