//! The engine for JavaScript hosts: converts and nothing else.

#[cfg(feature = "smoke")]
pub mod smoke;
