//! The `codecortex` binary.
fn main() {}
