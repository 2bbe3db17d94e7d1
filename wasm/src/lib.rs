//! Converts and nothing else.
