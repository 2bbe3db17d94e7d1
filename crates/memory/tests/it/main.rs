//! The store through its public face: one suite for every back end, many processes, kills, migrations, bad input.

mod bad_input;
mod conformance;
mod migration;
mod processes;
mod support;
