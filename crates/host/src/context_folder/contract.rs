//! The cases of `test/contract/context-folder`, which the extension has to hold as well.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use codecortex_engine::protocol::{Bytes, CommitOutcome, DiskChange, FileRef, Root, Stamped};
use serde_json::{Map, Value, json};

use super::{Reservation, commit, fetch};

/// Fails with all that is not as the cases say.
#[test]
fn the_folder_is_kept_as_the_cases_say() {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/contract/context-folder/cases.json");
    let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let problems: Vec<String> = cases
        .iter()
        .filter(|case| is_possible(&case["needs"]))
        .filter_map(|case| Some(format!("{}: {}", case["name"], run(case).err()?)))
        .collect();
    assert!(cases.len() >= 30 && problems.is_empty(), "{problems:#?}");
}

/// Links take a privilege on Windows, which has other permissions too; the superuser may write anything.
fn is_possible(needs: &Value) -> bool {
    #[cfg(unix)]
    let may_write_anything = rustix::process::geteuid().is_root();
    #[cfg(not(unix))]
    let may_write_anything = true;
    match needs.as_str() {
        Some("links") => cfg!(unix),
        Some("permissions") => !may_write_anything,
        _ => true,
    }
}

fn run(case: &Value) -> Result<(), String> {
    let place = tempfile::tempdir().unwrap();
    let mut play = Play {
        root: Root {
            name: "app".to_owned(),
            path: place.path().to_str().unwrap().to_owned(),
            link: None,
        },
        stamps: HashMap::new(),
        reserved: Reservation::impatient(Duration::from_secs(600)),
    };
    play.put(&case["before"]);
    let held = case["steps"]
        .as_array()
        .unwrap()
        .iter()
        .try_for_each(|step| play.take(step));
    play.free(&case["before"]);
    held?;
    drop(play); // a process that ends gives back what it kept
    let found = Value::Object(found(place.path()));
    same(&found, &case["after"], "the files afterwards")
}

/// A case while it runs.
struct Play {
    root: Root,
    /// Stamps of files as they were looked at last, or given by a commit.
    stamps: HashMap<String, Option<String>>,
    /// What the process keeps between its commits.
    reserved: Reservation,
}

impl Play {
    fn take(&mut self, step: &Value) -> Result<(), String> {
        if !step["put"].is_null() {
            self.put(&step["put"]);
            return Ok(());
        }
        if !step["look"].is_null() {
            for path in texts(&step["look"]) {
                self.stamps.insert(path.to_owned(), self.stamp(path));
            }
            return Ok(());
        }
        match step["fetch"].as_str() {
            Some(path) => self.fetch(path, &step["gives"]),
            None => self.commit(step),
        }
    }

    fn fetch(&self, path: &str, gives: &Value) -> Result<(), String> {
        let file = fetch(&self.root, &file_ref(path), false);
        let text = file.bytes.map(|bytes| String::from_utf8(bytes.0).unwrap());
        same(
            &json!(file.stamp.is_some()),
            &json!(gives.is_string()),
            path,
        )?;
        same(
            &json!(file.error.is_some()),
            &json!(gives.is_object()),
            path,
        )?;
        match gives.is_object() {
            true => same(&json!(text), &Value::Null, path),
            false => same(&json!(text), gives, path),
        }
    }

    fn commit(&mut self, step: &Value) -> Result<(), String> {
        let base = texts(&step["base"]);
        let expect: Vec<Stamped> = base
            .iter()
            .map(|path| Stamped {
                path: (*path).to_owned(),
                stamp: self.stamps.get(*path).cloned().flatten(),
            })
            .collect();
        let changes: Vec<DiskChange> = entries(&step["commit"]).map(change).collect();
        let what = step["commit"].to_string();
        let mut other = Reservation::impatient(Duration::ZERO);
        let reserved = match step["by"].as_str() {
            Some("another") => &mut other,
            _ => &mut self.reserved,
        };
        match commit(&self.root, &expect, &changes, reserved) {
            CommitOutcome::Conflict => same(&json!("conflict"), &step["outcome"], &what),
            CommitOutcome::Busy => same(&json!("busy"), &step["outcome"], &what),
            CommitOutcome::Failed { reason } => match step["outcome"]["failed"].as_str() {
                Some(part) if reason.contains(part) => Ok(()),
                _ => Err(format!("{what}: {reason}")),
            },
            CommitOutcome::Done { stamps } => {
                same(&json!("done"), &step["outcome"], &what)?;
                let now: Vec<Option<String>> = base.iter().map(|path| self.stamp(path)).collect();
                same(&json!(stamps), &json!(now), &what)?;
                let owned = base.iter().map(|path| (*path).to_owned());
                self.stamps.extend(owned.zip(stamps));
                Ok(())
            }
        }
    }

