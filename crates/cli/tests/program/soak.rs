//! One server and many edits, each followed by questions whose answers are compared with the disk (SPEC I1).
//! `CODECORTEX_SOAK` says how many edits there are, `CODECORTEX_SEED` which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::mcp::Session;
use crate::support::Place;

const EDITS: u32 = 300;
const SEED: u64 = 20_261_128;
/// Files that a tree grows to before more are removed than made.
const MAX_FILES: usize = 60;
/// Every so many edits all names are compared instead of some.
const WHOLE_EVERY: u32 = 25;
/// How often memory is looked at.
const SAMPLES: u32 = 12;
/// Names of classes that there are.
const NAMES: u32 = 4000;

/// Numbers that look like chance and are the same every time (xorshift64*).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        high as usize % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.roll(from.len().max(1));
        from.get(at)
    }
}

/// The disk, its edits, and what it says.
struct Tree {
    root: PathBuf,
    dice: Dice,
    next: u32,
    /// Of the last class.
    name: u32,
    /// Classes on the disk, and those that were there before this edit.
    taken: BTreeSet<String>,
}

impl Tree {
    /// A class that no file has; names have one length, so that files can be replaced at equal size. They come again
    /// after a while: the index keeps the names that it has seen.
    fn class(&mut self) -> String {
        loop {
            self.name = (self.name + 1) % NAMES;
            let name = format!("Soak{:06}x", self.name);
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }

    fn body(&mut self) -> String {
        let class = self.class();
        format!("class {class}:\n    def run(self):\n        return 1\n")
    }

    /// Files and folders below the root, relative to it.
    fn walk(&self) -> (Vec<String>, Vec<String>) {
        let (mut files, mut dirs) = (Vec::new(), vec![String::new()]);
        let mut next = 0;
        while let Some(dir) = dirs.get(next).cloned() {
            next += 1;
            for entry in fs::read_dir(self.root.join(&dir)).unwrap().flatten() {
                let name = entry.file_name().into_string().unwrap();
                let path = match dir.as_str() {
                    "" => name,
                    dir => format!("{dir}/{name}"),
                };
                match entry.file_type().unwrap().is_dir() {
                    true => dirs.push(path),
                    false => files.push(path),
                }
            }
        }
        files.sort();
        dirs.sort();
        (files, dirs)
    }

    /// Classes by name, with their files: what the disk says.
    fn classes(&self) -> BTreeMap<String, String> {
        let mut classes = BTreeMap::new();
        for file in self.walk().0 {
            let text = fs::read_to_string(self.root.join(&file)).unwrap();
            for line in text.lines() {
                if let Some(name) = line.strip_prefix("class ") {
                    classes.insert(name.trim_end_matches(':').to_owned(), file.clone());
                }
            }
        }
        classes
    }

    fn new_path(&mut self, dirs: &[String], ending: &str) -> String {
        self.next += 1;
        let name = format!("n{}{ending}", self.next);
        match self.dice.pick(dirs).map(String::as_str) {
            None | Some("") => name,
            Some(dir) => format!("{dir}/{name}"),
        }
    }

    fn write(&mut self, path: &str) {
        let body = self.body();
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, body).unwrap();
    }

