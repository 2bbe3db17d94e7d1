//! Says which text the engine parses, to who can end the worker that it is in: a grammar that does not come to an end
//! cannot be stopped from within (`codecortex_syntax::parse_host`).

use std::cell::RefCell;

use codecortex_syntax::parse_host::{ParseHost, leave_out, run_parses_by};
use js_sys::Function;
use wasm_bindgen::prelude::*;

thread_local! {
    /// Is told. A module has one thread.
    static TOLD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

struct Told;

impl ParseHost for Told {
    fn run(&self, key: u32, parse: Box<dyn FnOnce() + Send>) -> bool {
        tell(key);
        parse();
        tell(0);
        true
    }
}

fn tell(key: u32) {
    TOLD.with_borrow(|told| {
        if let Some(told) = told {
            // Who is told throws nothing; if it did, the parse would not be the worse for it.
            let _ = told.call1(&JsValue::NULL, &JsValue::from(key));
        }
    });
}

/// From now on `tell` is called with a number for the text that is parsed next, and with 0 when that is done. Where
/// the engine does not come back, the number stands for what it was at.
#[wasm_bindgen(js_name = watchParses)]
pub fn watch_parses(tell: Function) {
    TOLD.set(Some(tell));
    run_parses_by(Box::new(Told));
}

/// Has a text never be parsed, after [`watch_parses`]: its number is what a worker that did not come back was at.
#[wasm_bindgen(js_name = leaveOutParse)]
pub fn leave_out_parse(key: u32) {
    leave_out(key);
}
