//! Which files describe what is not in the workspace: those that settings name, or that lie where such files lie.

use std::collections::BTreeSet;

use codecortex_external::{DescriptionFormat, format_of};
use codecortex_protocol::Located;
use codecortex_protocol::paths::absolute_path;
use codecortex_syntax::Language;
use rustc_hash::FxHashSet;

use crate::analysis::Analysis;
use crate::external::paths::joined;

/// Where files of declarations lie, below the folder of scripts: what an editor's extension keeps of the engine, what a
/// cook leaves, and what people write.
const BESIDE_SCRIPTS: [&str; 4] = [
    ".vscode/angelscript/unreal-cache.json",
    "Binds.Cache",
    "Binds.Cache.Headers",
    "as.predefined",
];
/// Where the engine's documentation is dumped, beside the folder of scripts.
const DUMP: &str = "Docs/angelscript/generated";
/// What the folder of scripts is called.
const SCRIPTS: &str = "Script";
/// So many folders of scripts are looked into.
const MAX_FOLDERS: usize = 16;
/// So many files of a folder are read.
const MAX_FILES: usize = 20_000;

/// A file that describes declarations, or may.
#[derive(Clone, Debug)]
pub(super) struct DescriptionFile {
    /// Its place in the order in which files are read: what a later one says of a type counts.
    pub(super) number: usize,
    pub(super) file: Located,
    /// Whether a setting names it: that it is not there is told.
    pub(super) is_named: bool,
}

/// The files, and what is wrong with what settings name.
pub(super) fn wanted(code: &Analysis) -> (Vec<DescriptionFile>, Vec<(String, String)>) {
    let mut all = All {
        code,
        known: FxHashSet::default(),
        wanted: Vec::new(),
        problems: Vec::new(),
    };
    for root in 0..code.workspace.roots.len() as u32 {
        let own = code.settings_of(root).external_types;
        match own.as_ref().or(code.config.external_types.as_ref()) {
            Some(paths) => paths.iter().for_each(|path| all.named(root, path)),
            None => all.lying(root),
        }
    }
    (all.wanted, all.problems)
}

struct All<'c> {
    code: &'c Analysis,
    /// Absolute paths of those that are wanted.
    known: FxHashSet<String>,
    wanted: Vec<DescriptionFile>,
    problems: Vec<(String, String)>,
}

impl All<'_> {
    fn push(&mut self, path: &str, is_named: bool) {
        let file = self.code.located(path);
        if self.known.insert(file.path.clone()) {
            let number = self.wanted.len();
            self.wanted.push(DescriptionFile {
                number,
                file,
                is_named,
            });
        }
    }

    /// A file that a setting names, or a folder of such files.
    fn named(&mut self, root: u32, written: &str) {
        let path = written.trim().replace('\\', "/");
        let path = path.trim_end_matches('/');
        if path.is_empty() {
            return;
        }
        let Some(folder) = self.code.workspace.roots.get(root as usize) else {
            return;
        };
        let absolute = match is_absolute(path) {
            true => path.to_owned(),
            false => absolute_path(folder, path.trim_start_matches("./")),
        };
        let place = self.code.located(&absolute).place;
        let inside = place.map_or_else(Vec::new, |place| self.below(place.root, &place.path));
        match inside.is_empty() {
            true if format_of(path).is_none() => {
                let shown = self.code.located(&absolute).display;
                let problem = "it is in no format that is known, and no folder of the workspace with such files";
                self.problems.push((shown, problem.to_owned()));
            }
            true => self.push(&absolute, true),
            false => inside.iter().for_each(|path| self.push(path, true)),
        }
    }

    /// Files of a folder of the workspace that are of a format that is known, by their absolute paths.
    fn below(&mut self, root: u32, folder: &str) -> Vec<String> {
        let Some(of) = self.code.workspace.roots.get(root as usize) else {
            return Vec::new();
        };
        let below = match folder {
            "" => String::new(),
            folder => format!("{folder}/"),
        };
        let is_described = |path: &&str| path.starts_with(&below) && format_of(path).is_some();
        let paths = self.code.workspace.paths(root).filter(is_described);
        let mut paths: Vec<String> = paths.map(|path| absolute_path(of, path)).collect();
        paths.sort_unstable();
        if paths.len() > MAX_FILES {
            let problem = format!("it has {} files: {MAX_FILES} are read", paths.len());
            self.problems.push((folder.to_owned(), problem));
            paths.truncate(MAX_FILES);
        }
        paths
    }

    /// What lies where such files lie, in a folder with scripts.
    fn lying(&mut self, root: u32) {
        let Some(of) = self.code.workspace.roots.get(root as usize) else {
            return;
        };
        let folders = script_folders(self.code, root);
        for folder in &folders {
            for name in BESIDE_SCRIPTS {
                self.push(&absolute_path(of, &joined(folder, name)), false);
            }
        }
        for folder in &folders {
            let above = match folder.rsplit_once('/') {
                Some((above, SCRIPTS)) => above,
                _ if folder == SCRIPTS => "",
                _ => folder,
            };
            let dump = joined(above, DUMP);
            let headers = self.below(root, &dump).into_iter();
            let is_header = |path: &String| format_of(path) == Some(DescriptionFormat::DocHeader);
            let headers: Vec<String> = headers.filter(is_header).collect();
            headers.iter().for_each(|path| self.push(path, false));
        }
    }
}

/// Folders of scripts, relative to their workspace folder: that itself, and those that are called so.
fn script_folders(code: &Analysis, root: u32) -> Vec<String> {
    let files = code.index.files();
    let scripts = files.filter(|(_, file)| {
        file.root == root && file.facts.summary().language == Language::AngelScript
    });
    let mut folders = BTreeSet::new();
    for (_, file) in scripts {
        if folders.len() == MAX_FOLDERS {
            break;
        }
        folders.insert(String::new());
        let Some((folder, _)) = file.path.rsplit_once('/') else {
            continue;
        };
        let mut path = String::new();
        for part in folder.split('/') {
            path = joined(&path, part);
            if part == SCRIPTS {
                folders.insert(path.clone());
            }
        }
    }
    folders.into_iter().collect()
}

/// Whether a path begins at a root, of a drive too.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes();
    path.starts_with('/')
        || drive.len() > 2 && drive[0].is_ascii_alphabetic() && &drive[1..3] == b":/"
}