    /// One edit; what it was.
    fn edit(&mut self) -> &'static str {
        self.taken = self.classes().into_keys().collect();
        let (files, dirs) = self.walk();
        let is_full = files.len() > MAX_FILES;
        let file = self.dice.pick(&files).cloned();
        let below: Vec<String> = dirs.iter().filter(|dir| !dir.is_empty()).cloned().collect();
        let dir = self.dice.pick(&below).cloned();
        match (self.dice.roll(14), file, dir) {
            (0, Some(file), _) if files.len() > 10 => {
                fs::remove_file(self.root.join(file)).unwrap();
                "a file removed"
            }
            (1, _, Some(dir)) if is_full || files.len() > 20 && self.dice.roll(3) == 0 => {
                fs::remove_dir_all(self.root.join(dir)).unwrap();
                "a folder removed"
            }
            (2, _, Some(dir)) => {
                let tops = dirs.iter().filter(|to| !to.starts_with(&dir));
                let tops: Vec<String> = tops.cloned().collect();
                let to = self.new_path(&tops, "");
                fs::rename(self.root.join(dir), self.root.join(to)).unwrap();
                "a folder renamed"
            }
            (3, Some(file), _) => {
                let to = self.new_path(&dirs, ".py");
                fs::rename(self.root.join(file), self.root.join(to)).unwrap();
                "a file renamed"
            }
            (4, _, _) => {
                let path = self.new_path(&dirs, "");
                fs::create_dir(self.root.join(&path)).unwrap();
                if self.dice.roll(2) == 0 {
                    fs::remove_dir(self.root.join(path)).unwrap();
                }
                "a folder made, and perhaps removed"
            }
            (5, _, _) if !is_full => {
                let path = format!("{}/deep/er/f.py", self.new_path(&dirs, ""));
                self.write(&path);
                "a file in a deep tree"
            }
            (6 | 7, Some(file), _) => {
                self.replace(&file);
                "a file replaced at equal size and time"
            }
            (8, Some(file), _) => {
                self.rewrite(&file);
                "a file written at equal size and time"
            }
            (9, Some(file), _) if self.size(&file) < 2000 => {
                let body = self.body();
                let path = self.root.join(file);
                let before = fs::read_to_string(&path).unwrap();
                fs::write(path, before + &body).unwrap();
                "a file appended to"
            }
            (10, Some(_), _) => {
                self.check_out(&files);
                "a change of branches"
            }
            (11, Some(file), _) => {
                self.write(&file);
                "a file written"
            }
            (12, Some(file), _) => {
                // As editors save.
                let half = self.root.join(format!("{file}.tmp"));
                let body = self.body();
                fs::write(&half, body).unwrap();
                fs::rename(half, self.root.join(file)).unwrap();
                "a file saved by another in its place"
            }
            (_, Some(file), _) if is_full => {
                fs::remove_file(self.root.join(file)).unwrap();
                "a file removed"
            }
            _ => {
                let path = self.new_path(&dirs, ".py");
                self.write(&path);
                "a file made"
            }
        }
    }

    fn size(&self, file: &str) -> u64 {
        fs::metadata(self.root.join(file)).unwrap().len()
    }

    /// The file's text with other names of the same length.
    fn renamed(&mut self, path: &Path) -> String {
        let text = fs::read_to_string(path).unwrap();
        let lines = text.lines().map(|line| match line.starts_with("class ") {
            true => format!("class {}:\n", self.class()),
            false => format!("{line}\n"),
        });
        lines.collect()
    }

    fn replace(&mut self, file: &str) {
        let path = self.root.join(file);
        let time = modified(&path);
        let text = self.renamed(&path);
        let half = self.root.join(format!("{file}.half"));
        fs::write(&half, text).unwrap();
        set_modified(&half, time);
        fs::rename(half, path).unwrap();
    }

    fn rewrite(&mut self, file: &str) {
        let path = self.root.join(file);
        let time = modified(&path);
        let text = self.renamed(&path);
        fs::write(&path, text).unwrap();
        set_modified(&path, time);
    }

    /// Many files at once: removed, made and written, as git does it.
    fn check_out(&mut self, files: &[String]) {
        for file in files {
            let path = self.root.join(file);
            match self.dice.roll(5) {
                0 => {
                    fs::remove_file(&path).unwrap();
                    self.write(&file.replace(".py", "b.py"));
                }
                1 | 2 => {
                    fs::remove_file(&path).unwrap();
                    self.write(file);
                }
                _ => {}
            }
        }
    }
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path).unwrap().modified().unwrap()
}

fn set_modified(path: &Path, time: SystemTime) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

