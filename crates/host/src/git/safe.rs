//! The list of what git is started with, `safe.json`, and what of a repository's configuration is turned off by it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;

use super::GitError;

/// Settings that are turned off at most: each is an argument or a variable of a process, which are bounded.
const MAX_SETTINGS: usize = 4_000;

/// The list, as `safe.json` has it.
#[derive(Debug, Deserialize)]
pub(super) struct SafeList {
    commands: Vec<CommandRow>,
    options: Vec<OptionRow>,
    environment: Environment,
    settings: Vec<GitSetting>,
    families: Vec<Family>,
    files: Vec<FileRow>,
    versions: BTreeMap<String, Least>,
}

/// A command of git that may be started.
#[derive(Debug, Deserialize)]
pub(super) struct CommandRow {
    name: String,
    /// What follows its name in every case.
    pub(super) options: Vec<String>,
    /// Whether the families of settings are looked for before it.
    pub(super) families: bool,
}

#[derive(Debug, Deserialize)]
struct OptionRow {
    option: String,
}

#[derive(Debug, Deserialize)]
struct Environment {
    /// How names of variables begin that are not passed on.
    removed: String,
    kept: Vec<AllowedSetting>,
    set: Vec<Variable>,
}

#[derive(Debug, Deserialize)]
struct AllowedSetting {
    name: String,
}

/// A variable of the environment.
#[derive(Debug, Deserialize)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) value: String,
}

#[derive(Debug, Deserialize)]
struct GitSetting {
    key: String,
    value: String,
}

/// Settings of which a part of the name is anybody's.
#[derive(Debug, Deserialize)]
struct Family {
    /// `section.*.variable`, where `*` is any subsection and a last `*` any variable.
    #[serde(rename = "match")]
    pattern: String,
    /// What is set for each subsection that is found; `*` stands for it.
    set: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
struct FileRow {
    key: String,
}

/// The least version of git that has something.
#[derive(Debug, Deserialize)]
pub(super) struct Least {
    version: String,
    pub(super) why: String,
}

/// The list.
///
/// # Errors
///
/// Where `safe.json` is not as this expects it; git is not started then.
pub(super) fn list() -> Result<&'static SafeList, GitError> {
    static LIST: OnceLock<Result<SafeList, String>> = OnceLock::new();
    let list = LIST.get_or_init(|| {
        serde_json::from_str(include_str!("safe.json")).map_err(|error| error.to_string())
    });
    list.as_ref()
        .map_err(|error| GitError::Unsafe(format!("the list of its settings is broken ({error})")))
}

impl SafeList {
    /// The row of a command.
    ///
    /// # Errors
    ///
    /// Where it is not among those that are started.
    pub(super) fn row(&self, name: &str) -> Result<&CommandRow, GitError> {
        let row = self.commands.iter().find(|row| row.name == name);
        row.ok_or_else(|| GitError::Unsafe(format!("`git {name}` is not among its safe commands")))
    }

    /// What stands before the command in every case.
    pub(super) fn before(&self) -> impl Iterator<Item = String> {
        let options = self.options.iter().map(|row| row.option.clone());
        let settings = self.settings.iter();
        options.chain(
            settings
                .flat_map(|GitSetting { key, value }| ["-c".to_owned(), format!("{key}={value}")]),
        )
    }

    /// Whether a variable of the caller's environment is kept from git. Windows does not tell `git_dir` from `GIT_DIR`.
    pub(super) fn is_removed(&self, name: &OsStr) -> bool {
        let name = name.to_string_lossy().to_ascii_uppercase();
        let Environment { removed, kept, .. } = &self.environment;
        name.starts_with(removed.as_str()) && !kept.iter().any(|row| row.name == name)
    }

    /// Variables that are set in every case.
    pub(super) fn variables(&self) -> &[Variable] {
        &self.environment.set
    }

