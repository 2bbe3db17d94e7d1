//! What types of a few packages hold, which are hardly ever in the workspace. The language's own types are described by
//! its library.

use crate::library_types::table::LibraryMember;

/// Rows as [`LibraryMember`] says; the first that fits counts.
pub(super) static LIBRARY: [LibraryMember; 4] = [
    // React's.
    LibraryMember("RefObject MutableRefObject", "current", "0", ""),
    LibraryMember("Component PureComponent", "props", "0", ""),
    LibraryMember("Component PureComponent", "state", "1", ""),
    // Node's.
    LibraryMember("AsyncLocalStorage", "getStore", "0", ""),
];
