//! The log of telemetry: a folder a workspace in the user's folder for state, with a file of lines a day (SPEC T1). It
//! never leaves the machine. `extension/worker/telemetryLog.node.ts` keeps the same one.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use codecortex_engine::protocol::{Response, Root};
use codecortex_ledger::rfc3339;

use crate::roots::roots_key;

/// The days that a log has, today's among them.
const DAYS: usize = 30;
/// A day's file that is longer takes no more lines.
const MAX_BYTES: u64 = 4 << 20;
const ENDING: &str = ".jsonl";

/// The log of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TelemetryLog {
    folder: PathBuf,
}

impl TelemetryLog {
    /// The log of these roots below the user's folder for state; `None` on a system without one.
    pub(crate) fn locate(state: Option<&Path>, roots: &[Root]) -> Option<Self> {
        let folder = state?.join("telemetry").join(roots_key(roots));
        Some(Self { folder })
    }

    /// Appends a line to the file of its day. The first line of a day deletes the files of days that are too old.
    pub(crate) fn append(&self, line: &str, now_ms: f64) -> io::Result<()> {
        let day = rfc3339(now_ms as u64).chars().take(10).collect::<String>();
        let path = self.folder.join(day + ENDING);
        let length = match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => found.len(),
            Ok(_) => return Err(ErrorKind::InvalidInput.into()),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.make()?;
                self.delete_old()?;
                0
            }
            Err(error) => return Err(error),
        };
        if length + line.len() as u64 > MAX_BYTES {
            return Ok(());
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // One write: the lines of several processes do not mix.
        options
            .open(&path)?
            .write_all(format!("{line}\n").as_bytes())
    }

    fn make(&self) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.folder)
    }

    /// Room for the day that begins.
    fn delete_old(&self) -> io::Result<()> {
        let names = self.names()?;
        for name in names.iter().rev().skip(DAYS - 1) {
            fs::remove_file(self.folder.join(name))?;
        }
        Ok(())
    }

    /// Names of the days' files, the oldest first.
    fn names(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let names = entries.map(|entry| Ok(entry?.file_name().into_string().ok()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let mut names: Vec<String> = names
            .into_iter()
            .flatten()
            .filter(|name| is_day(name))
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    /// What the files hold, the oldest first.
    pub(crate) fn read(&self) -> Response {
        let read = |name: &String| {
            let path = self.folder.join(name);
            match fs::symlink_metadata(&path)? {
                found if found.is_file() && found.len() <= 2 * MAX_BYTES => {
                    let bytes = fs::read(&path)?;
                    Ok(String::from_utf8_lossy(&bytes).into_owned())
                }
                _ => Err(io::Error::from(ErrorKind::InvalidInput)),
            }
        };
        let files = self.names().and_then(|names| {
            let kept = names.len().saturating_sub(DAYS);
            names
                .iter()
                .skip(kept)
                .map(read)
                .collect::<io::Result<Vec<_>>>()
        });
        match files {
            Ok(files) => Response::Telemetry { files, error: None },
            Err(error) => Response::Telemetry {
                files: Vec::new(),
                error: Some(format!("{}: {error}.", self.folder.display())),
            },
        }
    }
}

/// Whether a file is one of ours: `2026-11-29.jsonl`.
fn is_day(name: &str) -> bool {
    let Some(day) = name.strip_suffix(ENDING) else {
        return false;
    };
    let is_fitting = |(at, letter): (usize, u8)| match at {
        4 | 7 => letter == b'-',
        _ => letter.is_ascii_digit(),
    };
    day.len() == 10 && day.bytes().enumerate().all(is_fitting)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: f64 = 86_400_000.0;

    fn log(state: &Path) -> TelemetryLog {
        let root = Root {
            name: "w".to_owned(),
            path: "/w".to_owned(),
            link: None,
        };
        TelemetryLog::locate(Some(state), &[root]).unwrap()
    }

    fn read(log: &TelemetryLog) -> Vec<String> {
        match log.read() {
            Response::Telemetry { files, error: None } => files,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn thirty_days_stay_and_what_is_not_ours_stays_as_well() {
        let state = tempfile::tempdir().unwrap();
        let log = log(state.path());
        assert!(read(&log).is_empty());
        for day in 0..40 {
            log.append(&format!("{{\"day\":{day}}}"), f64::from(day) * DAY_MS)
                .unwrap();
            if day == 0 {
                fs::write(log.folder.join("notes.txt"), "mine").unwrap();
                fs::write(log.folder.join("2026-1-1.jsonl"), "mine").unwrap();
            }
        }
        log.append("{}", 39.5 * DAY_MS).unwrap();
        let files = read(&log);
        assert_eq!(files.len(), 30);
        assert_eq!(files[0], "{\"day\":10}\n");
        assert_eq!(files[29], "{\"day\":39}\n{}\n");
        assert!(log.folder.join("notes.txt").exists());
        assert!(log.folder.join("2026-1-1.jsonl").exists());
    }

    #[test]
    fn a_day_is_bounded() {
        let state = tempfile::tempdir().unwrap();
        let log = log(state.path());
        let line = "x".repeat(1 << 20);
        (0..6).for_each(|_| log.append(&line, 0.0).unwrap());
        assert_eq!(read(&log)[0].len(), 3 * ((1 << 20) + 1));
    }

    #[test]
    fn workspaces_have_logs_of_their_own() {
        let state = Path::new("/state");
        let root = |path: &str| Root {
            name: "w".to_owned(),
            path: path.to_owned(),
            link: None,
        };
        let at = |roots: &[Root]| TelemetryLog::locate(Some(state), roots);
        assert_ne!(at(&[root("/a"), root("/b")]), at(&[root("/a/b")]));
        assert_eq!(TelemetryLog::locate(None, &[root("/a")]), None);
        // The same in extension/worker/telemetryLog.node.ts
        let key = Path::new("/state/telemetry/56116008ce491b9ee8ab42f4");
        assert_eq!(at(&[root("/w")]).unwrap().folder, key);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let state = tempfile::tempdir().unwrap();
        let log = log(state.path());
        log.append("{}", DAY_MS).unwrap();
        let target = state.path().join("target");
        fs::write(&target, "mine").unwrap();
        std::os::unix::fs::symlink(&target, log.folder.join("1970-01-01.jsonl")).unwrap();
        assert!(log.append("{}", 0.0).is_err());
        assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
        assert!(matches!(
            log.read(),
            Response::Telemetry { error: Some(_), .. }
        ));
    }
}
