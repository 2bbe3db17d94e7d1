//! Prints the projects of a folder on the disk as JSON, with times on the error output: to look at
//! real repositories by hand.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a tool for the terminal"
)]

use std::path::Path;
use std::time::Instant;

use codecortex_project::{Manifests, ProjectId, Projects, RootFiles, is_manifest, parse, parse_as};

const SKIPPED: &[&str] = &[".git", "node_modules", "target"];

fn list(root: &Path, folder: &Path, paths: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
            list(root, &path, paths);
        } else if kind.is_file() {
            let relative = path.strip_prefix(root).unwrap();
            paths.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
}

fn main() {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let root = Path::new(&root);
    let mut paths = Vec::new();
    list(root, root, &mut paths);
    let read = |path: &str| std::fs::read(root.join(path)).unwrap_or_default();
    let found: Vec<(String, Vec<u8>)> = paths
        .iter()
        .filter(|path| is_manifest(path))
        .map(|path| (path.clone(), read(path)))
        .collect();
    let start = Instant::now();
    let mut manifests: Manifests = found
        .iter()
        .map(|(path, bytes)| parse(path, bytes))
        .collect();
    let parsed = start.elapsed();
    let files = RootFiles::new(&paths);
    let indexed = start.elapsed();
    let mut projects = Projects::build(&manifests, &files);
    let built = start.elapsed();
    for _ in 0..8 {
        if projects.wanted().is_empty() {
            break;
        }
        for wanted in projects.wanted() {
            eprintln!("also read: {}", wanted.path);
            manifests.insert(parse_as(&wanted.path, wanted.format, &read(&wanted.path)));
        }
        projects = Projects::build(&manifests, &files);
    }
    eprintln!(
        "{} files, {} manifests parsed in {parsed:?}, files in {:?}; {} projects built in {:?}",
        files.len(),
        found.len(),
        indexed - parsed,
        projects.all().len(),
        built - indexed,
    );
    for (index, project) in projects.all().iter().enumerate() {
        let owned: Vec<&str> = projects.files(ProjectId(index as u32)).collect();
        let shown = owned.iter().take(3).copied().collect::<Vec<_>>();
        eprintln!(
            "{:?} {}: {} files {shown:?}",
            project.kind,
            project.path,
            owned.len()
        );
    }
    println!("{}", serde_json::to_string_pretty(&projects).unwrap());
}
