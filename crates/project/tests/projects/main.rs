//! Trees of files and the projects that come out of them (SPEC P1).
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod dotnet;
mod general;
mod go;
mod jvm;
mod native;
mod node;
mod properties;
mod python;
mod rust;
mod support;
