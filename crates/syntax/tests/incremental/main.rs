//! Facts after edits (SPEC I2): what is read again by parts is what is read as a whole.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that says what it measured, and its fixtures are files"
)]

mod open;
mod texts;

mod borders;
mod broken;
mod cost;
mod scripts;
