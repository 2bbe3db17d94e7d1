//! `cargo xtask wasm`: the module for VS Code and the JavaScript beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;

use crate::toolchain::{Choice, TARGET, Toolchain};
use crate::{bindgen, libc, process};

/// Where the archives of standard libraries lie.
pub(crate) const STANDARD_LIBRARIES: &str = "crates/external/data";

/// What to build.
#[derive(Args)]
pub(crate) struct Options {
    /// Only these of the slow grammars, such as `rust,typescript`; an empty list leaves all of them out.
    #[arg(long, value_name = "LIST")]
    features: Option<String>,
    /// Adds what the module's smoke test calls; not for shipping.
    #[arg(long)]
    smoke: bool,
    /// Links quickly, runs slower.
    #[arg(long)]
    dev: bool,
    /// Where module and JavaScript go.
    #[arg(long, value_name = "FOLDER", default_value = "dist/wasm")]
    out: PathBuf,
    /// Where the Rust compiler for WASM comes from.
    #[arg(long, value_enum, default_value_t)]
    toolchain: Choice,
}

/// Builds it. Nothing changed: says so and is done in a second.
pub(crate) fn build(root: &Path, options: &Options) -> Result<()> {
    let started = Instant::now();
    let toolchain = Toolchain::find(options.toolchain, true)?;
    let target = root.join("target-wasm");
    fs::create_dir_all(&target)?;
    let profile = if options.dev { "wasm-dev" } else { "wasm" };
    process::run(&mut cargo_build(
        root, &target, profile, &toolchain, options,
    )?)?;

    let wasm = target
        .join(TARGET)
        .join(profile)
        .join("codecortex_wasm.wasm");
    let folder = root.join(&options.out);
    let written = bindgen::generate(&wasm, &standard_libraries(root)?, &folder)?;
    let size = fs::metadata(folder.join("codecortex_bg.wasm"))?.len();
    let what = match written {
        Some(taken) => format!(
            "written ({:.1} MB; {:.1} MB of it, {} tables of {} grammars and {} libraries, for copying on demand)",
            size as f64 / 1e6,
            taken.bytes as f64 / 1e6,
            taken.tables,
            taken.grammars,
            taken.archives
        ),
        None => format!("is up to date ({:.1} MB)", size as f64 / 1e6),
    };
    println!(
        "{} {what}, {toolchain}, {:.1} s",
        options.out.display(),
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// The bytes of every archive, in the order of their names.
fn standard_libraries(root: &Path) -> Result<Vec<Vec<u8>>> {
    let folder = root.join(STANDARD_LIBRARIES);
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "stdlib"));
    paths.sort();
    let read = |path: &PathBuf| fs::read(path).with_context(|| path.display().to_string());
    paths.iter().map(read).collect()
}

fn cargo_build(
    root: &Path,
    target: &Path,
    profile: &str,
    toolchain: &Toolchain,
    options: &Options,
) -> Result<Command> {
    let libc = libc::prepare(root, target, &mut cargo(toolchain))?;
    let mut command = cargo(toolchain);
    command
        .current_dir(root)
        .args(["build", "--locked", "--package", "codecortex-wasm", "--lib"])
        .args(["--target", TARGET, "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .arg("--config")
        .arg(&libc.config)
        // always the same values: another one would build every grammar again
        .env(c_variable("CC"), &toolchain.clang)
        .env(c_variable("AR"), &toolchain.archiver)
        .env(c_variable("CFLAGS"), &libc.flags);
    if let Some(linker) = &toolchain.rust.build_std {
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    }
    let mut features = Vec::new();
    if let Some(list) = &options.features {
        command.arg("--no-default-features");
        features.push(list.as_str());
    }
    if options.smoke {
        features.push("smoke");
    }
    if !features.is_empty() {
        command.args(["--features", &features.join(",")]);
    }
    Ok(command)
}

/// The cargo of the toolchain, set up to use its compiler.
fn cargo(toolchain: &Toolchain) -> Command {
    let mut command = Command::new(&toolchain.rust.cargo);
    if toolchain.rust.build_std.is_some() {
        command
            .env("RUSTC", &toolchain.rust.rustc)
            // lets a stable compiler build its own standard library
            .env("RUSTC_BOOTSTRAP", "1");
    }
    command
}

fn c_variable(name: &str) -> String {
    format!("{name}_{}", TARGET.replace('-', "_"))
}
