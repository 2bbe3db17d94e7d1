//! What Cargo compiles of a package: what is written down, and what lies where it looks.

use super::facts::{CargoPackage, CargoToml, WrittenTarget};
use crate::build::ProjectBuilder;
use crate::files::RootFiles;
use crate::manifest::Manifest;
use crate::model::{CargoTarget, CargoTargetKind};
use crate::path::{self, ManifestTarget};
use crate::source::ProblemKind;

/// Folders whose files are targets of their own.
const FOLDERS: &[(CargoTargetKind, &str)] = &[
    (CargoTargetKind::Bin, "src/bin"),
    (CargoTargetKind::Example, "examples"),
    (CargoTargetKind::Test, "tests"),
    (CargoTargetKind::Bench, "benches"),
];

/// All targets of a package, by kind and name.
pub(super) fn all(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    facts: &CargoToml,
) -> Vec<CargoTarget> {
    let Some(package) = &facts.package else {
        return Vec::new();
    };
    let folder = manifest.folder();
    let name = package.name.clone().unwrap_or_default();
    let mut found: Vec<CargoTarget> = Vec::new();
    for target in &facts.targets {
        if let Some(target) = written(builder, manifest, target, &name) {
            found.push(target);
        }
    }
    let files = builder.files;
    let library = found.iter().any(|target| is_library(target.kind));
    let implicit = looked_for(files, folder, package, library);
    for (kind, name, path) in implicit {
        let off = package.not_automatic.contains(&kind);
        let known = found.iter().any(|target| {
            (target.kind == kind && target.name == name) || target.path.inside() == Some(&path)
        });
        if !off && !known && files.contains(&path) {
            let path = ManifestTarget::Inside(path);
            found.push(CargoTarget { kind, name, path });
        }
    }
    found.sort();
    found
}

/// What Cargo looks for without being told; the files may not be there.
fn looked_for(
    files: &RootFiles,
    folder: &str,
    package: &CargoPackage,
    has_library: bool,
) -> Vec<(CargoTargetKind, String, String)> {
    let name = package.name.clone().unwrap_or_default();
    let at = |place: &str| path::join(folder, place);
    let mut found = Vec::new();
    if !has_library {
        let library = name.replace('-', "_");
        found.push((CargoTargetKind::Lib, library, at("src/lib.rs")));
    }
    found.push((CargoTargetKind::Bin, name, at("src/main.rs")));
    for (kind, place) in FOLDERS {
        let targets = in_folder(files, &at(place));
        found.extend(targets.map(|(name, path)| (*kind, name, path)));
    }
    let build = package.build.as_deref().unwrap_or("build.rs");
    if let (false, ManifestTarget::Inside(path)) = (build.is_empty(), path::resolve(folder, build))
    {
        found.push((
            CargoTargetKind::Build,
            "build_script_build".to_owned(),
            path,
        ));
    }
    found
}

fn is_library(kind: CargoTargetKind) -> bool {
    matches!(kind, CargoTargetKind::Lib | CargoTargetKind::ProcMacro)
}

/// Files of a folder, and folders in it with a `main.rs`.
fn in_folder<'a>(
    files: &'a RootFiles,
    folder: &str,
) -> impl Iterator<Item = (String, String)> + use<'a> {
    let folder = folder.to_owned();
    files.below(&folder).filter_map(move |index| {
        let path = files.get(index);
        let rest = path::below(&folder, path)?;
        let name = match rest.split_once('/') {
            None => rest.strip_suffix(".rs")?,
            Some((name, "main.rs")) => name,
            Some(_) => return None,
        };
        Some((name.to_owned(), path.to_owned()))
    })
}

fn written(
    builder: &mut ProjectBuilder<'_>,
    manifest: &Manifest,
    target: &WrittenTarget,
    package: &str,
) -> Option<CargoTarget> {
    let folder = manifest.folder();
    let library = is_library(target.kind);
    let name = match &target.name {
        Some(name) => name.clone(),
        None if library => package.replace('-', "_"),
        None => {
            let message = "The target has no name.";
            builder.problem(manifest.path(), target.at, ProblemKind::Value, message);
            return None;
        }
    };
    let place = match &target.path {
        Some(path) => path::resolve(folder, path),
        None => guessed(builder.files, folder, target.kind, &name, package),
    };
    if let ManifestTarget::Inside(path) = &place
        && !builder.files.contains(path)
    {
        let message = format!("“{path}” does not exist.");
        builder.problem(manifest.path(), target.at, ProblemKind::Missing, message);
    }
    Some(CargoTarget {
        kind: target.kind,
        name,
        path: place,
    })
}

/// Where Cargo looks for a target without a path.
fn guessed(
    files: &RootFiles,
    folder: &str,
    kind: CargoTargetKind,
    name: &str,
    package: &str,
) -> ManifestTarget {
    if is_library(kind) {
        return ManifestTarget::Inside(path::join(folder, "src/lib.rs"));
    }
    let at = FOLDERS.iter().find(|(known, _)| *known == kind);
    let place = at.map_or("src", |(_, place)| *place);
    let mut candidates = vec![
        path::join(folder, &format!("{place}/{name}.rs")),
        path::join(folder, &format!("{place}/{name}/main.rs")),
    ];
    if kind == CargoTargetKind::Bin && name == package {
        candidates.insert(0, path::join(folder, "src/main.rs"));
    }
    let found = candidates.iter().find(|path| files.contains(path));
    let path = found.or(candidates.first()).cloned();
    ManifestTarget::Inside(path.unwrap_or_default())
}