    /// Compares a version, as `2.47`, with the least one that a row of `versions` has.
    pub(super) fn is_old(&self, found: (u32, u32), row: &str) -> Option<&Least> {
        let least = self.versions.get(row)?;
        (version(&least.version)? > found).then_some(least)
    }

    /// What is set on top of a configuration, which is as `git config --list -z` prints it.
    ///
    /// `folder` is where relative paths begin.
    ///
    /// # Errors
    ///
    /// Where a name cannot be carried, or there are too many.
    pub(super) fn turned_off(
        &self,
        listing: &[u8],
        folder: &Path,
    ) -> Result<BTreeMap<String, String>, GitError> {
        let mut found = BTreeMap::new();
        for entry in listing.split(|byte| *byte == 0) {
            let end = entry.iter().position(|byte| *byte == b'\n');
            let (key, value) = match end {
                Some(end) => (&entry[..end], &entry[end + 1..]),
                None => (entry, &b""[..]),
            };
            self.turn_off(key, value, folder, &mut found)?;
        }
        if found.len() > MAX_SETTINGS {
            let count = found.len();
            let reason = format!("its configuration names {count} programs, too many to turn off");
            return Err(GitError::Unsafe(reason));
        }
        Ok(found)
    }

    fn turn_off(
        &self,
        key: &[u8],
        value: &[u8],
        folder: &Path,
        found: &mut BTreeMap<String, String>,
    ) -> Result<(), GitError> {
        let lossy = String::from_utf8_lossy(key);
        for family in &self.families {
            let Some(subsection) = family.subsection(&lossy) else {
                continue;
            };
            if std::str::from_utf8(key).is_err() {
                let reason = "a name in its configuration is no UTF-8";
                return Err(GitError::Unsafe(reason.to_owned()));
            }
            for (pattern, value) in &family.set {
                let key = pattern.replacen('*', subsection, 1);
                found.insert(key, value.clone());
            }
        }
        let mut files = self.files.iter();
        if let Some(row) = files.find(|row| row.key.eq_ignore_ascii_case(&lossy)) {
            match is_file(&String::from_utf8_lossy(value), folder) {
                // The last one counts.
                true => found.remove(&row.key),
                false => found.insert(row.key.clone(), "/dev/null".to_owned()),
            };
        }
        Ok(())
    }
}

impl Family {
    /// The subsection of a key that belongs here. It may be empty, and have dots.
    fn subsection<'k>(&self, key: &'k str) -> Option<&'k str> {
        let (section, rest) = key.split_once('.')?;
        let (subsection, variable) = rest.rsplit_once('.')?;
        let (wanted, rest) = self.pattern.split_once('.')?;
        let (_, wanted_variable) = rest.rsplit_once('.')?;
        let is_one = section.eq_ignore_ascii_case(wanted)
            && (wanted_variable == "*" || variable.eq_ignore_ascii_case(wanted_variable));
        is_one.then_some(subsection)
    }
}

/// Whether a path of the configuration is a plain file. Spellings that git alone understands are not.
fn is_file(value: &str, folder: &Path) -> bool {
    let path = match value.strip_prefix("~/") {
        Some(rest) => std::env::home_dir().map(|home| home.join(rest)),
        None => Some(folder.join(PathBuf::from(value))),
    };
    path.is_some_and(|path| path.is_file())
}

