//! Tools about semantic texts and investigations (SPEC SE1–SE3, X12, IN1).

pub(crate) mod describe;
pub(crate) mod get;
pub(crate) mod investigate;
pub(crate) mod submit;
