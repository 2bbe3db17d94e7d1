//! The store through its public face: one suite for every back end, many processes, kills, migrations, bad input.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "tests put files on the disk"
)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bad_input;
mod conformance;
mod damage;
mod migration;
mod processes;
mod support;
