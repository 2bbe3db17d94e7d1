//! Finds compilers that can make WASM: one for Rust, one for the grammars' C.
//!
//! Rust needs its standard library for `wasm32-unknown-unknown`. In this order:
//! 1. the current toolchain has it (`rustup target add`): a plain build;
//! 2. `rustup` can be asked to add it;
//! 3. a compiler with the library's sources, such as Debian's `rustc-web` with `rust-web-src`: cargo builds the
//!    library from them (`-Zbuild-std`), and a `wasm-ld` links, because such compilers bring no linker.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use clap::ValueEnum;

use crate::process::{beside, output, which};

/// The WASM target as Rust names it.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The oldest compiler that the workspace builds with (`rust-version` in Cargo.toml).
const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Versioned names to try, newest first, after the plain name.
const LLVM_VERSIONS: std::ops::RangeInclusive<u32> = 14..=24;

const MISSING_RUST: &str = "no Rust compiler here can make WASM. Type:\n  \
     rustup target add wasm32-unknown-unknown\n\
     or, on Debian, without rustup:\n  \
     sudo apt-get install -y --no-install-recommends rustc-web cargo-web rust-web-src rust-web-llvm lld-19";
const MISSING_LINKER: &str =
    "wasm-ld is missing. On Debian type:\n  sudo apt-get install -y --no-install-recommends lld-19";
const MISSING_CLANG: &str = "no clang here can make WASM (Apple's own cannot). On Debian type:\n  \
     sudo apt-get install -y --no-install-recommends clang-19 llvm-19\n\
     on a Mac:\n  brew install llvm";

/// Where the Rust compiler for WASM comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Choice {
    /// The first that works.
    #[default]
    Auto,
    /// A compiler that has the target's standard library.
    Target,
    /// A compiler with the standard library's sources.
    BuildStd,
}

/// Everything that a WASM build needs.
pub(crate) struct Toolchain {
    pub(crate) rust: Rust,
    pub(crate) clang: PathBuf,
    pub(crate) archiver: PathBuf,
}

/// The Rust half.
pub(crate) struct Rust {
    pub(crate) cargo: OsString,
    pub(crate) rustc: OsString,
    /// Present when the standard library must be built: the linker to use.
    pub(crate) build_std: Option<PathBuf>,
    version: String,
}

impl Toolchain {
    /// Looks for one; with `add_target`, `rustup` may be asked. The error says what to type.
    pub(crate) fn find(choice: Choice, add_target: bool) -> Result<Self> {
        let rust = find_rust(choice, add_target)?;
        let (clang, archiver) = find_clang()?;
        Ok(Self {
            rust,
            clang,
            archiver,
        })
    }
}

/// What is missing, by the names that the set-up (xtask/steps.mjs) maps to packages.
pub(crate) fn missing(choice: Choice, add_target: bool) -> Vec<&'static str> {
    let rust = match find_rust(choice, add_target) {
        Ok(_) => None,
        Err(_) if rustc_with_sources().is_some() => Some("linker"),
        Err(_) => Some("rust"),
    };
    let clang = find_clang().is_err().then_some("clang");
    rust.into_iter().chain(clang).collect()
}

impl fmt::Display for Toolchain {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.rust.build_std {
            Some(_) => " with the standard library's sources",
            None => "",
        };
        write!(
            formatter,
            "{}{how} + {}",
            self.rust.version,
            self.clang
                .file_name()
                .unwrap_or(self.clang.as_os_str())
                .display()
        )
    }
}

fn find_rust(choice: Choice, add_target: bool) -> Result<Rust> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if choice != Choice::BuildStd
        && (has_target(&rustc) || (add_target && rustup_adds_target() && has_target(&rustc)))
    {
        return Ok(Rust {
            cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            version: version_of(&rustc).unwrap_or_default(),
            rustc,
            build_std: None,
        });
    }
    if choice == Choice::Target {
        bail!("{MISSING_RUST}");
    }
    let Some(rustc) = rustc_with_sources() else {
        bail!("{MISSING_RUST}");
    };
    let Some(linker) = versioned("wasm-ld").find(|path| path.is_file()) else {
        bail!("{MISSING_LINKER}");
    };
    Ok(Rust {
        cargo: beside(&rustc, "cargo").map_or_else(
            || std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()),
            Into::into,
        ),
        version: version_of(rustc.as_os_str()).unwrap_or_default(),
        rustc: rustc.into(),
        build_std: Some(linker),
    })
}

/// Whether the compiler has the target's library; it names the folder also where it is absent.
fn has_target(rustc: &OsString) -> bool {
    let folder = output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]));
    let Some(entries) = folder.and_then(|folder| std::fs::read_dir(folder).ok()) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        name.starts_with("libstd-") && name.ends_with(".rlib")
    })
}

fn rustup_adds_target() -> bool {
    which("rustup").is_some_and(|rustup| {
        output(Command::new(rustup).args(["target", "add", TARGET])).is_some()
    })
}

/// A recent enough compiler with the library's sources: the ones in PATH, then the system's own, which a
/// `rustup` in PATH may hide.
fn rustc_with_sources() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/bin")])
        .map(|folder| folder.join(format!("rustc{}", std::env::consts::EXE_SUFFIX)))
        .find(|rustc| rustc.is_file() && is_recent(rustc) && has_sources(rustc))
}

fn has_sources(rustc: &Path) -> bool {
    output(Command::new(rustc).args(["--print", "sysroot"])).is_some_and(|sysroot| {
        Path::new(&sysroot)
            .join("lib/rustlib/src/rust/library/Cargo.lock")
            .is_file()
    })
}

fn is_recent(rustc: &Path) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        version
            .split('.')
            .map_while(|number| number.parse().ok())
            .collect()
    };
    version_of(rustc.as_os_str())
        .and_then(|version| version.split_whitespace().nth(1).map(numbers))
        .is_some_and(|version| version >= numbers(OLDEST_RUST))
}

/// As in `rustc 1.96.0`.
fn version_of(rustc: &std::ffi::OsStr) -> Option<String> {
    let line = output(Command::new(rustc).arg("--version"))?;
    Some(
        line.split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" "),
    )
}

/// A clang that knows WASM, and an llvm-ar; any version of the latter reads the former's objects.
fn find_clang() -> Result<(PathBuf, PathBuf)> {
    let clang = versioned("clang").find(|clang| {
        output(Command::new(clang).arg("--print-targets"))
            .is_some_and(|targets| targets.contains("wasm32"))
    });
    let archiver = versioned("llvm-ar").find(|archiver| archiver.is_file());
    match (clang, archiver) {
        (Some(clang), Some(archiver)) => Ok((clang, archiver)),
        _ => bail!("{MISSING_CLANG}"),
    }
}

/// `name`, `name-24` … `name-14` as far as they exist, and Homebrew's, which is not in PATH.
fn versioned(name: &str) -> impl Iterator<Item = PathBuf> {
    std::iter::once(name.to_owned())
        .chain(
            LLVM_VERSIONS
                .rev()
                .map(|version| format!("{name}-{version}"))
                .collect::<Vec<_>>(),
        )
        .filter_map(|program| which(&program))
        .chain(
            ["/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin"]
                .map(|folder| Path::new(folder).join(name))
                .into_iter()
                .filter(|path| path.is_file())
                .collect::<Vec<_>>(),
        )
}
