//! `cargo xtask dist`: the packages of a release, made by `xtask/dist.mjs` (docs/packages.md).

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use clap::Args;

use crate::process;

/// What to make.
#[derive(Args)]
pub(crate) struct Options {
    /// Only these packages, such as `npm,vsix`.
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// A native program that is already built, such as `linux-x64=target/release/codecortex`; repeatable. Without one,
    /// this machine's is built.
    #[arg(long, value_name = "PLATFORM=FILE")]
    binary: Vec<String>,
    /// Cargo's profile of native programs.
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,
    /// Address of the repository that packages name; without one they name none.
    #[arg(long, value_name = "URL")]
    repository: Option<String>,
}

/// Makes them.
pub(crate) fn make(root: &Path, options: &Options) -> Result<()> {
    let mut command = Command::new("node");
    command
        .current_dir(root)
        .args(["xtask/dist.mjs", "--profile", &options.profile]);
    for (name, value) in [
        ("--only", &options.only),
        ("--repository", &options.repository),
    ] {
        if let Some(value) = value {
            command.args([name, value]);
        }
    }
    for binary in &options.binary {
        command.args(["--binary", binary]);
    }
    process::run(&mut command)
}
