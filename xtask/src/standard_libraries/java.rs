//! Java: the packages that the modules `java.*` of a JDK export.

mod parameter_names;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use codecortex_external::standard_library::jdk::{
    ClassSource, ClassSurvey, JdkImage, ReadRange, java_source, survey,
};

use super::Description;

struct ImageFile(File);

impl ReadRange for ImageFile {
    fn read_range(&self, offset: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut file = &self.0;
        file.seek(SeekFrom::Start(offset)).ok()?;
        file.read_exact(&mut bytes).ok().map(|()| bytes)
    }
}

/// Describes the library of the JDK in a folder.
pub(super) fn describe(folder: &Path) -> Result<Description> {
    let path = folder.join("lib/modules");
    let file = File::open(&path).with_context(|| format!("{} is not read", path.display()))?;
    let file = ImageFile(file);
    let image = JdkImage::open(&file)
        .map_err(|problem| anyhow::anyhow!("{} is not read: {problem}", path.display()))?;
    let surveys = surveys(&image)?;
    let kept = kept_classes(&surveys);
    let modules: BTreeMap<String, String> = image
        .classes()
        .map(|(module, name)| (name, module.to_owned()))
        .collect();
    let sources = tempfile::tempdir()?;
    unpack_sources(folder, sources.path())?;
    let mut files = Vec::new();
    for name in kept.iter().filter(|name| !name.contains('$')) {
        let text = java_source(&image, name, &|nested| kept.contains(nested))
            .map_err(|problem| anyhow::anyhow!("{name} is not described: {problem}"))?;
        let module = modules.get(name).map_or("", String::as_str);
        let source = sources
            .path()
            .join(module)
            .join(name)
            .with_extension("java");
        let path = format!("{name}.java");
        // a class that a build step writes has no source there
        let text = match fs::read_to_string(source) {
            Ok(source) => parameter_names::with_parameter_names(&path, &text, &source)?,
            Err(_) => text,
        };
        files.push((path, text));
    }
    Ok(Description {
        language: "java",
        version: version(folder)?,
        files,
    })
}

/// Unpacks the JDK's `lib/src.zip` with its own program.
fn unpack_sources(folder: &Path, output: &Path) -> Result<()> {
    let archive =
        fs::canonicalize(folder.join("lib/src.zip")).context("the JDK has no `lib/src.zip`")?;
    let mut command = Command::new(folder.join("bin/jar"));
    let run = command
        .arg("xf")
        .arg(archive)
        .current_dir(output)
        .output()
        .context("`jar` does not run")?;
    if !run.status.success() {
        bail!(
            "`jar` does not unpack the sources: {}",
            String::from_utf8_lossy(&run.stderr)
        );
    }
    Ok(())
}

/// The version that the JDK's `release` file states.
fn version(folder: &Path) -> Result<String> {
    let release = fs::read_to_string(folder.join("release"))?;
    let stated = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION="));
    let stated = stated.context("the file `release` states no JAVA_VERSION")?;
    Ok(format!("JDK {}", stated.trim_matches('"')))
}

/// The classes of the packages that the Java SE modules export.
fn surveys(image: &JdkImage<'_>) -> Result<BTreeMap<String, ClassSurvey>> {
    let mut exports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut surveys = BTreeMap::new();
    for (module, name) in image.classes() {
        if !module.starts_with("java.") {
            continue;
        }
        let packages = exports.entry(module.to_owned());
        let packages =
            packages.or_insert_with(|| image.exported_packages(module).into_iter().collect());
        let Some((package, _)) = name
            .rsplit_once('/')
            .filter(|(package, _)| packages.contains(*package))
        else {
            continue;
        };
        if name.ends_with("/package-info") || package.is_empty() {
            continue;
        }
        let bytes = image
            .class(&name)
            .with_context(|| format!("{name} is not read"))?;
        surveys.insert(
            name.clone(),
            survey(&bytes).with_context(|| format!("{name} is malformed"))?,
        );
    }
    Ok(surveys)
}

/// The public classes, what is public or protected in them, and what they extend: the members of `StringBuilder` are those of a
/// class that is not public.
fn kept_classes(surveys: &BTreeMap<String, ClassSurvey>) -> BTreeSet<String> {
    let nested_in: BTreeMap<&str, &str> = surveys
        .iter()
        .flat_map(|(outer, of)| {
            of.nested
                .iter()
                .map(move |(name, _)| (name.as_str(), outer.as_str()))
        })
        .collect();
    let is_top = |name: &str| !nested_in.contains_key(name) && !name.contains('$');
    let mut waiting: Vec<&str> = surveys
        .iter()
        .filter(|(name, of)| of.is_public && is_top(name))
        .map(|(name, _)| name.as_str())
        .collect();
    let mut kept = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let Some(of) = surveys.get(name) else {
            continue;
        };
        if !kept.insert(name.to_owned()) {
            continue;
        }
        waiting.extend(of.bases.iter().map(String::as_str));
        waiting.extend(
            of.nested
                .iter()
                .filter(|(_, is_visible)| *is_visible)
                .map(|(name, _)| name.as_str()),
        );
        waiting.extend(nested_in.get(name).copied());
    }
    kept
}
