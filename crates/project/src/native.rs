//! C and C++: `compile_commands.json`.

mod commands;

pub(crate) use commands::{Commands, read_commands};

use std::collections::BTreeMap;

use crate::build::{ProjectBuilder, ProjectDraft};
use crate::files::RootFiles;
use crate::manifest::{Manifest, ManifestFacts, ManifestFormat};
use crate::model::{CompileFlags, Detail, IncludeFolder, ManifestKind, Native};
use crate::path::{self, ManifestTarget};
use crate::source::{ProblemKind, SourcePosition};

/// So many entries are enough to see where the root lies.
const SAMPLE: usize = 400;

/// Adds a project for each list of commands.
pub(crate) fn build(builder: &mut ProjectBuilder<'_>) {
    let manifests: Vec<&Manifest> = builder
        .manifests_of(&[ManifestFormat::CompileCommands])
        .collect();
    for manifest in manifests {
        if let ManifestFacts::CompileCommands(commands) = &manifest.facts {
            let draft = draft(builder, manifest, commands);
            builder.drafts.push(draft);
        }
    }
}

/// Turns the machine's paths into paths of the root.
struct Locator {
    /// The folder of the list; relative paths of folders begin there.
    folder: String,
    /// Where the root lies on the machine that wrote the list.
    root: Option<Vec<String>>,
}

impl Locator {
    /// `text` as written, seen from `directory`.
    fn place(&self, directory: &str, text: &str) -> ManifestTarget {
        if let Some(names) = absolute(text) {
            return self.strip(&names, text);
        }
        match absolute(directory) {
            Some(mut names) => {
                walk(&mut names, text);
                self.strip(&names, text)
            }
            None => match path::resolve(&self.folder, directory) {
                ManifestTarget::Inside(folder) => path::resolve(&folder, text),
                external => external,
            },
        }
    }

    fn strip(&self, names: &[String], text: &str) -> ManifestTarget {
        match &self.root {
            Some(root) if names.starts_with(root) => {
                ManifestTarget::Inside(names[root.len()..].join("/"))
            }
            _ => ManifestTarget::external(text),
        }
    }
}

/// The names of an absolute path, a drive's letter in lower case.
fn absolute(text: &str) -> Option<Vec<String>> {
    let bytes = text.as_bytes();
    let drive = bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if !drive && !text.starts_with(['/', '\\']) {
        return None;
    }
    let mut names = Vec::new();
    walk(&mut names, text);
    if let (true, Some(first)) = (drive, names.first_mut()) {
        first.make_ascii_lowercase();
    }
    Some(names)
}

fn walk(names: &mut Vec<String>, text: &str) {
    for name in text.split(['/', '\\']) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            _ => names.push(name.to_owned()),
        }
    }
}

/// The absolute folder below which most of the listed files are the root's files.
fn root(files: &RootFiles, commands: &Commands) -> Option<Vec<String>> {
    let step = (commands.entries.len() / SAMPLE).max(1);
    let mut votes: BTreeMap<Vec<String>, usize> = BTreeMap::new();
    for entry in commands.entries.iter().step_by(step) {
        let directory = &commands.sets[entry.set as usize].directory;
        let names = absolute(&entry.file).or_else(|| {
            let mut names = absolute(directory)?;
            walk(&mut names, &entry.file);
            Some(names)
        });
        let Some(names) = names else { continue };
        let found = (0..names.len()).find(|at| files.contains(&names[*at..].join("/")));
        if let Some(at) = found {
            *votes.entry(names[..at].to_vec()).or_default() += 1;
        }
    }
    let best = votes
        .into_iter()
        .max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)));
    best.map(|(root, _)| root)
}

fn draft(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    commands: &Commands,
) -> ProjectDraft {
    let locator = Locator {
        folder: manifest.folder().to_owned(),
        root: root(builder.files, commands),
    };
    let mut native = Native::default();
    let mut numbers: BTreeMap<CompileFlags, u32> = BTreeMap::new();
    let mut of_set: Vec<Option<u32>> = vec![None; commands.sets.len()];
    for entry in &commands.entries {
        let set = &commands.sets[entry.set as usize];
        let ManifestTarget::Inside(file) = locator.place(&set.directory, &entry.file) else {
            continue;
        };
        let number = *of_set[entry.set as usize].get_or_insert_with(|| {
            let flags = CompileFlags {
                include: set
                    .include
                    .iter()
                    .map(|(only, text)| IncludeFolder {
                        path: locator.place(&set.directory, text),
                        only: *only,
                    })
                    .collect(),
                defines: set.defines.clone(),
            };
            let next = numbers.len() as u32;
            *numbers.entry(flags).or_insert(next)
        });
        // A file may be compiled several times; the first is what editors show.
        native.files.entry(file).or_insert(number);
    }
    let mut flags: Vec<(CompileFlags, u32)> = numbers.into_iter().collect();
    flags.sort_by_key(|(_, number)| *number);
    native.flags = flags.into_iter().map(|(flags, _)| flags).collect();
    if native.files.is_empty() && !commands.entries.is_empty() {
        let message = "None of the files that it lists is here.";
        builder.problem(
            manifest.path(),
            SourcePosition::default(),
            ProblemKind::Missing,
            message,
        );
    }
    let root = common_folder(&native).unwrap_or_else(|| manifest.folder().to_owned());
    let mut draft = ProjectDraft::new(
        ManifestKind::Native,
        "",
        manifest.path(),
        Detail::Native(native),
    );
    draft.project.root = root;
    draft
}

/// The folder that holds all listed files and their own headers' folders.
fn common_folder(native: &Native) -> Option<String> {
    let files = native.files.keys().map(|file| path::folder(file));
    let headers = native.flags.iter().flat_map(|flags| &flags.include);
    let mut folders = files.chain(headers.filter_map(|include| include.path.inside()));
    let mut common = folders.next()?.to_owned();
    for folder in folders {
        while path::below(&common, folder).is_none() {
            common = path::folder(&common).to_owned();
        }
    }
    Some(common)
}