/// The first two numbers of a version, as in `git version 2.39.5 (Apple Git-154)`.
pub(super) fn version(text: &str) -> Option<(u32, u32)> {
    let words = text.split(|c: char| c.is_whitespace());
    let mut numbers = words.filter_map(|word| {
        let (major, rest) = word.split_once('.')?;
        let minor = rest.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    });
    numbers.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(listing: &str) -> Vec<String> {
        let found = list()
            .unwrap()
            .turned_off(listing.as_bytes(), Path::new("/nowhere"));
        let found = found.unwrap().into_iter();
        found.map(|(key, value)| format!("{key}={value}")).collect()
    }

    #[test]
    fn every_row_has_a_reason_and_every_name_is_used_once() {
        let value: serde_json::Value = serde_json::from_str(include_str!("safe.json")).unwrap();
        let environment = &value["environment"];
        let lists = [
            (&value["commands"], "name"),
            (&value["options"], "option"),
            (&environment["kept"], "name"),
            (&environment["set"], "name"),
            (&value["settings"], "key"),
            (&value["families"], "match"),
            (&value["files"], "key"),
        ];
        for (rows, name) in lists {
            let rows = rows.as_array().unwrap();
            let mut names: Vec<&str> = rows.iter().map(|row| row[name].as_str().unwrap()).collect();
            assert!(!rows.is_empty());
            assert!(rows.iter().all(|row| row["why"].as_str().is_some()));
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), rows.len());
        }
    }

    #[test]
    fn filters_of_every_name_are_turned_off() {
        for name in ["", "lfs", "a=b", "a.b c", "ü\"", "*"] {
            let found = off(&format!("filter.{name}.clean\n./evil\0"));
            let wanted = ["clean=", "process=", "required=false", "smudge="];
            assert_eq!(found, wanted.map(|end| format!("filter.{name}.{end}")));
        }
        assert_eq!(off("filter.clean\n./no-subsection\0"), [""; 0]);
        assert_eq!(off("filter.x.required\0").len(), 4);
    }

    #[test]
    fn only_the_variables_of_a_family_are_turned_off() {
        let found =
            off("diff.x.textconv\na\0diff.x.xfuncname\nb\0diff.external\nc\0user.name\nd\0");
        assert_eq!(found, ["diff.x.textconv="]);
        let found = off("hook.x.command\n./evil\0protocol.ext.allow\nalways\0");
        let wanted = [
            "hook.x.enabled=false",
            "hook.x.event=",
            "protocol.ext.allow=never",
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_file_that_is_none_is_replaced_by_nothing() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("ignored"), "x\n").unwrap();
        let at = |value: &str| {
            let listing = format!("core.excludesfile\n{value}\0");
            let found = list().unwrap().turned_off(listing.as_bytes(), place.path());
            found.unwrap().into_iter().next()
        };
        let nothing = || Some(("core.excludesFile".to_owned(), "/dev/null".to_owned()));
        assert_eq!(at("ignored"), None);
        assert_eq!(at("none"), nothing());
        assert_eq!(at("."), nothing());
        assert_eq!(at(":(optional)ignored"), nothing());
        assert_eq!(at("none\0core.excludesfile\nignored"), None);
    }

    #[test]
    fn a_name_that_cannot_be_carried_is_refused() {
        let refused = |listing: &[u8]| list().unwrap().turned_off(listing, Path::new("/")).is_err();
        assert!(refused(b"filter.\xff.clean\n./evil\0"));
        assert!(!refused(b"user.\xff.name\nx\0"));
        let many: String = (0..2_000)
            .map(|n| format!("filter.{n}.clean\nx\0"))
            .collect();
        assert!(refused(many.as_bytes()));
    }

    #[test]
    fn variables_of_git_are_removed_but_where_a_persons_configuration_is() {
        let list = list().unwrap();
        for name in ["GIT_DIR", "git_dir", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0"] {
            assert!(list.is_removed(OsStr::new(name)), "{name}");
        }
        for name in ["GIT_CONFIG_GLOBAL", "HOME", "DIGIT_X"] {
            assert!(!list.is_removed(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(version("git version 2.39.5 (Apple Git-154)"), Some((2, 39)));
        assert_eq!(version("git version 2.47.1.windows.1"), Some((2, 47)));
        assert_eq!(version("git version next"), None);
        let list = list().unwrap();
        assert!(list.is_old((2, 9), "least").is_some() && list.is_old((2, 30), "values").is_some());
        assert!(list.is_old((2, 24), "least").is_none() && list.is_old((3, 0), "values").is_none());
    }
}
