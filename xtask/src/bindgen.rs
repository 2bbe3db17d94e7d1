//! The JavaScript beside the module. The generator is a library here, so its version is the one in Cargo.lock.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// The files' name in front of `.js`, `.d.ts` and `_bg.wasm`.
const NAME: &str = "codecortex";

/// Writes module and glue to `folder`, unless they are from this very `wasm` already. True: written.
pub(crate) fn generate(wasm: &Path, folder: &Path) -> Result<bool> {
    let module = folder.join(format!("{NAME}_bg.wasm"));
    let built = fs::metadata(wasm)
        .and_then(|data| data.modified())
        .with_context(|| wasm.display().to_string())?;
    if fs::metadata(&module)
        .and_then(|data| data.modified())
        .is_ok_and(|time| time == built)
    {
        return Ok(false);
    }
    fs::create_dir_all(folder)?;
    Bindgen::new()
        .input_path(wasm)
        .out_name(NAME)
        .web(true)?
        .typescript(true)
        // who loads the module hands it in: a worker gets it compiled from another thread
        .omit_default_module_path(true)
        .remove_producers_section(true)
        .generate(folder)
        .with_context(|| format!("bindings for {}", wasm.display()))?;
    // the time of its origin marks it as made: "newer than" would be wrong when cargo brings back the
    // result of an earlier build with other features
    File::options()
        .write(true)
        .open(&module)?
        .set_modified(built)?;
    Ok(true)
}
