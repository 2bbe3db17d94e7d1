//! What generic types and functions of Go's standard library give.

use crate::library_functions::LibraryFunctions;
use crate::library_types::table::LibraryMember;

/// What calls of functions give, by their signatures.
pub(super) static FUNCTIONS: LibraryFunctions =
    LibraryFunctions::from_text(include_str!("library_functions.txt"));

/// What ranging over types from outside binds, and what their methods give.
pub(super) static LIBRARY: [LibraryMember; 5] = [
    LibraryMember("Seq", "@key", "0", ""),
    LibraryMember("Seq2", "@key", "0", ""),
    LibraryMember("Seq2", "@iter", "1", ""),
    LibraryMember("Pointer", "Load Swap Value", "*0", ""),
    LibraryMember("Handle", "Value", "0", ""),
];

/// The predeclared identifiers of the language.
pub(super) static PREDECLARED: [&str; 44] = [
    "any",
    "append",
    "bool",
    "byte",
    "cap",
    "clear",
    "close",
    "comparable",
    "complex",
    "complex128",
    "complex64",
    "copy",
    "delete",
    "error",
    "false",
    "float32",
    "float64",
    "imag",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "iota",
    "len",
    "make",
    "max",
    "min",
    "new",
    "nil",
    "panic",
    "print",
    "println",
    "real",
    "recover",
    "rune",
    "string",
    "true",
    "uint",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "uintptr",
];
