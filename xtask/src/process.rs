//! Running other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Runs `command` with this program's output as its own; an exit code other than 0 is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let name = name(command);
    let status = command.status().with_context(|| name.clone())?;
    if !status.success() {
        bail!("{name}: {status}");
    }
    Ok(())
}

/// Runs `command` and gives its standard output, or `None` where it is absent or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The program's file, looked up in PATH.
pub(crate) fn which(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// `path`, or the same name beside `sibling`, whichever is a file.
pub(crate) fn beside(sibling: &Path, program: &str) -> Option<PathBuf> {
    let path = sibling.with_file_name(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    path.is_file().then_some(path)
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}