/// Classes of that name, with their files.
fn search(session: &mut Session, root: &str, name: &str) -> BTreeMap<String, String> {
    let args = json!({ "labelQuery": name, "limit": 200, "kinds": ["class"], "maxTokens": 60_000 });
    let result = session.call("codecortex_searchApi", &args);
    assert_eq!(result["isError"], false, "{result}");
    let data = &result["structuredContent"]["data"];
    let items = data["items"].as_array().unwrap();
    assert_eq!(data["total"], items.len(), "a page has all");
    let found = items.iter().map(|item| {
        let path = item["filePath"].as_str().unwrap();
        let below = path.strip_prefix(root).unwrap().trim_start_matches('/');
        (item["name"].as_str().unwrap().to_owned(), below.to_owned())
    });
    found.collect()
}

/// What the server says otherwise than the disk.
fn stale(
    session: &mut Session,
    root: &str,
    tree: &mut Tree,
    before: &BTreeMap<String, String>,
    is_whole: bool,
) -> Vec<String> {
    let now = tree.classes();
    let mut wrong = Vec::new();
    if is_whole {
        let said = search(session, root, "Soak");
        let differs = |name: &&String| said.get(*name) != now.get(*name);
        let names: BTreeSet<&String> = said.keys().chain(now.keys()).collect();
        wrong.extend(names.into_iter().filter(differs).cloned());
        return wrong;
    }
    let changed = now.keys().chain(before.keys());
    let changed: Vec<&String> = changed
        .filter(|name| now.get(*name) != before.get(*name))
        .collect();
    let all: Vec<&String> = now.keys().collect();
    let mut asked: Vec<&String> = Vec::new();
    for _ in 0..2 {
        asked.extend(tree.dice.pick(&changed).copied());
    }
    asked.extend(tree.dice.pick(&all).copied());
    for name in asked {
        if search(session, root, name).get(name) != now.get(name) {
            wrong.push(name.clone());
        }
    }
    wrong
}

/// Bytes of memory that the server has; none on systems without `/proc`.
fn memory(session: &Session) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", session.process())).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kb: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kb << 10)
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[allow(
    clippy::print_stdout,
    reason = "what a long run found is read by people"
)]
#[test]
fn answers_follow_the_disk_through_many_edits() {
    let edits = setting("CODECORTEX_SOAK").map_or(EDITS, |edits| edits as u32);
    let place = Place::new();
    let mut tree = Tree {
        root: place.path().to_owned(),
        dice: Dice(setting("CODECORTEX_SEED").unwrap_or(SEED).max(1)),
        next: 0,
        name: 0,
        taken: BTreeSet::new(),
    };
    for at in 0..30 {
        tree.write(&format!("d{}/e{}/f{at}.py", at % 3, at % 5));
    }
    let mut session = Session::start(&place, &["--root", ".", "--profile", "full"]);
    let root = place.name();
    let begun = Instant::now();
    let mut before = tree.classes();
    assert_eq!(search(&mut session, &root, "Soak"), before);
    let (mut wrong, mut slowest) = (Vec::new(), Duration::ZERO);
    let mut samples = Vec::new();
    for number in 1..=edits {
        let what = tree.edit();
        let asked = Instant::now();
        let is_whole = number % WHOLE_EVERY == 0 || number == edits;
        let stale = stale(&mut session, &root, &mut tree, &before, is_whole);
        slowest = slowest.max(asked.elapsed());
        wrong.extend(stale.into_iter().map(|name| (number, what, name)));
        before = tree.classes();
        if number % (edits / SAMPLES).max(1) == 0 {
            samples.extend(memory(&session));
        }
    }
    assert!(
        wrong.is_empty(),
        "stale after {what}: {wrong:?}",
        what = wrong.len()
    );
    let status = session.call("codecortex_status", &json!({}));
    let status = &status["structuredContent"]["data"];
    assert_eq!(status["unwatched"], Value::Null, "{status}");
    let mb: Vec<u64> = samples.iter().map(|bytes| bytes >> 20).collect();
    println!(
        "{edits} edits in {:?}, none stale; the slowest {slowest:?}; memory in MB {mb:?}",
        begun.elapsed()
    );
    if let (Some(warm), Some(end)) = (samples.get(samples.len() / 3), samples.last()) {
        assert!(
            *end < warm + warm / 4 + (8 << 20),
            "{warm} bytes grew to {end}"
        );
    }
}
