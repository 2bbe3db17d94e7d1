//! The engine for JavaScript hosts: converts and nothing else (`docs/wasm-api.md`).
//!
//! Events and effects cross as plain objects, file contents as bytes: a string would cost eighty
//! times as much. A panic ends the instance; the worker around it starts a new one from the cache.

#[cfg(target_family = "wasm")]
mod allocator;
mod parses;
#[cfg(feature = "smoke")]
pub mod smoke;

pub use parses::{leave_out_parse, watch_parses};

use codecortex_engine::protocol::{Effect, Event};
use codecortex_syntax::{Limits, Outcome, SkipReason, encode_outcome};
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"import type { Effect, Event } from "../../extension/generated/protocol";"#;

#[wasm_bindgen]
extern "C" {
    /// An event, typed as the generated `Event`.
    #[wasm_bindgen(typescript_type = "Event")]
    pub type JsEvent;
    /// A list of effects, typed as the generated `Effect[]`.
    #[wasm_bindgen(typescript_type = "Effect[]")]
    pub type JsEffects;
}

/// Makes panics readable in the console. Called by the glue when the module is instantiated.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// One workspace.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine(codecortex_engine::Engine);

#[wasm_bindgen]
impl Engine {
    /// An engine that knows nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the engine what happened; gives what it asks for.
    ///
    /// # Errors
    /// A sentence, for an object that is no event.
    pub fn handle(&mut self, event: JsEvent) -> Result<JsEffects, JsError> {
        let event: Event = serde_wasm_bindgen::from_value(event.into())
            .map_err(|error| JsError::new(&format!("Not an event: {error}")))?;
        effects(&self.0.handle(event))
    }

    /// Hands in the outcome of one file that an effect `read` asked for.
    ///
    /// # Errors
    /// Never in practice: effects are plain data.
    pub fn ingest(
        &mut self,
        root: u32,
        path: &str,
        size: f64,
        #[wasm_bindgen(js_name = mtimeMs)] mtime_ms: f64,
        outcome: &[u8],
    ) -> Result<JsEffects, JsError> {
        effects(&self.0.ingest_bytes(root, path, size, mtime_ms, outcome))
    }

    /// The cache's bytes, for the host to write atomically.
    #[wasm_bindgen(js_name = exportCache)]
    pub fn export_cache(&mut self, #[wasm_bindgen(js_name = nowMs)] now_ms: f64) -> Vec<u8> {
        self.0.export_cache(now_ms)
    }

    /// Gives the engine an earlier export, before `configure`. False for bytes it cannot use.
    #[wasm_bindgen(js_name = importCache)]
    pub fn import_cache(&mut self, bytes: Vec<u8>) -> bool {
        self.0.import_cache(bytes)
    }
}

fn effects(effects: &[Effect]) -> Result<JsEffects, JsError> {
    let serializer = Serializer::json_compatible().serialize_bytes_as_arrays(false);
    let value = effects
        .serialize(&serializer)
        .map_err(|error| JsError::new(&error.to_string()))?;
    Ok(value.unchecked_into())
}

/// Facts of one file, or why there are none, as bytes for `Engine.ingest`. Pure: for parse workers.
#[wasm_bindgen]
pub fn analyse(
    path: &str,
    bytes: &[u8],
    #[wasm_bindgen(js_name = maxFileSize)] max_file_size: u32,
    #[wasm_bindgen(js_name = excludeGenerated)] exclude_generated: bool,
) -> Vec<u8> {
    encode_outcome(&codecortex_syntax::analyse(
        path,
        bytes,
        Limits {
            max_file_size,
            exclude_generated,
        },
    ))
}

/// The outcome of a file that could not be read; `reason` is a sentence.
#[wasm_bindgen]
pub fn unreadable(reason: String) -> Vec<u8> {
    encode_outcome(&Outcome::Skipped(SkipReason::Unreadable(reason)))
}

/// The tool table as JSON.
#[wasm_bindgen]
pub fn tools() -> String {
    codecortex_engine::tool_table().to_string()
}

/// What a server tells its clients of the tools.
#[wasm_bindgen]
pub fn instructions() -> String {
    codecortex_engine::INSTRUCTIONS.to_owned()
}