    fn stamp(&self, path: &str) -> Option<String> {
        fetch(&self.root, &file_ref(path), false).stamp
    }

    fn path(&self, path: &str) -> PathBuf {
        Path::new(&self.root.path).join(path)
    }

    fn put(&self, entries: &Value) {
        for (path, entry) in entries.as_object().into_iter().flatten() {
            self.put_one(&self.path(path), entry);
        }
    }

    fn put_one(&self, path: &Path, entry: &Value) {
        if entry.is_null() {
            let is_folder = path.is_dir();
            let removed = if is_folder {
                fs::remove_dir_all(path)
            } else {
                fs::remove_file(path)
            };
            removed.unwrap();
            return;
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if let Some(target) = entry["link"].as_str() {
            link(target, path);
        } else if let Some(other) = entry["hardLink"].as_str() {
            fs::hard_link(self.path(other), path).unwrap();
        } else if entry["pipe"] == true {
            pipe(path);
        } else if entry["folder"] == true {
            fs::create_dir_all(path).unwrap();
        } else {
            let text = entry.as_str().or(entry["text"].as_str());
            fs::write(path, text.unwrap_or_default()).unwrap();
        }
        if let Some(size) = entry["size"].as_u64() {
            File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_len(size)
                .unwrap();
        }
        if let Some(age) = entry["age"].as_i64() {
            let since = Duration::from_secs(age.unsigned_abs());
            let now = SystemTime::now();
            let at = if age < 0 { now + since } else { now - since };
            File::options()
                .write(true)
                .open(path)
                .unwrap()
                .set_modified(at)
                .unwrap();
        }
        if let Some(mode) = entry["mode"].as_str() {
            set_mode(path, u32::from_str_radix(mode, 8).unwrap());
        }
    }

    /// Lets go of what must not be written, so that the place can be looked at and deleted.
    fn free(&self, before: &Value) {
        for (path, entry) in before.as_object().into_iter().flatten() {
            let path = self.path(path);
            if entry["mode"].is_string() && path.exists() {
                set_mode(&path, 0o755);
            }
        }
    }
}

fn file_ref(path: &str) -> FileRef {
    FileRef {
        root: 0,
        path: path.to_owned(),
    }
}

fn change(entry: &Value) -> DiskChange {
    let text = |name: &str| entry[name].as_str().unwrap_or_default().to_owned();
    let kind = ["write", "append", "move", "delete"]
        .into_iter()
        .find(|kind| entry[kind].is_string());
    let path = text(kind.unwrap_or_default());
    match kind {
        Some("write") => DiskChange::Write {
            path,
            bytes: Bytes(text("text").into()),
        },
        Some("append") => DiskChange::Append {
            path,
            text: text("text"),
        },
        Some("move") => DiskChange::Move {
            from: path,
            to: text("to"),
        },
        Some("delete") => DiskChange::Delete { path },
        _ => panic!("{entry} is no change"),
    }
}

fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn texts(list: &Value) -> Vec<&str> {
    entries(list).filter_map(Value::as_str).collect()
}

fn same(actual: &Value, expected: &Value, what: &str) -> Result<(), String> {
    match actual == expected {
        true => Ok(()),
        false => Err(format!("{what}: {actual} instead of {expected}")),
    }
}

/// Every file and link below a folder, by its path. A lock that nobody has is nothing.
fn found(start: &Path) -> Map<String, Value> {
    let mut all = BTreeMap::new();
    let mut open = vec![start.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path
                .strip_prefix(start)
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            let kind = fs::symlink_metadata(&path).unwrap();
            if name.starts_with(".context/cache/lock/free.") {
                assert_eq!(kind.len(), 0, "{name}");
            } else if kind.is_dir() {
                open.push(path);
            } else if !kind.is_symlink() && !kind.is_file() {
                all.insert(name, json!({ "pipe": true }));
            } else if kind.is_symlink() {
                all.insert(name, json!({ "link": fs::read_link(path).unwrap() }));
            } else {
                all.insert(name, json!(fs::read_to_string(path).unwrap()));
            }
        }
    }
    all.into_iter().collect()
}

#[cfg(unix)]
fn pipe(path: &Path) {
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, path, mode).unwrap();
}

#[cfg(not(unix))]
fn pipe(_: &Path) {
    unreachable!("such cases are left out here");
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) {
    unreachable!("such cases are left out here");
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
    fs::set_permissions(path, permissions).unwrap();
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) {
    unreachable!("such cases are left out here");
}
