//! What generic types and functions of Go's standard library give.

use crate::library_functions::LibraryFunctions;
use crate::library_types::table::LibraryMember;

/// What calls of functions give, by their signatures.
pub(super) static FUNCTIONS: LibraryFunctions =
    LibraryFunctions::of(include_str!("library_functions.txt"));

/// What ranging over types from outside binds, and what their methods give.
pub(super) static LIBRARY: [LibraryMember; 5] = [
    LibraryMember("Seq", "@key", "0", ""),
    LibraryMember("Seq2", "@key", "0", ""),
    LibraryMember("Seq2", "@iter", "1", ""),
    LibraryMember("Pointer", "Load Swap Value", "*0", ""),
    LibraryMember("Handle", "Value", "0", ""),
];
