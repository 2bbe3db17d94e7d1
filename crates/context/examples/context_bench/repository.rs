//! A git repository's trees and commits as the plain values that the index takes.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use codecortex_context::map::document;
use codecortex_retrieval::{Commit, History, Index, TouchedFile};
use codecortex_syntax::{Limits, Outcome, analyse_text, language_of_path};

/// A commit with its parents.
struct Past {
    parents: Vec<String>,
    message: String,
    /// Path and where it was before.
    changes: Vec<(String, Option<String>)>,
}

/// A repository that is looked at commit by commit.
pub(crate) struct Repository {
    folder: String,
    objects: Child,
    wanted: ChildStdin,
    given: BufReader<ChildStdout>,
    order: Vec<String>,
    commits: HashMap<String, Past>,
    /// What the index has: path to object.
    present: BTreeMap<String, String>,
    pub(crate) texts: HashMap<String, String>,
    pub(crate) index: Index,
}

impl Repository {
    pub(crate) fn open(folder: &str, bases: &[String]) -> std::io::Result<Self> {
        let mut objects = Command::new("git")
            .args(["-C", folder, "cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let wanted = objects.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        let given = BufReader::new(
            objects
                .stdout
                .take()
                .ok_or(std::io::ErrorKind::BrokenPipe)?,
        );
        let mut repository = Self {
            folder: folder.to_owned(),
            objects,
            wanted,
            given,
            order: Vec::new(),
            commits: HashMap::new(),
            present: BTreeMap::new(),
            texts: HashMap::new(),
            index: Index::new(),
        };
        repository.read_commits(bases)?;
        Ok(repository)
    }

    fn git(&self, arguments: &[&str]) -> std::io::Result<String> {
        let output = Command::new("git")
            .args(["-C", &self.folder, "-c", "core.quotepath=off"])
            .args(arguments)
            .output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn read_commits(&mut self, bases: &[String]) -> std::io::Result<()> {
        let mut arguments = vec![
            "log",
            "--topo-order",
            "-M",
            "--name-status",
            "--format=%x01%H%x02%P%x02%B%x03",
        ];
        arguments.extend(bases.iter().map(String::as_str));
        let log = self.git(&arguments)?;
        // Before the first mark there is no commit.
        for record in log.split('\x01').skip(1) {
            let Some((head, files)) = record.split_once('\x03') else {
                continue;
            };
            let mut head = head.splitn(3, '\x02');
            let (Some(hash), Some(parents), Some(message)) =
                (head.next(), head.next(), head.next())
            else {
                continue;
            };
            let changes = files.lines().filter_map(|line| {
                let mut parts = line.split('\t');
                let status = parts.next().filter(|status| !status.is_empty())?;
                let first = parts.next()?.to_owned();
                match parts.next() {
                    Some(second) if status.starts_with('R') => {
                        Some((second.to_owned(), Some(first)))
                    }
                    Some(second) => Some((second.to_owned(), None)),
                    None => Some((first, None)),
                }
            });
            self.order.push(hash.to_owned());
            let past = Past {
                parents: parents
                    .split(' ')
                    .filter(|parent| !parent.is_empty())
                    .map(str::to_owned)
                    .collect(),
                message: message.to_owned(),
                changes: changes.collect(),
            };
            self.commits.insert(hash.to_owned(), past);
        }
        Ok(())
    }

    /// The commits up to one, the newest first.
    pub(crate) fn history(&self, base: &str) -> History {
        let mut ancestors: HashSet<&str> = HashSet::new();
        let mut open = vec![base];
        while let Some(hash) = open.pop() {
            if let Some((hash, past)) = self.commits.get_key_value(hash)
                && ancestors.insert(hash)
            {
                open.extend(past.parents.iter().map(String::as_str));
            }
        }
        let order = self
            .order
            .iter()
            .filter(|hash| ancestors.contains(hash.as_str()));
        History::read(order.map(|hash| {
            let past = &self.commits[hash];
            let changes = past.changes.iter();
            let changes = changes.map(|(path, moved_from)| TouchedFile {
                path,
                moved_from: moved_from.as_deref(),
            });
            Commit {
                message: &past.message,
                changes: changes.collect(),
            }
        }))
    }

    /// Brings the index to a commit; how many files were replaced.
    pub(crate) fn go_to(&mut self, base: &str) -> std::io::Result<usize> {
        let listing = self.git(&["ls-tree", "-r", "-z", base])?;
        let mut now = BTreeMap::new();
        for row in listing.split('\0') {
            let Some((meta, path)) = row.split_once('\t') else {
                continue;
            };
            let mut meta = meta.split(' ');
            let is_file = meta.next().is_some_and(|mode| mode.starts_with("100"));
            if let (true, Some(object)) = (is_file && language_of_path(path).is_some(), meta.nth(1))
            {
                now.insert(path.to_owned(), object.to_owned());
            }
        }
        let before = std::mem::take(&mut self.present);
        for path in before.keys().filter(|path| !now.contains_key(*path)) {
            self.index.remove(path);
            self.texts.remove(path);
        }
        let mut replaced = 0;
        for (path, object) in now
            .iter()
            .filter(|(path, object)| before.get(*path) != Some(*object))
        {
            let text = self.object(object)?;
            replaced += 1;
            match analyse_text(
                path,
                &text,
                Limits {
                    max_file_size: 1 << 20,
                    exclude_generated: true,
                },
            ) {
                Outcome::Facts(facts) => {
                    self.index
                        .replace(&document::retrieval_document(path, &text, &facts));
                    self.texts.insert(path.clone(), text);
                }
                _ => {
                    self.index.remove(path);
                    self.texts.remove(path);
                }
            }
        }
        self.present = now;
        Ok(replaced)
    }

    fn object(&mut self, object: &str) -> std::io::Result<String> {
        writeln!(self.wanted, "{object}")?;
        self.wanted.flush()?;
        let mut head = String::new();
        self.given.read_line(&mut head)?;
        let size = head
            .trim_end()
            .rsplit(' ')
            .next()
            .and_then(|size| size.parse().ok())
            .unwrap_or(0);
        let mut bytes = vec![0; size + 1];
        self.given.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = self.objects.kill();
        let _ = self.objects.wait();
    }
}
