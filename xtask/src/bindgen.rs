//! The JavaScript beside the module. The generator is a library here, so its version is the one in Cargo.lock.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result};
use walrus::ModuleConfig;
use wasm_bindgen_cli_support::Bindgen;

use crate::passive_data::{Taken, make_passive};

/// The files' name in front of `.js`, `.d.ts` and `_bg.wasm`.
const NAME: &str = "codecortex";

/// Writes module and glue to `folder`, unless they are from this very `wasm` already. Some: written, with so much
/// data for copying on demand: parse tables, and those of `archives` that the module has.
pub(crate) fn generate(wasm: &Path, archives: &[Vec<u8>], folder: &Path) -> Result<Option<Taken>> {
    let module = folder.join(format!("{NAME}_bg.wasm"));
    let built = fs::metadata(wasm)
        .and_then(|data| data.modified())
        .with_context(|| wasm.display().to_string())?;
    if fs::metadata(&module)
        .and_then(|data| data.modified())
        .is_ok_and(|time| time == built)
    {
        return Ok(None);
    }
    fs::create_dir_all(folder)?;
    let mut parsed = ModuleConfig::new()
        // it comes from a compiler, and what it becomes is compiled by every host
        .strict_validate(false)
        .generate_dwarf(false)
        .generate_producers_section(false)
        // names are read here for the last time, and they are a thirtieth of what is downloaded
        .generate_name_section(false)
        .parse(&fs::read(wasm)?)
        .with_context(|| wasm.display().to_string())?;
    let taken = make_passive(&mut parsed, archives)
        .with_context(|| format!("the passive data of {}", wasm.display()))?;
    Bindgen::new()
        .input_module(NAME, parsed)
        .web(true)?
        .typescript(true)
        // who loads the module hands it in: a worker gets it compiled from another thread
        .omit_default_module_path(true)
        .generate(folder)
        .with_context(|| format!("bindings for {}", wasm.display()))?;
    // the time of its origin marks it as made: "newer than" would be wrong when cargo brings back the
    // result of an earlier build with other features
    File::options()
        .write(true)
        .open(&module)?
        .set_modified(built)?;
    Ok(Some(taken))
}
